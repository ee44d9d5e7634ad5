/* Errors of GPUs and of the driver, and logs with holes or with few readings. */
#include "summary/finding_check_private.h"

#include <string.h>

/* The rule of a kind of error. */
static enum smi_rule_id rule_of(enum smi_fault_id id)
{
    switch (id) {
    case SMI_FAULT_LOST:
        return SMI_RULE_GPU_LOST;
    case SMI_FAULT_RESET:
        return SMI_RULE_GPU_RESET;
    case SMI_FAULT_XID:
        return SMI_RULE_XID;
    case SMI_FAULT_NO_DRIVER:
        return SMI_RULE_NO_DRIVER;
    case SMI_FAULT_ECC_UNCORR:
        return SMI_RULE_ECC_UNCORRECTED;
    case SMI_FAULT_REMAP_FAILED:
        return SMI_RULE_REMAP_FAILED;
    case SMI_FAULT_RECOVERY:
        return SMI_RULE_RECOVERY;
    case SMI_FAULT_ECC_CORR:
        return SMI_RULE_ECC_CORRECTED;
    case SMI_FAULT_UNKNOWN:
        return SMI_RULE_GPU_ERROR;
    default:
        return SMI_RULE_MEMORY_REPAIRED;
    }
}

/* The GPU of an error, or NULL. */
static const struct smi_gpu *gpu_of(const struct smi_summary *s, const struct smi_error *e)
{
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        if (!g->pooled && e->gpu == g->index &&
            (e->gpu >= 0 || (e->uuid && g->uuid && strcmp(e->uuid, g->uuid) == 0) ||
             (!e->uuid && e->bus && g->bus && strcmp(e->bus, g->bus) == 0)))
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
    for (size_t i = 0; i < j->s->nerrors; i++) {
        const struct smi_error *e = &j->s->errors[i];
        const struct smi_gpu *g = gpu_of(j->s, e);
        struct smi_finding f = smi_finding_new(j, rule, g, g ? g->covered_ms : j->s->covered_ms);
        if (rule_of(e->id) != rule || !smi_rule_applies(j, rule, NULL))
            continue;
        f.gpu = e->gpu;
        if (rule == SMI_RULE_MEMORY_REPAIRED && e->id != SMI_FAULT_REMAP_PENDING &&
            e->id != SMI_FAULT_RETIRE_PENDING)
            f.advice = "nothing to do: it is repaired";
        f.value = (struct smi_value){e->n < INT64_MAX / 1000000 ? e->n * 1000000 : INT64_MAX, true};
        f.has_from = e->has_first;
        f.from_ms = e->first_ms;
        f.seconds = (struct smi_value){(e->last_ms - e->first_ms) * 1000, e->has_first && e->has_last};
        if (smi_finding_breaks_limit(j, &f))
            smi_finding_add(j, &f, error_gpu_text(j, e, g), error_detail_text(j, e, rule));
    }
}

/* ---- logs ---- */

/* Of the GPU that lacks most. A hundredth of the time: hiccups of a logger are less. */
SMI_RULE_CHECK(gaps)
{
    const struct smi_gpu *most = NULL;
    struct smi_finding f;
    int64_t sum = 0;
    for (size_t i = 0; i < j->s->ngpus; i++) {
        const struct smi_gpu *g = &j->s->gpus[i];
        sum += g->gap_ms;
        if (g->gaps > 0 && smi_rule_applies(j, rule, g) && (!most || g->gap_ms > most->gap_ms))
            most = g;
    }
    if (!most)
        return;
    f = smi_finding_new(j, rule, NULL, sum);
    f.value = (struct smi_value){(int64_t)smi_i128_div((smi_i128)most->gap_ms * 100 * 1000000,
                                                       (smi_i128)most->covered_ms + most->gap_ms),
                                 true};
    f.seconds = (struct smi_value){most->gap_ms * 1000, true};
    f.has_from = false;
    if (smi_finding_breaks_limit(j, &f))
        smi_finding_add(j, &f, "",
                        smi_finding_format(j, most->gaps == 1 ? ", %s in %lld gap" : ", %s in %lld gaps",
                                           smi_finding_value_text(j, f.seconds, "s"), (long long)most->gaps));
}

/* More than 15 s: the usual trackers of experiments read every 2 to 15 s. */
SMI_RULE_CHECK(slow_sampling)
{
    struct smi_finding f = smi_finding_new(j, rule, NULL, j->s->covered_ms);
    for (size_t i = 0; i < j->s->ngpus; i++)
        if (smi_rule_applies(j, rule, &j->s->gpus[i]) && j->s->gpus[i].interval_s.has &&
            (!f.value.has || j->s->gpus[i].interval_s.micro > f.value.micro))
            f.value = j->s->gpus[i].interval_s;
    if (smi_finding_breaks_limit(j, &f))
        smi_finding_add(j, &f, "", NULL);
}
