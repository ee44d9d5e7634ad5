/* workbook.c - the order of the workbook's sheets. */
#include "report/workbook.h"

#include "report/workbook_private.h"
#include "base/clock.h"
#include "base/version.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One clock for all times: that of the GPU logs if they agree (of runs without any, of the others), else UTC. */
static void choose_zone(struct smi_book *b)
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
    smi_clock_put_zone(t, b->offset_s);
    b->zone = !b->zoned ? "zone not known" : !same || b->offset_s == 0 ? "UTC" : smi_page_fmt(&b->page, "UTC%s", t);
}

const char *const smi_book_sheets[SMI_BOOK_ROWS + 1] = {"Overview", "Runs",   "Groups", "GPUs",  "Phases",
                                                        "Commands", "Findings", "Inputs", "About", "Rows"};

/* Each sheet has rows in order; of two sheets either may be written first. */
static void write(struct smi_book *b)
{
    for (int i = 0; i < SMI_BOOK_SHEETS; i++)
        if (i != SMI_BOOK_COMMANDS || smi_book_has_commands(b))
            b->sheet[i] = smi_xlsx_sheet(b->x, smi_book_sheets[i]);
    b->series = smi_book_new(b, b->sweep->n, sizeof *b->series);
    choose_zone(b);
    if (!b->series)
        return;
    smi_book_series(b);
    smi_book_runs(b);
    smi_book_groups(b);
    smi_book_overview(b);
    smi_book_gpus(b);
    smi_book_phases(b);
    smi_book_commands(b);
    smi_book_findings(b);
    smi_book_inputs(b);
    smi_book_samples(b);
    smi_book_about(b);
}

const char *smi_book_lacks(void)
{
    return NULL;
}

/* Makes the workbook that `write` fills. Returns 0, or -1 with err. */
static int make(struct smi_book *b, const char *path, struct smi_buf *title, void (*fill)(struct smi_book *b),
                struct smi_err *err)
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

int smi_write_xlsx(const char *path, const struct smi_sweep *s, const struct smi_look *look, struct smi_err *err)
{
    struct smi_book b = {.sweep = s, .look = look};
    struct smi_buf title = {0};
    b.page = (struct smi_page){.to = &b.words, .sweep = s, .look = look};
    smi_buf_fmt(&title, "%zu run%s in %s", s->n, s->n == 1 ? "" : "s", s->title ? s->title : ".");
    return make(&b, path, &title, write, err);
}

/* --- the rows of an answer --- */

/* Whole numbers that no double holds stay texts. */
static void cell(struct smi_book *b, void *self, size_t i, struct smi_book_cell *c)
{
    enum { DIGITS = 15 };
    const struct smi_answer *r = self;
    (void)b;
    for (size_t k = 0; k < r->columns; k++) {
        const struct smi_value_text *v = &r->cell[i * r->columns + k];
        if (v->kind == SMI_CELL_BOOL) {
            c[k].is = SMI_BOOK_BOOL;
            c[k].v = *v->text == 't';
        } else if (v->kind == SMI_CELL_NUMBER && (strpbrk(v->text, ".e") || strlen(v->text) <= DIGITS)) {
            c[k].is = SMI_BOOK_NUMBER;
            c[k].v = strtod(v->text, NULL);
        } else {
            smi_book_text(&c[k], v->text);
        }
    }
}

/* As many decimals as there are, three at most; what names a group, whole and very small numbers as they come. */
static enum smi_xlsx_kind kind_of(const struct smi_answer *r, size_t k)
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

static void write_rows(struct smi_book *b)
{
    const struct smi_answer *r = b->rows;
    struct smi_book_column *col = smi_book_new(b, r->columns, sizeof *col);
    struct smi_book_table t = {
        .sheet = SMI_BOOK_ROWS, .col = col, .n = (int)r->columns, .none = "", .fill = cell, .self = (void *)r};
    if (!col)
        return;
    for (size_t k = 0; k < r->columns; k++)
        col[k] = (struct smi_book_column){.head = r->name[k], .kind = kind_of(r, k)};
    b->sheet[SMI_BOOK_ROWS] = smi_xlsx_sheet(b->x, smi_book_sheets[SMI_BOOK_ROWS]);
    smi_book_table(b, &t, r->n);
}

int smi_rows_xlsx(const char *path, const struct smi_answer *rows, const struct smi_look *look, struct smi_err *err)
{
    struct smi_book b = {.rows = rows, .look = look};
    struct smi_buf title = {0};
    b.page = (struct smi_page){.to = &b.words, .look = look};
    smi_buf_fmt(&title, "%zu row%s", rows->n, rows->n == 1 ? "" : "s");
    return make(&b, path, &title, write_rows, err);
}
