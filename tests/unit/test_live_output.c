/* test_live_output.c - memory that cannot be had on the road from growing logs to what is shown of the
 * moment, at every single allocation: it is said, or makes no difference; nothing breaks, and no line is lost
 * or doubled. */
#include "../fuzz/fail.c"

#include "canvas_lines.h"
#include "live/alert.h"
#include "base/file.h"
#include "live/replay.h"
#include "live/tui_draw.h"
#include "live/lines_text.h"
#include "live/serve_prometheus.h"
#include "live/serve_page.h"
#include "live/follow_store.h"
#include "loops.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char home[] = "/tmp/smilog-test-moment-XXXXXX";

static int enter(void **unused)
{
    (void)unused;
    alarm(600);
    fuzz_fail_init();
    return !mkdtemp(home);
}

static int leave(void **unused)
{
    char command[100];
    (void)unused;
    snprintf(command, sizeof command, "rm -rf %s", home);
    return system(command);
}

/* ---- what is shown ---- */

static const struct {
    const char *name;
    int interval_ms;
    const char *text;
} logs[] = {
    {"query", 1000,
     "timestamp, index, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw "
     "[W], "
     "temperature.gpu, clocks_event_reasons.sw_thermal_slowdown\n"
     "2026/07/03 22:11:09.763, 0, GPU-1, A, 38 %, 81000 MiB, 81559 MiB, 627.40 W, 61, Active\n"
     "2026/07/03 22:11:09.764, 1, GPU-2, \"B, or a name that is longer than one block of letters\", 0 %, 5 "
     "MiB, 81559 MiB, "
     "80 W, 40, Not Active\n"
     "2026/07/03 22:11:10.763, 0, GPU-1, A, 48 %, 81000 MiB, 81559 MiB, 600.40 W, 61, Active\n"
     "2026/07/03 22:11:10.764, 1, GPU-2, B, [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU "
     "is lost], "
     "[GPU is lost]\n"},
    {"dmon", 0,
     "#Date       Time        gpu   pwr    sm   pclk\n#YYYYMMDD   HH:MM:SS    Idx     W     %    MHz\n"
     " 20260703   22:11:09      0    37     0   1980\n 20260703   22:11:10      0    37     5   1980\n"},
    {"apps", 1000,
     "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n2026/07/03 22:11:09.763, GPU-1, 7, /a, "
     "5 MiB\n"
     "2026/07/03 22:11:10.763, GPU-1, 8, /b, 6 MiB\n"},
    {"cpu", 1000,
     "timestamp,usr_pct,idle_pct\n2026-07-03T22:11:09.763+00:00,12.3,80.1\n2026-07-03T22:11:10Z,13,x\n"},
    {"run.jsonl", 0,
     "{\"ts\": \"2026-07-03T22:11:08+00:00\", \"type\": \"event\", \"event\": \"start\", \"data\": "
     "{\"host\": \"a\"}}\n"
     "{\"ts\": \"2026-07-03T22:11:09Z\", \"type\": \"phase\", \"name\": \"fit\", \"seconds\": 3}\n"
     "{\"ts\": \"2026-07-03T22:11:10Z\", \"type\": \"event\", \"event\": \"error\", \"data\": {\"message\": "
     "\"gone\"}}\n"},
};
enum { LOGS = sizeof logs / sizeof *logs };

static int draw_pages(struct smi_buf *to, const struct smi_machine *n, struct smi_err *err)
{
    static const int pages[] = {0, 'a', 'g'};
    const struct smi_tui_info a = {.what = "smilog live",
                                   .host = "node7",
                                   .interval_ms = 1000,
                                   .sources = "monitors",
                                   .cpu_micro = -1,
                                   .memory_kib = -1};
    struct smi_canvas c = {0};
    int rc = 0;
    for (size_t i = 0; i < sizeof pages / sizeof *pages && rc == 0; i++) {
        struct smi_view v;
        smi_view_init(&v);
        if (pages[i])
            smi_view_key(&v, pages[i], n, NULL);
        rc = smi_canvas_size(&c, 80 + 40 * (int)i, 24, true) || smi_tui_frame(&c, n, &a, &v, err) ? -1 : 0;
        for (int y = 0; rc == 0 && y < c.height; y++) {
            canvas_line(&c, y, to);
            smi_buf_char(to, '\n');
        }
    }
    smi_canvas_fini(&c);
    return rc;
}

/* Everything that is made of a moment. */
static int show(struct smi_buf *to, const struct smi_machine *n, struct smi_err *err)
{
    const struct smi_tui_info f = {.what = "smilog live", .host = "node7", .interval_ms = 1000};
    const struct smi_render_options look = {.utf8 = true};
    const struct smi_serve_opts o = {"0", "smilog live", "node7", "run", 1000, 0, NULL};
    struct smi_buf event = {0};
    bool rc;
    if (draw_pages(to, n, err) || smi_machine_table_put(to, n, &f, &look))
        return -1;
    smi_machine_line_put(to, n);
    for (int names = 0; names < 2; names++) {
        const struct smi_prometheus_opts e = {"node7", "run", 1783000000123, (enum smi_prometheus_names)names,
                                              false};
        if (smi_prometheus_put(to, n, &e))
            return smi_err_nomem(err);
    }
    smi_buf_str(&event, "data: ");
    rc = smi_serve_state_put(&event, n, &o) || event.failed || smi_machine_json(to, n) ||
         smi_live_page_put(to, n, &o, &event) || to->failed;
    smi_buf_fini(&event);
    return rc ? smi_err_nomem(err) : 0;
}

static int feed(struct smi_machine *n, struct smi_err *err)
{
    for (size_t half = 0; half < 2; half++)
        for (int i = 0; i < LOGS; i++) {
            size_t all = strlen(logs[i].text), cut = all / 2 + 7;
            if (smi_machine_feed(n, i, logs[i].text + (half ? cut : 0), half ? all - cut : cut,
                                 half ? 2000 : 1000, err))
                return -1;
        }
    for (int i = 0; i < LOGS; i++)
        if (smi_machine_decide_format(n, i, err) || (i == 1 && smi_machine_restart(n, i, err)) ||
            (i == 4 && smi_machine_end(n, i, err)))
            return -1;
    return 0;
}

static int moment(struct smi_buf *to, struct smi_err *err)
{
    const struct smi_machine_opts o = {.idle_below = 1000000, .has_offset = true};
    struct smi_alerts alerts = {0};
    struct smi_machine *n = smi_machine_new(&o), *still = NULL;
    int rc = n ? 0 : -1;
    for (int i = 0; i < LOGS && rc == 0; i++)
        rc = smi_machine_add_source(n, logs[i].name, -1, logs[i].interval_ms) == i ? 0 : -1;
    rc = rc ? rc : feed(n, err);
    for (int64_t mono = 3000; rc == 0 && mono < 40000; mono += 9000) {
        smi_machine_tick(n, mono);
        rc = smi_alerts_check(&alerts, n);
        if (rc == 0 && mono == 12000)
            rc = (still = smi_machine_snapshot(n)) ? 0 : -1;
    }
    rc = rc || show(to, n, err) || show(to, still, err) ? -1 : 0;
    smi_machine_free(still);
    smi_machine_free(n);
    smi_alerts_fini(&alerts);
    return rc;
}

typedef int road_fn(struct smi_buf *to, struct smi_err *err);

/* Every allocation of a road fails once, alone, then with all that come after it (every `step`-th). */
static void every_one_fails(road_fn *road, uint64_t step)
{
    struct smi_buf whole = {0};
    struct smi_err err = {0};
    uint64_t nth = 1, failed = 0;
    assert_int_equal(road(&whole, &err), 0);
    for (int all = 0; all < 2; all++)
        for (nth = 1;; nth += all ? step : 1) {
            struct smi_buf text = {0};
            bool seen, same;
            int rc;
            err = (struct smi_err){0};
            fuzz_fail_at(nth, all, true);
            rc = road(&text, &err);
            seen = fuzz_fail_disarm();
            same = rc == 0 && text.n == whole.n && memcmp(text.p, whole.p, whole.n) == 0;
            if (!same && (rc == 0 || err.code != SMI_ENOMEM))
                fail_msg("allocation %llu%s: %d %d %s", (unsigned long long)nth,
                         all ? " and all after it" : "", rc, err.code, err.text);
            smi_buf_fini(&text);
            failed += rc != 0;
            if (!seen)
                break;
        }
    assert_true(failed > 10);
    smi_buf_fini(&whole);
}

static void what_is_shown(void **unused)
{
    (void)unused;
    every_one_fails(moment, 7);
}

/* ---- a run that is played ---- */

static int played(struct smi_buf *to, struct smi_err *err)
{
    const struct smi_machine_opts o = {.idle_below = 1000000};
    char path[200];
    struct smi_replay *r;
    int rc = -1;
    snprintf(path, sizeof path, "%s/run", home);
    r = smi_replay_open(path, &o, err);
    if (r && smi_replay_go(r, INT64_MAX - 1, err) == 0) {
        rc = 0;
        smi_machine_line_put(to, smi_replay_machine(r));
        if (smi_machine_json(to, smi_replay_machine(r)) || to->failed)
            rc = smi_err_nomem(err);
    }
    smi_replay_free(r);
    return rc;
}

static void write_text(const char *name, const char *text, size_t n)
{
    char path[300];
    int fd;
    snprintf(path, sizeof path, "%s/%s", home, name);
    fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    assert_true(fd >= 0 && write(fd, text, n) == (ssize_t)n);
    close(fd);
}

static void a_run_that_is_played(void **unused)
{
    char path[200];
    (void)unused;
    snprintf(path, sizeof path, "%s/run", home);
    assert_int_equal(mkdir(path, 0755), 0);
    write_text("run/hw.csv", logs[0].text, strlen(logs[0].text));
    write_text("run/cpu.csv", logs[3].text, strlen(logs[3].text));
    every_one_fails(played, 7);
}

/* ---- what is followed ---- */

struct reader {
    struct smi_follow_store *store;
    struct smi_follow *tail;
    struct smi_err err;
};

static int take(void *self, int file, const char *p, size_t n)
{
    struct reader *r = self;
    return smi_follow_store_add(r->store, r->tail, file, p, n);
}

static bool resume(void *self, const char *path, struct smi_follow_position *at)
{
    struct reader *r = self;
    return smi_follow_store_resume(r->store, path, at);
}

static int again(void *self, int64_t part, const char *text, size_t n, struct smi_err *err)
{
    (void)part;
    (void)err;
    smi_buf_add(self, text, n);
    smi_buf_char(self, '\n');
    return 0;
}

/* Follows the log into a store until all of it is there, however often memory fails; false: it could not even
 * begin. */
static bool follow(const char *log, const char *db, uint64_t nth, struct smi_buf *stored, bool *seen)
{
    struct reader r = {.store = NULL};
    const struct smi_follow_opts o = {.calls = {&r, take, NULL}, .resume = resume, .no_notify = true};
    int64_t now = 1000;
    bool begun;
    fuzz_fail_at(nth, false, true);
    r.store = smi_follow_store_open(db, &r.err);
    r.tail = r.store ? smi_follow_new(&o) : NULL;
    begun = r.tail && smi_follow_add(r.tail, log, &r.err) == 0;
    for (int i = 0; begun && i < 8; i++, now += 1500) {
        struct smi_loop l = {.sources = 0};
        struct smi_err err = {0};
        smi_loop_add(&l, smi_follow_source(r.tail));
        smi_loop_prepare(&l, now);
        if (smi_loop_call(&l, now, &err) && r.err.code != SMI_ENOMEM && err.code != SMI_ENOMEM)
            fail_msg("allocation %llu: %s%s", (unsigned long long)nth, r.err.text, err.text);
        if (smi_follow_store_go(r.store, r.tail, now) && err.code != SMI_ENOMEM)
            fail_msg("allocation %llu: %s", (unsigned long long)nth, err.text);
    }
    *seen = fuzz_fail_disarm();
    if (!begun && r.err.code != SMI_ENOMEM)
        fail_msg("allocation %llu: %s", (unsigned long long)nth, r.err.text);
    if (begun)
        assert_int_equal(smi_follow_store_read(r.store, r.tail, 0, again, stored, &r.err), 0);
    smi_follow_free(r.tail);
    assert_int_equal(smi_follow_store_close(r.store, NULL, NULL), 0);
    return begun;
}

static void lines_that_are_followed(void **unused)
{
    char log[200], db[200];
    bool seen = true;
    unsigned refused = 0;
    (void)unused;
    snprintf(log, sizeof log, "%s/f.csv", home);
    write_text("f.csv", logs[0].text, strlen(logs[0].text));
    for (uint64_t nth = 1; seen; nth++) {
        struct smi_buf stored = {0};
        char command[300];
        snprintf(db, sizeof db, "%s/f.sqlite", home);
        snprintf(command, sizeof command, "rm -f %s*", db);
        assert_int_equal(system(command), 0);
        if (!follow(log, db, nth, &stored, &seen))
            refused++;
        else if (stored.n != strlen(logs[0].text) || memcmp(stored.p, logs[0].text, stored.n) != 0)
            fail_msg("allocation %llu: %zu bytes are stored", (unsigned long long)nth, stored.n);
        smi_buf_fini(&stored);
    }
    assert_true(refused > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shown),
        cmocka_unit_test(a_run_that_is_played),
        cmocka_unit_test(lines_that_are_followed),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
