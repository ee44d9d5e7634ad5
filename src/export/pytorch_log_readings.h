/* pytorch_log_readings.h - a usage_log.txt back into readings: every sample that a record lists, at the time
 * of the record. */
#ifndef SMI_EXPORT_PYTORCH_LOG_READINGS_H
#define SMI_EXPORT_PYTORCH_LOG_READINGS_H

#include "export/pytorch_usage_log.h"

struct smi_pytorch_log_readings; /* opaque */

/* Readings and commands go to made, which is borrowed; so does what the metadata says of the machine; at the
 * end, the GPUs. Logs of the models 1.0 and 1.5 are understood; of records without samples the mean is the
 * sample, and the largest a peak. NULL with err (memory). */
struct smi_pytorch_log_readings *smi_pytorch_log_readings_open(struct smi_pytorch_usage_log *made,
                                                               struct smi_err *err);
/* Takes the next n bytes. Returns 0, or -1 with err. */
int smi_pytorch_log_readings_feed(struct smi_pytorch_log_readings *l, const char *p, size_t n,
                                  struct smi_err *err);
/* The log has ended. What made has of it lives as long as l. */
int smi_pytorch_log_readings_end(struct smi_pytorch_log_readings *l, struct smi_err *err);
void smi_pytorch_log_readings_free(struct smi_pytorch_log_readings *l);

#endif
