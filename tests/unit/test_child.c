/* Children: what they inherit and what not, how they are stopped, and that nothing is left; which GPUs are
 * mine. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/child.h"
#include "live/live.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct smi_child_deadlines quick = {100, 200, 700};

/* The linker hands all kill(2) of the library to this: what is in `spared` survives everything, as one does
 * that sleeps in the kernel. */
static pid_t spared;
int __real_kill(pid_t pid, int sig);
int __wrap_kill(pid_t pid, int sig);
int __wrap_kill(pid_t pid, int sig)
{
    return spared && (pid == spared || pid == -spared) ? 0 : __real_kill(pid, sig);
}

/* ---- running one ---- */

static void open_shell(struct smi_child *c, const char *script, bool pty)
{
    char sh[] = "/bin/sh", dash_c[] = "-c", text[1000];
    char *argv[] = {sh, dash_c, text, NULL};
    const char *env[] = {"SMI_TEST=added", "HOME=/nowhere", NULL};
    struct smi_err err = {0};
    snprintf(text, sizeof text, "%s", script);
    const struct smi_child_spec spec = {.argv = argv, .env = env, .pty = pty};
    assert_int_equal(smi_child_open(c, &spec, &err), 0);
}

/* Until both streams have ended or a time has passed; out and err get what came. True if it has ended. */
static bool follow(struct smi_child *c, struct smi_buf *out, int64_t ms)
{
    int64_t end = smi_clock_now_ms() + ms, now;
    while ((now = smi_clock_now_ms()) < end) {
        struct pollfd fds[] = {{.fd = c->out, .events = POLLIN},
                               {.fd = c->err, .events = POLLIN},
                               {.fd = c->pidfd, .events = POLLIN}};
        char piece[4096];
        ssize_t n;
        int64_t due = smi_child_due(c, now);
        poll(fds, 3, due < now ? 0 : due - now < 20 ? (int)(due - now) : 20);
        while ((n = smi_child_read(&c->out, piece, sizeof piece)) > 0)
            smi_buf_add(out, piece, (size_t)n);
        while (smi_child_read(&c->err, piece, sizeof piece) > 0)
            continue;
        if (smi_child_poll(c, smi_clock_now_ms()) == SMI_CHILD_ENDED) {
            while ((n = smi_child_read(&c->out, piece, sizeof piece)) > 0)
                smi_buf_add(out, piece, (size_t)n);
            return true;
        }
    }
    return false;
}

/* What a script prints, to be freed by smi_buf_fini. */
static struct smi_buf shell(const char *script, bool pty, int *status)
{
    struct smi_child c;
    struct smi_buf out = {0};
    open_shell(&c, script, pty);
    assert_true(follow(&c, &out, 20000));
    *status = c.status;
    smi_child_close(&c);
    smi_buf_str(&out, "");
    return out;
}

static bool lives(pid_t pid)
{
    char path[64], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
    fclose(f);
    return state != 'Z' && state != 'X';
}

static bool dies(pid_t pid)
{
    for (int i = 0; i < 200 && lives(pid); i++)
        usleep(10000);
    return !lives(pid);
}

/* ---- what it is given ---- */

static void test_status_and_environment(void **state)
{
    (void)state;
    int status;
    struct smi_buf out = shell("echo $SMI_TEST $HOME; exit 7", false, &status);
    assert_string_equal(out.p, "added /nowhere\n");
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    smi_buf_fini(&out);
    out = shell("kill -9 $$", false, &status);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    smi_buf_fini(&out);
}

static void test_a_terminal_keeps_the_bytes(void **state)
{
    (void)state;
    int status;
    struct smi_buf out = shell("[ -t 1 ] && printf 'a\\nb\\r\\n\\003\\004\\t\\377'", true, &status);
    assert_int_equal(out.n, 9);
    assert_memory_equal(out.p, "a\nb\r\n\003\004\t\377", 9);
    smi_buf_fini(&out);
    out = shell("[ -t 1 ] || echo pipe", false, &status);
    assert_string_equal(out.p, "pipe\n");
    smi_buf_fini(&out);
}

static void test_nothing_is_lost_at_the_end(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        int status;
        struct smi_buf out =
            shell("i=0; while [ $i -lt 300 ]; do echo 0123456789; i=$((i+1)); done", i % 2, &status);
        assert_int_equal(out.n, 3300);
        smi_buf_fini(&out);
    }
}

static void test_signals_are_plain(void **state)
{
    (void)state;
    int status;
    sigset_t block, before;
    sigemptyset(&block);
    sigaddset(&block, SIGTERM);
    sigprocmask(SIG_BLOCK, &block, &before);
    void (*was)(int) = signal(SIGINT, SIG_IGN);
    const unsigned long ignore[8] = {1}, plain[8] = {0}; /* glibc's own signals, as some parents leave them */
    syscall(SYS_rt_sigaction, 32, ignore, NULL, (size_t)8);
    struct smi_buf out = shell("exec grep -E '^Sig(Blk|Ign)' /proc/self/status", false, &status);
    assert_string_equal(out.p, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
    signal(SIGINT, was);
    syscall(SYS_rt_sigaction, 32, plain, NULL, (size_t)8);
    sigprocmask(SIG_SETMASK, &before, NULL);
    smi_buf_fini(&out);
}

static void test_descriptors_stay_here(void **state)
{
    (void)state;
    int status, leak = open("/dev/zero", O_RDONLY); /* as a library opens it */
    struct smi_child other;
    struct smi_buf none = {0};
    open_shell(&other, "sleep 100", true);
    struct smi_buf out = shell("exec ls /proc/self/fd", false, &status);
    assert_string_equal(out.p, "0\n1\n2\n3\n4\n"); /* 4: the folder that ls reads */
    close(leak);
    smi_child_close(&other);
    smi_buf_fini(&out);
    smi_buf_fini(&none);
}

static void test_without_standard_streams(void **state)
{
    (void)state;
    int in = dup(0), out = dup(1), err = dup(2), status;
    close(0);
    close(1);
    close(2);
    struct smi_buf b = shell("echo fine; readlink /proc/self/fd/0", false, &status);
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    close(in);
    close(out);
    close(err);
    assert_string_equal(b.p, "fine\n/dev/null\n");
    smi_buf_fini(&b);
}

static void test_no_such_program(void **state)
{
    (void)state;
    char name[] = "smilog-there-is-no-such-program", path[] = "/etc/passwd";
    char *argv[] = {name, NULL}, *data[] = {path, NULL};
    struct smi_child c;
    struct smi_err err = {0};
    const struct smi_child_spec none = {.argv = argv, .pty = true}, no_program = {.argv = data};
    assert_int_equal(smi_child_open(&c, &none, &err), -1);
    assert_int_equal(c.cause, ENOENT);
    assert_string_equal(err.text, "cannot start smilog-there-is-no-such-program: No such file or directory");
    assert_int_equal(smi_child_open(&c, &no_program, &err), -1);
    assert_int_equal(c.cause, EACCES);
    assert_int_equal(c.pid, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no body is left */
}

/* ---- how it ends ---- */

static void stop_one(const char *script, int signal_that_works, int64_t at_least)
{
    struct smi_child c;
    struct smi_buf out = {0};
    open_shell(&c, script, false);
    while (!out.n)
        follow(&c, &out, 50); /* it says that its traps stand */
    int64_t begin = smi_clock_now_ms();
    smi_child_stop(&c, &quick, begin);
    assert_true(follow(&c, &out, 20000));
    int64_t took = smi_clock_now_ms() - begin;
    assert_true(WIFSIGNALED(c.status) ? WTERMSIG(c.status) == signal_that_works
                                      : WEXITSTATUS(c.status) == signal_that_works);
    assert_true(took >= at_least);
    smi_child_close(&c);
    smi_buf_fini(&out);
}

static void test_stopped_in_steps(void **state)
{
    (void)state;
    stop_one("echo; exec sleep 100", SIGINT, 0);
    stop_one("trap 'exit 5' INT; echo; while :; do sleep 0.01; done", 5, 0);
    stop_one("trap '' INT; echo; exec sleep 100", SIGTERM, 100);
    stop_one("trap '' INT TERM; echo; exec sleep 100", SIGKILL, 200);
    stop_one("echo; kill -STOP $$", SIGKILL, 200); /* a stopped one takes no other */
}

/* The group goes with its leader, whatever it ignores; others do not. */
static void test_the_whole_group_and_no_other(void **state)
{
    (void)state;
    for (int how = 0; how < 3; how++) { /* the leader ends, is stopped, is forgotten */
        struct smi_child c, other;
        struct smi_buf out = {0};
        open_shell(&other, "sleep 100", false);
        open_shell(&c,
                   how ? "(trap '' HUP INT TERM; exec sleep 100) & echo $!; sleep 100"
                       : "(trap '' HUP INT TERM; exec sleep 100) & echo $!",
                   true);
        bool over = false;
        while (!out.n && !over)
            over = follow(&c, &out, 50);
        smi_buf_str(&out, "");
        pid_t pid = (pid_t)strtol(out.p, NULL, 10);
        assert_true(pid > 0);
        if (how == 1) {
            smi_child_stop(&c, &quick, smi_clock_now_ms());
            assert_true(follow(&c, &out, 20000));
        } else if (how == 0 && !over) {
            assert_true(follow(&c, &out, 20000));
        }
        smi_child_close(&c);
        assert_true(dies(pid));
        assert_true(lives(other.pid));
        smi_child_close(&other);
        smi_buf_fini(&out);
    }
}

static void test_one_that_cannot_be_killed(void **state)
{
    (void)state;
    struct smi_child c;
    open_shell(&c, "exec sleep 100", true);
    pid_t pid = spared = c.pid;
    smi_child_stop(&c, &quick, 1000);
    assert_int_equal(smi_child_poll(&c, 1100), SMI_CHILD_RUNS);
    assert_int_equal(smi_child_due(&c, 1100), 1200);
    assert_int_equal(smi_child_poll(&c, 1200), SMI_CHILD_RUNS);
    assert_int_equal(smi_child_poll(&c, 1699), SMI_CHILD_RUNS);
    assert_int_equal(smi_child_poll(&c, 1700), SMI_CHILD_STUCK);
    assert_true(smi_child_due(&c, 1700) > 1700);
    assert_int_equal(smi_child_poll(&c, 9700), SMI_CHILD_STUCK);
    spared = 0;
    __real_kill(pid, SIGKILL);
    assert_true(dies(pid));
    assert_int_equal(smi_child_poll(&c, 9800), SMI_CHILD_ENDED);
    smi_child_close(&c);
}

/* Stopping twice: the shorter patience counts. */
static void test_less_patience(void **state)
{
    (void)state;
    struct smi_child c;
    const struct smi_child_deadlines slow = {100000, 200000, 300000}, at_once = {0, 0, 500};
    open_shell(&c, "trap '' INT TERM; while :; do sleep 1; done", false);
    smi_child_stop(&c, &slow, 5000);
    assert_int_equal(smi_child_due(&c, 5000), 105000);
    smi_child_stop(&c, &at_once, 6000);
    smi_child_poll(&c, 6000);
    assert_true(dies(c.pid));
    smi_child_close(&c);
}

/* ---- CUDA_VISIBLE_DEVICES ---- */

static void test_mine(void **state)
{
    (void)state;
    static const struct smi_gpu_id gpu[] = {{0, "GPU-1a2b0000-0000-0000-0000-000000000000", "H100", 81559},
                                            {1, "GPU-1a2c0000-0000-0000-0000-000000000000", "H100", 81559},
                                            {2, "GPU-ff000000-0000-0000-0000-000000000000", "H100", 81559}};
    static const struct {
        const char *list;
        const char *mine;
    } cases[] = {{NULL, "111"},
                 {"", "000"},
                 {"0", "100"},
                 {"2,0", "101"},
                 {" 1 , 2", "011"},
                 {"-1", "000"},
                 {"0,-1,1", "100"},
                 {"0,3,1", "100"},
                 {"0,,1", "100"},
                 {"0,x,1", "100"},
                 {"1,", "010"},
                 {"00", "100"},
                 {"99999999999999999999", "000"},
                 {"4294967296", "000"},
                 {"GPU-1a2b", "100"},
                 {"gpu-1A2C,2", "011"},
                 {"GPU-1a2", "000"},
                 {"GPU-", "000"},
                 {"GPU-f,0", "101"},
                 {"GPU-ff000000-0000-0000-0000-000000000000", "001"},
                 {"GPU-ff000000-0000-0000-0000-0000000000001", "000"},
                 {"MIG-GPU-1a2c0000-0000-0000-0000-000000000000/3/0", "010"},
                 {"MIG-c7384736-a75d-5afc-978f-d2f1294409fd", "111"},
                 {"NoDevFiles", "000"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool mine[3] = {true, false, true};
        char text[4] = "000";
        smi_visible(gpu, cases[i].list, NULL, 3, mine);
        for (int g = 0; g < 3; g++)
            text[g] = mine[g] ? '1' : '0';
        if (strcmp(text, cases[i].mine))
            print_message("CUDA_VISIBLE_DEVICES=%s\n", cases[i].list);
        assert_string_equal(text, cases[i].mine);
    }
}

static void test_mine_of_amd(void **state)
{
    static const struct {
        const char *hip, *rocr;
        const char *mine;
    } cases[] = {{NULL, NULL, "1111"},     {"", NULL, "0000"},      {"0,2", NULL, "1010"},
                 {NULL, "3", "0001"},      {"1", "3,2", "0010"},    {"2", "3,2", "0000"},
                 {"0,-1,1", NULL, "1000"}, {"0,9,1", NULL, "1000"}, {"0", "GPU-1", "1111"},
                 {"GPU-1,0", NULL, "1111"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool mine[4] = {true, false, true, false};
        char text[5] = "0000";
        smi_visible(NULL, cases[i].hip, cases[i].rocr, 4, mine);
        for (int g = 0; g < 4; g++)
            text[g] = mine[g] ? '1' : '0';
        assert_string_equal(text, cases[i].mine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_status_and_environment),
                                       cmocka_unit_test(test_a_terminal_keeps_the_bytes),
                                       cmocka_unit_test(test_nothing_is_lost_at_the_end),
                                       cmocka_unit_test(test_signals_are_plain),
                                       cmocka_unit_test(test_descriptors_stay_here),
                                       cmocka_unit_test(test_without_standard_streams),
                                       cmocka_unit_test(test_no_such_program),
                                       cmocka_unit_test(test_stopped_in_steps),
                                       cmocka_unit_test(test_the_whole_group_and_no_other),
                                       cmocka_unit_test(test_one_that_cannot_be_killed),
                                       cmocka_unit_test(test_less_patience),
                                       cmocka_unit_test(test_mine),
                                       cmocka_unit_test(test_mine_of_amd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
