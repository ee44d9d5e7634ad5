/* html.h - the page: one file that a browser opens without a network (screens.md §9). */
#ifndef SMI_HTML_HTML_H
#define SMI_HTML_HTML_H

#include "sweep/sweep.h"
#include "page/words.h"

enum {
    SMI_HTML_BYTES = 5000000,   /* contract §4.2: of a page at most, unless look->samples lifts it */
    SMI_HTML_RUNS = 12000,      /* beyond them only those that wasted most have a row */
    SMI_HTML_STATIC_ROWS = 500, /* rows of the table that stands in the page itself */
    SMI_HTML_TEXT = 160         /* columns of one name or text */
};

/* As smi_timelines_fn of output.h: as many as there may be room for. */
size_t smi_html_timelines(const struct smi_sweep *s, const struct smi_look *look, size_t *points);

/* Writes the page. Sections 1-4, 9 and 10 are plain HTML, which is all that is seen on paper and without scripts; the
 * data of everything else is JSON in script elements that are no scripts. Texts of logs are safe (smi_page_safe) and
 * escaped. Returns 0, or -1 with err (memory). */
int smi_write_html(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look, struct smi_err *err);

#endif
