/* replay_log.h - one log that is played, rotated parts and all: its lines, and the times that are printed in
 * them.
 */
#ifndef SMI_LIVE_REPLAY_LOG_H
#define SMI_LIVE_REPLAY_LOG_H

#include "base/stream.h"
#include "aggregate/ingest.h"
#include "aggregate/input_stats.h"

struct smi_replay_log {
    char **path; /* the oldest part first */
    size_t paths, at, paths_cap;
    char *name; /* of its newest part */
    int format;
    int source;      /* its place in smi_machine */
    int offset_s;    /* of local times */
    int64_t day_ms;  /* the begin of the run, for times without a date and rows without times, */
    int64_t tick_ms; /* which come so often */
    int64_t next_ms; /* when the lines at hand are due (UTC); INT64_MAX: there are no more */
    /* the part that is read */
    int fd;
    struct smi_fd_source from;
    struct smi_stream *stream;
    struct smi_input_stats *part; /* account and devices of the reader that only looks for times */
    struct smi_ingest *in;
    char *p; /* bytes: [done, look) are lines at hand, [look, n) are not looked at yet */
    size_t done, look, n, cap;
    bool over;           /* of this part all bytes are read */
    bool fresh;          /* a part begins with the lines at hand */
    bool row;            /* the line looked at has one; the last one: */
    bool timed, ticking; /* it has a time; rows have none */
    int64_t t_ms;        /* as printed */
    int who;
    int64_t ticks; /* so far: rows of all GPUs, of logs without times */
    struct smi_sink sink;
};

/* Opens the first part and looks for its first row. Returns 0, or -1 with err. */
int smi_replay_log_open(struct smi_replay_log *l, struct smi_err *err);
/* The lines at hand are played: goes on to those up to the next row. Returns 0, or -1 with err. */
int smi_replay_log_next(struct smi_replay_log *l, struct smi_err *err);
void smi_replay_log_fini(struct smi_replay_log *l);

#endif
