/* loops.h - what is asked of many numbers that stand side by side: loops in which a compiler finds work for wide
 * registers. They are the same on every machine, as the numbers are whole. */
#ifndef SMI_STATS_LOOPS_H
#define SMI_STATS_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* u[at[i]] for each of n places becomes out[i]; out lies apart from both. */
void smi_loop_pick(const int32_t *u, const uint16_t *at, size_t n, int32_t *out);
/* The bits in which n numbers differ: 0 if they all are the same. */
uint32_t smi_loop_differing(const int32_t *u, size_t n);
/* How often the number changes. */
size_t smi_loop_changes(const int32_t *u, size_t n);
/* The smallest and the largest of n > 0. */
void smi_loop_ends(const int32_t *u, size_t n, int32_t *min, int32_t *max);
void smi_loop_time_ends(const int64_t *t, size_t n, int64_t *min, int64_t *max);
/* Their sum, and the largest; 0 and 0 of none. n < 2^32. */
int64_t smi_loop_sum(const int32_t *u, size_t n, int32_t *max);
/* Sums of what n numbers are above min, and of its squares, each in 64 bits. */
void smi_loop_above(const int32_t *u, size_t n, int32_t min, uint64_t *sum, uint64_t *squares);
/* Which are at most so high. Returns how many. */
size_t smi_loop_low(const int32_t *u, size_t n, int32_t most, bool *low);
/* Sum of (u[i - 1] + u[i]) * dt[i], u[-1] being there; none is negative, and it fits. */
uint64_t smi_loop_area(const int32_t *u, const int32_t *dt, size_t n);

#endif
