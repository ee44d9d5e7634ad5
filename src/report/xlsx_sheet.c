/* xlsx_sheet.c - cells, what they look like, sheets as a whole, and charts over cells. */
#include "report/xlsx_private.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what cells look like: one row a kind of number, one row a look. Colours mean what they mean
 * everywhere: red is lost, yellow is paid for and not used, grey is not known. ---- */

#define SMI_XLSX_KIND(id, format) [SMI_XLSX_##id] = format,
static const char *const numbers[SMI_XLSX_KINDS] = {
#include "report/xlsx_style.def"
};

enum { RED = 0xB3261E, YELLOW = 0x8A6100, GREY = 0x6B6B6B, INK = 0x1F2A37 };
enum { HEAD = 0xE8ECF1, LINE = 0x9AA5B1, SUM = 0xF6F8FA };

struct look {
    int size; /* 0: as ever */
    bool bold, wrap, below, above;
    uint32_t colour, back; /* 0: none */
    uint8_t up_down;       /* place in its height; 0: as ever */
    const char *word;      /* stands before a number */
};

#define SMI_XLSX_LOOK(id, ...) [SMI_XLSX_##id] = {__VA_ARGS__},
static const struct look looks[SMI_XLSX_APPEARANCES] = {
#include "report/xlsx_style.def"
};

static void set_appearance(lxw_format *f, const struct look *l)
{
    if (l->size)
        smi_lxw.format_set_font_size(f, l->size);
    if (l->bold)
        smi_lxw.format_set_bold(f);
    if (l->wrap)
        smi_lxw.format_set_text_wrap(f);
    if (l->colour)
        smi_lxw.format_set_font_color(f, l->colour);
    if (l->back)
        smi_lxw.format_set_bg_color(f, l->back);
    if (l->below) {
        smi_lxw.format_set_bottom(f, LXW_BORDER_THIN);
        smi_lxw.format_set_bottom_color(f, LINE);
    }
    if (l->above) {
        smi_lxw.format_set_top(f, LXW_BORDER_THIN);
        smi_lxw.format_set_top_color(f, LINE);
    }
    if (l->up_down)
        smi_lxw.format_set_align(f, l->up_down);
}

/* Numbers stand on the right, and so do the heads over them; figures on the left, below their labels. In the
 * row of totals the buttons of the filter stand at the right edge. */
static void set_alignment(lxw_format *f, enum smi_xlsx_kind kind, enum smi_xlsx_appearance look)
{
    bool number = kind > SMI_XLSX_WORDS && kind < SMI_XLSX_OK;
    bool total = look >= SMI_XLSX_SUM && look <= SMI_XLSX_MOST;
    if (kind == SMI_XLSX_WORDS)
        smi_lxw.format_set_indent(f, 1);
    else if (look == SMI_XLSX_FIGURE || kind == SMI_XLSX_KEY)
        smi_lxw.format_set_align(f, LXW_ALIGN_LEFT);
    else if (number && (total || look == SMI_XLSX_HEAD))
        smi_lxw.format_set_align(f, LXW_ALIGN_RIGHT);
    if (number && total)
        smi_lxw.format_set_indent(f, 2);
}

/* The format of a kind and a look, or NULL after an error. */
static lxw_format *cell_format(struct smi_xlsx *x, enum smi_xlsx_kind kind, enum smi_xlsx_appearance look)
{
    lxw_format **f = &x->format[kind][look];
    const char *word = looks[look].word, *number = numbers[kind];
    char format[96], money[64];
    if (*f || x->err.code || (kind == SMI_XLSX_GENERAL && look == SMI_XLSX_PLAIN))
        return *f;
    *f = smi_lxw.workbook_add_format(x->wb);
    if (!*f) {
        smi_err_nomem(&x->err);
        return NULL;
    }
    if (kind == SMI_XLSX_MONEY && x->currency) {
        snprintf(money, sizeof money, "#,##0.00 \"%s\"", x->currency);
        number = money;
    }
    set_appearance(*f, &looks[look]);
    set_alignment(*f, kind, look);
    if (number) {
        snprintf(format, sizeof format, word ? "\"%s \"%s" : "%s%s", word ? word : "", number);
        smi_lxw.format_set_num_format(*f, format);
    }
    return *f;
}

/* ---- cells, and what holds for a sheet as a whole. ---- */

/* May this cell be written? Rows that could not be are seen when the next one begins. */
static bool may_write_cell(struct smi_xlsx_sheet *s, int64_t row, int col)
{
    if (s->x->err.code)
        return false;
    assert(row >= s->row);
    if (row >= SMI_XLSX_ROWS || col >= SMI_XLSX_COLUMNS) {
        smi_err_set(&s->x->err, SMI_ELIMIT, "the sheet \"%s\" is full", s->name);
        return false;
    }
    if (row != s->row && ferror(s->ws->optimize_tmpfile)) {
        smi_err_set(&s->x->err, SMI_EIO, "a temporary file: no space left?");
        return false;
    }
    s->row = row;
    return true;
}

static void check_written(struct smi_xlsx_sheet *s, lxw_error e)
{
    if (e != LXW_NO_ERROR)
        smi_xlsx_error(s->x, e, s->name);
}

void smi_xlsx_cell_name(char *to, int64_t row, int col)
{
    smi_lxw.lxw_rowcol_to_cell(to, (lxw_row_t)row, (lxw_col_t)col);
}

static lxw_error write_link(struct smi_xlsx_sheet *s, int64_t row, int col, const struct smi_xlsx_cell *c,
                            const char *text)
{
    char url[SMI_XLSX_NAME * 4 + 48], cell[SMI_XLSX_CELL];
    smi_xlsx_cell_name(cell, c->to_row, 0);
    snprintf(url, sizeof url, "internal:'%s'!%s", smi_xlsx_name(c->to), cell); /* no name has an apostrophe */
    return smi_lxw.worksheet_write_url_opt(s->ws, (lxw_row_t)row, (lxw_col_t)col, url, NULL, text, NULL);
}

void smi_xlsx_put(struct smi_xlsx_sheet *s, int64_t row, int col, const struct smi_xlsx_cell *c)
{
    const lxw_row_t r = (lxw_row_t)row;
    const lxw_col_t k = (lxw_col_t)col;
    const char *text = c->is == SMI_XLSX_IS_TEXT ? smi_xlsx_escaped(s->x, c->text, SMI_XLSX_TEXT) : "";
    const bool empty = c->is == SMI_XLSX_IS_TEXT ? !c->text || (!*c->text && !c->to)
                                                 : c->is == SMI_XLSX_IS_EMPTY || !isfinite(c->v);
    lxw_format *f;
    if ((empty && c->look == SMI_XLSX_PLAIN) || !text || !may_write_cell(s, row, col))
        return;
    f = cell_format(s->x, empty ? SMI_XLSX_GENERAL : c->kind, c->look);
    if (empty)
        check_written(s, smi_lxw.worksheet_write_blank(s->ws, r, k, f));
    else if (c->is == SMI_XLSX_IS_BOOL)
        check_written(s, smi_lxw.worksheet_write_boolean(s->ws, r, k, c->v != 0, f));
    else if (c->is == SMI_XLSX_IS_NUMBER && c->formula)
        check_written(s, smi_lxw.worksheet_write_formula_num(s->ws, r, k, c->formula, f, c->v));
    else if (c->is == SMI_XLSX_IS_NUMBER)
        check_written(s, smi_lxw.worksheet_write_number(s->ws, r, k, c->v, f));
    else if (c->formula)
        check_written(s, smi_lxw.worksheet_write_formula_str(s->ws, r, k, c->formula, f, text));
    else if (c->to)
        check_written(s, write_link(s, row, col, c, *text ? text : "-"));
    else
        check_written(s, smi_lxw.worksheet_write_string(s->ws, r, k, text, f));
}

void smi_xlsx_text(struct smi_xlsx_sheet *s, int64_t row, int col, enum smi_xlsx_kind kind,
                   enum smi_xlsx_appearance look, const char *text)
{
    smi_xlsx_put(s, row, col, &(struct smi_xlsx_cell){SMI_XLSX_IS_TEXT, kind, look, .text = text});
}

void smi_xlsx_number(struct smi_xlsx_sheet *s, int64_t row, int col, enum smi_xlsx_kind kind, double v)
{
    smi_xlsx_put(s, row, col, &(struct smi_xlsx_cell){SMI_XLSX_IS_NUMBER, kind, SMI_XLSX_PLAIN, .v = v});
}

void smi_xlsx_height(struct smi_xlsx_sheet *s, int64_t row, double points)
{
    if (may_write_cell(s, row, 0))
        check_written(s, smi_lxw.worksheet_set_row(s->ws, (lxw_row_t)row, points, NULL));
}

/* --- the sheet as a whole --- */

void smi_xlsx_width(struct smi_xlsx_sheet *s, int col, int last, double characters)
{
    if (!s->x->err.code)
        check_written(s,
                      smi_lxw.worksheet_set_column(s->ws, (lxw_col_t)col, (lxw_col_t)last, characters, NULL));
}

void smi_xlsx_freeze(struct smi_xlsx_sheet *s, int64_t row, int col)
{
    if (!s->x->err.code)
        smi_lxw.worksheet_freeze_panes(s->ws, (lxw_row_t)row, (lxw_col_t)col);
}

void smi_xlsx_filter(struct smi_xlsx_sheet *s, int64_t row, int col, int64_t last_row, int last_col)
{
    if (!s->x->err.code)
        check_written(s, smi_lxw.worksheet_autofilter(s->ws, (lxw_row_t)row, (lxw_col_t)col,
                                                      (lxw_row_t)last_row, (lxw_col_t)last_col));
}

void smi_xlsx_bars(struct smi_xlsx_sheet *s, int64_t row, int col, int64_t last_row)
{
    enum { BAR = 0xF2C14E };
    lxw_conditional_format f = {.type = LXW_CONDITIONAL_DATA_BAR,
                                .data_bar_2010 = LXW_TRUE,
                                .bar_solid = LXW_TRUE,
                                .bar_color = BAR,
                                .min_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
                                .min_value = 0,
                                .bar_no_border = LXW_TRUE};
    if (!s->x->err.code)
        check_written(s, smi_lxw.worksheet_conditional_format_range(s->ws, (lxw_row_t)row, (lxw_col_t)col,
                                                                    (lxw_row_t)last_row, (lxw_col_t)col, &f));
}

static void set_paper(struct smi_xlsx_sheet *s, int wide, int tall)
{
    static const char footer[] = "&L&8&F   &A&R&8&P / &N"; /* file, sheet; page, pages */
    enum { A4 = 9 };
    smi_lxw.worksheet_set_paper(s->ws, A4);
    smi_lxw.worksheet_set_margins(s->ws, 0.4, 0.4, 0.5, 0.6);
    smi_lxw.worksheet_fit_to_pages(s->ws, (uint16_t)wide, (uint16_t)tall);
    smi_lxw.worksheet_print_across(s->ws);
    check_written(s, smi_lxw.worksheet_set_footer(s->ws, footer));
}

void smi_xlsx_print(struct smi_xlsx_sheet *s, int wide, int head_row, int head_col)
{
    if (s->x->err.code)
        return;
    smi_lxw.worksheet_set_landscape(s->ws);
    set_paper(s, wide, 0);
    if (head_row >= 0)
        check_written(s, smi_lxw.worksheet_repeat_rows(s->ws, 0, (lxw_row_t)head_row));
    if (head_col >= 0)
        check_written(s, smi_lxw.worksheet_repeat_columns(s->ws, 0, (lxw_col_t)head_col));
}

void smi_xlsx_page(struct smi_xlsx_sheet *s, int64_t last_row, int last_col)
{
    if (s->x->err.code)
        return;
    set_paper(s, 1, 1);
    smi_lxw.worksheet_gridlines(s->ws, LXW_HIDE_ALL_GRIDLINES);
    check_written(s, smi_lxw.worksheet_print_area(s->ws, 0, 0, (lxw_row_t)last_row, (lxw_col_t)last_col));
}

void smi_xlsx_activate(struct smi_xlsx_sheet *s)
{
    if (s->x->err.code)
        return;
    smi_lxw.worksheet_activate(s->ws);
    smi_lxw.worksheet_set_first_sheet(s->ws);
}

/* ---- charts over cells. The library keeps no cached values of them in constant-memory mode: who opens the
 * workbook draws from the cells. ---- */

enum { FAINT = 0xD9DEE4, AXIS = 0x6B7785, HIGH = 288, WIDE = 480 /* pixels of a chart that is not scaled */ };

static void style_series(lxw_chart_series *c, const struct smi_xlsx_plot *plot,
                         const struct smi_xlsx_curve *k)
{
    lxw_chart_fill fill = {.color = k->colour};
    lxw_chart_line line = {.color = k->colour, .width = (float)(k->points > 0 ? k->points : 0.75)};
    lxw_chart_line none = {.none = LXW_TRUE};
    if (plot->kind == SMI_XLSX_BARS) {
        smi_lxw.chart_series_set_fill(c, &fill);
        return;
    }
    smi_lxw.chart_series_set_line(c, k->points > 0 ? &line : &none);
    smi_lxw.chart_series_set_marker_type(c, k->points > 0 ? LXW_CHART_MARKER_NONE : LXW_CHART_MARKER_DIAMOND);
    if (k->points <= 0) {
        smi_lxw.chart_series_set_marker_size(c, 7);
        smi_lxw.chart_series_set_marker_fill(c, &fill);
        smi_lxw.chart_series_set_marker_line(c, &none);
    }
}

static void add_curve(struct smi_xlsx *x, lxw_chart *chart, const struct smi_xlsx_plot *plot,
                      const struct smi_xlsx_curve *k)
{
    enum { NAME = 120 };
    const char *name = smi_xlsx_escaped(x, k->name, NAME);
    lxw_chart_series *c = name ? smi_lxw.chart_add_series(chart, NULL, NULL) : NULL;
    if (!c) {
        smi_err_nomem(&x->err);
        return;
    }
    smi_lxw.chart_series_set_categories(c, smi_xlsx_name(k->sheet), (lxw_row_t)k->first, (lxw_col_t)k->x,
                                        (lxw_row_t)k->last, (lxw_col_t)k->x);
    smi_lxw.chart_series_set_values(c, smi_xlsx_name(k->sheet), (lxw_row_t)k->first, (lxw_col_t)k->y,
                                    (lxw_row_t)k->last, (lxw_col_t)k->y);
    smi_lxw.chart_series_set_name(c,
                                  *name == '=' ? "-" : name); /* the library would take it for a reference */
    style_series(c, plot, k);
}

static void set_axes(lxw_chart *chart, const struct smi_xlsx_plot *plot)
{
    lxw_chart_font small = {.size = 9, .color = AXIS},
                   plain = {.size = 9, .color = AXIS, .bold = LXW_EXPLICIT_FALSE};
    lxw_chart_line faint = {.color = FAINT, .width = 0.5F}, none = {.none = LXW_TRUE};
    lxw_chart_axis *axis[] = {chart->x_axis, chart->y_axis};
    const char *const name[] = {plot->x_name, plot->y_name};
    for (int i = 0; i < 2; i++) {
        smi_lxw.chart_axis_set_num_font(axis[i], &small);
        smi_lxw.chart_axis_set_line(axis[i], &faint);
        if (name[i]) {
            smi_lxw.chart_axis_set_name(axis[i], name[i]);
            smi_lxw.chart_axis_set_name_font(axis[i], &plain);
        }
    }
    if (plot->kind ==
        SMI_XLSX_BARS) { /* they lie: the axes are those of the eye, and the first group is on top */
        smi_lxw.chart_axis_set_reverse(chart->y_axis);
        smi_lxw.chart_axis_set_min(chart->x_axis, 0); /* a bar that begins elsewhere is as long as nothing */
        smi_lxw.chart_axis_set_label_position(chart->x_axis, LXW_CHART_AXIS_LABEL_POSITION_HIGH);
        smi_lxw.chart_axis_major_gridlines_set_visible(chart->x_axis, LXW_TRUE);
        smi_lxw.chart_axis_major_gridlines_set_line(chart->x_axis, &faint);
        smi_lxw.chart_axis_major_gridlines_set_visible(chart->y_axis, LXW_FALSE);
        return;
    }
    smi_lxw.chart_axis_major_gridlines_set_line(chart->y_axis, &faint);
    smi_lxw.chart_axis_major_gridlines_set_visible(chart->x_axis, LXW_FALSE);
    smi_lxw.chart_axis_set_min(chart->x_axis, 0);
    smi_lxw.chart_axis_set_max(chart->x_axis, plot->x_max);
    smi_lxw.chart_axis_set_min(chart->y_axis, 0);
    if (plot->y_max > 0)
        smi_lxw.chart_axis_set_max(chart->y_axis, plot->y_max);
    if (plot->y_format)
        smi_lxw.chart_axis_set_num_format(chart->y_axis, plot->y_format);
    if (plot->strip) {
        smi_lxw.chart_axis_set_num_format(chart->y_axis,
                                          "\"        \""); /* as wide as the numbers of the charts below */
        smi_lxw.chart_axis_set_major_tick_mark(chart->y_axis, LXW_CHART_AXIS_TICK_MARK_NONE);
        smi_lxw.chart_axis_major_gridlines_set_visible(chart->y_axis, LXW_FALSE);
        smi_lxw.chart_axis_set_line(chart->y_axis, &none);
    }
}

void smi_xlsx_chart(struct smi_xlsx_sheet *s, int64_t row, int col, int wide, int high,
                    const struct smi_xlsx_plot *plot, const struct smi_xlsx_curve *curve, size_t n)
{
    struct smi_xlsx *x = s->x;
    lxw_chart_options place = {
        .x_scale = (double)wide / WIDE, .y_scale = (double)high / HIGH, .x_offset = 2, .y_offset = 2};
    lxw_chart_font title = {.size = 12, .bold = LXW_TRUE, .color = 0x1F2A37};
    lxw_chart_line none = {.none = LXW_TRUE};
    lxw_chart *chart;
    if (x->err.code || n == 0)
        return;
    chart = smi_lxw.workbook_add_chart(x->wb, plot->kind == SMI_XLSX_BARS ? LXW_CHART_BAR_STACKED
                                                                          : LXW_CHART_SCATTER_STRAIGHT);
    if (!chart) {
        smi_err_nomem(&x->err);
        return;
    }
    for (size_t i = 0; i < n && !x->err.code; i++)
        add_curve(x, chart, plot, &curve[i]);
    smi_lxw.chart_title_set_name(chart, plot->title);
    smi_lxw.chart_title_set_name_font(chart, &title);
    smi_lxw.chart_legend_set_position(chart,
                                      n > 1 || plot->strip ? LXW_CHART_LEGEND_BOTTOM : LXW_CHART_LEGEND_NONE);
    smi_lxw.chart_chartarea_set_line(chart, &none);
    smi_lxw.chart_show_blanks_as(chart, LXW_CHART_BLANKS_AS_GAP);
    set_axes(chart, plot);
    if (plot->kind == SMI_XLSX_BARS)
        smi_lxw.chart_set_series_gap(chart, 40);
    place.description = smi_xlsx_escaped(x, plot->told, SMI_XLSX_TEXT);
    if (!x->err.code) /* a chart without all of its curves would make the library talk */
        check_written(
            s, smi_lxw.worksheet_insert_chart_opt(s->ws, (lxw_row_t)row, (lxw_col_t)col, chart, &place));
}
