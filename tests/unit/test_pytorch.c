/* pytorch: JSON as Python has it, the documents of a usage_log.txt, segments, and logs that are made of
 * readings. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "export/pytorch.h"
#include "model/format_info.h"
#include "aggregate/row_spool.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

enum { POINTS = 40, COMMANDS = 3, TRIALS = 400, MUTATIONS = 20000 };

static char home[] = "/tmp/smilog-test-pytorch-XXXXXX";

static int enter(void **unused)
{
    (void)unused;
    alarm(300);
    return !mkdtemp(home) || chdir(home) != 0;
}

static int fresh(void **unused)
{
    (void)unused;
    return system("rm -rf ./*") != 0;
}

static int leave(void **unused)
{
    return fresh(unused) || chdir("/") != 0 || rmdir(home) != 0;
}

static uint64_t state = 88172645463325252u;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Du;
}

/* ---- JSON ---- */

/* want: what json.dumps(json.loads(text)) is; NULL: it is refused. */
static void assert_python(const char *text, const char *want)
{
    struct smi_buf room = {0}, got = {0};
    json_error_t why;
    json_t *v;
    smi_pytorch_json_load(smi_text_of(text), &room, &v, &why);
    if (!want) {
        assert_null(v);
        assert_true(*why.text);
    } else {
        assert_non_null(v);
        smi_pytorch_json_dump(&got, v);
        assert_string_equal(got.p, want);
    }
    json_decref(v);
    smi_buf_fini(&room);
    smi_buf_fini(&got);
}

static void text_is_pythons(void **unused)
{
    (void)unused;
    assert_python(" {\"b\" :1,\"a\":[ ] , \"c\":{}}\r", "{\"b\": 1, \"a\": [], \"c\": {}}");
    assert_python(
        "[1,-0,0,-0.0,1.0,1e5,1E-7,1e16,123456789012345680.0,0.1,5.3373,1e22,4.35e-5]",
        "[1, 0, 0, -0.0, 1.0, 100000.0, 1e-07, 1e+16, 1.2345678901234568e+17, 0.1, 5.3373, 1e+22, 4.35e-05]");
    assert_python("[NaN,Infinity,-Infinity,1e999,-1e999,\"NaN\"]",
                  "[NaN, Infinity, -Infinity, Infinity, -Infinity, \"NaN\"]");
    assert_python(
        "[9223372036854775807,9223372036854775808,-9223372036854775809,123456789012345678901234567890]",
        "[9223372036854775807, 9223372036854775808, -9223372036854775809, 123456789012345678901234567890]");
    assert_python("{\"a\":1,\"b\":2,\"a\":3}", "{\"a\": 3, \"b\": 2}");
    assert_python("{\"a\":1,\"\\u0061\":NaN}", "{\"a\": NaN}");
    assert_python("\"\xc3\xa9 \xf0\x9f\x98\x80 \x7f \\/ \\\" \\\\ \\b\\f\\n\\r\\t \\u001f\"",
                  "\"\\u00e9 \\ud83d\\ude00 \\u007f / \\\" \\\\ \\b\\f\\n\\r\\t \\u001f\"");
    assert_python("\"\\ud83d\\udfff\\ud83d\\ue000\"", "\"\\ud83d\\udfff\\ud83d\\ue000\"");
    assert_python("\"\\uD83D\\uDE00 \\ud83d \\ude00 \\udcfF\\ud83d\\ud83d\\ude00\"",
                  "\"\\ud83d\\ude00 \\ud83d \\ude00 \\udcff\\ud83d\\ud83d\\ude00\"");
    assert_python(
        "{\"\\u0001\":\"\\u0001dcff\",\"\\u0000\":\"\\u0000\",\"\\udcff\":{\"\\u0001\":\"NaN\"}}",
        "{\"\\u0001\": \"\\u0001dcff\", \"\\u0000\": \"\\u0000\", \"\\udcff\": {\"\\u0001\": \"NaN\"}}");
    assert_python("true", "true");
    assert_python("[null, false]", "[null, false]");
    assert_python("-Infinity", "-Infinity");
}

static void what_python_refuses(void **unused)
{
    static const char *const bad[] = {"",
                                      " ",
                                      "{",
                                      "{\"a\":1",
                                      "[1,]",
                                      "{\"a\":1,}",
                                      "{NaN:1}",
                                      "{12345678901234567890:1}",
                                      "[1NaN]",
                                      "[-NaN]",
                                      "[+1]",
                                      "[01]",
                                      "[.5]",
                                      "[1.]",
                                      "[1e]",
                                      "[0x1]",
                                      "[nan]",
                                      "[Infinit]",
                                      "\"\x01\"",
                                      "\"a\tb\"",
                                      "\"\\x\"",
                                      "\"\\u12g4\"",
                                      "\"\\u12\"",
                                      "\"\\",
                                      "\"",
                                      "{'a':1}",
                                      "[1] 2",
                                      "[\"a\" NaN]",
                                      "here log",
                                      "\"\xff\"",
                                      "\"\xed\xa0\x80\"",
                                      "{\"a\" 1}",
                                      "[1 2]",
                                      "truee",
                                      "[1e5.5]",
                                      "\xef\xbb\xbf{}"};
    struct smi_buf deep = {0};
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_python(bad[i], NULL);
    for (int depth = 64; depth <= 65; depth++) {
        smi_buf_clear(&deep);
        for (int i = 0; i < depth; i++)
            smi_buf_char(&deep, '[');
        for (int i = 0; i < depth; i++)
            smi_buf_char(&deep, ']');
        assert_python(deep.p, depth == 64 ? deep.p : NULL);
    }
    for (size_t digits = 4300; digits <= 4301; digits++) { /* Python's own limit */
        smi_buf_clear(&deep);
        for (size_t i = 0; i < digits; i++)
            smi_buf_char(&deep, '7');
        assert_python(deep.p, digits == 4300 ? deep.p : NULL);
    }
    smi_buf_fini(&deep);
}

/* What was written once is written in the same way again, whatever it was read from. */
static void bytes_that_are_anything(void **unused)
{
    static const char seed[] = "{\"a\\u0001\\udc80\": [1, -2.50e3, NaN, -Infinity, 123456789012345678901, "
                               "\"\\ud83d\\ude00\\ud83d\", {\"\": null, \"\xc3\xa9\": true}, "
                               "[], 1e999], \"a\": {\"b\": \"\\\\u0001\\\"\"}}";
    int read = 0;
    (void)unused;
    for (int trial = 0; trial < MUTATIONS; trial++) {
        struct smi_buf room = {0}, once = {0}, twice = {0};
        char text[sizeof seed];
        size_t n = random64() % 8 ? sizeof seed - 1 : random64() % sizeof seed;
        json_error_t why;
        json_t *v;
        memcpy(text, seed, sizeof seed);
        for (uint64_t k = random64() % 4; k > 0; k--)
            text[random64() % (sizeof seed - 1)] =
                random64() % 2 ? (char)random64() : seed[random64() % (sizeof seed - 1)];
        smi_pytorch_json_load((struct smi_text){text, n}, &room, &v, &why);
        if (v) {
            smi_pytorch_json_dump(&once, v);
            json_decref(v);
            smi_pytorch_json_load((struct smi_text){once.p, once.n}, &room, &v, &why);
            assert_non_null(v);
            smi_pytorch_json_dump(&twice, v);
            assert_string_equal(twice.p, once.p);
            read++;
        }
        json_decref(v);
        smi_buf_fini(&room);
        smi_buf_fini(&once);
        smi_buf_fini(&twice);
    }
    assert_in_range(read, MUTATIONS / 4, MUTATIONS - 1);
}

static void what_is_false_to_python(void **unused)
{
    static const char *const false_[] = {"null", "false", "0", "-0.0", "\"\"", "[]", "{}"};
    static const char *const true_[] = {"true", "1",        "0.1", "\"0\"",
                                        "[0]",  "{\"\":0}", "NaN", "99999999999999999999"};
    (void)unused;
    assert_true(smi_pytorch_json_is_false(NULL));
    for (size_t i = 0; i < 15; i++) {
        const char *text = i < 7 ? false_[i] : true_[i - 7];
        struct smi_buf room = {0};
        json_error_t why;
        json_t *v;
        smi_pytorch_json_load(smi_text_of(text), &room, &v, &why);
        assert_int_equal(smi_pytorch_json_is_false(v), i < 7);
        json_decref(v);
        smi_buf_fini(&room);
    }
}

/* ---- segments ---- */

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The rule, word by word: times in order, a new segment where more than 60 s are between two. */
static void slow_segments(struct smi_buf *to, const char *name, int64_t *t, size_t n, const char **comma)
{
    qsort(t, n, sizeof *t, by_time);
    for (size_t i = 0, from = 0; i < n; i++)
        if (i + 1 == n || t[i + 1] - t[i] > 60) {
            smi_buf_fmt(
                to,
                "%s{\"level\": \"CMD_PYTHON\", \"name\": \"%s\", \"start_at\": %lld, \"end_at\": %lld, "
                "\"extra_info\": {}}",
                *comma, name, (long long)t[from], (long long)t[i]);
            *comma = ", ";
            from = i + 1;
        }
}

static void segments_in_any_order(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct smi_pytorch_segments s = {0};
        struct smi_buf want = {0}, got = {0};
        static const char *const names[COMMANDS] = {"python a", "python b", "python"};
        int64_t t[COMMANDS][POINTS];
        size_t n[COMMANDS] = {0}, order[COMMANDS], seen = 0;
        const char *comma = "";
        for (size_t i = random64() % POINTS; i > 0; i--) {
            size_t c = random64() % COMMANDS;
            int64_t at = (int64_t)(random64() % 40) * 61 - (int64_t)(random64() % 2) - 100;
            assert_int_equal(smi_pytorch_segments_add(&s, smi_text_of(names[c]), at, NULL), 0);
            assert_int_equal(smi_pytorch_segments_add(&s, smi_text_of("/usr/bin/python x"), at, NULL), 0);
            if (n[c] == 0)
                order[seen++] = c;
            t[c][n[c]++] = at;
        }
        smi_buf_char(&want, '[');
        for (size_t i = 0; i < seen; i++)
            slow_segments(&want, names[order[i]], t[order[i]], n[order[i]], &comma);
        smi_buf_char(&want, ']');
        smi_pytorch_segments_json(&got, &s);
        assert_string_equal(got.p, want.p);
        smi_buf_fini(&want);
        smi_buf_fini(&got);
        smi_pytorch_segments_fini(&s);
    }
}

static void many_commands(void **unused)
{
    struct smi_pytorch_segments s = {0};
    char name[32];
    (void)unused;
    for (int64_t i = 0; i < 20000; i++) {
        snprintf(name, sizeof name, "python %lld", (long long)(i % 10000));
        assert_int_equal(smi_pytorch_segments_add(&s, smi_text_of(name), i / 10000 * 61, NULL), 0);
    }
    assert_int_equal(s.names.n, 10000);
    for (size_t i = 0; i < s.names.n; i++)
        assert_int_equal(s.of[i].n, 2);
    smi_pytorch_segments_fini(&s);
}

/* ---- documents ---- */

static const struct smi_pytorch_job job = {.dir = "out",
                                           .repo = "pytorch/pytorch",
                                           .workflow_id = 18446744073709551615u,
                                           .job_id = 37,
                                           .run_attempt = 2,
                                           .workflow_name = {"pull", 4},
                                           .job_name = {"a \"b\" \xc3\xa9\xff", 9},
                                           .created_at = 1739490000};
#define SERIES "out/util_timeseries/v_1.5/pytorch/pytorch/18446744073709551615/2/37/time_series"
#define METADATA "out/util_metadata/v_1.5/pytorch/pytorch/18446744073709551615/2/37/metadata"
#define ABOUT                                                                                    \
    "\"repo\": \"pytorch/pytorch\", \"workflow_id\": 18446744073709551615, \"run_attempt\": 2, " \
    "\"job_id\": 37, \"workflow_name\": \"pull\", \"job_name\": \"a \\\"b\\\" \\u00e9\\ufffd\""
#define FIRST                                                                                \
    "{\"level\": \"metadata\", \"usage_collect_interval\": 1, \"data_model_version\": 1.5, " \
    "\"start_at\": 7, \"gpu_count\": null, \"cpu_count\": 16, \"gpu_type\": null, \"error\": null}"
#define POINT(t, rest) "{\"level\": \"record\", \"timestamp\": " #t ", " rest "}"
#define DOCUMENT(t, data)                                                              \
    "{\"created_at\": 1739490000, \"type\": \"utilization\", \"tags\": [\"record\"], " \
    "\"time_stamp\": " #t ", " ABOUT ", \"json_data\": \"" data "\"}\n"

static void assert_gunzipped(const char *path, const char *want)
{
    char got[4096];
    gzFile f = gzopen(path, "r");
    int n;
    assert_non_null(f);
    n = gzread(f, got, sizeof got - 1);
    assert_true(n >= 0);
    got[n] = 0;
    gzclose(f);
    assert_string_equal(got, want);
}

/* The log in two pieces. */
static int export_log(const char *log, size_t cut, struct smi_account *a, struct smi_err *err)
{
    struct smi_pytorch_documents *d = smi_pytorch_documents_open(&job, a);
    int rc = d ? 0 : -1;
    rc = rc || smi_pytorch_documents_feed(d, log, cut, err) ||
                 smi_pytorch_documents_feed(d, log + cut, strlen(log) - cut, err) ||
                 smi_pytorch_documents_end(d, err)
             ? -1
             : 0;
    smi_pytorch_documents_free(d);
    return rc;
}

static const char whole[] = FIRST "\nhere log\n\n" POINT(
    60,
    "\"data\": {\"cpu\": {\"avg\": 12.430, \"max\": 1}}, \"cmd_names\": [\"python "
    "a\", \"bash\"]") "\r\n" POINT(5,
                                   "\"data\": null, \"cmd_names\": null, "
                                   "\"error\": null") "\n" POINT(120,
                                                                 "\"data\""
                                                                 ": "
                                                                 "{\"gpu_"
                                                                 "usage\":"
                                                                 " null}, "
                                                                 "\"cmd_"
                                                                 "names\":"
                                                                 " ["
                                                                 "\"python"
                                                                 " a\"], "
                                                                 "\"error"
                                                                 "\": "
                                                                 "\"\"") "\n" POINT(999,
                                                                                    "\"data\": null, "
                                                                                    "\"error\": \"no "
                                                                                    "data\"") "\n" POINT(181,
                                                                                                         "\"c"
                                                                                                         "md_"
                                                                                                         "nam"
                                                                                                         "es"
                                                                                                         "\":"
                                                                                                         " ["
                                                                                                         "\"p"
                                                                                                         "yth"
                                                                                                         "on "
                                                                                                         "a\""
                                                                                                         "]");

static void a_log_cut_anywhere(void **unused)
{
    (void)unused;
    for (size_t cut = 0; cut < sizeof whole; cut++) {
        struct smi_account a = {0};
        struct smi_err err = {0};
        assert_int_equal(export_log(whole, cut, &a, &err), 0);
        assert_gunzipped(
            SERIES, DOCUMENT(60, "{\\\"cpu\\\": {\\\"avg\\\": 12.43, \\\"max\\\": 1.0, \\\"raw\\\": null}, "
                                 "\\\"memory\\\": null, \\\"gpu_usage\\\": null}") DOCUMENT(5, "{}")
                        DOCUMENT(120, "{\\\"cpu\\\": null, \\\"memory\\\": null, \\\"gpu_usage\\\": null}")
                            DOCUMENT(181, "{}"));
        assert_gunzipped(
            METADATA,
            "{\"created_at\": 1739490000, " ABOUT ", \"usage_collect_interval\": 1.0, "
            "\"data_model_version\": \"1.5\", \"gpu_count\": 0, \"cpu_count\": 16, \"gpu_type\": \"\", "
            "\"start_at\": 7, \"end_at\": 181, \"segments\": [{\"level\": \"CMD_PYTHON\", \"name\": \"python "
            "a\", "
            "\"start_at\": 60, \"end_at\": 120, \"extra_info\": {}}, "
            "{\"level\": \"CMD_PYTHON\", \"name\": \"python a\", \"start_at\": 181, \"end_at\": 181, "
            "\"extra_info\": {}}], \"tags\": []}\n");
        assert_int_equal(a.lines, 8);
        assert_int_equal(a.lines, a.header + a.rows + a.blank + a.messages + smi_account_rejected(&a));
        assert_int_equal(a.rows, 4);
        assert_int_equal(a.problems, 2);
        smi_account_fini(&a);
    }
}

static void logs_that_are_refused(void **unused)
{
    static const struct {
        const char *log, *why;
    } bad[] = {
        {"", "has fewer than two lines: nothing is written"},
        {FIRST, "has fewer than two lines: nothing is written"},
        {FIRST "\nhere log\n", "has no valid record: nothing is written"},
        {FIRST "\n" POINT(5, "\"error\": \"no data\"") "\n", "has no valid record: nothing is written"},
        {FIRST "\n" POINT(5.0, "\"error\": null") "\n", "has no valid record: nothing is written"},
        {FIRST "\n" FIRST "\n", "has no valid record: nothing is written"},
        {"here log\n" FIRST "\n", NULL},
        {"[]\n" POINT(5, "\"data\": null"), "line 1 is no metadata: it is no object"},
        {POINT(5, "\"data\": null") "\n", "line 1 is no metadata: its level is not \"metadata\""},
        {"{\"level\": \"metadata\", \"data_model_version\": 1.0}\n",
         "its data_model_version is 1.0, not 1.5"},
        {"{\"level\": \"metadata\", \"data_model_version\": 1}\n", "its data_model_version is 1, not 1.5"},
        {"{\"level\": \"metadata\", \"data_model_version\": \"1.5\"}\n",
         "its data_model_version is \"1.5\", not 1.5"},
        {"{\"level\": \"metadata\", \"interval\": 5.0}\n",
         "has no data_model_version, as logs from before the model 1.0"},
        {"{\"level\": \"metadata\", \"data_model_version\": 1.5}\n",
         "line 1 is no metadata: its usage_collect_interval is no number"}};
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct smi_account a = {0};
        struct smi_err err = {0};
        assert_int_equal(export_log(bad[i].log, 0, &a, &err), -1);
        assert_int_equal(err.code, SMI_EFORMAT);
        if (bad[i].why)
            assert_string_equal(err.text, bad[i].why);
        assert_int_not_equal(access("out", F_OK), 0);
        smi_account_fini(&a);
    }
}

static void lines_up_to_the_limit(void **unused)
{
    struct smi_buf log = {0};
    (void)unused;
    for (size_t more = 0; more < 2; more++) {
        struct smi_account a = {0};
        size_t from;
        smi_buf_clear(&log);
        smi_buf_str(&log, FIRST "\n");
        from = log.n;
        smi_buf_str(&log, POINT(5, "\"data\": null"));
        while (log.n - from < SMI_PYTORCH_LINE + more)
            smi_buf_char(&log, ' ');
        smi_buf_str(&log, "\n" POINT(6, "\"data\": null") "\n");
        assert_int_equal(export_log(log.p, from + 100, &a, NULL), 0);
        assert_int_equal(a.rows, 2 - more);
        assert_int_equal(a.rejected[SMI_REJECT_TOO_LONG], more);
        smi_account_fini(&a);
    }
    smi_buf_fini(&log);
}

/* A disk that is full costs the export, and leaves nothing. */
static void full_disk(void **unused)
{
    struct rlimit before, small;
    struct smi_account a = {0};
    struct smi_err err = {0};
    struct smi_buf log = {0};
    int rc;
    (void)unused;
    smi_buf_str(&log, FIRST "\n");
    for (int i = 0; i < 5000; i++) /* not to be packed to nothing */
        smi_buf_fmt(&log,
                    "{\"level\": \"record\", \"timestamp\": %d, \"data\": {\"cpu\": {\"avg\": 0.%llu}}}\n", i,
                    (unsigned long long)random64());
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 20000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    rc = export_log(log.p, 0, &a, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(rc, -1);
    assert_int_equal(err.code, SMI_EIO);
    assert_string_equal(err.text, "cannot write " SERIES ": File too large");
    assert_int_equal(system("test -z \"$(find out -type f)\""), 0);
    smi_account_fini(&a);
    smi_buf_fini(&log);
}

/* ---- made of readings ---- */

static int add_line(void *self, const char *p, size_t n, struct smi_err *err)
{
    smi_buf_add(self, p, n);
    (void)err;
    return 0;
}

static const char *const uuids[] = {"\"GPU-1\"", "\"gpu \\\"2\\\"\""};

static int fill(struct smi_pytorch_usage_log *m, struct smi_err *err)
{
    static const struct {
        int64_t t_ms;
        unsigned gpu, what;
        int64_t micro;
    } r[] = {{105000, SMI_PYTORCH_HOST, SMI_PYTORCH_CPU, 2675000},
             {100500, SMI_PYTORCH_HOST, SMI_PYTORCH_CPU, 2675000},
             {100500, 1, SMI_PYTORCH_UTIL, 97000000},
             {101500, 1, SMI_PYTORCH_UTIL, 0},
             {102500, 1, SMI_PYTORCH_UTIL, 0},
             {101000, 1, SMI_PYTORCH_FB_TOTAL, 81559000000},
             {101000, 1, SMI_PYTORCH_FB_USED, 4353062500},
             {115001, 1, SMI_PYTORCH_FB_USED, 1000000},
             {115001, 0, SMI_PYTORCH_UTIL, 40400000},
             {115001, 0, SMI_PYTORCH_UTIL | SMI_PYTORCH_PEAK, 97000000},
             {115001, 0, SMI_PYTORCH_FB_PCT, 5337309}};
    for (size_t i = 0; i < sizeof r / sizeof *r; i++)
        if (smi_pytorch_usage_log_add(m, r[i].t_ms, r[i].gpu, r[i].what, r[i].micro, err))
            return -1;
    return smi_pytorch_usage_log_add_command(m, 105001, INT64_MAX, smi_text_of("\"python x\""), err) ||
                   smi_pytorch_usage_log_add_command(m, 100000, 103000, smi_text_of("\"pytest\""), err) ||
                   smi_pytorch_usage_log_add_command(m, 103000, 104000, smi_text_of("\"pytest\""), err)
               ? -1
               : 0;
}

static struct smi_pytorch_usage_log empty(void)
{
    return (struct smi_pytorch_usage_log){.workflow_id = "13",
                                          .job_id = "37",
                                          .workflow_name = {"pull", 4},
                                          .job_name = {"\xc3\xa9", 2},
                                          .collect_us = 1000000,
                                          .interval_ms = 5000,
                                          .uuid = uuids,
                                          .gpus = 2,
                                          .gpu_type = "pynvml"};
}

#define NONE "{\"avg\": null, \"max\": null, \"raw\": null}"
static const char made[] =
    "{\"level\": \"metadata\", \"workflow_id\": \"13\", \"job_id\": \"37\", \"workflow_name\": \"pull\", "
    "\"job_name\": \"\\u00e9\", \"usage_collect_interval\": 1.0, \"data_model_version\": 1.5, \"start_at\": "
    "100, "
    "\"gpu_count\": 2, \"cpu_count\": null, \"gpu_type\": \"pynvml\", \"error\": null}\n"
    "{\"level\": \"record\", \"timestamp\": 105, \"data\": {\"cpu\": {\"avg\": 2.67, \"max\": 2.67, "
    "\"raw\": [2.675, 2.675]}, \"memory\": " NONE
    ", \"gpu_usage\": [{\"uuid\": \"GPU-1\", \"util_percent\": " NONE ", \"mem_util_percent\": " NONE
    ", \"allocated_mem_percent\": " NONE ", \"allocated_mem_value\": " NONE
    ", \"total_mem_value\": null}, {\"uuid\": \"gpu \\\"2\\\"\", \"util_percent\": {\"avg\": 32.33, \"max\": "
    "97, "
    "\"raw\": [97, 0, 0]}, \"mem_util_percent\": " NONE
    ", \"allocated_mem_percent\": {\"avg\": 5.34, \"max\": 5.34, "
    "\"raw\": [5.337317156904818]}, \"allocated_mem_value\": {\"avg\": 4353.06, \"max\": 4353.06, "
    "\"raw\": [4353.0625]}, \"total_mem_value\": 81559.0}]}, \"cmd_names\": [\"pytest\"], \"error\": null, "
    "\"log_duration\": \"0.00 ms\", \"logs\": []}\n"
    "{\"level\": \"record\", \"timestamp\": 110, \"data\": null, \"cmd_names\": null, \"error\": null, "
    "\"log_duration\": \"0.00 ms\", \"logs\": []}\n"
    "{\"level\": \"record\", \"timestamp\": 115, \"data\": null, \"cmd_names\": null, \"error\": null, "
    "\"log_duration\": \"0.00 ms\", \"logs\": []}\n"
    "{\"level\": \"record\", \"timestamp\": 120, \"data\": {\"cpu\": " NONE ", \"memory\": " NONE
    ", \"gpu_usage\": "
    "[{\"uuid\": \"GPU-1\", \"util_percent\": {\"avg\": 40.4, \"max\": 97, \"raw\": [40.4]}, "
    "\"mem_util_percent\": " NONE
    ", \"allocated_mem_percent\": {\"avg\": 5.34, \"max\": 5.34, \"raw\": [5.337309]}, "
    "\"allocated_mem_value\": " NONE
    ", \"total_mem_value\": null}, {\"uuid\": \"gpu \\\"2\\\"\", \"util_percent\": " NONE
    ", \"mem_util_percent\": " NONE ", \"allocated_mem_percent\": {\"avg\": 0.0, \"max\": 0.0, "
    "\"raw\": [0.0012261062543680035]}, \"allocated_mem_value\": {\"avg\": 1.0, \"max\": 1.0, \"raw\": "
    "[1.0]}, "
    "\"total_mem_value\": 81559.0}]}, \"cmd_names\": [\"python x\"], \"error\": null, "
    "\"log_duration\": \"0.00 ms\", \"logs\": []}\n";

static void a_log_of_readings(void **unused)
{
    struct smi_pytorch_usage_log m = empty();
    struct smi_err err = {0};
    struct smi_buf got = {0};
    (void)unused;
    assert_int_equal(fill(&m, &err), 0);
    assert_int_equal(smi_pytorch_usage_log_write(&m, add_line, &got, &err), 0);
    assert_string_equal(got.p, made);
    smi_pytorch_usage_log_fini(&m);
    smi_buf_fini(&got);
}

static void records_up_to_the_limit(void **unused)
{
    (void)unused;
    for (int64_t more = 0; more < 2; more++) {
        struct smi_pytorch_usage_log m = empty();
        struct smi_err err = {0};
        struct smi_buf got = {0};
        int rc;
        assert_int_equal(smi_pytorch_usage_log_add(&m, 0, 0, SMI_PYTORCH_UTIL, 0, &err), 0);
        assert_int_equal(
            smi_pytorch_usage_log_add(&m, 5000LL * SMI_PYTORCH_RECORDS + more, 0, SMI_PYTORCH_UTIL, 0, &err),
            0);
        rc = smi_pytorch_usage_log_write(&m, add_line, &got, &err);
        assert_int_equal(rc, more ? -1 : 0);
        assert_int_equal(err.code, more ? SMI_ELIMIT : 0);
        smi_pytorch_usage_log_fini(&m);
        smi_buf_fini(&got);
    }
}

static void which_commands_are_named(void **unused)
{
    static const char *const yes[] = {"python x.py", "/opt/conda/bin/python3.9 -m x", "pytest -v",
                                      "sh -c pytest", "python"};
    static const char *const no[] = {"bash run_python.sh", "", "/home/python/bin/sh -c x", "make"};
    (void)unused;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(smi_pytorch_is_named(smi_text_of(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(smi_pytorch_is_named(smi_text_of(no[i])));
}

/* ---- runs ---- */

/* A run of one input of each kind: whose, what and when of its rows. */
struct fixture {
    struct smi_spill_file scratch;
    struct smi_summary summary;
    struct smi_gpu gpu[2];
    struct smi_param param[3];
    struct smi_export_input input[3];
    struct smi_export_run run;
    struct smi_pytorch_settings set;
};

static const int places[] = {0, 1};
static const struct smi_input with_two_gpus = {.gpu = true, .place = places, .places = 2};

static struct smi_row_spool *add_input(struct fixture *f, int format, const char *path)
{
    struct smi_row_spool *t = smi_row_spool_new(&f->scratch);
    assert_non_null(t);
    f->input[f->run.inputs++] = (struct smi_export_input){.path = path,
                                                          .format = smi_format_infos[format].name,
                                                          .kind = format,
                                                          .base = SMI_TIME_BASE_UTC,
                                                          .counts = &with_two_gpus,
                                                          .tape = t};
    return t;
}

static void add_row(struct smi_row_spool *t, int64_t t_ms, int who, const uint16_t *metric, const int64_t *v,
                    unsigned n)
{
    struct smi_sample s = {.t_ms = t_ms, .timed = true, .who = who, .n = n, .metric = metric, .v = v};
    assert_int_equal(smi_row_spool_add(t, &s, NULL), 0);
}

static void init(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->gpu[0] = (struct smi_gpu){.index = 0, .uuid = "GPU-1"};
    f->gpu[1] = (struct smi_gpu){.index = 1};
    f->param[0] = (struct smi_param){"workflow_id", "13", true};
    f->param[1] = (struct smi_param){"job_id", "37", false};
    f->param[2] = (struct smi_param){"job_name", "j", false};
    f->summary.run = "a run";
    f->summary.gpus = f->gpu;
    f->summary.ngpus = 2;
    f->summary.params = f->param;
    f->summary.nparams = 3;
    f->summary.cpus = 8;
    f->run =
        (struct smi_export_run){.summary = &f->summary, .place = "/a/run", .leaf = "run", .input = f->input};
    f->set.created_at = "5";
}

/* nvidia-smi, dmon and a run log. */
static void recorded(struct fixture *f)
{
    static const uint16_t gpu[] = {SMI_GPU_UTIL, SMI_MEM_UTIL, SMI_FB_USED, SMI_FB_TOTAL},
                          host[] = {SMI_CPU_IDLE};
    static const struct smi_field command = {.key = {"command", 7}, .text = {"python x", 8}, .in_data = true};
    const struct smi_mark start = {
        .kind = SMI_MARK_EVENT, .t_us = 101000000, .name = {"start", 5}, .field = &command, .fields = 1};
    struct smi_row_spool *t;
    init(f);
    t = add_input(f, SMI_FMT_QUERY, "gpu.csv");
    for (int64_t i = 0; i < 12; i++) /* six seconds of two GPUs */
        add_row(t, 100000 + i / 2 * 1000, (int)(i % 2), gpu,
                (int64_t[]){i * 1000000, 5000000, 4000000 * i, 80000000}, 4);
    f->input[0].rows = t->rows;
    t = add_input(f, SMI_FMT_DMON, "dmon.log");
    add_row(t, 100000, 0, gpu, (int64_t[]){99000000, 7000000},
            2); /* the first is the query's, the second dmon's */
    add_row(t, 100000, SMI_DEVICE_HOST, host, (int64_t[]){87500000}, 1);
    f->input[1].rows = t->rows;
    t = add_input(f, SMI_FMT_RUNLOG, "run.jsonl");
    assert_int_equal(smi_row_spool_add_mark(t, &start, NULL), 0);
    f->input[2].marks = t->marks;
}

static void end(struct fixture *f)
{
    for (size_t i = 0; i < f->run.inputs; i++)
        smi_row_spool_free((struct smi_row_spool *)(uintptr_t)f->input[i].tape);
    smi_spill_file_fini(&f->scratch);
}

static int export_run(const struct fixture *f, struct smi_buf *say, struct smi_err *err)
{
    const struct smi_target_set set = {.pytorch = &f->set};
    struct smi_target_out *o = smi_target_pytorch.open(&smi_target_pytorch, "out", &set, err);
    int rc = o ? smi_target_pytorch.run(o, &f->run, say, err) : -1;
    return (o && smi_target_pytorch.close(o, !rc, err)) || rc ? -1 : 0;
}

static void slurp(const char *path, struct smi_buf *to)
{
    char piece[4096];
    size_t n;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    smi_buf_clear(to);
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        smi_buf_add(to, piece, n);
    fclose(f);
}

#define MADE "out/usage_log/v_1.5/pytorch/pytorch/13/1/37/usage_log.txt"

static void a_run_by_its_best_formats(void **unused)
{
    struct fixture f;
    struct smi_buf say = {0}, made_log = {0};
    struct smi_err err = {0};
    (void)unused;
    recorded(&f);
    assert_int_equal(export_run(&f, &say, &err), 0);
    assert_string_equal(say.p, "a run: no uuid is known of a GPU: it is called \"gpu1\" in its place");
    slurp(MADE, &made_log);
    assert_non_null(strstr(made_log.p, "\"gpu_count\": 2, \"cpu_count\": 8, \"gpu_type\": \"pynvml\""));
    assert_non_null(strstr(made_log.p, "{\"cpu\": {\"avg\": 12.5, \"max\": 12.5, \"raw\": [12.5]}"));
    assert_non_null(strstr(made_log.p, "{\"uuid\": \"GPU-1\", \"util_percent\": {\"avg\": 5.0, \"max\": 10, "
                                       "\"raw\": [0, 2, 4, 6, 8, 10]}, "
                                       "\"mem_util_percent\": {\"avg\": 7.0, \"max\": 7, \"raw\": [7]}"));
    assert_non_null(
        strstr(made_log.p, "{\"uuid\": \"gpu1\", \"util_percent\": {\"avg\": 6.0, \"max\": 11, "));
    assert_non_null(strstr(made_log.p, "\"mem_util_percent\": {\"avg\": 5.0, \"max\": 5, "
                                       "\"raw\": [5, 5, 5, 5, 5, 5]}"));
    assert_non_null(strstr(made_log.p, "\"cmd_names\": [\"python x\"]"));
    smi_buf_fini(&made_log);
    smi_buf_fini(&say);
    end(&f);
}

/* Local times are on no common clock. */
static void a_run_without_a_zone(void **unused)
{
    struct fixture f;
    struct smi_buf say = {0};
    struct smi_err err = {0};
    (void)unused;
    recorded(&f);
    f.input[0].base = SMI_TIME_BASE_LOCAL;
    assert_int_equal(export_run(&f, &say, &err), 0); /* what is left is dmon's */
    assert_non_null(
        strstr(say.p + strlen(say.p) + 1, "12 rows are left out, the zone of their times is not known"));
    smi_buf_clear(&say);
    f.input[1].base = SMI_TIME_BASE_DAY;
    assert_int_equal(export_run(&f, &say, &err), -1);
    assert_int_equal(err.code, SMI_EFORMAT);
    smi_buf_fini(&say);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_pythons),
        cmocka_unit_test(what_python_refuses),
        cmocka_unit_test(bytes_that_are_anything),
        cmocka_unit_test(what_is_false_to_python),
        cmocka_unit_test(segments_in_any_order),
        cmocka_unit_test(many_commands),
        cmocka_unit_test_setup(a_log_cut_anywhere, fresh),
        cmocka_unit_test_setup(logs_that_are_refused, fresh),
        cmocka_unit_test_setup(lines_up_to_the_limit, fresh),
        cmocka_unit_test_setup(full_disk, fresh),
        cmocka_unit_test(a_log_of_readings),
        cmocka_unit_test(records_up_to_the_limit),
        cmocka_unit_test(which_commands_are_named),
        cmocka_unit_test_setup(a_run_by_its_best_formats, fresh),
        cmocka_unit_test_setup(a_run_without_a_zone, fresh),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
