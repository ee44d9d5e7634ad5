/* clickhouse_server.c - a ClickHouse server: its URL, and questions to it over HTTP. */
#include "export/clickhouse.h"
#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char plain[] = "clickhouse://", sealed[] = "clickhouses://";

/* Is the text such a URL, or meant as one? */
static bool is_url(const char *url)
{
    return strncmp(url, plain, sizeof plain - 1) == 0 || strncmp(url, sealed, sizeof sealed - 1) == 0;
}

bool smi_ch_is_name(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (!((t.p[i] >= 'a' && t.p[i] <= 'z') || (t.p[i] >= 'A' && t.p[i] <= 'Z') || t.p[i] == '_' ||
              (i && t.p[i] >= '0' && t.p[i] <= '9')))
            return false;
    return t.n > 0 && t.n < SMI_CH_NAME;
}

/* The text in front of the first c, taken off t with it; all of t where there is none. */
static struct smi_text cut_at(struct smi_text *t, char c)
{
    const char *at = t->n ? memchr(t->p, c, t->n) : NULL;
    struct smi_text head = *t;
    if (at)
        head.n = (size_t)(at - t->p);
    t->p += head.n + (at != NULL);
    t->n -= head.n + (at != NULL);
    return head;
}

static int set_name(char to[SMI_CH_NAME], struct smi_text t, const char *what, struct smi_err *err)
{
    if (!smi_ch_is_name(t))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: %s: letters, digits and underscores, at most %d, no digit "
                           "first",
                           what, SMI_CH_NAME - 1);
    memcpy(to, t.p, t.n);
    to[t.n] = '\0';
    return 0;
}

static int set_user(struct smi_ch_url *p, struct smi_text t, struct smi_err *err)
{
    if (memchr(t.p, ':', t.n))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: a password in a URL can be read by everybody: leave it out, and "
                           "set SMILOG_CLICKHOUSE_PASSWORD or --password-file");
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] <= ' ' || t.p[i] >= 127 || strchr("/?#[]%\"\\", t.p[i]))
            return smi_err_set(err, SMI_EUSAGE,
                               "clickhouse: the user in front of @ has letters that a user does not have");
    if (!t.n || t.n >= sizeof p->user)
        return smi_err_set(err, SMI_EUSAGE, "clickhouse: the user in front of @ is %s",
                           t.n ? "too long" : "empty");
    memcpy(p->user, t.p, t.n);
    p->user[t.n] = '\0';
    return 0;
}

static bool set_port(struct smi_ch_url *p, struct smi_text t)
{
    int64_t v;
    if (!t.n || t.n > 5 || t.p[0] == '+' || t.p[0] == '-' || memchr(t.p, '.', t.n) ||
        smi_text_parse_micro(t, &v))
        return false;
    p->port = (int)(v / 1000000);
    return p->port > 0 && p->port < 65536;
}

static bool is_host(struct smi_text t)
{
    bool six = t.n > 2 && t.p[0] == '[' && t.p[t.n - 1] == ']';
    for (size_t i = six; i < t.n - six; i++) {
        char c = t.p[i];
        bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        bool is =
            six ? hex || c == ':' || c == '.'
                : hex || (c >= 'g' && c <= 'z') || (c >= 'G' && c <= 'Z') || c == '-' || c == '.' || c == '_';
        if (!is)
            return false;
    }
    return t.n > 0 && t.n < SMI_CH_HOST;
}

static int set_host(struct smi_ch_url *p, struct smi_text t, struct smi_err *err)
{
    struct smi_text name = t;
    const char *end = t.n && t.p[0] == '[' ? memchr(t.p, ']', t.n) : NULL, *colon;
    if (t.n && memchr(t.p, ',', t.n))
        return smi_err_set(err, SMI_EUSAGE,
                           "clickhouse: several hosts were removed: export to one, and read all of them with "
                           "Distributed tables of the server");
    p->port = p->tls ? 8443 : 8123;
    end = end ? end : t.p;
    colon = t.n ? memchr(end, ':', t.n - (size_t)(end - t.p)) : NULL;
    if (colon)
        name.n = (size_t)(colon - t.p);
    if (!is_host(name) || (colon && !set_port(p, (struct smi_text){colon + 1, t.n - name.n - 1})))
        return smi_err_set(err, SMI_EUSAGE, "clickhouse: \"%.*s\" is no HOST or HOST:PORT",
                           (int)(t.n < 200 ? t.n : 200), t.p);
    memcpy(p->host, name.p, name.n);
    p->host[name.n] = '\0';
    return 0;
}

int smi_ch_url_parse(struct smi_ch_url *p, const char *url, struct smi_err *err)
{
    struct smi_text rest = smi_text_of(url), host, database;
    const char *at;
    int rc = 0;
    memset(p, 0, sizeof *p);
    p->tls = strncmp(url, sealed, sizeof sealed - 1) == 0;
    if (!is_url(url))
        return smi_err_set(err, SMI_EUSAGE, "clickhouse: a URL is clickhouse://[USER@]HOST[:PORT]/DATABASE");
    rest.p += p->tls ? sizeof sealed - 1 : sizeof plain - 1;
    rest.n -= p->tls ? sizeof sealed - 1 : sizeof plain - 1;
    at = rest.n ? memrchr(rest.p, '@', rest.n)
                : NULL; /* a password may have any letter, so look behind all of it */
    if (at) {
        rc = set_user(p, (struct smi_text){rest.p, (size_t)(at - rest.p)}, err);
        rest.n -= (size_t)(at + 1 - rest.p);
        rest.p = at + 1;
    }
    host = cut_at(&rest, '/');
    database = cut_at(&rest, '?');
    rc = rc ? rc : set_host(p, host, err);
    rc = rc ? rc : set_name(p->database, database, "the database behind the host", err);
    if (!rc && (rest.n || (database.p && database.p[database.n] == '?')))
        rc = smi_err_set(
            err, SMI_EUSAGE,
            "clickhouse: nothing stands behind the database; ?cluster= was removed: make Distributed "
            "tables on the server");
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

static uint64_t jump_hash(uint64_t h)
{
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 33;
}

uint64_t smi_ch_run(const char *place, const char *leaf)
{
    return jump_hash(mix_hash(mix_hash(0xcbf29ce484222325u, place), leaf));
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

void smi_ch_sleep(int64_t ms)
{
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t) == EINTR)
        ;
}

static void set_path(const struct smi_ch_server *s, struct smi_buf *path, const char *sql, const char *id)
{
    smi_buf_fmt(path, "/?database=%s", s->place->database);
    if (id)
        smi_buf_fmt(path, "&query_id=%s", id);
    if (sql) {
        smi_buf_str(path, "&query=");
        smi_buf_percent(path, smi_text_of(sql), "");
    } else {
        smi_buf_str(path, "&wait_end_of_query=1"); /* the status is that of the whole answer */
    }
}

/* The number in "Code: 60, e.displayText() = ..."; 0 where there is none. */
static int error_code(const struct smi_buf *answer)
{
    return answer->n > 6 && strncmp(answer->p, "Code: ", 6) == 0 ? (int)strtol(answer->p + 6, NULL, 10) : 0;
}

static int server_error(struct smi_ch_server *s, struct smi_err *err)
{
    const struct smi_buf *a = &s->answer.text;
    struct smi_buf words = {0};
    int rc;
    s->code = error_code(a);
    smi_http_error_text(&words, (struct smi_text){a->p, a->n}, SMI_CH_SAID);
    rc = smi_err_set(err, SMI_EIO, "ClickHouse %.100s:%d says: %s%s%s", s->to.host, s->to.port,
                     words.n ? words.p : "nothing",
                     s->code == NO_DATABASE ? " - make it first: CREATE DATABASE " : "",
                     s->code == NO_DATABASE ? s->place->database : "");
    smi_buf_fini(&words);
    return rc;
}

/* sql: what the body is for; NULL: the body is the statement. */
static int post_query(struct smi_ch_server *s, const char *sql, const char *id, struct smi_text body,
                      struct smi_err *err)
{
    struct smi_buf path = {0};
    struct smi_http_request q = {
        .body = &body, .pieces = 1, .most = SMI_CH_ANSWER, .deadline_ms = s->deadline_ms};
    struct smi_err own = {0};
    int rc;
    s->code = 0;
    set_path(s, &path, sql, id);
    q.path = path.p;
    rc = smi_http_send(s->http, &q, &s->answer, &own);
    smi_buf_fini(&path);
    if (rc && own.code)
        return smi_err_set(err, own.code, "ClickHouse %s", own.text);
    return rc || s->answer.status == 200 ? rc : server_error(s, err);
}

int smi_ch_insert(struct smi_ch_server *s, const char *sql, const char *id, struct smi_text rows,
                  struct smi_err *err)
{
    return post_query(s, sql, id, rows, err);
}

bool smi_ch_may_retry(const struct smi_ch_server *s)
{
    /* TIMEOUT_EXCEEDED, TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR, MEMORY_LIMIT_EXCEEDED,
     * TOO_MANY_PARTS, and a statement of this id that still runs */
    static const int passing[] = {159, 202, 209, 210, 241, 252, 216};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
        if (s->code == passing[i])
            return true;
    return s->answer.status == 0;
}

static int retry_query(struct smi_ch_server *s, const char *sql, struct smi_text body, struct smi_err *err)
{
    int64_t until = smi_clock_now_ms() + s->patience.retry_ms;
    for (;;) {
        struct smi_err own = {0};
        if (post_query(s, sql, NULL, body, &own) == 0)
            return 0;
        if (own.code == SMI_ELIMIT || !smi_ch_may_retry(s) || smi_clock_now_ms() >= until)
            return smi_err_set(err, own.code, "%s", own.text);
        smi_ch_sleep(s->patience.pause_ms);
    }
}

int smi_ch_insert_retry(struct smi_ch_server *s, const char *sql, const struct smi_buf *rows,
                        struct smi_err *err)
{
    return retry_query(s, sql, (struct smi_text){rows->p, rows->n}, err);
}

int smi_ch_ask_all(struct smi_ch_server *s, const struct smi_buf *statements, struct smi_err *err)
{
    int rc = 0;
    for (size_t at = 0; !rc && at < statements->n; at += strlen(statements->p + at) + 1)
        rc = retry_query(s, NULL, smi_text_of(statements->p + at), err);
    return rc;
}

static int ask(struct smi_ch_server *s, struct smi_err *err, const char *fmt, va_list ap)
{
    struct smi_buf sql = {0};
    int rc;
    smi_buf_vfmt(&sql, fmt, ap);
    rc = smi_ch_ask_all(s, &sql, err);
    smi_buf_fini(&sql);
    return rc;
}

int smi_ch_ask(struct smi_ch_server *s, struct smi_err *err, const char *fmt, ...)
{
    va_list ap;
    int rc;
    va_start(ap, fmt);
    rc = ask(s, err, fmt, ap);
    va_end(ap);
    return rc;
}

int smi_ch_wait_for_zero(struct smi_ch_server *s, const char *sql, const char *what, struct smi_err *err)
{
    int64_t until = smi_clock_now_ms() + s->patience.done_ms;
    uint64_t n, before = 0;
    for (;;) {
        struct smi_ch_rows r;
        if (smi_ch_ask(s, err, "%s", sql))
            return -1;
        r = smi_ch_rows(s);
        n = smi_ch_read_int(&r, 8);
        if (r.bad)
            return smi_ch_bad_answer(s, err);
        if (!n)
            return 0;
        if (n != before)
            until = smi_clock_now_ms() + s->patience.done_ms;
        before = n;
        if (smi_clock_now_ms() >= until)
            return smi_err_set(err, SMI_EIO, "ClickHouse %.100s:%d %.200s, and has not gone on for %lld s",
                               s->to.host, s->to.port, what, (long long)(s->patience.done_ms / 1000));
        smi_ch_sleep(s->patience.pause_ms);
    }
}

int smi_ch_server_open(struct smi_ch_server *s, const struct smi_ch_url *place, const char *password,
                       const struct smi_ch_patience *patience, struct smi_err *err)
{
    int dialect;
    *s = (struct smi_ch_server){.place = place, .patience = *patience};
    s->to = (struct smi_http_target){.host = place->host,
                                     .port = place->port,
                                     .tls = place->tls,
                                     .user = *place->user ? place->user
                                             : password   ? "default"
                                                          : NULL,
                                     .password = password,
                                     .connect_ms = patience->connect_ms,
                                     .stall_s = patience->stall_s};
    s->http = smi_http_open(&s->to, err);
    s->deadline_ms = patience->hello_ms;
    if (!s->http || post_query(s, NULL, NULL, smi_text_of("SELECT version()"), err))
        return -1;
    s->deadline_ms = patience->answer_ms;
    dialect = smi_ch_dialect(s->answer.text.p);
    if (dialect < 0 || s->answer.text.n > sizeof s->version)
        return smi_err_set(err, SMI_EFORMAT, "ClickHouse %.200s:%d: no version is what it answers",
                           place->host, place->port);
    s->dialect = (enum smi_ch_dialect)dialect;
    snprintf(s->version, sizeof s->version, "%.*s", (int)strcspn(s->answer.text.p, "\n"), s->answer.text.p);
    return 0;
}

void smi_ch_server_close(struct smi_ch_server *s)
{
    smi_http_close(s->http);
    smi_buf_fini(&s->answer.text);
    s->http = NULL;
}

struct smi_ch_rows smi_ch_rows(const struct smi_ch_server *s)
{
    return (struct smi_ch_rows){.p = s->answer.text.p, .n = s->answer.text.n};
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

void smi_ch_put_int(struct smi_buf *to, uint64_t n, size_t bytes)
{
    char *p = smi_buf_room(to, bytes);
    for (size_t i = 0; i < bytes; i++)
        p[i] = (char)(n >> 8 * i);
    to->n += bytes;
}

void smi_ch_put_text(struct smi_buf *to, struct smi_text t)
{
    uint64_t n = t.n;
    for (; n > 127; n >>= 7)
        smi_buf_char(to, (char)((n & 127) | 128));
    smi_buf_char(to, (char)n);
    if (t.n)
        smi_buf_add(to, t.p, t.n);
}

int smi_ch_bad_answer(const struct smi_ch_server *s, struct smi_err *err)
{
    return smi_err_set(err, SMI_EFORMAT, "ClickHouse %.200s:%d: its answer is not what was asked for",
                       s->to.host, s->to.port);
}
