/* input_stats.h - the aggregates of one input (or of one piece of it): a sink for samples and marks, and the
 * unit that is merged. Neighbouring parts of a stream join to the same result as one pass over both
 * (docs/numbers.md §3, §10). */
#ifndef SMI_AGGREGATE_INPUT_STATS_H
#define SMI_AGGREGATE_INPUT_STATS_H

#include "model/line_account.h"
#include "model/device.h"
#include "model/sink.h"
#include "model/format_info.h"
#include "aggregate/fault_counts.h"
#include "aggregate/process_stats.h"
#include "aggregate/runlog.h"
#include "aggregate/row_spool.h"
#include "aggregate/device_stats.h"
#include "aggregate/local_clock.h"

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

/* Sees every row that a part keeps, about a device or the host, in the order of its input: after attribution,
 * with the time on the clock of the run, and without duplicates. A part that has one counts nothing else of
 * them. */
struct smi_input_stats;
struct smi_row_callback {
    /* p->base is that of s->t_ms. Returns 0, or -1 with err to stop. */
    int (*row)(struct smi_row_callback *self, const struct smi_input_stats *p, const struct smi_sample *s,
               struct smi_err *err);
};

/* Tracks that are done with, kept to be used again for logs of the same format: one for each thread.
 * Zero-initialise. */
struct smi_free_list {
    struct smi_free_device_stats {
        struct smi_device_stats *track;
        int format;
    } list[16];
    size_t n;
};
void smi_free_list_fini(struct smi_free_list *s);

struct smi_input_stats {
    struct smi_sink sink;                  /* feed it through this */
    struct smi_device_stats_opts opts;     /* set before the first sample */
    struct smi_local_clock_opts wall_opts; /* the same */
    struct smi_assigned_times given;       /* the same */
    struct smi_row_callback *tap;          /* borrowed, or NULL: the same */
    struct smi_row_spool *tape;   /* the part's own, or NULL: the same. It gets the rows that a tap would see,
                                   * and phases   and events; all else is counted as well */
    struct smi_free_list *spares; /* borrowed: its tracks come from there and go back; or NULL */
    char *path;                   /* as inputs[].path says it */
    int format;                   /* smi_format_id */
    enum smi_time_base base;
    struct smi_account account;
    struct smi_devices devices;
    struct smi_device_stats **track; /* one for each device, or NULL */
    size_t tracks, tracks_cap;
    const struct smi_input_stats
        *joined_to; /* it has the tracks now, as the devices of these numbers; or NULL */
    int *joined_as;
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
    struct smi_counts dts; /* lengths of all intervals that end in this input */
    struct smi_procs procs;
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

/* Makes an empty part. path is copied. NULL without memory. */
struct smi_input_stats *smi_input_stats_new(const char *path, int format);
void smi_input_stats_free(struct smi_input_stats *p);

/* SPREAD without rows, when p was fed: its rows into the phases. Returns 1, 0 if they are not few enough,
 * some have readings that others lack, or they have times after all (then p is good for nothing: count them,
 * and read again), or -1 with err. */
int smi_input_stats_spread(struct smi_input_stats *p);

/* Joins b's tracks behind a's: b comes later in the same stream. b keeps its account (rows that were withheld
 * are counted there now) and its dts with the intervals across the edge; same_input: these move into a's too,
 * and more may still come in front of a; else a holds everything of the stream that comes before b. Returns
 * 0, or -1 with err (memory). */
int smi_input_stats_join(struct smi_input_stats *a, struct smi_input_stats *b, bool same_input,
                         struct smi_err *err);
/* No part comes before p: withheld first rows join. */
int smi_input_stats_close(struct smi_input_stats *p);

#endif
