#include "export/targets.h"

const struct smi_target *const smi_targets[] = {
    &smi_target_sqlite,  &smi_target_csv,        &smi_target_jsonl,       &smi_target_openmetrics,
    &smi_target_pytorch, &smi_target_clickhouse, &smi_target_clickhouses, NULL};
