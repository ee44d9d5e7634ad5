#include "live/follow.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { READ_MOST = 65536, PIECE = 8192, HELD_MS = 200 };

const struct smi_follow_exec_times smi_follow_exec_times = {1000, 60000, 20000, {250, 500, 5500}};

static void report(struct smi_follow_exec *f, bool lost, const char *text)
{
    if (f->told)
        f->told(f->self, f, lost, text);
}

static const struct smi_follow_position *position(const struct smi_follow_exec *f)
{
    return &f->tail->file[f->file]->at;
}

/* Are bytes that we have expected first? They are compared, and not handed on. */
static bool is_comparing(const struct smi_follow_exec *f)
{
    return f->from < position(f)->offset;
}

/* ---- starting ---- */

/* The command with its offset. */
static char *command(const struct smi_follow_exec *f)
{
    struct smi_buf b = {0};
    for (const char *c = f->command; *c; c++)
        if (c[0] == '%' && c[1] == 'o') {
            smi_buf_fmt(&b, "%lld", (long long)f->from + 1);
            c++;
        } else {
            smi_buf_char(&b, *c);
            c += c[0] == '%' && c[1] == '%';
        }
    return b.p;
}

static void schedule_restart(struct smi_follow_exec *f, int64_t now_ms)
{
    f->due_ms = now_ms + f->pause_ms;
    f->pause_ms = f->pause_ms * 2 < f->times.pause_most ? f->pause_ms * 2 : f->times.pause_most;
    f->state = SMI_FOLLOW_EXEC_WAITING;
    report(f, false, f->why);
}

static void start_command(struct smi_follow_exec *f, int64_t now_ms)
{
    struct smi_err err = {0};
    char sh[] = "sh", c[] = "-c";
    smi_follow_rewind(f->tail, f->file);
    f->from = f->whole ? 0 : position(f)->offset - position(f)->last_n;
    f->line_n = 0;
    f->ending = f->held = false;
    f->heard_ms = now_ms;
    f->starts++;
    char *text = command(f), *argv[] = {sh, c, text, NULL};
    /* reports_new_file knows tail's messages in English */
    const char *const env[] = {"LC_ALL=C", NULL};
    const struct smi_child_spec spec = {.argv = argv, .env = env};
    f->state = SMI_FOLLOW_EXEC_STARTING;
    if (smi_child_open(&f->child, &spec, &err)) {
        snprintf(f->why, sizeof f->why, "%.200s", err.text);
        schedule_restart(f, now_ms);
    }
    smi_mem_free(text);
}

/* It is started again at once, in another way. */
static void end_command(struct smi_follow_exec *f, int64_t now_ms)
{
    f->ending = true;
    smi_child_stop(&f->child, &f->times.stop, now_ms);
}

/* ---- what it prints ---- */

/* It is another file than we know: from its first byte. */
static int begin_file_again(struct smi_follow_exec *f, const char *text, int64_t now_ms)
{
    int rc = smi_follow_offer_again(f->tail, f->file, false);
    f->whole = false;
    end_command(f, now_ms);
    report(f, true, text);
    return rc;
}

static int handle_bytes(struct smi_follow_exec *f, const char *p, size_t n, int64_t now_ms)
{
    const struct smi_follow_position *k = position(f);
    int64_t last = k->offset - k->last_n; /* bytes between head and last are not known */
    for (; n && is_comparing(f); p++, n--, f->from++)
        if ((f->from < (int64_t)k->head_n && (unsigned char)*p != k->head[f->from]) ||
            (f->from >= last && (unsigned char)*p != k->last[f->from - last]))
            return begin_file_again(f, "the file there is another one: it is read from its beginning",
                                    now_ms);
    if (!is_comparing(f)) { /* the same file */
        f->whole = false;
        f->pause_ms = f->times.pause;
        f->why[0] = 0;
        f->state = SMI_FOLLOW_EXEC_READING;
    }
    f->from += (int64_t)n;
    return n ? smi_follow_push(f->tail, f->file, p, n) : 0;
}

static bool reports_new_file(const char *line)
{
    return strstr(line, "file truncated") || strstr(line, "has been replaced") ||
           strstr(line, "has appeared");
}

/* A whole line of standard error. It is read before the bytes are: what is unread now is of the new file, as
 * the last rows of the old one came a second ago, when tail had not seen yet that there is another. */
static int handle_message(struct smi_follow_exec *f)
{
    f->line[f->line_n] = 0;
    f->line_n = 0;
    if (f->line[0])
        snprintf(f->why, sizeof f->why, "%s", f->line);
    if (!reports_new_file(f->line) || is_comparing(f) || f->ending)
        return 0;
    int rc = smi_follow_offer_again(f->tail, f->file, true);
    f->from = 0;
    report(f, strstr(f->line, "truncated") != NULL, f->why);
    return rc;
}

static int read_err(struct smi_follow_exec *f)
{
    char piece[1024];
    int rc = 0;
    ssize_t n;
    for (int k = 0; k < 64 && (n = smi_child_read(&f->child.err, piece, sizeof piece)) > 0; k++)
        for (ssize_t i = 0; i < n; i++)
            if (piece[i] == '\n')
                rc |= handle_message(f);
            else if (f->line_n + 1 < sizeof f->line)
                f->line[f->line_n++] = piece[i];
    return rc;
}

/* What tail does not take is left in the pipe: its writer waits. */
static int drain_stdout(struct smi_follow_exec *f, int64_t now_ms)
{
    char piece[PIECE];
    ssize_t n;
    int rc = smi_follow_push(f->tail, f->file, NULL, 0);
    for (size_t all = 0; !rc && !f->ending && all < READ_MOST; all += (size_t)n) {
        if ((n = smi_child_read(&f->child.out, piece, sizeof piece)) <= 0)
            break;
        f->heard_ms = now_ms;
        rc = handle_bytes(f, piece, (size_t)n, now_ms);
    }
    f->held = rc > 0;
    return rc < 0 ? -1 : 0;
}

/* ---- its end ---- */

/* What we have is not confirmed. Nothing came, but it was asked for the end of what we have: all is asked
 * for, and compared. It was asked for all, and that ends before what we have does: it is a shorter file. */
static int64_t answer_deadline(const struct smi_follow_exec *f)
{
    return f->child.pid && !f->ending && !f->stopping && is_comparing(f) ? f->heard_ms + f->times.answer
                                                                         : INT64_MAX;
}

static int handle_no_answer(struct smi_follow_exec *f, int64_t now_ms)
{
    if (f->whole && f->from > 0)
        return begin_file_again(f, "the file there is shorter than it was: it is read from its beginning",
                                now_ms);
    f->whole = !f->whole;
    end_command(f, now_ms);
    return 0;
}

static int handle_end(struct smi_follow_exec *f, int64_t now_ms)
{
    int rc = read_err(f), status = f->child.status;
    int64_t before = -1;
    while (f->child.out >= 0 && !f->ending && f->from != before) { /* all that is left; what is not taken now
                                                                      is asked for again */
        before = f->from;
        rc |= drain_stdout(f, now_ms);
    }
    bool quick = f->ending;
    smi_child_close(&f->child);
    if (f->stopping)
        return rc;
    if (quick) {
        start_command(f, now_ms);
        return rc;
    }
    if (!status && is_comparing(f)) /* a command that does not wait for more */
        rc |= handle_no_answer(f, now_ms);
    if (!f->why[0])
        snprintf(f->why, sizeof f->why,
                 WIFSIGNALED(status) ? "the command was ended by signal %d"
                                     : "the command ended with status %d",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    schedule_restart(f, now_ms);
    return rc;
}

/* ---- as a source of the loop ---- */

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_follow_exec *f = self;
    smi_loop_watch(l, f->held ? -1 : f->child.out);
    smi_loop_watch(l, f->child.err);
    smi_loop_watch(l, f->child.pidfd);
    smi_loop_wake(l, smi_child_due(&f->child, l->now_ms));
    smi_loop_wake(l, answer_deadline(f));
    if (!f->stopping && !f->child.pid)
        smi_loop_wake(l, f->due_ms);
    if (f->held)
        smi_loop_wake(l, l->now_ms + HELD_MS);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_follow_exec *f = self;
    int rc = 0;
    (void)err;
    if (!f->child.pid && !f->stopping && l->now_ms >= f->due_ms)
        start_command(f, l->now_ms);
    if (f->child.err >= 0)
        rc |= read_err(f);
    if (f->held || smi_loop_ready(l, f->child.out))
        rc |= drain_stdout(f, l->now_ms);
    if (l->now_ms >= answer_deadline(f))
        rc |= handle_no_answer(f, l->now_ms);
    if (f->child.pid && smi_child_poll(&f->child, l->now_ms) == SMI_CHILD_ENDED)
        rc |= handle_end(f, l->now_ms);
    return rc ? -1 : 0;
}

struct smi_loop_source smi_follow_exec_source(struct smi_follow_exec *f)
{
    return (struct smi_loop_source){f, prepare, run};
}

void smi_follow_exec_stop(struct smi_follow_exec *f, int64_t now_ms)
{
    f->stopping = true;
    smi_child_stop(&f->child, &f->times.stop, now_ms);
    f->state = SMI_FOLLOW_EXEC_STOPPED;
}

bool smi_follow_exec_busy(const struct smi_follow_exec *f)
{
    return f->child.pid != 0;
}

struct smi_follow_exec *smi_follow_exec_new(struct smi_follow *t, const struct smi_follow_exec_opts *o)
{
    struct smi_follow_exec *f = smi_mem_new(1, sizeof *f);
    f->child = smi_child_none;
    f->tail = t;
    f->times = o->times ? *o->times : smi_follow_exec_times;
    f->pause_ms = f->times.pause;
    f->told = o->told;
    f->self = o->self;
    f->due_ms = INT64_MIN;
    f->command = smi_mem_text(o->command, strlen(o->command));
    f->file = smi_follow_stream(t, o->name, o->at);
    return f;
}

void smi_follow_exec_free(struct smi_follow_exec *f)
{
    if (!f)
        return;
    smi_child_close(&f->child);
    smi_mem_free(f->command);
    smi_mem_free(f);
}
