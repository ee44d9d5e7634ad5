/* run_times.h - when a run was: zone, start, end, duration, segments, shapes (docs/numbers.md §3, §6). */
#ifndef SMI_SUMMARY_RUN_TIMES_H
#define SMI_SUMMARY_RUN_TIMES_H

#include "summary/gpus.h"

/* Fills zoned, offset_s, time_base, start, end, duration_s, segments. */
void smi_run_times_fill(struct smi_summary *out, const struct smi_run *r);
/* The time of the run on each base, on which its shape is drawn; to <= from: nothing on that base. */
struct smi_run_times {
    struct {
        int64_t from, to;
    } on[SMI_TIME_BASES];
};
void smi_run_times_ranges(struct smi_run_times *t, const struct smi_run *r);
/* The mean utilisation of the limbs, each over the time of its own base, in SMI_SPARKLINE_CELLS cells; adds
 * into sum and n, so that several GPUs make one shape. */
struct smi_sparkline_sum {
    smi_i128 sum[SMI_SPARKLINE_CELLS];
    int64_t n[SMI_SPARKLINE_CELLS];
};
/* Returns the length of a cell in ms; 0 if there are no times. */
int64_t smi_sparkline_add(struct smi_sparkline_sum *to, const struct smi_run_gpu *b,
                          const struct smi_run_times *t);
void smi_sparkline_finish(const struct smi_sparkline_sum *from, uint8_t out[SMI_SPARKLINE_CELLS]);
/* The only offset in use within tol ms of the difference d. Returns 1 with *offset_s, or 0. */
int smi_zone_nearest(int64_t d, int64_t tol, int *offset_s);
/* The zone by comparing ranges (docs/numbers.md §6): local times g, UTC times u, all ms; iv the larger
 * interval, ms. Returns 1 with *offset_s, or 0 if none is certain. Pure. */
int smi_zone_infer(int64_t g0, int64_t g1, int64_t u0, int64_t u1, int64_t iv, int *offset_s);

#endif
