/* nvidia-smi dmon: one line per GPU and cycle, columns in the order of the letters given to -s.
 *
 *     # gpu     fb   bar1   ccpm     sm    mem    enc    dec    jpg    ofa
 *     # Idx     MB     MB     MB      %      %      %      %      %      %
 *         0     62      4      0      0      0      0      0      0      0
 *
 *     #Date        Time         gpu    pwr  gtemp  mtemp     sm    mem
 *     #YYYYMMDD    HH:MM:SS     Idx      W      C      C      %      %
 *      20260816    09:22:34       0      6     38      -      0      0
 *
 * The header comes again during a run; copied logs lose its '#'; --format csv puts commas between the cells.
 * Columns are bound by name, never by place: order and number differ with options, driver. */
#include "base/clock.h"
#include "formats/fast_block.h"

enum {
    COLUMNS = 256,
    DEVICES = 64, /* GPU indices that are looked up once */
    CELL = 16,    /* widest cell of the fast path, with its blanks */
    ROW = 1024    /* longest row */
};

/* ---- the fast path: rows of short whole numbers, many at once ---- */

struct dmon_fast {
    struct smi_fast_block block;
    char units[ROW];        /* the line of units below the header: it comes again with it */
    size_t units_n;         /* 0: none */
    bool on;                /* these columns have a fast path */
    int8_t number[COLUMNS]; /* of a cell: its column in the block, or one of the kinds below */
    int8_t shape[COLUMNS];  /* the same, with what is missing in this shape */
    uint8_t other[COLUMNS]; /* the cells of this shape that are more than a number to convert */
    unsigned others;
    unsigned batch; /* how many rows are looked at together */
    unsigned width;
    uint16_t end[COLUMNS + 1]; /* where the cells of this shape end; behind them the row's LF */
    uint64_t tail, tail_mask;  /* what stands behind the last cell, with the LF: a word of memory */
    int who[DEVICES];          /* device of a GPU index */
    uint64_t known;            /* which of them are known */
    uint64_t changes;          /* smi_devices.changes that they belong to */
    struct {
        uint64_t text;          /* a GPU index as it stood, and how many bytes; 0: none */
        int who;                /* its device */
    } cell[32];                 /* the last one of each last digit, and of even or odd tens */
    char date[8];               /* of the last row, and its time */
    int64_t date_ms, latest_ms; /* smi_clock_fits */
};

/* Kinds of cells that are no column of the block. */
enum { SKIP = -1, GPU = -2, DATE = -3, TIME = -4, MISSING = -5, WIDE = -6 };

/* SLACK: cells are loaded a word at a time. HEADS: header lines that are taken together. */
enum { SLACK = 8, BATCH_MIN = 8, HEADS = 1024 };

/* Of dmon and of pmon. */
struct smi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    struct dmon_fast fast;     /* of dmon */
    int64_t above;             /* of pmon: index of the row before, + 1; 0: none */
};

/* The kind of times that a header gives. -o D alone gives days, and no interval can be told from days. */
static enum smi_time_base base_of(const struct smi_row_plan *p)
{
    if (p->at[SMI_AT_TIME] < 0)
        return SMI_TIME_BASE_NONE;
    return p->at[SMI_AT_DATE] < 0 ? SMI_TIME_BASE_DAY : SMI_TIME_BASE_LOCAL;
}

static void bind_dmon_fast(struct smi_row_reader *row)
{
    struct dmon_fast *d = &((struct smi_reader *)row)->fast;
    const struct smi_row_plan *p = &row->plan;
    const bool dated = row->dates.state == SMI_DATES_FIRST || row->dates.state == SMI_DATES_LOOP;
    int date = p->at[SMI_AT_DATE], time = p->at[SMI_AT_TIME];
    uint16_t metric[SMI_ROW_READINGS];
    d->on = false;
    d->known = 0;
    memset(d->cell, 0, sizeof d->cell);
    d->changes = UINT64_MAX;
    for (unsigned i = 0; i < p->n; i++)
        metric[i] = p->column[i].what;
    if (!SMI_FAST_LITTLE_ENDIAN || !p->width || p->commas || (dated && time < 0) ||
        (time >= 0 && (date < 0 || base_of(p) != row->lines.base)) ||
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

/* "20260816", mostly the same as in the row before; the time is added behind it. */
static bool read_date(struct dmon_fast *d, const char *p, int64_t *t_ms)
{
    const int64_t day_ms = 86400000;
    int64_t ms;
    if (memcmp(p, d->date, sizeof d->date)) {
        if (smi_clock_parse_date8((struct smi_text){p, sizeof d->date}, &ms) ||
            !smi_clock_fits(ms + day_ms, &d->latest_ms))
            return false;
        memcpy(d->date, p, sizeof d->date);
        d->date_ms = ms;
    }
    *t_ms = d->date_ms;
    return true;
}

/* "    0" to "   63", mostly a cell that was there before. */
static inline bool read_gpu(struct dmon_fast *d, const char *p, size_t n, unsigned row)
{
    uint64_t text;
    unsigned slot = (unsigned)(p[n - 1] & 15) | (unsigned)(n > 1 && p[n - 2] & 1) << 4;
    memcpy(&text, p, sizeof text);
    text = n < sizeof text ? text << 8 * (sizeof text - n) | n : 0;
    if (!text || text != d->cell[slot].text) {
        struct smi_text t = smi_text_trim((struct smi_text){p, n});
        const int64_t gpu = smi_cell_digits(t, 2);
        if (gpu < 0 || gpu >= DEVICES || (t.n > 1 && *t.p == '0') /* another name */ ||
            !(d->known >> gpu & 1))
            return false;
        d->cell[slot].text = text;
        d->cell[slot].who = d->who[gpu];
    }
    d->block.who[row] = d->cell[slot].who;
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
static inline bool read_cell(struct dmon_fast *d, const char *p, size_t n, int kind, unsigned row)
{
    int64_t ms;
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
        if (!is_eight(p, n) || smi_clock_parse_hms((struct smi_text){p + n - 8, 8}, &ms))
            return false;
        d->block.t_ms[row] += ms;
        return true;
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
static bool read_row(struct dmon_fast *d, const char *p, unsigned row)
{
    size_t at;
    uint64_t tail;
    bool ok;
    memcpy(&tail, p + d->end[d->width - 1], sizeof tail);
    ok = (tail & d->tail_mask) == d->tail;
    for (unsigned i = 0; ok && i < d->others; i++) {
        unsigned k = d->other[i];
        at = k ? d->end[k - 1] : 0;
        ok = (k == 0 || p[at] == ' ') && read_cell(d, p + at, d->end[k] - at, d->shape[k], row) &&
             ends_cell(p[d->end[k]]);
    }
    return ok;
}

/* What column k of a row needs besides its number, if it is one: its cell is n bytes from `at` on. */
static void shape_cell(struct dmon_fast *d, unsigned k, bool missing, size_t at, size_t n)
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

/* Where the cells of the row at p end, which are missing, and what stands behind the last (blanks, perhaps a
 * CR, and the LF): the shape of the next block. False if the row has another width or no reading. */
static bool learn_row_shape(struct dmon_fast *d, const char *p, const char *end)
{
    const char *from = p;
    size_t n = 0;
    d->others = 0;
    d->batch = BATCH_MIN;
    for (unsigned i = 0; i < d->width; i++) {
        const char *blanks = p, *word;
        while (p < end && *p == ' ')
            p++;
        word = p;
        while (p < end && (unsigned char)*p > ' ')
            p++;
        if (p == end || p == word || p - blanks > CELL)
            return false;
        shape_cell(d, i, word > blanks && *word == '-', (size_t)(blanks - from), (size_t)(p - blanks));
        d->end[i] = (uint16_t)(p - from);
    }
    while (p + n < end && p[n] == ' ')
        n++;
    n += p + n < end && p[n] == '\r';
    if (p + n >= end || p[n] != '\n' || n >= sizeof d->tail)
        return false;
    d->tail = 0;
    memcpy(&d->tail, p, n + 1);
    d->tail_mask = ~(uint64_t)0 >> 8 * (sizeof d->tail - n - 1);
    d->end[d->width] = (uint16_t)(d->end[d->width - 1] + n);
    return p - from < ROW && smi_fast_block_shape(&d->block);
}

/* The indices that the general path has seen so far. */
static void learn_devices(struct dmon_fast *d, const struct smi_devices *devices)
{
    if (d->changes == devices->changes)
        return;
    d->changes = devices->changes;
    d->known = 0;
    memset(d->cell, 0, sizeof d->cell);
    for (size_t i = 0; i < devices->n; i++) {
        int index = smi_device_index(&devices->list[i]);
        const char *key = devices->list[i].key[SMI_DEVICE_KEY_INDEX];
        if (index < 0 || index >= DEVICES || !key)
            continue;
        d->who[index] = (int)i;
        d->known |= (uint64_t)1 << index;
    }
}

/* The bytes of the header line at p, if it is one that was there before; else 0. A line that ends with CR CR
 * LF is left to the general path. */
static size_t match_header_line(const struct dmon_fast *d, const struct smi_row_reader *r, const char *p,
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
static size_t read_batch(struct dmon_fast *d, const struct smi_row_reader *r, const char *p, const char *end)
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

static ptrdiff_t read_dmon_rows_fast(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct smi_row_reader *r = self;
    struct dmon_fast *d = &((struct smi_reader *)self)->fast;
    struct smi_fast_block *b = &d->block;
    const char *from = p, *end = p + n;
    if (!d->on)
        return 0;
    learn_devices(d, r->lines.devices);
    while (end - p > SLACK) {
        size_t took = read_batch(d, r, p, end);
        if (b->n == SMI_ROWS_MAX && smi_fast_block_flush(b, &r->lines, err))
            return -1;
        if (!took && smi_fast_block_flush(b, &r->lines, err))
            return -1;
        if (!took && learn_row_shape(d, p, end))
            took = read_batch(d, r, p, end);
        if (!took) {
            b->metrics = 0; /* the ends are of a row that was not taken */
            break;
        }
        p += took;
    }
    return smi_fast_block_flush(b, &r->lines, err) ? -1 : p - from;
}

/* ---- the general path ---- */

enum { INDEX = SMI_AT_KEY + SMI_DEVICE_KEY_INDEX, PID_DIGITS = 10, INDEX_DIGITS = 6 };

/* The line without a '#' in front; *hash says whether there was one. */
static struct smi_text strip_hash(struct smi_text line, bool *hash)
{
    struct smi_text t = smi_text_trim(line);
    *hash = t.n && *t.p == '#';
    return *hash ? smi_text_trim(smi_text_from(t, 1)) : t;
}

/* Two commas make a CSV line: --format csv. */
static bool has_commas(struct smi_text line)
{
    const char *first = memchr(line.p, ',', line.n);
    return first && memchr(first + 1, ',', (size_t)(line.p + line.n - first - 1));
}

static struct smi_text first_cell(struct smi_text line)
{
    if (!has_commas(line))
        return smi_text_word(&line);
    line.n = (size_t)((const char *)memchr(line.p, ',', line.n) - line.p);
    return smi_text_trim(line);
}

/* Decodes a header into p: `gpu` among the first three names; for dmon names of its own - one, or two if the
 * '#' is lost - and no pid, for pmon a pid, and a type or command. p->width stays 0 if it is no header. */
static void bind_columns(struct smi_row_plan *p, bool pmon, struct smi_text line, struct smi_text *cell)
{
    bool hash;
    struct smi_text text = strip_hash(line, &hash), first = first_cell(text);
    size_t n;
    smi_row_plan_init(p, 0);
    p->commas = has_commas(text);
    if (!smi_text_is(first, "gpu") && !smi_text_is(first, "Time") && !smi_text_is(first, "Date"))
        return;
    n = smi_row_split(text, p->commas ? 0 : SMI_SPLIT_BLANKS, cell, COLUMNS);
    for (size_t i = 0; i < n && n <= COLUMNS; i++)
        smi_row_plan_name(p, &smi_names_dmon, cell[i], i);
    if (p->at[INDEX] < 0 || p->at[INDEX] > 2 || pmon != (p->at[SMI_AT_PID] >= 0))
        return;
    if (pmon ? p->at[SMI_AT_TYPE] >= 0 || p->at[SMI_AT_PROCESS] == (int)n - 1 : p->n >= (hash ? 1U : 2U))
        p->width = n;
}

/* No row: a header, its units, a comment, a message, or foreign. */
static int read_other_line(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_row_reader *row = &r->row;
    struct smi_row_plan fresh;
    bool pmon = row->table->process, hash;
    struct smi_text text = strip_hash(line, &hash), first;
    if (!pmon && row->plan.width && smi_row_same_header(row, line))
        return smi_row_count_header(row, err);
    bind_columns(&fresh, pmon, line, row->cell);
    if (fresh.width) { /* the first with times decides: times of day and dates cannot be joined */
        const enum smi_time_base b = base_of(&fresh);
        const bool other = b != SMI_TIME_BASE_NONE && !smi_lines_on_base(&row->lines, b);
        int rc = smi_row_header(row, line, &fresh, err);
        if (!rc && other)
            smi_account_warn(row->lines.account, SMI_LOG_WARNING_OTHER,
                             "a header with times of another kind: the times below it are not read");
        return rc;
    }
    first = first_cell(text);
    if (smi_text_is(first, "Idx") || smi_text_is(first, "HH:MM:SS") || smi_text_is(first, "YYYYMMDD")) {
        r->fast.units_n = line.n <= sizeof r->fast.units ? line.n : 0;
        memcpy(r->fast.units, line.p, r->fast.units_n);
        row->told &= pmon;
        return smi_line_count(&row->lines.account->header);
    }
    if (fresh.at[INDEX] >= 0 && (hash || (!pmon && fresh.at[SMI_AT_PID] >= 0))) {
        smi_row_plan_init(&fresh, 0); /* the other monitor's, or none of our names: nor are rows below it */
        smi_row_use(row, &fresh);
        row->header_n = 0;
        row->lines.account->changes++;
        return smi_row_reject(row, SMI_REJECT_FOREIGN, line, err);
    }
    return hash ? smi_line_count(&row->lines.account->messages)
                : smi_row_other(row, line, false, SMI_REJECT_FOREIGN, err);
}

/* pmon's command is the rest of the line if it is the last column; nothing behind the last comma is no cell.
 */
static size_t split_row(struct smi_row_reader *row, struct smi_text line)
{
    size_t width = row->plan.width, n;
    size_t most = row->plan.at[SMI_AT_PROCESS] == (int)width - 1 ? width : width + 1;
    struct smi_text *last = &row->cell[most - 1];
    unsigned how = row->plan.commas ? 0 : SMI_SPLIT_BLANKS;
    if (!row->table->process)
        return smi_row_split(line, how, row->cell, COLUMNS);
    n = smi_row_split(line, how, row->cell, most);
    if (n < most)
        return n;
    *last = smi_text_trim(smi_text_between(last->p, line.p + line.n));
    return last->n ? most : most - 1;
}

static int read_row_line(struct smi_row_reader *row, struct smi_text line, struct smi_err *err)
{
    if (!row->plan.width)
        return smi_row_headless(row, line, err);
    if (split_row(row, line) != row->plan.width)
        return smi_row_other(row, line, false, SMI_REJECT_BAD_WIDTH, err);
    return smi_row_read(row, line, err);
}

/* "    0     50# gpu    pwr": a dmon was killed in the middle of a row, and the next one appended its header.
 */
static int read_monitor_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    const struct smi_text t = smi_text_trim(line);
    const char *at = r->row.table->process ? NULL : memchr(line.p, '#', line.n);
    struct smi_text header = {at, at ? (size_t)(line.p + line.n - at) : 0};
    struct smi_row_plan fresh;
    if (!t.n || !(smi_is_digit(*t.p) || *t.p == '-')) /* what rows begin with */
        return read_other_line(r, line, err);
    if (!at)
        return read_row_line(&r->row, line, err);
    bind_columns(&fresh, false, header, r->row.cell);
    if (!fresh.width)
        return read_row_line(&r->row, line, err);
    smi_row_unfinished(&r->row, line, header);
    return read_other_line(r, header, err) ? -1 : 0;
}

/* ---- cells ---- */

/* Over midnights. */
static int read_monitor_time(struct smi_row_reader *r, struct smi_sample *s)
{
    int date = r->plan.at[SMI_AT_DATE], time = r->plan.at[SMI_AT_TIME];
    int64_t day = 0, ms = 0;
    if (date >= 0 && smi_clock_parse_date8(r->cell[date], &day))
        return -1;
    if (time < 0)
        return 0;
    if (smi_clock_parse_hms(r->cell[time], &ms))
        return -1;
    s->timed = base_of(&r->plan) == r->lines.base;
    s->t_ms = date < 0 ? smi_stamp_over_midnight(&r->clock, ms) : day + ms;
    return date < 0 || smi_clock_fits(s->t_ms, &r->lines.latest_ms) ? 0 : -1;
}

static struct smi_text read_monitor_key(struct smi_row_reader *r, enum smi_device_key key,
                                        struct smi_text cell)
{
    bool none = smi_text_is(cell, "-");
    (void)key;
    if (smi_cell_digits(cell, INDEX_DIGITS) >= 0)
        return cell;
    r->lines.account->cells_missing += none;
    r->lines.account->cells_bad += !none;
    return (struct smi_text){NULL, 0};
}

/* ---- dmon ---- */

static enum smi_sniff sniff_dmon(struct smi_text line)
{
    struct smi_text cell[COLUMNS];
    struct smi_row_plan p;
    bind_columns(&p, false, line, cell);
    return p.width && p.n >= 2 ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static void close_dmon_reader(struct smi_reader *r)
{
    smi_fast_block_fini(&r->fast.block);
}

/* "-" in every cell: the GPU has no such counters. */
static bool has_no_counters(struct smi_row_reader *row)
{
    for (unsigned i = 0; i < row->plan.n; i++)
        if (!smi_text_is(row->cell[row->plan.column[i].place], "-"))
            return false;
    return row->plan.n > 0;
}

#define MONITOR_TABLE(monitor)                                                                          \
    .names = {&smi_names_dmon}, .columns = COLUMNS, .time = read_monitor_time, .key = read_monitor_key, \
    .headless = "rows without a " monitor " header above them: their columns are not known"

static const struct smi_table dmon_table = {
    MONITOR_TABLE("dmon"),
    .flags = SMI_TABLE_FAULTS,
    .passed = has_no_counters,
    .bound = bind_dmon_fast,
};

const struct smi_format smi_format_dmon = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_dmon,
    .line = read_monitor_line,
    .fast = read_dmon_rows_fast,
    .table = &dmon_table,
    .close = close_dmon_reader,
};

/* nvidia-smi pmon: one line per GPU and process, cycle after cycle.
 *
 *     # gpu         pid   type     sm    mem    enc    dec    jpg    ofa     fb   ccpm    command
 *     # Idx           #    C/G      %      %      %      %      %      %     MB     MB    name
 *         0      11345     C     99     10      -      -      -      -  15690      0    gpu_burn
 *         1          -     -      -      -      -      -      -      -      -      -    -
 *
 * -o puts Date and Time in front, as dmon does. A line of dashes is a GPU without processes. Nothing stands
 * between cycles: a new one begins with another time, with a lower GPU, or with a process that was there
 * already. The command is the rest of the line and may hold blanks. Columns are bound by name. */

/* Its pid is a number or a dash. A lower GPU than that of the row before begins a cycle. */
static bool read_pmon_process(struct smi_row_reader *row, const struct smi_sample *s, struct smi_process *q)
{
    struct smi_reader *r = (struct smi_reader *)row;
    struct smi_text pid = row->cell[row->plan.at[SMI_AT_PID]], type = {"", 0};
    int64_t gpu = smi_cell_digits(row->cell[row->plan.at[INDEX]], INDEX_DIGITS);
    *q = (struct smi_process){.pid = smi_cell_digits(pid, PID_DIGITS), .life_ms = -1};
    if (row->plan.at[SMI_AT_TYPE] >= 0)
        type = row->cell[row->plan.at[SMI_AT_TYPE]];
    for (size_t i = 0; i < type.n; i++) /* "C", "C+G", "M+C" */
        q->types |= type.p[i] == 'C'   ? SMI_PROC_COMPUTE
                    : type.p[i] == 'G' ? SMI_PROC_GRAPHICS
                    : type.p[i] == 'M' ? SMI_PROC_MPS
                                       : 0u;
    q->name = smi_row_text(row, SMI_AT_PROCESS);
    q->none = q->pid < 0 && !q->name.n && !s->n;
    if (q->pid < 0 && !smi_cell_missing(pid))
        return false;
    row->begins = gpu >= 0 && gpu + 1 < r->above;
    r->above = gpu + 1;
    return true;
}

static enum smi_sniff sniff_pmon(struct smi_text line)
{
    struct smi_text cell[COLUMNS];
    struct smi_row_plan p;
    if (!memmem(line.p, line.n, "pid", 3)) /* most are of another format */
        return SMI_SNIFF_NO;
    bind_columns(&p, true, line, cell);
    return p.width ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static const struct smi_table pmon_table = {
    MONITOR_TABLE("pmon"), .flags = SMI_TABLE_FAULTS | SMI_TABLE_CYCLES, .process = read_pmon_process};

const struct smi_format smi_format_pmon = {
    .size = sizeof(struct smi_reader), .sniff = sniff_pmon, .line = read_monitor_line, .table = &pmon_table};

/* dcgmi dmon: one line per entity and cycle, columns in the order of the fields asked for.
 *
 *     #Entity   GPUTL  MCUTL  POWER  TOTEC     TMPTR  MMTMP
 *     ID                      W      mJ        C      C
 *     GPU 0     37     12     59.2   2.07e+11  44     40
 *     GPU-I 1   N/A    N/A    N/A    N/A       N/A    N/A
 *
 * It adds fields that nobody asked for, so columns are bound by name only. The header comes again during a
 * run. There are no times. A MIG instance is no GPU: its lines are counted and not read. Fields between 0 and
 * 1 are shares. TOTEC may have three digits only, which tell no energy. */
struct dcgmi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    bool cut;                  /* that a counter has too few digits was said */
};

enum { DCGM_COLUMNS = 128 };

/* The plan of a header whose names stand behind "#Entity" (copied logs lose the '#'); width 0: it is none. A
 * row's first cell is the index behind "GPU". */
static void bind_dcgmi_columns(struct smi_row_plan *p, struct smi_text line, struct smi_text *cell)
{
    bool hash;
    size_t n;
    smi_row_plan_init(p, 0);
    n = smi_row_split(strip_hash(line, &hash), SMI_SPLIT_BLANKS, cell, DCGM_COLUMNS + 1);
    if (n < 2 || n > DCGM_COLUMNS + 1 || !smi_text_is(cell[0], "Entity"))
        return;
    p->width = n;
    for (size_t i = 0; i < n; i++)
        smi_row_plan_name(p, &smi_names_dcgmi, cell[i], i);
}

/* "GPU 0 ...", or a line of another entity, of units, or from elsewhere. */
static int read_dcgmi_line(void *self, struct smi_text line, struct smi_err *err)
{
    static const char *const entities[] = {"GPU", "CPU", "Switch", NULL};
    struct smi_row_reader *r = self;
    struct smi_row_plan fresh;
    struct smi_text t = line, entity, cells;
    bind_dcgmi_columns(&fresh, line, r->cell);
    if (fresh.width)
        return smi_row_header(r, line, &fresh, err);
    entity = smi_text_word(&t);
    if (smi_text_is_nocase(entity, "ID") && r->plan.width)
        return smi_row_count_header(r, err);
    cells = t;
    if (smi_cell_digits(smi_text_word(&t), SMI_CELL_DIGITS) < 0 ||
        !(smi_text_is_one_of(entity, entities) || smi_text_starts_nocase(entity, "GPU-")))
        return smi_row_other(r, line, false, SMI_REJECT_FOREIGN, err);
    if (!smi_text_is(entity, "GPU"))
        return smi_line_count(&r->lines.account->messages);
    if (!r->plan.width)
        return smi_row_reject(r, SMI_REJECT_FOREIGN, line, err);
    if (smi_row_split(cells, SMI_SPLIT_BLANKS, r->cell, DCGM_COLUMNS + 1) != r->plan.width)
        return smi_row_reject(r, SMI_REJECT_BAD_WIDTH, line, err);
    return smi_row_read(r, line, err);
}

/* "2.07e+11": what such a counter grew by is of the size of the digits that were cut off. */
static enum smi_cell_status read_dcgmi_cell(struct smi_row_reader *r, const struct smi_row_column *c,
                                            struct smi_text t, int64_t *v)
{
    enum { DIGITS = 7 };
    struct dcgmi_reader *own = (struct dcgmi_reader *)r;
    const char *e = t.n ? memchr(t.p, 'e', t.n) : NULL;
    if (c->what != SMI_ENERGY || !e || e - t.p > DIGITS)
        return smi_row_scaled_cell(r, c, t, v);
    if (smi_say_once(r->lines.account, &own->cut))
        smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                         "TOTEC (%s) is %.*s: so few digits tell no energy, it is not read",
                         smi_metrics[c->what].key, (int)t.n, t.p);
    return SMI_CELL_MISSING;
}

static enum smi_sniff sniff_dcgmi(struct smi_text line)
{
    struct smi_text cell[DCGM_COLUMNS + 2];
    struct smi_row_plan p;
    bind_dcgmi_columns(&p, line, cell);
    return p.width ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static const struct smi_table dcgmi_table = {.names = {&smi_names_dcgmi},
                                             .flags = SMI_TABLE_FAULTS,
                                             .columns = DCGM_COLUMNS + 1,
                                             .cell = read_dcgmi_cell};

const struct smi_format smi_format_dcgmi = {.size = sizeof(struct dcgmi_reader),
                                            .sniff = sniff_dcgmi,
                                            .line = read_dcgmi_line,
                                            .table = &dcgmi_table};
