#include "aggregate/spill_file.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "a temporary file";

/* Keeps what went wrong. Returns -1. */
static int keep_error(struct smi_spill_file *s, const struct smi_err *why, struct smi_err *err)
{
    smi_err_set(&s->err, why->code, "%s", why->text);
    return smi_err_set(err, why->code, "%s", why->text);
}

static int create_file(struct smi_spill_file *s, struct smi_err *err)
{
    s->fd = smi_file_temp(err);
    s->made = s->fd >= 0;
    return s->made ? 0 : -1;
}

/* All of it, or what the disk says. */
static int write_at(int fd, const char *p, size_t n, off_t at, struct smi_err *err)
{
    while (n) {
        ssize_t done = pwrite(fd, p, n, at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return smi_err_set(err, SMI_EIO, "cannot write %s ($TMPDIR): %s", name, strerror(errno));
        p += done;
        at += done;
        n -= (size_t)done;
    }
    return 0;
}

int smi_spill_file_write(struct smi_spill_file *s, const char *p, uint32_t *place, struct smi_err *err)
{
    struct smi_err why = {0};
    if (!s->made && create_file(s, &why))
        return keep_error(s, &why, err);
    if (!s->nfree && s->blocks == UINT32_MAX)
        return smi_err_set(&why, SMI_ELIMIT, "%s is too large", name), keep_error(s, &why, err);
    *place = s->nfree ? s->free[s->nfree - 1] : s->blocks;
    if (write_at(s->fd, p, SMI_SPILL_BLOCK, (off_t)*place * SMI_SPILL_BLOCK, &why))
        return keep_error(s, &why, err);
    s->nfree -= s->nfree > 0;
    s->blocks += *place == s->blocks;
    return 0;
}

int smi_spill_file_read(const struct smi_spill_file *s, uint32_t place, char *p, struct smi_err *err)
{
    int64_t at = (int64_t)place * SMI_SPILL_BLOCK;
    for (size_t got = 0; got < SMI_SPILL_BLOCK;) {
        ssize_t n = smi_file_read_at(s->fd, p + got, SMI_SPILL_BLOCK - got, at + (int64_t)got, name, err);
        if (n < 0)
            return -1;
        if (n == 0)
            return smi_err_set(err, SMI_EIO, "%s ends too early", name);
        got += (size_t)n;
    }
    return 0;
}

void smi_spill_file_release(struct smi_spill_file *s, uint32_t place)
{
    if (smi_mem_reserve(&s->free, &s->cap, s->nfree + 1, sizeof *s->free) == 0)
        s->free[s->nfree++] = place; /* without memory the block is lost until the file is closed */
}

void smi_spill_file_fini(struct smi_spill_file *s)
{
    if (s->made)
        close(s->fd);
    smi_mem_free(s->free);
    *s = (struct smi_spill_file){0};
}
