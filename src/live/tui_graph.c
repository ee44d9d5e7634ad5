/* tui_graph.c - readings over time: a line of cells, and tall graphs of one GPU. */
#include "live/tui_private.h"

#include "live/alert.h"

#include <string.h>

enum { CELLS = 512, AXIS = 6 /* columns of the numbers on its left */ };

static const char *const blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                     "\u2585", "\u2586", "\u2587", "\u2588"};

/* ---- cells ---- */

static int64_t window_span(const struct smi_tui_frame *d)
{
    int64_t ms = smi_view_window[d->v->window].ms;
    return ms ? ms : d->n->timed ? d->n->t_ms - d->n->first_ms + 1 : 1;
}

void smi_tui_cells(const struct smi_tui_frame *d, const struct smi_live_gpu *b, enum smi_history_slot slot,
                   int64_t *out, int cells)
{
    int64_t step = window_span(d) / cells;
    smi_machine_sparkline(d->n, b, slot, smi_view_window[d->v->window].ms, out, (size_t)cells);
    /* A reading a cell, nearly: then one falls beside its own now and again. */
    for (int i = 1; i + 1 < cells && b->pitch_ms * 2 >= step && b->pitch_ms < step * 3; i++)
        if (out[i] == SMI_NO_READING && out[i + 1] != SMI_NO_READING)
            out[i] = out[i - 1];
    if (cells > 1 && out[cells - 1] == SMI_NO_READING && b->state == SMI_GPU_OK) /* it has just begun */
        out[cells - 1] = out[cells - 2];
}

/* Since when the GPU is in a state that an alert tells of: t_ms; INT64_MAX if there is none. */
static int64_t waste_from(const struct smi_tui_frame *d, size_t gpu, bool *thermal)
{
    int64_t from = INT64_MAX;
    *thermal = false;
    for (size_t i = 0; i < d->n->alerts; i++) {
        const struct smi_alert *a = &d->n->alert[i];
        if (a->gpu == (int)gpu && a->rule == SMI_ALERT_IDLE)
            from = d->n->gpu[gpu]->idle_from_ms;
        *thermal |= a->gpu == (int)gpu && a->rule == SMI_ALERT_THERMAL;
    }
    return from;
}

static enum smi_style style_of(const struct smi_live_gpu *b)
{
    return b->state == SMI_GPU_LOST ? SMI_RED : b->state == SMI_GPU_STALE ? SMI_GREY : SMI_STYLE_PLAIN;
}

void smi_tui_spark(struct smi_tui_frame *d, int x, int y, size_t gpu, enum smi_history_slot slot, int cells,
                   int64_t most)
{
    static const char ascii[] = "_,:-=+*#"; /* a level that is low is seen, and is not "none" */
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    int64_t v[CELLS], slow[CELLS], step = window_span(d) / cells, from;
    bool thermal;
    smi_tui_cells(d, b, slot, v, cells);
    from = waste_from(d, gpu, &thermal);
    if (thermal)
        smi_tui_cells(d, b, SMI_HISTORY_THERMAL, slow, cells);
    for (int i = 0; i < cells; i++) {
        int64_t level = v[i] <= 0 || most <= 0 ? 0 : (int64_t)((smi_i128)v[i] * 8 / (most + 1));
        bool marked = d->n->t_ms - (cells - i) * step >= from - step / 2 ||
                      (thermal && slow[i] != SMI_NO_READING && slow[i] > 0);
        char one[2] = {ascii[level > 7 ? 7 : level], 0};
        const char *glyph = d->c->utf8 ? blocks[level > 7 ? 7 : level] : one;
        if (v[i] == SMI_NO_READING)
            smi_canvas_put(d->c, x + i, y, SMI_GREY, d->c->utf8 ? "\u00b7" : ".");
        else
            smi_canvas_put(d->c, x + i, y, marked ? SMI_YELLOW : style_of(b), glyph);
    }
}

const char *smi_tui_spark_head(struct smi_tui_frame *d, int cells, int room)
{
    const char *head = smi_view_window[d->v->window].head, *whole;
    int64_t step = window_span(d) / cells;
    if (step < 10000)
        whole =
            smi_fmt(&d->g, "%s (%s s a cell)", head, smi_fmt_ratio(&d->g, step, 1000, step % 1000 ? 1 : 0));
    else
        whole = smi_fmt(&d->g, "%s (%s a cell)", head,
                        step < 60000 ? smi_fmt(&d->g, "%lld s", (long long)(step / 1000))
                                     : smi_fmt_time(&d->g, step));
    return smi_canvas_width(d->c, whole) <= room ? whole : head;
}

/* ---- tall graphs ---- */

struct graph {
    const char *label, *unit;
    enum smi_history_slot slot;
    int64_t scale; /* millionths of a unit */
    int digits;
    unsigned most; /* the metric that says what 100 % is; SMI_METRIC_COUNT: 100, or the largest there is */
};

static const struct graph graphs[] = {
    {"use", "%", SMI_HISTORY_UTIL, 1000000, 0, SMI_METRIC_COUNT},
    {"memory", "GiB", SMI_HISTORY_FB_USED, (int64_t)1024 * 1000000, 1, SMI_FB_TOTAL},
    {"power", "W", SMI_HISTORY_POWER, 1000000, 0, SMI_POWER_LIMIT},
    {"temperature",
     "\u00b0"
     "C",
     SMI_HISTORY_TEMP, 1000000, 0, SMI_METRIC_COUNT},
    {"SM clock", "MHz", SMI_HISTORY_CLOCK, 1000000, 0, SMI_CLK_MAX_SM},
};
enum { GRAPHS = sizeof graphs / sizeof *graphs, SIMPLE = 3 };

static int64_t largest(const int64_t *v, int cells)
{
    int64_t most = 0;
    for (int i = 0; i < cells; i++)
        most = v[i] != SMI_NO_READING && v[i] > most ? v[i] : most;
    return most;
}

/* The largest reading of the window, not of means: never less than the one that stands beside it. */
static int64_t largest_value(struct smi_tui_frame *d, const struct smi_live_gpu *b, const struct graph *g,
                             int64_t most)
{
    const struct smi_machine_reading *r = smi_tui_reading(d, b, smi_history_metric[g->slot]);
    struct smi_machine_figures whole = {0};
    struct smi_history_sum sum = {0};
    int64_t ms = smi_view_window[d->v->window].ms;
    if (ms)
        smi_history_sum(&b->ring[g->slot], d->n->t_ms, ms, &sum);
    else if (smi_machine_whole_run(d->n, b, smi_history_metric[g->slot], &whole))
        d->g.failed = true;
    most = sum.n && sum.max > most ? sum.max : most;
    most = whole.n && whole.max > most ? whole.max : most;
    return r && r->v > most ? r->v : most;
}

/* What the top of the graph stands for. */
static int64_t graph_top(const struct smi_live_gpu *b, const struct graph *g, const int64_t *v, int cells)
{
    int64_t most = largest(v, cells);
    if (g->most < SMI_METRIC_COUNT && b->latest[g->most].has && b->latest[g->most].v > 0)
        return b->latest[g->most].v;
    return most > 100 * g->scale ? most : 100 * g->scale;
}

/* Cells that have a reading each, and how many columns one takes. */
static int cells_for(const struct smi_tui_frame *d, const struct smi_live_gpu *b, int width, int *columns)
{
    int64_t least = b->pitch_ms > 1000 ? b->pitch_ms : 1000, cells = width < CELLS ? width : CELLS;
    if (smi_view_window[d->v->window].ms > SMI_HISTORY_FINE * SMI_HISTORY_FINE_MS &&
        least < SMI_HISTORY_COARSE_MS)
        least = SMI_HISTORY_COARSE_MS;
    if (window_span(d) / cells < least)
        cells = window_span(d) / least > 0 ? window_span(d) / least : 1;
    cells = cells < width && cells < CELLS ? cells : width < CELLS ? width : CELLS;
    *columns = cells < width ? width / (int)cells : 1;
    return (int)cells;
}

static void put_column(struct smi_tui_frame *d, int x, int y, int lines, int64_t eighths,
                       enum smi_style style)
{
    for (int i = 0; i < lines; i++) {
        int64_t here = eighths - (int64_t)(lines - 1 - i) * 8;
        const char *glyph = here >= 8  ? (d->c->utf8 ? blocks[7] : "#")
                            : here > 0 ? (d->c->utf8 ? blocks[here - 1]
                                          : here > 4 ? "#"
                                          : here > 1 ? ":"
                                                     : ".")
                                       : NULL;
        if (glyph)
            smi_canvas_put(d->c, x, y + i, style, glyph);
    }
}

/* A title, then `lines` of the graph. */
static void put_graph(struct smi_tui_frame *d, int y, int lines, size_t gpu, const struct graph *g)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const struct smi_machine_reading *r = smi_tui_reading(d, b, smi_history_metric[g->slot]);
    int width = d->c->width > AXIS ? d->c->width - AXIS : 1, columns,
        cells = cells_for(d, b, width, &columns), x;
    int64_t v[CELLS], top, from, most;
    bool thermal;
    smi_tui_cells(d, b, g->slot, v, cells);
    top = graph_top(b, g, v, cells);
    from = waste_from(d, gpu, &thermal);
    x = smi_tui_text(d, 0, y, d->c->width, SMI_BOLD, g->label);
    x = smi_tui_text(d, x + 1, y, d->c->width, r ? SMI_STYLE_PLAIN : SMI_GREY,
                     r ? smi_fmt(&d->g, "%s %s", smi_fmt_ratio(&d->g, r->v, g->scale, g->digits), g->unit)
                       : "-");
    most = largest_value(d, b, g, largest(v, cells));
    if (most > 0)
        x = smi_tui_text(d, x + 3, y, d->c->width, SMI_GREY,
                         smi_fmt(&d->g, "most %s", smi_fmt_ratio(&d->g, most, g->scale, g->digits)));
    smi_tui_right(d, AXIS - 1, y + 1, SMI_GREY, smi_fmt_ratio(&d->g, top, g->scale, 0));
    if (lines > 1)
        smi_tui_right(d, AXIS - 1, y + lines, SMI_GREY, "0");
    for (int i = 0; i < cells; i++) {
        int64_t eighths = v[i] <= 0 ? 0 : (int64_t)((smi_i128)v[i] * 8 * lines / top);
        bool marked = d->n->t_ms - (cells - i) * (window_span(d) / cells) >= from;
        eighths = eighths > 8 * (int64_t)lines ? 8 * (int64_t)lines : eighths < 1 ? 1 : eighths;
        for (int k = 0; k < columns; k++)
            if (v[i] == SMI_NO_READING)
                smi_canvas_put(d->c, AXIS + i * columns + k, y + lines, SMI_GREY,
                               d->c->utf8 ? "\u00b7" : " ");
            else
                put_column(d, AXIS + i * columns + k, y + 1, lines, eighths,
                           marked ? SMI_YELLOW : style_of(b));
    }
}

/* ---- one GPU ---- */

static const char *put_reading(struct smi_tui_frame *d, const struct smi_live_gpu *b, unsigned metric,
                               const char *fmt)
{
    const struct smi_machine_reading *r = smi_tui_reading(d, b, metric);
    const char *text = r ? smi_fmt_ratio(&d->g, r->v, 1000000, 0) : NULL;
    struct smi_text f = smi_text_of(fmt);
    const char *at = strchr(fmt, '*');
    return text ? smi_fmt(&d->g, "%.*s%s%.*s", (int)(at - fmt), fmt, text,
                          (int)(f.n - (size_t)(at - fmt) - 1), at + 1)
                : NULL;
}

/* "GPU 4  H100 80GB HBM3  61 °C  1755 MHz  ...  idle 6m12s" */
static void put_title(struct smi_tui_frame *d, int y, size_t gpu, bool detail)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const char *remark = smi_tui_remark(d, gpu);
    enum smi_style style = b->state ? style_of(b) : smi_tui_alarm_style(d, gpu);
    const struct smi_tui_segment part[] = {
        {b->index >= 0 ? smi_fmt(&d->g, "GPU %d", b->index) : "GPU", SMI_BOLD, 0, 0},
        {detail ? b->name : NULL, SMI_STYLE_PLAIN, 2, 1},
        {*remark ? remark : NULL, style, 2, 0},
        {put_reading(d, b, SMI_TEMP_GPU,
                     "* \u00b0"
                     "C"),
         SMI_STYLE_PLAIN, 3, 2},
        {put_reading(d, b, SMI_CLK_SM, "* MHz"), SMI_STYLE_PLAIN, 3, 3},
        {put_reading(d, b, SMI_FAN, "fan * %"), SMI_STYLE_PLAIN, 3, 6},
        {put_reading(d, b, SMI_MEM_UTIL, "memory busy * %"), SMI_STYLE_PLAIN, 3, 4},
        {put_reading(d, b, SMI_PSTATE, "P*"), SMI_STYLE_PLAIN, 3, 5},
        {detail ? b->uuid : NULL, SMI_GREY, 3, 8},
        {detail ? b->bus : NULL, SMI_GREY, 3, 7},
        {smi_tui_spark_head(d, 1, 0), SMI_GREY, 3, 2},
    };
    smi_tui_put_segments(d, y, part, sizeof part / sizeof *part);
}

/* Which reasons hold the clocks down now, of those that the driver tells. */
static void put_throttle(struct smi_tui_frame *d, int y, const struct smi_live_gpu *b)
{
    static const char key[] = "throttle.";
    const char *text = NULL;
    bool known = false;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        const struct smi_machine_reading *r = smi_tui_reading(d, b, m);
        if (strncmp(smi_metrics[m].key, key, sizeof key - 1) != 0 || !r)
            continue;
        known = true;
        if (r->v)
            text = smi_fmt(&d->g, "%s%s%s", text ? text : "", text ? ", " : "",
                           smi_key_label(&d->g, smi_metrics[m].key + sizeof key - 1));
    }
    smi_tui_text(d, smi_tui_text(d, 0, y, d->c->width, SMI_BOLD, "clocks held down by") + 2, y, d->c->width,
                 known ? SMI_STYLE_PLAIN : SMI_GREY,
                 text    ? text
                 : known ? "nothing"
                         : "not told");
}

/* Has x more memory than y, or as much and the lower number? */
static bool is_before(const struct smi_proc *x, const struct smi_proc *y)
{
    int64_t u = x->of[SMI_PROC_MEMORY].peaks ? x->of[SMI_PROC_MEMORY].max : -1,
            v = y->of[SMI_PROC_MEMORY].peaks ? y->of[SMI_PROC_MEMORY].max : -1;
    return u == v ? x->pid < y->pid : u > v;
}

/* The processes that the last rows of a process log had on this GPU, those with the most memory first: `most`
 * of them. Returns how many there are. */
static size_t find_procs(const struct smi_tui_frame *d, const struct smi_live_gpu *b,
                         const struct smi_proc **out, size_t most)
{
    size_t k = 0, all = 0, at;
    for (size_t i = 0; i < d->n->sources; i++) {
        const struct smi_live_source *s = d->n->source[i];
        const int64_t late = 3 * (s->interval_ms > 1000 ? s->interval_ms : 1000);
        for (size_t j = 0; s->part && j < s->part->procs.n; j++) {
            const struct smi_proc *p = &s->part->procs.list[j];
            bool here = p->who >= 0 && (size_t)p->who < s->nof && s->of[p->who] == b;
            if (!here || (p->timed && p->last_ms < s->part->last_ms - late))
                continue;
            all++;
            for (at = k < most ? k++ : most; at > 0 && is_before(p, out[at - 1]); at--)
                if (at < most)
                    out[at] = out[at - 1];
            if (at < most)
                out[at] = p;
        }
    }
    return all;
}

enum { PROC_LINES = 6, PROC_LINES_LOW = 4 };

/* A head, and a line each; how many are not there is counted. Returns how many lines were used. */
static int put_procs(struct smi_tui_frame *d, int y, int lines, const struct smi_live_gpu *b)
{
    const struct smi_proc *p[PROC_LINES];
    size_t all = find_procs(d, b, p, PROC_LINES);
    int shown = all < (size_t)lines ? (int)all : lines - 1, x;
    if (shown < 1) {
        if (lines > 0)
            smi_tui_text(d, smi_tui_text(d, 0, y, d->c->width, SMI_BOLD, "processes") + 2, y, d->c->width,
                         SMI_GREY,
                         all ? smi_fmt(&d->g, "%zu", all) : "not known (live --apps asks for them)");
        return lines > 0;
    }
    x = smi_tui_text(d, 0, y, d->c->width, SMI_BOLD, "      PID  MOST GiB  PROCESS");
    if (all > (size_t)shown)
        smi_tui_text(d, x + 3, y, d->c->width, SMI_GREY, smi_fmt(&d->g, "1-%d of %zu", shown, all));
    for (int i = 0; i < shown; i++) {
        const struct smi_proc_sum *m = &p[i]->of[SMI_PROC_MEMORY];
        smi_tui_right(d, 9, y + 1 + i, SMI_STYLE_PLAIN,
                      p[i]->pid >= 0 ? smi_fmt(&d->g, "%lld", (long long)p[i]->pid) : "-");
        smi_tui_right(d, 19, y + 1 + i, SMI_STYLE_PLAIN,
                      m->peaks ? smi_fmt_ratio(&d->g, m->max, (smi_i128)1024 * 1000000, 1) : "-");
        smi_tui_text(d, 21, y + 1 + i, d->c->width, SMI_STYLE_PLAIN, p[i]->name ? p[i]->name : "-");
    }
    return shown + 1;
}

void smi_tui_gpu(struct smi_tui_frame *d, int y, int lines, size_t gpu, bool detail)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    int end = y + lines, k = detail ? GRAPHS : SIMPLE, each;
    put_title(d, y++, gpu, detail);
    if (detail && end - y > 4) {
        put_throttle(d, y++, b);
        y += put_procs(d, y, end - y > 20 ? PROC_LINES : end - y > 12 ? PROC_LINES_LOW : 1, b);
    }
    while (k > 1 && (end - y) / k < (detail && lines > 12 ? 3 : 2))
        k--;
    for (int i = 0; i < k && end - y >= 2; i++) {
        each = (end - y) / (k - i);
        put_graph(d, y, each - 1 > 10 ? 10 : each - 1, gpu, &graphs[i]);
        y += each > 11 ? 11 : each;
    }
}
