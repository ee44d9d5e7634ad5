/* command_run.c - a command, tracked with everything that it starts; its fate is ours. */
#include "cli/command_run_work.h"
#include "cli/option.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct smi_opt opts_what[] = {
    {"interval", 'i', SMI_OPT_MICRO, offsetof(struct smi_run_settings, interval), "SECONDS",
     "between samples (default 1)"},
    {"pid", 0, SMI_OPT_TEXT, offsetof(struct smi_run_settings, pid), "PID",
     "track a process that runs already, until it ends"},
    {"gpus", 0, SMI_OPT_LIST, offsetof(struct smi_run_settings, gpus), "LIST",
     "which: indices or uuids; all (default: those of CUDA_VISIBLE_DEVICES)"},
    {"gpu-brand", 0, SMI_OPT_WORD, offsetof(struct smi_run_settings, brand), "auto|nvidia|amd",
     "whose GPUs to look at"},
    {"pmon", 0, SMI_OPT_FLAG, offsetof(struct smi_run_settings, pmon), NULL,
     "how much each process uses its GPU, too (nvidia-smi pmon)"},
    {"n-expected-cores", 0, SMI_OPT_COUNT, offsetof(struct smi_run_settings, cores), "N",
     "that the command is to use: 100 % of them is all (default: the machine's)"},
    {"config", 0, SMI_OPT_TEXT, offsetof(struct smi_run_settings, config), "FILE",
     "settings as JSON with gpu_tracker's keys; the command line overrules it"},
    {NULL, 0, 0, 0, NULL, NULL},
};

static const struct smi_opt opts_out[] = {
    {"output", 'o', SMI_OPT_TEXT, offsetof(struct smi_run_settings, dir), "DIR",
     "record there: a directory of its own, which summarize and report read"},
    {"max-size", 0, SMI_OPT_MICRO, offsetof(struct smi_run_settings, most), "MIB",
     "put a log aside (NAME.1, NAME.2, ...) when it is so large"},
    {"quiet", 'q', SMI_OPT_FLAG, offsetof(struct smi_run_settings, quiet), NULL,
     "no summary on standard error"},
    {"format", 0, SMI_OPT_WORD, offsetof(struct smi_run_settings, format),
     "table|gpu-tracker-json|gpu-tracker-text",
     "gpu_tracker's forms are written at the end, to standard output or --usage"},
    {"usage", 0, SMI_OPT_TEXT, offsetof(struct smi_run_settings, usage), "FILE",
     "gpu_tracker's figures go there (-: standard output), as JSON unless --format says text"},
    {"tracking-file", 0, SMI_OPT_TEXT, offsetof(struct smi_run_settings, file), "FILE",
     "gpu_tracker's samples, as F.csv or F.sqlite"},
    {"overwrite", 0, SMI_OPT_FLAG, offsetof(struct smi_run_settings, overwrite), NULL,
     "that file may be there already"},
    {"ram-unit", 0, SMI_OPT_TEXT, offsetof(struct smi_run_settings, ram_unit), "UNIT",
     "of gpu_tracker's figures: bytes, kilobytes, megabytes, gigabytes (default), terabytes"},
    {"gpu-ram-unit", 0, SMI_OPT_TEXT, offsetof(struct smi_run_settings, gpu_ram_unit), "UNIT",
     "the same of GPU memory"},
    {"time-unit", 0, SMI_OPT_TEXT, offsetof(struct smi_run_settings, time_unit), "UNIT",
     "seconds, minutes, hours (default), days"},
    {NULL, 0, 0, 0, NULL, NULL},
};

static int run_tracked(int argc, char **argv);

const struct smi_cmd smi_cmd_run = {
    .name = "run",
    .args = "[OPTION]... [--] COMMAND [ARGUMENT]...",
    .help = "Runs a command and tracks it with everything that it starts: CPU time, memory,\n"
            "GPU memory and use. The command keeps its terminal, its files and its signals,\n"
            "and its exit status is ours (126: it cannot be run, 127: there is no such\n"
            "command). A summary is on standard error when it has ended. With -o everything\n"
            "that live records is recorded, too; $SMILOG_DIR tells the command where.",
    .examples = "  smilog run python train.py --lr 0.1\n"
                "  smilog run -o out/run7 -- ./train.sh      for summarize, report, check\n"
                "  smilog run --pid 4711 -o out/run8         until that process ends, or ctrl-C\n"
                "  smilog run --format gpu-tracker-json --usage usage.json -q -- ./train.sh\n"
                "  smilog run --tracking-file t.csv --ram-unit megabytes -- ./train.sh\n",
    .opts = (const struct smi_opt *const[]){opts_what, opts_out, NULL},
    .rest = true,
    .run = run_tracked,
};

static int check_run_settings(struct smi_run_settings *s, int argc, struct smi_live_opts *o,
                              struct smi_err *err)
{
    if (smi_run_settings_check(s, err))
        return -1;
    if (s->pid ? argc > 1 : argc < 2)
        return smi_err_set(err, SMI_EUSAGE, s->pid ? "--pid and a command: one of them" : "which command?");
    smi_run_settings_to_live(s, o);
    return 0;
}

static int run_tracked(int argc, char **argv)
{
    struct smi_run_settings set = {0};
    struct smi_live_opts o = {0};
    struct smi_err err = {0};
    struct smi_buf text = {0};
    char **copy = calloc((size_t)argc + 1, sizeof *copy);
    int rc;
    if (copy)
        memcpy(copy, argv, (size_t)argc * sizeof *copy);
    rc = copy ? smi_run_settings_parse(&set, &smi_cmd_run, &argc, argv, copy, &err) : smi_err_nomem(&err);
    if (rc == 0)
        rc = check_run_settings(&set, argc, &o, &err);
    argv[argc] = NULL;
    if (rc > 0) {
        smi_opt_help(&text, &smi_cmd_run);
        rc = smi_print(&text);
    } else if (rc < 0) {
        rc = smi_fail(&err, "run");
    } else {
        rc = smi_run_and_track(&set, &o, set.pid ? NULL : argv + 1);
    }
    smi_run_settings_fini(&set);
    free(copy);
    return rc;
}
