/* pytorch: the documents of a usage_log.txt, segments, and records that are made of readings. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "export/pytorch.h"
#include "model/metric.h"
#include "aggregate/row_spool.h"
#include "rows_each.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

enum { POINTS = 40, COMMANDS = 3, TRIALS = 400 };

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

/* ---- runs ---- */

/* A run of one input of each kind: whose, what and when of its rows. */
struct fixture {
    struct smi_spill_file scratch;
    struct smi_summary summary;
    struct smi_gpu gpu[2];
    struct smi_param param[3];
    struct smi_input_stats part[3];
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
    f->part[f->run.inputs] =
        (struct smi_input_stats){.path = (char *)(uintptr_t)path, .format = format, .tape = t};
    f->input[f->run.inputs] = (struct smi_export_input){.path = path,
                                                        .format = smi_format_infos[format].name,
                                                        .kind = format,
                                                        .base = SMI_TIME_BASE_UTC,
                                                        .counts = &with_two_gpus,
                                                        .part = &f->part[f->run.inputs]};
    f->run.inputs++;
    return t;
}

static void add_row(struct smi_row_spool *t, int64_t t_ms, int who, const uint16_t *metric, const int64_t *v,
                    unsigned n)
{
    int32_t u[SMI_SAMPLE_MAX];
    int64_t scale[SMI_SAMPLE_MAX];
    struct smi_sample s = {.t_ms = t_ms, .timed = true, .who = who, .n = n};
    memcpy(s.metric, metric, n * sizeof *metric);
    memcpy(s.v, v, n * sizeof *v);
    const struct smi_rows r = block_of(&s, u, scale);
    assert_int_equal(smi_row_spool_add(t, &r, 0, NULL), 0);
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
        smi_row_spool_free(f->part[i].tape);
    smi_spill_file_fini(&f->scratch);
}

/* ---- a sink that keeps the lines ---- */

struct kept {
    struct smi_buf of[SMI_PYTORCH_KINDS];
    struct smi_target_out done;
    struct smi_buf say;
};

static void free_kept(struct kept *k)
{
    for (int i = 0; i < SMI_PYTORCH_KINDS; i++)
        smi_buf_fini(&k->of[i]);
    smi_buf_fini(&k->say);
}

static const struct smi_pytorch_job job = {.repo = "pytorch/pytorch",
                                           .workflow_id = 18446744073709551615u,
                                           .job_id = 37,
                                           .run_attempt = 2,
                                           .workflow_name = "pull",
                                           .job_name = "a \"b\"",
                                           .created_at = 1739490000};

static int write_run(struct kept *k, const struct fixture *f, int log, int64_t interval_ms,
                     struct smi_err *err)
{
    struct smi_pytorch_documents d = {.job = &job};
    const int rc = smi_pytorch_make(&d, &f->run, log, interval_ms, &k->say, &k->done, err);
    for (int i = 0; i < SMI_PYTORCH_KINDS; i++) {
        struct smi_block_list_cursor at = {.of = &d.of[i]};
        for (; smi_block_list_more(&at, err) > 0; at.n = 0)
            smi_buf_add(&k->of[i], at.p, at.n);
        smi_block_list_cursor_fini(&at);
    }
    smi_pytorch_documents_fini(&d);
    return rc;
}

/* A usage log as it is. */
static int write_log(struct kept *k, const char *log, size_t n, struct smi_err *err)
{
    struct fixture f;
    struct smi_row_spool *t;
    int rc;
    init(&f);
    t = add_input(&f, SMI_FMT_USAGE_LOG, "usage_log.txt");
    t->text.of = &f.scratch;
    assert_int_equal(smi_block_list_add(&t->text, log, n, err), 0);
    rc = write_run(k, &f, 0, 0, err);
    end(&f);
    return rc;
}

#define FIRST                                                                                \
    "{\"level\": \"metadata\", \"usage_collect_interval\": 1, \"data_model_version\": 1.5, " \
    "\"start_at\": 7, \"gpu_count\": null, \"cpu_count\": 16, \"gpu_type\": null, \"error\": null}\n"
#define POINT(t, rest) "{\"level\": \"record\", \"timestamp\": " #t ", " rest "}\n"
#define ABOUT                                                                                    \
    "\"repo\": \"pytorch/pytorch\", \"workflow_id\": 18446744073709551615, \"run_attempt\": 2, " \
    "\"job_id\": 37, \"workflow_name\": \"pull\", \"job_name\": \"a \\\"b\\\"\""
#define DOCUMENT(t, data)                                                              \
    "{\"created_at\": 1739490000, \"type\": \"utilization\", \"tags\": [\"record\"], " \
    "\"time_stamp\": " #t ", " ABOUT ", \"json_data\": \"" data "\"}\n"

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
        static const char *const names[COMMANDS] = {"python a", "python b", "python"};
        struct smi_buf want = {0}, log = {0};
        struct smi_err err = {0};
        struct kept k = {0};
        int64_t t[COMMANDS][POINTS];
        size_t n[COMMANDS] = {0}, order[COMMANDS], seen = 0;
        const char *comma = "";
        smi_buf_str(&log, FIRST);
        for (size_t i = 1 + random64() % (POINTS - 1); i > 0; i--) {
            size_t c = random64() % COMMANDS;
            int64_t at = (int64_t)(random64() % 40) * 61 - (int64_t)(random64() % 2) - 100;
            smi_buf_fmt(&log,
                        "{\"level\": \"record\", \"timestamp\": %lld, \"cmd_names\": [\"%s\", "
                        "\"/usr/bin/python x\"]}\n",
                        (long long)at, names[c]);
            if (n[c] == 0)
                order[seen++] = c;
            t[c][n[c]++] = at;
        }
        smi_buf_str(&want, "\"segments\": [");
        for (size_t i = 0; i < seen; i++)
            slow_segments(&want, names[order[i]], t[order[i]], n[order[i]], &comma);
        smi_buf_str(&want, "], \"tags\": []}\n");
        assert_int_equal(write_log(&k, log.p, log.n, &err), 0);
        assert_string_equal(strstr(k.of[SMI_PYTORCH_METADATA].p, "\"segments\""), want.p);
        smi_buf_fini(&want);
        smi_buf_fini(&log);
        free_kept(&k);
    }
}

/* ---- documents ---- */

static void numbers_as_python_reads_them(void **unused)
{
    static const struct {
        const char *in, *out; /* out: NULL, the record is dropped */
    } list[] = {{"5", "5.0"},          {"-0", "0.0"},
                {"1e-7", "1e-07"},     {"0.1", "0.1"},
                {"1e22", "1e+22"},     {"123456789012345678901", "1.2345678901234568e+20"},
                {"1e999", "Infinity"}, {"-Infinity", "-Infinity"},
                {"NaN", "NaN"},        {"null", "null"},
                {"\"5\"", NULL},       {"true", NULL},
                {"[]", NULL},          {"nan", NULL},
                {"01", NULL},          {"+1", NULL}};
    (void)unused;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct smi_buf log = {0}, want = {0};
        struct smi_err err = {0};
        struct kept k = {0};
        smi_buf_fmt(&log,
                    FIRST "{\"level\": \"record\", \"timestamp\": 5, \"data\": {\"cpu\": {\"avg\": %s}}}\n",
                    list[i].in);
        smi_buf_fmt(&want,
                    DOCUMENT(5, "{\\\"cpu\\\": {\\\"avg\\\": %s, \\\"max\\\": null, \\\"raw\\\": null}, "
                                "\\\"memory\\\": null, \\\"gpu_usage\\\": null}"),
                    list[i].out ? list[i].out : "");
        assert_int_equal(write_log(&k, log.p, log.n, &err), list[i].out ? 0 : -1);
        if (list[i].out)
            assert_string_equal(k.of[SMI_PYTORCH_SERIES].p, want.p);
        smi_buf_fini(&log);
        smi_buf_fini(&want);
        free_kept(&k);
    }
}

static void halves_of_pairs_stay(void **unused)
{
    static const char log[] =
        FIRST POINT(5, "\"cmd_names\": [\"python \\udcff \\ud83d\\ude00 \\u0001dcff\"]");
    struct smi_err err = {0};
    struct kept k = {0};
    (void)unused;
    assert_int_equal(write_log(&k, log, sizeof log - 1, &err), 0);
    assert_non_null(strstr(k.of[SMI_PYTORCH_METADATA].p, "\"python \\udcff \xf0\x9f\x98\x80 \\u0001dcff\""));
    free_kept(&k);
}

static void a_log_as_documents(void **unused)
{
    static const char log[] = FIRST "here log\n\n" POINT(
        60, "\"data\": {\"cpu\": {\"avg\": 12.430, \"max\": 1}}, \"cmd_names\": [\"python a\", \"bash\"]")
        POINT(5, "\"data\": null, \"cmd_names\": null, \"error\": null")
            POINT(120, "\"data\": {\"gpu_usage\": null}, \"cmd_names\": [\"python a\"], \"error\": \"\"")
                POINT(999, "\"data\": null, \"error\": \"no data\"")
                    POINT(181, "\"cmd_names\": [\"python a\"]");
    struct smi_err err = {0};
    struct kept k = {0};
    (void)unused;
    assert_int_equal(write_log(&k, log, sizeof log - 2, &err), 0); /* the last line has no end */
    assert_string_equal(
        k.of[SMI_PYTORCH_SERIES].p,
        DOCUMENT(60, "{\\\"cpu\\\": {\\\"avg\\\": 12.43, \\\"max\\\": 1.0, \\\"raw\\\": null}, "
                     "\\\"memory\\\": null, \\\"gpu_usage\\\": null}") DOCUMENT(5, "{}")
            DOCUMENT(120, "{\\\"cpu\\\": null, \\\"memory\\\": null, \\\"gpu_usage\\\": null}")
                DOCUMENT(181, "{}"));
    assert_string_equal(
        k.of[SMI_PYTORCH_METADATA].p,
        "{\"created_at\": 1739490000, " ABOUT ", \"usage_collect_interval\": 1.0, "
        "\"data_model_version\": \"1.5\", \"gpu_count\": 0, \"cpu_count\": 16, \"gpu_type\": \"\", "
        "\"start_at\": 7, \"end_at\": 181, \"segments\": [{\"level\": \"CMD_PYTHON\", \"name\": \"python "
        "a\", "
        "\"start_at\": 60, \"end_at\": 120, \"extra_info\": {}}, "
        "{\"level\": \"CMD_PYTHON\", \"name\": \"python a\", \"start_at\": 181, \"end_at\": 181, "
        "\"extra_info\": {}}], \"tags\": []}\n");
    assert_int_equal(k.done.rows, 4);
    assert_int_equal(k.done.documents, 5);
    assert_string_equal(k.say.p, "a run: line 2 is dropped: no JSON");
    assert_string_equal(k.say.p + strlen(k.say.p) + 1,
                        "a run: line 7 is dropped: its interval failed: \"no data\"");
    free_kept(&k);
}

static void logs_that_are_refused(void **unused)
{
    static const struct {
        const char *log, *why;
    } bad[] = {
        {"", "has no valid record: nothing is written"},
        {FIRST, "has no valid record: nothing is written"},
        {FIRST "here log\n", "has no valid record: nothing is written"},
        {FIRST POINT(5, "\"error\": \"no data\""), "has no valid record: nothing is written"},
        {FIRST POINT(5.0, "\"error\": null"), "has no valid record: nothing is written"},
        {FIRST FIRST, "has no valid record: nothing is written"},
        {"here log\n" FIRST, NULL},
        {"[]\n" POINT(5, "\"data\": null"), "line 1 is no metadata"},
        {POINT(5, "\"data\": null"), "line 1 is no metadata"},
        {"{\"level\": \"metadata\", \"data_model_version\": 1.0}\n",
         "its data_model_version is 1.0, not 1.5"},
        {"{\"level\": \"metadata\", \"data_model_version\": 1}\n", "its data_model_version is 1, not 1.5"},
        {"{\"level\": \"metadata\", \"data_model_version\": \"1.5\"}\n",
         "its data_model_version is a text, not 1.5"},
        {"{\"level\": \"metadata\", \"interval\": 5.0}\n", "its data_model_version is missing, not 1.5"},
        {"{\"level\": \"metadata\", \"data_model_version\": 1.5}\n",
         "line 1 is no metadata of the model 1.5"}};
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct smi_err err = {0};
        struct kept k = {0};
        assert_int_equal(write_log(&k, bad[i].log, strlen(bad[i].log), &err), -1);
        assert_int_equal(err.code, SMI_EFORMAT);
        if (bad[i].why)
            assert_string_equal(err.text, bad[i].why);
        assert_int_equal(k.of[SMI_PYTORCH_SERIES].n + k.of[SMI_PYTORCH_METADATA].n, 0);
        free_kept(&k);
    }
}

static void lines_up_to_the_limit(void **unused)
{
    struct smi_buf log = {0};
    (void)unused;
    for (size_t more = 0; more < 2; more++) {
        struct smi_err err = {0};
        struct kept k = {0};
        size_t from;
        smi_buf_clear(&log);
        smi_buf_str(&log, FIRST);
        from = log.n;
        smi_buf_str(&log, "{\"level\": \"record\", \"timestamp\": 5}");
        while (log.n - from < SMI_PYTORCH_LINE + more)
            smi_buf_char(&log, ' ');
        smi_buf_str(&log, "\n" POINT(6, "\"data\": null"));
        assert_int_equal(write_log(&k, log.p, log.n, &err), 0);
        assert_int_equal(k.done.rows, 2 - more);
        assert_int_equal(k.say.n > 0, more);
        free_kept(&k);
    }
    smi_buf_fini(&log);
}

/* ---- readings ---- */

/* Their records may be as many as the limit. */
static void records_up_to_the_limit(void **unused)
{
    static const uint16_t util[] = {SMI_GPU_UTIL};
    (void)unused;
    for (int64_t more = 0; more < 2; more++) {
        struct fixture f;
        struct smi_err err = {0};
        struct kept k = {0};
        struct smi_row_spool *t;
        init(&f);
        t = add_input(&f, SMI_FMT_QUERY, "gpu.csv");
        add_row(t, 5000LL * SMI_PYTORCH_RECORDS + more, 0, util, (int64_t[]){0}, 1);
        add_row(t, 0, 0, util, (int64_t[]){0}, 1);
        f.input[0].rows = t->rows;
        assert_int_equal(write_run(&k, &f, -1, 5000, &err), more ? -1 : 0);
        assert_int_equal(err.code, more ? SMI_ELIMIT : 0);
        assert_int_equal(k.done.rows, more ? 0 : SMI_PYTORCH_RECORDS);
        free_kept(&k);
        end(&f);
    }
}

static void means_are_rounded_as_python_rounds(void **unused)
{
    static const uint16_t metrics[] = {SMI_GPU_UTIL, SMI_FB_USED, SMI_FB_TOTAL}, peak[] = {SMI_GPU_UTIL_PEAK};
    struct fixture f;
    struct smi_err err = {0};
    struct kept k = {0};
    struct smi_row_spool *t;
    (void)unused;
    init(&f);
    t = add_input(&f, SMI_FMT_QUERY, "gpu.csv");
    add_row(t, 105001, 0, metrics, (int64_t[]){40400000}, 1); /* the second record; they come in any order */
    add_row(t, 105000, 0, metrics, (int64_t[]){2675000, 4353062500, 81559000000}, 3);
    add_row(t, 100500, 0, metrics, (int64_t[]){2675000}, 1);
    add_row(t, 115002, 0, peak, (int64_t[]){97000000}, 1);
    add_row(t, 115001, 0, metrics, (int64_t[]){1125000}, 1);
    f.input[0].rows = t->rows;
    assert_int_equal(write_run(&k, &f, -1, 5000, &err), 0);
    assert_non_null(strstr(k.of[SMI_PYTORCH_LOG].p,
                           "\"timestamp\": 105, \"data\": {\"cpu\": {\"avg\": null, \"max\": "
                           "null, \"raw\": null}"));
    assert_non_null(
        strstr(k.of[SMI_PYTORCH_LOG].p, "{\"avg\": 2.67, \"max\": 2.67, \"raw\": [2.675, 2.675]}"));
    assert_non_null(
        strstr(k.of[SMI_PYTORCH_LOG].p, "{\"avg\": 5.34, \"max\": 5.34, \"raw\": [5.337317156904818]}"));
    assert_non_null(strstr(k.of[SMI_PYTORCH_LOG].p, "\"total_mem_value\": 81559.0}, {\"uuid\": \"gpu1\""));
    assert_non_null(
        strstr(k.of[SMI_PYTORCH_LOG].p, "\"timestamp\": 115, \"data\": null, \"cmd_names\": null"));
    assert_non_null(strstr(k.of[SMI_PYTORCH_LOG].p, "{\"avg\": 1.12, \"max\": 97.0, \"raw\": [1.125]}"));
    assert_int_equal(k.done.rows, 4);
    free_kept(&k);
    end(&f);
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

/* ---- the target ---- */

static int export_run(const struct fixture *f, struct smi_buf *say, struct smi_err *err)
{
    const struct smi_target_set set = {.pytorch = &f->set, .replace = true};
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
    assert_non_null(strstr(made_log.p,
                           "{\"uuid\": \"GPU-1\", \"util_percent\": {\"avg\": 5.0, \"max\": 10.0, "
                           "\"raw\": [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]}, "
                           "\"mem_util_percent\": {\"avg\": 7.0, \"max\": 7.0, \"raw\": [7.0]}"));
    assert_non_null(
        strstr(made_log.p, "{\"uuid\": \"gpu1\", \"util_percent\": {\"avg\": 6.0, \"max\": 11.0, "));
    assert_non_null(strstr(made_log.p, "\"mem_util_percent\": {\"avg\": 5.0, \"max\": 5.0, "
                                       "\"raw\": [5.0, 5.0, 5.0, 5.0, 5.0, 5.0]}"));
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
    assert_non_null(strstr(say.p, "12 rows have no time in UTC and are left out"));
    smi_buf_clear(&say);
    f.input[1].base = SMI_TIME_BASE_DAY;
    assert_int_equal(export_run(&f, &say, &err), -1);
    assert_int_equal(err.code, SMI_EFORMAT);
    smi_buf_fini(&say);
    end(&f);
}

/* A disk that is full costs the export, and leaves nothing. */
static void full_disk(void **unused)
{
    struct rlimit before, small;
    struct smi_err err = {0};
    struct smi_buf log = {0}, say = {0};
    struct fixture f;
    struct smi_row_spool *t;
    int rc;
    (void)unused;
    init(&f);
    t = add_input(&f, SMI_FMT_USAGE_LOG, "usage_log.txt");
    t->text.of = &f.scratch;
    smi_buf_str(&log, FIRST);
    for (int i = 0; i < 150; i++) /* not to be packed to nothing, and kept in memory till then */
        smi_buf_fmt(&log,
                    "{\"level\": \"record\", \"timestamp\": %d, \"data\": {\"cpu\": {\"avg\": 0.%llu}}}\n", i,
                    (unsigned long long)random64());
    assert_int_equal(smi_block_list_add(&t->text, log.p, log.n, &err), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    rc = export_run(&f, &say, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(rc, -1);
    assert_int_equal(err.code, SMI_EIO);
    assert_non_null(strstr(err.text, "time_series: File too large"));
    assert_int_equal(system("test -z \"$(find out -type f)\""), 0);
    smi_buf_fini(&log);
    smi_buf_fini(&say);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_in_any_order),
        cmocka_unit_test(numbers_as_python_reads_them),
        cmocka_unit_test(halves_of_pairs_stay),
        cmocka_unit_test(a_log_as_documents),
        cmocka_unit_test(logs_that_are_refused),
        cmocka_unit_test(lines_up_to_the_limit),
        cmocka_unit_test(records_up_to_the_limit),
        cmocka_unit_test(means_are_rounded_as_python_rounds),
        cmocka_unit_test(which_commands_are_named),
        cmocka_unit_test_setup(a_run_by_its_best_formats, fresh),
        cmocka_unit_test_setup(a_run_without_a_zone, fresh),
        cmocka_unit_test_setup(full_disk, fresh),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
