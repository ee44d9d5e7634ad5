/* watch.c - standard output and standard error of commands that watch a machine, and their loop. */
#include "live/watch.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FLUSH_MS = 100, /* for output that nobody reads, after a signal */
    READ_MS = 500   /* the same after another end, for the next byte to be read */
};

/* ---- standard output and standard error ---- */

void smi_watch_message(struct smi_watch *s, struct smi_buf *b)
{
    if (b->n)
        (void)smi_writer_put(s->one_stream ? &s->out : &s->err, b->p, b->n, NULL);
    smi_buf_fini(b);
}

/* Reports the lines of a stream that were dropped. */
static void report_dropped(struct smi_watch *s, struct smi_writer *w)
{
    struct smi_buf b = {0};
    if (!w->dropped)
        return;
    smi_buf_fmt(&b, "smilog: warning: %lld lines are missing from %s: nobody read it for too long\n",
                (long long)w->dropped, w->name);
    w->dropped = 0;
    smi_watch_message(s, &b);
}

/* Blocks SIGINT, SIGTERM and SIGHUP (unless that is ignored, as under nohup), ignores SIGPIPE, sees to
 * SIGCHLD, and returns a descriptor that is readable when one has come. */
static int open_signals(void)
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

/* The name of a signal that has come there, or NULL. */
static const char *signal_name(int fd)
{
    struct signalfd_siginfo s;
    if (read(fd, &s, sizeof s) != sizeof s)
        return NULL;
    return s.ssi_signo == SIGINT ? "SIGINT" : s.ssi_signo == SIGHUP ? "SIGHUP" : "SIGTERM";
}

/* Writes what is queued; says on standard error how many lines were dropped once they are read again. Fails
 * with err if standard output does. */
static int flush_streams(struct smi_watch *s, struct smi_err *err)
{
    if (smi_writer_flush(&s->out, err))
        return -1;
    (void)smi_writer_flush(&s->err, NULL);
    if (!smi_writer_pending(&s->out))
        report_dropped(s, &s->out);
    if (!smi_writer_pending(&s->err))
        report_dropped(s, &s->err);
    return 0;
}

/* Writes the rest: as long as it is read, or no progress is made for wait_ms, or until a signal comes; after
 * a signal for FLUSH_MS at most. Says how many lines nobody read. */
static void close_streams(struct smi_watch *s, int64_t wait_ms)
{
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    int64_t end = smi_earlier_ms(wait_ms, INT64_MAX - smi_clock_now_ms()) + smi_clock_now_ms();
    size_t left, before = SIZE_MAX;
    while ((left = smi_writer_pending(&s->out) + smi_writer_pending(&s->err)) && smi_clock_now_ms() < end) {
        if (left < before && wait_ms > FLUSH_MS && wait_ms < INT64_MAX)
            end = smi_clock_now_ms() + wait_ms;
        before = left;
        smi_loop_prepare(&l, smi_clock_now_ms());
        smi_loop_watch(&l, s->signals);
        smi_writer_watch(&s->out, &l);
        smi_writer_watch(&s->err, &l);
        (void)poll(l.fd, (nfds_t)l.fds, (int)smi_earlier_ms(end - l.now_ms, SMI_LOOP_WAIT_MS));
        if (wait_ms > FLUSH_MS && signal_name(s->signals))
            end = smi_clock_now_ms() + (wait_ms = FLUSH_MS);
        (void)flush_streams(s, &err);
    }
    s->out.dropped += smi_writer_discard(&s->out);
    report_dropped(s, &s->out);
    smi_writer_close(&s->out);
    smi_writer_close(&s->err);
}

/* ---- what they get ---- */

/* "smilog: error: gpu.csv is gone", safe for a terminal: event number *at, unless it is none to report. */
static void append_event(struct smi_buf *b, const struct smi_machine *n, int64_t at)
{
    static const char *const words[] = {
        [SMI_EVENT_OK] = "", [SMI_EVENT_WARN] = "warning: ", [SMI_EVENT_ERROR] = "error: "};
    const struct smi_event *e = &n->event[at % SMI_MACHINE_EVENTS_MAX];
    if (!words[e->kind])
        return;
    smi_buf_fmt(b, "smilog: %s", words[e->kind]);
    smi_buf_safe(b, smi_text_of(e->text));
    smi_buf_char(b, '\n');
}

void smi_watch_events(struct smi_watch *w)
{
    const struct smi_machine *n = w->now;
    struct smi_buf b = {0};
    if (w->told < n->events - SMI_MACHINE_EVENTS_MAX) {
        smi_buf_fmt(&b, "smilog: %lld events came at once, and are not shown\n",
                    (long long)(n->events - SMI_MACHINE_EVENTS_MAX - w->told));
        w->told = n->events - SMI_MACHINE_EVENTS_MAX;
    }
    while (w->told < n->events)
        append_event(&b, n, w->told++);
    smi_watch_message(w, &b);
}

void smi_live_write_errors(struct smi_buf *to, const struct smi_machine *n)
{
    for (int64_t i = n->events > SMI_MACHINE_EVENTS_MAX ? n->events - SMI_MACHINE_EVENTS_MAX : 0;
         i < n->events; i++)
        if (n->event[i % SMI_MACHINE_EVENTS_MAX].kind == SMI_EVENT_ERROR)
            append_event(to, n, i);
}

/* ---- what was typed ---- */

int smi_watch_duration(const char *option, const char *text, int64_t *ms, struct smi_err *err)
{
    static const char letters[] = "smhd";
    static const int64_t seconds[] = {1, 60, 3600, 86400};
    struct smi_text t = smi_text_of(text);
    const char *letter = t.n ? strchr(letters, text[t.n - 1]) : NULL;
    int64_t unit = letter ? seconds[letter - letters] : 1, micro;
    t.n -= letter != NULL;
    if (smi_text_parse_micro(t, &micro) || micro <= 0 || micro > (int64_t)100 * 365 * 86400 * 1000000 / unit)
        return smi_err_set(err, SMI_EUSAGE, "%s needs a time such as 90s, 10m or 2h, not \"%.60s\"", option,
                           text);
    *ms = micro * unit / 1000;
    return 0;
}

int smi_watch_check(struct smi_watch *w, const char *command, const char *kept, const char *textfile,
                    struct smi_err *err)
{
    const struct smi_watch_settings *how = w->how;
    const bool follow = strcmp(command, "follow") == 0;
    w->json = how->json || how->format == SMI_WATCH_JSONL;
    w->lines = how->plain || how->format || w->json || how->once || how->quiet;
    if (how->duration && smi_watch_duration("--for", how->duration, &w->span_ms, err))
        return -1;
    if (how->once &&
        (how->plain || (how->format && !w->json) || how->quiet || how->duration || (follow && kept)))
        return smi_err_set(err, SMI_EUSAGE,
                           "--once is a table or, with --json, an object; it ends by itself%s",
                           follow ? ", and stores nothing" : "");
    if (how->command && (how->once || !*how->command))
        return smi_err_set(err, SMI_EUSAGE, "--alert-exec needs a command, and a %s that goes on", command);
    if (how->quiet && !kept && !textfile && !how->command && !how->listen)
        return smi_err_set(err, SMI_EUSAGE, "-q without %s, --alert-exec or --listen would do nothing",
                           follow ? "--store FILE" : "-o DIR, --textfile");
    if ((!how->listen && (how->allow || (how->names && !textfile))) || (how->listen && how->once))
        return smi_err_set(
            err, SMI_EUSAGE,
            "--names is for %s--listen, --allow-host for --listen, these for a %s that goes on",
            follow ? "" : "--textfile and ", command);
    return 0;
}

/* ---- opening and closing ---- */

static void prepare_watch(void *self, struct smi_loop *l)
{
    const struct smi_watch *w = self;
    smi_loop_watch(l, w->signals);
    smi_loop_wake(l, w->why ? INT64_MAX : smi_earlier_ms(w->show_ms, w->end_ms));
    smi_writer_watch(&w->out, l);
    smi_writer_watch(&w->err, l);
}

/* A signal ends a recording in order, all else at once. */
static int begin_turn(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_watch *w = self;
    const char *why = smi_loop_ready(l, w->signals) ? signal_name(w->signals) : NULL;
    w->signalled |= why != NULL;
    w->why = w->why ? w->why : why;
    return why && !w->live ? 1 : flush_streams(w, err);
}

int smi_watch_open(struct smi_watch *w, struct smi_err *err)
{
    const int64_t now = w->loop.now_ms = smi_clock_now_ms();
    struct stat one, other;
    if (smi_alert_actions_init(&w->alerts, w->how->rules, err))
        return -1;
    smi_loop_add(&w->loop, (struct smi_loop_source){w, prepare_watch, begin_turn});
    w->show_ms = now + w->interval_ms; /* the first readings need one */
    w->end_ms = w->span_ms ? now + w->span_ms : INT64_MAX;
    w->signals = open_signals();
    smi_writer_open(&w->out, STDOUT_FILENO, "standard output");
    smi_writer_open(&w->err, STDERR_FILENO, "standard error");
    w->one_stream = w->out.kind != SMI_WRITER_FILE && fstat(STDOUT_FILENO, &one) == 0 &&
                    fstat(STDERR_FILENO, &other) == 0 && one.st_dev == other.st_dev &&
                    one.st_ino == other.st_ino;
    return 0;
}

int smi_watch_listen(struct smi_watch *w, const char *run, bool only, struct smi_err *err)
{
    const struct smi_serve_opts o = {w->how->listen, w->about.what, w->about.host, run,
                                     w->interval_ms, w->how->names, w->how->allow};
    struct smi_buf b = {0};
    char at[SMI_LISTEN_TEXT];
    w->serve = o.listen ? smi_serve_open(&o, err) : NULL;
    if (!w->serve)
        return o.listen && (only || err->code != SMI_EIO) ? -1 : 0;
    smi_listen_put(at, smi_serve_address(w->serve));
    if (smi_serve_address(w->serve)->any_port)
        smi_buf_fmt(&b, "smilog: http://%s/\n", at);
    if (!smi_serve_address(w->serve)->loopback)
        smi_buf_fmt(&b, "smilog: anybody who can reach %s can read this\n", at);
    smi_watch_message(w, &b);
    return 0;
}

void smi_watch_show(struct smi_watch *w, struct smi_machine *now, struct smi_err *no_server)
{
    w->now = now;
    smi_serve_show(w->serve, now);
    if (no_server->code)
        smi_machine_add_event(now, SMI_EVENT_WARN, "%s. smilog goes on without the server", no_server->text);
    *no_server = (struct smi_err){0};
}

void smi_watch_close(struct smi_watch *w, struct smi_buf *message)
{
    smi_watch_message(w, message);
    close_streams(w, w->signalled ? FLUSH_MS : w->how->once || w->whole ? INT64_MAX : READ_MS);
    close(w->signals);
}

/* ---- the screen ---- */

enum {
    DRAW_MOST_MS = 1000, /* the clock in the first line goes on */
    DRAW_LEAST_MS = 200,
    EAGER_MS = 3000, /* at the beginning much is new */
    SETTLE_MS = 150, /* the rows of one poll, and of monitors that start together, come one after another */
    COST_MS = 5000,
    KEYS = 64, /* at once */
    DEAF = 100 /* times that it says there are keys, and there are none: its other end is closed */
};

/* Our own use since it was looked at before, now and then; the memory is the most there was. */
static void measure_own_cost(struct smi_watch *w, int64_t now_ms)
{
    const int64_t span = now_ms - w->cost_ms;
    struct rusage u;
    if (span < (w->about.cpu_micro < 0 ? COST_MS / 5 : COST_MS))
        return;
    getrusage(RUSAGE_SELF, &u);
    const int64_t us =
        (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * INT64_C(1000000) + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
    w->about.cpu_micro = w->cost_ms ? (us - w->cost_us) * 1000 / span : -1;
    w->about.memory_kib = u.ru_maxrss;
    w->cost_ms = now_ms;
    w->cost_us = us;
}

static void prepare_screen(void *self, struct smi_loop *l)
{
    const struct smi_watch *w = self;
    smi_loop_watch(l, w->deaf < DEAF ? w->term.fd : -1);
    if (!smi_writer_pending(&w->out)) /* else once the terminal has taken the last frame */
        smi_loop_wake(l, w->draw_ms);
}

static int run_screen(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_watch *w = self;
    int64_t step = w->about.interval_ms;
    int key, ready = smi_loop_ready(l, w->term.fd);
    if (!isatty(STDERR_FILENO))
        smi_watch_events(w);
    w->told = w->now->events; /* the screen has a list of them */
    for (int i = 0; i < KEYS && !w->quit && (key = smi_term_key(&w->term)); i++) {
        const enum smi_view_action action = smi_view_key(&w->view, key, w->now, w->no_marks);
        w->deaf = 0;
        w->again |= action != SMI_VIEW_NOTHING;
        w->quit |= action == SMI_VIEW_QUIT;
        w->space |= action == SMI_VIEW_HOLD;
        if (action == SMI_VIEW_MARK) { /* what somebody says of this moment, in the record */
            smi_live_event(w->live, "mark", SMI_VALUES(SMI_VALUE("text", w->view.typed)));
            smi_machine_add_event(w->now, SMI_EVENT_RUNLOG, "mark: %s", w->view.typed);
        }
    }
    w->deaf += (ready & POLLIN) && !w->again;
    w->quit |= (ready & (POLLHUP | POLLERR | POLLNVAL)) != 0; /* nobody looks any more */
    step = step && step < DRAW_MOST_MS ? step : DRAW_MOST_MS;
    /* New rows are drawn soon, and so frames keep step with the polls. */
    if (w->now->gpu_mono_ms > w->drawn_ms) {
        const int64_t soon = w->now->gpu_mono_ms + SETTLE_MS, least = w->drawn_ms + step / 2;
        w->draw_ms = smi_earlier_ms(w->draw_ms, soon > least ? soon : least);
    }
    if (w->quit || smi_writer_pending(&w->out) || (!w->again && l->now_ms < w->draw_ms))
        return 0;
    w->again = false;
    if (l->now_ms - w->screen_ms < EAGER_MS || step < DRAW_LEAST_MS)
        step = DRAW_LEAST_MS;
    w->drawn_ms = l->now_ms;
    w->draw_ms = l->now_ms + step;
    measure_own_cost(w, l->now_ms);
    if (!w->still || !w->view.paused) {
        smi_buf_clear(&w->frame);
        smi_tui_frame(&w->frame, w->term.width, w->term.height, w->term.utf8, w->now, &w->about, &w->view);
    }
    w->still = w->view.paused;
    return smi_term_draw(&w->term, &w->frame, err);
}

/* Takes the terminal, unless lines are wanted, standard output is no terminal, is not ours at present, or
 * cannot be drawn on (standard error says why): a line an interval does then. */
static void open_screen(struct smi_watch *w)
{
    struct smi_err err = {0};
    if (w->lines || !smi_term_available())
        return;
    if (smi_term_open(&w->term, &w->out, w->look.color, w->look.utf8, &err)) {
        struct smi_buf b = {0};
        smi_buf_str(&b, "smilog: ");
        smi_buf_safe(&b, smi_text_of(err.text)); /* $TERM may be anything */
        smi_buf_str(&b, ": a line an interval, as with --plain\n");
        smi_watch_message(w, &b);
        return;
    }
    w->about.no_marks = w->no_marks != NULL;
    w->about.color = w->term.color;
    w->about.cpu_micro = -1;
    w->screen_ms = w->draw_ms = smi_clock_now_ms();
    smi_loop_add(&w->loop, (struct smi_loop_source){w, prepare_screen, run_screen});
    w->show = true;
}

void smi_watch_close_screen(struct smi_watch *w)
{
    if (!w->show)
        return;
    w->show = false;
    smi_term_close(&w->term);
    smi_buf_fini(&w->frame);
}

/* ---- going on ---- */

int smi_watch_run(struct smi_watch *w, const char *run, struct smi_loop_source last, struct smi_err *err)
{
    struct pollfd out = {w->out.fd, POLLOUT, 0};
    int rc;
    smi_alert_actions_start(&w->alerts, w->now, w->live, w->how->command, run);
    smi_alert_actions_attach(&w->alerts, &w->loop, w->each_turn);
    if (w->serve)
        smi_loop_add(&w->loop, smi_serve_source(w->serve));
    open_screen(w);
    if (w->show || w->how->quiet || w->how->once)
        w->show_ms = INT64_MAX;
    smi_loop_add(&w->loop, last);
    rc = smi_loop_run(&w->loop, err);
    if (rc && w->out.failed && poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP))) {
        rc = 0; /* that is how it ends in a pipe */
        *err = (struct smi_err){0};
        w->why = "standard output was closed";
    }
    w->had_screen = w->show;
    smi_watch_close_screen(w);
    return rc;
}

void smi_watch_turn(struct smi_watch *w, int64_t now_ms, bool events)
{
    if (!w->show && events)
        smi_watch_events(w);
    w->why = w->why ? w->why : w->quit ? "q" : now_ms >= w->end_ms ? "time is over" : NULL;
}

int smi_watch_print(struct smi_watch *w, bool table, struct smi_err *err)
{
    const char *key[SMI_RULES];
    size_t n = 0; /* rules that one moment cannot tell, unless they are disabled */
    struct smi_buf b = {0}, unjudged = {0};
    struct smi_json j;
    int rc;
    for (int i = SMI_RULE_COUNT; i < SMI_RULES && w->about.now_only; i++)
        if (w->alerts.table.rule[i].marks & SMI_ALERT_SLOW && !w->alerts.table.rule[i].off)
            key[n++] = w->alerts.table.rule[i].key;
    smi_json_begin(&j, &b);
    if (w->json) {
        smi_json_open(&j, '{');
        smi_machine_json_put(&j, w->now);
        if (n)
            smi_json_key_open(&j, "not_judged", '[');
        for (size_t i = 0; i < n; i++)
            smi_json_str(&j, key[i]);
        if (n)
            smi_json_close(&j, ']');
        smi_json_close(&j, '}');
        smi_buf_char(&b, '\n');
    } else if (table) {
        for (size_t i = 0; i < n && w->now->gpus; i++)
            smi_buf_fmt(&unjudged, "%s%s", i ? ", " : "not judged, needs more time: ", key[i]);
        w->about.unjudged = unjudged.p;
        smi_machine_table_put(&b, w->now, &w->about, &w->look);
        w->about.unjudged = NULL;
    } else {
        smi_machine_line_put(&b, w->now);
    }
    rc = smi_writer_put(&w->out, b.p, b.n, err);
    smi_buf_fini(&b);
    smi_buf_fini(&unjudged);
    return rc;
}

int smi_watch_print_due(struct smi_watch *w, int64_t now_ms, bool last, struct smi_err *err)
{
    if (w->show_ms == INT64_MAX || (now_ms < w->show_ms && !last))
        return 0;
    smi_next_step_ms(&w->show_ms, w->interval_ms, now_ms);
    return smi_watch_print(w, false, err);
}

int smi_watch_once(struct smi_watch *w, int64_t now_ms, struct smi_err *err)
{
    w->alerts.once = true;
    smi_alert_actions_check(&w->alerts, now_ms);
    w->alerted = w->now->alerts > 0;
    return smi_watch_print(w, true, err);
}

void smi_watch_let_end(struct smi_watch *w)
{
    struct smi_follow *t = w->tail;
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    int64_t now = smi_clock_now_ms(), end = now + SMI_LIVE_STOP_MS;
    if (t)
        smi_loop_add(&l, smi_follow_source(t));
    w->alerts.hurry = true;
    smi_alert_actions_attach(&w->alerts, &l, false);
    for (; (smi_alert_actions_busy(&w->alerts) || (t && smi_follow_busy(t))) && now < end;
         now = smi_clock_now_ms()) {
        smi_loop_prepare(&l, now);
        (void)poll(l.fd, (nfds_t)l.fds, l.due_ms <= now ? 0 : (int)(smi_earlier_ms(l.due_ms, end) - now));
        (void)smi_loop_call(&l, smi_clock_now_ms(), &err);
    }
}
