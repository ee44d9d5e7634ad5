#include "export/clickhouse_keyed_rows.h"

#include "base/digest.h"
#include "base/clock.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int smi_ch_keyed_add(struct smi_ch_keyed *k, uint64_t key, struct smi_err *err)
{
    const struct smi_ch_keyed_row *last = k->n ? &k->row[k->n - 1] : NULL;
    size_t at = last ? last->at + last->n : 0;
    if (k->text.failed || smi_mem_reserve(&k->row, &k->cap, k->n + 1, sizeof *k->row))
        return smi_err_nomem(err);
    k->row[k->n++] = (struct smi_ch_keyed_row){.key = key, .at = at, .n = k->text.n - at};
    return 0;
}

void smi_ch_keyed_clear(struct smi_ch_keyed *k)
{
    smi_buf_clear(&k->text);
    k->n = 0;
}

void smi_ch_keyed_fini(struct smi_ch_keyed *k)
{
    smi_buf_fini(&k->text);
    smi_mem_free(k->row);
    memset(k, 0, sizeof *k);
}

/* ---- what is there ---- */

static int compare_keys(const void *x, const void *y)
{
    const struct smi_ch_keyed_row *a = *(const struct smi_ch_keyed_row *const *)x,
                                  *b = *(const struct smi_ch_keyed_row *const *)y;
    int c = (a->key > b->key) - (a->key < b->key);
    return c ? c : (a > b) - (a < b);
}

/* Both in order of their keys; of some that are the same the first ones are there. */
static int find_missing(struct smi_ch_keyed *k, struct smi_ch_rows *r, uint64_t *strange, struct smi_err *err)
{
    struct smi_ch_keyed_row **sorted = smi_mem_new(k->n + 1, sizeof *sorted);
    size_t i = 0;
    *strange = 0;
    if (!sorted)
        return smi_err_nomem(err);
    for (size_t j = 0; j < k->n; j++) {
        sorted[j] = &k->row[j];
        k->row[j].missing = true;
    }
    smi_sort(sorted, k->n, sizeof *sorted, compare_keys);
    while (r->n) {
        uint64_t key = smi_ch_read_int(r, 8), rows = smi_ch_read_int(r, 8);
        while (i < k->n && sorted[i]->key < key)
            i++;
        for (; rows && i < k->n && sorted[i]->key == key; rows--)
            sorted[i++]->missing = false;
        *strange += rows;
    }
    smi_mem_free(sorted);
    return 0;
}

int smi_ch_keyed_check(struct smi_ch_keyed *k, const struct smi_ch_keyed_to *to, uint64_t *strange,
                       struct smi_err *err)
{
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    int rc;
    smi_buf_fmt(
        &sql, "SELECT sipHash64(%s) AS k, count() FROM %s.%s WHERE %s GROUP BY k ORDER BY k FORMAT RowBinary",
        to->key, to->server->place->database, to->table, to->where);
    rc = sql.failed ? smi_err_nomem(err) : smi_ch_run_sql_retry(to->server, sql.p, err);
    smi_buf_fini(&sql);
    if (rc)
        return rc;
    r = smi_ch_rows(to->server);
    rc = find_missing(k, &r, strange, err);
    return !rc && r.bad ? smi_ch_bad_answer(to->server, err) : rc;
}

int smi_ch_keyed_delete(struct smi_ch_keyed *k, const struct smi_ch_keyed_to *to, struct smi_err *err)
{
    struct smi_buf sql = {0};
    int rc;
    smi_buf_fmt(&sql, "ALTER TABLE %s.%s DELETE WHERE %s", to->server->place->database, to->table, to->where);
    rc = sql.failed ? smi_err_nomem(err) : smi_ch_run_sql_retry(to->server, sql.p, err);
    smi_buf_fini(&sql);
    for (size_t i = 0; i < k->n; i++)
        k->row[i].missing = true;
    return rc ? rc : smi_ch_wait_for_mutations(to->server, to->table, err);
}

uint64_t smi_ch_keyed_missing(const struct smi_ch_keyed *k)
{
    uint64_t n = 0;
    for (size_t i = 0; i < k->n; i++)
        n += k->row[i].missing;
    return n;
}

/* ---- rows on their way ---- */

/* The next missing ones from *at on, as many as go at once. Returns how many pieces they are. */
static size_t collect_missing(const struct smi_ch_keyed *k, size_t *at, struct smi_text *piece, size_t most)
{
    size_t n = 0, bytes = 0;
    for (; *at < k->n && bytes < SMI_CH_KEYED_BLOCK; ++*at) {
        const struct smi_ch_keyed_row *o = &k->row[*at];
        const char *p = k->text.p + o->at;
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
    uint64_t sum = (uint64_t)smi_clock_utc_ms();
    for (size_t i = 0; i < n; i++) {
        uint64_t both[2] = {sum, smi_digest_of(piece[i].p, piece[i].n)};
        sum = smi_digest_of((const char *)both, sizeof both);
    }
    return sum;
}

/* Whoever gets no answer waits until the server has ended it, one way or the other. */
int smi_ch_keyed_send(struct smi_ch_keyed *k, const struct smi_ch_keyed_to *to, struct smi_err *err)
{
    enum { PIECES = 256 };
    struct smi_ch_server *server = to->server;
    struct smi_text piece[PIECES];
    char sql[300], id[64];
    size_t at = 0, n;
    int rc = 0;
    snprintf(sql, sizeof sql, "INSERT INTO %s.%s FORMAT JSONEachRow", server->place->database, to->table);
    while (!rc && (n = collect_missing(k, &at, piece, PIECES)) > 0) {
        snprintf(id, sizeof id, "smilog-%016" PRIx64, digest_of(piece, n));
        rc = smi_ledger_send(to->ledger, server->shard, id, NULL, 0, err);
        rc = rc ? rc : smi_ch_insert(server, sql, id, piece, n, err);
        if (rc && server->answer.reached && !server->answer.status) {
            smi_ch_sleep(server->patience.settle_ms);
            (void)smi_ch_wait_for_query(server, id,
                                        NULL); /* if it cannot be asked, the next question tells */
        }
        if (!rc)
            rc = smi_ledger_end(to->ledger, id, false, err); /* the rows themselves say that they are there */
    }
    return rc;
}

bool smi_ch_keyed_may_retry(const struct smi_ch_keyed_to *to, const struct smi_err *err, int64_t until)
{
    if (err->code != SMI_EIO || !smi_ch_may_retry(to->server) || smi_clock_now_ms() >= until)
        return false;
    smi_ch_sleep(to->server->patience.pause_ms);
    return true;
}
