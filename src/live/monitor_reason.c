/* Why a child ended, in words. */
#include "live/monitor_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

const char *const smi_monitor_states[] = {
    [SMI_MONITOR_STOPPED] = "stopped", [SMI_MONITOR_STARTING] = "starting",     [SMI_MONITOR_OK] = "ok",
    [SMI_MONITOR_SILENT] = "silent",   [SMI_MONITOR_RESTARTING] = "restarting", [SMI_MONITOR_GONE] = "gone"};

enum { NO_SUCH_GPU = 6 };

/* "RETURN VALUE" of nvidia-smi(1), driver 550; 1, 18 and 255 as they have been seen. */
static const struct {
    int code;
    const char *words;
} exits[] = {{2, "bad argument"},
             {3, "not available on this device"},
             {4, "no permission"},
             {NO_SUCH_GPU, "object not found"},
             {8, "external power cable not attached"},
             {9, "no driver"},
             {10, "interrupt issue with a GPU"},
             {12, "NVML library not found"},
             {13, "NVML has no such function"},
             {14, "infoROM corrupted"},
             {15, "GPU fell off the bus"},
             {18, "driver and library do not match"},
             {127, "not started"},
             {255, "internal driver error"}};

const char *smi_monitor_exit_text(int code)
{
    for (size_t i = 0; i < sizeof exits / sizeof *exits; i++)
        if (exits[i].code == code)
            return exits[i].words;
    return NULL;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void add_part(struct smi_last_line *l, const char *p, size_t n)
{
    n = smaller(n, sizeof l->part - l->part_n);
    memcpy(l->part + l->part_n, p, n);
    l->part_n += n;
}

/* Rows and heads, of the monitors' formats: a message has no three commas, and does not begin with a number.
 */
static bool is_row(struct smi_text t)
{
    int commas = 0;
    for (size_t i = 0; i < t.n; i++)
        commas += t.p[i] == ',';
    return commas >= 3 || *t.p == '#' || (*t.p >= '0' && *t.p <= '9');
}

static void end_line(struct smi_last_line *l)
{
    struct smi_text t = smi_text_trim((struct smi_text){l->part, l->part_n});
    while (t.n && t.p[t.n - 1] == '\r')
        t.n--;
    l->part_n = 0;
    if (t.n && l->of_rows && is_row(t)) {
        l->line_n = 0;
        l->rows++;
    } else if (t.n && (!l->of_rows || !l->line_n)) {
        memcpy(l->line, t.p, l->line_n = t.n);
    }
}

size_t smi_last_line_add(struct smi_last_line *l, const char *p, size_t n)
{
    size_t before = l->rows;
    const char *end = p + n;
    for (const char *lf; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
        add_part(l, p, (size_t)(lf - p));
        end_line(l);
    }
    add_part(l, p, (size_t)(end - p));
    return l->rows - before;
}

/* One safe line that fits, cut between characters. */
static void put_reason(struct smi_monitor *m, const struct smi_buf *b)
{
    size_t n = b->failed ? 0 : smaller(b->n, sizeof m->reason - 1);
    while (n < b->n && n && (b->p[n] & 0xC0) == 0x80)
        n--;
    if (n)
        memcpy(m->reason, b->p, n);
    m->reason[n] = 0;
}

void smi_monitor_set_reason(struct smi_monitor *m, const char *fmt, ...)
{
    char text[SMI_MONITOR_REASON * 2];
    struct smi_buf b = {0};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    smi_buf_safe(&b, smi_text_of(text));
    put_reason(m, &b);
    smi_buf_fini(&b);
}

static struct smi_text keep_last_line(struct smi_last_line *l)
{
    if (l->part_n)
        end_line(l); /* it ended in the middle of a line */
    return (struct smi_text){l->line, l->line_n};
}

void smi_monitor_set_exit_reason(struct smi_monitor *m, const struct smi_child *c)
{
    struct smi_buf b = {0};
    struct smi_text err = keep_last_line(&m->work->err), out = keep_last_line(&m->work->out),
                    what = err.n ? err : out;
    int code = WIFEXITED(c->status) ? WEXITSTATUS(c->status) : -1;
    const char *words = code > 0 ? smi_monitor_exit_text(code) : NULL;
    if (c->cause)
        smi_buf_fmt(&b, "could not be started: %s", strerror(c->cause));
    else if (c->status < 0)
        smi_buf_str(&b, "ended");
    else if (WIFSIGNALED(c->status))
        smi_buf_fmt(&b, "killed by signal %d", WTERMSIG(c->status));
    else
        smi_buf_fmt(&b, words ? "exit %d (%s)" : "exit %d", code, words);
    if (what.n) {
        smi_buf_str(&b, ": ");
        smi_buf_safe(&b, what);
    }
    if (code == NO_SUCH_GPU && m->work->gpus) {
        smi_buf_clear(&b);
        smi_buf_fmt(&b, "there is no GPU %s", m->work->gpus);
    }
    put_reason(m, &b);
    smi_buf_fini(&b);
}
