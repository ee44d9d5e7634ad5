/* clickhouse_target.h - ClickHouse as a target of export. */
#ifndef SMI_EXPORT_CLICKHOUSE_TARGET_H
#define SMI_EXPORT_CLICKHOUSE_TARGET_H

#include "export/export.h"

extern const struct smi_target smi_target_clickhouse, smi_target_clickhouses; /* plain, and over TLS */

#endif
