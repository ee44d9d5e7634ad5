#include "aggregate/log_probe.h"

#include "base/mem.h"

static int note_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    struct smi_log_probe *p = (struct smi_log_probe *)self;
    (void)err;
    for (unsigned i = 0; i < r->n; i++, p->rows++) {
        const int64_t t_ms = r->timed ? r->t_ms[i] : 0;
        p->keyless |= !r->who || r->who[i] == SMI_DEVICE_KEYLESS;
        if (p->rows < SMI_BURST_PLAN_ROWS) {
            p->t_ms[p->rows] = t_ms;
            p->boundary[p->rows] = p->hard;
        }
        p->hard = false;
        if (r->timed) {
            p->first_ms = p->has_time ? p->first_ms : t_ms;
            p->last_ms = t_ms;
            p->has_time = true;
        }
    }
    p->row |= r->n > 0;
    p->timed |= r->timed && r->n > 0;
    p->untimed |= !r->timed && r->n > 0;
    return 0;
}

static int note_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    (void)err;
    ((struct smi_log_probe *)self)->hard |= m->kind == SMI_MARK_BREAK;
    return 0;
}

int smi_log_probe_open(struct smi_log_probe *p, const struct smi_ingest_opts *o, size_t room,
                       struct smi_err *err)
{
    const struct smi_read_opts how = {&p->account, &p->devices, false, o->columns};
    *p = (struct smi_log_probe){
        .sink = {.rows = note_rows, .mark = note_mark}, .cache = o->shelf, .format = o->format};
    p->buf = smi_mem_raw(room);
    p->reader = p->buf ? smi_reader_cache_open(p->cache, p->format, &how, err) : NULL;
    return p->reader ? 0 : smi_err_nomem(err);
}

int smi_log_probe_feed(struct smi_log_probe *p, const char *bytes, size_t n, struct smi_err *err)
{
    return smi_reader_feed(p->reader, bytes, n, &p->sink, err);
}

void smi_log_probe_close(struct smi_log_probe *p)
{
    if (p->reader)
        smi_reader_cache_close(p->cache, p->format, p->reader);
    smi_account_fini(&p->account);
    smi_devices_fini(&p->devices);
    smi_mem_free(p->buf);
}
