#include "export/clickhouse_stored_runs.h"

#include <stdio.h>
#include <stdlib.h>

static int compare_runs(const void *x, const void *y)
{
    uint64_t a = ((const struct smi_ch_stored_run *)x)->run, b = ((const struct smi_ch_stored_run *)y)->run;
    return (a > b) - (a < b);
}

static const char *read_word(struct smi_ch_stored_runs *k, struct smi_ch_rows *r)
{
    struct smi_text t = smi_ch_read_text(r);
    return smi_arena_text(&k->arena, t.p, t.n);
}

static int read_run(struct smi_ch_stored_runs *k, struct smi_ch_rows *r, struct smi_err *err)
{
    struct smi_ch_stored_run *one;
    struct smi_text state;
    if (smi_mem_reserve(&k->list, &k->cap, k->n + 1, sizeof *k->list))
        return smi_err_nomem(err);
    one = &k->list[k->n++];
    one->marks = 0;
    one->run = smi_ch_read_int(r, 8);
    one->version = smi_ch_read_int(r, 8);
    one->sum = smi_ch_read_int(r, 8);
    one->samples = smi_ch_read_int(r, 8);
    state = smi_ch_read_text(r);
    one->loaded = smi_text_is(state, "loaded");
    one->removed = smi_text_is(state, "removed");
    one->name = read_word(k, r);
    one->place = read_word(k, r);
    one->leaf = read_word(k, r);
    one->host = read_word(k, r);
    return one->name && one->place && one->leaf && one->host ? 0 : smi_err_nomem(err);
}

void smi_ch_stored_runs_fini(struct smi_ch_stored_runs *k)
{
    smi_mem_free(k->list);
    smi_arena_fini(&k->arena);
    memset(k, 0, sizeof *k);
}

const struct smi_ch_stored_run *smi_ch_stored_run(const struct smi_ch_stored_runs *k, uint64_t run)
{
    const struct smi_ch_stored_run key = {.run = run};
    return k->n ? bsearch(&key, k->list, k->n, sizeof key, compare_runs) : NULL;
}

static int count_marks(struct smi_ch_stored_runs *k, struct smi_ch_shard *s, struct smi_err *err)
{
    struct smi_ch_rows r;
    char sql[200];
    if (!s->tables[SMI_CH_MARKS])
        return 0;
    snprintf(sql, sizeof sql, "SELECT run, count() FROM %s.marks_local GROUP BY run FORMAT RowBinary",
             s->server.place->database);
    if (smi_ch_run_sql_retry(&s->server, sql, err))
        return -1;
    r = smi_ch_rows(&s->server);
    while (r.n) {
        uint64_t run = smi_ch_read_int(&r, 8), n = smi_ch_read_int(&r, 8);
        const struct smi_ch_stored_run *one = smi_ch_stored_run(k, run);
        if (one)
            k->list[one - k->list].marks = n;
    }
    return r.bad ? smi_ch_bad_answer(&s->server, err) : 0;
}

int smi_ch_stored_runs(struct smi_ch_stored_runs *k, struct smi_ch_shard *s, struct smi_err *err)
{
    struct smi_ch_rows r;
    char sql[300];
    k->n = 0;
    if (!s->tables[SMI_CH_RUNS])
        return 0;
    snprintf(sql, sizeof sql,
             "SELECT run, version, sum, samples, state, name, place, leaf, host FROM %s.runs_local "
             "ORDER BY run, version DESC LIMIT 1 BY run FORMAT RowBinary",
             s->server.place->database);
    if (smi_ch_run_sql_retry(&s->server, sql, err))
        return -1;
    r = smi_ch_rows(&s->server);
    while (r.n)
        if (read_run(k, &r, err))
            return -1;
    smi_sort(k->list, k->n, sizeof *k->list, compare_runs);
    return r.bad ? smi_ch_bad_answer(&s->server, err) : count_marks(k, s, err);
}

static int compare_batches(const void *x, const void *y)
{
    const struct smi_ch_stored_batch *a = x, *b = y;
    int d = strcmp(a->input, b->input);
    return d ? d : (a->first > b->first) - (a->first < b->first);
}

static int read_batch(struct smi_ch_batches *b, struct smi_ch_rows *r, struct smi_err *err)
{
    struct smi_ch_stored_batch *k;
    struct smi_text input = smi_ch_read_text(r);
    if (smi_mem_reserve(&b->list, &b->cap, b->n + 1, sizeof *b->list))
        return smi_err_nomem(err);
    k = &b->list[b->n++];
    *k = (struct smi_ch_stored_batch){.input = smi_arena_text(&b->arena, input.p, input.n)};
    k->batch = smi_ch_read_int(r, 8);
    k->first = smi_ch_read_int(r, 8);
    k->end = smi_ch_read_int(r, 8);
    k->rows = smi_ch_read_int(r, 4);
    k->there = smi_ch_read_int(r, 8);
    return k->input ? 0 : smi_err_nomem(err);
}

int smi_ch_batches(struct smi_ch_batches *b, struct smi_ch_shard *s, uint64_t run, struct smi_err *err)
{
    struct smi_ch_rows r;
    char sql[300];
    if (!s->tables[SMI_CH_SAMPLES])
        return 0;
    snprintf(
        sql, sizeof sql,
        "SELECT input, batch, first_row, end_row, batch_rows, count() FROM %s.samples_local WHERE run = %llu "
        "GROUP BY input, batch, first_row, end_row, batch_rows FORMAT RowBinary",
        s->server.place->database, (unsigned long long)run);
    if (smi_ch_run_sql_retry(&s->server, sql, err))
        return -1;
    r = smi_ch_rows(&s->server);
    while (r.n && !r.bad)
        if (read_batch(b, &r, err))
            return -1;
    smi_sort(b->list, b->n, sizeof *b->list, compare_batches);
    return r.bad ? smi_ch_bad_answer(&s->server, err) : 0;
}

void smi_ch_batches_fini(struct smi_ch_batches *b)
{
    smi_arena_fini(&b->arena);
    smi_mem_free(b->list);
    memset(b, 0, sizeof *b);
}

int smi_ch_batches_delete(const struct smi_ch_batches *b, struct smi_ch_shard *s, uint64_t run,
                          struct smi_err *err)
{
    struct smi_buf sql = {0};
    const char *comma = "";
    int rc;
    smi_buf_fmt(&sql, "ALTER TABLE %s.samples_local DELETE WHERE run = %llu AND batch IN (",
                s->server.place->database, (unsigned long long)run);
    for (size_t i = 0; i < b->n; i++)
        if (!b->list[i].met) {
            smi_buf_fmt(&sql, "%s%llu", comma, (unsigned long long)b->list[i].batch);
            comma = ",";
        }
    smi_buf_char(&sql, ')');
    rc = sql.failed ? smi_err_nomem(err) : *comma ? smi_ch_run_sql_retry(&s->server, sql.p, err) : 0;
    smi_buf_fini(&sql);
    return rc ? rc : smi_ch_wait_for_mutations(&s->server, "samples_local", err);
}
