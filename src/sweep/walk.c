/* walk.c - all directories behind the PATHs, by a few threads. Work is kept on a stack, so that directories
 * are finished depth first and few of them are open at once: every name is opened relative to its directory,
 * and links inside are never followed unnoticed. What comes out does not depend on who came first: every
 * entry has its slot. */
#include "sweep/walk.h"
#include "base/file.h"
#include "base/pool.h"
#include "base/stream.h"
#include "base/text.h"
#include "formats/column_map.h"
#include "formats/file_group.h"
#include "formats/format.h"
#include "sweep/config.h"
#include "sweep/read_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* what an entry of a directory is, by its name and first bytes */

/* the tree, once it is there: which files and directories were met already (a hash set of
 * device and inode), and which links are left. */

static bool is_inode(const void *list, size_t place, const void *key)
{
    const struct smi_inode *a = (const struct smi_inode *)list + place, *b = key;
    return a->dev == b->dev && a->ino == b->ino;
}

size_t smi_inode_set_find(const struct smi_inode_set *s, uint64_t dev, uint64_t ino)
{
    const struct smi_inode inode = {dev, ino};
    return smi_map_find(&s->map, smi_hash_pair(ino, dev), is_inode, s->list, &inode);
}

bool smi_inode_set_add(struct smi_inode_set *s, uint64_t dev, uint64_t ino)
{
    if (!ino)
        return true; /* no file has inode 0: not known, so not seen */
    if (smi_inode_set_find(s, dev, ino) != SMI_MAP_NONE)
        return false;
    smi_map_add(&s->map, smi_hash_pair(ino, dev), s->n);
    *SMI_MEM_ADD(s->list, s->n, s->cap) = (struct smi_inode){dev, ino};
    return true;
}

void smi_inode_set_shorten(struct smi_inode_set *s, size_t n)
{
    smi_map_clear(&s->map);
    s->n = n;
    for (size_t i = 0; i < n; i++)
        smi_map_add(&s->map, smi_hash_pair(s->list[i].ino, s->list[i].dev), i);
}

void smi_inode_set_fini(struct smi_inode_set *s)
{
    smi_mem_free(s->list);
    smi_map_fini(&s->map);
    memset(s, 0, sizeof *s);
}

/* Adds all directories below t; those that were seen on another way are not looked into. */
static void add_tree_below(struct smi_inode_set *s, struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++) {
        struct smi_dir *sub = t->entry[i].sub;
        if (sub && smi_inode_set_add(s, sub->dev, sub->ino))
            add_tree_below(s, sub);
        else if (sub)
            sub->looped = true;
    }
}

const struct smi_dir *smi_dir_above(const struct smi_dir *t)
{
    return t->parent && t->parent->parent ? t->parent : t->above;
}

/* Is the directory t itself, or one above it? */
static bool is_above(const struct smi_dir *t, uint64_t dev, uint64_t ino)
{
    for (; t && t->parent; t = t->parent)
        if (t->dev == dev && t->ino == ino)
            return true;
    return false;
}

/* Opens the directory t again, from its PATH on. A descriptor, AT_FDCWD for the root, or -1. */
static int open_again(const struct smi_dir *t)
{
    int up, fd;
    if (!t->parent)
        return AT_FDCWD;
    up = open_again(t->parent);
    fd = openat(up, t->self->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (up != AT_FDCWD && up >= 0)
        close(up);
    return fd;
}

static const char too_deep[] = "is more than 64 directories deep: not looked into";

/* Below a new directory node; its self is `self`, which becomes DIR. */
static struct smi_dir *new_dir(struct smi_arena *a, struct smi_dir *parent, struct smi_entry *self)
{
    struct smi_dir *t = smi_arena_new(a, 1, sizeof *t);
    *t = (struct smi_dir){.parent = parent, .self = self, .depth = parent->depth + 1, .fd = AT_FDCWD};
    t->name = *smi_file_name(self->name) ? smi_file_name(self->name) : self->name;
    self->sub = t;
    self->kind = SMI_ENTRY_DIR;
    return t;
}

struct smi_entry *smi_dir_find(const struct smi_dir *t, const char *name)
{
    return t->entries ? bsearch(&name, t->entry, t->entries, sizeof *t->entry, smi_compare_names) : NULL;
}

static void append_entry(struct smi_dir *t, const char *name, const struct smi_entry *new,
                         struct smi_arena *a)
{
    struct smi_entry *e = SMI_MEM_ADD(t->entry, t->entries, t->cap);
    *e = *new;
    e->name = smi_copy_text(a, name);
    t->accounts |= smi_jobs_is_file(e->name);
    t->jobs |= smi_config_is_job_output(e->name);
}

/* looks at the first bytes of one file: is it a log, and of which format? Never by its name.
 */

ssize_t smi_source_fill(struct smi_byte_source *from, char *buf, size_t n, size_t want, struct smi_err *err)
{
    while (n < want) {
        ssize_t got = from->read(from, buf + n, want - n, err);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        n += (size_t)got;
    }
    return (ssize_t)n;
}

/* buf holds the first n bytes of `from`. Returns how many it holds at the end, or -1. */
static ssize_t judge_bytes(char *buf, ssize_t n, struct smi_byte_source *from, struct smi_entry *e,
                           struct smi_detect *why, struct smi_err *err)
{
    size_t size = SMI_DETECT_FIRST;
    while (size && n >= 0 && !err->code) {
        n = smi_source_fill(from, buf, (size_t)n, size, err);
        if (n >= 0)
            size = smi_detect_look(buf, (size_t)n, size, e->columns, &e->format, why, err);
    }
    return err->code ? -1 : n;
}

/* Compressed, UTF-16 or an archive: what it is decoded to is judged. */
static void judge_coded(char *buf, struct smi_byte_source *from, struct smi_entry *e, struct smi_detect *why,
                        struct smi_err *err)
{
    struct smi_stream *s = smi_stream_open(from, err);
    enum smi_container holds = s ? smi_stream_content(s) : SMI_CONTAINER_PLAIN;
    if (smi_container_is_archive(holds)) {
        e->kind = SMI_ENTRY_ARCHIVE;
        e->format = -1; /* --input-format is of files */
    } else if (holds != SMI_CONTAINER_PLAIN)
        snprintf(why->why, sizeof why->why, "%s data that was packed twice: not read",
                 smi_container_name(holds));
    else if (s && e->format < 0 && judge_bytes(buf, 0, smi_stream_source(s), e, why, err) == 0 &&
             smi_stream_warning(s))
        snprintf(why->why, sizeof why->why, "%s", smi_stream_warning(s));
    smi_stream_close(s);
}

bool smi_walk_is_recording(const char *name)
{
    static const char *const names[] = {"hw_metrics.csv", "hw_dmon.csv", "cpu_metrics.csv", NULL};
    return smi_text_is_one_of(smi_text_of(name), names);
}

/* The result, once the format is known. */
static void set_entry_kind(struct smi_entry *e, const struct smi_detect *why, const struct smi_err *bad,
                           bool named, struct smi_arena *texts)
{
    const char *text = NULL;
    if (e->kind != SMI_ENTRY_STREAM && e->kind != SMI_ENTRY_ARCHIVE)
        e->kind = bad->code ? SMI_ENTRY_BAD : e->format >= 0 ? SMI_ENTRY_LOG : SMI_ENTRY_OTHER;
    e->bare = why->bare;
    if (*why->columns)
        e->columns = smi_copy_text(texts, why->columns);
    e->messages = why->messages;
    e->broken = why->broken;
    if (e->kind == SMI_ENTRY_BAD)
        text = bad->text;
    else if (e->bare || (e->kind == SMI_ENTRY_OTHER && (named || why->broken)))
        text = why->why;
    if (text)
        e->text = smi_copy_text(texts, text);
}

void smi_walk_sniff(struct smi_entry *e, int dirfd, bool named, char *buf, struct smi_arena *texts)
{
    struct smi_file_info info;
    struct smi_detect why = {0};
    struct smi_err bad = {0};
    bool runs = false;
    int fd = named ? smi_file_open(dirfd, e->name, true, &info, &bad)
                   : smi_file_open_seen(dirfd, e->name, false, &info, &bad);
    if (fd >= 0 && !info.stream) {
        struct smi_fd_source from = smi_fd_source_make(fd, e->name);
        ssize_t n = smi_source_fill(&from.pull, buf, 0, SMI_DETECT_FIRST, &bad);
        if (n >= 0 && smi_container_detect(buf, (size_t)n) != SMI_CONTAINER_PLAIN &&
            lseek(fd, 0, SEEK_SET) == 0)
            judge_coded(buf, &from.pull, e, &why, &bad);
        else if (n >= 0 && e->format < 0)
            judge_bytes(buf, n, &from.pull, e, &why, &bad);
        runs = smi_samples_format(e->format) || smi_samples_has_runs(fd, e->name, e->format);
    }
    if (fd >= 0) {
        close(fd);
        e->dev = info.dev;
        e->ino = info.ino;
        e->size = info.size;
        if (info.stream)
            e->kind = SMI_ENTRY_STREAM;
    }
    set_entry_kind(e, &why, &bad, named || smi_walk_is_recording(e->name), texts);
    if (e->kind == SMI_ENTRY_LOG && runs)
        e->kind = SMI_ENTRY_ARCHIVE;
}

/* Makes a CONFIG of e, which is no log and one of the files that may hold parameters; or reads what a log
 * says of the end of its job. head: what was taken off `from` already. */
static void sniff_config(struct smi_entry *e, struct smi_text head, struct smi_byte_source *from,
                         struct smi_arena *a)
{
    int rank = smi_config_rank(e->name);
    struct smi_config *c;
    if (rank < 0)
        return;
    c = smi_arena_new(a, 1, sizeof *c);
    smi_config_read(c, rank, head, from, a);
    if (rank > SMI_CONFIG_OUTPUT && !c->facts) /* it tells nothing, as most of them */
        return;
    e->config = c;
    if (e->kind == SMI_ENTRY_OTHER)
        e->kind = SMI_ENTRY_CONFIG;
}

/* The same of the file e, named relative to dirfd, or if it holds Slurm's accounting of jobs. */
static void open_config(struct smi_entry *e, int dirfd, struct smi_arena *a)
{
    const int rank = smi_config_rank(e->name);
    struct smi_file_info info;
    struct smi_err bad = {0}; /* gone meanwhile, or not ours to read */
    struct smi_fd_source from;
    struct smi_buf b = {0};
    int fd = rank < 0 ? -1 : smi_file_open(dirfd, e->name, false, &info, &bad);
    if (fd >= 0) {
        const off_t tail = (off_t)smi_config_tail(rank);
        e->dev = info.dev;
        e->ino = info.ino;
        if (tail && info.size > tail)
            lseek(fd, info.size - tail, SEEK_SET); /* one that cannot is read from its beginning */
        from = smi_fd_source_make(fd, e->name);
        sniff_config(e, (struct smi_text){"", 0}, &from.pull, a);
        close(fd);
    } else if (rank < 0 && smi_jobs_is_file(smi_file_name(e->name))) {
        struct smi_config *c = smi_arena_new(a, 1, sizeof *c);
        smi_file_load(&b, dirfd, e->name, SMI_JOBS_BYTES, &bad);
        smi_jobs_read((struct smi_text){b.p ? b.p : "", b.n}, a, &c->job, &c->jobs);
        e->config = c->jobs ? c : NULL;
        e->kind = c->jobs ? SMI_ENTRY_CONFIG : e->kind;
        smi_buf_fini(&b);
    }
}

/* an archive as a directory. It can only be read from its beginning to its end, so its logs
 * are unpacked as they come, one behind the other, into a file of $TMPDIR without a name. */

/* A member on its way into the tree. */
struct member {
    const char *path;
    int64_t id;         /* its place in the archive */
    size_t name;        /* where its last piece begins */
    bool flat;          /* its name makes no directories */
    bool archive;       /* it is one: others lie below it */
    struct smi_entry e; /* without its name */
};

struct look {
    const struct smi_discover_opts *o;
    char *buf;
    struct smi_arena *a;
    int *to;           /* where logs are unpacked: a descriptor + 1; 0: none yet */
    const char *other; /* the first member that is none of the PATH's; or NULL */
    struct smi_dir *root;
    struct member *item;
    size_t n, cap;
    bool nested; /* an archive holds an archive */
    bool single; /* what the PATH names is a file */
    bool met;    /* what the PATH names is there */
};

int smi_unpack(struct smi_archived_log *out, int *to, struct smi_stream *s, char *buf, ssize_t n,
               struct smi_stream_rest *rest, struct smi_err *err)
{
    bool memory; /* without a place on disk: seals tell that, as files of a tmpfs have one */
    int fd = *to - 1;
    if (fd < 0 && (fd = smi_file_temp(err)) < 0) {
        if ((fd = memfd_create("smilog", MFD_CLOEXEC | MFD_ALLOW_SEALING)) < 0)
            return 1;
        *err = (struct smi_err){0};
    }
    *to = fd + 1;
    memory = fcntl(fd, F_GET_SEALS) == 0;
    *out = (struct smi_archived_log){.fd = fd, .from = lseek(fd, 0, SEEK_END)};
    for (; n > 0; n = smi_stream_read(s, buf, SMI_UNPACK_BYTES, err)) {
        if (rest && out->size >= SMI_STREAM_KEPT)
            break;
        out->size += n;
        if (memory && out->from + out->size > SMI_UNPACK_MEMORY)
            smi_err_set(err, SMI_EIO,
                        "cannot write the file that it is unpacked to: there is no $TMPDIR, and %d MiB are "
                        "the most for memory",
                        SMI_UNPACK_MEMORY >> 20);
        else if (!smi_file_write(fd, buf, (size_t)n, "the file that it is unpacked to, in $TMPDIR", err))
            continue;
        out->size -= n;
        (void)!ftruncate(fd, out->from + (rest ? out->size : 0));
        if (!rest)
            return 1;
        break;
    }
    if (n > 0) { /* too long to be kept, or there is no room */
        *err = (struct smi_err){0};
        rest->s = s;
        rest->n = (size_t)n;
        rest->piece = smi_mem_text(buf, rest->n);
        out->rest = rest;
        return 0;
    }
    if (smi_stream_warning(s))
        snprintf(out->doubt, sizeof out->doubt, "%s", smi_stream_warning(s));
    if (n < 0)
        (void)!ftruncate(fd, out->from);
    return n < 0 ? -1 : 0;
}

static void set_bad(struct look *l, struct member *it, const char *text)
{
    it->e.kind = SMI_ENTRY_BAD;
    it->flat = true;
    it->e.text = smi_copy_text(l->a, text);
}

/* A log that cannot be unpacked becomes BAD. */
static void unpack_log(struct look *l, struct member *it, struct smi_stream *s, ssize_t n)
{
    struct smi_err why = {0};
    it->e.inside = smi_arena_new(l->a, 1, sizeof *it->e.inside);
    if (smi_unpack(it->e.inside, l->to, s, l->buf, n, NULL, &why))
        set_bad(l, it, why.text);
    it->e.size = it->e.inside->size;
}

/* ---- streams: standard input and named pipes ---- */

void smi_stream_rest_end(struct smi_stream_rest *r)
{
    smi_stream_close(r->s);
    smi_mem_free(r->piece);
    if (r->from.fd >= 0)
        close(r->from.fd);
    *r = (struct smi_stream_rest){.next = r->next, .from.fd = -1};
}

/* A PATH that comes once is kept in a file of $TMPDIR, decoded, as a log of an archive is: so it is looked at
 * and read as any other, as far as there is room. A file that is standard input lies where it is. Samples of
 * many runs become an ARCHIVE. */
static void look_at_stream(struct smi_entry *e, char *buf, struct smi_arena *texts, int *to,
                           struct smi_stream_rest **list)
{
    struct smi_file_info info = {0};
    struct smi_detect why = {0};
    struct smi_err bad = {0};
    const int fd = smi_file_open(AT_FDCWD, e->name, true, &info, &bad);
    const off_t at = info.stream ? 0 : lseek(fd, 0, SEEK_CUR);
    struct smi_stream_rest *rest = smi_mem_new(1, sizeof *rest);
    struct smi_stream *s = NULL;
    char head[SMI_CONTAINER_MAGIC];
    ssize_t n = info.stream || fd < 0 ? -1 : smi_file_read_at(fd, head, sizeof head, at, e->name, NULL);
    const bool plain = n >= 0 && smi_container_detect(head, (size_t)n) == SMI_CONTAINER_PLAIN;
    int own = 0;
    n = 0;
    rest->from = smi_fd_source_make(fd, e->name);
    s = fd < 0 ? NULL : smi_read_open(&rest->from.pull, &bad);
    e->kind = SMI_ENTRY_LOG;
    if (s && e->format < 0)
        n = judge_bytes(buf, 0, smi_stream_source(s), e, &why, &bad);
    else if (s)
        n = smi_stream_read(s, buf, SMI_WALK_SNIFF_BYTES, &bad);
    if (!bad.code && e->format >= 0) {
        const bool samples = smi_samples_format(e->format);
        e->inside = smi_arena_new(texts, 1, sizeof *e->inside);
        if (plain && !samples)
            *e->inside = (struct smi_archived_log){.fd = STDIN_FILENO, .from = at, .size = info.size - at};
        else
            smi_unpack(e->inside, samples ? &own : to, s, buf, n, samples ? NULL : rest, &bad);
        e->inside->archive = SMI_NO_ARCHIVE;
        e->size = e->inside->size;
    }
    set_entry_kind(e, &why, &bad, true, texts);
    if (own && e->kind == SMI_ENTRY_LOG)
        e->kind = SMI_ENTRY_ARCHIVE;
    e->kept = own;
    rest->next = *list;
    *list = rest;
    if (!rest->s) {
        rest->s = s;
        smi_stream_rest_end(rest);
    }
}

/* ---- members ---- */

/* Where the name of a member begins: Hydra's files are named with the hidden directory that they lie in. */
static size_t name_at(const char *path)
{
    const char *name = smi_file_name(path),
               *up = name > path ? memrchr(path, '/', (size_t)(name - path - 1)) : NULL;
    up = up ? up + 1 : path;
    return (size_t)((smi_config_is_hydra(up) ? up : name) - path);
}

static struct member *add_item(struct look *l, const struct smi_archive_member *m)
{
    struct member *it;
    it = SMI_MEM_ADD(l->item, l->n, l->cap);
    *it = (struct member){.path = smi_copy_text(l->a, m->path), .id = m->id, .name = name_at(m->path)};
    it->e.kind = SMI_ENTRY_OTHER;
    it->e.format = -1;
    it->archive = m->kind == SMI_ARCHIVE_NESTED;
    l->nested |= it->archive;
    return it;
}

/* What is behind the member that a PATH names, or its own last piece; NULL: it is another one. */
static const char *path_in_member(const char *member, const char *path)
{
    const size_t n = strlen(member);
    return strncmp(path, member, n) != 0 ? NULL
           : path[n] == '/'              ? path + n + 1
           : path[n]                     ? NULL
                                         : smi_file_name(path);
}

/* A place in an archive has the identity of the file, and of its path there. */
static void set_identity(const struct smi_dir *root, const char *path, uint64_t *dev, uint64_t *ino)
{
    *dev = root->self->dev;
    *ino = *dev && root->self->ino ? root->self->ino ^ smi_hash_bytes(path, strlen(path)) : 0;
}

static int add_archive_member(void *self, const struct smi_archive_member *of, struct smi_err *err)
{
    struct look *l = self;
    const char *member = l->root->self->member, *hidden, *name;
    struct smi_archive_member own = *of, *m = &own;
    struct member *it;
    struct smi_detect why = {0};
    struct smi_err bad = {0};
    size_t depth = l->root->depth;
    ssize_t n = 0;
    (void)err;
    if (member && *member)
        m->path = path_in_member(member, m->path);
    if (!m->path) {
        if (!l->other && m->kind == SMI_ARCHIVE_FILE)
            l->other = smi_copy_text(l->a, of->path);
        return 0;
    }
    l->met = true;
    name = m->path + name_at(m->path);
    hidden = *m->path == '.' ? m->path : strstr(m->path, "/."); /* nobody's log, as outside of archives */
    if (m->kind != SMI_ARCHIVE_REFUSED && hidden &&
        (!smi_config_is_hydra(name) || hidden + (*hidden == '/') < name))
        return 0;
    l->root->links += m->kind == SMI_ARCHIVE_LINK;
    if (m->kind == SMI_ARCHIVE_LINK)
        return 0;
    l->single = member && strcmp(of->path, member) == 0;
    it = add_item(l, m);
    set_identity(l->root, of->path, &it->e.dev, &it->e.ino);
    for (const char *c = it->path; *c; c++)
        depth += *c == '/';
    if (m->kind == SMI_ARCHIVE_REFUSED)
        set_bad(l, it, m->why);
    else if (depth > SMI_DEPTH_MAX)
        set_bad(l, it, too_deep);
    if (it->e.kind == SMI_ENTRY_BAD || m->kind != SMI_ARCHIVE_FILE)
        return 0;
    it->e.name = it->path + it->name;
    it->e.columns = l->o->columns;
    if (*it->e.name != '.') {
        n = judge_bytes(l->buf, 0, smi_stream_source(m->bytes), &it->e, &why, &bad);
        set_entry_kind(&it->e, &why, &bad, smi_walk_is_recording(it->e.name), l->a);
    }
    n = n < 0 ? 0 : n;
    if (it->e.kind == SMI_ENTRY_OTHER)
        sniff_config(&it->e, (struct smi_text){l->buf, (size_t)n}, smi_stream_source(m->bytes), l->a);
    if (it->e.kind == SMI_ENTRY_LOG && !l->single)
        unpack_log(l, it, m->bytes, n);
    return 0;
}

/* A file of samples: a run is a log, whatever its name looks like. */
static int add_samples_run(void *self, const struct smi_archive_member *m, struct smi_err *err)
{
    struct look *l = self;
    struct smi_err why = {0};
    struct member *it = add_item(l, m);
    ssize_t n;
    (void)err;
    it->flat = true;
    it->name = 0;
    it->e.kind = SMI_ENTRY_LOG;
    it->e.format = l->root->self->format;
    n = smi_stream_read(m->bytes, l->buf, SMI_WALK_SNIFF_BYTES, &why);
    if (n < 0)
        set_bad(l, it, why.text);
    else
        unpack_log(l, it, m->bytes, n);
    return 0;
}

/* ---- the tree ---- */

static int by_path(const void *x, const void *y)
{
    const struct member *a = x, *b = y;
    int d = strcmp(a->path, b->path);
    return d ? d : (a->id > b->id) - (a->id < b->id);
}

/* Is it a file whose name comes again? */
static bool is_older(const struct look *l, const struct member *it)
{
    const struct member *next = it + 1;
    return next < l->item + l->n && !it->flat && !it->archive && !next->flat && !next->archive &&
           strcmp(it->path, next->path) == 0;
}

const char *smi_archive_name(struct smi_arena *a, const char *path)
{
    static const char *const endings[] = {".gz",   ".zst", ".xz",   ".bz2", ".zip", ".tgz",
                                          ".tzst", ".txz", ".tbz2", ".tbz", ".tar"};
    const char *name = smi_file_name(path);
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t len = strlen(endings[i]);
        if (n > len && smi_text_is_nocase((struct smi_text){name + n - len, len}, endings[i]))
            n -= len;
    }
    return smi_arena_text(a, name, n);
}

/* Fills t with the items from *next on, in the order of paths, that have the first `at` bytes of their paths,
 * the way to t, in common. Items without a directory become entries of the archive. A name that comes again
 * stands for a newer file, as tar unpacks it: the last one counts, and of a log that is said. */
static void fill_tree(struct look *l, struct smi_dir *t, size_t *next, size_t at)
{
    const char *const front = *next < l->n ? l->item[*next].path : "";
    const struct smi_entry *metrics, *tags;
    while (*next < l->n && strncmp(l->item[*next].path, front, at) == 0) {
        struct member *it = &l->item[*next];
        const bool older = is_older(l, it);
        if (older && it->e.kind == SMI_ENTRY_LOG) {
            it->e.inside = NULL;
            set_bad(l, it, "is in the archive again: the last one counts");
        }
        const char *slash = it->flat || at >= it->name ? NULL : strchr(it->path + at, '/');
        struct smi_entry e = it->e;
        e.name = it->flat ? it->path : it->path + at;
        if (slash) {
            const size_t len = (size_t)(slash - it->path);
            e = (struct smi_entry){.format = -1, .name = smi_arena_text(l->a, it->path + at, len - at)};
            new_dir(l->a, t, &e);
            e.sub->inside = *t->inside ? smi_format_text(l->a, "%s/%s", t->inside, e.name) : e.name;
            set_identity(l->root, e.sub->inside, &e.sub->dev, &e.sub->ino);
            for (size_t m = 0; m < l->n && l->nested; m++)
                if (l->item[m].archive && strncmp(l->item[m].path, it->path, len) == 0 &&
                    !l->item[m].path[len])
                    e.sub->as = smi_archive_name(l->a, e.name);
            fill_tree(l, e.sub, next, len + 1);
        } else {
            ++*next;
        }
        if (slash || !(it->archive || (older && !it->flat)))
            append_entry(it->flat ? l->root : t, e.name, &e, l->a);
    }
    smi_sort(t->entry, t->entries, sizeof *t->entry, smi_compare_names);
    for (size_t i = 0; i < t->entries; i++)
        if (t->entry[i].sub)
            t->entry[i].sub->self = &t->entry[i];
    /* A run of MLflow's file store is many files at once: it is not read from its members, which come one by
     * one. */
    metrics = smi_dir_find(t, "metrics");
    tags = smi_dir_find(t, "tags");
    l->root->mlflow += metrics && metrics->sub && tags && tags->sub && smi_dir_find(t, "meta.yaml");
}

/* ---- the archive ---- */

/* Walks the archive e, named relative to dirfd in the directory `dir`, and makes a DIR of it: each member an
 * entry, each log in it unpacked to the file *to, which is made for the first of them (0 before). A PATH
 * that is a log in an archive becomes a LOG, which is found again in its directory there. buf has
 * SMI_WALK_SNIFF_BYTES bytes. */
static void walk_archive(struct smi_entry *e, struct smi_dir *dir, int dirfd,
                         const struct smi_discover_opts *o, char *buf, struct smi_arena *a, int *to)
{
    struct look l = {.o = o, .buf = buf, .a = a, .to = to, .root = e->sub ? e->sub : new_dir(a, dir, e)};
    struct smi_entry *only;
    struct smi_file_info info;
    struct smi_err doubt = {0}, none = {0};
    int fd = o->members ? -1
             : e->kept  ? e->kept - 1
                        : smi_file_open(dirfd, e->file ? e->file : e->name, false, &info, &doubt);
    l.root->archive = true;
    l.root->inside = e->file ? e->member : "";
    l.root->samples = e->format >= 0;
    l.root->as = o->members || (e->file && *e->member) ? NULL : smi_archive_name(a, e->name);
    set_identity(l.root, l.root->inside, &l.root->dev, &l.root->ino);
    if (o->members)
        o->members(o->holder, add_archive_member, &l, &doubt);
    else if (fd >= 0 && l.root->samples)
        smi_samples_walk(fd, e->name, e->format, add_samples_run, &l, &doubt, &none);
    else if (fd >= 0)
        smi_archive_walk(fd, e->name, add_archive_member, &l, &doubt, &none);
    if (doubt.code || none.code)
        l.root->text = e->file && !l.n ? "leads into a file that is no archive, or damaged"
                                       : smi_copy_text(a, doubt.code ? doubt.text : none.text);
    else if (l.other && !l.met)
        l.root->text = smi_format_text(a, "leads to no file: the archive has %s", l.other);
    smi_sort(l.item, l.n, sizeof *l.item, by_path);
    fill_tree(&l, l.root, &(size_t){0}, 0);
    only = l.root->entry;
    if (l.single && l.root->entries == 1 && only->kind == SMI_ENTRY_LOG) {
        only->name = e->name;
        only->file = e->file;
        only->member = e->member;
        *e = *only;
        smi_mem_free(only);
    }
    if (fd >= 0 && !e->kept)
        close(fd);
    smi_mem_free(l.item);
}

/* one directory of the walk: its names, and what stands behind each, before anybody looks
 * into a file. */

/* What stands behind a name: the kind of its slot, or -1: a link. SMI_ENTRY_LOG: a file to look into. */
static int entry_kind_of(struct smi_dir *t, const char *name, unsigned type, bool follow, struct smi_entry *e)
{
    struct stat st;
    if (type == DT_UNKNOWN && fstatat(t->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        type = IFTODT(st.st_mode);
    e->linked = type == DT_LNK;
    if (e->linked && !follow) {
        t->links++;
        return -1;
    }
    if (e->linked && fstatat(t->fd, name, &st, 0) != 0) {
        e->link = SMI_LINK_NOWHERE;
        return SMI_ENTRY_LINK;
    }
    type = e->linked ? IFTODT(st.st_mode) : type;
    return type == DT_DIR   ? e->linked ? SMI_ENTRY_LINK : SMI_ENTRY_DIR
           : type == DT_REG ? SMI_ENTRY_LOG
                            : SMI_ENTRY_OTHER;
}

static void add_entry(struct smi_dir *t, const char *name, unsigned type, bool follow, struct smi_arena *a)
{
    static const char *const hydra[] = {SMI_CONFIG_HYDRA_DIR, SMI_CONFIG_HYDRA, SMI_CONFIG_HYDRA_ALL};
    struct smi_entry new = {.format = -1, .kind = SMI_ENTRY_OTHER};
    int kind;
    if (!t->self) { /* above a PATH nothing else counts */
        if (smi_jobs_is_file(name) || smi_config_is_job_output(name) || strcmp(name, SMI_CONFIG_ABOVE) == 0)
            append_entry(t, name, &new, a);
    } else if (*name == '.') { /* it is nobody's log; but a run of Hydra's has its parameters there */
        for (int i = 0; i < 3 && strcmp(name, *hydra) == 0; i++)
            if (faccessat(t->fd, hydra[i], F_OK, AT_SYMLINK_NOFOLLOW) == 0)
                append_entry(t, hydra[i], &new, a);
    } else if ((kind = entry_kind_of(t, name, type, follow, &new)) >= 0) {
        new.kind = (enum smi_entry_kind)kind;
        append_entry(t, name, &new, a);
    }
}

static void read_names(struct smi_dir *t, bool follow, char *buf, struct smi_arena *a)
{
    ssize_t n;
    while ((n = getdents64(t->fd, buf, SMI_WALK_SNIFF_BYTES)) >
           0) /* readdir(3) would make a buffer for each directory */
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *d = (const void *)(buf + at);
            add_entry(t, d->d_name, d->d_type, follow, a);
            at += d->d_reclen;
        }
    if (n < 0 && errno != ENOENT)
        t->text = smi_format_text(a, "cannot be read to its end: %s", strerror(errno));
    smi_sort(t->entry, t->entries, sizeof *t->entry, smi_compare_names);
    for (size_t i = 0; i < t->entries; i++) /* settled before other threads may look at them */
        if (t->entry[i].kind == SMI_ENTRY_DIR && t->depth < SMI_DEPTH_MAX) {
            new_dir(a, t, &t->entry[i]);
        } else if (t->entry[i].kind == SMI_ENTRY_DIR) {
            t->entry[i].kind = SMI_ENTRY_BAD;
            t->entry[i].text = too_deep;
        }
}

/* Opens the directory t relative to its parent, which is open, and reads its names: all entries are there,
 * sorted, and each directory has its sub. buf has SMI_WALK_SNIFF_BYTES bytes. What cannot be read is said in
 * t->text. Close it with close_dir. */
static void list_dir(struct smi_dir *t, bool follow, char *buf, struct smi_arena *a)
{
    const bool may_follow = follow || !t->parent->parent;
    struct stat st;
    int fd = openat(t->parent->fd, t->self->name,
                    O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (may_follow ? 0 : O_NOFOLLOW));
    t->fd = fd < 0 ? AT_FDCWD : fd;
    if (fd < 0 || fstat(fd, &st)) {
        t->text = smi_format_text(a, "cannot be opened: %s", strerror(errno));
        return;
    }
    t->dev = (uint64_t)st.st_dev;
    t->ino = (uint64_t)st.st_ino;
    t->looped = is_above(t->parent, t->dev, t->ino);
    if (!t->looped)
        read_names(t, follow, buf, a);
}

static void close_dir(struct smi_dir *t)
{
    if (t->fd != AT_FDCWD)
        close(t->fd);
    t->fd = AT_FDCWD;
}

/* what belongs to a PATH but does not lie below it. A log that is a PATH is a part of a run
 * of its directory, as if that had been named; the output of a job and Slurm's accounting may lie above its
 * directory. */

enum { LEVELS_ABOVE = 4 }; /* in which accounting is looked for */

char *smi_directory_of(struct smi_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    while (slash && slash > path && slash[-1] == '/')
        slash--;
    return !slash ? smi_arena_text(a, ".", 1)
                  : smi_arena_text(a, path, slash > path ? (size_t)(slash - path) : 1);
}

const char *smi_real_path(struct smi_arena *a, const char *path)
{
    char *real = realpath(path, NULL);
    const char *kept = smi_copy_text(a, real);
    free(real); /* realpath's own */
    return kept;
}

/* The name of the PATH e; of a link, that of the file that it leads to. */
static const char *real_name(struct smi_arena *a, const struct smi_entry *e)
{
    struct stat st;
    const char *real = lstat(e->name, &st) == 0 && S_ISLNK(st.st_mode) ? smi_real_path(a, e->name) : NULL;
    return real ? real : e->name;
}

static bool is_wanted(const struct smi_entry *e)
{
    return !e->bare && !e->again && !e->inside &&
           (e->kind == SMI_ENTRY_LOG || (e->kind == SMI_ENTRY_OTHER && e->broken));
}

/* Finds the directory of e among those behind the n PATHs; `seen` has their inodes. Adds a new one unless
 * known is set. Returns NULL if there is none. */
static struct smi_dir *add_directory(struct smi_walk *w, size_t n, struct smi_inode_set *seen,
                                     const struct smi_entry *e, bool known)
{
    const char *path = smi_directory_of(&w->arena[0], real_name(&w->arena[0], e));
    struct smi_entry *dir = &w->root.entry[w->root.entries];
    const char *slash = e->file ? strrchr(e->member, '/') : NULL;
    uint64_t dev, ino;
    struct smi_dir *t;
    struct stat st;
    size_t at;
    if (stat(e->file ? e->file : path, &st) != 0)
        return NULL;
    *dir = (struct smi_entry){.name = path,
                              .format = -1,
                              .file = e->file,
                              .member = smi_arena_text(&w->arena[0], e->file ? e->member : "",
                                                       slash ? (size_t)(slash - e->member) : 0),
                              .dev = (uint64_t)st.st_dev,
                              .ino = (uint64_t)st.st_ino};
    set_identity(&(struct smi_dir){.self = dir}, dir->member, &dev, &ino);
    at = smi_inode_set_find(seen, dev, ino);
    if (at != SMI_MAP_NONE)
        return w->root.entry[n + at].sub;
    if (known)
        return NULL;
    smi_inode_set_add(seen, dev, ino);
    t = new_dir(&w->arena[0], &w->root, dir);
    w->root.entries++;
    t->beside = true;
    return t;
}

/* Appends to the root, behind its n PATHs, the directories of those that are logs, each once, still to be
 * walked. */
static void add_beside(struct smi_walk *w, size_t n)
{
    struct smi_inode_set seen = {0};
    for (int known = 0; known < 2; known++) /* then the files beside these logs that are PATHs */
        for (size_t i = 0; i < n; i++) {
            struct smi_entry *e = &w->root.entry[i];
            if (known ? e->kind != SMI_ENTRY_OTHER || e->beside || smi_config_rank(smi_file_name(e->name)) < 0
                      : !is_wanted(e))
                continue;
            if (!(e->beside = add_directory(w, n, &seen, e, known)))
                continue;
            e->named = e->beside->path;
            e->beside->path = e;
        }
    smi_inode_set_fini(&seen);
}

/* What the names of the PATHs in one directory say of their runs. */
struct stems {
    struct smi_inode_set hash;
    bool wandb, runlog; /* a log of W&B is among them, or a RunLog: of logs in directories below */
};

static uint64_t hash_stem(struct smi_arena *a, const char *name)
{
    const char *stem = smi_file_group_stem(a, name);
    return smi_hash_bytes(stem, strlen(stem)) | 1;
}

/* Finds the PATH e in its directory t. One that is not listed, as a hidden one, is a run of its own. */
static void find_named(struct smi_dir *t, struct smi_entry *e, struct stems *s, struct smi_arena *a)
{
    struct smi_entry *in = smi_dir_find(t, smi_file_name(real_name(a, e))), *job;
    if (!in) {
        e->beside = NULL;
        return;
    }
    in->akin = true;
    if (!is_wanted(e))
        return;
    if (in->named)
        in->named->again = true;
    in->named = e;
    e->inside = in->inside;
    job = (struct smi_entry *)smi_discovery_find_job(t, in->name);
    if (job)
        job->akin = true;
    s->wandb |= e->format == SMI_FMT_WANDB;
    s->runlog |= e->format == SMI_FMT_RUNLOG;
    smi_inode_set_add(&s->hash, 0, hash_stem(a, in->name));
}

/* Of the directory of PATHs, once it is listed: finds its PATHs, notes what is akin to them by its name, and
 * takes out directories. */
static void choose_entries(struct smi_dir *t, struct smi_arena *a)
{
    struct stems s = {0};
    for (struct smi_entry *e = t->path; e; e = e->named)
        find_named(t, e, &s, a);
    for (struct smi_entry *e = t->entry; e < t->entry + t->entries; e++) {
        e->akin |=
            e->kind == SMI_ENTRY_LOG && smi_inode_set_find(&s.hash, 0, hash_stem(a, e->name)) != SMI_MAP_NONE;
        if (e->kind != SMI_ENTRY_LINK && s.hash.n &&
            (!e->sub || s.runlog || (s.wandb && strcmp(e->name, "files") == 0)))
            continue;
        e->link = SMI_LINK_KNOWN;
        e->kind = SMI_ENTRY_LINK;
        e->sub = NULL;
    }
    smi_inode_set_fini(&s.hash);
}

/* The directory `path` with what jobs left in it. */
static struct smi_dir *list_above(struct smi_walk *w, const char *path, char *buf)
{
    struct smi_arena *a = &w->arena[0];
    struct smi_dir *t = w->above;
    while (t && strcmp(t->name, path) != 0)
        t = t->next;
    if (t)
        return t;
    t = smi_arena_new(a, 1, sizeof *t);
    t->name = path;
    t->next = w->above;
    w->above = t;
    t->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (t->fd >= 0)
        read_names(t, false, buf, a);
    for (size_t i = 0; i < t->entries; i++)
        if (!smi_config_is_job_output(t->entry[i].name))
            open_config(&t->entry[i], t->fd, a);
    close_dir(t);
    return t;
}

/* t: a directory that is a PATH, or that of one. */
static void add_above(struct smi_walk *w, struct smi_dir *t, char *buf)
{
    struct smi_arena *a = &w->arena[0];
    const char *path = smi_real_path(a, t->self->name);
    struct smi_dir *up = t;
    struct smi_entry *job;
    if (!path || !path[1])
        return;
    t->name = smi_file_name(path);
    for (int level = 0; up && level < LEVELS_ABOVE && path[1]; level++) {
        path = smi_directory_of(a, path);
        if (!up->above)
            up->above = list_above(w, path, buf);
        up = up->above;
    }
    job = t->above ? (struct smi_entry *)smi_discovery_find_job(t->above, t->name) : NULL;
    if (!job || job->config)
        return;
    t->above->fd = open(t->above->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (t->above->fd >= 0)
        open_config(job, t->above->fd, a);
    close_dir(t->above);
}

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
    struct smi_walk *walk;
    struct smi_found *out;
    char *buf; /* SMI_WALK_SNIFF_BYTES bytes of each thread */
    struct smi_pool pool;
    struct item *item;
    size_t n, cap;
    size_t threads;
    size_t found; /* entries that were looked at, for o->progress */
    const struct smi_discover_opts *o;
};

struct worker {
    struct queue *q;
    struct smi_arena *arena;
    char *buf; /* SMI_WALK_SNIFF_BYTES bytes */
    int *unpacked;
    struct smi_stream_rest **rest;
};

/* ---- the stack ---- */

/* With the lock held, or where no other thread is. */
static void push_item(struct queue *q, struct item it)
{
    *SMI_MEM_ADD(q->item, q->n, q->cap) = it;
    it.dir->holds++;
    pthread_cond_broadcast(&q->pool.changed);
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

/* All entries of t, the first on top of the stack: files in pieces of one size, then each directory for
 * itself. Nobody looks at an entry before all are there: one that is an archive gets a sub of its own. */
static void push_entries(struct queue *q, struct smi_dir *t)
{
    size_t most = t->entries / (SHARES * q->threads);
    most = most > BATCH ? BATCH : most ? most : 1;
    pthread_mutex_lock(&q->pool.lock);
    for (int files = 0; files < 2; files++)
        for (size_t end = t->entries, from; end > 0; end = from) {
            const bool dir = t->entry[from = end - 1].sub;
            while (from > 0 && end - from < most && !dir && !t->entry[from - 1].sub)
                from--;
            if (dir != files)
                push_item(q, (struct item){t, from, end - from});
        }
    pthread_mutex_unlock(&q->pool.lock);
}

/* ---- one thing to do ---- */

static void look_at_entry(struct worker *w, struct smi_dir *dir, struct smi_entry *e)
{
    const int fd = dir->fd, rank = smi_config_rank(e->name);
    if (e->again)
        return;
    e->columns = w->q->o->columns;
    if (e->named) { /* a PATH: --input-format may have said what it is */
        const struct smi_entry was = *e;
        *e = *was.named;
        e->name = was.name;
        e->linked = was.linked;
        e->named = was.named;
        e->akin = true;
        e->beside = NULL;
    } else if (e->kind == SMI_ENTRY_LOG)
        smi_walk_sniff(e, fd, !dir->parent, w->buf, w->arena);
    if (e->kind == SMI_ENTRY_LOG && e->format >= 0 && smi_format_infos[e->format].gpu)
        dir->has_gpu_log = true;
    if (e->kind == SMI_ENTRY_OTHER ? dir->parent || rank < 0
                                   : dir->parent && e->kind == SMI_ENTRY_LOG && rank >= SMI_CONFIG_OUTPUT)
        open_config(e, fd, w->arena);
    if (e->kind == SMI_ENTRY_STREAM)
        look_at_stream(e, w->buf, w->arena, w->unpacked, w->rest);
    if (e->kind == SMI_ENTRY_ARCHIVE && dir->beside)
        e->kind = SMI_ENTRY_OTHER;
    if (e->kind == SMI_ENTRY_ARCHIVE)
        walk_archive(e, dir, fd, w->q->o, w->buf, w->arena, w->unpacked);
}

/* Goes through the directory t: what has nothing but few files, as a run has it, is done at once. Returns how
 * many entries were looked at. */
static size_t enter_directory(struct worker *w, struct smi_dir *t)
{
    bool small;
    list_dir(t, w->q->o->follow_links, w->buf, w->arena);
    smi_mlflow_list(t, w->arena);
    if (t->beside)
        choose_entries(t, w->arena);
    small = t->entries <= BATCH;
    for (size_t i = 0; i < t->entries && small; i++)
        small = !t->entry[i].sub;
    if (!small) {
        push_entries(w->q, t);
        return 0;
    }
    for (size_t i = 0; i < t->entries; i++)
        look_at_entry(w, t, &t->entry[i]);
    close_dir(t);
    return t->entries;
}

static void do_item(struct worker *w, const struct item *it)
{
    struct smi_entry *e = &it->dir->entry[it->from];
    const bool dir = e->sub != NULL; /* before it is looked at */
    size_t found = it->n;
    /* What lies below a log that is a PATH is not asked for beside a GPU log: gather_beside passes over it.
     */
    if (dir && !(it->dir->beside && it->dir->has_gpu_log))
        found += enter_directory(w, e->sub);
    for (size_t i = 0; i < it->n && !dir; i++)
        look_at_entry(w, it->dir, &e[i]);
    pthread_mutex_lock(&w->q->pool.lock);
    if (--it->dir->holds == 0)
        close_dir(it->dir);
    w->q->found += found;
    if (w->q->o->progress)
        w->q->o->progress(w->q->o->self, w->q->found, 0);
    pthread_mutex_unlock(&w->q->pool.lock);
    smi_pool_done(&w->q->pool);
}

static void walk_thread(void *self, size_t thread)
{
    struct worker *w = (struct worker *)self + thread;
    struct item it;
    while (smi_pool_take(&w->q->pool, pop_item, w->q, &it))
        do_item(w, &it);
}

/* Does all that is on the stack. More threads than one only where there is more than one thing to do. */
static void run_pool(struct queue *q)
{
    struct worker w[SMI_WALK_THREADS];
    struct item it;
    for (size_t i = 0; i < q->threads; i++)
        w[i] = (struct worker){q, &q->walk->arena[i], q->buf + i * SMI_WALK_SNIFF_BYTES, &q->out->unpacked[i],
                               &q->out->rest[i]};
    while (q->n == 1 && smi_pool_take(&q->pool, pop_item, q, &it))
        do_item(&w[0], &it);
    smi_pool_run(&q->pool, q->n ? q->threads : 1, walk_thread, w, NULL);
}

/* ---- links to directories, one by one after all real directories: each real directory counts once ---- */

/* Opens what the link e in t leads to, and makes it a directory of the tree if it is a new one, which is
 * walked. */
static void follow_link(struct queue *q, struct smi_inode_set *seen, struct smi_dir *t, struct smi_entry *e)
{
    struct stat st;
    int fd = open_again(t);
    e->link = SMI_LINK_NOWHERE;
    if (fd >= 0 && fstatat(fd, e->name, &st, 0) == 0) {
        uint64_t dev = (uint64_t)st.st_dev, ino = (uint64_t)st.st_ino;
        e->link = is_above(t, dev, ino) ? SMI_LINK_NOWHERE : SMI_LINK_KNOWN;
        if (t->depth >= SMI_DEPTH_MAX) {
            e->kind = SMI_ENTRY_BAD;
            e->text = too_deep;
        } else if (smi_inode_set_add(seen, dev, ino)) {
            new_dir(&q->walk->arena[0], t, e);
            t->fd = fd;
            push_item(q, (struct item){t, (size_t)(e - t->entry), 1});
            run_pool(q);
            add_tree_below(seen, e->sub);
            return;
        }
    }
    if (fd >= 0)
        close(fd);
}

/* Follows the links in t and below that lie at this depth: the shortest way to a directory is to win. Returns
 * whether there are directories at this depth. */
static bool follow_links(struct queue *q, struct smi_inode_set *seen, struct smi_dir *t, unsigned depth)
{
    bool some = t->depth == depth;
    for (size_t i = 0; i < t->entries; i++) {
        struct smi_entry *e = &t->entry[i];
        if (t->depth == depth && e->kind == SMI_ENTRY_LINK && e->link == SMI_LINK_OPEN)
            follow_link(q, seen, t, e);
        else if (t->depth < depth && e->sub && !e->sub->looped)
            some |= follow_links(q, seen, e->sub, depth);
    }
    return some;
}

/* The directories of PATHs that are logs. */
static void walk_beside(struct queue *q, size_t n)
{
    struct smi_walk *walk = q->walk;
    add_beside(walk, n);
    for (size_t i = n; i < walk->root.entries; i++)
        if (walk->root.entry[i].file) {
            walk_archive(&walk->root.entry[i], &walk->root, AT_FDCWD, q->o, q->buf, &walk->arena[0],
                         &q->out->unpacked[0]);
            choose_entries(walk->root.entry[i].sub, &walk->arena[0]);
        } else {
            push_item(q, (struct item){&walk->root, i, 1});
        }
    run_pool(q);
}

/* ---- the whole ---- */

/* "runs.tgz/lr=1/seed=2": is there a file in front? */
static void find_archive(struct smi_entry *e, struct smi_arena *a)
{
    struct smi_buf b = {0};
    struct stat st;
    for (const char *slash = strrchr(e->name, '/'); slash;
         slash = memrchr(e->name, '/', (size_t)(slash - e->name))) {
        const char *file = smi_arena_text(a, e->name, (size_t)(slash - e->name));
        if (stat(file, &st) != 0 || !S_ISREG(st.st_mode))
            continue;
        e->file = file;
        e->dev = (uint64_t)st.st_dev;
        e->ino = (uint64_t)st.st_ino;
        e->text = smi_archive_clean_name(&b, "", slash + 1);
        e->member = smi_buf_keep(&b, a);
        e->kind = e->text ? SMI_ENTRY_BAD : SMI_ENTRY_ARCHIVE;
        if (!e->text)
            e->name = smi_format_text(a, "%s/%s", file, e->member);
        return;
    }
}

static void add_path(struct smi_walk *w, const char *path, struct smi_inode_set *seen,
                     const struct smi_discover_opts *o)
{
    struct smi_entry *e = &w->root.entry[w->root.entries++];
    size_t n = strlen(path);
    struct stat st;
    while (n > 1 && (path[n - 1] == '/' || (n > 2 && path[n - 1] == '.' && path[n - 2] == '/')))
        n--;
    e->name = smi_arena_text(&w->arena[0], path, n);
    e->format = o->format; /* -1, or decided by --input-format */
    e->kind = o->members ? SMI_ENTRY_ARCHIVE : strcmp(path, "-") == 0 ? SMI_ENTRY_STREAM : SMI_ENTRY_LOG;
    w->root.accounts |= smi_jobs_is_file(smi_file_name(e->name));
    if (o->members)
        return;
    if (e->kind == SMI_ENTRY_STREAM ? fstat(0, &st) != 0 : stat(path, &st) != 0) {
        if (errno == ENOTDIR)
            find_archive(e, &w->arena[0]);
        return;
    }
    if (e->kind == SMI_ENTRY_STREAM ||
        S_ISFIFO(st.st_mode)) { /* It comes once: a second look, or one from another thread, takes away what
                                   the first one wants. */
        e->again = !smi_inode_set_add(seen, (uint64_t)st.st_dev, (uint64_t)st.st_ino);
        e->kind = e->again ? SMI_ENTRY_STREAM : e->kind;
    } else if (S_ISDIR(st.st_mode))
        new_dir(&w->arena[0], &w->root, e);
}

void smi_walk(struct smi_walk *w, struct smi_found *out, const char *const *path, size_t n,
              const struct smi_discover_opts *o)
{
    size_t threads = o->threads > SMI_WALK_THREADS ? SMI_WALK_THREADS : o->threads;
    struct queue q = {.walk = w, .out = out, .o = o, .threads = threads ? threads : 1};
    struct smi_inode_set seen = {0};
    unsigned depth = 0;
    smi_pool_init(&q.pool);
    q.buf = smi_mem_new(SMI_WALK_THREADS, SMI_WALK_SNIFF_BYTES);
    memset(w, 0, sizeof *w);
    w->root.fd = AT_FDCWD;
    smi_mem_reserve(&w->root.entry, &w->root.cap, 2 * n, sizeof *w->root.entry);
    for (size_t i = 0; i < n; i++)
        add_path(w, path[i], &seen, o);
    if (o->progress) /* a stream may take long */
        o->progress(o->self, 0, 0);
    push_entries(&q, &w->root);
    run_pool(&q);
    walk_beside(&q, n);
    for (size_t i = 0; i < w->root.entries; i++)
        if (w->root.entry[i].sub && !w->root.entry[i].sub->archive)
            add_above(w, w->root.entry[i].sub, q.buf);
    if (o->follow_links)
        add_tree_below(&seen, &w->root);
    while (o->follow_links && follow_links(&q, &seen, &w->root, depth))
        depth++;
    smi_pool_fini(&q.pool);
    smi_inode_set_fini(&seen);
    smi_mem_free(q.item);
    smi_mem_free(q.buf);
}

static void free_entries(struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++) {
        if (t->entry[i].kept)
            close(t->entry[i].kept - 1);
        if (t->entry[i].sub)
            free_entries(t->entry[i].sub);
    }
    close_dir(t);
    smi_mem_free(t->entry);
}

void smi_walk_fini(struct smi_walk *w)
{
    free_entries(&w->root);
    for (struct smi_dir *t = w->above; t; t = t->next)
        free_entries(t);
    for (int i = 0; i < SMI_WALK_THREADS; i++)
        smi_arena_fini(&w->arena[i]);
    memset(w, 0, sizeof *w);
    malloc_trim(0); /* hundreds of bytes for each file, in small blocks that runs would not use again */
}
