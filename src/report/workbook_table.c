/* workbook_table.c - sheets that are tables: heads in row 1, totals in row 2 above the data, as formulas that
 * follow the filter, with what they come to for those who read without calculating. */
#include "report/workbook_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SMI_SHEET_COLUMN(on, name, text, ...) \
    [SMI_COL_##on##_##                        \
        name] = {.head = text, .sheet = SMI_WORKBOOK_##on, .id = SMI_COL_##on##_##name, __VA_ARGS__},
const struct smi_workbook_column smi_workbook_columns[SMI_WORKBOOK_COLUMNS] = {
#include "report/workbook_column.def"
};

/* --- cells: values of summaries; an absent one is an empty cell, never 0 --- */

void *smi_workbook_alloc(struct smi_workbook *b, size_t n, size_t size)
{
    void *p = smi_arena_new(&b->page.arena, n + 1, size);
    b->page.failed |= !p;
    return p;
}

void smi_workbook_number(struct smi_xlsx_cell *c, double v)
{
    c->is = SMI_XLSX_IS_NUMBER;
    c->v = v;
}

struct smi_value smi_workbook_use(const struct smi_total *t)
{
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    struct smi_value use = {0};
    smi_headline_figures(&t->block, f);
    use.has = f[SMI_FIG_UTIL].has && smi_text_parse_micro(smi_text_of(f[SMI_FIG_UTIL].text), &use.micro) == 0;
    return use;
}

void smi_workbook_text(struct smi_xlsx_cell *c, const char *text)
{
    c->text = text;
    c->is = text ? SMI_XLSX_IS_TEXT : SMI_XLSX_IS_EMPTY;
}

void smi_workbook_value(struct smi_xlsx_cell *c, double per, struct smi_value v)
{
    if (v.has)
        smi_workbook_number(c, (double)v.micro / per);
}

void smi_workbook_datum(struct smi_xlsx_cell *c, double per, struct smi_datum v)
{
    if (v.kind == SMI_DATUM_MICRO)
        smi_workbook_number(c, (double)v.n / per);
    else if (v.kind == SMI_DATUM_INT)
        smi_workbook_number(c, (double)v.n);
    else if (v.kind == SMI_DATUM_TEXT)
        smi_workbook_text(c, v.text);
    else if (v.kind == SMI_DATUM_BOOL)
        smi_workbook_text(c, v.n ? "yes" : "no");
}

void smi_workbook_param(struct smi_xlsx_cell *c, const char *text, bool bare)
{
    enum { DIGITS = 15 };
    smi_workbook_text(c, text);
    if (!text || !bare || !smi_text_is_number(smi_text_of(text)) || strlen(text) > DIGITS)
        return;
    c->v = strtod(text, NULL);
    c->is = isfinite(c->v) ? SMI_XLSX_IS_NUMBER : SMI_XLSX_IS_TEXT;
}

void smi_workbook_time(const struct smi_workbook *b, struct smi_xlsx_cell *c, const struct smi_summary *s,
                       int64_t ms)
{
    enum { EPOCH = 25569, DAY = 86400000 }; /* 1970-01-01 in days since 1899-12-30 */
    ms += s->zoned ? b->offset_s * (int64_t)1000 : 0;
    smi_workbook_number(c, (double)(ms / DAY + EPOCH) + (double)(ms % DAY) / DAY);
    c->look = s->zoned || !b->zoned ? c->look : SMI_XLSX_GREY;
}

void smi_workbook_run(const struct smi_workbook *b, struct smi_xlsx_cell *c, const struct smi_summary *s,
                      bool row)
{
    const int64_t i = s - b->sweep->runs;
    smi_workbook_text(c, s->run);
    if (row && SMI_WORKBOOK_FIRST_RUN + i < SMI_XLSX_ROWS) {
        c->to = b->sheet[SMI_WORKBOOK_RUNS];
        c->to_row = SMI_WORKBOOK_FIRST_RUN + i;
    } else if (!row) {
        c->to = b->series[i];
    }
}

const char *smi_workbook_capital(struct smi_workbook *b, const char *t)
{
    return smi_fmt(&b->page, "%c%s", *t >= 'a' && *t <= 'z' ? *t - 'a' + 'A' : *t, *t ? t + 1 : "");
}

/* --- columns --- */

double smi_workbook_per(const char *unit)
{
    return strcmp(unit, "%") == 0     ? SMI_WORKBOOK_PCT
           : strcmp(unit, "MiB") == 0 ? SMI_WORKBOOK_GIB
                                      : SMI_WORKBOOK_RAW;
}

struct smi_workbook_table *smi_workbook_table(struct smi_workbook *b, enum smi_workbook_sheet sheet, size_t n)
{
    struct smi_workbook_table *t = &b->table[sheet];
    t->col = smi_workbook_alloc(b, n, sizeof *t->col);
    t->cells = SMI_WORKBOOK_COLUMNS;
    return t->col ? t : NULL;
}

int smi_workbook_add(struct smi_workbook *b, struct smi_workbook_table *t, struct smi_workbook_column c)
{
    const struct smi_field_info *f = c.of;
    const char *unit = f ? f->unit : "";
    c.id = c.sheet ? c.id : t->cells++;
    c.money |= f && f->price == SMI_PRICE_MONEY;
    c.co2 |= f && f->price == SMI_PRICE_CO2;
    if (!c.kind && f && f->kind == SMI_DATUM_INT) {
        c.kind = SMI_XLSX_INT;
    } else if (!c.kind && f && f->kind == SMI_DATUM_MICRO) {
        c.kind = c.money                  ? SMI_XLSX_MONEY
                 : strcmp(unit, "%") == 0 ? SMI_XLSX_PERCENT
                 : strcmp(unit, "h") == 0 ? SMI_XLSX_TWO
                                          : SMI_XLSX_ONE;
        c.per = smi_workbook_per(unit);
    }
    if (c.kind == SMI_XLSX_TIME)
        c.head = smi_fmt(&b->page, "%s (%s)", c.head, b->zone);
    c.help = c.help || !f ? c.help : f->help;
    c.per = c.per > 0 ? c.per : SMI_WORKBOOK_RAW;
    if ((!c.money || b->look->money) && (!c.co2 || b->look->co2) &&
        (!c.part || b->sweep->total.of.energy_part))
        t->col[t->n++] = c;
    return c.id;
}

void smi_workbook_row(struct smi_xlsx_sheet *to, int64_t row, const struct smi_workbook_table *t,
                      enum smi_xlsx_appearance look, struct smi_xlsx_cell *cell)
{
    for (int k = 0; k < t->n; k++) {
        struct smi_xlsx_cell *c = &cell[t->col[k].id];
        c->kind = c->kind ? c->kind : t->col[k].kind;
        c->look = c->look ? c->look : look;
        smi_xlsx_put(to, row, k, c);
    }
}

/* --- sheets --- */

enum {
    LINKS = 2000 /* rows that lead somewhere: links are kept in memory, and Excel takes 65,530 in a sheet */
};

/* What is known of a column before its rows are written. */
struct measured {
    double sum, most;
    size_t n, texts;
    int width; /* characters of its widest cell, then of the column */
    enum smi_xlsx_kind head;
};

struct part {
    struct smi_workbook *b;
    const struct smi_workbook_sheet_info *info;
    struct smi_workbook_table *t;
    smi_workbook_fill *fill;
    void *self;
    struct smi_xlsx_cell *cell;
    struct measured *of;
    size_t from, n; /* the rows that go into this sheet */
    int lines;      /* of its heads */
    struct smi_xlsx_sheet *sheet;
};

static bool kind_is_number(enum smi_xlsx_kind kind)
{
    return kind > SMI_XLSX_WORDS && kind < SMI_XLSX_OK;
}

static int number_width(enum smi_xlsx_kind kind, double v)
{
    enum { BEHIND = 4 /* a point and decimals, or a sign */ };
    int digits = fabs(v) < 10 ? 1 : (int)log10(fabs(v)) + 1;
    if (kind == SMI_XLSX_TIME)
        return 19;
    if (!kind_is_number(kind)) /* as it was written: a parameter */
        return v == floor(v) ? digits + 1 : 10;
    return digits + (digits - 1) / 3 + (kind == SMI_XLSX_INT ? 0 : BEHIND);
}

static int cell_width(enum smi_xlsx_kind kind, const struct smi_xlsx_cell *c)
{
    if (c->is == SMI_XLSX_IS_NUMBER)
        return number_width(kind, c->v);
    return c->is == SMI_XLSX_IS_TEXT ? smi_text_width(c->text) + (c->kind >= SMI_XLSX_OK ? 3 : 0) : 0;
}

/* The longest word of a head, which may be broken. */
static int head_width(const char *head)
{
    size_t most = 0;
    for (size_t n; *head; head += n + strspn(head + n, " ")) {
        n = strcspn(head, " ");
        most = n > most ? n : most;
    }
    return (int)most + 1;
}

static void fill_cells(struct part *p, size_t i)
{
    enum { OFTEN = 256 }; /* memory is given back in which details were read */
    memset(p->cell, 0, (size_t)p->t->cells * sizeof *p->cell);
    if (p->b->sweep && i % OFTEN == OFTEN - 1)
        smi_run_store_trim(p->b->sweep->store);
    p->fill(p->b, p->self, p->from + i, p->cell);
}

static void measure_columns(struct part *p)
{
    for (int k = 0; k < p->t->n; k++)
        p->of[k] = (struct measured){.width = head_width(p->t->col[k].head)};
    for (size_t i = 0; i < p->n; i++) {
        fill_cells(p, i);
        for (int k = 0; k < p->t->n; k++) {
            struct measured *m = &p->of[k];
            const struct smi_xlsx_cell *c = &p->cell[p->t->col[k].id];
            int w = cell_width(p->t->col[k].kind, c);
            m->width = w > m->width ? w : m->width;
            m->texts += c->is == SMI_XLSX_IS_TEXT;
            if (c->is != SMI_XLSX_IS_NUMBER || !isfinite(c->v))
                continue;
            m->most = m->n++ == 0 || c->v > m->most ? c->v : m->most;
            m->sum += c->v;
        }
    }
}

static double total_of(const struct smi_workbook_column *col, const struct measured *m)
{
    return col->sum == SMI_TOTAL_MEAN ? m->sum / (double)m->n : col->sum == SMI_TOTAL_MAX ? m->most : m->sum;
}

/* The width of a column, and how its text stands: a little to the right of a number before it. */
static void set_widths(struct part *p)
{
    enum { MOST = 60, LEAST = 10, WORD = 5 /* before a total */, BUTTON = 3 /* of the filter */ };
    bool number = false, beside;
    p->lines = 1;
    for (int k = 0; k < p->t->n; k++) {
        struct smi_workbook_column *col = &p->t->col[k];
        struct measured *m = &p->of[k];
        const int most = col->most ? col->most : MOST;
        int w = p->info->totals && col->sum && m->n ? number_width(col->kind, total_of(col, m)) + BUTTON : 0;
        w += w && col->sum != SMI_TOTAL_SUM ? WORD : 0;
        w = m->width > w ? m->width : w;
        m->width = w + 2 > most ? most : w + 2 < LEAST ? LEAST : w + 2;
        w = smi_text_width(col->head) / m->width + 1;
        p->lines = w > p->lines ? w : p->lines;
        beside = number;
        number = kind_is_number(col->kind) || (m->n > 0 && m->texts == 0);
        if (col->kind == SMI_XLSX_GENERAL && beside && !number)
            col->kind = SMI_XLSX_WORDS;
        m->head = col->kind == SMI_XLSX_GENERAL && number ? SMI_XLSX_INT : col->kind;
    }
}

/* A total of a column, as a formula: 101 mean, 103 count, 104 largest, 109 sum of what is not filtered away.
 */
static void write_total(struct part *p, int64_t row, int k)
{
    static const int code[] = {0, 109, 101, 104};
    static const enum smi_xlsx_appearance look[] = {SMI_XLSX_SUM, SMI_XLSX_SUM, SMI_XLSX_MEAN, SMI_XLSX_MOST};
    const struct smi_workbook_column *col = &p->t->col[k];
    const struct measured *m = &p->of[k];
    struct smi_xlsx_cell c = {.look = SMI_XLSX_SUM};
    char first[SMI_XLSX_CELL], last[SMI_XLSX_CELL];
    smi_xlsx_cell_name(first, row + 1, k);
    smi_xlsx_cell_name(last, row + (int64_t)p->n, k);
    if (k == 0) {
        smi_workbook_text(&c, smi_fmt(&p->b->page, "%zu of %zu shown", p->n, p->n));
        c.formula = smi_fmt(&p->b->page, "=SUBTOTAL(103,%s:%s)&\" of %zu shown\"", first, last, p->n);
    } else if (col->sum != SMI_TOTAL_NONE && m->n > 0) { /* a mean of none would be an error */
        smi_workbook_number(&c, total_of(col, m));
        c.kind = col->kind;
        c.look = look[col->sum];
        c.formula =
            smi_fmt(&p->b->page,
                    col->sum == SMI_TOTAL_SUM ? "=SUBTOTAL(%d,%s:%s)" : "=IFERROR(SUBTOTAL(%d,%s:%s),\"\")",
                    code[col->sum], first, last);
    }
    smi_xlsx_put(p->sheet, row, k, &c);
}

/* Widths, filter, frozen heads, paper: so many pages wide that it can be read. */
static void finish_sheet(struct part *p, int64_t first)
{
    enum { PAGE = 190, MORE = PAGE / 4 }; /* well legible characters across a page; more, to save a page */
    const int64_t last = first + (int64_t)p->n - 1;
    int across = 0, pages;
    for (int k = 0; k < p->t->n; k++) {
        smi_xlsx_width(p->sheet, k, k, p->of[k].width);
        if (p->t->col[k].bars && p->n)
            smi_xlsx_bars(p->sheet, first, k, last);
        across += p->of[k].width;
    }
    smi_xlsx_freeze(p->sheet, first, 1);
    if (p->n)
        smi_xlsx_filter(p->sheet, first - 1, 0, last, p->t->n - 1);
    else if (*p->info->none)
        smi_xlsx_text(p->sheet, first, 0, SMI_XLSX_GENERAL, SMI_XLSX_GREY, p->info->none);
    pages = across > PAGE + MORE ? (across - MORE + PAGE - 1) / PAGE : 1;
    smi_xlsx_print(p->sheet, pages, (int)first - 1, pages > 1 ? 0 : -1);
}

static void write_part(struct part *p)
{
    int64_t row = 1;
    measure_columns(p);
    set_widths(p);
    smi_xlsx_height(p->sheet, 0, 16 + 14.5 * ((p->lines > 4 ? 4 : p->lines) - 1));
    for (int k = 0; k < p->t->n; k++)
        smi_xlsx_text(p->sheet, 0, k, p->of[k].head, SMI_XLSX_HEAD, p->t->col[k].head);
    for (int k = 0; p->info->totals && k < p->t->n; k++)
        write_total(p, 1, k);
    row += p->info->totals;
    for (size_t i = 0; i < p->n && !smi_xlsx_failed(p->b->x); i++) {
        fill_cells(p, i);
        for (int k = 0; row + (int64_t)i >= LINKS && k < p->t->n; k++)
            p->cell[p->t->col[k].id].to = NULL;
        smi_workbook_row(p->sheet, row + (int64_t)i, p->t, SMI_XLSX_PLAIN, p->cell);
    }
    finish_sheet(p, row);
}

void smi_workbook_write(struct smi_workbook *b, enum smi_workbook_sheet sheet, size_t rows,
                        smi_workbook_fill *fill, void *self)
{
    struct smi_workbook_table *t = &b->table[sheet];
    struct part p = {.b = b, .info = &smi_workbook_sheets[sheet], .t = t, .fill = fill, .self = self};
    const size_t most = SMI_XLSX_ROWS - 3;
    p.cell = smi_workbook_alloc(b, (size_t)t->cells, sizeof *p.cell);
    p.of = smi_workbook_alloc(b, (size_t)t->n, sizeof *p.of);
    if (!p.cell || !p.of)
        return;
    do {
        p.n = rows - p.from < most ? rows - p.from : most;
        p.sheet = p.from == 0 ? b->sheet[sheet] : smi_xlsx_sheet(b->x, p.info->name);
        write_part(&p);
        p.from += p.n;
    } while (p.from < rows && !smi_xlsx_failed(b->x));
}
