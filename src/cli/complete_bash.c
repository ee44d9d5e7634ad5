/* complete_bash.c - one function with the values of all options as a case, for readline. */
#include "cli/commands.h"
#include "cli/complete.h"
#include "cli/text_files.h"

#include <string.h>

static void write_values(struct smi_buf *to, const char *arg)
{
    static const char *const form[] = {[SMI_VALUE_FREE] = ":",
                                       [SMI_VALUE_FILE] = "_smilog_files",
                                       [SMI_VALUE_DIRECTORY] = "_smilog_directories",
                                       [SMI_VALUE_PROGRAM] = "_smilog_program \"$i\"",
                                       [SMI_VALUE_WORDS] = "_smilog_words '%'",
                                       [SMI_VALUE_PREFIX] = "_smilog_prefixes '%'",
                                       [SMI_VALUE_LIST] = "_smilog_list '%'"};
    smi_values_write(to, smi_values_of(arg), form);
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

static void write_command(struct smi_buf *to, const struct smi_cmd *cmd)
{
    smi_buf_fmt(to, "    %s)\n", cmd->name);
    if (cmd->rest)
        write_rest(to, cmd);
    smi_buf_str(to, "        case $prev in\n");
    write_option_values(to, cmd);
    smi_buf_str(to, "        esac\n        options='");
    write_option_names(to, cmd);
    smi_buf_str(to, "'\n        [[ $cur == -* ]] || ");
    write_values(to, cmd->takes);
    smi_buf_str(to, "\n        ;;\n");
}

void smi_complete_bash(struct smi_buf *to)
{
    struct smi_values commands = smi_values_of("COMMAND");
    smi_buf_add(to, (const char *)smi_asset_bash, smi_asset_bash_n);
    smi_buf_fmt(to,
                "_smilog_choose() {\n"
                "    if ((COMP_CWORD == 1)); then\n"
                "        _smilog_words '%s --help --version'\n"
                "        return\n"
                "    fi\n",
                commands.words.p);
    smi_buf_fini(&commands.words);
    smi_buf_str(to, "    i=$COMP_CWORD\n"
                    "    case $command in\n");
    for (const struct smi_command *c = smi_commands; c->name; c++)
        write_command(to, c->cmd);
    smi_buf_str(to, "    esac\n"
                    "    [[ $cur != -* ]] || _smilog_words \"$options\"\n"
                    "}\n\n"
                    "complete -F _smilog smilog\n");
}
