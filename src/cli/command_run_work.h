/* command_run_work.h - `smilog run` at work: the monitors first, then the command beside them, then what is
 * to be said. */
#ifndef SMI_CLI_COMMAND_RUN_WORK_H
#define SMI_CLI_COMMAND_RUN_WORK_H

#include "cli/run_settings.h"

/* argv: the command, ended by NULL; NULL: set->pid is tracked. Says what there is to say. Returns the exit
 * status; or ends this process by the signal that ended the command, or us before it was started. */
int smi_run_and_track(const struct smi_run_settings *set, const struct smi_live_opts *lo, char **argv);

#endif
