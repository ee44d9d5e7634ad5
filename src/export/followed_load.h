/* followed_load.h - the logs that `follow --store` keeps in a SQLite file, read as the files that they are
 * of. */
#ifndef SMI_EXPORT_FOLLOWED_LOAD_H
#define SMI_EXPORT_FOLLOWED_LOAD_H

#include "summary/merge_queue.h"

enum { SMI_FOLLOWED_ID = 0x534d4c47 /* "SMLG" */ };

/* Gives the partial of every run in the file at path to smi_merge_queue_add; runs are named by the
 * directories of their logs, without what all have in common. where: the place, for messages. The lines are
 * written into a directory in $TMPDIR meanwhile. Returns 0; 1: it is no such file; or -1 with err. */
int smi_followed_load(struct smi_merge_queue *to, const char *path, const char *where, struct smi_err *err);

#endif
