/* unpack.h - logs that are not read as they lie: compressed ones, UTF-16, standard input. */
#ifndef SMI_SWEEP_UNPACK_H
#define SMI_SWEEP_UNPACK_H

#include "archive/pull.h"
#include "ingest/ingest.h"

#include <stdbool.h>

/* Do the bytes of a regular file have to be decoded? Its place stays where it is. */
bool smi_is_coded(int fd);

struct smi_unpacked {
    int64_t size;          /* bytes as they were read, decoded */
    uint64_t hash;         /* the digest of them, if that was asked for */
    char doubt[SMI_DOUBT]; /* why they ended too early, or "": a clause about the file */
};
/* Reads `from` (borrowed) to its end through the door, whatever it is packed in. Returns 0, or -1 with err. */
int smi_unpack(struct smi_ingest *in, struct smi_pull *from, bool hash, struct smi_unpacked *out, struct smi_err *err);

/* A file in memory that has the two ends of the decoded bytes of fd, which is read from its beginning to its end once
 * and put back there: what looks at the ends of a plain log can look at this one. Returns a descriptor to close, or -1
 * with err. */
int smi_unpacked_ends(int fd, const char *name, int64_t *size, struct smi_err *err);

#endif
