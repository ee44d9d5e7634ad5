/* workbook_table.c - sheets that are tables: heads in row 1, totals in row 2 above the data, as formulas that
 * follow the filter, with what they come to for those who read without calculating. */
#include "report/workbook_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- cells: values of summaries; an absent one is an empty cell, never 0 --- */

void *smi_workbook_alloc(struct smi_workbook *b, size_t n, size_t size)
{
    void *p = smi_arena_new(&b->page.arena, n + 1, size);
    b->page.failed |= !p;
    if (!p)
        smi_xlsx_fail(b->x, SMI_ENOMEM, "no memory");
    return p;
}

static void set_number(struct smi_workbook_cell *c, double v)
{
    c->is = SMI_WORKBOOK_NUMBER;
    c->v = v;
}

void smi_workbook_value(struct smi_workbook_cell *c, const struct smi_workbook_column *col,
                        struct smi_value v)
{
    if (v.has)
        set_number(c, (double)v.micro / col->per);
}

void smi_workbook_count(struct smi_workbook_cell *c, int64_t n)
{
    set_number(c, (double)n);
}

void smi_workbook_ratio(struct smi_workbook_cell *c, double num, double den)
{
    if (den > 0)
        set_number(c, num / den);
}

void smi_workbook_text(struct smi_workbook_cell *c, const char *text)
{
    c->text = text;
    c->is = text ? SMI_WORKBOOK_TEXT : SMI_WORKBOOK_EMPTY;
}

void smi_workbook_datum(struct smi_workbook_cell *c, const struct smi_workbook_column *col,
                        const struct smi_datum *v)
{
    if (v->kind == SMI_DATUM_MICRO)
        set_number(c, (double)v->n / col->per);
    else if (v->kind == SMI_DATUM_INT)
        set_number(c, (double)v->n);
    else if (v->kind == SMI_DATUM_TEXT)
        smi_workbook_text(c, v->text);
    else if (v->kind == SMI_DATUM_BOOL)
        smi_workbook_text(c, v->n ? "yes" : "no");
}

/* What the field says of a column that does not say it itself. */
static void complete_column(struct smi_workbook_column *c)
{
    const char *unit = c->of ? c->of->unit : "";
    if (c->of && c->of->price == SMI_PRICE_MONEY)
        c->money = true;
    if (!c->kind && c->of && c->of->kind == SMI_DATUM_INT) {
        c->kind = SMI_XLSX_INT;
    } else if (!c->kind && c->of && c->of->kind == SMI_DATUM_MICRO) {
        c->kind = c->money                 ? SMI_XLSX_MONEY
                  : strcmp(unit, "%") == 0 ? SMI_XLSX_PERCENT
                  : strcmp(unit, "h") == 0 ? SMI_XLSX_TWO
                                           : SMI_XLSX_ONE;
        c->per = strcmp(unit, "%") == 0     ? SMI_WORKBOOK_PCT
                 : strcmp(unit, "MiB") == 0 ? SMI_WORKBOOK_GIB
                                            : SMI_WORKBOOK_RAW;
    }
    if (c->per == 0)
        c->per = SMI_WORKBOOK_RAW;
}

struct smi_workbook_column *smi_workbook_columns(struct smi_workbook *b,
                                                 const struct smi_workbook_column *col, int n, int all)
{
    struct smi_workbook_column *own = smi_workbook_alloc(b, (size_t)all, sizeof *own);
    for (int k = 0; own && k < n; k++) {
        own[k] = col[k];
        complete_column(&own[k]);
    }
    return own;
}

struct smi_workbook_column smi_workbook_field_column(const struct smi_field_info *f)
{
    struct smi_workbook_column c = {.head = f->label ? f->label : f->key, .of = f};
    complete_column(&c);
    return c;
}

void smi_workbook_fields(struct smi_workbook_cell *c, const struct smi_workbook_column *col, int n,
                         const struct smi_field_info *fields, int count, const struct smi_datum *v)
{
    for (int k = 0; k < n; k++)
        if (col[k].of >= fields && col[k].of < fields + count)
            smi_workbook_datum(&c[k], &col[k], &v[col[k].of - fields]);
}

double smi_workbook_day(int64_t ms)
{
    enum { EPOCH = 25569 /* 1970-01-01 */ };
    int64_t day = ms / 86400000, left = ms % 86400000;
    return (double)(day + EPOCH) + (double)left / 86400000.0;
}

void smi_workbook_time(const struct smi_workbook *b, struct smi_workbook_cell *c, const struct smi_summary *s,
                       int64_t ms)
{
    if (!s->has_start)
        return;
    set_number(c, smi_workbook_day(ms + (s->zoned ? b->offset_s * (int64_t)1000 : 0)));
    c->look = s->zoned || !b->zoned ? c->look : SMI_XLSX_GREY;
}

void smi_workbook_run(const struct smi_workbook *b, struct smi_workbook_cell *c, const struct smi_summary *s,
                      bool row)
{
    size_t i = (size_t)(s - b->sweep->runs);
    smi_workbook_text(c, s->run);
    if (!row && b->series[i]) {
        c->is = SMI_WORKBOOK_LINK;
        c->to = b->series[i];
    } else if (row && SMI_WORKBOOK_FIRST_RUN + (int64_t)i < SMI_XLSX_ROWS) {
        c->is = SMI_WORKBOOK_LINK;
        c->to = b->sheet[SMI_WORKBOOK_RUNS];
        c->to_row = SMI_WORKBOOK_FIRST_RUN + (int64_t)i;
    }
}

void smi_workbook_param(struct smi_workbook_cell *c, const struct smi_param *p)
{
    enum { DIGITS = 15 };
    char *end;
    double v;
    if (!p || !p->text)
        return;
    if (p->bare && smi_text_is_number(smi_text_of(p->text)) && strlen(p->text) <= DIGITS) {
        v = strtod(p->text, &end);
        if (!*end && isfinite(v)) {
            c->is = SMI_WORKBOOK_NUMBER;
            c->v = v;
            return;
        }
    }
    smi_workbook_text(c, p->text);
}

/* --- sheets --- */

enum {
    LINKS = 2000 /* rows that lead somewhere: links are kept in memory, and Excel takes 65,530 in a sheet */
};

/* What is known of a column before its rows are written. */
struct measured {
    double sum, most;
    size_t n, texts;
    int width;    /* characters of its widest cell, then of the column */
    bool numbers; /* it has nothing else */
    bool beside;  /* text that a number stands before */
};

struct part {
    struct smi_workbook *b;
    const struct smi_workbook_table *t;
    struct smi_workbook_cell *cell;
    struct measured *of;
    size_t from, n; /* the rows that go into this sheet */
    struct smi_xlsx_sheet *sheet;
    int64_t row;
};

static int number_width(enum smi_xlsx_kind kind, double v)
{
    static const int behind[SMI_XLSX_KINDS] = {[SMI_XLSX_ONE] = 2,
                                               [SMI_XLSX_TWO] = 3,
                                               [SMI_XLSX_THREE] = 4,
                                               [SMI_XLSX_PERCENT] = 5,
                                               [SMI_XLSX_MONEY] = 4};
    int digits = fabs(v) < 10 ? 1 : (int)log10(fabs(v)) + 1;
    if (kind == SMI_XLSX_TIME)
        return 19;
    if (kind == SMI_XLSX_STAMP)
        return 23;
    if (kind <= SMI_XLSX_KEY) /* as it was written: a parameter */
        return v == floor(v) ? digits + 1 : 10;
    return digits + (digits - 1) / 3 + (v < 0) + behind[kind];
}

static int cell_width(const struct smi_workbook_column *col, const struct smi_workbook_cell *c)
{
    if (c->is == SMI_WORKBOOK_NUMBER)
        return number_width(c->kind ? c->kind : col->kind, c->v);
    if (c->is == SMI_WORKBOOK_BOOL)
        return 5; /* FALSE */
    return c->text ? smi_text_width(c->text) + (c->kind >= SMI_XLSX_OK ? 3 : 0) : 0;
}

/* The width of the first word of a head, after which *head stands. */
static int next_word_width(const char **head)
{
    char word[64];
    size_t n = strcspn(*head, " ");
    snprintf(word, sizeof word, "%.*s", (int)n, *head);
    *head += n + strspn(*head + n, " ");
    return smi_text_width(word);
}

/* The longest word of a head, which may be broken. */
static int head_width(const char *head)
{
    int most = 0, w;
    while (*head) {
        w = next_word_width(&head);
        most = w > most ? w : most;
    }
    return most + 1;
}

/* Lines that a head takes in a column of this width. */
static int head_lines(const char *head, int width)
{
    int lines = 1, at = 0, w;
    while (*head) {
        w = next_word_width(&head);
        lines += at > 0 && at + 1 + w > width;
        at = at > 0 && at + 1 + w <= width ? at + 1 + w : w;
    }
    return lines;
}

static void fill_cells(struct part *p, size_t i)
{
    enum { OFTEN = 256 }; /* memory is given back in which details were read */
    memset(p->cell, 0, (size_t)p->t->n * sizeof *p->cell);
    if (p->b->sweep && i % OFTEN == OFTEN - 1)
        smi_run_store_trim(p->b->sweep->store);
    p->t->fill(p->b, p->t->self, p->from + i, p->cell);
}

static void measure_columns(struct part *p)
{
    for (int k = 0; k < p->t->n; k++)
        p->of[k] = (struct measured){.width = head_width(p->t->col[k].head)};
    for (size_t i = 0; i < p->n; i++) {
        fill_cells(p, i);
        for (int k = 0; k < p->t->n; k++) {
            struct measured *m = &p->of[k];
            const struct smi_workbook_cell *c = &p->cell[k];
            int w = cell_width(&p->t->col[k], c);
            m->width = w > m->width ? w : m->width;
            m->texts += c->is == SMI_WORKBOOK_TEXT || c->is == SMI_WORKBOOK_LINK;
            if (c->is != SMI_WORKBOOK_NUMBER || !isfinite(c->v))
                continue;
            m->most = m->n++ == 0 || c->v > m->most ? c->v : m->most;
            m->sum += c->v;
        }
    }
}

static bool column_is_hidden(const struct part *p, int k)
{
    const struct smi_workbook_column *col = &p->t->col[k];
    return (col->money && !p->b->look->money) || (col->co2 && !p->b->look->co2);
}

static bool kind_is_number(enum smi_xlsx_kind kind)
{
    return kind > SMI_XLSX_WORDS && kind < SMI_XLSX_OK;
}

/* Of the total of a column, with the word before it. */
static int total_width(const struct smi_workbook_column *col, const struct measured *m)
{
    return col->sum == SMI_TOTAL_SUM    ? number_width(col->kind, m->sum)
           : col->sum == SMI_TOTAL_MEAN ? number_width(col->kind, m->sum / (double)m->n) + 5
                                        : number_width(col->kind, m->most) + 4;
}

/* The width of a column, and how its text stands. */
static void set_column_widths(struct part *p)
{
    enum { MOST = 60, LEAST = 10, BUTTON = 3 /* of the filter, in the row of totals */ };
    bool number = false;
    for (int k = 0; k < p->t->n; k++) {
        const struct smi_workbook_column *col = &p->t->col[k];
        struct measured *m = &p->of[k];
        int most = col->most ? col->most : MOST, w;
        if (column_is_hidden(p, k))
            continue;
        w = p->t->sums && col->sum && m->n ? total_width(col, m) + BUTTON : 0;
        w = (w > m->width ? w : m->width) + 2;
        m->width = w > most ? most : w < LEAST ? LEAST : w;
        m->numbers = kind_is_number(col->kind) || (m->n > 0 && m->texts == 0);
        m->beside = number && !m->numbers && col->kind == SMI_XLSX_GENERAL;
        number = m->numbers;
    }
}

static struct smi_xlsx_style style_of(const struct part *p, int k, enum smi_xlsx_kind kind,
                                      enum smi_xlsx_appearance look)
{
    kind = kind ? kind : p->t->col[k].kind;
    if (kind == SMI_XLSX_GENERAL && look == SMI_XLSX_HEAD && p->of[k].numbers)
        kind = SMI_XLSX_INT; /* on the right */
    if (kind == SMI_XLSX_GENERAL && p->of[k].beside &&
        (look == SMI_XLSX_HEAD || p->cell[k].is != SMI_WORKBOOK_NUMBER))
        kind = SMI_XLSX_WORDS;
    return (struct smi_xlsx_style){kind, look};
}

static void write_heads(struct part *p)
{
    int lines = 1, l;
    for (int k = 0, to = 0; k < p->t->n; k++) {
        if (column_is_hidden(p, k))
            continue;
        smi_xlsx_text(p->sheet, p->row, to++, style_of(p, k, SMI_XLSX_GENERAL, SMI_XLSX_HEAD),
                      p->t->col[k].head);
        l = head_lines(p->t->col[k].head, p->of[k].width);
        lines = l > lines ? l : lines;
    }
    smi_xlsx_height(p->sheet, p->row++, 16 + 14.5 * ((lines > 4 ? 4 : lines) - 1));
}

/* A total of a column, as a formula: 101 mean, 103 count, 104 largest, 109 sum of what is not filtered away.
 */
static void write_total(struct part *p, int k, int to)
{
    static const int code[] = {0, 109, 101, 104};
    static const enum smi_xlsx_appearance look[] = {SMI_XLSX_SUM, SMI_XLSX_SUM, SMI_XLSX_MEAN, SMI_XLSX_MOST};
    static const struct smi_xlsx_style plain = {SMI_XLSX_GENERAL, SMI_XLSX_SUM};
    const struct smi_workbook_column *col = &p->t->col[k];
    const struct measured *m = &p->of[k];
    char first[SMI_XLSX_CELL], last[SMI_XLSX_CELL], formula[SMI_XLSX_CELL * 3], text[64];
    double v = col->sum == SMI_TOTAL_MEAN  ? m->sum / (double)m->n
               : col->sum == SMI_TOTAL_MAX ? m->most
                                           : m->sum;
    smi_xlsx_cell_name(first, p->row + 1, to);
    smi_xlsx_cell_name(last, p->row + (int64_t)p->n, to);
    if (k == 0) {
        snprintf(formula, sizeof formula, "=SUBTOTAL(103,%s:%s)&\" of %zu shown\"", first, last, p->n);
        snprintf(text, sizeof text, "%zu of %zu shown", p->n, p->n);
        smi_xlsx_formula_text(p->sheet, p->row, to, plain, formula, text);
    } else if (col->sum == SMI_TOTAL_NONE || m->n == 0) {
        smi_xlsx_blank(p->sheet, p->row, to, SMI_XLSX_SUM);
    } else { /* a mean of none would be an error */
        snprintf(formula, sizeof formula,
                 col->sum == SMI_TOTAL_SUM ? "=SUBTOTAL(%d,%s:%s)" : "=IFERROR(SUBTOTAL(%d,%s:%s),\"\")",
                 code[col->sum], first, last);
        smi_xlsx_formula(p->sheet, p->row, to, smi_xlsx_as(col->kind, look[col->sum]), formula, v);
    }
}

static void write_totals(struct part *p)
{
    for (int k = 0, to = 0; k < p->t->n; k++)
        if (!column_is_hidden(p, k))
            write_total(p, k, to++);
    p->row++;
}

static void write_table_cell(struct part *p, int to, int k)
{
    const struct smi_workbook_cell *c = &p->cell[k];
    struct smi_xlsx_style style = style_of(p, k, c->kind, c->look);
    if (c->is == SMI_WORKBOOK_NUMBER)
        smi_xlsx_number(p->sheet, p->row, to, style, c->v);
    else if (c->is == SMI_WORKBOOK_BOOL)
        smi_xlsx_bool(p->sheet, p->row, to, style, c->v != 0);
    else if (c->is == SMI_WORKBOOK_LINK && p->row < LINKS)
        smi_xlsx_link(p->sheet, p->row, to, c->to, c->to_row, c->text);
    else if (c->is == SMI_WORKBOOK_TEXT || c->is == SMI_WORKBOOK_LINK)
        smi_xlsx_text(p->sheet, p->row, to, style, c->text);
}

static void write_table_rows(struct part *p)
{
    for (size_t i = 0; i < p->n && !smi_xlsx_failed(p->b->x); i++, p->row++) {
        fill_cells(p, i);
        for (int k = 0, to = 0; k < p->t->n; k++)
            if (!column_is_hidden(p, k))
                write_table_cell(p, to++, k);
    }
    if (p->n == 0 && *p->t->none)
        smi_xlsx_text(p->sheet, p->row, 0, smi_xlsx_as(SMI_XLSX_GENERAL, SMI_XLSX_GREY), p->t->none);
}

/* Widths, filter, frozen heads, paper: so many pages wide that it can be read. */
static void finish_sheet(struct part *p, int64_t first)
{
    enum {
        PAGE = 190,
        MORE = PAGE / 4
    }; /* characters across a page that are well legible; more, to save a page */
    int shown = 0, across = 0, pages;
    for (int k = 0; k < p->t->n; k++) {
        if (column_is_hidden(p, k))
            continue;
        smi_xlsx_width(p->sheet, shown, shown, p->of[k].width);
        if (p->t->col[k].bars && p->n)
            smi_xlsx_bars(p->sheet, first, shown, first + (int64_t)p->n - 1);
        across += p->of[k].width;
        shown++;
    }
    smi_xlsx_freeze(p->sheet, first, 1);
    if (p->n)
        smi_xlsx_filter(p->sheet, first - 1, 0, first + (int64_t)p->n - 1, shown - 1);
    pages = across > PAGE + MORE ? (across - MORE + PAGE - 1) / PAGE : 1;
    smi_xlsx_print(p->sheet, true, pages, 0, (int)first - 1, pages > 1 ? 0 : -1);
}

static void write_table(struct part *p)
{
    int64_t first;
    p->row = 0;
    measure_columns(p);
    set_column_widths(p);
    write_heads(p);
    if (p->t->sums)
        write_totals(p);
    first = p->row;
    write_table_rows(p);
    finish_sheet(p, first);
}

void smi_workbook_describe(struct smi_workbook *b, const struct smi_workbook_table *t)
{
    struct smi_workbook_described *said = smi_workbook_alloc(b, 1, sizeof *said);
    if (!said)
        return;
    said->table = *t;
    *b->said_end = said;
    b->said_end = &said->next;
}

void smi_workbook_table(struct smi_workbook *b, const struct smi_workbook_table *t, size_t n)
{
    struct part p = {.b = b, .t = t};
    size_t most = SMI_XLSX_ROWS - 3;
    p.cell = smi_workbook_alloc(b, (size_t)t->n, sizeof *p.cell);
    p.of = smi_workbook_alloc(b, (size_t)t->n, sizeof *p.of);
    if (!p.cell || !p.of)
        return;
    smi_workbook_describe(b, t);
    do {
        p.n = n - p.from < most ? n - p.from : most;
        p.sheet = p.from == 0 ? b->sheet[t->sheet] : smi_xlsx_sheet(b->x, smi_workbook_sheets[t->sheet]);
        write_table(&p);
        p.from += p.n;
    } while (p.from < n && !smi_xlsx_failed(b->x));
}
