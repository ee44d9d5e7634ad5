#include "clickhouse/schema.h"

#include <stdio.h>

#define SMI_CH_COLUMN(table, name, kind, help) {SMI_CH_##table, name, SMI_CH_##kind, help},
const struct smi_ch_column smi_ch_columns[SMI_CH_COLUMNS] = {
#include "clickhouse/columns.def"
};
#undef SMI_CH_COLUMN

const char *const smi_ch_tables[SMI_CH_TABLES] = {[SMI_CH_SAMPLES] = "samples", [SMI_CH_RUNS] = "runs"};

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
    [SMI_CH_MONTH] = {"Date", "Date"},
    [SMI_CH_WORD] = {"String", "LowCardinality(String)"},
    [SMI_CH_TEXT] = {"String", "String"},
    [SMI_CH_METRIC] = {"Nullable(Decimal(18, 6))", "Nullable(Decimal(18, 6))"},
};

/* How the modern dialect packs a column, or "". */
static const char *codec(enum smi_ch_kind kind)
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

static void put_columns(struct smi_buf *to, enum smi_ch_table table, enum smi_ch_dialect d)
{
    const char *comma = "";
    for (size_t i = 0; i < SMI_CH_COLUMNS; i++) {
        const struct smi_ch_column *c = &smi_ch_columns[i];
        const char *type = smi_ch_type(c->kind, d);
        if (c->table != table || !*type)
            continue;
        smi_buf_fmt(to, "%s%s %s%s", comma, c->name, type, d == SMI_CH_MODERN ? codec(c->kind) : "");
        comma = ", ";
    }
}

/* A table over the same of all shards. */
static void put_distributed(struct smi_buf *to, const char *database, const char *table, const char *cluster,
                            const char *key)
{
    smi_buf_fmt(to,
                "CREATE TABLE IF NOT EXISTS %s.%s AS %s.%s_local ENGINE = Distributed(%s, %s, %s_local, %s)",
                database, table, database, table, cluster, database, table, key);
    end_statement(to);
}

void smi_ch_ddl(struct smi_buf *to, enum smi_ch_dialect d, const char *database, const char *cluster)
{
    static const char *const engine[SMI_CH_TABLES] = {
        [SMI_CH_SAMPLES] = "MergeTree PARTITION BY month ORDER BY (run, gpu, time)",
        [SMI_CH_RUNS] = "ReplacingMergeTree(version) ORDER BY run",
    };
    /* A granule is what a server reads at least: a partial has a hundred kilobytes. */
    static const int granule[SMI_CH_TABLES] = {[SMI_CH_SAMPLES] = 8192, [SMI_CH_RUNS] = 16};
    for (int t = 0; t < SMI_CH_TABLES; t++) {
        smi_buf_fmt(to, "CREATE TABLE IF NOT EXISTS %s.%s_local (", database, smi_ch_tables[t]);
        put_columns(to, (enum smi_ch_table)t, d);
        smi_buf_fmt(to, ") ENGINE = %s SETTINGS index_granularity = %d", engine[t], granule[t]);
        end_statement(to);
        if (*cluster)
            put_distributed(to, database, smi_ch_tables[t], cluster, "run");
    }
}

void smi_ch_ddl_metrics(struct smi_buf *to, enum smi_ch_dialect d, const char *database, const char *table,
                        const bool metric[SMI_METRIC_COUNT])
{
    char column[SMI_CH_NAME];
    const char *comma = "";
    bool own = strcmp(table, "samples_local") == 0; /* the table over all shards packs nothing */
    smi_buf_fmt(to, "ALTER TABLE %s.%s", database, table);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        if (!metric[m])
            continue;
        smi_ch_metric_column(column, m);
        smi_buf_fmt(to, "%s ADD COLUMN %s%s %s%s", comma, d == SMI_CH_MODERN ? "IF NOT EXISTS " : "", column,
                    smi_ch_type(SMI_CH_METRIC, d), d == SMI_CH_MODERN && own ? codec(SMI_CH_METRIC) : "");
        comma = ",";
    }
    end_statement(to);
}

/* A column of PyTorch's tables: its name, what the old dialect takes, upstream's type. */
struct pytorch_column {
    const char *name, *old, *modern;
};

static const struct pytorch_column series[] = {
    {"created_at", "DateTime('UTC')", "DateTime64(0, 'UTC')"},
    {"type", "String", "String"},
    {"tags", "Array(String)", "Array(String)"},
    {"time_stamp", "DateTime('UTC')", "DateTime64(0, 'UTC')"},
    {"repo", "String DEFAULT 'pytorch/pytorch'", "String DEFAULT 'pytorch/pytorch'"},
    {"workflow_id", "UInt64", "UInt64"},
    {"run_attempt", "UInt32", "UInt32"},
    {"job_id", "UInt64", "UInt64"},
    {"workflow_name", "String", "String"},
    {"job_name", "String", "String"},
    {"json_data", "String", "String"},
    {"meta_bucket", "String", ""},
    {"meta_key", "String", ""},
    {"_meta", "", "Tuple(bucket String, key String)"},
};
static const struct pytorch_column metadata[] = {
    {"created_at", "DateTime('UTC')", "DateTime64(0, 'UTC')"},
    {"repo", "String DEFAULT 'pytorch/pytorch'", "String DEFAULT 'pytorch/pytorch'"},
    {"workflow_id", "UInt64", "UInt64"},
    {"run_attempt", "UInt32", "UInt32"},
    {"job_id", "UInt64", "UInt64"},
    {"workflow_name", "String", "String"},
    {"job_name", "String", "String"},
    {"usage_collect_interval", "Float32", "Float32"},
    {"data_model_version", "String", "String"},
    {"gpu_count", "UInt32", "UInt32"},
    {"cpu_count", "UInt32", "UInt32"},
    {"gpu_type", "String DEFAULT 'None'", "String DEFAULT 'None'"},
    {"start_at", "DateTime('UTC')", "DateTime64(0, 'UTC')"},
    {"end_at", "DateTime('UTC')", "DateTime64(0, 'UTC')"},
    {"segments_json", "String DEFAULT '[]'", ""},
    {"segments", "",
     "Array(Tuple(level String, name String, start_at DateTime64(0, 'UTC'), end_at DateTime64(0, 'UTC'), extra_info "
     "Map(String, String))) DEFAULT []"},
    {"tags", "Array(String)", "Array(String) DEFAULT []"},
    {"_meta", "", "Tuple(bucket String, key String)"},
};

static void put_pytorch(struct smi_buf *to, enum smi_ch_dialect d, const struct pytorch_column *c, size_t n)
{
    const char *comma = "";
    for (size_t i = 0; i < n; i++) {
        const char *type = d == SMI_CH_18 ? c[i].old : c[i].modern;
        if (*type)
            smi_buf_fmt(to, "%s%s %s", comma, c[i].name, type);
        comma = *type ? ", " : comma;
    }
}

void smi_ch_ddl_pytorch(struct smi_buf *to, enum smi_ch_dialect d, const char *database, const char *cluster)
{
    static const struct {
        const char *name, *partition, *order;
        const struct pytorch_column *column;
        size_t n;
    } tables[] = {
        {"oss_ci_time_series", "time_stamp",
         "workflow_id, job_id, repo, workflow_name, job_name, type, time_stamp", series,
         sizeof series / sizeof *series},
        {"oss_ci_utilization_metadata", "start_at",
         "workflow_id, job_id, repo, workflow_name, job_name, start_at", metadata,
         sizeof metadata / sizeof *metadata},
    };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        smi_buf_fmt(to, "CREATE TABLE IF NOT EXISTS %s.%s_local (", database, tables[t].name);
        put_pytorch(to, d, tables[t].column, tables[t].n);
        smi_buf_fmt(to,
                    ") ENGINE = MergeTree PARTITION BY toYYYYMM(%s) ORDER BY (%s)%s SETTINGS "
                    "index_granularity = 8192",
                    tables[t].partition, tables[t].order,
                    d == SMI_CH_MODERN ? " TTL toDate(created_at) + toIntervalYear(1)" : "");
        end_statement(to);
        if (*cluster)
            put_distributed(to, database, tables[t].name, cluster, "job_id");
    }
}
