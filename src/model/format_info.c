#include "model/format_info.h"

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
