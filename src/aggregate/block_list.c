#include "aggregate/block_list.h"

#include "base/mem.h"

#include <string.h>

enum { FIRST = 1 << 12 /* of most chains nothing more is needed */ };

/* Room in the tail, which grows up to a block. */
static int widen(struct smi_chain *c, size_t n, struct smi_err *err)
{
    size_t room = c->room ? c->room : FIRST;
    char *p;
    while (room < SMI_SCRATCH_BLOCK && room < c->n + n)
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

static int put_block(struct smi_chain *c, struct smi_err *err)
{
    if (smi_mem_reserve(&c->block, &c->cap, c->blocks + 1, sizeof *c->block))
        return smi_err_nomem(err);
    if (smi_scratch_put(c->of, c->tail, &c->block[c->blocks], err))
        return -1;
    c->blocks++;
    c->n = 0;
    return 0;
}

int smi_chain_add(struct smi_chain *c, const char *p, size_t n, struct smi_err *err)
{
    while (n) {
        size_t some;
        if (c->n + n > c->room && widen(c, n, err))
            return -1;
        some = n < c->room - c->n ? n : c->room - c->n;
        memcpy(c->tail + c->n, p, some);
        c->n += some;
        p += some;
        n -= some;
        if (c->n == SMI_SCRATCH_BLOCK && put_block(c, err))
            return -1;
    }
    return 0;
}

void smi_chain_fini(struct smi_chain *c)
{
    for (size_t i = 0; i < c->blocks; i++)
        smi_scratch_drop(c->of, c->block[i]);
    smi_mem_free(c->block);
    smi_mem_free(c->tail);
    *c = (struct smi_chain){.of = c->of};
}

int smi_chain_more(struct smi_chain_at *at, struct smi_err *err)
{
    const struct smi_chain *c = at->of;
    if (at->n)
        return 1;
    if (at->next < c->blocks) {
        if (!at->buf && !(at->buf = smi_mem_raw(SMI_SCRATCH_BLOCK)))
            return smi_err_nomem(err);
        if (smi_scratch_get(c->of, c->block[at->next++], at->buf, err))
            return -1;
        at->p = at->buf;
        at->n = SMI_SCRATCH_BLOCK;
        return 1;
    }
    if (at->next++ > c->blocks)
        return 0;
    at->p = c->tail;
    at->n = c->n;
    return at->n > 0;
}

int smi_chain_get(struct smi_chain_at *at, char *p, size_t n, struct smi_err *err)
{
    while (n) {
        size_t some;
        int rc = smi_chain_more(at, err);
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

void smi_chain_leave(struct smi_chain_at *at)
{
    smi_mem_free(at->buf);
    *at = (struct smi_chain_at){.of = at->of};
}
