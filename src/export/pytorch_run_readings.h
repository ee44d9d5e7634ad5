/* pytorch_run_readings.h - what PyTorch CI's monitor would have measured, from the logs of any run. */
#ifndef SMI_EXPORT_PYTORCH_RUN_READINGS_H
#define SMI_EXPORT_PYTORCH_RUN_READINGS_H

#include "export/export.h"
#include "export/pytorch_usage_log.h"

/* Readings, commands and all that is known of the machine go to m; what it borrows is in room. Each metric of
 * a GPU comes from one format, as in the summary (docs/numbers.md §5). What the user has to know goes to say,
 * as texts with their NUL; *doubts counts up for what is left out. Returns 0, or -1 with err: SMI_EFORMAT: no
 * reading has a known time. */
int smi_pytorch_run_readings(struct smi_pytorch_usage_log *m, struct smi_arena *room,
                             const struct smi_export_run *r, struct smi_buf *say, uint64_t *doubts,
                             struct smi_err *err);

/* The run as the user knows it: what would be typed for it, or its name. */
const char *smi_pytorch_run_name(const struct smi_export_run *r);
/* A sentence of the run for `say`: its path, and what is formatted. */
void smi_pytorch_warn(struct smi_buf *say, const struct smi_export_run *r, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
