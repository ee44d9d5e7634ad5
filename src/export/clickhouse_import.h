/* clickhouse_import.h - runs into ClickHouse: what smilog export --to clickhouse://... does. The same logs
 * again add nothing, and logs that have grown what is new of them; whatever died meanwhile, nothing is lost
 * or there twice. */
#ifndef SMI_EXPORT_CLICKHOUSE_IMPORT_H
#define SMI_EXPORT_CLICKHOUSE_IMPORT_H

#include "export/clickhouse_server.h"
#include "export/export.h"

struct smi_ch_settings {
    const char *password_file;                  /* or NULL: as the environment says */
    const char *ledger;                         /* or NULL: below the user's home */
    bool replace;                               /* a run that is there from other logs is taken out first */
    const struct smi_pytorch_settings *pytorch; /* or NULL: documents of PyTorch's CI, too */
    bool dry;                                   /* nothing is written: */
    struct smi_buf *plan;                       /* gets what would be done, as statements */
    struct smi_ch_patience patience;
};

struct smi_ch_import;

/* set is borrowed. Reaches the servers; makes the tables, unless set->dry. Returns NULL with err. */
struct smi_ch_import *smi_ch_import_open(const char *url, const struct smi_ch_settings *set,
                                         struct smi_err *err);
/* Takes a run. What of it is new is counted in done. Returns 0, or -1 with err; say gets sentences, each with
 * its NUL. */
int smi_ch_import_run(struct smi_ch_import *l, const struct smi_export_run *r, struct smi_target_out *done,
                      struct smi_buf *say, struct smi_err *err);
/* keep: sends what still waits. Frees l. Returns 0, or -1 with err. */
int smi_ch_import_close(struct smi_ch_import *l, bool keep, struct smi_err *err);

#endif
