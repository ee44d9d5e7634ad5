/* finding_check_private.h - what the checks of the rules share. Not installed. */
#ifndef SMI_SUMMARY_FINDING_CHECK_PRIVATE_H
#define SMI_SUMMARY_FINDING_CHECK_PRIVATE_H

#include "base/buf.h"
#include "summary/findings.h"

/* A run on trial. */
struct smi_judge {
    const struct smi_summary *s;
    const struct smi_rule *rule; /* SMI_RULE_COUNT of them */
    struct smi_arena *arena;
    struct smi_finding *list; /* in the heap */
    size_t n, cap;
    bool failed; /* memory ran out */
};

/* Long enough for this rule? NULL: the run as a whole, of which at least one GPU has to be. */
bool smi_judge_may(const struct smi_judge *j, enum smi_rule_id rule, const struct smi_gpu *gpu);
/* A finding of the rule, of a GPU or (NULL) the run, about so much GPU time; without texts, from the run's start on, as
 * long as there are readings. */
struct smi_finding smi_judge_new(const struct smi_judge *j, enum smi_rule_id rule, const struct smi_gpu *gpu,
                                 int64_t gpu_ms);
/* Has f a value, on that side of its limit on which the rule speaks? */
bool smi_judge_hits(const struct smi_judge *j, const struct smi_finding *f);
/* Keeps f with its texts. who: what {gpu} is; more: what {more} is, or NULL: "". */
void smi_judge_put(struct smi_judge *j, struct smi_finding *f, const char *who, const char *more);
/* A text in the arena; "" without memory. */
const char *smi_judge_fmt(struct smi_judge *j, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "GPU 3", "GPU 6e7a1b2c"; "the GPU" where there is one only. */
const char *smi_judge_gpu(struct smi_judge *j, const struct smi_gpu *gpu);
/* "GPU bus 3B"; "a GPU" where it is not known. */
const char *smi_judge_bus(struct smi_judge *j, const char *bus);
/* "both GPUs", "all 8 GPUs", "the GPU" */
const char *smi_judge_gpus(struct smi_judge *j);
/* A number with its unit, as texts say it: "12.5 %", "5m10s", "3". */
const char *smi_judge_value(struct smi_judge *j, struct smi_value v, const char *unit);
/* Millionths with one decimal: "5.2". */
const char *smi_judge_tenths(struct smi_judge *j, int64_t micro);
const char *smi_judge_gib(struct smi_judge *j, int64_t micro_mib);
/* "00:41:07" on the clock of the run's GPU logs. */
const char *smi_judge_time(struct smi_judge *j, int64_t ms);

/* Has the rule a finding, of this GPU if it is not NULL? */
bool smi_judge_has(const struct smi_judge *j, enum smi_rule_id rule, const struct smi_gpu *gpu);
/* User time of the CPUs over the whole run; no value without readings. */
struct smi_value smi_judge_cpu(const struct smi_summary *s);
/* Mean over time of a metric, else of its rows; no value without readings. */
struct smi_value smi_judge_mean(const struct smi_gpu *gpu, unsigned metric);
/* The power limit in force, or no value. */
struct smi_value smi_judge_power_limit(const struct smi_gpu *gpu);
/* Does the power show work, where the utilisation shows none? */
bool smi_judge_unseen(const struct smi_gpu *gpu);
/* The share of memory in use at most, in %; no value where it is not known or only reserved (numbers.md §11). */
struct smi_value smi_judge_memory(const struct smi_summary *s);

#define SMI_CHECK(name) void smi_check_##name(struct smi_judge *j, enum smi_rule_id rule)
SMI_CHECK(failed);
SMI_CHECK(unused);
SMI_CHECK(start);
SMI_CHECK(end);
SMI_CHECK(stall);
SMI_CHECK(low_util);
SMI_CHECK(busy_waiting);
SMI_CHECK(straggler);
SMI_CHECK(cpu);
SMI_CHECK(zero_metric);
SMI_CHECK(compile);
SMI_CHECK(memory);
SMI_CHECK(throttle);
SMI_CHECK(clocks_low);
SMI_CHECK(error);
SMI_CHECK(gaps);
SMI_CHECK(slow_sampling);

#endif
