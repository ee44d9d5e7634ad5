#include "formats/fast_block.h"

#include "base/mem.h"

static const int64_t unit[] = {1000000, 100000, 10000, 1000, 100, 10, 1}; /* millionths, by decimals */

bool smi_fast_block_bind(struct smi_fast_block *b, const uint16_t *metric, unsigned n)
{
    b->columns = b->metrics = b->n = 0;
    if (n == 0 || n > SMI_ROWS_COLUMNS)
        return false;
    smi_mem_reserve(&b->column, &b->column_cap, n, sizeof *b->column);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < i; k++)
            if (metric[k] == metric[i]) /* the general path decides which of the two counts */
                return false;
        b->column[i] = (struct smi_fast_block_column){.metric = metric[i]};
    }
    b->columns = n;
    return true;
}

static void shape_number(struct smi_fast_block_column *c)
{
    int64_t fits = smi_metrics[c->metric].most, limit = SMI_GAUGE_LIMIT - 1;
    int64_t most = (fits < limit ? fits : limit) / unit[c->decimals];
    unsigned point = 56u - 8u * c->decimals;
    struct smi_kernel_number *s = &c->number;
    *s = (struct smi_kernel_number){.above = ~(uint64_t)0,
                                    .digits = (uint64_t)0xFF << 56,
                                    .limit = most > INT32_MAX ? INT32_MAX : (uint64_t)most};
    s->blank = c->at > 0; /* that parts it from the one before */
    if (!c->decimals)
        return;
    s->point_mask = (uint64_t)0xFF << point;
    s->point = (uint64_t)'.' << point;
    s->below = ((uint64_t)1 << point) - 1;
    s->above = ~(s->below << 8 | 0xFF);
    s->digits |= (uint64_t)0xFF << point; /* a digit stands in front of the point */
}

bool smi_fast_block_shape(struct smi_fast_block *b)
{
    b->metrics = b->missing = b->slots = 0;
    b->units = false;
    b->power = b->limit = NULL;
    if (b->columns > b->room_for) { /* there may be more than before */
        smi_mem_free(b->t_ms);
        b->room_for = b->columns;
        b->t_ms = smi_mem_raw(SMI_ROWS_MAX * (sizeof *b->t_ms + sizeof *b->who) +
                              b->columns * SMI_ROWS_STRIDE * sizeof *b->room);
        b->who = (int *)(b->t_ms + SMI_ROWS_MAX);
        b->room = b->who + SMI_ROWS_MAX;
    }
    for (unsigned i = 0; i < b->columns; i++) {
        struct smi_fast_block_column *c = &b->column[i];
        if (c->missing) {
            b->missing++;
            continue;
        }
        shape_number(c);
        c->u = b->room + (size_t)b->metrics * SMI_ROWS_STRIDE;
        b->metric[b->metrics] = c->metric;
        b->scale[b->metrics++] = unit[c->decimals];
        if (c->metric == SMI_POWER)
            b->power = c;
        else if (c->metric == SMI_POWER_LIMIT_ENFORCED || (c->metric == SMI_POWER_LIMIT && !b->limit))
            b->limit = c;
        if (c->direct)
            continue;
        b->slot[b->slots++] = c;
        b->units |= c->unit_n > 0;
    }
    return b->metrics > 0;
}

/* Appends the next n rows, up to the first whose power its limit does not allow. */
static unsigned append_rows(struct smi_fast_block *b, unsigned n)
{
    unsigned fit = b->power && b->limit ? 0 : n;
    while (fit < n && smi_power_fits(b->power->u[b->n + fit] * unit[b->power->decimals],
                                     b->limit->u[b->n + fit] * unit[b->limit->decimals]))
        fit++;
    b->n += fit;
    return fit;
}

unsigned smi_fast_block_cells(struct smi_fast_block *b, const char *p, const uint32_t *at, size_t cells,
                              unsigned n)
{
    for (unsigned k = 0; k < b->slots && n; k++) {
        const struct smi_fast_block_column *c = b->slot[k];
        n = (unsigned)smi_kernel_cells(p, at + c->place, cells, n, c->cut, &c->number, c->u + b->n);
    }
    return append_rows(b, n);
}

unsigned smi_fast_block_fixed(struct smi_fast_block *b, const char *p, const uint32_t *row, unsigned n)
{
    for (unsigned k = 0; k < b->slots && n; k++) {
        const struct smi_fast_block_column *c = b->slot[k];
        n = (unsigned)smi_kernel_column(p + c->at, row, n, c->len, &c->number, c->u + b->n);
    }
    return append_rows(b, n);
}

int smi_fast_block_flush(struct smi_fast_block *b, struct smi_lines *l, struct smi_err *err)
{
    struct smi_rows r = {.n = b->n,
                         .metrics = b->metrics,
                         .metric = b->metric,
                         .scale = b->scale,
                         .u = b->room,
                         .t_ms = b->timed ? b->t_ms : NULL,
                         .who = b->keyed ? b->who : NULL,
                         .timed = b->timed,
                         .fine = b->fine};
    if (!b->n)
        return 0;
    l->account->lines += b->n;
    l->account->cells_missing += (int64_t)b->n * b->missing;
    for (unsigned i = 0; b->host && i < b->n; i++)
        b->who[i] = SMI_DEVICE_HOST;
    for (unsigned i = 0; b->missing && i < b->columns; i++)
        if (b->column[i].missing)
            smi_account_request(l->account, b->column[i].metric);
    b->n = 0;
    return l->to->rows(l->to, &r, err);
}

void smi_fast_block_fini(struct smi_fast_block *b)
{
    smi_mem_free(b->t_ms);
    smi_mem_free(b->column);
}
