/* Runs that are read a second time, for their curves. */
#include "sweep/reread.h"

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

static void test_timelines(void **state)
{
    const char *path = runs;
    struct smi_discover_opts d = {.format = -1, .threads = 1};
    struct smi_options o = {.idle_below = 1000000, .timelines = true};
    const struct smi_reread how = {&path, 1, &d, &o};
    struct smi_sweep s;
    size_t order[2];
    (void)state;
    assert_int_equal(smi_sweep_read(&s, &path, 1, &d, &o, NULL), 0);
    assert_int_equal(s.n, 2);
    s.again = &how;
    smi_reread_choose(&s, &how, order);
    assert_int_equal(smi_reread_timelines(&s, &how, order, 2, 8, NULL), 0);
    assert_true(s.runs[0].timeline && s.runs[0].timeline->ncurves > 0);
    assert_true(s.runs[1].timeline && s.runs[1].timeline->ncurves > 0);
    smi_sweep_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_timelines)};
    return cmocka_run_group_tests(tests, make_runs, remove_runs);
}
