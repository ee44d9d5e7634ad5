/* match_device.h - which GPU of a summary a device of one of its logs is. */
#ifndef SMI_SWEEP_MATCH_DEVICE_H
#define SMI_SWEEP_MATCH_DEVICE_H

#include "model/device.h"
#include "summary/summary.h"

enum { SMI_DEVICE_LEFT_OUT = -2 };

/* Its place in s->gpus; SMI_DEVICE_LEFT_OUT: it is not in the summary (--gpus). d NULL: that of rows that
 * could not be told apart; named: the number of the GPU by the name of its log (formats/file_group.h), or -1.
 */
int smi_match_device(const struct smi_summary *s, const struct smi_device *d, int named);

#endif
