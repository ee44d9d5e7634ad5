/* local_clock.h - local stamps whose offset may change inside an input, put on the one clock of their run
 * (docs/numbers.md §6). The clock of a zone is its standard time; that of an offset is the offset at the
 * beginning. */
#ifndef SMI_AGGREGATE_LOCAL_CLOCK_H
#define SMI_AGGREGATE_LOCAL_CLOCK_H

#include "base/tz.h"

#include <stdbool.h>

/* How the stamps are to be understood. All zero: as they stand. */
struct smi_local_clock_opts {
    const struct smi_tz *zone; /* borrowed; or NULL */
    bool steps;                /* an offset: a step of an hour moves it along */
};

/* The stamps of one device, in the order of its rows. Zero-initialise. */
struct smi_local_clock {
    bool has, pair;      /* a stamp, two of them were seen */
    bool second;         /* the second pass of the doubled hour that here.from begins */
    int64_t first, last; /* stamps as they stood, ms */
    int64_t before;      /* distance of the last one to the one before it, ms */
    int64_t ahead;       /* what is taken off a stamp now, ms */
    int64_t from, to;    /* stamps for which that holds; from = to: to be looked up */
    int64_t untimed;     /* rows without a stamp so far */
};

/* What one stamp has told. */
enum smi_stamp_kind {
    SMI_STAMP_PLAIN,
    SMI_STAMP_UNSURE, /* understood by what came before it: a reader that begins later could not have known */
    SMI_STAMP_SKIPPED_HOUR, /* in the hour that the zone leaves out: understood as if the clock had not been
                               moved */
    SMI_STAMP_FIRST_PASS,   /* in the first pass of the hour that comes twice, or in the only one that the log
                               shows */
    SMI_STAMP_SECOND_PASS,  /* in the second */
    SMI_STAMP_STEP          /* it is the first one after a step of an hour */
};

#define SMI_LOCAL_CLOCK_SLOW_MS 1800000            /* ms: rows that come faster tell of no step */
#define SMI_LOCAL_CLOCK_YEAR_MS (365 * 86400000LL) /* ms: an earlier stamp is a time of day */

/* Is *t_ms the next stamp of a device whose rows come fast, and plain? Then it is put on the clock of the
 * run. */
static inline bool smi_local_clock_read_next(struct smi_local_clock *w, const struct smi_local_clock_opts *o,
                                             int64_t *t_ms)
{
    int64_t d = *t_ms - w->last;
    if (o->zone || !w->has || d <= -SMI_LOCAL_CLOCK_SLOW_MS || d >= SMI_LOCAL_CLOCK_SLOW_MS ||
        *t_ms < SMI_LOCAL_CLOCK_YEAR_MS)
        return false;
    w->before = d;
    w->pair = true;
    w->last = *t_ms;
    *t_ms -= w->ahead;
    return true;
}
/* The same of the next n > 0 stamps; false, and nothing is changed, where they have to be looked at one by
 * one.
 */
bool smi_local_clock_read_plain(struct smi_local_clock *w, const struct smi_local_clock_opts *o,
                                int64_t *t_ms, size_t n);
/* Puts the next stamp of a device, *t_ms, on the clock of the run. */
enum smi_stamp_kind smi_local_clock_read(struct smi_local_clock *w, const struct smi_local_clock_opts *o,
                                         int64_t *t_ms);
/* Is the stamp of b's first row what a reader of a's rows would have taken for a step? */
bool smi_local_clock_steps_between(const struct smi_local_clock *a, const struct smi_local_clock *b,
                                   const struct smi_local_clock_opts *o);

#endif
