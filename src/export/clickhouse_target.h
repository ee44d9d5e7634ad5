/* clickhouse_target.h - runs into ClickHouse: `smilog export --to clickhouse://...`.
 *
 * Every row of samples and marks has a key that follows from its log: run, input, number of the row. The
 * tables are ReplacingMergeTrees over these keys with the version of the export, so rows that are sent twice
 * are one. The row of `runs` comes last; a run whose row is there is there whole. So an export that died is
 * run again, and nothing has to be remembered. Rows of older versions are deleted once the newest row of the
 * run is there. */
#ifndef SMI_EXPORT_CLICKHOUSE_TARGET_H
#define SMI_EXPORT_CLICKHOUSE_TARGET_H

#include "export/export.h"

extern const struct smi_target smi_target_clickhouse, smi_target_clickhouses; /* plain, and over TLS */

#endif
