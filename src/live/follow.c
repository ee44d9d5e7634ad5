/* follow.c - all followed things together: their life, and when each of them is looked at. */
#include "live/follow.h"

#include "sweep/stat_cache.h"
#include "live/follow_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

const struct smi_follow_times smi_follow_times = {
    .look = 1000, .gather = 20, .gone = 1000, .hole = 3000, .scan = 1000};

const char *const smi_follow_file_states[] = {"waiting", "reading", "gone", "closed", "ended"};

void smi_follow_report(struct smi_follow *t, struct smi_follow_file *f, enum smi_follow_event_kind what,
                       bool lost, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    const struct smi_follow_event e = {what, f->work->place, lost, text};
    if (t->o.calls.event)
        t->o.calls.event(t->o.calls.self, &e);
}

int smi_follow_nomem(struct smi_follow *t)
{
    t->failed = -1;
    return smi_err_nomem(t->err);
}

/* ---- life ---- */

struct smi_follow *smi_follow_new(const struct smi_follow_opts *o, struct smi_err *err)
{
    struct smi_follow *t = smi_mem_new(1, sizeof *t);
    if (!t) {
        smi_err_nomem(err);
        return NULL;
    }
    t->o = *o;
    t->times = o->times ? *o->times : smi_follow_times;
    t->notify = o->no_notify ? -1 : inotify_init1(IN_NONBLOCK | IN_CLOEXEC); /* without it, by looking */
    return t;
}

static void file_free(struct smi_follow *t, struct smi_follow_file *f)
{
    if (f->work && f->work->stream && f->work->ours && f->work->fd > 0)
        close(f->work->fd);
    else if (f->work && !f->work->stream)
        smi_follow_close(t, f);
    if (f->work)
        smi_buf_fini(&f->work->part);
    smi_mem_free(f->work);
    smi_mem_free(f->path);
    smi_mem_free(f);
}

void smi_follow_free(struct smi_follow *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->files; i++)
        file_free(t, t->file[i]);
    for (size_t i = 0; i < t->dirs; i++)
        smi_mem_free(t->dir[i].path);
    for (size_t i = 0; i < t->others; i++)
        smi_mem_free(t->other[i].path);
    if (t->notify >= 0)
        close(t->notify);
    smi_mem_free(t->file);
    smi_mem_free(t->dir);
    smi_mem_free(t->other);
    smi_map_fini(&t->names);
    smi_mem_free(t->buf);
    smi_mem_free(t);
}

/* ---- new things ---- */

static int place_in_dir(struct smi_follow *t, struct smi_follow_file *f)
{
    const char *slash = strrchr(f->path, '/');
    char *dir = slash ? smi_mem_text(f->path, slash == f->path ? 1 : (size_t)(slash - f->path))
                      : smi_mem_text(".", 1);
    f->work->base = slash ? slash + 1 : f->path;
    f->work->dir = dir ? smi_follow_watch(t, dir) : -1;
    smi_mem_free(dir);
    return f->work->dir < 0 ? -1 : 0;
}

struct smi_follow_file *smi_follow_file_new(struct smi_follow *t, const char *path)
{
    struct smi_follow_file *f = smi_mem_new(1, sizeof *f);
    if (!f || smi_mem_reserve(&t->file, &t->files_cap, t->files + 1, sizeof *t->file)) {
        smi_mem_free(f);
        return NULL;
    }
    f->format = -1;
    f->grew_ms = -1;
    f->path = smi_mem_text(path, strlen(path));
    f->work = smi_mem_new(1, sizeof *f->work);
    if (f->path && f->work) {
        *f->work = (struct smi_follow_work){.place = (int)t->files,
                                            .fd = -1,
                                            .away_ms = -1,
                                            .hole_ms = -1,
                                            .hole_at = -1,
                                            .looked_ms = INT64_MIN / 2};
        f->work->begun = t->o.resume && t->o.resume(t->o.calls.self, path, &f->at) && f->at.ino;
    }
    if (!f->path || !f->work || place_in_dir(t, f)) {
        file_free(t, f);
        return NULL;
    }
    t->file[t->files++] = f;
    if (smi_follow_names_add(t, (int)t->files)) {
        file_free(t, t->file[--t->files]);
        return NULL;
    }
    return f;
}

static struct smi_follow_file *stream_new(struct smi_follow *t, const char *name, int fd, bool ours)
{
    struct smi_follow_file *f = smi_follow_file_new(t, name);
    if (!f)
        return NULL;
    f->state = SMI_FOLLOW_READING;
    f->work->stream = true;
    f->work->begun = f->work->begun || !ours;
    f->work->ours = ours;
    f->work->fd = fd;
    return f;
}

int smi_follow_stream(struct smi_follow *t, const char *name, const struct smi_follow_position *at,
                      struct smi_err *err)
{
    struct smi_follow_file *f = stream_new(t, name, -1, false);
    if (!f)
        return smi_err_nomem(err);
    f->at = at ? *at : (struct smi_follow_position){.part = 1};
    return f->work->place;
}

/* Standard input and FIFOs begin where they are: what was counted of an earlier one is another stream's. */
static int add_stream(struct smi_follow *t, const char *path, struct smi_err *err)
{
    size_t n = 0;
    bool in = !strcmp(path, "-");
    for (size_t i = 0; i < t->files; i++) {
        n += t->file[i]->work->stream && t->file[i]->work->ours;
        if (in && !strcmp(t->file[i]->path, "-"))
            return smi_err_set(err, SMI_EUSAGE, "standard input can be followed once");
    }
    if (n == SMI_FOLLOW_STREAMS)
        return smi_err_set(err, SMI_ELIMIT, "%s: more than %d streams", path, SMI_FOLLOW_STREAMS);
    int fd = in ? 0 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct smi_follow_file *f = stream_new(t, path, fd, true);
    if (!f) {
        if (fd > 0)
            close(fd);
        return smi_err_nomem(err);
    }
    f->at = (struct smi_follow_position){.part = f->at.part + 1};
    if (fd < 0)
        snprintf(f->why, sizeof f->why, "%s", strerror(errno));
    f->state = fd < 0 ? SMI_FOLLOW_CLOSED : SMI_FOLLOW_READING;
    return 0;
}

int smi_follow_add(struct smi_follow *t, const char *path, struct smi_err *err)
{
    struct stat st;
    char *copy;
    size_t n = strlen(path);
    bool there = strcmp(path, "-") != 0 && !stat(path, &st);
    int rc = 0;
    if (!strcmp(path, "-") || (there && S_ISFIFO(st.st_mode)))
        return add_stream(t, path, err);
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (!(copy = smi_mem_text(path, n)))
        return smi_err_nomem(err);
    t->err = err;
    if (there && S_ISDIR(st.st_mode))
        rc = smi_follow_add_directory(t, copy, 0);
    else if (smi_follow_names_find(t, copy) <= 0 && !smi_follow_file_new(t, copy))
        rc = smi_err_nomem(err);
    t->err = NULL;
    t->failed = 0;
    smi_mem_free(copy);
    return rc;
}

size_t smi_follow_files(const struct smi_follow *t)
{
    return t->files;
}

const struct smi_follow_file *smi_follow_file(const struct smi_follow *t, int i)
{
    return t->file[i];
}

bool smi_follow_is_over(const struct smi_follow *t)
{
    for (size_t i = 0; i < t->files; i++)
        if (t->file[i]->state != SMI_FOLLOW_ENDED)
            return false;
    for (size_t i = 0; i < t->dirs; i++)
        if (t->dir[i].tree)
            return false;
    return true;
}

/* ---- when ---- */

static bool is_stream_open(const struct smi_follow_work *w)
{
    return w->stream && w->ours && w->fd >= 0;
}

/* When to look at a file; one of which something was heard: at once, but not more often than `gather`. */
static int64_t due_of(const struct smi_follow *t, const struct smi_follow_work *w)
{
    int64_t soon = w->looked_ms + t->times.gather;
    if (w->stream)
        return w->ours && (w->held || w->more) ? t->now_ms + t->times.look / 4 : INT64_MAX;
    return w->dirty && !w->held && soon < w->due_ms ? soon : w->due_ms;
}

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_follow *t = self;
    int64_t due = INT64_MAX;
    for (size_t i = 0; i < t->files; i++) {
        const struct smi_follow_work *w = t->file[i]->work;
        int64_t d = due_of(t, w);
        if (is_stream_open(w) && !w->held)
            smi_loop_watch(l, w->fd);
        due = d < due ? d : due;
    }
    for (size_t i = 0; i < t->dirs; i++)
        if (t->dir[i].due_ms < due || t->dir[i].dirty)
            due = t->dir[i].dirty ? l->now_ms : t->dir[i].due_ms;
    smi_loop_wake(l, due);
    if (due <= l->now_ms || due - l->now_ms > t->times.gather) /* else inotify would only say what is known */
        smi_loop_watch(l, t->notify);
}

static void run_file(struct smi_follow *t, struct smi_follow_file *f, const struct smi_loop *l)
{
    struct smi_follow_work *w = f->work;
    if (w->stream) {
        w->dirty = is_stream_open(w) && smi_loop_ready(l, w->fd);
        if (is_stream_open(w) && (w->dirty || w->held || w->more))
            smi_follow_stream_read(t, f);
    } else if (t->now_ms >= due_of(t, w)) {
        smi_follow_check_file(t, f);
    }
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_follow *t = self;
    t->now_ms = l->now_ms;
    t->failed = 0;
    t->err = err;
    if (t->notify >= 0)
        smi_follow_read_inotify(t);
    for (size_t i = 0; i < t->dirs && !t->failed; i++)
        if (t->dir[i].dirty || l->now_ms >= t->dir[i].due_ms)
            smi_follow_scan(t, (int)i);
    for (size_t i = 0; i < t->files && !t->failed; i++)
        run_file(t, t->file[i], l);
    t->err = NULL;
    return t->failed ? -1 : 0;
}

struct smi_loop_source smi_follow_source(struct smi_follow *t)
{
    return (struct smi_loop_source){t, prepare, run};
}
