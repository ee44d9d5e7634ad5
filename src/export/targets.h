/* targets.h - everything that an export may go to: what T is in --to T. */
#ifndef SMI_EXPORT_TARGETS_H
#define SMI_EXPORT_TARGETS_H

#include "export/export.h"

/* A wide table for spreadsheets, pandas and DuckDB; JSON, one object a line; the history of all runs as
 * promtool reads it; tables of a SQLite file, one transaction a run; documents of PyTorch's CI; a ClickHouse
 * store, plain and over TLS. */
extern const struct smi_target smi_target_csv, smi_target_jsonl, smi_target_openmetrics, smi_target_sqlite,
    smi_target_pytorch, smi_target_clickhouse, smi_target_clickhouses;

/* What --to may begin with; NULL ends the list. */
extern const struct smi_target *const smi_targets[];

#endif
