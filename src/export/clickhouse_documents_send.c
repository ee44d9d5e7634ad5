/* clickhouse_documents_send.c - the documents of a job against the rows that the tables have of it. */
#include "export/clickhouse_documents_private.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>

/* What tells a document of a job from its others, as servers say it; put_key says the same. */
static const char *const keys[SMI_CH_DOCUMENT_KINDS][2] = {
    {"concat(toString(toUInt32(time_stamp)), '\\n', workflow_name, '\\n', job_name, '\\n', json_data)",
     "concat(toString(toUInt32(time_stamp)), '\\n', workflow_name, '\\n', job_name, '\\n', json_data)"},
    {"concat(toString(toUInt32(start_at)), '\\n', toString(toUInt32(end_at)), '\\n', workflow_name, '\\n', "
     "job_name, "
     "'\\n', data_model_version, '\\n', toString(gpu_count), '\\n', toString(cpu_count), '\\n', gpu_type, "
     "'\\n', "
     "segments_json)",
     "concat(toString(toUInt32(start_at)), '\\n', toString(toUInt32(end_at)), '\\n', workflow_name, '\\n', "
     "job_name, "
     "'\\n', data_model_version, '\\n', toString(gpu_count), '\\n', toString(cpu_count), '\\n', gpu_type, "
     "'\\n', "
     "toString(length(segments)))"},
};
/* Of the time series others may keep other things there. */
static const char *const also[SMI_CH_DOCUMENT_KINDS] = {" AND type = 'utilization'", ""};

static int foreign_documents(const struct smi_ch_documents *d, size_t shard, const struct smi_export_run *r,
                             uint64_t strange, struct smi_err *err)
{
    const struct smi_ch_server *s = &d->store->shard[shard].server;
    return smi_err_set(
        err, SMI_EUSAGE,
        "ClickHouse %.100s:%d has %" PRIu64 " rows of job %" PRIu64 " in %s that are not in the log "
        "of %.100s: --replace takes them out",
        s->to.host, s->to.port, strange, d->job_id, smi_ch_documents_table(0), r->summary->run);
}

/* Both tables, once through. Who finds the metadata of a job finds its time series, so they come first; there
 * is one row of metadata, and that of a log that has grown since takes the place of the old one. */
static int store_once(struct smi_ch_documents *d, size_t shard, const struct smi_export_run *r,
                      uint64_t *fresh, struct smi_err *err)
{
    uint64_t strange;
    *fresh = 0;
    for (int kind = 0; kind < SMI_CH_DOCUMENT_KINDS; kind++) {
        struct smi_ch_keyed *k = &d->of[kind];
        struct smi_ch_server *server = &d->store->shard[shard].server;
        char table[SMI_CH_NAME], where[SMI_CH_JOB + 40];
        const struct smi_ch_keyed_to to = {server, d->ledger, table, keys[kind][server->dialect], where};
        snprintf(table, sizeof table, "%s%s", smi_ch_documents_table(kind),
                 d->plain[shard][kind] ? "" : "_local");
        snprintf(where, sizeof where, "%s%s", d->job, also[kind]);
        if (smi_ch_keyed_check(k, &to, &strange, err))
            return -1;
        if (strange && !kind && !d->replace)
            return foreign_documents(d, shard, r, strange, err);
        if (strange && smi_ch_keyed_delete(k, &to, err))
            return -1;
        *fresh += smi_ch_keyed_missing(k);
        if (smi_ch_keyed_send(k, &to, err))
            return -1;
    }
    return 0;
}

int smi_ch_documents_store(struct smi_ch_documents *d, const struct smi_export_run *r, uint64_t *fresh,
                           struct smi_err *err)
{
    size_t shard = (size_t)(d->job_id % d->store->place.hosts);
    const struct smi_ch_keyed_to to = {.server = &d->store->shard[shard].server};
    int64_t until = smi_clock_now_ms() + to.server->patience.retry_ms;
    uint64_t most = 0;
    for (;;) {
        struct smi_err own = {0};
        int rc = store_once(d, shard, r, fresh, &own);
        most = *fresh > most ? *fresh : most;
        *fresh = most;
        if (!rc)
            return 0;
        if (!smi_ch_keyed_may_retry(&to, &own, until))
            return smi_err_set(err, own.code, "%s", own.text);
    }
}
