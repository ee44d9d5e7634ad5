/* complete_fish.c - one `complete` for each command and option. */
#include "cli/commands.h"
#include "cli/complete.h"
#include "cli/man.h"
#include "cli/text_files.h"

#include <string.h>

/* Text in single quotes. */
static void write_help(struct smi_buf *to, struct smi_text text)
{
    smi_buf_char(to, '\'');
    for (size_t i = 0; i < text.n; i++) {
        if (strchr("'\\", text.p[i]))
            smi_buf_char(to, '\\');
        smi_buf_char(to, text.p[i]);
    }
    smi_buf_char(to, '\'');
}

/* The options of `complete` for values of that kind; `only`: the option needs one. */
static void write_values(struct smi_buf *to, const char *arg, bool only)
{
    static const char *const form[] = {
        [SMI_VALUE_FREE] = "",
        [SMI_VALUE_FILE] = " -F",
        [SMI_VALUE_DIRECTORY] = " -a '(__fish_complete_directories (commandline -ct))'",
        [SMI_VALUE_PROGRAM] = " -a '(__fish_complete_subcommand --fcs-skip=2)'",
        [SMI_VALUE_WORDS] = " -a '%'",
        [SMI_VALUE_PREFIX] = " -a '(__smilog_prefixes %)'",
        [SMI_VALUE_LIST] = " -a '(__smilog_list %)'"};
    const struct smi_values v = smi_values_of(arg);
    if (v.kind != SMI_VALUE_FILE)
        smi_buf_str(to, only ? " -x" : " -f");
    else if (only)
        smi_buf_str(to, " -r");
    smi_values_write(to, v, form);
}

static void write_option(struct smi_buf *to, const struct smi_cmd *cmd, const struct smi_opt *o)
{
    smi_buf_fmt(to, "complete -c smilog -n '__smilog_at %s' -l %s", cmd->name, o->name);
    if (o->letter)
        smi_buf_fmt(to, " -s %c", o->letter);
    if (o->arg)
        write_values(to, o->arg, true);
    smi_buf_str(to, " -d ");
    write_help(to, smi_text_of(o->help));
    smi_buf_char(to, '\n');
}

static void write_command(struct smi_buf *to, const struct smi_cmd *cmd)
{
    if (cmd->takes) {
        smi_buf_fmt(to, "complete -c smilog -n '__smilog_at %s'", cmd->name);
        write_values(to, cmd->takes, false);
        smi_buf_char(to, '\n');
    }
    for (size_t t = 0; cmd->opts && cmd->opts[t]; t++)
        for (const struct smi_opt *o = cmd->opts[t]; o->name; o++)
            write_option(to, cmd, o);
    write_option(to, cmd, &smi_opt_of_help);
}

void smi_complete_fish(struct smi_buf *to)
{
    smi_buf_add(to, (const char *)smi_asset_fish, smi_asset_fish_n);
    for (const struct smi_command *c = smi_commands; c->name; c++) {
        smi_buf_fmt(to, "complete -c smilog -n '__smilog_count 1' -a %s -d ", c->name);
        write_help(to, smi_text_of(c->cmd->brief));
        smi_buf_char(to, '\n');
    }
    for (const struct smi_command *c = smi_commands; c->name; c++)
        write_command(to, c->cmd);
}
