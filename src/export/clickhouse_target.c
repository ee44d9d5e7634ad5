/* clickhouse_target.c - runs into ClickHouse: `smilog export --to clickhouse://...`.
 *
 * Every row of samples and marks has a key that follows from its log: run, input, number of the row. The
 * tables are ReplacingMergeTrees over these keys with the version of the export, so rows that are sent twice
 * are one. The row of `runs` comes last; a run whose row is there is there whole. So an export that died is
 * run again, and nothing has to be remembered. Rows of older versions are deleted once the newest row of the
 * run is there. */
#include "export/export.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/version.h"
#include "export/clickhouse.h"
#include "model/format_info.h"
#include "report/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SEND_BYTES = 32 << 20, /* rows of samples, marks or runs that go at once */
    SEND_RUNS = 1000       /* runs that wait at most: their numbers stand in one statement */
};

/* A run whose rows wait or are stored, and whose own row waits. */
struct sent {
    uint64_t run, version;
};

/* What waits to be sent: rows in FORMAT RowBinary. */
struct pending {
    struct smi_buf rows[SMI_CH_OWN];
    bool metric[SMI_METRIC_COUNT]; /* that rows of samples have a column of */
    struct sent *sent;
    size_t n, cap;
    bool deleting; /* the server deletes rows of older versions */
};

struct out {
    struct smi_target_out base;
    struct smi_target_set set;
    struct smi_ch_store store;
    struct smi_ch_documents *documents; /* or NULL: not asked for */
    struct smi_ch_runs runs;            /* what the store has */
    struct smi_ch_run_row **name;       /* all of them by name */
    struct pending pending;
    bool metric[SMI_METRIC_COUNT]; /* that rows of a dry run have */
};

/* The run at hand. */
struct run {
    struct out *o;
    const struct smi_export_run *r;
    const struct smi_ch_run_row *stored; /* or NULL */
    uint64_t id, version, rows, marks, digest;
    bool metric[SMI_METRIC_COUNT];
    struct smi_buf summary, input, text; /* the JSON of the run; an input's name; a field */
    const struct smi_export_input *in;
    int64_t value[SMI_METRIC_COUNT]; /* of a row; has: it has one */
    bool has[SMI_METRIC_COUNT];
};

/* ---- opening ---- */

static int compare_names(const void *x, const void *y)
{
    return strcmp((*(struct smi_ch_run_row *const *)x)->name, (*(struct smi_ch_run_row *const *)y)->name);
}

static int read_stored_runs(struct out *o, struct smi_err *err)
{
    if (smi_ch_runs_read(&o->runs, &o->store, err))
        return -1;
    o->name = smi_mem_new(o->runs.n + 1, sizeof *o->name);
    for (size_t i = 0; i < o->runs.n; i++)
        o->name[i] = &o->runs.list[i];
    smi_sort(o->name, o->runs.n, sizeof *o->name, compare_names);
    return 0;
}

static int open_store(struct out *o, const char *url, struct smi_err *err)
{
    if (smi_ch_store_open(&o->store, url, o->set.password_file, &smi_ch_patience, err) ||
        (!o->set.dry && smi_ch_store_make(&o->store, err)))
        return -1;
    if (o->set.pytorch) {
        o->documents = smi_ch_documents_open(&o->store, &o->set, err);
        if (!o->documents)
            return -1;
    }
    return read_stored_runs(o, err);
}

static void free_target(struct out *o)
{
    for (int t = 0; t < SMI_CH_OWN; t++)
        smi_buf_fini(&o->pending.rows[t]);
    smi_mem_free(o->pending.sent);
    smi_ch_runs_fini(&o->runs);
    smi_ch_documents_close(o->documents);
    smi_ch_store_close(&o->store);
    smi_mem_free(o->name);
    smi_mem_free(o);
}

static struct smi_target_out *open_target(const struct smi_target *target, const char *where,
                                          const struct smi_target_set *set, struct smi_err *err)
{
    struct out *o = smi_mem_new(1, sizeof *o);
    struct smi_buf url = {0};
    int rc;
    o->set = *set;
    smi_buf_fmt(&url, "%s%s", target->prefix, where);
    rc = open_store(o, url.p, err);
    smi_buf_fini(&url);
    if (!rc)
        return &o->base;
    free_target(o);
    return NULL;
}

/* ---- sending ---- */

/* Appends "INSERT INTO d.samples_local (run, gpu, ...) FORMAT RowBinary". */
static void put_insert(struct smi_buf *to, const struct out *o, enum smi_ch_table table, const bool *metric)
{
    const char *before = "";
    char column[SMI_CH_NAME];
    smi_buf_fmt(to, "INSERT INTO %s.%s_local (", o->store.place.database, smi_ch_table_name(table));
    for (size_t i = 0; i < SMI_CH_COLUMNS; i++)
        if (smi_ch_columns[i].table == table &&
            *smi_ch_type(smi_ch_columns[i].kind, o->store.server.dialect)) {
            smi_buf_fmt(to, "%s%s", before, smi_ch_columns[i].name);
            before = ", ";
        }
    for (unsigned m = 0; table == SMI_CH_SAMPLES && m < SMI_METRIC_COUNT; m++)
        if (metric[m]) {
            smi_ch_metric_column(column, m);
            smi_buf_fmt(to, ", %s", column);
        }
    smi_buf_str(to, ") FORMAT RowBinary");
}

static int send_rows(struct out *o, enum smi_ch_table table, struct smi_err *err)
{
    struct pending *p = &o->pending;
    struct smi_buf *rows = &p->rows[table], sql = {0};
    int rc = 0;
    if (!rows->n)
        return 0;
    if (table == SMI_CH_SAMPLES && smi_ch_store_widen(&o->store, p->metric, err))
        return -1;
    put_insert(&sql, o, table, p->metric);
    rc = smi_ch_insert_retry(&o->store.server, sql.p, rows, err);
    smi_buf_fini(&sql);
    smi_buf_clear(rows);
    return rc;
}

static uint64_t version_of(const struct pending *p, uint64_t run)
{
    for (size_t i = p->n; i-- > 0;)
        if (p->sent[i].run == run)
            return p->sent[i].version;
    return 0;
}

/* Deletes rows that an export of an earlier version sent: of logs that have changed, or when it died. */
static int delete_old_rows(struct out *o, enum smi_ch_table table, struct smi_err *err)
{
    struct smi_ch_server *server = &o->store.server;
    struct pending *p = &o->pending;
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    const char *before = "";
    int rc;
    smi_buf_fmt(&sql, "SELECT run, min(version) FROM %s.%s_local WHERE run IN (", o->store.place.database,
                smi_ch_table_name(table));
    for (size_t i = 0; i < p->n; i++)
        smi_buf_fmt(&sql, "%s%" PRIu64, i ? "," : "", p->sent[i].run);
    smi_buf_str(&sql, ") GROUP BY run FORMAT RowBinary");
    rc = smi_ch_ask_all(server, &sql, err);
    smi_buf_clear(&sql);
    smi_buf_fmt(&sql, "ALTER TABLE %s.%s_local DELETE WHERE ", o->store.place.database,
                smi_ch_table_name(table));
    r = smi_ch_rows(server);
    while (!rc && r.n) {
        uint64_t run = smi_ch_read_int(&r, 8), oldest = smi_ch_read_int(&r, 8), version = version_of(p, run);
        if (r.bad || !version)
            rc = smi_ch_bad_answer(server, err);
        if (rc || oldest >= version)
            continue;
        smi_buf_fmt(&sql, "%s(run = %" PRIu64 " AND version < %" PRIu64 ")", before, run, version);
        before = " OR ";
    }
    if (!rc && *before) {
        p->deleting = true;
        rc = smi_ch_ask_all(server, &sql, err);
    }
    smi_buf_fini(&sql);
    return rc;
}

/* Samples and marks go first: a run whose row is there is there whole. */
static int flush_rows(struct out *o, struct smi_err *err)
{
    struct pending *p = &o->pending;
    if (send_rows(o, SMI_CH_SAMPLES, err) || send_rows(o, SMI_CH_MARKS, err))
        return -1;
    if (!p->n)
        return 0;
    if (send_rows(o, SMI_CH_RUNS, err) || delete_old_rows(o, SMI_CH_SAMPLES, err) ||
        delete_old_rows(o, SMI_CH_MARKS, err))
        return -1;
    p->n = 0;
    return 0;
}

static int wait_for_deletes(struct out *o, struct smi_err *err)
{
    char sql[300];
    if (!o->pending.deleting)
        return 0;
    snprintf(sql, sizeof sql,
             "SELECT count() FROM system.mutations WHERE database = '%s' AND table IN ('samples_local', "
             "'marks_local') AND is_done = 0 FORMAT RowBinary",
             o->store.place.database);
    return smi_ch_wait_for_zero(&o->store.server, sql, "is to delete rows of older exports", err);
}

/* ---- a run into rows ---- */

static int count_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct run *t = self;
    (void)err;
    t->rows++;
    for (unsigned i = 0; i < row->n; i++)
        t->metric[row->metric[i]] = true;
    return 0;
}

static void add_digest(uint64_t *digest, const char *p, size_t n)
{
    const uint64_t both[2] = {*digest, smi_digest_of(p ? p : "", n)};
    *digest = smi_digest_of((const char *)both, sizeof both);
}

/* Reads all rows once: how many they are, of which metrics, and a digest of all that is exported. */
static int measure_run(struct run *t, struct smi_err *err)
{
    smi_run_jsonl(&t->summary, t->r->summary);
    add_digest(&t->digest, t->summary.p, t->summary.n);
    add_digest(&t->digest, t->r->partial.p, t->r->partial.n);
    for (size_t i = 0; i < t->r->inputs; i++) {
        const struct smi_export_input *in = &t->r->input[i];
        const int64_t v[] = {(int64_t)in->digest, (int64_t)in->rows, (int64_t)in->marks, in->base,
                             in->shift_ms};
        add_digest(&t->digest, in->path, strlen(in->path));
        add_digest(&t->digest, in->format, strlen(in->format));
        add_digest(&t->digest, (const char *)v, sizeof v);
        t->marks += in->marks;
        if (smi_export_rows(t->r, i, 0, count_row, t, err))
            return -1;
    }
    return 0;
}

/* The seconds of a DateTime: 1970 to 2106. */
static uint32_t date_time(int64_t t_ms)
{
    int64_t s = t_ms / 1000 - (t_ms % 1000 < 0);
    return s < 0 ? 0 : s > UINT32_MAX ? UINT32_MAX : (uint32_t)s;
}

static void put_time(struct smi_buf *to, enum smi_ch_dialect d, int64_t t_ms)
{
    if (d == SMI_CH_MODERN) {
        smi_ch_put_int(to, (uint64_t)t_ms, 8);
        return;
    }
    smi_ch_put_int(to, date_time(t_ms), 4);
    smi_ch_put_int(to, (uint64_t)((t_ms % 1000 + 1000) % 1000), 2);
}

/* A cell of each metric that waiting rows have: whether it is absent, and its millionths. */
static void put_readings(struct run *t, const struct smi_export_row *row)
{
    struct smi_buf *to = &t->o->pending.rows[SMI_CH_SAMPLES];
    for (unsigned i = 0; i < row->n; i++) {
        t->has[row->metric[i]] = true;
        t->value[row->metric[i]] = row->v[i];
    }
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        if (!t->o->pending.metric[m])
            continue;
        smi_buf_char(to, !t->has[m]);
        if (t->has[m])
            smi_ch_put_int(to, (uint64_t)t->value[m], 8);
    }
    for (unsigned i = 0; i < row->n; i++)
        t->has[row->metric[i]] = false;
}

static int put_sample(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct run *t = self;
    struct smi_buf *to = &t->o->pending.rows[SMI_CH_SAMPLES];
    const struct smi_gpu *g = row->gpu >= 0 ? &t->r->summary->gpus[row->gpu] : NULL;
    int gpu = !g ? -1 : g->pooled ? -2 : g->index >= 0 ? g->index : row->gpu;
    smi_ch_put_int(to, t->id, 8);
    smi_ch_put_int(to, (uint64_t)(int64_t)gpu, 4);
    put_time(to, t->o->store.server.dialect, row->timed ? row->t_ms : 0);
    smi_buf_char(to, row->timed);
    smi_buf_char(to, t->in->base == SMI_TIME_BASE_UTC);
    smi_ch_put_text(to, smi_text_of(g && g->uuid ? g->uuid : ""));
    smi_ch_put_int(to, row->ordinal, 8);
    smi_ch_put_text(to, (struct smi_text){t->input.p, t->input.n});
    smi_ch_put_int(to, t->version, 8);
    put_readings(t, row);
    return to->n < SEND_BYTES ? 0 : send_rows(t->o, SMI_CH_SAMPLES, err);
}

static void put_fields(struct run *t, struct smi_buf *to, const struct smi_mark *m, bool in_data)
{
    smi_buf_clear(&t->text);
    smi_export_fields(&t->text, m, in_data);
    smi_ch_put_text(to, (struct smi_text){t->text.p ? t->text.p : "", t->text.n});
}

static int put_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct run *t = self;
    struct smi_buf *to = &t->o->pending.rows[SMI_CH_MARKS];
    bool phase = m->kind == SMI_MARK_PHASE;
    smi_ch_put_int(to, t->id, 8);
    smi_ch_put_text(to, (struct smi_text){t->input.p, t->input.n});
    smi_ch_put_int(to, ordinal, 8);
    smi_ch_put_text(to, smi_text_of(phase ? "phase" : "event"));
    smi_ch_put_text(to, m->name);
    smi_ch_put_int(to, (uint64_t)m->t_us, 8);
    smi_ch_put_int(to, phase ? (uint64_t)m->span_us : 0, 8);
    put_fields(t, to, m, true);
    put_fields(t, to, m, false);
    smi_ch_put_int(to, t->version, 8);
    return to->n < SEND_BYTES ? 0 : send_rows(t->o, SMI_CH_MARKS, err);
}

/* In the order of clickhouse_columns.def. */
static void put_run_row(struct out *o, const struct smi_ch_run_row *row, struct smi_text summary,
                        struct smi_text partial)
{
    struct smi_buf *to = &o->pending.rows[SMI_CH_RUNS];
    smi_ch_put_int(to, row->run, 8);
    smi_ch_put_int(to, row->version, 8);
    smi_ch_put_text(to, smi_text_of(row->name));
    smi_ch_put_text(to, smi_text_of(row->place));
    smi_ch_put_text(to, smi_text_of(row->leaf));
    smi_ch_put_text(to, smi_text_of(row->host));
    smi_ch_put_text(to, smi_text_of(row->removed ? "removed" : "loaded"));
    smi_ch_put_int(to, (uint64_t)smi_clock_utc_ms() / 1000, 4);
    smi_ch_put_text(to, smi_text_of(SMILOG_VERSION));
    smi_ch_put_int(to, row->samples, 8);
    smi_ch_put_int(to, row->marks, 8);
    smi_ch_put_int(to, row->digest, 8);
    smi_ch_put_text(to, summary);
    smi_ch_put_text(to, partial);
}

/* The run's row waits: it goes behind all of its other rows. */
static int add_run_row(struct out *o, const struct smi_ch_run_row *row, struct smi_text summary,
                       struct smi_text partial, struct smi_err *err)
{
    struct pending *p = &o->pending;
    smi_mem_reserve(&p->sent, &p->cap, p->n + 1, sizeof *p->sent);
    p->sent[p->n++] = (struct sent){row->run, row->version};
    put_run_row(o, row, summary, partial);
    return p->n < SEND_RUNS && p->rows[SMI_CH_RUNS].n < SEND_BYTES ? 0 : flush_rows(o, err);
}

/* Waiting rows get columns for the metrics of this run. */
static int add_metrics(struct run *t, struct smi_err *err)
{
    bool more = false;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        more |= t->metric[m] && !t->o->pending.metric[m];
    if (more && send_rows(t->o, SMI_CH_SAMPLES, err))
        return -1;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        t->o->pending.metric[m] |= t->metric[m];
    return 0;
}

/* What a run calls an input: its path, the second of one path "path#2". */
static void put_input_name(struct run *t, size_t i)
{
    size_t nth = 1;
    for (size_t other = 0; other < i; other++)
        nth += strcmp(t->r->input[other].path, t->r->input[i].path) == 0;
    smi_buf_clear(&t->input);
    smi_buf_str(&t->input, t->r->input[i].path);
    if (nth > 1)
        smi_buf_fmt(&t->input, "#%zu", nth);
}

static int send_run(struct run *t, struct smi_err *err)
{
    const struct smi_summary *s = t->r->summary;
    const struct smi_ch_run_row row = {.run = t->id,
                                       .version = t->version,
                                       .samples = t->rows,
                                       .marks = t->marks,
                                       .digest = t->digest,
                                       .name = s->run,
                                       .place = t->r->place,
                                       .leaf = t->r->leaf,
                                       .host = s->hostname ? s->hostname : ""};
    if (add_metrics(t, err))
        return -1;
    for (size_t i = 0; i < t->r->inputs; i++) {
        t->in = &t->r->input[i];
        put_input_name(t, i);
        if (smi_export_rows(t->r, i, 0, put_sample, t, err) || smi_export_marks(t->r, i, 0, put_mark, t, err))
            return -1;
    }
    return add_run_row(t->o, &row, (struct smi_text){t->summary.p, t->summary.n}, t->r->partial, err);
}

/* ---- a run against what is stored ---- */

/* Two runs of one name would be read as one. With --replace the other run is removed. */
static int resolve_name_clash(struct run *t, struct smi_err *err)
{
    struct out *o = t->o;
    const char *name = t->r->summary->run;
    size_t i = 0, n = o->runs.n;
    while (i < n) { /* the first of this name */
        size_t at = i + (n - i) / 2;
        if (strcmp(o->name[at]->name, name) < 0)
            i = at + 1;
        else
            n = at;
    }
    for (; i < o->runs.n && strcmp(o->name[i]->name, name) == 0; i++) {
        struct smi_ch_run_row *other = o->name[i];
        if (other->run == t->id || other->removed)
            continue;
        if (!o->set.replace)
            return smi_err_set(
                err, SMI_EUSAGE,
                "there is a run %.100s in the store, of the logs in %.200s: --replace takes it "
                "out, and another database keeps both",
                other->name, other->place);
        other->removed = true;
        other->version++;
        if (!o->set.dry && add_run_row(o, other, smi_text_of(""), smi_text_of(""), err))
            return -1;
    }
    return 0;
}

/* Logs that have fewer rows than were stored of them are not what they were. */
static int check_shrunk(const struct run *t, struct smi_err *err)
{
    const struct smi_ch_server *server = &t->o->store.server;
    if (!t->stored || t->stored->removed || t->rows >= t->stored->samples || t->o->set.replace)
        return 0;
    return smi_err_set(err, SMI_EUSAGE,
                       "ClickHouse %.100s:%d has a run %.150s with %" PRIu64
                       " rows, and these logs have %" PRIu64
                       ": --replace takes what is stored out, and another database keeps both",
                       server->to.host, server->to.port, t->r->summary->run, t->stored->samples, t->rows);
}

static bool is_stored(const struct run *t)
{
    return t->stored && !t->stored->removed && t->stored->digest == t->digest && !t->o->set.replace;
}

static int import_run(struct run *t, struct smi_err *err)
{
    struct smi_target_out *done = &t->o->base;
    uint64_t now = (uint64_t)smi_clock_utc_ms();
    if (measure_run(t, err) || resolve_name_clash(t, err) || check_shrunk(t, err))
        return -1;
    if (is_stored(t))
        return 0;
    t->version = t->stored && t->stored->version >= now ? t->stored->version + 1 : now;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        t->o->metric[m] |= t->metric[m];
    if (!t->o->set.dry && send_run(t, err))
        return -1;
    done->runs++;
    done->rows += t->rows;
    done->marks += t->marks;
    return 0;
}

static int export_run(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                      struct smi_err *err)
{
    struct out *o = (struct out *)self;
    struct run *t = smi_mem_new(1, sizeof *t);
    int rc;
    t->o = o;
    t->r = r;
    t->id = smi_ch_run(r->place, r->leaf);
    t->stored = smi_ch_runs_find(&o->runs, t->id);
    rc = import_run(t, err);
    if (!rc && o->documents)
        rc = smi_ch_documents_run(o->documents, r, self, say, err);
    smi_buf_fini(&t->summary);
    smi_buf_fini(&t->input);
    smi_buf_fini(&t->text);
    smi_mem_free(t);
    return rc;
}

/* ---- the end ---- */

/* Appends the statements that an export would begin with: tables and columns that are not there. */
static void put_plan(struct out *o)
{
    struct smi_buf ddl = {0};
    smi_ch_store_ddl(&o->store, o->metric, &ddl);
    if (o->documents)
        smi_ch_documents_ddl(o->documents, &ddl);
    for (size_t at = 0; at < ddl.n; at += strlen(ddl.p + at) + 1)
        smi_buf_fmt(o->set.plan, "%s;\n", ddl.p + at);
    smi_buf_fini(&ddl);
}

static int close_target(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc = 0;
    if (keep && o->set.dry)
        put_plan(o);
    else if (keep)
        rc = flush_rows(o, err) || wait_for_deletes(o, err) ? -1 : 0;
    free_target(o);
    return rc;
}

const struct smi_target smi_target_clickhouse = {
    .prefix = "clickhouse:",
    .form = "clickhouse://[USER@]HOST[:PORT]/DATABASE",
    .help = "a ClickHouse store",
    .open = open_target,
    .run = export_run,
    .close = close_target,
    .store = true,
    .texts = (uint64_t)1 << SMI_FMT_USAGE_LOG,
};
const struct smi_target smi_target_clickhouses = {
    .prefix = "clickhouses:",
    .form = "clickhouses://[USER@]HOST[:PORT]/DATABASE",
    .help = "the same over TLS",
    .open = open_target,
    .run = export_run,
    .close = close_target,
    .store = true,
    .texts = (uint64_t)1 << SMI_FMT_USAGE_LOG,
};
