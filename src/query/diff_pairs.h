/* diff_pairs.h - which run of one sweep is to be compared with which of another, and which runs are repeats
 * of each other. */
#ifndef SMI_QUERY_DIFF_PAIRS_H
#define SMI_QUERY_DIFF_PAIRS_H

#include "sweep/sweep.h"

enum smi_pair_by { SMI_PAIR_ALONE, SMI_PAIR_NAME, SMI_PAIR_PARAMS, SMI_PAIR_REPEAT, SMI_PAIR_KINDS };

struct smi_pair {
    size_t a, b; /* places in the sweeps */
    size_t
        config; /* pairs of one configuration have one number: on each side they are repeats of each other */
    enum smi_pair_by by;
};

/* A parameter that has one value in all of A and another in all of B. */
struct smi_param_difference {
    const char *key, *a, *b; /* as written */
};

/* Zero-initialise; end with smi_pairs_fini. Texts are borrowed from the sweeps. */
struct smi_pairs {
    struct smi_arena arena;
    struct smi_pair *of; /* by configuration, then a */
    size_t n, configs;
    size_t least, most; /* pairs of a configuration */
    size_t mixed;       /* pairs by name whose parameters differ, but for repeats and what the sides are */
    size_t by[SMI_PAIR_KINDS]; /* how many were found in which way */
    size_t *only[2], nonly[2]; /* runs of A and B that are in no pair */
    const char **repeat;       /* parameters of repeats that are in A or B */
    size_t repeats;
    struct smi_param_difference *differs;
    size_t ndiffers;
};

/* Of one run on each side those two are a pair, whatever they are. Else runs match by name; else by
 * parameters, but for those that have one value on each side, and not the same: they say what the sides are;
 * else by these without repeats: seed, rep, fold, trial, and those in more ("run_id,attempt", or NULL).
 * strict: not by the last, nor across values of a repeat, nor by name where parameters, of which any value is
 * on both sides, differ. Runs of one side are repeats of each other if the parameters that have any value on
 * both sides in common are the same but for those of repeats, and, where neither has a parameter of a repeat,
 * their names but for digits; without any parameter a run is no repeat. Returns 0, or -1 with err (memory; a
 * pair whose idle times were judged by different limits). */
int smi_pairs_make(struct smi_pairs *p, const struct smi_sweep *a, const struct smi_sweep *b,
                   const char *more, bool strict, struct smi_err *err);
void smi_pairs_fini(struct smi_pairs *p);

/* A bare number as JSON in its shortest form ("1e-3" and "0.001" are one), other texts as they are. NULL
 * without memory. */
const char *smi_param_value(struct smi_arena *a, const struct smi_param *p);

#endif
