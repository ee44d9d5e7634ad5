/* walk_inodes.c - the tree, once it is there: which files and directories were met already (a hash set of
 * device and inode), and which links are left. */
#include "sweep/walk.h"

#include "base/file.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_inode(const void *list, size_t place, const void *key)
{
    const struct smi_inode *a = (const struct smi_inode *)list + place, *b = key;
    return a->dev == b->dev && a->ino == b->ino;
}

size_t smi_inode_set_find(const struct smi_inode_set *s, uint64_t dev, uint64_t ino)
{
    const struct smi_inode inode = {dev, ino};
    return smi_map_find(&s->map, smi_hash_pair(ino, dev), is_inode, s->list, &inode);
}

int smi_inode_set_add(struct smi_inode_set *s, uint64_t dev, uint64_t ino)
{
    if (!ino)
        return 1; /* no file has inode 0: not known, so not seen */
    if (smi_inode_set_find(s, dev, ino) != SMI_MAP_NONE)
        return 0;
    if (smi_mem_reserve(&s->list, &s->cap, s->n + 1, sizeof *s->list) ||
        smi_map_add(&s->map, smi_hash_pair(ino, dev), s->n))
        return -1;
    s->list[s->n++] = (struct smi_inode){dev, ino};
    return 1;
}

void smi_inode_set_fini(struct smi_inode_set *s)
{
    smi_mem_free(s->list);
    smi_map_fini(&s->map);
    memset(s, 0, sizeof *s);
}

int smi_inode_set_add_tree(struct smi_inode_set *s, const struct smi_dir *t)
{
    if (t->parent && smi_inode_set_add(s, t->dev, t->ino) < 0)
        return -1;
    for (size_t i = 0; i < t->entries; i++)
        if (t->entry[i].sub && smi_inode_set_add_tree(s, t->entry[i].sub))
            return -1;
    return 0;
}

int smi_inode_set_add_below(struct smi_inode_set *s, struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++) {
        struct smi_dir *sub = t->entry[i].sub;
        int fresh = sub ? smi_inode_set_add(s, sub->dev, sub->ino) : 0;
        if (fresh < 0 || (fresh && smi_inode_set_add_below(s, sub)))
            return -1;
        if (sub && !fresh)
            sub->looped = true;
    }
    return 0;
}

static int add_links(struct smi_walk_links *l, struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++) {
        struct smi_entry *e = &t->entry[i];
        if (e->sub && !e->sub->looped && add_links(l, e->sub))
            return -1;
        if (e->kind != SMI_ENTRY_LINK || e->link != SMI_LINK_OPEN)
            continue;
        if (smi_mem_reserve(&l->list, &l->cap, l->n + 1, sizeof *l->list))
            return -1;
        l->list[l->n] = (struct smi_walk_link){t, e, l->n};
        l->n++;
    }
    return 0;
}

static int by_depth(const void *x, const void *y)
{
    const struct smi_walk_link *a = x, *b = y;
    if (a->dir->depth != b->dir->depth)
        return a->dir->depth < b->dir->depth ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

int smi_walk_links_add(struct smi_walk_links *l, struct smi_dir *t, size_t from)
{
    size_t before = l->n;
    if (add_links(l, t))
        return -1;
    if (l->n > before)
        qsort(l->list + from, l->n - from, sizeof *l->list, by_depth);
    return 0;
}

const struct smi_dir *smi_dir_above(const struct smi_dir *t)
{
    return t->parent && t->parent->parent ? t->parent : t->above;
}

bool smi_dir_is_above(const struct smi_dir *t, uint64_t dev, uint64_t ino)
{
    for (; t && t->parent; t = t->parent)
        if (t->dev == dev && t->ino == ino)
            return true;
    return false;
}

int smi_dir_open(const struct smi_dir *t)
{
    int up, fd;
    if (!t->parent)
        return AT_FDCWD;
    up = smi_dir_open(t->parent);
    fd = openat(up, t->self->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (up != AT_FDCWD && up >= 0)
        close(up);
    return fd;
}

const char smi_walk_too_deep[] = "is more than 64 directories deep: not looked into";

struct smi_dir *smi_dir_new(struct smi_arena *a, struct smi_dir *parent, struct smi_entry *self)
{
    struct smi_dir *t = smi_arena_new(a, 1, sizeof *t);
    if (!t)
        return NULL;
    *t = (struct smi_dir){.parent = parent, .self = self, .depth = parent->depth + 1};
    t->name = smi_file_name(self->name);
    self->sub = t;
    self->kind = SMI_ENTRY_DIR;
    return t;
}

static int compare_entry_name(const void *x, const void *y)
{
    const struct smi_entry *a = x, *b = y;
    return smi_text_compare_natural(a->name, b->name);
}

void smi_dir_sort(struct smi_dir *t)
{
    if (t->entries)
        smi_sort(t->entry, t->entries, sizeof *t->entry, compare_entry_name);
}

struct smi_entry *smi_dir_find(const struct smi_dir *t, const char *name)
{
    const struct smi_entry key = {.name = name};
    return t->entries ? bsearch(&key, t->entry, t->entries, sizeof key, compare_entry_name) : NULL;
}
