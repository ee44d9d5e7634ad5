/* alert_exec: commands of --alert-exec run one after the other in the order of what happened, whatever they
 * do. */
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

/* The command, and a machine that takes what is reported of it. */
struct scene {
    struct smi_alert_actions a;
    struct smi_machine *n;
    struct smi_loop l;
};

static struct scene *start(const char *command, int64_t most_ms)
{
    struct smi_machine_opts o = {.has_offset = true};
    struct scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->n = smi_machine_new(&o);
    assert_int_equal(smi_alert_actions_init(&s->a, NULL, NULL), 0);
    smi_alert_actions_start(&s->a, s->n, NULL, command, "run7");
    s->a.most_ms = most_ms;
    smi_alert_actions_attach(&s->a, &s->l, false);
    return s;
}

/* GPU `gpu` begins or ends to be idle, `late_ms` ago. */
static void put(struct scene *s, int rule, bool begins, int gpu, int64_t late_ms)
{
    char subject[40], text[80];
    const struct smi_alert_change c = {
        .rule = &smi_rules[rule], .begins = begins, .gpu = gpu, .subject = subject, .text = text};
    snprintf(subject, sizeof subject, "GPU %d", gpu);
    snprintf(text, sizeof text, "GPU %d a 'b' \"$c\"\nd", gpu);
    s->a.mono_ms = smi_clock_now_ms() - late_ms;
    smi_alert_actions_report(&s->a, &c);
}

static void go_until_done(struct scene *s)
{
    int64_t end = smi_clock_now_ms() + 60000;
    while (smi_alert_actions_busy(&s->a) && smi_clock_now_ms() < end)
        assert_int_equal(loops_turn(&s->l, 20), 0);
    assert_false(smi_alert_actions_busy(&s->a));
}

static const char *last_event(const struct scene *s)
{
    return s->n->events ? s->n->event[s->n->events - 1].text : "";
}

static void stop(struct scene *s)
{
    smi_alert_actions_fini(&s->a);
    smi_machine_free(s->n);
    free(s);
}

static void read_file(const char *name, char *to, size_t size)
{
    FILE *f = fopen(name, "r");
    assert_non_null(f);
    to[fread(to, 1, size - 1, f)] = 0;
    fclose(f);
}

static void they_run_in_order_with_their_values(void **state)
{
    struct scene *s = start(
        "printf '%s %s %s %s;' \"$SMILOG_RULE\" \"$SMILOG_STATE\" \"$SMILOG_GPU\" \"$SMILOG_TEXT\" >>out",
        5000);
    char got[600];
    (void)state;
    put(s, SMI_RULE_ALERT_IDLE, true, 1, 5000);
    put(s, SMI_RULE_ALERT_MEMORY, true, 1, 5000);
    put(s, SMI_RULE_ALERT_IDLE, true, 0, 5000);
    put(s, SMI_RULE_ALERT_IDLE, false, 1, 5000);
    go_until_done(s);
    assert_int_equal(s->n->events, 0);
    stop(s);
    read_file("out", got, sizeof got);
    assert_string_equal(got, "idle begins 1,0 GPU 1 a 'b' \"$c\"\nd; also GPU 0;"
                             "memory-full begins 1 GPU 1 a 'b' \"$c\"\nd;"
                             "idle ends 1 GPU 1 a 'b' \"$c\"\nd;");
}

/* What came while a command ran goes to the next one; but a GPU that begins, ends and begins again does so in
 * this order. */
static void a_backlog_merges_and_keeps_the_order_of_one_gpu(void **state)
{
    struct scene *s =
        start("until [ -e go ]; do sleep 0.01; done; echo $SMILOG_STATE $SMILOG_GPU >>order", 50000);
    char got[600];
    (void)state;
    put(s, SMI_RULE_ALERT_IDLE, true, 0, 5000);
    while (!s->a.child.pid)
        assert_int_equal(loops_turn(&s->l, 20), 0);
    for (int gpu = 1; gpu < 4; gpu++)
        put(s, SMI_RULE_ALERT_IDLE, true, gpu, 5000);
    put(s, SMI_RULE_ALERT_IDLE, false, 2, 5000);
    put(s, SMI_RULE_ALERT_IDLE, false, 3, 5000);
    put(s, SMI_RULE_ALERT_IDLE, true, 2, 5000);
    put(s, SMI_RULE_ALERT_IDLE, true, 4, 5000);
    fclose(fopen("go", "w"));
    go_until_done(s);
    stop(s);
    read_file("order", got, sizeof got);
    assert_string_equal(got, "begins 0\nbegins 1,2,3\nends 2,3\nbegins 2,4\n");
}

static void a_change_waits_for_others(void **state)
{
    struct scene *s = start("true", 5000);
    struct smi_loop_source source = s->l.source[0];
    int64_t at;
    (void)state;
    put(s, SMI_RULE_ALERT_IDLE, true, 0, 0);
    at = s->a.mono_ms;
    assert_true(loops_due(source, at + 10) == at + SMI_ALERT_MERGE_MS);
    assert_int_equal(loops_call(source, at + SMI_ALERT_MERGE_MS - 1), 0);
    assert_int_equal(s->a.child.pid, 0);
    s->a.hurry = true; /* smilog ends */
    assert_int_equal(loops_call(source, at + SMI_ALERT_MERGE_MS - 1), 0);
    assert_int_not_equal(s->a.child.pid, 0);
    go_until_done(s);
    stop(s);
}

static void one_that_fails_is_said(void **state)
{
    struct scene *s = start("echo first >&2; echo 'no such host' >&2; exit 7", 5000);
    (void)state;
    put(s, SMI_RULE_ALERT_IDLE, true, 0, 5000);
    go_until_done(s);
    assert_int_equal(s->n->events, 1);
    assert_string_equal(last_event(s), "the command of --alert-exec: exit 7: no such host");
    stop(s);
}

static void one_that_takes_too_long_is_ended_and_the_next_one_runs(void **state)
{
    struct scene *s = start("[ $SMILOG_STATE = ends ] && touch second || { trap '' INT; sleep 100; }", 100);
    (void)state;
    put(s, SMI_RULE_ALERT_IDLE, true, 0, 5000);
    put(s, SMI_RULE_ALERT_IDLE, false, 0, 5000);
    go_until_done(s);
    assert_int_equal(access("second", F_OK), 0);
    assert_int_equal(s->n->events, 1);
    assert_non_null(strstr(last_event(s), "took longer than"));
    stop(s);
}

static void what_floods_its_output_does_not_stand(void **state)
{
    struct scene *s = start("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; exit 1", 20000);
    (void)state;
    put(s, SMI_RULE_ALERT_IDLE, true, 0, 5000);
    go_until_done(s);
    assert_int_equal(s->n->events, 1);
    stop(s);
}

/* As many as may wait go to a few commands, each with no more than the kernel takes; one more is reported. */
static void many_changes_fit_into_the_environment(void **state)
{
    struct scene *s = start("echo \"$SMILOG_GPU\" | tr , '\\n' >>gpus; echo >>calls", 50000);
    char *got = malloc(1 << 20), expected[80];
    int lines = 0, calls;
    (void)state;
    for (int i = 0; i <= SMI_ALERT_QUEUE_MAX; i++)
        put(s, SMI_RULE_ALERT_IDLE, true, i, 5000);
    go_until_done(s);
    assert_int_equal(s->n->events, 1);
    snprintf(expected, sizeof expected, "--alert-exec: the command did not get 1 alerts: more than %d waited",
             SMI_ALERT_QUEUE_MAX);
    assert_memory_equal(last_event(s), expected, strlen(expected));
    stop(s);
    read_file("gpus", got, 1 << 20);
    for (const char *p = got; *p; lines += *p++ == '\n')
        ;
    assert_int_equal(lines, SMI_ALERT_QUEUE_MAX);
    read_file("calls", got, 1 << 20);
    calls = (int)strlen(got);
    assert_in_range(calls, 2, 64);
    free(got);
}

static void the_end_says_what_did_not_run(void **state)
{
    struct smi_machine *n;
    struct scene *s = start("sleep 100", 50000);
    (void)state;
    put(s, SMI_RULE_ALERT_IDLE, true, 0, 5000);
    put(s, SMI_RULE_ALERT_IDLE, false, 0, 5000);
    loops_call(s->l.source[0], smi_clock_now_ms());
    n = s->n;
    smi_alert_actions_fini(&s->a);
    assert_int_equal(n->events, 2);
    assert_string_equal(n->event[0].text, "--alert-exec: the end came before the command had ended");
    assert_string_equal(n->event[1].text, "--alert-exec: the end came before the command got 1 alerts");
    smi_machine_free(n);
    free(s);
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
        cmocka_unit_test(a_backlog_merges_and_keeps_the_order_of_one_gpu),
        cmocka_unit_test(a_change_waits_for_others),
        cmocka_unit_test(one_that_fails_is_said),
        cmocka_unit_test(one_that_takes_too_long_is_ended_and_the_next_one_runs),
        cmocka_unit_test(what_floods_its_output_does_not_stand),
        cmocka_unit_test(many_changes_fit_into_the_environment),
        cmocka_unit_test(the_end_says_what_did_not_run),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
