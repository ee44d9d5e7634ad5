/* csv.h - samples as one wide table, for spreadsheets, pandas and DuckDB. */
#ifndef SMI_EXPORT_CSV_H
#define SMI_EXPORT_CSV_H

#include "export/export.h"

extern const struct smi_target smi_target_csv;

#endif
