/* What the boards were: how full, how fast, how healthy; and metrics that cannot be true. */
#include "summary/finding_check_private.h"

#include <string.h>

/* ---- memory ---- */

enum { SPARE = 15 /* % beyond what was used, of a card that would do */ };

/* The smallest usual card on which so much memory fits, in GB of 10^9 bytes: what the vendors print is less
 * than what the driver shows. */
static int smallest_card_mib(int64_t micro_mib)
{
    static const int gb[] = {8, 12, 16, 24, 32, 40, 48, 80, 96, 141, 180};
    for (size_t i = 0; i < sizeof gb / sizeof *gb; i++)
        if ((smi_i128)micro_mib * 1048576 <= (smi_i128)gb[i] * 1000000000 * 1000000)
            return gb[i];
    return 0;
}

/* MIG slices of boards whose profiles are known, smallest first. Source: NVIDIA's MIG user guide. */
static const char *smallest_slice(const char *name, int64_t total, int64_t need)
{
    static const struct {
        const char *board;
        int board_gb;
        struct {
            int gb;
            const char *name;
        } slice[3];
    } boards[] = {{"A100", 40, {{5, "1g.5gb"}, {10, "2g.10gb"}, {20, "3g.20gb"}}},
                  {"A100", 80, {{10, "1g.10gb"}, {20, "2g.20gb"}, {40, "3g.40gb"}}},
                  {"H100", 80, {{10, "1g.10gb"}, {20, "2g.20gb"}, {40, "3g.40gb"}}},
                  {"H100", 96, {{12, "1g.12gb"}, {24, "2g.24gb"}, {47, "3g.47gb"}}}, /* 94 GB */
                  {"GH200", 96, {{12, "1g.12gb"}, {24, "2g.24gb"}, {48, "3g.48gb"}}},
                  {"NVIDIA H200", 141, {{18, "1g.18gb"}, {35, "2g.35gb"}, {71, "3g.71gb"}}},
                  {"B200", 180, {{23, "1g.23gb"}, {45, "2g.45gb"}, {90, "3g.90gb"}}},
                  {"A30", 24, {{6, "1g.6gb"}, {12, "2g.12gb"}, {0, NULL}}}};
    for (size_t i = 0; i < sizeof boards / sizeof *boards && name; i++) {
        if (!strstr(name, boards[i].board) || smallest_card_mib(total / 100 * 93) != boards[i].board_gb)
            continue;
        for (int k = 0; k < 3 && boards[i].slice[k].name; k++)
            if ((smi_i128)need * 1048576 <= (smi_i128)boards[i].slice[k].gb * 1000000000 * 1000000)
                return boards[i].slice[k].name;
    }
    return NULL;
}

/* "a card of 12 GB or MIG 1g.10gb would do"; NULL if nothing smaller would. */
static const char *smaller_gpu_advice(struct smi_rule_check *j)
{
    const struct smi_summary *s = j->s;
    int64_t need = (int64_t)smi_i128_div((smi_i128)s->vram.used_peak_mb.micro * (100 + SPARE), 100);
    const char *name = s->ngpus ? s->gpus[0].name : NULL,
               *slice = smallest_slice(name, s->vram.total_mb.micro, need);
    int card = smallest_card_mib(need);
    bool less =
        card && (smi_i128)card * 1000000000 * 1000000 * 10 < (smi_i128)s->vram.total_mb.micro * 1048576 * 9;
    if (less && slice)
        return smi_finding_format(j, "a card of %d GB or the MIG slice %s would do, with %d %% to spare",
                                  card, slice, SPARE);
    return less ? smi_finding_format(j, "a card of %d GB would do, with %d %% to spare", card, SPARE) : NULL;
}

/* Near full: 98 %, as the live screen has it. Mostly empty: under 40 % half the card would
 * do, with room to spare. */
SMI_RULE_CHECK(memory)
{
    const struct smi_summary *s = j->s;
    bool worked = false;
    const char *less;
    for (size_t i = 0; i < s->ngpus; i++)
        worked |= s->gpus[i].worked;
    d->f.value = smi_finding_memory_share(s);
    if (!smi_finding_breaks_limit(j, &d->f) || !worked || s->state == SMI_STATE_FAILED)
        return false;
    less = d->f.rule == SMI_RULE_MEMORY_NEAR_FULL ? NULL : smaller_gpu_advice(j);
    d->f.advice = less ? less : d->f.advice;
    d->more = smi_finding_format(j, ", %s of %s GiB", smi_finding_gib_text(j, s->vram.used_peak_mb.micro),
                                 smi_finding_gib_text(j, s->vram.total_mb.micro));
    return true;
}

/* ---- speed ---- */

static const struct {
    enum smi_rule_id rule;
    const char *reason; /* as smi_throttle.reason */
} reasons[] = {{SMI_RULE_THROTTLE_HW_THERMAL, "hw_thermal_slowdown"},
               {SMI_RULE_THROTTLE_SW_THERMAL, "sw_thermal_slowdown"},
               {SMI_RULE_THROTTLE_POWER_BRAKE, "hw_power_brake_slowdown"},
               {SMI_RULE_THROTTLE_HW_SLOWDOWN, "hw_slowdown"},
               {SMI_RULE_THROTTLE_POWER_CAP, "sw_power_cap"},
               {SMI_RULE_THROTTLE_SYNC_BOOST, "sync_boost"},
               {SMI_RULE_THROTTLE_SETTING, "applications_clocks_setting"}};

/* Where a log has no reasons: shares of time, counters of microseconds, and flags that tell the same. pviol
 * is that of the power limit; tviol does not say whose heat protection it was. Source: NVML's violation
 * status, dmon -s v, AMD SMI. */
static const struct {
    enum smi_rule_id rule;
    uint16_t metric;
    const char *more;
} violations[] = {{SMI_RULE_THROTTLE_HW_THERMAL, SMI_THROTTLE_US_HW_THERMAL, " (hardware)"},
                  {SMI_RULE_THROTTLE_HW_THERMAL, SMI_PROCHOT_VIOL, " (signal of the board)"},
                  {SMI_RULE_THROTTLE_HW_THERMAL, SMI_VR_VIOL, " (voltage regulators)"},
                  {SMI_RULE_THROTTLE_HW_THERMAL, SMI_HBM_VIOL, " (memory)"},
                  {SMI_RULE_THROTTLE_SW_THERMAL, SMI_THROTTLE_US_SW_THERMAL, " (driver)"},
                  {SMI_RULE_THROTTLE_SW_THERMAL, SMI_THERMAL_VIOL, ""},
                  {SMI_RULE_THROTTLE_SW_THERMAL, SMI_THERMAL_VIOL_PCT, ""},
                  {SMI_RULE_THROTTLE_POWER_BRAKE, SMI_THROTTLE_US_HW_BRAKE, ""},
                  {SMI_RULE_THROTTLE_POWER_CAP, SMI_THROTTLE_US_SW_POWER, ""},
                  {SMI_RULE_THROTTLE_POWER_CAP, SMI_POWER_VIOL, ""},
                  {SMI_RULE_THROTTLE_SYNC_BOOST, SMI_THROTTLE_US_SYNC, ""}};

/* For how much of its time a GPU was held down. */
struct slowed {
    struct smi_value pct;
    int64_t ms;
    const char *more;
};

/* A metric as a share of time: counters count from the first row to the last, gaps as well. */
static struct smi_value violated(const struct smi_gpu *g, unsigned metric)
{
    const struct smi_stats *x = smi_gpu_stats(g, metric);
    int64_t ms = g->covered_ms + g->gap_ms;
    struct smi_value v = {0, false};
    if (!x || x->count < SMI_RULE_SAMPLES)
        return v;
    if (smi_metrics[metric].kind == SMI_COUNTER)
        v = (struct smi_value){x->increase.micro / 10,
                               x->increase.has && ms > 0}; /* us in millionths to 100 ms */
    else
        v = x->mean;
    if (smi_metrics[metric].kind == SMI_COUNTER && v.has)
        v.micro = (int64_t)smi_i128_div(v.micro, ms);
    else if (metric == SMI_THERMAL_VIOL)
        v.micro = v.micro < 1000000 ? v.micro * 100 : 100000000;
    v.micro = v.micro < 100000000 ? v.micro : 100000000;
    return v;
}

/* By the reason of a rule, else by what stands for it, whichever says most. */
static struct slowed slowed(const struct smi_gpu *g, enum smi_rule_id rule)
{
    struct slowed best = {.more = ""};
    const char *reason = "";
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        reason = reasons[i].rule == rule ? reasons[i].reason : reason;
    for (size_t i = 0; i < sizeof violations / sizeof *violations; i++)
        best.more = violations[i].rule == rule && *best.more == 0 ? violations[i].more : best.more;
    for (size_t i = 0; i < g->throttles; i++)
        if (strcmp(g->throttle[i].reason, reason) == 0)
            return (struct slowed){g->throttle[i].pct, g->throttle[i].active_ms, best.more};
    for (size_t i = 0; i < sizeof violations / sizeof *violations; i++) {
        struct smi_value v =
            violations[i].rule == rule ? violated(g, violations[i].metric) : (struct smi_value){0};
        if (v.has && (!best.pct.has || v.micro > best.pct.micro))
            best = (struct slowed){v, (int64_t)smi_i128_div((smi_i128)g->covered_ms * v.micro, 100000000),
                                   violations[i].more};
    }
    return best;
}

/* 5 %: as gates on throttling are set. The power limit holds at full load: a quarter of the time is worth a
 * word. The hardware slowdown is set with each of its causes, and tells nothing where one of them is known.
 */
SMI_RULE_CHECK(throttle)
{
    struct slowed s = slowed(d->gpu, (enum smi_rule_id)d->f.rule);
    d->f.gpu_ms = s.ms;
    d->f.value = s.pct;
    d->f.seconds = smi_value_of(s.ms * 1000);
    d->f.has_from = false;
    d->more = s.more;
    return d->f.rule != SMI_RULE_THROTTLE_HW_SLOWDOWN ||
           !(smi_finding_exists(j, SMI_RULE_THROTTLE_HW_THERMAL, d->gpu) ||
             smi_finding_exists(j, SMI_RULE_THROTTLE_POWER_BRAKE, d->gpu));
}

static bool is_throttled(const struct smi_rule_check *j, const struct smi_gpu *g)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (smi_finding_exists(j, reasons[i].rule, g))
            return true;
    return false;
}

enum { AT_WORK = 50 /* %: utilisation of a GPU whose clocks should be up */ };

/* Boards at their power limit run at 60 to 75 % of the highest clock; below that something else holds them.
 */
SMI_RULE_CHECK(clocks_low)
{
    const struct smi_gpu *g = d->gpu;
    const struct smi_stats *use = smi_gpu_stats(g, SMI_GPU_UTIL), *clock = smi_gpu_stats(g, SMI_CLK_SM),
                           *most = smi_gpu_stats(g, SMI_CLK_MAX_SM);
    if (!use || !clock || !most || most->max.micro <= 0 || use->p[2].micro < AT_WORK * (int64_t)1000000 ||
        is_throttled(j, g) || smi_finding_exists(j, SMI_RULE_ZERO_METRIC, g))
        return false;
    d->f.value = smi_value_ratio((smi_i128)clock->p[3].micro * 100 * 1000000, most->max.micro);
    d->more = smi_finding_format(j, ", %lld of %lld MHz", (long long)(clock->p[3].micro / 1000000),
                                 (long long)(most->max.micro / 1000000));
    return true;
}

/* ---- metrics that cannot be true ---- */

enum {
    DRAWS = 40 /* % of the power limit, more than an idle board takes */,
    WORKS = 10 /* % of utilisation */
};

bool smi_finding_has_unseen_work(const struct smi_gpu *gpu)
{
    const struct smi_stats *util = smi_gpu_stats(gpu, SMI_GPU_UTIL);
    struct smi_value power = smi_finding_metric_mean(gpu, SMI_POWER), most = smi_finding_power_limit(gpu);
    return util && util->max.micro == 0 && power.has && most.has &&
           (smi_i128)power.micro * 100 >= (smi_i128)most.micro * DRAWS;
}

/* Utilisation is 0 while the power shows work; or another metric is 0 while the utilisation does. */
static const char *untrue_metrics(struct smi_rule_check *j, const struct smi_gpu *g)
{
    static const uint16_t never_0[] = {SMI_FB_USED, SMI_POWER, SMI_TEMP_GPU, SMI_CLK_SM, SMI_CLK_MEM};
    struct smi_value use = smi_finding_metric_mean(g, SMI_GPU_UTIL);
    if (smi_finding_has_unseen_work(g))
        return smi_finding_format(j, "%s is always 0 while it draws %s W", smi_metrics[SMI_GPU_UTIL].key,
                                  smi_finding_value_text(j, smi_finding_metric_mean(g, SMI_POWER), ""));
    for (size_t i = 0; i < sizeof never_0 / sizeof *never_0; i++) {
        const struct smi_stats *x = smi_gpu_stats(g, never_0[i]);
        if (x && x->count >= SMI_RULE_SAMPLES && x->min.micro == 0 && x->max.micro == 0 && use.has &&
            use.micro >= WORKS * (int64_t)1000000)
            return smi_finding_format(j, "%s is always 0 at a utilisation of %s over time",
                                      smi_metrics[never_0[i]].key, smi_finding_value_text(j, use, "%"));
    }
    return NULL;
}

SMI_RULE_CHECK(zero_metric)
{
    d->f.value = smi_value_of(0);
    d->more = untrue_metrics(j, d->gpu);
    return d->more;
}
