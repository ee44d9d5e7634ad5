/* chunks.h - reads pieces of a log only to learn about its rows; nothing counts them. */
#pragma once

#include "aggregate/ingest.h"
#include "aggregate/input_stats.h"

/* ---- what the two ends of a log tell of its times, without reading it all ---- */

struct smi_time_range_probe {
    bool utc;     /* its times are known to be UTC */
    bool elapsed; /* or since its beginning */
    bool timed;   /* both ends gave a time: */
    int64_t first_ms, last_ms;
};

/* Looks at the ends of a log: SMI_TIME_RANGE_PROBE_BYTES bytes, and more where its last rows have a header
 * of their own in front of these. o: format, columns and
 * gpu_count count. times: whether first and last are wanted. What cannot be told is left zero. */
enum { SMI_TIME_RANGE_PROBE_BYTES = 65536 };
void smi_time_range_probe(struct smi_time_range_probe *g, const struct smi_file_view *log,
                          const struct smi_ingest_opts *o, bool times);
/* The interval at which it was sampled, from its first SMI_TIME_RANGE_PROBE_BYTES bytes: *ms is the median,
 * or 0. */
void smi_interval_probe(const struct smi_file_view *log, const struct smi_ingest_opts *o, int64_t *ms);

/* one large log by several threads: cut at line ends, read apart, joined in order. The parts join
 * exactly (docs/numbers.md §3), so the result is the same for any number of threads and any size of chunk. */

/* How a log is to be read. */
struct smi_chunks {
    int fd;
    int64_t size;                  /* of the regular file behind fd */
    const char *name;              /* for messages */
    const char *shown;             /* the parts' path */
    struct smi_ingest_opts ingest; /* format, columns, gpu_count; the rest is filled here */
    struct smi_device_stats_opts track;
    struct smi_local_clock_opts wall;
    unsigned threads; /* pieces, each read by a thread of its own */
};

/* Reads the log in c->threads pieces into *out. Returns 1; 0 if the log cannot be cut (then nothing was made:
 * read it in one piece); -1 with err. */
int smi_chunks_read(const struct smi_chunks *c, struct smi_input_stats **out, struct smi_err *err);
