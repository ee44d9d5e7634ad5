/* decompress.h - gzip, zstd, xz and bzip2 data to bytes, one buffer at a time. */
#ifndef SMI_BASE_DECOMPRESS_H
#define SMI_BASE_DECOMPRESS_H

#include "base/container.h"
#include "base/byte_source.h"

#include <stdint.h>

/* Bytes that nobody could mean to have. A log of repeated rows is packed 100 to 300 to one. */
enum { SMI_RATIO_MAX = 1000 };               /* expanded : packed, from SMI_RATIO_FROM on */
#define SMI_RATIO_FROM ((int64_t)1 << 30)    /* 1 GiB expanded */
#define SMI_EXPANDED_MAX ((int64_t)1 << 40)  /* 1 TiB out of one stream */
#define SMI_WINDOW_MAX ((uint64_t)136 << 20) /* memory for a dictionary of 128 MiB, and a little */

struct smi_decoder; /* opaque */

/* Decodes `from`, which is borrowed and begins with the magic of `kind` (one of the packed ones). Members
 * that follow each other (cat a.gz b.gz) are read as one; zeros behind them are no part of it. All checksums
 * are tested. Returns NULL with err (memory). */
struct smi_decoder *smi_decoder_open(enum smi_container kind, struct smi_byte_source *from,
                                     struct smi_err *err);
/* Its bytes. read fails with SMI_ELIMIT if they exceed a limit above; data that ends early or is damaged
 * ends, and leaves a doubt. */
struct smi_byte_source *smi_decoder_source(struct smi_decoder *d);
void smi_decoder_close(struct smi_decoder *d);

#endif
