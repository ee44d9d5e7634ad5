/* time_sum.h - sums over intervals, kept apart by the class of the interval's length, so that what counts as
 * a gap can be decided when all intervals are known (docs/numbers.md §4). */
#ifndef SMI_AGGREGATE_TIME_SUM_H
#define SMI_AGGREGATE_TIME_SUM_H

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

/* Is anything of this class there? */
bool smi_time_sum_has(const struct smi_time_sum *s, unsigned bin);
/* Class of an interval of dt >= 1 ms: its bit length and the 3 bits below the top one. Monotone in dt. */
unsigned smi_interval_class(int64_t dt);

int smi_time_sum_add(struct smi_time_sum *s, unsigned bin, int64_t n, int64_t dt,
                     smi_i128 area); /* 0, -1: memory */
int smi_time_sum_merge(struct smi_time_sum *a, const struct smi_time_sum *b);
void smi_time_sum_clear(struct smi_time_sum *s);
void smi_time_sum_fini(struct smi_time_sum *s);
/* Everything in classes up to and with `limit`. */
struct smi_time_sum_slot smi_time_sum_total(const struct smi_time_sum *s, unsigned limit);

#endif
