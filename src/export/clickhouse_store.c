/* clickhouse_store.c - the tables of smilog in ClickHouse: their columns, and what is read from them. */
#include "export/clickhouse.h"
#include "base/file.h"
#include "base/mem.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SMI_CH_COLUMN(table, name, kind, help) {SMI_CH_##table, name, SMI_CH_##kind, help},
const struct smi_ch_column smi_ch_columns[SMI_CH_COLUMNS] = {
#include "export/clickhouse_columns.def"
};
#undef SMI_CH_COLUMN

/* What a table is beside its columns. A granule is what a server reads at least: a partial has a hundred
 * kilobytes. */
static const struct {
    const char *name, *engine;
    const char *kept; /* for how long the modern dialect keeps one */
    int granule;
} tables[SMI_CH_TABLES] = {
    [SMI_CH_SAMPLES] = {"samples", "ReplacingMergeTree(version) ORDER BY (run, gpu, time, input, row)", "",
                        8192},
    [SMI_CH_RUNS] = {"runs", "ReplacingMergeTree(version) ORDER BY run", "", 16},
    [SMI_CH_MARKS] = {"marks", "ReplacingMergeTree(version) ORDER BY (run, input, mark)", "", 8192},
    [SMI_CH_SERIES] = {"oss_ci_time_series",
                       "MergeTree PARTITION BY toYYYYMM(time_stamp) ORDER BY (workflow_id, job_id, repo, "
                       "workflow_name, job_name, type, time_stamp)",
                       " TTL toDate(created_at) + toIntervalYear(1)", 8192},
    [SMI_CH_METADATA] = {"oss_ci_utilization_metadata",
                         "MergeTree PARTITION BY toYYYYMM(start_at) ORDER BY (workflow_id, job_id, repo, "
                         "workflow_name, job_name, start_at)",
                         " TTL toDate(created_at) + toIntervalYear(1)", 8192},
};

const char *smi_ch_table_name(enum smi_ch_table t)
{
    return tables[t].name;
}

static const char *const types[SMI_CH_KINDS][2] = {
    [SMI_CH_U8] = {"UInt8", "UInt8"},
    [SMI_CH_U16] = {"UInt16", "UInt16"},
    [SMI_CH_U32] = {"UInt32", "UInt32"},
    [SMI_CH_I32] = {"Int32", "Int32"},
    [SMI_CH_U64] = {"UInt64", "UInt64"},
    [SMI_CH_I64] = {"Int64", "Int64"},
    [SMI_CH_TIME] = {"DateTime('UTC')", "DateTime64(3, 'UTC')"},
    [SMI_CH_MS] = {"UInt16", ""},
    [SMI_CH_SECOND] = {"DateTime('UTC')", "DateTime('UTC')"},
    [SMI_CH_WORD] = {"String", "LowCardinality(String)"},
    [SMI_CH_TEXT] = {"String", "String"},
    [SMI_CH_METRIC] = {"Nullable(Decimal(18, 6))", "Nullable(Decimal(18, 6))"},
    [SMI_CH_INSTANT] = {"DateTime('UTC')", "DateTime64(0, 'UTC')"},
    [SMI_CH_STRING] = {"String", "String"},
    [SMI_CH_DATA] = {"String DEFAULT '{}'", "String DEFAULT '{}'"},
    [SMI_CH_F32] = {"Float32", "Float32"},
    [SMI_CH_REPO] = {"String DEFAULT 'pytorch/pytorch'", "String DEFAULT 'pytorch/pytorch'"},
    [SMI_CH_GPU_TYPE] = {"String DEFAULT 'None'", "String DEFAULT 'None'"},
    [SMI_CH_TAGS] = {"Array(String)", "Array(String) DEFAULT []"},
    [SMI_CH_OLD_STRING] = {"String", ""},
    [SMI_CH_OLD_SEGMENTS] = {"String DEFAULT '[]'", ""},
    [SMI_CH_META] = {"", "Tuple(bucket String, key String)"},
    [SMI_CH_SEGMENTS] = {"", "Array(Tuple(level String, name String, start_at DateTime64(0, 'UTC'), end_at "
                             "DateTime64(0, 'UTC'), extra_info Map(String, String))) DEFAULT []"},
};

/* How the modern dialect packs a column, or "". */
static const char *column_codec(enum smi_ch_kind kind)
{
    switch (kind) {
    case SMI_CH_TIME:
        return " CODEC(DoubleDelta, LZ4)";
    case SMI_CH_METRIC:
        return " CODEC(Delta, LZ4)";
    case SMI_CH_TEXT:
        return " CODEC(ZSTD(3))";
    default:
        return "";
    }
}

int smi_ch_dialect(const char *version)
{
    int part[2] = {0, 0}, i = 0;
    const char *p = version;
    for (; i < 2; i++) {
        const char *first = p;
        while (*p >= '0' && *p <= '9' && p - first < 6)
            part[i] = part[i] * 10 + *p++ - '0';
        if (p == first || (i == 0 && *p++ != '.'))
            return -1;
    }
    return part[0] > 20 || (part[0] == 20 && part[1] >= 3) ? SMI_CH_MODERN : SMI_CH_18;
}

const char *smi_ch_type(enum smi_ch_kind kind, enum smi_ch_dialect d)
{
    return types[kind][d];
}

void smi_ch_metric_column(char to[SMI_CH_NAME], unsigned metric)
{
    snprintf(to, SMI_CH_NAME, "%s", smi_metrics[metric].key);
    for (char *p = to; (p = strchr(p, '.')); p++)
        *p = '_';
}

int smi_ch_metric_of(struct smi_text column)
{
    char name[SMI_CH_NAME];
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        smi_ch_metric_column(name, m);
        if (smi_text_is(column, name))
            return (int)m;
    }
    return -1;
}

static void end_statement(struct smi_buf *to)
{
    smi_buf_add(to, "", 1);
}

static void write_columns(struct smi_buf *to, enum smi_ch_table table, enum smi_ch_dialect d)
{
    const char *comma = "";
    for (size_t i = 0; i < SMI_CH_COLUMNS; i++) {
        const struct smi_ch_column *c = &smi_ch_columns[i];
        const char *type = smi_ch_type(c->kind, d);
        if (c->table != table || !*type)
            continue;
        smi_buf_fmt(to, "%s%s %s%s", comma, c->name, type, d == SMI_CH_MODERN ? column_codec(c->kind) : "");
        comma = ", ";
    }
}

void smi_ch_ddl(struct smi_buf *to, enum smi_ch_table t, enum smi_ch_dialect d, const char *database)
{
    const char *name = tables[t].name;
    smi_buf_fmt(to, "CREATE TABLE IF NOT EXISTS %s.%s%s (", database, name, t < SMI_CH_OWN ? "_local" : "");
    write_columns(to, t, d);
    smi_buf_fmt(to, ") ENGINE = %s%s SETTINGS index_granularity = %d", tables[t].engine,
                d == SMI_CH_MODERN ? tables[t].kept : "", tables[t].granule);
    end_statement(to);
}

void smi_ch_ddl_metrics(struct smi_buf *to, enum smi_ch_dialect d, const char *database,
                        const bool metric[SMI_METRIC_COUNT])
{
    char column[SMI_CH_NAME];
    const char *comma = "";
    smi_buf_fmt(to, "ALTER TABLE %s.samples_local", database);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        if (!metric[m])
            continue;
        smi_ch_metric_column(column, m);
        smi_buf_fmt(to, "%s ADD COLUMN %s%s %s%s", comma, d == SMI_CH_MODERN ? "IF NOT EXISTS " : "", column,
                    smi_ch_type(SMI_CH_METRIC, d), d == SMI_CH_MODERN ? column_codec(SMI_CH_METRIC) : "");
        comma = ",";
    }
    end_statement(to);
}

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

static const char blank[] = " \t\r\n";

/* Passes a word over, in any case. */
static bool skip_word(const char **p, const char *word)
{
    const char *at = *p + strspn(*p, blank);
    size_t n = strlen(word);
    if (strncasecmp(at, word, n) != 0)
        return false;
    *p = at + n;
    return true;
}

/* A text in single quotes, without quotes in it and of ASCII alone: other names may be printed in another way
 * than they are stored. */
static bool read_text(const char **p, struct smi_buf *names)
{
    const char *from = *p + strspn(*p, blank) + 1, *end;
    if (from[-1] != '\'')
        return false;
    end = strchr(from, '\'');
    if (!end || end[1] == '\'')
        return false;
    for (const char *c = from; c < end; c++)
        if ((unsigned char)*c > 127)
            return false;
    smi_buf_add(names, from, (size_t)(end - from));
    smi_buf_add(names, "", 1);
    *p = end + 1;
    return true;
}

static bool read_where(const char *p, struct smi_buf *names)
{
    if (!skip_word(&p, "run") || !strchr(" \t\r\n=", *p))
        return false;
    if (skip_word(&p, "==") || skip_word(&p, "="))
        return read_text(&p, names) && !p[strspn(p, blank)];
    if (!skip_word(&p, "in") || !skip_word(&p, "("))
        return false;
    do
        if (!read_text(&p, names))
            return false;
    while (skip_word(&p, ","));
    return skip_word(&p, ")") && !p[strspn(p, blank)];
}

bool smi_ch_push_down(struct smi_buf *names, const struct smi_query *q)
{
    size_t before = names->n;
    /* what other columns there are depends on all runs */
    if (!q->where || q->sql || q->join || q->sort || q->group_by || q->columns)
        return false;
    if (read_where(q->where, names))
        return true;
    names->n = before;
    return false;
}

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
    return 0;
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

static int read_run(struct smi_ch_runs *runs, struct smi_ch_rows *r)
{
    struct smi_ch_run_row *row;
    smi_mem_reserve(&runs->list, &runs->cap, runs->n + 1, sizeof *runs->list);
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
    return 0;
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
        if (read_run(runs, &r))
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
