/* pytorch_log_readings.h - a usage_log.txt back into readings: every sample that a record lists, at the time
 * of the record. */
#ifndef SMI_EXPORT_PYTORCH_LOG_READINGS_H
#define SMI_EXPORT_PYTORCH_LOG_READINGS_H

#include "export/export.h"
#include "export/pytorch_usage_log.h"

/* Adds the readings and commands of an input, its GPUs and what its metadata says of the machine to m; what m
 * borrows is in room. Logs of the models 1.0 and 1.5 are understood; of records without samples the mean is
 * the sample, and the largest a peak. Returns 0, or -1 with err. */
int smi_pytorch_log_readings(struct smi_pytorch_usage_log *m, struct smi_arena *room,
                             const struct smi_export_run *r, size_t input, struct smi_err *err);

#endif
