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
    const int64_t i = s->run ? s - b->sweep->runs : SMI_XLSX_ROWS;
    smi_workbook_text(c, s->run);
    if (row && SMI_WORKBOOK_FIRST_RUN + i < SMI_XLSX_ROWS) {
        c->to = b->sheet[SMI_WORKBOOK_RUNS];
        c->to_row = SMI_WORKBOOK_FIRST_RUN + i;
    } else if (!row && s->run) {
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
    t->cell = smi_arena_new(&b->page.arena, n + 1, sizeof *t->cell);
    t->room = (int)n;
    return t;
}

void smi_workbook_begin(struct smi_workbook_table *t)
{
    memset(t->cell, 0, (size_t)(t->n ? t->n : t->room) * sizeof *t->cell);
    t->at = 0;
}

static void add_column(struct smi_workbook *b, struct smi_workbook_table *t, struct smi_workbook_column c)
{
    const struct smi_field_info *f = c.of;
    const char *unit = f ? f->unit : "";
    if (!c.kind && f && f->kind == SMI_DATUM_INT) {
        c.kind = SMI_XLSX_INT;
    } else if (!c.kind && f && f->kind == SMI_DATUM_MICRO) {
        c.kind = f->price == SMI_PRICE_MONEY ? SMI_XLSX_MONEY
                 : strcmp(unit, "%") == 0    ? SMI_XLSX_PERCENT
                 : strcmp(unit, "h") == 0    ? SMI_XLSX_TWO
                                             : SMI_XLSX_ONE;
        c.per = smi_workbook_per(unit);
    }
    if (c.kind == SMI_XLSX_TIME)
        c.head = smi_fmt(&b->page, "%s (%s)", c.head, b->zone);
    c.help = c.help || !f ? c.help : f->help;
    c.per = c.per > 0 ? c.per : SMI_WORKBOOK_RAW;
    if (f && !c.sum && t == &b->table[SMI_WORKBOOK_RUNS])
        c.sum = f->total;
    t->col[t->n++] = c;
}

struct smi_xlsx_cell *smi_workbook_put(struct smi_workbook *b, struct smi_workbook_table *t,
                                       struct smi_workbook_column c)
{
    const enum smi_field_price price = c.of ? c.of->price : SMI_PRICE_NONE;
    if (((c.money || price == SMI_PRICE_MONEY) && !b->look->money) ||
        ((c.co2 || price == SMI_PRICE_CO2) && !b->look->co2) || (c.part && !b->sweep->total.of.energy_part))
        return &t->cell[t->room];
    if (t->at == t->n)
        add_column(b, t, c);
    t->per = t->col[t->at].per;
    return &t->cell[t->at++];
}

void smi_workbook_row(struct smi_xlsx_sheet *to, int64_t row, const struct smi_workbook_table *t,
                      enum smi_xlsx_appearance look)
{
    for (int k = 0; k < t->n; k++) {
        struct smi_xlsx_cell *c = &t->cell[k];
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
    smi_workbook_begin(p->t);
    if (p->b->sweep && i % OFTEN == OFTEN - 1)
        smi_run_store_trim(p->b->sweep->store);
    p->fill(p->b, p->t, p->self, p->from + i);
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
            const struct smi_xlsx_cell *c = &p->t->cell[k];
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
            p->t->cell[k].to = NULL;
        smi_workbook_row(p->sheet, row + (int64_t)i, p->t, SMI_XLSX_PLAIN);
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
    smi_workbook_begin(t);
    fill(b, t, self, SIZE_MAX);
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

/* A sheet being written. */
struct rows {
    struct smi_workbook *b;
    struct smi_workbook_table *t;
    const struct list *list;
    struct place *at;
    size_t n;
    struct smi_field_values values; /* of the row at hand */
    struct {
        const char *reason, *head;
    } slow[SLOWDOWNS]; /* the slowdowns that some log knows of */
    int slowdowns;
};

struct list {
    enum smi_workbook_sheet sheet;
    size_t count, items, size; /* where struct smi_summary counts them and has them, bytes of one; 0: the run
                                  is the only one */
    const struct smi_member_list *fields; /* or NULL */
    void (*fill)(struct rows *r, const struct smi_summary *s, const void *item);
};

/* --- cells of the sheets: what they show, and their columns --- */

#define PUT(...) smi_workbook_put(r->b, r->t, SMI_COLUMN(__VA_ARGS__))
#define FIELD(id, ...) put_field(r, id, SMI_COLUMN(__VA_ARGS__))
#define TEXT(text, ...) smi_workbook_text(PUT(__VA_ARGS__), text)
#define NUMBER(v, ...) smi_workbook_number(PUT(__VA_ARGS__), (double)(v))

static struct smi_xlsx_cell *put_field(struct rows *r, int field, struct smi_workbook_column c)
{
    struct smi_xlsx_cell *cell;
    c.of = &r->list->fields->info[field];
    cell = smi_workbook_put(r->b, r->t, c);
    put_datum(cell, r->t->per, r->values.v[field]);
    return cell;
}

static void put_value(struct rows *r, struct smi_value v, struct smi_workbook_column c)
{
    struct smi_xlsx_cell *cell = smi_workbook_put(r->b, r->t, c);
    smi_workbook_value(cell, r->t->per, v);
}

static void put_sign(struct smi_xlsx_cell *c, const struct smi_xlsx_cell *sign)
{
    c->kind = sign->kind;
    c->look = sign->look;
}

enum { PARAMS = 2000 /* columns at most: beyond, nobody finds anything */ };

/* Parameters and joined columns. Those that differ stand beside the name of the run, as many as a table has;
 * the others come last. */
static void put_params(struct rows *r, const struct smi_summary *run, bool beside)
{
    const struct smi_sweep *s = r->b->sweep;
    const size_t joined = s->njoined - s->nresults, varying = joined + s->nvarying,
                 common = varying + s->ncommon, all = common + s->nresults,
                 first = varying < SMI_PARAM_COLUMNS ? varying : SMI_PARAM_COLUMNS;
    for (size_t i = beside ? 0 : first; i < (beside ? first : all) && i < PARAMS; i++) {
        const char *key = i < joined    ? s->joined[s->nresults + i]
                          : i < varying ? s->varying[i - joined]
                          : i < common  ? s->common[i - varying].key
                                        : s->joined[i - common];
        const struct smi_param *p = smi_run_param(run, key);
        struct smi_xlsx_cell *c = PUT(key, .most = 32);
        if (p)
            smi_workbook_param(c, p->text, p->bare);
    }
    r->b->left_params = all > PARAMS ? all - PARAMS : 0;
}

static void fill_run(struct rows *r, const struct smi_summary *s, const void *item)
{
    static const struct smi_xlsx_cell states[] = {{.kind = SMI_XLSX_OK},
                                                  {.kind = SMI_XLSX_BAD, .look = SMI_XLSX_RED},
                                                  {.kind = SMI_XLSX_PART, .look = SMI_XLSX_YELLOW},
                                                  {.look = SMI_XLSX_GREY},
                                                  {.kind = SMI_XLSX_OPEN, .look = SMI_XLSX_GREY}};
    const char *note = smi_run_note_text(&r->b->page, s);
    size_t first = 0; /* GPU whose model is known */
    struct smi_xlsx_cell *c;
    (void)item;
    while (first < s->ngpus && !s->gpus[first].name)
        first++;
    smi_workbook_run(r->b, FIELD(SMI_RUN_FIELD_RUN, "Run", .most = 50), s, false);
    put_params(r, s, true);
    put_sign(FIELD(SMI_RUN_FIELD_STATE, "State"), &states[s->state]);
    c = PUT("Start", SMI_XLSX_TIME, .help = "First stamp of the run, on the clock that the head names");
    if (s->has_start)
        smi_workbook_time(r->b, c, s, s->start_ms);
    FIELD(SMI_RUN_FIELD_DURATION, "Time h", SMI_XLSX_TWO, .per = SMI_WORKBOOK_HOURS);
    FIELD(SMI_RUN_FIELD_HOSTNAME, "Host", .most = 30);
    TEXT(first < s->ngpus ? s->gpus[first].name : NULL, "GPU model",
         .help = "Model of its GPUs, as the driver names it", .most = 32);
    c = FIELD(SMI_RUN_FIELD_NGPUS, "GPUs");
    if (!s->ngpus)
        smi_workbook_text(c, NULL);
    FIELD(SMI_RUN_FIELD_GPU_HOURS, "GPU-h");
    put_value(r, smi_headline_use(&s->block),
              SMI_COLUMN("GPU use %", SMI_XLSX_PERCENT, SMI_TOTAL_MEAN, SMI_WORKBOOK_PCT,
                         .help = "Utilisation of all its GPUs, mean over time; where no times are known, "
                                 "mean of the readings"));
    put_value(
        r, s->gpu_util_p95,
        SMI_COLUMN("GPU use p95 %", SMI_XLSX_PERCENT, SMI_TOTAL_MEAN, SMI_WORKBOOK_PCT,
                   .help =
                       "Utilisation that 95 % of the readings do not pass, of the GPU where it is largest"));
    FIELD(SMI_RUN_FIELD_IDLE, "Idle %");
    FIELD(SMI_RUN_FIELD_LONGEST_IDLE, "Longest idle min", SMI_XLSX_ONE, .per = SMI_WORKBOOK_MINUTES);
    FIELD(SMI_RUN_FIELD_WASTED_TOTAL, "Wasted GPU-h", .bars = true,
          .help = "GPU-hours of a failed run, of GPUs that did no work, and idle ones: before, between and "
                  "after work");
    FIELD(SMI_RUN_FIELD_COST, "Cost");
    FIELD(SMI_RUN_FIELD_WASTED_COST, "Wasted cost", .help = "Of the wasted GPU-hours");
    FIELD(SMI_RUN_FIELD_VRAM_USED, "VRAM peak GiB");
    FIELD(SMI_RUN_FIELD_VRAM_TOTAL, "VRAM total GiB");
    FIELD(SMI_RUN_FIELD_VRAM_SOURCE, "VRAM from");
    FIELD(SMI_RUN_FIELD_POWER_MEAN, "Power mean W");
    FIELD(SMI_RUN_FIELD_POWER_MAX, "Power max W");
    FIELD(SMI_RUN_FIELD_ENERGY, "Energy Wh");
    FIELD(SMI_RUN_FIELD_ENERGY_COVERAGE, "Energy known %", .part = true);
    FIELD(SMI_RUN_FIELD_CO2, "CO2 kg", SMI_XLSX_TWO, .per = SMI_WORKBOOK_KILO, .help = "Of this energy");
    put_value(r, s->temp_max,
              SMI_COLUMN("Temp max °C", SMI_XLSX_INT, SMI_TOTAL_MAX, .help = "Hottest reading of its GPUs"));
    FIELD(SMI_RUN_FIELD_THROTTLED, "Throttled %");
    FIELD(SMI_RUN_FIELD_CPU_USR_MEAN, "CPU use %");
    TEXT(*note ? note : NULL, "Largest finding", .help = "What the run is noted for, in a few words",
         .most = 40);
    NUMBER(s->nfindings, "Findings", SMI_XLSX_INT, SMI_TOTAL_SUM,
           .help = "How many there are: the sheet Findings has them");
    put_params(r, s, false);
}

/* The first figures of metrics, in the unit that people want. */
static void put_statistics(struct rows *r, const struct smi_gpu *g)
{
    for (const struct smi_gpu_first_stat *p = smi_gpu_first_stats;
         p < smi_gpu_first_stats + SMI_GPU_FIRST_STATS; p++) {
        const struct smi_metric *m = &smi_metrics[p->metric];
        const struct smi_stats *x = smi_gpu_stats(g, p->metric);
        const bool whole = strcmp(m->unit, "C") == 0 || strcmp(m->unit, "MHz") == 0;
        struct smi_xlsx_cell *c = PUT(p->head,
                                      strcmp(m->unit, "%") == 0 ? SMI_XLSX_PERCENT
                                      : whole                   ? SMI_XLSX_INT
                                                                : SMI_XLSX_ONE,
                                      .help = m->help, .per = smi_workbook_per(m->unit));
        if (x && p->stat == SMI_STAT_MEAN)
            smi_workbook_value(c, r->t->per, smi_stats_mean(x));
        else if (x)
            put_datum(c, r->t->per, smi_gpu_stat(x, p->stat));
    }
}

static void fill_gpu(struct rows *r, const struct smi_summary *s, const void *item)
{
    struct smi_text_arena *page = &r->b->page;
    const struct smi_gpu *g = item;
    const char *errors = ""; /* "XID 79: 1, uncorrected ECC errors: 2" */
    struct smi_xlsx_cell *c;
    TEXT(s->run, "Run", .help = "The run", .most = 50);
    c = FIELD(SMI_GPU_FIELD_INDEX, "GPU");
    if (g->pooled)
        smi_workbook_text(c, "rows of all");
    smi_workbook_text(FIELD(SMI_GPU_FIELD_UUID, "UUID", .most = 44), g->uuid ? g->uuid : g->bus);
    FIELD(SMI_GPU_FIELD_NAME, "Model", .most = 32);
    TEXT(s->hostname, "Host", .of = &smi_run_fields[SMI_RUN_FIELD_HOSTNAME], .most = 30);
    FIELD(SMI_GPU_FIELD_SAMPLES, "Samples");
    c = PUT("GPU-h", SMI_XLSX_TWO, .help = "Its time in intervals that are no gap");
    if (!g->pooled && g->covered_ms > 0)
        smi_workbook_number(c, (double)g->covered_ms / SMI_WORKBOOK_HOUR_MS);
    put_statistics(r, g);
    FIELD(SMI_GPU_FIELD_IDLE, "Idle %");
    FIELD(SMI_GPU_FIELD_ENERGY, "Energy Wh");
    FIELD(SMI_GPU_FIELD_ENERGY_COVERAGE, "Energy known %", .part = true);
    for (size_t i = 0; i < s->nerrors; i++)
        if (smi_gpu_has_error(g, &s->errors[i]))
            errors = smi_fmt(page, "%s%s%s: %lld", errors, *errors ? ", " : "",
                             smi_error_text(page, &s->errors[i]), (long long)s->errors[i].n);
    TEXT(*errors ? errors : NULL, "Errors", .help = "What went wrong with it, and how often", .most = 40);
    for (int k = 0; k < r->slowdowns; k++) {
        c = PUT(r->slow[k].head, SMI_XLSX_PERCENT, .per = SMI_WORKBOOK_PCT,
                .help = "Share of the time in which it was active");
        for (size_t i = 0; i < g->throttles; i++)
            if (strcmp(g->throttle[i].reason, r->slow[k].reason) == 0)
                smi_workbook_value(c, r->t->per, g->throttle[i].pct);
    }
}

static void fill_phase(struct rows *r, const struct smi_summary *s, const void *item)
{
    const struct smi_phase_summary *p = item;
    struct smi_xlsx_cell *c;
    TEXT(s->run, "Run", .help = "The run", .most = 50);
    FIELD(SMI_PHASE_FIELD_NAME, "Phase", .most = 40);
    FIELD(SMI_PHASE_FIELD_COUNT, "Times");
    FIELD(SMI_PHASE_FIELD_SECONDS, "Seconds");
    c = PUT("Share %", SMI_XLSX_PERCENT, .help = "Of the time of the run");
    if (p->seconds.has && s->duration_s.has && s->duration_s.micro > 0)
        smi_workbook_number(c, (double)p->seconds.micro / (double)s->duration_s.micro);
    FIELD(SMI_PHASE_FIELD_HEADLINE_GPU_UTIL_MEAN, "GPU use %", SMI_XLSX_PERCENT, .per = SMI_WORKBOOK_PCT,
          .help = "Utilisation, mean of the readings inside it; empty where there are none");
    FIELD(SMI_PHASE_FIELD_IDLE, "Idle %");
    FIELD(SMI_PHASE_FIELD_HEADLINE_PEAK_VRAM, "Device VRAM GiB", SMI_XLSX_ONE, .per = SMI_WORKBOOK_GIB,
          .help = "Largest reading of used memory inside it");
    FIELD(SMI_PHASE_FIELD_ENERGY, "Energy Wh");
    FIELD(SMI_PHASE_FIELD_SAMPLES, "Samples");
}

/* The mean, or the most, of a part of a command's processes. */
static struct smi_workbook_column command_column(struct smi_workbook *b, const struct smi_command_use *use,
                                                 int part, bool mean)
{
    static const char *const parts[SMI_COMMAND_PARTS] = {"", "Main ", "Descendants "};
    const struct smi_metric *m = &smi_metrics[use->metric[part]];
    const bool gib = strcmp(m->unit, "MiB") == 0, pct = strcmp(m->unit, "%") == 0;
    const char *what = part == SMI_COMMAND_ALL ? smi_workbook_capital(b, use->what) : use->what;
    return SMI_COLUMN(smi_fmt(&b->page, "%s%s %s%s", parts[part], what, mean ? "mean" : "most",
                              pct   ? " %"
                              : gib ? " GiB"
                                    : ""),
                      pct   ? SMI_XLSX_PERCENT
                      : gib ? SMI_XLSX_TWO
                            : SMI_XLSX_INT,
                      .help = m->help, .per = smi_workbook_per(m->unit));
}

static void fill_command(struct rows *r, const struct smi_summary *s, const void *item)
{
    struct smi_xlsx_cell *c;
    (void)item;
    smi_workbook_run(r->b, PUT("Run", .help = "The run", .most = 50), s, true);
    TEXT(s->command, "Command", .help = "As it was typed", .most = 60);
    c = PUT("Exit status", SMI_XLSX_INT, .help = "128 + N where signal N ended it");
    if (s->has_exit)
        smi_workbook_number(c, (double)s->exit_code);
    TEXT(s->state_reason, "Reason", .help = "Why it failed, or what is not known of its end", .most = 40);
    for (int i = 0; i < SMI_COMMAND_USES * SMI_COMMAND_PARTS; i++) {
        const struct smi_command_use *use = &smi_command_uses[i / SMI_COMMAND_PARTS];
        const int part = i % SMI_COMMAND_PARTS;
        const struct smi_command_figures x = smi_command_figures(s, use, (enum smi_command_part)part);
        for (int mean = use->metric[part] < 0 ? -1 : use->mean; mean >= 0; mean--)
            put_value(r, mean ? x.mean : x.max,
                      r->t->at < r->t->n ? SMI_COLUMN(NULL) : command_column(r->b, use, part, mean));
    }
}

static void fill_finding(struct rows *r, const struct smi_summary *s, const void *item)
{
    static const struct smi_xlsx_cell levels[] = {{.kind = SMI_XLSX_OPEN, .look = SMI_XLSX_GREY},
                                                  {.kind = SMI_XLSX_PART, .look = SMI_XLSX_YELLOW},
                                                  {.kind = SMI_XLSX_PART, .look = SMI_XLSX_YELLOW},
                                                  {.kind = SMI_XLSX_BAD, .look = SMI_XLSX_RED}};
    const struct smi_finding *f = item;
    const char *key = smi_rules[f->rule].key;
    struct smi_xlsx_cell *c;
    char *words =
        smi_arena_new(&r->b->page.arena, strlen(key) + 1, 1); /* "memory near full" of "memory-near-full" */
    for (size_t i = 0; key[i]; i++)
        words[i] = key[i] == '-' ? ' ' : key[i];
    put_sign(FIELD(SMI_FINDING_FIELD_LEVEL, "Level"), &levels[f->level]);
    TEXT(words, "Cause", .help = "What it is: smilog list rules explains each", .most = 30);
    smi_workbook_run(r->b, PUT("Run", .help = "The run, with a link to its row", .most = 50), s, true);
    FIELD(SMI_FINDING_FIELD_GPU, "GPU");
    c = PUT("From", SMI_XLSX_TIME, .help = "When it began, on the clock that the head names");
    if (f->has_from && s->has_start)
        smi_workbook_time(r->b, c, s, f->from_ms);
    FIELD(SMI_FINDING_FIELD_GPU_HOURS, "GPU-h", .bars = true,
          .help = "The GPU-hours that it is about; two findings may be about the same ones");
    FIELD(SMI_FINDING_FIELD_COST, "Cost", .help = "Of these GPU-hours");
    FIELD(SMI_FINDING_FIELD_TEXT, "What happened", .help = "In words", .most = 90);
    FIELD(SMI_FINDING_FIELD_ADVICE, "What to do", .help = "What may help", .most = 70);
}

static void fill_input(struct rows *r, const struct smi_summary *s, const void *item)
{
    struct smi_text_arena *page = &r->b->page;
    const struct smi_input *in = item;
    const struct smi_account *a = &in->account;
    const char *why = "";
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        if (a->rejected[i] > 0)
            why = smi_fmt(page, "%s%s%s: %lld", why, *why ? ", " : "",
                          smi_key_label(page, smi_reject_names[i]), (long long)a->rejected[i]);
    if (a->problems)
        why = smi_fmt(page, "%s%s%s%s", why, *why ? "; " : "",
                      a->problem->line > 0 ? smi_fmt(page, "line %lld: ", (long long)a->problem->line) : "",
                      a->problem->text);
    TEXT(s->run, "Run", .help = "The run", .most = 50);
    TEXT(in->path, "File", .help = "Path of the log", .most = 60);
    TEXT(in->format, "Format", .help = "As it was recognised", .most = 24);
    NUMBER(a->lines, "Lines", SMI_XLSX_INT,
           .help = "All of them: heads, rows, duplicates, blank ones, messages, rejected ones");
    NUMBER(a->rows, "Rows", SMI_XLSX_INT, .help = "Lines that count");
    NUMBER(smi_account_rejected(a), "Rejected", SMI_XLSX_INT, .help = "Lines that could not be used");
    TEXT(*why ? why : NULL, "Why", .help = "The reasons, how often, and the first of what was odd",
         .most = 80);
    NUMBER(in->gaps, "Gaps", SMI_XLSX_INT, .help = "Intervals so long that nothing is known of them");
    put_value(r, in->interval_s,
              SMI_COLUMN("Interval s", SMI_XLSX_TWO,
                         .help = "Lower median of the times between two rows of a GPU"));
    TEXT(s->time_base, "Time base", .help = "The clock of the run, and how it is known", .most = 34);
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

static void fill_row(struct smi_workbook *b, struct smi_workbook_table *t, void *self, size_t i)
{
    static const struct smi_summary no_run; /* its columns are those of any */
    static const union {
        struct smi_gpu gpu;
        struct smi_phase_summary phase;
        struct smi_finding finding;
        struct smi_input input;
    } nothing;
    struct rows *r = self;
    const struct list *l = r->list;
    const struct smi_summary *s = i < r->n ? r->at[i].s : &no_run;
    const char *item = l->size ? (const char *)&nothing : (const char *)s;
    (void)b, (void)t;
    if (l->size && i < r->n) {
        memcpy(&item, (const char *)s + l->items, sizeof item);
        item += r->at[i].of * l->size;
    }
    if (l->fields)
        smi_field_values_fill(&r->values, l->fields, s, item);
    l->fill(r, s, item);
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

/* The slowdowns that some log knows of, by name, in the order in which they come. */
static void find_slowdowns(struct rows *r, const struct smi_gpu *gpu)
{
    for (size_t i = 0; i < gpu->throttles; i++) {
        const char *reason = gpu->throttle[i].reason;
        int k = 0;
        while (k < r->slowdowns && strcmp(r->slow[k].reason, reason) != 0)
            k++;
        if (k < r->slowdowns || k == SLOWDOWNS || !smi_throttle_slows(&gpu->throttle[i]))
            continue;
        r->slow[k].reason = reason;
        r->slow[k].head = smi_fmt(&r->b->page, "Slowed: %s %%", smi_key_label(&r->b->page, reason));
        r->slowdowns++;
    }
}

static void write_list(struct smi_workbook *b, const struct list *l)
{
    enum { COLUMNS = 96 /* besides parameters */ };
    const struct smi_sweep *sweep = b->sweep;
    struct rows r = {.b = b, .list = l};
    size_t cap = 0;
    r.t = smi_workbook_table(b, l->sheet, COLUMNS + sweep->nvarying + sweep->njoined + sweep->ncommon);
    /* All entries of all runs, findings with most GPU time first. */
    for (size_t i = 0; smi_sweep_has_run(sweep, i); i++) {
        const struct smi_summary *s = &sweep->runs[i];
        size_t n = l->sheet == SMI_WORKBOOK_RUNS || smi_command_is_tracked(s);
        if (l->size)
            memcpy(&n, (const char *)s + l->count, sizeof n);
        smi_mem_reserve(&r.at, &cap, r.n + n, sizeof *r.at);
        for (size_t k = 0; k < n; k++) {
            r.at[r.n++] = (struct place){s, k, l->sheet == SMI_WORKBOOK_FINDINGS ? s->findings[k].gpu_ms : 0};
            if (l->sheet == SMI_WORKBOOK_GPUS)
                find_slowdowns(&r, &s->gpus[k]);
        }
    }
    smi_sort(r.at, r.n, sizeof *r.at, by_key);
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
