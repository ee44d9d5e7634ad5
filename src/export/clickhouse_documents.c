/* clickhouse_documents.c - documents of PyTorch's CI into its two tables. The tables are plain MergeTrees of
 * somebody else's, so a row that is sent twice is there twice. The metadata of a job is sent last: a job that
 * has it is there, and of one without it the rows are deleted before it is sent. Inserts of a job have one
 * query id, so that two of them never run at once. */
#include "export/clickhouse.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/mem.h"
#include "export/pytorch.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum { KINDS = 2 /* the time series, and the metadata */, BLOCK = 8 << 20 /* goes at once */ };

/* PyTorch's own columns, as far as the server knows their types. */
#define JOB                                                                                          \
    "repo String DEFAULT 'pytorch/pytorch', workflow_id UInt64, run_attempt UInt32, job_id UInt64, " \
    "workflow_name "                                                                                 \
    "String, job_name String, "
#define SERIES(time, tags, meta)                                                                             \
    "created_at " time ", type String, tags " tags ", time_stamp " time ", " JOB "json_data String DEFAULT " \
    "'{}', " meta
#define METADATA(time, tags, segments)                                              \
    "created_at " time ", " JOB                                                     \
    "usage_collect_interval Float32, data_model_version String, gpu_count UInt32, " \
    "cpu_count UInt32, gpu_type String DEFAULT 'None', start_at " time ", end_at " time ", " segments tags
#define MODERN_TIME "DateTime64(0, 'UTC')"
#define MODERN_META "_meta Tuple(bucket String, key String)"
#define MODERN_TAGS "Array(String) DEFAULT []"
static const struct {
    const char *name, *columns[2], *order; /* columns: by dialect */
} tables[KINDS] = {{"oss_ci_time_series",
                    {SERIES("DateTime('UTC')", "Array(String)", "meta_bucket String, meta_key String"),
                     SERIES(MODERN_TIME, MODERN_TAGS, MODERN_META)},
                    "MergeTree PARTITION BY toYYYYMM(time_stamp) ORDER BY (workflow_id, job_id, repo, "
                    "workflow_name, job_name, type, "
                    "time_stamp)"},
                   {"oss_ci_utilization_metadata",
                    {METADATA("DateTime('UTC')", "tags Array(String)", "segments_json String DEFAULT '[]', "),
                     METADATA(MODERN_TIME, "tags " MODERN_TAGS ", " MODERN_META,
                              "segments Array(Tuple(level String, name String, start_at " MODERN_TIME
                              ", end_at " MODERN_TIME ", extra_info Map(String, String))) DEFAULT [], ")},
                    "MergeTree PARTITION BY toYYYYMM(start_at) ORDER BY (workflow_id, job_id, repo, "
                    "workflow_name, job_name, start_at)"}};

struct smi_ch_documents {
    struct smi_ch_store *store;
    struct smi_pytorch_sink sink;
    struct smi_target_out *source; /* what makes documents of runs */
    bool dry;
    char table[KINDS][2 * SMI_CH_NAME]; /* where rows go, with the database */
    bool there[KINDS];
    /* of the job at hand: */
    bool begun;
    int64_t until_ms;        /* it is tried again until then; 0: not yet */
    char where[700], id[64]; /* which rows are of it; the query id of its inserts */
    struct smi_buf block;    /* of the time series, that waits */
};

/* A table that is there by upstream's name holds its rows itself, and gets ours; a Distributed one has them
 * beside it, in ..._local. */
static int find_tables(struct smi_ch_documents *d, struct smi_err *err)
{
    struct smi_ch_server *server = &d->store->server;
    struct smi_ch_rows r;
    if (smi_ch_ask(
            server, err,
            "SELECT name FROM system.tables WHERE database = '%s' AND engine != 'Distributed' ORDER BY name "
            "FORMAT RowBinary",
            d->store->place.database))
        return -1;
    for (int k = 0; k < KINDS; k++) {
        const char *own = tables[k].name;
        char name[SMI_CH_NAME];
        snprintf(d->table[k], sizeof d->table[k], "%s.%s", d->store->place.database, own);
        for (r = smi_ch_rows(server); r.n;) {
            struct smi_text t = smi_ch_read_text(&r);
            snprintf(name, sizeof name, "%s_local", own);
            if (!smi_text_is(t, own) && !smi_text_is(t, name))
                continue;
            d->there[k] = true;
            snprintf(d->table[k], sizeof d->table[k], "%s.%.*s", d->store->place.database, (int)t.n, t.p);
        }
    }
    return r.bad ? smi_ch_bad_answer(server, err) : 0;
}

void smi_ch_documents_ddl(const struct smi_ch_documents *d, struct smi_buf *to)
{
    enum smi_ch_dialect dialect = d->store->server.dialect;
    for (int k = 0; k < KINDS; k++) {
        if (d->there[k])
            continue;
        smi_buf_fmt(to,
                    "CREATE TABLE IF NOT EXISTS %s.%s (%s) ENGINE = %s%s SETTINGS index_granularity = 8192",
                    d->store->place.database, tables[k].name, tables[k].columns[dialect], tables[k].order,
                    dialect == SMI_CH_MODERN ? " TTL toDate(created_at) + toIntervalYear(1)" : "");
        smi_buf_add(to, "", 1);
    }
}

static int has_job(void *self, const struct smi_pytorch_job *job, struct smi_err *err)
{
    struct smi_ch_documents *d = self;
    char from[1000];
    uint64_t n = 0;
    d->until_ms = 0;
    /* no name stands in SQL that has other letters than names have */
    snprintf(d->where, sizeof d->where,
             "workflow_id = %" PRIu64 " AND job_id = %" PRIu64 " AND repo = '%s' AND run_attempt = %" PRIu32,
             job->workflow_id, job->job_id, job->repo, job->run_attempt);
    snprintf(d->id, sizeof d->id, "smilog-%016" PRIx64, smi_digest_of(d->where, strlen(d->where)));
    snprintf(from, sizeof from, "%s WHERE %s", d->table[1], d->where);
    return d->there[1] && smi_ch_count(&d->store->server, from, &n, err) ? -1 : n > 0;
}

/* No insert of an export that died runs any more, and no row of the job is there. The metadata goes first:
 * without it the job is not there. In the table of the time series others may keep other things. */
static int begin_job(struct smi_ch_documents *d, struct smi_err *err)
{
    struct smi_ch_server *server = &d->store->server;
    char text[1000];
    snprintf(text, sizeof text, "system.processes WHERE query_id = '%s'", d->id);
    if (smi_ch_wait_for_none(server, text, "still works at an insert", err))
        return -1;
    snprintf(text, sizeof text, "%s AND type = 'utilization'", d->where);
    if (smi_ch_delete(server, d->table[1], d->where, err) || smi_ch_delete(server, d->table[0], text, err))
        return -1;
    d->begun = true;
    return 0;
}

static int insert_rows(struct smi_ch_documents *d, int kind, struct smi_text rows, struct smi_err *err)
{
    char sql[300];
    snprintf(sql, sizeof sql, "INSERT INTO %s FORMAT JSONEachRow", d->table[kind]);
    return rows.n ? smi_ch_post(&d->store->server, sql, d->id, rows, err) : 0;
}

static int put_document(void *self, const struct smi_pytorch_job *job, enum smi_pytorch_kind kind,
                        struct smi_text line, struct smi_err *err)
{
    struct smi_ch_documents *d = self;
    bool last = kind == SMI_PYTORCH_METADATA;
    (void)job;
    if (d->dry || (!d->begun && begin_job(d, err)))
        return d->dry ? 0 : -1;
    if (!last)
        smi_buf_add(&d->block, line.p, line.n);
    if (last || d->block.n >= BLOCK) {
        if (insert_rows(d, 0, (struct smi_text){d->block.p, d->block.n}, err))
            return -1;
        smi_buf_clear(&d->block);
    }
    return last ? insert_rows(d, 1, line, err) : 0;
}

static int end_job(void *self, bool keep, struct smi_err *err)
{
    struct smi_ch_documents *d = self;
    (void)keep, (void)err;
    smi_buf_clear(&d->block);
    d->begun = false;
    return 0;
}

/* A server that was away, or too busy, is asked again. */
static bool try_again(void *self, const struct smi_err *why)
{
    struct smi_ch_documents *d = self;
    const struct smi_ch_patience *p = &d->store->server.patience;
    if (!d->until_ms)
        d->until_ms = smi_clock_now_ms() + p->retry_ms;
    if (why->code != SMI_EIO || !smi_ch_may_retry(&d->store->server) || smi_clock_now_ms() >= d->until_ms)
        return false;
    (void)poll(NULL, 0, (int)p->pause_ms);
    return true;
}

struct smi_ch_documents *smi_ch_documents_open(struct smi_ch_store *store, const struct smi_target_set *set,
                                               struct smi_err *err)
{
    struct smi_ch_documents *d = smi_mem_new(1, sizeof *d);
    struct smi_buf ddl = {0};
    int rc;
    d->store = store;
    d->dry = set->dry;
    d->sink = (struct smi_pytorch_sink){
        has_job, put_document, end_job, try_again, d, .flat = store->server.dialect == SMI_CH_18};
    d->source = smi_pytorch_target_open(&d->sink, set, err);
    rc = !d->source || find_tables(d, err) ? -1 : 0;
    if (!rc && !set->dry) {
        smi_ch_documents_ddl(d, &ddl);
        rc = ddl.n ? smi_ch_ask_all(&store->server, &ddl, err) || find_tables(d, err) : 0;
        smi_buf_fini(&ddl);
    }
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
    smi_buf_fini(&d->block);
    smi_mem_free(d);
}

int smi_ch_documents_run(struct smi_ch_documents *d, const struct smi_export_run *r,
                         struct smi_target_out *done, struct smi_buf *say, struct smi_err *err)
{
    const uint64_t doubts = d->source->doubts;
    int rc = smi_target_pytorch.run(d->source, r, say, err);
    done->doubts += d->source->doubts - doubts;
    done->documents = d->source->documents;
    return rc;
}
