/* walk.c - all directories behind the PATHs, by a few threads. Work is kept on a stack, so that directories are
 * finished depth first and few of them are open at once: every name is opened relative to its directory, and links
 * inside are never followed unnoticed. What comes out does not depend on who came first: every entry has its slot. */
#include "discover/tree.h"

#include "base/text.h"
#include "discover/config.h"
#include "discover/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BATCH = 64 /* files of one directory that one thread takes at a time */ };

/* Something to do: n entries of dir from `from` on, or (n = 0) dir itself. */
struct item {
    struct smi_tree *dir;
    size_t from, n;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct item *item;
    size_t n, cap, working;
    bool failed; /* memory ran out */
    bool follow;
    const struct smi_discover_opts *o;
};

struct worker {
    struct queue *q;
    struct smi_arena *arena;
    char *buf; /* SMI_SNIFF_BYTES bytes */
    struct smi_inside **inside;
};

static int dir_fd(const struct smi_tree *t)
{
    return t->open ? t->fd : AT_FDCWD;
}

/* With the lock held, or where no other thread is. */
static void put(struct queue *q, struct item it)
{
    struct smi_tree *held = it.n ? it.dir : it.dir->parent;
    if (smi_mem_reserve(&q->item, &q->cap, q->n + 1, sizeof *q->item))
        q->failed = true;
    else {
        q->item[q->n++] = it;
        held->holds++;
    }
    pthread_cond_signal(&q->more);
}

/* The next thing to do; false when all is done. */
static bool pop(struct queue *q, struct item *it)
{
    bool got = false;
    pthread_mutex_lock(&q->lock);
    while (!q->n && q->working && !q->failed)
        pthread_cond_wait(&q->more, &q->lock);
    if (q->n && !q->failed) {
        *it = q->item[--q->n];
        q->working++;
        got = true;
    }
    pthread_mutex_unlock(&q->lock);
    return got;
}

static void let_go(struct queue *q, struct smi_tree *t)
{
    pthread_mutex_lock(&q->lock);
    if (--t->holds == 0 && t->open) {
        close(t->fd);
        t->open = false;
    }
    pthread_mutex_unlock(&q->lock);
}

static void work_done(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    if (--q->working == 0)
        pthread_cond_broadcast(&q->more);
    pthread_mutex_unlock(&q->lock);
}

static void *fail(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->failed = true;
    pthread_cond_broadcast(&q->more);
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

static void set_bad(struct worker *w, struct smi_entry *e, const char *text)
{
    e->kind = SMI_ENTRY_BAD;
    e->text = smi_arena_text(w->arena, text, strlen(text));
    if (!e->text)
        fail(w->q);
}

/* ---- one directory ---- */

/* What stands behind a link, if it is to be followed. */
static int kind_of_link(struct smi_tree *t, const char *name, struct smi_entry *e)
{
    struct stat st;
    if (fstatat(dir_fd(t), name, &st, 0) != 0) {
        e->link = errno == ELOOP ? SMI_LINK_LOOP : SMI_LINK_BROKEN;
        return SMI_ENTRY_LINK;
    }
    e->linked = true;
    return S_ISDIR(st.st_mode) ? SMI_ENTRY_LINK : S_ISREG(st.st_mode) ? SMI_ENTRY_LOG : SMI_ENTRY_OTHER;
}

/* What stands behind a name: the kind of its slot, or -1: a link. SMI_ENTRY_LOG: a file to look into. */
static int kind_of(struct worker *w, struct smi_tree *t, const struct dirent64 *d, struct smi_entry *e)
{
    struct stat st;
    unsigned type = d->d_type;
    if (type == DT_UNKNOWN && fstatat(dir_fd(t), d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        type = IFTODT(st.st_mode);
    if (type == DT_LNK && w->q->follow)
        return kind_of_link(t, d->d_name, e);
    t->links += type == DT_LNK;
    if (type == DT_LNK)
        return -1;
    return type == DT_DIR ? SMI_ENTRY_DIR : type == DT_REG ? SMI_ENTRY_LOG : SMI_ENTRY_OTHER;
}

static int add_entry(struct worker *w, struct smi_tree *t, const struct dirent64 *d)
{
    struct smi_entry *e, new = {.format = -1};
    bool hidden = d->d_name[0] == '.'; /* nobody's logs; but a run of Hydra's has its parameters there */
    const char *name = hidden ? smi_config_hidden(dir_fd(t), d->d_name) : d->d_name;
    int kind = !name ? -1 : hidden ? SMI_ENTRY_OTHER : kind_of(w, t, d, &new);
    if (kind < 0)
        return 0;
    if (smi_mem_reserve(&t->entry, &t->cap, t->entries + 1, sizeof *t->entry))
        return -1;
    e = &t->entry[t->entries++];
    *e = new;
    e->name = smi_arena_text(w->arena, name, strlen(name));
    e->kind = (enum smi_entry_kind)kind;
    return e->name ? 0 : -1;
}

/* Kinds and slots are settled before other threads may look at them. */
static int make_subs(struct worker *w, struct smi_tree *t)
{
    for (size_t i = 0; i < t->entries; i++) {
        struct smi_entry *e = &t->entry[i];
        if (e->kind == SMI_ENTRY_DIR && t->depth >= SMI_DEPTH_MAX)
            set_bad(w, e, smi_too_deep);
        else if (e->kind == SMI_ENTRY_DIR && !smi_tree_new(w->arena, t, e))
            return -1;
    }
    return 0;
}

/* Files go first on the stack and directories on top of them, so that the threads soon spread. Nobody looks at a file
 * before all are there: one that is an archive gets a sub of its own. */
static void push_all(struct queue *q, struct smi_tree *t)
{
    pthread_mutex_lock(&q->lock);
    for (size_t i = 0; i < t->entries; i += BATCH)
        put(q, (struct item){t, i, t->entries - i < BATCH ? t->entries - i : BATCH});
    for (size_t i = t->entries; i-- > 0;)
        if (t->entry[i].sub)
            put(q, (struct item){t->entry[i].sub, 0, 0});
    pthread_mutex_unlock(&q->lock);
}

static void set_text(struct worker *w, struct smi_tree *t, const char *what)
{
    char text[160];
    snprintf(text, sizeof text, "%s: %s", what, strerror(errno));
    t->text = smi_arena_text(w->arena, text, strlen(text));
    if (!t->text)
        fail(w->q);
}

static int read_names(struct worker *w, struct smi_tree *t)
{
    ssize_t n;
    while ((n = getdents64(t->fd, w->buf, SMI_SNIFF_BYTES)) > 0) /* readdir(3) would make a buffer for each directory */
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *d = (const void *)(w->buf + at);
            if (add_entry(w, t, d))
                return -1;
            at += d->d_reclen;
        }
    if (n < 0 && errno != ENOENT) /* not: it was removed meanwhile */
        set_text(w, t, "cannot be read to its end");
    smi_tree_sort(t);
    if (make_subs(w, t))
        return -1;
    push_all(w->q, t);
    return 0;
}

static int open_dir(struct smi_tree *t, int flags)
{
    struct stat st;
    int fd = openat(dir_fd(t->parent), t->self->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | flags);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0) {
        t->dev = (uint64_t)st.st_dev;
        t->ino = (uint64_t)st.st_ino;
        t->fd = fd;
        t->open = true;
        return 0;
    }
    close(fd);
    return -1;
}

static void list(struct worker *w, struct smi_tree *t)
{
    bool may_follow = !t->parent->parent || w->q->follow;
    if (open_dir(t, may_follow ? 0 : O_NOFOLLOW)) {
        set_text(w, t, "cannot be opened");
        return;
    }
    t->holds = 1;
    t->looped = smi_tree_is_above(t->parent, t->dev, t->ino);
    if (!t->looped && read_names(w, t))
        fail(w->q);
    let_go(w->q, t);
}

/* ---- the pool ---- */

static void keep_look(struct worker *w, const struct smi_entry *e, bool known)
{
    int rc;
    pthread_mutex_lock(&w->q->lock);
    rc = smi_sniff_keep(e, w->q->o->looks, known);
    pthread_mutex_unlock(&w->q->lock);
    if (rc)
        fail(w->q);
}

static void look(struct worker *w, struct smi_tree *dir, struct smi_entry *e)
{
    struct smi_err err = {0};
    struct smi_looks *looks = dir->parent && e->kind == SMI_ENTRY_LOG ? w->q->o->looks : NULL;
    bool known = looks && smi_sniff_known(e, dir_fd(dir), looks);
    if (e->kind == SMI_ENTRY_LOG && !known)
        smi_sniff(e, dir_fd(dir), !dir->parent, w->buf, w->arena, &err);
    if (looks && e->stamp.old)
        keep_look(w, e, known);
    if (e->kind == SMI_ENTRY_OTHER && dir->parent && smi_config_rank(e->name) >= 0)
        smi_config_open(e, dir_fd(dir), w->arena, &err);
    if (e->kind == SMI_ENTRY_ARCHIVE)
        smi_look_inside(e, dir, dir_fd(dir), w->q->o, w->buf, w->arena, w->inside, &err);
    if (err.code)
        fail(w->q);
}

static void *work(void *arg)
{
    struct worker *w = arg;
    struct item it;
    while (pop(w->q, &it)) {
        if (!it.n)
            list(w, it.dir);
        for (size_t i = it.from; i < it.from + it.n; i++)
            look(w, it.dir, &it.dir->entry[i]);
        let_go(w->q, it.n ? it.dir : it.dir->parent);
        work_done(w->q);
    }
    return NULL;
}

/* Does all that is on the stack. More threads than one only where there is more than one thing to do. */
static void run_pool(struct smi_walk *walk, struct queue *q, unsigned threads, char *buf)
{
    struct worker w[SMI_WALK_THREADS];
    pthread_t id[SMI_WALK_THREADS];
    unsigned n = threads > SMI_WALK_THREADS ? SMI_WALK_THREADS : threads ? threads : 1, started = 1;
    if (q->n == 1)
        n = 1;
    for (unsigned i = 0; i < n; i++)
        w[i] = (struct worker){q, &walk->arena[i], buf + (size_t)i * SMI_SNIFF_BYTES, &walk->inside[i]};
    while (started < n && pthread_create(&id[started], NULL, work, &w[started]) == 0)
        started++;
    work(&w[0]);
    while (--started > 0)
        pthread_join(id[started], NULL);
}

/* ---- links to directories, one by one after all real directories: each real directory counts once ---- */

/* Opens what a link leads to, and makes it a directory of the tree if it is a new one. Returns whether it is. */
static bool follow(struct smi_walk *walk, struct smi_seen *seen, const struct smi_link_at *l)
{
    struct stat st;
    int fd = smi_tree_open(l->dir);
    l->e->link = SMI_LINK_BROKEN;
    if (fd >= 0 && fstatat(fd, l->e->name, &st, 0) == 0) {
        uint64_t dev = (uint64_t)st.st_dev, ino = (uint64_t)st.st_ino;
        l->e->link = smi_tree_is_above(l->dir, dev, ino) ? SMI_LINK_LOOP : SMI_LINK_KNOWN;
        if (l->dir->depth >= SMI_DEPTH_MAX) {
            l->e->kind = SMI_ENTRY_BAD;
            l->e->text = smi_too_deep;
        } else if (smi_seen_add(seen, dev, ino) > 0 && smi_tree_new(&walk->arena[0], l->dir, l->e)) {
            l->dir->fd = fd;
            l->dir->open = true;
            return true;
        }
    }
    if (fd >= 0)
        close(fd);
    return false;
}

static int follow_links(struct smi_walk *walk, struct queue *q, unsigned threads, char *buf)
{
    struct smi_seen seen = {0};
    struct smi_links l = {0};
    int rc = smi_seen_tree(&seen, &walk->root) || smi_links_add(&l, &walk->root, 0) ? -1 : 0;
    for (size_t i = 0; i < l.n && !rc && !q->failed; i++) {
        struct smi_tree *sub;
        if (!follow(walk, &seen, &l.list[i]))
            continue;
        sub = l.list[i].e->sub;
        put(q, (struct item){sub, 0, 0});
        run_pool(walk, q, threads, buf);
        rc = smi_seen_below(&seen, sub) || smi_links_add(&l, sub, i + 1) ? -1 : 0;
    }
    smi_seen_fini(&seen);
    smi_mem_free(l.list);
    return rc;
}

/* ---- the whole ---- */

static int add_path(struct smi_walk *w, const char *path, const struct smi_discover_opts *o)
{
    struct smi_entry *e = &w->root.entry[w->root.entries++];
    size_t n = strlen(path);
    struct stat st;
    while (n > 1 && path[n - 1] == '/')
        n--;
    e->name = smi_arena_text(&w->arena[0], path, n);
    e->format = o->format; /* -1, or decided by --input-format */
    e->kind = SMI_ENTRY_LOG;
    if (!e->name)
        return -1;
    if (strcmp(path, "-") == 0)
        e->kind = SMI_ENTRY_STREAM;
    else if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return smi_tree_new(&w->arena[0], &w->root, e) ? 0 : -1;
    return 0;
}

int smi_walk(struct smi_walk *w, const char *const *path, size_t n, const struct smi_discover_opts *o,
             struct smi_err *err)
{
    struct queue q = {.follow = o->follow_links, .o = o};
    char *buf = smi_mem_new(SMI_WALK_THREADS, SMI_SNIFF_BYTES);
    int rc = buf ? 0 : -1;
    pthread_mutex_init(&q.lock, NULL);
    pthread_cond_init(&q.more, NULL);
    memset(w, 0, sizeof *w);
    if (smi_mem_reserve(&w->root.entry, &w->root.cap, n, sizeof *w->root.entry))
        rc = -1;
    for (size_t i = 0; i < n && !rc; i++)
        rc = add_path(w, path[i], o);
    w->root.holds = 1;
    if (!rc) {
        push_all(&q, &w->root);
        run_pool(w, &q, o->threads, buf);
        rc = o->follow_links ? follow_links(w, &q, o->threads, buf) : 0;
    }
    rc = rc || q.failed ? smi_err_nomem(err) : 0;
    pthread_cond_destroy(&q.more);
    pthread_mutex_destroy(&q.lock);
    smi_mem_free(q.item);
    smi_mem_free(buf);
    return rc;
}

static void free_entries(struct smi_tree *t)
{
    for (size_t i = 0; i < t->entries; i++)
        if (t->entry[i].sub)
            free_entries(t->entry[i].sub);
    if (t->open)
        close(t->fd);
    smi_mem_free(t->entry);
}

void smi_walk_fini(struct smi_walk *w)
{
    free_entries(&w->root);
    for (int i = 0; i < SMI_WALK_THREADS; i++) {
        smi_arena_fini(&w->arena[i]);
        smi_inside_free(w->inside[i]);
    }
    memset(w, 0, sizeof *w);
}
