#include "export/stored.h"

#include "base/sql.h"
#include "sweep/sweep.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OPEN_DIRS = 16 };

struct documents {
    struct smi_merge_queue *to;
    const char *where;
};

static int add_document(void *self, const struct smi_buf *document, bool usable, struct smi_err *err)
{
    struct documents *d = self;
    (void)usable;
    return document->n ? smi_merge_queue_add(d->to, document->p, document->n - 1, d->where, d->to->n + 1, err)
                       : 0;
}

/* The directories that all paths begin with: "sweep/lr=0.1/", or "". */
static int find_common_directories(const struct smi_sql *s, struct smi_buf *common, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(s, "SELECT path FROM source", err);
    bool first = true;
    int rc;
    while ((rc = smi_sql_next(s, st, err)) > 0) {
        const char *path = (const char *)sqlite3_column_text(st, 0);
        size_t i = 0;
        if (first)
            smi_buf_str(common, path ? path : "");
        first = false;
        while (i < common->n && path && path[i] == common->p[i])
            i++;
        common->n = i;
    }
    while (common->n && common->p[common->n - 1] != '/')
        common->n--;
    return rc;
}

/* Appends a path below a directory, which nothing of it leads out of; make: with the directories in it. */
static void add_below(struct smi_buf *dir, const char *path, bool make)
{
    for (const char *p = path; *p;) {
        size_t n = strcspn(p, "/");
        if (n && !(n <= 2 && strspn(p, ".") >= n)) {
            smi_buf_char(dir, '/');
            smi_buf_add(dir, p, n);
            if (make && p[n])
                (void)mkdir(dir->p, 0700); /* fopen says what is wrong */
        }
        p += n + (p[n] == '/');
    }
}

static FILE *open_written(const char *dir, const char *path, struct smi_err *err)
{
    struct smi_buf b = {0};
    FILE *f;
    smi_buf_str(&b, dir);
    add_below(&b, path, true);
    f = fopen(b.p, "w");
    if (!f)
        smi_err_set(err, SMI_EIO, "%.300s: %s", b.p, strerror(errno));
    smi_buf_fini(&b);
    return f;
}

static int write_log(const struct smi_sql *s, const char *dir, int64_t source, const char *path,
                     struct smi_err *err)
{
    FILE *f = open_written(dir, *path ? path : "-", err);
    sqlite3_stmt *st =
        f ? smi_sql_bind(s, err, "SELECT text FROM line WHERE source=? ORDER BY part, line", "i", source)
          : NULL;
    int rc = -1;
    while (f && (rc = smi_sql_next(s, st, err)) > 0) {
        const void *text = sqlite3_column_blob(st, 0);
        size_t n = (size_t)sqlite3_column_bytes(st, 0);
        if (n)
            fwrite(text, 1, n, f);
        putc('\n', f);
    }
    if (f && (ferror(f) | fclose(f)) && rc == 0)
        rc = smi_err_set(err, SMI_EIO, "%.300s: %s", dir, strerror(errno));
    return rc;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *at)
{
    (void)st, (void)flag, (void)at;
    (void)remove(path);
    return 0;
}

/* Writes the logs below dir, and reads them as one sweep. Where they are one run, it has the name of the
 * innermost directory that all have in common, or that of the store without its ending. */
static int load_logs(struct smi_merge_queue *to, const struct smi_sql *s, const char *dir, const char *where,
                     struct smi_err *err)
{
    const struct smi_options o = {.idle_below = 1000000};
    const struct smi_discover_opts d = {.format = -1, .run = to->run, .threads = 1};
    struct documents out = {to, where};
    struct smi_buf common = {0}, place = {0};
    sqlite3_stmt *st = NULL;
    struct smi_sweep sweep;
    const char *slash = strrchr(s->name, '/'), *name = slash ? slash + 1 : s->name;
    int rc = find_common_directories(s, &common, err), row = 0;
    smi_buf_fmt(&place, "%s/%.*s", dir, (int)(*name == '.' ? strlen(name) : strcspn(name, ".")), name);
    if (!rc && mkdir(place.p, 0700))
        rc = smi_err_set(err, SMI_EIO, "%.300s: %s", place.p, strerror(errno));
    if (!rc)
        st = smi_sql_prepare(s, "SELECT id, path FROM source ORDER BY path", err);
    while (!rc && (row = smi_sql_next(s, st, err)) > 0) {
        const char *path = (const char *)sqlite3_column_text(st, 1);
        rc = write_log(s, place.p, sqlite3_column_int64(st, 0), path ? path : "", err);
        if (rc)
            sqlite3_finalize(st);
    }
    rc = rc ? rc : row;
    if (!rc) {
        smi_buf_char(&common, 0);
        add_below(&place, common.p, false);
        rc = smi_sweep_documents(&sweep, &(const char *){place.p}, 1, &d, &o, add_document, &out, err);
        smi_sweep_fini(&sweep);
    }
    smi_buf_fini(&common);
    smi_buf_fini(&place);
    return rc;
}

int smi_followed_load(struct smi_merge_queue *to, const char *path, const char *where, struct smi_err *err)
{
    struct smi_sql s = {NULL, path};
    struct smi_err why = {0};
    struct smi_buf dir = {0};
    const char *top = getenv("TMPDIR");
    int64_t id = 0;
    int rc = 1;
    if (sqlite3_open_v2(path, &s.db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        smi_sql_number(&s, "PRAGMA application_id", &id, &why) == 0 && id == SMI_FOLLOWED_ID) {
        (void)sqlite3_db_config(s.db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        smi_buf_fmt(&dir, "%s/smilog-XXXXXX", top && *top ? top : "/tmp");
        rc = !mkdtemp(dir.p) ? smi_err_set(err, SMI_EIO, "%s: %s", dir.p, strerror(errno))
                             : load_logs(to, &s, dir.p, where, err);
        (void)nftw(dir.p, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
    }
    smi_buf_fini(&dir);
    sqlite3_close(s.db);
    return rc;
}
