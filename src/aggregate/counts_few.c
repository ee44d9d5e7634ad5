/* The few readings of counts that were only kept: in order, or what is asked of them without that. */
#include "base/mem.h"
#include "aggregate/counts_private.h"
#include "aggregate/vector.h"

#include <string.h>

enum {
    BIN_BITS = 10,
    BINS = 1 << BIN_BITS /* above 100 % in tenths */,
    DIGIT = 8,
    DIGITS = 1 << DIGIT,
    STRETCHES = 32,
    HANDFUL = 8
};

struct sorted {
    uint32_t v[SMI_COUNTS_FEW];
};

/* Two neighbours in the order: a percentile lies between them. */
struct place {
    uint32_t here, next;
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

/* How many readings lie in each of equal parts of their range, the bins; and in a block of bins together. */
struct bins {
    uint16_t n[BINS], block[BINS / SMI_VECTOR_BLOCK];
};

/* Counts them by what they are above min, less its lowest `shift` bits. Neighbours often fall into one bin:
 * they count in turn, or each would wait for the one before it. */
static void fill_bins(const struct smi_counts *c, int32_t min, uint32_t range, unsigned shift, struct bins *b)
{
    uint16_t turn[SMI_VECTOR_TURNS][BINS];
    const int32_t *v = c->few;
    size_t i = 0, n = c->fews, blocks = (range >> shift) / SMI_VECTOR_BLOCK + 1;
    for (size_t k = 0; k < SMI_VECTOR_TURNS; k++)
        memset(turn[k], 0, blocks * SMI_VECTOR_BLOCK * sizeof **turn);
    for (; i + SMI_VECTOR_TURNS <= n; i += SMI_VECTOR_TURNS)
        for (size_t k = 0; k < SMI_VECTOR_TURNS; k++)
            turn[k][(uint32_t)(v[i + k] - min) >> shift]++;
    for (; i < n; i++)
        turn[0][(uint32_t)(v[i] - min) >> shift]++;
    smi_vector_bins(*turn, BINS, blocks, b->n, b->block);
}

/* The same of a handful of values, as of the intervals of a log. */
static size_t handful_items(const struct smi_counts *c, int32_t min, uint32_t range,
                            struct smi_counts_item *list)
{
    size_t n = 0;
    for (uint32_t k = 0; k <= range; k++) {
        int32_t v = min + (int32_t)k;
        size_t some = smi_vector_equal(c->few, c->fews, v);
        if (some)
            list[n++] = (struct smi_counts_item){v * c->step, (int64_t)some};
    }
    return n;
}

static size_t narrow_items(const struct smi_counts *c, int32_t min, uint32_t range,
                           struct smi_counts_item *list)
{
    struct bins b;
    size_t n = 0;
    if (range < HANDFUL)
        return handful_items(c, min, range, list);
    fill_bins(c, min, range, 0, &b);
    for (uint32_t k = 0; k <= range; k++)
        if (b.n[k])
            list[n++] = (struct smi_counts_item){(min + (int64_t)k) * c->step, b.n[k]};
    return n;
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
    if (range < BINS)
        return narrow_items(c, min, range, list);
    sort_readings(c, min, range, &s);
    for (unsigned i = 0, k; i < c->fews; i = k) {
        for (k = i + 1; k < c->fews && s.v[k] == s.v[i]; k++)
            ;
        list[n++] = (struct smi_counts_item){(min + (int64_t)s.v[i]) * c->step, k - i};
    }
    return n;
}

/* ---- sums and places ---- */

/* Sums of what readings are above min. */
struct above {
    uint64_t sum;
    smi_u128 sum2;
};

/* As readings are: n * min^2 + 2 * min * sum + sum2. */
static void fill_figures(struct smi_counts_figures *f, const struct smi_counts *c, int32_t min,
                         uint32_t range, struct above d)
{
    f->n = c->fews;
    f->min = min * c->step;
    f->max = (min + (int64_t)range) * c->step;
    f->sum = ((smi_i128)d.sum + (smi_i128)f->n * min) * c->step;
    f->sum2 = ((smi_i128)d.sum2 + 2 * (smi_i128)d.sum * min + (smi_i128)f->n * min * min) * c->step * c->step;
}

/* The sums of all readings; squares of 27 bits fit in 64. */
static struct above sum_readings(const struct smi_counts *c, int32_t min, uint32_t range)
{
    struct above d = {0};
    uint64_t squares;
    _Static_assert(SMI_COUNTS_FEW <= 1 << 10, "so many squares of 27 bits fit in 64");
    smi_vector_above(c->few, c->fews, min, &d.sum, &squares);
    d.sum2 = squares;
    if (range < 1u << 27)
        return d;
    d.sum2 = 0;
    for (unsigned i = 0; i < c->fews; i++) {
        uint64_t above = (uint64_t)((int64_t)c->few[i] - min);
        d.sum2 += above * above;
    }
    return d;
}

/* A bin, and how many readings lie below it. */
struct spot {
    uint32_t bin;
    unsigned below;
};

/* Goes up to the bin of the reading at a place. */
static void seek_bin(const struct bins *b, struct spot *s, unsigned place)
{
    for (;; s->below += b->n[s->bin++]) {
        for (; s->bin % SMI_VECTOR_BLOCK == 0 && s->below + b->block[s->bin / SMI_VECTOR_BLOCK] <= place;
             s->bin += SMI_VECTOR_BLOCK)
            s->below += b->block[s->bin / SMI_VECTOR_BLOCK];
        if (s->below + b->n[s->bin] > place)
            return;
    }
}

/* Readings of some bins, less min, those of one bin side by side. The others fall on each other in front of
 * them. */
struct chosen {
    uint16_t to[BINS]; /* where the next one of a bin comes */
    int32_t v[2 * SMI_COUNTS_FEW];
};

/* Those of the bins of n spots, ascending. from[i]: where the ones of spot i begin. */
static void choose_candidates(const struct smi_counts *c, int32_t min, unsigned shift, const struct bins *b,
                              const struct spot *spot, size_t n, struct chosen *out, uint16_t *from)
{
    const int32_t *few = c->few;
    uint16_t at = SMI_COUNTS_FEW;
    memset(out->to, 0, sizeof out->to);
    for (size_t i = 0; i < n; i++) {
        uint16_t *to = &out->to[spot[i].bin];
        if (!*to) {
            *to = at;
            at = (uint16_t)(at + b->n[spot[i].bin]);
        }
        from[i] = *to;
    }
    for (size_t i = 0, all = c->fews; i < all; i++) {
        uint32_t v = (uint32_t)(few[i] - min);
        out->v[out->to[v >> shift]++] = (int32_t)v;
    }
}

/* Which readings those are in whose bins they are. */
static void select_in_bins(const struct smi_counts *c, int32_t min, unsigned shift, const struct bins *b,
                           const struct spot *spot, const unsigned *place, size_t n, struct place *out)
{
    struct chosen some;
    struct smi_vector_found f = {0};
    uint16_t from[2 * SMI_COUNTS_PERCENTILES];
    choose_candidates(c, min, shift, b, spot, 2 * n, &some, from);
    for (size_t i = 0; i < n; i++) {
        const struct spot *here = &spot[2 * i], *next = here + 1;
        unsigned at = place[i] - here->below;
        int32_t behind, max;
        if (i == 0 || here->bin != here[-2].bin || at >= f.upto)
            f = smi_vector_select(some.v + from[2 * i], b->n[here->bin], (int32_t)(here->bin << shift), shift,
                                  at);
        behind = at + 1 < f.upto ? f.at : f.next;
        if (next->bin != here->bin)
            smi_vector_ends(some.v + from[2 * i + 1], b->n[next->bin], &behind, &max);
        out[i] = (struct place){(uint32_t)f.at, (uint32_t)behind};
    }
}

/* The readings less min at place[i] and behind it, ascending. Bins tell nearly where they are; where a bin is
 * more than one value, its readings are looked at. */
static void bin_places(const struct smi_counts *c, int32_t min, uint32_t range, const unsigned *place,
                       size_t n, struct place *out)
{
    unsigned shift = range < BINS ? 0 : 32 - (unsigned)__builtin_clz(range) - BIN_BITS, last = c->fews - 1;
    struct bins b;
    struct spot spot[2 * SMI_COUNTS_PERCENTILES], at = {0};
    fill_bins(c, min, range, shift, &b);
    for (size_t i = 0; i < n; i++) {
        seek_bin(&b, &at, place[i]);
        spot[2 * i] = spot[2 * i + 1] = at;
        seek_bin(&b, &spot[2 * i + 1], place[i] < last ? place[i] + 1 : last);
        out[i] = (struct place){at.bin, spot[2 * i + 1].bin};
    }
    if (shift)
        select_in_bins(c, min, shift, &b, spot, place, n, out);
}

/* The same of readings that change seldom: those that stand side by side are moved to their place together.
 */
static void stretch_places(const struct smi_counts *c, int32_t min, const unsigned *place, size_t n,
                           struct place *out)
{
    struct stretch {
        uint32_t v;
        unsigned n;
    } list[STRETCHES] = {{0}};
    unsigned all = 0, k = 0, upto;
    for (unsigned i = 0, end, at; i < c->fews; i = end) {
        struct stretch s = {(uint32_t)(c->few[i] - min), 0};
        for (end = i + 1; end < c->fews && c->few[end] == c->few[i]; end++)
            ;
        s.n = end - i;
        for (at = all++; at && list[at - 1].v > s.v; at--)
            list[at] = list[at - 1];
        list[at] = s;
    }
    upto = list[0].n;
    for (size_t i = 0; i < n; i++) {
        while (upto <= place[i])
            upto += list[++k].n;
        out[i] = (struct place){list[k].v, list[k + (upto <= place[i] + 1 && k + 1 < all)].v};
    }
}

void smi_counts_few_figures(const struct smi_counts *c, const int *at, size_t n, struct smi_counts_figures *f,
                            int64_t *out)
{
    unsigned place[SMI_COUNTS_PERCENTILES], last = c->fews - 1;
    struct place found[SMI_COUNTS_PERCENTILES] = {0};
    struct above d = {0};
    int32_t min;
    uint32_t range = find_range(c->few, c->fews, &min);
    for (size_t i = 0; i < n; i++)
        place[i] = last * (unsigned)at[i] / 100;
    if (range && smi_vector_changes(c->few, c->fews) < STRETCHES)
        stretch_places(c, min, place, n, found);
    else if (range)
        bin_places(c, min, range, place, n, found);
    if (range)
        d = sum_readings(c, min, range);
    fill_figures(f, c, min, range, d);
    for (size_t i = 0; i < n; i++)
        out[i] = smi_counts_between((min + (int64_t)found[i].here) * c->step,
                                    (min + (int64_t)found[i].next) * c->step, last * (unsigned)at[i] % 100);
}
