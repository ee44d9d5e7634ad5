#include "export/clickhouse_server.h"

#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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
    rc = words.failed ? smi_err_nomem(err)
                      : smi_err_set(err, SMI_EIO, "ClickHouse %.100s:%d says: %s%s%s", s->to.host, s->to.port,
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
    rc = path.failed ? smi_err_nomem(err) : smi_http_send(s->http, &q, &s->answer, &own);
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
        if (own.code == SMI_ENOMEM || own.code == SMI_ELIMIT || !smi_ch_may_retry(s) ||
            smi_clock_now_ms() >= until)
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
    int rc = statements->failed ? smi_err_nomem(err) : 0;
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
    for (size_t i = 0; p && i < bytes; i++)
        p[i] = (char)(n >> 8 * i);
    to->n += p ? bytes : 0;
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
