/* svg.h - a drawing of one run, or of the GPU use of several, as one SVG file. */
#ifndef SMI_REPORT_SVG_H
#define SMI_REPORT_SVG_H

#include "report/text.h"

/* Writes it. Returns 0, or -1 with err (memory). */
int smi_write_svg(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look,
                  struct smi_err *err);
/* As smi_timelines_fn of output.h. */
size_t smi_svg_timelines(const struct smi_sweep *s, const struct smi_render_options *look, size_t *points);

#endif
