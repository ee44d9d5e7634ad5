/* follow_rotated.c - other files of the same name: where a renamed one went, the copy of a truncated one, and
 * what came between the file that we read last and the one that has the name now. */
#include "live/follow_private.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { SURE = 20 }; /* so many bytes at the same place are no chance */

static int64_t stat_time_ns(struct statx_timestamp s)
{
    return s.tv_sec * 1000000000 + s.tv_nsec;
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

struct smi_follow_id smi_follow_id_of(const struct smi_follow_position *at)
{
    return (struct smi_follow_id){at->dev, at->ino, at->born_ns};
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

void smi_follow_add_known(struct smi_follow_file *f, const struct smi_follow_id *id)
{
    if (id->ino && !smi_follow_is_known(f, id))
        f->work->known[f->work->nknown++ % SMI_FOLLOW_KNOWN_MAX] = *id;
}

bool smi_follow_is_known(const struct smi_follow_file *f, const struct smi_follow_id *id)
{
    for (unsigned i = 0; i < f->work->nknown && i < SMI_FOLLOW_KNOWN_MAX; i++)
        if (smi_follow_same_id(&f->work->known[i], id))
            return true;
    return false;
}

/* ---- going through the directory ---- */

static DIR *open_dir(const struct smi_follow *t, const struct smi_follow_file *f)
{
    return opendir(t->dir[f->work->dir].path);
}

static int open_in(DIR *d, const char *name, struct smi_follow_stat *st)
{
    int fd = openat(dirfd(d), name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    if (fd >= 0 && (smi_follow_stat(fd, "", AT_EMPTY_PATH, st) || !S_ISREG(st->mode))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void keep_name(char *name, const char *is)
{
    snprintf(name, 256, "%s", is);
}

static int find_moved(const struct smi_follow *t, const struct smi_follow_file *f, struct smi_follow_stat *st,
                      char *name)
{
    struct smi_follow_id id = smi_follow_id_of(&f->at);
    struct dirent *e;
    int fd = -1;
    DIR *d = open_dir(t, f);
    while (d && fd < 0 && (e = readdir(d))) {
        if (e->d_ino != id.ino && !smi_follow_is_older(e->d_name, f->work->base))
            continue;
        fd = open_in(d, e->d_name, st);
        if (fd >= 0 && (!smi_follow_same_id(&st->id, &id) || !smi_follow_matches_content(&f->at, fd))) {
            close(fd);
            fd = -1;
        }
        keep_name(name, e->d_name);
    }
    if (d)
        closedir(d);
    return fd;
}

/* When a file came into being, as far as that is known. */
int64_t smi_follow_age(const struct smi_follow_stat *st)
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

static int find_copy(const struct smi_follow *t, const struct smi_follow_file *f, struct smi_follow_stat *st,
                     char *name)
{
    struct smi_follow_stat s;
    struct dirent *e;
    int best = -1, fd;
    DIR *d = open_dir(t, f);
    while (d && (e = readdir(d))) {
        if (!smi_follow_is_older(e->d_name, f->work->base) || (fd = open_in(d, e->d_name, &s)) < 0)
            continue;
        if (s.id.ino == f->at.ino || smi_follow_age(&s) < f->at.began_ns || smi_follow_is_known(f, &s.id) ||
            (best >= 0 && smi_follow_age(&s) > smi_follow_age(st)) ||
            !(s.size < f->at.offset ? is_shorter_copy(&f->at, fd, s.size)
                                    : smi_follow_matches_content(&f->at, fd))) {
            close(fd);
            continue;
        }
        if (best >= 0)
            close(best);
        best = fd;
        *st = s;
        keep_name(name, e->d_name);
    }
    if (d)
        closedir(d);
    return best;
}

static bool is_next(const struct smi_follow_file *f, const struct smi_follow_stat *st)
{
    struct smi_follow_id id = smi_follow_id_of(&f->at);
    return !smi_follow_same_id(&st->id, &id) && smi_follow_age(st) >= f->at.began_ns &&
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
    struct smi_follow_id id = smi_follow_id_of(&f->at);
    int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && (smi_follow_stat(fd, "", AT_EMPTY_PATH, st) || !S_ISREG(st->mode) ||
                    smi_follow_same_id(&st->id, &id))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static int find_next(const struct smi_follow *t, const struct smi_follow_file *f, struct smi_follow_stat *st,
                     char *name)
{
    int own = open_own(f, st), best = -1, fd;
    struct smi_follow_stat s, found;
    struct dirent *e;
    DIR *d = open_dir(t, f);
    keep_name(name, f->work->base);
    while (d && (e = readdir(d))) {
        if (!smi_follow_is_older(e->d_name, f->work->base) || (fd = open_in(d, e->d_name, &s)) < 0)
            continue;
        if (!is_next(f, &s) || (best >= 0 && smi_follow_age(&s) >= smi_follow_age(&found)) ||
            (f->at.copy && own >= 0 && is_copy_of(fd, &s, own))) {
            close(fd);
            continue;
        }
        if (best >= 0)
            close(best);
        best = fd;
        found = s;
        keep_name(name, e->d_name);
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
    DIR *d = open_dir(t, f);
    while (d && (e = readdir(d))) {
        uint64_t h = e->d_ino + 14695981039346656037u;
        if (!smi_follow_is_older(e->d_name, f->work->base))
            continue;
        for (const char *c = e->d_name; *c; c++)
            h = (h ^ (unsigned char)*c) * 1099511628211u;
        sum += h ^ h >> 29;
    }
    if (d)
        closedir(d);
    return sum;
}

/* Names that move while they are listed may be missed: then it is done again. */
int smi_follow_find_rotated(const struct smi_follow *t, const struct smi_follow_file *f,
                            enum smi_follow_rotated_kind which, struct smi_follow_stat *st, char *name)
{
    uint64_t before = names_checksum(t, f), after;
    for (int i = 0;; i++, before = after) {
        int fd = which == SMI_FOLLOW_MOVED  ? find_moved(t, f, st, name)
                 : which == SMI_FOLLOW_COPY ? find_copy(t, f, st, name)
                                            : find_next(t, f, st, name);
        after = names_checksum(t, f);
        if (before == after || i == 8)
            return fd;
        if (fd >= 0)
            close(fd);
    }
}
