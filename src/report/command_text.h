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
/* Shown in GiB, where the most is one or more. x: of the whole of a row. */
bool smi_command_in_gib(const struct smi_command_figures *x, const struct smi_command_use *u);
/* "% of a core", "GiB", "" */
const char *smi_command_unit(struct smi_text_arena *g, const struct smi_command_use *u, bool large);
/* A mean, or the most, of x; "-": it is not there. */
const char *smi_command_figure(struct smi_text_arena *g, const struct smi_command_use *u,
                               const struct smi_command_figures *x, bool mean, bool large);
/* Begins a table of what the command of a run used, a row a resource. Returns whether it has any; else there
 * is nothing to free. */
bool smi_command_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_summary *s);
/* "all", "main", "descendants" */
extern const char *const smi_command_part_names[SMI_COMMAND_PARTS];

#endif
