/* archived_log.h - what the walk through an archive has learnt of each log in it. */
#ifndef SMI_SWEEP_ARCHIVED_LOG_H
#define SMI_SWEEP_ARCHIVED_LOG_H

#include "aggregate/chunks.h"
#include "aggregate/ingest.h"
#include "aggregate/input_stats.h"

struct smi_archived_log {
    struct smi_archived_log *next;    /* all of a walk */
    int64_t id;                       /* its place in the archive (base/stream.h) */
    size_t archive;                   /* which: an index of smi_found.archive */
    int64_t size;                     /* decoded bytes */
    uint64_t hash;                    /* the digest of them */
    struct smi_time_range_probe look; /* at its ends */
    int64_t interval_ms;              /* 0: not known */
    struct smi_row_count count;       /* of a dmon log: it may have no times */
    struct smi_input_stats
        *marks; /* what it says of phases and events; all of a format without readings; or NULL */
};
/* Ends a list of them. */
void smi_archived_logs_free(struct smi_archived_log *all);

#endif
