#include "live/follow_store.h"

#include "base/sql.h"
#include "live/follow_store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The byte that is locked by whoever follows into this file: beyond all that SQLite locks or writes. */
#define LOCK_AT ((off_t)1 << 62)

static const char schema[] =
    "CREATE TABLE source(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, format TEXT, part INTEGER NOT "
    "NULL,"
    " line INTEGER NOT NULL, offset INTEGER NOT NULL, dev INTEGER NOT NULL, ino INTEGER NOT NULL,"
    " born_ns INTEGER NOT NULL, began_ns INTEGER NOT NULL, copy INTEGER NOT NULL, head BLOB NOT NULL,"
    " last BLOB NOT NULL) STRICT;"
    "CREATE TABLE line(source INTEGER NOT NULL REFERENCES source(id), part INTEGER NOT NULL, line INTEGER "
    "NOT NULL,"
    " offset INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(source, part, line)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE batch(number INTEGER NOT NULL) STRICT;"
    "INSERT INTO batch VALUES(0);";

/* ---- opening ---- */

static int refuse_store(struct smi_follow_store *s, struct smi_err *err, const char *what)
{
    return smi_err_set(err, SMI_EIO, "%s: %s", s->name, what);
}

static int db_error(struct smi_follow_store *s, struct smi_err *err)
{
    int code = sqlite3_errcode(s->db);
    if (code == SQLITE_NOMEM)
        return smi_err_nomem(err);
    if (code == SQLITE_NOTADB)
        return refuse_store(
            s, err, "not a SQLite file: --store takes a file that does not exist yet, or one of its own");
    return refuse_store(s, err, sqlite3_errmsg(s->db));
}

static int take_lock(struct smi_follow_store *s, struct smi_err *err)
{
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_AT, .l_len = 1};
    struct stat st;
    s->lock = open(s->name, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (s->lock < 0 || fstat(s->lock, &st))
        return refuse_store(s, err, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return refuse_store(s, err, "not a regular file");
    if (fcntl(s->lock, F_OFD_SETLK, &l) && errno != EINVAL && errno != ENOLCK)
        return refuse_store(s, err, "another smilog follows into it");
    return 0;
}

static struct smi_sql sql_of(const struct smi_follow_store *s)
{
    return (struct smi_sql){s->db, s->name};
}

static int prepare_one(struct smi_follow_store *s, const char *sql, sqlite3_stmt **st, struct smi_err *err)
{
    const struct smi_sql of = sql_of(s);
    return (*st = smi_sql_prepare(&of, sql, err)) ? 0 : -1;
}

static int prepare_all(struct smi_follow_store *s, struct smi_err *err)
{
    return prepare_one(s, "INSERT INTO line VALUES(?,?,?,?,?)", &s->put_line, err) ||
                   prepare_one(
                       s,
                       "INSERT INTO source VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET "
                       "format=excluded.format, part=excluded.part, line=excluded.line, "
                       "offset=excluded.offset, "
                       "dev=excluded.dev, ino=excluded.ino, born_ns=excluded.born_ns, "
                       "began_ns=excluded.began_ns, copy=excluded.copy, head=excluded.head, "
                       "last=excluded.last",
                       &s->put_source, err) ||
                   prepare_one(s, "UPDATE batch SET number=?", &s->batch, err)
               ? -1
               : 0;
}

static uint32_t copy_blob(sqlite3_stmt *st, int col, unsigned char *to, size_t most)
{
    const void *p = sqlite3_column_blob(st, col);
    int n = sqlite3_column_bytes(st, col);
    size_t k = n < 0 || (size_t)n > most ? 0 : (size_t)n;
    if (k && p)
        memcpy(to, p, k);
    return (uint32_t)k;
}

static struct smi_follow_store_source *new_source(struct smi_follow_store *s, const char *path)
{
    if (smi_mem_reserve(&s->source, &s->sources_cap, s->sources + 1, sizeof *s->source))
        return NULL;
    struct smi_follow_store_source *o = &s->source[s->sources];
    *o = (struct smi_follow_store_source){.id = s->id + 1, .path = smi_mem_text(path, strlen(path))};
    if (!o->path)
        return NULL;
    s->id++;
    s->sources++;
    return o;
}

static int read_source(struct smi_follow_store *s, sqlite3_stmt *st, struct smi_err *err)
{
    const char *path = (const char *)sqlite3_column_text(st, 1);
    struct smi_follow_store_source *o = path ? new_source(s, path) : NULL;
    if (!o)
        return smi_err_nomem(err);
    struct smi_follow_position *at = &o->at;
    s->id = o->id = sqlite3_column_int64(st, 0);
    at->part = sqlite3_column_int64(st, 2);
    at->line = sqlite3_column_int64(st, 3);
    at->offset = sqlite3_column_int64(st, 4);
    at->dev = (uint64_t)sqlite3_column_int64(st, 5);
    at->ino = (uint64_t)sqlite3_column_int64(st, 6);
    at->born_ns = sqlite3_column_int64(st, 7);
    at->began_ns = sqlite3_column_int64(st, 8);
    at->copy = sqlite3_column_int64(st, 9) != 0;
    at->head_n = copy_blob(st, 10, at->head, sizeof at->head);
    at->last_n = copy_blob(st, 11, at->last, sizeof at->last);
    o->stored = true;
    return 0;
}

static int read_sources(struct smi_follow_store *s, struct smi_err *err)
{
    sqlite3_stmt *st = NULL;
    int step = SQLITE_DONE;
    int rc = prepare_one(s,
                         "SELECT id, path, part, line, offset, dev, ino, born_ns, began_ns, copy, head, last "
                         "FROM source ORDER BY id",
                         &st, err);
    while (!rc && (step = sqlite3_step(st)) == SQLITE_ROW)
        rc = read_source(s, st, err);
    if (!rc && step != SQLITE_DONE)
        rc = db_error(s, err);
    sqlite3_finalize(st);
    return rc;
}

static int open_db(struct smi_follow_store *s, struct smi_err *err)
{
    struct smi_err why = {0};
    struct smi_sql of;
    bool empty;
    if (sqlite3_open_v2(s->name, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
        return s->db ? db_error(s, err) : smi_err_nomem(err);
    sqlite3_extended_result_codes(s->db, 0);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    of = sql_of(s);
    if (smi_sql_check(&of, SMI_FOLLOW_STORE_ID, SMI_FOLLOW_STORE_VERSION, &empty, &why))
        return sqlite3_errcode(s->db) == SQLITE_NOTADB ? db_error(s, err)
                                                       : smi_err_set(err, why.code, "%s", why.text);
    if (smi_sql_run(&of, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON", err) ||
        (empty && smi_sql_make(&of, schema, SMI_FOLLOW_STORE_ID, SMI_FOLLOW_STORE_VERSION, err)) ||
        prepare_all(s, err) || smi_sql_number(&of, "SELECT number FROM batch", &s->batches, err))
        return -1;
    return read_sources(s, err);
}

struct smi_follow_store *smi_follow_store_open(const char *path, struct smi_err *err)
{
    struct smi_follow_store *s = smi_mem_new(1, sizeof *s);
    if (!s) {
        smi_err_nomem(err);
        return NULL;
    }
    s->lock = -1;
    s->since_ms = -1;
    s->wait_ms = SMI_FOLLOW_STORE_WAIT_MS;
    s->name = smi_mem_text(path, strlen(path));
    if (!s->name)
        smi_err_nomem(err);
    if (!s->name || take_lock(s, err) || open_db(s, err)) {
        smi_follow_store_close(s, NULL, NULL);
        return NULL;
    }
    return s;
}

void smi_follow_store_set_wait(struct smi_follow_store *s, int64_t ms)
{
    s->wait_ms = ms;
}

/* ---- sources ---- */

/* "/where/we/are/hw.csv"; of standard input "-". NULL without memory. */
static char *absolute(const char *path)
{
    struct smi_buf b = {0};
    char room[PATH_MAX], *here = path[0] == '/' || !strcmp(path, "-") ? NULL : getcwd(room, sizeof room);
    while (here && path[0] == '.' && path[1] == '/')
        path += 2;
    smi_buf_fmt(&b, "%s%s%s", here ? here : "", here && strcmp(here, "/") ? "/" : "", path);
    if (b.failed)
        smi_buf_fini(&b);
    return b.p;
}

static struct smi_follow_store_source *find_source(const struct smi_follow_store *s, const char *whole)
{
    for (size_t i = 0; i < s->sources; i++)
        if (!strcmp(s->source[i].path, whole))
            return &s->source[i];
    return NULL;
}

bool smi_follow_store_resume(const struct smi_follow_store *s, const char *path,
                             struct smi_follow_position *at)
{
    char *whole = absolute(path);
    const struct smi_follow_store_source *o = whole ? find_source(s, whole) : NULL;
    if (o)
        *at = o->at;
    smi_mem_free(whole);
    return o != NULL;
}

size_t smi_follow_store_source(struct smi_follow_store *s, const struct smi_follow *t, int i)
{
    size_t k = (size_t)i;
    if (smi_mem_reserve(&s->of, &s->of_cap, k + 1, sizeof *s->of))
        return 0;
    if (!s->of[k]) {
        char *whole = absolute(smi_follow_file(t, i)->path);
        struct smi_follow_store_source *o = whole ? find_source(s, whole) : NULL;
        if (whole && !o)
            o = new_source(s, whole);
        s->of[k] = o ? (size_t)(o - s->source) + 1 : 0;
        smi_mem_free(whole);
    }
    return s->of[k];
}

int smi_follow_store_read(struct smi_follow_store *s, const struct smi_follow *t, int file,
                          smi_follow_store_fn *take, void *self, struct smi_err *err)
{
    size_t k = smi_follow_store_source(s, t, file);
    sqlite3_stmt *st = NULL;
    int step = SQLITE_DONE, rc;
    if (!k)
        return smi_err_nomem(err);
    rc = prepare_one(s, "SELECT part, text FROM line WHERE source=? ORDER BY part, line", &st, err);
    if (!rc)
        sqlite3_bind_int64(st, 1, s->source[k - 1].id);
    while (!rc && (step = sqlite3_step(st)) == SQLITE_ROW) {
        const void *text = sqlite3_column_blob(st, 1); /* as it is: its bytes may be no UTF-8 */
        int n = sqlite3_column_bytes(st, 1);
        rc = take(self, sqlite3_column_int64(st, 0), text ? text : "", text && n > 0 ? (size_t)n : 0, err);
    }
    if (!rc && step != SQLITE_DONE)
        rc = db_error(s, err);
    sqlite3_finalize(st);
    return rc;
}

int smi_follow_store_close(struct smi_follow_store *s, const struct smi_follow *t, struct smi_err *err)
{
    int rc = 0;
    if (!s)
        return 0;
    if (t && (s->rows || smi_follow_store_is_behind(s, t)))
        rc = smi_follow_store_save(s, t, err);
    if (t && s->state.failures)
        rc = smi_err_set(err, SMI_EIO, "%s: %zu lines could not be stored: %s", s->name, s->rows,
                         s->state.why);
    sqlite3_finalize(s->put_line);
    sqlite3_finalize(s->put_source);
    sqlite3_finalize(s->batch);
    sqlite3_close(s->db);
    if (s->lock >= 0)
        close(s->lock); /* last: closing it takes SQLite's own locks of this file away, too */
    for (size_t i = 0; i < s->sources; i++)
        smi_mem_free(s->source[i].path);
    smi_mem_free(s->source);
    smi_mem_free(s->of);
    smi_mem_free(s->row);
    smi_buf_fini(&s->text);
    smi_mem_free(s->name);
    smi_mem_free(s);
    return rc;
}
