/* xlsx_chart.c - charts over cells. The library keeps no cached values of them in constant-memory mode: who
 * opens the workbook draws from the cells. */
#include "report/xlsx_private.h"
#include "report/xlsx_text.h"

#include "base/mem.h"

#include <string.h>

enum { FAINT = 0xD9DEE4, AXIS = 0x6B7785, HIGH = 288, WIDE = 480 /* pixels of a chart that is not scaled */ };

/* The library takes its own copy, but not of constant texts. */
static char *copy_escaped_text(struct smi_xlsx *x, const char *text, size_t most)
{
    const char *t = smi_xlsx_escaped(x, text, most);
    char *p = t ? smi_mem_text(t, strlen(t)) : NULL;
    if (!p)
        smi_err_nomem(&x->err);
    return p;
}

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
    lxw_chart_series *c = smi_lxw.chart_add_series(chart, NULL, NULL);
    char *name = c ? copy_escaped_text(x, k->name, NAME) : NULL;
    if (!name) {
        smi_err_nomem(&x->err);
        return;
    }
    smi_lxw.chart_series_set_categories(c, smi_xlsx_name(k->sheet), (lxw_row_t)k->first, (lxw_col_t)k->x,
                                        (lxw_row_t)k->last, (lxw_col_t)k->x);
    smi_lxw.chart_series_set_values(c, smi_xlsx_name(k->sheet), (lxw_row_t)k->first, (lxw_col_t)k->y,
                                    (lxw_row_t)k->last, (lxw_col_t)k->y);
    smi_lxw.chart_series_set_name(c,
                                  *name == '=' ? "-" : name); /* the library would take it for a reference */
    smi_mem_free(name);
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
    if (x->err.code || !s->ws || n == 0)
        return;
    chart = smi_lxw.workbook_add_chart(x->wb, plot->kind == SMI_XLSX_BARS ? LXW_CHART_BAR_STACKED
                                                                          : LXW_CHART_SCATTER_STRAIGHT);
    place.description = chart ? copy_escaped_text(x, plot->told, SMI_XLSX_TEXT) : NULL;
    if (!place.description) {
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
    if (!x->err.code) /* a chart without all of its curves would make the library talk */
        smi_xlsx_error(
            x, smi_lxw.worksheet_insert_chart_opt(s->ws, (lxw_row_t)row, (lxw_col_t)col, chart, &place),
            "a chart");
    smi_mem_free(place.description);
}
