/* series.h - sums over intervals, kept apart by the class of the interval's length, so that what counts as
 * a gap can be decided when all intervals are known (docs/numbers.md §4). */
#pragma once

#include "base/int128.h"

#include <stdbool.h>

struct smi_time_sum_slot {
    unsigned bin;  /* class of the length: smi_interval_class */
    int64_t n;     /* intervals */
    int64_t dt;    /* ms */
    smi_i128 area; /* what is summed: (a + b) * dt for readings, the time itself for states */
};

/* A few classes occur in a log: a short list, the last one used tried first. Zero-initialise. */
struct smi_time_sum {
    struct smi_time_sum_slot *slot;
    size_t n, cap, last;
};

/* Class of an interval of dt >= 1 ms: its bit length and the 3 bits below the top one. Monotone in dt. */
unsigned smi_interval_class(int64_t dt);

void smi_time_sum_add(struct smi_time_sum *s, unsigned bin, int64_t n, int64_t dt, smi_i128 area);
void smi_time_sum_merge(struct smi_time_sum *a, const struct smi_time_sum *b);
void smi_time_sum_clear(struct smi_time_sum *s);
void smi_time_sum_fini(struct smi_time_sum *s);
/* Everything in classes up to and with `limit`. */
struct smi_time_sum_slot smi_time_sum_total(const struct smi_time_sum *s, unsigned limit);

/* a bounded time series of one metric: fixed buckets on a grid of powers of two milliseconds that
 * double when the range outgrows them. One pass; the result depends only on the readings, not on their order.
 */

enum { SMI_SERIES_MAX = 512, SMI_SERIES_SHIFT = 8 /* the narrowest bucket: 256 ms */ };

struct smi_series_bucket {
    int64_t n; /* readings; 0: none, and the rest undefined */
    int64_t min, max;
    smi_i128 sum;
};

/* Bucket i covers [(base + i) << shift, (base + i + 1) << shift) ms. Zero-initialise. */
struct smi_series {
    struct smi_series_bucket *bucket; /* room for SMI_SERIES_MAX; NULL until the first reading */
    int64_t base;
    size_t n;
    unsigned shift;
};

/* n readings base + u[i] * scale at t_ms[i], of which none is earlier than the one before. */
void smi_series_add_units(struct smi_series *s, const int64_t *t_ms, const int32_t *u, size_t n,
                          int64_t scale, int64_t base);
void smi_series_merge(struct smi_series *a, const struct smi_series *b);
/* Adds the readings of b to those of a. */
void smi_series_join(struct smi_series_bucket *a, const struct smi_series_bucket *b);
/* Adds a whole bucket that starts at t_ms on a grid no finer than a's (reading a partial back). */
void smi_series_add_bucket(struct smi_series *s, int64_t index, unsigned shift,
                           const struct smi_series_bucket *b);
void smi_series_fini(struct smi_series *s);
