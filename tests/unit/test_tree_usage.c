/* test_tree_usage.c - what processes of the real /proc used: whose time it is, and memory of known size. */
#include "plays.h"

#include <string.h>
#include <sys/mman.h>

enum { MIB = 1 << 20 };

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
    near((int64_t)(s.of[SMI_TREE_OF_MAIN].cpu_pct * 1e6), cpu_of(&r) * 100, 4000000);
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
        for (size_t i = 0; i < 32 * MIB; i += 4096)
            (void)((volatile char *)shared)[i];
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

static int begin(void **unused)
{
    (void)unused;
    alarm(300);
    signal(SIGPIPE, SIG_IGN);
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_time), cmocka_unit_test(short_lived_children),
        cmocka_unit_test(zombies),  cmocka_unit_test(nobody_waits),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
