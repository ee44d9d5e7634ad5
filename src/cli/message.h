/* message.h - one sentence, and the status for the shell. */
#ifndef SMI_CLI_MESSAGE_H
#define SMI_CLI_MESSAGE_H

#include "cli/option.h"

/* Prints "smilog: text" on standard error and gives the exit code for err; after an error of usage also which
 * help to try: that of the command cmd, of smilog itself for "", none for NULL. */
int smi_fail(const struct smi_err *err, const char *cmd);
/* Writes text to standard output, and ends b. Returns an smi_exit. */
int smi_print(struct smi_buf *b);

#endif
