/* follow.c - all followed things together: files, directories and streams, and when each is checked. */
#include "live/follow.h"
#include "base/buf.h"
#include "live/follow_store.h"
#include "sweep/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { PIECE = 65536 };

/* It is no log, or there is trouble: f->err. Returns -1 then. */
static int drop_source(struct smi_follow_state *f, int file, int s, const struct smi_err *err)
{
    if (err->code != SMI_EFORMAT)
        return smi_err_set(&f->err, err->code, "%s", err->text);
    f->source[file] = -1;
    smi_live_source_state(f->now, s, SMI_SOURCE_DOWN, err->text);
    smi_machine_add_event(f->now, SMI_EVENT_WARN, "%s", err->text);
    return 0;
}

/* ---- what is stored ---- */

struct filling {
    struct smi_follow_state *f;
    int source;
    int64_t part;
    struct smi_buf text;
};

static int flush_stored_lines(struct filling *x, struct smi_err *err)
{
    int rc = 0;
    if (rc == 0 && x->text.n)
        rc = smi_machine_feed(x->f->now, x->source, x->text.p, x->text.n, x->f->mono_ms, err);
    smi_buf_clear(&x->text);
    return rc;
}

static int add_stored_line(void *self, int64_t part, const char *text, size_t n, struct smi_err *err)
{
    struct filling *x = self;
    if (x->part && part != x->part &&
        (flush_stored_lines(x, err) || smi_machine_restart(x->f->now, x->source, err)))
        return -1;
    x->part = part;
    smi_buf_add(&x->text, text, n);
    smi_buf_char(&x->text, '\n');
    return x->text.n >= PIECE ? flush_stored_lines(x, err) : 0;
}

static int fill_from_store(struct smi_follow_state *f, int file, int s, struct smi_err *err)
{
    struct filling x = {.f = f, .source = s};
    bool news = f->told < f->now->events;
    int rc = smi_follow_store_read(f->store, f->tail, file, add_stored_line, &x, err);
    rc = rc ? rc : flush_stored_lines(&x, err);
    smi_buf_fini(&x.text);
    if (!news)
        f->told = f->now->events;
    return rc;
}

/* ---- what comes ---- */

int smi_follow_state_source(struct smi_follow_state *f, int file)
{
    const struct smi_follow_file *t = smi_follow_file(f->tail, file);
    struct smi_err err = {0};
    int s;
    smi_mem_reserve(&f->source, &f->sources, (size_t)file + 1, sizeof *f->source);
    if (f->source[file])
        return f->source[file] - (f->source[file] > 0);
    s = smi_machine_add_source(f->now, t->path, t->format, 0);
    f->source[file] = s + 1;
    if (s >= 0)
        f->now->source[s]->stream = t->stream;
    /* A stream that begins is another one than that whose lines are stored under its name. */
    if (s < 0 || !f->store || (!t->at.id.ino && !t->at.offset))
        return s;
    if (fill_from_store(f, file, s, &err) && drop_source(f, file, s, &err))
        return -1;
    return f->source[file] - (f->source[file] > 0);
}

int smi_follow_state_bytes(struct smi_follow_state *f, int file, const char *p, size_t n)
{
    struct smi_err err = {0};
    int s = smi_follow_state_source(f, file), rc = 0;
    if (f->err.code)
        return -1;
    if (f->store && (rc = smi_follow_store_add(f->store, f->tail, file, p, n)))
        return rc;
    if (s < 0 || smi_machine_feed(f->now, s, p, n, f->mono_ms, &err) == 0)
        return 0;
    return drop_source(f, file, s, &err);
}

int smi_follow_state_end(struct smi_follow_state *f, int file)
{
    struct smi_err err = {0};
    int s = smi_follow_state_source(f, file);
    if (s >= 0)
        f->now->source[s]->closed = true;
    return s < 0 || smi_machine_end(f->now, s, &err) == 0 ? 0 : drop_source(f, file, s, &err);
}

static void follow_check_others(struct smi_follow *t, int dir, const char *name);

/* Files are the even places of the map, others the odd ones. */
static const char *path_of(const struct smi_follow *t, size_t place)
{
    return place % 2 ? t->other[place / 2].path : t->file[place / 2]->path;
}

static bool has_path(const void *list, size_t place, const void *path)
{
    return strcmp(path_of(list, place), path) == 0;
}

/* What has this path, or SMI_MAP_NONE. */
static size_t find_path(const struct smi_follow *t, const char *path)
{
    return smi_map_find(&t->names, smi_hash_bytes(path, strlen(path)), has_path, t, path);
}

static bool is_file(const struct smi_follow *t, const char *path)
{
    size_t place = find_path(t, path);
    return place != SMI_MAP_NONE && place % 2 == 0;
}

/* What was there last has the path. */
static void follow_names_add(struct smi_follow *t, size_t place)
{
    const char *path = path_of(t, place);
    uint64_t hash = smi_hash_bytes(path, strlen(path));
    size_t i = find_path(t, path);
    if (i == SMI_MAP_NONE) {
        smi_map_add(&t->names, hash, place);
        return;
    }
    smi_map_move(&t->names, hash, i, place);
}

static void follow_names_rebuild(struct smi_follow *t)
{
    smi_map_clear(&t->names);
    for (size_t i = 0; i < t->others; i++) {
        follow_names_add(t, 2 * i + 1);
    }
    for (size_t i = 0; i < t->files; i++) {
        follow_names_add(t, 2 * i);
    }
}

/* inotify: one descriptor, a watch for each directory in which something is followed. It
 * only says when to look; what is there is seen by looking. */

enum {
    TOLD = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
           IN_ONLYDIR,
    AGAIN = IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT
};

static void follow_rewatch(struct smi_follow *t, struct smi_follow_dir *d)
{
    if (t->notify >= 0) /* the same number, if it is the same directory still */
        d->wd = inotify_add_watch(t->notify, d->path, TOLD | IN_DELETE_SELF | IN_MOVE_SELF);
}

/* The directory of this path (NUL-terminated), watched: its place, or -1 without memory. */
static int follow_watch(struct smi_follow *t, const char *path)
{
    struct smi_follow_dir *d;
    for (size_t i = 0; i < t->dirs; i++)
        if (!strcmp(t->dir[i].path, path))
            return (int)i;
    smi_mem_reserve(&t->dir, &t->dirs_cap, t->dirs + 1, sizeof *t->dir);
    d = &t->dir[t->dirs];
    *d = (struct smi_follow_dir){.wd = -1, .path = smi_mem_text(path, strlen(path))};
    follow_rewatch(t, d);
    return (int)t->dirs++;
}

/* Something was heard of a name in directory i. A name that nobody follows may be that of a file that we
 * still read. */
static void mark_file(struct smi_follow *t, size_t i, const struct inotify_event *e)
{
    bool known = false;
    for (size_t k = 0; k < t->files; k++) {
        struct smi_follow_file *f = t->file[k];
        if (f->dir == (int)i && !f->stream && !strcmp(f->base, e->name))
            known = f->dirty = true;
    }
    for (size_t k = 0; k < t->files && !known; k++) {
        struct smi_follow_file *f = t->file[k];
        if (f->dir == (int)i && f->fd >= 0 && (f->away_ms >= 0 || smi_follow_is_older(e->name, f->base)))
            f->dirty = true;
    }
    if (!known && t->dir[i].tree) {
        if (e->mask & (IN_CREATE | IN_MOVED_TO | IN_ISDIR))
            t->dir[i].dirty = true;
        else
            follow_check_others(t, (int)i, e->name);
    }
}

static void mark_all_dirty(struct smi_follow *t, int wd)
{
    for (size_t i = 0; i < t->dirs; i++)
        if (wd < 0 || t->dir[i].wd == wd) {
            t->dir[i].dirty = true;
            t->dir[i].wd = wd < 0 ? t->dir[i].wd : -1;
        }
    for (size_t k = 0; k < t->files; k++)
        t->file[k]->dirty = true;
}

static void handle_inotify_event(struct smi_follow *t, const struct inotify_event *e)
{
    if (e->mask & (AGAIN | IN_Q_OVERFLOW)) {
        mark_all_dirty(t, e->mask & IN_Q_OVERFLOW ? -1 : e->wd);
        return;
    }
    for (size_t i = 0; e->len && i < t->dirs; i++)
        if (t->dir[i].wd == e->wd)
            mark_file(t, i, e);
}

static void follow_read_inotify(struct smi_follow *t)
{
    char buf[16384] __attribute__((aligned(8)));
    ssize_t n;
    for (int i = 0; i < 16 && (n = read(t->notify, buf, sizeof buf)) > 0; i++)
        for (const char *p = buf; p < buf + n;) {
            const struct inotify_event *e = (const void *)p;
            handle_inotify_event(t, e);
            p += sizeof *e + e->len;
        }
}

/* a followed directory: its logs are known by their content, as discover
 * does; those that are none yet are looked at again when they grow, and new ones when they come. */

/* A file that is followed already, or was, under whatever name: an older part of one. */
static bool is_read(const struct smi_follow *t, const struct smi_follow_stat *st)
{
    for (size_t i = 0; i < t->files; i++) {
        const struct smi_follow_file *f = t->file[i];
        if (!f->stream && (smi_follow_same_id(&f->at.id, &st->id) || smi_follow_is_known(f, &st->id)))
            return true;
    }
    return false;
}

/* hw.csv.1, and there is hw.csv: it is read with that. */
static bool is_part(DIR *d, const char *name)
{
    char base[256];
    struct smi_follow_stat st;
    size_t n = strlen(name);
    for (size_t i = n; i-- > 1;)
        for (size_t ext = n; ext > i; ext--) { /* base: name less [i, ext) */
            if (!strchr(".-_", name[i]) || (ext < n && name[ext] != '.'))
                continue;
            snprintf(base, sizeof base, "%.*s%s", (int)i, name, name + ext);
            if (smi_follow_is_older(name, base) && !smi_follow_stat(dirfd(d), base, AT_SYMLINK_NOFOLLOW, &st))
                return true;
        }
    return false;
}

static void file_free(struct smi_follow *t, struct smi_follow_file *f)
{
    if (!f->stream)
        smi_follow_close(t, f);
    else if (f->ours && f->fd > 0)
        close(f->fd);
    smi_buf_fini(&f->part);
    smi_mem_free(f->path);
    smi_mem_free(f);
}

static int place_in_dir(struct smi_follow *t, struct smi_follow_file *f)
{
    const char *slash = strrchr(f->path, '/');
    char *dir = slash ? smi_mem_text(f->path, slash == f->path ? 1 : (size_t)(slash - f->path))
                      : smi_mem_text(".", 1);
    f->base = slash ? slash + 1 : f->path;
    f->dir = dir ? follow_watch(t, dir) : -1;
    smi_mem_free(dir);
    return f->dir < 0 ? -1 : 0;
}

/* A new file. Its path is copied. */
static struct smi_follow_file *follow_file_new(struct smi_follow *t, const char *path)
{
    struct smi_follow_file *f = smi_mem_new(1, sizeof *f);
    smi_mem_reserve(&t->file, &t->files_cap, t->files + 1, sizeof *t->file);
    *f = (struct smi_follow_file){.path = smi_mem_text(path, strlen(path)),
                                  .format = -1,
                                  .grew_ms = -1,
                                  .place = (int)t->files,
                                  .fd = -1,
                                  .away_ms = -1,
                                  .hole_ms = -1,
                                  .hole_at = -1,
                                  .looked_ms = INT64_MIN / 2};
    if (!f->path || place_in_dir(t, f)) {
        file_free(t, f);
        return NULL;
    }
    f->begun = t->o.resume && t->o.resume(t->o.calls.self, path, &f->at) && f->at.id.ino;
    t->file[t->files++] = f;
    follow_names_add(t, 2 * (t->files - 1));
    return f;
}

static struct smi_follow_file *follow_log(struct smi_follow *t, const char *path, int format)
{
    struct smi_follow_file *f = follow_file_new(t, path);
    f->format = format;
    f->whole = true;
    f->dirty = true;
    return f;
}

/* The format of a log; -1 if it is not a log. */
static int sniff_format(const char *path, const char *columns)
{
    struct smi_entry e = {.name = path, .format = -1, .kind = SMI_ENTRY_LOG, .columns = columns};
    struct smi_arena texts = {0};
    char *buf = smi_mem_raw(SMI_WALK_SNIFF_BYTES);
    smi_walk_sniff(&e, AT_FDCWD, false, buf, &texts);
    smi_mem_free(buf);
    smi_arena_fini(&texts);
    return e.kind == SMI_ENTRY_LOG ? e.format : -1;
}

static bool is_packed(const char *path)
{
    const char *dot = strrchr(path, '.');
    static const char *const ends[] = {".gz", ".zst", ".xz", ".bz2", ".zip", ".tar", ".tgz"};
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(dot, ends[i]))
            return true;
    return false;
}

static void report_packed(struct smi_follow *t, const char *path)
{
    struct smi_buf text = {0};
    smi_buf_fmt(&text, "%s: packed, and so not followed: smilog summarize reads it", path);
    const struct smi_follow_event e = {SMI_FOLLOW_PACKED, -1, false, text.p};
    if (t->o.calls.event)
        t->o.calls.event(t->o.calls.self, &e);
    smi_buf_fini(&text);
}

/* A file that was not seen before. */
static void visit_file(struct smi_follow *t, int dir, const char *path, const struct smi_follow_stat *st)
{
    struct smi_follow_other *o;
    int format = sniff_format(path, t->o.columns);
    if (format >= 0 && is_packed(path)) {
        report_packed(t, path);
    } else if (format >= 0) {
        follow_log(t, path, format);
        return;
    }
    smi_mem_reserve(&t->other, &t->others_cap, t->others + 1, sizeof *t->other);
    o = &t->other[t->others];
    *o = (struct smi_follow_other){smi_mem_text(path, strlen(path)), dir, st->size, st->mtime_ns, st->id.ino};
    t->others++;
    follow_names_add(t, 2 * t->others - 1);
}

/* One that was no log: has it become one? What has much in it will not. */
static void check_other(struct smi_follow *t, size_t k)
{
    struct smi_follow_other *o = &t->other[k];
    struct smi_follow_stat st;
    int format;
    if (smi_follow_stat(AT_FDCWD, o->path, AT_SYMLINK_NOFOLLOW, &st) || !S_ISREG(st.mode))
        return;
    if (st.id.ino == o->ino &&
        (o->size >= SMI_WALK_SNIFF_BYTES || (st.size == o->size && st.mtime_ns == o->mtime_ns)))
        return;
    o->ino = st.id.ino;
    o->size = st.size;
    o->mtime_ns = st.mtime_ns;
    format = is_packed(o->path) || is_read(t, &st) ? -1 : sniff_format(o->path, t->o.columns);
    if (format >= 0)
        follow_log(t, o->path, format);
}

/* The path of a name in directory dir; empty if it does not fit. */
static void follow_directory_path(const struct smi_follow *t, int dir, const char *name, char *path, size_t n)
{
    const char *d = t->dir[dir].path;
    if ((size_t)snprintf(path, n, "%s%s%s", d, d[strlen(d) - 1] == '/' ? "" : "/", name) >= n)
        path[0] = 0; /* no such name */
}

static void follow_check_others(struct smi_follow *t, int dir, const char *name)
{
    char path[4096];
    if (name) {
        follow_directory_path(t, dir, name, path, sizeof path);
        size_t place = find_path(t, path);
        if (place != SMI_MAP_NONE && place % 2)
            check_other(t, place / 2);
        return;
    }
    for (size_t k = 0; k < t->others; k++)
        if (t->other[k].dir == dir && !is_file(t, t->other[k].path))
            check_other(t, k);
}

static void follow_add_directory(struct smi_follow *t, const char *path, int depth)
{
    int dir = path[0] ? follow_watch(t, path) : 0;
    if (!path[0] || t->dir[dir].tree)
        return;
    t->dir[dir].tree = t->dir[dir].dirty = true;
    t->dir[dir].depth = depth;
}

static void visit_entry(struct smi_follow *t, int dir, DIR *d, const char *name)
{
    char path[4096];
    struct smi_follow_stat st;
    if (name[0] == '.' || smi_follow_stat(dirfd(d), name, AT_SYMLINK_NOFOLLOW, &st))
        return;
    follow_directory_path(t, dir, name, path, sizeof path);
    if (S_ISDIR(st.mode) && t->dir[dir].depth < SMI_DEPTH_MAX)
        follow_add_directory(t, path, t->dir[dir].depth + 1);
    else if (S_ISREG(st.mode) && path[0] && find_path(t, path) == SMI_MAP_NONE && !is_read(t, &st) &&
             !is_part(d, name))
        visit_file(t, dir, path, &st);
}

/* Others that are not there any more are forgotten. */
static void forget_other(struct smi_follow *t, int dir)
{
    struct smi_follow_stat st;
    size_t k = 0;
    for (size_t i = 0; i < t->others; i++) {
        struct smi_follow_other o = t->other[i];
        if (o.dir == dir &&
            (is_file(t, o.path) || smi_follow_stat(AT_FDCWD, o.path, AT_SYMLINK_NOFOLLOW, &st)))
            smi_mem_free(o.path);
        else
            t->other[k++] = o;
    }
    if (k == t->others)
        return;
    t->others = k;
    follow_names_rebuild(t);
}

/* Its times are those of the last change of its names; what changes within the same tick would not be seen,
 * so a young one is read again. */
static bool is_old(const struct smi_follow_dir *d, const struct smi_follow_stat *st)
{
    return d->mtime_ns == st->mtime_ns && d->ctime_ns == st->ctime_ns &&
           smi_follow_clock_ns() - st->mtime_ns > SMI_FOLLOW_OLD_NS;
}

static void follow_scan(struct smi_follow *t, int dir)
{
    struct smi_follow_stat st;
    struct dirent *e;
    bool told = t->dir[dir].dirty, same = false;
    t->dir[dir].dirty = false;
    t->dir[dir].due_ms = t->now_ms + t->times.scan;
    if (t->dir[dir].wd < 0)
        follow_rewatch(t, &t->dir[dir]);
    if (!smi_follow_stat(AT_FDCWD, t->dir[dir].path, 0, &st)) {
        same = !told && is_old(&t->dir[dir], &st);
        t->dir[dir].mtime_ns = st.mtime_ns;
        t->dir[dir].ctime_ns = st.ctime_ns;
    }
    if (t->dir[dir].tree && !same) {
        DIR *d = opendir(t->dir[dir].path);
        while (d && !t->failed && (e = readdir(d)))
            visit_entry(t, dir, d, e->d_name);
        if (d)
            closedir(d);
        forget_other(t, dir);
    }
    if (t->dir[dir].tree)
        follow_check_others(t, dir, NULL);
}

/* all followed things together: their life, and when each of them is looked at. */

const struct smi_follow_times smi_follow_times = {
    .look = 1000, .gather = 20, .gone = 1000, .hole = 3000, .scan = 1000};

void smi_follow_report(struct smi_follow *t, struct smi_follow_file *f, enum smi_follow_event_kind what,
                       bool lost, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    const struct smi_follow_event e = {what, f->place, lost, text};
    if (t->o.calls.event)
        t->o.calls.event(t->o.calls.self, &e);
}

/* ---- life ---- */

struct smi_follow *smi_follow_new(const struct smi_follow_opts *o)
{
    struct smi_follow *t = smi_mem_new(1, sizeof *t);
    t->o = *o;
    t->times = o->times ? *o->times : smi_follow_times;
    t->notify = o->no_notify ? -1 : inotify_init1(IN_NONBLOCK | IN_CLOEXEC); /* without it, by looking */
    return t;
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

static struct smi_follow_file *stream_new(struct smi_follow *t, const char *name, int fd, bool ours)
{
    struct smi_follow_file *f = follow_file_new(t, name);
    if (!f)
        return NULL;
    f->state = SMI_FOLLOW_READING;
    f->stream = true;
    f->begun = f->begun || !ours;
    f->ours = ours;
    f->fd = fd;
    return f;
}

int smi_follow_stream(struct smi_follow *t, const char *name, const struct smi_follow_position *at)
{
    struct smi_follow_file *f = stream_new(t, name, -1, false);
    f->at = at ? *at : (struct smi_follow_position){.part = 1};
    return f->place;
}

/* Standard input and FIFOs begin where they are: what was counted of an earlier one is another stream's. */
static int add_stream(struct smi_follow *t, const char *path, struct smi_err *err)
{
    size_t n = 0;
    bool in = !strcmp(path, "-");
    for (size_t i = 0; i < t->files; i++) {
        n += t->file[i]->stream && t->file[i]->ours;
        if (in && !strcmp(t->file[i]->path, "-"))
            return smi_err_set(err, SMI_EUSAGE, "standard input can be followed once");
    }
    if (n == SMI_FOLLOW_STREAMS)
        return smi_err_set(err, SMI_ELIMIT, "%s: more than %d streams", path, SMI_FOLLOW_STREAMS);
    int fd = in ? 0 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct smi_follow_file *f = stream_new(t, path, fd, true);
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
    if (!strcmp(path, "-") || (there && S_ISFIFO(st.st_mode)))
        return add_stream(t, path, err);
    while (n > 1 && path[n - 1] == '/')
        n--;
    copy = smi_mem_text(path, n);
    t->err = err;
    if (there && S_ISDIR(st.st_mode)) {
        follow_add_directory(t, copy, 0);
    } else if (!is_file(t, copy)) {
        follow_file_new(t, copy);
    }
    t->err = NULL;
    t->failed = 0;
    smi_mem_free(copy);
    return 0;
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

static bool is_stream_open(const struct smi_follow_file *f)
{
    return f->stream && f->ours && f->fd >= 0;
}

/* When to look at a file; one of which something was heard: at once, but not more often than `gather`. */
static int64_t due_of(const struct smi_follow *t, const struct smi_follow_file *f)
{
    int64_t soon = f->looked_ms + t->times.gather;
    if (f->stream)
        return f->ours && (f->held || f->more) ? t->now_ms + t->times.look / 4 : INT64_MAX;
    return f->dirty && !f->held && soon < f->due_ms ? soon : f->due_ms;
}

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_follow *t = self;
    int64_t due = INT64_MAX;
    for (size_t i = 0; i < t->files; i++) {
        const struct smi_follow_file *f = t->file[i];
        int64_t d = due_of(t, f);
        if (is_stream_open(f) && !f->held)
            smi_loop_watch(l, f->fd);
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
    if (f->stream) {
        f->dirty = is_stream_open(f) && smi_loop_ready(l, f->fd);
        if (is_stream_open(f) && (f->dirty || f->held || f->more))
            smi_follow_stream_read(t, f);
    } else if (t->now_ms >= due_of(t, f)) {
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
        follow_read_inotify(t);
    for (size_t i = 0; i < t->dirs && !t->failed; i++)
        if (t->dir[i].dirty || l->now_ms >= t->dir[i].due_ms)
            follow_scan(t, (int)i);
    for (size_t i = 0; i < t->files && !t->failed; i++)
        run_file(t, t->file[i], l);
    t->err = NULL;
    return t->failed ? -1 : 0;
}

struct smi_loop_source smi_follow_source(struct smi_follow *t)
{
    return (struct smi_loop_source){t, prepare, run};
}
