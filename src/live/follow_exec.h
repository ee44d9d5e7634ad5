/* follow_exec.h - a log elsewhere, through a command of the user's that prints it and goes on printing as it grows
 * (`follow --exec 'ssh pod tail -c +%o -F file'`): a stream of tail's that is resumed where it was left.
 *
 * %o in the command becomes the number of the first byte wanted, counted from 1 as tail -c + does; %% a %. It is run by
 * sh -c, and started again when it ends, after 1, 2, 4 .. 60 s. Each time the last bytes that we have are asked for
 * once more and compared: if they are others, or do not come, the file there is another one (or shorter), and is read
 * from its beginning. When GNU tail -F says on standard error that the file was replaced or truncated, the bytes after
 * that count from 0. Its message and the bytes come on two roads, so that count may be wrong: then the next start finds
 * other bytes than it has, and lines may come twice; never are they lost. Driven as live/monitor.h is. */
#ifndef SMI_LIVE_FOLLOW_EXEC_H
#define SMI_LIVE_FOLLOW_EXEC_H

#include "base/child.h"
#include "live/follow.h"

#include <poll.h>

enum { SMI_FETCH_FDS = 3, SMI_FETCH_WHY = 240 };

enum smi_fetch_state {
    SMI_FETCH_STOPPED, /* by its owner */
    SMI_FETCH_STARTS,  /* it runs, and nothing has come yet */
    SMI_FETCH_READS,   /* bytes come */
    SMI_FETCH_WAITS    /* it ended: why says how; it is started again */
};
extern const char *const smi_fetch_states[]; /* in words */

struct smi_fetch_times {
    int64_t pause, pause_most; /* ms before a restart: doubling from, to */
    int64_t answer;            /* so long without a byte after its start: it is asked in another way */
    struct smi_child_patience stop;
};
extern const struct smi_fetch_times smi_fetch_times;

struct smi_fetch;
struct smi_fetch_opts {
    const char *command;
    const char *name;                    /* for tail: its path, and its name in a store */
    const struct smi_tail_place *at;     /* where it was left, or NULL */
    const struct smi_fetch_times *times; /* NULL: smi_fetch_times */
    void *self;
    /* Its state is new, or it begins again at 0 (lost: what was between is not known); text: one sentence. Or NULL. */
    void (*told)(void *self, const struct smi_fetch *f, bool lost, const char *text);
};

/* To be read by the owner; written by this room only. */
struct smi_fetch {
    enum smi_fetch_state state;
    char why[SMI_FETCH_WHY]; /* the last line of its standard error, or how it ended; as it was printed */
    uint64_t starts, agains; /* how often it was started; how often another file began */
    int file;                /* its number in tail */
    struct smi_fetch_work *work;
};

/* Not running; the texts of o are copied, the tail is borrowed and outlives it. NULL with err. */
struct smi_fetch *smi_fetch_new(struct smi_tail *t, const struct smi_fetch_opts *o, struct smi_err *err);
/* As smi_monitor_want and smi_monitor_go. Start it by the first go. go returns 0, or -1 if a call of tail's did. */
size_t smi_fetch_want(const struct smi_fetch *f, struct pollfd *fds, int64_t *due_ms, int64_t now_ms);
int smi_fetch_go(struct smi_fetch *f, const struct pollfd *fds, size_t n, int64_t now_ms);
/* Asks the command to end; go on with want and go while it is busy. */
void smi_fetch_stop(struct smi_fetch *f, int64_t now_ms);
bool smi_fetch_busy(const struct smi_fetch *f);
/* Kills the command at once if it runs. */
void smi_fetch_free(struct smi_fetch *f);

#endif
