/* A command beside us: what it inherits, how it ends, stops and is signalled, and what it leaves behind. The program
 * is its own driver: `test_job drive LOG COMMAND...` runs a job and writes what it is told of into LOG; `test_job count
 * LOG` is a command that writes down every signal that reaches it. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "job/job.h"
#include "live/act.h"
#include "live/live.h"

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

/* ---- `test_job drive` ---- */

struct drive {
    int log;
    bool ended;
    int status;
    long orphans;
};

__attribute__((format(printf, 2, 3))) static void note(int log, const char *fmt, ...)
{
    char line[200];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (write(log, line, (size_t)n) != n)
        _exit(99);
}

static void on_event(void *of, const struct smi_job_event *e)
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

static void drive_on(struct smi_job *j, struct drive *d)
{
    pid_t ear = smi_job_ear(j);
    while (!d->ended || d->orphans > 0) {
        struct pollfd fds[SMI_JOB_FDS];
        int64_t now = smi_clock_now_ms(), due;
        size_t n = smi_job_want(j, fds, &due, now);
        (void)poll(fds, (nfds_t)n, due == INT64_MAX ? -1 : due > now ? (int)(due - now) : 0);
        smi_job_go(j, smi_clock_now_ms());
        if (smi_job_ear(j) && smi_job_ear(j) != ear)
            note(d->log, "another ear\n");
        ear = smi_job_ear(j) ? smi_job_ear(j) : ear;
    }
}

/* SMI_ORPHANS=N: goes on until N have ended. SMI_PLAIN: the end as a number. */
static int drive(char **argv)
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
    note(d.log, "driver %d command %d ear %d\n", (int)getpid(), (int)smi_job_pid(j), (int)smi_job_ear(j));
    drive_on(j, &d);
    smi_job_free(j);
    return getenv("SMI_PLAIN") ? smi_job_exit_status(d.status) : smi_job_pass_on(d.status);
}

/* ---- `test_job count`: until SIGURG, which nobody sends but the test ---- */

static int count(char **argv)
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

/* ---- `test_job raw`: a full-screen program: z stops it as its own key does, q ends it ---- */

static int raw(void)
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

/* ---- `test_job leave N`: so many, whose parents have ended before or end without a look at them ---- */

static int leave(int n)
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
static char *text_of(const char *path)
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

static int times_in(const char *path, const char *word)
{
    char *text = text_of(path);
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p += strlen(word))
        n++;
    smi_mem_free(text);
    return n;
}

static void until_times(const char *path, const char *word, int n)
{
    for (int64_t end = smi_clock_now_ms() + PATIENCE_MS; times_in(path, word) < n && smi_clock_now_ms() < end;)
        usleep(5000);
    if (times_in(path, word) < n)
        fail_msg("not %d times \"%s\" in %s:\n%s", n, word, path, text_of(path));
}

static void until_in(const char *path, const char *word)
{
    until_times(path, word, 1);
}

static char state_of(pid_t pid)
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
static void until_state(pid_t pid, const char *states)
{
    int64_t end = smi_clock_now_ms() + PATIENCE_MS;
    char is;
    while (!((is = state_of(pid)) ? strchr(states, is) : strchr(states, '0')) && smi_clock_now_ms() < end)
        usleep(5000);
    if (!(is ? strchr(states, is) : strchr(states, '0')))
        fail_msg("process %d is %c, not %s", (int)pid, is, states);
}

struct run {
    pid_t first;                /* the child that the test waits for */
    pid_t driver, command, ear; /* once it is known */
    char log[80], got[80];
    int terminal;               /* the other side of it; -1: there is none */
};

static void name_run(struct run *r)
{
    static int number;
    *r = (struct run){.terminal = -1};
    snprintf(r->log, sizeof r->log, "%s/log%d", home, ++number);
    snprintf(r->got, sizeof r->got, "%s/got%d", home, number);
}

static void know(struct run *r)
{
    until_in(r->log, "ear ");
    char *text = text_of(r->log);
    int a, b, c;
    assert_int_equal(sscanf(strstr(text, "driver"), "driver %d command %d ear %d", &a, &b, &c), 3);
    r->driver = a;
    r->command = b;
    r->ear = c;
    smi_mem_free(text);
}

/* sh -c SCRIPT in a group of its own, or on a terminal of its own; $drive, $count, $leave and $raw are
 * in its environment. */
static void shell(struct run *r, const char *script, bool terminal)
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

static int ended(struct run *r)
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

static int status_of(const char *script, struct run *r)
{
    name_run(r);
    shell(r, script, false);
    return ended(r);
}

static void start_count(struct run *r, const char *script, bool terminal)
{
    name_run(r);
    shell(r, script, terminal);
    know(r);
    until_in(r->got, "ready");
}

/* All that was sent before has arrived: a last one goes the way of the slowest. Then the command ends. */
static void settle(struct run *r)
{
    kill(r->driver, SIGIO);
    until_in(r->got, "SIGIO");
    kill(r->command, SIGURG);
}

/* ---- the end ---- */

static void test_status_is_passed_on(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        int exits, signal;
    } rows[] = {{"exec $drive true", 0, 0},
                {"exec $drive false", 1, 0},
                {"exec $drive sh -c 'exit 42'", 42, 0},
                {"exec $drive sh -c 'exit 255'", 255, 0},
                {"exec $drive sh -c 'kill -SEGV $$'", 0, SIGSEGV},
                {"exec $drive sh -c 'kill -KILL $$'", 0, SIGKILL},
                {"exec $drive sh -c 'kill -TERM $$'", 0, SIGTERM},
                {"exec $drive sh -c 'kill -PIPE $$'", 0, SIGPIPE},
                {"exec $drive sh -c 'kill -USR1 $$'", 0, SIGUSR1},
                {"SMI_PLAIN=1 exec $drive sh -c 'kill -SEGV $$'", 139, 0},
                {"SMI_PLAIN=1 exec $drive sh -c 'kill -KILL $$'", 137, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run r;
        int status = status_of(rows[i].script, &r);
        if (rows[i].signal ? !WIFSIGNALED(status) || WTERMSIG(status) != rows[i].signal
                           : !WIFEXITED(status) || WEXITSTATUS(status) != rows[i].exits)
            fail_msg("%s: status %x", rows[i].script, (unsigned)status);
        know(&r);
        assert_int_equal(state_of(r.ear), 0);
    }
}

static void test_what_cannot_be_run(void **state)
{
    (void)state;
    static const struct {
        const char *make, *name;
        int exits;
        const char *says;
    } rows[] = {{"", "no-such-command-here", 127, "cannot run no-such-command-here: command not found"},
                {"", "./absent", 127, "cannot run ./absent: No such file or directory"},
                {"touch plain", "./plain/x", 127, "cannot run ./plain/x: Not a directory"},
                {"touch plain", "./plain", 126, "cannot run ./plain: Permission denied"},
                {"mkdir -p folder", "./folder", 126, "cannot run ./folder: Permission denied"},
                {"printf '#!/no/such\\n' >lost; chmod +x lost", "./lost", 126,
                 "cannot run ./lost: the interpreter that it names is not there"},
                {"printf 'exit 9\\n' >bare; chmod +x bare", "./bare", 9, "ended"}, /* for sh, as execvp says */
                {"", "''", 127, "cannot run : command not found"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run r;
        char script[200];
        snprintf(script, sizeof script, "cd %s; %s\n exec $drive %s", home, rows[i].make, rows[i].name);
        int status = status_of(script, &r);
        until_in(r.log, rows[i].says);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), rows[i].exits);
    }
}

/* ---- what it inherits ---- */

static void test_all_is_as_without_us(void **state)
{
    (void)state;
    static const char *const before[] = {
        "", "trap '' HUP INT QUIT", "trap '' PIPE CHLD USR1 TSTP XFSZ", "exec 7</dev/null 9>&1", "exec <&-",
        "exec 3>&- <&- 2>&-", "ulimit -c 0; ulimit -n 200", "exec 5<>/dev/zero; umask 027; cd /usr"};
    const char *look = "'grep -E \"Sig(Blk|Ign|Cgt)|ShdPnd|Umask\" /proc/self/status; ls /proc/self/fd; pwd; "
                       "ulimit -a; "
                       "cut -d\" \" -f 5,6,7,8 /proc/$$/stat'";
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct run r;
        char script[1000];
        name_run(&r);
        /* both in one shell: the same group and session */
        snprintf(script, sizeof script, "{ %s\n sh -c %s; } >%s.0; { $drive sh -c %s; } >%s.1; cmp %s.0 %s.1 >%s.d",
                 before[i], look, r.got, look, r.got, r.got, r.got, r.got);
        shell(&r, script, false);
        int status = ended(&r);
        snprintf(script, sizeof script, "%s.0", r.got);
        assert_true(times_in(script, "SigBlk") == 1);
        if (status)
            fail_msg("after \"%s\" it is not the same: %s.[01]", before[i], r.got);
    }
}

static void test_mask_is_passed_on(void **state)
{
    (void)state;
    struct run r;
    sigset_t two, was;
    sigemptyset(&two);
    sigaddset(&two, SIGUSR1);
    sigaddset(&two, SIGTERM);
    sigprocmask(SIG_BLOCK, &two, &was);
    int status = status_of("exec $drive grep -q 'SigBlk:.*4200' /proc/self/status", &r);
    sigprocmask(SIG_SETMASK, &was, NULL);
    assert_int_equal(status, 0);
}

static void test_a_flood_goes_through(void **state)
{
    (void)state;
    struct run r;
    char *text;
    name_run(&r);
    char script[600];
    snprintf(script, sizeof script,
             "head -c 67108864 /dev/urandom >%s.x; cksum <%s.x >%s; "
             "$drive cat <%s.x | $drive cat | cksum >>%s; rm %s.x",
             r.got, r.got, r.got, r.got, r.got, r.got);
    shell(&r, script, false);
    assert_int_equal(ended(&r), 0);
    text = text_of(r.got);
    size_t half = strlen(text) / 2;
    assert_true(half > 10);
    assert_memory_equal(text, text + half, half);
    smi_mem_free(text);
}

/* ---- signals ---- */

static const int sent[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGQUIT, SIGABRT, SIGALRM, SIGXCPU, SIGCONT};

static void expect_once(struct run *r, int n, const char *way)
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

static void test_to_us_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
        struct run r;
        start_count(&r, "exec $drive $count", false);
        kill(r.driver, sent[i]);
        expect_once(&r, sent[i], "forwarded");
    }
    struct run r;
    start_count(&r, "exec $drive $count", false);
    kill(r.driver, SIGRTMIN + 3);
    expect_once(&r, SIGRTMIN + 3, "forwarded");
}

static void test_to_the_group(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
        struct run r;
        start_count(&r, "exec $drive $count", false);
        kill(-r.driver, sent[i]);
        expect_once(&r, sent[i], "reached");
    }
}

/* However long it takes until all is sent, to the driver it is one moment. */
static void hold(const struct run *r)
{
    kill(r->driver, SIGSTOP);
    until_state(r->driver, "T");
}

/* One process after the other, as scancel does. */
static void test_to_each(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive $count", false);
    hold(&r);
    kill(r.driver, SIGTERM);
    kill(r.ear, SIGTERM);
    kill(r.command, SIGTERM);
    kill(r.driver, SIGCONT);
    expect_once(&r, SIGTERM, "reached");
    bool reached = false;
    for (int tries = 0; tries < 5 && !reached; tries++) { /* the ear first; a busy machine may come in between */
        start_count(&r, "exec $drive $count", false);
        kill(r.ear, SIGTERM);
        usleep(10000);
        kill(r.driver, SIGTERM);
        settle(&r);
        ended(&r);
        reached = times_in(r.log, "SIGTERM reached") == 1;
    }
    assert_true(reached);
    assert_int_equal(times_in(r.got, "SIGTERM"), 0);
}

static void test_several_are_several(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive $count", false);
    for (int i = 1; i <= 5; i++) {
        kill(r.driver, SIGUSR1);
        until_times(r.got, "SIGUSR1", i);
    }
    settle(&r);
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.got, "SIGUSR1"), 5);
}

/* It signals its child, then its group, then both with CONT, which wakes a driver that is held. ALRM: its time is over.
 * Returns how often the command got it. */
static int times_of_timeout(int signal, bool held)
{
    struct run r;
    char script[100], line[60], room[SMI_JOB_NAME];
    snprintf(script, sizeof script, "exec timeout -s %d 1000 $drive $count", signal);
    start_count(&r, script, false);
    if (held)
        hold(&r);
    until_state(r.first, "S"); /* it has begun to wait */
    kill(r.first, SIGALRM);
    until_in(r.got, "SIGCONT");
    settle(&r);
    int status = ended(&r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 124);
    snprintf(line, sizeof line, "%s\n", smi_job_signal_name(signal, room));
    return times_in(r.got, line);
}

static void test_timeout(void **state)
{
    (void)state;
    static const int rows[] = {SIGTERM, SIGINT, SIGUSR1, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool once = false;
        assert_int_equal(times_of_timeout(rows[i], true), 1);
        for (int tries = 0; tries < 5 && !once; tries++) /* a busy machine may stop timeout between the two */
            once = times_of_timeout(rows[i], false) == 1;
        assert_true(once);
    }
}

static void test_nohup(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "trap '' HUP; exec $drive $count", false);
    kill(r.driver, SIGHUP);
    settle(&r);
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.got, "SIGHUP"), 0);
    assert_int_equal(times_in(r.log, "SIGHUP"), 0);
}

static void test_from_the_command(void **state)
{
    (void)state;
    struct run r;
    int status = status_of("exec $drive sh -c 'trap \"\" TERM; kill -TERM 0; exit 5'", &r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    name_run(&r);
    shell(&r, "exec $drive sh -c 'kill -USR1 $PPID; read x'", true);
    know(&r);
    until_in(r.log, "SIGUSR1 kept");
    assert_true(write(r.terminal, "\n", 1) == 1);
    assert_true(WIFEXITED(ended(&r)));
}

static int entries_of(const char *path)
{
    DIR *d = opendir(path);
    int n = 0;
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));)
        n += *e->d_name != '.';
    closedir(d);
    return n;
}

/* What a name finds: us, not the ear, so that `pkill smilog` is sent on. */
static void test_the_ear_has_its_own_name(void **state)
{
    (void)state;
    struct run r;
    char path[60];
    start_count(&r, "exec $drive $count", false);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, i ? "/proc/%d/cmdline" : "/proc/%d/comm", (int)r.ear);
        until_in(path, "signal-ear");
        assert_int_equal(times_in(path, "test_job"), 0);
    }
    snprintf(path, sizeof path, "/proc/%d/fd", (int)r.ear); /* it holds nothing of the user's */
    assert_int_equal(entries_of(path), 2);
    kill(r.ear, SIGKILL);
    until_in(r.log, "another ear");
    kill(r.driver, SIGUSR2);
    until_in(r.log, "SIGUSR2 forwarded");
    kill(-r.driver, SIGUSR1);
    until_in(r.log, "SIGUSR1 reached");
    settle(&r);
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.got, "SIGUSR1"), 1);
}

static void test_killed(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive $count", false);
    kill(r.driver, SIGKILL);
    int status = ended(&r);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    until_state(r.ear, "0Z");
    assert_int_equal(state_of(r.command), 'S');
    kill(r.command, SIGURG);
    until_state(r.command, "0Z");
}

/* ---- a terminal ---- */

static void type(struct run *r, const char *keys)
{
    assert_int_equal(write(r->terminal, keys, strlen(keys)), strlen(keys));
}

/* Reads what is printed until it has the word. */
static void until_shown(struct run *r, const char *word)
{
    char text[20000] = "";
    size_t n = 0;
    for (int64_t end = smi_clock_now_ms() + PATIENCE_MS; !strstr(text, word) && smi_clock_now_ms() < end;) {
        struct pollfd p = {.fd = r->terminal, .events = POLLIN};
        ssize_t got = poll(&p, 1, 100) > 0 ? read(r->terminal, text + n, sizeof text - 1 - n) : 0;
        if (got < 0)
            break;
        for (ssize_t i = 0; i < got; i++)
            if (!text[n + (size_t)i])
                text[n + (size_t)i] = '?';
        n += (size_t)got;
        text[n] = 0;
    }
    if (!strstr(text, word))
        fail_msg("no \"%s\" on the terminal:\n%s\nlog:\n%s", word, text, text_of(r->log));
}

static void test_keys(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        int signal;
    } rows[] = {{"\003", SIGINT}, {"\034", SIGQUIT}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run r;
        start_count(&r, "exec $drive $count", true);
        type(&r, rows[i].key);
        expect_once(&r, rows[i].signal, "reached");
    }
}

/* The kernel tells the leader of the session only; without us that would be the command. */
static void test_the_terminal_goes(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive $count", true);
    close(r.terminal);
    r.terminal = -1;
    expect_once(&r, SIGHUP, "forwarded");
    assert_int_equal(times_in(r.got, "SIGCONT"), 1);
    start_count(&r, "$drive $count; true", true); /* the leader is a shell, which ends: then the group is told */
    close(r.terminal);
    r.terminal = -1;
    until_in(r.log, "SIGHUP reached");
    settle(&r);
    ended(&r);
    until_state(r.driver, "0Z");
    assert_int_equal(times_in(r.got, "SIGHUP"), 1);
}

static void test_stop_and_fg(void **state)
{
    (void)state;
    struct run r;
    name_run(&r);
    shell(&r, "PS1='> ' exec bash --norc --noprofile -i", true);
    type(&r, "$drive $count\n");
    know(&r);
    until_in(r.got, "ready");
    for (int i = 1; i <= 2; i++) {
        type(&r, "\032");
        until_shown(&r, "Stopped");
        until_state(r.command, "T");
        until_state(r.driver, "T");
        type(&r, "fg\n");
        until_times(r.log, "continued", i);
        until_times(r.got, "SIGCONT", i); /* else the next stop takes it away */
    }
    settle(&r);
    until_state(r.driver, "0");
    type(&r, "exit $?\n");
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.got, "SIGTSTP"), 2);
    assert_int_equal(times_in(r.got, "SIGCONT"), 2);
    assert_in_range(times_in(r.log, "SIGTSTP reached"), 1, 2); /* within SMI_JOB_HEAR_MS they are one */
    assert_in_range(times_in(r.log, "SIGCONT reached"), 1, 2);
    assert_int_equal(times_in(r.log, "forwarded"), 1); /* settle's */
}

static void test_full_screen_program(void **state)
{
    (void)state;
    struct run r;
    name_run(&r);
    shell(&r, "PS1='> ' exec bash --norc --noprofile -i", true);
    type(&r, "$drive $raw\n");
    until_shown(&r, "raw ");
    type(&r, "\003\032");
    until_shown(&r, "<3><26>");
    type(&r, "z");
    until_shown(&r, "Stopped");
    type(&r, "fg\n");
    until_shown(&r, "again ");
    type(&r, "x");
    until_shown(&r, "<120>");
    type(&r, "q");
    until_in(r.log, "ended 1536");
    type(&r, "echo $((1000+$?)); exit\n");
    until_shown(&r, "1006");
    ended(&r);
    assert_int_equal(times_in(r.log, "SIGINT"), 0);
    assert_int_equal(times_in(r.log, "stopped by SIGTSTP"), 1);
}

/* ---- stops by others ---- */

static void test_command_stopped_alone(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive $count", false);
    kill(r.command, SIGSTOP);
    until_state(r.driver, "T");
    assert_int_equal(times_in(r.log, "stopped by SIGSTOP"), 1);
    kill(r.command, SIGCONT);
    until_in(r.log, "continued");
    kill(r.driver, SIGTSTP); /* to us alone: it is the command's */
    until_in(r.log, "SIGTSTP forwarded");
    until_state(r.driver, "T");
    until_state(r.command, "T");
    kill(r.driver, SIGCONT);
    until_in(r.log, "SIGCONT forwarded");
    until_state(r.command, "S");
    kill(r.command, SIGSTOP);
    until_state(r.driver, "T");
    kill(r.command, SIGKILL);
    int status = ended(&r);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(times_in(r.got, "SIGTSTP"), 1);
    assert_int_equal(times_in(r.got, "SIGCONT"), 2);
}

static void test_who_ignores_stops_goes_on(void **state)
{
    (void)state;
    struct run r;
    name_run(&r);
    shell(&r, "exec $drive sh -c 'trap \"\" TSTP; read x; exit 4'", true);
    know(&r);
    type(&r, "\032");
    until_in(r.log, "SIGTSTP reached");
    type(&r, "\n");
    int status = ended(&r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 4);
    assert_int_equal(times_in(r.log, "stopped"), 0);
}

static void test_a_group_of_its_own(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive setsid $count", false);
    kill(r.command, SIGSTOP);
    until_in(r.log, "stopped by SIGSTOP");
    kill(-r.driver, SIGUSR1); /* not for it */
    until_in(r.log, "SIGUSR1 reached");
    kill(r.command, SIGCONT);
    until_in(r.log, "continued");
    settle(&r);
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.got, "SIGUSR1"), 0);
}

/* ---- what it leaves behind ---- */

static void test_orphans(void **state)
{
    (void)state;
    struct run r;
    int status = status_of("SMI_ORPHANS=1 exec $drive sh -c '(setsid sh -c \"sleep 0.2; exit 7\" &); exit 3'", &r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    assert_int_equal(times_in(r.log, "orphan 1792\n"), 1);
    status = status_of("SMI_ORPHANS=5000 exec $drive $leave 5000", &r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 8);
    assert_int_equal(times_in(r.log, "orphan 2304\n"), 5000);
}

/* ---- in this process ---- */

struct seen {
    int64_t cpu_us, rss_kib;
    int ended, status, orphans, asked;
    pid_t orphan, session;
    struct smi_child own; /* waited for by us, not by the job */
    struct smi_act *act;
};

static void on_seen(void *of, const struct smi_job_event *e)
{
    struct seen *s = of;
    if (e->what == SMI_JOB_ENDED) {
        s->ended++;
        s->status = e->status;
        s->cpu_us = e->cpu_us;
        s->rss_kib = e->rss_kib;
    }
    if (e->what == SMI_JOB_ORPHAN) {
        s->orphans++;
        s->orphan = e->pid;
        s->session = e->session;
    }
}

static bool is_own(void *of, pid_t pid)
{
    struct seen *s = of;
    s->asked += pid == s->own.pid;
    return pid == s->own.pid || smi_act_owns(s->act, pid);
}

/* Until an end and so many orphans were told of; the own child is waited for after the job was asked, or never. */
static void watch(struct smi_job *j, struct seen *s, int orphans, bool wait_for_own)
{
    int64_t end = smi_clock_now_ms() + PATIENCE_MS, now;
    while ((now = smi_clock_now_ms()) < end && (!s->ended || s->orphans < orphans)) {
        struct pollfd fds[SMI_JOB_FDS + SMI_ACT_FDS + 1];
        int64_t due, other;
        size_t n = smi_job_want(j, fds, &due, now);
        n += smi_act_want(s->act, fds + n, &other, now);
        due = other < due ? other : due;
        if (wait_for_own && s->own.pidfd >= 0)
            fds[n++] = (struct pollfd){.fd = s->own.pidfd, .events = POLLIN};
        due = due < end ? due : end;
        (void)poll(fds, (nfds_t)n, due > now ? (int)(due - now) : 0);
        if (smi_clock_now_ms() >= end)
            break; /* nothing woke us */
        smi_act_go(s->act, smi_clock_now_ms());
        smi_job_go(j, smi_clock_now_ms());
        if (wait_for_own)
            smi_child_look(&s->own, smi_clock_now_ms());
    }
    assert_int_equal(s->ended, 1);
    assert_int_equal(s->orphans, orphans);
}

static struct smi_job *job_of(const char *script, struct seen *s)
{
    char sh[] = "sh", c[] = "-c", text[500];
    char *argv[] = {sh, c, text, NULL};
    const struct smi_job_calls calls = {s, on_seen, is_own};
    struct smi_err err = {0};
    int status = -1;
    snprintf(text, sizeof text, "%s", script);
    struct smi_job *j = smi_job_new(&calls, &err);
    assert_non_null(j);
    assert_int_equal(smi_job_begin(j, argv, &status, &err), 0);
    return j;
}

static void test_time_and_memory(void **state)
{
    (void)state;
    struct seen s = {.own = {.out = -1, .err = -1, .pidfd = -1, .life = -1, .told = -1}};
    struct smi_job *j = job_of("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done & wait", &s);
    watch(j, &s, 0, false);
    smi_job_free(j);
    assert_true(s.cpu_us > 20000); /* of the child that it waited for */
    assert_int_equal(s.rss_kib, 0); /* not more than the copy of us that it was first */
    s = (struct seen){.own = {.out = -1, .err = -1, .pidfd = -1, .life = -1, .told = -1}};
    j = job_of("head -c 300000000 /dev/zero | tail -n 1 >/dev/null; :", &s); /* tail keeps a line that does not end */
    watch(j, &s, 0, false);
    smi_job_free(j);
    assert_in_range(s.rss_kib, 250000, 1000000);
}

/* A child of the owner's that has ended and that nobody waited for yet hides nothing but orphans, and costs no time. */
static void test_children_of_the_owner(void **state)
{
    (void)state;
    char sh[] = "sh", c[] = "-c", text[] = "exit 5";
    char *argv[] = {sh, c, text, NULL};
    const struct smi_child_spec spec = {argv, NULL, false};
    struct seen s = {.ended = 0};
    struct smi_err err = {0};
    assert_int_equal(smi_child_open(&s.own, &spec, &err), 0);
    until_state(s.own.pid, "Z");
    struct smi_job *j = job_of("(exit 6 &) ; sleep 0.3; exit 2", &s);
    pid_t ear = smi_job_ear(j);
    watch(j, &s, 0, false);
    until_state(ear, "Z"); /* no signal comes any more */
    assert_in_range(s.asked, 1, 100);
    assert_int_equal(s.status, 2 << 8);
    watch(j, &s, 1, true);
    assert_int_equal(s.own.status, 5 << 8);
    smi_child_close(&s.own);
    smi_job_free(j);
}

static void no_words(void *of, const char *text)
{
    (void)of;
    fail_msg("%s", text);
}

/* What a command of ours leaves behind is no orphan of the job's: its session says so. */
static void test_orphans_of_the_owner(void **state)
{
    (void)state;
    struct seen s = {.own = {.out = -1, .err = -1, .pidfd = -1, .life = -1, .told = -1}};
    struct smi_err err = {0};
    const char *const env[] = {NULL};
    struct smi_job *j = job_of("sleep 0.3", &s);
    s.act = smi_act_new("sleep 100 & exit 0", 30000, no_words, NULL, &err);
    assert_non_null(s.act);
    assert_int_equal(smi_act_put(s.act, env, &err), 0);
    watch(j, &s, 1, false);
    assert_true(smi_act_began(s.act, s.session));
    assert_true(s.session != s.orphan && s.session > 0);
    assert_false(smi_act_owns(s.act, s.session));
    assert_false(smi_act_began(s.act, getsid(0)));
    smi_act_free(s.act);
    smi_job_free(j);
}

static void test_live_knows_its_children(void **state)
{
    (void)state;
    struct smi_err err = {0};
    char program[100];
    snprintf(program, sizeof program, "%s/monitor", home);
    FILE *f = fopen(program, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\necho $$ >>%s/monitors\nexec sleep 100\n", home);
    fclose(f);
    assert_int_equal(chmod(program, 0755), 0);
    const struct smi_live_opts o = {.interval_ms = 1000, .program = program};
    struct smi_live *l = smi_live_new(&o, smi_clock_now_ms(), &err);
    assert_non_null(l);
    snprintf(program, sizeof program, "%s/monitors", home);
    until_times(program, "\n", 2);
    char *text = text_of(program), *p = text;
    for (int i = 0; i < 2; i++) {
        pid_t pid = (pid_t)strtol(p, &p, 10);
        assert_true(smi_live_owns(l, pid));
        assert_true(smi_live_began(l, pid));
    }
    smi_mem_free(text);
    assert_false(smi_live_owns(l, getpid()) || smi_live_owns(l, 0) || smi_live_began(l, 0));
    assert_false(smi_live_began(l, getsid(0)));
    smi_live_free(l);
}

static void test_all_is_put_back(void **state)
{
    (void)state;
    struct seen s = {.own = {.pidfd = -1}};
    sigset_t mask, was;
    struct sigaction is;
    int reaper = -1;
    sigprocmask(SIG_SETMASK, NULL, &was);
    signal(SIGCHLD, SIG_IGN);
    struct smi_job *j = job_of("exit 1", &s);
    watch(j, &s, 0, false);
    assert_int_equal(s.status, 1 << 8);
    kill(getpid(), SIGTERM); /* comes too late, and ends nobody */
    smi_job_free(j);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (int n = 1; n < NSIG; n++)
        assert_int_equal(sigismember(&mask, n), sigismember(&was, n));
    sigaction(SIGCHLD, NULL, &is);
    assert_ptr_equal(is.sa_handler, SIG_IGN);
    sigaction(SIGPIPE, NULL, &is);
    assert_ptr_equal(is.sa_handler, SIG_DFL);
    assert_int_equal(prctl(PR_GET_CHILD_SUBREAPER, &reaper), 0);
    assert_int_equal(reaper, 0);
    signal(SIGCHLD, SIG_DFL);
}

/* ---- a process that runs already ---- */

static void test_attach(void **state)
{
    (void)state;
    struct run r, other;
    char script[100];
    start_count(&other, "exec $drive $count", false);
    name_run(&r);
    snprintf(script, sizeof script, "exec $drive -a %d", (int)other.command);
    shell(&r, script, false);
    know(&r);
    assert_int_equal(r.ear, 0);
    kill(r.driver, SIGTERM);
    until_in(r.log, "SIGTERM kept");
    settle(&other);
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.log, "ended -1"), 1);
    assert_int_equal(ended(&other), 0);
    assert_int_equal(times_in(other.got, "SIGTERM"), 0);
}

static void test_attach_to_nobody(void **state)
{
    (void)state;
    const struct smi_job_calls calls = {NULL, on_seen, NULL};
    const int rows[] = {0, -1, -5, 0x7ffffff0};
    pid_t dead = fork();
    if (dead == 0)
        _exit(0);
    until_state(dead, "Z");
    for (size_t i = 0; i <= sizeof rows / sizeof *rows; i++) {
        struct smi_err err = {0};
        struct smi_job *j = smi_job_new(&calls, &err);
        assert_int_equal(smi_job_attach(j, i ? rows[i - 1] : dead, &err), -1);
        smi_job_free(j);
        assert_int_equal(err.code, SMI_EUSAGE);
        assert_non_null(strstr(err.text, "there is no process "));
    }
    waitpid(dead, NULL, 0);
}

static int begin(void **state)
{
    (void)state;
    return !mkdtemp(home);
}

static int end(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", home);
    return system(command);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status_is_passed_on),
        cmocka_unit_test(test_what_cannot_be_run),
        cmocka_unit_test(test_all_is_as_without_us),
        cmocka_unit_test(test_mask_is_passed_on),
        cmocka_unit_test(test_a_flood_goes_through),
        cmocka_unit_test(test_to_us_alone),
        cmocka_unit_test(test_to_the_group),
        cmocka_unit_test(test_to_each),
        cmocka_unit_test(test_several_are_several),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_nohup),
        cmocka_unit_test(test_from_the_command),
        cmocka_unit_test(test_the_ear_has_its_own_name),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_the_terminal_goes),
        cmocka_unit_test(test_stop_and_fg),
        cmocka_unit_test(test_full_screen_program),
        cmocka_unit_test(test_command_stopped_alone),
        cmocka_unit_test(test_who_ignores_stops_goes_on),
        cmocka_unit_test(test_a_group_of_its_own),
        cmocka_unit_test(test_orphans),
        cmocka_unit_test(test_time_and_memory),
        cmocka_unit_test(test_children_of_the_owner),
        cmocka_unit_test(test_orphans_of_the_owner),
        cmocka_unit_test(test_live_knows_its_children),
        cmocka_unit_test(test_all_is_put_back),
        cmocka_unit_test(test_attach),
        cmocka_unit_test(test_attach_to_nobody),
    };
    if (argc > 3 && strcmp(argv[1], "drive") == 0)
        return drive(argv + 2);
    if (argc > 2 && strcmp(argv[1], "count") == 0)
        return count(argv + 2);
    if (argc > 2 && strcmp(argv[1], "leave") == 0)
        return leave(atoi(argv[2]));
    if (argc > 1 && strcmp(argv[1], "raw") == 0)
        return raw();
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 1;
    for (int n = 1; n < 32; n++) /* whoever runs this in the background, or under nohup, ignores some */
        if (n != SIGKILL && n != SIGSTOP)
            signal(n, SIG_DFL);
    return cmocka_run_group_tests(tests, begin, end);
}
