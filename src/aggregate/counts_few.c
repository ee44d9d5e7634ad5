/* The few readings of counts that were only kept, in order. */
#include "base/mem.h"
#include "aggregate/counts_private.h"
#include "aggregate/vector.h"

#include <string.h>

enum { NARROW = 1 << 10 /* above 100 % in tenths */, DIGIT = 8, DIGITS = 1 << DIGIT };

struct sorted {
    uint32_t v[SMI_COUNTS_FEW];
};

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

static void subtract_min(const struct smi_counts *c, int32_t min, struct sorted *s)
{
    for (unsigned i = 0; i < c->fews; i++)
        s->v[i] = (uint32_t)(c->few[i] - min);
}

/* Readings less min, in order: a radix sort, as its digits are few. */
static void sort_readings(const struct smi_counts *c, int32_t min, uint32_t range, struct sorted *s)
{
    struct sorted other, *from = s, *to = &other, *done;
    subtract_min(c, min, s);
    for (unsigned shift = 0; shift < 32 && range >> shift; shift += DIGIT) {
        sort_pass(from->v, to->v, c->fews, shift);
        done = to;
        to = from;
        from = done;
    }
    if (from != s)
        memcpy(s->v, from->v, c->fews * sizeof *s->v);
}

/* The smallest reading, and how far the others reach above it. n > 0. */
static uint32_t find_range(const int32_t *v, unsigned n, int32_t *min)
{
    int32_t max;
    smi_vector_ends(v, n, min, &max);
    return (uint32_t)(max - *min);
}

/* Those of a narrow range, as a percentage or a temperature has it: each value has its counter. Neighbours
 * are often equal, and each would wait for the one before it: they count in turn. */
static size_t narrow_items(const struct smi_counts *c, int32_t min, uint32_t range,
                           struct smi_counts_item *list)
{
    uint16_t n[2][NARROW];
    size_t items = 0, i;
    memset(n[0], 0, (range + 1) * sizeof **n);
    memset(n[1], 0, (range + 1) * sizeof **n);
    for (i = 0; i + 2 <= c->fews; i += 2) {
        n[0][c->few[i] - min]++;
        n[1][c->few[i + 1] - min]++;
    }
    if (i < c->fews)
        n[0][c->few[i] - min]++;
    for (uint32_t k = 0; k <= range; k++)
        if (n[0][k] + n[1][k])
            list[items++] = (struct smi_counts_item){(min + (int64_t)k) * c->step, n[0][k] + n[1][k]};
    return items;
}

size_t smi_counts_few_items(const struct smi_counts *c, struct smi_counts_item *list)
{
    struct sorted s;
    int32_t min;
    uint32_t range;
    size_t n = 0;
    if (!c->fews)
        return 0;
    range = find_range(c->few, c->fews, &min);
    if (range == 0)
        return *list = (struct smi_counts_item){min * c->step, c->fews}, 1;
    if (range < NARROW)
        return narrow_items(c, min, range, list);
    sort_readings(c, min, range, &s);
    for (unsigned i = 0, k; i < c->fews; i = k) {
        for (k = i + 1; k < c->fews && s.v[k] == s.v[i]; k++)
            ;
        list[n++] = (struct smi_counts_item){(min + (int64_t)s.v[i]) * c->step, k - i};
    }
    return n;
}
