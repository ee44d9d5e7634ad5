#include "front/alerts.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int smi_front_alerts_init(struct smi_front_alerts *a, const char *rules, struct smi_err *err)
{
    *a = (struct smi_front_alerts){.alerts = {.rules = a->rules}};
    memcpy(a->rules, smi_live_rules, sizeof a->rules);
    gethostname(a->host, sizeof a->host - 1);
    return rules ? smi_alerts_load(a->rules, rules, err) : 0;
}

static void trouble(void *self, const char *text)
{
    struct smi_front_alerts *a = self;
    smi_now_say(a->now, SMI_NOW_WARN, "%s", text);
}

int smi_front_alerts_of(struct smi_front_alerts *a, struct smi_now *now, struct smi_live *live,
                        const char *command, const char *run, struct smi_err *err)
{
    a->now = now;
    a->live = live;
    a->run = run;
    if (command)
        a->act = smi_act_new(command, SMI_ACT_MS, trouble, a, err);
    return command && !a->act ? -1 : 0;
}

/* Into the recording: what happens to whom. */
static void record(struct smi_live *l, const struct smi_alert_change *c)
{
    const char *state = c->begins ? "begins" : "ends";
    if (c->rule->of_source)
        smi_live_event(l, "alert",
                       SMI_VALUES(SMI_VALUE("rule", c->rule->key), SMI_VALUE("monitor", c->subject),
                                  SMI_VALUE("state", state), SMI_VALUE("text", c->text)));
    else
        smi_live_event(l, "alert",
                       SMI_VALUES(SMI_VALUE("rule", c->rule->key), SMI_VALUE("gpu", c->gpu),
                                  SMI_VALUE("state", state), SMI_VALUE("text", c->text)));
}

/* "NAME=value" behind the others of b; its place in it. */
static size_t put(struct smi_buf *b, const char *name, const char *value)
{
    size_t at = b->n;
    smi_buf_fmt(b, "%s=%s", name, value);
    smi_buf_char(b, 0);
    return at;
}

static int run_command(struct smi_front_alerts *a, const struct smi_alert_change *c, struct smi_err *err)
{
    struct smi_buf b = {0}, json = {0};
    const char *env[SMI_ACT_VALUES + 1] = {NULL};
    size_t at[SMI_ACT_VALUES], n = 0;
    char gpu[24] = "";
    int rc = -1;
    if (c->gpu >= 0)
        snprintf(gpu, sizeof gpu, "%d", c->gpu);
    if (smi_alert_json(&json, c, a->host, a->run) == 0) {
        smi_buf_char(&json, 0);
        at[n++] = put(&b, "SMILOG_RULE", c->rule->key);
        at[n++] = put(&b, "SMILOG_STATE", c->begins ? "begins" : "ends");
        at[n++] = put(&b, "SMILOG_GPU", gpu);
        at[n++] = put(&b, "SMILOG_MONITOR", c->rule->of_source ? c->subject : "");
        at[n++] = put(&b, "SMILOG_TEXT", c->text);
        at[n++] = put(&b, "SMILOG_ALERT", json.failed ? "" : json.p);
    }
    for (size_t i = 0; i < n && !b.failed; i++)
        env[i] = b.p + at[i];
    if (n && !b.failed && !json.failed)
        rc = smi_act_put(a->act, env, err);
    else
        smi_err_nomem(err);
    smi_buf_fini(&b);
    smi_buf_fini(&json);
    return rc;
}

struct change {
    struct smi_front_alerts *a;
    struct smi_err err;
};

static void changed(void *self, const struct smi_alert_change *c)
{
    struct change *x = self;
    if (x->a->live)
        record(x->a->live, c);
    if (x->a->act)
        (void)run_command(x->a, c, &x->err);
}

int smi_front_alerts_look(struct smi_front_alerts *a, int64_t mono_ms, struct smi_err *err)
{
    struct change x = {.a = a};
    if (smi_alerts_look(&a->alerts, a->now, changed, &x, err))
        return -1;
    if (x.err.code) {
        *err = x.err;
        return -1;
    }
    smi_act_go(a->act, mono_ms);
    return 0;
}

void smi_front_alerts_fini(struct smi_front_alerts *a)
{
    smi_act_free(a->act);
    smi_alerts_fini(&a->alerts);
}
