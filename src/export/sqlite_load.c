#include "export/sqlite_load.h"

#include "base/buf.h"
#include "export/followed_load.h"
#include "export/sqlite_file.h"

#include <string.h>

static const char prefix[] = "sqlite:";

/* "/data/out/seed3", or "/data/out/a" of a run that shares its directory with others. */
static void append_place(struct smi_buf *to, const char *place, const char *leaf)
{
    const char *slash = strrchr(place, '/');
    smi_buf_str(to, place);
    if (slash && strcmp(slash + 1, leaf) == 0)
        return;
    smi_buf_char(to, '/');
    smi_buf_str(to, leaf);
}

static const char *column_text(sqlite3_stmt *st, int col)
{
    const char *text = (const char *)sqlite3_column_text(st, col);
    return text ? text : "";
}

/* The partial as one of a run of another name. */
static int rename_run(struct smi_buf *to, const char *partial, size_t n, const char *where, const char *name,
                      struct smi_err *err)
{
    struct smi_merge_queue one = SMI_MERGE_QUEUE;
    int rc;
    one.run = name;
    rc = smi_merge_queue_add(&one, partial, n, where, 1, err) || smi_merge_queue_copy(&one, 0, to, err) ? -1
                                                                                                        : 0;
    smi_merge_queue_fini(&one);
    return rc;
}

static int load_run(struct smi_merge_queue *p, const char *where, sqlite3_stmt *st, size_t number,
                    struct smi_err *err)
{
    struct smi_buf name = {0}, other = {0};
    struct smi_err why = {0};
    const char *partial = column_text(st, 3);
    size_t n = (size_t)sqlite3_column_bytes(st, 3);
    int rc = 0;
    if (!p->run && sqlite3_column_int(st, 4) > 1) {
        append_place(&name, column_text(st, 0), column_text(st, 1));
        rc = name.failed ? smi_err_nomem(&why) : rename_run(&other, partial, n, where, name.p, &why);
    }
    if (!rc)
        rc = smi_merge_queue_add(p, other.n ? other.p : partial, other.n ? other.n : n, where, number, &why);
    smi_buf_fini(&name);
    smi_buf_fini(&other);
    if (rc && why.code == SMI_EFORMAT)
        return smi_err_set(err, why.code, "%s (run %.100s: export its logs again)", why.text,
                           column_text(st, 2));
    return rc ? smi_err_set(err, why.code, "%s", why.text) : 0;
}

int smi_sqlite_load(struct smi_merge_queue *to, const char *where, struct smi_err *err)
{
    struct smi_sql s;
    sqlite3_stmt *st = NULL;
    size_t number = 0;
    int step = SQLITE_DONE;
    int rc = smi_followed_load(to, where + strlen(prefix), where, err);
    if (rc <= 0)
        return rc;
    rc = smi_sqlite_open(&s, where + strlen(prefix), false, err);
    if (!rc && !(st = smi_sql_prepare(&s,
                                      "SELECT place, leaf, name, partial, count(*) OVER (PARTITION BY name) "
                                      "FROM runs JOIN summaries ON run=id ORDER BY name, place, leaf",
                                      err)))
        rc = -1;
    while (!rc && (step = sqlite3_step(st)) == SQLITE_ROW)
        rc = load_run(to, where, st, ++number, err);
    if (!rc && step != SQLITE_DONE)
        rc = smi_sql_error(&s, err);
    sqlite3_finalize(st);
    smi_sqlite_close(&s);
    return rc;
}
