/* discover_warnings.c - what is no trouble, but not what somebody may have meant: a directory beside the
 * archive that was made of it, and logs of the GPUs of one run that are runs of their own by their names. */
#include "sweep/discover_private.h"

#include "formats/file_group.h"

#include <string.h>

int smi_discovery_add_warning(struct smi_discovery *g, const char *path, const char *text, bool doubt)
{
    if (!path || !text || smi_mem_reserve(&g->note, &g->note_cap, g->notes + 1, sizeof *g->note))
        return -1;
    g->note[g->notes++] = (struct smi_input_warning){path, text, doubt, 0};
    return 0;
}

/* ---- counted twice? ---- */

/* "out/sweep/" -> "out/" and "sweep" */
static struct smi_text archive_base_name(const char *path, size_t *front)
{
    size_t n = strlen(path), at;
    while (n > 1 && path[n - 1] == '/')
        n--;
    for (at = n; at > 0 && path[at - 1] != '/';)
        at--;
    *front = at;
    return (struct smi_text){path + at, n - at};
}

/* Do a and b lie in one directory, as they are named? */
static bool are_siblings(const char *a, size_t front_a, const char *b, size_t front_b)
{
    if (front_a >= 2 && strncmp(a, "./", 2) == 0)
        a += 2, front_a -= 2;
    if (front_b >= 2 && strncmp(b, "./", 2) == 0)
        b += 2, front_b -= 2;
    return front_a == front_b && memcmp(a, b, front_a) == 0;
}

static bool is_below_directory(const struct smi_dir *dir, const struct smi_dir *above)
{
    while (dir && dir != above)
        dir = dir->parent;
    return dir != NULL;
}

static bool directory_has_run(const struct smi_discovery *g, const struct smi_dir *t)
{
    for (size_t i = 0; i < g->n; i++)
        if (is_below_directory(g->cluster[i].dir, t))
            return true;
    return false;
}

/* The directory, or an archive before it, that has the name of this archive less its endings, and runs; or
 * NULL. */
static const struct smi_entry *find_unpacked_twin(const struct smi_discovery *g,
                                                  const struct smi_dir *archive)
{
    const struct smi_dir *t = archive->parent;
    size_t front, other;
    archive_base_name(archive->self->name, &front);
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        struct smi_text base;
        if (!e->sub || e->sub == archive || (e->sub->archive && e > archive->self))
            continue;
        base = archive_base_name(e->name, &other);
        if (e->sub->as)
            base = smi_text_of(e->sub->as);
        if (smi_text_is(base, archive->as) && are_siblings(archive->self->name, front, e->name, other) &&
            directory_has_run(g, e->sub))
            return e;
    }
    return NULL;
}

int smi_discovery_check_clusters(struct smi_discovery *g)
{
    for (size_t i = 0; i < g->archives; i++) {
        const struct smi_dir *a = g->archive[i];
        const struct smi_entry *e = a->as ? find_unpacked_twin(g, a) : NULL;
        struct smi_buf b = {0};
        if (!e)
            continue;
        smi_buf_fmt(&b,
                    "holds runs, and so does %s beside it: both are counted; if they are the same, name only "
                    "one of them",
                    e->name);
        if (smi_discovery_add_warning(g, smi_walk_path(&g->out->arena, NULL, a->parent, a->self->name),
                                      smi_buf_keep(&b, &g->out->arena), true))
            return -1;
    }
    return 0;
}
