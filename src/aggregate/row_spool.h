/* row_spool.h - bytes that are added at the end and read from the beginning, as often as one likes. What
 * fits a block stays in memory; of more, all full blocks are in a scratch file. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "model/rows.h"

#include <stddef.h>
#include <stdint.h>

/* Blocks of bytes in a file of $TMPDIR that has no name: for what is too much to keep in
 * memory. */
enum { SMI_SPILL_BLOCK = 1 << 16 };

/* For one thread at a time. Zero-initialise: the file is made when the first block is put. */
struct smi_spill_file {
    int fd; /* once `made` */
    int made;
    uint32_t blocks; /* there are, */
    uint32_t *free;  /* blocks that can be used again */
    size_t nfree, cap;
    struct smi_err
        err; /* the first thing that went wrong: a reader of logs may take it for the log's own trouble */
};
void smi_spill_file_fini(struct smi_spill_file *s);

/* Zero-initialise, then `of`. */
struct smi_block_list {
    struct smi_spill_file *of; /* borrowed */
    uint32_t *block;           /* full ones, in their order */
    size_t blocks, cap;
    char *tail; /* what is behind them: n bytes */
    size_t n, room;
};

/* Returns 0, or -1 with err (the disk): the chain can only be ended then. */
int smi_block_list_add(struct smi_block_list *c, const char *p, size_t n, struct smi_err *err);
void smi_block_list_fini(struct smi_block_list *c);

/* A place in a chain, to which nothing is added meanwhile. Zero-initialise, then `of`. */
struct smi_block_list_cursor {
    const struct smi_block_list *of;
    char *buf;     /* of the block at hand, once there was one */
    const char *p; /* what is left of it: n bytes */
    size_t next, n;
};

/* Makes n at least 1. Returns 1, 0 at the end, or -1 with err. */
int smi_block_list_more(struct smi_block_list_cursor *at, struct smi_err *err);
/* The next n bytes into p. Returns 0, or -1 with err: that they are not there, too. */
int smi_block_list_read(struct smi_block_list_cursor *at, char *p, size_t n, struct smi_err *err);
void smi_block_list_cursor_fini(struct smi_block_list_cursor *at);

/* the rows and marks of one input, kept in their order while its aggregates are made of them,
 * to be played as often as one likes. So what is exported of a run comes from the same reading of its bytes
 * as its summary. */

struct smi_row_spool {
    struct smi_block_list chain;
    struct smi_block_list text; /* the bytes of the input, where they are wanted */
    struct smi_buf record;      /* that is being made */
    uint64_t rows, marks;       /* that are on it */
    uint64_t digest;            /* of the bytes that the input was read from (base/digest.h) */
    int64_t t_ms;               /* of the row before */
    unsigned n;                 /* its metrics */
    uint16_t metric[SMI_SAMPLE_MAX];
};

/* An empty one; scratch is borrowed. */
struct smi_row_spool *smi_row_spool_new(struct smi_spill_file *scratch);
void smi_row_spool_free(struct smi_row_spool *t);
/* Adds row i of r. Returns 0, or -1 with err (the disk). */
int smi_row_spool_add(struct smi_row_spool *t, const struct smi_rows *r, unsigned i, struct smi_err *err);
int smi_row_spool_add_mark(struct smi_row_spool *t, const struct smi_mark *m, struct smi_err *err);

/* What sees a tape played: rows, each without its readings, which are v, and marks, in the order in which
 * they came, lent for the call. Of a row all is as it was but fine, shared and process; of a mark kind, t_us,
 * span_us, name and fields. Either may be NULL. They return 0, or -1 with err to stop. */
struct smi_row_spool_callbacks {
    int (*row)(void *self, uint64_t ordinal, const struct smi_rows *r, const int64_t *v, struct smi_err *err);
    int (*mark)(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err);
    void *self;
};
int smi_row_spool_replay(const struct smi_row_spool *t, const struct smi_row_spool_callbacks *calls,
                         struct smi_err *err);
