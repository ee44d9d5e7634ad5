/* poll_cycle.h - rows about processes, one call of a monitor after the other: a round holds each process of
 * each device once. When it ends, what its rows add up to becomes a reading of each device. */
#ifndef SMI_FORMATS_POLL_CYCLE_H
#define SMI_FORMATS_POLL_CYCLE_H

#include "base/err.h"
#include "base/map.h"
#include "model/line_account.h"
#include "model/sink.h"

enum { SMI_POLL_CYCLE_ROWS = 65536 /* a longer round adds up to nothing */ };

struct smi_poll_cycle_gpu {
    int who;
    bool none;              /* a row said that no process runs on it */
    int64_t procs, unknown; /* rows; those without a reading of their memory */
    smi_i128 memory;
};

struct smi_poll_cycle_row {
    int who;
    unsigned types;
    int64_t pid;
};

/* Zero-initialise, then set account. */
struct smi_poll_cycle {
    struct smi_account *account; /* borrowed; duplicates are counted here */
    bool has_memory;             /* the log has a column for it: no process is no memory in use */
    bool open, timed, fine;
    int64_t t_ms;
    int64_t doubts;         /* rejected lines when it began */
    const int64_t *earlier; /* rejected lines above a row that waited; NULL: all that there are */
    struct smi_poll_cycle_gpu *gpu;
    size_t gpus, gpus_cap;
    struct smi_poll_cycle_row *row;
    size_t rows, cap;
    struct smi_map map;
    bool over; /* more than SMI_POLL_CYCLE_ROWS */
};

/* Rejected lines above the row that is read. */
int64_t smi_poll_cycle_rejected(const struct smi_poll_cycle *r);

/* Sends a row with s->process on to `to`, and before it the sums of the round that it ends: `begins` says
 * that the reader knows of a new one, else its time or its process does. A process that comes twice at one
 * time finer than a second is a duplicate. Rows of SMI_DEVICE_POOL add up to nothing. Returns 0, or -1 with
 * err. */
int smi_poll_cycle_add(struct smi_poll_cycle *r, const struct smi_sample *s, bool begins, struct smi_sink *to,
                       struct smi_err *err);
/* The end of the rows, or a line after which a new round begins. Lines that were rejected since the round
 * began may have been rows of it: then nothing is known of the devices. */
int smi_poll_cycle_end(struct smi_poll_cycle *r, struct smi_sink *to, struct smi_err *err);
void smi_poll_cycle_fini(struct smi_poll_cycle *r);

#endif
