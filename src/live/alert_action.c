#include "live/alert_action.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void report_alert_command(void *self, const char *text)
{
    struct smi_alert_actions *a = self;
    smi_machine_add_event(a->now, SMI_EVENT_WARN, "%s", text);
}

int smi_alert_actions_start(struct smi_alert_actions *a, struct smi_machine *now, struct smi_live *live,
                            const char *command, const char *run, struct smi_err *err)
{
    a->now = now;
    a->live = live;
    a->run = run;
    if (command)
        a->act = smi_alert_command_new(command, SMI_ALERT_COMMAND_MS, report_alert_command, a, err);
    return command && !a->act ? -1 : 0;
}

/* Into the recording: what happens to whom. */
static void record_alert(struct smi_live *l, const struct smi_alert_change *c)
{
    const char *state = c->begins ? "begins" : "ends";
    if (c->rule->about == SMI_ABOUT_SOURCE)
        smi_live_event(l, "alert",
                       SMI_VALUES(SMI_VALUE("rule", c->rule->key), SMI_VALUE("monitor", c->subject),
                                  SMI_VALUE("state", state), SMI_VALUE("text", c->text)));
    else if (c->rule->about == SMI_ABOUT_MACHINE)
        smi_live_event(l, "alert",
                       SMI_VALUES(SMI_VALUE("rule", c->rule->key), SMI_VALUE("state", state),
                                  SMI_VALUE("text", c->text)));
    else
        smi_live_event(l, "alert",
                       SMI_VALUES(SMI_VALUE("rule", c->rule->key), SMI_VALUE("gpu", c->gpu),
                                  SMI_VALUE("state", state), SMI_VALUE("text", c->text)));
}

static int run_command(struct smi_alert_actions *a, const struct smi_alert_call *c, struct smi_err *err)
{
    const char *const values[][2] = {{"RULE", c->rule->key},
                                     {"STATE", c->begins ? "begins" : "ends"},
                                     {"GPU", c->gpus.n ? c->gpus.p : ""},
                                     {"MONITOR", c->monitors.n ? c->monitors.p : ""},
                                     {"TEXT", c->text.p},
                                     {"ALERT", c->json.p}};
    struct smi_buf env = {0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        smi_buf_fmt(&env, "SMILOG_%s=%s", values[i][0], values[i][1]);
        smi_buf_char(&env, 0);
    }
    return smi_alert_command_add(a->act, &env, err);
}

/* ---- changes that are reported together ---- */

/* The first call is made. */
static int start_next_call(struct smi_alert_actions *a, struct smi_err *err)
{
    struct smi_alert_call *c = &a->call[0];
    int rc;
    smi_buf_str(&c->json, c->n > 1 ? "]}" : "}");
    rc = c->text.failed || c->gpus.failed || c->monitors.failed || c->json.failed ? smi_err_nomem(err)
                                                                                  : run_command(a, c, err);
    smi_buf_fini(&c->text);
    smi_buf_fini(&c->gpus);
    smi_buf_fini(&c->monitors);
    smi_buf_fini(&c->json);
    memmove(c, c + 1, --a->calls * sizeof *c);
    return rc;
}

/* The call that this change goes into. */
static struct smi_alert_call *find_call(struct smi_alert_actions *a, const struct smi_alert_change *c,
                                        struct smi_err *err)
{
    for (size_t i = 0; i < a->calls; i++)
        if (a->call[i].rule == c->rule && a->call[i].begins == c->begins &&
            a->call[i].n < SMI_ALERT_CALL_CHANGES)
            return &a->call[i];
    if (a->calls == SMI_ALERT_CALLS && start_next_call(a, err))
        return NULL;
    a->call[a->calls] = (struct smi_alert_call){
        .rule = c->rule, .begins = c->begins, .due_ms = a->mono_ms + (a->hurry ? 0 : SMI_ALERT_CALL_MS)};
    return &a->call[a->calls++];
}

/* {"timestamp": ..., "text": "GPU 0 idle 5m00s", "also": [{...}, ...]} */
static void write_alert_json(struct smi_alert_actions *a, struct smi_alert_call *to,
                             const struct smi_alert_change *c)
{
    struct smi_buf one = {0};
    to->json.failed |= smi_alert_json(&one, c, a->host, a->run) != 0;
    if (to->n > 0)
        smi_buf_str(&to->json, to->n == 1 ? ", \"also\": [" : ", ");
    if (one.n)
        smi_buf_add(&to->json, one.p, one.n - (to->n == 0));
    smi_buf_fini(&one);
}

/* "GPU 0 idle 5m00s, holds 70.4 GiB; also GPU 1, GPU 2" */
static int add_to_call(struct smi_alert_actions *a, const struct smi_alert_change *c, struct smi_err *err)
{
    struct smi_alert_call *to = find_call(a, c, err);
    if (!to)
        return -1;
    write_alert_json(a, to, c);
    if (to->n)
        smi_buf_fmt(&to->text, "%s%s", to->n == 1 ? "; also " : ", ", c->subject);
    else
        smi_buf_str(&to->text, c->text);
    if (c->gpu >= 0)
        smi_buf_fmt(&to->gpus, "%s%d", to->n ? "," : "", c->gpu);
    if (c->rule->about == SMI_ABOUT_SOURCE)
        smi_buf_fmt(&to->monitors, "%s%s", to->n ? "," : "", c->subject);
    to->n++;
    return 0;
}

static void on_alert_change(void *self, const struct smi_alert_change *c)
{
    struct smi_alert_actions *a = self;
    if (a->live)
        record_alert(a->live, c);
    if (a->act)
        (void)add_to_call(a, c, &a->err);
}

int smi_alert_actions_init(struct smi_alert_actions *a, const char *rules, struct smi_err *err)
{
    *a = (struct smi_alert_actions){.alerts = {.rules = a->rules, .changed = on_alert_change, .self = a}};
    memcpy(a->rules, smi_alert_rules, sizeof a->rules);
    gethostname(a->host, sizeof a->host - 1);
    return rules ? smi_alerts_load(a->rules, rules, err) : 0;
}

static int make_due_calls(struct smi_alert_actions *a, int64_t mono_ms, struct smi_err *err)
{
    while (a->calls && mono_ms >= a->call[0].due_ms)
        if (start_next_call(a, err))
            return -1;
    return 0;
}

int smi_alert_actions_check(struct smi_alert_actions *a, int64_t mono_ms, struct smi_err *err)
{
    a->mono_ms = mono_ms;
    if (smi_alerts_check(&a->alerts, a->now, err))
        return -1;
    if (a->err.code)
        return smi_err_set(err, a->err.code, "%s", a->err.text);
    return make_due_calls(a, mono_ms, err);
}

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_alert_actions *a = self;
    if (a->calls)
        smi_loop_wake(l, a->call[0].due_ms);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_alert_actions *a = self;
    return a->each_turn ? smi_alert_actions_check(a, l->now_ms, err) : make_due_calls(a, l->now_ms, err);
}

void smi_alert_actions_attach(struct smi_alert_actions *a, struct smi_loop *l, bool each_turn)
{
    a->each_turn = each_turn;
    smi_loop_add(l, (struct smi_loop_source){a, prepare, run});
    if (a->act)
        smi_loop_add(l, smi_alert_command_source(a->act));
}

void smi_alert_actions_flush(struct smi_alert_actions *a)
{
    struct smi_err err = {0};
    a->hurry = true;
    while (a->calls)
        (void)start_next_call(a, &err);
    if (err.code)
        smi_machine_add_event(a->now, SMI_EVENT_WARN, "--alert-exec: %s", err.text);
}

void smi_alert_actions_fini(struct smi_alert_actions *a)
{
    smi_alert_actions_flush(a);
    smi_alert_command_free(a->act);
    smi_alerts_fini(&a->alerts);
}
