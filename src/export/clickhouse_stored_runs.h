/* clickhouse_stored_runs.h - what a store has of runs: the truth that a ledger can only guess. */
#ifndef SMI_EXPORT_CLICKHOUSE_STORED_RUNS_H
#define SMI_EXPORT_CLICKHOUSE_STORED_RUNS_H

#include "base/mem.h"
#include "export/clickhouse_store.h"

/* The newest row of a run. */
struct smi_ch_stored_run {
    uint64_t run, version, sum, samples;
    uint64_t marks; /* rows of marks that are there */
    const char *name, *place, *leaf, *host;
    bool loaded, removed;
};

/* All runs of a shard, by run. Zero-initialise; ends with smi_ch_stored_runs_fini. */
struct smi_ch_stored_runs {
    struct smi_arena arena;
    struct smi_ch_stored_run *list;
    size_t n, cap;
};
int smi_ch_stored_runs(struct smi_ch_stored_runs *k, struct smi_ch_shard *s, struct smi_err *err);
void smi_ch_stored_runs_fini(struct smi_ch_stored_runs *k);
/* NULL: the run is not known. */
const struct smi_ch_stored_run *smi_ch_stored_run(const struct smi_ch_stored_runs *k, uint64_t run);

/* Rows of one run and input that were stored at once. */
struct smi_ch_stored_batch {
    const char *input;
    uint64_t batch, first, end, rows;
    uint64_t there; /* how many rows of it the store has: as many as it has, or something went wrong */
    bool met;       /* for the caller */
};
/* By input, then first. Zero-initialise; ends with smi_ch_batches_fini. */
struct smi_ch_batches {
    struct smi_arena arena;
    struct smi_ch_stored_batch *list;
    size_t n, cap;
};
int smi_ch_batches(struct smi_ch_batches *b, struct smi_ch_shard *s, uint64_t run, struct smi_err *err);
void smi_ch_batches_fini(struct smi_ch_batches *b);

/* Takes batches of a run that have not been met out of the store, and waits until they are. */
int smi_ch_batches_delete(const struct smi_ch_batches *b, struct smi_ch_shard *s, uint64_t run,
                          struct smi_err *err);

#endif
