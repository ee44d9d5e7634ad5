/* follow_exec.c - a log that a command prints: its start, its bytes, what it says of another file, its end.
 */
#include "live/follow.h"

#include <stdio.h>
#include <sys/wait.h>

enum { READ_MOST = 65536, PIECE = 8192, HELD_MS = 200 };

/* Are bytes that we have expected first? They are compared, and not handed on. */
static bool is_comparing(const struct smi_follow_file *f)
{
    return f->exec->from < f->at.offset;
}

/* ---- starting ---- */

static void schedule_restart(struct smi_follow *t, struct smi_follow_file *f)
{
    struct smi_follow_exec *x = f->exec;
    x->due_ms = t->now_ms + x->pause_ms;
    x->pause_ms = x->pause_ms * 2 < t->times.pause_most ? x->pause_ms * 2 : t->times.pause_most;
    smi_follow_report(t, f, SMI_FOLLOW_REFUSED, false, "%s", x->why);
}

static void start_command(struct smi_follow *t, struct smi_follow_file *f)
{
    struct smi_follow_exec *x = f->exec;
    struct smi_err err = {0};
    struct smi_buf b = {0};
    char sh[] = "sh", c[] = "-c";
    smi_follow_rewind(t, f->place);
    x->from = x->whole ? 0 : f->at.offset - f->at.last_n;
    x->line_n = 0;
    x->ending = false;
    x->heard_ms = t->now_ms;
    x->starts++;
    for (const char *p = f->path; *p; p++) /* the command with its offset */
        if (p[0] == '%' && p[1] == 'o') {
            smi_buf_fmt(&b, "%lld", (long long)x->from + 1);
            p++;
        } else {
            smi_buf_char(&b, *p);
            p += p[0] == '%' && p[1] == '%';
        }
    char *argv[] = {sh, c, b.p, NULL};
    /* reports_new_file knows tail's messages in English */
    const char *const env[] = {"LC_ALL=C", NULL};
    const struct smi_child_spec spec = {.argv = argv, .env = env};
    if (smi_child_open(&x->child, &spec, &err)) {
        snprintf(x->why, sizeof x->why, "%.200s", err.text);
        schedule_restart(t, f);
    }
    smi_buf_fini(&b);
}

/* It is started again at once, in another way. */
static void end_command(const struct smi_follow *t, struct smi_follow_exec *x)
{
    x->ending = true;
    smi_child_stop(&x->child, &t->times.stop, t->now_ms);
}

/* ---- what it prints ---- */

/* It is another file than we know: from its first byte. */
static int begin_file_again(struct smi_follow *t, struct smi_follow_file *f, const char *is_what)
{
    int rc = smi_follow_offer_again(t, f->place, false);
    f->exec->whole = false;
    end_command(t, f->exec);
    smi_follow_report(t, f, SMI_FOLLOW_TRUNCATED, true, "the file there is %s: it is read from its beginning",
                      is_what);
    return rc;
}

static int handle_bytes(struct smi_follow *t, struct smi_follow_file *f, const char *p, size_t n)
{
    struct smi_follow_exec *x = f->exec;
    const struct smi_follow_position *k = &f->at;
    int64_t last = k->offset - k->last_n; /* bytes between head and last are not known */
    for (; n && is_comparing(f); p++, n--, x->from++)
        if ((x->from < (int64_t)k->head_n && (unsigned char)*p != k->head[x->from]) ||
            (x->from >= last && (unsigned char)*p != k->last[x->from - last]))
            return begin_file_again(t, f, "another one");
    if (!is_comparing(f)) { /* the same file */
        x->whole = false;
        x->pause_ms = t->times.pause;
        x->why[0] = 0;
    }
    x->from += (int64_t)n;
    return n ? smi_follow_push(t, f->place, p, n) : 0;
}

static bool reports_new_file(const char *line)
{
    return strstr(line, "file truncated") || strstr(line, "has been replaced") ||
           strstr(line, "has appeared");
}

/* A whole line of standard error. It is read before the bytes are: what is unread now is of the new file, as
 * the last rows of the old one came a second ago, when tail had not seen yet that there is another. */
static int handle_message(struct smi_follow *t, struct smi_follow_file *f)
{
    struct smi_follow_exec *x = f->exec;
    x->line[x->line_n] = 0;
    x->line_n = 0;
    if (x->line[0])
        snprintf(x->why, sizeof x->why, "%s", x->line);
    if (!reports_new_file(x->line) || is_comparing(f) || x->ending)
        return 0;
    int rc = smi_follow_offer_again(t, f->place, true);
    x->from = 0;
    if (strstr(x->line, "truncated"))
        smi_follow_report(t, f, SMI_FOLLOW_TRUNCATED, true, "%s", x->why);
    return rc;
}

static int read_err(struct smi_follow *t, struct smi_follow_file *f)
{
    struct smi_follow_exec *x = f->exec;
    char piece[1024];
    int rc = 0;
    ssize_t n;
    for (int k = 0; k < 64 && (n = smi_child_read(&x->child.err, piece, sizeof piece)) > 0; k++)
        for (ssize_t i = 0; i < n; i++)
            if (piece[i] == '\n')
                rc |= handle_message(t, f);
            else if (x->line_n + 1 < sizeof x->line)
                x->line[x->line_n++] = piece[i];
    return rc;
}

/* What the owner does not take is left in the pipe: its writer waits. */
static int drain_stdout(struct smi_follow *t, struct smi_follow_file *f)
{
    struct smi_follow_exec *x = f->exec;
    char piece[PIECE];
    ssize_t n;
    int rc = smi_follow_push(t, f->place, NULL, 0);
    for (size_t all = 0; !rc && !x->ending && all < READ_MOST; all += (size_t)n) {
        if ((n = smi_child_read(&x->child.out, piece, sizeof piece)) <= 0)
            break;
        x->heard_ms = t->now_ms;
        rc = handle_bytes(t, f, piece, (size_t)n);
    }
    f->held = rc > 0;
    return rc < 0 ? -1 : 0;
}

/* ---- its end ---- */

/* What we have is not confirmed. Nothing came, but it was asked for the end of what we have: all is asked
 * for, and compared. It was asked for all, and that ends before what we have does: it is a shorter file. */
static int64_t answer_deadline(const struct smi_follow *t, const struct smi_follow_file *f)
{
    const struct smi_follow_exec *x = f->exec;
    return x->child.pid && !x->ending && !t->stopping && is_comparing(f) ? x->heard_ms + t->times.answer
                                                                         : INT64_MAX;
}

static int handle_no_answer(struct smi_follow *t, struct smi_follow_file *f)
{
    struct smi_follow_exec *x = f->exec;
    if (x->whole && x->from > 0)
        return begin_file_again(t, f, "shorter than it was");
    x->whole = !x->whole;
    end_command(t, x);
    return 0;
}

static int handle_end(struct smi_follow *t, struct smi_follow_file *f)
{
    struct smi_follow_exec *x = f->exec;
    int rc = read_err(t, f), status = x->child.status;
    int64_t before = -1;
    while (x->child.out >= 0 && !x->ending && x->from != before) { /* all that is left; what is not taken now
                                                                      is asked for again */
        before = x->from;
        rc |= drain_stdout(t, f);
    }
    bool quick = x->ending;
    smi_child_close(&x->child);
    if (t->stopping)
        return rc;
    if (quick) {
        start_command(t, f);
        return rc;
    }
    if (!status && is_comparing(f)) /* a command that does not wait for more */
        rc |= handle_no_answer(t, f);
    if (!x->why[0])
        snprintf(x->why, sizeof x->why,
                 WIFSIGNALED(status) ? "the command was ended by signal %d"
                                     : "the command ended with status %d",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    schedule_restart(t, f);
    return rc;
}

/* ---- in the loop ---- */

void smi_follow_exec_prepare(const struct smi_follow *t, const struct smi_follow_file *f, struct smi_loop *l)
{
    const struct smi_follow_exec *x = f->exec;
    smi_loop_watch(l, f->held ? -1 : x->child.out);
    smi_loop_watch(l, x->child.err);
    smi_loop_watch(l, x->child.pidfd);
    smi_loop_wake(l, smi_child_due(&x->child, l->now_ms));
    smi_loop_wake(l, answer_deadline(t, f));
    if (!t->stopping && !x->child.pid)
        smi_loop_wake(l, x->due_ms);
    if (f->held)
        smi_loop_wake(l, l->now_ms + HELD_MS);
}

void smi_follow_exec_run(struct smi_follow *t, struct smi_follow_file *f, struct smi_loop *l)
{
    struct smi_follow_exec *x = f->exec;
    int rc = 0;
    if (!x->child.pid && !t->stopping && l->now_ms >= x->due_ms)
        start_command(t, f);
    if (x->child.err >= 0)
        rc |= read_err(t, f);
    if (f->held || smi_loop_ready(l, x->child.out))
        rc |= drain_stdout(t, f);
    if (l->now_ms >= answer_deadline(t, f))
        rc |= handle_no_answer(t, f);
    if (x->child.pid && smi_child_poll(&x->child, l->now_ms) == SMI_CHILD_ENDED)
        rc |= handle_end(t, f);
    t->failed = rc < 0 ? -1 : t->failed;
}
