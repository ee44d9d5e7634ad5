#include "export/clickhouse_plan.h"

#include <string.h>

int smi_ch_plan(struct smi_buf *to, const struct smi_ch_store *store, const bool metric[SMI_METRIC_COUNT],
                const struct smi_ch_documents *documents, struct smi_err *err)
{
    struct smi_buf ddl = {0};
    enum smi_ch_dialect d = store->shard[0].server.dialect;
    bool all = true, some = false, over_some = false;
    bool lacks[SMI_METRIC_COUNT] = {false}, over_lacks[SMI_METRIC_COUNT] = {false};
    for (size_t i = 0; i < store->place.hosts; i++)
        all &= store->shard[i].tables[SMI_CH_SAMPLES] && store->shard[i].tables[SMI_CH_RUNS] &&
               store->shard[i].tables[SMI_CH_MARKS];
    for (int t = 0; t < SMI_CH_OWN && !all; t++)
        smi_ch_ddl(&ddl, (enum smi_ch_table)t, d, store->place.database, store->cluster);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        for (size_t i = 0; metric[m] && i < store->place.hosts; i++) {
            lacks[m] |= !store->shard[i].metric[m];
            over_lacks[m] |= *store->cluster && !store->shard[i].over_metric[m];
        }
        some |= lacks[m];
        over_some |= over_lacks[m];
    }
    if (some)
        smi_ch_ddl_metrics(&ddl, d, store->place.database, "samples_local", lacks);
    if (over_some)
        smi_ch_ddl_metrics(&ddl, d, store->place.database, "samples", over_lacks);
    if (documents)
        smi_ch_documents_ddl(documents, &ddl);
    for (size_t at = 0; at < ddl.n; at += strlen(ddl.p + at) + 1)
        smi_buf_fmt(to, "%s;\n", ddl.p + at);
    to->failed |= ddl.failed;
    smi_buf_fini(&ddl);
    return to->failed ? smi_err_nomem(err) : 0;
}
