/* subtrack: the same rows from a file however it is read, and memory that is not there. What it finds is held
 * against a slow restatement by scripts/subtrack_oracle.py. */
#include "../fuzz/fail.c"

#include "process/subtrack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char home[] = "/tmp/smilog-test-subtrack-XXXXXX";

static int enter(void **unused)
{
    (void)unused;
    alarm(300);
    fuzz_fail_init();
    return !mkdtemp(home) || chdir(home) != 0;
}

static int leave(void **unused)
{
    (void)unused;
    return system("rm -rf ./*") != 0 || chdir("/") != 0 || rmdir(home) != 0;
}

static void put(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
}

static const char rows[] = "process_id,code_block_name,position,timestamp\r\n"
                           "7,\"a, \"\"b\"\"\",0,1.5\r\n"
                           "7,\"a, \"\"b\"\"\",1,2.5\r\n"
                           "8,tmp.py:9,0,1.5\r\n"
                           "8,tmp.py:9,1,4.5\r\n"
                           "8,tmp.py:12,0,4.5\r\n"
                           "8,tmp.py:12,1,5.5\r\n";

static void put_track(const char *path)
{
    static const struct smi_usage_machine box = {67254165504, 81559000000, 12, 4, 1, 1};
    struct smi_usage_file f;
    struct smi_usage_sample s;
    struct smi_err err = {0};
    assert_int_equal(smi_usage_file_open(&f, path, true, &box, &smi_usage_default_units, &err), 0);
    for (int i = 0; i < 12; i++) {
        smi_usage_sample_init(&s, 500000 * (int64_t)i);
        s.system_ram = 1000000007 * (int64_t)i;
        s.threads[SMI_TREE_OF_MAIN] = i;
        assert_int_equal(smi_usage_file_add(&f, &s, &err), 0);
    }
    assert_int_equal(smi_usage_file_close(&f, &err), 0);
}

/* Cut off anywhere, what is there are the whole rows, the last of them from the first digit behind the point
 * on; the piece of one behind them is noted. */
static void every_cut(void **unused)
{
    size_t whole = 0, all = sizeof rows - 1;
    (void)unused;
    for (size_t cut = strlen("process_id,code_block_name,position,timestamp\r\n"); cut <= all; cut++) {
        struct smi_sub_rows r = {0};
        struct smi_sub_warnings notes = {0};
        struct smi_err err = {0};
        bool time = rows[cut - 2] == '.' && rows[cut - 1] >= '0' && rows[cut - 1] <= '9';
        bool piece = rows[cut - 1] != '\n' && rows[cut - 1] != '\r' && !time;
        put("cut.csv", rows, cut);
        assert_int_equal(smi_sub_rows_read(&r, "cut.csv", &notes, &err), 0);
        whole += time;
        assert_int_equal(r.n, whole);
        assert_int_equal(notes.n, piece);
        assert_true(!piece || strstr(notes.text.p, "unfinished last line"));
        smi_buf_fini(&notes.text);
        smi_sub_rows_fini(&r);
    }
    assert_int_equal(whole, 6);
}

/* What smilog writes as a tracking file is read as it was, from either form. */
static void our_own_tracking_file(void **unused)
{
    static const char *const paths[] = {"t.csv", "t.sqlite"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        struct smi_sub_track t = {0};
        struct smi_sub_warnings notes = {0};
        struct smi_err err = {0};
        put_track(paths[i]);
        assert_int_equal(smi_sub_track_read(&t, paths[i], &notes, &err), 0);
        assert_int_equal(notes.n, 0);
        assert_int_equal(t.n, 12);
        assert_string_equal(t.fixed[0].word, "gigabytes");
        assert_int_equal(t.fixed[5].count, 12);
        assert_true(t.fixed[3].real == 67.254165504);
        assert_true(t.row[11][3] == 11.000000077 && t.row[11][10] == 11 && t.row[11][21] == 5.5);
        assert_true(t.row[11][0] != t.row[11][0]); /* not known */
        smi_sub_track_fini(&t);
    }
}

static void a_row_as_long_as_may_be(void **unused)
{
    (void)unused;
    for (size_t more = 0; more < 2; more++) {
        size_t n = more ? 2 * SMI_SUB_ROW_MAX : SMI_SUB_ROW_MAX / 2;
        struct smi_buf b = {0};
        struct smi_sub_rows r = {0};
        struct smi_sub_warnings notes = {0};
        struct smi_err err = {0};
        smi_buf_str(&b, "process_id,code_block_name,position,timestamp\n7,\"");
        for (size_t i = 0; i < n; i++)
            smi_buf_char(&b, 'x');
        smi_buf_str(&b, "\",0,1.5\n");
        put("long.csv", b.p, b.n);
        assert_int_equal(smi_sub_rows_read(&r, "long.csv", &notes, &err), more ? -1 : 0);
        assert_string_equal(err.text,
                            more ? "long.csv: row 2: a quote is not closed, or it is longer than 1 MiB" : "");
        assert_int_equal(r.n, !more);
        smi_buf_fini(&b);
        smi_buf_fini(&notes.text);
        smi_sub_rows_fini(&r);
    }
}

/* All there is, once: gathers, combines, analyses, compares. Returns as those do. */
static int work(struct smi_buf *text, struct smi_err *err)
{
    const char *const parts[] = {"parts", "parts/7.csv"};
    struct smi_sub_rows r = {0};
    struct smi_sub_track t = {0};
    struct smi_sub_warnings notes = {0};
    struct smi_sub_results found = {0};
    struct smi_sub_comparison c = {0};
    int rc;
    unlink("all.csv");
    unlink("all.sqlite");
    rc = smi_sub_rows_collect(&r, parts, 2, &notes, err) || smi_sub_rows_write(&r, "all.csv", err) ||
         smi_sub_rows_write(&r, "all.sqlite", err) || smi_sub_track_read(&t, "t.csv", &notes, err) ||
         smi_sub_analyze(&found, &t, &r, "parts", err);
    if (!rc) {
        smi_sub_json(text, &found);
        smi_sub_text(text, &found);
    }
    rc = rc || smi_sub_session_read(&c, "one", "1.json", err) ||
         smi_sub_session_read(&c, "two", "2.json", err) || smi_sub_match(&c, &notes, err);
    if (!rc) {
        smi_sub_compare_json(text, &c, SMI_SUB_MEAN);
        smi_sub_compare_text(text, &c, SMI_SUB_STD);
    }
    smi_buf_fini(&notes.text);
    smi_sub_comparison_fini(&c);
    smi_sub_results_fini(&found);
    smi_sub_track_fini(&t);
    smi_sub_rows_fini(&r);
    return rc || text->failed ? -1 : 0;
}

static void put_sessions(void)
{
    struct smi_sub_rows r = {0};
    struct smi_sub_track t = {0};
    struct smi_sub_warnings notes = {0};
    struct smi_sub_results found = {0};
    struct smi_buf text = {0};
    struct smi_err err = {0};
    char *line;
    mkdir("parts", 0755);
    put("parts/7.csv", rows, sizeof rows - 1);
    put("parts/none", "x\n", 2);
    put_track("t.csv");
    assert_int_equal(smi_sub_rows_read(&r, "parts/7.csv", &notes, &err), 0);
    assert_int_equal(smi_sub_track_read(&t, "t.csv", &notes, &err), 0);
    assert_int_equal(smi_sub_analyze(&found, &t, &r, "parts/7.csv", &err), 0);
    smi_sub_json(&text, &found);
    put("1.json", text.p, text.n);
    while ((line = strstr(text.p, "py:9")))
        line[3] = '8';
    put("2.json", text.p, text.n);
    smi_buf_fini(&text);
    smi_sub_results_fini(&found);
    smi_sub_track_fini(&t);
    smi_sub_rows_fini(&r);
}

static void memory_that_is_not_there(void **unused)
{
    struct smi_buf want = {0};
    struct smi_err err = {0};
    uint64_t refused = 0;
    bool failed = true;
    (void)unused;
    put_sessions();
    assert_int_equal(work(&want, &err), 0);
    assert_true(want.n > 20000 && strstr(want.p, "tmp.py:8 -> tmp.py:9"));
    for (uint64_t nth = 1; failed; nth++) {
        struct smi_buf got = {0};
        int rc;
        err = (struct smi_err){0};
        fuzz_fail_at(nth, false, true);
        rc = work(&got, &err);
        failed = fuzz_fail_disarm();
        if (rc) {
            assert_true(failed && (got.failed || err.code == SMI_ENOMEM));
            refused++;
        } else {
            assert_int_equal(got.n, want.n);
            assert_memory_equal(got.p, want.p, want.n);
        }
        smi_buf_fini(&got);
    }
    assert_in_range(refused, 50, 100000);
    smi_buf_fini(&want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut),
        cmocka_unit_test(our_own_tracking_file),
        cmocka_unit_test(a_row_as_long_as_may_be),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
