/* file.h - descriptors: open what can be read as a log, read pieces, write whole files beside and rename. */
#pragma once

#include "base/buf.h"
#include "base/stream.h"

#include <fcntl.h>

struct smi_file_info {
    int64_t size;      /* bytes when it was opened; -1 for a pipe */
    uint64_t dev, ino; /* identity, for files given twice */
    bool stream;       /* a pipe: no seeking */
};

/* Sets err (SMI_EIO): "cannot append to PATH: is a directory"; of a long path its end. Returns -1. */
int smi_file_error(struct smi_err *err, const char *verb, const char *path, const char *why);
/* Opens path for reading, relative to the directory dirfd (AT_FDCWD: as given). "-" is standard input.
 * Only regular files and, where pipe_ok, pipes: a directory, FIFO, socket or device is refused with a
 * sentence that names it, and never blocks. Returns a descriptor to close, or -1 with err. */
int smi_file_open(int dirfd, const char *path, bool pipe_ok, struct smi_file_info *info, struct smi_err *err);
/* The same of a name that has just been seen to be such a file, so that it need not be looked at again before
 * it is opened. */
int smi_file_open_seen(int dirfd, const char *path, bool pipe_ok, struct smi_file_info *info,
                       struct smi_err *err);
/* Like pread(2), or (offset -1) like read(2), but goes on after EINTR. Returns bytes, 0 at the end, -1 with
 * err (name is for the text). */
ssize_t smi_file_read_at(int fd, void *buf, size_t n, int64_t offset, const char *name, struct smi_err *err);
/* Appends at most the first `most` bytes of a file ("-": standard input), unpacked and as UTF-8; with
 * INT64_MAX all. Returns 0, or -1 with err: it cannot be read, or is damaged, and what came before that is in
 * `to`. */
int smi_file_load(struct smi_buf *to, int dirfd, const char *path, int64_t most, struct smi_err *err);
/* The same of all of a file, unless it has more than `most` bytes: then b has more. */
static inline int smi_file_read_all(struct smi_buf *b, const char *path, int64_t most, struct smi_err *err)
{
    return smi_file_load(b, AT_FDCWD, path, most + 1, err);
}
/* A file that can be read at any place: by its descriptor, or from memory, if `all` of its n bytes are there.
 */
struct smi_file_view {
    int fd;
    const char *name; /* for messages */
    const char *all;  /* borrowed, or NULL */
    int64_t n;        /* bytes, as far as they are known */
    bool part;        /* it is a part of what fd has: these n bytes, */
    int64_t from;     /* which begin here */
};
/* As smi_file_read_at. */
ssize_t smi_file_view_read(const struct smi_file_view *f, void *buf, size_t n, int64_t offset,
                           struct smi_err *err);
/* Writes all n bytes to fd. Returns 0, or -1 with err. */
int smi_file_write(int fd, const char *p, size_t n, const char *name, struct smi_err *err);

/* What a path leads to, or "-": standard input, if that is a regular file: dev and ino. Returns false else.
 */
bool smi_file_id(const char *path, struct smi_file_info *info);

/* A file of $TMPDIR (/tmp) that has no name, to write and read: a descriptor to close, or -1 with err. */
int smi_file_temp(struct smi_err *err);

/* A file in the making: "-" is standard output, and /dev/stdout, /dev/stderr, /dev/fd/N, /proc/self/fd/N are
 * descriptors that somebody has opened: written as they are. Else a temporary file beside path (of a link:
 * beside what it leads to, if that is there or not), renamed by close, with the mode of the file whose place
 * it takes, which has to be one that may be written. It is locked (flock) while its writer lives, and what
 * writers of the same path left when they were killed is removed. */
struct smi_file_out {
    int fd;
    char *path, *tmp;
};
int smi_file_create(struct smi_file_out *out, const char *path, struct smi_err *err);
/* keep: flush, rename into place; else remove what was written. Returns 0, or -1 with err. */
int smi_file_close(struct smi_file_out *out, bool keep, struct smi_err *err);

/* The last piece of a path, borrowed from it; empty behind a slash at the end. */
const char *smi_file_name(const char *path);
