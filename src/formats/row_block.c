/* row_block.c - rows of a reader become blocks of one shape. */
#include "base/mem.h"
#include "formats/format.h"

static bool has_shape(const struct smi_rows *r, const struct smi_sample *s)
{
    return r->metrics == s->n && r->timed == s->timed && r->fine == s->fine && r->shared == s->shared &&
           r->aside == s->aside && !r->who == (s->who == SMI_DEVICE_KEYLESS) &&
           memcmp(r->metric, s->metric, s->n * sizeof *s->metric) == 0;
}

/* An empty block for rows as this one. The unit of a column is the step of its metric, or a finer one that a
 * reading needs, or needed before and is not too fine for this one. */
static struct smi_row_block *begin_block(struct smi_lines *l, const struct smi_sample *s)
{
    struct smi_row_block *b = l->block = smi_row_block_open(SMI_ROOM_BLOCK, s->n);
    l->problems = l->account->problems;
    b->r = (struct smi_rows){.metrics = s->n,
                             .metric = memcpy(b->metric, s->metric, s->n * sizeof *s->metric),
                             .u = b->u,
                             .stride = SMI_ROWS_STRIDE,
                             .scale = b->scale,
                             .t_ms = b->t_ms,
                             .who = s->who == SMI_DEVICE_KEYLESS ? NULL : b->who,
                             .process = s->process,
                             .timed = s->timed,
                             .fine = s->fine,
                             .shared = s->shared,
                             .begins = s->begins,
                             .aside = s->aside};
    for (unsigned c = 0; c < s->n; c++) {
        int32_t *unit = &l->unit[s->metric[c]];
        if (*unit == 0 || s->v[c] / *unit > INT32_MAX)
            *unit = (int32_t)smi_metrics[s->metric[c]].step;
        while (s->v[c] % *unit)
            *unit /= 10;
        b->scale[c] = *unit;
    }
    return b;
}

/* Appends the row, if its readings are whole numbers of the units, and fit. own: to an empty block, whose
 * units become those of this row: any readings fit. (What a row that does not fit left behind in a column is
 * overwritten by the next.) */
static bool append_row(struct smi_row_block *b, const struct smi_sample *s, bool own)
{
    int32_t *u = b->u + b->r.n;
    for (unsigned c = 0; c < s->n; c++, u += SMI_ROWS_STRIDE) {
        const int64_t n = own ? smi_rows_unit(s->v[c], &b->scale[c]) : s->v[c] / b->scale[c];
        if (!own && (n * b->scale[c] != s->v[c] || (uint64_t)n > INT32_MAX))
            return false;
        *u = (int32_t)n;
    }
    b->t_ms[b->r.n] = s->t_ms;
    b->who[b->r.n++] = s->who;
    return true;
}

/* Has the row to go on before a device is made? Attribution looks at what is known then: of a machine whose
 * GPUs have no key, and of the GPU that the first row behind rows without a key names. */
static bool decides_devices(struct smi_lines *l, const struct smi_sample *s)
{
    const bool before = l->keyless;
    l->keyless = s->who == SMI_DEVICE_KEYLESS || (before && s->who < 0);
    return s->who >= 0 && l->devices && (l->devices->list[s->who].machine || before);
}

int smi_lines_row(struct smi_lines *l, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_row_block *b = l->block;
    bool alone = s->process || s->begins || decides_devices(l, s);
    if (b && !alone && b->r.n < SMI_ROWS_MAX && l->problems == l->account->problems && has_shape(&b->r, s) &&
        append_row(b, s, false))
        return 0;
    if (smi_lines_flush(l, err))
        return -1;
    b = begin_block(l, s);
    if (!append_row(b, s, false))
        alone = append_row(b, s, true);
    return alone ? smi_lines_flush(l, err) : 0;
}

int smi_lines_flush(struct smi_lines *l, struct smi_err *err)
{
    const struct smi_row_block *b = l->block;
    size_t at = l->problems, now = l->account->problems;
    const int rc = b ? l->to->rows(l->to, &b->r, err) : 0;
    struct smi_log_warning *p = l->account->problem, told;
    /* Problems that came since the last row of the block are of later lines: what its rows tell now, from
     * place `now` on, goes in front of them. */
    for (; b && at < now && now < l->account->problems; at++, now++) {
        told = p[now];
        memmove(&p[at + 1], &p[at], (now - at) * sizeof *p);
        p[at] = told;
    }
    l->block = NULL;
    return rc;
}

int smi_lines_mark(struct smi_lines *l, const struct smi_mark *m, struct smi_err *err)
{
    return l->block && smi_lines_flush(l, err) ? -1 : l->to->mark ? l->to->mark(l->to, m, err) : 0;
}
