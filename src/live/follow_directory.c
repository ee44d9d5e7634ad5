/* follow_directory.c - a followed directory: which files in it are logs is told by their content, as discover
 * does; those that are none yet are looked at again when they grow, and new ones when they come. */
#include "live/follow_private.h"

#include "sweep/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A file that is followed already, or was, under whatever name: an older part of one. */
static bool is_read(const struct smi_follow *t, const struct smi_follow_stat *st)
{
    for (size_t i = 0; i < t->files; i++) {
        const struct smi_follow_file *f = t->file[i];
        struct smi_follow_id id = smi_follow_id_of(&f->at);
        if (!f->work->stream && (smi_follow_same_id(&id, &st->id) || smi_follow_is_known(f, &st->id)))
            return true;
    }
    return false;
}

/* hw.csv.1, and there is hw.csv: it is read with that. */
static bool is_part(DIR *d, const char *name)
{
    char base[256];
    struct smi_follow_stat st;
    size_t n = strlen(name);
    for (size_t i = n; i-- > 1;)
        for (size_t ext = n; ext > i; ext--) { /* base: name less [i, ext) */
            if (!strchr(".-_", name[i]) || (ext < n && name[ext] != '.'))
                continue;
            snprintf(base, sizeof base, "%.*s%s", (int)i, name, name + ext);
            if (smi_follow_is_older(name, base) && !smi_follow_stat(dirfd(d), base, AT_SYMLINK_NOFOLLOW, &st))
                return true;
        }
    return false;
}

static struct smi_follow_file *follow_log(struct smi_follow *t, const char *path, int format)
{
    struct smi_follow_file *f = smi_follow_file_new(t, path);
    if (!f) {
        smi_follow_nomem(t);
        return NULL;
    }
    f->format = format;
    f->work->whole = true;
    f->work->dirty = true;
    return f;
}

/* Is it a log? Its format; -1: no; -2: no memory. */
static int sniff_format(const char *path)
{
    struct smi_entry e = {.name = path, .format = -1, .kind = SMI_ENTRY_LOG};
    struct smi_arena texts = {0};
    struct smi_err err = {0};
    char *buf = smi_mem_raw(SMI_WALK_SNIFF_BYTES);
    if (buf)
        smi_walk_sniff(&e, AT_FDCWD, false, buf, &texts, &err);
    smi_mem_free(buf);
    smi_arena_fini(&texts);
    return !buf || err.code ? -2 : e.kind == SMI_ENTRY_LOG ? e.format : -1;
}

static bool is_packed(const char *path)
{
    const char *dot = strrchr(path, '.');
    static const char *const ends[] = {".gz", ".zst", ".xz", ".bz2", ".zip", ".tar", ".tgz"};
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(dot, ends[i]))
            return true;
    return false;
}

/* A file that was not seen before. */
static void visit_file(struct smi_follow *t, int dir, const char *path, const struct smi_follow_stat *st)
{
    struct smi_follow_other *o;
    int format = is_packed(path) ? -1 : sniff_format(path);
    if (format == -2) {
        smi_follow_nomem(t);
        return;
    }
    if (format >= 0) {
        follow_log(t, path, format);
        return;
    }
    if (smi_mem_reserve(&t->other, &t->others_cap, t->others + 1, sizeof *t->other)) {
        smi_follow_nomem(t);
        return;
    }
    o = &t->other[t->others];
    *o = (struct smi_follow_other){smi_mem_text(path, strlen(path)), dir, st->size, st->mtime_ns, st->id.ino};
    if (!o->path || (t->others++, smi_follow_names_add(t, -(int)t->others)))
        smi_follow_nomem(t);
}

/* One that was no log: has it become one? What has much in it will not. */
static void check_other(struct smi_follow *t, size_t k)
{
    struct smi_follow_other *o = &t->other[k];
    struct smi_follow_stat st;
    int format;
    if (smi_follow_stat(AT_FDCWD, o->path, AT_SYMLINK_NOFOLLOW, &st) || !S_ISREG(st.mode))
        return;
    if (st.id.ino == o->ino &&
        (o->size >= SMI_WALK_SNIFF_BYTES || (st.size == o->size && st.mtime_ns == o->mtime_ns)))
        return;
    o->ino = st.id.ino;
    o->size = st.size;
    o->mtime_ns = st.mtime_ns;
    format = is_packed(o->path) || is_read(t, &st) ? -1 : sniff_format(o->path);
    if (format == -2)
        smi_follow_nomem(t);
    else if (format >= 0)
        follow_log(t, o->path, format);
}

void smi_follow_check_others(struct smi_follow *t, int dir, const char *name)
{
    char path[4096];
    if (name) {
        smi_follow_directory_path(t, dir, name, path, sizeof path);
        int is = smi_follow_names_find(t, path);
        if (is < 0)
            check_other(t, (size_t)(-1 - is));
        return;
    }
    for (size_t k = 0; k < t->others; k++)
        if (t->other[k].dir == dir && smi_follow_names_find(t, t->other[k].path) < 0)
            check_other(t, k);
}

void smi_follow_directory_path(const struct smi_follow *t, int dir, const char *name, char *path, size_t n)
{
    const char *d = t->dir[dir].path;
    if ((size_t)snprintf(path, n, "%s%s%s", d, d[strlen(d) - 1] == '/' ? "" : "/", name) >= n)
        path[0] = 0; /* no such name */
}

static void visit_entry(struct smi_follow *t, int dir, DIR *d, const char *name)
{
    char path[4096];
    struct smi_follow_stat st;
    if (name[0] == '.' || smi_follow_stat(dirfd(d), name, AT_SYMLINK_NOFOLLOW, &st))
        return;
    smi_follow_directory_path(t, dir, name, path, sizeof path);
    if (S_ISDIR(st.mode) && t->dir[dir].depth < SMI_DEPTH_MAX)
        smi_follow_add_directory(t, path, t->dir[dir].depth + 1);
    else if (S_ISREG(st.mode) && path[0] && smi_follow_names_find(t, path) == SMI_FOLLOW_NO_NAME &&
             !is_read(t, &st) && !is_part(d, name))
        visit_file(t, dir, path, &st);
}

/* Others that are not there any more are forgotten. */
static void forget_other(struct smi_follow *t, int dir)
{
    struct smi_follow_stat st;
    size_t k = 0;
    for (size_t i = 0; i < t->others; i++) {
        struct smi_follow_other o = t->other[i];
        if (o.dir == dir && (smi_follow_names_find(t, o.path) > 0 ||
                             smi_follow_stat(AT_FDCWD, o.path, AT_SYMLINK_NOFOLLOW, &st)))
            smi_mem_free(o.path);
        else
            t->other[k++] = o;
    }
    if (k == t->others)
        return;
    t->others = k;
    if (smi_follow_names_rebuild(t))
        smi_follow_nomem(t);
}

/* Its times are those of the last change of its names; what changes within the same tick would not be seen,
 * so a young one is read again. */
static bool is_old(const struct smi_follow_dir *d, const struct smi_follow_stat *st)
{
    return d->mtime_ns == st->mtime_ns && d->ctime_ns == st->ctime_ns &&
           smi_stamp_now() - st->mtime_ns > SMI_STAMP_OLD_NS;
}

void smi_follow_scan(struct smi_follow *t, int dir)
{
    struct smi_follow_stat st;
    struct dirent *e;
    bool told = t->dir[dir].dirty, same = false;
    t->dir[dir].dirty = false;
    t->dir[dir].due_ms = t->now_ms + t->times.scan;
    if (t->dir[dir].wd < 0)
        smi_follow_rewatch(t, &t->dir[dir]);
    if (!smi_follow_stat(AT_FDCWD, t->dir[dir].path, 0, &st)) {
        same = !told && is_old(&t->dir[dir], &st);
        t->dir[dir].mtime_ns = st.mtime_ns;
        t->dir[dir].ctime_ns = st.ctime_ns;
    }
    if (t->dir[dir].tree && !same) {
        DIR *d = opendir(t->dir[dir].path);
        while (d && !t->failed && (e = readdir(d)))
            visit_entry(t, dir, d, e->d_name);
        if (d)
            closedir(d);
        forget_other(t, dir);
    }
    if (t->dir[dir].tree)
        smi_follow_check_others(t, dir, NULL);
}

int smi_follow_add_directory(struct smi_follow *t, const char *path, int depth)
{
    int dir = path[0] ? smi_follow_watch(t, path) : 0;
    if (dir < 0)
        return smi_follow_nomem(t);
    if (!path[0] || t->dir[dir].tree)
        return 0;
    t->dir[dir].tree = t->dir[dir].dirty = true;
    t->dir[dir].depth = depth;
    return 0;
}
