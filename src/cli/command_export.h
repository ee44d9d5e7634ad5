/* command_export.h - what was typed for an export. */
#ifndef SMI_CLI_COMMAND_EXPORT_H
#define SMI_CLI_COMMAND_EXPORT_H

#include "cli/settings.h"
#include "export/pytorch_target.h"

struct smi_export_settings {
    struct smi_settings s; /* first: the shared tables of options point into it */
    const char *to;
    struct smi_buf given; /* each --to, with its NUL */
    bool dry_run, documents;
    struct smi_target_set more;
    struct smi_pytorch_settings pytorch;
    const struct smi_target *target; /* of to, */
    const char *where;               /* and what stands behind its prefix */
};

extern const struct smi_opt *const smi_export_opts[];
/* Finds the target, and whether all that was typed goes with it. Returns 0, or -1 with err SMI_EUSAGE. */
int smi_export_settings_check(struct smi_export_settings *set, const char *const *path, size_t n,
                              struct smi_err *err);

#endif
