/* serve_page.c - the live page, and the state that it shows. */
#include "live/serve.h"

#include "live/alert.h"
#include "live/tui.h"
#include "report/html.h"

struct page {
    struct smi_text_arena g; /* pieces of text */
    const struct smi_machine *n;
    const struct smi_serve_opts *o;
};

/* A text of somebody else's; NULL: null. */
static const char *safe(struct page *p, const char *text)
{
    return text ? smi_fmt_safe(&p->g, text) : NULL;
}

static const char *every(struct page *p, int64_t ms)
{
    return smi_fmt(&p->g, "every %s s", smi_fmt_ratio(&p->g, ms, 1000, ms % 1000 ? 1 : 0));
}

static json_t *list_totals(struct page *p)
{
    static const char *const label[SMI_TOTALS] = {"GPU use", "memory", "power", "energy", "idle", "CPU"};
    const char *text[SMI_TOTALS];
    json_t *list = json_array();
    smi_machine_total_texts(&p->g, p->n, text);
    for (int i = 0; i < SMI_TOTALS; i++)
        if (text[i]) /* else it is not known */
            json_array_append_new(list, json_pack("{s:s,s:s}", "value", text[i], "label", label[i]));
    return list;
}

static json_t *list_alerts(struct page *p)
{
    const struct smi_machine *n = p->n;
    json_t *list = json_array();
    for (const struct smi_alert *a = n->alert; a < n->alert + n->alerts; a++)
        json_array_append_new(list,
                              json_pack("{s:b,s:s,s:s?}", "grave", a->grave, "text", safe(p, a->text),
                                        "since", n->timed ? smi_machine_clock(&p->g, n, a->from_ms) : NULL));
    return list;
}

/* A percentage; null without a reading. */
static json_t *percent(bool has, int64_t micro)
{
    return has ? json_integer((micro + 500000) / 1000000) : json_null();
}

static json_t *row_of_gpu(struct page *p, size_t gpu)
{
    const struct smi_live_gpu *b = p->n->gpu[gpu];
    const struct smi_machine_reading *use = smi_machine_shown(p->n, b, SMI_GPU_UTIL);
    const int64_t step = SMI_SERVE_STATE_SPAN_MS / SMI_SERVE_STATE_CELLS,
                  last = p->n->t_ms - p->n->t_ms % step + step, first = last - SMI_SERVE_STATE_SPAN_MS,
                  from_ms = smi_alert_marks_from(p->n, gpu); /* since when it is idle or slowed */
    int64_t v[SMI_SERVE_STATE_CELLS];
    json_t *spark = json_array(), *marks = json_object(), *row;
    smi_machine_sparkline(p->n, b, SMI_HISTORY_UTIL, SMI_SERVE_STATE_SPAN_MS, false, v,
                          SMI_SERVE_STATE_CELLS);
    for (size_t i = 0; i < SMI_SERVE_STATE_CELLS; i++)
        json_array_append_new(spark, percent(v[i] != SMI_NO_READING, v[i]));
    row = json_pack(
        "{s:s,s:s,s:s?,s:o,s:s,s:o,s:o,s:o}", "gpu", safe(p, smi_machine_gpu_name(&p->g, p->n, b)), "state",
        smi_gpu_states[b->state], "name", safe(p, b->name), "use", percent(use, use ? use->v : 0), "remark",
        safe(p, smi_machine_remark(&p->g, p->n, gpu)), "marks", marks, "spark", spark, "from",
        from_ms > last ? json_null() : json_integer(from_ms < first ? 0 : (from_ms - first) / step));
    for (size_t i = 0; i < SMI_GPU_CELLS_OF_PAGE; i++) {
        const struct smi_alert *a = smi_alert_marking(p->n, gpu, smi_gpu_cells[i].mark);
        json_object_set_new(row, smi_gpu_cells[i].name,
                            json_string(smi_machine_cell(&p->g, p->n, b, i, true)));
        if (a)
            json_object_set_new(marks, smi_gpu_cells[i].name, json_boolean(a->grave));
    }
    return row;
}

static json_t *list_gpus(struct page *p)
{
    json_t *list = json_array();
    for (size_t i = 0; i < p->n->gpus; i++)
        if (p->n->gpu[i]->mine)
            json_array_append_new(list, row_of_gpu(p, i));
    return list;
}

static json_t *list_figures(struct page *p)
{
    struct smi_figure_row row[SMI_FIGURE_ROWS];
    const size_t rows = smi_machine_figure_rows(&p->g, p->n, row);
    json_t *list = json_array();
    for (size_t i = 0; i < rows; i++) {
        const char *const *f = row[i].figure;
        json_array_append_new(list, json_pack("{s:s,s:[s,s,s],s:[s,s,s]}", "label", row[i].label, "five",
                                              f[0], f[1], f[2], "whole", f[3], f[4], f[5]));
    }
    return list;
}

static json_t *list_events(struct page *p)
{
    const int64_t last = p->n->events - 1;
    json_t *list = json_array();
    for (int64_t i = last; i >= 0 && i > last - SMI_SERVE_STATE_EVENTS; i--) {
        const struct smi_event *e = &p->n->event[i % SMI_MACHINE_EVENTS_MAX];
        json_array_append_new(list, json_pack("{s:s?,s:s,s:s}", "time",
                                              e->t_ms > 0 ? smi_machine_clock(&p->g, p->n, e->t_ms) : NULL,
                                              "kind", smi_event_kinds[e->kind], "text", safe(p, e->text)));
    }
    return list;
}

/* The last one that ended, and those before it. */
static json_t *list_phases(struct page *p)
{
    json_t *list = json_array();
    for (const struct smi_machine_phase *f = p->n->phase; f < p->n->phase + p->n->phases; f++)
        json_array_append_new(list, json_pack("{s:s,s:I,s:s}", "name", safe(p, f->name), "times",
                                              (json_int_t)f->times, "span", smi_fmt_time(&p->g, f->ms)));
    return list;
}

static json_t *list_monitors(struct page *p)
{
    json_t *list = json_array();
    for (size_t i = 0; i < p->n->sources; i++) {
        const struct smi_live_source *s = p->n->source[i];
        const char *text =
            s->state == SMI_SOURCE_SILENT
                ? smi_fmt(&p->g, "nothing for %s", smi_fmt_time(&p->g, p->n->mono_ms - s->seen_mono_ms))
            : s->state == SMI_SOURCE_READING && s->interval_ms ? every(p, s->interval_ms)
                                                               : s->why;
        json_array_append_new(list, json_pack("{s:s,s:s,s:s}", "name", safe(p, s->name), "state",
                                              smi_source_states[s->state], "text", safe(p, text)));
    }
    return list;
}

void smi_serve_state_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o)
{
    const struct smi_render_options look = {.utf8 = true};
    struct page p = {.g = {.to = to, .look = &look}, .n = n, .o = o};
    char zone[SMI_CLOCK_TEXT], *text;
    struct smi_json j;
    smi_clock_write_zone(zone, n->o.offset_s);
    json_t *page =
        json_pack("{s:s,s:s?,s:s,s:s,s:s?,s:s,s:s?,s:s?,s:f,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "title", o->what,
                  "host", safe(&p, o->host), "models", safe(&p, smi_machine_models(&p.g, n)), "every",
                  every(&p, o->interval_ms), "time", n->timed ? smi_machine_clock(&p.g, n, n->t_ms) : NULL,
                  "zone", smi_fmt(&p.g, "UTC%s", zone), "recording", safe(&p, o->run), "span",
                  n->timed ? smi_fmt_time(&p.g, n->t_ms - n->first_ms) : NULL, "interval_s",
                  (double)o->interval_ms / 1000, "totals", list_totals(&p), "alerts", list_alerts(&p), "gpus",
                  list_gpus(&p), "table", list_figures(&p), "events", list_events(&p), "phases",
                  list_phases(&p), "monitors", list_monitors(&p));
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    smi_machine_json_put(&j, n);
    smi_json_key(&j, "page");
    text = json_dumps(page, JSON_REAL_PRECISION(6));
    smi_json_raw(&j, text ? text : "null"); /* without memory */
    smi_json_close(&j, '}');
    free(text);
    json_decref(page);
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
