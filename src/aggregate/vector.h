/* vector.h - what is asked of many numbers that stand side by side: loops in which a compiler finds work for
 * wide registers. They are the same on every machine, as the numbers are whole. */
#ifndef SMI_AGGREGATE_VECTOR_H
#define SMI_AGGREGATE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* u[at[i]] for each of n places becomes out[i]; out lies apart from both. */
void smi_vector_pick(const int32_t *u, const uint16_t *at, size_t n, int32_t *out);
/* The bits in which n numbers differ: 0 if they all are the same. */
uint32_t smi_vector_differing(const int32_t *u, size_t n);
/* How often the number changes. */
size_t smi_vector_changes(const int32_t *u, size_t n);
/* How many are v or more. */
size_t smi_vector_least(const int32_t *u, size_t n, int32_t v);
/* The smallest and the largest of n > 0. */
void smi_vector_ends(const int32_t *u, size_t n, int32_t *min, int32_t *max);
enum { SMI_VECTOR_DISTANCE_BITS = 30 };
/* How far each of n > 0 times is behind the one before it, the first behind `last`; 0 if all of that is 1 to
 * 2^SMI_VECTOR_DISTANCE_BITS. */
uint64_t smi_vector_distances(const int64_t *t, size_t n, int64_t last, int32_t *d);
/* Sums of what n numbers are above min, and of its squares, each in 64 bits. */
void smi_vector_above(const int32_t *u, size_t n, int32_t min, uint64_t *sum, uint64_t *squares);
enum { SMI_VECTOR_SUMS = 3 };
/* For each of some limits: the sum of those of n numbers whose key is as large or larger. */
void smi_vector_sums_above(const int32_t *key, const int32_t *u, size_t n,
                           const int32_t least[SMI_VECTOR_SUMS], int64_t sum[SMI_VECTOR_SUMS]);
/* Sum of (u[i - 1] + u[i]) * dt[i], u[-1] being there; none is negative, and it fits. */
uint64_t smi_vector_area(const int32_t *u, const int32_t *dt, size_t n);

#endif
