/* complete_zsh.c - a specification for _arguments of each command. */
#include "cli/commands.h"
#include "cli/complete.h"

#include <string.h>

static const char functions[] = "#compdef smilog\n"
                                "# Completions of smilog for zsh. Made by: smilog help --complete zsh\n"
                                "\n"
                                "_smilog_list() { # words with commas between; the first may follow a -\n"
                                "  compset -P '*,' || compset -P '-'\n"
                                "  compadd -q -S , -- \"$@\"\n"
                                "}\n"
                                "_smilog_prefixes() { # sqlite: and the like: files behind them\n"
                                "  if compset -P '*:'; then\n"
                                "    _files\n"
                                "  else\n"
                                "    compadd -S '' -- \"$@\"\n"
                                "  fi\n"
                                "}\n"
                                "\n";

/* Text between quotes and brackets of a specification. */
static void write_help(struct smi_buf *to, const char *text)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            smi_buf_char(to, '\\');
        if (*text == '\'')
            smi_buf_str(to, "'\\'");
        smi_buf_char(to, *text);
    }
}

/* What may stand there: _files, (a b c). */
static void write_action(struct smi_buf *to, const char *arg)
{
    struct smi_values v = smi_values_of(arg);
    switch (v.kind) {
    case SMI_VALUE_FREE:
        smi_buf_char(to, ' ');
        break;
    case SMI_VALUE_FILE:
        smi_buf_str(to, "_files");
        break;
    case SMI_VALUE_DIRECTORY:
        smi_buf_str(to, "_files -/");
        break;
    case SMI_VALUE_PROGRAM:
        smi_buf_str(to, "_command_names -e");
        break;
    case SMI_VALUE_WORDS:
        smi_buf_fmt(to, "(%s)", v.words.p);
        break;
    case SMI_VALUE_PREFIX:
        smi_buf_str(to, "{_smilog_prefixes ");
        write_help(to, v.words.p);
        smi_buf_char(to, '}');
        break;
    case SMI_VALUE_LIST:
        smi_buf_fmt(to, "{_smilog_list %s}", v.words.p);
        break;
    }
    smi_buf_fini(&v.words);
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
    write_help(to, o->help);
    smi_buf_char(to, ']');
    if (o->arg) {
        smi_buf_char(to, ':');
        write_help(to, o->arg);
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
    write_help(to, cmd->takes ? cmd->takes : "nothing");
    smi_buf_char(to, ':');
    write_action(to, cmd->takes);
    smi_buf_str(to, "'\n");
}

/* A list of names with what each is, for _describe. */
static void write_choice(struct smi_buf *to, const char *name, const char *help)
{
    smi_buf_fmt(to, "      '%s:", name);
    write_help(to, help);
    smi_buf_str(to, "'\n");
}

static void write_words(struct smi_buf *to, const struct smi_cmd *cmd)
{
    const size_t skip = strlen(cmd->name) + 1;
    smi_buf_str(to, "    if (( CURRENT == 2 )); then\n"
                    "      local -a choices=(\n");
    for (size_t i = 0; cmd->words[i]; i++)
        write_choice(to, cmd->words[i]->name + skip, cmd->words[i]->help);
    smi_buf_str(to, "      )\n"
                    "      _describe command choices\n"
                    "      return\n"
                    "    fi\n"
                    "    shift words\n"
                    "    (( CURRENT-- ))\n"
                    "    case $words[1] in\n");
    for (size_t i = 0; cmd->words[i]; i++) {
        smi_buf_fmt(to, "    %s)\n", cmd->words[i]->name + skip);
        write_arguments(to, cmd->words[i]);
        smi_buf_str(to, "    ;;\n");
    }
    smi_buf_str(to, "    esac\n");
}

void smi_complete_zsh(struct smi_buf *to)
{
    smi_buf_str(to, functions);
    smi_buf_str(to, "_smilog() {\n"
                    "  if (( CURRENT == 2 )); then\n"
                    "    local -a choices=(\n");
    for (const struct smi_command *c = smi_commands; c->name; c++)
        write_choice(to, c->name, c->cmd->brief);
    smi_buf_str(to, "    )\n"
                    "    _describe command choices\n"
                    "    return\n"
                    "  fi\n"
                    "  shift words\n"
                    "  (( CURRENT-- ))\n"
                    "  case $words[1] in\n");
    for (const struct smi_command *c = smi_commands; c->name; c++) {
        smi_buf_fmt(to, "  %s)\n", c->name);
        (c->cmd->words ? write_words : write_arguments)(to, c->cmd);
        smi_buf_str(to, "  ;;\n");
    }
    smi_buf_str(to, "  esac\n"
                    "}\n\n"
                    "_smilog \"$@\"\n");
}
