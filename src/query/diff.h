/* diff.h - what changed from one sweep to another, column by column, and how much of it is noise. */
#ifndef SMI_QUERY_DIFF_H
#define SMI_QUERY_DIFF_H

#include "summary/run_fields.h"
#include "base/buf.h"
#include "query/diff_pairs.h"
#include "query/signed_rank.h"

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
    const char *behind;              /* of a maximum: the mean of its metric; else NULL */
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

#endif
