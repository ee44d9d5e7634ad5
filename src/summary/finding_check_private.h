/* finding_check_private.h - what the checks of the rules share. Not installed. */
#ifndef SMI_SUMMARY_FINDING_CHECK_PRIVATE_H
#define SMI_SUMMARY_FINDING_CHECK_PRIVATE_H

#include "base/buf.h"
#include "summary/findings.h"
#include "summary/gpus.h"

/* A run on trial. */
struct smi_rule_check {
    const struct smi_summary *s;
    const struct smi_rule *rule; /* SMI_RULE_COUNT of them */
    struct smi_arena *arena;
    struct smi_finding *list; /* in the heap */
    size_t n, cap;
};

/* A finding in the making: what it is about, so much GPU time, from the run's start on, as long as there are
 * readings; without a value and texts. */
struct smi_finding_draft {
    struct smi_finding f;
    const struct smi_gpu *gpu; /* or NULL: the run */
    const char *who, *more;    /* what {gpu} and {more} are; NULL: "" */
};

/* Long enough for this rule? NULL: the run as a whole, of which at least one GPU has to be. */
bool smi_rule_applies(const struct smi_rule_check *j, enum smi_rule_id rule, const struct smi_gpu *gpu);
/* gpu: NULL for the run. */
struct smi_finding_draft smi_finding_new(struct smi_rule_check *j, enum smi_rule_id rule,
                                         const struct smi_gpu *gpu);
/* Has f a value, on that side of its limit on which the rule speaks? True of a rule without limits. */
bool smi_finding_breaks_limit(const struct smi_rule_check *j, const struct smi_finding *f);
/* Keeps the finding with its texts. */
void smi_finding_add(struct smi_rule_check *j, struct smi_finding_draft *d);
/* A text in the arena; "" without memory. */
const char *smi_finding_format(struct smi_rule_check *j, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* "GPU 3", "GPU 6e7a1b2c"; "the GPU" where there is one only. */
const char *smi_finding_gpu_text(struct smi_rule_check *j, const struct smi_gpu *gpu);
/* "GPU bus 3B"; "a GPU" where it is not known. */
const char *smi_finding_bus_text(struct smi_rule_check *j, const char *bus);
/* "both GPUs", "all 8 GPUs", "the GPU" */
const char *smi_finding_gpus_text(struct smi_rule_check *j);
/* A number with its unit, as texts say it: "12.5 %", "5m10s", "3". */
const char *smi_finding_value_text(struct smi_rule_check *j, struct smi_value v, const char *unit);
/* Millionths with one decimal: "5.2". */
const char *smi_finding_tenths_text(struct smi_rule_check *j, int64_t micro);
const char *smi_finding_gib_text(struct smi_rule_check *j, int64_t micro_mib);
/* "00:41:07" on the clock of the run's GPU logs; "07-05 00:41:07" in a run of more than a day. */
const char *smi_finding_time_text(struct smi_rule_check *j, int64_t ms);

/* Has the rule a finding, of this GPU if it is not NULL? */
bool smi_finding_exists(const struct smi_rule_check *j, enum smi_rule_id rule, const struct smi_gpu *gpu);
/* User time of the CPUs over the whole run; no value without readings. */
struct smi_value smi_finding_cpu_usage(const struct smi_summary *s);
/* Mean over time of a metric, else of its rows; no value without readings. */
struct smi_value smi_finding_metric_mean(const struct smi_gpu *gpu, unsigned metric);
/* The power limit in force, or no value. */
struct smi_value smi_finding_power_limit(const struct smi_gpu *gpu);
/* Does the power show work, where the utilisation shows none? */
bool smi_finding_has_unseen_work(const struct smi_gpu *gpu);
/* The share of memory in use at most, in %; no value where it is not known or only reserved (docs/numbers.md
 * §11).
 */
struct smi_value smi_finding_memory_share(const struct smi_summary *s);

/* Fills a draft of the rule. Returns whether it is a finding if its value breaks the limit. A check that can
 * find more than one thing adds its findings itself, and returns false. */
#define SMI_RULE_CHECK(name) bool smi_rule_check_##name(struct smi_rule_check *j, struct smi_finding_draft *d)
SMI_RULE_CHECK(failed);
SMI_RULE_CHECK(unused);
SMI_RULE_CHECK(idle_edge);
SMI_RULE_CHECK(stall);
SMI_RULE_CHECK(low_util);
SMI_RULE_CHECK(busy_waiting);
SMI_RULE_CHECK(straggler);
SMI_RULE_CHECK(cpu);
SMI_RULE_CHECK(zero_metric);
SMI_RULE_CHECK(compile);
SMI_RULE_CHECK(memory);
SMI_RULE_CHECK(throttle);
SMI_RULE_CHECK(clocks_low);
SMI_RULE_CHECK(error);
SMI_RULE_CHECK(vanished);
SMI_RULE_CHECK(gaps);
SMI_RULE_CHECK(slow_sampling);

#endif
