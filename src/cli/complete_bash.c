/* complete_bash.c - one function with the values of all options as a case, for readline. */
#include "cli/commands.h"
#include "cli/complete.h"

#include <string.h>

static const char functions[] =
    "# Completions of smilog for bash. Made by: smilog help --complete bash\n"
    "\n"
    "_smilog_offer() {\n"
    "    local IFS=$'\\n'\n"
    "    COMPREPLY=($(compgen \"$@\" -- \"$cur\"))\n"
    "}\n"
    "_smilog_words() {\n"
    "    COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))\n"
    "}\n"
    "_smilog_prefixes() { # sqlite: and the like, and a file behind it\n"
    "    case $cur in\n"
    "    *:*) local IFS=$'\\n'; COMPREPLY=($(compgen -f -P \"${cur%%:*}:\" -- \"${cur#*:}\")) ;;\n"
    "    *) _smilog_words \"$1\"; compopt -o nospace 2>/dev/null ;;\n"
    "    esac\n"
    "}\n"
    "_smilog_list() { # words with commas between; the first may follow a -\n"
    "    local before=''\n"
    "    case $cur in *,*) before=${cur%,*}, ;; -*) before=- ;; esac\n"
    "    COMPREPLY=($(compgen -P \"$before\" -W \"$1\" -- \"${cur#\"$before\"}\"))\n"
    "    compopt -o nospace 2>/dev/null\n"
    "}\n"
    "_smilog_files() {\n"
    "    _smilog_offer -f\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n"
    "_smilog_directories() {\n"
    "    _smilog_offer -d\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n"
    "_smilog_program() { # the first word is $1: a program, with words of its own\n"
    "    if [[ $COMP_CWORD -eq $1 ]]; then\n"
    "        _smilog_offer -c\n"
    "    elif declare -F _command_offset >/dev/null; then\n"
    "        _command_offset \"$1\"\n"
    "    else\n"
    "        _smilog_files\n"
    "    fi\n"
    "}\n"
    "# Readline cuts words at = and : ; joins what belongs to cur, and finds the option that cur is the "
    "value of.\n"
    "_smilog_join() {\n"
    "    local i=$COMP_CWORD\n"
    "    cur=${COMP_WORDS[i]} prev=${COMP_WORDS[i - 1]} cut=''\n"
    "    while ((i > 1)) && [[ ${COMP_WORDS[i]} == [=:]* || ${COMP_WORDS[i - 1]} == [=:] ]]; do\n"
    "        ((i--))\n"
    "        if [[ ${COMP_WORDS[i]} == -* ]]; then\n"
    "            prev=${COMP_WORDS[i]} cur=${cur#=} cut=${cut#=}\n"
    "            return\n"
    "        fi\n"
    "        cur=${COMP_WORDS[i]}$cur cut=${COMP_WORDS[i]}$cut prev=${COMP_WORDS[i - 1]}\n"
    "    done\n"
    "    [[ ${COMP_WORDS[COMP_CWORD]} == [=:] ]] && cut=$cur\n"
    "}\n"
    "\n"
    "_smilog() {\n"
    "    local cur prev cut command=${COMP_WORDS[1]} options='' i\n"
    "    COMPREPLY=()\n"
    "    _smilog_join\n"
    "    _smilog_choose\n"
    "    [[ -z $cut ]] || for i in \"${!COMPREPLY[@]}\"; do COMPREPLY[i]=${COMPREPLY[i]#\"$cut\"}; done\n"
    "}\n"
    "\n";

static void write_values(struct smi_buf *to, const char *arg)
{
    struct smi_values v = smi_values_of(arg);
    switch (v.kind) {
    case SMI_VALUE_FREE:
        smi_buf_char(to, ':');
        break;
    case SMI_VALUE_FILE:
        smi_buf_str(to, "_smilog_files");
        break;
    case SMI_VALUE_DIRECTORY:
        smi_buf_str(to, "_smilog_directories");
        break;
    case SMI_VALUE_PROGRAM:
        smi_buf_str(to, "_smilog_program \"$i\"");
        break;
    case SMI_VALUE_WORDS:
        smi_buf_fmt(to, "_smilog_words '%s'", v.words.p);
        break;
    case SMI_VALUE_PREFIX:
        smi_buf_fmt(to, "_smilog_prefixes '%s'", v.words.p);
        break;
    case SMI_VALUE_LIST:
        smi_buf_fmt(to, "_smilog_list '%s'", v.words.p);
        break;
    }
    smi_buf_fini(&v.words);
}

static void write_option_values(struct smi_buf *to, const struct smi_cmd *cmd)
{
    for (size_t t = 0; cmd->opts && cmd->opts[t]; t++)
        for (const struct smi_opt *o = cmd->opts[t]; o->name; o++) {
            if (!o->arg)
                continue;
            smi_buf_fmt(to, "        --%s", o->name);
            if (o->letter)
                smi_buf_fmt(to, " | -%c", o->letter);
            smi_buf_str(to, ") ");
            write_values(to, o->arg);
            smi_buf_str(to, "; return ;;\n");
        }
}

static void write_option_names(struct smi_buf *to, const struct smi_cmd *cmd)
{
    smi_buf_str(to, "--help");
    for (size_t t = 0; cmd->opts && cmd->opts[t]; t++)
        for (const struct smi_opt *o = cmd->opts[t]; o->name; o++)
            smi_buf_fmt(to, " --%s", o->name);
}

/* Where the words of another program begin: behind options and their values, and behind --. */
static void write_rest(struct smi_buf *to, const struct smi_cmd *cmd)
{
    smi_buf_str(to, "        for ((i = 2; i < COMP_CWORD; i++)); do\n"
                    "            case ${COMP_WORDS[i]} in\n"
                    "            --) ((i++)); break ;;\n"
                    "            -h");
    for (size_t t = 0; cmd->opts && cmd->opts[t]; t++)
        for (const struct smi_opt *o = cmd->opts[t]; o->name; o++) {
            if (!o->arg)
                continue;
            smi_buf_fmt(to, " | --%s", o->name);
            if (o->letter)
                smi_buf_fmt(to, " | -%c", o->letter);
        }
    smi_buf_str(to, ") [[ ${COMP_WORDS[i + 1]} != = ]] || ((i++)); ((i++)) ;;\n"
                    "            -*) ;;\n"
                    "            *) break ;;\n"
                    "            esac\n"
                    "        done\n"
                    "        if ((i < COMP_CWORD)) || [[ ${COMP_WORDS[i - 1]} == -- ]]; then\n"
                    "            _smilog_program \"$i\"\n"
                    "            return\n"
                    "        fi\n");
}

/* A command, or "subtrack analyze": pattern is what the case has. */
static void write_command(struct smi_buf *to, const struct smi_cmd *cmd, const char *pattern)
{
    smi_buf_fmt(to, "    %s)\n", pattern);
    if (cmd->rest)
        write_rest(to, cmd);
    smi_buf_str(to, "        case $prev in\n");
    write_option_values(to, cmd);
    smi_buf_str(to, "        esac\n        options='");
    write_option_names(to, cmd);
    smi_buf_str(to, "'\n        [[ $cur == -* ]] || ");
    if (cmd->words) {
        smi_buf_str(to, "_smilog_words '");
        for (size_t i = 0; cmd->words[i]; i++)
            smi_buf_fmt(to, "%s%s", i ? " " : "", cmd->words[i]->name + strlen(cmd->name) + 1);
        smi_buf_char(to, '\'');
    } else {
        write_values(to, cmd->takes);
    }
    smi_buf_str(to, "\n        ;;\n");
}

void smi_complete_bash(struct smi_buf *to)
{
    struct smi_values commands = smi_values_of("COMMAND");
    smi_buf_str(to, functions);
    smi_buf_fmt(to,
                "_smilog_choose() {\n"
                "    if ((COMP_CWORD == 1)); then\n"
                "        _smilog_words '%s --help --version'\n"
                "        return\n"
                "    fi\n",
                commands.words.p);
    smi_buf_fini(&commands.words);
    smi_buf_str(to, "    i=$COMP_CWORD\n"
                    "    [[ $command != subtrack || $COMP_CWORD -eq 2 ]] || command+=\" ${COMP_WORDS[2]}\"\n"
                    "    case $command in\n");
    for (const struct smi_command *c = smi_commands; c->name; c++) {
        write_command(to, c->cmd, c->name);
        for (size_t i = 0; c->cmd->words && c->cmd->words[i]; i++) {
            struct smi_buf pattern = {0};
            smi_buf_fmt(&pattern, "'%s'", c->cmd->words[i]->name);
            write_command(to, c->cmd->words[i], pattern.p ? pattern.p : "");
            to->failed |= pattern.failed;
            smi_buf_fini(&pattern);
        }
    }
    smi_buf_str(to, "    esac\n"
                    "    [[ $cur != -* ]] || _smilog_words \"$options\"\n"
                    "}\n\n"
                    "complete -F _smilog smilog\n");
}
