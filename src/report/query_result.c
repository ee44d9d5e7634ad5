/* query_result.c - the rows of an answer: aligned for people, JSON, Markdown. */
#include "base/version.h"
#include "report/output.h"
#include "report/table.h"

#include <string.h>

/* --- aligned --- */

enum { TEXT_LEAST = 12, TEXT_CAP = 40, DIGITS = 3, GROUP_DIGITS = 2 };

/* A window is for eyes: the last digits stay away, but for the first of a number that is below 1. */
static const char *rounded_number(struct smi_text_arena *g, const char *text, int digits)
{
    int64_t micro, size;
    const char *point = strchr(text, '.');
    if (!g->look->width || !point || smi_text_parse_micro(smi_text_of(text), &micro) || micro == 0)
        return text;
    for (size = micro < 0 ? -micro : micro; size < 1000000 && size >= 1000 && digits < DIGITS + 3; size *= 10)
        digits += size < 100000;
    if (size < 1000 || (int)strlen(point + 1) <= digits)
        return text;
    return smi_fmt_ratio(g, micro, 1000000, digits);
}

static bool has_text(const struct smi_result *r, size_t column)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->cell[i * r->columns + column].kind == SMI_CELL_TEXT)
            return true;
    return false;
}

static struct smi_table_column *result_columns(struct smi_text_arena *g, const struct smi_result *r)
{
    struct smi_table_column *col = smi_arena_new(&g->arena, r->columns, sizeof *col);
    for (size_t i = 0; col && i < r->columns; i++) {
        bool text = has_text(r, i);
        col[i] = (struct smi_table_column){.head = smi_fmt_field(g, r->name[i]),
                                           .align = text ? SMI_LEFT : SMI_POINT,
                                           .least = text ? TEXT_LEAST : 0,
                                           .names = text && i == 0};
    }
    return col;
}

/* In a window the figures of groups stand under the name of their column, with the spread beside the mean,
 * and n only where it is neither that of the group nor 0, which the lack of a mean says. */
static void group_heads(struct smi_report_table *t, const struct smi_result *r)
{
    for (size_t i = r->keys + 1; i + 2 < r->columns; i += 3) {
        bool same = true;
        for (size_t k = 0; k < r->n; k++)
            same &= strcmp(r->cell[k * r->columns + i + 2].text, "0") == 0 ||
                    strcmp(r->cell[k * r->columns + i + 2].text, r->cell[k * r->columns + r->keys].text) == 0;
        t->cell[i].text =
            smi_fmt(t->page, "%.*s", (int)strlen(r->name[i]) - (int)strlen("_mean"), r->name[i]);
        t->cell[i + 1].text = "+/-";
        t->cell[i + 2].text = "n";
        t->col[i + 2].hidden = same;
    }
}

/* Columns that do not fit a window leave from the right, of a group all three figures, and are named. */
static const char *fit_result_columns(struct smi_text_arena *g, struct smi_report_table *t,
                                      const struct smi_result *r)
{
    const char *left = "";
    const int keys = (int)r->keys;
    for (int i = t->columns; i-- > 1 && smi_table_need(t, TEXT_CAP) > g->look->width;) {
        const int first = keys && i > keys ? i - (i - keys - 1) % 3 : i;
        for (; i > first; i--)
            t->col[i].hidden = true;
        t->col[i].hidden = true;
        left = smi_fmt(g, ", %s%s", t->cell[i].text, left);
    }
    return left;
}

/* Begins a table of the rows. Returns whether there was memory; else there is nothing to free. */
static bool result_table(struct smi_text_arena *g, const struct smi_result *r, struct smi_report_table *t)
{
    struct smi_table_column *col = result_columns(g, r);
    g->failed |= !col;
    if (!col)
        return false;
    smi_table_begin(t, g, col, (int)r->columns);
    for (size_t k = 0; k < r->columns && !g->failed; k++) {
        t->cell[k].text = r->name[k];
        t->cell[k].words = SMI_WORDS_OF_LOG;
    }
    for (size_t i = 0; i < r->n && !g->failed; i++) {
        struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
        for (size_t k = 0; row && k < r->columns; k++) {
            const struct smi_value_text *v = &r->cell[i * r->columns + k];
            const bool text = v->kind == SMI_CELL_TEXT;
            row[k].words = text ? SMI_WORDS_OF_LOG : SMI_WORDS_OURS;
            row[k].text = text || !v->text ? v->text ? v->text : "-"
                                           : rounded_number(g, v->text, r->keys ? GROUP_DIGITS : DIGITS);
            row[k].style = !v->text ? SMI_GREY : SMI_STYLE_PLAIN;
        }
    }
    return true;
}

int smi_result_text(struct smi_buf *to, const struct smi_result *rows, const struct smi_render_options *look,
                    struct smi_err *err)
{
    struct smi_text_arena g = {.to = to, .look = look};
    const char *left = "";
    struct smi_report_table t;
    if (!result_table(&g, rows, &t))
        return smi_text_arena_end(&g, err);
    if (look->width && rows->keys && !g.failed)
        group_heads(&t, rows);
    if (look->width && !g.failed)
        left = fit_result_columns(&g, &t, rows);
    smi_table_text(&t);
    if (*left)
        smi_wrap_fmt(&g, SMI_GREY, "(%d columns: without %s; all with -o rows.csv or a wider window)",
                     look->width, left + 2);
    return smi_text_arena_end(&g, err);
}

/* --- JSON --- */

void smi_result_object(struct smi_json *j, const struct smi_result *r, size_t row)
{
    smi_json_open(j, '{');
    for (size_t i = 0; i < r->columns; i++) {
        const struct smi_value_text *v = &r->cell[row * r->columns + i];
        smi_json_key(j, r->name[i]);
        if (v->kind == SMI_CELL_TEXT)
            smi_json_str(j, v->text);
        else if (v->kind == SMI_CELL_NULL)
            smi_json_null(j);
        else
            smi_json_raw(j, v->text);
    }
    smi_json_close(j, '}');
}

int smi_result_json(struct smi_buf *to, const struct smi_result *rows, const struct smi_render_options *look,
                    struct smi_err *err)
{
    struct smi_json j;
    (void)look;
    smi_buf_str(to, "{\"schema\": \"smilog/1\", \"generator\": \"smilog " SMILOG_VERSION "\", \"columns\": ");
    smi_json_begin(&j, to);
    smi_json_open(&j, '[');
    for (size_t i = 0; i < rows->columns; i++)
        smi_json_str(&j, rows->name[i]);
    smi_json_close(&j, ']');
    smi_buf_str(to, ", \"rows\": [");
    for (size_t i = 0; i < rows->n; i++) {
        smi_buf_str(to, i ? ",\n" : "\n");
        smi_json_begin(&j, to);
        smi_result_object(&j, rows, i);
    }
    smi_buf_str(to, rows->n ? "\n]}\n" : "]}\n");
    return to->failed ? smi_err_nomem(err) : 0;
}

int smi_result_jsonl(struct smi_buf *to, const struct smi_result *rows, const struct smi_render_options *look,
                     struct smi_err *err)
{
    struct smi_json j;
    (void)look;
    for (size_t i = 0; i < rows->n; i++) {
        smi_json_begin(&j, to);
        smi_result_object(&j, rows, i);
        smi_buf_char(to, '\n');
    }
    return to->failed ? smi_err_nomem(err) : 0;
}

/* --- Markdown --- */

int smi_result_markdown(struct smi_buf *to, const struct smi_result *rows,
                        const struct smi_render_options *look, struct smi_err *err)
{
    const struct smi_render_options whole = {.all = look->all};
    struct smi_text_arena g = {.to = to, .look = &whole};
    struct smi_report_table t;
    if (result_table(&g, rows, &t))
        smi_table_markdown(&t);
    return smi_text_arena_end(&g, err);
}
