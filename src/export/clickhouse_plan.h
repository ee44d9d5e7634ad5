/* clickhouse_plan.h - what an export to a store would do before it sends rows. */
#ifndef SMI_EXPORT_CLICKHOUSE_PLAN_H
#define SMI_EXPORT_CLICKHOUSE_PLAN_H

#include "export/clickhouse_documents.h"

/* Appends the statements that make what is not there: tables, columns of these metrics, and the tables of
 * documents, unless that is NULL. Returns 0, or -1 with err (memory). */
int smi_ch_plan(struct smi_buf *to, const struct smi_ch_store *store, const bool metric[SMI_METRIC_COUNT],
                const struct smi_ch_documents *documents, struct smi_err *err);

#endif
