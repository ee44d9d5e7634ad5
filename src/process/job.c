
#include "base/child.h"
#include "live/host.h"
#include "process/job.h"
#include "process/tree_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIGNALS = 65 /* 1 to 64, all that Linux has */ };

/* Of a process, as it was before. */
struct before {
    sigset_t mask;
    struct sigaction pipe, xfsz, chld;
    int reaper;
};

/* Whose signals are taken. */
enum stage {
    WAITS, /* there is no command yet: what would end us */
    OURS,  /* we started it: what would end or stop us */
    THEIRS /* it ran already */
};

struct smi_job {
    struct smi_job_calls calls;
    struct before before;
    pid_t pid;
    enum stage stage;
    bool more;          /* there are dead children that were not looked at */
    int signals;        /* signalfd(2) */
    int told;           /* exec's answer, if it was late; else -1 */
    int pidfd;          /* theirs; -1: there is none */
    int64_t image_kib;  /* what we held when it was forked */
    int64_t begun;      /* theirs, without pidfd: the start time in /proc; 0: not known */
    bool asked_to_stop; /* by a signal that stops jobs, since we went on last */
};

/* ---- how a command ended ---- */

/* Of these the kernel tells about the group: the keys of a terminal, its hang-up. */
static const int of_terminal[] = {SIGHUP, SIGINT, SIGQUIT, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, 0};
/* Not taken: what cannot be; what a program's own fault raises, for a blocked one ends it without a word of
 * any handler; what ends nothing by default; PIPE and XFSZ, which our own writing raises. */
static const int not_taken[] = {SIGKILL, SIGSTOP, SIGILL, SIGTRAP,  SIGBUS,  SIGFPE,  SIGSEGV,
                                SIGSYS,  SIGCHLD, SIGURG, SIGWINCH, SIGPIPE, SIGXFSZ, 0};

static bool is_among(const int *list, int n)
{
    while (*list && *list != n)
        list++;
    return *list;
}

static bool is_taken(int n)
{
    return !is_among(not_taken, n) && (n < 32 || n >= SIGRTMIN) && n <= SIGRTMAX;
}

const char *smi_job_signal_name(int n, char room[SMI_JOB_NAME])
{
    if (sigabbrev_np(n))
        snprintf(room, SMI_JOB_NAME, "SIG%s", sigabbrev_np(n));
    else if (n >= SIGRTMIN && n <= SIGRTMAX)
        snprintf(room, SMI_JOB_NAME, "SIGRTMIN+%d", n - SIGRTMIN);
    else
        snprintf(room, SMI_JOB_NAME, "signal %d", n);
    return room;
}

int smi_job_exit_status(int status)
{
    return status == -1 ? 0 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int smi_job_pass_on(int status)
{
    sigset_t one;
    if (status == -1 || !WIFSIGNALED(status))
        return smi_job_exit_status(status);
    /* the core is the command's; a limit of 0 would not do where cores go into a pipe */
    prctl(PR_SET_DUMPABLE, 0);
    signal(WTERMSIG(status), SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, WTERMSIG(status));
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    kill(getpid(), WTERMSIG(status));
    return smi_job_exit_status(status);
}

/* ---- signals that are taken, and given back ---- */

/* Which signals we take, and how they were. */

static bool is_stop_signal(int n)
{
    return n == SIGTSTP || n == SIGTTIN || n == SIGTTOU || n == SIGCONT;
}

/* For a job that is not ours nothing is stopped and passed on: only what ends the watching is taken. */
static bool wanted_signals(enum stage stage, int n)
{
    if (stage == THEIRS)
        return n == SIGINT || n == SIGTERM || n == SIGHUP;
    return stage == WAITS ? is_taken(n) && !is_stop_signal(n) : is_taken(n) || n == SIGCHLD;
}

/* Taken, first for a job that waits; and as they were. */
static int take_signals(struct smi_job *j, enum stage stage, struct smi_err *err)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, plain = {.sa_handler = SIG_DFL};
    struct sigaction is;
    struct before *b = &j->before;
    sigset_t mask, all;
    const bool first = j->signals < 0;
    int fd;
    sigemptyset(&mask);
    for (int n = 1; n < SIGNALS; n++)
        /* nohup, or a shell's `&`: what was ignored is ignored, for the command as for us */
        if (wanted_signals(stage, n) && sigaction(n, NULL, &is) == 0 &&
            (n == SIGCHLD || is.sa_handler != SIG_IGN))
            sigaddset(&mask, n);
    fd = signalfd(j->signals, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        return smi_err_set(err, SMI_EIO, "signalfd: %s", strerror(errno));
    j->signals = fd;
    j->stage = stage;
    if (first) {
        prctl(PR_GET_CHILD_SUBREAPER, &b->reaper);
        sigprocmask(SIG_BLOCK, NULL, &b->mask);
        sigaction(SIGPIPE, &ignore, &b->pipe); /* what we write says so itself */
        sigaction(SIGXFSZ, &ignore, &b->xfsz);
        sigaction(SIGCHLD, &plain, &b->chld); /* ignored, the kernel would take our children away */
    }
    sigorset(&all, &b->mask, &mask);
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (stage == OURS)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    return 0;
}

static void set_dispositions(const struct before *b)
{
    sigaction(SIGPIPE, &b->pipe, NULL);
    sigaction(SIGXFSZ, &b->xfsz, NULL);
    sigaction(SIGCHLD, &b->chld, NULL);
}

/* ---- starting the command ---- */

/* Fork and exec: the command begins as if the shell had started it. */

enum { EXEC_MS = 1000, NOT_RUN = 126, NOT_FOUND = 127 };

static int exec_error_status(int why)
{
    return why == ENOENT || why == ENOTDIR ? NOT_FOUND : NOT_RUN;
}

/* Between fork and exec. */
__attribute__((noreturn)) static void become(const struct smi_job *j, char *const *argv, int told)
{
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    struct sigaction is;
    set_dispositions(&j->before);
    for (int n = 1; n < SIGNALS; n++) /* a handler of the owner's is not to run in the child */
        if (sigaction(n, NULL, &is) == 0 && is.sa_handler != SIG_IGN && is.sa_handler != SIG_DFL)
            sigaction(n, &plain, NULL);
    sigprocmask(SIG_SETMASK, &j->before.mask, NULL);
    execvp(argv[0], argv);
    int why = errno;
    if (write(told, &why, sizeof why) < 0)
        _exit(NOT_RUN);
    _exit(exec_error_status(why));
}

/* Returns 0, or -1 with err and *status. */
static int start_command(struct smi_job *j, char *const *argv, int *status, struct smi_err *err)
{
    char room[128];
    struct smi_tree_pages pages;
    int told[2];
    if (pipe2(told, O_CLOEXEC))
        return smi_err_set(err, SMI_EIO, "cannot run %s: %s", argv[0], strerror(errno));
    j->image_kib = smi_tree_statm_line(smi_cgroup_read_file("/proc/self/statm", room, sizeof room), &pages)
                       ? pages.resident * (sysconf(_SC_PAGESIZE) / 1024)
                       : 0;
    j->pid = fork();
    int why = errno;
    if (j->pid == 0)
        become(j, argv, told[1]);
    close(told[1]);
    j->told = told[0];
    if (j->pid > 0) {
        why = smi_child_exec_error(&j->told, EXEC_MS);
        if (!why)
            return 0;
        waitpid(j->pid, NULL, 0); /* it is at its exit */
    }
    j->pid = 0;
    const bool named = strchr(argv[0], '/') != NULL;
    *status = exec_error_status(why);
    if (why == ENOENT && named && access(argv[0], F_OK) == 0) {
        *status = NOT_RUN;
        return smi_err_set(err, SMI_EIO, "cannot run %s: the interpreter that it names is not there",
                           argv[0]);
    }
    return smi_err_set(err, SMI_EIO, "cannot run %s: %s", argv[0],
                       why == ENOENT && !named ? "command not found" : strerror(why));
}

/* ---- the command and its orphans end ---- */

/* The command ends, stops and goes on; what it left behind ends. */

enum { BODIES_MOST = 256 /* in one turn: the others of the loop have theirs */ };

static void report_end(struct smi_job *j, struct smi_job_event *e, const struct rusage *u)
{
    e->cpu_us = (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * INT64_C(1000000) + u->ru_utime.tv_usec +
                u->ru_stime.tv_usec;
    e->rss_kib = u->ru_maxrss;
    j->calls.event(j->calls.self, e);
}

/* ---- the command ---- */

static void end_command(struct smi_job *j, int status, const struct rusage *u)
{
    struct smi_job_event e = {.what = SMI_JOB_ENDED, .pid = j->pid, .status = status};
    struct rusage own = *u;
    if (own.ru_maxrss <= j->image_kib) /* exec(2) does not forget what the copy of us held before it */
        own.ru_maxrss = 0;
    j->pid = 0;
    report_end(j, &e, &own);
}

/* True if we have stopped meanwhile. */
static bool check_stops(struct smi_job *j)
{
    siginfo_t info = {.si_pid = 0};
    if (waitid(P_PID, (id_t)j->pid, &info, WSTOPPED | WCONTINUED | WNOHANG) || info.si_pid == 0)
        return false;
    const struct smi_job_event e = {.what =
                                        info.si_code == CLD_CONTINUED ? SMI_JOB_CONTINUED : SMI_JOB_STOPPED,
                                    .signal = info.si_status,
                                    .pid = j->pid};
    j->calls.event(j->calls.self, &e);
    if (e.what == SMI_JOB_CONTINUED || getpgid(j->pid) != getpgrp())
        return false;
    if (e.signal == SIGSTOP && !j->asked_to_stop) /* it alone: nobody would continue us */
        return false;
    j->asked_to_stop = false;
    kill(getpid(), SIGSTOP); /* as the terminal's driver did to the command */
    return true;
}

static bool check_command(struct smi_job *j)
{
    const struct smi_job_event e = {.what = SMI_JOB_ENDING, .pid = j->pid};
    siginfo_t info = {.si_pid = 0};
    struct rusage u;
    int status;
    memset(&u, 0, sizeof u);
    if (waitid(P_PID, (id_t)j->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == j->pid)
        j->calls.event(j->calls.self, &e);
    pid_t got = wait4(j->pid, &status, WNOHANG, &u);
    if (got == j->pid)
        end_command(j, status, &u);
    else if (got < 0 && errno == ECHILD) /* another part of the program waited for all children */
        end_command(j, -1, &u);
    else
        return check_stops(j);
    return false;
}

/* ---- the others ---- */

static void reap_orphans(struct smi_job *j)
{
    pid_t pid = 0;
    for (int n = 0; n < BODIES_MOST; n++) {
        siginfo_t info = {.si_pid = 0};
        pid = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) ? 0 : info.si_pid;
        if (pid <= 0)
            break;
        /* a dead child keeps its number until it is waited for */
        struct smi_job_event e = {.what = SMI_JOB_ORPHAN, .pid = pid, .session = getsid(pid)};
        struct rusage u;
        if (pid == j->pid || (j->calls.owned && j->calls.owned(j->calls.self, pid)))
            break;
        if (wait4(pid, &e.status, WNOHANG, &u) != pid)
            break;
        report_end(j, &e, &u);
    }
    j->more = pid > 0;
}

/* ---- who gets a signal ---- */

/* From the kernel come the signals of a terminal, which are the group's, with one exception: the hang-up of a
 * terminal, and the signal to go on behind it, are sent to the leader of its session only, which we are where
 * we were started in the place of a shell (`ssh -t`, a window of tmux). Without us it would be the command.
 * Nothing goes to the one that sent it: a command that signals its parent does not mean itself. */
static enum smi_job_delivery route_signal(const struct smi_job *j, const struct signalfd_siginfo *s)
{
    const int n = (int)s->ssi_signo;
    struct smi_tree_stat is;
    const bool leads = getsid(0) == getpid() && (n == SIGHUP || n == SIGCONT);
    if (j->stage != OURS || !j->pid)
        return SMI_JOB_KEPT;
    if (s->ssi_code == SI_KERNEL && is_among(of_terminal, n) && !leads)
        return SMI_JOB_REACHED;
    if (s->ssi_code == SI_KERNEL ? !leads : (pid_t)s->ssi_pid == j->pid)
        return SMI_JOB_KEPT;
    if (n == SIGCONT && s->ssi_code != SI_KERNEL &&
        !(smi_tree_stat_pid(j->pid, &is) && (is.state == 'T' || is.state == 't'))) /* `fg` continues both */
        return SMI_JOB_REACHED;
    return kill(j->pid, n) ? SMI_JOB_KEPT : SMI_JOB_FORWARDED;
}

enum { LOOK_MS = 200, SOON_MS = 10 };

struct smi_job *smi_job_new(const struct smi_job_calls *calls, struct smi_err *err)
{
    struct smi_job *j = smi_mem_new(1, sizeof *j);
    j->calls = *calls;
    j->signals = j->told = j->pidfd = -1;
    if (take_signals(j, WAITS, err) == 0)
        return j;
    smi_job_free(j);
    return NULL;
}

int smi_job_begin(struct smi_job *j, char *const *argv, int *status, struct smi_err *err)
{
    *status = NOT_RUN;
    if (take_signals(j, OURS, err))
        return -1;
    return start_command(j, argv, status, err);
}

/* ---- a process that runs already ---- */

static bool has_ended(const struct smi_job *j)
{
    struct pollfd p = {.fd = j->pidfd, .events = POLLIN};
    struct smi_tree_stat s;
    if (j->pidfd >= 0)
        return poll(&p, 1, 0) > 0;
    if (!smi_tree_stat_pid(j->pid, &s))
        return kill(j->pid, 0) && errno == ESRCH;
    return s.state == 'Z' || s.state == 'X' || s.start != j->begun;
}

int smi_job_attach(struct smi_job *j, pid_t pid, struct smi_err *err)
{
    struct smi_tree_stat s;
    j->pid = pid;
    if (smi_tree_stat_pid(pid, &s))
        j->begun = s.start;
#ifdef SYS_pidfd_open
    j->pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
#endif
    if (pid > 0 && !has_ended(j))
        return take_signals(j, THEIRS, err);
    j->pid = 0;
    return smi_err_set(err, SMI_EUSAGE, "there is no process %d", (int)pid);
}

/* ---- as a source of the loop ---- */

pid_t smi_job_pid(const struct smi_job *j)
{
    return j->pid;
}

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_job *j = self;
    const bool theirs = j->stage == THEIRS;
    smi_loop_watch(l, j->signals);
    smi_loop_watch(l, theirs && j->pid ? j->pidfd : -1);
    if (j->more)
        smi_loop_wake(l, l->now_ms + SOON_MS);
    if (theirs && j->pid && j->pidfd < 0)
        smi_loop_wake(l, l->now_ms + LOOK_MS);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_job *j = self;
    struct signalfd_siginfo info;
    (void)l, (void)err;
    while (read(j->signals, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo != SIGCHLD) {
            j->asked_to_stop |= is_stop_signal((int)info.ssi_signo) && info.ssi_signo != SIGCONT;
            const struct smi_job_event e = {.what = SMI_JOB_SIGNAL,
                                            .signal = (int)info.ssi_signo,
                                            .way = route_signal(j, &info),
                                            .pid = j->pid};
            j->calls.event(j->calls.self, &e);
        }
    if (j->stage == OURS) { /* how the command and its orphans are */
        if (j->pid && check_command(j))
            j->more = true;
        else
            reap_orphans(j);
    } else if (j->pid && has_ended(j)) {
        const struct smi_job_event e = {.what = SMI_JOB_ENDED, .pid = j->pid, .status = -1};
        j->pid = 0;
        j->calls.event(j->calls.self, &e);
    }
    return 0;
}

struct smi_loop_source smi_job_source(struct smi_job *j)
{
    return (struct smi_loop_source){j, prepare, run};
}

void smi_job_free(struct smi_job *j)
{
    struct signalfd_siginfo late;
    if (!j)
        return;
    if (j->signals >= 0) {
        /* what nobody asked for any more: unblocked, it would end us in place of the command's end */
        while (read(j->signals, &late, sizeof late) == sizeof late)
            ;
        close(j->signals);
        if (j->stage == OURS)
            prctl(PR_SET_CHILD_SUBREAPER, j->before.reaper);
        set_dispositions(&j->before);
        sigprocmask(SIG_SETMASK, &j->before.mask, NULL);
    }
    if (j->told >= 0)
        close(j->told);
    if (j->pidfd >= 0)
        close(j->pidfd);
    smi_mem_free(j);
}
