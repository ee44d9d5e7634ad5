#include "export/pytorch_gzip.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 16384, WINDOW = 15 + 16 /* of gzip, not of zlib */, LEVEL = 6, MEMORY = 8 };

/* Is there no file, or one that begins with magic? */
static int has_magic(const char *path, const char *magic, struct smi_err *err)
{
    char head[32];
    size_t n = strlen(magic);
    struct smi_file_info info;
    ssize_t got;
    int fd;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return 0;
    fd = smi_file_open(AT_FDCWD, path, false, &info, err);
    if (fd < 0)
        return -1;
    assert(n <= sizeof head);
    got = smi_file_read(fd, head, n, path, err);
    close(fd);
    if (got < 0)
        return -1;
    return (size_t)got == n && memcmp(head, magic, n) == 0
               ? 0
               : smi_err_set(err, SMI_EIO, "%.400s is there, and not of an earlier export", path);
}

int smi_pytorch_prepare(const char *path, const char *magic, struct smi_err *err)
{
    char *copy = smi_mem_text(path, strlen(path));
    int rc = copy ? has_magic(path, magic, err) : -1;
    if (!copy)
        return smi_err_nomem(err);
    for (char *p = copy + 1; *copy && !rc && (p = strchr(p, '/')) != NULL; p++) {
        *p = 0;
        if (mkdir(copy, 0777) && errno != EEXIST)
            rc = smi_err_set(err, SMI_EIO, "cannot make the directory %.300s: %s", copy, strerror(errno));
        *p = '/';
    }
    smi_mem_free(copy);
    return rc;
}

int smi_pytorch_gzip_open(struct smi_pytorch_gzip *g, const char *path, struct smi_err *err)
{
    memset(g, 0, sizeof *g);
    g->path = smi_mem_text(path, strlen(path));
    if (!g->path)
        return smi_err_nomem(err);
    if (smi_pytorch_prepare(path, "\x1f\x8b", err) || smi_file_create(&g->out, path, err)) {
        smi_mem_free(g->path);
        g->path = NULL;
        return -1;
    }
    g->open = true;
    if (deflateInit2(&g->z, LEVEL, Z_DEFLATED, WINDOW, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK)
        return 0;
    g->z = (z_stream){0};
    smi_pytorch_gzip_close(g, false, err);
    return smi_err_nomem(err);
}

/* Packs what is given, and writes what comes of it. */
static int compress_bytes(struct smi_pytorch_gzip *g, int flush, struct smi_err *err)
{
    unsigned char piece[PIECE];
    int rc;
    do {
        g->z.next_out = piece;
        g->z.avail_out = sizeof piece;
        rc = deflate(&g->z, flush);
        if (smi_file_write(g->out.fd, (const char *)piece, sizeof piece - g->z.avail_out, g->path, err))
            return -1;
    } while (flush == Z_FINISH ? rc == Z_OK : g->z.avail_out == 0);
    return 0;
}

int smi_pytorch_gzip_put(struct smi_pytorch_gzip *g, const char *p, size_t n, struct smi_err *err)
{
    while (n) {
        unsigned take = n < UINT32_MAX ? (unsigned)n : UINT32_MAX;
        g->z.next_in = (unsigned char *)(uintptr_t)p;
        g->z.avail_in = take;
        if (compress_bytes(g, Z_NO_FLUSH, err))
            return -1;
        p += take;
        n -= take;
    }
    return 0;
}

int smi_pytorch_gzip_close(struct smi_pytorch_gzip *g, bool keep, struct smi_err *err)
{
    int rc = 0;
    if (!g->open)
        return 0;
    g->open = false;
    if (keep && g->z.state)
        rc = compress_bytes(g, Z_FINISH, err);
    if (g->z.state)
        deflateEnd(&g->z);
    if (smi_file_close(&g->out, keep && !rc, err))
        rc = -1;
    smi_mem_free(g->path);
    g->path = NULL;
    return rc;
}
