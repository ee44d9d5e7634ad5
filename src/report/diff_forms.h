/* diff_forms.h - what changed between two sweeps as a table, JSON, CSV and Markdown. */
#ifndef SMI_REPORT_DIFF_FORMS_H
#define SMI_REPORT_DIFF_FORMS_H

#include "query/diff.h"
#include "report/render_options.h"

/* All return 0, or -1 with err (memory) */

typedef int smi_diff_write_fn(struct smi_buf *to, const struct smi_diff *d,
                              const struct smi_render_options *look, struct smi_err *err);
int smi_diff_table(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look,
                   struct smi_err *err);
int smi_diff_json(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look,
                  struct smi_err *err);
int smi_diff_csv(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look,
                 struct smi_err *err);
int smi_diff_markdown(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look,
                      struct smi_err *err);

#endif
