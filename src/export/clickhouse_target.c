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
#include "base/json.h"
#include "base/version.h"
#include "export/clickhouse.h"
#include "model/format_info.h"
#include "report/output.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    SEND_BYTES = 32 << 20, /* rows of samples, marks or runs that go at once */
    SEND_RUNS = 1000       /* runs that wait at most: their numbers stand in one statement */
};

struct out {
    struct smi_target_out base;
    struct smi_target_set set;
    struct smi_ch_store store;
    struct smi_ch_documents *documents; /* or NULL: not asked for */
    struct smi_ch_runs runs;            /* what the store has */
    struct smi_ch_run_row **name;       /* all of them by name */
    uint64_t version;                   /* of all that is sent: no row of the store has a larger one */
    struct smi_buf rows[SMI_CH_OWN];    /* that wait: a line of JSON each */
    struct smi_buf sent;                /* runs whose own row waits: their numbers, and commas */
    size_t nsent;
    char column[SMI_METRIC_COUNT][SMI_CH_NAME];
    bool has[SMI_METRIC_COUNT]; /* some waiting row of samples has a reading of it; dry: some row */
};

/* The run at hand. */
struct run {
    struct out *o;
    const struct smi_export_run *r;
    const struct smi_ch_run_row *stored; /* or NULL */
    uint64_t id, rows, marks, digest;
    struct smi_buf summary, input, text; /* the JSON of the run; an input's name; a field */
    const struct smi_export_input *in;
};

/* ---- opening ---- */

static int compare_names(const void *x, const void *y)
{
    return strcmp((*(struct smi_ch_run_row *const *)x)->name, (*(struct smi_ch_run_row *const *)y)->name);
}

static int open_store(struct out *o, const char *url, struct smi_err *err)
{
    if (smi_ch_store_open(&o->store, url, o->set.password_file, &smi_ch_patience, err) ||
        (!o->set.dry && smi_ch_store_make(&o->store, NULL, err)))
        return -1;
    if (o->set.pytorch) {
        o->documents = smi_ch_documents_open(&o->store, &o->set, err);
        if (!o->documents)
            return -1;
    }
    if (smi_ch_runs_read(&o->runs, &o->store, err))
        return -1;
    o->version = (uint64_t)smi_clock_utc_ms();
    o->name = smi_mem_new(o->runs.n + 1, sizeof *o->name);
    for (size_t i = 0; i < o->runs.n; i++) {
        o->name[i] = &o->runs.list[i];
        if (o->name[i]->version >= o->version)
            o->version = o->name[i]->version + 1;
    }
    smi_sort(o->name, o->runs.n, sizeof *o->name, compare_names);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        smi_ch_metric_column(o->column[m], m);
    return 0;
}

static void free_target(struct out *o)
{
    for (int t = 0; t < SMI_CH_OWN; t++)
        smi_buf_fini(&o->rows[t]);
    smi_buf_fini(&o->sent);
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

static int send_rows(struct out *o, enum smi_ch_table table, struct smi_err *err)
{
    struct smi_buf *rows = &o->rows[table], sql = {0};
    int rc;
    if (!rows->n)
        return 0;
    smi_buf_fmt(&sql, "INSERT INTO %s.%s", o->store.place.database, smi_ch_table_name(table));
    if (table == SMI_CH_SAMPLES) { /* the server fills each named column row by row: most have no reading */
        bool more = false;
        smi_buf_str(&sql, " (run, version, gpu, time, ms, timed, utc, uuid, row, input");
        for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
            more |= o->has[m] && !o->store.metric[m];
            if (o->has[m])
                smi_buf_fmt(&sql, ", %s", o->column[m]);
        }
        smi_buf_char(&sql, ')');
        if (more && smi_ch_store_make(&o->store, o->has, err)) {
            smi_buf_fini(&sql);
            return -1;
        }
        memset(o->has, 0, sizeof o->has);
    }
    smi_buf_str(&sql, " FORMAT JSONEachRow");
    rc = smi_ch_post_retry(&o->store.server, sql.p, (struct smi_text){rows->p, rows->n}, err);
    smi_buf_fini(&sql);
    smi_buf_clear(rows);
    return rc;
}

/* Deletes rows of the runs that an export of an earlier version sent: of logs that have changed, or when it
 * died. */
static int delete_old_rows(struct out *o, enum smi_ch_table table, struct smi_err *err)
{
    struct smi_buf where = {0};
    char name[2 * SMI_CH_NAME];
    int rc;
    snprintf(name, sizeof name, "%s.%s", o->store.place.database, smi_ch_table_name(table));
    smi_buf_fmt(&where, "run IN (%.*s) AND version < %" PRIu64, (int)o->sent.n - 1, o->sent.p, o->version);
    rc = smi_ch_delete(&o->store.server, name, where.p, err);
    smi_buf_fini(&where);
    return rc;
}

/* Samples and marks go first: a run whose row is there is there whole. */
static int flush_rows(struct out *o, struct smi_err *err)
{
    if (send_rows(o, SMI_CH_SAMPLES, err) || send_rows(o, SMI_CH_MARKS, err))
        return -1;
    if (!o->nsent)
        return 0;
    if (send_rows(o, SMI_CH_RUNS, err) || delete_old_rows(o, SMI_CH_SAMPLES, err) ||
        delete_old_rows(o, SMI_CH_MARKS, err))
        return -1;
    smi_buf_clear(&o->sent);
    o->nsent = 0;
    return 0;
}

/* ---- a run into rows ---- */

static int count_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct run *t = self;
    (void)err;
    t->rows++;
    for (unsigned i = 0; i < row->n && t->o->set.dry; i++)
        t->o->has[row->metric[i]] = true;
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

static void begin_row(struct out *o, enum smi_ch_table table, struct smi_json *j, uint64_t run)
{
    smi_json_begin(j, &o->rows[table]);
    smi_json_open(j, '{');
    smi_json_key_i128(j, smi_text_of("run"), run);
    smi_json_key_i128(j, smi_text_of("version"), o->version);
}

static int end_row(struct out *o, enum smi_ch_table table, struct smi_json *j, struct smi_err *err)
{
    smi_json_close(j, '}');
    smi_buf_char(&o->rows[table], '\n');
    return o->rows[table].n < SEND_BYTES || table == SMI_CH_RUNS ? 0 : send_rows(o, table, err);
}

static int put_sample(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct run *t = self;
    const struct smi_gpu *g = row->gpu >= 0 ? &t->r->summary->gpus[row->gpu] : NULL;
    int64_t t_ms = row->timed ? row->t_ms : 0, ms = (t_ms % 1000 + 1000) % 1000, s = (t_ms - ms) / 1000;
    struct smi_json j;
    begin_row(t->o, SMI_CH_SAMPLES, &j, t->id);
    smi_json_key_int(&j, "gpu", !g ? -1 : g->pooled ? -2 : g->index >= 0 ? g->index : row->gpu);
    smi_json_key_int(&j, "time", s < 0 ? 0 : s > UINT32_MAX ? UINT32_MAX : s); /* 1970 to 2106 */
    smi_json_key_int(&j, "ms", ms);
    smi_json_key_int(&j, "timed", row->timed);
    smi_json_key_int(&j, "utc", t->in->base == SMI_TIME_BASE_UTC);
    smi_json_key_str(&j, "uuid", g && g->uuid ? g->uuid : "");
    smi_json_key_int(&j, "row", (int64_t)row->ordinal);
    smi_json_key_str(&j, "input", t->input.p);
    for (unsigned i = 0; i < row->n; i++) {
        t->o->has[row->metric[i]] = true;
        smi_json_key_micro(&j, smi_text_of(t->o->column[row->metric[i]]), row->v[i]);
    }
    return end_row(t->o, SMI_CH_SAMPLES, &j, err);
}

static void put_fields(struct run *t, struct smi_json *j, const struct smi_mark *m, bool in_data)
{
    smi_buf_clear(&t->text);
    smi_export_fields(&t->text, m, in_data);
    smi_json_key_str(j, in_data ? "data" : "extra", t->text.p ? t->text.p : "");
}

static int put_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct run *t = self;
    bool phase = m->kind == SMI_MARK_PHASE;
    struct smi_json j;
    begin_row(t->o, SMI_CH_MARKS, &j, t->id);
    smi_json_key_str(&j, "input", t->input.p);
    smi_json_key_int(&j, "mark", (int64_t)ordinal);
    smi_json_key_str(&j, "kind", phase ? "phase" : "event");
    smi_json_key(&j, "name");
    smi_json_text(&j, m->name);
    smi_json_key_int(&j, "t_us", m->t_us);
    smi_json_key_int(&j, "span_us", phase ? m->span_us : 0);
    put_fields(t, &j, m, true);
    put_fields(t, &j, m, false);
    return end_row(t->o, SMI_CH_MARKS, &j, err);
}

/* The run's row waits: it goes behind all of its other rows. */
static int add_run_row(struct out *o, const struct smi_ch_run_row *row, struct smi_text summary,
                       struct smi_text partial, struct smi_err *err)
{
    struct smi_json j;
    begin_row(o, SMI_CH_RUNS, &j, row->run);
    smi_json_key_str(&j, "name", row->name);
    smi_json_key_str(&j, "place", row->place);
    smi_json_key_str(&j, "leaf", row->leaf);
    smi_json_key_str(&j, "host", row->host);
    smi_json_key_str(&j, "state", row->removed ? "removed" : "loaded");
    smi_json_key_int(&j, "loaded", smi_clock_utc_ms() / 1000);
    smi_json_key_str(&j, "smilog", SMILOG_VERSION);
    smi_json_key_i128(&j, smi_text_of("samples"), row->samples);
    smi_json_key_i128(&j, smi_text_of("marks"), row->marks);
    smi_json_key_i128(&j, smi_text_of("digest"), row->digest);
    smi_json_key(&j, "summary");
    smi_json_text(&j, summary);
    smi_json_key(&j, "partial");
    smi_json_text(&j, partial);
    end_row(o, SMI_CH_RUNS, &j, err);
    smi_buf_fmt(&o->sent, "%" PRIu64 ",", row->run);
    return ++o->nsent < SEND_RUNS && o->rows[SMI_CH_RUNS].n < SEND_BYTES ? 0 : flush_rows(o, err);
}

static int send_run(struct run *t, struct smi_err *err)
{
    const struct smi_summary *s = t->r->summary;
    const struct smi_ch_run_row row = {.run = t->id,
                                       .samples = t->rows,
                                       .marks = t->marks,
                                       .digest = t->digest,
                                       .name = s->run,
                                       .place = t->r->place,
                                       .leaf = t->r->leaf,
                                       .host = s->hostname ? s->hostname : ""};
    for (size_t i = 0; i < t->r->inputs; i++) {
        size_t nth = 1; /* the second input of one path is "path#2" */
        t->in = &t->r->input[i];
        for (size_t other = 0; other < i; other++)
            nth += strcmp(t->r->input[other].path, t->in->path) == 0;
        smi_buf_clear(&t->input);
        smi_buf_str(&t->input, t->in->path);
        if (nth > 1)
            smi_buf_fmt(&t->input, "#%zu", nth);
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
        if (!o->set.dry && add_run_row(o, other, smi_text_of(""), smi_text_of(""), err))
            return -1;
    }
    return 0;
}

static int import_run(struct run *t, struct smi_err *err)
{
    struct smi_target_out *done = &t->o->base;
    const struct smi_ch_server *server = &t->o->store.server;
    const bool stays = t->stored && !t->stored->removed && !t->o->set.replace;
    if (measure_run(t, err) || resolve_name_clash(t, err))
        return -1;
    if (stays && t->rows < t->stored->samples) /* the logs are not what they were */
        return smi_err_set(
            err, SMI_EUSAGE,
            "ClickHouse %.100s:%d has a run %.150s with %" PRIu64 " rows, and these logs have %" PRIu64
            ": --replace takes what is stored out, and another database keeps both",
            server->place->host, server->place->port, t->r->summary->run, t->stored->samples, t->rows);
    if (stays && t->stored->digest == t->digest)
        return 0;
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

static int close_target(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    struct smi_buf *ddl = &o->store.ddl;
    int rc = !keep ? 0 : o->set.dry ? smi_ch_store_look(&o->store, o->has, err) : flush_rows(o, err);
    if (keep && o->set.dry && !rc) { /* the statements that an export would begin with */
        if (o->documents)
            smi_ch_documents_ddl(o->documents, ddl);
        for (size_t at = 0; at < ddl->n; at += strlen(ddl->p + at) + 1)
            smi_buf_fmt(o->set.plan, "%s;\n", ddl->p + at);
    }
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
