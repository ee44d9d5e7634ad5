#include "cli/option.h"

#include <string.h>

extern const struct smi_cmd smi_cmd_summarize, smi_cmd_report, smi_cmd_merge, smi_cmd_diff, smi_cmd_check,
    smi_cmd_log, smi_cmd_live, smi_cmd_follow, smi_cmd_run, smi_cmd_export, smi_cmd_list;

const struct smi_command smi_commands[] = {
    {"summarize", &smi_cmd_summarize},
    {"report", &smi_cmd_report},
    {"merge", &smi_cmd_merge},
    {"diff", &smi_cmd_diff},
    {"check", &smi_cmd_check},
    {"live", &smi_cmd_live},
    {"follow", &smi_cmd_follow},
    {"run", &smi_cmd_run},
    {"export", &smi_cmd_export},
    {"log", &smi_cmd_log},
    {"list", &smi_cmd_list},
    {"help", &smi_cmd_help},
    {NULL, NULL},
};

const struct smi_cmd *smi_command_find(const char *name, struct smi_err *err)
{
    const char *near;
    for (const struct smi_command *c = smi_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c->cmd;
    if (smi_opt_fail_removed(name, err))
        return NULL;
    near = smi_text_nearest(name, smi_commands, sizeof *smi_commands, SIZE_MAX);
    smi_err_set(err, SMI_EUSAGE, "there is no %s %.60s%s%s%s", *name == '-' ? "option" : "command", name,
                near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return NULL;
}

void smi_write_usage(struct smi_buf *to)
{
    smi_buf_str(to, "smilog reads the GPU logs of runs and reports what the runs used and wasted.\n\n"
                    "  smilog summarize                    all runs below this directory\n"
                    "  smilog summarize -v out/run3        one run in full\n"
                    "  smilog summarize out/ -o runs.csv   one row per run\n"
                    "  smilog summarize --json log.csv     everything, for programs\n\n"
                    "usage: smilog COMMAND [OPTION]... [PATH]...\n\n");
    for (const struct smi_command *c = smi_commands; c->name; c++)
        smi_buf_fmt(to, "  %-12s %s\n", c->name, c->cmd->brief);
    smi_buf_str(to, "\nsmilog help COMMAND shows the help of a command, man smilog the manual.\n");
}
