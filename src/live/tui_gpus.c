/* tui_gpus.c - the table of GPUs: a line each, whatever else has to go. */
#include "live/tui_private.h"

#include "live/alert.h"
#include "live/machine_text.h"

#include <string.h>

enum {
    COL_GPU,
    COL_BAR,
    COL_NOW,
    COL_SPARK,
    COL_VRAM,
    COL_POWER,
    COL_TEMP,
    COL_CLOCK,
    COL_FAN,
    COL_MEM,
    COL_PCIE,
    COL_REMARK,
    COLUMNS
};

enum { BAR = 10, SPARK_NARROW = 10, SPARK = 24, SPARK_WIDE = 60, REMARK = 15 /* "reading 9 s old" */ };

struct cell {
    const char *text;
    const char *mark; /* beside it, or "" */
    enum smi_style style;
};

struct column {
    const char *head;
    int gap, width, marks; /* columns before it, its own, and for marks behind it */
    bool left, hidden;
};

void smi_tui_order(struct smi_tui_frame *d, bool first)
{
    d->gpus = smi_view_order(d->v, d->n, first, d->place, &d->mine);
}

/* ---- cells ---- */

/* The alert that marks this column of this GPU, or NULL. */
static const struct smi_alert *marks(const struct smi_tui_frame *d, size_t gpu, int column)
{
    static const int of[SMI_ALERT_RULES] = {[SMI_ALERT_IDLE] = COL_NOW,
                                            [SMI_ALERT_MEMORY] = COL_VRAM,
                                            [SMI_ALERT_GROWTH] = COL_VRAM,
                                            [SMI_ALERT_THERMAL] = COL_TEMP};
    for (size_t i = 0; i < d->n->alerts; i++) {
        const struct smi_alert *a = &d->n->alert[i];
        bool clock = a->rule == SMI_ALERT_THERMAL && column == COL_CLOCK;
        if (a->gpu == (int)gpu && (of[a->rule] == column || clock))
            return a;
    }
    return NULL;
}

const char *smi_tui_remark(struct smi_tui_frame *d, size_t gpu)
{
    return smi_machine_remark(&d->g, d->n, gpu);
}

enum smi_style smi_tui_alarm_style(const struct smi_tui_frame *d, size_t gpu)
{
    for (size_t i = 0; i < d->n->alerts; i++) /* the gravest first */
        if (d->n->alert[i].gpu == (int)gpu)
            return smi_tui_grave_style(d->n->alert[i].grave);
    return SMI_STYLE_PLAIN;
}

static const char *put_cell(struct smi_tui_frame *d, const struct smi_machine_reading *r, int64_t unit,
                            int digits)
{
    return smi_machine_value(&d->g, r, unit, digits);
}

/* "70.4/80": of something there is. */
static const char *put_of_total(struct smi_tui_frame *d, const struct smi_live_gpu *b, unsigned metric,
                                unsigned whole, int64_t unit, int digits)
{
    return smi_machine_value_of(&d->g, smi_tui_reading(d, b, metric),
                                d->c->width >= 60 ? smi_tui_reading(d, b, whole) : NULL, unit, digits);
}

/* A share of ten cells, an eighth of a cell at its end. */
static const char *put_bar(struct smi_tui_frame *d, int64_t micro_pct)
{
    static const char *const part[] = {"",       "\u258f", "\u258e", "\u258d",
                                       "\u258c", "\u258b", "\u258a", "\u2589"};
    int64_t eighths = (micro_pct * 8 * BAR + 50000000) / 100000000;
    char text[BAR * 3 + 4] = "";
    eighths = eighths < 0 ? 0 : eighths > 8 * BAR ? 8 * BAR : eighths;
    for (int64_t i = 0; i < (d->c->utf8 ? eighths : eighths + 4) / 8; i++)
        strcat(text, d->c->utf8 ? "\u2588" : "#");
    if (d->c->utf8)
        strcat(text, part[eighths % 8]);
    return smi_fmt(&d->g, "%s", text);
}

/* GB/s both ways, or what the link is: "5x16". */
static const char *pcie_text(struct smi_tui_frame *d, const struct smi_live_gpu *b)
{
    const struct smi_machine_reading *rx = smi_tui_reading(d, b, SMI_PCIE_RX),
                                     *tx = smi_tui_reading(d, b, SMI_PCIE_TX),
                                     *gen = smi_tui_reading(d, b, SMI_PCIE_GEN),
                                     *width = smi_tui_reading(d, b, SMI_PCIE_WIDTH);
    if (rx && tx)
        return smi_fmt(&d->g, "%s/%s", put_cell(d, rx, 1000000000, 1), put_cell(d, tx, 1000000000, 1));
    return gen && width
               ? smi_fmt(&d->g, "%sx%s", put_cell(d, gen, 1000000, 0), put_cell(d, width, 1000000, 0))
               : "-";
}

static void fill_row(struct smi_tui_frame *d, size_t gpu, struct cell row[COLUMNS])
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const struct smi_machine_reading *use = smi_tui_reading(d, b, SMI_GPU_UTIL);
    enum smi_style whole = b->state == SMI_GPU_LOST    ? SMI_RED
                           : b->state == SMI_GPU_STALE ? SMI_GREY
                                                       : SMI_STYLE_PLAIN;
    const char *text[COLUMNS] = {
        [COL_GPU] = b->index >= 0 ? smi_fmt(&d->g, "%d", b->index) : "-",
        [COL_BAR] = use ? put_bar(d, use->v) : "",
        [COL_NOW] = use ? smi_fmt(&d->g, "%s %%", put_cell(d, use, 1000000, 0)) : "-",
        [COL_SPARK] = "",
        [COL_VRAM] = put_of_total(d, b, SMI_FB_USED, SMI_FB_TOTAL, (int64_t)1024 * 1000000, 1),
        [COL_POWER] = put_of_total(d, b, SMI_POWER, SMI_POWER_LIMIT, 1000000, 0),
        [COL_TEMP] = put_cell(d, smi_tui_reading(d, b, SMI_TEMP_GPU), 1000000, 0),
        [COL_CLOCK] = put_cell(d, smi_tui_reading(d, b, SMI_CLK_SM), 1000000, 0),
        [COL_FAN] = put_cell(d, smi_tui_reading(d, b, SMI_FAN), 1000000, 0),
        [COL_MEM] = put_cell(d, smi_tui_reading(d, b, SMI_MEM_UTIL), 1000000, 0),
        [COL_PCIE] = pcie_text(d, b),
        [COL_REMARK] = smi_tui_remark(d, gpu),
    };
    for (int c = 0; c < COLUMNS; c++) {
        const struct smi_alert *a = whole ? NULL : marks(d, gpu, c);
        row[c] = (struct cell){text[c],
                               !a                         ? ""
                               : a->grave && !d->a->color ? "!!"
                                                          : "!",
                               a ? smi_tui_grave_style(a->grave) : whole};
    }
    if (*row[COL_REMARK].text && !whole)
        row[COL_REMARK].style = smi_tui_alarm_style(d, gpu);
}

/* ---- columns ---- */

static int column_width(const struct column *col)
{
    int sum = 0;
    for (int c = 0; c < COLUMNS; c++)
        sum += col[c].hidden ? 0 : col[c].gap + col[c].width + col[c].marks;
    return sum;
}

/* Which columns are there at this width; what does not fit after all goes from the least important on. */
static void choose_columns(const struct smi_tui_frame *d, struct column col[COLUMNS])
{
    static const int goes[] = {COL_FAN,   COL_PCIE,  COL_MEM,  COL_CLOCK, COL_BAR,
                               COL_SPARK, COL_POWER, COL_VRAM, COL_TEMP};
    int width = d->c->width;
    col[COL_FAN].hidden |= width < SMI_TUI_WIDE;
    col[COL_MEM].hidden |= width < SMI_TUI_WIDE;
    col[COL_PCIE].hidden |= width < SMI_TUI_WIDE;
    col[COL_CLOCK].hidden |= width < SMI_TUI_MIDDLE;
    col[COL_SPARK].hidden |= d->a->now_only;
    col[COL_SPARK].width = width >= SMI_TUI_WIDE     ? SPARK_WIDE
                           : width >= SMI_TUI_MIDDLE ? SPARK
                                                     : SPARK_NARROW;
    for (size_t i = 0; i < sizeof goes / sizeof *goes && column_width(col) > width; i++)
        col[goes[i]].hidden = true;
    col[COL_REMARK].hidden = width < SMI_TUI_MIDDLE || column_width(col) + REMARK > width;
}

static void measure_columns(struct smi_tui_frame *d, struct column col[COLUMNS], const struct cell *cell,
                            size_t rows)
{
    for (int c = 0; c < COLUMNS; c++) {
        bool some = false;
        for (size_t r = 0; r < rows; r++) {
            const struct cell *at = &cell[r * COLUMNS + (size_t)c];
            int w = smi_canvas_width(d->c, at->text), m = (int)strlen(at->mark);
            some |= strcmp(at->text, "-") != 0;
            col[c].width = c != COL_REMARK && w > col[c].width ? w : col[c].width;
            col[c].marks = m > col[c].marks ? m : col[c].marks;
        }
        if (c == COL_FAN || c == COL_PCIE)
            col[c].hidden = !some; /* a card without a fan */
    }
}

static void fill_columns(struct smi_tui_frame *d, struct column col[COLUMNS])
{
    const struct column all[COLUMNS] = {
        [COL_GPU] = {"GPU", 0, 3, 0, false, false},
        [COL_BAR] = {"", 2, BAR, 0, true, false},
        [COL_NOW] = {"", 1, 6, 1, false, false},
        [COL_SPARK] = {"", 1, SPARK, 0, true, false},
        [COL_VRAM] = {"VRAM GiB", 3, 8, 1, false, false},
        [COL_POWER] = {"POWER W", 1, 7, 0, false, false},
        [COL_TEMP] = {d->c->utf8 ? "\u00b0"
                                   "C"
                                 : "C",
                      2, 3, 1, false, false},
        [COL_CLOCK] = {"MHz", 1, 4, 1, false, false},
        [COL_FAN] = {"FAN", 1, 3, 0, false, false},
        [COL_MEM] = {"MEM", 1, 3, 0, false, false},
        [COL_PCIE] = {"PCIe", 1, 4, 0, false, false},
        [COL_REMARK] = {"REMARK", 2, 0, 0, true, false},
    };
    memcpy(col, all, sizeof all);
}

/* ---- the table ---- */

static void put_column_heads(struct smi_tui_frame *d, int y, const struct column *col)
{
    int x = 0;
    for (int c = 0; c < COLUMNS; c++) {
        int at = x + col[c].gap;
        if (col[c].hidden)
            continue;
        x = at + col[c].width + col[c].marks;
        if (c == COL_BAR || (c == COL_NOW && col[COL_BAR].hidden))
            smi_canvas_put(d->c, at, y, SMI_BOLD, "NOW");
        else if (c == COL_SPARK)
            smi_canvas_put(d->c, at, y, SMI_BOLD, smi_tui_spark_head(d, col[c].width, col[c].width + 2));
        else if (col[c].left)
            smi_canvas_put(d->c, at, y, SMI_BOLD, col[c].head);
        else
            smi_tui_right(d, at + col[c].width, y, SMI_BOLD, col[c].head);
    }
}

static void put_row(struct smi_tui_frame *d, int y, size_t gpu, const struct column *col,
                    const struct cell *row)
{
    int x = 0;
    for (int c = 0; c < COLUMNS; c++) {
        int at = x + col[c].gap;
        if (col[c].hidden)
            continue;
        x = at + col[c].width + col[c].marks;
        if (c == COL_SPARK) {
            smi_tui_spark(d, at, y, gpu, SMI_HISTORY_UTIL, col[c].width, 100000000);
        } else if (col[c].left) {
            smi_tui_text(d, at, y, d->c->width, row[c].style, row[c].text);
        } else {
            smi_tui_right(d, at + col[c].width, y, row[c].style, row[c].text);
            smi_canvas_put(d->c, at + col[c].width, y, row[c].style, row[c].mark);
        }
    }
}

/* Power, under the use: as a share of its limit, or, where that is not known, of the most there was. */
static void put_power(struct smi_tui_frame *d, int y, size_t gpu, const struct column *col)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const struct smi_machine_reading *limit = &b->latest[SMI_POWER_LIMIT];
    int64_t v[SPARK_WIDE], most = limit->has ? limit->v : 1;
    int x = col[COL_GPU].width, cells = col[COL_SPARK].width;
    if (col[COL_SPARK].hidden)
        return;
    smi_tui_cells(d, b, SMI_HISTORY_POWER, v, cells);
    for (int i = 0; i < cells && !limit->has; i++)
        most = v[i] != SMI_NO_READING && v[i] > most ? v[i] : most;
    for (int c = COL_BAR; c < COL_SPARK; c++)
        x += col[c].hidden ? 0 : col[c].gap + col[c].width + col[c].marks;
    smi_tui_right(d, x - 1, y, SMI_GREY, "power");
    smi_tui_spark(d, x + col[COL_SPARK].gap, y, gpu, SMI_HISTORY_POWER, cells, most);
}

void smi_tui_table(struct smi_tui_frame *d, int y, int rows, bool powers)
{
    struct column col[COLUMNS];
    size_t from = (size_t)d->v->scroll, k = d->gpus - from < (size_t)rows ? d->gpus - from : (size_t)rows;
    struct cell *cell = smi_arena_new(&d->g.arena, k * COLUMNS + 1, sizeof *cell);
    if (!cell) {
        d->g.failed = true;
        return;
    }
    for (size_t i = 0; i < k; i++)
        fill_row(d, d->place[from + i], cell + i * COLUMNS);
    fill_columns(d, col);
    measure_columns(d, col, cell, k);
    choose_columns(d, col);
    put_column_heads(d, y, col);
    if (d->gpus > k) { /* what is not there is counted */
        bool brief = column_width(col) + 33 > d->c->width;
        const char *more =
            smi_fmt(&d->g, " %zu-%zu of %zu%s", from + 1, from + k, d->gpus, brief ? "" : ", arrows scroll");
        smi_tui_right(d, d->c->width, y, SMI_GREY, more);
    }
    for (size_t i = 0; i < k; i++) {
        int at = y + 1 + (int)i * (1 + powers);
        put_row(d, at, d->place[from + i], col, cell + i * COLUMNS);
        if (powers)
            put_power(d, at + 1, d->place[from + i], col);
    }
}

/* ---- remarks that have no column ---- */

static bool is_remark_hidden(struct smi_tui_frame *d)
{
    struct column col[COLUMNS];
    struct cell *cell = smi_arena_new(&d->g.arena, d->gpus * COLUMNS + 1, sizeof *cell);
    fill_columns(d, col);
    for (size_t i = 0; cell && i < d->gpus; i++)
        fill_row(d, d->place[i], cell + i * COLUMNS);
    d->g.failed |= !cell;
    if (cell)
        measure_columns(d, col, cell, d->gpus);
    choose_columns(d, col);
    return col[COL_REMARK].hidden;
}

/* Puts them on lines from y on, at most `lines`; y < 0: only counts. */
static int put_remarks(struct smi_tui_frame *d, int y, int lines)
{
    int x = 0, used = 0;
    for (size_t i = 0; i < d->gpus; i++) {
        const struct smi_live_gpu *b = d->n->gpu[d->place[i]];
        const char *remark = smi_tui_remark(d, d->place[i]), *text;
        enum smi_style style = b->state == SMI_GPU_LOST    ? SMI_RED
                               : b->state == SMI_GPU_STALE ? SMI_GREY
                                                           : smi_tui_alarm_style(d, d->place[i]);
        int w;
        if (!*remark)
            continue;
        text = smi_fmt(&d->g, "GPU %d: %s", b->index, remark);
        w = smi_canvas_width(d->c, text);
        if (used == 0 || x + 3 + w > d->c->width) {
            if (used == lines)
                return used;
            used++;
            x = 0;
        } else {
            x += 3;
        }
        if (y >= 0)
            smi_tui_text(d, x, y + used - 1, d->c->width, style, text);
        x += w;
    }
    return used;
}

int smi_tui_remark_lines(struct smi_tui_frame *d)
{
    return is_remark_hidden(d) ? put_remarks(d, -1, SMI_MACHINE_GPUS_MAX) : 0;
}

void smi_tui_remarks(struct smi_tui_frame *d, int y, int lines)
{
    if (lines > 0)
        put_remarks(d, y, lines);
}
