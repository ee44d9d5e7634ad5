/* diff.h - what changed from one sweep to another, column by column, and how much of it is noise. */
#pragma once

#include "base/buf.h"
#include "summary/run.h"
#include "summary/run_fields.h"
#include "sweep/sweep.h"

/* ---- which run of one sweep is to be compared with which of another, and which runs are repeats of each
 * other ---- */

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

/* Zero-initialise; end with smi_pairs_fini. Names of parameters and their values are its own. */
struct smi_pairs {
    struct smi_arena arena;
    struct smi_pair *of; /* by configuration, then a */
    size_t n, configs;
    size_t least, most; /* pairs of a configuration */
    size_t mixed;       /* pairs by name whose parameters differ, but for repeats and what the sides are */
    size_t by[SMI_PAIR_KINDS]; /* how many were found in which way */
    struct smi_alone_run {
        size_t run;
        bool named; /* of B: A has a run of that name; of A: so has B, and that is in no pair either */
    } * only[2];
    size_t nonly[2];     /* runs of A and B that are in no pair */
    const char **repeat; /* parameters of repeats that are in A or B */
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

/* ---- Wilcoxon's signed-rank test: do pairs go one way more than chance would have it? ---- */

enum { SMI_SIGNED_RANK_EXACT = 50 /* pairs up to which all ways of signs are counted: exact in a double */ };

struct smi_signed_rank {
    size_t up, down;      /* pairs in which b is above a, or below; those that are equal take no part */
    int side;             /* 1: the ranks of what went up weigh more, -1: of what went down; 0: alike */
    double chance, least; /* of a sum of ranks as far from the middle, on both sides; the least it could be */
};

/* Of n pairs those that have both values. The differences are ranked by size, equal ones by the mean of their
 * ranks; where a and b are alike but for chance each sign is as likely as the other. Up to
 * SMI_SIGNED_RANK_EXACT pairs the ways of all signs are counted, ties too; beyond, the sum of ranks is
 * normal. */
void smi_signed_rank_test(struct smi_signed_rank *r, const struct smi_value *a, const struct smi_value *b,
                          size_t n);

enum smi_change_kind {
    SMI_CHANGE_REAL,    /* more than chance would do */
    SMI_CHANGE_ALIKE,   /* all repeats are alike, and they are too few to say more */
    SMI_CHANGE_FEW,     /* too large for chance, if only the spread were known from more repeats */
    SMI_CHANGE_UNKNOWN, /* there are no repeats, and the pairs are too few to say anything */
    SMI_CHANGE_NOISE,
    SMI_CHANGE_NONE /* all pairs together are the same */
};
extern const char *const smi_change_names[]; /* "real" "alike" "few" "unknown" "noise" "same" */

enum { SMI_CHANCE_PCT = 5 /* of 100 comparisons of equals so many call anything real */ };

/* One column. Means are over the pairs in which both runs have a value; exact, rounded once. */
struct smi_change {
    const char *name, *label, *unit; /* label: as tables for people call it */
    enum smi_change_kind kind;
    int worse;                          /* 1: it became worse, -1: better; 0: neither, or nobody can say */
    size_t n;                           /* such pairs */
    struct smi_value a, b, change, pct; /* pct: of a; no value where a is 0 */
    struct smi_value spread; /* standard deviation of a run among its repeats; no value without repeats */
    struct smi_value ratio;  /* the change in standard deviations of chance; no value without a spread */
    struct smi_signed_rank pairs;
    double rank; /* by which they are ordered, largest first */
};

struct smi_diff {
    struct smi_arena arena;
    const struct smi_sweep *a, *b; /* borrowed */
    const struct smi_pairs *pairs; /* borrowed */
    struct smi_change *of;         /* by kind, then largest first */
    size_t n;
    size_t count[SMI_CHANGE_NONE + 1]; /* of each kind */
    size_t tested; /* by how many the chance is divided: tests that could call a column real */
    size_t absent; /* columns that have no value on both sides of any pair: */
    struct smi_absent_column {
        const char *name;
        enum smi_field_price price;
        bool has[2]; /* some run of A, of B has one */
    } * empty;
};

/* Compares the columns of runs that are numbers, with those that were joined on both sides; columns: only
 * these, or NULL. Zero-initialise d; end with smi_diff_fini. spread   s = sqrt(sum over sides and
 * configurations of sum (x - their mean)^2 / f), f = sum (runs - 1) ratio    each configuration with repeats,
 * m pairs of its own spread s_c on both sides, f_c = 2 (m - 1), has t_c = its change / (s_c sqrt(2 / m)), of
 * Student's distribution with f_c degrees of freedom, and by the chance of that the deviate z_c of the normal
 * one; the ratio is sum sqrt(f_c) z_c / sqrt(sum f_c), which is normal again (Stouffer), whatever the levels
 * and spreads of the configurations are real     |ratio| is beyond what a normal deviate exceeds with
 * probability 5 % / tested, on the side of the change, or the signed ranks of the pairs are: if two
 * sweeps differ only by chance, the probability of calling any column real is at most 5 %. Signed ranks count
 * as a test only where the pairs that differ are enough to come below that limit (Tarone). few      not so,
 * but it would be if each s_c were no estimate (t_c normal, too): the repeats are too few to tell. Where all
 * repeats are alike (s = 0), the chance of that: the product over configurations that changed of 2 / C(2 r,
 * r) for r repeats. Returns 0, or -1 with err: memory, or SMI_EUSAGE (no such column). */
int smi_diff_make(struct smi_diff *d, const struct smi_sweep *a, const struct smi_sweep *b,
                  const struct smi_pairs *p, const char *columns, struct smi_err *err);
void smi_diff_fini(struct smi_diff *d);

/* The chance that Student's t with f degrees of freedom is farther from 0 than t. */
double smi_student_probability(double t, size_t f);

/* ---- a side of a comparison: logs, or what smilog wrote of them earlier ---- */

enum smi_side_kind {
    SMI_SIDE_LOGS,    /* anything else */
    SMI_SIDE_JSON,    /* of summarize, --format json or jsonl */
    SMI_SIDE_PARTIAL, /* of summarize --partial */
    SMI_SIDE_LEDGER   /* of summarize --format ledger */
};

/* By the first bytes; of what cannot be read SMI_SIDE_LOGS, whose reader says why, and of a pipe, whose bytes
 * come only once ("-" is looked at all the same). */
enum smi_side_kind smi_side_kind(const char *path);

/* Is it for smi_side_read: JSON, or a pipe (as of a shell's <(smilog summarize --json DIR)), which has to
 * hold some? */
bool smi_side_is_json(const char *path);
/* The sweep of a JSON: a run has what one row says of it, and its parameters: no GPUs' metrics, no phases and
 * findings. Returns 0, or -1 with err: SMI_EFORMAT (no such JSON, a broken one), SMI_EIO; out is empty then.
 */
int smi_side_read(struct smi_sweep *out, const char *path, struct smi_err *err);
/* Are the PATHs of both sides, which were read, different logs of one run? Then its whole directory was read
 * for either, and there is nothing to compare. Logs of unlike formats in one directory are one run. */
bool smi_sides_are_one_run(const char *const path[2], const struct smi_sweep *s[2]);
