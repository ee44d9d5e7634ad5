/* test_machine.c - the state of this moment: after the last byte of a run's logs, fed in pieces of any size
 * and in any turn, it says of the whole run what summarize says of the same files; windows against a slow
 * sum. */
#include "summary/run.h"
#include "live/machine.h"
#include "sweep/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static unsigned long seed = 1;

static unsigned draw(unsigned n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}

/* ---- a run, in pieces ---- */

struct bytes {
    char *p;
    size_t n, at;
};

static struct bytes slurp(const char *dir, const char *name)
{
    char path[512];
    struct bytes b = {0};
    FILE *f;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "rb");
    if (!f)
        return b;
    b.p = malloc(1 << 22);
    b.n = fread(b.p, 1, 1 << 22, f);
    fclose(f);
    return b;
}

static const char *const names[] = {"hw_metrics.csv", "hw_dmon.csv", "cpu_metrics.csv", "run.jsonl"};
enum { NAMES = sizeof names / sizeof *names };

static struct smi_machine *play(const char *dir, int offset_s, unsigned most)
{
    struct smi_machine_opts o = {.has_offset = true, .offset_s = offset_s};
    struct smi_err err = {0};
    struct smi_machine *n = smi_machine_new(&o);
    struct bytes b[NAMES];
    int64_t mono = 1000;
    size_t left = 0;
    int source[NAMES];
    for (int i = 0; i < NAMES; i++) {
        b[i] = slurp(dir, names[i]);
        left += b[i].n;
        source[i] = smi_machine_add_source(n, names[i], -1, 1000)->place;
    }
    while (left) {
        int i = (int)draw(NAMES);
        size_t some = b[i].n - b[i].at, k = 1 + draw(most);
        some = some < k ? some : k;
        if (!some)
            continue;
        if (smi_machine_feed(n->source[source[i]], b[i].p + b[i].at, some, mono, &err))
            fail_msg("%s", err.text);
        b[i].at += some;
        left -= some;
        mono += draw(3);
    }
    for (int i = 0; i < NAMES; i++) {
        assert_int_equal(smi_machine_end(n->source[source[i]], &err), 0);
        free(b[i].p);
    }
    return n;
}

static const struct smi_stats *stats_of(const struct smi_stats *s, size_t n, unsigned metric)
{
    for (size_t i = 0; i < n; i++)
        if (s[i].metric == metric)
            return &s[i];
    return NULL;
}

static void same_figures(const struct smi_machine *n, const struct smi_live_gpu *b, const struct smi_stats *s,
                         size_t nstats, unsigned *compared)
{
    struct smi_machine_figures f;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        const struct smi_stats *w = stats_of(s, nstats, m);
        if (smi_metrics[m].kind == SMI_COUNTER || !n->counted[m])
            continue;
        smi_machine_whole_run(n, b, m, &f);
        if (!w || !w->mean.has) {
            assert_true(f.n == 0 || !w || smi_metrics[m].kind == SMI_STATE);
            continue;
        }
        if (f.n != w->count || f.mean != w->mean.micro || f.max != w->max.micro || f.p95 != w->p[5].micro)
            fail_msg("GPU %d %s: %lld %lld %lld %lld, not %lld %lld %lld %lld", b->index, smi_metrics[m].key,
                     (long long)f.n, (long long)f.mean, (long long)f.p95, (long long)f.max,
                     (long long)w->count, (long long)w->mean.micro, (long long)w->p[5].micro,
                     (long long)w->max.micro);
        ++*compared;
    }
}

static const char *const runs[] = {
    "tests/fixtures/sweep/lr=0.03/seed=1", "tests/fixtures/sweep/lr=0.1/seed=3",
    "tests/fixtures/sweep/lr=0.1/seed=4",  "tests/fixtures/sweep/lr=0.3/seed=2",
    "tests/fixtures/sweep/lr=0.3/seed=3",
};

static void whole_run_is_as_summarize_says(void **state)
{
    struct smi_options o = {.idle_below = 1000000};
    struct smi_discover_opts d = {.threads = 1};
    unsigned compared = 0;
    (void)state;
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        struct smi_err err = {0};
        struct smi_sweep s;
        struct smi_machine *n;
        struct smi_machine_totals sums;
        int64_t covered = 0, idle = 0;
        smi_i128 energy = 0;
        assert_int_equal(smi_sweep_read(&s, &runs[r], 1, &d, &o, &err), 0);
        assert_int_equal(s.n, 1);
        n = play(runs[r], 7200, r == 0 ? 3 : 5000);
        assert_int_equal(n->gpus,
                         s.runs[0].ngpus - (s.runs[0].ngpus && s.runs[0].gpus[s.runs[0].ngpus - 1].pooled));
        for (size_t i = 0; i < n->gpus; i++) {
            const struct smi_gpu *g = &s.runs[0].gpus[i];
            assert_string_equal(n->gpu[i]->uuid ? n->gpu[i]->uuid : "-", g->uuid ? g->uuid : "-");
            assert_int_equal(n->gpu[i]->index, g->index);
            same_figures(n, n->gpu[i], g->stats, g->nstats, &compared);
            covered += g->covered_ms;
            idle += smi_idle_ms(&g->waste);
            energy += g->energy_wh.micro;
        }
        same_figures(n, &n->host, s.runs[0].host, s.runs[0].nhost, &compared);
        smi_machine_totals(n, NULL, &sums);
        assert_int_equal(sums.covered_ms, covered);
        assert_int_equal(sums.idle_ms, idle);
        assert_true(sums.energy_wh.has);
        assert_in_range(sums.energy_wh.micro, (int64_t)energy - 1, (int64_t)energy + 1);
        smi_machine_free(n);
        smi_sweep_fini(&s);
    }
    assert_true(compared > 40);
}

/* ---- time ---- */

static void feed(struct smi_machine *n, int source, int64_t mono, const char *text)
{
    struct smi_err err = {0};
    if (smi_machine_feed(n->source[source], text, strlen(text), mono, &err))
        fail_msg("%s", err.text);
}

#define HEAD "timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]\n"

static struct smi_machine *fresh(void)
{
    struct smi_machine_opts o = {.has_offset = true};
    struct smi_machine *n = smi_machine_new(&o);
    assert_int_equal(smi_machine_add_source(n, "query", SMI_FMT_QUERY, 1000)->place, 0);
    return n;
}

static void what_is_old_is_said_to_be(void **state)
{
    struct smi_machine *n = fresh();
    (void)state;
    feed(n, 0, 1000,
         HEAD "2026/07/03 10:00:00.000, 0, 90 %, 100 MiB, 300.00 W\n"
              "2026/07/03 10:00:00.000, 1, 0 %, 100 MiB, 70.00 W\n");
    assert_int_equal(n->gpus, 2);
    assert_int_equal(smi_machine_reading_of(n, n->gpu[0], SMI_GPU_UTIL)->v, 90000000);
    assert_true(smi_machine_shown_since(n->gpu[1], SMI_CONDITION_IDLE) == 1000);
    assert_true(smi_machine_shown_since(n->gpu[0], SMI_CONDITION_IDLE) == SMI_NO_READING);
    smi_machine_tick(n, 3900);
    assert_non_null(smi_machine_reading_of(n, n->gpu[0], SMI_GPU_UTIL));
    assert_int_equal(n->gpu[0]->state, SMI_GPU_OK);
    feed(n, 0, 4000, "2026/07/03 10:00:03.000, 0, 91 %, 100 MiB, 300.00 W\n");
    smi_machine_tick(n, 4500);
    assert_int_equal(n->gpu[0]->state, SMI_GPU_OK);
    assert_int_equal(n->gpu[1]->state, SMI_GPU_STALE);
    assert_null(smi_machine_reading_of(n, n->gpu[1], SMI_GPU_UTIL));
    assert_int_equal(smi_machine_age(n, n->gpu[1]), 3500);
    assert_int_equal(n->source[0]->state, SMI_SOURCE_READING);
    assert_int_equal(n->t_ms - n->first_ms, 3500);
    smi_machine_tick(n, 60000);
    assert_int_equal(n->source[0]->state, SMI_SOURCE_SILENT);
    feed(n, 0, 61000, "2026/07/03 10:01:00.000, 1, 50 %, 100 MiB, 300.00 W\n");
    assert_int_equal(n->source[0]->state, SMI_SOURCE_READING);
    assert_int_equal(n->gpu[1]->state, SMI_GPU_OK);
    assert_string_equal(n->event[0].text, "GPU 1 sampling again after 1m00s");
    assert_int_equal(n->event[0].kind, SMI_EVENT_OK);
    smi_machine_free(n);
}

static void a_monitor_that_begins_anew_goes_on(void **state)
{
    struct smi_machine *n = fresh();
    struct smi_machine_figures f;
    (void)state;
    feed(n, 0, 1000, HEAD "2026/07/03 10:00:00.000, 0, 90 %, 100 MiB, 300.00 W\n2026/07/03 10:00:01.0");
    smi_machine_restart(n->source[0]);
    feed(n, 0, 9000,
         "timestamp, index, power.draw [W], utilization.gpu [%]\n" /* other columns */
         "2026/07/03 10:00:08.000, 0, 200.00 W, 10 %\n");
    assert_int_equal(n->gpus, 1);
    assert_int_equal(smi_machine_reading_of(n, n->gpu[0], SMI_GPU_UTIL)->v, 10000000);
    smi_machine_whole_run(n, n->gpu[0], SMI_POWER, &f);
    assert_int_equal(f.n, 2);
    assert_int_equal(f.mean, 250000000);
    smi_machine_free(n);
}

static void a_lost_gpu_is_lost_and_may_come_back(void **state)
{
    struct smi_machine *n = fresh();
    (void)state;
    feed(n, 0, 1000, HEAD "2026/07/03 10:00:00.000, 0, 90 %, 100 MiB, 300.00 W\n");
    feed(n, 0, 2000, "2026/07/03 10:00:01.000, 0, [GPU is lost], [GPU is lost], [GPU is lost]\n");
    assert_int_equal(n->gpu[0]->state, SMI_GPU_LOST);
    assert_string_equal(n->event[0].text, "GPU 0 lost: it has fallen off the bus");
    assert_int_equal(n->event[0].kind, SMI_EVENT_ERROR);
    feed(n, 0, 3000, "2026/07/03 10:00:02.000, 0, 90 %, 100 MiB, 300.00 W\n");
    assert_int_equal(n->gpu[0]->state, SMI_GPU_OK);
    smi_machine_free(n);
}

static void rows_without_a_key_do_not_wait_for_ever(void **state)
{
    struct smi_machine *n = fresh();
    (void)state;
    feed(n, 0, 1000,
         "timestamp, utilization.gpu [%], memory.used [MiB]\n2026/07/03 10:00:00.000, 90 %, 100 MiB\n");
    feed(n, 0, 2000, "2026/07/03 10:00:01.000, 91 %, 100 MiB\n");
    assert_int_equal(n->gpus, 0);
    feed(n, 0, 5000, "2026/07/03 10:00:04.000, 92 %, 100 MiB\n");
    assert_int_equal(n->gpus, 1);
    assert_int_equal(smi_machine_reading_of(n, n->gpu[0], SMI_GPU_UTIL)->v, 92000000);
    smi_machine_free(n);
}

/* ---- windows ---- */

static void windows_are_sums_of_their_cells(void **state)
{
    enum { N = 5000 };
    static int64_t at[N], v[N];
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct smi_history r = {0};
        int64_t t = 1751536800000 + draw(100000), to;
        for (int i = 0; i < N; i++) {
            t += draw(round < 10 ? 300 : 3000);
            at[i] = t;
            v[i] = (int64_t)draw(1000000);
            smi_history_add(&r, at[i], v[i], true);
        }
        to = t - t % 5000 + 5000;
        for (int k = 0; k < 20; k++) {
            bool coarse = draw(2);
            int64_t step = coarse ? SMI_HISTORY_COARSE_MS : SMI_HISTORY_FINE_MS,
                    end = to - step * (int64_t)draw(50),
                    from = end - step * (int64_t)(1 + draw(coarse ? 600 : 200));
            struct smi_history_sum got = {0}, want = {0};
            for (int i = 0; i < N; i++)
                if (at[i] >= from && at[i] < end) {
                    want.max = want.n == 0 || v[i] > want.max ? v[i] : want.max;
                    want.sum += v[i];
                    want.n++;
                }
            smi_history_sum_between(&r, from, end, coarse, &got, NULL);
            assert_int_equal(got.n, want.n);
            assert_int_equal(got.sum, want.sum);
            assert_int_equal(got.max, want.max);
        }
        smi_history_fini(&r);
    }
}

static void sparks_show_when_it_was(void **state)
{
    struct smi_machine *n = fresh();
    int64_t cell[10];
    (void)state;
    feed(n, 0, 0, HEAD);
    for (int i = 0; i < 600; i++) {
        char row[128];
        snprintf(row, sizeof row, "2026/07/03 10:%02d:%02d.500, 0, %d %%, 100 MiB, 300.00 W\n", i / 60,
                 i % 60, i / 60 * 10);
        feed(n, 0, 1000 * i, row);
    }
    smi_machine_sparkline(n, n->gpu[0], SMI_HISTORY_UTIL, 600000, false, cell, 10);
    for (int i = 0; i < 10; i++)
        assert_int_equal(cell[i], i * 10000000);
    smi_machine_sparkline(n, n->gpu[0], SMI_HISTORY_UTIL, 0, false, cell, 10);
    for (int i = 1; i < 10; i++)
        assert_true(cell[i] > cell[i - 1]);
    smi_machine_free(n);
}

/* Two logs tell of a GPU, four readings a second: in the first five minutes both tables say the same, later
 * not. */
static void a_window_of_a_short_run_is_the_run(void **state)
{
    struct smi_machine *n = fresh();
    int dmon = smi_machine_add_source(n, "dmon", -1, 1000)->place;
    struct smi_machine_figures five, whole;
    (void)state;
    feed(n, dmon, 0,
         "#Date       Time        gpu   pwr  gtemp    sm   mem\n#YYYYMMDD   HH:MM:SS    Idx     W      C     "
         "%     %\n");
    feed(n, dmon, 0, " 20250703   10:00:00      0   100     50     3     1\n");
    feed(n, 0, 0, HEAD);
    for (int i = 0; i < 1600; i++) {
        char row[128];
        snprintf(row, sizeof row, "2025/07/03 10:%02d:%02d.%03d, 0, %d %%, 100 MiB, %d.00 W\n", i / 240,
                 i / 4 % 60, i % 4 * 250, i % 97, i % 313);
        feed(n, 0, 250 * i, row);
        smi_machine_window(n, NULL, SMI_HISTORY_POWER, &five);
        smi_machine_whole_run(n, NULL, SMI_POWER, &whole);
        if (i < 1199)
            assert_memory_equal(&five, &whole, sizeof five);
    }
    assert_int_equal(whole.n, 1600);
    assert_true(five.n >= 1196 && five.n <= 1200);
    smi_machine_free(n);
}

static void events_are_kept_whole(void **state)
{
    struct smi_machine *n = fresh();
    char text[2 * SMI_MACHINE_TEXT + 1] = "";
    (void)state;
    for (int i = 0; i < SMI_MACHINE_TEXT - 1; i++)
        strcat(text, "\xc3\xbc"); /* u with two dots */
    smi_machine_add_event(n, SMI_EVENT_INFO, "%.*s", SMI_MACHINE_TEXT, text);
    assert_true(n->event[0].t_ms > INT64_C(1700000000000)); /* no log has said the time: this machine's */
    assert_int_equal(strlen(n->event[0].text) % 2, 0);
    assert_true(strlen(n->event[0].text) < SMI_MACHINE_TEXT &&
                strlen(n->event[0].text) >= SMI_MACHINE_TEXT - 4);
    for (int i = 0; i < 1000; i++)
        smi_machine_add_event(n, SMI_EVENT_INFO, "event %d", i);
    assert_int_equal(n->events, 1001);
    assert_string_equal(n->event[1000 % SMI_MACHINE_EVENTS_MAX].text, "event 999");
    smi_machine_free(n);
}

/* ---- processes ---- */

#define APPS_HEAD "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"
#define AT(s) "2026/07/03 22:11:" s ".500, "

static void feeds(struct smi_machine *n, int source, const char *text, int64_t mono)
{
    struct smi_err err = {0};
    assert_int_equal(smi_machine_feed(n->source[source], text, strlen(text), mono, &err), 0);
}

static void processes_are_those_of_the_last_whole_block(void **state)
{
    struct smi_machine_opts o = {.has_offset = true};
    struct smi_machine *n = smi_machine_new(&o);
    int apps = smi_machine_add_source(n, "apps", SMI_FMT_APPS, 1000)->place;
    const struct smi_gpu_process *p;
    size_t k;
    (void)state;
    assert_null(smi_machine_processes(n, &k));
    feeds(n, apps, APPS_HEAD AT("01") "GPU-a, 7, /x, 5 MiB\n" AT("01") "GPU-b, 7, /x, 9 MiB\n", 1000);
    feeds(n, apps, AT("02") "GPU-a, 7, /x, 6 MiB\n", 2000);
    p = smi_machine_processes(n, &k); /* the second block may still go on */
    assert_int_equal(k, 2);
    assert_int_equal(p[0].fb + p[1].fb, 14000000);
    feeds(n, apps, AT("02") "GPU-a, 8, /y, [Insufficient Permissions]\n", 2001);
    smi_machine_tick(n, 2200);
    p = smi_machine_processes(n, &k);
    assert_int_equal(k, 2);
    assert_int_equal(p[0].pid, 7);
    assert_int_equal(p[0].fb, 6000000);
    assert_string_equal(p[0].gpu->uuid, "GPU-a");
    assert_int_equal(p[1].pid, 8);
    assert_int_equal(p[1].fb, SMI_NO_READING);
    smi_machine_tick(n, 5002); /* without a process no row is printed: after three intervals none is there */
    assert_null(smi_machine_processes(n, &k));
    assert_int_equal(k, 0);
    smi_machine_free(n);
}

static void a_gpu_that_was_met_twice_is_one(void **state)
{
    struct smi_machine_opts o = {.has_offset = true};
    struct smi_machine *n = smi_machine_new(&o);
    int dmon = smi_machine_add_source(n, "dmon", SMI_FMT_DMON, 1000)->place;
    int apps = smi_machine_add_source(n, "apps", SMI_FMT_APPS, 1000)->place;
    int query = smi_machine_add_source(n, "query", SMI_FMT_QUERY, 1000)->place;
    const struct smi_gpu_process *p;
    size_t k;
    (void)state;
    feeds(n, dmon,
          "#Date       Time        gpu    sm\n#YYYYMMDD   HH:MM:SS    Idx     %\n"
          " 20260703   22:11:01      0    50\n 20260703   22:11:01      1    60\n",
          1000);
    feeds(n, apps, APPS_HEAD AT("01") "GPU-a, 7, /x, 5 MiB\n" AT("01") "GPU-b, 7, /x, 9 MiB\n", 1000);
    assert_int_equal(n->gpus, 4); /* nothing says yet which uuid is which index */
    feeds(n, query,
          "timestamp, index, uuid, utilization.gpu [%]\n" AT("01") "0, GPU-b, 50 %\n" AT(
              "01") "1, GPU-a, 60 %\n",
          1000);
    feeds(n, query, AT("02") "0, GPU-b, 50 %\n" AT("02") "1, GPU-a, 60 %\n", 2000);
    feeds(n, apps, AT("02") "GPU-a, 7, /x, 6 MiB\n", 2000);
    smi_machine_tick(n, 2200);
    assert_int_equal(n->gpus, 2);
    assert_string_equal(n->gpu[0]->uuid, "GPU-b");
    assert_string_equal(n->gpu[1]->uuid, "GPU-a");
    p = smi_machine_processes(n, &k);
    assert_int_equal(k, 1);
    assert_ptr_equal(p[0].gpu, n->gpu[1]);
    smi_machine_free(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gpu_that_was_met_twice_is_one),
        cmocka_unit_test(processes_are_those_of_the_last_whole_block),
        cmocka_unit_test(whole_run_is_as_summarize_says),
        cmocka_unit_test(what_is_old_is_said_to_be),
        cmocka_unit_test(a_monitor_that_begins_anew_goes_on),
        cmocka_unit_test(a_lost_gpu_is_lost_and_may_come_back),
        cmocka_unit_test(rows_without_a_key_do_not_wait_for_ever),
        cmocka_unit_test(windows_are_sums_of_their_cells),
        cmocka_unit_test(sparks_show_when_it_was),
        cmocka_unit_test(a_window_of_a_short_run_is_the_run),
        cmocka_unit_test(events_are_kept_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
