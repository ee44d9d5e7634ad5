/* sweep_warnings.h - what the walk says to the user, beyond the runs. */
#ifndef SMI_SWEEP_SWEEP_WARNINGS_H
#define SMI_SWEEP_SWEEP_WARNINGS_H

#include "base/buf.h"
#include "summary/partial.h"
#include "sweep/sweep.h"

/* What one would type to see run i of f alone: its file, the directory that holds its files, or its archive.
 * Kept in the arena of s; NULL for standard input, or without memory. */
const char *smi_sweep_run_path(struct smi_summary *s, const struct smi_found *f, size_t i);
/* Copies what could not be used, the notes, and what was passed over. odd: of each run, texts that each have
 * a NUL: what reading found. Returns 0, or -1 (memory). */
int smi_sweep_copy_warnings(struct smi_sweep *s, const struct smi_found *f, const struct smi_buf *odd);

/* Is d->output one of the files that were found, an archive of theirs, or a file of parameters beside them?
 * Then the output would replace it. Returns 0, or -1 with err (SMI_EUSAGE). */
int smi_sweep_check_output(const struct smi_found *f, const struct smi_discover_opts *d, struct smi_err *err);

/* What reading a run found odd about its files, each text with its NUL; headerless ones are spoken of once
 * for the whole sweep. */
void smi_sweep_append_warnings(struct smi_buf *odd, const struct smi_found_run *r, const struct smi_run *run);

/* Gives run number i of f its doubts for the partial, as smi_sweep_copy_warnings keeps them for the sweep:
 * texts, each with its NUL, of what reading found odd; and the first run those of the walk. Returns 0, or -1
 * with err (memory). */
void smi_sweep_run_warnings(struct smi_run *run, const struct smi_found *f, size_t i,
                            const struct smi_buf *odd);
/* The doubts of all runs in p as trouble and notes of s. Returns 0, or -1 (memory). */
int smi_sweep_read_warnings(struct smi_sweep *s, const struct smi_partials *p);

#endif
