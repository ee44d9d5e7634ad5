/* file.c - files: read whole, written beside their place and renamed, and the ends of logs that are not kept
 * in a file. */
#include "base/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAME_SHOWN = 300, /* bytes of a path in a message: the reason has to fit behind it */
    NAME_KEPT = 200,  /* bytes of a name in its temporary name, which must stay below NAME_MAX */
    LINKS = 40,       /* that are followed, as the kernel does */
    TRIES = 100       /* temporary names tried: containers that share a directory may share a process id */
};

#define MARK ".tmp-" /* in the names of temporary files, behind that of the file */

/* The end of a long path tells more than its beginning. */
static const char *printable_path(const char *path)
{
    size_t n = strlen(path);
    return n > NAME_SHOWN ? path + n - NAME_SHOWN : path;
}

int smi_file_error(struct smi_err *err, const char *verb, const char *path, const char *why)
{
    return smi_err_set(err, SMI_EIO, "cannot %s %s: %s", verb, printable_path(path), why);
}

static int set_path_error(struct smi_err *err, const char *verb, const char *path)
{
    return smi_file_error(err, verb, path, strerror(errno));
}

static int refuse_path(struct smi_err *err, const char *path, const char *why)
{
    return smi_err_set(err, SMI_EIO, "%s: %s", printable_path(path), why);
}

/* Why it is not read as a log; NULL if it is. */
static const char *why_unreadable(const struct stat *st, const char *path, bool pipe_ok)
{
    if (S_ISREG(st->st_mode))
        return NULL;
    if (S_ISDIR(st->st_mode))
        return "is a directory, not a log";
    if (S_ISSOCK(st->st_mode))
        return "is a socket, not a log";
    if (!S_ISFIFO(st->st_mode))
        return "is a device, not a log";
    /* <(command) in a shell: these names are pipes that someone means to be read. */
    if (strncmp(path, "/dev/fd/", 8) && strncmp(path, "/proc/self/fd/", 14) && strcmp(path, "/dev/stdin"))
        return "is a FIFO (named pipe), not a log; to read a pipe use -";
    return pipe_ok ? NULL : "is a pipe; a file is needed here";
}

static void fill_file_info(struct smi_file_info *info, const struct stat *st)
{
    info->stream = !S_ISREG(st->st_mode);
    info->size = info->stream ? -1 : (int64_t)st->st_size;
    info->dev = (uint64_t)st->st_dev;
    info->ino = (uint64_t)st->st_ino;
}

static int open_stdin(bool pipe_ok, struct smi_file_info *info, struct smi_err *err)
{
    struct stat st;
    const char *why = NULL;
    int fd = fcntl(0, F_DUPFD_CLOEXEC, 3);
    if (fd < 0 || fstat(fd, &st) != 0) {
        set_path_error(err, "read", "standard input");
        if (fd >= 0)
            close(fd);
        return -1;
    }
    fill_file_info(info, &st);
    if (!info->stream && lseek(fd, 0, SEEK_CUR) != 0) { /* { read line; smilog -; } < log: go on from here */
        info->stream = true;
        info->size = -1;
    }
    if (S_ISDIR(st.st_mode))
        why = "is a directory, not a log";
    else if (info->stream && !pipe_ok)
        why = "is a pipe; a file is needed here";
    if (!why)
        return fd;
    close(fd);
    return refuse_path(err, "standard input", why);
}

/* What open() has got may be another file by now. */
static int check_opened(int fd, const char *path, bool pipe_ok, struct smi_file_info *info,
                        struct smi_err *err)
{
    struct stat st;
    const char *why;
    int flags;
    if (fstat(fd, &st) != 0)
        return set_path_error(err, "open", path);
    if ((why = why_unreadable(&st, path, pipe_ok)))
        return refuse_path(err, path, why);
    fill_file_info(info, &st);
    if (S_ISREG(st.st_mode)) /* never blocks: O_NONBLOCK may stay */
        return 0;
    flags = fcntl(fd, F_GETFL);
    return flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0 ? set_path_error(err, "open", path) : 0;
}

int smi_file_open_seen(int dirfd, const char *path, bool pipe_ok, struct smi_file_info *info,
                       struct smi_err *err)
{
    int fd = openat(dirfd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return set_path_error(err, "open", path);
    return check_opened(fd, path, pipe_ok, info, err) == 0 ? fd : (close(fd), -1);
}

int smi_file_open(int dirfd, const char *path, bool pipe_ok, struct smi_file_info *info, struct smi_err *err)
{
    struct stat st;
    const char *why;
    if (dirfd == AT_FDCWD && strcmp(path, "-") == 0)
        return open_stdin(pipe_ok, info, err);
    /* Look first: to open a FIFO lets its writer run into us, and to open some devices sets them going. */
    if (fstatat(dirfd, path, &st, 0) != 0)
        return set_path_error(err, "open", path);
    why = why_unreadable(&st, path, pipe_ok);
    return why ? refuse_path(err, path, why) : smi_file_open_seen(dirfd, path, pipe_ok, info, err);
}

bool smi_file_id(const char *path, struct smi_file_info *info)
{
    struct stat st;
    if ((strcmp(path, "-") == 0 ? fstat(0, &st) : stat(path, &st)) != 0 || !S_ISREG(st.st_mode))
        return false;
    fill_file_info(info, &st);
    return true;
}

/* Whether the call that just failed should be made again: after a signal, or once the pipe is ready, where
 * somebody else made it non-blocking. */
static bool wait_for_io(int fd, short event)
{
    struct pollfd p = {.fd = fd, .events = event};
    if (errno == EINTR)
        return true;
    return errno == EAGAIN && (poll(&p, 1, -1) >= 0 || errno == EINTR);
}

ssize_t smi_file_read_at(int fd, void *buf, size_t n, int64_t offset, const char *name, struct smi_err *err)
{
    ssize_t got;
    do
        got = offset < 0 ? read(fd, buf, n) : pread(fd, buf, n, (off_t)offset);
    while (got < 0 && wait_for_io(fd, POLLIN));
    return got < 0 ? set_path_error(err, "read", name) : got;
}

int smi_file_load(struct smi_buf *to, int dirfd, const char *path, int64_t most, struct smi_err *err)
{
    struct smi_file_info info;
    char piece[16384];
    int64_t left = most;
    int fd = smi_file_open(dirfd, path, true, &info, err);
    struct smi_fd_source from = smi_fd_source_make(fd, path);
    struct smi_stream *s;
    const char *warning;
    ssize_t n = -1;
    if (fd < 0)
        return -1;
    s = smi_stream_open(&from.pull, err);
    while (s && (n = left ? smi_stream_read(s, piece,
                                            left < (int64_t)sizeof piece ? (size_t)left : sizeof piece, err)
                          : 0) > 0) {
        smi_buf_add(to, piece, (size_t)n);
        left -= n;
    }
    warning = n == 0 ? smi_stream_warning(s) : NULL;
    if (warning) /* before its colon: what follows says what would be used of the file */
        n = smi_err_set(err, SMI_EFORMAT, "%.300s: %.*s", path, (int)strcspn(warning, ":"), warning);
    smi_stream_close(s);
    close(fd);
    return n < 0 ? -1 : 0;
}

ssize_t smi_file_view_read(const struct smi_file_view *f, void *buf, size_t n, int64_t offset,
                           struct smi_err *err)
{
    size_t left = offset < f->n ? (size_t)(f->n - offset) : 0;
    if (!f->all && !f->part)
        return smi_file_read_at(f->fd, buf, n, offset, f->name, err);
    n = n < left ? n : left;
    if (n && f->part)
        return smi_file_read_at(f->fd, buf, n, f->from + offset, f->name, err);
    if (n)
        memcpy(buf, f->all + offset, n);
    return (ssize_t)n;
}

int smi_file_write(int fd, const char *p, size_t n, const char *name, struct smi_err *err)
{
    ssize_t done;
    while (n > 0) {
        done = write(fd, p, n);
        if (done < 0 && !wait_for_io(fd, POLLOUT))
            return set_path_error(err, "write", name);
        if (done > 0) {
            p += done;
            n -= (size_t)done;
        }
    }
    return 0;
}

const char *smi_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ".NAME.tmp-PID" beside path, with a number after it from the second try on. */
static char *temporary_name(const char *path, int try)
{
    const char *name = smi_file_name(path);
    struct smi_buf b = {0};
    smi_buf_fmt(&b, "%.*s.%.*s" MARK "%ld", (int)(name - path), path, NAME_KEPT, name, (long)getpid());
    if (try > 0)
        smi_buf_fmt(&b, "-%d", try);
    return b.p;
}

/* A lock says that somebody is writing it: it goes with its process, however that ends. Where there are no
 * locks nobody can take a dead one's file away. Returns a descriptor, or -1 with errno; EEXIST: the name is
 * taken. */
static int open_locked(const char *tmp)
{
    struct stat st;
    int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0)
        return -1;
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
        ;
    if (fstat(fd, &st) != 0 || st.st_nlink > 0)
        return fd;
    close(fd); /* taken for a dead one's before it was locked */
    errno = EEXIST;
    return -1;
}

/* Removes `name` if its writer is dead. */
static void remove_dead(int dirfd, const char *name)
{
    struct stat st;
    int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlinkat(dirfd, name, 0);
    close(fd);
}

/* Is it the end of a temporary name: PID or PID-N? */
static bool is_temporary_suffix(const char *tail)
{
    size_t n = strspn(tail, "0123456789"), more = tail[n] == '-' ? strspn(tail + n + 1, "0123456789") : 0;
    return n && !tail[n + (more ? more + 1 : 0)];
}

/* Removes what writers of the same file, of which tmp is a temporary name, have left when they were killed.
 */
static void remove_dead_temporaries(const char *tmp)
{
    const char *slash = strrchr(tmp, '/'), *name = slash ? slash + 1 : tmp, *end = strstr(name, MARK), *next;
    char *path = slash ? smi_mem_text(tmp, (size_t)(slash - tmp) + 1) : NULL;
    const struct dirent *d;
    DIR *dir = slash && !path ? NULL : opendir(path ? path : ".");
    while ((next = end ? strstr(end + 1, MARK) : NULL)) /* a name may hold it, too: the last one counts */
        end = next;
    while (dir && end && (d = readdir(dir)))
        if (strncmp(d->d_name, name, (size_t)(end - name) + strlen(MARK)) == 0 &&
            is_temporary_suffix(d->d_name + (end - name) + strlen(MARK)))
            remove_dead(dirfd(dir), d->d_name);
    if (dir)
        closedir(dir);
    smi_mem_free(path);
}

static int open_temporary(struct smi_file_out *out, const char *path, struct smi_err *err)
{
    for (int i = 0; i < TRIES && out->fd < 0; i++) {
        smi_mem_free(out->tmp);
        out->tmp = temporary_name(out->path, i);
        if (i == 0)
            remove_dead_temporaries(out->tmp);
        out->fd = open_locked(out->tmp);
        if (out->fd < 0 && errno != EEXIST)
            break;
    }
    return out->fd < 0 ? set_path_error(err, "create", path) : 0;
}

static void forget_names(struct smi_file_out *out)
{
    smi_mem_free(out->path);
    smi_mem_free(out->tmp);
    *out = (struct smi_file_out){.fd = -1};
}

/* The descriptor that a path like /dev/fd/3 names, or -1. */
static int descriptor_of(const char *path)
{
    int fd = -1, end = 0;
    if (strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0)
        return path[8] == 'o' ? 1 : 2;
    if (sscanf(path, "/dev/fd/%4d%n", &fd, &end) != 1 && sscanf(path, "/proc/self/fd/%4d%n", &fd, &end) != 1)
        return -1;
    return path[end] ? -1 : fd;
}

/* Where a link leads to, be that there or not; of what is no link, itself. NULL: too long. */
static const char *resolve_link(char real[PATH_MAX], const char *path)
{
    char to[PATH_MAX];
    ssize_t n;
    int dir = snprintf(real, PATH_MAX, "%s", path);
    for (int i = 0; i < LINKS && dir < PATH_MAX && (n = readlink(real, to, sizeof to)) > 0; i++) {
        const char *slash = *to == '/' ? NULL : strrchr(real, '/');
        dir = slash ? (int)(slash - real) + 1 : 0;
        dir += snprintf(real + dir, (size_t)(PATH_MAX - dir), "%.*s", (int)n, to);
    }
    return dir < PATH_MAX ? real : NULL;
}

/* Decides what is written to: a descriptor, device or FIFO as it is (never rename over /dev/null); of a link
 * the target, so that the link stays. */
static int open_output_target(struct smi_file_out *out, const char *path, struct smi_err *err)
{
    char real[PATH_MAX];
    struct stat st;
    int fd = descriptor_of(path);
    bool there = fd < 0 && stat(path, &st) == 0, direct = fd >= 0 || (there && !S_ISREG(st.st_mode));
    if (there && S_ISDIR(st.st_mode))
        return refuse_path(err, path, "is a directory");
    if (!direct && resolve_link(real, path))
        path = real;
    out->path = smi_mem_text(path, strlen(path));
    /* what may not be written to is not replaced either, and the mode stays where there are modes */
    if (!direct && there && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return set_path_error(err, "write", path);
    if (!direct && open_temporary(out, path, err))
        return -1;
    if (!direct && there)
        fchmod(out->fd, st.st_mode & 0777);
    if (!direct)
        return 0;
    out->fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return out->fd < 0 ? set_path_error(err, "write", path) : 0;
}

int smi_file_create(struct smi_file_out *out, const char *path, struct smi_err *err)
{
    *out = (struct smi_file_out){.fd = -1};
    if (strcmp(path, "-") == 0) {
        out->fd = 1;
        return 0;
    }
    if (open_output_target(out, path, err) == 0)
        return 0;
    forget_names(out);
    return -1;
}

/* The name is kept, too, when the power goes. Some file systems cannot; the file is there all the same. */
static void sync_directory(char *path)
{
    char *slash = strrchr(path, '/');
    int fd;
    if (slash)
        slash[slash == path] = 0;
    if ((fd = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        return;
    fsync(fd);
    close(fd);
}

int smi_file_close(struct smi_file_out *out, bool keep, struct smi_err *err)
{
    int ret = 0;
    const char *name = out->path;
    if (out->fd < 0 || !name) { /* never created, or standard output, which is not ours to close */
        forget_names(out);
        return 0;
    }
    if (out->tmp && keep && fsync(out->fd) != 0 && errno != EINVAL && errno != EROFS)
        ret = set_path_error(err, "write", name);
    if (close(out->fd) != 0 && errno != EINTR && keep && ret == 0)
        ret = set_path_error(err, "write", name);
    if (out->tmp && keep && ret == 0 && rename(out->tmp, out->path) != 0)
        ret = set_path_error(err, "rename into place", name);
    if (out->tmp && (!keep || ret != 0))
        unlink(out->tmp);
    else if (out->tmp)
        sync_directory(out->path);
    forget_names(out);
    return ret;
}

int smi_file_temp(struct smi_err *err)
{
    const char *dir = getenv("TMPDIR");
    char path[PATH_MAX];
    int fd;
    dir = dir && *dir ? dir : "/tmp";
    fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) { /* NFS: its name is gone at once */
        errno = ENAMETOOLONG;
        if (snprintf(path, sizeof path, "%s/smilog-XXXXXX", dir) < PATH_MAX)
            fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0)
            unlink(path);
    }
    return fd < 0 ? smi_file_error(err, "make a temporary file in", dir, strerror(errno)) : fd;
}
