/* act: commands of --alert-exec run one after the other in the order of what happened, whatever they do. */
#include "base/clock.h"
#include "live/alert.h"
#include "loops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char home[] = "/tmp/smilog-test-act-XXXXXX";

struct told {
    int n;
    char last[400];
};

static void tell(void *self, const char *text)
{
    struct told *t = self;
    t->n++;
    snprintf(t->last, sizeof t->last, "%s", text);
}

static void go_until(struct smi_alert_command *a, int64_t most_ms)
{
    struct smi_loop l = {.sources = 0};
    int64_t end = smi_clock_now_ms() + most_ms;
    smi_loop_add(&l, smi_alert_command_source(a));
    while (smi_alert_command_busy(a) && smi_clock_now_ms() < end)
        assert_int_equal(loops_turn(&l, 20), 0);
}

static struct smi_alert_command *start(const char *command, int64_t most_ms, struct told *t)
{
    struct smi_alert_command *a;
    *t = (struct told){0};
    a = smi_alert_command_new(command, most_ms, tell, t);
    assert_non_null(a);
    return a;
}

static void put(struct smi_alert_command *a, int i)
{
    struct smi_buf env = {0};
    smi_buf_fmt(&env, "NUMBER=%d", i);
    smi_buf_char(&env, 0);
    smi_buf_str(&env, "TEXT=a 'b' \"$c\"\nd");
    smi_buf_char(&env, 0);
    smi_alert_command_add(a, &env);
}

static void they_run_in_order_with_their_values(void **state)
{
    struct told t;
    struct smi_alert_command *a =
        start("printf '%s %s;' \"$NUMBER\" \"$TEXT\" >>out; sleep 0.0$((5 - NUMBER))", 5000, &t);
    char got[400] = "", want[400] = "";
    FILE *f;
    (void)state;
    for (int i = 1; i <= 4; i++) {
        put(a, i);
        snprintf(want + strlen(want), sizeof want - strlen(want), "%d a 'b' \"$c\"\nd;", i);
    }
    go_until(a, 20000);
    assert_false(smi_alert_command_busy(a));
    assert_int_equal(t.n, 0);
    smi_alert_command_free(a);
    f = fopen("out", "r");
    assert_non_null(f);
    got[fread(got, 1, sizeof got - 1, f)] = 0;
    fclose(f);
    assert_string_equal(got, want);
}

static void one_that_fails_is_said(void **state)
{
    struct told t;
    struct smi_alert_command *a = start("echo first >&2; echo 'no such host' >&2; exit 7", 5000, &t);
    (void)state;
    put(a, 1);
    go_until(a, 20000);
    assert_int_equal(t.n, 1);
    assert_string_equal(t.last, "the command of --alert-exec ended with status 7: no such host");
    smi_alert_command_free(a);
}

static void one_that_takes_too_long_is_ended_and_the_next_one_runs(void **state)
{
    struct told t;
    struct smi_alert_command *a =
        start("[ $NUMBER = 2 ] && touch second || { trap '' INT; sleep 100; }", 100, &t);
    (void)state;
    put(a, 1);
    put(a, 2);
    go_until(a, 20000);
    assert_false(smi_alert_command_busy(a));
    assert_int_equal(access("second", F_OK), 0);
    assert_int_equal(t.n, 1);
    assert_non_null(strstr(t.last, "took longer than"));
    smi_alert_command_free(a);
}

static void what_floods_its_output_does_not_stand(void **state)
{
    struct told t;
    struct smi_alert_command *a =
        start("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; exit 1", 20000, &t);
    (void)state;
    put(a, 1);
    go_until(a, 20000);
    assert_int_equal(t.n, 1);
    smi_alert_command_free(a);
}

static void more_than_can_wait_is_dropped_and_said(void **state)
{
    struct told t;
    struct smi_alert_command *a = start("echo >>many", 5000, &t);
    (void)state;
    for (int i = 0; i < SMI_ALERT_COMMAND_QUEUE + 5; i++)
        put(a, i);
    go_until(a, 60000);
    assert_int_equal(t.n, 1);
    assert_string_equal(t.last, "--alert-exec: 5 alerts came faster than the command ran, and were dropped");
    smi_alert_command_free(a);
    FILE *f = fopen("many", "r");
    int lines = 0;
    assert_non_null(f);
    for (int c; (c = fgetc(f)) != EOF;)
        lines += c == '\n';
    fclose(f);
    assert_int_equal(lines, SMI_ALERT_COMMAND_QUEUE);
}

static void the_end_says_what_did_not_run(void **state)
{
    struct told t;
    struct smi_alert_command *a = start("sleep 100", 50000, &t);
    (void)state;
    put(a, 1);
    put(a, 2);
    loops_call(smi_alert_command_source(a), smi_clock_now_ms());
    smi_alert_command_free(a);
    assert_string_equal(t.last, "--alert-exec: the end came before 2 commands had ended");
}

static int begin(void **state)
{
    (void)state;
    return !mkdtemp(home) || chdir(home);
}

static int end(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", home);
    return chdir("/") || system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_run_in_order_with_their_values),
        cmocka_unit_test(one_that_fails_is_said),
        cmocka_unit_test(one_that_takes_too_long_is_ended_and_the_next_one_runs),
        cmocka_unit_test(what_floods_its_output_does_not_stand),
        cmocka_unit_test(more_than_can_wait_is_dropped_and_said),
        cmocka_unit_test(the_end_says_what_did_not_run),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
