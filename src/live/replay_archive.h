/* replay_archive.h - the logs of an archive, for as long as they are played. */
#ifndef SMI_LIVE_REPLAY_ARCHIVE_H
#define SMI_LIVE_REPLAY_ARCHIVE_H

#include "base/buf.h"
#include "base/err.h"

/* Does path lead to or into an archive ("runs.tgz", "runs.tgz/lr=0.1/seed=1")? Then its logs are written into
 * a new directory in $TMPDIR, and *dir and *path2 become it and what path is in it (nothing is added where
 * there is no archive). Returns 0, or -1 with err; smi_replay_remove_unpacked in both cases. */
int smi_replay_unpack(struct smi_buf *dir, struct smi_buf *path2, const char *path, struct smi_err *err);
/* Removes the directory and all in it. */
void smi_replay_remove_unpacked(struct smi_buf *dir);

#endif
