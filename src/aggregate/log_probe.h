/* log_probe.h - reads pieces of a log only to learn about its rows; nothing counts them. */
#ifndef SMI_AGGREGATE_LOG_PROBE_H
#define SMI_AGGREGATE_LOG_PROBE_H

#include "aggregate/ingest.h"

/* Members behind the reader: what the rows told so far. */
struct smi_log_probe {
    struct smi_sink sink;
    struct smi_account account;
    struct smi_devices devices;
    struct smi_reader_cache *cache; /* borrowed, or NULL */
    struct smi_reader *reader;
    int format;
    char *buf; /* as many bytes as were asked for */
    size_t rows;
    bool row;              /* a row came since this was cleared */
    bool timed;            /* the same, of one with a time */
    bool hard;             /* a boundary stands in front of the next row */
    bool untimed, keyless; /* some row is */
    int64_t t_ms[SMI_BURST_PLAN_ROWS], first_ms,
        last_ms;                        /* times of the first rows; of the first and the last one */
    bool boundary[SMI_BURST_PLAN_ROWS]; /* in front of the first rows */
    bool has_time;
};

/* o: format, columns and shelf count. Returns 0, or -1 with err (memory); end it with smi_log_probe_close in
 * both cases. */
int smi_log_probe_open(struct smi_log_probe *p, const struct smi_ingest_opts *o, size_t room,
                       struct smi_err *err);
int smi_log_probe_feed(struct smi_log_probe *p, const char *bytes, size_t n, struct smi_err *err);
void smi_log_probe_close(struct smi_log_probe *p);

#endif
