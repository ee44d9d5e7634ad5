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
#include "formats/rocm.h"
#include "base/mem.h"

#include <string.h>

enum { COLUMNS = 256, HELD = 64, NEAR_MS = 1000 };

/* A card's readings that wait for more. */
struct held {
    int who;
    bool timed, fine;
    int64_t t_ms;
    unsigned n;
    uint16_t metric[SMI_ROCM_METRICS];
    int64_t v[SMI_ROCM_METRICS];
};

struct smi_reader {
    struct smi_lines lines; /* first: see reader.c */
    enum smi_time_base base;
    size_t width;                            /* cells of the header; 0: none yet */
    bool numbers;                            /* some of its columns are read */
    const struct smi_alias *column[COLUMNS]; /* or NULL */
    struct smi_text cell[COLUMNS];
    struct held held[HELD];
    size_t waiting;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t split_rocm_csv_cells(const char *p, const char *end, struct smi_text *cell)
{
    return smi_row_split((struct smi_text){p, (size_t)(end - p)}, 0, cell, COLUMNS);
}

/* ---- what waits ---- */

static int send_rocm_csv_row(struct smi_reader *r, const struct held *h, struct smi_err *err)
{
    const struct smi_sample s = {.t_ms = h->t_ms,
                                 .timed = h->timed,
                                 .fine = h->fine,
                                 .who = h->who,
                                 .n = h->n,
                                 .metric = h->metric,
                                 .v = h->v};
    return smi_sink_row(r->lines.to, &s, err);
}

static int flush_rocm_csv_rows(struct smi_reader *r, struct smi_err *err)
{
    size_t n = r->waiting;
    r->waiting = 0;
    for (size_t i = 0; i < n; i++)
        if (send_rocm_csv_row(r, &r->held[i], err))
            return -1;
    return 0;
}

static struct held *held_of(struct smi_reader *r, int who)
{
    for (size_t i = 0; i < r->waiting; i++)
        if (r->held[i].who == who)
            return &r->held[i];
    return NULL;
}

/* Is b more of the same call: no reading comes twice, and the times, if any, are not further apart than a
 * second that turned in between? */
static bool belongs(const struct held *a, const struct held *b)
{
    int64_t dt = b->t_ms - a->t_ms;
    if (a->timed != b->timed || dt < -NEAR_MS || dt > NEAR_MS)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        for (unsigned k = 0; k < b->n; k++)
            if (a->metric[i] == b->metric[k])
                return false;
    return a->n + b->n <= SMI_ROCM_METRICS;
}

/* Takes a row in: one that joins another counts as a row itself. */
static int hold_rocm_csv_row(struct smi_reader *r, const struct held *fresh, struct smi_err *err)
{
    struct held *h = held_of(r, fresh->who);
    if (fresh->who < 0)
        return send_rocm_csv_row(r, fresh, err);
    if (h && belongs(h, fresh)) {
        memcpy(h->metric + h->n, fresh->metric, fresh->n * sizeof *h->metric);
        memcpy(h->v + h->n, fresh->v, fresh->n * sizeof *h->v);
        h->n += fresh->n;
        r->lines.account->rows++;
        return 0;
    }
    if ((h || r->waiting == HELD) && flush_rocm_csv_rows(r, err))
        return -1;
    r->held[r->waiting++] = *fresh;
    return 0;
}

/* ---- lines ---- */

static int read_rocm_csv_header(struct smi_reader *r, struct smi_text line, const char *at)
{
    r->width = split_rocm_csv_cells(at, line.p + line.n, r->cell);
    r->lines.account->header++;
    r->numbers = false;
    if (r->width > COLUMNS)
        r->width = 0;
    for (size_t i = 1; i < r->width; i++) {
        r->column[i] = smi_rocm_alias(r->cell[i]);
        r->numbers |= r->column[i] && r->column[i]->kind == SMI_COL_NUMBER;
    }
    return 0;
}

static int read_rocm_csv_time(struct smi_reader *r, struct smi_text line, const char *at, struct held *h)
{
    enum smi_time_base base = SMI_TIME_BASE_NONE;
    int rc = smi_rocm_leading_time(line, at, &h->t_ms, &h->fine, &base);
    if (rc > 0 && r->base == SMI_TIME_BASE_NONE)
        r->base = base;
    h->timed = rc > 0 && base == r->base;
    h->t_ms = h->timed ? h->t_ms : 0;
    return rc < 0 ? -1 : 0;
}

static int row(struct smi_reader *r, struct smi_text line, const char *at, struct smi_err *err)
{
    struct smi_rocm_row row = {0};
    struct held h = {0};
    if (smi_rocm_card(r->cell[0], &row.key[SMI_DEVICE_KEY_INDEX]))
        return smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
    if (read_rocm_csv_time(r, line, at, &h))
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_TIME, line, err);
    for (size_t i = 1; i < r->width; i++)
        if (smi_rocm_row_add(&row, r->column[i], r->cell[i], r->lines.account, err))
            return -1;
    if (smi_rocm_device(&row, r->lines.devices, &h.who, err))
        return -1;
    if (!r->numbers) {
        r->lines.account->messages++;
        return 0;
    }
    if (!row.n)
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_NUMBER, line, err);
    h.n = row.n;
    memcpy(h.metric, row.metric, sizeof h.metric);
    memcpy(h.v, row.v, sizeof h.v);
    return hold_rocm_csv_row(r, &h, err);
}

static int check_rocm_csv_row(struct smi_reader *r, struct smi_text line, const char *at, struct smi_err *err)
{
    if (!r->width)
        return smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
    if (split_rocm_csv_cells(at, line.p + line.n, r->cell) != r->width)
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_WIDTH, line, err);
    return row(r, line, at, err);
}

/* The table of --showallinfo: "name, value", and pairs in quotes; and a row of the machine between the cards.
 */
static bool is_system(struct smi_text t)
{
    struct smi_text cell[COLUMNS];
    size_t n = split_rocm_csv_cells(t.p, t.p + t.n, cell);
    return (*t.p == '"' && memchr(t.p + 1, '"', t.n - 1)) || (n > 1 && smi_text_is(cell[0], "system")) ||
           (n == 2 && smi_text_is(cell[0], "name") && smi_text_is(cell[1], "value"));
}

static int read_rocm_csv_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    const char *at = smi_rocm_find_behind_time(line, "device,");
    int rc;
    if (at)
        return read_rocm_csv_header(r, line, at);
    at = smi_rocm_find_behind_time(line, "card");
    if (at && is_digit(at[4]) && (at == line.p || is_digit(*line.p))) /* at[4]: the end of the line at most */
        return check_rocm_csv_row(r, line, at, err);
    if (is_system(smi_text_trim(line))) {
        r->lines.account->messages++;
        return 0;
    }
    rc = smi_rocm_count_message(r->lines.account, line, err);
    return rc ? (rc < 0 ? -1 : 0) : smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
}

/* ---- the format ---- */

static enum smi_sniff sniff_rocm_csv(struct smi_text line)
{
    struct smi_text cell[COLUMNS];
    const char *at = smi_rocm_find_behind_time(line, "device,");
    size_t n = at ? split_rocm_csv_cells(at, line.p + line.n, cell) : 0;
    for (size_t i = 1; i < n && i < COLUMNS; i++)
        if (smi_rocm_alias(cell[i]))
            return SMI_SNIFF_YES;
    return SMI_SNIFF_NO;
}

static enum smi_time_base rocm_csv_time_base(const struct smi_reader *r)
{
    return r->base;
}

const struct smi_format smi_format_rocm = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_rocm_csv,
    .line = read_rocm_csv_line,
    .finish = flush_rocm_csv_rows,
    .base = rocm_csv_time_base,
};
