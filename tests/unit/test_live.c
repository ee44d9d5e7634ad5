/* Monitors against tests/fake/nvidia-smi: every misbehaviour is survived, noticed within 3 intervals and
 * mended, beside it the others go on; nothing outlives us. And by a clock of the test's own: when what is
 * due. SMILOG_LIVE_SLOW=1 takes the times that hold outside of tests; SMILOG_KILLS=N kills N owners. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "live/live.h"
#include "loops.h"
#include "rounds.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct smi_monitor_times quick = {.start = 10000,
                                               .silence = 700,
                                               .pause = 50,
                                               .pause_most = 400,
                                               .steady = 2000,
                                               .restart = {100, 200, 5000},
                                               .stop = {100, 200, 5000}};
static char fake[4096], dir[] = "/tmp/smilog-live-XXXXXX", tag[64];
static bool slow; /* the times that hold outside of tests */

static pid_t spared; /* survives everything, as one does that sleeps in the kernel */
int __real_kill(pid_t pid, int sig);
int __wrap_kill(pid_t pid, int sig);
int __wrap_kill(pid_t pid, int sig)
{
    return spared && (pid == spared || pid == -spared) ? 0 : __real_kill(pid, sig);
}

/* ---- a monitor under test, and what its owner was told ---- */

struct subject {
    struct smi_monitor *m;
    struct smi_monitor_kind kind;
    char env[5][128];
    const char *envp[6];
    struct smi_buf bytes;
    int begins, gaps_open, gaps_closed, gpus, seen[8];
    int64_t noticed_ms, line_ms, gap_from,
        gap_to; /* the first gap: when it was told, and the last line before */
    char why[SMI_MONITOR_REASON];
};

static void on_bytes(void *self, const char *p, size_t n)
{
    struct subject *s = self;
    if (s->bytes.n < 4000000)
        smi_buf_add(&s->bytes, p, n);
}

static void on_event(void *self, const struct smi_monitor *m, const struct smi_monitor_event *e)
{
    struct subject *s = self;
    s->begins += e->what == SMI_MONITOR_CHILD_STARTED;
    s->gpus += e->what == SMI_MONITOR_HAS_GPUS;
    if (e->what == SMI_MONITOR_STATE_CHANGED)
        s->seen[m->state]++;
    if (e->what != SMI_MONITOR_HAS_GAP)
        return;
    if (e->to_ms >= 0) {
        s->gaps_closed++;
        s->gap_to = e->to_ms;
        assert_true(e->to_ms >= e->from_ms);
        return;
    }
    if (!s->gaps_open++) {
        s->noticed_ms = smi_clock_now_ms();
        s->gap_from = e->from_ms;
        s->line_ms = m->line_ms;
        snprintf(s->why, sizeof s->why, "%s", m->reason);
    }
}

/* A monitor of the fake, which misbehaves as `trouble` says. */
static void prepare(struct subject *s, const char *kind, const char *trouble, int gpus, const char *more)
{
    static int number;
    memset(s, 0, sizeof *s);
    s->kind = *smi_monitor_kind(smi_text_of(kind));
    snprintf(s->env[0], sizeof s->env[0], "SMI_FAKE_DO=%s", trouble);
    snprintf(s->env[1], sizeof s->env[1], "SMI_FAKE_STATE=%s/state%d", dir, number++);
    snprintf(s->env[2], sizeof s->env[2], "SMI_FAKE_GPUS=%d", gpus);
    snprintf(s->env[3], sizeof s->env[3], "%s", tag);
    snprintf(s->env[4], sizeof s->env[4], "%s", more ? more : "SMI_FAKE_SEED=2");
    for (int i = 0; i < 5; i++)
        s->envp[i] = s->env[i];
    s->kind.env = s->envp;
    s->kind.least_ms = 1; /* dmon of the fake can do what the real one cannot */
    const struct smi_monitor_opts o = {.kind = &s->kind,
                                       .program = fake,
                                       .interval_ms = slow || !strcmp(kind, "dmon") ? 1000 : 100,
                                       .times = slow ? NULL : &quick,
                                       .calls = {s, on_bytes, on_event}};
    s->m = smi_monitor_new(&o);
    assert_non_null(s->m);
}

/* Drives all of them until done says so, at most ms. True if it did. */
static bool drive(struct subject *s, size_t n, bool (*done)(const struct subject *s, size_t n), int64_t ms)
{
    int64_t end = smi_clock_now_ms() + ms;
    struct smi_loop l = {.sources = 0};
    for (size_t i = 0; i < n; i++)
        smi_loop_add(&l, smi_monitor_source(s[i].m));
    while (smi_clock_now_ms() < end) {
        if (done && done(s, n))
            return true;
        assert_int_equal(loops_turn(&l, 100), 0);
    }
    return done && done(s, n);
}

static bool all_over(const struct subject *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i].m->child.pid)
            return false;
    return true;
}

/* Processes with this entry in their environment that are not dead. */
static int living(const char *entry)
{
    int n = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[300], text[65536];
        if (*e->d_name < '0' || *e->d_name > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%s/environ", e->d_name); /* empty, if it is dead */
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t got = fd >= 0 ? read(fd, text, sizeof text) : 0;
        if (fd >= 0)
            close(fd);
        n += got > 0 && memmem(text, (size_t)got, entry, strlen(entry) + 1) != NULL;
    }
    closedir(d);
    return n;
}

/* Waits for it at most a minute: a busy machine takes its time. */
static bool all_die(const char *entry)
{
    int64_t end = smi_clock_now_ms() + 60000;
    while (living(entry) && smi_clock_now_ms() < end)
        usleep(20000);
    return living(entry) == 0;
}

static void finish(struct subject *s, size_t n)
{
    int64_t now = smi_clock_now_ms();
    for (size_t i = 0; i < n; i++)
        smi_monitor_stop(s[i].m, now);
    assert_true(drive(s, n, all_over, 20000));
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(s[i].m->state, SMI_MONITOR_STOPPED);
        assert_int_equal(s[i].gaps_open, s[i].gaps_closed);
        smi_monitor_free(s[i].m);
        smi_buf_fini(&s[i].bytes);
    }
    assert_true(all_die(tag));
}

/* ---- the misbehaviours ---- */

enum {
    ENDS = 1 /* noticed at once */,
    SILENT = 2 /* within 3 intervals */,
    MENDS = 4 /* the next is fine */,
    GOES_ON = 8 /* the same child, no gap */,
    PASSES = 16 /* a gap, the same child */,
    DMON = 32
};
static const struct misdeed {
    const char *trouble; /* 300 ms after the start, once */
    int what;
    const char *why;     /* part of the reason; NULL: not asked */
    const char *printed; /* part of what came; NULL: not asked */
    const char *more;    /* environment; the second with the times that hold outside of tests */
    const char *more_slow;
} misdeeds[] = {
    {"exit-2:0.3:1", ENDS | MENDS, "exit 2 (bad argument)", NULL, NULL, NULL},
    {"exit-4:0.3:1", ENDS | MENDS, "exit 4 (no permission): Unable to query", NULL, NULL, NULL},
    {"exit-6:0.3:1", ENDS | MENDS, "exit 6 (object not found): No devices were found", NULL, NULL, NULL},
    {"exit-9:0.3:1", ENDS | MENDS, "exit 9 (no driver)", "couldn't communicate", NULL, NULL},
    {"exit-12:0.3:1", ENDS | MENDS, "exit 12 (NVML library not found): NVIDIA-SMI couldn't find", NULL, NULL,
     NULL},
    {"exit-15:0.3:1", ENDS | MENDS, "exit 15 (GPU fell off the bus): Unable to determine", "GPU is lost",
     NULL, NULL},
    {"exit-255:0.3:1", ENDS | MENDS, "exit 255 (internal driver error): Failed to initialize", NULL, NULL,
     NULL},
    {"mismatch:0.3:1", ENDS | MENDS, "exit 18 (driver and library do not match): Failed", "mismatch", NULL,
     NULL},
    {"crash:0.3:1", ENDS | MENDS, "killed by signal 11", NULL, NULL, NULL},
    {"dies:0.3:1", ENDS | MENDS, "exit 1", NULL, NULL, NULL},
    {"help:0.3:1", ENDS | MENDS, "exit 0", "System Management Interface", NULL, NULL},
    {"torn:0.3:1", ENDS | MENDS, "killed by signal 9", "7, 323", NULL, NULL},
    {"forks:0.3:1", ENDS | MENDS, "exit 1", NULL, NULL, NULL},
    {"header-only:0:1", SILENT | MENDS, "no row for", NULL, NULL, NULL},
    {"hang:0.3:1", SILENT | MENDS, "no row for", NULL, NULL, NULL},
    {"deaf:0.3:1", SILENT | MENDS, "no row for", NULL, NULL, NULL},
    {"stop-self:0.3:1", SILENT | MENDS, "no row for", NULL, NULL, NULL},
    {"closes-stdout:0.3:1", ENDS | MENDS, "closed its output", NULL, NULL, NULL},
    {"stderr-only:0.3:1", SILENT | MENDS, "no row for", NULL, NULL, NULL},
    {"no-newline:0.3:1", SILENT | MENDS, "no row for", "0, 1, 0, 1, ", NULL, NULL},
    {"hang-resume:0.3:1", PASSES, "no row for", NULL, "SMI_FAKE_FOR=1.05", "SMI_FAKE_FOR=4.5"},
    {"unknown-error:0.3", GOES_ON, NULL, "[Unknown Error], [Unknown Error]", NULL, NULL},
    {"no-permission:0.3", GOES_ON, NULL, "[Insufficient Permissions]", NULL, NULL},
    {"lost-cells:0.3", GOES_ON, NULL, "[GPU is lost]", NULL, NULL},
    {"gpu-lost:0.3", GOES_ON, NULL, "Reboot the system to recover this GPU\n[Unknown Error], ", NULL, NULL},
    {"gpu-vanishes:0.3", GOES_ON, NULL, NULL, NULL, NULL},
    {"gpu-returns:0.3", GOES_ON, NULL, NULL, "SMI_FAKE_FOR=0.4", NULL},
    {"reordered:0.3", GOES_ON, NULL, "timestamp, ", NULL, NULL},
    {"stderr-flood:0.3", GOES_ON, NULL, NULL, NULL, NULL},
    {"long-line:0.3", GOES_ON, NULL, "yyyyyyyyyyyyyyy", NULL, NULL},
    {"forks-deaf:0.3", GOES_ON, NULL, NULL, NULL, NULL},
    {"slow-start:0:1", GOES_ON, NULL, NULL, "SMI_FAKE_FOR=1.5", "SMI_FAKE_FOR=6"},
    {"clock-jumps:0.3", GOES_ON, NULL, NULL, "SMI_FAKE_FOR=0.4", NULL},
    {"duplicates:0.3", GOES_ON, NULL, NULL, NULL, NULL},
    {"crlf:0.3", GOES_ON, NULL, "\r\n", NULL, NULL},
    {"bytes:0.3", GOES_ON, NULL, "H100 \xff\xfe", NULL, NULL},
    {"unknown-field", GOES_ON, NULL, NULL, NULL, NULL},
    {"hang:0.3:1", DMON | SILENT | MENDS, "no row for", NULL, NULL, NULL},
    {"gpu-lost:0.3", DMON | GOES_ON, NULL, "-      -      -", NULL, NULL},
    {"exit-15:0.3:1", DMON | ENDS | MENDS, "exit 15", "GPU is lost", NULL, NULL},
};
enum { MISDEEDS = sizeof misdeeds / sizeof *misdeeds, AT_ONCE = 10 };
static const struct misdeed *now_tried;

/* The subjects have had their trouble, those that mend are well again, and the witness has printed long
 * enough. */
static bool had_it(const struct subject *s, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct misdeed *d = &now_tried[i - 1];
        bool mended = s[i].gaps_closed && s[i].m->state == SMI_MONITOR_OK;
        if (d->what & (MENDS | PASSES) ? !mended : s[i].m->lines < (d->what & DMON ? 8u : 40u))
            return false;
    }
    return s[0].m->lines > 20;
}

static void judge(const struct subject *s, const struct misdeed *d)
{
    int64_t within = smi_monitor_silence(s->m), slack = 1500; /* of a machine with other work */
    bool gap = d->what & (ENDS | SILENT | PASSES);
    print_message("         %s %s: %d starts, %s\n", s->kind.name, d->trouble, s->begins,
                  gap ? s->why : "no gap");
    assert_int_equal(s->gaps_open, gap);
    assert_int_equal(s->gaps_closed, gap);
    assert_int_equal(s->begins, d->what & MENDS ? 2 : 1);
    assert_int_equal(s->m->starts, s->begins);
    assert_int_equal(s->m->state, SMI_MONITOR_OK);
    assert_string_equal(s->m->reason, "");
    if (gap) {
        assert_true(s->gap_from <= s->noticed_ms && s->gap_from == s->line_ms);
        if (d->what & (SILENT | PASSES))
            assert_in_range(s->noticed_ms - s->line_ms, within, within + slack);
    }
    if (d->why && !strstr(s->why, d->why))
        fail_msg("%s: %s", d->trouble, s->why);
    if (d->printed && !memmem(s->bytes.p, s->bytes.n, d->printed, strlen(d->printed)))
        fail_msg("%s has not printed %s", d->trouble, d->printed);
}

static void try_misdeeds(size_t from)
{
    struct subject s[AT_ONCE + 1];
    size_t n = MISDEEDS - from < AT_ONCE ? MISDEEDS - from : AT_ONCE;
    now_tried = misdeeds + from;
    prepare(&s[0], "query", "", 2, NULL); /* the witness */
    for (size_t i = 0; i < n; i++)
        prepare(&s[i + 1], now_tried[i].what & DMON ? "dmon" : "query", now_tried[i].trouble, 3,
                slow ? now_tried[i].more_slow : now_tried[i].more);
    for (size_t i = 0; i <= n; i++)
        smi_monitor_start(s[i].m, smi_clock_now_ms());
    bool over = drive(s, n + 1, had_it, slow ? 180000 : 40000);
    for (size_t i = 0; i < n; i++)
        judge(&s[i + 1], &now_tried[i]);
    assert_true(over);
    assert_int_equal(s[0].begins, 1);
    assert_int_equal(s[0].gaps_open, 0);
    finish(s, n + 1);
}

static void test_misdeeds_0(void **state)
{
    (void)state;
    try_misdeeds(0);
}

static void test_misdeeds_1(void **state)
{
    (void)state;
    try_misdeeds(AT_ONCE);
}

static void test_misdeeds_2(void **state)
{
    (void)state;
    try_misdeeds(AT_ONCE * 2);
}

static void test_misdeeds_3(void **state)
{
    (void)state;
    assert_true(MISDEEDS <= AT_ONCE * 4);
    try_misdeeds(AT_ONCE * 3);
}

/* ---- trouble that stays ---- */

static bool tried_often(const struct subject *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i].seen[SMI_MONITOR_RESTARTING] < 4)
            return false;
    return true;
}

static void test_trouble_from_the_first_call_on(void **state)
{
    (void)state;
    static const char *const trouble[] = {"exit-9", "exit-12", "dies", "help", "mismatch", "torn"};
    static const char *const why[] = {
        "exit 9 (no driver): NVIDIA-SMI has failed because it couldn't communicate",
        "exit 12 (NVML library not found): NVIDIA-SMI couldn't find libnvidia-ml.so",
        "exit 1",
        "exit 0",
        "exit 18",
        "killed by signal 9"};
    enum { N = sizeof trouble / sizeof *trouble };
    struct subject s[N];
    for (size_t i = 0; i < N; i++) {
        prepare(&s[i], "query", trouble[i], 2, NULL);
        smi_monitor_start(s[i].m, smi_clock_now_ms());
    }
    assert_true(drive(s, N, tried_often, 60000));
    for (size_t i = 0; i < N; i++) {
        if (!strstr(s[i].why, why[i]))
            fail_msg("%s: %s", trouble[i], s[i].why);
        assert_int_equal(s[i].gaps_open, 1); /* one that lasts, however often it was tried */
        assert_int_equal(s[i].gaps_closed, 0);
        assert_int_equal(s[i].seen[SMI_MONITOR_OK], 0);
    }
    finish(s, N);
}

/* ---- what the driver knows ---- */

static bool printed_ten(const struct subject *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i].m->lines < 10)
            return false;
    return true;
}

static void test_fields_and_gpus(void **state)
{
    (void)state;
    struct subject s[3];
    prepare(&s[0], "query", "", 2, NULL);
    prepare(
        &s[1], "query", "", 3,
        "SMI_FAKE_UNKNOWN=clocks_throttle_reasons.active,name,temperature.memory,fan.speed,memory.reserved");
    prepare(&s[2], "apps", "", 2, "SMI_FAKE_AT=100");
    for (size_t i = 0; i < 3; i++)
        smi_monitor_start(s[i].m, smi_clock_now_ms());
    assert_true(drive(s, 3, printed_ten, 30000));
    static const char nine[] =
        "timestamp,utilization.gpu,utilization.memory,memory.used,memory.total,power.draw,"
        "temperature.gpu,clocks.sm,clocks.mem,index,uuid,";
    assert_memory_equal(s[0].m->fields, nine, strlen(nine));
    assert_non_null(strstr(s[0].m->fields, ",clocks_throttle_reasons.active,"));
    assert_memory_equal(s[1].m->fields, nine, strlen(nine));
    assert_non_null(strstr(s[1].m->fields, ",clocks_event_reasons.active,"));
    assert_null(strstr(s[1].m->fields, "name"));
    assert_null(strstr(s[1].m->fields, "temperature.memory"));
    assert_null(strstr(s[1].m->fields, "fan.speed"));
    assert_int_equal(s[0].m->gpus_n, 2);
    assert_int_equal(s[0].gpus, 1);
    assert_string_equal(s[0].m->gpus[1].name, "NVIDIA H100 80GB HBM3");
    assert_int_equal(s[0].m->gpus[1].index, 1);
    assert_int_equal(s[0].m->gpus[1].memory_mib, 81559);
    assert_memory_equal(s[0].m->gpus[1].uuid, "GPU-", 4);
    assert_int_equal(s[1].m->gpus_n, 3);
    assert_string_equal(s[1].m->gpus[2].name, "");
    assert_int_equal(s[1].m->gpus[2].memory_mib, 81559);
    assert_int_equal(s[2].m->gpus_n, 0);
    assert_non_null(strstr(s[2].bytes.p, "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"));
    finish(s, 3);
}

static void test_no_nvidia_smi(void **state)
{
    (void)state;
    struct subject s;
    prepare(&s, "query", "", 2, NULL);
    s.m->o.program = "smilog-no-such-smi";
    smi_monitor_start(s.m, smi_clock_now_ms());
    assert_int_equal(s.m->state, SMI_MONITOR_GONE);
    assert_string_equal(s.m->reason, "cannot start smilog-no-such-smi: No such file or directory");
    assert_true(loops_due(smi_monitor_source(s.m), 0) == INT64_MAX); /* it is not tried again */
    finish(&s, 1);
}

/* ---- by our own clock, with the times that hold outside of tests ---- */

static char script[200];
static const char *const shell_words[] = {"-c", script, NULL};

static void shell(struct subject *s, const char *text, int interval_ms)
{
    static const struct smi_monitor_kind kind = {
        .name = "shell", .program = "/bin/sh", .least_ms = 1, .head = 1, .pty = true, .words = shell_words};
    memset(s, 0, sizeof *s);
    snprintf(script, sizeof script, "%s", text);
    s->kind = kind;
    const struct smi_monitor_opts o = {
        .kind = &s->kind, .interval_ms = interval_ms, .calls = {s, on_bytes, on_event}};
    s->m = smi_monitor_new(&o);
    assert_non_null(s->m);
}

/* Waits for real until a descriptor of it is ready, and lets it act at this time of ours. */
static void act(struct subject *s, int64_t now_ms)
{
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    smi_loop_add(&l, smi_monitor_source(s->m));
    smi_loop_prepare(&l, now_ms);
    assert_true(poll(l.fd, l.fds, 20000) > 0);
    assert_int_equal(smi_loop_call(&l, now_ms, &err), 0);
}

static void act_until(struct subject *s, enum smi_monitor_state state, int64_t now_ms)
{
    for (int i = 0; i < 1000 && s->m->state != state; i++)
        act(s, now_ms);
    assert_int_equal(s->m->state, state);
}

static int64_t due_of(const struct subject *s, int64_t now_ms)
{
    return loops_due(smi_monitor_source(s->m), now_ms);
}

static void test_pauses_double(void **state)
{
    (void)state;
    struct subject s;
    int64_t now = 1000000;
    shell(&s, "exit 3", 1000);
    smi_monitor_start(s.m, now);
    static const int pause[] = {1, 2, 4, 8, 16, 32, 60, 60, 60};
    for (size_t i = 0; i < sizeof pause / sizeof *pause; i++) {
        act_until(&s, SMI_MONITOR_RESTARTING, now);
        assert_int_equal(due_of(&s, now) - now, pause[i] * 1000);
        loops_call(smi_monitor_source(s.m), now + pause[i] * 1000 - 1);
        assert_int_equal(s.m->state, SMI_MONITOR_RESTARTING);
        now += pause[i] * 1000;
        loops_call(smi_monitor_source(s.m), now);
        assert_int_equal(s.m->state, SMI_MONITOR_STARTING);
    }
    assert_int_equal(s.m->starts, 10);
    assert_int_equal(s.gaps_open, 1);
    smi_monitor_free(s.m);
    smi_buf_fini(&s.bytes);
}

/* Rows for a minute, and the next pause is short again. */
static void test_a_good_minute_is_rewarded(void **state)
{
    (void)state;
    struct subject s;
    int64_t now = 5000;
    shell(&s, "echo \"#\"; echo 1; exec sleep 100", 30000);
    s.m->pause_ms = 32000;
    smi_monitor_start(s.m, now);
    s.m->pause_ms = 32000;
    act_until(&s, SMI_MONITOR_OK, now);
    assert_int_equal(due_of(&s, now), now + 90000); /* 3 intervals */
    now += 61000;
    __real_kill(s.m->child.pid, SIGKILL);
    act_until(&s, SMI_MONITOR_RESTARTING, now);
    assert_int_equal(due_of(&s, now), now + 1000);
    assert_int_equal(s.gap_from, 5000);
    smi_monitor_free(s.m);
    smi_buf_fini(&s.bytes);
}

static void test_silence_by_the_clock(void **state)
{
    (void)state;
    struct subject s;
    int64_t now = 0;
    shell(&s, "echo \"#\"; exec sleep 1000", 500);
    smi_monitor_start(s.m, now);
    assert_int_equal(due_of(&s, now), 20500); /* its first line may take long */
    while (!s.m->lines)
        act(&s, 7000);
    assert_int_equal(s.m->state, SMI_MONITOR_STARTING); /* a head is no row */
    assert_int_equal(due_of(&s, 7000), 10000);
    loops_call(smi_monitor_source(s.m), 9999);
    assert_int_equal(s.m->state, SMI_MONITOR_STARTING);
    loops_call(smi_monitor_source(s.m), 10000);
    assert_int_equal(s.m->state, SMI_MONITOR_SILENT);
    assert_int_equal(s.gaps_open, 1);
    assert_int_equal(s.gap_from, 7000);
    loops_call(smi_monitor_source(s.m), 12999);
    assert_int_equal(s.m->state, SMI_MONITOR_SILENT);
    loops_call(smi_monitor_source(s.m), 13000); /* SIGINT */
    assert_int_equal(s.m->state, SMI_MONITOR_RESTARTING);
    while (s.m->child.pid)
        act(&s, 13010);
    assert_int_equal(due_of(&s, 13010), 14010);
    assert_string_equal(s.m->reason, "no row for 6 s");
    smi_monitor_stop(s.m, 13500);
    assert_int_equal(s.gaps_closed, 1);
    assert_int_equal(s.gap_to, 13500);
    assert_true(due_of(&s, 13500) == INT64_MAX);
    smi_monitor_free(s.m);
    smi_buf_fini(&s.bytes);
}

/* One that cannot be killed is left behind; no other is started until it has ended. */
static void test_left_behind(void **state)
{
    (void)state;
    struct subject s;
    shell(&s, "echo \"#\"; echo 1; exec sleep 1000", 1000);
    smi_monitor_start(s.m, 0);
    act_until(&s, SMI_MONITOR_OK, 100);
    spared = s.m->child.pid;
    pid_t first = spared;
    int64_t now = 100;
    assert_true(smi_monitor_owns(s.m, first, false) && smi_monitor_owns(s.m, first, true));
    assert_false(smi_monitor_owns(s.m, getpid(), false) || smi_monitor_owns(s.m, 0, false) ||
                 smi_monitor_owns(s.m, 0, true));
    for (; now < 60000 && s.m->state != SMI_MONITOR_GONE; now += 100)
        loops_call(smi_monitor_source(s.m), now);
    assert_in_range(now, 13100, 13400); /* 6 s of silence, 2 until SIGKILL, 5 after it */
    assert_true(s.m->stuck && !smi_monitor_busy(s.m));
    assert_true(smi_monitor_owns(s.m, first, false)); /* it is still to be waited for */
    assert_non_null(strstr(s.m->reason, "hangs in the kernel and cannot be killed: left behind"));
    for (; now < 600000; now += 1000)
        loops_call(smi_monitor_source(s.m), now);
    assert_int_equal(s.m->starts, 1);
    __real_kill(spared, SIGKILL);
    spared = 0;
    act_until(&s, SMI_MONITOR_RESTARTING, now);
    assert_false(s.m->stuck);
    loops_call(smi_monitor_source(s.m), now + 1000);
    act_until(&s, SMI_MONITOR_OK, now + 1100);
    assert_false(smi_monitor_owns(s.m, first, false));
    assert_true(smi_monitor_owns(s.m, first, true) && smi_monitor_owns(s.m, s.m->child.pid, true));
    assert_int_equal(s.gaps_open, 1);
    assert_int_equal(s.gap_from, 100);
    assert_int_equal(s.gap_to, now + 1100);
    smi_monitor_free(s.m);
    smi_buf_fini(&s.bytes);
}

/* We were stopped ourselves, for a minute: what came meanwhile is read before anything is judged; the gap is
 * told. */
static void test_we_slept(void **state)
{
    (void)state;
    struct subject s;
    shell(&s, "echo \"#\"; echo 1; sleep 0.2; echo 2; exec sleep 1000", 1000);
    smi_monitor_start(s.m, 0);
    act_until(&s, SMI_MONITOR_OK, 100);
    act(&s, 60100);
    assert_int_equal(s.m->state, SMI_MONITOR_OK);
    assert_int_equal(s.gaps_open, 1);
    assert_int_equal(s.gap_from, 100);
    assert_int_equal(s.gap_to, 60100);
    smi_monitor_free(s.m);
    smi_buf_fini(&s.bytes);
}

/* ---- descriptors that cannot be had ---- */

static int descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static void test_without_descriptors(void **state)
{
    (void)state;
    struct rlimit was, few;
    int before = descriptors(), started = 0;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
    few = was;
    for (int more = 0; !started; more++) {
        struct subject s;
        shell(&s, "echo \"#\"; echo 1; exec sleep 100", 1000);
        few.rlim_cur = (rlim_t)(10 + before + more); /* ours begin at 10 */
        setrlimit(RLIMIT_NOFILE, &few);
        smi_monitor_start(s.m, 0);
        setrlimit(RLIMIT_NOFILE, &was);
        started = s.m->state == SMI_MONITOR_STARTING;
        if (!started) {
            assert_int_equal(s.m->state, SMI_MONITOR_RESTARTING);
            assert_string_equal(s.m->reason, "cannot start /bin/sh: Too many open files");
            assert_int_equal(descriptors(), before);
            loops_call(smi_monitor_source(s.m), 1000);
            act_until(&s, SMI_MONITOR_OK, 1000);
        }
        smi_monitor_free(s.m);
        smi_buf_fini(&s.bytes);
        assert_int_equal(descriptors(), before);
        assert_true(more < 100);
    }
}

/* ---- kill -9 of the owner ---- */

/* Three monitors, two of them in trouble; never ends by itself. */
__attribute__((noreturn)) static void own_until_killed(int number)
{
    struct subject s[3];
    static const char *const trouble[] = {"forks-deaf:0", "deaf:0.1", ""};
    snprintf(tag, sizeof tag, "SMI_TEST_TAG=%d.%d", (int)getppid(), number);
    for (int i = 0; i < 3; i++) {
        prepare(&s[i], i == 2 ? "dmon" : "query", trouble[i], 2, NULL);
        smi_monitor_start(s[i].m, smi_clock_now_ms());
    }
    drive(s, 3, NULL, 600000);
    _exit(0);
}

static void test_killed_at_any_moment(void **state)
{
    (void)state;
    const char *want = getenv("SMILOG_KILLS");
    int kills = want ? atoi(want) : rounds(50, 20), together = 10, had_children = 0;
    for (int done = 0; done < kills; done += together) {
        pid_t owner[10];
        for (int i = 0; i < together; i++)
            if (!(owner[i] = fork()))
                own_until_killed(done + i);
        srand((unsigned)done);
        for (int i = 0; i < together; i++) {
            char entry[64];
            snprintf(entry, sizeof entry, "SMI_TEST_TAG=%d.%d", (int)getpid(), done + i);
            usleep((useconds_t)(rand() % 160000));
            had_children += living(entry) > 0;
            __real_kill(owner[i], SIGKILL);
            waitpid(owner[i], NULL, 0);
        }
        for (int i = 0; i < together; i++) {
            char entry[64];
            snprintf(entry, sizeof entry, "SMI_TEST_TAG=%d.%d", (int)getpid(), done + i);
            assert_true(all_die(entry));
        }
    }
    assert_true(had_children > 0);
}

static int set_up(void **state)
{
    (void)state;
    slow = getenv("SMILOG_LIVE_SLOW") != NULL;
    snprintf(tag, sizeof tag, "SMI_TEST_TAG=%d", (int)getpid());
    return realpath("tests/fake/nvidia-smi", fake) && mkdtemp(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_misdeeds_0),
                                       cmocka_unit_test(test_misdeeds_1),
                                       cmocka_unit_test(test_misdeeds_2),
                                       cmocka_unit_test(test_misdeeds_3),
                                       cmocka_unit_test(test_trouble_from_the_first_call_on),
                                       cmocka_unit_test(test_fields_and_gpus),
                                       cmocka_unit_test(test_no_nvidia_smi),
                                       cmocka_unit_test(test_pauses_double),
                                       cmocka_unit_test(test_a_good_minute_is_rewarded),
                                       cmocka_unit_test(test_silence_by_the_clock),
                                       cmocka_unit_test(test_left_behind),
                                       cmocka_unit_test(test_we_slept),
                                       cmocka_unit_test(test_without_descriptors),
                                       cmocka_unit_test(test_killed_at_any_moment)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
