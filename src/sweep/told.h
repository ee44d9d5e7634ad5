/* told.h - what the walk says to the user, beyond the runs. */
#ifndef SMI_SWEEP_TOLD_H
#define SMI_SWEEP_TOLD_H

#include "sweep/sweep.h"

/* What one would type to see run i of f alone: its file, the directory that holds its files, or its archive. Kept in the
 * arena of s; NULL for standard input, or without memory. */
const char *smi_path_of(struct smi_summary *s, const struct smi_found *f, size_t i);
/* Copies the notes, and what was passed over. Returns 0, or -1 (memory). */
int smi_sweep_told(struct smi_sweep *s, const struct smi_found *f);

#endif
