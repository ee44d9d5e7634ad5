/* ingest.h - the one door: bytes in any pieces, or a descriptor, become samples. */
#ifndef SMI_AGGREGATE_INGEST_H
#define SMI_AGGREGATE_INGEST_H

#include "base/file.h"
#include "formats/detect.h"
#include "aggregate/attribute.h"
#include "aggregate/reader_cache.h"
#include "aggregate/row_spool.h"

struct smi_ingest_opts {
    int format;                        /* smi_format_id, or -1: told by the first 64 KiB */
    const char *columns;               /* for headerless query CSV, or NULL */
    int gpu_count;                     /* GPUs of sources without a key, or 0 */
    struct smi_account *account;       /* borrowed, filled */
    struct smi_devices *devices;       /* borrowed, filled */
    struct smi_sink *to;               /* borrowed; its end is called by finish */
    bool later;                        /* a later piece of a stream */
    struct smi_reader_cache *shelf;    /* borrowed: readers come from there and go back; or NULL */
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

/* For a later piece of a stream: reads what stands in front of the first row (headers), and forgets that it
 * did. */
int smi_ingest_prime(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err);

/* Reads fd to its end through the door. name is for messages. *size: how many bytes are expected, and then,
 * how many came. hash (or NULL): the digest of the bytes. */
int smi_ingest_fd(struct smi_ingest *in, int fd, const char *name, int64_t *size, uint64_t *hash,
                  struct smi_err *err);
/* The same of a log that is in memory. */
int smi_ingest_memory(struct smi_ingest *in, const char *p, size_t n, uint64_t *hash, struct smi_err *err);

#endif
