/* time_range_probe.h - what the two ends of a log tell of its times, without reading it all. */
#ifndef SMI_AGGREGATE_TIME_RANGE_PROBE_H
#define SMI_AGGREGATE_TIME_RANGE_PROBE_H

#include "aggregate/ingest.h"

struct smi_time_range_probe {
    bool utc;     /* its times are known to be UTC */
    bool elapsed; /* or since its beginning */
    bool timed;   /* both ends gave a time: */
    int64_t first_ms, last_ms;
};

/* Looks at the ends of a log: SMI_TIME_RANGE_PROBE_BYTES bytes, and more where its last rows have a header
 * of their own in front of these. o: format, columns and
 * gpu_count count. times: whether first and last are wanted. What cannot be told is left zero. Returns 0; 1:
 * the log could not be read; -1 with err (memory). */
enum { SMI_TIME_RANGE_PROBE_BYTES = 65536 };
int smi_time_range_probe(struct smi_time_range_probe *g, const struct smi_file_view *log,
                         const struct smi_ingest_opts *o, bool times, struct smi_err *err);
/* The interval at which it was sampled, from its first SMI_TIME_RANGE_PROBE_BYTES bytes: *ms is the median,
 * or 0. Returns 0, or -1 with err (memory). */
int smi_interval_probe(const struct smi_file_view *log, const struct smi_ingest_opts *o, int64_t *ms,
                       struct smi_err *err);

#endif
