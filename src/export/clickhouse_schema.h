/* clickhouse_schema.h - the tables in ClickHouse: one list of columns, and of it the DDL that a server of
 * some version takes. */
#ifndef SMI_EXPORT_CLICKHOUSE_SCHEMA_H
#define SMI_EXPORT_CLICKHOUSE_SCHEMA_H

#include "base/buf.h"
#include "export/clickhouse_url.h"
#include "model/metric.h"

#include <stdint.h>

/* What servers understand. */
enum smi_ch_dialect {
    SMI_CH_18,    /* no DateTime64, LowCardinality, CODEC, TTL */
    SMI_CH_MODERN /* from 20.3 on */
};

enum smi_ch_kind {
    SMI_CH_U8,
    SMI_CH_U16,
    SMI_CH_U32,
    SMI_CH_I32,
    SMI_CH_U64,
    SMI_CH_I64,
    SMI_CH_TIME,   /* milliseconds; of the old dialect the seconds, and the rest in the column behind it: */
    SMI_CH_MS,     /* no column of the modern dialect */
    SMI_CH_SECOND, /* since 1970 */
    SMI_CH_WORD,   /* a text of which many rows have the same */
    SMI_CH_TEXT,
    SMI_CH_METRIC,  /* millionths, or nothing */
    SMI_CH_INSTANT, /* seconds since 1970, of PyTorch's tables, as are all that follow */
    SMI_CH_STRING,
    SMI_CH_DATA,
    SMI_CH_F32,
    SMI_CH_REPO,
    SMI_CH_GPU_TYPE,
    SMI_CH_TAGS,
    SMI_CH_OLD_STRING, /* no column of the modern dialect, */
    SMI_CH_OLD_SEGMENTS,
    SMI_CH_META, /* and none of the old one */
    SMI_CH_SEGMENTS,
    SMI_CH_KINDS
};

enum smi_ch_table {
    SMI_CH_SAMPLES,
    SMI_CH_RUNS,
    SMI_CH_MARKS,
    SMI_CH_OWN, /* so many are smilog's; the others */
    SMI_CH_SERIES = SMI_CH_OWN,
    SMI_CH_METADATA,
    SMI_CH_TABLES
};

struct smi_ch_column {
    enum smi_ch_table table;
    const char *name;
    enum smi_ch_kind kind;
    const char *help;
};

enum { SMI_CH_COLUMNS = 66 };
extern const struct smi_ch_column smi_ch_columns[SMI_CH_COLUMNS];
/* "samples", "runs": with "_local" behind it, but for those of PyTorch CI. */
const char *smi_ch_table_name(enum smi_ch_table t);

/* The dialect of "18.16.1"; -1: it is no version. */
int smi_ch_dialect(const char *version);
/* A type as the server names it, or "" where the dialect has no such column. */
const char *smi_ch_type(enum smi_ch_kind kind, enum smi_ch_dialect d);

/* The column of a metric: its key, dots as underscores, as a dot means something else to ClickHouse; and
 * back, -1: it is none. */
void smi_ch_metric_column(char to[SMI_CH_NAME], unsigned metric);
int smi_ch_metric_of(struct smi_text column);

/* Appends the statement that makes a table where it is not there yet, with its NUL. */
void smi_ch_ddl(struct smi_buf *to, enum smi_ch_table t, enum smi_ch_dialect d, const char *database);
/* The same that gives samples_local the columns of some metrics. */
void smi_ch_ddl_metrics(struct smi_buf *to, enum smi_ch_dialect d, const char *database,
                        const bool metric[SMI_METRIC_COUNT]);

#endif
