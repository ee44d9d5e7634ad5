/* metric.c - the catalogues: metrics, with their names in OpenMetrics; fields; formats. */
#include "model/metric.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/field.h"

#include <pthread.h>

#define SMI_METRIC(id, key, unit, kind, timed, step, from, to, ...)                                        \
    [SMI_##id] = {key,        unit, kind, timed, step, INT64_C(1000000) * (from), INT64_C(1000000) * (to), \
                  __VA_ARGS__},
const struct smi_metric smi_metrics[SMI_METRIC_COUNT] = {
#include "model/metric.def"
};
#undef SMI_METRIC

const uint16_t smi_timed_metrics[SMI_CURVE_COUNT] = {SMI_GPU_UTIL, SMI_MEM_UTIL, SMI_FB_USED, SMI_POWER,
                                                     SMI_CPU_USR,  SMI_TEMP_GPU, SMI_CLK_SM};

int smi_timed_slot(unsigned metric)
{
    for (int i = 0; i < SMI_CURVE_COUNT; i++)
        if (smi_timed_metrics[i] == metric)
            return i;
    return -1;
}

static struct smi_map by_key;

static void map_keys(void)
{
    for (size_t m = 0; m < SMI_METRIC_COUNT; m++)
        smi_map_add(&by_key, smi_hash_bytes(smi_metrics[m].key, strlen(smi_metrics[m].key)), m);
}

static bool has_key(const void *list, size_t place, const void *key)
{
    return smi_text_is(*(const struct smi_text *)key, ((const struct smi_metric *)list)[place].key);
}

int smi_metric_find(const char *key, size_t n)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct smi_text t = {key, n};
    size_t at;
    pthread_once(&once, map_keys);
    at = smi_map_find(&by_key, smi_hash_bytes(key, n), has_key, smi_metrics, &t);
    return at == SMI_MAP_NONE ? -1 : (int)at;
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

static const struct smi_openmetrics_unit units[] = {
    {"%", "_pct", "_ratio", 1, 100},
    {"MiB", "_mib", "_bytes", 1048576, 1},
    {"W", "_w", "_watts", 1, 1},
    {"J", "_j", "_joules", 1, 1},
    {"mV", "_mv", "_volts", 1, 1000},
    {"C", "_c", "_celsius", 1, 1},
    {"MHz", "_mhz", "_hertz", 1000000, 1},
    {"MB/s", "_mbs", "_bytes_per_second", 1000000, 1},
    {"Mb/s", "_mbps", "_bits_per_second", 1000000, 1},
    {"us", "_us", "_seconds", 1, 1000000},
    {"", "", "", 1, 1},
};

const struct smi_openmetrics_unit *smi_openmetrics_unit(unsigned metric)
{
    size_t i = 0;
    while (strcmp(units[i].unit, smi_metrics[metric].unit) != 0)
        i++;
    return &units[i];
}

void smi_openmetrics_name(struct smi_buf *to, unsigned metric)
{
    const struct smi_openmetrics_unit *u = smi_openmetrics_unit(metric);
    const char *key = smi_metrics[metric].key, *unit = *u->ending ? strstr(key, u->ending) : NULL;
    smi_buf_str(to, "smilog_");
    for (const char *p = key; *p; p++)
        if (unit && p >= unit && p < unit + strlen(u->ending))
            continue;
        else
            smi_buf_char(to, *p == '.' ? '_' : *p);
    smi_buf_str(to, u->base);
    if (smi_metrics[metric].kind == SMI_COUNTER &&
        strcmp(to->p + to->n - 6, "_total") != 0) /* as some keys do */
        smi_buf_str(to, "_total");
}

void smi_openmetrics_label(struct smi_buf *to, char before, const char *key, const char *text)
{
    struct smi_buf safe = {0};
    smi_buf_safe(&safe, smi_text_of(text));
    smi_buf_fmt(to, "%c%s=\"", before, key);
    for (size_t i = 0; i < safe.n; i++) {
        if (safe.p[i] == '"' || safe.p[i] == '\\')
            smi_buf_char(to, '\\');
        smi_buf_char(to, safe.p[i]);
    }
    smi_buf_char(to, '"');
    smi_buf_fini(&safe);
}

#define INFO(name, type, unit_, place, ...)                               \
    {                                                                     \
        .key = name, .kind = SMI_DATUM_##type, .unit = unit_, __VA_ARGS__ \
    }

#define SMI_RUN_FIELD(id, ...) INFO(__VA_ARGS__),
#define SMI_RUN_HEADLINE(id, name, unit_, metric, stat, optional, ...) \
    INFO(name, MICRO, unit_, , __VA_ARGS__),
const struct smi_field_info smi_run_fields[SMI_RUN_FIELDS] = {
#include "model/run_field.def"
};

#define SMI_GPU_FIELD(id, ...) INFO(__VA_ARGS__),
const struct smi_field_info smi_gpu_fields[SMI_GPU_FIELDS] = {
#include "model/part_field.def"
};

#define SMI_PHASE_FIELD(id, ...) INFO(__VA_ARGS__),
#define SMI_PHASE_HEADLINE(id, name) INFO(name, MICRO, "", , .help = "As of runs, of the rows inside it"),
const struct smi_field_info smi_phase_fields[SMI_PHASE_FIELDS] = {
#include "model/part_field.def"
};

#define SMI_FINDING_FIELD(id, ...) INFO(__VA_ARGS__),
const struct smi_field_info smi_finding_fields[SMI_FINDING_FIELDS] = {
#include "model/part_field.def"
};

#define SMI_FORMAT(id, reader, order, name_, base_, flags, help_) \
    [SMI_FMT_##id] = {.name = name_,                              \
                      .help = help_,                              \
                      .base = SMI_TIME_BASE_##base_,              \
                      .gpu = !((flags)&SMI_FORMAT_NO_GPU),        \
                      .rows = !((flags)&SMI_FORMAT_NO_ROWS),      \
                      .procs = (flags)&SMI_FORMAT_PROCESSES,      \
                      .marks = (flags)&SMI_FORMAT_MARKS,          \
                      .whole = !((flags)&SMI_FORMAT_PIECES),      \
                      .rank = order},
const struct smi_format_info smi_format_infos[SMI_FMT_COUNT] = {
#include "model/format.def"
};
