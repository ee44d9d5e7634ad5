/* timeline.h - what charts draw of a run: its bounded series on one grid. */
#ifndef SMI_SUMMARY_TIMELINE_H
#define SMI_SUMMARY_TIMELINE_H

#include "aggregate/series.h"
#include "summary/summary.h"

/* One series of a curve; those of one curve (as smi_curve) stand together. */
struct smi_trace {
    int gpu;
    uint16_t metric;
    const struct smi_series *series; /* borrowed */
    int64_t shift_ms;                /* taken off its times */
    unsigned limit; /* the class of interval (aggregate/series.h) beyond which it has a gap */
};

/* Fills from_ms, cell_ms, n and the curves of t in the arena, and bounds it by its cells.
 *   least_ms  the shortest time between two readings, as far as it is known: cells are not much shorter; 0:
 * not known There are SMI_TIMELINE_POINTS cells at most. Returns 0, or -1 without memory. */
int smi_timeline_curves(struct smi_timeline *t, const struct smi_trace *trace, size_t n, int64_t least_ms,
                        struct smi_arena *a);

/* Fills begin_ms and end_ms, once the cells are there, of a run from start_ms to stop_ms. On a clock whose
 * zone is no whole number of buckets away, the second cell may be the first with a reading, and the last but
 * one the last. */
void smi_timeline_bound(struct smi_timeline *t, int64_t start_ms, int64_t stop_ms);

/* When cell i begins and ends, as far as the run goes. */
int64_t smi_timeline_from(const struct smi_timeline *t, size_t i);
int64_t smi_timeline_to(const struct smi_timeline *t, size_t i);

/* A copy in the arena with at most `points` cells (0: as many as there are): neighbouring cells become one,
 * whose mean is that of all their readings. NULL without memory. */
struct smi_timeline *smi_timeline_copy(const struct smi_timeline *t, size_t points, struct smi_arena *a);

#endif
