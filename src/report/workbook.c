/* workbook.c - the order of the workbook's sheets. */
#include "report/workbook.h"

#include "report/workbook_private.h"
#include "base/clock.h"
#include "base/version.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One clock for all times: that of the GPU logs if they agree (of runs without any, of the others), else UTC.
 */
static void choose_zone(struct smi_workbook *b)
{
    char t[SMI_CLOCK_TEXT];
    bool same = true, gpu = false;
    for (size_t i = 0; i < b->sweep->n; i++) {
        const struct smi_summary *s = &b->sweep->runs[i];
        bool own = s->state != SMI_STATE_NO_DATA;
        if (!s->has_start || !s->zoned || (gpu && !own))
            continue;
        same = !b->zoned || (own && !gpu) || (same && s->offset_s == b->offset_s);
        b->offset_s = s->offset_s;
        b->zoned = true;
        gpu |= own;
    }
    if (!same)
        b->offset_s = 0;
    smi_clock_write_zone(t, b->offset_s);
    b->zone = !b->zoned                   ? "zone not known"
              : !same || b->offset_s == 0 ? "UTC"
                                          : smi_fmt(&b->page, "UTC%s", t);
}

const char *const smi_workbook_sheets[SMI_WORKBOOK_ROWS + 1] = {
    "Overview", "Runs", "Groups", "GPUs", "Phases", "Commands", "Findings", "Inputs", "About", "Rows"};

/* Each sheet has rows in order; of two sheets either may be written first. */
static void write_sheets(struct smi_workbook *b)
{
    for (int i = 0; i < SMI_WORKBOOK_SHEETS; i++)
        if (i != SMI_WORKBOOK_COMMANDS || smi_workbook_has_commands(b))
            b->sheet[i] = smi_xlsx_sheet(b->x, smi_workbook_sheets[i]);
    b->series = smi_workbook_alloc(b, b->sweep->n, sizeof *b->series);
    choose_zone(b);
    if (!b->series)
        return;
    smi_workbook_charts(b);
    smi_workbook_runs(b);
    smi_workbook_groups(b);
    smi_workbook_overview(b);
    smi_workbook_gpus(b);
    smi_workbook_phases(b);
    smi_workbook_commands(b);
    smi_workbook_findings(b);
    smi_workbook_inputs(b);
    smi_workbook_samples(b);
    smi_workbook_about(b);
}

const char *smi_workbook_unavailable(void)
{
    return NULL;
}

/* Makes the workbook that `write` fills. Returns 0, or -1 with err. */
static int make_workbook(struct smi_workbook *b, const char *path, struct smi_buf *title,
                         void (*fill)(struct smi_workbook *b), struct smi_err *err)
{
    int rc = title->failed ? smi_err_nomem(err) : smi_xlsx_open(&b->x, path, title->p, b->look->now_ms, err);
    b->said_end = &b->said;
    if (!rc) {
        fill(b);
        if (b->page.failed || b->words.failed)
            smi_xlsx_fail(b->x, SMI_ENOMEM, "memory ran out");
        rc = smi_xlsx_close(b->x, err);
    }
    smi_arena_fini(&b->page.arena);
    smi_buf_fini(&b->words);
    smi_buf_fini(title);
    return rc;
}

int smi_write_workbook(const char *path, const struct smi_sweep *s, const struct smi_render_options *look,
                       struct smi_err *err)
{
    struct smi_workbook b = {.sweep = s, .look = look};
    struct smi_buf title = {0};
    b.page = (struct smi_text_arena){.to = &b.words, .sweep = s, .look = look};
    smi_buf_fmt(&title, "%zu run%s in %s", s->n, s->n == 1 ? "" : "s", s->title ? s->title : ".");
    return make_workbook(&b, path, &title, write_sheets, err);
}

/* --- the rows of an answer --- */

/* Whole numbers that no double holds stay texts. */
static void cell(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    enum { DIGITS = 15 };
    const struct smi_result *r = self;
    (void)b;
    for (size_t k = 0; k < r->columns; k++) {
        const struct smi_value_text *v = &r->cell[i * r->columns + k];
        if (v->kind == SMI_CELL_BOOL) {
            c[k].is = SMI_WORKBOOK_BOOL;
            c[k].v = *v->text == 't';
        } else if (v->kind == SMI_CELL_NUMBER && (strpbrk(v->text, ".e") || strlen(v->text) <= DIGITS)) {
            c[k].is = SMI_WORKBOOK_NUMBER;
            c[k].v = strtod(v->text, NULL);
        } else {
            smi_workbook_text(&c[k], v->text);
        }
    }
}

/* As many decimals as there are, three at most; what names a group, whole and very small numbers as they
 * come. */
static enum smi_xlsx_kind result_column_kind(const struct smi_result *r, size_t k)
{
    static const enum smi_xlsx_kind kind[] = {SMI_XLSX_GENERAL, SMI_XLSX_ONE, SMI_XLSX_TWO, SMI_XLSX_THREE};
    size_t most = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct smi_value_text *v = &r->cell[i * r->columns + k];
        const char *point = v->kind == SMI_CELL_NUMBER ? strchr(v->text, '.') : NULL;
        double size = point ? fabs(strtod(v->text, NULL)) : 1;
        if (v->kind == SMI_CELL_TEXT || (size > 0 && size < 1e-3))
            return SMI_XLSX_GENERAL;
        most = point && strlen(point + 1) > most ? strlen(point + 1) : most;
    }
    return k < r->keys ? SMI_XLSX_KEY : kind[most < 3 ? most : 3];
}

static void write_rows(struct smi_workbook *b)
{
    const struct smi_result *r = b->rows;
    struct smi_workbook_column *col = smi_workbook_alloc(b, r->columns, sizeof *col);
    struct smi_workbook_table t = {.sheet = SMI_WORKBOOK_ROWS,
                                   .col = col,
                                   .n = (int)r->columns,
                                   .none = "",
                                   .fill = cell,
                                   .self = (void *)r};
    if (!col)
        return;
    for (size_t k = 0; k < r->columns; k++)
        col[k] = (struct smi_workbook_column){.head = r->name[k], .kind = result_column_kind(r, k)};
    b->sheet[SMI_WORKBOOK_ROWS] = smi_xlsx_sheet(b->x, smi_workbook_sheets[SMI_WORKBOOK_ROWS]);
    smi_workbook_table(b, &t, r->n);
}

int smi_result_workbook(const char *path, const struct smi_result *rows,
                        const struct smi_render_options *look, struct smi_err *err)
{
    struct smi_workbook b = {.rows = rows, .look = look};
    struct smi_buf title = {0};
    b.page = (struct smi_text_arena){.to = &b.words, .look = look};
    smi_buf_fmt(&title, "%zu row%s", rows->n, rows->n == 1 ? "" : "s");
    return make_workbook(&b, path, &title, write_rows, err);
}
