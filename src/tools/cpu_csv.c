/* The CPU log of the reference's sampler: UTC stamps, percent of all CPUs; usr includes nice.
 *
 *     timestamp,usr_pct,idle_pct
 *     2026-11-21T06:22:31.123+00:00,12.3,80.1
 *
 * Further columns may follow; they are not read. */
#include "base/clock.h"
#include "base/mem.h"
#include "format/format.h"
#include "format/lines.h"
#include "format/plain.h"

#include <string.h>

enum { CELLS = 3, NUMBERS = CELLS - 1, MINUTE = 17, STAMP = 29, ROW = 64 /* bytes of a plain row, at most */ };

static const uint16_t metric_of[CELLS] = {0, SMI_CPU_USR, SMI_CPU_IDLE}; /* by place; 0: the time */

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    size_t width;        /* cells of the header; 0: none yet */
    struct smi_plain block;
    bool minute_known;
    char minute[MINUTE]; /* the stamp's front in the row before, and its time */
    int64_t minute_ms;
};

/* The first three cells, trimmed; returns how many there are in all. */
static size_t cut(struct smi_text line, struct smi_text cell[CELLS])
{
    const char *p = line.p, *end = line.p + line.n, *comma;
    size_t n = 0;
    for (;; p = comma + 1) {
        comma = memchr(p, ',', (size_t)(end - p));
        if (n < CELLS)
            cell[n] = smi_text_trim((struct smi_text){p, (size_t)((comma ? comma : end) - p)});
        n++;
        if (!comma)
            return n;
    }
}

static bool is_header(const struct smi_text cell[CELLS], size_t n)
{
    return n >= CELLS && smi_text_same(cell[0], "timestamp") && smi_text_same(cell[1], "usr_pct") &&
           smi_text_same(cell[2], "idle_pct");
}

static int row(struct smi_reader *r, struct smi_text line, const struct smi_text cell[CELLS],
               struct smi_err *err)
{
    uint16_t metric[CELLS];
    int64_t v[CELLS], us;
    bool zoned;
    enum smi_cell what;
    struct smi_sample s = {.timed = true, .who = SMI_WHO_HOST, .metric = metric, .v = v};
    if (smi_clock_iso(cell[0], &us, &s.fine, &zoned))
        return smi_account_reject(r->lines.account, SMI_BAD_TIME, line, err);
    s.t_ms = us / 1000 - (us % 1000 < 0);
    for (int i = 1; i < CELLS; i++) {
        what = smi_cell_number(metric_of[i], cell[i], &v[s.n]);
        if (what == SMI_CELL_OK)
            metric[s.n++] = metric_of[i];
        else if (smi_cell_lost(r->lines.account, what, metric_of[i], cell[i], err))
            return -1;
    }
    if (!s.n)
        return smi_account_reject(r->lines.account, SMI_BAD_NUMBER, line, err);
    return r->lines.to->take(r->lines.to, &s, err);
}

/* ---- the fast road ---- */

/* "2026-11-21T06:22:31.123+00:00", mostly of the same minute as the row before. */
static bool read_stamp(struct smi_reader *r, const char *p, int64_t *t_ms)
{
    unsigned a = (unsigned)(p[17] - '0'), b = (unsigned)(p[18] - '0'), c = (unsigned)(p[20] - '0'),
             d = (unsigned)(p[21] - '0'), e = (unsigned)(p[22] - '0');
    if (a > 5 || b > 9 || c > 9 || d > 9 || e > 9 || p[19] != '.' || memcmp(p + 23, "+00:00", 6))
        return false;
    if (!r->minute_known || memcmp(p, r->minute, MINUTE)) {
        int64_t us;
        bool fine, zoned;
        if (smi_clock_iso((struct smi_text){p, STAMP}, &us, &fine, &zoned) || us < 0)
            return false;
        memcpy(r->minute, p, MINUTE);
        r->minute_known = true;
        r->minute_ms = us / 60000000 * 60000;
    }
    *t_ms = r->minute_ms + (int64_t)(a * 10 + b) * 1000 + c * 100 + d * 10 + e;
    return true;
}

/* The bytes of the row at p, of which ROW are readable, or 0. at: where its numbers begin, and 1 behind its end. */
static unsigned measure(const char *p, unsigned at[NUMBERS + 1])
{
    unsigned i = STAMP + 1;
    at[0] = i;
    while (i < ROW && p[i] != ',' && p[i] != '\n')
        i++;
    if (p[STAMP] != ',' || i == ROW || p[i] != ',')
        return 0;
    at[1] = ++i;
    while (i < ROW && p[i] != ',' && p[i] != '\n')
        i++;
    if (i == ROW || p[i] != '\n')
        return 0;
    at[2] = i + (p[i - 1] != '\r');
    return i + 1;
}

/* The rows from p on that are plain in the block's shape wait, at most one batch; end[i] is behind the i-th. */
static unsigned read_batch(struct smi_reader *r, const char *p, const char *last, const char **end)
{
    struct smi_plain *b = &r->block;
    unsigned i = 0, n, room = SMI_ROWS_MAX - b->n, at[NUMBERS + 1];
    if (!b->metrics)
        return 0;
    for (room = room < SMI_NUMBERS_MAX ? room : SMI_NUMBERS_MAX; i < room && last - p > ROW + 8; i++) {
        n = measure(p, at);
        if (!n || !read_stamp(r, p, &b->t_ms[b->n + i]))
            break;
        for (unsigned k = 0; k < NUMBERS; k++)
            smi_plain_wait(b, k, i, p + at[k], at[k + 1] - at[k] - 1);
        end[i] = p += n;
    }
    return smi_plain_take(b, i);
}

/* A block for rows like the one at p. Returns 1, 0 if it is none, or -1 without memory. */
static int reshape(struct smi_reader *r, const char *p)
{
    unsigned at[NUMBERS + 1];
    if (!measure(p, at))
        return 0;
    for (unsigned k = 0; k < NUMBERS; k++) {
        const char *cell = p + at[k], *point = memchr(cell, '.', at[k + 1] - at[k] - 1);
        size_t decimals = point ? (size_t)(cell + at[k + 1] - at[k] - 1 - point - 1) : 0;
        if (decimals > 6)
            return 0;
        r->block.column[k].decimals = (uint8_t)decimals;
    }
    return smi_plain_shape(&r->block);
}

static ptrdiff_t on_rows(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct smi_reader *r = self;
    const char *from = p, *last = p + n, *end[SMI_NUMBERS_MAX];
    if (!r->block.columns || (r->width && r->width != CELLS))
        return 0;
    while (last - p > ROW + 8) {
        unsigned took = read_batch(r, p, last, end);
        if (!took) {
            int rc = smi_plain_flush(&r->block, &r->lines, err) ? -2 : reshape(r, p);
            if (rc < 0)
                return rc == -1 ? smi_err_nomem(err) : -1;
            took = rc ? read_batch(r, p, last, end) : 0;
        }
        if (!took)
            break;
        p = end[took - 1];
        if (r->block.n == SMI_ROWS_MAX && smi_plain_flush(&r->block, &r->lines, err))
            return -1;
    }
    return smi_plain_flush(&r->block, &r->lines, err) ? -1 : p - from;
}

/* ---- the general road ---- */

/* A first line that is data is data: the header can be lost. */
static int on_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text cell[CELLS];
    size_t n = cut(line, cell);
    int rc;
    if (is_header(cell, n)) {
        r->lines.account->changes += r->width != n; /* its rows cannot be read apart from it */
        r->width = n;
        r->lines.account->header++;
        return 0;
    }
    if (n == 1 || cell[0].n == 0 || cell[0].p[0] < '0' || cell[0].p[0] > '9') {
        rc = smi_message_take(r->lines.account, line, err);
        if (rc)
            return rc < 0 ? -1 : 0;
    }
    if (n == 1)
        return smi_account_reject(r->lines.account, SMI_FOREIGN, line, err);
    if (n < CELLS || (r->width && n != r->width))
        return smi_account_reject(r->lines.account, SMI_BAD_WIDTH, line, err);
    return row(r, line, cell, err);
}

static enum smi_sniff sniff(struct smi_text line)
{
    struct smi_text cell[CELLS];
    return is_header(cell, cut(line, cell)) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open(const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_mem_new(1, sizeof *r);
    if (!r) {
        smi_err_nomem(err);
        return NULL;
    }
    r->lines = (struct smi_lines){.account = o->account, .devices = o->devices, .line = on_line, .self = r,
                                 .begun = o->later, .rows = on_rows};
    if (SMI_PLAIN_WORDS && smi_plain_bind(&r->block, metric_of + 1, NUMBERS)) {
        r->block.keyed = r->block.timed = r->block.fine = true;
        for (unsigned i = 0; i < SMI_ROWS_MAX; i++)
            r->block.who[i] = SMI_WHO_HOST;
    }
    return r;
}

static enum smi_base base(const struct smi_reader *r)
{
    (void)r;
    return SMI_BASE_UTC;
}

static void close(struct smi_reader *r)
{
    if (!r)
        return;
    smi_lines_fini(&r->lines);
    smi_plain_fini(&r->block);
    smi_mem_free(r);
}

const struct smi_format smi_format_cpu = {
    .name = "cpu-csv",
    .help = "CPU log of the reference's sampler: timestamp,usr_pct,idle_pct",
    .sniff = sniff,
    .open = open,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = base,
    .close = close,
};
