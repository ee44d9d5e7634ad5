/* roff.h - text as man pages have it: the requests of man(7). */
#ifndef SMI_CLI_ROFF_H
#define SMI_CLI_ROFF_H

#include "base/buf.h"
#include "base/text.h"

/* Appends text so that roff prints each of its bytes; `words` between backquotes become bold. */
void smi_roff_text(struct smi_buf *to, struct smi_text text);
/* Appends the heading of a section. */
void smi_roff_section(struct smi_buf *to, const char *name);
/* Appends an entry: a term in bold, and the text below it. */
void smi_roff_entry(struct smi_buf *to, struct smi_text term, struct smi_text text);
/* Appends paragraphs, which blank lines separate. A line "  term  text" is an entry, which deeper lines go on
 * with; an indented line without two blanks inside stands as it is. */
void smi_roff_paragraphs(struct smi_buf *to, struct smi_text text);

#endif
