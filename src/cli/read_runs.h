/* read_runs.h - what the commands over runs do, from words to an answer. */
#ifndef SMI_CLI_READ_RUNS_H
#define SMI_CLI_READ_RUNS_H

#include "cli/settings.h"

/* From words to the end of a command over runs: settings, and `go` with the paths ("." where none is given),
 * or the help. pages: it writes what is SMI_OUTPUT_PAGES. Returns an smi_exit. */
typedef int smi_run_command_fn(const char *const *path, size_t n, struct smi_settings *set);
int smi_run_command(const struct smi_cmd *cmd, int argc, char **argv, bool pages, smi_run_command_fn *go);

/* Reads the runs below the paths, logs or stored sweeps (export/stored.h: then s->nstored is not 0), with a
 * line of progress (cli/warnings.h). s is filled in any case, to be ended. Returns 0, or -1 with err. */
int smi_read_runs(struct smi_sweep *s, const char *const *path, size_t n, struct smi_settings *set,
                  struct smi_err *err);
/* Tells that, and returns the smi_exit of it. cmd: as for smi_fail. */
int smi_fail_reading(const struct smi_err *err, const char *cmd);
/* Is the word a place of stored sweeps, or "-" with partial summaries coming? Files and directories are
 * looked into when they are read. */
bool smi_is_stored_path(const char *path);
/* Reads all runs, warns, and writes what is asked for. Returns an smi_exit. */
int smi_read_and_write(const char *const *path, size_t n, struct smi_settings *set);
/* Why there is nothing: no usable log in the paths, or one of them is not there. Returns -1 with err. */
int smi_explain_no_input(const char *const *path, size_t n, const struct smi_settings *set,
                         struct smi_err *err);
/* The error of a sweep in which nothing is usable, as the last line that is read. */
int smi_fail_no_input(const char *const *path, size_t n, const struct smi_settings *set);

/* Reads a side of a comparison (query/diff_side.h) and leaves of it the runs that are asked for. s is filled
 * in any case, to be ended. cmd: the command, for messages. Returns an smi_exit; *doubt becomes that of
 * smi_print_warnings if it is one. */
int smi_read_side(struct smi_sweep *s, const char *path, struct smi_settings *set, const char *cmd,
                  int *doubt);

#endif
