/* run_settings.h - what `smilog run` was asked for, on its command line and in a file of settings. */
#ifndef SMI_CLI_RUN_SETTINGS_H
#define SMI_CLI_RUN_SETTINGS_H

#include "base/buf.h"
#include "base/err.h"
#include "live/live.h"
#include "cli/option.h"
#include "process/usage.h"

struct smi_run_settings {
    const char *dir, *program, *ram_unit, *gpu_ram_unit, *time_unit, *file, *config, *usage, *pid;
    int64_t interval, most; /* millionths of seconds, of MiB */
    struct smi_buf gpus;
    int cores, brand, format; /* brand, format: places in the words of their options */
    bool quiet, overwrite, pmon;
    struct smi_buf texts; /* of the file, each with its NUL */
    struct smi_usage_units units;
};

enum smi_run_brand { SMI_RUN_AUTO, SMI_RUN_NVIDIA, SMI_RUN_AMD };
enum smi_run_format { SMI_RUN_TABLE, SMI_RUN_GPU_TRACKER_JSON, SMI_RUN_GPU_TRACKER_TEXT };

/* The settings of a JSON file with gpu_tracker's keys (sleep_time, ram_unit, ...) into s, for the command
 * line to overrule. Keys without a meaning here are named in *ignored, separated by commas. Returns 0, or -1
 * with err: SMI_EUSAGE (an unknown key, a value of another kind), SMI_ENOMEM. */
int smi_run_settings_load(struct smi_run_settings *s, const char *path, struct smi_buf *ignored,
                          struct smi_err *err);
/* What was typed: the settings of --config first, then those of the command line, argc and argv as
 * smi_opt_parse; copy: of argv, which is used up. Returns 0, 1 where help is wanted, or -1 with err. */
int smi_run_settings_parse(struct smi_run_settings *s, const struct smi_cmd *cmd, int *argc, char **argv,
                           char **copy, struct smi_err *err);
/* Fills units; checks what can be checked before anything is started. Returns 0, or -1 with err SMI_EUSAGE.
 */
int smi_run_settings_check(struct smi_run_settings *s, struct smi_err *err);
/* What live is asked for; borrows from s. */
void smi_run_settings_to_live(const struct smi_run_settings *s, struct smi_live_opts *o);
void smi_run_settings_fini(struct smi_run_settings *s);

#endif
