/* ingest.h - the one door: bytes in any pieces, or a descriptor, become samples. */
#pragma once

#include "aggregate/input_stats.h"
#include "aggregate/row_spool.h"
#include "base/file.h"
#include "formats/format.h"
#include "model/device.h"
#include "model/line_account.h"
#include "model/rows.h"

/* ---- which GPU a row without a key is about (docs/numbers.md §5): a sink in front of another. The first
 * 256 timed rows are kept back until a plan is made; then every burst of the plan's size is GPUs 0, 1, 2,
 * ---- */

enum { SMI_BURST_PLAN_ROWS = 256, SMI_BURST_MAX = SMI_KEYLESS_GPUS_MAX };

/* What the times of the first rows tell. */
struct smi_burst_plan {
    enum { SMI_BURST_PLAN_ONE, SMI_BURST_PLAN_BURSTS, SMI_BURST_PLAN_UNDECIDED } kind;
    int size;     /* rows of a burst: the number of GPUs */
    bool by_time; /* a row begins a new burst iff its distance x (ms) to the row before: x < 0 or x * x > a *
                     b */
    int64_t a, b;
};

/* The plan for n rows at t[0 ... n - 1] (ms; NULL: the source has no times); hard[i] says that a boundary
 * stands in front of row i. want: --gpu-count, or 0. Pure. */
struct smi_burst_plan smi_burst_plan_make(const int64_t *t, const bool *hard, size_t n, int want);

struct smi_attribute; /* opaque */

/* to, devices and account are borrowed; plan: made already (a later piece of a stream), or NULL. */
struct smi_attribute *smi_attribute_new(struct smi_sink *to, struct smi_devices *devices,
                                        struct smi_account *account, int gpu_count,
                                        const struct smi_burst_plan *plan);
/* The sink for a reader: rows with a key pass straight through. `end` must be called. */
struct smi_sink *smi_attribute_sink(struct smi_attribute *a);
/* Makes the plan with the rows that wait for it, if any do: for logs that grow. Returns 0, or -1 with err. */
int smi_attribute_decide(struct smi_attribute *a, struct smi_err *err);
/* No more is expected for now: makes the plan, if enough rows wait for it, and sends the burst on that waits
 * for the row behind it, if it is whole. Returns 0, or -1 with err. */
int smi_attribute_settle(struct smi_attribute *a, struct smi_err *err);
void smi_attribute_free(struct smi_attribute *a);

struct smi_ingest_opts {
    int format;                        /* smi_format_id, or -1: told by the first 64 KiB */
    const char *columns;               /* for headerless query CSV, or NULL */
    int gpu_count;                     /* GPUs of sources without a key, or 0 */
    struct smi_account *account;       /* borrowed, filled */
    struct smi_devices *devices;       /* borrowed, filled */
    struct smi_sink *to;               /* borrowed; its end is called by finish */
    bool later;                        /* a later piece of a stream */
    const struct smi_burst_plan *plan; /* for a later piece of a stream: the plan of its beginning; or NULL */
    struct smi_block_list *copy;       /* borrowed, or NULL: the bytes are added to it, */
    uint64_t copied;                   /* if this has the bit of their format */
};

struct smi_ingest; /* opaque */

struct smi_ingest *smi_ingest_open(const struct smi_ingest_opts *o);
/* Returns 0, or -1 with err: SMI_EFORMAT if the bytes are no known log. */
int smi_ingest_feed(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err);
int smi_ingest_finish(struct smi_ingest *in, struct smi_err *err);
int smi_ingest_format(const struct smi_ingest *in); /* -1: not known yet */
/* Rows that wait until it is clear how many GPUs there are go on: with what is known now. Returns 0, or -1
 * with err. */
int smi_ingest_decide(struct smi_ingest *in, struct smi_err *err);
/* As smi_attribute_settle. */
int smi_ingest_settle(struct smi_ingest *in, struct smi_err *err);
enum smi_time_base smi_ingest_base(const struct smi_ingest *in);
void smi_ingest_close(struct smi_ingest *in);

/* Reads a log that is in memory. hash (or NULL): the digest of the bytes. */
int smi_ingest_memory(struct smi_ingest *in, const char *p, size_t n, uint64_t *hash, struct smi_err *err);

/* ---- reads pieces of a log only to learn about its rows; nothing counts them. ---- */

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
 * or 0, or -1 where it has no two rows. */
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
