/* test_statistics.c - the aggregates against slow restatements of docs/numbers.md: counts, time sums, series,
 * phases.
 */
#include "base/mem.h"
#include "aggregate/counts.h"
#include "aggregate/phases.h"
#include "aggregate/series.h"
#include "aggregate/device_stats.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed;

static uint64_t draw(void)
{
    uint64_t z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static int64_t between(int64_t lo, int64_t hi)
{
    return lo + (int64_t)(draw() % (uint64_t)(hi - lo + 1));
}

/* ---- counts: a plain list of values with weights beside them ---- */

enum { VALUES = 4000 };

struct naive {
    struct smi_counts_item v[VALUES];
    size_t n;
};

static int by_value(const void *a, const void *b)
{
    const struct smi_counts_item *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* The value at sorted place i. */
static int64_t naive_at(const struct naive *l, int64_t i)
{
    size_t k = 0;
    for (; i >= l->v[k].n; k++)
        i -= l->v[k].n;
    return l->v[k].value;
}

static int64_t half_even(smi_i128 num, int64_t den)
{
    smi_i128 q = num / den, r = num % den;
    if (r < 0) {
        q--;
        r += den;
    }
    return (int64_t)(q + (2 * r > den || (2 * r == den && q % 2 != 0)));
}

static int64_t naive_percentile(const struct naive *l, int64_t n, int percent)
{
    int64_t k = (n - 1) * percent, i = k / 100, f = k % 100, a = naive_at(l, i);
    return f ? half_even((smi_i128)a * 100 + (smi_i128)(naive_at(l, i + 1) - a) * f, 100) : a;
}

/* ---- integers of 10 x 32 bits, for the deviation ---- */

enum { LIMBS = 10 };

struct big {
    uint32_t d[LIMBS];
};

static struct big big_of(smi_u128 v)
{
    struct big b = {{0}};
    for (int i = 0; i < 4; i++, v >>= 32)
        b.d[i] = (uint32_t)v;
    return b;
}

static struct big big_mul(struct big a, struct big b)
{
    struct big c = {{0}};
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (int k = 0; i + k < LIMBS; k++) {
            carry += c.d[i + k] + (uint64_t)a.d[i] * b.d[k];
            c.d[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return c;
}

static struct big big_sub(struct big a, struct big b)
{
    int64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (int64_t)a.d[i] - b.d[i];
        a.d[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

static bool big_less(struct big a, struct big b)
{
    for (int i = LIMBS; i-- > 0;)
        if (a.d[i] != b.d[i])
            return a.d[i] < b.d[i];
    return false;
}

/* docs/numbers.md §2: V is the variance rounded down, s its root rounded down, and s + 1 if V - s*s > s. So r
 * is the deviation iff r*r - r + 1 <= V <= r*r + r, and V n n <= n S2 - S S < (V + 1) n n: no quotient is
 * needed. */
static void is_deviation(int64_t r, smi_i128 n, smi_i128 sum, smi_i128 sum2)
{
    smi_u128 s = sum < 0 ? -(smi_u128)sum : (smi_u128)sum, u = (smi_u128)r;
    struct big nn = big_mul(big_of((smi_u128)n), big_of((smi_u128)n));
    struct big x =
        big_sub(big_mul(big_of((smi_u128)n), big_of((smi_u128)sum2)), big_mul(big_of(s), big_of(s)));
    assert_true(r >= 0);
    assert_false(r > 0 && big_less(x, big_mul(nn, big_of(u * u - u + 1))));
    assert_true(big_less(x, big_mul(nn, big_of(u * u + u + 1))));
}

static void has_figures(const struct smi_counts_figures *f, const struct naive *l, int64_t n, smi_i128 sum,
                        smi_i128 sum2)
{
    assert_int_equal(f->n, n);
    assert_true(f->sum == sum && f->sum2 == sum2);
    assert_int_equal(f->min, n ? l->v[0].value : 0);
    assert_int_equal(f->max, n ? l->v[l->n - 1].value : 0);
}

enum { AT_ONCE = SMI_COUNTS_PERCENTILES /* percentiles */ };

static void equals(struct smi_counts *c, struct naive *l)
{
    struct smi_counts_view v;
    struct smi_counts_cursor walk = {0};
    struct smi_counts_item item;
    smi_i128 sum = 0, sum2 = 0;
    int64_t n = 0;
    qsort(l->v, l->n, sizeof *l->v, by_value);
    smi_counts_view(c, &v);
    for (size_t i = 0; i < l->n; i++) {
        n += l->v[i].n;
        sum += (smi_i128)l->v[i].value * l->v[i].n;
        sum2 += (smi_i128)l->v[i].value * l->v[i].value * l->v[i].n;
    }
    for (size_t i = 0; i < l->n;) { /* the same values in order, each once */
        int64_t value = l->v[i].value, count = 0;
        for (; i < l->n && l->v[i].value == value; i++)
            count += l->v[i].n;
        assert_true(smi_counts_view_next(&v, &walk, &item));
        assert_int_equal(item.value, value);
        assert_int_equal(item.n, count);
    }
    assert_false(smi_counts_view_next(&v, &walk, &item));
    has_figures(&v.all, l, n, sum, sum2);
    for (int p = 0; p + AT_ONCE <= 101 && n; p += 5) { /* one alone, and neighbours at once */
        int at[AT_ONCE];
        int64_t got[AT_ONCE];
        struct smi_counts_figures f;
        for (int i = 0; i < AT_ONCE; i++)
            at[i] = p + i;
        for (size_t some = 1; some <= AT_ONCE; some += AT_ONCE - 1) {
            smi_counts_figures(c, at, some, &f, got);
            has_figures(&f, l, n, sum, sum2);
            for (size_t i = 0; i < some; i++)
                assert_int_equal(got[i], naive_percentile(l, n, at[i]));
        }
    }
    for (int i = 0; i < 20 && n; i++) {
        int64_t at = between(0, n - 1);
        assert_int_equal(smi_counts_at(c, at), naive_at(l, at));
    }
    if (n)
        is_deviation(smi_counts_stddev(&v.all), n, sum, sum2);
    smi_counts_view_fini(&v);
}

/* Values as sources print them, and as they do not. */
static int64_t value(int kind, int64_t step)
{
    static const int64_t far[] = {0,
                                  1,
                                  -1,
                                  2047,
                                  2048,
                                  -2048,
                                  INT64_C(1) << 42,
                                  -(INT64_C(1) << 42),
                                  (INT64_C(1) << 43) - 1,
                                  1 - (INT64_C(1) << 43)};
    switch (kind) {
    case 0:
        return between(0, 100) * step;
    case 1: /* as memory in use: most near the top */
        return (between(0, 3) ? between(69500, 70000) : between(0, 70000)) * step;
    case 2:
        return between(-100, 100) * step;
    case 3:
        return between(0, 3000000);
    case 4:
        return between(1 - (INT64_C(1) << 43), (INT64_C(1) << 43) - 1);
    case 5:
        return far[between(0, 9)];
    case 6:
        return ((int64_t)SMI_COUNTS_PAGE * SMI_COUNTS_PAGES + between(-2, 2)) *
               step; /* where the dense pages end */
    default:
        return 7 * step;
    }
}

static void feed(struct smi_counts *c, struct naive *l, int n, int kind)
{
    for (int i = 0; i < n; i++) {
        int64_t v = value(kind == 8 ? (int)between(0, 7) : kind, c->step),
                many = between(0, 9) ? 1 : between(1, 1000);
        if (v >= INT64_C(1) << 43)
            v = 5;
        many == 1 ? smi_counts_add(c, v) : smi_counts_add_many(c, v, many);
        l->v[l->n++] = (struct smi_counts_item){v, many};
    }
}

static const int64_t steps[] = {1000000, 10000, 100000, 1, 250};

/* With a small cap (see test_properties.c) longer lists would pass it. */
static int room(int n)
{
    return n < SMI_DISTINCT_CAP ? n : SMI_DISTINCT_CAP;
}

/* Readings that are only kept, as far apart as they may be. */
static void few_readings_far_apart(void **state)
{
    static struct naive l;
    (void)state;
    seed = 2;
    for (int i = 0; i < 60; i++) {
        struct smi_counts c;
        l.n = 0;
        smi_counts_init(&c, 1);
        for (int64_t n = between(2, SMI_COUNTS_FEW), most = i % 31; n > 0; n--) {
            int64_t v =
                between(0, 2) ? between(0, INT32_MAX) >> most : INT32_MAX - (between(0, 5000) >> i % 13);
            smi_counts_add(&c, v);
            l.v[l.n++] = (struct smi_counts_item){v, 1};
        }
        assert_true(c.fews > 0);
        equals(&c, &l);
        smi_counts_fini(&c);
    }
}

static void counts_equal_a_sorted_list(void **state)
{
    static struct naive l;
    (void)state;
    seed = 1;
    for (int i = 0; i < 400; i++) {
        struct smi_counts c;
        l.n = 0;
        smi_counts_init(&c, steps[between(0, 4)]);
        equals(&c, &l);
        feed(&c, &l, room((int)between(1, i % 10 ? 60 : VALUES)), i % 9);
        assert_false(c.approximate);
        equals(&c, &l);
        smi_counts_fini(&c);
    }
}

static void counts_merge_in_any_grouping(void **state)
{
    static struct naive all;
    (void)state;
    seed = 2;
    for (int i = 0; i < 300; i++) {
        struct smi_counts part[6];
        int n = (int)between(1, 6), left = n;
        all.n = 0;
        for (int k = 0; k < n; k++) {
            smi_counts_init(&part[k], steps[i % 5]);
            feed(&part[k], &all, room((int)between(0, 300)) / 6, i % 9);
        }
        while (left > 1) { /* any two become one, either way round */
            int a = (int)between(0, left - 1), b = (int)between(0, left - 2);
            struct smi_counts gone;
            b += b >= a;
            smi_counts_merge(&part[a], &part[b]);
            gone = part[b];
            part[b] = part[--left];
            smi_counts_fini(&gone);
        }
        equals(&part[0], &all);
        smi_counts_fini(&part[0]);
    }
}

static void counters_do_not_overflow(void **state)
{
    static struct naive l;
    struct smi_counts a, b;
    (void)state;
    for (int64_t v = 0; v <= 3; v += 3) { /* dense and not */
        static const int64_t many[] = {UINT32_MAX,
                                       1,
                                       UINT32_MAX - 1,
                                       5,
                                       INT64_C(1) << 40,
                                       UINT32_MAX,
                                       1,
                                       255 * 65536 - 8,
                                       5,
                                       1,
                                       255 * 65536 - 1,
                                       1,
                                       254,
                                       1,
                                       1,
                                       256};
        l.n = 0;
        smi_counts_init(&a, 10000);
        for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
            smi_counts_add_many(&a, v, many[i]);
            smi_counts_add(&a, v);
            l.v[l.n++] = (struct smi_counts_item){v, many[i] + 1};
        }
        smi_counts_add(&a, 20000);
        l.v[l.n++] = (struct smi_counts_item){20000, 1};
        equals(&a, &l);
        smi_counts_init(&b, 10000);
        smi_counts_merge(&b, &a);
        smi_counts_merge(&b, &a);
        assert_int_equal(b.distinct, 2);
        memcpy(l.v + l.n, l.v, l.n * sizeof *l.v);
        l.n *= 2;
        equals(&b, &l);
        smi_counts_fini(&a);
        smi_counts_fini(&b);
    }
}

/* `many` readings of one value, in blocks as readers hand them on, each with one other. */
static void feed_units(struct smi_counts *c, struct naive *l, int32_t u, int64_t many)
{
    static int32_t block[4096];
    while (many > 0) {
        size_t n = (size_t)(many < 4095 ? many : 4095);
        for (size_t i = 0; i < n; i++)
            block[i] = u;
        block[n] = u + 1;
        smi_counts_add_units(c, block, n + 1, c->step);
        l->v[l->n++] = (struct smi_counts_item){u * c->step, (int64_t)n};
        l->v[l->n++] = (struct smi_counts_item){(u + 1) * c->step, 1};
        many -= (int64_t)n;
    }
}

/* Counters are kept in two halves of 16 bits: whatever carries from one to the other, nothing is lost. */
static void counters_carry(void **state)
{
    static struct naive l;
    static const int32_t values[] = {0, 7, 254, 300};
    (void)state;
    seed = 5;
    for (int i = 0; i < 40; i++) {
        struct smi_counts c, part;
        l.n = 0;
        smi_counts_init(&c, 10000);
        smi_counts_init(&part, 10000);
        for (int k = 0; k < 8; k++) {
            struct smi_counts *to = between(0, 1) ? &c : &part;
            int32_t u = values[between(0, 3)];
            int64_t many = (between(0, 1) ? 255 * 256 : 255) * between(0, 2) + between(-2, 2);
            if (many > 0 && between(0, 1)) {
                smi_counts_add_many(to, u * to->step, many);
                l.v[l.n++] = (struct smi_counts_item){u * to->step, many};
            } else {
                feed_units(to, &l, u, many);
            }
            smi_counts_add(to, u * to->step);
            l.v[l.n++] = (struct smi_counts_item){u * to->step, 1};
        }
        smi_counts_merge(&c, &part);
        equals(&c, &l);
        smi_counts_fini(&c);
        smi_counts_fini(&part);
    }
}

static void deviation_of_many_far_values(void **state)
{
    static struct naive l;
    (void)state;
    seed = 3;
    for (int i = 0; i < 2000; i++) {
        struct smi_counts c;
        int n = (int)between(1, 6);
        l.n = 0;
        smi_counts_init(&c, 1);
        for (int k = 0; k < n; k++) { /* up to 2^38 of values up to 2^43: sums of squares fill 127 bits */
            int64_t v = between(1 - (INT64_C(1) << 43), (INT64_C(1) << 43) - 1) >> between(0, 43);
            int64_t many = 1 + (between(0, INT64_C(1) << 38) >> between(0, 38));
            smi_counts_add_many(&c, v, many);
            l.v[l.n++] = (struct smi_counts_item){v, many};
        }
        equals(&c, &l);
        smi_counts_fini(&c);
    }
}

/* ---- beyond the cap ---- */

/* What a value counts as, by the words of docs/numbers.md §2. */
static int64_t stands_for(int64_t v, int64_t min, int64_t max)
{
    int64_t u = v < 0 ? -v : v, low;
    int bits = 0, shift;
    while (u >> bits)
        bits++;
    if (u < 2048)
        return v;
    shift = bits - 11;
    low = (u >> shift) << shift;
    u = low + (INT64_C(1) << (shift - 1));
    v = v < 0 ? -u : u;
    return v < min ? min : v > max ? max : v;
}

/* `distinct` values, shuffled, some below zero, each once or twice. */
static void beyond(int64_t *v, size_t distinct, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < distinct; i++) {
        int64_t x = (int64_t)i * 997 - (int64_t)distinct * 100;
        v[(*n)++] = x;
        if (i % 3 == 0)
            v[(*n)++] = x;
    }
    for (size_t i = *n; i-- > 1;) {
        size_t k = (size_t)between(0, (int64_t)i);
        int64_t x = v[i];
        v[i] = v[k];
        v[k] = x;
    }
}

static int by_int(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void is_bucketed(struct smi_counts *c, const int64_t *v, size_t n)
{
    struct smi_counts_view view;
    struct smi_counts_figures all;
    struct smi_counts_cursor walk = {0};
    struct smi_counts_item item;
    int64_t *rep = malloc(n * sizeof *rep), min = v[0], max = v[0];
    smi_i128 sum = 0, sum2 = 0;
    assert_true(c->approximate);
    for (size_t i = 0; i < n; i++) {
        min = v[i] < min ? v[i] : min;
        max = v[i] > max ? v[i] : max;
        sum += v[i];
        sum2 += (smi_i128)v[i] * v[i];
    }
    for (size_t i = 0; i < n; i++)
        rep[i] = stands_for(v[i], min, max);
    qsort(rep, n, sizeof *rep, by_int);
    smi_counts_view(c, &view);
    assert_int_equal(view.all.n, n);
    assert_int_equal(view.all.min, min);
    assert_int_equal(view.all.max, max);
    assert_true(view.all.sum == sum && view.all.sum2 == sum2);
    for (size_t i = 0; i < n;) {
        int64_t x = rep[i], count = 0;
        for (; i < n && rep[i] == x; i++)
            count++;
        assert_true(smi_counts_view_next(&view, &walk, &item));
        assert_int_equal(item.value, x);
        assert_int_equal(item.n, count);
    }
    assert_false(smi_counts_view_next(&view, &walk, &item));
    for (int p = 0; p <= 100; p++) {
        int64_t got, at = ((int64_t)n - 1) * p, i = at / 100, f = at % 100;
        int64_t want =
            f ? half_even((smi_i128)rep[i] * 100 + (smi_i128)(rep[i + 1] - rep[i]) * f, 100) : rep[i];
        smi_counts_figures(c, &p, 1, &all, &got);
        assert_int_equal(got, want);
        assert_true(all.n == (int64_t)n && all.min == min && all.max == max && all.sum == sum &&
                    all.sum2 == sum2);
    }
    is_deviation(smi_counts_stddev(&all), (smi_i128)n, sum, sum2);
    smi_counts_view_fini(&view);
    free(rep);
}

static void the_cap_is_passed_by_one_value(void **state)
{
    int64_t *v = malloc(2 * (SMI_DISTINCT_CAP + 1) * sizeof *v);
    (void)state;
    seed = 4;
    for (size_t over = 0; over < 2; over++) {
        for (int k = 0; k < 3; k++) { /* dense, hashed, both */
            static const int64_t step[] = {997, 1000000, 997 * 2};
            struct smi_counts c;
            size_t n;
            smi_counts_init(&c, step[k]);
            beyond(v, SMI_DISTINCT_CAP + over, &n);
            for (size_t i = 0; i < n; i++)
                smi_counts_add(&c, v[i]);
            assert_int_equal(c.approximate, over);
            if (over)
                is_bucketed(&c, v, n);
            smi_counts_fini(&c);
        }
    }
    free(v);
}

/* One part passes the cap alone, or none does and only all together do: the same, however they are joined. */
static void beyond_the_cap_any_grouping_is_the_same(void **state)
{
    size_t n, most = 2 * (SMI_DISTINCT_CAP + SMI_DISTINCT_CAP / 8 + 2);
    int64_t *v = malloc(most * sizeof *v);
    (void)state;
    seed = 5;
    for (int i = 0; i < rounds(12, 4); i++) {
        struct smi_counts part[4];
        size_t share[3];
        int left = 4;
        bool alone = i % 2; /* the last part passes the cap, and the others are small */
        beyond(v, SMI_DISTINCT_CAP + 1 + (alone ? SMI_DISTINCT_CAP / 8 : 0), &n);
        if (i / 2 % 2) /* sorted: the parts have no value in common */
            qsort(v, n, sizeof *v, by_int);
        for (int k = 0; k < 3; k++)
            share[k] = (size_t)between(0, (int64_t)(alone ? n / 200 : n));
        for (int k = 0; k < 4; k++)
            smi_counts_init(&part[k], 997);
        for (size_t k = 0; k < n; k++)
            smi_counts_add(&part[(k >= share[0]) + (k >= share[1]) + (k >= share[2])], v[k]);
        while (left > 1) {
            int a = (int)between(0, left - 1), b = (int)between(0, left - 2);
            struct smi_counts gone;
            b += b >= a;
            smi_counts_merge(&part[a], &part[b]);
            gone = part[b];
            part[b] = part[--left];
            smi_counts_fini(&gone);
        }
        is_bucketed(&part[0], v, n);
        smi_counts_fini(&part[0]);
    }
    free(v);
}

/* ---- time sums ---- */

static unsigned class_of(int64_t dt)
{
    int bits = 0;
    smi_u128 scaled = (smi_u128)dt << 3;
    while (dt >> bits)
        bits++;
    return 8u * (unsigned)(bits - 1) +
           (unsigned)(scaled >> (bits - 1)) % 8; /* the 3 bits below the top one */
}

static void classes_are_monotone(void **state)
{
    unsigned last = 0;
    (void)state;
    seed = 6;
    assert_int_equal(smi_interval_class(1), 0);
    for (int64_t dt = 1; dt < 1 << 20; dt++) {
        unsigned c = smi_interval_class(dt);
        assert_true(c >= last);
        assert_int_equal(c, class_of(dt));
        last = c;
    }
    for (int i = 0; i < 100000; i++) {
        int64_t a = 1 + (int64_t)(draw() >> between(2, 62)), b = a + between(0, a / 4 + 1);
        assert_true(smi_interval_class(a) <= smi_interval_class(b));
        assert_int_equal(smi_interval_class(a), class_of(a));
        if (a >= 8) { /* 8 classes an octave: an eighth more is the next class at the latest */
            assert_true(smi_interval_class(a + a / 8 + 1) > smi_interval_class(a));
            assert_true(smi_interval_class(2 * a) == smi_interval_class(a) + 8);
        }
    }
}

static void time_sums_equal_plain_sums(void **state)
{
    (void)state;
    seed = 7;
    for (int i = 0; i < 200; i++) {
        struct smi_time_sum part[3] = {{0}};
        struct smi_time_sum_slot want = {0}, got;
        int64_t limit = 1 + (int64_t)(draw() >> between(30, 62));
        int n = (int)between(0, 200);
        for (int k = 0; k < n; k++) {
            int64_t dt = 1 + (int64_t)(draw() >> between(30, 62));
            smi_i128 area = (smi_i128)between(-(INT64_C(1) << 43), INT64_C(1) << 43) * dt;
            smi_time_sum_add(&part[between(0, 2)], smi_interval_class(dt), 1, dt, area);
            if (class_of(dt) > class_of(limit))
                continue;
            want.n++;
            want.dt += dt;
            want.area += area;
        }
        smi_time_sum_merge(&part[1], &part[2]);
        smi_time_sum_merge(&part[0], &part[1]);
        got = smi_time_sum_total(&part[0], smi_interval_class(limit));
        assert_int_equal(got.n, want.n);
        assert_int_equal(got.dt, want.dt);
        assert_true(got.area == want.area);
        smi_time_sum_clear(&part[0]);
        assert_int_equal(smi_time_sum_total(&part[0], ~0u).n, 0);
        for (int k = 0; k < 3; k++)
            smi_time_sum_fini(&part[k]);
    }
}

/* ---- series ---- */

enum { READINGS = 3000 };

struct reading {
    int64_t t, v;
};

/* The finest grid on which all readings fit into SMI_SERIES_MAX buckets, and in each bucket what fell into
 * it. */
static void is_series_of(const struct smi_series *s, const struct reading *r, size_t n)
{
    int64_t min = r[0].t, max = r[0].t, found = 0;
    unsigned shift = SMI_SERIES_SHIFT;
    for (size_t i = 0; i < n; i++) {
        min = r[i].t < min ? r[i].t : min;
        max = r[i].t > max ? r[i].t : max;
    }
    while ((max >> shift) - (min >> shift) >= SMI_SERIES_MAX)
        shift++;
    assert_int_equal(s->shift, shift);
    assert_int_equal(s->base, min >> shift);
    assert_int_equal(s->n, (max >> shift) - (min >> shift) + 1);
    assert_true(s->n <= SMI_SERIES_MAX);
    for (size_t k = 0; k < s->n; k++) {
        struct smi_series_bucket want = {0};
        for (size_t i = 0; i < n; i++) {
            if (r[i].t >> shift != s->base + (int64_t)k)
                continue;
            want.min = want.n && want.min < r[i].v ? want.min : r[i].v;
            want.max = want.n && want.max > r[i].v ? want.max : r[i].v;
            want.sum += r[i].v;
            want.n++;
        }
        assert_int_equal(s->bucket[k].n, want.n);
        found += want.n;
        if (!want.n)
            continue;
        assert_int_equal(s->bucket[k].min, want.min);
        assert_int_equal(s->bucket[k].max, want.max);
        assert_true(s->bucket[k].sum == want.sum);
    }
    assert_int_equal(found, n);
}

static size_t some_readings(struct reading *r, int i)
{
    static const int64_t full = (int64_t)SMI_SERIES_MAX << SMI_SERIES_SHIFT;
    const int64_t spans[] = {1, 1000, full - 300, full - 1, full, full + 300, 5000000, INT64_C(31536000000)};
    int64_t start = i % 5 ? 1783030000000 : -2000, span = spans[between(0, 7)];
    size_t n = (size_t)between(1, i % 20 ? 100 : READINGS);
    for (size_t k = 0; k < n; k++)
        r[k] = (struct reading){start + between(0, span), between(-5, 100) * 1000000};
    return n;
}

/* One reading. */
static void add_reading(struct smi_series *s, int64_t t_ms, int64_t v)
{
    smi_series_add_bucket(s, t_ms, 0, &(struct smi_series_bucket){1, v, v, v});
}

static void series_does_not_know_the_order(void **state)
{
    static struct reading r[READINGS];
    (void)state;
    seed = 8;
    for (int i = 0; i < 300; i++) {
        size_t n = some_readings(r, i);
        for (int order = 0; order < 2; order++) {
            struct smi_series s = {0};
            for (size_t k = 0; k < n; k++)
                add_reading(&s, r[k].t, r[k].v);
            is_series_of(&s, r, n);
            smi_series_fini(&s);
            for (size_t k = n; k-- > 1;) {
                size_t j = (size_t)between(0, (int64_t)k);
                struct reading x = r[k];
                r[k] = r[j];
                r[j] = x;
            }
        }
    }
}

static void series_merge_in_any_grouping(void **state)
{
    static struct reading r[READINGS];
    (void)state;
    seed = 9;
    for (int i = 0; i < 300; i++) {
        struct smi_series part[5] = {{0}};
        size_t n = some_readings(r, i);
        int left = 5;
        bool sorted = i % 2;
        for (size_t k = 0; k < n; k++)
            add_reading(&part[sorted ? k * 5 / n : (size_t)between(0, 4)], r[k].t, r[k].v);
        while (left > 1) {
            int a = (int)between(0, left - 1), b = (int)between(0, left - 2);
            struct smi_series gone;
            b += b >= a;
            smi_series_merge(&part[a], &part[b]);
            gone = part[b];
            part[b] = part[--left];
            smi_series_fini(&gone);
        }
        is_series_of(&part[0], r, n);
        smi_series_fini(&part[0]);
    }
}

/* ---- segments: beyond SMI_SEGMENTS_MAX only their sum is kept ---- */

enum { SEGMENTS = 200 };

/* Rows of which some step back: the segments that they make. */
static size_t some_segments(int64_t *t, size_t n, struct smi_segment *seg, size_t segments)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        bool back = i && k + 1 < segments && (n - i <= segments - k || between(0, 1));
        t[i] = !i ? 1000000 : back ? t[i - 1] - between(1, 900) : t[i - 1] + between(0, 1000);
        if (back)
            seg[++k].first = t[i];
        else if (!i)
            seg[0].first = t[0];
        seg[k].last = t[i];
    }
    return k + 1;
}

static void segments_are(const struct smi_device_stats *t, const struct smi_segment *seg, size_t n)
{
    int64_t rest = 0;
    assert_int_equal(t->segments, n);
    for (size_t i = 0; i < n; i++) {
        const struct smi_segment s = i < n - 1 && i < SMI_SEGMENTS_MAX ? t->segment[i] : *smi_last_segment(t);
        if (i < n - 1 && i >= SMI_SEGMENTS_MAX) {
            rest += seg[i].last - seg[i].first;
            continue;
        }
        assert_int_equal(s.first, seg[i].first);
        assert_int_equal(s.last, seg[i].last);
    }
    assert_int_equal(t->segment_rest, rest);
}

static void any_number_of_segments_joins(void **state)
{
    static const size_t numbers[] = {1, 2, 63, 64, 65, 66, 127, 128, 129, SEGMENTS};
    static const struct smi_device_stats_opts o = {.idle_below = 1000000};
    static int64_t t[3 * SEGMENTS];
    static struct smi_segment seg[SEGMENTS];
    (void)state;
    seed = 11;
    for (int i = 0; i < 2000; i++) {
        struct smi_device_stats part[4];
        struct smi_counts edge;
        struct smi_add_counts head = {0};
        static const uint16_t at[1] = {0};
        uint16_t metric = SMI_TEMP_GPU;
        size_t n = (size_t)between(SEGMENTS, 3 * SEGMENTS), segments, cut[3];
        static const int32_t u = 0;
        static const int64_t scale = 1;
        segments = some_segments(t, n, seg, numbers[i % 10]);
        smi_counts_init(&edge, 1);
        for (int k = 0; k < 3; k++)
            cut[k] = (size_t)between(0, (int64_t)n);
        for (int k = 0; k < 4; k++)
            smi_device_stats_init(&part[k], &o, i % 3);
        for (size_t k = 0; k < n; k++) {
            struct smi_device_stats *to = &part[(k >= cut[0]) + (k >= cut[1]) + (k >= cut[2])];
            struct smi_rows r = {.t_ms = &t[k],
                                 .timed = true,
                                 .n = 1,
                                 .metrics = 1,
                                 .metric = &metric,
                                 .u = &u,
                                 .scale = &scale};
            smi_device_stats_add(to, &r, at, 1, &head);
        }
        smi_device_stats_join(&part[2], &part[3], &head, &edge);
        smi_device_stats_join(&part[0], &part[1], &head, &edge);
        smi_device_stats_join(&part[0], &part[2], &head, &edge);
        smi_device_stats_close(&part[0], &edge);
        segments_are(&part[0], seg, segments);
        for (int k = 0; k < 4; k++)
            smi_device_stats_fini(&part[k]);
        smi_counts_fini(&edge);
    }
}

/* ---- phases ---- */

static struct smi_text name_of(char *buf, int i)
{
    return (struct smi_text){buf, (size_t)sprintf(buf, "phase %d", i)};
}

enum { SPANS = 60, NAMES = 7 };

struct named_span {
    int64_t from_us, to_us;
    uint32_t name;
};

static void at_equals_a_look_at_every_span(const struct smi_phases *p, const struct named_span *span, int n)
{
    size_t hint = 12345;
    for (int i = 0; i < 400; i++) {
        const struct named_span *near = &span[between(0, n - 1)];
        int64_t t = between(0, 2) ? (between(0, 1) ? near->from_us : near->to_us) + between(-1, 1)
                                  : between(-50, 1100);
        const uint16_t *active;
        size_t found = smi_phases_at(p, t, &hint, &active);
        bool holds[NAMES] = {false}, said[NAMES] = {false};
        char buf[32];
        for (int k = 0; k < n; k++)
            holds[span[k].name] |= span[k].from_us < t && t <= span[k].to_us;
        for (size_t k = 0; k < found; k++) {
            int name = atoi(p->phase[active[k]].name + 6);
            assert_false(said[name]); /* each once */
            said[name] = true;
        }
        for (int k = 0; k < NAMES; k++) {
            assert_int_equal(said[k], holds[k]);
            if (holds[k])
                assert_int_equal(smi_phases_find(p, name_of(buf, k)) >= 0, 1);
        }
        if (i % 50 == 0)
            hint = (size_t)draw();
    }
}

static void sums_equal(const struct smi_phases *p, const struct named_span *span, int n)
{
    char buf[32];
    for (int name = 0; name < NAMES; name++) {
        int64_t count = 0, sum = 0, first = INT64_MAX;
        int at = smi_phases_find(p, name_of(buf, name));
        for (int k = 0; k < n; k++) {
            if ((int)span[k].name != name)
                continue;
            count++;
            sum += span[k].to_us - span[k].from_us;
            first = span[k].from_us < first ? span[k].from_us : first;
        }
        assert_int_equal(at >= 0, count > 0);
        if (!count)
            continue;
        assert_int_equal(p->phase[at].count, count);
        assert_int_equal(p->phase[at].span_us, sum);
        assert_int_equal(p->phase[at].first_us, first);
    }
}

/* Spans of one name overlap, touch, lie in each other and last no time. */
static void phases_of_one_name_are_a_union(void **state)
{
    (void)state;
    seed = 10;
    for (int i = 0; i < 300; i++) {
        struct smi_phases part[3] = {{0}};
        struct named_span span[SPANS];
        int n = (int)between(1, SPANS), to = (int)between(0, 2);
        for (int k = 0; k < n; k++) {
            int64_t from = between(0, 9) || !k ? between(0, 1000) : span[k - 1].to_us,
                    length = between(0, i % 2 ? 30 : 400);
            char buf[32];
            span[k] = (struct named_span){from, from + length, (uint32_t)between(0, NAMES - 1)};
            smi_phases_add(&part[between(0, 2)], name_of(buf, (int)span[k].name), from + length, length);
        }
        for (int k = 1; k < 3; k++)
            smi_phases_merge(&part[to], &part[(to + k) % 3]);
        sums_equal(&part[to], span, n);
        smi_phases_index(&part[to]);
        assert_false(part[to].over);
        at_equals_a_look_at_every_span(&part[to], span, n);
        for (int k = 0; k < 3; k++)
            smi_phases_fini(&part[k]);
    }
}

static void names_end_at_4096(void **state)
{
    struct smi_phases p = {0}, more = {0};
    const uint16_t *active;
    size_t hint = 0;
    char buf[32];
    (void)state;
    for (int i = 0; i < SMI_PHASE_NAMES; i++)
        smi_phases_add(&p, name_of(buf, i), i + 1, 1);
    smi_phases_add(&p, name_of(buf, 7), 9000, 1); /* a known one */
    assert_false(p.over);
    assert_int_equal(p.n, SMI_PHASE_NAMES);
    smi_phases_add(&more, name_of(buf, SMI_PHASE_NAMES), 3, 1);
    smi_phases_merge(&more, &p); /* passed in the union only */
    assert_true(more.over);
    assert_int_equal(more.unnamed, 1);
    smi_phases_index(&p);
    assert_int_equal(smi_phases_at(&p, 4096, &hint, &active), 1);
    assert_string_equal(p.phase[active[0]].name, "phase 4095");
    smi_phases_fini(&p);
    smi_phases_fini(&more);
    for (int i = 0; i <= SMI_PHASE_NAMES; i++)
        smi_phases_add(&p, name_of(buf, i), i + 1, 1);
    assert_true(p.over);
    assert_int_equal(p.n, SMI_PHASE_NAMES);
    assert_int_equal(p.unnamed, 1);
    assert_int_equal(smi_phases_find(&p, name_of(buf, SMI_PHASE_NAMES)), -1);
    smi_phases_index(&p);
    assert_int_equal(smi_phases_at(&p, 5, &hint, &active), 0); /* no summaries then */
    smi_phases_fini(&p);
}

static void spans_end_at_a_million(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct smi_phases p = {0};
        const uint16_t *active;
        size_t hint = 0;
        char buf[32];
        for (int i = 0; i < SMI_PHASE_SPANS + more; i++)
            smi_phases_add(&p, name_of(buf, i % 2), 4 * (int64_t)i + 1, 1);
        smi_phases_add(&p, name_of(buf, 0), 0, 0); /* no time: no span */
        assert_int_equal(p.phase[0].count + p.phase[1].count, SMI_PHASE_SPANS + more + 1);
        smi_phases_index(&p);
        assert_int_equal(p.over, more);
        assert_int_equal(smi_phases_at(&p, 4 * (int64_t)(SMI_PHASE_SPANS - 1) + 1, &hint, &active),
                         more ? 0 : 1);
        assert_int_equal(smi_phases_at(&p, 4 * (int64_t)(SMI_PHASE_SPANS - 1) + 2, &hint, &active), 0);
        smi_phases_fini(&p);
    }
}

/* Touching spans are one, however many; those that are not are dropped when there is no room for them. */
static void spans_are_counted_when_they_are_joined(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        struct smi_phases p = {0}, more = {0};
        const uint16_t *active;
        size_t hint = 0;
        for (int i = 0; i < 2 * SMI_PHASE_SPANS_UNJOINED; i++)
            smi_phases_add(&p, smi_text_of("step"), (2 + apart) * (int64_t)i + 2, 2);
        assert_in_range(p.phase[0].cap, 0, apart ? 0 : 16); /* joined as they come */
        for (int i = 0; i < 2 * SMI_PHASE_SPANS_UNJOINED; i++)
            smi_phases_add(&more, smi_text_of("other"), 2 * (int64_t)i + 2, 2);
        smi_phases_merge(&p, &more);
        assert_int_equal(p.phase[0].count, 2 * SMI_PHASE_SPANS_UNJOINED);
        smi_phases_index(&p);
        assert_int_equal(p.over, apart);
        assert_int_equal(smi_phases_at(&p, 4 * (int64_t)SMI_PHASE_SPANS_UNJOINED, &hint, &active),
                         apart ? 0 : 2);
        assert_int_equal(smi_phases_at(&p, 4 * (int64_t)SMI_PHASE_SPANS_UNJOINED + 1, &hint, &active), 0);
        if (!apart)
            assert_int_equal(p.spans, 2);
        smi_phases_fini(&p);
        smi_phases_fini(&more);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_are_counted_when_they_are_joined),
        cmocka_unit_test(few_readings_far_apart),
        cmocka_unit_test(counts_equal_a_sorted_list),
        cmocka_unit_test(counts_merge_in_any_grouping),
        cmocka_unit_test(counters_do_not_overflow),
        cmocka_unit_test(counters_carry),
        cmocka_unit_test(deviation_of_many_far_values),
        cmocka_unit_test(the_cap_is_passed_by_one_value),
        cmocka_unit_test(beyond_the_cap_any_grouping_is_the_same),
        cmocka_unit_test(classes_are_monotone),
        cmocka_unit_test(time_sums_equal_plain_sums),
        cmocka_unit_test(series_does_not_know_the_order),
        cmocka_unit_test(series_merge_in_any_grouping),
        cmocka_unit_test(any_number_of_segments_joins),
        cmocka_unit_test(phases_of_one_name_are_a_union),
        cmocka_unit_test(names_end_at_4096),
        cmocka_unit_test(spans_end_at_a_million),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
