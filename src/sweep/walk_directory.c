/* walk_directory.c - one directory of the walk: its names, and what stands behind each, before anybody looks
 * into a file. */
#include "sweep/walk.h"

#include "base/text.h"
#include "sweep/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int smi_dir_fd(const struct smi_dir *t)
{
    return t->open ? t->fd : AT_FDCWD;
}

/* What stands behind a link, if it is to be followed. */
static int kind_of_link(struct smi_dir *t, const char *name, struct smi_entry *e)
{
    struct stat st;
    if (fstatat(smi_dir_fd(t), name, &st, 0) != 0) {
        e->link = errno == ELOOP ? SMI_LINK_LOOP : SMI_LINK_BROKEN;
        return SMI_ENTRY_LINK;
    }
    e->linked = true;
    return S_ISDIR(st.st_mode) ? SMI_ENTRY_LINK : S_ISREG(st.st_mode) ? SMI_ENTRY_LOG : SMI_ENTRY_OTHER;
}

/* What stands behind a name: the kind of its slot, or -1: a link. SMI_ENTRY_LOG: a file to look into. */
static int entry_kind_of(struct smi_dir *t, const struct dirent64 *d, bool follow, struct smi_entry *e)
{
    struct stat st;
    unsigned type = d->d_type;
    if (type == DT_UNKNOWN && fstatat(smi_dir_fd(t), d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        type = IFTODT(st.st_mode);
    if (type == DT_LNK && follow)
        return kind_of_link(t, d->d_name, e);
    t->links += type == DT_LNK;
    if (type == DT_LNK)
        return -1;
    return type == DT_DIR ? SMI_ENTRY_DIR : type == DT_REG ? SMI_ENTRY_LOG : SMI_ENTRY_OTHER;
}

static int append_entry(struct smi_dir *t, const char *name, const struct smi_entry *new, struct smi_arena *a)
{
    struct smi_entry *e;
    if (smi_mem_reserve(&t->entry, &t->cap, t->entries + 1, sizeof *t->entry))
        return -1;
    e = &t->entry[t->entries++];
    *e = *new;
    e->name = smi_arena_text(a, name, strlen(name));
    t->accounts |= e->name && smi_jobs_is_file(e->name);
    t->jobs |= e->name && smi_config_is_job_output(e->name);
    return e->name ? 0 : -1;
}

/* What is hidden is nobody's log; but a run of Hydra's has its parameters there. */
static int add_hidden(struct smi_dir *t, const char *name, struct smi_arena *a)
{
    const struct smi_entry new = {.format = -1, .kind = SMI_ENTRY_OTHER};
    const char *file;
    for (int i = 0; (file = smi_config_hidden(smi_dir_fd(t), name, i)); i++)
        if (append_entry(t, file, &new, a))
            return -1;
    return 0;
}

static int add_entry(struct smi_dir *t, const struct dirent64 *d, bool follow, struct smi_arena *a)
{
    struct smi_entry new = {.format = -1};
    int kind;
    if (d->d_name[0] == '.')
        return add_hidden(t, d->d_name, a);
    kind = entry_kind_of(t, d, follow, &new);
    new.kind = (enum smi_entry_kind)kind;
    return kind < 0 ? 0 : append_entry(t, d->d_name, &new, a);
}

/* Kinds and slots are settled before other threads may look at them. */
static int make_subs(struct smi_dir *t, struct smi_arena *a)
{
    for (size_t i = 0; i < t->entries; i++) {
        struct smi_entry *e = &t->entry[i];
        if (e->kind == SMI_ENTRY_DIR && t->depth >= SMI_DEPTH_MAX) {
            e->kind = SMI_ENTRY_BAD;
            e->text = smi_walk_too_deep;
        } else if (e->kind == SMI_ENTRY_DIR && !smi_dir_new(a, t, e)) {
            return -1;
        }
    }
    return 0;
}

static int set_directory_error(struct smi_dir *t, const char *what, struct smi_arena *a)
{
    char text[160];
    snprintf(text, sizeof text, "%s: %s", what, strerror(errno));
    t->text = smi_arena_text(a, text, strlen(text));
    return t->text ? 0 : -1;
}

static int read_names(struct smi_dir *t, bool follow, char *buf, struct smi_arena *a)
{
    ssize_t n;
    while ((n = getdents64(t->fd, buf, SMI_WALK_SNIFF_BYTES)) >
           0) /* readdir(3) would make a buffer for each directory */
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *d = (const void *)(buf + at);
            if (add_entry(t, d, follow, a))
                return -1;
            at += d->d_reclen;
        }
    if (n < 0 && errno != ENOENT &&
        set_directory_error(t, "cannot be read to its end", a)) /* ENOENT: it was removed meanwhile */
        return -1;
    smi_dir_sort(t);
    return make_subs(t, a);
}

static int open_directory(struct smi_dir *t, bool follow)
{
    bool may_follow = follow || !t->parent->parent;
    struct stat st;
    t->fd = openat(smi_dir_fd(t->parent), t->self->name,
                   O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (may_follow ? 0 : O_NOFOLLOW));
    if (t->fd < 0)
        return -1;
    t->open = true;
    if (fstat(t->fd, &st))
        return -1;
    t->dev = (uint64_t)st.st_dev;
    t->ino = (uint64_t)st.st_ino;
    return 0;
}

int smi_dir_list(struct smi_dir *t, bool follow, char *buf, struct smi_arena *a)
{
    if (open_directory(t, follow))
        return set_directory_error(t, "cannot be opened", a);
    t->looped = smi_dir_is_above(t->parent, t->dev, t->ino);
    return t->looped ? 0 : read_names(t, follow, buf, a);
}

int smi_dir_list_jobs(struct smi_dir *t, const char *path, struct smi_arena *a)
{
    const struct smi_entry new = {.format = -1, .kind = SMI_ENTRY_OTHER};
    DIR *dir = opendir(path);
    const struct dirent *d;
    int rc = 0;
    while (dir && !rc && (d = readdir(dir)))
        if (smi_jobs_is_file(d->d_name) || smi_config_is_job_output(d->d_name))
            rc = append_entry(t, d->d_name, &new, a);
    if (dir)
        closedir(dir);
    if (!rc)
        smi_dir_sort(t);
    return rc;
}

void smi_dir_close(struct smi_dir *t)
{
    if (t->open)
        close(t->fd);
    t->open = false;
}
