#include "summary/finding_check_private.h"

#include <string.h>

/* The run is judged if any GPU is long enough for any rule. */
static bool is_judged(const struct smi_rule_check *j)
{
    for (int i = 0; i < SMI_RULE_COUNT; i++)
        if (smi_rule_applies(j, (enum smi_rule_id)i, NULL))
            return true;
    return false;
}

/* One rule, of a GPU or (NULL) the run. */
static void judge(struct smi_rule_check *j, enum smi_rule_id rule, const struct smi_gpu *gpu)
{
    struct smi_finding_draft d;
    if (!smi_rule_applies(j, rule, gpu))
        return;
    d = smi_finding_new(j, rule, gpu);
    if (j->rule[rule].check(j, &d) && smi_finding_breaks_limit(j, &d.f))
        smi_finding_add(j, &d);
}

int smi_findings_evaluate(struct smi_summary *s, const struct smi_rule *rules, struct smi_err *err)
{
    struct smi_rule_check j = {.s = s, .rule = rules ? rules : smi_rules, .arena = &s->arena};
    struct smi_finding *list;
    s->judged = is_judged(&j);
    for (int i = 0; s->judged && i < SMI_RULE_COUNT; i++) {
        bool each = j.rule[i].scope == SMI_SCOPE_GPU;
        for (size_t k = 0; k < (each ? s->ngpus : 1); k++)
            judge(&j, (enum smi_rule_id)i, each ? &s->gpus[k] : NULL);
    }
    list = smi_arena_new(&s->arena, j.n + 1, sizeof *list);
    if (list && j.n)
        memcpy(list, j.list, j.n * sizeof *list);
    smi_mem_free(j.list);
    s->findings = list;
    s->nfindings = list && !j.failed ? j.n : 0;
    return list && !j.failed ? 0 : smi_err_nomem(err);
}

int smi_findings_build_summary(struct smi_summary *out, struct smi_run *r, const struct smi_options *o,
                               struct smi_err *err)
{
    return smi_run_build(out, r, o, err) || smi_findings_evaluate(out, o->rules, err) ? -1 : 0;
}

const struct smi_finding *smi_findings_worst(const struct smi_summary *s)
{
    const struct smi_finding *worst = NULL;
    for (size_t i = 0; i < s->nfindings; i++) {
        const struct smi_finding *f = &s->findings[i];
        if (f->level >= SMI_LEVEL_WARN &&
            (!worst || f->level > worst->level || (f->level == worst->level && f->gpu_ms > worst->gpu_ms)))
            worst = f;
    }
    return worst;
}

unsigned smi_findings_marks(const struct smi_summary *s, int place)
{
    unsigned marks = 0;
    for (size_t i = 0; i < s->nfindings; i++) {
        const struct smi_finding *f = &s->findings[i];
        if (f->level >= SMI_LEVEL_WARN && (place < 0 || f->place < 0 || f->place == place))
            marks |= smi_rules[f->rule].marks;
    }
    return marks;
}
