#include "aggregate/block_list.h"

#include "base/mem.h"
#include "base/file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- the file ---- */

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

static int write_block(struct smi_spill_file *s, const char *p, uint32_t *place, struct smi_err *err)
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

static int read_block(const struct smi_spill_file *s, uint32_t place, char *p, struct smi_err *err)
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

static void release_block(struct smi_spill_file *s, uint32_t place)
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

/* ---- lists ---- */

enum { FIRST = 1 << 12 /* of most chains nothing more is needed */ };

/* Room in the tail, which grows up to a block. */
static int reserve_tail(struct smi_block_list *c, size_t n, struct smi_err *err)
{
    size_t room = c->room ? c->room : FIRST;
    char *p;
    while (room < SMI_SPILL_BLOCK && room < c->n + n)
        room *= 2;
    if (room == c->room)
        return 0;
    p = smi_mem_raw(room);
    if (!p)
        return smi_err_nomem(err);
    if (c->n)
        memcpy(p, c->tail, c->n);
    smi_mem_free(c->tail);
    c->tail = p;
    c->room = room;
    return 0;
}

static int spill_block(struct smi_block_list *c, struct smi_err *err)
{
    if (smi_mem_reserve(&c->block, &c->cap, c->blocks + 1, sizeof *c->block))
        return smi_err_nomem(err);
    if (write_block(c->of, c->tail, &c->block[c->blocks], err))
        return -1;
    c->blocks++;
    c->n = 0;
    return 0;
}

int smi_block_list_add(struct smi_block_list *c, const char *p, size_t n, struct smi_err *err)
{
    while (n) {
        size_t some;
        if (c->n + n > c->room && reserve_tail(c, n, err))
            return -1;
        some = n < c->room - c->n ? n : c->room - c->n;
        memcpy(c->tail + c->n, p, some);
        c->n += some;
        p += some;
        n -= some;
        if (c->n == SMI_SPILL_BLOCK && spill_block(c, err))
            return -1;
    }
    return 0;
}

void smi_block_list_fini(struct smi_block_list *c)
{
    for (size_t i = 0; i < c->blocks; i++)
        release_block(c->of, c->block[i]);
    smi_mem_free(c->block);
    smi_mem_free(c->tail);
    *c = (struct smi_block_list){.of = c->of};
}

int smi_block_list_more(struct smi_block_list_cursor *at, struct smi_err *err)
{
    const struct smi_block_list *c = at->of;
    if (at->n)
        return 1;
    if (at->next < c->blocks) {
        if (!at->buf && !(at->buf = smi_mem_raw(SMI_SPILL_BLOCK)))
            return smi_err_nomem(err);
        if (read_block(c->of, c->block[at->next++], at->buf, err))
            return -1;
        at->p = at->buf;
        at->n = SMI_SPILL_BLOCK;
        return 1;
    }
    if (at->next++ > c->blocks)
        return 0;
    at->p = c->tail;
    at->n = c->n;
    return at->n > 0;
}

int smi_block_list_read(struct smi_block_list_cursor *at, char *p, size_t n, struct smi_err *err)
{
    while (n) {
        size_t some;
        int rc = smi_block_list_more(at, err);
        if (rc <= 0)
            return rc ? -1 : smi_err_set(err, SMI_EIO, "a temporary file ends too early");
        some = n < at->n ? n : at->n;
        memcpy(p, at->p, some);
        p += some;
        at->p += some;
        at->n -= some;
        n -= some;
    }
    return 0;
}

void smi_block_list_cursor_fini(struct smi_block_list_cursor *at)
{
    smi_mem_free(at->buf);
    *at = (struct smi_block_list_cursor){.of = at->of};
}
