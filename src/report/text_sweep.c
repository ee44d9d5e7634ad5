/* text_sweep.c - what is said of a sweep as a whole: the spread, sums, the runs that wasted most (screens.md
 * §2, §3).
 */
#include "report/run_columns.h"

#include <stdlib.h>
#include <string.h>

/* --- the spread over all runs --- */

static const struct {
    const char *label;
    int column, divisor;
} spreads[] = {{"GPU %", SMI_RUNS_UTIL, 1},
               {"idle %", SMI_RUNS_IDLE, 1},
               {"VRAM GiB", SMI_RUNS_VRAM, 1024},
               {"Wh", SMI_RUNS_ENERGY, 1}};

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Percentile as numbers.md §2 has it, shown to one decimal. */
static const char *percentile(struct smi_text_arena *g, const int64_t *x, size_t n, int p, int divisor)
{
    size_t k = (n - 1) * (size_t)p, i = k / 100, f = k % 100;
    smi_i128 v = (smi_i128)x[i] * 100 + (f ? ((smi_i128)x[i + 1] - x[i]) * (int64_t)f : 0);
    return smi_fmt_ratio(g, v, (smi_i128)100 * 1000000 * divisor, 1);
}

/* The run whose value is furthest from the median. */
static const char *find_extreme_run(struct smi_text_arena *g, int column, int64_t median)
{
    const struct smi_summary *best = NULL;
    int64_t far = -1, d;
    for (size_t i = 0; i < g->sweep->n; i++) {
        struct smi_value v = smi_run_cell_value(column, &g->sweep->runs[i]);
        d = v.micro > median ? v.micro - median : median - v.micro;
        if (v.has && d > far) {
            far = d;
            best = &g->sweep->runs[i];
        }
    }
    return far > 0 ? smi_fmt_safe(g, best->run) : "-";
}

static void write_spread_table(struct smi_text_arena *g)
{
    static const int percent[] = {0, 25, 50, 75, 100};
    struct smi_grid_column col[] = {
        {.head = "OVER ALL RUNS"},
        {.head = "min", .align = SMI_POINT},
        {.head = "p25", .align = SMI_POINT, .leave = 2},
        {.head = "median", .align = SMI_POINT},
        {.head = "p75", .align = SMI_POINT, .leave = 2},
        {.head = "max", .align = SMI_POINT},
        {.head = "most extreme", .names = true, .least = 12, .gap = 1, .leave = 1}};
    int64_t *x = smi_arena_new(&g->arena, g->sweep->n + 1, sizeof *x);
    struct smi_grid t;
    smi_grid_begin(&t, g, col, 7);
    for (size_t k = 0, i, n; x && k < sizeof spreads / sizeof *spreads; k++) {
        struct smi_grid_cell *row = smi_grid_row(&t, SMI_ROW_PLAIN);
        for (i = n = 0; i < g->sweep->n; i++) {
            struct smi_value v = smi_run_cell_value(spreads[k].column, &g->sweep->runs[i]);
            if (v.has)
                x[n++] = v.micro;
        }
        if (n)
            qsort(x, n, sizeof *x, by_value);
        for (i = 0; row && i < 5; i++)
            row[1 + i].text = n ? percentile(g, x, n, percent[i], spreads[k].divisor) : "-";
        if (row) {
            row[0].text = spreads[k].label;
            row[6].text = n ? find_extreme_run(g, spreads[k].column, x[(n - 1) / 2]) : "-";
        }
    }
    g->failed |= !x;
    smi_grid_end(&t);
    smi_wrap_newline(g);
}

const char *smi_total_missing_text(struct smi_text_arena *g, const struct smi_total *t, int64_t of)
{
    int64_t n = smi_total_missing(t, of);
    return n ? smi_fmt(g, "not known: %lld run%s", (long long)n, n == 1 ? "" : "s") : NULL;
}

/* What is not known would make the sum too low in silence. */
static const char *with_lack(struct smi_text_arena *g, const char *sum, const struct smi_total *t, int64_t of)
{
    const char *lack = t->runs == 1 ? NULL : smi_total_missing_text(g, t, of);
    return lack ? smi_fmt(g, "%s (%s)", sum, lack) : sum;
}

const char *smi_total_cost(struct smi_text_arena *g, const struct smi_total *t)
{
    if (t->runs == 1 && smi_total_missing(t, t->of.cost))
        return "cost not known";
    return with_lack(g, t->cost.has ? smi_fmt_money(g, t->cost) : "no cost", t, t->of.cost);
}

const char *smi_total_wasted_cost(struct smi_text_arena *g, const struct smi_total *t)
{
    const char *lost = smi_fmt_money(g, t->wasted_cost[5]);
    return t->cost.has && smi_total_costs_match(t) ? smi_fmt(g, "%s of %s", lost, smi_fmt_money(g, t->cost))
                                                   : smi_fmt(g, "%s wasted", lost);
}

const char *smi_total_energy(struct smi_text_arena *g, const struct smi_total *t)
{
    return with_lack(g, smi_fmt_energy(g, t->energy_wh), t, t->of.energy);
}

const char *smi_total_co2(struct smi_text_arena *g, const struct smi_total *t)
{
    return with_lack(g, smi_fmt(g, "%s CO2", smi_fmt_co2(g, t->co2_g)), t, t->of.co2);
}

/* --- the runs that wasted most --- */

static int by_wasted(const void *a, const void *b)
{
    const struct smi_summary *x = *(const struct smi_summary *const *)a,
                             *y = *(const struct smi_summary *const *)b;
    int64_t v = smi_wasted_ms(&x->waste), w = smi_wasted_ms(&y->waste);
    if (v != w)
        return v > w ? -1 : 1;
    return x < y ? -1 : x > y;
}

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
    smi_wrap_line(g, SMI_STYLE_PLAIN, smi_fmt(g, "%zu more: %s (--all, or -o runs.csv)", n, t));
    smi_wrap_newline(g);
}

static void write_worst_runs(struct smi_text_arena *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **run = smi_arena_new(&g->arena, s->n + 1, sizeof *run);
    int64_t sum = 0;
    size_t i, n = 0;
    if (!run) {
        g->failed = true;
        return;
    }
    for (i = 0; i < s->n; i++)
        run[i] = &s->runs[i];
    qsort(run, s->n, sizeof *run, by_wasted);
    for (; n < s->n && n < 10 && smi_wasted_ms(&run[n]->waste) > 0; n++)
        sum += smi_wasted_ms(&run[n]->waste);
    if (n) {
        smi_wrap_line(g, SMI_BOLD,
                      smi_fmt(g, "THE %sTHAT WASTED MOST (%s of %s GPU-h)",
                              n == 1 ? "RUN " : smi_fmt(g, "%zu RUNS ", n), smi_fmt_hours(g, sum),
                              smi_fmt_hours(g, smi_wasted_ms(&s->total.waste))));
        smi_text_runs(g, run, n, false);
    }
    if (n < s->n)
        write_other_runs_line(g, run + n, s->n - n);
}

void smi_text_sweep(struct smi_text_arena *g)
{
    write_spread_table(g);
    smi_text_groups(g);
    write_worst_runs(g);
}
