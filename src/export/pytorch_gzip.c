#include "export/pytorch_gzip.h"

#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    int fd;
    memset(g, 0, sizeof *g);
    g->path = smi_mem_text(path, strlen(path));
    if (!g->path)
        return smi_err_nomem(err);
    if (smi_pytorch_prepare(path, "\x1f\x8b", err) || smi_file_create(&g->out, path, err)) {
        smi_mem_free(g->path);
        g->path = NULL;
        return -1;
    }
    fd = dup(g->out.fd);
    g->z = fd < 0 ? NULL : gzdopen(fd, "wb6");
    if (g->z)
        return 0;
    if (fd >= 0)
        close(fd);
    smi_pytorch_gzip_close(g, false, err);
    return smi_err_nomem(err);
}

int smi_pytorch_gzip_put(struct smi_pytorch_gzip *g, const char *p, size_t n, struct smi_err *err)
{
    if (gzfwrite(p, 1, n, g->z) == n)
        return 0;
    return smi_err_set(err, SMI_EIO, "cannot write %.300s: %s", g->path, strerror(errno));
}

int smi_pytorch_gzip_close(struct smi_pytorch_gzip *g, bool keep, struct smi_err *err)
{
    int rc = 0;
    if (!g->path)
        return 0;
    if (g->z && gzclose(g->z) != Z_OK && keep)
        rc = smi_err_set(err, SMI_EIO, "cannot write %.300s: %s", g->path, strerror(errno));
    g->z = NULL;
    if (smi_file_close(&g->out, keep && !rc, err))
        rc = -1;
    smi_mem_free(g->path);
    g->path = NULL;
    return rc;
}
