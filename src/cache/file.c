/* file.c - the file. Table `form`: a row a question, with what the walk saw (discover/looks.h); `run`: a row a run
 * of a question. Rows are written in few transactions of their own, behind the work: no lock is held while logs are
 * read. The journal is SQLite's own of old, not a WAL: that would put two more files beside this one, and does not work
 * on network file systems. */
#include "cache/file.h"

#include "archive/digest.h"

#include <stdlib.h>
#include <string.h>

enum {
    APPLICATION = 0x534D4C43, /* "SMLC" */
    FORMAT = 1,
    WAIT_MS = 2000,  /* for another process */
    IN_A_ROW = 256,  /* runs that are looked for under one lock of the file */
    QUESTIONS = 8    /* those asked last stay */
};

/* ---- what goes wrong ---- */

/* Something is wrong with the file: it is said once, and left alone. */
static void give_up(struct smi_cache *c, const char *what)
{
    int code = c->db ? sqlite3_errcode(c->db) : SQLITE_NOMEM;
    c->silent = true;
    if (code != SQLITE_BUSY && code != SQLITE_LOCKED) /* another process is at it: nothing is wrong */
        smi_err_set(&c->said, SMI_EIO, "%s: %s", what, c->db ? sqlite3_errmsg(c->db) : "no memory");
}

static int run_sql(struct smi_cache *c, const char *sql)
{
    return sqlite3_exec(c->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
}

static sqlite3_stmt *prepare(struct smi_cache *c, const char *sql)
{
    sqlite3_stmt *s = NULL;
    return sqlite3_prepare_v2(c->db, sql, -1, &s, NULL) == SQLITE_OK ? s : NULL;
}

/* The first number of the answer, or `none`. */
static int64_t ask(struct smi_cache *c, const char *sql, int64_t none)
{
    sqlite3_stmt *s = prepare(c, sql);
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
    sqlite3_snprintf(sizeof sql, sql, "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT;", APPLICATION, FORMAT);
    if (run_sql(c, tables) || run_sql(c, sql)) {
        give_up(c, "cannot be made");
        run_sql(c, "ROLLBACK");
        return -1;
    }
    return 0;
}

/* Whose file is it? Returns 0 if ours, with its tables. */
static int recognise(struct smi_cache *c)
{
    int64_t application = ask(c, "PRAGMA application_id", -1), version = ask(c, "PRAGMA user_version", -1);
    int64_t things = ask(c, "SELECT count(*) FROM sqlite_schema", -1);
    if (application < 0 || version < 0 || things < 0) {
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
    sqlite3_stmt *s = prepare(c, "SELECT looks FROM form WHERE id=?");
    if (s)
        sqlite3_bind_int64(s, 1, c->form);
    if (s && sqlite3_step(s) == SQLITE_ROW) {
        const char *p = sqlite3_column_blob(s, 0);
        size_t n = (size_t)sqlite3_column_bytes(s, 0);
        if (p && smi_cache_is_whole(p, n, c->salt) && smi_looks_get(&c->looks, p + 8, n - 8))
            c->looks.n = 0;
    }
    sqlite3_finalize(s);
}

void smi_cache_file_shut(struct smi_cache *c)
{
    sqlite3_finalize(c->find);
    sqlite3_close(c->db);
    c->find = NULL;
    c->db = NULL;
}

void smi_cache_file_open(struct smi_cache *c, const char *file)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(file, &c->db, flags, NULL) != SQLITE_OK) {
        give_up(c, "cannot be opened");
        smi_cache_file_shut(c);
        return;
    }
    sqlite3_busy_timeout(c->db, WAIT_MS);
    run_sql(c, "PRAGMA synchronous=NORMAL; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-4000");
    if (recognise(c) == 0) {
        c->find = prepare(c, "SELECT key, data FROM run WHERE id=?");
        c->any = ask(c, "SELECT 1 FROM run WHERE form=? LIMIT 1", 0) > 0;
        get_looks(c);
        if (!c->find)
            give_up(c, "cannot be read");
    }
    if (!c->find)
        smi_cache_file_shut(c);
}

/* ---- rows ---- */

/* Locked. */
static void end_reading(struct smi_cache *c)
{
    if (c->reading)
        run_sql(c, "COMMIT");
    c->reading = false;
    c->in_a_row = 0;
}

/* Locked. The row of the run, if its key is this one, into k->packed. */
bool smi_cache_fetch(struct smi_cache *c, int64_t id, struct smi_cache_room *k)
{
    bool found = false;
    int rc;
    if (!c->reading)
        c->reading = run_sql(c, "BEGIN") == 0;
    sqlite3_bind_int64(c->find, 1, id);
    rc = sqlite3_step(c->find);
    if (rc == SQLITE_ROW && (size_t)sqlite3_column_bytes(c->find, 0) == k->key.n &&
        memcmp(sqlite3_column_blob(c->find, 0), k->key.p, k->key.n) == 0) {
        smi_buf_add(&k->packed, sqlite3_column_blob(c->find, 1), (size_t)sqlite3_column_bytes(c->find, 1));
        found = true;
    }
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        give_up(c, "cannot be read");
    sqlite3_reset(c->find);
    if (!found || ++c->in_a_row >= IN_A_ROW)
        end_reading(c);
    return found;
}

static int insert(struct smi_cache *c, sqlite3_stmt *s, const struct row *r)
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
    sqlite3_stmt *s = prepare(c, "INSERT OR REPLACE INTO run VALUES(?,?,?,?)");
    int rc = s ? 0 : -1;
    for (size_t i = 0; i < c->rows && !rc; i++)
        rc = insert(c, s, &c->row[i]);
    sqlite3_finalize(s);
    return rc;
}

/* The row of the question, before those of its runs. */
static int begin_form(struct smi_cache *c)
{
    sqlite3_stmt *s = prepare(c, "INSERT OR IGNORE INTO form VALUES(?,?,NULL)");
    int rc = s ? 0 : -1;
    if (s) {
        sqlite3_bind_int64(s, 1, c->form);
        sqlite3_bind_int64(s, 2, smi_stamp_now());
        rc = sqlite3_step(s) == SQLITE_DONE ? 0 : -1;
    }
    sqlite3_finalize(s);
    return rc;
}

static int put_form(struct smi_cache *c)
{
    sqlite3_stmt *s = prepare(c, "INSERT OR REPLACE INTO form VALUES(?,?,?)");
    struct smi_buf b = {0};
    int rc = s ? 0 : -1;
    smi_buf_add(&b, "\0\0\0\0\0\0\0", 8);
    smi_looks_put(&b, &c->looks);
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
    sqlite3_stmt *all = prepare(c, "SELECT id FROM run WHERE form=?"), *drop = prepare(c, "DELETE FROM run WHERE id=?");
    int rc = all && drop ? 0 : -1;
    if (c->nseen)
        qsort(c->seen, c->nseen, sizeof *c->seen, by_id);
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
                     "DELETE FROM run WHERE form NOT IN (SELECT id FROM form)", QUESTIONS);
    return run_sql(c, sql);
}

/* Writes the rows that were gathered; whole: and all that goes with the end of a sweep. Locked, or alone. */
void smi_cache_write(struct smi_cache *c, bool whole)
{
    end_reading(c);
    if (c->silent || run_sql(c, "BEGIN IMMEDIATE") || begin_form(c) || insert_all(c) ||
        (whole && (put_form(c) || drop_gone(c) || drop_old(c))) || run_sql(c, "COMMIT")) {
        if (!c->silent)
            give_up(c, "cannot be written");
        run_sql(c, "ROLLBACK");
    }
    c->rows = 0;
    smi_buf_clear(&c->fresh);
}

int64_t smi_cache_count(struct smi_cache *c)
{
    end_reading(c);
    return ask(c, "SELECT count(*) FROM run WHERE form=?", -1);
}
