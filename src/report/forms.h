/* forms.h - the verdicts of a check as text, JSON, JUnit XML and GitHub annotations; what changed between two
 * sweeps as a table, JSON, CSV and Markdown. */
#ifndef SMI_REPORT_FORMS_H
#define SMI_REPORT_FORMS_H

#include "query/check.h"
#include "query/diff.h"
#include "report/render_options.h"

/* All return 0, or -1 with err (memory). */
typedef void smi_check_write_fn(struct smi_buf *to, const struct smi_check *c,
                                const struct smi_render_options *look);
smi_check_write_fn smi_check_text, smi_check_json, smi_check_junit, smi_check_github;
smi_check_write_fn smi_check_last_line; /* of the text, alone */

typedef void smi_diff_write_fn(struct smi_buf *to, const struct smi_diff *d,
                               const struct smi_render_options *look);
/* Runs in an smi_state. */
size_t smi_diff_count_state(const struct smi_sweep *s, int state);
smi_diff_write_fn smi_diff_table, smi_diff_json, smi_diff_csv, smi_diff_markdown;

#endif
