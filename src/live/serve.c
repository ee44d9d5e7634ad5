/* serve.c - the web server: connections, requests, and server-sent events. */
#include "live/serve.h"

#include "base/lazy.h"
#include "report/html.h"

#include <errno.h>
#include <microhttpd.h>
#include <sys/socket.h>
#include <unistd.h>

/* libmicrohttpd, opened when a server is wanted: library.MHD_run(daemon). */
static struct {
#define SMI_HTTPD(name) __typeof__(name) *name;
#include "base/lazy.def"
} library;

/* A client. What a reader of events has not taken when there is something newer is left out. */
struct smi_connection {
    struct smi_serve *s; /* NULL: there is none */
    struct MHD_Connection *mhd;
    bool answered, waits; /* waits: for an event, suspended until there is one */
    int64_t number;       /* in the order in which they came */
    struct smi_buf at;    /* the event that it is in the middle of, from `taken` on */
    size_t taken;
    int64_t serial; /* of that event */
};

struct smi_serve {
    struct smi_serve_opts o;
    struct MHD_Daemon *daemon;
    struct smi_listen at;
    int epoll;
    char machine[256];
    const struct smi_machine *now; /* NULL: nothing is shown yet */
    struct smi_connection connection[SMI_SERVE_CONNECTIONS];
    struct smi_buf newest;             /* the state as an event: "data: {...}\n\n" */
    int64_t serial, next_ms, every_ms; /* of that; when the next one is due, and how often */
    int streams;
    int64_t clients; /* all there were */
    bool ending;
    struct smi_buf policy; /* Content-Security-Policy */
};

/* ---- events ---- */

enum { QUICKEST_MS = 200, SLOWEST_MS = 10000 /* so that a page knows that somebody is there */ };

/* ---- states ---- */

/* The present state as an event. */
static const struct smi_buf *make_event(struct smi_serve *s)
{
    smi_buf_clear(&s->newest);
    smi_buf_str(&s->newest, "data: ");
    smi_serve_state_put(&s->newest, s->now, &s->o);
    smi_buf_str(&s->newest, "\n\n");
    s->serial++;
    return &s->newest;
}

/* ---- readers ---- */

/* Goes on with the readers of events who wait. That one has gone shows when it gets the next event. */
static void sse_wake(struct smi_serve *s)
{
    for (struct smi_connection *c = s->connection; c < s->connection + SMI_SERVE_CONNECTIONS; c++) {
        if (!c->waits)
            continue;
        c->waits = false;
        library.MHD_resume_connection(c->mhd);
    }
}

static ssize_t read_event(void *self, uint64_t at, char *to, size_t most)
{
    struct smi_connection *c = self;
    struct smi_serve *s = c->s;
    size_t n;
    (void)at;
    if (s->ending)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (c->taken == c->at.n && s->serial > c->serial) {
        smi_buf_clear(&c->at);
        smi_buf_add(&c->at, s->newest.p, s->newest.n);
        c->serial = s->serial;
        c->taken = 0;
    }
    if (c->taken == c->at.n) {
        c->waits = true;
        library.MHD_suspend_connection(c->mhd);
        return 0;
    }
    n = c->at.n - c->taken;
    n = n < most ? n : most;
    memcpy(to, c->at.p + c->taken, n);
    c->taken += n;
    return (ssize_t)n;
}

static void end_events(void *self)
{
    struct smi_connection *c = self;
    c->s->streams--;
    smi_buf_fini(&c->at);
}

enum {
    CROWD = 48,
    BACKLOG = 64,
    SEND = 65536 /* bytes that the kernel keeps for a slow reader */,
    GOODBYE = 4
};

/* ---- connections ---- */

/* A client comes or has gone. In a crowd the oldest one that has not said what it wants makes room; beyond
 * SMI_SERVE_CONNECTIONS the library accepts nobody. */
static void notice_connection(void *self, struct MHD_Connection *mhd, void **context,
                              enum MHD_ConnectionNotificationCode what)
{
    struct smi_serve *s = self;
    struct smi_connection *fresh = NULL, *oldest = NULL;
    int crowd = 0;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*context)
            ((struct smi_connection *)*context)->s = NULL;
        return;
    }
    for (struct smi_connection *c = s->connection; c < s->connection + SMI_SERVE_CONNECTIONS; c++) {
        if (!c->s)
            fresh = c;
        else if (!c->answered && (!oldest || c->number < oldest->number))
            oldest = c;
        crowd += c->s != NULL;
    }
    if (!fresh)
        return; /* it gets no answer */
    *fresh = (struct smi_connection){.s = s, .mhd = mhd, .number = s->clients++};
    *context = fresh;
    if (crowd >= CROWD && oldest) {
        oldest->answered = true;
        shutdown(library.MHD_get_connection_info(oldest->mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
                 SHUT_RDWR);
    }
}

/* ---- answers ---- */

/* An answer without one of its headers is none. */
static bool add_headers(struct smi_serve *s, struct MHD_Response *r, int status, const char *type)
{
    const struct {
        const char *key, *value;
    } head[] = {{"Connection", "close"}, /* so none is ever idle */
                {"Content-Type", type},
                {"Cache-Control", "no-store"},
                {"X-Content-Type-Options", "nosniff"},
                {"Cross-Origin-Resource-Policy", "same-origin"},
                {"Referrer-Policy", "no-referrer"},
                {"Content-Security-Policy", s->policy.p},
                {"Allow", status == 405 ? "GET, HEAD" : NULL},
                {"Retry-After", status == 503 ? "5" : NULL}};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        if (head[i].value && library.MHD_add_response_header(r, head[i].key, head[i].value) != MHD_YES)
            return false;
    return true;
}

/* Sends it; MHD_NO ends the connection. r may be NULL: without memory there is no answer, but the rest goes
 * on. */
static enum MHD_Result queue_reply(struct smi_serve *s, struct smi_connection *c, int status,
                                   const char *type, struct MHD_Response *r)
{
    enum MHD_Result rc = MHD_NO;
    if (!r)
        return rc;
    if (add_headers(s, r, status, type))
        rc = library.MHD_queue_response(c->mhd, (unsigned)status, r);
    library.MHD_destroy_response(r);
    return rc;
}

/* The answer takes the text. */
static struct MHD_Response *text_response(struct smi_buf *b)
{
    struct MHD_Response *r =
        library.MHD_create_response_from_buffer_with_free_callback(b->n, b->p, smi_mem_free);
    if (!r)
        smi_buf_fini(b);
    return r;
}

static enum MHD_Result queue_refusal(struct smi_serve *s, struct smi_connection *c, int status)
{
    struct smi_buf b = {0};
    char at[SMI_LISTEN_TEXT];
    smi_listen_put(at, &s->at);
    if (status == 403)
        smi_buf_fmt(
            &b, "403: this is %s; it answers to its address, localhost%s%s, and the names of --allow-host\n",
            at, *s->machine ? " and " : "", s->machine);
    else
        smi_buf_fmt(&b, "%d: %s\n", status,
                    status == 400   ? "a request has one Host"
                    : status == 404 ? "there are /, /metrics, /events and /healthz"
                    : status == 405 ? "only GET and HEAD"
                                    : "too many readers");
    return queue_reply(s, c, status, "text/plain; charset=utf-8", text_response(&b));
}

static enum MHD_Result events_response(struct smi_serve *s, struct smi_connection *c)
{
    struct MHD_Response *r;
    if (s->streams >= SMI_SERVE_STREAMS)
        return queue_refusal(s, c, 503);
    if (s->streams == 0)
        s->next_ms = smi_clock_now_ms() + s->every_ms;
    make_event(s);
    r = library.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_event, c, end_events);
    s->streams += r != NULL;
    return queue_reply(s, c, 200, "text/event-stream; charset=utf-8", r);
}

static enum MHD_Result count_host(void *self, enum MHD_ValueKind kind, const char *key, const char *value)
{
    struct smi_request *r = self;
    (void)kind;
    if (strcasecmp(key, "Host") != 0)
        return MHD_YES;
    r->host = r->host ? r->host : value;
    r->hosts++;
    return MHD_YES;
}

static enum MHD_Result handle_request(void *self, struct MHD_Connection *mhd, const char *url,
                                      const char *method, const char *version, const char *body,
                                      size_t *body_n, void **context)
{
    struct smi_serve *s = self;
    const union MHD_ConnectionInfo *info =
        library.MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct smi_connection *c = info ? info->socket_context : NULL;
    struct smi_request q = {.method = method, .path = url};
    struct smi_buf page = {0};
    enum smi_serve_path path = SMI_SERVE_PATH_PAGE;
    size_t fresh = 0;
    int status;
    (void)version, (void)body, (void)body_n, (void)context;
    if (!c)
        return MHD_NO;
    c->answered = true;
    library.MHD_get_connection_values(mhd, MHD_HEADER_KIND, count_host, &q);
    status = smi_request_check(&q, &s->at, s->machine, &path);
    if (status != 200)
        return queue_refusal(s, c, status);
    if (path == SMI_SERVE_PATH_METRICS) {
        const char *accept = library.MHD_lookup_connection_value(mhd, MHD_HEADER_KIND, "Accept");
        const struct smi_prometheus_opts e = {s->o.host, s->o.run, smi_clock_utc_ms(),
                                              (enum smi_prometheus_names)s->o.names,
                                              smi_request_openmetrics(accept)};
        smi_prometheus_put(&page, s->now, &e);
        return queue_reply(s, c, 200,
                           e.openmetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                         : "text/plain; version=0.0.4; charset=utf-8",
                           text_response(&page));
    }
    if (path == SMI_SERVE_PATH_HEALTH) { /* well while any GPU is sampled */
        for (size_t i = 0; i < s->now->gpus; i++)
            fresh += s->now->gpu[i]->seen && s->now->gpu[i]->state == SMI_GPU_OK;
        smi_buf_fmt(&page, "samples of %zu of %zu GPUs come\n", fresh, s->now->gpus);
        return queue_reply(s, c, fresh ? 200 : 503, "text/plain; charset=utf-8", text_response(&page));
    }
    if (path == SMI_SERVE_PATH_EVENTS)
        return events_response(s, c);
    smi_live_page_put(&page, s->now, &s->o, make_event(s));
    return queue_reply(s, c, 200, "text/html; charset=utf-8", text_response(&page));
}

/* ---- beginning ---- */

/* Opens the socket; s->at gets the port that it got. */
static int bind_to(struct smi_serve *s, struct smi_err *err)
{
    const in_port_t port = htons((uint16_t)s->at.port);
    struct sockaddr_in6 at = {.sin6_family = AF_INET6, .sin6_port = port, .sin6_addr = s->at.address};
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = port};
    char text[SMI_LISTEN_TEXT];
    socklen_t len = sizeof at;
    int on = 1, send = SEND, fd;
    if (IN6_IS_ADDR_V4MAPPED(&at.sin6_addr)) {
        memcpy(&four.sin_addr, at.sin6_addr.s6_addr + 12, sizeof four.sin_addr);
        memcpy(&at, &four, len = sizeof four);
    }
    fd = socket(at.sin6_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send, sizeof send); /* those that are accepted have it, too */
    }
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, len) || listen(fd, BACKLOG) ||
        getsockname(fd, (struct sockaddr *)&at, &len)) {
        smi_listen_put(text, &s->at);
        smi_err_set(err, SMI_EIO, "cannot listen on %s: %s", text, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    s->at.port = ntohs(at.sin6_port); /* at the same place in both */
    return fd;
}

static int start_daemon(struct smi_serve *s, struct smi_err *err)
{
    const unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
                           (IN6_IS_ADDR_V4MAPPED(&s->at.address) ? MHD_NO_FLAG : MHD_USE_IPv6);
    const union MHD_DaemonInfo *info;
    int fd = bind_to(s, err);
    if (fd < 0)
        return -1;
    s->daemon = library.MHD_start_daemon(flags, 0, NULL, NULL, handle_request, s, MHD_OPTION_LISTEN_SOCKET,
                                         fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)SMI_SERVE_CONNECTIONS,
                                         MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SMI_SERVE_PATIENCE_S,
                                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)SMI_SERVE_REQUEST,
                                         MHD_OPTION_NOTIFY_CONNECTION, notice_connection, s, MHD_OPTION_END);
    if (!s->daemon) {
        close(fd);
        return smi_err_set(err, SMI_EIO, "the server cannot be started: %s", strerror(errno));
    }
    info = library.MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (!info || info->epoll_fd < 0)
        return smi_err_set(err, SMI_EIO, "this libmicrohttpd has no epoll");
    s->epoll = info->epoll_fd;
    return 0;
}

struct smi_serve *smi_serve_open(const struct smi_serve_opts *o, struct smi_err *err)
{
    struct smi_serve *s = smi_mem_new(1, sizeof *s);
    s->o = *o;
    s->every_ms = smi_earlier_ms(o->interval_ms > QUICKEST_MS ? o->interval_ms : QUICKEST_MS, SLOWEST_MS);
    gethostname(s->machine, sizeof s->machine - 1);
    /* the page works with its own script and style, told by their hashes, its own events, and nothing else */
    smi_buf_fmt(&s->policy,
                "default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; connect-src 'self'; "
                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                smi_asset_live_style_hash, smi_asset_live_script_hash);
    if (smi_listen_parse(&s->at, o->listen, err) || smi_lazy_open(SMI_LIBMICROHTTPD, &library, err) ||
        start_daemon(s, err)) {
        smi_serve_close(s);
        return NULL;
    }
    s->at.allow = o->allow;
    return s;
}

const struct smi_listen *smi_serve_address(const struct smi_serve *s)
{
    return &s->at;
}

void smi_serve_show(struct smi_serve *s, const struct smi_machine *n)
{
    if (s)
        s->now = n;
}

/* ---- going on ---- */

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_serve *s = self;
    unsigned MHD_LONG_LONG in;
    if (!s->now)
        return;
    smi_loop_watch(l, s->epoll);
    if (s->streams)
        smi_loop_wake(l, s->next_ms);
    if (library.MHD_get_timeout(s->daemon, &in) == MHD_YES && in < 60000)
        smi_loop_wake(l, l->now_ms + (int64_t)in);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_serve *s = self;
    (void)err;
    if (!s->now)
        return 0;
    if (s->streams && l->now_ms >= s->next_ms) { /* on a grid: the next state, for those who wait for it */
        smi_next_step_ms(&s->next_ms, s->every_ms, l->now_ms);
        make_event(s);
        sse_wake(s);
    }
    library.MHD_run(s->daemon);
    return 0;
}

struct smi_loop_source smi_serve_source(struct smi_serve *s)
{
    return (struct smi_loop_source){s, prepare, run};
}

void smi_serve_close(struct smi_serve *s)
{
    if (!s)
        return;
    s->ending = true;
    if (s->daemon) {
        sse_wake(s);
        for (int i = 0; i < GOODBYE; i++) /* those who wait hear that it is over */
            library.MHD_run(s->daemon);
        library.MHD_stop_daemon(s->daemon);
    }
    smi_buf_fini(&s->newest);
    smi_buf_fini(&s->policy);
    smi_mem_free(s);
}
