#include "model/rows.h"

#include <string.h>

struct smi_rows smi_rows_part(const struct smi_rows *r, unsigned from, unsigned n, const int *who)
{
    struct smi_rows p = *r;
    p.n = n;
    p.u += from;
    p.t_ms = r->t_ms ? r->t_ms + from : NULL;
    p.who = who ? who : r->who ? r->who + from : NULL;
    return p;
}

static void *copy(const void *from, size_t n, size_t size, struct smi_arena *to)
{
    return memcpy(smi_arena_new(to, n, size), from, n * size);
}

struct smi_rows smi_rows_copy(const struct smi_rows *r, struct smi_arena *to)
{
    struct smi_rows k = *r;
    const unsigned columns = r->metrics << r->wide;
    int32_t *u = smi_arena_new(to, (size_t)r->n * columns, sizeof *u);
    for (unsigned c = 0; c < columns; c++)
        memcpy(u + (size_t)c * r->n, r->u + (size_t)c * r->stride, r->n * sizeof *u);
    k.u = u;
    k.stride = r->n;
    k.metric = copy(r->metric, r->metrics, sizeof *r->metric, to);
    k.scale = copy(r->scale, r->metrics, sizeof *r->scale, to);
    k.t_ms = r->t_ms ? copy(r->t_ms, r->n, sizeof *r->t_ms, to) : NULL;
    k.who = r->who ? copy(r->who, r->n, sizeof *r->who, to) : NULL;
    return k;
}

struct smi_row_block *smi_row_block_open(unsigned columns)
{
    struct smi_row_block *b =
        smi_mem_room(SMI_ROOM_BLOCK, sizeof *b + SMI_ROWS_MAX * (sizeof *b->t_ms + sizeof *b->who) +
                                         (size_t)columns * SMI_ROWS_STRIDE * sizeof *b->u);
    b->t_ms = (int64_t *)(b + 1);
    b->who = (int *)(b->t_ms + SMI_ROWS_MAX);
    b->u = b->who + SMI_ROWS_MAX;
    return b;
}
