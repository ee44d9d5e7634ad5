/* timeline.h - what charts draw of a run: its bounded series on one grid. */
#ifndef SMI_SUMMARY_TIMELINE_H
#define SMI_SUMMARY_TIMELINE_H

#include "stats/series.h"
#include "summary/summary.h"

/* One series of a curve; those of one curve (as smi_curve) stand together. */
struct smi_trace {
    int gpu;
    uint16_t metric;
    const struct smi_series *series; /* borrowed */
    int64_t shift_ms;                /* taken off its times */
    unsigned limit;                  /* the class of interval (stats/timesum.h) beyond which it has a gap */
};

/* Fills from_ms, cell_ms, n and the curves of t in the arena.
 *   least_ms  the shortest time between two readings, as far as it is known: cells are not much shorter; 0: not known
 *   points    cells at most, from 1 on; 0: SMI_TIMELINE_POINTS
 * Returns 0, or -1 without memory. */
int smi_timeline_curves(struct smi_timeline *t, const struct smi_trace *trace, size_t n, int64_t least_ms,
                        size_t points, struct smi_arena *a);

/* A copy in the arena with at most `points` cells (0: as many as there are): neighbouring cells become one, whose mean
 * is that of theirs. NULL without memory. */
struct smi_timeline *smi_timeline_copy(const struct smi_timeline *t, size_t points, struct smi_arena *a);

#endif
