/* query_result.h - a statement's rows into an answer. */
#ifndef SMI_QUERY_QUERY_RESULT_H
#define SMI_QUERY_QUERY_RESULT_H

#include "query/query_db.h"

/* All rows of a statement. Returns 0, or -1 with err. */
int smi_result_read(struct smi_result *r, struct smi_db *d, const char *opt, sqlite3_stmt *st,
                    struct smi_err *err);
/* A real number as smi_result has it; to has SMI_MICRO_TEXT bytes. Returns its length; 0 of one that is not
 * finite. */
size_t smi_real_text(char *to, double v);

#endif
