/* writer.h - output to a pipe, a socket or a terminal that never waits for its reader: what does not fit
 * there now stays in a queue, and what does not fit into the queue is dropped and counted. Regular files are
 * written directly. */
#ifndef SMI_BASE_WRITER_H
#define SMI_BASE_WRITER_H

#include "base/buf.h"
#include "base/err.h"
#include "base/loop.h"

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

#endif
