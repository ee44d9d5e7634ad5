#include "export/clickhouse_ledger_pending.h"

#include "base/clock.h"

/* What this machine calls the store. */
static void write_store_name(struct smi_buf *to, const struct smi_ch_url *p)
{
    for (size_t i = 0; i < p->hosts; i++)
        smi_buf_fmt(to, "%s%s:%d", i ? "," : "", p->host[i].name, p->host[i].port);
    smi_buf_fmt(to, "/%s", p->database);
}

/* Blocks that were about to be sent when an export died: until they have come in or never will, nothing can
 * be said of what the store has. */
static int resolve_pending(struct smi_ledger *l, struct smi_ch_store *store, struct smi_err *err)
{
    const int64_t settle_ms = store->shard[0].server.patience.settle_ms;
    struct smi_ledger_pending d;
    int rc;
    while ((rc = smi_ledger_pending(l, &d, err)) > 0) {
        int64_t left = d.sent_ms + settle_ms - smi_clock_utc_ms();
        if (left > 0)
            smi_ch_sleep(left < settle_ms ? left : settle_ms);
        if ((d.shard < store->place.hosts &&
             smi_ch_wait_for_query(&store->shard[d.shard].server, d.id, err)) ||
            smi_ledger_end(l, d.id, false, err))
            return -1;
    }
    return rc;
}

struct smi_ledger *smi_ch_ledger(struct smi_ch_store *store, const char *file, struct smi_err *err)
{
    struct smi_buf name = {0}, path = {0};
    struct smi_ledger *l = NULL;
    write_store_name(&name, &store->place);
    if (name.failed)
        smi_err_nomem(err);
    else if (file || smi_ledger_path(&path, name.p, err) == 0)
        l = smi_ledger_open(file ? file : path.p, name.p, err);
    smi_buf_fini(&name);
    smi_buf_fini(&path);
    if (!l || resolve_pending(l, store, err) == 0)
        return l;
    smi_ledger_close(l);
    return NULL;
}
