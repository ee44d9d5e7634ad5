/* clickhouse_documents.c - documents of PyTorch's CI into its two tables. The tables are plain MergeTrees of
 * somebody else's, so a row that is sent twice is there twice: before rows are sent, the server says which of
 * the job it has. Inserts of a job have one query id, so that two of them never run at once. */
#include "export/clickhouse.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"
#include "export/pytorch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KINDS = SMI_CH_TABLES - SMI_CH_OWN, /* the time series, and the metadata */
    JOB = 700,                          /* bytes of a condition */
    BLOCK = 8 << 20                     /* bytes that go at once */
};

/* A document. Rows of one key are the same document. */
struct document {
    uint64_t key;
    size_t at, n; /* its line in text */
    bool missing; /* the server does not have it */
};

struct documents {
    struct smi_buf text; /* a line of JSON each */
    struct document *list;
    size_t n, cap;
};

struct smi_ch_documents {
    struct smi_ch_store *store;
    struct smi_pytorch_sink sink;
    struct smi_target_out *source; /* what makes documents of runs */
    bool dry, replace;
    bool plain[KINDS]; /* the table has upstream's own name, without _local */
    bool there[KINDS];
    /* of the run at hand: */
    struct smi_buf room, key;
    struct documents of[KINDS];
    char job[JOB]; /* which rows are of it */
    uint64_t job_id;
};

static const char *table_name(int kind)
{
    return smi_ch_table_name((enum smi_ch_table)(SMI_CH_OWN + kind));
}

/* ---- documents as they are made ---- */

/* As a server has it: what is loaded as Python does has bytes of its own for halves of pairs. */
static void write_text(struct smi_buf *to, const json_t *document, const char *key)
{
    struct smi_buf text = {0};
    json_t *plain;
    smi_buf_char(to, '\n');
    smi_pytorch_json_dump(&text, json_object_get(document, key));
    plain = json_loadb(text.p, text.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (json_is_string(plain)) /* else no server takes it */
        smi_buf_add(to, json_string_value(plain), json_string_length(plain));
    json_decref(plain);
    smi_buf_fini(&text);
}

/* As a column of 32 bits has it. */
static void write_number(struct smi_buf *to, const json_t *document, const char *key)
{
    smi_buf_fmt(to, "%" PRIu32, (uint32_t)json_integer_value(json_object_get(document, key)));
}

static void write_document_key(struct smi_ch_documents *d, int kind, const json_t *v)
{
    struct smi_buf *to = &d->key;
    smi_buf_clear(to);
    write_number(to, v, kind ? "start_at" : "time_stamp");
    if (kind) {
        smi_buf_char(to, '\n');
        write_number(to, v, "end_at");
    }
    write_text(to, v, "workflow_name");
    write_text(to, v, "job_name");
    if (!kind) {
        write_text(to, v, "json_data");
        return;
    }
    write_text(to, v, "data_model_version");
    smi_buf_char(to, '\n');
    write_number(to, v, "gpu_count");
    smi_buf_char(to, '\n');
    write_number(to, v, "cpu_count");
    write_text(to, v, "gpu_type");
    smi_buf_char(to, '\n');
    if (d->store->server.dialect == SMI_CH_18)
        smi_pytorch_json_dump(to, json_object_get(v, "segments"));
    else
        smi_buf_fmt(to, "%zu", json_array_size(json_object_get(v, "segments")));
}

/* The metadata for servers without maps: its segments are the text of their JSON. */
static void write_old_columns(struct smi_buf *to, const json_t *document, struct smi_buf *room)
{
    const char *comma = "{", *key;
    json_t *v;
    json_object_foreach ((json_t *)(uintptr_t)document, key, v) {
        bool segments = strcmp(key, "segments") == 0;
        smi_buf_fmt(to, "%s\"%s%s\": ", comma, key, segments ? "_json" : "");
        comma = ", ";
        smi_buf_clear(room);
        smi_pytorch_json_dump(room, v);
        if (segments)
            smi_pytorch_json_quote(to, (struct smi_text){room->p, room->n});
        else
            smi_buf_add(to, room->p, room->n);
    }
    smi_buf_str(to, "}\n");
}

/* Which rows of the tables are of a job. Of its names none stands in SQL that has other letters than names
 * have. */
static void write_job(struct smi_ch_documents *d, const struct smi_pytorch_job *job)
{
    snprintf(d->job, sizeof d->job,
             "workflow_id = %" PRIu64 " AND job_id = %" PRIu64 " AND repo = '%s' AND run_attempt = %" PRIu32,
             job->workflow_id, job->job_id, job->repo, job->run_attempt);
    d->job_id = job->job_id;
}

static int add_document(void *self, const struct smi_pytorch_job *job, bool series, const char *p, size_t n,
                        struct smi_err *err)
{
    struct smi_ch_documents *d = self;
    int kind = !series;
    struct documents *k = &d->of[kind];
    uint64_t key;
    size_t at;
    json_error_t why;
    json_t *v;
    smi_pytorch_json_load((struct smi_text){p, n - 1}, &d->room, &v, &why);
    if (!v)
        return smi_err_set(err, SMI_EFORMAT, "its document is no JSON: %.100s", why.text);
    write_job(d, job);
    write_document_key(d, kind, v);
    key = smi_digest_of(d->key.p, d->key.n);
    at = k->text.n;
    if (kind && d->store->server.dialect == SMI_CH_18)
        write_old_columns(&k->text, v, &d->key);
    else
        smi_buf_add(&k->text, p, n);
    smi_mem_reserve(&k->list, &k->cap, k->n + 1, sizeof *k->list);
    k->list[k->n++] = (struct document){key, at, k->text.n - at, true};
    json_decref(v);
    return k->text.n <= SMI_CH_DOCUMENTS
               ? 0
               : smi_err_set(err, SMI_ELIMIT, "its documents have more than %d MiB", SMI_CH_DOCUMENTS >> 20);
}

/* ---- where they go ---- */

/* A table that is there by upstream's name holds its rows itself, and gets ours; a Distributed one has them
 * beside it. */
static int find_tables(struct smi_ch_documents *d, struct smi_err *err)
{
    struct smi_ch_server *server = &d->store->server;
    struct smi_ch_rows r;
    bool local[KINDS] = {false}, own[KINDS] = {false};
    if (smi_ch_ask(server, err,
                   "SELECT name, engine FROM system.tables WHERE database = '%s' FORMAT RowBinary",
                   d->store->place.database))
        return -1;
    r = smi_ch_rows(server);
    while (r.n) {
        struct smi_text name = smi_ch_read_text(&r), engine = smi_ch_read_text(&r);
        for (int k = 0; k < KINDS; k++) {
            size_t n = strlen(table_name(k));
            if (!smi_text_starts_nocase(name, table_name(k)))
                continue;
            local[k] |= smi_text_is((struct smi_text){name.p + n, name.n - n}, "_local");
            own[k] |= name.n == n && !smi_text_is(engine, "Distributed");
        }
    }
    for (int k = 0; k < KINDS; k++) {
        d->there[k] = local[k] || own[k];
        d->plain[k] = !local[k];
    }
    return r.bad ? smi_ch_bad_answer(server, err) : 0;
}

void smi_ch_documents_ddl(const struct smi_ch_documents *d, struct smi_buf *to)
{
    for (int k = 0; k < KINDS; k++)
        if (!d->there[k])
            smi_ch_ddl(to, (enum smi_ch_table)(SMI_CH_OWN + k), d->store->server.dialect,
                       d->store->place.database);
}

static int make_tables(struct smi_ch_documents *d, struct smi_err *err)
{
    struct smi_buf ddl = {0};
    int rc;
    smi_ch_documents_ddl(d, &ddl);
    rc = smi_ch_ask_all(&d->store->server, &ddl, err);
    rc = rc || !ddl.n ? rc : find_tables(d, err);
    smi_buf_fini(&ddl);
    return rc;
}

/* ---- what a table lacks ---- */

/* A table. */
struct place {
    struct smi_ch_server *server;
    const char *key;              /* SQL of the text whose digest tells documents apart */
    char table[2 * SMI_CH_NAME];  /* with its database */
    char where[JOB + 40], id[64]; /* which rows are of the job; the query id of its inserts */
};

/* What tells a document of a job from its others; write_document_key says the same. */
#define SERIES_KEY \
    "concat(toString(toUInt32(time_stamp)), '\\n', workflow_name, '\\n', job_name, '\\n', json_data)"
#define METADATA_KEY(segments)                                                                              \
    "concat(toString(toUInt32(start_at)), '\\n', toString(toUInt32(end_at)), '\\n', workflow_name, '\\n', " \
    "job_name, '\\n', data_model_version, '\\n', toString(gpu_count), '\\n', toString(cpu_count), '\\n', "  \
    "gpu_type, '\\n', " segments ")"

static struct place find_place(const struct smi_ch_documents *d, int kind)
{
    static const char *const keys[KINDS][2] = {
        {SERIES_KEY, SERIES_KEY},
        {METADATA_KEY("segments_json"), METADATA_KEY("toString(length(segments))")}};
    struct smi_ch_server *server = &d->store->server;
    struct place p = {.server = server, .key = keys[kind][server->dialect]};
    snprintf(p.table, sizeof p.table, "%s.%s%s", server->place->database, table_name(kind),
             d->plain[kind] ? "" : "_local");
    /* of the time series others may keep other things there */
    snprintf(p.where, sizeof p.where, "%s%s", d->job, kind ? "" : " AND type = 'utilization'");
    snprintf(p.id, sizeof p.id, "smilog-%d-%016" PRIx64, kind, smi_digest_of(d->job, strlen(d->job)));
    return p;
}

static int compare_keys(const void *x, const void *y)
{
    const struct document *a = *(const struct document *const *)x, *b = *(const struct document *const *)y;
    int c = (a->key > b->key) - (a->key < b->key);
    return c ? c : (a > b) - (a < b);
}

/* The first missing document of a key among n sorted ones; NULL: none. */
static struct document *find_missing(struct document **sorted, size_t n, uint64_t key)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (sorted[mid]->key < key || (sorted[mid]->key == key && !sorted[mid]->missing))
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && sorted[low]->key == key ? sorted[low] : NULL;
}

/* Finds out which documents are missing; *foreign: how many rows are there that are none of them. An insert
 * of an export that died may still run: it ends first. */
static int find_stored(struct documents *k, const struct place *p, uint64_t *foreign, struct smi_err *err)
{
    struct document **sorted = smi_mem_new(k->n + 1, sizeof *sorted), *one;
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    int rc = 0;
    for (size_t i = 0; i < k->n && !rc; i++) {
        sorted[i] = &k->list[i];
        k->list[i].missing = true;
    }
    if (!rc)
        smi_sort(sorted, k->n, sizeof *sorted, compare_keys);
    smi_buf_fmt(&sql, "SELECT count() FROM system.processes WHERE query_id = '%s' FORMAT RowBinary", p->id);
    rc = rc ? rc : smi_ch_wait_for_zero(p->server, sql.p, "still works at an insert", err);
    rc = rc ? rc
            : smi_ch_ask(p->server, err, "SELECT %s FROM %s WHERE %s FORMAT RowBinary", p->key, p->table,
                         p->where);
    r = smi_ch_rows(p->server);
    *foreign = 0;
    while (!rc && r.n) {
        struct smi_text text = smi_ch_read_text(&r);
        one = find_missing(sorted, k->n, smi_digest_of(text.p, text.n));
        if (one)
            one->missing = false;
        *foreign += !one;
    }
    smi_mem_free(sorted);
    smi_buf_fini(&sql);
    return rc ? rc : r.bad ? smi_ch_bad_answer(p->server, err) : 0;
}

/* Deletes all rows of the job, and waits until they are gone. */
static int delete_job(struct documents *k, const struct place *p, struct smi_err *err)
{
    struct smi_buf sql = {0};
    int rc = smi_ch_ask(p->server, err, "ALTER TABLE %s DELETE WHERE %s", p->table, p->where);
    smi_buf_fmt(
        &sql,
        "SELECT count() FROM system.mutations WHERE concat(database, '.', table) = '%s' AND is_done = 0 "
        "FORMAT RowBinary",
        p->table);
    rc = rc ? rc : smi_ch_wait_for_zero(p->server, sql.p, "is to delete rows of a job", err);
    smi_buf_fini(&sql);
    for (size_t i = 0; i < k->n; i++)
        k->list[i].missing = true;
    return rc;
}

static int send_missing(const struct documents *k, const struct place *p, uint64_t *fresh,
                        struct smi_err *err)
{
    struct smi_buf block = {0};
    char sql[300];
    int rc = 0;
    snprintf(sql, sizeof sql, "INSERT INTO %s FORMAT JSONEachRow", p->table);
    for (size_t i = 0; i < k->n && !rc; i++) {
        if (k->list[i].missing)
            smi_buf_add(&block, k->text.p + k->list[i].at, k->list[i].n);
        *fresh += k->list[i].missing;
        if (block.n && (block.n >= BLOCK || i + 1 == k->n))
            rc = smi_ch_insert(p->server, sql, p->id, (struct smi_text){block.p, block.n}, err);
        if (block.n >= BLOCK)
            smi_buf_clear(&block);
    }
    smi_buf_fini(&block);
    return rc;
}

/* Both tables, once through. Who finds the metadata of a job finds its time series, so they come first; there
 * is one row of metadata, and that of a log that has grown since takes the place of the old one. */
static int store_once(struct smi_ch_documents *d, const struct smi_export_run *r, uint64_t *fresh,
                      struct smi_err *err)
{
    uint64_t foreign;
    *fresh = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const struct place p = find_place(d, kind);
        if (find_stored(&d->of[kind], &p, &foreign, err))
            return -1;
        if (foreign && !kind && !d->replace)
            return smi_err_set(err, SMI_EUSAGE,
                               "ClickHouse %.100s:%d has %" PRIu64 " rows of job %" PRIu64
                               " in %s that are not in the log of %.100s: --replace takes them out",
                               p.server->to.host, p.server->to.port, foreign, d->job_id, table_name(0),
                               r->summary->run);
        if ((foreign && delete_job(&d->of[kind], &p, err)) || send_missing(&d->of[kind], &p, fresh, err))
            return -1;
    }
    return 0;
}

/* A server that was away, or too busy, is asked again: what it has by then decides what is sent. */
static int store_documents(struct smi_ch_documents *d, const struct smi_export_run *r, uint64_t *fresh,
                           struct smi_err *err)
{
    struct smi_ch_server *server = &d->store->server;
    int64_t until = smi_clock_now_ms() + server->patience.retry_ms;
    uint64_t most = 0;
    for (;;) {
        struct smi_err own = {0};
        int rc = store_once(d, r, fresh, &own);
        most = *fresh > most ? *fresh : most;
        *fresh = most;
        if (!rc)
            return 0;
        if (own.code != SMI_EIO || !smi_ch_may_retry(server) || smi_clock_now_ms() >= until)
            return smi_err_set(err, own.code, "%s", own.text);
        smi_ch_sleep(server->patience.pause_ms);
    }
}

/* ---- from beginning to end ---- */

struct smi_ch_documents *smi_ch_documents_open(struct smi_ch_store *store,
                                               const struct smi_pytorch_settings *set, bool dry, bool replace,
                                               struct smi_err *err)
{
    struct smi_ch_documents *d = smi_mem_new(1, sizeof *d);
    int rc;
    d->store = store;
    d->dry = dry;
    d->replace = replace;
    d->sink = (struct smi_pytorch_sink){add_document, d};
    d->source = smi_pytorch_target_open(&d->sink, set, err);
    rc = d->source ? 0 : -1;
    rc = rc ? rc : find_tables(d, err);
    if (!rc && !dry)
        rc = make_tables(d, err);
    if (!rc)
        return d;
    smi_ch_documents_close(d);
    return NULL;
}

void smi_ch_documents_close(struct smi_ch_documents *d)
{
    if (!d)
        return;
    if (d->source)
        smi_target_pytorch.close(d->source, false, NULL);
    for (int k = 0; k < KINDS; k++) {
        smi_buf_fini(&d->of[k].text);
        smi_mem_free(d->of[k].list);
    }
    smi_buf_fini(&d->room);
    smi_buf_fini(&d->key);
    smi_mem_free(d);
}

/* A run that gives no document: the source counts it. */
int smi_ch_documents_run(struct smi_ch_documents *d, const struct smi_export_run *r,
                         struct smi_target_out *done, struct smi_buf *say, struct smi_err *err)
{
    const uint64_t runs = d->source->runs, doubts = d->source->doubts;
    uint64_t fresh = 0;
    int rc;
    for (int k = 0; k < KINDS; k++) {
        smi_buf_clear(&d->of[k].text);
        d->of[k].n = 0;
    }
    rc = smi_target_pytorch.run(d->source, r, say, err);
    done->doubts += d->source->doubts - doubts;
    if (rc || d->source->runs == runs)
        return rc;
    if (!d->dry)
        rc = store_documents(d, r, &fresh, err);
    else
        fresh = d->of[0].n + d->of[1].n;
    done->documents += fresh;
    return rc;
}
