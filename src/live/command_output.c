#include "export/export.h"
#include "live/command_output.h"

#include "base/clock.h"
#include "live/alert.h"

#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- standard output and standard error ---- */

void smi_live_streams_open(struct smi_live_streams *s)
{
    struct stat out, err;
    smi_writer_open(&s->out, STDOUT_FILENO, "standard output");
    smi_writer_open(&s->err, STDERR_FILENO, "standard error");
    s->one = s->out.kind != SMI_WRITER_FILE && fstat(STDOUT_FILENO, &out) == 0 &&
             fstat(STDERR_FILENO, &err) == 0 && out.st_dev == err.st_dev && out.st_ino == err.st_ino;
}

void smi_live_print_message(struct smi_live_streams *s, struct smi_buf *b)
{
    if (b->n)
        (void)smi_writer_put(s->one ? &s->out : &s->err, b->p, b->n, NULL);
    smi_buf_fini(b);
}

/* Reports the lines of a stream that were dropped. */
static void report_dropped(struct smi_live_streams *s, struct smi_writer *w)
{
    struct smi_buf b = {0};
    if (!w->dropped)
        return;
    smi_buf_fmt(&b, "smilog: warning: %lld lines are missing from %s: nobody read it for too long\n",
                (long long)w->dropped, w->name);
    w->dropped = 0;
    smi_live_print_message(s, &b);
}

static void watch_streams(void *self, struct smi_loop *l)
{
    const struct smi_live_streams *s = self;
    smi_writer_watch(&s->out, l);
    smi_writer_watch(&s->err, l);
}

static int flush_streams(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_live_streams *s = self;
    (void)l;
    if (smi_writer_flush(&s->out, err))
        return -1;
    (void)smi_writer_flush(&s->err, NULL);
    if (!smi_writer_pending(&s->out))
        report_dropped(s, &s->out);
    if (!smi_writer_pending(&s->err))
        report_dropped(s, &s->err);
    return 0;
}

struct smi_loop_source smi_live_streams_source(struct smi_live_streams *s)
{
    return (struct smi_loop_source){s, watch_streams, flush_streams};
}

bool smi_live_output_closed(const struct smi_live_streams *s)
{
    struct pollfd out = {s->out.fd, POLLOUT, 0};
    return s->out.failed && poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

void smi_live_streams_close(struct smi_live_streams *s, int signals, int64_t wait_ms)
{
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    int64_t end = smi_earlier_ms(wait_ms, INT64_MAX - smi_clock_now_ms()) + smi_clock_now_ms();
    size_t left, before = SIZE_MAX;
    while ((left = smi_writer_pending(&s->out) + smi_writer_pending(&s->err)) && smi_clock_now_ms() < end) {
        if (left < before && wait_ms > SMI_LIVE_FLUSH_MS && wait_ms < INT64_MAX)
            end = smi_clock_now_ms() + wait_ms;
        before = left;
        smi_loop_prepare(&l, smi_clock_now_ms());
        smi_loop_watch(&l, signals);
        watch_streams(s, &l);
        (void)poll(l.fd, (nfds_t)l.fds, (int)smi_earlier_ms(end - l.now_ms, SMI_LOOP_WAIT_MS));
        if (wait_ms > SMI_LIVE_FLUSH_MS && smi_live_signal_name(signals))
            end = smi_clock_now_ms() + (wait_ms = SMI_LIVE_FLUSH_MS);
        (void)flush_streams(s, &l, &err);
    }
    s->out.dropped += smi_writer_discard(&s->out);
    report_dropped(s, &s->out);
    smi_writer_close(&s->out);
    smi_writer_close(&s->err);
}

/* ---- what they get ---- */

/* "smilog: error: gpu.csv is gone", safe for a terminal. */
static void append_line(struct smi_buf *b, const char *kind, const char *text)
{
    smi_buf_fmt(b, "smilog: %s", kind);
    smi_buf_safe(b, smi_text_of(text));
    smi_buf_char(b, '\n');
}

void smi_live_print_events(struct smi_live_streams *s, const struct smi_machine *n, int64_t *told)
{
    static const char *const words[] = {
        [SMI_EVENT_OK] = "", [SMI_EVENT_WARN] = "warning: ", [SMI_EVENT_ERROR] = "error: "};
    struct smi_buf b = {0};
    if (*told < n->events - SMI_MACHINE_EVENTS_MAX) {
        smi_buf_fmt(&b, "smilog: %lld events came at once, and are not shown\n",
                    (long long)(n->events - SMI_MACHINE_EVENTS_MAX - *told));
        *told = n->events - SMI_MACHINE_EVENTS_MAX;
    }
    for (; *told < n->events; ++*told) {
        const struct smi_event *e = &n->event[*told % SMI_MACHINE_EVENTS_MAX];
        if (e->kind != SMI_EVENT_WARN && e->kind != SMI_EVENT_ERROR && e->kind != SMI_EVENT_OK)
            continue;
        append_line(&b, words[e->kind], e->text);
    }
    smi_live_print_message(s, &b);
}

void smi_live_write_errors(struct smi_buf *to, const struct smi_machine *n)
{
    for (int64_t i = n->events > SMI_MACHINE_EVENTS_MAX ? n->events - SMI_MACHINE_EVENTS_MAX : 0;
         i < n->events; i++) {
        const struct smi_event *e = &n->event[i % SMI_MACHINE_EVENTS_MAX];
        if (e->kind == SMI_EVENT_ERROR)
            append_line(to, "error: ", e->text);
    }
}

void smi_live_report_missing(struct smi_machine *n, const char *path)
{
    if (strcmp(path, "-") != 0 && access(path, F_OK))
        smi_machine_add_event(n, SMI_EVENT_WARN, "%s is not there yet", path);
}

int smi_live_parse_duration(const char *text, int64_t *ms, struct smi_err *err)
{
    static const struct {
        char letter;
        int64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    struct smi_text t = smi_text_of(text);
    int64_t unit = 1, micro;
    for (size_t i = 0; i < sizeof units / sizeof *units && t.n; i++)
        if (text[t.n - 1] == units[i].letter) {
            unit = units[i].seconds;
            t.n--;
            break;
        }
    if (smi_text_parse_micro(t, &micro) || micro <= 0 || micro > (int64_t)100 * 365 * 86400 * 1000000 / unit)
        return smi_err_set(err, SMI_EUSAGE, "--for needs a time such as 90s, 10m or 2h, not \"%.60s\"", text);
    *ms = micro * unit / 1000;
    return 0;
}

int smi_live_print_table(struct smi_live_streams *s, const struct smi_machine *n,
                         const struct smi_tui_info *about, const struct smi_render_options *look,
                         struct smi_err *err)
{
    struct smi_buf b = {0};
    int rc;
    smi_machine_table_put(&b, n, about, look);
    rc = smi_writer_put(&s->out, b.p, b.n, err);
    smi_buf_fini(&b);
    return rc;
}

int smi_live_print_line(struct smi_live_streams *s, const struct smi_machine *n, bool json,
                        struct smi_err *err)
{
    struct smi_buf b = {0};
    int rc;
    (json ? smi_machine_json : smi_machine_line_put)(&b, n);
    rc = smi_writer_put(&s->out, b.p, b.n, err);
    smi_buf_fini(&b);
    return rc;
}

void smi_live_print_recorded(struct smi_live_streams *s, const char *dir, int64_t ms)
{
    struct smi_buf b = {0};
    char span[SMI_CLOCK_TEXT];
    smi_clock_write_span(span, ms);
    smi_buf_fmt(&b, "smilog: recorded %s in ", span);
    smi_buf_safe(&b, smi_text_of(dir));
    smi_buf_str(&b, ": smilog summarize -v ");
    smi_buf_safe(&b, smi_text_of(dir));
    smi_buf_char(&b, '\n');
    smi_live_print_message(s, &b);
}

int smi_live_listen(struct smi_live_streams *to, struct smi_serve **s, const struct smi_serve_opts *o,
                    bool only, struct smi_err *err)
{
    struct smi_buf b = {0};
    char at[SMI_LISTEN_TEXT];
    struct smi_listen l;
    *s = o->listen ? smi_serve_open(o, err) : NULL;
    if (!*s)
        return o->listen && (only || err->code != SMI_EIO) ? -1 : 0;
    smi_listen_put(at, smi_serve_address(*s));
    if (smi_listen_parse(&l, o->listen, NULL) == 0 &&
        (l.at.any.sa_family == AF_INET6 ? l.at.v6.sin6_port : l.at.v4.sin_port) == 0) /* any port */
        smi_buf_fmt(&b, "smilog: http://%s/\n", at);
    if (!smi_serve_address(*s)->loopback)
        smi_buf_fmt(&b, "smilog: anybody who can reach %s can read this\n", at);
    smi_live_print_message(to, &b);
    return 0;
}

void smi_live_report_no_server(struct smi_machine *n, struct smi_err *err)
{
    if (err->code)
        smi_machine_add_event(n, SMI_EVENT_WARN, "%s. smilog goes on without the server", err->text);
    *err = (struct smi_err){0};
}

void smi_live_write_textfile(const char *path, struct smi_machine *n, const struct smi_prometheus_opts *e)
{
    struct smi_err err = {0};
    struct smi_buf b = {0};
    smi_prometheus_put(&b, n, e);
    if (smi_text_file_put(path, &b, &err))
        smi_machine_add_event(n, SMI_EVENT_ERROR, "%s", err.text);
}

int smi_live_open_signals(void)
{
    struct sigaction hup;
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hup) || hup.sa_handler != SIG_IGN) /* nohup: a hang-up is to end nothing */
        sigaddset(&mask, SIGHUP);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    signal(SIGCHLD, SIG_DFL); /* ignored, the kernel would take our children away, and how they ended */
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away ends the showing, and then all in order */
    return signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

const char *smi_live_signal_name(int fd)
{
    struct signalfd_siginfo s;
    if (read(fd, &s, sizeof s) != sizeof s)
        return NULL;
    return s.ssi_signo == SIGINT ? "SIGINT" : s.ssi_signo == SIGHUP ? "SIGHUP" : "SIGTERM";
}

const char *smi_live_fake_path(char *room, size_t size, struct smi_err *err)
{
    static const char *const places[] = {"../tests/fake/nvidia-smi", "../../tests/fake/nvidia-smi"};
    ssize_t n = readlink("/proc/self/exe", room, size - 40);
    char *slash;
    room[n > 0 ? n : 0] = 0;
    slash = strrchr(room, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        strcpy(slash + 1, places[i]);
        if (access(room, X_OK) == 0)
            return room;
    }
    smi_err_set(err, SMI_EUSAGE,
                "--demo needs tests/fake/nvidia-smi of smilog's source tree: run build/smilog there");
    return NULL;
}

int smi_live_parse_format(const char *command, const char *format, bool *json, struct smi_err *err)
{
    *json = format && strcmp(format, "jsonl") == 0;
    if (!format || *json || strcmp(format, "plain") == 0)
        return 0;
    return smi_err_set(err, SMI_EUSAGE, "%s has no format %.60s; there are plain and jsonl", command, format);
}

/* ---- the end ---- */

void smi_live_let_end(struct smi_alert_actions *alerts, struct smi_follow_exec *exec)
{
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    int64_t now = smi_clock_now_ms(), end = now + SMI_LIVE_STOP_MS;
    if (exec)
        smi_loop_add(&l, smi_follow_exec_source(exec));
    alerts->hurry = true;
    smi_alert_actions_attach(alerts, &l, false);
    for (; (smi_alert_actions_busy(alerts) || (exec && smi_follow_exec_busy(exec))) && now < end;
         now = smi_clock_now_ms()) {
        smi_loop_prepare(&l, now);
        (void)poll(l.fd, (nfds_t)l.fds, l.due_ms <= now ? 0 : (int)(smi_earlier_ms(l.due_ms, end) - now));
        (void)smi_loop_call(&l, smi_clock_now_ms(), &err);
    }
}
