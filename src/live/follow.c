/* follow.c - all followed things: files with their older generations, directories, pipes and commands, and
 * when each is looked at. */
#include "live/follow.h"
#include "live/live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum {
    HELD_MS = 200, /* until what the owner did not take is offered again */
    CHUNK = 65536,
    LOOK_MOST = 1 << 20, /* bytes of a file in one turn */
    STEPS = 64,          /* files of one name in one turn */
    TRIES = 8,           /* listings of a directory whose names move */
    SURE = 20            /* so many bytes at the same place are no chance */
};

const struct smi_follow_times smi_follow_times = {.look = 1000,
                                                  .gather = 20,
                                                  .gone = 1000,
                                                  .hole = 3000,
                                                  .scan = 1000,
                                                  .pause = 1000,
                                                  .pause_most = 60000,
                                                  .answer = 20000,
                                                  .stop = {250, 500, 5500}};

__attribute__((format(printf, 4, 5))) static void
report(struct smi_follow_file *f, enum smi_follow_event_kind what, bool lost, const char *fmt, ...)
{
    const struct smi_follow_calls *to = &f->t->o.calls;
    struct smi_buf text = {0};
    va_list ap;
    va_start(ap, fmt);
    smi_buf_vfmt(&text, fmt, ap);
    va_end(ap);
    if (to->event)
        to->event(to->self, &(struct smi_follow_event){what, f->place, lost, text.p});
    smi_buf_fini(&text);
}

/* The path of a name in directory dir; empty if it does not fit. */
static void path_in(const struct smi_follow *t, int dir, const char *name, char *path, size_t n)
{
    const char *d = t->dir[dir].path;
    if ((size_t)snprintf(path, n, "%s%s%s", d, d[strlen(d) - 1] == '/' ? "" : "/", name) >= n)
        path[0] = 0; /* no such name */
}

static int64_t stat_time_ns(struct statx_timestamp s)
{
    return s.tv_sec * 1000000000 + s.tv_nsec;
}

/* The clock that the times of files come from goes in steps (milliseconds; of some file systems 2 s): a time
 * that is not older than this may stand for two changes. */
#define OLD_NS ((int64_t)2000000000)
static int64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME_COARSE, &t); /* that files are stamped by */
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Returns 0, or errno. */
static int stat_file(int dirfd, const char *name, int flags, struct smi_follow_stat *st)
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

static bool is_same_file(const struct smi_follow_id *a, const struct smi_follow_id *b)
{
    return a->dev == b->dev && a->ino == b->ino && a->born_ns == b->born_ns;
}

/* ---- positions ---- */

/* The file of f is at its begin. began: what is older than that came before it. */
static void begin_file(struct smi_follow_file *f, struct smi_follow_id id, int64_t began_ns)
{
    f->begun = true;
    f->skip = false;
    f->seen = (struct smi_follow_stat){.size = 0};
    f->hole_to = 0;
    f->at = (struct smi_follow_position){.part = f->at.part + 1, .id = id, .began_ns = began_ns};
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

/* Hands on the whole lines among n bytes at f->at (all: and what stands behind them), and moves at behind
 * them. Returns how many bytes that are; 0: none, or the owner did not take them (f->held). */
static size_t deliver(struct smi_follow_file *f, const char *p, size_t n, bool all)
{
    const char *first = memchr(p, '\n', n), *last = first ? memrchr(p, '\n', n) : NULL;
    size_t take = all ? n : last ? (size_t)(last + 1 - p) : 0;
    f->held = false;
    if (f->skip || (!first && n > SMI_FOLLOW_LINE_MAX)) {
        take = first ? (size_t)(first + 1 - p) : n;
        if (!f->skip)
            report(f, SMI_FOLLOW_PASSED, true, "a line of more than %d bytes was passed over",
                   SMI_FOLLOW_LINE_MAX);
        f->skip = !first;
    } else if (take) {
        f->held = f->t->o.calls.bytes(f->t->o.calls.self, f->place, p, take) != 0;
        f->grew_ms = f->held ? f->grew_ms : f->t->now_ms;
    }
    if (f->held)
        return 0;
    advance(&f->at, p, take);
    return take;
}

/* Zeros at f->at, or in the line there: are they waited for? They may be bytes that are on their way (NFS).
 * What was there when the wait began has waited with them. */
static bool wait_for_hole(struct smi_follow_file *f)
{
    if (f->over || (f->cut && !f->at.offset))
        return false;
    if (f->at.offset < f->hole_at || f->at.offset >= f->hole_to ||
        (f->at.offset > f->hole_at && f->t->now_ms < f->hole_ms)) {
        f->hole_at = f->at.offset;
        f->hole_to = f->size;
        f->hole_ms = f->t->now_ms + f->t->times.hole;
    }
    return f->t->now_ms < f->hole_ms;
}

/* A line begins with zeros: a writer that does not append goes on where it was when the file was truncated
 * under it, and leaves a hole; or the bytes have not come yet. p: n bytes, the first one is 0. */
static bool pass_hole(struct smi_follow_file *f, const char *p, size_t n)
{
    size_t k = 0;
    if (wait_for_hole(f))
        return false;
    while (k < n && !p[k])
        k++;
    if (k == n && n < CHUNK) /* up to the end: they may still become bytes */
        return false;
    advance(&f->at, p, k);
    if (k < n)
        report(f, SMI_FOLLOW_PASSED, false, "zeros before byte %lld were passed over",
               (long long)f->at.offset);
    return true;
}

/* Hands on the whole lines among n bytes at f->at. False: those there have to wait. */
static bool take_lines(struct smi_follow_file *f, const char *p, size_t n)
{
    const char *zero = f->skip ? NULL : memchr(p, 0, n), *end;
    if (zero == p)
        return pass_hole(f, p, n);
    if (zero && memrchr(p, '\n', (size_t)(zero - p))) {
        n = (size_t)(zero - p);
    } else if (zero && (end = memchr(zero, '\n', (size_t)(p + n - zero)))) {
        if (wait_for_hole(f))
            return false;
        n = (size_t)(end + 1 - p);
    }
    deliver(f, p, n, false);
    return true;
}

/* ---- the files of one name: what has it, and what had it ---- */

/* "1", "20260101", "2026-01-01_12-00": digits, and what separates them. */
static bool is_mark(const char *p, size_t n)
{
    return n && smi_is_digit(*p) && smi_text_span((struct smi_text){p, n}, "0123456789-_.:T") == n;
}

/* Is `name` what rotation makes of `base`? */
static bool is_older(const char *name, const char *base)
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
    if (stat_file(dirfd, name, own ? 0 : AT_SYMLINK_NOFOLLOW, &g->st) || !S_ISREG(g->st.mode))
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
static void list_generations(const struct smi_follow_file *f, bool ours)
{
    uint64_t sum = 0, before;
    int tries = 0;
    do {
        struct dirent *e;
        DIR *d;
        before = sum;
        f->t->generations = 0;
        f->t->after_ns = clock_ns();
        sum = add_generation(f->t, AT_FDCWD, f->path, true);
        if (ours && f->t->generations && is_same_file(&f->t->generation->st.id, &f->at.id))
            return;
        d = opendir(f->t->dir[f->dir].path);
        while (d && (e = readdir(d)))
            if (strcmp(e->d_name, f->base) != 0 && (e->d_ino == f->at.id.ino || is_older(e->d_name, f->base)))
                sum += add_generation(f->t, dirfd(d), e->d_name, false);
        if (d)
            closedir(d);
    } while (sum != before && ++tries < TRIES);
    qsort(f->t->generation, f->t->generations, sizeof *f->t->generation, by_age);
    for (const struct smi_follow_generation *g = f->t->generation; g < f->t->generation + f->t->generations;
         g++)
        if (!g->own && g->age >= f->t->after_ns)
            f->t->after_ns = g->age + 1;
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
    if (which == MOVED || is_same_file(&g->st.id, &f->at.id))
        return which == MOVED && is_same_file(&g->st.id, &f->at.id);
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
static int open_generation(const struct smi_follow_file *f, enum which which)
{
    bool moved = true;
    for (int tries = 0; moved && tries < TRIES; tries++) {
        size_t i = 0;
        list_generations(f, which == MOVED);
        while (which == NEXT && i < f->t->generations && !is_same_file(&f->t->generation[i].st.id, &f->at.id))
            i++;
        i = i < f->t->generations ? i : 0; /* of those that are equally old, the ones before ours were read */
        moved = false;
        for (; i < f->t->generations && !moved; i++) {
            struct smi_follow_generation *g = &f->t->generation[i];
            char path[4096];
            if (!can_be(f, which, g))
                continue;
            path_in(f->t, f->dir, g->name, path, sizeof path);
            int fd = open(g->own ? f->path : path,
                          O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (g->own ? 0 : O_NOFOLLOW));
            struct smi_follow_stat st = {.size = 0};
            moved = fd < 0 ? errno == ENOENT
                           : stat_file(fd, "", AT_EMPTY_PATH, &st) || !is_same_file(&st.id, &g->st.id);
            f->t->found = *g;
            f->t->found.st = st;
            if (fd >= 0 && !moved && is_it(f, which, fd, &f->t->found))
                return fd;
            if (fd >= 0)
                close(fd);
        }
    }
    return -1;
}

/* ---- one look at one followed file: what stands under its name now, what there is to read of the file that
 * we have, and when the one takes the place of the other ---- */

/* ---- events for the owner ---- */

static void refuse_file(struct smi_follow_file *f, const char *why)
{
    bool new = f->state != SMI_FOLLOW_CLOSED || strcmp(f->why, why) != 0;
    f->state = SMI_FOLLOW_CLOSED;
    snprintf(f->why, sizeof f->why, "%s", why);
    if (new)
        report(f, SMI_FOLLOW_REFUSED, false, "%s", f->why);
}

/* ---- descriptors ---- */

static void close_file(struct smi_follow_file *f)
{
    if (f->fd >= 0) {
        close(f->fd);
        f->t->open--;
    }
    f->fd = -1;
}

/* fd is that of f from here on. Room for one more: the file that was quiet for the longest time is closed.
 * Its place is known, so nothing is lost. */
static void adopt_file(struct smi_follow_file *f, int fd)
{
    struct smi_follow_file *quiet = NULL;
    close_file(f);
    for (size_t i = 0; i < f->t->files && f->t->open >= SMI_FOLLOW_OPEN_MAX; i++) {
        struct smi_follow_file *o = f->t->file[i];
        if (o->kind == SMI_FOLLOW_FILE && o->fd >= 0 && (!quiet || o->grew_ms < quiet->grew_ms))
            quiet = o;
    }
    if (quiet)
        close_file(quiet);
    f->fd = fd;
    f->t->open++;
}

/* ---- reading ---- */

/* It was truncated, or written anew. What was behind our place may be in a copy: then that is the file that
 * we read, and the one that was truncated is the next, as if it had been rotated by name. */
static void handle_truncated(struct smi_follow_file *f)
{
    int copy = open_generation(f, COPY);
    if (copy < 0) {
        report(f, SMI_FOLLOW_TRUNCATED, true,
               "truncated behind byte %lld: what was written to it just before is lost",
               (long long)f->at.offset);
        begin_file(f, f->at.id, f->t->after_ns);
        f->cut = true;
        return;
    }
    adopt_file(f, copy);
    f->skip = false;
    f->at.id = f->t->found.st.id;
    f->at.began_ns = f->t->found.age;
    f->at.copy = 1;
    if (f->t->found.st.size < f->at.offset) /* we have more than it: nothing is left in it */
        move_back(&f->at, f->t->found.st.size);
    f->here = false;
}

enum outcome {
    READ_ALL,
    READ_SOME,  /* there is more, or the owner did not take it */
    READ_OTHER, /* the file does not hold what was read of it before: it was written anew */
    READ_FAILED /* it cannot be read: errno */
};

/* The file is blank at our place, and was written anew: it is shorter than it was, or what it held before it
 * was truncated again is in a copy. */
static bool is_other(const struct smi_follow_file *f)
{
    struct smi_follow_stat st;
    int copy;
    if (f->seen.size > 0 && f->seen.id.ino == f->at.id.ino && !stat_file(f->fd, "", AT_EMPTY_PATH, &st) &&
        st.size < f->seen.size)
        return true;
    if (!f->cut || f->at.copy || (copy = open_generation(f, COPY)) < 0)
        return false;
    close(copy);
    return true;
}

/* Hands on whole lines from f->at on, about LOOK_MOST bytes. rest: what stands behind the last line, too. */
static enum outcome read_file(struct smi_follow_file *f, bool rest)
{
    int64_t until = f->at.offset + LOOK_MOST;
    size_t want = rest ? SMI_FOLLOW_LINE_MAX : CHUNK;
    if (!has_bytes(f->fd, f->at.head, f->at.head_n, 0))
        return READ_OTHER;
    while (f->at.offset < until) {
        int64_t before = f->at.offset, last = f->at.last_n;
        ssize_t n = smi_file_read_at(f->fd, f->t->buf, (size_t)last + want, before - last, "", NULL) - last;
        const char *p = f->t->buf + last;
        if (n < -last)
            return READ_FAILED;
        /* is_other after the read: the file may be truncated just before it */
        if (n < 0 || memcmp(f->t->buf, f->at.last, (size_t)last) != 0 || (is_blank(&f->at) && is_other(f)))
            return READ_OTHER;
        if (rest && n && memchr(p, 0, (size_t)n))
            report(f, SMI_FOLLOW_PASSED, true, "the unfinished line at its end is no text: passed over");
        else if (rest && n)
            deliver(f, p, (size_t)n, true);
        else if (!n || !take_lines(f, p, (size_t)n))
            return READ_ALL;
        if (f->held)
            return READ_SOME;
        if (rest || (f->at.offset == before && (size_t)n < want))
            return READ_ALL;
        want = f->at.offset == before ? SMI_FOLLOW_LINE_MAX + 1 : CHUNK;
    }
    return READ_SOME;
}

/* Reads what there is. True: all of it. */
static bool read_to_end(struct smi_follow_file *f)
{
    for (int i = 0; i < 2 && f->fd >= 0; i++) {
        enum outcome did = read_file(f, false);
        if (did == READ_ALL)
            return true;
        if (did == READ_FAILED) {
            refuse_file(f, strerror(errno));
            close_file(f);
            return false;
        }
        f->more = true;
        if (did == READ_SOME)
            return false;
        handle_truncated(f);
    }
    return false;
}

/* ---- from one file to the next ---- */

/* All of the file that we have was read, and the name leads to another: the next one begins. True: there is
 * more to do. */
static bool read_on(struct smi_follow_file *f)
{
    int fd = open_generation(f, NEXT);
    struct smi_follow_generation next = f->t->found;
    int64_t now_ns = f->t->after_ns;
    struct smi_follow_stat st;
    if (fd < 0)
        return false;
    bool gone = f->fd < 0 || stat_file(f->fd, "", AT_EMPTY_PATH, &st) || !st.links;
    if (next.own && gone && f->at.offset > 0 && matches_content(&f->at, fd)) { /* a longer copy of it */
        adopt_file(f, fd);
        f->at.id = next.st.id;
        return true;
    }
    /* While the new one is empty its writer may not have gone over to it. Then what the old one got until the
     * new one had bytes is read; and its unfinished line: that of a copy goes on in what is lost. */
    if (f->fd >= 0 && ((!next.st.size && next.own) || !read_to_end(f) ||
                       (!f->at.copy && read_file(f, true) == READ_SOME))) {
        close(fd);
        return false;
    }
    if (f->fd < 0)
        report(f, SMI_FOLLOW_MISSED, true,
               "rotated while nobody looked: what the old file got after byte %lld was not found",
               (long long)f->at.offset);
    bool copy = f->at.copy;
    int64_t size = f->at.offset;
    adopt_file(f, fd);
    /* what it is being copied to may be there already */
    begin_file(f, next.st.id, !next.own ? next.age : copy ? f->at.began_ns + 1 : now_ns);
    f->cut = copy;
    f->at.copy = copy && !next.own;
    if (copy)
        report(f, SMI_FOLLOW_TRUNCATED, true,
               "truncated after it was copied: the copy was read to its end at byte %lld, what was written "
               "between the two is lost",
               (long long)size);
    else
        report(f, SMI_FOLLOW_ROTATED, false, "rotated: %s begins", next.own ? "the new file" : next.name);
    return true;
}

/* Opens the first file of the name (with `whole` the oldest), or the one that is known already. False: it
 * cannot be read, and that is said. */
static bool open_file(struct smi_follow_file *f)
{
    const struct smi_follow_generation *g = &f->t->found;
    char head[SMI_CONTAINER_MAGIC];
    int fd = open_generation(f, f->begun ? MOVED : NEXT);
    ssize_t n = fd < 0 || f->begun || !g->own ? 0 : pread(fd, head, sizeof head, 0);
    if (n < 0 || (fd < 0 && (f->here || !f->begun))) {
        refuse_file(f, f->error                 ? strerror(f->error)
                       : !S_ISREG(f->name.mode) ? "not a regular file"
                                                : strerror(errno));
    } else if (n > 0 && smi_container_detect(head, (size_t)n) != SMI_CONTAINER_PLAIN) {
        refuse_file(f, "packed, UTF-16, W&B or of a terminal: not followed (smilog summarize reads it)");
    } else if (fd < 0) {
        return true;
    } else {
        adopt_file(f, fd);
        if (!f->begun) {
            f->state = SMI_FOLLOW_READING;
            begin_file(f, g->st.id, g->own ? f->t->after_ns : g->age);
        }
        if (!f->found)
            report(f, SMI_FOLLOW_FOUND, false, "read from byte %lld on", (long long)f->at.offset);
        f->found = true;
        return true;
    }
    if (fd >= 0)
        close(fd);
    return false;
}

/* ---- a look ---- */

static bool is_unchanged(const struct smi_follow_file *f)
{
    const struct smi_follow_stat *a = &f->seen, *b = &f->name;
    return f->here && a->id.ino == b->id.ino && a->size == b->size && a->mtime_ns == b->mtime_ns &&
           a->ctime_ns == b->ctime_ns;
}

static void stat_name(struct smi_follow_file *f)
{
    f->error = stat_file(AT_FDCWD, f->path, 0, &f->name);
    f->here = !f->error && f->begun && is_same_file(&f->at.id, &f->name.id);
    if (f->here)
        f->size = f->name.size;
}

/* One step of a look. True: there is another one to do. */
static bool check_step(struct smi_follow_file *f)
{
    bool missing = f->error == ENOENT || f->error == ENOTDIR;
    if (f->fd < 0 && (f->begun ? !is_unchanged(f) : !missing)) {
        bool first = !f->begun;
        if (!open_file(f) || first)
            return f->begun && first;
    }
    f->over = !f->here && !f->error;
    if (f->fd >= 0 && !read_to_end(f))
        return false;
    if (missing) { /* the name leads nowhere: for long enough? */
        f->away_ms = f->away_ms < 0 ? f->t->now_ms : f->away_ms;
        if (f->state == SMI_FOLLOW_CLOSED && !f->begun)
            f->state = SMI_FOLLOW_WAITING;
        if (f->t->now_ms - f->away_ms >= f->t->times.gone && f->state != SMI_FOLLOW_WAITING &&
            f->state != SMI_FOLLOW_GONE) {
            f->state = SMI_FOLLOW_GONE;
            report(f, SMI_FOLLOW_IS_GONE, false, "it is gone");
        }
    } else if (f->error) {
        if (f->state != SMI_FOLLOW_CLOSED)
            refuse_file(f, strerror(f->error));
    } else if (f->here) {
        bool back = f->state == SMI_FOLLOW_GONE || (f->state == SMI_FOLLOW_CLOSED && f->begun);
        f->seen = f->name;
        f->state = SMI_FOLLOW_READING;
        f->why[0] = 0;
        f->away_ms = -1;
        if (back)
            report(f, SMI_FOLLOW_IS_BACK, false, "it is there again");
    } else if (!S_ISREG(f->name.mode)) {
        refuse_file(f, "not a regular file");
    } else {
        return read_on(f);
    }
    return false;
}

static void check_file(struct smi_follow_file *f)
{
    bool told = f->dirty || f->more || f->held;
    bool waits = f->at.offset >= f->hole_at && f->at.offset < f->hole_to;
    f->looked_ms = f->t->now_ms;
    f->more = f->dirty = false;
    stat_name(f);
    if (told || waits || f->state != SMI_FOLLOW_READING || !is_unchanged(f))
        for (int i = 0; i < STEPS && check_step(f); i++)
            stat_name(f);
    f->due_ms = f->t->now_ms + (f->held ? f->t->times.look / 4 : f->more ? 0 : f->t->times.look);
}

/* ---- one list of all that is followed ---- */

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
    *SMI_MEM_ADD(t->dir, t->dirs, t->dirs_cap) =
        (struct smi_follow_dir){.wd = -1, .path = smi_mem_text(path, n)};
    return (int)t->dirs - 1;
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
    *f = (struct smi_follow_file){.t = t,
                                  .path = smi_mem_text(path, n),
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
            path_in(t, dir, base, path, sizeof path);
            if (is_older(name, base) &&
                (is_followed(t, path) || !stat_file(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &st) ||
                 (t->o.resume && t->o.resume(t->o.calls.self, path, &at))))
                return true;
        }
    return false;
}

/* Follows it if it is a log. What has much in it will not become one. */
static enum kind visit_file(struct smi_follow *t, int dir, const char *name, const char *path,
                            const struct smi_follow_stat *st)
{
    struct smi_entry e = {.name = path, .format = -1, .kind = SMI_ENTRY_LOG, .columns = t->o.columns};
    struct smi_arena texts = {0};
    bool read = false;
    for (enum kind kind = MAY_GROW; kind <= NEVER_A_LOG; kind++) {
        const struct smi_inode mark = mark_of(st, kind);
        if (smi_inode_set_find(&t->dir[dir].other, mark.dev, mark.ino) != SMI_MAP_NONE)
            return kind;
    }
    for (size_t i = 0; i < t->files && !read; i++) /* under another name: an older part of that log */
        read = is_same_file(&t->file[i]->at.id, &st->id);
    if (read || is_part(t, dir, name))
        return NEVER_A_LOG;
    char *buf = smi_mem_raw(SMI_WALK_SNIFF_BYTES);
    smi_walk_sniff(&e, AT_FDCWD, false, buf, &texts);
    smi_mem_free(buf);
    const bool packed = strcmp(smi_archive_name(&texts, name), name) != 0;
    smi_arena_fini(&texts);
    if (e.kind != SMI_ENTRY_LOG || e.format < 0)
        return st->size >= SMI_WALK_SNIFF_BYTES ? NEVER_A_LOG : MAY_GROW;
    if (packed) {
        report(&(struct smi_follow_file){.t = t, .place = -1}, SMI_FOLLOW_PACKED, false,
               "%s: packed, and so not followed: smilog summarize reads it", path);
        return NEVER_A_LOG;
    }
    struct smi_follow_file *f = add_file(t, SMI_FOLLOW_FILE, path, strlen(path));
    f->format = e.format;
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
    while ((e = readdir(d))) {
        path_in(t, dir, e->d_name, path, sizeof path);
        if (e->d_name[0] == '.' || !path[0] || stat_file(dirfd(d), e->d_name, AT_SYMLINK_NOFOLLOW, &st))
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
    if (d->tree && !stat_file(AT_FDCWD, d->path, 0, &st)) {
        /* Its times are those of the last change of its names; what changes within the same tick would not be
         * seen, so a young one is read again. */
        same = !told && !d->may_grow && d->mtime_ns == st.mtime_ns && d->ctime_ns == st.ctime_ns &&
               clock_ns() - st.mtime_ns > OLD_NS;
        d->mtime_ns = st.mtime_ns;
        d->ctime_ns = st.ctime_ns;
    }
    if (d->tree && !same)
        list_directory(t, dir);
}

/* ---- streams: what cannot be read again. What was not taken, and the line in the making, are kept ---- */

/* Hands on what of part is whole; `all`: what is not, too. Returns f->held. */
static bool deliver_part(struct smi_follow_file *f, bool all)
{
    struct smi_buf *b = &f->part;
    size_t done = 0, n = 1;
    f->held = false;
    for (; done < b->n && n; done += n)
        n = deliver(f, b->p + done, b->n - done, all);
    b->n -= done;
    if (done && b->n)
        memmove(b->p, b->p + done, b->n);
    return f->held;
}

/* Bytes as they come; lines that are not taken are kept (held). */
static void push(struct smi_follow_file *f, const char *p, size_t n)
{
    smi_buf_add(&f->part, p, n);
    f->state = SMI_FOLLOW_READING;
    deliver_part(f, false);
}

/* It begins again at offset 0, as another file; an unfinished line is handed on (whole), or dropped. */
static void begin_stream_again(struct smi_follow_file *f, bool whole)
{
    if (deliver_part(f, whole))
        return;
    f->part.n = 0; /* an unfinished line: it will come again */
    begin_file(f, (struct smi_follow_id){0}, 0);
}

static void end_pipe(struct smi_follow_file *f)
{
    if (f->state == SMI_FOLLOW_ENDED || deliver_part(f, true))
        return; /* what is not taken is offered again: the pipe stays at its end */
    f->state = SMI_FOLLOW_ENDED;
    if (f->fd > 0)
        close(f->fd);
    f->fd = -1;
    report(f, SMI_FOLLOW_END, false, "it has ended");
}

static void read_pipe(struct smi_follow_file *f, bool ready)
{
    char piece[16384];
    ssize_t n;
    if ((f->held && deliver_part(f, false)) || !ready)
        return;
    n = read(f->fd, piece, sizeof piece);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n < 0)
        report(f, SMI_FOLLOW_REFUSED, true, "%s", strerror(errno));
    if (n > 0)
        push(f, piece, (size_t)n);
    else
        end_pipe(f);
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
    return f->from < f->at.offset;
}

/* The command with its offset. */
static void put_command(void *self, struct smi_buf *to)
{
    struct smi_follow_file *f = self;
    f->part.n = 0; /* an unfinished line, or what was not taken: it is asked for again */
    f->held = f->command->hold = false;
    f->from = f->compare_all ? 0 : f->at.offset - f->at.last_n;
    f->heard_ms = f->t->now_ms;
    for (const char *p = f->path; *p; p++)
        if (p[0] == '%' && p[1] == 'o') {
            smi_buf_fmt(to, "%lld", (long long)f->from + 1);
            p++;
        } else {
            smi_buf_char(to, *p);
            p += p[0] == '%' && p[1] == '%';
        }
}

/* It is another file than we know: from its first byte. */
static void begin_file_again(struct smi_follow_file *f, const char *is_what)
{
    begin_stream_again(f, false);
    f->compare_all = false;
    smi_monitor_again(f->command, f->t->now_ms);
    report(f, SMI_FOLLOW_TRUNCATED, true, "the file there is %s: it is read from its beginning", is_what);
}

/* What the owner does not take is left in the pipe: its writer waits. */
static void handle_bytes(void *self, const char *p, size_t n)
{
    struct smi_follow_file *f = self;
    const struct smi_follow_position *k = &f->at;
    int64_t last = k->offset - k->last_n; /* bytes between head and last are not known */
    f->heard_ms = f->t->now_ms;
    for (; n && is_comparing(f) && !f->command->again; p++, n--, f->from++)
        if ((f->from < (int64_t)k->head_n && (unsigned char)*p != k->head[f->from]) ||
            (f->from >= last && (unsigned char)*p != k->last[f->from - last]))
            begin_file_again(f, "another one");
    if (!f->command->again && !is_comparing(f)) { /* the same file */
        f->compare_all = false;
        f->command->ok_ms = f->t->now_ms;
        f->command->err.line_n = 0; /* what it said before was no trouble */
        f->from += (int64_t)n;
        push(f, p, n);
    }
    f->command->hold = f->held;
}

/* A line of standard error. It is read before the bytes are: what is unread now is of the new file, as the
 * last rows of the old one came a second ago, when tail had not seen yet that there is another. */
static void handle_message(void *self, const char *line)
{
    struct smi_follow_file *f = self;
    const bool other =
        strstr(line, "file truncated") || strstr(line, "has been replaced") || strstr(line, "has appeared");
    if (!other || is_comparing(f) || f->command->again)
        return;
    begin_stream_again(f, true);
    f->from = 0;
    if (strstr(line, "truncated"))
        report(f, SMI_FOLLOW_TRUNCATED, true, "%s", line);
}

/* What we have is not confirmed. Nothing came, but it was asked for the end of what we have: all is asked
 * for, and compared. It was asked for all, and that ends before what we have does: it is a shorter file. */
static int64_t answer_deadline(const struct smi_follow_file *f)
{
    return f->command->child.pid && !f->command->again && !f->t->stopping && is_comparing(f)
               ? f->heard_ms + f->t->times.answer
               : INT64_MAX;
}

static void handle_no_answer(struct smi_follow_file *f)
{
    if (f->compare_all && f->from > 0) {
        begin_file_again(f, "shorter than it was");
        return;
    }
    f->compare_all = !f->compare_all;
    smi_monitor_again(f->command, f->t->now_ms);
}

/* It has ended, and is started again later. */
static void handle_state(void *self, const struct smi_monitor *m, const struct smi_monitor_event *e)
{
    struct smi_follow_file *f = self;
    if (e->what != SMI_MONITOR_STATE_CHANGED ||
        (m->state != SMI_MONITOR_RESTARTING && m->state != SMI_MONITOR_GONE) || smi_monitor_busy(m))
        return;
    if (!m->child.status && is_comparing(f)) /* a command that does not wait for more */
        handle_no_answer(f);
    report(f, SMI_FOLLOW_REFUSED, false, "%s", m->reason);
}

int smi_follow_add_command(struct smi_follow *t, const char *command)
{
    static const char *const env[] = {"LC_ALL=C", NULL}; /* handle_message knows tail's messages in English */
    static const struct smi_monitor_kind kind = {.program = "sh", .least_ms = 1, .quiet = true, .env = env};
    struct smi_follow_file *f = add_file(t, SMI_FOLLOW_COMMAND, command, strlen(command));
    const struct smi_monitor_times times = {.pause = t->times.pause,
                                            .pause_most = t->times.pause_most,
                                            .restart = t->times.stop,
                                            .stop = t->times.stop};
    f->state = SMI_FOLLOW_READING;
    f->begun = true;
    f->at.part += !f->at.part;
    f->command = smi_monitor_new(
        &(struct smi_monitor_opts){.kind = &kind,
                                   .times = &times,
                                   .calls = {f, handle_bytes, handle_state, put_command, handle_message}});
    return f->place;
}

static void run_command(struct smi_follow *t, struct smi_follow_file *f, struct smi_loop *l)
{
    struct smi_err err = {0};
    if (f->command->state == SMI_MONITOR_STOPPED && !t->stopping)
        smi_monitor_start(f->command, l->now_ms);
    if (f->held)
        (void)deliver_part(f, false);
    f->command->hold = f->held;
    (void)smi_monitor_source(f->command).run(f->command, l, &err);
    if (l->now_ms >= answer_deadline(f))
        handle_no_answer(f);
}

/* ---- all of it ---- */

struct smi_follow *smi_follow_new(const struct smi_follow_opts *o)
{
    struct smi_follow *t = smi_mem_new(1, sizeof *t);
    t->o = *o;
    t->buf = smi_mem_raw(SMI_FOLLOW_LAST + SMI_FOLLOW_LINE_MAX + 1);
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
        smi_monitor_free(f->command);
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
static int64_t due_of(const struct smi_follow_file *f)
{
    int64_t soon = f->looked_ms + f->t->times.gather;
    if (f->kind != SMI_FOLLOW_FILE)
        return f->kind == SMI_FOLLOW_PIPE && f->held ? f->t->now_ms + f->t->times.look / 4 : INT64_MAX;
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
        if (f->command) {
            smi_monitor_source(f->command).prepare(f->command, l);
            smi_loop_wake(l, f->command->state == SMI_MONITOR_STOPPED && !t->stopping ? l->now_ms
                             : f->held                                                ? l->now_ms + HELD_MS
                                                                                      : answer_deadline(f));
        }
        if (t->stopping)
            continue;
        if (f->kind == SMI_FOLLOW_PIPE && !f->held)
            smi_loop_watch(l, f->fd);
        due = due < due_of(f) ? due : due_of(f);
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
    if (t->notify >= 0)
        read_inotify(t);
    for (size_t i = 0; i < t->dirs && !t->stopping; i++)
        if (l->now_ms >= dir_due(t, &t->dir[i]))
            check_directory(t, (int)i);
    for (size_t i = 0; i < t->files; i++) {
        struct smi_follow_file *f = t->file[i];
        if (f->command)
            run_command(t, f, l);
        else if (t->stopping)
            continue;
        else if (f->kind == SMI_FOLLOW_PIPE && f->fd >= 0)
            read_pipe(f, smi_loop_ready(l, f->fd));
        else if (l->now_ms >= due_of(f))
            check_file(f);
    }
    return 0;
}

struct smi_loop_source smi_follow_source(struct smi_follow *t)
{
    return (struct smi_loop_source){t, prepare, run};
}

void smi_follow_stop(struct smi_follow *t, int64_t now_ms)
{
    t->stopping = true;
    for (size_t i = 0; i < t->files; i++)
        if (t->file[i]->command)
            smi_monitor_stop(t->file[i]->command, now_ms);
}

bool smi_follow_busy(const struct smi_follow *t)
{
    bool busy = false;
    for (size_t i = 0; i < t->files; i++)
        busy |= t->file[i]->command && smi_monitor_busy(t->file[i]->command);
    return busy;
}
