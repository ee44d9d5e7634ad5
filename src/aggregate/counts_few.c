/* The few readings of counts that were only kept: in order, and what is asked of them. */
#include "base/mem.h"
#include "aggregate/counts_private.h"
#include "aggregate/vector.h"

enum { DIGIT = 8, DIGITS = 1 << DIGIT };

/* One pass of the sort: from[0 ... n - 1] to `to`, in the order of one digit, equal ones as they stood.
 * Neighbours often have the same digit, and each would wait for the one before it: the two halves go side by
 * side. */
static void sort_pass(const uint32_t *from, uint32_t *to, unsigned n, unsigned shift)
{
    uint16_t first[DIGITS] = {0}, second[DIGITS] = {0}, sum = 0;
    unsigned half = n / 2;
    for (unsigned i = 0; i < half; i++) {
        first[from[i] >> shift & (DIGITS - 1)]++;
        second[from[half + i] >> shift & (DIGITS - 1)]++;
    }
    second[from[n - 1] >> shift & (DIGITS - 1)] += n % 2;
    for (unsigned d = 0; d < DIGITS; d++) {
        uint16_t one = first[d], two = second[d];
        first[d] = sum;
        second[d] = (uint16_t)(sum + one);
        sum = (uint16_t)(sum + one + two);
    }
    for (unsigned i = 0; i < half; i++) {
        to[first[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        to[second[from[half + i] >> shift & (DIGITS - 1)]++] = from[half + i];
    }
    if (n % 2)
        to[second[from[n - 1] >> shift & (DIGITS - 1)]] = from[n - 1];
}

/* Readings less the smallest one, in order: a radix sort, as their digits are few. */
struct sorted {
    int32_t min;
    uint32_t v[2][SMI_COUNTS_FEW], *in_order;
};

/* c->fews > 0. */
static void sort_readings(const struct smi_counts *c, struct sorted *s)
{
    int32_t max;
    unsigned now = 0;
    smi_vector_ends(c->few, c->fews, &s->min, &max);
    for (unsigned i = 0; i < c->fews; i++)
        s->v[0][i] = (uint32_t)c->few[i] - (uint32_t)s->min;
    for (unsigned shift = 0; shift < 32 && ((uint32_t)max - (uint32_t)s->min) >> shift;
         shift += DIGIT, now ^= 1)
        sort_pass(s->v[now], s->v[now ^ 1], c->fews, shift);
    s->in_order = s->v[now];
}

size_t smi_counts_few_items(const struct smi_counts *c, struct smi_counts_item *list)
{
    struct sorted s;
    size_t n = 0;
    if (!c->fews)
        return 0;
    sort_readings(c, &s);
    for (unsigned i = 0, k; i < c->fews; i = k) {
        for (k = i + 1; k < c->fews && s.in_order[k] == s.in_order[i]; k++)
            ;
        list[n++] = (struct smi_counts_item){(s.min + (int64_t)s.in_order[i]) * c->step, k - i};
    }
    return n;
}

/* From sums of what the readings are above min: n * min^2 + 2 * min * sum + sum2. */
static void fill_figures(const struct smi_counts *c, const struct sorted *s, struct smi_counts_figures *f)
{
    uint64_t sum, squares;
    smi_u128 sum2;
    int64_t min = s->min;
    _Static_assert(SMI_COUNTS_FEW <= 1 << 10, "so many squares of 27 bits fit in 64");
    smi_vector_above(c->few, c->fews, s->min, &sum, &squares);
    sum2 = squares;
    if (s->in_order[c->fews - 1] >> 27) {
        sum2 = 0;
        for (unsigned i = 0; i < c->fews; i++)
            sum2 += (smi_u128)s->in_order[i] * s->in_order[i];
    }
    f->n = c->fews;
    f->min = min * c->step;
    f->max = (min + (int64_t)s->in_order[c->fews - 1]) * c->step;
    f->sum = ((smi_i128)sum + (smi_i128)f->n * min) * c->step;
    f->sum2 = ((smi_i128)sum2 + 2 * (smi_i128)sum * min + (smi_i128)f->n * min * min) * c->step * c->step;
}

void smi_counts_few_figures(const struct smi_counts *c, const int *at, size_t n, struct smi_counts_figures *f,
                            int64_t *out)
{
    struct sorted s;
    unsigned last = c->fews - 1;
    sort_readings(c, &s);
    fill_figures(c, &s, f);
    for (size_t i = 0; i < n; i++) { /* a percentile lies between two neighbours */
        unsigned place = last * (unsigned)at[i] / 100;
        out[i] = smi_counts_between((s.min + (int64_t)s.in_order[place]) * c->step,
                                    (s.min + (int64_t)s.in_order[place < last ? place + 1 : last]) * c->step,
                                    last * (unsigned)at[i] % 100);
    }
}
