/* test_record_file.c - what a monitor prints, recorded: the same file for any cut of the bytes, headers once,
 * whole lines on a disk that runs full, parts that follow each other; and the rules of the moment. */
#include "live/alert.h"
#include "live/recorder.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "/tmp/smilog-recorded-XXXXXX";
static unsigned long seed = 1;

static unsigned draw(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

static char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static char *slurp(const char *name)
{
    static char text[1 << 20];
    FILE *f = fopen(path_of(name), "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = 0;
    if (f)
        fclose(f);
    return text;
}

static void begin(struct smi_record_file *r, const char *name, int heads, int64_t most, int keep)
{
    unlink(path_of(name));
    smi_record_file_open(r, path_of(name), heads, most, keep);
}

static void put(struct smi_record_file *r, const char *text, unsigned most)
{
    size_t n = strlen(text), k;
    for (size_t at = 0; at < n; at += k) {
        k = 1 + draw(most);
        k = k < n - at ? k : n - at;
        smi_record_file_put(r, text + at, k);
    }
}

static void any_cut_gives_the_same_file(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        struct smi_record_file r;
        begin(&r, "a.csv", 1, 0, 0);
        smi_record_file_begin(&r);
        put(&r, "head\n1\n2\n3 torn", 1 + draw(12));
        smi_record_file_begin(&r); /* another child: what was torn stays out, the same header too */
        put(&r, "head\n4\n\n5\n", 1 + draw(12));
        smi_record_file_begin(&r); /* a driver that knows more fields */
        put(&r, "head, more\n6, 7\n", 1 + draw(12));
        smi_record_file_begin(&r);
        put(&r, "hea", 1); /* died inside its header */
        smi_record_file_begin(&r);
        put(&r, "head, more\n8, 9\n10", 1 + draw(12));
        smi_record_file_close(&r);
        assert_string_equal(slurp("a.csv"), "head\n1\n2\n4\n\n5\nhead, more\n6, 7\n8, 9\n");
    }
}

static void a_line_without_end_is_left_out(void **state)
{
    struct smi_record_file r;
    char *flood = malloc(SMI_RECORDED_LINE_MAX);
    (void)state;
    memset(flood, 'x', SMI_RECORDED_LINE_MAX);
    begin(&r, "b.csv", 0, 0, 0);
    put(&r, "1\n2", 100);
    for (int i = 0; i < 4; i++) {
        smi_record_file_put(&r, flood, SMI_RECORDED_LINE_MAX);
        assert_true(r.part.n <= SMI_RECORDED_LINE_MAX);
    }
    put(&r, "x\n3\n", 100);
    assert_int_equal(r.cut, 1);
    smi_record_file_close(&r);
    free(flood);
    assert_string_equal(slurp("b.csv"), "1\n3\n");
}

/* NAME.1 is the newest part; keep: of so many the oldest rows are gone. */
static void write_parts(int keep)
{
    struct smi_record_file r;
    char row[64], all[8192] = "", name[32];
    int first, parts = 0;
    begin(&r, "c.csv", 1, 300, keep);
    smi_record_file_begin(&r);
    put(&r, "head\n", 3);
    for (int i = 0; i < 200; i++) {
        snprintf(row, sizeof row, "row %03d\n", i);
        put(&r, row, 5);
    }
    while (snprintf(name, sizeof name, "c.csv.%d", parts + 1) && access(path_of(name), F_OK) == 0)
        parts++;
    assert_int_equal(parts >= 5 && parts < 9, !keep);
    assert_true(!keep || parts == keep);
    for (int i = parts; i >= 0; i--) {
        snprintf(name, sizeof name, i ? "c.csv.%d" : "c.csv", i);
        assert_int_equal(strncmp(slurp(name), "head\n", 5), 0);
        assert_true(strlen(slurp(name)) <= 300);
        strcat(all, slurp(name) + 5);
        unlink(path_of(name));
    }
    first = atoi(all + 4);
    assert_true(keep ? first > 0 : first == 0);
    for (const char *p = all; *p; p += 8, first++) {
        snprintf(row, sizeof row, "row %03d\n", first);
        assert_int_equal(strncmp(p, row, 8), 0);
    }
    assert_int_equal(first, 200);
    smi_record_file_close(&r);
}

static void parts_follow_each_other(void **state)
{
    (void)state;
    write_parts(0);
    write_parts(1);
    write_parts(3);
}

/* In a child of its own, as the limit stays. */
static void a_full_disk_loses_whole_lines_only(void **state)
{
    pid_t pid = fork();
    int status;
    (void)state;
    if (pid == 0) {
        struct smi_record_file r;
        struct rlimit limit = {100, RLIM_INFINITY};
        signal(SIGXFSZ, SIG_IGN);
        begin(&r, "d.csv", 0, 0, 0);
        setrlimit(RLIMIT_FSIZE, &limit);
        for (int i = 0; i < 40; i++)
            put(&r, "0123456\n", 100); /* 12 of them fit */
        if (!r.full || r.lost != 28 || !*r.why)
            _exit(1);
        limit.rlim_cur = RLIM_INFINITY;
        setrlimit(RLIMIT_FSIZE, &limit);
        put(&r, "again\n", 100);
        if (r.full)
            _exit(2);
        smi_record_file_close(&r);
        _exit(strlen(slurp("d.csv")) == 12 * 8 + 6 && strcmp(slurp("d.csv") + 96, "again\n") == 0 ? 0 : 3);
    }
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
}

static void put_rows(struct smi_record_file *r, int from, int to)
{
    char row[64];
    for (int i = from; i < to; i++) {
        snprintf(row, sizeof row, "row %03d\n", i);
        put(r, row, 100);
    }
}

static void shell(const char *words)
{
    char line[256];
    snprintf(line, sizeof line, "cd %s && %s", dir, words);
    assert_int_equal(system(line), 0);
}

static char *copy(const char *name)
{
    return strdup(slurp(name));
}

/* What somebody else does to the file is reported, and costs no row of another part. */
static void a_file_that_is_taken_away_is_begun_again(void **state)
{
    static const char *const what[] = {"deleted", "renamed", "truncated", "renamed"};
    (void)state;
    for (int i = 0; i < 8; i++) {
        struct smi_record_file r;
        char *one, *two;
        begin(&r, "e.csv", 1, i < 4 ? 0 : 60, 2); /* the header and six rows */
        smi_record_file_begin(&r);
        put(&r, "head\n", 3);
        put_rows(&r, 0, i < 4 ? 5 : 15);
        one = copy("e.csv.1");
        two = copy("e.csv.2");
        assert_int_equal(strlen(one) == 53 && strlen(two) == 53, i >= 4);
        assert_null(r.to.renewed);
        if (i % 4 == 0)
            unlink(path_of("e.csv"));
        else if (i % 4 == 2)
            assert_int_equal(truncate(path_of("e.csv"), 0), 0);
        else
            shell("mv e.csv away.csv");
        if (i % 4 == 3)
            shell("touch e.csv");
        put_rows(&r, 20, 23);
        assert_string_equal(r.to.renewed, what[i % 4]);
        assert_string_equal(slurp("e.csv"), "head\nrow 020\nrow 021\nrow 022\n");
        assert_string_equal(slurp("e.csv.1"), one);
        assert_string_equal(slurp("e.csv.2"), two);
        assert_int_equal(r.lost, 0);
        r.to.renewed = NULL;
        put_rows(&r, 23, 24);
        assert_null(r.to.renewed);
        smi_record_file_close(&r);
        free(one);
        free(two);
        shell("rm -f e.csv* away.csv");
    }
}

/* NAME cannot leave: no part moves, and NAME grows on. */
static void a_rotation_that_fails_moves_no_part(void **state)
{
    struct smi_record_file r;
    char *one, *two;
    (void)state;
    begin(&r, "f.csv", 1, 60, 2);
    smi_record_file_begin(&r);
    put(&r, "head\n", 3);
    put_rows(&r, 0, 15);
    one = copy("f.csv.1");
    two = copy("f.csv.2");
    shell("mkdir -p f.csv.0/x");
    put_rows(&r, 15, 40);
    assert_int_not_equal(r.stuck, 0);
    assert_int_equal(r.lost, 0);
    assert_string_equal(slurp("f.csv.1"), one);
    assert_string_equal(slurp("f.csv.2"), two);
    assert_int_equal(strlen(slurp("f.csv")), 5 + 8 * 28);
    shell("rmdir f.csv.0/x f.csv.0");
    put_rows(&r, 40, 60);
    assert_string_not_equal(slurp("f.csv.1"), one);
    smi_record_file_close(&r);
    free(one);
    free(two);
    shell("rm -f f.csv*");
}

/* ---- rules ---- */

struct scene {
    struct smi_machine *n;
    struct smi_alert_actions a;
    int64_t s;
};

/* How many events of this kind there were. */
static int events(const struct scene *c, enum smi_event_kind kind)
{
    int k = 0;
    for (int64_t i = 0; i < c->n->events; i++)
        k += c->n->event[i].kind == kind;
    return k;
}

static void check(struct scene *c)
{
    c->a.now = c->n;
    smi_alert_actions_check(&c->a, c->n->mono_ms);
}

/* A second of two GPUs. */
static void second(struct scene *c, int util, int used, int active)
{
    struct smi_err err = {0};
    char row[512];
    snprintf(row, sizeof row,
             "2026/07/03 %02d:%02d:%02d.000, 0, %d, %d, 81559, 70, 0x%x\n2026/07/03 %02d:%02d:%02d.000, 1, "
             "90, 9000, 81559, "
             "70, 0x0\n",
             (int)(10 + c->s / 3600), (int)(c->s / 60 % 60), (int)(c->s % 60), util, used, active,
             (int)(10 + c->s / 3600), (int)(c->s / 60 % 60), (int)(c->s % 60));
    assert_int_equal(smi_machine_feed(*c->n->source, row, strlen(row), ++c->s * 1000, &err), 0);
    check(c);
}

static struct scene scene(void)
{
    struct smi_machine_opts o = {.has_offset = true};
    struct smi_err err = {0};
    struct scene c = {.n = smi_machine_new(&o)};
    const char *head =
        "timestamp, index, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu, "
        "clocks_throttle_reasons.active\n";
    assert_int_equal(smi_alert_actions_init(&c.a, NULL, NULL), 0);
    smi_machine_add_source(c.n, "query", SMI_FMT_QUERY, 1000);
    assert_int_equal(smi_machine_feed(*c.n->source, head, strlen(head), 0, &err), 0);
    return c;
}

static void end(struct scene *c)
{
    smi_alert_actions_fini(&c->a);
    smi_machine_free(c->n);
}

static void idle_is_said_from_five_minutes_on(void **state)
{
    struct scene c = scene();
    (void)state;
    for (int i = 0; i < 60; i++)
        second(&c, 90, 72090, 0);
    for (int i = 0; i < 300; i++)
        second(&c, 0, 72090, 0);
    assert_int_equal(c.n->alerts, 0);
    second(&c, 0, 72090, 0);
    assert_int_equal(c.n->alerts, 1);
    assert_int_equal(c.n->alert[0].rule, SMI_RULE_ALERT_IDLE);
    assert_string_equal(c.n->alert[0].text, "GPU 0 idle 5m00s, holds 70.4 GiB");
    assert_string_equal(c.n->alert[0].note, "idle 5m00s");
    for (int i = 0; i < 60; i++)
        second(&c, 0, 72090, 0);
    assert_int_equal(events(&c, SMI_EVENT_WARN), 1);
    second(&c, 50, 72090, 0);
    assert_int_equal(c.n->alerts, 0);
    assert_int_equal(events(&c, SMI_EVENT_OK), 1);
    assert_string_equal(c.n->event[c.n->events - 1].text, "GPU 0 works again after 6m01s");
    end(&c);
}

static void heat_is_said_from_a_minute_on(void **state)
{
    struct scene c = scene();
    (void)state;
    for (int i = 0; i < 240; i++)
        second(&c, 90, 9000, 0);
    for (int i = 0; i < 59; i++)
        second(&c, 90, 9000, 0x20);
    assert_int_equal(c.n->alerts, 0);
    second(&c, 90, 9000, 0x20);
    assert_int_equal(c.n->alerts, 1);
    assert_int_equal(c.n->alert[0].rule, SMI_RULE_ALERT_THERMAL);
    assert_string_equal(c.n->alert[0].text, "GPU 0: thermal slowdown");
    assert_string_equal(c.n->alert[0].note, "thermal");
    for (int i = 0; i < 59; i++)
        second(&c, 90, 9000, 0);
    assert_int_equal(c.n->alerts, 1);
    assert_int_equal(events(&c, SMI_EVENT_OK), 0); /* it is over once it has not been for a minute */
    for (int i = 0; i < 2; i++)
        second(&c, 90, 9000, 0);
    assert_int_equal(c.n->alerts, 0);
    assert_int_equal(events(&c, SMI_EVENT_OK), 1);
    end(&c);
}

/* By the driver (0x20) or the hardware (0x40). A pause of half a minute is a part of it, a longer one is not.
 */
static void heat_has_pauses(void **state)
{
    struct scene c = scene();
    (void)state;
    for (int i = 0; i < 400; i++)
        second(&c, 90, 9000, i % 90 < 50 ? 0x20 : 0);
    assert_int_equal(c.n->alerts, 0);
    for (int i = 0; i < 60; i++)
        second(&c, 90, 9000, 0);
    for (int i = 0; i < 90; i++)
        second(&c, 90, 9000, i % 31 == 0 ? 0x40 : 0);
    assert_int_equal(c.n->alerts, 1);
    assert_int_equal(events(&c, SMI_EVENT_WARN), 1);
    end(&c);
}

static void other_peoples_gpus_are_not_said(void **state)
{
    struct scene c = scene();
    (void)state;
    for (int i = 0; i < 400; i++) {
        second(&c, 0, 81000, 0x20);
        c.n->gpu[0]->mine = false;
    }
    assert_int_equal(c.n->alerts, 0);
    assert_int_equal(events(&c, SMI_EVENT_WARN), 0);
    c.n->gpu[0]->mine = true;
    for (int i = 0; i < 12; i++)
        second(&c, 0, 81000, 0x20);
    assert_int_equal(c.n->alerts, 3);
    end(&c);
}

static void memory_nearly_full_is_said(void **state)
{
    struct scene c = scene();
    (void)state;
    for (int i = 0; i < 30; i++)
        second(&c, 90, 79927, 0); /* just below 98 % */
    assert_int_equal(c.n->alerts, 0);
    for (int i = 0; i < 12; i++)
        second(&c, 90, 79928, 0);
    assert_int_equal(c.n->alerts, 1);
    assert_int_equal(c.n->alert[0].rule, SMI_RULE_ALERT_MEMORY);
    assert_true(c.n->alert[0].grave);
    end(&c);
}

/* n rows of a GPU, `step` ms apart. */
static void draw_power(struct scene *c, int n, int step, int watts)
{
    struct smi_err err = {0};
    char row[128];
    for (int i = 0; i < n; i++) {
        const int64_t ms = c->s += step;
        snprintf(row, sizeof row, "2026/07/03 10:%02d:%02d.%03d, 0, 99, %d, 700\n", (int)(ms / 60000),
                 (int)(ms / 1000 % 60), (int)(ms % 1000), watts);
        assert_int_equal(smi_machine_feed(*c->n->source, row, strlen(row), ms, &err), 0);
        check(c);
    }
}

static void a_gpu_that_hangs_is_said_until_it_draws_power_or_is_not_read(void **state)
{
    struct smi_machine_opts o = {.has_offset = true};
    struct smi_err err = {0};
    struct scene c = {.n = smi_machine_new(&o)};
    const char *head = "timestamp, index, utilization.gpu [%], power.draw [W], power.limit [W]\n";
    (void)state;
    assert_int_equal(smi_alert_actions_init(&c.a, NULL, NULL), 0);
    smi_machine_add_source(c.n, "query", SMI_FMT_QUERY, 1000);
    assert_int_equal(smi_machine_feed(*c.n->source, head, strlen(head), 0, &err), 0);
    draw_power(&c, 10, 1000, 640);
    draw_power(&c, 120, 1000, 92);
    assert_int_equal(c.n->alerts, 0);
    draw_power(&c, 1, 1000, 92);
    assert_int_equal(c.n->alerts, 1);
    assert_int_equal(c.n->alert[0].rule, SMI_RULE_ALERT_HANG);
    assert_string_equal(c.n->alert[0].text, "GPU 0 fully used at little power for 2m00s: 92 of 700 W");
    assert_string_equal(c.n->alert[0].note, "little power 2m00s");
    draw_power(&c, 11, 1000, 640);
    assert_int_equal(c.n->alerts, 0);
    draw_power(&c, 130, 1000, 92);
    assert_int_equal(c.n->alerts, 1);
    draw_power(&c, 1, SMI_CONDITION_BREAK_MS + 1, 92); /* a gap ends a stretch */
    draw_power(&c, 11, 1000, 92);
    assert_int_equal(c.n->alerts, 0);
    end(&c);
}

static void what_is_silent_or_lost_is_said(void **state)
{
    struct scene c = scene();
    struct smi_err err = {0};
    const char *lost = "2026/07/03 10:00:10.000, 0, [GPU is lost], [GPU is lost], [GPU is lost], [GPU is "
                       "lost], [GPU is lost]\n";
    (void)state;
    for (int i = 0; i < 10; i++)
        second(&c, 90, 9000, 0);
    assert_int_equal(smi_machine_feed(*c.n->source, lost, strlen(lost), 11000, &err), 0);
    check(&c);
    assert_int_equal(c.n->alerts, 1);
    assert_int_equal(c.n->alert[0].rule, SMI_RULE_ALERT_LOST);
    smi_machine_tick(c.n, 15000);
    check(&c);
    smi_machine_tick(c.n, 26000);
    check(&c);
    assert_int_equal(c.n->alerts, 3); /* lost, the monitor, the other GPU */
    assert_int_equal(c.n->alert[1].rule, SMI_RULE_ALERT_MONITOR);
    assert_int_equal(c.n->alert[1].source, 0);
    assert_int_equal(c.n->alert[2].rule, SMI_RULE_ALERT_STALE);
    end(&c);
}

static int make(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int sweep_up(void **state)
{
    static const char *const names[] = {"a.csv", "b.csv", "c.csv", "d.csv"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    return rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_cut_gives_the_same_file),
        cmocka_unit_test(a_line_without_end_is_left_out),
        cmocka_unit_test(parts_follow_each_other),
        cmocka_unit_test(a_full_disk_loses_whole_lines_only),
        cmocka_unit_test(a_file_that_is_taken_away_is_begun_again),
        cmocka_unit_test(a_rotation_that_fails_moves_no_part),
        cmocka_unit_test(idle_is_said_from_five_minutes_on),
        cmocka_unit_test(heat_is_said_from_a_minute_on),
        cmocka_unit_test(heat_has_pauses),
        cmocka_unit_test(other_peoples_gpus_are_not_said),
        cmocka_unit_test(memory_nearly_full_is_said),
        cmocka_unit_test(a_gpu_that_hangs_is_said_until_it_draws_power_or_is_not_read),
        cmocka_unit_test(what_is_silent_or_lost_is_said),
    };
    return cmocka_run_group_tests(tests, make, sweep_up);
}
