/* follow_paths.c - the paths of all that was seen in followed directories: a table of places. */
#include "live/follow_private.h"

#include <string.h>

static const char *path_of(const struct smi_follow *t, int is)
{
    return is > 0 ? t->file[is - 1]->path : t->other[-1 - is].path;
}

/* Files are the even places of the map, others the odd ones. */
static size_t place_of(int is)
{
    return is > 0 ? (size_t)(is - 1) * 2 : (size_t)(-1 - is) * 2 + 1;
}

static int at_place(size_t place)
{
    return place % 2 ? -1 - (int)(place / 2) : 1 + (int)(place / 2);
}

static bool has_path(const void *list, size_t place, const void *path)
{
    return strcmp(path_of(list, at_place(place)), path) == 0;
}

int smi_follow_names_find(const struct smi_follow *t, const char *path)
{
    size_t i = smi_map_find(&t->names, smi_hash_bytes(path, strlen(path)), has_path, t, path);
    return i == SMI_MAP_NONE ? SMI_FOLLOW_NO_NAME : at_place(i);
}

/* What was there last has the path. */
int smi_follow_names_add(struct smi_follow *t, int is)
{
    const char *path = path_of(t, is);
    uint64_t hash = smi_hash_bytes(path, strlen(path));
    size_t i = smi_map_find(&t->names, hash, has_path, t, path);
    if (i == SMI_MAP_NONE)
        return smi_map_add(&t->names, hash, place_of(is));
    smi_map_move(&t->names, hash, i, place_of(is));
    return 0;
}

int smi_follow_names_rebuild(struct smi_follow *t)
{
    int rc = 0;
    smi_map_clear(&t->names);
    for (size_t i = 0; i < t->others && !rc; i++)
        rc = smi_follow_names_add(t, -1 - (int)i);
    for (size_t i = 0; i < t->files && !rc; i++)
        rc = smi_follow_names_add(t, 1 + (int)i);
    return rc;
}
