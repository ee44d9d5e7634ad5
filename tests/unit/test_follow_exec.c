/* fetch: a log that a command prints is followed through the command's ends, and through another file in the
 * place of the first: every line once, and none that is not whole. */
#include "base/clock.h"
#include "live/follow.h"
#include "loops.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char home[] = "/tmp/smilog-test-fetch-XXXXXX";

enum { MOST = 20000 };

struct got {
    int row[MOST], rows, others, lost;
    int refuse;
    char said[200];
};

static int bytes(void *self, int file, const char *p, size_t n)
{
    struct got *g = self;
    (void)file;
    if (g->refuse-- > 0)
        return 1;
    for (const char *e, *end = p + n; p < end && (e = memchr(p, '\n', (size_t)(end - p))); p = e + 1) {
        int k = e - p == 6 ? atoi(p) : -1;
        g->others += k < 0 || k >= MOST;
        g->row[k < 0 || k >= MOST ? 0 : k]++;
        g->rows++;
    }
    return 0;
}

static void told(void *self, const struct smi_follow_event *e)
{
    struct got *g = self;
    g->lost += e->lost;
    snprintf(g->said, sizeof g->said, "%s", e->text);
}

static const struct smi_follow_times quick = {
    .pause = 20, .pause_most = 80, .answer = 300, .stop = {50, 100, 1000}};

static void rows(const char *path, int from, int to)
{
    FILE *f = fopen(path, "a");
    for (int i = from; i < to; i++)
        fprintf(f, "%06d\n", i);
    fclose(f);
}

struct both {
    struct got g;
    struct smi_follow *t;
    const struct smi_follow_file *f;
    const struct smi_follow_position *at;
};

static bool resume(void *self, const char *path, struct smi_follow_position *at)
{
    const struct both *b = (const struct both *)((const char *)self - offsetof(struct both, g));
    (void)path;
    if (b->at)
        *at = *b->at;
    return b->at != NULL;
}

static void start(struct both *b, const char *command, const struct smi_follow_position *at)
{
    struct smi_follow_opts o = {.calls = {&b->g, bytes, told}, .times = &quick, .resume = resume};
    b->at = at;
    b->t = smi_follow_new(&o);
    const int file = smi_follow_add_command(b->t, command);
    b->f = b->t->file[file];
}

static bool has_rows(const struct both *b, int n)
{
    return b->g.rows >= n;
}

static bool is_waiting(const struct both *b, int n)
{
    (void)n;
    return b->f->command->starts && b->f->command->state == SMI_MONITOR_RESTARTING &&
           !b->f->command->child.pid;
}

static bool is_stopped(const struct both *b, int n)
{
    (void)n;
    return !smi_follow_busy(b->t);
}

/* Runs the loop until it is so, at most a minute: a busy machine takes its time. */
static void go_until(struct both *b, bool (*done)(const struct both *b, int n), int n)
{
    struct smi_loop l = {.sources = 0};
    smi_loop_add(&l, smi_follow_source(b->t));
    for (int64_t end = smi_clock_now_ms() + 60000, now; !done(b, n) && (now = smi_clock_now_ms()) < end;)
        assert_int_equal(loops_turn(&l, end - now), 0);
    assert_true(done(b, n));
}

/* Until n rows came, and then as many restarts as show whether one of them comes twice. */
static void go_to_row(struct both *b, int n)
{
    go_until(b, has_rows, n);
    struct smi_loop l = {.sources = 0};
    smi_loop_add(&l, smi_follow_source(b->t));
    for (int64_t end = smi_clock_now_ms() + 200, now; (now = smi_clock_now_ms()) < end;)
        assert_int_equal(loops_turn(&l, end - now), 0);
}

static void stop(struct both *b)
{
    smi_follow_stop(b->t, smi_clock_now_ms());
    go_until(b, is_stopped, 0);
    smi_follow_free(b->t);
}

static void each_once(const struct both *b, int from, int to)
{
    for (int i = from; i < to; i++) {
        if (b->g.row[i] != 1)
            print_error("row %d came %d times, said: %s\n", i, b->g.row[i], b->g.said);
        assert_int_equal(b->g.row[i], 1);
    }
    assert_int_equal(b->g.others, 0);
}

/* It ends again and again, with a line half printed or not. (Always with some bytes: one that prints nothing
 * is asked for all, and where that ends before what is known, the file is a shorter one.) */
static void ends(void **unused)
{
    struct both b = {0};
    (void)unused;
    rows("a", 0, 100);
    start(&b, "tail -c +%o a | head -c 501", NULL);
    go_to_row(&b, 100);
    for (int i = 100; i < 300; i += 20) {
        rows("a", i, i + 20);
        go_until(&b, has_rows, i); /* not the new ones: they come while it goes on */
    }
    b.g.refuse = 3;
    rows("a", 300, 310);
    go_to_row(&b, 310);
    each_once(&b, 0, 310);
    assert_int_equal(b.g.lost, 0);
    assert_true(b.f->command->starts > 5);
    stop(&b);
}

/* An owner that takes nothing for a while, as a store whose disk is full, gets all of it later. */
static void refused(void **unused)
{
    struct both b = {0};
    (void)unused;
    rows("e", 0, MOST);
    b.g.refuse = 7;
    start(&b, "tail -c +%o -f e", NULL);
    go_to_row(&b, MOST);
    each_once(&b, 0, MOST);
    assert_int_equal(b.g.lost, 0);
    assert_int_equal(b.f->command->starts, 1);
    stop(&b);
}

/* Another run of ours goes on behind the last line. */
static void resumed(void **unused)
{
    struct both b = {0};
    (void)unused;
    rows("b", 0, 50);
    start(&b, "cat %%o 2>/dev/null; tail -c +%o -f b", NULL);
    go_to_row(&b, 50);
    struct smi_follow_position at = b.t->file[0]->at;
    stop(&b);
    assert_int_equal(at.offset, 350);
    rows("b", 50, 60);
    start(&b, "tail -c +%o -f b", &at);
    go_to_row(&b, 60);
    each_once(&b, 0, 60);
    stop(&b);
}

/* While the connection was down the file was replaced: by a longer one, and by a shorter one. */
static void replaced(void **unused)
{
    for (int longer = 0; longer < 2; longer++)
        for (int waits = 0; waits < 2; waits++) {
            struct both b = {0};
            remove("c");
            rows("c", 0, 300);
            start(&b, "tail -c +%o -f c", NULL);
            go_to_row(&b, 300);
            struct smi_follow_position at = b.t->file[0]->at;
            stop(&b);
            remove("c");
            rows("c", 300, longer ? 700 : 350);
            start(&b, waits ? "tail -c +%o -f c" : "tail -c +%o c", &at);
            go_to_row(&b, longer ? 700 : 350);
            each_once(&b, 0, longer ? 700 : 350);
            assert_int_equal(b.g.lost, 1);
            stop(&b);
        }
    (void)unused;
}

/* tail -F says that it goes over to another file. */
static void rotated_there(void **unused)
{
    struct both b = {0};
    (void)unused;
    rows("d", 0, 50);
    start(&b, "tail -c +%o -F -s 0.02 d", NULL);
    go_to_row(&b, 50);
    rename("d", "d.1");
    rows("d", 50, 60);
    go_to_row(&b, 60);
    each_once(&b, 0, 60);
    assert_int_equal(b.t->file[0]->at.part, 2);
    assert_int_equal(b.t->file[0]->at.offset, 70);
    stop(&b);
}

static void no_command(void **unused)
{
    struct both b = {0};
    (void)unused;
    start(&b, "echo 'ssh: Could not resolve hostname pod' >&2; exit 255", NULL);
    go_until(&b, is_waiting, 0);
    assert_string_equal(b.f->command->reason, "exit 255: ssh: Could not resolve hostname pod");
    stop(&b);
}

static int enter(void **unused)
{
    (void)unused;
    return !mkdtemp(home) || chdir(home) != 0;
}

static int leave(void **unused)
{
    (void)unused;
    for (const char *c = "abcde"; *c; c++)
        remove((char[]){*c, 0});
    remove("d.1");
    return chdir("/") != 0 || rmdir(home) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends),          cmocka_unit_test(resumed),    cmocka_unit_test(replaced),
        cmocka_unit_test(rotated_there), cmocka_unit_test(no_command), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
