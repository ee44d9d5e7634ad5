/* tui_draw.c - the screen of this moment as lines: on top, the GPUs and their readings over time, what stands
 * below them, and the pages; and the same at once, as a table. A page is made of blocks of lines, all of
 * them; then those go for which there is no room. */
#include "live/tui.h"
#include "live/alert.h"
#include "report/table.h"

#include <stdlib.h>

enum { NARROW = 80, MIDDLE = 100, WIDE = 140, TALL = 40 };

/* Of a block of lines. Where lines are scarce those with the highest rank go first, the last one of them
 * before the others; FIGURES go together. */
enum rank { ALWAYS, REMARKS, HOST, SOURCES, PHASE, EVENTS, FIGURES, BLANKS, OLDER_EVENTS, RANKS };

struct frame {
    struct smi_text_arena g; /* its `to` is `made` */
    struct smi_buf made;     /* the lines that are not in `out` yet, */
    struct smi_buf *out;
    struct {
        size_t at; /* in `made` */
        enum rank rank;
    } block[16]; /* and where their blocks begin */
    size_t blocks;
    struct smi_render_options look;
    const struct smi_machine *n;
    const struct smi_tui_info *a;
    struct smi_view *v;
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

/* Puts text, safe, behind `gap` blanks on the last line. */
static void tui_put(struct frame *d, int gap, enum smi_style style, const char *text)
{
    struct smi_text_arena *g = &d->g;
    text = smi_fmt_sentence(g, text);
    smi_buf_fmt(g->to, "%*s", gap, "");
    if (style != SMI_STYLE_PLAIN)
        smi_wrap_style(g, style);
    smi_buf_str(g->to, text);
    if (style != SMI_STYLE_PLAIN)
        smi_wrap_style(g, SMI_STYLE_PLAIN);
    g->column += gap + smi_text_width(text);
}

/* What stands in b from there on takes at most so many columns. */
static void cut(struct frame *d, struct smi_buf *b, size_t from, int width)
{
    const char *text = b->p + from, *kept = smi_fmt_middle(&d->g, text, width, width);
    if (kept == text)
        return;
    b->n = from;
    smi_buf_str(b, kept);
    smi_buf_str(b, d->look.color ? "\x1b[0m" : "");
}

/* Puts the parts, and ends the line. list: how many of them have no room is said behind the others. */
static void put_parts(struct frame *d, const struct segment *part, size_t n, bool list)
{
    const int width = d->look.width;
    const size_t from = d->g.to->n, most = n < (size_t)width ? n : (size_t)width; /* no line has more */
    int *w = smi_arena_new(&d->g.arena, most + 1, sizeof *w);
    const char *more;
    for (size_t i = 0; i < most; i++)
        w[i] = part[i].text ? smi_text_width(smi_fmt_sentence(&d->g, part[i].text)) : 0;
    for (int keep = INT32_MAX, sum, top;; keep = top - 1) {
        size_t out = n - most;
        sum = top = 0;
        for (size_t i = 0; i < most; i++) {
            if (part[i].text && part[i].rank <= keep) {
                sum += (sum ? part[i].gap : 0) + w[i];
                top = part[i].rank > top ? part[i].rank : top;
            } else {
                out += part[i].text != NULL;
            }
        }
        more = list && out ? smi_fmt(&d->g, "  +%zu more", out) : "";
        if (sum + (int)strlen(more) > width && top > 0)
            continue;
        for (size_t i = 0; i < most; i++)
            if (part[i].text && part[i].rank <= keep)
                tui_put(d, d->g.column ? part[i].gap : 0, part[i].style, part[i].text);
        break;
    }
    if (*more)
        cut(d, d->g.to, from, width - (int)strlen(more));
    smi_buf_str(d->g.to, more);
    smi_wrap_newline(&d->g);
}

/* A line of one text. */
static void put_line(struct frame *d, enum smi_style style, const char *text)
{
    put_parts(d, &(struct segment){text, style, 0, 0}, 1, false);
}

/* ---- sharing out the lines ---- */

/* The next lines are of this rank. */
static void begin(struct frame *d, enum rank rank)
{
    d->block[d->blocks].at = d->made.n;
    d->block[d->blocks++].rank = rank;
}

/* The same behind a blank line, if there is room for one. */
static void begin_apart(struct frame *d, enum rank rank)
{
    begin(d, BLANKS);
    smi_wrap_newline(&d->g);
    begin(d, rank);
}

static enum rank rank_at(const struct frame *d, const char *line)
{
    size_t b = d->blocks;
    while (b && d->made.p + d->block[b - 1].at > line)
        b--;
    return b ? d->block[b - 1].rank : ALWAYS;
}

/* A line as it goes out: without blanks at its end, as wide as there is room; without utf8 what is not ASCII
 * is "?", but for the degree sign, which goes. */
static void put_shown(struct frame *d, const char *p, size_t n)
{
    const size_t from = d->out->n;
    for (size_t k; n; p += k, n -= k) {
        k = d->look.utf8 ? n : smi_text_utf8(p, n);
        if (d->look.utf8 || k == 1)
            smi_buf_add(d->out, p, k);
        else if (strncmp(p, "\u00b0", k) != 0)
            smi_buf_char(d->out, '?');
    }
    while (d->out->n > from && d->out->p[d->out->n - 1] == ' ')
        d->out->p[--d->out->n] = 0;
    if (d->out->n > from)
        cut(d, d->out, from, d->look.width);
    smi_buf_char(d->out, '\n');
}

/* Puts out so many of the lines that were made; scrolls: those from v->scroll on, which is kept in range.
 * Returns how many are missing. */
static int share_out(struct frame *d, int lines, bool scrolls)
{
    int have[RANKS] = {0}, left = lines, skip = 0;
    const char *made = d->made.n ? d->made.p : "", *lf;
    for (const char *p = made; (lf = strchr(p, '\n')); p = lf + 1)
        have[rank_at(d, p)]++;
    if (scrolls) {
        d->v->scroll_most = have[ALWAYS] > lines ? have[ALWAYS] - lines : 0;
        skip = d->v->scroll = d->v->scroll < d->v->scroll_most ? d->v->scroll : d->v->scroll_most;
    }
    have[ALWAYS] -= skip;
    for (int r = 0; r < RANKS; r++) {
        have[r] = have[r] <= left ? have[r] : r == FIGURES ? 0 : left;
        left -= have[r];
    }
    for (const char *p = made; (lf = strchr(p, '\n')); p = lf + 1)
        if (skip-- <= 0 && have[rank_at(d, p)]-- > 0)
            put_shown(d, p, (size_t)(lf - p));
    smi_buf_clear(&d->made);
    d->blocks = 0;
    return left;
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

/* A GPU and what it is ordered by: larger first, and of equals that which was met first. */
struct order {
    int64_t alerts, weight;
    size_t gpu;
};

static int compare_order(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    return x->alerts != y->alerts   ? (x->alerts < y->alerts) - (x->alerts > y->alerts)
           : x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight)
                                    : (x->gpu > y->gpu) - (x->gpu < y->gpu);
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
    int64_t least = d->n->timed && !d->v->window ? d->n->t_ms - d->n->first_ms : INT64_MAX;
    for (size_t i = 0; i < d->n->gpus; i++)
        least = d->n->gpu[i]->pitch_ms * 60 > least ? d->n->gpu[i]->pitch_ms * 60 : least;
    for (size_t i = 0; i < sizeof minutes / sizeof *minutes; i++)
        if (minutes[i] * 60000 >= least)
            return minutes[i] * 60000;
    return smi_view_window[d->v->window].ms;
}

/* Fills window_ms, place, gpus and mine: of the GPUs that are mine all that have one of the filter's words
 * (separated by blanks or commas: a number, or a piece of name, uuid, bus id or remark). first: those with an
 * alert come first. */
static void tui_order(struct frame *d, bool first)
{
    static const int metrics[SMI_VIEW_SORTS] = {-1, SMI_GPU_UTIL, SMI_FB_USED, SMI_POWER, SMI_TEMP_GPU, -1};
    const int metric = metrics[d->v->sort];
    struct order order[SMI_MACHINE_GPUS_MAX] = {{0}};
    d->window_ms = grown_window(d);
    d->gpus = d->mine = 0;
    for (size_t i = 0; i < d->n->alerts && (first || d->v->sort == SMI_VIEW_SORTS - 1); i++)
        if (d->n->alert[i].gpu >= 0)
            order[d->n->alert[i].gpu].alerts += 1 + 1000 * d->n->alert[i].grave;
    for (size_t i = 0; i < d->n->gpus; i++) {
        const struct smi_machine_reading *r =
            metric >= 0 ? smi_machine_reading_of(d->n, d->n->gpu[i], (unsigned)metric) : NULL;
        d->mine += d->n->gpu[i]->mine;
        if (d->n->gpu[i]->mine && passes_filter(d, i))
            order[d->gpus++] = (struct order){order[i].alerts, r ? r->v : -1, i};
    }
    qsort(order, d->gpus, sizeof *order, compare_order);
    for (size_t i = 0; i < d->gpus; i++)
        d->place[i] = order[i].gpu;
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
    int64_t told[CELLS], step = window_span(d) / cells,
                         held = smi_machine_now(d->n) - smi_alert_marks_from(d->n, gpu);
    smi_machine_sparkline(d->n, b, SMI_HISTORY_MARK, d->window_ms, true, told, (size_t)cells);
    for (int i = 0; i < cells; i++)
        mark[i] = told[i] > 1                                             ? SMI_RED
                  : told[i] == 1 || (cells - i) * step <= held + step / 2 ? SMI_YELLOW
                                                                          : style_of(b);
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

static int64_t largest(const int64_t *v, int cells)
{
    int64_t most = 0;
    for (int i = 0; i < cells; i++) /* SMI_NO_READING is less */
        most = v[i] > most ? v[i] : most;
    return most;
}

/* Appends line y, from below, of a curve that is `lines` lines tall, `columns` glyphs for a cell; 100 % is
 * `most`. */
static void put_cells(struct smi_text_arena *g, const int64_t *v, const enum smi_style *mark, int cells,
                      int columns, int lines, int y, int64_t most)
{
    /* a level that is low is seen, and is not "none" */
    static const char *const ascii[] = {"_", ",", ":", "-", "=", "+", "*", "#"};
    enum smi_style style = SMI_STYLE_PLAIN;
    for (int i = 0; i < cells; i++) {
        const bool none = v[i] == SMI_NO_READING;
        const int64_t level =
            (v[i] <= 0 || most <= 0 ? 0 : (int64_t)((smi_i128)v[i] * 8 * lines / (most + 1))) -
            8 * (int64_t)y;
        const char *glyph = none && !y          ? no_reading[g->look->utf8]
                            : none || level < 0 ? " "
                                                : (g->look->utf8 ? blocks : ascii)[level > 7 ? 7 : level];
        for (int k = 0; k < columns; k++)
            put_glyph(g, &style, none && mark[i] != SMI_RED ? SMI_GREY : mark[i], glyph);
    }
    put_glyph(g, &style, SMI_STYLE_PLAIN, "");
}

/* most 0: that of the readings. */
static const char *spark_text(struct frame *d, size_t gpu, enum smi_history_slot slot, int cells,
                              int64_t most)
{
    struct smi_buf b = {0};
    struct smi_text_arena g = {.to = &b, .look = &d->look};
    enum smi_style mark[CELLS];
    int64_t v[CELLS];
    tui_cells(d, d->n->gpu[gpu], slot, v, cells);
    find_marks(d, gpu, cells, mark);
    put_cells(&g, v, mark, cells, 1, 1, 0, most > 0 ? most : largest(v, cells));
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

/* Cells that have a reading each, and how many columns one takes. */
static int cells_for(const struct frame *d, const struct smi_live_gpu *b, int width, int *columns)
{
    int64_t least = b->pitch_ms > 1000 ? b->pitch_ms : 1000, cells = width < CELLS ? width : CELLS;
    if (d->window_ms > SMI_HISTORY_FINE * SMI_HISTORY_FINE_MS && least < SMI_HISTORY_COARSE_MS)
        least = SMI_HISTORY_COARSE_MS;
    if (window_span(d) / cells < least)
        cells = window_span(d) / least > 0 ? window_span(d) / least : 1;
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
    enum smi_style mark[CELLS];
    struct smi_machine_figures whole = {0};
    int64_t v[CELLS], peak[CELLS], top, most;
    tui_cells(d, b, g->slot, v, cells);
    find_marks(d, gpu, cells, mark);
    /* the largest reading of the window, not of means: never less than the one that stands beside it */
    smi_machine_sparkline(d->n, b, g->slot, d->window_ms, true, peak, (size_t)cells);
    if (!d->window_ms)
        smi_machine_whole_run(d->n, b, g->metric, &whole);
    most = whole.n ? whole.max : largest(peak, cells);
    top = most > 100 * g->scale ? most : 100 * g->scale;
    if (g->most && b->latest[g->most].has && b->latest[g->most].v > 0)
        top = b->latest[g->most].v;
    const struct segment title[] = {
        {g->label, SMI_BOLD, 0, 0},
        {r ? smi_fmt(&d->g, "%s %s", smi_fmt_ratio(&d->g, r->v, g->scale, g->digits), g->unit) : "-",
         r ? SMI_STYLE_PLAIN : SMI_GREY, 1, 0},
        {most > 0 ? smi_fmt(&d->g, "most %s", smi_fmt_ratio(&d->g, most, g->scale, g->digits)) : NULL,
         SMI_GREY, 3, 0}};
    put_parts(d, title, 3, false);
    for (int y = lines - 1; y >= 0; y--) {
        const char *axis = y == lines - 1 ? smi_fmt_ratio(&d->g, top, g->scale, 0) : y ? "" : "0";
        tui_put(d, 0, SMI_GREY, smi_fmt(&d->g, "%*s ", AXIS - 1, axis));
        put_cells(&d->g, v, mark, cells, columns, lines, y, top);
        smi_wrap_newline(&d->g);
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
    put_parts(d, part, sizeof part / sizeof *part, false);
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
    put_parts(d, part, 2, false);
}

static int compare_memory(const void *a, const void *b)
{
    const struct smi_gpu_process *x = *(const struct smi_gpu_process *const *)a,
                                 *y = *(const struct smi_gpu_process *const *)b;
    return x->fb != y->fb ? (x->fb < y->fb) - (x->fb > y->fb) : (x > y) - (x < y);
}

enum { PROC_LINES = 6, PROC_LINES_LOW = 4, SIMPLE = 3 /* graphs */ };

/* A head, and a line each, in at most so many lines; how many are not there is counted. Returns how many
 * lines it took. */
static int put_procs(struct frame *d, int lines, const struct smi_live_gpu *b)
{
    size_t n, all = 0;
    const struct smi_gpu_process *next = smi_machine_processes(d->n, &n),
                                 **p = smi_arena_new(&d->g.arena, n + 1, sizeof *p);
    for (; n; n--, next++)
        if (next->gpu == b)
            p[all++] = next;
    qsort(p, all, sizeof *p, compare_memory);
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
    put_parts(d, shown < 1 ? none : head, 2, false);
    for (int i = 0; i < shown; i++) {
        const char *gib = p[i]->fb >= 0 ? smi_fmt_ratio(&d->g, p[i]->fb, (smi_i128)1024 * 1000000, 1) : "-";
        put_line(d, SMI_STYLE_PLAIN,
                 smi_fmt(&d->g, "%9lld%10s  %s", (long long)p[i]->pid, gib, *p[i]->name ? p[i]->name : "-"));
    }
    return shown < 1 ? 1 : 1 + shown;
}

/* The page of one GPU: at most so many lines; detail: with temperature, clock, throttling and processes.
 */
static void tui_gpu(struct frame *d, int lines, size_t gpu, bool detail)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const int least = detail && lines > 12 ? 3 : 2; /* lines of a graph, with its title */
    int k = detail ? SMI_GPU_CELLS_OF_PAGE : SIMPLE;
    put_title(d, gpu, detail);
    lines--;
    if (detail && lines > 4) {
        put_throttle(d, b);
        lines -= 1 + put_procs(d, lines > 21 ? PROC_LINES : lines > 13 ? PROC_LINES_LOW : 1, b);
    }
    while (k > 1 && lines / k < least)
        k--;
    for (int i = 0, each; i < k && lines >= 2; i++, lines -= each) {
        each = lines / (k - i) > 11 ? 11 : lines / (k - i);
        put_graph(d, each - 1, gpu, &smi_gpu_cells[i]);
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
    static const char *const part[] = {" ",      "\u258f", "\u258e", "\u258d", "\u258c",
                                       "\u258b", "\u258a", "\u2589", "\u2588"};
    int64_t eighths = (micro_pct * 8 * BAR + 50000000) / 100000000;
    struct smi_buf b = {0};
    for (int i = 0; i < BAR; i++, eighths -= 8) {
        const int level = eighths < 0 ? 0 : eighths > 8 ? 8 : (int)eighths;
        smi_buf_str(&b, d->look.utf8 ? part[level] : level >= 4 ? "#" : " ");
    }
    return smi_buf_keep(&b, &d->g.arena);
}

/* cells: of the sparkline. */
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
    row[COL_GPU].text = smi_fmt_safe(&d->g, smi_machine_gpu_name(&d->g, d->n, b));
    row[COL_BAR].text = use ? bar_text(d, use->v) : "";
    row[COL_SPARK].text = spark_text(d, gpu, SMI_HISTORY_UTIL, cells, 100000000);
    row[COL_PCIE].text =
        rates || link
            ? smi_fmt(&d->g, rates ? "%s/%s" : "%sx%s",
                      smi_machine_value(&d->g, rates ? rx : gen, rates ? 1000000000 : 1000000, rates),
                      smi_machine_value(&d->g, rates ? tx : lanes, rates ? 1000000000 : 1000000, rates))
            : "-";
    row[COL_REMARK].text = smi_fmt_safe(&d->g, smi_machine_remark(&d->g, d->n, gpu));
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

/* Columns leave for want of room: the reader need not be told. */
static void leave_columns(struct smi_report_table *t)
{
    smi_table_leave(t, REMARK, 0);
    for (int c = 0; c < t->columns; c++)
        t->col[c].left = false;
}

/* k GPUs from place `from` on, each with a line of its power if powers. What has no room leaves, from the
 * least important column on. */
static void make_table(struct frame *d, struct smi_report_table *t, size_t from, size_t k, bool powers)
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
        add_gpu_row(d, t, d->place[i], cells);
        if (!powers)
            continue;
        /* under the use: as a share of its limit, or, where that is not known, of the most there was */
        const struct smi_machine_reading *limit = &d->n->gpu[d->place[i]]->latest[SMI_POWER_LIMIT];
        struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
        row[COL_NOW] = (struct smi_table_cell){.text = "power", .style = SMI_GREY};
        row[COL_SPARK].text = spark_text(d, d->place[i], SMI_HISTORY_POWER, cells, limit->has ? limit->v : 0);
    }
    leave_columns(t);
    if (powers && t->col[COL_SPARK].hidden) {
        make_table(d, t, from, k, false);
        return;
    }
    if (t->col[COL_BAR].hidden)
        t->row[0][COL_NOW].text = "NOW    ";
}

/* The table: a head, and `rows` GPUs from v->scroll on; and, if they have no column, the remarks below
 * it. */
static void tui_table(struct frame *d, int rows, bool powers)
{
    struct smi_report_table t;
    make_table(d, &t, (size_t)d->v->scroll, (size_t)rows, powers);
    smi_table_text(&t);
    begin(d, REMARKS);
    for (size_t i = 0; i < d->gpus && t.col[COL_REMARK].hidden; i++) {
        const char *remark = smi_machine_remark(&d->g, d->n, d->place[i]),
                   *text = smi_fmt(&d->g, "%s: %s", d->n->gpu[d->place[i]]->label, remark);
        if (!*remark)
            continue;
        if (d->g.column && d->g.column + 3 + smi_text_width(text) > d->look.width)
            smi_wrap_newline(&d->g);
        tui_put(d, d->g.column ? 3 : 0, remark_style(d, d->place[i]), text);
    }
    if (d->g.column)
        smi_wrap_newline(&d->g);
}

/* ---- pages ---- */

static void tui_help(struct frame *d)
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
    for (size_t i = 0; i < sizeof help / sizeof *help; i++) {
        const struct segment part[] = {{help[i].key, SMI_BOLD, 0, 0},
                                       {help[i].text, SMI_STYLE_PLAIN, 8 - (int)strlen(help[i].key), 0}};
        put_parts(d, part, 2, false);
    }
}

/* So many of the last events, newest first, without the first `skip`. */
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
        put_parts(d, part, 3, false);
    }
}

static void tui_alerts(struct frame *d)
{
    const struct smi_machine *n = d->n;
    for (const struct smi_alert *a = n->alert; a < n->alert + n->alerts; a++) {
        const struct segment part[] = {{smi_machine_clock(&d->g, n, a->from_ms), SMI_STYLE_PLAIN, 0, 0},
                                       {a->text, grave_style(a->grave), 2, 0}};
        put_parts(d, part, 2, false);
    }
    if (n->alerts == 0)
        put_line(d, SMI_STYLE_PLAIN, "no rule holds");
    smi_wrap_newline(&d->g);
    put_line(d, SMI_BOLD, "WHAT HAPPENED");
    tui_events(d, SMI_MACHINE_EVENTS_MAX, 0);
}

/* ---- the last line ---- */

static void prompt_text(struct frame *d)
{
    const bool filter = d->v->asks == SMI_VIEW_PROMPT_FILTER, narrow = d->look.width < NARROW;
    const char *typed = smi_fmt_sentence(&d->g, d->v->typed);
    tui_put(d, 0, SMI_BOLD,
            filter   ? narrow ? "/" : "filter (a GPU's number, name or remark): "
            : narrow ? "mark: "
                     : "mark (a word for the record): ");
    typed = smi_fmt_middle(&d->g, typed, d->look.width - d->g.column - 1, 0);
    tui_put(d, 0, SMI_STYLE_PLAIN, typed);
    put_line(d, SMI_BOLD, "_");
}

static void key_hints(struct frame *d)
{
    const struct smi_view *v = d->v;
    const bool wide = d->look.width >= MIDDLE;
    const char *shown = smi_fmt(&d->g, "arrows %d-%d of %zu", v->scroll + 1,
                                v->scroll + (int)d->gpus - v->scroll_most, d->gpus),
               *filter = smi_fmt_middle(&d->g, *v->filter ? v->filter : "filter", 16, 12),
               *arrows = v->page == SMI_VIEW_GPU    ? "arrows, 0-9 other GPUs"
                         : !v->scroll_most          ? NULL
                         : v->page == SMI_VIEW_MAIN ? shown
                                                    : "arrows scroll";
    const struct segment part[] = {
        {v->page == SMI_VIEW_MAIN ? "? help" : "esc back", SMI_GREY, 0, 1},
        {arrows, SMI_GREY, 2, 1},
        {"p pause", SMI_GREY, 2, 6},
        {d->a->space ? "space hold" : NULL, SMI_GREY, 2, 3},
        {v->sort ? smi_fmt(&d->g, "s by %s", smi_view_sort[v->sort]) : "s sort", SMI_GREY, 2, 8},
        {wide ? "g GPU detail" : "g GPU", SMI_GREY, 2, 4},
        {smi_fmt(&d->g, wide ? "w window %s" : "w %s", smi_view_window[v->window].key), SMI_GREY, 2, 5},
        {"a alerts", SMI_GREY, 2, 2},
        {smi_fmt(&d->g, "/ %s", filter), SMI_GREY, 2, 7},
        {d->a->no_marks ? NULL : "e mark", SMI_GREY, 2, 9},
        {"q quit", SMI_GREY, 2, 0},
    };
    put_parts(d, part, sizeof part / sizeof *part, false);
}

/* ---- figures: five minutes and the whole run ---- */

static void tui_figures(struct frame *d)
{
    static const char *const heads[SMI_FIGURES] = {"5 MIN mean",     "p95", "max",
                                                   "WHOLE RUN mean", "p95", "max"};
    struct smi_figure_row row[SMI_FIGURE_ROWS];
    const size_t rows = smi_machine_figure_rows(&d->g, d->n, row);
    struct smi_report_table t;
    smi_wrap_newline(&d->g);
    smi_table_begin(&t, &d->g, NULL, 0);
    for (size_t i = 0; i < rows; i++) {
        smi_table_row(&t, SMI_ROW_PLAIN);
        SMI_CELL(&t, row[i].label, .head = "");
        for (int c = 0; c < SMI_FIGURES; c++)
            SMI_CELL(&t, row[i].figure[c], .head = heads[c], .align = SMI_RIGHT);
    }
    leave_columns(&t);
    smi_table_text(&t);
}

/* RunLogs write a phase when it ends: the last one that did, and those before it. */
static void tui_phase(struct frame *d)
{
    const struct smi_machine_phase *p = d->n->phase;
    struct segment part[SMI_MACHINE_PHASES + 2] = {{"phase", SMI_STYLE_PLAIN, 0, 0},
                                                   {p->name, SMI_BOLD, 3, 0}};
    const char *ended = smi_machine_clock(&d->g, d->n, p->end_ms), *ms = smi_fmt_time(&d->g, p->ms);
    part[2].gap = 1;
    part[2].text = p->times > 1
                       ? smi_fmt(&d->g, "ended %s, %lld times %s in all", ended, (long long)p->times, ms)
                       : smi_fmt(&d->g, "ended %s after %s", ended, ms);
    for (size_t i = 1; i < d->n->phases; i++)
        part[i + 2] = (struct segment){.text = smi_fmt(&d->g, "%s%s %s", i == 1 ? "     before: " : ", ",
                                                       p[i].name, smi_fmt_time(&d->g, p[i].ms)),
                                       .rank = (int)i};
    put_parts(d, part, d->n->phases + 2, true);
}

/* ---- monitors ---- */

/* "query 1.0 s", "dmon down (exit 1)", with so many columns of the reason. */
static const char *state_of(struct frame *d, const struct smi_live_source *s, int most)
{
    const char *name = smi_file_name(s->name);
    const char *text =
        strcmp(s->name, "cpu") == 0 ? "CPU" : smi_fmt_middle(&d->g, *name ? name : s->name, 24, 12);
    if (s->state == SMI_SOURCE_READING)
        return s->interval_ms && (s->format < 0 || smi_format_infos[s->format].rows)
                   ? smi_fmt(&d->g, "%s %s s", text, smi_fmt_ratio(&d->g, s->interval_ms, 1000, 1))
                   : text;
    return smi_fmt(&d->g, "%s %s%s%s%s", text, smi_source_states[s->state], *s->why ? " (" : "",
                   smi_fmt_middle(&d->g, s->why, most, most), *s->why ? ")" : "");
}

static bool is_bad(const struct smi_live_source *s)
{
    return s->state == SMI_SOURCE_DOWN || s->state == SMI_SOURCE_SILENT;
}

/* Monitors: the bad ones first, in red; then the others, as far as there is room. */
static void tui_sources(struct frame *d)
{
    const struct smi_machine *n = d->n;
    struct segment *part = smi_arena_new(&d->g.arena, n->sources + 2, sizeof *part);
    const char *ended = smi_machine_ended(&d->g, n);
    size_t ok = 0, all = 0;
    for (int bad = 1; bad >= 0; bad--)
        for (size_t i = 0; i < n->sources; i++) {
            if (is_bad(n->source[i]) != bad || n->source[i]->state == SMI_SOURCE_ENDED)
                continue;
            ok += n->source[i]->state == SMI_SOURCE_READING;
            part[2 + all] =
                (struct segment){smi_fmt(&d->g, "%s%s", all ? ", " : "", state_of(d, n->source[i], 36)),
                                 bad ? SMI_RED : SMI_STYLE_PLAIN, 0, (int)all};
            all++;
        }
    if (!ended || all)
        part[1].text = smi_fmt(&d->g, ok < all ? "%s: " : "%s ok: ", d->a->sources);
    part[0].text = ended && all ? smi_fmt(&d->g, "%s; ", ended) : ended;
    put_parts(d, part, all + 2, true);
}

/* Instead of GPUs: why there are none, and what to do. */
static void tui_no_gpus(struct frame *d)
{
    const struct smi_machine *n = d->n;
    if (d->mine) {
        put_line(d, SMI_STYLE_PLAIN,
                 smi_fmt(&d->g, "no GPU of %zu is, or says, \"%s\" (esc: all)", d->mine, d->v->filter));
        return;
    }
    put_line(d, SMI_BOLD,
             n->gpus ? "no GPU here is the job's own (CUDA_VISIBLE_DEVICES); --gpus all shows them"
                     : "no reading of a GPU so far");
    if (d->a->hint)
        put_line(d, SMI_GREY, d->a->hint);
    for (size_t i = 0; i < n->sources && !n->gpus; i++)
        if (n->source[i]->format != SMI_FMT_CPU)
            put_line(d, is_bad(n->source[i]) ? SMI_RED : SMI_STYLE_PLAIN,
                     state_of(d, n->source[i], d->look.width));
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
    put_parts(d, part, sizeof part / sizeof *part, false);
}

/* grave: that is to be seen without colours. */
static const char *count_alerts(struct frame *d, bool grave)
{
    const size_t n = d->n->alerts;
    const char *sign = grave ? "!!" : d->look.utf8 ? "\u25b2" : "!";
    return n ? smi_fmt(&d->g, "%s %zu ALERT%s", sign, n, n == 1 ? "" : "S") : "no alerts";
}

/* Always there: the eye goes there first. As many alerts as have room, and how many more there are. */
static void alert_line(struct frame *d)
{
    const struct smi_machine *n = d->n;
    struct segment *part = smi_arena_new(&d->g.arena, n->alerts + 1, sizeof *part);
    const bool grave = n->alerts && n->alert[0].grave;
    *part = (struct segment){count_alerts(d, grave && !d->a->color),
                             n->alerts ? grave_style(grave) : SMI_BOLD, 0, 0};
    for (size_t i = 0; i < n->alerts; i++)
        part[i + 1] = (struct segment){n->alert[i].text, grave_style(n->alert[i].grave), i ? 4 : 3, (int)i};
    put_parts(d, part, n->alerts + 1, true);
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
    put_parts(d, part, sizeof part / sizeof *part, false);
}

/* And what we take of it. */
static void tui_host(struct frame *d)
{
    const struct smi_live_gpu *h = &d->n->host;
    const bool known = d->a->cpu_micro >= 0 && d->n->sources;
    const struct segment part[] = {
        {"host", SMI_STYLE_PLAIN, 0, 0},
        {reading_text(d, h, SMI_CPU_PCT, "CPU ", " %"), SMI_STYLE_PLAIN, 4, 1},
        {reading_text(d, h, SMI_RAM_PCT, "RAM ", " %"), SMI_STYLE_PLAIN, 3, 2},
        {reading_text(d, h, SMI_PSI_CPU, "PSI cpu ", " %"), SMI_STYLE_PLAIN, 3, 4},
        {reading_text(d, h, SMI_PSI_MEM, "memory ", " %"), SMI_STYLE_PLAIN, 2, 6},
        {reading_text(d, h, SMI_PSI_IO, "io ", " %"), SMI_STYLE_PLAIN, 2, 5},
        {known ? smi_fmt(&d->g, "smilog %s %%, %s MiB", smi_fmt_ratio(&d->g, d->a->cpu_micro, 10000, 1),
                         smi_fmt_ratio(&d->g, d->a->memory_kib, 1024, 1))
               : NULL,
         SMI_STYLE_PLAIN, 3, 3},
    };
    if (h->seen || known)
        put_parts(d, part, sizeof part / sizeof *part, false);
}

enum { SOME_EVENTS = 5, GRAPHS_LEAST = 10, GRAPHS_MOST = 34, GRAPHS_LEAVE = 16 /* lines for the rest */ };

/* GPUs never go; one GPU has graphs in the place of the table. */
static void draw_main_page(struct frame *d, int lines, bool tall)
{
    const int gpus = (int)d->gpus, most = lines > 2 ? lines - 1 : 1, rows = gpus < most ? gpus : most;
    int graphs = lines - GRAPHS_LEAVE < GRAPHS_MOST ? lines - GRAPHS_LEAVE : GRAPHS_MOST;
    graphs = graphs > lines / 2 ? graphs : lines / 2;
    if (rows < gpus)
        tui_order(d, true);
    d->v->scroll_most = gpus - rows;
    d->v->scroll = d->v->scroll < d->v->scroll_most ? d->v->scroll : d->v->scroll_most;
    begin_apart(d, ALWAYS);
    if (d->mine == 1 && gpus == 1 && graphs >= GRAPHS_LEAST && d->look.width >= 40)
        tui_gpu(d, graphs, d->place[0], false);
    else if (gpus)
        tui_table(d, rows, tall && gpus <= 8);
    else
        tui_no_gpus(d);
    begin_apart(d, HOST);
    tui_host(d);
    begin(d, SOURCES);
    tui_sources(d);
    begin(d, FIGURES);
    if (d->mine)
        tui_figures(d);
    begin_apart(d, PHASE);
    if (d->n->phases)
        tui_phase(d);
    begin(d, EVENTS);
    tui_events(d, SOME_EVENTS, 0);
    begin(d, OLDER_EVENTS);
    tui_events(d, lines, SOME_EVENTS);
}

/* What is asked for, said, or which keys there are. */
static void draw_last_line(struct frame *d)
{
    if (d->v->asks)
        prompt_text(d);
    else if (*d->v->said)
        put_line(d, SMI_BOLD, d->v->said);
    else if (d->v->paused)
        put_line(d, SMI_BOLD, "paused: any key goes on, q quits; a recording goes on meanwhile");
    else
        key_hints(d);
}

static void open_frame(struct frame *d)
{
    d->g.look = &d->look;
    d->g.to = &d->made;
    tui_order(d, false);
}

/* Tiny terminals: the alert line goes last. */
void smi_tui_frame(struct smi_buf *to, int width, int height, bool utf8, const struct smi_machine *n,
                   const struct smi_tui_info *a, struct smi_view *v)
{
    const int h = height < 1              ? 1
                  : height > SMI_TUI_MOST ? SMI_TUI_MOST
                                          : height,
              last = h >= 6 || v->asks || *v->said,
              top = (h >= 3) + (h > last) + (h >= 5) + (v->page != SMI_VIEW_MAIN && h > 20),
              lines = h - top - last;
    struct frame d = {.out = to, .n = n, .a = a, .v = v, .look = {.utf8 = utf8, .color = true}};
    d.look.width = width < 1 ? 1 : width > SMI_TUI_MOST ? SMI_TUI_MOST : width;
    if (v->page == SMI_VIEW_GPU && v->gpu >= n->gpus)
        v->page = SMI_VIEW_MAIN;
    open_frame(&d);
    if (h >= 3)
        tui_head(&d);
    alert_line(&d);
    if (h >= 5)
        tui_sums(&d);
    smi_wrap_newline(&d.g);
    share_out(&d, top, false);
    if (v->page == SMI_VIEW_MAIN)
        draw_main_page(&d, lines, h >= TALL);
    else if (v->page == SMI_VIEW_HELP)
        tui_help(&d);
    else if (v->page == SMI_VIEW_ALERTS)
        tui_alerts(&d);
    else
        tui_gpu(&d, lines, v->gpu, true);
    for (int left = share_out(&d, lines, v->page != SMI_VIEW_MAIN); left > 0; left--)
        smi_buf_char(to, '\n');
    draw_last_line(&d);
    share_out(&d, last, false);
    smi_buf_fini(&d.made);
    smi_arena_fini(&d.g.arena);
}

/* ---- at once ---- */

enum { WIDTH = 160 /* where nobody says how wide it is: in a pipe */ };

void smi_machine_table_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_tui_info *about,
                           const struct smi_render_options *look)
{
    struct smi_tui_info a = *about;
    struct smi_view v = {.window = 0};
    struct frame d = {.out = to, .n = n, .a = &a, .v = &v, .look = *look};
    const char *ended;
    a.color = look->color;
    d.look.width = look->width ? look->width : WIDTH;
    open_frame(&d);
    tui_head(&d);
    if (n->alerts)
        smi_wrap_style(&d.g, grave_style(n->alert[0].grave));
    smi_wrap_words(&d.g, 0, count_alerts(&d, false), 2);
    for (size_t i = 0; i < n->alerts; i++) /* on as many lines as they take */
        smi_wrap_words(&d.g, 3, smi_fmt_safe(&d.g, n->alert[i].text), 2);
    if (n->alerts)
        smi_wrap_style(&d.g, SMI_STYLE_PLAIN);
    smi_wrap_newline(&d.g);
    if (a.unjudged)
        smi_wrap_line(&d.g, SMI_STYLE_PLAIN, a.unjudged);
    ended = smi_machine_ended(&d.g, n);
    for (size_t i = 0; i < n->alerts; i++)
        ended = n->alert[i].rule == SMI_RULE_ALERT_ENDED ? NULL : ended; /* the alert says it */
    if (ended)
        smi_wrap_line(&d.g, SMI_STYLE_PLAIN, ended);
    tui_sums(&d);
    if (d.gpus) {
        smi_wrap_newline(&d.g);
        tui_table(&d, (int)d.gpus, false);
    }
    share_out(&d, INT32_MAX, false);
    smi_buf_fini(&d.made);
    smi_arena_fini(&d.g.arena);
}
