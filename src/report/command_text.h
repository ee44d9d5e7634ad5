/* command_text.h - a tracked command in words: how it ended, its figures. */
#ifndef SMI_REPORT_COMMAND_TEXT_H
#define SMI_REPORT_COMMAND_TEXT_H

#include "report/table.h"
#include "summary/command.h"

/* The command, safe, its middle left out if it is long; NULL: not known. */
const char *smi_command_text(struct smi_text_arena *g, const struct smi_summary *s);
/* "exit status 3", "killed by SIGKILL (exit status 137)", "no end in the run log"; "" if nothing is known.
 * Safe. */
const char *smi_command_end(struct smi_text_arena *g, const struct smi_summary *s);
/* Begins a table of what the command of a run used, a row a resource. Returns whether it has any; else there
 * is nothing to free. */
bool smi_command_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *s);
/* Begins a table with a row for each run whose command was tracked, of the first `most`. Returns how many
 * such runs there are; 0: there is nothing to free. */
size_t smi_commands_table(struct smi_report_table *t, struct smi_text_arena *g, size_t most);

#endif
