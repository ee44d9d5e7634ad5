/* walk_sniff.c - what an entry of a directory is, by its name and first bytes */
#include "base/file.h"
#include "base/stream.h"
#include "base/text.h"
#include "formats/format.h"
#include "formats/samples.h"
#include "sweep/config.h"
#include "sweep/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    smi_mem_reserve(&s->list, &s->cap, s->n + 1, sizeof *s->list);
    smi_map_add(&s->map, smi_hash_pair(ino, dev), s->n);
    s->list[s->n++] = (struct smi_inode){dev, ino};
    return true;
}

void smi_inode_set_fini(struct smi_inode_set *s)
{
    smi_mem_free(s->list);
    smi_map_fini(&s->map);
    memset(s, 0, sizeof *s);
}

void smi_inode_set_add_tree(struct smi_inode_set *s, const struct smi_dir *t)
{
    if (t->parent)
        smi_inode_set_add(s, t->dev, t->ino);
    for (size_t i = 0; i < t->entries; i++)
        if (t->entry[i].sub)
            smi_inode_set_add_tree(s, t->entry[i].sub);
}

void smi_inode_set_add_below(struct smi_inode_set *s, struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++) {
        struct smi_dir *sub = t->entry[i].sub;
        if (sub && smi_inode_set_add(s, sub->dev, sub->ino))
            smi_inode_set_add_below(s, sub);
        else if (sub)
            sub->looped = true;
    }
}

static void add_links(struct smi_walk_links *l, struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++) {
        struct smi_entry *e = &t->entry[i];
        if (e->sub && !e->sub->looped)
            add_links(l, e->sub);
        if (e->kind != SMI_ENTRY_LINK || e->link != SMI_LINK_OPEN)
            continue;
        smi_mem_reserve(&l->list, &l->cap, l->n + 1, sizeof *l->list);
        l->list[l->n] = (struct smi_walk_link){t, e, l->n};
        l->n++;
    }
}

static int by_depth(const void *x, const void *y)
{
    const struct smi_walk_link *a = x, *b = y;
    if (a->dir->depth != b->dir->depth)
        return a->dir->depth < b->dir->depth ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

void smi_walk_links_add(struct smi_walk_links *l, struct smi_dir *t, size_t from)
{
    size_t before = l->n;
    add_links(l, t);
    if (l->n > before)
        qsort(l->list + from, l->n - from, sizeof *l->list, by_depth);
}

const struct smi_dir *smi_dir_above(const struct smi_dir *t)
{
    return t->parent && t->parent->parent ? t->parent : t->above;
}

bool smi_dir_is_above(const struct smi_dir *t, uint64_t dev, uint64_t ino)
{
    for (; t && t->parent; t = t->parent)
        if (t->dev == dev && t->ino == ino)
            return true;
    return false;
}

int smi_dir_open(const struct smi_dir *t)
{
    int up, fd;
    if (!t->parent)
        return AT_FDCWD;
    up = smi_dir_open(t->parent);
    fd = openat(up, t->self->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (up != AT_FDCWD && up >= 0)
        close(up);
    return fd;
}

const char smi_walk_too_deep[] = "is more than 64 directories deep: not looked into";

struct smi_dir *smi_dir_new(struct smi_arena *a, struct smi_dir *parent, struct smi_entry *self)
{
    struct smi_dir *t = smi_arena_new(a, 1, sizeof *t);
    *t = (struct smi_dir){.parent = parent, .self = self, .depth = parent->depth + 1};
    t->name = smi_file_name(self->name);
    self->sub = t;
    self->kind = SMI_ENTRY_DIR;
    return t;
}

static int compare_entry_name(const void *x, const void *y)
{
    const struct smi_entry *a = x, *b = y;
    return smi_text_compare_natural(a->name, b->name);
}

void smi_dir_sort(struct smi_dir *t)
{
    if (t->entries)
        smi_sort(t->entry, t->entries, sizeof *t->entry, compare_entry_name);
}

struct smi_entry *smi_dir_find(const struct smi_dir *t, const char *name)
{
    const struct smi_entry key = {.name = name};
    return t->entries ? bsearch(&key, t->entry, t->entries, sizeof key, compare_entry_name) : NULL;
}

/* what a stream begins with, without taking it away: samples of many runs have to be read
 * twice, and all else is left to its reader. */

enum { HEAD = 4096, PATIENCE_MS = 20 };

/* Behind what was peeked nothing is known. */
static int fill_nothing(struct smi_made_source *self, struct smi_err *err)
{
    (void)self, (void)err;
    return 0;
}

/* The format of samples that begin with these bytes, packed or not; or -1. *told: more bytes would say the
 * same. */
static int samples_of(const char *p, size_t n, bool *told)
{
    struct smi_byte_source none = {0};
    struct smi_made_source peeked;
    struct smi_err why = {0};
    struct smi_detect odd;
    struct smi_stream *s;
    char head[HEAD];
    size_t have = 0;
    ssize_t got = 1;
    int format;
    smi_made_source_open(&peeked, &none, false, fill_nothing);
    peeked.p = p;
    peeked.n = n;
    s = smi_stream_open(&peeked.pull, &why);
    while (s && smi_stream_content(s) == SMI_CONTAINER_PLAIN && got > 0 && have < sizeof head) {
        got = smi_stream_read(s, head + have, sizeof head - have, &why);
        have += got > 0 ? (size_t)got : 0;
    }
    *told = have == sizeof head || (have && memchr(head, '\n', have)) ||
            (s && smi_stream_content(s) != SMI_CONTAINER_PLAIN);
    smi_stream_close(s);
    format = have ? smi_detect(head, have, false, &odd) : -1;
    return smi_samples_format(format) ? format : -1;
}

/* What lies in the pipe fd by now, up to n bytes, which stay there. Returns how many, 0 at its end, or -1: it
 * is no pipe of which that can be asked. *last: nobody writes any more, or can, before something is taken
 * out: what was written in small pieces fills a pipe with fewer bytes than it holds of large ones, and so it
 * does the copy's. */
static ssize_t look_ahead(int fd, int to[2], char *buf, size_t n, bool *last)
{
    struct pollfd wait = {fd, POLLIN, 0}, copy = {to[1], POLLOUT, 0};
    ssize_t got, have = 0;
    while (poll(&wait, 1, -1) < 0 && errno == EINTR)
        ;
    *last = wait.revents & POLLHUP;
    got = tee(fd, to[1], n, SPLICE_F_NONBLOCK);
    *last |= poll(&copy, 1, 0) == 0;
    while (got > 0 && have < got) {
        ssize_t some = read(to[0], buf + have, (size_t)(got - have));
        if (some <= 0)
            return -1;
        have += some;
    }
    return got;
}

/* Bytes may come a few at a time: they are waited for until there is a line, or as much as the pipe holds. */
static int samples_in_pipe(int fd, char *buf)
{
    int to[2], format = -1, room = fcntl(fd, F_GETPIPE_SZ);
    ssize_t had, n = 0;
    bool last, told = false;
    if (room < 0 || pipe2(to, O_CLOEXEC) != 0)
        return -1;
    fcntl(to[1], F_SETPIPE_SZ, room); /* a smaller one is full before: then less is looked at */
    for (;;) {
        had = n;
        n = look_ahead(fd, to, buf, SMI_WALK_SNIFF_BYTES, &last);
        if (n > 0 && n > had)
            format = samples_of(buf, (size_t)n, &told);
        if (n <= 0 || format >= 0 || told || n >= room || n >= SMI_WALK_SNIFF_BYTES || (n == had && last))
            break;
        if (n == had)
            poll(NULL, 0, PATIENCE_MS);
    }
    close(to[0]);
    close(to[1]);
    return format;
}

static int keep_stream(int fd, const char *name, char *buf, struct smi_err *err)
{
    ssize_t n;
    int kept = smi_file_temp(err);
    while (kept >= 0 && (n = smi_file_read(fd, buf, SMI_WALK_SNIFF_BYTES, name, err)) != 0)
        if (n < 0 || smi_file_write(kept, buf, (size_t)n, "a temporary file ($TMPDIR)", err)) {
            close(kept);
            return -1;
        }
    return kept;
}

void smi_walk_stream(struct smi_entry *e, char *buf, struct smi_arena *texts)
{
    struct smi_file_info info;
    struct smi_err why = {0};
    int fd = smi_file_open(AT_FDCWD, e->name, true, &info, &why), format = e->format;
    ssize_t n = 0;
    bool told;
    if (fd < 0) /* who reads it says so */
        return;
    if (format < 0 && info.stream)
        format = samples_in_pipe(fd, buf);
    else if (format < 0 && (n = smi_file_read_at(fd, buf, SMI_WALK_SNIFF_BYTES, 0, e->name, &why)) > 0)
        format = samples_of(buf, (size_t)n, &told);
    if (smi_samples_format(format)) {
        e->kind = SMI_ENTRY_ARCHIVE;
        e->format = format;
        e->dev = info.dev;
        e->ino = info.ino;
        e->kept = info.stream ? keep_stream(fd, e->name, buf, &why) + 1 : 0;
        if (info.stream && !e->kept) {
            e->kind = SMI_ENTRY_BAD;
            e->text = smi_arena_text(texts, why.text, strlen(why.text));
        }
    }
    close(fd);
}

/* looks at the first bytes of one file: is it a log, and of which format? Never by its name.
 */

/* Reads until buf holds `want` bytes or they end. Returns how many it holds, or -1. */
static ssize_t fill_buffer(struct smi_byte_source *from, char *buf, size_t n, size_t want,
                           struct smi_err *err)
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
        n = fill_buffer(from, buf, (size_t)n, size, err);
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
    ssize_t n = s && holds == SMI_CONTAINER_PLAIN && e->format < 0
                    ? fill_buffer(smi_stream_source(s), buf, 0, SMI_DETECT_FIRST, err)
                    : -1;
    if (smi_container_is_archive(holds)) {
        e->kind = SMI_ENTRY_ARCHIVE;
        e->format = -1; /* --input-format is of files */
    } else if (holds != SMI_CONTAINER_PLAIN)
        snprintf(why->why, sizeof why->why, "%s data that was packed twice: not read",
                 smi_container_name(holds));
    if (n >= 0)
        judge_bytes(buf, n, smi_stream_source(s), e, why, err);
    if (n == 0 && smi_stream_warning(s))
        snprintf(why->why, sizeof why->why, "%s", smi_stream_warning(s));
    smi_stream_close(s);
}

static void look_into(int fd, char *buf, struct smi_entry *e, struct smi_detect *why, struct smi_err *err)
{
    struct smi_fd_source from = smi_fd_source_make(fd, e->name);
    ssize_t n = fill_buffer(&from.pull, buf, 0, SMI_DETECT_FIRST, err);
    bool plain = n >= 0 && smi_container_detect(buf, (size_t)n) == SMI_CONTAINER_PLAIN;
    if (plain && e->format < 0)
        judge_bytes(buf, n, &from.pull, e, why, err);
    else if (!plain && n >= 0 && lseek(fd, 0, SEEK_SET) == 0)
        judge_coded(buf, &from.pull, e, why, err);
}

bool smi_walk_is_recording(const char *name)
{
    static const char *const names[] = {"hw_metrics.csv", "hw_dmon.csv", "cpu_metrics.csv"};
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is |= strcmp(name, names[i]) == 0;
    return is;
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
        e->columns = smi_arena_text(texts, why->columns, strlen(why->columns));
    e->messages = why->messages;
    e->broken = why->broken;
    if (e->kind == SMI_ENTRY_BAD)
        text = bad->text;
    else if (e->bare || (e->kind == SMI_ENTRY_OTHER && (named || why->broken)))
        text = why->why;
    if (text)
        e->text = smi_arena_text(texts, text, strlen(text));
}

void smi_walk_sniff(struct smi_entry *e, int dirfd, bool named, char *buf, struct smi_arena *texts)
{
    struct smi_file_info info;
    struct smi_detect why = {0};
    struct smi_err bad = {0};
    bool runs = false;
    int fd = named ? smi_file_open(dirfd, e->name, true, &info, &bad)
                   : smi_file_open_seen(dirfd, e->name, &info, &bad);
    if (fd >= 0 && !info.stream) {
        look_into(fd, buf, e, &why, &bad);
        runs = smi_samples_format(e->format) || smi_samples_has_runs(fd, e->name, e->format);
    }
    if (fd >= 0) {
        close(fd);
        e->dev = info.dev;
        e->ino = info.ino;
        if (info.stream)
            e->kind = SMI_ENTRY_STREAM;
    }
    set_entry_kind(e, &why, &bad, named || smi_walk_is_recording(e->name), texts);
    if (e->kind == SMI_ENTRY_LOG && runs)
        e->kind = SMI_ENTRY_ARCHIVE;
}

size_t smi_walk_sniff_bytes(struct smi_entry *e, struct smi_byte_source *from, bool named, char *buf,
                            struct smi_arena *texts)
{
    struct smi_detect why = {0};
    struct smi_err bad = {0};
    ssize_t n = judge_bytes(buf, 0, from, e, &why, &bad);
    set_entry_kind(e, &why, &bad, named || smi_walk_is_recording(e->name), texts);
    return n < 0 ? 0 : (size_t)n;
}

void smi_config_sniff(struct smi_entry *e, struct smi_text head, struct smi_byte_source *from,
                      struct smi_arena *a)
{
    int rank = smi_config_rank(e->name);
    struct smi_config *c;
    if (rank < 0)
        return;
    c = smi_arena_new(a, 1, sizeof *c);
    smi_config_read(c, rank, head, from, a);
    e->config = c;
    if (e->kind == SMI_ENTRY_OTHER)
        e->kind = SMI_ENTRY_CONFIG;
}

void smi_config_open(struct smi_entry *e, int dirfd, struct smi_arena *a)
{
    struct smi_file_info info;
    struct smi_err bad = {0};
    struct smi_fd_source from;
    off_t tail;
    int fd = smi_file_open(dirfd, e->name, false, &info, &bad);
    if (fd < 0) /* gone meanwhile, or not ours to read */
        return;
    tail = (off_t)smi_config_tail(smi_config_rank(e->name));
    if (tail && info.size > tail)
        lseek(fd, info.size - tail, SEEK_SET); /* one that cannot is read from its beginning */
    from = smi_fd_source_make(fd, e->name);
    smi_config_sniff(e, (struct smi_text){"", 0}, &from.pull, a);
    close(fd);
}

void smi_jobs_open(struct smi_entry *e, int dirfd, struct smi_arena *a)
{
    struct smi_config *c = smi_arena_new(a, 1, sizeof *c);
    struct smi_file_info info;
    struct smi_err bad = {0};
    struct smi_buf b = {0};
    char piece[16384];
    ssize_t n = 1;
    int fd = smi_file_open(dirfd, e->name, false, &info, &bad);
    while (fd >= 0 && b.n < SMI_JOBS_BYTES && (n = smi_file_read(fd, piece, sizeof piece, e->name, &bad)) > 0)
        smi_buf_add(&b, piece, (size_t)n);
    if (fd >= 0)
        close(fd);
    smi_jobs_read((struct smi_text){b.p ? b.p : "", b.n}, a, &c->job, &c->jobs);
    if (c->jobs) {
        e->config = c;
        e->kind = SMI_ENTRY_CONFIG;
    }
    smi_buf_fini(&b);
}
