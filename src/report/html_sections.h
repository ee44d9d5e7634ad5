/* html_sections.h - the parts of the page that stand in it as mark-up, numbered as in screens.md §9. */
#ifndef SMI_REPORT_HTML_SECTIONS_H
#define SMI_REPORT_HTML_SECTIONS_H

#include "report/html.h"

void smi_webpage_head(struct smi_html *h);     /* 1 */
void smi_webpage_waste(struct smi_html *h);    /* 2 */
void smi_webpage_findings(struct smi_html *h); /* 3 */
void smi_webpage_runs(struct smi_html *h);     /* 4 */
void smi_webpage_phases(struct smi_html *h);   /* 8 */
void smi_webpage_commands(struct smi_html *h); /* of what smilog run recorded */
void smi_webpage_doubts(struct smi_html *h);   /* 9 */
void smi_webpage_about(struct smi_html *h);    /* 10 */

#endif
