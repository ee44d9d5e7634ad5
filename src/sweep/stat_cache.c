#include "sweep/stat_cache.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    if (!S_ISREG(st->st_mode))
        return s;
    s = (struct smi_stamp){(uint64_t)st->st_dev, (uint64_t)st->st_ino, (int64_t)st->st_size,
                           ns_of(st->st_mtim),   ns_of(st->st_ctim),   0};
    latest = s.mtime_ns > now_ns ? s.ctime_ns : s.mtime_ns > s.ctime_ns ? s.mtime_ns : s.ctime_ns;
    s.old = latest <= now_ns - SMI_STAMP_OLD_NS; /* an mtime in the future was set by hand: the ctime tells */
    return s;
}

static bool is_same_stamp(const struct smi_stamp *a, const struct smi_stamp *b)
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

int smi_stat_cache_load(struct smi_stat_cache *l, const char *p, size_t n)
{
    size_t files = n / sizeof *l->list;
    l->list = smi_mem_new(files, sizeof *l->list);
    if (!l->list)
        return -1;
    if (files)
        memcpy(l->list, p, files * sizeof *l->list);
    for (size_t i = 1; i < files; i++)
        if (by_inode(&l->list[i - 1], &l->list[i]) >= 0)
            return 0;
    l->n = files;
    return 0;
}

const struct smi_stat_entry *smi_stat_cache_find(const struct smi_stat_cache *l, const struct smi_stamp *s)
{
    const struct smi_stat_entry key = {*s, 0, 0};
    const struct smi_stat_entry *k = l->n ? bsearch(&key, l->list, l->n, sizeof key, by_inode) : NULL;
    return k && is_same_stamp(&k->stamp, s) ? k : NULL;
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

int smi_stat_cache_merge(struct smi_stat_cache *l, struct smi_stat_cache *from)
{
    if (from->seen && smi_mem_reserve(&l->now, &l->cap, l->seen + from->seen, sizeof *l->now))
        return -1;
    if (from->seen)
        memcpy(l->now + l->seen, from->now, from->seen * sizeof *l->now);
    l->seen += from->seen;
    l->fresh += from->fresh;
    from->seen = from->fresh = 0;
    return 0;
}

bool smi_stat_cache_changed(const struct smi_stat_cache *l)
{
    return l->fresh || l->seen != l->n;
}

void smi_stat_cache_store(struct smi_buf *to, struct smi_stat_cache *l)
{
    smi_sort(l->now, l->seen, sizeof *l->now, by_inode);
    for (size_t i = 0; i < l->seen; i++)
        if (i == 0 || by_inode(&l->now[i - 1], &l->now[i])) /* of hard links one */
            smi_buf_add(to, (const char *)&l->now[i], sizeof l->now[i]);
}

void smi_stat_cache_fini(struct smi_stat_cache *l)
{
    smi_mem_free(l->list);
    smi_mem_free(l->now);
    *l = (struct smi_stat_cache){0};
}
