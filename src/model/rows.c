#include "model/rows.h"

#include "model/sink.h"

struct smi_sample smi_rows_sample(const struct smi_rows *r, unsigned i, int64_t *v)
{
    for (unsigned c = 0; c < r->metrics; c++)
        v[c] = r->u[c * SMI_ROWS_STRIDE + i] * r->scale[c];
    return (struct smi_sample){.t_ms = r->timed ? r->t_ms[i] : 0,
                               .timed = r->timed,
                               .fine = r->fine,
                               .who = r->who ? r->who[i] : SMI_DEVICE_KEYLESS,
                               .n = r->metrics,
                               .metric = r->metric,
                               .v = v};
}

struct smi_rows smi_rows_part(const struct smi_rows *r, unsigned from, unsigned n, const int *who)
{
    struct smi_rows p = *r;
    p.n = n;
    p.u += from;
    p.t_ms += r->timed ? from : 0;
    p.who = who ? who : r->who ? r->who + from : NULL;
    return p;
}

int smi_sink_rows(struct smi_sink *to, const struct smi_rows *r, struct smi_err *err)
{
    int64_t v[SMI_ROWS_COLUMNS];
    if (to->rows)
        return to->rows(to, r, err);
    for (unsigned i = 0; i < r->n; i++) {
        struct smi_sample s = smi_rows_sample(r, i, v);
        if (to->take(to, &s, err))
            return -1;
    }
    return 0;
}
