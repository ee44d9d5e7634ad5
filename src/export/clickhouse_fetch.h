/* clickhouse_fetch.h - runs back out of ClickHouse: what `smilog summarize clickhouse://...` reads. */
#ifndef SMI_EXPORT_CLICKHOUSE_FETCH_H
#define SMI_EXPORT_CLICKHOUSE_FETCH_H

#include "query/query.h"
#include "summary/merge_queue.h"

/* Gives the newest partial of every run to the queue. asked: or NULL; runs that are no answer to it may be
 * left out (clickhouse_pushdown.h), but never all: *left is how many. Returns 0, or -1 with err: SMI_EUSAGE
 * (the URL), SMI_EIO (a server), SMI_EFORMAT (no runs, or they are not as they should be). */
int smi_ch_fetch(struct smi_merge_queue *p, const char *where, const struct smi_query *asked, size_t *left,
                 struct smi_err *err);

#endif
