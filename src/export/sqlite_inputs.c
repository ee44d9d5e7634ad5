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
    sqlite3_stmt *st =
        smi_sql_bind(&o->sql, err,
                     "SELECT input, rows, marks, rows_digest, marks_digest, base=? FROM inputs "
                     "WHERE run=? AND path=? AND format=? AND nth=?",
                     "titti", base_name(in->base), o->run, in->path, in->format, nth);
    int rc = smi_sql_next(&o->sql, st, err);
    *s = (struct stored){0};
    if (rc <= 0)
        return rc;
    *s = (struct stored){sqlite3_column_int64(st, 0), (uint64_t)sqlite3_column_int64(st, 1),
                         (uint64_t)sqlite3_column_int64(st, 2), (uint64_t)sqlite3_column_int64(st, 3),
                         (uint64_t)sqlite3_column_int64(st, 4)};
    if (!sqlite3_column_int(st, 5) && s->rows)
        s->rows_digest = ~s->rows_digest; /* the same numbers mean something else */
    sqlite3_finalize(st);
    return 0;
}

/* Takes the rows or marks of the input at hand away, as they are not what they were. */
static int delete_input_rows(struct smi_sqlite_out *o, const char *table, uint64_t n, bool said,
                             struct smi_err *err)
{
    char sql[80];
    const char *path = o->r->input[o->input].path;
    sqlite3_snprintf(sizeof sql, sql, "DELETE FROM %s WHERE run=? AND input=?", table);
    if (said)
        smi_sqlite_warn(
            o, "%.200s is not what it was, or on another clock: the %llu %s that are stored are replaced",
            path, (unsigned long long)n, strcmp(table, "marks") ? "rows" : "phases and events");
    o->changed = true;
    return smi_sql_do(&o->sql, err, sql, "ii", o->run, o->number);
}

/* ---- an input ---- */

static int write_input(struct smi_sqlite_out *o, const struct smi_export_input *in, int64_t nth,
                       const uint64_t digest[2], struct smi_err *err)
{
    const struct smi_account none = {0}, *a = in->counts ? &in->counts->account : &none;
    return smi_sql_do(
        &o->sql, err, "INSERT OR REPLACE INTO inputs VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        in->counts ? "iititt"
                     "iiiiii"
                     "iiiiiii"
                   : "iititt"
                     "iiiiii"
                     "-------",
        o->run, o->number, in->path, nth, in->format, base_name(in->base), in->size, in->digest, in->rows,
        in->marks, digest[0], digest[1], (int64_t)a->lines, (int64_t)a->header, (int64_t)a->rows,
        (int64_t)a->duplicates, (int64_t)a->blank, (int64_t)a->messages, (int64_t)smi_account_rejected(a));
}

/* Which of the inputs of one path and format it is. */
static int64_t count_before(const struct smi_export_run *r, size_t input)
{
    const struct smi_export_input *in = &r->input[input];
    int64_t nth = 0;
    for (size_t i = 0; i < input; i++)
        nth += strcmp(r->input[i].path, in->path) == 0 && r->input[i].kind == in->kind;
    return nth;
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

/* Deletes what is stored of the inputs that are not among the numbers `kept`: "1,2". */
static int delete_gone_inputs(struct smi_sqlite_out *o, const char *kept, struct smi_err *err)
{
    static const char *const tables[] = {"samples", "marks", "inputs"};
    struct smi_buf sql = {0};
    sqlite3_stmt *st;
    bool gone = false;
    int rc;
    smi_buf_fmt(&sql, "SELECT path FROM inputs WHERE run=? AND input NOT IN (%s) ORDER BY input", kept);
    st = sql.failed ? NULL : smi_sql_bind(&o->sql, err, sql.p, "i", o->run);
    while ((rc = smi_sql_next(&o->sql, st, err)) > 0) {
        smi_sqlite_warn(o, "%.200s is not there any more: what was stored of it is gone, too",
                        (const char *)sqlite3_column_text(st, 0));
        gone = true;
    }
    for (int i = 0; i < 3 && gone && !rc; i++) {
        smi_buf_clear(&sql);
        smi_buf_fmt(&sql, "DELETE FROM %s WHERE run=? AND input NOT IN (%s)", tables[i], kept);
        rc = sql.failed ? -1 : smi_sql_do(&o->sql, err, sql.p, "i", o->run);
    }
    o->changed |= gone;
    if (sql.failed)
        smi_err_nomem(err);
    smi_buf_fini(&sql);
    return rc;
}

int smi_sqlite_inputs(struct smi_sqlite_out *o, struct smi_err *err)
{
    struct found *f = smi_mem_new(1, sizeof *f);
    struct smi_buf kept = {0};
    int rc = f ? 0 : smi_err_nomem(err);
    smi_buf_str(&kept, "0");
    for (o->input = 0; !rc && o->input < o->r->inputs; o->input++) {
        rc = store_input(o, f, count_before(o->r, o->input), err);
        smi_buf_fmt(&kept, ",%lld", (long long)o->number);
    }
    if (!rc)
        rc = kept.failed ? smi_err_nomem(err) : delete_gone_inputs(o, kept.p, err);
    smi_buf_fini(&kept);
    smi_mem_free(f);
    return rc;
}
