/* archived_log.c - an archive as a directory. It can only be read from its beginning to its end, so its logs
 * are unpacked as they come, one behind the other, into a file of $TMPDIR without a name. */
#include "sweep/archived_log.h"

#include "base/file.h"
#include "base/stream.h"
#include "base/text.h"
#include "formats/samples.h"
#include "sweep/config.h"
#include "sweep/walk.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A member on its way into the tree. */
struct item {
    const char *path;
    int64_t id;         /* its place in the archive */
    size_t name;        /* where its last piece begins */
    bool flat;          /* its name makes no directories */
    bool archive;       /* it is one: others lie below it */
    struct smi_entry e; /* without its name */
};

struct look {
    const struct smi_walk_opts *o;
    char *buf;
    struct smi_arena *a;
    int *to; /* where logs are unpacked; -1: there is no such file yet */
    struct smi_dir *root;
    struct item *item;
    size_t n, cap;
    bool nested; /* an archive holds an archive */
};

int smi_unpack(struct smi_archived_log *out, int *to, struct smi_stream *s, char *buf, ssize_t n,
               struct smi_err *err)
{
    if (*to < 0)
        *to = smi_file_temp(err);
    if (*to < 0) /* without a place on disk: in memory */
        *to = memfd_create("smilog", MFD_CLOEXEC);
    *out = (struct smi_archived_log){.fd = *to, .from = *to < 0 ? 0 : lseek(*to, 0, SEEK_END)};
    for (; n > 0; n = smi_stream_read(s, buf, SMI_UNPACK_BYTES, err)) {
        if (*to < 0 ||
            smi_file_write(*to, buf, (size_t)n, "the file that it is unpacked to, in $TMPDIR", err))
            return -1;
        out->size += n;
    }
    if (smi_stream_warning(s))
        snprintf(out->doubt, sizeof out->doubt, "%s", smi_stream_warning(s));
    return n < 0 ? -1 : 0;
}

static void set_bad(struct look *l, struct item *it, const char *text)
{
    it->e.kind = SMI_ENTRY_BAD;
    it->flat = true;
    it->e.text = smi_arena_text(l->a, text, strlen(text));
}

/* A log that cannot be unpacked becomes BAD. */
static void unpack_log(struct look *l, struct item *it, struct smi_stream *s, ssize_t n)
{
    struct smi_err why = {0};
    it->e.inside = smi_arena_new(l->a, 1, sizeof *it->e.inside);
    if (smi_unpack(it->e.inside, l->to, s, l->buf, n, &why))
        set_bad(l, it, why.text);
}

/* ---- members ---- */

/* Where the name of a member begins: Hydra's files are named with the hidden directory that they lie in. */
static size_t name_at(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash + 1 - path) : 0, hydra = strlen(SMI_CONFIG_HYDRA_DIR "/");
    if (n >= hydra && strncmp(path + n - hydra, SMI_CONFIG_HYDRA_DIR "/", hydra) == 0 &&
        (n == hydra || path[n - hydra - 1] == '/'))
        return n - hydra;
    return n;
}

/* Hidden files and directories are nobody's logs, as outside of archives. */
static bool is_hidden_member(const char *path, size_t name)
{
    const char *hit = *path == '.' ? path : strstr(path, "/.");
    if (hit && smi_config_is_hydra(path + name))
        return hit + (*hit == '/') < path + name;
    return hit != NULL;
}

static size_t count_path_pieces(const char *path)
{
    size_t n = 1;
    for (; *path; path++)
        n += *path == '/';
    return n;
}

static struct item *add_item(struct look *l, const struct smi_archive_member *m)
{
    struct item *it;
    smi_mem_reserve(&l->item, &l->cap, l->n + 1, sizeof *l->item);
    it = &l->item[l->n++];
    *it = (struct item){
        .path = smi_arena_text(l->a, m->path, strlen(m->path)), .id = m->id, .name = name_at(m->path)};
    it->e.kind = SMI_ENTRY_OTHER;
    it->e.format = -1;
    it->archive = m->kind == SMI_ARCHIVE_NESTED;
    l->nested |= it->archive;
    return it;
}

static int add_archive_member(void *self, const struct smi_archive_member *m, struct smi_err *err)
{
    struct look *l = self;
    struct item *it;
    size_t n;
    (void)err;
    if (m->kind != SMI_ARCHIVE_REFUSED && is_hidden_member(m->path, name_at(m->path)))
        return 0;
    l->root->links += m->kind == SMI_ARCHIVE_LINK;
    if (m->kind == SMI_ARCHIVE_LINK)
        return 0;
    it = add_item(l, m);
    if (m->kind == SMI_ARCHIVE_REFUSED)
        set_bad(l, it, m->why);
    else if (l->root->depth + count_path_pieces(it->path) > SMI_DEPTH_MAX + 1)
        set_bad(l, it, smi_walk_too_deep);
    if (it->e.kind == SMI_ENTRY_BAD || m->kind != SMI_ARCHIVE_FILE)
        return 0;
    it->e.name = it->path + it->name;
    it->e.columns = l->o->columns;
    n = *it->e.name == '.' ? 0
                           : smi_walk_sniff_bytes(&it->e, smi_stream_source(m->bytes), false, l->buf, l->a);
    if (it->e.kind == SMI_ENTRY_OTHER)
        smi_config_sniff(&it->e, (struct smi_text){l->buf, n}, smi_stream_source(m->bytes), l->a);
    if (it->e.kind == SMI_ENTRY_LOG)
        unpack_log(l, it, m->bytes, (ssize_t)n);
    return 0;
}

/* A file of samples: a run is a log, whatever its name looks like. */
static int add_samples_run(void *self, const struct smi_archive_member *m, struct smi_err *err)
{
    struct look *l = self;
    struct smi_err why = {0};
    struct item *it = add_item(l, m);
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
    const struct item *a = x, *b = y;
    int d = strcmp(a->path, b->path);
    return d ? d : (a->id > b->id) - (a->id < b->id);
}

/* A name that comes again stands for a newer file, as tar unpacks it: the last one counts, and it is said. */
static void drop_older(struct look *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++) {
        struct item *it = &l->item[i], *next = it + 1;
        bool again = i + 1 < l->n && !it->flat && !it->archive && !next->flat && !next->archive &&
                     strcmp(it->path, next->path) == 0;
        if (again && it->e.kind == SMI_ENTRY_LOG) {
            it->e.inside = NULL;
            set_bad(l, it, "is in the archive again: the last one counts");
        } else if (again)
            continue;
        l->item[n++] = *it;
    }
    l->n = n;
}

/* The length of the ending of n bytes that is in the list, or 0. */
static size_t ending_length(const char *name, size_t n, const char *const *list)
{
    for (; *list; list++) {
        size_t len = strlen(*list);
        if (n > len && smi_text_is_nocase((struct smi_text){name + n - len, len}, *list))
            return len;
    }
    return 0;
}

/* "out/sweep.tar.gz" -> "sweep" */
static const char *less_endings(struct smi_arena *a, const char *path)
{
    static const char *const packed[] = {".gz", ".zst", ".xz", ".bz2", NULL};
    static const char *const archives[] = {".tar", ".zip", ".tgz", ".tzst", ".txz", ".tbz2", ".tbz", NULL};
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;
    size_t n = strlen(name);
    n -= ending_length(name, n, packed);
    n -= ending_length(name, n, archives);
    return smi_arena_text(a, name, n);
}

/* The items with the piece that begins at `at` in common with the first; one, if that is its last. */
static size_t group_below_directory(const struct item *it, size_t n, size_t at, size_t *piece)
{
    const char *slash = it->flat || at >= it->name ? NULL : strchr(it->path + at, '/');
    size_t k = 1;
    *piece = slash ? (size_t)(slash - it->path) - at : strlen(it->path + at);
    while (slash && k < n && !it[k].flat && strncmp(it[k].path, it->path, at + *piece + 1) == 0)
        k++;
    return slash ? k : 0;
}

/* Fills t with n items in the order of paths; the first `at` bytes of each are the way to t. */
static void fill_tree(struct look *l, struct smi_dir *t, struct item *it, size_t n, size_t at)
{
    const struct smi_entry *metrics, *tags;
    size_t piece, k;
    for (size_t i = 0; i < n; i += k ? k : 1) {
        struct smi_entry *e;
        k = group_below_directory(it + i, n - i, at, &piece);
        if (!k && it[i].archive)
            continue;
        smi_mem_reserve(&t->entry, &t->cap, t->entries + 1, sizeof *t->entry);
        e = &t->entry[t->entries++];
        *e = it[i].e;
        if (k) /* a directory: where its items are is noted until the entries have their places */
            *e = (struct smi_entry){.kind = SMI_ENTRY_DIR, .format = -1, .dev = i, .ino = k};
        e->name = smi_arena_text(l->a, it[i].path + at, piece);
        t->jobs |= smi_config_is_job_output(e->name);
    }
    smi_dir_sort(t);
    for (size_t i = 0; i < t->entries; i++) {
        struct smi_entry *e = &t->entry[i];
        struct item *first = it + e->dev;
        size_t len;
        if (e->kind != SMI_ENTRY_DIR)
            continue;
        k = e->ino;
        e->dev = e->ino = 0;
        len = at + strlen(e->name);
        smi_dir_new(l->a, t, e);
        for (size_t m = 0; m < n && l->nested; m++)
            if (it[m].archive && strncmp(it[m].path, first->path, len) == 0 && !it[m].path[len])
                e->sub->as = less_endings(l->a, e->name);
        fill_tree(l, e->sub, first, k, len + 1);
    }
    /* A run of MLflow's file store is many files at once: it is not read from its members, which come one by
     * one. */
    metrics = smi_dir_find(t, "metrics");
    tags = smi_dir_find(t, "tags");
    l->root->mlflow += metrics && metrics->sub && tags && tags->sub && smi_dir_find(t, "meta.yaml");
}

/* ---- the archive ---- */

void smi_walk_archive(struct smi_entry *e, struct smi_dir *dir, int dirfd, const struct smi_walk_opts *o,
                      char *buf, struct smi_arena *a, int *to)
{
    struct look l = {.o = o, .buf = buf, .a = a, .to = to, .root = smi_dir_new(a, dir, e)};
    struct smi_file_info info;
    struct smi_err doubt = {0}, none = {0};
    int fd = e->kept ? e->kept - 1 : smi_file_open(dirfd, e->name, false, &info, &doubt);
    l.root->archive = true;
    l.root->samples = e->format >= 0;
    l.root->as = less_endings(a, e->name);
    l.root->dev = e->dev;
    l.root->ino = e->ino;
    if (fd >= 0 && l.root->samples)
        smi_samples_walk(fd, e->name, e->format, add_samples_run, &l, &doubt, &none);
    else if (fd >= 0)
        smi_archive_walk(fd, e->name, add_archive_member, &l, &doubt, &none);
    if (doubt.code || none.code)
        l.root->text = smi_arena_text(a, doubt.code ? doubt.text : none.text,
                                      strlen(doubt.code ? doubt.text : none.text));
    smi_sort(l.item, l.n, sizeof *l.item, by_path);
    drop_older(&l);
    fill_tree(&l, l.root, l.item, l.n, 0);
    if (fd >= 0 && !e->kept)
        close(fd);
    smi_mem_free(l.item);
}
