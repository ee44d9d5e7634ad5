#include "report/run_columns.h"

#include <stddef.h>
#include <string.h>

#define AT(member) offsetof(struct smi_summary, member)

/* GPU time that SMI_AS_HOURS shows, beside the causes of waste. */
enum { ALL_WASTE = 5, COVERED, UNKNOWN };

#define WASTE(cause, key, head, csv, help)                         \
    {                                                              \
        SMI_AS_HOURS, 2, cause, 0, {0}, key, head, csv, help, true \
    }

const struct smi_run_table_column smi_run_table_columns[SMI_RUNS_COLUMNS] = {
    [SMI_RUNS_NAME] = {SMI_AS_LINK,
                       0,
                       0,
                       0,
                       {"RUN", .least = 13},
                       "run",
                       "Run",
                       "run",
                       "Its path below the directory given",
                       false},
    [SMI_RUNS_STATE] = {SMI_AS_TEXT,
                        0,
                        0,
                        0,
                        {"STATE", .leave = 1},
                        "state",
                        "State",
                        "state",
                        "ok, FAILED, cut (no end in its log), no-data (no GPU log); - without a run log",
                        false},
    [SMI_RUNS_TIME] = {SMI_AS_SPAN,
                       0,
                       AT(duration_s),
                       0,
                       {"TIME", .leave = 3, .total = true},
                       "time",
                       "Time",
                       "duration_s",
                       "How long it ran",
                       false},
    [SMI_RUNS_UTIL] = {SMI_AS_HEADLINE,
                       1,
                       SMI_FIG_UTIL,
                       SMI_CELL_UTIL,
                       {"GPU %", .total = true},
                       "gpu",
                       "GPU %",
                       "gpu_util_mean_pct",
                       "Mean utilisation of all its GPUs: share of time with at least one kernel",
                       false},
    [SMI_RUNS_P95] = {SMI_AS_VALUE,
                      0,
                      AT(gpu_util_p95),
                      0,
                      {"P95 %", .from = 160},
                      "p95",
                      "p95 %",
                      "gpu_util_p95_pct",
                      "95th percentile of utilisation, of its busiest GPU",
                      true},
    [SMI_RUNS_SPARKLINE] = {SMI_AS_TEXT, .text = {"OVER TIME"}},
    [SMI_RUNS_IDLE] = {SMI_AS_VALUE,
                       1,
                       AT(idle_pct),
                       SMI_CELL_IDLE,
                       {"IDLE %", .leave = 2, .total = true},
                       "idle",
                       "Idle %",
                       "idle_pct",
                       "Share of the GPU time at or below the idle limit",
                       false},
    [SMI_RUNS_VRAM] = {SMI_AS_GIB,
                       1,
                       AT(vram.used_peak_mb),
                       SMI_CELL_VRAM,
                       {"VRAM GiB", .leave = 5, .total = true},
                       "vram",
                       "VRAM GiB",
                       "vram_used_peak_mb",
                       "Peak of the memory used of one GPU; the framework's own peak where its log has it",
                       false},
    [SMI_RUNS_VRAM_TOTAL] = {SMI_AS_GIB,
                             0,
                             AT(vram.total_mb),
                             0,
                             {0},
                             "total",
                             "of GiB",
                             "vram_total_mb",
                             "Memory that a GPU has",
                             true},
    [SMI_RUNS_POWER] = {SMI_AS_VALUE,
                        1,
                        AT(power_sum_w),
                        0,
                        {"W", .from = 130},
                        "power",
                        "Power W",
                        "power_sum_w",
                        "Power of all its GPUs together, mean over time",
                        true},
    [SMI_RUNS_TEMP] = {SMI_AS_VALUE,
                       0,
                       AT(temp_max),
                       0,
                       {"°C", .from = 130, .total = true},
                       "temp",
                       "Max °C",
                       "temp_max_c",
                       "Highest temperature of any of its GPUs",
                       true},
    [SMI_RUNS_CPU] = {SMI_AS_HEADLINE,
                      1,
                      SMI_FIG_CPU,
                      SMI_CELL_CPU,
                      {"CPU %", .from = 130, .total = true},
                      "cpu",
                      "CPU %",
                      "cpu_usr_mean_pct",
                      "Mean use of the machine's CPUs by user processes",
                      false},
    [SMI_RUNS_SLOWED] = {SMI_AS_VALUE,
                         1,
                         0,
                         SMI_CELL_SLOW,
                         {"SLOWED %", .from = 160},
                         "slowed",
                         "Slowed %",
                         "throttled_pct",
                         "Largest share of time that a GPU was slowed by heat, power or a setting",
                         true},
    [SMI_RUNS_ENERGY] = {SMI_AS_VALUE,
                         1,
                         AT(energy_wh),
                         0,
                         {"Wh", .total = true},
                         "wh",
                         "Wh",
                         "energy_wh",
                         "Energy of its GPUs",
                         false},
    [SMI_RUNS_GPUS] = {SMI_AS_COUNT, 0, 0, 0, {0}, "gpus", "GPUs", "ngpus", "GPUs with readings", true},
    [SMI_RUNS_GPU_HOURS] =
        {SMI_AS_HOURS, 2, COVERED, 0, {0}, "gpuh", "GPU-h", "gpu_hours", "GPU-hours with readings", true},
    [SMI_RUNS_WASTED] = {SMI_AS_HOURS,
                         2,
                         ALL_WASTE,
                         SMI_CELL_WASTED,
                         {"WASTED h", .total = true},
                         "wasted",
                         "Wasted h",
                         "wasted_total_h",
                         "GPU-hours wasted: failed + unused + start + stall + end",
                         false},
    [SMI_RUNS_COST] = {SMI_AS_VALUE, 2, AT(cost), 0, {"COST $", .total = true}},
    [SMI_RUNS_WASTED_COST] = {SMI_AS_VALUE,
                              2,
                              AT(wasted_cost[5]),
                              0,
                              {0},
                              "cost",
                              "Wasted $",
                              "wasted_cost",
                              "What the wasted GPU-hours cost",
                              false},
    [SMI_RUNS_WASTED_PART] =
        WASTE(0, "failed", "Failed h", "wasted_failed_h", "GPU-hours of a failed run: all of them"),
    WASTE(1, "unused", "Unused h", "wasted_unused_h", "GPU-hours of GPUs that never worked"),
    WASTE(2, "start", "Start h", "wasted_start_h", "GPU-hours idle before the first work"),
    WASTE(3, "stall", "Stall h", "wasted_stall_h", "GPU-hours idle between work"),
    WASTE(4, "end", "End h", "wasted_end_h", "GPU-hours idle after the last work"),
    [SMI_RUNS_UNKNOWN] = WASTE(UNKNOWN, "unknown", "Not known h", "not_known_h",
                               "GPU-hours without a reading of utilisation: neither used nor wasted"),
    [SMI_RUNS_START] = {SMI_AS_INSTANT,
                        0,
                        0,
                        0,
                        {"START", .from = 160},
                        "began",
                        "Start",
                        "start",
                        "When it began, on the clock of its GPU logs",
                        true},
    [SMI_RUNS_HOST] = {SMI_AS_TEXT,
                       0,
                       0,
                       0,
                       {"HOST", .least = 8, .from = 160},
                       "host",
                       "Host",
                       "hostname",
                       "The machine that it ran on",
                       true},
    [SMI_RUNS_NOTE] = {SMI_AS_TEXT,
                       0,
                       0,
                       0,
                       {"NOTE", .least = 7, .leave = 4, .total = true},
                       "note",
                       "Note",
                       "note",
                       "What is worst about it",
                       false},
};

struct smi_value smi_run_cell_value(int id, const struct smi_summary *s)
{
    struct smi_value v;
    if (id == SMI_RUNS_SLOWED)
        return smi_most_throttled(s);
    memcpy(&v, (const char *)s + smi_run_table_columns[id].at, sizeof v);
    return v;
}

int64_t smi_run_cell_ms(int id, const struct smi_summary *s)
{
    size_t part = smi_run_table_columns[id].at;
    if (smi_run_table_columns[id].kind == SMI_AS_SPAN)
        return s->duration_s.has ? s->duration_s.micro / 1000 : -1;
    if (part > ALL_WASTE)
        return !s->gpu_hours.has ? -1 : part == COVERED ? s->covered_ms : smi_unknown_ms(s);
    if (!smi_waste_known(s->wasted_h[5], s->idle_pct, &s->waste))
        return -1;
    return part == ALL_WASTE ? smi_wasted_ms(&s->waste) : smi_waste_part(&s->waste, (int)part);
}

static bool is_same_clock(const struct smi_summary *a, const struct smi_summary *b)
{
    return a->zoned == b->zoned && (!a->zoned || a->offset_s == b->offset_s);
}

/* Returns 1 if all runs are on one clock, else 2. */
static int count_clocks(const struct smi_sweep *s)
{
    const struct smi_summary *first = NULL;
    for (size_t i = 0; i < s->n; i++) {
        first = first || !s->runs[i].has_start ? first : &s->runs[i];
        if (s->runs[i].has_start && !is_same_clock(first, &s->runs[i]))
            return 2;
    }
    return 1;
}

/* The start of a run, with its zone where runs are on different clocks. */
static const char *start_text(struct smi_text_arena *g, const struct smi_summary *s)
{
    int minutes = (s->offset_s < 0 ? -s->offset_s : s->offset_s) / 60;
    const char *zone = "";
    if (!s->has_start)
        return "-";
    g->clocks = g->clocks ? g->clocks : count_clocks(g->sweep);
    if (g->clocks != 1)
        zone = s->zoned ? smi_fmt(g, " %c%02d:%02d", s->offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60)
                        : " local";
    return smi_fmt(g, "%s %s%s", smi_fmt_timestamp(g, s, s->start_ms, 0, 10),
                   smi_fmt_timestamp(g, s, s->start_ms, 11, 8), zone);
}

static const char *gpu_count_text(struct smi_text_arena *g, const struct smi_summary *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        n += !s->gpus[i].pooled;
    return n ? smi_fmt(g, "%zu", n) : "-";
}

const char *smi_run_cell_text(struct smi_text_arena *g, int id, const struct smi_summary *s)
{
    static const char *const state[] = {"ok", "FAILED", "cut", "-", "no-data"};
    const struct smi_run_table_column *c = &smi_run_table_columns[id];
    struct smi_value v;
    int64_t ms;
    switch (c->kind) {
    case SMI_AS_VALUE:
        return smi_fmt_value(g, smi_run_cell_value(id, s), c->digits);
    case SMI_AS_GIB:
        v = smi_run_cell_value(id, s);
        return v.has ? smi_fmt_ratio(g, v.micro, (smi_i128)1024 * 1000000, c->digits) : "-";
    case SMI_AS_HEADLINE:
        return smi_fmt_mean(g, &s->block, (int)c->at);
    case SMI_AS_HOURS:
        ms = smi_run_cell_ms(id, s);
        return ms < 0 ? "-" : smi_fmt_hours(g, ms);
    case SMI_AS_SPAN:
        return smi_fmt_duration(g, s->duration_s);
    case SMI_AS_COUNT:
        return gpu_count_text(g, s);
    case SMI_AS_INSTANT:
        return start_text(g, s);
    default:
        return id == SMI_RUNS_STATE  ? state[s->state]
               : id == SMI_RUNS_HOST ? smi_fmt_safe(g, s->hostname)
                                     : smi_run_note_text(g, s);
    }
}

void smi_total_as_run(struct smi_summary *all, const struct smi_sweep *s)
{
    const struct smi_total *t = &s->total;
    *all = (struct smi_summary){.duration_s = t->duration_s,
                                .block = t->block,
                                .idle_pct = t->idle_pct,
                                .energy_wh = t->energy_wh,
                                .waste = t->waste,
                                .cost = t->cost,
                                .wasted_cost[5] = t->wasted_cost[5],
                                .wasted_h[5] = t->wasted_h[5]};
    for (size_t i = 0; i < s->n; i++) {
        struct smi_value vram = s->runs[i].vram.used_peak_mb, temp = s->runs[i].temp_max;
        if (vram.has && vram.micro >= all->vram.used_peak_mb.micro)
            all->vram.used_peak_mb = vram;
        if (temp.has && temp.micro >= all->temp_max.micro)
            all->temp_max = temp;
    }
}
