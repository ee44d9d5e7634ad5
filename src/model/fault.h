/* fault.h - the catalogue of what goes wrong: one row of fault.def each. */
#ifndef SMI_MODEL_FAULT_H
#define SMI_MODEL_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#define SMI_FAULT(id, name, words, grave) SMI_FAULT_##id,
enum smi_fault_id {
#include "model/fault.def"
    SMI_FAULT_COUNT
};
#undef SMI_FAULT

struct smi_fault_info {
    const char *name;  /* as in JSON */
    const char *words; /* as people say it */
    bool grave;        /* work was lost, or will be */
};

extern const struct smi_fault_info smi_faults[SMI_FAULT_COUNT];

/* What gpu_recovery_action asks for, by its NVML number; an unknown one is the last. */
enum { SMI_RECOVERY_ACTIONS = 6 };
extern const char *const smi_recovery_actions[SMI_RECOVERY_ACTIONS];

/* The fault with this name, or -1. */
int smi_fault_find(const char *name);

#endif
