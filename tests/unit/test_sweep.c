/* test_sweep.c - from paths to runs (docs/numbers.md §8), and what parameters say about a sweep. */
#include "base/text.h"
#include "formats/format.h"
#include "report/output.h"
#include "summary/merge_queue.h"
#include "sweep/discover.h"
#include "sweep/walk.h"
#include "formats/file_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char query[] = "timestamp, utilization.gpu [%], memory.used [MiB], power.draw [W]\n"
                            "2026/07/03 22:10:46.109, 50 %, 100 MiB, 70.00 W\n";
static const char dmon[] = "# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk\n"
                           "# Idx     W     C     C     %     %     %     %   MHz   MHz\n"
                           "    0    70    35     -     0     0     0     0  5001  1590\n";
static const char cpu[] = "timestamp,usr_pct,idle_pct\n2026-07-03T22:10:46.109Z,12.5,80.0\n";
static const char runlog[] =
    "{\"ts\": \"2026-07-03T22:10:46.109Z\", \"type\": \"event\", \"event\": \"start\"}\n";
static const char bare[] = "2026/07/03 22:10:46.109, 50, 100\n2026/07/03 22:10:47.109, 50, 100\n";

/* ---- a tree of files of our own ---- */

struct world {
    char dir[64];
    struct smi_found f;
};

static void put(const struct world *w, const char *path, const char *text)
{
    char full[4096];
    FILE *f;
    snprintf(full, sizeof full, "%s/%s", w->dir, path);
    for (char *p = full + strlen(w->dir) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = 0;
        mkdir(full, 0777);
    }
    f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int begin(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    strcpy(w->dir, "/tmp/smilog-sweep-XXXXXX");
    *state = w;
    return mkdtemp(w->dir) && chdir(w->dir) == 0 ? 0 : -1;
}

static int end(void **state)
{
    struct world *w = *state;
    char cmd[128];
    smi_found_fini(&w->f);
    snprintf(cmd, sizeof cmd, "rm -rf '%s'", w->dir);
    if (chdir("/") || system(cmd))
        return -1;
    free(w);
    return 0;
}

static const struct smi_discover_opts plain = {.format = -1, .threads = 1};

static void look(struct world *w, const char *path, const struct smi_discover_opts *o)
{
    smi_found_fini(&w->f);
    smi_discover(&w->f, &path, 1, o);
}

/* "name:shown,shown;name:shown": all runs and their files. */
static void expect(const struct world *w, const char *want)
{
    static char got[8192];
    size_t n = 0;
    got[0] = 0;
    for (size_t i = 0; i < w->f.runs; i++) {
        const struct smi_found_run *r = &w->f.run[i];
        n += (size_t)snprintf(got + n, sizeof got - n, "%s%s:", i ? ";" : "", r->name);
        for (size_t k = 0; k < r->files; k++)
            n += (size_t)snprintf(got + n, sizeof got - n, "%s%s", k ? "," : "", r->file[k].shown);
    }
    assert_string_equal(got, want);
}

static const char *own_name(const struct world *w)
{
    return strrchr(w->dir, '/') + 1;
}

/* ---- the stem rule ---- */

static const int Q = SMI_FMT_QUERY, D = SMI_FMT_DMON, C = SMI_FMT_CPU, R = SMI_FMT_RUNLOG;

/* "file=stem file=stem" in any order. */
static void expect_stems(size_t n, const char *const *name, const int *format, const char *const *stem)
{
    struct smi_arena a = {0};
    struct smi_file_group_member g[8];
    for (size_t i = 0; i < n; i++)
        g[i] = (struct smi_file_group_member){.name = name[i], .format = format[i]};
    smi_file_group_name_runs(&a, g, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (strcmp(g[i].name, name[k]) == 0)
                assert_string_equal(g[i].stem, stem[k]);
    smi_arena_fini(&a);
}

#define STEMS(n, names, formats, stems) \
    expect_stems(n, (const char *const[])names, (const int[])formats, (const char *const[])stems)
#define L(...)      \
    {               \
        __VA_ARGS__ \
    }

static void stems_tell_two_runs_apart(void **state)
{
    (void)state;
    STEMS(4, L("a_gpu.csv", "a_cpu.csv", "b_gpu.csv", "b_cpu.csv"), L(Q, C, Q, C), L("a", "a", "b", "b"));
}

static void role_words_at_both_ends_are_no_stem(void **state)
{
    (void)state;
    STEMS(2, L("nvidia-smi-dmon-M1.csv", "nvidia-smi-dmon-M2.csv"), L(D, D), L("M1", "M2"));
    STEMS(2, L("GPU_x_LOG.csv", "GPU_y.Util.txt"), L(Q, Q), L("x", "y"));
    STEMS(2, L("baseline_r1_2026_power.csv", "baseline_r2_2026_power.csv"), L(Q, Q),
          L("baseline_r1_2026", "baseline_r2_2026"));
}

static void only_role_words_keep_the_whole_stem(void **state)
{
    (void)state;
    STEMS(2, L("gpu_log.csv", "gpu_usage.csv"), L(Q, Q), L("gpu_log", "gpu_usage"));
    STEMS(2, L("run.csv", "gpu_run.csv"), L(Q, Q), L("run", "gpu_run"));
}

static void group_with_a_format_twice_is_dissolved(void **state)
{
    (void)state;
    STEMS(2, L("low_power_gpu.csv", "low_gpu.csv"), L(Q, Q), L("low_power_gpu", "low_gpu"));
    STEMS(4, L("low_power_gpu.csv", "low_gpu.csv", "a.csv", "a_cpu.csv"), L(Q, Q, Q, C),
          L("low_power_gpu", "low_gpu", "a", "a"));
}

static void equal_full_stems_fall_back_to_file_names(void **state)
{
    (void)state;
    STEMS(2, L("x.csv", "x.log"), L(Q, Q), L("x.csv", "x.log"));
}

static void hwmonitor_four_are_one_run(void **state)
{
    (void)state;
    STEMS(4, L("hw_metrics.csv", "hw_dmon.csv", "cpu_metrics.csv", "run.jsonl"), L(Q, D, C, R),
          L("", "", "", ""));
}

static void rotated_parts_are_one_log(void **state)
{
    (void)state;
    STEMS(3, L("log.csv", "log.csv.1", "log.csv.2.gz"), L(Q, Q, Q), L("", "", ""));
    STEMS(3, L("a_gpu.csv", "a_gpu.csv.1", "b_gpu.csv"), L(Q, Q, Q), L("a", "a", "b"));
    STEMS(2, L("r1.1", "r1.2"), L(Q, Q), L("r1.1", "r1.2"));
}

static void nameless_runlog_among_runs_is_its_own(void **state)
{
    (void)state;
    STEMS(4, L("a_gpu.csv", "b_gpu.csv", "run.jsonl", "cpu_metrics.csv"), L(Q, Q, R, C),
          L("a", "b", "run", "cpu_metrics"));
    STEMS(3, L("gpu.csv", "b_gpu.csv", "gpu.jsonl"), L(Q, Q, R), L("gpu", "b", "gpu.jsonl"));
}

/* ---- the walk ---- */

static void runs_are_named_below_the_path(void **state)
{
    struct world *w = *state;
    put(w, "out/seed10/hw_metrics.csv", query);
    put(w, "out/seed2/hw_metrics.csv", query);
    put(w, "out/seed2/run.jsonl", runlog);
    put(w, "out/a/b/x_gpu.csv", query);
    put(w, "out/a/b/y_gpu.csv", query);
    look(w, "out", &plain);
    expect(w, "a/b/x:x_gpu.csv;a/b/y:y_gpu.csv;seed2:hw_metrics.csv,run.jsonl;seed10:hw_metrics.csv");
    assert_string_equal(w->f.run[3].file[0].path, "out/seed10/hw_metrics.csv");
}

static void path_that_is_a_run_has_its_real_name(void **state)
{
    struct world *w = *state;
    char want[128];
    put(w, "hw_metrics.csv", query);
    look(w, ".", &plain);
    snprintf(want, sizeof want, "%s:hw_metrics.csv", own_name(w));
    expect(w, want);
    assert_string_equal(w->f.run[0].file[0].path, "hw_metrics.csv");
    put(w, "out/run1/gpu.csv", query);
    look(w, "out/run1//", &plain);
    expect(w, "run1:gpu.csv");
    assert_int_equal(symlink("out/run1", "latest"), 0);
    look(w, "latest", &plain);
    expect(w, "run1:gpu.csv");
    look(w, "out/run1/gpu.csv", &plain);
    expect(w, "run1:gpu.csv");
}

static void equal_names_get_their_path_in_front(void **state)
{
    struct world *w = *state;
    const char *path[] = {"x", "y", "x/./r1/../r2"};
    put(w, "x/r1/gpu.csv", query);
    put(w, "x/r2/gpu.csv", query);
    put(w, "y/r1/gpu.csv", query);
    smi_discover(&w->f, path, 3, &plain);
    expect(w, "r2:gpu.csv;x/r1:gpu.csv;y/r1:gpu.csv");
}

static void names_that_still_collide_are_numbered(void **state)
{
    struct world *w = *state;
    put(w, "o/a/gpu.csv", query);
    put(w, "o/a_gpu.csv", query);
    put(w, "o/b_gpu.csv", query);
    look(w, "o", &plain);
    assert_int_equal(w->f.runs, 3);
    assert_string_equal(w->f.run[0].name, "b");
    assert_string_equal(w->f.run[1].name, "o/a");
    assert_string_equal(w->f.run[2].name, "o/a (2)");
}

static void upper_runlog_takes_in_its_only_run(void **state)
{
    struct world *w = *state;
    put(w, "o/r/run.jsonl", runlog);
    put(w, "o/r/gpu/deep/hw.csv", query);
    put(w, "o/s/cpu.csv", cpu);
    put(w, "o/s/g1/hw.csv", query);
    put(w, "o/s/g2/hw.csv", query);
    put(w, "o/t/dmon.txt", dmon);
    put(w, "o/t/below/hw.csv", query);
    look(w, "o", &plain);
    expect(w, "r:gpu/deep/hw.csv,run.jsonl;s:cpu.csv;s/g1:hw.csv;s/g2:hw.csv;t:dmon.txt;t/below:hw.csv");
}

static void hidden_links_and_pipes_are_passed_over(void **state)
{
    struct world *w = *state;
    put(w, "o/r/hw.csv", query);
    put(w, "o/.git/hw.csv", query);
    put(w, "o/r/.hidden.csv", query);
    put(w, "other/hw.csv", query);
    assert_int_equal(symlink("../other", "o/link"), 0);
    assert_int_equal(symlink("../../other/hw.csv", "o/r/link.csv"), 0);
    assert_int_equal(symlink("../r", "o/r/loop"), 0);
    assert_int_equal(mkfifo("o/r/pipe.csv", 0600), 0);
    look(w, "o", &plain);
    expect(w, "r:hw.csv");
    assert_int_equal(w->f.links, 3);
    assert_int_equal(w->f.passed_over, 1);
    assert_int_equal(w->f.trouble.n, 0);
}

static void links_are_followed_when_asked_and_loops_end(void **state)
{
    struct world *w = *state;
    struct smi_discover_opts o = plain;
    o.follow_links = true;
    put(w, "o/r/hw.csv", query);
    put(w, "other/in/hw.csv", query);
    assert_int_equal(symlink("../other", "o/link"), 0);
    assert_int_equal(symlink("../../other", "o/r/again"), 0);
    assert_int_equal(symlink("../../o", "other/in/loop"), 0);
    look(w, "o", &o);
    expect(w, "link/in:hw.csv;r:hw.csv");
}

static void what_is_no_log_is_silent_unless_named(void **state)
{
    struct world *w = *state;
    put(w, "o/r/hw.csv", query);
    put(w, "o/r/notes.txt", "hello\nworld\n");
    put(w, "o/r/summary.json", "{\"schema\": \"smilog/1\", \"runs\": []}\n");
    put(w, "o/r/empty.csv", "");
    look(w, "o", &plain);
    expect(w, "r:hw.csv");
    assert_int_equal(w->f.passed_over, 3);
    assert_int_equal(w->f.npassed, 3);
    assert_int_equal(w->f.trouble.n, 0);
    look(w, "o/r/notes.txt", &plain);
    assert_int_equal(w->f.runs, 0);
    assert_int_equal(w->f.trouble.n, 1);
    assert_false(w->f.trouble.list[0].fatal);
    assert_string_equal(w->f.trouble.list[0].path, "o/r/notes.txt");
    assert_non_null(strstr(w->f.trouble.list[0].text, "cannot be used: "));
}

static void paths_without_logs_are_trouble(void **state)
{
    struct world *w = *state;
    put(w, "o/notes.txt", "hello\n");
    look(w, "o", &plain);
    assert_int_equal(w->f.trouble.n, 1);
    assert_string_equal(w->f.trouble.list[0].text, "holds no log (files looked at: 1; -v names them)");
    look(w, "absent", &plain);
    assert_int_equal(w->f.trouble.n, 1);
    assert_true(w->f.trouble.list[0].fatal);
    assert_non_null(strstr(w->f.trouble.list[0].text, "No such file"));
}

static void unreadable_files_are_trouble(void **state)
{
    struct world *w = *state;
    put(w, "o/r/hw.csv", query);
    put(w, "o/r/cpu.csv", cpu);
    put(w, "o/shut/hw.csv", query);
    assert_int_equal(chmod("o/r/cpu.csv", 0) | chmod("o/shut", 0) | chmod(w->dir, 0755), 0);
    if (geteuid() == 0)
        assert_int_equal(seteuid(65534), 0); /* root reads everything */
    look(w, "o", &plain);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod("o/shut", 0700), 0);
    expect(w, "r:hw.csv");
    assert_int_equal(w->f.trouble.n, 2);
    assert_false(w->f.trouble.list[0].fatal);
    assert_string_equal(w->f.trouble.list[1].path, "o/shut");
    assert_string_equal(w->f.trouble.list[1].text, "cannot be opened: Permission denied");
}

static void depth_ends_at_64(void **state)
{
    struct world *w = *state;
    char path[512] = "o";
    for (int i = 1; i < SMI_DEPTH_MAX; i++)
        strcat(path, "/d");
    strcat(path, "/in.csv");
    put(w, path, query);
    strcpy(strstr(path, "/in"), "/d/x.csv");
    put(w, path, query);
    look(w, "o", &plain);
    assert_int_equal(w->f.runs, 1);
    assert_string_equal(w->f.run[0].file[0].shown, "in.csv");
    assert_int_equal(w->f.trouble.n, 1);
}

static void run_per_file_dir_and_one_name(void **state)
{
    struct world *w = *state;
    struct smi_discover_opts o = plain;
    put(w, "o/a_gpu.csv", query);
    put(w, "o/b_gpu.csv", query);
    put(w, "o/s/cpu.csv", cpu);
    o.per = SMI_RUN_FILE;
    look(w, "o", &o);
    expect(w, "a_gpu.csv:a_gpu.csv;b_gpu.csv:b_gpu.csv;s/cpu.csv:cpu.csv");
    o.per = SMI_RUN_DIR;
    look(w, "o", &o);
    expect(w, "o:a_gpu.csv,b_gpu.csv;s:cpu.csv");
    o.per = SMI_RUN_AUTO;
    o.run = "lr=3";
    look(w, "o", &o);
    expect(w, "lr=3:o/a_gpu.csv,o/b_gpu.csv,o/s/cpu.csv");
    assert_string_equal(w->f.run[0].param[0].text, "3");
}

static void a_path_counts_once(void **state)
{
    struct world *w = *state;
    const char *path[] = {"o", "o/r", "o/r/hw.csv", "./o/r/hw.csv"};
    put(w, "o/r/hw.csv", query);
    put(w, "o/s/hw.csv", query);
    smi_discover(&w->f, path, 2, &plain);
    expect(w, "r:hw.csv;s:hw.csv");
    assert_int_equal(w->f.trouble.n, 0);
    smi_found_fini(&w->f);
    smi_discover(&w->f, path + 2, 2, &plain);
    expect(w, "r:hw.csv");
    assert_int_equal(w->f.trouble.n, 0);
    assert_int_equal(w->f.note.n, 1);
}

static void standard_input_is_a_run(void **state)
{
    static const char log[] = "index, utilization.gpu [%]\n0, 7\n";
    struct world *w = *state;
    const int was = dup(STDIN_FILENO);
    int to[2];
    assert_int_equal(pipe(to), 0);
    assert_int_equal(write(to[1], log, sizeof log - 1), sizeof log - 1);
    close(to[1]);
    dup2(to[0], STDIN_FILENO);
    look(w, "-", &plain);
    expect(w, "-:-");
    assert_int_equal(w->f.run[0].file[0].format, SMI_FMT_QUERY);
    assert_int_equal(w->f.run[0].file[0].inside->size, sizeof log - 1);
    dup2(was, STDIN_FILENO);
    close(was);
    close(to[0]);
}

static void headerless_files_are_counted(void **state)
{
    struct world *w = *state;
    struct smi_discover_opts o = plain;
    put(w, "o/r1/hw.csv", bare);
    put(w, "o/r2/hw.csv", bare);
    look(w, "o", &plain);
    expect(w, "r1:hw.csv;r2:hw.csv");
    assert_int_equal(w->f.bare, 2);
    assert_int_equal(w->f.trouble.n, 1); /* said once */
    assert_true(w->f.run[0].file[0].bare);
    o.columns = "timestamp,utilization.gpu,memory.used";
    look(w, "o", &o);
    assert_false(w->f.run[0].file[0].bare);
    assert_int_equal(w->f.trouble.n, 0);
}

static void named_files_can_be_told_their_format(void **state)
{
    struct world *w = *state;
    struct smi_discover_opts o = plain;
    char want[128];
    put(w, "strange.txt", "hello\n");
    o.format = D;
    look(w, "strange.txt", &o);
    snprintf(want, sizeof want, "%s:strange.txt", own_name(w));
    expect(w, want);
    assert_int_equal(w->f.run[0].file[0].format, D);
}

static void late_headers_are_found_in_64_kib(void **state)
{
    struct world *w = *state;
    static char text[70000];
    memset(text, 0, sizeof text);
    for (int i = 0; i < 150; i++)
        strcat(text, "epoch 1 loss 0.123456 accuracy 0.987 and forty more letters here\n");
    strcat(text, query);
    put(w, "o/r/train.out", text);
    look(w, "o", &plain);
    expect(w, "r:train.out");
}

static void threads_change_nothing(void **state)
{
    struct world *w = *state;
    struct smi_discover_opts o = plain;
    struct smi_found one;
    char path[64];
    for (int i = 0; i < 300; i++) {
        snprintf(path, sizeof path, "o/lr=%d/seed%d/%s", i % 7, i, i % 3 ? "hw.csv" : "notes.txt");
        put(w, path, i % 3 ? query : "nothing\n");
        snprintf(path, sizeof path, "o/many/log%d.csv", i);
        put(w, path, query);
    }
    look(w, "o", &plain);
    one = w->f;
    memset(&w->f, 0, sizeof w->f);
    for (o.threads = 2; o.threads < 20; o.threads += 5) {
        look(w, "o", &o);
        assert_int_equal(w->f.runs, one.runs);
        assert_int_equal(w->f.npassed, one.npassed);
        for (size_t i = 0; i < one.runs; i++) {
            assert_string_equal(w->f.run[i].name, one.run[i].name);
            assert_string_equal(w->f.run[i].file[0].path, one.run[i].file[0].path);
        }
        for (size_t i = 0; i < one.npassed; i++)
            assert_string_equal(w->f.passed[i], one.passed[i]);
    }
    assert_int_equal(one.runs, 500);
    smi_found_fini(&one);
}

/* ---- parameters ---- */

static void expect_params(const char *path, const char *want)
{
    struct smi_arena a = {0};
    const struct smi_param *p;
    size_t n;
    char got[512] = "";
    smi_path_params(&a, path, &p, &n);
    for (size_t i = 0; i < n; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s%s%s", i ? "; " : "", p[i].key,
                 p[i].bare ? ":" : "=", p[i].text);
    assert_string_equal(got, want);
    smi_arena_fini(&a);
}

static void path_pieces_name_parameters(void **state)
{
    (void)state;
    expect_params("out/lr=0.1/seed=3", "lr:0.1; seed:3");
    expect_params("lr=0.1,seed=3", "lr:0.1; seed:3");
    expect_params("lr=0.1 seed=3/x", "lr:0.1; seed:3");
    expect_params("+model.size=big,layers=1,2,b=64", "model.size=big; layers=1,2; b:64");
    expect_params("note=a b c/k=", "note=a b c; k=");
    expect_params("lr=1/lr=2", "lr:2");
    expect_params("seed3/=x/a b=c/9=x", "seed:3; b=c");
    expect_params("run7_lr0.1-bs_64/epoch3x,wd1e-4", "lr:0.1; bs:64; wd:1e-4");
    expect_params("lr=0.1_wd=1e-4_seed=0", "lr:0.1; wd:1e-4; seed:0");
    expect_params("lr=0.1-wd=-1;bs=2_n=3;m=4__k=5+6", "lr:0.1; wd:-1; bs:2; n:3; m:4; k=5+6");
    expect_params("model=gpt-2_small_lr=1e-4_weight_decay=0", "model=gpt-2_small; lr:1e-4; weight_decay:0");
    expect_params("opt=adam_w_batch_size=8_base-lr=1/a=x_y-z_",
                  "opt=adam_w; batch_size:8; base-lr:1; a=x_y-z_");
    expect_params("", "");
}

static void json_numbers_are_numbers(void **state)
{
    (void)state;
    expect_params("a=1e-3,b=-0.50,c=0,d=1E+9", "a:1e-3; b:-0.50; c:0; d:1E+9");
    expect_params("a=007,b=.5,c=5.,d=+1,e=0x1,f=nan,g=1e,h=-",
                  "a=007; b=.5; c=5.; d=+1; e=0x1; f=nan; g=1e; h=-");
}

static void paths_give_parameters_to_runs(void **state)
{
    struct world *w = *state;
    put(w, "out/lr=0.1/seed=1/hw.csv", query);
    put(w, "flat/lr=0.1,seed=2_gpu.csv", query);
    put(w, "flat/lr=0.1,seed=3_gpu.csv", query);
    look(w, "out/lr=0.1/seed=1", &plain);
    assert_int_equal(w->f.run[0].params, 2);
    assert_string_equal(w->f.run[0].param[0].key, "lr");
    assert_int_equal(chdir("out/lr=0.1"), 0);
    look(w, ".", &plain);
    expect(w, "seed=1:hw.csv");
    assert_int_equal(w->f.run[0].params, 2);
    assert_int_equal(chdir(w->dir), 0);
    look(w, "flat", &plain);
    expect(w, "lr=0.1,seed=2:lr=0.1,seed=2_gpu.csv;lr=0.1,seed=3:lr=0.1,seed=3_gpu.csv");
    assert_string_equal(w->f.run[1].param[1].text, "3");
    look(w, "flat/lr=0.1,seed=3_gpu.csv", &plain);
    assert_string_equal(w->f.run[0].param[0].text, "0.1");
}

/* ---- the grid ---- */

struct grid {
    struct smi_sweep s;
    struct smi_summary run[64];
    struct smi_arena a;
};

/* Adds a run with the parameters of a path. */
static void add_run(struct grid *g, const char *params)
{
    struct smi_summary *r = &g->run[g->s.n++];
    r->run = smi_arena_text(&g->a, params, strlen(params));
    assert_non_null(r->run);
    smi_path_params(&g->a, params, &r->params, &r->nparams);
}

static void close_grid(struct grid *g)
{
    g->s.runs = g->run;
    smi_sweep_params(&g->s);
}

static void end_grid(struct grid *g)
{
    smi_arena_fini(&g->s.arena);
    smi_arena_fini(&g->a);
    memset(g, 0, sizeof *g);
}

static void add_product(struct grid *g, int lrs, int seeds, int holes)
{
    char text[64];
    for (int i = lrs * seeds - 1; i >= holes; i--) {
        snprintf(text, sizeof text, "model=m,lr=0.%d,seed=%d", i / seeds + 1, i % seeds);
        add_run(g, text);
    }
}

static void full_grids_miss_nothing(void **state)
{
    struct grid g = {0};
    (void)state;
    add_product(&g, 3, 4, 0);
    close_grid(&g);
    assert_int_equal(g.s.ncommon, 1);
    assert_string_equal(g.s.common[0].key, "model");
    assert_int_equal(g.s.nvarying, 2);
    assert_string_equal(g.s.varying[0], "lr"); /* fewest values first */
    assert_string_equal(g.s.varying[1], "seed");
    assert_true(g.s.grid);
    assert_int_equal(g.s.nmissing, 0);
    end_grid(&g);
}

static void holes_up_to_ten_percent_are_named(void **state)
{
    struct grid g = {0};
    (void)state;
    add_product(&g, 4, 5, 2);
    close_grid(&g);
    assert_true(g.s.grid);
    assert_int_equal(g.s.nmissing, 2);
    assert_string_equal(g.s.missing[0][0].key, "lr");
    assert_string_equal(g.s.missing[0][0].text, "0.1");
    assert_string_equal(g.s.missing[0][1].text, "0");
    assert_string_equal(g.s.missing[1][1].text, "1");
    end_grid(&g);
    add_product(&g, 4, 5, 3);
    close_grid(&g);
    assert_false(g.s.grid);
    assert_int_equal(g.s.nmissing, 0);
    end_grid(&g);
}

static void one_parameter_is_a_grid_with_repeats_only(void **state)
{
    struct grid g = {0};
    (void)state;
    add_run(&g, "lr=1");
    add_run(&g, "lr=2");
    close_grid(&g);
    assert_int_equal(g.s.nvarying, 1);
    assert_false(g.s.grid);
    end_grid(&g);
    for (int i = 0; i < 4; i++)
        add_run(&g, i % 2 ? "lr=1" : "lr=2");
    close_grid(&g);
    assert_true(g.s.grid);
    end_grid(&g);
}

static void a_parameter_of_some_runs_varies_and_ends_the_grid(void **state)
{
    struct grid g = {0};
    (void)state;
    add_product(&g, 2, 2, 0);
    add_run(&g, "model=m");
    close_grid(&g);
    assert_int_equal(g.s.ncommon, 1);
    assert_int_equal(g.s.nvarying, 2);
    assert_false(g.s.grid);
    end_grid(&g);
    close_grid(&g); /* no runs at all */
    assert_int_equal(g.s.nvarying, 0);
    end_grid(&g);
}

/* ---- the pool ---- */

static void put_sweep(const struct world *w)
{
    char path[64], text[512];
    for (int i = 0; i < 40; i++) {
        snprintf(path, sizeof path, "o/lr=%d/seed=%d/hw.csv", i % 4, i / 4);
        snprintf(text, sizeof text,
                 "timestamp, index, utilization.gpu [%%], memory.used [MiB], power.draw [W]\n"
                 "2026/07/03 22:10:46.109, 0, %d %%, 100 MiB, 70.00 W\n"
                 "2026/07/03 22:10:48.110, 0, 50 %%, %d MiB, 7x\n",
                 i, 100 + i);
        put(w, path, text);
    }
    put(w, "o/lr=0/seed=0/run.jsonl", runlog);
}

static const struct smi_options one_percent = {.idle_below = 1000000};

static void take_jsonl(struct smi_buf *b, struct smi_sweep *s)
{
    struct smi_render_options look = {0};
    smi_write_jsonl(b, s, &look);
    smi_sweep_fini(s);
}

static int get(void *self, const struct smi_buf *b, bool usable, struct smi_err *err)
{
    assert_true(usable);
    return smi_merge_queue_add(self, b->p, b->n - (b->p[b->n - 1] == '\n'), "test", 1, err);
}

struct told {
    size_t walked, done; /* what progress said last */
};

static void count(void *self, size_t done, size_t all)
{
    struct told *t = self;
    if (!all) {
        assert_true(done >= t->walked && t->done == 0);
        t->walked = done;
        return;
    }
    assert_int_equal(all, 40);
    assert_int_equal(done, ++t->done);
}

static void threads_and_merges_change_no_byte(void **state)
{
    struct world *w = *state;
    struct told told = {0};
    struct smi_discover_opts o = {.format = -1, .threads = 1, .progress = count, .self = &told};
    const char *path = "o";
    struct smi_buf one = {0}, many = {0}, merged = {0};
    struct smi_merge_queue p = {0};
    struct smi_sweep s;
    put_sweep(w);
    assert_int_equal(smi_sweep_read(&s, &path, 1, &o, &one_percent, NULL), 0);
    assert_int_equal(s.n, 40);
    assert_int_equal(s.total.runs, 40);
    assert_true(s.grid);
    assert_string_equal(s.title, "o");
    assert_string_equal(s.runs[39].run, "lr=3/seed=9");
    take_jsonl(&one, &s);
    assert_int_equal(told.done, 40);
    assert_true(told.walked >= 80); /* their directories and logs */
    o.threads = 7;
    o.progress = NULL;
    assert_int_equal(smi_sweep_read(&s, &path, 1, &o, &one_percent, NULL), 0);
    take_jsonl(&many, &s);
    assert_int_equal(smi_sweep_documents(&s, &path, 1, &o, &one_percent, get, &p, NULL), 0);
    smi_sweep_fini(&s);
    assert_int_equal(smi_sweep_merge_queue(&s, &p, &one_percent, NULL), 0);
    take_jsonl(&merged, &s);
    assert_string_equal(one.p, many.p);
    assert_string_equal(one.p, merged.p);
    smi_merge_queue_fini(&p);
    smi_buf_fini(&one);
    smi_buf_fini(&many);
    smi_buf_fini(&merged);
}

static int refuse(void *self, const struct smi_buf *b, bool usable, struct smi_err *err)
{
    (void)b;
    (void)usable;
    return ++*(int *)self == 3 ? smi_err_set(err, SMI_EIO, "full") : 0;
}

static void a_refused_partial_stops_all(void **state)
{
    struct world *w = *state;
    struct smi_discover_opts o = {.format = -1, .threads = 4};
    const char *path = "o";
    struct smi_err err = {0};
    struct smi_sweep s;
    int n = 0;
    put_sweep(w);
    assert_int_equal(smi_sweep_documents(&s, &path, 1, &o, &one_percent, refuse, &n, &err), -1);
    assert_int_equal(n, 3);
    assert_string_equal(err.text, "full");
}

static void trouble_of_walk_and_reading_is_told(void **state)
{
    struct world *w = *state;
    const char *path[] = {"o", "absent", "o/lr=0"};
    struct smi_sweep s;
    put_sweep(w);
    put(w, "o/lr=1/seed=0/copy.csv.1", query);
    put(w, "o/lr=1/seed=0/copy.csv.2", query);
    assert_int_equal(smi_sweep_read(&s, path, 3, &plain, &one_percent, NULL), 0);
    assert_string_equal(s.title, "3 paths");
    assert_int_equal(s.trouble.n, 2);
    assert_string_equal(s.trouble.list[0].path, "absent");
    assert_true(s.trouble.list[0].fatal);
    assert_string_equal(s.trouble.list[1].path, "lr=1/seed=0/copy");
    assert_non_null(strstr(s.trouble.list[1].text, "given twice"));
    smi_sweep_fini(&s);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stems_tell_two_runs_apart),
        cmocka_unit_test(role_words_at_both_ends_are_no_stem),
        cmocka_unit_test(only_role_words_keep_the_whole_stem),
        cmocka_unit_test(group_with_a_format_twice_is_dissolved),
        cmocka_unit_test(equal_full_stems_fall_back_to_file_names),
        cmocka_unit_test(hwmonitor_four_are_one_run),
        cmocka_unit_test(rotated_parts_are_one_log),
        cmocka_unit_test(nameless_runlog_among_runs_is_its_own),
        IN_WORLD(runs_are_named_below_the_path),
        IN_WORLD(path_that_is_a_run_has_its_real_name),
        IN_WORLD(equal_names_get_their_path_in_front),
        IN_WORLD(names_that_still_collide_are_numbered),
        IN_WORLD(upper_runlog_takes_in_its_only_run),
        IN_WORLD(hidden_links_and_pipes_are_passed_over),
        IN_WORLD(links_are_followed_when_asked_and_loops_end),
        IN_WORLD(what_is_no_log_is_silent_unless_named),
        IN_WORLD(paths_without_logs_are_trouble),
        IN_WORLD(unreadable_files_are_trouble),
        IN_WORLD(depth_ends_at_64),
        IN_WORLD(run_per_file_dir_and_one_name),
        IN_WORLD(a_path_counts_once),
        IN_WORLD(standard_input_is_a_run),
        IN_WORLD(headerless_files_are_counted),
        IN_WORLD(named_files_can_be_told_their_format),
        IN_WORLD(late_headers_are_found_in_64_kib),
        IN_WORLD(threads_change_nothing),
        cmocka_unit_test(path_pieces_name_parameters),
        cmocka_unit_test(json_numbers_are_numbers),
        IN_WORLD(paths_give_parameters_to_runs),
        cmocka_unit_test(full_grids_miss_nothing),
        cmocka_unit_test(holes_up_to_ten_percent_are_named),
        cmocka_unit_test(one_parameter_is_a_grid_with_repeats_only),
        cmocka_unit_test(a_parameter_of_some_runs_varies_and_ends_the_grid),
        IN_WORLD(threads_and_merges_change_no_byte),
        IN_WORLD(a_refused_partial_stops_all),
        IN_WORLD(trouble_of_walk_and_reading_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
