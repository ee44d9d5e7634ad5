#include "aggregate/row_count.h"

#include "base/mem.h"

static int count(struct smi_rowcount *c, int who, bool timed, struct smi_err *err)
{
    size_t at = who < 0 ? (size_t)(who == SMI_WHO_HOST) : (size_t)who + 2;
    c->timed |= timed;
    if (at >= c->n) {
        if (smi_mem_reserve(&c->rows, &c->cap, at + 1, sizeof *c->rows))
            return smi_err_nomem(err);
        c->n = at + 1;
    }
    c->rows[at]++;
    return 0;
}

static int take(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    return count((struct smi_rowcount *)self, s->who, s->timed, err);
}

static int rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    for (unsigned i = 0; i < r->n; i++)
        if (count((struct smi_rowcount *)self, r->who[i], r->timed, err))
            return -1;
    return 0;
}

void smi_rowcount_init(struct smi_rowcount *c, struct smi_ingest_opts *o)
{
    *c = (struct smi_rowcount){.sink = {.take = take, .rows = rows}};
    o->account = &c->account;
    o->devices = &c->devices;
    o->to = &c->sink;
}

void smi_rowcount_fini(struct smi_rowcount *c)
{
    smi_account_fini(&c->account);
    smi_devices_fini(&c->devices);
    smi_mem_free(c->rows);
    c->rows = NULL;
}
