/* gpus.h - the parts of a run become streams, and the streams' devices the run's GPUs (docs/numbers.md §3,
 * §5). */
#pragma once

#include "summary/run.h"

/* A track with the class of interval beyond which its stream has a gap, and the base of its times. */
struct smi_gpu_source {
    struct smi_device_stats *track;
    unsigned limit;
    enum smi_time_base base;
    bool dated;       /* its times are dates of the summary, */
    int64_t shift_ms; /* once so much is taken off them: known while the summary is made */
    int format;       /* of its log */
    const struct smi_input_stats *part;
    size_t place;                          /* among all tracks of the GPU, as they were found */
    int64_t in_ms;                         /* what its intervals that are no gaps come to */
    struct smi_segment of[SMI_PAUSES + 1]; /* between its longest gaps, in the order of time, */
    size_t n;
    int64_t length_ms; /* of so much time */
    bool sparse;       /* the other gaps are more than a tenth of in_ms */
};

/* One GPU of the run, or the rows that belong to none (pooled), or the host. */
struct smi_run_gpu {
    const struct smi_device *device; /* what is known of it; NULL for pooled and host */
    int index;                       /* or -1 */
    const char *uuid, *bus, *serial, *name;
    bool pooled;                  /* rows that belong to nobody: no time sums */
    bool single;                  /* the input that named it last names no other GPU */
    struct smi_gpu_source *track; /* its tracks: format by format, sparse ones last, in the order of their
                                   first rows */
    size_t tracks, cap;
    int8_t source[SMI_METRIC_COUNT]; /* the format that feeds a metric (docs/numbers.md §5 "one source a
                                        metric"), or -1 */
    struct smi_time_sum_slot power;  /* over time */
    unsigned headline; /* bit k: its readings of smi_headline_metric[k] count in the run's headline */
};

struct smi_run_gpus {
    struct smi_run_gpu *gpu; /* in the order of output */
    size_t gpus, cap;
    size_t keyed; /* how many of them were found by a key */
    struct smi_run_gpu pool, host;
    const char **shared; /* serials of boards, each of several GPUs of one input; sorted, borrowed */
    size_t shareds, shared_cap;
    uint64_t asked[SMI_FMT_COUNT]
                  [SMI_METRIC_COUNT / 64 + 1]; /* as smi_account.asked, of all logs of a format */
    bool unmatched;                            /* inputs name GPUs by different kinds of key: counted apart */
    bool procs_apart; /* a process log names GPUs by another kind of key: its sums belong to none of them */
    bool keyless_pooled; /* keyless GPUs could not be matched with the keyed ones */
};

/* Joins the run's parts. Returns 0, or -1 with err; smi_run_gpus_fini either way. */
int smi_run_gpus_build(struct smi_run_gpus *s, struct smi_run *r, struct smi_err *err);
void smi_run_gpus_fini(struct smi_run_gpus *s);
/* The GPU of the run that d is: by its keys; or, where those are of different kinds, that of an input of one
 * GPU if d's input has one, too (single). NULL: none. *apart: a GPU of the run has no key that d has. */
struct smi_run_gpu *smi_run_gpus_find(const struct smi_run_gpus *s, const struct smi_device *d, bool single,
                                      bool *apart);
/* Which of the formats that have a metric feeds it: that of the lowest rank (docs/numbers.md §5 "one source a
 * metric"). */
int smi_metric_format_rank(int format, unsigned metric);
/* That one of two formats, each of them -1 for none. */
int smi_metric_first_format(int a, int b, unsigned metric);
/* The time that two spans have in common. */
static inline int64_t smi_overlap(int64_t from, int64_t to, int64_t first, int64_t last)
{
    from = from > first ? from : first;
    to = to < last ? to : last;
    return to > from ? to - from : 0;
}
/* max(10 x the lower median of these intervals, 2 s), as a class; UINT_MAX: there are none. */
unsigned smi_gap_limit(const struct smi_counts *lengths);

/* ---- from the aggregates of one GPU (or the host) to the values that are printed ---- */

/* The first of its tracks from `at` on that is of this format (-1: there is none of it), or NULL. */
static inline const struct smi_gpu_source *smi_gpu_source(const struct smi_run_gpu *b, int format,
                                                          const struct smi_gpu_source *at)
{
    for (; at && at < b->track + b->tracks; at++)
        if (at->format == format)
            return at;
    return NULL;
}
/* Loops over the tracks of a format. */
#define SMI_EACH_SOURCE(l, b, f)                                               \
    for (const struct smi_gpu_source *l = smi_gpu_source(b, f, (b)->track); l; \
         l = smi_gpu_source(b, f, l + 1))
/* ---- what charts draw of a run: its bounded series on one grid ---- */

/* Fills from_ms, cell_ms, n and the curves of t in the arena, of the logs with dates or of those without, and
 * bounds it by its cells.
 *   host      its curves come last
 *   least_ms  the shortest time between two readings, as far as it is known: cells are not much shorter; 0:
 * not known. There are SMI_TIMELINE_POINTS cells at most. */
void smi_timeline_curves(struct smi_timeline *t, struct smi_run_gpu *const *gpu, size_t n,
                         const struct smi_run_gpu *host, bool dates, int64_t least_ms, struct smi_arena *a);
/* The mean utilisation in %, in cells from from_ms to to_ms, of each GPU (shape and cell_ms of g, if it has
 * such a log) and of all (shape); SMI_SPARKLINE_NONE: no reading. */
void smi_timeline_shapes(uint8_t shape[SMI_SPARKLINE_CELLS], struct smi_gpu *g,
                         struct smi_run_gpu *const *gpu, size_t n, bool dates, int64_t from_ms,
                         int64_t to_ms);

/* num / den as whole millionths when num is in whole units: scale = 1000000. No value if den is 0. */
struct smi_value smi_value_ratio(smi_i128 num, smi_i128 den);
struct smi_value smi_value_percent(smi_i128 num, smi_i128 den);
struct smi_value smi_value_hours(int64_t ms);
struct smi_value smi_value_of(int64_t micro);
/* No value if it does not fit: a log of hostile times or readings. */
struct smi_value smi_value_wide(smi_i128 micro);

/* ---- when a run was (docs/numbers.md §3, §6) ---- */

/* The only offset in use within tol ms of the difference d. Fills *offset_s, or returns false. */
bool smi_zone_nearest(int64_t d, int64_t tol, int *offset_s);
/* The zone by comparing ranges (docs/numbers.md §6): local times g, UTC times u, all ms; iv the larger
 * interval, ms. Fills *offset_s, or returns false if none is certain. Pure. */
bool smi_zone_infer(int64_t g0, int64_t g1, int64_t u0, int64_t u1, int64_t iv, int *offset_s);
