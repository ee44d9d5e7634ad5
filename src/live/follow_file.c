/* follow_file.c - one check of one followed file, and the older files of its name. */
#include "live/follow.h"
#include "base/stream.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { SURE = 20 }; /* so many bytes at the same place are no chance */

static int64_t stat_time_ns(struct statx_timestamp s)
{
    return s.tv_sec * 1000000000 + s.tv_nsec;
}

int64_t smi_follow_clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME_COARSE, &t); /* that files are stamped by */
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int smi_follow_stat(int dirfd, const char *name, int flags, struct smi_follow_stat *st)
{
    struct statx x;
    if (statx(dirfd, name, flags | AT_NO_AUTOMOUNT, STATX_BASIC_STATS | STATX_BTIME, &x))
        return errno;
    *st = (struct smi_follow_stat){{makedev(x.stx_dev_major, x.stx_dev_minor), x.stx_ino, 0},
                                   x.stx_mode,
                                   (int64_t)x.stx_size,
                                   stat_time_ns(x.stx_mtime),
                                   stat_time_ns(x.stx_ctime),
                                   x.stx_nlink};
    if (x.stx_mask & STATX_BTIME)
        st->id.born_ns = stat_time_ns(x.stx_btime);
    return 0;
}

bool smi_follow_same_id(const struct smi_follow_id *a, const struct smi_follow_id *b)
{
    return a->dev == b->dev && a->ino == b->ino && a->born_ns == b->born_ns;
}

/* "1", "20260101", "2026-01-01_12-00": digits, and what separates them. */
static bool is_mark(const char *p, size_t n)
{
    if (!n || !isdigit((unsigned char)p[0]))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!isdigit((unsigned char)p[i]) && !strchr("-_.:T", p[i]))
            return false;
    return true;
}

static bool is_between(char c)
{
    return c == '.' || c == '-' || c == '_';
}

bool smi_follow_is_older(const char *name, const char *base)
{
    size_t n = strlen(name), b = strlen(base);
    const char *dot = strrchr(base, '.');
    if (n > b + 1 && !memcmp(name, base, b) && is_between(name[b]) &&
        (is_mark(name + b + 1, n - b - 1) || !strcmp(name + b, ".old")))
        return true;
    if (!dot || dot == base)
        return false;
    size_t stem = (size_t)(dot - base), ext = b - stem;
    return n > b + 1 && !memcmp(name, base, stem) && is_between(name[stem]) && !strcmp(name + n - ext, dot) &&
           is_mark(name + stem + 1, n - b - 1);
}

bool smi_follow_is_known(const struct smi_follow_file *f, const struct smi_follow_id *id)
{
    for (unsigned i = 0; i < f->nknown && i < SMI_FOLLOW_KNOWN_MAX; i++)
        if (smi_follow_same_id(&f->known[i], id))
            return true;
    return false;
}

/* ---- going through the directory ---- */

static int open_in(DIR *d, const char *name, struct smi_follow_stat *st)
{
    int fd = openat(dirfd(d), name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    if (fd >= 0 && (smi_follow_stat(fd, "", AT_EMPTY_PATH, st) || !S_ISREG(st->mode))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* When a file came into being, as far as that is known: its birth, else its last write. */
static int64_t follow_age(const struct smi_follow_stat *st)
{
    return st->id.born_ns ? st->id.born_ns : st->mtime_ns;
}

/* A copy was made before the last rows that we read were written: their begin is at its end. */
static bool is_shorter_copy(const struct smi_follow_position *at, int fd, int64_t size)
{
    struct smi_follow_position end = *at;
    int64_t less = at->offset - size;
    if (less <= 0 || less + SURE > at->last_n)
        return false;
    end.offset = size;
    end.last_n -= (uint32_t)less;
    end.head_n = size < at->head_n ? (uint32_t)size : at->head_n;
    return smi_follow_matches_content(&end, fd);
}

static bool is_next(const struct smi_follow_file *f, const struct smi_follow_stat *st)
{
    return !smi_follow_same_id(&st->id, &f->at.id) && follow_age(st) >= f->at.began_ns &&
           !smi_follow_is_known(f, &st->id);
}

/* A copy that is being made, or was, of what still stands under the name: that will be read there. */
static bool is_copy_of(int copy, const struct smi_follow_stat *st, int fd)
{
    char a[SMI_FOLLOW_HEAD], b[SMI_FOLLOW_HEAD];
    ssize_t n = pread(copy, a, sizeof a, 0), m;
    if (n <= 0 || pread(fd, b, (size_t)n, 0) != n || memcmp(a, b, (size_t)n) != 0)
        return n == 0;
    int64_t last = st->size > n ? st->size - n : 0;
    m = pread(copy, a, (size_t)n, last);
    return m > 0 && pread(fd, b, (size_t)m, last) == m && !memcmp(a, b, (size_t)m);
}

/* What has the name now, unless that is what we read. */
static int open_own(const struct smi_follow_file *f, struct smi_follow_stat *st)
{
    int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && (smi_follow_stat(fd, "", AT_EMPTY_PATH, st) || !S_ISREG(st->mode) ||
                    smi_follow_same_id(&st->id, &f->at.id))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Is fd, which is called `name`, what is looked for? own: what has the name now, or -1. */
static bool is_wanted(const struct smi_follow_file *f, enum smi_follow_rotated_kind which, int fd,
                      const struct smi_follow_stat *st, int own)
{
    if (which == SMI_FOLLOW_MOVED)
        return smi_follow_same_id(&st->id, &f->at.id) && smi_follow_matches_content(&f->at, fd);
    if (which == SMI_FOLLOW_NEXT)
        return is_next(f, st) && !(f->at.copy && own >= 0 && is_copy_of(fd, st, own));
    return st->id.ino != f->at.id.ino && follow_age(st) >= f->at.began_ns &&
           !smi_follow_is_known(f, &st->id) && !(!f->at.offset && is_copy_of(fd, st, f->fd)) &&
           (st->size < f->at.offset ? is_shorter_copy(&f->at, fd, st->size)
                                    : smi_follow_matches_content(&f->at, fd));
}

/* The oldest of those that are wanted. */
static int find_rotated(const struct smi_follow *t, const struct smi_follow_file *f,
                        enum smi_follow_rotated_kind which, struct smi_follow_stat *st, char *name)
{
    int own = which == SMI_FOLLOW_NEXT ? open_own(f, st) : -1, best = -1, fd;
    struct smi_follow_stat s, found;
    struct dirent *e;
    DIR *d = opendir(t->dir[f->dir].path);
    snprintf(name, 256, "%s", f->base);
    while (d && (e = readdir(d)) && !(which == SMI_FOLLOW_MOVED && best >= 0)) {
        bool same = which == SMI_FOLLOW_MOVED && e->d_ino == f->at.id.ino;
        if ((!same && !smi_follow_is_older(e->d_name, f->base)) || (fd = open_in(d, e->d_name, &s)) < 0)
            continue;
        if ((best >= 0 && follow_age(&s) >= follow_age(&found)) || !is_wanted(f, which, fd, &s, own)) {
            close(fd);
            continue;
        }
        if (best >= 0)
            close(best);
        best = fd;
        found = s;
        snprintf(name, 256, "%s", e->d_name);
    }
    if (d)
        closedir(d);
    if (best < 0)
        return own;
    if (own >= 0)
        close(own);
    *st = found;
    return best;
}

/* A sum of the names that concern us, in any order. */
static uint64_t names_checksum(const struct smi_follow *t, const struct smi_follow_file *f)
{
    uint64_t sum = 0;
    struct dirent *e;
    DIR *d = opendir(t->dir[f->dir].path);
    while (d && (e = readdir(d))) {
        uint64_t h = smi_hash_bytes(e->d_name, strlen(e->d_name)) + e->d_ino * 0x9E3779B97F4A7C15u;
        if (smi_follow_is_older(e->d_name, f->base))
            sum += h ^ h >> 29;
    }
    if (d)
        closedir(d);
    return sum;
}

/* Opens such a file of f's directory; st is filled, and name (256 bytes): how it is called now. -1: there is
 * none. Names that move while they are listed may be missed: then it is done again. */
static int follow_find_rotated(const struct smi_follow *t, const struct smi_follow_file *f,
                               enum smi_follow_rotated_kind which, struct smi_follow_stat *st, char *name)
{
    uint64_t before = names_checksum(t, f), after;
    for (int i = 0;; i++, before = after) {
        int fd = find_rotated(t, f, which, st, name);
        after = names_checksum(t, f);
        if (before == after || i == 8)
            return fd;
        if (fd >= 0)
            close(fd);
    }
}

bool smi_follow_was_copied(const struct smi_follow *t, const struct smi_follow_file *f)
{
    struct smi_follow_stat st;
    char name[256];
    int fd = follow_find_rotated(t, f, SMI_FOLLOW_COPY, &st, name);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* one look at one followed file: what stands under its name now, what there is to read of the
 * file that we have, and when the one takes the place of the other. */

enum { LOOK_MOST = 1 << 20, STEPS = 64 };

/* What the look has found so far. */
struct look {
    struct smi_follow *t;
    struct smi_follow_file *f;
    int why;                   /* 0, or errno: nothing can be said of the name */
    struct smi_follow_stat st; /* of the name */
    bool here;                 /* it leads to the file that we read */
};

/* ---- events for the owner ---- */

static void refuse_file(struct look *l, const char *why)
{
    struct smi_follow_file *f = l->f;
    bool new = f->state != SMI_FOLLOW_CLOSED || strcmp(f->why, why) != 0;
    f->state = SMI_FOLLOW_CLOSED;
    snprintf(f->why, sizeof f->why, "%s", why);
    if (new)
        smi_follow_report(l->t, f, SMI_FOLLOW_REFUSED, false, "%s", f->why);
}

static void can_be_read(struct look *l)
{
    struct smi_follow_file *f = l->f;
    bool back = f->state == SMI_FOLLOW_GONE || (f->state == SMI_FOLLOW_CLOSED && f->begun);
    f->state = SMI_FOLLOW_READING;
    f->why[0] = 0;
    f->away_ms = -1;
    if (back)
        smi_follow_report(l->t, f, SMI_FOLLOW_IS_BACK, false, "it is there again");
}

/* The name leads nowhere: for long enough? */
static void handle_missing_name(struct look *l)
{
    struct smi_follow_file *f = l->f;
    if (f->away_ms < 0)
        f->away_ms = l->t->now_ms;
    if (f->state == SMI_FOLLOW_CLOSED && !f->begun)
        f->state = SMI_FOLLOW_WAITING;
    if (l->t->now_ms - f->away_ms < l->t->times.gone || f->state == SMI_FOLLOW_WAITING ||
        f->state == SMI_FOLLOW_GONE)
        return;
    f->state = SMI_FOLLOW_GONE;
    smi_follow_report(l->t, l->f, SMI_FOLLOW_IS_GONE, false, "it is gone");
}

/* ---- descriptors ---- */

void smi_follow_close(struct smi_follow *t, struct smi_follow_file *f)
{
    if (f->fd >= 0) {
        close(f->fd);
        t->open--;
    }
    f->fd = -1;
}

/* Room for one more: the file that was quiet for the longest time is closed. Its place is known, so nothing
 * is lost. */
static void close_oldest_file(struct smi_follow *t)
{
    struct smi_follow_file *quiet = NULL;
    for (size_t i = 0; i < t->files && t->open >= SMI_FOLLOW_OPEN_MAX; i++) {
        struct smi_follow_file *f = t->file[i];
        if (!f->stream && f->fd >= 0 && (!quiet || f->grew_ms < quiet->grew_ms))
            quiet = f;
    }
    if (quiet)
        smi_follow_close(t, quiet);
}

static void adopt_file(struct look *l, int fd)
{
    smi_follow_close(l->t, l->f);
    close_oldest_file(l->t);
    l->f->fd = fd;
    l->t->open++;
}

/* Opens what the name leads to, if it can be read as a log; l->st is its. -1 if not, and that is said. */
static int open_name(struct look *l)
{
    char head[SMI_CONTAINER_MAGIC];
    int fd = open(l->f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 && errno == ENOENT) {
        l->why = ENOENT;
        return -1;
    }
    l->why = fd < 0 ? errno : smi_follow_stat(fd, "", AT_EMPTY_PATH, &l->st);
    ssize_t n = l->why || !S_ISREG(l->st.mode) ? 0 : pread(fd, head, sizeof head, 0);
    if (l->why)
        refuse_file(l, strerror(l->why));
    else if (!S_ISREG(l->st.mode))
        refuse_file(l, "not a regular file");
    else if (n < 0)
        refuse_file(l, strerror(l->why = errno));
    else if (smi_container_detect(head, (size_t)n) != SMI_CONTAINER_PLAIN)
        refuse_file(l, "packed, UTF-16, W&B or of a terminal: not followed (smilog summarize reads it)");
    else
        return fd;
    if (fd >= 0)
        close(fd);
    l->why = l->why ? l->why : EINVAL;
    return -1;
}

/* ---- reading ---- */

/* fd is a file at its begin. began: what is older than that came before it. */
static void begin_file(struct look *l, int fd, const struct smi_follow_stat *st, int64_t began_ns)
{
    adopt_file(l, fd);
    l->f->begun = true;
    l->f->skip_to = 0;
    l->f->cut = l->f->at.copy;
    l->f->seen = (struct smi_follow_stat){.size = 0};
    smi_follow_begin(&l->f->at, st->id, began_ns);
    l->f->hole_over = false; /* that of another file */
}

/* at is a place in fd, which holds the same up to there. */
static void handle_replaced(struct look *l, int fd, const struct smi_follow_stat *st)
{
    adopt_file(l, fd);
    l->f->at.id = st->id;
}

/* It was truncated, or written anew. What was behind our place may be in a copy: then that is the file that
 * we read, and the one that was truncated is the next, as if it had been rotated by name. */
static void handle_truncated(struct look *l)
{
    struct smi_follow_file *f = l->f;
    struct smi_follow_stat st;
    char name[256];
    int64_t now_ns = smi_follow_clock_ns();
    int copy = follow_find_rotated(l->t, f, SMI_FOLLOW_COPY, &st, name);
    l->f->skip_to = 0;
    if (copy >= 0) {
        handle_replaced(l, copy, &st);
        f->at.began_ns = follow_age(&st);
        f->at.copy = 1;
        if (st.size < f->at.offset) { /* we have more than it: nothing is left in it */
            f->at.last_n -= (uint32_t)(f->at.offset - st.size);
            f->at.head_n = st.size < f->at.head_n ? (uint32_t)st.size : f->at.head_n;
            f->at.offset = st.size;
        }
        l->here = false;
        return;
    }
    smi_follow_report(l->t, f, SMI_FOLLOW_TRUNCATED, true,
                      "truncated behind byte %lld: what was written to it just before is lost",
                      (long long)f->at.offset);
    smi_follow_begin(&f->at, f->at.id, now_ns);
    f->hole_over = false;
    l->f->cut = true;
    l->f->seen = (struct smi_follow_stat){.size = 0};
}

/* Reads what there is. True: all of it. */
static bool read_to_end(struct look *l)
{
    for (int i = 0; i < 2 && l->f->fd >= 0; i++) {
        enum smi_follow_outcome did = smi_follow_read(l->t, l->f, l->f->fd, LOOK_MOST);
        if (did == SMI_FOLLOW_READ_ALL)
            return true;
        if (did == SMI_FOLLOW_READ_FAILED) {
            if (!l->t->failed)
                refuse_file(l, strerror(errno));
            smi_follow_close(l->t, l->f);
            return false;
        }
        l->f->more = true;
        if (did == SMI_FOLLOW_READ_SOME)
            return false;
        handle_truncated(l);
    }
    return false;
}

/* ---- from one file to the next ---- */

static bool is_same_content(struct look *l, int fd, const struct smi_follow_stat *st)
{
    return l->f->at.offset > 0 && st->size >= l->f->at.offset && smi_follow_matches_content(&l->f->at, fd);
}

/* The next file begins, and the one before is over. */
static void handle_change(struct look *l, int fd, const struct smi_follow_stat *st, const char *name,
                          int64_t now_ns)
{
    bool own = !strcmp(name, l->f->base), copy = l->f->at.copy;
    int64_t size = l->f->at.offset, began = !own ? follow_age(st) : copy ? l->f->at.began_ns + 1 : now_ns;
    if (l->f->at.id.ino && !smi_follow_is_known(l->f, &l->f->at.id))
        l->f->known[l->f->nknown++ % SMI_FOLLOW_KNOWN_MAX] = l->f->at.id;
    begin_file(l, fd, st, began); /* what it is being copied to may be there already */
    l->f->at.copy = copy && !own;
    if (copy) {
        smi_follow_report(
            l->t, l->f, SMI_FOLLOW_TRUNCATED, true,
            "truncated after it was copied: the copy was read to its end at byte %lld, what was written "
            "between the two is lost",
            (long long)size);
        return;
    }
    smi_follow_report(l->t, l->f, SMI_FOLLOW_ROTATED, false, "rotated: %s begins",
                      own ? "the new file" : name);
}

/* The unfinished line of a file that is over; that of a copy goes on in what is lost. */
static bool finish_file(struct look *l)
{
    return l->f->at.copy || smi_follow_read_rest(l->t, l->f, l->f->fd) != SMI_FOLLOW_READ_SOME;
}

static bool handle_unlinked(int fd)
{
    struct smi_follow_stat st;
    return smi_follow_stat(fd, "", AT_EMPTY_PATH, &st) || !st.links;
}

/* All of the file that we have was read, and the name leads to another. True: there is more to do. */
static bool read_on(struct look *l)
{
    struct smi_follow_stat st;
    char name[256];
    int64_t now_ns = smi_follow_clock_ns();
    int fd = follow_find_rotated(l->t, l->f, SMI_FOLLOW_NEXT, &st, name);
    if (fd < 0)
        return false;
    if (l->f->fd >= 0 && !st.size &&
        !strcmp(name, l->f->base)) { /* its writer may not have gone over to it yet */
        close(fd);
        return false;
    }
    bool own = !strcmp(name, l->f->base);
    if (own && (l->f->fd < 0 || handle_unlinked(l->f->fd)) && is_same_content(l, fd, &st)) {
        handle_replaced(l, fd, &st);
        return true;
    }
    /* What the old one got until the new one had bytes. */
    if (l->f->fd >= 0 && (!read_to_end(l) || !finish_file(l))) {
        close(fd);
        return false;
    }
    if (l->f->fd < 0)
        smi_follow_report(l->t, l->f, SMI_FOLLOW_MISSED, true,
                          "rotated while nobody looked: what the old file got after byte %lld was not found",
                          (long long)l->f->at.offset);
    handle_change(l, fd, &st, name, now_ns);
    return true;
}

/* ---- the first file of a name ---- */

static void handle_found(struct look *l)
{
    can_be_read(l);
    if (l->f->at.offset)
        smi_follow_report(l->t, l->f, SMI_FOLLOW_FOUND, false, "read on at byte %lld",
                          (long long)l->f->at.offset);
    else
        smi_follow_report(l->t, l->f, SMI_FOLLOW_FOUND, false, "read from its beginning");
}

/* Nothing of this name was read yet. */
static bool read_first_file(struct look *l)
{
    int64_t now_ns = smi_follow_clock_ns();
    char name[256];
    int fd = open_name(l);
    if (fd < 0)
        return false;
    if (l->f->whole) { /* the oldest part of it */
        close(fd);
        if ((fd = follow_find_rotated(l->t, l->f, SMI_FOLLOW_NEXT, &l->st, name)) < 0)
            return false;
        now_ns = strcmp(name, l->f->base) ? follow_age(&l->st) : now_ns;
    }
    begin_file(l, fd, &l->st, now_ns);
    handle_found(l);
    return true;
}

/* We know how far it was read, and it is not open. True: there is more to do. */
static bool reopen_file(struct look *l)
{
    struct smi_follow_stat st;
    char name[256];
    int fd;
    bool told = l->f->told_found;
    l->f->told_found = true;
    if (l->here) {
        if ((fd = open_name(l)) < 0)
            return false;
        adopt_file(l, fd);
    } else if ((fd = follow_find_rotated(l->t, l->f, SMI_FOLLOW_MOVED, &st, name)) >= 0) {
        adopt_file(l, fd);
    } else if (l->why) {
        return false;
    }
    if (!told)
        handle_found(l);
    return true;
}

/* ---- a look ---- */

static bool is_unchanged(const struct look *l)
{
    const struct smi_follow_stat *a = &l->f->seen, *b = &l->st;
    return l->here && a->id.ino == b->id.ino && a->size == b->size && a->mtime_ns == b->mtime_ns &&
           a->ctime_ns == b->ctime_ns;
}

static void stat_name(struct look *l)
{
    l->why = smi_follow_stat(AT_FDCWD, l->f->path, 0, &l->st);
    l->here = !l->why && l->f->begun && smi_follow_same_id(&l->f->at.id, &l->st.id);
    if (l->here)
        l->f->size = l->st.size;
}

/* One step of a look. True: there is another one to do. */
static bool check_step(struct look *l)
{
    struct smi_follow_file *f = l->f;
    stat_name(l);
    if (!f->begun)
        return l->why == ENOENT || l->why == ENOTDIR ? (handle_missing_name(l), false) : read_first_file(l);
    if (f->fd < 0 && !is_unchanged(l) && !reopen_file(l) && !l->why)
        return false;
    f->over = !l->here && !l->why;
    if (f->fd >= 0 && !read_to_end(l))
        return false;
    if (l->here) {
        f->seen = l->st;
        can_be_read(l);
        return false;
    }
    if (l->why == ENOENT || l->why == ENOTDIR) {
        handle_missing_name(l);
        return false;
    }
    if (l->why) {
        if (f->state != SMI_FOLLOW_CLOSED)
            refuse_file(l, strerror(l->why));
        return false;
    }
    if (!S_ISREG(l->st.mode)) {
        refuse_file(l, "not a regular file");
        return false;
    }
    return read_on(l);
}

static void schedule_check(struct smi_follow *t, struct smi_follow_file *f)
{
    int64_t wait = f->more ? 0 : t->times.look;
    f->due_ms = t->now_ms + (f->held ? t->times.look / 4 : wait);
}

void smi_follow_check_file(struct smi_follow *t, struct smi_follow_file *f)
{
    struct look l = {.t = t, .f = f};
    bool told = f->dirty, more = f->more || f->held;
    f->looked_ms = t->now_ms;
    f->more = f->dirty = false;
    stat_name(&l);
    if (!told && !more && f->state == SMI_FOLLOW_READING && is_unchanged(&l) && f->hole_at != f->at.offset) {
        schedule_check(t, f);
        return;
    }
    for (int i = 0; i < STEPS && check_step(&l) && !t->failed; i++)
        ;
    schedule_check(t, f);
}
