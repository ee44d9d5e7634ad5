#include "export/clickhouse_batches.h"

#include "base/clock.h"
#include "export/clickhouse_send.h"

#include <stdlib.h>

struct cutting {
    const struct smi_ch_batches_make *c;
    const struct smi_export_input *in;
    struct smi_buf name; /* of the input */
    size_t edge, known_from,
        known_to;        /* known batches of this input, and the next of them that has not ended */
    uint64_t first, end; /* ordinals of the rows that are gathered */
    bool dated;
    int64_t t_ms; /* of the first that has a time */
    uint64_t rows;
    int64_t count[SMI_METRIC_COUNT];
    smi_i128 sum[SMI_METRIC_COUNT];
};

/* Days since 1970 of the first of its month. */
static int month_of(int64_t t_ms)
{
    char text[SMI_CLOCK_TEXT];
    int year, month;
    if (t_ms < 0)
        return 0;
    smi_clock_write(text, t_ms, false);
    year = (text[0] - '0') * 1000 + (text[1] - '0') * 100 + (text[2] - '0') * 10 + text[3] - '0';
    month = (text[5] - '0') * 10 + text[6] - '0';
    return year > 2148 ? 0 : (int)smi_clock_days(year, month, 1);
}

static struct smi_ch_stored_batch *find_stored_batch(const struct cutting *k, uint64_t batch)
{
    for (size_t i = k->known_from; i < k->known_to; i++) {
        struct smi_ch_stored_batch *b = &k->c->known->list[i];
        if (b->first == k->first && b->end == k->end && b->batch == batch && b->rows == k->c->room->rows)
            return b;
    }
    return NULL;
}

static int end_batch(struct cutting *k, struct smi_err *err)
{
    struct smi_ch_block *rows = k->c->room;
    struct smi_ch_batch b = {.run = k->c->run,
                             .first = k->first,
                             .end = k->end,
                             .rows = (uint32_t)rows->rows,
                             .input = {k->name.p, k->name.n}};
    int rc;
    if (!rows->rows)
        return 0;
    b.batch = smi_ch_block_sum(rows, k->c->run, k->first, k->name.p);
    b.month = k->dated ? month_of(k->t_ms) : 0;
    rc = k->c->batch(k->c->self, &b, rows, find_stored_batch(k, b.batch), err);
    smi_ch_block_clear(rows);
    k->dated = false;
    return rc;
}

/* Does a batch end in front of this row? */
static bool is_batch_edge(struct cutting *k, uint64_t ordinal)
{
    const struct smi_ch_stored_batch *list = k->c->known->list;
    bool edge = false;
    while (k->edge < k->known_to && (list[k->edge].end <= ordinal)) {
        k->edge++;
        edge = true;
    }
    if (k->edge < k->known_to && list[k->edge].first <= ordinal)
        return edge || k->first < list[k->edge].first;
    return edge || k->c->room->rows >= SMI_CH_BATCH_ROWS;
}

static void append_row(struct cutting *k, const struct smi_export_row *row)
{
    const struct smi_summary *s = k->c->r->summary;
    const struct smi_gpu *g = row->gpu >= 0 ? &s->gpus[row->gpu] : NULL;
    struct smi_ch_row cell = {.gpu = -1,
                              .t_ms = row->t_ms,
                              .timed = row->timed,
                              .utc = k->in->base == SMI_TIME_BASE_UTC,
                              .row = row->ordinal};
    if (g) {
        cell.gpu = g->pooled ? -2 : g->index >= 0 ? g->index : row->gpu;
        cell.uuid = smi_text_of(g->uuid ? g->uuid : "");
    }
    smi_ch_block_row(k->c->room, &cell);
    for (unsigned i = 0; i < row->n; i++) {
        smi_ch_block_reading(k->c->room, row->metric[i], row->v[i]);
        k->count[row->metric[i]]++;
        k->sum[row->metric[i]] += row->v[i];
    }
    k->rows++;
}

static int batch_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct cutting *k = self;
    if (is_batch_edge(k, row->ordinal) && end_batch(k, err))
        return -1;
    if (!k->c->room->rows)
        k->first = row->ordinal;
    k->end = row->ordinal + 1;
    if (!k->dated && row->timed) {
        k->dated = true;
        k->t_ms = row->t_ms;
    }
    append_row(k, row);
    return 0;
}

static void write_sums(struct smi_json *j, const struct cutting *k)
{
    smi_json_key(j, k->name.p);
    smi_json_open(j, '{');
    smi_json_key_int(j, "rows", (int64_t)k->rows);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        char column[SMI_CH_NAME];
        if (!k->count[m])
            continue;
        smi_ch_metric_column(column, m);
        smi_json_key(j, column);
        smi_json_open(j, '[');
        smi_json_int(j, k->count[m]);
        smi_json_i128(j, k->sum[m]);
        smi_json_close(j, ']');
    }
    smi_json_close(j, '}');
}

void smi_ch_input_name(struct smi_buf *to, const struct smi_export_run *r, size_t i)
{
    size_t nth = 1;
    for (size_t other = 0; other < i; other++)
        nth += strcmp(r->input[other].path, r->input[i].path) == 0;
    smi_buf_clear(to);
    smi_buf_str(to, r->input[i].path);
    if (nth > 1)
        smi_buf_fmt(to, "#%zu", nth);
}

static int begin_input(struct cutting *k, const struct smi_ch_batches_make *c, size_t i)
{
    struct smi_buf name = k->name;
    memset(k, 0, sizeof *k);
    k->name = name;
    k->c = c;
    k->in = &c->r->input[i];
    smi_ch_input_name(&k->name, c->r, i);
    if (k->name.failed)
        return -1;
    while (k->known_from < c->known->n && strcmp(c->known->list[k->known_from].input, k->name.p) != 0)
        k->known_from++;
    k->known_to = k->edge = k->known_from;
    while (k->known_to < c->known->n && strcmp(c->known->list[k->known_to].input, k->name.p) == 0)
        k->known_to++;
    return 0;
}

int smi_ch_batches_make(const struct smi_ch_batches_make *c, struct smi_err *err)
{
    struct cutting *k = smi_mem_new(1, sizeof *k);
    struct smi_json j;
    int rc = k ? 0 : smi_err_nomem(err);
    if (c->sums) {
        smi_json_begin(&j, c->sums);
        smi_json_open(&j, '{');
    }
    for (size_t i = 0; i < c->r->inputs && !rc; i++) {
        rc = begin_input(k, c, i) ? smi_err_nomem(err) : smi_export_rows(c->r, i, 0, batch_row, k, err);
        rc = rc ? rc : end_batch(k, err);
        if (c->sums && !rc && k->rows)
            write_sums(&j, k);
    }
    if (c->sums)
        smi_json_close(&j, '}');
    smi_ch_block_clear(c->room);
    if (k)
        smi_buf_fini(&k->name);
    smi_mem_free(k);
    return rc;
}
