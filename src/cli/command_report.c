/* command_report.c - paths to runs to pages for people. */
#include "cli/read_runs.h"

#include <stddef.h>

#define AT(field) offsetof(struct smi_settings, field)

static const struct smi_opt page[] = {
    {"output", 'o', SMI_OPT_TEXT, AT(output), "FILE",
     "Where the page goes (smilog-report.html); its ending says which kind"},
    {"format", 0, SMI_OPT_TEXT, AT(format), "PAGE", "The kind, whatever the ending: see list outputs"},
    {"samples", 0, SMI_OPT_TEXT, AT(samples), "N|all",
     "Points of each curve at most; all: every run and reading, however large that gets"},
    {"all", 0, SMI_OPT_FLAG, AT(all), NULL, "Every run, however many: no budget for rows"},
    {"verbose", 'v', SMI_OPT_FLAG, AT(verbose), NULL, "Every warning"},
    {"quiet", 'q', SMI_OPT_FLAG, AT(quiet), NULL, "No warnings"},
    {"threads", 'j', SMI_OPT_COUNT | SMI_OPT_SETTABLE, AT(threads), "N", "Threads; never changes a result"},
    {"strict", 0, SMI_OPT_FLAG, AT(strict), NULL, "Exit with 1 if any row or file was doubtful"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

static const struct smi_opt order[] = {
    {"sort", 0, SMI_OPT_TEXT, AT(ask.sort), "[-]COL,...", "In this order; - is descending"},
    {"group-by", 0, SMI_OPT_TEXT, AT(ask.group_by), "COL,...", "The groups that runs are put in: param.lr"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

static const struct smi_opt *const opts[] = {page, smi_opts_filter, order, smi_opts_summary, smi_opts_input,
                                             NULL};

static int run_report(int argc, char **argv);

const struct smi_cmd smi_cmd_report = {
    .name = "report",
    .args = "[OPTION]... [PATH]...",
    .takes = "FILE",
    .brief = "Runs to a page for people, in one file",
    .help = "The same numbers as a page for people, in one file.",
    .examples = "  smilog report out/                        a page: smilog-report.html\n"
                "  smilog report out/ -o sweep.html          a page of another name\n"
                "  smilog report out/ -o sweep.md            a few lines for a pull request\n"
                "  smilog report --where 'idle_pct > 10' out/ -o idle.md\n"
                "  smilog report --price-gpu-hour 2.49 out/ -o sweep.md\n",
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
