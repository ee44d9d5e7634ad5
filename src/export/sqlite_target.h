/* sqlite_target.h - samples, marks and summaries into a SQLite file (export/sqlite_file.h), one transaction a
 * run: killed at any point, the next export finishes; the same logs again add nothing; of a log that has
 * grown the new rows are added; the rows of one that is not what it was are replaced, which is said. */
#ifndef SMI_EXPORT_SQLITE_TARGET_H
#define SMI_EXPORT_SQLITE_TARGET_H

#include "export/export.h"

extern const struct smi_target smi_target_sqlite;

#endif
