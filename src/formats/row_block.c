/* row_block.c - rows of a reader become blocks of one shape. */
#include "base/mem.h"
#include "formats/format.h"

enum { DECIMALS = 6 };

/* v in units of so many decimals, rounded down. A constant divisor costs a tenth of a variable one. */
static int64_t in_units(int64_t v, unsigned decimals)
{
    switch (decimals) {
    case 0:
        return v / 1000000;
    case 1:
        return v / 100000;
    case 2:
        return v / 10000;
    case 3:
        return v / 1000;
    case 4:
        return v / 100;
    case 5:
        return v / 10;
    default:
        return v;
    }
}

static const int64_t unit_of[DECIMALS + 1] = {1000000, 100000, 10000, 1000, 100, 10, 1};

/* The reading in the unit, if it is a whole number of it, and fits; else -1. */
static int32_t unit_count(int64_t v, unsigned decimals)
{
    const int64_t u = in_units(v, decimals);
    return u * unit_of[decimals] == v && u >= 0 && u <= INT32_MAX ? (int32_t)u : -1;
}

struct smi_row_block *smi_row_block_open(enum smi_mem_kind room, unsigned columns)
{
    struct smi_row_block *b =
        smi_mem_room(room, sizeof *b + SMI_ROWS_MAX * (sizeof *b->t_ms + sizeof *b->who) +
                               (size_t)columns * SMI_ROWS_STRIDE * sizeof *b->u);
    b->t_ms = (int64_t *)(b + 1);
    b->who = (int *)(b->t_ms + SMI_ROWS_MAX);
    b->u = b->who + SMI_ROWS_MAX;
    b->n = 0;
    return b;
}

static bool has_shape(const struct smi_row_block *b, const struct smi_sample *s)
{
    return b->metrics == s->n && b->timed == s->timed && b->fine == s->fine && b->shared == s->shared &&
           b->aside == s->aside && b->keyless == (s->who == SMI_DEVICE_KEYLESS) &&
           memcmp(b->metric, s->metric, s->n * sizeof *s->metric) == 0;
}

/* Appends the row, if its readings fit the units of the columns. */
static bool append_row(struct smi_row_block *b, const struct smi_sample *s)
{
    int32_t *u = b->u + b->n;
    for (unsigned c = 0; c < s->n; c++, u += SMI_ROWS_STRIDE)
        if ((*u = unit_count(s->v[c], b->decimals[c])) < 0)
            return false;
    b->t_ms[b->n] = s->t_ms;
    b->who[b->n++] = s->who;
    return true;
}

/* A block that begins with this row. The unit of a column is the step of its metric, or a finer one that was
 * needed before. Returns whether other rows can follow: all readings fit. */
static bool begin_block(struct smi_lines *l, const struct smi_sample *s)
{
    struct smi_row_block *b = l->block = smi_row_block_open(SMI_ROOM_BLOCK, s->n);
    bool fits = true;
    b->metrics = s->n;
    b->timed = s->timed;
    b->fine = s->fine;
    b->shared = s->shared;
    b->aside = s->aside;
    b->keyless = s->who == SMI_DEVICE_KEYLESS;
    b->pending = b->keyless || l->host.n;
    for (unsigned c = 0; c < s->n; c++) {
        const unsigned m = b->metric[c] = s->metric[c];
        unsigned d = l->decimals[m];
        while (unit_of[d] > smi_metrics[m].step || (d < DECIMALS && s->v[c] % unit_of[d]))
            d++;
        l->decimals[m] = b->decimals[c] = (uint8_t)d;
        b->scale[c] = unit_of[d];
        fits &= unit_count(s->v[c], d) >= 0;
    }
    return fits;
}

/* A row that no other can follow. */
static void append_alone(struct smi_row_block *b, const struct smi_sample *s)
{
    for (unsigned c = 0; c < s->n; c++)
        b->u[(size_t)c * SMI_ROWS_STRIDE] = smi_rows_unit(s->v[c], &b->scale[c]);
    b->t_ms[0] = s->t_ms;
    b->who[0] = s->who;
    b->n = 1;
}

static int pass_block(struct smi_lines *l, bool begins, const struct smi_process *process,
                      struct smi_err *err)
{
    const struct smi_row_block *b = l->block;
    const struct smi_rows r = {.n = b->n,
                               .metrics = b->metrics,
                               .metric = b->metric,
                               .u = b->u,
                               .stride = SMI_ROWS_STRIDE,
                               .scale = b->scale,
                               .t_ms = b->t_ms,
                               .who = b->keyless ? NULL : b->who,
                               .process = process,
                               .timed = b->timed,
                               .fine = b->fine,
                               .shared = b->shared,
                               .begins = begins,
                               .aside = b->aside};
    l->block = NULL;
    return l->to->rows(l->to, &r, err);
}

int smi_lines_row(struct smi_lines *l, const struct smi_sample *s, struct smi_err *err)
{
    const bool alone = s->process || s->begins;
    struct smi_row_block *b = l->block;
    if (b && !alone && b->n < SMI_ROWS_MAX && has_shape(b, s) && append_row(b, s))
        return 0;
    if (smi_lines_flush(l, err))
        return -1;
    if (begin_block(l, s) && !alone) {
        append_row(l->block, s);
        return 0;
    }
    append_alone(l->block, s);
    return pass_block(l, s->begins, s->process, err);
}

int smi_lines_flush(struct smi_lines *l, struct smi_err *err)
{
    return l->block ? pass_block(l, false, NULL, err) : 0;
}

int smi_lines_settle_devices(struct smi_lines *l, struct smi_err *err)
{
    return l->block && l->block->pending ? pass_block(l, false, NULL, err) : 0;
}

int smi_lines_mark(struct smi_lines *l, const struct smi_mark *m, struct smi_err *err)
{
    return smi_lines_flush(l, err) ? -1 : l->to->mark ? l->to->mark(l->to, m, err) : 0;
}
