#include "sweep/unpack.h"

#include "archive/digest.h"
#include "archive/ends.h"
#include "archive/stream.h"
#include "base/mem.h"

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
