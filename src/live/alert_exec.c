/* alert_exec.c - what follows when an alert begins or ends: an event in the recording, and a command of the
 * user's. */
#include "live/alert.h"

#include <stdio.h>
#include <unistd.h>

enum value { RULE, STATE, GPU, MONITOR, TEXT, ALERT, VALUES }; /* of the command's environment */

static const struct smi_child_deadlines patience = {500, 2000, 7000};

/* ---- changes ---- */

static void on_alert_change(void *self, const struct smi_alert_change *c)
{
    struct smi_alert_actions *a = self;
    struct smi_buf json = {0};
    if (a->live) {
        struct smi_runlog_value v[5] = {SMI_VALUE("rule", c->rule->key)};
        size_t n = 1;
        if (c->rule->about == SMI_ABOUT_SOURCE)
            v[n++] = SMI_VALUE("monitor", c->subject);
        else if (c->rule->about == SMI_ABOUT_GPU)
            v[n++] = SMI_VALUE("gpu", c->gpu);
        v[n++] = SMI_VALUE("state", c->begins ? "begins" : "ends");
        v[n++] = SMI_VALUE("text", c->text);
        smi_live_event(a->live, "alert", v);
    }
    if (!a->command || a->queued == SMI_ALERT_QUEUE_MAX) {
        a->dropped += a->command != NULL;
        return;
    }
    smi_alert_json(&json, c, a->host, a->run);
    smi_mem_reserve(&a->queue, &a->queue_cap, a->queued + 1, sizeof *a->queue);
    a->queue[a->queued++] = (struct smi_alert_queued){c->rule,
                                                      c->begins,
                                                      c->gpu,
                                                      a->mono_ms,
                                                      smi_mem_text(c->subject, strlen(c->subject)),
                                                      smi_mem_text(c->text, strlen(c->text)),
                                                      json.p};
}

static void free_change(struct smi_alert_queued *q)
{
    smi_mem_free(q->subject);
    smi_mem_free(q->text);
    smi_mem_free(q->json);
}

/* ---- one command ---- */

/* Does q go to the command with `first`, the oldest change? Not if an earlier change of the same GPU or
 * source waits: the first `kept` changes of the queue do. */
static bool is_of_call(const struct smi_alert_actions *a, const struct smi_alert_queued *q,
                       const struct smi_alert_queued *first, size_t kept, size_t bytes)
{
    if (q->rule != first->rule || q->begins != first->begins || bytes > SMI_ALERT_ENV_BYTES)
        return false;
    for (size_t i = 0; i < kept; i++)
        if (a->queue[i].rule == q->rule && strcmp(a->queue[i].subject, q->subject) == 0)
            return false;
    return true;
}

/* A list of GPUs or monitors: "SMILOG_GPU=0,1". */
static void add_item(struct smi_buf *list, const char *text)
{
    smi_buf_fmt(list, "%s%s", list->p[list->n - 1] == '=' ? "" : ",", text);
}

/* One command for all changes of the oldest one's rule and direction. The text becomes "GPU 0 idle 5m00s,
 * holds 70.4 GiB; also GPU 1, GPU 2", the object of the first change {"timestamp": ..., "text": "GPU 0 idle
 * 5m00s", "also": [{...}, {...}]}. */
static void start_command(struct smi_alert_actions *a, int64_t now_ms)
{
    static const char *const names[] = {"RULE", "STATE", "GPU", "MONITOR", "TEXT", "ALERT"};
    const struct smi_alert_queued first = a->queue[0];
    const char *env[VALUES + 1] = {NULL};
    char sh[] = "sh", c[] = "-c", *argv[] = {sh, c, a->command, NULL};
    const struct smi_child_spec spec = {.argv = argv, .env = env, .background = true};
    struct smi_buf v[VALUES] = {{0}};
    struct smi_err err = {0};
    size_t n = 0, kept = 0;
    char index[16];
    for (int i = 0; i < VALUES; i++)
        smi_buf_fmt(&v[i], "SMILOG_%s=", names[i]);
    smi_buf_str(&v[RULE], first.rule->key);
    smi_buf_str(&v[STATE], first.begins ? "begins" : "ends");
    for (size_t i = 0; i < a->queued; i++) {
        struct smi_alert_queued q = a->queue[i];
        if (!is_of_call(a, &q, &first, kept, v[ALERT].n)) {
            a->queue[kept++] = q;
            continue;
        }
        snprintf(index, sizeof index, "%d", q.gpu);
        if (q.gpu >= 0)
            add_item(&v[GPU], index);
        if (q.rule->about == SMI_ABOUT_SOURCE)
            add_item(&v[MONITOR], q.subject);
        smi_buf_fmt(&v[TEXT], "%s%s", n == 0 ? "" : n == 1 ? "; also " : ", ", n ? q.subject : q.text);
        smi_buf_str(&v[ALERT], n == 0 ? "" : n == 1 ? ", \"also\": [" : ", ");
        smi_buf_add(&v[ALERT], q.json, strlen(q.json) - (n == 0));
        free_change(&q);
        n++;
    }
    a->queued = kept;
    smi_buf_str(&v[ALERT], n > 1 ? "]}" : "}");
    for (int i = 0; i < VALUES; i++)
        env[i] = v[i].p;
    a->begun_ms = now_ms;
    a->late = false;
    a->err = (struct smi_last_line){.line_n = 0};
    if (smi_child_open(&a->child, &spec, &err))
        smi_machine_add_event(a->now, SMI_EVENT_WARN, "%s", err.text);
    for (int i = 0; i < VALUES; i++)
        smi_buf_fini(&v[i]);
}

static void read_err(struct smi_alert_actions *a)
{
    char piece[1024];
    ssize_t n;
    for (int k = 0; k < 64 && (n = smi_child_read(&a->child.err, piece, sizeof piece)) > 0; k++)
        smi_last_line_add(&a->err, piece, (size_t)n);
}

static void end_command(struct smi_alert_actions *a)
{
    struct smi_buf b = {0};
    struct smi_text said;
    read_err(a);
    if (a->child.err >= 0) { /* a background process that writes an error must not get SIGPIPE */
        int *late = &a->late_err[a->late_next];
        if (*late >= 0)
            close(*late);
        *late = a->child.err;
        a->child.err = -1;
        a->late_next = (a->late_next + 1) % SMI_ALERT_LATE;
    }
    smi_child_close(&a->child);
    said = smi_last_line_end(&a->err);
    if (a->late)
        smi_buf_fmt(&b, "took longer than %lld s, and was ended", (long long)(a->most_ms / 1000));
    else if (a->child.status)
        smi_child_put_end(&b, &a->child);
    if (b.n)
        smi_machine_add_event(a->now, SMI_EVENT_WARN, "the command of --alert-exec: %s%s%.*s", b.p,
                              said.n ? ": " : "", (int)said.n, said.p);
    smi_buf_fini(&b);
}

/* Ends or starts a command if that is due. */
static void run_command(struct smi_alert_actions *a, int64_t now_ms)
{
    char piece[4096];
    for (size_t i = 0; i < SMI_ALERT_LATE; i++)
        for (int k = 0; k < 16 && a->late_err[i] >= 0; k++)
            if (smi_child_read(&a->late_err[i], piece, sizeof piece) <= 0)
                break;
    if (a->child.pid) {
        read_err(a);
        if (!a->late && now_ms - a->begun_ms >= a->most_ms) {
            a->late = true;
            smi_child_stop(&a->child, &patience, now_ms);
        }
        if (smi_child_poll(&a->child, now_ms) >= SMI_CHILD_ENDED)
            end_command(a);
    }
    if (!a->child.pid && a->queued && (a->hurry || now_ms - a->queue[0].mono_ms >= SMI_ALERT_MERGE_MS))
        start_command(a, now_ms);
    if (a->dropped && a->queued < SMI_ALERT_QUEUE_MAX) {
        smi_machine_add_event(a->now, SMI_EVENT_WARN,
                              "--alert-exec: the command did not get %lld alerts: more than %d waited for it",
                              (long long)a->dropped, SMI_ALERT_QUEUE_MAX);
        a->dropped = 0;
    }
}

/* ---- as a source of the loop ---- */

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_alert_actions *a = self;
    for (size_t i = 0; i < SMI_ALERT_LATE; i++)
        smi_loop_watch(l, a->late_err[i]);
    if (a->child.pid) {
        smi_child_watch(&a->child, l);
        smi_loop_wake(l, a->late ? INT64_MAX : a->begun_ms + a->most_ms);
    } else if (a->queued) {
        smi_loop_wake(l, a->hurry ? l->now_ms : a->queue[0].mono_ms + SMI_ALERT_MERGE_MS);
    }
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_alert_actions *a = self;
    (void)err;
    if (a->each_turn)
        smi_alert_actions_check(a, l->now_ms);
    run_command(a, l->now_ms);
    return 0;
}

void smi_alert_actions_attach(struct smi_alert_actions *a, struct smi_loop *l, bool each_turn)
{
    a->each_turn = each_turn;
    smi_loop_add(l, (struct smi_loop_source){a, prepare, run});
}

int smi_alert_actions_init(struct smi_alert_actions *a, const char *rules, struct smi_err *err)
{
    *a = (struct smi_alert_actions){.alerts = {.rules = a->rules, .changed = on_alert_change, .self = a},
                                    .most_ms = SMI_ALERT_EXEC_MS,
                                    .child = smi_child_none};
    memset(a->late_err, -1, sizeof a->late_err);
    memcpy(a->rules, smi_alert_rules, sizeof a->rules);
    gethostname(a->host, sizeof a->host - 1);
    return rules ? smi_alerts_load(a->rules, rules, err) : 0;
}

void smi_alert_actions_start(struct smi_alert_actions *a, struct smi_machine *now, struct smi_live *live,
                             const char *command, const char *run)
{
    a->now = now;
    a->live = live;
    a->run = run;
    a->command = command ? smi_mem_text(command, strlen(command)) : NULL;
}

void smi_alert_actions_check(struct smi_alert_actions *a, int64_t mono_ms)
{
    a->mono_ms = mono_ms;
    smi_alerts_check(&a->alerts, a->now);
}

bool smi_alert_actions_busy(const struct smi_alert_actions *a)
{
    return a->child.pid || a->queued;
}

void smi_alert_actions_fini(struct smi_alert_actions *a)
{
    if (a->child.pid)
        smi_machine_add_event(a->now, SMI_EVENT_WARN,
                              "--alert-exec: the end came before the command had ended");
    if (a->queued)
        smi_machine_add_event(a->now, SMI_EVENT_WARN,
                              "--alert-exec: the end came before the command got %zu alerts", a->queued);
    while (a->queued)
        free_change(&a->queue[--a->queued]);
    smi_mem_free(a->queue);
    smi_child_close(&a->child);
    for (size_t i = 0; i < SMI_ALERT_LATE; i++)
        if (a->late_err[i] >= 0)
            close(a->late_err[i]);
    smi_mem_free(a->command);
    smi_alerts_fini(&a->alerts);
}
