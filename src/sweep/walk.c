/* walk.c - all directories behind the PATHs, by a few threads. Work is kept on a stack, so that directories
 * are finished depth first and few of them are open at once: every name is opened relative to its directory,
 * and links inside are never followed unnoticed. What comes out does not depend on who came first: every
 * entry has its slot. */
#include "sweep/walk.h"

#include "base/file.h"
#include "base/pool.h"
#include "base/text.h"
#include "formats/column_map.h"
#include "sweep/config.h"
#include "sweep/archived_log.h"
#include "sweep/mlflow.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BATCH = 64, /* files of one directory that one thread takes at a time, at most */
    SHARES = 4  /* into which each thread's part of a directory is cut, so that all are done at one time */
};

/* Something to do: n entries of dir from `from` on. */
struct item {
    struct smi_dir *dir;
    size_t from, n;
};

struct queue {
    struct smi_pool pool; /* it fails without memory */
    struct item *item;
    size_t n, cap;
    size_t threads;
    size_t found; /* entries that were looked at, for o->progress */
    const struct smi_walk_opts *o;
};

struct worker {
    struct queue *q;
    struct smi_arena *arena;
    char *buf; /* SMI_WALK_SNIFF_BYTES bytes */
    struct smi_archived_log **inside;
};

/* ---- the stack ---- */

/* With the lock held, or where no other thread is. */
static void push_item(struct queue *q, struct item it)
{
    if (smi_mem_reserve(&q->item, &q->cap, q->n + 1, sizeof *q->item))
        smi_err_nomem(&q->pool.err);
    else {
        q->item[q->n++] = it;
        it.dir->holds++;
    }
    smi_pool_wake(&q->pool);
}

/* smi_pool_next_fn: what is on top. */
static bool pop_item(void *self, void *item)
{
    struct queue *q = self;
    if (!q->n)
        return false;
    *(struct item *)item = q->item[--q->n];
    return true;
}

/* Locked. */
static void release_directory(struct smi_dir *t)
{
    if (--t->holds == 0)
        smi_dir_close(t);
}

static void work_done(struct queue *q, const struct item *it, size_t found)
{
    smi_pool_lock(&q->pool);
    release_directory(it->dir);
    q->found += found;
    if (q->o->progress)
        q->o->progress(q->o->self, q->found, 0);
    smi_pool_unlock(&q->pool);
    smi_pool_done(&q->pool);
}

static void fail_walk(struct queue *q)
{
    struct smi_err err = {0};
    smi_err_nomem(&err);
    smi_pool_fail(&q->pool, &err);
}

/* All entries of t, in pieces of one size, the first on top of the stack; below them `rest`. Nobody looks at
 * an entry before all are there: one that is an archive gets a sub of its own. */
static void push_entries(struct queue *q, struct smi_dir *t, struct item rest)
{
    size_t most = t->entries / (SHARES * q->threads);
    most = most > BATCH ? BATCH : most ? most : 1;
    smi_pool_lock(&q->pool);
    if (rest.n)
        push_item(q, rest);
    for (size_t end = t->entries, from; end > 0; end = from) {
        from = end > most ? end - most : 0;
        push_item(q, (struct item){t, from, end - from});
    }
    smi_pool_unlock(&q->pool);
}

/* ---- one thing to do ---- */

static void look_at_entry(struct worker *w, struct smi_dir *dir, struct smi_entry *e)
{
    struct smi_err err = {0};
    int fd;
    if (e->again)
        return;
    e->columns = w->q->o->columns;
    fd = smi_dir_fd(dir);
    if (e->named)
        smi_walk_take_named(e);
    else if (e->kind == SMI_ENTRY_LOG)
        smi_walk_sniff(e, fd, !dir->parent, w->buf, w->arena, &err);
    if (dir->parent &&
        (e->kind == SMI_ENTRY_OTHER ? smi_config_rank(e->name) >= 0
                                    : e->kind == SMI_ENTRY_LOG && smi_config_is_job_output(e->name)))
        smi_config_open(e, fd, w->arena, &err);
    if (e->kind == SMI_ENTRY_OTHER && smi_jobs_is_file(smi_file_name(e->name)))
        smi_jobs_open(e, fd, w->arena, &err);
    if (e->kind == SMI_ENTRY_STREAM)
        smi_walk_stream(e, w->buf, w->arena, &err);
    if (e->kind == SMI_ENTRY_ARCHIVE && dir->beside)
        e->kind = SMI_ENTRY_OTHER;
    if (e->kind == SMI_ENTRY_ARCHIVE)
        smi_walk_archive(e, dir, fd, w->q->o, w->buf, w->arena, w->inside, &err);
    if (err.code)
        fail_walk(w->q);
}

/* A directory with nothing but few files, as a run has it, is done at once. */
static bool is_small(const struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++)
        if (t->entry[i].sub)
            return false;
    return t->entries <= BATCH;
}

/* Goes through the directory t, or puts its entries on the stack, below them `rest`: then that is not to be
 * done any more, so that as few directories are open as there are levels. Returns whether it did. */
static bool enter_directory(struct worker *w, struct smi_dir *t, struct item rest, size_t *found)
{
    if (smi_dir_list(t, w->q->o->follow_links, w->buf, w->arena) || smi_mlflow_list(t, w->arena) ||
        (t->beside && smi_walk_choose(t, w->q->o, w->arena))) {
        fail_walk(w->q);
        smi_dir_close(t);
        return false;
    }
    if (!is_small(t)) {
        t->holds = 1;
        push_entries(w->q, t, rest);
        smi_pool_lock(&w->q->pool);
        release_directory(t);
        smi_pool_unlock(&w->q->pool);
        return true;
    }
    for (size_t i = 0; i < t->entries; i++)
        look_at_entry(w, t, &t->entry[i]);
    *found += t->entries;
    smi_dir_close(t);
    return false;
}

static void do_item(struct worker *w, const struct item *it)
{
    size_t found = 0, end = it->from + it->n;
    bool left = false;
    for (size_t i = it->from; i < end && !left; i++, found++) {
        struct smi_entry *e = &it->dir->entry[i];
        if (e->sub)
            left = enter_directory(w, e->sub, (struct item){it->dir, i + 1, end - i - 1}, &found);
        else
            look_at_entry(w, it->dir, e);
    }
    work_done(w->q, it, found);
}

static void walk_thread(void *self, size_t thread)
{
    struct worker *w = (struct worker *)self + thread;
    struct item it;
    while (smi_pool_take(&w->q->pool, pop_item, w->q, &it))
        do_item(w, &it);
}

/* Does all that is on the stack. More threads than one only where there is more than one thing to do. */
static void run_pool(struct smi_walk *walk, struct queue *q, char *buf)
{
    struct worker w[SMI_WALK_THREADS];
    struct item it;
    for (size_t i = 0; i < q->threads; i++)
        w[i] = (struct worker){q, &walk->arena[i], buf + i * SMI_WALK_SNIFF_BYTES, &walk->inside[i]};
    while (q->n == 1 && smi_pool_take(&q->pool, pop_item, q, &it))
        do_item(&w[0], &it);
    smi_pool_run(&q->pool, q->n ? q->threads : 1, walk_thread, w, NULL);
}

/* ---- links to directories, one by one after all real directories: each real directory counts once ---- */

/* Opens what a link leads to, and makes it a directory of the tree if it is a new one. Returns whether it is.
 */
static bool follow_link(struct smi_walk *walk, struct smi_inode_set *seen, const struct smi_walk_link *l)
{
    struct stat st;
    int fd = smi_dir_open(l->dir);
    l->e->link = SMI_LINK_BROKEN;
    if (fd >= 0 && fstatat(fd, l->e->name, &st, 0) == 0) {
        uint64_t dev = (uint64_t)st.st_dev, ino = (uint64_t)st.st_ino;
        l->e->link = smi_dir_is_above(l->dir, dev, ino) ? SMI_LINK_LOOP : SMI_LINK_KNOWN;
        if (l->dir->depth >= SMI_DEPTH_MAX) {
            l->e->kind = SMI_ENTRY_BAD;
            l->e->text = smi_walk_too_deep;
        } else if (smi_inode_set_add(seen, dev, ino) > 0 && smi_dir_new(&walk->arena[0], l->dir, l->e)) {
            l->dir->fd = fd;
            l->dir->open = true;
            return true;
        }
    }
    if (fd >= 0)
        close(fd);
    return false;
}

static int follow_links(struct smi_walk *walk, struct queue *q, char *buf)
{
    struct smi_inode_set seen = {0};
    struct smi_walk_links l = {0};
    int rc = smi_inode_set_add_tree(&seen, &walk->root) || smi_walk_links_add(&l, &walk->root, 0) ? -1 : 0;
    for (size_t i = 0; i < l.n && !rc && !q->pool.err.code; i++) {
        struct smi_dir *sub;
        if (!follow_link(walk, &seen, &l.list[i]))
            continue;
        sub = l.list[i].e->sub;
        push_item(q, (struct item){l.list[i].dir, (size_t)(l.list[i].e - l.list[i].dir->entry), 1});
        run_pool(walk, q, buf);
        rc = smi_inode_set_add_below(&seen, sub) || smi_walk_links_add(&l, sub, i + 1) ? -1 : 0;
    }
    smi_inode_set_fini(&seen);
    smi_mem_free(l.list);
    return rc;
}

/* The directories of PATHs that are logs; of a RunLog without a GPU log beside it, those below it, too. */
static int walk_beside(struct smi_walk *walk, struct queue *q, size_t n, char *buf)
{
    int rc = smi_walk_add_beside(walk, n);
    if (!rc && walk->root.entries > n)
        push_item(q, (struct item){&walk->root, n, walk->root.entries - n});
    if (!rc)
        run_pool(walk, q, buf);
    for (size_t i = n; i < walk->root.entries && !rc; i++) {
        struct smi_dir *t = walk->root.entry[i].sub;
        ssize_t below = smi_walk_add_below(t, &walk->arena[0]);
        rc = below < 0 ? -1 : 0;
        if (below <= 0 || (t->fd = smi_dir_open(t)) < 0)
            continue;
        t->open = true;
        for (size_t k = 0; k < t->entries; k++)
            if (t->entry[k].sub)
                push_item(q, (struct item){t, k, 1});
        run_pool(walk, q, buf);
    }
    return rc;
}

/* ---- the whole ---- */

/* A stream comes once: a second look, or one from another thread, takes away what the first one
 * wants. */
static int add_stream(struct smi_inode_set *streams, struct smi_entry *e, const struct stat *st)
{
    int fresh = smi_inode_set_add(streams, (uint64_t)st->st_dev, (uint64_t)st->st_ino);
    e->again = !fresh;
    if (e->again)
        e->kind = SMI_ENTRY_STREAM;
    return fresh < 0 ? -1 : 0;
}

static int add_path(struct smi_walk *w, const char *path, struct smi_inode_set *streams,
                    const struct smi_walk_opts *o)
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
    w->root.accounts |= smi_jobs_is_file(smi_file_name(e->name));
    if (strcmp(path, "-") == 0) {
        e->kind = SMI_ENTRY_STREAM;
        return fstat(0, &st) == 0 ? add_stream(streams, e, &st) : 0;
    }
    if (stat(path, &st) != 0)
        return 0;
    if (S_ISFIFO(st.st_mode))
        return add_stream(streams, e, &st);
    return !S_ISDIR(st.st_mode) || smi_dir_new(&w->arena[0], &w->root, e) ? 0 : -1;
}

int smi_walk(struct smi_walk *w, const char *const *path, size_t n, const struct smi_walk_opts *o,
             struct smi_err *err)
{
    size_t threads = o->threads > SMI_WALK_THREADS ? SMI_WALK_THREADS : o->threads;
    struct queue q = {.o = o, .threads = threads ? threads : 1};
    char *buf = smi_mem_new(SMI_WALK_THREADS, SMI_WALK_SNIFF_BYTES);
    struct smi_inode_set streams = {0};
    int rc = buf ? 0 : -1;
    smi_pool_init(&q.pool);
    memset(w, 0, sizeof *w);
    if (smi_mem_reserve(&w->root.entry, &w->root.cap, 2 * n, sizeof *w->root.entry))
        rc = -1;
    for (size_t i = 0; i < n && !rc; i++)
        rc = add_path(w, path[i], &streams, o);
    w->root.holds = 1;
    if (!rc) {
        push_entries(&q, &w->root, (struct item){0});
        run_pool(w, &q, buf);
        rc = walk_beside(w, &q, n, buf);
        rc = rc || smi_walk_add_above(w, err) || (o->follow_links && follow_links(w, &q, buf)) ? -1 : 0;
    }
    rc = rc || q.pool.err.code ? smi_err_nomem(err) : 0;
    smi_pool_fini(&q.pool);
    smi_inode_set_fini(&streams);
    smi_mem_free(q.item);
    smi_mem_free(buf);
    return rc;
}

static void free_entries(struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++) {
        if (t->entry[i].kept)
            close(t->entry[i].kept - 1);
        if (t->entry[i].sub)
            free_entries(t->entry[i].sub);
    }
    smi_dir_close(t);
    smi_mem_free(t->entry);
}

void smi_walk_fini(struct smi_walk *w)
{
    free_entries(&w->root);
    for (struct smi_dir *t = w->above; t; t = t->next)
        free_entries(t);
    for (int i = 0; i < SMI_WALK_THREADS; i++) {
        smi_arena_fini(&w->arena[i]);
        smi_archived_logs_free(w->inside[i]);
    }
    memset(w, 0, sizeof *w);
}
