/* findings.h - the table of rules, of findings and of alerts: one row of rule.def each; nothing else lists
 * them. */
#pragma once

#include "base/json.h"
#include "summary/run.h"
#include "summary/summary.h"

#include <stdbool.h>

#define SMI_RULE(id, ...) SMI_RULE_##id,
enum smi_rule_id {
#include "summary/rule.def"
    SMI_RULES,                            /* all of them; */
    SMI_RULE_COUNT = SMI_RULE_ALERT_LOST, /* findings; the others are alerts */
};
#undef SMI_RULE

/* Cells of a row of the table of runs that a finding can mark. */
enum {
    SMI_CELL_NONE = 0,
    SMI_CELL_UTIL = 1,
    SMI_CELL_IDLE = 2,
    SMI_CELL_VRAM = 4,
    SMI_CELL_CPU = 8,
    SMI_CELL_SLOW = 16,
    SMI_CELL_WASTED = 32
};

/* Columns of a GPU that an alert marks, as bits, and of its use over time the cells since it began; and what
 * else is particular of an alert. */
enum {
    SMI_MARK_USE = 1,
    SMI_MARK_VRAM = 2,
    SMI_MARK_TEMP = 4,
    SMI_MARK_CLOCK = 8,
    SMI_MARK_SPARK = 16,
    SMI_ALERT_SLOW = 32,       /* one moment cannot tell it */
    SMI_ALERT_SAID = 64,       /* smi_machine says by itself that it begins, */
    SMI_ALERT_SAID_OVER = 128, /* and that it ends */
};

/* It says something of a value below or above its limit, or from it on. */
enum smi_side { SMI_SIDE_BELOW, SMI_SIDE_FROM, SMI_SIDE_ABOVE };

/* What a rule is about: its check comes once, or for each GPU (of findings: that is long enough); the others
 * are of alerts. */
enum smi_scope { SMI_SCOPE_RUN, SMI_SCOPE_GPU, SMI_SCOPE_SOURCE, SMI_SCOPE_MACHINE, SMI_SCOPE_LOGS };

struct smi_rule_check;
struct smi_finding_draft;
typedef bool smi_rule_check_fn(struct smi_rule_check *j, struct smi_finding_draft *d);

struct smi_rule {
    const char *key;
    enum smi_level level;
    const char *unit; /* of value and limit: "%", "s", "points"; "": a number, or none */
    enum smi_side side;
    int64_t limit;   /* millionths; SMI_LIMIT_NONE */
    int64_t least_s; /* seconds of readings without which it says nothing */
    enum smi_scope scope;
    smi_rule_check_fn *check;
    unsigned marks; /* SMI_CELL_*, from level warn on */
    const char *text, *note;
    const char *sentence; /* what it says, with {limit} in it, for list rules */
    const char *advice;   /* that there is nothing to do, where there is nothing */
    /* of an alert: */
    int condition;           /* that it tells of while it holds; SMI_CONDITIONS: live/alert.c checks it */
    int64_t on_ms, off_ms;   /* how long it has to hold, or not, until that is said */
    const char *word, *over; /* "idle", for plain lines; "works again", for its end; NULL: a finding */
    uint64_t unless;         /* SMI_RULE_BIT of those before it: what they find of the GPU, or of a run of any
                              * of its GPUs, says it already */
    int lacks;               /* bits by enum smi_quality_reason: what the numbers of such a run lack */
    /* It speaks of phases with such words in their names, NULL behind them; or NULL. */
    const char *const *phase_words;
    bool off;   /* the user wants nothing of it */
    int64_t at; /* once loaded: the limit of single readings of the condition that a finding is about, in
                 * units of the metric or in %; SMI_LIMIT_NONE: it is about none */
};

#define SMI_RULE_BIT(id) ((uint64_t)1 << SMI_RULE_##id)
#define SMI_LIMIT_NONE INT64_MIN
enum { SMI_RULE_SAMPLES = 10 /* rows of a GPU without which no rule says anything of it */ };

extern const struct smi_rule smi_rules[SMI_RULES];

/* The table as the user wants it. */
struct smi_rule_table {
    struct smi_rule rule[SMI_RULES];
    struct smi_condition condition[SMI_CONDITIONS];
};

/* A word of a text of the table, "{gpu}", and what is in its place. */
struct smi_rule_word {
    const char *key, *text;
};
/* The text with its n words filled in, fresh behind what stands in `to`. */
void smi_rule_text(struct smi_buf *to, const char *text, const struct smi_rule_word *word, size_t n);

/* The rule with this key, or -1. */
int smi_rule_find(const char *key);

/* what the rules say of a run. A finding follows from the summary alone: so merged partials have
 * the findings of the whole. */

/* Fills judged, findings and nfindings of s, which is complete otherwise, in its arena. rules: SMI_RULE_COUNT
 * of them, or NULL: those of the table. Source of the rules: rule.def. */
void smi_findings_evaluate(struct smi_summary *s, const struct smi_rule *rules);

/* Makes t the table, with what the JSON object of a file (NULL: none) changes: {"low-util": 30, "start":
 * false, "stall": {"limit": 300, "level": "error", "least_s": 600}, "hot": {"at": 85}, "alerts": {"idle":
 * 900, "memory-full": {"limit": 95, "on_s": 30, "off_s": 120}}}: a number is a limit, false wants nothing of
 * it. What a rule says of single readings (`at`; of memory-near-full the limit) is that of the alert, too,
 * unless the alert has its own. Returns 0, or -1 with err: SMI_EUSAGE, which names what is wrong and what may
 * be meant. */
int smi_rules_load(struct smi_rule_table *t, const char *path, struct smi_err *err);
/* Makes the conditions, SMI_CONDITIONS of them, those that its alerts are about; the limit of
 * SMI_CONDITION_IDLE stays. */
void smi_rules_limit_alerts(const struct smi_rule_table *t, struct smi_condition *conditions);

/* The median of a metric, if three quarters of the readings of utilisation are `busy` % at least; no value of
 * rows that are pooled, or of fewer than SMI_RULE_SAMPLES. */
struct smi_value smi_median_at_work(const struct smi_gpu *g, unsigned metric, int busy);
/* The lower median of what the other GPUs of the run have of a metric: of those of its model the median under
 * full load, or (loaded: false) of those that worked the mean over time. *top, if it is not NULL: the largest
 * of two of them at least; else it stays. */
struct smi_value smi_peers_median(const struct smi_summary *s, const struct smi_gpu *g, unsigned metric,
                                  bool loaded, struct smi_value *top);
/* The worst finding from a level on: of the highest level that with most GPU time; NULL if there is none.
 */
const struct smi_finding *smi_findings_worst(const struct smi_summary *s, enum smi_level from);
/* The cells that findings from level warn on mark, SMI_CELL_*: of the run, or (place in gpus, from 0 on) of a
 * GPU. */
unsigned smi_findings_marks(const struct smi_summary *s, int place);

/* ---- what stands out in a run: its note, its first grave error, its slowdowns ---- */

/* What a run is noted for: the first of these that holds. */
enum smi_run_note {
    SMI_NOTE_NONE,
    SMI_NOTE_FAILED,
    SMI_NOTE_NO_DATA,
    SMI_NOTE_ERROR,
    SMI_NOTE_FINDING,
    SMI_NOTE_CUT,
    SMI_NOTE_LOG /* a GPU log was passed over, and the others do not tell the waste */
};
/* "exit status 1" of "exit status 1 (slurm-4711.out)": a reason less the file or tool that gives it. */
struct smi_text smi_reason_cause(const char *reason);
/* Says the reason nothing but how the process ended? */
bool smi_reason_is_exit(const char *reason);
/* Is it a slowdown, and not that nothing runs? */
bool smi_throttle_slows(const struct smi_throttle *t);
/* The largest share of time of any GPU and reason; clocks that are low because nothing runs are no slowdown.
 */
struct smi_value smi_most_throttled(const struct smi_summary *s);
/* Has it a line? All GPUs that can be told apart do, or the pooled rows if there is nothing else. */
bool smi_gpu_has_row(const struct smi_summary *s, const struct smi_gpu *gpu);
/* The first error that cost work, or will; NULL if there is none. */
const struct smi_error *smi_first_grave_error(const struct smi_summary *s);
/* How many lines problem k stands for: 0 if an earlier one says the same. */
int64_t smi_warning_lines(const struct smi_account *a, size_t k);
enum smi_run_note smi_run_note_of(const struct smi_summary *s);
/* Its short code: the rule of the worst finding; "failed", "no-data", "gpu-error", "cut" where none says it;
 * or "". */
const char *smi_run_note_code(const struct smi_summary *s);
/* Has it a reading of a GPU, or, read from what was written of it, a figure from such readings? The state
 * alone does not tell: a failed run stays failed without them. */
bool smi_run_has_gpu_data(const struct smi_summary *s);
/* Why a run without such data none: "no readings", "columns unknown" or "no GPU log". */
const char *smi_run_no_data_reason(const struct smi_summary *s);
