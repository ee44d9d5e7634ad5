/* jsonl.h - samples as JSON, one a line, for people and for every tool that reads JSON. */
#ifndef SMI_EXPORT_JSONL_H
#define SMI_EXPORT_JSONL_H

#include "export/export.h"

extern const struct smi_target smi_target_jsonl;

#endif
