/* job_signal_probe.c - a process of our group that does nothing but hear the signals of the group. Its name
 * and its command line are its own: `pkill smilog` is to reach us alone, for only then the signal is sent on.
 */
#include "live/cgroup.h"
#include "process/job_private.h"
#include "process/tree_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WATCH_MS = 100, BODY_MS = 1000 };
static const char name[] = "signal-ear";

/* ---- in the ear ---- */

static void close_from_to(unsigned from, unsigned to)
{
#ifdef SYS_close_range
    if (from > to || syscall(SYS_close_range, from, to, 0) == 0)
        return;
#endif
    struct rlimit most;
    unsigned n = getrlimit(RLIMIT_NOFILE, &most) || most.rlim_cur > 65536 ? 65536 : (unsigned)most.rlim_cur;
    for (unsigned fd = from; fd <= to && fd < n; fd++)
        close((int)fd);
}

/* What the user handed to the command ends when the command closes it, not when the ear ends. */
static void close_all_but(int a, int b)
{
    unsigned low = (unsigned)(a < b ? a : b), high = (unsigned)(a < b ? b : a);
    if (low > 0)
        close_from_to(0, low - 1);
    close_from_to(low + 1, high - 1);
    close_from_to(high + 1, ~0U);
}

/* The command line is memory of ours: where, the 48th and 49th field of /proc/self/stat say. */
static void set_process_name(void)
{
    char text[1024] = {0};
    uintptr_t at[2] = {0, 0};
    smi_cgroup_read_file("/proc/self/stat", text, sizeof text - 1);
    prctl(PR_SET_NAME, name);
    const char *p = strrchr(text, ')');
    for (int field = 2; p && *p && field <= 49; p++) {
        field += *p == ' ';
        if ((field == 48 || field == 49) && *p >= '0' && *p <= '9')
            at[field - 48] = at[field - 48] * 10 + (uintptr_t)(*p - '0');
    }
    if (!at[0] || at[1] <= at[0])
        return;
    memset((char *)at[0], 0, at[1] - at[0]);
    snprintf((char *)at[0], at[1] - at[0], "%s", name);
}

static void send_byte(int fd, unsigned char what)
{
    (void)send(fd, &what, 1, MSG_DONTWAIT | MSG_NOSIGNAL); /* who does not listen is stopped, or ends */
}

static void send_signals(int fd, int signals)
{
    struct signalfd_siginfo s;
    while (read(signals, &s, sizeof s) == sizeof s)
        send_byte(fd, (unsigned char)s.ssi_signo);
}

/* False at the end of the other side. */
static bool answer_questions(int fd, int signals, pid_t *watched)
{
    pid_t ask;
    ssize_t n;
    while ((n = recv(fd, &ask, sizeof ask, MSG_DONTWAIT)) == (ssize_t)sizeof ask) {
        *watched = ask;
        if (ask)
            continue;
        send_signals(fd, signals);
        send_byte(fd, 0);
    }
    return n != 0;
}

static bool is_stopped(pid_t pid)
{
    struct smi_tree_stat s;
    return smi_tree_stat_pid(pid, &s) ? s.state == 'T' || s.state == 't'
                                      : kill(pid, 0) == 0 || errno == EPERM;
}

struct listener {
    int fd, signals;
    pid_t watched, parent; /* watched: until it goes on; 0: nobody */
};

static void prepare(void *self, struct smi_loop *l)
{
    const struct listener *p = self;
    smi_loop_watch(l, p->fd);
    smi_loop_watch(l, p->signals);
    if (p->watched)
        smi_loop_wake(l, l->now_ms + WATCH_MS);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct listener *p = self;
    (void)l, (void)err;
    send_signals(p->fd, p->signals);
    if (!answer_questions(p->fd, p->signals, &p->watched))
        return 1;
    if (p->watched && !is_stopped(p->watched)) {
        kill(p->parent, SIGCONT);
        p->watched = 0;
    }
    return 0;
}

__attribute__((noreturn)) static void listen_on(int fd, const sigset_t *all, pid_t parent)
{
    struct listener p = {fd, signalfd(-1, all, SFD_NONBLOCK), 0, parent};
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (p.signals < 0 || getppid() != parent)
        _exit(1);
    close_all_but(fd, p.signals);
    set_process_name();
    smi_loop_add(&l, (struct smi_loop_source){&p, prepare, run});
    _exit(smi_loop_run(&l, &err) != 0);
}

/* ---- in us ---- */

void smi_signal_probe_open(struct smi_signal_probe *e, int64_t now_ms)
{
    sigset_t all, before;
    pid_t parent = getpid();
    int ends[2];
    *e = (struct smi_signal_probe){.fd = -1, .begun_ms = now_ms};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    e->pid = fork();
    if (e->pid == 0) {
        close(ends[0]);
        listen_on(ends[1], &all, parent);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (e->pid < 0) {
        close(ends[0]);
        e->pid = 0;
        return;
    }
    e->fd = ends[0];
}

static void send_question(struct smi_signal_probe *e, pid_t ask)
{
    if (e->fd >= 0)
        (void)send(e->fd, &ask, sizeof ask, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void smi_signal_probe_ask(struct smi_signal_probe *e)
{
    e->asked++;
    send_question(e, 0);
}

void smi_signal_probe_watch(struct smi_signal_probe *e, pid_t pid)
{
    send_question(e, pid);
}

/* Up to n numbers of signals it heard; 0: no more now. */
static size_t read_probe_bytes(struct smi_signal_probe *e, unsigned char *heard, size_t n)
{
    size_t k = 0;
    while (e->fd >= 0 && k == 0) {
        ssize_t got = recv(e->fd, heard, n, MSG_DONTWAIT);
        if (got < 0)
            return 0;
        if (got == 0) {
            close(e->fd);
            e->fd = -1;
        }
        for (ssize_t i = 0; i < got; i++) {
            if (heard[i])
                heard[k++] = heard[i];
            else
                e->answered++;
        }
    }
    return k;
}

void smi_signal_probe_close(struct smi_signal_probe *e, bool wait)
{
    if (e->fd >= 0)
        close(e->fd);
    e->fd = -1;
    if (e->pid)
        kill(e->pid, SIGKILL);
    for (int i = 0; wait && e->pid && i < BODY_MS; i++) {
        if (waitpid(e->pid, NULL, WNOHANG) != 0)
            e->pid = 0;
        else
            poll(NULL, 0, 1);
    }
}

/* ---- who gets a signal ---- */

/* Was a signal sent to us alone, or did all of the group get it? A signal that the ear
 * has not heard within SMI_JOB_PROBE_MS, nor when it was asked after that, was for us alone, and goes on to
 * the command.
 *
 * From the kernel come the signals of a terminal, which are the group's, with one exception: the hang-up of a
 * terminal is sent to the leader of its session only, which we are where we were started in the place of a
 * shell (`ssh -t`, a window of tmux). Without us it would be the command. So the ear decides here, too. */

enum { DEAF_MS = 500 /* so long it may take to answer; then it is looked at whether it is stopped */ };

static void report_signal(struct smi_job *j, int n, enum smi_job_delivery way)
{
    const struct smi_job_event e = {.what = SMI_JOB_SIGNAL, .signal = n, .way = way, .pid = j->pid};
    j->calls.event(j->calls.self, &e);
}

static void deliver_signal(struct smi_job *j, int n, bool heard)
{
    struct smi_job_sent *s = &j->sent[n];
    s->waits = false;
    s->said = heard;
    if (heard)
        report_signal(j, n, SMI_JOB_REACHED);
    else
        report_signal(j, n, s->may && j->pid && kill(j->pid, n) == 0 ? SMI_JOB_FORWARDED : SMI_JOB_KEPT);
}

/* May it be sent on, if it was for us alone? Not to the one that sent it: a command that signals its parent
 * does not mean itself. */
static bool may_send_on(const struct smi_job *j, const struct signalfd_siginfo *s)
{
    if (s->ssi_code == SI_KERNEL)
        return j->ear.fd >= 0 && smi_job_signal_care((int)s->ssi_signo) == SMI_JOB_CARE_TERMINAL;
    return (pid_t)s->ssi_pid != j->pid;
}

static void take_signal(struct smi_job *j, const struct signalfd_siginfo *info, int64_t now_ms)
{
    int n = (int)info->ssi_signo;
    struct smi_job_sent *s = &j->sent[n];
    if (n == SIGCHLD || (j->ear.pid && (pid_t)info->ssi_pid == j->ear.pid && info->ssi_code == SI_USER))
        return; /* the ear woke us */
    if (j->stage != SMI_JOB_OURS || !j->pid) {
        report_signal(j, n, SMI_JOB_KEPT);
        return;
    }
    if (s->heard_ms != INT64_MIN && now_ms - s->heard_ms <= SMI_JOB_PROBE_MS) {
        if (!s->said)
            deliver_signal(j, n, true);
        return;
    }
    if (!s->waits)
        *s = (struct smi_job_sent){.waits = true, .got_ms = now_ms, .heard_ms = INT64_MIN};
    s->may = s->may || may_send_on(j, info);
}

static void read_probe(struct smi_job *j, int64_t now_ms)
{
    unsigned char heard[64];
    size_t n;
    while ((n = read_probe_bytes(&j->ear, heard, sizeof heard)) > 0)
        for (size_t i = 0; i < n; i++) {
            struct smi_job_sent *s = &j->sent[heard[i]];
            s->heard_ms = now_ms;
            s->said = false;
            if (s->waits)
                deliver_signal(j, heard[i], true);
        }
}

/* Has the ear said all that it knew of this time? One that only waits for a CPU will. */
static bool probe_has_answered(struct smi_job *j, struct smi_job_sent *s, int64_t now_ms)
{
    if (j->ear.fd < 0)
        return true;
    if (!s->asked) {
        smi_signal_probe_ask(&j->ear);
        s->asked = true;
        s->question = j->ear.asked;
    }
    if (j->ear.answered >= s->question)
        return true;
    if (now_ms - s->got_ms < SMI_JOB_PROBE_MS + DEAF_MS)
        return false;
    if (is_stopped(j->ear.pid))
        return true;
    s->got_ms = now_ms - SMI_JOB_PROBE_MS;
    return false;
}

void smi_job_route(struct smi_job *j, int64_t now_ms)
{
    struct signalfd_siginfo info;
    while (read(j->signals, &info, sizeof info) == (ssize_t)sizeof info)
        take_signal(j, &info, now_ms);
    read_probe(j, now_ms);
    for (int n = 1; n < SMI_JOB_SIGNALS; n++)
        if (j->sent[n].waits && (!j->pid || (now_ms - j->sent[n].got_ms >= SMI_JOB_PROBE_MS &&
                                             probe_has_answered(j, &j->sent[n], now_ms))))
            deliver_signal(j, n, false);
}

int64_t smi_job_route_due(const struct smi_job *j)
{
    int64_t due = INT64_MAX;
    for (int n = 1; n < SMI_JOB_SIGNALS; n++) {
        const struct smi_job_sent *s = &j->sent[n];
        int64_t then = s->got_ms + SMI_JOB_PROBE_MS + (s->asked ? DEAF_MS : 0);
        if (s->waits && then < due)
            due = then;
    }
    return due;
}
