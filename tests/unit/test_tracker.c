/* test_tracker.c - a process that tracks itself; whose the GPUs' memory is. */
#include "process/tracking.h"

#include <smilog/smilog.h>

#include <jansson.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static double number(const char *text, const char *a, const char *b, const char *c)
{
    json_t *all = json_loads(text, 0, NULL), *v = json_object_get(all, a);
    double d;
    assert_non_null(all);
    v = json_object_get(v, b);
    v = c ? json_object_get(v, c) : v;
    d = json_is_number(v) ? json_number_value(v) : -1;
    json_decref(all);
    return d;
}

static void refuse_start(struct smilog_tracker *t, const char *words)
{
    struct smilog_error err = {SMILOG_OK, ""};
    assert_int_equal(smilog_tracker_start(t, &err), -1);
    assert_int_equal(err.code, SMILOG_EUSAGE);
    assert_non_null(strstr(err.text, words));
}

static void states(void **state)
{
    struct smilog_error err = {SMILOG_OK, ""};
    struct smilog_tracker *t = smilog_tracker_new(&err);
    (void)state;
    assert_int_equal(smilog_tracker_set(t, "gpus", "none", &err), 0);
    assert_int_equal(smilog_tracker_set(t, "interval", "0.049", &err), 0);
    refuse_start(t, "at least 50 ms");
    assert_int_equal(smilog_tracker_set(t, "interval", "0.05", &err), 0);
    assert_int_equal(smilog_tracker_set(t, "ram-unit", "gigs", &err), -1);
    assert_non_null(strstr(err.text, "gigabytes"));
    assert_int_equal(smilog_tracker_set(t, "ram-unit", "gigabytes", &err), 0);
    assert_null(smilog_tracker_summary(t, "gpu-tracker-json", NULL));
    assert_int_equal(smilog_tracker_stop(t, NULL), -1);
    assert_int_equal(smilog_tracker_start(t, &err), 0);
    refuse_start(t, "before");
    assert_int_equal(smilog_tracker_set(t, "pid", "1", NULL), -1);
    assert_non_null(smilog_tracker_summary(t, "gpu-tracker-text", &err));
    assert_int_equal(smilog_tracker_stop(t, &err), 0);
    assert_non_null(smilog_tracker_summary(t, "gpu-tracker-text", &err));
    assert_int_equal(smilog_tracker_stop(t, NULL), -1);
    refuse_start(t, "before");
    smilog_tracker_free(t);
    smilog_tracker_free(NULL);
    t = smilog_tracker_new(&err);
    assert_int_equal(smilog_tracker_set(t, "pid", "4194305", &err), 0); /* beyond what Linux gives */
    refuse_start(t, "no process");
    smilog_tracker_free(t);
}

static void handler(int n)
{
    (void)n;
}

/* Memory of this process, and a child's time and memory; no signal of ours is touched. */
static void a_process_tracks_itself(void **state)
{
    const size_t size = 64 << 20;
    static const char *const options[][2] = {
        {"interval", "0.05"}, {"gpus", "none"}, {"ram-unit", "bytes"}, {"time-unit", "seconds"}};
    struct smilog_error err = {SMILOG_OK, ""};
    struct smilog_tracker *t = smilog_tracker_new(&err);
    struct sigaction ours, after;
    sigset_t before_mask, after_mask;
    const char *text;
    char *memory;
    int status;
    pid_t child;
    (void)state;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = handler;
    sigaction(SIGCHLD, &ours, NULL);
    pthread_sigmask(SIG_BLOCK, NULL, &before_mask);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        assert_int_equal(smilog_tracker_set(t, options[i][0], options[i][1], &err), 0);
    assert_int_equal(smilog_tracker_start(t, &err), 0);
    memory = malloc(size);
    for (size_t i = 0; i < size; i += 4096)
        ((volatile char *)memory)[i] = 1; /* clang leaves out what memset writes and nobody reads */
    child = fork();
    if (child == 0) {
        volatile char *more = malloc(size);
        for (size_t i = 0; i < size; i += 4096)
            more[i] = 2;
        for (volatile int i = 0; i < 200000000; i++) {
        }
        usleep(500000);
        _exit(0);
    }
    while (waitpid(child, &status, 0) < 0) {
    }
    usleep(200000);
    assert_int_equal(smilog_tracker_stop(t, &err), 0);
    text = smilog_tracker_summary(t, "gpu-tracker-json", &err);
    assert_true(number(text, "max_ram", "main", "total_rss") >= (double)size);
    /* where smaps takes too long (a sanitizer's shadow is large), it is what the child has more than its
     * parent, which got a few pages more meanwhile */
    assert_true(number(text, "max_ram", "descendants", "private_rss") >= (double)(size - size / 100));
    assert_true(number(text, "cpu_utilization", "descendants", "mean_sum_percent") > 1);
    assert_true(number(text, "cpu_utilization", "descendants_n_threads", NULL) == 1);
    assert_true(number(text, "max_gpu_ram", "combined", NULL) ==
                0); /* no GPU was looked at: as gpu_tracker has it */
    assert_true(number(text, "compute_time", "time", NULL) >= 0.2);
    sigaction(SIGCHLD, NULL, &after);
    assert_true(after.sa_handler == handler);
    pthread_sigmask(SIG_BLOCK, NULL, &after_mask);
    assert_memory_equal(&before_mask, &after_mask, sizeof before_mask / 16);
    signal(SIGCHLD, SIG_DFL);
    smilog_tracker_free(t);
    free(memory);
}

/* ---- whose memory ---- */

#define QUERY_HEAD "timestamp, index, uuid, memory.used [MiB], memory.total [MiB]\n"
#define APPS_HEAD "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"

struct gpus {
    struct smi_machine *n;
    int query, apps;
    int64_t mono;
    struct smi_tree *tree;
    struct smi_gpu_memory_share whose;
};

static void feed(struct gpus *g, int source, const char *text)
{
    struct smi_err err = {0};
    assert_int_equal(smi_machine_feed(g->n->source[source], text, strlen(text), g->mono, &err), 0);
}

/* What one GPU of uuid GPU-a holds at second s, and a row of processes, if any. */
static void tell(struct gpus *g, int s, int held, const char *apps)
{
    char row[200];
    g->mono = 1000 * s;
    snprintf(row, sizeof row, "2026/07/03 22:11:%02d.000, 0, GPU-a, %d, 81559\n", s, held);
    feed(g, g->query, row);
    if (apps) {
        snprintf(row, sizeof row, "2026/07/03 22:11:%02d.000, GPU-a, %s\n", s, apps);
        feed(g, g->apps, row);
    }
    smi_machine_tick(g->n, g->mono += 200);
}

static struct gpus begin(int held, const char *const *env, bool started)
{
    struct gpus g = {.n = NULL};
    struct smi_machine_opts o = {.has_offset = true};
    struct smi_tree_opts to = {.main = getpid()};
    struct smi_tree_sample sample;
    g.n = smi_machine_new(&o);
    g.query = smi_machine_add_source(g.n, "query", SMI_FMT_QUERY, 1000)->place;
    g.apps = smi_machine_add_source(g.n, "apps", SMI_FMT_APPS, 1000)->place;
    feed(&g, g.query, QUERY_HEAD);
    feed(&g, g.apps, APPS_HEAD);
    tell(&g, 1, held, NULL);
    g.tree = smi_tree_open(&to);
    smi_tree_read(g.tree, 1, &sample);
    smi_gpu_memory_share_begin(&g.whose, g.n, (char *const *)(uintptr_t)env, started);
    return g;
}

static void end(struct gpus *g)
{
    smi_tree_close(g->tree);
    smi_machine_free(g->n);
}

static void is(struct gpus *g, enum smi_gpu_memory_method way, int64_t main, int64_t all)
{
    struct smi_gpu_memory_used m;
    smi_gpu_memory_share_read(&g->whose, g->n, g->tree, &m);
    assert_int_equal(m.way, way);
    assert_int_equal(m.of[SMI_TREE_OF_MAIN], main < 0 ? -1 : main * 1000000);
    assert_int_equal(m.of[SMI_TREE_OF_ALL], all < 0 ? -1 : all * 1000000);
}

static void the_ways_in_their_order(void **state)
{
    const char *const mine[] = {"PATH=/bin", "CUDA_VISIBLE_DEVICES=0", NULL}, *const none[] = {"A=1", NULL};
    char row[100];
    struct gpus g;
    (void)state;
    snprintf(row, sizeof row, "%ld, test_tracker, 700 MiB", (long)getpid());
    g = begin(1000, none, true);
    tell(&g, 2, 3000, NULL);
    is(&g, SMI_GPU_MEMORY_UNKNOWN, -1, -1); /* it may be anybody's */
    assert_int_equal(smi_gpu_memory_share_best(&g.whose), SMI_GPU_MEMORY_UNKNOWN);
    tell(&g, 3, 3000, row);
    is(&g, SMI_GPU_MEMORY_PID, 700, 700);
    tell(&g, 4, 2000, "4194305, /y, 5 MiB"); /* from now on rows are known to be of our pids */
    is(&g, SMI_GPU_MEMORY_PID, 0, 0);
    g.mono += 10000;
    smi_machine_tick(g.n, g.mono);
    is(&g, SMI_GPU_MEMORY_PID, 0, 0); /* there is no row where there is no process */
    smi_live_source_state(g.n->source[g.apps], SMI_SOURCE_DOWN, "it has died");
    is(&g, SMI_GPU_MEMORY_UNKNOWN, -1, -1);
    assert_int_equal(smi_gpu_memory_share_best(&g.whose), SMI_GPU_MEMORY_PID);
    end(&g);
    g = begin(1000, mine, true);
    tell(&g, 2, 3000, "4194305, [Not Found], 5 MiB"); /* of the host's pids */
    is(&g, SMI_GPU_MEMORY_ALONE, 2000, 2000);
    tell(&g, 3, 500, NULL);
    is(&g, SMI_GPU_MEMORY_ALONE, 0, 0); /* what was there before has gone */
    snprintf(row, sizeof row, "%ld, /x, [Insufficient Permissions]", (long)getpid());
    tell(&g, 4, 1800, row);
    is(&g, SMI_GPU_MEMORY_ALONE, 800, 800);
    end(&g);
    g = begin(1000, mine, false); /* it ran already */
    tell(&g, 2, 3000, NULL);
    is(&g, SMI_GPU_MEMORY_UNKNOWN, -1, -1);
    end(&g);
}

/* A list that says 0 of all: where the GPU holds more than before, or nothing was told yet, it says nothing.
 */
static void none_of_all_is_not_known(void **state)
{
    const char *const none[] = {"A=1", NULL};
    char zero[100], some[100];
    struct gpus g;
    (void)state;
    snprintf(zero, sizeof zero, "%ld, test_tracker, 0 MiB", (long)getpid());
    snprintf(some, sizeof some, "%ld, test_tracker, 5 MiB", (long)getpid());
    g = begin(1000, none, true);
    tell(&g, 2, 1000, zero);
    is(&g, SMI_GPU_MEMORY_UNKNOWN, -1, -1);
    tell(&g, 3, 3000, zero);
    is(&g, SMI_GPU_MEMORY_UNKNOWN, -1, -1);
    tell(&g, 4, 1005, some);
    is(&g, SMI_GPU_MEMORY_PID, 5, 5);
    tell(&g, 5, 1000, zero);
    is(&g, SMI_GPU_MEMORY_PID, 0, 0);
    tell(&g, 6, 1001, zero);
    is(&g, SMI_GPU_MEMORY_UNKNOWN, -1, -1);
    end(&g);
}

/* The same number in several namespaces: the name says which is meant. */
static void a_number_is_not_a_process(void **state)
{
    const char *const none[] = {"A=1", NULL};
    char row[100], first[32] = "";
    FILE *f = fopen("/proc/1/comm", "r");
    struct gpus g;
    (void)state;
    if (!f || fscanf(f, "%31s", first) != 1)
        skip();
    fclose(f);
    g = begin(1000, none, true);
    snprintf(row, sizeof row, "1, /sbin/%s, 700 MiB", first);
    tell(&g, 2, 3000, row); /* a stranger, and so they are our pids */
    is(&g, SMI_GPU_MEMORY_PID, 0, 0);
    end(&g);
    g = begin(1000, none, true);
    tell(&g, 2, 3000, "1, /opt/of-another-namespace, 700 MiB");
    is(&g, SMI_GPU_MEMORY_UNKNOWN, -1, -1);
    snprintf(row, sizeof row, "%ld, /opt/of-another-namespace, 700 MiB", (long)getpid());
    tell(&g, 3, 3000, row); /* not this process, whatever its number is */
    is(&g, SMI_GPU_MEMORY_UNKNOWN, -1, -1);
    snprintf(row, sizeof row, "%ld, [Not Found], 700 MiB", (long)getpid());
    tell(&g, 4, 3000, row); /* nothing speaks against it */
    is(&g, SMI_GPU_MEMORY_PID, 700, 700);
    end(&g);
}

/* One of the tree that is 1 inside, which is somebody else out here. Only root may have it. */
static void the_first_of_a_namespace(void **state)
{
    const char *const none[] = {"A=1", NULL};
    struct smi_tree_sample sample;
    struct gpus g;
    int ends[2], status;
    pid_t child;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (child == 0) { /* it waits for the process inside, which sleeps until the pipe is closed */
        pid_t inside = unshare(CLONE_NEWPID) == 0 ? fork() : -1;
        char byte;
        close(ends[1]);
        if (inside == 0)
            prctl(PR_SET_NAME, "inside");
        if (inside > 0)
            waitpid(inside, &status, 0);
        _exit(inside < 0 || read(ends[0], &byte, 1) != 0);
    }
    close(ends[0]);
    g = begin(1000, none, true);
    for (int i = 0; i < 500 && waitpid(child, &status, WNOHANG) == 0; i++) {
        struct smi_tree_process m = {.inner = false};
        size_t at = 0;
        smi_tree_read(g.tree, 100000 * (i + 2), &sample);
        if (smi_tree_candidate_process(g.tree, 1, &at, &m) &&
            smi_tree_name_matches(g.tree, m.pid, "inside") == SMI_TREE_NAMED_SO) {
            tell(&g, 2, 3000, "1, /opt/inside, 500 MiB");
            is(&g, SMI_GPU_MEMORY_INNER, 0, 500);
            tell(&g, 3, 3000, "1, /opt/of-another-namespace, 500 MiB");
            is(&g, SMI_GPU_MEMORY_UNKNOWN, -1, -1);
            close(ends[1]);
            ends[1] = -1;
            waitpid(child, &status, 0);
            end(&g);
            return;
        }
        usleep(10000);
    }
    end(&g);
    close(ends[1]);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
        skip(); /* not allowed */
    fail();
}

static void who_gives_gpus_of_ones_own(void **state)
{
    static const char *const env[][3] = {{"CUDA_VISIBLE_DEVICES=0,1", NULL, NULL},
                                         {"CUDA_VISIBLE_DEVICES=", "SLURM_JOB_GPUS=0", NULL},
                                         {"NVIDIA_VISIBLE_DEVICES=all", NULL, NULL},
                                         {"CUDA_VISIBLE_DEVICES=MIG-GPU-1/2/0", NULL, NULL},
                                         {"NVIDIA_VISIBLE_DEVICES=GPU-1", NULL, NULL}};
    static const char *const want[] = {"CUDA_VISIBLE_DEVICES", "SLURM_JOB_GPUS", NULL, NULL,
                                       "NVIDIA_VISIBLE_DEVICES"};
    (void)state;
    static const char *const amd[][3] = {{"HIP_VISIBLE_DEVICES=1", NULL, NULL},
                                         {"NVIDIA_VISIBLE_DEVICES=0", NULL, NULL},
                                         {"HIP_VISIBLE_DEVICES=0", "ROCR_VISIBLE_DEVICES=GPU-1", NULL},
                                         {"CUDA_VISIBLE_DEVICES=0,1", NULL, NULL}};
    static const char *const want_amd[] = {"HIP_VISIBLE_DEVICES", NULL, NULL, "CUDA_VISIBLE_DEVICES"};
    assert_null(smi_gpu_memory_share_alone(NULL, false));
    assert_null(smi_gpu_memory_share_alone((char *const *)(uintptr_t)amd[0], false));
    for (size_t i = 0; i < sizeof want_amd / sizeof *want_amd; i++) {
        const char *got = smi_gpu_memory_share_alone((char *const *)(uintptr_t)amd[i], true);
        if (want_amd[i])
            assert_string_equal(got, want_amd[i]);
        else
            assert_null(got);
    }
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const char *got = smi_gpu_memory_share_alone((char *const *)(uintptr_t)env[i], false);
        if (want[i])
            assert_string_equal(got, want[i]);
        else
            assert_null(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states),
        cmocka_unit_test(a_process_tracks_itself),
        cmocka_unit_test(the_ways_in_their_order),
        cmocka_unit_test(none_of_all_is_not_known),
        cmocka_unit_test(a_number_is_not_a_process),
        cmocka_unit_test(the_first_of_a_namespace),
        cmocka_unit_test(who_gives_gpus_of_ones_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
