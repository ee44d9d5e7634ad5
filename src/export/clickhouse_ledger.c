/* clickhouse_ledger.c - tables `block`: one POST each, state 0 about to be sent, 1 stored; `batch`: what is
 * in them. Kept locked while it is open, so that two exports of one user do not send the same rows at once.
 */
#include "export/clickhouse_ledger.h"

#include "base/digest.h"
#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { APPLICATION = 0x534D4348 /* "SMCH" */, FORMAT = 1, WAIT_MS = 500 };

struct smi_ledger {
    sqlite3 *db;
    char *path;
};

static int sqlite_error(const struct smi_ledger *l, struct smi_err *err)
{
    int code = l->db ? sqlite3_errcode(l->db) : SQLITE_NOMEM;
    if (code == SQLITE_NOMEM)
        return smi_err_nomem(err);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return smi_err_set(err, SMI_EIO, "%.300s: another export to this store runs", l->path);
    if (code == SQLITE_NOTADB)
        return smi_err_set(err, SMI_EUSAGE, "%.300s: is no ledger of smilog", l->path);
    return smi_err_set(err, SMI_EIO, "%.300s: %.100s", l->path, sqlite3_errmsg(l->db));
}

static int run_sql(struct smi_ledger *l, const char *sql, struct smi_err *err)
{
    return sqlite3_exec(l->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : sqlite_error(l, err);
}

/* ---- its name ---- */

static int make_directories(char *path, struct smi_err *err)
{
    for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        int rc;
        *p = '\0';
        rc = mkdir(path, 0700);
        if (rc && errno != EEXIST)
            rc = smi_err_set(err, SMI_EIO, "cannot make %.300s: %s", path, strerror(errno));
        else
            rc = 0;
        *p = '/';
        if (rc)
            return -1;
    }
    return 0;
}

int smi_ledger_path(struct smi_buf *to, const char *store, struct smi_err *err)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        smi_buf_str(to, state);
    else if (home && *home == '/')
        smi_buf_fmt(to, "%s/.local/state", home);
    else
        return smi_err_set(err, SMI_EUSAGE, "there is no home directory for the ledger: say --ledger FILE");
    smi_buf_fmt(to, "/smilog/clickhouse-%016llx.sqlite",
                (unsigned long long)smi_digest_of(store, strlen(store)));
    return to->failed ? smi_err_nomem(err) : make_directories(to->p, err);
}

/* ---- opening ---- */

static int64_t bind_int(struct smi_ledger *l, const char *sql)
{
    sqlite3_stmt *s = NULL;
    int64_t n = -1;
    if (sqlite3_prepare_v2(l->db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        n = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return n;
}

static int make_ledger(struct smi_ledger *l, const char *store, struct smi_err *err)
{
    static const char tables[] = "CREATE TABLE store (name TEXT NOT NULL) STRICT;"
                                 "CREATE TABLE block (id TEXT PRIMARY KEY, shard INTEGER NOT NULL, sent_ms "
                                 "INTEGER NOT NULL, state INTEGER NOT NULL) "
                                 "STRICT, WITHOUT ROWID;"
                                 "CREATE TABLE batch (run INTEGER NOT NULL, batch INTEGER NOT NULL, rows "
                                 "INTEGER NOT NULL, block TEXT NOT NULL) "
                                 "STRICT;"
                                 "CREATE INDEX batch_run ON batch (run);"
                                 "CREATE INDEX batch_block ON batch (block);";
    char *name = sqlite3_mprintf("INSERT INTO store VALUES (%Q);", store);
    char what[80];
    int rc;
    snprintf(what, sizeof what, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION, FORMAT);
    rc = !name                                                                       ? smi_err_nomem(err)
         : run_sql(l, tables, err) || run_sql(l, name, err) || run_sql(l, what, err) ? -1
                                                                                     : 0;
    sqlite3_free(name);
    return rc;
}

static int check_ledger(struct smi_ledger *l, const char *store, struct smi_err *err)
{
    int64_t application = bind_int(l, "PRAGMA application_id"), version = bind_int(l, "PRAGMA user_version");
    sqlite3_stmt *s = NULL;
    int rc = 0;
    if (application != APPLICATION)
        return smi_err_set(err, SMI_EUSAGE, "%.300s: is no ledger of smilog", l->path);
    if (version != FORMAT)
        return smi_err_set(err, SMI_EUSAGE, "%.300s: is the ledger of another version of smilog", l->path);
    if (sqlite3_prepare_v2(l->db, "SELECT name FROM store", -1, &s, NULL) != SQLITE_OK ||
        sqlite3_step(s) != SQLITE_ROW)
        rc = sqlite_error(l, err);
    else if (strcmp((const char *)sqlite3_column_text(s, 0), store) != 0)
        rc = smi_err_set(err, SMI_EUSAGE, "%.200s: is the ledger of another store, %.200s", l->path,
                         (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    return rc;
}

static int open_ledger_db(struct smi_ledger *l, const char *store, struct smi_err *err)
{
    int rc;
    if (sqlite3_open_v2(l->path, &l->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        return sqlite_error(l, err);
    sqlite3_busy_timeout(l->db, WAIT_MS);
    /* In this mode the first transaction locks the file, and the end of the process unlocks it, however it
     * comes. */
    if (run_sql(l, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", err))
        return -1;
    rc = bind_int(l, "SELECT count(*) FROM sqlite_master") ? check_ledger(l, store, err)
                                                           : make_ledger(l, store, err);
    /* A log ahead, which is written at once and comes to the disk when it does: what counts is that processes
     * die. Whom the power fails, his statements are long over when it is back. */
    return rc || run_sql(l, "COMMIT", err) ||
                   run_sql(l, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", err)
               ? -1
               : 0;
}

struct smi_ledger *smi_ledger_open(const char *path, const char *store, struct smi_err *err)
{
    struct smi_ledger *l = smi_mem_new(1, sizeof *l);
    if (l)
        l->path = smi_mem_text(path, strlen(path));
    if (!l || !l->path)
        smi_err_nomem(err);
    else if (open_ledger_db(l, store, err) == 0)
        return l;
    smi_ledger_close(l);
    return NULL;
}

void smi_ledger_close(struct smi_ledger *l)
{
    if (!l)
        return;
    sqlite3_close(l->db);
    smi_mem_free(l->path);
    smi_mem_free(l);
}

/* ---- blocks ---- */

/* The statement with its values, n of them, run to its end. */
static int insert_batch(struct smi_ledger *l, const char *sql, const char *text, const int64_t *v, int n,
                        struct smi_err *err)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db, sql, -1, &s, NULL);
    if (rc == SQLITE_OK && text)
        rc = sqlite3_bind_text(s, n + 1, text, -1, SQLITE_STATIC);
    for (int i = 0; i < n && rc == SQLITE_OK; i++)
        rc = sqlite3_bind_int64(s, i + 1, v[i]);
    rc = rc == SQLITE_OK && sqlite3_step(s) == SQLITE_DONE ? 0 : sqlite_error(l, err);
    sqlite3_finalize(s);
    return rc;
}

int smi_ledger_send(struct smi_ledger *l, size_t shard, const char *id, const struct smi_ledger_batch *batch,
                    size_t n, struct smi_err *err)
{
    int64_t v[3] = {(int64_t)shard, smi_clock_utc_ms(), 0};
    int rc = run_sql(l, "BEGIN", err);
    if (rc)
        return -1;
    rc = insert_batch(l, "INSERT INTO block (shard, sent_ms, state, id) VALUES (?, ?, ?, ?)", id, v, 3, err);
    for (size_t i = 0; i < n && !rc; i++) {
        v[0] = (int64_t)batch[i].run;
        v[1] = (int64_t)batch[i].batch;
        v[2] = (int64_t)batch[i].rows;
        rc =
            insert_batch(l, "INSERT INTO batch (run, batch, rows, block) VALUES (?, ?, ?, ?)", id, v, 3, err);
    }
    if (!rc)
        rc = run_sql(l, "COMMIT", err);
    if (rc)
        sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

int smi_ledger_end(struct smi_ledger *l, const char *id, bool stored, struct smi_err *err)
{
    int rc;
    if (stored)
        return insert_batch(l, "UPDATE block SET state = 1 WHERE id = ?", id, NULL, 0, err);
    if (run_sql(l, "BEGIN", err))
        return -1;
    rc = insert_batch(l, "DELETE FROM batch WHERE block = ?", id, NULL, 0, err) ||
                 insert_batch(l, "DELETE FROM block WHERE id = ?", id, NULL, 0, err) ||
                 run_sql(l, "COMMIT", err)
             ? -1
             : 0;
    if (rc)
        sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

int smi_ledger_pending(struct smi_ledger *l, struct smi_ledger_pending *doubt, struct smi_err *err)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db, "SELECT shard, sent_ms, id FROM block WHERE state = 0 LIMIT 1", -1, &s,
                                NULL),
        step;
    step = rc == SQLITE_OK ? sqlite3_step(s) : SQLITE_ERROR;
    if (step == SQLITE_ROW) {
        doubt->shard = (size_t)sqlite3_column_int64(s, 0);
        doubt->sent_ms = sqlite3_column_int64(s, 1);
        snprintf(doubt->id, sizeof doubt->id, "%s", (const char *)sqlite3_column_text(s, 2));
        rc = 1;
    } else {
        rc = step == SQLITE_DONE ? 0 : sqlite_error(l, err);
    }
    sqlite3_finalize(s);
    return rc;
}

static bool has_row(const uint64_t *list, size_t n, uint64_t v)
{
    size_t from = 0;
    while (from < n) {
        size_t at = from + (n - from) / 2;
        if (list[at] == v)
            return true;
        if (list[at] < v)
            from = at + 1;
        else
            n = at;
    }
    return false;
}

int smi_ledger_missing_rows(struct smi_ledger *l, uint64_t run, const uint64_t *batch, size_t n,
                            uint64_t *rows, struct smi_err *err)
{
    static const char sql[] =
        "SELECT batch, rows FROM batch, block WHERE run = ? AND block = id AND state = 1";
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db, sql, -1, &s, NULL), step = SQLITE_ERROR;
    *rows = 0;
    if (rc == SQLITE_OK && sqlite3_bind_int64(s, 1, (int64_t)run) == SQLITE_OK)
        while ((step = sqlite3_step(s)) == SQLITE_ROW)
            if (!has_row(batch, n, (uint64_t)sqlite3_column_int64(s, 0)))
                *rows += (uint64_t)sqlite3_column_int64(s, 1);
    rc = step == SQLITE_DONE ? 0 : sqlite_error(l, err);
    sqlite3_finalize(s);
    return rc;
}

int smi_ledger_forget(struct smi_ledger *l, uint64_t run, struct smi_err *err)
{
    int64_t v = (int64_t)run;
    return insert_batch(l, "DELETE FROM batch WHERE run = ?", NULL, &v, 1, err);
}
