/* append.h - a file to which many writers append lines at once, each whole: one write(2) a line, on a
 * descriptor that appends. What a full disk or a killed writer left of a line never becomes a part of another
 * one. */
#ifndef SMI_LIVE_APPEND_H
#define SMI_LIVE_APPEND_H

#include "base/err.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Filled by smi_append_open; not to be copied. Threads may share one. After a fork only one of the two
 * processes may go on with it; the other opens the file again. */
struct smi_append {
    int fd;
    bool file; /* a regular file; else standard output is something else */
    char *path;
    pthread_mutex_t busy;
};

/* Opens path for appending, and makes it if it is not there (its directory has to be); "-" is standard
 * output. Only regular files are taken: a directory, FIFO, socket or device is refused with a sentence that
 * names it, and never blocks. Returns 0, or -1 with err. */
int smi_append_open(struct smi_append *a, const char *path, struct smi_err *err);
/* Appends n bytes, which end with a LF, in one write. Where the file does not end with a LF, because a writer
 * was killed inside a line, a LF comes first. A write that the disk cuts short is taken back, so that the
 * file ends as before; that is an error, and the next call tries again. Writers of other processes are waited
 * for (flock) for 0.2 s at most: against one that holds the lock for longer the line is still written whole.
 * Not for files on NFS that several machines write to: it cannot append. Returns 0, or -1 with err. */
int smi_append_line(struct smi_append *a, const char *p, size_t n, struct smi_err *err);
/* a may be all zero. */
void smi_append_close(struct smi_append *a);

#endif
