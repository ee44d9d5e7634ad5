/* tui_gpus.c - the table of GPUs, and their readings over time. */
#include "live/tui.h"
#include "live/alert.h"
#include "report/table.h"

#include <limits.h>

#define CELSIUS \
    "\u00b0"    \
    "C"

enum { CELLS = 512, AXIS = 6 /* columns of the numbers on its left */ };

static const char *const blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                     "\u2585", "\u2586", "\u2587", "\u2588"};
static const char *const no_reading[] = {".", "\u00b7"};

/* ---- cells ---- */

static int64_t window_span(const struct smi_tui_frame *d)
{
    return d->window_ms ? d->window_ms : d->n->timed ? d->n->t_ms - d->n->first_ms + 1 : 1;
}

/* Cells of the last window, holes of less than a reading's interval filled. */
static void tui_cells(const struct smi_tui_frame *d, const struct smi_live_gpu *b, enum smi_history_slot slot,
                      int64_t *out, int cells)
{
    int64_t step = window_span(d) / cells;
    smi_machine_sparkline(d->n, b, slot, d->window_ms, false, out, (size_t)cells);
    /* A reading a cell, nearly: then one falls beside its own now and again. */
    for (int i = 1; i + 1 < cells && b->pitch_ms * 2 >= step && b->pitch_ms < step * 3; i++)
        if (out[i] == SMI_NO_READING && out[i + 1] != SMI_NO_READING)
            out[i] = out[i - 1];
    if (cells > 1 && out[cells - 1] == SMI_NO_READING && b->state == SMI_GPU_OK) /* it has just begun */
        out[cells - 1] = out[cells - 2];
}

static enum smi_style style_of(const struct smi_live_gpu *b)
{
    return b->state == SMI_GPU_LOST ? SMI_RED : b->state == SMI_GPU_STALE ? SMI_GREY : SMI_STYLE_PLAIN;
}

/* What each of the cells looks like: a fault is red; slowed by heat, hot or idle is yellow, when it was so.
 */
static void find_marks(const struct smi_tui_frame *d, size_t gpu, int cells, enum smi_style *mark)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    int64_t slow[CELLS], hot[CELLS], fault[CELLS],
        step = window_span(d) / cells, ms = d->window_ms,
        held = smi_machine_now(d->n) - smi_alert_marks_from(d->n, gpu);
    smi_machine_sparkline(d->n, b, SMI_HISTORY_THERMAL, ms, true, slow, (size_t)cells);
    smi_machine_sparkline(d->n, b, SMI_HISTORY_TEMP, ms, true, hot, (size_t)cells);
    smi_machine_sparkline(d->n, b, SMI_HISTORY_FAULT, ms, true, fault, (size_t)cells);
    for (int i = 0; i < cells; i++) {
        bool waste = slow[i] > 0 || hot[i] >= smi_alert_rules[SMI_ALERT_TEMPERATURE].limit ||
                     (cells - i) * step <= held + step / 2;
        mark[i] = fault[i] > 0 ? SMI_RED : waste ? SMI_YELLOW : style_of(b);
    }
}

/* What a GPU's remark looks like: its state, else the gravest alert. */
static enum smi_style remark_style(const struct smi_tui_frame *d, size_t gpu)
{
    for (size_t i = 0; i < d->n->alerts && !d->n->gpu[gpu]->state; i++) /* the gravest first */
        if (d->n->alert[i].gpu == (int)gpu)
            return smi_tui_grave_style(d->n->alert[i].grave);
    return style_of(d->n->gpu[gpu]);
}

/* Appends a glyph; *now: the style of what stands before it. */
static void put_glyph(struct smi_text_arena *g, enum smi_style *now, enum smi_style style, const char *glyph)
{
    if (style != *now && *now != SMI_STYLE_PLAIN)
        smi_wrap_style(g, SMI_STYLE_PLAIN);
    if (style != *now && style != SMI_STYLE_PLAIN)
        smi_wrap_style(g, style);
    *now = style;
    smi_buf_str(g->to, glyph);
}

/* Its use over time, a glyph for each cell. */
static const char *spark_text(struct smi_tui_frame *d, size_t gpu, int cells)
{
    /* a level that is low is seen, and is not "none" */
    static const char *const ascii[] = {"_", ",", ":", "-", "=", "+", "*", "#"};
    struct smi_buf b = {0};
    struct smi_text_arena g = {.to = &b, .look = &d->look};
    enum smi_style mark[CELLS], style = SMI_STYLE_PLAIN;
    int64_t v[CELLS];
    tui_cells(d, d->n->gpu[gpu], SMI_HISTORY_UTIL, v, cells);
    find_marks(d, gpu, cells, mark);
    for (int i = 0; i < cells; i++) {
        bool none = v[i] == SMI_NO_READING;
        int64_t level = v[i] <= 0 ? 0 : v[i] * 8 / 100000001;
        put_glyph(&g, &style, none && mark[i] != SMI_RED ? SMI_GREY : mark[i],
                  none ? no_reading[d->look.utf8] : (d->look.utf8 ? blocks : ascii)[level > 7 ? 7 : level]);
    }
    put_glyph(&g, &style, SMI_STYLE_PLAIN, "");
    return smi_buf_keep(&b, &d->g.arena);
}

/* "LAST 10 MIN (25 s a cell)", the part in brackets only if there is room. */
static const char *tui_spark_head(struct smi_tui_frame *d, int cells, int room)
{
    const char *head = smi_view_window[d->v->window].head, *whole;
    int64_t step = window_span(d) / cells;
    if (d->window_ms < smi_view_window[d->v->window].ms)
        head = smi_fmt(&d->g, "LAST %d MIN", (int)(d->window_ms / 60000));
    if (step < 10000)
        whole =
            smi_fmt(&d->g, "%s (%s s a cell)", head, smi_fmt_ratio(&d->g, step, 1000, step % 1000 ? 1 : 0));
    else
        whole = smi_fmt(&d->g, "%s (%s a cell)", head,
                        step < 60000 ? smi_fmt(&d->g, "%lld s", (long long)(step / 1000))
                                     : smi_fmt_time(&d->g, step));
    return smi_text_width(whole) <= room ? whole : head;
}

/* ---- tall graphs ---- */

static int64_t largest(const int64_t *v, int cells)
{
    int64_t most = 0;
    for (int i = 0; i < cells; i++)
        most = v[i] != SMI_NO_READING && v[i] > most ? v[i] : most;
    return most;
}

/* Cells that have a reading each, and how many columns one takes. */
static int cells_for(const struct smi_tui_frame *d, const struct smi_live_gpu *b, int width, int *columns)
{
    int64_t least = b->pitch_ms > 1000 ? b->pitch_ms : 1000, cells = width < CELLS ? width : CELLS;
    if (d->window_ms > SMI_HISTORY_FINE * SMI_HISTORY_FINE_MS && least < SMI_HISTORY_COARSE_MS)
        least = SMI_HISTORY_COARSE_MS;
    if (window_span(d) / cells < least)
        cells = window_span(d) / least > 0 ? window_span(d) / least : 1;
    cells = cells < width && cells < CELLS ? cells : width < CELLS ? width : CELLS;
    *columns = cells < width ? width / (int)cells : 1;
    return (int)cells;
}

/* What stands in one line of a cell that is so high. */
static const char *glyph_of(const struct smi_tui_frame *d, int64_t eighths)
{
    return eighths < 1    ? " "
           : d->look.utf8 ? blocks[eighths > 8 ? 7 : eighths - 1]
           : eighths > 4  ? "#"
           : eighths > 1  ? ":"
                          : ".";
}

/* A title, then `lines` of the graph. */
static void put_graph(struct smi_tui_frame *d, int lines, size_t gpu, const struct smi_gpu_cell *g)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const struct smi_machine_reading *r = smi_machine_shown(d->n, b, g->metric);
    int width = d->look.width > AXIS ? d->look.width - AXIS : 1, columns,
        cells = cells_for(d, b, width, &columns);
    enum smi_style mark[CELLS], style = SMI_STYLE_PLAIN;
    struct smi_machine_figures whole = {0};
    struct smi_history_sum sum = {0};
    int64_t v[CELLS], top, most, ms = d->window_ms;
    tui_cells(d, b, g->slot, v, cells);
    most = largest(v, cells);
    top = most > 100 * g->scale ? most : 100 * g->scale;
    if (g->most && b->latest[g->most].has && b->latest[g->most].v > 0)
        top = b->latest[g->most].v;
    find_marks(d, gpu, cells, mark);
    /* the largest reading of the window, not of means: never less than the one that stands beside it */
    if (ms)
        smi_history_sum(&b->ring[g->slot], smi_machine_gpu_now(d->n, b), ms, &sum);
    else
        smi_machine_whole_run(d->n, b, g->metric, &whole);
    most = sum.n && sum.max > most ? sum.max : most;
    most = whole.n && whole.max > most ? whole.max : most;
    most = r && r->v > most ? r->v : most;
    const struct smi_tui_segment title[] = {
        {g->label, SMI_BOLD, 0, 0},
        {r ? smi_fmt(&d->g, "%s %s", smi_fmt_ratio(&d->g, r->v, g->scale, g->digits), g->unit) : "-",
         r ? SMI_STYLE_PLAIN : SMI_GREY, 1, 0},
        {most > 0 ? smi_fmt(&d->g, "most %s", smi_fmt_ratio(&d->g, most, g->scale, g->digits)) : NULL,
         SMI_GREY, 3, 0}};
    smi_tui_line(d, title, 3);
    for (int y = lines - 1; y >= 0; y--) {
        const char *axis = y == lines - 1 ? smi_fmt_ratio(&d->g, top, g->scale, 0) : y ? "" : "0";
        smi_tui_put(d, 0, AXIS, SMI_GREY, smi_fmt(&d->g, "%*s ", AXIS - 1, axis));
        for (int i = 0; i < cells && d->look.width > AXIS; i++) {
            int64_t eighths = v[i] <= 0 ? 0 : (int64_t)((smi_i128)v[i] * 8 * lines / top);
            const bool none = v[i] == SMI_NO_READING;
            eighths = eighths > 8 * (int64_t)lines ? 8 * (int64_t)lines : eighths < 1 ? 1 : eighths;
            for (int k = 0; k < columns; k++)
                put_glyph(&d->g, &style, none ? SMI_GREY : mark[i],
                          !none                ? glyph_of(d, eighths - (int64_t)y * 8)
                          : y || !d->look.utf8 ? " "
                                               : no_reading[1]);
        }
        put_glyph(&d->g, &style, SMI_STYLE_PLAIN, "");
        smi_tui_next(d);
    }
}

/* ---- one GPU ---- */

static const char *put_reading(struct smi_tui_frame *d, const struct smi_live_gpu *b, unsigned metric,
                               const char *before, const char *unit)
{
    const struct smi_machine_reading *r = smi_machine_shown(d->n, b, metric);
    return r ? smi_fmt(&d->g, "%s%s%s", before, smi_fmt_ratio(&d->g, r->v, 1000000, 0), unit) : NULL;
}

/* "GPU 4  H100 80GB HBM3  61 °C  1755 MHz  ...  idle 6m12s" */
static void put_title(struct smi_tui_frame *d, size_t gpu, bool detail)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const char *remark = smi_machine_remark(&d->g, d->n, gpu);
    const struct smi_tui_segment part[] = {
        {b->label, SMI_BOLD, 0, 0},
        {detail ? b->name : NULL, SMI_STYLE_PLAIN, 2, 1},
        {*remark ? remark : NULL, remark_style(d, gpu), 2, 0},
        {put_reading(d, b, SMI_TEMP_GPU, "", " " CELSIUS), SMI_STYLE_PLAIN, 3, 2},
        {put_reading(d, b, SMI_CLK_SM, "", " MHz"), SMI_STYLE_PLAIN, 3, 3},
        {put_reading(d, b, SMI_FAN, "fan ", " %"), SMI_STYLE_PLAIN, 3, 6},
        {put_reading(d, b, SMI_MEM_UTIL, "memory busy ", " %"), SMI_STYLE_PLAIN, 3, 4},
        {put_reading(d, b, SMI_PSTATE, "P", ""), SMI_STYLE_PLAIN, 3, 5},
        {detail ? b->uuid : NULL, SMI_GREY, 3, 8},
        {detail ? b->bus : NULL, SMI_GREY, 3, 7},
        {tui_spark_head(d, 1, 0), SMI_GREY, 3, 2},
    };
    smi_tui_line(d, part, sizeof part / sizeof *part);
}

/* Which reasons hold the clocks down now, of those that the driver tells. */
static void put_throttle(struct smi_tui_frame *d, const struct smi_live_gpu *b)
{
    const char *text = NULL;
    bool known = false;
    for (unsigned m = SMI_THROTTLE_FIRST; m < SMI_THROTTLE_FIRST + SMI_THROTTLE_COUNT; m++) {
        const struct smi_machine_reading *r = smi_machine_shown(d->n, b, m);
        known |= r != NULL;
        if (r && r->v)
            text = smi_fmt(&d->g, "%s%s%s", text ? text : "", text ? ", " : "",
                           smi_key_label(&d->g, smi_metrics[m].key + strlen("throttle.")));
    }
    text = text ? text : known ? "nothing" : "unknown";
    const struct smi_tui_segment part[] = {{"clocks held down by", SMI_BOLD, 0, 0},
                                           {text, known ? SMI_STYLE_PLAIN : SMI_GREY, 2, 0}};
    smi_tui_line(d, part, 2);
}

/* The processes on this GPU, those with the most memory first: `most` of them. Returns how many there are. */
static size_t find_procs(const struct smi_tui_frame *d, const struct smi_live_gpu *b,
                         const struct smi_gpu_process **out, size_t most)
{
    size_t n, k = 0, all = 0, at;
    const struct smi_gpu_process *p = smi_machine_processes(d->n, &n);
    for (const struct smi_gpu_process *end = p + n; p < end; p++) {
        if (p->gpu != b)
            continue;
        all++;
        for (at = k < most ? k++ : most; at > 0 && p->fb > out[at - 1]->fb; at--)
            if (at < most)
                out[at] = out[at - 1];
        if (at < most)
            out[at] = p;
    }
    return all;
}

enum { PROC_LINES = 6, PROC_LINES_LOW = 4, SIMPLE = 3 /* graphs */ };

/* A head, and a line each, in at most so many lines; how many are not there is counted. */
static void put_procs(struct smi_tui_frame *d, int lines, const struct smi_live_gpu *b)
{
    const struct smi_gpu_process *p[PROC_LINES];
    size_t all = find_procs(d, b, p, PROC_LINES);
    const int shown = all < (size_t)lines ? (int)all : lines - 1;
    const char *known = all ? smi_fmt(&d->g, "%zu", all) : "not known (live --apps asks for them)";
    for (size_t i = 0; i < d->n->sources && !all; i++)
        if (d->n->source[i]->format >= 0 && smi_format_infos[d->n->source[i]->format].procs &&
            d->n->source[i]->state == SMI_SOURCE_READING)
            known = "none";
    const struct smi_tui_segment none[] = {{"processes", SMI_BOLD, 0, 0}, {known, SMI_GREY, 2, 0}},
                                 head[] = {
                                     {"      PID       GiB  PROCESS", SMI_BOLD, 0, 0},
                                     {all > (size_t)shown ? smi_fmt(&d->g, "1-%d of %zu", shown, all) : NULL,
                                      SMI_GREY, 3, 0}};
    smi_tui_line(d, shown < 1 ? none : head, 2);
    for (int i = 0; i < shown; i++) {
        const char *gib = p[i]->fb >= 0 ? smi_fmt_ratio(&d->g, p[i]->fb, (smi_i128)1024 * 1000000, 1) : "-";
        smi_tui_put(
            d, 0, INT_MAX, SMI_STYLE_PLAIN,
            smi_fmt(&d->g, "%9lld%10s  %s", (long long)p[i]->pid, gib, *p[i]->name ? p[i]->name : "-"));
        smi_tui_next(d);
    }
}

void smi_tui_gpu(struct smi_tui_frame *d, int lines, size_t gpu, bool detail)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    int end = d->lines + lines, k = detail ? SMI_GPU_CELLS_OF_PAGE : SIMPLE, each;
    put_title(d, gpu, detail);
    if (detail && end - d->lines > 4) {
        put_throttle(d, b);
        each = end - d->lines;
        put_procs(d, each > 20 ? PROC_LINES : each > 12 ? PROC_LINES_LOW : 1, b);
    }
    while (k > 1 && (end - d->lines) / k < (detail && lines > 12 ? 3 : 2))
        k--;
    for (int i = 0; i < k && end - d->lines >= 2; i++) {
        each = (end - d->lines) / (k - i);
        put_graph(d, each - 1 > 10 ? 10 : each - 1, gpu, &smi_gpu_cells[i]);
    }
}

/* the table of GPUs: a line each, whatever else has to go. */

enum {
    COL_GPU,
    COL_BAR,
    COL_NOW,
    COL_SPARK,
    COL_VRAM, /* from here on as smi_gpu_cells */
    COL_POWER,
    COL_TEMP,
    COL_CLOCK,
    COL_FAN,
    COL_MEM,
    COL_PCIE,
    COL_REMARK,
    COLUMNS
};

enum { BAR = 10, SPARK_NARROW = 10, SPARK = 24, SPARK_WIDE = 60, REMARK = 16 /* "reading 9 s old" */ };

/* ---- cells ---- */

/* A share of ten cells, an eighth of a cell at its end. */
static const char *bar_text(struct smi_tui_frame *d, int64_t micro_pct)
{
    static const char *const part[] = {"",       "\u258f", "\u258e", "\u258d",
                                       "\u258c", "\u258b", "\u258a", "\u2589"};
    int64_t eighths = (micro_pct * 8 * BAR + 50000000) / 100000000;
    char text[BAR * 3 + 4] = "";
    eighths = eighths < 0 ? 0 : eighths > 8 * BAR ? 8 * BAR : eighths;
    for (int64_t i = 0; i < (d->look.utf8 ? eighths : eighths + 4) / 8; i++)
        strcat(text, d->look.utf8 ? "\u2588" : "#");
    if (d->look.utf8)
        strcat(text, part[eighths % 8]);
    return smi_fmt(&d->g, "%s%*s", text, BAR - smi_text_width(text), "");
}

/* cells: of the sparkline; 0: it is not made. */
static void add_gpu_row(struct smi_tui_frame *d, struct smi_report_table *t, size_t gpu, int cells)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const struct smi_machine_reading *use = smi_machine_shown(d->n, b, SMI_GPU_UTIL),
                                     *rx = smi_machine_shown(d->n, b, SMI_PCIE_RX),
                                     *tx = smi_machine_shown(d->n, b, SMI_PCIE_TX),
                                     *gen = smi_machine_shown(d->n, b, SMI_PCIE_GEN),
                                     *lanes = smi_machine_shown(d->n, b, SMI_PCIE_WIDTH);
    const bool link = gen && lanes, rates = rx && tx; /* PCIe: GB/s both ways, or what the link is: "5x16" */
    struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
    unsigned marked[COLUMNS] = {0};
    row[COL_GPU].text = smi_tui_safe(d, smi_fmt_safe(&d->g, smi_machine_gpu_name(&d->g, d->n, b)));
    row[COL_BAR].text = use ? bar_text(d, use->v) : "";
    row[COL_SPARK].text = cells ? spark_text(d, gpu, cells) : "";
    row[COL_PCIE].text =
        rates || link
            ? smi_fmt(&d->g, rates ? "%s/%s" : "%sx%s",
                      smi_machine_value(&d->g, rates ? rx : gen, rates ? 1000000000 : 1000000, rates),
                      smi_machine_value(&d->g, rates ? tx : lanes, rates ? 1000000000 : 1000000, rates))
            : "-";
    row[COL_REMARK].text = smi_tui_safe(d, smi_fmt_safe(&d->g, smi_machine_remark(&d->g, d->n, gpu)));
    for (size_t i = 0, c = COL_NOW; i < SMI_GPU_CELLS; c = COL_VRAM + i++) {
        row[c].text = smi_machine_cell(&d->g, d->n, b, i, d->look.width >= 60);
        marked[c] = smi_gpu_cells[i].mark;
    }
    for (int c = 0; c < COLUMNS; c++) {
        const struct smi_alert *a = smi_alert_marking(d->n, gpu, marked[c]);
        row[c].style = a                 ? smi_tui_grave_style(a->grave)
                       : c == COL_REMARK ? remark_style(d, gpu)
                       : c == COL_SPARK  ? SMI_STYLE_PLAIN
                                         : style_of(b);
        row[c].mark = a ? '!' : marked[c] ? ' ' : 0;
        if (a && a->grave && !d->a->color)
            row[c].text = smi_fmt(&d->g, "%s!", row[c].text);
    }
}

/* k GPUs from place `from` on; drawn: with sparklines. What has no room leaves, from the least important
 * column on. */
static void make_table(struct smi_tui_frame *d, struct smi_report_table *t, size_t from, size_t k, bool drawn)
{
    const int width = d->look.width, cells = width >= SMI_TUI_WIDE     ? SPARK_WIDE
                                             : width >= SMI_TUI_MIDDLE ? SPARK
                                                                       : SPARK_NARROW;
    const bool wide = width >= SMI_TUI_WIDE, middle = width >= SMI_TUI_MIDDLE;
    const char *spark = smi_fmt(&d->g, "%-*s", cells, tui_spark_head(d, cells, cells + 2));
    const int longer = d->a->now_only ? 0 : (int)strlen(spark) - cells; /* the head, at most 2 */
    const struct smi_table_column col[COLUMNS] = {
        /* heads are as wide as the column is at least */
        [COL_GPU] = {"GPU", .align = SMI_RIGHT},
        [COL_BAR] = {"NOW       ", .leave = 5},
        [COL_NOW] = {"       ", .align = SMI_RIGHT, .gap = -1, .leave = -1},
        [COL_SPARK] = {spark, .gap = -1, .leave = 4, .hidden = d->a->now_only},
        [COL_VRAM] = {"VRAM GiB ", .align = SMI_RIGHT, .gap = 1 - longer, .leave = 2},
        [COL_POWER] = {"POWER W", .align = SMI_RIGHT, .gap = -1, .leave = 3},
        [COL_TEMP] = {d->look.utf8 ? " \u00b0C " : "  C ", .align = SMI_RIGHT, .leave = 1},
        [COL_CLOCK] = {" MHz ", .align = SMI_RIGHT, .gap = -1, .leave = 6, .hidden = !middle},
        [COL_FAN] = {"FAN", .align = SMI_RIGHT, .gap = -1, .leave = 9, .sparse = true, .hidden = !wide},
        [COL_MEM] = {"MEM", .align = SMI_RIGHT, .gap = -1, .leave = 7, .hidden = !wide},
        [COL_PCIE] = {"PCIe", .align = SMI_RIGHT, .gap = -1, .leave = 8, .sparse = true, .hidden = !wide},
        [COL_REMARK] = {"REMARK          ", .least = REMARK, .leave = 10, .hidden = !middle},
    };
    smi_table_begin(t, &d->g, col, COLUMNS);
    for (size_t i = from; i < from + k; i++)
        add_gpu_row(d, t, d->place[i], drawn ? cells : 0);
    smi_table_leave(t, REMARK, 0);
    if (t->col[COL_BAR].hidden)
        t->row[0][COL_NOW].text = "NOW    ";
    for (int c = 0; c < COLUMNS; c++)
        t->col[c].left = false; /* it is no news to the reader */
}

void smi_tui_table(struct smi_tui_frame *d, int rows)
{
    size_t from = (size_t)d->v->scroll, k = d->gpus - from < (size_t)rows ? d->gpus - from : (size_t)rows;
    struct smi_report_table t;
    struct smi_buf *to = d->g.to, b = {0};
    const char *more = smi_fmt(&d->g, " %zu-%zu of %zu", from + 1, from + k, d->gpus),
               *longer = smi_fmt(&d->g, "%s, arrows scroll", more);
    d->g.to = &b;
    make_table(d, &t, from, k, true);
    smi_table_text(&t);
    d->g.to = to;
    for (const char *p = b.p, *lf; (lf = strchr(p, '\n')); p = lf + 1) {
        const bool counted = p == b.p && d->gpus > k; /* what is not there is */
        const int width = d->look.width, room = width - (counted ? (int)strlen(more) : 0);
        size_t n = (size_t)(lf - p);
        while (n && p[n - 1] == ' ')
            n--;
        const char *text = smi_fmt_middle(&d->g, smi_fmt(&d->g, "%.*s", (int)n, p), room, -1);
        smi_buf_str(to, text);
        smi_wrap_style(&d->g, SMI_STYLE_PLAIN);
        d->g.column = smi_text_width(text);
        if (counted) {
            more = d->g.column + (int)strlen(longer) <= width ? longer : more;
            smi_tui_put(d, width - d->g.column - (int)strlen(more), INT_MAX, SMI_GREY, more);
        }
        smi_tui_next(d);
    }
    smi_buf_fini(&b);
}

/* ---- remarks that have no column ---- */

int smi_tui_remarks(struct smi_tui_frame *d, int lines, bool count)
{
    int x = 0, used = 0;
    for (size_t i = 0; i < d->gpus; i++) {
        const char *remark = smi_machine_remark(&d->g, d->n, d->place[i]), *text;
        int w;
        if (!*remark)
            continue;
        text = smi_fmt(&d->g, "%s: %s", d->n->gpu[d->place[i]]->label, remark);
        w = smi_tui_width(d, text);
        if (used == 0 || x + 3 + w > d->look.width) {
            if (used == lines)
                break;
            if (used && !count)
                smi_tui_next(d);
            used++;
            x = 0;
        }
        if (!count)
            smi_tui_put(d, x ? 3 : 0, INT_MAX, remark_style(d, d->place[i]), text);
        x += w + (x ? 3 : 0);
    }
    if (used && !count)
        smi_tui_next(d);
    return used;
}

int smi_tui_remark_lines(struct smi_tui_frame *d)
{
    struct smi_report_table t;
    make_table(d, &t, 0, d->gpus, false);
    return t.col[COL_REMARK].hidden ? smi_tui_remarks(d, INT_MAX, true) : 0;
}
