/* sweep.c - what is said of a sweep as a whole: the head lines, the spread, the groups (screens.md §2, §3).
 */
#include "table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value as a number, if it is one: 0.1, -3, 1e-4. For the order of rows only. */
static bool number(const char *s, double *v)
{
    size_t n = strcspn(s, "eE");
    int64_t micro, power = 0;
    if (smi_text_micro((struct smi_text){s, n}, &micro) != 0)
        return false;
    if (s[n] && smi_text_micro(smi_text_of(s + n + 1), &power) != 0)
        return false;
    *v = (double)micro * pow(10, (double)power / 1e6);
    return true;
}

static int by_order(const void *a, const void *b)
{
    const char *s = *(const char *const *)a, *t = *(const char *const *)b;
    double x, y;
    if (number(s, &x) && number(t, &y) && (x < y || x > y))
        return x < y ? -1 : 1;
    return smi_text_order(s, t);
}

size_t smi_values_of(struct smi_page *g, const char *key, const char ***out)
{
    const struct smi_sweep *s = g->sweep;
    const char **text = smi_arena_new(&g->arena, s->n + 1, sizeof *text);
    size_t n = 0, i, kept = 0;
    g->failed |= !text;
    for (i = 0; text && i < s->n; i++) {
        const struct smi_param *p = smi_run_param(&s->runs[i], key);
        if (p && p->text)
            text[n++] = p->text;
    }
    if (n)
        qsort(text, n, sizeof *text, by_order);
    for (i = 0; i < n; i++)
        if (i == 0 || strcmp(text[kept - 1], text[i]) != 0)
            text[kept++] = text[i];
    *out = text;
    return kept;
}

bool smi_is_repeat(const char *key)
{
    static const char *const names[] = {"seed", "rep", "fold", "trial"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (smi_text_same(smi_text_of(key), names[i]))
            return true;
    return false;
}

/* --- the spread over all runs --- */

typedef struct smi_value measure_fn(const struct smi_summary *s);

static struct smi_value util_of(const struct smi_summary *s)
{
    const struct smi_pool *p = &s->block.pool[SMI_POOL_UTIL];
    return (struct smi_value){p->n ? (int64_t)smi_wide_div(p->sum, p->n) : 0, p->n > 0};
}

static struct smi_value idle_of(const struct smi_summary *s)
{
    return s->idle_pct;
}

static struct smi_value vram_of(const struct smi_summary *s)
{
    return s->vram.used_peak_mb;
}

static struct smi_value energy_of(const struct smi_summary *s)
{
    return s->energy_wh;
}

static const struct {
    const char *label;
    measure_fn *of;
    int divisor;
} spreads[] = {
    {"GPU %", util_of, 1}, {"idle %", idle_of, 1}, {"VRAM GiB", vram_of, 1024}, {"Wh", energy_of, 1}};

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Percentile as numbers.md §2 has it, shown to one decimal. */
static const char *percentile(struct smi_page *g, const int64_t *x, size_t n, int p, int divisor)
{
    size_t k = (n - 1) * (size_t)p, i = k / 100, f = k % 100;
    smi_i128 v = (smi_i128)x[i] * 100 + (f ? ((smi_i128)x[i + 1] - x[i]) * (int64_t)f : 0);
    return smi_page_ratio(g, v, (smi_i128)100 * 1000000 * divisor, 1);
}

/* The run whose value is furthest from the median. */
static const char *extreme(struct smi_page *g, measure_fn *of, int64_t median)
{
    const struct smi_summary *best = NULL;
    int64_t far = -1, d;
    for (size_t i = 0; i < g->sweep->n; i++) {
        struct smi_value v = of(&g->sweep->runs[i]);
        d = v.micro > median ? v.micro - median : median - v.micro;
        if (v.has && d > far) {
            far = d;
            best = &g->sweep->runs[i];
        }
    }
    return far > 0 ? smi_page_safe(g, best->run) : "-";
}

static void spread(struct smi_page *g)
{
    static const int percent[] = {0, 25, 50, 75, 100};
    struct smi_column col[] = {{.head = "OVER ALL RUNS"},
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
        struct smi_cell *row = smi_grid_row(&t, SMI_ROW_PLAIN);
        for (i = n = 0; i < g->sweep->n; i++) {
            struct smi_value v = spreads[k].of(&g->sweep->runs[i]);
            if (v.has)
                x[n++] = v.micro;
        }
        if (n)
            qsort(x, n, sizeof *x, by_value);
        for (i = 0; row && i < 5; i++)
            row[1 + i].text = n ? percentile(g, x, n, percent[i], spreads[k].divisor) : "-";
        if (row) {
            row[0].text = spreads[k].label;
            row[6].text = n ? extreme(g, spreads[k].of, x[(n - 1) / 2]) : "-";
        }
    }
    g->failed |= !x;
    smi_grid_end(&t);
    smi_page_newline(g);
}

const char *smi_total_lack(struct smi_page *g, const struct smi_total *t, int64_t of)
{
    int64_t n = smi_total_lacks(t, of);
    return n ? smi_page_fmt(g, "not known: %lld run%s", (long long)n, n == 1 ? "" : "s") : NULL;
}

/* What is not known would make the sum too low in silence. */
static const char *with_lack(struct smi_page *g, const char *sum, const struct smi_total *t, int64_t of)
{
    const char *lack = t->runs == 1 ? NULL : smi_total_lack(g, t, of);
    return lack ? smi_page_fmt(g, "%s (%s)", sum, lack) : sum;
}

const char *smi_total_cost(struct smi_page *g, const struct smi_total *t)
{
    if (t->runs == 1 && smi_total_lacks(t, t->of.cost))
        return "cost not known";
    return with_lack(g, t->cost.has ? smi_page_money(g, t->cost) : "no cost", t, t->of.cost);
}

const char *smi_total_wasted_cost(struct smi_page *g, const struct smi_total *t)
{
    const char *lost = smi_page_money(g, t->wasted_cost[5]);
    return t->cost.has && smi_total_one_cost(t) ? smi_page_fmt(g, "%s of %s", lost, smi_page_money(g, t->cost))
                : smi_page_fmt(g, "%s wasted", lost);
}

const char *smi_total_energy(struct smi_page *g, const struct smi_total *t)
{
    return with_lack(g, smi_page_energy(g, t->energy_wh), t, t->of.energy);
}

const char *smi_total_co2(struct smi_page *g, const struct smi_total *t)
{
    return with_lack(g, smi_page_fmt(g, "%s CO2", smi_page_co2(g, t->co2_g)), t, t->of.co2);
}

/* --- groups --- */

enum { GROUP_ROWS = 12, GROUP_VALUES = 200, WORST = 10 };

struct group {
    const char *value; /* NULL: runs without the parameter, and those that are joined */
    const char *name;
    struct smi_total sum;
    struct smi_value vram, vram_total;
    bool oom;        /* the run with this VRAM ran out of memory */
    smi_i128 s1, s2; /* of the runs' mean utilisation */
    int64_t measured;
};

static void add_run(struct group *p, const struct smi_summary *s)
{
    struct smi_value u = util_of(s), v = s->vram.used_peak_mb;
    smi_total_add(&p->sum, s);
    p->measured += u.has;
    p->s1 += u.has ? u.micro : 0;
    p->s2 += u.has ? (smi_i128)u.micro * u.micro : 0;
    if (v.has && (!p->vram.has || v.micro > p->vram.micro)) {
        p->vram = v;
        p->vram_total = s->vram.total_mb; /* one run's peak is no share of what another's GPU has */
        p->oom = false;
    }
    p->oom |= v.has && v.micro == p->vram.micro && (smi_findings_marks(s, -1) & SMI_CELL_VRAM);
}

static const char *count(struct smi_page *g, int64_t n)
{
    return n ? smi_page_fmt(g, "%lld", (long long)n) : "-";
}

/* Standard deviation of the runs' means: sqrt(n S2 - S1^2) / n. */
static const char *deviation(struct smi_page *g, const struct group *p)
{
    smi_i128 n = p->measured, v = n * p->s2 - p->s1 * p->s1;
    return n < 2 ? "-" : smi_page_ratio(g, (smi_i128)smi_wide_isqrt((smi_u128)v), n * 1000000, 1);
}

static void group_row(struct smi_grid *t, struct group *p, enum smi_row_kind kind)
{
    struct smi_page *g = t->page;
    struct smi_cell *row = smi_grid_row(t, kind);
    int i = 0;
    if (!row)
        return;
    smi_total_close(&p->sum);
    row[i++].text = p->name;
    row[i++].text = count(g, p->sum.runs);
    row[i++].text = count(g, p->sum.failed);
    row[i++].text = count(g, p->sum.cut);
    row[i++].text = smi_page_mean(g, &p->sum.block, SMI_FIG_UTIL);
    row[i++].text = deviation(g, p);
    row[i++].text = smi_page_value(g, p->sum.idle_pct, 1);
    row[i].text = smi_page_gib(g, p->vram);
    if (p->vram.has && p->vram_total.has)
        row[i].text = smi_page_fmt(g, "%s/%s", row[i].text,
                                   smi_page_ratio(g, p->vram_total.micro, (smi_i128)1024 * 1000000, 0));
    row[i].mark = p->oom ? '!' : 0;
    row[i].style = p->oom ? SMI_RED : SMI_PLAIN;
    row[++i].text = p->sum.gpu_hours.has ? smi_page_hours(g, p->sum.covered_ms) : "-";
    row[++i].text =
        p->sum.energy_wh.has ? smi_page_ratio(g, p->sum.energy_wh.micro, (smi_i128)1000000000, 1) : "-";
    row[++i].text = p->sum.wasted_h[5].has ? smi_page_hours(g, smi_wasted_ms(&p->sum.waste)) : "-";
}

static int by_waste(const void *a, const void *b)
{
    int64_t x = smi_wasted_ms(&((const struct group *)a)->sum.waste);
    int64_t y = smi_wasted_ms(&((const struct group *)b)->sum.waste);
    return x > y ? -1 : x < y;
}

static void group_table(struct smi_page *g, const char *key, struct group *group, size_t n, struct group *all)
{
    struct smi_column col[] = {{.head = smi_page_fmt(g, "BY %s", smi_page_safe(g, key)), .least = 8},
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
    struct smi_grid t;
    size_t i;
    smi_grid_begin(&t, g, col, 11);
    for (i = 0; i < n; i++)
        group_row(&t, &group[i], SMI_ROW_PLAIN);
    group_row(&t, all, SMI_ROW_TOTAL);
    smi_grid_end(&t);
    smi_page_newline(g);
}

/* Adds every run to the group of its value, else to the last. */
static void fill_groups(struct smi_page *g, const char *key, struct group *group, size_t n)
{
    for (size_t i = 0, k; i < g->sweep->n; i++) {
        const struct smi_param *p = smi_run_param(&g->sweep->runs[i], key);
        for (k = 0; k < n && !(p && group[k].value && strcmp(p->text, group[k].value) == 0); k++)
            ;
        add_run(&group[k], &g->sweep->runs[i]);
    }
}

/* One row a value; beyond GROUP_ROWS those that wasted least are joined. */
static void groups_by(struct smi_page *g, const char *key, const char **value, size_t n)
{
    struct group *group = smi_arena_new(&g->arena, n + 1, sizeof *group), all = {.name = "total"};
    size_t i, left = n > GROUP_ROWS ? n - GROUP_ROWS + 1 : 0;
    if (!group) {
        g->failed = true;
        return;
    }
    for (i = 0; i < n; i++)
        group[i] = (struct group){.value = value[i], .name = smi_page_safe(g, value[i])};
    fill_groups(g, key, group, n);
    if (left) {
        qsort(group, n, sizeof *group, by_waste);
        n -= left;
        for (i = 0; i < n; i++)
            group[i] = (struct group){.value = group[i].value, .name = group[i].name};
        group[n] = (struct group){0};
        fill_groups(g, key, group, n);
    }
    group[n].name = left ? smi_page_fmt(g, "%zu others", left) : "-";
    for (i = 0; i < g->sweep->n; i++)
        add_run(&all, &g->sweep->runs[i]);
    group_table(g, key, group, n + (group[n].sum.runs > 0), &all);
}

/* The parameter with the fewest values above one that is no repeat; none if its groups would say nothing. */
static void groups(struct smi_page *g)
{
    const struct smi_sweep *s = g->sweep;
    const char **value;
    size_t n;
    for (size_t i = 0; i < s->nvarying; i++) {
        n = smi_is_repeat(s->varying[i]) ? 0 : smi_values_of(g, s->varying[i], &value);
        if (n > 1 && n <= GROUP_VALUES && n * 2 <= s->n) {
            groups_by(g, s->varying[i], value, n);
            return;
        }
    }
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

static void rest(struct smi_page *g, const struct smi_summary *const *run, size_t n)
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
            t = smi_page_fmt(g, "%s%s%zu %s", t, *t ? ", " : "", count_of[order[i]], word[order[i]]);
    smi_page_line(g, SMI_PLAIN, smi_page_fmt(g, "%zu more: %s (--all, or -o runs.csv)", n, t));
    smi_page_newline(g);
}

static void worst(struct smi_page *g)
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
        smi_page_line(g, SMI_BOLD,
                      smi_page_fmt(g, "THE %sTHAT WASTED MOST (%s of %s GPU-h)",
                                   n == 1 ? "RUN " : smi_page_fmt(g, "%zu RUNS ", n), smi_page_hours(g, sum),
                                   smi_page_hours(g, smi_wasted_ms(&s->total.waste))));
        smi_table_runs(g, run, n, false);
    }
    if (n < s->n)
        rest(g, run + n, s->n - n);
}

void smi_table_groups(struct smi_page *g)
{
    spread(g);
    groups(g);
    worst(g);
}
