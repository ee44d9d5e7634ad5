/* spill_file.h - blocks of bytes in a file of $TMPDIR that has no name: for what is too much to keep in
 * memory. */
#ifndef SMI_AGGREGATE_SPILL_FILE_H
#define SMI_AGGREGATE_SPILL_FILE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum { SMI_SPILL_BLOCK = 1 << 16 };

/* For one thread at a time. Zero-initialise: the file is made when the first block is put. */
struct smi_spill_file {
    int fd; /* once `made` */
    int made;
    uint32_t blocks; /* there are, */
    uint32_t *free;  /* of which these wait to be used again */
    size_t nfree, cap;
    struct smi_err
        err; /* the first thing that went wrong: a reader of logs may take it for the log's own trouble */
};

/* Keeps the SMI_SPILL_BLOCK bytes at p; *place is where. Returns 0, or -1 with err (the disk, memory). */
int smi_spill_file_write(struct smi_spill_file *s, const char *p, uint32_t *place, struct smi_err *err);
/* Reads them back. */
int smi_spill_file_read(const struct smi_spill_file *s, uint32_t place, char *p, struct smi_err *err);
/* Nobody wants the block any more. */
void smi_spill_file_release(struct smi_spill_file *s, uint32_t place);
void smi_spill_file_fini(struct smi_spill_file *s);

#endif
