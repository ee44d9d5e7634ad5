/* row_count.h - how many rows each device of a log has: known before the first of them is given a time. */
#ifndef SMI_AGGREGATE_ROW_COUNT_H
#define SMI_AGGREGATE_ROW_COUNT_H

#include "aggregate/ingest.h"

struct smi_row_count {
    struct smi_sink sink;
    struct smi_account account;
    struct smi_devices devices;
    int64_t *rows; /* by device, two in front: rows of no device, rows of the host */
    size_t n, cap;
    bool timed; /* some row has a time of its own */
};

/* Readies c, and lets o (format, columns and gpu_count are the caller's) feed it. End with
 * smi_row_count_fini. */
void smi_row_count_init(struct smi_row_count *c, struct smi_ingest_opts *o);
void smi_row_count_fini(struct smi_row_count *c);

#endif
