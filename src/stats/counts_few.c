/* The few readings of counts that were only kept: in order, or what is asked of them without that. */
#include "base/mem.h"
#include "stats/counts_inner.h"
#include "stats/loops.h"

#include <string.h>

enum { NARROW = 1024 /* above 100 % in tenths */, TURNS = 4, DIGIT = 8, DIGITS = 1 << DIGIT,
       LITTLE = 96 /* are sorted by moving them */, STRETCHES = 32 };

struct sorted {
    uint32_t v[SMI_COUNTS_FEW];
};

/* Two neighbours in the order: a percentile lies between them. */
struct place {
    uint32_t here, next;
};

/* One pass of the sort: from[0 ... n - 1] to `to`, in the order of one digit, equal ones as they stood. Neighbours
 * often have the same digit, and each would wait for the one before it: the two halves go side by side. */
static void pass(const uint32_t *from, uint32_t *to, unsigned n, unsigned shift)
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

static void less_min(const struct smi_counts *c, int32_t min, struct sorted *s)
{
    for (unsigned i = 0; i < c->fews; i++)
        s->v[i] = (uint32_t)(c->few[i] - min);
}

/* Readings less min, in order: a radix sort, as its digits are few. */
static void sort(const struct smi_counts *c, int32_t min, uint32_t range, struct sorted *s)
{
    struct sorted other, *from = s, *to = &other, *done;
    less_min(c, min, s);
    for (unsigned shift = 0; shift < 32 && range >> shift; shift += DIGIT) {
        pass(from->v, to->v, c->fews, shift);
        done = to;
        to = from;
        from = done;
    }
    if (from != s)
        memcpy(s->v, from->v, c->fews * sizeof *s->v);
}

/* The smallest reading, and how far the others reach above it. n > 0. */
static uint32_t range_of(const int32_t *v, unsigned n, int32_t *min)
{
    int32_t max;
    smi_loop_ends(v, n, min, &max);
    return (uint32_t)(max - *min);
}

/* How often each reading occurs, less min, where all are within NARROW of it. Neighbours often are equal: they count in
 * turn, or each would wait for the one before it. */
static void count_narrow(const struct smi_counts *c, int32_t min, uint32_t range, uint16_t *count)
{
    uint16_t turn[TURNS][NARROW];
    const int32_t *v = c->few;
    unsigned i = 0;
    for (unsigned k = 0; k < TURNS; k++)
        memset(turn[k], 0, (range + 1) * sizeof **turn);
    for (; i + TURNS <= c->fews; i += TURNS) {
        turn[0][v[i] - min]++;
        turn[1][v[i + 1] - min]++;
        turn[2][v[i + 2] - min]++;
        turn[3][v[i + 3] - min]++;
    }
    for (; i < c->fews; i++)
        turn[0][v[i] - min]++;
    for (uint32_t k = 0; k <= range; k++)
        count[k] = (uint16_t)(turn[0][k] + turn[1][k] + turn[2][k] + turn[3][k]);
}

static size_t narrow_items(const struct smi_counts *c, int32_t min, uint32_t range, struct smi_counts_item *list)
{
    uint16_t count[NARROW];
    size_t n = 0;
    count_narrow(c, min, range, count);
    for (uint32_t k = 0; k <= range; k++)
        if (count[k])
            list[n++] = (struct smi_counts_item){(min + (int64_t)k) * c->step, count[k]};
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
    range = range_of(c->few, c->fews, &min);
    if (range == 0)
        return *list = (struct smi_counts_item){min * c->step, c->fews}, 1;
    if (range < NARROW)
        return narrow_items(c, min, range, list);
    sort(c, min, range, &s);
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
static void set_figures(struct smi_counts_figures *f, const struct smi_counts *c, int32_t min, uint32_t range,
                        struct above d)
{
    f->n = c->fews;
    f->min = min * c->step;
    f->max = (min + (int64_t)range) * c->step;
    f->sum = ((smi_i128)d.sum + (smi_i128)f->n * min) * c->step;
    f->sum2 = ((smi_i128)d.sum2 + 2 * (smi_i128)d.sum * min + (smi_i128)f->n * min * min) * c->step * c->step;
}

/* The sums of all readings; squares of 27 bits fit in 64. */
static struct above add_all(const struct smi_counts *c, int32_t min, uint32_t range)
{
    struct above d = {0};
    uint64_t squares;
    _Static_assert(SMI_COUNTS_FEW <= 1 << 10, "so many squares of 27 bits fit in 64");
    smi_loop_above(c->few, c->fews, min, &d.sum, &squares);
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

/* The readings less min at place[i] and behind it, ascending: from how often each occurs. */
static void narrow_places(const struct smi_counts *c, int32_t min, uint32_t range, const unsigned *place, size_t n,
                          struct place *out)
{
    uint16_t count[NARROW];
    uint32_t k = 0, next;
    unsigned upto;
    count_narrow(c, min, range, count);
    upto = count[0];
    for (size_t i = 0; i < n; i++) {
        while (upto <= place[i])
            upto += count[++k];
        next = k;
        while (upto <= place[i] + 1 && next < range && !count[++next])
            ;
        out[i] = (struct place){k, next};
    }
}

/* Where those begin and end that are like v[at] above the lowest `shift` bits, and lie beside it. */
static void reach(const uint32_t *v, unsigned shift, unsigned at, unsigned *from, unsigned *to)
{
    unsigned low = at, high = at + 1;
    uint32_t like = v[at] >> shift;
    while (low > *from && v[low - 1] >> shift == like)
        low--;
    while (high < *to && v[high] >> shift == like)
        high++;
    *from = low;
    *to = high;
}

/* Brings v[at] to its place among v[from ... to - 1], which stand in order above the lowest `shift` bits, and those
 * with it that are like it there. Returns where these end. Few are moved past each other; of more those that have its
 * next digit go on. */
static unsigned order_at(uint32_t *v, unsigned from, unsigned to, unsigned shift, unsigned at)
{
    uint32_t some[SMI_COUNTS_FEW];
    reach(v, shift, at, &from, &to);
    while (shift && to - from > LITTLE) {
        shift = shift > DIGIT ? shift - DIGIT : 0;
        memcpy(some, v + from, (to - from) * sizeof *v);
        pass(some, v + from, to - from, shift);
        reach(v, shift, at, &from, &to);
    }
    for (unsigned i = from + 1; i < to && shift; i++) {
        uint32_t x = v[i];
        unsigned k = i;
        for (; k > from && v[k - 1] > x; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
    return to;
}

/* The same, from the readings: one pass by the highest digit brings each near its place, the rest is done where they
 * are asked for. */
static void wide_places(const struct smi_counts *c, int32_t min, uint32_t range, const unsigned *place, size_t n,
                        struct place *out)
{
    unsigned shift = 32 - (unsigned)__builtin_clz(range) - DIGIT, upto = 0, last = c->fews - 1;
    struct sorted s, all;
    less_min(c, min, &all);
    pass(all.v, s.v, c->fews, shift);
    for (size_t i = 0; i < n; i++) {
        for (unsigned at = place[i]; at <= place[i] + 1 && at <= last; at++)
            if (at >= upto)
                upto = order_at(s.v, upto, c->fews, shift, at);
        out[i] = (struct place){s.v[place[i]], s.v[place[i] < last ? place[i] + 1 : last]};
    }
}

/* The same of readings that change seldom: those that stand side by side are moved to their place together. */
static void stretch_places(const struct smi_counts *c, int32_t min, const unsigned *place, size_t n, struct place *out)
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
    unsigned place[SMI_COUNTS_ASKED], last = c->fews - 1;
    struct place found[SMI_COUNTS_ASKED] = {0};
    struct above d = {0};
    int32_t min;
    uint32_t range = range_of(c->few, c->fews, &min);
    for (size_t i = 0; i < n; i++)
        place[i] = last * (unsigned)at[i] / 100;
    if (range && smi_loop_changes(c->few, c->fews) < STRETCHES)
        stretch_places(c, min, place, n, found);
    else if (range)
        (range < NARROW ? narrow_places : wide_places)(c, min, range, place, n, found);
    if (range)
        d = add_all(c, min, range);
    set_figures(f, c, min, range, d);
    for (size_t i = 0; i < n; i++)
        out[i] = smi_counts_between((min + (int64_t)found[i].here) * c->step, (min + (int64_t)found[i].next) * c->step,
                                    last * (unsigned)at[i] % 100);
}
