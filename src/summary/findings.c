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

int smi_findings_evaluate(struct smi_summary *s, const struct smi_rule *rules, struct smi_err *err)
{
    struct smi_rule_check j = {.s = s, .rule = rules ? rules : smi_rules, .arena = &s->arena};
    struct smi_finding *list;
    s->judged = is_judged(&j);
    for (int i = 0; s->judged && i < SMI_RULE_COUNT; i++)
        if (!j.rule[i].off)
            j.rule[i].check(&j, (enum smi_rule_id)i);
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
