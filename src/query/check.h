/* check.h - what has to hold of every run, and of which runs it does: the verdicts, and their
 * forms. A value that is absent never passes, and breaks nothing either: the run could not be judged. */
#pragma once

#include "base/buf.h"
#include "sweep/sweep.h"

enum smi_verdict { SMI_VERDICT_BROKEN, SMI_VERDICT_UNMEASURABLE, SMI_VERDICT_HOLDS };

/* One run under one limit. */
struct smi_check_case {
    size_t run; /* its place in the sweep */
    enum smi_verdict verdict;
    const char *value;  /* what it has, in few words: "12.5"; NULL: nothing to show */
    const char *number; /* the same in full, where it is one number; or NULL */
    const char
        *why;    /* of one that could not be judged: "no energy_wh: no power column, or no reading in it" */
    double rank; /* larger is worse */
};

struct smi_check_limit {
    const char *text; /* what has to hold: "idle_pct <= 10" */
    struct smi_check_case
        *of; /* a run each: the broken ones, worst first; then those not judged, then the others */
    size_t broken, unjudged;
};

/* Zero-initialise with sweep, end with smi_check_fini. All memory is its own; texts are not made safe. */
struct smi_check {
    struct smi_arena arena;
    struct smi_sweep *sweep; /* borrowed, unchanged */
    bool allow_missing;      /* --allow-missing: runs that could not be judged are no trouble */
    struct smi_check_limit *limit;
    size_t n, cap;
    size_t broken, broken_runs,
        unjudged_runs; /* limits; runs that break any; other runs that any could not judge */
    /* Runs that are not here, so that they could not be judged either: those that only the baseline has, and
     * those expected, by --expect or --expect-runs, which are never excused. */
    struct smi_check_gone {
        const char **of;
        size_t n, cap;
    } gone[2];
    size_t expected, absent; /* runs that were to be here, if that was said, and how many of them are not */
};
/* Was anything not judged that has to be? */
bool smi_check_has_unmeasurable(const struct smi_check *c);

/* --- limits; those that can fail return 0, or -1 with err --- */

#define SMI_CHECK_LIMIT(id, option, arg, name, sql, least, help) SMI_LIMIT_##id,
enum smi_check_limit_id {
#include "query/check_limit.def"
    SMI_CHECK_LIMITS
};
#undef SMI_CHECK_LIMIT

/* The limits that are SQL: short[id] is that of check_limit.def, negative: not asked for; then expr, n bytes:
 * expressions over the columns of runs, and param.NAME, each with its NUL; of no run may one be true. err:
 * SMI_EUSAGE names what is wrong with an expression, and what may be meant. */
int smi_check_sql(struct smi_check *c, const int64_t limit[SMI_CHECK_LIMITS], const char *expr, size_t n,
                  struct smi_err *err);
/* What can be said of these before any log is read. Returns 0, or -1 with err. */
int smi_check_sql_options(const int64_t limit[SMI_CHECK_LIMITS], const char *expr, size_t n,
                          struct smi_err *err);
/* No finding from this level on. A run that is too short for them, or whose times or GPUs are not known,
 * could not be judged; one that failed is an error. */
void smi_check_findings(struct smi_check *c, enum smi_level level);
/* No run is worse than its pair (query/diff.h) in the baseline, in any column of model/run_field.def,
 * by more than the tolerance, percent of what it was: "5%,energy_wh=10%", or NULL: SMI_TOLERANCE_PCT. A run
 * without a pair could not be judged. err: SMI_EUSAGE of the tolerance, or if the baseline has no such value.
 */
enum { SMI_TOLERANCE_PCT = 5 };
int smi_check_baseline(struct smi_check *c, const struct smi_sweep *base, const char *tolerance,
                       struct smi_err *err);
/* At least n runs (0: not said) are here, and those that names has, one a line. Which are not is listed. */
void smi_check_expected(struct smi_check *c, size_t n, struct smi_text names);
/* After the last limit: orders the cases and counts. */
void smi_check_close(struct smi_check *c);
void smi_check_fini(struct smi_check *c);

/* --- for those who make limits --- */
