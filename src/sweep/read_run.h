/* read_run.h - reads the logs of one run into its parts: the one door from files to aggregates. */
#ifndef SMI_SWEEP_READ_RUN_H
#define SMI_SWEEP_READ_RUN_H

#include "sweep/read_files.h"

/* Reads every file of r. A file that cannot be read becomes a problem of the run, and the others go on.
 * run is initialised here; end it with smi_run_fini. room: the thread's, or NULL. Returns 0, or -1 with err
 * (memory only). */
int smi_read_run(struct smi_run *run, const struct smi_found_run *r, const struct smi_options *o,
                 struct smi_read_buffers *room, struct smi_err *err);

/* The same in steps, for runs with logs in archives. begin reads all that lies outside of archives, and
 * settles the zone and the phases by what is known of the rest; run is initialised. Returns 0, or -1 with err
 * (memory), which is used by the other two as well. end has to follow in both cases. */
int smi_read_begin(struct smi_run_reader *r, struct smi_run *run, const struct smi_found_run *found,
                   const struct smi_options *o, struct smi_read_buffers *room, struct smi_err *err);
/* How many members it still waits for. */
size_t smi_read_waiting(const struct smi_run_reader *r);
/* Reads the bytes of its file number `file`, which it waits for. Returns 0, or -1 with err (memory). */
int smi_read_member(struct smi_run_reader *r, size_t file, struct smi_byte_source *from);
/* Members that did not come become problems of the run. Returns 0, or -1 with err (memory). */
int smi_read_end(struct smi_run_reader *r);

#endif
