/* Errors of GPUs and of the driver, and logs with holes or with few readings. */
#include "summary/finding_check_private.h"

#include <string.h>

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
