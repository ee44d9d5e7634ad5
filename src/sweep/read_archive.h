/* read_archive.h - the runs in archives: each archive is read once, whatever the order of its members. */
#ifndef SMI_SWEEP_READ_ARCHIVE_H
#define SMI_SWEEP_READ_ARCHIVE_H

#include "sweep/read_run.h"

/* Called for a run when the last of its logs was read; number: its place in found->run. It takes what it
 * wants of run, which is ended by the caller. Returns 0, or -1 with err to stop. */
typedef int smi_run_fn(void *self, size_t number, struct smi_run *run, struct smi_err *err);

/* Reads all runs of one unit (smi_found_run.unit). The runs that are begun and not done are in memory at a
 * time: one or a few, where the logs of a run stand together in the archive, as tar and zip put them. Returns
 * 0, or -1 with err. */
int smi_read_archives(const struct smi_found *found, size_t unit, const struct smi_options *o, smi_run_fn *fn,
                      void *self, struct smi_err *err);

#endif
