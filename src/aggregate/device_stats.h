/* device_stats.h - everything that is kept of one GPU (or the host) in one stream: counts of values, sums
 * over intervals by class, idle stretches, segments, series. Tracks of neighbouring parts link exactly
 * (docs/numbers.md §3, §4). */
#pragma once

#include "aggregate/condition.h"
#include "aggregate/counts.h"
#include "aggregate/phases.h"
#include "aggregate/series.h"
#include "base/err.h"
#include "model/rows.h"

enum { SMI_SEGMENTS_MAX = 64, SMI_IDLE_BREAK_MS = 60000, SMI_STEPS_MAX = 500 };
enum { SMI_DEVICE_TIME_SUMS = 6 + SMI_THROTTLE_COUNT };
enum { SMI_PAUSES = 8, SMI_PAUSE_MS = 2000 /* no interval of so much or less is ever a gap */ };
enum { SMI_IDLE_HELD_MIB = 512 /* an idle GPU with more memory in use is held: nobody else can use it */ };

/* What all tracks of a part share. */
struct smi_device_stats_opts {
    int64_t idle_below;                    /* millionths of %: utilisation at or below it is idle */
    const struct smi_phases *phases;       /* indexed, or NULL */
    int64_t shift_us;                      /* subtracted from a row's time to get the phases' UTC */
    uint32_t skip_series;                  /* bit k: nobody will look at the series of timed slot k */
    const bool *counted;                   /* by metric: readings of these alone are counted; NULL: of all */
    const struct smi_condition *condition; /* SMI_CONDITION_COUNT of them; NULL: smi_conditions */
    struct smi_kept_counts *kept;          /* where counts come from and go; or NULL */
};

/* A row that was kept. */
struct smi_last_row {
    bool has, fine;
    int64_t t_ms;
    struct smi_reading {
        int64_t v;
        uint16_t metric;
    } * reading;
    size_t n, cap;
};

/* The readings of one timed metric: intervals between neighbours that both have it. */
struct smi_timed_metrics {
    bool has;
    int64_t first_t, first_v, last_t, last_v;
    int64_t first_seg, last_seg; /* segment ordinals */
    struct smi_time_sum sum;     /* area: (a + b) * dt */
    struct smi_series series;
};

struct smi_counter {
    uint16_t metric;
    int64_t n, first_t, first_v, last_t, last_v;
    smi_i128 increase;                    /* resets added up */
    int64_t rises, first_rise, last_rise; /* rows in which it had grown, and their times */
};

/* All readings of one metric, of a phase or a run, thrown together. */
struct smi_headline_sum {
    smi_i128 sum;   /* millionths */
    int64_t n, max; /* max: millionths; undefined while n is 0 */
};
void smi_headline_sum_merge(struct smi_headline_sum *a, const struct smi_headline_sum *b);

enum { SMI_HEADLINE_METRICS = 6 };
extern const uint16_t
    smi_headline_metric[SMI_HEADLINE_METRICS]; /* GPU_UTIL, FB_USED, POWER, MEM_UTIL, CPU_USR, CPU_IDLE */
int smi_headline_slot(unsigned metric);        /* or -1 */

/* The part of a track inside one phase. */
struct smi_phase_stats {
    uint16_t phase;
    int64_t rows;
    struct smi_headline_sum pool[SMI_HEADLINE_METRICS];
    struct smi_time_sum energy; /* area: (a + b) * dt of power */
    struct smi_time_sum idle;   /* n: utilisation known; dt: every interval; area: idle */
};

enum {
    SMI_FULL_LOAD = 90,  /* %: of utilisation, from which on GPUs are compared with each other */
    SMI_CLOCK_SHIFT = 17 /* the narrowest bucket of their clock there: 131 s */
};

/* Sums over readings that have times, of t in ticks of 1.024 s and values v: the straight line through them.
 */
enum { SMI_TREND_SHIFT = 10 };
struct smi_trend {
    int64_t n;
    smi_i128 t, v, tt, tv, vv;
};

/* The first and the last time of readings in a row that have the same value. */
struct smi_step {
    int64_t from_ms, to_ms, v;
};

/* A list of more than SMI_STEPS_MAX is cut there, and ends with an empty one. */
struct smi_steps {
    struct smi_step *list;
    size_t n, cap;
};

struct smi_segment {
    int64_t first, last;
};

struct smi_device_stats {
    const struct smi_device_stats_opts *opts;
    bool dedupe;     /* rows have a key: equal fine stamps are duplicates, and the first row stays out */
    bool timed_rows; /* at least one row had a time */
    bool pooled;     /* rows of nobody in particular: counts and segments, no intervals */
    struct smi_last_row head; /* the first row, out of everything else until the left neighbour is known */
    struct smi_last_row first, last; /* of the body */
    int64_t rows;                    /* body, and rows without times */
    int place;                       /* of its GPU in the summary; the summary sets it */
    struct smi_counts *counts[SMI_METRIC_COUNT];
    struct smi_timed_metrics timed[SMI_CURVE_COUNT];
    struct smi_counter *counter;
    size_t counters, counters_cap;
    union {
        struct smi_time_sum sum[SMI_DEVICE_TIME_SUMS]; /* all of these: */
        struct {
            struct smi_time_sum covered;     /* every interval; area unused */
            struct smi_time_sum idle;        /* dt: known; area: idle */
            struct smi_time_sum lead, trail; /* dt: idle before the first work, after the last; area unused */
            struct smi_time_sum idle_held,
                idle_blind; /* area: idle with memory in use; with memory that is not known */
            struct smi_time_sum throttle[SMI_THROTTLE_COUNT]; /* dt: known; area: active */
        };
    };
    struct smi_series clock; /* of rows with full load */
    struct smi_trend memory; /* in use, MiB */
    bool worked;
    struct {
        struct smi_stretches all;
        struct smi_stretch before, between,
            since; /* the longest before the first work, with work on both sides, since
                    * the last work; without work all are `since`. Of equals the first */
    } stretch;     /* idle ones, each from the begin of its first interval on */
    struct smi_stretches condition[SMI_CONDITION_COUNT]; /* each from the first reading that shows it on */
    uint32_t on;                                         /* bits: these hold in the last row */
    struct smi_steps limits;                             /* of power, in whole W */
    struct smi_segment pause[SMI_PAUSES]; /* its longest intervals above SMI_PAUSE_MS, the longest first, of
                                             equals the first; empty ones behind them */
    struct smi_segment segment[SMI_SEGMENTS_MAX + 1]; /* the first ones, and behind them the last one */
    int64_t segments;                                 /* all of them */
    int64_t segment_rest;                             /* ms of those that are not kept */
    int64_t asides;            /* rows of a second log (smi_rows.aside), which are of no segment: */
    struct smi_segment aside;  /* the first and the last of their times; the other way round: none has one */
    struct smi_counts lengths; /* of its intervals */
    struct smi_phase_stats *tally;
    size_t tallies, tallies_cap;
    uint32_t *tally_of; /* by phase: its place in tally + 1 */
    size_t tally_room;
    size_t hint; /* where the last phase look-up ended */
};

void smi_device_stats_init(struct smi_device_stats *t, const struct smi_device_stats_opts *o, bool dedupe);
void smi_device_stats_fini(struct smi_device_stats *t);
/* The last segment; zero where there is none. */
static inline struct smi_segment *smi_last_segment(const struct smi_device_stats *t)
{
    const int64_t at = t->segments > SMI_SEGMENTS_MAX ? SMI_SEGMENTS_MAX : t->segments ? t->segments - 1 : 0;
    return (struct smi_segment *)&t->segment[at];
}
/* Appends a step, which comes later: to the last one, if it has the same value and is at most `bridge` ms
 * away. */
void smi_steps_add(struct smi_steps *s, struct smi_step k, int64_t bridge);
/* What became of rows; a first one that is withheld is neither. */
struct smi_add_counts {
    int64_t kept, duplicates;
    bool *again; /* or NULL: by row of the block, which of them are duplicates */
};
/* Rows at[0 ... n - 1] of r, all about this device, in their order. Adds to *told. */
void smi_device_stats_add(struct smi_device_stats *t, const struct smi_rows *r, const uint16_t *at,
                          unsigned n, struct smi_add_counts *told);

/* Joins b, which comes after a in the same stream; b is consumed. *told says what became of b's first row, if
 * it had withheld one. The intervals across the edge are counted in *edge, too (smi_counts of step 1, or
 * NULL). */
void smi_device_stats_join(struct smi_device_stats *a, struct smi_device_stats *b,
                           struct smi_add_counts *told, struct smi_counts *edge);
/* There is no left neighbour: the withheld row, if any, joins in front; edge as above. Returns whether there
 * was one. */
bool smi_device_stats_close(struct smi_device_stats *t, struct smi_counts *edge);

/* The part of a phase, made if it is new. */
struct smi_phase_stats *smi_device_stats_phase(struct smi_device_stats *t, uint16_t phase);
/* The readings of the rows at[0 ... n - 1] of a block into the phases that hold at t_ms[0 ... n - 1]. */
void smi_device_stats_phase_rows(struct smi_device_stats *t, const struct smi_rows *r, const uint16_t *at,
                                 unsigned n, const int64_t *t_ms);
