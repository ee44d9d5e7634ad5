/* follow_read.c - bytes of one file or stream from a place on, handed on in whole lines. */
#include "live/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static ssize_t read_at(int fd, char *buf, size_t n, int64_t at)
{
    size_t all = 0;
    while (all < n) {
        ssize_t got = pread(fd, buf + all, n - all, at + (int64_t)all);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (!got)
            break;
        all += (size_t)got;
    }
    return (ssize_t)all;
}

void smi_follow_begin(struct smi_follow_position *at, struct smi_follow_id id, int64_t began_ns)
{
    at->part++;
    at->id = id;
    at->began_ns = began_ns;
    at->offset = at->line = 0;
    at->copy = at->head_n = at->last_n = 0;
}

static bool head_holds(const struct smi_follow_position *at, int fd)
{
    char head[SMI_FOLLOW_HEAD];
    size_t n = at->head_n;
    return !n || (read_at(fd, head, n, 0) == (ssize_t)n && !memcmp(head, at->head, n));
}

bool smi_follow_matches_content(const struct smi_follow_position *at, int fd)
{
    char last[SMI_FOLLOW_LAST];
    size_t n = at->last_n;
    return head_holds(at, fd) && (!n || (read_at(fd, last, n, at->offset - (int64_t)n) == (ssize_t)n &&
                                         !memcmp(last, at->last, n)));
}

/* at moves behind n bytes. */
static void skip_bytes(struct smi_follow_position *at, const char *p, size_t n, int64_t lines)
{
    if (at->head_n == at->offset && at->head_n < SMI_FOLLOW_HEAD) {
        size_t room = SMI_FOLLOW_HEAD - at->head_n, take = n < room ? n : room;
        memcpy(at->head + at->head_n, p, take);
        at->head_n += (uint32_t)take;
    }
    if (n >= SMI_FOLLOW_LAST) {
        memcpy(at->last, p + n - SMI_FOLLOW_LAST, SMI_FOLLOW_LAST);
        at->last_n = SMI_FOLLOW_LAST;
    } else {
        size_t keep = at->last_n + n > SMI_FOLLOW_LAST ? SMI_FOLLOW_LAST - n : at->last_n;
        memmove(at->last, at->last + at->last_n - keep, keep);
        memcpy(at->last + keep, p, n);
        at->last_n = (uint32_t)(keep + n);
    }
    at->offset += (int64_t)n;
    at->line += lines;
}

/* Hands n bytes on, and moves at behind them. Returns as bytes does. */
static int follow_deliver(struct smi_follow *t, struct smi_follow_file *f, const char *p, size_t n)
{
    int64_t lines = 0;
    int rc = t->o.calls.bytes(t->o.calls.self, f->place, p, n);
    f->held = rc > 0;
    if (rc < 0)
        t->failed = -1;
    if (rc)
        return rc;
    for (const char *e = p; (e = memchr(e, '\n', (size_t)(p + n - e))); e++)
        lines++;
    lines += n && p[n - 1] != '\n';
    skip_bytes(&f->at, p, n, lines);
    f->grew_ms = t->now_ms;
    return 0;
}

/* Zeros from here on for `n` bytes or more: are they waited for? */
static bool wait_for_hole(struct smi_follow *t, struct smi_follow_file *f)
{
    if (f->over || (f->cut && !f->at.offset))
        return false;
    if (f->hole_over && f->at.offset >= f->hole_at && f->at.offset < f->hole_to)
        return false; /* it has waited beside the one that was passed over */
    if (f->hole_ms < 0 || f->hole_at != f->at.offset) {
        f->hole_ms = t->now_ms;
        f->hole_at = f->at.offset;
        f->hole_to = f->size;
    }
    f->hole_over = t->now_ms - f->hole_ms >= t->times.hole;
    return !f->hole_over;
}

/* A line begins with zeros: a writer that does not append goes on where it was when the file was truncated
 * under it, and leaves a hole; or the bytes have not come yet. p: n bytes, the first one is 0. */
static enum smi_follow_outcome pass_hole(struct smi_follow *t, struct smi_follow_file *f, int fd,
                                         const char *p, size_t n)
{
    static const char none[SMI_FOLLOW_LAST];
    int64_t to = f->at.offset, data;
    size_t k = 0;
    if (wait_for_hole(t, f))
        return SMI_FOLLOW_READ_ALL;
    while (k < n && !p[k])
        k++;
    to += (int64_t)k;
    data = k == n ? lseek(fd, to, SEEK_DATA) : -1;
    if (k == n && (n < SMI_FOLLOW_CHUNK || data < 0)) /* up to the end: they may still become bytes */
        return SMI_FOLLOW_READ_ALL;
    if (data > to) { /* all of it at once; the last bytes before it are zeros */
        k = 0;
        f->at.offset = data - (int64_t)sizeof none;
        skip_bytes(&f->at, none, sizeof none, 0);
    }
    skip_bytes(&f->at, p, k, 0);
    if (k < n || data > to)
        smi_follow_report(t, f, SMI_FOLLOW_PASSED, false, "zeros before byte %lld were passed over",
                          (long long)f->at.offset);
    else
        f->hole_at = f->at.offset; /* the wait is over for all of it */
    return SMI_FOLLOW_READ_SOME;
}

/* Room for a piece of n bytes. */
static bool room(struct smi_follow *t, size_t n)
{
    if (t->buf_n >= SMI_FOLLOW_LAST + n)
        return true;
    char *p = smi_mem_raw(SMI_FOLLOW_LAST + n);
    smi_mem_free(t->buf);
    t->buf = p;
    t->buf_n = SMI_FOLLOW_LAST + n;
    return true;
}

/* A piece of up to want bytes at f->at.offset + `ahead`: *p, *n. */
static enum smi_follow_outcome read_chunk(struct smi_follow *t, struct smi_follow_file *f, int fd,
                                          size_t want, char **p, size_t *n)
{
    size_t last = f->at.last_n;
    ssize_t got;
    *n = 0;
    if (!room(t, want))
        return SMI_FOLLOW_READ_FAILED;
    got = read_at(fd, t->buf, last + want, f->at.offset - (int64_t)last);
    if (got < 0)
        return SMI_FOLLOW_READ_FAILED;
    if ((size_t)got < last || memcmp(t->buf, f->at.last, last) != 0)
        return SMI_FOLLOW_READ_OTHER;
    *p = t->buf + last;
    *n = (size_t)got - last;
    return SMI_FOLLOW_READ_ALL;
}

/* The line at offset has more than SMI_FOLLOW_LINE_MAX bytes: its end is sought, and offset moved behind it.
 */
static enum smi_follow_outcome skip_line(struct smi_follow *t, struct smi_follow_file *f, int fd)
{
    int64_t from = f->skip_to ? f->skip_to : f->at.offset + SMI_FOLLOW_LINE_MAX;
    ssize_t n = read_at(fd, t->buf, SMI_FOLLOW_CHUNK, from);
    const char *e = n > 0 ? memchr(t->buf, '\n', (size_t)n) : NULL;
    if (n < 0)
        return SMI_FOLLOW_READ_FAILED;
    f->skip_to = from + n;
    if (!e)
        return n < SMI_FOLLOW_CHUNK ? SMI_FOLLOW_READ_ALL : SMI_FOLLOW_READ_SOME;
    f->skip_to = 0;
    from += e + 1 - t->buf;
    int64_t bytes = from - f->at.offset;
    if (read_at(fd, t->buf, SMI_FOLLOW_LAST, from - SMI_FOLLOW_LAST) != SMI_FOLLOW_LAST)
        return SMI_FOLLOW_READ_OTHER;
    f->at.offset = from - SMI_FOLLOW_LAST;
    skip_bytes(&f->at, t->buf, SMI_FOLLOW_LAST, 1);
    f->lost_lines++;
    smi_follow_report(t, f, SMI_FOLLOW_PASSED, true,
                      "a line of %lld bytes was passed over: at most %d are read", (long long)bytes,
                      SMI_FOLLOW_LINE_MAX);
    return SMI_FOLLOW_READ_SOME;
}

/* Whole lines of a piece. Zeros in them may be bytes that are still on their way: lines before them are
 * taken. */
static enum smi_follow_outcome take(struct smi_follow *t, struct smi_follow_file *f, int fd, const char *p,
                                    size_t n)
{
    const char *zero = memchr(p, 0, n), *end;
    if (zero == p)
        return pass_hole(t, f, fd, p, n);
    end = memrchr(p, '\n', zero ? (size_t)(zero - p) : n);
    if (zero && !end) { /* in the midst of the first line */
        end = memchr(zero, '\n', (size_t)(p + n - zero));
        if (end && wait_for_hole(t, f))
            return SMI_FOLLOW_READ_ALL;
    }
    if (!end)
        return SMI_FOLLOW_READ_ALL;
    return follow_deliver(t, f, p, (size_t)(end + 1 - p)) ? SMI_FOLLOW_READ_SOME : SMI_FOLLOW_READ_ALL;
}

/* One piece more. *end: there is no more for now. */
static enum smi_follow_outcome read_step(struct smi_follow *t, struct smi_follow_file *f, int fd,
                                         size_t *want, bool *end)
{
    int64_t before = f->at.offset;
    char *p;
    size_t n;
    if (f->skip_to)
        return skip_line(t, f, fd);
    enum smi_follow_outcome did = read_chunk(t, f, fd, *want, &p, &n);
    /* While nothing of it was read, its content cannot show that it was truncated again. */
    if (did == SMI_FOLLOW_READ_ALL && n && !before && f->cut && !f->at.copy && smi_follow_was_copied(t, f))
        did = SMI_FOLLOW_READ_OTHER;
    if (did != SMI_FOLLOW_READ_ALL || !n) {
        *end = true;
        return did;
    }
    did = take(t, f, fd, p, n);
    if (f->at.offset != before) {
        *end = n < *want && did == SMI_FOLLOW_READ_ALL && !memchr(p, 0, n);
        *want = SMI_FOLLOW_CHUNK;
    } else if (did == SMI_FOLLOW_READ_ALL && n == *want && !memchr(p, '\n', n)) {
        if (n > SMI_FOLLOW_LINE_MAX)
            return skip_line(t, f, fd);
        *want = *want * 4 > SMI_FOLLOW_LINE_MAX ? SMI_FOLLOW_LINE_MAX + 1 : *want * 4;
    } else {
        *end = true;
    }
    return did;
}

/* Shorter than it was, and nothing of it was read, so that its content tells nothing. */
static bool is_shorter(const struct smi_follow_file *f, int fd)
{
    struct smi_follow_stat st;
    return !f->at.offset && f->seen.size > 0 && fd == f->fd && f->seen.id.ino == f->at.id.ino &&
           !smi_follow_stat(fd, "", AT_EMPTY_PATH, &st) && st.size < f->seen.size;
}

enum smi_follow_outcome smi_follow_read(struct smi_follow *t, struct smi_follow_file *f, int fd, int64_t most)
{
    int64_t until = f->at.offset + most;
    size_t want = SMI_FOLLOW_CHUNK;
    bool end = false;
    if (!head_holds(&f->at, fd) || is_shorter(f, fd))
        return SMI_FOLLOW_READ_OTHER;
    for (;;) {
        enum smi_follow_outcome did = read_step(t, f, fd, &want, &end);
        if (did == SMI_FOLLOW_READ_OTHER || did == SMI_FOLLOW_READ_FAILED)
            return did;
        if (f->held || t->failed)
            return SMI_FOLLOW_READ_SOME;
        if (end || (did == SMI_FOLLOW_READ_ALL && f->skip_to))
            return did;
        if (f->at.offset >= until)
            return SMI_FOLLOW_READ_SOME;
    }
}

enum smi_follow_outcome smi_follow_read_rest(struct smi_follow *t, struct smi_follow_file *f, int fd)
{
    char *p;
    size_t n;
    f->skip_to = 0;
    enum smi_follow_outcome did = read_chunk(t, f, fd, SMI_FOLLOW_LINE_MAX, &p, &n);
    if (did != SMI_FOLLOW_READ_ALL || !n)
        return did;
    if (n < SMI_FOLLOW_LINE_MAX && !memchr(p, 0, n))
        return follow_deliver(t, f, p, n) ? SMI_FOLLOW_READ_SOME : SMI_FOLLOW_READ_ALL;
    f->lost_lines++;
    smi_follow_report(t, f, SMI_FOLLOW_PASSED, true,
                      "the unfinished line at its end is no text, or too long: passed over");
    return SMI_FOLLOW_READ_ALL;
}

/* what cannot be read again: standard input, FIFOs, and streams that the owner pushes. What
 * was not taken, and the line in the making, are kept here. */

/* Hands on what of part is whole; `all`: what is not, too. */
static int deliver_part(struct smi_follow *t, struct smi_follow_file *f, bool all)
{
    struct smi_buf *b = &f->part;
    const char *end = b->n ? memrchr(b->p, '\n', b->n) : NULL;
    size_t n = all ? b->n : end ? (size_t)(end + 1 - b->p) : 0;
    int rc = n ? follow_deliver(t, f, b->p, n) : 0;
    if (rc)
        return rc;
    b->n -= n;
    if (n)
        memmove(b->p, b->p + n, b->n);
    return 0;
}

/* A line that is too long is passed over: its begin at once, the rest as it comes. */
static void cut_line(struct smi_follow *t, struct smi_follow_file *f)
{
    if (f->part.n <= SMI_FOLLOW_LINE_MAX)
        return;
    f->at.offset += (int64_t)f->part.n;
    f->at.last_n = 0;
    f->part.n = 0;
    if (!f->skip_to) {
        f->skip_to = 1;
        f->lost_lines++;
        smi_follow_report(t, f, SMI_FOLLOW_PASSED, true, "a line of more than %d bytes was passed over",
                          SMI_FOLLOW_LINE_MAX);
    }
}

static void append_part(struct smi_follow_file *f, const char *p, size_t n)
{
    if (f->skip_to) {
        const char *e = memchr(p, '\n', n);
        size_t k = e ? (size_t)(e + 1 - p) : n;
        f->at.offset += (int64_t)k;
        f->at.line += e != NULL;
        f->skip_to = e ? 0 : 1;
        p += k;
        n -= k;
    }
    smi_buf_add(&f->part, p, n);
}

int smi_follow_push(struct smi_follow *t, int file, const char *p, size_t n)
{
    struct smi_follow_file *f = t->file[file];
    int rc = f->held ? deliver_part(t, f, false) : 0;
    if (!rc && n) {
        append_part(f, p, n);
        rc = 0;
    } else
        return rc;
    if (rc)
        return rc;
    f->state = SMI_FOLLOW_READING;
    rc = deliver_part(t, f, false); /* if that is not taken, it is ours all the same */
    if (!rc)
        cut_line(t, f);
    return rc < 0 ? -1 : 0;
}

int smi_follow_offer_again(struct smi_follow *t, int file, bool whole)
{
    struct smi_follow_file *f = t->file[file];
    int rc = deliver_part(t, f, whole);
    if (rc)
        return rc;
    f->part.n = 0;
    f->skip_to = 0;
    smi_follow_begin(&f->at, (struct smi_follow_id){0}, 0);
    return 0;
}

void smi_follow_rewind(struct smi_follow *t, int file)
{
    struct smi_follow_file *f = t->file[file];
    f->part.n = 0;
    f->skip_to = 0;
    f->held = false;
}

int smi_follow_end(struct smi_follow *t, int file)
{
    struct smi_follow_file *f = t->file[file];
    int rc = f->state == SMI_FOLLOW_ENDED ? 0 : deliver_part(t, f, true);
    if (rc || f->state == SMI_FOLLOW_ENDED)
        return rc;
    f->state = SMI_FOLLOW_ENDED;
    if (f->ours && f->fd > 0)
        close(f->fd);
    f->fd = -1;
    smi_follow_report(t, f, SMI_FOLLOW_END, false, "it has ended");
    return 0;
}

void smi_follow_stream_read(struct smi_follow *t, struct smi_follow_file *f)
{
    char piece[16384];
    ssize_t n;
    if (f->held && smi_follow_push(t, f->place, NULL, 0))
        return;
    n = f->dirty ? read(f->fd, piece, sizeof piece) : -1;
    if (f->dirty && n < 0 && errno != EAGAIN && errno != EINTR) {
        smi_follow_report(t, f, SMI_FOLLOW_REFUSED, true, "%s", strerror(errno));
        n = 0;
    }
    if (n > 0)
        smi_follow_push(t, f->place, piece, (size_t)n);
    f->more = n == 0;
    if (n == 0 && !smi_follow_end(t, f->place))
        f->more = false;
    f->dirty = false;
}
