/* command_report.c - paths to runs to pages for people. */
#include "cli/read_runs.h"

#include <stddef.h>

#define AT(field) offsetof(struct smi_settings, field)

static const struct smi_opt page[] = {
    {"output", 'o', SMI_OPT_TEXT, AT(output), "FILE",
     "Write to FILE (default smilog-report.html); its ending chooses the format"},
    {"format", 0, SMI_OPT_TEXT, AT(format), "PAGE",
     "Format of the report, whatever the ending of FILE; see list outputs"},
    {"samples", 0, SMI_OPT_TEXT, AT(samples), "N|all",
     "At most N points per curve; all keeps every run and every reading, without a size limit"},
    {"all", 0, SMI_OPT_FLAG, AT(all), NULL, "Keep every run, without a limit for rows"},
    {"verbose", 'v', SMI_OPT_FLAG, AT(verbose), NULL, "Print every warning"},
    {"quiet", 'q', SMI_OPT_FLAG, AT(quiet), NULL, "Print no warnings"},
    {"threads", 'j', SMI_OPT_COUNT | SMI_OPT_SETTABLE, AT(threads), "N",
     "Number of threads (results do not depend on it)"},
    {"strict", 0, SMI_OPT_FLAG, AT(strict), NULL, SMI_STRICT_HELP},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

static const struct smi_opt order[] = {
    {"sort", 0, SMI_OPT_TEXT, AT(ask.sort), "[-]COL,...", "Sort by these columns; - means descending"},
    {"group-by", 0, SMI_OPT_TEXT, AT(ask.group_by), "COL,...",
     "Group the runs by these columns, such as param.lr"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

static const struct smi_opt *const opts[] = {page, smi_opts_filter, order, smi_opts_summary, smi_opts_input,
                                             NULL};

static int run_report(int argc, char **argv);

const struct smi_cmd smi_cmd_report = {
    .name = "report",
    .args = "[OPTION]... [PATH]...",
    .takes = "FILE",
    .brief = "Write a report page for people, in one file",
    .opts = opts,
    .run = run_report,
};

static int run_report(int argc, char **argv)
{
    struct smi_settings set;
    smi_settings_init(&set);
    set.pages = true;
    return smi_run_command(&smi_cmd_report, argc, argv, &set, NULL, smi_read_and_write);
}
