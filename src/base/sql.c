#include "base/sql.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"

int smi_sql_error(const struct smi_sql *s, struct smi_err *err)
{
    if (!s->db || sqlite3_errcode(s->db) == SQLITE_NOMEM)
        smi_mem_exhausted();
    /* one text for 30 causes: the system's error and the code name it */
    if (sqlite3_errcode(s->db) == SQLITE_IOERR)
        return smi_err_set(err, SMI_EIO, "%.300s: %s (%s; SQLite's code %d)", s->name, sqlite3_errmsg(s->db),
                           strerror(sqlite3_system_errno(s->db)), sqlite3_extended_errcode(s->db));
    return smi_err_set(err, SMI_EIO, "%.300s: %s", s->name, sqlite3_errmsg(s->db));
}

int smi_sql_run(const struct smi_sql *s, const char *sql, struct smi_err *err)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : smi_sql_error(s, err);
}

sqlite3_stmt *smi_sql_prepare(const struct smi_sql *s, const char *sql, struct smi_err *err)
{
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &st, NULL) != SQLITE_OK)
        smi_sql_error(s, err);
    return st;
}

int smi_sql_step(const struct smi_sql *s, sqlite3_stmt *st, struct smi_err *err)
{
    int rc = sqlite3_step(st) == SQLITE_DONE ? 0 : smi_sql_error(s, err);
    sqlite3_reset(st);
    return rc;
}

/* A TEXT of SQLite is valid UTF-8. */
static void bind_text(sqlite3_stmt *st, int at, const char *text)
{
    struct smi_buf valid = {0};
    if (!text || smi_text_is_utf8(smi_text_of(text))) {
        sqlite3_bind_text(st, at, text, -1, SQLITE_STATIC);
        return;
    }
    smi_buf_utf8(&valid, text);
    sqlite3_bind_text(st, at, valid.p, -1, SQLITE_TRANSIENT);
    smi_buf_fini(&valid);
}

static sqlite3_stmt *bind_all(const struct smi_sql *s, const char *sql, const char *types, va_list ap,
                              struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(s, sql, err);
    for (int i = 0; st && types[i]; i++)
        if (types[i] == 'i')
            sqlite3_bind_int64(st, i + 1, va_arg(ap, int64_t));
        else if (types[i] == 'd')
            sqlite3_bind_double(st, i + 1, va_arg(ap, double));
        else if (types[i] == 't')
            bind_text(st, i + 1, va_arg(ap, const char *));
    return st;
}

sqlite3_stmt *smi_sql_bind(const struct smi_sql *s, struct smi_err *err, const char *sql, const char *types,
                           ...)
{
    sqlite3_stmt *st;
    va_list ap;
    va_start(ap, types);
    st = bind_all(s, sql, types, ap, err);
    va_end(ap);
    return st;
}

int smi_sql_do(const struct smi_sql *s, int64_t *v, struct smi_err *err, const char *sql, const char *types,
               ...)
{
    sqlite3_stmt *st;
    va_list ap;
    int rc;
    va_start(ap, types);
    st = bind_all(s, sql, types, ap, err);
    va_end(ap);
    rc = smi_sql_next(s, st, err);
    if (v)
        *v = rc > 0 ? sqlite3_column_int64(st, 0) : 0;
    if (rc > 0)
        sqlite3_finalize(st);
    return rc < 0 ? -1 : 0;
}

int smi_sql_next(const struct smi_sql *s, sqlite3_stmt *st, struct smi_err *err)
{
    int step = st ? sqlite3_step(st) : SQLITE_ERROR;
    if (step == SQLITE_ROW)
        return 1;
    if (st && step != SQLITE_DONE)
        smi_sql_error(s, err);
    sqlite3_finalize(st);
    return step == SQLITE_DONE ? 0 : -1;
}

int smi_sql_use_wal(const struct smi_sql *s, struct smi_err *err)
{
    int64_t until = smi_clock_now_ms() + SMI_SQL_WAIT_MS;
    int rc;
    while ((rc = sqlite3_exec(s->db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL)) == SQLITE_BUSY &&
           smi_clock_now_ms() < until)
        sqlite3_sleep(10);
    return rc == SQLITE_OK ? 0 : smi_sql_error(s, err);
}

int smi_sql_check(const struct smi_sql *s, int32_t id, int version, bool *empty, struct smi_err *err)
{
    int64_t is = 0, layout = 0, tables = 0;
    int rc = smi_sql_run(s, "BEGIN", err); /* another process may make the tables between the questions */
    if (!rc && (smi_sql_do(s, &is, err, "PRAGMA application_id", "") ||
                smi_sql_do(s, &layout, err, "PRAGMA user_version", "") ||
                smi_sql_do(s, &tables, err, "SELECT count(*) FROM sqlite_schema", "")))
        rc = -1;
    if (rc) /* SQLite's error is the caller's to look at: what is open ends with the connection */
        return -1;
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    *empty = !is && !layout && !tables;
    if (*empty || (is == id && layout == version))
        return 0;
    if (is != id)
        return smi_err_set(err, SMI_EIO, "%.300s: a SQLite file of another program: not touched", s->name);
    return smi_err_set(
        err, SMI_EIO, "%.300s: made by %s, which reads it (layout %lld, this one has %d): not touched",
        s->name, layout < version ? "smilog 0.2.0 or older" : "a newer smilog", (long long)layout, version);
}

int smi_sql_make(const struct smi_sql *s, const char *schema, int32_t id, int version, struct smi_err *err)
{
    char mark[128];
    int64_t layout = 0;
    sqlite3_snprintf(sizeof mark, mark, "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT", (int)id,
                     version);
    if (smi_sql_run(s, "BEGIN IMMEDIATE", err))
        return -1;
    /* another process was quicker */
    if (smi_sql_do(s, &layout, err, "PRAGMA user_version", "") == 0 && layout)
        return smi_sql_run(s, "COMMIT", err);
    if (!layout && smi_sql_run(s, schema, err) == 0 && smi_sql_run(s, mark, err) == 0)
        return 0;
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return -1;
}
