#include "sweep/stat_cache.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>

static int64_t ns_of(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t smi_stamp_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME_COARSE, &t); /* that files are stamped by */
    return ns_of(t);
}

struct smi_stamp smi_stamp_of(const struct stat *st, int64_t now_ns)
{
    struct smi_stamp s = {0};
    int64_t latest;
    if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode))
        return s;
    s = (struct smi_stamp){(uint64_t)st->st_dev, (uint64_t)st->st_ino, (int64_t)st->st_size,
                           ns_of(st->st_mtim),   ns_of(st->st_ctim),   0};
    latest = s.mtime_ns > now_ns ? s.ctime_ns : s.mtime_ns > s.ctime_ns ? s.mtime_ns : s.ctime_ns;
    s.old = latest <= now_ns - SMI_STAMP_OLD_NS; /* an mtime in the future was set by hand: the ctime tells */
    return s;
}

bool smi_stamp_same(const struct smi_stamp *a, const struct smi_stamp *b)
{
    return a->dev == b->dev && a->ino == b->ino && a->size == b->size && a->mtime_ns == b->mtime_ns &&
           a->ctime_ns == b->ctime_ns;
}

static int by_inode(const void *x, const void *y)
{
    const struct smi_stamp *a = &((const struct smi_stat_entry *)x)->stamp,
                           *b = &((const struct smi_stat_entry *)y)->stamp;
    if (a->dev != b->dev)
        return a->dev < b->dev ? -1 : 1;
    return (a->ino > b->ino) - (a->ino < b->ino);
}

/* In front of what smi_stat_cache_store makes: how many of each follow; behind them the names. */
struct lengths {
    uint64_t files, dirs;
};

static int dir_by_inode(const void *x, const void *y)
{
    const struct smi_stat_entry a = {((const struct smi_stat_directory *)x)->stamp, 0, 0};
    const struct smi_stat_entry b = {((const struct smi_stat_directory *)y)->stamp, 0, 0};
    return by_inode(&a, &b);
}

/* n bytes from p, at least one; *p goes behind them. NULL without memory. */
static void *copy_of(const char **p, size_t n)
{
    void *to = smi_mem_raw(n ? n : 1);
    if (to && n)
        memcpy(to, *p, n);
    *p += n;
    return to;
}

/* Whether all stand in order, and each has its names. */
static bool are_names_whole(const struct smi_stat_cache *l, size_t names)
{
    for (size_t i = 1; i < l->n; i++)
        if (by_inode(&l->list[i - 1], &l->list[i]) >= 0)
            return false;
    for (size_t i = 0; i < l->dirs; i++) {
        const struct smi_stat_directory *d = &l->dir[i];
        if ((i && dir_by_inode(d - 1, d) >= 0) || d->at > names || d->n > names - d->at ||
            (d->n && l->names[d->at + d->n - 1]))
            return false;
    }
    return true;
}

int smi_stat_cache_load(struct smi_stat_cache *l, const char *p, size_t n)
{
    struct lengths h;
    size_t names;
    if (n < sizeof h)
        return 0;
    memcpy(&h, p, sizeof h);
    p += sizeof h;
    n -= sizeof h;
    if (h.files > n / sizeof *l->list || h.dirs > (n - h.files * sizeof *l->list) / sizeof *l->dir)
        return 0;
    names = n - h.files * sizeof *l->list - h.dirs * sizeof *l->dir;
    l->list = copy_of(&p, h.files * sizeof *l->list);
    l->dir = copy_of(&p, h.dirs * sizeof *l->dir);
    l->names = copy_of(&p, names);
    if (!l->list || !l->dir || !l->names)
        return -1;
    l->n = h.files;
    l->dirs = h.dirs;
    if (!are_names_whole(l, names))
        l->n = l->dirs = 0;
    return 0;
}

const struct smi_stat_entry *smi_stat_cache_find(const struct smi_stat_cache *l, const struct smi_stamp *s)
{
    const struct smi_stat_entry key = {*s, 0, 0};
    const struct smi_stat_entry *k = l->n ? bsearch(&key, l->list, l->n, sizeof key, by_inode) : NULL;
    return k && smi_stamp_same(&k->stamp, s) ? k : NULL;
}

int smi_stat_cache_add(struct smi_stat_cache *l, const struct smi_stat_entry *seen, bool known)
{
    if (!seen->stamp.old)
        return 0;
    if (smi_mem_reserve(&l->now, &l->cap, l->seen + 1, sizeof *l->now))
        return -1;
    l->now[l->seen++] = *seen;
    l->fresh += !known;
    return 0;
}

/* ---- directories ---- */

struct smi_text smi_stat_cache_find_directory(const struct smi_stat_cache *l, const struct smi_stamp *s)
{
    const struct smi_stat_directory key = {*s, 0, 0};
    const struct smi_stat_directory *d =
        l->dirs && s->old ? bsearch(&key, l->dir, l->dirs, sizeof key, dir_by_inode) : NULL;
    return d && smi_stamp_same(&d->stamp, s) ? (struct smi_text){l->names + d->at, d->n}
                                             : (struct smi_text){0};
}

/* Whether a directory's times move with its names. Source: the kernel's linux/magic.h, and of each file
 * system its manual. */
static bool keeps_times(int fd)
{
    static const uint32_t known[] = {
        0x0000EF53, /* ext2, 3, 4 */
        0x58465342, /* XFS */
        0x9123683E, /* Btrfs */
        0xCA451A4E, /* bcachefs */
        0x2FC12FC1, /* ZFS */
        0xF2F52010, /* F2FS */
        0x01021994, /* tmpfs */
        0x794C7630, /* overlay */
        0x00006969, /* NFS */
        0x0BD00BD0, /* Lustre */
    };
    struct statfs f;
    if (fstatfs(fd, &f))
        return false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if ((uint32_t)f.f_type == known[i])
            return true;
    return false;
}

int smi_stat_cache_add_directory(struct smi_stat_cache *l, const struct smi_stamp *s, int fd,
                                 struct smi_text names)
{
    if (!s->old)
        return 0;
    if (fd >= 0 && (!l->asked || l->dev != s->dev)) {
        l->asked = true;
        l->dev = s->dev;
        l->believed = keeps_times(fd);
    }
    if (fd >= 0 && !l->believed)
        return 0;
    if (smi_mem_reserve(&l->dir_now, &l->dir_cap, l->dirs_seen + 1, sizeof *l->dir_now))
        return -1;
    l->dir_now[l->dirs_seen++] = (struct smi_stat_directory){*s, l->names_now.n, names.n};
    smi_buf_add(&l->names_now, names.p, names.n);
    l->fresh += fd >= 0;
    return l->names_now.failed ? -1 : 0;
}

/* ---- all that a walk has seen ---- */

static int join_dirs(struct smi_stat_cache *l, struct smi_stat_cache *from)
{
    if (from->dirs_seen &&
        smi_mem_reserve(&l->dir_now, &l->dir_cap, l->dirs_seen + from->dirs_seen, sizeof *l->dir_now))
        return -1;
    for (size_t i = 0; i < from->dirs_seen; i++) {
        struct smi_stat_directory *to = &l->dir_now[l->dirs_seen++];
        *to = from->dir_now[i];
        to->at += l->names_now.n;
    }
    if (from->dirs_seen)
        smi_buf_add(&l->names_now, from->names_now.n ? from->names_now.p : "", from->names_now.n);
    from->dirs_seen = 0;
    return l->names_now.failed ? -1 : 0;
}

int smi_stat_cache_merge(struct smi_stat_cache *l, struct smi_stat_cache *from)
{
    if (from->seen && smi_mem_reserve(&l->now, &l->cap, l->seen + from->seen, sizeof *l->now))
        return -1;
    if (from->seen)
        memcpy(l->now + l->seen, from->now, from->seen * sizeof *l->now);
    l->seen += from->seen;
    l->fresh += from->fresh;
    from->seen = from->fresh = 0;
    return join_dirs(l, from);
}

bool smi_stat_cache_changed(const struct smi_stat_cache *l)
{
    return l->fresh || l->seen != l->n || l->dirs_seen != l->dirs;
}

void smi_stat_cache_store(struct smi_buf *to, struct smi_stat_cache *l)
{
    struct lengths h = {0};
    uint64_t at = 0;
    size_t head = to->n, dirs = 0;
    smi_buf_add(to, (const char *)&h, sizeof h);
    if (l->seen)
        qsort(l->now, l->seen, sizeof *l->now, by_inode);
    for (size_t i = 0; i < l->seen; i++)
        if (i == 0 || by_inode(&l->now[i - 1], &l->now[i])) { /* of hard links one */
            smi_buf_add(to, (const char *)&l->now[i], sizeof l->now[i]);
            h.files++;
        }
    if (l->dirs_seen)
        qsort(l->dir_now, l->dirs_seen, sizeof *l->dir_now, dir_by_inode);
    for (size_t i = 0; i < l->dirs_seen; i++) /* of one that two PATHs lead to one, too */
        if (i == 0 || dir_by_inode(&l->dir_now[dirs - 1], &l->dir_now[i]))
            l->dir_now[dirs++] = l->dir_now[i];
    l->dirs_seen = h.dirs = dirs;
    for (size_t i = 0; i < dirs; at += l->dir_now[i++].n) {
        const struct smi_stat_directory d = {l->dir_now[i].stamp, at, l->dir_now[i].n};
        smi_buf_add(to, (const char *)&d, sizeof d);
    }
    for (size_t i = 0; i < dirs; i++)
        if (l->dir_now[i].n)
            smi_buf_add(to, l->names_now.p + l->dir_now[i].at, l->dir_now[i].n);
    if (!to->failed)
        memcpy(to->p + head, &h, sizeof h);
}

void smi_stat_cache_fini(struct smi_stat_cache *l)
{
    smi_mem_free(l->list);
    smi_mem_free(l->now);
    smi_mem_free(l->dir);
    smi_mem_free(l->names);
    smi_mem_free(l->dir_now);
    smi_buf_fini(&l->names_now);
    *l = (struct smi_stat_cache){0};
}
