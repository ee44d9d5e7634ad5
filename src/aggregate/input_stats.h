/* input_stats.h - the aggregates of one input (or of one piece of it): a sink for samples and marks, and
 * the unit that is merged. Neighbouring parts of a stream join to the same result as one pass over both
 * (docs/numbers.md §3, §10). */
#pragma once

#include "aggregate/device_stats.h"
#include "aggregate/process_stats.h"
#include "aggregate/row_spool.h"
#include "aggregate/runlog.h"
#include "base/clock.h"
#include "base/err.h"
#include "model/device.h"
#include "model/line_account.h"
#include "model/rows.h"

#include <stdbool.h>

/* ---- what went wrong in one input, as its cells and messages tell: how often, first and last time. Parts
 * join exactly: a message has no time of its own, and takes that of the row before it, which an earlier
 * part may hold ---- */

/* SMI_FAULTS_MAX: of one log; all others of a kind are one, of no GPU in particular. */
enum { SMI_FAULT_BUS_MAX = 20, SMI_FAULTS_MAX = 256 };

struct smi_fault_count {
    int id;                      /* an smi_fault_id */
    int who;                     /* device number, or -1 */
    int64_t code;                /* of an XID or a recovery action; else 0 */
    char bus[SMI_FAULT_BUS_MAX]; /* the GPU that a message names, or "" */
    int64_t n;                   /* rows or lines that told it */
    bool open;                   /* the first of them came before any row with a time */
    bool timed;                  /* some of them did not: */
    int64_t first_ms, last_ms;   /* in the order of the log */
};

/* Zero-initialise. */
struct smi_fault_list {
    struct smi_fault_count *list;
    size_t n, cap;
};

/* Adds f, about device `who`, which comes after all of l. */
void smi_faults_join(struct smi_fault_list *l, const struct smi_fault_count *f, int who);
void smi_faults_fini(struct smi_fault_list *l);

/* ---- local stamps whose offset may change inside an input, put on the one clock of their run
 * (docs/numbers.md §6). The clock of a zone is its standard time; that of an offset is the offset at the
 * beginning ---- */

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

/* Are these the next n > 0 stamps of a device whose rows come fast, and plain? Then they are put on the clock
 * of the run; else nothing is changed, and they have to be looked at one by one. */
bool smi_local_clock_read_plain(struct smi_local_clock *w, const struct smi_local_clock_opts *o,
                                int64_t *t_ms, size_t n);
/* Puts the next stamp of a device, *t_ms, on the clock of the run. */
enum smi_stamp_kind smi_local_clock_read(struct smi_local_clock *w, const struct smi_local_clock_opts *o,
                                         int64_t *t_ms);
/* Is the stamp of b's first row what a reader of a's rows would have taken for a step? */
bool smi_local_clock_steps_between(const struct smi_local_clock *a, const struct smi_local_clock *b,
                                   const struct smi_local_clock_opts *o);

/* Times for rows that have none, or only a time of day (docs/numbers.md §6). */
struct smi_assigned_times {
    enum {
        SMI_TIMES_NONE,
        SMI_TIMES_DATE,  /* start_us is added to a time of day */
        SMI_TIMES_STEPS, /* --interval: row k of a device is at start_us + k * step_us */
        SMI_TIMES_SPREAD /* estimated, in UTC, for phases only: the rows of a device are spread evenly over
                            span_us */
    } how;
    enum smi_time_base base; /* on which the times stand */
    int64_t start_us, step_us, span_us;
    int64_t *rows; /* SPREAD: rows of each device, two places in front as in smi_input_stats.wall; the part's
                    * own. NULL: not known yet, smi_input_stats_spread comes at the end */
    size_t devices;
};

struct smi_input_stats {
    struct smi_sink sink;                  /* feed it through this */
    struct smi_device_stats_opts opts;     /* set before the first sample */
    struct smi_local_clock_opts wall_opts; /* the same */
    struct smi_assigned_times given;       /* the same */
    struct smi_row_spool
        *tape;  /* the part's own, or NULL: the same. It gets every row that is kept, about a
                 * device or the host, in the order of the input: after attribution, with the
                 * time on the clock of the run, and without duplicates; and phases and events */
    char *path; /* as inputs[].path says it */
    int format; /* smi_format_id */
    enum smi_time_base base;
    struct smi_account account;
    struct smi_devices devices;
    struct smi_device_stats **track; /* one for each device, or NULL */
    size_t tracks, tracks_cap;
    const struct smi_input_stats
        *joined_to; /* it has the tracks now, as the devices of these numbers; or NULL */
    int *joined_as;
    unsigned limit; /* the class of interval beyond which its stream has a gap, once that is joined */
    struct smi_device_stats *host, *pool; /* or NULL */
    bool keyed;                           /* rows carry a key */
    bool timed;
    int64_t first_ms, last_ms;    /* smallest and largest time, if timed */
    int64_t begin_ms;             /* the first row's: pieces of one input are put in its order */
    int64_t ahead_ms;             /* how far its earliest stamp was ahead of the clock of the run */
    bool by_zone;                 /* stamps were put on the standard time of a zone */
    bool stepped;                 /* by a step of an hour, which was said */
    bool unsure;                  /* what a stamp means depends on the rows before it: never read in pieces */
    struct smi_local_clock *wall; /* by device, two in front for rows of no device; while it is fed */
    size_t walls, walls_cap;
    struct smi_counts dts; /* once smi_input_stats_end was called: lengths of all intervals that end in it */
    struct smi_procs procs;
    struct smi_steps polled; /* when these were listed, of whichever device */
    struct smi_fault_list faults;
    bool has_now;
    int64_t now_ms; /* the last row's time, in the order of the input */
    int now_who;    /* and whose it was */
    struct smi_runlog log;
    uint64_t hash; /* of the bytes of a RunLog: the same content given twice counts once */
    int64_t size;
    uint32_t doc;   /* the partial that it was read back from, from 1; 0: none */
    uint32_t *docs; /* of a RunLog: all partials that knew it */
    size_t ndocs, docs_cap;
};

/* Makes an empty part. path is copied. */
struct smi_input_stats *smi_input_stats_new(const char *path, int format);
void smi_input_stats_free(struct smi_input_stats *p);

/* The i-th of its tracks + 2 tracks, or NULL: behind those of devices the host's and the pool's. */
static inline struct smi_device_stats *smi_input_stats_track(const struct smi_input_stats *p, size_t i)
{
    return i < p->tracks ? p->track[i] : i == p->tracks ? p->host : p->pool;
}
/* How many rows each device of p has: into g, whose own they are; before the first of them is given a time.
 * False if there are none, or they have times. */
bool smi_input_stats_count(const struct smi_input_stats *p, struct smi_assigned_times *g);
/* SPREAD without rows, when p was fed: its rows into the phases. Returns 1, 0 if they are not few enough,
 * some have readings that others lack, or they have times after all (then p is good for nothing: count them,
 * and read again), or -1 with err. */
int smi_input_stats_spread(struct smi_input_stats *p);

/* All of the input is in p, and nothing else: counts its intervals. */
void smi_input_stats_end(struct smi_input_stats *p);
/* Joins b's tracks behind a's: b comes later in the same stream. b keeps its account (rows that were withheld
 * are counted there now). same_input: that moves into a's, and more may still come in front of a; else a
 * holds everything of the stream that comes before b, both were ended, and intervals across the edge are
 * b's. Returns 0, or -1 with err. */
int smi_input_stats_join(struct smi_input_stats *a, struct smi_input_stats *b, bool same_input,
                         struct smi_err *err);
/* No part comes before p: withheld first rows join, and their intervals. */
void smi_input_stats_close(struct smi_input_stats *p);
