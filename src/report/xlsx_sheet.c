/* xlsx_sheet.c - cells, and what holds for a sheet as a whole. */
#include "report/xlsx_private.h"
#include "base/int128.h"
#include "report/xlsx_text.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>

/* May this cell be written? Rows that could not be are seen when the next one begins. */
static bool may_write_cell(struct smi_xlsx_sheet *s, int64_t row, int col)
{
    if (s->x->err.code || !s->ws)
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

void smi_xlsx_text(struct smi_xlsx_sheet *s, int64_t row, int col, struct smi_xlsx_style style,
                   const char *text)
{
    const char *t;
    if (!may_write_cell(s, row, col) || !(t = smi_xlsx_escaped(s->x, text, SMI_XLSX_TEXT)))
        return;
    if (*t)
        check_written(s, smi_lxw.worksheet_write_string(s->ws, (lxw_row_t)row, (lxw_col_t)col, t,
                                                        smi_xlsx_format(s->x, style)));
    else
        smi_xlsx_blank(s, row, col, style.look);
}

void smi_xlsx_number(struct smi_xlsx_sheet *s, int64_t row, int col, struct smi_xlsx_style style, double v)
{
    if (!isfinite(v))
        smi_xlsx_blank(s, row, col, style.look);
    else if (may_write_cell(s, row, col))
        check_written(s, smi_lxw.worksheet_write_number(s->ws, (lxw_row_t)row, (lxw_col_t)col, v,
                                                        smi_xlsx_format(s->x, style)));
}

void smi_xlsx_bool(struct smi_xlsx_sheet *s, int64_t row, int col, struct smi_xlsx_style style, bool v)
{
    if (may_write_cell(s, row, col))
        check_written(s, smi_lxw.worksheet_write_boolean(s->ws, (lxw_row_t)row, (lxw_col_t)col, v,
                                                         smi_xlsx_format(s->x, style)));
}

void smi_xlsx_blank(struct smi_xlsx_sheet *s, int64_t row, int col, enum smi_xlsx_appearance look)
{
    struct smi_xlsx_style style = {SMI_XLSX_GENERAL, look};
    if (look != SMI_XLSX_PLAIN && may_write_cell(s, row, col))
        check_written(s, smi_lxw.worksheet_write_blank(s->ws, (lxw_row_t)row, (lxw_col_t)col,
                                                       smi_xlsx_format(s->x, style)));
}

void smi_xlsx_formula(struct smi_xlsx_sheet *s, int64_t row, int col, struct smi_xlsx_style style,
                      const char *formula, double v)
{
    if (!isfinite(v))
        smi_xlsx_blank(s, row, col, style.look);
    else if (may_write_cell(s, row, col))
        check_written(s, smi_lxw.worksheet_write_formula_num(s->ws, (lxw_row_t)row, (lxw_col_t)col, formula,
                                                             smi_xlsx_format(s->x, style), v));
}

void smi_xlsx_formula_text(struct smi_xlsx_sheet *s, int64_t row, int col, struct smi_xlsx_style style,
                           const char *formula, const char *text)
{
    const char *t;
    if (may_write_cell(s, row, col) && (t = smi_xlsx_escaped(s->x, text, SMI_XLSX_TEXT)))
        check_written(s, smi_lxw.worksheet_write_formula_str(s->ws, (lxw_row_t)row, (lxw_col_t)col, formula,
                                                             smi_xlsx_format(s->x, style), t));
}

void smi_xlsx_cell_name(char *to, int64_t row, int col)
{
    char letters[8];
    int n = 0;
    for (int c = col + 1; c > 0; c = (c - 1) / 26)
        letters[n++] = (char)('A' + (c - 1) % 26);
    while (n > 0)
        *to++ = letters[--n];
    smi_i128_write(to, row + 1);
}

void smi_xlsx_link(struct smi_xlsx_sheet *s, int64_t row, int col, const struct smi_xlsx_sheet *to,
                   int64_t to_row, const char *text)
{
    char url[SMI_XLSX_NAME * 4 + 48], cell[SMI_XLSX_CELL];
    const char *t;
    if (!may_write_cell(s, row, col) || !(t = smi_xlsx_escaped(s->x, text, SMI_XLSX_TEXT)))
        return;
    smi_xlsx_cell_name(cell, to_row, 0);
    snprintf(url, sizeof url, "internal:'%s'!%s", smi_xlsx_name(to), cell); /* no name has an apostrophe */
    check_written(s, smi_lxw.worksheet_write_url_opt(s->ws, (lxw_row_t)row, (lxw_col_t)col, url, NULL,
                                                     *t ? t : "-", NULL));
}

void smi_xlsx_height(struct smi_xlsx_sheet *s, int64_t row, double points)
{
    if (may_write_cell(s, row, 0))
        check_written(s, smi_lxw.worksheet_set_row(s->ws, (lxw_row_t)row, points, NULL));
}

/* --- the sheet as a whole --- */

void smi_xlsx_width(struct smi_xlsx_sheet *s, int col, int last, double characters)
{
    if (!s->x->err.code && s->ws)
        check_written(s,
                      smi_lxw.worksheet_set_column(s->ws, (lxw_col_t)col, (lxw_col_t)last, characters, NULL));
}

void smi_xlsx_freeze(struct smi_xlsx_sheet *s, int64_t row, int col)
{
    if (s->ws)
        smi_lxw.worksheet_freeze_panes(s->ws, (lxw_row_t)row, (lxw_col_t)col);
}

void smi_xlsx_filter(struct smi_xlsx_sheet *s, int64_t row, int col, int64_t last_row, int last_col)
{
    if (!s->x->err.code && s->ws)
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
    if (!s->x->err.code && s->ws)
        check_written(s, smi_lxw.worksheet_conditional_format_range(s->ws, (lxw_row_t)row, (lxw_col_t)col,
                                                                    (lxw_row_t)last_row, (lxw_col_t)col, &f));
}

void smi_xlsx_print(struct smi_xlsx_sheet *s, bool landscape, int wide, int tall, int head_row, int head_col)
{
    static const char footer[] = "&L&8&F   &A&R&8&P / &N"; /* file, sheet; page, pages */
    enum { A4 = 9 };
    if (s->x->err.code || !s->ws)
        return;
    if (landscape)
        smi_lxw.worksheet_set_landscape(s->ws);
    smi_lxw.worksheet_set_paper(s->ws, A4);
    smi_lxw.worksheet_set_margins(s->ws, 0.4, 0.4, 0.5, 0.6);
    smi_lxw.worksheet_fit_to_pages(s->ws, (uint16_t)wide, (uint16_t)tall);
    smi_lxw.worksheet_print_across(s->ws);
    check_written(s, smi_lxw.worksheet_set_footer(s->ws, footer));
    if (head_row >= 0)
        check_written(s, smi_lxw.worksheet_repeat_rows(s->ws, 0, (lxw_row_t)head_row));
    if (head_col >= 0)
        check_written(s, smi_lxw.worksheet_repeat_columns(s->ws, 0, (lxw_col_t)head_col));
}

void smi_xlsx_print_part(struct smi_xlsx_sheet *s, int64_t last_row, int last_col)
{
    smi_xlsx_print(s, false, 1, 1, -1, -1);
    if (!s->x->err.code && s->ws)
        check_written(s, smi_lxw.worksheet_print_area(s->ws, 0, 0, (lxw_row_t)last_row, (lxw_col_t)last_col));
}

void smi_xlsx_hide_grid(struct smi_xlsx_sheet *s)
{
    if (s->ws)
        smi_lxw.worksheet_gridlines(s->ws, LXW_HIDE_ALL_GRIDLINES);
}

void smi_xlsx_activate(struct smi_xlsx_sheet *s)
{
    smi_xlsx_hide_grid(s);
    if (!s->ws)
        return;
    smi_lxw.worksheet_activate(s->ws);
    smi_lxw.worksheet_set_first_sheet(s->ws);
}
