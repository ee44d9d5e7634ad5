#include "pytorch/gzip.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { PIECE = 16384, WINDOW = 15 + 16 /* of gzip, not of zlib */, LEVEL = 6, MEMORY = 8 };

int smi_pytorch_directories(const char *path, struct smi_err *err)
{
    char *copy = smi_mem_text(path, strlen(path));
    int rc = 0;
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
    if (smi_pytorch_directories(path, err) || smi_file_create(&g->out, path, err)) {
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
static int pack(struct smi_pytorch_gzip *g, int flush, struct smi_err *err)
{
    unsigned char piece[PIECE];
    int rc;
    do {
        g->z.next_out = piece;
        g->z.avail_out = sizeof piece;
        rc = deflate(&g->z, flush);
        if (smi_file_put(g->out.fd, (const char *)piece, sizeof piece - g->z.avail_out, g->path, err))
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
        if (pack(g, Z_NO_FLUSH, err))
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
        rc = pack(g, Z_FINISH, err);
    if (g->z.state)
        deflateEnd(&g->z);
    if (smi_file_close(&g->out, keep && !rc, err))
        rc = -1;
    smi_mem_free(g->path);
    g->path = NULL;
    return rc;
}
