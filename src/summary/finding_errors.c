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

/* Of the GPU that lacks most. A hundredth of the time: hiccups of a logger are less. */
SMI_RULE_CHECK(gaps)
{
    const struct smi_gpu *most = NULL;
    d->f.gpu_ms = 0;
    for (size_t i = 0; i < j->s->ngpus; i++) {
        const struct smi_gpu *g = &j->s->gpus[i];
        d->f.gpu_ms += g->gap_ms;
        if (g->gaps > 0 && smi_rule_applies(j, (enum smi_rule_id)d->f.rule, g) &&
            (!most || g->gap_ms > most->gap_ms))
            most = g;
    }
    if (!most)
        return false;
    d->f.value =
        smi_value_ratio((smi_i128)most->gap_ms * 100 * 1000000, (smi_i128)most->covered_ms + most->gap_ms);
    d->f.seconds = smi_value_of(most->gap_ms * 1000);
    d->f.has_from = false;
    d->more = smi_finding_format(j, most->gaps == 1 ? ", %s in %lld gap" : ", %s in %lld gaps",
                                 smi_finding_value_text(j, d->f.seconds, "s"), (long long)most->gaps);
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
