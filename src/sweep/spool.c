#include "sweep/spool.h"

#include "base/file.h"
#include "sample/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Is the log of a kind that is not read twice? */
static bool done(const struct smi_spool *s)
{
    int format = smi_ingest_format(s->in);
    return format >= 0 && !(smi_sources[format].rows && smi_sources[format].marks);
}

static int begin(struct smi_spool *s)
{
    const char *dir = getenv("TMPDIR");
    s->fd = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return s->fd >= 0 ? 0 : smi_err_set(&s->lost, SMI_EIO, "a temporary file: %s", strerror(errno));
}

static void keep(struct smi_spool *s, const char *p, size_t n)
{
    int rc = s->fd < 0 ? begin(s) : 0;
    s->size += (int64_t)n;
    if (!rc && s->size > SMI_SPOOL_MAX)
        rc = smi_err_set(&s->lost, SMI_ELIMIT, "more than %lld MiB", (long long)(SMI_SPOOL_MAX >> 20));
    s->over = rc || smi_file_put(s->fd, p, n, "a temporary file", &s->lost);
}

static ssize_t read_kept(struct smi_pull *self, void *buf, size_t n, struct smi_err *err)
{
    struct smi_spool *s = (struct smi_spool *)self;
    ssize_t got = s->from.pull.read(&s->from.pull, buf, n, err);
    s->over |= done(s);
    if (got > 0 && !s->over)
        keep(s, buf, (size_t)got);
    return got;
}

struct smi_pull *smi_spool_open(struct smi_spool *s, int fd, const char *name)
{
    *s = (struct smi_spool){.pull = {.read = read_kept}, .from = smi_pull_of_fd(fd, name), .fd = -1};
    return &s->pull;
}

int smi_spool_take(struct smi_spool *s)
{
    int fd = s->fd;
    if (s->over)
        return -1;
    if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0)
        return smi_err_set(&s->lost, SMI_EIO, "a temporary file: %s", strerror(errno));
    s->fd = -1;
    return fd;
}

void smi_spool_fini(struct smi_spool *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}
