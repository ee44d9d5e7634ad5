/* time_sum.h - sums over intervals, kept apart by the class of the interval's length, so that what counts as a gap
 * can be decided when all intervals are known (numbers.md §4). */
#ifndef SMI_AGGREGATE_TIME_SUM_H
#define SMI_AGGREGATE_TIME_SUM_H

#include "base/int128.h"

#include <stdbool.h>

struct smi_timesum_slot {
    unsigned bin;    /* class of the length: smi_dt_class */
    int64_t n;     /* intervals */
    int64_t dt;    /* ms */
    smi_i128 area; /* what is summed: (a + b) * dt for readings, the time itself for states */
};

/* A few classes occur in a log: a short list, the last one used tried first. Zero-initialise. */
struct smi_timesum {
    struct smi_timesum_slot *slot;
    size_t n, cap, last;
};

/* Is anything of this class there? */
bool smi_timesum_has(const struct smi_timesum *s, unsigned bin);
/* Class of an interval of dt >= 1 ms: its bit length and the 3 bits below the top one. Monotone in dt. */
unsigned smi_dt_class(int64_t dt);

int smi_timesum_add(struct smi_timesum *s, unsigned bin, int64_t n, int64_t dt, smi_i128 area); /* 0, -1: memory */
int smi_timesum_merge(struct smi_timesum *a, const struct smi_timesum *b);
void smi_timesum_clear(struct smi_timesum *s);
void smi_timesum_fini(struct smi_timesum *s);
/* Everything in classes up to and with `limit`. */
struct smi_timesum_slot smi_timesum_total(const struct smi_timesum *s, unsigned limit);

#endif
