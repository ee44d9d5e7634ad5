/* clickhouse_ledger.h - what this machine has sent to a store, in an SQLite file: of every block of rows,
 * that it is about to be sent, and that it has been stored. Who is killed between the two leaves a block of
 * which only the server knows. */
#ifndef SMI_EXPORT_CLICKHOUSE_LEDGER_H
#define SMI_EXPORT_CLICKHOUSE_LEDGER_H

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

struct smi_ledger;

/* A batch of a block. */
struct smi_ledger_batch {
    uint64_t run, batch;
    uint64_t rows;
};

/* Appends the file's name where none is given: below $XDG_STATE_HOME or ~/.local/state, one for each store.
 * store: its hosts and database. Makes the directories. Returns 0, or -1 with err. */
int smi_ledger_path(struct smi_buf *to, const char *store, struct smi_err *err);

/* Opens or makes the file, and keeps it for itself: one export to a store at a time. store: as above; a file
 * of another store is an error. Returns NULL with err. */
struct smi_ledger *smi_ledger_open(const char *path, const char *store, struct smi_err *err);
void smi_ledger_close(struct smi_ledger *l);

/* A block of n batches is about to be sent to a shard; when this returns, it is noted. */
int smi_ledger_send(struct smi_ledger *l, size_t shard, const char *id, const struct smi_ledger_batch *batch,
                    size_t n, struct smi_err *err);
/* It was stored; or, not stored, it is forgotten. */
int smi_ledger_end(struct smi_ledger *l, const char *id, bool stored, struct smi_err *err);

/* One of the blocks of which nothing is known but that they were about to be sent. Returns 1; 0: there is
 * none; or -1 with err. */
struct smi_ledger_pending {
    size_t shard;
    int64_t sent_ms; /* UTC */
    char id[64];
};
int smi_ledger_pending(struct smi_ledger *l, struct smi_ledger_pending *doubt, struct smi_err *err);

/* How many rows of a run have been stored in batches that are none of these n, sorted: what the store has
 * lost. Returns 0, or -1 with err. */
int smi_ledger_missing_rows(struct smi_ledger *l, uint64_t run, const uint64_t *batch, size_t n,
                            uint64_t *rows, struct smi_err *err);
/* A run's batches are those of the server from here on. */
int smi_ledger_forget(struct smi_ledger *l, uint64_t run, struct smi_err *err);

#endif
