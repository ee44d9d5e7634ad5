/* reread.h - runs of a sweep are read a second time: for what is too much to keep of every run. */
#pragma once

#include "summary/run.h"
#include "sweep/sweep.h"

/* What a sweep was read from: the arguments of smi_sweep_read, all borrowed. */
struct smi_reread {
    const char *const *path;
    size_t n;
    const struct smi_discover_opts *d;
    const struct smi_options *o;
};

/* The places in s->runs in the order in which runs deserve to be drawn: those that are a PATH themselves,
 * then those with the most waste, then by name. how: or NULL, none is a PATH. order has room for s->n. */
void smi_reread_choose(const struct smi_sweep *s, const struct smi_reread *how, size_t *order);

/* Gives each of the n runs at these places in s->runs its timeline, of at most `points` cells (0: all that
 * were kept): those that have one are left as they are or thinned, the others are read again on d->threads
 * threads. A run that is not there any more, or has other GPUs by now, gets none. All other runs lose theirs.
 * d->progress counts runs. Returns 0, or -1 with err. */
int smi_reread_timelines(struct smi_sweep *s, const struct smi_reread *how, const size_t *place, size_t n,
                         size_t points, struct smi_err *err);

/* ---- every reading of a run, one row after the other ---- */

/* A row that is kept: attributed to its GPU, not a duplicate within its log. Lent for the duration of the
 * call. A metric that it lacks is not listed. */
struct smi_run_row {
    uint64_t ordinal; /* among those of its log: the same whenever the log is read, grown or not */
    int gpu;          /* place in smi_summary.gpus; -1: the host */
    bool timed;       /* t_ms holds */
    int64_t t_ms;
    const char *input, *format; /* the log that it is of, as inputs[].path; its format, or of samples that are
                                   exported again that of a second log */
    unsigned n;
    const uint16_t *metric; /* n catalogue ids, each once */
    const int64_t *v;       /* n readings, millionths of the catalogue's unit */
};

/* Returns 0, or -1 with err to stop. */
typedef int smi_run_row_fn(void *self, const struct smi_run_row *row, struct smi_err *err);

/* The rows of one log of a run, as they lie on its tape, from ordinal `from` on. */
struct smi_run_rows {
    const struct smi_summary *of;
    const struct smi_input *input; /* of that; NULL: it knows nothing of the log */
    const struct smi_input_stats *part;
    bool timed;       /* its times are on the base that is wanted, */
    int64_t shift_ms; /* with this taken off */
    uint64_t from;
    smi_run_row_fn *fn;
    void *self;
};
/* Plays them, but for those of GPUs that are not in the summary (--gpus). Returns 0, or -1 with err (fn's,
 * the disk). */
int smi_run_rows_play(const struct smi_run_rows *r, struct smi_err *err);

/* Hands every row of run i of s, all metrics of all its logs, to fn, in one thread and without an allocation
 * a row: log after log in the order of their names, the rows of a log in its order. As several logs may show
 * the same reading (a query log and dmon), a summary has each metric of one of them only. Left out are rows
 * about processes and of GPUs that are not in the summary (--gpus); the first row of a log is there even
 * where it repeats the last one of the log before. Before, d->progress is told that i of s->n runs are done.
 * Returns 1; 0 where the run cannot be read again (standard input, a merge, it vanished), fn having seen no
 * row then; or -1 with err (memory, or what fn said). */
int smi_reread_rows(const struct smi_sweep *s, size_t i, smi_run_row_fn *fn, void *self, struct smi_err *err);
