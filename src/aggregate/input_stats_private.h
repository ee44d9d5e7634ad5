/* input_stats_private.h - what the files of a part share. */
#ifndef SMI_AGGREGATE_INPUT_STATS_PRIVATE_H
#define SMI_AGGREGATE_INPUT_STATS_PRIVATE_H

#include "aggregate/input_stats.h"

/* The sink of every part. */
struct smi_sink smi_input_stats_sink(void);
/* An empty track for the part; NULL without memory. */
struct smi_device_stats *smi_input_stats_new_device(struct smi_input_stats *p, bool dedupe);
/* The part has a row at t_ms on the clock of the run, whose stamp is ahead_ms later. */
void smi_input_stats_note_time(struct smi_input_stats *p, int64_t t_ms, int64_t ahead_ms);
/* The clock of a device (SMI_DEVICE_* too); NULL without memory. And its place among them, and in
 * smi_assigned_times.rows. */
struct smi_local_clock *smi_input_stats_clock_at(struct smi_input_stats *p, size_t at);
size_t smi_input_stats_device_slot(int who);
static inline struct smi_local_clock *smi_input_stats_clock(struct smi_input_stats *p, int who)
{
    return smi_input_stats_clock_at(p, smi_input_stats_device_slot(who));
}
/* Makes room for the statistics of device `who` >= 0. Returns 0, or -1 without memory. */
int smi_input_stats_reserve_device(struct smi_input_stats *p, int who);
static inline int64_t smi_us_to_ms(int64_t us) /* rounded down */
{
    return us / 1000 - (us % 1000 < 0);
}

/* The rows at[0 ... n - 1] of r, of the device t and without a time, into the phases; where nothing is
 * spread, nothing is done. Returns 0, or -1. */
int smi_input_stats_spread_rows(struct smi_input_stats *p, struct smi_device_stats *t,
                                const struct smi_rows *r, int who, const uint16_t *at, unsigned n,
                                struct smi_err *err);

#endif
