/* follow_store_commit.c - lines wait in memory, and go into the file in one transaction with the places
 * behind them. A transaction that fails leaves both where they were, and is made again with what has come
 * since. */
#include "live/follow_store_private.h"

#include "formats/detect.h"

#include <stdio.h>
#include <string.h>

enum { RETRY_MS = 1000 };

/* ---- lines ---- */

int smi_follow_store_add(struct smi_follow_store *s, const struct smi_follow *t, int file, const char *p,
                         size_t n, struct smi_err *err)
{
    const struct smi_follow_position *at = &smi_follow_file(t, file)->at;
    size_t source = smi_follow_store_source(s, t, file), rows = s->rows, text = s->text.n;
    int64_t line = at->line, offset = at->offset;
    if (s->state.failures && s->text.n + n > SMI_FOLLOW_STORE_WAITING)
        return 1;
    for (const char *end = p + n, *e; source && p < end; p = e) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        e = nl ? nl + 1 : end;
        if (smi_mem_reserve(&s->row, &s->rows_cap, s->rows + 1, sizeof *s->row))
            source = 0;
        else
            s->row[s->rows++] = (struct smi_follow_store_row){
                s->text.n, (size_t)((nl ? nl : end) - p), at->part, ++line, offset, source - 1};
        smi_buf_add(&s->text, p, (size_t)(e - p));
        offset += e - p;
    }
    if (!source || s->text.failed) {
        s->rows = rows;
        s->text.n = text;
        s->text.failed = false;
        return smi_err_nomem(err);
    }
    s->state.waiting = s->rows;
    return 0;
}

/* ---- commits ---- */

static int store_line(sqlite3_stmt *st)
{
    int rc = sqlite3_step(st);
    sqlite3_reset(st);
    return rc == SQLITE_DONE ? 0 : -1;
}

static int store_row(struct smi_follow_store *s, const struct smi_follow_store_row *r)
{
    sqlite3_bind_int64(s->put_line, 1, s->source[r->source].id);
    sqlite3_bind_int64(s->put_line, 2, r->part);
    sqlite3_bind_int64(s->put_line, 3, r->line);
    sqlite3_bind_int64(s->put_line, 4, r->offset);
    sqlite3_bind_text64(s->put_line, 5, s->text.p + r->from, r->n, SQLITE_STATIC, SQLITE_UTF8);
    return store_line(s->put_line);
}

static bool has_moved(const struct smi_follow_store_source *o, const struct smi_follow_position *at)
{
    return !o->stored || o->at.offset != at->offset || o->at.ino != at->ino || o->at.part != at->part ||
           o->at.dev != at->dev || o->at.copy != at->copy || o->at.began_ns != at->began_ns;
}

static int store_position(struct smi_follow_store *s, const struct smi_follow_store_source *o,
                          const struct smi_follow_file *f)
{
    sqlite3_stmt *st = s->put_source;
    const struct smi_follow_position *at = &f->at;
    const int64_t v[] = {at->part,         at->line,    at->offset,   (int64_t)at->dev,
                         (int64_t)at->ino, at->born_ns, at->began_ns, at->copy};
    sqlite3_bind_int64(st, 1, o->id);
    sqlite3_bind_text(st, 2, o->path, -1, SQLITE_STATIC);
    if (f->format >= 0)
        sqlite3_bind_text(st, 3, smi_format_infos[f->format].name, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(st, 3);
    for (int i = 0; i < 8; i++)
        sqlite3_bind_int64(st, 4 + i, v[i]);
    sqlite3_bind_blob(st, 12, at->head, (int)at->head_n, SQLITE_STATIC);
    sqlite3_bind_blob(st, 13, at->last, (int)at->last_n, SQLITE_STATIC);
    return store_line(st);
}

/* Places of all files; a line of one that was stored refers to its source, so these go first. */
static int store_positions(struct smi_follow_store *s, const struct smi_follow *t)
{
    for (size_t i = 0; i < smi_follow_files(t); i++) {
        const struct smi_follow_file *f = smi_follow_file(t, (int)i);
        size_t k = f->at.part ? smi_follow_store_source(s, t, (int)i) : 0;
        if (k && has_moved(&s->source[k - 1], &f->at) && store_position(s, &s->source[k - 1], f))
            return -1;
    }
    return 0;
}

static void keep_positions(struct smi_follow_store *s, const struct smi_follow *t)
{
    for (size_t i = 0; i < smi_follow_files(t); i++) {
        const struct smi_follow_file *f = smi_follow_file(t, (int)i);
        size_t k = f->at.part && i < s->of_cap ? s->of[i] : 0;
        if (k) {
            s->source[k - 1].at = f->at;
            s->source[k - 1].stored = true;
        }
    }
}

/* The first n rows are safe. */
static void drop_rows(struct smi_follow_store *s, size_t n)
{
    size_t from = n < s->rows ? s->row[n].from : s->text.n;
    s->state.lines += n;
    s->rows -= n;
    if (s->rows)
        memmove(s->row, s->row + n, s->rows * sizeof *s->row);
    s->text.n -= from;
    if (s->text.n)
        memmove(s->text.p, s->text.p + from, s->text.n);
    for (size_t i = 0; i < s->rows; i++)
        s->row[i].from -= from;
    s->state.waiting = s->rows;
}

/* A commit that failed may be there all the same (the fsync did not answer): its number says so. */
static int check_last_batch(struct smi_follow_store *s)
{
    sqlite3_stmt *st = NULL;
    int64_t n = 0;
    int rc = sqlite3_prepare_v2(s->db, "SELECT number FROM batch", -1, &st, NULL) ||
             sqlite3_step(st) != SQLITE_ROW;
    if (!rc)
        n = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    if (!rc && n > s->batches) {
        s->batches = n;
        drop_rows(s, s->tried);
    }
    s->tried = rc ? s->tried : 0;
    return rc ? -1 : 0;
}

static int commit(struct smi_follow_store *s, const struct smi_follow *t)
{
    if (sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) ||
        (s->state.failures && check_last_batch(s)) || store_positions(s, t))
        return -1;
    for (size_t i = 0; i < s->rows; i++)
        if (store_row(s, &s->row[i]))
            return -1;
    sqlite3_bind_int64(s->batch, 1, s->batches + 1);
    s->tried = s->rows;
    return store_line(s->batch) || sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) ? -1 : 0;
}

bool smi_follow_store_is_behind(const struct smi_follow_store *s, const struct smi_follow *t)
{
    for (size_t i = 0; i < smi_follow_files(t); i++) {
        const struct smi_follow_position *at = &smi_follow_file(t, (int)i)->at;
        size_t k = i < s->of_cap ? s->of[i] : 0;
        if (at->part && (!k || has_moved(&s->source[k - 1], at)))
            return true;
    }
    return false;
}

int smi_follow_store_save(struct smi_follow_store *s, const struct smi_follow *t, struct smi_err *err)
{
    int rc = commit(s, t), code = sqlite3_errcode(s->db);
    if (!rc) {
        keep_positions(s, t);
        drop_rows(s, s->rows);
        s->batches++;
        s->state.commits++;
        s->state.failures = 0;
        s->state.why[0] = 0;
        return 0;
    }
    snprintf(s->state.why, sizeof s->state.why, "%s",
             code == SQLITE_FULL ? "the disk is full" : sqlite3_errmsg(s->db));
    s->state.failures++;
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return code == SQLITE_NOMEM ? smi_err_nomem(err) : 0;
}

int64_t smi_follow_store_due(const struct smi_follow_store *s, int64_t now_ms)
{
    if (s->state.failures)
        return s->again_ms;
    if (s->since_ms < 0)
        return s->rows ? now_ms : INT64_MAX; /* go has to see when they came */
    return s->rows >= SMI_FOLLOW_STORE_LINES ? now_ms : s->since_ms + s->wait_ms;
}

int smi_follow_store_go(struct smi_follow_store *s, const struct smi_follow *t, int64_t now_ms,
                        struct smi_err *err)
{
    if (s->since_ms < 0 && (s->rows || smi_follow_store_is_behind(s, t)))
        s->since_ms = now_ms;
    if (s->since_ms < 0 || now_ms < (s->state.failures ? s->again_ms : 0) ||
        (s->rows < SMI_FOLLOW_STORE_LINES && now_ms - s->since_ms < s->wait_ms))
        return 0;
    int rc = smi_follow_store_save(s, t, err);
    s->again_ms = now_ms + RETRY_MS;
    if (!s->state.failures)
        s->since_ms = -1;
    return rc;
}

const struct smi_follow_store_state *smi_follow_store_state(const struct smi_follow_store *s)
{
    return &s->state;
}
