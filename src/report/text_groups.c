/* text_groups.c - the runs that share a value of a parameter, side by side (screens.md §3).
 */
#include "report/text_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value as a number, if it is one: 0.1, -3, 1e-4. For the order of rows only. */
static bool param_number(const char *s, double *v)
{
    size_t n = strcspn(s, "eE");
    int64_t micro, power = 0;
    if (smi_text_parse_micro((struct smi_text){s, n}, &micro) != 0)
        return false;
    if (s[n] && smi_text_parse_micro(smi_text_of(s + n + 1), &power) != 0)
        return false;
    *v = (double)micro * pow(10, (double)power / 1e6);
    return true;
}

static int by_order(const void *a, const void *b)
{
    const char *s = *(const char *const *)a, *t = *(const char *const *)b;
    double x, y;
    if (param_number(s, &x) && param_number(t, &y) && (x < y || x > y))
        return x < y ? -1 : 1;
    return smi_text_compare_natural(s, t);
}

/* having: of how many runs there is a value. */
static size_t values_of(struct smi_text_arena *g, const char *key, const char ***out, size_t *having)
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
    *having = n;
    if (n)
        qsort(text, n, sizeof *text, by_order);
    for (i = 0; i < n; i++)
        if (i == 0 || strcmp(text[kept - 1], text[i]) != 0)
            text[kept++] = text[i];
    *out = text;
    return kept;
}

size_t smi_param_values(struct smi_text_arena *g, const char *key, const char ***out)
{
    size_t having;
    return values_of(g, key, out, &having);
}

bool smi_param_is_rare(struct smi_text_arena *g, const char *key)
{
    size_t having = 0;
    for (size_t i = 0; i < g->sweep->n; i++) {
        const struct smi_param *p = smi_run_param(&g->sweep->runs[i], key);
        having += p && p->text;
    }
    return having * 2 < g->sweep->n;
}

size_t smi_param_group_values(struct smi_text_arena *g, const char *key, const char ***out)
{
    size_t having, n = values_of(g, key, out, &having);
    return n > 1 && n <= SMI_GROUP_VALUES_MAX && n * 2 <= having && !smi_param_is_rare(g, key) ? n : 0;
}

enum { GROUP_ROWS = 12, LACKS_SAID = 4 };

struct group {
    const char *value; /* NULL: runs without the parameter, and those that are joined */
    const char *name;
    struct smi_total sum;
    struct smi_value vram, vram_total;
    bool oom;        /* the run with this VRAM ran out of memory */
    smi_i128 s1, s2; /* of the runs' mean utilisation */
    int64_t measured;
};

/* Mean utilisation of a run. */
static struct smi_value util_of(const struct smi_summary *s)
{
    const struct smi_headline_sum *p = &s->block.pool[SMI_POOL_UTIL];
    return (struct smi_value){p->n ? (int64_t)smi_i128_div(p->sum, p->n) : 0, p->n > 0};
}

static void add_run_to_group(struct group *p, const struct smi_summary *s)
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

static const char *run_count_text(struct smi_text_arena *g, int64_t n)
{
    return n ? smi_fmt(g, "%lld", (long long)n) : "-";
}

/* Standard deviation of the runs' means: sqrt(n S2 - S1^2) / n. */
static const char *deviation(struct smi_text_arena *g, const struct group *p)
{
    smi_i128 n = p->measured, v = n * p->s2 - p->s1 * p->s1;
    return n < 2 ? "-" : smi_fmt_ratio(g, (smi_i128)smi_u128_sqrt((smi_u128)v), n * 1000000, 1);
}

static void group_row(struct smi_grid *t, struct group *p, enum smi_grid_row_kind kind)
{
    struct smi_text_arena *g = t->page;
    struct smi_grid_cell *row = smi_grid_row(t, kind);
    int i = 0;
    if (!row)
        return;
    smi_total_close(&p->sum);
    row[i++].text = p->name;
    row[i++].text = run_count_text(g, p->sum.runs);
    row[i++].text = run_count_text(g, p->sum.failed);
    row[i++].text = run_count_text(g, p->sum.cut);
    row[i++].text = smi_fmt_mean(g, &p->sum.block, SMI_FIG_UTIL);
    row[i++].text = deviation(g, p);
    row[i++].text = smi_fmt_value(g, p->sum.idle_pct, 1);
    row[i].text = smi_fmt_vram(g, p->vram, p->vram_total);
    row[i].mark = p->oom ? '!' : 0;
    row[i].style = p->oom ? SMI_RED : SMI_STYLE_PLAIN;
    row[++i].text = p->sum.gpu_hours.has ? smi_fmt_hours(g, p->sum.covered_ms) : "-";
    row[++i].text =
        p->sum.energy_wh.has ? smi_fmt_ratio(g, p->sum.energy_wh.micro, (smi_i128)1000000000, 1) : "-";
    row[++i].text = p->sum.wasted_h[5].has ? smi_fmt_hours(g, smi_wasted_ms(&p->sum.waste)) : "-";
}

static int by_waste(const void *a, const void *b)
{
    int64_t x = smi_wasted_ms(&((const struct group *)a)->sum.waste);
    int64_t y = smi_wasted_ms(&((const struct group *)b)->sum.waste);
    return x > y ? -1 : x < y;
}

/* Energy that is not known would make the sums of the groups too low in silence. */
static void write_missing_line(struct smi_text_arena *g, const struct group *group, size_t n,
                               const struct group *all)
{
    const char *text = smi_total_missing_text(g, &all->sum, all->sum.of.energy), *at = "";
    size_t said = 0, left = 0;
    if (!text || !all->sum.energy_wh.has)
        return;
    for (size_t i = 0; i < n; i++) {
        int64_t lack = smi_total_missing(&group[i].sum, group[i].sum.of.energy);
        if (lack && said < LACKS_SAID)
            at = smi_fmt(g, "%s, %lld at %s", at, (long long)lack, group[i].name), said++;
        else
            left += lack > 0;
    }
    if (left)
        at = smi_fmt(g, "%s, and %zu more", at, left);
    smi_wrap_line(g, SMI_GREY, smi_fmt(g, "kWh %s (%s)", text, at + 2));
}

static void group_table(struct smi_text_arena *g, const char *key, struct group *group, size_t n,
                        struct group *all)
{
    struct smi_grid_column col[] = {{.head = smi_fmt(g, "BY %s", smi_fmt_safe(g, key)), .least = 8},
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
    write_missing_line(g, group, n, all);
    smi_wrap_newline(g);
}

/* Adds every run to the group of its value, else to the last. */
static void fill_groups(struct smi_text_arena *g, const char *key, struct group *group, size_t n)
{
    for (size_t i = 0, k; i < g->sweep->n; i++) {
        const struct smi_param *p = smi_run_param(&g->sweep->runs[i], key);
        for (k = 0; k < n && !(p && group[k].value && strcmp(p->text, group[k].value) == 0); k++)
            ;
        add_run_to_group(&group[k], &g->sweep->runs[i]);
    }
}

/* One row a value; beyond GROUP_ROWS those that wasted least are joined. */
static void groups_by(struct smi_text_arena *g, const char *key, const char **value, size_t n)
{
    struct group *group = smi_arena_new(&g->arena, n + 1, sizeof *group), all = {.name = "total"};
    size_t i, left = n > GROUP_ROWS ? n - GROUP_ROWS + 1 : 0;
    if (!group) {
        g->failed = true;
        return;
    }
    for (i = 0; i < n; i++)
        group[i] = (struct group){.value = value[i], .name = smi_fmt_safe(g, value[i])};
    fill_groups(g, key, group, n);
    if (left) {
        qsort(group, n, sizeof *group, by_waste);
        n -= left;
        for (i = 0; i < n; i++)
            group[i] = (struct group){.value = group[i].value, .name = group[i].name};
        group[n] = (struct group){0};
        fill_groups(g, key, group, n);
    }
    group[n].name = left ? smi_fmt(g, "%zu others", left) : "-";
    for (i = 0; i < g->sweep->n; i++)
        add_run_to_group(&all, &g->sweep->runs[i]);
    group_table(g, key, group, n + (group[n].sum.runs > 0), &all);
}

void smi_text_groups(struct smi_text_arena *g)
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
