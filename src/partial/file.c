/* file.c - a file of partial summaries. */
#include "archive/stream.h"
#include "base/file.h"
#include "partial/partial.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* One file of documents, a line each, of any length. */
struct input {
    const char *name;
    const char *run; /* --run, or NULL */
    struct smi_buf line;
};

static int take_line(struct smi_partials *p, struct input *in, struct smi_err *err)
{
    int rc = in->line.failed ? smi_err_nomem(err) : 0;
    if (!rc && in->line.n)
        rc = smi_partial_get(p, in->line.p, in->line.n, in->name, in->run, err);
    smi_buf_clear(&in->line);
    return rc;
}

static int take_piece(struct smi_partials *p, struct input *in, const char *at, size_t n, struct smi_err *err)
{
    for (const char *end = at + n, *lf; at < end; at = lf + 1) {
        lf = memchr(at, '\n', (size_t)(end - at));
        smi_buf_add(&in->line, at, (size_t)((lf ? lf : end) - at));
        if (!lf)
            break;
        if (take_line(p, in, err))
            return -1;
    }
    return 0;
}

int smi_partials_file(struct smi_partials *p, const char *path, const char *run_name, struct smi_err *err)
{
    struct input in = {.name = strcmp(path, "-") == 0 ? "standard input" : path, .run = run_name};
    struct smi_file_info info;
    char piece[65536];
    ssize_t n = 0;
    size_t all = 0;
    int fd = smi_file_open(AT_FDCWD, path, true, &info, err), rc;
    struct smi_pull_fd from = smi_pull_of_fd(fd, in.name);
    struct smi_stream *s = fd < 0 ? NULL : smi_stream_open(&from.pull, err);
    for (rc = s ? 0 : -1; !rc && (n = smi_stream_read(s, piece, sizeof piece, err)) > 0; all += (size_t)n)
        rc = take_piece(p, &in, piece, (size_t)n, err);
    if (!rc)
        rc = n < 0 ? -1 : take_line(p, &in, err);
    if (!rc && smi_stream_doubt(s))
        rc = smi_err_set(err, SMI_EFORMAT, "%.300s: %s", in.name, smi_stream_doubt(s));
    if (!rc && !all)
        rc = smi_err_set(err, SMI_EFORMAT, "%.300s: is empty, and no partial summary", in.name);
    smi_stream_close(s);
    if (fd >= 0)
        close(fd);
    smi_buf_fini(&in.line);
    return rc;
}
