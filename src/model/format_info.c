#include "model/format_info.h"

const struct smi_format_info smi_format_infos[SMI_FMT_COUNT] = {
    /*                        name                base            gpu    rows   procs  marks */
    [SMI_FMT_QUERY] = {"nvidia-smi-query", SMI_TIME_BASE_LOCAL, true, true, false, false},
    [SMI_FMT_DMON] = {"dmon", SMI_TIME_BASE_LOCAL, true, true, false, false},
    [SMI_FMT_AMD_METRIC] = {"amd-smi-metric", SMI_TIME_BASE_NONE, true, true, false, false},
    [SMI_FMT_AMD_MONITOR] = {"amd-smi-monitor", SMI_TIME_BASE_NONE, true, true, false, false},
    [SMI_FMT_ROCM] = {"rocm-smi", SMI_TIME_BASE_NONE, true, true, false, false},
    [SMI_FMT_ROCM_JSON] = {"rocm-smi-json", SMI_TIME_BASE_NONE, true, true, false, false},
    [SMI_FMT_USAGE_LOG] = {"usage-log", SMI_TIME_BASE_UTC, true, true, false, true},
    [SMI_FMT_DCGMI] = {"dcgmi", SMI_TIME_BASE_NONE, true, true, false, false},
    [SMI_FMT_GPU_CSV] = {"gpu-csv", SMI_TIME_BASE_NONE, true, true, false, false},
    [SMI_FMT_GPU_TRACKER] = {"gpu-tracker", SMI_TIME_BASE_UTC, true, true, false, false},
    [SMI_FMT_SAMPLES_JSONL] = {"samples-jsonl", SMI_TIME_BASE_NONE, true, true, false, true},
    [SMI_FMT_SAMPLES_CSV] = {"samples-csv", SMI_TIME_BASE_NONE, true, true, false, false},
    [SMI_FMT_PMON] = {"pmon", SMI_TIME_BASE_LOCAL, true, true, true, false},
    [SMI_FMT_APPS] = {"compute-apps", SMI_TIME_BASE_LOCAL, true, true, true, false},
    [SMI_FMT_AMD_PROCESS] = {"amd-smi-process", SMI_TIME_BASE_NONE, true, true, true, false},
    [SMI_FMT_ACCOUNTED] = {"accounted-apps", SMI_TIME_BASE_LOCAL, true, true, true, false},
    [SMI_FMT_RETIRED] = {"retired-pages", SMI_TIME_BASE_LOCAL, true, false, true, false},
    [SMI_FMT_CPU] = {"cpu-csv", SMI_TIME_BASE_UTC, false, true, false, false},
    [SMI_FMT_PROC_STAT] = {"proc-stat", SMI_TIME_BASE_NONE, false, true, false, false},
    [SMI_FMT_PROCS] = {"procs-csv", SMI_TIME_BASE_UTC, false, true, false, false},
    [SMI_FMT_RUNLOG] = {"runlog", SMI_TIME_BASE_UTC, false, false, false, true},
    [SMI_FMT_GPU_TRACKER_SUB] = {"gpu-tracker-sub", SMI_TIME_BASE_UTC, false, false, false, true},
};
