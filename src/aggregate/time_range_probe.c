#include "aggregate/time_range_probe.h"

#include "base/mem.h"
#include "aggregate/input_stats.h"

/* Trouble with a log is told when it is read; only memory is told here. */
static int memory_only(const struct smi_err *why, struct smi_err *err)
{
    return why->code == SMI_ENOMEM ? smi_err_nomem(err) : 0;
}

/* Reads the beginning of a log into p for what it tells. Returns whether it could. */
static bool read_beginning(struct smi_part *p, char *buf, const struct smi_file_at *log,
                           const struct smi_ingest_opts *o, enum smi_base *base, struct smi_err *why)
{
    ssize_t n = smi_file_at_read(log, buf, SMI_GLANCE, 0, why);
    struct smi_ingest_opts to = *o;
    struct smi_ingest *in;
    bool ok;
    if (n <= 0)
        return false;
    to.account = &p->account;
    to.devices = &p->devices;
    to.to = &p->sink;
    in = smi_ingest_open(&to, why);
    ok = in && smi_ingest_feed(in, buf, (size_t)n, why) == 0 && smi_ingest_finish(in, why) == 0;
    if (ok)
        *base = smi_ingest_base(in);
    smi_ingest_close(in);
    return ok;
}

/* *out: what the beginning of a log tells; NULL if it cannot be read. Returns 0, or -1 with err (memory). */
static int beginning(struct smi_part **out, const struct smi_file_at *log, const struct smi_ingest_opts *o,
                     enum smi_base *base, struct smi_err *err)
{
    struct smi_part *p = smi_part_new(log->name, o->format);
    struct smi_err why = {0};
    char *buf = smi_mem_new(SMI_GLANCE, 1);
    if (!p || !buf)
        smi_err_nomem(&why);
    else if (read_beginning(p, buf, log, o, base, &why))
        *out = p;
    smi_mem_free(buf);
    if (*out != p)
        smi_part_free(p);
    return memory_only(&why, err);
}

int smi_glance(struct smi_glance *g, const struct smi_file_at *log, const struct smi_ingest_opts *o, bool times,
               struct smi_err *err)
{
    enum smi_base base = smi_sources[o->format].base;
    struct smi_part *p = NULL;
    struct smi_err why = {0};
    int rc = 0;
    if (base == SMI_BASE_NONE && beginning(&p, log, o, &base, err))
        return -1;
    smi_part_free(p);
    *g = (struct smi_glance){.utc = base == SMI_BASE_UTC};
    if (times)
        rc = smi_ingest_peek(log, o, &g->first_ms, &g->last_ms, &why);
    g->timed = rc == 1;
    return memory_only(&why, err) ? -1 : rc < 0;
}

int smi_glance_interval(const struct smi_file_at *log, const struct smi_ingest_opts *o, int64_t *ms,
                        struct smi_err *err)
{
    enum smi_base base;
    struct smi_part *p = NULL;
    struct smi_counts_view v = {0};
    int rc = beginning(&p, log, o, &base, err);
    *ms = 0;
    if (p && (smi_part_close(p, NULL) || smi_counts_view(&p->dts, &v)))
        rc = smi_err_nomem(err);
    if (p && !rc && v.all.n)
        *ms = smi_view_at(&v, (v.all.n - 1) / 2);
    smi_view_fini(&v);
    smi_part_free(p);
    return rc;
}
