#include "export/clickhouse_fetch.h"

#include "export/clickhouse_pushdown.h"
#include "export/clickhouse_store.h"

#include <inttypes.h>
#include <stdio.h>

enum { PAGE = 64 /* runs whose partials are asked for at once */ };

static bool is_named(const struct smi_buf *names, const char *name)
{
    for (size_t at = 0; at < names->n; at += strlen(names->p + at) + 1)
        if (strcmp(names->p + at, name) == 0)
            return true;
    return false;
}

/* Keeps the runs that are there, and that have one of the names. Returns how many are left out by
 * their name. */
static size_t choose_runs(struct smi_ch_runs *runs, const struct smi_buf *names)
{
    size_t n = 0, left = 0;
    for (size_t i = 0; i < runs->n; i++) {
        bool wanted = !names || is_named(names, runs->list[i].name);
        if (runs->list[i].removed)
            continue;
        if (wanted)
            runs->list[n++] = runs->list[i];
        else
            left++;
    }
    runs->n = n;
    return left;
}

/* The partials of n runs. */
static int read_page(struct smi_merge_queue *p, struct smi_ch_server *server,
                     const struct smi_ch_run_row *list, size_t n, struct smi_err *err)
{
    struct smi_buf sql = {0};
    struct smi_ch_rows r;
    char where[300];
    int rc;
    snprintf(where, sizeof where, "%.200s:%d", server->to.host, server->to.port);
    smi_buf_fmt(&sql, "SELECT partial FROM %s.runs_local WHERE run IN (", server->place->database);
    for (size_t i = 0; i < n; i++)
        smi_buf_fmt(&sql, "%s%" PRIu64, i ? "," : "", list[i].run);
    smi_buf_str(&sql, ") AND (run, version) IN (");
    for (size_t i = 0; i < n; i++)
        smi_buf_fmt(&sql, "%s(%" PRIu64 ",%" PRIu64 ")", i ? "," : "", list[i].run, list[i].version);
    smi_buf_str(&sql, ") ORDER BY run LIMIT 1 BY run FORMAT RowBinary");
    rc = smi_ch_ask_all(server, &sql, err);
    smi_buf_fini(&sql);
    if (rc)
        return rc;
    r = smi_ch_rows(server);
    for (; r.n && n; n--) {
        struct smi_text t = smi_ch_read_text(&r);
        if (r.bad)
            break;
        if (smi_merge_queue_add(p, t.p, t.n - (t.n && t.p[t.n - 1] == '\n'), where, p->n + 1, err))
            return -1;
    }
    return n || r.n || r.bad ? smi_ch_bad_answer(server, err) : 0;
}

/* names: or NULL, all runs. */
static int fetch_runs(struct smi_merge_queue *p, struct smi_ch_store *s, const struct smi_buf *names,
                      size_t *left, struct smi_err *err)
{
    const size_t before = p->n;
    struct smi_ch_runs runs = {0};
    int rc = smi_ch_runs_read(&runs, s, err);
    *left = rc ? 0 : choose_runs(&runs, names);
    for (size_t k = 0; k < runs.n && !rc; k += PAGE)
        rc = read_page(p, &s->server, &runs.list[k], runs.n - k < PAGE ? runs.n - k : PAGE, err);
    smi_ch_runs_fini(&runs);
    if (rc)
        return -1;
    if (p->n > before)
        return 0;
    if (*left) /* without any run the sweep would seem empty */
        return fetch_runs(p, s, NULL, left, err);
    return smi_err_set(err, SMI_EFORMAT, "no run of smilog is in the database %s of ClickHouse %.100s:%d",
                       s->place.database, s->place.host, s->place.port);
}

int smi_ch_fetch(struct smi_merge_queue *p, const char *where, const struct smi_query *asked, size_t *left,
                 struct smi_err *err)
{
    struct smi_ch_store s;
    struct smi_buf names = {0};
    int rc = smi_ch_store_open(&s, where, NULL, &smi_ch_patience, err);
    if (!rc)
        rc = fetch_runs(p, &s, asked && smi_ch_push_down(&names, asked) ? &names : NULL, left, err);
    smi_buf_fini(&names);
    smi_ch_store_close(&s);
    return rc;
}
