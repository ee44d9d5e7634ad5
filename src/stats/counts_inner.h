/* counts_inner.h - what the files of counts share: readings that are more than a few. Not installed. */
#ifndef SMI_STATS_COUNTS_INNER_H
#define SMI_STATS_COUNTS_INNER_H

#include "stats/counts.h"

/* Counts v n times, of which the readings before are counted too. Returns 0, or -1 without memory. */
int smi_counts_value(struct smi_counts *c, int64_t v, int64_t n);
/* The same of n values u[i] * scale, not negative. */
int smi_counts_units(struct smi_counts *c, const int32_t *u, size_t n, int64_t scale);

#endif
