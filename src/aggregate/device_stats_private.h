/* device_stats_private.h - what the rooms of a track share: taking rows, time, joining. Not installed. */
#ifndef SMI_AGGREGATE_DEVICE_STATS_PRIVATE_H
#define SMI_AGGREGATE_DEVICE_STATS_PRIVATE_H

#include "aggregate/device_stats.h"

/* The states that an interval takes from its end row. */
struct smi_row_states {
    bool util_known, idle;
    uint32_t known, active; /* throttle reasons */
};

struct smi_row_states smi_device_stats_states(const struct smi_device_stats *t, const struct smi_sample *s);

/* The interval of dt > 0 ms that ends at end_ms with a row in these states; its length is counted in dts. */
int smi_device_stats_interval(struct smi_device_stats *t, int64_t dt, const struct smi_row_states *st,
                              int64_t end_ms, struct smi_counts *dts);
/* The interval of dt > 0 ms between two readings of a timed metric, area = (a + b) * dt. */
int smi_device_stats_area(struct smi_device_stats *t, int slot, int64_t dt, smi_i128 area, int64_t end_ms);
/* No idle stretch goes on past this point. */
void smi_device_stats_end_idle(struct smi_device_stats *t);
void smi_device_stats_close_segment(struct smi_device_stats *t);
/* There are so many more rows aside, within s; SMI_ASIDE_UNTIMED: without times. */
#define SMI_ASIDE_UNTIMED ((struct smi_segment){1, 0})
void smi_device_stats_widen_aside(struct smi_device_stats *t, struct smi_segment s, int64_t rows);

struct smi_phase_stats *smi_device_stats_new_phase(struct smi_device_stats *t, uint16_t phase);

/* The tally of a phase, made if it is new; NULL without memory. */
static inline struct smi_phase_stats *smi_device_stats_phase(struct smi_device_stats *t, uint16_t phase)
{
    return phase < t->tally_room && t->tally_of[phase] ? &t->tally[t->tally_of[phase] - 1]
                                                       : smi_device_stats_new_phase(t, phase);
}

/* The readings of the rows at[0 ... n - 1] of a block into the phases that hold at t_ms[0 ... n - 1]. */
int smi_device_stats_phase_rows(struct smi_device_stats *t, const struct smi_rows *r, const uint16_t *at,
                                unsigned n, const int64_t *t_ms);

/* The counter of a metric, made if it is new; NULL without memory. */
struct smi_counter *smi_device_stats_counter(struct smi_device_stats *t, uint16_t metric);
/* How much a cumulative counter grew from a to b: a smaller value means that it began again at 0. */
int64_t smi_counter_growth(int64_t a, int64_t b);
/* It grew by so much in a row with this time. */
void smi_counter_grow(struct smi_counter *c, int64_t growth, int64_t t_ms);

/* The phases that hold at a row's time; where the last look-up ended is remembered. */
size_t smi_device_stats_phases(struct smi_device_stats *t, int64_t t_ms, const uint16_t **active);
/* The place of a metric in smi_phase_stats.pool, or -1. */
int smi_phase_stats_slot(unsigned metric);
/* An idle interval of dt ms, which ends at end_ms, lengthens the idle stretch. */
void smi_device_stats_extend_idle(struct smi_device_stats *t, int64_t dt, int64_t end_ms);
/* A row shows work. */
void smi_device_stats_add_work(struct smi_device_stats *t);
void smi_device_stats_add_counter(struct smi_device_stats *t, uint16_t metric, int64_t t_ms, int64_t v);
/* The counts of a metric, made if they are new; NULL without memory. */
struct smi_counts *smi_device_stats_counts(struct smi_device_stats *t, uint16_t metric);

void smi_last_row_store(struct smi_last_row *k, const struct smi_sample *s);
struct smi_sample smi_last_row_sample(const struct smi_last_row *k);

/* One more row of the body. */
int smi_device_stats_append(struct smi_device_stats *t, const struct smi_last_row *k, struct smi_counts *dts);
/* The duplicate rule (docs/numbers.md §3) against the last kept row. */
bool smi_device_stats_is_duplicate(const struct smi_device_stats *t, int64_t t_ms, bool fine);

#endif
