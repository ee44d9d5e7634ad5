#include "live/alert.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct smi_alert_command {
    char *command;
    int64_t most_ms, begun_ms;
    smi_alert_command_fn *fn;
    void *self;
    struct smi_child child;
    bool late;
    /* A ring of those that wait: values behind each other, a NUL after each, an empty one at the end. */
    char *queue[SMI_ALERT_COMMAND_QUEUE];
    size_t first, n;
    int64_t dropped;
    int late_err[SMI_ALERT_COMMAND_LATE]; /* standard error of commands that left processes behind; -1: free
                                           */
    size_t late_next;
    char line[SMI_ALERT_COMMAND_LINE]; /* of standard error */
    size_t line_n;
    bool line_ended;
};

static const struct smi_child_deadlines patience = {500, 2000, 7000};

struct smi_alert_command *smi_alert_command_new(const char *command, int64_t most_ms,
                                                smi_alert_command_fn *fn, void *self)
{
    struct smi_alert_command *a = smi_mem_new(1, sizeof *a);
    a->child = smi_child_none;
    memset(a->late_err, -1, sizeof a->late_err);
    a->command = smi_mem_text(command, strlen(command));
    a->most_ms = most_ms;
    a->fn = fn;
    a->self = self;
    return a;
}

void smi_alert_command_add(struct smi_alert_command *a, struct smi_buf *env)
{
    bool full = a->n == SMI_ALERT_COMMAND_QUEUE;
    smi_buf_char(env, 0);
    if (full) {
        a->dropped += full;
        smi_buf_fini(env);
        return;
    }
    a->queue[(a->first + a->n++) % SMI_ALERT_COMMAND_QUEUE] = env->p;
}

/* ---- one command ---- */

static void start_next_command(struct smi_alert_command *a, int64_t now_ms)
{
    char sh[] = "sh", c[] = "-c", *argv[] = {sh, c, a->command, NULL}, *values = a->queue[a->first];
    const char *env[SMI_ALERT_COMMAND_VALUES + 1] = {NULL};
    const struct smi_child_spec spec = {.argv = argv, .env = env, .background = true};
    struct smi_err err = {0};
    size_t k = 0;
    for (const char *v = values; *v && k < SMI_ALERT_COMMAND_VALUES; v += strlen(v) + 1)
        env[k++] = v;
    a->first = (a->first + 1) % SMI_ALERT_COMMAND_QUEUE;
    a->n--;
    a->begun_ms = now_ms;
    a->late = a->line_ended = false;
    a->line_n = 0;
    if (smi_child_open(&a->child, &spec, &err))
        a->fn(a->self, err.text);
    smi_mem_free(values);
}

/* The last line that is not empty. */
static void read_err(struct smi_alert_command *a)
{
    char piece[1024];
    ssize_t n;
    for (int k = 0;
         k < 64 && a->child.err >= 0 && (n = smi_child_read(&a->child.err, piece, sizeof piece)) > 0; k++)
        for (ssize_t i = 0; i < n; i++) {
            if (piece[i] == '\n') {
                a->line_ended = true;
                continue;
            }
            if (a->line_ended)
                a->line_n = 0;
            a->line_ended = false;
            if (a->line_n + 1 < sizeof a->line)
                a->line[a->line_n++] = piece[i];
        }
}

/* A background process that writes an error must not get SIGPIPE. */
static void keep_err_open(struct smi_alert_command *a)
{
    int *late = &a->late_err[a->late_next];
    if (a->child.err < 0)
        return;
    if (*late >= 0)
        close(*late);
    *late = a->child.err;
    a->child.err = -1;
    a->late_next = (a->late_next + 1) % SMI_ALERT_COMMAND_LATE;
}

static void drain_late_errors(struct smi_alert_command *a)
{
    char piece[4096];
    for (size_t i = 0; i < SMI_ALERT_COMMAND_LATE; i++)
        for (int k = 0; k < 16 && a->late_err[i] >= 0; k++)
            if (smi_child_read(&a->late_err[i], piece, sizeof piece) <= 0)
                break;
}

static void report_end(struct smi_alert_command *a)
{
    int status = a->child.status;
    char how[64] = "", text[SMI_ALERT_COMMAND_LINE + 120];
    read_err(a);
    keep_err_open(a);
    smi_child_close(&a->child);
    a->line[a->line_n] = 0;
    if (a->late)
        snprintf(how, sizeof how, "took longer than %lld s, and was ended", (long long)(a->most_ms / 1000));
    else if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "was ended by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status))
        snprintf(how, sizeof how, "ended with status %d", WEXITSTATUS(status));
    if (!*how)
        return;
    snprintf(text, sizeof text, "the command of --alert-exec %s%s%s", how, a->line_n ? ": " : "", a->line);
    a->fn(a->self, text);
}

/* ---- as a source of the loop ---- */

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_alert_command *a = self;
    for (size_t i = 0; i < SMI_ALERT_COMMAND_LATE; i++)
        smi_loop_watch(l, a->late_err[i]);
    if (!a->child.pid) {
        smi_loop_wake(l, a->n ? l->now_ms : INT64_MAX);
        return;
    }
    smi_child_watch(&a->child, l);
    if (!a->late)
        smi_loop_wake(l, a->begun_ms + a->most_ms);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_alert_command *a = self;
    char text[120];
    (void)err;
    drain_late_errors(a);
    if (a->child.pid) {
        read_err(a);
        if (!a->late && l->now_ms - a->begun_ms >= a->most_ms) {
            a->late = true;
            smi_child_stop(&a->child, &patience, l->now_ms);
        }
        if (smi_child_poll(&a->child, l->now_ms) == SMI_CHILD_ENDED)
            report_end(a);
    }
    if (!a->child.pid && a->n)
        start_next_command(a, l->now_ms);
    if (a->dropped && a->n < SMI_ALERT_COMMAND_QUEUE) {
        snprintf(text, sizeof text,
                 "--alert-exec: %lld alerts came faster than the command ran, and were dropped",
                 (long long)a->dropped);
        a->dropped = 0;
        a->fn(a->self, text);
    }
    return 0;
}

struct smi_loop_source smi_alert_command_source(struct smi_alert_command *a)
{
    return (struct smi_loop_source){a, prepare, run};
}

bool smi_alert_command_busy(const struct smi_alert_command *a)
{
    return a && (a->child.pid || a->n);
}

void smi_alert_command_free(struct smi_alert_command *a)
{
    char text[120];
    if (!a)
        return;
    if (smi_alert_command_busy(a)) {
        snprintf(text, sizeof text, "--alert-exec: the end came before %zu commands had ended",
                 a->n + (a->child.pid != 0));
        a->fn(a->self, text);
    }
    for (; a->n; a->n--, a->first = (a->first + 1) % SMI_ALERT_COMMAND_QUEUE)
        smi_mem_free(a->queue[a->first]);
    smi_child_close(&a->child);
    for (size_t i = 0; i < SMI_ALERT_COMMAND_LATE; i++)
        if (a->late_err[i] >= 0)
            close(a->late_err[i]);
    smi_mem_free(a->command);
    smi_mem_free(a);
}
