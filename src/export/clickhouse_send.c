#include "export/clickhouse_send.h"

#include "base/digest.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/version.h"

#include <stdio.h>

int smi_ch_out_open(struct smi_ch_out *o, struct smi_ch_store *store, struct smi_ledger *ledger,
                    struct smi_err *err)
{
    memset(o, 0, sizeof *o);
    o->store = store;
    o->ledger = ledger;
    o->to = smi_mem_new(store->place.hosts, sizeof *o->to);
    for (size_t i = 0; o->to && i < store->place.hosts; i++)
        o->to[i].block.dialect = store->shard[i].server.dialect;
    return o->to ? 0 : smi_err_nomem(err);
}

static void free_line(struct smi_ch_line *l)
{
    smi_mem_free(l->name);
    smi_mem_free(l->place);
    smi_mem_free(l->leaf);
    smi_mem_free(l->host);
    smi_buf_fini(&l->sums);
    smi_buf_fini(&l->summary);
    smi_buf_fini(&l->partial);
}

void smi_ch_out_close(struct smi_ch_out *o)
{
    for (size_t i = 0; o->to && i < o->store->place.hosts; i++) {
        struct smi_ch_waiting *w = &o->to[i];
        for (size_t k = 0; k < w->lines; k++)
            free_line(&w->line[k]);
        smi_ch_block_fini(&w->block);
        smi_ch_keyed_fini(&w->marks);
        smi_buf_fini(&w->marked);
        smi_mem_free(w->batch);
        smi_mem_free(w->line);
    }
    smi_mem_free(o->to);
    smi_buf_fini(&o->heads);
    memset(o, 0, sizeof *o);
}

/* ---- rows of runs ---- */

static size_t shard_of(const struct smi_ch_out *o, uint64_t run)
{
    return smi_ch_shard(run, o->store->place.hosts);
}

static void write_text(struct smi_buf *to, const struct smi_buf *b)
{
    smi_ch_put_text(to, (struct smi_text){b->p, b->n});
}

/* In the order of columns.def. */
static void write_run_row(struct smi_buf *to, const struct smi_ch_out *o, const struct smi_ch_line *l,
                          bool loaded)
{
    static const struct smi_buf none = {0};
    smi_ch_put_bytes(to, l->run, 8);
    smi_ch_put_bytes(to, l->version + loaded, 8);
    smi_ch_put_text(to, smi_text_of(l->name));
    smi_ch_put_text(to, smi_text_of(l->place));
    smi_ch_put_text(to, smi_text_of(l->leaf));
    smi_ch_put_text(to, smi_text_of(l->host));
    smi_ch_put_text(to, smi_text_of(!loaded ? "loading" : l->removed ? "removed" : "loaded"));
    smi_ch_put_bytes(to, (uint64_t)smi_clock_utc_ms() / 1000, 4);
    smi_ch_put_text(to, smi_text_of(SMILOG_VERSION));
    smi_ch_put_bytes(to, shard_of(o, l->run), 2);
    smi_ch_put_bytes(to, o->store->place.hosts, 2);
    smi_ch_put_bytes(to, loaded ? l->samples : 0, 8);
    smi_ch_put_bytes(to, loaded ? l->sum : 0, 8);
    write_text(to, loaded ? &l->sums : &none);
    write_text(to, loaded ? &l->summary : &none);
    write_text(to, loaded ? &l->partial : &none);
}

/* Rows that were stored twice are one, as the newest counts. */
static int insert_run_rows(struct smi_ch_out *o, size_t shard, const struct smi_buf *rows,
                           struct smi_err *err)
{
    struct smi_ch_server *server = &o->store->shard[shard].server;
    struct smi_text body = {rows->p, rows->n};
    int64_t until = smi_clock_now_ms() + server->patience.retry_ms;
    char sql[120], id[64];
    snprintf(sql, sizeof sql, "INSERT INTO %s.runs_local FORMAT RowBinary", o->store->place.database);
    snprintf(id, sizeof id, "smilog-runs-%016llx", (unsigned long long)smi_digest_of(rows->p, rows->n));
    for (;;) {
        struct smi_err own = {0};
        if (smi_ch_insert(server, sql, id, &body, 1, &own) == 0)
            return 0;
        if (own.code == SMI_ENOMEM || !smi_ch_may_retry(server) || smi_clock_now_ms() >= until)
            return smi_err_set(err, own.code, "%s", own.text);
        smi_ch_sleep(server->patience.pause_ms);
    }
}

/* Writes those lines that are complete as loaded; or, before a block, those that are not noted as loading. */
static int write_runs(struct smi_ch_out *o, size_t shard, bool loaded, struct smi_err *err)
{
    struct smi_ch_waiting *w = &o->to[shard];
    struct smi_buf rows = {0};
    int rc;
    for (size_t i = 0; i < w->lines; i++)
        if (loaded ? w->line[i].complete : !w->line[i].noted)
            write_run_row(&rows, o, &w->line[i], loaded);
    rc = rows.failed ? smi_err_nomem(err) : rows.n ? insert_run_rows(o, shard, &rows, err) : 0;
    for (size_t i = 0; i < w->lines && !rc; i++)
        w->line[i].noted = true;
    smi_buf_fini(&rows);
    return rc;
}

static void drop_complete(struct smi_ch_waiting *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->lines; i++)
        if (w->line[i].complete)
            free_line(&w->line[i]);
        else
            w->line[n++] = w->line[i];
    w->lines = n;
    w->text = 0;
}

/* ---- blocks ---- */

/* Did a block get there, of which the server never said so? */
static int is_block_stored(struct smi_ch_out *o, size_t shard, const char *id, bool *stored,
                           struct smi_err *err)
{
    struct smi_ch_server *server = &o->store->shard[shard].server;
    const struct smi_ch_waiting *w = &o->to[shard];
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    uint64_t n;
    int rc = smi_ch_wait_for_query(server, id, err);
    smi_buf_fmt(&sql, "SELECT count() FROM %s.samples_local WHERE run IN (", o->store->place.database);
    for (size_t i = 0; i < w->batches; i++)
        smi_buf_fmt(&sql, "%s%llu", i ? "," : "", (unsigned long long)w->batch[i].run);
    smi_buf_str(&sql, ") AND batch IN (");
    for (size_t i = 0; i < w->batches; i++)
        smi_buf_fmt(&sql, "%s%llu", i ? "," : "", (unsigned long long)w->batch[i].batch);
    smi_buf_str(&sql, ") FORMAT RowBinary");
    rc = rc ? rc : sql.failed ? smi_err_nomem(err) : smi_ch_run_sql_retry(server, sql.p, err);
    smi_buf_fini(&sql);
    if (rc)
        return rc;
    r = smi_ch_rows(server);
    n = smi_ch_read_int(&r, 8);
    *stored = n == w->block.rows;
    if (r.bad)
        return smi_ch_bad_answer(server, err);
    return !n || *stored
               ? 0
               : smi_err_set(err, SMI_EFORMAT, "ClickHouse %.100s:%d has %llu of the %zu rows of a block",
                             server->to.host, server->to.port, (unsigned long long)n, w->block.rows);
}

static int store_block(struct smi_ch_out *o, size_t shard, const char *sql, const char *id, size_t pieces,
                       struct smi_err *err)
{
    struct smi_ch_server *server = &o->store->shard[shard].server;
    int64_t until = smi_clock_now_ms() + server->patience.retry_ms;
    bool stored = false;
    while (!stored) {
        struct smi_err own = {0};
        if (smi_ch_insert(server, sql, id, o->piece, pieces, &own) == 0)
            break;
        if (own.code == SMI_ENOMEM || !smi_ch_may_retry(server) || smi_clock_now_ms() >= until)
            return smi_err_set(err, own.code, "%s", own.text);
        smi_ch_sleep(server->answer.reached && !server->answer.status ? server->patience.settle_ms
                                                                      : server->patience.pause_ms);
        if (is_block_stored(o, shard, id, &stored, err))
            return -1;
    }
    return 0;
}

static int send_block(struct smi_ch_out *o, size_t shard, struct smi_err *err)
{
    struct smi_ch_waiting *w = &o->to[shard];
    struct smi_buf sql = {0};
    bool metric[SMI_METRIC_COUNT];
    uint64_t sum = (uint64_t)smi_clock_utc_ms() ^ (uint64_t)shard << 56;
    size_t pieces = smi_ch_block_pieces(&w->block, &o->heads, o->piece);
    char id[64];
    int rc;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        metric[m] = w->block.metric[m].rows > 0;
    for (size_t i = 0; i < w->batches; i++)
        sum = smi_digest_of((const char *)(uint64_t[]){sum, w->batch[i].batch}, 16);
    snprintf(id, sizeof id, "smilog-%016llx", (unsigned long long)sum);
    smi_buf_fmt(&sql, "INSERT INTO %s.samples_local (", o->store->place.database);
    smi_ch_block_names(&w->block, &sql);
    smi_buf_str(&sql, ") FORMAT Native");
    rc = !pieces || sql.failed ? smi_err_nomem(err) : smi_ch_store_widen(o->store, metric, err);
    rc = rc ? rc : smi_ledger_send(o->ledger, shard, id, w->batch, w->batches, err);
    rc = rc ? rc : store_block(o, shard, sql.p, id, pieces, err);
    rc = rc ? rc : smi_ledger_end(o->ledger, id, true, err);
    smi_buf_fini(&sql);
    if (rc)
        return rc;
    o->stored += w->block.rows;
    smi_ch_block_clear(&w->block);
    w->batches = 0;
    return 0;
}

static int send_marks(struct smi_ch_out *o, size_t shard, struct smi_err *err)
{
    struct smi_ch_waiting *w = &o->to[shard];
    int rc = smi_ch_marks_send(&w->marks, &o->store->shard[shard].server, o->ledger, w->marked.p, err);
    smi_ch_keyed_clear(&w->marks);
    smi_buf_clear(&w->marked);
    return rc;
}

static int foreign_rows(const struct smi_ch_server *s, const struct smi_ch_line *l, uint64_t n,
                        struct smi_err *err)
{
    return smi_err_set(
        err, SMI_EIO,
        "ClickHouse %.100s:%d has %llu rows of run %.100s, and should have %llu: another export has "
        "changed it meanwhile; when that has ended, --replace puts it right",
        s->to.host, s->to.port, (unsigned long long)n, l->name, (unsigned long long)l->samples);
}

/* Nobody can keep an export of another machine from storing the same run meanwhile. But whose rows come last
 * finds them all: so of two, one at least does not say that the run is loaded, and ends. */
static int check_alone(struct smi_ch_out *o, size_t shard, struct smi_err *err)
{
    struct smi_ch_server *server = &o->store->shard[shard].server;
    const struct smi_ch_waiting *w = &o->to[shard];
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    size_t n = 0, found = 0;
    int rc;
    smi_buf_fmt(&sql, "SELECT run, count() FROM %s.samples_local WHERE run IN (", o->store->place.database);
    for (size_t i = 0; i < w->lines; i++)
        if (w->line[i].complete && w->line[i].samples)
            smi_buf_fmt(&sql, "%s%llu", n++ ? "," : "", (unsigned long long)w->line[i].run);
    smi_buf_str(&sql, ") GROUP BY run FORMAT RowBinary");
    rc = sql.failed ? smi_err_nomem(err) : n ? smi_ch_run_sql_retry(server, sql.p, err) : 0;
    smi_buf_fini(&sql);
    r = n && !rc ? smi_ch_rows(server) : (struct smi_ch_rows){0};
    while (!rc && r.n) {
        uint64_t run = smi_ch_read_int(&r, 8), rows = smi_ch_read_int(&r, 8);
        size_t i = 0;
        while (i < w->lines && (w->line[i].run != run || !w->line[i].complete))
            i++;
        found += i < w->lines;
        if (r.bad || i == w->lines)
            rc = smi_ch_bad_answer(server, err);
        else if (rows != w->line[i].samples)
            rc = foreign_rows(server, &w->line[i], rows, err);
    }
    return rc || found == n
               ? rc
               : smi_err_set(err, SMI_EIO,
                             "ClickHouse %.100s:%d has no row any more of %zu runs that it has just "
                             "stored: another export has changed them meanwhile",
                             server->to.host, server->to.port, n - found);
}

static int flush_shard(struct smi_ch_out *o, size_t shard, struct smi_err *err)
{
    struct smi_ch_waiting *w = &o->to[shard];
    if ((w->block.rows || w->marked.n) && write_runs(o, shard, false, err))
        return -1;
    if ((w->block.rows && send_block(o, shard, err)) || (w->marked.n && send_marks(o, shard, err)))
        return -1;
    if (check_alone(o, shard, err))
        return -1;
    if (write_runs(o, shard, true, err))
        return -1;
    drop_complete(w);
    return 0;
}

int smi_ch_out_flush(struct smi_ch_out *o, struct smi_err *err)
{
    for (size_t i = 0; i < o->store->place.hosts; i++)
        if (flush_shard(o, i, err))
            return -1;
    return 0;
}

/* ---- runs ---- */

static char *copy_text(const char *text)
{
    return smi_mem_text(text, strlen(text));
}

int smi_ch_out_run(struct smi_ch_out *o, uint64_t run, uint64_t version, const struct smi_ch_run_words *words,
                   struct smi_err *err)
{
    size_t shard = shard_of(o, run);
    struct smi_ch_waiting *w = &o->to[shard];
    struct smi_ch_line *l;
    if ((w->lines >= SMI_CH_LINES || w->text >= SMI_CH_BLOCK_BYTES) && flush_shard(o, shard, err))
        return -1;
    if (smi_mem_reserve(&w->line, &w->line_cap, w->lines + 1, sizeof *w->line))
        return smi_err_nomem(err);
    l = &w->line[w->lines];
    *l = (struct smi_ch_line){.run = run,
                              .version = version,
                              .name = copy_text(words->name),
                              .place = copy_text(words->place),
                              .leaf = copy_text(words->leaf),
                              .host = copy_text(words->host)};
    w->lines++;
    return l->name && l->place && l->leaf && l->host ? 0 : smi_err_nomem(err);
}

struct smi_ch_line *smi_ch_out_line(struct smi_ch_out *o, uint64_t run)
{
    struct smi_ch_waiting *w = &o->to[shard_of(o, run)];
    return &w->line[w->lines - 1];
}

int smi_ch_out_mark_loading(struct smi_ch_out *o, uint64_t run, struct smi_err *err)
{
    return write_runs(o, shard_of(o, run), false, err);
}

int smi_ch_out_batch(struct smi_ch_out *o, const struct smi_ch_block *rows, const struct smi_ch_batch *batch,
                     struct smi_err *err)
{
    size_t shard = shard_of(o, batch->run);
    struct smi_ch_waiting *w = &o->to[shard];
    if (w->block.rows && (w->month != batch->month || w->batches >= SMI_CH_LINES) &&
        flush_shard(o, shard, err))
        return -1;
    if (smi_mem_reserve(&w->batch, &w->batch_cap, w->batches + 1, sizeof *w->batch))
        return smi_err_nomem(err);
    w->batch[w->batches++] = (struct smi_ledger_batch){batch->run, batch->batch, batch->rows};
    w->month = batch->month;
    smi_ch_block_join(&w->block, rows, batch);
    return w->block.rows >= SMI_CH_BLOCK_ROWS || smi_ch_block_bytes(&w->block) >= SMI_CH_BLOCK_BYTES
               ? flush_shard(o, shard, err)
               : 0;
}

int smi_ch_out_marks(struct smi_ch_out *o, uint64_t run, const struct smi_export_run *r, struct smi_err *err)
{
    struct smi_ch_waiting *w = &o->to[shard_of(o, run)];
    size_t before = w->marks.text.n;
    smi_buf_fmt(&w->marked, "%s%llu", w->marked.n ? "," : "", (unsigned long long)run);
    if (smi_ch_marks_put(&w->marks, r, run, err))
        return -1;
    w->text += w->marks.text.n - before;
    return w->marked.failed ? smi_err_nomem(err) : 0;
}

int smi_ch_out_complete(struct smi_ch_out *o, uint64_t run, struct smi_err *err)
{
    struct smi_ch_waiting *w = &o->to[shard_of(o, run)];
    struct smi_ch_line *l = smi_ch_out_line(o, run);
    if (l->sums.failed || l->summary.failed || l->partial.failed)
        return smi_err_nomem(err);
    w->text += l->sums.n + l->summary.n + l->partial.n;
    l->complete = true;
    return 0;
}

void smi_ch_out_drop(struct smi_ch_out *o, uint64_t run)
{
    struct smi_ch_waiting *w = &o->to[shard_of(o, run)];
    free_line(&w->line[--w->lines]);
}
