/* spool.h - keeps a stream while it is read, if its log may have rows and phases: such a log has to be read twice. */
#ifndef SMI_SWEEP_SPOOL_H
#define SMI_SWEEP_SPOOL_H

#include "archive/pull.h"
#include "ingest/ingest.h"

#include <stdint.h>

#define SMI_SPOOL_MAX ((int64_t)1 << 30) /* bytes that are kept */

struct smi_spool {
    struct smi_pull pull;
    struct smi_pull_fd from;
    const struct smi_ingest *in; /* where the bytes go: it finds out the format; to be set before they come */
    int fd;                      /* an unlinked file of $TMPDIR, or -1: not begun, or not needed */
    bool over;                   /* no more is kept */
    int64_t size;                /* of what was read until then */
    struct smi_err lost;         /* why a stream that was needed is not kept */
};

/* Bytes of fd, which is borrowed as is its name. Returns the spool's own pull. */
struct smi_pull *smi_spool_open(struct smi_spool *s, int fd, const char *name);
/* After the end of a log with rows and phases. Returns the kept file, at its beginning, which is the caller's now; or
 * -1, and s->lost says why there is none. */
int smi_spool_take(struct smi_spool *s);
/* Also after smi_spool_take. */
void smi_spool_fini(struct smi_spool *s);

#endif
