/* series.h - a bounded time series of one metric: fixed buckets on a grid of powers of two milliseconds that
 * double when the range outgrows them. One pass; the result depends only on the readings, not on their order.
 */
#ifndef SMI_AGGREGATE_SERIES_H
#define SMI_AGGREGATE_SERIES_H

#include "base/int128.h"

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

int smi_series_add(struct smi_series *s, int64_t t_ms, int64_t v); /* 0, or -1 without memory */
/* n readings u[i] * scale at t_ms[i], of which none is earlier than the one before: the same as one by one,
 * only faster. */
int smi_series_add_units(struct smi_series *s, const int64_t *t_ms, const int32_t *u, size_t n,
                         int64_t scale);
int smi_series_merge(struct smi_series *a, const struct smi_series *b);
/* Adds a whole bucket that starts at t_ms on a grid no finer than a's (reading a partial back). */
int smi_series_add_bucket(struct smi_series *s, int64_t index, unsigned shift,
                          const struct smi_series_bucket *b);
void smi_series_fini(struct smi_series *s);

#endif
