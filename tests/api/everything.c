/* Calls every function of include/smilog on the sweep of fixtures: everything SWEEP FOLDER. C11, C17 and
 * C++17. */
#include <smilog/smilog.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed;
static struct smilog_error err;

static void check(bool good, int line, const char *what)
{
    if (good)
        return;
    printf("FAILED line %d: %s: %s\n", line, what, err.text);
    failed++;
}
#define CHECK(x) check((x), __LINE__, #x)

static bool has(const char *text, const char *part)
{
    return text && strstr(text, part);
}

static void check_options(const char *sweep)
{
    struct smilog_options *o = smilog_options_new();
    struct smilog_sweep *s;
    double cost = 0;
    CHECK(smilog_options_set(o, "price-gpu-hour", "2", &err) == 0);
    CHECK(smilog_options_set(o, "tz", "UTC", &err) == 0);
    CHECK(smilog_options_set(o, "threads", "2", &err) == 0);
    CHECK(smilog_options_set(o, "where", "lr = 0.1", &err) == 0);
    CHECK(smilog_options_set(o, "sort", "-energy_wh", &err) == 0);
    s = smilog_sweep_read(&sweep, 1, o, &err);
    CHECK(s && smilog_sweep_count(s) == 12);
    CHECK(smilog_sweep_select(s, NULL, &err) == 0 && smilog_sweep_count(s) == 4);
    CHECK(smilog_number(smilog_sweep_run(s, 0), "cost", &cost) && cost > 3 && cost < 5);
    CHECK(smilog_options_set(o, "nothing", "", &err) == -1 && err.code == SMILOG_EUSAGE);
    memset(&err, 0, sizeof err);
    CHECK(smilog_options_set(o, "threads", "-1", &err) == -1 && has(err.text, "threads"));
    memset(&err, 0, sizeof err);
    smilog_options_free(o);
    smilog_sweep_free(s);
}

static void check_records(struct smilog_sweep *s)
{
    const struct smilog_record *run = smilog_sweep_find(s, "lr=0.1/seed=3"), *gpu;
    double value = 0;
    int64_t micro = 0;
    char *json;
    CHECK(run && smilog_sweep_run(s, 12) == NULL && smilog_sweep_find(s, "nothing") == NULL);
    CHECK(smilog_number(run, "gpu_util_mean_pct", &value) && fabs(value - 72) < 0.1);
    CHECK(smilog_micro(run, "idle_pct", &micro) && micro > 14000000 && micro < 15000000);
    CHECK(!smilog_number(run, "cost", &value) && !smilog_number(run, "nothing", &value));
    CHECK(has(smilog_text(run, "state"), "ok") && smilog_text(run, "idle_pct") == NULL);
    CHECK(smilog_param_count(run) > 2 && has(smilog_param_name(run, 0), "lr"));
    CHECK(has(smilog_param(run, "lr"), "0.1") && smilog_param(run, "nothing") == NULL);
    CHECK(smilog_run_count(run, SMILOG_GPU) == 2 && smilog_run_get(run, SMILOG_GPU, 2) == NULL);
    gpu = smilog_run_get(run, SMILOG_GPU, 1);
    CHECK(smilog_number(gpu, "gpu", &value) && value == 1 && has(smilog_text(gpu, "name"), "H100"));
    CHECK(smilog_number(gpu, "power_w_mean", &value) && value > 200 && value < 300);
    CHECK(smilog_run_count(run, SMILOG_PHASE) == 4);
    CHECK(has(smilog_text(smilog_run_get(run, SMILOG_PHASE, 0), "name"), "data"));
    CHECK(smilog_run_count(run, SMILOG_FINDING) == 2);
    CHECK(has(smilog_text(smilog_run_get(run, SMILOG_FINDING, 0), "rule"), "st"));
    json = smilog_run_json(run, &err);
    CHECK(has(json, "\"run\""));
    smilog_free(json);
    for (size_t i = 0; smilog_field_name(SMILOG_RUN, i); i++)
        CHECK(smilog_field_unit(SMILOG_RUN, i) && smilog_field_help(SMILOG_RUN, i));
}

static void check_query(struct smilog_sweep *s, const char *sweep)
{
    struct smilog_options *o = smilog_options_new();
    struct smilog_result *r;
    struct smilog_sweep *other = smilog_sweep_read(&sweep, 1, NULL, &err);
    double value = 0;
    char *text;
    CHECK(smilog_query(s, o, &err) == NULL && err.code == SMILOG_EUSAGE);
    memset(&err, 0, sizeof err);
    CHECK(smilog_options_set(o, "sql", "select count(*) as n, max(idle_pct) from runs", &err) == 0);
    r = smilog_query(s, o, &err);
    CHECK(r && smilog_result_rows(r) == 1 && smilog_result_columns(r) == 2);
    CHECK(has(smilog_result_name(r, 0), "n") && has(smilog_result_text(r, 0, 0), "12"));
    CHECK(smilog_result_number(r, 0, 1, &value) && value > 53 && !smilog_result_number(r, 1, 0, &value));
    text = smilog_result_render(r, "csv", &err);
    CHECK(has(text, "12,"));
    smilog_free(text);
    smilog_result_free(r);
    text = smilog_diff(s, other, "json", NULL, &err);
    CHECK(has(text, "\"pairs\""));
    smilog_free(text);
    CHECK(smilog_check(s, "idle_pct > 50", &text, &err) == SMILOG_BROKEN && has(text, "lr=0.3/seed=3"));
    smilog_free(text);
    CHECK(smilog_check(s, "idle_pct > 99", NULL, &err) == SMILOG_UNMEASURABLE);
    CHECK(smilog_check(s, "run = ''", NULL, &err) == SMILOG_HOLDS);
    CHECK(smilog_check(s, "nothing > 1", NULL, &err) == -1 && err.code == SMILOG_EUSAGE);
    memset(&err, 0, sizeof err);
    smilog_sweep_free(other);
    smilog_options_free(o);
}

static void check_outputs(struct smilog_sweep *s, const char *sweep, const char *folder)
{
    static const char *const formats[] = {"table", "json", "jsonl", "csv", "md", "line", "html"};
    char path[4096];
    const char *place = path;
    struct smilog_sweep *merged;
    double a = 0, b = 0;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        size_t n = 0;
        char *text = smilog_render(s, formats[i], &n, &err);
        CHECK(text && n > 100 && strlen(text) == n);
        smilog_free(text);
    }
    CHECK(smilog_render(s, "nothing", NULL, &err) == NULL && err.code == SMILOG_EUSAGE);
    memset(&err, 0, sizeof err);
    snprintf(path, sizeof path, "%s/api.xlsx", folder);
    CHECK(smilog_write(s, path, NULL, &err) == 0);
    snprintf(path, sizeof path, "%s/api.csv", folder);
    CHECK(smilog_write(s, path, "csv", &err) == 0);
    CHECK(has(smilog_output_name(0), "table") && smilog_output_help(0) && !smilog_output_name(99));
    snprintf(path, sizeof path, "%s/api.partial", folder);
    CHECK(smilog_partial_write(&sweep, 1, NULL, path, &err) == 0);
    merged = smilog_sweep_merge(&place, 1, NULL, &err);
    CHECK(smilog_total(s, "energy_wh", &a) && smilog_total(merged, "energy_wh", &b) && a == b && a > 5000);
    CHECK(smilog_sweep_warning_count(s) > 0 && smilog_sweep_warning(s, 0));
    smilog_sweep_free(merged);
}

static void check_runlog(const char *folder)
{
    const struct smilog_value values[] = {smilog_real("lr", 0.1), smilog_string("model", "heston"),
                                          smilog_whole("n", 3), smilog_bool("big", true)};
    char path[4096], text[4096];
    struct smilog_runlog *log;
    FILE *f;
    size_t n;
    snprintf(path, sizeof path, "%s/run.jsonl", folder);
    log = smilog_runlog_open(path, &err);
    CHECK(log && smilog_runlog_start(log, values, 4, &err) == 0);
    CHECK(smilog_runlog_phase(log, "compile", 41.2, NULL, 0, &err) == 0);
    CHECK(smilog_runlog_event(log, "stop", NULL, 0, &err) == 0);
    CHECK(smilog_runlog_event(log, "", NULL, 0, &err) == -1 && err.code == SMILOG_EUSAGE);
    memset(&err, 0, sizeof err);
    smilog_runlog_close(log);
    f = fopen(path, "r");
    n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = 0;
    CHECK(has(text, "\"lr\": 0.1") && has(text, "\"big\": true") && has(text, "\"pid\"") &&
          has(text, "41.2"));
    if (f)
        fclose(f);
}

static void check_tracker(void)
{
    struct smilog_tracker *t = smilog_tracker_new(&err);
    struct smilog_host *host = smilog_host_open(&err);
    struct smilog_tree *tree = smilog_tree_open(0, &err);
    double value = 0;
    CHECK(smilog_tracker_set(t, "gpus", "none", &err) == 0 &&
          smilog_tracker_set(t, "interval", "0.1", &err) == 0);
    CHECK(smilog_tracker_set(t, "nothing", "", &err) == -1);
    memset(&err, 0, sizeof err);
    CHECK(smilog_tracker_start(t, &err) == 0 && smilog_tracker_start(t, NULL) == -1);
    CHECK(smilog_tracker_stop(t, &err) == 0 &&
          has(smilog_tracker_summary(t, "gpu-tracker-json", &err), "max_ram"));
    smilog_tracker_free(t);
    smilog_host_read(host);
    CHECK(smilog_host_number(host, "ram_total_mib", &value) && value > 64);
    CHECK(smilog_host_name(0) && smilog_host_unit(0) && smilog_host_help(0) && !smilog_host_name(999));
    smilog_host_close(host);
    CHECK(smilog_tree_read(tree, &err) == 0 &&
          smilog_tree_number(tree, SMILOG_TREE_ALL, "processes", &value) && value == 1);
    CHECK(smilog_tree_number(tree, SMILOG_TREE_MAIN, "ram", &value) && value > 1000);
    smilog_tree_close(tree);
}

int main(int argc, char **argv)
{
    const char *sweep = argc > 1 ? argv[1] : ".";
    struct smilog_sweep *s = smilog_sweep_read(&sweep, 1, NULL, &err);
    CHECK(argc == 3 && s && smilog_sweep_count(s) == 12 && smilog_version()[0]);
    if (failed)
        return 1;
    check_records(s);
    check_query(s, sweep);
    check_outputs(s, sweep, argv[2]);
    smilog_sweep_free(s);
    check_options(sweep);
    check_runlog(argv[2]);
    check_tracker();
    return failed != 0;
}
