#include "ingest/rowcount.h"

#include "base/mem.h"

static int take(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_rowcount *c = (struct smi_rowcount *)self;
    size_t at = s->who < 0 ? (size_t)(s->who == SMI_WHO_HOST) : (size_t)s->who + 2;
    c->timed |= s->timed;
    if (at >= c->n) {
        if (smi_mem_reserve(&c->rows, &c->cap, at + 1, sizeof *c->rows))
            return smi_err_nomem(err);
        c->n = at + 1;
    }
    c->rows[at]++;
    return 0;
}

void smi_rowcount_init(struct smi_rowcount *c, struct smi_ingest_opts *o)
{
    *c = (struct smi_rowcount){.sink = {.take = take}};
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
