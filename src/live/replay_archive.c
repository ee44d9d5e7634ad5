#include "live/replay_archive.h"

#include "base/archive.h"
#include "base/file.h"
#include "base/mem.h"
#include "formats/detect.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 65536, OPEN_DIRS = 16 };

/* ---- members ---- */

/* The directories above a file. */
static int make_parents(char *path, size_t from, struct smi_err *err)
{
    for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        int rc;
        *slash = 0;
        rc = mkdir(path, 0700) && errno != EEXIST ? smi_err_set(err, SMI_EIO, "%s: %s", path, strerror(errno))
                                                  : 0;
        *slash = '/';
        if (rc)
            return -1;
    }
    return 0;
}

/* Of one name that comes twice the last one counts, as for tar; one that ends early is played as far as it is
 * there. */
static int write_log(const char *path, struct smi_stream *from, char *piece, size_t n, struct smi_err *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600), rc = 0;
    struct smi_err doubt = {0};
    ssize_t got = (ssize_t)n;
    if (fd < 0)
        return smi_err_set(err, SMI_EIO, "%s: %s", path, strerror(errno));
    while (got > 0 && rc == 0) {
        rc = smi_file_write(fd, piece, (size_t)got, path, err);
        if (rc == 0)
            got = smi_stream_read(from, piece, PIECE, &doubt);
    }
    close(fd);
    return rc;
}

/* Only what is a log: there may be models beside it. */
static int on_member(void *self, const struct smi_archive_member *m, struct smi_err *err)
{
    const struct smi_buf *dir = self;
    struct smi_buf path = {0};
    struct smi_detect why;
    struct smi_err doubt = {0};
    size_t n = 0;
    ssize_t got = 1;
    char *piece;
    int rc = 0;
    if (m->kind != SMI_ARCHIVE_FILE)
        return 0;
    piece = smi_mem_raw(PIECE);
    while (piece && n < PIECE && (got = smi_stream_read(m->bytes, piece + n, PIECE - n, &doubt)) > 0)
        n += (size_t)got;
    smi_buf_fmt(&path, "%s/%s", dir->p, m->path);
    if (!piece || path.failed)
        rc = smi_err_nomem(err);
    else if (n && smi_detect(piece, n, got <= 0, &why) >= 0)
        rc = make_parents(path.p, dir->n + 1, err) || write_log(path.p, m->bytes, piece, n, err) ? -1 : 0;
    smi_buf_fini(&path);
    smi_mem_free(piece);
    return rc;
}

/* ---- which archive ---- */

static bool is_archive(int fd, const char *path)
{
    struct smi_err err = {0};
    struct smi_fd_source from = smi_fd_source_make(fd, path);
    struct smi_stream *s = smi_stream_open(&from.pull, &err);
    bool yes = s && smi_container_is_archive(smi_stream_content(s));
    smi_stream_close(s);
    return lseek(fd, 0, SEEK_SET) == 0 && yes;
}

/* Bytes of path up to its first piece that is no directory. */
static size_t is_file_in(const char *path)
{
    char part[4200];
    struct stat st;
    for (size_t n = 1; path[n - 1] && n < sizeof part; n++) {
        if (path[n] && path[n] != '/')
            continue;
        snprintf(part, n + 1, "%s", path);
        if (stat(part, &st) == 0 && S_ISREG(st.st_mode))
            return n;
    }
    return 0;
}

static int unpack_archive(struct smi_buf *dir, int fd, const char *name, struct smi_err *err)
{
    const char *top = getenv("TMPDIR");
    struct smi_err doubt = {0};
    smi_buf_fmt(dir, "%s/smilog-XXXXXX", top && *top ? top : "/tmp");
    if (dir->failed)
        return smi_err_nomem(err);
    if (!mkdtemp(dir->p)) {
        int why = errno;
        smi_err_set(err, SMI_EIO, "%s: %s", dir->p, strerror(why));
        smi_buf_fini(dir);
        return -1;
    }
    return smi_archive_walk(fd, name, on_member, dir, &doubt, err);
}

int smi_replay_unpack(struct smi_buf *dir, struct smi_buf *path2, const char *path, struct smi_err *err)
{
    size_t n = is_file_in(path);
    char *name = n ? smi_mem_text(path, n) : NULL;
    struct smi_err own = {0};
    int rc = 0, fd = name ? smi_file_open(AT_FDCWD, name, false, &(struct smi_file_info){0}, &own) : -1;
    if (fd >= 0 && is_archive(fd, name)) {
        rc = unpack_archive(dir, fd, name, err);
        if (rc == 0)
            smi_buf_fmt(path2, "%s%s", dir->p, path + n);
        rc = rc ? rc : path2->failed ? smi_err_nomem(err) : 0;
    }
    if (fd >= 0)
        close(fd);
    smi_mem_free(name);
    return rc;
}

static int remove_tree(const char *path, const struct stat *st, int flag, struct FTW *at)
{
    (void)st;
    (void)flag;
    (void)at;
    (void)remove(path);
    return 0;
}

void smi_replay_remove_unpacked(struct smi_buf *dir)
{
    if (dir->n)
        (void)nftw(dir->p, remove_tree, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
    smi_buf_fini(dir);
}
