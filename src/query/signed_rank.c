/* signed_rank.c - ranks are kept doubled, so that the mean of two is whole. */
#include "query/signed_rank.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

struct step {
    uint64_t size;
    bool up;
    size_t rank; /* doubled */
};

static int compare_steps(const void *p, const void *q)
{
    const struct step *a = p, *b = q;
    return (a->size > b->size) - (a->size < b->size);
}

/* Sorted, with their ranks. Returns how many pairs differ. */
static size_t rank_steps(struct step *s, const struct smi_value *a, const struct smi_value *b, size_t n)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (a[i].has && b[i].has && a[i].micro != b[i].micro) {
            bool up = b[i].micro > a[i].micro;
            uint64_t from = (uint64_t)a[i].micro, to = (uint64_t)b[i].micro;
            s[m++] = (struct step){up ? to - from : from - to, up, 0};
        }
    if (m)
        qsort(s, m, sizeof *s, compare_steps);
    for (size_t i = 0, end; i < m; i = end) {
        for (end = i + 1; end < m && s[end].size == s[i].size; end++)
            ;
        for (size_t k = i; k < end; k++)
            s[k].rank = i + 1 + end;
    }
    return m;
}

/* The share of all ways to choose signs in which the ranks of one side come to `least` at most. */
static double count_ways(const struct step *s, size_t n, size_t least)
{
    double ways[SMI_SIGNED_RANK_EXACT * (SMI_SIGNED_RANK_EXACT + 1) + 1] = {1}, sum = 0;
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        most += s[i].rank;
        for (size_t k = most; k >= s[i].rank; k--)
            ways[k] += ways[k - s[i].rank];
    }
    for (size_t k = 0; k <= least; k++)
        sum += ways[k];
    return ldexp(sum, -(int)n);
}

/* The chance that ranks whose squares have this sum come as far from their middle. */
static double normal_chance(double far, const struct step *s, size_t n)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (double)s[i].rank * (double)s[i].rank;
    return erfc(far / sqrt(squares / 4) / sqrt(2));
}

int smi_signed_rank_test(struct smi_signed_rank *r, const struct smi_value *a, const struct smi_value *b,
                         size_t n)
{
    struct step *s = smi_mem_new(n + 1, sizeof *s);
    size_t m, rise = 0, fall = 0;
    *r = (struct smi_signed_rank){.chance = 1, .least = 1};
    if (!s)
        return -1;
    m = rank_steps(s, a, b, n);
    for (size_t i = 0; i < m; i++) {
        *(s[i].up ? &rise : &fall) += s[i].rank;
        r->up += s[i].up;
    }
    r->down = m - r->up;
    r->side = (rise > fall) - (rise < fall);
    if (m) {
        size_t least = rise < fall ? rise : fall;
        r->chance = m <= SMI_SIGNED_RANK_EXACT
                        ? 2 * count_ways(s, m, least)
                        : normal_chance((double)(rise + fall) / 2 - (double)least, s, m);
        r->least = ldexp(2, -(int)(m < 1000 ? m : 1000));
    }
    r->chance = r->chance < 1 ? r->chance : 1;
    smi_mem_free(s);
    return 0;
}
