/* deadline.h - a command with an end in time: for epilogs of batch systems, where a status other than 0 or a
 * file system that hangs takes a machine out of service. */
#ifndef SMI_CLI_DEADLINE_H
#define SMI_CLI_DEADLINE_H

#include "cli/read_runs.h"

/* Does `go`, and returns its smi_exit. With set->timeout that is done by a child, whose standard output is
 * handed on as a whole when it is over; if it is not in time it is killed, nothing of its output is used, a
 * sentence says so, and the status is SMI_EXIT_NOTHING. With set->exit_zero there is a line of `--format
 * line` in any case. */
int smi_run_with_deadline(smi_run_command_fn *go, const char *const *path, size_t n,
                          struct smi_settings *set);
/* Is --exit-zero among the words? Then nothing that is wrong with the others has another status. */
bool smi_has_exit_zero(int argc, char **argv);

#endif
