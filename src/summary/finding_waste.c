/* What was lost: failed runs, GPUs that were never used, idle time. The GPU time of these is that of the
 * waste table (docs/numbers.md §11), so of a failed run there is nothing but that it failed. */
#include "summary/run_notes.h"
#include "summary/finding_check_private.h"

#include <string.h>

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
