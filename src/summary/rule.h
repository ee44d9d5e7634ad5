/* rule.h - the table of rules: one row of rule.def each; nothing else lists them. */
#ifndef SMI_SUMMARY_RULE_H
#define SMI_SUMMARY_RULE_H

#include "summary/summary.h"

#define SMI_RULE(id, key, level, unit, side, limit, least, scope, check, marks, text, note, sentence, \
                 advice)                                                                              \
    SMI_RULE_##id,
enum smi_rule_id {
#include "summary/rule.def"
    SMI_RULE_COUNT
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

/* It says something of a value below or above its limit, or from it on. */
enum smi_side { SMI_SIDE_BELOW, SMI_SIDE_FROM, SMI_SIDE_ABOVE };

/* What a rule is about: its check comes once, or for each GPU that is long enough. */
enum smi_scope { SMI_SCOPE_RUN, SMI_SCOPE_GPU };

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
    bool off;             /* the user wants nothing of it */
};

#define SMI_LIMIT_NONE INT64_MIN
enum { SMI_RULE_SAMPLES = 10 /* rows of a GPU without which no rule says anything of it */ };

extern const struct smi_rule smi_rules[SMI_RULE_COUNT];

/* The words in names of phases of which a rule speaks, with NULL behind them; or NULL: it asks for none. */
const char *const *smi_rule_words(int rule);
/* The rule with this key, or -1. */
int smi_rule_find(const char *key);

#endif
