/* follow_inotify.c - inotify: one descriptor, a watch for each directory in which something is followed. It
 * only says when to look; what is there is seen by looking. */
#include "live/follow_private.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum {
    TOLD = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
           IN_ONLYDIR,
    AGAIN = IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT
};

void smi_follow_rewatch(struct smi_follow *t, struct smi_follow_dir *d)
{
    if (t->notify >= 0) /* the same number, if it is the same directory still */
        d->wd = inotify_add_watch(t->notify, d->path, TOLD | IN_DELETE_SELF | IN_MOVE_SELF);
}

int smi_follow_watch(struct smi_follow *t, const char *path)
{
    struct smi_follow_dir *d;
    for (size_t i = 0; i < t->dirs; i++)
        if (!strcmp(t->dir[i].path, path))
            return (int)i;
    if (smi_mem_reserve(&t->dir, &t->dirs_cap, t->dirs + 1, sizeof *t->dir))
        return -1;
    d = &t->dir[t->dirs];
    *d = (struct smi_follow_dir){.wd = -1, .path = smi_mem_text(path, strlen(path))};
    if (!d->path)
        return -1;
    smi_follow_rewatch(t, d);
    return (int)t->dirs++;
}

/* Something was heard of a name in directory i. A name that nobody follows may be that of a file that we
 * still read. */
static void mark_file(struct smi_follow *t, size_t i, const struct inotify_event *e)
{
    bool known = false;
    for (size_t k = 0; k < t->files; k++) {
        struct smi_follow_work *w = t->file[k]->work;
        if (w->dir == (int)i && !w->stream && !strcmp(w->base, e->name))
            known = w->dirty = true;
    }
    for (size_t k = 0; k < t->files && !known; k++) {
        struct smi_follow_work *w = t->file[k]->work;
        if (w->dir == (int)i && w->fd >= 0 && (w->away_ms >= 0 || smi_follow_is_older(e->name, w->base)))
            w->dirty = true;
    }
    if (!known && t->dir[i].tree) {
        if (e->mask & (IN_CREATE | IN_MOVED_TO | IN_ISDIR))
            t->dir[i].dirty = true;
        else
            smi_follow_check_others(t, (int)i, e->name);
    }
}

static void mark_all_dirty(struct smi_follow *t, int wd)
{
    for (size_t i = 0; i < t->dirs; i++)
        if (wd < 0 || t->dir[i].wd == wd) {
            t->dir[i].dirty = true;
            t->dir[i].wd = wd < 0 ? t->dir[i].wd : -1;
        }
    for (size_t k = 0; k < t->files; k++)
        t->file[k]->work->dirty = true;
}

static void handle_inotify_event(struct smi_follow *t, const struct inotify_event *e)
{
    if (e->mask & (AGAIN | IN_Q_OVERFLOW)) {
        mark_all_dirty(t, e->mask & IN_Q_OVERFLOW ? -1 : e->wd);
        return;
    }
    for (size_t i = 0; e->len && i < t->dirs; i++)
        if (t->dir[i].wd == e->wd)
            mark_file(t, i, e);
}

void smi_follow_read_inotify(struct smi_follow *t)
{
    char buf[16384] __attribute__((aligned(8)));
    ssize_t n;
    for (int i = 0; i < 16 && (n = read(t->notify, buf, sizeof buf)) > 0; i++)
        for (const char *p = buf; p < buf + n;) {
            const struct inotify_event *e = (const void *)p;
            handle_inotify_event(t, e);
            p += sizeof *e + e->len;
        }
}
