/* render_options.h - for which eyes the output is. */
#ifndef SMI_CLI_RENDER_OPTIONS_H
#define SMI_CLI_RENDER_OPTIONS_H

#include "cli/settings.h"

/* By the settings, the terminal and the environment; borrows from set. */
struct smi_render_options smi_render_options_of(const struct smi_settings *set);

#endif
