/* test_job_terminal.c - a command beside us on a terminal, stopped by others, in a group of its own, and what
 * it leaves behind. */
#include "jobs.h"

/* ---- a terminal ---- */

static void type(struct run *r, const char *keys)
{
    assert_int_equal(write(r->terminal, keys, strlen(keys)), strlen(keys));
}

/* Reads what is printed until it has the word. */
static void until_shown(struct run *r, const char *word)
{
    char text[20000] = "";
    size_t n = 0;
    for (int64_t end = smi_clock_now_ms() + PATIENCE_MS; !strstr(text, word) && smi_clock_now_ms() < end;) {
        struct pollfd p = {.fd = r->terminal, .events = POLLIN};
        ssize_t got = poll(&p, 1, 100) > 0 ? read(r->terminal, text + n, sizeof text - 1 - n) : 0;
        if (got < 0)
            break;
        for (ssize_t i = 0; i < got; i++)
            if (!text[n + (size_t)i])
                text[n + (size_t)i] = '?';
        n += (size_t)got;
        text[n] = 0;
    }
    if (!strstr(text, word))
        fail_msg("no \"%s\" on the terminal:\n%s\nlog:\n%s", word, text, text_of(r->log));
}

static void test_keys(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        int signal;
    } rows[] = {{"\003", SIGINT}, {"\034", SIGQUIT}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run r;
        start_count(&r, "exec $drive $count", true);
        type(&r, rows[i].key);
        expect_once(&r, rows[i].signal, "reached");
    }
}

/* The kernel tells the leader of the session only; without us that would be the command. */
static void test_the_terminal_goes(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive $count", true);
    close(r.terminal);
    r.terminal = -1;
    expect_once(&r, SIGHUP, "forwarded");
    assert_int_equal(times_in(r.got, "SIGCONT"), 1);
    start_count(&r, "$drive $count; true",
                true); /* the leader is a shell, which ends: then the group is told */
    close(r.terminal);
    r.terminal = -1;
    until_in(r.log, "SIGHUP reached");
    settle(&r);
    ended(&r);
    until_state(r.driver, "0Z");
    assert_int_equal(times_in(r.got, "SIGHUP"), 1);
}

static void test_stop_and_fg(void **state)
{
    (void)state;
    struct run r;
    name_run(&r);
    shell(&r, "PS1='> ' exec bash --norc --noprofile -i", true);
    type(&r, "$drive $count\n");
    know(&r);
    until_in(r.got, "ready");
    for (int i = 1; i <= 2; i++) {
        type(&r, "\032");
        until_shown(&r, "Stopped");
        until_state(r.command, "T");
        until_state(r.driver, "T");
        type(&r, "fg\n");
        until_times(r.log, "continued", i);
        until_times(r.got, "SIGCONT", i); /* else the next stop takes it away */
    }
    settle(&r);
    until_state(r.driver, "0");
    type(&r, "exit $?\n");
    assert_int_equal(ended(&r), 0);
    assert_int_equal(times_in(r.got, "SIGTSTP"), 2);
    assert_in_range(times_in(r.got, "SIGCONT"), 2, 4); /* who goes on first may see the other still stopped */
    assert_int_equal(times_in(r.log, "SIGTSTP reached"), 2);
    assert_int_equal(times_in(r.log, "SIGCONT "), 2);
    assert_int_equal(times_in(r.log, "SIGPOLL forwarded"), 1); /* settle's */
}

static void test_full_screen_program(void **state)
{
    (void)state;
    struct run r;
    name_run(&r);
    shell(&r, "PS1='> ' exec bash --norc --noprofile -i", true);
    type(&r, "$drive $raw\n");
    until_shown(&r, "raw ");
    type(&r, "\003\032");
    until_shown(&r, "<3><26>");
    type(&r, "z");
    until_shown(&r, "Stopped");
    type(&r, "fg\n");
    until_shown(&r, "again ");
    type(&r, "x");
    until_shown(&r, "<120>");
    type(&r, "q");
    until_in(r.log, "ended 1536");
    type(&r, "echo $((1000+$?)); exit\n");
    until_shown(&r, "1006");
    ended(&r);
    assert_int_equal(times_in(r.log, "SIGINT"), 0);
    assert_int_equal(times_in(r.log, "stopped by SIGTSTP"), 1);
}

/* ---- stops by others ---- */

static void test_stopped_by_others(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive $count", false);
    kill(r.driver, SIGTSTP);
    until_in(r.log, "SIGTSTP forwarded");
    until_state(r.driver, "T");
    until_state(r.command, "T");
    kill(r.driver, SIGCONT);
    until_in(r.log, "SIGCONT forwarded");
    until_in(r.got, "SIGCONT");
    kill(r.command, SIGKILL);
    int status = ended(&r);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(times_in(r.got, "SIGTSTP"), 1);
    assert_int_equal(times_in(r.got, "SIGCONT"), 1);
}

static void test_who_ignores_stops_goes_on(void **state)
{
    (void)state;
    struct run r;
    name_run(&r);
    shell(&r, "exec $drive sh -c 'trap \"\" TSTP; read x; exit 4'", true);
    know(&r);
    type(&r, "\032");
    until_in(r.log, "SIGTSTP reached");
    type(&r, "\n");
    int status = ended(&r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 4);
    assert_int_equal(times_in(r.log, "stopped"), 0);
}

static void test_a_group_of_its_own(void **state)
{
    (void)state;
    struct run r;
    start_count(&r, "exec $drive setsid $count", false);
    kill(r.command, SIGSTOP);
    until_in(r.log, "stopped by SIGSTOP");
    kill(r.command, SIGCONT);
    until_in(r.log, "continued");
    settle(&r);
    assert_int_equal(ended(&r), 0);
}

/* ---- what it leaves behind ---- */

static void test_orphans(void **state)
{
    (void)state;
    struct run r;
    int status =
        status_of("SMI_ORPHANS=1 exec $drive sh -c '(setsid sh -c \"sleep 0.2; exit 7\" &); exit 3'", &r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    assert_int_equal(times_in(r.log, "orphan 1792\n"), 1);
    status = status_of("SMI_ORPHANS=1000 exec $drive $leave 1000", &r);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 8);
    assert_int_equal(times_in(r.log, "orphan 2304\n"), 1000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_the_terminal_goes),
        cmocka_unit_test(test_stop_and_fg),
        cmocka_unit_test(test_full_screen_program),
        cmocka_unit_test(test_stopped_by_others),
        cmocka_unit_test(test_who_ignores_stops_goes_on),
        cmocka_unit_test(test_a_group_of_its_own),
        cmocka_unit_test(test_orphans),
    };
    int status;
    if (plays(argc, argv, &status))
        return status;
    return prepare() ? 1 : cmocka_run_group_tests(tests, begin, end);
}
