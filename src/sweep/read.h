/* read.h - reads the logs of one run into its parts: the one door from files to aggregates. */
#ifndef SMI_SWEEP_READ_H
#define SMI_SWEEP_READ_H

#include "summary/run.h"
#include "discover/discover.h"

/* Reads every file of r. A file that cannot be read becomes a problem of the run, and the others go on.
 * run is initialised here; end it with smi_run_fini. Returns 0, or -1 with err (memory only). */
int smi_read_run(struct smi_run *run, const struct smi_found_run *r, const struct smi_options *o, struct smi_err *err);

#endif
