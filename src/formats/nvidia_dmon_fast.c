#include "formats/nvidia_dmon_fast.h"

#include "base/clock.h"

/* Kinds of cells that are no column of the block. */
enum { SKIP = -1, GPU = -2, DATE = -3, TIME = -4, MISSING = -5, WIDE = -6 };

/* SLACK: cells are loaded a word at a time. HEADS: header lines that are taken together. */
enum { SLACK = 8, BATCH_MIN = 8, HEADS = 1024 };

void smi_dmon_fast_bind(struct smi_dmon_fast *d, const struct smi_row_plan *p, bool timed)
{
    int date = p->at[SMI_AT_DATE], time = p->at[SMI_AT_TIME];
    uint16_t metric[SMI_ROW_READINGS];
    d->on = false;
    d->known = 0;
    memset(d->cell, 0, sizeof d->cell);
    d->changes = UINT64_MAX;
    for (unsigned i = 0; i < p->n; i++)
        metric[i] = p->column[i].what;
    if (!SMI_FAST_LITTLE_ENDIAN || !p->width || p->commas || (time >= 0 && (date < 0 || !timed)) ||
        !smi_fast_block_bind(&d->block, metric, p->n))
        return;
    d->width = (unsigned)p->width;
    memset(d->number, SKIP, sizeof d->number);
    for (unsigned i = 0; i < p->n; i++)
        d->number[p->column[i].place] = (int8_t)i;
    d->number[p->at[SMI_AT_KEY + SMI_DEVICE_KEY_INDEX]] = GPU;
    if (date >= 0)
        d->number[date] = DATE;
    if (time >= 0)
        d->number[time] = TIME;
    memset(d->date, 0, sizeof d->date);
    d->block.fixed = d->block.keyed = true;
    d->block.timed = time >= 0;
    d->block.fine = false;
    d->on = true;
}

void smi_dmon_fast_units(struct smi_dmon_fast *d, struct smi_text line)
{
    d->units_n = line.n <= sizeof d->units ? line.n : 0;
    memcpy(d->units, line.p, d->units_n);
}

void smi_dmon_fast_reset(struct smi_dmon_fast *d)
{
    d->on = false;
    d->units_n = 0;
    d->block.n = d->block.metrics = 0;
}

/* "20260816", mostly the same as in the row before; the time is added behind it. */
static bool read_date(struct smi_dmon_fast *d, const char *p, int64_t *t_ms)
{
    if (memcmp(p, d->date, sizeof d->date)) {
        if (smi_clock_parse_date8((struct smi_text){p, sizeof d->date}, &d->date_ms))
            return false;
        memcpy(d->date, p, sizeof d->date);
    }
    *t_ms = d->date_ms;
    return true;
}

static bool read_clock(const char *p, int64_t *t_ms)
{
    int64_t ms;
    if (smi_clock_parse_hms((struct smi_text){p, 8}, &ms))
        return false;
    *t_ms += ms;
    return true;
}

/* "    0" to "   63". */
static bool is_gpu(const char *p, size_t n, unsigned *gpu)
{
    const char *last = p + n - 1;
    unsigned tens;
    *gpu = (unsigned)(*last - '0');
    if (*gpu > 9)
        return false;
    if (last > p && last[-1] != ' ') {
        tens = (unsigned)(*--last - '1');
        if (tens > 8) /* "07" is another name */
            return false;
        *gpu += 10 * (tens + 1);
    }
    while (last > p && last[-1] == ' ')
        last--;
    return last == p && *gpu < SMI_DMON_DEVICES;
}

/* Mostly a cell that was there before. */
static inline bool read_gpu(struct smi_dmon_fast *d, const char *p, size_t n, unsigned row)
{
    uint64_t text;
    unsigned gpu, last = p[n - 1] & 15;
    memcpy(&text, p, sizeof text);
    text = n < sizeof text ? text << 8 * (sizeof text - n) | n : 0;
    if (!text || text != d->cell[last].text) {
        if (!is_gpu(p, n, &gpu) || !(d->known >> gpu & 1))
            return false;
        d->cell[last].text = text;
        d->cell[last].who = d->who[gpu];
    }
    d->block.who[row] = d->cell[last].who;
    return true;
}

/* Blanks, and then one word to the end? */
static bool is_word(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] == ' ')
        i++;
    if (i == n)
        return false;
    while (i < n && (unsigned char)p[i] > ' ')
        i++;
    return i == n;
}

/* Blanks, and then one word of eight bytes? */
static bool is_eight(const char *p, size_t n)
{
    return n >= 8 && is_word(p, n) && (n == 8 || p[n - 9] == ' ');
}

/* A cell of n bytes with its blanks in front, of a row of the block; numbers wait until all rows are known.
 */
static inline bool read_cell(struct smi_dmon_fast *d, const char *p, size_t n, int kind, unsigned row)
{
    switch (kind) {
    case GPU:
        return read_gpu(d, p, n, row);
    case WIDE: /* only blanks in front of the eight bytes that are converted */
        while (n > 8 && *p == ' ') {
            p++;
            n--;
        }
        return n == 8;
    case MISSING:
        return p[n - 1] == '-' && p[n - 2] == ' ' && is_word(p, n);
    case DATE:
        return is_eight(p, n) && read_date(d, p + n - 8, &d->block.t_ms[row]);
    case TIME:
        return is_eight(p, n) && read_clock(p + n - 8, &d->block.t_ms[row]);
    default:
        return is_word(p, n);
    }
}

static bool ends_cell(char c)
{
    return c == ' ' || c == '\r' || c == '\n';
}

/* Are all cells of the row at p that are no numbers plain, and do they end where those of the row before end?
 */
static bool read_row(struct smi_dmon_fast *d, const char *p, unsigned row)
{
    size_t at = d->end[d->width - 1], end = d->end[d->width];
    bool ok = p[end] == '\n' && (at == end || p[at] == ' ' || p[at] == '\r');
    for (unsigned i = 0; ok && i < d->others; i++) {
        unsigned k = d->other[i];
        at = k ? d->end[k - 1] : 0;
        ok = (k == 0 || p[at] == ' ') && read_cell(d, p + at, d->end[k] - at, d->shape[k], row) &&
             ends_cell(p[d->end[k]]);
    }
    for (at = d->end[d->width - 1]; ok && at < end; at++)
        ok = p[at] == ' ' || (p[at] == '\r' && p[at + 1] == '\n');
    return ok;
}

/* What column k of a row needs besides its number, if it is one: its cell is n bytes from `at` on. */
static void shape_cell(struct smi_dmon_fast *d, unsigned k, bool missing, size_t at, size_t n)
{
    int kind = d->number[k];
    d->shape[k] = (int8_t)kind;
    if (kind >= 0) {
        struct smi_fast_block_column *c = &d->block.column[kind];
        c->missing = missing;
        c->len = (uint8_t)(n > 8 ? 8 : n);
        c->at = (uint16_t)(at + n - c->len);
        if (missing)
            d->shape[k] = MISSING;
        else if (n > 8)
            d->shape[k] = WIDE;
    }
    if (d->shape[k] < 0)
        d->other[d->others++] = (uint8_t)k;
}

/* Where the cells of the row at p end, and which are missing: the shape of the next block. Returns 1, 0 if
 * the row has another width or no reading, or -1 without memory. */
static int learn_row_shape(struct smi_dmon_fast *d, const char *p, const char *end)
{
    const char *from = p;
    d->others = 0;
    d->batch = BATCH_MIN;
    for (unsigned i = 0; i < d->width; i++) {
        const char *blanks = p, *word;
        while (p < end && *p == ' ')
            p++;
        word = p;
        while (p < end && (unsigned char)*p > ' ')
            p++;
        if (p == end || p == word || p - blanks > SMI_DMON_CELL)
            return 0;
        shape_cell(d, i, word > blanks && *word == '-', (size_t)(blanks - from), (size_t)(p - blanks));
        d->end[i] = (uint16_t)(p - from);
    }
    while (p < end && (*p == ' ' || *p == '\r'))
        p++;
    d->end[d->width] = (uint16_t)(p - from);
    return p < end && *p == '\n' && p - from < SMI_DMON_ROW ? smi_fast_block_shape(&d->block) : 0;
}

/* The indices that the general road has seen so far. */
static void learn_devices(struct smi_dmon_fast *d, const struct smi_devices *devices)
{
    if (d->changes == devices->changes)
        return;
    d->changes = devices->changes;
    d->known = 0;
    memset(d->cell, 0, sizeof d->cell);
    for (size_t i = 0; i < devices->n; i++) {
        int index = smi_device_index(&devices->list[i]);
        const char *key = devices->list[i].key[SMI_DEVICE_KEY_INDEX];
        if (index < 0 || index >= SMI_DMON_DEVICES || !key)
            continue;
        d->who[index] = (int)i;
        d->known |= (uint64_t)1 << index;
    }
}

/* The bytes of the header line at p, if it is one that was there before; else 0. A line that ends with CR CR
 * LF is left to the general path. */
static size_t match_header_line(const struct smi_dmon_fast *d, const struct smi_row_reader *r, const char *p,
                                const char *end)
{
    const struct smi_text lines[] = {{r->header, r->header_n}, {d->units, d->units_n}};
    for (size_t i = 0; i < 2; i++) {
        size_t n = lines[i].n;
        if (n && n < (size_t)(end - p) && p[n] == '\n' && p[n - 1] != '\r' && memcmp(lines[i].p, p, n) == 0)
            return n + 1;
    }
    return 0;
}

/* The rows and header lines from p on that are plain in the block's shape, at most one batch of them, which
 * grows while it is taken whole: rows of which each has another shape than the one before are not looked at
 * many times. Returns the bytes that were taken. */
static size_t read_batch(struct smi_dmon_fast *d, const struct smi_row_reader *r, const char *p,
                         const char *end)
{
    size_t stride = d->end[d->width] + (size_t)1, here = 0, heads = 0, n = 0;
    size_t room = SMI_ROWS_MAX - d->block.n, took;
    uint32_t row[SMI_ROWS_MAX];
    uint16_t before[SMI_ROWS_MAX]; /* header lines in front of a row */
    room = !d->block.metrics ? 0 : room < d->batch ? room : d->batch;
    while (end - p - (ptrdiff_t)here > SLACK && heads < HEADS) {
        size_t again = p[here] == '#' ? match_header_line(d, r, p + here, end) : 0;
        heads += again > 0;
        here += again;
        if (again)
            continue;
        if (n == room || (size_t)(end - p) - here < stride + SLACK ||
            !read_row(d, p + here, d->block.n + (unsigned)n))
            break;
        before[n] = (uint16_t)heads;
        row[n++] = (uint32_t)here;
        here += stride;
    }
    took = n ? smi_fast_block_fixed(&d->block, p, row, (unsigned)n) : 0;
    d->batch = took < n ? BATCH_MIN : n == d->batch && n < SMI_ROWS_MAX ? 2 * (unsigned)n : d->batch;
    heads = took < n ? before[took] : heads;
    r->lines.account->lines += (int64_t)heads;
    r->lines.account->header += (int64_t)heads;
    return took < n ? row[took] : here;
}

ptrdiff_t smi_dmon_fast_rows(struct smi_dmon_fast *d, struct smi_row_reader *r, const char *p, size_t n,
                             struct smi_err *err)
{
    struct smi_fast_block *b = &d->block;
    const char *from = p, *end = p + n;
    if (!d->on)
        return 0;
    learn_devices(d, r->lines.devices);
    while (end - p > SLACK) {
        size_t took = read_batch(d, r, p, end);
        if (b->n == SMI_ROWS_MAX && smi_fast_block_flush(b, &r->lines, err))
            return -1;
        if (!took) {
            int rc = smi_fast_block_flush(b, &r->lines, err) ? -1 : learn_row_shape(d, p, end);
            if (rc < 0)
                return smi_err_nomem(err);
            took = rc ? read_batch(d, r, p, end) : 0;
        }
        if (!took) {
            b->metrics = 0; /* the ends are of a row that was not taken */
            break;
        }
        p += took;
    }
    return smi_fast_block_flush(b, &r->lines, err) ? -1 : p - from;
}
