/* test_vectors.c - the vectors at the end of docs/numbers.md, each by its own name, through the public
 * interface: the bytes of a log go in, values of the summary come out. */
#include "base/clock.h"
#include "base/mem.h"
#include "aggregate/ingest.h"
#include "summary/run.h"
#include "summary/gpus.h"
#include "sweep/discover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a log of our own, and its summary ---- */

struct log {
    struct smi_buf b;
    struct smi_summary s;
};

enum { START = 1783030000 }; /* s */

static void put_time(struct log *l, int64_t t_ms)
{
    char t[SMI_CLOCK_TEXT];
    smi_clock_write(t, START * INT64_C(1000) + t_ms, false);
    t[4] = t[7] = '/';
    t[10] = ' ';
    smi_buf_str(&l->b, t);
}

static void begin(struct log *l, const char *header)
{
    memset(l, 0, sizeof *l);
    smi_buf_str(&l->b, header);
}

/* A row of GPU 0 with some power; NULL: absent. */
static void power_row(struct log *l, int64_t t_ms, const char *watt)
{
    put_time(l, t_ms);
    smi_buf_fmt(&l->b, ", 0, %s\n", watt ? watt : "[N/A]");
}

static const char keyed[] = "timestamp, index, power.draw [W]\n", keyless[] = "timestamp, power.draw [W]\n";

static void summarise(struct log *l, int format)
{
    static const struct smi_options o = {.idle_below = 1000000};
    struct smi_input_stats *p = smi_input_stats_new("log", format);
    struct smi_ingest_opts opts = {
        .format = -1, .account = &p->account, .devices = &p->devices, .to = &p->sink};
    struct smi_ingest *in = smi_ingest_open(&opts);
    struct smi_run run = {.name = "run"};
    p->opts.idle_below = o.idle_below;
    assert_int_equal(smi_ingest_feed(in, l->b.p, l->b.n, NULL), 0);
    assert_int_equal(smi_ingest_finish(in, NULL), 0);
    assert_int_equal(smi_ingest_format(in), format);
    p->base = smi_ingest_base(in);
    for (size_t i = 0; i < p->devices.n; i++)
        p->keyed |= p->devices.list[i].ordinal < 0;
    smi_ingest_close(in);
    smi_run_add_part(&run, p);
    assert_int_equal(smi_run_build(&l->s, &run, &o, NULL), 0);
    smi_run_fini(&run);
    smi_buf_fini(&l->b);
}

/* ---- gaps ---- */

/* n intervals of `often` ms with one of `once` among them (0: none): how many gaps, and what is covered. */
static void expect_gaps(int64_t often, int n, int64_t once, int gaps)
{
    for (int at = 0; at <= n; at += n / 2) { /* first, in the middle, last */
        struct log l;
        int64_t t = 0;
        begin(&l, keyed);
        power_row(&l, t, "100.00");
        for (int i = 0; i <= n; i++) {
            t += i == at ? once : often;
            power_row(&l, t, "100.00");
        }
        summarise(&l, SMI_FMT_QUERY);
        assert_int_equal(l.s.inputs[0].gaps, gaps);
        assert_int_equal(l.s.inputs[0].interval_s.micro, often * 1000);
        assert_int_equal(l.s.inputs[0].interval_max_s.micro, once * 1000);
        assert_int_equal(l.s.covered_ms, often * n + (gaps ? 0 : once));
        assert_int_equal(l.s.duration_s.micro, (often * n + once) * 1000);
        smi_summary_fini(&l.s);
    }
}

static void gap_none_of_582_among_110(void **state)
{
    (void)state;
    expect_gaps(110, 40, 582, 0);
}

static void gap_one_of_30000_among_2000(void **state)
{
    (void)state;
    expect_gaps(2000, 40, 30000, 1);
}

static void gap_one_of_180580_among_1000(void **state)
{
    (void)state;
    expect_gaps(1000, 10, 180580, 1);
}

static void gap_none_of_1500_among_7(void **state)
{
    (void)state;
    expect_gaps(7, 100, 1500, 0);
}

/* No vector, but what they leave open: ten intervals of 1 s, as a class, end below 10,240 ms. */
static void gap_begins_above_the_class_of_ten_intervals(void **state)
{
    (void)state;
    expect_gaps(1000, 40, 10239, 0);
    expect_gaps(1000, 40, 10240, 1);
}

/* ---- energy ---- */

static void energy_of_100_w_over_36_s(void **state)
{
    struct log l;
    (void)state;
    begin(&l, keyed);
    power_row(&l, 0, "100.00");
    power_row(&l, 36000, "100.00");
    summarise(&l, SMI_FMT_QUERY);
    assert_true(l.s.energy_wh.has);
    assert_int_equal(l.s.energy_wh.micro, 1000000);
    assert_int_equal(l.s.gpus[0].energy_wh.micro, 1000000);
    smi_summary_fini(&l.s);
}

static void energy_up_and_down_is_400_joule(void **state)
{
    struct log l;
    (void)state;
    begin(&l, keyed);
    power_row(&l, 0, "0.00");
    power_row(&l, 2000, "200.00");
    power_row(&l, 4000, "0.00");
    summarise(&l, SMI_FMT_QUERY);
    assert_int_equal(l.s.energy_wh.micro, 111111); /* 400 / 3600 */
    smi_summary_fini(&l.s);
}

static void energy_spans_a_row_without_power(void **state)
{
    struct log l;
    (void)state;
    begin(&l, "timestamp, index, power.draw [W], utilization.gpu [%]\n");
    for (int i = 0; i < 3; i++) {
        put_time(&l, 1000 * i);
        smi_buf_fmt(&l.b, ", 0, %s, 50 %%\n", i == 1 ? "[N/A]" : "100.00 W");
    }
    summarise(&l, SMI_FMT_QUERY);
    assert_int_equal(l.s.inputs[0].account.rows, 3);
    assert_int_equal(l.s.energy_wh.micro, 55556); /* 200 / 3600 */
    smi_summary_fini(&l.s);
}

static void energy_of_one_row_is_none(void **state)
{
    struct log l;
    (void)state;
    begin(&l, keyed);
    power_row(&l, 0, "100.00");
    summarise(&l, SMI_FMT_QUERY);
    assert_int_equal(l.s.ngpus, 1);
    assert_false(l.s.energy_wh.has);
    assert_false(l.s.gpus[0].energy_wh.has);
    assert_true(l.s.nproblems > 0); /* and it says why */
    smi_summary_fini(&l.s);
}

/* ---- how many GPUs: the plan, and the summary of a log with these times ---- */

static void expect_gpus(const int64_t *t, size_t n, int gpus)
{
    bool hard[SMI_BURST_PLAN_ROWS] = {false};
    struct smi_burst_plan p = smi_burst_plan_make(t, hard, n, 0);
    struct log l;
    assert_int_equal(p.kind, gpus == 0   ? SMI_BURST_PLAN_UNDECIDED
                             : gpus == 1 ? SMI_BURST_PLAN_ONE
                                         : SMI_BURST_PLAN_BURSTS);
    if (gpus)
        assert_int_equal(p.size, gpus);
    begin(&l, keyless);
    for (size_t i = 0; i < n; i++) {
        put_time(&l, t[i]);
        smi_buf_str(&l.b, ", 100.00 W\n");
    }
    summarise(&l, SMI_FMT_QUERY);
    assert_int_equal(l.s.ngpus, gpus ? gpus : 1);
    for (size_t i = 0; i < l.s.ngpus; i++) {
        assert_int_equal(l.s.gpus[i].pooled, gpus == 0);
        assert_int_equal(l.s.gpus[i].index, gpus ? (int)i : -1);
        assert_int_equal(l.s.gpus[i].samples, n / l.s.ngpus);
    }
    smi_summary_fini(&l.s);
}

static void gpus_four_in_three_bursts(void **state)
{
    static const int64_t t[] = {0, 1, 1, 2, 1003, 1004, 1004, 1005, 2006, 2007, 2007, 2008};
    (void)state;
    expect_gpus(t, 12, 4);
}

static void gpus_one_every_50_ms(void **state)
{
    int64_t t[40];
    (void)state;
    for (int i = 0; i < 40; i++)
        t[i] = i * 151 / 3; /* 0 50 100 151 201 ... */
    expect_gpus(t, 40, 1);
}

static void gpus_one_that_pauses_after_32_rows(void **state)
{
    int64_t t[256] = {0};
    (void)state;
    for (int i = 1; i < 256; i++)
        t[i] = t[i - 1] + (i % 32 ? 1003 : 3939);
    expect_gpus(t, 256, 1);
}

static void gpus_undecided_from_five_rows(void **state)
{
    static const int64_t t[] = {0, 7, 14, 21, 28};
    (void)state;
    expect_gpus(t, 5, 0);
}

static void gpus_one_of_40_rows_every_7_ms(void **state)
{
    int64_t t[40];
    (void)state;
    for (int i = 0; i < 40; i++)
        t[i] = 7 * i;
    expect_gpus(t, 40, 1);
}

/* ---- the zone ---- */

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };

static const int64_t midnight = INT64_C(20600) * 24 * HOUR;

static void zone_from_a_cpu_log_two_seconds_later(void **state)
{
    int offset = 0;
    int64_t g = midnight + 10 * MINUTE + 46 * SECOND,
            u = midnight - 24 * HOUR + 22 * HOUR + 10 * MINUTE + 48 * SECOND;
    (void)state;
    assert_int_equal(smi_zone_infer(g, g + 2 * SECOND, u, u, SECOND, &offset), 1);
    assert_int_equal(offset, 7200);
}

static void zone_of_nepal_within_1200_ms(void **state)
{
    int64_t u = midnight + 9 * HOUR;
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        int offset = 0;
        int64_t g = u + 5 * HOUR + 45 * MINUTE + sign * 1200;
        assert_int_equal(smi_zone_infer(g, g + HOUR, u, u + HOUR, SECOND, &offset), 1);
        assert_int_equal(offset, 5 * 3600 + 45 * 60);
    }
}

static void zone_of_logs_that_begin_and_end_apart_is_none(void **state)
{
    (void)state;
    for (int zone = -3; zone <= 3; zone += 2) {
        int offset = 12345;
        int64_t u = midnight + 9 * HOUR, g = u + zone * HOUR; /* a run of one hour */
        assert_int_equal(smi_zone_infer(g, g + HOUR, u + 7 * MINUTE, u + 80 * MINUTE, SECOND, &offset), 0);
        assert_int_equal(offset, 12345);
    }
}

/* Neither their beginnings nor their ends are of one zone; they overlap best in one zone. */
static void zone_in_which_logs_overlap(void **state)
{
    int offset = 0;
    int64_t u = midnight + 9 * HOUR, g = u + 2 * HOUR + 2 * MINUTE;
    (void)state;
    assert_int_equal(smi_zone_infer(g, g + 100 * MINUTE, u, u + 104 * MINUTE, SECOND, &offset), 1);
    assert_int_equal(offset, 7200);
    assert_int_equal(smi_zone_infer(g, g + 130 * MINUTE, u, u + 134 * MINUTE, SECOND, &offset), 0);
}

/* ---- duplicates ---- */

static void duplicate_with_a_key_the_first_stays(void **state)
{
    struct log l;
    (void)state;
    begin(&l, keyed);
    power_row(&l, 1000, "50.00 W");
    power_row(&l, 1000, "51.00 W");
    summarise(&l, SMI_FMT_QUERY);
    assert_int_equal(l.s.inputs[0].account.rows, 1);
    assert_int_equal(l.s.inputs[0].account.duplicates, 1);
    assert_int_equal(l.s.gpus[0].samples, 1);
    assert_int_equal(l.s.gpus[0].nstats, 1);
    assert_int_equal(l.s.gpus[0].stats[0].max.micro, 50000000);
    smi_summary_fini(&l.s);
}

static void duplicate_without_a_key_is_a_row(void **state)
{
    struct log l;
    (void)state;
    begin(&l, keyless);
    for (int i = 50; i <= 51; i++) {
        put_time(&l, 1000);
        smi_buf_fmt(&l.b, ", %d.00 W\n", i);
    }
    summarise(&l, SMI_FMT_QUERY);
    assert_int_equal(l.s.inputs[0].account.rows, 2);
    assert_int_equal(l.s.inputs[0].account.duplicates, 0);
    smi_summary_fini(&l.s);
}

static void duplicate_of_whole_seconds_is_a_row(void **state)
{
    static const char head[] = "#Time        gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk\n"
                               "#HH:MM:SS    Idx     W     C     C     %     %     %     %   MHz   MHz\n";
    struct log l;
    (void)state;
    begin(&l, head);
    for (int i = 0; i < 2; i++)
        smi_buf_str(&l.b, " 10:00:01      0   212    48     -    85    42     0     0  9251  1695\n");
    summarise(&l, SMI_FMT_DMON);
    assert_int_equal(l.s.inputs[0].account.rows, 2);
    assert_int_equal(l.s.inputs[0].account.duplicates, 0);
    assert_int_equal(l.s.gpus[0].samples, 2);
    smi_summary_fini(&l.s);
}

/* ---- runs: files of these names, found on disk ---- */

static const char query[] =
    "timestamp, utilization.gpu [%], power.draw [W]\n2026/07/03 22:10:46.109, 50 %, 70.00 W\n";
static const char dmon[] = "# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk\n"
                           "# Idx     W     C     C     %     %     %     %   MHz   MHz\n"
                           "    0    70    35     -     0     0     0     0  5001  1590\n";
static const char cpu[] = "timestamp,usr_pct,idle_pct\n2026-07-03T22:10:46.109Z,12.5,80.0\n";
static const char runlog[] =
    "{\"ts\": \"2026-07-03T22:10:46.109Z\", \"type\": \"event\", \"event\": \"start\"}\n";

struct named {
    const char *name, *text;
};

/* want: "run:files;run:files" with the directory's own name as "@". */
static void expect_runs(const struct named *f, size_t n, const char *want)
{
    char dir[] = "/tmp/smilog-vectors-XXXXXX", path[128], got[512] = "";
    const struct smi_discover_opts o = {.format = -1, .threads = 1};
    const char *root = dir;
    struct smi_found found;
    assert_non_null(mkdtemp(dir));
    for (size_t i = 0; i < n; i++) {
        FILE *out;
        snprintf(path, sizeof path, "%s/%s", dir, f[i].name);
        out = fopen(path, "w");
        assert_non_null(out);
        fputs(f[i].text, out);
        fclose(out);
    }
    smi_discover(&found, &root, 1, &o);
    for (size_t i = 0; i < found.runs; i++) {
        const struct smi_found_run *r = &found.run[i];
        bool own = strcmp(r->name, strrchr(dir, '/') + 1) == 0;
        sprintf(got + strlen(got), "%s%s:", i ? ";" : "", own ? "@" : r->name);
        for (size_t k = 0; k < r->files; k++)
            sprintf(got + strlen(got), "%s%s", k ? "," : "", r->file[k].shown);
    }
    smi_found_fini(&found);
    for (size_t i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, f[i].name);
        unlink(path);
    }
    rmdir(dir);
    assert_string_equal(got, want);
}

#define EXPECT_RUNS(want, ...)                         \
    do {                                               \
        static const struct named f[] = {__VA_ARGS__}; \
        expect_runs(f, sizeof f / sizeof *f, want);    \
    } while (0)

static void runs_a_and_b_by_their_stems(void **state)
{
    (void)state;
    EXPECT_RUNS("a:a_cpu.csv,a_gpu.csv;b:b_cpu.csv,b_gpu.csv", {"a_gpu.csv", query}, {"a_cpu.csv", cpu},
                {"b_gpu.csv", query}, {"b_cpu.csv", cpu});
}

static void runs_m1_and_m2_less_role_words(void **state)
{
    (void)state;
    EXPECT_RUNS("M1:nvidia-smi-dmon-M1.csv;M2:nvidia-smi-dmon-M2.csv", {"nvidia-smi-dmon-M1.csv", dmon},
                {"nvidia-smi-dmon-M2.csv", dmon});
}

static void runs_of_role_words_only_keep_the_stem(void **state)
{
    (void)state;
    EXPECT_RUNS("gpu_log:gpu_log.csv;gpu_usage:gpu_usage.csv", {"gpu_log.csv", query},
                {"gpu_usage.csv", query});
}

static void runs_of_one_stem_and_one_format_are_dissolved(void **state)
{
    (void)state;
    EXPECT_RUNS("low_gpu:low_gpu.csv;low_power_gpu:low_power_gpu.csv", {"low_power_gpu.csv", query},
                {"low_gpu.csv", query});
}

static void runs_hwmonitor_four_are_one(void **state)
{
    (void)state;
    EXPECT_RUNS("@:cpu_metrics.csv,hw_dmon.csv,hw_metrics.csv,run.jsonl", {"hw_metrics.csv", query},
                {"hw_dmon.csv", dmon}, {"cpu_metrics.csv", cpu}, {"run.jsonl", runlog});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gap_none_of_582_among_110),
        cmocka_unit_test(gap_one_of_30000_among_2000),
        cmocka_unit_test(gap_one_of_180580_among_1000),
        cmocka_unit_test(gap_none_of_1500_among_7),
        cmocka_unit_test(gap_begins_above_the_class_of_ten_intervals),
        cmocka_unit_test(energy_of_100_w_over_36_s),
        cmocka_unit_test(energy_up_and_down_is_400_joule),
        cmocka_unit_test(energy_spans_a_row_without_power),
        cmocka_unit_test(energy_of_one_row_is_none),
        cmocka_unit_test(gpus_four_in_three_bursts),
        cmocka_unit_test(gpus_one_every_50_ms),
        cmocka_unit_test(gpus_one_that_pauses_after_32_rows),
        cmocka_unit_test(gpus_undecided_from_five_rows),
        cmocka_unit_test(gpus_one_of_40_rows_every_7_ms),
        cmocka_unit_test(zone_from_a_cpu_log_two_seconds_later),
        cmocka_unit_test(zone_of_nepal_within_1200_ms),
        cmocka_unit_test(zone_of_logs_that_begin_and_end_apart_is_none),
        cmocka_unit_test(zone_in_which_logs_overlap),
        cmocka_unit_test(duplicate_with_a_key_the_first_stays),
        cmocka_unit_test(duplicate_without_a_key_is_a_row),
        cmocka_unit_test(duplicate_of_whole_seconds_is_a_row),
        cmocka_unit_test(runs_a_and_b_by_their_stems),
        cmocka_unit_test(runs_m1_and_m2_less_role_words),
        cmocka_unit_test(runs_of_role_words_only_keep_the_stem),
        cmocka_unit_test(runs_of_one_stem_and_one_format_are_dissolved),
        cmocka_unit_test(runs_hwmonitor_four_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
