/* check_forms.h - the verdicts of a check as text, JSON, JUnit XML and GitHub annotations. */
#ifndef SMI_REPORT_CHECK_FORMS_H
#define SMI_REPORT_CHECK_FORMS_H

#include "query/check.h"
#include "report/render_options.h"

/* All return 0, or -1 with err (memory) */

typedef int smi_check_write_fn(struct smi_buf *to, const struct smi_check *c,
                               const struct smi_render_options *look, struct smi_err *err);
int smi_check_text(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look,
                   struct smi_err *err);
/* Its last line alone. */
int smi_check_last_line(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look,
                        struct smi_err *err);
int smi_check_json(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look,
                   struct smi_err *err);
int smi_check_junit(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look,
                    struct smi_err *err);
int smi_check_github(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look,
                     struct smi_err *err);

#endif
