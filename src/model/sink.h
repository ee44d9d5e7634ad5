/* sink.h - where blocks of rows and marks go. Embed as the first member of your own struct. */
#ifndef SMI_MODEL_SINK_H
#define SMI_MODEL_SINK_H

#include "base/err.h"
#include "model/rows.h"

/* All functions return 0, or -1 with err to stop. */
struct smi_sink {
    int (*rows)(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err);
    int (*mark)(struct smi_sink *self, const struct smi_mark *m,
                struct smi_err *err);                       /* NULL: not interested */
    int (*end)(struct smi_sink *self, struct smi_err *err); /* NULL or: after the last one */
};

/* Passes one row as a block of one. Returns what the sink returns. */
int smi_sink_row(struct smi_sink *to, const struct smi_sample *s, struct smi_err *err);

/* For sinks that look at one row after the other: calls fn with self for each row of the block, until it
 * returns -1. */
typedef int smi_row_fn(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err);
int smi_rows_each(const struct smi_rows *r, smi_row_fn *fn, struct smi_sink *self, struct smi_err *err);

#endif
