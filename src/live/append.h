/* append.h - a file to which many writers append lines at once, each whole: one write(2) a line, on a
 * descriptor that appends. What a full disk or a killed writer left of a line never becomes a part of another
 * one. */
#ifndef SMI_LIVE_APPEND_H
#define SMI_LIVE_APPEND_H

#include "base/buf.h"
#include "base/err.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Filled by smi_append_open; not to be copied. Threads may share one. After a fork only one of the two
 * processes may go on with it; the other opens the file again. */
struct smi_append {
    int fd, dir; /* dir: path is relative to this directory, or AT_FDCWD */
    bool file;   /* a regular file; else standard output is something else */
    char *path;
    pthread_mutex_t busy;
    dev_t dev;
    ino_t ino;
    off_t size;                 /* after the last write */
    const struct smi_buf *head; /* the owner's: lines that each file begins with; NULL at first */
    bool headless;              /* they are to be written before the next line */
    const char *renewed; /* why the file was begun again: "deleted", "renamed", "truncated"; the owner reports
                          * it and sets it to NULL */
};

/* Opens path for appending, and makes it if it is not there (its directory has to be); "-" is standard
 * output. Only regular files are taken: a directory, FIFO, socket or device is refused with a sentence that
 * names it, and never blocks. Returns 0, or -1 with err. */
int smi_append_open(struct smi_append *a, const char *path, struct smi_err *err);
/* The same of a file in the directory dir, a descriptor that stays open. */
int smi_append_open_at(struct smi_append *a, int dir, const char *path, struct smi_err *err);
/* Appends n bytes, which end with a LF, in one write. Where the file does not end with a LF, because a writer
 * was killed inside a line, a LF comes first. A write that the disk cuts short is taken back, so that the
 * file ends as before; that is an error, and the next call tries again. Writers of other processes are waited
 * for (flock) for 0.2 s at most: against one that holds the lock for longer the line is still written whole.
 * A file that was deleted, renamed or truncated is begun again, with its head (a->renewed). Not for files on
 * NFS that several machines write to: it cannot append. Returns 0, or -1 with err. */
int smi_append_line(struct smi_append *a, const char *p, size_t n, struct smi_err *err);
/* Is path still the file that is written? Else opens it again: the next line goes there, behind the head. A
 * renamed file is kept if no other can be made. Not while other threads append. Returns 0, or -1 with err:
 * the file is deleted, and no other can be made. */
int smi_append_check(struct smi_append *a, struct smi_err *err);
/* The owner has renamed the file: makes another one. Returns 0, or -1 with err; the old one is kept then. */
int smi_append_renew(struct smi_append *a, struct smi_err *err);
/* a may be all zero. */
void smi_append_close(struct smi_append *a);

#endif
