#include "export/sqlite_file.h"

#include "base/buf.h"
#include "model/field.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* samples and marks are deleted by hand: to look up the run of each row that is added costs too much. */
static const char schema[] =
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, place TEXT NOT NULL, leaf TEXT NOT NULL, name TEXT NOT NULL, "
    "host TEXT, state TEXT NOT NULL, time_base TEXT, start TEXT, \"end\" TEXT, UNIQUE(place, leaf)) STRICT;"
    "CREATE TABLE params(run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, key TEXT NOT NULL, "
    "value TEXT,"
    " PRIMARY KEY(run, key)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE gpus(run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, gpu INTEGER NOT NULL, idx "
    "INTEGER,"
    " uuid TEXT, bus TEXT, name TEXT, pooled INTEGER NOT NULL, PRIMARY KEY(run, gpu)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE inputs(run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, input INTEGER NOT NULL,"
    " path TEXT NOT NULL, nth INTEGER NOT NULL, format TEXT NOT NULL, base TEXT NOT NULL, bytes INTEGER NOT "
    "NULL,"
    " digest INTEGER NOT NULL, rows INTEGER NOT NULL, marks INTEGER NOT NULL, rows_digest INTEGER NOT NULL,"
    " marks_digest INTEGER NOT NULL, lines INTEGER, header INTEGER, counted INTEGER, duplicates INTEGER, "
    "blank INTEGER,"
    " messages INTEGER, rejected INTEGER, PRIMARY KEY(run, input)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE samples(run INTEGER NOT NULL, input INTEGER NOT NULL, row INTEGER NOT NULL, gpu INTEGER,"
    " t_ms INTEGER, PRIMARY KEY(run, input, row)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE marks(run INTEGER NOT NULL, input INTEGER NOT NULL, mark INTEGER NOT NULL, kind TEXT NOT "
    "NULL,"
    " name TEXT NOT NULL, t_us INTEGER NOT NULL, span_us INTEGER, data TEXT, extra TEXT,"
    " PRIMARY KEY(run, input, mark)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE summaries(run INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE, schema TEXT NOT "
    "NULL,"
    " partial TEXT NOT NULL) STRICT;";

/* What is there and no regular file is not opened: SQLite would write into a device. */
static int check_kind(const char *path, bool write, struct smi_err *err)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return write && errno == ENOENT ? 0 : smi_err_set(err, SMI_EIO, "%.300s: %s", path, strerror(errno));
    return S_ISREG(st.st_mode) ? 0 : smi_err_set(err, SMI_EIO, "%.300s: not a regular file", path);
}

/* A hostile file may have views where our tables should be, and they may have endless rows. */
static void disable_trusted_schema(struct smi_sql *s)
{
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
}

/* A file in a directory that may not be written, as on a medium for reading: SQLite would make two files
 * beside it. It is whole, if none of them is there, and nobody can change it. */
static int open_immutable(struct smi_sql *s, const char *path, struct smi_err *err)
{
    struct smi_buf uri = {0};
    struct stat st;
    int rc;
    smi_buf_fmt(&uri, "%s-wal", path);
    if (uri.failed || stat(uri.p, &st) == 0) {
        smi_buf_fini(&uri);
        return smi_sql_error(s, err);
    }
    smi_buf_clear(&uri);
    smi_buf_str(&uri, "file:");
    while (path[0] == '/' && path[1] == '/') /* what followed would be a host */
        path++;
    smi_buf_percent(&uri, smi_text_of(path), "/");
    smi_buf_str(&uri, "?immutable=1");
    sqlite3_close(s->db);
    s->db = NULL;
    rc = uri.failed ? smi_err_nomem(err) : 0;
    if (!rc &&
        sqlite3_open_v2(uri.p, &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL))
        rc = s->db ? smi_sql_error(s, err) : smi_err_nomem(err);
    smi_buf_fini(&uri);
    if (!rc)
        disable_trusted_schema(s);
    return rc;
}

/* Can it be read? Only a WAL that cannot be made is helped against. */
static int try_to_read(struct smi_sql *s, const char *path, struct smi_err *err)
{
    struct smi_err why = {0};
    int64_t id;
    if (smi_sql_number(s, "PRAGMA application_id", &id, &why) == 0)
        return 0;
    if (sqlite3_errcode(s->db) == SQLITE_CANTOPEN || sqlite3_errcode(s->db) == SQLITE_READONLY)
        return open_immutable(s, path, err);
    return smi_err_set(err, why.code, "%s", why.text);
}

/* To SQLite ":memory:" and "file:x?mode=memory" are no files, and what is written there is lost. */
static int open_file(struct smi_sql *s, const char *path, int flags, struct smi_err *err)
{
    struct smi_buf plain = {0};
    int rc;
    if (*path == ':' || strncmp(path, "file:", 5) == 0)
        smi_buf_str(&plain, "./");
    smi_buf_str(&plain, path);
    rc = plain.failed ? SQLITE_NOMEM : sqlite3_open_v2(plain.p, &s->db, flags, NULL);
    smi_buf_fini(&plain);
    if (rc == SQLITE_OK)
        return 0;
    return s->db ? smi_sql_error(s, err) : smi_err_nomem(err);
}

/* ---- the columns of runs that the catalogue of fields adds ---- */

/* Adds the columns that are missing; add false: only tells whether any is. */
static int add_columns(struct smi_sql *s, bool add, bool *missing, struct smi_err *err)
{
    static const char *const types[] = {"", "INTEGER", "REAL", "INTEGER", "TEXT"}; /* of an smi_datum_kind */
    char sql[128];
    int64_t has;
    *missing = false;
    for (int i = 0; i < SMI_RUN_FIELDS; i++) {
        const struct smi_field_info *f = &smi_run_fields[i];
        if (!f->stored)
            continue;
        if (smi_sql_find(s, &has, err, "SELECT 1 FROM pragma_table_info('runs') WHERE name=?", "t", f->key))
            return -1;
        *missing |= !has;
        sqlite3_snprintf(sizeof sql, sql, "ALTER TABLE runs ADD COLUMN \"%w\" %s", f->key, types[f->kind]);
        if (!has && add && smi_sql_run(s, sql, err))
            return -1;
    }
    return 0;
}

/* A file of an earlier program may lack some. Another export may add them at the same time. */
static int complete_runs(struct smi_sql *s, struct smi_err *err)
{
    bool missing;
    int rc = add_columns(s, false, &missing, err);
    if (rc || !missing)
        return rc;
    if (smi_sql_run(s, "BEGIN IMMEDIATE", err))
        return -1;
    rc = add_columns(s, true, &missing, err);
    return rc || smi_sql_run(s, "COMMIT", err) ? -1 : 0;
}

int smi_sqlite_open(struct smi_sql *s, const char *path, bool write, struct smi_err *err)
{
    int flags =
        SQLITE_OPEN_NOMUTEX | (write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY);
    bool empty;
    *s = (struct smi_sql){NULL, path};
    if (check_kind(path, write, err))
        return -1;
    if (open_file(s, path, flags, err))
        return -1;
    disable_trusted_schema(s);
    sqlite3_busy_timeout(s->db, SMI_SQL_WAIT_MS);
    if (!write && try_to_read(s, path, err))
        return -1;
    if (smi_sql_check(s, SMI_SQLITE_ID, SMI_SQLITE_VERSION, &empty, err))
        return -1;
    if (!write)
        return empty ? smi_err_set(err, SMI_EFORMAT, "%.300s: no run is stored there", path) : 0;
    if (smi_sql_use_wal(s, err) || smi_sql_run(s,
                                               "PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
                                               "PRAGMA cache_size=-16000",
                                               err))
        return -1;
    if (empty && smi_sql_make(s, schema, SMI_SQLITE_ID, SMI_SQLITE_VERSION, err))
        return -1;
    return complete_runs(s, err);
}

void smi_sqlite_close(struct smi_sql *s)
{
    sqlite3_close(s->db);
    s->db = NULL;
}
