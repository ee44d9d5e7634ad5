/* usage_private.h - what the files of this room share: the cells of a tracking file, and its rows in SQLite.
 */
#ifndef SMI_PROCESS_USAGE_PRIVATE_H
#define SMI_PROCESS_USAGE_PRIVATE_H

#include "process/usage_file.h"

void smi_usage_static_cells(struct smi_usage_cell cell[SMI_USAGE_STATIC], const struct smi_usage_machine *m,
                            const struct smi_usage_units *units);
void smi_usage_cells(struct smi_usage_cell cell[SMI_USAGE_COLUMNS], const struct smi_usage_sample *s,
                     const struct smi_usage_machine *m, const struct smi_usage_units *units);

/* Makes the tables in the empty file at path, and the row of static_data. Returns 0, or -1 with err. */
int smi_usage_db_begin(struct smi_usage_file *f, struct smi_err *err);
int smi_usage_db_add(struct smi_usage_file *f, const struct smi_usage_cell cell[SMI_USAGE_COLUMNS],
                     struct smi_err *err);
int smi_usage_db_end(struct smi_usage_file *f, struct smi_err *err);

#endif
