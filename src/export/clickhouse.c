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
#include "report/output.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

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
    char port[8], path[SMI_CH_NAME + 2], query[SMI_CH_NAME + sizeof cluster];
    if (smi_curl.curl_url_set(u, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK ||
        !copy_part(u, CURLUPART_HOST, p->host, sizeof p->host) || !*p->host ||
        !copy_part(u, CURLUPART_PORT, port, sizeof port) ||
        !copy_part(u, CURLUPART_USER, p->user, sizeof p->user) ||
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
    const char *host = strstr(url, "://"), *at = strrchr(url, '@');
    CURLU *u;
    bool is;
    memset(p, 0, sizeof *p);
    p->tls = strncmp(url, "clickhouses:", 12) == 0;
    host = p->tls || strncmp(url, "clickhouse:", 11) == 0 ? host : NULL;
    if (host && at > host && memchr(host + 3, ':', (size_t)(at - host - 3)))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: a password in a URL can be read by everybody: leave it out, and "
                           "set SMILOG_CLICKHOUSE_PASSWORD or --password-file");
    if (smi_curl_open(err))
        return -1;
    u = smi_curl.curl_url();
    if (!u)
        smi_mem_exhausted();
    is = read_parts(p, u, host ? url : "");
    smi_curl.curl_url_cleanup(u);
    return is ? 0
              : smi_err_set(
                    err, SMI_EUSAGE,
                    "clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME], with "
                    "names of at most %d letters, digits and underscores, no digit first",
                    SMI_CH_NAME - 1);
}

static void add_digest(uint64_t *digest, const char *p, size_t n)
{
    const uint64_t both[2] = {*digest, smi_digest_of(p ? p : "", n)};
    *digest = smi_digest_of((const char *)both, sizeof both);
}

uint64_t smi_ch_run(const char *place, const char *leaf)
{
    uint64_t h = 0;
    add_digest(&h, place, strlen(place));
    add_digest(&h, leaf, strlen(leaf));
    return h;
}

enum { PASSWORD = 4096 };

int smi_ch_password(const char *password_file, char **password, struct smi_err *err)
{
    const char *word = getenv("SMILOG_CLICKHOUSE_PASSWORD"),
               *path = password_file ? password_file : getenv("SMILOG_CLICKHOUSE_PASSWORD_FILE");
    struct smi_buf text = {0};
    int rc = 0;
    *password = NULL;
    if (!password_file && (word || !path || !*path)) {
        *password = word ? smi_mem_text(word, strlen(word)) : NULL;
        return 0;
    }
    rc = smi_file_read_all(&text, path, PASSWORD, err);
    if (!rc && text.n > PASSWORD)
        rc = smi_err_set(err, SMI_EUSAGE, "%.300s: that is no password", path);
    if (!rc)
        *password = smi_mem_text(text.n ? text.p : "", text.n ? strcspn(text.p, "\r\n") : 0);
    if (text.n)
        memset(text.p, 0, text.n);
    smi_buf_fini(&text);
    return rc;
}

/* ---- one answer ---- */

/* Numbers of the server's errors. */
enum { NO_COLUMN = 47, NO_TABLE = 60, NO_DATABASE = 81 };
enum { ANSWER = 1 << 29 /* bytes of a row, or of an answer that is no rows */, SAID = 300 };

const struct smi_ch_patience smi_ch_patience = {
    .connect_ms = 5000,
    .stall_s = 300,
    .retry_ms = 20000,
    .pause_ms = 200,
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
    int rc;
    s->code = strncmp(s->answer.p, "Code: ", 6) == 0 ? (int)strtol(s->answer.p + 6, NULL, 10) : 0;
    smi_buf_safe(&words, (struct smi_text){s->answer.p, n < SAID ? n : SAID});
    rc = smi_err_set(
        err, SMI_EIO, "ClickHouse %.100s:%d says: %s%s%s", s->host, s->place.port, n ? words.p : "nothing",
        s->code == NO_DATABASE ? " - make it first: CREATE DATABASE "
        : s->code == NO_COLUMN ? " - these tables are of another version of smilog: export the logs "
                                 "into a new database"
                               : "",
        s->code == NO_DATABASE ? s->place.database : "");
    smi_buf_fini(&words);
    return rc;
}

/* Hands the whole rows of the answer on, which are gone then. */
static int take_rows(struct smi_ch_server *s)
{
    size_t done = 0;
    int rc = 0;
    for (char *at = s->answer.p, *end; !rc && (end = memchr(at, '\n', s->answer.n - done)); at = end + 1) {
        json_t *row = json_loadb(at, (size_t)(end - at), 0, NULL);
        rc = row ? s->row(s->self, row, &s->refused) : bad_answer(s, &s->refused);
        json_decref(row);
        s->rows++;
        done = (size_t)(end + 1 - s->answer.p);
    }
    memmove(s->answer.p, s->answer.p + done, s->answer.n - done);
    s->answer.n -= done;
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

static const char *user_of(const struct smi_ch_server *s)
{
    return *s->place.user || !s->password ? s->place.user : "default";
}

/* Returns whether libcurl takes it all. */
static bool set_options(struct smi_ch_server *s, const char *url, struct smi_text body, char *why)
{
    CURL *e = s->easy;
    unsigned bad = 0;
    smi_curl.curl_easy_reset(e); /* the connection stays */
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, s->place.tls ? "https" : "http");
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_NOPROXY, "*");
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_USERAGENT, "smilog");
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_ERRORBUFFER, why);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, s->patience.connect_ms);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, 1L);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, s->patience.stall_s);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_BUFFERSIZE, 256L << 10);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_UPLOAD_BUFFERSIZE, 512L << 10);
    if (*user_of(s)) {
        bad |= smi_curl.curl_easy_setopt(e, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        bad |= smi_curl.curl_easy_setopt(e, CURLOPT_USERNAME, user_of(s));
        bad |= smi_curl.curl_easy_setopt(e, CURLOPT_PASSWORD, s->password ? s->password : "");
    }
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_URL, url);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, s->deadline_ms);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, receive_body);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_WRITEDATA, s);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.n);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_POSTFIELDS, body.p);
    return !bad;
}

int smi_ch_post(struct smi_ch_server *s, const char *sql, const char *id, struct smi_text body,
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
    /* the status is that of the whole answer */
    smi_buf_str(&url, sql ? "&insert_distributed_sync=1&query="
                          : "&wait_end_of_query=1&output_format_json_quote_64bit_integers=1");
    if (sql)
        smi_buf_percent(&url, smi_text_of(sql), "");
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

/* After an error: may the same be done again, as by a server that is away, or has too much to do? Then it
 * waits a while before. *until_ms: for how long it may be tried, or 0: patience begins now. */
static bool may_try_again(struct smi_ch_server *s, int64_t *until_ms)
{
    /* TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR, MEMORY_LIMIT_EXCEEDED,
     * TOO_MANY_PARTS, and a statement of this id that still runs; a shard is away:
     * ALL_CONNECTION_TRIES_FAILED */
    static const int passing[] = {159, 202, 209, 210, 241, 252, 216, 279};
    bool passes = s->status == 0 && !s->refused.code && !s->rows;
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        passes |= s->code == passing[i];
    if (!*until_ms)
        *until_ms = smi_clock_now_ms() + s->patience.retry_ms;
    if (!passes || smi_clock_now_ms() >= *until_ms)
        return false;
    (void)poll(NULL, 0, (int)s->patience.pause_ms);
    return true;
}

/* The same again and again until patience ends: for what may be done twice. */
static int post_retry(struct smi_ch_server *s, const char *sql, struct smi_text body, struct smi_err *err)
{
    int64_t until_ms = smi_clock_now_ms() + s->patience.retry_ms;
    struct smi_err own;
    do {
        own = (struct smi_err){0};
        if (smi_ch_post(s, sql, NULL, body, &own) == 0)
            return 0;
    } while (may_try_again(s, &until_ms));
    return smi_err_set(err, own.code, "%s", own.text);
}

int smi_ch_ask(struct smi_ch_server *s, smi_ch_row_fn *row, void *self, struct smi_err *err, const char *fmt,
               ...)
{
    struct smi_buf sql = {0};
    va_list ap;
    int rc;
    va_start(ap, fmt);
    smi_buf_vfmt(&sql, fmt, ap);
    va_end(ap);
    smi_buf_str(&sql, row ? " FORMAT JSONEachRow" : "");
    s->row = row;
    s->self = self;
    rc = post_retry(s, NULL, (struct smi_text){sql.p, sql.n}, err);
    s->row = NULL;
    smi_buf_fini(&sql);
    return rc;
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

/* How many rows there are. from: "table WHERE ...". */
static int count_rows(struct smi_ch_server *s, const char *from, uint64_t *n, struct smi_err *err)
{
    const int rc = smi_ch_ask(s, NULL, NULL, err, "SELECT count() FROM %s", from);
    *n = strtoull(s->answer.p, NULL, 10);
    return rc || smi_is_digit(*s->answer.p) ? rc : bad_answer(s, err);
}

int smi_ch_wait_for_none(struct smi_ch_server *s, const char *from, const char *what, struct smi_err *err)
{
    int64_t until = smi_clock_now_ms() + s->patience.done_ms;
    uint64_t n, before = 0;
    for (;;) {
        if (count_rows(s, from, &n, err))
            return -1;
        if (!n)
            return 0;
        if (n != before)
            until = smi_clock_now_ms() + s->patience.done_ms;
        before = n;
        if (smi_clock_now_ms() >= until)
            return smi_err_set(err, SMI_EIO, "ClickHouse %.100s:%d %.200s, and has not gone on for %lld s",
                               s->host, s->place.port, what, (long long)(s->patience.done_ms / 1000));
        (void)poll(NULL, 0, (int)s->patience.pause_ms);
    }
}

/* The time, and bits at random: nobody else has it, and it grows. */
static uint64_t unique_number(void)
{
    enum { RANDOM_BITS = 20 };
    uint64_t any = 0;
    if (getrandom(&any, sizeof any, GRND_NONBLOCK) < 0)
        any = (uint64_t)getpid();
    return (uint64_t)smi_clock_utc_ms() << RANDOM_BITS | (any & ((1u << RANDOM_BITS) - 1));
}

/* Deletes what is there now, and waits until the server has done it. Others may add such rows meanwhile. */
static int delete_rows(struct smi_ch_server *s, const char *table, const char *where, struct smi_err *err)
{
    const uint64_t own = unique_number(); /* tells this deletion from those of others */
    struct smi_buf b = {0};
    uint64_t n;
    int rc;
    smi_buf_fmt(&b, "%s WHERE %s", table, where);
    rc = count_rows(s, b.p, &n, err);
    smi_buf_clear(&b);
    smi_buf_fmt(&b, "system.mutations WHERE NOT is_done AND position(command, '%" PRIu64 "') > 0", own);
    if (!rc && n)
        rc = smi_ch_ask(s, NULL, NULL, err, "ALTER TABLE %s DELETE WHERE %s AND %" PRIu64 " > 0", table,
                        where, own) ||
                     smi_ch_wait_for_none(s, b.p, "is to delete rows", err)
                 ? -1
                 : 0;
    smi_buf_fini(&b);
    return rc;
}

/* ---- the connection ---- */

static int add_shard(void *self, const json_t *row, struct smi_err *err)
{
    struct smi_ch_server *s = self;
    (void)err;
    *SMI_MEM_ADD(s->shard, s->shards, s->cap) = smi_copy_text(&s->arena, smi_ch_text(row, "host"));
    return 0;
}

int smi_ch_server_open(struct smi_ch_server *s, const char *url, const char *password_file,
                       const struct smi_ch_patience *patience, struct smi_err *err)
{
    *s = (struct smi_ch_server){.patience = *patience, .most = ANSWER, .deadline_ms = patience->hello_ms};
    if (smi_ch_url_parse(&s->place, url, err) || smi_ch_password(password_file, &s->password, err))
        return -1;
    s->host = s->place.host;
    s->easy = smi_curl.curl_easy_init();
    if (!s->easy)
        smi_mem_exhausted();
    if (smi_ch_post(s, NULL, NULL, smi_text_of("SELECT version()"), err))
        return -1;
    s->deadline_ms = patience->answer_ms;
    if (!smi_is_digit(*s->answer.p))
        return smi_err_set(err, SMI_EFORMAT, "ClickHouse %.200s:%d: no version is what it answers", s->host,
                           s->place.port);
    if (!*s->place.cluster)
        *SMI_MEM_ADD(s->shard, s->shards, s->cap) = s->place.host;
    else if (smi_ch_ask(
                 s, add_shard, s, err,
                 "SELECT DISTINCT host_name AS host FROM system.clusters WHERE cluster = '%s' ORDER BY host",
                 s->place.cluster))
        return -1;
    return s->shards ? 0
                     : smi_err_set(err, SMI_EUSAGE, "ClickHouse %.200s:%d knows no cluster %s", s->host,
                                   s->place.port, s->place.cluster);
}

void smi_ch_server_close(struct smi_ch_server *s)
{
    if (s->easy)
        smi_curl.curl_easy_cleanup(s->easy);
    if (s->password)
        memset(s->password, 0, strlen(s->password));
    smi_mem_free(s->password);
    smi_mem_free(s->shard);
    smi_arena_fini(&s->arena);
    smi_buf_fini(&s->answer);
    *s = (struct smi_ch_server){0};
}

/* ==== the tables, and runs into and out of them ==== */

/* ---- tables ---- */

enum table { SAMPLES, RUNS, MARKS, TABLES };

/* The columns of a table and what follows them, with types that every server from 18.16 on knows. Behind
 * those of samples_local there is one for each metric that some log had: hundreds more would be files of each
 * part, which inserts, merges and deletions write again. A granule is what a server reads at least: a partial
 * has a hundred kilobytes. samples: gpu is an index, -1 for the machine, -2 for rows of GPUs that cannot be
 * told apart; time is in UTC where utc is 1, ms its milliseconds, and there is none where timed is 0; row is
 * its place in the input. runs: run is a sum over place and leaf; state is loaded or removed; digest is over
 * the logs, summary and partial. marks: of a phase, t_us is its end. */
static const struct {
    const char *name, *columns, *engine;
} tables[TABLES] = {
    [SAMPLES] =
        {"samples",
         "run UInt64, gpu Int32, time DateTime('UTC'), ms UInt16, timed UInt8, utc UInt8, uuid String, row "
         "UInt64, input String, load UInt64",
         "ORDER BY (run, load, gpu, time, input, row) SETTINGS index_granularity = 8192"},
    [RUNS] = {"runs",
              "run UInt64, load UInt64, name String, place String, leaf String, host String, state String, "
              "loaded DateTime('UTC'), smilog String, samples UInt64, marks UInt64, digest UInt64, summary "
              "String, "
              "partial String",
              "ORDER BY (run, load) SETTINGS index_granularity = 16"},
    [MARKS] =
        {"marks",
         "run UInt64, input String, mark UInt64, kind String, name String, t_us Int64, span_us Int64, data "
         "String, extra String, load UInt64",
         "ORDER BY (run, load, input, mark) SETTINGS index_granularity = 8192"},
};
static const char metric_type[] = "Nullable(Decimal(18, 6))";

/* Its key, dots as underscores, as a dot means something else to ClickHouse. */
void smi_ch_metric_column(char to[SMI_CH_NAME], unsigned metric)
{
    snprintf(to, SMI_CH_NAME, "%s", smi_metrics[metric].key);
    for (char *p = to; (p = strchr(p, '.')); p++)
        *p = '_';
}

/* Where rows go and are read, with the database. */
struct table_name {
    char text[2 * SMI_CH_NAME + 16];
};

/* local: that of one shard. */
static struct table_name name_of(const struct smi_ch_server *s, enum table t, bool local)
{
    struct table_name n;
    snprintf(n.text, sizeof n.text, "%s.%s%s", s->place.database, tables[t].name,
             local || !*s->place.cluster ? "_local" : "");
    return n;
}

/* ---- runs back out of the tables ---- */

struct fetch {
    struct smi_merge_queue *to;
    char where[300];
};

static int take_partial(void *self, const json_t *row, struct smi_err *err)
{
    struct fetch *f = self;
    const json_t *partial = json_object_get(row, "partial");
    const char *text = smi_ch_text(row, "partial");
    const size_t n = json_string_length(partial);
    return smi_merge_queue_add(f->to, text, n - (n && text[n - 1] == '\n'), f->where, f->to->n + 1, err);
}

int smi_ch_fetch(struct smi_merge_queue *p, const char *where, struct smi_err *err)
{
    struct smi_ch_server s;
    struct fetch f = {.to = p};
    struct smi_err own = {0};
    const size_t before = p->n;
    int rc = smi_ch_server_open(&s, where, NULL, &smi_ch_patience, err);
    if (!rc) {
        const struct table_name runs = name_of(&s, RUNS, false);
        snprintf(f.where, sizeof f.where, "%.200s:%d", s.place.host, s.place.port);
        rc = smi_ch_ask(
            &s, take_partial, &f, &own,
            "SELECT partial FROM %s WHERE state != 'removed' AND (run, load) GLOBAL IN (SELECT run, "
            "max(load) FROM %s GROUP BY run) LIMIT 1 BY run",
            runs.text, runs.text);
        if ((!rc || s.code == NO_TABLE) && p->n == before)
            rc = smi_err_set(err, SMI_EFORMAT,
                             "no run of smilog is in the database %s of ClickHouse %.100s:%d",
                             s.place.database, s.place.host, s.place.port);
        else if (rc)
            smi_err_set(err, own.code, "%s", own.text);
    }
    smi_ch_server_close(&s);
    return rc;
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
    struct smi_ch_server server;
    json_t *runs, *names;        /* the newest row of every run, by run; by name, in lists */
    struct smi_buf rows[TABLES]; /* that wait: a line of JSON each */
    struct smi_buf sent;         /* runs that have older rows to delete: numbers and commas */
    size_t nsent;
    char column[SMI_METRIC_COUNT][SMI_CH_NAME];
    bool has[SMI_METRIC_COUNT];  /* some waiting row of samples has a reading of it; dry: some row */
    bool made[SMI_METRIC_COUNT]; /* samples have a column for it */
    bool ours;                   /* and one for the load; somebody else's table is not changed */
    /* the run at hand: */
    const struct smi_export_run *r;
    const json_t *stored; /* or NULL */
    uint64_t run_id, load, nrows, nmarks, digest;
    char run[24];           /* run_id as text */
    struct smi_buf summary; /* the JSON of the run */
    const struct smi_export_input *in;
    /* documents of PyTorch's CI: */
    struct smi_pytorch_sink sink;
    struct smi_target_out *source;      /* what makes documents of runs; NULL: they are not asked for */
    char table[KINDS][2 * SMI_CH_NAME]; /* where rows go, with the database */
    bool there[KINDS];
    char where[700], id[64]; /* which rows are of the job at hand; the query id of its inserts */
};

/* A statement that changes something; of a dry run it is written into the plan. */
static int execute(struct out *o, struct smi_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int execute(struct out *o, struct smi_err *err, const char *fmt, ...)
{
    struct smi_buf sql = {0};
    va_list ap;
    int rc = 0;
    va_start(ap, fmt);
    smi_buf_vfmt(&sql, fmt, ap);
    va_end(ap);
    if (o->set.dry)
        smi_buf_fmt(o->set.plan, "%s;\n", sql.p);
    else
        rc = smi_ch_ask(&o->server, NULL, NULL, err, "%s", sql.p);
    smi_buf_fini(&sql);
    return rc;
}

/* Does it on every shard; a plan is that of one. */
static int on_shards(struct out *o, int (*run)(struct out *o, struct smi_err *err), struct smi_err *err)
{
    struct smi_ch_server *s = &o->server;
    int rc = 0;
    for (size_t i = 0; i < s->shards && !rc && !(i && o->set.dry); i++) {
        s->host = s->shard[i];
        rc = run(o, err);
    }
    s->host = s->place.host;
    return rc;
}

static int make_tables(struct out *o, struct smi_err *err)
{
    const struct smi_ch_url *to = &o->server.place;
    for (enum table t = 0; t < TABLES; t++) {
        const char *name = tables[t].name;
        if (execute(o, err, "CREATE TABLE IF NOT EXISTS %s.%s_local (%s) ENGINE = ReplacingMergeTree %s",
                    to->database, name, tables[t].columns, tables[t].engine) ||
            (*to->cluster &&
             execute(o, err,
                     "CREATE TABLE IF NOT EXISTS %s.%s AS %s.%s_local ENGINE = Distributed(%s, %s, %s_local, "
                     "run)",
                     to->database, name, to->database, name, to->cluster, to->database, name)))
            return -1;
    }
    return 0;
}

static int take_column(void *self, const json_t *row, struct smi_err *err)
{
    struct out *o = self;
    (void)err;
    o->ours |= strcmp(smi_ch_text(row, "name"), "load") == 0;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        o->made[m] |= strcmp(smi_ch_text(row, "name"), o->column[m]) == 0;
    return 0;
}

/* Columns for the metrics that waiting rows have, in the table samples_local or samples. Somebody else may do
 * the same: then it is looked again what is there. */
static int add_columns_to(struct out *o, const char *table, struct smi_err *err)
{
    enum { TURNS = 5 };
    const char *database = o->server.place.database;
    struct smi_buf add = {0};
    struct smi_err why = {0};
    int rc = -1;
    for (int turn = 0; turn < TURNS && rc; turn++) {
        memset(o->made, 0, sizeof o->made);
        o->ours = o->set.dry;
        smi_buf_clear(&add);
        if (smi_ch_ask(&o->server, take_column, o, &why,
                       "SELECT name FROM system.columns WHERE database = '%s' AND table = '%s'", database,
                       table))
            break;
        if (!o->ours) {
            smi_err_set(&why, SMI_EIO, "ClickHouse %.100s:%d: %s.%s is not a table of this version of smilog",
                        o->server.host, o->server.place.port, database, table);
            break;
        }
        for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
            if (o->has[m] && !o->made[m])
                smi_buf_fmt(&add, "%s ADD COLUMN %s %s", add.n ? "," : "", o->column[m], metric_type);
        why = (struct smi_err){0};
        rc = add.n ? execute(o, &why, "ALTER TABLE %s.%s%s", database, table, add.p) : 0;
    }
    smi_buf_fini(&add);
    return rc ? smi_err_set(err, why.code, "%s", why.text) : 0;
}

static int add_columns(struct out *o, struct smi_err *err)
{
    const int rc = add_columns_to(o, "samples_local", err);
    return rc || !*o->server.place.cluster ? rc : add_columns_to(o, "samples", err);
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
static int take_table(void *self, const json_t *row, struct smi_err *err)
{
    struct out *o = self;
    const char *name = smi_ch_text(row, "name");
    (void)err;
    for (int k = 0; k < KINDS; k++) {
        const size_t n = strlen(document_tables[k].name);
        if (strncmp(name, document_tables[k].name, n) != 0 || (name[n] && strcmp(name + n, "_local") != 0))
            continue;
        o->there[k] = true;
        snprintf(o->table[k], sizeof o->table[k], "%s.%.*s", o->server.place.database, SMI_CH_NAME - 1, name);
    }
    return 0;
}

static int find_tables(struct out *o, struct smi_err *err)
{
    return smi_ch_ask(
        &o->server, take_table, o, err,
        "SELECT name FROM system.tables WHERE database = '%s' AND engine != 'Distributed' ORDER BY name",
        o->server.place.database);
}

static int make_document_tables(struct out *o, struct smi_err *err)
{
    const char *database = o->server.place.database;
    char from[1000];
    uint64_t n = 0;
    for (int k = 0; k < KINDS; k++)
        snprintf(o->table[k], sizeof o->table[k], "%s.%s", database, document_tables[k].name);
    if (find_tables(o, err))
        return -1;
    for (int k = 0; k < KINDS; k++)
        if (!o->there[k] &&
            execute(
                o, err,
                "CREATE TABLE IF NOT EXISTS %s (%s) ENGINE = MergeTree %s SETTINGS index_granularity = 8192",
                o->table[k], document_tables[k].columns, document_tables[k].order))
            return -1;
    snprintf(from, sizeof from, "system.columns WHERE database = '%s' AND table = '%s' AND name = 'segments'",
             database, o->table[1] + strlen(database) + 1);
    if (!o->set.dry && (find_tables(o, err) || count_rows(&o->server, from, &n, err)))
        return -1;
    o->sink.flat = !n;
    return 0;
}

static int has_job(void *self, const struct smi_pytorch_job *job, struct smi_err *err)
{
    struct out *o = self;
    char from[1000];
    uint64_t n = 0;
    /* no name stands in SQL that has other letters than names have */
    snprintf(o->where, sizeof o->where,
             "workflow_id = %" PRIu64 " AND job_id = %" PRIu64 " AND repo = '%s' AND run_attempt = %" PRIu64,
             job->workflow_id, job->job_id, job->repo, job->run_attempt);
    snprintf(o->id, sizeof o->id, "smilog-%016" PRIx64, smi_digest_of(o->where, strlen(o->where)));
    snprintf(from, sizeof from, "%s WHERE %s", o->table[1], o->where);
    return o->there[1] && count_rows(&o->server, from, &n, err) ? -1 : n > 0;
}

/* No insert of an export that died runs any more, and no row of the job is there. The metadata goes first:
 * without it the job is not there. In the table of the time series others may keep other things. */
static int begin_job(struct out *o, struct smi_err *err)
{
    struct smi_ch_server *server = &o->server;
    char text[1000];
    snprintf(text, sizeof text, "system.processes WHERE query_id = '%s'", o->id);
    if (smi_ch_wait_for_none(server, text, "still works at an insert", err))
        return -1;
    snprintf(text, sizeof text, "%s AND type = 'utilization'", o->where);
    return delete_rows(server, o->table[1], o->where, err) || delete_rows(server, o->table[0], text, err) ? -1
                                                                                                          : 0;
}

/* Another export may have written the job at the same time. The last one to come here sees the rows of all:
 * it puts the job again, which deletes them. */
static int check_job(struct out *o, uint64_t records, bool *clash, struct smi_err *err)
{
    char from[1000];
    uint64_t jobs = 0, series = 0;
    snprintf(from, sizeof from, "%s WHERE %s", o->table[1], o->where);
    if (count_rows(&o->server, from, &jobs, err))
        return -1;
    snprintf(from, sizeof from, "%s WHERE %s AND type = 'utilization'", o->table[0], o->where);
    if (count_rows(&o->server, from, &series, err))
        return -1;
    *clash = jobs != 1 || series != records;
    return *clash
               ? smi_err_set(err, SMI_EIO, "ClickHouse %.200s:%d: other exports write this job, too: %.300s",
                             o->server.host, o->server.place.port, o->where)
               : 0;
}

/* Whole lines go, many at once. */
static int insert_lines(struct out *o, const char *table, const struct smi_block_list *lines,
                        struct smi_err *err)
{
    struct smi_block_list_cursor at = {.of = lines};
    struct smi_buf block = {0};
    char sql[300];
    int more, rc = 0;
    snprintf(sql, sizeof sql, "INSERT INTO %s FORMAT JSONEachRow", table);
    do {
        more = smi_block_list_more(&at, err);
        rc = more < 0 ? -1 : 0;
        smi_buf_add(&block, at.p, at.n);
        at.n = 0;
        if (block.n >= BLOCK || (!more && block.n)) {
            const char *lf = memrchr(block.p, '\n', block.n);
            const size_t n = lf ? (size_t)(lf + 1 - block.p) : 0;
            rc = n ? smi_ch_post(&o->server, sql, o->id, (struct smi_text){block.p, n}, err) : 0;
            memmove(block.p, block.p + n, block.n - n);
            block.n -= n;
        }
    } while (more > 0 && !rc);
    smi_block_list_cursor_fini(&at);
    smi_buf_fini(&block);
    return rc;
}

static int put_job(void *self, const struct smi_pytorch_documents *d, struct smi_err *err)
{
    struct out *o = self;
    int64_t until_ms = 0;
    bool clash = false, again = !o->set.dry;
    while (again) {
        struct smi_err why = {0};
        clash = false;
        if (!begin_job(o, &why) && !insert_lines(o, o->table[0], &d->of[SMI_PYTORCH_SERIES], &why) &&
            !insert_lines(o, o->table[1], &d->of[SMI_PYTORCH_METADATA], &why) &&
            !check_job(o, d->records, &clash, &why))
            return 0;
        if (clash) { /* not all at the same time again */
            until_ms = until_ms ? until_ms : smi_clock_now_ms() + o->server.patience.done_ms;
            (void)poll(NULL, 0, (int)(unique_number() % 1024));
            again = smi_clock_now_ms() < until_ms;
        } else { /* a server that was away, or too busy, is asked again */
            again = why.code == SMI_EIO && may_try_again(&o->server, &until_ms);
        }
        if (!again)
            return smi_err_set(err, why.code, "%s", why.text);
    }
    return 0;
}

/* ---- opening ---- */

static int take_run(void *self, const json_t *row, struct smi_err *err)
{
    struct out *o = self;
    const char *name = smi_ch_text(row, "name");
    json_t *same = json_object_get(o->names, name), *run = json_incref((json_t *)row);
    (void)err;
    if (!same)
        json_object_set_new(o->names, name, same = json_array());
    json_array_append(same, run);
    json_object_set_new(o->runs, smi_ch_text(row, "run"), run);
    return 0;
}

static int open_store(struct out *o, const char *url, struct smi_err *err)
{
    if (smi_ch_server_open(&o->server, url, o->set.password_file, &smi_ch_patience, err) ||
        on_shards(o, make_tables, err))
        return -1;
    o->sink = (struct smi_pytorch_sink){has_job, put_job, o, .flat = true};
    o->set.sink = &o->sink;
    o->source = o->set.pytorch ? smi_target_pytorch.open(&smi_target_pytorch, "", &o->set, err) : NULL;
    if (o->set.pytorch && (!o->source || make_document_tables(o, err)))
        return -1;
    o->runs = json_object();
    o->names = json_object();
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        smi_ch_metric_column(o->column[m], m);
    if (smi_ch_ask(&o->server, take_run, o, err,
                   "SELECT run, load, name, place, leaf, host, state, samples, marks, digest FROM %s "
                   "ORDER BY run, load DESC LIMIT 1 BY run",
                   name_of(&o->server, RUNS, false).text) == 0)
        return 0;
    if (!o->set.dry || o->server.code != NO_TABLE)
        return -1;
    *err = (struct smi_err){0}; /* the plan makes it */
    return 0;
}

static void free_target(struct out *o)
{
    for (int t = 0; t < TABLES; t++)
        smi_buf_fini(&o->rows[t]);
    smi_buf_fini(&o->sent);
    json_decref(o->runs);
    json_decref(o->names);
    if (o->source)
        smi_target_pytorch.close(o->source, false, NULL);
    smi_buf_fini(&o->summary);
    smi_ch_server_close(&o->server);
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

static int send_rows(struct out *o, enum table table, struct smi_err *err)
{
    struct smi_buf *rows = &o->rows[table], sql = {0};
    bool more = false;
    int rc = 0;
    if (!rows->n)
        return 0;
    smi_buf_fmt(&sql, "INSERT INTO %s", name_of(&o->server, table, false).text);
    if (table == SAMPLES) { /* the server fills each named column row by row: most have no reading */
        smi_buf_str(&sql, " (run, load, gpu, time, ms, timed, utc, uuid, row, input");
        for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
            more |= o->has[m] && !o->made[m];
            smi_buf_fmt(&sql, "%s%s", o->has[m] ? ", " : "", o->has[m] ? o->column[m] : "");
        }
        smi_buf_char(&sql, ')');
        rc = more ? on_shards(o, add_columns, err) : 0;
        memset(o->has, 0, sizeof o->has);
    }
    smi_buf_str(&sql, " FORMAT JSONEachRow");
    rc = rc ? rc : post_retry(&o->server, sql.p, (struct smi_text){rows->p, rows->n}, err);
    smi_buf_fini(&sql);
    smi_buf_clear(rows);
    return rc;
}

/* Deletes the rows that never count again, also those of others, and waits until the server has done it. An
 * export that still sends such rows deletes the rest of them. */
static int delete_old_rows(struct out *o, struct smi_err *err)
{
    struct smi_ch_server *s = &o->server;
    const int n = (int)o->sent.n - 1;
    struct smi_buf old = {0}; /* terms joined by OR would take each row through all of them */
    int rc = smi_ch_ask(
        s, NULL, NULL, err,
        "SELECT concat('run IN (%.*s) AND load < transform(run, ', toString(groupArray(run)), ', ', "
        "toString(groupArray(last)), ', toUInt64(0))') FROM (SELECT run, max(load) AS last "
        "FROM %s WHERE run IN (%.*s) GROUP BY run) HAVING count() > 0",
        n, o->sent.p, name_of(s, RUNS, true).text, n, o->sent.p);
    smi_buf_add(&old, s->answer.p, rc ? 0 : strcspn(s->answer.p, "\n"));
    for (enum table t = 0; t < TABLES && !rc && old.n; t++) /* else the shard has none of the runs */
        rc = delete_rows(s, name_of(s, t, true).text, old.p, err);
    smi_buf_fini(&old);
    return rc;
}

/* Samples and marks go first: a run whose row is there is there whole. */
static int flush_rows(struct out *o, struct smi_err *err)
{
    if (send_rows(o, SAMPLES, err) || send_rows(o, MARKS, err))
        return -1;
    if (!o->nsent)
        return 0;
    if (send_rows(o, RUNS, err) || on_shards(o, delete_old_rows, err))
        return -1;
    smi_buf_clear(&o->sent);
    o->nsent = 0;
    return 0;
}

/* ---- a run into rows ---- */

static int count_row(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct out *o = self;
    (void)err;
    o->nrows++;
    for (unsigned i = 0; i < row->n && o->set.dry; i++)
        o->has[row->metric[i]] = true;
    return 0;
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

static void begin_row(struct out *o, enum table table, struct smi_json *j, uint64_t run)
{
    smi_json_begin(j, &o->rows[table]);
    smi_json_open(j, '{');
    smi_json_key_i128(j, smi_text_of("run"), run);
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
    begin_row(o, SAMPLES, &j, o->run_id);
    smi_json_key_int(&j, "gpu", !g ? -1 : g->pooled ? -2 : g->index >= 0 ? g->index : row->gpu);
    smi_json_key_int(&j, "time", s < 0 ? 0 : s > UINT32_MAX ? UINT32_MAX : s); /* 1970 to 2106 */
    smi_json_key_int(&j, "ms", ms);
    smi_json_key_int(&j, "timed", row->timed);
    smi_json_key_int(&j, "utc", o->in->base == SMI_TIME_BASE_UTC);
    smi_json_key_str(&j, "uuid", g && g->uuid ? g->uuid : "");
    smi_json_key_int(&j, "row", (int64_t)row->ordinal);
    smi_json_key_str(&j, "input", o->in->path);
    for (unsigned i = 0; i < row->n; i++) {
        o->has[row->metric[i]] = true;
        smi_json_key_micro(&j, smi_text_of(o->column[row->metric[i]]), row->v[i]);
    }
    return end_row(o, SAMPLES, &j, err);
}

static int put_mark(void *self, const struct smi_export_mark *mark, struct smi_err *err)
{
    struct out *o = self;
    const struct smi_mark *m = mark->of;
    struct smi_json j;
    begin_row(o, MARKS, &j, o->run_id);
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
static int keep_run_row(struct out *o, const char *run, struct smi_err *err)
{
    smi_buf_fmt(&o->sent, "%s,", run);
    return ++o->nsent < SEND_RUNS && o->rows[RUNS].n < SEND_BYTES ? 0 : flush_rows(o, err);
}

static int add_run_row(struct out *o, struct smi_err *err)
{
    const struct smi_summary *s = o->r->summary;
    struct smi_json j;
    begin_row(o, RUNS, &j, o->run_id);
    smi_json_key_str(&j, "name", s->run);
    smi_json_key_str(&j, "place", o->r->place);
    smi_json_key_str(&j, "leaf", o->r->leaf);
    smi_json_key_str(&j, "host", s->hostname ? s->hostname : "");
    smi_json_key_str(&j, "state", "loaded");
    smi_json_key_int(&j, "loaded", smi_clock_utc_ms() / 1000);
    smi_json_key_str(&j, "smilog", SMILOG_VERSION);
    smi_json_key_i128(&j, smi_text_of("samples"), o->nrows);
    smi_json_key_i128(&j, smi_text_of("marks"), o->nmarks);
    smi_json_key_i128(&j, smi_text_of("digest"), o->digest);
    smi_json_key(&j, "summary");
    smi_json_text(&j, (struct smi_text){o->summary.p, o->summary.n});
    smi_json_key(&j, "partial");
    smi_json_text(&j, o->r->partial);
    end_row(o, RUNS, &j, err);
    return keep_run_row(o, o->run, err);
}

/* ---- a run against what is stored ---- */

static bool is_removed(const json_t *run)
{
    return strcmp(smi_ch_text(run, "state"), "removed") == 0;
}

/* Its newest row says so, without summary and partial. */
static int remove_run(struct out *o, json_t *run, struct smi_err *err)
{
    char load[24], *text;
    json_object_set_new(run, "state", json_string("removed"));
    if (o->set.dry)
        return 0;
    snprintf(load, sizeof load, "%" PRIu64, o->load);
    json_object_set_new(run, "load", json_string(load));
    json_object_set_new(run, "loaded", json_integer(smi_clock_utc_ms() / 1000));
    text = json_dumps(run, JSON_COMPACT);
    smi_buf_fmt(&o->rows[RUNS], "%s\n", text);
    free(text);
    return keep_run_row(o, smi_ch_text(run, "run"), err);
}

/* Two runs of one name would be read as one. With --replace the other run is removed. */
static int resolve_name_clash(struct out *o, struct smi_err *err)
{
    size_t i;
    json_t *other;
    json_array_foreach (json_object_get(o->names, o->r->summary->run), i, other) {
        if (smi_ch_number(other, "run") == o->run_id || is_removed(other))
            continue;
        if (!o->set.replace)
            return smi_err_set(
                err, SMI_EUSAGE,
                "there is a run %.100s in the store, of the logs in %.200s: --replace takes it "
                "out, and another database keeps both",
                smi_ch_text(other, "name"), smi_ch_text(other, "place"));
        if (o->load <= smi_ch_number(other, "load"))
            o->load = smi_ch_number(other, "load") + 1;
        if (remove_run(o, other, err))
            return -1;
    }
    return 0;
}

static int import_run(struct out *o, struct smi_err *err)
{
    struct smi_target_out *done = &o->base;
    const struct smi_ch_server *server = &o->server;
    const bool stays = o->stored && !is_removed(o->stored) && !o->set.replace;
    if (measure_run(o, err) || resolve_name_clash(o, err))
        return -1;
    if (stays && o->nrows < smi_ch_number(o->stored, "samples")) /* the logs are not what they were */
        return smi_err_set(err, SMI_EUSAGE,
                           "ClickHouse %.100s:%d has a run %.150s with %s rows, and these logs have %" PRIu64
                           ": --replace takes what is stored out, and another database keeps both",
                           server->place.host, server->place.port, o->r->summary->run,
                           smi_ch_text(o->stored, "samples"), o->nrows);
    if (stays && smi_ch_number(o->stored, "digest") == o->digest) /* an export may have died meanwhile */
        return o->set.dry ? 0 : keep_run_row(o, o->run, err);
    for (size_t i = 0; i < o->r->inputs && !o->set.dry; i++) {
        o->in = &o->r->input[i];
        if (smi_export_rows(o->r, i, 0, put_sample, o, err) || smi_export_marks(o->r, i, 0, put_mark, o, err))
            return -1;
    }
    if (!o->set.dry && add_run_row(o, err))
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
    o->r = r;
    o->run_id = smi_ch_run(r->place, r->leaf);
    snprintf(o->run, sizeof o->run, "%" PRIu64, o->run_id);
    o->stored = json_object_get(o->runs, o->run);
    o->load = unique_number();
    if (o->stored && o->load <= smi_ch_number(o->stored, "load"))
        o->load = smi_ch_number(o->stored, "load") + 1;
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
    int rc = !keep ? 0 : o->set.dry ? on_shards(o, add_columns, err) : flush_rows(o, err);
    free_target(o);
    return rc;
}

#define STORE(scheme, words)                                                                                 \
    {                                                                                                        \
        .prefix = scheme ":", .form = scheme "://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME]", .help = words, \
        .open = open_target, .run = export_run, .close = close_target, .store = true,                        \
        .texts = (uint64_t)1 << SMI_FMT_USAGE_LOG                                                            \
    }
const struct smi_target smi_target_clickhouse = STORE("clickhouse", "a ClickHouse store"),
                        smi_target_clickhouses = STORE("clickhouses", "the same over TLS");
