/* pytorch_settings.h - which job an export to PyTorch CI's database is of, as typed, and as the run itself
 * says it. */
#ifndef SMI_EXPORT_PYTORCH_SETTINGS_H
#define SMI_EXPORT_PYTORCH_SETTINGS_H

#include "export/export.h"
#include "export/pytorch_documents.h"

/* As typed; NULL: not given. */
struct smi_pytorch_settings {
    const char *repo, *workflow_id, *run_attempt, *job_id, *workflow_name, *job_name, *created_at;
    int64_t interval_us; /* 0: not given */
    bool debug;
};

/* Was any of them given? Then the name of its option; else NULL. */
const char *smi_pytorch_settings_given(const struct smi_pytorch_settings *s);

/* The same, read. */
struct smi_pytorch_ids {
    struct smi_pytorch_settings set; /* what it borrows stays the caller's */
    int64_t created_at, interval_ms;
    uint64_t workflow_id, job_id;
    uint32_t run_attempt;
};

/* Returns 0, or -1 with err SMI_EUSAGE: what was typed makes no sense. */
int smi_pytorch_ids_read(struct smi_pytorch_ids *ids, const struct smi_pytorch_settings *s,
                         struct smi_err *err);
/* The job of a run, from what was typed, else from the run's parameters, among which a usage_log.txt's own
 * are. All that job has is borrowed. Returns 0, or -1 with err SMI_EUSAGE: it is not known. */
int smi_pytorch_identify(struct smi_pytorch_job *job, const struct smi_pytorch_ids *ids, const char *dir,
                         const struct smi_export_run *r, struct smi_err *err);

#endif
