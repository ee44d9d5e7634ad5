#include "sweep/read_stream.h"

#include "base/digest.h"
#include "base/file_ends.h"
#include "base/stream.h"
#include "base/mem.h"
#include "model/format_info.h"
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 262144 };

bool smi_is_coded(int fd)
{
    char head[SMI_MAGIC];
    ssize_t n = smi_file_read_at(fd, head, sizeof head, 0, "", NULL);
    return n > 0 && smi_magic(head, (size_t)n) != SMI_PLAIN;
}

/* What a sentence says of bytes that are neither text nor to be unpacked once more. */
static int refuse(const struct smi_stream *s, struct smi_err *err)
{
    enum smi_container c = smi_stream_holds(s);
    if (smi_is_archive(c))
        return smi_err_set(err, SMI_EFORMAT, "a %s archive, which can be read from a file, not from a stream",
                           smi_container_name(c));
    return smi_err_set(err, SMI_EFORMAT, "%s data that was packed twice: not read", smi_container_name(c));
}

static struct smi_stream *open_stream(struct smi_pull *from, struct smi_err *err)
{
    struct smi_stream *s = smi_stream_open(from, err);
    if (!s || smi_stream_holds(s) == SMI_PLAIN)
        return s;
    refuse(s, err);
    smi_stream_close(s);
    return NULL;
}

int smi_unpack(struct smi_ingest *in, struct smi_pull *from, bool hash, struct smi_unpacked *out, struct smi_err *err)
{
    struct smi_stream *s = open_stream(from, err);
    char *piece = s ? smi_mem_raw(PIECE) : NULL;
    struct smi_digest digest = smi_digest_begin(0);
    ssize_t n = -1;
    int rc = piece ? 0 : s ? smi_err_nomem(err) : -1;
    *out = (struct smi_unpacked){0};
    while (rc == 0 && (n = smi_stream_read(s, piece, PIECE, err)) > 0) {
        out->size += n;
        if (hash)
            smi_digest_put(&digest, piece, (size_t)n);
        rc = smi_ingest_feed(in, piece, (size_t)n, err);
    }
    if (rc == 0 && n == 0 && smi_stream_doubt(s))
        snprintf(out->doubt, sizeof out->doubt, "%s", smi_stream_doubt(s));
    rc = rc || n < 0 ? -1 : smi_ingest_finish(in, err);
    out->hash = hash ? smi_digest_end(&digest) : 0;
    smi_mem_free(piece);
    smi_stream_close(s);
    return rc;
}

int smi_unpacked_ends(int fd, const char *name, int64_t *size, struct smi_err *err)
{
    struct smi_pull_fd from = smi_pull_of_fd(fd, name);
    struct smi_stream *s = open_stream(&from.pull, err);
    struct smi_ends e = {0};
    char *piece = s ? smi_mem_raw(PIECE) : NULL;
    ssize_t n = -1;
    int rc = piece ? smi_ends_open(&e, err) : s ? smi_err_nomem(err) : -1, made = -1;
    while (rc == 0 && (n = smi_stream_read(s, piece, PIECE, err)) > 0)
        smi_ends_put(&e, piece, (size_t)n);
    if (rc == 0 && n == 0) {
        made = smi_ends_file(&e, err);
        *size = e.size;
    }
    lseek(fd, 0, SEEK_SET);
    smi_ends_fini(&e);
    smi_mem_free(piece);
    smi_stream_close(s);
    return made;
}

/* ---- a stream that is kept while it is read ---- */

/* Is the log of a kind that is not read twice? */
static bool done(const struct smi_spool *s)
{
    int format = smi_ingest_format(s->in);
    return format >= 0 && !(smi_sources[format].rows && smi_sources[format].marks);
}

static void keep(struct smi_spool *s, const char *p, size_t n)
{
    int rc = s->fd < 0 && (s->fd = smi_file_temp(&s->lost)) < 0 ? -1 : 0;
    s->size += (int64_t)n;
    if (!rc && s->size > SMI_SPOOL_MAX)
        rc = smi_err_set(&s->lost, SMI_ELIMIT, "more than %lld MiB", (long long)(SMI_SPOOL_MAX >> 20));
    s->over = rc || smi_file_put(s->fd, p, n, "a temporary file", &s->lost);
}

static ssize_t read_kept(struct smi_pull *self, void *buf, size_t n, struct smi_err *err)
{
    struct smi_spool *s = (struct smi_spool *)self;
    ssize_t got = s->from.pull.read(&s->from.pull, buf, n, err);
    s->over |= done(s);
    if (got > 0 && !s->over)
        keep(s, buf, (size_t)got);
    return got;
}

struct smi_pull *smi_spool_open(struct smi_spool *s, int fd, const char *name)
{
    *s = (struct smi_spool){.pull = {.read = read_kept}, .from = smi_pull_of_fd(fd, name), .fd = -1};
    return &s->pull;
}

int smi_spool_take(struct smi_spool *s)
{
    int fd = s->fd;
    if (s->over)
        return -1;
    if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0)
        return smi_err_set(&s->lost, SMI_EIO, "a temporary file: %s", strerror(errno));
    s->fd = -1;
    return fd;
}

void smi_spool_fini(struct smi_spool *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}
