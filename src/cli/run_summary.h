/* run_summary.h - the summary beside a recording. */
#ifndef SMI_CLI_RUN_SUMMARY_H
#define SMI_CLI_RUN_SUMMARY_H

#include "live/live.h"

/* Writes DIR/summary.json, beside and renamed: what `smilog summarize --json DIR` prints now. Returns 0, or
 * -1 with err. */
int smi_write_run_summary(const char *dir, struct smi_err *err);
/* The same of a recording that goes on, so that a kill without notice leaves one; a failure becomes an event.
 * Returns when it is wanted next, in monotonic milliseconds. */
int64_t smi_refresh_run_summary(const char *dir, struct smi_live *live, int64_t now_ms);
enum { SMI_RUN_SUMMARY_MS = 30000 /* from one to the next, at least */ };

#endif
