#include "formats/lines.h"

#include "base/mem.h"
#include "formats/format.h"
#include "formats/line_front.h"

#include <string.h>

/* A line may be one byte longer while it is kept: the CR before a LF that has not come yet. */
enum { HELD_MAX = SMI_LINE_MAX + 1, QUOTE = 256 };

static bool is_blank(struct smi_text line)
{
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] != ' ' && line.p[i] != '\t')
            return false;
    return true;
}

/* Windows tools begin a file with EF BB BF: not a part of the first name, nor of the line that another such
 * file begins with behind it. */
static struct smi_text without_bom(struct smi_text t)
{
    if (t.n >= 3 && memcmp(t.p, "\xEF\xBB\xBF", 3) == 0)
        return (struct smi_text){t.p + 3, t.n - 3};
    return t;
}

static int warn_of_hole(struct smi_lines *l, struct smi_err *err)
{
    bool hole = l->hole;
    l->hole = false;
    return hole ? smi_account_warn(l->account, SMI_LOG_WARNING_OTHER, err,
                                   "NUL bytes in front: the log was emptied while it was written to")
                : 0;
}

/* A whole line, still with its CR. */
static int pass_line(struct smi_lines *l, struct smi_text line, struct smi_err *err)
{
    struct smi_account *a = l->account;
    a->lines++;
    if (warn_of_hole(l, err))
        return -1;
    if (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    if (line.n > SMI_LINE_MAX)
        return smi_account_reject(a, SMI_REJECT_TOO_LONG, line, err);
    line = without_bom(line);
    l->begun = true;
    l->front = l->whole ? (struct smi_text){"", 0} : smi_line_front_cut(&line);
    if (l->front.n && l->date && l->date(l->self, l->front, err))
        return -1;
    if (is_blank(line)) {
        a->blank++;
        return 0;
    }
    return l->line(l->self, line, err);
}

static int append_held_bytes(struct smi_lines *l, const char *p, size_t n, struct smi_err *err)
{
    if (smi_mem_reserve(&l->keep, &l->cap, l->kept + n + 1, 1))
        return smi_err_nomem(err);
    memcpy(l->keep + l->kept, p, n);
    l->kept += n;
    return 0;
}

/* Only the beginning is still needed, for the quote; then the memory goes, and all up to the next LF. */
static int reject_long_line(struct smi_lines *l, const char *p, size_t n, struct smi_err *err)
{
    int rc = append_held_bytes(l, p, n < QUOTE ? n : QUOTE, err);
    l->skipping = l->begun = true;
    l->account->lines++;
    if (rc == 0)
        rc = smi_account_reject(l->account, SMI_REJECT_TOO_LONG, (struct smi_text){l->keep, l->kept}, err);
    smi_lines_fini(l);
    return rc;
}

/* Bytes of a line whose end was not seen yet. */
static int hold_line_begin(struct smi_lines *l, const char *p, size_t n, struct smi_err *err)
{
    if (l->skipping || !n)
        return 0;
    if (n > HELD_MAX - l->kept)
        return reject_long_line(l, p, n, err);
    return append_held_bytes(l, p, n, err);
}

/* The last n bytes of a line, up to its LF. */
static int complete_line(struct smi_lines *l, const char *p, size_t n, struct smi_err *err)
{
    if (!l->kept && !l->skipping)
        return pass_line(l, (struct smi_text){p, n}, err);
    if (hold_line_begin(l, p, n, err))
        return -1;
    n = l->kept;
    l->kept = 0;
    if (l->skipping) {
        l->skipping = false;
        return 0;
    }
    l->keep[n] = '\n'; /* no leftover of a longer line behind it: readers stop at what is no digit */
    return pass_line(l, (struct smi_text){l->keep, n}, err);
}

/* Empty lines one behind the other: small packed files hold gigabytes of them. Returns what is behind them.
 */
static const char *skip_empty(struct smi_lines *l, const char *p, const char *end)
{
    const char *from = p;
    if (!l->begun || l->kept || l->skipping)
        return p;
    while (p < end && *p == '\n')
        p++;
    l->account->lines += p - from;
    l->account->blank += p - from;
    return p;
}

int smi_lines_feed(struct smi_lines *l, const char *p, size_t n, struct smi_err *err)
{
    const char *end = p + n, *lf;
    while ((p = skip_empty(l, p, end)) < end) {
        if (l->rows && l->begun && !l->kept && !l->skipping) {
            ptrdiff_t used = l->rows(l->self, p, (size_t)(end - p), err);
            if (used < 0)
                return -1;
            p += used;
        }
        for (; p < end && !*p && !l->begun && !l->kept; p++)
            l->hole = true;
        lf = memchr(p, '\n', (size_t)(end - p));
        if (!lf)
            return hold_line_begin(l, p, (size_t)(end - p), err);
        if (complete_line(l, p, (size_t)(lf - p), err))
            return -1;
        p = lf + 1;
    }
    return 0;
}

int smi_lines_finish(struct smi_lines *l, struct smi_err *err)
{
    struct smi_text tail = {l->keep, l->kept}, bare;
    bool long_one;
    l->kept = 0;
    l->skipping = false;
    tail = without_bom(tail);
    if (!tail.n)
        return warn_of_hole(l, err);
    long_one = tail.n > SMI_LINE_MAX && tail.p[tail.n - 1] != '\r';
    bare = (struct smi_text){tail.p, tail.n - (tail.p[tail.n - 1] == '\r')};
    if (!l->whole)
        smi_line_front_cut(&bare);
    if (!long_one && l->format && l->format->whole && l->format->whole(l->self, bare)) {
        l->keep[tail.p + tail.n - l->keep] = '\n'; /* as behind any line */
        return pass_line(l, tail, err);
    }
    l->account->lines++;
    return smi_account_reject(l->account, long_one ? SMI_REJECT_TOO_LONG : SMI_REJECT_TORN_TAIL, tail, err);
}

void smi_lines_fini(struct smi_lines *l)
{
    smi_mem_free(l->keep);
    l->keep = NULL;
    l->kept = l->cap = 0;
}

bool smi_lines_on_base(struct smi_lines *l, enum smi_time_base base)
{
    if (l->base == SMI_TIME_BASE_NONE)
        l->base = base;
    return l->base == base;
}
