/* The page: its budget, its waste that adds up, and memory that
 * cannot be had.
 */
#include "../fuzz/fail.c"

#include "summary/run.h"
#include "summary/findings.h"
#include "report/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

/* --- the page --- */

static char top[] = "/tmp/smilog-html-XXXXXX";

static void put_file(const char *dir, const char *name, const char *text)
{
    char whole[256];
    FILE *f;
    snprintf(whole, sizeof whole, "%s/%s", dir, name);
    f = fopen(whole, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

static int set_up(void **state)
{
    static const char head[] = "timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]\n";
    (void)state;
    assert_non_null(mkdtemp(top));
    for (int i = 0; i < 4; i++) {
        struct smi_buf b = {0};
        char dir[256];
        snprintf(dir, sizeof dir, "%s/lr=0.%d,seed=%d", top, i / 2, i % 2);
        assert_int_equal(mkdir(dir, 0700), 0);
        smi_buf_str(&b, head);
        for (int k = 0; k < 80; k++)
            for (int gpu = 0; gpu < 2; gpu++)
                smi_buf_fmt(&b, "2026/07/03 10:%02d:%02d.000, %d, %d, 1000, 100.5\n", k / 6, k % 6 * 10, gpu,
                            k < 30 || gpu < i % 2 ? 0 : 50);
        assert_false(b.failed);
        put_file(dir, "hw.csv", b.p);
        put_file(dir, "run.jsonl",
                 i == 3 ? "{\"ts\": \"2026-07-03T10:00:00Z\", \"type\": \"event\", \"event\": \"start\"}\n"
                          "torn"
                        : "");
        smi_buf_fini(&b);
    }
    return 0;
}

static int tear_down(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", top);
    return system(command);
}

static int page(struct smi_buf *to, uint64_t nth, bool after, bool *failed, struct smi_err *err)
{
    const char *path[] = {top};
    const struct smi_discover_opts find = {.format = -1, .threads = 1};
    const struct smi_options o = {.idle_below = 1000000};
    const struct smi_render_options look = {0};
    struct smi_sweep s;
    int rc;
    assert_int_equal(smi_sweep_read(&s, path, 1, &find, &o, err), 0);
    assert_int_equal(s.n, 4);
    fuzz_fail_at(nth, after, true);
    rc = smi_write_html(to, &s, &look, err);
    *failed = fuzz_fail_disarm();
    smi_sweep_fini(&s);
    return rc;
}

static void says_that_memory_ran_out(void **state)
{
    struct smi_buf whole = {0};
    struct smi_err err = {0};
    bool failed;
    int refused = 0;
    (void)state;
    assert_int_equal(page(&whole, 0, false, &failed, &err), 0);
    assert_non_null(strstr(whole.p, "</html>\n"));
    assert_non_null(strstr(whole.p, "idle before the first work"));
    for (int after = 0; after < 2; after++) {
        failed = true;
        for (uint64_t nth = 1; failed; nth += nth < 60 ? 1 : nth / 20) {
            struct smi_buf b = {0};
            int rc;
            err = (struct smi_err){0};
            rc = page(&b, nth, after, &failed, &err);
            if (rc) /* an arena that is emptied may do without its old room */
                assert_true(failed && err.code == SMI_ENOMEM);
            else
                assert_true(b.n == whole.n && memcmp(b.p, whole.p, b.n) == 0);
            refused += rc != 0;
            smi_buf_fini(&b);
        }
    }
    assert_true(refused > 50);
    smi_buf_fini(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(says_that_memory_ran_out, set_up, tear_down),
    };
    fuzz_fail_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
