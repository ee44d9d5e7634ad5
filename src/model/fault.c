#include "model/fault.h"

#include <string.h>

#define SMI_FAULT(id, name, words, grave) [SMI_FAULT_##id] = {name, words, grave},
const struct smi_fault_info smi_faults[SMI_FAULT_COUNT] = {
#include "model/fault.def"
};
#undef SMI_FAULT

const char *const smi_recovery_actions[SMI_RECOVERY_ACTIONS] = {
    "None", "GPU Reset", "Node Reboot", "Drain P2P", "Drain and Reset", "another one"};

int smi_fault_find(const char *name)
{
    for (int i = 0; i < SMI_FAULT_COUNT; i++)
        if (strcmp(smi_faults[i].name, name) == 0)
            return i;
    return -1;
}
