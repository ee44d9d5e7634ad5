#include "sample/source.h"

const char *const smi_source_names[SMI_FMT_COUNT] = {"nvidia-smi-query", "dmon", "cpu-csv", "runlog"};
