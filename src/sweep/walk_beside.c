/* walk_beside.c - what belongs to a PATH but does not lie below it. A log that is a PATH is a part of a run
 * of its directory, as if that had been named; the output of a job and Slurm's accounting may lie above its
 * directory. */
#include "sweep/walk.h"

#include "base/file.h"
#include "sweep/config.h"
#include "sweep/discover_private.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LEVELS_ABOVE = 4 }; /* in which accounting is looked for */

/* "." of gpu.csv, "/" of /gpu.csv */
static char *directory_of(struct smi_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    while (slash && slash > path && slash[-1] == '/')
        slash--;
    return !slash ? smi_arena_text(a, ".", 1)
                  : smi_arena_text(a, path, slash > path ? (size_t)(slash - path) : 1);
}

/* The directory in which the file e lies; of a link, in which the file lies that it leads to. */
static const char *find_directory(struct smi_arena *a, const struct smi_entry *e)
{
    char *real = NULL, *dir;
    struct stat st;
    if (lstat(e->name, &st) == 0 && S_ISLNK(st.st_mode))
        real = realpath(e->name, NULL);
    dir = directory_of(a, real ? real : e->name);
    free(real); /* realpath's own */
    return dir;
}

static bool is_wanted(const struct smi_entry *e)
{
    return !e->bare && !e->again && (e->kind == SMI_ENTRY_LOG || (e->kind == SMI_ENTRY_OTHER && e->broken));
}

/* Finds the directory of e among those behind the n PATHs; `seen` has their inodes. Adds a new one unless
 * known is set. Returns NULL if there is none, or with *rc -1 without memory. */
static struct smi_dir *add_directory(struct smi_walk *w, size_t n, struct smi_inode_set *seen,
                                     const struct smi_entry *e, bool known, int *rc)
{
    const char *path = find_directory(&w->arena[0], e);
    struct smi_entry *dir = &w->root.entry[w->root.entries];
    struct smi_dir *t = NULL;
    struct stat st;
    size_t at;
    if (!path)
        *rc = -1;
    if (!path || stat(path, &st) != 0)
        return NULL;
    at = smi_inode_set_find(seen, (uint64_t)st.st_dev, (uint64_t)st.st_ino);
    if (at != SMI_MAP_NONE)
        return w->root.entry[n + at].sub;
    if (known)
        return NULL;
    *dir = (struct smi_entry){.name = path, .format = -1};
    if (smi_inode_set_add(seen, (uint64_t)st.st_dev, (uint64_t)st.st_ino) > 0)
        t = smi_dir_new(&w->arena[0], &w->root, dir);
    if (!t) {
        *rc = -1;
        return NULL;
    }
    w->root.entries++;
    t->beside = true;
    return t;
}

int smi_walk_add_beside(struct smi_walk *w, size_t n)
{
    struct smi_inode_set seen = {0};
    int rc = 0;
    for (int known = 0; known < 2; known++) /* then the files beside these logs that are PATHs */
        for (size_t i = 0; i < n && !rc; i++) {
            struct smi_entry *e = &w->root.entry[i];
            if (known ? e->kind != SMI_ENTRY_OTHER || e->beside || smi_config_rank(smi_file_name(e->name)) < 0
                      : !is_wanted(e))
                continue;
            e->beside = add_directory(w, n, &seen, e, known, &rc);
            if (e->beside && e->format >= 0 && !smi_format_infos[e->format].gpu)
                e->beside->below = true;
        }
    smi_inode_set_fini(&seen);
    return rc;
}

/* Its entry in its directory is what the PATH is: --input-format may have said so. */
static void mark_named(const struct smi_entry *path)
{
    char *real = realpath(path->name, NULL);
    struct smi_entry *e = real ? smi_dir_find(path->beside, smi_file_name(real)) : NULL;
    if (e && (e->kind == SMI_ENTRY_LOG || e->kind == SMI_ENTRY_OTHER)) {
        e->named = true;
        e->kind = path->kind;
        e->format = path->format;
        e->columns = path->columns;
        e->messages = path->messages;
        e->broken = path->broken;
        e->text = path->text;
        e->dev = path->dev;
        e->ino = path->ino;
    }
    free(real); /* realpath's own */
}

/* Opens a file in a directory that is above a PATH. */
static void open_above(const struct smi_dir *t, struct smi_entry *e,
                       void (*read)(struct smi_entry *, int, struct smi_arena *, struct smi_err *),
                       struct smi_arena *a, struct smi_err *err)
{
    int fd = open(t->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    read(e, fd, a, err);
    close(fd);
}

/* The directory `path` with what jobs left in it; or NULL with err. */
static struct smi_dir *list_above(struct smi_walk *w, const char *path, struct smi_err *err)
{
    struct smi_arena *a = &w->arena[0];
    struct smi_dir *t = w->above;
    while (t && strcmp(t->name, path) != 0)
        t = t->next;
    if (t)
        return t;
    t = smi_arena_new(a, 1, sizeof *t);
    if (!t || smi_dir_list_jobs(t, path, a)) {
        smi_err_nomem(err);
        return NULL;
    }
    t->name = path;
    t->next = w->above;
    w->above = t;
    for (size_t i = 0; i < t->entries; i++)
        if (smi_jobs_is_file(t->entry[i].name))
            open_above(t, &t->entry[i], smi_jobs_open, a, err);
    return t;
}

/* t: a directory that is a PATH, or that of one. */
static void add_above(struct smi_walk *w, struct smi_dir *t, struct smi_err *err)
{
    struct smi_arena *a = &w->arena[0];
    char *real = realpath(t->self->name, NULL);
    const char *path = real ? smi_arena_text(a, real, strlen(real)) : NULL;
    struct smi_dir *up = t;
    struct smi_entry *job;
    free(real); /* realpath's own */
    if (!path || !path[1])
        return;
    t->name = smi_file_name(path);
    for (int level = 0; up && level < LEVELS_ABOVE && path && path[1]; level++) {
        path = directory_of(a, path);
        if (!up->above && path)
            up->above = list_above(w, path, err);
        up = up->above;
    }
    job = t->above ? (struct smi_entry *)smi_discovery_find_job(t->above, t->name) : NULL;
    if (job && !job->config)
        open_above(t->above, job, smi_config_open, a, err);
}

int smi_walk_add_above(struct smi_walk *w, size_t n, struct smi_err *err)
{
    struct smi_err bad = {0};
    for (size_t i = 0; i < n; i++)
        if (w->root.entry[i].beside)
            mark_named(&w->root.entry[i]);
    for (size_t i = 0; i < w->root.entries && !bad.code; i++)
        if (w->root.entry[i].sub && !w->root.entry[i].sub->archive)
            add_above(w, w->root.entry[i].sub, &bad);
    return bad.code ? smi_err_nomem(err) : 0;
}
