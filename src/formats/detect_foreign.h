/* detect_foreign.h - logs of other tools that we know and do not read: told by name, never guessed at. */
#ifndef SMI_FORMATS_DETECT_FOREIGN_H
#define SMI_FORMATS_DETECT_FOREIGN_H

#include "base/text.h"

enum { SMI_FOREIGN_CELLS = 512 };

/* A line as the rules see it. Everything is borrowed from the line. */
struct smi_foreign_line {
    struct smi_text line; /* trimmed */
    size_t n;             /* cells between commas, at most SMI_FOREIGN_CELLS: the rest is not looked at */
    struct smi_text cell[SMI_FOREIGN_CELLS]; /* trimmed, without a unit in brackets */
};
void smi_foreign_line(struct smi_foreign_line *l, struct smi_text line);

/* What the line proves its file to be ("an nvidia-smi pmon log: not read yet"), or NULL. */
const char *smi_foreign(const struct smi_foreign_line *l);
/* What the line makes likely, if nothing else is found in the file, or NULL. */
const char *smi_foreign_hint(const struct smi_foreign_line *l);

#endif
