/* clickhouse_marks.h - phases and events of runs into the table `marks`. */
#ifndef SMI_EXPORT_CLICKHOUSE_MARKS_H
#define SMI_EXPORT_CLICKHOUSE_MARKS_H

#include "export/export.h"
#include "export/clickhouse_keyed_rows.h"

/* Adds those of a run. Returns 0, or -1 with err. */
int smi_ch_marks_put(struct smi_ch_keyed *to, const struct smi_export_run *r, uint64_t run,
                     struct smi_err *err);
/* Sends what waits: rows that the table has of the runs, and that are none of theirs (any more), go. runs:
 * their numbers, with commas. Returns 0, or -1 with err. */
int smi_ch_marks_send(struct smi_ch_keyed *k, struct smi_ch_server *server, struct smi_ledger *ledger,
                      const char *runs, struct smi_err *err);

#endif
