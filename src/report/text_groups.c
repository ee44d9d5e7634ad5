/* text_groups.c - the runs that share a value of a parameter, side by side (screens.md §3).
 */
#include "report/run_groups.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP_ROWS = 12, LACKS_SAID = 4 };

static const char *run_count_text(struct smi_text_arena *g, int64_t n)
{
    return n ? smi_fmt(g, "%lld", (long long)n) : "-";
}

static void group_row(struct smi_grid *t, struct smi_run_group *p, enum smi_grid_row_kind kind)
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
    row[i++].text = p->of[0].n < 2
                        ? "-"
                        : smi_fmt_ratio(g, smi_run_group_deviation(p, 0), (smi_i128)p->of[0].n * 1000000, 1);
    row[i++].text = smi_fmt_value(g, p->sum.idle_pct, 1);
    row[i].text = smi_fmt_vram(g, p->vram, p->vram_total);
    row[i].mark = p->out_of_memory ? '!' : 0;
    row[i].style = p->out_of_memory ? SMI_RED : SMI_STYLE_PLAIN;
    row[++i].text = p->sum.gpu_hours.has ? smi_fmt_hours(g, p->sum.covered_ms) : "-";
    row[++i].text =
        p->sum.energy_wh.has ? smi_fmt_ratio(g, p->sum.energy_wh.micro, (smi_i128)1000000000, 1) : "-";
    row[++i].text = p->sum.wasted_h[5].has ? smi_fmt_hours(g, smi_wasted_ms(&p->sum.waste)) : "-";
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

static void group_table(struct smi_text_arena *g, const char *key, struct smi_run_group *group, size_t n,
                        struct smi_run_group *all)
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
    for (i = 0; i < g->sweep->n; i++)
        smi_run_group_add(&all, &g->sweep->runs[i]);
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
