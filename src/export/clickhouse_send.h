/* clickhouse_send.h - rows on their way to the shards. What waits is sent as one block a time, which a server
 * stores whole or not at all; before a block the runs that it has rows of are noted as loading, and behind it
 * those that are complete as loaded. So whoever dies in between leaves runs that say so. */
#ifndef SMI_EXPORT_CLICKHOUSE_SEND_H
#define SMI_EXPORT_CLICKHOUSE_SEND_H

#include "export/clickhouse_ledger.h"
#include "export/clickhouse_marks.h"
#include "export/clickhouse_block.h"
#include "export/clickhouse_store.h"

enum {
    SMI_CH_BLOCK_ROWS = 250000, /* about so many go at once */
    SMI_CH_BLOCK_BYTES = 64 << 20,
    SMI_CH_BATCH_ROWS = 100000, /* of a run's input */
    SMI_CH_LINES = 4000         /* runs and batches that wait at most */
};

/* A row of runs that is yet to be written. */
struct smi_ch_line {
    uint64_t run, version, samples, sum;
    char *name, *place, *leaf, *host;
    struct smi_buf sums, summary, partial;
    bool noted;    /* as loading */
    bool complete; /* all its rows wait, or are stored */
    bool removed;  /* nor has it any: it is another one's place that it had */
};

struct smi_ch_waiting {
    struct smi_ch_block block;
    int month; /* of all that it has */
    struct smi_ledger_batch *batch;
    size_t batches, batch_cap;
    struct smi_ch_line *line;
    size_t lines, line_cap;
    size_t text; /* bytes of the lines */
    struct smi_ch_keyed marks;
    struct smi_buf marked; /* the runs of which they are, or of which the table has some: "5,7" */
};

struct smi_ch_out {
    struct smi_ch_store *store;
    struct smi_ledger *ledger;
    struct smi_ch_waiting *to; /* a shard each */
    uint64_t stored;           /* rows */
    struct smi_buf heads;
    struct smi_text piece[SMI_CH_PIECES];
};

int smi_ch_out_open(struct smi_ch_out *o, struct smi_ch_store *store, struct smi_ledger *ledger,
                    struct smi_err *err);
void smi_ch_out_close(struct smi_ch_out *o); /* what still waits is forgotten */
/* Of a run that begins. */
struct smi_ch_run_words {
    const char *name, *place, *leaf, *host;
};
/* A run begins: rows that follow for its shard are its own. */
int smi_ch_out_run(struct smi_ch_out *o, uint64_t run, uint64_t version, const struct smi_ch_run_words *words,
                   struct smi_err *err);
/* Its line, until the next run begins. */
struct smi_ch_line *smi_ch_out_line(struct smi_ch_out *o, uint64_t run);
/* Writes now that it is loading. */
int smi_ch_out_mark_loading(struct smi_ch_out *o, uint64_t run, struct smi_err *err);
/* A batch of it waits, or has been sent. */
int smi_ch_out_batch(struct smi_ch_out *o, const struct smi_ch_block *rows, const struct smi_ch_batch *batch,
                     struct smi_err *err);
/* Its phases and events wait, too: all that it has. */
int smi_ch_out_marks(struct smi_ch_out *o, uint64_t run, const struct smi_export_run *r, struct smi_err *err);
/* It is complete: its line, which has all its texts, is written behind its last rows. */
int smi_ch_out_complete(struct smi_ch_out *o, uint64_t run, struct smi_err *err);
/* It is in the store as it is: its line is not written. */
void smi_ch_out_drop(struct smi_ch_out *o, uint64_t run);
/* Sends all that waits. */
int smi_ch_out_flush(struct smi_ch_out *o, struct smi_err *err);

#endif
