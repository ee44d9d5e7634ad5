#include "export/clickhouse_documents_private.h"

#include "base/mem.h"
#include "export/clickhouse_siphash.h"
#include "export/pytorch_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *smi_ch_documents_table(int kind)
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
    plain = text.failed ? NULL : json_loadb(text.p, text.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    to->failed |= text.failed;
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
    if (d->store->shard[0].server.dialect == SMI_CH_18)
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
        to->failed |= room->failed;
        if (segments && !room->failed)
            smi_pytorch_json_quote(to, (struct smi_text){room->p, room->n});
        else if (!room->failed)
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
    struct smi_ch_keyed *k = &d->of[kind];
    json_error_t why;
    json_t *v;
    int rc;
    if (smi_pytorch_json_load((struct smi_text){p, n - 1}, &d->room, &v, &why, err))
        return -1;
    if (!v)
        return smi_err_set(err, SMI_EFORMAT, "its document is no JSON: %.100s", why.text);
    write_job(d, job);
    write_document_key(d, kind, v);
    rc = d->key.failed ? smi_err_nomem(err) : 0;
    if (!rc) {
        uint64_t key = smi_siphash(d->key.p, d->key.n);
        if (kind && d->store->shard[0].server.dialect == SMI_CH_18)
            write_old_columns(&k->text, v, &d->key);
        else
            smi_buf_add(&k->text, p, n);
        rc = smi_ch_keyed_add(k, key, err);
    }
    json_decref(v);
    return rc || k->text.n <= SMI_CH_DOCUMENTS
               ? rc
               : smi_err_set(err, SMI_ELIMIT, "its documents have more than %d MiB", SMI_CH_DOCUMENTS >> 20);
}

/* ---- where they go ---- */

/* A table that is there by upstream's name holds its rows itself, and gets ours; one over all shards has them
 * beside it. Where there is none, its name is as a cluster wants it. */
static int find_tables(struct smi_ch_documents *d, size_t shard, struct smi_err *err)
{
    struct smi_ch_server *server = &d->store->shard[shard].server;
    struct smi_ch_rows r;
    char sql[300];
    bool local[SMI_CH_DOCUMENT_KINDS] = {false}, own[SMI_CH_DOCUMENT_KINDS] = {false};
    snprintf(sql, sizeof sql, "SELECT name, engine FROM system.tables WHERE database = '%s' FORMAT RowBinary",
             d->store->place.database);
    if (smi_ch_run_sql_retry(server, sql, err))
        return -1;
    r = smi_ch_rows(server);
    while (r.n) {
        struct smi_text name = smi_ch_read_text(&r), engine = smi_ch_read_text(&r);
        for (int k = 0; k < SMI_CH_DOCUMENT_KINDS; k++) {
            size_t n = strlen(smi_ch_documents_table(k));
            if (!smi_text_starts_nocase(name, smi_ch_documents_table(k)))
                continue;
            local[k] |= smi_text_is((struct smi_text){name.p + n, name.n - n}, "_local");
            own[k] |= name.n == n && !smi_text_is(engine, "Distributed");
        }
    }
    for (int k = 0; k < SMI_CH_DOCUMENT_KINDS; k++) {
        d->there[shard][k] = local[k] || own[k];
        d->plain[shard][k] = !local[k] && (own[k] || !*d->store->cluster);
    }
    return r.bad ? smi_ch_bad_answer(server, err) : 0;
}

void smi_ch_documents_ddl(const struct smi_ch_documents *d, struct smi_buf *to)
{
    for (int k = 0; k < SMI_CH_DOCUMENT_KINDS; k++) {
        bool all = true;
        for (size_t i = 0; i < d->store->place.hosts; i++)
            all &= d->there[i][k];
        if (!all)
            smi_ch_ddl(to, (enum smi_ch_table)(SMI_CH_OWN + k), d->store->shard[0].server.dialect,
                       d->store->place.database, d->store->cluster);
    }
}

int smi_ch_documents_make(struct smi_ch_documents *d, struct smi_err *err)
{
    struct smi_buf ddl = {0};
    int rc = 0;
    smi_ch_documents_ddl(d, &ddl);
    if (ddl.failed)
        rc = smi_err_nomem(err);
    for (size_t i = 0; i < d->store->place.hosts && !rc; i++)
        for (size_t at = 0; at < ddl.n && !rc; at += strlen(ddl.p + at) + 1)
            rc = smi_ch_run_sql_retry(&d->store->shard[i].server, ddl.p + at, err);
    for (size_t i = 0; i < d->store->place.hosts && !rc && ddl.n; i++)
        rc = find_tables(d, i, err);
    smi_buf_fini(&ddl);
    return rc;
}

/* ---- from beginning to end ---- */

struct smi_ch_documents *smi_ch_documents_open(struct smi_ch_store *store_, struct smi_ledger *ledger,
                                               const struct smi_pytorch_settings *set, bool replace,
                                               struct smi_err *err)
{
    struct smi_ch_documents *d = smi_mem_new(1, sizeof *d);
    int rc = 0;
    if (!d) {
        smi_err_nomem(err);
        return NULL;
    }
    d->store = store_;
    d->ledger = ledger;
    d->set = *set;
    d->replace = replace;
    d->sink = (struct smi_pytorch_sink){add_document, d};
    d->source = smi_pytorch_target_open(&d->sink, err);
    rc = d->source ? smi_pytorch_target_set(d->source, &d->set, err) : -1;
    for (size_t i = 0; i < store_->place.hosts && !rc; i++)
        rc = find_tables(d, i, err);
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
        d->source->target->close(d->source, false, NULL);
    for (int k = 0; k < SMI_CH_DOCUMENT_KINDS; k++)
        smi_ch_keyed_fini(&d->of[k]);
    smi_buf_fini(&d->room);
    smi_buf_fini(&d->key);
    smi_mem_free(d);
}

/* How the run is told apart from one of which nothing can be made: the source counts it. */
int smi_ch_documents_run(struct smi_ch_documents *d, const struct smi_export_run *r,
                         struct smi_target_out *done, struct smi_buf *say, struct smi_err *err)
{
    const uint64_t runs = d->source->runs, doubts = d->source->doubts;
    uint64_t fresh = 0;
    int rc;
    for (int k = 0; k < SMI_CH_DOCUMENT_KINDS; k++)
        smi_ch_keyed_clear(&d->of[k]);
    rc = d->source->target->run(d->source, r, say, err);
    done->doubts += d->source->doubts - doubts;
    if (rc || d->source->runs == runs)
        return rc;
    if (d->ledger)
        rc = smi_ch_documents_store(d, r, &fresh, err);
    else
        fresh = d->of[0].n + d->of[1].n;
    done->documents += fresh;
    return rc;
}
