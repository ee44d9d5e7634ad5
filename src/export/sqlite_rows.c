/* sqlite_rows.c - rows and marks into their tables, and a column for each metric. */
#include "export/sqlite_private.h"

#include <string.h>

/* ---- columns ---- */

/* The statement for all columns that there are. */
static int prepare_row(struct smi_sqlite_out *o, struct smi_buf *sql, int n, struct smi_err *err)
{
    smi_buf_str(sql, ") VALUES(?,?,?,?,?");
    for (int i = 0; i < n; i++)
        smi_buf_str(sql, ",?");
    smi_buf_str(sql, ")");
    if (sql->failed)
        return smi_err_nomem(err);
    sqlite3_finalize(o->put_row);
    o->put_row = smi_sql_prepare(&o->sql, sql->p, err);
    return o->put_row ? 0 : -1;
}

int smi_sqlite_columns(struct smi_sqlite_out *o, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(&o->sql, "SELECT name FROM pragma_table_info('samples')", err);
    struct smi_buf sql = {0};
    int step = SQLITE_DONE, n = 0, rc = st ? 0 : -1;
    memset(o->column, 0, sizeof o->column);
    smi_buf_str(&sql, "INSERT INTO samples(run,input,row,gpu,t_ms");
    while (!rc && (step = sqlite3_step(st)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(st, 0);
        int m = name ? smi_metric_find(name, strlen(name)) : -1;
        if (m < 0)
            continue;
        o->column[m] = 6 + n++;
        smi_buf_fmt(&sql, ",\"%s\"", name);
    }
    if (!rc && step != SQLITE_DONE)
        rc = smi_sql_error(&o->sql, err);
    sqlite3_finalize(st);
    if (!rc)
        rc = prepare_row(o, &sql, n, err);
    smi_buf_fini(&sql);
    return rc;
}

static bool lacks_column(const struct smi_sqlite_out *o, const bool *seen)
{
    bool some = false;
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        some |= seen[m] && !o->column[m];
    return some;
}

/* Another export may have added them since we looked. */
int smi_sqlite_add_columns(struct smi_sqlite_out *o, const bool *seen, struct smi_err *err)
{
    char sql[256];
    bool some = false;
    if (!lacks_column(o, seen))
        return 0;
    if (smi_sqlite_columns(o, err))
        return -1;
    for (int m = 0; m < SMI_METRIC_COUNT; m++) {
        if (!seen[m] || o->column[m])
            continue;
        some = true;
        sqlite3_snprintf(sizeof sql, sql, "ALTER TABLE samples ADD COLUMN \"%w\" REAL", smi_metrics[m].key);
        if (smi_sql_run(&o->sql, sql, err))
            return -1;
    }
    return some ? smi_sqlite_columns(o, err) : 0;
}

/* ---- what is added ---- */

int smi_sqlite_put_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct smi_sqlite_out *o = self;
    sqlite3_stmt *st = o->put_row;
    sqlite3_clear_bindings(st);
    sqlite3_bind_int64(st, 1, o->run);
    sqlite3_bind_int64(st, 2, o->number);
    sqlite3_bind_int64(st, 3, (int64_t)row->ordinal);
    if (row->gpu >= 0)
        sqlite3_bind_int64(st, 4, o->gpu[row->gpu]);
    if (row->timed)
        sqlite3_bind_int64(st, 5, row->t_ms);
    for (unsigned i = 0; i < row->n; i++)
        sqlite3_bind_double(st, o->column[row->metric[i]], (double)row->v[i] / 1e6);
    o->rows++;
    return smi_sql_step(&o->sql, st, err);
}

static void bind_fields(struct smi_sqlite_out *o, int at, const struct smi_mark *m, bool in_data)
{
    smi_buf_clear(&o->text);
    if (smi_export_fields(&o->text, m, in_data) && !o->text.failed)
        sqlite3_bind_text(o->put_mark, at, o->text.p, (int)o->text.n, SQLITE_TRANSIENT);
}

int smi_sqlite_put_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_sqlite_out *o = self;
    sqlite3_stmt *st = o->put_mark;
    if (!st &&
        !(o->put_mark = st = smi_sql_prepare(&o->sql, "INSERT INTO marks VALUES(?,?,?,?,?,?,?,?,?)", err)))
        return -1;
    sqlite3_clear_bindings(st);
    sqlite3_bind_int64(st, 1, o->run);
    sqlite3_bind_int64(st, 2, o->number);
    sqlite3_bind_int64(st, 3, (int64_t)ordinal);
    sqlite3_bind_text(st, 4, m->kind == SMI_MARK_PHASE ? "phase" : "event", -1, SQLITE_STATIC);
    sqlite3_bind_text64(st, 5, m->name.p, m->name.n, SQLITE_STATIC, SQLITE_UTF8);
    sqlite3_bind_int64(st, 6, m->t_us);
    if (m->kind == SMI_MARK_PHASE)
        sqlite3_bind_int64(st, 7, m->span_us);
    bind_fields(o, 8, m, true);
    bind_fields(o, 9, m, false);
    o->marks++;
    return o->text.failed ? smi_err_nomem(err) : smi_sql_step(&o->sql, st, err);
}
