/* device_stats_private.h - what the rooms of a track share: taking rows, time, joining. Not installed. */
#ifndef SMI_AGGREGATE_DEVICE_STATS_PRIVATE_H
#define SMI_AGGREGATE_DEVICE_STATS_PRIVATE_H

#include "aggregate/device_stats.h"

/* The states that an interval takes from its end row. */
struct smi_states {
    bool util_known, idle;
    uint32_t known, active; /* throttle reasons */
};

struct smi_states smi_track_states(const struct smi_track *t, const struct smi_sample *s);

/* The interval of dt > 0 ms that ends at end_ms with a row in these states; its length is counted in dts. */
int smi_track_interval(struct smi_track *t, int64_t dt, const struct smi_states *st, int64_t end_ms,
                       struct smi_counts *dts);
/* The interval of dt > 0 ms between two readings of a timed metric, area = (a + b) * dt. */
int smi_track_area(struct smi_track *t, int slot, int64_t dt, smi_i128 area, int64_t end_ms);
/* No idle stretch goes on past this point. */
void smi_track_break(struct smi_track *t);
void smi_track_close_segment(struct smi_track *t);

/* Will anybody look at the series of this timed slot? */
static inline bool smi_track_plots(const struct smi_track *t, int slot)
{
    return !(t->opts->skip_series >> slot & 1);
}

/* The tally of a phase, made if it is new; NULL without memory. */
struct smi_tally *smi_track_tally(struct smi_track *t, uint16_t phase);
/* A row's readings into the phases that hold at its time. */
int smi_track_tally_row(struct smi_track *t, const struct smi_sample *s);
/* The readings of the rows at[0 ... n - 1] in a column: as they stand where the rows are neighbours, else gathered in
 * own, which has room for n. n > 0. */
const int32_t *smi_track_column(const struct smi_rows *r, unsigned column, const uint16_t *at, unsigned n,
                                int32_t *own);
/* The rows at[0 ... n - 1] of r count in a phase. */
void smi_tally_rows(struct smi_tally *p, const struct smi_rows *r, const uint16_t *at, unsigned n);
/* Do other phases hold at t_ms than for the row before, of which *active and *n are the phases and *until is the
 * end? */
bool smi_track_change(struct smi_track *t, int64_t t_us, int64_t *until, const uint16_t **active, size_t *n);
static inline bool smi_track_changes(struct smi_track *t, int64_t t_ms, int64_t *until, const uint16_t **active,
                                     size_t *n)
{
    int64_t t_us = t_ms * 1000 - t->opts->shift_us;
    return t_us >= *until && smi_track_change(t, t_us, until, active, n);
}
/* As smi_track_tally_row for the rows at[0 ... n - 1] of a block, at t_ms[0 ... n - 1], of which none is earlier than
 * the one before. */
int smi_track_tally_rows(struct smi_track *t, const struct smi_rows *r, const uint16_t *at, unsigned n,
                         const int64_t *t_ms);

/* The counter of a metric, made if it is new; NULL without memory. */
struct smi_counter *smi_track_counter(struct smi_track *t, uint16_t metric);
/* How much a cumulative counter grew from a to b: a smaller value means that it began again at 0. */
int64_t smi_track_growth(int64_t a, int64_t b);
/* It grew by so much in a row with this time. */
void smi_track_grow(struct smi_counter *c, int64_t growth, int64_t t_ms);

/* The phases that hold at a row's time; where the last look-up ended is remembered. */
size_t smi_track_phases(struct smi_track *t, int64_t t_ms, const uint16_t **active);
/* The place of a metric in smi_tally.pool, or -1. */
int smi_track_pool_slot(unsigned metric);
/* An idle interval of dt ms, which ends at end_ms, lengthens the idle stretch. */
void smi_track_stretch(struct smi_track *t, int64_t dt, int64_t end_ms);
/* A row shows work. */
void smi_track_works(struct smi_track *t);
int smi_track_add_counter(struct smi_track *t, uint16_t metric, int64_t t_ms, int64_t v);
/* The counts of a metric, made if they are new; NULL without memory. */
struct smi_counts *smi_track_counts(struct smi_track *t, uint16_t metric);

int smi_track_keep(struct smi_kept *k, const struct smi_sample *s);
struct smi_sample smi_track_lend(const struct smi_kept *k);

/* One more row of the body. */
int smi_track_append(struct smi_track *t, const struct smi_sample *s, struct smi_counts *dts);
/* The duplicate rule (numbers.md §3) against the last kept row: SMI_TAKEN_KEPT if it is none. */
enum smi_taken smi_track_duplicate(const struct smi_track *t, const struct smi_sample *s);

#endif
