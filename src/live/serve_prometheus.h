/* serve_prometheus.h - the state of this moment as Prometheus reads it: text format 0.0.4 or
 * OpenMetrics 1.0.0, no time stamps (a file with them is skipped whole by node_exporter). Pure: text from
 * smi_machine. */
#ifndef SMI_LIVE_SERVE_PROMETHEUS_H
#define SMI_LIVE_SERVE_PROMETHEUS_H

#include "base/buf.h"
#include "live/machine.h"

enum smi_prometheus_names { SMI_PROMETHEUS_SMILOG_NAMES, SMI_PROMETHEUS_DCGM_NAMES };

struct smi_prometheus_opts {
    const char *host, *run; /* labels of every series; NULL or "": none */
    int64_t time_ms; /* now, UTC: smilog_export_timestamp_seconds tells a file that is no longer written */
    enum smi_prometheus_names names;
    bool openmetrics;
};

/* Appends all families: a gauge or counter for each metric of the catalogue of which a GPU or the machine has
 * a reading (smilog_gpu_util_ratio, smilog_fb_used_bytes, smilog_power_watts, ... in base units), labels gpu,
 * uuid, name, host, run; then smilog_gpu_lost, smilog_alert (rule, gpu, monitor), smilog_monitor_up,
 * smilog_source_lag_seconds, smilog_monitor_restarts_total (monitor), smilog_rows_rejected_total (monitor,
 * reason). What is old has no series. SMI_PROMETHEUS_DCGM_NAMES: metrics that dcgm-exporter has, too, have
 * its names, units and labels (gpu, UUID, pci_bus_id, modelName, Hostname) instead; its counters are untyped,
 * since their names do not end in _total as a counter's have to. Returns 0, or -1 without memory. */
void smi_prometheus_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_prometheus_opts *e);

#endif
