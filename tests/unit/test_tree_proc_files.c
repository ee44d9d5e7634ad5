/* tree: who belongs, with files of /proc in all the shapes that no test can wait for: pids that are used
 * again, parents that have gone, limits. */
#include "proc_files.h"
#include "tree_whose.h"

/* ---- who belongs ---- */

static void names(void **state)
{
    static const char *const comm[] = {"a b", "x) R 1 2 (y", ")", "((", "", " ) S 1 1 1 ("};
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5, .comm = "main"});
    for (int i = 0; i < 6; i++)
        put_proc((struct proc){.pid = 101 + i, .ppid = 100, .start = 6, .comm = comm[i]});
    put_proc((struct proc){.pid = 120, .ppid = 1, .start = 6, .comm = "x) S 100 ("}); /* it says so itself */
    put_proc((struct proc){
        .pid = 121, .ppid = 100, .start = 6, .comm = "0123456789012345678901234567890123456789"});
    t = open_at(100, 0);
    s = look(t);
    are(&s, 1, 7);
    for (int i = 0; i < 6; i++)
        is_named(t, 101 + i, comm[i]);
    is_named(t, 121, "0123456789012345678901234567890");
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 6, .comm = "python3"}); /* exec */
    s = look(t);
    are(&s, 1, 7);
    is_named(t, 101, "python3");
    smi_tree_close(t);
}

/* The child has the smaller pid, for pids begin again; its parent is found first all the same. */
static void generations(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 1, .start = 0});
    put_proc((struct proc){.pid = 900, .ppid = 1, .start = 5});
    put_proc((struct proc){.pid = 800, .ppid = 900, .start = 6});
    for (int i = 0; i < 20; i++)
        put_proc((struct proc){.pid = 700 - i, .ppid = i ? 701 - i : 800, .start = 7 + i});
    put_proc((struct proc){.pid = 901, .ppid = 1, .start = 5});
    put_proc((struct proc){.pid = 902, .ppid = 901, .start = 5});
    t = open_at(900, 0);
    s = look(t);
    are(&s, 1, 21);
    assert_int_equal(whose(t, 900, NULL), MAIN);
    assert_int_equal(whose(t, 681, NULL), DESCENDANT);
    assert_int_equal(whose(t, 902, NULL), NOT);
    end(800);
    put_proc((struct proc){.pid = 700, .ppid = 1, .start = 7}); /* to init: once a member, always one */
    s = look(t);
    are(&s, 1, 20);
    end(900);
    s = look(t);
    are(&s, 0, 20);
    assert_false(s.main_alive);
    assert_false(s.of[SMI_TREE_OF_MAIN].has_ram);
    assert_true(s.of[SMI_TREE_OF_MAIN].has_cpu); /* it was there a moment ago */
    s = look(t);
    assert_false(s.of[SMI_TREE_OF_MAIN].has_cpu);
    assert_true(s.of[SMI_TREE_OF_ALL].has_cpu);
    smi_tree_close(t);
}

static void pids_used_again(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5});
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 6, .own = 50});
    put_proc((struct proc){.pid = 103, .ppid = 1, .start = 6});
    t = open_at(100, 1);
    s = look(t);
    are(&s, 1, 2); /* 103: an orphan, as 1 is said to be the reaper */
    smi_tree_close(t);
    t = open_at(100, 0);
    s = look(t);
    are(&s, 1, 1);
    put_proc((struct proc){
        .pid = 101, .ppid = 1, .start = 60, .own = 70}); /* the same directory, another process */
    put_proc((struct proc){.pid = 103, .ppid = 100, .start = 61});
    s = look(t);
    are(&s, 1, 1);
    assert_int_equal(whose(t, 101, NULL), NOT);
    assert_int_equal(whose(t, 103, NULL), DESCENDANT);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_ALL],
                     0); /* neither what the dead one had, nor what the stranger has */
    end(100);            /* main itself */
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 62});
    put_proc((struct proc){.pid = 104, .ppid = 100, .start = 63});
    s = look(t);
    are(&s, 0, 1);
    s = look(t);
    are(&s, 0, 1);
    smi_tree_close(t);
}

/* Among many others it is some samples until the new one is seen, where the directory does not tell. */
static void found_in_turn(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5});
    for (int i = 0; i < 200; i++)
        put_proc((struct proc){.pid = 200 + i, .ppid = 1, .start = 6});
    t = open_at(100, 0);
    s = look(t);
    are(&s, 1, 0);
    put_proc((struct proc){.pid = 333, .ppid = 100, .start = 9});
    for (int i = 0; i < 13; i++)
        s = look(t);
    are(&s, 1, 1);
    smi_tree_close(t);
}

static void false_parents(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 1, .start = 0});
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 50});
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 60});
    put_proc((struct proc){.pid = 90, .ppid = 100, .start = 40}); /* older than its parent */
    put_proc((struct proc){.pid = 80, .ppid = 0, .start = 0});
    t = open_at(100, 0);
    s = look(t);
    are(&s, 1, 1);
    end(101);
    put_proc((struct proc){.pid = 102, .ppid = 101, .start = 70}); /* whose parent has just gone, */
    put_proc((struct proc){.pid = 103, .ppid = 102, .start = 71});
    s = look(t);
    are(&s, 1, 0);
    put_proc((struct proc){.pid = 101, .ppid = 1, .start = 69}); /* or was a stranger */
    s = look(t);
    are(&s, 1, 0);
    put_proc((struct proc){.pid = 102, .ppid = 100, .start = 70}); /* a subreaper: main takes it */
    s = look(t);
    are(&s, 1, 2);
    smi_tree_close(t);
}

/* It has ended behind the listing; whose child its child is now is seen with the next sample, not when its
 * turn comes. */
static void parent_that_just_ended(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5});
    put_proc((struct proc){.pid = 301, .ppid = 100, .start = 6});
    for (int i = 0; i < 100; i++)
        put_proc((struct proc){.pid = 101 + i, .ppid = 1, .start = 6});
    t = open_at(100, 0);
    s = look(t);
    are(&s, 1, 1);
    assert_int_equal(unlink("p/301/stat"), 0);
    put_proc((struct proc){.pid = 302, .ppid = 301, .start = 7});
    put_proc((struct proc){.pid = 300, .ppid = 302, .start = 8});
    s = look(t);
    are(&s, 1, 0);
    put_proc((struct proc){.pid = 302, .ppid = 100, .start = 7});
    s = look(t);
    are(&s, 1, 2);
    smi_tree_close(t);
}

static int monitor;

static bool is_monitor(const void *self, pid_t pid, pid_t session)
{
    (void)self;
    return pid == monitor || session == monitor;
}

static void not_ours(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 50, .ppid = 1, .session = 50, .start = 1});
    put_proc((struct proc){.pid = 100, .ppid = 50, .session = 50, .start = 5});
    put_proc((struct proc){.pid = 110, .ppid = 50, .session = 110, .start = 5, .own = 1000});
    put_proc((struct proc){.pid = 111, .ppid = 110, .session = 110, .start = 6});
    put_proc(
        (struct proc){.pid = 112, .ppid = 50, .session = 110, .start = 6}); /* an orphan of the monitor */
    put_proc((struct proc){.pid = 113, .ppid = 50, .session = 113, .start = 6}); /* one of the tree */
    monitor = 110;
    t = smi_tree_open(&(struct smi_tree_opts){"p", 100, 50, is_monitor, NULL});
    s = look(t);
    are(&s, 1, 1);
    end(110);
    put_proc((struct proc){.pid = 111, .ppid = 50, .session = 110, .start = 6});
    put_proc((struct proc){.pid = 114, .ppid = 50, .session = 110, .start = 7});
    for (int i = 0; i < 3; i++)
        s = look(t);
    are(&s, 1, 1);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_ALL], 0);
    monitor = 120; /* the pid again, now of the tree */
    put_proc((struct proc){.pid = 110, .ppid = 100, .session = 110, .start = 80});
    end(111);
    end(112);
    end(114);
    put_proc((struct proc){.pid = 115, .ppid = 50, .session = 110, .start = 81});
    s = look(t);
    are(&s, 1, 3);
    smi_tree_close(t);
}

/* The name as the driver prints it, of which the process may have changed any part. */
static void names_of_the_driver(void **state)
{
    static const struct {
        const char *cmdline, *name;
        enum smi_tree_name_matches is;
    } rows[] = {{"/usr/bin/python3.11", "/usr/bin/python3.11", SMI_TREE_NAMED_SO},
                {"/usr/bin/python3.11", "python3.11", SMI_TREE_NAMED_SO},
                {"python3.11", "/opt/conda/bin/python3.11", SMI_TREE_NAMED_SO},
                {"/opt/x/a-program-with-a-long-name", "a-program-with-", SMI_TREE_NAMED_SO}, /* pmon */
                {"ray::train_step(1)", "ray::train_step(1)", SMI_TREE_NAMED_SO},
                {"/usr/lib/x --type=gpu /a", "/usr/lib/x --type=gpu /a", SMI_TREE_NAMED_SO},
                {"/usr/lib/x --type=gpu /a", "x", SMI_TREE_NAMED_SO},
                {"/bin/sh", "a (name) of it", SMI_TREE_NAMED_SO}, /* comm */
                {"/bin/sh", "/bin/sleep", SMI_TREE_NAMED_OTHERWISE},
                {"/bin/sh", "s", SMI_TREE_NAMED_OTHERWISE},
                {"", "/bin/sleep", SMI_TREE_NAMED_OTHERWISE},
                {"/bin/sh", "", SMI_TREE_NAME_UNKNOWN}};
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5, .comm = "a (name) of it"});
    t = open_at(100, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put(100, "cmdline", rows[i].cmdline);
        assert_int_equal(smi_tree_name_matches(t, 100, rows[i].name), rows[i].is);
    }
    assert_int_equal(smi_tree_name_matches(t, 101, "x"), SMI_TREE_NAME_UNKNOWN);
    assert_int_equal(symlink("/opt/trainer (deleted)", "p/100/exe"), 0);
    assert_int_equal(smi_tree_name_matches(t, 100, "trainer"), SMI_TREE_NAMED_SO);
    smi_tree_close(t);
}

static void inner_namespaces(void **state)
{
    struct smi_tree *t;
    bool inner;
    (void)state;
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5});
    put(100, "status", "Name:\tx\nNSpid:\t100\nThreads:\t1\n");
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 6});
    put(101, "status", "Name:\tNSpid: 9\nNStgid:\t101\t8\nNSpid:\t101\t17\t100\t103\t6\t7\nThreads:\t1\n");
    put_proc((struct proc){.pid = 103, .ppid = 1, .start = 6});
    t = open_at(100, 0);
    look(t);
    assert_int_equal(whose(t, 17, &inner), DESCENDANT);
    assert_true(inner);
    assert_int_equal(whose(t, 100, &inner), MAIN); /* as we see it */
    assert_false(inner);
    assert_int_equal(whose(t, 103, &inner), DESCENDANT); /* a stranger has it here: the name tells */
    assert_true(inner);
    assert_int_equal(whose(t, 6, &inner), DESCENDANT);
    assert_int_equal(whose(t, 7, &inner), NOT); /* SMI_TREE_INNER are known */
    assert_int_equal(whose(t, 9, &inner), NOT);
    assert_int_equal(whose(t, 0, NULL), NOT);
    assert_int_equal(whose(t, -1, NULL), NOT);
    assert_int_equal(whose(t, INT64_MAX, NULL), NOT);
    put(101, "status", "Name:\tx\nNSpid:\t101\t18\n"); /* read once */
    assert_int_equal(whose(t, 18, NULL), NOT);
    smi_tree_close(t);
}

/* As many links to one directory: nothing but their names tells them apart. */
static void members_at_the_limit(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    char path[64];
    (void)state;
    put_proc((struct proc){.pid = 1, .start = 0});
    put_proc((struct proc){.pid = 2, .ppid = 1, .start = 5});
    put_proc((struct proc){.pid = 3, .ppid = 2, .start = 6});
    for (int i = 4; i <= SMI_TREE_MEMBERS + 1; i++) {
        snprintf(path, sizeof path, "p/%d", i);
        assert_int_equal(symlink("3", path), 0);
    }
    t = open_at(2, 0);
    s = look(t);
    are(&s, 1, SMI_TREE_MEMBERS - 1);
    assert_int_equal(s.beyond, 0);
    snprintf(path, sizeof path, "p/%d", SMI_TREE_MEMBERS + 2);
    assert_int_equal(symlink("3", path), 0);
    s = look(t);
    are(&s, 1, SMI_TREE_MEMBERS - 1);
    assert_int_equal(s.beyond, 1);
    assert_int_equal(unlink("p/9"), 0);
    s = look(t);
    are(&s, 1, SMI_TREE_MEMBERS - 1);
    assert_int_equal(s.beyond, 0);
    assert_int_equal(whose(t, SMI_TREE_MEMBERS + 2, NULL), DESCENDANT);
    smi_tree_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(names, fresh),
        cmocka_unit_test_setup(generations, fresh),
        cmocka_unit_test_setup(pids_used_again, fresh),
        cmocka_unit_test_setup(found_in_turn, fresh),
        cmocka_unit_test_setup(false_parents, fresh),
        cmocka_unit_test_setup(parent_that_just_ended, fresh),
        cmocka_unit_test_setup(not_ours, fresh),
        cmocka_unit_test_setup(names_of_the_driver, fresh),
        cmocka_unit_test_setup(inner_namespaces, fresh),
        cmocka_unit_test_setup(members_at_the_limit, fresh),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
