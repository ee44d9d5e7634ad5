/* clickhouse_server.c - a ClickHouse server: its URL, and questions to it over HTTP. */
#include "export/clickhouse.h"
#include "base/clock.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS "0123456789"
#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* The user in front of @: n bytes at p. */
static int read_user(struct smi_ch_url *to, const char *p, size_t n, struct smi_err *err)
{
    if (memchr(p, ':', n))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: a password in a URL can be read by everybody: leave it out, and "
                           "set SMILOG_CLICKHOUSE_PASSWORD or --password-file");
    for (size_t i = 0; i < n; i++)
        if (p[i] <= ' ' || p[i] >= 127 || strchr("/?#[]%\"\\", p[i]))
            return smi_err_set(err, SMI_EUSAGE,
                               "clickhouse: the user in front of @ has letters that a user does not have");
    if (!n || n >= sizeof to->user)
        return smi_err_set(err, SMI_EUSAGE, "clickhouse: the user in front of @ is %s",
                           n ? "too long" : "empty");
    memcpy(to->user, p, n);
    return 0;
}

/* Returns what is behind HOST[:PORT] at p, or NULL: there is none. */
static const char *read_host(struct smi_ch_url *to, const char *p)
{
    bool six = *p == '[';
    size_t n = six ? strspn(p + 1, DIGITS "abcdefABCDEF:.") : strspn(p, LETTERS DIGITS "-._");
    char *end;
    if (!n || n + 2 >= sizeof to->host || (six && p[n + 1] != ']'))
        return NULL;
    n += six ? 2 : 0;
    memcpy(to->host, p, n);
    p += n;
    to->port = to->tls ? 8443 : 8123;
    if (*p != ':')
        return p;
    to->port = (int)strtol(p + 1, &end, 10);
    n = strspn(p + 1, DIGITS);
    return n && n < 6 && to->port > 0 && to->port < 65536 ? end : NULL;
}

int smi_ch_url_parse(struct smi_ch_url *p, const char *url, struct smi_err *err)
{
    const char *host = strstr(url, "://"), *at = host ? strrchr(host, '@') : NULL, *end;
    memset(p, 0, sizeof *p);
    p->tls = host && strncmp(url, "clickhouses:", 12) == 0;
    if (!p->tls && (!host || strncmp(url, "clickhouse:", 11) != 0))
        return smi_err_set(err, SMI_EUSAGE, "clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE");
    host += 3;
    if (at && read_user(p, host, (size_t)(at - host), err)) /* a password may have any letter */
        return -1;
    host = at ? at + 1 : host;
    if (memchr(host, ',', strcspn(host, "/")))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: several hosts were removed: export to one, and read all of them with "
                           "Distributed tables of the server");
    end = read_host(p, host);
    if (!end || (*end && *end != '/'))
        return smi_err_set(err, SMI_EUSAGE, "clickhouse: \"%.*s\" is no HOST or HOST:PORT",
                           (int)strcspn(host, "/") < 200 ? (int)strcspn(host, "/") : 200, host);
    end += *end == '/';
    if (end[strcspn(end, "?")])
        return smi_err_set(
            err, SMI_EUSAGE,
            "clickhouse: nothing stands behind the database; ?cluster= was removed: make Distributed "
            "tables on the server");
    if (!*end || end[strspn(end, LETTERS DIGITS "_")] || strchr(DIGITS, *end) || strlen(end) >= SMI_CH_NAME)
        return smi_err_set(
            err, SMI_EUSAGE,
            "clickhouse: the database behind the host: letters, digits and underscores, at most %d, "
            "no digit first",
            SMI_CH_NAME - 1);
    strcpy(p->database, end);
    return 0;
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

enum { NO_DATABASE = 81 /* the server's number of that error */ };

const struct smi_ch_patience smi_ch_patience = {
    .connect_ms = 5000,
    .stall_s = 300,
    .retry_ms = 20000,
    .pause_ms = 200,
    .done_ms = 300000,
    .hello_ms = 30000,
    .answer_ms = 1800000,
};

/* The words of an answer as one line of at most `most` bytes that can be printed. */
void smi_ch_error_text(struct smi_buf *to, struct smi_text answer, size_t most)
{
    struct smi_buf b = {0};
    size_t n = 0;
    bool blank = true;
    for (size_t i = 0; i < answer.n && b.n < most; i++) { /* blanks and ends of lines are one blank */
        bool is = strchr(" \t\r\n", answer.p[i]) != NULL;
        if (!is || !blank)
            smi_buf_char(&b, answer.p[i] && is ? ' ' : answer.p[i]);
        blank = is;
    }
    while (n < b.n) { /* no character is cut in two */
        size_t k = smi_text_utf8(b.p + n, b.n - n);
        n += k ? k : 1;
    }
    while (b.n && b.p[b.n - 1] == ' ')
        b.n--;
    if (b.n)
        smi_buf_safe(to, (struct smi_text){b.p, b.n});
    smi_buf_fini(&b);
}

static int server_error(struct smi_ch_server *s, struct smi_err *err)
{
    struct smi_buf words = {0};
    int rc;
    /* "Code: 60, e.displayText() = ..." */
    s->code = strncmp(s->answer.p, "Code: ", 6) == 0 ? (int)strtol(s->answer.p + 6, NULL, 10) : 0;
    smi_ch_error_text(&words, (struct smi_text){s->answer.p, s->answer.n}, SMI_CH_SAID);
    rc = smi_err_set(err, SMI_EIO, "ClickHouse %.100s:%d says: %s%s%s", s->place->host, s->place->port,
                     words.n ? words.p : "nothing",
                     s->code == NO_DATABASE ? " - make it first: CREATE DATABASE " : "",
                     s->code == NO_DATABASE ? s->place->database : "");
    smi_buf_fini(&words);
    return rc;
}

static size_t receive_body(char *p, size_t size, size_t n, void *self)
{
    struct smi_ch_server *s = self;
    s->over = size * n > s->most - s->answer.n;
    if (s->over)
        return 0;
    smi_buf_add(&s->answer, p, size * n);
    return size * n;
}

static const char *user_of(const struct smi_ch_server *s)
{
    return *s->place->user || !s->password ? s->place->user : "default";
}

int smi_ch_post(struct smi_ch_server *s, const char *sql, const char *id, struct smi_text body,
                struct smi_err *err)
{
    const struct smi_ch_url *to = s->place;
    const char *scheme = to->tls ? "https" : "http";
    char why[CURL_ERROR_SIZE] = "";
    struct smi_buf url = {0};
    CURL *e = s->easy;
    CURLcode code;
    unsigned bad = 0;
    long no = 0;
    s->code = 0;
    s->status = 0;
    smi_buf_clear(&s->answer);
    smi_buf_fmt(&url, "%s://%s:%d/?database=%s%s%s", scheme, to->host, to->port, to->database,
                id ? "&query_id=" : "", id ? id : "");
    smi_buf_str(&url, sql ? "&query=" : "&wait_end_of_query=1"); /* the status is that of the whole answer */
    if (sql)
        smi_buf_percent(&url, smi_text_of(sql), "");
    smi_curl.curl_easy_reset(e); /* the connection stays */
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, scheme);
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
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_URL, url.p);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, s->deadline_ms);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, receive_body);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_WRITEDATA, s);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.n);
    bad |= smi_curl.curl_easy_setopt(e, CURLOPT_POSTFIELDS, body.p);
    if (bad)
        smi_mem_exhausted(); /* libcurl copies texts, and refuses nothing else here */
    code = smi_curl.curl_easy_perform(e);
    smi_buf_fini(&url);
    smi_buf_str(&s->answer, "");
    if (code == CURLE_OK) {
        smi_curl.curl_easy_getinfo(e, CURLINFO_RESPONSE_CODE, &s->status);
        return s->status == 200 ? 0 : server_error(s, err);
    }
    if (s->over)
        return smi_err_set(err, SMI_ELIMIT, "ClickHouse %.200s:%d: its answer is longer than %zu bytes",
                           to->host, to->port, s->most);
    if (code == CURLE_COULDNT_CONNECT) /* libcurl's words would tell how long it took, and not why */
        smi_curl.curl_easy_getinfo(e, CURLINFO_OS_ERRNO, &no);
    return smi_err_set(err, SMI_EIO, "ClickHouse %.200s:%d: %.220s", to->host, to->port,
                       no     ? strerror((int)no)
                       : *why ? why
                              : smi_curl.curl_easy_strerror(code));
}

bool smi_ch_may_retry(const struct smi_ch_server *s)
{
    /* TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR, MEMORY_LIMIT_EXCEEDED,
     * TOO_MANY_PARTS, and a statement of this id that still runs */
    static const int passing[] = {159, 202, 209, 210, 241, 252, 216};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        if (s->code == passing[i])
            return true;
    return s->status == 0;
}

int smi_ch_post_retry(struct smi_ch_server *s, const char *sql, struct smi_text body, struct smi_err *err)
{
    int64_t until = smi_clock_now_ms() + s->patience.retry_ms;
    for (;;) {
        struct smi_err own = {0};
        if (smi_ch_post(s, sql, NULL, body, &own) == 0)
            return 0;
        if (own.code == SMI_ELIMIT || !smi_ch_may_retry(s) || smi_clock_now_ms() >= until)
            return smi_err_set(err, own.code, "%s", own.text);
        (void)poll(NULL, 0, (int)s->patience.pause_ms);
    }
}

int smi_ch_ask_all(struct smi_ch_server *s, const struct smi_buf *statements, struct smi_err *err)
{
    int rc = 0;
    for (size_t at = 0; !rc && at < statements->n; at += strlen(statements->p + at) + 1)
        rc = smi_ch_post_retry(s, NULL, smi_text_of(statements->p + at), err);
    return rc;
}

int smi_ch_ask(struct smi_ch_server *s, struct smi_err *err, const char *fmt, ...)
{
    struct smi_buf sql = {0};
    va_list ap;
    int rc;
    va_start(ap, fmt);
    smi_buf_vfmt(&sql, fmt, ap);
    va_end(ap);
    rc = smi_ch_post_retry(s, NULL, (struct smi_text){sql.p, sql.n}, err);
    smi_buf_fini(&sql);
    return rc;
}

int smi_ch_count(struct smi_ch_server *s, const char *from, uint64_t *n, struct smi_err *err)
{
    struct smi_ch_rows r;
    if (smi_ch_ask(s, err, "SELECT count() FROM %s FORMAT RowBinary", from))
        return -1;
    r = smi_ch_rows(s);
    *n = smi_ch_read_int(&r, 8);
    return r.bad ? smi_ch_bad_answer(s, err) : 0;
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
                               s->place->host, s->place->port, what, (long long)(s->patience.done_ms / 1000));
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
        rc = smi_ch_ask(s, err, "ALTER TABLE %s DELETE WHERE %s", table, where) ||
                     smi_ch_wait_for_none(s, from.p, "is to delete rows", err)
                 ? -1
                 : 0;
    smi_buf_fini(&from);
    return rc;
}

int smi_ch_dialect(const char *version)
{
    int year, month;
    if (sscanf(version, "%5d.%5d", &year, &month) != 2 || *version < '0' || *version > '9')
        return -1;
    return year > 20 || (year == 20 && month >= 3) ? SMI_CH_MODERN : SMI_CH_18;
}

int smi_ch_server_open(struct smi_ch_server *s, const struct smi_ch_url *place, const char *password,
                       const struct smi_ch_patience *patience, struct smi_err *err)
{
    int dialect;
    *s = (struct smi_ch_server){.place = place,
                                .password = password,
                                .patience = *patience,
                                .most = SMI_CH_ANSWER,
                                .deadline_ms = patience->hello_ms};
    if (smi_curl_open(err))
        return -1;
    s->easy = smi_curl.curl_easy_init();
    if (!s->easy)
        smi_mem_exhausted();
    if (smi_ch_post(s, NULL, NULL, smi_text_of("SELECT version()"), err))
        return -1;
    s->deadline_ms = patience->answer_ms;
    dialect = smi_ch_dialect(s->answer.p);
    if (dialect < 0)
        return smi_err_set(err, SMI_EFORMAT, "ClickHouse %.200s:%d: no version is what it answers",
                           place->host, place->port);
    s->dialect = (enum smi_ch_dialect)dialect;
    return 0;
}

void smi_ch_server_close(struct smi_ch_server *s)
{
    if (s->easy)
        smi_curl.curl_easy_cleanup(s->easy);
    s->easy = NULL;
    smi_buf_fini(&s->answer);
}

struct smi_ch_rows smi_ch_rows(const struct smi_ch_server *s)
{
    return (struct smi_ch_rows){.p = s->answer.p, .n = s->answer.n};
}

static const char *take_bytes(struct smi_ch_rows *r, size_t n)
{
    const char *p = r->p;
    if (r->bad || n > r->n) {
        r->bad = true;
        r->n = 0;
        return NULL;
    }
    r->p += n;
    r->n -= n;
    return p;
}

uint64_t smi_ch_read_int(struct smi_ch_rows *r, size_t bytes)
{
    const unsigned char *p = (const unsigned char *)take_bytes(r, bytes);
    uint64_t n = 0;
    for (size_t i = 0; p && i < bytes; i++)
        n |= (uint64_t)p[i] << 8 * i;
    return n;
}

struct smi_text smi_ch_read_text(struct smi_ch_rows *r)
{
    uint64_t n = 0;
    unsigned shift = 0, byte;
    const char *p;
    do {
        byte = (unsigned)smi_ch_read_int(r, 1);
        r->bad |= shift > 56;
        n |= r->bad ? 0 : (uint64_t)(byte & 127) << shift;
        shift += 7;
    } while (byte & 128 && !r->bad);
    p = r->bad ? NULL : take_bytes(r, n);
    return (struct smi_text){p ? p : "", p ? n : 0};
}

int smi_ch_bad_answer(const struct smi_ch_server *s, struct smi_err *err)
{
    return smi_err_set(err, SMI_EFORMAT, "ClickHouse %.200s:%d: its answer is not what was asked for",
                       s->place->host, s->place->port);
}
