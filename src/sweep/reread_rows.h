/* reread_rows.h - every reading of a run, one row after the other, while it is read a second time. */
#ifndef SMI_SWEEP_REREAD_ROWS_H
#define SMI_SWEEP_REREAD_ROWS_H

#include "sweep/reread.h"

/* A row that is kept: attributed to its GPU, its time on the base of the summary's start, not a duplicate.
 * Lent for the duration of the call. A metric that it lacks is not listed. */
struct smi_reread_row {
    int gpu;    /* place in smi_summary.gpus; -1: the host */
    bool timed; /* t_ms holds: else the row has no time, or one that is no date, while the run has a start */
    int64_t t_ms;
    const char *input; /* the log that it is of: as inputs[].path */
    unsigned n;
    const uint16_t *metric; /* n catalogue ids, each once */
    const int64_t *v;       /* n readings, millionths of the catalogue's unit */
};

/* Returns 0, or -1 with err to stop. */
typedef int smi_reread_row_fn(void *self, const struct smi_reread_row *row, struct smi_err *err);

/* Hands every row of run i of s, all metrics of all its logs, to fn, in one thread and without an allocation
 * a row: log after log in the order of their names (those in an archive in its order), the rows of a log in
 * its order. As several logs may show the same reading (a query log and dmon), a summary has each metric of
 * one of them only. Left out are rows about processes and of GPUs that are not in the summary (--gpus); the
 * first row of a log is there even where it repeats the last one of the log before. Before, d->progress is
 * told that i of s->n runs are done. Returns 1; 0 where the run cannot be read again (standard input, a
 * merge, it vanished), fn having seen no row then; or -1 with err (memory, or what fn said). */
int smi_reread_rows(const struct smi_sweep *s, size_t i, smi_reread_row_fn *fn, void *self,
                    struct smi_err *err);

#endif
