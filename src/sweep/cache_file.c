/* cache_file.c - the file. Table `form`: a row a question, with what the walk saw (sweep/stat_cache.h);
 * `run`: a row a run of a question. Rows are written in few transactions of their own, behind the work: no
 * lock is held while logs are read. The journal is SQLite's own of old, not a WAL: that would put two more
 * files beside this one, and does not work on network file systems. */
#include "sweep/cache_file_private.h"

#include "base/digest.h"

#include <stdlib.h>
#include <string.h>

enum {
    APPLICATION = 0x534D4C43, /* "SMLC" */
    FORMAT = 1,
    WAIT_MS = 1000, /* for another process */
    QUESTIONS = 8   /* those asked last stay */
};

/* ---- what goes wrong ---- */

/* Something is wrong with the file: it is said once, and left alone. */
static void give_up(struct smi_cache *c, const char *what)
{
    int code = c->db ? sqlite3_errcode(c->db) : SQLITE_NOMEM;
    c->silent = true;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        smi_err_set(&c->said, SMI_EIO, "another process keeps it locked");
    else
        smi_err_set(&c->said, SMI_EIO, "%s: %s", what, c->db ? sqlite3_errmsg(c->db) : "no memory");
}

static int run_sql(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
}

static sqlite3_stmt *prepare_statement(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    return sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK ? s : NULL;
}

/* The first number of the answer, or `none`. */
static int64_t query_number(struct smi_cache *c, const char *sql, int64_t none)
{
    sqlite3_stmt *s = prepare_statement(c->db, sql);
    if (s)
        sqlite3_bind_int64(s, 1, c->form);
    if (s && sqlite3_step(s) == SQLITE_ROW)
        none = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return none;
}

/* ---- a piece: its digest, and its bytes ---- */

void smi_cache_seal(struct smi_buf *to, size_t from, uint64_t salt)
{
    uint64_t sum;
    if (to->failed)
        return;
    sum = smi_digest_of(to->p + from + sizeof sum, to->n - from - sizeof sum) ^ salt;
    memcpy(to->p + from, &sum, sizeof sum);
}

bool smi_cache_is_whole(const char *p, size_t n, uint64_t salt)
{
    uint64_t sum;
    if (n < sizeof sum)
        return false;
    memcpy(&sum, p, sizeof sum);
    return sum == (smi_digest_of(p + sizeof sum, n - sizeof sum) ^ salt);
}

/* ---- opening ---- */

static const char tables[] =
    "PRAGMA page_size=16384; BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS form(id INTEGER PRIMARY KEY, used INTEGER, looks BLOB);"
    "CREATE TABLE IF NOT EXISTS run(id INTEGER PRIMARY KEY, form INTEGER, key BLOB, data BLOB);"
    "CREATE INDEX IF NOT EXISTS run_form ON run(form);";

static int make_tables(struct smi_cache *c)
{
    char sql[128];
    sqlite3_snprintf(sizeof sql, sql, "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT;",
                     APPLICATION, FORMAT);
    if (run_sql(c->db, tables) || run_sql(c->db, sql)) {
        give_up(c, "cannot be made");
        run_sql(c->db, "ROLLBACK");
        return -1;
    }
    return 0;
}

/* Whose file is it? Returns 0 if ours, with its tables. */
static int recognise(struct smi_cache *c)
{
    int64_t application, version = -1, things = -1;
    if ((application = query_number(c, "PRAGMA application_id", -1)) <
            0 || /* one that is locked is waited for once */
        (version = query_number(c, "PRAGMA user_version", -1)) < 0 ||
        (things = query_number(c, "SELECT count(*) FROM sqlite_schema", -1)) < 0) {
        give_up(c, "cannot be read");
        return -1;
    }
    if (application == 0 && things == 0)
        return make_tables(c);
    if (application != APPLICATION)
        return smi_err_set(&c->said, SMI_EIO, "is a database of something else");
    if (version > FORMAT)
        return smi_err_set(&c->said, SMI_EIO, "is of a newer smilog");
    return 0;
}

static void get_looks(struct smi_cache *c)
{
    sqlite3_stmt *s = prepare_statement(c->db, "SELECT looks FROM form WHERE id=?");
    if (s)
        sqlite3_bind_int64(s, 1, c->form);
    if (s && sqlite3_step(s) == SQLITE_ROW) {
        const char *p = sqlite3_column_blob(s, 0);
        size_t n = (size_t)sqlite3_column_bytes(s, 0);
        if (p && smi_cache_is_whole(p, n, c->salt) && smi_stat_cache_load(&c->looks, p + 8, n - 8))
            c->looks.n = 0;
    }
    sqlite3_finalize(s);
}

/* Waits for other processes from here on. */
static int open_file(struct smi_cache *c)
{
    if (sqlite3_open_v2(c->file, &c->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_CREATE,
                        NULL) != SQLITE_OK) {
        give_up(c, "cannot be opened");
        return -1;
    }
    run_sql(c->db, "PRAGMA synchronous=NORMAL; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-4000");
    sqlite3_busy_timeout(c->db,
                         WAIT_MS); /* not before: of a locked file these may fail, it is waited for once */
    return 0;
}

void smi_cache_file_close(struct smi_cache *c)
{
    sqlite3_finalize(c->find);
    sqlite3_close(c->db);
    c->find = NULL;
    c->db = NULL;
}

void smi_cache_file_open(struct smi_cache *c, const char *file)
{
    c->file = file;
    if (open_file(c) || recognise(c)) {
        smi_cache_file_close(c);
        return;
    }
    c->any = query_number(c, "SELECT 1 FROM run WHERE form=? LIMIT 1", 0) > 0;
    get_looks(c);
}

/* ---- rows ---- */

bool smi_cache_fetch(struct smi_cache *c, struct smi_cache_thread *k)
{
    int rc;
    bool same = false;
    if (!c->find)
        c->find = prepare_statement(c->db, "SELECT data FROM run WHERE id=? AND key=?");
    if (!c->find) {
        give_up(c, "cannot be read");
        return false;
    }
    sqlite3_bind_int64(c->find, 1, k->id);
    sqlite3_bind_blob64(c->find, 2, k->key.p, k->key.n, SQLITE_STATIC);
    rc = sqlite3_step(c->find);
    smi_buf_clear(&k->packed);
    if (rc == SQLITE_ROW) {
        smi_buf_add(&k->packed, sqlite3_column_blob(c->find, 0), (size_t)sqlite3_column_bytes(c->find, 0));
        same = !k->packed.failed;
    } else if (rc != SQLITE_DONE) {
        give_up(c, "cannot be read");
    }
    sqlite3_reset(c->find);
    return same;
}

static int insert_row(struct smi_cache *c, sqlite3_stmt *s, const struct smi_cache_row *r)
{
    const char *p = c->fresh.p + r->at;
    int rc;
    sqlite3_bind_int64(s, 1, r->id);
    sqlite3_bind_int64(s, 2, c->form);
    sqlite3_bind_blob64(s, 3, p, r->key, SQLITE_STATIC);
    sqlite3_bind_blob64(s, 4, p + r->key, r->data, SQLITE_STATIC);
    rc = sqlite3_step(s);
    sqlite3_reset(s);
    return rc == SQLITE_DONE ? 0 : -1;
}

static int insert_all(struct smi_cache *c)
{
    sqlite3_stmt *s = prepare_statement(c->db, "INSERT OR REPLACE INTO run VALUES(?,?,?,?)");
    int rc = s ? 0 : -1;
    for (size_t i = 0; i < c->rows && !rc; i++)
        rc = insert_row(c, s, &c->row[i]);
    sqlite3_finalize(s);
    return rc;
}

/* The row of the question, before those of its runs; whole: with what the walk has seen. */
static int put_form(struct smi_cache *c, bool whole)
{
    sqlite3_stmt *s = prepare_statement(c->db, whole ? "INSERT OR REPLACE INTO form VALUES(?,?,?)"
                                                     : "INSERT OR IGNORE INTO form VALUES(?,?,?)");
    struct smi_buf b = {0};
    int rc = s ? 0 : -1;
    smi_buf_add(&b, "\0\0\0\0\0\0\0", 8);
    if (whole)
        smi_stat_cache_store(&b, &c->looks);
    smi_cache_seal(&b, 0, c->salt);
    rc = rc || b.failed ? -1 : 0;
    if (!rc) {
        sqlite3_bind_int64(s, 1, c->form);
        sqlite3_bind_int64(s, 2, smi_stamp_now());
        sqlite3_bind_blob64(s, 3, b.p, b.n, SQLITE_STATIC);
        rc = sqlite3_step(s) == SQLITE_DONE ? 0 : -1;
    }
    sqlite3_finalize(s);
    smi_buf_fini(&b);
    return rc;
}

static int by_id(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* Runs of this question that the sweep does not have any more. */
static int drop_gone(struct smi_cache *c)
{
    sqlite3_stmt *all = prepare_statement(c->db, "SELECT id FROM run WHERE form=?");
    sqlite3_stmt *drop = prepare_statement(c->db, "DELETE FROM run WHERE id=?");
    int rc = all && drop ? 0 : -1;
    smi_sort(c->seen, c->nseen, sizeof *c->seen, by_id);
    if (all)
        sqlite3_bind_int64(all, 1, c->form);
    while (!rc && sqlite3_step(all) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(all, 0);
        if (c->nseen && bsearch(&id, c->seen, c->nseen, sizeof id, by_id))
            continue;
        sqlite3_bind_int64(drop, 1, id);
        rc = sqlite3_step(drop) == SQLITE_DONE ? 0 : -1;
        sqlite3_reset(drop);
    }
    sqlite3_finalize(all);
    sqlite3_finalize(drop);
    return rc;
}

static int drop_old(struct smi_cache *c)
{
    char sql[256];
    sqlite3_snprintf(sizeof sql, sql,
                     "DELETE FROM form WHERE id NOT IN (SELECT id FROM form ORDER BY used DESC LIMIT %d);"
                     "DELETE FROM run WHERE form NOT IN (SELECT id FROM form)",
                     QUESTIONS);
    return run_sql(c->db, sql);
}

/* Writes the rows that were gathered; whole: and all that goes with the end of a sweep. Locked, or alone. */
void smi_cache_write(struct smi_cache *c, bool whole)
{
    if (c->silent || run_sql(c->db, "BEGIN IMMEDIATE") || put_form(c, whole) || insert_all(c) ||
        (whole && (drop_gone(c) || drop_old(c))) || run_sql(c->db, "COMMIT")) {
        if (!c->silent)
            give_up(c, "cannot be written");
        run_sql(c->db, "ROLLBACK");
    }
    c->rows = 0;
    smi_buf_clear(&c->fresh);
}

int64_t smi_cache_count(struct smi_cache *c)
{
    return query_number(c, "SELECT count(*) FROM run WHERE form=?", -1);
}
