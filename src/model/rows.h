/* rows.h - a block of rows, column by column: the only way in which readings travel from a reader to a sink.
 * A reader with one row passes a block of one (sink.h). */
#ifndef SMI_MODEL_ROWS_H
#define SMI_MODEL_ROWS_H

#include "model/sample.h"

enum {
    SMI_ROWS_MAX = 4096,
    SMI_ROWS_STRIDE = SMI_ROWS_MAX + 8, /* a kernel may write a few numbers too many */
    SMI_ROWS_COLUMNS = 64               /* of a packed block; others have up to SMI_SAMPLE_MAX */
};

/* n rows of one shape: every row has a reading of every metric. Lent for the duration of the call. Readings
 * are packed (u, scale: a reading is u * scale millionths, columns stand SMI_ROWS_STRIDE apart) or whole (v,
 * row by row). */
struct smi_rows {
    unsigned n;             /* rows, at most SMI_ROWS_MAX */
    unsigned metrics;       /* columns; 0 only in rows about processes */
    const uint16_t *metric; /* their catalogue ids, each once */
    const int32_t
        *u; /* packed: column c, row i is u[c * SMI_ROWS_STRIDE + i], not negative; u * scale < 2^43 */
    const int64_t *scale; /* packed: millionths in one unit of u, by column */
    const int64_t *v;     /* u is NULL: column c, row i is v[i * metrics + c], in millionths */
    const int64_t *t_ms;  /* n times, or NULL; they count only if timed */
    const int *who;       /* n device numbers or SMI_DEVICE_*; NULL: all are SMI_DEVICE_KEYLESS */
    const struct smi_process
        *process; /* n processes that the rows are about; NULL: they are about devices as a whole */
    bool timed, fine;
    bool shared; /* as smi_sample.shared, of all rows */
    bool begins; /* as smi_sample.begins, of the only row */
    int aside;   /* the same of smi_sample.aside */
};

/* A block of this row, which it borrows. */
struct smi_rows smi_rows_of(const struct smi_sample *s);
/* Row i as a sample. v has room for SMI_ROWS_COLUMNS readings; a sample of a packed block borrows it. */
struct smi_sample smi_rows_sample(const struct smi_rows *r, unsigned i, int64_t *v);
/* The rows from ... from + n - 1 of r, with who of their own (or NULL to keep r's). */
struct smi_rows smi_rows_part(const struct smi_rows *r, unsigned from, unsigned n, const int *who);

#endif
