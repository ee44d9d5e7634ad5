#include "live/monitor_private.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>

enum { READ_MOST = 65536, DRAIN_MOST = 1 << 20, CLOSED_MS = 200 };

const struct smi_monitor_times smi_monitor_times = {.start = 20000,
                                                    .silence = 3000,
                                                    .pause = 1000,
                                                    .pause_most = 60000,
                                                    .steady = 60000,
                                                    .restart = {1000, 2000, 7000},
                                                    .stop = {250, 500, 5500}};

/* Of one that never said a line no last one is waited for. */
static const struct smi_child_deadlines unheard = {20, 40, 5000};

/* ---- starting ---- */

/* A pause, and it starts again; the next pause is twice as long, unless rows came for long enough. */
static void restart_later(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    if (w->ok_ms >= 0 && now_ms - w->ok_ms >= w->times.steady)
        w->pause_ms = w->times.pause;
    w->ok_ms = -1;
    w->due_ms = now_ms + w->pause_ms;
    w->pause_ms = w->pause_ms * 2 < w->times.pause_most ? w->pause_ms * 2 : w->times.pause_most;
    smi_monitor_set_state(m, SMI_MONITOR_RESTARTING, now_ms);
}

static void not_started(struct smi_monitor *m, int cause, const char *text, int64_t now_ms)
{
    m->work->doing = SMI_MONITOR_NO_CHILD;
    smi_monitor_set_reason(m, "%s", text);
    if (cause == ENOENT || cause == EACCES || cause == ENOTDIR || cause == ENOEXEC) {
        smi_monitor_set_state(m, SMI_MONITOR_GONE, now_ms);
        return;
    }
    smi_monitor_open_gap(m, m->line_ms >= 0 ? m->line_ms : now_ms);
    restart_later(m, now_ms);
}

static void forget_child(struct smi_monitor_work *w)
{
    memset(&w->out, 0, sizeof w->out);
    memset(&w->err, 0, sizeof w->err);
    w->out.of_rows = true;
    smi_buf_fini(&w->answer); /* also where it failed */
    w->child_lines = 0;
    w->end_ms = -1;
    w->blamed = false;
}

static void start_child(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    struct smi_monitor_argv a;
    struct smi_err err = {0};
    bool probe = m->kind->fields && !w->probed;
    forget_child(w);
    w->begun_ms = now_ms;
    if (m->kind->fields && smi_monitor_fields_text(m)) {
        not_started(m, ENOMEM, "out of memory", now_ms);
        return;
    }
    if (smi_monitor_command(m, &a, probe)) {
        not_started(m, ENOEXEC, "the list of GPUs is too long for a command line", now_ms);
        return;
    }
    const struct smi_child_spec spec = {a.v, m->kind->env, m->kind->pty && !probe};
    w->session = w->child.session;
    if (smi_child_open(&w->child, &spec, &err)) {
        not_started(m, w->child.cause, err.text, now_ms);
        return;
    }
    w->doing = probe ? SMI_MONITOR_PROBE_CHILD : SMI_MONITOR_ROWS_CHILD;
    if (m->state != SMI_MONITOR_STARTING)
        smi_monitor_set_state(m, SMI_MONITOR_STARTING, now_ms);
    if (!probe) {
        m->starts++;
        smi_monitor_report(m, SMI_MONITOR_CHILD_STARTED, now_ms, -1);
    }
}

/* ---- how it ends ---- */

static void probe_ended(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    struct smi_text answer = {w->answer.n ? w->answer.p : "", w->answer.n};
    if (!w->child.status) {
        w->probed = true;
        if (smi_monitor_read_gpus(m))
            smi_monitor_report(m, SMI_MONITOR_HAS_GPUS, now_ms, -1);
        start_child(m, now_ms);
    } else if (!w->blamed && smi_monitor_drop_field(m, answer)) {
        start_child(m, now_ms);
    } else {
        if (!w->blamed)
            smi_monitor_set_exit_reason(m, &w->child);
        smi_monitor_open_gap(m, m->line_ms >= 0 ? m->line_ms : w->begun_ms);
        restart_later(m, now_ms);
    }
}

static void rows_ended(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    struct smi_text said = {w->out.line, w->out.line_n};
    if (!w->blamed)
        smi_monitor_set_exit_reason(m, &w->child);
    if (m->kind->fields && w->child.status && smi_monitor_drop_field(m, said))
        w->probed = false; /* another driver than at the last probe */
    smi_monitor_open_gap(m, m->line_ms >= 0 ? m->line_ms : w->begun_ms);
    restart_later(m, now_ms);
}

static void child_ended(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    smi_monitor_read(m, &w->child.err, DRAIN_MOST, now_ms);
    smi_monitor_read(m, &w->child.out, DRAIN_MOST, now_ms);
    smi_child_close(&w->child);
    enum smi_monitor_child doing = w->doing;
    w->doing = SMI_MONITOR_NO_CHILD;
    if (w->stopping)
        return;
    if (doing == SMI_MONITOR_PROBE_CHILD)
        probe_ended(m, now_ms);
    else
        rows_ended(m, now_ms);
}

/* It survives SIGKILL. It is not waited for, and no other is started beside it: that one would hang as well.
 */
static void child_stuck(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    w->left = w->child;
    w->child.pid = 0;
    w->child.pidfd = w->child.life = w->child.told = -1; /* now of left */
    w->left.out = w->left.err = -1;                      /* closed here */
    smi_child_close(&w->child);
    w->doing = SMI_MONITOR_NO_CHILD;
    m->left = 1;
    if (w->stopping)
        return;
    smi_monitor_set_reason(m, "process %d hangs in the kernel and cannot be killed: left behind",
                           (int)w->left.pid);
    smi_monitor_open_gap(m, m->line_ms >= 0 ? m->line_ms : w->begun_ms);
    smi_monitor_set_state(m, SMI_MONITOR_GONE, now_ms);
}

static void check_stuck_child(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    if (!w->left.pid || smi_child_poll(&w->left, now_ms) != SMI_CHILD_ENDED)
        return;
    smi_child_close(&w->left);
    m->left = 0;
    if (w->stopping)
        return;
    smi_monitor_set_reason(m, "the process that hung in the kernel has ended");
    restart_later(m, now_ms);
}

/* ---- what is due ---- */

static void end_child(struct smi_monitor *m, int64_t now_ms)
{
    m->work->blamed = true;
    smi_child_stop(&m->work->child, &m->work->times.restart, now_ms);
}

/* When the child has been quiet for too long: INT64_MAX for one that may. */
static int64_t silence_deadline(const struct smi_monitor *m)
{
    const struct smi_monitor_work *w = m->work;
    if (w->stopping || w->blamed || w->doing == SMI_MONITOR_NO_CHILD)
        return INT64_MAX;
    if (m->state == SMI_MONITOR_SILENT)
        return m->since_ms + smi_monitor_silence(m);
    if (w->doing == SMI_MONITOR_PROBE_CHILD)
        return w->begun_ms + w->times.start;
    if (m->kind->quiet)
        return INT64_MAX;
    return w->child_lines ? m->line_ms + smi_monitor_silence(m)
                          : w->begun_ms + w->times.start + m->interval_ms;
}

static void out_of_patience(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    int64_t from =
        w->child_lines && m->line_ms > w->begun_ms ? m->line_ms : w->begun_ms; /* a probe's are not timed */
    double s = (double)(now_ms - from) / 1000;
    smi_monitor_set_reason(
        m, w->child_lines ? "no row for %.0f s" : "printed nothing for %.0f s after its start", s);
    smi_monitor_open_gap(m, m->line_ms >= 0 ? m->line_ms : w->begun_ms);
    if (w->doing == SMI_MONITOR_ROWS_CHILD && m->state != SMI_MONITOR_SILENT) {
        smi_monitor_set_state(m, SMI_MONITOR_SILENT, now_ms);
        return;
    }
    end_child(m, now_ms);
    smi_monitor_set_state(m, SMI_MONITOR_RESTARTING, now_ms);
}

/* Its output has ended, but it has not: that is no monitor. */
static int64_t output_deadline(const struct smi_monitor_work *w)
{
    return w->child.pid && w->end_ms >= 0 && !w->blamed && !w->stopping ? w->end_ms + CLOSED_MS : INT64_MAX;
}

static void run_timers(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    if (now_ms >= output_deadline(w)) {
        smi_monitor_set_reason(m, "closed its output");
        end_child(m, now_ms);
    }
    if (now_ms >= silence_deadline(m))
        out_of_patience(m, now_ms);
    if (!w->stopping && m->state == SMI_MONITOR_RESTARTING && w->doing == SMI_MONITOR_NO_CHILD &&
        now_ms >= w->due_ms)
        start_child(m, now_ms);
}

/* ---- as a source of the loop ---- */

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_monitor *m = self;
    const struct smi_monitor_work *w = m->work;
    smi_child_watch(&w->child, l);
    smi_child_watch(&w->left, l);
    smi_loop_wake(l, silence_deadline(m));
    smi_loop_wake(l, output_deadline(w));
    if (!w->stopping && m->state == SMI_MONITOR_RESTARTING && w->doing == SMI_MONITOR_NO_CHILD)
        smi_loop_wake(l, w->due_ms);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_monitor *m = self;
    struct smi_monitor_work *w = m->work;
    bool look = w->child.step || w->child.pidfd < 0 || smi_loop_ready(l, w->child.pidfd);
    (void)err;
    if (smi_loop_ready(l, w->child.err))
        smi_monitor_read(m, &w->child.err, READ_MOST, l->now_ms);
    if (smi_loop_ready(l, w->child.out))
        smi_monitor_read(m, &w->child.out, READ_MOST, l->now_ms);
    look = look || w->child.out < 0;
    enum smi_child_state s = look ? smi_child_poll(&w->child, l->now_ms) : SMI_CHILD_RUNS;
    if (s == SMI_CHILD_ENDED)
        child_ended(m, l->now_ms);
    else if (s == SMI_CHILD_STUCK)
        child_stuck(m, l->now_ms);
    check_stuck_child(m, l->now_ms);
    run_timers(m, l->now_ms);
    return 0;
}

struct smi_loop_source smi_monitor_source(struct smi_monitor *m)
{
    return (struct smi_loop_source){m, prepare, run};
}

size_t smi_monitor_children(const struct smi_monitor *m, pid_t *out)
{
    size_t n = 0;
    if (m->work->child.pid)
        out[n++] = m->work->child.pid;
    if (m->work->left.pid)
        out[n++] = m->work->left.pid;
    return n;
}

bool smi_monitor_owns_process(const struct smi_monitor *m, pid_t pid)
{
    return pid > 0 && (pid == m->work->child.pid || pid == m->work->left.pid);
}

bool smi_monitor_owns_session(const struct smi_monitor *m, pid_t session)
{
    const struct smi_monitor_work *w = m->work;
    return session > 0 &&
           (session == w->child.session || session == w->left.session || session == w->session);
}

/* ---- life ---- */

static char *copy_words(const char *s)
{
    return s ? smi_mem_text(s, strlen(s)) : NULL;
}

struct smi_monitor *smi_monitor_new(const struct smi_monitor_opts *o, struct smi_err *err)
{
    struct smi_monitor *m = smi_mem_new(1, sizeof *m);
    struct smi_monitor_work *w = m ? m->work = smi_mem_new(1, sizeof *w) : NULL;
    if (!w) {
        smi_mem_free(m);
        smi_err_nomem(err);
        return NULL;
    }
    m->kind = o->kind;
    m->interval_ms = smi_monitor_interval(o->kind, o->interval_ms);
    m->line_ms = m->gap_ms = w->ok_ms = w->end_ms = -1;
    w->child = w->left = smi_child_none;
    w->times = o->times ? *o->times : smi_monitor_times;
    w->calls = o->calls;
    w->program = copy_words(o->program ? o->program : o->kind->program);
    w->gpus = copy_words(o->gpus);
    if (!w->program || (o->gpus && !w->gpus)) {
        smi_monitor_free(m);
        smi_err_nomem(err);
        return NULL;
    }
    return m;
}

void smi_monitor_start(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    if (w->doing != SMI_MONITOR_NO_CHILD)
        return;
    w->stopping = false;
    w->pause_ms = w->times.pause;
    m->reason[0] = 0;
    start_child(m, now_ms);
}

void smi_monitor_stop(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    if (w->stopping)
        return;
    w->stopping = true;
    smi_monitor_close_gap(m, now_ms);
    smi_child_stop(&w->child, m->line_ms < 0 ? &unheard : &w->times.stop, now_ms);
    smi_monitor_set_state(m, SMI_MONITOR_STOPPED, now_ms);
}

bool smi_monitor_busy(const struct smi_monitor *m)
{
    return m->work->child.pid != 0;
}

void smi_monitor_free(struct smi_monitor *m)
{
    if (!m)
        return;
    struct smi_monitor_work *w = m->work;
    smi_child_close(&w->child);
    smi_child_close(&w->left);
    smi_buf_fini(&w->answer);
    smi_mem_free(w->program);
    smi_mem_free(w->gpus);
    smi_mem_free(w);
    smi_mem_free(m->gpus);
    smi_mem_free(m->fields);
    smi_mem_free(m);
}
