/* What is asked of a sweep: names are the same in all tables, numbers are printed as everywhere, and memory
 * that cannot be had is said at every single allocation. */
#include "../fuzz/fail.c"

#include "summary/run_fields.h"
#include "query/query_db.h"
#include "summary/run.h"
#include "report/output.h"
#include "rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void test_names(void **state)
{
    struct smi_headline none = {0};
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    char name[32];
    (void)state;
    smi_headline_figures(&none, f);
    for (int i = 0; i < SMI_HEADLINE_COUNT; i++) {
        assert_string_equal(smi_run_fields[SMI_RUN_FIELD_PEAK_VRAM + i].key, f[i].key);
        assert_string_equal(smi_phase_fields[SMI_PHASE_FIELD_HEADLINE_PEAK_VRAM + i].key, f[i].key);
    }
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "wasted_%s_h", smi_waste_names[i]);
        assert_string_equal(smi_run_fields[SMI_RUN_FIELD_WASTED_FAILED + i].key, name);
    }
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(smi_run_fields[i].key, smi_run_fields[k].key);
}

/* A number of millionths that goes through the engine comes out as it is printed without it. */
static void test_numbers(void **state)
{
    static const int64_t edges[] = {0,      1,       -1,       999,     1000,
                                    999999, 1000000, 12345678, -500000, 8000000000000001};
    char real[SMI_MICRO_TEXT], micro[SMI_MICRO_TEXT];
    uint64_t x = 1;
    (void)state;
    for (size_t i = 0; i < 200000; i++) {
        int64_t v = i < sizeof edges / sizeof *edges ? edges[i] : (int64_t)(x >> 12 >> x % 50);
        x = x * 6364136223846793005u + 1442695040888963407u;
        v = i & 1 ? -v : v;
        smi_text_write_micro(micro, v);
        assert_int_equal(smi_real_text(real, (double)v / 1e6), strlen(micro));
        assert_string_equal(real, micro);
    }
}

/* --- memory --- */

static char top[] = "/tmp/smilog-ask-XXXXXX";

static void put_file(const char *path, const char *text)
{
    char whole[256];
    FILE *f;
    snprintf(whole, sizeof whole, "%s/%s", top, path);
    f = fopen(whole, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

static int set_up(void **state)
{
    char dir[256];
    (void)state;
    assert_non_null(mkdtemp(top));
    for (int i = 0; i < 3; i++) {
        snprintf(dir, sizeof dir, "%s/lr=0.%d", top, i);
        assert_int_equal(mkdir(dir, 0700), 0);
        snprintf(dir, sizeof dir, "lr=0.%d/hw.csv", i);
        put_file(dir, "timestamp, index, utilization.gpu [%]\n2026/07/03 10:00:00.000, 0, 5\n"
                      "2026/07/03 10:00:02.000, 0, 50\n2026/07/03 10:00:02.000, 1, 50\n");
    }
    put_file("acc.csv", "run,acc,acc,idle_pct\nlr=0.0,1,x,2\nlr=0.1,2.5,\"y,z\",3\nlr=0.1,3,,4\n");
    return 0;
}

static int tear_down(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", top);
    return system(command);
}

static const struct smi_query questions[] = {
    {.where = "param.lr < 0.2 and ngpus > 0 or run in (select run from gpus where gpu_util_pct_p95 > 1)"},
    {.where = "lr < 0.2", .sort = "-param.lr,run"},
    {.sort = "-gpu_util_mean_pct", .columns = "run,lr,start,vram_reserved"},
    {.group_by = "state", .columns = "gpu_util_mean_pct,lr"},
    {.group_by = "lr,state", .sort = "-n,lr"},
    {.sql = "select *, median(g.idle_pct), median(seconds) from gpus g left join phases p on g.run = p.run "
            "group by g.run"},
    {.since = "2026-07-03", .until = "2026-07-04T01:00Z", .now_ms = 0},
    {.join = "acc.csv", .columns = "run,acc,acc_2,idle_pct_2"},
    {.join = "acc.csv"},
    {.where = "colour = 1"},
};

/* The answer as text, with what is said of it; the nth allocation fails, *failed tells whether there was one.
 */
static int answer(const struct smi_query *q, struct smi_buf *text, uint64_t nth, bool after, bool *failed,
                  struct smi_err *err)
{
    const char *path[] = {top};
    const struct smi_discover_opts find = {.format = -1, .threads = 1};
    const struct smi_options o = {.idle_below = 1000000};
    const struct smi_render_options look = {0};
    struct smi_sweep s;
    struct smi_result rows = {0};
    int rc;
    assert_int_equal(smi_sweep_read(&s, path, 1, &find, &o, err), 0);
    fuzz_fail_at(nth, after, true);
    rc = smi_query_sweep(&s, q, &rows, text, err);
    if (!rc)
        rc = rows.made ? smi_result_csv(text, &rows, &look) : smi_write_csv(text, &s, &look);
    if (!rc && text->failed)
        rc = smi_err_nomem(err);
    *failed = fuzz_fail_disarm();
    smi_result_fini(&rows);
    smi_sweep_fini(&s);
    return rc;
}

static void ask_without_memory(const struct smi_query *asked, bool after)
{
    struct smi_query q = *asked;
    struct smi_buf before = {0};
    struct smi_err err = {0};
    char file[256];
    bool failed;
    int rc_before;
    snprintf(file, sizeof file, "%s/%s", top, q.join ? q.join : "");
    q.join = q.join ? file : NULL;
    rc_before = answer(&q, &before, 0, false, &failed, &err);
    failed = true;
    for (uint64_t nth = rounds_first(); failed; nth += rounds_step()) {
        struct smi_buf text = {0};
        int rc;
        err = (struct smi_err){0};
        rc = answer(&q, &text, nth, after, &failed, &err);
        if (rc)
            assert_true(err.text[0]);
        if (rc != rc_before || text.n != before.n || (text.n && memcmp(text.p, before.p, text.n) != 0))
            assert_true(failed && rc && err.code == SMI_ENOMEM);
        smi_buf_fini(&text);
    }
    smi_buf_fini(&before);
}

static void test_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        for (int after = 0; after < 2; after++)
            ask_without_memory(&questions[i], after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
    };
    fuzz_fail_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
