/* walk_beside.c - what belongs to a PATH but does not lie below it. A log that is a PATH is a part of a run
 * of its directory, as if that had been named; the output of a job and Slurm's accounting may lie above its
 * directory. */
#include "sweep/walk.h"

#include "base/file.h"
#include "sweep/config.h"
#include "sweep/discover_private.h"

#include <fcntl.h>
#include <limits.h>
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

/* The name of the PATH e; of a link, that of the file that it leads to. NULL without memory. */
static const char *real_name(struct smi_arena *a, const struct smi_entry *e)
{
    char *real = NULL;
    const char *name = e->name;
    struct stat st;
    if (lstat(name, &st) == 0 && S_ISLNK(st.st_mode) && (real = realpath(name, NULL)))
        name = smi_arena_text(a, real, strlen(real));
    free(real); /* realpath's own */
    return name;
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
    const char *name = real_name(&w->arena[0], e), *path = name ? directory_of(&w->arena[0], name) : NULL;
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
            if (!(e->beside = add_directory(w, n, &seen, e, known, &rc)))
                continue;
            e->named = e->beside->path;
            e->beside->path = e;
            e->beside->paths++;
        }
    smi_inode_set_fini(&seen);
    return rc;
}

/* ---- which files of the directory can matter ---- */

/* A file that may be a log, but by its name of another run. */
struct other {
    struct smi_entry *e;
    size_t likeness; /* of its name to that of the PATH */
};

static int by_likeness(const void *x, const void *y)
{
    const struct other *a = x, *b = y;
    return a->likeness != b->likeness ? (a->likeness < b->likeness ? 1 : -1)
                                      : smi_text_compare_natural(a->e->name, b->e->name);
}

static int compare_stems(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Of a name with this stem: more if it says what was recorded, as "a_gpu.csv", or is that of a RunLog; then
 * if both have more bytes in common at their ends; then if they are equally long. */
static size_t likeness(const char *name, const char *stem, const char *path)
{
    enum { LONGER = NAME_MAX + 1 };
    const size_t n = strlen(name), m = strlen(path), at = strlen(stem);
    const bool plain = strncmp(name, stem, at) == 0 && (!name[at] || name[at] == '.');
    const bool told = !plain || (n > 6 && strcmp(name + n - 6, ".jsonl") == 0);
    return (told * LONGER + smi_discovery_common_ends(name, path)) * LONGER + NAME_MAX -
           (n > m ? n - m : m - n);
}

/* The stems of the PATHs in one directory. */
struct stems {
    const char **list;
    size_t n;
    const char *first; /* name of a PATH */
    bool all, wandb;   /* a RunLog is among them, a log of W&B */
};

/* Finds the PATH e in its directory t. One that is not listed, as a hidden one, is a run of its own. */
static int find_named(struct smi_dir *t, struct smi_entry *e, struct stems *s, struct smi_arena *a)
{
    const char *name = real_name(a, e);
    struct smi_entry *in = name ? smi_dir_find(t, smi_file_name(name)) : NULL, *job;
    if (!in) {
        e->beside = NULL;
        return name ? 0 : -1;
    }
    in->akin = e->akin = true;
    if (!is_wanted(e))
        return 0;
    in->named = e;
    job = (struct smi_entry *)smi_discovery_find_job(t, in->name);
    if (job)
        job->akin = true;
    s->first = s->first ? s->first : in->name;
    s->all |= e->format == SMI_FMT_RUNLOG;
    s->wandb |= e->format == SMI_FMT_WANDB;
    s->list[s->n] = smi_file_group_stem(a, in->name);
    return s->list[s->n++] ? 0 : -1;
}

/* Of the outputs of several jobs the last one counts, or that whose number is in a name. */
static bool tells_of_runs(const struct smi_dir *t, const struct smi_entry *e)
{
    const struct smi_entry *end = t->entry + t->entries;
    if (!smi_config_is_job_output(e->name))
        return smi_config_rank(e->name) >= 0 || smi_jobs_is_file(e->name);
    while (++e < end && !smi_config_is_job_output(e->name))
        ;
    return e == end;
}

static void take_out(struct smi_entry *e)
{
    e->link = e->kind == SMI_ENTRY_DIR ? SMI_LINK_BELOW : SMI_LINK_KNOWN;
    e->kind = SMI_ENTRY_LINK;
    e->sub = NULL;
}

/* Takes out e, or adds it to the others, or leaves it as it is. */
static int judge_name(const struct smi_dir *t, struct smi_entry *e, const struct stems *s,
                      struct other *other, size_t *others, struct smi_arena *a)
{
    const char *stem = "";
    if (e->kind == SMI_ENTRY_LOG && !(stem = smi_file_group_stem(a, e->name)))
        return -1;
    e->akin |= e->kind == SMI_ENTRY_LOG && s->n && bsearch(&stem, s->list, s->n, sizeof stem, compare_stems);
    if (e->kind == SMI_ENTRY_LINK || !s->n || (e->sub && !(s->wandb && strcmp(e->name, "files") == 0)))
        take_out(e);
    else if (e->akin || !*stem || tells_of_runs(t, e))
        return 0;
    else if (e->kind == SMI_ENTRY_LOG)
        other[(*others)++] = (struct other){e, likeness(e->name, stem, s->first)};
    return 0;
}

int smi_walk_choose(struct smi_dir *t, const struct smi_walk_opts *o, struct smi_arena *a)
{
    struct stems s = {.list = smi_mem_new(t->paths, sizeof *s.list)};
    struct other *other = smi_mem_new(t->entries + 1, sizeof *other);
    size_t others = 0;
    int rc = s.list && other ? 0 : -1;
    for (struct smi_entry *e = t->path; e && !rc; e = e->named)
        rc = find_named(t, e, &s, a);
    if (!rc && s.n)
        smi_sort(s.list, s.n, sizeof *s.list, compare_stems);
    for (size_t i = 0; i < t->entries && !rc; i++)
        rc = judge_name(t, &t->entry[i], &s, other, &others, a);
    if (!rc && others > o->others && !s.all) {
        smi_sort(other, others, sizeof *other, by_likeness);
        for (size_t i = o->others; i < others; i++)
            take_out(other[i].e);
    }
    smi_mem_free(other);
    smi_mem_free(s.list);
    return rc;
}

void smi_walk_take_named(struct smi_entry *e)
{
    const struct smi_entry was = *e;
    *e = *was.named;
    e->name = was.name;
    e->linked = was.linked;
    e->named = was.named;
    e->akin = true;
    e->beside = NULL;
}

ssize_t smi_walk_add_below(struct smi_dir *t, struct smi_arena *a)
{
    ssize_t n = 0;
    for (size_t i = 0; i < t->entries; i++)
        t->below |= t->entry[i].kind == SMI_ENTRY_LOG && t->entry[i].format == SMI_FMT_RUNLOG;
    t->below = t->below && !smi_dir_has_gpu_log(t);
    for (size_t i = 0; i < t->entries && t->below; i++)
        if (t->entry[i].kind == SMI_ENTRY_LINK && t->entry[i].link == SMI_LINK_BELOW) {
            if (!smi_dir_new(a, t, &t->entry[i]))
                return -1;
            n++;
        }
    return n;
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

int smi_walk_add_above(struct smi_walk *w, struct smi_err *err)
{
    struct smi_err bad = {0};
    for (size_t i = 0; i < w->root.entries && !bad.code; i++)
        if (w->root.entry[i].sub && !w->root.entry[i].sub->archive)
            add_above(w, w->root.entry[i].sub, &bad);
    return bad.code ? smi_err_nomem(err) : 0;
}
