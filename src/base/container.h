/* container.h - which container a file is, by its first bytes. */
#ifndef SMI_BASE_CONTAINER_H
#define SMI_BASE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

enum smi_container {
    SMI_CONTAINER_PLAIN, /* none of them */
    SMI_CONTAINER_GZIP,
    SMI_CONTAINER_ZSTD,
    SMI_CONTAINER_XZ,
    SMI_CONTAINER_BZIP2,
    SMI_CONTAINER_UTF16LE, /* text, with its byte order mark */
    SMI_CONTAINER_UTF16BE,
    SMI_CONTAINER_WANDB, /* a run of Weights & Biases */
    SMI_CONTAINER_TAR,
    SMI_CONTAINER_ZIP
};

enum { SMI_CONTAINER_MAGIC = 512 }; /* bytes that decide it */

/* n: what there is of the first SMI_CONTAINER_MAGIC bytes. Sources: RFC 1952 §2.3.1, RFC 8878 §3.1.1 and
 * §3.1.2, the .xz file format §2.1.1.1, bzip2's "BZh1".."BZh9" and the block's pi, POSIX pax "ustar
 * interchange format" (and the checksum of the older headers), PKWARE APPNOTE §4.3.7 and §4.3.16. */
enum smi_container smi_container_detect(const char *p, size_t n);
/* gz, zst, xz, bz2. */
bool smi_container_is_packed(enum smi_container c);
/* tar, zip. */
bool smi_container_is_archive(enum smi_container c);
/* "gzip", "UTF-16", "tar" ...: for sentences. */
const char *smi_container_name(enum smi_container c);

#endif
