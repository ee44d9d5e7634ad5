/* follow_stream.c - what cannot be read again: standard input, FIFOs, and streams that the owner pushes. What
 * was not taken, and the line in the making, are kept here. */
#include "live/follow_private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Hands on what of part is whole; `all`: what is not, too. */
static int deliver_part(struct smi_follow *t, struct smi_follow_file *f, bool all)
{
    struct smi_buf *b = &f->work->part;
    const char *end = b->n ? memrchr(b->p, '\n', b->n) : NULL;
    size_t n = all ? b->n : end ? (size_t)(end + 1 - b->p) : 0;
    int rc = n ? smi_follow_deliver(t, f, b->p, n) : 0;
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
    struct smi_follow_work *w = f->work;
    if (w->part.n <= SMI_FOLLOW_LINE_MAX)
        return;
    f->at.offset += (int64_t)w->part.n;
    f->at.last_n = 0;
    w->part.n = 0;
    if (!w->skip_to) {
        w->skip_to = 1;
        f->lost_lines++;
        smi_follow_report(t, f, SMI_FOLLOW_PASSED, true, "a line of more than %d bytes was passed over",
                          SMI_FOLLOW_LINE_MAX);
    }
}

static int append_part(struct smi_follow *t, struct smi_follow_file *f, const char *p, size_t n)
{
    struct smi_follow_work *w = f->work;
    if (w->skip_to) {
        const char *e = memchr(p, '\n', n);
        size_t k = e ? (size_t)(e + 1 - p) : n;
        f->at.offset += (int64_t)k;
        f->at.line += e != NULL;
        w->skip_to = e ? 0 : 1;
        p += k;
        n -= k;
    }
    smi_buf_add(&w->part, p, n);
    if (w->part.failed)
        return smi_follow_nomem(t);
    return 0;
}

int smi_follow_push(struct smi_follow *t, int file, const char *p, size_t n)
{
    struct smi_follow_file *f = t->file[file];
    int rc = f->work->held ? deliver_part(t, f, false) : 0;
    if (!rc && n)
        rc = append_part(t, f, p, n);
    else
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
    const struct smi_follow_id none = {0};
    int rc = deliver_part(t, f, whole);
    if (rc)
        return rc;
    f->work->part.n = 0;
    f->work->skip_to = 0;
    smi_follow_begin(&f->at, &none, 0);
    return 0;
}

void smi_follow_rewind(struct smi_follow *t, int file)
{
    struct smi_follow_work *w = t->file[file]->work;
    w->part.n = 0;
    w->skip_to = 0;
    w->held = false;
}

int smi_follow_end(struct smi_follow *t, int file)
{
    struct smi_follow_file *f = t->file[file];
    int rc = f->state == SMI_FOLLOW_ENDED ? 0 : deliver_part(t, f, true);
    if (rc || f->state == SMI_FOLLOW_ENDED)
        return rc;
    f->state = SMI_FOLLOW_ENDED;
    if (f->work->ours && f->work->fd > 0)
        close(f->work->fd);
    f->work->fd = -1;
    smi_follow_report(t, f, SMI_FOLLOW_END, false, "it has ended");
    return 0;
}

void smi_follow_stream_read(struct smi_follow *t, struct smi_follow_file *f)
{
    struct smi_follow_work *w = f->work;
    char piece[16384];
    ssize_t n;
    if (w->held && smi_follow_push(t, w->place, NULL, 0))
        return;
    n = w->dirty ? read(w->fd, piece, sizeof piece) : -1;
    if (w->dirty && n < 0 && errno != EAGAIN && errno != EINTR) {
        smi_follow_report(t, f, SMI_FOLLOW_REFUSED, true, "%s", strerror(errno));
        n = 0;
    }
    if (n > 0)
        smi_follow_push(t, w->place, piece, (size_t)n);
    w->more = n == 0;
    if (n == 0 && !smi_follow_end(t, w->place))
        w->more = false;
    w->dirty = false;
}
