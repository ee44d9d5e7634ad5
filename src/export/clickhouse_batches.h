/* clickhouse_batches.h - the rows of a run cut into batches: where those end that a store has, and then after
 * so many rows. */
#ifndef SMI_EXPORT_CLICKHOUSE_BATCHES_H
#define SMI_EXPORT_CLICKHOUSE_BATCHES_H

#include "base/json.h"
#include "export/clickhouse_stored_runs.h"
#include "export/clickhouse_block.h"
#include "export/export.h"

/* A batch. rows: it is known (and not NULL: by this), or new. Returns 0, or -1 with err. */
typedef int smi_ch_batch_fn(void *self, const struct smi_ch_batch *batch, const struct smi_ch_block *rows,
                            struct smi_ch_stored_batch *known, struct smi_err *err);

struct smi_ch_batches_make {
    const struct smi_export_run *r;
    uint64_t run;
    struct smi_ch_batches *known;
    smi_ch_batch_fn *batch;
    void *self;
    struct smi_buf
        *sums; /* or NULL; gets JSON: of each input and metric the count and the sum of its readings */
    struct smi_ch_block *room; /* rows that are gathered: empty before and behind it */
};

/* What a run calls input i: its path, the second of one path "path#2". Takes the place of what the buffer
 * has. */
void smi_ch_input_name(struct smi_buf *to, const struct smi_export_run *r, size_t i);
/* All batches of the run, in their order. Returns 0, or -1 with err. */
int smi_ch_batches_make(const struct smi_ch_batches_make *c, struct smi_err *err);

#endif
