/* pytorch_target.h - `smilog export --to pytorch:DIR`: what PyTorch CI keeps of its jobs, from any run. */
#ifndef SMI_EXPORT_PYTORCH_TARGET_H
#define SMI_EXPORT_PYTORCH_TARGET_H

#include "export/targets.h"
#include "export/pytorch_settings.h"

/* smi_target_pytorch without a directory: documents go to the sink, which is borrowed, and a log that is made
 * is not kept. It ends by its close, without keep. Returns NULL with err (memory, SMI_EUSAGE). */
struct smi_target_out *smi_pytorch_target_open(const struct smi_pytorch_sink *sink,
                                               const struct smi_pytorch_settings *set, struct smi_err *err);

#endif
