/* file_ends.h - the two ends of bytes that can only be read through, where a look at them is all that is
 * wanted. */
#ifndef SMI_BASE_FILE_ENDS_H
#define SMI_BASE_FILE_ENDS_H

#include "base/byte_source.h"

#include <stdint.h>

enum { SMI_FILE_ENDS_BYTES = 65536 + 1 }; /* bytes kept of each end: 64 KiB, and the one in front of them */

struct smi_file_ends {
    char *head,
        *tail;    /* SMI_FILE_ENDS_BYTES bytes each; of the tail, size % SMI_FILE_ENDS_BYTES is the oldest */
    int64_t size; /* bytes put so far */
};
/* Returns 0, or -1 with err (memory). */
int smi_file_ends_open(struct smi_file_ends *e, struct smi_err *err);
void smi_file_ends_add(struct smi_file_ends *e, const char *p, size_t n);
/* A file of the same size in memory, with holes (zeros) between its two ends: for code that reads at offsets.
 * Returns a descriptor to close, or -1 with err (SMI_EIO: no such file can be had). */
int smi_file_ends_make_file(const struct smi_file_ends *e, struct smi_err *err);
void smi_file_ends_fini(struct smi_file_ends *e);

#endif
