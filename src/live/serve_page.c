/* serve_page.c - the live page, and the state that it shows. */
#include "live/serve.h"

#include "live/alert.h"
#include "live/tui.h"
#include "report/html.h"

struct page {
    struct smi_json j;
    struct smi_text_arena g; /* pieces of text */
    const struct smi_machine *n;
    const struct smi_serve_opts *o;
};

/* ---- pieces ---- */

/* A text of somebody else's; NULL: null. */
static void put_safe(struct page *p, const char *key, const char *text)
{
    smi_json_key_str(&p->j, key, text ? smi_fmt_safe(&p->g, text) : NULL);
}

/* ---- the head ---- */

static void put_head(struct page *p)
{
    char zone[SMI_CLOCK_TEXT];
    int64_t every = p->o->interval_ms;
    smi_clock_write_zone(zone, p->n->o.offset_s);
    smi_json_key_str(&p->j, "title", p->o->what);
    put_safe(p, "host", p->o->host);
    put_safe(p, "models", smi_machine_models(&p->g, p->n));
    smi_json_key_str(&p->j, "every",
                     smi_fmt(&p->g, "every %s s", smi_fmt_ratio(&p->g, every, 1000, every % 1000 ? 1 : 0)));
    smi_json_key_str(&p->j, "time", p->n->timed ? smi_machine_clock(&p->g, p->n, p->n->t_ms) : NULL);
    smi_json_key_str(&p->j, "zone", smi_fmt(&p->g, "UTC%s", zone));
    put_safe(p, "recording", p->o->run);
    smi_json_key_str(&p->j, "span", p->n->timed ? smi_fmt_time(&p->g, p->n->t_ms - p->n->first_ms) : NULL);
    smi_json_key_number(&p->j, "interval_s", true, (smi_i128)every * 1000);
}

static void put_totals(struct page *p)
{
    static const char *const label[SMI_TOTALS] = {"GPU use", "memory", "power", "energy", "idle", "CPU"};
    const char *text[SMI_TOTALS];
    smi_machine_total_texts(&p->g, p->n, text);
    smi_json_key_open(&p->j, "totals", '[');
    for (int i = 0; i < SMI_TOTALS; i++) {
        if (!text[i]) /* it is not known */
            continue;
        smi_json_open(&p->j, '{');
        smi_json_key_str(&p->j, "value", text[i]);
        smi_json_key_str(&p->j, "label", label[i]);
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

/* ---- the GPUs ---- */

/* The cells of a row that alerts mark: grave ones only, or all. */
static void put_marks(struct page *p, const char *key, size_t gpu, bool grave_only)
{
    smi_json_key_open(&p->j, key, '[');
    for (size_t i = 0; i < SMI_GPU_CELLS_OF_PAGE; i++) {
        const struct smi_alert *a = smi_alert_marking(p->n, gpu, smi_gpu_cells[i].mark);
        if (a && (a->grave || !grave_only))
            smi_json_str(&p->j, smi_gpu_cells[i].name);
    }
    smi_json_close(&p->j, ']');
}

/* "from": since when the sparkline is of an idle or slowed GPU. */
static void put_spark(struct page *p, size_t gpu)
{
    int64_t v[SMI_SERVE_STATE_CELLS], step = SMI_SERVE_STATE_SPAN_MS / SMI_SERVE_STATE_CELLS;
    int64_t last = p->n->t_ms - p->n->t_ms % step + step, first = last - SMI_SERVE_STATE_SPAN_MS;
    const int64_t from_ms = smi_alert_marks_from(p->n, gpu);
    smi_machine_sparkline(p->n, p->n->gpu[gpu], SMI_HISTORY_UTIL, SMI_SERVE_STATE_SPAN_MS, false, v,
                          SMI_SERVE_STATE_CELLS);
    smi_json_key_open(&p->j, "spark", '[');
    for (size_t i = 0; i < SMI_SERVE_STATE_CELLS; i++)
        if (v[i] == SMI_NO_READING)
            smi_json_null(&p->j);
        else
            smi_json_i128(&p->j, (v[i] + 500000) / 1000000);
    smi_json_close(&p->j, ']');
    smi_json_key_optional(&p->j, "from", from_ms <= last, from_ms < first ? 0 : (from_ms - first) / step);
}

static void put_gpu(struct page *p, size_t gpu)
{
    const struct smi_live_gpu *b = p->n->gpu[gpu];
    const struct smi_machine_reading *util = smi_machine_shown(p->n, b, SMI_GPU_UTIL);
    smi_json_open(&p->j, '{');
    smi_json_key_str(&p->j, "gpu", smi_machine_gpu_name(&p->g, p->n, b));
    smi_json_key_str(&p->j, "state", smi_gpu_states[b->state]);
    put_safe(p, "name", b->name);
    smi_json_key_number(&p->j, "use", util, util ? util->v : 0);
    for (size_t i = 0; i < SMI_GPU_CELLS_OF_PAGE; i++)
        smi_json_key_str(&p->j, smi_gpu_cells[i].name, smi_machine_cell(&p->g, p->n, b, i, true));
    put_safe(p, "remark", smi_machine_remark(&p->g, p->n, gpu));
    put_marks(p, "marks", gpu, false);
    put_marks(p, "grave", gpu, true);
    put_spark(p, gpu);
    smi_json_close(&p->j, '}');
}

static void put_table(struct page *p)
{
    struct smi_figure_row row[SMI_FIGURE_ROWS];
    size_t rows = smi_machine_figure_rows(&p->g, p->n, row);
    smi_json_key_open(&p->j, "table", '[');
    for (size_t i = 0; i < rows; i++) {
        smi_json_open(&p->j, '{');
        smi_json_key_str(&p->j, "label", row[i].label);
        for (int c = 0; c < SMI_FIGURES; c++) {
            if (c % 3 == 0)
                smi_json_key_open(&p->j, c ? "whole" : "five", '[');
            smi_json_str(&p->j, row[i].figure[c]);
            if (c % 3 == 2)
                smi_json_close(&p->j, ']');
        }
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

static void put_monitors(struct page *p)
{
    smi_json_key_open(&p->j, "monitors", '[');
    for (size_t i = 0; i < p->n->sources; i++) {
        const struct smi_live_source *s = p->n->source[i];
        smi_json_open(&p->j, '{');
        put_safe(p, "name", s->name);
        smi_json_key_str(&p->j, "state", smi_source_states[s->state]);
        put_safe(p, "text",
                 s->state == SMI_SOURCE_SILENT
                     ? smi_fmt(&p->g, "nothing for %s", smi_fmt_time(&p->g, p->n->mono_ms - s->seen_mono_ms))
                 : s->state == SMI_SOURCE_READING && s->interval_ms
                     ? smi_fmt(&p->g, "every %s s", smi_fmt_ratio(&p->g, s->interval_ms, 1000, 1))
                     : s->why);
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

void smi_serve_state_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o)
{
    const struct smi_render_options look = {.utf8 = true};
    struct page p = {.g = {.to = to, .look = &look}, .n = n, .o = o};
    const int64_t last = n->events - 1;
    smi_json_begin(&p.j, to);
    smi_json_open(&p.j, '{');
    smi_machine_json_put(&p.j, n);
    smi_json_key_open(&p.j, "page", '{');
    put_head(&p);
    put_totals(&p);
    smi_json_key_open(&p.j, "alerts", '[');
    for (const struct smi_alert *a = n->alert; a < n->alert + n->alerts; a++) {
        smi_json_open(&p.j, '{');
        smi_json_key_bool(&p.j, "grave", a->grave);
        put_safe(&p, "text", a->text);
        smi_json_key_str(&p.j, "since", n->timed ? smi_machine_clock(&p.g, n, a->from_ms) : NULL);
        smi_json_close(&p.j, '}');
    }
    smi_json_close(&p.j, ']');
    smi_json_key_open(&p.j, "gpus", '[');
    for (size_t i = 0; i < n->gpus; i++)
        if (n->gpu[i]->mine)
            put_gpu(&p, i);
    smi_json_close(&p.j, ']');
    put_table(&p);
    smi_json_key_open(&p.j, "events", '[');
    for (int64_t i = last; i >= 0 && i > last - SMI_SERVE_STATE_EVENTS; i--) {
        const struct smi_event *e = &n->event[i % SMI_MACHINE_EVENTS_MAX];
        smi_json_open(&p.j, '{');
        smi_json_key_str(&p.j, "time", e->t_ms > 0 ? smi_machine_clock(&p.g, n, e->t_ms) : NULL);
        smi_json_key_str(&p.j, "kind", smi_event_kinds[e->kind]);
        put_safe(&p, "text", e->text);
        smi_json_close(&p.j, '}');
    }
    smi_json_close(&p.j, ']');
    smi_json_key_open(&p.j, "phases", '['); /* the last one that ended, and those before it */
    for (const struct smi_machine_phase *f = n->phase; f < n->phase + n->phases; f++) {
        smi_json_open(&p.j, '{');
        put_safe(&p, "name", f->name);
        smi_json_key_int(&p.j, "times", f->times);
        smi_json_key_str(&p.j, "span", smi_fmt_time(&p.g, f->ms));
        smi_json_close(&p.j, '}');
    }
    smi_json_close(&p.j, ']');
    put_monitors(&p);
    smi_json_close(&p.j, '}');
    smi_json_close(&p.j, '}');
    smi_arena_fini(&p.g.arena);
}

void smi_live_page_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o,
                       const struct smi_buf *event)
{
    const struct smi_tui_info about = {
        .what = o->what, .host = o->host, .interval_ms = o->interval_ms, .recording = o->run};
    const struct smi_render_options look = {.width = 120, .utf8 = true};
    struct smi_html_page h = {.g = {.to = to, .look = &look}};
    struct smi_buf text = {0};
    smi_buf_str(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    if (o->host)
        smi_html_write(&h, "%n - ", o->host);
    smi_html_write(&h, "%s</title>\n<style>", o->what);
    smi_arena_fini(&h.g.arena);
    smi_buf_add(to, (const char *)smi_asset_live_style, smi_asset_live_style_n);
    smi_buf_str(to, "</style>\n</head>\n<body>\n<main id=\"live\"></main>\n");
    smi_machine_table_put(&text, n, &about, &look);
    smi_buf_str(to, "<noscript><pre>");
    smi_html_escape(to, text.p, false);
    smi_buf_str(to, "</pre><p>Without scripts this page does not go on by itself.</p></noscript>\n");
    smi_buf_fini(&text);
    smi_buf_str(to, "<script type=\"application/json\" id=\"state\">");
    smi_html_escape(to, event->p + strlen("data: "), true); /* no script: '<' can only stand in a string */
    smi_buf_str(to, "</script>\n<script>");
    smi_buf_add(to, (const char *)smi_asset_live_script, smi_asset_live_script_n);
    smi_buf_str(to, "</script>\n</body>\n</html>\n");
}
