/* expose.h - the state of this moment as Prometheus reads it: text format 0.0.4, base units, no time stamps
 * (a file with them is skipped whole by node_exporter). Pure: text from smi_now. */
#ifndef SMI_SERVE_EXPOSE_H
#define SMI_SERVE_EXPOSE_H

#include "base/buf.h"
#include "now/now.h"

struct smi_expose {
    const char *host, *run; /* labels of every series; NULL or "": none */
    int64_t time_ms; /* now, UTC: smilog_export_timestamp_seconds tells a file that is no longer written */
};

/* Appends all families: a gauge or counter for each metric of the catalogue of which a GPU or the machine has
 * a reading (smilog_gpu_util_ratio, smilog_fb_used_bytes, smilog_power_watts, ...), labels gpu, uuid, name,
 * host, run; then smilog_gpu_lost, smilog_alert (rule, gpu, monitor), smilog_monitor_up,
 * smilog_source_lag_seconds, smilog_monitor_restarts_total, smilog_rows_rejected_total (monitor). What is old
 * has no series. Returns 0, or -1 without memory. */
int smi_expose_put(struct smi_buf *to, const struct smi_now *n, const struct smi_expose *e);

#endif
