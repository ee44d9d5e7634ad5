/* findings.h - what the rules say of a run. A finding follows from the summary alone: so merged partials have
 * the findings of the whole. */
#ifndef SMI_SUMMARY_FINDINGS_H
#define SMI_SUMMARY_FINDINGS_H

#include "summary/run.h"
#include "summary/rule.h"

/* Fills judged, findings and nfindings of s, which is complete otherwise, in its arena. rules: SMI_RULE_COUNT
 * of them, or NULL: those of the table. Returns 0, or -1 with err (memory). Source of the rules: rule.def. */
int smi_findings_evaluate(struct smi_summary *s, const struct smi_rule *rules, struct smi_err *err);

/* The same behind smi_run_build, with the rules of o. */
int smi_findings_build_summary(struct smi_summary *out, struct smi_run *r, const struct smi_options *o,
                               struct smi_err *err);

/* Changes rules, which are those of the table, as the JSON object of a file says: {"low-util": 30, "start":
 * false, "stall": {"limit": 300, "level": "error", "least_s": 600}}. Returns 0, or -1 with err: SMI_EUSAGE,
 * which names what is wrong and what may be meant, or memory. */
int smi_rules_load(struct smi_rule rules[SMI_RULE_COUNT], const char *path, struct smi_err *err);

/* The worst finding from level warn on: of the highest level that with most GPU time; NULL if there is none.
 */
const struct smi_finding *smi_findings_worst(const struct smi_summary *s);
/* The cells that findings from level warn on mark, SMI_CELL_*: of the run, or (place in gpus, from 0 on) of a
 * GPU. */
unsigned smi_findings_marks(const struct smi_summary *s, int place);

#endif
