#include "export/followed_load.h"

#include "base/sql.h"
#include "sweep/sweep.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static int read_written(struct smi_merge_queue *to, const char *dir, const char *where, struct smi_err *err)
{
    struct smi_options o = {.idle_below = 1000000};
    const struct smi_discover_opts d = {.format = -1, .run = to->run, .threads = 1};
    struct documents out = {to, where};
    struct smi_sweep s;
    int rc = smi_sweep_documents(&s, &dir, 1, &d, &o, add_document, &out, err);
    smi_sweep_fini(&s);
    return rc;
}

/* How much of the paths all of them begin with: whole directories. */
static int common_directories(const struct smi_sql *s, size_t *same, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(s, "SELECT path FROM source", err);
    struct smi_buf first = {0};
    int rc;
    *same = 0;
    while ((rc = smi_sql_next(s, st, err)) > 0) {
        const char *path = (const char *)sqlite3_column_text(st, 0);
        size_t i = 0;
        if (!first.n)
            smi_buf_str(&first, path ? path : "");
        *same = *same ? *same : first.n;
        while (i < *same && path && path[i] == first.p[i])
            i++;
        *same = i;
    }
    while (*same && first.p[*same - 1] != '/')
        --*same;
    smi_buf_fini(&first);
    return rc;
}

/* The file for a log below dir, in directories that are made. Nothing of its path leads out of dir. */
static FILE *open_written(const char *dir, const char *path, struct smi_err *err)
{
    struct smi_buf b = {0};
    FILE *f = NULL;
    smi_buf_fmt(&b, "%s/", dir);
    for (const char *p = path; *p;) {
        size_t n = strcspn(p, "/");
        if (n && !(n <= 2 && strspn(p, ".") >= n)) {
            smi_buf_add(&b, p, n);
            if (p[n])
                (void)(b.failed || mkdir(b.p, 0700)); /* fopen says what is wrong */
            smi_buf_str(&b, p[n] ? "/" : "");
        }
        p += n + (p[n] == '/');
    }
    if (b.failed)
        smi_err_nomem(err);
    else if (!(f = fopen(b.p, "w")))
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

static int write_logs(const struct smi_sql *s, const char *dir, struct smi_err *err)
{
    size_t same;
    sqlite3_stmt *st;
    int rc = common_directories(s, &same, err);
    if (rc)
        return rc;
    st = smi_sql_prepare(s, "SELECT id, path FROM source ORDER BY path", err);
    while ((rc = smi_sql_next(s, st, err)) > 0) {
        const char *path = (const char *)sqlite3_column_text(st, 1);
        if (write_log(s, dir, sqlite3_column_int64(st, 0), path ? path + same : "", err)) {
            sqlite3_finalize(st);
            return -1;
        }
    }
    return rc;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *at)
{
    (void)st, (void)flag, (void)at;
    (void)remove(path);
    return 0;
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
        rc = dir.failed        ? smi_err_nomem(err)
             : !mkdtemp(dir.p) ? smi_err_set(err, SMI_EIO, "%s: %s", dir.p, strerror(errno))
             : write_logs(&s, dir.p, err) || read_written(to, dir.p, where, err) ? -1
                                                                                 : 0;
        if (!dir.failed)
            (void)nftw(dir.p, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
    }
    smi_buf_fini(&dir);
    sqlite3_close(s.db);
    return rc;
}
