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
        "clickhouse://h:/d",
        "clickhouse://h:8x/d",
        "clickhouse://h:+8/d",
        "clickhouse://h:1.5/d",
        "clickhouse://h,/d",
        "clickhouse://,h/d",
        "clickhouse://h,,g/d",
        "clickhouse://h h/d",
        "clickhouse://[::1/d",
        "clickhouse://[]/d",
        "clickhouse://h%41/d",
        "clickhouse://h,h/d",
        "clickhouse://h,h:8123/d",
        "clickhouse://@h/d",
        "clickhouse://a\"b@h/d",
        "clickhouse://h/d?",
        "clickhouse://h/d?x=1",
        "clickhouse://h/d?cluster=",
        "clickhouse://h/d?cluster=c2",
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

/* Runs are found again: this never changes. */
static void a_run_has_its_number_for_ever(void **state)
{
    (void)state;
    assert_true(smi_ch_run("/data/out/seed1", "seed1") == 0x49fce8f19a2e9b45u);
    assert_true(smi_ch_run("", "") == 0xdb01c3104e99566du);
}

/* ---- tables ---- */

static void the_dialect_is_told_by_the_version(void **state)
{
    (void)state;
    assert_int_equal(smi_ch_dialect("18.16.1"), SMI_CH_18);
    assert_int_equal(smi_ch_dialect("19.17.4.11\n"), SMI_CH_18);
    assert_int_equal(smi_ch_dialect("20.1.2"), SMI_CH_18);
    assert_int_equal(smi_ch_dialect("20.3"), SMI_CH_MODERN);
    assert_int_equal(smi_ch_dialect("24.8.1.2684"), SMI_CH_MODERN);
    assert_int_equal(smi_ch_dialect(""), -1);
    assert_int_equal(smi_ch_dialect("Ok."), -1);
    assert_int_equal(smi_ch_dialect("24"), -1);
    assert_int_equal(smi_ch_dialect("24."), -1);
}

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

static void names(const char *where, const char *want)
{
    struct smi_buf b = {0};
    const struct smi_query q = {.where = where};
    assert_int_equal(smi_ch_push_down(&b, &q), *want != '\0');
    for (size_t i = 0; i + 1 < b.n; i++)
        b.p[i] = b.p[i] ? b.p[i] : '|';
    assert_string_equal(b.n ? b.p : "", want);
    smi_buf_fini(&b);
}

static void names_of_runs_are_pushed_down(void **state)
{
    static const char *const not [] = {"",
                                       "idle_pct > 1",
                                       "run = 'a' OR run = 'b'",
                                       "run = 'a' AND idle_pct > 1",
                                       "NOT run = 'a'",
                                       "run = \"a\"",
                                       "run = 'a''b'",
                                       "run = 'a' COLLATE NOCASE",
                                       "run = 'a' -- x",
                                       "run LIKE 'a%'",
                                       "run IN ()",
                                       "run IN ('a',)",
                                       "run = '\xc3\xa9'",
                                       "run = 'a",
                                       "(run = 'a')",
                                       "run = 'a' || 'b'",
                                       "runs = 'a'",
                                       "run",
                                       "run IN (SELECT run FROM gpus)",
                                       "run = ",
                                       "run IN ('a', 'b'",
                                       "run IN ('a') OR 1"};
    (void)state;
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
        names(not [i], "");
    names("run = 'a'", "a");
    names(" RUN=='a b' ", "a b");
    names("run IN ('a', 'b/c','d')", "a|b/c|d");
}

static void what_all_runs_decide_is_not_pushed_down(void **state)
{
    struct smi_buf b = {0};
    (void)state;
    assert_false(smi_ch_push_down(&b, &(struct smi_query){.where = "run = 'a'", .sort = "param.lr"}));
    assert_false(smi_ch_push_down(&b, &(struct smi_query){.where = "run = 'a'", .join = "x.csv"}));
    assert_false(smi_ch_push_down(&b, &(struct smi_query){.where = "run = 'a'", .columns = "param.lr"}));
    assert_false(smi_ch_push_down(&b, &(struct smi_query){.sql = "SELECT 1"}));
    assert_false(smi_ch_push_down(&b, &(struct smi_query){.since = "7d"}));
    assert_true(smi_ch_push_down(&b, &(struct smi_query){.where = "run = 'a'", .since = "7d"}));
    smi_buf_fini(&b);
}

/* ---- rows ---- */

static void rows_are_what_the_format_says(void **state)
{
    struct smi_buf b = {0};
    struct smi_ch_server s = {0};
    struct smi_ch_rows r;
    char *text = calloc(1, 300);
    (void)state;
    memset(text, 'x', 299);
    smi_buf_add(&b, "\xfe\xff\xff\xff\xff\xff\xff\xff\2\1\5GPU-1\xab\2", 18);
    smi_buf_str(&b, text);
    smi_buf_add(&b, "", 1);
    s.answer = b;
    r = smi_ch_rows(&s);
    assert_true(smi_ch_read_int(&r, 8) == UINT64_MAX - 1);
    assert_int_equal(smi_ch_read_int(&r, 2), 0x0102);
    assert_true(smi_text_is(smi_ch_read_text(&r), "GPU-1"));
    assert_true(smi_text_is(smi_ch_read_text(&r), text));
    assert_int_equal(smi_ch_read_text(&r).n, 0);
    assert_false(r.bad);
    assert_int_equal(smi_ch_read_int(&r, 1), 0);
    assert_true(r.bad);
    smi_buf_fini(&b);
    free(text);
}

static const char *in_home(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", home, name);
    return path;
}

/* ---- servers that are none ---- */

static const struct smi_ch_patience quick = {.connect_ms = 2000,
                                             .stall_s = 20,
                                             .retry_ms = 300,
                                             .pause_ms = 10,
                                             .done_ms = 200,
                                             .hello_ms = 1000,
                                             .answer_ms = 2000};

static void opens(struct fake_http *f, int rc, const char *words)
{
    struct smi_ch_store s;
    struct smi_err err = {0};
    char url[80];
    fake_start(f);
    snprintf(url, sizeof url, "clickhouse://127.0.0.1:%d/d", f->port);
    assert_int_equal(smi_ch_store_open(&s, url, NULL, &quick, &err), rc);
    if (words && !strstr(err.text, words))
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    smi_ch_store_close(&s);
    fake_stop(f);
    memset(f, 0, sizeof *f);
}

static void what_a_server_says_is_said(void **state)
{
    struct fake_http *f = calloc(1, sizeof *f);
    (void)state;
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 401, "Code: 193, wrong\npassword \x1b[2J for ann"};
    opens(f, -1, "says: Code: 193, wrong password \\x1b[2J for ann");
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "<html>hello</html>"};
    opens(f, -1, "no version is what it answers");
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_CUTS, 0, NULL};
    opens(f, -1, "127.0.0.1:");
    f->steps = 2;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "18.16.1\n"};
    f->step[1] = (struct fake_step){FAKE_ANSWERS, 404, "Code: 81, Database d doesn't exist"};
    opens(f, -1, "says: Code: 81, Database d doesn't exist - make it first: CREATE DATABASE d");
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_WAITS, 0, NULL}; /* until hello_ms */
    opens(f, -1, "127.0.0.1:");
    f->steps = 2;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "24.8.1\n"};
    f->step[1] = (struct fake_step){FAKE_ANSWERS, 200, ""};
    opens(f, 0, NULL);
    free(f);
}

/* A server that is away for a moment is asked again; one that says no is not. */
static void what_passes_is_waited_for(void **state)
{
    struct fake_http *f = calloc(1, sizeof *f);
    (void)state;
    f->steps = 5;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "18.16.1\n"};
    f->step[1] = (struct fake_step){FAKE_CUTS, 0, NULL};
    f->step[2] = (struct fake_step){FAKE_ANSWERS, 500, "Code: 241, e.displayText() = memory"};
    f->step[3] = (struct fake_step){FAKE_GARBLES, 0, NULL};
    f->step[4] = (struct fake_step){FAKE_ANSWERS, 200, ""};
    opens(f, 0, NULL);
    free(f);
}

/* What a server does on its own goes on for ever. */
static struct fake_step still_at_it(void *self, const char *head, const char *body, size_t n)
{
    (void)self, (void)head, (void)n;
    return (struct fake_step){FAKE_ANSWERS, 200,
                              strstr(body, "version()") ? "18.16.1\n" : "two huge numbers"};
}

static void what_does_not_end_is_not_waited_for(void **state)
{
    struct fake_http *f = calloc(1, sizeof *f);
    struct smi_ch_url place;
    struct smi_ch_server s;
    struct smi_err err = {0};
    char url[80];
    (void)state;
    f->choose = still_at_it;
    fake_start(f);
    snprintf(url, sizeof url, "clickhouse://127.0.0.1:%d/d", f->port);
    assert_int_equal(smi_ch_url_parse(&place, url, &err), 0);
    assert_int_equal(smi_ch_server_open(&s, &place, NULL, &quick, &err), 0);
    s.patience.pause_ms = 50;
    assert_int_equal(smi_ch_wait_for_none(&s, "t WHERE run = 1", "is to delete rows", &err), -1);
    assert_int_equal(err.code, SMI_EIO);
    assert_non_null(strstr(err.text, " is to delete rows, and has not gone on"));
    smi_ch_server_close(&s);
    fake_stop(f);
    free(f);
}

static void fetches(struct fake_http *f, const char *words)
{
    struct smi_merge_queue p = SMI_MERGE_QUEUE;
    struct smi_err err = {0};
    size_t left;
    char url[80];
    fake_start(f);
    snprintf(url, sizeof url, "clickhouse://127.0.0.1:%d/d", f->port);
    assert_int_equal(smi_ch_fetch(&p, url, NULL, &left, &err), -1);
    if (!strstr(err.text, words))
        fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    smi_merge_queue_fini(&p);
    fake_stop(f);
    memset(f, 0, sizeof *f);
}

/* A server with these columns: which statements make the rest? */
static void assert_ddl(const char *columns, const char *begins, size_t statements)
{
    struct fake_http *f = calloc(1, sizeof *f);
    struct smi_ch_store s;
    struct smi_err err = {0};
    size_t n = 0;
    char url[80];
    f->steps = statements ? 3 : 2;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "18.16.1\n"};
    f->step[1] = f->step[2] = (struct fake_step){FAKE_ANSWERS, 200, columns};
    fake_start(f);
    snprintf(url, sizeof url, "clickhouse://127.0.0.1:%d/d", f->port);
    if (smi_ch_store_open(&s, url, NULL, &quick, &err)) {
        assert_int_equal(err.code, SMI_EFORMAT);
        assert_non_null(strstr(err.text, begins));
        assert_int_equal(statements, 0);
    } else {
        static const bool wanted[SMI_METRIC_COUNT] = {[SMI_POWER] = true};
        assert_int_equal(smi_ch_store_look(&s, wanted, &err), 0);
        for (size_t at = 0; at < s.ddl.n; at += strlen(s.ddl.p + at) + 1)
            n++;
        assert_int_equal(n, statements);
        assert_memory_equal(s.ddl.p, begins, strlen(begins));
    }
    smi_ch_store_close(&s);
    fake_stop(f);
    free(f);
}

static void the_tables_are_made_with_all_that_they_lack(void **state)
{
    static const char samples[] =
        "samples_local.gpu Int32\nsamples_local.run UInt64\nsamples_local.time DateTime('UTC')\n"
        "samples_local.ms UInt16\nsamples_local.timed UInt8\nsamples_local.utc UInt8\n"
        "samples_local.uuid String\nsamples_local.row UInt64\nsamples_local.input String\n"
        "samples_local.version UInt64\nsamples_local.own Int8\n";
    struct smi_buf more = {0};
    char column[SMI_CH_NAME];
    (void)state;
    assert_ddl("", "CREATE TABLE IF NOT EXISTS d.samples_local (run UInt64, gpu Int32, ", 3);
    assert_ddl("other.run UInt64\n", "CREATE TABLE IF NOT EXISTS d.samples_local (run UInt64, ", 3);
    assert_ddl(samples, "ALTER TABLE d.samples_local ADD COLUMN ", 3);
    assert_ddl(samples + strlen("samples_local.gpu Int32\n"), "it lacks the column gpu Int32", 0);
    assert_ddl("samples_local.run String\n", "d.samples_local is not as this smilog makes it", 0);
    smi_ch_metric_column(column, SMI_POWER);
    smi_buf_fmt(&more, "%ssamples_local.%s Nullable(Decimal(18, 6))\n", samples, column);
    assert_ddl(more.p, "CREATE TABLE IF NOT EXISTS d.runs_local (run UInt64, version UInt64, ", 2);
    smi_buf_fini(&more);
}

static void a_database_without_runs_is_no_sweep(void **state)
{
    struct fake_http *f = calloc(1, sizeof *f);
    (void)state;
    f->steps = 2;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "18.16.1\n"};
    f->step[1] = (struct fake_step){FAKE_ANSWERS, 200, ""};
    fetches(f, "no run of smilog is in the database d");
    free(f);
}

static void a_password_comes_from_a_file_or_the_environment(void **state)
{
    struct smi_err err = {0};
    char *word;
    FILE *f = fopen(in_home("word"), "w");
    (void)state;
    fputs("from the file\nand more\n", f);
    fclose(f);
    unsetenv("SMILOG_CLICKHOUSE_PASSWORD");
    unsetenv("SMILOG_CLICKHOUSE_PASSWORD_FILE");
    assert_int_equal(smi_ch_password(NULL, &word, &err), 0);
    assert_null(word);
    setenv("SMILOG_CLICKHOUSE_PASSWORD_FILE", in_home("word"), 1);
    assert_int_equal(smi_ch_password(NULL, &word, &err), 0);
    assert_string_equal(word, "from the file");
    free(word);
    setenv("SMILOG_CLICKHOUSE_PASSWORD", "of the environment", 1);
    assert_int_equal(smi_ch_password(NULL, &word, &err), 0);
    assert_string_equal(word, "of the environment");
    free(word);
    assert_int_equal(smi_ch_password(in_home("word"), &word, &err), 0);
    assert_string_equal(word, "from the file");
    free(word);
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
        cmocka_unit_test(a_run_has_its_number_for_ever),
        cmocka_unit_test(the_tables_are_made_with_all_that_they_lack),
        cmocka_unit_test(the_dialect_is_told_by_the_version),
        cmocka_unit_test(every_metric_has_a_column_of_its_own),
        cmocka_unit_test(names_of_runs_are_pushed_down),
        cmocka_unit_test(what_all_runs_decide_is_not_pushed_down),
        cmocka_unit_test(rows_are_what_the_format_says),
        cmocka_unit_test(what_a_server_says_is_said),
        cmocka_unit_test(what_passes_is_waited_for),
        cmocka_unit_test(what_does_not_end_is_not_waited_for),
        cmocka_unit_test(a_database_without_runs_is_no_sweep),
        cmocka_unit_test(a_password_comes_from_a_file_or_the_environment),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
