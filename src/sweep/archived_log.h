/* archived_log.h - a log that was unpacked into a temporary file, and is read there as any other: each log in
 * an archive, and a compressed one that has to be read more than once. */
#ifndef SMI_SWEEP_ARCHIVED_LOG_H
#define SMI_SWEEP_ARCHIVED_LOG_H

#include "base/stream.h"

#include <stdint.h>

enum {
    SMI_WALK_THREADS = 8
}; /* each may hold a directory open per level, and has a file for what it unpacks */

struct smi_archived_log {
    size_t archive;                 /* an index of smi_found.archive */
    int fd;                         /* borrowed: where its bytes are, unpacked and as UTF-8: */
    int64_t from, size;             /* so many from here on */
    char doubt[SMI_SOURCE_WARNING]; /* why they ended too early, or "": a clause about the log */
};

enum { SMI_UNPACK_BYTES = 65536, SMI_UNPACK_MEMORY = 64 << 20 /* where $TMPDIR cannot be written to */ };
/* Appends the bytes of s, which is borrowed, to the file *to, which is made if it is -1 (also kept where this
 * fails). buf has SMI_UNPACK_BYTES bytes, and n of the log already. Returns 0; 1 with
 * err if there is no room; -1 with err if s fails. Then nothing of the log stays in the file. */
int smi_unpack(struct smi_archived_log *out, int *to, struct smi_stream *s, char *buf, ssize_t n,
               struct smi_err *err);

#endif
