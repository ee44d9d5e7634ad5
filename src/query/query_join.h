/* query_join.h - the columns of any CSV beside those of the runs. */
#ifndef SMI_QUERY_QUERY_JOIN_H
#define SMI_QUERY_QUERY_JOIN_H

#include "base/buf.h"
#include "sweep/sweep.h"

enum { SMI_QUERY_JOIN_BYTES = 64 << 20, SMI_QUERY_JOIN_COLUMNS = 1000 };

/* Reads "FILE.csv" or "FILE.csv:KEY" and fills joined of the sweep and its runs. A row belongs to the run
 * whose name is in its column KEY (run, or the first, if none is named); or, where runs have a column or a
 * parameter KEY, to those with the same value, numbers compared as numbers. A key of several rows joins none
 * of them. Columns whose names are taken get a number. said gets what did not match, and what was renamed.
 * Returns 0, or -1 with err. */
int smi_query_join(struct smi_sweep *s, const char *arg, struct smi_buf *said, struct smi_err *err);

#endif
