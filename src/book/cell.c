/* cell.c - values of summaries as cells of a spreadsheet: an absent one is an empty cell, never 0. */
#include "book/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *smi_book_new(struct smi_book *b, size_t n, size_t size)
{
    void *p = smi_arena_new(&b->page.arena, n + 1, size);
    b->page.failed |= !p;
    if (!p)
        smi_xlsx_fail(b->x, SMI_ENOMEM, "no memory");
    return p;
}

static void number(struct smi_book_cell *c, double v)
{
    c->is = SMI_BOOK_NUMBER;
    c->v = v;
}

void smi_book_value(struct smi_book_cell *c, const struct smi_book_column *col, struct smi_value v)
{
    if (v.has)
        number(c, (double)v.micro / col->per);
}

void smi_book_count(struct smi_book_cell *c, int64_t n)
{
    number(c, (double)n);
}

void smi_book_ratio(struct smi_book_cell *c, double num, double den)
{
    if (den > 0)
        number(c, num / den);
}

void smi_book_text(struct smi_book_cell *c, const char *text)
{
    c->text = text;
    c->is = text ? SMI_BOOK_TEXT : SMI_BOOK_EMPTY;
}

void smi_book_datum(struct smi_book_cell *c, const struct smi_book_column *col, const struct smi_datum *v)
{
    if (v->kind == SMI_DATUM_MICRO)
        number(c, (double)v->n / col->per);
    else if (v->kind == SMI_DATUM_INT)
        number(c, (double)v->n);
    else if (v->kind == SMI_DATUM_TEXT)
        smi_book_text(c, v->text);
    else if (v->kind == SMI_DATUM_BOOL)
        smi_book_text(c, v->n ? "yes" : "no");
}

double smi_book_day(int64_t ms)
{
    enum { EPOCH = 25569 /* 1970-01-01 */ };
    int64_t day = ms / 86400000, left = ms % 86400000;
    return (double)(day + EPOCH) + (double)left / 86400000.0;
}

void smi_book_when(const struct smi_book *b, struct smi_book_cell *c, const struct smi_summary *s, int64_t ms)
{
    if (!s->has_start)
        return;
    number(c, smi_book_day(ms + (s->zoned ? b->offset_s * (int64_t)1000 : 0)));
    c->look = s->zoned || !b->zoned ? c->look : SMI_XLSX_GREY;
}

void smi_book_run(const struct smi_book *b, struct smi_book_cell *c, const struct smi_summary *s, bool row)
{
    size_t i = (size_t)(s - b->sweep->runs);
    smi_book_text(c, s->run);
    if (!row && b->series[i]) {
        c->is = SMI_BOOK_LINK;
        c->to = b->series[i];
    } else if (row && SMI_BOOK_FIRST_RUN + (int64_t)i < SMI_XLSX_ROWS) {
        c->is = SMI_BOOK_LINK;
        c->to = b->sheet[SMI_BOOK_RUNS];
        c->to_row = SMI_BOOK_FIRST_RUN + (int64_t)i;
    }
}

void smi_book_param(struct smi_book_cell *c, const struct smi_param *p)
{
    enum { DIGITS = 15 };
    char *end;
    double v;
    if (!p || !p->text)
        return;
    if (p->bare && smi_text_is_number(smi_text_of(p->text)) && strlen(p->text) <= DIGITS) {
        v = strtod(p->text, &end);
        if (!*end && isfinite(v)) {
            c->is = SMI_BOOK_NUMBER;
            c->v = v;
            return;
        }
    }
    smi_book_text(c, p->text);
}
