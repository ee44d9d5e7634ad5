/* sqlite_inputs.c - of every input: what of its rows and marks is stored already, and is still so? A digest
 * of the rows so far says it: of those that are stored it has to be the same now. It is of rows as they are
 * exported, so that it is another one, too, when the zone or the GPUs are understood in another way than
 * before. */
#include "export/sqlite_private.h"

#include "base/digest.h"
#include "base/mem.h"

#include <stdlib.h>
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

static const char *base_name(enum smi_time_base base)
{
    static const char *const names[] = {[SMI_TIME_BASE_NONE] = "none",
                                        [SMI_TIME_BASE_LOCAL] = "local",
                                        [SMI_TIME_BASE_UTC] = "utc",
                                        [SMI_TIME_BASE_DAY] = "day"};
    return names[base];
}

/* ---- digests ---- */

static void digest_int(struct smi_digest *d, int64_t v)
{
    smi_digest_add(d, (const char *)&v, sizeof v);
}

static void digest_and_store(struct found *f, uint64_t ordinal)
{
    if (!f->passed && ordinal >= f->until) {
        f->at = smi_digest_value(&f->digest);
        f->passed = true;
    }
}

static int64_t gpu_number(const struct smi_sqlite_out *o, int gpu)
{
    return gpu < 0 ? 0 : o->gpu[gpu];
}

static int digest_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct found *f = self;
    int64_t v[3 + SMI_SAMPLE_MAX];
    (void)err;
    digest_and_store(f, row->ordinal);
    v[0] = (int64_t)row->ordinal;
    v[1] = gpu_number(f->o, row->gpu) * 2 + row->timed;
    v[2] = row->t_ms;
    for (unsigned i = 0; i < row->n; i++) {
        v[3 + i] = (int64_t)((uint64_t)row->v[i] * 1024 + row->metric[i]);
        f->seen[row->metric[i]] = true;
    }
    smi_digest_add(&f->digest, (const char *)v, (3 + row->n) * sizeof *v);
    return 0;
}

static int digest_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct found *f = self;
    (void)err;
    digest_and_store(f, ordinal);
    digest_int(&f->digest, m->kind);
    digest_int(&f->digest, m->t_us);
    digest_int(&f->digest, m->span_us);
    digest_int(&f->digest, (int64_t)m->name.n);
    smi_digest_add(&f->digest, m->name.p, m->name.n);
    smi_buf_clear(&f->o->text);
    smi_export_fields(&f->o->text, m, true);
    smi_buf_char(&f->o->text, '\n');
    smi_export_fields(&f->o->text, m, false);
    if (f->o->text.n)
        smi_digest_add(&f->digest, f->o->text.p, f->o->text.n);
    return 0;
}

static void begin_pass(struct found *f, struct smi_sqlite_out *o, uint64_t until)
{
    f->o = o;
    f->digest = smi_digest_init(0);
    f->until = until;
    f->passed = false;
}

static void end_pass(struct found *f)
{
    digest_and_store(f, UINT64_MAX);
    f->all = smi_digest_value(&f->digest);
}

/* ---- what is stored ---- */

static int select_input(struct smi_sqlite_out *o, const struct smi_export_input *in, int64_t nth,
                        struct stored *s, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(&o->sql,
                                       "SELECT input, rows, marks, rows_digest, marks_digest, base "
                                       "FROM inputs WHERE run=? AND path=? AND format=? AND nth=?",
                                       err);
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
static int delete_input_rows(struct smi_sqlite_out *o, const char *table, uint64_t n, bool said,
                             struct smi_err *err)
{
    const int64_t v[] = {o->run, o->number};
    char sql[80];
    const char *path = o->r->input[o->input].path;
    sqlite3_snprintf(sizeof sql, sql, "DELETE FROM %s WHERE run=? AND input=?", table);
    if (said)
        smi_sqlite_warn(
            o, "%.200s is not what it was, or on another clock: the %llu %s that are stored are replaced",
            path, (unsigned long long)n, strcmp(table, "marks") ? "rows" : "phases and events");
    o->changed = true;
    return smi_sqlite_run_ints(o, sql, v, 2, err);
}

/* ---- an input ---- */

static int write_input(struct smi_sqlite_out *o, const struct smi_export_input *in, int64_t nth,
                       const uint64_t digest[2], struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(&o->sql,
                                       "INSERT OR REPLACE INTO inputs "
                                       "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                                       err);
    const struct smi_account *a = in->counts ? &in->counts->account : NULL;
    const int64_t counts[] = {a ? a->lines : 0,
                              a ? a->header : 0,
                              a ? a->rows : 0,
                              a ? a->duplicates : 0,
                              a ? a->blank : 0,
                              a ? a->messages : 0,
                              a ? smi_account_rejected(a) : 0};
    const int64_t v[] = {in->size,           (int64_t)in->digest, (int64_t)in->rows,
                         (int64_t)in->marks, (int64_t)digest[0],  (int64_t)digest[1]};
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

/* An input by what it is called. */
struct called {
    const struct smi_export_input *in;
    size_t place;
    int64_t nth; /* of those of its path and format */
};

static int by_call(const void *x, const void *y)
{
    const struct called *a = x, *b = y;
    int d = strcmp(a->in->path, b->in->path);
    d = d ? d : strcmp(a->in->format, b->in->format);
    return d ? d : (a->place > b->place) - (a->place < b->place);
}

static int by_place(const void *x, const void *y)
{
    const struct called *a = x, *b = y;
    return (a->place > b->place) - (a->place < b->place);
}

static bool same_call(const struct called *a, const struct called *b)
{
    return strcmp(a->in->path, b->in->path) == 0 && strcmp(a->in->format, b->in->format) == 0;
}

/* Of each input which of those of its path and format it is. */
static void count_calls(const struct smi_export_run *r, struct called *list)
{
    for (size_t i = 0; i < r->inputs; i++)
        list[i] = (struct called){&r->input[i], i, 0};
    smi_sort(list, r->inputs, sizeof *list, by_call);
    for (size_t i = 1; i < r->inputs; i++)
        list[i].nth = same_call(&list[i - 1], &list[i]) ? list[i - 1].nth + 1 : 0;
    smi_sort(list, r->inputs, sizeof *list, by_place);
}

static int next_number(struct smi_sqlite_out *o, struct smi_err *err)
{
    char sql[96];
    sqlite3_snprintf(sizeof sql, sql, "SELECT ifnull(max(input), 0) + 1 FROM inputs WHERE run=%lld",
                     (long long)o->run);
    return smi_sql_number(&o->sql, sql, &o->number, err);
}

/* Rows first, then marks: finds what is the same, takes away what is not, adds what is new. *from: where the
 * new ones begin. */
static int compare_input(struct smi_sqlite_out *o, struct found *f, const struct stored *s, bool marks,
                         uint64_t *from, struct smi_err *err)
{
    const struct smi_export_input *in = &o->r->input[o->input];
    uint64_t had = marks ? s->marks : s->rows, has = marks ? in->marks : in->rows;
    bool same;
    begin_pass(f, o, had);
    if (marks ? smi_export_marks(o->r, o->input, 0, digest_mark, f, err)
              : smi_export_rows(o->r, o->input, 0, digest_row, f, err))
        return -1;
    end_pass(f);
    same = had <= has && f->at == (marks ? s->marks_digest : s->rows_digest);
    *from = same ? had : 0;
    return !had || same ? 0 : delete_input_rows(o, marks ? "marks" : "samples", had, true, err);
}

static int store_input(struct smi_sqlite_out *o, struct found *f, int64_t nth, struct smi_err *err)
{
    const struct smi_export_input *in = &o->r->input[o->input];
    struct stored s;
    uint64_t from[2], digest[2];
    if (select_input(o, in, nth, &s, err))
        return -1;
    o->number = s.number;
    if (!s.number && next_number(o, err))
        return -1;
    memset(f->seen, 0, sizeof f->seen);
    for (int marks = 0; marks < 2; marks++) {
        if (compare_input(o, f, &s, marks, &from[marks], err))
            return -1;
        digest[marks] = f->all;
    }
    if (smi_sqlite_add_columns(o, f->seen, err) ||
        smi_export_rows(o->r, o->input, from[0], smi_sqlite_put_row, o, err) ||
        smi_export_marks(o->r, o->input, from[1], smi_sqlite_put_mark, o, err))
        return -1;
    if (!o->changed && s.number && s.rows == in->rows && s.marks == in->marks)
        return 0;
    o->changed = true;
    return write_input(o, in, nth, digest, err);
}

/* ---- inputs that are gone ---- */

static int delete_input(struct smi_sqlite_out *o, int64_t number, const char *path, struct smi_err *err)
{
    const int64_t v[] = {o->run, number};
    smi_sqlite_warn(o, "%.200s is not there any more: what was stored of it is gone, too", path);
    o->changed = true;
    return smi_sqlite_run_ints(o, "DELETE FROM samples WHERE run=? AND input=?", v, 2, err) ||
                   smi_sqlite_run_ints(o, "DELETE FROM marks WHERE run=? AND input=?", v, 2, err) ||
                   smi_sqlite_run_ints(o, "DELETE FROM inputs WHERE run=? AND input=?", v, 2, err)
               ? -1
               : 0;
}

static int compare_numbers(const void *x, const void *y)
{
    const int64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* The first that is stored and not in `kept`, n of them in order; 0: none. */
static int find_gone(struct smi_sqlite_out *o, const int64_t *kept, size_t n, int64_t *number,
                     struct smi_buf *path, struct smi_err *err)
{
    sqlite3_stmt *st =
        smi_sql_prepare(&o->sql, "SELECT input, path FROM inputs WHERE run=? ORDER BY input", err);
    int rc = SQLITE_DONE;
    *number = 0;
    if (!st)
        return -1;
    sqlite3_bind_int64(st, 1, o->run);
    while (!*number && (rc = sqlite3_step(st)) == SQLITE_ROW) {
        int64_t is = sqlite3_column_int64(st, 0);
        if (bsearch(&is, kept, n, sizeof *kept, compare_numbers))
            continue;
        *number = is;
        smi_buf_clear(path);
        smi_buf_str(path, (const char *)sqlite3_column_text(st, 1));
    }
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        smi_sql_error(&o->sql, err);
    sqlite3_finalize(st);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : -1;
}

static int delete_gone_inputs(struct smi_sqlite_out *o, const int64_t *kept, size_t n, struct smi_err *err)
{
    struct smi_buf path = {0};
    int64_t number = 0;
    int rc;
    do
        rc = find_gone(o, kept, n, &number, &path, err) ||
             (number && delete_input(o, number, path.p ? path.p : "", err));
    while (!rc && number);
    smi_buf_fini(&path);
    return rc ? -1 : 0;
}

int smi_sqlite_inputs(struct smi_sqlite_out *o, struct smi_err *err)
{
    size_t n = o->r->inputs;
    int64_t *kept = smi_mem_new(n, sizeof *kept);
    struct found *f = smi_mem_new(1, sizeof *f);
    struct called *called = smi_mem_new(n, sizeof *called);
    int rc = kept && f && called ? 0 : smi_err_nomem(err);
    if (!rc)
        count_calls(o->r, called);
    for (o->input = 0; !rc && o->input < n; o->input++) {
        rc = store_input(o, f, called[o->input].nth, err);
        kept[o->input] = o->number;
    }
    if (!rc && n)
        smi_sort(kept, n, sizeof *kept, compare_numbers);
    if (!rc)
        rc = delete_gone_inputs(o, kept, n, err);
    smi_mem_free(called);
    smi_mem_free(f);
    smi_mem_free(kept);
    return rc;
}
