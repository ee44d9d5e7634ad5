/* clickhouse_pushdown.h - what a question says of the names of runs, so that the partials of other runs stay
 * on the servers. */
#ifndef SMI_EXPORT_CLICKHOUSE_PUSHDOWN_H
#define SMI_EXPORT_CLICKHOUSE_PUSHDOWN_H

#include "query/query.h"

/* Appends the names that runs may have, each with its NUL, where --where is run = 'x' or run IN ('x', 'y').
 * The question is asked again of the runs that come. Returns false, and appends nothing, if it says anything
 * else: then every run may be an answer. */
bool smi_ch_push_down(struct smi_buf *names, const struct smi_query *q);

#endif
