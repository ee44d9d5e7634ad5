/* sql.h - SQLite files of our own: whose a file is, and what goes wrong with it in one shape. */
#pragma once

#include "base/err.h"

#include <sqlite3.h>
#include <stdbool.h>

/* A connection, and the name of its file for messages. */
struct smi_sql {
    sqlite3 *db;
    const char *name;
};

/* What the connection met last, as err. Returns -1. */
int smi_sql_error(const struct smi_sql *s, struct smi_err *err);
/* Returns 0, or -1 with err. */
int smi_sql_run(const struct smi_sql *s, const char *sql, struct smi_err *err);
/* A statement for many rows, to be ended with sqlite3_finalize; NULL with err. */
sqlite3_stmt *smi_sql_prepare(const struct smi_sql *s, const char *sql, struct smi_err *err);
/* A statement that gives nothing: does it, and makes it ready for the next row. */
int smi_sql_step(const struct smi_sql *s, sqlite3_stmt *st, struct smi_err *err);

/* A statement with its arguments: for each letter of types one of i (int64_t), d (double) or t (a text that
 * ends with NUL, or NULL for null; it stays borrowed), and for "-" null and no argument. NULL with err. */
sqlite3_stmt *smi_sql_bind(const struct smi_sql *s, struct smi_err *err, const char *sql, const char *types,
                           ...);
/* The same of a statement that gives one row or none: does it. *v, if v is not NULL: the first number of the
 * row; 0 where there is none. Returns 0, or -1 with err. */
int smi_sql_do(const struct smi_sql *s, int64_t *v, struct smi_err *err, const char *sql, const char *types,
               ...);
/* The next row of a statement, which may be NULL where err says why. Returns 1; 0 at the end; or -1 with err.
 * Behind the last row, and after an error, the statement is finalized. */
int smi_sql_next(const struct smi_sql *s, sqlite3_stmt *st, struct smi_err *err);

enum { SMI_SQL_WAIT_MS = 10000 }; /* for another process that has the file */
/* Readers do not block a writer then. Where another process has the file, SQLite refuses this at once, and
 * does not wait for its busy timeout: this waits up to SMI_SQL_WAIT_MS. Returns 0, or -1 with err. */
int smi_sql_use_wal(const struct smi_sql *s, struct smi_err *err);
/* Is the file ours (application_id, user_version), or empty? Nothing is written before that is known. Returns
 * 0, or -1 with err: it is another program's, or another version's. */
int smi_sql_check(const struct smi_sql *s, int32_t id, int version, bool *empty, struct smi_err *err);
/* Makes the tables of an empty file and its id and version, in one transaction. */
int smi_sql_make(const struct smi_sql *s, const char *schema, int32_t id, int version, struct smi_err *err);
