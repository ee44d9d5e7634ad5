/* write_result.h - the way out of a sweep: the answer, the text, the file. */
#ifndef SMI_CLI_WRITE_RESULT_H
#define SMI_CLI_WRITE_RESULT_H

#include "cli/settings.h"

/* Answers what is asked of the sweep: chooses its runs, or makes rows. Returns an smi_exit. */
int smi_apply_query(struct smi_sweep *s, const struct smi_settings *set, struct smi_result *rows);
/* Answers what is asked of the sweep, and writes it as the settings want it. Returns an smi_exit. */
int smi_write_result(struct smi_sweep *s, const struct smi_settings *set);
/* Writes rows that no sweep was asked for. Returns an smi_exit. */
int smi_write_rows(const struct smi_result *rows, const struct smi_settings *set);
/* Tells sentences, each with its NUL, as warnings, unless --quiet. */
void smi_print_sentences(const struct smi_buf *said, const struct smi_settings *set);
/* Writes the whole text to --output, or to standard output, and ends it. Returns an smi_exit. */
int smi_write_text(struct smi_buf *text, const struct smi_settings *set);

/* By the settings, the terminal and the environment; borrows from set. */
struct smi_render_options smi_render_options_of(const struct smi_settings *set);

#endif
