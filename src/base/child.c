#include "base/child.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { LIFE = 3, HIGH = 10, EXEC_MS = 1000, BODY_MS = 50, LOOK_MS = 50 };

/* The child's ends of all that it and we share; they and ours are close-on-exec and at least HIGH, so that
 * the child can put its own in order even where we were started without standard input and output. */
struct ends {
    int in, out, err, life, told;
};

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* The same descriptor with a high number. */
static int move_fd_up(int fd)
{
    if (fd < 0 || fd >= HIGH)
        return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
    close(fd);
    return high;
}

static int make_pipe(int *from, int *to)
{
    int p[2];
    if (pipe2(p, O_CLOEXEC))
        return -1;
    *from = move_fd_up(p[0]);
    *to = move_fd_up(p[1]);
    return *from < 0 || *to < 0 ? -1 : 0;
}

/* The terminal's own translation is switched off: else every LF became CR LF. */
static int make_pty(int *from, int *to)
{
    char name[64];
    struct termios mode;
    *from = move_fd_up(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (*from >= 0 && !grantpt(*from) && !unlockpt(*from) && !ptsname_r(*from, name, sizeof name))
        *to = move_fd_up(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (*to >= 0 && !tcgetattr(*to, &mode)) {
        cfmakeraw(&mode);
        if (!tcsetattr(*to, TCSANOW, &mode))
            return 0;
    }
    close_fd(from);
    close_fd(to);
    return -1;
}

static int make_ends(struct ends *e, struct smi_child *c, const struct smi_child_spec *spec)
{
    e->in = move_fd_up(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (spec->background)
        e->out = move_fd_up(open("/dev/null", O_WRONLY | O_CLOEXEC));
    else if ((!spec->pty || make_pty(&c->out, &e->out)) && make_pipe(&c->out, &e->out))
        return -1;
    if (e->in < 0 || e->out < 0 || make_pipe(&c->err, &e->err) || make_pipe(&e->life, &c->life) ||
        make_pipe(&c->told, &e->told))
        return -1;
    return (c->out >= 0 && fcntl(c->out, F_SETFL, O_NONBLOCK)) || fcntl(c->err, F_SETFL, O_NONBLOCK) ? -1 : 0;
}

static void close_child_ends(struct ends *e)
{
    close_fd(&e->in);
    close_fd(&e->out);
    close_fd(&e->err);
    close_fd(&e->life);
    close_fd(&e->told);
}

/* ---- in the child, between fork and exec: only what is safe in the child of a program with threads ---- */

static void default_signals(void)
{
    const unsigned long plain[8] = {0}; /* the kernel's own struct: SIG_DFL, no flags, no mask */
    for (int s = 1; s < NSIG; s++)
        syscall(SYS_rt_sigaction, s, plain, NULL,
                (size_t)NSIG / 8); /* sigaction(2) refuses 32 and 33, glibc's own */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_on_exec(unsigned from)
{
    enum { CLOEXEC = 1 << 2 }; /* CLOSE_RANGE_CLOEXEC, Linux 5.11 */
#ifdef SYS_close_range
    if (!syscall(SYS_close_range, from, ~0U, CLOEXEC))
        return;
#endif
    struct rlimit most;
    unsigned n = getrlimit(RLIMIT_NOFILE, &most) || most.rlim_cur > 65536 ? 65536 : (unsigned)most.rlim_cur;
    for (unsigned fd = from; fd < n; fd++)
        fcntl((int)fd, F_SETFD, FD_CLOEXEC);
}

__attribute__((noreturn)) static void become(const struct ends *e, char *const *argv, char *const *env,
                                             pid_t parent)
{
    setsid();
    fcntl(e->life, F_SETOWN, -getpid()); /* the group */
    fcntl(e->life, F_SETSIG, SIGKILL);
    fcntl(e->life, F_SETFL, O_RDONLY | O_ASYNC);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) { /* else it ended before the line above */
        default_signals();
        if (dup2(e->in, 0) >= 0 && dup2(e->out, 1) >= 0 && dup2(e->err, 2) >= 0 && dup2(e->life, LIFE) >= 0) {
            close_on_exec(LIFE + 1);
            execvpe(argv[0], argv, env);
        }
        int why = errno;
        if (write(e->told, &why, sizeof why) < 0)
            _exit(126);
    }
    _exit(127);
}

/* ---- in the parent ---- */

/* Our environment with `add`: an array to be freed, its texts borrowed. */
static char **make_env(const char *const *add)
{
    size_t n = 0, m = 0, k = 0;
    while (environ && environ[n])
        n++;
    while (add && add[m])
        m++;
    char **env = smi_mem_new(n + m + 1, sizeof *env);
    for (size_t i = 0; i < n; i++) {
        bool other = true;
        for (size_t j = 0; j < m; j++) /* "NAME=" */
            other = other && strncmp(environ[i], add[j], strcspn(add[j], "=") + 1) != 0;
        if (other)
            env[k++] = environ[i];
    }
    for (size_t j = 0; j < m; j++)
        env[k++] = (char *)(uintptr_t)add[j]; /* exec does not write */
    return env;
}

/* Signals wait while we fork: else a handler of ours could run in the child. */
static pid_t fork_quietly(const struct ends *e, char *const *argv, char *const *env)
{
    sigset_t all, before;
    pid_t parent = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    int why = errno;
    if (pid == 0)
        become(e, argv, env, parent);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return pid;
}

int smi_child_exec_error(int *told, int wait_ms)
{
    struct pollfd p = {.fd = *told, .events = POLLIN};
    int why = 0, ready;
    if (*told < 0)
        return 0;
    do
        ready = poll(&p, 1, wait_ms);
    while (ready < 0 && errno == EINTR);
    if (ready <= 0)
        return 0; /* it stays open: that the answer comes late is not to end the child by SIGPIPE */
    if (read(*told, &why, sizeof why) != (ssize_t)sizeof why)
        why = 0;
    close_fd(told);
    return why;
}

const struct smi_child smi_child_none = {
    .out = -1, .err = -1, .pidfd = -1, .life = -1, .told = -1, .life_in = -1};

int smi_child_open(struct smi_child *c, const struct smi_child_spec *spec, struct smi_err *err)
{
    struct ends e = {-1, -1, -1, -1, -1};
    char **env = make_env(spec->env);
    *c = smi_child_none;
    int failed = make_ends(&e, c, spec), why = errno;
    if (!failed) {
        c->pid = fork_quietly(&e, spec->argv, env);
        why = errno;
        failed = c->pid < 0;
    }
    if (spec->background) {
        c->life_in = e.life;
        e.life = -1;
    }
    close_child_ends(&e);
    smi_mem_free(env);
    c->session = c->pid = c->pid > 0 ? c->pid : 0;
    if (!failed)
        failed = (why = smi_child_exec_error(&c->told, EXEC_MS)) != 0;
    if (failed) {
        smi_child_close(c);
        *c = smi_child_none;
        c->cause = why;
        return smi_err_set(err, SMI_EIO, "cannot start %s: %s", spec->argv[0], strerror(why));
    }
#ifdef SYS_pidfd_open
    c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0); /* close-on-exec by itself */
#endif
    return 0;
}

ssize_t smi_child_read(int *fd, void *buf, size_t n)
{
    ssize_t got;
    if (*fd < 0)
        return 0;
    do
        got = read(*fd, buf, n);
    while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN)
        return -1;
    if (got <= 0) { /* a terminal that all others have closed says EIO */
        close_fd(fd);
        return 0;
    }
    return got;
}

/* Its group, or itself where exec has not answered yet. As long as it was not waited for, its number is its
 * own. */
static void signal_all(const struct smi_child *c, int sig)
{
    if (c->pid > 0 && kill(-c->pid, sig))
        kill(c->pid, sig);
}

void smi_child_stop(struct smi_child *c, const struct smi_child_deadlines *p, int64_t now_ms)
{
    if (!c->pid)
        return;
    if (!c->step) {
        c->asked_ms = now_ms;
        c->patience = *p;
        c->step = SIGINT;
        signal_all(c, SIGINT);
        return;
    }
    int64_t gone = now_ms - c->asked_ms;
    c->patience.term = smi_earlier_ms(c->patience.term, gone + p->term);
    c->patience.kill = smi_earlier_ms(c->patience.kill, gone + p->kill);
    c->patience.stuck = smi_earlier_ms(c->patience.stuck, gone + p->stuck);
}

/* Ended, but not waited for: its number, and so its group's, cannot be another's yet. */
static bool handle_end(const struct smi_child *c)
{
    siginfo_t about = {.si_pid = 0};
    int rc = waitid(P_PID, (id_t)c->pid, &about, WEXITED | WNOHANG | WNOWAIT);
    return rc ? errno == ECHILD : about.si_pid == c->pid;
}

static void collect_status(struct smi_child *c)
{
    if (c->life_in < 0 || c->step)
        kill(-c->pid, SIGKILL); /* what it left of its group */
    else
        fcntl(c->life_in, F_SETFL, O_RDONLY); /* the description is the child's, too: no signal from now on */
    if (waitpid(c->pid, &c->status, WNOHANG) != c->pid)
        c->status = -1;
    c->cause = smi_child_exec_error(&c->told, 0);
    c->pid = 0;
    close_fd(&c->pidfd);
    close_fd(&c->life);
    close_fd(&c->life_in);
}

enum smi_child_state smi_child_poll(struct smi_child *c, int64_t now_ms)
{
    if (!c->pid)
        return SMI_CHILD_NONE;
    if (handle_end(c)) {
        collect_status(c);
        return SMI_CHILD_ENDED;
    }
    int64_t gone = now_ms - c->asked_ms;
    if (c->step == SIGINT && gone >= c->patience.term)
        signal_all(c, c->step = SIGTERM);
    if (c->step == SIGTERM && gone >= c->patience.kill)
        signal_all(c, c->step = SIGKILL);
    return c->step == SIGKILL && gone >= c->patience.stuck ? SMI_CHILD_STUCK : SMI_CHILD_RUNS;
}

int64_t smi_child_due(const struct smi_child *c, int64_t now_ms)
{
    if (!c->pid)
        return INT64_MAX;
    int64_t due = c->step == SIGINT    ? c->asked_ms + c->patience.term
                  : c->step == SIGTERM ? c->asked_ms + c->patience.kill
                  : c->step == SIGKILL ? c->asked_ms + c->patience.stuck
                                       : INT64_MAX;
    if (due <= now_ms && c->step == SIGKILL)
        due = now_ms + 1000; /* stuck */
    return c->pidfd < 0 ? smi_earlier_ms(due, now_ms + LOOK_MS) : due;
}

void smi_child_watch(const struct smi_child *c, struct smi_loop *l)
{
    smi_loop_watch(l, c->out);
    smi_loop_watch(l, c->err);
    smi_loop_watch(l, c->pidfd);
    smi_loop_wake(l, smi_child_due(c, l->now_ms));
}

void smi_child_close(struct smi_child *c)
{
    if (c->pid) {
        c->step = SIGKILL;
        signal_all(c, SIGKILL);
        for (int i = 0; i < BODY_MS && !handle_end(c); i++) {
            struct pollfd p = {.fd = c->pidfd, .events = POLLIN};
            poll(&p, 1, 1);
        }
        if (handle_end(c))
            collect_status(c);
    }
    close_fd(&c->out);
    close_fd(&c->err);
    close_fd(&c->pidfd);
    close_fd(&c->told);
    close_fd(&c->life);
    close_fd(&c->life_in);
    c->pid = 0;
}
