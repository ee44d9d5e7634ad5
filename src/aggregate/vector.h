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
/* How many of n bytes are c. */
size_t smi_vector_bytes(const char *p, size_t n, char c);
/* The smallest and the largest of n > 0. */
void smi_vector_ends(const int32_t *u, size_t n, int32_t *min, int32_t *max);
/* Sum of (u[i - 1] + u[i]) * dt[i], u[-1] being there; none is negative, and it fits. */
uint64_t smi_vector_area(const int32_t *u, const int32_t *dt, size_t n);

#endif
