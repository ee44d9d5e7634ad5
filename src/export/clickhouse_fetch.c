#include "export/clickhouse_fetch.h"

#include "base/mem.h"
#include "export/clickhouse_pushdown.h"
#include "export/clickhouse_store.h"

#include <stdio.h>

enum {
    PAGE = 64 /* runs whose partials are asked for at once */,
    SOME = 4000 /* that are named in a question */
};

/* A run, by its newest rows. */
struct one {
    uint64_t run, version;   /* version: of the newest row that is loaded; 0: there is none */
    uint64_t samples, there; /* rows that it should have, and has */
    const char *name;
    bool loading;
    bool wanted;
};

struct all {
    struct smi_arena arena;
    struct one *list;
    size_t n, cap;
};

static int add_document(struct all *a, uint64_t run, struct smi_text name, struct smi_err *err)
{
    struct one *o;
    if (smi_mem_reserve(&a->list, &a->cap, a->n + 1, sizeof *a->list))
        return smi_err_nomem(err);
    o = &a->list[a->n++];
    *o = (struct one){.run = run, .wanted = true, .name = smi_arena_text(&a->arena, name.p, name.n)};
    return o->name ? 0 : smi_err_nomem(err);
}

/* The rows of runs, newest first. */
static int list_runs(struct all *a, struct smi_ch_shard *s, struct smi_err *err)
{
    struct smi_ch_rows r;
    char sql[300];
    uint64_t last = 0;
    bool some = false, removed = false;
    if (!s->tables[SMI_CH_RUNS])
        return 0;
    snprintf(sql, sizeof sql,
             "SELECT run, version, samples, state, name FROM %s.runs_local "
             "ORDER BY run, version DESC FORMAT RowBinary",
             s->server.place->database);
    if (smi_ch_run_sql_retry(&s->server, sql, err))
        return -1;
    r = smi_ch_rows(&s->server);
    while (r.n) {
        uint64_t run = smi_ch_read_int(&r, 8), version = smi_ch_read_int(&r, 8),
                 samples = smi_ch_read_int(&r, 8);
        struct smi_text state = smi_ch_read_text(&r), name = smi_ch_read_text(&r);
        bool first = !some || last != run;
        if (r.bad)
            return smi_ch_bad_answer(&s->server, err);
        some = true;
        last = run;
        if (first) {
            removed = smi_text_is(state, "removed");
            if (!removed && add_document(a, run, name, err))
                return -1;
            if (!removed)
                a->list[a->n - 1].loading = smi_text_is(state, "loading");
        }
        if (!removed && smi_text_is(state, "loaded") && !a->list[a->n - 1].version) {
            a->list[a->n - 1].version = version;
            a->list[a->n - 1].samples = samples;
        }
    }
    return 0;
}

/* Asks which of them from `from` on, sorted by run, are wanted. */
static int select_runs(struct all *a, size_t from, struct smi_ch_shard *s, const struct smi_buf *narrow,
                       struct smi_err *err)
{
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    size_t k = from;
    int rc;
    if (from == a->n)
        return 0;
    smi_buf_fmt(&sql, "SELECT DISTINCT run FROM %s.runs_local WHERE %s ORDER BY run FORMAT RowBinary",
                s->server.place->database, narrow->p);
    rc = sql.failed ? smi_err_nomem(err) : smi_ch_run_sql_retry(&s->server, sql.p, err);
    smi_buf_fini(&sql);
    r = smi_ch_rows(&s->server);
    for (size_t i = from; i < a->n && !rc; i++)
        a->list[i].wanted = false;
    while (!rc && r.n) {
        uint64_t run = smi_ch_read_int(&r, 8);
        while (k < a->n && a->list[k].run < run)
            k++;
        if (k < a->n && a->list[k].run == run)
            a->list[k].wanted = true;
    }
    return !rc && r.bad ? smi_ch_bad_answer(&s->server, err) : rc;
}

/* Takes those out that are not wanted, but leaves one: who gets none would think that there is none. */
static size_t count_left_runs(struct all *a, size_t *end, size_t shards)
{
    size_t n = 0, from = 0, all = a->n;
    bool some = false;
    for (size_t k = 0; k < a->n; k++)
        some |= a->list[k].wanted;
    if (a->n)
        a->list[0].wanted |= !some;
    for (size_t i = 0; i < shards; i++) {
        for (size_t k = from; k < end[i]; k++)
            if (a->list[k].wanted)
                a->list[n++] = a->list[k];
        from = end[i];
        end[i] = n;
    }
    a->n = n;
    return all - n;
}

/* The partials of n runs. */
static int read_page(struct smi_merge_queue *p, struct smi_ch_shard *s, const struct one *list, size_t n,
                     struct smi_err *err)
{
    struct smi_ch_server *server = &s->server;
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    char where[300];
    size_t wanted = 0;
    int rc;
    snprintf(where, sizeof where, "%.200s:%d", server->to.host, server->to.port);
    smi_buf_fmt(&sql, "SELECT partial FROM %s.runs_local WHERE run IN (", server->place->database);
    for (size_t i = 0; i < n; i++)
        smi_buf_fmt(&sql, "%s%llu", i ? "," : "", (unsigned long long)list[i].run);
    smi_buf_str(&sql, ") AND (run, version) IN (");
    for (size_t i = 0; i < n; i++)
        if (list[i].version)
            smi_buf_fmt(&sql, "%s(%llu,%llu)", wanted++ ? "," : "", (unsigned long long)list[i].run,
                        (unsigned long long)list[i].version);
    smi_buf_str(&sql, ") ORDER BY run LIMIT 1 BY run FORMAT RowBinary");
    rc = sql.failed ? smi_err_nomem(err) : wanted ? smi_ch_run_sql_retry(server, sql.p, err) : 0;
    smi_buf_fini(&sql);
    if (rc || !wanted)
        return rc;
    r = smi_ch_rows(server);
    for (; r.n && wanted; wanted--) {
        struct smi_text t = smi_ch_read_text(&r);
        if (r.bad || smi_merge_queue_add(p, t.p, t.n - (t.n && t.p[t.n - 1] == '\n'), where, p->n + 1, err))
            return r.bad ? smi_ch_bad_answer(server, err) : -1;
    }
    return wanted || r.n ? smi_ch_bad_answer(server, err) : 0;
}

/* Counts the rows of n runs, sorted by run: two exports that stored one at the same time have stored them
 * twice. */
static int count_samples(struct smi_ch_shard *s, struct one *list, size_t n, struct smi_err *err)
{
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    size_t k = 0;
    int rc;
    if (!n || !s->tables[SMI_CH_SAMPLES])
        return 0;
    smi_buf_fmt(&sql, "SELECT run, count() FROM %s.samples_local WHERE run BETWEEN %llu AND %llu",
                s->server.place->database, (unsigned long long)list[0].run,
                (unsigned long long)list[n - 1].run);
    for (size_t i = 0; i < n && n <= SOME; i++)
        smi_buf_fmt(&sql, "%s%llu", i ? "," : " AND run IN (", (unsigned long long)list[i].run);
    smi_buf_fmt(&sql, "%s GROUP BY run ORDER BY run FORMAT RowBinary", n <= SOME ? ")" : "");
    rc = sql.failed ? smi_err_nomem(err) : smi_ch_run_sql_retry(&s->server, sql.p, err);
    smi_buf_fini(&sql);
    r = smi_ch_rows(&s->server);
    while (!rc && r.n) {
        uint64_t run = smi_ch_read_int(&r, 8), rows = smi_ch_read_int(&r, 8);
        while (k < n && list[k].run < run)
            k++;
        if (k < n && list[k].run == run)
            list[k].there = rows;
    }
    return !rc && r.bad ? smi_ch_bad_answer(&s->server, err) : rc;
}

/* A partial that has nothing but the doubt. */
static int warn_incomplete_run(struct smi_merge_queue *p, const struct one *o, struct smi_err *err)
{
    char rows[200];
    const char *doubt =
        o->version ? "not all its new rows are in the store: export it again; this is what was there "
                     "before"
                   : "not all its rows are in the store: export it again";
    static const struct smi_options plain = {.idle_below = 1000000};
    struct smi_options same = plain;
    struct smi_run run = {.name = NULL};
    struct smi_buf text = {0};
    int rc;
    if (!o->loading) {
        snprintf(rows, sizeof rows,
                 "the store has %llu rows of it, and should have %llu: its figures are those of its "
                 "logs, its rows are not (export --replace)",
                 (unsigned long long)o->there, (unsigned long long)o->samples);
        doubt = rows;
    }
    same.idle_below = p->has_idle ? p->idle_below : plain.idle_below;
    run.name = smi_mem_text(o->name, strlen(o->name));
    rc = !run.name ? smi_err_nomem(err) : smi_run_add_warning(&run, NULL, doubt, false, err);
    if (!rc)
        rc = smi_run_add_problem(&run, err, "%s", run.doubt[0].text);
    rc = rc ? rc : smi_partial_write(&text, &run, &same, err);
    rc = rc ? rc : smi_merge_queue_add(p, text.p, text.n - 1, o->name, 1, err);
    smi_run_fini(&run);
    smi_buf_fini(&text);
    return rc;
}

static int fetch_shard(struct smi_ch_store *s, struct all *a, struct smi_merge_queue *p,
                       const struct smi_buf *narrow, size_t *left, struct smi_err *err)
{
    size_t end[SMI_CH_SHARDS];
    for (size_t i = 0; i < s->place.hosts; i++) {
        size_t from = a->n;
        if (list_runs(a, &s->shard[i], err) || (narrow->n && select_runs(a, from, &s->shard[i], narrow, err)))
            return -1;
        end[i] = a->n;
    }
    *left = count_left_runs(a, end, s->place.hosts);
    for (size_t i = 0; i < s->place.hosts; i++)
        for (size_t k = i ? end[i - 1] : 0; k < end[i]; k += PAGE)
            if (read_page(p, &s->shard[i], &a->list[k], end[i] - k < PAGE ? end[i] - k : PAGE, err))
                return -1;
    for (size_t i = 0; i < s->place.hosts && a->n; i++)
        if (count_samples(&s->shard[i], &a->list[i ? end[i - 1] : 0], end[i] - (i ? end[i - 1] : 0), err))
            return -1;
    for (size_t k = 0; k < a->n; k++)
        if ((a->list[k].loading || a->list[k].there != a->list[k].samples) &&
            warn_incomplete_run(p, &a->list[k], err))
            return -1;
    return a->n ? 0
                : smi_err_set(err, SMI_EFORMAT,
                              "no run of smilog is in the database %s of ClickHouse %.100s:%d",
                              s->place.database, s->place.host[0].name, s->place.host[0].port);
}

int smi_ch_fetch(struct smi_merge_queue *p, const char *where, const struct smi_query *asked, size_t *left,
                 struct smi_err *err)
{
    struct smi_ch_store s;
    struct smi_buf narrow = {0};
    struct all a = {0};
    int rc = smi_ch_store_open(&s, where, NULL, &smi_ch_patience, err);
    rc = rc ? rc : smi_ch_store_check_shards(&s, err);
    if (!rc && asked && !smi_ch_push_down(&narrow, asked))
        smi_buf_clear(&narrow);
    rc = rc ? rc : narrow.failed ? smi_err_nomem(err) : fetch_shard(&s, &a, p, &narrow, left, err);
    smi_buf_fini(&narrow);
    smi_mem_free(a.list);
    smi_arena_fini(&a.arena);
    smi_ch_store_close(&s);
    return rc;
}
