#include "model/metric.h"

#include <string.h>

#define SMI_METRIC(id, key, unit, kind, timed, step, from, to, ...)                                        \
    [SMI_##id] = {key,        unit, kind, timed, step, INT64_C(1000000) * (from), INT64_C(1000000) * (to), \
                  __VA_ARGS__},
const struct smi_metric smi_metrics[SMI_METRIC_COUNT] = {
#include "model/metric.def"
};
#undef SMI_METRIC

bool smi_reading_fits(unsigned metric, smi_i128 v)
{
    return v >= smi_metrics[metric].least && v <= smi_metrics[metric].most;
}

const uint16_t smi_timed_metrics[SMI_TIMED_COUNT] = {SMI_GPU_UTIL, SMI_MEM_UTIL, SMI_FB_USED, SMI_POWER,
                                                     SMI_CPU_USR};

int smi_timed_slot(unsigned metric)
{
    for (int i = 0; i < SMI_TIMED_COUNT; i++)
        if (smi_timed_metrics[i] == metric)
            return i;
    return -1;
}

int smi_metric_find(const char *key, size_t n)
{
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (strlen(smi_metrics[m].key) == n && memcmp(smi_metrics[m].key, key, n) == 0)
            return m;
    return -1;
}

int smi_metric_of_peak(unsigned metric)
{
    return metric == SMI_GPU_UTIL_PEAK || metric == SMI_MEM_UTIL_PEAK || metric == SMI_FB_USED_PEAK
               ? (int)metric - 1 /* its neighbour in the catalogue */
               : -1;
}

bool smi_metric_is_host(unsigned metric)
{
    return metric >= SMI_CPU_USR; /* the last rows of the catalogue */
}
