/* The few readings of counts that were only kept, in order. */
#include "aggregate/counts_private.h"
#include "aggregate/vector.h"

#include <string.h>

enum { NARROW = 1024 /* above 100 % in tenths */, DIGIT = 8, DIGITS = 1 << DIGIT };

/* Readings that lie near each other, as they do in most logs: how often each value occurs. */
static size_t count_narrow(const struct smi_counts *c, int32_t min, uint32_t range,
                           struct smi_counts_item *list)
{
    uint16_t found[2][NARROW]; /* neighbours often are equal, and each would wait for the one before it */
    size_t n = 0;
    memset(found[0], 0, (range + 1) * sizeof **found);
    memset(found[1], 0, (range + 1) * sizeof **found);
    for (unsigned i = 0; i < c->fews; i++)
        found[i % 2][c->few[i] - min]++;
    for (uint32_t k = 0; k <= range; k++) {
        int some = found[0][k] + found[1][k];
        list[n] = (struct smi_counts_item){(min + (int64_t)k) * c->step, some};
        n += some > 0; /* a branch would be guessed wrong */
    }
    return n;
}

/* One pass of a radix sort: v in the order of one digit, equal ones as they stood. Its two halves go side by
 * side. */
static void sort_digit(const uint32_t *v, uint32_t *to, unsigned n, unsigned shift)
{
    uint16_t place[2][DIGITS] = {{0}}, sum = 0;
    const uint32_t *half[2] = {v, v + n / 2};
    for (unsigned i = 0; i < n / 2; i++)
        for (int h = 0; h < 2; h++)
            place[h][half[h][i] >> shift & (DIGITS - 1)]++;
    place[1][v[n - 1] >> shift & (DIGITS - 1)] += n % 2;
    for (unsigned k = 0; k < 2 * DIGITS; k++) {
        uint16_t some = place[k % 2][k / 2];
        place[k % 2][k / 2] = sum;
        sum = (uint16_t)(sum + some);
    }
    for (unsigned i = 0; i < n / 2; i++)
        for (int h = 0; h < 2; h++)
            to[place[h][half[h][i] >> shift & (DIGITS - 1)]++] = half[h][i];
    if (n % 2)
        to[place[1][v[n - 1] >> shift & (DIGITS - 1)]] = v[n - 1];
}

size_t smi_counts_few_items(const struct smi_counts *c, struct smi_counts_item *list)
{
    uint32_t v[2][SMI_COUNTS_FEW], range;
    int32_t min, max;
    unsigned at = 0;
    size_t n = 0;
    if (!c->fews)
        return 0;
    smi_vector_ends(c->few, c->fews, &min, &max);
    range = (uint32_t)max - (uint32_t)min;
    if (range == 0) {
        *list = (struct smi_counts_item){min * c->step, c->fews};
        return 1;
    }
    if (range < NARROW)
        return count_narrow(c, min, range, list);
    for (unsigned i = 0; i < c->fews; i++)
        v[0][i] = (uint32_t)c->few[i] - (uint32_t)min;
    for (unsigned shift = 0; shift < 32 && range >> shift; shift += DIGIT, at = !at)
        sort_digit(v[at], v[!at], c->fews, shift);
    for (unsigned i = 0, k; i < c->fews; i = k) {
        for (k = i + 1; k < c->fews && v[at][k] == v[at][i]; k++)
            ;
        list[n++] = (struct smi_counts_item){(min + (int64_t)v[at][i]) * c->step, k - i};
    }
    return n;
}
