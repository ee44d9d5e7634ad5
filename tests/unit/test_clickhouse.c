/* What is said to ClickHouse, byte for byte, and what becomes of what it answers. */
#include "fake_http.h"
#include "export/clickhouse.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>

#include <cmocka.h>

static char home[] = "/tmp/smilog-test-clickhouse-XXXXXX";

/* ---- URLs ---- */

static void a_url_names_a_host_and_a_database(void **state)
{
    static const struct {
        const char *url, *host;
        int port;
    } rows[] = {{"clickhouse://ann@one.example/runs_1", "one.example", 8123},
                {"clickhouse://ann@10.0.0.2:9123/runs_1", "10.0.0.2", 9123},
                {"clickhouse://ann@[::1]:80/runs_1", "[::1]", 80},
                {"clickhouse://ann@[fe80::2]/runs_1", "[fe80::2]", 8123}};
    struct smi_ch_url p;
    struct smi_err err = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(smi_ch_url_parse(&p, rows[i].url, &err), 0);
        assert_string_equal(p.user, "ann");
        assert_string_equal(p.host, rows[i].host);
        assert_int_equal(p.port, rows[i].port);
        assert_string_equal(p.database, "runs_1");
        assert_false(p.tls);
    }
    assert_int_equal(smi_ch_url_parse(&p, "clickhouses://h/d", &err), 0);
    assert_true(p.tls);
    assert_int_equal(p.port, 8443);
    assert_string_equal(p.user, "");
    assert_string_equal(p.cluster, "");
    assert_int_equal(smi_ch_url_parse(&p, "clickhouse://h/d?cluster=c_2", &err), 0);
    assert_string_equal(p.cluster, "c_2");
}

static void what_is_no_such_url_is_refused(void **state)
{
    static const char *const bad[] = {
        "clickhouse:/h/d",
        "clickhouse://",
        "clickhouse:///d",
        "clickhouse://h",
        "clickhouse://h/",
        "clickhouse://h/1d",
        "clickhouse://h/d;drop",
        "clickhouse://h/d/e",
        "clickhouse://h:0/d",
        "clickhouse://h:65536/d",
        "clickhouse://h:8x/d",
        "clickhouse://h:+8/d",
        "clickhouse://h:1.5/d",
        "clickhouse://h,/d",
        "clickhouse://,h/d",
        "clickhouse://h,,g/d",
        "clickhouse://h h/d",
        "clickhouse://[::1/d",
        "clickhouse://[]/d",
        "clickhouse://h,h/d",
        "clickhouse://h,h:8123/d",
        "clickhouse://h/d?x=1",
        "clickhouse://h/d?cluster=",
        "clickhouse://h/d?cluster=1c",
        "clickhouse://h/d?cluster=c&x=1",
        "clickhouse://h,g/d",
        "http://h/d",
        "clickhouse://h/ddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct smi_ch_url p;
        struct smi_err err = {0};
        if (smi_ch_url_parse(&p, bad[i], &err) != -1 || err.code != SMI_EUSAGE)
            fail_msg("%s was taken", bad[i]);
    }
}

static void a_password_in_a_url_is_refused_and_not_repeated(void **state)
{
    static const char *const bad[] = {"clickhouse://ann:s3cret@h/d", "clickhouse://:s3cret@h/d",
                                      "clickhouse://ann:s3cret@odd@h/d", "clickhouse://ann:s3cret/x@h/d"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct smi_ch_url p;
        struct smi_err err = {0};
        assert_int_equal(smi_ch_url_parse(&p, bad[i], &err), -1);
        assert_non_null(strstr(err.text, "SMILOG_CLICKHOUSE_PASSWORD"));
        assert_null(strstr(err.text, "s3cret"));
    }
}

/* ---- tables ---- */

static void every_metric_has_a_column_of_its_own(void **state)
{
    char column[SMI_CH_NAME];
    (void)state;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        assert_true(strlen(smi_metrics[m].key) < SMI_CH_NAME);
        smi_ch_metric_column(column, m);
        assert_int_equal(column[strspn(column, "abcdefghijklmnopqrstuvwxyz0123456789_")], '\0');
        for (unsigned other = 0; other < m; other++) {
            char before[SMI_CH_NAME];
            smi_ch_metric_column(before, other);
            assert_string_not_equal(column, before);
        }
    }
}

/* ---- questions ---- */

static const char *in_home(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", home, name);
    return path;
}

/* ---- servers that are none ---- */

static const struct smi_ch_patience quick = {
    .retry_ms = 4000, .done_ms = 300, .hello_ms = 1000, .answer_ms = 2000};

static void opens(struct fake_http *f, int rc, const char *words)
{
    struct smi_ch_server s;
    struct smi_err err = {0};
    char url[80];
    fake_start(f);
    snprintf(url, sizeof url, "clickhouse://127.0.0.1:%d/d", f->port);
    assert_int_equal(smi_ch_server_open(&s, url, NULL, &quick, &err), rc);
    if (words && !strstr(err.text, words))
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    smi_ch_server_close(&s);
    fake_stop(f);
    memset(f, 0, sizeof *f);
}

static void what_a_server_says_is_said(void **state)
{
    struct fake_http *f = calloc(1, sizeof *f);
    (void)state;
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 401, "Code: 193, wrong password \x1b[2J for ann\nmore"};
    opens(f, -1, "says: Code: 193, wrong password \\x1b[2J for ann");
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "<html>hello</html>\n"};
    opens(f, -1, "not what was asked for");
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_CUTS, 0, NULL};
    opens(f, -1, "127.0.0.1:");
    f->steps = 2;
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 404, "Code: 81, Database d doesn't exist"};
    opens(f, -1, "says: Code: 81, Database d doesn't exist - make it first: CREATE DATABASE d");
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_WAITS, 0, NULL}; /* until hello_ms */
    opens(f, -1, "127.0.0.1:");
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "\n"};
    opens(f, 0, NULL);
    free(f);
}

/* What is asked behind the version; its rows are added up. */
static int add_row(void *self, const json_t *row, struct smi_err *err)
{
    uint64_t *sum = self;
    *sum += smi_ch_number(row, "n");
    return strcmp(smi_ch_text(row, "t"), "stop") == 0 ? smi_err_set(err, SMI_EFORMAT, "stopped") : 0;
}

static void asks(struct fake_http *f, int rc, uint64_t sum, const char *words)
{
    struct smi_ch_server s;
    struct smi_err err = {0};
    uint64_t got = 0;
    char url[80];
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "\n"};
    fake_start(f);
    snprintf(url, sizeof url, "clickhouse://127.0.0.1:%d/d", f->port);
    assert_int_equal(smi_ch_server_open(&s, url, NULL, &quick, &err), 0);
    s.row = add_row;
    s.self = &got;
    assert_int_equal(smi_ch_ask(&s, &err, "SELECT %d AS n", 1), rc);
    assert_true(got == sum);
    assert_true(!words == !*err.text && (!words || strstr(err.text, words)));
    assert_string_equal(f->body[1].p, "SELECT 1 AS n FORMAT JSONEachRow");
    smi_ch_server_close(&s);
    fake_stop(f);
    memset(f, 0, sizeof *f);
}

static void rows_are_objects(void **state)
{
    static const struct {
        const char *answer, *words;
        uint64_t sum;
    } rows[] = {{"", NULL, 0},
                {"{\"n\":\"18446744073709551615\"}\n", NULL, UINT64_MAX},
                {"{\"n\":\"3\",\"t\":\"a\\/b\"}\n{\"n\":\"4\"}\n", NULL, 7},
                {"{\"n\":\"3\"}\n{\"n\":\"4\"", "not what was asked for", 3},
                {"{\"n\":\"3\"}\nhello\n", "not what was asked for", 3},
                {"{\"n\":\"3\",\"t\":\"stop\"}\n{\"n\":\"4\"}\n", "stopped", 3}};
    struct fake_http *f = calloc(1, sizeof *f);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        f->steps = 2;
        f->step[1] = (struct fake_step){FAKE_ANSWERS, 200, rows[i].answer};
        asks(f, rows[i].words ? -1 : 0, rows[i].sum, rows[i].words);
    }
    free(f);
}

/* A server that is away for a moment is asked again; one that says no is not. */
static void what_passes_is_waited_for(void **state)
{
    struct fake_http *f = calloc(1, sizeof *f);
    (void)state;
    f->steps = 5;
    f->step[1] = (struct fake_step){FAKE_CUTS, 0, NULL};
    f->step[2] = (struct fake_step){FAKE_ANSWERS, 500, "Code: 241, e.displayText() = memory"};
    f->step[3] = (struct fake_step){FAKE_GARBLES, 0, NULL};
    f->step[4] = (struct fake_step){FAKE_ANSWERS, 200, "{\"n\":\"5\"}\n"};
    asks(f, 0, 5, NULL);
    f->steps = 2;
    f->step[1] = (struct fake_step){FAKE_ANSWERS, 500, "Code: 62, no"};
    asks(f, -1, 0, "says: Code: 62, no");
    free(f);
}

/* What a server does on its own goes on for ever. */
static struct fake_step still_at_it(void *self, const char *head, const char *body, size_t n)
{
    (void)self, (void)head, (void)n;
    return (struct fake_step){FAKE_ANSWERS, 200,
                              strcmp(body, "SELECT ''") == 0 ? "\n"
                              : strstr(body, "ALTER")        ? ""
                                                             : "7\n"};
}

static void what_does_not_end_is_not_waited_for(void **state)
{
    struct fake_http *f = calloc(1, sizeof *f);
    struct smi_ch_server s;
    struct smi_err err = {0};
    char url[80];
    (void)state;
    f->choose = still_at_it;
    fake_start(f);
    snprintf(url, sizeof url, "clickhouse://127.0.0.1:%d/d", f->port);
    assert_int_equal(smi_ch_server_open(&s, url, NULL, &quick, &err), 0);
    assert_int_equal(smi_ch_delete(&s, "t", "", "run = 1", &err), -1);
    assert_int_equal(err.code, SMI_EIO);
    assert_non_null(strstr(err.text, " is to delete rows, and is not done after"));
    smi_ch_server_close(&s);
    fake_stop(f);
    free(f);
}

static void fetches(struct fake_http *f, const char *words)
{
    struct smi_merge_queue p = {0};
    struct smi_err err = {0};
    char url[80];
    fake_start(f);
    snprintf(url, sizeof url, "clickhouse://127.0.0.1:%d/d", f->port);
    assert_int_equal(smi_ch_fetch(&p, url, &err), -1);
    if (!strstr(err.text, words))
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    smi_merge_queue_fini(&p);
    fake_stop(f);
    memset(f, 0, sizeof *f);
}

static void a_database_without_runs_is_no_sweep(void **state)
{
    struct fake_http *f = calloc(1, sizeof *f);
    (void)state;
    f->steps = 2;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "\n"};
    f->step[1] = (struct fake_step){FAKE_ANSWERS, 200, ""};
    fetches(f, "no run of smilog is in the database d");
    free(f);
}

static void a_password_comes_from_a_file_or_the_environment(void **state)
{
    struct smi_err err = {0};
    struct smi_buf word = {0};
    FILE *f = fopen(in_home("word"), "w");
    (void)state;
    fputs("from the file\nand more\n", f);
    fclose(f);
    unsetenv("SMILOG_CLICKHOUSE_PASSWORD");
    unsetenv("SMILOG_CLICKHOUSE_PASSWORD_FILE");
    assert_int_equal(smi_ch_password(NULL, &word, &err), 0);
    assert_int_equal(word.n, 0);
    setenv("SMILOG_CLICKHOUSE_PASSWORD_FILE", in_home("word"), 1);
    assert_int_equal(smi_ch_password(NULL, &word, &err), 0);
    assert_string_equal(word.p, "from the file");
    smi_buf_fini(&word);
    setenv("SMILOG_CLICKHOUSE_PASSWORD", "of the environment", 1);
    assert_int_equal(smi_ch_password(NULL, &word, &err), 0);
    assert_string_equal(word.p, "of the environment");
    smi_buf_fini(&word);
    assert_int_equal(smi_ch_password(in_home("word"), &word, &err), 0);
    assert_string_equal(word.p, "from the file");
    smi_buf_fini(&word);
    assert_int_equal(smi_ch_password(in_home("none"), &word, &err), -1);
    assert_non_null(strstr(err.text, "none"));
    unsetenv("SMILOG_CLICKHOUSE_PASSWORD");
    unsetenv("SMILOG_CLICKHOUSE_PASSWORD_FILE");
}

static int setup(void **state)
{
    (void)state;
    return mkdtemp(home) ? 0 : -1;
}

static int teardown(void **state)
{
    char cmd[100];
    (void)state;
    snprintf(cmd, sizeof cmd, "rm -rf %s", home);
    return system(cmd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_url_names_a_host_and_a_database),
        cmocka_unit_test(what_is_no_such_url_is_refused),
        cmocka_unit_test(a_password_in_a_url_is_refused_and_not_repeated),
        cmocka_unit_test(every_metric_has_a_column_of_its_own),
        cmocka_unit_test(rows_are_objects),
        cmocka_unit_test(what_a_server_says_is_said),
        cmocka_unit_test(what_passes_is_waited_for),
        cmocka_unit_test(what_does_not_end_is_not_waited_for),
        cmocka_unit_test(a_database_without_runs_is_no_sweep),
        cmocka_unit_test(a_password_comes_from_a_file_or_the_environment),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
