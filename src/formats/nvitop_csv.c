/* What nvitop's ResourceMetricCollector gives, as its examples write it: a row for each time, with columns of
 * every GPU and of the machine. TAG is the user's, and so is whether a column of local time stands in front.
 *
 *     time,TAG/host/cpu_percent (%)/mean,...,TAG/cuda:0 (gpu:3)/gpu_utilization
 * (%)/mean,.../min,.../max,.../last,
 *         ...,TAG/gpu:1/power_usage (W)/last,TAG/duration (s),TAG/timestamp,TAG/last_timestamp
 *
 * (one line there). Means are of all the time since the collector was started or cleared, so of each metric
 * the last reading counts; old versions have none, and then means do, which is said. Columns of processes are
 * not read: GPU memory and shares of a process are no GPU's. */
#include "formats/row_engine.h"

enum { COLUMNS = 4096, PARTS = 64 /* GPUs and the machine */, DIGITS = 8 };

struct smi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    unsigned parts;
    struct smi_text
        key[PARTS]; /* of a part of the header at hand: the index of its GPU; empty: the machine */
    char digits[PARTS][DIGITS];
    struct smi_row_plan part[PARTS];
};

/* A column: TAG/scope/metric/statistic. */
struct name {
    struct smi_text scope, metric, statistic;
};

/* Cuts the part behind the last stroke off t. */
static struct smi_text take_last(struct smi_text *t)
{
    const char *stroke = t->n ? memrchr(t->p, '/', t->n) : NULL;
    struct smi_text last = stroke ? (struct smi_text){stroke + 1, (size_t)(t->p + t->n - stroke - 1)} : *t;
    t->n = stroke ? (size_t)(stroke - t->p) : 0;
    return last;
}

/* false: it has no such parts, or it is about a process. */
static bool cut_name(struct smi_text t, struct name *name)
{
    struct smi_text owner;
    name->statistic = take_last(&t);
    name->metric = take_last(&t);
    name->scope = take_last(&t);
    owner = take_last(&t);
    return name->scope.n && name->metric.n && owner.n && !smi_text_starts_nocase(owner, "pid:");
}

/* "cuda:0 (gpu:3)" or "gpu:3": the index of the GPU behind its last colon; empty: it is no such scope. */
static struct smi_text index_of(struct smi_text scope)
{
    const char *at = memmem(scope.p, scope.n, "gpu:", 4);
    struct smi_text t = {"", 0};
    if (at)
        t = (struct smi_text){at + 4, (size_t)(scope.p + scope.n - at - 4)};
    if (t.n && t.p[t.n - 1] == ')')
        t.n--;
    return smi_cell_digits(t, DIGITS - 1) >= 0 ? t : (struct smi_text){"", 0};
}

/* ---- headers ---- */

static bool is_statistic(const struct smi_text *cell, size_t n, const char *statistic)
{
    struct name name;
    for (size_t i = 0; i < n; i++)
        if (cut_name(cell[i], &name) && smi_text_is(name.statistic, statistic) &&
            (smi_text_is(name.scope, "host") || index_of(name.scope).n))
            return true;
    return false;
}

static bool is_nvitop_header(const struct smi_text *cell, size_t n)
{
    return n <= COLUMNS && (is_statistic(cell, n, "mean") || is_statistic(cell, n, "last"));
}

/* The part of this GPU, or of the machine; NULL: there are too many. */
static struct smi_row_plan *find_part(struct smi_reader *r, struct smi_text key, size_t width, int time)
{
    unsigned i = 0;
    while (i < r->parts && (r->key[i].n != key.n || (key.n && memcmp(r->key[i].p, key.p, key.n) != 0)))
        i++;
    if (i == PARTS)
        return NULL;
    if (i == r->parts) {
        smi_text_copy(r->digits[i], sizeof r->digits[i], key);
        r->key[i] = smi_text_of(r->digits[i]);
        smi_row_plan_init(&r->part[i], width);
        r->part[i].host = !key.n;
        if (time >= 0)
            smi_row_plan_add(&r->part[i], SMI_COL_TIME, 0, 0, (size_t)time);
        if (key.n)
            smi_row_plan_add(&r->part[i], SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0, width + i);
        r->parts++;
    }
    return &r->part[i];
}

/* TAG/timestamp, in s since 1970; else a column that is called time. */
static int find_time(const struct smi_text *cell, size_t n)
{
    int at = -1;
    for (size_t i = 0; i < n; i++) {
        struct smi_text t = cell[i];
        bool stamp = smi_text_is(take_last(&t), "timestamp") && t.n;
        if (stamp)
            return (int)i;
        at = at < 0 && smi_text_is_nocase(cell[i], "time") ? (int)i : at;
    }
    return at;
}

static int bind_nvitop(struct smi_reader *r, struct smi_text line, const struct smi_text *cell, size_t n,
                       struct smi_err *err)
{
    const bool last = is_statistic(cell, n, "last");
    const int time = find_time(cell, n);
    bool full = false;
    r->parts = 0;
    for (size_t i = 0; i < n; i++) {
        struct name name;
        if (!cut_name(cell[i], &name) || !smi_text_is(name.statistic, last ? "last" : "mean"))
            continue;
        for (size_t k = 0; k < smi_names_nvitop.n; k++) {
            const struct smi_alias *a = &smi_names_nvitop.list[k];
            bool host = smi_metric_is_host(a->what);
            struct smi_text key = host ? (struct smi_text){"", 0} : index_of(name.scope);
            struct smi_row_plan *p;
            if (!smi_text_is(name.metric, a->name) || (host ? !smi_text_is(name.scope, "host") : !key.n))
                continue;
            p = find_part(r, key, n, time);
            full |= !p;
            if (p)
                smi_row_plan_add(p, SMI_COL_NUMBER, a->what, a->how, i);
        }
    }
    if (smi_row_header(&r->row, line, &r->part[0], err))
        return -1;
    if (full)
        smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER,
                         "more than %d GPUs: the rest is not read", PARTS - 1);
    if (!last)
        smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER,
                         "no last readings: those are means since the collector was started");
    return 0;
}

/* ---- rows ---- */

static int read_nvitop_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_row_reader *row = &r->row;
    size_t n = smi_row_split(line, SMI_SPLIT_QUOTES, row->cell, COLUMNS);
    bool data = r->parts && n == r->part[0].width && smi_is_digit(*line.p);
    if (!data && is_nvitop_header(row->cell, n))
        return smi_row_same_header(row, line) && r->parts ? smi_row_count_header(row, err)
                                                          : bind_nvitop(r, line, row->cell, n, err);
    if (!r->parts || n != r->part[0].width || smi_message_is_known(line))
        return smi_row_other(row, line, false, n > 1 && r->parts ? SMI_REJECT_BAD_WIDTH : SMI_REJECT_FOREIGN,
                             err);
    for (unsigned i = 0; i < r->parts; i++)
        row->cell[n + i] = r->key[i];
    return smi_row_read_parts(row, line, r->part, r->parts, err);
}

static int find_nvitop_header(const struct smi_text *cell, size_t n)
{
    return n > 1 && is_nvitop_header(cell, n) ? SMI_FMT_NVITOP : -1;
}

static const struct smi_table table = {
    .flags = SMI_TABLE_SPARSE,
    .columns = COLUMNS + PARTS,
    .time = smi_row_time_stamp,
    .cell = smi_row_scaled_cell,
};

const struct smi_format smi_format_nvitop_csv = {.size = sizeof(struct smi_reader),
                                                 .header = find_nvitop_header,
                                                 .split = SMI_SPLIT_QUOTES,
                                                 .line = read_nvitop_line,
                                                 .table = &table};
