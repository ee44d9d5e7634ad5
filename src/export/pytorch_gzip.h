/* pytorch_gzip.h - a gzip file in the making; the same bytes give the same file. */
#ifndef SMI_EXPORT_PYTORCH_GZIP_H
#define SMI_EXPORT_PYTORCH_GZIP_H

#include "base/file.h"

#include <zlib.h>

/* Zero-initialise. */
struct smi_pytorch_gzip {
    struct smi_file_out out;
    gzFile z;
    char *path; /* NULL: it is not open */
};

/* Begins the file at path, in directories that are made where they are not there; a file that is there
 * already and no gzip file is an error. Returns 0, or -1 with err. */
int smi_pytorch_gzip_open(struct smi_pytorch_gzip *g, const char *path, struct smi_err *err);
int smi_pytorch_gzip_put(struct smi_pytorch_gzip *g, const char *p, size_t n, struct smi_err *err);
/* keep: writes the rest, and puts the file into its place; else nothing of it is left. May be called again,
 * or without an open. Returns 0, or -1 with err. */
int smi_pytorch_gzip_close(struct smi_pytorch_gzip *g, bool keep, struct smi_err *err);

/* Makes the directories that path, of a file, lies in; the file may be there already, if it begins with
 * magic: it is of an earlier export then. Returns 0, or -1 with err. */
int smi_pytorch_prepare(const char *path, const char *magic, struct smi_err *err);

#endif
