/* foreign.h - what other tools write that is no log here: known by name, never guessed at. */
#ifndef SMI_FORMATS_FOREIGN_H
#define SMI_FORMATS_FOREIGN_H

#include "base/text.h"

#include <stdbool.h>

/* What this line, which is trimmed and not empty, makes of its file: a sentence part that names it and says
 * which command makes a log ("the table of rocm-smi: add --csv to it"), or NULL. sure: only what it makes of
 * it whatever stands below; else also what holds if nothing below is a log. */
const char *smi_foreign_find(struct smi_text line, bool sure);
/* The same of the first bytes of a file that is no text. */
const char *smi_foreign_magic(const char *p, size_t n);

#endif
