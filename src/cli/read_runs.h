/* read_runs.h - what the commands over runs do, from words to an answer. */
#ifndef SMI_CLI_READ_RUNS_H
#define SMI_CLI_READ_RUNS_H

#include "cli/settings.h"
#include "sweep/sweep.h"

/* Checks what a command over runs was asked for, in place of smi_settings_check. set: the first member of the
 * command's settings. Returns 0, or -1 with err. */
typedef int smi_check_command_fn(struct smi_settings *set, const char *const *path, size_t n,
                                 struct smi_err *err);
typedef int smi_run_command_fn(const char *const *path, size_t n, struct smi_settings *set);
/* From words to the end of a command over runs: settings (initialised; they are ended), and `go` with the
 * paths
 * ("." where none is given), or the help. check: or NULL. Returns an smi_exit. */
int smi_run_command(const struct smi_cmd *cmd, int argc, char **argv, struct smi_settings *set,
                    smi_check_command_fn *check, smi_run_command_fn *go);

/* Reads the runs below the paths, logs or stored sweeps (export/stored.h: then s->nstored is not 0), with a
 * line of progress (cli/settings.h). s is filled in any case, to be ended. Returns 0, or -1 with err. */
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

/* Reads a side of a comparison (query/diff.h) and leaves of it the runs that are asked for. s is filled
 * in any case, to be ended. cmd: the command, for messages. Returns an smi_exit; *doubt becomes that of
 * smi_print_warnings if it is one. */
int smi_read_side(struct smi_sweep *s, const char *path, struct smi_settings *set, const char *cmd,
                  int *doubt);
/* Warns if both sides are one run, as two of its logs were named (smi_sides_are_one_run). */
void smi_warn_one_run(const char *a, const char *b, const struct smi_sweep *of_a,
                      const struct smi_sweep *of_b, const struct smi_settings *set);

/* Writes what is stored at the n places (export/stored.h) to -o or standard output, tells what is odd of it,
 * and returns an smi_exit. Nothing is written of what cannot be merged. */
int smi_merge_partials(const char *const *place, size_t n, const struct smi_settings *set);

/* Writes DIR/summary.json, beside and renamed: what `smilog summarize --json DIR` prints now. Returns 0, or
 * -1 with err. */
int smi_write_run_summary(const char *dir, struct smi_err *err);

/* ---- a command with an end in time: for epilogs of batch systems, where a status other than 0 or a file
 * system that hangs takes a machine out of service ---- */

/* Does `go`, and returns its smi_exit. With set->timeout that is done by a child, whose standard output is
 * handed on as a whole when it is over; if it is not in time it is killed, nothing of its output is used, a
 * sentence says so, and the status is SMI_EXIT_NOTHING. With set->exit_zero there is a line of `--format
 * line` in any case. */
int smi_run_with_deadline(smi_run_command_fn *go, const char *const *path, size_t n,
                          struct smi_settings *set);

#endif
