/* openmetrics.h - the history of all runs as Prometheus takes it in: promtool tsdb create-blocks-from
 * openmetrics. */
#ifndef SMI_EXPORT_OPENMETRICS_H
#define SMI_EXPORT_OPENMETRICS_H

#include "export/export.h"

extern const struct smi_target smi_target_openmetrics;

#endif
