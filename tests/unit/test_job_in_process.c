/* test_job_in_process.c - a job in the process of its owner: its children, its signals; and a process that
 * ran already. */
#include "jobs.h"
#include "live/live.h"

#include <sched.h>

/* ---- in this process ---- */

struct seen {
    int64_t cpu_us, rss_kib;
    int ended, status, orphans, asked;
    pid_t orphan;
    struct smi_child own; /* waited for by us, not by the job */
};

static void on_seen(void *of, const struct smi_job_event *e)
{
    struct seen *s = of;
    if (e->what == SMI_JOB_ENDED) {
        s->ended++;
        s->status = e->status;
        s->cpu_us = e->cpu_us;
        s->rss_kib = e->rss_kib;
    }
    if (e->what == SMI_JOB_ORPHAN) {
        s->orphans++;
        s->orphan = e->pid;
    }
}

static bool is_own(void *of, pid_t pid)
{
    struct seen *s = of;
    s->asked += pid == s->own.pid;
    return pid == s->own.pid;
}

static void watch_own(void *of, struct smi_loop *l)
{
    smi_loop_watch(l, ((struct smi_child *)of)->pidfd);
}

static int wait_for_own_child(void *of, struct smi_loop *l, struct smi_err *err)
{
    (void)err;
    smi_child_poll(of, l->now_ms);
    return 0;
}

/* Until an end and so many orphans were told of; the own child is waited for after the job was asked, or
 * never. */
static void watch(struct smi_job *j, struct seen *s, int orphans, bool wait_for_own)
{
    struct smi_loop l = {.sources = 0};
    int64_t end = smi_clock_now_ms() + PATIENCE_MS;
    smi_loop_add(&l, smi_job_source(j));
    if (wait_for_own)
        smi_loop_add(&l, (struct smi_loop_source){&s->own, watch_own, wait_for_own_child});
    while (smi_clock_now_ms() < end && (!s->ended || s->orphans < orphans))
        assert_int_equal(loops_turn(&l, end - smi_clock_now_ms()), 0);
    assert_int_equal(s->ended, 1);
    assert_int_equal(s->orphans, orphans);
}

static struct smi_job *job_of(const char *script, struct seen *s)
{
    char sh[] = "sh", c[] = "-c", text[500];
    char *argv[] = {sh, c, text, NULL};
    const struct smi_job_calls calls = {s, on_seen, is_own};
    struct smi_err err = {0};
    int status = -1;
    snprintf(text, sizeof text, "%s", script);
    struct smi_job *j = smi_job_new(&calls, &err);
    assert_non_null(j);
    assert_int_equal(smi_job_begin(j, argv, &status, &err), 0);
    return j;
}

static void test_time_and_memory(void **state)
{
    (void)state;
    struct seen s = {.own = {.out = -1, .err = -1, .pidfd = -1, .life = -1, .told = -1}};
    struct smi_job *j = job_of("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done & wait", &s);
    watch(j, &s, 0, false);
    smi_job_free(j);
    assert_true(s.cpu_us > 20000);  /* of the child that it waited for */
    assert_int_equal(s.rss_kib, 0); /* not more than the copy of us that it was first */
    s = (struct seen){.own = {.out = -1, .err = -1, .pidfd = -1, .life = -1, .told = -1}};
    j = job_of("head -c 300000000 /dev/zero | tail -n 1 >/dev/null; :",
               &s); /* tail keeps a line that does not end */
    watch(j, &s, 0, false);
    smi_job_free(j);
    assert_in_range(s.rss_kib, 250000, 1000000);
}

/* A child of the owner's that has ended and that nobody waited for yet hides nothing but orphans, and costs
 * no time. */
static void test_children_of_the_owner(void **state)
{
    (void)state;
    char sh[] = "sh", c[] = "-c", text[] = "exit 5";
    char *argv[] = {sh, c, text, NULL};
    const struct smi_child_spec spec = {.argv = argv};
    struct seen s = {.ended = 0};
    struct smi_err err = {0};
    assert_int_equal(smi_child_open(&s.own, &spec, &err), 0);
    until_state(s.own.pid, "Z");
    struct smi_job *j = job_of("(exit 6 &) ; sleep 0.3; exit 2", &s);
    watch(j, &s, 0, false);
    assert_in_range(s.asked, 1, 100);
    assert_int_equal(s.status, 2 << 8);
    watch(j, &s, 1, true);
    assert_int_equal(s.own.status, 5 << 8);
    smi_child_close(&s.own);
    smi_job_free(j);
}

static void test_live_knows_its_children(void **state)
{
    (void)state;
    struct smi_err err = {0};
    char program[100];
    snprintf(program, sizeof program, "%s/monitor", home);
    FILE *f = fopen(program, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\necho $$ >>%s/monitors\nexec sleep 100\n", home);
    fclose(f);
    assert_int_equal(chmod(program, 0755), 0);
    const struct smi_live_opts o = {.interval_ms = 1000, .program = program};
    struct smi_live *l = smi_live_new(&o, smi_clock_now_ms(), &err);
    assert_non_null(l);
    snprintf(program, sizeof program, "%s/monitors", home);
    until_times(program, "\n", 2);
    char *text = text_of(program), *p = text;
    for (int i = 0; i < 2; i++) {
        pid_t pid = (pid_t)strtol(p, &p, 10);
        assert_true(smi_live_owns(l, pid, false));
        assert_true(smi_live_owns(l, pid, true));
    }
    smi_mem_free(text);
    assert_false(smi_live_owns(l, getpid(), false) || smi_live_owns(l, 0, false) ||
                 smi_live_owns(l, 0, true));
    assert_false(smi_live_owns(l, getsid(0), true));
    smi_live_free(l);
}

static void test_all_is_put_back(void **state)
{
    (void)state;
    struct seen s = {.own = {.pidfd = -1}};
    sigset_t mask, was;
    struct sigaction is;
    int reaper = -1;
    sigprocmask(SIG_SETMASK, NULL, &was);
    signal(SIGCHLD, SIG_IGN);
    struct smi_job *j = job_of("exit 1", &s);
    watch(j, &s, 0, false);
    assert_int_equal(s.status, 1 << 8);
    kill(getpid(), SIGTERM); /* comes too late, and ends nobody */
    smi_job_free(j);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (int n = 1; n < NSIG; n++)
        assert_int_equal(sigismember(&mask, n), sigismember(&was, n));
    sigaction(SIGCHLD, NULL, &is);
    assert_ptr_equal(is.sa_handler, SIG_IGN);
    sigaction(SIGPIPE, NULL, &is);
    assert_ptr_equal(is.sa_handler, SIG_DFL);
    assert_int_equal(prctl(PR_GET_CHILD_SUBREAPER, &reaper), 0);
    assert_int_equal(reaper, 0);
    signal(SIGCHLD, SIG_DFL);
}

/* ---- a process that runs already ---- */

static void test_attach(void **state)
{
    (void)state;
    struct run r, other;
    char script[100];
    start_count(&other, "exec $drive $count", false);
    name_run(&r);
    snprintf(script, sizeof script, "exec $drive -a %d", (int)other.command);
    shell(&r, script, false);
    know(&r);
    kill(r.driver, SIGTERM);
    until_in(r.log, "SIGTERM kept");
    settle(&other);
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.log, "ended -1"), 1);
    assert_int_equal(ended(&other), 0);
    assert_int_equal(times_in(other.got, "SIGTERM"), 0);
}

static void test_attach_to_nobody(void **state)
{
    (void)state;
    const struct smi_job_calls calls = {NULL, on_seen, NULL};
    const int rows[] = {0, -1, -5, 0x7ffffff0};
    pid_t dead = fork();
    if (dead == 0)
        _exit(0);
    until_state(dead, "Z");
    for (size_t i = 0; i <= sizeof rows / sizeof *rows; i++) {
        struct smi_err err = {0};
        struct smi_job *j = smi_job_new(&calls, &err);
        assert_int_equal(smi_job_attach(j, i ? rows[i - 1] : dead, &err), -1);
        smi_job_free(j);
        assert_int_equal(err.code, SMI_EUSAGE);
        assert_non_null(strstr(err.text, "there is no process "));
    }
    waitpid(dead, NULL, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_and_memory),
        cmocka_unit_test(test_children_of_the_owner),
        cmocka_unit_test(test_live_knows_its_children),
        cmocka_unit_test(test_all_is_put_back),
        cmocka_unit_test(test_attach),
        cmocka_unit_test(test_attach_to_nobody),
    };
    int status;
    if (plays(argc, argv, &status))
        return status;
    return prepare() ? 1 : cmocka_run_group_tests(tests, begin, end);
}
