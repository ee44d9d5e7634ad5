/* clickhouse_store.c - the tables of smilog in ClickHouse, and what is read from them. */
#include "export/clickhouse.h"
#include "base/file.h"
#include "base/mem.h"

#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

/* The columns of a table and what follows them, with types that every server from 18.16 on knows. Behind
 * those of samples_local there is one for each metric that some log had: hundreds more would be files of each
 * part, which inserts, merges and deletions write again. A granule is what a server reads at least: a partial
 * has a hundred kilobytes. samples: gpu is an index, -1 for the machine, -2 for rows of GPUs that cannot be
 * told apart; time is in UTC where utc is 1, ms its milliseconds, and there is none where timed is 0; row is
 * its place in the input. runs: run is a sum over place and leaf; the row with the largest version counts;
 * state is loaded or removed; digest is over the logs, summary and partial. marks: of a phase, t_us is its
 * end. */
static const struct {
    const char *name, *columns, *engine;
} tables[SMI_CH_OWN] = {
    [SMI_CH_SAMPLES] =
        {"samples_local",
         "run UInt64, gpu Int32, time DateTime('UTC'), ms UInt16, timed UInt8, utc UInt8, uuid String, row "
         "UInt64, input String, version UInt64",
         "ORDER BY (run, gpu, time, input, row) SETTINGS index_granularity = 8192"},
    [SMI_CH_RUNS] =
        {"runs_local",
         "run UInt64, version UInt64, name String, place String, leaf String, host String, state String, "
         "loaded DateTime('UTC'), smilog String, samples UInt64, marks UInt64, digest UInt64, summary "
         "String, "
         "partial String",
         "ORDER BY run SETTINGS index_granularity = 16"},
    [SMI_CH_MARKS] =
        {"marks_local",
         "run UInt64, input String, mark UInt64, kind String, name String, t_us Int64, span_us Int64, data "
         "String, extra String, version UInt64",
         "ORDER BY (run, input, mark) SETTINGS index_granularity = 8192"},
};
static const char metric_type[] = "Nullable(Decimal(18, 6))";

const char *smi_ch_table_name(enum smi_ch_table t)
{
    return tables[t].name;
}

/* Its key, dots as underscores, as a dot means something else to ClickHouse. */
void smi_ch_metric_column(char to[SMI_CH_NAME], unsigned metric)
{
    snprintf(to, SMI_CH_NAME, "%s", smi_metrics[metric].key);
    for (char *p = to; (p = strchr(p, '.')); p++)
        *p = '_';
}

int smi_ch_store_look(struct smi_ch_store *s, const bool *wanted, struct smi_err *err)
{
    const char *database = s->place.database, *column, *end;
    struct smi_buf have = {0}, want = {0}, add = {0};
    char metric[SMI_CH_NAME];
    int rc = smi_ch_ask(
        &s->server, err,
        "SELECT concat(table, '.', name, ' ', type) FROM system.columns WHERE database = '%s' AND table "
        "IN ('samples_local', 'runs_local', 'marks_local') FORMAT TabSeparatedRaw",
        database);
    smi_buf_fmt(&have, "\n%s", rc ? "" : s->server.answer.p);
    smi_buf_clear(&s->ddl);
    for (int t = 0; !rc && t < SMI_CH_OWN; t++) {
        smi_buf_clear(&want);
        smi_buf_fmt(&want, "\n%s.", tables[t].name);
        s->tables[t] = strstr(have.p, want.p) != NULL;
        for (column = tables[t].columns; s->tables[t] && !rc && *column; column = *end ? end + 2 : end) {
            end = strstr(column, ", ");
            end = end ? end : column + strlen(column);
            smi_buf_clear(&want);
            smi_buf_fmt(&want, "\n%s.%.*s\n", tables[t].name, (int)(end - column), column);
            if (!strstr(have.p, want.p))
                rc = smi_err_set(
                    err, SMI_EFORMAT,
                    "ClickHouse %.100s:%d: %s.%s is not as this smilog makes it: it lacks the column %.*s",
                    s->place.host, s->place.port, database, tables[t].name, (int)(end - column), column);
        }
        smi_buf_clear(&add);
        for (unsigned m = 0; t == SMI_CH_SAMPLES && m < SMI_METRIC_COUNT; m++) {
            smi_ch_metric_column(metric, m);
            smi_buf_clear(&want);
            smi_buf_fmt(&want, "\n%s.%s %s\n", tables[t].name, metric, metric_type);
            s->metric[m] = strstr(have.p, want.p) != NULL;
            if (wanted && wanted[m] && !s->metric[m])
                smi_buf_fmt(&add, "%s%s%s %s", add.n || !s->tables[t] ? ", " : "",
                            s->tables[t] ? "ADD COLUMN " : "", metric, metric_type);
        }
        if (!s->tables[t])
            smi_buf_fmt(&s->ddl,
                        "CREATE TABLE IF NOT EXISTS %s.%s (%s%s) ENGINE = ReplacingMergeTree(version) %s",
                        database, tables[t].name, tables[t].columns, add.n ? add.p : "", tables[t].engine);
        else if (add.n)
            smi_buf_fmt(&s->ddl, "ALTER TABLE %s.%s %s", database, tables[t].name, add.p);
        if (!s->tables[t] || add.n)
            smi_buf_add(&s->ddl, "", 1);
    }
    smi_buf_fini(&have);
    smi_buf_fini(&want);
    smi_buf_fini(&add);
    return rc;
}

int smi_ch_store_open(struct smi_ch_store *s, const char *url, const char *password_file,
                      const struct smi_ch_patience *patience, struct smi_err *err)
{
    memset(s, 0, sizeof *s);
    return smi_ch_url_parse(&s->place, url, err) || smi_ch_password(password_file, &s->password, err) ||
                   smi_ch_server_open(&s->server, &s->place, s->password, patience, err) ||
                   smi_ch_store_look(s, NULL, err)
               ? -1
               : 0;
}

void smi_ch_store_close(struct smi_ch_store *s)
{
    smi_ch_server_close(&s->server);
    smi_buf_fini(&s->ddl);
    if (s->password)
        memset(s->password, 0, strlen(s->password));
    smi_mem_free(s->password);
    memset(s, 0, sizeof *s);
}

/* Somebody else may do the same: then all is there, and that is all that is wanted. */
int smi_ch_store_make(struct smi_ch_store *s, const bool *wanted, struct smi_err *err)
{
    struct smi_err own = {0};
    int rc;
    if (smi_ch_store_look(s, wanted, err))
        return -1;
    rc = smi_ch_ask_all(&s->server, &s->ddl, &own);
    if (s->ddl.n && smi_ch_store_look(s, wanted, err))
        return -1;
    return rc && s->ddl.n ? smi_err_set(err, own.code, "%s", own.text) : 0;
}

enum { PAGE = 64 /* runs whose partials are asked for at once */ };

/* Keeps the runs that are there, and that have one of the names. Returns how many are left out by
 * their name. */
static size_t choose_runs(struct smi_ch_runs *runs, const struct smi_buf *names)
{
    size_t n = 0, left = 0;
    for (size_t i = 0; i < runs->n; i++) {
        bool wanted = !names;
        if (runs->list[i].removed)
            continue;
        for (size_t at = 0; !wanted && at < names->n; at += strlen(names->p + at) + 1)
            wanted = strcmp(names->p + at, runs->list[i].name) == 0;
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
    snprintf(where, sizeof where, "%.200s:%d", server->place->host, server->place->port);
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

/* Texts without quotes in them and of ASCII alone: other names may be printed in another way than they are
 * stored. */
#define BLANKS "[ \t\r\n]*"
#define NAME BLANKS "'[^']*'" BLANKS
static const char by_name[] =
    "^" BLANKS "run(" BLANKS "==?" NAME "|[ \t\r\n]+in" BLANKS "\\(" NAME "(," NAME ")*\\)" BLANKS ")$";

bool smi_ch_push_down(struct smi_buf *names, const struct smi_query *q)
{
    regex_t re;
    bool is;
    /* what other columns there are depends on all runs */
    if (!q->where || q->sql || q->join || q->sort || q->group_by || q->columns)
        return false;
    for (const char *c = q->where; *c; c++)
        if ((unsigned char)*c > 127)
            return false;
    if (regcomp(&re, by_name, REG_EXTENDED | REG_ICASE | REG_NOSUB))
        smi_mem_exhausted();
    is = regexec(&re, q->where, 0, NULL, 0) == 0;
    regfree(&re);
    for (const char *p = strchr(q->where, '\''); is && p; p = strchr(p, '\'')) {
        size_t n = strcspn(++p, "'");
        smi_buf_add(names, p, n);
        smi_buf_add(names, "", 1);
        p += n + 1;
    }
    return is;
}

enum { PASSWORD = 4096 };

static int read_password(const char *path, char **password, struct smi_err *err)
{
    struct smi_buf text = {0};
    int rc = smi_file_read_all(&text, path, PASSWORD, err);
    if (!rc && text.n > PASSWORD)
        rc = smi_err_set(err, SMI_EUSAGE, "%.300s: that is no password", path);
    if (!rc)
        *password = smi_mem_text(text.n ? text.p : "", text.n ? strcspn(text.p, "\r\n") : 0);
    if (text.n)
        memset(text.p, 0, text.n);
    smi_buf_fini(&text);
    return rc;
}

int smi_ch_password(const char *password_file, char **password, struct smi_err *err)
{
    const char *word = getenv("SMILOG_CLICKHOUSE_PASSWORD"),
               *path = getenv("SMILOG_CLICKHOUSE_PASSWORD_FILE");
    *password = NULL;
    if (password_file)
        return read_password(password_file, password, err);
    if (word)
        *password = smi_mem_text(word, strlen(word));
    return word || !path || !*path ? 0 : read_password(path, password, err);
}

/* ---- what runs there are ---- */

static int compare_runs(const void *x, const void *y)
{
    uint64_t a = ((const struct smi_ch_run_row *)x)->run, b = ((const struct smi_ch_run_row *)y)->run;
    return (a > b) - (a < b);
}

static void read_run(struct smi_ch_runs *runs, struct smi_ch_rows *r)
{
    struct smi_ch_run_row *row;
    smi_mem_reserve(&runs->list, &runs->cap, runs->n + 1, sizeof *runs->list);
    row = &runs->list[runs->n++];
    uint64_t *const numbers[] = {&row->run, &row->version, &row->digest, &row->samples, &row->marks};
    const char **const words[] = {&row->name, &row->place, &row->leaf, &row->host};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = smi_ch_read_int(r, 8);
    row->removed = smi_text_is(smi_ch_read_text(r), "removed");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct smi_text t = smi_ch_read_text(r);
        *words[i] = smi_arena_text(&runs->arena, t.p, t.n);
    }
}

int smi_ch_runs_read(struct smi_ch_runs *runs, struct smi_ch_store *s, struct smi_err *err)
{
    struct smi_ch_rows r;
    if (!s->tables[SMI_CH_RUNS])
        return 0;
    if (smi_ch_ask(
            &s->server, err,
            "SELECT run, version, digest, samples, marks, state, name, place, leaf, host FROM %s.runs_local "
            "ORDER BY run, version DESC LIMIT 1 BY run FORMAT RowBinary",
            s->place.database))
        return -1;
    r = smi_ch_rows(&s->server);
    while (r.n)
        read_run(runs, &r);
    smi_sort(runs->list, runs->n, sizeof *runs->list, compare_runs);
    return r.bad ? smi_ch_bad_answer(&s->server, err) : 0;
}

const struct smi_ch_run_row *smi_ch_runs_find(const struct smi_ch_runs *runs, uint64_t run)
{
    const struct smi_ch_run_row key = {.run = run};
    return runs->n ? bsearch(&key, runs->list, runs->n, sizeof key, compare_runs) : NULL;
}

void smi_ch_runs_fini(struct smi_ch_runs *runs)
{
    smi_mem_free(runs->list);
    smi_arena_fini(&runs->arena);
    memset(runs, 0, sizeof *runs);
}
