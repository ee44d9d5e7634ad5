/* run_names.h - names of runs as people read them: what all of them begin and end with is left out. */
#ifndef SMI_SWEEP_RUN_NAMES_H
#define SMI_SWEEP_RUN_NAMES_H

#include "sweep/sweep.h"

/* Is the character at this place of a name the last of a token ("lr0.1_" of lr0.1_seed1)? No number is cut.
 */
bool smi_name_ends_token(const char *name, size_t at);
/* Fills name_prefix and name_suffix of a sweep, in whole tokens. Returns 0, or -1 without memory. */
int smi_sweep_frame_names(struct smi_sweep *s);
/* The name of a run without them, which is not empty: *n bytes. */
const char *smi_run_short_name(const struct smi_sweep *s, const char *name, size_t *n);

#endif
