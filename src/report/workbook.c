/* workbook.c - the workbook: its sheets in their order, each a table or a page of charts; and the rows of a
 * query. */
#include "base/version.h"
#include "report/html.h"
#include "report/output.h"
#include "report/xlsx.h"
#include "sweep/reread.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values come as millionths of what the logs and the fields say; `per` of them are one of what is shown. */
#define PER_RAW 1e6
#define PER_PCT 1e8     /* percent: 12.5 is shown as 0.125 with a format of percent */
#define PER_HOURS 3.6e9 /* of seconds */
#define PER_MINUTES 6e7
#define PER_KILO 1e9
#define PER_GIB 1.024e9 /* of MiB */
#define HOUR_MS 3.6e6   /* milliseconds of an hour */

/* The sheets in their order; behind them come those of runs. */
enum sheet {
    SHEET_OVERVIEW,
    SHEET_RUNS,
    SHEET_GROUPS,
    SHEET_GPUS,
    SHEET_PHASES,
    SHEET_COMMANDS, /* is there only where a command was tracked */
    SHEET_FINDINGS,
    SHEET_INPUTS,
    SHEET_ABOUT,
    SHEET_ROWS, /* of an answer: the only sheet */
    SHEETS
};
struct table;
struct sheet_info {
    const char *name, *about; /* what it is, in a sentence */
    const char *none;         /* what to say without rows */
    bool totals;              /* in row 2 */
    /* of one with a row for each entry of a list of every run; fill: NULL: it is none */
    size_t count, items, size; /* where struct smi_summary counts them and has them, bytes of one; 0: the run
                                  is the only one */
    const struct smi_member_list *fields; /* or NULL */
    void (*fill)(struct table *t, const struct smi_summary *s, const void *item);
};
static const struct sheet_info sheets[SHEETS];

struct column {
    const char *head;         /* with the unit */
    enum smi_xlsx_kind kind;  /* SMI_XLSX_GENERAL: that of the field */
    enum smi_field_total sum; /* in row 2, of the rows that the filter lets through; none: in Runs that of
                               * the field */
    double per;               /* 0: PER_RAW, or as the field needs it */
    const struct smi_field_info *of; /* the field that it shows; or NULL */
    const char *help;                /* NULL: that of the field */
    int most;                        /* characters of its width at most; 0: 60 */
    bool money, part;                /* only with a price; if some energy is known in part */
    bool bars;
    struct { /* what is known of it before the rows of a sheet are written */
        double sum, most;
        size_t n, texts;
        int width; /* characters of its widest cell, then of the column */
        enum smi_xlsx_kind head;
    } is;
};

/* Entry `of` of a list of a run. */
struct place {
    const struct smi_summary *s;
    const char *item; /* the run itself, where it is the only one */
    int64_t key;      /* what they are sorted by, largest first */
};

/* A sheet that is a table: the columns, which the first row makes, and the cells of the row at hand. */
struct table {
    struct book *b;
    enum sheet id;
    void (*fill)(struct table *t, size_t i); /* puts the cells of row i */
    struct column *col;
    struct smi_xlsx_cell *cell;
    int n, room;        /* columns; how many there may be, and cell[room] takes what no column shows */
    int at;             /* where the next cell goes */
    int left;           /* columns of the sheet on its left */
    double per;         /* of the column of the last cell */
    size_t from, count; /* the rows that go into the sheet at hand, `to` */
    struct smi_xlsx_sheet *to;
    /* of a sheet with a row for each entry of a list: */
    struct place *place;
    size_t rows;
    struct smi_field_values values; /* of the row at hand */
    unsigned slowed;                /* bit k: some log knows of reason k of a slowdown */
};

/* The next cell of the row; in the first row this makes its column: members of struct column. */
#define COLUMN(...) ((struct column){.head = __VA_ARGS__})
#define PUT(...) put_cell(t, COLUMN(__VA_ARGS__))
#define FIELD(id, ...) put_field(t, id, COLUMN(__VA_ARGS__))
#define TEXT(text, ...) set_text(PUT(__VA_ARGS__), text)
#define NUMBER(v, ...) set_number(PUT(__VA_ARGS__), (double)(v))
#define HOURS(has, ms, ...) NUMBER((has) ? (double)(ms) / HOUR_MS : NAN, __VA_ARGS__, .kind = SMI_XLSX_TWO)
#define VALUE(v, ...) set_value(t, PUT(__VA_ARGS__), v)

enum { FIRST_RUN = 2 /* the row of the first run in Runs */ };

#define ALL_RUNS "all runs"
struct book {
    struct smi_xlsx *x;
    const struct smi_sweep *sweep;
    const struct smi_result *rows; /* or these, and no sweep */
    const struct smi_render_options *look;
    struct smi_text_arena page; /* for words; everything that lives as long as the workbook is in its arena */
    struct smi_buf words;
    bool zoned; /* times are on one clock: offset_s east of UTC */
    int offset_s;
    const char *zone;                     /* "UTC+02:00", "UTC", "zone not known" */
    struct smi_xlsx_sheet *sheet[SHEETS]; /* made first: others lead there */
    struct table table[SHEETS];
    struct smi_xlsx_sheet **series; /* of run i, or NULL */
    struct group_row {
        const char *key; /* a parameter, "run" or ALL_RUNS */
        struct smi_run_group *of;
    } * group;           /* the rows of Groups */
    size_t drawn, draws; /* the first that Overview draws, and how many */
    size_t left_params;  /* columns that there was no room for */
    size_t unread;       /* runs whose rows could not be read again */
    size_t left_groups;  /* parameters that have no block */
};

/* ---- sheets that are tables: heads in row 1, totals in row 2 above the data, as formulas that follow the
 * filter, with what they come to for those who read without calculating ---- */

/* --- cells: values of summaries; an absent one is an empty cell, never 0 --- */

/* One that is not finite leaves the cell as it is. */
static void set_number(struct smi_xlsx_cell *c, double v)
{
    if (!isfinite(v))
        return;
    c->is = SMI_XLSX_IS_NUMBER;
    c->v = v;
}

static void set_text(struct smi_xlsx_cell *c, const char *text)
{
    c->text = text;
    c->is = text ? SMI_XLSX_IS_TEXT : SMI_XLSX_IS_EMPTY;
}

/* Into the cell that was put last. */
static void set_value(const struct table *t, struct smi_xlsx_cell *c, struct smi_value v)
{
    if (v.has)
        set_number(c, (double)v.micro / t->per);
}

static void set_datum(const struct table *t, struct smi_xlsx_cell *c, struct smi_datum v)
{
    if (v.kind == SMI_DATUM_MICRO)
        set_number(c, (double)v.n / t->per);
    else if (v.kind == SMI_DATUM_INT)
        set_number(c, (double)v.n);
    else if (v.kind == SMI_DATUM_TEXT)
        set_text(c, v.text);
    else if (v.kind == SMI_DATUM_BOOL)
        set_text(c, v.n ? "yes" : "no");
}

static void set_param(struct smi_xlsx_cell *c, const char *text, bool bare)
{
    enum { DIGITS = 15 };
    set_text(c, text);
    if (!text || !bare || !smi_text_is_number(smi_text_of(text)) || strlen(text) > DIGITS)
        return;
    set_number(c, strtod(text, NULL));
}

static void set_time(const struct book *b, struct smi_xlsx_cell *c, const struct smi_summary *s, int64_t ms)
{
    enum { EPOCH = 25569, DAY = 86400000 }; /* 1970-01-01 in days since 1899-12-30 */
    ms += s->zoned ? b->offset_s * (int64_t)1000 : 0;
    set_number(c, (double)(ms / DAY + EPOCH) + (double)(ms % DAY) / DAY);
    c->look = s->zoned || !b->zoned ? c->look : SMI_XLSX_GREY;
}

static void set_run(const struct book *b, struct smi_xlsx_cell *c, const struct smi_summary *s, bool row)
{
    const int64_t i = s->run ? s - b->sweep->runs : SMI_XLSX_ROWS;
    set_text(c, s->run);
    if (row && FIRST_RUN + i < SMI_XLSX_ROWS) {
        c->to = b->sheet[SHEET_RUNS];
        c->to_row = FIRST_RUN + i;
    } else if (!row && s->run) {
        c->to = b->series[i];
    }
}

static const char *capital(struct book *b, const char *t)
{
    return smi_fmt(&b->page, "%c%s", *t >= 'a' && *t <= 'z' ? *t - 'a' + 'A' : *t, *t ? t + 1 : "");
}

/* --- columns --- */

static bool is_in(const struct smi_metric *m, const char *unit)
{
    return strcmp(m->unit, unit) == 0;
}

static double per_unit(const char *unit)
{
    return strcmp(unit, "%") == 0 ? PER_PCT : strcmp(unit, "MiB") == 0 ? PER_GIB : PER_RAW;
}

/* Makes room for n columns. */
static void init_table(struct book *b, struct table *t, size_t n)
{
    t->b = b;
    t->col = smi_arena_new(&b->page.arena, n, sizeof *t->col);
    t->cell = smi_arena_new(&b->page.arena, n + 1, sizeof *t->cell);
    t->room = (int)n;
}

/* The table of a sheet. */
static struct table *make_table(struct book *b, enum sheet sheet, size_t n)
{
    struct table *t = &b->table[sheet];
    init_table(b, t, n);
    t->id = sheet;
    return t;
}

static void begin_row(struct table *t)
{
    memset(t->cell, 0, (size_t)(t->n ? t->n : t->room) * sizeof *t->cell);
    t->at = 0;
}

static void add_column(struct table *t, struct column c)
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
        c.per = per_unit(unit);
    }
    if (c.kind == SMI_XLSX_TIME || c.kind == SMI_XLSX_STAMP)
        c.head = smi_fmt(&t->b->page, "%s (%s)", c.head, t->b->zone);
    c.help = c.help || !f ? c.help : f->help;
    c.per = c.per > 0 ? c.per : PER_RAW;
    if (f && !c.sum && t->id == SHEET_RUNS)
        c.sum = f->total;
    assert(t->n < t->room);
    t->col[t->n++] = c;
}

/* A column that needs a price that there is not is not shown, and its cell goes nowhere. */
static struct smi_xlsx_cell *put_cell(struct table *t, struct column c)
{
    const enum smi_field_price price = c.of ? c.of->price : SMI_PRICE_NONE;
    if (((c.money || price == SMI_PRICE_MONEY) && !t->b->look->money) ||
        (price == SMI_PRICE_CO2 && !t->b->look->co2) || (c.part && !t->b->sweep->total.of.energy_part))
        return &t->cell[t->room];
    if (t->at == t->n)
        add_column(t, c);
    t->per = t->col[t->at].per;
    return &t->cell[t->at++];
}

static struct smi_xlsx_cell *put_field(struct table *t, int field, struct column c)
{
    struct smi_xlsx_cell *cell;
    c.of = &sheets[t->id].fields->info[field];
    cell = put_cell(t, c);
    set_datum(t, cell, t->values.v[field]);
    return cell;
}

/* Writes the cells of a row, in the look that all have. */
static void write_row(struct smi_xlsx_sheet *to, int64_t row, const struct table *t,
                      enum smi_xlsx_appearance look)
{
    for (int k = 0; k < t->n; k++) {
        struct smi_xlsx_cell *c = &t->cell[k];
        c->kind = c->kind ? c->kind : t->col[k].kind;
        c->look = c->look ? c->look : look;
        smi_xlsx_put(to, row, t->left + k, c);
    }
}

/* --- sheets --- */

enum {
    LINKS = 2000 /* rows that lead somewhere: links are kept in memory, and Excel takes 65,530 in a sheet */
};

static bool kind_is_number(enum smi_xlsx_kind kind)
{
    return kind > SMI_XLSX_WORDS;
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

static void fill_cells(struct table *t, size_t i)
{
    enum { OFTEN = 256 }; /* memory is given back in which details were read */
    begin_row(t);
    if (t->b->sweep && i % OFTEN == OFTEN - 1)
        smi_run_store_trim(t->b->sweep->store);
    t->fill(t, t->from + i);
}

static double total_of(const struct column *c)
{
    return c->sum == SMI_TOTAL_MEAN  ? c->is.sum / (double)c->is.n
           : c->sum == SMI_TOTAL_MAX ? c->is.most
                                     : c->is.sum;
}

/* A total of a column, as a formula: 101 mean, 103 count, 104 largest, 109 sum of what is not filtered away.
 */
static void write_total(struct table *t, int64_t row, int k)
{
    static const int code[] = {0, 109, 101, 104};
    static const enum smi_xlsx_appearance look[] = {SMI_XLSX_SUM, SMI_XLSX_SUM, SMI_XLSX_MEAN, SMI_XLSX_MOST};
    const struct column *col = &t->col[k];
    struct smi_xlsx_cell c = {.look = SMI_XLSX_SUM};
    char first[SMI_XLSX_CELL], last[SMI_XLSX_CELL];
    smi_xlsx_cell_name(first, row + 1, k);
    smi_xlsx_cell_name(last, row + (int64_t)t->count, k);
    if (k == 0) {
        set_text(&c, smi_fmt(&t->b->page, "%zu of %zu shown", t->count, t->count));
        c.formula = smi_fmt(&t->b->page, "=SUBTOTAL(103,%s:%s)&\" of %zu shown\"", first, last, t->count);
    } else if (col->sum != SMI_TOTAL_NONE && col->is.n > 0) { /* a mean of none would be an error */
        set_number(&c, total_of(col));
        c.kind = col->kind;
        c.look = look[col->sum];
        c.formula = smi_fmt(&t->b->page, "=IFERROR(SUBTOTAL(%d,%s:%s),\"\")", code[col->sum], first, last);
    }
    smi_xlsx_put(t->to, row, k, &c);
}

static void write_part(struct table *t)
{
    const struct sheet_info *info = &sheets[t->id];
    int64_t row = 1;
    int lines = 1; /* of its heads */
    for (int k = 0; k < t->n; k++) {
        struct column *col = &t->col[k];
        memset(&col->is, 0, sizeof col->is);
        for (const char *head = col->head; *head; head += strspn(head, " ")) {
            const int n = (int)strcspn(head, " "); /* a head may be broken between words */
            col->is.width = n >= col->is.width ? n + 1 : col->is.width;
            head += n;
        }
    }
    for (size_t i = 0; i < t->count; i++) {
        fill_cells(t, i);
        for (int k = 0; k < t->n; k++) {
            struct column *col = &t->col[k];
            const struct smi_xlsx_cell *c = &t->cell[k];
            int w = c->is == SMI_XLSX_IS_NUMBER ? number_width(col->kind, c->v)
                    : c->is == SMI_XLSX_IS_TEXT ? smi_text_width(c->text)
                                                : 0;
            col->is.width = w > col->is.width ? w : col->is.width;
            col->is.texts += c->is == SMI_XLSX_IS_TEXT;
            if (c->is != SMI_XLSX_IS_NUMBER || !isfinite(c->v))
                continue;
            col->is.most = col->is.n++ == 0 || c->v > col->is.most ? c->v : col->is.most;
            col->is.sum += c->v;
        }
    }
    /* The width of a column, and how its text stands: a little to the right of what may be before it. */
    enum { MOST = 60, LEAST = 10, WORD = 5 /* before a total */, BUTTON = 3 /* of the filter */ };
    for (int k = 0; k < t->n; k++) {
        struct column *col = &t->col[k];
        const int most = col->most ? col->most : MOST;
        int w = info->totals && col->sum && col->is.n ? number_width(col->kind, total_of(col)) + BUTTON : 0;
        w += w && col->sum != SMI_TOTAL_SUM ? WORD : 0;
        w = col->is.width > w ? col->is.width : w;
        col->is.width = w + 2 > most ? most : w + 2 < LEAST ? LEAST : w + 2;
        w = smi_text_width(col->head) / col->is.width + 1;
        lines = w > lines ? w : lines;
        const bool number = kind_is_number(col->kind) || (col->is.n > 0 && col->is.texts == 0);
        if (col->kind == SMI_XLSX_GENERAL && !number && k > 0)
            col->kind = SMI_XLSX_WORDS;
        col->is.head = col->kind == SMI_XLSX_GENERAL && number ? SMI_XLSX_INT : col->kind;
    }
    smi_xlsx_height(t->to, 0, 16 + 14.5 * ((lines > 4 ? 4 : lines) - 1));
    for (int k = 0; k < t->n; k++)
        smi_xlsx_text(t->to, 0, k, t->col[k].is.head, SMI_XLSX_HEAD, t->col[k].head);
    for (int k = 0; info->totals && k < t->n; k++)
        write_total(t, 1, k);
    row += info->totals;
    for (size_t i = 0; i < t->count && !t->b->x->err.code; i++) {
        fill_cells(t, i);
        for (int k = 0; row + (int64_t)i >= LINKS && k < t->n; k++)
            t->cell[k].to = NULL;
        write_row(t->to, row + (int64_t)i, t, SMI_XLSX_PLAIN);
    }
    /* Widths, filter, frozen heads, paper: so many pages wide that it can be read. */
    enum { PAGE = 230 /* legible characters across a page */ };
    const int64_t last = row + (int64_t)t->count - 1;
    int across = 0;
    for (int k = 0; k < t->n; k++) {
        smi_xlsx_width(t->to, k, k, t->col[k].is.width);
        if (t->col[k].bars && t->count)
            smi_xlsx_bars(t->to, row, k, last);
        across += t->col[k].is.width;
    }
    const int names = t->id == SHEET_GROUPS ? 2 : 1; /* columns that say what a row is about */
    smi_xlsx_freeze(t->to, row, names);
    if (t->count)
        smi_xlsx_filter(t->to, row - 1, last, t->n - 1);
    else if (*info->none)
        smi_xlsx_text(t->to, row, 0, SMI_XLSX_GENERAL, SMI_XLSX_GREY, info->none);
    smi_xlsx_print(t->to, across / PAGE + 1, (int)row - 1, across > PAGE ? names - 1 : -1);
}

/* Writes all rows of a sheet that has a table; one that is full goes on in a next one. */
static void write_table(struct table *t, size_t rows, void (*fill)(struct table *t, size_t i))
{
    const size_t most = SMI_XLSX_ROWS - 3;
    t->to = t->b->sheet[t->id];
    t->fill = fill;
    if (rows)
        fill_cells(t, 0);
    for (;;) {
        t->count = rows - t->from < most ? rows - t->from : most;
        write_part(t);
        t->from += t->count;
        if (t->from == rows || t->b->x->err.code)
            return;
        t->to = smi_xlsx_sheet(t->b->x, sheets[t->id].name);
    }
}

/* ---- the sheets Runs, GPUs, Phases, Commands, Findings and Inputs: a row for each that a run has ---- */

enum { PARAMS = 2000 /* columns at most: beyond, nobody finds anything */ };

/* Parameters and joined columns. Those that differ stand beside the name of the run, as many as a table has;
 * the others come last. */
static void put_params(struct table *t, const struct smi_summary *run, bool beside)
{
    const struct smi_sweep *s = t->b->sweep;
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
            set_param(c, p->text, p->bare);
    }
    t->b->left_params = all > PARAMS ? all - PARAMS : 0;
}

static void fill_run(struct table *t, const struct smi_summary *s, const void *item)
{
    static const enum smi_xlsx_appearance states[] = {SMI_XLSX_PLAIN, SMI_XLSX_RED, SMI_XLSX_YELLOW,
                                                      SMI_XLSX_GREY, SMI_XLSX_GREY};
    const char *note = smi_run_note_text(&t->b->page, s);
    size_t first = 0; /* GPU whose model is known */
    struct smi_xlsx_cell *c;
    (void)item;
    while (first < s->ngpus && !s->gpus[first].name)
        first++;
    set_run(t->b, FIELD(SMI_RUN_FIELD_RUN, "Run", .most = 50), s, false);
    put_params(t, s, true);
    FIELD(SMI_RUN_FIELD_STATE, "State")->look = states[s->state];
    c = PUT("Start", SMI_XLSX_TIME, .help = "First stamp of the run, on the clock that the head names");
    if (s->has_start)
        set_time(t->b, c, s, s->start_ms);
    FIELD(SMI_RUN_FIELD_DURATION, "Time h", SMI_XLSX_TWO, .per = PER_HOURS);
    FIELD(SMI_RUN_FIELD_HOSTNAME, "Host", .most = 30);
    TEXT(first < s->ngpus ? s->gpus[first].name : NULL, "GPU model",
         .help = "Model of its GPUs, as the driver names it", .most = 32);
    c = FIELD(SMI_RUN_FIELD_NGPUS, "GPUs");
    if (!s->ngpus)
        set_text(c, NULL);
    FIELD(SMI_RUN_FIELD_GPU_HOURS, "GPU-h");
    VALUE(smi_headline_use(&s->block), "GPU use %", SMI_XLSX_PERCENT, SMI_TOTAL_MEAN, PER_PCT,
          .help = "Utilisation of all its GPUs, mean over time; where no times are known, "
                  "mean of the readings");
    VALUE(s->gpu_util_p95, "GPU use p95 %", SMI_XLSX_PERCENT, SMI_TOTAL_MEAN, PER_PCT,
          .help = "Utilisation that 95 % of the readings do not pass, of the GPU where it is largest");
    FIELD(SMI_RUN_FIELD_IDLE, "Idle %");
    FIELD(SMI_RUN_FIELD_LONGEST_IDLE, "Longest idle min", SMI_XLSX_ONE, .per = PER_MINUTES);
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
    FIELD(SMI_RUN_FIELD_CO2, "CO2 kg", SMI_XLSX_TWO, .per = PER_KILO, .help = "Of this energy");
    VALUE(s->temp_max, "Temp max °C", SMI_XLSX_INT, SMI_TOTAL_MAX, .help = "Hottest reading of its GPUs");
    FIELD(SMI_RUN_FIELD_THROTTLED, "Throttled %");
    FIELD(SMI_RUN_FIELD_CPU_USR_MEAN, "CPU use %");
    TEXT(*note ? note : NULL, "Largest finding", .help = "What the run is noted for, in a few words",
         .most = 40);
    NUMBER(s->nfindings, "Findings", SMI_XLSX_INT, SMI_TOTAL_SUM,
           .help = "How many there are: the sheet Findings has them");
    put_params(t, s, false);
}

/* The first figures of metrics, in the unit that people want. */
static void put_statistics(struct table *t, const struct smi_gpu *g)
{
    for (const struct smi_gpu_first_stat *p = smi_gpu_first_stats;
         p < smi_gpu_first_stats + SMI_GPU_FIRST_STATS; p++) {
        const struct smi_metric *m = &smi_metrics[p->metric];
        const struct smi_stats *x = smi_gpu_stats(g, p->metric);
        const bool whole = is_in(m, "C") || is_in(m, "MHz");
        struct smi_xlsx_cell *c = PUT(p->head,
                                      is_in(m, "%") ? SMI_XLSX_PERCENT
                                      : whole       ? SMI_XLSX_INT
                                                    : SMI_XLSX_ONE,
                                      .help = m->help, .per = per_unit(m->unit));
        if (x && p->stat == SMI_STAT_MEAN)
            set_value(t, c, smi_stats_mean(x));
        else if (x)
            set_datum(t, c, smi_gpu_stat(x, p->stat));
    }
}

static const char *slowdown(int k)
{
    return smi_metrics[SMI_THROTTLE_FIRST + k].key + strlen("throttle.");
}

static void fill_gpu(struct table *t, const struct smi_summary *s, const void *item)
{
    struct smi_text_arena *page = &t->b->page;
    const struct smi_gpu *g = item;
    const char *errors = ""; /* "XID 79: 1, uncorrected ECC errors: 2" */
    struct smi_xlsx_cell *c;
    TEXT(s->run, "Run", .help = "The run", .most = 50);
    c = FIELD(SMI_GPU_FIELD_INDEX, "GPU");
    if (g->pooled)
        set_text(c, "rows of all");
    set_text(FIELD(SMI_GPU_FIELD_UUID, "UUID", .most = 44), g->uuid ? g->uuid : g->bus);
    FIELD(SMI_GPU_FIELD_NAME, "Model", .most = 32);
    TEXT(s->hostname, "Host", .of = &smi_run_fields[SMI_RUN_FIELD_HOSTNAME], .most = 30);
    FIELD(SMI_GPU_FIELD_SAMPLES, "Samples");
    HOURS(!g->pooled && g->covered_ms > 0, g->covered_ms, "GPU-h",
          .help = "Its time in intervals that are no gap");
    put_statistics(t, g);
    FIELD(SMI_GPU_FIELD_IDLE, "Idle %");
    FIELD(SMI_GPU_FIELD_ENERGY, "Energy Wh");
    FIELD(SMI_GPU_FIELD_ENERGY_COVERAGE, "Energy known %", .part = true);
    for (size_t i = 0; i < s->nerrors; i++)
        if (smi_gpu_has_error(g, &s->errors[i]))
            errors = smi_fmt_list(
                page, errors,
                smi_fmt(page, "%s: %lld", smi_error_text(page, &s->errors[i]), (long long)s->errors[i].n));
    TEXT(*errors ? errors : NULL, "Errors", .help = "What went wrong with it, and how often", .most = 40);
    for (int k = 0; k < SMI_THROTTLE_COUNT; k++) {
        if (!(t->slowed >> k & 1))
            continue;
        c = PUT(t->at < t->n ? NULL : smi_fmt(page, "Slowed: %s %%", smi_key_label(page, slowdown(k))),
                SMI_XLSX_PERCENT, .per = PER_PCT, .help = "Share of the time in which it was active");
        for (size_t i = 0; i < g->throttles; i++)
            if (strcmp(g->throttle[i].reason, slowdown(k)) == 0)
                set_value(t, c, g->throttle[i].pct);
    }
}

static void fill_phase(struct table *t, const struct smi_summary *s, const void *item)
{
    const struct smi_phase_summary *p = item;
    TEXT(s->run, "Run", .help = "The run", .most = 50);
    FIELD(SMI_PHASE_FIELD_NAME, "Phase", .most = 40);
    FIELD(SMI_PHASE_FIELD_COUNT, "Times");
    FIELD(SMI_PHASE_FIELD_SECONDS, "Seconds");
    NUMBER(p->seconds.has && s->duration_s.has ? (double)p->seconds.micro / (double)s->duration_s.micro : NAN,
           "Share %", SMI_XLSX_PERCENT, .help = "Of the time of the run");
    FIELD(SMI_PHASE_FIELD_HEADLINE_GPU_UTIL_MEAN, "GPU use %", SMI_XLSX_PERCENT, .per = PER_PCT,
          .help = "Utilisation, mean of the readings inside it; empty where there are none");
    FIELD(SMI_PHASE_FIELD_IDLE, "Idle %");
    FIELD(SMI_PHASE_FIELD_HEADLINE_PEAK_VRAM, "Device VRAM GiB", SMI_XLSX_ONE, .per = PER_GIB,
          .help = "Largest reading of used memory inside it");
    FIELD(SMI_PHASE_FIELD_ENERGY, "Energy Wh");
    FIELD(SMI_PHASE_FIELD_SAMPLES, "Samples");
}

static void fill_command(struct table *t, const struct smi_summary *s, const void *item)
{
    (void)item;
    set_run(t->b, PUT("Run", .help = "The run", .most = 50), s, true);
    TEXT(s->command, "Command", .help = "As it was typed", .most = 60);
    NUMBER(s->has_exit ? (double)s->exit_code : NAN, "Exit status", SMI_XLSX_INT,
           .help = "128 + N where signal N ended it");
    TEXT(s->state_reason, "Reason", .help = "Why it failed, or what is not known of its end", .most = 40);
    for (int i = 0; i < SMI_COMMAND_USES * SMI_COMMAND_PARTS; i++) {
        static const char *const parts[SMI_COMMAND_PARTS] = {"", "Main ", "Descendants "};
        const struct smi_command_use *use = &smi_command_uses[i / SMI_COMMAND_PARTS];
        const int part = i % SMI_COMMAND_PARTS;
        const struct smi_command_figures x = smi_command_figures(s, use, (enum smi_command_part)part);
        for (int mean = use->metric[part] < 0 ? -1 : use->mean; mean >= 0; mean--) {
            const struct smi_metric *m = &smi_metrics[use->metric[part]];
            const bool gib = is_in(m, "MiB"), pct = is_in(m, "%");
            const char *unit = pct ? " %" : gib ? " GiB" : "";
            VALUE(mean ? x.mean : x.max,
                  t->at < t->n ? NULL
                               : capital(t->b, smi_fmt(&t->b->page, "%s%s %s%s", parts[part], use->what,
                                                       mean ? "mean" : "most", unit)),
                  pct   ? SMI_XLSX_PERCENT
                  : gib ? SMI_XLSX_TWO
                        : SMI_XLSX_INT,
                  .help = m->help, .per = per_unit(m->unit));
        }
    }
}

static void fill_finding(struct table *t, const struct smi_summary *s, const void *item)
{
    static const enum smi_xlsx_appearance levels[] = {SMI_XLSX_GREY, SMI_XLSX_YELLOW, SMI_XLSX_YELLOW,
                                                      SMI_XLSX_RED};
    const struct smi_finding *f = item;
    struct smi_xlsx_cell *c;
    FIELD(SMI_FINDING_FIELD_LEVEL, "Level")->look = levels[f->level];
    TEXT(smi_rules[f->rule].key, "Cause", .help = "What it is: smilog list rules explains each", .most = 30);
    set_run(t->b, PUT("Run", .help = "The run, with a link to its row", .most = 50), s, true);
    FIELD(SMI_FINDING_FIELD_GPU, "GPU");
    c = PUT("From", SMI_XLSX_TIME, .help = "When it began, on the clock that the head names");
    if (f->has_from && s->has_start)
        set_time(t->b, c, s, f->from_ms);
    FIELD(SMI_FINDING_FIELD_GPU_HOURS, "GPU-h", .bars = true,
          .help = "The GPU-hours that it is about; two findings may be about the same ones");
    FIELD(SMI_FINDING_FIELD_COST, "Cost", .help = "Of these GPU-hours");
    FIELD(SMI_FINDING_FIELD_TEXT, "What happened", .help = "In words", .most = 90);
    FIELD(SMI_FINDING_FIELD_ADVICE, "What to do", .help = "What may help", .most = 70);
}

static void fill_input(struct table *t, const struct smi_summary *s, const void *item)
{
    struct smi_text_arena *page = &t->b->page;
    const struct smi_input *in = item;
    const struct smi_account *a = &in->account;
    const char *why = "";
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        if (a->rejected[i] > 0)
            why = smi_fmt_list(page, why,
                               smi_fmt(page, "%s: %lld", smi_key_label(page, smi_reject_names[i]),
                                       (long long)a->rejected[i]));
    if (a->problems)
        why = smi_fmt_list(page, why, smi_problem_text(page, a->problem));
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
    VALUE(in->interval_s, "Interval s", SMI_XLSX_TWO,
          .help = "Lower median of the times between two rows of a GPU");
    TEXT(s->time_base, "Time base", .help = "The clock of the run, and how it is known", .most = 34);
}

/* --- sheets --- */

#define ITEMS(number, list)                                                   \
    offsetof(struct smi_summary, number), offsetof(struct smi_summary, list), \
        sizeof *((struct smi_summary *)0)->list
static const struct sheet_info sheets[SHEETS] = {
    [SHEET_OVERVIEW] = {.name = "Overview"},
    [SHEET_RUNS] = {"Runs",
                    "One row a run. Row 2 is about the rows that the filter shows: sums, means of the "
                    "runs, largest values.",
                    "no runs", true, 0, 0, 0, &smi_run_list, fill_run},
    [SHEET_GROUPS] = {"Groups", "One row a value of a parameter, the runs of which it is a sum.", "no runs"},
    [SHEET_GPUS] = {"GPUs", "One row a GPU of a run.", "no GPU in any log", false, ITEMS(ngpus, gpus),
                    &smi_gpu_list, fill_gpu},
    [SHEET_PHASES] = {"Phases", "One row a phase of a run, as its run log names it.",
                      "no run log names a phase", false, ITEMS(nphases, phases), &smi_phase_list, fill_phase},
    [SHEET_COMMANDS] = {"Commands", "One row a command that smilog run tracked, with all that it started.",
                        "no command was tracked", .fill = fill_command},
    [SHEET_FINDINGS] = {"Findings", "One row for each thing that was found, most GPU-hours first.",
                        "no findings", false, ITEMS(nfindings, findings), &smi_finding_list, fill_finding},
    [SHEET_INPUTS] = {"Inputs", "One row a log: what became of its lines, how often it was written.",
                      "no logs", false, ITEMS(ninputs, inputs), NULL, fill_input},
    [SHEET_ABOUT] = {.name = "About"},
    [SHEET_ROWS] = {.name = "Rows", .none = ""}};
#undef ITEMS

static void fill_item(struct table *t, size_t i)
{
    const struct sheet_info *l = &sheets[t->id];
    const struct place *p = &t->place[i];
    if (l->fields)
        smi_field_values_fill(&t->values, l->fields, p->s, p->item);
    l->fill(t, p->s, p->item);
}

static int by_key(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->s != y->s)
        return x->s < y->s ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

/* The slowdowns that some log knows of. */
static void find_slowdowns(struct table *t, const struct smi_gpu *gpu)
{
    for (size_t i = 0; i < gpu->throttles; i++)
        for (int k = 0; k < SMI_THROTTLE_COUNT && smi_throttle_slows(&gpu->throttle[i]); k++)
            t->slowed |= (unsigned)(strcmp(slowdown(k), gpu->throttle[i].reason) == 0) << k;
}

static void write_list(struct book *b, enum sheet id)
{
    enum { COLUMNS = 96 /* besides parameters */ };
    const struct smi_sweep *sweep = b->sweep;
    const struct sheet_info *l = &sheets[id];
    struct table *t = make_table(b, id, COLUMNS + sweep->nvarying + sweep->njoined + sweep->ncommon);
    size_t cap = 0;
    /* All entries of all runs, findings with most GPU time first. */
    for (size_t i = 0; smi_sweep_has_run(sweep, i); i++) {
        const struct smi_summary *s = &sweep->runs[i];
        size_t n = id == SHEET_RUNS || smi_command_is_tracked(s);
        const char *item = (const char *)s;
        if (l->size) {
            memcpy(&n, item + l->count, sizeof n);
            memcpy(&item, item + l->items, sizeof item);
        }
        smi_mem_reserve(&t->place, &cap, t->rows + n, sizeof *t->place);
        for (size_t k = 0; k < n; k++) {
            t->place[t->rows++] =
                (struct place){s, item + k * l->size, id == SHEET_FINDINGS ? s->findings[k].gpu_ms : 0};
            if (id == SHEET_GPUS)
                find_slowdowns(t, &s->gpus[k]);
        }
    }
    smi_sort(t->place, t->rows, sizeof *t->place, by_key);
    write_table(t, t->rows, fill_item);
    smi_field_values_fini(&t->values);
    smi_mem_free(t->place);
}

/* ---- the sheet Groups: a row for each value of a parameter that groups runs; those of the first
 * parameter that fit are what Overview draws. Means are of the runs, deviations of their whole group ---- */

enum { KEYS = 50, DRAWN = 24 /* groups of a chart */, MEASURES = SMI_GROUP_MEASURES };

/* smi_group_measures, as the sheet calls them. */
static const struct {
    const char *mean, *deviation;
    enum smi_xlsx_kind kind;
    double per;
} measures[MEASURES] = {{"GPU use % mean of runs", "GPU use % sd", SMI_XLSX_PERCENT, PER_PCT},
                        {"Idle % mean of runs", "Idle % sd", SMI_XLSX_PERCENT, PER_PCT},
                        {"Time h mean of runs", "Time h sd", SMI_XLSX_TWO, PER_HOURS},
                        {"Energy Wh mean of runs", "Energy Wh sd", SMI_XLSX_ONE, PER_RAW}};

enum { VALUE_AT = 1, USED_AT = 5 /* column of the used hours: the idle, failed and not known ones follow */ };

static void fill_group(struct table *t, size_t i)
{
    const struct smi_run_group *p = t->b->group[i].of;
    const struct smi_total *sum = &p->sum, *all = &t->b->sweep->total;
    const int64_t wasted = smi_wasted_ms(&sum->waste);
    const bool known = sum->gpu_hours.has && smi_waste_known(sum->wasted_h[5], sum->idle_pct, &sum->waste);
    struct smi_xlsx_cell *c;
    TEXT(t->b->group[i].key, "Parameter", .help = "What the runs of a row have in common", .most = 32);
    c = PUT("Value", SMI_XLSX_KEY, .help = "Its value", .most = 40);
    set_param(c, p->value ? p->value : "-", true);
    NUMBER(sum->runs, "Runs", SMI_XLSX_INT, .help = "How many there are");
    NUMBER(sum->failed, "Failed", SMI_XLSX_INT, .help = "How many of them failed");
    NUMBER(sum->cut, "Cut", SMI_XLSX_INT, .help = "How many of them have no end in their log");
    HOURS(known, sum->covered_ms - wasted - sum->waste.ms[SMI_WASTE_UNKNOWN], "Used GPU-h",
          .help = "GPU-hours that are known not to be wasted");
    HOURS(known, wasted - sum->waste.ms[SMI_WASTE_FAILED], "Idle GPU-h",
          .help = "Wasted GPU-hours of runs that did not fail");
    HOURS(known, sum->waste.ms[SMI_WASTE_FAILED], "Failed GPU-h", .help = "GPU-hours of runs that failed");
    HOURS(sum->gpu_hours.has, sum->waste.ms[SMI_WASTE_UNKNOWN], "Not known GPU-h",
          .help = "GPU-hours without a reading of utilisation: neither used nor idle");
    HOURS(sum->gpu_hours.has, sum->covered_ms, "GPU-h", .help = "The sum of these four");
    HOURS(known, wasted, "Wasted GPU-h", .help = "Idle and failed ones together");
    VALUE(sum->energy_wh, "Energy kWh", SMI_XLSX_TWO, .per = PER_KILO, .help = "Energy of all GPUs");
    if (all->of.energy_part || smi_total_missing(all, all->of.energy) > 0) /* only where some lack it */
        NUMBER(smi_total_missing(sum, sum->of.energy) + sum->of.energy_part, "Runs without energy",
               SMI_XLSX_INT,
               .help = "Runs with GPU data that this sum lacks, for all or for a part of their GPU time");
    VALUE(sum->cost, "Cost", SMI_XLSX_MONEY, .per = PER_RAW, .money = true,
          .help = "Of these GPU-hours and their energy, as far as they have a price");
    if (smi_total_missing(all, all->of.cost) > 0)
        NUMBER(smi_total_missing(sum, sum->of.cost), "Runs without cost", SMI_XLSX_INT, .money = true,
               .help = "Runs with GPU data that this sum lacks");
    VALUE(smi_headline_use(&sum->block), "GPU use % over time", SMI_XLSX_PERCENT, .per = PER_PCT,
          .help = "Utilisation, mean over the time of all GPUs of all runs: a longer run counts more");
    VALUE(sum->idle_pct, "Idle % of all GPU time", SMI_XLSX_PERCENT, .per = PER_PCT,
          .help = "Share of the GPU time of all runs that is idle: a longer run counts more");
    VALUE(p->vram, "VRAM peak GiB", SMI_XLSX_ONE, .per = PER_GIB, .help = "Largest of the runs");
    VALUE(p->vram_total, "VRAM total GiB", SMI_XLSX_ONE, .per = PER_GIB,
          .help = "Memory of the largest of their GPUs");
    for (int k = 0; k < MEASURES; k++) {
        const int64_t n = p->of[k].n;
        const double count = (double)n, per = measures[k].per;
        NUMBER(n > 0 ? (double)p->of[k].s1 / count / per : NAN, measures[k].mean, measures[k].kind,
               .help = "Each run counts the same");
        NUMBER(n > 1 ? (double)smi_run_group_deviation(p, k) / count / per : NAN, measures[k].deviation,
               measures[k].kind, .help = "Standard deviation of the runs, from two on");
        NUMBER(n, "n", SMI_XLSX_INT, .help = "Runs for which it is known");
    }
    for (int k = 0; i > 0 && strcmp(t->b->group[i].key, ALL_RUNS) == 0 && k < t->n; k++)
        t->cell[k].look = SMI_XLSX_RULED;
}

/* Adds the groups of a key that have runs. */
static void add_groups(struct book *b, size_t *n, size_t *cap, const char *key, struct smi_run_group *group,
                       size_t values)
{
    const size_t before = *n;
    for (size_t i = 0; i < values; i++)
        if (group[i].sum.runs) {
            smi_total_close(&group[i].sum);
            *SMI_MEM_ADD(b->group, *n, *cap) = (struct group_row){key, &group[i]};
        }
    if (!b->draws && *n - before <= DRAWN) {
        b->drawn = before;
        b->draws = *n - before;
    }
}

static void write_all_groups(struct book *b)
{
    const struct smi_sweep *s = b->sweep;
    const char **key;
    const size_t keys = smi_group_keys(&b->page, false, &key);
    const size_t runs = !keys && s->n <= DRAWN ? s->n : 0; /* the runs themselves, if they fit a chart */
    struct smi_run_group *group = smi_arena_new(&b->page.arena, runs + 1, sizeof *group), *all = group + runs;
    size_t n = 0, cap = 0;
    b->left_groups = keys > KEYS ? keys - KEYS : 0;
    all->value = ALL_RUNS;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        smi_run_group_add(all, &s->runs[i]);
        if (i < runs) {
            group[i].value = s->runs[i].run;
            smi_run_group_add(&group[i], &s->runs[i]);
        }
    }
    add_groups(b, &n, &cap, "run", group, runs);
    for (size_t i = 0; i < keys && i < KEYS; i++) {
        const size_t values = smi_run_groups(&b->page, key[i], &group);
        add_groups(b, &n, &cap, key[i], group, values + 1);
    }
    add_groups(b, &n, &cap, ALL_RUNS, all, 1);
    write_table(make_table(b, SHEET_GROUPS, 32), n, fill_group);
}

enum { A, B, C, D, E }; /* columns: a wide one, three for figures, a wide one */

/* ---- the tables of Overview: where the GPU-hours went and what to do, the runs that wasted most. ---- */

enum { NAME = 48, NAME_HEAD = 16 /* characters of a run's name */ };

/* A sheet of five columns, and the row that is written next. */
struct page {
    struct book *b;
    struct smi_xlsx_sheet *to;
    int64_t row;
};

static void write_line(struct page *p, enum smi_xlsx_appearance look, const char *text)
{
    smi_xlsx_text(p->to, p->row++, A, SMI_XLSX_GENERAL, look, text);
}

/* A row of a table on the page; its heads stand above the first one. */
static void write_page_row(struct page *p, struct table *t, enum smi_xlsx_appearance look)
{
    for (int k = 0; !t->rows && k < t->n; k++)
        smi_xlsx_text(p->to, p->row, k, t->col[k].kind, SMI_XLSX_HEAD, t->col[k].head);
    p->row += !t->rows++;
    write_row(p->to, p->row++, t, look);
}

/* What GPU time cost; without prices its share of all. */
static void put_cost(struct table *t, struct smi_value cost, const char *share, int64_t ms, int64_t all)
{
    if (t->b->look->money)
        VALUE(cost, "Cost", SMI_XLSX_MONEY);
    else
        NUMBER(all > 0 ? (double)ms / (double)all : NAN, share, SMI_XLSX_PERCENT);
}

/* What people call the causes of waste (smi_waste_names). */
static const char *const causes[] = {"Failed runs", "GPUs that did no work", "Idle before the first work",
                                     "Idle between work", "Idle after the last work"};

static void write_waste(struct page *p)
{
    const struct book *b = p->b;
    struct smi_waste_cause part[SMI_WASTE_PARTS];
    const size_t n = smi_waste_parts(&p->b->page, b->sweep->runs, b->sweep->n, true, part);
    struct table *t = smi_arena_new(&p->b->page.arena, 1, sizeof *t);
    if (!n)
        return;
    write_line(p, SMI_XLSX_SECTION, "Where the GPU-hours went");
    init_table(p->b, t, E + 1);
    for (const struct smi_waste_cause *c = part; c < part + n; c++) {
        begin_row(t);
        TEXT(c->run ? causes[c->id] : capital(p->b, c->name), "Where they went");
        HOURS(c->ms >= 0, c->ms, "GPU-h");
        put_cost(t, c->cost, "Share %", c->ms, b->sweep->total.covered_ms);
        NUMBER(c->run ? (double)c->n : NAN, "Runs", SMI_XLSX_INT);
        TEXT(c->run ? c->advice : c->why, "What to do", SMI_XLSX_WORDS);
        write_page_row(p, t, c->sum ? SMI_XLSX_RULED : SMI_XLSX_PLAIN);
    }
    p->row++;
}

static void write_worst(struct page *p)
{
    struct book *b = p->b;
    const struct smi_sweep *s = b->sweep;
    const struct smi_summary **run = smi_runs_in_order(&b->page, &b->page.arena, true);
    struct table *t = smi_arena_new(&b->page.arena, 1, sizeof *t);
    const size_t n = smi_count_worst(run, s->n);
    if (n == 0)
        return;
    write_line(p, SMI_XLSX_SECTION, s->n == 1 ? "The run" : smi_worst_title(&b->page, run, n));
    init_table(b, t, E + 1);
    for (size_t i = 0; i < n; i++) {
        const int64_t ms = smi_wasted_ms(&run[i]->waste);
        begin_row(t);
        struct smi_xlsx_cell *c = PUT("Run");
        set_run(b, c, run[i], true);
        c->text = smi_fmt_middle(&b->page, smi_fmt_run(&b->page, run[i]->run), NAME, NAME_HEAD);
        HOURS(true, ms, "Wasted GPU-h");
        put_cost(t, run[i]->wasted_cost[5], "Share of the run", ms, run[i]->covered_ms);
        TEXT(smi_state_names[run[i]->state], "State", SMI_XLSX_WORDS);
        TEXT(smi_run_note_text(&b->page, run[i]), "What it is noted for", SMI_XLSX_WORDS);
        write_page_row(p, t, SMI_XLSX_PLAIN);
    }
    p->row++;
}

/* ---- the first sheet: what someone sees who has never seen the tool. One printed page, in words of the
 * trade. ---- */

enum { CHART_ROWS = 11, CHART_WIDE = 1080, ROW_HIGH = 20 /* pixels */ };
enum { ACROSS = 150 /* characters of a line that fit the page */ };

/* --- the head --- */

/* Lines in as many rows as they take: nothing wraps over the columns of a table below. */
static void write_lines(struct page *p, enum smi_xlsx_appearance look, struct smi_text_arena *g)
{
    for (const char *line = g->to->p, *end; line && *line; line = end + (*end != 0)) {
        end = line + strcspn(line, "\n");
        if (end > line)
            write_line(p, look,
                       smi_fmt_middle(&p->b->page, smi_fmt(&p->b->page, "%.*s", (int)(end - line), line),
                                      ACROSS, ACROSS - 30));
    }
    smi_buf_clear(g->to);
}

/* --- figures --- */

/* Each in a column of three rows: its label above it, a remark below it. */
static void write_figures(struct page *p)
{
    static const enum smi_xlsx_appearance look[] = {SMI_XLSX_LABEL, SMI_XLSX_FIGURE, SMI_XLSX_LABEL};
    struct book *b = p->b;
    struct smi_sweep_figure f[SMI_SWEEP_FIGURES];
    smi_sweep_figures_make(&b->page, f);
    for (int i = 0; i < 3; i++, p->row++) {
        if (look[i] == SMI_XLSX_FIGURE)
            smi_xlsx_height(p->to, p->row, 34);
        for (int k = A; k <= E; k++) {
            struct smi_xlsx_cell c = {.look = look[i]};
            set_param(&c, i == 0 ? capital(b, f[k].label) : i == 1 ? f[k].text : f[k].more, i == 1);
            c.kind = c.is != SMI_XLSX_IS_NUMBER ? SMI_XLSX_GENERAL : k == A ? SMI_XLSX_INT : SMI_XLSX_TWO;
            smi_xlsx_put(p->to, p->row, k, &c);
        }
    }
    p->row++;
}

/* --- the chart --- */

static void write_group_chart(struct page *p)
{
    enum { CURVES = 4 };
    static const char *const name[CURVES] = {"used", "idle", "failed", "not known"};
    static const uint32_t colour[CURVES] = {0x4F7CAC, 0xF2C14E, 0xB3261E, 0xBCC3CB};
    struct book *b = p->b;
    const int curves = b->sweep->total.waste.ms[SMI_WASTE_UNKNOWN] > 0 ? CURVES : CURVES - 1;
    const int64_t high = (CHART_ROWS + (int64_t)b->draws - 1) * ROW_HIGH, first = 1 + (int64_t)b->drawn;
    const char *by = b->draws ? b->group[b->drawn].key : "";
    struct smi_xlsx_curve c[CURVES];
    struct smi_xlsx_plot plot = {
        .kind = SMI_XLSX_BARS,
        .x_name = "GPU-hours",
        .told = "Stacked bars: GPU-hours of each group, used, idle, failed and not known"};
    if (!b->sweep->total.gpu_hours.has || b->draws == 0)
        return;
    plot.title =
        smi_fmt(&b->page, "GPU-hours %s %s: used, idle, failed%s", strcmp(by, ALL_RUNS) == 0 ? "of" : "by",
                smi_fmt_safe(&b->page, by), curves == CURVES ? ", not known" : "");
    for (int i = 0; i < curves; i++) /* columns of Groups that stand side by side */
        c[i] = (struct smi_xlsx_curve){.sheet = b->sheet[SHEET_GROUPS],
                                       .first = first,
                                       .last = first + (int64_t)b->draws - 1,
                                       .x = VALUE_AT,
                                       .y = USED_AT + i,
                                       .name = name[i],
                                       .colour = colour[i]};
    smi_xlsx_chart(p->to, p->row, A, CHART_WIDE, (int)high, &plot, c, (size_t)curves);
    p->row += high / ROW_HIGH + 1;
}

static void write_overview(struct book *b)
{
    static const double width[] = {44, 19, 19, 23, 54};
    struct page p = {.b = b, .to = b->sheet[SHEET_OVERVIEW]};
    struct smi_buf lines = {0};
    char now[SMI_CLOCK_TEXT];
    struct smi_render_options look = *b->look;
    struct smi_text_arena g = {.to = &lines, .sweep = b->sweep, .look = &look};
    const char *doubts = smi_warnings_text(&g, smi_fmt_safe);
    look.width = ACROSS;
    look.color = false;
    look.utf8 = true;
    for (int i = A; i <= E; i++)
        smi_xlsx_width(p.to, i, i, width[i]);
    smi_xlsx_height(p.to, p.row, 30);
    write_line(&p, SMI_XLSX_TITLE, smi_fmt(&g, "What the GPUs did in %s", smi_sweep_name(&g)));
    smi_text_head(&g, smi_fmt_safe); /* the lines above the table for a terminal say it already */
    write_lines(&p, SMI_XLSX_PLAIN, &g);
    smi_clock_write(now, look.now_ms, false);
    write_line(&p, SMI_XLSX_GREY,
               look.now_ms ? smi_fmt(&g, "made %.10s %.5s UTC by smilog " SMILOG_VERSION, now, now + 11)
                           : "made by smilog " SMILOG_VERSION);
    p.row++;
    look.width = ACROSS * 2 / 3; /* in larger letters */
    smi_wrap_line(&g, SMI_STYLE_PLAIN, smi_waste_sentence(&g));
    look.width = ACROSS;
    write_lines(&p, SMI_XLSX_SAID, &g);
    p.row++;
    write_figures(&p);
    write_group_chart(&p);
    write_waste(&p);
    write_worst(&p);
    if (*doubts)
        smi_wrap_fmt(&g, SMI_STYLE_PLAIN, "Warnings: %s.", doubts);
    write_lines(&p, SMI_XLSX_GREY, &g);
    write_line(&p, SMI_XLSX_GREY, smi_quality_text(&g));
    if (b->sweep->n > 1)
        write_line(&p, SMI_XLSX_GREY,
                   "GPU use % in Groups and here is the mean over the time of all GPUs, as in the table of a "
                   "terminal: a longer run counts more. In row 2 of Runs each run counts the same.");
    write_line(&p, SMI_XLSX_GREY, "The sheet About explains every column, and says what was left out.");
    smi_xlsx_page(p.to, p.row - 1, E);
    smi_arena_fini(&g.arena);
    smi_buf_fini(&lines);
}
/* ---- with --samples all: the sheet Samples, a row for every row of every log, its readings as they were
 * logged: 12.5 % is 12.5 there, for those who calculate with millions of them ---- */

struct samples {
    struct table t;              /* the row at hand */
    const struct smi_summary *s; /* the run at hand */
    const char **gpu;            /* of each of its GPUs: its label, or NULL: its index is a number */
    int64_t row;
    int16_t at[SMI_METRIC_COUNT]; /* column of a metric, or -1 */
};

/* A new sheet with heads. */
static void begin_samples(struct samples *p)
{
    struct table *t = &p->t;
    t->to = smi_xlsx_sheet(t->b->x, "Samples");
    smi_xlsx_height(t->to, 0, 32);
    for (int k = 0; k < t->n; k++) {
        smi_xlsx_text(t->to, 0, k, k < 2 ? SMI_XLSX_GENERAL : SMI_XLSX_INT, SMI_XLSX_HEAD, t->col[k].head);
        smi_xlsx_width(t->to, k, k, t->col[k].most);
    }
    smi_xlsx_freeze(t->to, 1, 0);
    smi_xlsx_print(t->to, t->n / 16 + 1, 0, -1);
    p->row = 1;
}

static void end_samples(struct samples *p)
{
    if (p->row > 1)
        smi_xlsx_filter(p->t.to, 0, p->row - 1, p->t.n - 1);
}

/* The cells of a row that are no readings: of which run and log, when, of which GPU. */
static void put_sample(struct samples *p, const struct smi_run_row *r)
{
    struct table *t = &p->t;
    struct smi_xlsx_cell *c;
    begin_row(t);
    TEXT(p->s->run, "Run", .most = 30);
    TEXT(r->input, "File", .most = 30);
    c = PUT("Time", SMI_XLSX_STAMP, .most = 24);
    if (r->timed)
        set_time(t->b, c, p->s, r->t_ms);
    c->look = SMI_XLSX_PLAIN;
    c = PUT("GPU", .most = 12);
    if (r->gpu >= 0 && !p->gpu[r->gpu])
        set_number(c, p->s->gpus[r->gpu].index);
    else
        set_text(c, r->gpu < 0 ? "host" : p->gpu[r->gpu]);
}

static int write_sample_row(void *self, const struct smi_run_row *r, struct smi_err *err)
{
    struct samples *p = self;
    if (p->row == SMI_XLSX_ROWS) {
        end_samples(p);
        begin_samples(p);
    }
    put_sample(p, r);
    for (unsigned i = 0; i < r->n; i++)
        if (p->at[r->metric[i]] > 0)
            set_number(&p->t.cell[p->at[r->metric[i]]], (double)r->v[i] / PER_RAW);
    write_row(p->t.to, p->row++, &p->t, SMI_XLSX_PLAIN);
    return p->t.b->x->err.code ? smi_err_set(err, SMI_EIO, "stopped") : 0;
}

static void write_samples(struct book *b)
{
    struct samples *p = smi_arena_new(&b->page.arena, 1, sizeof *p);
    if (b->look->samples != SMI_SAMPLES_ALL)
        return;
    /* A column for each metric that some run has, in catalogue order. */
    const struct smi_sweep *s = b->sweep;
    struct table *t = &p->t;
    init_table(b, t, SMI_METRIC_COUNT + 4);
    memset(p->at, -1, sizeof p->at);
    p->s = s->runs;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        for (size_t g = 0; g < s->runs[i].ngpus; g++)
            for (size_t k = 0; k < s->runs[i].gpus[g].nstats; k++)
                p->at[s->runs[i].gpus[g].stats[k].metric] = 0;
        for (size_t k = 0; k < s->runs[i].nhost; k++)
            p->at[s->runs[i].host[k].metric] = 0;
    }
    put_sample(p, &(struct smi_run_row){.gpu = -1});
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (p->at[m] == 0) {
            p->at[m] = (int16_t)t->at;
            PUT(smi_fmt(&b->page, "%s%s%s", smi_metric_label(&b->page, (unsigned)m),
                        *smi_metrics[m].unit ? " " : "", smi_metrics[m].unit),
                .most = 12);
        }
    begin_samples(p);
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i) && !b->x->err.code; i++) {
        struct smi_err err = {0};
        int rc;
        p->s = &s->runs[i];
        p->gpu = smi_arena_new(&b->page.arena, p->s->ngpus, sizeof *p->gpu);
        for (size_t g = 0; g < p->s->ngpus; g++)
            if (p->s->gpus[g].index < 0 || p->s->gpus[g].pooled)
                p->gpu[g] = p->s->gpus[g].pooled ? "rows of all" : smi_gpu_label(&b->page, &p->s->gpus[g]);
        rc = smi_reread_rows(s, i, write_sample_row, p, &err);
        if (rc < 0)
            smi_err_set(&b->x->err, err.code, "%s", err.text);
        b->unread += rc == 0;
    }
    end_samples(p);
}

/* ---- a sheet of charts for each run that has a timeline: phases and events as a strip, then one chart a
 * metric, all on one axis of time; the numbers beside them ---- */

enum { DATA = 14, FIRST = 6, WIDE = 880, HIGH = 250, STRIP = 110, PHASES = 12, SPANS = 3000 };
enum { NAMES = 2 * (PHASES + 1) /* in a strip: phases and events, and all others of both */ };
enum { TIME, ELAPSED, CURVES }; /* columns from DATA on */

/* One hue; neighbours are far apart, as most runs have few GPUs. */
static const uint32_t blues[] = {0x1F4E79, 0x7FB7E6, 0x2E75B6, 0x00A3A3,
                                 0x5B9BD5, 0x3B5BA5, 0x86C5DA, 0x6C7FC4};
static const uint32_t hues[PHASES] = {0x8DB4E2, 0xC4B7E4, 0xA8D5BA, 0xF3C98B, 0xD9B8A0, 0xB9C6D0,
                                      0xE6A9C6, 0x9AD0D3, 0xCFD58A, 0xB0A18F, 0xD5C1E8, 0x8FB996};

/* What time is counted in: so long that few numbers stand on the axis. */
static const struct unit {
    int64_t below_ms; /* of runs that are shorter */
    double ms;
    const char *name, *long_name;
} time_units[] = {{180000, 1000, "s", "seconds"},
                  {3 * 3600000, 60000, "min", "minutes"},
                  {INT64_MAX, 3600000, "h", "hours"}};

/* What a run is in at times, by name: a series of thick lines, or of marks. Its cells stand beside those of
 * the curves. */
struct strip {
    const char *title;
    const char *name[NAMES];
    uint32_t colour[NAMES];
    size_t names;
    uint32_t marks; /* bit k: name k is that of events */
    uint32_t *in;   /* of each cell of the curves; bit k: it is in name k */
    bool rows;      /* each name has a row of its own */
    int col;        /* of its first name */
};
enum { STRIP_PHASES, STRIP_FINDINGS, STRIPS };

/* One sheet being written. */
struct run {
    struct book *b;
    const struct smi_summary *s;
    const struct smi_timeline *t;
    struct smi_xlsx_sheet *to;
    struct strip strip[STRIPS];
    struct table cells;      /* a row of numbers */
    const struct unit *unit; /* of the axis of time */
    int64_t row;             /* where the next chart goes */
};

static double elapsed(const struct run *r, int64_t ms)
{
    return (double)(ms - r->t->begin_ms) / r->unit->ms;
}

static const char *unit_of(const struct smi_metric *m)
{
    return is_in(m, "MiB") ? "GiB" : is_in(m, "C") ? "°C" : m->unit;
}

/* --- spans --- */

/* Marks the cells of a span; a line reaches into the next one, for it has two ends. */
static void add_span(const struct run *r, struct strip *p, int64_t from_ms, int64_t to_ms, size_t of)
{
    const struct smi_timeline *t = r->t;
    const size_t more = p->marks >> of & 1 ? 0 : 1;
    const int64_t latest = smi_timeline_at(t, t->n > 1 ? t->n - more : 1) - 1;
    from_ms = from_ms > latest ? latest : from_ms;
    for (size_t i = 0; i < t->n; i++)
        if (smi_timeline_at(t, i + 1) > from_ms && smi_timeline_at(t, i < more ? 0 : i - more) <= to_ms)
            p->in[i] |= (uint32_t)1 << of;
}

/* The first PHASES names of phases or events are series; all others are one. */
static void add_names(const struct run *r, struct strip *p, const struct smi_phase_span *of, size_t n,
                      bool marks)
{
    const size_t first = p->names;
    for (size_t i = 0; i < n && i < SPANS; i++) {
        size_t k = first;
        while (k < p->names && k < first + PHASES && strcmp(p->name[k], of[i].name) != 0)
            k++;
        if (k == p->names) {
            p->marks |= (uint32_t)marks << k;
            p->colour[k] = marks ? blues[k % (sizeof blues / sizeof *blues)] : hues[k % PHASES];
            p->name[p->names++] = k < first + PHASES ? of[i].name : marks ? "other events" : "other phases";
        }
        add_span(r, p, of[i].from_ms, marks ? of[i].from_ms : of[i].to_ms, k);
    }
}

/* A row a rule, named with the time of its first finding on the axis of the charts: "hang 30.0 to 59.9 min".
 */
static void add_bands(struct run *r, struct strip *p)
{
    static const uint32_t colours[] = {0x9AA7B4, 0xDD9C24, 0xB97A08, 0xB3261E};
    struct smi_text_arena *g = &r->b->page;
    struct smi_chart_band *band;
    const char *left;
    const size_t n = smi_chart_bands(g, r->s, &band, &left);
    p->title = smi_fmt(g, "Findings%s%s", *left ? ", " : "", left);
    p->rows = true;
    for (const struct smi_chart_band *at = band; at < band + n; at++) {
        if (at->row) {
            p->colour[p->names] = colours[at->of->level];
            p->name[p->names++] = smi_fmt(g, "%s %.1f to %.1f %s", smi_rules[at->of->rule].key,
                                          elapsed(r, at->from_ms), elapsed(r, at->to_ms), r->unit->name);
        }
        add_span(r, p, at->from_ms, at->to_ms, p->names - 1);
    }
}

/* --- numbers --- */

/* How high the lines of a name stand: the first name on top. */
static double height_of(const struct strip *p, size_t name)
{
    return p->rows ? (double)(p->names - name) : 1;
}

/* Cell i of the curves, and what it is in. */
static void put_chart_row(struct run *r, size_t i)
{
    struct table *t = &r->cells;
    struct smi_text_arena *g = &r->b->page;
    const int64_t at = smi_timeline_at(r->t, i), to = smi_timeline_at(r->t, i + 1);
    struct smi_xlsx_cell *c = PUT("Time", SMI_XLSX_TIME);
    if (r->s->has_start)
        set_time(r->b, c, r->s, at);
    NUMBER(elapsed(r, at + (to - at) / 2), r->unit->name, SMI_XLSX_TWO);
    for (const struct smi_curve *of = r->t->curve; of < r->t->curve + r->t->ncurves; of++) {
        const struct smi_metric *m = &smi_metrics[of->metric];
        const char *head = t->at < t->n ? NULL
                                        : smi_fmt(g, "%s %s %s", smi_curve_name(g, r->s, of),
                                                  smi_metric_label(g, of->metric), unit_of(m));
        NUMBER(of->mean[i] != SMI_NO_POINT ? (double)of->mean[i] / per_unit(m->unit) : NAN, head,
               is_in(m, "%") ? SMI_XLSX_PERCENT : SMI_XLSX_ONE);
    }
    for (struct strip *p = r->strip; p < r->strip + STRIPS; p++) {
        p->col = t->left + t->at;
        for (size_t k = 0; k < p->names; k++)
            NUMBER(p->in[i] >> k & 1 ? height_of(p, k) : NAN, p->name[k], SMI_XLSX_INT);
    }
}

/* The numbers of the charts, on their right, below heads. */
static void write_chart_rows(struct run *r)
{
    struct table *t = &r->cells;
    init_table(r->b, t, CURVES + r->t->ncurves + r->strip[0].names + r->strip[1].names);
    t->left = DATA;
    for (size_t i = 0; i < r->t->n && !r->b->x->err.code; i++) {
        begin_row(t);
        put_chart_row(r, i);
        for (int k = 0; i == 0 && k < t->n; k++)
            smi_xlsx_text(r->to, FIRST - 1, DATA + k, SMI_XLSX_INT, SMI_XLSX_HEAD, t->col[k].head);
        write_row(r->to, FIRST + (int64_t)i, t, SMI_XLSX_PLAIN);
    }
    smi_xlsx_width(r->to, DATA, DATA, 20);
    smi_xlsx_width(r->to, DATA + 1, DATA + t->n, 12);
}

/* --- charts --- */

/* A curve of the cells of column y over time; points: the width of its line. */
static struct smi_xlsx_curve curve(const struct run *r, int y, const char *name, uint32_t colour,
                                   double points)
{
    return (struct smi_xlsx_curve){r->to,  FIRST, FIRST + (int64_t)r->t->n - 1, DATA + ELAPSED, y, name,
                                   colour, points};
}

static void write_strip(struct run *r, const struct strip *p)
{
    struct smi_xlsx_curve c[NAMES];
    const int high = STRIP + (p->rows ? 26 * (int)p->names : 0);
    struct smi_xlsx_plot plot = {.kind = SMI_XLSX_LINES,
                                 .title = p->title,
                                 .strip = true,
                                 .x_max = elapsed(r, r->t->end_ms),
                                 .y_max = height_of(p, 0) + 1,
                                 .y_name = " ",
                                 .told = smi_fmt(&r->b->page, "%s over time", p->title)};
    for (size_t k = 0; k < p->names; k++)
        c[k] = curve(r, p->col + (int)k, p->name[k], p->colour[k], p->marks >> k & 1 ? 0 : 14);
    if (p->names == 0)
        return;
    smi_xlsx_chart(r->to, r->row, 0, WIDE, high, &plot, c, p->names);
    r->row += high / ROW_HIGH + 1;
}

/* All curves of one metric. */
static void write_chart(struct run *r, unsigned metric)
{
    const struct smi_metric *m = &smi_metrics[metric];
    struct smi_text_arena *g = &r->b->page;
    struct smi_xlsx_curve *c = smi_arena_new(&r->b->page.arena, r->t->ncurves, sizeof *c);
    struct smi_xlsx_plot plot = {.kind = SMI_XLSX_LINES,
                                 .x_max = elapsed(r, r->t->end_ms),
                                 .y_max = is_in(m, "%") ? 1 : 0,
                                 .y_name = unit_of(m),
                                 .y_format = is_in(m, "%") ? "0%" : "0"};
    size_t n = 0;
    const char *label = capital(r->b, smi_metric_label(g, metric));
    for (size_t k = 0; k < r->t->ncurves; k++)
        if (r->t->curve[k].metric == metric) {
            c[n] = curve(r, DATA + CURVES + (int)k, smi_curve_name(g, r->s, &r->t->curve[k]),
                         blues[n % (sizeof blues / sizeof *blues)], 1.25);
            n++;
        }
    if (n == 0)
        return;
    if (is_in(m, "MiB") && r->s->vram.total_mb.has)
        plot.y_max = (double)r->s->vram.total_mb.micro / PER_GIB;
    plot.title = n > 1 ? label : smi_fmt(g, "%s (%s)", label, c[0].name);
    plot.told = smi_fmt(g, "%s over time", label);
    smi_xlsx_chart(r->to, r->row, 0, WIDE, HIGH, &plot, c, n);
    r->row += HIGH / ROW_HIGH + 1;
}

/* --- sheets --- */

static void write_run_charts(struct book *b, size_t i)
{
    struct run r = {.b = b, .s = &b->sweep->runs[i], .t = b->sweep->runs[i].timeline, .to = b->series[i]};
    struct smi_text_arena *g = &b->page;
    const struct smi_summary *s = r.s;
    int64_t ms = (int64_t)r.t->n * r.t->cell_ms;
    for (r.unit = time_units; ms >= r.unit->below_ms;)
        r.unit++;
    r.strip[STRIP_PHASES].title = "Phases and events";
    for (struct strip *p = r.strip; p < r.strip + STRIPS; p++)
        p->in = smi_arena_new(&g->arena, r.t->n, sizeof *p->in);
    add_names(&r, &r.strip[STRIP_PHASES], r.t->phase, r.t->nphases, false);
    add_names(&r, &r.strip[STRIP_PHASES], r.t->event, r.t->nevents, true);
    add_bands(&r, &r.strip[STRIP_FINDINGS]);
    const char *text = smi_run_facts(g, s), *note = smi_run_note_text(g, s);
    struct smi_xlsx_cell link = {0};
    if (*note)
        text = smi_fmt(g, "%s: %s", text, note);
    smi_xlsx_text(r.to, 0, 0, SMI_XLSX_GENERAL, SMI_XLSX_SECTION, smi_fmt_run(g, s->run));
    smi_xlsx_text(r.to, 1, 0, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, text);
    smi_xlsx_text(r.to, 2, 0, SMI_XLSX_GENERAL, SMI_XLSX_GREY,
                  smi_fmt(g,
                          "In %s since the start. A point is the mean of the readings of %s. The numbers "
                          "stand on the right.",
                          r.unit->long_name, smi_fmt_time(g, r.t->cell_ms)));
    set_run(b, &link, s, true);
    link.text = "its row in Runs";
    if (link.to)
        smi_xlsx_put(r.to, 3, 0, &link);
    write_chart_rows(&r);
    r.row = FIRST - 1;
    write_strip(&r, &r.strip[STRIP_PHASES]);
    for (unsigned k = 0; k < SMI_CURVE_COUNT; k++)
        write_chart(&r, smi_timed_metrics[k]);
    write_strip(&r, &r.strip[STRIP_FINDINGS]);
    smi_xlsx_freeze(r.to, FIRST, 0);
    smi_xlsx_page(r.to, r.row > FIRST ? r.row : FIRST, DATA - 1);
}

static bool has_charts(const struct smi_summary *s)
{
    return s->timeline && s->timeline->n && s->timeline->ncurves;
}

static void write_all_charts(struct book *b)
{
    enum { TAB = 27 /* letters of the name of a sheet, less its number */ };
    const char **name = smi_arena_new(&b->page.arena, b->sweep->n + 1, sizeof *name);
    size_t n = 0, k = 0;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        if (has_charts(&b->sweep->runs[i]))
            name[n++] = smi_fmt_run(&b->page, b->sweep->runs[i].run);
    smi_names_shorten(&b->page, name, n, TAB);
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i) && !b->x->err.code; i++)
        if (has_charts(&b->sweep->runs[i])) {
            b->series[i] = smi_xlsx_sheet(b->x, smi_fmt(&b->page, "%02zu %s", k + 1, name[k]));
            k++;
            write_run_charts(b, i);
        }
}

/* ---- the sheet About: how it was made, what was left out, and every column in one line. ---- */

static void write_section(struct smi_xlsx_sheet *to, int64_t *row, const char *text)
{
    *row += *row > 0;
    smi_xlsx_text(to, (*row)++, 0, SMI_XLSX_GENERAL, SMI_XLSX_SECTION, text);
}

/* What is said in About, by name; without a text there is nothing to say. */
struct fact {
    const char *name, *text;
};

static void write_facts(struct smi_xlsx_sheet *to, int64_t *row, const char *title, const struct fact *f,
                        size_t n)
{
    write_section(to, row, title);
    for (const struct fact *end = f + n; f < end; f++)
        if (f->text && *f->text) {
            smi_xlsx_text(to, *row, 0, SMI_XLSX_GENERAL, SMI_XLSX_WRAP, f->name);
            smi_xlsx_text(to, (*row)++, 2, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, f->text);
        }
}

static void write_creation(struct book *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const char *given = b->look->given && *b->look->given ? b->look->given + 1 : "none";
    const struct fact facts[] = {
        {"Program", "Created by smilog " SMILOG_VERSION " from log files"},
        {"Source", b->sweep->title ? b->sweep->title : "."},
        {b->look->command ? "Command" : "Options", b->look->command ? b->look->command : given},
        {"Times", smi_fmt(&b->page,
                          b->zoned ? "on one clock: %s; grey ones are of logs whose zone is not known"
                                   : "as the logs have them: their %s",
                          b->zone)},
        {"Shares", "numbers with a format of percent: 12.5% is 0.125; in Samples as they were logged: 12.5"},
        {"Empty cells", "no reading; 0 is measured"},
        {"Warnings", smi_warnings_text(&b->page, smi_fmt_safe)}};
    write_facts(to, row, "How this was made", facts, sizeof facts / sizeof *facts);
}

static void write_omissions(struct book *b, struct smi_xlsx_sheet *to, int64_t *row)
{
    const struct smi_sweep *s = b->sweep;
    struct smi_text_arena *g = &b->page;
    size_t drawn = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        drawn += b->series[i] != NULL;
    const struct fact facts[] = {
        {"Runs", s->all > s->n ? smi_fmt(g, "%zu of %zu: those that were asked for", s->n, s->all) : ""},
        {"Charts over time",
         s->nstored     ? "None: the partial summaries that were read hold no single readings"
         : drawn < s->n ? smi_fmt(g,
                                  "%zu of %zu runs have a sheet: those named, else those that wasted most. "
                                  "The others: smilog report DIR/RUN -o run.xlsx",
                                  drawn, s->n)
                        : ""},
        {"Single readings", s->nstored ? "None: the sheet Samples needs the logs themselves"
                            : b->look->samples != SMI_SAMPLES_ALL
                                ? "--samples all writes the sheet Samples, a row for every row "
                                  "of every log"
                            : b->unread ? smi_fmt(g, "%zu runs could not be read again", b->unread)
                                        : ""},
        {"Parameters",
         b->left_params ? smi_fmt(g, "%zu have no column: -o runs.csv has all", b->left_params) : ""},
        {"Groups",
         b->left_groups ? smi_fmt(g, "%zu parameters have no block: --group-by NAME", b->left_groups) : ""},
        {"Long texts", b->x->cut ? smi_fmt(g,
                                           "%lld were longer than a cell holds, and are cut where they say "
                                           "so: --json has them whole",
                                           (long long)b->x->cut)
                                 : ""}};
    write_facts(to, row, "What was left out", facts, sizeof facts / sizeof *facts);
}

static void write_about_row(struct smi_xlsx_sheet *to, int64_t *row, enum smi_xlsx_appearance look,
                            const char *const text[4])
{
    for (int i = text[0] ? 0 : 1; i < 4; i++)
        smi_xlsx_text(to, *row, i, SMI_XLSX_GENERAL, look == SMI_XLSX_PLAIN && i == 3 ? SMI_XLSX_GREY : look,
                      text[i]);
    ++*row;
}

static void write_about(struct book *b)
{
    struct smi_xlsx_sheet *to = b->sheet[SHEET_ABOUT];
    static const double width[] = {18, 26, 96, 18};
    int64_t row = 0;
    for (int i = 0; i < 4; i++)
        smi_xlsx_width(to, i, i, width[i]);
    write_creation(b, to, &row);
    write_omissions(b, to, &row);
    static const char *const sums[] = {"", "sum", "mean of the runs", "largest"};
    write_section(to, &row, "The columns");
    write_about_row(to, &row, SMI_XLSX_HEAD, (const char *const[]){"Sheet", "Column", "Meaning", "Row 2"});
    for (int sheet = 0; sheet < SHEETS; sheet++) {
        const struct table *t = &b->table[sheet];
        const struct sheet_info *info = &sheets[sheet];
        if (t->n)
            write_about_row(to, &row, SMI_XLSX_RULED, (const char *const[]){info->name, "", info->about, ""});
        for (const struct column *c = t->col; c < t->col + t->n; c++)
            if (c->help) /* a parameter speaks for itself */
                write_about_row(to, &row, SMI_XLSX_PLAIN,
                                (const char *const[]){NULL, c->head, c->help, sums[c->sum]});
    }
    smi_xlsx_print(to, 1, -1, -1);
}

/* Each sheet has rows in order; of two sheets either may be written first. */
static void write_sheets(struct book *b)
{
    struct smi_summary span;
    char zone[SMI_CLOCK_TEXT];
    bool commands = false;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        commands |= smi_command_is_tracked(&b->sweep->runs[i]);
    for (int i = 0; i <= SHEET_ABOUT; i++)
        if (i != SHEET_COMMANDS || commands)
            b->sheet[i] = smi_xlsx_sheet(b->x, sheets[i].name);
    b->series = smi_arena_new(&b->page.arena, b->sweep->n, sizeof *b->series);
    /* One clock for all times: that which the head of the text names. */
    (void)smi_runs_time_span(&span, b->sweep->runs, b->sweep->n);
    b->zoned = span.zoned;
    b->offset_s = span.offset_s;
    smi_clock_write_zone(zone, b->offset_s);
    b->zone = !b->zoned ? "zone not known" : b->offset_s ? smi_fmt(&b->page, "UTC%s", zone) : "UTC";
    write_all_charts(b);
    write_all_groups(b);
    write_overview(b);
    for (int i = 0; i < SHEETS; i++)
        if (sheets[i].fill && b->sheet[i])
            write_list(b, (enum sheet)i);
    write_samples(b);
    write_about(b);
    smi_mem_free(b->group);
}

/* Makes the workbook that `write` fills. Returns 0, or -1 with err. */
static int make_workbook(struct book *b, const char *path, const char *title, void (*fill)(struct book *b),
                         struct smi_err *err)
{
    int rc = smi_xlsx_open(&b->x, path, title, b->look->currency, b->look->now_ms, err);
    if (!rc) {
        fill(b);
        rc = smi_xlsx_close(b->x, err);
    }
    smi_arena_fini(&b->page.arena);
    smi_buf_fini(&b->words);
    return rc;
}

int smi_write_workbook(const char *path, const struct smi_sweep *s, const struct smi_render_options *look,
                       struct smi_err *err)
{
    struct book b = {.sweep = s, .look = look};
    const char *title;
    b.page = (struct smi_text_arena){.to = &b.words, .sweep = s, .look = look, .page = true};
    title =
        smi_fmt(&b.page, "%s in %s", smi_fmt_count(&b.page, (int64_t)s->n, "run"), s->title ? s->title : ".");
    return make_workbook(&b, path, title, write_sheets, err);
}

/* ---- the rows of an answer ---- */

/* Whole numbers that no double holds stay texts. */
static void fill_result(struct table *t, size_t i)
{
    enum { DIGITS = 15 };
    const struct smi_result *r = t->b->rows;
    for (size_t k = 0; k < r->columns; k++) {
        const struct smi_value_text *v = &r->cell[i * r->columns + k];
        struct smi_xlsx_cell *c = PUT(NULL);
        set_text(c, v->text);
        if (v->kind == SMI_CELL_BOOL) {
            c->is = SMI_XLSX_IS_BOOL;
            c->v = *v->text == 't';
        } else if (v->kind == SMI_CELL_NUMBER && (strpbrk(v->text, ".e") || strlen(v->text) <= DIGITS)) {
            set_number(c, strtod(v->text, NULL));
        }
    }
}

static void write_rows(struct book *b)
{
    const struct smi_result *r = b->rows;
    b->sheet[SHEET_ROWS] = smi_xlsx_sheet(b->x, sheets[SHEET_ROWS].name);
    struct table *t = make_table(b, SHEET_ROWS, r->columns);
    for (size_t k = 0; k < r->columns; k++)
        PUT(r->name[k], k < r->keys ? SMI_XLSX_KEY : SMI_XLSX_GENERAL);
    write_table(t, r->n, fill_result);
}

int smi_result_workbook(const char *path, const struct smi_result *rows,
                        const struct smi_render_options *look, struct smi_err *err)
{
    struct book b = {.rows = rows, .look = look};
    b.page = (struct smi_text_arena){.to = &b.words, .look = look};
    return make_workbook(&b, path, smi_fmt_count(&b.page, (int64_t)rows->n, "row"), write_rows, err);
}
