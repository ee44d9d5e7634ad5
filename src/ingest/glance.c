#include "ingest/glance.h"

#include "base/mem.h"
#include "track/part.h"

/* The beginning of a log, read for what it tells: NULL if it cannot be read. */
static struct smi_part *beginning(const struct smi_file_at *log, const struct smi_ingest_opts *o, enum smi_base *base)
{
    struct smi_part *p = smi_part_new(log->name, o->format);
    struct smi_ingest_opts to = *o;
    struct smi_ingest *in = NULL;
    char *buf = smi_mem_new(SMI_GLANCE, 1);
    ssize_t n = p && buf ? smi_file_at_read(log, buf, SMI_GLANCE, 0, NULL) : -1;
    bool ok = false;
    if (n > 0) {
        to.account = &p->account;
        to.devices = &p->devices;
        to.to = &p->sink;
        in = smi_ingest_open(&to, NULL);
    }
    if (in && smi_ingest_feed(in, buf, (size_t)n, NULL) == 0 && smi_ingest_finish(in, NULL) == 0) {
        *base = smi_ingest_base(in);
        ok = true;
    }
    smi_ingest_close(in);
    smi_mem_free(buf);
    if (ok)
        return p;
    smi_part_free(p);
    return NULL;
}

int smi_glance(struct smi_glance *g, const struct smi_file_at *log, const struct smi_ingest_opts *o, bool times)
{
    enum smi_base base = smi_sources[o->format].base;
    int rc = 0;
    if (base == SMI_BASE_NONE)
        smi_part_free(beginning(log, o, &base));
    *g = (struct smi_glance){.utc = base == SMI_BASE_UTC};
    if (times)
        rc = smi_ingest_peek(log, o, &g->first_ms, &g->last_ms, NULL);
    g->timed = rc == 1;
    return rc < 0 ? -1 : 0;
}

int64_t smi_glance_interval(const struct smi_file_at *log, const struct smi_ingest_opts *o)
{
    enum smi_base base;
    struct smi_part *p = beginning(log, o, &base);
    struct smi_counts_view v = {0};
    int64_t ms = 0;
    if (p && smi_part_close(p, NULL) == 0 && smi_counts_view(&p->dts, &v) == 0 && v.all.n)
        ms = smi_view_at(&v, (v.all.n - 1) / 2);
    smi_view_fini(&v);
    smi_part_free(p);
    return ms;
}
