/* command_help.c - help texts, man pages and completions, all from the tables of commands and options. */
#include "cli/commands.h"
#include "cli/complete.h"
#include "cli/man.h"

#include <stddef.h>
#include <string.h>

struct settings {
    bool man, man_list;
    int shell; /* place in SHELLS, or -1 */
};

#define SHELLS "bash|zsh|fish"
static void (*const write_completions[])(struct smi_buf *) = {smi_complete_bash, smi_complete_zsh,
                                                              smi_complete_fish}; /* as SHELLS */

#define AT(field) offsetof(struct settings, field)

static const struct smi_opt own[] = {
    {"man", 0, SMI_OPT_FLAG, AT(man), NULL, "Print the man page of COMMAND, or of formats or json, as roff"},
    {"man-list", 0, SMI_OPT_FLAG, AT(man_list), NULL, "Print the file names of all man pages"},
    {"complete", 0, SMI_OPT_WORD, AT(shell), SHELLS, "Print completions for this shell"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

static int run_help(int argc, char **argv);

const struct smi_cmd smi_cmd_help = {
    .name = "help",
    .args = "[OPTION]... [COMMAND]",
    .takes = "COMMAND",
    .brief = "Show help for smilog or for a command",
    .opts = (const struct smi_opt *const[]){own, NULL},
    .run = run_help,
};

static int write_help(struct smi_buf *to, const char *name, struct smi_err *err)
{
    const struct smi_cmd *cmd = name ? smi_command_find(name, err) : NULL;
    if (name && !cmd)
        return -1;
    if (cmd)
        smi_opt_help(to, cmd);
    else
        smi_write_usage(to);
    return 0;
}

static int run_help(int argc, char **argv)
{
    struct settings set = {.shell = -1};
    struct smi_err err = {0};
    struct smi_buf b = {0};
    int rc = smi_opt_begin(&smi_cmd_help, &argc, argv, &set);
    const char *name = argc > 1 ? argv[1] : NULL;
    if (rc >= 0)
        return rc;
    if (argc > 2)
        rc = smi_err_set(&err, SMI_EUSAGE, "help takes one COMMAND: what is \"%.100s\"?", argv[2]);
    else if (set.shell >= 0)
        rc = (write_completions[set.shell](&b), 0);
    else if (set.man_list)
        rc = (smi_man_list(&b), 0);
    else
        rc = (set.man ? smi_man_write : write_help)(&b, name, &err);
    if (!rc)
        return smi_print(&b);
    smi_buf_fini(&b);
    return smi_fail(&err, "");
}
