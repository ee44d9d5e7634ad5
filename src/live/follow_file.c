/* follow_file.c - one look at one followed file: what stands under its name now, what there is to read of the file that we
 * have, and when the one takes the place of the other. */
#include "live/follow_private.h"

#include "base/container.h"
#include "sweep/stat_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOK_MOST = 1 << 20, STEPS = 64 };

/* What the look has found so far. */
struct look {
    struct smi_tail *t;
    struct smi_tail_file *f;
    struct smi_tail_work *w;
    int why;                 /* 0, or errno: nothing can be said of the name */
    struct smi_tail_stat st; /* of the name */
    bool here;               /* it leads to the file that we read */
};

/* ---- what the owner is told ---- */

static void refuse(struct look *l, const char *why)
{
    struct smi_tail_file *f = l->f;
    bool new = f->state != SMI_TAIL_CLOSED || strcmp(f->why, why) != 0;
    f->state = SMI_TAIL_CLOSED;
    snprintf(f->why, sizeof f->why, "%s", why);
    if (new)
        smi_tail_tell(l->t, f, SMI_TAIL_REFUSED, false, "%s", f->why);
}

static void reads(struct look *l)
{
    struct smi_tail_file *f = l->f;
    bool back = f->state == SMI_TAIL_GONE || (f->state == SMI_TAIL_CLOSED && f->work->begun);
    f->state = SMI_TAIL_READING;
    f->why[0] = 0;
    f->work->away_ms = -1;
    if (back)
        smi_tail_tell(l->t, f, SMI_TAIL_IS_BACK, false, "it is there again");
}

/* The name leads nowhere: for long enough? */
static void away(struct look *l)
{
    struct smi_tail_work *w = l->w;
    if (w->away_ms < 0)
        w->away_ms = l->t->now_ms;
    if (l->f->state == SMI_TAIL_CLOSED && !w->begun)
        l->f->state = SMI_TAIL_WAITING;
    if (l->t->now_ms - w->away_ms < l->t->times.gone || l->f->state == SMI_TAIL_WAITING || l->f->state == SMI_TAIL_GONE)
        return;
    l->f->state = SMI_TAIL_GONE;
    smi_tail_tell(l->t, l->f, SMI_TAIL_IS_GONE, false, "it is gone");
}

/* ---- descriptors ---- */

void smi_tail_close(struct smi_tail *t, struct smi_tail_file *f)
{
    if (f->work->fd >= 0) {
        close(f->work->fd);
        t->open--;
    }
    f->work->fd = -1;
}

/* Room for one more: the file that was quiet for the longest time is closed. Its place is known, so nothing is lost. */
static void make_room(struct smi_tail *t)
{
    struct smi_tail_file *quiet = NULL;
    for (size_t i = 0; i < t->files && t->open >= SMI_TAIL_OPEN_MAX; i++) {
        struct smi_tail_file *f = t->file[i];
        if (!f->work->stream && f->work->fd >= 0 && (!quiet || f->grew_ms < quiet->grew_ms))
            quiet = f;
    }
    if (quiet)
        smi_tail_close(t, quiet);
}

static void adopt(struct look *l, int fd)
{
    smi_tail_close(l->t, l->f);
    make_room(l->t);
    l->w->fd = fd;
    l->t->open++;
}

/* Opens what the name leads to, if it can be read as a log; l->st is its. -1 if not, and that is said. */
static int open_name(struct look *l)
{
    char head[SMI_MAGIC];
    int fd = open(l->f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 && errno == ENOENT) {
        l->why = ENOENT;
        return -1;
    }
    l->why = fd < 0 ? errno : smi_tail_stat(fd, "", AT_EMPTY_PATH, &l->st);
    ssize_t n = l->why || !S_ISREG(l->st.mode) ? 0 : pread(fd, head, sizeof head, 0);
    if (l->why)
        refuse(l, strerror(l->why));
    else if (!S_ISREG(l->st.mode))
        refuse(l, "not a regular file");
    else if (n < 0)
        refuse(l, strerror(l->why = errno));
    else if (smi_magic(head, (size_t)n) != SMI_PLAIN)
        refuse(l, "packed or UTF-16: not followed (smilog summarize reads it)");
    else
        return fd;
    if (fd >= 0)
        close(fd);
    l->why = l->why ? l->why : EINVAL;
    return -1;
}

/* ---- reading ---- */

/* fd is a file at its begin. began: what is older than that came before it. */
static void begin(struct look *l, int fd, const struct smi_tail_id *id, int64_t began_ns)
{
    adopt(l, fd);
    l->w->begun = true;
    l->w->skip_to = 0;
    l->w->cut = l->f->at.copy;
    l->w->seen = (struct smi_tail_stat){.size = 0};
    smi_tail_begin(&l->f->at, id, began_ns);
}

/* at is a place in fd, which holds the same up to there. */
static void replaced(struct look *l, int fd, const struct smi_tail_stat *st)
{
    adopt(l, fd);
    l->f->at.dev = st->id.dev;
    l->f->at.ino = st->id.ino;
    l->f->at.born_ns = st->id.born_ns;
}

/* It was truncated, or written anew. What was behind our place may be in a copy: then that is the file that we read,
 * and the one that was truncated is the next, as if it had been rotated by name. */
static void truncated(struct look *l)
{
    struct smi_tail_file *f = l->f;
    struct smi_tail_stat st;
    struct smi_tail_id id = smi_tail_id_of(&f->at);
    char name[256];
    int64_t now_ns = smi_stamp_now();
    int copy = smi_tail_find(l->t, f, SMI_TAIL_COPY, &st, name);
    l->w->skip_to = 0;
    if (copy >= 0) {
        replaced(l, copy, &st);
        f->at.began_ns = smi_tail_age(&st);
        f->at.copy = 1;
        if (st.size < f->at.offset) { /* we have more than it: nothing is left in it */
            f->at.last_n -= (uint32_t)(f->at.offset - st.size);
            f->at.head_n = st.size < f->at.head_n ? (uint32_t)st.size : f->at.head_n;
            f->at.offset = st.size;
        }
        l->here = false;
        return;
    }
    f->truncations++;
    smi_tail_tell(l->t, f, SMI_TAIL_TRUNCATED, true,
                  "truncated behind byte %lld: what was written to it just before is lost", (long long)f->at.offset);
    smi_tail_begin(&f->at, &id, now_ns);
    l->w->cut = true;
    l->w->seen = (struct smi_tail_stat){.size = 0};
}

/* Reads what there is. True: all of it. */
static bool drain(struct look *l)
{
    for (int i = 0; i < 2 && l->w->fd >= 0; i++) {
        enum smi_tail_did did = smi_tail_read(l->t, l->f, l->w->fd, LOOK_MOST);
        if (did == SMI_TAIL_DID_ALL)
            return true;
        if (did == SMI_TAIL_DID_FAIL) {
            if (!l->t->failed)
                refuse(l, strerror(errno));
            smi_tail_close(l->t, l->f);
            return false;
        }
        l->w->more = true;
        if (did == SMI_TAIL_DID_SOME)
            return false;
        truncated(l);
    }
    return false;
}

/* ---- from one file to the next ---- */

static bool is_same_content(struct look *l, int fd, const struct smi_tail_stat *st)
{
    return l->f->at.offset > 0 && st->size >= l->f->at.offset && smi_tail_holds(&l->f->at, fd);
}

/* The next file begins, and the one before is over. */
static void change(struct look *l, int fd, const struct smi_tail_stat *st, const char *name, int64_t now_ns)
{
    struct smi_tail_id old = smi_tail_id_of(&l->f->at);
    bool own = !strcmp(name, l->w->base), copy = l->f->at.copy;
    int64_t size = l->f->at.offset, began = !own ? smi_tail_age(st) : copy ? l->f->at.began_ns + 1 : now_ns;
    smi_tail_know(l->f, &old);
    begin(l, fd, &st->id, began); /* what it is being copied to may be there already */
    l->f->at.copy = copy && !own;
    if (copy) {
        l->f->truncations++;
        smi_tail_tell(l->t, l->f, SMI_TAIL_TRUNCATED, true,
                      "truncated after it was copied: the copy was read to its end at byte %lld, what was written "
                      "between the two is lost", (long long)size);
        return;
    }
    l->f->rotations++;
    smi_tail_tell(l->t, l->f, SMI_TAIL_ROTATED, false, "rotated: %s begins", own ? "the new file" : name);
}

/* The unfinished line of a file that is over; that of a copy goes on in what is lost. */
static bool finish(struct look *l)
{
    return l->f->at.copy || smi_tail_read_rest(l->t, l->f, l->w->fd) != SMI_TAIL_DID_SOME;
}

static bool unlinked(int fd)
{
    struct smi_tail_stat st;
    return smi_tail_stat(fd, "", AT_EMPTY_PATH, &st) || !st.links;
}

/* All of the file that we have was read, and the name leads to another. True: there is more to do. */
static bool go_on(struct look *l)
{
    struct smi_tail_stat st;
    char name[256];
    int64_t now_ns = smi_stamp_now();
    int fd = smi_tail_find(l->t, l->f, SMI_TAIL_NEXT, &st, name);
    if (fd < 0)
        return false;
    if (l->w->fd >= 0 && !st.size && !strcmp(name, l->w->base)) { /* its writer may not have gone over to it yet */
        close(fd);
        return false;
    }
    bool own = !strcmp(name, l->w->base);
    if (own && (l->w->fd < 0 || unlinked(l->w->fd)) && is_same_content(l, fd, &st)) {
        replaced(l, fd, &st);
        return true;
    }
    /* What the old one got until the new one had bytes. */
    if (l->w->fd >= 0 && (!drain(l) || !finish(l))) {
        close(fd);
        return false;
    }
    if (l->w->fd < 0)
        smi_tail_tell(l->t, l->f, SMI_TAIL_MISSED, true,
                      "rotated while nobody looked: what the old file got after byte %lld was not found",
                      (long long)l->f->at.offset);
    change(l, fd, &st, name, now_ns);
    return true;
}

/* ---- the first file of a name ---- */

static void found(struct look *l)
{
    reads(l);
    if (l->f->at.offset)
        smi_tail_tell(l->t, l->f, SMI_TAIL_FOUND, false, "read on at byte %lld", (long long)l->f->at.offset);
    else
        smi_tail_tell(l->t, l->f, SMI_TAIL_FOUND, false, "read from its beginning");
}

/* Nothing of this name was read yet. */
static bool first(struct look *l)
{
    int64_t now_ns = smi_stamp_now();
    char name[256];
    int fd = open_name(l);
    if (fd < 0)
        return false;
    if (l->w->whole) { /* the oldest part of it */
        close(fd);
        if ((fd = smi_tail_find(l->t, l->f, SMI_TAIL_NEXT, &l->st, name)) < 0)
            return false;
        now_ns = strcmp(name, l->w->base) ? smi_tail_age(&l->st) : now_ns;
    }
    begin(l, fd, &l->st.id, now_ns);
    found(l);
    return true;
}

/* We know how far it was read, and it is not open. True: there is more to do. */
static bool again(struct look *l)
{
    struct smi_tail_stat st;
    char name[256];
    int fd;
    bool told = l->w->told_found;
    l->w->told_found = true;
    if (l->here) {
        if ((fd = open_name(l)) < 0)
            return false;
        adopt(l, fd);
    } else if ((fd = smi_tail_find(l->t, l->f, SMI_TAIL_MOVED, &st, name)) >= 0) {
        adopt(l, fd);
    } else if (l->why) {
        return false;
    }
    if (!told)
        found(l);
    return true;
}

/* ---- a look ---- */

static bool unchanged(const struct look *l)
{
    const struct smi_tail_stat *a = &l->w->seen, *b = &l->st;
    return l->here && a->id.ino == b->id.ino && a->size == b->size && a->mtime_ns == b->mtime_ns &&
           a->ctime_ns == b->ctime_ns;
}

static void stat_name(struct look *l)
{
    const struct smi_tail_place *at = &l->f->at;
    struct smi_tail_id id = smi_tail_id_of(at);
    l->why = smi_tail_stat(AT_FDCWD, l->f->path, 0, &l->st);
    l->here = !l->why && l->w->begun && smi_tail_same_id(&id, &l->st.id);
    if (l->here)
        l->f->size = l->st.size;
}

/* One step of a look. True: there is another one to do. */
static bool step(struct look *l)
{
    struct smi_tail_work *w = l->w;
    stat_name(l);
    if (!w->begun)
        return l->why == ENOENT || l->why == ENOTDIR ? (away(l), false) : first(l);
    if (w->fd < 0 && !unchanged(l) && !again(l) && !l->why)
        return false;
    w->over = !l->here && !l->why;
    if (w->fd >= 0 && !drain(l))
        return false;
    if (l->here) {
        w->seen = l->st;
        reads(l);
        return false;
    }
    if (l->why == ENOENT || l->why == ENOTDIR) {
        away(l);
        return false;
    }
    if (l->why) {
        if (l->f->state != SMI_TAIL_CLOSED)
            refuse(l, strerror(l->why));
        return false;
    }
    if (!S_ISREG(l->st.mode)) {
        refuse(l, "not a regular file");
        return false;
    }
    return go_on(l);
}

static void schedule(struct smi_tail *t, struct smi_tail_work *w)
{
    int64_t due = w->more ? t->now_ms : t->now_ms + t->times.look;
    if (w->held)
        due = t->now_ms + t->times.look / 4;
    w->due_ms = due;
}

void smi_tail_look(struct smi_tail *t, struct smi_tail_file *f)
{
    struct look l = {.t = t, .f = f, .w = f->work};
    bool told = f->work->dirty, more = f->work->more || f->work->held;
    f->work->looked_ms = t->now_ms;
    f->work->more = f->work->dirty = false;
    stat_name(&l);
    if (!told && !more && f->state == SMI_TAIL_READING && unchanged(&l) && f->work->hole_at != f->at.offset) {
        schedule(t, f->work);
        return;
    }
    for (int i = 0; i < STEPS && step(&l) && !t->failed; i++)
        ;
    schedule(t, f->work);
}
