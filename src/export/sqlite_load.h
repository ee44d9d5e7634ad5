/* sqlite_load.h - the sweep that a SQLite file holds, for summarize, report, check and diff. */
#ifndef SMI_EXPORT_SQLITE_LOAD_H
#define SMI_EXPORT_SQLITE_LOAD_H

#include "summary/merge_queue.h"

/* Gives the partial of every run in the file to smi_merge_queue_add, in the order of names; runs of one name
 * get the place of their logs for a name. where: "sqlite:FILE". The file is only read, and may be written
 * meanwhile: all is of one moment. Returns 0, or -1 with err (SMI_EIO, SMI_EFORMAT, what smi_merge_queue_add
 * has). */
int smi_sqlite_load(struct smi_merge_queue *to, const char *where, struct smi_err *err);

#endif
