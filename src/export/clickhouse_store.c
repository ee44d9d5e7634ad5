#include "export/clickhouse_store.h"

#include "base/file.h"
#include "base/mem.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PASSWORD = 4096 };

static int read_password(const char *path, char **password, struct smi_err *err)
{
    char text[PASSWORD];
    struct smi_file_info info;
    int fd = smi_file_open(AT_FDCWD, path, true, &info, err);
    ssize_t n = fd < 0 ? -1 : smi_file_read(fd, text, sizeof text, path, err);
    if (fd > 0)
        close(fd);
    if (n < 0)
        return -1;
    if (n == PASSWORD)
        return smi_err_set(err, SMI_EUSAGE, "%.300s: that is no password", path);
    for (ssize_t i = 0; i < n; i++)
        if (text[i] == '\n' || text[i] == '\r')
            n = i;
    *password = smi_mem_text(text, (size_t)n);
    memset(text, 0, sizeof text);
    return *password ? 0 : smi_err_nomem(err);
}

int smi_ch_password(const char *password_file, char **password, struct smi_err *err)
{
    const char *word = getenv("SMILOG_CLICKHOUSE_PASSWORD"),
               *path = getenv("SMILOG_CLICKHOUSE_PASSWORD_FILE");
    *password = NULL;
    if (password_file)
        return read_password(password_file, password, err);
    if (word && !(*password = smi_mem_text(word, strlen(word))))
        return smi_err_nomem(err);
    return word || !path || !*path ? 0 : read_password(path, password, err);
}

/* ---- what tables there are ---- */

static int foreign_table(const struct smi_ch_server *s, const char *table, const char *what,
                         struct smi_err *err)
{
    return smi_err_set(err, SMI_EFORMAT, "ClickHouse %.100s:%d: %s.%s is not as this smilog makes it: %.200s",
                       s->to.host, s->to.port, s->place->database, table, what);
}

/* A column of a table. seen: of clickhouse_columns.def. */
static int read_table_columns(struct smi_ch_store *s, struct smi_text table, struct smi_text name,
                              struct smi_text type, bool seen[SMI_CH_COLUMNS], struct smi_err *err)
{
    struct smi_ch_server *server = &s->server;
    int t = smi_text_is(table, "runs_local")    ? SMI_CH_RUNS
            : smi_text_is(table, "marks_local") ? SMI_CH_MARKS
                                                : SMI_CH_SAMPLES;
    int m = smi_ch_metric_of(name);
    const char *want = NULL;
    char what[200], local[SMI_CH_NAME];
    s->tables[t] = true;
    for (size_t i = 0; i < SMI_CH_COLUMNS && !want; i++)
        if (smi_ch_columns[i].table == (enum smi_ch_table)t && smi_text_is(name, smi_ch_columns[i].name)) {
            want = smi_ch_type(smi_ch_columns[i].kind, server->dialect);
            seen[i] = true;
        }
    if (!want && t == SMI_CH_SAMPLES && m >= 0) {
        want = smi_ch_type(SMI_CH_METRIC, server->dialect);
        s->metric[m] = true;
    }
    if (!want || smi_text_is(type, want)) /* other columns are somebody's own */
        return 0;
    snprintf(what, sizeof what, "the column %.*s is %.*s, and should be %s", (int)(name.n < 60 ? name.n : 60),
             name.p, (int)(type.n < 60 ? type.n : 60), type.p, want);
    snprintf(local, sizeof local, "%s_local", smi_ch_table_name((enum smi_ch_table)t));
    return foreign_table(server, local, what, err);
}

static int check_tables(const struct smi_ch_store *s, const bool seen[SMI_CH_COLUMNS], struct smi_err *err)
{
    char table[SMI_CH_NAME], what[100];
    for (size_t i = 0; i < SMI_CH_COLUMNS; i++) {
        const struct smi_ch_column *c = &smi_ch_columns[i];
        if (c->table >= SMI_CH_OWN || !s->tables[c->table] || seen[i] ||
            !*smi_ch_type(c->kind, s->server.dialect))
            continue;
        snprintf(table, sizeof table, "%s_local", smi_ch_table_name(c->table));
        snprintf(what, sizeof what, "it has no column %s", c->name);
        return foreign_table(&s->server, table, what, err);
    }
    return 0;
}

static int read_tables(struct smi_ch_store *s, struct smi_err *err)
{
    struct smi_ch_server *server = &s->server;
    bool seen[SMI_CH_COLUMNS] = {false};
    struct smi_ch_rows r;
    int rc = smi_ch_ask(
        server, err,
        "SELECT table, name, type FROM system.columns WHERE database = '%s' AND table IN ('samples_local', "
        "'runs_local', 'marks_local') FORMAT RowBinary",
        server->place->database);
    r = smi_ch_rows(server);
    while (!rc && r.n) {
        struct smi_text table = smi_ch_read_text(&r), name = smi_ch_read_text(&r),
                        type = smi_ch_read_text(&r);
        rc = r.bad ? smi_ch_bad_answer(server, err) : read_table_columns(s, table, name, type, seen, err);
    }
    return rc ? rc : check_tables(s, seen, err);
}

int smi_ch_store_open(struct smi_ch_store *s, const char *url, const char *password_file,
                      const struct smi_ch_patience *patience, struct smi_err *err)
{
    memset(s, 0, sizeof *s);
    if (smi_ch_url_parse(&s->place, url, err) || smi_ch_password(password_file, &s->password, err))
        return -1;
    return smi_ch_server_open(&s->server, &s->place, s->password, patience, err) || read_tables(s, err) ? -1
                                                                                                        : 0;
}

void smi_ch_store_close(struct smi_ch_store *s)
{
    smi_ch_server_close(&s->server);
    if (s->password)
        memset(s->password, 0, strlen(s->password));
    smi_mem_free(s->password);
    memset(s, 0, sizeof *s);
}

int smi_ch_store_make(struct smi_ch_store *s, struct smi_err *err)
{
    struct smi_buf ddl = {0};
    int rc;
    for (int t = 0; t < SMI_CH_OWN; t++)
        smi_ch_ddl(&ddl, (enum smi_ch_table)t, s->server.dialect, s->place.database);
    rc = smi_ch_ask_all(&s->server, &ddl, err) || read_tables(s, err) ? -1 : 0;
    smi_buf_fini(&ddl);
    return rc;
}

/* Which of these metrics samples_local has no column of. Returns whether there is any. */
static bool find_lacking(const struct smi_ch_store *s, const bool metric[SMI_METRIC_COUNT],
                         bool lacks[SMI_METRIC_COUNT])
{
    bool some = false;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        some |= lacks[m] = metric[m] && !s->metric[m];
    return some;
}

/* One statement for all columns: each costs a server as much. Somebody else may do the same: then they are
 * there, and that is all that is wanted. */
int smi_ch_store_widen(struct smi_ch_store *s, const bool metric[SMI_METRIC_COUNT], struct smi_err *err)
{
    bool lacks[SMI_METRIC_COUNT];
    struct smi_buf sql = {0};
    struct smi_err own = {0};
    int rc;
    if (!find_lacking(s, metric, lacks))
        return 0;
    smi_ch_ddl_metrics(&sql, s->server.dialect, s->place.database, lacks);
    rc = smi_ch_ask_all(&s->server, &sql, &own);
    smi_buf_fini(&sql);
    if (read_tables(s, err))
        return -1;
    return rc && find_lacking(s, metric, lacks) ? smi_err_set(err, own.code, "%s", own.text) : 0;
}

void smi_ch_store_ddl(const struct smi_ch_store *s, const bool metric[SMI_METRIC_COUNT], struct smi_buf *to)
{
    bool lacks[SMI_METRIC_COUNT], all = true;
    for (int t = 0; t < SMI_CH_OWN; t++)
        all &= s->tables[t];
    for (int t = 0; t < SMI_CH_OWN && !all; t++)
        smi_ch_ddl(to, (enum smi_ch_table)t, s->server.dialect, s->place.database);
    if (find_lacking(s, metric, lacks))
        smi_ch_ddl_metrics(to, s->server.dialect, s->place.database, lacks);
}

/* ---- what runs there are ---- */

static int compare_runs(const void *x, const void *y)
{
    uint64_t a = ((const struct smi_ch_run_row *)x)->run, b = ((const struct smi_ch_run_row *)y)->run;
    return (a > b) - (a < b);
}

static const char *read_word(struct smi_ch_runs *runs, struct smi_ch_rows *r)
{
    struct smi_text t = smi_ch_read_text(r);
    return smi_arena_text(&runs->arena, t.p, t.n);
}

static int read_run(struct smi_ch_runs *runs, struct smi_ch_rows *r, struct smi_err *err)
{
    struct smi_ch_run_row *row;
    if (smi_mem_reserve(&runs->list, &runs->cap, runs->n + 1, sizeof *runs->list))
        return smi_err_nomem(err);
    row = &runs->list[runs->n++];
    row->run = smi_ch_read_int(r, 8);
    row->version = smi_ch_read_int(r, 8);
    row->digest = smi_ch_read_int(r, 8);
    row->samples = smi_ch_read_int(r, 8);
    row->marks = smi_ch_read_int(r, 8);
    row->removed = smi_text_is(smi_ch_read_text(r), "removed");
    row->name = read_word(runs, r);
    row->place = read_word(runs, r);
    row->leaf = read_word(runs, r);
    row->host = read_word(runs, r);
    return row->name && row->place && row->leaf && row->host ? 0 : smi_err_nomem(err);
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
        if (read_run(runs, &r, err))
            return -1;
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
