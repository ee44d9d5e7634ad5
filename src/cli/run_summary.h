/* run_summary.h - the summary beside a recording. */
#ifndef SMI_CLI_RUN_SUMMARY_H
#define SMI_CLI_RUN_SUMMARY_H

#include "base/err.h"

/* Writes DIR/summary.json, beside and renamed: what `smilog summarize --json DIR` prints now. Returns 0, or
 * -1 with err. */
int smi_write_run_summary(const char *dir, struct smi_err *err);
#endif
