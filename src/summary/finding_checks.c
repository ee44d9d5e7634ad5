/* finding_checks.c - the checks of one run, a function for each rule */
#include "summary/finding_check_private.h"
#include "summary/findings.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* What was lost: failed runs, GPUs that were never used, idle time. The GPU time of these is that of the
 * waste table (docs/numbers.md §11), so of a failed run there is nothing but that it failed. */

/* "per_process_memory_fraction is 0.4: ...": a parameter by which a framework takes only a share of the
 * memory. */
static const char *memory_fraction_advice(struct smi_rule_check *j)
{
    static const char *const ends[] = {"mem_fraction", "memory_fraction", "gpu_memory_utilization"};
    for (size_t i = 0; i < j->s->nparams; i++) {
        const struct smi_param *p = &j->s->params[i];
        size_t n = strlen(p->key);
        int64_t share;
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
            if (n >= strlen(ends[k]) &&
                smi_text_is_nocase(smi_text_of(p->key + n - strlen(ends[k])), ends[k]) &&
                smi_text_parse_micro(smi_text_of(p->text), &share) == 0 && share > 0 && share < 1000000)
                return smi_finding_format(j, "%.100s is %.20s: a larger fraction, or a smaller batch", p->key,
                                          p->text);
    }
    return NULL;
}

/* What JAX takes at its start is all that it ever has. */
enum { TAKEN = 95 /* %: less of the memory than that is left to others on purpose */ };

static const char *out_of_memory_advice(struct smi_rule_check *j)
{
    const struct smi_summary *s = j->s;
    const char *known = memory_fraction_advice(j);
    if (known || !s->vram.level || !s->vram.source || strcmp(s->vram.source, "jax") ||
        (smi_i128)s->vram.device_peak_mb.micro * 100 >= (smi_i128)s->vram.total_mb.micro * TAKEN)
        return known;
    return smi_finding_format(j,
                              "JAX took %s of %s GiB at its start: a larger XLA_PYTHON_CLIENT_MEM_FRACTION, "
                              "or a smaller batch",
                              smi_finding_gib_text(j, s->vram.device_peak_mb.micro),
                              smi_finding_gib_text(j, s->vram.total_mb.micro));
}

SMI_RULE_CHECK(failed)
{
    const struct smi_summary *s = j->s;
    const bool memory = smi_text_is(smi_reason_cause(s->state_reason), SMI_REASON_MEMORY);
    if (s->state != SMI_STATE_FAILED || memory != (d->f.rule == SMI_RULE_OUT_OF_MEMORY))
        return false;
    if (!memory && s->state_reason && strcmp(s->state_reason, "failed"))
        d->more = smi_finding_format(j, ": %s", s->state_reason);
    if (memory) {
        const char *fraction = out_of_memory_advice(j);
        d->f.value = smi_finding_memory_share(s);
        d->f.advice = fraction ? fraction : d->f.advice;
    }
    if (d->f.value.has)
        d->more =
            smi_finding_format(j, " at %s of %s GiB", smi_finding_gib_text(j, s->vram.used_peak_mb.micro),
                               smi_finding_gib_text(j, s->vram.total_mb.micro));
    return true;
}

/* What the driver itself takes is no use of memory. */
static const char *held_memory_text(struct smi_rule_check *j, int64_t micro_mib)
{
    return micro_mib < 51 * (int64_t)1000000 ? ", no memory in use"
                                             : smi_finding_format(j, ", at most %s GiB of its memory in use",
                                                                  smi_finding_gib_text(j, micro_mib));
}

SMI_RULE_CHECK(unused)
{
    const struct smi_gpu *g = d->gpu;
    const struct smi_stats *use = smi_gpu_stats(g, SMI_GPU_UTIL), *memory = smi_gpu_stats(g, SMI_FB_USED);
    if (j->s->state == SMI_STATE_FAILED || g->worked || g->known_ms == 0 || !use ||
        smi_finding_has_unseen_work(g))
        return false;
    d->f.value = use->max;
    d->f.limit = smi_value_of(j->s->idle_below);
    d->more = memory ? held_memory_text(j, memory->max.micro) : NULL;
    return true;
}

enum { PHASE_BYTES = 100 /* of a name in a sentence */ };

/* ", 1m41s of it in phase compile"; "" where it tells little. */
static const char *in_phase_text(struct smi_rule_check *j, const char *phase, int64_t ms, int64_t all_ms)
{
    int n = 0;
    if (!phase || ms * 4 < all_ms)
        return "";
    while (phase[n] &&
           (n < PHASE_BYTES || ((unsigned char)phase[n] & 0xC0) == 0x80)) /* no half of a character */
        n++;
    if (ms * 20 >= all_ms * 19)
        return smi_finding_format(j, ", in phase %.*s", n, phase);
    return smi_finding_format(j, ", %s of it in phase %.*s",
                              smi_finding_value_text(j, (struct smi_value){ms * 1000, true}, "s"), n, phase);
}

/* Idle before the first work (rule start), or after the last (rule end), of all GPUs that worked: the
 * longest, and the sum. */
SMI_RULE_CHECK(idle_edge)
{
    const struct smi_summary *s = j->s;
    const struct smi_gpu *last = NULL, *longest = NULL;
    enum smi_rule_id rule = (enum smi_rule_id)d->f.rule;
    bool lead = rule == SMI_RULE_START;
    int64_t most = 0, sum = 0;
    size_t worked = 0, n = 0; /* of the GPUs; that were idle for long */
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        int64_t ms = !g->worked ? 0 : lead ? g->lead_ms : g->trail_ms;
        bool is_long = ms > 0 && smi_rule_applies(j, rule, g) && ms * 1000 >= j->rule[rule].limit;
        worked += g->worked && !g->pooled;
        n += is_long;
        last = is_long ? g : last;
        sum += ms;
        longest = ms > most && is_long ? g : longest;
        most = ms > most && is_long ? ms : most;
    }
    if (s->state == SMI_STATE_FAILED || n == 0)
        return false;
    d->f.gpu_ms = sum;
    d->f.value = d->f.seconds = smi_value_of(most * 1000);
    d->f.has_from &= lead;
    d->f.phase = lead ? longest->lead_in.phase : longest->trail_in.phase;
    d->more = smi_finding_format(
        j, "%s%s",
        n == worked ? ""
        : n == 1    ? smi_finding_format(j, ", %s", smi_finding_gpu_text(j, last))
                    : smi_finding_format(j, ", %zu of %zu GPUs", n, worked),
        in_phase_text(j, d->f.phase, lead ? longest->lead_in.ms : longest->trail_in.ms, most));
    return true;
}

/* ---- stalls ---- */

static int64_t stalled_ms(const struct smi_gpu *g)
{
    return g->idle_ms - g->lead_ms - g->trail_ms;
}

static bool has_long_stall(const struct smi_rule_check *j, enum smi_rule_id rule, const struct smi_gpu *g)
{
    return g->stall_ms > 0 && smi_rule_applies(j, rule, g) && g->stall_ms * 1000 >= j->rule[rule].limit;
}

/* Time of a's longest stall within b's. */
static int64_t stall_overlap_ms(const struct smi_gpu *a, const struct smi_gpu *b)
{
    int64_t from = a->stall_from_ms > b->stall_from_ms ? a->stall_from_ms : b->stall_from_ms;
    int64_t x = a->stall_from_ms + a->stall_ms, y = b->stall_from_ms + b->stall_ms, to = x < y ? x : y;
    return to > from ? to - from : 0;
}

/* Did a and b stand still together, for half of the longer time at least? */
static bool stalled_together(const struct smi_gpu *a, const struct smi_gpu *b)
{
    int64_t most = a->stall_ms > b->stall_ms ? a->stall_ms : b->stall_ms;
    return a->has_stall_from && b->has_stall_from && stall_overlap_ms(a, b) * 2 >= most;
}

/* The GPU whose stall is the longest, if all stood still with it; else NULL. */
static const struct smi_gpu *all_stall(const struct smi_rule_check *j, enum smi_rule_id rule)
{
    const struct smi_gpu *most = NULL;
    for (size_t i = 0; i < j->s->ngpus; i++)
        if (!j->s->gpus[i].pooled && (!most || j->s->gpus[i].stall_ms > most->stall_ms))
            most = &j->s->gpus[i];
    for (size_t i = 0; most && i < j->s->ngpus; i++)
        if (!j->s->gpus[i].pooled &&
            (!has_long_stall(j, rule, &j->s->gpus[i]) || !stalled_together(most, &j->s->gpus[i])))
            return NULL;
    return most;
}

/* Did it work for half of the stall at least, so far as its sums tell? Of its idle time between work only the
 * longest stretch has a place; the rest, and time of which nothing is known, is all laid into the stall. */
static bool works_in(const struct smi_gpu *g, const struct smi_gpu *stall)
{
    int64_t to = stall->stall_from_ms + stall->stall_ms, unknown = g->gap_ms + g->covered_ms - g->known_ms;
    int64_t longest = g->has_stall_from ? stall_overlap_ms(g, stall) : g->stall_ms;
    int64_t idle = stalled_ms(g) - g->stall_ms + longest + unknown;
    return g->worked && g->has_span && stall->has_stall_from && idle * 2 <= stall->stall_ms &&
           g->first_ms + g->lead_ms <= stall->stall_from_ms && g->last_ms - g->trail_ms >= to;
}

/* " while GPU 0 worked", or NULL. */
static const char *others_work(struct smi_rule_check *j, const struct smi_gpu *stall)
{
    const struct smi_gpu *one = NULL;
    size_t n = 0, all = 0;
    for (size_t i = 0; i < j->s->ngpus; i++) {
        const struct smi_gpu *g = &j->s->gpus[i];
        bool works = g != stall && !g->pooled && works_in(g, stall);
        all += g != stall && !g->pooled;
        n += works;
        one = works ? g : one;
    }
    return n == 0    ? NULL
           : n == 1  ? smi_finding_format(j, " while %s worked", smi_finding_gpu_text(j, one))
           : n < all ? smi_finding_format(j, " while %zu of the other %zu worked", n, all)
                     : smi_finding_format(j, " while the other %zu worked", n);
}

/* " while one CPU was 96 % busy"; NULL where nothing is known of the CPUs. *advice: what that hints at, left
 * as it is where it hints at nothing. */
static const char *stall_cpu_text(struct smi_rule_check *j, const struct smi_gpu *stall, const char **advice)
{
    enum { FEW = 500000, ONE = 1500000, NOTHING = 300000, MANY = 50000000 }; /* millionths of CPUs; of % */
    struct smi_value use = stall->stall_cpu, usual = smi_finding_cpu_usage(j->s);
    int64_t n = j->s->cpus, busy;
    bool some, many;
    if (!use.has || n > INT32_MAX || use.micro > 100000000)
        return NULL;
    busy = (int64_t)smi_i128_div((smi_i128)use.micro * n, 100);
    some = n ? busy >= FEW : use.micro >= NOTHING;
    many = n > 1 ? busy >= ONE : use.micro >= MANY;
    if (!some)
        *advice = "waiting for disks, the network or another machine?";
    else if (many && usual.has && use.micro * 5 >= usual.micro * 4)
        *advice = "input-bound: loading or preparing data on the CPUs?";
    else if (n > 1 && !many)
        *advice = "data loading on one thread?";
    if (!some)
        return " while programs used hardly any CPU";
    if (n == 0)
        return smi_finding_format(j, " while the CPUs were %s busy", smi_finding_value_text(j, use, "%"));
    if (n == 1)
        return smi_finding_format(j, " while the CPU was %s busy", smi_finding_value_text(j, use, "%"));
    if (many)
        return smi_finding_format(j, " while %s of %lld CPUs were busy", smi_finding_tenths_text(j, busy),
                                  (long long)n);
    busy = busy > 1000000 ? 1000000 : busy;
    return smi_finding_format(j, " while one CPU was %s busy",
                              smi_finding_value_text(j, (struct smi_value){busy * 100, true}, "%"));
}

/* The longest stall; the GPU time is that of all of them. */
static void add_stall_finding(struct smi_rule_check *j, enum smi_rule_id rule, const struct smi_gpu *g,
                              bool all, int64_t gpu_ms)
{
    struct smi_finding_draft d = smi_finding_new(j, rule, all ? NULL : g);
    int64_t longest = g->stall_ms;
    const char *why = all ? NULL : others_work(j, g);
    char hours[SMI_MICRO_TEXT];
    if (why)
        d.f.advice = "work that is not shared evenly, or waits for that of others?";
    else if (!(why = stall_cpu_text(j, g, &d.f.advice)))
        why = "";
    d.f.gpu_ms = gpu_ms > j->s->covered_ms ? j->s->covered_ms : gpu_ms;
    d.f.value = d.f.seconds = smi_value_of(longest * 1000);
    d.f.has_from = g->has_stall_from;
    d.f.from_ms = g->stall_from_ms;
    d.f.phase = g->stall_phase;
    smi_text_write_fixed(hours, smi_i128_div((smi_i128)d.f.gpu_ms * 1000000, 3600000), 2);
    d.who = all ? smi_finding_gpus_text(j) : d.who;
    d.more = stalled_ms(g) > longest + longest / 2
                 ? smi_finding_format(j, "%s, %s GPU-h in all stalls", why, hours)
                 : why;
    smi_finding_add(j, &d);
}

SMI_RULE_CHECK(stall)
{
    enum smi_rule_id rule = (enum smi_rule_id)d->f.rule;
    const struct smi_gpu *all = all_stall(j, rule);
    int64_t sum = 0;
    for (size_t i = 0; i < j->s->ngpus && j->s->state != SMI_STATE_FAILED; i++) {
        const struct smi_gpu *g = &j->s->gpus[i];
        sum += g->worked ? stalled_ms(g) : 0;
        if (!all && has_long_stall(j, rule, g))
            add_stall_finding(j, rule, g, false, stalled_ms(g));
    }
    if (all && j->s->state != SMI_STATE_FAILED)
        add_stall_finding(j, rule, all, true, sum);
    return false;
}

/* ---- What the boards were: how full, how fast, how healthy; and metrics that cannot be true ---- */

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

/* ---- How the GPUs were used, and by what they were held up ---- */

/* ---- low utilisation ---- */

enum { MEMORY_FULL = 90 /* %: a run that needs the whole memory needs the whole card, however busy it is */ };

/* Limits as of jobstats, whose users know them (15 and 25 %). A GPU that never worked is reported as unused.
 */
SMI_RULE_CHECK(low_util)
{
    struct smi_value memory = smi_finding_memory_share(j->s);
    d->f.value = smi_finding_metric_mean(d->gpu, SMI_GPU_UTIL);
    if (memory.has && memory.micro >= MEMORY_FULL * (int64_t)1000000) {
        d->f.level = SMI_LEVEL_INFO;
        d->f.advice = "nothing to do if it needs all of the memory";
        d->more = ", with its memory full";
    }
    return d->gpu->worked && !smi_finding_exists(j, SMI_RULE_VERY_LOW_UTIL, d->gpu);
}

enum { BUSY = 90 /* % of utilisation */ };

/* Boards draw 10 to 15 % of their limit when idle, about 20 with a context and full clocks, and 40 and more
 * when they compute: a quarter of the limit is no work that deserves 90 % of utilisation. */
SMI_RULE_CHECK(busy_waiting)
{
    struct smi_value use = smi_finding_metric_mean(d->gpu, SMI_GPU_UTIL),
                     power = smi_finding_metric_mean(d->gpu, SMI_POWER),
                     most = smi_finding_power_limit(d->gpu);
    if (!use.has || use.micro < BUSY * (int64_t)1000000 || !power.has || power.micro <= 0 || !most.has)
        return false;
    d->f.value = smi_value_ratio((smi_i128)power.micro * 100 * 1000000, most.micro);
    d->more = smi_finding_value_text(j, use, "%");
    return true;
}

/* The mean utilisation of a GPU that worked; else no value. */
static struct smi_value gpu_work(const struct smi_gpu *g)
{
    return g->worked && !g->pooled ? smi_finding_metric_mean(g, SMI_GPU_UTIL) : (struct smi_value){0, false};
}

static int by_micro(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The means of all GPUs that worked, in order; *n of them. */
static const int64_t *list_gpu_work(struct smi_rule_check *j, size_t *n)
{
    int64_t *list = smi_arena_new(j->arena, j->s->ngpus + 1, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < j->s->ngpus; i++)
        if (gpu_work(&j->s->gpus[i]).has)
            list[(*n)++] = gpu_work(&j->s->gpus[i]).micro;
    smi_sort(list, *n, sizeof *list, by_micro);
    return list;
}

/* The lower median of all but one of them: of n - 1 the place (n - 2) / 2, one further where it comes before.
 */
static int64_t median_of_others(const int64_t *list, size_t n, int64_t but)
{
    size_t place = (n - 2) / 2;
    return but <= list[place] ? list[place + 1] : list[place];
}

/* Points of utilisation, because 5 % beside 10 % is no straggler. What is low anyway was said. */
SMI_RULE_CHECK(straggler)
{
    const enum smi_rule_id rule = (enum smi_rule_id)d->f.rule;
    size_t n;
    const int64_t *list = list_gpu_work(j, &n);
    for (size_t i = 0; i < j->s->ngpus; i++) {
        const struct smi_gpu *g = &j->s->gpus[i];
        struct smi_finding_draft gpu = smi_finding_new(j, rule, g);
        struct smi_value use = gpu_work(g), rest = {0, false};
        if (n > 1 && use.has && smi_rule_applies(j, rule, g) &&
            !smi_finding_exists(j, SMI_RULE_LOW_UTIL, g) && !smi_finding_exists(j, SMI_RULE_VERY_LOW_UTIL, g))
            rest = smi_value_of(median_of_others(list, n, use.micro));
        gpu.f.value = (struct smi_value){rest.micro - use.micro, rest.has};
        if (!smi_finding_breaks_limit(j, &gpu.f))
            continue;
        gpu.more = smi_finding_format(j, " (%s over time, they %s)", smi_finding_value_text(j, use, "%"),
                                      smi_finding_value_text(j, rest, "%"));
        smi_finding_add(j, &gpu);
    }
    return false;
}

/* ---- the host ---- */

static const struct smi_stats *host_stats(const struct smi_summary *s, unsigned metric)
{
    for (size_t i = 0; i < s->nhost; i++)
        if (s->host[i].metric == metric)
            return &s->host[i];
    return NULL;
}

/* All CPUs busy are no harm where the GPUs are busy too. */
SMI_RULE_CHECK(cpu)
{
    const struct smi_stats *idle = host_stats(j->s, SMI_CPU_IDLE), *busy = host_stats(j->s, SMI_CPU_PCT);
    const struct smi_headline_sum *use = &j->s->block.pool[smi_headline_slot(SMI_GPU_UTIL)];
    struct smi_value gpu = smi_value_ratio(use->sum, use->n);
    if (idle && idle->mean.has && idle->count >= SMI_RULE_SAMPLES)
        d->f.value = smi_value_of(100000000 - idle->mean.micro);
    else if (busy && busy->count >= SMI_RULE_SAMPLES)
        d->f.value = busy->mean;
    d->more = smi_finding_format(j, ", while the GPUs were at %s", smi_finding_value_text(j, gpu, "%"));
    return gpu.has && gpu.micro < BUSY * (int64_t)1000000;
}

/* ---- Phases in which programs are compiled, told by their names: users write them as they like ---- */

enum { WORD = 32 };

static const char *const words[] = {"compile",     "compiles",      "compiled",   "compiling",
                                    "compiler",    "compilation",   "precompile", "recompile",
                                    "recompiling", "recompilation", "jit",        "autotune",
                                    "autotuned",   "autotuning",    "warmup",     NULL};

const char *const *smi_rule_words(int rule)
{
    return rule == SMI_RULE_COMPILE ? words : NULL;
}

/* Does a word end between a and b? "jit_fit", "jitFit", "JITFit", "fit2": names are cut where their writer
 * cut them. */
static bool is_word_edge(unsigned char a, unsigned char b, unsigned char behind)
{
    if (!isalpha(a) || !isalpha(b))
        return a < 0x80 && b < 0x80;
    return (islower(a) && isupper(b)) || (isupper(a) && isupper(b) && islower(behind));
}

/* The next word of a name, without what stands between words; "" at the end. */
static const char *next_word(const char *p, char word[WORD])
{
    size_t n = 0;
    while (*p && (unsigned char)*p < 0x80 && !isalpha((unsigned char)*p))
        p++;
    for (; *p; p++) {
        word[n] = *p;
        n += n + 1 < WORD; /* a longer one is none of ours */
        if (!p[1] || is_word_edge((unsigned char)*p, (unsigned char)p[1], (unsigned char)p[2]))
            break;
    }
    word[n] = 0;
    return *p ? p + 1 : p;
}

static bool is_listed(const char *word)
{
    for (size_t i = 0; words[i]; i++)
        if ((*word | 32) == *words[i] &&
            strcasecmp(word, words[i]) == 0) /* most differ in their first letter */
            return true;
    return false;
}

/* Is a whole word of the name one of ours? A warmup may be that of the learning rate too: it has to be the
 * whole name, or to stand beside one of the others. */
static bool name_means_compiling(const char *name)
{
    char word[WORD] = "", last[WORD];
    size_t others = 0, warm = 0;
    for (;;) {
        strcpy(last, word);
        name = next_word(name, word);
        if (!*word)
            break;
        if (strcasecmp(word, "warmup") == 0 || (strcasecmp(word, "up") == 0 && strcasecmp(last, "warm") == 0))
            warm++;
        else if (is_listed(word))
            return true;
        else
            others += strcasecmp(word, "warm") != 0;
    }
    return warm && !others;
}

/* A fifth of a run is more than a start: shapes that change, or a cache that is missing. */
SMI_RULE_CHECK(compile)
{
    const struct smi_summary *s = j->s;
    for (size_t i = 0; i < s->nphases && s->duration_s.has && s->duration_s.micro > 0; i++) {
        const struct smi_phase_summary *p = &s->phases[i];
        struct smi_finding_draft one;
        if (!p->seconds.has || !name_means_compiling(p->name))
            continue;
        one = smi_finding_new(j, (enum smi_rule_id)d->f.rule, NULL);
        one.f.gpu_ms = (int64_t)smi_i128_div((smi_i128)s->covered_ms * p->seconds.micro, s->duration_s.micro);
        one.f.value = smi_value_ratio((smi_i128)p->seconds.micro * 100 * 1000000, s->duration_s.micro);
        one.f.seconds = p->seconds;
        one.f.has_from = false;
        one.f.phase = p->name;
        if (smi_finding_breaks_limit(j, &one.f))
            smi_finding_add(j, &one);
    }
    return false;
}

/* ---- Errors of GPUs and of the driver, and logs with holes or with few readings ---- */

static const enum smi_rule_id rule_of[SMI_FAULT_COUNT] = {
    [SMI_FAULT_LOST] = SMI_RULE_GPU_LOST,
    [SMI_FAULT_RESET] = SMI_RULE_GPU_RESET,
    [SMI_FAULT_XID] = SMI_RULE_XID,
    [SMI_FAULT_NO_DRIVER] = SMI_RULE_NO_DRIVER,
    [SMI_FAULT_ECC_UNCORR] = SMI_RULE_ECC_UNCORRECTED,
    [SMI_FAULT_REMAP_FAILED] = SMI_RULE_REMAP_FAILED,
    [SMI_FAULT_RECOVERY] = SMI_RULE_RECOVERY,
    [SMI_FAULT_REMAPPED] = SMI_RULE_MEMORY_REPAIRED,
    [SMI_FAULT_RETIRED] = SMI_RULE_MEMORY_REPAIRED,
    [SMI_FAULT_REMAP_PENDING] = SMI_RULE_MEMORY_REPAIRED,
    [SMI_FAULT_RETIRE_PENDING] = SMI_RULE_MEMORY_REPAIRED,
    [SMI_FAULT_ECC_CORR] = SMI_RULE_ECC_CORRECTED,
    [SMI_FAULT_UNKNOWN] = SMI_RULE_GPU_ERROR,
};

/* The GPU of an error, or NULL. */
static const struct smi_gpu *gpu_of(const struct smi_summary *s, const struct smi_error *e)
{
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        if (smi_gpu_has_error(g, e))
            return g;
    }
    return NULL;
}

static const char *error_gpu_text(struct smi_rule_check *j, const struct smi_error *e,
                                  const struct smi_gpu *g)
{
    if (g)
        return smi_finding_gpu_text(j, g);
    if (e->gpu >= 0)
        return smi_finding_format(j, "GPU %d", e->gpu);
    return smi_finding_bus_text(j, e->bus);
}

static const char *error_detail_text(struct smi_rule_check *j, const struct smi_error *e,
                                     enum smi_rule_id rule)
{
    bool more = e->n > 1 && (rule == SMI_RULE_ECC_UNCORRECTED || rule == SMI_RULE_ECC_CORRECTED);
    const char *at =
        e->has_first && j->s->has_start
            ? smi_finding_format(j, more ? " from %s on" : " at %s", smi_finding_time_text(j, e->first_ms))
            : "";
    int last = SMI_RECOVERY_ACTIONS - 1;
    if (rule == SMI_RULE_XID)
        return smi_finding_format(j, "XID %lld%s", (long long)e->code, at);
    if (rule == SMI_RULE_MEMORY_REPAIRED)
        return smi_finding_format(j, "%s%s", smi_faults[e->id].words, at);
    if (rule == SMI_RULE_RECOVERY)
        return smi_finding_format(j, ": %s",
                                  smi_recovery_actions[e->code > 0 && e->code < last ? e->code : last]);
    return at;
}

/* About all GPU time of the GPU; where it is not known which, of the run. */
SMI_RULE_CHECK(error)
{
    const enum smi_rule_id rule = (enum smi_rule_id)d->f.rule;
    for (size_t i = 0; i < j->s->nerrors; i++) {
        const struct smi_error *e = &j->s->errors[i];
        const struct smi_gpu *g = gpu_of(j->s, e);
        struct smi_finding_draft one;
        if (rule_of[e->id] != rule)
            continue;
        one = smi_finding_new(j, rule, g);
        one.f.gpu = e->gpu;
        if (rule == SMI_RULE_MEMORY_REPAIRED && e->id != SMI_FAULT_REMAP_PENDING &&
            e->id != SMI_FAULT_RETIRE_PENDING)
            one.f.advice = "nothing to do: it is repaired";
        one.f.value = smi_value_of(e->n < INT64_MAX / 1000000 ? e->n * 1000000 : INT64_MAX);
        one.f.has_from = e->has_first;
        one.f.from_ms = e->first_ms;
        one.f.seconds = (struct smi_value){(e->last_ms - e->first_ms) * 1000, e->has_first && e->has_last};
        one.who = error_gpu_text(j, e, g);
        one.more = error_detail_text(j, e, rule);
        if (smi_finding_breaks_limit(j, &one.f))
            smi_finding_add(j, &one);
    }
    return false;
}

/* ---- logs ---- */

/* So long two GPUs were read at one time. */
static int64_t overlap(int64_t from, int64_t to, int64_t first, int64_t last)
{
    from = from > first ? from : first;
    to = to < last ? to : last;
    return to > from ? to - from : 0;
}

/* Was g read while o was? GPUs that were used one after the other did not vanish. */
static bool were_read_together(const struct smi_gpu *g, const struct smi_gpu *o)
{
    return g != o && !g->pooled && !o->pooled && g->has_span && o->has_span &&
           overlap(g->first_ms, g->last_ms, o->first_ms, o->last_ms) > 0;
}

/* Of more than ten intervals, by the median of the one that was read more rarely. */
static bool is_long(const struct smi_gpu *g, const struct smi_gpu *o, int64_t ms)
{
    return ms * 1000 > 10 * (g->interval_s.has ? g->interval_s.micro : 0) &&
           ms * 1000 > 10 * (o->interval_s.has ? o->interval_s.micro : 0);
}

/* Was another GPU read during the longest interval of g? A logger that stands still reads none. */
static bool was_absent_alone(const struct smi_summary *s, const struct smi_gpu *g)
{
    const int64_t from = g->absent_from_ms, to = from + g->absent_ms;
    bool alone = false;
    for (size_t i = 0; i < s->ngpus && g->absent_ms; i++) {
        const struct smi_gpu *o = &s->gpus[i];
        if (!were_read_together(g, o) || !is_long(g, o, g->absent_ms))
            continue;
        alone |= overlap(from, to, o->first_ms, o->last_ms) * 2 > g->absent_ms &&
                 overlap(from, to, o->absent_from_ms, o->absent_from_ms + o->absent_ms) * 2 < g->absent_ms;
    }
    return alone;
}

static void add_vanished(struct smi_rule_check *j, const struct smi_gpu *g, int64_t from, int64_t ms,
                         const char *more)
{
    struct smi_finding_draft d = smi_finding_new(j, SMI_RULE_GPU_VANISHED, g);
    d.f.value = d.f.seconds = smi_value_of(ms * 1000);
    d.f.has_from = true;
    d.f.from_ms = from;
    d.f.gpu_ms = ms;
    d.more = more;
    if (smi_finding_breaks_limit(j, &d.f))
        smi_finding_add(j, &d);
}

SMI_RULE_CHECK(vanished)
{
    const struct smi_summary *s = j->s;
    (void)d;
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        int64_t before = 0, after = 0, step;
        const char *span;
        for (size_t k = 0; k < s->ngpus; k++) {
            const struct smi_gpu *o = &s->gpus[k];
            const bool both = were_read_together(g, o);
            if (both && is_long(g, o, o->last_ms - g->last_ms) && o->last_ms - g->last_ms > after)
                after = o->last_ms - g->last_ms;
            if (both && is_long(g, o, g->first_ms - o->first_ms) && g->first_ms - o->first_ms > before)
                before = g->first_ms - o->first_ms;
        }
        span = smi_finding_value_text(j, smi_value_of(before * 1000), "s");
        if (before)
            add_vanished(j, g, g->first_ms - before, before,
                         smi_finding_format(j, "first reading %s, %s after the others'",
                                            smi_finding_time_text(j, g->first_ms), span));
        step = g->interval_s.has ? g->interval_s.micro / 1000 : 0; /* to the first poll that lacked it */
        span = smi_finding_value_text(j, smi_value_of((g->absent_ms - step) * 1000), "s");
        if (was_absent_alone(s, g))
            add_vanished(j, g, g->absent_from_ms + step, g->absent_ms - step,
                         smi_finding_format(j, "absent from %s for %s while others were read",
                                            smi_finding_time_text(j, g->absent_from_ms + step), span));
        span = smi_finding_value_text(j, smi_value_of(after * 1000), "s");
        if (after)
            add_vanished(j, g, g->last_ms, after,
                         smi_finding_format(j, "last reading %s, %s before the others'",
                                            smi_finding_time_text(j, g->last_ms), span));
    }
    return false;
}

/* Had another GPU that was read at the same time less than half of its gaps? A logger that stands still reads
 * none. */
static bool were_others_read(const struct smi_summary *s, const struct smi_gpu *g)
{
    for (size_t i = 0; i < s->ngpus; i++)
        if (were_read_together(g, &s->gpus[i]) && s->gpus[i].gap_ms * 2 < g->gap_ms &&
            overlap(g->first_ms, g->last_ms, s->gpus[i].first_ms, s->gpus[i].last_ms) * 2 >
                g->last_ms - g->first_ms)
            return true;
    return false;
}

/* Of the GPU that lacks most, less the time in which it alone lacked. A hundredth of the time: hiccups of a
 * logger are less. */
SMI_RULE_CHECK(gaps)
{
    const struct smi_gpu *most = NULL;
    int64_t lacks = 0, gaps = 0;
    d->f.gpu_ms = 0;
    for (size_t i = 0; i < j->s->ngpus; i++) {
        const struct smi_gpu *g = &j->s->gpus[i];
        const bool alone = g->gaps > 0 && was_absent_alone(j->s, g);
        const int64_t ms = g->gap_ms - (alone ? g->absent_ms : 0);
        d->f.gpu_ms += ms;
        if (g->gaps > alone && smi_rule_applies(j, (enum smi_rule_id)d->f.rule, g) && (!most || ms > lacks)) {
            most = g;
            lacks = ms;
            gaps = g->gaps - alone;
        }
    }
    if (!most)
        return false;
    d->f.value = smi_value_ratio((smi_i128)lacks * 100 * 1000000, (smi_i128)most->covered_ms + lacks);
    d->f.seconds = smi_value_of(lacks * 1000);
    d->f.has_from = false;
    d->more = smi_finding_format(j, gaps == 1 ? ", %s in %lld gap" : ", %s in %lld gaps",
                                 smi_finding_value_text(j, d->f.seconds, "s"), (long long)gaps);
    if (were_others_read(j->s, most)) {
        d->more =
            smi_finding_format(j, "%s of %s, while others were read", d->more, smi_finding_gpu_text(j, most));
        d->f.advice = j->rule[SMI_RULE_GPU_VANISHED].advice;
    }
    return true;
}

/* More than 15 s: the usual trackers of experiments read every 2 to 15 s. */
SMI_RULE_CHECK(slow_sampling)
{
    for (size_t i = 0; i < j->s->ngpus; i++) {
        const struct smi_gpu *g = &j->s->gpus[i];
        if (smi_rule_applies(j, (enum smi_rule_id)d->f.rule, g) && g->interval_s.has &&
            (!d->f.value.has || g->interval_s.micro > d->f.value.micro))
            d->f.value = g->interval_s;
    }
    return true;
}
