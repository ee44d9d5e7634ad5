/* usage_sqlite.c - the tracking file as a database. Every row is a transaction of its own: what was added
 * survives a kill. */
#include "process/usage_private.h"

#include <sqlite3.h>

enum { WAIT_MS = 2000, SHOWN = 200 }; /* a reader may hold the file meanwhile */

static int sqlite_error(struct smi_usage_file *f, int code, struct smi_err *err)
{
    if ((code & 0xFF) == SQLITE_NOMEM)
        return smi_err_nomem(err);
    return smi_err_set(err, SMI_EIO, "cannot write %.*s: %s", SHOWN, f->path,
                       f->db ? sqlite3_errmsg(f->db) : sqlite3_errstr(code));
}

static const char *const types[] = {"", "VARCHAR", "INTEGER", "FLOAT"}; /* as smi_usage_kind */

static int run_sql(struct smi_usage_file *f, struct smi_err *err)
{
    int code;
    if (f->line.failed)
        return smi_err_nomem(err);
    code = sqlite3_exec(f->db, f->line.p, NULL, NULL, NULL);
    return code == SQLITE_OK ? 0 : sqlite_error(f, code, err);
}

static int make_table(struct smi_usage_file *f, const char *name, const struct smi_usage_column *column,
                      int n, struct smi_err *err)
{
    smi_buf_clear(&f->line);
    smi_buf_fmt(&f->line, "CREATE TABLE %s (", name);
    for (int i = 0; i < n; i++)
        smi_buf_fmt(&f->line, "%s%s %s", i ? ", " : "", column[i].name, types[column[i].kind]);
    smi_buf_str(&f->line, ")");
    return run_sql(f, err);
}

/* Prepares f->insert for a table. */
static int prepare_insert(struct smi_usage_file *f, const char *table, int n, struct smi_err *err)
{
    int code;
    sqlite3_finalize(f->insert);
    f->insert = NULL;
    smi_buf_clear(&f->line);
    smi_buf_fmt(&f->line, "INSERT INTO %s VALUES (?", table);
    for (int i = 1; i < n; i++)
        smi_buf_str(&f->line, ", ?");
    smi_buf_str(&f->line, ")");
    if (f->line.failed)
        return smi_err_nomem(err);
    code = sqlite3_prepare_v2(f->db, f->line.p, -1, &f->insert, NULL);
    return code == SQLITE_OK ? 0 : sqlite_error(f, code, err);
}

static int insert_row(struct smi_usage_file *f, const struct smi_usage_cell *cell, int n, struct smi_err *err)
{
    int code = SQLITE_OK;
    for (int i = 0; i < n && code == SQLITE_OK; i++) {
        if (cell[i].kind == SMI_USAGE_WORD)
            code = sqlite3_bind_text(f->insert, i + 1, cell[i].word, -1, SQLITE_STATIC);
        else if (cell[i].kind == SMI_USAGE_COUNT)
            code = sqlite3_bind_int64(f->insert, i + 1, cell[i].count);
        else if (cell[i].kind == SMI_USAGE_REAL)
            code = sqlite3_bind_double(f->insert, i + 1, cell[i].real);
        else
            code = sqlite3_bind_null(f->insert, i + 1);
    }
    if (code == SQLITE_OK)
        code = sqlite3_step(f->insert);
    if (code == SQLITE_DONE)
        code = sqlite3_reset(f->insert);
    else
        sqlite3_reset(f->insert);
    return code == SQLITE_OK ? 0 : sqlite_error(f, code, err);
}

int smi_usage_db_begin(struct smi_usage_file *f, struct smi_err *err)
{
    struct smi_usage_cell cell[SMI_USAGE_STATIC];
    int code;
    smi_buf_clear(&f->line);
    smi_buf_fmt(&f->line, "%s%s", *f->path == '/' ? "" : "./", f->path); /* no word that SQLite knows */
    if (f->line.failed)
        return smi_err_nomem(err);
    code = sqlite3_open_v2(f->line.p, &f->db, SQLITE_OPEN_READWRITE, NULL);
    if (code != SQLITE_OK)
        return sqlite_error(f, code, err);
    sqlite3_busy_timeout(f->db, WAIT_MS);
    smi_usage_static_cells(cell, &f->machine, &f->units);
    if (make_table(f, "static_data", smi_usage_statics, SMI_USAGE_STATIC, err) ||
        make_table(f, "data", smi_usage_columns, SMI_USAGE_COLUMNS, err) ||
        prepare_insert(f, "static_data", SMI_USAGE_STATIC, err) || insert_row(f, cell, SMI_USAGE_STATIC, err))
        return -1;
    return prepare_insert(f, "data", SMI_USAGE_COLUMNS, err);
}

int smi_usage_db_add(struct smi_usage_file *f, const struct smi_usage_cell cell[SMI_USAGE_COLUMNS],
                     struct smi_err *err)
{
    return insert_row(f, cell, SMI_USAGE_COLUMNS, err);
}

int smi_usage_db_end(struct smi_usage_file *f, struct smi_err *err)
{
    int code = SQLITE_OK;
    sqlite3_finalize(f->insert);
    if (f->db)
        code = sqlite3_close(f->db);
    f->insert = NULL;
    f->db = NULL;
    return code == SQLITE_OK ? 0 : sqlite_error(f, code, err);
}
