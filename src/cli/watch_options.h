/* watch_options.h - the options that live and follow have in common: how long, in which form, who is told. */
#ifndef SMI_CLI_WATCH_OPTIONS_H
#define SMI_CLI_WATCH_OPTIONS_H

#include "cli/option.h"

#include <stdbool.h>

/* The first member of a command's settings. */
struct smi_watch_settings {
    const char *duration, *format, *rules, *command /* --alert-exec */, *listen;
    int color, names;
    bool plain;
};

extern const struct smi_opt smi_opts_watch[];

#endif
