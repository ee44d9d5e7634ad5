/* clickhouse.c - the tables of smilog in ClickHouse: what is read from them, and runs into them:
 * `smilog export --to clickhouse://...`.
 *
 * Every row of samples and marks has a key that follows from its log: run, input, number of the row. The
 * tables are ReplacingMergeTrees over these keys with the version of the export, so rows that are sent twice
 * are one. The row of `runs` comes last; a run whose row is there is there whole. So an export that died is
 * run again, and nothing has to be remembered. Rows of older versions are deleted once the newest row of the
 * run is there. */
#include "export/clickhouse.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/version.h"
#include "report/output.h"

#include <inttypes.h>
#include <poll.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

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
static int store_make(struct smi_ch_store *s, const bool *wanted, struct smi_err *err)
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

/* ---- what runs there are ---- */

/* The newest row of a run. */
struct run_row {
    uint64_t run, version, digest, samples, marks;
    const char *name, *place, *leaf, *host;
    bool removed;
};

/* All runs of a store, by run. Zero-initialise; ends with free_runs. */
struct runs {
    struct smi_arena arena;
    struct run_row *list;
    size_t n, cap;
};

static int compare_runs(const void *x, const void *y)
{
    uint64_t a = ((const struct run_row *)x)->run, b = ((const struct run_row *)y)->run;
    return (a > b) - (a < b);
}

static void read_run(struct runs *runs, struct smi_ch_rows *r)
{
    struct run_row *row;
    row = SMI_MEM_ADD(runs->list, runs->n, runs->cap);
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

static int read_runs(struct runs *runs, struct smi_ch_store *s, struct smi_err *err)
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

static void free_runs(struct runs *runs)
{
    smi_mem_free(runs->list);
    smi_arena_fini(&runs->arena);
    memset(runs, 0, sizeof *runs);
}

enum { PAGE = 64 /* runs of which partials are asked for at once */ };

/* Keeps the runs that are there, and that have one of the names. Returns how many are left out by
 * their name. */
static size_t choose_runs(struct runs *runs, const struct smi_buf *names)
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
static int read_page(struct smi_merge_queue *p, struct smi_ch_server *server, const struct run_row *list,
                     size_t n, struct smi_err *err)
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
    struct runs runs = {0};
    int rc = read_runs(&runs, s, err);
    *left = rc ? 0 : choose_runs(&runs, names);
    for (size_t k = 0; k < runs.n && !rc; k += PAGE)
        rc = read_page(p, &s->server, &runs.list[k], runs.n - k < PAGE ? runs.n - k : PAGE, err);
    free_runs(&runs);
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

/* ---- runs into the tables ---- */

enum {
    SEND_BYTES = 32 << 20, /* rows of samples, marks or runs that go at once */
    SEND_RUNS = 1000       /* runs that wait at most: their numbers stand in one statement */
};

enum { KINDS = 2 /* the time series, and the metadata */, BLOCK = 8 << 20 /* goes at once */ };

struct out {
    struct smi_target_out base;
    struct smi_target_set set;
    struct smi_ch_store store;
    struct runs runs;                /* what the store has */
    struct run_row **name;           /* all of them by name */
    uint64_t version;                /* of all that is sent: no row of the store has a larger one */
    struct smi_buf rows[SMI_CH_OWN]; /* that wait: a line of JSON each */
    struct smi_buf sent;             /* runs that wait for their own row: numbers and commas */
    size_t nsent;
    char column[SMI_METRIC_COUNT][SMI_CH_NAME];
    bool has[SMI_METRIC_COUNT]; /* some waiting row of samples has a reading of it; dry: some row */
    /* the run at hand: */
    const struct smi_export_run *r;
    const struct run_row *stored; /* or NULL */
    uint64_t run_id, nrows, nmarks, digest;
    struct smi_buf summary, input, text; /* the JSON of the run; an input's name; a field */
    const struct smi_export_input *in;
    /* documents of PyTorch's CI: */
    struct smi_pytorch_sink sink;
    struct smi_target_out *source;      /* what makes documents of runs; NULL: they are not asked for */
    char table[KINDS][2 * SMI_CH_NAME]; /* where rows go, with the database */
    bool there[KINDS];
    bool begun;              /* the job at hand, and of it: */
    int64_t until_ms;        /* it is tried again until then; 0: not yet */
    char where[700], id[64]; /* which rows are of it; the query id of its inserts */
    struct smi_buf block;    /* of the time series, that waits */
};

/* ---- documents of PyTorch's CI into its two tables. The tables are plain MergeTrees of
 * somebody else's, so a row that is sent twice is there twice. The metadata of a job is sent last: a job that
 * has it is there, and of one without it the rows are deleted before it is sent. Inserts of a job have one
 * query id, so that two of them never run at once. ---- */
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
} document_tables[KINDS] = {
    {"oss_ci_time_series",
     {SERIES("DateTime('UTC')", "Array(String)", "meta_bucket String, meta_key String"),
      SERIES(MODERN_TIME, MODERN_TAGS, MODERN_META)},
     "MergeTree PARTITION BY toYYYYMM(time_stamp) ORDER BY (workflow_id, job_id, repo, "
     "workflow_name, job_name, type, "
     "time_stamp)"},
    {"oss_ci_utilization_metadata",
     {METADATA("DateTime('UTC')", "tags Array(String)", "segments_json String DEFAULT '[]', "),
      METADATA(MODERN_TIME, "tags " MODERN_TAGS ", " MODERN_META,
               "segments Array(Tuple(level String, name String, start_at " MODERN_TIME ", end_at " MODERN_TIME
               ", extra_info Map(String, String))) DEFAULT [], ")},
     "MergeTree PARTITION BY toYYYYMM(start_at) ORDER BY (workflow_id, job_id, repo, "
     "workflow_name, job_name, start_at)"}};

/* A table that is there by upstream's name holds its rows itself, and gets ours; a Distributed one has them
 * beside it, in ..._local. */
static int find_tables(struct out *o, struct smi_err *err)
{
    struct smi_ch_server *server = &o->store.server;
    struct smi_ch_rows r;
    if (smi_ch_ask(
            server, err,
            "SELECT name FROM system.tables WHERE database = '%s' AND engine != 'Distributed' ORDER BY name "
            "FORMAT RowBinary",
            o->store.place.database))
        return -1;
    for (int k = 0; k < KINDS; k++)
        snprintf(o->table[k], sizeof o->table[k], "%s.%s", o->store.place.database, document_tables[k].name);
    for (r = smi_ch_rows(server); r.n;) {
        struct smi_text t = smi_ch_read_text(&r);
        for (int k = 0; k < KINDS; k++) {
            char name[SMI_CH_NAME];
            snprintf(name, sizeof name, "%s_local", document_tables[k].name);
            if (!smi_text_is(t, document_tables[k].name) && !smi_text_is(t, name))
                continue;
            o->there[k] = true;
            snprintf(o->table[k], sizeof o->table[k], "%s.%.*s", o->store.place.database, (int)t.n, t.p);
        }
    }
    return r.bad ? smi_ch_bad_answer(server, err) : 0;
}

static void add_documents_ddl(const struct out *o, struct smi_buf *to)
{
    enum smi_ch_dialect dialect = o->store.server.dialect;
    for (int k = 0; k < KINDS; k++) {
        if (o->there[k])
            continue;
        smi_buf_fmt(to,
                    "CREATE TABLE IF NOT EXISTS %s.%s (%s) ENGINE = %s%s SETTINGS index_granularity = 8192",
                    o->store.place.database, document_tables[k].name, document_tables[k].columns[dialect],
                    document_tables[k].order,
                    dialect == SMI_CH_MODERN ? " TTL toDate(created_at) + toIntervalYear(1)" : "");
        smi_buf_add(to, "", 1);
    }
}

static int has_job(void *self, const struct smi_pytorch_job *job, struct smi_err *err)
{
    struct out *o = self;
    char from[1000];
    uint64_t n = 0;
    o->until_ms = 0;
    /* no name stands in SQL that has other letters than names have */
    snprintf(o->where, sizeof o->where,
             "workflow_id = %" PRIu64 " AND job_id = %" PRIu64 " AND repo = '%s' AND run_attempt = %" PRIu32,
             job->workflow_id, job->job_id, job->repo, job->run_attempt);
    snprintf(o->id, sizeof o->id, "smilog-%016" PRIx64, smi_digest_of(o->where, strlen(o->where)));
    snprintf(from, sizeof from, "%s WHERE %s", o->table[1], o->where);
    return o->there[1] && smi_ch_count(&o->store.server, from, &n, err) ? -1 : n > 0;
}

/* No insert of an export that died runs any more, and no row of the job is there. The metadata goes first:
 * without it the job is not there. In the table of the time series others may keep other things. */
static int begin_job(struct out *o, struct smi_err *err)
{
    struct smi_ch_server *server = &o->store.server;
    char text[1000];
    snprintf(text, sizeof text, "system.processes WHERE query_id = '%s'", o->id);
    if (smi_ch_wait_for_none(server, text, "still works at an insert", err))
        return -1;
    snprintf(text, sizeof text, "%s AND type = 'utilization'", o->where);
    if (smi_ch_delete(server, o->table[1], o->where, err) || smi_ch_delete(server, o->table[0], text, err))
        return -1;
    o->begun = true;
    return 0;
}

static int insert_rows(struct out *o, int kind, struct smi_text rows, struct smi_err *err)
{
    char sql[300];
    snprintf(sql, sizeof sql, "INSERT INTO %s FORMAT JSONEachRow", o->table[kind]);
    return rows.n ? smi_ch_post(&o->store.server, sql, o->id, rows, err) : 0;
}

static int put_document(void *self, const struct smi_pytorch_job *job, enum smi_pytorch_kind kind,
                        struct smi_text line, struct smi_err *err)
{
    struct out *o = self;
    bool last = kind == SMI_PYTORCH_METADATA;
    (void)job;
    if (o->set.dry || (!o->begun && begin_job(o, err)))
        return o->set.dry ? 0 : -1;
    if (!last)
        smi_buf_add(&o->block, line.p, line.n);
    if (last || o->block.n >= BLOCK) {
        if (insert_rows(o, 0, (struct smi_text){o->block.p, o->block.n}, err))
            return -1;
        smi_buf_clear(&o->block);
    }
    return last ? insert_rows(o, 1, line, err) : 0;
}

static int end_job(void *self, bool keep, struct smi_err *err)
{
    struct out *o = self;
    (void)keep, (void)err;
    smi_buf_clear(&o->block);
    o->begun = false;
    return 0;
}

/* A server that was away, or too busy, is asked again. */
static bool try_again(void *self, const struct smi_err *why)
{
    struct out *o = self;
    const struct smi_ch_patience *p = &o->store.server.patience;
    if (!o->until_ms)
        o->until_ms = smi_clock_now_ms() + p->retry_ms;
    if (why->code != SMI_EIO || !smi_ch_may_retry(&o->store.server) || smi_clock_now_ms() >= o->until_ms)
        return false;
    (void)poll(NULL, 0, (int)p->pause_ms);
    return true;
}

static int open_documents(struct out *o, struct smi_err *err)
{
    struct smi_ch_server *server = &o->store.server;
    struct smi_buf ddl = {0};
    int rc;
    o->sink = (struct smi_pytorch_sink){
        has_job, put_document, end_job, try_again, o, .flat = server->dialect == SMI_CH_18};
    o->source = smi_pytorch_target_open(&o->sink, &o->set, err);
    rc = !o->source || find_tables(o, err) ? -1 : 0;
    if (!rc && !o->set.dry) {
        add_documents_ddl(o, &ddl);
        rc = ddl.n && (smi_ch_ask_all(server, &ddl, err) || find_tables(o, err)) ? -1 : 0;
        smi_buf_fini(&ddl);
    }
    return rc;
}

/* ---- opening ---- */

static int compare_names(const void *x, const void *y)
{
    return strcmp((*(struct run_row *const *)x)->name, (*(struct run_row *const *)y)->name);
}

static int open_store(struct out *o, const char *url, struct smi_err *err)
{
    if (smi_ch_store_open(&o->store, url, o->set.password_file, &smi_ch_patience, err) ||
        (!o->set.dry && store_make(&o->store, NULL, err)))
        return -1;
    if ((o->set.pytorch && open_documents(o, err)) || read_runs(&o->runs, &o->store, err))
        return -1;
    o->version = (uint64_t)smi_clock_utc_ms();
    o->name = smi_mem_new(o->runs.n + 1, sizeof *o->name);
    for (size_t i = 0; i < o->runs.n; i++) {
        o->name[i] = &o->runs.list[i];
        if (o->name[i]->version >= o->version)
            o->version = o->name[i]->version + 1;
    }
    smi_sort(o->name, o->runs.n, sizeof *o->name, compare_names);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        smi_ch_metric_column(o->column[m], m);
    return 0;
}

static void free_target(struct out *o)
{
    for (int t = 0; t < SMI_CH_OWN; t++)
        smi_buf_fini(&o->rows[t]);
    smi_buf_fini(&o->sent);
    free_runs(&o->runs);
    if (o->source)
        smi_target_pytorch.close(o->source, false, NULL);
    smi_buf_fini(&o->block);
    smi_buf_fini(&o->summary);
    smi_buf_fini(&o->input);
    smi_buf_fini(&o->text);
    smi_ch_store_close(&o->store);
    smi_mem_free(o->name);
    smi_mem_free(o);
}

static struct smi_target_out *open_target(const struct smi_target *target, const char *where,
                                          const struct smi_target_set *set, struct smi_err *err)
{
    struct out *o = smi_mem_new(1, sizeof *o);
    struct smi_buf url = {0};
    int rc;
    o->set = *set;
    smi_buf_fmt(&url, "%s%s", target->prefix, where);
    rc = open_store(o, url.p, err);
    smi_buf_fini(&url);
    if (!rc)
        return &o->base;
    free_target(o);
    return NULL;
}

/* ---- sending ---- */

static int send_rows(struct out *o, enum smi_ch_table table, struct smi_err *err)
{
    struct smi_buf *rows = &o->rows[table], sql = {0};
    int rc;
    if (!rows->n)
        return 0;
    smi_buf_fmt(&sql, "INSERT INTO %s.%s", o->store.place.database, tables[table].name);
    if (table == SMI_CH_SAMPLES) { /* the server fills each named column row by row: most have no reading */
        bool more = false;
        smi_buf_str(&sql, " (run, version, gpu, time, ms, timed, utc, uuid, row, input");
        for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
            more |= o->has[m] && !o->store.metric[m];
            if (o->has[m])
                smi_buf_fmt(&sql, ", %s", o->column[m]);
        }
        smi_buf_char(&sql, ')');
        if (more && store_make(&o->store, o->has, err)) {
            smi_buf_fini(&sql);
            return -1;
        }
        memset(o->has, 0, sizeof o->has);
    }
    smi_buf_str(&sql, " FORMAT JSONEachRow");
    rc = smi_ch_post_retry(&o->store.server, sql.p, (struct smi_text){rows->p, rows->n}, err);
    smi_buf_fini(&sql);
    smi_buf_clear(rows);
    return rc;
}

/* Deletes rows of the runs that an export of an earlier version sent: of logs that have changed, or when it
 * died. */
static int delete_old_rows(struct out *o, enum smi_ch_table table, struct smi_err *err)
{
    struct smi_buf where = {0};
    char name[2 * SMI_CH_NAME];
    int rc;
    snprintf(name, sizeof name, "%s.%s", o->store.place.database, tables[table].name);
    smi_buf_fmt(&where, "run IN (%.*s) AND version < %" PRIu64, (int)o->sent.n - 1, o->sent.p, o->version);
    rc = smi_ch_delete(&o->store.server, name, where.p, err);
    smi_buf_fini(&where);
    return rc;
}

/* Samples and marks go first: a run whose row is there is there whole. */
static int flush_rows(struct out *o, struct smi_err *err)
{
    if (send_rows(o, SMI_CH_SAMPLES, err) || send_rows(o, SMI_CH_MARKS, err))
        return -1;
    if (!o->nsent)
        return 0;
    if (send_rows(o, SMI_CH_RUNS, err) || delete_old_rows(o, SMI_CH_SAMPLES, err) ||
        delete_old_rows(o, SMI_CH_MARKS, err))
        return -1;
    smi_buf_clear(&o->sent);
    o->nsent = 0;
    return 0;
}

/* ---- a run into rows ---- */

static int count_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct out *o = self;
    (void)err;
    o->nrows++;
    for (unsigned i = 0; i < row->n && o->set.dry; i++)
        o->has[row->metric[i]] = true;
    return 0;
}

static void add_digest(uint64_t *digest, const char *p, size_t n)
{
    const uint64_t both[2] = {*digest, smi_digest_of(p ? p : "", n)};
    *digest = smi_digest_of((const char *)both, sizeof both);
}

/* Reads all rows once: how many they are, of which metrics, and a digest of all that is exported. */
static int measure_run(struct out *o, struct smi_err *err)
{
    smi_run_jsonl(&o->summary, o->r->summary);
    add_digest(&o->digest, o->summary.p, o->summary.n);
    add_digest(&o->digest, o->r->partial.p, o->r->partial.n);
    for (size_t i = 0; i < o->r->inputs; i++) {
        const struct smi_export_input *in = &o->r->input[i];
        const int64_t v[] = {(int64_t)in->digest, (int64_t)in->rows, (int64_t)in->marks, in->base,
                             in->shift_ms};
        add_digest(&o->digest, in->path, strlen(in->path));
        add_digest(&o->digest, in->format, strlen(in->format));
        add_digest(&o->digest, (const char *)v, sizeof v);
        o->nmarks += in->marks;
        if (smi_export_rows(o->r, i, 0, count_row, o, err))
            return -1;
    }
    return 0;
}

static void begin_row(struct out *o, enum smi_ch_table table, struct smi_json *j, uint64_t run)
{
    smi_json_begin(j, &o->rows[table]);
    smi_json_open(j, '{');
    smi_json_key_i128(j, smi_text_of("run"), run);
    smi_json_key_i128(j, smi_text_of("version"), o->version);
}

static int end_row(struct out *o, enum smi_ch_table table, struct smi_json *j, struct smi_err *err)
{
    smi_json_close(j, '}');
    smi_buf_char(&o->rows[table], '\n');
    return o->rows[table].n < SEND_BYTES || table == SMI_CH_RUNS ? 0 : send_rows(o, table, err);
}

static int put_sample(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct out *o = self;
    const struct smi_gpu *g = row->gpu >= 0 ? &o->r->summary->gpus[row->gpu] : NULL;
    int64_t t_ms = row->timed ? row->t_ms : 0, ms = (t_ms % 1000 + 1000) % 1000, s = (t_ms - ms) / 1000;
    struct smi_json j;
    begin_row(o, SMI_CH_SAMPLES, &j, o->run_id);
    smi_json_key_int(&j, "gpu", !g ? -1 : g->pooled ? -2 : g->index >= 0 ? g->index : row->gpu);
    smi_json_key_int(&j, "time", s < 0 ? 0 : s > UINT32_MAX ? UINT32_MAX : s); /* 1970 to 2106 */
    smi_json_key_int(&j, "ms", ms);
    smi_json_key_int(&j, "timed", row->timed);
    smi_json_key_int(&j, "utc", o->in->base == SMI_TIME_BASE_UTC);
    smi_json_key_str(&j, "uuid", g && g->uuid ? g->uuid : "");
    smi_json_key_int(&j, "row", (int64_t)row->ordinal);
    smi_json_key_str(&j, "input", o->input.p);
    for (unsigned i = 0; i < row->n; i++) {
        o->has[row->metric[i]] = true;
        smi_json_key_micro(&j, smi_text_of(o->column[row->metric[i]]), row->v[i]);
    }
    return end_row(o, SMI_CH_SAMPLES, &j, err);
}

static void put_fields(struct out *o, struct smi_json *j, const struct smi_mark *m, bool in_data)
{
    smi_buf_clear(&o->text);
    smi_export_fields(&o->text, m, in_data);
    smi_json_key_str(j, in_data ? "data" : "extra", o->text.p ? o->text.p : "");
}

static int put_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct out *o = self;
    bool phase = m->kind == SMI_MARK_PHASE;
    struct smi_json j;
    begin_row(o, SMI_CH_MARKS, &j, o->run_id);
    smi_json_key_str(&j, "input", o->input.p);
    smi_json_key_int(&j, "mark", (int64_t)ordinal);
    smi_json_key_str(&j, "kind", phase ? "phase" : "event");
    smi_json_key(&j, "name");
    smi_json_text(&j, m->name);
    smi_json_key_int(&j, "t_us", m->t_us);
    smi_json_key_int(&j, "span_us", phase ? m->span_us : 0);
    put_fields(o, &j, m, true);
    put_fields(o, &j, m, false);
    return end_row(o, SMI_CH_MARKS, &j, err);
}

/* The run's row waits: it goes behind all of its other rows. */
static int add_run_row(struct out *o, const struct run_row *row, struct smi_text summary,
                       struct smi_text partial, struct smi_err *err)
{
    struct smi_json j;
    begin_row(o, SMI_CH_RUNS, &j, row->run);
    smi_json_key_str(&j, "name", row->name);
    smi_json_key_str(&j, "place", row->place);
    smi_json_key_str(&j, "leaf", row->leaf);
    smi_json_key_str(&j, "host", row->host);
    smi_json_key_str(&j, "state", row->removed ? "removed" : "loaded");
    smi_json_key_int(&j, "loaded", smi_clock_utc_ms() / 1000);
    smi_json_key_str(&j, "smilog", SMILOG_VERSION);
    smi_json_key_i128(&j, smi_text_of("samples"), row->samples);
    smi_json_key_i128(&j, smi_text_of("marks"), row->marks);
    smi_json_key_i128(&j, smi_text_of("digest"), row->digest);
    smi_json_key(&j, "summary");
    smi_json_text(&j, summary);
    smi_json_key(&j, "partial");
    smi_json_text(&j, partial);
    end_row(o, SMI_CH_RUNS, &j, err);
    smi_buf_fmt(&o->sent, "%" PRIu64 ",", row->run);
    return ++o->nsent < SEND_RUNS && o->rows[SMI_CH_RUNS].n < SEND_BYTES ? 0 : flush_rows(o, err);
}

static int send_run(struct out *o, struct smi_err *err)
{
    const struct smi_summary *s = o->r->summary;
    const struct run_row row = {.run = o->run_id,
                                .samples = o->nrows,
                                .marks = o->nmarks,
                                .digest = o->digest,
                                .name = s->run,
                                .place = o->r->place,
                                .leaf = o->r->leaf,
                                .host = s->hostname ? s->hostname : ""};
    for (size_t i = 0; i < o->r->inputs; i++) {
        size_t nth = 1; /* the second input of one path is "path#2" */
        o->in = &o->r->input[i];
        for (size_t other = 0; other < i; other++)
            nth += strcmp(o->r->input[other].path, o->in->path) == 0;
        smi_buf_clear(&o->input);
        smi_buf_str(&o->input, o->in->path);
        if (nth > 1)
            smi_buf_fmt(&o->input, "#%zu", nth);
        if (smi_export_rows(o->r, i, 0, put_sample, o, err) || smi_export_marks(o->r, i, 0, put_mark, o, err))
            return -1;
    }
    return add_run_row(o, &row, (struct smi_text){o->summary.p, o->summary.n}, o->r->partial, err);
}

/* ---- a run against what is stored ---- */

/* Two runs of one name would be read as one. With --replace the other run is removed. */
static int resolve_name_clash(struct out *o, struct smi_err *err)
{
    const char *name = o->r->summary->run;
    size_t i = 0, n = o->runs.n;
    while (i < n) { /* the first of this name */
        size_t at = i + (n - i) / 2;
        if (strcmp(o->name[at]->name, name) < 0)
            i = at + 1;
        else
            n = at;
    }
    for (; i < o->runs.n && strcmp(o->name[i]->name, name) == 0; i++) {
        struct run_row *other = o->name[i];
        if (other->run == o->run_id || other->removed)
            continue;
        if (!o->set.replace)
            return smi_err_set(
                err, SMI_EUSAGE,
                "there is a run %.100s in the store, of the logs in %.200s: --replace takes it "
                "out, and another database keeps both",
                other->name, other->place);
        other->removed = true;
        if (!o->set.dry && add_run_row(o, other, smi_text_of(""), smi_text_of(""), err))
            return -1;
    }
    return 0;
}

static int import_run(struct out *o, struct smi_err *err)
{
    struct smi_target_out *done = &o->base;
    const struct smi_ch_server *server = &o->store.server;
    const bool stays = o->stored && !o->stored->removed && !o->set.replace;
    if (measure_run(o, err) || resolve_name_clash(o, err))
        return -1;
    if (stays && o->nrows < o->stored->samples) /* the logs are not what they were */
        return smi_err_set(
            err, SMI_EUSAGE,
            "ClickHouse %.100s:%d has a run %.150s with %" PRIu64 " rows, and these logs have %" PRIu64
            ": --replace takes what is stored out, and another database keeps both",
            server->place->host, server->place->port, o->r->summary->run, o->stored->samples, o->nrows);
    if (stays && o->stored->digest == o->digest)
        return 0;
    if (!o->set.dry && send_run(o, err))
        return -1;
    done->runs++;
    done->rows += o->nrows;
    done->marks += o->nmarks;
    return 0;
}

static int export_run(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                      struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc;
    const struct run_row key = {.run = smi_ch_run(r->place, r->leaf)};
    o->r = r;
    o->run_id = key.run;
    o->stored = o->runs.n ? bsearch(&key, o->runs.list, o->runs.n, sizeof key, compare_runs) : NULL;
    o->nrows = o->nmarks = o->digest = 0;
    smi_buf_clear(&o->summary);
    rc = import_run(o, err);
    if (!rc && o->source) {
        const uint64_t doubts = o->source->doubts;
        rc = smi_target_pytorch.run(o->source, r, say, err);
        self->doubts += o->source->doubts - doubts;
        self->documents = o->source->documents;
    }
    return rc;
}

/* ---- the end ---- */

static int close_target(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    struct smi_buf *ddl = &o->store.ddl;
    int rc = !keep ? 0 : o->set.dry ? smi_ch_store_look(&o->store, o->has, err) : flush_rows(o, err);
    if (keep && o->set.dry && !rc) { /* the statements that an export would begin with */
        if (o->source)
            add_documents_ddl(o, ddl);
        for (size_t at = 0; at < ddl->n; at += strlen(ddl->p + at) + 1)
            smi_buf_fmt(o->set.plan, "%s;\n", ddl->p + at);
    }
    free_target(o);
    return rc;
}

const struct smi_target smi_target_clickhouse = {
    .prefix = "clickhouse:",
    .form = "clickhouse://[USER@]HOST[:PORT]/DATABASE",
    .help = "a ClickHouse store",
    .open = open_target,
    .run = export_run,
    .close = close_target,
    .store = true,
    .texts = (uint64_t)1 << SMI_FMT_USAGE_LOG,
};
const struct smi_target smi_target_clickhouses = {
    .prefix = "clickhouses:",
    .form = "clickhouses://[USER@]HOST[:PORT]/DATABASE",
    .help = "the same over TLS",
    .open = open_target,
    .run = export_run,
    .close = close_target,
    .store = true,
    .texts = (uint64_t)1 << SMI_FMT_USAGE_LOG,
};
