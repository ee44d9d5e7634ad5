/* target.h - `smilog export --to pytorch:DIR`: what PyTorch CI keeps of its jobs, from any run. */
#ifndef SMI_PYTORCH_TARGET_H
#define SMI_PYTORCH_TARGET_H

#include "export/export.h"

extern const struct smi_target smi_target_pytorch;

/* As typed; NULL: not given. */
struct smi_pytorch_settings {
    const char *repo, *workflow_id, *run_attempt, *job_id, *workflow_name, *job_name, *created_at;
    int64_t interval_us; /* 0: not given */
    bool debug;
};

/* Was any of them given? Then the name of its option; else NULL. */
const char *smi_pytorch_given(const struct smi_pytorch_settings *s);
/* Tells an open target its settings, borrowed, before the first run. Returns 0, or -1 with err (SMI_EUSAGE). */
int smi_pytorch_set(struct smi_target_out *target, const struct smi_pytorch_settings *s, struct smi_err *err);

#endif
