/* jobs.h - what tests of a command beside us are made of. Each program is its own driver: `TEST drive LOG
 * COMMAND...` runs a job and writes what it is told of into LOG; `TEST count LOG` is a command that writes
 * down every signal that reaches it. */
#pragma once

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "process/job.h"
#include "loops.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE_MS = 60000 };
static char self[4096], home[] = "/tmp/smilog-test-job-XXXXXX";

/* ---- `TEST drive` ---- */

struct drive {
    int log;
    bool ended;
    int status;
    long orphans;
};

__attribute__((format(printf, 2, 3))) static inline void note(int log, const char *fmt, ...)
{
    char line[200];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (write(log, line, (size_t)n) != n)
        _exit(99);
}

static inline void on_event(void *of, const struct smi_job_event *e)
{
    static const char *const ways[] = {"reached", "forwarded", "kept"};
    struct drive *d = of;
    char room[SMI_JOB_NAME];
    switch (e->what) {
    case SMI_JOB_ENDING:
        if (kill(e->pid, 0)) /* it was waited for already */
            note(d->log, "ending too late\n");
        break;
    case SMI_JOB_ENDED:
        note(d->log, "ended %d\n", e->status);
        d->ended = true;
        d->status = e->status;
        break;
    case SMI_JOB_ORPHAN:
        d->orphans--;
        note(d->log, "orphan %d\n", e->status);
        break;
    case SMI_JOB_SIGNAL:
        note(d->log, "%s %s\n", smi_job_signal_name(e->signal, room), ways[e->way]);
        break;
    case SMI_JOB_STOPPED:
        note(d->log, "stopped by %s\n", smi_job_signal_name(e->signal, room));
        break;
    case SMI_JOB_CONTINUED:
        note(d->log, "continued\n");
        break;
    }
}

static inline void drive_on(struct smi_job *j, struct drive *d)
{
    struct smi_loop l = {.sources = 0};
    smi_loop_add(&l, smi_job_source(j));
    while (!d->ended || d->orphans > 0)
        (void)loops_turn(&l, 60000);
}

/* SMI_ORPHANS=N: goes on until N have ended. SMI_CONTAINER_PLAIN: the end as a number. */
static inline int drive(char **argv)
{
    struct drive d = {.log = open(argv[0], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
    const struct smi_job_calls calls = {&d, on_event, NULL};
    struct smi_err err = {0};
    int status = 2;
    bool attach = strcmp(argv[1], "-a") == 0;
    struct smi_job *j = smi_job_new(&calls, &err);
    if (!j || (attach ? smi_job_attach(j, atoi(argv[2]), &err) : smi_job_begin(j, argv + 1, &status, &err))) {
        note(d.log, "%s\n", err.text);
        smi_job_free(j);
        return status;
    }
    d.orphans = getenv("SMI_ORPHANS") ? atol(getenv("SMI_ORPHANS")) : 0;
    note(d.log, "driver %d command %d.\n", (int)getpid(), (int)smi_job_pid(j));
    drive_on(j, &d);
    smi_job_free(j);
    return getenv("SMI_CONTAINER_PLAIN") ? smi_job_exit_status(d.status) : smi_job_pass_on(d.status);
}

/* ---- `TEST count`: until SIGURG, which nobody sends but the test ---- */

static inline int count(char **argv)
{
    int log = open(argv[0], O_WRONLY | O_CREAT | O_APPEND, 0666);
    char room[SMI_JOB_NAME];
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    note(log, "ready\n");
    for (bool over = false;;) {
        const struct timespec none = {0, 0}, long_ago = {2 * PATIENCE_MS / 1000, 0};
        int n = sigtimedwait(&all, NULL, over ? &none : &long_ago);
        if (n < 0 && errno == EINTR) /* after a stop */
            continue;
        if (n < 0)
            return over ? 0 : 97; /* the test has failed */
        over = over || n == SIGURG;
        if (n > 0 && n != SIGURG)
            note(log, "%s\n", smi_job_signal_name(n, room));
        if (n == SIGTSTP)
            kill(getpid(), SIGSTOP);
    }
}

/* ---- `TEST raw`: a full-screen program: z stops it as its own key does, q ends it ---- */

static inline int raw(void)
{
    struct termios before, mode;
    char key;
    if (tcgetattr(0, &before))
        return 1;
    mode = before;
    cfmakeraw(&mode);
    tcsetattr(0, TCSADRAIN, &mode);
    note(1, "raw ");
    while (read(0, &key, 1) == 1 && key != 'q') {
        note(1, "<%d>", key);
        if (key != 'z')
            continue;
        tcsetattr(0, TCSADRAIN, &before);
        kill(0, SIGTSTP);
        tcsetattr(0, TCSADRAIN, &mode);
        note(1, "again ");
    }
    tcsetattr(0, TCSADRAIN, &before);
    return 6;
}

/* ---- `TEST leave N`: so many, whose parents have ended before or end without a look at them ---- */

static inline int leave(int n)
{
    for (int i = 0; i < n; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            if (fork() == 0)
                _exit(9);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    return 8;
}

/* ---- what tests are made of ---- */

/* A file's text, to be freed. */
static inline char *text_of(const char *path)
{
    struct smi_buf b = {0};
    char piece[4096];
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (n = read(fd, piece, sizeof piece)) > 0)
        smi_buf_add(&b, piece, (size_t)n);
    if (fd >= 0)
        close(fd);
    smi_buf_char(&b, 0);
    return b.p;
}

static inline int times_in(const char *path, const char *word)
{
    char *text = text_of(path);
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p += strlen(word))
        n++;
    smi_mem_free(text);
    return n;
}

static inline void until_times(const char *path, const char *word, int n)
{
    for (int64_t end = smi_clock_now_ms() + PATIENCE_MS;
         times_in(path, word) < n && smi_clock_now_ms() < end;)
        usleep(5000);
    if (times_in(path, word) < n)
        fail_msg("not %d times \"%s\" in %s:\n%s", n, word, path, text_of(path));
}

static inline void until_in(const char *path, const char *word)
{
    until_times(path, word, 1);
}

static inline char state_of(pid_t pid)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
        state = 0;
    fclose(f);
    return state;
}

/* Until its state is one of these; 0: it is gone. */
static inline void until_state(pid_t pid, const char *states)
{
    int64_t end = smi_clock_now_ms() + PATIENCE_MS;
    char is;
    while (!((is = state_of(pid)) ? strchr(states, is) : strchr(states, '0')) && smi_clock_now_ms() < end)
        usleep(5000);
    if (!(is ? strchr(states, is) : strchr(states, '0')))
        fail_msg("process %d is %c, not %s", (int)pid, is, states);
}

struct run {
    pid_t first;           /* the child that the test waits for */
    pid_t driver, command; /* once it is known */
    char log[80], got[80];
    int terminal; /* the other side of it; -1: there is none */
};

static inline void name_run(struct run *r)
{
    static int number;
    *r = (struct run){.terminal = -1};
    snprintf(r->log, sizeof r->log, "%s/log%d", home, ++number);
    snprintf(r->got, sizeof r->got, "%s/got%d", home, number);
}

static inline void know(struct run *r)
{
    until_in(r->log, ".\n");
    char *text = text_of(r->log);
    int a, b;
    assert_int_equal(sscanf(strstr(text, "driver"), "driver %d command %d.", &a, &b), 2);
    r->driver = a;
    r->command = b;
    smi_mem_free(text);
}

/* sh -c SCRIPT in a group of its own, or on a terminal of its own; $drive, $count, $leave and $raw are
 * in its environment. */
static inline void shell(struct run *r, const char *script, bool terminal)
{
    char text[5000];
    r->first = terminal ? forkpty(&r->terminal, NULL, NULL, NULL) : fork();
    assert_true(r->first >= 0);
    if (r->first > 0)
        return;
    if (!terminal)
        setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    snprintf(text, sizeof text, "%s drive %s", self, r->log);
    setenv("drive", text, 1);
    snprintf(text, sizeof text, "%s count %s", self, r->got);
    setenv("count", text, 1);
    snprintf(text, sizeof text, "%s leave", self);
    setenv("leave", text, 1);
    snprintf(text, sizeof text, "%s raw", self);
    setenv("raw", text, 1);
    execl("/bin/sh", "sh", "-c", script, (char *)NULL);
    _exit(98);
}

static inline int ended(struct run *r)
{
    int status = -1;
    int64_t end = smi_clock_now_ms() + PATIENCE_MS;
    while (waitpid(r->first, &status, WNOHANG) == 0) {
        if (smi_clock_now_ms() > end)
            fail_msg("it does not end:\n%s", text_of(r->log));
        usleep(2000);
    }
    if (r->terminal >= 0)
        close(r->terminal);
    return status;
}

static inline int status_of(const char *script, struct run *r)
{
    name_run(r);
    shell(r, script, false);
    return ended(r);
}

static inline void start_count(struct run *r, const char *script, bool terminal)
{
    name_run(r);
    shell(r, script, terminal);
    know(r);
    until_in(r->got, "ready");
}

/* All that was sent before has arrived: a last one goes the way of the slowest. Then the command ends. */
static inline void settle(struct run *r)
{
    kill(r->driver, SIGIO);
    until_in(r->got, "SIGPOLL");
    kill(r->command, SIGURG);
}

static inline void expect_once(struct run *r, int n, const char *way)
{
    char room[SMI_JOB_NAME], line[60];
    const char *name = smi_job_signal_name(n, room);
    snprintf(line, sizeof line, "%s %s\n", name, way);
    until_in(r->log, line);
    settle(r);
    assert_int_equal(ended(r), 0);
    assert_int_equal(times_in(r->log, name), 1);
    snprintf(line, sizeof line, "%s\n", name);
    if (times_in(r->got, line) != 1)
        fail_msg("%s %s came %d times", name, way, times_in(r->got, line));
}

/* ---- the program ---- */

static inline int begin(void **state)
{
    (void)state;
    return !mkdtemp(home);
}

static inline int end(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", home);
    return system(command);
}

/* A part that it plays for its tests, whose exit status is *status. */
static inline bool plays(int argc, char **argv, int *status)
{
    if (argc > 3 && strcmp(argv[1], "drive") == 0)
        return *status = drive(argv + 2), true;
    if (argc > 2 && strcmp(argv[1], "count") == 0)
        return *status = count(argv + 2), true;
    if (argc > 2 && strcmp(argv[1], "leave") == 0)
        return *status = leave(atoi(argv[2])), true;
    if (argc > 1 && strcmp(argv[1], "raw") == 0)
        return *status = raw(), true;
    return false;
}

/* Returns 0, or -1 if it cannot know itself. */
static inline int prepare(void)
{
    for (int n = 1; n < 32; n++) /* whoever runs this in the background, or under nohup, ignores some */
        if (n != SIGKILL && n != SIGSTOP)
            signal(n, SIG_DFL);
    return readlink("/proc/self/exe", self, sizeof self - 1) < 0 ? -1 : 0;
}
