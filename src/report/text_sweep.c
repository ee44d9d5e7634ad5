/* text_sweep.c - a sweep of many runs as a whole: the spread, groups of runs, the runs that wasted most. */
#include "report/run_columns.h"
#include "report/run_groups.h"

#include <stdlib.h>
#include <string.h>

/* ---- the runs that share a value of a parameter, side by side. ---- */

enum { GROUP_ROWS = 12, LACKS_SAID = 4 };

static void group_row(struct smi_report_table *t, struct smi_run_group *p, enum smi_table_row_kind kind)
{
    struct smi_text_arena *g = t->page;
    struct smi_total *sum = &p->sum;
    struct smi_table_cell *row;
    smi_total_close(sum);
    row = smi_table_add(
        t, kind,
        (const char *const[]){
            p->name, smi_fmt_some(g, sum->runs), smi_fmt_some(g, sum->failed), smi_fmt_some(g, sum->cut),
            smi_fmt_mean(g, &sum->block, SMI_FIG_UTIL),
            p->of[0].n < 2
                ? "-"
                : smi_fmt_ratio(g, smi_run_group_deviation(p, 0), (smi_i128)p->of[0].n * 1000000, 1),
            smi_fmt_value(g, sum->idle_pct, 1), smi_fmt_vram(g, p->vram, p->vram_total),
            sum->gpu_hours.has ? smi_fmt_hours(g, sum->covered_ms) : "-",
            sum->energy_wh.has ? smi_fmt(g, "%s%s", smi_total_energy_lack(g, sum) ? ">" : "",
                                         smi_fmt_ratio(g, sum->energy_wh.micro, (smi_i128)1000000000, 1))
                               : "-",
            sum->wasted_h[5].has ? smi_fmt_hours(g, smi_wasted_ms(&sum->waste)) : "-"});
    if (row && p->out_of_memory) {
        row[7].mark = '!';
        row[7].style = SMI_RED;
    }
}

static int by_waste(const void *a, const void *b)
{
    int64_t x = smi_wasted_ms(&((const struct smi_run_group *)a)->sum.waste);
    int64_t y = smi_wasted_ms(&((const struct smi_run_group *)b)->sum.waste);
    return x > y ? -1 : x < y;
}

/* Energy that is not known would make the sums of the groups too low in silence. */
static void write_missing_line(struct smi_text_arena *g, const struct smi_run_group *group, size_t n,
                               const struct smi_run_group *all)
{
    const char *text = smi_total_energy_lack(g, &all->sum), *at = "";
    size_t said = 0, left = 0;
    if (!text || !all->sum.energy_wh.has)
        return;
    for (size_t i = 0; i < n; i++) {
        int64_t lack = smi_total_missing(&group[i].sum, group[i].sum.of.energy) + group[i].sum.of.energy_part;
        if (lack && said < LACKS_SAID)
            at = smi_fmt(g, "%s, %lld at %s", at, (long long)lack, group[i].name), said++;
        else
            left += lack > 0;
    }
    if (left)
        at = smi_fmt(g, "%s, and %zu more", at, left);
    smi_wrap_fmt(g, SMI_GREY, "kWh %s (%s)", text, at + 2);
}

static void group_table(struct smi_text_arena *g, const char *key, struct smi_run_group *group, size_t n,
                        struct smi_run_group *all)
{
    struct smi_table_column col[] = {{.head = smi_fmt(g, "BY %s", smi_fmt_safe(g, key)), .least = 8},
                                     {.head = "RUNS", .align = SMI_RIGHT, .leave = 1},
                                     {.head = "FAILED", .align = SMI_RIGHT, .leave = 2},
                                     {.head = "CUT", .align = SMI_RIGHT, .leave = 4},
                                     {.head = "GPU %", .align = SMI_POINT},
                                     {.head = "+/-", .align = SMI_POINT, .leave = 6},
                                     {.head = "IDLE %", .align = SMI_POINT},
                                     {.head = "VRAM GiB", .align = SMI_POINT, .leave = 3},
                                     {.head = "GPU-h", .align = SMI_POINT, .leave = 1},
                                     {.head = "kWh", .align = SMI_POINT, .leave = 5},
                                     {.head = "WASTED h", .align = SMI_POINT}};
    struct smi_report_table t;
    size_t i;
    smi_table_begin(&t, g, col, 11);
    for (i = 0; i < n; i++)
        group_row(&t, &group[i], SMI_ROW_PLAIN);
    group_row(&t, all, SMI_ROW_TOTAL);
    smi_table_text(&t);
    write_missing_line(g, group, n, all);
    smi_wrap_newline(g);
}

/* One row a value; beyond GROUP_ROWS those that wasted least are joined. */
static void groups_by(struct smi_text_arena *g, const char *key, const char **value, size_t n)
{
    struct smi_run_group *group = smi_run_groups(g, key, value, n), all = {.name = "total"};
    size_t i, left = n > GROUP_ROWS ? n - GROUP_ROWS + 1 : 0;
    if (!group)
        return;
    if (left) {
        qsort(group, n, sizeof *group, by_waste);
        n -= left;
        for (i = 0; i < n; i++)
            group[i] = (struct smi_run_group){.value = group[i].value, .name = group[i].name};
        group[n] = (struct smi_run_group){0};
        smi_run_groups_add(g->sweep, key, group, n);
    }
    group[n].name = left ? smi_fmt(g, "%zu others", left) : "-";
    for (i = 0; smi_sweep_has_run(g->sweep, i); i++)
        smi_run_group_add(&all, &g->sweep->runs[i]);
    group_table(g, key, group, n + (group[n].sum.runs > 0), &all);
}

/* Of these the groups alone: by the parameter with the fewest values that is no repeat; nothing if none
 * groups. */
static void write_groups(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const char **value;
    size_t n;
    for (size_t i = 0; i < s->nvarying; i++) {
        n = smi_param_is_repeat(s->varying[i]) ? 0 : smi_param_group_values(g, s->varying[i], &value);
        if (n) {
            groups_by(g, s->varying[i], value, n);
            return;
        }
    }
}

/* ---- the sweep as a whole: the spread, sums, the runs that wasted most.
 * ---- */

/* --- the spread over all runs --- */

static const struct {
    const char *label;
    int column, divisor;
} spreads[] = {{"GPU %", SMI_RUNS_UTIL, 1},
               {"idle %", SMI_RUNS_IDLE, 1},
               {"VRAM GiB", SMI_RUNS_VRAM, 1024},
               {"Wh", SMI_RUNS_ENERGY, 1}};

int smi_compare_counts(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The run whose value is furthest from the median. */
static const char *find_extreme_run(struct smi_text_arena *g, int column, int64_t median)
{
    const struct smi_summary *best = NULL;
    int64_t far = -1, d;
    for (size_t i = 0; smi_sweep_has_run(g->sweep, i); i++) {
        struct smi_value v = smi_run_cell_value(column, &g->sweep->runs[i]);
        d = v.micro > median ? v.micro - median : median - v.micro;
        if (v.has && d > far) {
            far = d;
            best = &g->sweep->runs[i];
        }
    }
    return far > 0 ? smi_fmt_run(g, best->run) : "-";
}

static void write_spread_table(struct smi_text_arena *g)
{
    static const int percent[] = {0, 25, 50, 75, 100};
    struct smi_table_column col[] = {
        {.head = "OVER ALL RUNS"},
        {.head = "min", .align = SMI_POINT},
        {.head = "p25", .align = SMI_POINT, .leave = 2},
        {.head = "median", .align = SMI_POINT},
        {.head = "p75", .align = SMI_POINT, .leave = 2},
        {.head = "max", .align = SMI_POINT},
        {.head = "most extreme", .names = true, .least = 12, .gap = 1, .leave = 1}};
    int64_t *x = smi_arena_new(&g->arena, g->sweep->n + 1, sizeof *x);
    struct smi_report_table t;
    smi_table_begin(&t, g, col, 7);
    for (size_t k = 0, i, n; x && k < sizeof spreads / sizeof *spreads; k++) {
        struct smi_table_cell *row = smi_table_row(&t, SMI_ROW_PLAIN);
        for (i = n = 0; smi_sweep_has_run(g->sweep, i); i++) {
            struct smi_value v = smi_run_cell_value(spreads[k].column, &g->sweep->runs[i]);
            if (v.has)
                x[n++] = v.micro;
        }
        if (n)
            qsort(x, n, sizeof *x, smi_compare_counts);
        for (i = 0; row && i < 5; i++)
            row[1 + i].text = n ? smi_fmt_ratio(g, smi_percentile_hundredfold(x, n, percent[i]),
                                                (smi_i128)100 * 1000000 * spreads[k].divisor, 1)
                                : "-";
        if (row) {
            row[0].text = spreads[k].label;
            row[6].text = n ? find_extreme_run(g, spreads[k].column, x[(n - 1) / 2]) : "-";
        }
    }
    g->failed |= !x;
    smi_table_text(&t);
    smi_wrap_newline(g);
}

const char *smi_total_missing_text(struct smi_text_arena *g, const struct smi_total *t, int64_t of)
{
    int64_t n = smi_total_missing(t, of);
    return n ? smi_fmt(g, "not known: %s", smi_fmt_count(g, n, "run")) : NULL;
}

const char *smi_total_energy_lack(struct smi_text_arena *g, const struct smi_total *t)
{
    const char *lack = smi_total_missing_text(g, t, t->of.energy), *part = NULL;
    if (t->of.energy_part)
        part = smi_fmt(g, "partly known: %s", smi_fmt_count(g, t->of.energy_part, "run"));
    return lack && part ? smi_fmt(g, "%s, %s", lack, part) : part ? part : lack;
}

const char *smi_with_missing_text(struct smi_text_arena *g, const char *text, const char *lack)
{
    if (!lack)
        return text;
    return *text ? smi_fmt(g, "%s; %s", text, lack) : lack;
}

const char *smi_ended_early_text(struct smi_text_arena *g, const char *no_data, bool bare)
{
    const struct smi_total *t = &g->sweep->total;
    const struct {
        int64_t n;
        const char *word;
    } end[] = {{t->failed, "failed"}, {t->cut, "cut"}, {t->no_data, no_data}};
    const char *text = "";
    for (int i = 0; i < 3; i++)
        if (end[i].n)
            text = smi_fmt(g, "%s%s%s%s", text, *text ? ", " : "",
                           bare ? "" : smi_fmt(g, "%lld ", (long long)end[i].n), end[i].word);
    return text;
}

/* What is not known would make the sum too low in silence. */
static const char *with_lack(struct smi_text_arena *g, const char *sum, const struct smi_total *t,
                             const char *lack)
{
    return lack && t->runs > 1 ? smi_fmt(g, "%s (%s)", sum, lack) : sum;
}

const char *smi_total_cost(struct smi_text_arena *g, const struct smi_total *t)
{
    if (t->runs == 1 && smi_total_missing(t, t->of.cost))
        return "cost not known";
    return with_lack(g, t->cost.has ? smi_fmt_money(g, t->cost) : "no cost", t,
                     smi_total_missing_text(g, t, t->of.cost));
}

const char *smi_total_wasted_cost(struct smi_text_arena *g, const struct smi_total *t)
{
    const char *lost = smi_fmt_money(g, t->wasted_cost[5]);
    return t->cost.has && smi_total_costs_match(t) ? smi_fmt(g, "%s of %s", lost, smi_fmt_money(g, t->cost))
                                                   : smi_fmt(g, "%s wasted", lost);
}

const char *smi_total_energy(struct smi_text_arena *g, const struct smi_total *t)
{
    const char *sum = smi_fmt_energy(g, t->energy_wh);
    if (t->runs == 1 && t->of.energy_part)
        return smi_fmt(g, "%s of %s", sum, g->sweep->runs->energy_part);
    return with_lack(g, sum, t, smi_total_energy_lack(g, t));
}

const char *smi_total_co2(struct smi_text_arena *g, const struct smi_total *t)
{
    return with_lack(g, smi_fmt(g, "%s CO2", smi_fmt_co2(g, t->co2_g)), t, smi_total_energy_lack(g, t));
}

/* --- the runs that wasted most --- */

static void write_other_runs_line(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n)
{
    static const char *const word[] = {"ok", "failed", "cut", "without run log", "no GPU data"};
    static const enum smi_state order[] = {SMI_STATE_OK, SMI_STATE_CUT, SMI_STATE_FAILED, SMI_STATE_UNKNOWN,
                                           SMI_STATE_NO_DATA};
    size_t count_of[5] = {0}, i;
    const char *t = "";
    for (i = 0; i < n; i++)
        count_of[run[i]->state]++;
    for (i = 0; i < 5; i++)
        if (count_of[order[i]])
            t = smi_fmt(g, "%s%s%zu %s", t, *t ? ", " : "", count_of[order[i]], word[order[i]]);
    smi_wrap_fmt(g, SMI_STYLE_PLAIN, "%zu more: %s (--all, or -o runs.csv)", n, t);
    smi_wrap_newline(g);
}

static void write_worst_runs(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **run = smi_runs_in_order(g, &g->arena, true);
    int64_t sum = 0;
    size_t n = 0;
    if (!run)
        return;
    for (; smi_sweep_has_run(s, n) && n < 10 && smi_wasted_ms(&run[n]->waste) > 0; n++)
        sum += smi_wasted_ms(&run[n]->waste);
    if (n) {
        smi_wrap_fmt(g, SMI_BOLD, "THE %sTHAT WASTED MOST (%s of %s GPU-h)",
                     n == 1 ? "RUN " : smi_fmt(g, "%zu RUNS ", n), smi_fmt_hours(g, sum),
                     smi_fmt_hours(g, smi_wasted_ms(&s->total.waste)));
        smi_text_runs(g, run, n, false);
    }
    if (n < s->n)
        write_other_runs_line(g, run + n, s->n - n);
}

void smi_text_sweep(struct smi_text_arena *g)
{
    write_spread_table(g);
    write_groups(g);
    write_worst_runs(g);
}
