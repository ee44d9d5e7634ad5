#include "live/replay_log.h"

#include "base/mem.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 65536, LONG = 1 << 20 /* a line that is looked at in pieces */, DAY_MS = 86400000 };

/* ---- a row's time ---- */

static struct smi_replay_log *log_of_sink(struct smi_sink *self)
{
    return (struct smi_replay_log *)((char *)self - offsetof(struct smi_replay_log, sink));
}

/* Without times a row of a GPU that was there already begins another tick. */
static int on_sample(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_replay_log *l = log_of_sink(self);
    (void)err;
    l->row = true;
    l->timed = s->timed;
    if (s->timed) {
        l->t_ms = s->t_ms;
        return 0;
    }
    l->ticks += l->ticking && s->who <= l->who;
    l->ticking = true;
    l->who = s->who;
    return 0;
}

static int on_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    return smi_rows_each(r, on_sample, self, err);
}

static int on_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_replay_log *l = log_of_sink(self);
    (void)err;
    if (m->kind != SMI_MARK_PHASE && m->kind != SMI_MARK_EVENT)
        return 0;
    l->timed = l->row = true;
    l->t_ms = m->t_us / 1000;
    return 0;
}

/* On the clock of the run. */
static int64_t due_time(const struct smi_replay_log *l)
{
    enum smi_time_base base = smi_ingest_base(l->in);
    int64_t t = l->timed ? l->t_ms : l->day_ms + l->ticks * l->tick_ms;
    if (!l->timed || base == SMI_TIME_BASE_UTC)
        return t;
    if (base == SMI_TIME_BASE_DAY)
        t += l->day_ms + (int64_t)l->offset_s * 1000 - (l->day_ms + (int64_t)l->offset_s * 1000) % DAY_MS;
    return t - (int64_t)l->offset_s * 1000;
}

/* ---- parts ---- */

static void close_part(struct smi_replay_log *l)
{
    smi_ingest_close(l->in);
    smi_input_stats_free(l->part);
    smi_stream_close(l->stream);
    if (l->fd >= 0)
        close(l->fd);
    l->in = NULL;
    l->part = NULL;
    l->stream = NULL;
    l->fd = -1;
}

static int open_part(struct smi_replay_log *l, struct smi_err *err)
{
    struct smi_ingest_opts o = {.format = l->format};
    const char *path = l->path[l->at];
    l->fd = smi_file_open(AT_FDCWD, path, false, &(struct smi_file_info){0}, err);
    if (l->fd < 0)
        return -1;
    l->from = smi_fd_source_make(l->fd, path);
    l->stream = smi_stream_open(&l->from.pull, err);
    l->part = smi_input_stats_new(path, l->format);
    if (!l->stream)
        return -1;
    if (!l->part)
        return smi_err_nomem(err);
    o.account = &l->part->account;
    o.devices = &l->part->devices;
    o.to = &l->sink;
    l->in = smi_ingest_open(&o, err);
    l->over = false;
    l->fresh = true;
    return l->in ? 0 : -1;
}

/* ---- lines ---- */

/* More bytes behind those there are. */
static int fill_buffer(struct smi_replay_log *l, struct smi_err *err)
{
    ssize_t got;
    if (l->done)
        memmove(l->p, l->p + l->done, l->n - l->done);
    l->look -= l->done;
    l->n -= l->done;
    l->done = 0;
    if (smi_mem_reserve(&l->p, &l->cap, l->n + PIECE, 1))
        return smi_err_nomem(err);
    got = smi_stream_read(l->stream, l->p + l->n, PIECE, err);
    if (got < 0)
        return -1;
    l->n += (size_t)got;
    l->over = got == 0;
    return 0;
}

/* Looks at one line more. */
static int scan_line(struct smi_replay_log *l, size_t len, struct smi_err *err)
{
    if (smi_ingest_feed(l->in, l->p + l->look, len, err) || smi_ingest_decide(l->in, err))
        return -1;
    l->look += len;
    return 0;
}

/* Lines up to the next row of this part, or all there are. */
static int scan_lines(struct smi_replay_log *l, struct smi_err *err)
{
    l->row = false;
    while (!l->row) {
        const char *end = l->n > l->look ? memchr(l->p + l->look, '\n', l->n - l->look) : NULL;
        size_t rest = l->n - l->look;
        if (end || rest >= LONG) {
            if (scan_line(l, end ? (size_t)(end + 1 - (l->p + l->look)) : rest, err))
                return -1;
        } else if (!l->over) {
            if (fill_buffer(l, err))
                return -1;
        } else {
            l->look = l->n; /* a last line that is not whole is due with those before it */
            return 0;
        }
    }
    return 0;
}

int smi_replay_log_next(struct smi_replay_log *l, struct smi_err *err)
{
    l->done = l->look;
    l->fresh = false;
    if (scan_lines(l, err))
        return -1;
    while (!l->row && l->look == l->done && l->at + 1 < l->paths) {
        close_part(l);
        l->at++;
        l->done = l->look = l->n = 0;
        if (open_part(l, err) || scan_lines(l, err))
            return -1;
    }
    if (l->row)
        l->next_ms = due_time(l);
    else if (l->look == l->done || l->next_ms == INT64_MIN) /* nothing is left, or never was */
        l->next_ms = INT64_MAX;
    return 0;
}

/* ---- open and close ---- */

int smi_replay_log_open(struct smi_replay_log *l, struct smi_err *err)
{
    l->sink = (struct smi_sink){.rows = on_rows, .mark = on_mark};
    l->fd = -1;
    l->next_ms = INT64_MIN;
    if (open_part(l, err) || scan_lines(l, err))
        return -1;
    l->next_ms = l->row ? due_time(l) : INT64_MAX;
    return 0;
}

void smi_replay_log_fini(struct smi_replay_log *l)
{
    close_part(l);
    for (size_t i = 0; i < l->paths; i++)
        smi_mem_free(l->path[i]);
    smi_mem_free(l->path);
    smi_mem_free(l->name);
    smi_mem_free(l->p);
}
