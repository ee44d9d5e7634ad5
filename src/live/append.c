#include "live/recorder.h"

#include "base/clock.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
    WAIT_MS = 200,     /* for the lock: it is held for microseconds, but its holder may have been stopped */
    PAUSE_NS = 200000, /* between two tries */
    NAME_SHOWN = 300   /* bytes of a path in a message: the reason has to fit behind it */
};

static int fail_on(struct smi_err *err, const char *verb, const char *path, const char *why)
{
    size_t n = strlen(path);
    return smi_err_set(err, SMI_EIO, "cannot %s %s: %s", verb, n > NAME_SHOWN ? path + n - NAME_SHOWN : path,
                       why);
}

/* A file that may be written but not read is taken; its last byte then stays unknown. */
static int open_path(int dir, const char *path, struct stat *st, struct smi_err *err)
{
    const int flags = O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    int fd = openat(dir, path, O_RDWR | flags, 0666);
    if (fd < 0 && errno == EACCES)
        fd = openat(dir, path, O_WRONLY | flags, 0666);
    if (fd < 0 || fstat(fd, st) != 0) {
        fail_on(err, "append to", path, strerror(errno));
    } else if (!S_ISREG(st->st_mode)) {
        fail_on(err, "append to", path,
                S_ISDIR(st->st_mode)    ? "it is a directory"
                : S_ISFIFO(st->st_mode) ? "it is a pipe; - is standard output"
                : S_ISSOCK(st->st_mode) ? "it is a socket"
                                        : "it is a device; - is standard output");
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Standard output goes where the caller's other writes go: its flags are left as they are. */
static int open_output(struct stat *st, struct smi_err *err)
{
    int fd = fcntl(1, F_DUPFD_CLOEXEC, 3);
    if (fd >= 0 && fstat(fd, st) == 0)
        return fd;
    fail_on(err, "write", "standard output", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

int smi_append_open(struct smi_append *a, const char *path, struct smi_err *err)
{
    return smi_append_open_at(a, AT_FDCWD, path, err);
}

static void set_file(struct smi_append *a, int fd, const struct stat *st)
{
    a->fd = fd;
    a->dev = st->st_dev;
    a->ino = st->st_ino;
    a->size = st->st_size;
}

int smi_append_open_at(struct smi_append *a, int dir, const char *path, struct smi_err *err)
{
    bool output = strcmp(path, "-") == 0;
    struct stat st;
    int fd = output ? open_output(&st, err) : open_path(dir, path, &st, err);
    *a = (struct smi_append){.fd = -1, .dir = dir, .file = !output};
    if (fd < 0)
        return -1;
    set_file(a, fd, &st);
    a->path = output ? smi_mem_text("standard output", 15) : smi_mem_text(path, strlen(path));
    if (pthread_mutex_init(&a->busy, NULL))
        smi_mem_exhausted();
    return 0;
}

int smi_append_renew(struct smi_append *a, struct smi_err *err)
{
    struct stat st;
    int fd = open_path(a->dir, a->path, &st, err);
    if (fd < 0)
        return -1;
    close(a->fd);
    set_file(a, fd, &st);
    a->headless = true;
    return 0;
}

int smi_append_check(struct smi_append *a, struct smi_err *err)
{
    struct stat st;
    struct smi_err kept = {0};
    bool there = !a->file || fstatat(a->dir, a->path, &st, 0) == 0;
    if (!a->file || (there && st.st_dev == a->dev && st.st_ino == a->ino && st.st_size >= a->size))
        return 0;
    if (there && st.st_dev == a->dev && st.st_ino == a->ino) {
        a->renewed = "truncated";
        a->alone = false; /* perhaps inside a line */
        a->size = st.st_size;
        a->headless = true;
        return 0;
    }
    there = fstat(a->fd, &st) == 0 && st.st_nlink > 0;
    if (smi_append_renew(a, there ? &kept : err))
        return there ? 0 : -1;
    a->renewed = there ? "renamed" : "deleted";
    return 0;
}

/* Whether the lock was had. */
static bool lock_file(int fd)
{
    const struct timespec pause = {0, PAUSE_NS};
    for (int64_t until = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; nanosleep(&pause, NULL)) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        if (!until)
            until = smi_clock_now_ms() + WAIT_MS;
        else if (smi_clock_now_ms() > until)
            return false;
    }
    return true;
}

/* One write; more only where the kernel took less than all. */
static int write_line(struct smi_append *a, const char *p, size_t n, struct smi_err *err)
{
    static char lf[] = "\n";
    struct iovec part[2] = {{lf, 0}, {(void *)(uintptr_t)p, n}};
    struct stat st = {.st_size = a->size};
    size_t written = 0, first;
    bool shared = a->file && !a->alone;
    char last = '\n';
    if (shared && fstat(a->fd, &st) != 0)
        return fail_on(err, "append to", a->path, strerror(errno));
    if (shared && st.st_size > 0 && pread(a->fd, &last, 1, st.st_size - 1) != 1)
        last = '\n';
    first = part[0].iov_len = last != '\n';
    while (written < n + first) {
        ssize_t k = writev(a->fd, part, 2);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            int why = k < 0 ? errno : EIO;
            off_t size =
                st.st_size; /* what was written of a line is cut off, unless another one's stands behind */
            if (a->file && written && fstat(a->fd, &st) == 0 && st.st_size == size + (off_t)written)
                (void)!ftruncate(a->fd, size);
            return fail_on(err, a->file ? "append to" : "write", a->path, strerror(why));
        }
        written += (size_t)k;
        part[0].iov_len = 0;
        part[1] = (struct iovec){(char *)(uintptr_t)p + (written - first), n + first - written};
    }
    a->size = st.st_size + (off_t)written;
    return 0;
}

int smi_append_line(struct smi_append *a, const char *p, size_t n, struct smi_err *err)
{
    bool locked;
    int rc;
    pthread_mutex_lock(&a->busy);
    rc = smi_append_check(a, err);
    locked = a->file && !a->alone && lock_file(a->fd);
    if (!rc && a->headless && a->head && a->head->n && p != a->head->p) /* p may be the head itself */
        rc = write_line(a, a->head->p, a->head->n, err);
    a->headless = a->headless && rc;
    if (!rc)
        rc = write_line(a, p, n, err);
    if (locked)
        flock(a->fd, LOCK_UN);
    pthread_mutex_unlock(&a->busy);
    return rc;
}

void smi_append_close(struct smi_append *a)
{
    if (a->path) {
        close(a->fd);
        pthread_mutex_destroy(&a->busy);
        smi_mem_free(a->path);
    }
    *a = (struct smi_append){.fd = -1};
}
