/* clickhouse_siphash.h - SipHash-2-4 with a key of zeros: what ClickHouse's sipHash64 makes of one text, in
 * all its versions. */
#ifndef SMI_EXPORT_CLICKHOUSE_SIPHASH_H
#define SMI_EXPORT_CLICKHOUSE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t smi_siphash(const char *p, size_t n);

#endif
