/* look.h - for which eyes the output is. */
#ifndef SMI_FRONT_LOOK_H
#define SMI_FRONT_LOOK_H

#include "option/settings.h"

/* By the settings, the terminal and the environment; borrows from set. */
struct smi_look smi_look_for(const struct smi_settings *set);

#endif
