/* test_tree.c - the tree of processes on the real /proc: who belongs, and what it keeps open. */
#include "plays.h"
#include "tree_whose.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* ---- who belongs ---- */

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

static pid_t foreign;

static bool is_foreign(const void *self, pid_t pid, pid_t session)
{
    (void)self, (void)pid;
    return session == foreign;
}

static void not_ours(void **state)
{
    pid_t main = start(leaf);
    int main_ready = ready[0], main_go = go[1];
    struct smi_tree *t =
        smi_tree_open(&(struct smi_tree_opts){.main = main, .reaper = getpid(), .stranger = is_foreign});
    struct smi_tree_sample s;
    char c;
    (void)state;
    foreign = start(monitor);
    for (int i = 0; i < 2; i++)
        assert_int_equal(read(ready[0], &c, 1), 1);
    s = look(t);
    are(&s, 1, 0);
    assert_int_equal(whose(t, foreign, NULL), NOT);
    kill(foreign, SIGKILL);
    assert_int_equal(waitpid(foreign, NULL, 0), foreign);
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

/* ---- a process that ran already ---- */

/* A leader of a session, what it left alone, and what that left in a session of its own. */
static void leads(void)
{
    if (setsid() < 0)
        _exit(9);
    if (waitpid(kid(orphan), NULL, 0) < 0 || waitpid(kid(daemon_of), NULL, 0) < 0)
        _exit(9);
    step();
}

static void orphans_of_its_session(void **state)
{
    pid_t main = start(leads);
    struct smi_tree *t;
    struct smi_tree_sample s;
    char c;
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(read(ready[0], &c, 1), 1);
    t = open_it(main, false);
    s = look(t);
    are(&s, 1, 1);
    s = look(t);
    are(&s, 1, 1);
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
    usleep(20000); /* start times count in ticks of 10 ms: no machine uses a pid again within one */
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
    struct smi_tree_opts o = {.main = start(family)};
    struct smi_tree_sample s;
    struct smi_tree *t;
    char c;
    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(read(ready[0], &c, 1), 1);
    during = descriptors();
    t = smi_tree_open(&o);
    s = look(t);
    s = look(t);
    are(&s, 1, 4);
    assert_int_equal(descriptors() - during, 1);
    all_end();
    s = look(t);
    assert_int_equal(descriptors(), before + 1);
    smi_tree_close(t);
    assert_int_equal(descriptors(), before);
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
        cmocka_unit_test(a_tree),
        cmocka_unit_test(daemons),
        cmocka_unit_test(not_ours),
        cmocka_unit_test(orphans_of_its_session),
        cmocka_unit_test(exec_keeps_it),
        cmocka_unit_test(pids_used_again),
        cmocka_unit_test(threads_are_no_processes),
        cmocka_unit_test(nothing_stays_open),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
