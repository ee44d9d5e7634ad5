#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* On a file system that makes no nameless files (NFS): one whose name is gone at once. */
static int open_unlinked(const char *dir)
{
    char path[4096];
    int fd;
    if (snprintf(path, sizeof path, "%s/smilog-XXXXXX", dir) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

int smi_file_temp(struct smi_err *err)
{
    const char *dir = getenv("TMPDIR");
    int fd;
    dir = dir && *dir ? dir : "/tmp";
    fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
        fd = open_unlinked(dir);
    return fd >= 0 ? fd
                   : smi_err_set(err, SMI_EIO, "cannot make a temporary file in %.300s: %s", dir,
                                 strerror(errno));
}
