/* rocm-smi --show... --csv, called again and again: a block for each call, with its header.
 *
 *     WARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status
 *
 *     device,GPU use (%),VRAM Total Memory (B),VRAM Total Used Memory (B)
 *     card0,97,17163091968,8581545984
 *
 * It prints no times; loggers put them in front: "1787485761 card0,97,...". A call can print several blocks,
 * one for each group of options: rows of one card join into one sample until a reading comes again. So a row
 * waits for the next call, and the log is read in one piece. Commas inside values were taken out by the tool.
 * --showallinfo puts a table of quoted pairs in front, under "name, value": passed over, like blocks that
 * hold texts only. */
#include "formats/amd_columns.h"

#include <assert.h>
#include <string.h>

enum { HELD = 64, METRICS = 24 /* more than rocm-smi has */, NEAR_MS = 1000 };

/* A card's readings that wait for more. */
struct held {
    struct smi_sample s; /* its readings stand in: */
    uint16_t metric[METRICS];
    int64_t v[METRICS];
};

struct smi_reader {
    struct smi_rocm rocm; /* first: see row_engine.h */
    struct held held[HELD];
    size_t waiting;
};

/* ---- what waits ---- */

static int flush_rocm_csv_rows(struct smi_reader *r, struct smi_err *err)
{
    size_t n = r->waiting;
    r->waiting = 0;
    for (size_t i = 0; i < n; i++)
        if (smi_sink_row(r->rocm.row.lines.to, &r->held[i].s, err))
            return -1;
    return 0;
}

static struct held *held_of(struct smi_reader *r, int who)
{
    for (size_t i = 0; i < r->waiting; i++)
        if (r->held[i].s.who == who)
            return &r->held[i];
    return NULL;
}

/* Is b more of the same call: no reading comes twice, and the times, if any, are not further apart than a
 * second that turned in between? */
static bool belongs(const struct smi_sample *a, const struct smi_sample *b)
{
    int64_t dt = b->t_ms - a->t_ms;
    if (a->timed != b->timed || dt < -NEAR_MS || dt > NEAR_MS)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        for (unsigned k = 0; k < b->n; k++)
            if (a->metric[i] == b->metric[k])
                return false;
    return true;
}

static void add_held_readings(struct held *h, const struct smi_sample *s)
{
    assert(h->s.n + s->n <= METRICS);
    memcpy(h->metric + h->s.n, s->metric, s->n * sizeof *h->metric);
    memcpy(h->v + h->s.n, s->v, s->n * sizeof *h->v);
    h->s.n += s->n;
}

/* Takes a row in: one that joins another counts as a row itself. */
static int hold_rocm_csv_row(struct smi_row_reader *row, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_reader *r = (struct smi_reader *)row;
    struct held *h = held_of(r, s->who);
    if (s->who < 0)
        return smi_sink_row(row->lines.to, s, err);
    if (h && belongs(&h->s, s)) {
        add_held_readings(h, s);
        row->lines.account->rows++;
        return 0;
    }
    if ((h || r->waiting == HELD) && flush_rocm_csv_rows(r, err))
        return -1;
    h = &r->held[r->waiting++];
    h->s = *s;
    h->s.metric = h->metric;
    h->s.v = h->v;
    h->s.n = 0;
    add_held_readings(h, s);
    return 0;
}

/* ---- lines ---- */

static size_t split_rocm_csv_cells(const char *p, const char *end, struct smi_text *cell)
{
    return smi_row_split((struct smi_text){p, (size_t)(end - p)}, 0, cell, SMI_ROCM_COLUMNS);
}

/* The plan of a header; width 0: it is too wide. Returns whether a label is known. */
static bool bind_rocm_csv_columns(struct smi_row_plan *p, const struct smi_text *cell, size_t n)
{
    bool known = false;
    n = n > SMI_ROCM_COLUMNS ? 0 : n;
    smi_rocm_plan_init(p, n);
    for (size_t i = 1; i < n; i++) {
        const struct smi_alias *a = smi_rocm_alias(cell[i]);
        known |= a != NULL;
        if (a)
            smi_rocm_plan_add(p, a, i);
    }
    return known;
}

static int read_rocm_csv_header(struct smi_row_reader *row, struct smi_text line, const char *at,
                                struct smi_err *err)
{
    struct smi_row_plan fresh;
    bind_rocm_csv_columns(&fresh, row->cell, split_rocm_csv_cells(at, line.p + line.n, row->cell));
    return smi_row_header(row, line, &fresh, err);
}

static int read_rocm_csv_row(struct smi_rocm *r, struct smi_text line, const char *at, struct smi_err *err)
{
    struct smi_row_reader *row = &r->row;
    struct smi_text number;
    if (!row->plan.width)
        return smi_row_reject(row, SMI_REJECT_FOREIGN, line, err);
    if (split_rocm_csv_cells(at, line.p + line.n, row->cell) != row->plan.width)
        return smi_row_reject(row, SMI_REJECT_BAD_WIDTH, line, err);
    if (smi_rocm_card(row->cell[0], &number))
        return smi_row_reject(row, SMI_REJECT_FOREIGN, line, err);
    if (smi_rocm_take_time(r, line, at))
        return smi_row_reject(row, SMI_REJECT_BAD_TIME, line, err);
    return smi_row_read(row, line, err);
}

/* Below a header of texts. */
static bool has_no_numbers(struct smi_row_reader *row)
{
    return row->plan.n == 0;
}

/* The table of --showallinfo: "name, value", and pairs in quotes; and a row of the machine between the cards.
 */
static bool is_system(struct smi_text t)
{
    struct smi_text cell[SMI_ROCM_COLUMNS];
    size_t n = split_rocm_csv_cells(t.p, t.p + t.n, cell);
    return (*t.p == '"' && memchr(t.p + 1, '"', t.n - 1)) || (n > 1 && smi_text_is(cell[0], "system")) ||
           (n == 2 && smi_text_is(cell[0], "name") && smi_text_is(cell[1], "value"));
}

static bool is_digit(char c)
{
    return smi_is_digit(c);
}

/* A line that begins with no digit: do the cells behind its time fit the header? */
static bool is_rocm_csv_row(struct smi_row_reader *row, struct smi_text line, const char *at)
{
    struct smi_text number;
    return row->plan.width && split_rocm_csv_cells(at, line.p + line.n, row->cell) == row->plan.width &&
           smi_rocm_card(row->cell[0], &number) == 0 && smi_rocm_front(line, at);
}

static int read_rocm_csv_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_rocm *r = self;
    struct smi_row_reader *row = &r->row;
    const char *at = smi_rocm_find_behind_time(line, "device,");
    int rc;
    if (at)
        return read_rocm_csv_header(row, line, at, err);
    at = smi_rocm_find_behind_time(line, "card");
    if (at && is_digit(at[4]) && /* the end of the line at most */
        (at == line.p || is_digit(*line.p) || is_rocm_csv_row(row, line, at)))
        return read_rocm_csv_row(r, line, at, err);
    if (is_system(smi_text_trim(line))) {
        row->lines.account->messages++;
        return 0;
    }
    rc = smi_rocm_count_message(row, line, err);
    return rc ? (rc < 0 ? -1 : 0) : smi_row_reject(row, SMI_REJECT_FOREIGN, line, err);
}

/* Rows that wait for their date go on before those that wait for more. */
static int finish_rocm_csv(struct smi_reader *r, struct smi_err *err)
{
    return smi_row_finish(&r->rocm.row, err) || flush_rocm_csv_rows(r, err) ? -1 : 0;
}

/* ---- the format ---- */

static enum smi_sniff sniff_rocm_csv(struct smi_text line)
{
    struct smi_text cell[SMI_ROCM_COLUMNS];
    struct smi_row_plan p;
    const char *at = smi_rocm_find_behind_time(line, "device,");
    size_t n = at ? split_rocm_csv_cells(at, line.p + line.n, cell) : 0;
    return bind_rocm_csv_columns(&p, cell, n < SMI_ROCM_COLUMNS ? n : SMI_ROCM_COLUMNS) ? SMI_SNIFF_YES
                                                                                        : SMI_SNIFF_NO;
}

static const struct smi_table table = {SMI_ROCM_TABLE, .passed = has_no_numbers, .send = hold_rocm_csv_row};

const struct smi_format smi_format_rocm = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_rocm_csv,
    .line = read_rocm_csv_line,
    .table = &table,
    .fronts = true,
    .finish = finish_rocm_csv,
};
