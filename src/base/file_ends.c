#include "base/file_ends.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int smi_file_ends_open(struct smi_file_ends *e, struct smi_err *err)
{
    *e = (struct smi_file_ends){.head = smi_mem_raw(SMI_FILE_ENDS_BYTES),
                                .tail = smi_mem_raw(SMI_FILE_ENDS_BYTES)};
    if (e->head && e->tail)
        return 0;
    smi_file_ends_fini(e);
    return smi_err_nomem(err);
}

void smi_file_ends_add(struct smi_file_ends *e, const char *p, size_t n)
{
    size_t some, at;
    if (e->size < SMI_FILE_ENDS_BYTES) {
        some = (size_t)(SMI_FILE_ENDS_BYTES - e->size) < n ? (size_t)(SMI_FILE_ENDS_BYTES - e->size) : n;
        memcpy(e->head + e->size, p, some);
    }
    if (n > SMI_FILE_ENDS_BYTES) { /* only the last of them can stay */
        e->size += (int64_t)(n - SMI_FILE_ENDS_BYTES);
        p += n - SMI_FILE_ENDS_BYTES;
        n = SMI_FILE_ENDS_BYTES;
    }
    for (; n; p += some, n -= some) {
        at = (size_t)(e->size % SMI_FILE_ENDS_BYTES);
        some = SMI_FILE_ENDS_BYTES - at < n ? SMI_FILE_ENDS_BYTES - at : n;
        memcpy(e->tail + at, p, some);
        e->size += (int64_t)some;
    }
}

static int write_at(int fd, const char *p, size_t n, int64_t at)
{
    ssize_t done = 1;
    for (; n && done > 0; p += done, n -= (size_t)done, at += done)
        done = pwrite(fd, p, n, (off_t)at);
    return n ? -1 : 0;
}

int smi_file_ends_make_file(const struct smi_file_ends *e, struct smi_err *err)
{
    int made = memfd_create("smilog", MFD_CLOEXEC), fd = made < 0 ? smi_file_temp(err) : made;
    size_t n = e->size < SMI_FILE_ENDS_BYTES ? (size_t)e->size : SMI_FILE_ENDS_BYTES,
           at = (size_t)(e->size % SMI_FILE_ENDS_BYTES);
    int64_t from = e->size - (int64_t)n;
    int rc;
    if (fd < 0)
        return -1;
    rc = ftruncate(fd, (off_t)e->size) || write_at(fd, e->head, n, 0);
    if (!rc && from > 0) /* the tail, oldest byte first */
        rc = write_at(fd, e->tail + at, SMI_FILE_ENDS_BYTES - at, from) ||
             write_at(fd, e->tail, at, from + (int64_t)(SMI_FILE_ENDS_BYTES - at));
    if (!rc)
        return fd;
    smi_err_set(err, SMI_EIO, "cannot keep the ends of a log in memory: %s", strerror(errno));
    close(fd);
    return -1;
}

void smi_file_ends_fini(struct smi_file_ends *e)
{
    smi_mem_free(e->head);
    smi_mem_free(e->tail);
    *e = (struct smi_file_ends){0};
}
