/* test_job.c - a command beside us: how it ends, what it inherits, how it is signalled. */
#include "jobs.h"

/* ---- the end ---- */

static void test_status_is_passed_on(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        int exits, signal;
    } rows[] = {{"exec $drive true", 0, 0},
                {"exec $drive false", 1, 0},
                {"exec $drive sh -c 'exit 42'", 42, 0},
                {"exec $drive sh -c 'exit 255'", 255, 0},
                {"exec $drive sh -c 'kill -SEGV $$'", 0, SIGSEGV},
                {"exec $drive sh -c 'kill -KILL $$'", 0, SIGKILL},
                {"exec $drive sh -c 'kill -TERM $$'", 0, SIGTERM},
                {"exec $drive sh -c 'kill -PIPE $$'", 0, SIGPIPE},
                {"exec $drive sh -c 'kill -USR1 $$'", 0, SIGUSR1},
                {"SMI_CONTAINER_PLAIN=1 exec $drive sh -c 'kill -SEGV $$'", 139, 0},
                {"SMI_CONTAINER_PLAIN=1 exec $drive sh -c 'kill -KILL $$'", 137, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run r;
        int status = status_of(rows[i].script, &r);
        if (rows[i].signal ? !WIFSIGNALED(status) || WTERMSIG(status) != rows[i].signal
                           : !WIFEXITED(status) || WEXITSTATUS(status) != rows[i].exits)
            fail_msg("%s: status %x", rows[i].script, (unsigned)status);
    }
}

static void test_what_cannot_be_run(void **state)
{
    (void)state;
    static const struct {
        const char *make, *name;
        int exits;
        const char *says;
    } rows[] = {
        {"", "no-such-command-here", 127, "cannot run no-such-command-here: command not found"},
        {"", "./absent", 127, "cannot run ./absent: No such file or directory"},
        {"touch plain", "./plain/x", 127, "cannot run ./plain/x: Not a directory"},
        {"touch plain", "./plain", 126, "cannot run ./plain: Permission denied"},
        {"mkdir -p folder", "./folder", 126, "cannot run ./folder: Permission denied"},
        {"printf '#!/no/such\\n' >lost; chmod +x lost", "./lost", 126,
         "cannot run ./lost: the interpreter that it names is not there"},
        {"printf 'exit 9\\n' >bare; chmod +x bare", "./bare", 9, "ended"}, /* for sh, as execvp says */
        {"", "''", 127, "cannot run : command not found"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run r;
        char script[200];
        snprintf(script, sizeof script, "cd %s; %s\n exec $drive %s", home, rows[i].make, rows[i].name);
        int status = status_of(script, &r);
        until_in(r.log, rows[i].says);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), rows[i].exits);
    }
}

/* ---- what it inherits ---- */

static void test_all_is_as_without_us(void **state)
{
    (void)state;
    static const char *const before[] = {"",
                                         "trap '' HUP INT QUIT",
                                         "trap '' PIPE CHLD USR1 TSTP XFSZ",
                                         "exec 7</dev/null 9>&1",
                                         "exec <&-",
                                         "exec 3>&- <&- 2>&-",
                                         "ulimit -c 0; ulimit -n 200",
                                         "exec 5<>/dev/zero; umask 027; cd /usr"};
    const char *look = "'grep -E \"Sig(Blk|Ign|Cgt)|ShdPnd|Umask\" /proc/self/status; ls /proc/self/fd; pwd; "
                       "ulimit -a; "
                       "cut -d\" \" -f 5,6,7,8 /proc/$$/stat'";
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct run r;
        char script[1000];
        name_run(&r);
        /* both in one shell: the same group and session */
        snprintf(script, sizeof script,
                 "{ %s\n sh -c %s; } >%s.0; { $drive sh -c %s; } >%s.1; cmp %s.0 %s.1 >%s.d", before[i], look,
                 r.got, look, r.got, r.got, r.got, r.got);
        shell(&r, script, false);
        int status = ended(&r);
        snprintf(script, sizeof script, "%s.0", r.got);
        assert_true(times_in(script, "SigBlk") == 1);
        if (status)
            fail_msg("after \"%s\" it is not the same: %s.[01]", before[i], r.got);
    }
}

static void test_mask_is_passed_on(void **state)
{
    (void)state;
    struct run r;
    sigset_t two, was;
    sigemptyset(&two);
    sigaddset(&two, SIGUSR1);
    sigaddset(&two, SIGTERM);
    sigprocmask(SIG_BLOCK, &two, &was);
    int status = status_of("exec $drive grep -q 'SigBlk:.*4200' /proc/self/status", &r);
    sigprocmask(SIG_SETMASK, &was, NULL);
    assert_int_equal(status, 0);
}

static void test_a_flood_goes_through(void **state)
{
    (void)state;
    struct run r;
    char *text;
    name_run(&r);
    char script[600];
    snprintf(script, sizeof script,
             "head -c 67108864 /dev/urandom >%s.x; cksum <%s.x >%s; "
             "$drive cat <%s.x | $drive cat | cksum >>%s; rm %s.x",
             r.got, r.got, r.got, r.got, r.got, r.got);
    shell(&r, script, false);
    assert_int_equal(ended(&r), 0);
    text = text_of(r.got);
    size_t half = strlen(text) / 2;
    assert_true(half > 10);
    assert_memory_equal(text, text + half, half);
    smi_mem_free(text);
}

/* ---- signals ---- */

static const int sent[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGQUIT, SIGABRT, SIGALRM, SIGXCPU};

static void test_to_us_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
        struct run r;
        start_count(&r, "exec $drive $count", false);
        kill(r.driver, sent[i]);
        expect_once(&r, sent[i], "forwarded");
    }
    struct run r;
    start_count(&r, "exec $drive $count", false);
    kill(r.driver, SIGRTMIN + 3);
    expect_once(&r, SIGRTMIN + 3, "forwarded");
}

/* Once by itself, and once more from us, who cannot know that: one where both come at one time. */
static void test_to_the_group(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
        struct run r;
        char room[SMI_JOB_NAME], line[60];
        snprintf(line, sizeof line, "%s\n", smi_job_signal_name(sent[i], room));
        start_count(&r, "exec $drive $count", false);
        kill(-r.driver, sent[i]);
        until_in(r.log, "forwarded");
        settle(&r);
        assert_int_equal(ended(&r), 0);
        assert_in_range(times_in(r.got, line), 1, 2);
    }
}

/* A command that runs needs no signal to go on; one that is stopped alone stops nobody else. */
static void test_stopped_alone(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive $count", false);
    kill(r.driver, SIGCONT);
    until_in(r.log, "SIGCONT reached");
    kill(r.command, SIGSTOP);
    until_in(r.log, "stopped by SIGSTOP");
    kill(r.driver, SIGUSR1);
    until_in(r.log, "SIGUSR1 forwarded"); /* it is not stopped */
    kill(r.driver, SIGCONT);
    until_in(r.log, "SIGCONT forwarded");
    settle(&r);
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.got, "SIGCONT"), 1);
    assert_int_equal(times_in(r.got, "SIGUSR1"), 1);
}

static void test_several_are_several(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive $count", false);
    for (int i = 1; i <= 5; i++) {
        kill(r.driver, SIGUSR1);
        until_times(r.got, "SIGUSR1", i);
    }
    settle(&r);
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.got, "SIGUSR1"), 5);
}

/* It signals its child, then its group, then both with CONT. ALRM: its time is over. Returns how often the
 * command got it. */
static int times_of_timeout(int signal)
{
    struct run r;
    char script[100], line[60], room[SMI_JOB_NAME];
    snprintf(script, sizeof script, "exec timeout -s %d 1000 $drive $count", signal);
    start_count(&r, script, false);
    until_state(r.first, "S"); /* it has begun to wait */
    kill(r.first, SIGALRM);
    until_in(r.got, "SIGCONT");
    until_in(r.log, "forwarded");
    settle(&r);
    int status = ended(&r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 124);
    snprintf(line, sizeof line, "%s\n", smi_job_signal_name(signal, room));
    return times_in(r.got, line);
}

static void test_timeout(void **state)
{
    (void)state;
    static const int rows[] = {SIGTERM, SIGINT, SIGUSR1, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_in_range(times_of_timeout(rows[i]), 1, 3);
}

static void test_nohup(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "trap '' HUP; exec $drive $count", false);
    kill(r.driver, SIGHUP);
    settle(&r);
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.got, "SIGHUP"), 0);
    assert_int_equal(times_in(r.log, "SIGHUP"), 0);
}

static void test_from_the_command(void **state)
{
    (void)state;
    struct run r;
    int status = status_of("exec $drive sh -c 'trap \"\" TERM; kill -TERM 0; exit 5'", &r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 5);
    name_run(&r);
    shell(&r, "exec $drive sh -c 'kill -USR1 $PPID; read x'", true);
    know(&r);
    until_in(r.log, "SIGUSR1 kept");
    assert_true(write(r.terminal, "\n", 1) == 1);
    assert_true(WIFEXITED(ended(&r)));
}

static void test_killed(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive $count", false);
    kill(r.driver, SIGKILL);
    int status = ended(&r);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(state_of(r.command), 'S');
    kill(r.command, SIGURG);
    until_state(r.command, "0Z");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status_is_passed_on),
        cmocka_unit_test(test_what_cannot_be_run),
        cmocka_unit_test(test_all_is_as_without_us),
        cmocka_unit_test(test_mask_is_passed_on),
        cmocka_unit_test(test_a_flood_goes_through),
        cmocka_unit_test(test_to_us_alone),
        cmocka_unit_test(test_to_the_group),
        cmocka_unit_test(test_stopped_alone),
        cmocka_unit_test(test_several_are_several),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_nohup),
        cmocka_unit_test(test_from_the_command),
        cmocka_unit_test(test_killed),
    };
    int status;
    if (plays(argc, argv, &status))
        return status;
    return prepare() ? 1 : cmocka_run_group_tests(tests, begin, end);
}
