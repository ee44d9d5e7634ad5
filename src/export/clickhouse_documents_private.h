/* clickhouse_documents_private.h - what making documents and sending them share. */
#ifndef SMI_EXPORT_CLICKHOUSE_DOCUMENTS_PRIVATE_H
#define SMI_EXPORT_CLICKHOUSE_DOCUMENTS_PRIVATE_H

#include "export/clickhouse_documents.h"
#include "export/clickhouse_keyed_rows.h"
#include "export/pytorch_target.h"

enum { SMI_CH_DOCUMENT_KINDS = SMI_CH_TABLES - SMI_CH_OWN, SMI_CH_JOB = 700 /* bytes of a condition */ };

struct smi_ch_documents {
    struct smi_ch_store *store;
    struct smi_ledger *ledger;
    struct smi_pytorch_settings set;
    struct smi_pytorch_sink sink;
    struct smi_target_out *source; /* what makes documents of runs */
    bool replace;
    bool plain[SMI_CH_SHARDS][SMI_CH_DOCUMENT_KINDS]; /* the table has upstream's own name, without _local */
    bool there[SMI_CH_SHARDS][SMI_CH_DOCUMENT_KINDS];
    /* of the run that comes: */
    struct smi_buf room, key;
    struct smi_ch_keyed of[SMI_CH_DOCUMENT_KINDS];
    char job[SMI_CH_JOB]; /* which rows are of it */
    uint64_t job_id;
};

/* Sends those of the run that the tables lack, and counts them. r: for messages. Returns 0, or -1 with err.
 */
int smi_ch_documents_store(struct smi_ch_documents *d, const struct smi_export_run *r, uint64_t *fresh,
                           struct smi_err *err);
const char *smi_ch_documents_table(int kind);

#endif
