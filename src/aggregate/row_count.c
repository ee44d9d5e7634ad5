#include "aggregate/row_count.h"

#include "base/mem.h"

static int count_row(struct smi_row_count *c, int who, bool timed, struct smi_err *err)
{
    size_t at = who < 0 ? (size_t)(who == SMI_DEVICE_HOST) : (size_t)who + 2;
    c->timed |= timed;
    if (at >= c->n) {
        if (smi_mem_reserve(&c->rows, &c->cap, at + 1, sizeof *c->rows))
            return smi_err_nomem(err);
        c->n = at + 1;
    }
    c->rows[at]++;
    return 0;
}

static int count_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    for (unsigned i = 0; i < r->n; i++)
        if (count_row((struct smi_row_count *)self, r->who[i], r->timed, err))
            return -1;
    return 0;
}

void smi_row_count_init(struct smi_row_count *c, struct smi_ingest_opts *o)
{
    *c = (struct smi_row_count){.sink = {.rows = count_rows}};
    o->account = &c->account;
    o->devices = &c->devices;
    o->to = &c->sink;
}

void smi_row_count_fini(struct smi_row_count *c)
{
    smi_account_fini(&c->account);
    smi_devices_fini(&c->devices);
    smi_mem_free(c->rows);
    c->rows = NULL;
}
