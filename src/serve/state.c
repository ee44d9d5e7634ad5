#include "serve/state.h"

#include "alert/alert.h"
#include "base/clock.h"
#include "base/json.h"
#include "page/words.h"
#include "screen/plain.h"

#include <string.h>

static const int64_t gib = (int64_t)1024 * 1000000;

struct page {
    struct smi_json j;
    struct smi_page g; /* pieces of text */
    const struct smi_now *n;
    const struct smi_serve_opts *o;
};

/* ---- pieces ---- */

static const struct smi_now_reading *get(const struct page *p, const struct smi_now_body *b, unsigned metric)
{
    return b->state == SMI_NOW_LOST ? NULL : smi_now_get(p->n, b, metric);
}

static const char *put(struct page *p, const struct smi_now_reading *r, int64_t unit, int digits)
{
    return r ? smi_page_ratio(&p->g, r->v, unit, digits) : "-";
}

/* "70.4/80": of something there is. */
static const char *put_of(struct page *p, const struct smi_now_reading *r, const struct smi_now_reading *of,
                          int64_t unit, int digits)
{
    return r && of ? smi_page_fmt(&p->g, "%s/%s", put(p, r, unit, digits), put(p, of, unit, 0))
                   : put(p, r, unit, digits);
}

/* "14:32:07" on the clock of the logs. */
static const char *clock_of(struct page *p, int64_t t_ms)
{
    char stamp[SMI_CLOCK_TEXT];
    smi_clock_put(stamp, t_ms + (int64_t)p->n->o.offset_s * 1000, false);
    return smi_page_fmt(&p->g, "%.8s", stamp + 11);
}

static const char *span(struct page *p, int64_t ms)
{
    char text[SMI_CLOCK_TEXT];
    smi_clock_put_span(text, ms);
    return smi_page_fmt(&p->g, "%s", text);
}

static void safe(struct page *p, const char *key, const char *text)
{
    smi_json_key_str(&p->j, key, text ? smi_page_safe(&p->g, text) : NULL);
}

/* A sum over the job's GPUs that tell it. Returns how many do. */
static int64_t sum(const struct page *p, unsigned metric, int64_t *out)
{
    int64_t some = 0;
    *out = 0;
    for (size_t i = 0; i < p->n->gpus; i++) {
        const struct smi_now_reading *r = p->n->gpu[i]->mine ? get(p, p->n->gpu[i], metric) : NULL;
        *out += r ? r->v : 0;
        some += r != NULL;
    }
    return some;
}

/* ---- the head ---- */

/* "8 x H100 80GB HBM3", or of several kinds how many there are. */
static const char *models(struct page *p)
{
    const char *name = NULL;
    size_t k = 0;
    bool same = true;
    for (size_t i = 0; i < p->n->gpus; i++) {
        const struct smi_now_body *b = p->n->gpu[i];
        if (!b->mine)
            continue;
        same = same && b->name && (k == 0 || strcmp(b->name, name) == 0);
        name = b->name;
        k++;
    }
    if (k == 0)
        return "no GPU";
    if (!same)
        return k == 1 ? "1 GPU" : smi_page_fmt(&p->g, "%zu GPUs", k);
    if (strncmp(name, "NVIDIA ", 7) == 0)
        name += 7;
    return smi_page_fmt(&p->g, "%zu x %s", k, smi_page_safe(&p->g, name));
}

static void put_head(struct page *p)
{
    char zone[SMI_CLOCK_TEXT];
    int64_t every = p->o->interval_ms;
    smi_clock_put_zone(zone, p->n->o.offset_s);
    smi_json_key_str(&p->j, "title", p->o->what);
    safe(p, "host", p->o->host);
    smi_json_key_str(&p->j, "models", models(p));
    smi_json_key_str(
        &p->j, "every",
        smi_page_fmt(&p->g, "every %s s", smi_page_ratio(&p->g, every, 1000, every % 1000 ? 1 : 0)));
    smi_json_key_str(&p->j, "time", p->n->timed ? clock_of(p, p->n->t_ms) : NULL);
    smi_json_key_str(&p->j, "zone", smi_page_fmt(&p->g, "UTC%s", zone));
    safe(p, "recording", p->o->run);
    smi_json_key_str(&p->j, "span", p->n->timed ? span(p, p->n->t_ms - p->n->first_ms) : NULL);
    smi_json_key(&p->j, "interval_s");
    smi_json_micro(&p->j, (smi_i128)every * 1000);
}

static void total(struct page *p, const char *label, const char *value)
{
    smi_json_open(&p->j, '{');
    smi_json_key_str(&p->j, "value", value);
    smi_json_key_str(&p->j, "label", label);
    smi_json_close(&p->j, '}');
}

/* "561/637 GiB": a sum, and of what. */
static void total_of(struct page *p, const char *label, const unsigned metric[2], int64_t unit,
                     const char *word)
{
    int64_t v, of, k = sum(p, metric[0], &v);
    int digits = unit == gib ? 0 : 2;
    const char *text;
    if (k == 0)
        return;
    text = smi_page_ratio(&p->g, v, unit, digits);
    if (sum(p, metric[1], &of) == k) /* of the same GPUs */
        text = smi_page_fmt(&p->g, "%s/%s", text, smi_page_ratio(&p->g, of, unit, digits));
    total(p, label, smi_page_fmt(&p->g, "%s %s", text, word));
}

static void put_totals(struct page *p)
{
    const struct smi_now_reading *cpu = smi_now_get(p->n, &p->n->host, SMI_CPU_USR);
    struct smi_now_sums all;
    int64_t v, k = sum(p, SMI_GPU_UTIL, &v);
    smi_now_sums(p->n, &all);
    smi_json_key(&p->j, "totals");
    smi_json_open(&p->j, '[');
    if (k)
        total(p, "GPU use", smi_page_fmt(&p->g, "%s %%", smi_page_ratio(&p->g, v, (smi_i128)k * 1000000, 1)));
    total_of(p, "memory", (const unsigned[]){SMI_FB_USED, SMI_FB_TOTAL}, gib, "GiB");
    total_of(p, "power", (const unsigned[]){SMI_POWER, SMI_POWER_LIMIT}, 1000000000, "kW");
    if (all.has_energy)
        total(p, "energy", smi_page_energy(&p->g, (struct smi_value){all.energy_mwh * 1000, true}));
    if (all.known_ms)
        total(p, "idle", smi_page_fmt(&p->g, "%s GPU-h", smi_page_hours(&p->g, all.idle_ms)));
    if (cpu)
        total(p, "CPU", smi_page_fmt(&p->g, "%s %%", put(p, cpu, 1000000, 0)));
    smi_json_close(&p->j, ']');
}

static void put_alerts(struct page *p)
{
    smi_json_key(&p->j, "alerts");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < p->n->alerts; i++) {
        const struct smi_now_alert *a = &p->n->alert[i];
        smi_json_open(&p->j, '{');
        smi_json_key_bool(&p->j, "grave", a->grave);
        safe(p, "text", a->text);
        smi_json_key_str(&p->j, "since", p->n->timed ? clock_of(p, a->from_ms) : NULL);
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

/* ---- the GPUs ---- */

/* What of a row an alert rests on; NULL: nothing in it. */
static const char *const mark_of[SMI_LIVE_RULES] = {[SMI_LIVE_IDLE] = "now",
                                                    [SMI_LIVE_MEMORY] = "vram",
                                                    [SMI_LIVE_GROWTH] = "vram",
                                                    [SMI_LIVE_THERMAL] = "temp"};

static const char *remark(struct page *p, size_t gpu)
{
    const struct smi_now_body *b = p->n->gpu[gpu];
    const char *text = "";
    if (b->state == SMI_NOW_LOST)
        return "LOST";
    for (size_t i = 0; i < p->n->alerts; i++)
        if (p->n->alert[i].gpu == (int)gpu && *p->n->alert[i].note)
            text = smi_page_fmt(&p->g, "%s%s%s", text, *text ? ", " : "", p->n->alert[i].note);
    if (!*text && b->state == SMI_NOW_OLD)
        text = smi_page_fmt(&p->g, "reading %lld s old", (long long)(smi_now_age(p->n, b) / 1000));
    return text;
}

/* The marks of a row; *from_ms: since when the first of the alerts that they rest on. */
static void put_marks(struct page *p, size_t gpu, int64_t *from_ms)
{
    *from_ms = INT64_MAX;
    smi_json_key(&p->j, "marks");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < p->n->alerts; i++) {
        const struct smi_now_alert *a = &p->n->alert[i];
        if (a->gpu != (int)gpu || !mark_of[a->rule])
            continue;
        smi_json_str(&p->j, mark_of[a->rule]);
        if ((a->rule == SMI_LIVE_IDLE || a->rule == SMI_LIVE_THERMAL) && a->from_ms < *from_ms)
            *from_ms = a->from_ms;
    }
    smi_json_close(&p->j, ']');
}

static void put_spark(struct page *p, const struct smi_now_body *b, int64_t from_ms)
{
    int64_t v[SMI_STATE_CELLS], step = SMI_STATE_SPAN_MS / SMI_STATE_CELLS;
    int64_t last = p->n->t_ms - p->n->t_ms % step + step, first = last - SMI_STATE_SPAN_MS;
    smi_now_spark(p->n, b, SMI_NOW_UTIL, SMI_STATE_SPAN_MS, v, SMI_STATE_CELLS);
    smi_json_key(&p->j, "spark");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < SMI_STATE_CELLS; i++)
        if (v[i] == SMI_NO_READING)
            smi_json_null(&p->j);
        else
            smi_json_int(&p->j, (v[i] + 500000) / 1000000);
    smi_json_close(&p->j, ']');
    smi_json_key(&p->j, "from");
    if (from_ms > last)
        smi_json_null(&p->j);
    else
        smi_json_int(&p->j, from_ms < first ? 0 : (from_ms - first) / step);
}

static void put_gpu(struct page *p, size_t gpu)
{
    static const char *const states[] = {"ok", "stale", "lost"};
    const struct smi_now_body *b = p->n->gpu[gpu];
    const struct smi_now_reading *util = get(p, b, SMI_GPU_UTIL);
    int64_t from_ms;
    smi_json_open(&p->j, '{');
    smi_json_key_str(&p->j, "gpu", b->index >= 0 ? smi_page_fmt(&p->g, "%d", b->index) : "-");
    smi_json_key_str(&p->j, "state", states[b->state]);
    safe(p, "name", b->name);
    smi_json_key(&p->j, "use");
    if (util)
        smi_json_micro(&p->j, util->v);
    else
        smi_json_null(&p->j);
    smi_json_key_str(&p->j, "now", util ? smi_page_fmt(&p->g, "%s %%", put(p, util, 1000000, 0)) : "-");
    smi_json_key_str(&p->j, "vram", put_of(p, get(p, b, SMI_FB_USED), get(p, b, SMI_FB_TOTAL), gib, 1));
    smi_json_key_str(&p->j, "power", put_of(p, get(p, b, SMI_POWER), get(p, b, SMI_POWER_LIMIT), 1000000, 0));
    smi_json_key_str(&p->j, "temp", put(p, get(p, b, SMI_TEMP_GPU), 1000000, 0));
    smi_json_key_str(&p->j, "clock", put(p, get(p, b, SMI_CLK_SM), 1000000, 0));
    safe(p, "remark", remark(p, gpu));
    put_marks(p, gpu, &from_ms);
    put_spark(p, b, from_ms);
    smi_json_close(&p->j, '}');
}

static void put_gpus(struct page *p)
{
    smi_json_key(&p->j, "gpus");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < p->n->gpus; i++)
        if (p->n->gpu[i]->mine)
            put_gpu(p, i);
    smi_json_close(&p->j, ']');
}

/* ---- the table of five minutes and the whole run ---- */

static const struct {
    const char *label;
    enum smi_now_slot slot;
    int64_t unit;
    int digits; /* of the mean, the percentile, the maximum */
    bool of_host;
} rows[] = {{"GPU use %", SMI_NOW_UTIL, 1000000, 1, false},
            {"memory GiB, a GPU", SMI_NOW_FB_USED, (int64_t)1024 * 1000000, 1, false},
            {"power W, a GPU", SMI_NOW_POWER, 1000000, 0, false},
            {"CPU use %", SMI_NOW_CPU, 1000000, 1, true}};

static void put_figures(struct page *p, const char *key, const struct smi_now_figures *f, size_t row)
{
    const int64_t v[] = {f->mean, f->p95, f->max};
    smi_json_key(&p->j, key);
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < 3; i++)
        smi_json_str(&p->j, f->n ? smi_page_ratio(&p->g, v[i], rows[row].unit, rows[row].digits) : "-");
    smi_json_close(&p->j, ']');
}

static void put_row(struct page *p, size_t row, struct smi_now_body *const *list, size_t k)
{
    struct smi_now_figures five, whole;
    smi_now_window(p->n, list, k, rows[row].slot, &five);
    if (smi_now_whole(p->n, rows[row].of_host ? &p->n->host : NULL, smi_now_metric[rows[row].slot], &whole)) {
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

static void put_table(struct page *p)
{
    struct smi_now_body *mine[SMI_NOW_GPUS], *host[] = {(struct smi_now_body *)&p->n->host};
    size_t k = 0;
    for (size_t i = 0; i < p->n->gpus && k < SMI_NOW_GPUS; i++)
        if (p->n->gpu[i]->mine)
            mine[k++] = p->n->gpu[i];
    smi_json_key(&p->j, "table");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        put_row(p, i, rows[i].of_host ? host : mine, rows[i].of_host ? 1 : k);
    smi_json_close(&p->j, ']');
}

/* ---- what happened ---- */

static void put_events(struct page *p)
{
    int64_t last = p->n->events, first = last - SMI_STATE_EVENTS;
    smi_json_key(&p->j, "events");
    smi_json_open(&p->j, '[');
    for (int64_t i = last - 1; i >= 0 && i >= first; i--) {
        const struct smi_now_event *e = &p->n->event[i % SMI_NOW_EVENTS];
        smi_json_open(&p->j, '{');
        smi_json_key_str(&p->j, "time", e->t_ms > 0 ? clock_of(p, e->t_ms) : NULL);
        smi_json_key_str(&p->j, "kind", smi_now_kinds[e->kind]);
        safe(p, "text", e->text);
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

/* RunLogs write a phase when it ends: the last one that did, and those before it. */
static void put_phases(struct page *p)
{
    smi_json_key(&p->j, "phases");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < p->n->phases; i++) {
        const struct smi_now_phase *f = &p->n->phase[i];
        smi_json_open(&p->j, '{');
        safe(p, "name", f->name);
        smi_json_key_int(&p->j, "times", f->times);
        smi_json_key_str(&p->j, "span", span(p, f->ms));
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

static void put_monitors(struct page *p)
{
    static const char *const states[] = {"starting", "ok", "silent", "down"};
    smi_json_key(&p->j, "monitors");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < p->n->sources; i++) {
        const struct smi_now_source *s = p->n->source[i];
        smi_json_open(&p->j, '{');
        safe(p, "name", s->name);
        smi_json_key_str(&p->j, "state", states[s->state]);
        if (s->state == SMI_NOW_SILENT)
            smi_json_key_str(&p->j, "text",
                             smi_page_fmt(&p->g, "nothing for %s", span(p, p->n->mono_ms - s->seen_mono_ms)));
        else if (s->state == SMI_NOW_READING && s->interval_ms)
            smi_json_key_str(
                &p->j, "text",
                smi_page_fmt(&p->g, "every %s s", smi_page_ratio(&p->g, s->interval_ms, 1000, 1)));
        else
            safe(p, "text", s->why);
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

int smi_state_put(struct smi_buf *to, const struct smi_now *n, const struct smi_serve_opts *o)
{
    const struct smi_look look = {.utf8 = true};
    struct page p = {.g = {.to = to, .look = &look}, .n = n, .o = o};
    smi_json_begin(&p.j, to);
    smi_json_open(&p.j, '{');
    smi_screen_json_put(&p.j, n);
    smi_json_key(&p.j, "page");
    smi_json_open(&p.j, '{');
    put_head(&p);
    put_totals(&p);
    put_alerts(&p);
    put_gpus(&p);
    put_table(&p);
    put_events(&p);
    put_phases(&p);
    put_monitors(&p);
    smi_json_close(&p.j, '}');
    smi_json_close(&p.j, '}');
    return smi_page_end(&p.g, NULL) || to->failed ? -1 : 0;
}
