/* counts.h - how often each value occurred: the exact, mergeable heart of every statistic (docs/numbers.md
 * §2). The first readings are only kept, in the order in which they come. Many of them are counted: dense
 * pages hold the values that sources print (whole steps from 0), a list the rest; beyond SMI_DISTINCT_CAP
 * distinct values both give way to 0.1 % buckets and running sums. */
#pragma once

#include "base/int128.h"
#include "base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SMI_DISTINCT_CAP
#define SMI_DISTINCT_CAP 262144
#endif

enum {
    SMI_COUNTS_PAGE = 256,
    SMI_COUNTS_PAGES = 8192,
    SMI_COUNTS_KEPT = 64,
    SMI_COUNTS_FEW = SMI_DISTINCT_CAP < 1024 ? SMI_DISTINCT_CAP : 1024 /* readings that are only kept */
};

/* A value and how often it came. */
struct smi_counts_item {
    int64_t value;
    int64_t n;
};

struct smi_counts {
    int64_t step; /* dense values are multiples of it; 1 or more */
    int32_t *few; /* SMI_COUNTS_FEW places for readings in steps, until they are counted; or NULL */
    unsigned fews;
    bool counting; /* there were more than a few */
    /* page[i][k]: how often (i * 256 + k) * step occurred, 0 where it never did, and only there; NULL where
     * there is none (yet). Of a counter that overflows most is an item. */
    uint16_t **page;
    size_t pages;
    struct smi_counts_item *item; /* what is in no page, in the order in which it came */
    size_t items, cap;
    struct smi_map map; /* of these */
    size_t distinct;
    bool approximate; /* items are bucket edges, and the running sums below hold */
    int64_t n, min, max;
    smi_i128 sum, sum2;
};

/* Caller's storage. step in the same unit as the values. */
void smi_counts_init(struct smi_counts *c, int64_t step);
void smi_counts_fini(struct smi_counts *c);
/* Counts of runs that are done, for the next one of the same thread: they are empty, but have their `few`.
 * Zero-initialise. */
struct smi_kept_counts {
    struct smi_counts *list[SMI_COUNTS_KEPT];
    size_t n;
};
/* One of k (or NULL), else a new one. */
struct smi_counts *smi_counts_new(struct smi_kept_counts *k, int64_t step);
/* Frees c, or keeps it in k (or NULL). */
void smi_counts_free(struct smi_counts *c, struct smi_kept_counts *k);
void smi_kept_counts_fini(struct smi_kept_counts *k);
/* Counts v n times. |v| < 2^43. */
void smi_counts_add_many(struct smi_counts *c, int64_t v, int64_t n);
/* Counts n values u[i] * scale (u not negative, unless it is one): the same as one by one, only faster. */
void smi_counts_add_units(struct smi_counts *c, const int32_t *u, size_t n, int64_t scale);
/* Adds all of b to a; b is unchanged. */
void smi_counts_merge(struct smi_counts *a, const struct smi_counts *b);

/* What a statistic tells of readings: exact sums, and from where to where they reach. */
struct smi_counts_figures {
    int64_t n, min, max;
    smi_i128 sum, sum2;
};

/* A look at counts, which are borrowed and may not change meanwhile: exact sums, and the values in order (in
 * approximate mode the buckets' representatives). */
struct smi_counts_view {
    const struct smi_counts *c;
    struct smi_counts_item *list; /* what stands in no page, in order: the view's own */
    size_t items;
    struct smi_counts_figures all;
};
void smi_counts_view(const struct smi_counts *c, struct smi_counts_view *out);
void smi_counts_view_fini(struct smi_counts_view *v);

/* Where a walk over a view stands. Zero-initialise. */
struct smi_counts_cursor {
    size_t page, place, item;
};
/* The next value and its count, upwards; false behind the last. */
bool smi_counts_view_next(const struct smi_counts_view *v, struct smi_counts_cursor *w,
                          struct smi_counts_item *out);

/* How many values were counted. */
int64_t smi_counts_total(const struct smi_counts *c);

/* Puts back what a view tells of counts that were approximate; c->approximate and the running sums are the
 * caller's to set. */
void smi_counts_add_bucket(struct smi_counts *c, int64_t v, int64_t n);

/* Where a percentile (0-100) of n > 0 numbers in order lies: `part` hundredths of the way from number i to
 * the next. Source: numpy's default. */
struct smi_percentile {
    int64_t i, part;
};
struct smi_percentile smi_percentile_place(int64_t n, int percent);
/* The percentile of n > 0 numbers in order: its hundredfold, which is exact. */
smi_i128 smi_percentile_hundredfold(const int64_t *sorted, size_t n, int percent);

enum { SMI_COUNTS_PERCENTILES = 7 /* percentiles at once */ };
/* The figures of c, and its percentiles at[0 ... n - 1] (0-100, ascending, at most SMI_COUNTS_PERCENTILES),
 * rounded to whole numbers half to even: what a view tells, only faster where the readings are few. There is
 * at least one reading. */
void smi_counts_figures(const struct smi_counts *c, const int *at, size_t n, struct smi_counts_figures *f,
                        int64_t *out);
/* Population standard deviation, to the nearest whole unit. f->n > 0. Source: docs/numbers.md §2. */
int64_t smi_counts_stddev(const struct smi_counts_figures *f);
/* The lower median; -1 where there are no readings. */
int64_t smi_counts_median(const struct smi_counts *c);
/* How many readings are less than v, which is not negative. */
int64_t smi_counts_below(const struct smi_counts *c, int64_t v);

/* ---- what is asked of many numbers that stand side by side: loops in which a compiler finds work for
 * wide registers. They are the same on every machine, as the numbers are whole ---- */

/* u[at[i]] for each of n places becomes out[i]; out lies apart from both. */
void smi_vector_pick(const int32_t *u, const uint16_t *at, size_t n, int32_t *out);
/* The smallest and the largest of n > 0. */
void smi_vector_ends(const int32_t *u, size_t n, int32_t *min, int32_t *max);
enum { SMI_VECTOR_DISTANCE_BITS = 30 };
/* How far each of n > 0 times is behind the one before it, the first behind `last`; 0 if all of that is 1 to
 * 2^SMI_VECTOR_DISTANCE_BITS. */
uint64_t smi_vector_distances(const int64_t *t, size_t n, int64_t last, int32_t *d);
/* Clears on[i] where u[i] is not from least to most. Returns how many stay set, as 1. */
unsigned smi_vector_keep(const int32_t *u, size_t n, int32_t least, int32_t most, uint8_t *on);
/* Sum of (u[i - 1] + u[i]) * dt[i], u[-1] being there; none is negative, and it fits. */
uint64_t smi_vector_area(const int32_t *u, const int32_t *dt, size_t n);
