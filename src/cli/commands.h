/* commands.h - the table of commands. */
#ifndef SMI_CLI_COMMANDS_H
#define SMI_CLI_COMMANDS_H

#include "cli/option.h"

struct smi_command {
    const char *name; /* NULL ends the table */
    const struct smi_cmd *cmd;
};

extern const struct smi_command smi_commands[];
extern const struct smi_cmd smi_cmd_help;

/* The command of that name, or NULL with err. */
const struct smi_cmd *smi_command_find(const char *name, struct smi_err *err);
/* Appends what smilog is for and the list of its commands. */
void smi_write_usage(struct smi_buf *to);
/* Appends what the last of n words behind "smilog" may become: a line "KIND AT", what the shell does behind
 * the first AT bytes of that word (for program: the number of the word with its name), then lines
 * "WORD<tab>HELP". Nothing if the first word is no command. */
void smi_complete(struct smi_buf *to, int n, char **words);

#endif
