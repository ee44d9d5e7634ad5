/* sqlite.c - a database file of SQLite as a target */
#include "base/buf.h"
#include "base/mem.h"
#include "export/export.h"
#include "export/stored.h"
#include "model/field.h"
#include "query/query_db.h"
#include "summary/run_fields.h"
#include "sweep/walk.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* samples and marks are deleted by hand: to look up the run of each row that is added costs too much. */
static const char schema[] =
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, place TEXT NOT NULL, leaf TEXT NOT NULL, name TEXT NOT NULL, "
    "host TEXT, state TEXT NOT NULL, time_base TEXT, start TEXT, \"end\" TEXT, UNIQUE(place, leaf)) STRICT;"
    "CREATE TABLE params(run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, key TEXT NOT NULL, "
    "value TEXT,"
    " PRIMARY KEY(run, key)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE gpus(run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, gpu INTEGER NOT NULL, idx "
    "INTEGER,"
    " uuid TEXT, bus TEXT, name TEXT, pooled INTEGER NOT NULL, machine TEXT, PRIMARY KEY(run, gpu)) STRICT, "
    "WITHOUT ROWID;"
    "CREATE TABLE inputs(run INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, input INTEGER NOT NULL,"
    " path TEXT NOT NULL, format TEXT NOT NULL, base TEXT NOT NULL, bytes INTEGER NOT "
    "NULL,"
    " digest INTEGER NOT NULL, rows INTEGER NOT NULL, marks INTEGER NOT NULL, lines INTEGER,"
    " header INTEGER, counted INTEGER, duplicates INTEGER, blank INTEGER, messages INTEGER, rejected INTEGER,"
    " PRIMARY KEY(run, input)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE samples(run INTEGER NOT NULL, input INTEGER NOT NULL, row INTEGER NOT NULL, gpu INTEGER,"
    " t_ms INTEGER, PRIMARY KEY(run, input, row)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE marks(run INTEGER NOT NULL, input INTEGER NOT NULL, mark INTEGER NOT NULL, kind TEXT NOT "
    "NULL,"
    " name TEXT NOT NULL, t_us INTEGER NOT NULL, span_us INTEGER, data TEXT, extra TEXT,"
    " PRIMARY KEY(run, input, mark)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE summaries(run INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE, schema TEXT NOT "
    "NULL,"
    " partial TEXT NOT NULL) STRICT;";

/* Opens a connection to the file, whatever its name: to SQLite ":memory:" is none, and what follows "//" a
 * host. more: "?immutable=1", or "". */
static int connect_file(struct smi_sql *s, int flags, const char *more, struct smi_err *err)
{
    const char *path = s->name;
    struct smi_buf uri = {0};
    int rc;
    while (path[0] == '/' && path[1] == '/')
        path++;
    smi_buf_str(&uri, *path == '/' ? "file:" : "file:./");
    smi_buf_percent(&uri, smi_text_of(path), "/");
    smi_buf_str(&uri, more);
    sqlite3_close(s->db);
    rc = sqlite3_open_v2(uri.p, &s->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
    smi_buf_fini(&uri);
    if (rc)
        return smi_sql_error(s, err);
    /* a hostile file may have views where our tables should be, and they may have endless rows */
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_busy_timeout(s->db, SMI_SQL_WAIT_MS);
    return 0;
}

/* The tables of a new file: runs have columns of the catalogue, too. */
static int make_database(struct smi_sql *s, struct smi_err *err)
{
    static const char *const types[] = {"", "INTEGER", "REAL", "INTEGER", "TEXT"}; /* of an smi_datum_kind */
    struct smi_buf b = {0};
    int rc;
    smi_buf_str(&b, schema);
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (smi_run_fields[i].stored)
            smi_buf_fmt(&b, "ALTER TABLE runs ADD COLUMN %s %s;", smi_run_fields[i].key,
                        types[smi_run_fields[i].kind]);
    rc = smi_sql_make(s, b.p, SMI_SQLITE_ID, SMI_SQLITE_VERSION, err);
    smi_buf_fini(&b);
    return rc;
}

/* Opens the file, which is made if it is not there, to write: of another program or version, it is refused
 * and stays as it is. Or only to read: then it has to be there. s->name is borrowed from path. Returns 0, or
 * -1 with err; the caller closes s->db either way. */
static int try_to_open(struct smi_sql *s, const char *path, bool write, struct smi_err *err)
{
    struct smi_buf wal = {0};
    struct smi_err why = {0};
    struct stat st;
    int64_t id;
    bool empty, there = stat(path, &st) == 0;
    *s = (struct smi_sql){NULL, path};
    if (!there && !(write && errno == ENOENT))
        return smi_err_set(err, SMI_EIO, "%.300s: %s", path, strerror(errno));
    if (there && !S_ISREG(st.st_mode)) /* SQLite would write into a device */
        return smi_err_set(err, SMI_EIO, "%.300s: not a regular file", path);
    if (connect_file(s, write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY, "", err))
        return -1;
    if (!write && smi_sql_do(s, &id, &why, "PRAGMA application_id", "")) {
        /* A file in a directory that may not be written, as on a medium for reading: SQLite would make a WAL
         * beside it. It is whole, if none is there, and nobody can change it. */
        const int rc = sqlite3_errcode(s->db);
        smi_buf_fmt(&wal, "%s-wal", path);
        there = stat(wal.p, &st) == 0;
        smi_buf_fini(&wal);
        if (there || (rc != SQLITE_CANTOPEN && rc != SQLITE_READONLY))
            return smi_err_set(err, why.code, "%s", why.text);
        if (connect_file(s, SQLITE_OPEN_READONLY, "?immutable=1", err))
            return -1;
    }
    if (smi_sql_check(s, SMI_SQLITE_ID, SMI_SQLITE_VERSION, &empty, err))
        return -1;
    if (!write)
        return empty ? smi_err_set(err, SMI_EFORMAT, "%.300s: no run is stored there", path) : 0;
    if (smi_sql_use_wal(s, err) || smi_sql_run(s,
                                               "PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
                                               "PRAGMA cache_size=-16000",
                                               err))
        return -1;
    return empty ? make_database(s, err) : 0;
}

/* The same, also while others make the file: SQLite removes a journal or WAL that it takes for left over, and
 * that another process has removed in between. */
static int open_database(struct smi_sql *s, const char *path, bool write, struct smi_err *err)
{
    enum { TIMES = 20 };
    int rc = try_to_open(s, path, write, err);
    for (int i = 0; i < TIMES && rc && s->db && sqlite3_extended_errcode(s->db) == SQLITE_IOERR_DELETE_NOENT;
         i++) {
        sqlite3_close(s->db);
        *err = (struct smi_err){0};
        rc = try_to_open(s, path, write, err);
    }
    return rc;
}

static const char prefix[] = "sqlite:";

static const char *column_text(sqlite3_stmt *st, int col)
{
    const char *text = (const char *)sqlite3_column_text(st, col);
    return text ? text : "";
}

int smi_stored_add_run(struct smi_merge_queue *to, struct smi_text partial, const char *place,
                       const char *leaf, const char *name, bool shared, const char *where,
                       struct smi_err *err)
{
    const char *slash = strrchr(place, '/');
    const bool named =
        slash && strcmp(slash + 1, leaf) == 0; /* not one that shares its directory with others */
    struct smi_buf as = {0};
    struct smi_err why = {0};
    int rc;
    if (!to->run && shared)
        smi_buf_fmt(&as, "%s%s%s", place, named ? "" : "/", named ? "" : leaf);
    to->as = as.p;
    rc = smi_merge_queue_add(to, partial.p, partial.n, where, to->n + 1, &why);
    to->as = NULL;
    smi_buf_fini(&as);
    if (rc && why.code == SMI_EFORMAT)
        return smi_err_set(err, why.code, "%s (run %.100s: export its logs again)", why.text, name);
    return rc ? smi_err_set(err, why.code, "%s", why.text) : 0;
}

/* ---- the logs that `follow --store` keeps ---- */

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

/* The directories that all paths begin with: "sweep/lr=0.1/", or "". The first and the last path of all have
 * nothing else in common than all of them. */
static int find_common_directories(const struct smi_sql *s, struct smi_buf *common, struct smi_err *err)
{
    sqlite3_stmt *st = smi_sql_prepare(s, "SELECT min(path), max(path) FROM source", err);
    const int rc = smi_sql_next(s, st, err);
    if (rc <= 0)
        return rc;
    for (const char *a = column_text(st, 0), *b = column_text(st, 1); *a && *a == *b; a++, b++)
        smi_buf_char(common, *a);
    while (common->n && common->p[common->n - 1] != '/')
        common->n--;
    sqlite3_finalize(st);
    return 0;
}

/* The lines of a log, as a source. */
struct log_source {
    struct smi_byte_source pull;
    const struct smi_sql *sql;
    sqlite3_stmt *st;     /* gives them with their ends; NULL behind the last one */
    struct smi_text left; /* of the line at hand */
};

static ssize_t read_log(struct smi_byte_source *self, void *to, size_t n, struct smi_err *err)
{
    struct log_source *s = (struct log_source *)self;
    if (!s->left.n) {
        const int rc = s->st ? smi_sql_next(s->sql, s->st, err) : 0;
        if (rc <= 0) {
            s->st = NULL;
            return rc;
        }
        s->left = (struct smi_text){column_text(s->st, 0), (size_t)sqlite3_column_bytes(s->st, 0)};
    }
    n = n < s->left.n ? n : s->left.n;
    memcpy(to, s->left.p, n);
    s->left.p += n;
    s->left.n -= n;
    return (ssize_t)n;
}

/* The logs of a store, as those of an archive. */
struct store {
    const struct smi_sql *sql;
    size_t common; /* bytes of directories that all paths begin with */
};

static int walk_logs(void *holder, smi_archive_member_fn *fn, void *self, struct smi_err *err)
{
    const struct store *store = holder;
    sqlite3_stmt *st = smi_sql_prepare(store->sql, "SELECT id, path FROM source ORDER BY path", err);
    struct smi_archive_member m = {.kind = SMI_ARCHIVE_FILE};
    int rc;
    while ((rc = smi_sql_next(store->sql, st, err)) > 0) {
        const char *path = column_text(st, 1) + store->common;
        struct log_source from = {.pull = {.read = read_log}, .sql = store->sql};
        from.st = smi_sql_bind(store->sql, err,
                               "SELECT text || char(10) FROM line WHERE source=? ORDER BY part, line", "i",
                               sqlite3_column_int64(st, 0));
        m.id++;
        m.path = *path ? path : "-";
        m.bytes = from.st ? smi_stream_open(&from.pull, err) : NULL;
        rc = m.bytes ? fn(self, &m, err) : -1;
        smi_stream_close(m.bytes);
        sqlite3_finalize(from.st);
        if (rc < 0) {
            sqlite3_finalize(st);
            break;
        }
    }
    return rc;
}

/* Gives the partial of every run in the file at path to smi_merge_queue_add; runs are named by the
 * directories of their logs, without what all have in common. Where they are one run, it has the name of the
 * innermost directory that all have in common, or that of the store without its ending. where: the place, for
 * messages. Returns 0; 1: it is no such file; or -1 with err. */
static int load_followed(struct smi_merge_queue *to, const char *path, const char *where, struct smi_err *err)
{
    struct smi_sql s = {NULL, path};
    struct store store = {.sql = &s};
    const struct smi_options o = {.idle_below = 1000000};
    const struct smi_discover_opts d = {
        .format = -1, .run = to->run, .threads = 1, .members = walk_logs, .holder = &store};
    struct documents out = {to, where};
    struct smi_err why = {0};
    struct smi_buf name = {0};
    struct smi_sweep sweep;
    const char *file = smi_file_name(path);
    int64_t id = 0;
    int rc = 1;
    if (sqlite3_open_v2(path, &s.db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        smi_sql_do(&s, &id, &why, "PRAGMA application_id", "") == 0 && id == SMI_FOLLOWED_ID) {
        (void)sqlite3_db_config(s.db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        rc = find_common_directories(&s, &name, err);
        store.common = name.n;
        smi_buf_str(&name, ""); /* it was cut */
        if (!name.n)
            smi_buf_add(&name, file, *file == '.' ? strlen(file) : strcspn(file, "."));
        if (!rc)
            rc = smi_sweep_documents(&sweep, &(const char *){name.p}, 1, &d, &o, add_document, &out, err);
        if (!rc)
            smi_sweep_fini(&sweep);
    }
    smi_buf_fini(&name);
    sqlite3_close(s.db);
    return rc;
}

int smi_sqlite_load(struct smi_merge_queue *to, const char *where, struct smi_err *err)
{
    struct smi_sql s;
    sqlite3_stmt *st = NULL;
    int step = 0;
    int rc = load_followed(to, where + strlen(prefix), where, err);
    if (rc <= 0)
        return rc;
    rc = open_database(&s, where + strlen(prefix), false, err);
    if (!rc)
        st = smi_sql_prepare(&s,
                             "SELECT place, leaf, name, partial, count(*) OVER (PARTITION BY name) "
                             "FROM runs JOIN summaries ON run=id ORDER BY name, place, leaf",
                             err);
    while (!rc && (step = smi_sql_next(&s, st, err)) > 0)
        if ((rc = smi_stored_add_run(
                 to, (struct smi_text){column_text(st, 3), (size_t)sqlite3_column_bytes(st, 3)},
                 column_text(st, 0), column_text(st, 1), column_text(st, 2), sqlite3_column_int(st, 4) > 1,
                 where, err)))
            sqlite3_finalize(st);
    sqlite3_close(s.db);
    return rc ? rc : step;
}

/* samples, marks and summaries into a SQLite file, one transaction a run: after a kill at
 * any point the next export finishes; the same logs again add nothing; of a log that has grown the new rows
 * are added; the rows of one that has changed are replaced, which is said. */

struct out {
    struct smi_target_out base;
    struct smi_sql sql;
    int column[SMI_METRIC_COUNT]; /* of a metric: its parameter of put_row; 0: the table has no such column */
    sqlite3_stmt *put_row, *put_mark;
    /* of the run at hand: */
    const struct smi_export_run *r;
    struct smi_buf *say;
    int64_t run;          /* its number */
    int64_t *gpu;         /* numbers of its GPUs, by place, */
    struct smi_buf gpus;  /* and these in SQL: "0,1,2" */
    bool changed;         /* something was written */
    uint64_t rows, marks; /* so many */
    size_t input;         /* the one at hand, */
    int64_t number;       /* and its number */
    uint64_t had, other;  /* rows or marks of it that were stored; of these, those that were others */
};

/* ---- what is added: a row that is stored already, and is the same, stays as it is ---- */

static const char put_mark[] =
    "INSERT INTO marks VALUES(?,?,?,?,?,?,?,?,?) ON CONFLICT(run, input, mark) DO UPDATE SET "
    "(kind, name, t_us, span_us, data, extra) = (excluded.kind, excluded.name, excluded.t_us, "
    "excluded.span_us, excluded.data, excluded.extra) WHERE (kind, name, t_us, span_us, data, extra) IS NOT "
    "(excluded.kind, excluded.name, excluded.t_us, excluded.span_us, excluded.data, excluded.extra)";

/* Makes put_row, of all columns that the table has by now. */
static int prepare_rows(struct out *o, struct smi_err *err)
{
    sqlite3_stmt *all = smi_sql_prepare(&o->sql, "SELECT * FROM samples LIMIT 0", err);
    struct smi_buf names = {0}, new = {0}, values = {0}, sql = {0};
    int n = 5;
    if (all) /* else its columns may be those of before another export added some */
        sqlite3_step(all);
    smi_buf_str(&names, "gpu, t_ms");
    smi_buf_str(&new, "excluded.gpu, excluded.t_ms");
    for (int c = n; all && c < sqlite3_column_count(all); c++) {
        const char *key = sqlite3_column_name(all, c);
        const int metric = smi_metric_find(key, strlen(key));
        if (metric < 0)
            continue;
        o->column[metric] = ++n;
        smi_buf_fmt(&names, ", \"%s\"", key);
        smi_buf_fmt(&new, ", excluded.\"%s\"", key);
        smi_buf_str(&values, ",?");
    }
    smi_buf_fmt(&sql,
                "INSERT INTO samples(run, input, row, %s) VALUES(?,?,?,?,?%s) ON CONFLICT(run, input, row) "
                "DO UPDATE SET (%s) = (%s) WHERE (%s) IS NOT (%s)",
                names.p, values.n ? values.p : "", names.p, new.p, names.p, new.p);
    sqlite3_finalize(all);
    sqlite3_finalize(o->put_row);
    o->put_row = all ? smi_sql_prepare(&o->sql, sql.p, err) : NULL;
    smi_buf_fini(&names);
    smi_buf_fini(&new);
    smi_buf_fini(&values);
    smi_buf_fini(&sql);
    return o->put_row ? 0 : -1;
}

/* Adds what is bound, if it is not there. */
static int put(struct out *o, sqlite3_stmt *st, uint64_t ordinal, uint64_t *n, struct smi_err *err)
{
    const int rc = smi_sql_step(&o->sql, st, err);
    const uint64_t new = rc ? 0 : (uint64_t)sqlite3_changes(o->sql.db);
    *n += new;
    o->other += ordinal < o->had ? new : 0;
    return rc;
}

/* Those of the metrics of a row, in the order of the catalogue. */
static int add_columns(struct out *o, const struct smi_run_row *row, struct smi_err *err)
{
    char sql[128];
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        for (unsigned i = 0; i < row->n; i++) {
            if (row->metric[i] != m || o->column[m])
                continue;
            sqlite3_snprintf(sizeof sql, sql, "ALTER TABLE samples ADD COLUMN \"%w\" REAL",
                             smi_metrics[m].key);
            if (smi_sql_run(&o->sql, sql, err))
                return -1;
        }
    return prepare_rows(o, err);
}

static int insert_sample(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct out *o = self;
    bool lacks = false;
    for (unsigned i = 0; i < row->n; i++)
        lacks |= !o->column[row->metric[i]];
    if (lacks && add_columns(o, row, err))
        return -1;
    sqlite3_clear_bindings(o->put_row);
    sqlite3_bind_int64(o->put_row, 1, o->run);
    sqlite3_bind_int64(o->put_row, 2, o->number);
    sqlite3_bind_int64(o->put_row, 3, (int64_t)row->ordinal);
    if (row->gpu >= 0)
        sqlite3_bind_int64(o->put_row, 4, o->gpu[row->gpu]);
    if (row->timed)
        sqlite3_bind_int64(o->put_row, 5, row->t_ms);
    for (unsigned i = 0; i < row->n; i++)
        sqlite3_bind_double(o->put_row, o->column[row->metric[i]], (double)row->v[i] / 1e6);
    return put(o, o->put_row, row->ordinal, &o->rows, err);
}

static int insert_mark(void *self, const struct smi_export_mark *mark, struct smi_err *err)
{
    struct out *o = self;
    const struct smi_mark *m = mark->of;
    sqlite3_stmt *st = o->put_mark;
    sqlite3_clear_bindings(st);
    sqlite3_bind_int64(st, 1, o->run);
    sqlite3_bind_int64(st, 2, o->number);
    sqlite3_bind_int64(st, 3, (int64_t)mark->ordinal);
    sqlite3_bind_text(st, 4, mark->kind, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 5, m->name.n ? m->name.p : "", (int)m->name.n, SQLITE_STATIC);
    sqlite3_bind_int64(st, 6, m->t_us);
    if (m->kind == SMI_MARK_PHASE)
        sqlite3_bind_int64(st, 7, m->span_us);
    sqlite3_bind_text(st, 8, mark->data, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 9, mark->extra, -1, SQLITE_STATIC);
    return put(o, st, mark->ordinal, &o->marks, err);
}

/* ---- inputs ---- */

/* Rows, then marks: adds what is new, and takes away what is not there any more. */
static int write_rows(struct out *o, const uint64_t had[2], struct smi_err *err)
{
    const struct smi_export_input *in = &o->r->input[o->input];
    struct smi_buf sql = {0};
    int rc = 0;
    smi_buf_fmt(&sql, "DELETE FROM samples WHERE run=? AND input=? AND (row>=? OR gpu NOT IN (%s))",
                o->gpus.p);
    for (int marks = 0; marks < 2 && !rc; marks++) {
        o->had = had[marks];
        o->other = 0;
        rc = marks ? smi_export_marks(o->r, o->input, 0, insert_mark, o, err)
                   : smi_export_rows(o->r, o->input, 0, insert_sample, o, err);
        if (!rc && o->had)
            rc = smi_sql_do(&o->sql, NULL, err,
                            marks ? "DELETE FROM marks WHERE run=? AND input=? AND mark>=?" : sql.p, "iii",
                            o->run, o->number, marks ? in->marks : in->rows);
        o->other += !rc && o->had ? (uint64_t)sqlite3_changes(o->sql.db) : 0;
        if (!rc && o->other)
            smi_export_warn(o->say, o->r,
                            "%.200s is not what it was, or on another clock: %llu of the %llu %s that are "
                            "stored are replaced or gone",
                            in->path, (unsigned long long)o->other, (unsigned long long)o->had,
                            marks ? "phases and events" : "rows");
    }
    smi_buf_fini(&sql);
    return rc;
}

/* An input with the bytes of before, in a run that is the same as before, has the same rows. */
static int store_input(struct out *o, struct smi_err *err)
{
    const struct smi_export_input *in = &o->r->input[o->input];
    const struct smi_account *a = &in->counts->account;
    static const char *const names[] = {[SMI_TIME_BASE_NONE] = "none",
                                        [SMI_TIME_BASE_LOCAL] = "local",
                                        [SMI_TIME_BASE_UTC] = "utc",
                                        [SMI_TIME_BASE_DAY] = "day",
                                        [SMI_TIME_BASE_ELAPSED] = "elapsed"};
    const char *base = names[in->base];
    uint64_t had[2] = {0, 0};
    bool same = false;
    sqlite3_stmt *st = smi_sql_bind(
        &o->sql, err,
        "SELECT input, rows, marks, (bytes, digest, rows, marks, base) = (?, ?, ?, ?, ?) FROM inputs WHERE "
        "run=? AND path=? AND format=?",
        "iiiititt", in->part->size, in->part->tape->digest, in->rows, in->marks, base, o->run, in->path,
        in->format);
    const int rc = smi_sql_next(&o->sql, st, err);
    o->number = 0;
    if (rc > 0) {
        o->number = sqlite3_column_int64(st, 0);
        had[0] = (uint64_t)sqlite3_column_int64(st, 1);
        had[1] = (uint64_t)sqlite3_column_int64(st, 2);
        same = sqlite3_column_int(st, 3);
        sqlite3_finalize(st);
    }
    if (rc < 0 || (same && !o->changed))
        return rc < 0 ? -1 : 0;
    o->changed = true;
    if (!o->number && smi_sql_do(&o->sql, &o->number, err,
                                 "SELECT ifnull(max(input), 0) + 1 FROM inputs WHERE run=?", "i", o->run))
        return -1;
    return write_rows(o, had, err) ||
                   smi_sql_do(&o->sql, NULL, err,
                              "INSERT OR REPLACE INTO inputs VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                              "iitttiiiiiiiiiii", o->run, o->number, in->path, in->format, base,
                              in->part->size, in->part->tape->digest, in->rows, in->marks, (int64_t)a->lines,
                              (int64_t)a->header, (int64_t)a->rows, (int64_t)a->duplicates, (int64_t)a->blank,
                              (int64_t)a->messages, (int64_t)smi_account_rejected(a))
               ? -1
               : 0;
}

/* Rows and marks of all inputs, so that what is stored of the run is what it has now: of inputs that are
 * gone, too. */
static int write_inputs(struct out *o, struct smi_err *err)
{
    static const char *const tables[] = {"samples", "marks", "inputs"};
    struct smi_buf kept = {0}, sql = {0}; /* kept: the numbers of those that are there: "1,2" */
    sqlite3_stmt *st;
    bool gone = false;
    int rc = 0;
    smi_buf_str(&kept, "0");
    for (o->input = 0; !rc && o->input < o->r->inputs; o->input++) {
        rc = store_input(o, err);
        smi_buf_fmt(&kept, ",%lld", (long long)o->number);
    }
    smi_buf_fmt(&sql, "SELECT path FROM inputs WHERE run=? AND input NOT IN (%s) ORDER BY input", kept.p);
    st = rc ? NULL : smi_sql_bind(&o->sql, err, sql.p, "i", o->run);
    while (!rc && (rc = smi_sql_next(&o->sql, st, err)) > 0) {
        smi_export_warn(o->say, o->r, "%.200s is not there any more: what was stored of it is gone, too",
                        column_text(st, 0));
        gone = true;
        rc = 0;
    }
    for (int i = 0; i < 3 && gone && !rc; i++) {
        smi_buf_clear(&sql);
        smi_buf_fmt(&sql, "DELETE FROM %s WHERE run=? AND input NOT IN (%s)", tables[i], kept.p);
        rc = smi_sql_do(&o->sql, NULL, err, sql.p, "i", o->run);
    }
    o->changed |= gone;
    smi_buf_fini(&kept);
    smi_buf_fini(&sql);
    return rc;
}

/* ---- which run ---- */

static int find_or_add_run(struct out *o, struct smi_err *err)
{
    const struct smi_export_run *r = o->r;
    if (smi_sql_do(&o->sql, &o->run, err, "SELECT id FROM runs WHERE place=? AND leaf=?", "tt", r->place,
                   r->leaf))
        return -1;
    o->changed = !o->run;
    if (o->run)
        return 0;
    return smi_sql_do(&o->sql, &o->run, err,
                      "INSERT INTO runs(place, leaf, name, state) VALUES(?,?,?,'') RETURNING id", "ttt",
                      r->place, r->leaf, r->summary->run);
}

/* ---- its GPUs ---- */

/* Each GPU has a number of its own, and none gets that of one before it. */
static int find_or_add_gpus(struct out *o, struct smi_err *err)
{
    const struct smi_summary *s = o->r->summary;
    struct smi_buf find = {0};
    int rc = 0;
    smi_mem_free(o->gpu);
    o->gpu = smi_mem_new(s->ngpus, sizeof *o->gpu);
    smi_buf_clear(&o->gpus);
    smi_buf_str(&o->gpus, "0");
    for (size_t i = 0; i < s->ngpus && !rc; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        const char *machine = smi_export_machine(o->r, g);
        const int64_t index = g->index < 0 ? -1 : g->index;
        smi_buf_clear(&find);
        smi_buf_fmt(&find,
                    "SELECT gpu FROM gpus WHERE run=? AND idx IS nullif(?, -1) AND uuid IS ? AND bus IS ? "
                    "AND name IS ? AND pooled=? AND machine IS ? AND gpu NOT IN (%s) ORDER BY gpu",
                    o->gpus.p);
        rc = smi_sql_do(&o->sql, &o->gpu[i], err, find.p, "iitttit", o->run, index, g->uuid, g->bus, g->name,
                        (int64_t)g->pooled, machine);
        o->changed |= !o->gpu[i];
        if (!rc && !o->gpu[i])
            rc = smi_sql_do(&o->sql, &o->gpu[i], err,
                            "INSERT INTO gpus(run, gpu, idx, uuid, bus, name, pooled, machine) VALUES(?1, "
                            "(SELECT ifnull(max(gpu), 0) + 1 FROM gpus "
                            "WHERE run=?1), nullif(?2, -1), ?3, ?4, ?5, ?6, ?7) RETURNING gpu",
                            "iitttit", o->run, index, g->uuid, g->bus, g->name, (int64_t)g->pooled, machine);
        smi_buf_fmt(&o->gpus, ",%lld", (long long)o->gpu[i]);
    }
    smi_buf_fini(&find);
    return rc;
}

/* ---- the summary of the run ---- */

static int write_figures(struct out *o, struct smi_err *err)
{
    const struct smi_summary *s = o->r->summary;
    enum { FIRST = 8 }; /* parameter of the statement */
    struct smi_field_values row = {0};
    struct smi_buf sql = {0};
    sqlite3_stmt *st;
    int rc;
    smi_field_values_fill(&row, &smi_run_list, s, s);
    smi_buf_str(&sql, "UPDATE runs SET ");
    for (int i = 0; i < SMI_RUN_FIELDS; i++) /* the columns that the catalogue of fields adds */
        if (smi_run_fields[i].stored)
            smi_buf_fmt(&sql, "%s=?%d, ", smi_run_fields[i].key, FIRST + i);
    smi_buf_str(&sql, "name=?1, host=?2, state=?3, time_base=?4, start=?5, \"end\"=?6 WHERE id=?7");
    st = smi_sql_bind(&o->sql, err, sql.p, "tttttti", s->run, s->hostname, smi_state_names[s->state],
                      s->time_base, row.v[SMI_RUN_FIELD_START].text, row.v[SMI_RUN_FIELD_END].text, o->run);
    for (int i = 0; i < SMI_RUN_FIELDS && st; i++)
        if (smi_run_fields[i].stored)
            smi_db_bind(st, FIRST + i, &row.v[i]);
    rc = smi_sql_next(&o->sql, st, err);
    smi_buf_fini(&sql);
    smi_field_values_fini(&row);
    return rc;
}

static int write_run_rows(struct out *o, struct smi_err *err)
{
    const struct smi_summary *s = o->r->summary;
    const struct smi_text *p = &o->r->partial;
    struct smi_buf sql = {0};
    int64_t same = 0;
    int rc;
    if (prepare_rows(o, err) || find_or_add_run(o, err) || find_or_add_gpus(o, err))
        return -1;
    /* if the stored partial is another one, the whole summary of the run is written again */
    rc = smi_sql_do(&o->sql, &same, err, "SELECT count(*) FROM summaries WHERE run=? AND partial=?", "it",
                    o->run, p->p);
    o->changed |= !same;
    if (rc || write_inputs(o, err))
        return -1;
    if (!o->changed)
        return 0;
    rc = write_figures(o, err) ||
         smi_sql_do(&o->sql, NULL, err, "DELETE FROM params WHERE run=?", "i", o->run);
    for (size_t i = 0; !rc && i < s->nparams; i++)
        rc = smi_sql_do(&o->sql, NULL, err, "INSERT OR REPLACE INTO params VALUES(?,?,?)", "itt", o->run,
                        s->params[i].key, s->params[i].text);
    if (rc || smi_sql_do(&o->sql, NULL, err, "INSERT OR REPLACE INTO summaries VALUES(?,?,?)", "itt", o->run,
                         SMI_PARTIAL_SCHEMA, p->p))
        return -1;
    /* GPUs that no row is of any more; numbers are not used again while the run has rows */
    smi_buf_fmt(&sql, "DELETE FROM gpus WHERE run=? AND gpu NOT IN (%s)", o->gpus.p);
    rc = smi_sql_do(&o->sql, NULL, err, sql.p, "i", o->run);
    smi_buf_fini(&sql);
    return rc;
}

/* ---- the target ---- */

static int write_run_sqlite(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                            struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc;
    o->r = r;
    o->say = say;
    o->changed = false;
    o->rows = o->marks = 0;
    if (smi_sql_run(&o->sql, "BEGIN IMMEDIATE", err))
        return -1;
    rc = write_run_rows(o, err);
    if (!rc)
        rc = smi_sql_run(&o->sql, "COMMIT", err);
    if (rc) {
        sqlite3_exec(o->sql.db, "ROLLBACK", NULL, NULL, NULL);
        return -1;
    }
    self->runs += o->changed;
    self->rows += o->rows;
    self->marks += o->marks;
    return 0;
}

static int close_target(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    (void)keep, (void)err; /* what is committed is right, whatever came then */
    sqlite3_finalize(o->put_row);
    sqlite3_finalize(o->put_mark);
    sqlite3_close(o->sql.db);
    smi_mem_free(o->gpu);
    smi_buf_fini(&o->gpus);
    smi_mem_free(o);
    return 0;
}

static struct smi_target_out *open_target(const struct smi_target *target, const char *where,
                                          const struct smi_target_set *set, struct smi_err *err)
{
    struct out *o = smi_mem_new(1, sizeof *o);
    (void)target, (void)set;
    if (strcmp(where, "-") == 0)
        smi_err_set(err, SMI_EUSAGE, "sqlite: needs the name of a file");
    else if (!open_database(&o->sql, where, true, err)) {
        o->put_mark = smi_sql_prepare(&o->sql, put_mark, err);
        if (o->put_mark)
            return &o->base;
    }
    close_target(&o->base, false, NULL);
    return NULL;
}

const struct smi_target smi_target_sqlite = {
    .prefix = "sqlite:",
    .form = "sqlite:FILE",
    .help = "tables of a SQLite file, which summarize, report, check and diff read back",
    .open = open_target,
    .run = write_run_sqlite,
    .close = close_target,
    .file = true,
};
