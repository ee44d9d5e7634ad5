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

bool smi_read_is_encoded(int fd)
{
    char head[SMI_CONTAINER_MAGIC];
    ssize_t n = smi_file_read_at(fd, head, sizeof head, 0, "", NULL);
    return n > 0 && smi_container_detect(head, (size_t)n) != SMI_CONTAINER_PLAIN;
}

/* NULL with err for bytes that are neither text nor to be unpacked once more, too. */
static struct smi_stream *open_stream(struct smi_byte_source *from, struct smi_err *err)
{
    struct smi_stream *s = smi_stream_open(from, err);
    enum smi_container c = s ? smi_stream_content(s) : SMI_CONTAINER_PLAIN;
    if (c == SMI_CONTAINER_PLAIN)
        return s;
    smi_err_set(err, SMI_EFORMAT,
                smi_container_is_archive(c) ? "a %s archive, which can be read from a file, not from a stream"
                                            : "%s data that was packed twice: not read",
                smi_container_name(c));
    smi_stream_close(s);
    return NULL;
}

int smi_read_stream(struct smi_ingest *in, struct smi_byte_source *from, bool hash,
                    struct smi_read_stream_result *out, struct smi_err *err)
{
    struct smi_stream *s = open_stream(from, err);
    char *piece = s ? smi_mem_raw(PIECE) : NULL;
    struct smi_digest digest = smi_digest_init(0);
    ssize_t n = -1;
    int rc = piece ? 0 : s ? smi_err_nomem(err) : -1;
    *out = (struct smi_read_stream_result){0};
    while (rc == 0 && (n = smi_stream_read(s, piece, PIECE, err)) > 0) {
        out->size += n;
        if (hash)
            smi_digest_add(&digest, piece, (size_t)n);
        rc = smi_ingest_feed(in, piece, (size_t)n, err);
    }
    if (rc == 0 && n == 0 && smi_stream_warning(s))
        snprintf(out->doubt, sizeof out->doubt, "%s", smi_stream_warning(s));
    rc = rc || n < 0 ? -1 : smi_ingest_finish(in, err);
    out->hash = hash ? smi_digest_value(&digest) : 0;
    smi_mem_free(piece);
    smi_stream_close(s);
    return rc;
}

int smi_read_stream_ends(int fd, const char *name, int64_t *size, struct smi_err *err)
{
    struct smi_fd_source from = smi_fd_source_make(fd, name);
    struct smi_stream *s = open_stream(&from.pull, err);
    struct smi_file_ends e = {0};
    char *piece = s ? smi_mem_raw(PIECE) : NULL;
    ssize_t n = -1;
    int rc = piece ? smi_file_ends_open(&e, err) : s ? smi_err_nomem(err) : -1, made = -1;
    while (rc == 0 && (n = smi_stream_read(s, piece, PIECE, err)) > 0)
        smi_file_ends_add(&e, piece, (size_t)n);
    if (rc == 0 && n == 0) {
        made = smi_file_ends_make_file(&e, err);
        *size = e.size;
    }
    lseek(fd, 0, SEEK_SET);
    smi_file_ends_fini(&e);
    smi_mem_free(piece);
    smi_stream_close(s);
    return made;
}

/* ---- a stream that is kept while it is read ---- */

/* Is the log of a kind that is not read twice? */
static bool is_copy_done(const struct smi_stream_copy *s)
{
    int format = smi_ingest_format(s->in);
    return !s->whatever && format >= 0 && !(smi_format_infos[format].rows && smi_format_infos[format].marks);
}

static void keep_bytes(struct smi_stream_copy *s, const char *p, size_t n)
{
    int rc = s->fd < 0 && (s->fd = smi_file_temp(&s->lost)) < 0 ? -1 : 0;
    s->size += (int64_t)n;
    if (!rc && s->size > SMI_STREAM_COPY_MAX)
        rc = smi_err_set(&s->lost, SMI_ELIMIT, "more than %lld MiB", (long long)(SMI_STREAM_COPY_MAX >> 20));
    s->over = rc || smi_file_write(s->fd, p, n, "a temporary file", &s->lost);
}

static ssize_t read_kept(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct smi_stream_copy *s = (struct smi_stream_copy *)self;
    ssize_t got = s->from.pull.read(&s->from.pull, buf, n, err);
    s->over |= is_copy_done(s);
    if (got > 0 && !s->over)
        keep_bytes(s, buf, (size_t)got);
    return got;
}

struct smi_byte_source *smi_stream_copy_open(struct smi_stream_copy *s, int fd, const char *name)
{
    *s =
        (struct smi_stream_copy){.pull = {.read = read_kept}, .from = smi_fd_source_make(fd, name), .fd = -1};
    return &s->pull;
}

int smi_stream_copy_take(struct smi_stream_copy *s)
{
    int fd = s->fd;
    if (s->over)
        return -1;
    if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0)
        return smi_err_set(&s->lost, SMI_EIO, "a temporary file: %s", strerror(errno));
    s->fd = -1;
    return fd;
}

void smi_stream_copy_fini(struct smi_stream_copy *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}
