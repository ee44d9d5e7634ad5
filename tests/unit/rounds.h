/* rounds.h - how often a test repeats what it draws: all of it with make test-long (SMILOG_LONG), else a
 * part. */
#ifndef SMI_TESTS_ROUNDS_H
#define SMI_TESTS_ROUNDS_H

#include <stdlib.h>

static inline int rounds(int most, int part)
{
    return getenv("SMILOG_LONG") ? most : part;
}

#endif
