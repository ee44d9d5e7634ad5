/* html_sections.h - the parts of the page that stand in it as mark-up. */
#ifndef SMI_REPORT_HTML_SECTIONS_H
#define SMI_REPORT_HTML_SECTIONS_H

#include "report/html.h"

void smi_html_section_head(struct smi_html_page *h);     /* 1 */
void smi_html_section_waste(struct smi_html_page *h);    /* 2 */
void smi_html_section_findings(struct smi_html_page *h); /* 3 */
void smi_html_section_runs(struct smi_html_page *h);     /* 4 */
void smi_html_section_phases(struct smi_html_page *h);   /* 8 */
void smi_html_section_commands(struct smi_html_page *h); /* of what smilog run recorded */
void smi_html_section_warnings(struct smi_html_page *h); /* 9 */
void smi_html_section_about(struct smi_html_page *h);    /* 10 */

#endif
