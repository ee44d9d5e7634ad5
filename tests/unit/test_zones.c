/* test_zones.c - zones by name against the C library's own, hours that come twice or never, and the inference
 * of the zone over simulated runs (docs/numbers.md §6). SMILOG_ZONE_CASES=N: so many runs (300; make
 * test-long: 12000). */
#include "base/clock.h"
#include "aggregate/input_stats.h"
#include "summary/gpus.h"
#include "sweep/discover.h"
#include "sweep/sweep.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { MINUTE = 60, HOUR_S = 3600 };

static uint64_t seed = 88172645463325252u;

static int64_t any(int64_t from, int64_t to)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return from + (int64_t)(seed % (uint64_t)(to - from + 1));
}

static int cases(int usual)
{
    const char *n = getenv("SMILOG_ZONE_CASES");
    return n && atoi(n) > 0 ? atoi(n) : usual;
}

static bool there(void)
{
    return access("/usr/share/zoneinfo/Europe/Berlin", R_OK) == 0;
}

/* ---- zones by name ---- */

static int system_offset(time_t t)
{
    struct tm tm;
    localtime_r(&t, &tm);
    return (int)tm.tm_gmtoff;
}

/* Every local time reads back as the offset that the C library has at that moment. */
static void compare(const char *name)
{
    struct smi_tz z;
    struct smi_err err = {0};
    assert_int_equal(smi_tz_load(&z, name, &err), 0);
    setenv("TZ", name, 1);
    tzset();
    for (int i = 0; i < 300; i++) {
        time_t t = any(0, (int64_t)4102444800); /* to 2100 */
        struct smi_tz_local l;
        if (i & 1 && z.n) /* near a change */
            t = z.change[any(0, z.n - 1)].at + any(-2 * HOUR_S, 2 * HOUR_S);
        if (t < 86400 * 3 || t > 4102444800)
            continue;
        l = smi_tz_at(&z, t + system_offset(t));
        if (l.offset_s != system_offset(t) && l.second_s != system_offset(t))
            fail_msg("%s at %lld: %d or %d, not %d", name, (long long)t, l.offset_s, l.second_s,
                     system_offset(t));
        assert_true(l.from <= t + system_offset(t) && t + system_offset(t) < l.to);
    }
}

static int walk(const char *below, int levels)
{
    char path[512], name[300];
    struct dirent *d;
    DIR *dir;
    int n = 0;
    snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", below);
    dir = opendir(path);
    while (dir && (d = readdir(dir))) {
        bool copy = strcmp(d->d_name, "posix") == 0 || strcmp(d->d_name, "right") == 0;
        snprintf(name, sizeof name, "%s%s%s", below, *below ? "/" : "", d->d_name);
        if (d->d_name[0] < 'A' || d->d_name[0] > 'Z' || copy)
            continue;
        if (d->d_type == DT_DIR && levels) {
            n += walk(name, levels - 1);
        } else if (d->d_type != DT_DIR) {
            compare(name);
            n++;
        }
    }
    if (dir)
        closedir(dir);
    return n;
}

static void every_zone_is_the_systems(void **unused)
{
    int n;
    (void)unused;
    if (!there())
        skip();
    n = walk("", 2);
    setenv("TZ", "UTC", 1);
    tzset();
    print_message("%d zones\n", n);
    assert_true(n > 300);
}

static void no_other_name_is_taken(void **unused)
{
    static const char *const bad[] = {"",
                                      "/",
                                      "../../../etc/passwd",
                                      "Europe/../Europe/Berlin",
                                      "/usr/share/zoneinfo/UTC",
                                      "Europe/",
                                      "Europe//Berlin",
                                      "./UTC",
                                      "zone.tab",
                                      "Europe",
                                      "right/UTC",
                                      "Europe/Berlin\n",
                                      "A/very/long/name/that/nobody/would/give/to/a/zone/of/this/world/xx"};
    static struct smi_tz z;
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct smi_err err = {0};
        assert_int_equal(smi_tz_load(&z, bad[i], &err), -1);
        assert_int_equal(err.code, SMI_EUSAGE);
    }
}

/* ---- one log, its stamps in UTC and as its zone shows them ---- */

struct sim {
    char dir[64];
    int64_t t[4096]; /* ms, UTC */
    int rows, gpus;
    int64_t phase_from, phase_to;
};

static void write_log(const struct sim *s, const char *name, const struct smi_tz *z)
{
    char path[256], stamp[SMI_CLOCK_TEXT];
    FILE *f;
    snprintf(path, sizeof path, "%s/%s", s->dir, name);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/run", s->dir, name);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/run/hw.csv", s->dir, name);
    f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "timestamp, index, utilization.gpu [%%], power.draw [W]\n");
    for (int i = 0; i < s->rows; i++)
        for (int g = 0; g < s->gpus; g++) {
            int64_t t = s->t[i] + 3 * g;
            int64_t local = t + (z ? (int64_t)system_offset((time_t)(t / 1000)) * 1000 : 0);
            smi_clock_write(stamp, local, false);
            stamp[4] = stamp[7] = '/';
            stamp[10] = ' ';
            fprintf(f, "%s, %d, %d, %d.00\n", stamp, g, i * 7 % 3 ? 50 : 0, 100 + (i * 31 + g) % 100);
        }
    fclose(f);
    snprintf(path, sizeof path, "%s/%s/run/run.jsonl", s->dir, name);
    f = fopen(path, "w");
    assert_non_null(f);
    smi_clock_write(stamp, s->phase_to, true);
    fprintf(f, "{\"ts\": \"%s\", \"type\": \"phase\", \"name\": \"fit\", \"seconds\": %lld}\n", stamp,
            (long long)(s->phase_to - s->phase_from) / 1000);
    fclose(f);
}

static void summarise(struct smi_sweep *out, const struct sim *s, const char *name,
                      const struct smi_options *o)
{
    static const struct smi_discover_opts d = {.format = -1, .threads = 1};
    char path[256];
    const char *p = path;
    snprintf(path, sizeof path, "%s/%s", s->dir, name);
    assert_int_equal(smi_sweep_read(out, &p, 1, &d, o, NULL), 0);
    assert_int_equal(out->n, 1);
}

static void same_value(struct smi_value a, struct smi_value b)
{
    assert_int_equal(a.has, b.has);
    assert_true(!a.has || a.micro == b.micro);
}

static void same(const struct smi_summary *a, const struct smi_summary *b)
{
    assert_true(a->start_ms == b->start_ms && a->end_ms == b->end_ms && a->zoned && b->zoned);
    assert_int_equal(a->segments, b->segments);
    assert_int_equal(a->ngpus, b->ngpus);
    same_value(a->duration_s, b->duration_s);
    same_value(a->covered_s, b->covered_s);
    same_value(a->energy_wh, b->energy_wh);
    same_value(a->longest_idle_s, b->longest_idle_s);
    same_value(a->idle_pct, b->idle_pct);
    assert_int_equal(a->nphases, 1);
    assert_int_equal(a->phases[0].samples, b->phases[0].samples);
    same_value(a->phases[0].energy_wh, b->phases[0].energy_wh);
    same_value(a->phases[0].idle_pct, b->phases[0].idle_pct);
    assert_int_equal(a->inputs[0].account.rows, b->inputs[0].account.rows);
    assert_int_equal(a->inputs[0].gaps, b->inputs[0].gaps);
}

/* A change of the years 2020 to 2025, which are never in the future, or a day without one. */
static int64_t some_change(const struct smi_tz *z)
{
    unsigned first = 0, n = 0;
    for (unsigned k = 0; k < z->n; k++) {
        bool near = z->change[k].at > 1600000000 && z->change[k].at < 1760000000;
        first = near && !n ? k : first;
        n += near;
    }
    return n ? z->change[any(first, first + n - 1)].at : 1750000000;
}

/* Rows around it. A log that begins in the second pass of an hour says so nowhere: such are not made. */
static void make_rows(struct sim *s, const struct smi_tz *z, const char *name)
{
    int64_t at = some_change(z), interval = any(1, 20) * 1000, t, back;
    setenv("TZ", name, 1);
    tzset();
    back = system_offset((time_t)at - 1) - system_offset((time_t)at);
    do
        t = (at + any(-2 * HOUR_S, HOUR_S)) * 1000;
    while (back > 0 && t >= (at - 3) * 1000 && t < (at + back) * 1000);
    if (t < at * 1000 && t + 4 * interval >= at * 1000) /* the pace has to be known before the step */
        t -= 4 * interval;
    s->gpus = (int)any(1, 3);
    s->rows = (int)any(5, 1200);
    s->phase_from = t + any(0, 600) * 1000;
    for (int i = 0; i < s->rows; i++, t += interval + any(-interval / 10, interval / 10))
        s->t[i] = t;
    s->phase_to =
        s->phase_from + any(1, (t - s->phase_from) / 1000 > 1 ? (t - s->phase_from) / 1000 : 2) * 1000;
}

static void around_a_change(const char *name, bool by_name)
{
    static struct sim s;
    static struct smi_tz z;
    struct smi_options o = {.has_offset = true, .fixed = true, .idle_below = 1000000};
    struct smi_sweep want, got;
    char cmd[128];
    assert_int_equal(smi_tz_load(&z, name, NULL), 0);
    strcpy(s.dir, "/tmp/smilog-zones-XXXXXX");
    assert_non_null(mkdtemp(s.dir));
    make_rows(&s, &z, name);
    write_log(&s, "utc", NULL);
    write_log(&s, "local", &z);
    summarise(&want, &s, "utc", &o);
    o.fixed = false;
    o.zone = by_name ? &z : NULL;
    o.offset_s = by_name ? z.standard_s : system_offset((time_t)(s.t[0] / 1000));
    for (unsigned threads = 1; threads < 6; threads += 2) {
        o.threads = threads;
        o.piece_bytes = 2048;
        summarise(&got, &s, "local", &o);
        same(&got.runs[0], &want.runs[0]);
        assert_int_equal(got.runs[0].offset_s, system_offset((time_t)(s.t[0] / 1000)));
        smi_sweep_fini(&got);
    }
    smi_sweep_fini(&want);
    snprintf(cmd, sizeof cmd, "rm -rf '%s'", s.dir);
    assert_int_equal(system(cmd), 0);
}

static void hours_that_come_twice_or_never(void **unused)
{
    static const char *const zone[] = {"Europe/Berlin",    "America/New_York", "Europe/London",
                                       "America/St_Johns", "Asia/Kolkata",     "Australia/Lord_Howe",
                                       "Europe/Dublin",    "Pacific/Auckland"};
    int n = cases(300) / 5;
    (void)unused;
    if (!there())
        skip();
    for (int i = 0; i < n; i++) {
        bool by_name = i & 1;
        size_t k = (size_t)any(0, 7);
        if (!by_name && k == 5) /* its half hour is no hour */
            k = 0;
        around_a_change(zone[k], by_name);
    }
    setenv("TZ", "UTC", 1);
    tzset();
}

/* ---- steps that are none ---- */

static int64_t put_all(const int64_t *t, int n, const struct smi_local_clock_opts *o)
{
    struct smi_local_clock w = {0};
    int64_t last = 0;
    for (int i = 0; i < n; i++) {
        last = t[i];
        smi_local_clock_read(&w, o, &last);
    }
    return last - t[n - 1];
}

static void only_an_hour_is_a_step(void **unused)
{
    const struct smi_local_clock_opts o = {.steps = true}, none = {0};
    const int64_t T = 1792893600000; /* a full hour */
    const int64_t back[] = {T - 4000, T - 2000, T - 3600000}, forward[] = {T - 4000, T - 2000, T + 3600000},
                  twice[] = {T - 4000, T - 2000, T - 3600000, T - 3598000, T - 7196000},
                  again[] = {T - 4000, T - 2000, T - 3600000, T - 3598000,
                             T - 2000, T,        T + 3600000, T + 3602000},
                  hourly[] = {T, T + 3600000, T + 7200000, T + 10800000},
                  bursts[] = {T, T + 1000, T + 2000, T + 3600000, T + 3601000},
                  near[] = {T - 4000, T - 2000, T - 3590000}, half[] = {T - 4000, T - 2000, T - 1800000};
    (void)unused;
    assert_int_equal(put_all(back, 3, &o), 3600000);
    assert_int_equal(put_all(back, 3, &none), 0);
    assert_int_equal(put_all(forward, 3, &o), -3600000);
    assert_int_equal(put_all(twice, 5, &o), 3600000); /* a second one is no summer time */
    assert_int_equal(put_all(again, 8, &o), 3600000);
    assert_int_equal(put_all(hourly, 4, &o), 0);
    assert_int_equal(put_all(bursts, 5, &o), 0);
    assert_int_equal(put_all(near, 3, &o), 0);
    assert_int_equal(put_all(half, 3, &o), 0);
}

/* Pieces of one log: the step between them is seen by neither. */
static void a_step_between_pieces_is_noticed(void **unused)
{
    const struct smi_local_clock_opts o = {.steps = true}, none = {0};
    const int64_t T = 1792893600000;
    struct smi_local_clock a = {0}, b = {0}, c = {0};
    int64_t ends = T - 2000, steps = T - 3600000, goes_on = T;
    (void)unused;
    assert_int_equal(smi_local_clock_read(&a, &o, &ends), SMI_STAMP_PLAIN);
    assert_int_equal(smi_local_clock_read(&b, &o, &steps), SMI_STAMP_PLAIN);
    assert_int_equal(smi_local_clock_read(&c, &o, &goes_on), SMI_STAMP_PLAIN);
    assert_true(smi_local_clock_steps_between(&a, &b, &o));
    assert_false(smi_local_clock_steps_between(&a, &c, &o));
    assert_false(smi_local_clock_steps_between(&a, &b, &none));
}

/* ---- the inference ---- */

enum { TOGETHER, APART, ENDS_TOGETHER, FAR, KINDS };

/* One run at an offset in use: what a GPU log and the logs in UTC beside it show of it. */
static int infer_one(int kind, int64_t *want)
{
    static const int odd[] = {-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825};
    int64_t offset = any(0, 39), iv = any(0, 3) ? any(100, 5000) : any(5000, 60000), span, u0, u1, g0, g1,
            tol;
    int got;
    offset = offset < 27 ? (offset - 12) * 3600 : odd[offset - 27] * 60;
    tol = 3 * iv > 10000 ? 3 * iv : 10000;
    span = (any(0, 1) ? any(10, 600) : any(600, 12 * HOUR_S)) * 1000;
    u0 = any(1600000000, 1900000000) * 1000;
    u1 = u0 + span;
    g0 = u0 + any(-2 * iv, 2 * iv);
    g1 = u1 + any(-2 * iv, 2 * iv);
    if (kind ==
        APART) { /* begin and end minutes apart, never a quarter of an hour: no other offset is that near */
        g0 = u0 + any(0, 14 * MINUTE * 1000 - tol);
        g1 = u1 + any(0, 14 * MINUTE * 1000 - tol);
    } else if (kind == ENDS_TOGETHER) {
        g0 = u0 + any(0, 14 * MINUTE * 1000 - tol);
        g1 = u1 + any(-iv, iv);
    } else if (kind == FAR) { /* a CPU log that runs all day, or the GPU log of a later job */
        g0 = u0 + any(-6 * HOUR_S, 6 * HOUR_S) * 1000;
        g1 = g0 + span;
    }
    if (g1 < g0)
        g1 = g0;
    *want = offset;
    return smi_zone_infer(g0 + offset * 1000, g1 + offset * 1000, u0, u1, iv, &got) ? got : INT32_MIN;
}

static void simulated_runs(void **unused)
{
    static const char *const words[KINDS] = {"begin together", "apart", "end together", "hours apart"};
    int n = cases(300), right[KINDS] = {0}, wrong[KINDS] = {0}, open[KINDS] = {0};
    (void)unused;
    for (int i = 0; i < n; i++) {
        int kind = i % KINDS;
        int64_t want;
        int got = infer_one(kind, &want);
        *(got == INT32_MIN ? &open[kind] : got == want ? &right[kind] : &wrong[kind]) += 1;
    }
    for (int k = 0; k < KINDS; k++)
        print_message("%s: %d right, %d not decided, %d wrong\n", words[k], right[k], open[k], wrong[k]);
    assert_int_equal(wrong[TOGETHER] + wrong[APART] + wrong[ENDS_TOGETHER], 0);
    assert_int_equal(open[TOGETHER], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_zone_is_the_systems),      cmocka_unit_test(no_other_name_is_taken),
        cmocka_unit_test(only_an_hour_is_a_step),         cmocka_unit_test(a_step_between_pieces_is_noticed),
        cmocka_unit_test(hours_that_come_twice_or_never), cmocka_unit_test(simulated_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
