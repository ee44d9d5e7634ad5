/* record: RunLogs written by many at once, by writers that are killed, on full disks, and read back. */
#include "summary/gpus.h"
#include "formats/format.h"
#include "live/recorder.h"
#include "sweep/sweep.h"

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { WRITERS = 16, LINES = 1000, KILLS = 60 };

static char home[] = "/tmp/smilog-test-record-XXXXXX";

static int enter(void **unused)
{
    (void)unused;
    alarm(300);
    return !mkdtemp(home) || chdir(home) != 0;
}

static int leave(void **unused)
{
    (void)unused;
    return system("rm -rf run.jsonl log.jsonl d") != 0 || chdir("/") != 0 || rmdir(home) != 0;
}

static int fresh(void **unused)
{
    (void)unused;
    return system("rm -rf run.jsonl log.jsonl d") != 0;
}

/* The whole file, NUL-terminated; free it. */
static char *slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "r");
    char *all;
    long size;
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    size = ftell(f);
    rewind(f);
    all = calloc((size_t)size + 1, 1);
    assert_non_null(all);
    *n = fread(all, 1, (size_t)size, f);
    fclose(f);
    assert_int_equal(*n, size);
    return all;
}

/* What f appends to a new file, without its time stamp. */
static void assert_written(const char *want)
{
    size_t n;
    char *all = slurp("log.jsonl", &n);
    const char *rest = strchr(all, ',');
    json_t *entry = json_loads(all, 0, NULL);
    assert_non_null(rest);
    assert_non_null(entry);
    assert_int_equal(strlen(json_string_value(json_object_get(entry, "ts"))), 29);
    assert_string_equal(rest + 2, want);
    json_decref(entry);
    free(all);
    unlink("log.jsonl");
}

/* A line of each kind, put and appended. */
static int write_phase(struct smi_append *log, const char *name, double seconds,
                       const struct smi_runlog_value *values, struct smi_err *err)
{
    struct smi_buf line = {0};
    return smi_runlog_append(log, &line, smi_runlog_put_phase(&line, name, seconds, values, err), err);
}

static int write_event(struct smi_append *log, const char *name, const struct smi_runlog_value *values,
                       struct smi_err *err)
{
    struct smi_buf line = {0};
    return smi_runlog_append(log, &line, smi_runlog_put_event(&line, name, values, err), err);
}

static int write_start(struct smi_append *log, const struct smi_start_source *from, struct smi_err *err)
{
    struct smi_buf line = {0};
    return smi_runlog_append(log, &line, smi_runlog_put_start(&line, from, err), err);
}

static void lines_are_the_references(void **state)
{
    struct smi_append log;
    (void)state;
    assert_int_equal(smi_append_open(&log, AT_FDCWD, "log.jsonl", NULL), 0);
    assert_int_equal(write_phase(&log, "compile", 1.234, NULL, NULL), 0);
    assert_written("\"type\": \"phase\", \"name\": \"compile\", \"seconds\": 1.234}\n");
    smi_append_close(&log);
    assert_int_equal(smi_append_open(&log, AT_FDCWD, "log.jsonl", NULL), 0);
    assert_int_equal(write_phase(&log, "\xff\"\x01\xc3\xa9", 3,
                                 SMI_VALUES(SMI_VALUE("loss", 0.1), SMI_VALUE("n", 7)), NULL),
                     0);
    assert_written("\"type\": \"phase\", \"name\": \"\xEF\xBF\xBD\\\"\\u0001\xc3\xa9\", \"seconds\": 3.0, "
                   "\"loss\": 0.1, \"n\": 7}\n");
    smi_append_close(&log);
    assert_int_equal(smi_append_open(&log, AT_FDCWD, "log.jsonl", NULL), 0);
    assert_int_equal(write_event(&log, "stop", NULL, NULL), 0);
    assert_written("\"type\": \"event\", \"event\": \"stop\"}\n");
    smi_append_close(&log);
}

static void values_keep_their_types(void **state)
{
    const struct smi_runlog_value word = {"w", SMI_RUNLOG_WORD, "1e3", 0, 0};
    const struct smi_runlog_value text = {"t", SMI_RUNLOG_WORD, "007", 0, 0};
    const struct smi_runlog_value json = {"j", SMI_RUNLOG_JSON, "[1,\n{\"a\":\tnull}]", 0, 0};
    struct smi_append log;
    char name[] = "x";
    (void)state;
    assert_int_equal(smi_append_open(&log, AT_FDCWD, "log.jsonl", NULL), 0);
    assert_int_equal(
        write_event(&log, "e",
                    SMI_VALUES(SMI_VALUE("a", (bool)true), SMI_VALUE("b", (const char *)NULL),
                               SMI_VALUE("c", name), SMI_VALUE("d", INT64_MIN), SMI_VALUE("e", 2.0f),
                               SMI_VALUE("f", NAN), SMI_VALUE("g", 1e300), SMI_VALUE("h", 1.0 / 3),
                               SMI_VALUE("i", 1e15), SMI_VALUE("k", 0x1p-44), word, text, json),
                    NULL),
        0);
    assert_written(
        "\"type\": \"event\", \"event\": \"e\", \"data\": {\"a\": true, \"b\": null, \"c\": \"x\", "
        "\"d\": -9223372036854775808, \"e\": 2.0, \"f\": null, \"g\": 1e+300, \"h\": 0.3333333333333333, "
        "\"i\": 1000000000000000.0, \"k\": 5.684341886080802e-14, \"w\": 1e3, \"t\": \"007\", \"j\": [1, "
        "{\"a\": null}]}}\n");
    smi_append_close(&log);
}

static void what_is_wrong_is_said_and_not_written(void **state)
{
    static char huge[SMI_RUNLOG_LINE_MAX];
    struct smi_runlog_value many[SMI_RUNLOG_VALUES + 2] = {{0}};
    static char keys[SMI_RUNLOG_VALUES + 1][16];
    struct smi_append log, nothing = {0};
    struct smi_err err = {0};
    struct stat st;
    (void)state;
    assert_int_equal(SMI_RUNLOG_LINE_MAX, SMI_LINE_MAX);
    memset(huge, 'a', sizeof huge - 1);
    for (int i = 0; i <= SMI_RUNLOG_VALUES; i++) {
        snprintf(keys[i], sizeof *keys, "k%d", i);
        many[i] = smi_runlog_whole(keys[i], i);
    }
    assert_int_equal(smi_append_open(&log, AT_FDCWD, "log.jsonl", NULL), 0);
#define REFUSED(code_, call)               \
    do {                                   \
        err = (struct smi_err){0};         \
        assert_int_equal(call, -1);        \
        assert_int_equal(err.code, code_); \
    } while (0)
    REFUSED(SMI_EUSAGE, write_phase(&log, "", 1, NULL, &err));
    REFUSED(SMI_EUSAGE, write_event(&log, "", NULL, &err));
    REFUSED(SMI_EUSAGE, write_phase(&log, "a", -0.5, NULL, &err));
    REFUSED(SMI_EUSAGE, write_phase(&log, "a", NAN, NULL, &err));
    REFUSED(SMI_EUSAGE, write_phase(&log, "a", INFINITY, NULL, &err));
    REFUSED(SMI_EUSAGE, write_phase(&log, "a", 1.1e9, NULL, &err));
    REFUSED(SMI_EUSAGE, write_phase(&log, "a", 1, SMI_VALUES(SMI_VALUE("name", 1)), &err));
    REFUSED(SMI_EUSAGE, write_event(&log, "a", SMI_VALUES(SMI_VALUE("b", 1), SMI_VALUE("b", 2)), &err));
    REFUSED(SMI_EUSAGE, write_event(&log, "a", SMI_VALUES(SMI_VALUE("", 1)), &err));
    REFUSED(SMI_EUSAGE, write_event(&log, "a", SMI_VALUES({"j", SMI_RUNLOG_JSON, "1], [2", 0, 0}), &err));
    REFUSED(SMI_EUSAGE, write_event(&log, "a", SMI_VALUES({"j", SMI_RUNLOG_JSON, "NaN", 0, 0}), &err));
    REFUSED(SMI_EUSAGE, write_event(&log, "a", SMI_VALUES({"j", SMI_RUNLOG_JSON, "\xff", 0, 0}), &err));
    REFUSED(SMI_ELIMIT, write_event(&log, "a", many, &err));
    REFUSED(SMI_ELIMIT, write_event(&log, huge, NULL, &err));
    assert_int_equal(stat("log.jsonl", &st), 0);
    assert_int_equal(st.st_size, 0);
    smi_append_close(&log);
    smi_append_close(&nothing);
    REFUSED(SMI_EIO, smi_append_open(&log, AT_FDCWD, "absent/log.jsonl", &err));
    REFUSED(SMI_EIO, smi_append_open(&log, AT_FDCWD, "/dev/null", &err));
    assert_int_equal(mkdir("d", 0755), 0);
    REFUSED(SMI_EIO, smi_append_open(&log, AT_FDCWD, "d", &err));
    assert_int_equal(mkfifo("d/fifo", 0644), 0);
    REFUSED(SMI_EIO, smi_append_open(&log, AT_FDCWD, "d/fifo", &err));
    smi_append_close(&log); /* after a failure, too */
#undef REFUSED
}

/* A text whose length and letters follow from its numbers. */
static const char *filling(int writer, int line)
{
    static char room[12000];
    size_t n = (size_t)(writer * 7919 + line * 104729) % (line % 50 ? 200 : sizeof room - 1);
    memset(room, 'a' + writer % 26, n);
    room[n] = 0;
    return room;
}

static void write_lines(int writer, int lines)
{
    struct smi_append log;
    int bad = smi_append_open(&log, AT_FDCWD, "run.jsonl", NULL);
    for (int i = 0; i < lines && !bad; i++)
        bad = write_event(&log, "line",
                          SMI_VALUES(SMI_VALUE("writer", writer), SMI_VALUE("line", i),
                                     SMI_VALUE("text", filling(writer, i))),
                          NULL);
    _exit(bad != 0);
}

/* Calls f for every line but the torn ones, of which it returns the number; no line holds two. */
static int read_lines(void (*f)(json_t *data, void *self), void *self)
{
    size_t n;
    char *all = slurp("run.jsonl", &n), *line = all, *end;
    int torn = 0;
    assert_true(n == 0 || all[n - 1] == '\n');
    for (; *line; line = end + 1) {
        json_t *entry;
        end = strchr(line, '\n');
        *end = 0;
        entry = json_loads(line, 0, NULL);
        torn += !entry;
        assert_true(!strstr(line + (line[0] == '{'), "{\"ts\""));
        if (entry)
            f(json_object_get(entry, "data"), self);
        json_decref(entry);
    }
    free(all);
    return torn;
}

static void next_line(json_t *data, void *self)
{
    int *next = self, writer = (int)json_integer_value(json_object_get(data, "writer"));
    int line = (int)json_integer_value(json_object_get(data, "line"));
    assert_true(writer >= 0 && writer < WRITERS);
    assert_int_equal(line, next[writer]++);
    assert_string_equal(json_string_value(json_object_get(data, "text")), filling(writer, line));
}

static void processes_write_whole_lines(void **state)
{
    int next[WRITERS] = {0}, status;
    (void)state;
    for (int w = 0; w < WRITERS; w++)
        if (fork() == 0)
            write_lines(w, LINES);
    for (int w = 0; w < WRITERS; w++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(read_lines(next_line, next), 0);
    for (int w = 0; w < WRITERS; w++)
        assert_int_equal(next[w], LINES);
}

struct shared {
    struct smi_append log;
    int writer;
};

static void *thread(void *self)
{
    struct shared *s = self;
    int writer = __atomic_fetch_add(&s->writer, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < LINES; i++)
        if (write_event(&s->log, "line", SMI_VALUES(SMI_VALUE("writer", writer), SMI_VALUE("line", i)), NULL))
            return self;
    return NULL;
}

static void count_line(json_t *data, void *self)
{
    ((int *)self)[json_integer_value(json_object_get(data, "writer"))]++;
}

static void threads_share_one_log(void **state)
{
    pthread_t id[8];
    int n[8] = {0};
    struct shared s = {.writer = 0};
    void *bad;
    (void)state;
    assert_int_equal(smi_append_open(&s.log, AT_FDCWD, "run.jsonl", NULL), 0);
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&id[i], NULL, thread, &s), 0);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(pthread_join(id[i], &bad), 0);
        assert_null(bad);
    }
    smi_append_close(&s.log);
    assert_int_equal(read_lines(count_line, n), 0);
    for (int i = 0; i < 8; i++)
        assert_int_equal(n[i], LINES);
}

/* A write of many pages can be killed in its midst: what it left ends where the next line begins. */
static void killed_writers_spoil_only_their_own_line(void **state)
{
    pid_t pid[4];
    int seen[WRITERS] = {0}, torn;
    (void)state;
    srand(1);
    for (int i = 0; i < 4; i++)
        if ((pid[i] = fork()) == 0)
            write_lines(i, 1 << 30);
    for (int k = 0; k < KILLS; k++) {
        int i = k % 4;
        nanosleep(&(struct timespec){0, rand() % 8000000}, NULL);
        assert_int_equal(kill(pid[i], SIGKILL), 0);
        assert_int_equal(waitpid(pid[i], NULL, 0), pid[i]);
        if ((pid[i] = fork()) == 0)
            write_lines(i, 1 << 30);
    }
    for (int i = 0; i < 4; i++) {
        kill(pid[i], SIGKILL);
        waitpid(pid[i], NULL, 0);
    }
    assert_int_equal(fork() == 0 ? (write_lines(15, 1), 0) : wait(NULL) > 0,
                     1); /* ends what the last one left */
    torn = read_lines(count_line, seen);
    assert_in_range(torn, 0, KILLS + 4);
    assert_int_equal(seen[15], 1);
}

static void put(const char *text)
{
    FILE *f = fopen("log.jsonl", "w");
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void a_line_left_open_is_ended_first(void **state)
{
    struct smi_append a;
    size_t n;
    char *all;
    (void)state;
    put("{\"ts\": \"2026-");
    assert_int_equal(smi_append_open(&a, AT_FDCWD, "log.jsonl", NULL), 0);
    assert_int_equal(smi_append_line(&a, "one\n", 4, NULL), 0);
    assert_int_equal(smi_append_line(&a, "two\n", 4, NULL), 0);
    smi_append_close(&a);
    all = slurp("log.jsonl", &n);
    assert_string_equal(all, "{\"ts\": \"2026-\none\ntwo\n");
    free(all);
    put("x");
    chmod("log.jsonl", 0200); /* root may read it all the same */
    assert_int_equal(smi_append_open(&a, AT_FDCWD, "log.jsonl", NULL), 0);
    assert_int_equal(smi_append_line(&a, "one\n", 4, NULL), 0);
    smi_append_close(&a);
}

/* RLIMIT_FSIZE cuts a write short as a full disk does. */
static void a_full_disk_leaves_no_half_line(void **state)
{
    static char line[5000];
    const struct rlimit small = {3000, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
    struct smi_append a;
    struct smi_err err = {0};
    size_t n;
    char *all;
    (void)state;
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(smi_append_open(&a, AT_FDCWD, "log.jsonl", NULL), 0);
    assert_int_equal(smi_append_line(&a, "first\n", 6, NULL), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(smi_append_line(&a, line, sizeof line, &err), -1);
    assert_int_equal(err.code, SMI_EIO);
    assert_non_null(strstr(err.text, "log.jsonl"));
    assert_int_equal(smi_append_line(&a, "second\n", 7, NULL), 0); /* a shorter one finds room */
    setrlimit(RLIMIT_FSIZE, &none);
    assert_int_equal(smi_append_line(&a, "third\n", 6, NULL), 0);
    smi_append_close(&a);
    all = slurp("log.jsonl", &n);
    assert_string_equal(all, "first\nsecond\nthird\n");
    free(all);
}

static void a_lock_that_is_held_is_not_waited_for(void **state)
{
    struct timespec t0, t1;
    struct smi_append a;
    size_t n;
    char *all;
    int fd;
    (void)state;
    put("");
    fd = open("log.jsonl", O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(smi_append_open(&a, AT_FDCWD, "log.jsonl", NULL), 0);
    clock_gettime(CLOCK_MONOTONIC, &t0);
    assert_int_equal(smi_append_line(&a, "one\n", 4, NULL), 0);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    assert_in_range(t1.tv_sec - t0.tv_sec, 0, 10);
    smi_append_close(&a);
    close(fd);
    all = slurp("log.jsonl", &n);
    assert_string_equal(all, "one\n");
    free(all);
}

static void our_reader_reads_it_back(void **state)
{
    const struct smi_discover_opts plain = {.format = -1, .threads = 1};
    const struct smi_options options = {.idle_below = 1000000};
    const char *path = "d";
    const struct smi_summary *run;
    struct smi_append log;
    struct smi_sweep s;
    (void)state;
    assert_int_equal(mkdir("d", 0755), 0);
    assert_int_equal(smi_append_open(&log, AT_FDCWD, "d/run.jsonl", NULL), 0);
    assert_int_equal(
        write_event(&log, "start", SMI_VALUES(SMI_VALUE("lr", 0.1), SMI_VALUE("utc_offset_s", 7200)), NULL),
        0);
    assert_int_equal(write_phase(&log, "compile", 0.25, SMI_VALUES(SMI_VALUE("cache", "cold")), NULL), 0);
    assert_int_equal(write_phase(&log, "compile", 0.5, NULL, NULL), 0);
    assert_int_equal(
        write_event(&log, "gpu_memory", SMI_VALUES(SMI_VALUE("peak_bytes_in_use", 3 << 20)), NULL), 0);
    assert_int_equal(write_event(&log, "stop", SMI_VALUES(SMI_VALUE("exit_status", 3)), NULL), 0);
    smi_append_close(&log);
    assert_int_equal(smi_sweep_read(&s, &path, 1, &plain, &options, NULL), 0);
    assert_int_equal(s.n, 1);
    run = &s.runs[0];
    assert_int_equal(run->state, SMI_STATE_FAILED);
    assert_int_equal(run->exit_code, 3);
    assert_int_equal(run->nparams, 1);
    assert_string_equal(run->params[0].key, "lr");
    assert_string_equal(run->params[0].text, "0.1");
    assert_int_equal(run->nevents, 3);
    assert_int_equal(run->nphases, 1);
    assert_int_equal(run->phases[0].count, 2);
    smi_sweep_fini(&s);
}

static char *environment[] = {(char *)"USER=ann",
                              (char *)"CUDA_VISIBLE_DEVICES=0",
                              (char *)"SLURM_JOB_ID=4711",
                              (char *)"SLURM_JOB_NAME=a \"b\"",
                              (char *)"SLURM_JOB_GPUS=2",
                              (char *)"HOME=/root",
                              NULL};

static void a_start_tells_machine_and_job(void **state)
{
    const struct smi_discover_opts plain = {.format = -1, .threads = 1};
    const struct smi_options options = {.idle_below = 1000000};
    const struct smi_gpu_id gpu[] = {{0, "", "NVIDIA H100 80GB HBM3", 81559}, {1, "", "", -1}};
    const struct smi_host_sample host = {UINT32_C(1) << SMI_HOST_CG_CPU_LIMIT,
                                         {[SMI_HOST_CG_CPU_LIMIT] = 1500000}};
    struct smi_start_source from = {&host, gpu, 2,
                                    .more = SMI_VALUES(SMI_VALUE("lr", 0.1), SMI_VALUE("host", "node7"))};
    struct smi_append log;
    const char *path = "d";
    struct smi_sweep s;
    char *all, want[400];
    size_t n;
    (void)state;
    clearenv();
    for (char **e = environment; *e; e++)
        putenv(*e);
    setenv("TZ", "XXX-05:30", 1);
    tzset();
    assert_int_equal(mkdir("d", 0755), 0);
    assert_int_equal(smi_append_open(&log, AT_FDCWD, "d/run.jsonl", NULL), 0);
    assert_int_equal(write_start(&log, &from, NULL), 0);
    unsetenv("TZ");
    tzset();
    smi_append_close(&log);
    all = slurp("d/run.jsonl", &n);
    snprintf(want, sizeof want,
             "\"data\": {\"user\": \"ann\", \"pid\": %d, \"utc_offset_s\": 19800, \"gpu_names\": [\"NVIDIA "
             "H100 80GB "
             "HBM3\", null], \"gpu_memory_mib\": [81559, null], \"cgroup_cpu_limit\": 1.5, "
             "\"CUDA_VISIBLE_DEVICES\": "
             "\"0\", \"SLURM_JOB_GPUS\": \"2\", \"SLURM_JOB_ID\": 4711, \"SLURM_JOB_NAME\": \"a \\\"b\\\"\", "
             "\"lr\": "
             "0.1, \"host\": \"node7\"}}\n",
             (int)getpid());
    assert_string_equal(strstr(all, "\"data\""), want);
    free(all);
    assert_int_equal(smi_sweep_read(&s, &path, 1, &plain, &options, NULL), 0);
    assert_int_equal(s.n, 1);
    assert_string_equal(s.runs[0].hostname, "node7");
    assert_int_equal(s.runs[0].nparams, 1); /* of all that only lr is a parameter */
    assert_string_equal(s.runs[0].params[0].key, "lr");
    smi_sweep_fini(&s);
}

static void a_start_without_anything(void **state)
{
    struct smi_buf line = {0};
    char want[400];
    unsigned user;
    (void)state;
    clearenv();
    assert_int_equal(smi_runlog_put_start(&line, &(struct smi_start_source){.gpus = 0}, NULL), 0);
    /* host, the number of the user, pid, zone */
    assert_int_equal(sscanf(strstr(line.p, "\"data\""),
                            "\"data\": {\"host\": %399[^,], \"user\": %u, \"pid\": %*d, "
                            "\"utc_offset_s\": %*d}}",
                            want, &user),
                     2);
    assert_int_equal(user, getuid());
    smi_buf_fini(&line);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, fresh)
    const struct CMUnitTest tests[] = {
        TEST(lines_are_the_references),
        TEST(values_keep_their_types),
        TEST(what_is_wrong_is_said_and_not_written),
        TEST(processes_write_whole_lines),
        TEST(threads_share_one_log),
        TEST(killed_writers_spoil_only_their_own_line),
        TEST(a_line_left_open_is_ended_first),
        TEST(a_full_disk_leaves_no_half_line),
        TEST(a_lock_that_is_held_is_not_waited_for),
        TEST(our_reader_reads_it_back),
        TEST(a_start_tells_machine_and_job),
        TEST(a_start_without_anything),
    };
#undef TEST
    return cmocka_run_group_tests(tests, enter, leave);
}
