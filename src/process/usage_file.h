/* usage_file.h - gpu_tracker's tracking file while it is written: what never changes, then a row an instant,
 * as CSV or in the tables static_data and data of SQLite, told by the ending .csv or .sqlite. */
#ifndef SMI_PROCESS_USAGE_FILE_H
#define SMI_PROCESS_USAGE_FILE_H

#include "live/append.h"
#include "process/usage.h"

struct smi_usage_file {
    char *path; /* NULL: not open */
    struct smi_usage_machine machine;
    struct smi_usage_units units;
    struct smi_buf head, line; /* head: what a CSV begins with */
    struct smi_append to;      /* of a database: only to know whether it is still there */
    struct sqlite3 *db;
    struct sqlite3_stmt *insert;
};

/* Begins the file. One that is there is refused, or with overwrite replaced if it is a regular file. Returns
 * 0, or -1 with err: SMI_EUSAGE (another ending), SMI_EIO; close it in any case. */
int smi_usage_file_open(struct smi_usage_file *f, const char *path, bool overwrite,
                        const struct smi_usage_machine *m, const struct smi_usage_units *units,
                        struct smi_err *err);
/* Appends a row: it is in the file, whole, when this returns. What is not known is an empty cell, or NULL. A
 * file that was deleted, renamed or truncated meanwhile is begun again (f->to.renewed). Returns 0, or -1 with
 * err; no part of a row stays. */
int smi_usage_file_add(struct smi_usage_file *f, const struct smi_usage_sample *s, struct smi_err *err);
/* Returns 0, or -1 with err. A file that is all zeros, or was never open, is closed already. */
int smi_usage_file_close(struct smi_usage_file *f, struct smi_err *err);

#endif
