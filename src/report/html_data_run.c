/* html_data_run.c - the data of single runs that the scripts of a page show: text, findings, curves. */
#include "report/output.h"
#include "report/charts.h"
#include "report/html.h"

#include <string.h>

/* ---- the curves of one run for its charts, as whole numbers: {"from": ms, "cell": ms,
 * "n": 512, "begin": ms, "end": ms, "charts": [{"key": "use", "title": "GPU use", "short": "use", "unit":
 * "%", "div": 10, "top": 100, "lines": [{"name": "GPU 0", "gpu": 0, "mean": [..], "min": [..], "max": [..]}],
 * "limits": [{"name": "..", "y": 80}]}], "phases": [["fit", from, to]], "events": [["eval", at]]}, on the
 * clock of the GPU logs. ---- */

enum {
    MARKS = 400 /* phases, events */,
    BYTES = 5 /* of a cell of a curve, at the least */
};

static void append_values(struct smi_html_page *h, const char *key, const int64_t *v, size_t n, int64_t step)
{
    char t[SMI_I128_TEXT];
    smi_buf_fmt(h->g.to, ",\"%s\":[", key);
    for (size_t i = 0; i < n; i++) {
        if (i)
            smi_buf_char(h->g.to, ',');
        if (v[i] == SMI_NO_POINT)
            smi_buf_str(h->g.to, "null");
        else
            smi_buf_add(h->g.to, t, smi_i128_write(t, (v[i] + (v[i] < 0 ? -step : step) / 2) / step));
    }
    smi_buf_char(h->g.to, ']');
}

/* One reading a cell: then there is no band. */
static bool flat(const struct smi_curve *c, size_t n, int64_t step)
{
    for (size_t i = 0; i < n; i++)
        if (c->mean[i] != SMI_NO_POINT && (c->max[i] - c->min[i]) / step > 0)
            return false;
    return true;
}

static void append_curve(struct smi_html_page *h, const struct smi_summary *s, const struct smi_curve *c,
                         int chart, bool first)
{
    const struct smi_timeline *t = s->timeline;
    smi_html_write(h, "%s{\"gpu\":%d,\"name\":%j", first ? "" : ",\n", (long long)c->gpu,
                   smi_curve_name(&h->g, s, c));
    append_values(h, "mean", c->mean, t->n, smi_charts[chart].step);
    if (!flat(c, t->n, smi_charts[chart].step)) {
        append_values(h, "min", c->min, t->n, smi_charts[chart].step);
        append_values(h, "max", c->max, t->n, smi_charts[chart].step);
    }
    smi_buf_char(h->g.to, '}');
}

static void append_limits(struct smi_html_page *h, const struct smi_summary *s, int chart)
{
    struct smi_chart_limit limit[2];
    size_t n = smi_chart_limits(&h->g, chart, s, limit);
    char t[SMI_MICRO_TEXT];
    smi_buf_str(h->g.to, "],\"limits\":[");
    for (size_t i = 0; i < n; i++) {
        smi_text_write_fixed(t, limit[i].micro, 2);
        smi_html_write(h, "%s{\"name\":%j,\"y\":%s}", i ? "," : "", limit[i].name, t);
    }
    smi_buf_str(h->g.to, "]}");
}

static void append_chart(struct smi_html_page *h, const struct smi_summary *s, int id, bool *some)
{
    const struct smi_timeline *t = s->timeline;
    const struct smi_chart *c = &smi_charts[id];
    bool first = true;
    for (size_t i = 0; i < t->ncurves; i++) {
        if (!smi_chart_has_curve(id, &t->curve[i]))
            continue;
        if (first)
            smi_buf_fmt(h->g.to,
                        "%s{\"key\":\"%s\",\"title\":\"%s\",\"short\":\"%s\",\"unit\":\"%s\",\"div\":%d,"
                        "\"top\":%d,\"lines\":[",
                        *some ? ",\n" : "", c->key, smi_chart_title(&h->g, id, s), c->brief, c->unit, c->div,
                        c->top);
        append_curve(h, s, &t->curve[i], id, first);
        first = false;
    }
    if (first)
        return;
    append_limits(h, s, id);
    *some = true;
}

static void append_events(struct smi_html_page *h, const struct smi_summary *s, const struct smi_timeline *t)
{
    for (size_t i = 0, marks = 0; i < t->nevents && marks < MARKS; i++) {
        if (smi_event_is_frequent(t, t->event[i].name))
            continue;
        smi_html_write(h, marks++ ? ",[%J,%d]" : "[%J,%d]", t->event[i].name,
                       (long long)smi_chart_local_ms(s, t->event[i].at_ms));
    }
}

/* a member of the object of a run */
static void append_timeline(struct smi_html_page *h, const struct smi_summary *s)
{
    const struct smi_timeline *t = s->timeline;
    bool some = false;
    smi_buf_fmt(h->g.to,
                ",\n\"time\":{\"from\":%lld,\"cell\":%lld,\"n\":%zu,\"begin\":%lld,\"end\":%lld,\"charts\":[",
                (long long)smi_chart_local_ms(s, t->from_ms), (long long)t->cell_ms, t->n,
                (long long)smi_chart_local_ms(s, t->begin_ms), (long long)smi_chart_local_ms(s, t->end_ms));
    for (int id = 0; id < SMI_CHARTS; id++)
        append_chart(h, s, id, &some);
    smi_buf_str(h->g.to, "],\n\"phases\":[");
    for (size_t i = 0; i < t->nphases && i < MARKS; i++)
        smi_html_write(h, i ? ",[%J,%d,%d]" : "[%J,%d,%d]", t->phase[i].name,
                       (long long)smi_chart_local_ms(s, t->phase[i].from_ms),
                       (long long)smi_chart_local_ms(s, t->phase[i].to_ms));
    smi_buf_str(h->g.to, "],\n\"events\":[");
    append_events(h, s, t);
    smi_buf_str(h->g.to, "]}");
}

size_t smi_html_data_timelines(const struct smi_sweep *s, const struct smi_render_options *look,
                               size_t *points)
{
    const size_t rows = 320 * s->n,
                 used = 700000; /* bytes of a row in both tables; of what is the same in every page */
    size_t room = rows + used < SMI_HTML_BYTES ? SMI_HTML_BYTES - rows - used : 0, n = 0;
    if (look->samples == SMI_SAMPLES_ALL)
        return s->n;
    if (s->n > 40)
        *points /= 2;
    for (; smi_sweep_has_run(s, n); n++) {
        size_t size = *points * (3 * s->runs[n].ngpus + 1) * BYTES;
        if (size > room)
            break;
        room -= size;
    }
    return n;
}

/* ---- what is known of single runs, an element each, most waste first, as far as there is room: {"text":
 * what summarize -v says, "findings": [...], "time": the curves}. ---- */

enum {
    WIDTH = 118,
    TYPICAL = 3500 /* bytes of a run without curves */,
    LONGEST = 40000 /* bytes of the text of a run */
};

static void findings(struct smi_html_page *h, const struct smi_summary *s)
{
    struct smi_advice *list;
    size_t n = smi_advice_list(&h->g, s, 1, &list);
    smi_buf_str(h->g.to, ",\n\"findings\":[");
    for (size_t i = 0; i < n; i++) {
        const struct smi_finding *f = smi_advice_words(&list[i]);
        smi_html_write(h, "%s{\"l\":\"%s\",\"r\":\"%s\",\"h\":%j,\"t\":%J,\"a\":%J}", i ? ",\n" : "",
                       smi_level_names[list[i].level], smi_rules[f->rule].key,
                       list[i].ms ? smi_fmt_hours(&h->g, list[i].ms) : "-", smi_advice_text(&h->g, &list[i]),
                       f->advice ? f->advice : "");
    }
    smi_buf_char(h->g.to, ']');
}

static void append_run_text(struct smi_html_page *h, const struct smi_summary *s)
{
    struct smi_html_text t;
    const char *all;
    smi_text_run(smi_html_text_begin(h, &t, WIDTH), s, true);
    all = smi_html_text_end(h, &t);
    smi_html_write(h, "{\"text\":%j",
                   strlen(all) < LONGEST ? all : smi_fmt_middle(&h->g, all, LONGEST, LONGEST - 100));
}

/* Returns whether it had room, its curves with `kept` bytes left for others. */
static bool append_run_element(struct smi_html_page *h, const struct smi_summary *s, size_t kept)
{
    size_t before = h->g.to->n, row = smi_html_row(h, s), bare;
    if (row == h->n)
        return true;
    smi_buf_fmt(h->g.to, "<script type=\"application/json\" id=\"r%zu\">", row);
    append_run_text(h, s);
    findings(h, s);
    bare = h->g.to->n;
    if (s->timeline && s->timeline->n && !h->g.to->failed) {
        append_timeline(h, s);
        if (smi_html_bytes_left(h) <= kept + 64 && !h->g.to->failed)
            h->g.to->n = bare;
    }
    smi_buf_str(h->g.to, "}</script>\n");
    smi_html_forget(h);
    if (h->g.to->failed || smi_html_bytes_left(h))
        return true;
    h->g.to->n = before;
    return false;
}

/* Of the room a part is kept for the texts of those runs whose curves find no place. */
void smi_html_data_runs(struct smi_html_page *h)
{
    const size_t all = h->g.sweep->n, room = smi_html_bytes_left(h);
    size_t n = 0;
    while (smi_sweep_has_run(h->g.sweep, n) && !h->g.to->failed && !h->g.failed) {
        size_t rest = (all - n) * TYPICAL;
        if (!append_run_element(h, h->worst[n], room == SIZE_MAX ? 0 : rest < room / 4 ? rest : room / 4))
            break;
        n++;
    }
}
