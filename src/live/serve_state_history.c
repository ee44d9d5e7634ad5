/* serve_state_history.c - the live page's table of five minutes and the whole run, what happened, and who
 * tells of it. */
#include "base/clock.h"
#include "live/serve_state_private.h"

/* ---- the table of five minutes and the whole run ---- */

static const struct {
    const char *label;
    enum smi_history_slot slot;
    int64_t unit;
    int digits; /* of the mean, the percentile, the maximum */
    bool of_host;
} rows[] = {{"GPU use %", SMI_HISTORY_UTIL, 1000000, 1, false},
            {"memory GiB, a GPU", SMI_HISTORY_FB_USED, (int64_t)1024 * 1000000, 1, false},
            {"power W, a GPU", SMI_HISTORY_POWER, 1000000, 0, false},
            {"CPU use %", SMI_HISTORY_CPU, 1000000, 1, true}};

static void put_figures(struct smi_serve_state_page *p, const char *key, const struct smi_machine_figures *f,
                        size_t row)
{
    const int64_t v[] = {f->mean, f->p95, f->max};
    smi_json_key(&p->j, key);
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < 3; i++)
        smi_json_str(&p->j, f->n ? smi_fmt_ratio(&p->g, v[i], rows[row].unit, rows[row].digits) : "-");
    smi_json_close(&p->j, ']');
}

static void put_row(struct smi_serve_state_page *p, size_t row)
{
    const struct smi_live_gpu *of = rows[row].of_host ? &p->n->host : NULL;
    struct smi_machine_figures five, whole;
    if (smi_machine_window(p->n, of, rows[row].slot, &five) ||
        smi_machine_whole_run(p->n, of, smi_history_metric[rows[row].slot], &whole)) {
        p->g.failed = true;
        return;
    }
    if (!five.n && !whole.n)
        return;
    smi_json_open(&p->j, '{');
    smi_json_key_str(&p->j, "label", rows[row].label);
    put_figures(p, "five", &five, row);
    put_figures(p, "whole", &whole, row);
    smi_json_close(&p->j, '}');
}

static void put_table(struct smi_serve_state_page *p)
{
    smi_json_key(&p->j, "table");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        put_row(p, i);
    smi_json_close(&p->j, ']');
}

/* ---- what happened ---- */

static void put_events(struct smi_serve_state_page *p)
{
    int64_t last = p->n->events, first = last - SMI_SERVE_STATE_EVENTS;
    smi_json_key(&p->j, "events");
    smi_json_open(&p->j, '[');
    for (int64_t i = last - 1; i >= 0 && i >= first; i--) {
        const struct smi_event *e = &p->n->event[i % SMI_MACHINE_EVENTS_MAX];
        smi_json_open(&p->j, '{');
        smi_json_key_str(&p->j, "time", e->t_ms > 0 ? smi_serve_state_clock(p, e->t_ms) : NULL);
        smi_json_key_str(&p->j, "kind", smi_event_kinds[e->kind]);
        smi_serve_state_safe(p, "text", e->text);
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

/* RunLogs write a phase when it ends: the last one that did, and those before it. */
static void put_phases(struct smi_serve_state_page *p)
{
    smi_json_key(&p->j, "phases");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < p->n->phases; i++) {
        const struct smi_machine_phase *f = &p->n->phase[i];
        smi_json_open(&p->j, '{');
        smi_serve_state_safe(p, "name", f->name);
        smi_json_key_int(&p->j, "times", f->times);
        smi_json_key_str(&p->j, "span", smi_serve_state_span(p, f->ms));
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

static void put_monitors(struct smi_serve_state_page *p)
{
    static const char *const states[] = {"starting", "ok", "silent", "down"};
    smi_json_key(&p->j, "monitors");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < p->n->sources; i++) {
        const struct smi_live_source *s = p->n->source[i];
        smi_json_open(&p->j, '{');
        smi_serve_state_safe(p, "name", s->name);
        smi_json_key_str(&p->j, "state", states[s->state]);
        if (s->state == SMI_SOURCE_SILENT)
            smi_json_key_str(
                &p->j, "text",
                smi_fmt(&p->g, "nothing for %s", smi_serve_state_span(p, p->n->mono_ms - s->seen_mono_ms)));
        else if (s->state == SMI_SOURCE_READING && s->interval_ms)
            smi_json_key_str(&p->j, "text",
                             smi_fmt(&p->g, "every %s s", smi_fmt_ratio(&p->g, s->interval_ms, 1000, 1)));
        else
            smi_serve_state_safe(p, "text", s->why);
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

void smi_serve_state_past(struct smi_serve_state_page *p)
{
    put_table(p);
    put_events(p);
    put_phases(p);
    put_monitors(p);
}
