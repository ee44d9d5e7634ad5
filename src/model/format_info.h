/* format_info.h - what kind of log an input is, and on which base its times stand. */
#ifndef SMI_MODEL_FORMAT_INFO_H
#define SMI_MODEL_FORMAT_INFO_H

#include <stdbool.h>

/* On which base the times of an input stand. */
enum smi_time_base {
    SMI_TIME_BASE_NONE,  /* no times */
    SMI_TIME_BASE_LOCAL, /* local time without a zone: nvidia-smi */
    SMI_TIME_BASE_UTC,
    SMI_TIME_BASE_DAY /* time of day without a date: dmon -o T */
};

/* Order = which format feeds a metric when several have it (numbers.md §5). */
enum smi_format_id {
    SMI_FMT_QUERY,
    SMI_FMT_DMON,
    SMI_FMT_AMD_METRIC,
    SMI_FMT_AMD_MONITOR,
    SMI_FMT_ROCM,
    SMI_FMT_ROCM_JSON,
    SMI_FMT_USAGE_LOG,
    SMI_FMT_DCGMI,
    SMI_FMT_GPU_CSV,
    SMI_FMT_GPU_TRACKER,
    SMI_FMT_SAMPLES_JSONL,
    SMI_FMT_SAMPLES_CSV,
    SMI_FMT_PMON,
    SMI_FMT_APPS,
    SMI_FMT_AMD_PROCESS,
    SMI_FMT_ACCOUNTED,
    SMI_FMT_RETIRED,
    SMI_FMT_CPU,
    SMI_FMT_PROC_STAT,
    SMI_FMT_PROCS,
    SMI_FMT_RUNLOG,
    SMI_FMT_GPU_TRACKER_SUB,
    SMI_FMT_COUNT
};

/* What is known of a format before its first byte is read. */
struct smi_format_info {
    const char *name;        /* as inputs[].format and --input-format say it */
    enum smi_time_base base; /* UTC; LOCAL: local or a time of day; NONE: each log tells by its content */
    bool gpu;                /* it speaks of GPUs (perhaps of the machine too) */
    bool rows;               /* it has readings */
    bool procs;              /* its rows are about processes: what it says of a GPU is added up from them */
    bool marks; /* it has phases or events: they are read before the rows of any log of the run */
};

extern const struct smi_format_info smi_format_infos[SMI_FMT_COUNT];

#endif
