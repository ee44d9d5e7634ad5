#include "sample/source.h"

const struct smi_source_info smi_sources[SMI_FMT_COUNT] = {
    /*                        name                base            gpu    rows   marks */
    [SMI_FMT_QUERY] =       {"nvidia-smi-query", SMI_BASE_LOCAL, true,  true,  false},
    [SMI_FMT_DMON] =        {"dmon",             SMI_BASE_LOCAL, true,  true,  false},
    [SMI_FMT_AMD_METRIC] =  {"amd-smi-metric",   SMI_BASE_NONE,  true,  true,  false},
    [SMI_FMT_AMD_MONITOR] = {"amd-smi-monitor",  SMI_BASE_NONE,  true,  true,  false},
    [SMI_FMT_ROCM] =        {"rocm-smi",         SMI_BASE_NONE,  true,  true,  false},
    [SMI_FMT_ROCM_JSON] =   {"rocm-smi-json",    SMI_BASE_NONE,  true,  true,  false},
    [SMI_FMT_USAGE_LOG] =   {"usage-log",        SMI_BASE_UTC,   true,  true,  true},
    [SMI_FMT_GPU_CSV] =     {"gpu-csv",          SMI_BASE_NONE,  true,  true,  false},
    [SMI_FMT_CPU] =         {"cpu-csv",          SMI_BASE_UTC,   false, true,  false},
    [SMI_FMT_RUNLOG] =      {"runlog",           SMI_BASE_UTC,   false, false, true},
};
