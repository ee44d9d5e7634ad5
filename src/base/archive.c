/* archive.c - libarchive knows tar and zip; what it reads is unpacked by our own decoders, which test
 * checksums and have limits. */
#include "base/stream.h"

#include "base/lazy.h"
#include "base/mem.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

enum { PIECE = 65536 };

struct walk {
    smi_archive_member_fn *fn;
    void *self;
    int64_t id;
    bool stop; /* fn has seen enough */
    struct smi_err *doubt;
};

/* One archive on the way: its bytes for libarchive. */
struct level {
    struct walk *w;
    struct smi_byte_source *from;
    const char *above; /* the path of the archive in the outer one, with a '/' behind; or "" */
    unsigned depth;
    struct archive *a;
    char *piece;        /* NULL where libarchive reads the file itself */
    struct smi_err err; /* what reading `from` ran into */
};

/* The bytes of one member. */
struct member {
    struct smi_byte_source pull;
    struct archive *a;
    int64_t gave, began; /* bytes of the archive read before it */
};

/* libarchive's words only where they tell more: a method of packing that it does not know. */
static const char *libarchive_message(struct archive *a)
{
    const char *s = smi_la.archive_error_string(a);
    return s && strstr(s, "nsupported") ? s : "it is cut off or damaged";
}

static void doubt(struct walk *w, const char *what)
{
    if (!w->doubt->code)
        smi_err_set(w->doubt, SMI_EFORMAT, "cannot be read to its end, %s", what);
}

/* ---- bytes in, bytes out ---- */

static la_ssize_t read_archive_bytes(struct archive *a, void *self, const void **buf)
{
    struct level *l = self;
    ssize_t n = l->from->read(l->from, l->piece, PIECE, &l->err);
    *buf = l->piece;
    if (n < 0)
        smi_la.archive_set_error(a, EIO, "%s", l->err.text);
    return n;
}

static ssize_t read_member(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct member *m = (struct member *)self;
    la_ssize_t got = smi_la.archive_read_data(m->a, buf, n);
    if (got < 0) { /* also ARCHIVE_RETRY: a sparse map that goes back would have us try for ever */
        snprintf(self->doubt, sizeof self->doubt, "cannot be read to its end, %s%s", libarchive_message(m->a),
                 m->gave ? ": what came before is used" : "");
        return 0;
    }
    m->gave += got;
    /* sparse members of a tar and deflated ones of a zip can be bombs too */
    return smi_expansion_check(smi_la.archive_filter_bytes(m->a, -1) - m->began, m->gave, "archive", err)
               ? -1
               : (ssize_t)got;
}

/* ---- names ---- */

const char *smi_archive_clean_name(struct smi_buf *b, const char *above, const char *name)
{
    const char *p = name, *end;
    smi_buf_str(b, above);
    for (; *p; p = *end ? end + 1 : end) {
        end = strchrnul(p, '/');
        if (end - p == 2 && memcmp(p, "..", 2) == 0)
            return "has a name that leads out of the archive: not read";
        if (end == p || (end - p == 1 && *p == '.'))
            continue;
        if (b->n > strlen(above))
            smi_buf_char(b, '/');
        smi_buf_add(b, p, (size_t)(end - p));
    }
    if (b->n > SMI_ARCHIVE_NAME_MAX)
        return "has a name of more than 4,096 bytes: not read";
    return b->n > strlen(above) ? NULL : "has no name: not read";
}

/* ---- members ---- */

static int run_archive(struct walk *w, struct smi_byte_source *from, int fd, enum smi_container kind,
                       const char *above, unsigned depth, struct smi_err *err);

static int report_member(struct walk *w, struct smi_archive_member *m, struct smi_err *err)
{
    int rc = w->fn(w->self, m, err);
    w->stop |= rc > 0;
    return rc < 0 ? -1 : 0;
}

static int refuse_member(struct walk *w, struct smi_archive_member *m, const char *why, struct smi_err *err)
{
    m->kind = SMI_ARCHIVE_REFUSED;
    m->why = why;
    return report_member(w, m, err);
}

/* An archive in this one: its members count as members of a directory of its name. */
static int walk_nested_archive(struct level *l, struct smi_archive_member *m, struct smi_stream *s,
                               struct smi_err *err)
{
    struct smi_buf above = {0};
    int rc;
    if (l->depth >= SMI_ARCHIVE_DEPTH)
        return refuse_member(l->w, m, "is an archive in an archive in an archive: not read", err);
    m->kind = SMI_ARCHIVE_NESTED;
    if (report_member(l->w, m, err) || l->w->stop)
        return l->w->stop ? 0 : -1;
    smi_buf_str(&above, m->path);
    smi_buf_char(&above, '/');
    rc = run_archive(l->w, smi_stream_source(s), -1, smi_stream_content(s), above.p, l->depth + 1, err);
    smi_buf_fini(&above);
    return rc;
}

static int visit_file(struct level *l, struct smi_archive_member *m, struct smi_err *err)
{
    struct member from = {
        .pull = {.read = read_member}, .a = l->a, .began = smi_la.archive_filter_bytes(l->a, -1)};
    struct smi_err why = {0};
    struct smi_stream *s = smi_stream_open(&from.pull, &why);
    int rc;
    if (!s)
        return refuse_member(l->w, m, why.text, err);
    m->bytes = s;
    if (smi_container_is_archive(smi_stream_content(s)))
        rc = walk_nested_archive(l, m, s, err);
    else {
        if (smi_stream_content(s) != SMI_CONTAINER_PLAIN)
            m->kind = SMI_ARCHIVE_OTHER;
        rc = report_member(l->w, m, err);
    }
    smi_stream_close(s);
    return rc;
}

static int visit_entry(struct level *l, struct archive_entry *e, struct smi_err *err)
{
    struct smi_buf b = {0};
    const char *name = smi_la.archive_entry_pathname(e), *odd;
    struct smi_archive_member m = {.id = ++l->w->id};
    int rc, type = (int)smi_la.archive_entry_filetype(e);
    if (type == AE_IFDIR)
        return 0;
    name = name ? name : smi_la.archive_entry_pathname_utf8(e);
    name = name ? name : "";
    odd = smi_archive_clean_name(&b, l->above, name);
    m.path = odd ? name : b.p;
    m.kind = smi_la.archive_entry_hardlink(e) || type == AE_IFLNK ? SMI_ARCHIVE_LINK
             : type == AE_IFREG                                   ? SMI_ARCHIVE_FILE
                                                                  : SMI_ARCHIVE_OTHER;
    if (!odd && m.kind == SMI_ARCHIVE_FILE && smi_la.archive_entry_is_encrypted(e))
        odd = "is encrypted: not read";
    if (odd)
        rc = refuse_member(l->w, &m, odd, err);
    else
        rc = m.kind == SMI_ARCHIVE_FILE ? visit_file(l, &m, err) : report_member(l->w, &m, err);
    smi_buf_fini(&b);
    return rc;
}

/* ---- archives ---- */

static int open_archive(struct level *l, int fd, enum smi_container kind)
{
    l->a = smi_la.archive_read_new();
    l->piece = fd < 0 ? smi_mem_raw(PIECE) : NULL;
    if (!l->a)
        smi_mem_exhausted();
    if (kind == SMI_CONTAINER_TAR)
        smi_la.archive_read_support_format_tar(l->a);
    else if (fd >= 0)
        smi_la.archive_read_support_format_zip(l->a); /* by its directory, at the end */
    else
        smi_la.archive_read_support_format_zip_streamable(l->a);
    if (fd >= 0)
        return smi_la.archive_read_open_fd(l->a, fd, PIECE); /* can pass over what nobody wants */
    return smi_la.archive_read_open(l->a, l, NULL, read_archive_bytes, NULL);
}

static int run_archive(struct walk *w, struct smi_byte_source *from, int fd, enum smi_container kind,
                       const char *above, unsigned depth, struct smi_err *err)
{
    struct level l = {.w = w, .from = from, .above = above, .depth = depth};
    struct archive_entry *e;
    int rc = 0, r = open_archive(&l, fd, kind);
    while (!rc && !w->stop && r >= ARCHIVE_WARN) {
        r = smi_la.archive_read_next_header(l.a, &e);
        if (r == ARCHIVE_EOF || r < ARCHIVE_WARN)
            break;
        rc = w->id < SMI_ARCHIVE_MEMBERS_MAX ? visit_entry(&l, e, err) : 0;
        if (w->id >= SMI_ARCHIVE_MEMBERS_MAX) {
            doubt(w, "it holds more than 1,000,000 members");
            break;
        }
    }
    if (!rc && !w->stop && r < ARCHIVE_WARN)
        doubt(w, l.err.code ? l.err.text : *from->doubt ? from->doubt : libarchive_message(l.a));
    if (!rc && !w->stop && fd < 0) {
        /* the end of the compressed data has its checksum; it is behind the end of the archive */
        while (!l.err.code && from->read(from, l.piece, PIECE, &l.err) > 0)
            ;
        if (l.err.code || *from->doubt)
            doubt(w, l.err.code ? l.err.text : from->doubt);
    }
    smi_la.archive_read_free(l.a);
    smi_mem_free(l.piece);
    return rc;
}

int smi_archive_walk(int fd, const char *name, smi_archive_member_fn *fn, void *self,
                     struct smi_err *doubt_out, struct smi_err *err)
{
    struct walk w = {.fn = fn, .self = self, .doubt = doubt_out};
    struct smi_fd_source from = smi_fd_source_make(fd, name);
    struct smi_stream *s = lseek(fd, 0, SEEK_SET) == 0 ? smi_stream_open(&from.pull, doubt_out) : NULL;
    /* libarchive turns UTF-8 names into the locale's, and has none for them in "C": this thread's is ours
     * meanwhile. */
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0), before = (locale_t)0;
    int rc = 0;
    if (utf8)
        before = uselocale(utf8);
    if (s && smi_libarchive_open(doubt_out) == 0 && smi_container_is_archive(smi_stream_content(s))) {
        bool plain = smi_stream_is_plain(s) && lseek(fd, 0, SEEK_SET) == 0;
        rc = run_archive(&w, smi_stream_source(s), plain ? fd : -1, smi_stream_content(s), "", 1, err);
    } else if (s)
        doubt(&w, "it is no archive any more");
    smi_stream_close(s);
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
    return rc;
}
