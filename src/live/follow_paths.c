/* follow_paths.c - the paths of all that was seen in followed directories: a table of places. */
#include "live/follow_private.h"

#include <string.h>

static const char *path_of(const struct smi_follow *t, int is)
{
    return is > 0 ? t->file[is - 1]->path : t->other[-1 - is].path;
}

static size_t hash_path(const char *s)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

static size_t slot_of(const struct smi_follow *t, const char *path)
{
    size_t i = hash_path(path) & (t->names.cap - 1);
    while (t->names.slot[i] != SMI_FOLLOW_NO_NAME && strcmp(path_of(t, t->names.slot[i]), path) != 0)
        i = (i + 1) & (t->names.cap - 1);
    return i;
}

int smi_follow_names_find(const struct smi_follow *t, const char *path)
{
    return t->names.cap ? t->names.slot[slot_of(t, path)] : SMI_FOLLOW_NO_NAME;
}

static void put_slot(struct smi_follow *t, int is)
{
    int *slot = &t->names.slot[slot_of(t, path_of(t, is))];
    t->names.n += *slot == SMI_FOLLOW_NO_NAME;
    *slot = is;
}

int smi_follow_names_rebuild(struct smi_follow *t)
{
    size_t cap = 64;
    while (cap < (t->files + t->others + 1) * 2)
        cap *= 2;
    int *slot = smi_mem_new(cap, sizeof *slot);
    if (!slot)
        return -1;
    smi_mem_free(t->names.slot);
    t->names = (struct smi_follow_names){slot, cap, 0};
    for (size_t i = 0; i < t->others; i++)
        put_slot(t, -1 - (int)i);
    for (size_t i = 0; i < t->files; i++)
        put_slot(t, 1 + (int)i);
    return 0;
}

int smi_follow_names_add(struct smi_follow *t, int is)
{
    if ((t->names.n + 1) * 2 > t->names.cap)
        return smi_follow_names_rebuild(t); /* which puts it, too */
    put_slot(t, is);
    return 0;
}
