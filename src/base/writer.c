#include "base/loop.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* A description of our own, so that O_NONBLOCK is not set for the shell that we share fd with. Returns -1 if
 * it belongs to another user; /dev/tty may always be opened. */
static int open_again(int fd, bool terminal)
{
    enum { FLAGS = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
    char path[40];
    int own;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    own = open(path, FLAGS);
    if (own < 0 && terminal && tcgetpgrp(fd) >= 0) /* it is our controlling terminal */
        own = open("/dev/tty", FLAGS);
    return own;
}

void smi_writer_open(struct smi_writer *w, int fd, const char *name)
{
    struct stat st;
    bool terminal = isatty(fd), known = fstat(fd, &st) == 0;
    *w = (struct smi_writer){.name = name, .given = fd, .fd = fd, .most = SIZE_MAX};
    if (known && S_ISSOCK(st.st_mode)) {
        w->kind = SMI_WRITER_SOCKET;
    } else if (terminal || (known && S_ISFIFO(st.st_mode))) {
        w->fd = open_again(fd, terminal);
        w->kind = w->fd >= 0 ? SMI_WRITER_OWN : SMI_WRITER_SHARED;
    }
    if (w->kind == SMI_WRITER_SHARED) {
        w->fd = fd;
        w->most = terminal ? 1 : PIPE_BUF; /* for so much there is room whenever poll says so */
    }
}

static ssize_t write_some(struct smi_writer *w)
{
    const char *p = w->queue.p + w->at;
    size_t n = smi_writer_pending(w);
    struct pollfd room = {.fd = w->fd, .events = POLLOUT};
    if (w->kind == SMI_WRITER_SOCKET)
        return send(w->fd, p, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (w->kind == SMI_WRITER_SHARED && poll(&room, 1, 0) <= 0) {
        errno = EAGAIN;
        return -1;
    }
    return write(w->fd, p, n < w->most ? n : w->most);
}

int smi_writer_flush(struct smi_writer *w, struct smi_err *err)
{
    while (smi_writer_pending(w)) {
        ssize_t n = write_some(w);
        if (n >= 0) {
            w->at += (size_t)n;
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            smi_err_set(err, SMI_EIO, "cannot write %s: %s", w->name, strerror(errno));
            w->failed = true;
            smi_writer_discard(w);
            return -1;
        }
    }
    if (w->at > w->queue.n / 2) {
        memmove(w->queue.p, w->queue.p + w->at, smi_writer_pending(w));
        w->queue.n -= w->at;
        w->at = 0;
    }
    return 0;
}

static int64_t count_lines(const char *p, size_t n)
{
    int64_t lines = 0;
    for (const char *end = p + n; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
        lines++;
    return lines;
}

int smi_writer_put(struct smi_writer *w, const char *p, size_t n, struct smi_err *err)
{
    if (w->kind == SMI_WRITER_FILE) {
        w->failed = smi_file_write(w->fd, p, n, w->name, err) != 0;
        return w->failed ? -1 : 0;
    }
    if (smi_writer_flush(w, err))
        return -1;
    if (smi_writer_pending(w) && smi_writer_pending(w) + n > SMI_WRITER_BYTES) {
        w->dropped += count_lines(p, n);
        return 0;
    }
    smi_buf_add(&w->queue, p, n);
    return smi_writer_flush(w, err);
}

void smi_writer_watch(const struct smi_writer *w, struct smi_loop *l)
{
    if (smi_writer_pending(w))
        smi_loop_watch_for(l, w->fd, POLLOUT);
}

int64_t smi_writer_discard(struct smi_writer *w)
{
    int64_t lines = smi_writer_pending(w) ? count_lines(w->queue.p + w->at, smi_writer_pending(w)) : 0;
    smi_buf_fini(&w->queue);
    w->at = 0;
    return lines;
}

void smi_writer_close(struct smi_writer *w)
{
    smi_writer_discard(w);
    if (w->kind == SMI_WRITER_OWN)
        close(w->fd);
}
