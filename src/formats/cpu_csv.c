/* The CPU log of the reference's sampler: UTC stamps, percent of all CPUs; usr includes nice.
 *
 *     timestamp,usr_pct,idle_pct
 *     2026-11-21T06:22:31.123+00:00,12.3,80.1
 *
 * Further columns may follow: those that are called as a metric of the machine (smilog list metrics: cpu_pct,
 * psi_io_pct, cgroup_ram_mib) are read, others are not. Files of only the three take the fast road. */
#include "base/clock.h"
#include "base/mem.h"
#include "formats/format.h"
#include "formats/lines.h"
#include "formats/fast_block.h"
#include "formats/metric_csv.h"

#include <string.h>

enum { CELLS = 3, NUMBERS = CELLS - 1, STAMP = 29, WINDOW = 4096, WINDOW_MIN = 256, SLACK = 64 };

static const uint16_t metric_of[CELLS] = {0, SMI_CPU_USR, SMI_CPU_IDLE}; /* by place; 0: the time */

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    struct smi_metric_csv columns;
    struct smi_fast_block block;
    size_t window;                 /* how many bytes are looked at together */
    bool cr;                       /* rows of the block end with CR LF */
    struct smi_fast_minute minute; /* of the row before */
};

static bool is_cpu_csv_header(const struct smi_text cell[SMI_METRIC_CSV_COLUMNS], size_t n)
{
    return n >= CELLS && smi_text_is_nocase(cell[0], "timestamp") && smi_text_is_nocase(cell[1], "usr_pct") &&
           smi_text_is_nocase(cell[2], "idle_pct");
}

/* ---- the fast road ---- */

/* "2026-11-21T06:22:31.123+00:00", mostly of the same minute as the row before. */
static bool read_stamp(struct smi_reader *r, const char *p, int64_t *t_ms)
{
    int64_t us;
    bool fine, zoned;
    if (memcmp(p + 23, "+00:00", 6))
        return false;
    if (smi_fast_minute_read(&r->minute, p, t_ms))
        return true;
    if (p[19] != '.' || smi_clock_parse_iso((struct smi_text){p, STAMP}, &us, &fine, &zoned) || us < 0)
        return false;
    *t_ms = us / 1000;
    smi_fast_minute_learn(&r->minute, p, *t_ms);
    return true;
}

/* Is all of the row whose separators are at[0 ...] plain, but its numbers? */
static bool read_cpu_csv_cells(struct smi_reader *r, const char *p, const uint32_t *at, unsigned row)
{
    const char *from = p + (uint32_t)(at[-1] + 1);
    return p + at[0] == from + STAMP && *(p + at[0]) == ',' && p[at[1]] == ',' && p[at[2]] == '\n' &&
           (p[at[2] - 1] == '\r') == r->cr && read_stamp(r, from, &r->block.t_ms[row]);
}

/* The rows among the n whose separators are at[0 ...] that are plain in the block's shape. */
static unsigned read_cpu_csv_batch(struct smi_reader *r, const char *p, const uint32_t *at, size_t n)
{
    struct smi_fast_block *b = &r->block;
    unsigned i = 0, room = SMI_ROWS_MAX - b->n;
    if (!b->metrics)
        return 0;
    room = room < n ? room : (unsigned)n;
    while (i < room && read_cpu_csv_cells(r, p, at + i * CELLS, b->n + i))
        i++;
    return smi_fast_block_cells(b, p, at, CELLS, i);
}

/* A block for rows like the one whose separators are at[0 ...]. Returns 1, 0 if it is none, or -1 without
 * memory. */
static int reshape_cpu_csv_block(struct smi_reader *r, const char *p, const uint32_t *at)
{
    if (p[at[1]] != ',' || p[at[2]] != '\n')
        return 0;
    r->cr = p[at[2] - 1] == '\r';
    for (unsigned k = 0; k < NUMBERS; k++) {
        struct smi_fast_block_column *c = &r->block.column[k];
        const char *cell = p + at[k] + 1, *end, *point;
        c->place = (uint16_t)(k + 1);
        c->cut = r->cr && k + 1 == NUMBERS;
        end = p + at[k + 1] - c->cut;
        point = memchr(cell, '.', (size_t)(end - cell));
        if (point && end - point > 7)
            return 0;
        c->decimals = (uint8_t)(point ? end - point - 1 : 0);
    }
    return smi_fast_block_shape(&r->block);
}

/* The rows among the separators at[0 ... n - 1], which are part of the bytes from p on. *done: the bytes that
 * they take. Returns 1 if all were taken, 0 if one has to go the general road, -1 with err. */
static int read_cpu_csv_window(struct smi_reader *r, const char *p, const uint32_t *at, size_t n,
                               size_t *done, struct smi_err *err)
{
    *done = 0;
    for (size_t rows = n / CELLS; rows;) {
        unsigned took = read_cpu_csv_batch(r, p, at, rows);
        if ((!took || r->block.n == SMI_ROWS_MAX) && smi_fast_block_flush(&r->block, &r->lines, err))
            return -1;
        if (!took) {
            int rc = reshape_cpu_csv_block(r, p, at);
            if (rc < 0)
                return smi_err_nomem(err);
            took = rc ? read_cpu_csv_batch(r, p, at, 1) : 0;
        }
        if (!took)
            return 0;
        at += took * CELLS;
        rows -= took;
        *done = (size_t)at[-1] + 1;
    }
    return 1;
}

static ptrdiff_t read_cpu_csv_rows_fast(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct smi_reader *r = self;
    const char *from = p, *end = p + n;
    uint32_t at[1 + WINDOW + SLACK];
    int more = 1;
    if (!r->block.columns || (r->columns.width && r->columns.width != CELLS))
        return 0;
    at[0] = UINT32_MAX; /* in front of the first row */
    while (more == 1 && end - p >= SLACK) {
        size_t window = (size_t)(end - p) - SLACK / 2, done, lf;
        window =
            (window < r->window ? window : r->window) / SLACK * SLACK; /* a word at a time: not to the end */
        more = read_cpu_csv_window(r, p, at + 1, r->block.kernel->index(p, window, at + 1, &lf), &done, err);
        if (more < 0)
            return -1;
        /* Where rows have to go the general road, what stands behind them is not looked at again and again.
         */
        r->window = !more ? WINDOW_MIN : r->window < WINDOW ? 2 * r->window : WINDOW;
        p += done;
        more = more && done;
    }
    return smi_fast_block_flush(&r->block, &r->lines, err) ? -1 : p - from;
}

/* ---- the general road ---- */

/* A first line that is data is data: the header can be lost. */
static int read_cpu_csv_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text cell[SMI_METRIC_CSV_COLUMNS];
    size_t n = smi_metric_csv_split(line, cell);
    int rc;
    if (is_cpu_csv_header(cell, n)) {
        r->lines.account->changes +=
            smi_metric_csv_bind(&r->columns, cell, n, CELLS); /* its rows cannot be read apart from it */
        r->lines.account->header++;
        return 0;
    }
    if (n == 1 || !smi_metric_csv_begins_row(cell)) {
        rc = smi_message_count(r->lines.account, line, err);
        if (rc)
            return rc < 0 ? -1 : 0;
    }
    if (n == 1)
        return smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
    if (n < CELLS || (r->columns.width && n != r->columns.width))
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_WIDTH, line, err);
    n = r->columns.width ? n : CELLS; /* without a header the others are not known */
    return smi_metric_csv_row(&r->columns, &r->lines, line, cell, n, err);
}

static enum smi_sniff sniff_cpu_csv(struct smi_text line)
{
    struct smi_text cell[SMI_METRIC_CSV_COLUMNS];
    return is_cpu_csv_header(cell, smi_metric_csv_split(line, cell)) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open_cpu_csv_reader(const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_lines_open(sizeof *r, o, read_cpu_csv_line, err);
    if (!r)
        return NULL;
    r->lines.rows = read_cpu_csv_rows_fast;
    for (size_t i = 1; i < CELLS; i++)
        r->columns.metric[i] = (int16_t)metric_of[i];
    r->window = WINDOW_MIN;
    if (SMI_FAST_LITTLE_ENDIAN && smi_fast_block_bind(&r->block, metric_of + 1, NUMBERS)) {
        r->block.keyed = r->block.timed = r->block.fine = true;
        for (unsigned i = 0; i < SMI_ROWS_MAX; i++)
            r->block.who[i] = SMI_DEVICE_HOST;
    }
    return r;
}

static void reset_cpu_csv_reader(struct smi_reader *r, const struct smi_read_opts *o)
{
    smi_lines_reset(r, o);
    r->columns.width = 0;
    r->window = WINDOW_MIN;
    r->block.n = r->block.metrics = 0;
}

static enum smi_time_base cpu_csv_time_base(const struct smi_reader *r)
{
    (void)r;
    return SMI_TIME_BASE_UTC;
}

static void close_cpu_csv_reader(struct smi_reader *r)
{
    if (!r)
        return;
    smi_fast_block_fini(&r->block);
    smi_lines_close(r);
}

const struct smi_format smi_format_cpu_csv = {
    .name = "cpu-csv",
    .help =
        "CPU log of the reference's sampler: timestamp,usr_pct,idle_pct, and further metrics of the machine",
    .sniff = sniff_cpu_csv,
    .open = open_cpu_csv_reader,
    .again = reset_cpu_csv_reader,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = cpu_csv_time_base,
    .close = close_cpu_csv_reader,
};
