#include "sqlite/load.h"

#include "base/buf.h"
#include "sqlite/file.h"

#include <string.h>

static const char prefix[] = "sqlite:";

/* "/data/out/seed3", or "/data/out/a" of a run that shares its directory with others. */
static void put_place(struct smi_buf *to, const char *place, const char *leaf)
{
    const char *slash = strrchr(place, '/');
    smi_buf_str(to, place);
    if (slash && strcmp(slash + 1, leaf) == 0)
        return;
    smi_buf_char(to, '/');
    smi_buf_str(to, leaf);
}

static const char *text_of(sqlite3_stmt *st, int col)
{
    const char *text = (const char *)sqlite3_column_text(st, col);
    return text ? text : "";
}

static int take_run(struct smi_partials *p, const char *where, sqlite3_stmt *st, const char *run_name,
                    struct smi_err *err)
{
    struct smi_buf name = {0};
    struct smi_err why = {0};
    const char *partial = text_of(st, 3);
    int rc;
    if (sqlite3_column_int(st, 4) > 1)
        put_place(&name, text_of(st, 0), text_of(st, 1));
    if (name.failed)
        return smi_err_nomem(err);
    rc = smi_partial_get(p, partial, (size_t)sqlite3_column_bytes(st, 3), where,
                         run_name ? run_name : name.n ? name.p : NULL, &why);
    smi_buf_fini(&name);
    if (rc && why.code == SMI_EFORMAT)
        return smi_err_set(err, why.code, "%s (run %.100s: export its logs again)", why.text, text_of(st, 2));
    return rc ? smi_err_set(err, why.code, "%s", why.text) : 0;
}

int smi_sqlite_load(struct smi_partials *p, const char *where, const char *run_name, struct smi_err *err)
{
    struct smi_sql s;
    sqlite3_stmt *st = NULL;
    int step = SQLITE_DONE;
    int rc = smi_sqlite_open(&s, where + strlen(prefix), false, err);
    if (!rc && !(st = smi_sql_prepare(&s, "SELECT place, leaf, name, partial, count(*) OVER (PARTITION BY name) "
                                          "FROM runs JOIN summaries ON run=id ORDER BY name, place, leaf", err)))
        rc = -1;
    while (!rc && (step = sqlite3_step(st)) == SQLITE_ROW)
        rc = take_run(p, where, st, run_name, err);
    if (!rc && step != SQLITE_DONE)
        rc = smi_sql_error(&s, err);
    sqlite3_finalize(st);
    smi_sqlite_shut(&s);
    return rc;
}
