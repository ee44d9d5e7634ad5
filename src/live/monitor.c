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
    if (m->ok_ms >= 0 && now_ms - m->ok_ms >= m->times.steady)
        m->pause_ms = m->times.pause;
    m->ok_ms = -1;
    m->due_ms = now_ms + m->pause_ms;
    m->pause_ms = m->pause_ms * 2 < m->times.pause_most ? m->pause_ms * 2 : m->times.pause_most;
    smi_monitor_set_state(m, SMI_MONITOR_RESTARTING, now_ms);
}

static void not_started(struct smi_monitor *m, int cause, const char *text, int64_t now_ms)
{
    m->doing = SMI_MONITOR_NO_CHILD;
    smi_monitor_set_reason(m, "%s", text);
    if (cause == ENOENT || cause == EACCES || cause == ENOTDIR || cause == ENOEXEC) {
        smi_monitor_set_state(m, SMI_MONITOR_GONE, now_ms);
        return;
    }
    smi_monitor_open_gap(m, m->line_ms >= 0 ? m->line_ms : now_ms);
    restart_later(m, now_ms);
}

static void forget_child(struct smi_monitor *m)
{
    memset(&m->out, 0, sizeof m->out);
    memset(&m->err, 0, sizeof m->err);
    m->out.of_rows = true;
    smi_buf_fini(&m->answer); /* also where it failed */
    m->child_lines = 0;
    m->end_ms = -1;
    m->blamed = false;
}

static void start_child(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_monitor_argv a;
    struct smi_err err = {0};
    bool probe = m->kind->fields && !m->probed;
    forget_child(m);
    m->begun_ms = now_ms;
    if (m->kind->fields && smi_monitor_fields_text(m)) {
        not_started(m, ENOMEM, "out of memory", now_ms);
        return;
    }
    if (smi_monitor_command(m, &a, probe)) {
        not_started(m, ENOEXEC, "the list of GPUs is too long for a command line", now_ms);
        return;
    }
    const struct smi_child_spec spec = {a.v, m->kind->env, m->kind->pty && !probe};
    m->session = m->child.session;
    if (smi_child_open(&m->child, &spec, &err)) {
        not_started(m, m->child.cause, err.text, now_ms);
        return;
    }
    m->doing = probe ? SMI_MONITOR_PROBE_CHILD : SMI_MONITOR_ROWS_CHILD;
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
    struct smi_text answer = {m->answer.n ? m->answer.p : "", m->answer.n};
    if (!m->child.status) {
        m->probed = true;
        if (smi_monitor_read_gpus(m))
            smi_monitor_report(m, SMI_MONITOR_HAS_GPUS, now_ms, -1);
        start_child(m, now_ms);
    } else if (!m->blamed && smi_monitor_drop_field(m, answer)) {
        start_child(m, now_ms);
    } else {
        if (!m->blamed)
            smi_monitor_set_exit_reason(m, &m->child);
        smi_monitor_open_gap(m, m->line_ms >= 0 ? m->line_ms : m->begun_ms);
        restart_later(m, now_ms);
    }
}

static void rows_ended(struct smi_monitor *m, int64_t now_ms)
{
    struct smi_text said = {m->out.line, m->out.line_n};
    if (!m->blamed)
        smi_monitor_set_exit_reason(m, &m->child);
    if (m->kind->fields && m->child.status && smi_monitor_drop_field(m, said))
        m->probed = false; /* another driver than at the last probe */
    smi_monitor_open_gap(m, m->line_ms >= 0 ? m->line_ms : m->begun_ms);
    restart_later(m, now_ms);
}

static void child_ended(struct smi_monitor *m, int64_t now_ms)
{
    smi_monitor_read(m, &m->child.err, DRAIN_MOST, now_ms);
    smi_monitor_read(m, &m->child.out, DRAIN_MOST, now_ms);
    smi_child_close(&m->child);
    enum smi_monitor_child doing = m->doing;
    m->doing = SMI_MONITOR_NO_CHILD;
    if (m->stopping)
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
    m->left = m->child;
    m->child.pid = 0;
    m->child.pidfd = m->child.life = m->child.told = -1; /* now of left */
    m->left.out = m->left.err = -1;                      /* closed here */
    smi_child_close(&m->child);
    m->doing = SMI_MONITOR_NO_CHILD;
    if (m->stopping)
        return;
    smi_monitor_set_reason(m, "process %d hangs in the kernel and cannot be killed: left behind",
                           (int)m->left.pid);
    smi_monitor_open_gap(m, m->line_ms >= 0 ? m->line_ms : m->begun_ms);
    smi_monitor_set_state(m, SMI_MONITOR_GONE, now_ms);
}

static void check_stuck_child(struct smi_monitor *m, int64_t now_ms)
{
    if (!m->left.pid || smi_child_poll(&m->left, now_ms) != SMI_CHILD_ENDED)
        return;
    smi_child_close(&m->left);
    if (m->stopping)
        return;
    smi_monitor_set_reason(m, "the process that hung in the kernel has ended");
    restart_later(m, now_ms);
}

/* ---- what is due ---- */

static void end_child(struct smi_monitor *m, int64_t now_ms)
{
    m->blamed = true;
    smi_child_stop(&m->child, &m->times.restart, now_ms);
}

/* When the child has been quiet for too long: INT64_MAX for one that may. */
static int64_t silence_deadline(const struct smi_monitor *m)
{
    if (m->stopping || m->blamed || m->doing == SMI_MONITOR_NO_CHILD)
        return INT64_MAX;
    if (m->state == SMI_MONITOR_SILENT)
        return m->since_ms + smi_monitor_silence(m);
    if (m->doing == SMI_MONITOR_PROBE_CHILD)
        return m->begun_ms + m->times.start;
    if (m->kind->quiet)
        return INT64_MAX;
    return m->child_lines ? m->line_ms + smi_monitor_silence(m)
                          : m->begun_ms + m->times.start + m->interval_ms;
}

static void out_of_patience(struct smi_monitor *m, int64_t now_ms)
{
    int64_t from =
        m->child_lines && m->line_ms > m->begun_ms ? m->line_ms : m->begun_ms; /* a probe's are not timed */
    double s = (double)(now_ms - from) / 1000;
    smi_monitor_set_reason(
        m, m->child_lines ? "no row for %.0f s" : "printed nothing for %.0f s after its start", s);
    smi_monitor_open_gap(m, m->line_ms >= 0 ? m->line_ms : m->begun_ms);
    if (m->doing == SMI_MONITOR_ROWS_CHILD && m->state != SMI_MONITOR_SILENT) {
        smi_monitor_set_state(m, SMI_MONITOR_SILENT, now_ms);
        return;
    }
    end_child(m, now_ms);
    smi_monitor_set_state(m, SMI_MONITOR_RESTARTING, now_ms);
}

/* Its output has ended, but it has not: that is no monitor. */
static int64_t output_deadline(const struct smi_monitor *m)
{
    return m->child.pid && m->end_ms >= 0 && !m->blamed && !m->stopping ? m->end_ms + CLOSED_MS : INT64_MAX;
}

static void run_timers(struct smi_monitor *m, int64_t now_ms)
{
    if (now_ms >= output_deadline(m)) {
        smi_monitor_set_reason(m, "closed its output");
        end_child(m, now_ms);
    }
    if (now_ms >= silence_deadline(m))
        out_of_patience(m, now_ms);
    if (!m->stopping && m->state == SMI_MONITOR_RESTARTING && m->doing == SMI_MONITOR_NO_CHILD &&
        now_ms >= m->due_ms)
        start_child(m, now_ms);
}

/* ---- as a source of the loop ---- */

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_monitor *m = self;
    smi_child_watch(&m->child, l);
    smi_child_watch(&m->left, l);
    smi_loop_wake(l, silence_deadline(m));
    smi_loop_wake(l, output_deadline(m));
    if (!m->stopping && m->state == SMI_MONITOR_RESTARTING && m->doing == SMI_MONITOR_NO_CHILD)
        smi_loop_wake(l, m->due_ms);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_monitor *m = self;
    bool look = m->child.step || m->child.pidfd < 0 || smi_loop_ready(l, m->child.pidfd);
    (void)err;
    if (smi_loop_ready(l, m->child.err))
        smi_monitor_read(m, &m->child.err, READ_MOST, l->now_ms);
    if (smi_loop_ready(l, m->child.out))
        smi_monitor_read(m, &m->child.out, READ_MOST, l->now_ms);
    look = look || m->child.out < 0;
    enum smi_child_state s = look ? smi_child_poll(&m->child, l->now_ms) : SMI_CHILD_RUNS;
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
    if (m->child.pid)
        out[n++] = m->child.pid;
    if (m->left.pid)
        out[n++] = m->left.pid;
    return n;
}

bool smi_monitor_owns_process(const struct smi_monitor *m, pid_t pid)
{
    return pid > 0 && (pid == m->child.pid || pid == m->left.pid);
}

bool smi_monitor_owns_session(const struct smi_monitor *m, pid_t session)
{
    return session > 0 &&
           (session == m->child.session || session == m->left.session || session == m->session);
}

/* ---- life ---- */

static char *copy_words(const char *s)
{
    return s ? smi_mem_text(s, strlen(s)) : NULL;
}

struct smi_monitor *smi_monitor_new(const struct smi_monitor_opts *o, struct smi_err *err)
{
    struct smi_monitor *m = smi_mem_new(1, sizeof *m);
    if (!m) {
        smi_err_nomem(err);
        return NULL;
    }
    m->kind = o->kind;
    m->interval_ms = smi_monitor_interval(o->kind, o->interval_ms);
    m->line_ms = m->gap_ms = m->ok_ms = m->end_ms = -1;
    m->child = m->left = smi_child_none;
    m->times = o->times ? *o->times : smi_monitor_times;
    m->calls = o->calls;
    m->program = copy_words(o->program ? o->program : o->kind->program);
    m->wanted = copy_words(o->gpus);
    if (!m->program || (o->gpus && !m->wanted)) {
        smi_monitor_free(m);
        smi_err_nomem(err);
        return NULL;
    }
    return m;
}

void smi_monitor_start(struct smi_monitor *m, int64_t now_ms)
{
    if (m->doing != SMI_MONITOR_NO_CHILD)
        return;
    m->stopping = false;
    m->pause_ms = m->times.pause;
    m->reason[0] = 0;
    start_child(m, now_ms);
}

void smi_monitor_stop(struct smi_monitor *m, int64_t now_ms)
{
    if (m->stopping)
        return;
    m->stopping = true;
    smi_monitor_close_gap(m, now_ms);
    smi_child_stop(&m->child, m->line_ms < 0 ? &unheard : &m->times.stop, now_ms);
    smi_monitor_set_state(m, SMI_MONITOR_STOPPED, now_ms);
}

bool smi_monitor_busy(const struct smi_monitor *m)
{
    return m->child.pid != 0;
}

void smi_monitor_free(struct smi_monitor *m)
{
    if (!m)
        return;
    smi_child_close(&m->child);
    smi_child_close(&m->left);
    smi_buf_fini(&m->answer);
    smi_mem_free(m->program);
    smi_mem_free(m->wanted);
    smi_mem_free(m->gpus);
    smi_mem_free(m->fields);
    smi_mem_free(m);
}
