/* tree: what the values are, with files of /proc: time that nobody waited for, torn lines, shared paths,
 * memory that is carried on, and what may not be read. */
#include "proc_files.h"

#include <math.h>

enum { TICK_US = 10000, PAGE = 4096 };

/* ---- CPU time ---- */

static void cpu_is(const struct smi_tree_sample *s, int64_t main_ticks, int64_t descendants_ticks)
{
    assert_int_equal(s->cpu_us[SMI_TREE_OF_MAIN], main_ticks * TICK_US);
    assert_int_equal(s->cpu_us[SMI_TREE_OF_DESCENDANTS], descendants_ticks * TICK_US);
    assert_int_equal(s->cpu_us[SMI_TREE_OF_ALL], (main_ticks + descendants_ticks) * TICK_US);
}

static void pct_is(const struct smi_tree_sample *s, enum smi_tree_part part, int64_t micro)
{
    assert_true(s->of[part].has_cpu);
    assert_int_equal(llround(s->of[part].cpu_pct * 1e6), micro);
}

/* Attached: it begins with the first sample; children that were waited for are in their parent's times. */
static void time_of_an_interval(void **state)
{
    struct proc main = {.pid = 100, .ppid = 1, .start = 5, .own = 1000, .children = 500};
    struct proc child = {.pid = 101, .ppid = 100, .start = 6, .own = 30};
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc(main);
    put_proc(child);
    t = open_at(100, 0);
    s = look(t);
    cpu_is(&s, 0, 0);
    for (int part = 0; part < SMI_TREE_PARTS; part++)
        assert_false(s.of[part].has_cpu);
    main.own += 20;
    main.children += 7; /* of one that no sample saw */
    child.own += 50;
    put_proc(main);
    put_proc(child);
    s = look(t);
    cpu_is(&s, 20, 57);
    pct_is(&s, SMI_TREE_OF_MAIN, 20000000);
    pct_is(&s, SMI_TREE_OF_DESCENDANTS, 57000000);
    pct_is(&s, SMI_TREE_OF_ALL, 77000000);
    now += 1000000;
    s = look(t); /* two seconds, in which nothing happened */
    cpu_is(&s, 20, 57);
    pct_is(&s, SMI_TREE_OF_ALL, 0);
    end(101); /* waited for: 30 + 50 and a last 5 */
    main.children += 85;
    put_proc(main);
    s = look(t);
    cpu_is(&s, 20, 62);
    main.own -= 3; /* as it may not be: it counts 0 */
    put_proc(main);
    s = look(t);
    cpu_is(&s, 20, 62);
    smi_tree_close(t);
}

/* What was last seen of them stays: of a child whose parent ignores SIGCHLD, and of one that init has waited
 * for. */
static void time_that_nobody_has(void **state)
{
    struct proc main = {.pid = 100, .ppid = 1, .start = 5};
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc(main);
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 6, .own = 40});
    put_proc((struct proc){.pid = 102, .ppid = 101, .start = 7, .own = 30, .children = 4});
    put_proc((struct proc){.pid = 103, .ppid = 102, .start = 8, .own = 9});
    t = open_at(100, 0);
    s = look(t);
    end(101);
    end(102);
    end(103);
    main.children = 50; /* 101, with half of what was its */
    put_proc(main);
    s = look(t);
    cpu_is(&s, 0, 0); /* 83 ticks have gone, 50 came to main, 33 were lost: no more than there were */
    main.children = 60;
    put_proc(main);
    s = look(t);
    cpu_is(&s, 0, 10);
    put_proc((struct proc){.pid = 104, .ppid = 100, .start = 9, .own = 20});
    s = look(t);
    cpu_is(&s, 0, 30);
    end(100); /* and main itself, which a shell has waited for */
    put_proc((struct proc){.pid = 104, .ppid = 1, .start = 9, .own = 21});
    s = look(t);
    cpu_is(&s, 0, 31);
    end(104);
    s = look(t);
    cpu_is(&s, 0, 31);
    assert_false(s.of[SMI_TREE_OF_ALL].has_ram);
    s = look(t);
    assert_false(s.of[SMI_TREE_OF_ALL].has_cpu);
    smi_tree_close(t);
}

/* With a reaper, which knows what wait4 says, to the microsecond; it counts from the start of main. */
static void time_that_is_told(void **state)
{
    struct proc main = {.pid = 100, .ppid = 50, .start = 5, .own = 3};
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc(main);
    t = open_at(100, 50);
    s = look(t);
    cpu_is(&s, 3, 0);
    put_proc((struct proc){.pid = 101, .ppid = 50, .start = 6, .own = 10}); /* an orphan, with a child */
    put_proc((struct proc){.pid = 102, .ppid = 101, .start = 7, .own = 20});
    s = look(t);
    cpu_is(&s, 3, 30);
    end(101);
    end(102); /* for which 101 has waited */
    smi_tree_reaped(t, 101, 31 * TICK_US + 77);
    smi_tree_reaped(t, 7777, 1000); /* an orphan that no sample saw */
    s = look(t);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_DESCENDANTS], 31 * TICK_US + 1077);
    put_proc((struct proc){.pid = 103, .ppid = 50, .start = 8, .own = 10});
    put_proc((struct proc){.pid = 104, .ppid = 103, .start = 9, .own = 20});
    s = look(t);
    end(103);
    end(104); /* for which it has not */
    smi_tree_reaped(t, 103, 10 * TICK_US);
    s = look(t);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_DESCENDANTS], 61 * TICK_US + 1077);
    main.state = 'Z';
    main.own = 8;
    main.children = 2;
    put_proc(main);
    s = look(t);
    assert_false(s.main_alive);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_MAIN], 8 * TICK_US);
    assert_true(s.of[SMI_TREE_OF_MAIN].has_cpu);
    s = look(t);
    assert_false(s.of[SMI_TREE_OF_MAIN].has_cpu); /* a zombie does nothing */
    end(100);
    smi_tree_reaped(t, 100, 10 * TICK_US + 500);
    smi_tree_reaped(t, 100, 10 * TICK_US); /* said twice: another one, as far as we know */
    s = look(t);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_MAIN], 8 * TICK_US);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_DESCENDANTS], 73 * TICK_US + 1577);
    assert_int_equal(s.of[SMI_TREE_OF_ALL].processes, 0);
    smi_tree_close(t);
}

/* One that never had children: all that is told is its own. */
static void time_of_one_alone(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 100, .ppid = 50, .start = 5, .own = 3});
    t = open_at(100, 50);
    look(t);
    end(100);
    smi_tree_reaped(t, 100, 123456);
    s = look(t);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_MAIN], 123456);
    assert_int_equal(s.cpu_us[SMI_TREE_OF_DESCENDANTS], 0);
    pct_is(&s, SMI_TREE_OF_MAIN, 9345600);
    smi_tree_close(t);
}

static void leader_that_ended(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc(
        (struct proc){.pid = 100, .ppid = 1, .start = 5, .state = 'Z', .threads = 3}); /* the others go on */
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 5, .state = 'Z', .threads = 1});
    t = open_at(100, 0);
    s = look(t);
    are(&s, 1, 0);
    assert_true(s.main_alive);
    assert_int_equal(s.of[SMI_TREE_OF_ALL].threads, 3);
    smi_tree_close(t);
}

/* ---- odd files ---- */

static void torn_lines(void **state)
{
    static const char *const torn[] = {
        "",
        "\n",
        "100",
        "100 (a",
        "100 (a)\n",
        "100 (a) S 1 100 100 0\n",
        "100 (a) S 1 100 100 34816 -1 0 0 0 0 0 9",
        "100 (a) S 1 100 100 0 -1 0 0 0 0 0 99999999999999999999 0 0 0 20 0 1 0 5 0 0 0 0 0 0\n",
        "100 (a) S 1 100 100 0 -1 0 0 0 0 0 -1 0 0 0 20 0 1 0 5 0 0 0 0 0 0\n",
        "100 (a) S x 100 100 0 -1 0 0 0 0 0 1 0 0 0 20 0 1 0 5 0 0 0 0 0 0\n",
        "100 (a) S 99999999999 100 100 0 -1 0 0 0 0 0 1 0 0 0 20 0 1 0 5 0 0 0 0 0 0\n",
        "100 (a) SS 1 100 100 0 -1 0 0 0 0 0 1 0 0 0 20 0 1 0 5 0 0 0 0 0 0\n"};
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5, .own = 7});
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 5});
    t = open_at(100, 50);
    for (size_t i = 0; i < sizeof torn / sizeof *torn; i++) {
        put(100, "stat", torn[i]);
        put(300 + (int)i, "stat", torn[i]);
        s = look(t);
        are(&s, 1, 1); /* what was last known of it */
        cpu_is(&s, 7, 0);
    }
    put(101, "stat", "");
    assert_int_equal(system("rm p/101/stat"), 0);
    s = look(t);
    are(&s, 1, 0);
    /* a kernel of long ago says no more than this */
    put(100, "stat", "100 (a) S 1 100 100 0 -1 0 0 0 0 0 9 0 0 0 20 0 1 0 5 0 0 0 0 0\n");
    s = look(t);
    cpu_is(&s, 9, 0);
    smi_tree_close(t);
}

/* One that could not be read is looked at again with the next sample, not when its turn comes. */
static void torn_when_new(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5});
    put(333, "stat", "333 (a");
    for (int i = 0; i < 200; i++)
        put_proc((struct proc){.pid = 400 + i, .ppid = 1, .start = 6});
    t = open_at(100, 0);
    s = look(t);
    are(&s, 1, 0);
    put_proc((struct proc){.pid = 333, .ppid = 100, .start = 9});
    s = look(t);
    are(&s, 1, 1);
    smi_tree_close(t);
}

static void absent(void **state)
{
    struct smi_tree_opts o = {.proc = "p/nowhere", .main = 100};
    struct smi_tree *t = smi_tree_open(&o);
    struct smi_tree_process p;
    size_t at = 0;
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct smi_tree_sample s = look(t);
        are(&s, 0, 0);
        for (int part = 0; part < SMI_TREE_PARTS; part++)
            assert_false(s.of[part].has_ram || s.of[part].has_cpu);
        assert_false(s.main_alive);
        if (i == 1) { /* now there is /proc, but main is hidden; then somebody has its pid */
            smi_tree_close(t);
            put_proc((struct proc){.pid = 200, .ppid = 1, .start = 5});
            t = open_at(100, 0);
        } else if (i == 2) {
            put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5});
        }
    }
    assert_false(smi_tree_next(t, &at, &p));
    smi_tree_close(t);
}

/* ---- memory ---- */

#define MAPPING(range, path) \
    range " r-xp 00002000 fe:00 247134                     " path "\nSize:    999 kB\n"
#define SHARED(clean, dirty) "Rss: 1 kB\nShared_Clean:  " #clean " kB\nShared_Dirty: " #dirty " kB\n"
#define PRIVATE(clean, dirty) \
    "Private_Clean:  " #clean " kB\nPrivate_Dirty: " #dirty " kB\nVmFlags: rd ex mr\n"

static void ram_is(const struct smi_tree_sample *s, enum smi_tree_part part, int64_t private_kb,
                   int64_t shared_kb)
{
    assert_true(s->of[part].has_ram);
    assert_int_equal(s->of[part].ram.private_, private_kb * 1024);
    assert_int_equal(s->of[part].ram.shared, shared_kb * 1024);
    assert_int_equal(s->of[part].ram.total, (private_kb + shared_kb) * 1024);
}

static void put_two(void)
{
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5, .rss = 100});
    put_statm(100, 100, 20);
    put(100, "smaps",
        MAPPING("10-20", "/lib/a b.so") SHARED(10, 0) PRIVATE(1, 2) MAPPING("20-30", "/lib/a b.so")
            SHARED(30, 0) PRIVATE(4, 0) /* the larger of the two counts */
        MAPPING("30-40", "") SHARED(0, 7) PRIVATE(0, 100) "50-60 rw-p 00000000 00:00 0 \n" SHARED(0, 5)
            PRIVATE(0, 0) MAPPING("60-70", "/dev/shm/x (deleted)") SHARED(0, 400)
                PRIVATE(0, 0) "70-80 rw-p 00000000 00:00 0  [heap]\n" SHARED(0, 0)
                    PRIVATE(0, 60) "Private_Hugetlb:     2048 kB\nShared_Hugetlb:   1024 kB\n");
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 6, .rss = 200, .stack = "140720000001000"});
    put_statm(101, 200, 20);
    put(101, "smaps",
        MAPPING("10-20", "/lib/a b.so") SHARED(20, 0) PRIVATE(0, 8) MAPPING("30-40", "/dev/shm/x")
            SHARED(0, 500) PRIVATE(0, 16) MAPPING("40-50", "[anon]") SHARED(2, 6)
                PRIVATE(0, 0)); /* no path is that path */
}

static void shared_paths(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_two();
    t = open_at(100, 0);
    s = look(t);
    ram_is(&s, SMI_TREE_OF_MAIN, 167 + 2048, 30 + 7 + 400 + 1024);
    ram_is(&s, SMI_TREE_OF_DESCENDANTS, 24, 20 + 500 + 8);
    ram_is(&s, SMI_TREE_OF_ALL, 191 + 2048, 30 + 500 + 8 + 1024);
    assert_int_equal(s.estimated, 0);
    end(101);
    s = look(t);
    ram_is(&s, SMI_TREE_OF_ALL, 167 + 2048, 30 + 7 + 400 + 1024);
    ram_is(&s, SMI_TREE_OF_DESCENDANTS, 0, 0); /* there are none */
    put(100, "smaps", MAPPING("10-20", "/x") SHARED(99999999999999999999, 1) PRIVATE(, 3) "Private_Clean: 5");
    for (int i = 0; i < 50; i++)
        s = look(t);
    ram_is(&s, SMI_TREE_OF_MAIN, 3, 1);
    smi_tree_close(t);
}

static void put_101(int pages, int shared)
{
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 6, .rss = pages, .stack = "140720000001000"});
    put_statm(101, pages, shared);
}

/* Readings end when the time for them is used up: no time passes here, so that none comes in. 101 has 300
 * pages, or so many more, in turn. Returns how many it had when it was last read. */
static int use_up(struct smi_tree *t, int more, struct smi_tree_sample *s)
{
    int i = 0;
    do {
        put_101(300 + i++ % 2 * more, 30);
        smi_tree_read(t, now, s);
    } while (i < 1000000 && !s->estimated);
    assert_int_equal(s->estimated, 1);
    return 300 + i % 2 * more;
}

static void carried_on(void **state)
{
    struct smi_tree_sample s = {.estimated = 0};
    struct smi_tree *t;
    int pages;
    (void)state;
    put_two();
    t = open_at(100, 0);
    look(t);
    put(101, "smaps", MAPPING("10-20", "/lib/b") SHARED(20, 0) PRIVATE(0, 800));
    pages = use_up(t, 300, &s);
    put_101(pages + 50, 40);
    put(101, "smaps", "");
    smi_tree_read(t, now, &s);
    assert_int_equal(s.estimated, 1);
    assert_int_equal(s.of[SMI_TREE_OF_DESCENDANTS].ram.private_, 800 * 1024 + 40 * PAGE);
    assert_int_equal(s.of[SMI_TREE_OF_DESCENDANTS].ram.shared, 20 * 1024 + 10 * PAGE);
    put_101(2, 1);
    smi_tree_read(t, now, &s);
    ram_is(&s, SMI_TREE_OF_DESCENDANTS, 0, 0); /* not below */
    /* one that was never read: what is its own as statm has it, or what a fork has more than its parent */
    put_proc((struct proc){.pid = 102, .ppid = 100, .start = 7, .rss = 1000});
    put_statm(102, 1000, 50);
    put_proc((struct proc){.pid = 103, .ppid = 101, .start = 7, .rss = 77});
    put_statm(103, 77, 7);
    smi_tree_read(t, now, &s);
    assert_int_equal(s.estimated, 3);
    /* what 102 has of main is shared: of the descendants, and in all it is main's 100 KiB of [anon] already
     */
    ram_is(&s, SMI_TREE_OF_DESCENDANTS, (1000 - 50 - 80) * 4 + 70 * 4, 80 * 4);
    smi_tree_close(t);
}

/* What one shares more since it was read, another one may have been read with. */
static void carried_on_and_known(void **state)
{
    struct smi_tree_sample s = {.estimated = 0};
    struct smi_tree *t;
    (void)state;
    put_two();
    put(101, "smaps", MAPPING("10-20", "/lib/b") SHARED(20, 0) PRIVATE(0, 800));
    put_proc((struct proc){.pid = 102, .ppid = 100, .start = 7, .rss = 200, .stack = "140720000002000"});
    put_statm(102, 200, 130);
    put(102, "smaps", MAPPING("30-40", "/dev/shm/y") SHARED(0, 500) PRIVATE(0, 16));
    t = open_at(100, 0);
    s = look(t);
    assert_int_equal(s.of[SMI_TREE_OF_DESCENDANTS].ram.shared, 520 * 1024);
    use_up(t, 300, &s);
    put_101(425, 30 + 125);
    smi_tree_read(t, now, &s);
    assert_int_equal(s.of[SMI_TREE_OF_DESCENDANTS].ram.shared,
                     520 * 1024); /* it may be y, of which as much is known */
    put_101(426, 30 + 126);
    smi_tree_read(t, now, &s);
    assert_int_equal(s.of[SMI_TREE_OF_DESCENDANTS].ram.shared, 520 * 1024 + PAGE); /* and no more than that */
    smi_tree_close(t);
}

/* What was read before says little of one that has changed much: it is read though the time is used up. */
static void changed_much(void **state)
{
    struct smi_tree_sample s = {.estimated = 0};
    struct smi_tree *t;
    (void)state;
    put_two();
    t = open_at(100, 0);
    look(t);
    put(101, "smaps", MAPPING("10-20", "/lib/b") SHARED(20, 0) PRIVATE(0, 800));
    use_up(t, 1, &s);
    put(101, "smaps",
        MAPPING("10-20", "/lib/b") SHARED(820, 0) PRIVATE(0, 1600)); /* shared now, and more of its own */
    put_101(700, 30);
    smi_tree_read(t, now, &s);
    assert_int_equal(s.estimated, 0);
    ram_is(&s, SMI_TREE_OF_DESCENDANTS, 1600, 820);
    put_101(701, 30);
    smi_tree_read(t, now, &s);
    assert_int_equal(s.estimated, 1);
    smi_tree_close(t);
}

/* What a fork writes of its parent's pages is its own from then on: statm does not change, faults do. */
static void forks_that_write(void **state)
{
    const char *const smaps = MAPPING("10-20", "") SHARED(0, 10240) PRIVATE(0, 0);
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    for (int pid = 100; pid < 102; pid++) {
        put_proc((struct proc){.pid = pid, .ppid = pid == 100 ? 1 : 100, .start = pid, .rss = 5});
        put_statm(pid, 2600, 40);
        put(pid, "smaps", smaps);
    }
    t = open_at(100, 0);
    s = look(t);
    ram_is(&s, SMI_TREE_OF_ALL, 0, 10240);
    assert_int_equal(s.unread, 0);
    assert_int_equal(remove("p/101/smaps"), 0); /* no time for it */
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 101, .rss = 2005});
    s = look(t);
    ram_is(&s, SMI_TREE_OF_ALL, 0, 10240);
    assert_int_equal(s.unread, 2000 * PAGE); /* so many faults since, and no more than it had shared: */
    put_proc((struct proc){.pid = 101, .ppid = 100, .start = 101, .rss = 9005});
    s = look(t);
    assert_int_equal(s.unread, 2560 * PAGE);
    put(101, "smaps_rollup", MAPPING("10-20", "[rollup]") SHARED(0, 1240) PRIVATE(0, 9000));
    s = look(t);
    ram_is(&s, SMI_TREE_OF_ALL, 9000, 10240);
    assert_int_equal(s.unread, 0);
    smi_tree_close(t);
}

static void put_private(int kb)
{
    char text[200];
    snprintf(text, sizeof text, MAPPING("10-20", "/x") "Private_Dirty: %d kB\n", kb);
    put(100, "smaps", text);
}

/* What is not asked for ends before its time does: then one that nothing has changed is read when a child
 * comes or goes, for what was private is shared now, or the other way. */
static void children_come_and_go(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    int kb = 0;
    (void)state;
    put_two();
    t = open_at(100, 0);
    s = look(t);
    do {
        assert_true(++kb < 1000000);
        put_private(kb);
        smi_tree_read(t, now, &s);
    } while (s.of[SMI_TREE_OF_MAIN].ram.private_ == kb * 1024);
    put_proc((struct proc){.pid = 102, .ppid = 100, .start = 7});
    smi_tree_read(t, now, &s);
    ram_is(&s, SMI_TREE_OF_MAIN, kb, 0);
    put_private(kb + 5);
    smi_tree_read(t, now, &s);
    ram_is(&s, SMI_TREE_OF_MAIN, kb, 0);
    end(102);
    smi_tree_read(t, now, &s);
    ram_is(&s, SMI_TREE_OF_MAIN, kb + 5, 0);
    smi_tree_close(t);
}

/* As many links to one process that has used all time and memory that a line can tell: nothing overflows. */
static void too_much(void **state)
{
    const int64_t ticks = 5000000000000;
    struct smi_tree_sample s;
    struct smi_tree *t;
    char path[32];
    (void)state;
    put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5});
    put_proc((struct proc){
        .pid = 101, .ppid = 100, .start = 6, .own = ticks, .children = ticks, .rss = INT64_MAX});
    put(101, "statm", "1 1099511627776 0 0 0 0 0\n");
    for (int i = 102; i < 600; i++) {
        snprintf(path, sizeof path, "p/%d", i);
        assert_int_equal(symlink("101", path), 0);
    }
    put(100, "smaps",
        MAPPING("10-20", "/x") SHARED(1099511627775, 1099511627775) PRIVATE(1099511627775, 0)
            MAPPING("20-30", "/y") SHARED(1099511627775, 1099511627775) PRIVATE(1099511627775, 0));
    t = open_at(100, 50);
    for (int i = 0; i < 3; i++)
        s = look(t);
    are(&s, 1, 499);
    assert_true(s.of[SMI_TREE_OF_ALL].ram.private_ >= s.of[SMI_TREE_OF_MAIN].ram.private_);
    assert_true(s.of[SMI_TREE_OF_MAIN].ram.shared > 0 && s.of[SMI_TREE_OF_MAIN].ram.private_ > 0);
    assert_true(s.cpu_us[SMI_TREE_OF_ALL] > 10 * ticks);
    smi_tree_reaped(t, 101, INT64_MAX);
    smi_tree_reaped(t, 7777, INT64_MAX);
    smi_tree_reaped(t, 7778, -5);
    assert_int_equal(system("rm -r p/101"), 0);
    s = look(t);
    are(&s, 1, 0);
    assert_true(s.cpu_us[SMI_TREE_OF_ALL] > 10 * ticks);
    smi_tree_close(t);
}

/* Without the right to read it there is no number, not even that of statm. */
static void denied(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_two();
    assert_int_equal(chmod(home, 0755) || chmod("p", 0755) || chmod("p/100/smaps", 0), 0);
    if (geteuid() == 0)
        assert_int_equal(seteuid(65534), 0);
    t = open_at(100, 0);
    s = look(t);
    assert_int_equal(s.denied, 1);
    assert_false(s.of[SMI_TREE_OF_MAIN].has_ram);
    ram_is(&s, SMI_TREE_OF_DESCENDANTS, 24, 528);
    ram_is(&s, SMI_TREE_OF_ALL, 24, 528);
    assert_true(s.main_alive);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod("p/100/smaps", 0644), 0); /* it may be read again: found in turn */
    s = look(t);
    assert_int_equal(s.denied, 0);
    ram_is(&s, SMI_TREE_OF_MAIN, 2215, 1461);
    smi_tree_close(t);
}

/* A kernel thread has none, which is not 0. */
static void kernel_thread(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    (void)state;
    put_proc((struct proc){.pid = 2, .ppid = 0, .start = 0, .comm = "kthreadd", .stack = "0"});
    put_statm(2, 0, 0);
    put(2, "smaps", "");
    t = open_at(2, 0);
    s = look(t);
    are(&s, 1, 0);
    assert_false(s.of[SMI_TREE_OF_MAIN].has_ram);
    assert_false(s.of[SMI_TREE_OF_ALL].has_ram);
    smi_tree_close(t);
}

/* At the limit each path counts for itself; beyond it all others are as one. */
static void paths_at_the_limit(void **state)
{
    struct smi_tree_sample s;
    struct smi_tree *t;
    FILE *f;
    (void)state;
    for (int more = 0; more < 4; more++) {
        put_proc((struct proc){.pid = 100, .ppid = 1, .start = 5, .rss = 100});
        put_statm(100, 100, 20);
        f = fopen("p/100/smaps", "w");
        assert_non_null(f);
        for (int i = 0; i < SMI_TREE_PATHS + more; i++)
            fprintf(f, "%x-%x rw-p 0 00:00 7 /path/%d\nShared_Dirty: 4 kB\nPrivate_Dirty: 1 kB\n", i, i + 1,
                    i);
        assert_int_equal(fclose(f), 0);
        t = open_at(100, 0);
        s = look(t);
        ram_is(&s, SMI_TREE_OF_MAIN, SMI_TREE_PATHS + more, 4 * (SMI_TREE_PATHS + (more > 0)));
        smi_tree_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(time_of_an_interval, fresh),
        cmocka_unit_test_setup(time_that_nobody_has, fresh),
        cmocka_unit_test_setup(time_that_is_told, fresh),
        cmocka_unit_test_setup(time_of_one_alone, fresh),
        cmocka_unit_test_setup(leader_that_ended, fresh),
        cmocka_unit_test_setup(torn_lines, fresh),
        cmocka_unit_test_setup(torn_when_new, fresh),
        cmocka_unit_test_setup(absent, fresh),
        cmocka_unit_test_setup(shared_paths, fresh),
        cmocka_unit_test_setup(carried_on, fresh),
        cmocka_unit_test_setup(carried_on_and_known, fresh),
        cmocka_unit_test_setup(changed_much, fresh),
        cmocka_unit_test_setup(forks_that_write, fresh),
        cmocka_unit_test_setup(children_come_and_go, fresh),
        cmocka_unit_test_setup(too_much, fresh),
        cmocka_unit_test_setup(denied, fresh),
        cmocka_unit_test_setup(kernel_thread, fresh),
        cmocka_unit_test_setup(paths_at_the_limit, fresh),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
