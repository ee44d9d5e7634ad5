/* page_data.c - the data of the page, of one run and of all */
#include "report/html.h"
#include "report/output.h"

#include <string.h>

/* ---- the data of single runs that the scripts of a page show: text, findings, curves ---- */

/* ---- the curves of one run for its charts, as whole numbers: {"from": ms, "cell": ms,
 * "n": 512, "begin": ms, "end": ms, "charts": [{"key": "use", "title": "GPU use", "short": "use", "unit":
 * "%", "div": 10, "top": 100, "lines": [{"name": "GPU 0", "gpu": 0, "mean": [..], "min": [..], "max": [..]}],
 * "limits": [{"name": "..", "y": 80}]}], "phases": [["fit", from, to]], "events": [["eval", at]], "bands":
 * [["rule", from, to, "text"]], "left": "and findings of 2 more rules"}, on the clock of the GPU logs. ----
 */

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

static void append_curve(struct smi_html_page *h, const struct smi_summary *s, const struct smi_curve *c,
                         int chart, bool first)
{
    const size_t n = s->timeline->n;
    const int64_t step = smi_charts[chart].step;
    bool band = false; /* not with one reading a cell */
    for (size_t i = 0; i < n && !band; i++)
        band = c->mean[i] != SMI_NO_POINT && (c->max[i] - c->min[i]) / step > 0;
    smi_html_write(h, "%s{\"gpu\":%d,\"name\":%j", first ? "" : ",\n", (long long)c->gpu,
                   smi_curve_name(&h->g, s, c));
    append_values(h, "mean", c->mean, n, step);
    if (band) {
        append_values(h, "min", c->min, n, step);
        append_values(h, "max", c->max, n, step);
    }
    smi_buf_char(h->g.to, '}');
}

static void append_chart(struct smi_html_page *h, const struct smi_summary *s, int id, bool *some)
{
    const struct smi_timeline *t = s->timeline;
    const struct smi_chart *c = &smi_charts[id];
    struct smi_chart_limit limit[2];
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
    smi_buf_str(h->g.to, "],\"limits\":[");
    for (size_t i = 0, n = smi_chart_limits(&h->g, id, s, limit); i < n; i++) {
        char y[SMI_MICRO_TEXT];
        smi_text_write_fixed(y, limit[i].micro, 2);
        smi_html_write(h, "%s{\"name\":%j,\"y\":%s}", i ? "," : "", limit[i].name, y);
    }
    smi_buf_str(h->g.to, "]}");
    *some = true;
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

/* Returns whether it had room, its curves with `kept` bytes left for others. */
static bool append_run_element(struct smi_html_page *h, const struct smi_summary *s, size_t kept)
{
    size_t before = h->g.to->n, row = h->row[s - h->g.sweep->runs], bare, n;
    struct smi_advice *list;
    const char *all;
    if (row == h->n)
        return true;
    smi_buf_fmt(h->g.to, "<script type=\"application/json\" id=\"r%zu\">", row);
    all = smi_html_as_text(h, WIDTH, s);
    smi_html_write(h, "{\"text\":%j",
                   strlen(all) < LONGEST ? all : smi_fmt_middle(&h->g, all, LONGEST, LONGEST - 100));
    n = smi_advice_list(&h->g, s, 1, &list);
    smi_buf_str(h->g.to, ",\n\"findings\":[");
    for (size_t i = 0; i < n; i++) {
        const struct smi_finding *f = smi_advice_words(&list[i]);
        smi_html_write(h, "%s{\"l\":\"%s\",\"r\":\"%s\",\"h\":%j,\"t\":%J,\"a\":%J}", i ? ",\n" : "",
                       smi_level_names[list[i].level], smi_rules[f->rule].key,
                       list[i].ms ? smi_fmt_hours(&h->g, list[i].ms) : "-", smi_advice_text(&h->g, &list[i]),
                       f->advice ? f->advice : "");
    }
    smi_buf_char(h->g.to, ']');
    bare = h->g.to->n;
    const struct smi_timeline *t = s->timeline;
    bool some = false;
    if (t && t->n) {
        smi_buf_fmt(
            h->g.to,
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
        for (size_t i = 0, marks = 0; i < t->nevents && marks < MARKS; i++) {
            if (smi_event_is_frequent(t, t->event[i].name))
                continue;
            smi_html_write(h, marks++ ? ",[%J,%d]" : "[%J,%d]", t->event[i].name,
                           (long long)smi_chart_local_ms(s, t->event[i].at_ms));
        }
        smi_buf_str(h->g.to, "],\n\"bands\":[");
        struct smi_chart_band *band;
        const char *left;
        const size_t bands = smi_chart_bands(&h->g, s, &band, &left);
        for (size_t i = 0; i < bands; i++)
            smi_html_write(h, i ? ",\n[%j,%d,%d,%J]" : "[%j,%d,%d,%J]", smi_rules[band[i].of->rule].key,
                           (long long)smi_chart_local_ms(s, band[i].from_ms),
                           (long long)smi_chart_local_ms(s, band[i].to_ms), band[i].of->text);
        smi_html_write(h, "],\"left\":%j}", left);
        if (smi_html_bytes_left(h) <= kept + 64)
            h->g.to->n = bare;
    }
    smi_buf_str(h->g.to, "}</script>\n");
    smi_arena_reset(&h->g.arena);
    if (smi_html_bytes_left(h))
        return true;
    h->g.to->n = before;
    return false;
}

/* Of the room a part is kept for the texts of those runs whose curves find no place. */
void smi_html_data_runs(struct smi_html_page *h)
{
    const size_t all = h->g.sweep->n, room = smi_html_bytes_left(h);
    size_t n = 0;
    while (smi_sweep_has_run(h->g.sweep, n)) {
        size_t rest = (all - n) * TYPICAL;
        if (!append_run_element(h, h->worst[n], room == SIZE_MAX ? 0 : rest < room / 4 ? rest : room / 4))
            break;
        n++;
    }
}

/* the data of all runs that the scripts of a page sort, filter and draw, and of their
 * groups. */

/* ---- the runs that share a value of a parameter: their sums, for the bars and the dots. ---- */

enum { GROUPINGS = 6 };

/* [used, failed, unused, start, stall, end, unknown] */
static void append_parts(struct smi_html_page *h, const struct smi_total *t)
{
    smi_buf_fmt(h->g.to, "[%lld", (long long)(t->covered_ms - smi_wasted_ms(&t->waste) - t->unknown_ms));
    for (int id = 0; id < 5; id++)
        smi_buf_fmt(h->g.to, ",%lld", (long long)t->waste.ms[id]);
    smi_buf_fmt(h->g.to, ",%lld]", (long long)t->unknown_ms);
}

static void append_grouping(struct smi_html_page *h, const char *key, bool first)
{
    const char **value;
    size_t n = smi_param_values(&h->g, key, &value);
    struct smi_run_group *group = smi_run_groups(&h->g, key, value, n);
    smi_html_write(h, first ? "{\"key\":%J,\"of\":[" : ",\n{\"key\":%J,\"of\":[", key);
    for (size_t i = 0; i < n; i++) {
        smi_buf_str(h->g.to, i ? "," : "");
        /* {"v": "0.1", "n": 4, "ms": [used, failed, unused, start, stall, end, unknown],
         *  "t": [GPU %, idle %, VRAM GiB, GPU-h, wasted h, failed]} */
        struct smi_run_group *p = &group[i];
        struct smi_text_arena *g = &h->g;
        const struct smi_total *t = &p->sum;
        smi_total_close(&p->sum);
        smi_html_write(h, "{\"v\":%J,\"n\":%d,\"ms\":", p->value, (long long)t->runs);
        append_parts(h, t);
        smi_html_write(h, ",\"t\":[%j,%j,%j,%j,%j,\"%d\"]}", smi_fmt_mean(g, &t->block, SMI_FIG_UTIL),
                       smi_fmt_value(g, t->idle_pct, 1), smi_fmt_gib(g, p->vram),
                       t->gpu_hours.has ? smi_fmt_ratio(g, t->covered_ms, 3600000, 2) : "-",
                       smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste)
                           ? smi_fmt_hours(g, smi_wasted_ms(&t->waste))
                           : "-",
                       (long long)t->failed);
    }
    smi_buf_str(h->g.to, "]}");
}

/* ---- the rows that scripts sort, filter and draw: JSON, column by column, in an element that is no script.
 * {"n": 12, "of": 12, "base": "out", "given": "", "sorted": 0, "total": [..], "long": {"3": "..."}, "cols":
 * [{"k": "idle", "h": "Idle %", "csv": "idle_pct", "kind": 1, "more": 0, "mark": 2, "help": "...", "t":
 * "6.0|6.2|-", "x": [..], "v": "6.000185|6.184|"}], "marks": [0, 2, 0], "shapes": "...", "groups": [...]} t
 * is the texts joined by bars, or with "d" the places in d; x are exact milliseconds to
 * sort by; -1 (null of an instant): none; v is what summarize's CSV has under that name, unless x or t say
 * it; utc: which instants are in UTC; total: as "ms" of a group (run_columns.h); long: whole names of rows.
 * ----
 */

enum {
    PARAMS = 64,
    NAMES = 200000 /* bytes of names that are longer than their labels */
};

typedef const char *text_fn(struct smi_html_page *h, const void *of, const struct smi_summary *s);

static const char *column_text(struct smi_html_page *h, const void *of, const struct smi_summary *s)
{
    const int column = *(const int *)of;
    const enum smi_run_table_kind as = smi_run_table_columns[column].kind;
    const char *text;
    if (as == SMI_AS_LINK)
        return h->label[s - h->g.sweep->runs];
    text = smi_run_cell_text(&h->g, column, s);
    return as == SMI_AS_TEXT ? smi_fmt_middle(&h->g, text, SMI_HTML_TEXT, SMI_HTML_TEXT / 2) : text;
}

static const char *param_text(struct smi_html_page *h, const void *of, const struct smi_summary *s)
{
    const struct smi_param *p = smi_run_param(s, of);
    return smi_fmt_middle(&h->g, smi_fmt_safe(&h->g, p ? p->text : NULL), SMI_HTML_TEXT, SMI_HTML_TEXT / 2);
}

static bool is_word(const void *list, size_t place, const void *text)
{
    return strcmp(((const char *const *)list)[place], text) == 0;
}

/* The different texts of a column, in the order in which they come, and which of them each row has. */
static void append_words(struct smi_html_page *h, text_fn *text, const void *of)
{
    struct smi_arena arena = {0};
    const char **word = smi_arena_new(&arena, h->n + 1, sizeof *word);
    struct smi_map map = {0};
    struct smi_buf rows = {0};
    size_t n = 0;
    smi_buf_str(h->g.to, ",\"d\":[");
    for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++) {
        const char *t = text(h, of, h->run[i]);
        const uint64_t hash = smi_hash_bytes(t, strlen(t));
        size_t place = smi_map_find(&map, hash, is_word, word, t);
        if (place == SMI_MAP_NONE) {
            place = n++;
            word[place] = smi_arena_text(&arena, t, strlen(t));
            smi_map_add(&map, hash, place);
            smi_html_write(h, place ? ",%j" : "%j", t);
        }
        smi_buf_fmt(&rows, i ? ",%zu" : "%zu", place);
        smi_arena_reset(&h->g.arena);
    }
    smi_html_write(h, "],\"t\":[%s]", rows.p ? rows.p : "");
    smi_buf_fini(&rows);
    smi_map_fini(&map);
    smi_arena_fini(&arena);
}

static void append_column(struct smi_html_page *h, int column)
{
    const struct smi_run_table_column *c = &smi_run_table_columns[column];
    const enum smi_html_kind kind = c->kind == SMI_AS_TEXT      ? SMI_HTML_WORDS
                                    : c->kind == SMI_AS_LINK    ? SMI_HTML_NAME
                                    : c->kind == SMI_AS_INSTANT ? SMI_HTML_INSTANT
                                    : c->kind == SMI_AS_SPAN    ? SMI_HTML_SPAN
                                                                : SMI_HTML_NUMBER;
    smi_buf_fmt(
        h->g.to,
        "%s{\"k\":\"%s\",\"h\":\"%s\",\"csv\":\"%s\",\"kind\":%d,\"more\":%d,\"leave\":%d,\"mark\":%u,"
        "\"help\":\"%s\"",
        column ? ",\n" : "", c->key, smi_fmt_money_head(&h->g, c->head), c->csv, (int)kind, c->more,
        c->text.leave, c->mark, c->help);
    if (kind == SMI_HTML_NUMBER || kind == SMI_HTML_SPAN) {
        /* Numbers need no quotes between them. "<" of "<0.01" and ">" of ">99.8" are no mark-up here. */
        smi_buf_str(h->g.to, ",\"t\":\"");
        for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++) {
            const char *t = column_text(h, &column, h->run[i]);
            smi_buf_str(h->g.to, i ? "|" : "");
            smi_buf_str(h->g.to, *t == '<' ? "\\u003c" : *t == '>' ? "\\u003e" : "");
            smi_buf_str(h->g.to, t + (*t == '<' || *t == '>'));
            smi_arena_reset(&h->g.arena);
        }
        smi_buf_char(h->g.to, '"');
    } else
        append_words(h, column_text, &column);
    if (c->kind == SMI_AS_HOURS || c->kind == SMI_AS_SPAN || c->kind == SMI_AS_INSTANT) {
        smi_buf_str(h->g.to, ",\"x\":[");
        for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++) {
            bool start = column == SMI_RUNS_START;
            int64_t x = start ? h->run[i]->start_ms : smi_run_cell_ms(column, h->run[i]);
            if (start && !h->run[i]->has_start)
                smi_buf_str(h->g.to, i ? ",null" : "null");
            else
                smi_buf_fmt(h->g.to, i ? ",%lld" : "%lld", (long long)x);
        }
        smi_buf_char(h->g.to, ']');
    }
    if (c->kind == SMI_AS_VALUE || c->kind == SMI_AS_GIB) {
        /* Those of all runs, where the shown ones are rounded; one that all runs have stands once. */
        struct smi_buf *to = h->g.to;
        size_t begin, len = 0;
        bool same = true;
        smi_buf_str(to, ",\"v\":\"");
        begin = to->n;
        for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++) {
            struct smi_value v = smi_run_cell_value(column, h->run[i]);
            char t[SMI_MICRO_TEXT] = "";
            if (v.has)
                smi_text_write_micro(t, v.micro);
            smi_buf_fmt(to, i ? "|%s" : "%s", t);
            len = i ? len : strlen(t);
            same &= strlen(t) == len && memcmp(to->p + begin, t, len) == 0;
            smi_arena_reset(&h->g.arena);
        }
        if (same)
            to->n = begin + len;
        smi_buf_char(to, '"');
    }
    if (c->kind == SMI_AS_INSTANT) { /* whether the clocks of the runs are UTC */
        smi_buf_str(h->g.to, ",\"utc\":\"");
        for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++)
            smi_buf_char(h->g.to, h->run[i]->zoned ? '1' : '0');
        smi_buf_char(h->g.to, '"');
    }
    smi_buf_char(h->g.to, '}');
}

static void append_columns(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    size_t all = s->nvarying + s->njoined - s->nresults, shown = 0;
    smi_buf_str(h->g.to, "},\n\"cols\":[");
    for (int c = 0; c < SMI_RUNS_COLUMNS; c++)
        if (smi_html_column_shown(h, c))
            append_column(h, c);
    for (size_t i = 0; i < all && i < PARAMS; i++) {
        const char *key = i < s->nvarying ? s->varying[i] : s->joined[s->nresults + i - s->nvarying];
        const char **value;
        bool more = smi_param_in_names(h->run, h->n, key) || shown > 3 || smi_param_is_rare(&h->g, key) ||
                    smi_param_values(&h->g, key, &value) < 2;
        /* A column, unless it takes more than half of the room. more: it is not shown unasked. */
        const size_t before = h->g.to->n, room = smi_html_bytes_left(h);
        smi_html_write(h,
                       ",\n{\"k\":%J,\"h\":%J,\"csv\":%J,\"kind\":%d,\"param\":1,\"more\":%d,\"mark\":0,"
                       "\"help\":\"Parameter\"",
                       key, key, i < s->nvarying ? smi_fmt(&h->g, "param.%s", key) : key,
                       (long long)SMI_HTML_WORDS, (long long)more);
        append_words(h, param_text, key);
        smi_buf_char(h->g.to, '}');
        if (h->g.to->n - before > room / 2)
            h->g.to->n = before;
        else
            shown += !more;
    }
    smi_buf_str(h->g.to, "],\n");
}

void smi_html_data_table(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    const struct smi_summary *one = h->n ? h->run[0] : NULL;
    size_t len = s->title ? strlen(s->title) : 0, name = one ? strlen(one->run) : 0;
    const char *way = one && one->path && s->paths == 1 && len && strncmp(one->path, s->title, len) == 0 &&
                              one->path[len] == '/'
                          ? one->path + len + 1
                          : NULL;
    /* Is it the name of the run, or that with what W&B has below it? */
    const bool below =
        way && strncmp(way, one->run, name) == 0 && (!way[name] || strcmp(way + name, "/files") == 0);
    smi_buf_fmt(h->g.to,
                "<script type=\"application/json\" id=\"data\">{\"n\":%zu,\"of\":%zu,\"base\":", h->n, s->n);
    smi_html_write(h, below ? "%J" : "null", s->title);
    smi_html_write(h, ",\"given\":%j,\"sorted\":%d,\n\"total\":",
                   smi_fmt_safe(&h->g, h->g.look->given ? h->g.look->given : ""),
                   (long long)h->g.look->sorted); /* the total is of all runs, those without a row, too */
    append_parts(h, &s->total);
    /* What labels leave out of names; then the whole names of rows whose label is shorter than that. */
    size_t before = h->g.to->n, some = 0;
    smi_html_write(h, ",\n\"frame\":[%j,%j],\"long\":{",
                   smi_fmt_safe(&h->g, h->g.sweep->name_prefix ? h->g.sweep->name_prefix : ""),
                   smi_fmt_safe(&h->g, h->g.sweep->name_suffix ? h->g.sweep->name_suffix : ""));
    for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n) && h->g.to->n - before < NAMES; i++) {
        if (strcmp(smi_fmt_run(&h->g, h->run[i]->run), h->label[h->run[i] - s->runs]) != 0)
            smi_html_write(h, "%s\"%z\":%j", some++ ? "," : "", i, smi_fmt_safe(&h->g, h->run[i]->run));
        smi_arena_reset(&h->g.arena);
    }
    append_columns(h);
    smi_buf_str(h->g.to, "\"marks\":[");
    for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++)
        smi_buf_fmt(h->g.to, i ? ",%u" : "%u", smi_findings_marks(h->run[i], -1));
    smi_buf_str(h->g.to, "],\n");
    /* 60 characters a run: a blank for no reading, else 0 to 100 % in 87 steps. */
    static const char step[] =
        "#$%()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    smi_buf_fmt(h->g.to, "\"steps\":\"%s\",\n\"shapes\":\"", step);
    for (size_t i = 0; smi_sweep_has_run_of(h->g.sweep, i, h->n); i++)
        for (int k = 0; k < SMI_SPARKLINE_CELLS; k++) {
            unsigned v = h->run[i]->shape[k];
            smi_buf_char(h->g.to, v == SMI_SPARKLINE_NONE
                                      ? ' '
                                      : step[((v > 100 ? 100 : v) * (sizeof step - 2) + 50) / 100]);
        }
    smi_buf_str(h->g.to, "\",\n\"groups\":[");
    const char **key;
    const size_t groupings = smi_group_keys(&h->g, true, &key);
    for (size_t i = 0; i < groupings && i < GROUPINGS; i++)
        append_grouping(h, key[i], i == 0);
    smi_buf_str(h->g.to, "]}</script>\n");
    smi_arena_reset(&h->g.arena);
}
