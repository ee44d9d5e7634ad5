/* query_join_csv.h - a small CSV file with a head, whole in memory. */
#ifndef SMI_QUERY_QUERY_JOIN_CSV_H
#define SMI_QUERY_QUERY_JOIN_CSV_H

#include "base/err.h"
#include "base/mem.h"

struct smi_csv_file {
    struct smi_arena arena;
    const char **name; /* of the columns; one without a name is column3 */
    size_t columns;
    const char **cell; /* rows * columns, in the heap; NULL: empty */
    size_t rows, cap;
    size_t wide; /* rows with more cells than the head has: what is too much is left out */
};

/* Cells are cut at commas, semicolons or tabs, whichever the head has most of; RFC 4180 quotes, a byte order
 * mark and empty lines are no matter. Returns 0, or -1 with err (SMI_EUSAGE: it is none, or too large). */
int smi_csv_file_read(struct smi_csv_file *f, const char *path, size_t most_bytes, size_t most_columns,
                      struct smi_err *err);
void smi_csv_file_fini(struct smi_csv_file *f);

#endif
