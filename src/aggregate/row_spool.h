/* row_spool.h - the rows and marks of one input, kept in their order while its aggregates are made of them,
 * to be played as often as one likes. So what is exported of a run comes from the same reading of its bytes
 * as its summary. */
#ifndef SMI_AGGREGATE_ROW_SPOOL_H
#define SMI_AGGREGATE_ROW_SPOOL_H

#include "model/sample.h"
#include "aggregate/block_list.h"

struct smi_row_spool {
    struct smi_block_list chain;
    struct smi_block_list text; /* the bytes of the input, where they are wanted */
    uint64_t rows, marks;       /* that are on it */
    uint64_t digest;            /* of the bytes that the input was read from (base/digest.h) */
    int64_t t_ms;               /* of the row before */
    unsigned n;                 /* its metrics */
    uint16_t metric[SMI_SAMPLE_MAX];
};

/* An empty one; scratch is borrowed. NULL without memory. */
struct smi_row_spool *smi_row_spool_new(struct smi_spill_file *scratch);
void smi_row_spool_free(struct smi_row_spool *t);
/* Returns 0, or -1 with err (the disk, memory). */
int smi_row_spool_add(struct smi_row_spool *t, const struct smi_sample *s, struct smi_err *err);
int smi_row_spool_add_mark(struct smi_row_spool *t, const struct smi_mark *m, struct smi_err *err);

/* What sees a tape played: rows and marks in the order in which they came, lent for the call. Of a row all is
 * as it was but fine, shared and process; of a mark kind, t_us, span_us, name and fields. Either may be NULL.
 * They return 0, or -1 with err to stop. */
struct smi_row_spool_callbacks {
    int (*row)(void *self, uint64_t ordinal, const struct smi_sample *s, struct smi_err *err);
    int (*mark)(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err);
    void *self;
};
int smi_row_spool_replay(const struct smi_row_spool *t, const struct smi_row_spool_callbacks *calls,
                         struct smi_err *err);

#endif
