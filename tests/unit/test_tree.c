/* tree: real processes of this machine: who belongs, whose time it is, and memory of known size. */
#include "tree_whose.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { MIB = 1 << 20 };

/* ---- a process that plays a part, step by step ---- */

static int ready[2], go[2]; /* what it writes, and what it reads */

static void tell(void)
{
    if (write(ready[1], "x", 1) != 1)
        _exit(9);
}

static void wait_for_go(void)
{
    char c;
    if (read(go[0], &c, 1) != 1)
        _exit(0); /* the test has ended */
}

static void step(void)
{
    tell();
    wait_for_go();
}

/* Starts it, up to its first step. */
static pid_t start(void (*play)(void))
{
    char c;
    pid_t pid;
    assert_int_equal(pipe(ready) || pipe(go), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ready[0]);
        close(go[1]);
        play();
        _exit(0);
    }
    close(ready[1]);
    close(go[0]);
    assert_int_equal(read(ready[0], &c, 1), 1);
    return pid;
}

/* Up to the next step of one of them; 0: there is none more. */
static ssize_t next(void)
{
    char c;
    assert_int_equal(write(go[1], "x", 1), 1);
    return read(ready[0], &c, 1);
}

static void all_end(void)
{
    char c;
    close(go[1]);
    assert_int_equal(read(ready[0], &c, 1), 0);
    close(ready[0]);
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
        continue;
}

static int64_t cpu_of(const struct rusage *r)
{
    return ((int64_t)r->ru_utime.tv_sec + r->ru_stime.tv_sec) * 1000000 + r->ru_utime.tv_usec + r->ru_stime.tv_usec;
}

static void burn(int64_t us)
{
    struct timespec t;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    while ((int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000 < us);
}

/* ---- samples ---- */

static int64_t now;

static struct smi_tree *open_it(pid_t main, bool reaper)
{
    struct smi_tree_opts o = {NULL, main, reaper ? getpid() : 0, 0};
    struct smi_tree *t = smi_tree_open(&o, NULL);
    assert_non_null(t);
    return t;
}

static struct smi_tree_sample look(struct smi_tree *t)
{
    struct smi_tree_sample s;
    now += 1000000;
    assert_int_equal(smi_tree_read(t, now, &s, NULL), 0);
    return s;
}

static void are(const struct smi_tree_sample *s, int64_t main, int64_t descendants)
{
    assert_int_equal(s->of[SMI_TREE_OF_MAIN].processes, main);
    assert_int_equal(s->of[SMI_TREE_OF_DESCENDANTS].processes, descendants);
    assert_int_equal(s->of[SMI_TREE_OF_ALL].processes, main + descendants);
}

static void near(int64_t got, int64_t want, int64_t by)
{
    if (got < want - by || got > want + by)
        fail_msg("%lld is not within %lld of %lld", (long long)got, (long long)by, (long long)want);
}

/* ---- who belongs ---- */

static pid_t kid(void (*play)(void))
{
    pid_t pid = fork();
    if (pid < 0)
        _exit(9);
    if (pid > 0)
        return pid;
    play();
    _exit(0);
}

static void leaf(void)
{
    step();
}

static void branch(void)
{
    kid(leaf);
    step();
}

static void family(void)
{
    kid(branch);
    kid(branch);
    step();
}

static void a_tree(void **state)
{
    pid_t main = start(family);
    struct smi_tree *t = open_it(main, false);
    struct smi_tree_sample s;
    struct smi_tree_process p;
    size_t at = 0;
    int n = 0;
    char c;
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(read(ready[0], &c, 1), 1);
    s = look(t);
    are(&s, 1, 4);
    assert_true(s.main_alive);
    assert_int_equal(s.of[SMI_TREE_OF_ALL].threads, 5);
    assert_int_equal(whose(t, main, NULL), MAIN);
    assert_int_equal(whose(t, getpid(), NULL), NOT);
    while (smi_tree_next(t, &at, &p)) {
        assert_int_equal(p.main, n == 0);
        assert_int_equal(whose(t, p.pid, NULL), n++ ? DESCENDANT : MAIN);
        assert_true(p.has_ram && p.ram.total > 0 && p.threads == 1 && p.start > 0);
    }
    assert_int_equal(n, 5);
    all_end();
    s = look(t);
    are(&s, 0, 0);
    assert_false(s.of[SMI_TREE_OF_ALL].has_ram);
    smi_tree_close(t);
}

/* Forks, and ends at once: the child goes to the reaper. */
static void daemon_of(void)
{
    if (setsid() < 0)
        _exit(9);
    kid(leaf);
}

static void two_forks(void)
{
    kid(daemon_of);
    wait_for_go();
}

static void daemons(void **state)
{
    pid_t main = start(two_forks); /* the leaf has told */
    struct smi_tree *t = open_it(main, true);
    struct smi_tree_sample s;
    (void)state;
    waitpid(-1, NULL, WNOHANG);
    s = look(t);
    for (int i = 0; i < 500 && s.of[SMI_TREE_OF_DESCENDANTS].processes != 1; i++) {
        usleep(10000); /* between its two parents */
        s = look(t);
    }
    are(&s, 1, 1);
    all_end();
    smi_tree_close(t);
}

static void orphan(void)
{
    kid(leaf);
}

/* A monitor in a session of its own, its child, and its orphan; beside main. */
static void monitor(void)
{
    if (setsid() < 0)
        _exit(9);
    kid(leaf);
    kid(orphan);
    step();
}

static void not_ours(void **state)
{
    pid_t main = start(leaf), other;
    int main_ready = ready[0], main_go = go[1];
    struct smi_tree *t = open_it(main, true);
    struct smi_tree_sample s;
    char c;
    (void)state;
    other = start(monitor);
    assert_int_equal(smi_tree_not_ours(t, other), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(read(ready[0], &c, 1), 1);
    s = look(t);
    are(&s, 1, 0);
    assert_int_equal(whose(t, other, NULL), NOT);
    kill(other, SIGKILL);
    assert_int_equal(waitpid(other, NULL, 0), other);
    for (int i = 0; i < 3; i++) {
        s = look(t); /* now both are orphans of its session */
        are(&s, 1, 0);
    }
    close(go[1]);
    assert_int_equal(read(ready[0], &c, 1), 0);
    close(ready[0]);
    ready[0] = main_ready;
    go[1] = main_go;
    all_end();
    smi_tree_close(t);
}

static void renamed(void)
{
    step();
    execlp("sh", "sh", "-c", "echo; read x", (char *)NULL);
    _exit(9);
}

static void with_pipes(void)
{
    dup2(go[0], 0);
    dup2(ready[1], 1);
    go[0] = 0;
    ready[1] = 1;
    renamed();
}

static void exec_keeps_it(void **state)
{
    pid_t main = start(with_pipes);
    struct smi_tree *t = open_it(main, false);
    struct smi_tree_process before, after;
    struct smi_tree_sample s;
    size_t at = 0;
    (void)state;
    look(t);
    assert_true(smi_tree_next(t, &at, &before));
    assert_int_equal(next(), 1);
    s = look(t);
    are(&s, 1, 0);
    at = 0;
    assert_true(smi_tree_next(t, &at, &after));
    assert_int_equal(after.pid, before.pid);
    assert_int_equal(after.start, before.start);
    assert_string_equal(after.comm, "sh");
    assert_string_not_equal(before.comm, "sh");
    kill(main, SIGKILL);
    all_end();
    smi_tree_close(t);
}

/* ---- pids that are used again ---- */

static volatile pid_t *wish; /* in memory of all: a pid that a child gets, or a thread has */

/* A fork that gets it; -1 without the right to. */
static pid_t fork_as_wished(void)
{
    pid_t pid = *wish;
    struct clone_args a = {.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&pid, .set_tid_size = 1};
    return (pid_t)syscall(SYS_clone3, &a, sizeof a);
}

static void pauses(void)
{
    pause();
}

static void again(void)
{
    pid_t pid = kid(pauses);
    *wish = pid;
    tell();
    waitpid(pid, NULL, 0);
    step();
    pid = fork_as_wished();
    if (pid > 0)
        waitpid(pid, NULL, 0);
    else
        step();
}

static void pids_used_again(void **state)
{
    pid_t main, other, stranger;
    struct smi_tree *t;
    struct smi_tree_sample s;
    char c;
    (void)state;
    main = start(again);
    other = *wish;
    t = open_it(main, false);
    s = look(t);
    are(&s, 1, 1);
    assert_int_equal(whose(t, other, NULL), DESCENDANT);
    kill(other, SIGKILL);
    assert_int_equal(read(ready[0], &c, 1), 1); /* main has waited for it */
    stranger = fork_as_wished();
    if (stranger == 0) {
        pause();
        _exit(0);
    }
    if (stranger < 0) {
        print_message("left out: pids cannot be chosen without CAP_SYS_ADMIN\n");
    } else {
        assert_int_equal(stranger, other);
        s = look(t);
        are(&s, 1, 0);
        s = look(t);
        are(&s, 1, 0);
        assert_int_equal(whose(t, other, NULL), NOT);
        kill(stranger, SIGKILL);
        waitpid(stranger, NULL, 0);
        assert_int_equal(next(), 1); /* main has a child of that pid now */
        s = look(t);
        are(&s, 1, 1);
        assert_int_equal(whose(t, other, NULL), DESCENDANT);
    }
    all_end();
    smi_tree_close(t);
}

static void *thread(void *unused)
{
    (void)unused;
    *wish = (pid_t)syscall(SYS_gettid);
    tell();
    pause();
    return NULL;
}

static void threads(void)
{
    pthread_t id;
    for (int i = 0; i < 3; i++)
        if (pthread_create(&id, NULL, thread, NULL))
            _exit(9);
    step();
}

static void threads_are_no_processes(void **state)
{
    struct smi_tree_sample s;
    pid_t main;
    char c;
    (void)state;
    main = start(threads);
    for (int i = 0; i < 3; i++)
        assert_int_equal(read(ready[0], &c, 1), 1);
    for (int by_thread = 0; by_thread < 2; by_thread++) {
        struct smi_tree *t = open_it(by_thread ? *wish : main, false);
        s = look(t);
        are(&s, 1, 0);
        assert_int_equal(s.of[SMI_TREE_OF_MAIN].threads, 4);
        assert_int_equal(whose(t, main, NULL), MAIN);
        smi_tree_close(t);
    }
    assert_int_not_equal(*wish, main);
    all_end();
}

/* ---- time ---- */

static void burns(void)
{
    step();
    burn(300000);
}

/* Its zombie has it to the tick, and wait4 to the microsecond. */
static void own_time(void **state)
{
    pid_t main = start(burns);
    struct smi_tree *t = open_it(main, true);
    struct smi_tree_sample s = look(t);
    struct rusage r;
    (void)state;
    assert_false(s.of[SMI_TREE_OF_ALL].has_cpu);
    assert_int_equal(next(), 0);
    assert_int_equal(waitid(P_PID, (id_t)main, NULL, WEXITED | WNOWAIT), 0);
    s = look(t);
    are(&s, 0, 0);
    assert_false(s.main_alive || s.of[SMI_TREE_OF_MAIN].has_ram);
    assert_int_equal(wait4(main, NULL, 0, &r), main);
    assert_true(cpu_of(&r) >= 300000);
    near(s.cpu_us[SMI_TREE_OF_MAIN], cpu_of(&r), 20000);
    near(s.of[SMI_TREE_OF_MAIN].cpu_micro_pct, cpu_of(&r) * 100, 4000000);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_DESCENDANTS], 0);
    smi_tree_reaped(t, main, cpu_of(&r));
    s = look(t);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_ALL], cpu_of(&r));
    all_end();
    smi_tree_close(t);
}

enum { CHURN = 2000 };

static void short_lived(void)
{
    for (int i = 0; i < CHURN; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(0);
        if (pid > 0)
            waitpid(pid, NULL, 0);
        if (i % 500 == 0)
            step();
    }
    pid_t last = fork(); /* and one that burns between two samples */
    if (last == 0) {
        burn(100000);
        _exit(0);
    }
    waitpid(last, NULL, 0);
    step();
}

static void short_lived_children(void **state)
{
    pid_t main = start(short_lived);
    struct smi_tree *t = open_it(main, true);
    struct smi_tree_sample s = look(t), before;
    struct rusage r;
    (void)state;
    for (int i = 0; i < 4; i++) {
        before = s;
        assert_int_equal(next(), 1);
        s = look(t);
        are(&s, 1, 0);
        for (int part = 0; part < SMI_TREE_PARTS; part++)
            assert_true(s.cpu_us[part] >= before.cpu_us[part]);
    }
    assert_true(s.cpu_us[SMI_TREE_OF_DESCENDANTS] >= 90000);
    assert_int_equal(next(), 0);
    assert_int_equal(waitid(P_PID, (id_t)main, NULL, WEXITED | WNOWAIT), 0);
    s = look(t);
    assert_int_equal(wait4(main, NULL, 0, &r), main);
    near(s.cpu_us[SMI_TREE_OF_ALL], cpu_of(&r), 40000); /* four numbers, of ticks */
    before = s;
    smi_tree_reaped(t, main, cpu_of(&r));
    s = look(t);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_MAIN], before.cpu_us[SMI_TREE_OF_MAIN]);
    near(s.cpu_us[SMI_TREE_OF_ALL], cpu_of(&r), 20000);
    all_end();
    smi_tree_close(t);
}

static void ended(void)
{
    burn(50000);
}

static void leaves_zombies(void)
{
    for (int i = 0; i < 3; i++) {
        pid_t pid = kid(ended);
        waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT);
    }
    step();
    while (wait(NULL) > 0)
        continue;
    step();
}

/* No processes any more, but their time is theirs, and stays it when they are waited for. */
static void zombies(void **state)
{
    struct smi_tree *t = open_it(start(leaves_zombies), true);
    struct smi_tree_sample s = look(t);
    int64_t us;
    (void)state;
    are(&s, 1, 0);
    us = s.cpu_us[SMI_TREE_OF_DESCENDANTS];
    assert_true(us >= 3 * 30000);
    assert_int_equal(next(), 1);
    s = look(t);
    near(s.cpu_us[SMI_TREE_OF_DESCENDANTS], us + 30000, 30000);
    all_end();
    smi_tree_close(t);
}

static void ignores(void)
{
    signal(SIGCHLD, SIG_IGN);
    pid_t pid = fork();
    if (pid == 0) {
        burn(200000);
        step();
        _exit(0);
    }
    waitpid(pid, NULL, 0); /* it goes when the child does, which nobody's times have then */
    step();
}

static void nobody_waits(void **state)
{
    struct smi_tree *t = open_it(start(ignores), true);
    struct smi_tree_sample s = look(t);
    int64_t us = s.cpu_us[SMI_TREE_OF_DESCENDANTS];
    (void)state;
    are(&s, 1, 1);
    assert_true(us >= 180000);
    assert_int_equal(next(), 1);
    s = look(t);
    are(&s, 1, 0);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_DESCENDANTS], us);
    all_end();
    smi_tree_close(t);
}

/* ---- memory ---- */

static void *pages(size_t n, int kind)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        _exit(9);
    memset(p, 1, n);
    return p;
}

/* 64 MiB alone; then 32 MiB that a child maps, too; then the child alone. */
static void fills(void)
{
    pages(64 * MIB, MAP_PRIVATE);
    step();
    void *shared = pages(32 * MIB, MAP_SHARED);
    pid_t pid = fork();
    if (pid == 0) {
        volatile char sum = 0;
        for (size_t i = 0; i < 32 * MIB; i += 4096)
            sum += ((char *)shared)[i];
        pages(16 * MIB, MAP_PRIVATE);
        step();
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    step();
}

static void memory(void **state)
{
    struct smi_tree *t = open_it(start(fills), true);
    struct smi_tree_sample s = look(t);
    struct smi_tree_ram alone = s.of[SMI_TREE_OF_MAIN].ram, main, child, all;
    (void)state;
    near(alone.private_, 68 * MIB, 4 * MIB);
    assert_int_equal(alone.total, alone.private_ + alone.shared);
    assert_true(s.of[SMI_TREE_OF_DESCENDANTS].has_ram && s.of[SMI_TREE_OF_DESCENDANTS].ram.total == 0);
    assert_int_equal(next(), 1);
    for (int i = 0; i < 100; i++) /* with what it costs here, in a budget */
        s = look(t);
    main = s.of[SMI_TREE_OF_MAIN].ram;
    child = s.of[SMI_TREE_OF_DESCENDANTS].ram;
    all = s.of[SMI_TREE_OF_ALL].ram;
    /* the 64 MiB are shared now, as are the 32; neither counts twice */
    near(child.private_, 18 * MIB, 4 * MIB);
    near(main.total, 100 * MIB, 6 * MIB);
    near(child.total, 116 * MIB, 8 * MIB);
    near(all.total, 118 * MIB, 8 * MIB);
    near(all.shared, 98 * MIB, 6 * MIB);
    assert_int_equal(s.denied, 0);
    assert_int_equal(next(), 1);
    for (int i = 0; i < 100; i++)
        s = look(t);
    near(s.of[SMI_TREE_OF_ALL].ram.private_, 100 * MIB, 6 * MIB);
    all_end();
    smi_tree_close(t);
}

/* ---- what it keeps open ---- */

static int descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void nothing_stays_open(void **state)
{
    int before = descriptors(), during;
    (void)state;
    for (int most = -1; most < 6; most++) {
        struct smi_tree_opts o = {NULL, start(family), 0, most};
        struct smi_tree_sample s;
        struct smi_tree *t;
        char c;
        for (int i = 0; i < 4; i++)
            assert_int_equal(read(ready[0], &c, 1), 1);
        during = descriptors();
        t = smi_tree_open(&o, NULL);
        s = look(t);
        s = look(t);
        are(&s, 1, 4);
        assert_int_equal(descriptors() - during, 1 + (most < 0 ? 0 : most ? most : 10));
        all_end();
        s = look(t);
        assert_int_equal(descriptors(), before + 1);
        smi_tree_close(t);
        assert_int_equal(descriptors(), before);
    }
}

static int begin(void **unused)
{
    (void)unused;
    alarm(300);
    signal(SIGPIPE, SIG_IGN);
    wish = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(wish != MAP_FAILED);
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree),        cmocka_unit_test(daemons),
        cmocka_unit_test(not_ours),      cmocka_unit_test(exec_keeps_it),
        cmocka_unit_test(pids_used_again), cmocka_unit_test(threads_are_no_processes),
        cmocka_unit_test(own_time),      cmocka_unit_test(short_lived_children),
        cmocka_unit_test(zombies),       cmocka_unit_test(nobody_waits),
        cmocka_unit_test(memory),        cmocka_unit_test(nothing_stays_open),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
