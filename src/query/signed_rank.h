/* signed_rank.h - Wilcoxon's signed-rank test: do pairs go one way more than chance would have it? */
#ifndef SMI_QUERY_SIGNED_RANK_H
#define SMI_QUERY_SIGNED_RANK_H

#include "summary/run_fields.h"

enum { SMI_SIGNED_RANK_EXACT = 50 /* pairs up to which all ways of signs are counted: exact in a double */ };

struct smi_signed_rank {
    size_t up, down;      /* pairs in which b is above a, or below; those that are equal take no part */
    int side;             /* 1: the ranks of what went up weigh more, -1: of what went down; 0: alike */
    double chance, least; /* of a sum of ranks as far from the middle, on both sides; the least it could be */
};

/* Of n pairs those that have both values. The differences are ranked by size, equal ones by the mean of their
 * ranks; where a and b are alike but for chance each sign is as likely as the other. Up to
 * SMI_SIGNED_RANK_EXACT pairs the ways of all signs are counted, ties too; beyond, the sum of ranks is
 * normal. Returns 0, or -1 without memory. */
void smi_signed_rank_test(struct smi_signed_rank *r, const struct smi_value *a, const struct smi_value *b,
                          size_t n);

#endif
