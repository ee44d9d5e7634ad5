#include "live/follow_exec.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum { READ_MOST = 65536, PIECE = 8192, LAST_LINE = 200, HELD_MS = 200 };

const struct smi_follow_exec_times smi_follow_exec_times = {1000, 60000, 20000, {250, 500, 5500}};
static const char *const states[] = {"stopped", "starting", "reading", "waiting"};

struct smi_follow_exec_work {
    struct smi_follow *tail;
    char *command;
    struct smi_follow_exec_times times;
    void (*told)(void *self, const struct smi_follow_exec *f, bool lost, const char *text);
    void *self;
    struct smi_child child;
    bool stopping, ending; /* by the owner; by us, to start it in another way */
    bool held;             /* tail's owner did not take what was pushed */
    bool whole;            /* the next start is from the first byte, to compare all that is known */
    int64_t due_ms, pause_ms, heard_ms;
    int64_t from, until; /* place of the next byte that comes; up to here bytes are compared, not handed on */
    struct smi_follow_position known; /* what they are compared with */
    char line[LAST_LINE];             /* of standard error */
    size_t line_n;
};

static void report_state(struct smi_follow_exec *f, bool lost, const char *text)
{
    if (f->work->told)
        f->work->told(f->work->self, f, lost, text);
}

static void set_state(struct smi_follow_exec *f, enum smi_follow_exec_state state)
{
    if (f->state == state)
        return;
    f->state = state;
    report_state(f, false, state == SMI_FOLLOW_EXEC_WAITING ? f->why : states[state]);
}

/* ---- starting ---- */

/* The command with its offset. NULL without memory. */
static char *command(const struct smi_follow_exec_work *w)
{
    struct smi_buf b = {0};
    for (const char *c = w->command; *c; c++)
        if (c[0] == '%' && c[1] == 'o') {
            smi_buf_fmt(&b, "%lld", (long long)w->from + 1);
            c++;
        } else {
            smi_buf_char(&b, *c);
            c += c[0] == '%' && c[1] == '%';
        }
    if (b.failed)
        smi_buf_fini(&b);
    return b.p;
}

static void schedule_restart(struct smi_follow_exec *f, int64_t now_ms)
{
    struct smi_follow_exec_work *w = f->work;
    w->due_ms = now_ms + w->pause_ms;
    w->pause_ms = w->pause_ms * 2 < w->times.pause_most ? w->pause_ms * 2 : w->times.pause_most;
    set_state(f, SMI_FOLLOW_EXEC_WAITING);
}

static void start_command(struct smi_follow_exec *f, int64_t now_ms)
{
    struct smi_follow_exec_work *w = f->work;
    struct smi_err err = {0};
    char sh[] = "sh", c[] = "-c";
    smi_follow_rewind(w->tail, f->file);
    w->known = smi_follow_file(w->tail, f->file)->at;
    w->until = w->known.offset;
    w->from = w->whole ? 0 : w->until - w->known.last_n;
    w->line_n = 0;
    w->ending = w->held = false;
    w->heard_ms = now_ms;
    f->starts++;
    char *text = command(w), *argv[] = {sh, c, text, NULL};
    const struct smi_child_spec spec = {argv, NULL, false};
    if (!text || smi_child_open(&w->child, &spec, &err)) {
        snprintf(f->why, sizeof f->why, "%.200s", text ? err.text : "out of memory");
        schedule_restart(f, now_ms);
    } else {
        set_state(f, SMI_FOLLOW_EXEC_STARTING);
    }
    smi_mem_free(text);
}

/* ---- what it prints ---- */

/* It is another file than we know: from its first byte. */
static int begin_file_again(struct smi_follow_exec *f, const char *text, int64_t now_ms)
{
    struct smi_follow_exec_work *w = f->work;
    int rc = smi_follow_offer_again(w->tail, f->file, false);
    w->whole = false;
    w->ending = true;
    smi_child_stop(&w->child, &w->times.stop, now_ms);
    report_state(f, true, text);
    return rc;
}

/* Is the byte at place `from` as it was? Those between head and last are not known. */
static bool matches_known_bytes(const struct smi_follow_exec_work *w, char c)
{
    const struct smi_follow_position *k = &w->known;
    int64_t last = k->offset - k->last_n;
    if (w->from < (int64_t)k->head_n && (unsigned char)c != k->head[w->from])
        return false;
    return w->from < last || (unsigned char)c == k->last[w->from - last];
}

static int handle_bytes(struct smi_follow_exec *f, const char *p, size_t n, int64_t now_ms)
{
    struct smi_follow_exec_work *w = f->work;
    for (; n && w->from < w->until; p++, n--, w->from++)
        if (!matches_known_bytes(w, *p))
            return begin_file_again(f, "the file there is another one: it is read from its beginning",
                                    now_ms);
    if (w->from >= w->until) { /* the same file */
        w->whole = false;
        w->pause_ms = w->times.pause;
        f->why[0] = 0;
        set_state(f, SMI_FOLLOW_EXEC_READING);
    }
    w->from += (int64_t)n;
    return n ? smi_follow_push(w->tail, f->file, p, n) : 0;
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
    struct smi_follow_exec_work *w = f->work;
    w->line[w->line_n] = 0;
    w->line_n = 0;
    if (w->line[0])
        snprintf(f->why, sizeof f->why, "%s", w->line);
    if (!reports_new_file(w->line) || w->from < w->until || w->ending)
        return 0;
    int rc = smi_follow_offer_again(w->tail, f->file, true);
    w->from = w->until = 0;
    report_state(f, strstr(w->line, "truncated") != NULL, f->why);
    return rc;
}

static int read_err(struct smi_follow_exec *f)
{
    struct smi_follow_exec_work *w = f->work;
    char piece[1024];
    int rc = 0;
    ssize_t n;
    for (int k = 0; k < 64 && (n = smi_child_read(&w->child.err, piece, sizeof piece)) > 0; k++)
        for (ssize_t i = 0; i < n; i++)
            if (piece[i] == '\n')
                rc |= handle_message(f);
            else if (w->line_n + 1 < sizeof w->line)
                w->line[w->line_n++] = piece[i];
    return rc;
}

/* What tail does not take is left in the pipe: its writer waits. */
static int drain_stdout(struct smi_follow_exec *f, int64_t now_ms)
{
    struct smi_follow_exec_work *w = f->work;
    char piece[PIECE];
    ssize_t n;
    int rc = smi_follow_push(w->tail, f->file, NULL, 0);
    for (size_t all = 0; !rc && !w->ending && all < READ_MOST; all += (size_t)n) {
        if ((n = smi_child_read(&w->child.out, piece, sizeof piece)) <= 0)
            break;
        w->heard_ms = now_ms;
        rc = handle_bytes(f, piece, (size_t)n, now_ms);
    }
    w->held = rc > 0;
    return rc < 0 ? -1 : 0;
}

/* ---- its end ---- */

/* What we have is not confirmed. Nothing came, but it was asked for the end of what we have: all is asked
 * for, and compared. It was asked for all, and that ends before what we have does: it is a shorter file. */
static int64_t answer_deadline(const struct smi_follow_exec_work *w)
{
    return w->child.pid && !w->ending && !w->stopping && w->from < w->until ? w->heard_ms + w->times.answer
                                                                            : INT64_MAX;
}

static int handle_no_answer(struct smi_follow_exec *f, int64_t now_ms)
{
    struct smi_follow_exec_work *w = f->work;
    if (w->whole && w->from > 0)
        return begin_file_again(f, "the file there is shorter than it was: it is read from its beginning",
                                now_ms);
    w->whole = !w->whole;
    w->ending = true;
    smi_child_stop(&w->child, &w->times.stop, now_ms);
    return 0;
}

static int handle_end(struct smi_follow_exec *f, int64_t now_ms)
{
    struct smi_follow_exec_work *w = f->work;
    int rc = read_err(f), status = w->child.status;
    while (w->child.out >= 0 && !w->ending) { /* all that is left; what is not taken now is asked for again */
        int64_t before = w->from;
        rc |= drain_stdout(f, now_ms);
        if (w->from == before)
            break;
    }
    bool quick = w->ending;
    smi_child_close(&w->child);
    if (w->stopping)
        return rc;
    if (quick) {
        start_command(f, now_ms);
        return rc;
    }
    if (!status && w->from < w->until) /* a command that does not wait for more */
        rc |= handle_no_answer(f, now_ms);
    if (!f->why[0] && WIFSIGNALED(status))
        snprintf(f->why, sizeof f->why, "the command was ended by signal %d", WTERMSIG(status));
    else if (!f->why[0])
        snprintf(f->why, sizeof f->why, "the command ended with status %d", WEXITSTATUS(status));
    schedule_restart(f, now_ms);
    return rc;
}

/* ---- as a source of the loop ---- */

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_follow_exec *f = self;
    const struct smi_follow_exec_work *w = f->work;
    smi_loop_watch(l, w->held ? -1 : w->child.out);
    smi_loop_watch(l, w->child.err);
    smi_loop_watch(l, w->child.pidfd);
    smi_loop_wake(l, smi_child_due(&w->child, l->now_ms));
    smi_loop_wake(l, answer_deadline(w));
    if (!w->stopping && !w->child.pid)
        smi_loop_wake(l, w->due_ms);
    if (w->held)
        smi_loop_wake(l, l->now_ms + HELD_MS);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_follow_exec *f = self;
    struct smi_follow_exec_work *w = f->work;
    int rc = 0;
    (void)err;
    if (!w->child.pid && !w->stopping && l->now_ms >= w->due_ms)
        start_command(f, l->now_ms);
    if (w->child.err >= 0)
        rc |= read_err(f);
    if (w->held || smi_loop_ready(l, w->child.out))
        rc |= drain_stdout(f, l->now_ms);
    if (l->now_ms >= answer_deadline(w))
        rc |= handle_no_answer(f, l->now_ms);
    if (w->child.pid && smi_child_poll(&w->child, l->now_ms) == SMI_CHILD_ENDED)
        rc |= handle_end(f, l->now_ms);
    return rc ? -1 : 0;
}

struct smi_loop_source smi_follow_exec_source(struct smi_follow_exec *f)
{
    return (struct smi_loop_source){f, prepare, run};
}

void smi_follow_exec_stop(struct smi_follow_exec *f, int64_t now_ms)
{
    f->work->stopping = true;
    smi_child_stop(&f->work->child, &f->work->times.stop, now_ms);
    set_state(f, SMI_FOLLOW_EXEC_STOPPED);
}

bool smi_follow_exec_busy(const struct smi_follow_exec *f)
{
    return f->work->child.pid != 0;
}

struct smi_follow_exec *smi_follow_exec_new(struct smi_follow *t, const struct smi_follow_exec_opts *o,
                                            struct smi_err *err)
{
    struct smi_follow_exec *f = smi_mem_new(1, sizeof *f);
    struct smi_follow_exec_work *w = f ? f->work = smi_mem_new(1, sizeof *w) : NULL;
    if (w) {
        w->child = smi_child_none;
        w->tail = t;
        w->times = o->times ? *o->times : smi_follow_exec_times;
        w->pause_ms = w->times.pause;
        w->told = o->told;
        w->self = o->self;
        w->due_ms = INT64_MIN;
        w->command = smi_mem_text(o->command, strlen(o->command));
    }
    if (!w || !w->command) {
        smi_err_nomem(err);
        smi_follow_exec_free(f);
        return NULL;
    }
    if ((f->file = smi_follow_stream(t, o->name, o->at, err)) < 0) {
        smi_follow_exec_free(f);
        return NULL;
    }
    return f;
}

void smi_follow_exec_free(struct smi_follow_exec *f)
{
    if (!f)
        return;
    if (f->work) {
        smi_child_close(&f->work->child);
        smi_mem_free(f->work->command);
    }
    smi_mem_free(f->work);
    smi_mem_free(f);
}
