/* What is said to ClickHouse, byte for byte, and what becomes of what it answers. */
#include "fake_http.h"
#include "export/clickhouse_fetch.h"
#include "export/clickhouse_pushdown.h"
#include "export/clickhouse_ledger.h"
#include "export/clickhouse_block.h"
#include "export/clickhouse_store.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>

#include <cmocka.h>

static char home[] = "/tmp/smilog-test-clickhouse-XXXXXX";

/* ---- URLs ---- */

static void a_url_names_shards_and_a_database(void **state)
{
    struct smi_ch_url p;
    struct smi_err err = {0};
    (void)state;
    assert_int_equal(
        smi_ch_url_parse(
            &p, "clickhouse://ann@one.example,10.0.0.2:9123,[::1]:80,[fe80::2]/runs_1?cluster=c2", &err),
        0);
    assert_int_equal(p.hosts, 4);
    assert_string_equal(p.user, "ann");
    assert_string_equal(p.host[0].name, "one.example");
    assert_int_equal(p.host[0].port, 8123);
    assert_string_equal(p.host[1].name, "10.0.0.2");
    assert_int_equal(p.host[1].port, 9123);
    assert_string_equal(p.host[2].name, "[::1]");
    assert_int_equal(p.host[2].port, 80);
    assert_string_equal(p.host[3].name, "[fe80::2]");
    assert_int_equal(p.host[3].port, 8123);
    assert_string_equal(p.database, "runs_1");
    assert_string_equal(p.cluster, "c2");
    assert_false(p.tls);
    assert_int_equal(smi_ch_url_parse(&p, "clickhouses://h/d", &err), 0);
    assert_true(p.tls);
    assert_int_equal(p.host[0].port, 8443);
    assert_string_equal(p.user, "");
    assert_string_equal(p.cluster, "");
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
        "clickhouse://h/d?x=1",
        "clickhouse://h/d?cluster=",
        "clickhouse://h/d?cluster=a-b",
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

static void there_are_at_most_64_shards(void **state)
{
    struct smi_buf b = {0};
    struct smi_ch_url p;
    struct smi_err err = {0};
    (void)state;
    for (int n = 64; n <= 65; n++) {
        smi_buf_clear(&b);
        for (int i = 0; i < n; i++)
            smi_buf_fmt(&b, "%sh%d", i ? "," : "clickhouse://", i);
        smi_buf_str(&b, "/d");
        assert_int_equal(smi_ch_url_parse(&p, b.p, &err), n == 64 ? 0 : -1);
    }
    smi_buf_fini(&b);
}

/* Runs are found again where they were put: this never changes. */
static void a_run_has_its_shard_for_ever(void **state)
{
    size_t n[3] = {0};
    char name[40];
    (void)state;
    assert_true(smi_ch_run("/data/out/seed1", "seed1") == 0x49fce8f19a2e9b45u);
    assert_true(smi_ch_run("", "") == 0xdb01c3104e99566du);
    assert_int_equal(smi_ch_shard(smi_ch_run("/data/out/seed1", "seed1"), 3), 2);
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "lr=0.1/seed=%d", i);
        n[smi_ch_shard(smi_ch_run(name, "x"), 3)]++;
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(n[i], 900, 1100);
}

/* ---- tables ---- */

static void put_all(struct smi_buf *to, enum smi_ch_dialect d)
{
    struct smi_buf ddl = {0};
    bool some[SMI_METRIC_COUNT] = {[SMI_GPU_UTIL] = true, [SMI_POWER] = true};
    for (int t = 0; t < SMI_CH_OWN; t++)
        smi_ch_ddl(&ddl, (enum smi_ch_table)t, d, "runs", "c");
    smi_ch_ddl_metrics(&ddl, d, "runs", "samples_local", some);
    smi_ch_ddl_metrics(&ddl, d, "runs", "samples", some);
    for (int t = SMI_CH_OWN; t < SMI_CH_TABLES; t++)
        smi_ch_ddl(&ddl, (enum smi_ch_table)t, d, "misc", "c");
    for (size_t at = 0; at < ddl.n; at += strlen(ddl.p + at) + 1)
        smi_buf_fmt(to, "%s;\n", ddl.p + at);
    smi_buf_fini(&ddl);
}

static void the_statements_are_those_that_servers_take(void **state)
{
    static const char *const golden[] = {"tests/fixtures/clickhouse/18.sql",
                                         "tests/fixtures/clickhouse/modern.sql"};
    (void)state;
    for (int d = SMI_CH_18; d <= SMI_CH_MODERN; d++) {
        struct smi_buf b = {0};
        char want[16384];
        FILE *f = fopen(golden[d], "r");
        size_t n = f ? fread(want, 1, sizeof want - 1, f) : 0;
        put_all(&b, (enum smi_ch_dialect)d);
        if (getenv("ACCEPT")) {
            f = freopen(golden[d], "w", f ? f : stdin);
            fwrite(b.p, 1, b.n, f);
        } else {
            want[n] = '\0';
            assert_string_equal(b.p, want);
        }
        if (f)
            fclose(f);
        smi_buf_fini(&b);
    }
}

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
        assert_true(smi_ch_is_name(smi_text_of(column)));
        assert_int_equal(smi_ch_metric_of(smi_text_of(column)), m);
        for (size_t i = 0; i < SMI_CH_COLUMNS; i++)
            assert_string_not_equal(column, smi_ch_columns[i].name);
    }
    assert_int_equal(smi_ch_metric_of(smi_text_of("run")), -1);
}

/* ---- questions ---- */

static void narrows(const char *where, const char *want)
{
    struct smi_buf b = {0};
    const struct smi_query q = {.where = where};
    bool some = smi_ch_push_down(&b, &q);
    assert_int_equal(some, *want != '\0');
    assert_string_equal(some ? b.p : "", want);
    smi_buf_fini(&b);
}

#define ANY " OR length(name) != lengthUTF8(name))"

static void servers_are_asked_what_they_can_tell(void **state)
{
    static const char *const not [] = {"",
                                       "idle_pct > 1",
                                       "run = 'a' OR run = 'b'",
                                       "run = 'a' AND idle_pct > 1 OR state = 'ok'",
                                       "NOT run = 'a'",
                                       "run = 'a' AND param.lr > 1",
                                       "run = 'a' AND lr > 1",
                                       "run = \"a\"",
                                       "run = 'a''b'",
                                       "run = 'a' COLLATE NOCASE",
                                       "run = 'a' -- x",
                                       "run = 'a' /* x */",
                                       "run LIKE '%'",
                                       "run LIKE '%b_'",
                                       "run IN ()",
                                       "run IN ('a',)",
                                       "run = '\xc3\xa9'",
                                       "run = 'a",
                                       "(run = 'a')",
                                       "run = 'a' || 'b'",
                                       "run IN (SELECT run FROM gpus)",
                                       "idle_pct BETWEEN 1 AND run = 'a' ) AND ( 1"};
    (void)state;
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
        narrows(not [i], "");
    narrows("run = 'a'", "((name = unhex('61'))" ANY);
    narrows("idle_pct > 1.5 and run IN ('a', 'b') AND state = 'ok'",
            "((name IN (unhex('61'), unhex('62')))" ANY);
    narrows("run == '' AND run GLOB 'a*'",
            "((name = unhex(''))" ANY
            " AND ((toString(substring(name, 1, 1)) = toString(unhex('61')) AND length(name) >= 1)" ANY);
    narrows("run LIKE 'A%bc'",
            "((lower(substring(name, 1, 1)) = lower(unhex('41')) AND length(name) >= 3 AND "
            "lower(substring(name, toInt64(length(name)) - 1, 2)) = lower(unhex('6263')))" ANY);
}

static void what_every_run_decides_is_not_asked(void **state)
{
    struct smi_buf b = {0};
    (void)state;
    assert_false(smi_ch_push_down(&b, &(struct smi_query){.where = "run = 'a'", .sort = "param.lr"}));
    assert_false(smi_ch_push_down(&b, &(struct smi_query){.where = "run = 'a'", .join = "x.csv"}));
    assert_false(smi_ch_push_down(&b, &(struct smi_query){.sql = "SELECT 1"}));
    assert_false(smi_ch_push_down(&b, &(struct smi_query){.since = "never"}));
    assert_true(smi_ch_push_down(&b, &(struct smi_query){.where = "run = 'a'", .sort = "-idle_pct, run"}));
    smi_buf_clear(&b);
    assert_true(smi_ch_push_down(&b, &(struct smi_query){.since = "2026-07-03T18:14Z"}));
    assert_non_null(strstr(b.p, "< '2026-07-01T18:14:00.000Z')"));
    smi_buf_fini(&b);
}

/* ---- blocks ---- */

static void put_rows(struct smi_ch_block *b)
{
    smi_ch_block_row(
        b, &(struct smi_ch_row){
               .gpu = 1, .timed = true, .utc = true, .t_ms = 1700000000123, .row = 7, .uuid = {"GPU-1", 5}});
    smi_ch_block_reading(b, SMI_POWER, 250500000);
    smi_ch_block_row(b, &(struct smi_ch_row){.gpu = -1, .row = 8});
    smi_ch_block_reading(b, SMI_GPU_UTIL, -1000000);
}

/* How a block looks on its way; a name and a type, then what each row has. */
static void a_block_is_what_the_format_says(void **state)
{
    static const char want[] = "\x10\x02"
                               "\x03"
                               "run"
                               "\x06"
                               "UInt64"
                               "\5\0\0\0\0\0\0\0"
                               "\5\0\0\0\0\0\0\0"
                               "\x03"
                               "gpu"
                               "\x05"
                               "Int32"
                               "\1\0\0\0"
                               "\xff\xff\xff\xff"
                               "\x04"
                               "time"
                               "\x0f"
                               "DateTime('UTC')"
                               "\x00\xf1\x53\x65"
                               "\0\0\0\0"
                               "\x02"
                               "ms"
                               "\x06"
                               "UInt16"
                               "\x7b\0"
                               "\0\0"
                               "\x05"
                               "timed"
                               "\x05"
                               "UInt8"
                               "\1"
                               "\0"
                               "\x03"
                               "utc"
                               "\x05"
                               "UInt8"
                               "\1"
                               "\0"
                               "\x04"
                               "uuid"
                               "\x06"
                               "String"
                               "\5"
                               "GPU-1"
                               "\0"
                               "\x03"
                               "row"
                               "\x06"
                               "UInt64"
                               "\7\0\0\0\0\0\0\0"
                               "\x08\0\0\0\0\0\0\0"
                               "\x05"
                               "input"
                               "\x06"
                               "String"
                               "\5"
                               "a.csv"
                               "\5"
                               "a.csv"
                               "\x05"
                               "month"
                               "\x04"
                               "Date"
                               "\x0c\x4d"
                               "\x0c\x4d"
                               "\x05"
                               "batch"
                               "\x06"
                               "UInt64"
                               "\x63\0\0\0\0\0\0\0"
                               "\x63\0\0\0\0\0\0\0"
                               "\x09"
                               "first_row"
                               "\x06"
                               "UInt64"
                               "\7\0\0\0\0\0\0\0"
                               "\7\0\0\0\0\0\0\0"
                               "\x07"
                               "end_row"
                               "\x06"
                               "UInt64"
                               "\x09\0\0\0\0\0\0\0"
                               "\x09\0\0\0\0\0\0\0"
                               "\x0a"
                               "batch_rows"
                               "\x06"
                               "UInt32"
                               "\2\0\0\0"
                               "\2\0\0\0"
                               "\x0c"
                               "gpu_util_pct"
                               "\x18"
                               "Nullable(Decimal(18, 6))"
                               "\1\0"
                               "\0\0\0\0\0\0\0\0"
                               "\xc0\xbd\xf0\xff\xff\xff\xff\xff"
                               "\x07"
                               "power_w"
                               "\x18"
                               "Nullable(Decimal(18, 6))"
                               "\0\1"
                               "\xa0\x53\xee\x0e\0\0\0\0"
                               "\0\0\0\0\0\0\0\0";
    const struct smi_ch_batch batch = {
        .run = 5, .batch = 99, .first = 7, .end = 9, .rows = 2, .month = 19724, .input = {"a.csv", 5}};
    struct smi_ch_block *rows = calloc(2, sizeof *rows), *b = rows + 1;
    struct smi_buf heads = {0}, all = {0};
    struct smi_text piece[SMI_CH_PIECES];
    size_t n;
    (void)state;
    put_rows(rows);
    smi_ch_block_join(b, rows, &batch);
    n = smi_ch_block_pieces(b, &heads, piece);
    for (size_t i = 0; i < n; i++)
        smi_buf_add(&all, piece[i].p, piece[i].n);
    assert_int_equal(all.n, sizeof want - 1);
    assert_memory_equal(all.p, want, all.n);
    smi_buf_clear(&all);
    smi_ch_block_names(b, &all);
    assert_string_equal(
        all.p,
        "run, gpu, time, ms, timed, utc, uuid, row, input, month, batch, first_row, end_row, batch_rows, "
        "gpu_util_pct, power_w");
    smi_buf_fini(&all);
    smi_buf_fini(&heads);
    smi_ch_block_fini(rows);
    smi_ch_block_fini(b);
    free(rows);
}

/* A metric that comes late, goes early, or is of one batch: each row has its own reading, or none. */
static void readings_stay_with_their_rows(void **state)
{
    const struct smi_ch_batch batch = {.run = 1, .input = {"a", 1}};
    struct smi_ch_block *b = calloc(2, sizeof *b), *rows = b + 1;
    struct smi_buf heads = {0};
    struct smi_text piece[SMI_CH_PIECES];
    int64_t want[40];
    (void)state;
    for (int part = 0, row = 0; part < 4; part++) {
        for (int i = 0; i < 10; i++, row++) {
            bool has = part != 2 && (row * 7 % 3 == 0 || part == 3) && row != 39;
            smi_ch_block_row(rows, &(struct smi_ch_row){.row = (uint64_t)row});
            want[row] = has ? row * 1000 : -1;
            if (has)
                smi_ch_block_reading(rows, SMI_POWER, row * 1000);
        }
        smi_ch_block_join(b, rows, &batch);
        smi_ch_block_clear(rows);
    }
    assert_int_equal(b->rows, 40);
    assert_true(smi_ch_block_pieces(b, &heads, piece) > 0);
    for (int i = 0; i < 40; i++) {
        int64_t v;
        memcpy(&v, b->metric[SMI_POWER].value.p + i * 8, 8);
        assert_int_equal(b->metric[SMI_POWER].absent.p[i], want[i] < 0);
        assert_int_equal(v, want[i] < 0 ? 0 : want[i]);
    }
    smi_buf_fini(&heads);
    smi_ch_block_fini(b);
    smi_ch_block_fini(rows);
    free(b);
}

static uint64_t sum_with(int change)
{
    struct smi_ch_block *b = calloc(1, sizeof *b);
    struct smi_ch_row row = {.gpu = change == 1,
                             .timed = true,
                             .utc = change != 2,
                             .t_ms = change == 3,
                             .row = change == 4,
                             .uuid = {"ab", change == 5 ? 1 : 2}};
    uint64_t sum;
    smi_ch_block_row(b, &row);
    smi_ch_block_reading(b, change == 6 ? SMI_GPU_UTIL : SMI_POWER, change == 7);
    sum = smi_ch_block_sum(b, change == 8, change == 9, change == 10 ? "x" : "y");
    smi_ch_block_fini(b);
    free(b);
    return sum;
}

static void rows_that_differ_in_anything_have_another_sum(void **state)
{
    uint64_t sum[11];
    (void)state;
    for (int i = 0; i < 11; i++) {
        sum[i] = sum_with(i);
        for (int k = 0; k < i; k++)
            assert_true(sum[k] != sum[i]);
    }
    assert_true(sum_with(0) == sum[0]);
}

/* ---- the ledger ---- */

static const char *in_home(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", home, name);
    return path;
}

static void a_block_is_in_doubt_until_it_is_stored(void **state)
{
    const struct smi_ledger_batch batch[] = {{1, 11, 100}, {1, 12, 50}, {2, UINT64_MAX, 7}};
    struct smi_err err = {0};
    struct smi_ledger *l = smi_ledger_open(in_home("one"), "h:1/d", &err);
    struct smi_ledger_pending d;
    uint64_t rows;
    (void)state;
    assert_non_null(l);
    assert_int_equal(smi_ledger_pending(l, &d, &err), 0);
    assert_int_equal(smi_ledger_send(l, 3, "id-1", batch, 3, &err), 0);
    smi_ledger_close(l); /* as if it had died */
    l = smi_ledger_open(in_home("one"), "h:1/d", &err);
    assert_int_equal(smi_ledger_pending(l, &d, &err), 1);
    assert_string_equal(d.id, "id-1");
    assert_int_equal(d.shard, 3);
    assert_true(d.sent_ms > 1600000000000);
    assert_int_equal(smi_ledger_missing_rows(l, 1, NULL, 0, &rows, &err), 0);
    assert_int_equal(rows, 0); /* what is in doubt is not lost */
    assert_int_equal(smi_ledger_end(l, "id-1", true, &err), 0);
    assert_int_equal(smi_ledger_pending(l, &d, &err), 0);
    assert_int_equal(smi_ledger_missing_rows(l, 1, (const uint64_t[]){5, 11, 20}, 3, &rows, &err), 0);
    assert_int_equal(rows, 50);
    assert_int_equal(smi_ledger_missing_rows(l, 2, (const uint64_t[]){UINT64_MAX}, 1, &rows, &err), 0);
    assert_int_equal(rows, 0);
    assert_int_equal(smi_ledger_forget(l, 1, &err), 0);
    assert_int_equal(smi_ledger_missing_rows(l, 1, NULL, 0, &rows, &err), 0);
    assert_int_equal(rows, 0);
    assert_int_equal(smi_ledger_send(l, 0, "id-2", batch, 2, &err), 0);
    assert_int_equal(smi_ledger_end(l, "id-2", false, &err), 0);
    assert_int_equal(smi_ledger_pending(l, &d, &err), 0);
    assert_int_equal(smi_ledger_missing_rows(l, 1, NULL, 0, &rows, &err), 0);
    assert_int_equal(rows, 0);
    smi_ledger_close(l);
}

static void refused(const char *path, const char *store, int code, const char *words)
{
    struct smi_err err = {0};
    assert_null(smi_ledger_open(path, store, &err));
    assert_int_equal(err.code, code);
    assert_non_null(strstr(err.text, words));
}

static void a_ledger_is_of_one_store_and_one_export(void **state)
{
    struct smi_err err = {0};
    struct smi_ledger *l = smi_ledger_open(in_home("two"), "h:1/d", &err);
    FILE *f;
    (void)state;
    assert_non_null(l);
    refused(in_home("two"), "h:1/d", SMI_EIO, "another export to this store runs");
    smi_ledger_close(l);
    refused(in_home("two"), "h:1/e", SMI_EUSAGE, "the ledger of another store, h:1/d");
    f = fopen(in_home("text"), "w");
    fputs("this is a text, and a long one, so that nobody takes it for a database that is only begun\n", f);
    fclose(f);
    refused(in_home("text"), "h:1/d", SMI_EUSAGE, "is no ledger of smilog");
    refused(in_home("no/such/place"), "h:1/d", SMI_EIO, "no/such/place");
}

static void a_ledger_lies_where_state_does(void **state)
{
    struct smi_buf b = {0};
    struct smi_err err = {0};
    struct stat st;
    (void)state;
    setenv("XDG_STATE_HOME", in_home("state/of/mine"), 1);
    assert_int_equal(smi_ledger_path(&b, "h:1/d", &err), 0);
    assert_non_null(strstr(b.p, "/state/of/mine/smilog/clickhouse-"));
    assert_int_equal(stat(in_home("state/of/mine/smilog"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    smi_buf_clear(&b);
    unsetenv("XDG_STATE_HOME");
    setenv("HOME", in_home("house"), 1);
    assert_int_equal(smi_ledger_path(&b, "h:1/d", &err), 0);
    assert_non_null(strstr(b.p, "/house/.local/state/smilog/clickhouse-"));
    smi_buf_clear(&b);
    unsetenv("HOME");
    assert_int_equal(smi_ledger_path(&b, "h:1/d", &err), -1);
    assert_non_null(strstr(err.text, "--ledger"));
    smi_buf_fini(&b);
}

/* ---- servers that are none ---- */

static const struct smi_ch_patience quick = {.connect_ms = 2000,
                                             .stall_s = 20,
                                             .retry_ms = 300,
                                             .pause_ms = 10,
                                             .settle_ms = 10,
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
    f->step[1] = (struct fake_step){FAKE_ANSWERS, 200, "no rows are these"};
    opens(f, -1, "its answer is not what was asked for");
    f->steps = 2;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "18.16.1\n"};
    f->step[1] = (struct fake_step){FAKE_ANSWERS, 404, "Code: 81, Database d doesn't exist"};
    opens(f, -1, "says: Code: 81, Database d doesn't exist - make it first: CREATE DATABASE d");
    f->steps = 1;
    f->step[0] = (struct fake_step){FAKE_WAITS, 0, NULL}; /* until hello_ms */
    opens(f, -1, "127.0.0.1:");
    f->steps = 2;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "18.16.1\n"};
    f->step[1] = (struct fake_step){FAKE_ANSWERS, 200,
                                    "\x0a"
                                    "runs_local"
                                    "\x03"
                                    "run"
                                    "\x06"
                                    "String"};
    opens(f, -1,
          "d.runs_local is not as this smilog makes it: the column run is String, and should be UInt64");
    f->steps = 2;
    f->step[0] = (struct fake_step){FAKE_ANSWERS, 200, "18.16.1\n"};
    f->step[1] = (struct fake_step){FAKE_ANSWERS, 200,
                                    "\x0a"
                                    "runs_local"
                                    "\x03"
                                    "run"
                                    "\x06"
                                    "UInt64"};
    opens(f, -1, "d.runs_local is not as this smilog makes it: it has no column version");
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
    assert_int_equal(smi_ch_server_open(&s, &place, 0, NULL, &quick, &err), 0);
    s.patience.pause_ms = 50;
    assert_int_equal(smi_ch_wait_for_query(&s, "smilog-1", &err), -1);
    assert_int_equal(err.code, SMI_EIO);
    assert_non_null(strstr(err.text, "KILL QUERY WHERE query_id = 'smilog-1'"));
    err = (struct smi_err){0};
    assert_int_equal(smi_ch_wait_for_mutations(&s, "samples_local", &err), -1);
    assert_int_equal(err.code, SMI_EIO);
    assert_non_null(strstr(err.text, "is to take rows out of samples_local, and has not gone on"));
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
        cmocka_unit_test(a_url_names_shards_and_a_database),
        cmocka_unit_test(what_is_no_such_url_is_refused),
        cmocka_unit_test(a_password_in_a_url_is_refused_and_not_repeated),
        cmocka_unit_test(there_are_at_most_64_shards),
        cmocka_unit_test(a_run_has_its_shard_for_ever),
        cmocka_unit_test(the_statements_are_those_that_servers_take),
        cmocka_unit_test(the_dialect_is_told_by_the_version),
        cmocka_unit_test(every_metric_has_a_column_of_its_own),
        cmocka_unit_test(servers_are_asked_what_they_can_tell),
        cmocka_unit_test(what_every_run_decides_is_not_asked),
        cmocka_unit_test(a_block_is_what_the_format_says),
        cmocka_unit_test(readings_stay_with_their_rows),
        cmocka_unit_test(rows_that_differ_in_anything_have_another_sum),
        cmocka_unit_test(a_block_is_in_doubt_until_it_is_stored),
        cmocka_unit_test(a_ledger_is_of_one_store_and_one_export),
        cmocka_unit_test(a_ledger_lies_where_state_does),
        cmocka_unit_test(what_a_server_says_is_said),
        cmocka_unit_test(what_passes_is_waited_for),
        cmocka_unit_test(what_does_not_end_is_not_waited_for),
        cmocka_unit_test(a_database_without_runs_is_no_sweep),
        cmocka_unit_test(a_password_comes_from_a_file_or_the_environment),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
