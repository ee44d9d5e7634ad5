/* gpu_figures.h - from the aggregates of one GPU (or the host) to the values that are printed. */
#ifndef SMI_SUMMARY_GPU_FIGURES_H
#define SMI_SUMMARY_GPU_FIGURES_H

#include "summary/run_gpus.h"

/* The format that feeds a metric of this body (docs/numbers.md §5 "one source a metric"), or -1. */
static inline int smi_metric_source(const struct smi_run_gpu *b, unsigned metric)
{
    return b->source[metric];
}
/* The next bit that is set from metric m on: of all metrics, or SMI_METRIC_COUNT. Few metrics are in any log.
 */
static inline unsigned smi_next_metric(const uint64_t *bits, unsigned m)
{
    while (m < SMI_METRIC_COUNT && !(bits[m / 64] >> m % 64))
        m = (m / 64 + 1) * 64;
    return m < SMI_METRIC_COUNT ? m + (unsigned)__builtin_ctzll(bits[m / 64] >> m % 64) : SMI_METRIC_COUNT;
}
/* The format whose rows count as samples: that of gpu_util_pct, else the first with rows; or -1. */
int smi_run_gpu_row_format(const struct smi_run_gpu *b);

/* All statistics of the body, in catalogue order, in the arena; and its share of the reference block. */
int smi_run_gpu_stats(const struct smi_run_gpu *b, struct smi_arena *a, const struct smi_stats **out,
                      size_t *n, struct smi_headline *block, struct smi_err *err);
/* Time, energy, idle, throttling, shape of a GPU. */
int smi_run_gpu_figures(const struct smi_run_gpu *b, struct smi_gpu *g, struct smi_arena *a,
                        struct smi_err *err);
/* Sums of one timed metric over the body's limbs of a format, gaps left out. */
struct smi_time_sum_slot smi_run_gpu_timesum(const struct smi_run_gpu *b, int format, int slot);
/* Is device memory within 1 % of its maximum in 90 % of the samples? */
bool smi_run_gpu_is_reserved(const struct smi_run_gpu *b);

/* num / den as whole millionths when num is in whole units: scale = 1000000. No value if den is 0. */
struct smi_value smi_value_ratio(smi_i128 num, smi_i128 den);
struct smi_value smi_value_of(int64_t micro);
/* No value if it does not fit: a log of hostile times or readings. */
struct smi_value smi_value_wide(smi_i128 micro);

#endif
