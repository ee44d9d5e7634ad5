/* merge_partials.h - merge --partial: partial summaries to one file of them, for another merge. */
#ifndef SMI_CLI_MERGE_PARTIALS_H
#define SMI_CLI_MERGE_PARTIALS_H

#include "cli/settings.h"
#include "sweep/sweep.h"

/* Writes what is stored at the n places (export/stored.h) to -o or standard output, tells what is odd of it,
 * and returns an smi_exit. Nothing is written of what cannot be merged. */
int smi_merge_partials(const char *const *place, size_t n, const struct smi_settings *set);

#endif
