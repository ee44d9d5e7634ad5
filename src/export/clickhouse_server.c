/* clickhouse_server.c - a ClickHouse server: its URL, and questions to it over HTTP. Rows come and go as
 * JSONEachRow: one object a line. */
#include "export/clickhouse.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

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

static int read_parts(struct smi_ch_url *p, CURLU *u, const char *url, struct smi_err *err)
{
    static const char cluster[] = "cluster=";
    char port[8], path[SMI_CH_NAME + 2], query[SMI_CH_NAME + sizeof cluster];
    if (smi_curl.curl_url_set(u, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK ||
        !copy_part(u, CURLUPART_HOST, p->host, sizeof p->host) || !*p->host ||
        !copy_part(u, CURLUPART_PORT, port, sizeof port) ||
        !copy_part(u, CURLUPART_USER, p->user, sizeof p->user))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE[?cluster=NAME]");
    p->port = *port ? atoi(port) : p->tls ? 8443 : 8123;
    if (p->port <= 0)
        return smi_err_set(err, SMI_EUSAGE, "clickhouse: there is no port 0");
    if (!copy_part(u, CURLUPART_PATH, path, sizeof path) || *path != '/' || !is_name(path + 1))
        return smi_err_set(
            err, SMI_EUSAGE,
            "clickhouse: the database behind the host: letters, digits and underscores, at most %d, "
            "no digit first",
            SMI_CH_NAME - 1);
    strcpy(p->database, path + 1);
    if (!copy_part(u, CURLUPART_QUERY, query, sizeof query) ||
        (*query &&
         (strncmp(query, cluster, sizeof cluster - 1) != 0 || !is_name(query + sizeof cluster - 1))))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: nothing but ?cluster=NAME stands behind the database");
    strcpy(p->cluster, *query ? query + sizeof cluster - 1 : "");
    return 0;
}

int smi_ch_url_parse(struct smi_ch_url *p, const char *url, struct smi_err *err)
{
    const char *host = strstr(url, "://"), *at = strrchr(url, '@');
    CURLU *u;
    int rc;
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
    rc = read_parts(p, u, host ? url : "", err);
    smi_curl.curl_url_cleanup(u);
    return rc;
}

/* FNV-1a, then the bits are spread (as Murmur does at its end). */
static uint64_t mix_hash(uint64_t h, const char *s)
{
    do
        h = (h ^ (unsigned char)*s) * 0x100000001b3u;
    while (*s++);
    return h;
}

uint64_t smi_ch_run(const char *place, const char *leaf)
{
    uint64_t h = mix_hash(mix_hash(0xcbf29ce484222325u, place), leaf);
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 33;
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
enum { NO_DATABASE = 81 };
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
    rc = smi_err_set(err, SMI_EIO, "ClickHouse %.100s:%d says: %s%s%s", s->host, s->place.port,
                     n ? words.p : "nothing",
                     s->code == NO_DATABASE ? " - make it first: CREATE DATABASE " : "",
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
    /* The status is that of the whole answer; a sort of all partials needs no memory for all of them. */
    smi_buf_str(&url, sql ? "&insert_distributed_sync=1&query="
                          : "&wait_end_of_query=1&output_format_json_quote_64bit_integers=1"
                            "&max_bytes_before_external_sort=500000000");
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

bool smi_ch_try_again(struct smi_ch_server *s, int64_t *until_ms)
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

int smi_ch_post_retry(struct smi_ch_server *s, const char *sql, struct smi_text body, struct smi_err *err)
{
    int64_t until_ms = smi_clock_now_ms() + s->patience.retry_ms;
    struct smi_err own;
    do {
        own = (struct smi_err){0};
        if (smi_ch_post(s, sql, NULL, body, &own) == 0)
            return 0;
    } while (smi_ch_try_again(s, &until_ms));
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
    rc = smi_ch_post_retry(s, NULL, (struct smi_text){sql.p, sql.n}, err);
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

int smi_ch_take_count(void *self, const json_t *row, struct smi_err *err)
{
    (void)err;
    *(uint64_t *)self = smi_ch_number(row, "n");
    return 0;
}

int smi_ch_count(struct smi_ch_server *s, const char *from, uint64_t *n, struct smi_err *err)
{
    int rc = smi_ch_ask(s, smi_ch_take_count, n, err, "SELECT count() AS n FROM %s", from);
    return rc || s->rows == 1 ? rc : bad_answer(s, err);
}

int smi_ch_wait_for_none(struct smi_ch_server *s, const char *from, const char *what, struct smi_err *err)
{
    int64_t until = smi_clock_now_ms() + s->patience.done_ms;
    uint64_t n, before = 0;
    for (;;) {
        if (smi_ch_count(s, from, &n, err))
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

int smi_ch_delete(struct smi_ch_server *s, const char *table, const char *where, struct smi_err *err)
{
    struct smi_buf from = {0};
    uint64_t n;
    int rc;
    smi_buf_fmt(&from, "%s WHERE %s", table, where);
    rc = smi_ch_count(s, from.p, &n, err);
    if (!rc && n)
        rc = smi_ch_ask(s, NULL, NULL, err, "ALTER TABLE %s DELETE WHERE %s", table, where) ||
                     smi_ch_wait_for_none(s, from.p, "is to delete rows", err)
                 ? -1
                 : 0;
    smi_buf_fini(&from);
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
    int year, month;
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
    if (sscanf(s->answer.p, "%5d.%5d", &year, &month) != 2)
        return smi_err_set(err, SMI_EFORMAT, "ClickHouse %.200s:%d: no version is what it answers", s->host,
                           s->place.port);
    s->modern = year > 20 || (year == 20 && month >= 3);
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
