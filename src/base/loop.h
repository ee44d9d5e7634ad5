/* loop.h - the event loop: waits for the descriptors and times of all its sources, then calls each of them
 * in the order in which they were added. A source that is not ready is called as well, and does nothing
 * then. Times are monotonic milliseconds. Not for several threads. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <poll.h>

enum {
    SMI_LOOP_SOURCES = 40,
    SMI_LOOP_FDS = 160,
    SMI_LOOP_WAIT_MS = 60000 /* one wait at most */
};

static inline int64_t smi_earlier_ms(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

struct smi_loop;

struct smi_loop_source {
    void *self;
    /* Names what it waits for, with smi_loop_watch and smi_loop_wake; or NULL: nothing. */
    void (*prepare)(void *self, struct smi_loop *l);
    /* Does what is due at l->now_ms; or NULL. Returns 0 to go on, 1 to end smi_loop_run, or -1 with err. */
    int (*run)(void *self, struct smi_loop *l, struct smi_err *err);
};

/* Zero-initialise. Holds no memory and no descriptor of its own. */
struct smi_loop {
    int64_t now_ms; /* of this turn: sources take it for the present time */
    int64_t due_ms; /* the earliest time that a source waits for; INT64_MAX: none */
    struct smi_loop_source source[SMI_LOOP_SOURCES];
    size_t sources;
    struct pollfd fd[SMI_LOOP_FDS]; /* as the last wait left them */
    size_t fds;
};

/* Adds a source; what its self points to has to outlive the loop's use. At most SMI_LOOP_SOURCES. */
void smi_loop_add(struct smi_loop *l, struct smi_loop_source s);

/* For prepare: the next wait ends when fd can be read or is closed. fd < 0 is left out. */
void smi_loop_watch(struct smi_loop *l, int fd);
/* The same for other events of poll(2): POLLOUT when fd can be written or nobody reads it any more. */
void smi_loop_watch_for(struct smi_loop *l, int fd, short events);
/* For prepare: the next wait ends at t_ms. */
void smi_loop_wake(struct smi_loop *l, int64_t t_ms);
/* For run: what poll(2) reported for fd in the last wait; 0: nothing, or it was not watched. */
int smi_loop_ready(const struct smi_loop *l, int fd);

/* Asks all sources at t_ms what they wait for. */
void smi_loop_prepare(struct smi_loop *l, int64_t t_ms);
/* Calls all sources at t_ms, up to the first that does not return 0. Returns what that returned. */
int smi_loop_call(struct smi_loop *l, int64_t t_ms, struct smi_err *err);
/* One turn: prepares, waits, calls. Returns as smi_loop_call does; -1 with err (SMI_EIO) if it cannot wait.
 */
int smi_loop_once(struct smi_loop *l, struct smi_err *err);
/* Turns until a source ends it. Returns 0, or -1 with err. */
int smi_loop_run(struct smi_loop *l, struct smi_err *err);

/* ---- output to a pipe, a socket or a terminal that never waits for its reader: what does not fit there
 * now stays in a queue, and what does not fit into the queue is dropped and counted. Regular files are
 * written directly ---- */

enum { SMI_WRITER_BYTES = 4 << 20 /* of a queue; one piece may be larger */ };

/* Read `dropped` and `failed`; the rest is the writer's. */
struct smi_writer {
    bool failed;     /* a write has failed */
    int64_t dropped; /* lines that found no place in the queue; the caller reports them and sets it to 0 */
    const char *name;
    int given, fd; /* the descriptor of smi_writer_open, and the one that is written */
    enum smi_writer_kind {
        SMI_WRITER_FILE,   /* a write ends by itself */
        SMI_WRITER_OWN,    /* fd is ours alone and non-blocking */
        SMI_WRITER_SOCKET, /* send(2) can be told not to wait */
        SMI_WRITER_SHARED  /* other processes have it, too: written `most` bytes at a time, if poll allows */
    } kind;
    size_t most;
    struct smi_buf queue;
    size_t at; /* of the queue: written up to here */
};

/* Prepares writing to fd, which stays open and keeps its flags, as other processes share them: a pipe or a
 * terminal is opened a second time. name, borrowed, is for messages. */
void smi_writer_open(struct smi_writer *w, int fd, const char *name);
/* Writes n bytes of whole lines, now or later, or drops all of them. Returns 0, or -1 with err: the write
 * failed, and the queue is empty. */
int smi_writer_put(struct smi_writer *w, const char *p, size_t n, struct smi_err *err);
/* Writes what there is room for. Returns as smi_writer_put. */
int smi_writer_flush(struct smi_writer *w, struct smi_err *err);
/* The number of bytes in the queue. */
static inline size_t smi_writer_pending(const struct smi_writer *w)
{
    return w->queue.n - w->at;
}
/* For prepare: the next wait ends when there is room for bytes of the queue. */
void smi_writer_watch(const struct smi_writer *w, struct smi_loop *l);
/* Forgets the queue. Returns the number of lines in it. */
int64_t smi_writer_discard(struct smi_writer *w);
void smi_writer_close(struct smi_writer *w);
