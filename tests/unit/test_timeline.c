/* test_timeline.c - what charts draw of a run: the cells against a slow sum over the rows, phases, events;
 * and that a run read a second time gives the same as one whose timeline was kept at once. */
#include "sweep/reread.h"
#include "base/buf.h"
#include "summary/gpus.h"
#include "aggregate/runlog.h"
#include "summary/summary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS = 3000, RUNS = 5 };

/* ---- a sweep of our own ---- */

static int64_t util(int run, int i)
{
    return (i * 7 + run * 13) % 101;
}

/* Row i of a run that was sampled every 2 s, with ten minutes without a row in its middle. */
static int64_t at_s(int i)
{
    return 2 * i + (i >= ROWS / 2 ? 600 : 0);
}

static void put_run(const char *dir, int run)
{
    char path[256];
    FILE *f;
    mkdir(dir, 0777);
    snprintf(path, sizeof path, "%s/hw_metrics.csv", dir);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs("timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]\n", f);
    for (int i = 0; i < ROWS; i++) {
        long long s = at_s(i);
        for (int gpu = 0; gpu < 2; gpu++)
            fprintf(f, "2026/07/03 %02lld:%02lld:%02lld.000, %d, %lld %%, %d MiB, 70.00 W\n", 10 + s / 3600,
                    s / 60 % 60, s % 60, gpu, (long long)util(run + gpu, i), 100 + gpu);
    }
    fclose(f);
    snprintf(path, sizeof path, "%s/run.jsonl", dir);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs("{\"ts\": \"2026-07-03T10:00:00Z\", \"type\": \"event\", \"event\": \"start\", "
          "\"data\": {\"utc_offset_s\": 0}}\n"
          "{\"ts\": \"2026-07-03T10:05:00Z\", \"type\": \"phase\", \"name\": \"load\", \"seconds\": 300}\n"
          "{\"ts\": \"2026-07-03T10:20:00Z\", \"type\": \"phase\", \"name\": \"fit\", \"seconds\": 600}\n"
          "{\"ts\": \"2026-07-03T10:31:00Z\", \"type\": \"phase\", \"name\": \"fit\", \"seconds\": 659}\n"
          "{\"ts\": \"2026-07-03T11:20:00Z\", \"type\": \"phase\", \"name\": \"fit\", \"seconds\": 60}\n",
          f);
    for (int i = 0; i < SMI_EVENT_TIMES + 1; i++)
        fprintf(f, "{\"ts\": \"2026-07-03T10:06:%02dZ\", \"type\": \"event\", \"event\": \"step\"}\n",
                i % 60);
    fputs("{\"ts\": \"2026-07-03T10:40:00.500Z\", \"type\": \"event\", \"event\": \"checkpoint\"}\n"
          "{\"ts\": \"2026-07-03T11:40:00Z\", \"type\": \"event\", \"event\": \"end\"}\n",
          f);
    fclose(f);
}

static int begin(void **state)
{
    static char dir[] = "/tmp/smilog-timeline-XXXXXX";
    char name[32];
    *state = dir;
    if (!mkdtemp(dir) || chdir(dir))
        return -1;
    for (int i = 0; i < RUNS; i++) {
        snprintf(name, sizeof name, "seed%d", i);
        put_run(name, i);
    }
    return 0;
}

static int end(void **state)
{
    char cmd[128];
    snprintf(cmd, sizeof cmd, "rm -rf '%s'", (const char *)*state);
    return chdir("/") || system(cmd);
}

static const struct smi_discover_opts d = {.format = -1, .threads = 2};

static struct smi_options wants(size_t at_once)
{
    struct smi_options o = {.idle_below = 1000000, .timelines = at_once, .skip_series = ~(uint32_t)0};
    return o;
}

static void read_all(struct smi_sweep *s, const char *const *path, size_t n, const struct smi_options *o)
{
    struct smi_err err = {0};
    assert_int_equal(smi_sweep_read(s, path, n, &d, o, &err), 0);
}

/* All of a timeline as text. */
static char *text_of(const struct smi_timeline *t)
{
    struct smi_buf b = {0};
    if (!t)
        return NULL;
    smi_buf_fmt(&b, "%lld %lld %zu\n", (long long)t->from_ms, (long long)t->cell_ms, t->n);
    for (size_t i = 0; i < t->ncurves; i++) {
        const struct smi_curve *c = &t->curve[i];
        smi_buf_fmt(&b, "%d %s", c->gpu, smi_metrics[c->metric].key);
        for (size_t k = 0; k < t->n; k++)
            smi_buf_fmt(&b, " %lld/%lld/%lld", (long long)c->min[k], (long long)c->mean[k],
                        (long long)c->max[k]);
        smi_buf_char(&b, '\n');
    }
    for (size_t i = 0; i < t->nphases; i++)
        smi_buf_fmt(&b, "%s %lld %lld\n", t->phase[i].name, (long long)t->phase[i].from_ms,
                    (long long)t->phase[i].to_ms);
    for (size_t i = 0; i < t->nevents; i++)
        smi_buf_fmt(&b, "%s %lld\n", t->event[i].name, (long long)t->event[i].from_ms);
    return b.p;
}

/* ---- cells ---- */

/* The readings of a cell, one by one. */
static void check_cell(const struct smi_timeline *t, const struct smi_curve *c, int64_t start_ms, size_t k)
{
    int64_t min = INT64_MAX, max = INT64_MIN, sum = 0, n = 0;
    for (int i = 0; i < ROWS; i++) {
        int64_t ms = start_ms + at_s(i) * 1000, v = util(c->gpu, i);
        if (ms < t->from_ms + (int64_t)k * t->cell_ms || ms >= t->from_ms + (int64_t)(k + 1) * t->cell_ms)
            continue;
        min = v < min ? v : min;
        max = v > max ? v : max;
        sum += v;
        n++;
    }
    if (!n) {
        assert_int_equal(c->mean[k], SMI_NO_POINT);
        return;
    }
    assert_int_equal(c->min[k], min * 1000000);
    assert_int_equal(c->max[k], max * 1000000);
    assert_int_equal(c->mean[k], (int64_t)smi_i128_div((smi_i128)sum * 1000000, n));
}

static void cells_are_the_readings_in_them(void **state)
{
    struct smi_options o = wants(20);
    const char *path = "seed0";
    struct smi_sweep s;
    const struct smi_timeline *t;
    size_t holes = 0;
    (void)state;
    read_all(&s, &path, 1, &o);
    t = s.runs[0].timeline;
    assert_non_null(t);
    assert_true(t->n > SMI_TIMELINE_POINTS / 4 && t->n <= SMI_TIMELINE_POINTS);
    assert_int_equal(t->ncurves, 2 * 3);
    for (size_t i = 0; i < t->ncurves; i++) {
        const struct smi_curve *c = &t->curve[i];
        assert_int_equal(c->gpu, i / 3);
        for (size_t k = 0; k < t->n; k++) {
            holes += c->mean[k] == SMI_NO_POINT;
            if (c->metric == smi_timed_metrics[0])
                check_cell(t, c, s.runs[0].start_ms, k);
        }
    }
    assert_true(holes > 0); /* ten minutes */
    smi_sweep_fini(&s);
}

static void phases_and_events_are_on_the_clock_of_the_run(void **state)
{
    struct smi_options o = wants(20);
    const char *path = "seed0";
    struct smi_sweep s;
    const struct smi_timeline *t;
    (void)state;
    read_all(&s, &path, 1, &o);
    t = s.runs[0].timeline;
    assert_int_equal(t->nphases, 3);
    assert_string_equal(t->phase[0].name, "load");
    assert_int_equal(t->phase[0].from_ms, s.runs[0].start_ms);
    assert_string_equal(t->phase[1].name, "fit"); /* less than a cell apart: one */
    assert_int_equal(t->phase[1].from_ms, s.runs[0].start_ms + 600000);
    assert_int_equal(t->phase[1].to_ms, s.runs[0].start_ms + 1860000);
    assert_int_equal(t->phase[2].from_ms, s.runs[0].start_ms + 4740000);
    assert_int_equal(t->nevents, 3); /* what happens all the time is no mark */
    assert_string_equal(t->event[0].name, "start");
    assert_string_equal(t->event[1].name, "checkpoint");
    assert_int_equal(t->event[1].from_ms, s.runs[0].start_ms + 2400500);
    assert_string_equal(t->event[2].name, "end");
    smi_sweep_fini(&s);
}

static void fewer_points_join_neighbours(void **state)
{
    struct smi_options o = wants(20);
    const char *path = "seed0";
    struct smi_sweep s, joined;
    struct smi_timeline *few;
    const struct smi_timeline *t;
    (void)state;
    read_all(&s, &path, 1, &o);
    read_all(&joined, &path, 1, &o);
    t = s.runs[0].timeline;
    few = (struct smi_timeline *)joined.runs[0].timeline;
    smi_timeline_coarsen(few, 100);
    assert_true(few->n > 50 && few->n <= 100);
    assert_int_equal(few->cell_ms % t->cell_ms, 0);
    for (size_t i = 0; i < few->n; i++)
        for (size_t k = i * (size_t)(few->cell_ms / t->cell_ms);
             k < (i + 1) * (size_t)(few->cell_ms / t->cell_ms) && k < t->n; k++) {
            if (!t->curve[0].readings[k])
                continue;
            assert_true(few->curve[0].min[i] <= t->curve[0].min[k]);
            assert_true(few->curve[0].max[i] >= t->curve[0].max[k]);
        }
    smi_sweep_fini(&joined);
    smi_sweep_fini(&s);
}

/* A GPU, or a machine, of which one log has a series of this slot. */
struct body {
    struct smi_run_gpu of;
    struct smi_gpu_source log;
    struct smi_device_stats track;
};

static struct smi_run_gpu *make_body(struct body *b, unsigned slot, const struct smi_series *s,
                                     int64_t shift_ms)
{
    *b = (struct body){
        .log = {.track = &b->track, .limit = smi_interval_class(20000), .dated = true, .shift_ms = shift_ms}};
    b->of = (struct smi_run_gpu){.track = &b->log, .tracks = 1};
    memset(b->of.source, -1, sizeof b->of.source);
    b->of.source[smi_timed_metrics[slot]] = 0;
    b->track.timed[slot].series = *s;
    return &b->of;
}

/* One reading. */
static void add_reading(struct smi_series *s, int64_t t_ms, int64_t v)
{
    smi_series_add_bucket(s, t_ms, 0, &(struct smi_series_bucket){1, v, v, v});
}

/* 320 readings of 100 in half a minute, then four of 0 in the other half: the mean of neighbours is that of
 * the readings in them, not of the neighbours' means. */
static void joined_neighbours_count_by_their_readings(void **state)
{
    struct smi_series a = {0};
    struct smi_timeline t = {0}, *few = &t;
    struct smi_arena arena = {0};
    static struct body gpu, none;
    struct smi_run_gpu *of;
    int64_t sum[60] = {0}, n[60] = {0};
    (void)state;
    for (int64_t ms = 0; ms < 60 * 64000; ms += ms % 64000 < 32000 ? 100 : 8000)
        add_reading(&a, ms, ms % 64000 < 32000 ? 100000000 : 0);
    of = make_body(&gpu, 0, &a, 0);
    smi_timeline_curves(&t, &of, 1, &none.of, true, 100, &arena);
    smi_timeline_coarsen(few, 60);
    assert_true(few->n > 40 && few->n <= 60);
    for (int64_t ms = 0; ms < 60 * 64000; ms += ms % 64000 < 32000 ? 100 : 8000) {
        sum[ms / few->cell_ms] += ms % 64000 < 32000 ? 100000000 : 0;
        n[ms / few->cell_ms]++;
    }
    for (size_t i = 0; i < few->n; i++) {
        assert_int_equal(few->curve[0].readings[i], n[i]);
        assert_true(llabs(few->curve[0].mean[i] - sum[i] / n[i]) <= 1);
    }
    smi_series_fini(&a);
    smi_arena_fini(&arena);
}

/* Series on grids that do not meet: cells take whole buckets, and a hole that is no gap is filled. */
static void series_of_other_clocks_share_the_grid(void **state)
{
    struct smi_series a = {0}, b = {0};
    struct smi_timeline t = {0};
    struct smi_arena arena = {0};
    static struct body gpu, host;
    struct smi_run_gpu *of;
    (void)state;
    for (int64_t i = 0; i < 100; i++)
        add_reading(&a, 1000000 + i * 2000, i * 1000000);
    for (int64_t i = 0; i < 10; i++)
        add_reading(&b, 4600100 + i * 20000, i * 1000000);
    of = make_body(&gpu, 0, &a, 0);
    smi_timeline_curves(&t, &of, 1, make_body(&host, 4, &b, 3600100), true, 2000, &arena);
    assert_int_equal(t.ncurves, 2);
    assert_int_equal(t.cell_ms, 1024);
    assert_true(t.n >= 190 && t.n <= 200);
    for (size_t i = 1; i < 175; i++) {
        assert_true(t.curve[0].mean[i] != SMI_NO_POINT);
        assert_true(t.curve[1].mean[i] != SMI_NO_POINT);
        assert_true(t.curve[0].mean[i] >= t.curve[0].mean[i - 1]);
    }
    smi_series_fini(&a);
    smi_series_fini(&b);
    smi_arena_fini(&arena);
}

static void a_timeline_begins_and_ends_with_its_run(void **state)
{
    struct smi_timeline t = {.from_ms = 8000, .cell_ms = 1000, .n = 4};
    (void)state;
    smi_timeline_bound(&t, 8300, 11200); /* in the first and in the last cell */
    assert_int_equal(smi_timeline_at(&t, 0), 8300);
    assert_int_equal(smi_timeline_at(&t, 1), 9000);
    assert_int_equal(smi_timeline_at(&t, 4), 11200);
    smi_timeline_bound(&t, 9300, 10200); /* one cell further in */
    assert_int_equal(smi_timeline_at(&t, 1), 9300);
    assert_int_equal(smi_timeline_at(&t, 1), 9300);
    assert_int_equal(smi_timeline_at(&t, 3), 10200);
    assert_int_equal(t.end_ms, 10200);
    smi_timeline_bound(&t, 100, 99999); /* not in it */
    assert_int_equal(t.begin_ms, 8000);
    assert_int_equal(t.end_ms, 12000);
}

static void times_far_from_any_date_are_not_drawn(void **state)
{
    struct smi_series a = {0};
    struct smi_timeline t = {0};
    struct smi_arena arena = {0};
    static struct body gpu, none;
    struct smi_run_gpu *of;
    (void)state;
    add_reading(&a, INT64_MAX - 1000, 1);
    of = make_body(&gpu, 0, &a, 0);
    smi_timeline_curves(&t, &of, 1, &none.of, true, 0, &arena);
    assert_int_equal(t.n, 0);
    assert_int_equal(t.ncurves, 0);
    smi_series_fini(&a);
    smi_arena_fini(&arena);
}

/* ---- read again ---- */

static void same_when_read_again(const char *const *path, size_t n)
{
    struct smi_options at_once = wants(20), later = wants(1);
    struct smi_sweep s, t;
    struct smi_reread how = {path, n, &d, &later};
    struct smi_err err = {0};
    size_t place[] = {3, 1};
    read_all(&s, path, n, &at_once);
    read_all(&t, path, n, &later);
    assert_int_equal(t.n, RUNS);
    for (size_t i = 0; i < t.n; i++)
        assert_null(t.runs[i].timeline);
    assert_int_equal(smi_reread_timelines(&t, &how, place, 2, 0, &err), 0);
    for (size_t i = 0; i < t.n; i++) {
        char *x = text_of(s.runs[i].timeline), *y = text_of(t.runs[i].timeline);
        assert_non_null(x);
        if (i == 1 || i == 3)
            assert_string_equal(x, y);
        else
            assert_null(y);
        free(x);
        free(y);
    }
    smi_sweep_fini(&s);
    smi_sweep_fini(&t);
}

static void runs_of_directories(void **state)
{
    (void)state;
    same_when_read_again((const char *const[]){"."}, 1);
}

static void runs_of_an_archive(void **state)
{
    (void)state;
    assert_int_equal(system("tar czf /tmp/smilog-timeline.tgz seed*"), 0);
    same_when_read_again((const char *const[]){"/tmp/smilog-timeline.tgz"}, 1);
    unlink("/tmp/smilog-timeline.tgz");
}

static void a_run_that_vanished_has_none(void **state)
{
    struct smi_options later = wants(1);
    const char *path = ".";
    struct smi_sweep t;
    struct smi_reread how = {&path, 1, &d, &later};
    struct smi_err err = {0};
    size_t place[] = {2, 0};
    (void)state;
    read_all(&t, &path, 1, &later);
    assert_int_equal(rename("seed2", ".seed2"), 0);
    assert_int_equal(smi_reread_timelines(&t, &how, place, 2, 64, &err), 0);
    assert_int_equal(rename(".seed2", "seed2"), 0);
    assert_null(t.runs[2].timeline);
    assert_non_null(t.runs[0].timeline);
    assert_true(t.runs[0].timeline->n <= 64);
    smi_sweep_fini(&t);
}

/* A PATH that is a run first, then by waste, then by name. */
static void who_is_drawn_first(void **state)
{
    struct smi_options o = wants(1);
    const char *const path[] = {"seed3/", "seed0", "seed1", "seed2", "seed4"};
    struct smi_sweep s;
    struct smi_reread how = {path, 1, &d, &o}; /* only the first of them is taken for named */
    size_t order[RUNS];
    (void)state;
    read_all(&s, path, RUNS, &o);
    s.runs[4].waste.ms[SMI_WASTE_STALL] += 100000000;
    for (int i = 0; i < 4; i++)
        s.runs[i].waste = (struct smi_waste){.ms = {[SMI_WASTE_END] = 1000}};
    smi_reread_choose(&s, &how, order);
    assert_int_equal(order[0], 3);
    assert_int_equal(order[1], 4);
    assert_int_equal(order[2], 0);
    assert_int_equal(order[3], 1);
    assert_int_equal(order[4], 2);
    smi_sweep_fini(&s);
}

/* ---- every reading ---- */

struct seen {
    int64_t rows[2], sum[2], last_ms;
    int64_t stop_at;
};

static int see(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct seen *seen = self;
    assert_true(row->gpu >= 0 && row->gpu < 2);
    assert_true(row->timed);
    assert_true(row->t_ms >= seen->last_ms);
    assert_string_equal(row->input, "hw_metrics.csv");
    assert_int_equal(row->n, 3);
    seen->last_ms = row->t_ms;
    seen->rows[row->gpu]++;
    for (unsigned i = 0; i < row->n; i++)
        seen->sum[row->gpu] += row->metric[i] == smi_timed_metrics[0] ? row->v[i] / 1000000 : 0;
    return seen->stop_at && seen->rows[1] == seen->stop_at ? smi_err_set(err, SMI_EIO, "enough") : 0;
}

static void see_all(const char *path)
{
    struct smi_options o = wants(1);
    struct smi_sweep s;
    struct smi_reread how = {&path, 1, &d, &o};
    struct smi_err err = {0};
    read_all(&s, &path, 1, &o);
    s.again = &how;
    for (size_t i = 0; i < s.n; i++) {
        struct seen seen = {0};
        assert_int_equal(smi_reread_rows(&s, i, see, &seen, &err), 1);
        for (int gpu = 0; gpu < 2; gpu++) {
            int64_t sum = 0;
            for (int k = 0; k < ROWS; k++)
                sum += util((int)i + gpu, k);
            assert_int_equal(seen.rows[gpu], ROWS);
            assert_int_equal(seen.sum[gpu], sum);
        }
    }
    smi_sweep_fini(&s);
}

static void every_row_once(void **state)
{
    (void)state;
    see_all(".");
}

static void every_row_of_an_archive(void **state)
{
    (void)state;
    assert_int_equal(system("tar cf /tmp/smilog-timeline.tar seed*"), 0);
    see_all("/tmp/smilog-timeline.tar");
    unlink("/tmp/smilog-timeline.tar");
}

static void what_a_row_says_ends_the_reading(void **state)
{
    struct smi_options o = wants(1);
    const char *path = "seed1";
    struct smi_sweep s;
    struct smi_reread how = {&path, 1, &d, &o};
    struct smi_err err = {0};
    struct seen seen = {.stop_at = 7};
    (void)state;
    read_all(&s, &path, 1, &o);
    assert_int_equal(smi_reread_rows(&s, 0, see, &seen, &err), 0); /* nobody says how */
    s.again = &how;
    assert_int_equal(smi_reread_rows(&s, 0, see, &seen, &err), -1);
    assert_string_equal(err.text, "enough");
    assert_int_equal(seen.rows[1], 7);
    memset(&err, 0, sizeof err);
    memset(&seen, 0, sizeof seen);
    assert_int_equal(rename("seed1", ".seed1"), 0);
    assert_int_equal(smi_reread_rows(&s, 0, see, &seen, &err), 0);
    assert_int_equal(rename(".seed1", "seed1"), 0);
    assert_int_equal(seen.rows[0], 0);
    smi_sweep_fini(&s);
}

/* A second row of a GPU with a time that it had is none; without a key there is none to be. */
static void duplicates_are_no_rows(void **state)
{
    static const char *const text =
        "timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]\n"
        "2026/07/03 10:00:00.500, 0, 0 %, 1 MiB, 70.00 W\n"
        "2026/07/03 10:00:00.500, 0, 9 %, 1 MiB, 70.00 W\n"
        "2026/07/03 10:00:00.500, 1, 1 %, 1 MiB, 70.00 W\n"
        "2026/07/03 10:00:01.500, 0, 2 %, 1 MiB, 70.00 W\n"
        "2026/07/03 10:00:01.500, 0, 9 %, 1 MiB, 70.00 W\n"
        "2026/07/03 10:00:01.500, 1, 3 %, 1 MiB, 70.00 W\n";
    struct smi_options o = wants(1);
    const char *path = "twice";
    struct smi_sweep s;
    struct smi_reread how = {&path, 1, &d, &o};
    struct smi_err err = {0};
    struct seen seen = {0};
    FILE *f;
    (void)state;
    mkdir("twice", 0777);
    f = fopen("twice/hw_metrics.csv", "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    read_all(&s, &path, 1, &o);
    s.again = &how;
    assert_int_equal(smi_reread_rows(&s, 0, see, &seen, &err), 1);
    assert_int_equal(seen.rows[0], 2);
    assert_int_equal(seen.sum[0], 2);
    assert_int_equal(seen.rows[1], 2);
    assert_int_equal(seen.sum[1], 4);
    smi_sweep_fini(&s);
    assert_int_equal(system("rm -r twice"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_the_readings_in_them),
        cmocka_unit_test(phases_and_events_are_on_the_clock_of_the_run),
        cmocka_unit_test(a_timeline_begins_and_ends_with_its_run),
        cmocka_unit_test(fewer_points_join_neighbours),
        cmocka_unit_test(joined_neighbours_count_by_their_readings),
        cmocka_unit_test(series_of_other_clocks_share_the_grid),
        cmocka_unit_test(times_far_from_any_date_are_not_drawn),
        cmocka_unit_test(runs_of_directories),
        cmocka_unit_test(runs_of_an_archive),
        cmocka_unit_test(a_run_that_vanished_has_none),
        cmocka_unit_test(who_is_drawn_first),
        cmocka_unit_test(every_row_once),
        cmocka_unit_test(every_row_of_an_archive),
        cmocka_unit_test(what_a_row_says_ends_the_reading),
        cmocka_unit_test(duplicates_are_no_rows),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
