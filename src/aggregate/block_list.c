#include "aggregate/block_list.h"

#include "base/mem.h"

#include <string.h>

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
    if (smi_spill_file_write(c->of, c->tail, &c->block[c->blocks], err))
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
        smi_spill_file_release(c->of, c->block[i]);
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
        if (smi_spill_file_read(c->of, c->block[at->next++], at->buf, err))
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
