/* field.c - the catalogues of fields and formats. */
#include "model/field.h"
#include "model/format_info.h"

#define SMI_RUN_FIELD(id, name, type, unit_, place, ...) \
    [SMI_RUN_FIELD_##id] = {.key = name, .kind = SMI_DATUM_##type, .unit = unit_, __VA_ARGS__},
#define SMI_RUN_HEADLINE(id, name, unit_, metric, stat, optional, ...) \
    [SMI_RUN_FIELD_##id] = {.key = name, .kind = SMI_DATUM_MICRO, .unit = unit_, __VA_ARGS__},
const struct smi_field_info smi_run_fields[SMI_RUN_FIELDS] = {
#include "model/run_field.def"
};

#define SMI_GPU_FIELD(id, name, type, unit_, place, ...) \
    {.key = name, .kind = SMI_DATUM_##type, .unit = unit_, __VA_ARGS__},
const struct smi_field_info smi_gpu_fields[SMI_GPU_FIELDS] = {
#include "model/gpu_field.def"
};

#define SMI_PHASE_FIELD(id, name, type, unit_, place, ...) \
    {.key = name, .kind = SMI_DATUM_##type, .unit = unit_, __VA_ARGS__},
#define SMI_PHASE_HEADLINE(id, name) \
    {.key = name, .kind = SMI_DATUM_MICRO, .unit = "", .help = "As of runs, of the rows inside it"},
const struct smi_field_info smi_phase_fields[SMI_PHASE_FIELDS] = {
#include "model/phase_field.def"
};

#define SMI_FINDING_FIELD(id, name, type, unit_, place, ...) \
    {.key = name, .kind = SMI_DATUM_##type, .unit = unit_, __VA_ARGS__},
const struct smi_field_info smi_finding_fields[SMI_FINDING_FIELDS] = {
#include "model/finding_field.def"
};

#define SMI_FORMAT(id, reader, order, name_, base_, flags, help_) \
    [SMI_FMT_##id] = {.name = name_,                              \
                      .help = help_,                              \
                      .base = SMI_TIME_BASE_##base_,              \
                      .gpu = (flags)&SMI_FORMAT_GPU,              \
                      .rows = (flags)&SMI_FORMAT_ROWS,            \
                      .procs = (flags)&SMI_FORMAT_PROCESSES,      \
                      .marks = (flags)&SMI_FORMAT_MARKS,          \
                      .whole = (flags)&SMI_FORMAT_WHOLE,          \
                      .rank = order},
const struct smi_format_info smi_format_infos[SMI_FMT_COUNT] = {
#include "model/format.def"
};
