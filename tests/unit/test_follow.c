/* tail: every line of a log that grows, is rotated, truncated, deleted and comes back is handed on once, and
 * what is lost is said. A writer, a process of its own, writes numbered rows and rotates them in all ways
 * that are known. SMILOG_TAIL=20: so many repetitions (make test-long); else 2. */
#include "base/clock.h"
#include "base/text.h"
#include "live/follow.h"
#include "loops.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS = 20000, EVENTS = 64 };

static char home[] = "/tmp/smilog-test-tail-XXXXXX";

/* ---- the follower: what it was given ---- */

struct got {
    int row[ROWS];           /* how often each one came */
    int rows, heads, others; /* lines: numbered ones, "t,v", and those that are neither */
    int last, disorder;      /* the number before; numbers that came after a greater one */
    int ended;               /* pieces that did not end with a newline */
    int n[16];               /* events by kind */
    int lost;                /* events that say so */
    char text[EVENTS][300];
    int texts;
    int refuse; /* so many calls are not taken */
    bool loud;
    void (*on_truncated)(void); /* called once */
};

static void line_came(struct got *g, const char *p, size_t n)
{
    int at = 0;
    if (n > 0 && p[n - 1] == '\r')
        n--;
    if (n == 3 && !memcmp(p, "t,v", 3)) {
        g->heads++;
        return;
    }
    for (size_t i = 0; i < n && i < 6; i++)
        at = p[i] >= '0' && p[i] <= '9' ? at * 10 + p[i] - '0' : ROWS;
    if (n != 22 || at >= ROWS || memcmp(p + 6, ",0123456789abcde", 16) != 0) {
        if (g->loud)
            print_error("other line: %.*s\n", (int)n, p);
        g->others++;
        return;
    }
    g->row[at]++;
    g->rows++;
    g->disorder += at < g->last;
    g->last = at;
}

static int bytes(void *self, int file, const char *p, size_t n)
{
    struct got *g = self;
    (void)file;
    if (g->refuse > 0) {
        g->refuse--;
        return 1;
    }
    for (const char *e, *end = p + n; p < end; p = e + 1) {
        e = memchr(p, '\n', (size_t)(end - p));
        g->ended += !e;
        line_came(g, p, (size_t)((e ? e : end) - p));
        if (!e)
            break;
    }
    return 0;
}

static void event(void *self, const struct smi_follow_event *e)
{
    static const char *const kinds[] = {"found", "rotated", "truncated", "missed", "gone",
                                        "back",  "refused", "packed",    "passed", "end"};
    struct got *g = self;
    g->n[e->what]++;
    g->lost += e->lost;
    if (g->texts < EVENTS)
        snprintf(g->text[g->texts++], sizeof *g->text, "%s %d %s", kinds[e->what], e->file, e->text);
    if (e->what == SMI_FOLLOW_TRUNCATED && g->on_truncated) {
        void (*rotate)(void) = g->on_truncated;
        g->on_truncated = NULL;
        rotate();
    }
}

static struct smi_follow_position left;

static bool resume(void *self, const char *path, struct smi_follow_position *at)
{
    (void)self, (void)path;
    *at = left;
    return left.id.ino != 0;
}

static const struct smi_follow_times quick = {.look = 40, .gather = 2, .gone = 100, .hole = 100, .scan = 40};

static struct smi_follow *start(struct got *g, const char *path, bool notify)
{
    struct smi_err err = {0};
    const struct smi_follow_opts o = {{g, bytes, event}, &quick, !notify, resume, NULL};
    struct smi_follow *t = smi_follow_new(&o);
    assert_non_null(t);
    if (path)
        assert_int_equal(smi_follow_add(t, path, &err), 0);
    return t;
}

static void go(struct smi_follow *t, int most_ms)
{
    struct smi_loop l = {.sources = 0};
    smi_loop_add(&l, smi_follow_source(t));
    assert_int_equal(loops_turn(&l, most_ms), 0);
}

static void go_for(struct smi_follow *t, int ms)
{
    for (int64_t end = smi_clock_now_ms() + ms; smi_clock_now_ms() < end;)
        go(t, 10);
}

/* ---- the writer ---- */

struct shared {
    int written;       /* rows so far */
    char window[ROWS]; /* those between the end of a copy and the truncation */
    int seen;          /* rows that the follower has, if the writer asks */
};
static struct shared *shared;

struct writer {
    int fd;
    int flags; /* of open */
    bool head; /* each file begins with the same line */
    int pause_us;
};

static void w_open(struct writer *w, const char *path)
{
    if (w->fd >= 0)
        close(w->fd);
    w->fd = open(path, O_WRONLY | O_CREAT | w->flags, 0644);
    if (w->fd < 0)
        _exit(9);
    if (w->head && write(w->fd, "t,v\n", 4) != 4)
        _exit(9);
}

static void w_row(struct writer *w)
{
    char line[32];
    int n = snprintf(line, sizeof line, "%06d,0123456789abcde\n", shared->written);
    if (shared->written < ROWS && write(w->fd, line, (size_t)n) != n)
        _exit(9);
    shared->written++;
    if (w->pause_us)
        usleep((useconds_t)w->pause_us);
}

static void w_rows(struct writer *w, int n)
{
    while (n-- > 0)
        w_row(w);
}

static void must(int rc)
{
    if (rc)
        _exit(9);
}

static void shift(const char *path, int most) /* path.2 -> path.3, path.1 -> path.2 */
{
    char a[100], b[100];
    for (int i = most; i >= 1; i--) {
        snprintf(a, sizeof a, "%s.%d", path, i);
        snprintf(b, sizeof b, "%s.%d", path, i + 1);
        if (rename(a, b) && errno != ENOENT)
            _exit(9);
    }
}

static void copy(const char *from, const char *to)
{
    char piece[4096];
    ssize_t n;
    int a = open(from, O_RDONLY), b = open(to, O_WRONLY | O_CREAT | O_EXCL, 0644);
    while ((n = read(a, piece, sizeof piece)) > 0)
        if (write(b, piece, (size_t)n) != n)
            _exit(9);
    must(a < 0 || b < 0);
    close(a);
    close(b);
}

static void r_rename(struct writer *w)
{
    shift("log", 8);
    must(rename("log", "log.1"));
    w_open(w, "log");
}

static void
r_rename_late(struct writer *w) /* it goes on in the old one, and there is no new one for a while */
{
    shift("log", 8);
    must(rename("log", "log.1"));
    w_rows(w, 40);
    w_open(w, "log");
}

static void
r_create_early(struct writer *w) /* logrotate's create: the new one is empty, and the old one grows */
{
    shift("log", 8);
    must(rename("log", "log.1"));
    int fd = open("log", O_WRONLY | O_CREAT | O_EXCL, 0600);
    must(fd < 0);
    close(fd);
    w_rows(w, 40);
    w_open(w, "log");
}

static void r_twice(struct writer *w) /* faster than anybody looks */
{
    for (int i = 0; i < 3; i++) {
        r_rename(w);
        int pause = w->pause_us;
        w->pause_us = 0;
        w_rows(w, 10);
        usleep(8000); /* births are told in ticks of 4 ms */
        w->pause_us = pause;
    }
}

static void r_date(struct writer *w)
{
    char name[64];
    static int day = 1;
    snprintf(name, sizeof name, "log-202601%02d", day++);
    must(rename("log", name));
    w_open(w, "log");
}

static void r_gz(struct writer *w)
{
    r_rename(w);
    while (shared->seen < shared->written) /* delaycompress: nobody packs what is still written or read */
        usleep(1000);
    must(system("gzip -f log.1 && mv log.1.gz log.9.gz") != 0);
}

static void r_copy(struct writer *w) /* copytruncate, and rows between the two */
{
    shift("log", 8);
    copy("log", "log.1");
    int from = shared->written;
    w_rows(w, 5);
    memset(shared->window + from, 1, 5);
    must(truncate("log", 0));
}

static void r_truncate(struct writer *w)
{
    (void)w;
    while (shared->seen < shared->written) /* the follower has all of it: nothing may be lost */
        usleep(1000);
    must(truncate("log", 0));
}

static void
r_delete(struct writer *w) /* what it has not read of a deleted file is there as long as it is open */
{
    while (shared->seen < shared->written - 20) /* else nobody ever saw it */
        usleep(500);
    w_rows(w, 20);
    must(unlink("log"));
    w_open(w, "log");
}

static void r_away_and_back(struct writer *w)
{
    must(rename("log", "elsewhere"));
    w_rows(w, 20);
    must(rename("elsewhere", "log"));
}

static void r_rsync(struct writer *w) /* a longer copy takes the place */
{
    copy("log", "copy");
    must(rename("copy", "log"));
    w->head = false;
    w_open(w, "log");
}

static const struct rotation {
    const char *name;
    void (*rotate)(struct writer *w);
    int flags;
    bool head, window;
} rotations[] = {
    {"rename, create", r_rename, O_APPEND, false, false},
    {"rename, the old one grows, create", r_rename_late, O_APPEND, false, false},
    {"rename, create, the old one grows", r_create_early, O_APPEND, false, false},
    {"three times between two looks", r_twice, O_APPEND, false, false},
    {"names with dates", r_date, O_APPEND, false, false},
    {"the old one is packed", r_gz, O_APPEND, false, false},
    {"every file begins with the same line", r_rename, O_APPEND, true, false},
    {"copy, truncate", r_copy, O_APPEND, false, true},
    {"copy, truncate, a writer that does not append", r_copy, 0, false, true},
    {"truncate", r_truncate, O_APPEND, false, false},
    {"delete, create", r_delete, O_APPEND, false, false},
    {"away and back", r_away_and_back, O_APPEND, false, false},
    {"replaced by a longer copy", r_rsync, O_APPEND, true, false},
};

static int repetitions(void)
{
    const char *n = getenv("SMILOG_TAIL");
    return n && atoi(n) > 0 ? atoi(n) : 2;
}

static int times_of(const struct rotation *r)
{
    return r->rotate == r_twice ? 2 : 4;
}

static pid_t start_writer(const struct rotation *r, int pause_us)
{
    memset(shared, 0, sizeof *shared);
    pid_t pid = fork();
    if (pid)
        return pid;
    struct writer w = {-1, r->flags, r->head, pause_us};
    alarm(60);
    w_open(&w, "log");
    while (!shared->seen) { /* what was rotated before anybody followed it is nobody's */
        w_row(&w);
        usleep(2000);
    }
    for (int i = 0; i < times_of(r); i++) {
        r->rotate(&w);
        w_rows(&w, 50 + 7 * i);
    }
    _exit(0);
}

static int only_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type;
    return at->level ? remove(path) : 0;
}

static void clean(void)
{
    nftw(".", only_file, 16, FTW_DEPTH | FTW_PHYS);
}

static void report(const struct got *g, const char *name)
{
    for (int i = 0; i < shared->written && i < ROWS; i++)
        if (g->row[i] != 1)
            print_error("%s: row %d of %d came %d times%s\n", name, i, shared->written, g->row[i],
                        shared->window[i] ? " (window)" : "");
    for (int i = 0; i < g->texts; i++)
        print_error("  %s\n", g->text[i]);
}

static void judge(const struct got *g, const struct rotation *r)
{
    int bad = 0, lost = 0;
    for (int i = 0; i < shared->written; i++) {
        lost += !g->row[i];
        bad += g->row[i] > 1 || (!g->row[i] && !shared->window[i]);
    }
    if (bad || g->others || g->disorder || (lost && !g->lost))
        report(g, r->name);
    assert_int_equal(bad, 0);
    assert_int_equal(g->others, 0);
    assert_int_equal(g->disorder, 0);
    assert_true(!lost || g->lost);
    if (!r->window && r->rotate != r_truncate) {
        if (g->lost)
            report(g, r->name);
        assert_int_equal(g->lost, 0);
    }
}

static void rotate_once(const struct rotation *r, bool notify, int pause_us)
{
    struct got *g = calloc(1, sizeof *g);
    int status;
    clean();
    memset(&left, 0, sizeof left);
    pid_t pid = start_writer(r, pause_us);
    struct smi_follow *t = start(g, "log", notify);
    do {
        go(t, 5);
        shared->seen = g->rows;
    } while (!waitpid(pid, &status, WNOHANG));
    assert_int_equal(status, 0);
    go_for(t, 300);
    judge(g, r);
    smi_follow_free(t);
    free(g);
}

static void rotated_under_a_writer(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof rotations / sizeof *rotations; i++)
        for (int k = 0; k < repetitions(); k++)
            rotate_once(&rotations[i], k % 2 == 0, repetitions() > 2 ? 1000 : 200);
}

/* ---- while nobody looks ---- */

static void put(const char *path, int flags, const char *text, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | flags, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, n), (ssize_t)n);
    close(fd);
}

/* Rows [from, to), appended. */
static void rows(const char *path, int from, int to)
{
    char line[32];
    for (int i = from; i < to; i++)
        put(path, O_APPEND, line, (size_t)snprintf(line, sizeof line, "%06d,0123456789abcde\n", i));
}

/* Follows log for a moment, and goes on where it was left. */
static void follow(struct got *g, const char *path)
{
    struct smi_follow *t = start(g, path, true);
    go_for(t, 30);
    for (size_t i = 0; i < t->files; i++)
        left = t->file[i]->at;
    smi_follow_free(t);
}

static struct got *fresh(void)
{
    static struct got g;
    clean();
    memset(&left, 0, sizeof left);
    memset(&g, 0, sizeof g);
    g.loud = true;
    return &g;
}

static void each_once(const struct got *g, int from, int to)
{
    for (int i = from; i < to; i++)
        if (g->row[i] != 1) {
            print_error("row %d came %d times\n", i, g->row[i]);
            for (int k = 0; k < g->texts; k++)
                print_error("  %s\n", g->text[k]);
            assert_int_equal(g->row[i], 1);
        }
    assert_int_equal(g->others, 0);
}

static void tick(void) /* the clock of files goes in steps */
{
    usleep(12000);
}

static void stopped_while_renamed(void **unused)
{
    struct got *g = fresh();
    (void)unused;
    rows("log", 0, 10);
    follow(g, "log");
    rows("log", 10, 20);
    for (int i = 0; i < 3; i++) {
        tick();
        shift("log", 8);
        must(rename("log", "log.1"));
        rows("log", 20 + 10 * i, 30 + 10 * i);
    }
    follow(g, "log");
    rows("log", 50, 60);
    follow(g, "log");
    each_once(g, 0, 60);
    assert_int_equal(g->n[SMI_FOLLOW_ROTATED], 3);
    assert_int_equal(g->lost, 0);
}

static void stopped_while_copied(void **unused)
{
    struct got *g = fresh();
    (void)unused;
    rows("log", 0, 10);
    follow(g, "log");
    for (int i = 0; i < 3; i++) {
        rows("log", 10 + 10 * i, 20 + 10 * i);
        tick();
        shift("log", 8);
        copy("log", "log.1");
        must(truncate("log", 0));
        tick();
    }
    rows("log", 40, 50);
    follow(g, "log");
    each_once(g, 0, 50);
    assert_int_equal(g->n[SMI_FOLLOW_TRUNCATED], 3);
}

/* Rows [from, to) are written, the log is copied and truncated, and a row comes to it. holes: the writer does
 * not append. */
static void copy_and_truncate(int from, int to, bool holes)
{
    rows("log", from, to);
    tick();
    shift("log", 8);
    copy("log", "log.1");
    must(truncate("log", 0));
    must(truncate("log", holes ? to * 23 : 0));
    tick();
    rows("log", to, to + 1);
}

static void copy_twice(void)
{
    copy_and_truncate(21, 30, false);
    copy_and_truncate(31, 40, false);
}

static void copy_twice_with_holes(void)
{
    copy_and_truncate(21, 30, true);
    copy_and_truncate(31, 40, true);
}

/* It is copied and truncated twice more between the look that finds it truncated and its first bytes that are
 * read. */
static void copied_before_it_is_read(void **unused)
{
    static void (*const ways[])(void) = {copy_twice, copy_twice_with_holes};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        struct got *g = fresh();
        rows("log", 0, 10);
        follow(g, "log");
        copy_and_truncate(10, 20, i == 1);
        g->on_truncated = ways[i];
        follow(g, "log");
        each_once(g, 0, 41);
        assert_int_equal(g->n[SMI_FOLLOW_TRUNCATED], 3);
    }
}

/* The copy lacks rows that were read since, so it is not the copy of what was read; and it is not one of what
 * comes after the truncation, though all of this happens within one tick of the clock that stamps files. */
static void copied_and_truncated_within_a_tick(void **unused)
{
    static const struct smi_follow_times now = {.look = 1, .gather = 0, .gone = 100, .hole = 100, .scan = 40};
    (void)unused;
    for (int i = 0; i < 30; i++) {
        struct got *g = fresh();
        const struct smi_follow_opts o = {{g, bytes, event}, &now, true, NULL, NULL};
        struct smi_follow *t = smi_follow_new(&o);
        struct smi_err err = {0};
        rows("log", 0, 20);
        assert_int_equal(smi_follow_add(t, "log", &err), 0);
        while (g->rows < 20)
            go(t, 1);
        copy("log", "log.1");
        rows("log", 20, 60);
        while (g->rows < 60)
            go(t, 1);
        must(truncate("log", 0));
        while (!g->n[SMI_FOLLOW_TRUNCATED])
            go(t, 1);
        rows("log", 60, 70);
        while (!g->row[69])
            go(t, 1);
        smi_follow_free(t);
        each_once(g, 0, 70);
    }
}

/* The rest of a file that is not there any more is missed, and that is said; the new one is read from its
 * begin. */
static void stopped_while_deleted(void **unused)
{
    struct got *g = fresh();
    (void)unused;
    rows("log", 0, 10);
    follow(g, "log");
    rows("log", 10, 20);
    must(unlink("log"));
    tick();
    rows("log", 20, 50); /* longer than the old one, and perhaps with its inode */
    follow(g, "log");
    each_once(g, 0, 10);
    each_once(g, 20, 50);
    assert_int_equal(g->rows, 40);
    assert_int_equal(g->lost, 1);
}

static void stopped_while_written_anew(void **unused)
{
    struct got *g = fresh();
    (void)unused;
    put("log", O_APPEND, "t,v\n", 4);
    rows("log", 0, 10);
    follow(g, "log");
    must(truncate("log", 0)); /* the same inode, the same first line, and longer */
    put("log", O_APPEND, "t,v\n", 4);
    rows("log", 10, 40);
    follow(g, "log");
    each_once(g, 0, 40);
    assert_int_equal(g->heads, 2);
    assert_int_equal(g->n[SMI_FOLLOW_TRUNCATED], 1);
    assert_int_equal(g->lost, 1);
}

static void stopped_while_only_the_head_was_there(void **unused)
{
    struct got *g = fresh();
    (void)unused;
    put("log", O_APPEND, "t,v\n", 4);
    follow(g, "log");
    rows("log", 0, 5);
    tick();
    must(rename("log", "log.1"));
    put("log", O_APPEND, "t,v\n", 4);
    rows("log", 5, 20);
    follow(g, "log");
    each_once(g, 0, 20);
    assert_int_equal(g->heads, 2);
    assert_int_equal(g->lost, 0);
}

/* ---- lines in the making ---- */

static void partial_lines(void **unused)
{
    static const char line[] = "000007,0123456789abcde\r\n000008,0123456789abcde\r\n";
    for (int notify = 0; notify < 2; notify++) {
        struct got *g = fresh();
        struct smi_follow *t = start(g, "log", notify);
        for (size_t i = 0; line[i]; i++) {
            put("log", O_APPEND, line + i, 1);
            go_for(t, notify ? 4 : 50);
            assert_int_equal(g->rows, i + 1 >= 24 ? i + 1 >= 48 ? 2 : 1 : 0);
        }
        each_once(g, 7, 9);
        assert_int_equal(g->ended, 0);
        smi_follow_free(t);
    }
    (void)unused;
}

/* A file that is shorter than a line, rotated: its line is handed on as it is, once. */
static void shorter_than_a_line(void **unused)
{
    struct got *g = fresh();
    struct smi_follow *t;
    (void)unused;
    put("log", O_APPEND, "000003,0123456789abcde", 22);
    t = start(g, "log", true);
    go_for(t, 100);
    assert_int_equal(g->rows, 0);
    must(rename("log", "log.1"));
    rows("log", 4, 6);
    go_for(t, 100);
    each_once(g, 3, 6);
    assert_int_equal(g->ended, 1);
    assert_int_equal(g->n[SMI_FOLLOW_ROTATED], 1);
    smi_follow_free(t);
}

/* NFS: the size grows, and for a while there are zeros where bytes will be. */
static void late_bytes(void **unused)
{
    struct got *g = fresh();
    struct smi_follow *t;
    static const char late[] = "000001,0123456789abcde\n000002,0123456789abcde\n";
    (void)unused;
    rows("log", 0, 1);
    must(truncate("log", 23 * 3));
    rows("log", 3, 4); /* a later page came first */
    t = start(g, "log", true);
    t->times.hole = 60000; /* however slowly this machine runs, the bytes come in time */
    go_for(t, 60);
    assert_int_equal(g->rows, 1);
    int fd = open("log", O_WRONLY);
    assert_int_equal(pwrite(fd, late, 30, 23), 30);
    go_for(t, 60);
    assert_int_equal(g->rows, 2);
    assert_int_equal(pwrite(fd, late + 30, 16, 53), 16);
    close(fd);
    go_for(t, 60);
    each_once(g, 0, 4);
    assert_int_equal(g->lost, 0);
    smi_follow_free(t);
}

static void long_lines(void **unused)
{
    struct got *g = fresh();
    struct smi_follow *t;
    size_t n = 3 << 20;
    char *big = malloc(n);
    (void)unused;
    memset(big, 'x', n);
    rows("log", 0, 2);
    put("log", O_APPEND, big, SMI_FOLLOW_LINE_MAX + 1); /* and its end later */
    t = start(g, "log", true);
    go_for(t, 60);
    put("log", O_APPEND, big, n);
    go_for(t, 60);
    put("log", O_APPEND, "\n", 1);
    rows("log", 2, 4);
    go_for(t, 60);
    each_once(g, 0, 4);
    assert_int_equal(g->n[SMI_FOLLOW_PASSED], 1);
    assert_int_equal(g->lost, 1);
    big[SMI_FOLLOW_LINE_MAX - 1] = '\n'; /* the longest that is taken */
    put("log", O_APPEND, big, SMI_FOLLOW_LINE_MAX);
    g->loud = false;
    go_for(t, 60);
    assert_int_equal(g->others, 1);
    smi_follow_free(t);
    free(big);
}

/* ---- names that come and go ---- */

static void not_there_yet(void **unused)
{
    struct got *g = fresh();
    struct smi_follow *t = start(g, "new/log", true);
    (void)unused;
    go_for(t, 60);
    assert_int_equal(t->file[0]->state, SMI_FOLLOW_WAITING);
    assert_int_equal(g->texts, 0);
    must(mkdir("new", 0755));
    go_for(t, 60);
    rows("new/log", 0, 3);
    go_for(t, 100);
    each_once(g, 0, 3);
    must(unlink("new/log"));
    must(rmdir("new"));
    go_for(t, 250);
    assert_int_equal(t->file[0]->state, SMI_FOLLOW_GONE);
    assert_int_equal(g->n[SMI_FOLLOW_IS_GONE], 1);
    must(mkdir("new", 0755));
    tick();
    rows("new/log", 3, 6);
    go_for(t, 100);
    each_once(g, 0, 6);
    assert_int_equal(g->n[SMI_FOLLOW_IS_BACK], 1);
    assert_int_equal(g->lost, 0);
    smi_follow_free(t);
}

static void not_a_file(void **unused)
{
    struct got *g = fresh();
    struct smi_follow *t = start(g, "log", true);
    (void)unused;
    must(mkdir("log", 0755));
    go_for(t, 100);
    assert_int_equal(t->file[0]->state, SMI_FOLLOW_CLOSED);
    assert_int_equal(g->n[SMI_FOLLOW_REFUSED], 1);
    must(rmdir("log"));
    put("log", 0, "\x1f\x8b\x08\0\0\0\0\0\0\3", 10);
    go_for(t, 100);
    assert_int_equal(g->n[SMI_FOLLOW_REFUSED], 2);
    must(unlink("log"));
    rows("log", 0, 2);
    go_for(t, 100);
    each_once(g, 0, 2);
    smi_follow_free(t);
}

static void permission(void **unused)
{
    struct got *g = fresh();
    struct smi_follow *t;
    (void)unused;
    if (geteuid() != 0 || chmod(".", 0777))
        skip();
    must(mkdir("closed", 0755));
    rows("closed/log", 0, 2);
    assert_int_equal(seteuid(65534), 0);
    t = start(g, "closed/log", true);
    go_for(t, 60);
    each_once(g, 0, 2);
    seteuid(0);
    chmod("closed", 0700);
    seteuid(65534);
    go_for(t, 100);
    assert_int_equal(t->file[0]->state, SMI_FOLLOW_CLOSED);
    seteuid(0);
    chmod("closed", 0755);
    rows("closed/log", 2, 4);
    seteuid(65534);
    go_for(t, 100);
    each_once(g, 0, 4);
    assert_int_equal(t->file[0]->state, SMI_FOLLOW_READING);
    assert_int_equal(g->n[SMI_FOLLOW_REFUSED], 1);
    assert_int_equal(g->n[SMI_FOLLOW_IS_BACK], 1);
    smi_follow_free(t);
    seteuid(0);
}

/* ---- streams ---- */

static void standard_input(void **unused)
{
    struct got *g = fresh();
    int in = dup(0), p[2];
    struct smi_follow *t;
    struct smi_err err = {0};
    (void)unused;
    assert_int_equal(pipe(p), 0);
    dup2(p[0], 0);
    close(p[0]);
    t = start(g, "-", true);
    assert_int_equal(smi_follow_add(t, "-", &err), -1);
    g->refuse = 2;
    assert_int_equal(write(p[1], "000000,0123456789abcde\n000001,01234", 35), 35);
    go_for(t, 60);
    assert_int_equal(write(p[1], "56789abcde\n000002,0123456789abcde", 33), 33);
    go_for(t, 60);
    each_once(g, 0, 2);
    assert_false(smi_follow_is_over(t));
    close(p[1]);
    go_for(t, 60);
    each_once(g, 0, 3);
    assert_int_equal(g->ended, 1);
    assert_int_equal(g->n[SMI_FOLLOW_END], 1);
    assert_true(smi_follow_is_over(t));
    assert_int_equal(t->file[0]->at.offset, 23 + 23 + 22);
    smi_follow_free(t);
    dup2(in, 0);
    close(in);
}

/* Whole lines, wherever the pieces of a FIFO end. */
static void pushed(void **unused)
{
    struct got *g = fresh();
    struct smi_follow *t;
    char row[] = "000000,0123456789abcde\n";
    (void)unused;
    must(mkfifo("fifo", 0600));
    int w = open("fifo", O_RDWR);
    t = start(g, "fifo", true);
    for (size_t cut = 0; cut < sizeof row; cut++) {
        row[4] = (char)('0' + cut / 10);
        row[5] = (char)('0' + cut % 10);
        assert_int_equal(write(w, row, cut), (ssize_t)cut);
        go_for(t, 2);
        assert_int_equal(write(w, row + cut, sizeof row - 1 - cut), (ssize_t)(sizeof row - 1 - cut));
        go_for(t, 2);
    }
    assert_int_equal(write(w, "000051,0123456789abcde", 22), 22);
    go_for(t, 20);
    each_once(g, 0, sizeof row);
    close(w);
    go_for(t, 60);
    each_once(g, 51, 52);
    assert_int_equal(t->file[0]->at.part, 1);
    assert_int_equal(g->ended, 1);
    assert_int_equal(g->rows, (int)sizeof row + 1);
    smi_follow_free(t);
}

/* An owner that does not take lines gets them again: none lost, none twice. */
static void refused(void **unused)
{
    struct got *g = fresh();
    struct smi_follow *t;
    (void)unused;
    rows("log", 0, 10);
    g->refuse = 5;
    t = start(g, "log", true);
    go_for(t, 20);
    rows("log", 10, 20);
    must(rename("log", "log.1"));
    rows("log", 20, 30);
    go_for(t, 150);
    each_once(g, 0, 30);
    assert_int_equal(g->refuse, 0);
    smi_follow_free(t);
}

/* ---- directories ---- */

static const char cpu[] = "timestamp,cpu_percent,mem_percent\n";
static const char query[] = "timestamp, index, utilization.gpu [%], power.draw [W]\n"
                            "2026/07/03 22:10:46.109, 0, 55 %, 100.00 W\n";

struct seen {
    size_t lines[32];
    int n;
};

static int count_lines(void *self, int file, const char *p, size_t n)
{
    struct seen *s = self;
    for (size_t i = 0; i < n; i++)
        s->lines[file] += p[i] == '\n';
    return 0;
}

static void count_event(void *self, const struct smi_follow_event *e)
{
    ((struct seen *)self)->n += e->lost;
}

static size_t lines_of(const struct smi_follow *t, const struct seen *s, const char *path)
{
    for (size_t i = 0; i < t->files; i++)
        if (!strcmp(t->file[i]->path, path))
            return s->lines[i];
    return 999;
}

static void directories(void **unused)
{
    struct seen s = {{0}, 0};
    struct smi_err err = {0};
    const struct smi_follow_opts o = {{&s, count_lines, count_event}, &quick, false, NULL, NULL};
    struct smi_follow *t;
    (void)unused, (void)cpu;
    fresh();
    must(mkdir("d", 0755) || mkdir("d/a", 0755) || mkdir("d/.git", 0755));
    put("d/a/hw.csv.1", 0, query, sizeof query - 1);
    tick();
    put("d/a/hw.csv", 0, query, sizeof query - 1);
    put("d/a/notes.txt", 0, "hello\n", 6);
    put("d/.git/hw.csv", 0, query, sizeof query - 1);
    put("d/a/old.csv.gz", 0, "\x1f\x8b\x08\0\0\0\0\0\0\3", 10);
    t = smi_follow_new(&o);
    assert_int_equal(smi_follow_add(t, "d/", &err), 0);
    go_for(t, 60);
    assert_int_equal(t->files, 1);
    assert_int_equal(lines_of(t, &s, "d/a/hw.csv"), 4); /* its older part first */
    must(mkdir("d/b", 0755) || mkdir("d/b/c", 0755));
    put("d/b/c/new.csv", 0, query, 20); /* no log yet */
    go_for(t, 100);
    assert_int_equal(t->files, 1);
    put("d/b/c/new.csv", O_APPEND, query + 20, sizeof query - 21);
    go_for(t, 100);
    assert_int_equal(lines_of(t, &s, "d/b/c/new.csv"), 2);
    shift("d/a/hw.csv", 4);
    must(rename("d/a/hw.csv", "d/a/hw.csv.1")); /* known under another name */
    go_for(t, 100);
    put("d/a/hw.csv", 0, query, sizeof query - 1);
    go_for(t, 100);
    assert_int_equal(t->files, 2);
    assert_int_equal(lines_of(t, &s, "d/a/hw.csv"), 6);
    assert_int_equal(s.n, 0);
    smi_follow_free(t);
}

/* More files than may be open: all are followed, none is lost when it is renamed while it is closed. */
static void many_files(void **unused)
{
    enum { MANY = SMI_FOLLOW_OPEN_MAX + 60 };
    struct got *g = fresh();
    struct smi_follow *t = start(g, NULL, true);
    struct smi_err err = {0};
    char name[32], old[40];
    (void)unused;
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "log%d", i);
        rows(name, i, i + 1);
        assert_int_equal(smi_follow_add(t, name, &err), 0);
    }
    go_for(t, 100);
    each_once(g, 0, MANY);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "log%d", i);
        snprintf(old, sizeof old, "log%d.1", i);
        rows(name, MANY + i, MANY + i + 1);
        if (i % 2)
            must(rename(name, old));
        if (i % 4 == 3)
            rows(name, MANY * 2 + i, MANY * 2 + i + 1);
    }
    go_for(t, 300);
    each_once(g, 0, MANY * 2);
    for (int i = 3; i < MANY; i += 4)
        each_once(g, MANY * 2 + i, MANY * 2 + i + 1);
    assert_int_equal(g->lost, 0);
    smi_follow_free(t);
}

/* A quiet file is looked at once a second, and nobody is woken in between. */
static void quiet(void **unused)
{
    struct got *g = fresh();
    struct smi_err err = {0};
    const struct smi_follow_opts o = {{g, bytes, event}, NULL, false, NULL, NULL};
    struct smi_follow *t = smi_follow_new(&o);
    struct smi_loop l = {.sources = 0};
    int64_t now = 1000;
    (void)unused;
    rows("log", 0, 1);
    assert_int_equal(smi_follow_add(t, "log", &err), 0);
    for (int i = 0; i < 5; i++, now += 30) /* what was told of its begin */
        assert_int_equal(loops_call(smi_follow_source(t), now), 0);
    smi_loop_add(&l, smi_follow_source(t));
    smi_loop_prepare(&l, now);
    assert_int_equal(l.fds, 1);
    assert_int_equal(poll(l.fd, 1, 0), 0);
    assert_true(l.due_ms - now > 800);
    assert_true(l.due_ms - now <= 1000);
    smi_follow_free(t);
}

static int enter(void **unused)
{
    (void)unused;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED || !mkdtemp(home) || chdir(home) != 0;
}

static int leave(void **unused)
{
    (void)unused;
    clean();
    return chdir("/") != 0 || rmdir(home) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_while_renamed),
        cmocka_unit_test(stopped_while_copied),
        cmocka_unit_test(copied_before_it_is_read),
        cmocka_unit_test(copied_and_truncated_within_a_tick),
        cmocka_unit_test(stopped_while_deleted),
        cmocka_unit_test(stopped_while_written_anew),
        cmocka_unit_test(stopped_while_only_the_head_was_there),
        cmocka_unit_test(partial_lines),
        cmocka_unit_test(shorter_than_a_line),
        cmocka_unit_test(late_bytes),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(not_there_yet),
        cmocka_unit_test(not_a_file),
        cmocka_unit_test(permission),
        cmocka_unit_test(standard_input),
        cmocka_unit_test(pushed),
        cmocka_unit_test(refused),
        cmocka_unit_test(directories),
        cmocka_unit_test(many_files),
        cmocka_unit_test(quiet),
        cmocka_unit_test(rotated_under_a_writer),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
