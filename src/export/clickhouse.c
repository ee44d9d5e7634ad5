/* clickhouse.c - the tables of smilog in ClickHouse: what is read from them, and runs into them:
 * `smilog export --to clickhouse://...`.
 *
 * Each time that a run is sent, all of its rows have a number of their own, `load`, which grows with time.
 * The row of `runs` comes last. Rows count if their load is the largest that the run has in `runs`: so those
 * of an export that died, or still runs, never count, and whatever exports come between each other, a run is
 * whole, and that of the last reading. Rows of smaller loads never count again, and are deleted. The tables
 * are ReplacingMergeTrees, as a request that fails is sent again, and its rows may be there twice.
 *
 * With a cluster every shard has these tables, and Distributed ones over them, without _local in their names:
 * rows go there, and are read there. All rows of a run are on one shard. */
#include "export/clickhouse.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/version.h"
#include "export/pytorch.h"
#include "export/stored.h"
#include "report/output.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

/* ==== a server: its URL, and questions to it over HTTP. Rows come and go as JSONEachRow: one object a line
 * ==== */

/* ---- where it is ---- */

/* Copies a part of a URL; one that is not there is "". Returns whether it fits. */
static bool copy_part(CURLU *u, CURLUPart part, char *to, size_t size)
{
    char *text = NULL;
    const bool is = smi_curl.curl_url_get(u, part, &text, CURLU_URLDECODE) == CURLUE_OK;
    const int n = snprintf(to, size, "%s", is ? text : "");
    smi_curl.curl_free(text);
    return n >= 0 && (size_t)n < size;
}

/* Does it need no quotes in SQL? */
static bool is_name(const char *p)
{
    const size_t n = strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return n && !p[n] && n < SMI_CH_NAME && !smi_is_digit(*p);
}

/* Returns false for a URL of another form. */
static bool read_parts(struct smi_ch_url *p, CURLU *u, const char *url)
{
    static const char cluster[] = "cluster=";
    char port[8], path[SMI_CH_NAME + 2], query[SMI_CH_NAME + sizeof cluster], password[1];
    if ((!p->tls && strncmp(url, "clickhouse://", 13) != 0) ||
        smi_curl.curl_url_set(u, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK ||
        !copy_part(u, CURLUPART_HOST, p->host, sizeof p->host) || !*p->host ||
        !copy_part(u, CURLUPART_PORT, port, sizeof port) ||
        !copy_part(u, CURLUPART_USER, p->user, sizeof p->user) ||
        !copy_part(u, CURLUPART_PASSWORD, password, sizeof password) ||
        !copy_part(u, CURLUPART_PATH, path, sizeof path) || *path != '/' || !is_name(path + 1) ||
        !copy_part(u, CURLUPART_QUERY, query, sizeof query) ||
        (*query && (strncmp(query, cluster, strlen(cluster)) != 0 || !is_name(query + strlen(cluster)))))
        return false;
    p->port = *port ? atoi(port) : p->tls ? 8443 : 8123;
    strcpy(p->database, path + 1);
    strcpy(p->cluster, *query ? query + strlen(cluster) : "");
    return p->port > 0;
}

int smi_ch_url_parse(struct smi_ch_url *p, const char *url, struct smi_err *err)
{
    CURLU *u;
    bool is;
    if (smi_curl_open(err))
        return -1;
    u = smi_curl.curl_url();
    if (!u)
        smi_mem_exhausted();
    *p = (struct smi_ch_url){.tls = strncmp(url, "clickhouses://", 14) == 0};
    is = read_parts(p, u, url);
    smi_curl.curl_url_cleanup(u);
    return is ? 0
              : smi_err_set(
                    err, SMI_EUSAGE,
                    "clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], with "
                    "names of at most %d letters, digits and underscores, no digit first; a password belongs "
                    "in SMILOG_CLICKHOUSE_PASSWORD or --password-file, not in the URL",
                    SMI_CH_NAME - 1);
}

/* Bytes of a password, of a row or an answer that is no rows, and of what a server says of an error. */
enum { PASSWORD = 4096, ANSWER = 1 << 29, SAID = 300 };

int smi_ch_password(const char *password_file, struct smi_buf *to, struct smi_err *err)
{
    const char *word = getenv("SMILOG_CLICKHOUSE_PASSWORD"),
               *path = password_file ? password_file : getenv("SMILOG_CLICKHOUSE_PASSWORD_FILE");
    if (!password_file && (word || !path || !*path))
        smi_buf_str(to, word ? word : "");
    else if (smi_file_read_all(to, path, PASSWORD, err))
        return -1;
    else if (to->n > PASSWORD)
        return smi_err_set(err, SMI_EUSAGE, "%.300s: that is no password", path);
    if (to->n)
        to->p[strcspn(to->p, "\r\n")] = 0;
    return 0;
}

/* ---- one answer ---- */

/* Numbers of the server's errors. */
enum { NO_COLUMN = 47, NO_TABLE = 60, NO_DATABASE = 81 };
enum { CONNECT_MS = 5000, STALL_S = 300, PAUSE_MS = 200 /* between two times */ };
const struct smi_ch_patience smi_ch_patience = {
    .retry_ms = 20000,
    .done_ms = 300000,
    .hello_ms = 30000,
    .answer_ms = 1800000,
};

static int bad_answer(const struct smi_ch_server *s, struct smi_err *err)
{
    return smi_err_set(err, SMI_EFORMAT, "ClickHouse %.200s:%d: its answer is not what was asked for",
                       s->host, s->place.port);
}

/* "Code: 60, e.displayText() = ...": its first line. */
static int server_error(struct smi_ch_server *s, struct smi_err *err)
{
    const size_t n = strcspn(s->answer.p, "\r\n");
    struct smi_buf words = {0};
    s->code = strncmp(s->answer.p, "Code: ", 6) == 0 ? (int)strtol(s->answer.p + 6, NULL, 10) : 0;
    smi_buf_safe(&words, (struct smi_text){s->answer.p, n < SAID ? n : SAID});
    smi_err_set(err, SMI_EIO, "ClickHouse %.100s:%d says: %s%s%s", s->host, s->place.port,
                n ? words.p : "nothing",
                s->code == NO_DATABASE ? " - make it first: CREATE DATABASE "
                : s->code == NO_COLUMN ? " - these tables are of another version of smilog: export the logs "
                                         "into a new database"
                                       : "",
                s->code == NO_DATABASE ? s->place.database : "");
    smi_buf_fini(&words);
    return -1;
}

/* Hands the whole rows of the answer on, which are gone then. */
static int take_rows(struct smi_ch_server *s)
{
    char *at = s->answer.p, *const last = at + s->answer.n, *end;
    int rc = 0;
    for (; !rc && (end = memchr(at, '\n', (size_t)(last - at))); at = end + 1) {
        json_t *row = json_loadb(at, (size_t)(end - at), 0, NULL);
        rc = row ? s->row(s->self, row, &s->refused) : bad_answer(s, &s->refused);
        json_decref(row);
        s->rows++;
    }
    s->answer.n = (size_t)(last - at);
    memmove(s->answer.p, at, s->answer.n);
    return rc;
}

static size_t receive_body(char *p, size_t size, size_t n, void *self)
{
    struct smi_ch_server *s = self;
    long status = 0;
    if (size * n > s->most - s->answer.n) {
        smi_err_set(&s->refused, SMI_ELIMIT, "ClickHouse %.200s:%d: its answer is longer than %zu bytes",
                    s->host, s->place.port, s->most);
        return 0;
    }
    smi_buf_add(&s->answer, p, size * n);
    smi_curl.curl_easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &status);
    return s->row && status == 200 && take_rows(s) ? 0 : size * n;
}

/* Returns whether libcurl takes it all. */
static bool set_options(struct smi_ch_server *s, const char *url, struct smi_text body, char *why)
{
    CURL *e = s->easy;
    unsigned bad = 0;
    smi_curl.curl_easy_reset(e); /* the connection stays */
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_NOPROXY, "*");
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_USERAGENT, "smilog");
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_ERRORBUFFER, why);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, 1L);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, (long)STALL_S);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_BUFFERSIZE, 256L << 10);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_UPLOAD_BUFFERSIZE, 512L << 10);
    if (*s->place.user) {
        bad |= smi_curl.curl_easy_setopt(e, CURLOPT_USERNAME, s->place.user);
        bad |= smi_curl.curl_easy_setopt(e, CURLOPT_PASSWORD, s->password.p);
    }
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_URL, url);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_TIMEOUT_MS,
                                     s->shards.n ? s->patience.answer_ms : s->patience.hello_ms);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, receive_body);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_WRITEDATA, s);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.n);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_POSTFIELDS, body.p);
    return !bad;
}

int smi_ch_post(struct smi_ch_server *s, const char *table, const char *id, struct smi_text body,
                struct smi_err *err)
{
    char why[CURL_ERROR_SIZE] = "";
    struct smi_buf url = {0};
    CURLcode code;
    long no = 0;
    s->code = 0;
    s->status = 0;
    s->rows = 0;
    s->refused = (struct smi_err){0};
    smi_buf_clear(&s->answer);
    smi_buf_fmt(&url, "%s://%s:%d/?database=%s%s%s", s->place.tls ? "https" : "http", s->host, s->place.port,
                s->place.database, id ? "&query_id=" : "", id ? id : "");
    if (table)
        smi_buf_fmt(&url, "&insert_distributed_sync=1&query=INSERT%%20INTO%%20%s%%20FORMAT%%20JSONEachRow",
                    table);
    else /* the status is that of the whole answer */
        smi_buf_str(&url, "&wait_end_of_query=1&output_format_json_quote_64bit_integers=1");
    if (!set_options(s, url.p, body, why))
        smi_mem_exhausted(); /* libcurl copies texts, and refuses nothing else here */
    code = smi_curl.curl_easy_perform(s->easy);
    smi_buf_fini(&url);
    smi_buf_str(&s->answer, "");
    if (s->refused.code)
        return smi_err_set(err, s->refused.code, "%s", s->refused.text);
    if (code == CURLE_OK) {
        smi_curl.curl_easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &s->status);
        return s->status != 200 ? server_error(s, err) : s->row && s->answer.n ? bad_answer(s, err) : 0;
    }
    if (code == CURLE_COULDNT_CONNECT) /* libcurl's words would tell how long it took, and not why */
        smi_curl.curl_easy_getinfo(s->easy, CURLINFO_OS_ERRNO, &no);
    return smi_err_set(err, SMI_EIO, "ClickHouse %.200s:%d: %.220s", s->host, s->place.port,
                       no     ? strerror((int)no)
                       : *why ? why
                              : smi_curl.curl_easy_strerror(code));
}

/* ---- again and again ---- */

/* The time, and 20 bits at random: nobody else has it, and it grows. */
static uint64_t unique_number(void)
{
    uint32_t any;
    sqlite3_randomness(sizeof any, &any);
    return (uint64_t)smi_clock_utc_ms() << 20 | any >> 12;
}

/* After an error: may the same be done again, as by a server that is away, or has too much to do? Then it
 * waits a while before, and not as long as others that wait. One that never answered is not waited for. */
static bool may_try_again(const struct smi_ch_server *s, int64_t until_ms)
{
    /* TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR, MEMORY_LIMIT_EXCEEDED,
     * TOO_MANY_PARTS, and a statement of this id that still runs; a shard is away:
     * ALL_CONNECTION_TRIES_FAILED */
    static const int passing[] = {159, 202, 209, 210, 241, 252, 216, 279};
    bool passes = s->status == 0 && !s->refused.code && !s->rows;
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        passes |= s->code == passing[i];
    if (!passes || !s->shards.n || smi_clock_now_ms() >= until_ms)
        return false;
    (void)poll(NULL, 0, PAUSE_MS + (int)(unique_number() % 1024));
    return true;
}

/* The same again and again until patience ends: for what may be done twice. */
static int post_retry(struct smi_ch_server *s, const char *table, struct smi_text body, struct smi_err *err)
{
    const int64_t until_ms = smi_clock_now_ms() + s->patience.retry_ms;
    do {
        *err = (struct smi_err){0};
        if (smi_ch_post(s, table, NULL, body, err) == 0)
            return 0;
    } while (may_try_again(s, until_ms));
    return -1;
}

int64_t smi_ch_ask(struct smi_ch_server *s, struct smi_err *err, const char *fmt, ...)
{
    struct smi_buf sql = {0};
    va_list ap;
    int rc = 0;
    va_start(ap, fmt);
    smi_buf_vfmt(&sql, fmt, ap);
    va_end(ap);
    smi_buf_str(&sql, s->row ? " FORMAT JSONEachRow" : "");
    smi_buf_clear(&s->answer);
    if (s->plan && strncmp(sql.p, "SELECT", 6) != 0)
        smi_buf_fmt(s->plan, "%s;\n", sql.p);
    else
        rc = post_retry(s, NULL, (struct smi_text){sql.p, sql.n}, err);
    s->row = NULL;
    smi_buf_fini(&sql);
    return rc ? -1 : s->answer.n ? strtoll(s->answer.p, NULL, 10) : 0;
}

const char *smi_ch_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text ? text : "";
}

uint64_t smi_ch_number(const json_t *row, const char *key)
{
    return strtoull(smi_ch_text(row, key), NULL, 10);
}

int smi_ch_delete(struct smi_ch_server *s, const char *table, const char *such, const char *where,
                  struct smi_err *err)
{
    const uint64_t own = unique_number(); /* tells this deletion from those of others */
    const int64_t until_ms = smi_clock_now_ms() + s->patience.done_ms;
    int64_t left = smi_ch_ask(s, err, "SELECT count() FROM %s WHERE %s%s", table, such, where);
    if (left > 0 &&
        smi_ch_ask(s, err, "ALTER TABLE %s DELETE WHERE %s%s AND %" PRIu64 " > 0", table, such, where, own))
        return -1;
    while (left > 0 &&
           (left = smi_ch_ask(
                s, err,
                "SELECT count() FROM system.mutations WHERE NOT is_done AND position(command, '%" PRIu64
                "') > 0",
                own)) > 0) {
        if (smi_clock_now_ms() >= until_ms)
            return smi_err_set(err, SMI_EIO,
                               "ClickHouse %.100s:%d is to delete rows, and is not done after %lld s",
                               s->host, s->place.port, (long long)(s->patience.done_ms / 1000));
        (void)poll(NULL, 0, PAUSE_MS);
    }
    return (int)left;
}

/* ---- the connection ---- */

int smi_ch_server_open(struct smi_ch_server *s, const char *url, const char *password_file,
                       const struct smi_ch_patience *patience, struct smi_err *err)
{
    *s = (struct smi_ch_server){.patience = *patience, .most = ANSWER};
    if (smi_ch_url_parse(&s->place, url, err) || smi_ch_password(password_file, &s->password, err))
        return -1;
    if (!*s->place.user && s->password.n)
        strcpy(s->place.user, "default");
    s->host = s->place.host;
    s->all = *s->place.cluster != 0;
    s->easy = smi_curl.curl_easy_init();
    if (!s->easy)
        smi_mem_exhausted();
    if (smi_ch_ask(
            s, err,
            s->all ? "SELECT DISTINCT host_name FROM system.clusters WHERE cluster = '%s' ORDER BY host_name"
                   : "SELECT '%s'",
            s->place.cluster) < 0)
        return -1;
    if (!s->all && (s->answer.n != 1 || *s->answer.p != '\n'))
        return bad_answer(s, err);
    smi_buf_add(&s->shards, s->answer.p, s->answer.n);
    for (char *p = s->shards.p; s->shards.n && (p = strchr(p, '\n')); p++)
        *p = 0;
    return s->shards.n ? 0
                       : smi_err_set(err, SMI_EUSAGE, "ClickHouse %.200s:%d knows no cluster %s", s->host,
                                     s->place.port, s->place.cluster);
}

void smi_ch_server_close(struct smi_ch_server *s)
{
    if (s->easy)
        smi_curl.curl_easy_cleanup(s->easy);
    if (s->password.n)
        memset(s->password.p, 0, s->password.n);
    smi_buf_fini(&s->password);
    smi_buf_fini(&s->shards);
    smi_buf_fini(&s->answer);
}

/* ==== the tables, and runs into and out of them ==== */

/* ---- tables ---- */

enum table { SAMPLES, RUNS, MARKS, TABLES };

/* The columns of a table and what follows them, with types that every server from 18.16 on knows. Behind
 * those of samples_local there is one for each metric that some log had: hundreds more would be files of each
 * part, which inserts, merges and deletions write again. A granule is what a server reads at least: a partial
 * has a hundred kilobytes. samples: gpu is an index, -1 for the machine, -2 for rows of GPUs that cannot be
 * told apart; time is in UTC where utc is 1, ms its milliseconds, and there is none where timed is 0; row is
 * its place in the input. runs: run is a sum over place and leaf; digest is over
 * the logs, summary and partial. marks: of a phase, t_us is its end. */
static const struct {
    const char *name[2], *columns, *engine; /* name: of a shard, and of all shards of a cluster */
} tables[TABLES] = {
    [SAMPLES] =
        {{"samples_local", "samples"},
         "run UInt64, gpu Int32, time DateTime('UTC'), ms UInt16, timed UInt8, utc UInt8, uuid String, row "
         "UInt64, input String, load UInt64",
         "ORDER BY (run, load, gpu, time, input, row)"},
    [RUNS] = {{"runs_local", "runs"},
              "run UInt64, load UInt64, name String, place String, leaf String, host String, loaded "
              "DateTime('UTC'), smilog String, samples UInt64, marks UInt64, digest UInt64, summary String, "
              "partial String",
              "ORDER BY (run, load) SETTINGS index_granularity = 16"},
    [MARKS] =
        {{"marks_local", "marks"},
         "run UInt64, input String, mark UInt64, kind String, name String, t_us Int64, span_us Int64, data "
         "String, extra String, load UInt64",
         "ORDER BY (run, load, input, mark)"},
};

/* Its key, dots as underscores, as a dot means something else to ClickHouse. */
void smi_ch_metric_column(char to[SMI_CH_NAME], unsigned metric)
{
    snprintf(to, SMI_CH_NAME, "%s", smi_metrics[metric].key);
    for (char *p = to; (p = strchr(p, '.')); p++)
        *p = '_';
}

/* ---- runs back out of the tables ---- */

struct fetch {
    struct smi_merge_queue *to;
    const char *where;
};

static int take_partial(void *self, const json_t *row, struct smi_err *err)
{
    struct fetch *f = self;
    return smi_stored_add_run(f->to, smi_text_of(smi_ch_text(row, "partial")), smi_ch_text(row, "place"),
                              smi_ch_text(row, "leaf"), smi_ch_text(row, "name"),
                              json_integer_value(json_object_get(row, "shared")) != 0, f->where, err);
}

int smi_ch_fetch(struct smi_merge_queue *p, const char *where, struct smi_err *err)
{
    struct smi_ch_server s;
    int rc = smi_ch_server_open(&s, where, NULL, &smi_ch_patience, err);
    if (!rc) {
        const char *runs = tables[RUNS].name[s.all];
        s.row = take_partial;
        s.self = &(struct fetch){p, where};
        rc = (int)smi_ch_ask(
            &s, err,
            "SELECT partial, place, leaf, name, name GLOBAL IN (SELECT name FROM (SELECT run, "
            "argMax(name, load) AS name FROM %s GROUP BY run) GROUP BY name HAVING count() "
            "> 1) AS shared FROM %s WHERE (run, load) GLOBAL IN (SELECT run, max(load) FROM "
            "%s GROUP BY run) LIMIT 1 BY run",
            runs, runs, runs);
        if ((!rc || s.code == NO_TABLE) && !s.rows) {
            *err = (struct smi_err){0};
            rc = smi_err_set(err, SMI_EFORMAT, "no run of smilog is in the database %s of %.200s",
                             s.place.database, s.place.host);
        }
    }
    smi_ch_server_close(&s);
    return rc;
}

/* ---- runs into the tables ---- */

enum {
    SEND_BYTES = 32 << 20, /* rows of samples, marks or runs, or documents, that go at once */
    SENT_BYTES = 20000,    /* numbers of runs in one statement */
    KINDS = 2              /* of documents: the time series, and the metadata */
};

struct out {
    struct smi_target_out base;
    struct smi_target_set set;
    struct smi_ch_server server;
    json_t *runs;                /* the newest row of every run, by run */
    struct smi_buf rows[TABLES]; /* that wait: a line of JSON each */
    struct smi_buf sent;         /* runs that may have older rows to delete: numbers and commas */
    char column[SMI_METRIC_COUNT][SMI_CH_NAME];
    bool has[SMI_METRIC_COUNT]; /* some row so far has a reading of it */
    bool more;                  /* the tables may have no column for some of these */
    /* the run at hand: */
    const struct smi_export_run *r;
    const json_t *stored; /* or NULL */
    uint64_t load, nrows, nmarks, digest;
    struct smi_buf summary; /* the JSON of the run */
    const struct smi_export_input *in;
    /* documents of PyTorch's CI: */
    struct smi_pytorch_sink sink;
    struct smi_target_out *source;  /* what makes documents of runs; NULL: they are not asked for */
    char table[KINDS][SMI_CH_NAME]; /* where rows go */
    char where[700], id[64];        /* which rows are of the job at hand; the query id of its inserts */
};

/* Does it on every shard; a plan is that of one. */
static int on_shards(struct out *o, int (*run)(struct out *o, struct smi_err *err), struct smi_err *err)
{
    struct smi_ch_server *s = &o->server;
    int rc = 0;
    for (size_t at = 0; at < s->shards.n && !rc && !(at && s->plan); at += strlen(s->shards.p + at) + 1) {
        s->host = s->shards.p[at] ? s->shards.p + at : s->place.host;
        rc = run(o, err);
    }
    s->host = s->place.host;
    return rc;
}

static int make_tables(struct out *o, struct smi_err *err)
{
    struct smi_ch_server *s = &o->server;
    for (enum table t = 0; t < TABLES; t++) {
        const char *local = tables[t].name[0], *name = tables[t].name[1];
        if (smi_ch_ask(s, err, "CREATE TABLE IF NOT EXISTS %s (%s) ENGINE = ReplacingMergeTree %s", local,
                       tables[t].columns, tables[t].engine) ||
            (s->all &&
             smi_ch_ask(s, err, "CREATE TABLE IF NOT EXISTS %s AS %s ENGINE = Distributed(%s, %s, %s, run)",
                        name, local, s->place.cluster, s->place.database, local)) ||
            /* somebody else's table is refused before anything is changed */
            (!s->plan && smi_ch_ask(s, err, "SELECT load FROM %s LIMIT 0", local)))
            return -1;
    }
    return 0;
}

/* Returns 1, 0 also if there is no such table, or -1 with err. */
static int has_column(struct smi_ch_server *s, const char *table, const char *column, struct smi_err *err)
{
    struct smi_err why = {0};
    if (smi_ch_ask(s, &why, "SELECT %s FROM %s LIMIT 0", column, table) == 0)
        return 1;
    return s->code == NO_COLUMN || s->code == NO_TABLE ? 0 : smi_err_set(err, why.code, "%s", why.text);
}

/* Columns for all metrics that rows have, in the tables of samples. Somebody else may do the same. */
static int add_columns(struct out *o, struct smi_err *err)
{
    struct smi_ch_server *s = &o->server;
    for (int all = 0; all <= s->all; all++)
        for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
            const char *table = tables[SAMPLES].name[all];
            struct smi_err why = {0};
            int there = o->has[m] ? has_column(s, table, o->column[m], err) : 1;
            if (!there && smi_ch_ask(s, &why, "ALTER TABLE %s ADD COLUMN %s Nullable(Decimal(18, 6))", table,
                                     o->column[m]))
                there = has_column(s, table, o->column[m], err) > 0
                            ? 1
                            : smi_err_set(err, why.code, "%s", why.text);
            if (there < 0)
                return -1;
        }
    return 0;
}

/* ---- documents of PyTorch's CI into its two tables. The tables are plain MergeTrees of
 * somebody else's, so a row that is sent twice is there twice. The metadata of a job is sent last: a job that
 * has it is there, and of one without it the rows are deleted before it is sent. Inserts of a job have one
 * query id, so that two of them never run at once. ---- */
/* PyTorch's own columns, with types that every server from 18.16 on knows: seconds instead of DateTime64, and
 * the segments as text, for a list of tuples with maps. A table that is there may have upstream's own types.
 */
#define JOB                                                                                          \
    "repo String DEFAULT 'pytorch/pytorch', workflow_id UInt64, run_attempt UInt32, job_id UInt64, " \
    "workflow_name String, job_name String, "
#define ORDER "ORDER BY (workflow_id, job_id, repo, workflow_name, job_name, "
static const struct {
    const char *name, *columns, *order;
} document_tables[KINDS] = {
    {"oss_ci_time_series",
     "created_at DateTime('UTC'), type String, tags Array(String), time_stamp DateTime('UTC'), " JOB
     "json_data String DEFAULT '{}'",
     "PARTITION BY toYYYYMM(time_stamp) " ORDER "type, time_stamp)"},
    {"oss_ci_utilization_metadata",
     "created_at DateTime('UTC'), " JOB
     "usage_collect_interval Float32, data_model_version String, gpu_count UInt32, cpu_count UInt32, "
     "gpu_type String DEFAULT 'None', start_at DateTime('UTC'), end_at DateTime('UTC'), "
     "segments_json String DEFAULT '[]', tags Array(String)",
     "PARTITION BY toYYYYMM(start_at) " ORDER "start_at)"}};

/* A table that is there by upstream's name holds its rows itself, and gets ours; a Distributed one has them
 * beside it, in ..._local. */
static int make_document_tables(struct out *o, struct smi_err *err)
{
    struct smi_ch_server *s = &o->server;
    int has = 0;
    for (int k = 0; k < KINDS && has >= 0; k++) {
        const char *name = document_tables[k].name;
        if (smi_ch_ask(s, err, "CREATE TABLE IF NOT EXISTS %s (%s) ENGINE = MergeTree %s", name,
                       document_tables[k].columns, document_tables[k].order))
            return -1;
        snprintf(o->table[k], sizeof o->table[k], "%s_local", name);
        has = has_column(s, o->table[k], "job_id", err);
        if (!has)
            o->table[k][strlen(name)] = 0;
    }
    has = has < 0 ? -1 : has_column(s, o->table[1], "segments", err);
    o->sink.flat = !has;
    return has < 0 ? -1 : 0;
}

static int has_job(void *self, const struct smi_pytorch_job *job, struct smi_err *err)
{
    struct out *o = self;
    int64_t n;
    /* no name stands in SQL that has other letters than names have */
    snprintf(o->where, sizeof o->where,
             "workflow_id = %" PRIu64 " AND job_id = %" PRIu64 " AND repo = '%s' AND run_attempt = %" PRIu64,
             job->workflow_id, job->job_id, job->repo, job->run_attempt);
    snprintf(o->id, sizeof o->id, "smilog-%016" PRIx64, smi_digest_of(o->where, strlen(o->where)));
    n = has_column(&o->server, o->table[1], "job_id", err); /* a plan makes the table */
    if (n > 0)
        n = smi_ch_ask(&o->server, err, "SELECT count() FROM %s WHERE %s", o->table[1], o->where);
    return n < 0 ? -1 : n > 0;
}

/* Whole lines go, many at once. */
static int insert_lines(struct out *o, const char *table, const struct smi_block_list *lines,
                        struct smi_err *err)
{
    struct smi_block_list_cursor at = {.of = lines};
    struct smi_buf block = {0};
    int more = 1, rc = 0;
    while (more > 0 && !rc) {
        more = smi_block_list_more(&at, err);
        smi_buf_add(&block, at.p, at.n);
        at.n = 0;
        if (block.n >= SEND_BYTES || (!more && block.n)) {
            const char *lf = memrchr(block.p, '\n', block.n);
            const size_t n = lf ? (size_t)(lf + 1 - block.p) : 0;
            rc = n ? smi_ch_post(&o->server, table, o->id, (struct smi_text){block.p, n}, err) : 0;
            memmove(block.p, block.p + n, block.n - n);
            block.n -= n;
        }
    }
    smi_block_list_cursor_fini(&at);
    smi_buf_fini(&block);
    return rc || more ? -1 : 0;
}

/* No row of the job may be there: the metadata goes first, without it the job is not there; in the table of
 * the time series others may keep other things. Another export may write the job at the same time, or the
 * server still works at an insert of one that died. The last one to count sees the rows of all: it puts the
 * job again. */
static int put_job(void *self, const struct smi_pytorch_documents *d, struct smi_err *err)
{
    static const char ours[] = "type = 'utilization' AND ";
    struct out *o = self;
    struct smi_ch_server *s = &o->server;
    const int64_t until_ms = smi_clock_now_ms() + s->patience.done_ms;
    if (s->plan)
        return 0;
    do {
        int64_t n = -1;
        *err = (struct smi_err){0};
        if (!smi_ch_delete(s, o->table[1], "", o->where, err) &&
            !smi_ch_delete(s, o->table[0], ours, o->where, err) &&
            !insert_lines(o, o->table[0], &d->of[SMI_PYTORCH_SERIES], err) &&
            !insert_lines(o, o->table[1], &d->of[SMI_PYTORCH_METADATA], err))
            n = smi_ch_ask(
                s, err,
                "SELECT count() FROM (SELECT job_id FROM %s WHERE %s UNION ALL SELECT job_id FROM %s "
                "WHERE %s%s)",
                o->table[1], o->where, o->table[0], ours, o->where);
        if (n == (int64_t)d->records + 1)
            return 0;
        if (n >= 0) {
            s->status = 0; /* as if the server had been away */
            smi_err_set(err, SMI_EIO, "other exports write this job, too: %.300s", o->where);
        }
    } while (may_try_again(s, until_ms));
    return -1;
}

/* ---- opening ---- */

static int take_run(void *self, const json_t *row, struct smi_err *err)
{
    struct out *o = self;
    (void)err;
    json_object_set(o->runs, smi_ch_text(row, "run"), (json_t *)row);
    return 0;
}

/* The newest row of every run. */
static int read_runs(struct out *o, struct smi_err *err)
{
    struct smi_ch_server *s = &o->server;
    const char *runs = tables[RUNS].name[s->all];
    const int there = has_column(s, runs, "load", err);
    o->runs = json_object();
    if (there <= 0) /* a plan makes it */
        return there;
    s->row = take_run;
    s->self = o;
    return (int)smi_ch_ask(
        s, err, "SELECT run, load, samples, digest FROM %s ORDER BY run, load DESC LIMIT 1 BY run", runs);
}

/* ---- sending ---- */

static int send_rows(struct out *o, enum table table, struct smi_err *err)
{
    struct smi_buf *rows = &o->rows[table];
    int rc = o->more ? on_shards(o, add_columns, err) : 0;
    o->more = rc;
    if (!rc && rows->n)
        rc = post_retry(&o->server, tables[table].name[o->server.all], (struct smi_text){rows->p, rows->n},
                        err);
    smi_buf_clear(rows);
    return rc;
}

/* Deletes the rows that never count again, also those of others, and waits until the server has done it. An
 * export that still sends such rows deletes the rest of them. */
static int delete_old_rows(struct out *o, struct smi_err *err)
{
    struct smi_ch_server *s = &o->server;
    struct smi_buf old = {0}; /* terms joined by OR would take each row through all of them */
    int rc = (int)smi_ch_ask(
        s, err,
        "SELECT concat('run IN (%s) AND load < transform(run, ', toString(groupArray(run)), ', ', "
        "toString(groupArray(last)), ', toUInt64(0))') FROM (SELECT run, max(load) AS last "
        "FROM runs_local WHERE run IN (%s) GROUP BY run) HAVING count() > 0",
        o->sent.p, o->sent.p);
    smi_buf_add(&old, s->answer.p, rc ? 0 : strcspn(s->answer.p, "\n"));
    for (enum table t = 0; t < TABLES && !rc && old.n; t++) /* else the shard has none of the runs */
        rc = smi_ch_delete(s, tables[t].name[0], "", old.p, err);
    smi_buf_fini(&old);
    return rc;
}

/* Samples and marks go first: a run whose row is there is there whole. */
static int flush_rows(struct out *o, struct smi_err *err)
{
    int rc = send_rows(o, SAMPLES, err) || send_rows(o, MARKS, err) || send_rows(o, RUNS, err) ? -1 : 0;
    if (!rc && o->sent.n)
        rc = on_shards(o, delete_old_rows, err);
    smi_buf_clear(&o->sent);
    return rc;
}

/* ---- a run into rows ---- */

static int count_row(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct out *o = self;
    (void)err;
    o->nrows++;
    for (unsigned i = 0; i < row->n; i++) {
        o->more |= !o->has[row->metric[i]];
        o->has[row->metric[i]] = true;
    }
    return 0;
}

/* Reads all rows once: how many they are, of which metrics, and a digest of all that is exported. */
static int measure_run(struct out *o, struct smi_err *err)
{
    struct smi_buf all = {0};
    int rc = 0;
    smi_run_jsonl(&o->summary, o->r->summary);
    smi_buf_fmt(&all, "%s%s", o->summary.p, o->r->partial.p);
    for (size_t i = 0; i < o->r->inputs && !rc; i++) {
        const struct smi_export_input *in = &o->r->input[i];
        smi_buf_fmt(&all, "%s\n%s\n%" PRIx64 " %" PRIu64 " %" PRIu64 " %d %" PRId64 "\n", in->path,
                    in->format, in->part->tape->digest, in->rows, in->marks, (int)in->base, in->shift_ms);
        o->nmarks += in->marks;
        rc = smi_export_rows(o->r, i, 0, count_row, o, err);
    }
    o->digest = smi_digest_of(all.p, all.n);
    smi_buf_fini(&all);
    return rc;
}

static void begin_row(struct out *o, enum table table, struct smi_json *j)
{
    smi_json_begin(j, &o->rows[table]);
    smi_json_open(j, '{');
    smi_json_key_i128(j, smi_text_of("run"), o->r->id);
    smi_json_key_i128(j, smi_text_of("load"), o->load);
}

static int end_row(struct out *o, enum table table, struct smi_json *j, struct smi_err *err)
{
    smi_json_close(j, '}');
    smi_buf_char(&o->rows[table], '\n');
    return o->rows[table].n < SEND_BYTES || table == RUNS ? 0 : send_rows(o, table, err);
}

static int put_sample(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct out *o = self;
    const struct smi_gpu *g = row->gpu >= 0 ? &o->r->summary->gpus[row->gpu] : NULL;
    int64_t t_ms = row->timed ? row->t_ms : 0, ms = (t_ms % 1000 + 1000) % 1000, s = (t_ms - ms) / 1000;
    struct smi_json j;
    begin_row(o, SAMPLES, &j);
    smi_json_key_int(&j, "gpu", !g ? -1 : g->pooled ? -2 : g->index >= 0 ? g->index : row->gpu);
    smi_json_key_int(&j, "time", s < 0 ? 0 : s > UINT32_MAX ? UINT32_MAX : s); /* 1970 to 2106 */
    smi_json_key_int(&j, "ms", ms);
    smi_json_key_int(&j, "timed", row->timed);
    smi_json_key_int(&j, "utc", o->in->base == SMI_TIME_BASE_UTC);
    smi_json_key_str(&j, "uuid", g && g->uuid ? g->uuid : "");
    smi_json_key_int(&j, "row", (int64_t)row->ordinal);
    smi_json_key_str(&j, "input", o->in->path);
    for (unsigned i = 0; i < row->n; i++)
        smi_json_key_micro(&j, smi_text_of(o->column[row->metric[i]]), row->v[i]);
    return end_row(o, SAMPLES, &j, err);
}

static int put_mark(void *self, const struct smi_export_mark *mark, struct smi_err *err)
{
    struct out *o = self;
    const struct smi_mark *m = mark->of;
    struct smi_json j;
    begin_row(o, MARKS, &j);
    smi_json_key_str(&j, "input", o->in->path);
    smi_json_key_int(&j, "mark", (int64_t)mark->ordinal);
    smi_json_key_str(&j, "kind", mark->kind);
    smi_json_key(&j, "name");
    smi_json_text(&j, m->name);
    smi_json_key_int(&j, "t_us", m->t_us);
    smi_json_key_int(&j, "span_us", m->kind == SMI_MARK_PHASE ? m->span_us : 0);
    smi_json_key_str(&j, "data", mark->data ? mark->data : "");
    smi_json_key_str(&j, "extra", mark->extra ? mark->extra : "");
    return end_row(o, MARKS, &j, err);
}

/* The run's row, which is there, waits: it goes behind all of its other rows. */
static int keep_run_row(struct out *o, struct smi_err *err)
{
    smi_buf_fmt(&o->sent, "%s%" PRIu64, o->sent.n ? "," : "", o->r->id);
    return o->sent.n < SENT_BYTES && o->rows[RUNS].n < SEND_BYTES ? 0 : flush_rows(o, err);
}

static int add_run_row(struct out *o, struct smi_err *err)
{
    const struct smi_summary *s = o->r->summary;
    struct smi_json j;
    begin_row(o, RUNS, &j);
    smi_json_key_str(&j, "name", s->run);
    smi_json_key_str(&j, "place", o->r->place);
    smi_json_key_str(&j, "leaf", o->r->leaf);
    smi_json_key_str(&j, "host", s->hostname ? s->hostname : "");
    smi_json_key_int(&j, "loaded", smi_clock_utc_ms() / 1000);
    smi_json_key_str(&j, "smilog", SMILOG_VERSION);
    smi_json_key_i128(&j, smi_text_of("samples"), o->nrows);
    smi_json_key_i128(&j, smi_text_of("marks"), o->nmarks);
    smi_json_key_i128(&j, smi_text_of("digest"), o->digest);
    smi_json_key_str(&j, "summary", o->summary.p);
    smi_json_key_str(&j, "partial", o->r->partial.p);
    end_row(o, RUNS, &j, err);
    return keep_run_row(o, err);
}

/* ---- a run against what is stored ---- */

static int import_run(struct out *o, struct smi_err *err)
{
    const bool stays = o->stored && !o->set.replace;
    if (measure_run(o, err))
        return -1;
    if (stays && o->nrows < smi_ch_number(o->stored, "samples")) /* the logs are not what they were */
        return smi_err_set(err, SMI_EUSAGE,
                           "the store has a run %.150s with %s rows, and these logs have %" PRIu64
                           ": --replace takes what is stored out, and another database keeps both",
                           o->r->summary->run, smi_ch_text(o->stored, "samples"), o->nrows);
    if (stays && smi_ch_number(o->stored, "digest") == o->digest) /* an export may have died meanwhile */
        return o->server.plan ? 0 : keep_run_row(o, err);
    for (size_t i = 0; i < o->r->inputs && !o->server.plan; i++) {
        o->in = &o->r->input[i];
        if (smi_export_rows(o->r, i, 0, put_sample, o, err) || smi_export_marks(o->r, i, 0, put_mark, o, err))
            return -1;
    }
    o->base.runs++;
    o->base.rows += o->nrows;
    o->base.marks += o->nmarks;
    return o->server.plan ? 0 : add_run_row(o, err);
}

static int export_run(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                      struct smi_err *err)
{
    struct out *o = (struct out *)self;
    char run[24];
    int rc;
    snprintf(run, sizeof run, "%" PRIu64, r->id);
    o->r = r;
    o->stored = json_object_get(o->runs, run);
    o->load = unique_number();
    if (o->stored && o->load <= smi_ch_number(o->stored, "load"))
        o->load = smi_ch_number(o->stored, "load") + 1;
    o->nrows = o->nmarks = 0;
    smi_buf_clear(&o->summary);
    rc = import_run(o, err);
    if (!rc && o->source) {
        rc = smi_target_pytorch.run(o->source, r, say, err);
        self->doubts = o->source->doubts;
        self->documents = o->source->documents;
    }
    return rc;
}

/* ---- the target ---- */

static int close_target(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc = keep ? flush_rows(o, err) : 0;
    for (int t = 0; t < TABLES; t++)
        smi_buf_fini(&o->rows[t]);
    smi_buf_fini(&o->sent);
    json_decref(o->runs);
    if (o->source)
        smi_target_pytorch.close(o->source, false, NULL);
    smi_buf_fini(&o->summary);
    smi_ch_server_close(&o->server);
    smi_mem_free(o);
    return rc;
}

static struct smi_target_out *open_target(const struct smi_target *target, const char *where,
                                          const struct smi_target_set *set, struct smi_err *err)
{
    struct out *o = smi_mem_new(1, sizeof *o);
    struct smi_buf url = {0};
    smi_buf_fmt(&url, "%s%s", target->prefix, where);
    o->set = *set;
    o->sink = (struct smi_pytorch_sink){has_job, put_job, o, .flat = true};
    o->set.sink = &o->sink;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        smi_ch_metric_column(o->column[m], m);
    int rc = smi_ch_server_open(&o->server, url.p, set->password_file, &smi_ch_patience, err);
    o->server.plan = set->plan;
    if (!rc && set->pytorch)
        o->source = smi_target_pytorch.open(&smi_target_pytorch, "", &o->set, err);
    smi_buf_fini(&url);
    if (!rc && (!set->pytorch || o->source) && on_shards(o, make_tables, err) == 0 &&
        read_runs(o, err) == 0 && (!o->source || make_document_tables(o, err) == 0))
        return &o->base;
    close_target(&o->base, false, NULL);
    return NULL;
}

const struct smi_target smi_target_clickhouse = {
    .prefix = "clickhouse",
    .form = "clickhouse[s]://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME]",
    .help = "a ClickHouse store; clickhouses: over TLS",
    .open = open_target,
    .run = export_run,
    .close = close_target,
    .store = true,
    .texts = (uint64_t)1 << SMI_FMT_USAGE_LOG,
};
