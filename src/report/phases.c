/* phases.c - the phases of one run or of several: those of one name are one row. */
#include "report/text_report.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 256 /* told apart over several runs */, SHOWN = 16 };

/* The phases of one name. */
struct phase {
    const char *name;
    int64_t runs, count, samples, micro_s;
    struct smi_headline block;
    struct smi_value energy_wh, idle_pct; /* idle_pct: of one run */
    bool held;                            /* where most VRAM is used, it is reserved */
};

/* Adds the phases of one name to those of other names. */
static void join_phases(struct phase *to, const struct phase *p)
{
    const struct smi_headline_sum *vram = &p->block.pool[SMI_POOL_VRAM],
                                  *most = &to->block.pool[SMI_POOL_VRAM];
    if (vram->n && (!most->n || vram->max > most->max))
        to->held = p->held;
    to->runs = p->runs > to->runs ? p->runs : to->runs;
    to->count += p->count;
    to->samples += p->samples;
    to->micro_s += p->micro_s;
    smi_headline_merge(&to->block, &p->block);
    to->energy_wh.has |= p->energy_wh.has;
    to->energy_wh.micro += p->energy_wh.micro;
}

static void add_phase(struct phase *to, const struct smi_summary *s, const struct smi_phase_summary *p)
{
    const int64_t vram = p->block.pool[SMI_POOL_VRAM].max;
    struct phase one = {.count = p->count,
                        .samples = p->summarised ? p->samples : 0,
                        .micro_s = p->seconds.has ? p->seconds.micro : 0,
                        .block = p->block};
    one.held = smi_vram_held(s) && (smi_i128)vram * 100 >= (smi_i128)s->vram.device_peak_mb.micro * 99;
    one.energy_wh = p->energy_wh.has ? p->energy_wh : one.energy_wh;
    join_phases(to, &one);
    to->runs++;
    to->idle_pct = to->runs == 1 ? p->idle_pct : (struct smi_value){0};
}

/* In the order in which they come; names beyond the first `most` are joined in the last. */
static size_t collect_phases(const struct smi_sweep *sweep, struct phase *list, size_t most,
                             const struct smi_summary *runs, size_t n)
{
    size_t names = 0, k;
    for (size_t i = 0; smi_sweep_has_run_of(sweep, i, n); i++)
        for (size_t p = 0; p < runs[i].nphases; p++) {
            const struct smi_phase_summary *phase = &runs[i].phases[p];
            for (k = 0; k < names && k < most && strcmp(list[k].name, phase->name) != 0; k++)
                ;
            if (k == names)
                list[names++].name = k < most ? phase->name : "others";
            add_phase(&list[k], &runs[i], phase);
        }
    return names;
}

static void add_phase_row(struct smi_report_table *t, const struct phase *p, int64_t all)
{
    struct smi_text_arena *g = t->page;
    const struct smi_headline_sum *vram = &p->block.pool[SMI_POOL_VRAM];
    const char *device = p->held ? "reserved" : smi_fmt_gib(g, (struct smi_value){vram->max, true});
    const char *const text[] = {p->name,
                                smi_fmt_int(g, p->runs),
                                smi_fmt_int(g, p->count),
                                smi_fmt_time(g, p->micro_s / 1000),
                                all ? smi_fmt_ratio(g, (smi_i128)p->micro_s * 100, all, 1) : "-",
                                smi_fmt_mean(g, &p->block, SMI_FIG_UTIL),
                                smi_fmt_value(g, p->idle_pct, 1),
                                vram->n ? device : "-",
                                smi_fmt_value(g, p->energy_wh, 1),
                                smi_fmt_some(g, p->samples)};
    smi_table_add(t, SMI_ROW_PLAIN, text);
}

/* How long the phases have to be to have a row of their own. */
static int64_t find_limit(struct smi_text_arena *g, const struct phase *list, size_t n)
{
    int64_t *length = smi_arena_new(&g->arena, n + 1, sizeof *length);
    g->failed |= !length;
    if (!length || n <= SHOWN)
        return -1;
    for (size_t i = 0; i < n; i++)
        length[i] = list[i].micro_s;
    qsort(length, n, sizeof *length, smi_compare_counts);
    return length[n - (SHOWN - 1)];
}

static void fill_table(struct smi_report_table *t, const struct phase *list, size_t n, int64_t all)
{
    const int64_t limit = find_limit(t->page, list, n);
    struct phase rest = {0};
    size_t shown = 0;
    for (size_t i = 0; i < n; i++)
        if (limit < 0 || (list[i].micro_s >= limit && shown < SHOWN - 1)) {
            add_phase_row(t, &list[i], all);
            shown++;
        } else {
            join_phases(&rest, &list[i]);
        }
    rest.name = smi_fmt(t->page, "others (%zu)", n - shown);
    if (shown < n)
        add_phase_row(t, &rest, all);
}

bool smi_phase_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *runs,
                     size_t n)
{
    const struct smi_table_column col[] = {
        {.head = "PHASE", .long_head = "Phase", .words = SMI_WORDS_OF_LOG, .least = 12},
        {.head = "RUNS", .long_head = "Runs", .align = SMI_RIGHT, .hidden = n == 1},
        {.head = "TIMES", .long_head = "Times", .align = SMI_RIGHT, .leave = 2},
        {.head = "TIME", .long_head = "Time", .align = SMI_RIGHT},
        {.head = "SHARE %", .long_head = "Share %", .align = SMI_POINT},
        {.head = "GPU %", .align = SMI_POINT},
        {.head = "IDLE %", .long_head = "Idle %", .align = SMI_POINT, .hidden = n > 1},
        {.head = "VRAM GiB", .long_head = "Device VRAM GiB", .align = SMI_POINT},
        {.head = "Wh", .align = SMI_POINT, .leave = 1},
        {.head = "SAMPLES", .long_head = "Samples", .align = SMI_RIGHT, .leave = 2}};
    const size_t most = n == 1 ? runs->nphases : NAMES;
    struct phase *list = smi_arena_new(&g->arena, most + 1, sizeof *list);
    size_t names = list ? collect_phases(g->sweep, list, most, runs, n) : 0;
    int64_t all = 0;
    g->failed |= !list;
    if (names == 0)
        return false;
    for (size_t i = 0; i < n; i++)
        all += runs[i].duration_s.has ? runs[i].duration_s.micro : 0;
    smi_table_begin(t, g, col, sizeof col / sizeof *col);
    fill_table(t, list, names, all);
    if (n == 1 && runs->outside_pct.has) {
        struct smi_table_cell *row = smi_table_row(t, SMI_ROW_PLAIN);
        for (int i = 0; row && i < t->columns; i++)
            row[i].text = i == 0 ? "outside phases" : i == 4 ? smi_fmt_value(g, runs->outside_pct, 1) : "-";
    }
    return true;
}
