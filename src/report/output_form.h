/* output_form.h - forms of an output, chosen by their name or by the ending of a file. */
#ifndef SMI_REPORT_OUTPUT_FORM_H
#define SMI_REPORT_OUTPUT_FORM_H

#include <stddef.h>

/* How the rows of a table of forms begin. A row without a name ends the table. */
struct smi_output_form {
    const char *name, *ending; /* --format NAME; ending of -o that chooses it, or NULL */
};

/* The place in a table, whose rows are `stride` bytes apart, of the form with this name, or of the one that
 * the ending of the path chooses; or -1. A path needs more than an ending. */
int smi_output_form_by_name(const void *table, size_t stride, const char *name);
int smi_output_form_by_ending(const void *table, size_t stride, const char *path);

#endif
