/* What was lost: failed runs, GPUs that were never used, idle time. The GPU time of these is that of the waste table
 * (numbers.md §11), so of a failed run there is nothing but that it failed. */
#include "findings/judge.h"

#include <string.h>

SMI_CHECK(failed)
{
    const struct smi_summary *s = j->s;
    bool memory = s->state_reason && strcmp(s->state_reason, "out of memory") == 0;
    struct smi_finding f = smi_judge_new(j, rule, NULL, s->covered_ms);
    const char *more = "";
    if (s->state != SMI_STATE_FAILED || memory != (rule == SMI_RULE_OUT_OF_MEMORY) || !smi_judge_may(j, rule, NULL))
        return;
    if (!memory && s->state_reason && strcmp(s->state_reason, "failed"))
        more = smi_judge_fmt(j, ": %.200s", s->state_reason);
    f.value = memory ? smi_judge_memory(s) : f.value;
    if (f.value.has)
        more = smi_judge_fmt(j, " at %s of %s GiB", smi_judge_gib(j, s->vram.used_peak_mb.micro),
                             smi_judge_gib(j, s->vram.total_mb.micro));
    smi_judge_put(j, &f, "", more);
}

/* What the driver itself takes is no use of memory. */
static const char *held(struct smi_judge *j, int64_t micro_mib)
{
    return micro_mib < 51 * (int64_t)1000000
               ? ", no memory in use"
               : smi_judge_fmt(j, ", at most %s GiB of its memory in use", smi_judge_gib(j, micro_mib));
}

SMI_CHECK(unused)
{
    const struct smi_summary *s = j->s;
    for (size_t i = 0; i < s->ngpus && s->state != SMI_STATE_FAILED; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        const struct smi_stats *use = smi_gpu_stats(g, SMI_GPU_UTIL), *memory = smi_gpu_stats(g, SMI_FB_USED);
        struct smi_finding f = smi_judge_new(j, rule, g, g->covered_ms);
        if (g->worked || g->known_ms == 0 || !use || smi_judge_unseen(g) || !smi_judge_may(j, rule, g))
            continue;
        f.value = use->max;
        f.limit = (struct smi_value){s->idle_below, true};
        smi_judge_put(j, &f, smi_judge_gpu(j, g), memory ? held(j, memory->max.micro) : "");
    }
}

/* Idle before the first work, or after the last, of all GPUs that worked: the longest, and the sum. */
static void edge(struct smi_judge *j, enum smi_rule_id rule, bool lead)
{
    const struct smi_summary *s = j->s;
    const struct smi_gpu *last = NULL;
    int64_t most = 0, sum = 0;
    size_t worked = 0, n = 0; /* of the GPUs; that were idle for long */
    struct smi_finding f;
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        int64_t ms = !g->worked ? 0 : lead ? g->lead_ms : g->trail_ms;
        bool is_long = ms > 0 && smi_judge_may(j, rule, g) && ms * 1000 >= j->rule[rule].limit;
        worked += g->worked && !g->pooled;
        n += is_long;
        last = is_long ? g : last;
        sum += ms;
        most = ms > most && is_long ? ms : most;
    }
    f = smi_judge_new(j, rule, NULL, sum);
    f.value = f.seconds = (struct smi_value){most * 1000, true};
    f.has_from &= lead;
    if (s->state == SMI_STATE_FAILED || n == 0)
        return;
    smi_judge_put(j, &f, "", n == worked ? ""
                             : n == 1    ? smi_judge_fmt(j, ", %s", smi_judge_gpu(j, last))
                                         : smi_judge_fmt(j, ", %zu of %zu GPUs", n, worked));
}

SMI_CHECK(start)
{
    edge(j, rule, true);
}

SMI_CHECK(end)
{
    edge(j, rule, false);
}

/* ---- stalls ---- */

static int64_t stalled_ms(const struct smi_gpu *g)
{
    return g->idle_ms - g->lead_ms - g->trail_ms;
}

static bool stalls(const struct smi_judge *j, enum smi_rule_id rule, const struct smi_gpu *g)
{
    return g->stall_ms > 0 && smi_judge_may(j, rule, g) && g->stall_ms * 1000 >= j->rule[rule].limit;
}

/* Did a and b stand still together, for half of the longer time at least? */
static bool together(const struct smi_gpu *a, const struct smi_gpu *b)
{
    int64_t from = a->stall_from_ms > b->stall_from_ms ? a->stall_from_ms : b->stall_from_ms;
    int64_t x = a->stall_from_ms + a->stall_ms, y = b->stall_from_ms + b->stall_ms, to = x < y ? x : y;
    int64_t most = a->stall_ms > b->stall_ms ? a->stall_ms : b->stall_ms;
    return a->has_stall_from && b->has_stall_from && (to - from) * 2 >= most;
}

/* The GPU whose stall is the longest, if all stood still with it; else NULL. */
static const struct smi_gpu *all_stall(const struct smi_judge *j, enum smi_rule_id rule)
{
    const struct smi_gpu *most = NULL;
    for (size_t i = 0; i < j->s->ngpus; i++)
        if (!j->s->gpus[i].pooled && (!most || j->s->gpus[i].stall_ms > most->stall_ms))
            most = &j->s->gpus[i];
    for (size_t i = 0; most && i < j->s->ngpus; i++)
        if (!j->s->gpus[i].pooled && (!stalls(j, rule, &j->s->gpus[i]) || !together(most, &j->s->gpus[i])))
            return NULL;
    return most;
}

/* The longest stall; the GPU time is that of all of them. */
static void say_stall(struct smi_judge *j, enum smi_rule_id rule, const struct smi_gpu *g, bool all, int64_t gpu_ms)
{
    struct smi_finding f = smi_judge_new(j, rule, all ? NULL : g, gpu_ms);
    int64_t longest = g->stall_ms;
    char hours[SMI_MICRO_TEXT];
    f.value = f.seconds = (struct smi_value){longest * 1000, true};
    f.has_from = g->has_stall_from;
    f.from_ms = g->stall_from_ms;
    f.phase = g->stall_phase;
    smi_text_put_fixed(hours, smi_wide_div((smi_i128)f.gpu_ms * 1000000, 3600000), 2);
    smi_judge_put(j, &f, all ? smi_judge_gpus(j) : smi_judge_gpu(j, g),
                  stalled_ms(g) > longest + longest / 2 ? smi_judge_fmt(j, ", %s GPU-h in all stalls", hours) : "");
}

SMI_CHECK(stall)
{
    const struct smi_gpu *all = j->s->state == SMI_STATE_FAILED ? NULL : all_stall(j, rule);
    int64_t sum = 0;
    for (size_t i = 0; i < j->s->ngpus && j->s->state != SMI_STATE_FAILED; i++) {
        const struct smi_gpu *g = &j->s->gpus[i];
        sum += g->worked ? stalled_ms(g) : 0;
        if (!all && stalls(j, rule, g))
            say_stall(j, rule, g, false, stalled_ms(g));
    }
    if (all)
        say_stall(j, rule, all, true, sum);
}
