/* chunks.h - one large log by several threads: cut at line ends, read apart, joined in order. The parts join
 * exactly (docs/numbers.md §3), so the result is the same for any number of threads and any size of chunk. */
#ifndef SMI_AGGREGATE_CHUNKS_H
#define SMI_AGGREGATE_CHUNKS_H

#include "aggregate/ingest.h"
#include "aggregate/input_stats.h"

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

#endif
