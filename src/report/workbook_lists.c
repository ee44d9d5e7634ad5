/* workbook_lists.c - the sheets Runs, GPUs, Phases, Commands, Findings and Inputs: one row for each that a
 * run has. */
#include "report/text_report.h"
#include "report/workbook_private.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* sheets that are tables: heads in row 1, totals in row 2 above the data, as formulas that
 * follow the filter, with what they come to for those who read without calculating. */

#define SMI_SHEET_COLUMN(on, name, text, ...) \
    [SMI_COL_##on##_##                        \
        name] = {.head = text, .sheet = SMI_WORKBOOK_##on, .id = SMI_COL_##on##_##name, __VA_ARGS__},
const struct smi_workbook_column smi_workbook_columns[SMI_WORKBOOK_COLUMNS] = {
#include "report/workbook_column.def"
};

/* --- cells: values of summaries; an absent one is an empty cell, never 0 --- */

void smi_workbook_number(struct smi_xlsx_cell *c, double v)
{
    c->is = SMI_XLSX_IS_NUMBER;
    c->v = v;
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

static void put_datum(struct smi_xlsx_cell *c, double per, struct smi_datum v)
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
    t->col = smi_arena_new(&b->page.arena, n, sizeof *t->col);
    t->cells = SMI_WORKBOOK_COLUMNS;
    return t;
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

static void fill_cells(struct part *p, size_t i)
{
    enum { OFTEN = 256 }; /* memory is given back in which details were read */
    memset(p->cell, 0, (size_t)p->t->cells * sizeof *p->cell);
    if (p->b->sweep && i % OFTEN == OFTEN - 1)
        smi_run_store_trim(p->b->sweep->store);
    p->fill(p->b, p->self, p->from + i, p->cell);
}

static double total_of(const struct smi_workbook_column *col, const struct measured *m)
{
    return col->sum == SMI_TOTAL_MEAN ? m->sum / (double)m->n : col->sum == SMI_TOTAL_MAX ? m->most : m->sum;
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

static void write_part(struct part *p)
{
    int64_t row = 1;
    for (int k = 0; k < p->t->n; k++) {
        p->of[k] = (struct measured){0};
        for (const char *head = p->t->col[k].head; *head; head += strspn(head, " ")) {
            const int n = (int)strcspn(head, " "); /* a head may be broken between words */
            p->of[k].width = n >= p->of[k].width ? n + 1 : p->of[k].width;
            head += n;
        }
    }
    for (size_t i = 0; i < p->n; i++) {
        fill_cells(p, i);
        for (int k = 0; k < p->t->n; k++) {
            struct measured *m = &p->of[k];
            const struct smi_xlsx_cell *c = &p->cell[p->t->col[k].id];
            int w = c->is == SMI_XLSX_IS_NUMBER ? number_width(p->t->col[k].kind, c->v)
                    : c->is == SMI_XLSX_IS_TEXT ? smi_text_width(c->text) + (c->kind >= SMI_XLSX_OK ? 3 : 0)
                                                : 0;
            m->width = w > m->width ? w : m->width;
            m->texts += c->is == SMI_XLSX_IS_TEXT;
            if (c->is != SMI_XLSX_IS_NUMBER || !isfinite(c->v))
                continue;
            m->most = m->n++ == 0 || c->v > m->most ? c->v : m->most;
            m->sum += c->v;
        }
    }
    /* The width of a column, and how its text stands: a little to the right of a number before it. */
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
    smi_xlsx_height(p->sheet, 0, 16 + 14.5 * ((p->lines > 4 ? 4 : p->lines) - 1));
    for (int k = 0; k < p->t->n; k++)
        smi_xlsx_text(p->sheet, 0, k, p->of[k].head, SMI_XLSX_HEAD, p->t->col[k].head);
    for (int k = 0; p->info->totals && k < p->t->n; k++)
        write_total(p, 1, k);
    row += p->info->totals;
    for (size_t i = 0; i < p->n && !p->b->x->err.code; i++) {
        fill_cells(p, i);
        for (int k = 0; row + (int64_t)i >= LINKS && k < p->t->n; k++)
            p->cell[p->t->col[k].id].to = NULL;
        smi_workbook_row(p->sheet, row + (int64_t)i, p->t, SMI_XLSX_PLAIN, p->cell);
    }
    /* Widths, filter, frozen heads, paper: so many pages wide that it can be read. */
    enum { PAGE = 190, MORE = PAGE / 4 }; /* well legible characters across a page; more, to save a page */
    const int64_t last = row + (int64_t)p->n - 1;
    int across = 0, pages;
    for (int k = 0; k < p->t->n; k++) {
        smi_xlsx_width(p->sheet, k, k, p->of[k].width);
        if (p->t->col[k].bars && p->n)
            smi_xlsx_bars(p->sheet, row, k, last);
        across += p->of[k].width;
    }
    smi_xlsx_freeze(p->sheet, row, 1);
    if (p->n)
        smi_xlsx_filter(p->sheet, row - 1, 0, last, p->t->n - 1);
    else if (*p->info->none)
        smi_xlsx_text(p->sheet, row, 0, SMI_XLSX_GENERAL, SMI_XLSX_GREY, p->info->none);
    pages = across > PAGE + MORE ? (across - MORE + PAGE - 1) / PAGE : 1;
    smi_xlsx_print(p->sheet, pages, (int)row - 1, pages > 1 ? 0 : -1);
}

void smi_workbook_write(struct smi_workbook *b, enum smi_workbook_sheet sheet, size_t rows,
                        smi_workbook_fill *fill, void *self)
{
    struct smi_workbook_table *t = &b->table[sheet];
    struct part p = {.b = b, .info = &smi_workbook_sheets[sheet], .t = t, .fill = fill, .self = self};
    const size_t most = SMI_XLSX_ROWS - 3;
    p.cell = smi_arena_new(&b->page.arena, (size_t)t->cells, sizeof *p.cell);
    p.of = smi_arena_new(&b->page.arena, (size_t)t->n, sizeof *p.of);
    do {
        p.n = rows - p.from < most ? rows - p.from : most;
        p.sheet = p.from == 0 ? b->sheet[sheet] : smi_xlsx_sheet(b->x, p.info->name);
        write_part(&p);
        p.from += p.n;
    } while (p.from < rows && !b->x->err.code);
}

enum { SLOWDOWNS = 32 /* columns at most */ };

/* Entry `of` of a list of a run. */
struct place {
    const struct smi_summary *s;
    size_t of;
    int64_t key; /* what they are sorted by, largest first */
};

struct list {
    enum smi_workbook_sheet sheet;
    size_t count, items, size; /* where struct smi_summary counts them and has them, bytes of one; 0: the run
                                  is the only one */
    const struct smi_member_list *fields; /* or NULL */
    /* Fills the cells that show no field. */
    void (*fill)(struct smi_workbook *b, const struct smi_summary *s, const void *item,
                 struct smi_xlsx_cell *c);
};

struct rows {
    const struct list *list;
    struct place *at;
    size_t n;
    struct smi_field_values values;
};

/* --- cells of the sheets --- */

static void put_sign(struct smi_xlsx_cell *c, const struct smi_xlsx_cell *sign)
{
    c->kind = sign->kind;
    c->look = sign->look;
}

static void fill_run(struct smi_workbook *b, const struct smi_summary *s, const void *item,
                     struct smi_xlsx_cell *c)
{
    static const struct smi_xlsx_cell states[] = {{.kind = SMI_XLSX_OK},
                                                  {.kind = SMI_XLSX_BAD, .look = SMI_XLSX_RED},
                                                  {.kind = SMI_XLSX_PART, .look = SMI_XLSX_YELLOW},
                                                  {.look = SMI_XLSX_GREY},
                                                  {.kind = SMI_XLSX_OPEN, .look = SMI_XLSX_GREY}};
    const struct smi_workbook_table *t = &b->table[SMI_WORKBOOK_RUNS];
    const char *note = smi_run_note_text(&b->page, s);
    size_t first = 0; /* GPU whose model is known */
    (void)item;
    smi_workbook_run(b, &c[SMI_COL_RUNS_RUN], s, false);
    put_sign(&c[SMI_COL_RUNS_STATE], &states[s->state]);
    if (s->has_start)
        smi_workbook_time(b, &c[SMI_COL_RUNS_START], s, s->start_ms);
    while (first < s->ngpus && !s->gpus[first].name)
        first++;
    smi_workbook_text(&c[SMI_COL_RUNS_MODEL], first < s->ngpus ? s->gpus[first].name : NULL);
    if (!s->ngpus)
        smi_workbook_text(&c[SMI_COL_RUNS_GPUS], NULL);
    smi_workbook_value(&c[SMI_COL_RUNS_USE], SMI_WORKBOOK_PCT, smi_headline_use(&s->block));
    smi_workbook_value(&c[SMI_COL_RUNS_P95], SMI_WORKBOOK_PCT, s->gpu_util_p95);
    smi_workbook_value(&c[SMI_COL_RUNS_TEMP], SMI_WORKBOOK_RAW, s->temp_max);
    smi_workbook_text(&c[SMI_COL_RUNS_LARGEST], *note ? note : NULL);
    smi_workbook_number(&c[SMI_COL_RUNS_FINDINGS], (double)s->nfindings);
    for (int k = 0; k < t->n; k++) {
        const struct smi_param *p = t->col[k].from ? smi_run_param(s, t->col[k].from) : NULL;
        if (p)
            smi_workbook_param(&c[t->col[k].id], p->text, p->bare);
    }
}

static void fill_gpu(struct smi_workbook *b, const struct smi_summary *s, const void *item,
                     struct smi_xlsx_cell *c)
{
    const struct smi_gpu *g = item;
    const struct smi_workbook_table *t = &b->table[SMI_WORKBOOK_GPUS];
    const char *errors = ""; /* "XID 79: 1, uncorrected ECC errors: 2" */
    smi_workbook_text(&c[SMI_COL_GPUS_RUN], s->run);
    if (g->pooled)
        smi_workbook_text(&c[SMI_COL_GPUS_GPU], "rows of all");
    smi_workbook_text(&c[SMI_COL_GPUS_UUID], g->uuid ? g->uuid : g->bus);
    smi_workbook_text(&c[SMI_COL_GPUS_HOST], s->hostname);
    if (!g->pooled && g->covered_ms > 0)
        smi_workbook_number(&c[SMI_COL_GPUS_GPU_H], (double)g->covered_ms / SMI_WORKBOOK_HOUR_MS);
    for (size_t i = 0; i < s->nerrors; i++)
        if (smi_gpu_has_error(g, &s->errors[i]))
            errors = smi_fmt(&b->page, "%s%s%s: %lld", errors, *errors ? ", " : "",
                             smi_error_text(&b->page, &s->errors[i]), (long long)s->errors[i].n);
    smi_workbook_text(&c[SMI_COL_GPUS_ERRORS], *errors ? errors : NULL);
    for (int k = 0; k < t->n; k++) { /* a statistic of a metric, or the share of time of a slowdown */
        const struct smi_workbook_column *col = &t->col[k];
        const struct smi_gpu_first_stat *p = col->which ? col->from : NULL;
        const struct smi_stats *m = p ? smi_gpu_stats(g, p->metric) : NULL;
        if (m && p->stat == SMI_STAT_MEAN)
            smi_workbook_value(&c[col->id], col->per, smi_stats_mean(m));
        else if (m)
            put_datum(&c[col->id], col->per, smi_gpu_stat(m, p->stat));
        for (size_t i = 0; col->from && !p && i < g->throttles; i++)
            if (strcmp(g->throttle[i].reason, col->from) == 0)
                smi_workbook_value(&c[col->id], col->per, g->throttle[i].pct);
    }
}

static void fill_phase(struct smi_workbook *b, const struct smi_summary *s, const void *item,
                       struct smi_xlsx_cell *c)
{
    const struct smi_phase_summary *p = item;
    (void)b;
    smi_workbook_text(&c[SMI_COL_PHASES_RUN], s->run);
    if (p->seconds.has && s->duration_s.has && s->duration_s.micro > 0)
        smi_workbook_number(&c[SMI_COL_PHASES_SHARE], (double)p->seconds.micro / (double)s->duration_s.micro);
}

static void fill_command(struct smi_workbook *b, const struct smi_summary *s, const void *item,
                         struct smi_xlsx_cell *c)
{
    const struct smi_workbook_table *t = &b->table[SMI_WORKBOOK_COMMANDS];
    (void)item;
    smi_workbook_run(b, &c[SMI_COL_COMMANDS_RUN], s, true);
    smi_workbook_text(&c[SMI_COL_COMMANDS_COMMAND], s->command);
    if (s->has_exit)
        smi_workbook_number(&c[SMI_COL_COMMANDS_CODE], (double)s->exit_code);
    smi_workbook_text(&c[SMI_COL_COMMANDS_REASON], s->state_reason);
    for (int k = 0; k < t->n; k++)
        if (t->col[k].from) {
            const struct smi_command_figures x =
                smi_command_figures(s, t->col[k].from, (enum smi_command_part)(t->col[k].which / 2));
            smi_workbook_value(&c[t->col[k].id], t->col[k].per, t->col[k].which % 2 ? x.mean : x.max);
        }
}

static void fill_finding(struct smi_workbook *b, const struct smi_summary *s, const void *item,
                         struct smi_xlsx_cell *c)
{
    static const struct smi_xlsx_cell levels[] = {{.kind = SMI_XLSX_OPEN, .look = SMI_XLSX_GREY},
                                                  {.kind = SMI_XLSX_PART, .look = SMI_XLSX_YELLOW},
                                                  {.kind = SMI_XLSX_PART, .look = SMI_XLSX_YELLOW},
                                                  {.kind = SMI_XLSX_BAD, .look = SMI_XLSX_RED}};
    const struct smi_finding *f = item;
    const char *key = smi_rules[f->rule].key;
    char *words =
        smi_arena_new(&b->page.arena, strlen(key) + 1, 1); /* "memory near full" of "memory-near-full" */
    for (size_t i = 0; key[i]; i++)
        words[i] = key[i] == '-' ? ' ' : key[i];
    put_sign(&c[SMI_COL_FINDINGS_LEVEL], &levels[f->level]);
    smi_workbook_text(&c[SMI_COL_FINDINGS_CAUSE], words);
    smi_workbook_run(b, &c[SMI_COL_FINDINGS_RUN], s, true);
    if (f->has_from && s->has_start)
        smi_workbook_time(b, &c[SMI_COL_FINDINGS_FROM], s, f->from_ms);
}

static void fill_input(struct smi_workbook *b, const struct smi_summary *s, const void *item,
                       struct smi_xlsx_cell *c)
{
    const struct smi_input *in = item;
    const struct smi_account *a = &in->account;
    const char *why = "";
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        if (a->rejected[i] > 0)
            why = smi_fmt(&b->page, "%s%s%s: %lld", why, *why ? ", " : "",
                          smi_key_label(&b->page, smi_reject_names[i]), (long long)a->rejected[i]);
    if (a->problems)
        why =
            smi_fmt(&b->page, "%s%s%s%s", why, *why ? "; " : "",
                    a->problem->line > 0 ? smi_fmt(&b->page, "line %lld: ", (long long)a->problem->line) : "",
                    a->problem->text);
    smi_workbook_text(&c[SMI_COL_INPUTS_RUN], s->run);
    smi_workbook_text(&c[SMI_COL_INPUTS_FILE], in->path);
    smi_workbook_text(&c[SMI_COL_INPUTS_FORMAT], in->format);
    smi_workbook_number(&c[SMI_COL_INPUTS_LINES], (double)a->lines);
    smi_workbook_number(&c[SMI_COL_INPUTS_ROWS], (double)a->rows);
    smi_workbook_number(&c[SMI_COL_INPUTS_REJECTED], (double)smi_account_rejected(a));
    smi_workbook_text(&c[SMI_COL_INPUTS_WHY], *why ? why : NULL);
    smi_workbook_number(&c[SMI_COL_INPUTS_GAPS], (double)in->gaps);
    smi_workbook_value(&c[SMI_COL_INPUTS_INTERVAL], SMI_WORKBOOK_RAW, in->interval_s);
    smi_workbook_text(&c[SMI_COL_INPUTS_BASE], s->time_base);
}

/* --- columns that depend on the runs --- */

/* Parameters and joined columns. Those that differ stand beside the name of the run, as many as a table has;
 * the others come last. */
static void add_params(struct smi_workbook *b, struct smi_workbook_table *t, bool beside)
{
    enum { PARAMS = 2000 /* columns at most: beyond, nobody finds anything */ };
    const struct smi_sweep *s = b->sweep;
    const size_t joined = s->njoined - s->nresults, varying = joined + s->nvarying,
                 common = varying + s->ncommon, all = common + s->nresults,
                 first = varying < SMI_PARAM_COLUMNS ? varying : SMI_PARAM_COLUMNS;
    for (size_t i = beside ? 0 : first; i < (beside ? first : all) && i < PARAMS; i++) {
        const char *key = i < joined    ? s->joined[s->nresults + i]
                          : i < varying ? s->varying[i - joined]
                          : i < common  ? s->common[i - varying].key
                                        : s->joined[i - common];
        smi_workbook_add(b, t, (struct smi_workbook_column){.head = key, .from = key, .most = 32});
    }
    b->left_params = all > PARAMS ? all - PARAMS : 0;
}

/* The slowdowns that some log knows of, by name, in the order in which they come. */
static void add_slowdowns(struct smi_workbook *b, struct smi_workbook_table *t, const struct smi_gpu *gpu,
                          int first, int most)
{
    for (size_t i = 0; i < gpu->throttles; i++) {
        const char *reason = gpu->throttle[i].reason;
        int k = first;
        while (k < t->n && strcmp(t->col[k].from, reason) != 0)
            k++;
        if (k == t->n && k < first + most && smi_throttle_slows(&gpu->throttle[i]))
            smi_workbook_add(b, t,
                             (struct smi_workbook_column){
                                 .head = smi_fmt(&b->page, "Slowed: %s %%", smi_key_label(&b->page, reason)),
                                 .kind = SMI_XLSX_PERCENT,
                                 .per = SMI_WORKBOOK_PCT,
                                 .help = "Share of the time in which it was active",
                                 .from = reason});
    }
}

/* The first figures of metrics, in the unit that people want. */
static void add_gpu_statistics(struct smi_workbook *b, struct smi_workbook_table *t)
{
    for (int i = 0; i < SMI_GPU_FIRST_STATS; i++) {
        const struct smi_metric *m = &smi_metrics[smi_gpu_first_stats[i].metric];
        const bool whole = strcmp(m->unit, "C") == 0 || strcmp(m->unit, "MHz") == 0;
        struct smi_workbook_column c = {.head = smi_gpu_first_stats[i].head,
                                        .help = m->help,
                                        .kind = whole ? SMI_XLSX_INT : SMI_XLSX_ONE,
                                        .per = smi_workbook_per(m->unit),
                                        .from = &smi_gpu_first_stats[i],
                                        .which = 1};
        if (strcmp(m->unit, "%") == 0)
            c.kind = SMI_XLSX_PERCENT;
        smi_workbook_add(b, t, c);
    }
}

/* The mean, or the most, of a part of a command's processes. */
static void add_command_column(struct smi_workbook *b, struct smi_workbook_table *t,
                               const struct smi_command_use *use, int part, int mean)
{
    static const char *const parts[SMI_COMMAND_PARTS] = {"", "Main ", "Descendants "};
    const struct smi_metric *m = &smi_metrics[use->metric[part]];
    const bool gib = strcmp(m->unit, "MiB") == 0, pct = strcmp(m->unit, "%") == 0;
    const char *what = part == SMI_COMMAND_ALL ? smi_workbook_capital(b, use->what) : use->what;
    struct smi_workbook_column c = {.help = m->help,
                                    .kind = gib ? SMI_XLSX_TWO : SMI_XLSX_INT,
                                    .per = smi_workbook_per(m->unit),
                                    .from = use,
                                    .which = part * 2 + mean};
    if (pct)
        c.kind = SMI_XLSX_PERCENT;
    c.head = smi_fmt(&b->page, "%s%s %s%s", parts[part], what, mean ? "mean" : "most",
                     pct   ? " %"
                     : gib ? " GiB"
                           : "");
    smi_workbook_add(b, t, c);
}

/* --- sheets --- */

#define ITEMS(number, list)                                                   \
    offsetof(struct smi_summary, number), offsetof(struct smi_summary, list), \
        sizeof *((struct smi_summary *)0)->list
static const struct list lists[] = {
    {SMI_WORKBOOK_RUNS, 0, 0, 0, &smi_run_list, fill_run},
    {SMI_WORKBOOK_GPUS, ITEMS(ngpus, gpus), &smi_gpu_list, fill_gpu},
    {SMI_WORKBOOK_PHASES, ITEMS(nphases, phases), &smi_phase_list, fill_phase},
    {SMI_WORKBOOK_COMMANDS, 0, 0, 0, NULL, fill_command},
    {SMI_WORKBOOK_FINDINGS, ITEMS(nfindings, findings), &smi_finding_list, fill_finding},
    {SMI_WORKBOOK_INPUTS, ITEMS(ninputs, inputs), NULL, fill_input}};
#undef ITEMS

static void fill_row(struct smi_workbook *b, void *self, size_t i, struct smi_xlsx_cell *c)
{
    struct rows *r = self;
    const struct list *l = r->list;
    const struct smi_workbook_table *t = &b->table[l->sheet];
    const struct smi_summary *s = r->at[i].s;
    const char *item = (const char *)s;
    if (l->size) {
        memcpy(&item, item + l->items, sizeof item);
        item += r->at[i].of * l->size;
    }
    if (l->fields)
        smi_field_values_fill(&r->values, l->fields, s, item);
    for (int k = 0; l->fields && k < t->n; k++) {
        const struct smi_field_info *of = t->col[k].of;
        if (of >= l->fields->info && of < l->fields->info + l->fields->fields)
            put_datum(&c[t->col[k].id], t->col[k].per, r->values.v[of - l->fields->info]);
    }
    l->fill(b, s, item, c);
}

static int by_key(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->s != y->s)
        return x->s < y->s ? -1 : 1;
    return x->of < y->of ? -1 : x->of > y->of;
}

static void write_list(struct smi_workbook *b, const struct list *l)
{
    struct rows r = {.list = l};
    size_t cap = 0;
    const size_t more = SMI_RUN_FIELDS + b->sweep->nvarying + b->sweep->njoined + b->sweep->ncommon;
    struct smi_workbook_table *t = smi_workbook_table(b, l->sheet, SMI_WORKBOOK_COLUMNS + more);
    /* All entries of all runs, findings with most GPU time first. */
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++) {
        const struct smi_summary *s = &b->sweep->runs[i];
        size_t n = l->sheet == SMI_WORKBOOK_RUNS || smi_command_is_tracked(s);
        if (l->size)
            memcpy(&n, (const char *)s + l->count, sizeof n);
        smi_mem_reserve(&r.at, &cap, r.n + n, sizeof *r.at);
        for (size_t k = 0; k < n; k++)
            r.at[r.n++] = (struct place){s, k, l->sheet == SMI_WORKBOOK_FINDINGS ? s->findings[k].gpu_ms : 0};
    }
    smi_sort(r.at, r.n, sizeof *r.at, by_key);
    for (int id = 0; id < SMI_WORKBOOK_COLUMNS; id++) {
        if (id == SMI_COL_GPUS_IDLE && l->sheet == SMI_WORKBOOK_GPUS)
            add_gpu_statistics(b, t);
        if (id == SMI_COL_RUNS_STATE && l->sheet == SMI_WORKBOOK_RUNS)
            add_params(b, t, true);
        if (smi_workbook_columns[id].sheet == l->sheet)
            smi_workbook_add(b, t, smi_workbook_columns[id]);
    }
    /* The columns behind those of workbook_column.def. */
    const int first = t->n;
    for (int k = 0; l->sheet == SMI_WORKBOOK_RUNS && k < first; k++)
        if (t->col[k].of && !t->col[k].sum)
            t->col[k].sum = t->col[k].of->total;
    if (l->sheet == SMI_WORKBOOK_RUNS)
        add_params(b, t, false);
    for (size_t i = 0; l->sheet == SMI_WORKBOOK_GPUS && i < r.n; i++)
        add_slowdowns(b, t, &r.at[i].s->gpus[r.at[i].of], first, SLOWDOWNS);
    for (int i = 0; l->sheet == SMI_WORKBOOK_COMMANDS && i < SMI_COMMAND_USES; i++)
        for (int k = 0; k < SMI_COMMAND_PARTS; k++)
            for (int mean = smi_command_uses[i].mean; mean >= 0; mean--)
                if (smi_command_uses[i].metric[k] >= 0)
                    add_command_column(b, t, &smi_command_uses[i], k, mean);
    smi_workbook_write(b, l->sheet, r.n, fill_row, &r);
    smi_field_values_fini(&r.values);
    smi_mem_free(r.at);
}

void smi_workbook_lists(struct smi_workbook *b)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (b->sheet[lists[i].sheet])
            write_list(b, &lists[i]);
}
