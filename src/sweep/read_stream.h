/* read_stream.h - logs that are not read as they lie: compressed ones, UTF-16, standard input. */
#ifndef SMI_SWEEP_READ_STREAM_H
#define SMI_SWEEP_READ_STREAM_H

#include "base/byte_source.h"
#include "aggregate/ingest.h"

#include <stdbool.h>
#include <stdint.h>

/* Do the bytes of a regular file have to be decoded? Its place stays where it is. */
bool smi_read_is_encoded(int fd);

struct smi_read_stream_result {
    int64_t size;                   /* bytes as they were read, decoded */
    uint64_t hash;                  /* the digest of them, if that was asked for */
    char doubt[SMI_SOURCE_WARNING]; /* why they ended too early, or "": a clause about the file */
};
/* Reads `from` (borrowed) to its end through the door, whatever it is packed in. Returns 0, or -1 with err.
 */
int smi_read_stream(struct smi_ingest *in, struct smi_byte_source *from, bool hash,
                    struct smi_read_stream_result *out, struct smi_err *err);

/* A file in memory that has the two ends of the decoded bytes of fd, which is read from its beginning to its
 * end once and put back there: what looks at the ends of a plain log can look at this one. Returns a
 * descriptor to close, or -1 with err. */
int smi_read_stream_ends(int fd, const char *name, int64_t *size, struct smi_err *err);

/* ---- a stream is kept while it is read, if its log may have rows and phases: such a log has to be read
 * twice ---- */

#define SMI_STREAM_COPY_MAX ((int64_t)1 << 30) /* bytes that are kept */

struct smi_stream_copy {
    struct smi_byte_source pull;
    struct smi_fd_source from;
    const struct smi_ingest *in; /* where the bytes go: it finds out the format; to be set before they come */
    int fd;                      /* an unlinked file of $TMPDIR, or -1: not begun, or not needed */
    bool whatever;               /* it may have to be read twice, of whatever kind it is */
    bool over;                   /* no more is kept */
    int64_t size;                /* of what was read until then */
    struct smi_err lost;         /* why a stream that was needed is not kept */
};

/* Bytes of fd, which is borrowed as is its name. Returns the spool's own pull. */
struct smi_byte_source *smi_stream_copy_open(struct smi_stream_copy *s, int fd, const char *name);
/* After the end of a log with rows and phases. Returns the kept file, at its beginning, which is the caller's
 * now; or -1, and s->lost says why there is none. */
int smi_stream_copy_take(struct smi_stream_copy *s);
/* Also after smi_stream_copy_take. */
void smi_stream_copy_fini(struct smi_stream_copy *s);

#endif
