/* sweep_private.h - what is made of the summaries of a sweep, however they came. */
#ifndef SMI_SWEEP_SWEEP_PRIVATE_H
#define SMI_SWEEP_SWEEP_PRIVATE_H

#include "base/buf.h"
#include "summary/run.h"
#include "sweep/sweep.h"

/* Appends the text that o makes of a summary, which is brief from here on. Returns 0, or -1 with err
 * (memory). */
void smi_sweep_text(struct smi_summary *s, const struct smi_options *o, struct smi_buf *to);
/* A copy without a byte too many: there are thousands of them. NULL without memory. */
char *smi_sweep_copy(const struct smi_buf *b);
/* Fills title and paths. Returns 0, or -1 without memory. */
void smi_sweep_title(struct smi_sweep *s, const char *const *path, size_t n);
/* Adds all runs up. grid: somebody will look at the parameters side by side. Returns 0, or -1 with err
 * (memory). */
void smi_sweep_finish(struct smi_sweep *s, bool grid);

#endif
