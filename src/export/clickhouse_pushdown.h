/* clickhouse_pushdown.h - what a server can tell of a question, so that runs which are no answer to it stay
 * where they are. */
#ifndef SMI_EXPORT_CLICKHOUSE_PUSHDOWN_H
#define SMI_EXPORT_CLICKHOUSE_PUSHDOWN_H

#include "query/query.h"
#include "export/clickhouse_schema.h"

/* Appends a condition on the rows of `runs` that holds for every run which can be an answer, and perhaps for
 * others: the question is asked again of those that come. Of --where such parts are taken, if all that it
 * says is joined by AND: run = 'x', run IN ('x', 'y'), run LIKE 'x%y' and run GLOB 'x*y' (of these two what
 * stands before the first and behind the last wildcard); of --since and --until all that is more than two
 * days off. Returns whether anything was appended: false, too, where the question names what is no column of
 * every run (a parameter, another table), for what that is depends on all runs. */
bool smi_ch_push_down(struct smi_buf *to, const struct smi_query *q);

#endif
