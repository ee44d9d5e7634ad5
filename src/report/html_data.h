/* html_data.h - what the scripts of the page read (web/data.js): JSON in script elements that are no scripts.
 */
#ifndef SMI_REPORT_HTML_DATA_H
#define SMI_REPORT_HTML_DATA_H

#include "report/html.h"

void smi_html_data_table(struct smi_html_page *h); /* of all runs: the rows, the shapes, the groups */
/* What is known of single runs, an element each, most waste first, as far as there is room. */
void smi_html_data_runs(struct smi_html_page *h);

/* As smi_timelines_fn of output.h: as many as there may be room for. */
size_t smi_html_data_timelines(const struct smi_sweep *s, const struct smi_render_options *look,
                               size_t *points);

#endif
