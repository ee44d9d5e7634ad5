/* usage_report.h - what a command used, in ten lines for people. */
#ifndef SMI_PROCESS_USAGE_REPORT_H
#define SMI_PROCESS_USAGE_REPORT_H

#include "process/tracking.h"

struct smi_tracking_text_opts {
    const char *command; /* as it was typed; any bytes */
    const char *end;     /* "exit status 0", "killed by SIGKILL" */
    const char *dir;     /* that it was recorded in, or NULL */
    bool quiet;          /* only that the recording has no GPU */
};

/* Appends the lines, safe for a terminal. Returns 0, or -1 without memory. */
void smi_tracking_text(struct smi_buf *to, const struct smi_tracking *t,
                       const struct smi_tracking_text_opts *say);

#endif
