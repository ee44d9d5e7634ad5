/* rows.h - many plain rows at once, column by column: what the fast road of a reader hands on. The same rows
 * one by one through smi_sink.take give the same result to the last digit; a block is only cheaper. */
#ifndef SMI_MODEL_ROWS_H
#define SMI_MODEL_ROWS_H

#include "model/sample.h"

enum {
    SMI_ROWS_MAX = 4096,
    SMI_ROWS_STRIDE = SMI_ROWS_MAX + 8, /* a kernel may write a few numbers too many */
    SMI_ROWS_COLUMNS = 64
};

/* n rows of one shape: every row has a reading of every metric. Lent for the duration of the call. A reading
 * is u * scale millionths; columns stand SMI_ROWS_STRIDE apart. */
struct smi_rows {
    unsigned n;             /* rows, at most SMI_ROWS_MAX */
    unsigned metrics;       /* columns, 1 to SMI_ROWS_COLUMNS */
    const uint16_t *metric; /* their catalogue ids, each once */
    const int64_t *scale;   /* millionths in one unit of u, by column */
    const int32_t *u;       /* column c, row i: u[c * SMI_ROWS_STRIDE + i], not negative; u * scale < 2^43 */
    const int64_t *t_ms;    /* n times, if timed */
    const int *who;         /* n device numbers or SMI_DEVICE_*; NULL: all are SMI_DEVICE_KEYLESS */
    uint64_t same;          /* bit c: column c has one and the same reading in all rows; 0 if nobody looked */
    bool timed, fine;
};

/* Row i as a sample. v has room for r->metrics readings and is lent by it. */
struct smi_sample smi_rows_sample(const struct smi_rows *r, unsigned i, int64_t *v);
/* The rows from ... from + n - 1 of r, with who of their own (or NULL to keep r's). */
struct smi_rows smi_rows_part(const struct smi_rows *r, unsigned from, unsigned n, const int *who);

#endif
