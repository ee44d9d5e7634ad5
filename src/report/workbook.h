/* workbook.h - the workbook: what runs used and wasted, for those who open spreadsheets. */
#ifndef SMI_REPORT_WORKBOOK_H
#define SMI_REPORT_WORKBOOK_H

#include "query/query.h"
#include "report/text.h"

/* Runs that get a sheet of charts; with --samples. */
enum { SMI_WORKBOOK_CHARTS = 20, SMI_WORKBOOK_CHARTS_MAX = 200 };

/* NULL; in a program that is built without libxlsxwriter (make static): a sentence that says so. */
const char *smi_workbook_unavailable(void);

/* Writes the sweep as a workbook into the file `path`, which nobody reads before it is renamed. Charts over
 * time are drawn of the runs that have a timeline. Returns 0, or -1 with err: the file is then none. */
int smi_write_workbook(const char *path, const struct smi_sweep *s, const struct smi_render_options *look,
                       struct smi_err *err);
/* The same of the rows of an answer: one sheet, numbers as --json has them. */
int smi_result_workbook(const char *path, const struct smi_result *rows,
                        const struct smi_render_options *look, struct smi_err *err);

#endif
