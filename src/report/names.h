/* names.h - names made shorter, all together, so that they stay different. */
#ifndef SMI_REPORT_NAMES_H
#define SMI_REPORT_NAMES_H

#include "report/text.h"

/* The name of a run, safe to print: in a window, page or workbook without what the names of all runs of the
 * sweep begin and end with. */
const char *smi_fmt_run(struct smi_text_arena *g, const char *run);
/* "run-2026_…/files": what smi_fmt_run left out; NULL: nothing. */
const char *smi_names_frame(struct smi_text_arena *g);
/* Leaves out the tokens (sweep/run_names.h) that are the same in all n names: "lr=0.1/…/seed3". Whether there
 * were any. */
bool smi_names_elide(struct smi_text_arena *g, const char **name, size_t n);
/* Shortens n texts in place to width columns, keeping what tells them apart. */
void smi_names_shorten(struct smi_text_arena *g, const char **name, size_t n, int width);
/* The least width, from `least` on, in which what tells them apart is kept; `least` if it is not in `most`.
 */
int smi_names_least_width(struct smi_text_arena *g, const char *const *name, size_t n, int least, int most);

#endif
