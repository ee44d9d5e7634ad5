/* clickhouse_url.h - where a store in ClickHouse is: clickhouse://[USER@]HOST[:PORT]/DATABASE, clickhouses://
 * over TLS. */
#ifndef SMI_EXPORT_CLICKHOUSE_URL_H
#define SMI_EXPORT_CLICKHOUSE_URL_H

#include "base/err.h"
#include "base/text.h"

#include <stdint.h>

enum { SMI_CH_HOST = 254, SMI_CH_NAME = 65 };

struct smi_ch_url {
    bool tls;
    char user[SMI_CH_NAME]; /* or empty */
    char host[SMI_CH_HOST]; /* IPv6 in brackets */
    int port;
    char database[SMI_CH_NAME];
};

/* Returns 0, or -1 with err SMI_EUSAGE, which never repeats a password. */
int smi_ch_url_parse(struct smi_ch_url *p, const char *url, struct smi_err *err);
/* A name that stands in SQL as it is: letters, digits, underscores, no digit first. */
bool smi_ch_is_name(struct smi_text t);
/* The identity of a run in every store: where its logs are, and which of the runs there it is. */
uint64_t smi_ch_run(const char *place, const char *leaf);

#endif
