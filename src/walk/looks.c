#include "walk/looks.h"

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
    s = (struct smi_stamp){(uint64_t)st->st_dev, (uint64_t)st->st_ino, (int64_t)st->st_size, ns_of(st->st_mtim),
                           ns_of(st->st_ctim), 0};
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
    const struct smi_stamp *a = &((const struct smi_look_at *)x)->stamp, *b = &((const struct smi_look_at *)y)->stamp;
    if (a->dev != b->dev)
        return a->dev < b->dev ? -1 : 1;
    return (a->ino > b->ino) - (a->ino < b->ino);
}

int smi_looks_get(struct smi_looks *l, const char *p, size_t n)
{
    size_t size = sizeof *l->list;
    if (n % size || !n)
        return 0;
    l->list = smi_mem_raw(n);
    if (!l->list)
        return -1;
    memcpy(l->list, p, n);
    l->n = n / size;
    for (size_t i = 1; i < l->n; i++)
        if (by_inode(&l->list[i - 1], &l->list[i]) >= 0)
            l->n = 0;
    return 0;
}

const struct smi_look_at *smi_looks_find(const struct smi_looks *l, const struct smi_stamp *s)
{
    const struct smi_look_at key = {*s, 0, 0};
    const struct smi_look_at *k =
        l->n ? bsearch(&key, l->list, l->n, sizeof key, by_inode) : NULL;
    return k && smi_stamp_same(&k->stamp, s) ? k : NULL;
}

int smi_looks_add(struct smi_looks *l, const struct smi_look_at *seen, bool known)
{
    if (!seen->stamp.old)
        return 0;
    if (smi_mem_reserve(&l->now, &l->cap, l->seen + 1, sizeof *l->now))
        return -1;
    l->now[l->seen++] = *seen;
    l->fresh += !known;
    return 0;
}

int smi_looks_join(struct smi_looks *l, struct smi_looks *from)
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

bool smi_looks_changed(const struct smi_looks *l)
{
    return l->fresh || l->seen != l->n;
}

void smi_looks_put(struct smi_buf *to, struct smi_looks *l)
{
    if (l->seen)
        qsort(l->now, l->seen, sizeof *l->now, by_inode);
    for (size_t i = 0; i < l->seen; i++)
        if (i == 0 || by_inode(&l->now[i - 1], &l->now[i])) /* of hard links one */
            smi_buf_add(to, (const char *)&l->now[i], sizeof l->now[i]);
}

void smi_looks_fini(struct smi_looks *l)
{
    smi_mem_free(l->list);
    smi_mem_free(l->now);
    *l = (struct smi_looks){0};
}
