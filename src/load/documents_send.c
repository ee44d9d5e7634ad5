/* documents_send.c - the documents of a job against the rows that the tables have of it. */
#include "load/documents_inner.h"

#include "archive/digest.h"
#include "base/clock.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What tells a document of a job from its others, as servers say it; put_key says the same. */
static const char *const keys[SMI_CH_DOCUMENT_KINDS][2] = {
    {"concat(toString(toUInt32(time_stamp)), '\\n', workflow_name, '\\n', job_name, '\\n', json_data)",
     "concat(toString(toUInt32(time_stamp)), '\\n', workflow_name, '\\n', job_name, '\\n', json_data)"},
    {"concat(toString(toUInt32(start_at)), '\\n', toString(toUInt32(end_at)), '\\n', workflow_name, '\\n', job_name, "
     "'\\n', data_model_version, '\\n', toString(gpu_count), '\\n', toString(cpu_count), '\\n', gpu_type, '\\n', "
     "segments_json)",
     "concat(toString(toUInt32(start_at)), '\\n', toString(toUInt32(end_at)), '\\n', workflow_name, '\\n', job_name, "
     "'\\n', data_model_version, '\\n', toString(gpu_count), '\\n', toString(cpu_count), '\\n', gpu_type, '\\n', "
     "toString(length(segments)))"},
};
/* Of the time series others may keep other things there. */
static const char *const also[SMI_CH_DOCUMENT_KINDS] = {" AND type = 'utilization'", ""};

/* ---- what the tables have of a job ---- */

static void put_table(struct smi_buf *to, const struct smi_ch_documents *d, size_t shard, int kind)
{
    smi_buf_fmt(to, "%s.%s%s", d->store->place.database, smi_ch_documents_table(kind),
                d->plain[shard][kind] ? "" : "_local");
}

static int by_key(const void *x, const void *y)
{
    const struct smi_ch_document *a = *(const struct smi_ch_document *const *)x,
                                 *b = *(const struct smi_ch_document *const *)y;
    int c = (a->key > b->key) - (a->key < b->key);
    return c ? c : (a > b) - (a < b);
}

/* Which documents are missing. *strange: rows that are there, and none of them. */
static int compare(struct smi_ch_documents *d, int kind, struct smi_ch_rows *r, uint64_t *strange,
                   struct smi_err *err)
{
    struct smi_ch_document_list *l = &d->of[kind];
    struct smi_ch_document **sorted = smi_mem_new(l->n + 1, sizeof *sorted);
    size_t i = 0;
    *strange = 0;
    if (!sorted)
        return smi_err_nomem(err);
    for (size_t k = 0; k < l->n; k++) {
        sorted[k] = &l->list[k];
        l->list[k].missing = true;
    }
    smi_sort(sorted, l->n, sizeof *sorted, by_key);
    while (r->n) {
        uint64_t key = smi_ch_get(r, 8), rows = smi_ch_get(r, 8);
        while (i < l->n && sorted[i]->key < key)
            i++;
        for (; rows && i < l->n && sorted[i]->key == key; rows--)
            sorted[i++]->missing = false;
        *strange += rows;
    }
    smi_mem_free(sorted);
    return 0;
}

static int look(struct smi_ch_documents *d, size_t shard, int kind, uint64_t *strange, struct smi_err *err)
{
    struct smi_ch_server *server = &d->store->shard[shard].server;
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    int rc;
    smi_buf_fmt(&sql, "SELECT sipHash64(%s) AS k, count() FROM ", keys[kind][server->dialect]);
    put_table(&sql, d, shard, kind);
    smi_buf_fmt(&sql, " WHERE %s%s GROUP BY k ORDER BY k FORMAT RowBinary", d->job, also[kind]);
    rc = sql.failed ? smi_err_nomem(err) : smi_ch_run_again(server, sql.p, err);
    smi_buf_fini(&sql);
    if (rc)
        return rc;
    r = smi_ch_rows(server);
    rc = compare(d, kind, &r, strange, err);
    return !rc && r.bad ? smi_ch_garbled(server, err) : rc;
}

static int take_out(struct smi_ch_documents *d, size_t shard, int kind, struct smi_err *err)
{
    struct smi_ch_server *server = &d->store->shard[shard].server;
    struct smi_buf sql = {0};
    char table[SMI_CH_NAME];
    int rc;
    snprintf(table, sizeof table, "%s%s", smi_ch_documents_table(kind), d->plain[shard][kind] ? "" : "_local");
    smi_buf_str(&sql, "ALTER TABLE ");
    put_table(&sql, d, shard, kind);
    smi_buf_fmt(&sql, " DELETE WHERE %s%s", d->job, also[kind]);
    rc = sql.failed ? smi_err_nomem(err) : smi_ch_run_again(server, sql.p, err);
    smi_buf_fini(&sql);
    for (size_t i = 0; i < d->of[kind].n; i++)
        d->of[kind].list[i].missing = true;
    return rc ? rc : smi_ch_changed(server, table, err);
}

/* ---- documents on their way ---- */

/* The next missing ones from *at on, as many as go at once. Returns how many pieces they are. */
static size_t gather(const struct smi_ch_documents *d, int kind, size_t *at, struct smi_text *piece, size_t most)
{
    const struct smi_ch_document_list *l = &d->of[kind];
    size_t n = 0, bytes = 0;
    for (; *at < l->n && bytes < SMI_CH_DOCUMENTS_BLOCK; ++*at) {
        const struct smi_ch_document *o = &l->list[*at];
        const char *p = d->text.p + o->at;
        if (!o->missing)
            continue;
        bytes += o->n;
        if (n && piece[n - 1].p + piece[n - 1].n == p)
            piece[n - 1].n += o->n;
        else if (n == most)
            break;
        else
            piece[n++] = (struct smi_text){p, o->n};
    }
    return n;
}

static uint64_t digest_of(const struct smi_text *piece, size_t n)
{
    uint64_t sum = (uint64_t)smi_clock_wall_ms();
    for (size_t i = 0; i < n; i++) {
        uint64_t both[2] = {sum, smi_digest_of(piece[i].p, piece[i].n)};
        sum = smi_digest_of((const char *)both, sizeof both);
    }
    return sum;
}

/* Sends what is missing. Whoever gets no answer waits until the server has ended it, one way or the other: what it has
 * got then is asked again. */
static int send_missing(struct smi_ch_documents *d, size_t shard, int kind, struct smi_err *err)
{
    struct smi_ch_server *server = &d->store->shard[shard].server;
    enum { PIECES = 256 };
    struct smi_text piece[PIECES];
    struct smi_buf sql = {0};
    size_t at = 0, n;
    int rc = 0;
    smi_buf_str(&sql, "INSERT INTO ");
    put_table(&sql, d, shard, kind);
    smi_buf_str(&sql, " FORMAT JSONEachRow");
    if (sql.failed)
        rc = smi_err_nomem(err);
    while (!rc && (n = gather(d, kind, &at, piece, PIECES)) > 0) {
        char id[64];
        snprintf(id, sizeof id, "smilog-%016" PRIx64, digest_of(piece, n));
        rc = smi_ledger_send(d->ledger, shard, id, NULL, 0, err);
        rc = rc ? rc : smi_ch_insert(server, sql.p, id, piece, n, err);
        if (rc && server->answer.reached && !server->answer.status) {
            smi_ch_sleep(server->patience.settle_ms);
            (void)smi_ch_settle(server, id, NULL); /* if it cannot be asked, the next question tells */
        }
        if (!rc)
            rc = smi_ledger_end(d->ledger, id, false, err); /* the rows themselves say that they are there */
    }
    smi_buf_fini(&sql);
    return rc;
}

static uint64_t count_missing(const struct smi_ch_document_list *l)
{
    uint64_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += l->list[i].missing;
    return n;
}

static int not_its_own(const struct smi_ch_documents *d, size_t shard, const struct smi_export_run *r,
                       uint64_t strange, struct smi_err *err)
{
    const struct smi_ch_server *s = &d->store->shard[shard].server;
    return smi_err_set(err, SMI_EUSAGE,
                       "ClickHouse %.100s:%d has %" PRIu64 " rows of job %" PRIu64 " in %s that are not in the log "
                       "of %.100s: --replace takes them out",
                       s->to.host, s->to.port, strange, d->job_id, smi_ch_documents_table(0), r->summary->run);
}

/* Both tables, once through. Who finds the metadata of a job finds its time series, so they come first; there is one
 * row of metadata, and that of a log that has grown since takes the place of the old one. */
static int store_once(struct smi_ch_documents *d, size_t shard, const struct smi_export_run *r, uint64_t *fresh,
                      struct smi_err *err)
{
    uint64_t strange;
    *fresh = 0;
    for (int kind = 0; kind < SMI_CH_DOCUMENT_KINDS; kind++) {
        if (look(d, shard, kind, &strange, err))
            return -1;
        if (strange && !kind && !d->replace)
            return not_its_own(d, shard, r, strange, err);
        if (strange && take_out(d, shard, kind, err))
            return -1;
        *fresh += count_missing(&d->of[kind]);
        if (send_missing(d, shard, kind, err))
            return -1;
    }
    return 0;
}

int smi_ch_documents_store(struct smi_ch_documents *d, const struct smi_export_run *r, uint64_t *fresh,
                           struct smi_err *err)
{
    size_t shard = (size_t)(d->job_id % d->store->place.hosts);
    struct smi_ch_server *server = &d->store->shard[shard].server;
    int64_t until = smi_clock_now_ms() + server->patience.retry_ms;
    uint64_t most = 0;
    for (;;) {
        struct smi_err own = {0};
        int rc = store_once(d, shard, r, fresh, &own);
        most = *fresh > most ? *fresh : most;
        *fresh = most;
        if (!rc)
            return 0;
        if (own.code != SMI_EIO || !smi_ch_may_pass(server) || smi_clock_now_ms() >= until)
            return smi_err_set(err, own.code, "%s", own.text);
        smi_ch_sleep(server->patience.pause_ms);
    }
}
