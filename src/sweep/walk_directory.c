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

static int add_entry(struct smi_dir *t, const struct dirent64 *d, bool follow, struct smi_arena *a)
{
    struct smi_entry *e, new = {.format = -1};
    bool hidden = d->d_name[0] == '.'; /* nobody's logs; but a run of Hydra's has its parameters there */
    const char *name = hidden ? smi_config_hidden(smi_dir_fd(t), d->d_name) : d->d_name;
    int kind = !name ? -1 : hidden ? SMI_ENTRY_OTHER : entry_kind_of(t, d, follow, &new);
    t->hidden = t->hidden || (hidden && strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0);
    if (kind < 0)
        return 0;
    if (smi_mem_reserve(&t->entry, &t->cap, t->entries + 1, sizeof *t->entry))
        return -1;
    e = &t->entry[t->entries++];
    *e = new;
    e->name = smi_arena_text(a, name, strlen(name));
    e->kind = (enum smi_entry_kind)kind;
    return e->name ? 0 : -1;
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

static bool may_follow(const struct smi_dir *t, bool follow)
{
    return follow || !t->parent || !t->parent->parent;
}

int smi_dir_reopen(struct smi_dir *t, bool follow)
{
    struct stat st;
    int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (may_follow(t, follow) ? 0 : O_NOFOLLOW),
        fd;
    if (t->open || !t->parent)
        return 0;
    fd = openat(smi_dir_fd(t->parent), t->self->name, flags);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0) {
        t->dev = (uint64_t)st.st_dev;
        t->ino = (uint64_t)st.st_ino;
        t->stamp = smi_stamp_of(&st, smi_stamp_now());
        t->fd = fd;
        t->open = true;
        return 0;
    }
    close(fd);
    return -1;
}

int smi_dir_list(struct smi_dir *t, bool follow, char *buf, struct smi_arena *a)
{
    if (smi_dir_reopen(t, follow))
        return set_directory_error(t, "cannot be opened", a);
    t->looped = smi_dir_is_above(t->parent, t->dev, t->ino);
    return t->looped ? 0 : read_names(t, follow, buf, a);
}

int smi_dir_known(struct smi_dir *t, bool follow, const struct smi_stat_cache *l, struct smi_arena *a)
{
    struct stat st;
    struct smi_text names;
    if (fstatat(smi_dir_fd(t->parent), t->self->name, &st, may_follow(t, follow) ? 0 : AT_SYMLINK_NOFOLLOW) !=
            0 ||
        !S_ISDIR(st.st_mode))
        return 0;
    t->stamp = smi_stamp_of(&st, smi_stamp_now());
    names = smi_stat_cache_find_directory(l, &t->stamp);
    if (!names.p || smi_dir_is_above(t->parent, t->stamp.dev, t->stamp.ino))
        return 0;
    names.p = smi_arena_text(a, names.p, names.n); /* what is known may go before the entries do */
    for (size_t at = 0; names.p && at < names.n; at += strlen(names.p + at) + 1) {
        if (smi_mem_reserve(&t->entry, &t->cap, t->entries + 1, sizeof *t->entry))
            return -1;
        t->entry[t->entries++] =
            (struct smi_entry){.name = names.p + at, .kind = SMI_ENTRY_LOG, .format = -1};
    }
    t->dev = t->stamp.dev;
    t->ino = t->stamp.ino;
    return names.p ? 1 : -1;
}

int smi_dir_keep(const struct smi_dir *t, struct smi_stat_cache *l, char *buf)
{
    size_t n = 0;
    if (t->hidden || t->links || t->looped || t->text || !t->stamp.old)
        return 0;
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        size_t size = strlen(e->name) + 1;
        if (e->kind != SMI_ENTRY_LOG || e->linked || size > SMI_WALK_SNIFF_BYTES - n)
            return 0;
        memcpy(buf + n, e->name, size);
        n += size;
    }
    return smi_stat_cache_add_directory(l, &t->stamp, t->open ? t->fd : -1, (struct smi_text){buf, n});
}

void smi_dir_close(struct smi_dir *t)
{
    if (t->open)
        close(t->fd);
    t->open = false;
}
