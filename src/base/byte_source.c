#include "base/byte_source.h"

#include "base/file.h"
#include "base/mem.h"

#include <string.h>

static ssize_t read_fd(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct smi_fd_source *f = (struct smi_fd_source *)self;
    return smi_file_read(f->fd, buf, n, f->name, err);
}

struct smi_fd_source smi_fd_source_make(int fd, const char *name)
{
    return (struct smi_fd_source){.pull = {.read = read_fd}, .fd = fd, .name = name};
}

static ssize_t read_made(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct smi_made_source *m = (struct smi_made_source *)self;
    size_t done = 0, some;
    do {
        if (m->at == m->n) {
            m->at = m->n = 0;
            if (m->fill(m, err))
                return -1;
        }
        some = m->n - m->at < n - done ? m->n - m->at : n - done;
        if (some)
            memcpy((char *)buf + done, m->p + m->at, some);
        m->at += some;
        done += some;
    } while (some && done < n && m->small);
    if (!done && !*self->doubt)
        memcpy(self->doubt, m->from->doubt, sizeof self->doubt);
    return (ssize_t)done;
}

void smi_made_source_open(struct smi_made_source *m, struct smi_byte_source *from, bool small,
                          int (*fill)(struct smi_made_source *self, struct smi_err *err))
{
    *m = (struct smi_made_source){.pull = {.read = read_made}, .from = from, .fill = fill, .small = small};
}

static ssize_t read_peeked(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err)
{
    struct smi_peek_source *a = (struct smi_peek_source *)self;
    size_t left = a->n - a->at;
    ssize_t got;
    if (!left) {
        got = a->from->read(a->from, buf, n, err);
        if (got == 0)
            memcpy(self->doubt, a->from->doubt, sizeof self->doubt);
        return got;
    }
    n = n < left ? n : left;
    memcpy(buf, a->p + a->at, n);
    a->at += n;
    return (ssize_t)n;
}

int smi_peek_source_open(struct smi_peek_source *a, struct smi_byte_source *from, size_t want,
                         struct smi_err *err)
{
    ssize_t got = 1;
    *a = (struct smi_peek_source){.pull = {.read = read_peeked}, .from = from};
    a->p = smi_mem_raw(want);
    if (!a->p)
        return smi_err_nomem(err);
    while (a->n < want && got > 0) {
        got = from->read(from, a->p + a->n, want - a->n, err);
        if (got > 0)
            a->n += (size_t)got;
    }
    return got < 0 ? -1 : 0;
}

void smi_peek_source_fini(struct smi_peek_source *a)
{
    smi_mem_free(a->p);
    *a = (struct smi_peek_source){0};
}
