/* walk_stream.c - what a stream begins with, without taking it away: samples of many runs have to be read
 * twice, and all else is left to its reader. */
#include "sweep/walk.h"

#include "base/stream.h"
#include "base/file.h"
#include "formats/detect.h"
#include "formats/samples_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 4096, PATIENCE_MS = 20 };

/* Behind what was peeked nothing is known. */
static int fill_nothing(struct smi_made_source *self, struct smi_err *err)
{
    (void)self, (void)err;
    return 0;
}

/* The format of samples that begin with these bytes, packed or not; or -1. *told: more bytes would say the
 * same. */
static int samples_of(const char *p, size_t n, bool *told)
{
    struct smi_byte_source none = {0};
    struct smi_made_source peeked;
    struct smi_err why = {0};
    struct smi_detect odd;
    struct smi_stream *s;
    char head[HEAD];
    size_t have = 0;
    ssize_t got = 1;
    int format;
    smi_made_source_open(&peeked, &none, false, fill_nothing);
    peeked.p = p;
    peeked.n = n;
    s = smi_stream_open(&peeked.pull, &why);
    while (s && smi_stream_content(s) == SMI_CONTAINER_PLAIN && got > 0 && have < sizeof head) {
        got = smi_stream_read(s, head + have, sizeof head - have, &why);
        have += got > 0 ? (size_t)got : 0;
    }
    *told = have == sizeof head || (have && memchr(head, '\n', have)) ||
            (s && smi_stream_content(s) != SMI_CONTAINER_PLAIN);
    smi_stream_close(s);
    format = have ? smi_detect(head, have, false, &odd) : -1;
    return smi_samples_format(format) ? format : -1;
}

/* What lies in the pipe fd by now, up to n bytes, which stay there. Returns how many, 0 at its end, or -1: it
 * is no pipe of which that can be asked. *last: nobody writes any more, or can, before something is taken
 * out: what was written in small pieces fills a pipe with fewer bytes than it holds of large ones, and so it
 * does the copy's. */
static ssize_t look_ahead(int fd, int to[2], char *buf, size_t n, bool *last)
{
    struct pollfd wait = {fd, POLLIN, 0}, copy = {to[1], POLLOUT, 0};
    ssize_t got, have = 0;
    while (poll(&wait, 1, -1) < 0 && errno == EINTR)
        ;
    *last = wait.revents & POLLHUP;
    got = tee(fd, to[1], n, SPLICE_F_NONBLOCK);
    *last |= poll(&copy, 1, 0) == 0;
    while (got > 0 && have < got) {
        ssize_t some = read(to[0], buf + have, (size_t)(got - have));
        if (some <= 0)
            return -1;
        have += some;
    }
    return got;
}

/* Bytes may come a few at a time: they are waited for until there is a line, or as much as the pipe holds. */
static int samples_in_pipe(int fd, char *buf)
{
    int to[2], format = -1, room = fcntl(fd, F_GETPIPE_SZ);
    ssize_t had, n = 0;
    bool last, told = false;
    if (room < 0 || pipe2(to, O_CLOEXEC) != 0)
        return -1;
    fcntl(to[1], F_SETPIPE_SZ, room); /* a smaller one is full before: then less is looked at */
    for (;;) {
        had = n;
        n = look_ahead(fd, to, buf, SMI_WALK_SNIFF_BYTES, &last);
        if (n > 0 && n > had)
            format = samples_of(buf, (size_t)n, &told);
        if (n <= 0 || format >= 0 || told || n >= room || n >= SMI_WALK_SNIFF_BYTES || (n == had && last))
            break;
        if (n == had)
            poll(NULL, 0, PATIENCE_MS);
    }
    close(to[0]);
    close(to[1]);
    return format;
}

static int keep_stream(int fd, const char *name, char *buf, struct smi_err *err)
{
    ssize_t n;
    int kept = smi_file_temp(err);
    while (kept >= 0 && (n = smi_file_read(fd, buf, SMI_WALK_SNIFF_BYTES, name, err)) != 0)
        if (n < 0 || smi_file_write(kept, buf, (size_t)n, "a temporary file ($TMPDIR)", err)) {
            close(kept);
            return -1;
        }
    return kept;
}

void smi_walk_stream(struct smi_entry *e, char *buf, struct smi_arena *texts, struct smi_err *err)
{
    struct smi_file_info info;
    struct smi_err why = {0};
    int fd = smi_file_open(AT_FDCWD, e->name, true, &info, &why), format = e->format;
    ssize_t n = 0;
    bool told;
    if (fd < 0) /* who reads it says so */
        return;
    if (format < 0 && info.stream)
        format = samples_in_pipe(fd, buf);
    else if (format < 0 && (n = smi_file_read_at(fd, buf, SMI_WALK_SNIFF_BYTES, 0, e->name, &why)) > 0)
        format = samples_of(buf, (size_t)n, &told);
    if (smi_samples_format(format)) {
        e->kind = SMI_ENTRY_ARCHIVE;
        e->format = format;
        e->dev = info.dev;
        e->ino = info.ino;
        e->kept = info.stream ? keep_stream(fd, e->name, buf, &why) + 1 : 0;
        if (info.stream && !e->kept) {
            e->kind = SMI_ENTRY_BAD;
            e->text = smi_arena_text(texts, why.text, strlen(why.text));
            if (!e->text)
                smi_err_nomem(err);
        }
    }
    close(fd);
}
