/* html_columns.c - the columns of the table of runs: what each says of a run, in the words of the text table.
 */
#include "base/clock.h"
#include "report/html.h"

#include <string.h>

static const char *state(struct smi_text_arena *g, const struct smi_summary *s)
{
    static const char *const word[] = {"ok", "FAILED", "cut", "-", "no-data"};
    (void)g;
    return word[s->state];
}

static const char *duration(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_duration(g, s->duration_s);
}

static int64_t duration_ms(const struct smi_summary *s)
{
    return s->duration_s.has ? s->duration_s.micro / 1000 : -1;
}

static const char *util(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_mean(g, &s->block, SMI_FIG_UTIL);
}

static struct smi_value p95_of(const struct smi_summary *s)
{
    return s->gpu_util_p95;
}

static const char *p95(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_value(g, s->gpu_util_p95, 0);
}

static struct smi_value idle_of(const struct smi_summary *s)
{
    return s->idle_pct;
}

static const char *idle(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_value(g, s->idle_pct, 1);
}

static struct smi_value vram_of(const struct smi_summary *s)
{
    return s->vram.used_peak_mb;
}

static const char *vram(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_gib(g, s->vram.used_peak_mb);
}

static struct smi_value vram_total_of(const struct smi_summary *s)
{
    return s->vram.total_mb;
}

static const char *vram_total(struct smi_text_arena *g, const struct smi_summary *s)
{
    return s->vram.total_mb.has ? smi_fmt_ratio(g, s->vram.total_mb.micro, (smi_i128)1024 * 1000000, 0) : "-";
}

static struct smi_value power_of(const struct smi_summary *s)
{
    return s->power_sum_w;
}

static const char *power(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_value(g, s->power_sum_w, 1);
}

static struct smi_value temperature_of(const struct smi_summary *s)
{
    return s->temp_max;
}

static const char *temperature(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_value(g, s->temp_max, 0);
}

static const char *cpu(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_mean(g, &s->block, SMI_FIG_CPU);
}

static const char *slowed(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_value(g, smi_most_throttled(s), 1);
}

static struct smi_value energy_of(const struct smi_summary *s)
{
    return s->energy_wh;
}

static const char *energy(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_value(g, s->energy_wh, 1);
}

static const char *gpus(struct smi_text_arena *g, const struct smi_summary *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        n += !s->gpus[i].pooled;
    return n ? smi_fmt(g, "%zu", n) : "-";
}

static const char *gpu_hours(struct smi_text_arena *g, const struct smi_summary *s)
{
    return s->gpu_hours.has ? smi_fmt_hours(g, s->covered_ms) : "-";
}

static int64_t covered(const struct smi_summary *s)
{
    return s->gpu_hours.has ? s->covered_ms : -1;
}

static bool waste_known(const struct smi_summary *s)
{
    return smi_waste_known(s->wasted_h[5], s->idle_pct, &s->waste);
}

static const char *wasted(struct smi_text_arena *g, const struct smi_summary *s)
{
    return waste_known(s) ? smi_fmt_hours(g, smi_wasted_ms(&s->waste)) : "-";
}

static int64_t wasted_ms(const struct smi_summary *s)
{
    return waste_known(s) ? smi_wasted_ms(&s->waste) : -1;
}

static struct smi_value wasted_cost_of(const struct smi_summary *s)
{
    return s->wasted_cost[5];
}

static const char *wasted_cost(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_value(g, s->wasted_cost[5], 2);
}

#define PART(name, id)                                                                 \
    static const char *name(struct smi_text_arena *g, const struct smi_summary *s)     \
    {                                                                                  \
        return waste_known(s) ? smi_fmt_hours(g, smi_waste_part(&s->waste, id)) : "-"; \
    }                                                                                  \
    static int64_t name##_ms(const struct smi_summary *s)                              \
    {                                                                                  \
        return waste_known(s) ? smi_waste_part(&s->waste, id) : -1;                    \
    }
PART(failed, 0)
PART(unused, 1)
PART(start, 2)
PART(stall, 3)
PART(end, 4)
#undef PART

static const char *unknown(struct smi_text_arena *g, const struct smi_summary *s)
{
    return s->gpu_hours.has ? smi_fmt_hours(g, smi_unknown_ms(s)) : "-";
}

static int64_t unknown_ms(const struct smi_summary *s)
{
    return s->gpu_hours.has ? smi_unknown_ms(s) : -1;
}

static bool same_clock(const struct smi_summary *a, const struct smi_summary *b)
{
    return a->zoned == b->zoned && (!a->zoned || a->offset_s == b->offset_s);
}

static int clocks(const struct smi_sweep *s)
{
    const struct smi_summary *first = NULL;
    for (size_t i = 0; i < s->n; i++) {
        first = first || !s->runs[i].has_start ? first : &s->runs[i];
        if (s->runs[i].has_start && !same_clock(first, &s->runs[i]))
            return 2;
    }
    return 1;
}

/* The zone, where runs stand on different clocks. */
static const char *zone(struct smi_text_arena *g, const struct smi_summary *s)
{
    int minutes = (s->offset_s < 0 ? -s->offset_s : s->offset_s) / 60;
    g->clocks = g->clocks ? g->clocks : clocks(g->sweep);
    return g->clocks == 1 ? ""
           : s->zoned ? smi_fmt(g, " %c%02d:%02d", s->offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60)
                      : " local";
}

static const char *began(struct smi_text_arena *g, const struct smi_summary *s)
{
    return s->has_start ? smi_fmt(g, "%s %s%s", smi_fmt_timestamp(g, s, s->start_ms, 0, 10),
                                  smi_fmt_timestamp(g, s, s->start_ms, 11, 8), zone(g, s))
                        : "-";
}

static int64_t began_ms(const struct smi_summary *s)
{
    return s->has_start ? s->start_ms : SMI_HTML_NEVER;
}

static const char *host(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_middle(g, smi_fmt_safe(g, s->hostname), SMI_HTML_TEXT, SMI_HTML_TEXT / 2);
}

static const char *note(struct smi_text_arena *g, const struct smi_summary *s)
{
    return smi_fmt_middle(g, smi_run_note_text(g, s), SMI_HTML_TEXT, SMI_HTML_TEXT / 2);
}

const struct smi_html_column smi_html_columns[] = {
    {"run", "Run", "Its path below the directory given", SMI_HTML_NAME, false, false, 0, NULL, NULL, "run",
     NULL},
    {"state", "State", "ok, FAILED, cut (no end in its log), no-data (no GPU log); - without a run log",
     SMI_HTML_WORDS, false, false, 0, state, NULL, "state", NULL},
    {"time", "Time", "How long it ran", SMI_HTML_SPAN, false, false, 0, duration, duration_ms, "duration_s",
     NULL},
    {"gpu", "GPU %", "Mean utilisation of all its GPUs: share of time with at least one kernel",
     SMI_HTML_NUMBER, false, false, SMI_CELL_UTIL, util, NULL, "gpu_util_mean_pct", NULL},
    {"p95", "p95 %", "95th percentile of utilisation, of its busiest GPU", SMI_HTML_NUMBER, true, false, 0,
     p95, NULL, "gpu_util_p95_pct", p95_of},
    {"idle", "Idle %", "Share of the GPU time at or below the idle limit", SMI_HTML_NUMBER, false, false,
     SMI_CELL_IDLE, idle, NULL, "idle_pct", idle_of},
    {"vram", "VRAM GiB", "Peak of the memory used of one GPU; the framework's own peak where its log has it",
     SMI_HTML_NUMBER, false, false, SMI_CELL_VRAM, vram, NULL, "vram_used_peak_mb", vram_of},
    {"total", "of GiB", "Memory that a GPU has", SMI_HTML_NUMBER, true, false, 0, vram_total, NULL,
     "vram_total_mb", vram_total_of},
    {"power", "Power W", "Power of all its GPUs together, mean over time", SMI_HTML_NUMBER, true, false, 0,
     power, NULL, "power_sum_w", power_of},
    {"temp",
     "Max \xc2\xb0"
     "C",
     "Highest temperature of any of its GPUs", SMI_HTML_NUMBER, true, false, 0, temperature, NULL,
     "temp_max_c", temperature_of},
    {"cpu", "CPU %", "Mean use of the machine's CPUs by user processes", SMI_HTML_NUMBER, false, false,
     SMI_CELL_CPU, cpu, NULL, "cpu_usr_mean_pct", NULL},
    {"slowed", "Slowed %", "Largest share of time that a GPU was slowed by heat, power or a setting",
     SMI_HTML_NUMBER, true, false, SMI_CELL_SLOW, slowed, NULL, "throttled_pct", smi_most_throttled},
    {"wh", "Wh", "Energy of its GPUs", SMI_HTML_NUMBER, false, false, 0, energy, NULL, "energy_wh",
     energy_of},
    {"gpus", "GPUs", "GPUs with readings", SMI_HTML_NUMBER, true, false, 0, gpus, NULL, "ngpus", NULL},
    {"gpuh", "GPU-h", "GPU-hours with readings", SMI_HTML_NUMBER, true, false, 0, gpu_hours, covered,
     "gpu_hours", NULL},
    {"wasted", "Wasted h", "GPU-hours wasted: failed + unused + start + stall + end", SMI_HTML_NUMBER, false,
     false, SMI_CELL_WASTED, wasted, wasted_ms, "wasted_total_h", NULL},
    {"cost", "Wasted $", "What the wasted GPU-hours cost", SMI_HTML_NUMBER, false, true, 0, wasted_cost, NULL,
     "wasted_cost", wasted_cost_of},
    {"failed", "Failed h", "GPU-hours of a failed run: all of them", SMI_HTML_NUMBER, true, false, 0, failed,
     failed_ms, "wasted_failed_h", NULL},
    {"unused", "Unused h", "GPU-hours of GPUs that never worked", SMI_HTML_NUMBER, true, false, 0, unused,
     unused_ms, "wasted_unused_h", NULL},
    {"start", "Start h", "GPU-hours idle before the first work", SMI_HTML_NUMBER, true, false, 0, start,
     start_ms, "wasted_start_h", NULL},
    {"stall", "Stall h", "GPU-hours idle between work", SMI_HTML_NUMBER, true, false, 0, stall, stall_ms,
     "wasted_stall_h", NULL},
    {"end", "End h", "GPU-hours idle after the last work", SMI_HTML_NUMBER, true, false, 0, end, end_ms,
     "wasted_end_h", NULL},
    {"unknown", "Not known h", "GPU-hours without a reading of utilisation: neither used nor wasted",
     SMI_HTML_NUMBER, true, false, 0, unknown, unknown_ms, "not_known_h", NULL},
    {"began", "Start", "When it began, on the clock of its GPU logs", SMI_HTML_INSTANT, true, false, 0, began,
     began_ms, "start", NULL},
    {"host", "Host", "The machine that it ran on", SMI_HTML_WORDS, true, false, 0, host, NULL, "hostname",
     NULL},
    {"note", "Note", "What is worst about it", SMI_HTML_WORDS, false, false, 0, note, NULL, "note", NULL},
    {NULL, NULL, NULL, SMI_HTML_WORDS, false, false, 0, NULL, NULL, NULL, NULL},
};

bool smi_html_column_shown(const struct smi_html_page *h, const struct smi_html_column *c)
{
    return !c->priced || h->g.look->money;
}
