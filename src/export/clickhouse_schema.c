#include "export/clickhouse_schema.h"

#include <stdio.h>

#define SMI_CH_COLUMN(table, name, kind, help) {SMI_CH_##table, name, SMI_CH_##kind, help},
const struct smi_ch_column smi_ch_columns[SMI_CH_COLUMNS] = {
#include "export/clickhouse_columns.def"
};
#undef SMI_CH_COLUMN

/* What a table is beside its columns. A granule is what a server reads at least: a partial has a hundred
 * kilobytes. */
static const struct {
    const char *name, *engine;
    const char *kept; /* for how long the modern dialect keeps one */
    int granule;
} tables[SMI_CH_TABLES] = {
    [SMI_CH_SAMPLES] = {"samples", "ReplacingMergeTree(version) ORDER BY (run, gpu, time, input, row)", "",
                        8192},
    [SMI_CH_RUNS] = {"runs", "ReplacingMergeTree(version) ORDER BY run", "", 16},
    [SMI_CH_MARKS] = {"marks", "ReplacingMergeTree(version) ORDER BY (run, input, mark)", "", 8192},
    [SMI_CH_SERIES] = {"oss_ci_time_series",
                       "MergeTree PARTITION BY toYYYYMM(time_stamp) ORDER BY (workflow_id, job_id, repo, "
                       "workflow_name, job_name, type, time_stamp)",
                       " TTL toDate(created_at) + toIntervalYear(1)", 8192},
    [SMI_CH_METADATA] = {"oss_ci_utilization_metadata",
                         "MergeTree PARTITION BY toYYYYMM(start_at) ORDER BY (workflow_id, job_id, repo, "
                         "workflow_name, job_name, start_at)",
                         " TTL toDate(created_at) + toIntervalYear(1)", 8192},
};

const char *smi_ch_table_name(enum smi_ch_table t)
{
    return tables[t].name;
}

static const char *const types[SMI_CH_KINDS][2] = {
    [SMI_CH_U8] = {"UInt8", "UInt8"},
    [SMI_CH_U16] = {"UInt16", "UInt16"},
    [SMI_CH_U32] = {"UInt32", "UInt32"},
    [SMI_CH_I32] = {"Int32", "Int32"},
    [SMI_CH_U64] = {"UInt64", "UInt64"},
    [SMI_CH_I64] = {"Int64", "Int64"},
    [SMI_CH_TIME] = {"DateTime('UTC')", "DateTime64(3, 'UTC')"},
    [SMI_CH_MS] = {"UInt16", ""},
    [SMI_CH_SECOND] = {"DateTime('UTC')", "DateTime('UTC')"},
    [SMI_CH_WORD] = {"String", "LowCardinality(String)"},
    [SMI_CH_TEXT] = {"String", "String"},
    [SMI_CH_METRIC] = {"Nullable(Decimal(18, 6))", "Nullable(Decimal(18, 6))"},
    [SMI_CH_INSTANT] = {"DateTime('UTC')", "DateTime64(0, 'UTC')"},
    [SMI_CH_STRING] = {"String", "String"},
    [SMI_CH_DATA] = {"String DEFAULT '{}'", "String DEFAULT '{}'"},
    [SMI_CH_F32] = {"Float32", "Float32"},
    [SMI_CH_REPO] = {"String DEFAULT 'pytorch/pytorch'", "String DEFAULT 'pytorch/pytorch'"},
    [SMI_CH_GPU_TYPE] = {"String DEFAULT 'None'", "String DEFAULT 'None'"},
    [SMI_CH_TAGS] = {"Array(String)", "Array(String) DEFAULT []"},
    [SMI_CH_OLD_STRING] = {"String", ""},
    [SMI_CH_OLD_SEGMENTS] = {"String DEFAULT '[]'", ""},
    [SMI_CH_META] = {"", "Tuple(bucket String, key String)"},
    [SMI_CH_SEGMENTS] = {"", "Array(Tuple(level String, name String, start_at DateTime64(0, 'UTC'), end_at "
                             "DateTime64(0, 'UTC'), extra_info Map(String, String))) DEFAULT []"},
};

/* How the modern dialect packs a column, or "". */
static const char *column_codec(enum smi_ch_kind kind)
{
    switch (kind) {
    case SMI_CH_TIME:
        return " CODEC(DoubleDelta, LZ4)";
    case SMI_CH_METRIC:
        return " CODEC(Delta, LZ4)";
    case SMI_CH_TEXT:
        return " CODEC(ZSTD(3))";
    default:
        return "";
    }
}

int smi_ch_dialect(const char *version)
{
    int part[2] = {0, 0}, i = 0;
    const char *p = version;
    for (; i < 2; i++) {
        const char *first = p;
        while (*p >= '0' && *p <= '9' && p - first < 6)
            part[i] = part[i] * 10 + *p++ - '0';
        if (p == first || (i == 0 && *p++ != '.'))
            return -1;
    }
    return part[0] > 20 || (part[0] == 20 && part[1] >= 3) ? SMI_CH_MODERN : SMI_CH_18;
}

const char *smi_ch_type(enum smi_ch_kind kind, enum smi_ch_dialect d)
{
    return types[kind][d];
}

void smi_ch_metric_column(char to[SMI_CH_NAME], unsigned metric)
{
    snprintf(to, SMI_CH_NAME, "%s", smi_metrics[metric].key);
    for (char *p = to; (p = strchr(p, '.')); p++)
        *p = '_';
}

int smi_ch_metric_of(struct smi_text column)
{
    char name[SMI_CH_NAME];
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        smi_ch_metric_column(name, m);
        if (smi_text_is(column, name))
            return (int)m;
    }
    return -1;
}

static void end_statement(struct smi_buf *to)
{
    smi_buf_add(to, "", 1);
}

static void write_columns(struct smi_buf *to, enum smi_ch_table table, enum smi_ch_dialect d)
{
    const char *comma = "";
    for (size_t i = 0; i < SMI_CH_COLUMNS; i++) {
        const struct smi_ch_column *c = &smi_ch_columns[i];
        const char *type = smi_ch_type(c->kind, d);
        if (c->table != table || !*type)
            continue;
        smi_buf_fmt(to, "%s%s %s%s", comma, c->name, type, d == SMI_CH_MODERN ? column_codec(c->kind) : "");
        comma = ", ";
    }
}

void smi_ch_ddl(struct smi_buf *to, enum smi_ch_table t, enum smi_ch_dialect d, const char *database)
{
    const char *name = tables[t].name;
    smi_buf_fmt(to, "CREATE TABLE IF NOT EXISTS %s.%s%s (", database, name, t < SMI_CH_OWN ? "_local" : "");
    write_columns(to, t, d);
    smi_buf_fmt(to, ") ENGINE = %s%s SETTINGS index_granularity = %d", tables[t].engine,
                d == SMI_CH_MODERN ? tables[t].kept : "", tables[t].granule);
    end_statement(to);
}

void smi_ch_ddl_metrics(struct smi_buf *to, enum smi_ch_dialect d, const char *database,
                        const bool metric[SMI_METRIC_COUNT])
{
    char column[SMI_CH_NAME];
    const char *comma = "";
    smi_buf_fmt(to, "ALTER TABLE %s.samples_local", database);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        if (!metric[m])
            continue;
        smi_ch_metric_column(column, m);
        smi_buf_fmt(to, "%s ADD COLUMN %s%s %s%s", comma, d == SMI_CH_MODERN ? "IF NOT EXISTS " : "", column,
                    smi_ch_type(SMI_CH_METRIC, d), d == SMI_CH_MODERN ? column_codec(SMI_CH_METRIC) : "");
        comma = ",";
    }
    end_statement(to);
}
