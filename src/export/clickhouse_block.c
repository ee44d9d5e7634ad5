#include "export/clickhouse_block.h"

#include "base/digest.h"

/* Places in columns.def. */
enum { RUN, GPU, TIME, MS, TIMED, UTC, UUID, ROW, INPUT, MONTH, BATCH, FIRST, END, ROWS };

void smi_ch_put_count(struct smi_buf *to, uint64_t n)
{
    for (; n > 127; n >>= 7)
        smi_buf_char(to, (char)((n & 127) | 128));
    smi_buf_char(to, (char)n);
}

void smi_ch_put_text(struct smi_buf *to, struct smi_text t)
{
    smi_ch_put_count(to, t.n);
    if (t.n)
        smi_buf_add(to, t.p, t.n);
}

void smi_ch_put_bytes(struct smi_buf *to, uint64_t n, size_t bytes)
{
    unsigned char *p = (unsigned char *)smi_buf_room(to, bytes);
    if (!p)
        return;
    for (size_t i = 0; i < bytes; i++)
        p[i] = (unsigned char)(n >> 8 * i);
    to->n += bytes;
}

/* The seconds that a DateTime has room for: 1970 to 2106. */
static uint32_t time_seconds(int64_t t_ms)
{
    int64_t s = t_ms / 1000 - (t_ms % 1000 < 0);
    return s < 0 ? 0 : s > UINT32_MAX ? UINT32_MAX : (uint32_t)s;
}

void smi_ch_block_row(struct smi_ch_block *b, const struct smi_ch_row *row)
{
    int64_t t = row->timed ? row->t_ms : 0;
    smi_ch_put_bytes(&b->cell[GPU], (uint64_t)(int64_t)row->gpu, 4);
    if (b->dialect == SMI_CH_18) {
        smi_ch_put_bytes(&b->cell[TIME], time_seconds(t), 4);
        smi_ch_put_bytes(&b->cell[MS], (uint64_t)((t % 1000 + 1000) % 1000), 2);
    } else {
        smi_ch_put_bytes(&b->cell[TIME], (uint64_t)t, 8);
    }
    smi_buf_char(&b->cell[TIMED], row->timed);
    smi_buf_char(&b->cell[UTC], row->utc);
    smi_ch_put_text(&b->cell[UUID], row->uuid);
    smi_ch_put_bytes(&b->cell[ROW], row->row, 8);
    b->rows++;
}

/* n rows more without a reading. */
static void pad_readings(struct smi_ch_readings *m, size_t n)
{
    char *absent = n ? smi_buf_room(&m->absent, n) : NULL, *value = n ? smi_buf_room(&m->value, n * 8) : NULL;
    if (!absent || !value)
        return;
    memset(absent, 1, n);
    memset(value, 0, n * 8);
    m->absent.n += n;
    m->value.n += n * 8;
    m->rows += n;
}

void smi_ch_block_reading(struct smi_ch_block *b, unsigned metric, int64_t micro)
{
    struct smi_ch_readings *m = &b->metric[metric];
    if (m->rows + 1 < b->rows)
        pad_readings(m, b->rows - 1 - m->rows);
    smi_buf_char(&m->absent, 0);
    smi_ch_put_bytes(&m->value, (uint64_t)micro, 8);
    m->rows++;
}

static uint64_t append_piece(uint64_t h, const char *p, size_t n)
{
    uint64_t both[2] = {h, smi_digest_of(p ? p : "", n)};
    return smi_digest_of((const char *)both, sizeof both);
}

uint64_t smi_ch_block_sum(const struct smi_ch_block *b, uint64_t run, uint64_t first, const char *input)
{
    uint64_t h = append_piece(run ^ first << 1, input, strlen(input));
    for (size_t i = 0; i < SMI_CH_SAMPLE_COLUMNS; i++)
        h = append_piece(h, b->cell[i].p, b->cell[i].n);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        const struct smi_ch_readings *r = &b->metric[m];
        if (!r->rows)
            continue;
        h = append_piece(h, smi_metrics[m].key, strlen(smi_metrics[m].key)); /* ids may be others tomorrow */
        h = append_piece(h, r->absent.p, r->absent.n);
        h = append_piece(h, r->value.p, r->value.n);
    }
    return h;
}

static void append_block(struct smi_buf *to, const struct smi_buf *more)
{
    if (more->n)
        smi_buf_add(to, more->p, more->n);
}

/* The same cell n times. */
static void repeat_cell(struct smi_buf *to, const struct smi_buf *cell, size_t n)
{
    size_t k = cell->n;
    char *p = k <= SIZE_MAX / 2 / (n + 1) ? smi_buf_room(to, k * n) : NULL;
    for (size_t i = 0; p && i < n; i++)
        memcpy(p + i * k, cell->p, k);
    to->n += p ? k * n : 0;
    to->failed |= !p || cell->failed;
}

static void write_batch_cell(struct smi_buf *to, size_t at, const struct smi_ch_batch *batch)
{
    smi_buf_clear(to);
    switch (at) {
    case RUN:
        smi_ch_put_bytes(to, batch->run, 8);
        break;
    case INPUT:
        smi_ch_put_text(to, batch->input);
        break;
    case MONTH:
        smi_ch_put_bytes(to, (uint64_t)batch->month, 2);
        break;
    case BATCH:
        smi_ch_put_bytes(to, batch->batch, 8);
        break;
    case FIRST:
        smi_ch_put_bytes(to, batch->first, 8);
        break;
    case END:
        smi_ch_put_bytes(to, batch->end, 8);
        break;
    default:
        smi_ch_put_bytes(to, batch->rows, 4);
    }
}

void smi_ch_block_join(struct smi_ch_block *b, const struct smi_ch_block *rows,
                       const struct smi_ch_batch *batch)
{
    static const int of_batch[SMI_CH_BATCH_CELLS] = {RUN, INPUT, MONTH, BATCH, FIRST, END, ROWS};
    struct smi_buf cell = {0};
    for (size_t i = 0; i < SMI_CH_SAMPLE_COLUMNS; i++)
        append_block(&b->cell[i], &rows->cell[i]);
    for (size_t i = 0; i < SMI_CH_BATCH_CELLS && rows->rows; i++) {
        write_batch_cell(&cell, (size_t)of_batch[i], batch);
        repeat_cell(&b->cell[of_batch[i]], &cell, rows->rows);
    }
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        struct smi_ch_readings *to = &b->metric[m];
        const struct smi_ch_readings *from = &rows->metric[m];
        if (!from->rows)
            continue;
        pad_readings(to, b->rows - to->rows);
        append_block(&to->absent, &from->absent);
        append_block(&to->value, &from->value);
        to->rows += from->rows;
    }
    b->failed |= rows->failed;
    b->rows += rows->rows;
    smi_buf_fini(&cell);
}

size_t smi_ch_block_bytes(const struct smi_ch_block *b)
{
    size_t n = 0;
    for (size_t i = 0; i < SMI_CH_SAMPLE_COLUMNS; i++)
        n += b->cell[i].n;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        n += b->metric[m].rows ? b->rows * 9 : 0;
    return n;
}

static bool has_column(const struct smi_ch_block *b, size_t i)
{
    return *smi_ch_type(smi_ch_columns[i].kind, b->dialect) != '\0';
}

void smi_ch_block_names(const struct smi_ch_block *b, struct smi_buf *to)
{
    const char *comma = "";
    for (size_t i = 0; i < SMI_CH_SAMPLE_COLUMNS; i++)
        if (has_column(b, i)) {
            smi_buf_fmt(to, "%s%s", comma, smi_ch_columns[i].name);
            comma = ", ";
        }
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        if (b->metric[m].rows) {
            char column[SMI_CH_NAME];
            smi_ch_metric_column(column, m);
            smi_buf_fmt(to, ", %s", column);
        }
}

/* A piece that is made in heads: its end is noted, and where it lies is known when all are made. */
struct making {
    struct smi_buf *heads;
    struct smi_text *piece;
    size_t n, from;
};

static void end_head(struct making *m)
{
    m->piece[m->n++] = (struct smi_text){NULL, m->heads->n - m->from};
    m->from = m->heads->n;
}

static void write_column_head(struct making *m, const char *name, enum smi_ch_kind kind,
                              enum smi_ch_dialect d)
{
    /* Of columns that the server keeps as words it takes plain texts, too. */
    const char *type = kind == SMI_CH_WORD ? smi_ch_type(SMI_CH_TEXT, d) : smi_ch_type(kind, d);
    smi_ch_put_text(m->heads, smi_text_of(name));
    smi_ch_put_text(m->heads, smi_text_of(type));
    end_head(m);
}

static void write_piece(struct making *m, const struct smi_buf *b)
{
    m->piece[m->n++] = (struct smi_text){b->p ? b->p : "", b->n};
}

size_t smi_ch_block_pieces(struct smi_ch_block *b, struct smi_buf *heads,
                           struct smi_text piece[SMI_CH_PIECES])
{
    struct making m = {heads, piece, 0, 0};
    size_t columns = 0, at = 0;
    char column[SMI_CH_NAME];
    smi_buf_clear(heads);
    for (size_t i = 0; i < SMI_CH_SAMPLE_COLUMNS; i++)
        columns += has_column(b, i);
    for (unsigned k = 0; k < SMI_METRIC_COUNT; k++)
        columns += b->metric[k].rows > 0;
    smi_ch_put_count(heads, columns);
    smi_ch_put_count(heads, b->rows);
    end_head(&m);
    for (size_t i = 0; i < SMI_CH_SAMPLE_COLUMNS; i++)
        if (has_column(b, i)) {
            write_column_head(&m, smi_ch_columns[i].name, smi_ch_columns[i].kind, b->dialect);
            write_piece(&m, &b->cell[i]);
            b->failed |= b->cell[i].failed;
        }
    for (unsigned k = 0; k < SMI_METRIC_COUNT; k++) {
        struct smi_ch_readings *r = &b->metric[k];
        if (!r->rows)
            continue;
        pad_readings(r, b->rows - r->rows);
        smi_ch_metric_column(column, k);
        write_column_head(&m, column, SMI_CH_METRIC, b->dialect);
        write_piece(&m, &r->absent);
        write_piece(&m, &r->value);
        b->failed |= r->absent.failed || r->value.failed;
    }
    for (size_t i = 0; i < m.n; i++)
        if (!piece[i].p) {
            piece[i].p = heads->p + at;
            at += piece[i].n;
        }
    return b->failed || heads->failed ? 0 : m.n;
}

void smi_ch_block_clear(struct smi_ch_block *b)
{
    for (size_t i = 0; i < SMI_CH_SAMPLE_COLUMNS; i++)
        smi_buf_clear(&b->cell[i]);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        smi_buf_clear(&b->metric[m].absent);
        smi_buf_clear(&b->metric[m].value);
        b->metric[m].rows = 0;
    }
    b->rows = 0;
}

void smi_ch_block_fini(struct smi_ch_block *b)
{
    for (size_t i = 0; i < SMI_CH_SAMPLE_COLUMNS; i++)
        smi_buf_fini(&b->cell[i]);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        smi_buf_fini(&b->metric[m].absent);
        smi_buf_fini(&b->metric[m].value);
    }
    memset(b, 0, sizeof *b);
}
