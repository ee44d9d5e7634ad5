/* Runs that are read a second time, for their curves, where memory cannot be had, at every single allocation:
 * it is said, or makes no difference. */
#include "../fuzz/fail.c"

#include "sweep/reread.h"
#include "report/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const gpus[] = {
    "timestamp, index, name, uuid, pstate, utilization.gpu [%], clocks_event_reasons.active, power.draw [W]\n"
    "2026/07/03 22:11:09.763, 0, A, GPU-1, P0, 38 %, 0x0000000000000004, 627.40 W\n"
    "2026/07/03 22:11:09.764, 1, \"B, or a name that is longer than one block\", GPU-2, P0, 5 %, [N/A], 80 "
    "W\n"
    "2026/07/03 22:11:10.763, 0, A, GPU-1, P0, x, 0x0000000000000004, 600 W\n",
    "#Date       Time        gpu   pwr    sm\n#YYYYMMDD   HH:MM:SS    Idx     W     %\n"
    " 20210102   23:59:59      0    37     0\n 20210103   00:00:01      1    x     1\nnone of ours\n"};
static const char runlog[] =
    "{\"ts\": \"2026-07-03T22:11:08+00:00\", \"type\": \"event\", \"event\": \"start\", \"data\": {\"host\": "
    "\"a\"}}\n"
    "{\"ts\": \"2026-07-03T22:11:11Z\", \"type\": \"phase\", \"name\": \"fit\", \"seconds\": 2}\n";

static void judge(int rc, const struct smi_buf *text, const struct smi_buf *before, const struct smi_err *err)
{
    bool same = rc == 0 && text->n == before->n && memcmp(text->p, before->p, text->n) == 0;
    if (!same)
        assert_true(rc < 0 && err->code == SMI_ENOMEM && err->text[0]);
}

static char top[] = "/tmp/smilog-reread-XXXXXX", runs[64];

static void put_file(const char *dir, const char *name, const char *text)
{
    char whole[256];
    FILE *f;
    snprintf(whole, sizeof whole, "%s/%s", dir, name);
    f = fopen(whole, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

static int make_runs(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(top));
    snprintf(runs, sizeof runs, "%s/runs", top);
    assert_int_equal(mkdir(runs, 0700), 0);
    for (int i = 0; i < 2; i++) {
        char dir[128];
        snprintf(dir, sizeof dir, "%s/lr=%d", runs, i);
        assert_int_equal(mkdir(dir, 0700), 0);
        put_file(dir, "hw.csv", gpus[i]);
        put_file(dir, "run.jsonl", i ? "" : runlog);
        put_file(dir, "config.json", "{\"depth\": 7}");
    }
    return 0;
}

static int remove_runs(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", top);
    return system(command);
}

/* All that is said of the sweep, both runs of which are read a second time. */
static int read_sweep(struct smi_buf *text, struct smi_err *err)
{
    const char *path = runs;
    struct smi_discover_opts d = {.format = -1, .threads = 1};
    struct smi_options o = {.idle_below = 1000000, .timelines = true};
    const struct smi_reread how = {&path, 1, &d, &o};
    const struct smi_render_options look = {.all = true};
    struct smi_sweep s;
    size_t order[2];
    int rc = smi_sweep_read(&s, &path, 1, &d, &o, err);
    if (rc)
        return rc;
    if (s.n != 2)
        fail_msg("%zu runs", s.n);
    s.again = &how;
    rc = smi_reread_choose(&s, &how, order);
    rc = rc ? rc : smi_reread_timelines(&s, &how, order, 2, 8, err);
    for (size_t i = 0; i < 2 && !rc; i++)
        smi_buf_fmt(text, "%zu curves\n", s.runs[i].timeline ? s.runs[i].timeline->ncurves : 0);
    rc = rc ? rc : smi_write_json(text, &s, &look);
    smi_sweep_fini(&s);
    return rc || text->failed ? smi_err_nomem(err) : 0;
}

static void test_timelines(void **state)
{
    struct smi_buf before = {0};
    bool failed = true;
    (void)state;
    assert_int_equal(read_sweep(&before, NULL), 0);
    assert_non_null(strstr(before.p, " curves"));
    assert_null(strstr(before.p, "0 curves\n0 curves"));
    for (uint64_t nth = 1; failed; nth++) {
        struct smi_buf text = {0};
        struct smi_err err = {0};
        int rc;
        fuzz_fail_at(nth, nth & 1, true);
        rc = read_sweep(&text, &err);
        failed = fuzz_fail_disarm();
        judge(rc, &text, &before, &err);
        smi_buf_fini(&text);
    }
    smi_buf_fini(&before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_timelines)};
    fuzz_fail_init();
    return cmocka_run_group_tests(tests, make_runs, remove_runs);
}
