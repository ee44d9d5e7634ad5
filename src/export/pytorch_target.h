/* pytorch_target.h - `smilog export --to pytorch:DIR`: what PyTorch CI keeps of its jobs, from any run. */
#ifndef SMI_EXPORT_PYTORCH_TARGET_H
#define SMI_EXPORT_PYTORCH_TARGET_H

#include "export/targets.h"
#include "export/pytorch_settings.h"

/* Tells an open target its settings, borrowed, before the first run. Returns 0, or -1 with err (SMI_EUSAGE).
 */
int smi_pytorch_target_set(struct smi_target_out *target, const struct smi_pytorch_settings *s,
                           struct smi_err *err);
/* The same target without a directory: documents go to the sink, which is borrowed, and a log that is made is
 * not kept. It ends by its close, without keep. Returns NULL with err (memory). */
struct smi_target_out *smi_pytorch_target_open(const struct smi_pytorch_sink *sink, struct smi_err *err);

#endif
