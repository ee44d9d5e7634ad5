/* follow.c - all followed things together: files, directories and streams, and when each is checked. */
#include "live/follow.h"
#include "live/live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 65536, HELD_MS = 200 };

const struct smi_follow_times smi_follow_times = {.look = 1000,
                                                  .gather = 20,
                                                  .gone = 1000,
                                                  .hole = 3000,
                                                  .scan = 1000,
                                                  .pause = 1000,
                                                  .pause_most = 60000,
                                                  .answer = 20000,
                                                  .stop = {250, 500, 5500}};

/* It is no log, or there is trouble: f->err. Returns -1 then. */
static int drop_source(struct smi_follow_state *f, int file, int s, const struct smi_err *err)
{
    if (err->code != SMI_EFORMAT)
        return smi_err_set(&f->err, err->code, "%s", err->text);
    f->tail->file[file]->source = -1;
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
    int rc =
        x->text.n ? smi_machine_feed(x->f->now, x->source, x->text.p, x->text.n, *x->f->mono_ms, err) : 0;
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

/* ---- what comes ---- */

int smi_follow_state_source(struct smi_follow_state *f, int file)
{
    struct smi_follow_file *t = f->tail->file[file];
    struct filling x = {.f = f};
    struct smi_err err = {0};
    bool news;
    int s, rc;
    if (t->source)
        return t->source - (t->source > 0);
    s = smi_machine_add_source(f->now, t->path, t->format, 0);
    t->source = s + 1;
    if (s >= 0)
        f->now->source[s]->stream = t->kind != SMI_FOLLOW_FILE;
    /* A stream that begins is another one than that whose lines are stored under its name. */
    if (s < 0 || !f->store || (!t->at.id.ino && !t->at.offset))
        return s;
    news = *f->told < f->now->events;
    x.source = s;
    rc = smi_follow_store_read(f->store, f->tail, file, add_stored_line, &x, &err) ||
         flush_stored_lines(&x, &err);
    smi_buf_fini(&x.text);
    if (!news) /* what is stored is no news */
        *f->told = f->now->events;
    if (rc && drop_source(f, file, s, &err))
        return -1;
    return t->source - (t->source > 0);
}

int smi_follow_state_bytes(void *self, int file, const char *p, size_t n)
{
    struct smi_follow_state *f = self;
    struct smi_err err = {0};
    int s = smi_follow_state_source(f, file), rc = 0;
    if (f->err.code)
        return -1;
    if (f->store && (rc = smi_follow_store_add(f->store, f->tail, file, p, n)))
        return rc;
    if (s < 0 || smi_machine_feed(f->now, s, p, n, *f->mono_ms, &err) == 0)
        return 0;
    return drop_source(f, file, s, &err);
}

int smi_follow_state_end(struct smi_follow_state *f, int file)
{
    struct smi_err err = {0};
    char span[SMI_CLOCK_TEXT];
    int s = smi_follow_state_source(f, file);
    struct smi_live_source *log = s < 0 ? NULL : f->now->source[s];
    if (!log)
        return 0;
    log->closed = true;
    smi_clock_write_span(span, *f->mono_ms - log->seen_mono_ms);
    if (!log->backlog && log->seen_mono_ms &&
        *f->mono_ms - log->seen_mono_ms > smi_machine_stale_after(log->interval_ms))
        smi_machine_add_event(f->now, SMI_EVENT_WARN, "%s: it has ended, %s after its last row", log->name,
                              span);
    return smi_machine_end(f->now, s, &err) == 0 ? 0 : drop_source(f, file, s, &err);
}

/* ---- one list of all that is followed ---- */

void smi_follow_report(struct smi_follow *t, struct smi_follow_file *f, enum smi_follow_event_kind what,
                       bool lost, const char *fmt, ...)
{
    struct smi_buf text = {0};
    va_list ap;
    va_start(ap, fmt);
    smi_buf_vfmt(&text, fmt, ap);
    va_end(ap);
    const struct smi_follow_event e = {what, f ? f->place : -1, lost, text.p};
    if (t->o.calls.event)
        t->o.calls.event(t->o.calls.self, &e);
    smi_buf_fini(&text);
}

static bool has_path(const void *list, size_t place, const void *path)
{
    return strcmp(((struct smi_follow_file *const *)list)[place]->path, path) == 0;
}

static bool is_followed(const struct smi_follow *t, const char *path)
{
    return smi_map_find(&t->names, smi_hash_bytes(path, strlen(path)), has_path, t->file, path) !=
           SMI_MAP_NONE;
}

/* The directory of this path: its place. */
static int add_directory(struct smi_follow *t, const char *path, size_t n)
{
    for (size_t i = 0; i < t->dirs; i++)
        if (!strncmp(t->dir[i].path, path, n) && !t->dir[i].path[n])
            return (int)i;
    smi_mem_reserve(&t->dir, &t->dirs_cap, t->dirs + 1, sizeof *t->dir);
    t->dir[t->dirs] = (struct smi_follow_dir){.wd = -1, .path = smi_mem_text(path, n)};
    return (int)t->dirs++;
}

/* All logs in this directory are followed. */
static void add_tree(struct smi_follow *t, const char *path, size_t n, int depth)
{
    int place = add_directory(t, path, n);
    struct smi_follow_dir *d = &t->dir[place];
    d->depth = d->tree ? d->depth : depth;
    d->dirty |= !d->tree;
    d->tree = true;
}

/* f goes on at this position, perhaps within a line that is too long. */
static void seek(struct smi_follow_file *f, const struct smi_follow_position *at)
{
    char before = at->last_n ? (char)at->last[at->last_n - 1] : '\n';
    f->at = *at;
    f->skip = before != '\n' && before;
}

/* A new file, or stream, with its position as it is stored. Its path is copied. */
static struct smi_follow_file *add_file(struct smi_follow *t, enum smi_follow_kind kind, const char *path,
                                        size_t n)
{
    struct smi_follow_file *f = smi_mem_new(1, sizeof *f);
    *f = (struct smi_follow_file){.path = smi_mem_text(path, n),
                                  .kind = kind,
                                  .format = -1,
                                  .grew_ms = -1,
                                  .place = (int)t->files,
                                  .dir = -1,
                                  .fd = -1,
                                  .away_ms = -1,
                                  .looked_ms = INT64_MIN / 2};
    const char *slash = strrchr(f->path, '/');
    f->base = slash ? slash + 1 : f->path;
    if (kind == SMI_FOLLOW_FILE)
        f->dir = slash ? add_directory(t, f->path, slash == f->path ? 1 : (size_t)(slash - f->path))
                       : add_directory(t, ".", 1);
    if (t->o.resume && t->o.resume(t->o.calls.self, f->path, &f->at))
        f->begun = f->at.id.ino != 0;
    seek(f, &f->at);
    *SMI_MEM_ADD(t->file, t->files, t->files_cap) = f;
    if (!is_followed(t, f->path))
        smi_map_add(&t->names, smi_hash_bytes(f->path, strlen(f->path)), t->files - 1);
    return f;
}

/* ---- inotify: one descriptor, a watch for each directory in which something is followed. It only says when
 * to look; what is there is seen by looking ---- */

enum {
    AGAIN = IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT,
    TOLD = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
           IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
};

/* A name that is no followed file may be that of an older one, which we still read: all in it are looked at.
 */
static void mark_directory(struct smi_follow *t, size_t i, const struct inotify_event *e)
{
    bool known = false;
    for (size_t k = 0; k < t->files && e->len; k++)
        if (t->file[k]->dir == (int)i && !strcmp(t->file[k]->base, e->name))
            known = t->file[k]->dirty = true;
    t->dir[i].dirty |= !known;
    if (e->mask & AGAIN)
        t->dir[i].wd = -1;
}

static void read_inotify(struct smi_follow *t)
{
    char buf[16384] __attribute__((aligned(8)));
    ssize_t n;
    for (int i = 0; i < 16 && (n = read(t->notify, buf, sizeof buf)) > 0; i++)
        for (const char *p = buf; p < buf + n;) {
            const struct inotify_event *e = (const void *)p;
            for (size_t k = 0; k < t->dirs; k++)
                if (t->dir[k].wd == e->wd || e->mask & IN_Q_OVERFLOW)
                    mark_directory(t, k, e);
            p += sizeof *e + e->len;
        }
}

/* ---- a followed directory: its logs are known by their content, as discover does; what is none yet is
 * looked at again when it has changed ---- */

void smi_follow_path(const struct smi_follow *t, int dir, const char *name, char *path, size_t n)
{
    const char *d = t->dir[dir].path;
    if ((size_t)snprintf(path, n, "%s%s%s", d, d[strlen(d) - 1] == '/' ? "" : "/", name) >= n)
        path[0] = 0; /* no such name */
}

enum kind { IS_LOG, MAY_GROW, NEVER_A_LOG };

/* What a file that is no log is remembered by: one that may become one as it is, others whatever becomes of
 * their content. */
static struct smi_inode mark_of(const struct smi_follow_stat *st, enum kind kind)
{
    const uint64_t content = smi_hash_pair((uint64_t)st->size, (uint64_t)st->mtime_ns);
    return (struct smi_inode){kind == MAY_GROW ? content : 0,
                              smi_hash_pair(st->id.ino, (uint64_t)st->id.born_ns)};
}

/* hw.csv.1, and there is hw.csv, or it was followed before: it is read with that. */
static bool is_part(const struct smi_follow *t, int dir, const char *name)
{
    char base[256], path[4096];
    struct smi_follow_stat st;
    struct smi_follow_position at;
    size_t n = strlen(name);
    for (size_t i = n; i-- > 1;)
        for (size_t ext = n; ext > i && strchr(".-_", name[i]); ext--) { /* base: name less [i, ext) */
            if (ext < n && name[ext] != '.')
                continue;
            snprintf(base, sizeof base, "%.*s%s", (int)i, name, name + ext);
            smi_follow_path(t, dir, base, path, sizeof path);
            if (smi_follow_is_older(name, base) &&
                (is_followed(t, path) || !smi_follow_stat(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &st) ||
                 (t->o.resume && t->o.resume(t->o.calls.self, path, &at))))
                return true;
        }
    return false;
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

/* Follows it if it is a log. What has much in it will not become one. */
static enum kind visit_file(struct smi_follow *t, int dir, const char *name, const char *path,
                            const struct smi_follow_stat *st)
{
    static const char *const ends[] = {".gz", ".zst", ".xz", ".bz2", ".zip", ".tar", ".tgz"};
    const char *dot = strrchr(path, '.');
    bool read = false, packed = false;
    for (enum kind kind = MAY_GROW; kind <= NEVER_A_LOG; kind++) {
        const struct smi_inode mark = mark_of(st, kind);
        if (smi_inode_set_find(&t->dir[dir].other, mark.dev, mark.ino) != SMI_MAP_NONE)
            return kind;
    }
    for (size_t i = 0; i < t->files && !read; i++) /* under another name: an older part of that log */
        read = smi_follow_same_id(&t->file[i]->at.id, &st->id);
    if (read || is_part(t, dir, name))
        return NEVER_A_LOG;
    int format = sniff_format(path, t->o.columns);
    if (format < 0)
        return st->size >= SMI_WALK_SNIFF_BYTES ? NEVER_A_LOG : MAY_GROW;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        packed |= dot && !strcmp(dot, ends[i]);
    if (packed) {
        smi_follow_report(t, NULL, SMI_FOLLOW_PACKED, false,
                          "%s: packed, and so not followed: smilog summarize reads it", path);
        return NEVER_A_LOG;
    }
    struct smi_follow_file *f = add_file(t, SMI_FOLLOW_FILE, path, strlen(path));
    f->format = format;
    f->whole = true;
    return IS_LOG;
}

static void list_directory(struct smi_follow *t, int dir)
{
    char path[4096];
    struct smi_follow_stat st;
    struct dirent *e;
    struct smi_inode_set other = {0};
    bool may_grow = false;
    DIR *d = opendir(t->dir[dir].path);
    if (!d)
        return;
    while (!t->failed && (e = readdir(d))) {
        smi_follow_path(t, dir, e->d_name, path, sizeof path);
        if (e->d_name[0] == '.' || !path[0] || smi_follow_stat(dirfd(d), e->d_name, AT_SYMLINK_NOFOLLOW, &st))
            continue;
        if (S_ISDIR(st.mode) && t->dir[dir].depth < SMI_DEPTH_MAX)
            add_tree(t, path, strlen(path), t->dir[dir].depth + 1);
        if (!S_ISREG(st.mode) || is_followed(t, path))
            continue;
        const enum kind kind = visit_file(t, dir, e->d_name, path, &st);
        const struct smi_inode mark = mark_of(&st, kind);
        if (kind != IS_LOG)
            smi_inode_set_add(&other, mark.dev, mark.ino);
        may_grow |= kind == MAY_GROW;
    }
    closedir(d);
    smi_inode_set_fini(&t->dir[dir].other);
    t->dir[dir].other = other;
    t->dir[dir].may_grow = may_grow;
}

static void check_directory(struct smi_follow *t, int dir)
{
    struct smi_follow_dir *d = &t->dir[dir];
    struct smi_follow_stat st;
    bool told = d->dirty, same = false;
    d->dirty = false;
    d->due_ms = t->now_ms + t->times.scan;
    d->looked_ms = t->now_ms;
    if (d->wd < 0 && t->notify >= 0)
        d->wd = inotify_add_watch(t->notify, d->path, TOLD);
    for (size_t i = 0; i < t->files && told; i++)
        if (t->file[i]->dir == dir)
            t->file[i]->due_ms = t->now_ms;
    if (d->tree && !smi_follow_stat(AT_FDCWD, d->path, 0, &st)) {
        /* Its times are those of the last change of its names; what changes within the same tick would not be
         * seen, so a young one is read again. */
        same = !told && !d->may_grow && d->mtime_ns == st.mtime_ns && d->ctime_ns == st.ctime_ns &&
               smi_follow_clock_ns() - st.mtime_ns > SMI_FOLLOW_OLD_NS;
        d->mtime_ns = st.mtime_ns;
        d->ctime_ns = st.ctime_ns;
    }
    if (d->tree && !same)
        list_directory(t, dir);
}

/* ---- streams: what cannot be read again. What was not taken, and the line in the making, are kept ---- */

/* Hands on what of part is whole; `all`: what is not, too. */
static int deliver_part(struct smi_follow *t, struct smi_follow_file *f, bool all)
{
    struct smi_buf *b = &f->part;
    size_t done = 0, n = 1;
    t->failed = 0;
    f->held = false;
    for (; done < b->n && n; done += n)
        n = smi_follow_deliver(t, f, b->p + done, b->n - done, all);
    b->n -= done;
    if (done && b->n)
        memmove(b->p, b->p + done, b->n);
    return t->failed ? -1 : f->held;
}

/* Bytes as they come; lines that are not taken are kept (held). Returns 0, or -1: a call of bytes did. */
static int push(struct smi_follow *t, struct smi_follow_file *f, const char *p, size_t n)
{
    smi_buf_add(&f->part, p, n);
    f->state = SMI_FOLLOW_READING;
    return deliver_part(t, f, false) < 0 ? -1 : 0;
}

/* It begins again at offset 0, as another file; an unfinished line is handed on (whole), or dropped. */
static int begin_stream_again(struct smi_follow *t, struct smi_follow_file *f, bool whole)
{
    int rc = deliver_part(t, f, whole);
    if (rc)
        return rc;
    f->part.n = 0; /* an unfinished line: it will come again */
    smi_follow_begin(&f->at, (struct smi_follow_id){0}, 0);
    f->skip = false;
    return 0;
}

static void end_pipe(struct smi_follow *t, struct smi_follow_file *f)
{
    if (f->state == SMI_FOLLOW_ENDED || deliver_part(t, f, true))
        return; /* what is not taken is offered again: the pipe stays at its end */
    f->state = SMI_FOLLOW_ENDED;
    if (f->fd > 0)
        close(f->fd);
    f->fd = -1;
    smi_follow_report(t, f, SMI_FOLLOW_END, false, "it has ended");
}

static void read_pipe(struct smi_follow *t, struct smi_follow_file *f, bool ready)
{
    char piece[16384];
    ssize_t n;
    if ((f->held && deliver_part(t, f, false)) || !ready)
        return;
    n = read(f->fd, piece, sizeof piece);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n < 0)
        smi_follow_report(t, f, SMI_FOLLOW_REFUSED, true, "%s", strerror(errno));
    if (n > 0)
        push(t, f, piece, (size_t)n);
    else
        end_pipe(t, f);
}

/* Standard input and FIFOs begin where they are: what was counted of an earlier one is another stream's. */
static int add_pipe(struct smi_follow *t, const char *path, struct smi_err *err)
{
    size_t n = 0;
    bool in = !strcmp(path, "-");
    for (size_t i = 0; i < t->files; i++)
        n += t->file[i]->kind == SMI_FOLLOW_PIPE;
    if (in && is_followed(t, path))
        return smi_err_set(err, SMI_EUSAGE, "standard input can be followed once");
    if (n == SMI_FOLLOW_STREAMS)
        return smi_err_set(err, SMI_ELIMIT, "%s: more than %d streams", path, SMI_FOLLOW_STREAMS);
    struct smi_follow_file *f = add_file(t, SMI_FOLLOW_PIPE, path, strlen(path));
    f->fd = in ? 0 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    seek(f, &(struct smi_follow_position){.part = f->at.part + 1});
    if (f->fd < 0)
        snprintf(f->why, sizeof f->why, "%s", strerror(errno));
    f->state = f->fd < 0 ? SMI_FOLLOW_CLOSED : SMI_FOLLOW_READING;
    return 0;
}

/* ---- a command: its start, its bytes, what it says of another file, its end ---- */

/* Are bytes that we have expected first? They are compared, and not handed on. */
static bool is_comparing(const struct smi_follow_file *f)
{
    return f->exec->from < f->at.offset;
}

/* The command with its offset. */
static void put_command(void *self, struct smi_buf *to)
{
    struct smi_follow_exec *x = self;
    struct smi_follow_file *f = x->t->file[x->file];
    f->part.n = 0; /* an unfinished line, or what was not taken: it is asked for again */
    f->held = x->m->hold = false;
    x->from = x->whole ? 0 : f->at.offset - f->at.last_n;
    x->heard_ms = x->t->now_ms;
    for (const char *p = f->path; *p; p++)
        if (p[0] == '%' && p[1] == 'o') {
            smi_buf_fmt(to, "%lld", (long long)x->from + 1);
            p++;
        } else {
            smi_buf_char(to, *p);
            p += p[0] == '%' && p[1] == '%';
        }
}

/* It is another file than we know: from its first byte. */
static int begin_file_again(struct smi_follow_exec *x, const char *is_what)
{
    int rc = begin_stream_again(x->t, x->t->file[x->file], false);
    x->whole = false;
    smi_monitor_again(x->m, x->t->now_ms);
    smi_follow_report(x->t, x->t->file[x->file], SMI_FOLLOW_TRUNCATED, true,
                      "the file there is %s: it is read from its beginning", is_what);
    return rc;
}

/* What the owner does not take is left in the pipe: its writer waits. */
static void handle_bytes(void *self, const char *p, size_t n)
{
    struct smi_follow_exec *x = self;
    struct smi_follow_file *f = x->t->file[x->file];
    const struct smi_follow_position *k = &f->at;
    int64_t last = k->offset - k->last_n; /* bytes between head and last are not known */
    int rc = 0;
    x->heard_ms = x->t->now_ms;
    for (; n && is_comparing(f) && !x->m->again; p++, n--, x->from++)
        if ((x->from < (int64_t)k->head_n && (unsigned char)*p != k->head[x->from]) ||
            (x->from >= last && (unsigned char)*p != k->last[x->from - last]))
            rc = begin_file_again(x, "another one");
    if (!x->m->again && !is_comparing(f)) { /* the same file */
        x->whole = false;
        x->m->ok_ms = x->t->now_ms;
        x->m->err.line_n = 0; /* what it said before was no trouble */
        x->from += (int64_t)n;
        rc = n ? push(x->t, f, p, n) : 0;
    }
    x->m->hold = f->held;
    x->t->failed = rc < 0 ? -1 : x->t->failed;
}

static bool reports_new_file(const char *line)
{
    return strstr(line, "file truncated") || strstr(line, "has been replaced") ||
           strstr(line, "has appeared");
}

/* A line of standard error. It is read before the bytes are: what is unread now is of the new file, as the
 * last rows of the old one came a second ago, when tail had not seen yet that there is another. */
static void handle_message(void *self, const char *line)
{
    struct smi_follow_exec *x = self;
    struct smi_follow_file *f = x->t->file[x->file];
    if (!reports_new_file(line) || is_comparing(f) || x->m->again)
        return;
    if (begin_stream_again(x->t, f, true) < 0)
        x->t->failed = -1;
    x->from = 0;
    if (strstr(line, "truncated"))
        smi_follow_report(x->t, f, SMI_FOLLOW_TRUNCATED, true, "%s", line);
}

/* What we have is not confirmed. Nothing came, but it was asked for the end of what we have: all is asked
 * for, and compared. It was asked for all, and that ends before what we have does: it is a shorter file. */
static int64_t answer_deadline(const struct smi_follow *t, const struct smi_follow_file *f)
{
    const struct smi_follow_exec *x = f->exec;
    return x->m->child.pid && !x->m->again && !t->stopping && is_comparing(f) ? x->heard_ms + t->times.answer
                                                                              : INT64_MAX;
}

static void handle_no_answer(struct smi_follow_exec *x)
{
    if (x->whole && x->from > 0) {
        if (begin_file_again(x, "shorter than it was") < 0)
            x->t->failed = -1;
        return;
    }
    x->whole = !x->whole;
    smi_monitor_again(x->m, x->t->now_ms);
}

/* It has ended, and is started again later. */
static void handle_state(void *self, const struct smi_monitor *m, const struct smi_monitor_event *e)
{
    struct smi_follow_exec *x = self;
    if (e->what != SMI_MONITOR_STATE_CHANGED ||
        (m->state != SMI_MONITOR_RESTARTING && m->state != SMI_MONITOR_GONE) || m->child.pid)
        return;
    if (!m->child.status && is_comparing(x->t->file[x->file])) /* a command that does not wait for more */
        handle_no_answer(x);
    smi_follow_report(x->t, x->t->file[x->file], SMI_FOLLOW_REFUSED, false, "%s", m->reason);
}

int smi_follow_add_command(struct smi_follow *t, const char *command)
{
    static const char *const env[] = {"LC_ALL=C",
                                      NULL}; /* reports_new_file knows tail's messages in English */
    static const struct smi_monitor_kind kind = {.program = "sh", .least_ms = 1, .quiet = true, .env = env};
    struct smi_follow_file *f = add_file(t, SMI_FOLLOW_COMMAND, command, strlen(command));
    struct smi_follow_exec *x = f->exec = smi_mem_new(1, sizeof *x);
    const struct smi_monitor_times times = {.pause = t->times.pause,
                                            .pause_most = t->times.pause_most,
                                            .restart = t->times.stop,
                                            .stop = t->times.stop};
    f->state = SMI_FOLLOW_READING;
    f->begun = true;
    f->at.part += !f->at.part;
    x->t = t;
    x->file = f->place;
    x->m = smi_monitor_new(
        &(struct smi_monitor_opts){.kind = &kind,
                                   .times = &times,
                                   .calls = {x, handle_bytes, handle_state, put_command, handle_message}});
    return f->place;
}

static void run_command(struct smi_follow *t, struct smi_follow_file *f, struct smi_loop *l)
{
    struct smi_follow_exec *x = f->exec;
    struct smi_err err = {0};
    if (x->m->state == SMI_MONITOR_STOPPED && !t->stopping)
        smi_monitor_start(x->m, l->now_ms);
    if (f->held)
        (void)deliver_part(t, f, false);
    x->m->hold = f->held;
    (void)smi_monitor_source(x->m).run(x->m, l, &err);
    if (l->now_ms >= answer_deadline(t, f))
        handle_no_answer(x);
}

/* ---- all of it ---- */

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
    for (size_t i = 0; i < t->files; i++) {
        struct smi_follow_file *f = t->file[i];
        if (f->fd > 0)
            close(f->fd);
        smi_buf_fini(&f->part);
        if (f->exec)
            smi_monitor_free(f->exec->m);
        smi_mem_free(f->exec);
        smi_mem_free(f->path);
        smi_mem_free(f);
    }
    for (size_t i = 0; i < t->dirs; i++) {
        smi_mem_free(t->dir[i].path);
        smi_inode_set_fini(&t->dir[i].other);
    }
    if (t->notify >= 0)
        close(t->notify);
    smi_mem_free(t->file);
    smi_mem_free(t->dir);
    smi_mem_free(t->generation);
    smi_map_fini(&t->names);
    smi_mem_free(t->buf);
    smi_mem_free(t);
}

int smi_follow_add(struct smi_follow *t, const char *path, struct smi_err *err)
{
    struct stat st;
    size_t n = strlen(path);
    bool in = !strcmp(path, "-"), there = !in && !stat(path, &st);
    if (in || (there && S_ISFIFO(st.st_mode)))
        return add_pipe(t, path, err);
    while (n > 1 && path[n - 1] == '/')
        n--;
    char *copy = smi_mem_text(path, n);
    if (there && S_ISDIR(st.st_mode))
        add_tree(t, copy, n, 0);
    else if (!is_followed(t, copy))
        add_file(t, SMI_FOLLOW_FILE, copy, n);
    smi_mem_free(copy);
    return 0;
}

bool smi_follow_is_over(const struct smi_follow *t)
{
    bool over = true;
    for (size_t i = 0; i < t->files; i++)
        over = over && t->file[i]->state == SMI_FOLLOW_ENDED;
    for (size_t i = 0; i < t->dirs; i++)
        over = over && !t->dir[i].tree;
    return over;
}

/* ---- as a source of the loop ---- */

/* When to look at a file; one of which something was heard: at once, but not more often than `gather`. */
static int64_t due_of(const struct smi_follow *t, const struct smi_follow_file *f)
{
    int64_t soon = f->looked_ms + t->times.gather;
    if (f->kind != SMI_FOLLOW_FILE)
        return f->kind == SMI_FOLLOW_PIPE && f->held ? t->now_ms + t->times.look / 4 : INT64_MAX;
    return f->dirty && !f->held && soon < f->due_ms ? soon : f->due_ms;
}

/* Listing takes longer: a directory of which something was heard waits a little. */
static int64_t dir_due(const struct smi_follow *t, const struct smi_follow_dir *d)
{
    return d->dirty ? d->looked_ms + t->times.look / 4 : d->due_ms;
}

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_follow *t = self;
    int64_t due = INT64_MAX;
    for (size_t i = 0; i < t->files; i++) {
        const struct smi_follow_file *f = t->file[i];
        if (f->exec) {
            smi_monitor_source(f->exec->m).prepare(f->exec->m, l);
            smi_loop_wake(l, f->exec->m->state == SMI_MONITOR_STOPPED && !t->stopping ? l->now_ms
                             : f->held                                                ? l->now_ms + HELD_MS
                                       : answer_deadline(t, f));
        }
        if (t->stopping)
            continue;
        if (f->kind == SMI_FOLLOW_PIPE && !f->held)
            smi_loop_watch(l, f->fd);
        due = due < due_of(t, f) ? due : due_of(t, f);
    }
    for (size_t i = 0; i < t->dirs && !t->stopping; i++)
        due = due < dir_due(t, &t->dir[i]) ? due : dir_due(t, &t->dir[i]);
    smi_loop_wake(l, due);
    if (due <= l->now_ms || due - l->now_ms > t->times.gather) /* else inotify would only say what is known */
        smi_loop_watch(l, t->notify);
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_follow *t = self;
    (void)err;
    t->now_ms = l->now_ms;
    t->failed = 0;
    if (t->notify >= 0)
        read_inotify(t);
    for (size_t i = 0; i < t->dirs && !t->failed && !t->stopping; i++)
        if (l->now_ms >= dir_due(t, &t->dir[i]))
            check_directory(t, (int)i);
    for (size_t i = 0; i < t->files && !t->failed; i++) {
        struct smi_follow_file *f = t->file[i];
        if (f->exec)
            run_command(t, f, l);
        else if (t->stopping)
            continue;
        else if (f->kind == SMI_FOLLOW_PIPE && f->fd >= 0)
            read_pipe(t, f, smi_loop_ready(l, f->fd));
        else if (l->now_ms >= due_of(t, f))
            smi_follow_check_file(t, f);
    }
    return t->failed ? -1 : 0;
}

struct smi_loop_source smi_follow_source(struct smi_follow *t)
{
    return (struct smi_loop_source){t, prepare, run};
}

void smi_follow_stop(struct smi_follow *t, int64_t now_ms)
{
    t->stopping = true;
    for (size_t i = 0; i < t->files; i++)
        if (t->file[i]->exec)
            smi_monitor_stop(t->file[i]->exec->m, now_ms);
}

bool smi_follow_busy(const struct smi_follow *t)
{
    bool busy = false;
    for (size_t i = 0; i < t->files; i++)
        busy |= t->file[i]->exec && t->file[i]->exec->m->child.pid;
    return busy;
}
