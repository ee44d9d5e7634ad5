/* rounds.h - how often a test repeats what it draws: all of it with make test-long (SMILOG_LONG), else a
 * part. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static inline int rounds(int most, int part)
{
    return getenv("SMILOG_LONG") ? most : part;
}

/* The failing allocations: each, or one of seven from a drawn one on. */
static inline uint64_t rounds_step(void)
{
    return (uint64_t)rounds(1, 7);
}

static inline uint64_t rounds_first(void)
{
    return 1 + (uint64_t)getpid() % rounds_step();
}
