/* clickhouse_ledger_pending.h - the ledger of a store, when it is known what became of all that it doubts. */
#ifndef SMI_EXPORT_CLICKHOUSE_LEDGER_PENDING_H
#define SMI_EXPORT_CLICKHOUSE_LEDGER_PENDING_H

#include "export/clickhouse_store.h"
#include "export/clickhouse_ledger.h"

/* file: or NULL, below the user's home. Waits for what an export that died has left under way. Returns NULL
 * with err. */
struct smi_ledger *smi_ch_ledger(struct smi_ch_store *store, const char *file, struct smi_err *err);

#endif
