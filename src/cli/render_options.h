/* render_options.h - for which eyes the output is. */
#ifndef SMI_CLI_RENDER_OPTIONS_H
#define SMI_CLI_RENDER_OPTIONS_H

#include "cli/settings.h"

/* By the settings, the terminal and the environment; borrows from set. */
struct smi_look smi_look_for(const struct smi_settings *set);

#endif
