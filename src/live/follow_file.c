/* follow_file.c - one check of one followed file: its new bytes, in whole lines, and the older files of its
 * name. */
#include "live/follow.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum {
    CHUNK = 65536,
    LOOK_MOST = 1 << 20, /* bytes of a file in one turn */
    STEPS = 64,          /* files of one name in one turn */
    TRIES = 8,           /* listings of a directory whose names move */
    SURE = 20            /* so many bytes at the same place are no chance */
};

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

/* ---- positions ---- */

void smi_follow_begin(struct smi_follow_position *at, struct smi_follow_id id, int64_t began_ns)
{
    at->part++;
    at->id = id;
    at->began_ns = began_ns;
    at->offset = at->line = 0;
    at->copy = at->head_n = at->last_n = 0;
}

static bool has_bytes(int fd, const void *p, size_t n, int64_t at)
{
    char here[SMI_FOLLOW_HEAD];
    return !n || (smi_file_read_at(fd, here, n, at, "", NULL) == (ssize_t)n && !memcmp(here, p, n));
}

/* Does fd hold what was read up to at? */
static bool matches_content(const struct smi_follow_position *at, int fd)
{
    return has_bytes(fd, at->head, at->head_n, 0) &&
           has_bytes(fd, at->last, at->last_n, at->offset - at->last_n);
}

/* Nothing of the file was read, or only zeros: its content cannot show that it was written anew. */
static bool is_blank(const struct smi_follow_position *at)
{
    static const char none[SMI_FOLLOW_HEAD > SMI_FOLLOW_LAST ? SMI_FOLLOW_HEAD : SMI_FOLLOW_LAST];
    return !memcmp(at->head, none, at->head_n) && !memcmp(at->last, none, at->last_n);
}

/* at moves behind n bytes. */
static void advance(struct smi_follow_position *at, const char *p, size_t n)
{
    size_t keep = at->last_n;
    if (at->head_n == at->offset && at->head_n < SMI_FOLLOW_HEAD) {
        size_t room = SMI_FOLLOW_HEAD - at->head_n, take = n < room ? n : room;
        memcpy(at->head + at->head_n, p, take);
        at->head_n += (uint32_t)take;
    }
    at->offset += (int64_t)n;
    for (const char *e = p, *end = p + n; (e = memchr(e, '\n', (size_t)(end - e))); e++)
        at->line++;
    if (n > SMI_FOLLOW_LAST) {
        p += n - SMI_FOLLOW_LAST;
        n = SMI_FOLLOW_LAST;
    }
    if (keep + n > SMI_FOLLOW_LAST)
        keep = SMI_FOLLOW_LAST - n;
    memmove(at->last, at->last + at->last_n - keep, keep);
    memcpy(at->last + keep, p, n);
    at->last_n = (uint32_t)(keep + n);
}

/* at moves back to `size`, within its last bytes. */
static void move_back(struct smi_follow_position *at, int64_t size)
{
    at->last_n -= (uint32_t)(at->offset - size);
    at->head_n = size < at->head_n ? (uint32_t)size : at->head_n;
    at->offset = size;
}

/* ---- lines ---- */

size_t smi_follow_deliver(struct smi_follow *t, struct smi_follow_file *f, const char *p, size_t n, bool all)
{
    const char *first = memchr(p, '\n', n), *last = first ? memrchr(p, '\n', n) : NULL;
    size_t take = all ? n : last ? (size_t)(last + 1 - p) : 0;
    int rc = 0;
    if (f->skip || (!first && n > SMI_FOLLOW_LINE_MAX)) {
        take = first ? (size_t)(first + 1 - p) : n;
        if (!f->skip)
            smi_follow_report(t, f, SMI_FOLLOW_PASSED, true, "a line of more than %d bytes was passed over",
                              SMI_FOLLOW_LINE_MAX);
        f->skip = !first;
    } else if (take) {
        rc = t->o.calls.bytes(t->o.calls.self, f->place, p, take);
        f->grew_ms = rc ? f->grew_ms : t->now_ms;
    }
    f->held = rc > 0;
    t->failed = rc < 0 ? -1 : t->failed;
    if (rc)
        return 0;
    advance(&f->at, p, take);
    return take;
}

/* Zeros at f->at, or in the line there: are they waited for? They may be bytes that are on their way (NFS).
 * What was there when the wait began has waited with them. */
static bool wait_for_hole(struct smi_follow *t, struct smi_follow_file *f)
{
    if (f->over || (f->cut && !f->at.offset))
        return false;
    if (f->at.offset < f->hole_at || f->at.offset >= f->hole_to ||
        (f->at.offset > f->hole_at && t->now_ms < f->hole_ms)) {
        f->hole_at = f->at.offset;
        f->hole_to = f->size;
        f->hole_ms = t->now_ms + t->times.hole;
    }
    return t->now_ms < f->hole_ms;
}

/* A line begins with zeros: a writer that does not append goes on where it was when the file was truncated
 * under it, and leaves a hole; or the bytes have not come yet. p: n bytes, the first one is 0. */
static bool pass_hole(struct smi_follow *t, struct smi_follow_file *f, const char *p, size_t n)
{
    static const char none[SMI_FOLLOW_LAST];
    int64_t data = -1;
    size_t k = 0;
    if (wait_for_hole(t, f))
        return false;
    while (k < n && !p[k])
        k++;
    if (k == n) {
        data = lseek(f->fd, f->at.offset + (int64_t)n, SEEK_DATA);
        if (n < CHUNK || data < 0) /* up to the end: they may still become bytes */
            return false;
    }
    advance(&f->at, p, k);
    if (data > f->at.offset) { /* all of it at once */
        f->at.offset = data - (int64_t)sizeof none;
        advance(&f->at, none, sizeof none);
        k = 0;
    }
    if (k < n)
        smi_follow_report(t, f, SMI_FOLLOW_PASSED, false, "zeros before byte %lld were passed over",
                          (long long)f->at.offset);
    return true;
}

/* Hands on the whole lines among n bytes at f->at. False: those there have to wait. */
static bool take_lines(struct smi_follow *t, struct smi_follow_file *f, const char *p, size_t n)
{
    const char *zero = f->skip ? NULL : memchr(p, 0, n), *end;
    if (zero == p)
        return pass_hole(t, f, p, n);
    if (zero && memrchr(p, '\n', (size_t)(zero - p))) {
        n = (size_t)(zero - p);
    } else if (zero && (end = memchr(zero, '\n', (size_t)(p + n - zero)))) {
        if (wait_for_hole(t, f))
            return false;
        n = (size_t)(end + 1 - p);
    }
    smi_follow_deliver(t, f, p, n, false);
    return true;
}

/* ---- the files of one name: what has it, and what had it ---- */

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

bool smi_follow_is_older(const char *name, const char *base)
{
    size_t n = strlen(name), b = strlen(base);
    const char *dot = strrchr(base, '.');
    if (n > b + 1 && !memcmp(name, base, b) && strchr(".-_", name[b]) &&
        (is_mark(name + b + 1, n - b - 1) || !strcmp(name + b, ".old")))
        return true;
    if (!dot || dot == base)
        return false;
    size_t stem = (size_t)(dot - base), ext = b - stem;
    return n > b + 1 && !memcmp(name, base, stem) && strchr(".-_", name[stem]) &&
           !strcmp(name + n - ext, dot) && is_mark(name + stem + 1, n - b - 1);
}

/* In the order in which they were begun: by birth, or else by the last write. The name's own comes last. */
static int by_age(const void *a, const void *b)
{
    const struct smi_follow_generation *x = a, *y = b;
    if (x->age != y->age)
        return x->age < y->age ? -1 : 1;
    if (x->st.mtime_ns != y->st.mtime_ns)
        return x->st.mtime_ns < y->st.mtime_ns ? -1 : 1;
    return x->st.id.ino < y->st.id.ino ? -1 : x->st.id.ino > y->st.id.ino;
}

/* Returns a number for the name and its file. */
static uint64_t add_generation(struct smi_follow *t, int dirfd, const char *name, bool own)
{
    smi_mem_reserve(&t->generation, &t->generations_cap, t->generations + 1, sizeof *t->generation);
    struct smi_follow_generation *g = &t->generation[t->generations];
    if (smi_follow_stat(dirfd, name, own ? 0 : AT_SYMLINK_NOFOLLOW, &g->st) || !S_ISREG(g->st.mode))
        return 0;
    snprintf(g->name, sizeof g->name, "%s", name);
    g->own = own;
    g->age = own ? INT64_MAX : g->st.id.born_ns ? g->st.id.born_ns : g->st.mtime_ns;
    t->generations++;
    return smi_hash_pair(smi_hash_bytes(name, strlen(name)), g->st.id.ino);
}

/* Fills t->generation; `ours`: with the file that is read alone, if it has the name. Names that move while
 * they are listed may be missed: so two lists have to agree, and on the file that has the name, too: it may
 * be renamed behind the list of the others. t->after_ns: what is born later comes after all of these. It is
 * read before they are, since files may be born between the two. Births may be finer than this clock, or of
 * its present tick: without the second step such files would count as copies that were made later. */
static void list_generations(struct smi_follow *t, const struct smi_follow_file *f, bool ours)
{
    uint64_t sum = 0, before;
    int tries = 0;
    do {
        struct dirent *e;
        DIR *d;
        before = sum;
        t->generations = 0;
        t->after_ns = smi_follow_clock_ns();
        sum = add_generation(t, AT_FDCWD, f->path, true);
        if (ours && t->generations && smi_follow_same_id(&t->generation->st.id, &f->at.id))
            return;
        d = opendir(t->dir[f->dir].path);
        while (d && (e = readdir(d)))
            if (strcmp(e->d_name, f->base) != 0 &&
                (e->d_ino == f->at.id.ino || smi_follow_is_older(e->d_name, f->base)))
                sum += add_generation(t, dirfd(d), e->d_name, false);
        if (d)
            closedir(d);
    } while (sum != before && ++tries < TRIES);
    qsort(t->generation, t->generations, sizeof *t->generation, by_age);
    for (const struct smi_follow_generation *g = t->generation; g < t->generation + t->generations; g++)
        if (!g->own && g->age >= t->after_ns)
            t->after_ns = g->age + 1;
}

/* A copy that is being made, or was, of what still stands under the name: that will be read there. */
static bool is_copy_of(int copy, const struct smi_follow_stat *st, int fd)
{
    char p[SMI_FOLLOW_HEAD];
    ssize_t n = pread(copy, p, sizeof p, 0);
    if (n <= 0 || !has_bytes(fd, p, (size_t)n, 0))
        return n == 0;
    int64_t last = st->size > n ? st->size - n : 0;
    n = pread(copy, p, (size_t)n, last);
    return n > 0 && has_bytes(fd, p, (size_t)n, last);
}

/* A copy of what was read up to at. One that was made before our last rows were written ends among them. */
static bool is_copy(const struct smi_follow_file *f, int fd, const struct smi_follow_stat *st)
{
    struct smi_follow_position at = f->at;
    if (is_blank(&at) && is_copy_of(fd, st, f->fd))
        return false;
    if (st->size < at.offset && at.offset - st->size + SURE > at.last_n)
        return false;
    if (st->size < at.offset)
        move_back(&at, st->size);
    return matches_content(&at, fd);
}

enum which {
    MOVED, /* the file that at tells, wherever it is in its directory */
    COPY,  /* the oldest copy of it, made since it began */
    NEXT   /* the file after it, or the first one: the oldest of those not read yet */
};

static bool can_be(const struct smi_follow_file *f, enum which which, const struct smi_follow_generation *g)
{
    if (!f->begun)
        return g->own || f->whole;
    if (which == MOVED || smi_follow_same_id(&g->st.id, &f->at.id))
        return which == MOVED && smi_follow_same_id(&g->st.id, &f->at.id);
    return g->age >= f->at.began_ns && (which == NEXT || (!g->own && g->st.id.ino != f->at.id.ino));
}

static bool is_it(const struct smi_follow_file *f, enum which which, int fd,
                  const struct smi_follow_generation *g)
{
    if (which == MOVED)
        return g->own || matches_content(&f->at, fd);
    if (which == COPY)
        return is_copy(f, fd, &g->st);
    int own = f->at.copy && !g->own ? open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
    bool copy = own >= 0 && is_copy_of(fd, &g->st, own);
    if (own >= 0)
        close(own);
    return !copy;
}

/* Opens the first generation that is wanted: its descriptor, and t->found; -1: there is none. One that has
 * moved since it was listed is looked for again. */
static int open_generation(struct smi_follow *t, const struct smi_follow_file *f, enum which which)
{
    bool moved = true;
    for (int tries = 0; moved && tries < TRIES; tries++) {
        size_t i = 0;
        list_generations(t, f, which == MOVED);
        while (which == NEXT && i < t->generations && !smi_follow_same_id(&t->generation[i].st.id, &f->at.id))
            i++;
        i = i < t->generations ? i : 0; /* of those that are equally old, the ones before ours were read */
        moved = false;
        for (; i < t->generations && !moved; i++) {
            struct smi_follow_generation *g = &t->generation[i];
            char path[4096];
            if (!can_be(f, which, g))
                continue;
            smi_follow_path(t, f->dir, g->name, path, sizeof path);
            int fd = open(g->own ? f->path : path,
                          O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (g->own ? 0 : O_NOFOLLOW));
            struct smi_follow_stat st = {.size = 0};
            moved = fd < 0 ? errno == ENOENT
                           : smi_follow_stat(fd, "", AT_EMPTY_PATH, &st) ||
                                 !smi_follow_same_id(&st.id, &g->st.id);
            t->found = *g;
            t->found.st = st;
            if (fd >= 0 && !moved && is_it(f, which, fd, &t->found))
                return fd;
            if (fd >= 0)
                close(fd);
        }
    }
    return -1;
}

/* ---- one look at one followed file: what stands under its name now, what there is to read of the file that
 * we have, and when the one takes the place of the other ---- */

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

static void close_file(struct smi_follow *t, struct smi_follow_file *f)
{
    if (f->fd >= 0) {
        close(f->fd);
        t->open--;
    }
    f->fd = -1;
}

/* fd is that of f from here on. Room for one more: the file that was quiet for the longest time is closed.
 * Its place is known, so nothing is lost. */
static void adopt_file(struct smi_follow *t, struct smi_follow_file *f, int fd)
{
    struct smi_follow_file *quiet = NULL;
    close_file(t, f);
    for (size_t i = 0; i < t->files && t->open >= SMI_FOLLOW_OPEN_MAX; i++) {
        struct smi_follow_file *o = t->file[i];
        if (o->kind == SMI_FOLLOW_FILE && o->fd >= 0 && (!quiet || o->grew_ms < quiet->grew_ms))
            quiet = o;
    }
    if (quiet)
        close_file(t, quiet);
    f->fd = fd;
    t->open++;
}

/* ---- reading ---- */

/* The file of f is at its begin. began: what is older than that came before it. */
static void begin_file(struct smi_follow_file *f, struct smi_follow_id id, int64_t began_ns)
{
    f->begun = true;
    f->skip = false;
    f->seen = (struct smi_follow_stat){.size = 0};
    f->hole_to = 0;
    smi_follow_begin(&f->at, id, began_ns);
}

/* It was truncated, or written anew. What was behind our place may be in a copy: then that is the file that
 * we read, and the one that was truncated is the next, as if it had been rotated by name. */
static void handle_truncated(struct look *l)
{
    struct smi_follow_file *f = l->f;
    int copy = open_generation(l->t, f, COPY);
    if (copy < 0) {
        smi_follow_report(l->t, f, SMI_FOLLOW_TRUNCATED, true,
                          "truncated behind byte %lld: what was written to it just before is lost",
                          (long long)f->at.offset);
        begin_file(f, f->at.id, l->t->after_ns);
        f->cut = true;
        return;
    }
    adopt_file(l->t, f, copy);
    f->skip = false;
    f->at.id = l->t->found.st.id;
    f->at.began_ns = l->t->found.age;
    f->at.copy = 1;
    if (l->t->found.st.size < f->at.offset) /* we have more than it: nothing is left in it */
        move_back(&f->at, l->t->found.st.size);
    l->here = false;
}

enum outcome {
    READ_ALL,
    READ_SOME,  /* there is more, or the owner did not take it */
    READ_OTHER, /* the file does not hold what was read of it before: it was written anew */
    READ_FAILED /* it cannot be read: errno */
};

/* The file is blank at our place, and was written anew: it is shorter than it was, or what it held before it
 * was truncated again is in a copy. */
static bool is_other(struct smi_follow *t, const struct smi_follow_file *f)
{
    struct smi_follow_stat st;
    int copy;
    if (f->seen.size > 0 && f->seen.id.ino == f->at.id.ino &&
        !smi_follow_stat(f->fd, "", AT_EMPTY_PATH, &st) && st.size < f->seen.size)
        return true;
    if (!f->cut || f->at.copy || (copy = open_generation(t, f, COPY)) < 0)
        return false;
    close(copy);
    return true;
}

/* Hands on whole lines from f->at on, about LOOK_MOST bytes. rest: what stands behind the last line, too. */
static enum outcome read_file(struct smi_follow *t, struct smi_follow_file *f, bool rest)
{
    int64_t until = f->at.offset + LOOK_MOST;
    size_t want = rest ? SMI_FOLLOW_LINE_MAX : CHUNK;
    if (!t->buf)
        t->buf = smi_mem_raw(SMI_FOLLOW_LAST + SMI_FOLLOW_LINE_MAX + 1);
    if (!has_bytes(f->fd, f->at.head, f->at.head_n, 0))
        return READ_OTHER;
    while (f->at.offset < until) {
        int64_t before = f->at.offset, last = f->at.last_n;
        ssize_t n = smi_file_read_at(f->fd, t->buf, (size_t)last + want, before - last, "", NULL) - last;
        const char *p = t->buf + last;
        if (n < -last)
            return READ_FAILED;
        /* is_other after the read: the file may be truncated just before it */
        if (n < 0 || memcmp(t->buf, f->at.last, (size_t)last) != 0 || (is_blank(&f->at) && is_other(t, f)))
            return READ_OTHER;
        if (rest && n && memchr(p, 0, (size_t)n))
            smi_follow_report(t, f, SMI_FOLLOW_PASSED, true,
                              "the unfinished line at its end is no text: passed over");
        else if (rest && n)
            smi_follow_deliver(t, f, p, (size_t)n, true);
        else if (!n || !take_lines(t, f, p, (size_t)n))
            return READ_ALL;
        if (f->held || t->failed)
            return READ_SOME;
        if (rest || (f->at.offset == before && (size_t)n < want))
            return READ_ALL;
        want = f->at.offset == before ? SMI_FOLLOW_LINE_MAX + 1 : CHUNK;
    }
    return READ_SOME;
}

/* Reads what there is. True: all of it. */
static bool read_to_end(struct look *l)
{
    for (int i = 0; i < 2 && l->f->fd >= 0; i++) {
        enum outcome did = read_file(l->t, l->f, false);
        if (did == READ_ALL)
            return true;
        if (did == READ_FAILED) {
            refuse_file(l, strerror(errno));
            close_file(l->t, l->f);
            return false;
        }
        l->f->more = true;
        if (did == READ_SOME)
            return false;
        handle_truncated(l);
    }
    return false;
}

/* ---- from one file to the next ---- */

/* All of the file that we have was read, and the name leads to another: the next one begins. True: there is
 * more to do. */
static bool read_on(struct look *l)
{
    struct smi_follow_file *f = l->f;
    int fd = open_generation(l->t, f, NEXT);
    struct smi_follow_generation next = l->t->found;
    int64_t now_ns = l->t->after_ns;
    struct smi_follow_stat st;
    if (fd < 0)
        return false;
    bool gone = f->fd < 0 || smi_follow_stat(f->fd, "", AT_EMPTY_PATH, &st) || !st.links;
    if (next.own && gone && f->at.offset > 0 && matches_content(&f->at, fd)) { /* a longer copy of it */
        adopt_file(l->t, f, fd);
        f->at.id = next.st.id;
        return true;
    }
    /* While the new one is empty its writer may not have gone over to it. Then what the old one got until the
     * new one had bytes is read; and its unfinished line: that of a copy goes on in what is lost. */
    if (f->fd >= 0 && ((!next.st.size && next.own) || !read_to_end(l) ||
                       (!f->at.copy && read_file(l->t, f, true) == READ_SOME))) {
        close(fd);
        return false;
    }
    if (f->fd < 0)
        smi_follow_report(l->t, f, SMI_FOLLOW_MISSED, true,
                          "rotated while nobody looked: what the old file got after byte %lld was not found",
                          (long long)f->at.offset);
    bool copy = f->at.copy;
    int64_t size = f->at.offset;
    adopt_file(l->t, f, fd);
    /* what it is being copied to may be there already */
    begin_file(f, next.st.id, !next.own ? next.age : copy ? f->at.began_ns + 1 : now_ns);
    f->cut = copy;
    f->at.copy = copy && !next.own;
    if (copy)
        smi_follow_report(
            l->t, f, SMI_FOLLOW_TRUNCATED, true,
            "truncated after it was copied: the copy was read to its end at byte %lld, what was written "
            "between the two is lost",
            (long long)size);
    else
        smi_follow_report(l->t, f, SMI_FOLLOW_ROTATED, false, "rotated: %s begins",
                          next.own ? "the new file" : next.name);
    return true;
}

/* Opens the first file of the name (with `whole` the oldest), or the one that is known already. False: it
 * cannot be read, and that is said. */
static bool open_file(struct look *l)
{
    struct smi_follow_file *f = l->f;
    const struct smi_follow_generation *g = &l->t->found;
    char head[SMI_CONTAINER_MAGIC];
    int fd = open_generation(l->t, f, f->begun ? MOVED : NEXT);
    ssize_t n = fd < 0 || f->begun || !g->own ? 0 : pread(fd, head, sizeof head, 0);
    if (n < 0 || (fd < 0 && (l->here || !f->begun))) {
        refuse_file(l, l->why                 ? strerror(l->why)
                       : !S_ISREG(l->st.mode) ? "not a regular file"
                                              : strerror(errno));
    } else if (n > 0 && smi_container_detect(head, (size_t)n) != SMI_CONTAINER_PLAIN) {
        refuse_file(l, "packed, UTF-16, W&B or of a terminal: not followed (smilog summarize reads it)");
    } else if (fd < 0) {
        return true;
    } else {
        adopt_file(l->t, f, fd);
        if (!f->begun) {
            f->state = SMI_FOLLOW_READING;
            begin_file(f, g->st.id, g->own ? l->t->after_ns : g->age);
        }
        if (!f->found)
            smi_follow_report(l->t, f, SMI_FOLLOW_FOUND, false, "read from byte %lld on",
                              (long long)f->at.offset);
        f->found = true;
        return true;
    }
    if (fd >= 0)
        close(fd);
    return false;
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
    bool missing = l->why == ENOENT || l->why == ENOTDIR;
    if (f->fd < 0 && (f->begun ? !is_unchanged(l) : !missing)) {
        bool first = !f->begun;
        if (!open_file(l) || first)
            return f->begun && first;
    }
    f->over = !l->here && !l->why;
    if (f->fd >= 0 && !read_to_end(l))
        return false;
    if (missing) {
        handle_missing_name(l);
    } else if (l->why) {
        if (f->state != SMI_FOLLOW_CLOSED)
            refuse_file(l, strerror(l->why));
    } else if (l->here) {
        bool back = f->state == SMI_FOLLOW_GONE || (f->state == SMI_FOLLOW_CLOSED && f->begun);
        f->seen = l->st;
        f->state = SMI_FOLLOW_READING;
        f->why[0] = 0;
        f->away_ms = -1;
        if (back)
            smi_follow_report(l->t, f, SMI_FOLLOW_IS_BACK, false, "it is there again");
    } else if (!S_ISREG(l->st.mode)) {
        refuse_file(l, "not a regular file");
    } else {
        return read_on(l);
    }
    return false;
}

void smi_follow_check_file(struct smi_follow *t, struct smi_follow_file *f)
{
    struct look l = {.t = t, .f = f};
    bool told = f->dirty || f->more || f->held;
    bool waits = f->at.offset >= f->hole_at && f->at.offset < f->hole_to;
    f->looked_ms = t->now_ms;
    f->more = f->dirty = false;
    stat_name(&l);
    if (told || waits || f->state != SMI_FOLLOW_READING || !is_unchanged(&l))
        for (int i = 0; i < STEPS && check_step(&l) && !t->failed; i++)
            stat_name(&l);
    f->due_ms = t->now_ms + (f->held ? t->times.look / 4 : f->more ? 0 : t->times.look);
}
