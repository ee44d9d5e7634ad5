/* workbook_groups.c - the sheet Groups: a block for each parameter whose values gather runs; the first of
 * them is what Overview draws. Means are of the runs, deviations of their whole group (numbers.md §2). */
#include "report/workbook_private.h"

#include "report/text_report.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 50, DRAWN = 24 /* groups of a chart */ };

/* What is meant over the runs of a group. */
typedef struct smi_value measure_fn(const struct smi_summary *s);

static struct smi_value use_of(const struct smi_summary *s)
{
    const struct smi_headline_sum *p = &s->block.pool[SMI_POOL_UTIL];
    return (struct smi_value){p->n ? (int64_t)smi_i128_div(p->sum, p->n) : 0, p->n > 0};
}

static struct smi_value idle_of(const struct smi_summary *s)
{
    return s->idle_pct;
}

static struct smi_value time_of(const struct smi_summary *s)
{
    return s->duration_s;
}

static struct smi_value energy_of(const struct smi_summary *s)
{
    return s->energy_wh;
}

static const struct {
    const char *name;
    measure_fn *of;
    enum smi_xlsx_kind kind;
    double per;
} measures[] = {{"GPU use %", use_of, SMI_XLSX_PERCENT, SMI_WORKBOOK_PCT},
                {"Idle %", idle_of, SMI_XLSX_PERCENT, SMI_WORKBOOK_PCT},
                {"Time h", time_of, SMI_XLSX_TWO, SMI_WORKBOOK_HOURS},
                {"Energy Wh", energy_of, SMI_XLSX_ONE, SMI_WORKBOOK_RAW}};
enum { MEASURES = sizeof measures / sizeof *measures };

#define SMI_SHEET_GROUPS(id, ...) id,
enum {
#include "report/workbook_column.def"
    FIXED
};
#define SMI_SHEET_GROUPS(id, text, ...) [id] = {.head = text, __VA_ARGS__},
static const struct smi_workbook_column fixed[FIXED] = {
#include "report/workbook_column.def"
};
enum { COLUMNS = FIXED + MEASURES * 3 };

struct group {
    const char *value; /* NULL: runs without the parameter */
    struct smi_total sum;
    struct smi_value vram, vram_total; /* of the run with the highest peak */
    int64_t unknown_ms;
    struct {
        smi_i128 s1, s2;
        int64_t n;
    } of[MEASURES];
};

/* Has the sheet that column? What some runs lack, only where some do. */
static bool is_group_column(const struct smi_workbook *b, int k)
{
    const struct smi_total *t = &b->sweep->total;
    return k == KWH_LACK    ? smi_total_missing(t, t->of.energy) > 0
           : k == COST      ? b->look->money
           : k == COST_LACK ? b->look->money && smi_total_missing(t, t->of.cost) > 0
                            : true;
}

static bool keep_larger(struct smi_value *a, struct smi_value b)
{
    bool is = b.has && (!a->has || b.micro > a->micro);
    if (is)
        *a = b;
    return is;
}

static void add_run_to_group(struct group *p, const struct smi_summary *s)
{
    smi_total_add(&p->sum, s);
    p->unknown_ms += smi_unknown_ms(s);
    if (keep_larger(&p->vram, s->vram.used_peak_mb))
        p->vram_total = s->vram.total_mb;
    for (int i = 0; i < MEASURES; i++) {
        struct smi_value v = measures[i].of(s);
        p->of[i].n += v.has;
        p->of[i].s1 += v.has ? v.micro : 0;
        p->of[i].s2 += v.has ? (smi_i128)v.micro * v.micro : 0;
    }
}

static void write_number(struct smi_xlsx_sheet *to, int64_t row, int *col, enum smi_xlsx_kind kind,
                         enum smi_xlsx_appearance look, bool has, double v)
{
    if (has)
        smi_xlsx_number(to, row, *col, (struct smi_xlsx_style){kind, look}, v);
    else
        smi_xlsx_blank(to, row, *col, look);
    ++*col;
}

/* Mean, deviation and how many: sqrt(n S2 - S1 S1) / n. */
static void write_spread(struct smi_xlsx_sheet *to, int64_t row, int *col, enum smi_xlsx_appearance look,
                         const struct group *p)
{
    for (int i = 0; i < MEASURES; i++) {
        smi_i128 n = p->of[i].n, v = n * p->of[i].s2 - p->of[i].s1 * p->of[i].s1;
        double sd = n ? (double)smi_u128_sqrt((smi_u128)v) / (double)n : 0;
        write_number(to, row, col, measures[i].kind, look, n > 0,
                     n ? (double)p->of[i].s1 / (double)n / measures[i].per : 0);
        write_number(to, row, col, measures[i].kind, look, n > 1, sd / measures[i].per);
        write_number(to, row, col, SMI_XLSX_INT, look, true, (double)n);
    }
}

static void write_group_row(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t row, struct group *p,
                            enum smi_xlsx_appearance look)
{
    struct smi_total *t = &p->sum;
    int64_t wasted = smi_wasted_ms(&t->waste);
    const double hour = 3600000;
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    struct smi_workbook_cell c = {0};
    struct smi_param value = {.text = p->value ? p->value : "-", .bare = true};
    int64_t use = 0;
    bool h, used, known;
    int col = 0;
    smi_total_close(t);
    smi_headline_figures(&t->block, f);
    used = f[SMI_FIG_UTIL].has && smi_text_parse_micro(smi_text_of(f[SMI_FIG_UTIL].text), &use) == 0;
    h = t->gpu_hours.has;
    known = h && smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste);
    smi_workbook_param(&c, &value);
    if (c.is == SMI_WORKBOOK_NUMBER)
        smi_xlsx_number(to, row, col++, (struct smi_xlsx_style){SMI_XLSX_KEY, look}, c.v);
    else
        smi_xlsx_text(to, row, col++, (struct smi_xlsx_style){SMI_XLSX_GENERAL, look}, value.text);
    write_number(to, row, &col, SMI_XLSX_INT, look, true, (double)t->runs);
    write_number(to, row, &col, SMI_XLSX_INT, look, true, (double)t->failed);
    write_number(to, row, &col, SMI_XLSX_INT, look, true, (double)t->cut);
    write_number(to, row, &col, SMI_XLSX_TWO, look, known,
                 (double)(t->covered_ms - wasted - p->unknown_ms) / hour);
    write_number(to, row, &col, SMI_XLSX_TWO, look, known, (double)(wasted - t->waste.failed_ms) / hour);
    write_number(to, row, &col, SMI_XLSX_TWO, look, known, (double)t->waste.failed_ms / hour);
    write_number(to, row, &col, SMI_XLSX_TWO, look, h, (double)p->unknown_ms / hour);
    write_number(to, row, &col, SMI_XLSX_TWO, look, h, (double)t->covered_ms / hour);
    write_number(to, row, &col, SMI_XLSX_TWO, look, known, (double)wasted / hour);
    write_number(to, row, &col, SMI_XLSX_TWO, look, t->energy_wh.has, (double)t->energy_wh.micro / 1e9);
    if (is_group_column(b, KWH_LACK))
        write_number(to, row, &col, SMI_XLSX_INT, look, true, (double)smi_total_missing(t, t->of.energy));
    if (is_group_column(b, COST))
        write_number(to, row, &col, SMI_XLSX_MONEY, look, t->cost.has, (double)t->cost.micro / 1e6);
    if (is_group_column(b, COST_LACK))
        write_number(to, row, &col, SMI_XLSX_INT, look, true, (double)smi_total_missing(t, t->of.cost));
    write_number(to, row, &col, SMI_XLSX_PERCENT, look, used, (double)use / SMI_WORKBOOK_PCT);
    write_number(to, row, &col, SMI_XLSX_PERCENT, look, t->idle_pct.has,
                 (double)t->idle_pct.micro / SMI_WORKBOOK_PCT);
    write_number(to, row, &col, SMI_XLSX_ONE, look, p->vram.has, (double)p->vram.micro / SMI_WORKBOOK_GIB);
    write_number(to, row, &col, SMI_XLSX_ONE, look, p->vram_total.has,
                 (double)p->vram_total.micro / SMI_WORKBOOK_GIB);
    write_spread(to, row, &col, look, p);
}

static int64_t write_group_heads(struct smi_workbook *b, struct smi_xlsx_sheet *to, int64_t row,
                                 const char *key)
{
    int col = 0;
    smi_xlsx_text(to, row++, 0, (struct smi_xlsx_style){SMI_XLSX_GENERAL, SMI_XLSX_SECTION},
                  strcmp(key, SMI_WORKBOOK_ALL_RUNS) == 0 ? "All runs" : smi_fmt(&b->page, "By %s", key));
    for (int k = 0; k < FIXED; k++)
        if (is_group_column(b, k))
            smi_xlsx_text(to, row, col++, (struct smi_xlsx_style){fixed[k].kind, SMI_XLSX_HEAD},
                          k ? fixed[k].head : key);
    for (int k = 0; k < MEASURES; k++) {
        const char *name = measures[k].name;
        struct smi_xlsx_style style = {measures[k].kind, SMI_XLSX_HEAD};
        smi_xlsx_text(to, row, col++, style, smi_fmt(&b->page, "%s mean of runs", name));
        smi_xlsx_text(to, row, col++, style, smi_fmt(&b->page, "%s sd", name));
        smi_xlsx_text(to, row, col++, (struct smi_xlsx_style){SMI_XLSX_INT, SMI_XLSX_HEAD}, "n");
    }
    smi_xlsx_height(to, row, 31);
    return row + 1;
}

/* One block: key in words, its n values; value_of says which one a run has. Returns the row behind it. */
static int64_t write_group_block(struct smi_workbook *b, int64_t row, const char *name, const char *key,
                                 const char **value, size_t n)
{
    const struct smi_sweep *s = b->sweep;
    struct group *group = smi_workbook_alloc(b, n + 1, sizeof *group),
                 *all = smi_workbook_alloc(b, 1, sizeof *all);
    if (!group || !all)
        return row;
    for (size_t i = 0; i < n; i++) {
        group[i].value = value[i];
        b->group_width =
            smi_text_width(value[i]) > b->group_width ? smi_text_width(value[i]) : b->group_width;
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct smi_param *p = key ? smi_run_param(&s->runs[i], key) : NULL;
        size_t k = key ? 0 : i;
        while (key && k < n && !(p && p->text && strcmp(p->text, group[k].value) == 0))
            k++;
        if (n)
            add_run_to_group(&group[k], &s->runs[i]);
        add_run_to_group(all, &s->runs[i]);
    }
    n += group[n].sum.runs > 0;
    row = write_group_heads(b, b->sheet[SMI_WORKBOOK_GROUPS], row, name);
    if (b->group_first == 0 && n <= DRAWN) {
        b->group_first = row;
        b->group_last = row + (int64_t)(n ? n : 1) - 1;
        b->group_by = name;
    }
    for (size_t i = 0; i < n && !smi_xlsx_failed(b->x); i++)
        write_group_row(b, b->sheet[SMI_WORKBOOK_GROUPS], row++, &group[i], SMI_XLSX_PLAIN);
    all->value = n ? "total" : SMI_WORKBOOK_ALL_RUNS;
    write_group_row(b, b->sheet[SMI_WORKBOOK_GROUPS], row++, all, n ? SMI_XLSX_RULED : SMI_XLSX_PLAIN);
    return row + 1;
}

/* Does --group-by name this one? */
static bool asked_for(const struct smi_workbook *b, const char *key)
{
    const char *t = b->look->group_by;
    size_t n = strlen(key);
    if (t && strncmp(t, "param.", 6) == 0)
        t += 6;
    return t && strncmp(t, key, n) == 0 && (t[n] == 0 || t[n] == ',');
}

/* Parameters whose values gather runs: what is asked for first, then those with the fewest values. */
static size_t choose_group_keys(struct smi_workbook *b, const char **key)
{
    const struct smi_sweep *s = b->sweep;
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->nvarying + s->njoined; i++) {
            const char *name = i < s->nvarying ? s->varying[i] : s->joined[i - s->nvarying], **value;
            bool asked = asked_for(b, name);
            size_t values = asked != !pass || (smi_param_is_repeat(name) && !asked) ? 0
                            : asked ? smi_param_values(&b->page, name, &value)
                                    : smi_param_group_values(&b->page, name, &value);
            if (values > 1 && values <= SMI_GROUP_VALUES_MAX)
                key[n++] = name;
        }
    return n;
}

/* Without groups: the runs themselves, if they fit a chart, else all together. */
static void write_all_runs_block(struct smi_workbook *b)
{
    size_t n = b->sweep->n <= DRAWN ? b->sweep->n : 0;
    const char **name = smi_workbook_alloc(b, n, sizeof *name);
    for (size_t i = 0; name && i < n; i++)
        name[i] = b->sweep->runs[i].run;
    if (name)
        write_group_block(b, 0, n ? "run" : SMI_WORKBOOK_ALL_RUNS, NULL, name, n);
}

static void describe_groups(struct smi_workbook *b)
{
    struct smi_workbook_column *col = smi_workbook_alloc(b, COLUMNS, sizeof *col);
    int n = 0;
    if (!col)
        return;
    for (int k = 0; k < FIXED; k++)
        if (is_group_column(b, k))
            col[n++] = fixed[k];
    for (int k = 0; k < MEASURES; k++) {
        const char *name = measures[k].name;
        enum smi_xlsx_kind kind = measures[k].kind;
        col[n++] = (struct smi_workbook_column){.head = smi_fmt(&b->page, "%s mean of runs", name),
                                                .kind = kind,
                                                .help = "Each run counts the same"};
        col[n++] = (struct smi_workbook_column){.head = smi_fmt(&b->page, "%s sd", name),
                                                .kind = kind,
                                                .help = "Standard deviation of the runs, from two on"};
        col[n++] = (struct smi_workbook_column){
            .head = "n", .kind = SMI_XLSX_INT, .help = "Runs of which it is known"};
    }
    smi_workbook_describe(
        b, &(struct smi_workbook_table){.sheet = SMI_WORKBOOK_GROUPS,
                                        .about = "One block a parameter, one row for each of its values.",
                                        .col = col,
                                        .n = n});
}

/* Sums and means need more room for their heads, a count does not. */
static void set_group_widths(struct smi_workbook *b)
{
    enum { LEAST = 16, MOST = 40 /* characters of the first column */ };
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_GROUPS];
    int n = 0;
    for (int k = 0; k < FIXED; k++)
        n += is_group_column(b, k);
    b->group_width = b->group_width > MOST - 2    ? MOST
                     : b->group_width < LEAST - 2 ? LEAST
                                                  : b->group_width + 2;
    smi_xlsx_width(to, 0, 0, b->group_width);
    smi_xlsx_width(to, RUNS, CUT, 9);
    smi_xlsx_width(to, USED_H, n - 1, 14);
    for (int k = 0; k < MEASURES; k++) {
        smi_xlsx_width(to, n + 3 * k, n + 3 * k + 1, 14);
        smi_xlsx_width(to, n + 3 * k + 2, n + 3 * k + 2, 7);
    }
}

void smi_workbook_groups(struct smi_workbook *b)
{
    size_t all = b->sweep->nvarying + b->sweep->njoined, n, values;
    const char **key = smi_workbook_alloc(b, all, sizeof *key), **value;
    int64_t row = 0;
    if (!key)
        return;
    n = choose_group_keys(b, key);
    b->left_groups = n > BLOCKS ? n - BLOCKS : 0;
    for (size_t i = 0; i < n && i < BLOCKS; i++) {
        values = smi_param_values(&b->page, key[i], &value);
        row = write_group_block(b, row, key[i], key[i], value, values);
    }
    if (n == 0)
        write_all_runs_block(b);
    set_group_widths(b);
    smi_xlsx_freeze(b->sheet[SMI_WORKBOOK_GROUPS], 0, 1);
    smi_xlsx_print(b->sheet[SMI_WORKBOOK_GROUPS], true, 2, 0, -1, 0);
    describe_groups(b);
}
