/* workbook_groups.c - the sheet Groups: a block for each parameter whose values gather runs; the first of
 * them is what Overview draws. Means are of the runs, deviations of their whole group. */
#include "report/workbook_private.h"
#include "report/run_groups.h"

#include <string.h>

enum { BLOCKS = 50, DRAWN = 24 /* groups of a chart */, MEASURES = SMI_GROUP_MEASURES };

/* smi_group_measures, as the sheet calls them. */
static const struct {
    const char *name;
    enum smi_xlsx_kind kind;
    double per;
} measures[MEASURES] = {{"GPU use %", SMI_XLSX_PERCENT, SMI_WORKBOOK_PCT},
                        {"Idle %", SMI_XLSX_PERCENT, SMI_WORKBOOK_PCT},
                        {"Time h", SMI_XLSX_TWO, SMI_WORKBOOK_HOURS},
                        {"Energy Wh", SMI_XLSX_ONE, SMI_WORKBOOK_RAW}};

/* Has the sheet that column? What some runs lack, only where some do. */
static bool is_group_column(const struct smi_workbook *b, int id)
{
    const struct smi_total *t = &b->sweep->total;
    if (id == SMI_COL_GROUPS_KWH_LACK)
        return t->of.energy_part || smi_total_missing(t, t->of.energy) > 0;
    return id != SMI_COL_GROUPS_COST_LACK || smi_total_missing(t, t->of.cost) > 0;
}

static struct smi_workbook_table *make_columns(struct smi_workbook *b)
{
    struct smi_workbook_table *t =
        smi_workbook_table(b, SMI_WORKBOOK_GROUPS, SMI_WORKBOOK_COLUMNS + 3 * MEASURES);
    for (int id = 0; t && id < SMI_WORKBOOK_COLUMNS; id++)
        if (smi_workbook_columns[id].sheet == SMI_WORKBOOK_GROUPS && is_group_column(b, id))
            smi_workbook_add(b, t, smi_workbook_columns[id]);
    for (int k = 0; t && k < MEASURES; k++) {
        const struct smi_workbook_column of[] = {
            {.head = smi_fmt(&b->page, "%s mean of runs", measures[k].name),
             .kind = measures[k].kind,
             .help = "Each run counts the same"},
            {.head = smi_fmt(&b->page, "%s sd", measures[k].name),
             .kind = measures[k].kind,
             .help = "Standard deviation of the runs, from two on"},
            {.head = "n", .kind = SMI_XLSX_INT, .help = "Runs for which it is known"}};
        for (int i = 0; i < 3; i++)
            smi_workbook_add(b, t, of[i]);
    }
    return t;
}

static void put_hours(struct smi_xlsx_cell *c, bool has, int64_t ms)
{
    if (has)
        smi_workbook_number(c, (double)ms / SMI_WORKBOOK_HOUR_MS);
}

static void fill_sums(struct smi_xlsx_cell *c, struct smi_run_group *p)
{
    struct smi_total *t = &p->sum;
    const int64_t wasted = smi_wasted_ms(&t->waste);
    bool known;
    smi_total_close(t);
    known = t->gpu_hours.has && smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste);
    smi_workbook_number(&c[SMI_COL_GROUPS_RUNS], (double)t->runs);
    smi_workbook_number(&c[SMI_COL_GROUPS_FAILED], (double)t->failed);
    smi_workbook_number(&c[SMI_COL_GROUPS_CUT], (double)t->cut);
    put_hours(&c[SMI_COL_GROUPS_USED_H], known, t->covered_ms - wasted - p->unknown_ms);
    put_hours(&c[SMI_COL_GROUPS_IDLE_H], known, wasted - t->waste.ms[SMI_WASTE_FAILED]);
    put_hours(&c[SMI_COL_GROUPS_FAILED_H], known, t->waste.ms[SMI_WASTE_FAILED]);
    put_hours(&c[SMI_COL_GROUPS_UNKNOWN_H], t->gpu_hours.has, p->unknown_ms);
    put_hours(&c[SMI_COL_GROUPS_GPU_H], t->gpu_hours.has, t->covered_ms);
    put_hours(&c[SMI_COL_GROUPS_WASTED_H], known, wasted);
    smi_workbook_value(&c[SMI_COL_GROUPS_KWH], SMI_WORKBOOK_KILO, t->energy_wh);
    smi_workbook_number(&c[SMI_COL_GROUPS_KWH_LACK],
                        (double)(smi_total_missing(t, t->of.energy) + t->of.energy_part));
    smi_workbook_value(&c[SMI_COL_GROUPS_COST], SMI_WORKBOOK_RAW, t->cost);
    smi_workbook_number(&c[SMI_COL_GROUPS_COST_LACK], (double)smi_total_missing(t, t->of.cost));
    smi_workbook_value(&c[SMI_COL_GROUPS_POOLED], SMI_WORKBOOK_PCT, smi_workbook_use(t));
    smi_workbook_value(&c[SMI_COL_GROUPS_POOLED_IDLE], SMI_WORKBOOK_PCT, t->idle_pct);
    smi_workbook_value(&c[SMI_COL_GROUPS_VRAM], SMI_WORKBOOK_GIB, p->vram);
    smi_workbook_value(&c[SMI_COL_GROUPS_VRAM_TOTAL], SMI_WORKBOOK_GIB, p->vram_total);
}

/* Mean, deviation and number of runs of each measure. */
static void fill_measures(struct smi_xlsx_cell *c, const struct smi_run_group *p)
{
    for (int k = 0; k < MEASURES; k++, c += 3) {
        const int64_t n = p->of[k].n;
        if (n > 0)
            smi_workbook_number(&c[0], (double)p->of[k].s1 / (double)n / measures[k].per);
        if (n > 1)
            smi_workbook_number(&c[1], (double)smi_run_group_deviation(p, k) / (double)n / measures[k].per);
        smi_workbook_number(&c[2], (double)n);
    }
}

static void write_group(struct smi_workbook *b, int64_t row, struct smi_run_group *p,
                        enum smi_xlsx_appearance look)
{
    struct smi_xlsx_cell c[SMI_WORKBOOK_COLUMNS + 3 * MEASURES] = {0}, *key = &c[SMI_COL_GROUPS_GROUP];
    fill_sums(c, p);
    fill_measures(&c[SMI_WORKBOOK_COLUMNS], p);
    smi_workbook_param(key, p->value ? p->value : "-", true);
    key->kind = key->is == SMI_XLSX_IS_NUMBER ? SMI_XLSX_KEY : SMI_XLSX_GENERAL;
    smi_workbook_row(b->sheet[SMI_WORKBOOK_GROUPS], row, &b->table[SMI_WORKBOOK_GROUPS], look, c);
}

static int64_t write_heads(struct smi_workbook *b, int64_t row, const char *key)
{
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_GROUPS];
    const struct smi_workbook_table *t = &b->table[SMI_WORKBOOK_GROUPS];
    smi_xlsx_text(to, row++, 0, SMI_XLSX_GENERAL, SMI_XLSX_SECTION,
                  strcmp(key, SMI_WORKBOOK_ALL_RUNS) == 0 ? "All runs" : smi_fmt(&b->page, "By %s", key));
    smi_xlsx_height(to, row, 31);
    for (int k = 0; k < t->n; k++)
        smi_xlsx_text(to, row, k, t->col[k].kind, SMI_XLSX_HEAD, k ? t->col[k].head : key);
    return row + 1;
}

/* One block of n groups and one for all other runs. Returns the row behind it. */
static int64_t write_block(struct smi_workbook *b, int64_t row, const char *name, struct smi_run_group *group,
                           size_t n)
{
    struct smi_run_group *all = smi_workbook_alloc(b, 1, sizeof *all);
    if (!all || !group)
        return row;
    for (size_t i = 0; i < n; i++)
        b->group_width =
            smi_text_width(group[i].value) > b->group_width ? smi_text_width(group[i].value) : b->group_width;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        smi_run_group_add(all, &b->sweep->runs[i]);
    n += group[n].sum.runs > 0;
    row = write_heads(b, row, name);
    if (b->group_first == 0 && n <= DRAWN) {
        b->group_first = row;
        b->group_last = row + (int64_t)(n ? n : 1) - 1;
        b->group_by = name;
    }
    for (size_t i = 0; i < n && !smi_xlsx_failed(b->x); i++)
        write_group(b, row++, &group[i], SMI_XLSX_PLAIN);
    all->value = n ? "total" : SMI_WORKBOOK_ALL_RUNS;
    write_group(b, row++, all, n ? SMI_XLSX_RULED : SMI_XLSX_PLAIN);
    return row + 1;
}

/* Parameters whose values gather runs: what is asked for first, then those with the fewest values. */
static size_t choose_keys(struct smi_workbook *b, const char **key)
{
    const struct smi_sweep *s = b->sweep;
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->nvarying + s->njoined; i++) {
            const char *name = i < s->nvarying ? s->varying[i] : s->joined[i - s->nvarying], **value;
            bool asked = smi_group_by_place(b->look, name) == 0;
            bool result = i >= s->nvarying && i - s->nvarying < s->nresults;
            size_t values = asked != !pass || ((result || smi_param_is_repeat(name)) && !asked) ? 0
                            : asked ? smi_param_values(&b->page, name, &value)
                                    : smi_param_group_values(&b->page, name, &value);
            if (values > 1 && values <= SMI_GROUP_VALUES_MAX)
                key[n++] = name;
        }
    return n;
}

/* Without groups: the runs themselves, if they fit a chart, else all together. */
static void write_all_runs(struct smi_workbook *b)
{
    const size_t n = b->sweep->n <= DRAWN ? b->sweep->n : 0;
    struct smi_run_group *group = smi_workbook_alloc(b, n + 1, sizeof *group);
    for (size_t i = 0; group && i < n; i++) {
        group[i].value = b->sweep->runs[i].run;
        smi_run_group_add(&group[i], &b->sweep->runs[i]);
    }
    write_block(b, 0, n ? "run" : SMI_WORKBOOK_ALL_RUNS, group, n);
}

/* Sums and means need more room for their heads, a count does not. */
static void set_widths(struct smi_workbook *b, const struct smi_workbook_table *t)
{
    enum { LEAST = 16, MOST = 40 /* characters of the first column */ };
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_GROUPS];
    const int w = b->group_width + 2;
    for (int k = 1; k < t->n; k++)
        smi_xlsx_width(to, k, k, t->col[k].kind != SMI_XLSX_INT ? 14 : t->col[k].sheet ? 9 : 7);
    smi_xlsx_width(to, 0, 0, w > MOST ? MOST : w < LEAST ? LEAST : w);
}

void smi_workbook_groups(struct smi_workbook *b)
{
    size_t all = b->sweep->nvarying + b->sweep->njoined, n, values;
    const char **key = smi_workbook_alloc(b, all, sizeof *key), **value;
    struct smi_workbook_table *t = make_columns(b);
    int64_t row = 0;
    if (!key || !t)
        return;
    n = choose_keys(b, key);
    b->left_groups = n > BLOCKS ? n - BLOCKS : 0;
    for (size_t i = 0; i < n && i < BLOCKS; i++) {
        values = smi_param_values(&b->page, key[i], &value);
        row = write_block(b, row, key[i], smi_run_groups(&b->page, key[i], value, values), values);
    }
    if (n == 0)
        write_all_runs(b);
    set_widths(b, t);
    smi_xlsx_freeze(b->sheet[SMI_WORKBOOK_GROUPS], 0, 1);
    smi_xlsx_print(b->sheet[SMI_WORKBOOK_GROUPS], 2, -1, 0);
}
