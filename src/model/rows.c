#include "model/rows.h"

struct smi_sample smi_rows_sample(const struct smi_rows *r, unsigned i, int64_t *v)
{
    for (unsigned c = 0; r->u && c < r->metrics; c++)
        v[c] = r->u[c * SMI_ROWS_STRIDE + i] * r->scale[c];
    return (struct smi_sample){.t_ms = r->t_ms ? r->t_ms[i] : 0,
                               .timed = r->timed,
                               .fine = r->fine,
                               .who = r->who ? r->who[i] : SMI_DEVICE_KEYLESS,
                               .n = r->metrics,
                               .shared = r->shared,
                               .begins = r->begins,
                               .aside = r->aside,
                               .metric = r->metric,
                               .v = r->u ? v : r->v + (size_t)i * r->metrics,
                               .process = r->process ? &r->process[i] : NULL};
}

struct smi_rows smi_rows_part(const struct smi_rows *r, unsigned from, unsigned n, const int *who)
{
    struct smi_rows p = *r;
    p.n = n;
    if (r->u)
        p.u += from;
    else
        p.v += (size_t)from * r->metrics;
    if (r->t_ms)
        p.t_ms += from;
    p.who = who ? who : r->who ? r->who + from : NULL;
    p.process = r->process ? r->process + from : NULL;
    return p;
}

int smi_rows_each(const struct smi_rows *r, smi_row_fn *fn, struct smi_sink *self, struct smi_err *err)
{
    int64_t v[SMI_ROWS_COLUMNS];
    for (unsigned i = 0; i < r->n; i++) {
        const struct smi_sample s = smi_rows_sample(r, i, v);
        if (fn(self, &s, err))
            return -1;
    }
    return 0;
}

const int64_t *smi_sample_reading(const struct smi_sample *s, unsigned metric)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->metric[i] == metric)
            return &s->v[i];
    return NULL;
}

struct smi_rows smi_rows_of(const struct smi_sample *s)
{
    return (struct smi_rows){.n = 1,
                             .metrics = s->n,
                             .metric = s->metric,
                             .v = s->v,
                             .t_ms = &s->t_ms,
                             .who = s->who == SMI_DEVICE_KEYLESS ? NULL : &s->who,
                             .process = s->process,
                             .timed = s->timed,
                             .fine = s->fine,
                             .shared = s->shared,
                             .begins = s->begins,
                             .aside = s->aside};
}

int smi_sink_row(struct smi_sink *to, const struct smi_sample *s, struct smi_err *err)
{
    const struct smi_rows r = smi_rows_of(s);
    return to->rows(to, &r, err);
}
