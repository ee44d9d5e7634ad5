/* block_list.h - bytes that are added at the end and read from the beginning, as often as one likes. What
 * fits a block stays in memory; of more, all full blocks are in a scratch file. */
#ifndef SMI_AGGREGATE_BLOCK_LIST_H
#define SMI_AGGREGATE_BLOCK_LIST_H

#include "base/err.h"

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

/* Returns 0, or -1 with err (the disk, memory): the chain can only be ended then. */
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

#endif
