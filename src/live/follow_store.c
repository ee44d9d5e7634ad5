/* follow_store.c - lines that were followed, and how far each file was read, in one SQLite file; and the
 * state that they make. */
#include "live/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* A path that was ever followed into this file. */
struct follow_store_source {
    int64_t id;
    char *path;
    struct smi_follow_position at; /* as it is stored; part 0: not yet */
};

struct smi_follow_store_row {
    size_t from, n; /* in text */
    int64_t part, line, offset, source;
};

struct smi_follow_store {
    struct smi_sql sql; /* its name: of the file */
    sqlite3_stmt *put_line, *put_source;
    int lock;
    struct follow_store_source *source;
    size_t sources, sources_cap;
    struct smi_buf text; /* of the rows that wait */
    struct smi_follow_store_row *row;
    size_t rows, rows_cap;
    bool news;                /* rows or positions wait */
    int64_t wait_ms, next_ms; /* between commits; no commit before */
    struct smi_follow_store_state state;
};

enum { RETRY_MS = 1000 };

/* ---- sources ---- */

/* "/where/we/are/hw.csv"; of standard input "-". */
static char *absolute(const char *path)
{
    struct smi_buf b = {0};
    char room[PATH_MAX], *here = path[0] == '/' || !strcmp(path, "-") ? NULL : getcwd(room, sizeof room);
    while (here && path[0] == '.' && path[1] == '/')
        path += 2;
    smi_buf_fmt(&b, "%s%s%s", here ? here : "", here && strcmp(here, "/") ? "/" : "", path);
    return b.p;
}

/* The place of the source with this path; s->sources if there is none. */
static size_t find_source(const struct smi_follow_store *s, const char *path)
{
    char *whole = absolute(path);
    size_t i = 0;
    while (i < s->sources && strcmp(s->source[i].path, whole) != 0)
        i++;
    smi_mem_free(whole);
    return i;
}

/* path is taken. */
static struct follow_store_source *add_source(struct smi_follow_store *s, char *path, int64_t id)
{
    struct follow_store_source *o = SMI_MEM_ADD(s->source, s->sources, s->sources_cap);
    *o = (struct follow_store_source){.id = id, .path = path};
    return o;
}

bool smi_follow_store_resume(const struct smi_follow_store *s, const char *path,
                             struct smi_follow_position *at)
{
    size_t i = find_source(s, path);
    if (i < s->sources)
        *at = s->source[i].at;
    return i < s->sources;
}

/* The source of file i, made if it is new. */
static struct follow_store_source *source_of(struct smi_follow_store *s, const struct smi_follow *t, size_t i)
{
    struct smi_follow_file *f = t->file[i];
    if (!f->stored) {
        size_t k = find_source(s, f->path);
        if (k == s->sources)
            add_source(s, absolute(f->path), k ? s->source[k - 1].id + 1 : 1); /* in the order of their ids */
        f->stored = (int)k + 1;
    }
    return &s->source[f->stored - 1];
}

/* ---- lines ---- */

int smi_follow_store_add(struct smi_follow_store *s, const struct smi_follow *t, int file, const char *p,
                         size_t n)
{
    const struct smi_follow_position *at = &t->file[file]->at;
    int64_t line = at->line, offset = at->offset, source = source_of(s, t, (size_t)file)->id;
    if (s->state.failures && s->text.n + n > SMI_FOLLOW_STORE_WAITING)
        return 1;
    for (const char *end = p + n, *e; p < end; p = e) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        e = nl ? nl + 1 : end;
        *SMI_MEM_ADD(s->row, s->rows, s->rows_cap) = (struct smi_follow_store_row){
            s->text.n, (size_t)((nl ? nl : end) - p), at->part, ++line, offset, source,
        };
        smi_buf_add(&s->text, p, (size_t)(e - p));
        offset += e - p;
    }
    s->state.waiting = s->rows;
    return 0;
}

/* ---- commits ---- */

/* Has the position of file i changed since it was stored? */
static bool has_moved(struct smi_follow_store *s, const struct smi_follow *t, size_t i)
{
    const struct smi_follow_position *at = &t->file[i]->at;
    return at->part && memcmp(at, &source_of(s, t, i)->at, offsetof(struct smi_follow_position, head)) != 0;
}

static int store_position(struct smi_follow_store *s, struct follow_store_source *o,
                          const struct smi_follow_file *f)
{
    sqlite3_stmt *st = s->put_source;
    struct smi_err why = {0};
    const struct smi_follow_position *at = &f->at;
    const int64_t v[] = {at->part,       at->line,     at->offset, (int64_t)at->id.dev, (int64_t)at->id.ino,
                         at->id.born_ns, at->began_ns, at->copy};
    sqlite3_bind_int64(st, 1, o->id);
    sqlite3_bind_text(st, 2, o->path, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 3, f->format >= 0 ? smi_format_infos[f->format].name : NULL, -1, SQLITE_STATIC);
    for (int i = 0; i < 8; i++)
        sqlite3_bind_int64(st, 4 + i, v[i]);
    sqlite3_bind_blob(st, 12, at->head, (int)at->head_n, SQLITE_STATIC);
    sqlite3_bind_blob(st, 13, at->last, (int)at->last_n, SQLITE_STATIC);
    o->at = *at;
    return smi_sql_step(&s->sql, st, &why);
}

/* A commit that failed may be there all the same (the fsync did not answer): its lines are in the file then,
 * and are passed over when they are tried again. Sources go first: their lines refer to them. */
static int commit(struct smi_follow_store *s, const struct smi_follow *t)
{
    struct smi_err why = {0}; /* the connection keeps it */
    if (sqlite3_exec(s->sql.db, "BEGIN IMMEDIATE", NULL, NULL, NULL))
        return -1;
    for (size_t i = 0; i < t->files; i++)
        if (has_moved(s, t, i) && store_position(s, source_of(s, t, i), t->file[i]))
            return -1;
    for (const struct smi_follow_store_row *r = s->row; r < s->row + s->rows; r++) {
        const int64_t v[] = {r->source, r->part, r->line, r->offset};
        for (int i = 0; i < 4; i++)
            sqlite3_bind_int64(s->put_line, 1 + i, v[i]);
        sqlite3_bind_text64(s->put_line, 5, s->text.p + r->from, r->n, SQLITE_STATIC, SQLITE_UTF8);
        if (smi_sql_step(&s->sql, s->put_line, &why))
            return -1;
    }
    return sqlite3_exec(s->sql.db, "COMMIT", NULL, NULL, NULL) ? -1 : 0;
}

static bool has_news(struct smi_follow_store *s, const struct smi_follow *t)
{
    bool news = s->rows > 0;
    for (size_t i = 0; i < t->files && !news; i++)
        news = has_moved(s, t, i);
    return news;
}

/* Commits all that waits, or says in state why not. */
static void follow_store_save(struct smi_follow_store *s, const struct smi_follow *t)
{
    int rc = commit(s, t), code = sqlite3_errcode(s->sql.db);
    if (!rc) {
        s->state.waiting = s->rows = 0;
        smi_buf_clear(&s->text);
        s->state.failures = 0;
        s->state.why[0] = 0;
        return;
    }
    snprintf(s->state.why, sizeof s->state.why, "%s",
             code == SQLITE_FULL ? "the disk is full" : sqlite3_errmsg(s->sql.db));
    s->state.failures++;
    sqlite3_exec(s->sql.db, "ROLLBACK", NULL, NULL, NULL);
    for (size_t i = 0; i < t->files; i++) /* all of them are stored again */
        if (t->file[i]->stored)
            s->source[t->file[i]->stored - 1].at.part = 0;
}

int64_t smi_follow_store_due(const struct smi_follow_store *s, int64_t now_ms)
{
    if (!s->news && !s->rows)
        return INT64_MAX;
    return s->rows >= SMI_FOLLOW_STORE_LINES && !s->state.failures ? now_ms : s->next_ms;
}

void smi_follow_store_go(struct smi_follow_store *s, const struct smi_follow *t, int64_t now_ms)
{
    s->news = has_news(s, t);
    if (now_ms < smi_follow_store_due(s, now_ms))
        return;
    follow_store_save(s, t);
    s->next_ms = now_ms + (s->state.failures ? RETRY_MS : s->wait_ms);
    s->news = s->state.failures > 0;
}

const struct smi_follow_store_state *smi_follow_store_state(const struct smi_follow_store *s)
{
    return &s->state;
}

/* The process that follows into this file locks this byte: beyond all that SQLite locks or writes. */
#define LOCK_AT ((off_t)1 << 62)

static const char schema[] =
    "CREATE TABLE source(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, format TEXT, part INTEGER NOT "
    "NULL,"
    " line INTEGER NOT NULL, offset INTEGER NOT NULL, dev INTEGER NOT NULL, ino INTEGER NOT NULL,"
    " born_ns INTEGER NOT NULL, began_ns INTEGER NOT NULL, copy INTEGER NOT NULL, head BLOB NOT NULL,"
    " last BLOB NOT NULL) STRICT;"
    "CREATE TABLE line(source INTEGER NOT NULL REFERENCES source(id), part INTEGER NOT NULL, line INTEGER "
    "NOT NULL,"
    " offset INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY(source, part, line)) STRICT, WITHOUT ROWID;";

/* ---- opening ---- */

static int refuse_store(struct smi_follow_store *s, struct smi_err *err, const char *what)
{
    return smi_err_set(err, SMI_EIO, "%s: %s", s->sql.name, what);
}

static int take_lock(struct smi_follow_store *s, struct smi_err *err)
{
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = LOCK_AT, .l_len = 1};
    struct stat st;
    s->lock = open(s->sql.name, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (s->lock < 0 || fstat(s->lock, &st))
        return refuse_store(s, err, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return refuse_store(s, err, "not a regular file");
    if (fcntl(s->lock, F_OFD_SETLK, &l) && errno != EINVAL && errno != ENOLCK)
        return refuse_store(s, err, "another smilog follows into it");
    return 0;
}

static const char put_line[] = "INSERT OR IGNORE INTO line VALUES(?,?,?,?,?)";
static const char put_source[] =
    "INSERT INTO source VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET "
    "format=excluded.format, part=excluded.part, line=excluded.line, offset=excluded.offset, "
    "dev=excluded.dev, ino=excluded.ino, born_ns=excluded.born_ns, began_ns=excluded.began_ns, "
    "copy=excluded.copy, head=excluded.head, last=excluded.last";
static const char get_sources[] =
    "SELECT id, path, part, line, offset, dev, ino, born_ns, began_ns, copy, head, last FROM source "
    "ORDER BY id";

static uint32_t copy_blob(sqlite3_stmt *st, int col, unsigned char *to, size_t most)
{
    const void *p = sqlite3_column_blob(st, col);
    int n = sqlite3_column_bytes(st, col);
    size_t k = n < 0 || (size_t)n > most ? 0 : (size_t)n;
    if (k && p)
        memcpy(to, p, k);
    return (uint32_t)k;
}

static int read_sources(struct smi_follow_store *s, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(&s->sql, get_sources, err);
    int rc;
    while ((rc = smi_sql_next(&s->sql, st, err)) > 0) {
        const char *path = (const char *)sqlite3_column_text(st, 1);
        int64_t v[10];
        for (int i = 2; i < 10; i++)
            v[i] = sqlite3_column_int64(st, i);
        struct smi_follow_position *at =
            &add_source(s, smi_mem_text(path, (size_t)sqlite3_column_bytes(st, 1)),
                        sqlite3_column_int64(st, 0))
                 ->at;
        *at = (struct smi_follow_position){.part = v[2],
                                           .line = v[3],
                                           .offset = v[4],
                                           .id = {(uint64_t)v[5], (uint64_t)v[6], v[7]},
                                           .began_ns = v[8],
                                           .copy = v[9] != 0};
        at->head_n = copy_blob(st, 10, at->head, sizeof at->head);
        at->last_n = copy_blob(st, 11, at->last, sizeof at->last);
    }
    return rc;
}

static int open_db(struct smi_follow_store *s, struct smi_err *err)
{
    struct smi_err why = {0};
    bool empty;
    if (sqlite3_open_v2(s->sql.name, &s->sql.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
        return smi_sql_error(&s->sql, err);
    sqlite3_extended_result_codes(s->sql.db, 0);
    sqlite3_busy_timeout(s->sql.db, SMI_SQL_WAIT_MS);
    sqlite3_db_config(s->sql.db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (smi_sql_check(&s->sql, SMI_FOLLOW_STORE_ID, SMI_FOLLOW_STORE_VERSION, &empty, &why))
        return sqlite3_errcode(s->sql.db) == SQLITE_NOTADB
                   ? refuse_store(
                         s, err,
                         "not a SQLite file: --store takes a file that does not exist yet, or one of its own")
                   : smi_err_set(err, why.code, "%s", why.text);
    if (smi_sql_use_wal(&s->sql, err) ||
        smi_sql_run(&s->sql, "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON", err) ||
        (empty && smi_sql_make(&s->sql, schema, SMI_FOLLOW_STORE_ID, SMI_FOLLOW_STORE_VERSION, err)) ||
        !(s->put_line = smi_sql_prepare(&s->sql, put_line, err)) ||
        !(s->put_source = smi_sql_prepare(&s->sql, put_source, err)))
        return -1;
    sqlite3_busy_timeout(s->sql.db, 0); /* from here on the logs do not wait for it */
    return read_sources(s, err);
}

struct smi_follow_store *smi_follow_store_open(const char *path, int64_t wait_ms, struct smi_err *err)
{
    struct smi_follow_store *s = smi_mem_new(1, sizeof *s);
    s->lock = -1;
    s->wait_ms = wait_ms;
    s->sql.name = smi_mem_text(path, strlen(path));
    if (take_lock(s, err) || open_db(s, err)) {
        smi_follow_store_close(s, NULL, NULL);
        return NULL;
    }
    return s;
}

int smi_follow_store_close(struct smi_follow_store *s, const struct smi_follow *t, struct smi_err *err)
{
    int rc = 0;
    if (!s)
        return 0;
    if (t && has_news(s, t))
        follow_store_save(s, t);
    if (t && s->state.failures)
        rc = smi_err_set(err, SMI_EIO, "%s: %zu lines could not be stored: %s", s->sql.name, s->rows,
                         s->state.why);
    sqlite3_finalize(s->put_line);
    sqlite3_finalize(s->put_source);
    sqlite3_close(s->sql.db);
    if (s->lock >= 0)
        close(s->lock); /* last: closing it takes SQLite's own locks of this file away, too */
    for (size_t i = 0; i < s->sources; i++)
        smi_mem_free(s->source[i].path);
    smi_mem_free(s->source);
    smi_mem_free(s->row);
    smi_buf_fini(&s->text);
    smi_mem_free((void *)(uintptr_t)s->sql.name);
    smi_mem_free(s);
    return rc;
}

/* ---- what is followed becomes the state of a machine ---- */

enum { PIECE = 65536 };

/* It is no log, or its lines cannot be read from the store. */
static void drop_source(struct smi_watch *w, struct smi_follow_file *t, const struct smi_err *err)
{
    t->dropped = true;
    smi_live_source_state(t->source, SMI_SOURCE_DOWN, err->text);
    smi_machine_add_event(w->now, SMI_EVENT_WARN, "%s", err->text);
}

/* What is stored of a file goes to its source. Returns 0, or -1 with err. */
static int feed_stored_lines(struct smi_watch *w, struct smi_follow_file *t, struct smi_err *err)
{
    static const char lines[] = "SELECT part, text FROM line WHERE source=? ORDER BY part, line";
    struct smi_follow_store *s = w->store;
    sqlite3_stmt *st = smi_sql_bind(&s->sql, err, lines, "i", source_of(s, w->tail, (size_t)t->place)->id);
    struct smi_buf text = {0};
    int64_t part = 0;
    int rc = 0, more = 1;
    while (!rc && more > 0) {
        more = smi_sql_next(&s->sql, st, err);
        const int64_t own = more > 0 ? sqlite3_column_int64(st, 0) : 0;
        if (text.n && (own != part || text.n >= PIECE)) {
            rc = smi_machine_feed(t->source, text.p, text.n, w->loop.now_ms, err);
            smi_buf_clear(&text);
        }
        if (more <= 0)
            continue;
        if (part && own != part)
            smi_machine_restart(t->source);
        part = own;
        const void *p = sqlite3_column_blob(st, 1); /* as it is: its bytes may be no UTF-8 */
        smi_buf_add(&text, p ? p : "", p ? (size_t)sqlite3_column_bytes(st, 1) : 0);
        smi_buf_char(&text, '\n');
    }
    if (more > 0) /* else it is finalized */
        sqlite3_finalize(st);
    smi_buf_fini(&text);
    return rc || more < 0 ? -1 : 0;
}

struct smi_live_source *smi_follow_state_source(struct smi_watch *w, int file)
{
    struct smi_follow_file *t = w->tail->file[file];
    struct smi_err err = {0};
    bool news;
    if (t->source)
        return t->dropped ? NULL : t->source;
    t->source = smi_machine_add_source(w->now, t->path, t->format, 0);
    t->source->stream = t->kind != SMI_FOLLOW_FILE;
    /* A stream that begins is another one than that whose lines are stored under its name. */
    if (!w->store || (!t->at.id.ino && !t->at.offset))
        return t->source;
    news = w->told < w->now->events;
    if (feed_stored_lines(w, t, &err))
        drop_source(w, t, &err);
    else if (!news) /* what is stored is no news */
        w->told = w->now->events;
    return t->dropped ? NULL : t->source;
}

int smi_follow_state_bytes(void *self, int file, const char *p, size_t n)
{
    struct smi_watch *w = self;
    struct smi_err err = {0};
    struct smi_live_source *s = smi_follow_state_source(w, file);
    if (w->store && smi_follow_store_add(w->store, w->tail, file, p, n))
        return 1;
    if (s && smi_machine_feed(s, p, n, w->loop.now_ms, &err))
        drop_source(w, w->tail->file[file], &err);
    return 0;
}

void smi_follow_state_end(struct smi_watch *w, int file)
{
    struct smi_err err = {0};
    char span[SMI_CLOCK_TEXT];
    struct smi_live_source *log = smi_follow_state_source(w, file);
    if (!log)
        return;
    const int64_t silent_ms = w->loop.now_ms - log->seen_mono_ms;
    log->closed = true;
    smi_clock_write_span(span, silent_ms);
    if (!log->backlog && log->seen_mono_ms && silent_ms > smi_machine_stale_after(log->interval_ms))
        smi_machine_add_event(w->now, SMI_EVENT_WARN, "%s: it has ended, %s after its last row", log->name,
                              span);
    if (smi_machine_end(log, &err))
        drop_source(w, w->tail->file[file], &err);
}
