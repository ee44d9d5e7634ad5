/* rows_each.h - rows one by one, as a reader has them, and back. */
#pragma once
#include "formats/format.h"

typedef int rows_each_fn(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err);

/* Calls fn with self for each row of the block, until it returns -1. */
static inline int rows_each(const struct smi_rows *r, rows_each_fn *fn, struct smi_sink *self,
                            struct smi_err *err)
{
    for (unsigned i = 0; i < r->n; i++) {
        struct smi_sample s = {.t_ms = r->t_ms ? r->t_ms[i] : 0,
                               .timed = r->timed,
                               .fine = r->fine,
                               .shared = r->shared,
                               .begins = r->begins,
                               .aside = r->aside,
                               .who = r->who ? r->who[i] : SMI_DEVICE_KEYLESS,
                               .n = r->metrics,
                               .process = r->process};
        if (r->metrics)
            memcpy(s.metric, r->metric, r->metrics * sizeof *s.metric);
        for (unsigned c = 0; c < r->metrics; c++)
            s.v[c] = smi_rows_reading(r, c, i);
        if (fn(self, &s, err))
            return -1;
    }
    return 0;
}

/* A block of one row, which it borrows; u and scale have room for its readings. */
static inline struct smi_rows block_of(const struct smi_sample *s, int32_t *u, int64_t *scale)
{
    for (unsigned c = 0; c < s->n; c++)
        u[c] = smi_rows_unit(s->v[c], &scale[c]);
    return (struct smi_rows){.n = 1,
                             .metrics = s->n,
                             .metric = s->metric,
                             .u = u,
                             .stride = 1,
                             .scale = scale,
                             .t_ms = &s->t_ms,
                             .who = s->who == SMI_DEVICE_KEYLESS ? NULL : &s->who,
                             .process = s->process,
                             .timed = s->timed,
                             .fine = s->fine,
                             .shared = s->shared,
                             .begins = s->begins,
                             .aside = s->aside};
}
