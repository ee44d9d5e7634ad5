/* clickhouse_documents.h - the documents of PyTorch's CI into its two tables. A document says itself which it
 * is: of a job that the tables know, those are sent that they lack. So it is all the same whether an export
 * is the first, died in between, or is of a log that has grown. */
#ifndef SMI_EXPORT_CLICKHOUSE_DOCUMENTS_H
#define SMI_EXPORT_CLICKHOUSE_DOCUMENTS_H

#include "export/clickhouse_store.h"
#include "export/pytorch.h"

enum { SMI_CH_DOCUMENTS = 1 << 30 /* bytes of a job's */ };

struct smi_ch_documents;

/* store is borrowed. dry: nothing is written. replace: a job that is there from other logs is taken out
 * first. Finds out where documents go and, unless dry, makes the tables that are not there. Returns NULL with
 * err. */
struct smi_ch_documents *smi_ch_documents_open(struct smi_ch_store *store,
                                               const struct smi_pytorch_settings *set, bool dry, bool replace,
                                               struct smi_err *err);
void smi_ch_documents_close(struct smi_ch_documents *d);
/* Appends the statements that make them, each with its NUL. */
void smi_ch_documents_ddl(const struct smi_ch_documents *d, struct smi_buf *to);
/* Takes the documents of a run; counts in done those that are new, and runs of which none can be made, which
 * say gets a sentence of. Returns 0, or -1 with err. */
int smi_ch_documents_run(struct smi_ch_documents *d, const struct smi_export_run *r,
                         struct smi_target_out *done, struct smi_buf *say, struct smi_err *err);

#endif
