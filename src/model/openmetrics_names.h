/* openmetrics_names.h - what Prometheus calls the metrics of the catalogue, and how it wants labels. */
#ifndef SMI_MODEL_OPENMETRICS_NAMES_H
#define SMI_MODEL_OPENMETRICS_NAMES_H

#include "base/buf.h"
#include "model/metric.h"

/* A unit of the catalogue, and its base unit: value * num / den. */
struct smi_openmetrics_unit {
    const char *unit, *ending, *base; /* ending: of the key, taken off; base: put in its place: "_ratio" */
    int64_t num, den;                 /* den is a power of ten */
};
const struct smi_openmetrics_unit *smi_openmetrics_unit(unsigned metric);
/* Appends "smilog_gpu_util_ratio": the key with its base unit, and what is no letter or digit as '_'; of a
 * counter with _total. */
void smi_openmetrics_name(struct smi_buf *to, unsigned metric);
/* Appends before, key="text": what ends it, is escaped; what is no UTF-8 or no letter for people, as the
 * terminal has it. */
void smi_openmetrics_label(struct smi_buf *to, char before, const char *key, const char *text);

#endif
