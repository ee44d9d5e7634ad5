/* container.h - which container a file is, by its first bytes. */
#ifndef SMI_BASE_CONTAINER_H
#define SMI_BASE_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

enum smi_container {
    SMI_PLAIN, /* none of them */
    SMI_GZIP,
    SMI_ZSTD,
    SMI_XZ,
    SMI_BZIP2,
    SMI_UTF16LE, /* text, with its byte order mark */
    SMI_UTF16BE,
    SMI_TAR,
    SMI_ZIP
};

enum { SMI_MAGIC = 512 }; /* bytes that decide it */

/* n: what there is of the first SMI_MAGIC bytes. Sources: RFC 1952 §2.3.1, RFC 8878 §3.1.1 and §3.1.2, the .xz file
 * format §2.1.1.1, bzip2's "BZh1".."BZh9" and the block's pi, POSIX pax "ustar interchange format" (and the
 * checksum of the older headers), PKWARE APPNOTE §4.3.7 and §4.3.16. */
enum smi_container smi_magic(const char *p, size_t n);
/* gz, zst, xz, bz2. */
bool smi_is_packed(enum smi_container c);
/* tar, zip. */
bool smi_is_archive(enum smi_container c);
/* "gzip", "UTF-16", "tar" ...: for sentences. */
const char *smi_container_name(enum smi_container c);

#endif
