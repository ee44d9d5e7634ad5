#include "base/file_ends.h"

#include "base/mem.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int smi_ends_open(struct smi_ends *e, struct smi_err *err)
{
    *e = (struct smi_ends){.head = smi_mem_raw(SMI_ENDS), .tail = smi_mem_raw(SMI_ENDS)};
    if (e->head && e->tail)
        return 0;
    smi_ends_fini(e);
    return smi_err_nomem(err);
}

void smi_ends_put(struct smi_ends *e, const char *p, size_t n)
{
    size_t some, at;
    if (e->size < SMI_ENDS) {
        some = (size_t)(SMI_ENDS - e->size) < n ? (size_t)(SMI_ENDS - e->size) : n;
        memcpy(e->head + e->size, p, some);
    }
    if (n > SMI_ENDS) { /* only the last of them can stay */
        e->size += (int64_t)(n - SMI_ENDS);
        p += n - SMI_ENDS;
        n = SMI_ENDS;
    }
    for (; n; p += some, n -= some) {
        at = (size_t)(e->size % SMI_ENDS);
        some = SMI_ENDS - at < n ? SMI_ENDS - at : n;
        memcpy(e->tail + at, p, some);
        e->size += (int64_t)some;
    }
}

static int put_at(int fd, const char *p, size_t n, int64_t at)
{
    ssize_t done = 1;
    for (; n && done > 0; p += done, n -= (size_t)done, at += done)
        done = pwrite(fd, p, n, (off_t)at);
    return n ? -1 : 0;
}

int smi_ends_file(const struct smi_ends *e, struct smi_err *err)
{
    int fd = memfd_create("smilog", MFD_CLOEXEC);
    size_t n = e->size < SMI_ENDS ? (size_t)e->size : SMI_ENDS, at = (size_t)(e->size % SMI_ENDS);
    int64_t from = e->size - (int64_t)n;
    int rc = fd < 0 || ftruncate(fd, (off_t)e->size) || put_at(fd, e->head, n, 0);
    if (!rc && from > 0) /* the tail, oldest byte first */
        rc = put_at(fd, e->tail + at, SMI_ENDS - at, from) ||
             put_at(fd, e->tail, at, from + (int64_t)(SMI_ENDS - at));
    if (!rc)
        return fd;
    smi_err_set(err, SMI_EIO, "cannot keep the ends of a log in memory: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

void smi_ends_fini(struct smi_ends *e)
{
    smi_mem_free(e->head);
    smi_mem_free(e->tail);
    *e = (struct smi_ends){0};
}
