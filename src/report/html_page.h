/* html_page.h - the page: one file that a browser opens without a network. */
#ifndef SMI_REPORT_HTML_PAGE_H
#define SMI_REPORT_HTML_PAGE_H

#include "report/text.h"
#include "sweep/sweep.h"

/* Writes the page. Sections 1-4, 9 and 10 are plain HTML, which is all that is seen on paper and without
 * scripts; the data of everything else is JSON in script elements that are no scripts. Texts of logs are safe
 * (smi_fmt_safe) and escaped. Returns 0, or -1 with err (memory). */
int smi_write_html(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look,
                   struct smi_err *err);

#endif
