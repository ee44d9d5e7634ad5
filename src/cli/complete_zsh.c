/* complete_zsh.c - a specification for _arguments of each command. */
#include "cli/commands.h"
#include "cli/complete.h"
#include "cli/man.h"
#include "cli/text_files.h"

#include <string.h>

/* Text between quotes and brackets of a specification. */
static void write_help(struct smi_buf *to, struct smi_text text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (strchr("[]:\\", text.p[i]))
            smi_buf_char(to, '\\');
        if (text.p[i] == '\'')
            smi_buf_str(to, "'\\'");
        smi_buf_char(to, text.p[i]);
    }
}

/* What may stand there: _files, (a b c). */
static void write_action(struct smi_buf *to, const char *arg)
{
    static const char *const form[] = {[SMI_VALUE_FREE] = " ",
                                       [SMI_VALUE_FILE] = "_files",
                                       [SMI_VALUE_DIRECTORY] = "_files -/",
                                       [SMI_VALUE_PROGRAM] = "_command_names -e",
                                       [SMI_VALUE_WORDS] = "(%)",
                                       [SMI_VALUE_PREFIX] = "{_smilog_prefixes %}",
                                       [SMI_VALUE_LIST] = "{_smilog_list %}"};
    struct smi_buf action = {0};
    smi_values_write(&action, smi_values_of(arg), form);
    write_help(to, (struct smi_text){action.p, action.n});
    smi_buf_fini(&action);
}

static void write_option(struct smi_buf *to, const struct smi_opt *o)
{
    const bool again = smi_opt_kind(o) == SMI_OPT_LIST || smi_opt_kind(o) == SMI_OPT_EACH;
    smi_buf_str(to, "      ");
    if (o->letter && again)
        smi_buf_fmt(to, "'*'{-%c+,--%s=}'", o->letter, o->name);
    else if (o->letter)
        smi_buf_fmt(to, "'(-%c --%s)'{-%c%s,--%s%s}'", o->letter, o->name, o->letter, o->arg ? "+" : "",
                    o->name, o->arg ? "=" : "");
    else
        smi_buf_fmt(to, "'%s--%s%s", again ? "*" : "", o->name, o->arg ? "=" : "");
    smi_buf_char(to, '[');
    write_help(to, smi_text_of(o->help));
    smi_buf_char(to, ']');
    if (o->arg) {
        smi_buf_char(to, ':');
        write_help(to, smi_text_of(o->arg));
        smi_buf_char(to, ':');
        write_action(to, o->arg);
    }
    smi_buf_str(to, "' \\\n");
}

static void write_arguments(struct smi_buf *to, const struct smi_cmd *cmd)
{
    smi_buf_fmt(to, "    _arguments -s -S%s \\\n", cmd->rest ? " -A '-*'" : "");
    for (size_t t = 0; cmd->opts && cmd->opts[t]; t++)
        for (const struct smi_opt *o = cmd->opts[t]; o->name; o++)
            write_option(to, o);
    write_option(to, &smi_opt_of_help);
    if (cmd->rest) {
        smi_buf_str(to, "      '(-)1:program: _command_names -e' '*::argument: _normal'\n");
        return;
    }
    smi_buf_str(to, "      '*:");
    write_help(to, smi_text_of(cmd->takes ? cmd->takes : "nothing"));
    smi_buf_char(to, ':');
    write_action(to, cmd->takes);
    smi_buf_str(to, "'\n");
}

/* A list of names with what each is, for _describe. */
static void write_choice(struct smi_buf *to, const char *name, struct smi_text help)
{
    smi_buf_fmt(to, "      '%s:", name);
    write_help(to, help);
    smi_buf_str(to, "'\n");
}

void smi_complete_zsh(struct smi_buf *to)
{
    smi_buf_add(to, (const char *)smi_asset_zsh, smi_asset_zsh_n);
    smi_buf_str(to, "_smilog() {\n"
                    "  if (( CURRENT == 2 )); then\n"
                    "    local -a choices=(\n");
    for (const struct smi_command *c = smi_commands; c->name; c++)
        write_choice(to, c->name, smi_text_of(c->cmd->brief));
    smi_buf_str(to, "    )\n"
                    "    _describe command choices\n"
                    "    return\n"
                    "  fi\n"
                    "  shift words\n"
                    "  (( CURRENT-- ))\n"
                    "  case $words[1] in\n");
    for (const struct smi_command *c = smi_commands; c->name; c++) {
        smi_buf_fmt(to, "  %s)\n", c->name);
        write_arguments(to, c->cmd);
        smi_buf_str(to, "  ;;\n");
    }
    smi_buf_str(to, "  esac\n"
                    "}\n\n"
                    "_smilog \"$@\"\n");
}
