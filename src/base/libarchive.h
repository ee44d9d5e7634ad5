/* libarchive.h - libarchive, opened when the first archive is met. */
#ifndef SMI_BASE_LIBARCHIVE_H
#define SMI_BASE_LIBARCHIVE_H

#include "base/err.h"

#include <archive.h>
#include <archive_entry.h>

struct smi_libarchive {
#define SMI_LAZY(name) __typeof__(name) *name;
#include "base/libarchive.def"
#undef SMI_LAZY
};
/* Its functions: smi_la.archive_read_new(). Written once, by the first smi_libarchive_open. */
extern struct smi_libarchive smi_la;

/* Any thread. Returns 0, or -1 with err SMI_EIO where it cannot be had. */
int smi_libarchive_open(struct smi_err *err);

#endif
