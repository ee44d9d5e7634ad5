/* sqlite_rows.c - of every input: what of its rows and marks is stored already, and is still so? A digest of the rows
 * so far says it: of those that are stored it has to be the same now. It is of rows as they are exported, so that it is
 * another one, too, when the zone or the GPUs are understood in another way than before. */
#include "export/sqlite_inner.h"

#include "archive/digest.h"
#include "base/mem.h"

#include <string.h>

/* What is stored of an input. */
struct stored {
    int64_t number; /* 0: nothing */
    uint64_t rows, marks, rows_digest, marks_digest;
};

/* What it has now. */
struct found {
    struct smi_sqlite_out *o;
    struct smi_digest digest;
    uint64_t at, all; /* the digest before row `at`, and of all */
    uint64_t until;   /* `at` is of so many */
    bool passed;      /* and was taken */
    bool seen[SMI_METRIC_COUNT];
};

static const char *base_name(enum smi_base base)
{
    static const char *const names[] = {[SMI_BASE_NONE] = "none", [SMI_BASE_LOCAL] = "local", [SMI_BASE_UTC] = "utc",
                                        [SMI_BASE_DAY] = "day"};
    return names[base];
}

/* ---- columns ---- */

/* The statement for all columns that there are. */
static int prepare_row(struct smi_sqlite_out *o, struct smi_buf *sql, int n, struct smi_err *err)
{
    smi_buf_str(sql, ") VALUES(?,?,?,?,?");
    for (int i = 0; i < n; i++)
        smi_buf_str(sql, ",?");
    smi_buf_str(sql, ")");
    if (sql->failed)
        return smi_err_nomem(err);
    sqlite3_finalize(o->put_row);
    o->put_row = smi_sql_prepare(&o->sql, sql->p, err);
    return o->put_row ? 0 : -1;
}

int smi_sqlite_columns(struct smi_sqlite_out *o, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(&o->sql, "SELECT name FROM pragma_table_info('samples')", err);
    struct smi_buf sql = {0};
    int step = SQLITE_DONE, n = 0, rc = st ? 0 : -1;
    memset(o->column, 0, sizeof o->column);
    smi_buf_str(&sql, "INSERT INTO samples(run,input,row,gpu,t_ms");
    while (!rc && (step = sqlite3_step(st)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(st, 0);
        int m = name ? smi_metric_find(name, strlen(name)) : -1;
        if (m < 0)
            continue;
        o->column[m] = 6 + n++;
        smi_buf_fmt(&sql, ",\"%s\"", name);
    }
    if (!rc && step != SQLITE_DONE)
        rc = smi_sql_error(&o->sql, err);
    sqlite3_finalize(st);
    if (!rc)
        rc = prepare_row(o, &sql, n, err);
    smi_buf_fini(&sql);
    return rc;
}

static bool is_missing(const struct smi_sqlite_out *o, const bool *seen)
{
    bool some = false;
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        some |= seen[m] && !o->column[m];
    return some;
}

/* Columns for metrics that no run had before. Another export may have added them since we looked. */
static int add_columns(struct smi_sqlite_out *o, const bool *seen, struct smi_err *err)
{
    char sql[256];
    bool some = false;
    if (!is_missing(o, seen))
        return 0;
    if (smi_sqlite_columns(o, err))
        return -1;
    for (int m = 0; m < SMI_METRIC_COUNT; m++) {
        if (!seen[m] || o->column[m])
            continue;
        some = true;
        sqlite3_snprintf(sizeof sql, sql, "ALTER TABLE samples ADD COLUMN \"%w\" REAL", smi_metrics[m].key);
        if (smi_sql_run(&o->sql, sql, err))
            return -1;
    }
    return some ? smi_sqlite_columns(o, err) : 0;
}

/* ---- digests ---- */

static void put_int(struct smi_digest *d, int64_t v)
{
    smi_digest_put(d, (const char *)&v, sizeof v);
}

static void pass(struct found *f, uint64_t ordinal)
{
    if (!f->passed && ordinal >= f->until) {
        f->at = smi_digest_end(&f->digest);
        f->passed = true;
    }
}

static int64_t gpu_of(const struct smi_sqlite_out *o, int gpu)
{
    return gpu < 0 ? 0 : o->gpu[gpu];
}

static int digest_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct found *f = self;
    int64_t v[3 + SMI_SAMPLE_MAX];
    (void)err;
    pass(f, row->ordinal);
    v[0] = (int64_t)row->ordinal;
    v[1] = gpu_of(f->o, row->gpu) * 2 + row->timed;
    v[2] = row->t_ms;
    for (unsigned i = 0; i < row->n; i++) {
        v[3 + i] = (int64_t)((uint64_t)row->v[i] * 1024 + row->metric[i]);
        f->seen[row->metric[i]] = true;
    }
    smi_digest_put(&f->digest, (const char *)v, (3 + row->n) * sizeof *v);
    return 0;
}

static int digest_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct found *f = self;
    (void)err;
    pass(f, ordinal);
    put_int(&f->digest, m->kind);
    put_int(&f->digest, m->t_us);
    put_int(&f->digest, m->span_us);
    put_int(&f->digest, (int64_t)m->name.n);
    smi_digest_put(&f->digest, m->name.p, m->name.n);
    smi_buf_clear(&f->o->text);
    smi_export_fields(&f->o->text, m, true);
    smi_buf_char(&f->o->text, '\n');
    smi_export_fields(&f->o->text, m, false);
    if (f->o->text.n)
        smi_digest_put(&f->digest, f->o->text.p, f->o->text.n);
    return 0;
}

static void begin(struct found *f, struct smi_sqlite_out *o, uint64_t until)
{
    f->o = o;
    f->digest = smi_digest_begin(0);
    f->until = until;
    f->passed = false;
}

static void end(struct found *f)
{
    pass(f, UINT64_MAX);
    f->all = smi_digest_end(&f->digest);
}

/* ---- what is stored ---- */

static int find_input(struct smi_sqlite_out *o, const struct smi_export_input *in, int64_t nth, struct stored *s,
                      struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(&o->sql, "SELECT input, rows, marks, rows_digest, marks_digest, base "
                                                "FROM inputs WHERE run=? AND path=? AND format=? AND nth=?", err);
    int rc;
    *s = (struct stored){0};
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, o->run);
    smi_sqlite_bind_text(st, 2, in->path);
    smi_sqlite_bind_text(st, 3, in->format);
    sqlite3_bind_int64(st, 4, nth);
    rc = sqlite3_step(st);
    if (rc == SQLITE_ROW) {
        const char *base = (const char *)sqlite3_column_text(st, 5);
        *s = (struct stored){sqlite3_column_int64(st, 0), (uint64_t)sqlite3_column_int64(st, 1),
                             (uint64_t)sqlite3_column_int64(st, 2), (uint64_t)sqlite3_column_int64(st, 3),
                             (uint64_t)sqlite3_column_int64(st, 4)};
        if (base && strcmp(base, base_name(in->base)) != 0 && s->rows)
            s->rows_digest = ~s->rows_digest; /* the same numbers mean something else */
    } else if (rc != SQLITE_DONE) {
        smi_sql_error(&o->sql, err);
    }
    sqlite3_finalize(st);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
}

/* Takes the rows or marks of the input at hand away, as they are not what they were. */
static int drop(struct smi_sqlite_out *o, const char *table, uint64_t n, bool said, struct smi_err *err)
{
    const int64_t v[] = {o->run, o->number};
    char sql[80];
    const char *path = o->r->input[o->input].path;
    sqlite3_snprintf(sizeof sql, sql, "DELETE FROM %s WHERE run=? AND input=?", table);
    if (said)
        smi_sqlite_say(o, "%.200s is not what it was, or on another clock: the %llu %s that are stored are replaced",
                       path, (unsigned long long)n, strcmp(table, "marks") ? "rows" : "phases and events");
    o->changed = true;
    return smi_sqlite_do(o, sql, v, 2, err);
}

/* ---- what is added ---- */

static int put_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct smi_sqlite_out *o = self;
    sqlite3_stmt *st = o->put_row;
    sqlite3_clear_bindings(st);
    sqlite3_bind_int64(st, 1, o->run);
    sqlite3_bind_int64(st, 2, o->number);
    sqlite3_bind_int64(st, 3, (int64_t)row->ordinal);
    if (row->gpu >= 0)
        sqlite3_bind_int64(st, 4, o->gpu[row->gpu]);
    if (row->timed)
        sqlite3_bind_int64(st, 5, row->t_ms);
    for (unsigned i = 0; i < row->n; i++)
        sqlite3_bind_double(st, o->column[row->metric[i]], (double)row->v[i] / 1e6);
    o->rows++;
    return smi_sql_step(&o->sql, st, err);
}

static void bind_fields(struct smi_sqlite_out *o, int at, const struct smi_mark *m, bool in_data)
{
    smi_buf_clear(&o->text);
    if (smi_export_fields(&o->text, m, in_data) && !o->text.failed)
        sqlite3_bind_text(o->put_mark, at, o->text.p, (int)o->text.n, SQLITE_TRANSIENT);
}

static int put_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_sqlite_out *o = self;
    sqlite3_stmt *st = o->put_mark;
    if (!st && !(o->put_mark = st = smi_sql_prepare(&o->sql, "INSERT INTO marks VALUES(?,?,?,?,?,?,?,?,?)", err)))
        return -1;
    sqlite3_clear_bindings(st);
    sqlite3_bind_int64(st, 1, o->run);
    sqlite3_bind_int64(st, 2, o->number);
    sqlite3_bind_int64(st, 3, (int64_t)ordinal);
    sqlite3_bind_text(st, 4, m->kind == SMI_MARK_PHASE ? "phase" : "event", -1, SQLITE_STATIC);
    sqlite3_bind_text64(st, 5, m->name.p, m->name.n, SQLITE_STATIC, SQLITE_UTF8);
    sqlite3_bind_int64(st, 6, m->t_us);
    if (m->kind == SMI_MARK_PHASE)
        sqlite3_bind_int64(st, 7, m->span_us);
    bind_fields(o, 8, m, true);
    bind_fields(o, 9, m, false);
    o->marks++;
    return o->text.failed ? smi_err_nomem(err) : smi_sql_step(&o->sql, st, err);
}

static int put_input(struct smi_sqlite_out *o, const struct smi_export_input *in, int64_t nth, const uint64_t digest[2],
                     struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(&o->sql, "INSERT OR REPLACE INTO inputs "
                                                "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", err);
    const struct smi_account *a = in->counts ? &in->counts->account : NULL;
    const int64_t counts[] = {a ? a->lines : 0, a ? a->header : 0, a ? a->rows : 0, a ? a->duplicates : 0,
                              a ? a->blank : 0, a ? a->messages : 0, a ? smi_account_rejected(a) : 0};
    const int64_t v[] = {in->size, (int64_t)in->digest, (int64_t)in->rows, (int64_t)in->marks, (int64_t)digest[0],
                         (int64_t)digest[1]};
    int rc;
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, o->run);
    sqlite3_bind_int64(st, 2, o->number);
    smi_sqlite_bind_text(st, 3, in->path);
    sqlite3_bind_int64(st, 4, nth);
    smi_sqlite_bind_text(st, 5, in->format);
    smi_sqlite_bind_text(st, 6, base_name(in->base));
    for (int i = 0; i < 6; i++)
        sqlite3_bind_int64(st, 7 + i, v[i]);
    for (int i = 0; i < 7 && a; i++)
        sqlite3_bind_int64(st, 13 + i, counts[i]);
    rc = smi_sql_step(&o->sql, st, err);
    sqlite3_finalize(st);
    return rc;
}

/* ---- an input ---- */

/* Those of one path and format before it. */
static int64_t nth_of(const struct smi_export_run *r, size_t i)
{
    int64_t n = 0;
    for (size_t k = 0; k < i; k++)
        n += strcmp(r->input[k].path, r->input[i].path) == 0 && strcmp(r->input[k].format, r->input[i].format) == 0;
    return n;
}

static int next_number(struct smi_sqlite_out *o, struct smi_err *err)
{
    char sql[96];
    sqlite3_snprintf(sizeof sql, sql, "SELECT ifnull(max(input), 0) + 1 FROM inputs WHERE run=%lld", (long long)o->run);
    return smi_sql_number(&o->sql, sql, &o->number, err);
}

/* Rows first, then marks: finds what is the same, takes away what is not, adds what is new. *from: where the new ones
 * begin. */
static int compare(struct smi_sqlite_out *o, struct found *f, const struct stored *s, bool marks, uint64_t *from,
                   struct smi_err *err)
{
    const struct smi_export_input *in = &o->r->input[o->input];
    uint64_t had = marks ? s->marks : s->rows, has = marks ? in->marks : in->rows;
    bool same;
    begin(f, o, had);
    if (marks ? smi_export_marks(o->r, o->input, 0, digest_mark, f, err)
              : smi_export_rows(o->r, o->input, 0, digest_row, f, err))
        return -1;
    end(f);
    same = had <= has && f->at == (marks ? s->marks_digest : s->rows_digest);
    *from = same ? had : 0;
    return !had || same ? 0 : drop(o, marks ? "marks" : "samples", had, true, err);
}

static int store_input(struct smi_sqlite_out *o, struct found *f, struct smi_err *err)
{
    const struct smi_export_input *in = &o->r->input[o->input];
    int64_t nth = nth_of(o->r, o->input);
    struct stored s;
    uint64_t from[2], digest[2];
    if (find_input(o, in, nth, &s, err))
        return -1;
    o->number = s.number;
    if (!s.number && next_number(o, err))
        return -1;
    memset(f->seen, 0, sizeof f->seen);
    for (int marks = 0; marks < 2; marks++) {
        if (compare(o, f, &s, marks, &from[marks], err))
            return -1;
        digest[marks] = f->all;
    }
    if (add_columns(o, f->seen, err) || smi_export_rows(o->r, o->input, from[0], put_row, o, err) ||
        smi_export_marks(o->r, o->input, from[1], put_mark, o, err))
        return -1;
    if (!o->changed && s.number && s.rows == in->rows && s.marks == in->marks)
        return 0;
    o->changed = true;
    return put_input(o, in, nth, digest, err);
}

/* ---- inputs that are gone ---- */

static int drop_input(struct smi_sqlite_out *o, int64_t number, const char *path, struct smi_err *err)
{
    const int64_t v[] = {o->run, number};
    smi_sqlite_say(o, "%.200s is not there any more: what was stored of it is gone, too", path);
    o->changed = true;
    return smi_sqlite_do(o, "DELETE FROM samples WHERE run=? AND input=?", v, 2, err) ||
                   smi_sqlite_do(o, "DELETE FROM marks WHERE run=? AND input=?", v, 2, err) ||
                   smi_sqlite_do(o, "DELETE FROM inputs WHERE run=? AND input=?", v, 2, err)
               ? -1
               : 0;
}

/* The first that is stored and not in `kept`, n of them; 0: none. */
static int find_gone(struct smi_sqlite_out *o, const int64_t *kept, size_t n, int64_t *number, struct smi_buf *path,
                     struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(&o->sql, "SELECT input, path FROM inputs WHERE run=? ORDER BY input", err);
    int rc = SQLITE_DONE;
    *number = 0;
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, o->run);
    while (!*number && (rc = sqlite3_step(st)) == SQLITE_ROW) {
        bool found = false;
        for (size_t i = 0; i < n && !found; i++)
            found = kept[i] == sqlite3_column_int64(st, 0);
        if (found)
            continue;
        *number = sqlite3_column_int64(st, 0);
        smi_buf_clear(path);
        smi_buf_str(path, (const char *)sqlite3_column_text(st, 1));
    }
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        smi_sql_error(&o->sql, err);
    sqlite3_finalize(st);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
}

static int drop_gone(struct smi_sqlite_out *o, const int64_t *kept, size_t n, struct smi_err *err)
{
    struct smi_buf path = {0};
    int64_t number = 0;
    int rc;
    do
        rc = find_gone(o, kept, n, &number, &path, err) || (number && drop_input(o, number, path.p ? path.p : "", err));
    while (!rc && number);
    smi_buf_fini(&path);
    return rc ? -1 : 0;
}

int smi_sqlite_inputs(struct smi_sqlite_out *o, struct smi_err *err)
{
    size_t n = o->r->inputs;
    int64_t *kept = smi_mem_new(n, sizeof *kept);
    struct found *f = smi_mem_new(1, sizeof *f);
    int rc = kept && f ? 0 : smi_err_nomem(err);
    for (o->input = 0; !rc && o->input < n; o->input++) {
        rc = store_input(o, f, err);
        kept[o->input] = o->number;
    }
    if (!rc)
        rc = drop_gone(o, kept, n, err);
    smi_mem_free(f);
    smi_mem_free(kept);
    return rc;
}
