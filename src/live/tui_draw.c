/* tui_draw.c - the screen of this moment as lines: on top, the GPUs and their readings over time, what stands
 * below them, the pages, and how lines are shared out; and the same at once, as a table. */
#include "live/tui.h"
#include "live/alert.h"
#include "report/table.h"

#include <limits.h>
#include <stdio.h>

enum { NARROW = 80, MIDDLE = 100, WIDE = 140, TALL = 40 };

struct frame {
    struct smi_text_arena g; /* its `to` has the lines so far, its `column` the length of the last one */
    struct smi_render_options look;
    const struct smi_machine *n;
    const struct smi_tui_info *a;
    struct smi_view *v;
    int lines;                          /* that are whole */
    size_t place[SMI_MACHINE_GPUS_MAX]; /* in n->gpu, of the GPUs to be shown, in their order */
    size_t gpus, mine;                  /* how many; how many there are without the filter */
    int64_t
        window_ms; /* of the curves: it grows with the run up to the one that was chosen; 0: the whole run */
};

/* ---- text ---- */

/* A part of a line. Those with the highest rank go first where there is no room; rank 0 stays, and is cut. */
struct segment {
    const char *text; /* NULL: not there */
    enum smi_style style;
    int gap, rank;
};

/* Anybody's text as it may be shown: what a terminal would obey becomes \xNN, and without utf8 what is not
 * ASCII becomes "?", but for the degree sign, which goes. */
static const char *tui_safe(struct frame *d, const char *text)
{
    const char *safe = smi_fmt_sentence(&d->g, text);
    struct smi_buf b = {0};
    if (d->look.utf8)
        return safe;
    for (size_t n; *safe; safe += n) {
        n = smi_text_utf8(safe, strnlen(safe, 4));
        if (n == 1)
            smi_buf_char(&b, *safe);
        else if (strncmp(safe, "\u00b0", n) != 0)
            smi_buf_char(&b, '?');
    }
    return smi_buf_keep(&b, &d->g.arena);
}

/* Columns that it takes then. */
static int tui_width(struct frame *d, const char *text)
{
    return smi_text_width(tui_safe(d, text));
}

/* Puts text, safe, behind `gap` blanks on the last line; what is beyond column `end` or the edge is cut, with
 * an ellipsis. */
static void tui_put(struct frame *d, int gap, int end, enum smi_style style, const char *text)
{
    struct smi_text_arena *g = &d->g;
    gap = gap > 0 ? gap : 0;
    const int room = (end < d->look.width ? end : d->look.width) - g->column - gap;
    text = room > 0 ? smi_fmt_middle(g, tui_safe(d, text), room, room) : "";
    if (!*text)
        return;
    smi_buf_fmt(g->to, "%*s", gap, "");
    if (style != SMI_STYLE_PLAIN)
        smi_wrap_style(g, style);
    smi_buf_str(g->to, text);
    if (style != SMI_STYLE_PLAIN)
        smi_wrap_style(g, SMI_STYLE_PLAIN);
    g->column += gap + smi_text_width(text);
}

static void tui_next(struct frame *d)
{
    smi_wrap_newline(&d->g);
    d->lines++;
}

/* Puts the parts, and ends the line. */
static void tui_line(struct frame *d, const struct segment *part, size_t n)
{
    int keep = INT_MAX;
    for (;;) {
        int sum = 0, top = 0;
        for (size_t i = 0; i < n; i++) {
            if (!part[i].text || part[i].rank > keep)
                continue;
            sum += (sum ? part[i].gap : 0) + tui_width(d, part[i].text);
            top = part[i].rank > top ? part[i].rank : top;
        }
        if (sum <= d->look.width || top == 0)
            break;
        keep = top - 1;
    }
    for (size_t i = 0; i < n; i++)
        if (part[i].text && part[i].rank <= keep)
            tui_put(d, d->g.column ? part[i].gap : 0, INT_MAX, part[i].style, part[i].text);
    tui_next(d);
}

/* A line of one text. */
static void put_line(struct frame *d, enum smi_style style, const char *text)
{
    tui_line(d, &(struct segment){text, style, 0, 0}, 1);
}

/* Puts the parts as far as there is room up to column `end`, the first in any case, and how many more there
 * are, between these two texts. */
static void put_list(struct frame *d, const struct segment *part, size_t n, int end, const char *before,
                     const char *behind)
{
    for (size_t i = 0; i < n; i++) {
        const char *rest = smi_fmt(&d->g, "%s%zu%s", before, n - i, behind),
                   *more = i + 1 < n ? smi_fmt(&d->g, "%s%zu%s", before, n - i - 1, behind) : "";
        const int room = end - d->g.column - part[i].gap, after = (int)strlen(more);
        const bool fits = tui_width(d, part[i].text) + after <= room;
        const bool none = !fits && i && d->g.column + (int)strlen(rest) <= end;
        if (!none)
            tui_put(d, part[i].gap, fits || room <= after + 8 ? end : end - after, part[i].style,
                    part[i].text);
        if (!fits) {
            tui_put(d, 0, end, SMI_STYLE_PLAIN, none ? rest : more);
            return;
        }
    }
}

/* There are so many lines from now on: those behind them go, and what is missing is empty. */
static void set_lines(struct frame *d, int lines)
{
    const char *p;
    while (d->lines < lines)
        tui_next(d);
    p = d->g.to->p;
    for (int y = 0; y < lines; y++)
        p = strchr(p, '\n') + 1;
    if (p)
        d->g.to->p[d->g.to->n = (size_t)(p - d->g.to->p)] = 0;
    d->lines = lines;
}

/* What alerts of this weight look like. */
static enum smi_style grave_style(bool grave)
{
    return grave ? SMI_RED : SMI_YELLOW;
}

/* "fan 30 %"; NULL: there is no fresh reading. */
static const char *reading_text(struct frame *d, const struct smi_live_gpu *b, unsigned metric,
                                const char *before, const char *unit)
{
    const struct smi_machine_reading *r = smi_machine_shown(d->n, b, metric);
    return r ? smi_fmt(&d->g, "%s%s%s", before, smi_fmt_ratio(&d->g, r->v, 1000000, 0), unit) : NULL;
}

/* ---- which GPUs, and in which order ---- */

/* What a GPU is ordered by: larger first. */
static int64_t sort_weight(const struct smi_machine *n, size_t gpu, int sort)
{
    static const int metric[SMI_VIEW_SORTS] = {-1, SMI_GPU_UTIL, SMI_FB_USED, SMI_POWER, SMI_TEMP_GPU, -1};
    const struct smi_machine_reading *r =
        metric[sort] >= 0 ? smi_machine_reading_of(n, n->gpu[gpu], (unsigned)metric[sort]) : NULL;
    int64_t alerts = 0;
    if (metric[sort] >= 0)
        return r ? r->v : -1;
    for (size_t i = 0; i < n->alerts; i++)
        alerts += n->alert[i].gpu == (int)gpu ? 1 + 1000 * n->alert[i].grave : 0;
    return alerts;
}

/* By insertion: those that are equal stay in their order. */
static void order_by(const struct smi_machine *n, int sort, size_t *place, size_t k)
{
    int64_t w[SMI_MACHINE_GPUS_MAX];
    for (size_t i = 0; i < k; i++) {
        size_t at = place[i], to = i;
        int64_t own = sort_weight(n, at, sort);
        for (; to > 0 && w[to - 1] < own; to--) {
            w[to] = w[to - 1];
            place[to] = place[to - 1];
        }
        w[to] = own;
        place[to] = at;
    }
}

/* Is it the GPU's number, or a piece of what is known of it? */
static bool has_word(struct frame *d, size_t gpu, struct smi_text word)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const char *const of[] = {b->name, b->uuid, b->bus, b->label, smi_machine_remark(&d->g, d->n, gpu)};
    char piece[SMI_VIEW_TYPED];
    int64_t number;
    if (smi_text_parse_micro(word, &number) == 0)
        return number == (int64_t)b->index * 1000000;
    smi_text_copy(piece, sizeof piece, word);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i] && strcasestr(of[i], piece))
            return true;
    return false;
}

static bool passes_filter(struct frame *d, size_t gpu)
{
    bool any = false;
    for (const char *p = d->v->filter + strspn(d->v->filter, " ,"); *p; p += strspn(p, " ,")) {
        const struct smi_text word = {p, strcspn(p, " ,")};
        if (has_word(d, gpu, word))
            return true;
        any = true;
        p += word.n;
    }
    return !any;
}

/* Until another one is chosen, the first window grows with the run: as many minutes as that has lasted, but
 * at least a minute, and so many that there are sixty readings. */
static int64_t grown_window(const struct frame *d)
{
    static const int64_t minutes[] = {1, 2, 3, 5};
    const int64_t chosen = smi_view_window[d->v->window].ms;
    int64_t least = d->n->timed && !d->v->window ? d->n->t_ms - d->n->first_ms : INT64_MAX;
    for (size_t i = 0; i < d->n->gpus; i++)
        least = d->n->gpu[i]->pitch_ms * 60 > least ? d->n->gpu[i]->pitch_ms * 60 : least;
    for (size_t i = 0; i < sizeof minutes / sizeof *minutes; i++)
        if (minutes[i] * 60000 >= least)
            return minutes[i] * 60000;
    return chosen;
}

/* Fills window_ms, place, gpus and mine: of the GPUs that are mine all that have one of the filter's words
 * (separated by blanks or commas: a number, or a piece of name, uuid, bus id or remark). first: those with an
 * alert come first. */
static void tui_order(struct frame *d, bool first)
{
    d->window_ms = grown_window(d);
    d->gpus = d->mine = 0;
    for (size_t i = 0; i < d->n->gpus; i++) {
        d->mine += d->n->gpu[i]->mine;
        if (d->n->gpu[i]->mine && passes_filter(d, i))
            d->place[d->gpus++] = i;
    }
    if (d->v->sort)
        order_by(d->n, d->v->sort, d->place, d->gpus);
    if (first)
        order_by(d->n, SMI_VIEW_SORTS - 1, d->place, d->gpus);
}

/* ---- the GPUs ---- */

#define CELSIUS \
    "\u00b0"    \
    "C"

enum { CELLS = 512, AXIS = 6 /* columns of the numbers on its left */ };

static const char *const blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                     "\u2585", "\u2586", "\u2587", "\u2588"};
static const char *const no_reading[] = {".", "\u00b7"};

/* ---- cells ---- */

static int64_t window_span(const struct frame *d)
{
    return d->window_ms ? d->window_ms : d->n->timed ? d->n->t_ms - d->n->first_ms + 1 : 1;
}

/* Cells of the last window, holes of less than a reading's interval filled. */
static void tui_cells(const struct frame *d, const struct smi_live_gpu *b, enum smi_history_slot slot,
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
static void find_marks(const struct frame *d, size_t gpu, int cells, enum smi_style *mark)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    int64_t slow[CELLS], hot[CELLS], fault[CELLS],
        step = window_span(d) / cells, ms = d->window_ms,
        held = smi_machine_now(d->n) - smi_alert_marks_from(d->n, gpu);
    smi_machine_sparkline(d->n, b, SMI_HISTORY_THERMAL, ms, true, slow, (size_t)cells);
    smi_machine_sparkline(d->n, b, SMI_HISTORY_TEMP, ms, true, hot, (size_t)cells);
    smi_machine_sparkline(d->n, b, SMI_HISTORY_FAULT, ms, true, fault, (size_t)cells);
    for (int i = 0; i < cells; i++) {
        bool waste = slow[i] > 0 || hot[i] >= d->n->condition[SMI_CONDITION_HOT].term->limit ||
                     (cells - i) * step <= held + step / 2;
        mark[i] = fault[i] > 0 ? SMI_RED : waste ? SMI_YELLOW : style_of(b);
    }
}

/* What a GPU's remark looks like: its state, else the gravest alert. */
static enum smi_style remark_style(const struct frame *d, size_t gpu)
{
    for (size_t i = 0; i < d->n->alerts && !d->n->gpu[gpu]->state; i++) /* the gravest first */
        if (d->n->alert[i].gpu == (int)gpu)
            return grave_style(d->n->alert[i].grave);
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

/* A line of cells, one glyph each; 100 % is `most`. */
static const char *spark_text(struct frame *d, size_t gpu, enum smi_history_slot slot, int cells,
                              int64_t most)
{
    /* a level that is low is seen, and is not "none" */
    static const char *const ascii[] = {"_", ",", ":", "-", "=", "+", "*", "#"};
    struct smi_buf b = {0};
    struct smi_text_arena g = {.to = &b, .look = &d->look};
    enum smi_style mark[CELLS], style = SMI_STYLE_PLAIN;
    int64_t v[CELLS];
    tui_cells(d, d->n->gpu[gpu], slot, v, cells);
    find_marks(d, gpu, cells, mark);
    for (int i = 0; i < cells; i++) {
        bool none = v[i] == SMI_NO_READING;
        int64_t level = v[i] <= 0 || most <= 0 ? 0 : (int64_t)((smi_i128)v[i] * 8 / (most + 1));
        put_glyph(&g, &style, none && mark[i] != SMI_RED ? SMI_GREY : mark[i],
                  none ? no_reading[d->look.utf8] : (d->look.utf8 ? blocks : ascii)[level > 7 ? 7 : level]);
    }
    put_glyph(&g, &style, SMI_STYLE_PLAIN, "");
    return smi_buf_keep(&b, &d->g.arena);
}

/* "LAST 10 MIN (25 s a cell)", the part in brackets only if there is room. */
static const char *tui_spark_head(struct frame *d, int cells, int room)
{
    const char *head = smi_view_window[d->v->window].head, *every, *whole;
    int64_t step = window_span(d) / cells;
    if (d->window_ms < smi_view_window[d->v->window].ms)
        head = smi_fmt(&d->g, "LAST %d MIN", (int)(d->window_ms / 60000));
    step -= step >= 10000 && step < 60000 ? step % 1000 : 0;
    every = step < 60000 ? smi_fmt(&d->g, "%s s", smi_fmt_ratio(&d->g, step, 1000, step % 1000 > 0))
                         : smi_fmt_time(&d->g, step);
    whole = smi_fmt(&d->g, "%s (%s a cell)", head, every);
    return smi_text_width(whole) <= room ? whole : head;
}

/* ---- tall graphs ---- */

static int64_t largest(const int64_t *v, int cells)
{
    int64_t most = 0;
    for (int i = 0; i < cells; i++) /* SMI_NO_READING is less */
        most = v[i] > most ? v[i] : most;
    return most;
}

/* Cells that have a reading each, and how many columns one takes. */
static int cells_for(const struct frame *d, const struct smi_live_gpu *b, int width, int *columns)
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

/* A title, then `lines` of the graph. */
static void put_graph(struct frame *d, int lines, size_t gpu, const struct smi_gpu_cell *g)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const struct smi_machine_reading *r = smi_machine_shown(d->n, b, g->metric);
    int width = d->look.width > AXIS ? d->look.width - AXIS : 1, columns,
        cells = cells_for(d, b, width, &columns);
    enum smi_style mark[CELLS], style = SMI_STYLE_PLAIN;
    struct smi_machine_figures whole = {0};
    struct smi_history_sum sum = {0};
    int64_t v[CELLS], top, most, ms = d->window_ms, end = smi_machine_gpu_now(d->n, b) + 1;
    tui_cells(d, b, g->slot, v, cells);
    most = largest(v, cells);
    top = most > 100 * g->scale ? most : 100 * g->scale;
    if (g->most && b->latest[g->most].has && b->latest[g->most].v > 0)
        top = b->latest[g->most].v;
    find_marks(d, gpu, cells, mark);
    /* the largest reading of the window, not of means: never less than the one that stands beside it */
    if (ms)
        smi_history_sum_between(&b->ring[g->slot], end - ms, end, ms > SMI_HISTORY_FINE * SMI_HISTORY_FINE_MS,
                                &sum, NULL);
    else
        smi_machine_whole_run(d->n, b, g->metric, &whole);
    most = sum.n && sum.max > most ? sum.max : most;
    most = whole.n && whole.max > most ? whole.max : most;
    most = r && r->v > most ? r->v : most;
    const struct segment title[] = {
        {g->label, SMI_BOLD, 0, 0},
        {r ? smi_fmt(&d->g, "%s %s", smi_fmt_ratio(&d->g, r->v, g->scale, g->digits), g->unit) : "-",
         r ? SMI_STYLE_PLAIN : SMI_GREY, 1, 0},
        {most > 0 ? smi_fmt(&d->g, "most %s", smi_fmt_ratio(&d->g, most, g->scale, g->digits)) : NULL,
         SMI_GREY, 3, 0}};
    tui_line(d, title, 3);
    for (int y = lines - 1; y >= 0; y--) {
        const char *axis = y == lines - 1 ? smi_fmt_ratio(&d->g, top, g->scale, 0) : y ? "" : "0";
        tui_put(d, 0, AXIS, SMI_GREY, smi_fmt(&d->g, "%*s ", AXIS - 1, axis));
        for (int i = 0; i < cells && d->look.width > AXIS; i++) {
            int64_t eighths = v[i] <= 0 ? 0 : (int64_t)((smi_i128)v[i] * 8 * lines / top);
            const bool none = v[i] == SMI_NO_READING;
            eighths = eighths > 8 * (int64_t)lines ? 8 * (int64_t)lines : eighths < 1 ? 1 : eighths;
            eighths -= (int64_t)y * 8; /* in this line of the cell */
            const char *glyph = none           ? y || !d->look.utf8 ? " " : no_reading[1]
                                          : eighths < 1 ? " "
                                : d->look.utf8 ? blocks[eighths > 8 ? 7 : eighths - 1]
                                : eighths > 4  ? "#"
                                : eighths > 1  ? ":"
                                               : ".";
            for (int k = 0; k < columns; k++)
                put_glyph(&d->g, &style, none ? SMI_GREY : mark[i], glyph);
        }
        put_glyph(&d->g, &style, SMI_STYLE_PLAIN, "");
        tui_next(d);
    }
}

/* ---- one GPU ---- */

/* "GPU 4  H100 80GB HBM3  61 °C  1755 MHz  ...  idle 6m12s" */
static void put_title(struct frame *d, size_t gpu, bool detail)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const char *remark = smi_machine_remark(&d->g, d->n, gpu);
    const struct segment part[] = {
        {b->label, SMI_BOLD, 0, 0},
        {detail ? b->name : NULL, SMI_STYLE_PLAIN, 2, 1},
        {*remark ? remark : NULL, remark_style(d, gpu), 2, 0},
        {reading_text(d, b, SMI_TEMP_GPU, "", " " CELSIUS), SMI_STYLE_PLAIN, 3, 2},
        {reading_text(d, b, SMI_CLK_SM, "", " MHz"), SMI_STYLE_PLAIN, 3, 3},
        {reading_text(d, b, SMI_FAN, "fan ", " %"), SMI_STYLE_PLAIN, 3, 6},
        {reading_text(d, b, SMI_MEM_UTIL, "memory busy ", " %"), SMI_STYLE_PLAIN, 3, 4},
        {reading_text(d, b, SMI_PSTATE, "P", ""), SMI_STYLE_PLAIN, 3, 5},
        {detail ? b->uuid : NULL, SMI_GREY, 3, 8},
        {detail ? b->bus : NULL, SMI_GREY, 3, 7},
        {tui_spark_head(d, 1, 0), SMI_GREY, 3, 2},
    };
    tui_line(d, part, sizeof part / sizeof *part);
}

/* Which reasons hold the clocks down now, of those that the driver tells. */
static void put_throttle(struct frame *d, const struct smi_live_gpu *b)
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
    const struct segment part[] = {{"clocks held down by", SMI_BOLD, 0, 0},
                                   {text, known ? SMI_STYLE_PLAIN : SMI_GREY, 2, 0}};
    tui_line(d, part, 2);
}

/* The processes on this GPU, those with the most memory first: `most` of them. Returns how many there are. */
static size_t find_procs(const struct frame *d, const struct smi_live_gpu *b,
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
static void put_procs(struct frame *d, int lines, const struct smi_live_gpu *b)
{
    const struct smi_gpu_process *p[PROC_LINES];
    size_t all = find_procs(d, b, p, PROC_LINES);
    const int shown = all < (size_t)lines ? (int)all : lines - 1;
    const char *known = all ? smi_fmt(&d->g, "%zu", all) : "not known (live --apps asks for them)";
    for (size_t i = 0; i < d->n->sources && !all; i++)
        if (d->n->source[i]->format >= 0 && smi_format_infos[d->n->source[i]->format].procs &&
            d->n->source[i]->state == SMI_SOURCE_READING)
            known = "none";
    const struct segment none[] = {{"processes", SMI_BOLD, 0, 0}, {known, SMI_GREY, 2, 0}},
                         head[] = {{"      PID       GiB  PROCESS", SMI_BOLD, 0, 0},
                                   {all > (size_t)shown ? smi_fmt(&d->g, "1-%d of %zu", shown, all) : NULL,
                                    SMI_GREY, 3, 0}};
    tui_line(d, shown < 1 ? none : head, 2);
    for (int i = 0; i < shown; i++) {
        const char *gib = p[i]->fb >= 0 ? smi_fmt_ratio(&d->g, p[i]->fb, (smi_i128)1024 * 1000000, 1) : "-";
        tui_put(d, 0, INT_MAX, SMI_STYLE_PLAIN,
                smi_fmt(&d->g, "%9lld%10s  %s", (long long)p[i]->pid, gib, *p[i]->name ? p[i]->name : "-"));
        tui_next(d);
    }
}

/* The page of one GPU: at most so many lines; detail: with temperature, clock, throttling and processes. */
static void tui_gpu(struct frame *d, int lines, size_t gpu, bool detail)
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
static const char *bar_text(struct frame *d, int64_t micro_pct)
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
static void add_gpu_row(struct frame *d, struct smi_report_table *t, size_t gpu, int cells)
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
    row[COL_GPU].text = tui_safe(d, smi_fmt_safe(&d->g, smi_machine_gpu_name(&d->g, d->n, b)));
    row[COL_BAR].text = use ? bar_text(d, use->v) : "";
    row[COL_SPARK].text = cells ? spark_text(d, gpu, SMI_HISTORY_UTIL, cells, 100000000) : "";
    row[COL_PCIE].text =
        rates || link
            ? smi_fmt(&d->g, rates ? "%s/%s" : "%sx%s",
                      smi_machine_value(&d->g, rates ? rx : gen, rates ? 1000000000 : 1000000, rates),
                      smi_machine_value(&d->g, rates ? tx : lanes, rates ? 1000000000 : 1000000, rates))
            : "-";
    row[COL_REMARK].text = tui_safe(d, smi_fmt_safe(&d->g, smi_machine_remark(&d->g, d->n, gpu)));
    for (size_t i = 0, c = COL_NOW; i < SMI_GPU_CELLS; c = COL_VRAM + i++) {
        row[c].text = smi_machine_cell(&d->g, d->n, b, i, d->look.width >= 60);
        marked[c] = smi_gpu_cells[i].mark;
    }
    for (int c = 0; c < COLUMNS; c++) {
        const struct smi_alert *a = smi_alert_marking(d->n, gpu, marked[c]);
        row[c].style = a                 ? grave_style(a->grave)
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
static void make_table(struct frame *d, struct smi_report_table *t, size_t from, size_t k, bool powers,
                       bool drawn)
{
    const int width = d->look.width, cells = width >= WIDE     ? SPARK_WIDE
                                             : width >= MIDDLE ? SPARK
                                                               : SPARK_NARROW;
    const bool wide = width >= WIDE, middle = width >= MIDDLE;
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
    for (size_t i = from; i < from + k; i++) {
        add_gpu_row(d, t, d->place[i], drawn ? cells : 0);
        if (!powers)
            continue;
        /* power, under the use: as a share of its limit, or, where that is not known, of the most there was
         */
        const struct smi_live_gpu *b = d->n->gpu[d->place[i]];
        const struct smi_machine_reading *limit = &b->latest[SMI_POWER_LIMIT];
        struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
        int64_t v[SPARK_WIDE];
        tui_cells(d, b, SMI_HISTORY_POWER, v, cells);
        row[COL_NOW] = (struct smi_table_cell){.text = "power", .style = SMI_GREY};
        row[COL_SPARK].text =
            spark_text(d, d->place[i], SMI_HISTORY_POWER, cells, limit->has ? limit->v : largest(v, cells));
    }
    smi_table_leave(t, REMARK, 0);
    if (t->col[COL_BAR].hidden)
        t->row[0][COL_NOW].text = "NOW    ";
    for (size_t r = 1; powers && t->col[COL_SPARK].hidden && r < t->rows; r++)
        if (!t->row[r][0].text)
            t->row[r][COL_NOW].text = NULL;
    for (int c = 0; c < COLUMNS; c++)
        t->col[c].left = false; /* it is no news to the reader */
}

/* The table: a head, then `rows` GPUs from v->scroll on, each with a line of its power if powers. */
static void tui_table(struct frame *d, int rows, bool powers)
{
    size_t from = (size_t)d->v->scroll, k = d->gpus - from < (size_t)rows ? d->gpus - from : (size_t)rows;
    struct smi_report_table t;
    struct smi_buf *to = d->g.to, b = {0};
    const char *more = smi_fmt(&d->g, " %zu-%zu of %zu", from + 1, from + k, d->gpus),
               *longer = smi_fmt(&d->g, "%s, arrows scroll", more);
    d->g.to = &b;
    make_table(d, &t, from, k, powers, true);
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
            tui_put(d, width - d->g.column - (int)strlen(more), INT_MAX, SMI_GREY, more);
        }
        tui_next(d);
    }
    smi_buf_fini(&b);
}

/* ---- remarks that have no column ---- */

/* Remarks on at most so many lines; count: they are not written. Returns the number of lines. */
static int tui_remarks(struct frame *d, int lines, bool count)
{
    int x = 0, used = 0;
    for (size_t i = 0; i < d->gpus; i++) {
        const char *remark = smi_machine_remark(&d->g, d->n, d->place[i]), *text;
        int w;
        if (!*remark)
            continue;
        text = smi_fmt(&d->g, "%s: %s", d->n->gpu[d->place[i]]->label, remark);
        w = tui_width(d, text);
        if (used == 0 || x + 3 + w > d->look.width) {
            if (used == lines)
                break;
            if (used && !count)
                tui_next(d);
            used++;
            x = 0;
        }
        if (!count)
            tui_put(d, x ? 3 : 0, INT_MAX, remark_style(d, d->place[i]), text);
        x += w + (x ? 3 : 0);
    }
    if (used && !count)
        tui_next(d);
    return used;
}

/* Do remarks stand under the table, and in how many lines? */
static int tui_remark_lines(struct frame *d)
{
    struct smi_report_table t;
    make_table(d, &t, 0, d->gpus, false, false);
    return t.col[COL_REMARK].hidden ? tui_remarks(d, INT_MAX, true) : 0;
}

/* ---- pages ---- */

static void tui_help(struct frame *d, int lines)
{
    static const struct {
        const char *key, *text;
    } help[] = {
        {"p", "freeze the display; recording continues"},
        {"space", "pause or continue a replay"},
        {"s", "sort GPUs by index, use, VRAM, power, temperature, or alerts first"},
        {"g", "one GPU: graphs, throttle reasons, processes; arrows or 0-9: another GPU"},
        {"w", "time range: the last minute, 10 minutes, hour, or the whole run"},
        {"a", "all alerts and events"},
        {"/", "show only GPUs whose number, name or note contains a text; esc: all"},
        {"e", "put a mark into the recording; asks for its name"},
        {"arrows", "scroll if there are more GPUs than lines"},
        {"q", "quit, as ctrl-C does; the recording is closed properly"},
        {"", ""},
        {"!", "something is wasted or broken; the alert line explains it"},
        {"yellow", "paid for but not used, or slowed down"},
        {"red", "broken or lost"},
        {"grey", "old or unknown; a value is never shown as newer than it is"},
        {"-", "no reading"},
    };
    int k = (int)(sizeof help / sizeof *help), from = d->v->scroll;
    d->v->scroll_most = k > lines ? k - lines : 0;
    for (int i = from; i < k && i - from < lines; i++) {
        tui_put(d, 0, INT_MAX, SMI_BOLD, help[i].key);
        tui_put(d, 8 - d->g.column, INT_MAX, SMI_STYLE_PLAIN, help[i].text);
        tui_next(d);
    }
}

/* The last events, newest first; skip: so many newer ones. */
static void tui_events(struct frame *d, int lines, int skip)
{
    const struct smi_machine *n = d->n;
    int64_t oldest = n->events > SMI_MACHINE_EVENTS_MAX ? n->events - SMI_MACHINE_EVENTS_MAX : 0;
    for (int64_t i = n->events - 1 - skip; i >= oldest && lines > 0; i--, lines--) {
        const struct smi_event *e = &n->event[i % SMI_MACHINE_EVENTS_MAX];
        const enum smi_style style = e->kind == SMI_EVENT_ERROR  ? SMI_RED
                                     : e->kind == SMI_EVENT_WARN ? SMI_YELLOW
                                                                 : SMI_STYLE_PLAIN;
        const char *kind = smi_event_kinds[e->kind];
        const struct segment part[] = {{smi_machine_clock(&d->g, n, e->t_ms), SMI_STYLE_PLAIN, 0, 0},
                                       {kind, style, 2, 0},
                                       {e->text, SMI_STYLE_PLAIN, 7 - (int)strlen(kind), 0}};
        tui_line(d, part, 3);
    }
}

static void tui_alerts(struct frame *d, int lines)
{
    const struct smi_machine *n = d->n;
    const int end = d->lines + lines,
              all = (int)n->alerts + 2 +
                    (int)(n->events < SMI_MACHINE_EVENTS_MAX ? n->events : SMI_MACHINE_EVENTS_MAX);
    int i;
    d->v->scroll_most = all > lines ? all - lines : 0;
    for (i = d->v->scroll; i < (int)n->alerts && d->lines < end; i++) {
        const struct smi_alert *a = &n->alert[i];
        const struct segment part[] = {{smi_machine_clock(&d->g, n, a->from_ms), SMI_STYLE_PLAIN, 0, 0},
                                       {a->text, grave_style(a->grave), 2, 0}};
        tui_line(d, part, 2);
    }
    if (n->alerts == 0 && d->v->scroll == 0 && d->lines < end)
        put_line(d, SMI_STYLE_PLAIN, "no rule holds");
    if (i <= (int)n->alerts && d->lines < end - 1) {
        tui_next(d);
        put_line(d, SMI_BOLD, "WHAT HAPPENED");
    }
    tui_events(d, end - d->lines, d->v->scroll > (int)n->alerts + 2 ? d->v->scroll - (int)n->alerts - 2 : 0);
}

/* ---- the last line ---- */

static void prompt_text(struct frame *d)
{
    const bool filter = d->v->asks == SMI_VIEW_PROMPT_FILTER, narrow = d->look.width < NARROW;
    const char *typed = tui_safe(d, d->v->typed);
    tui_put(d, 0, INT_MAX, SMI_BOLD,
            filter   ? narrow ? "/" : "filter (a GPU's number, name or remark): "
            : narrow ? "mark: "
                     : "mark (a word for the record): ");
    typed = smi_fmt_middle(&d->g, typed, d->look.width - d->g.column - 1, 0);
    tui_put(d, 0, INT_MAX, SMI_STYLE_PLAIN, typed);
    tui_put(d, 0, INT_MAX, SMI_BOLD, "_");
    tui_next(d);
}

static void key_hints(struct frame *d)
{
    bool wide = d->look.width >= MIDDLE;
    const char *window = smi_fmt(&d->g, wide ? "w window %s" : "w %s", smi_view_window[d->v->window].key);
    const char *sort = d->v->sort ? smi_fmt(&d->g, "s by %s", smi_view_sort[d->v->sort]) : "s sort";
    const char *filter =
        *d->v->filter ? smi_fmt(&d->g, "/ %s", smi_fmt_middle(&d->g, d->v->filter, 16, 12)) : "/ filter";
    const struct segment main[] = {
        {"? help", SMI_GREY, 0, 1},
        {"p pause", SMI_GREY, 2, 6},
        {d->a->space ? "space hold" : NULL, SMI_GREY, 2, 3},
        {sort, SMI_GREY, 2, 8},
        {wide ? "g GPU detail" : "g GPU", SMI_GREY, 2, 4},
        {window, SMI_GREY, 2, 5},
        {"a alerts", SMI_GREY, 2, 2},
        {filter, SMI_GREY, 2, 7},
        {d->a->no_marks ? NULL : "e mark", SMI_GREY, 2, 9},
        {"q quit", SMI_GREY, 2, 0},
    };
    const struct segment other[] = {
        {"esc back", SMI_GREY, 0, 1},
        {d->v->page == SMI_VIEW_GPU ? "arrows, 0-9 other GPUs" : NULL, SMI_GREY, 2, 2},
        {d->v->page == SMI_VIEW_GPU ? window : NULL, SMI_GREY, 2, 3},
        {"q quit", SMI_GREY, 2, 0},
    };
    if (d->v->page == SMI_VIEW_MAIN)
        tui_line(d, main, sizeof main / sizeof *main);
    else
        tui_line(d, other, sizeof other / sizeof *other);
}

/* ---- figures: five minutes and the whole run ---- */

/* "PSI cpu 2 %, io 0 %": what tasks waited for, as much of it as has room in so many columns; NULL: nothing.
 */
static const char *pressure_text(struct frame *d, bool brief, int room)
{
    static const struct {
        unsigned metric;
        const char *name;
    } of[] = {{SMI_PSI_CPU, "cpu "}, {SMI_PSI_MEM, "memory "}, {SMI_PSI_IO, "io "}};
    const char *text = NULL, *longer;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const char *one = reading_text(d, &d->n->host, of[i].metric, of[i].name, " %");
        if (!one || (brief && of[i].metric == SMI_PSI_MEM))
            continue;
        longer = smi_fmt(&d->g, "%s%s", text ? smi_fmt(&d->g, "%s, ", text) : "PSI ", one);
        text = (int)strlen(longer) <= room ? longer : text;
    }
    return text;
}

/* Their head, and a line for each. */
static void tui_figures(struct frame *d)
{
    static const int end[SMI_FIGURES] = {27, 33, 39, 59, 65, 71}; /* of the columns */
    struct smi_figure_row row[1 + SMI_FIGURE_ROWS] = {
        {"", false, {"5 MIN mean", "p95", "max", "WHOLE RUN mean", "p95", "max"}}};
    const size_t rows = 1 + smi_machine_figure_rows(&d->g, d->n, row + 1);
    const char *wait = pressure_text(d, true, d->look.width - 73);
    for (size_t i = 0; i < rows; i++) {
        const enum smi_style style = i ? SMI_STYLE_PLAIN : SMI_BOLD;
        tui_put(d, 0, INT_MAX, style, row[i].label);
        for (int c = 0; c < SMI_FIGURES && end[c] <= d->look.width; c++) {
            const int gap = end[c] - d->g.column - (int)strlen(row[i].figure[c]);
            tui_put(d, gap > 0 ? gap : 1, INT_MAX, style, row[i].figure[c]);
        }
        tui_put(d, 2, INT_MAX, style, wait && row[i].of_host ? wait : "");
        tui_next(d);
    }
}

/* RunLogs write a phase when it ends: the last one that did, and those before it. */
static void tui_phase(struct frame *d)
{
    const struct smi_machine_phase *p = d->n->phase;
    struct segment part[SMI_MACHINE_PHASES] = {{.gap = 1}};
    const char *ended = smi_machine_clock(&d->g, d->n, p->end_ms), *ms = smi_fmt_time(&d->g, p->ms);
    part->text = p->times > 1
                     ? smi_fmt(&d->g, "ended %s, %lld times %s in all", ended, (long long)p->times, ms)
                     : smi_fmt(&d->g, "ended %s after %s", ended, ms);
    for (size_t i = 1; i < d->n->phases; i++)
        part[i].text = smi_fmt(&d->g, "%s%s %s", i == 1 ? "     before: " : ", ", p[i].name,
                               smi_fmt_time(&d->g, p[i].ms));
    tui_put(d, 0, INT_MAX, SMI_STYLE_PLAIN, "phase");
    tui_put(d, 3, INT_MAX, SMI_BOLD, p->name);
    put_list(d, part, d->n->phases, d->look.width, ", +", " more");
    tui_next(d);
}

/* ---- monitors ---- */

static const char *state_of(struct frame *d, const struct smi_live_source *s)
{
    const char *name = smi_file_name(s->name);
    const char *text =
        strcmp(s->name, "cpu") == 0 ? "CPU" : smi_fmt_middle(&d->g, *name ? name : s->name, 24, 12);
    if (s->state == SMI_SOURCE_READING)
        return s->interval_ms && (s->format < 0 || smi_format_infos[s->format].rows)
                   ? smi_fmt(&d->g, "%s %s s", text, smi_fmt_ratio(&d->g, s->interval_ms, 1000, 1))
                   : text;
    return smi_fmt(&d->g, "%s %s%s%s%s", text, smi_source_states[s->state], *s->why ? " (" : "",
                   smi_fmt_middle(&d->g, s->why, 36, 34), *s->why ? ")" : "");
}

static bool is_bad(const struct smi_live_source *s)
{
    return s->state == SMI_SOURCE_DOWN || s->state == SMI_SOURCE_SILENT;
}

/* Monitors: the bad ones first, in red; then the others, as far as there is room; and our own use. */
static void tui_sources(struct frame *d)
{
    const struct smi_machine *n = d->n;
    struct segment *part = smi_arena_new(&d->g.arena, n->sources + 1, sizeof *part);
    const char *ended = smi_machine_ended(&d->g, n);
    const struct smi_tui_info *a = d->a;
    const int width = d->look.width;
    const bool known = a->cpu_micro >= 0 && n->sources && width >= NARROW;
    const char *cpu = smi_fmt_ratio(&d->g, a->cpu_micro, 10000, 1),
               *mib = smi_fmt_ratio(&d->g, a->memory_kib, 1024, 1),
               *own = known ? smi_fmt(&d->g, "smilog %s %%, %s MiB", cpu, mib) : "",
               *longer = smi_fmt(&d->g, "smilog uses %s %% of a core, %s MiB", cpu, mib);
    const int end = width - (known ? (int)strlen(own) + 3 : 0);
    size_t ok = 0, all = 0;
    for (int bad = 1; bad >= 0; bad--)
        for (size_t i = 0; i < n->sources; i++) {
            if (is_bad(n->source[i]) != bad || n->source[i]->state == SMI_SOURCE_ENDED)
                continue;
            ok += n->source[i]->state == SMI_SOURCE_READING;
            part[all] = (struct segment){smi_fmt(&d->g, "%s%s", all ? ", " : "", state_of(d, n->source[i])),
                                         bad ? SMI_RED : SMI_STYLE_PLAIN, 0, 0};
            all++;
        }
    if (!ended || all)
        tui_put(d, 0, end, SMI_STYLE_PLAIN, smi_fmt(&d->g, ok < all ? "%s: " : "%s ok: ", d->a->sources));
    put_list(d, part, all, end, ", +", " more");
    if (ended)
        tui_put(d, 0, end, all ? SMI_GREY : SMI_STYLE_PLAIN, smi_fmt(&d->g, all ? "; %s" : "%s", ended));
    if (known && width >= MIDDLE && d->g.column + 5 + (int)strlen(longer) <= width)
        own = longer;
    const int gap = width - d->g.column - (int)strlen(own);
    tui_put(d, gap < 5 ? gap : 5, INT_MAX, SMI_STYLE_PLAIN, own);
    tui_next(d);
}

/* Instead of GPUs: why there are none, and what to do. */
static void tui_no_gpus(struct frame *d, int lines)
{
    const struct smi_machine *n = d->n;
    const int end = d->lines + lines;
    if (d->mine) {
        put_line(d, SMI_STYLE_PLAIN,
                 smi_fmt(&d->g, "no GPU of %zu is, or says, \"%s\" (esc: all)", d->mine, d->v->filter));
        tui_next(d);
        return;
    }
    put_line(d, SMI_BOLD,
             n->gpus ? "no GPU here is the job's own (CUDA_VISIBLE_DEVICES); --gpus all shows them"
                     : "no reading of a GPU so far");
    for (size_t i = 0; i < n->sources && d->lines < end - 1 && !n->gpus; i++) {
        const struct smi_live_source *s = n->source[i];
        if (s->format == SMI_FMT_CPU)
            continue;
        tui_put(d, 2, INT_MAX, is_bad(s) ? SMI_RED : SMI_STYLE_PLAIN,
                smi_fmt(&d->g, "%-6s %s%s%s", s->name,
                        s->state == SMI_SOURCE_READING ? "reads, but has shown no GPU"
                                                       : smi_source_states[s->state],
                        *s->why ? ": " : "", s->why));
        tui_next(d);
    }
    if (d->a->hint && d->lines < end)
        put_line(d, SMI_GREY, d->a->hint);
    tui_next(d);
}

/* ---- the lines on top ---- */

static void tui_head(struct frame *d)
{
    const struct smi_tui_info *a = d->a;
    const int64_t s = d->n->timed ? (d->n->t_ms - d->n->first_ms) / 1000 : 0;
    const char *dir = a->recording;
    char zone[SMI_CLOCK_TEXT];
    const char *every =
        a->interval_ms ? smi_fmt(&d->g, "every %s s",
                                 smi_fmt_ratio(&d->g, a->interval_ms, 1000, a->interval_ms % 1000 ? 2 : 0))
                       : NULL;
    smi_clock_write_zone(zone, d->n->o.offset_s);
    const struct segment part[] = {
        {a->what, SMI_BOLD, 0, 0},
        {a->host && *a->host ? smi_fmt_middle(&d->g, a->host, 24, 12) : NULL, SMI_STYLE_PLAIN, 2, 4},
        {smi_machine_models(&d->g, d->n), SMI_STYLE_PLAIN, 2, 3},
        {every, SMI_STYLE_PLAIN, 2, 6},
        {d->n->timed ? smi_machine_clock(&d->g, d->n, d->n->t_ms) : NULL, SMI_STYLE_PLAIN, 2, 1},
        {d->n->timed ? smi_fmt(&d->g, "UTC%s", d->n->o.offset_s ? zone : "") : NULL, SMI_STYLE_PLAIN, 1, 5},
        {d->v->paused ? "PAUSED" : NULL, SMI_BOLD, 2, 0},
        {a->note, SMI_BOLD, 2, 0},
        {!dir ? NULL
              : smi_fmt(&d->g, "recording %s%s %02lld:%02lld:%02lld", smi_fmt_middle(&d->g, dir, 40, 12),
                        dir[strlen(dir) - (*dir != 0)] == '/' ? "" : "/", (long long)(s / 3600),
                        (long long)(s / 60 % 60), (long long)(s % 60)),
         SMI_STYLE_PLAIN, 3, 2},
    };
    tui_line(d, part, sizeof part / sizeof *part);
}

/* Always there: the eye goes there first. As many alerts as have room, and how many more there are. */
static void alert_line(struct frame *d)
{
    const struct smi_machine *n = d->n;
    struct segment *part = smi_arena_new(&d->g.arena, n->alerts + 1, sizeof *part);
    const bool grave = n->alerts && n->alert[0].grave;
    const char *sign = grave && !d->a->color ? "!!" : d->look.utf8 ? "\u25b2" : "!";
    tui_put(d, 0, INT_MAX, n->alerts ? grave_style(grave) : SMI_BOLD,
            n->alerts ? smi_fmt(&d->g, "%s %zu ALERT%s", sign, n->alerts, n->alerts == 1 ? "" : "S")
                      : "no alerts");
    for (size_t i = 0; i < n->alerts; i++)
        part[i] = (struct segment){n->alert[i].text, grave_style(n->alert[i].grave), i ? 4 : 3, 0};
    put_list(d, part, n->alerts, d->look.width, "  +", " (a)");
    tui_next(d);
}

/* With a word before it. */
static const char *with_word(struct frame *d, const char *word, const char *text)
{
    return text ? smi_fmt(&d->g, "%s%s", word, text) : NULL;
}

static void tui_sums(struct frame *d)
{
    const bool narrow = d->look.width < MIDDLE;
    const int gap = narrow ? 2 : 3;
    const char *text[SMI_TOTALS];
    smi_machine_total_texts(&d->g, d->n, text);
    const struct segment part[] = {
        {d->mine > 1 ? "all GPUs"
         : d->mine   ? "GPU"
                     : NULL,
         SMI_BOLD, 0, 0},
        {text[SMI_TOTAL_USE], SMI_BOLD, narrow ? 2 : 5, 0},
        {text[SMI_TOTAL_MEMORY], SMI_BOLD, gap, 1},
        {text[SMI_TOTAL_POWER], SMI_BOLD, gap, 2},
        {with_word(d, narrow ? "" : "energy ", text[SMI_TOTAL_ENERGY]), SMI_BOLD, gap, 4},
        {with_word(d, "idle ", text[SMI_TOTAL_IDLE]), SMI_BOLD, gap, 3},
        {with_word(d, "CPU ", text[SMI_TOTAL_CPU]), SMI_BOLD, gap, 5},
    };
    tui_line(d, part, sizeof part / sizeof *part);
}

static void tui_host(struct frame *d)
{
    const char *cpu = reading_text(d, &d->n->host, SMI_CPU_PCT, "CPU ", " %"),
               *ram = reading_text(d, &d->n->host, SMI_RAM_PCT, "RAM ", " %");
    const struct segment part[] = {
        {"host", SMI_STYLE_PLAIN, 0, 0},
        {cpu, SMI_STYLE_PLAIN, 4, 1},
        {ram, SMI_STYLE_PLAIN, 3, 2},
        {pressure_text(d, false, d->look.width), SMI_STYLE_PLAIN, 3, 3},
        {!cpu && !ram ? "no reading" : NULL, SMI_GREY, 4, 1},
    };
    tui_line(d, part, sizeof part / sizeof *part);
}

/* ---- sharing out the lines ---- */

enum { FIGURES = 5, EVENTS = 5, GRAPHS_LEAST = 10, GRAPHS_GOOD = 13, GRAPHS_FROM = 22, GRAPHS_MOST = 34 };

/* Takes k lines of *rest if they are there. */
static bool take_line(int *rest, int k)
{
    if (*rest < k)
        return false;
    *rest -= k;
    return true;
}

/* What there is to say goes in this order where lines are scarce: the 5-minute table, old events, the
 * monitors, the host; GPUs never. One GPU has graphs in the place of the table. */
static void draw_main_page(struct frame *d, int height, int end)
{
    const struct smi_machine *n = d->n;
    const int lines = end - d->lines, gpus = (int)d->gpus,
              most = n->events < EVENTS ? (int)n->events : EVENTS;
    const bool alone = d->mine == 1 && gpus == 1 && lines >= GRAPHS_LEAST + 2 && d->look.width >= 40,
               table = gpus && !alone;
    int rest = lines, rows = gpus, remarks = table ? tui_remark_lines(d) : 0,
        graphs = lines >= GRAPHS_FROM ? GRAPHS_GOOD : GRAPHS_LEAST, figures = 0, events = 0,
        blanks = 0 /* above events, figures, GPUs, and monitors */, y;
    bool host = false, sources = false, phase = false, powers = false;
    if (table && !take_line(&rest, 1 + gpus)) {
        remarks = rest <= 4 ? 0 : remarks > 1 ? 1 : remarks;
        rows = rest - 1 - remarks > 1 ? rest - 1 - remarks : 1;
        tui_order(d, true);
    } else {
        remarks = remarks > rest ? rest : remarks;
        rest -= remarks + (alone ? graphs : 0);
        host = n->host.seen && take_line(&rest, 1);
        sources = take_line(&rest, 1);
        phase = n->phases > 0;
        if (d->mine && rest + host >= FIGURES + most + phase + 1) { /* and a blank */
            figures = FIGURES;
            rest += host - FIGURES;
            host = false;
        }
        phase = phase && take_line(&rest, 1);
        events = rest > most ? most : rest > 1 ? rest - 1 : 0;
        rest -= events;
        powers = table && gpus <= 8 && height >= TALL && take_line(&rest, gpus);
        blanks = rest < 4 ? rest : 4;
        rest -= blanks;
        if (alone) /* what is left, in thirds */
            graphs += (rest > GRAPHS_MOST - graphs ? GRAPHS_MOST - graphs : rest) / 3 * 3;
        else /* as many older ones as there is room */
            events += n->events - events < rest ? (int)(n->events - events) : rest;
    }
    d->v->scroll_most = gpus - rows;
    d->v->scroll = d->v->scroll > d->v->scroll_most ? d->v->scroll_most : d->v->scroll;
    set_lines(d, d->lines + (blanks > 2));
    y = d->lines + (alone ? graphs : 1 + rows * (1 + powers) + remarks);
    if (alone)
        tui_gpu(d, graphs, d->place[0], false);
    else if (table)
        tui_table(d, rows, powers);
    else
        tui_no_gpus(d, end - d->lines);
    tui_remarks(d, remarks, false);
    if (gpus)
        set_lines(d, y);
    y = d->lines + ((figures || host) && blanks > 1);
    set_lines(d, y);
    if (figures)
        tui_figures(d);
    else if (host)
        tui_host(d);
    set_lines(d, y + figures + host + ((phase || events) && blanks > 0));
    if (phase)
        tui_phase(d);
    end -= sources;
    tui_events(d, events < end - d->lines ? events : end - d->lines, 0);
    set_lines(d, end);
    if (sources)
        tui_sources(d);
}

/* What is asked for, said, or which keys there are. */
static void draw_last_line(struct frame *d)
{
    if (d->v->asks)
        prompt_text(d);
    else if (*d->v->said)
        put_line(d, SMI_BOLD, d->v->said);
    else if (d->v->paused)
        put_line(d, SMI_BOLD,
                 d->a->recording ? "paused: any key goes on, q quits; the recording goes on meanwhile"
                                 : "paused: any key goes on, q quits");
    else
        key_hints(d);
}

/* Tiny terminals: the alert line goes last. */
void smi_tui_frame(struct smi_buf *to, int width, int height, bool utf8, const struct smi_machine *n,
                   const struct smi_tui_info *a, struct smi_view *v)
{
    const int h = height < 1 ? 1 : height > SMI_TUI_MOST ? SMI_TUI_MOST : height, end = h - (h >= 6);
    struct smi_buf lines = {0};
    struct frame d = {.n = n, .a = a, .v = v, .look = {.utf8 = utf8, .color = true}};
    d.look.width = width < 1 ? 1 : width > SMI_TUI_MOST ? SMI_TUI_MOST : width;
    d.g.look = &d.look;
    d.g.to = &lines;
    if (v->page == SMI_VIEW_GPU && v->gpu >= n->gpus)
        v->page = SMI_VIEW_MAIN;
    tui_order(&d, false);
    if (h >= 3)
        tui_head(&d);
    alert_line(&d);
    if (h >= 5)
        tui_sums(&d);
    if (v->page != SMI_VIEW_MAIN && h > 20)
        tui_next(&d);
    if (v->page == SMI_VIEW_HELP)
        tui_help(&d, end - d.lines);
    else if (v->page == SMI_VIEW_ALERTS)
        tui_alerts(&d, end - d.lines);
    else if (v->page == SMI_VIEW_GPU)
        tui_gpu(&d, end - d.lines, v->gpu, true);
    else
        draw_main_page(&d, h, end);
    set_lines(&d, h - (h >= 6 || v->asks || *v->said));
    if (d.lines < h)
        draw_last_line(&d);
    smi_buf_add(to, lines.p, lines.n);
    smi_buf_fini(&lines);
    smi_arena_fini(&d.g.arena);
}

/* ---- at once ---- */

enum { WIDTH = 160 /* where nobody says how wide it is: in a pipe */ };

/* All of them, on as many lines as they take. */
static void put_alert_lines(struct smi_text_arena *g, const struct smi_machine *n)
{
    bool grave = n->alerts && n->alert[0].grave;
    if (n->alerts == 0) {
        smi_buf_str(g->to, "no alerts");
        smi_wrap_newline(g);
        return;
    }
    smi_wrap_style(g, grave_style(grave));
    smi_wrap_words(
        g, 0,
        smi_fmt(g, "%s %zu ALERT%s", g->look->utf8 ? "\u25b2" : "!", n->alerts, n->alerts == 1 ? "" : "S"),
        2);
    for (size_t i = 0; i < n->alerts; i++)
        smi_wrap_words(g, 3, smi_fmt_safe(g, n->alert[i].text), 2);
    smi_wrap_style(g, SMI_STYLE_PLAIN);
    smi_wrap_newline(g);
}

void smi_machine_table_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_tui_info *about,
                           const struct smi_render_options *look)
{
    struct smi_tui_info a = *about;
    struct smi_view v = {.window = 0};
    struct frame d = {.n = n, .a = &a, .v = &v, .look = *look};
    const char *ended;
    a.color = look->color;
    d.look.width = look->width ? look->width : WIDTH;
    d.g.to = to;
    d.g.look = &d.look;
    tui_order(&d, false);
    tui_head(&d);
    put_alert_lines(&d.g, n);
    if (a.unjudged)
        smi_buf_fmt(to, "%s\n", a.unjudged);
    ended = smi_machine_ended(&d.g, n);
    for (size_t i = 0; i < n->alerts; i++)
        ended = n->alert[i].rule == SMI_RULE_ALERT_ENDED ? NULL : ended; /* the alert says it */
    if (ended)
        smi_buf_fmt(to, "%s\n", ended);
    tui_sums(&d);
    if (d.gpus) {
        const int remarks = tui_remark_lines(&d);
        tui_next(&d);
        tui_table(&d, (int)d.gpus, false);
        tui_remarks(&d, remarks, false);
    }
    smi_arena_fini(&d.g.arena);
}
