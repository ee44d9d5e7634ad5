#include "formats/fast_block.h"

#include "base/clock.h"
#include "base/mem.h"

#include <string.h>

enum { NAME = SMI_DEVICE_KEY_COUNT, WINDOW = 8192, WINDOW_MIN = 512, SLACK = 64, BATCH_MIN = 8 };

/* What stands at each place of a row. */
static void set_kinds(struct smi_csv_fast *q, const struct smi_row_plan *p)
{
    memset(q->kind, SMI_COL_SKIP, p->width);
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++) {
        int place = p->at[SMI_AT_KEY + k];
        if (place < 0)
            continue;
        q->kind[place] = SMI_COL_KEY;
        q->what[place] = (uint16_t)k;
    }
    if (p->at[SMI_AT_NAME] >= 0)
        q->kind[p->at[SMI_AT_NAME]] = SMI_COL_NAME;
    for (unsigned i = 0; i < p->n; i++) {
        q->kind[p->column[i].place] = (uint8_t)p->column[i].kind;
        q->what[p->column[i].place] = p->column[i].what;
    }
    q->kind[q->time] = SMI_COL_TIME; /* else it would be looked at as text, too */
}

void smi_csv_fast_bind(struct smi_csv_fast *q, const struct smi_row_plan *p, size_t stamp, bool host)
{
    uint16_t metric[SMI_ROWS_COLUMNS + SMI_THROTTLE_COUNT];
    unsigned n = 0;
    smi_csv_fast_off(q);
    q->others = 0;
    q->draws = p->draws;
    if (!p->width || p->width > SMI_CSV_FAST_COLUMNS || p->at[SMI_AT_TIME] < 0 || !SMI_FAST_LITTLE_ENDIAN ||
        (q->draws && !smi_row_plan_has(p, SMI_POWER)))
        return;
    q->time = (size_t)p->at[SMI_AT_TIME];
    q->stamp = stamp;
    q->keyed = p->keyed && !host;
    set_kinds(q, p);
    for (size_t i = 0; i < p->width && n <= SMI_ROWS_COLUMNS; i++) {
        q->first[i] = n;
        for (unsigned k = 0; q->kind[i] == SMI_COL_MASK && k < SMI_THROTTLE_COUNT; k++)
            metric[n++] = (uint16_t)(SMI_THROTTLE_FIRST + k);
        if (q->kind[i] == SMI_COL_NUMBER || q->kind[i] == SMI_COL_ACTIVE || q->kind[i] == SMI_COL_PSTATE)
            metric[n++] = q->what[i];
        if (q->kind[i] != SMI_COL_NUMBER && q->kind[i] != SMI_COL_TIME)
            q->other[q->others++] = (uint16_t)i;
    }
    if (!smi_fast_block_bind(&q->block, metric, n))
        return;
    for (unsigned i = 0; i < q->block.columns; i++)
        q->block.column[i].direct = true;
    for (size_t i = 0; i < p->width; i++) {
        struct smi_fast_block_column *c = &q->block.column[q->first[i]];
        if (q->kind[i] != SMI_COL_NUMBER)
            continue;
        c->direct = false;
        c->place = (uint16_t)i;
    }
    q->window = WINDOW_MIN;
    q->block.host = host;
    q->block.keyed = q->keyed || host;
    q->block.timed = q->block.fine = true;
    q->columns = p->width;
}

void smi_csv_fast_off(struct smi_csv_fast *q)
{
    q->columns = 0;
    q->devices = 0;
    q->block.n = q->block.metrics = 0;
}

/* ---- cells, of n bytes at p; each says whether the cell is plain ---- */

static bool read_new_minute(struct smi_csv_fast *q, const char *p, int64_t *t_ms)
{
    struct smi_text stamp = {p, q->stamp};
    int64_t us;
    bool fine, zoned, iso = q->stamp == SMI_STAMP_ISO;
    if (p[19] != '.' ||
        (iso ? smi_clock_parse_iso(stamp, &us, &fine, &zoned) : smi_clock_parse_stamp(stamp, &us, &fine)) ||
        !smi_clock_fits(us / 1000, &q->latest_ms))
        return false;
    *t_ms = us / 1000;
    smi_fast_minute_learn(&q->minute, p, *t_ms);
    return true;
}

/* A time as q->stamp says it is written, mostly of the same minute as the row before. */
__attribute__((always_inline)) static inline bool read_time(struct smi_csv_fast *q, const char *p, bool iso,
                                                            int64_t *t_ms)
{
    if (iso && memcmp(p + SMI_STAMP_NVIDIA, "+00:00", 6) != 0)
        return false;
    return smi_fast_minute_read(&q->minute, p, t_ms) || read_new_minute(q, p, t_ms);
}

/* [N/A] or N/A: by far the most frequent words for no reading. */
static bool is_missing(const char *p, size_t n)
{
    if (n && *p == ' ') {
        p++;
        n--;
    }
    return (n == 5 && memcmp(p, "[N/A]", 5) == 0) || (n == 3 && memcmp(p, "N/A", 3) == 0);
}

/* 0x0000000000000004: one column for each reason. */
static bool read_mask(const struct smi_fast_block_column *c, struct smi_text cell, unsigned row)
{
    uint64_t mask;
    if (smi_cell_mask(cell, &mask))
        return false;
    for (unsigned k = 0; k < SMI_THROTTLE_COUNT; k++)
        c[k].u[row] = (int32_t)(mask >> k & 1);
    return true;
}

static bool read_state(const struct smi_fast_block_column *c, enum smi_column_kind kind, struct smi_text cell,
                       unsigned row)
{
    if (kind == SMI_COL_MASK)
        return read_mask(c, cell, row);
    if (kind == SMI_COL_PSTATE) {
        c->u[row] = 0;
        for (size_t i = 1; i < cell.n && i < 3 && cell.p[i] >= '0' && cell.p[i] <= '9'; i++)
            c->u[row] = c->u[row] * 10 + (cell.p[i] - '0');
        return c->u[row] <= smi_metrics[SMI_PSTATE].most / 1000000 && cell.n >= 2 && cell.n <= 3 &&
               *cell.p == 'P' && cell.p[1] <= '9' && cell.p[1] >= '0' && cell.p[cell.n - 1] <= '9' &&
               cell.p[cell.n - 1] >= '0';
    }
    c->u[row] = *cell.p == 'A' || *cell.p == 'E';
    return smi_text_is(cell, "Active") || smi_text_is(cell, "Not Active") || smi_text_is(cell, "Enabled") ||
           smi_text_is(cell, "Disabled");
}

/* A cell of text: no quotes, no blanks at its ends, and no sentinel where it matters. */
static bool read_text(struct smi_csv_fast *q, unsigned place, struct smi_text cell)
{
    const char *p = cell.p;
    size_t n = cell.n;
    if (n && (*p == '"' || *p == ' ' || *p == '\t' || p[n - 1] == ' ' || p[n - 1] == '\t'))
        return false;
    if (q->kind[place] == SMI_COL_SKIP)
        return true;
    if (q->kind[place] == SMI_COL_ALARM)
        return (n == 2 && memcmp(p, "No", 2) == 0) || (n == 4 && memcmp(p, "None", 4) == 0) ||
               is_missing(p, n);
    q->cell[q->kind[place] == SMI_COL_KEY ? q->what[place] : NAME] = cell;
    return !smi_cell_missing(cell);
}

/* ---- devices ---- */

static bool same_device_cells(const struct smi_csv_fast_device *s, const struct smi_text *cell)
{
    size_t at = 0;
    for (unsigned k = 0; k <= NAME; k++) {
        if (s->n - at < cell[k].n || (cell[k].n && memcmp(s->text + at, cell[k].p, cell[k].n)))
            return false;
        at += cell[k].n;
        if (at == s->n || s->text[at] != '\n')
            return false;
        at++;
    }
    return at == s->n;
}

static bool find_device(struct smi_csv_fast *q, int *who)
{
    unsigned at = q->next < q->devices ? q->next : 0;
    for (unsigned i = 0; i < q->devices; i++, at = at + 1 < q->devices ? at + 1 : 0) {
        if (!same_device_cells(&q->seen[at], q->cell))
            continue;
        q->next = at + 1;
        *who = q->seen[at].who;
        return true;
    }
    return false;
}

void smi_csv_fast_learn(struct smi_csv_fast *q, const struct smi_text *cell, int who, uint64_t changes)
{
    struct smi_csv_fast_device *s;
    int old;
    if (changes != q->changes)
        q->devices = 0;
    q->changes = changes;
    memcpy(q->cell, cell, sizeof q->cell);
    if (!q->columns || q->devices == SMI_CSV_FAST_DEVICES || find_device(q, &old))
        return;
    s = &q->seen[q->devices];
    s->n = 0;
    for (unsigned k = 0; k <= NAME; k++) {
        smi_mem_reserve(&s->text, &s->cap, s->n + cell[k].n + 1, 1);
        if (cell[k].n)
            memcpy(s->text + s->n, cell[k].p, cell[k].n);
        s->n += cell[k].n;
        s->text[s->n++] = '\n'; /* in no cell */
    }
    s->who = who;
    q->devices++;
}

/* ---- rows ---- */

/* Cell i of the row that begins at `from`, without the blank in front of it. */
static inline struct smi_text cell_between(const char *p, size_t from, const uint32_t *at, size_t i)
{
    size_t s = i ? at[i - 1] + 1 : from, e = at[i];
    e -= p[e] == '\n' && e > s && p[e - 1] == '\r';
    s += i && s < e && p[s] == ' ';
    return (struct smi_text){p + s, e - s};
}

/* Is there a row of as many cells? */
static inline bool is_row(size_t columns, const char *p, const uint32_t *at)
{
    bool row = p[at[columns - 1]] == '\n';
    for (size_t i = 0; i + 1 < columns; i++)
        row &= p[at[i]] == ',';
    return row;
}

/* The cells that are missing in the block's shape are so in this row. */
static bool all_missing(const struct smi_csv_fast *q, const char *p, size_t from, const uint32_t *at)
{
    for (unsigned k = 0; k < q->block.columns; k++) {
        const struct smi_fast_block_column *c = &q->block.column[k];
        if (c->missing) {
            struct smi_text cell = cell_between(p, from, at, c->place);
            if (!is_missing(cell.p, cell.n))
                return false;
        }
    }
    return true;
}

/* The units stand behind the numbers of the row. */
static bool has_units(const struct smi_csv_fast *q, const char *p, const uint32_t *at)
{
    uint32_t unit, wrong = 0;
    for (unsigned k = 0; k < q->block.slots; k++) {
        const struct smi_fast_block_column *c = &q->block.slot[k];
        uint32_t end = at[c->place];
        if (end < c->cut)
            return false;
        memcpy(&unit, p + end - c->cut, sizeof unit);
        wrong |= (unit & c->unit_mask) ^ c->unit;
    }
    return !wrong;
}

/* Do all of the n rows of the window, which has so many LF, end where they should? Then no cell but the last
 * ends with one. */
static bool is_even(const char *p, const uint32_t *at, size_t columns, size_t n, size_t lf)
{
    const uint32_t *end = at + columns - 1;
    size_t ends = 0;
    if (lf != n)
        return false;
    for (size_t i = 0; i < n; i++, end += columns)
        ends += p[*end] == '\n';
    return ends == n;
}

/* read_times; even and iso are constants where it is called for the rows that most logs have. */
static inline unsigned read_times_as(struct smi_csv_fast *q, const char *p, const uint32_t *at, unsigned row,
                                     unsigned n, bool even, bool iso, bool blank)
{
    size_t columns = q->columns, stamp = iso ? SMI_STAMP_ISO : q->stamp;
    const uint32_t *front = at + q->time - 1; /* the separator in front of the time */
    int64_t *t_ms = q->block.t_ms + row;
    bool cr = q->cr, cut = cr && q->time + 1 == columns;
    for (unsigned i = 0; i < n; i++, at += columns, front += columns) {
        uint32_t from = front[0] + 1;
        from += blank && p[from] == ' ';
        if (!(even || is_row(columns, p, at)) || front[1] - cut - from != stamp ||
            (p[at[columns - 1] - 1] == '\r') != cr || !read_time(q, p + from, iso, &t_ms[i]))
            return i;
    }
    return n;
}

/* How many of the n rows whose separators are at[0 ...], up to the first that is not so, are rows with ends
 * and stamps like those of the block. Row i is the block's from `row` on. */
static unsigned read_times(struct smi_csv_fast *q, const char *p, const uint32_t *at, unsigned row,
                           unsigned n)
{
    bool iso = q->stamp == SMI_STAMP_ISO;
    if (q->even && !iso && q->time == 0)
        return read_times_as(q, p, at, row, n, true, false, false);
    return read_times_as(q, p, at, row, n, q->even, iso, q->time > 0);
}

/* Is all of the row whose separators are at[0 ...] plain, but its numbers? Those wait until all rows are
 * known. */
static bool read_row(struct smi_csv_fast *q, const char *p, const uint32_t *at, unsigned row)
{
    size_t from = (uint32_t)(at[-1] + 1);
    bool ok = (!q->block.units || has_units(q, p, at)) && (!q->block.missing || all_missing(q, p, from, at));
    for (unsigned k = 0; ok && k < q->others; k++) {
        unsigned place = q->other[k];
        struct smi_text cell = cell_between(p, from, at, place);
        if (q->kind[place] < SMI_COL_NUMBER)
            ok = read_text(q, place, cell);
        else
            ok = cell.n && read_state(&q->block.column[q->first[place]], q->kind[place], cell, row);
    }
    return ok && (!q->keyed || find_device(q, &q->block.who[row]));
}

/* How a cell of numbers is written: its sentinel, decimals, unit. Whatever it is, the kernel has the last
 * word. */
static void learn_cell_shape(struct smi_fast_block_column *c, struct smi_text cell, const char *unit)
{
    const char *point = memchr(cell.p, '.', cell.n);
    size_t n = strlen(unit), d = 0;
    c->missing = is_missing(cell.p, cell.n);
    while (point && d < 6 && point + 1 + d < cell.p + cell.n && point[1 + d] >= '0' && point[1 + d] <= '9')
        d++;
    c->decimals = (uint8_t)d;
    c->unit = c->unit_mask = 0;
    c->unit_n = 0;
    if (n == 0 || n > 3 || cell.n < n + 2 || cell.p[cell.n - n - 1] != ' ')
        return;
    c->unit_n = (uint8_t)(n + 1);
    memcpy(&c->unit, " ", 1);
    memcpy((char *)&c->unit + 1, unit, n);
    memset(&c->unit_mask, 0xFF, n + 1);
}

/* A block for rows like this one. False if it has no reading. */
static bool reshape(struct smi_csv_fast *q, const char *p, const uint32_t *at)
{
    size_t from = (uint32_t)(at[-1] + 1), last = at[q->columns - 1];
    q->cr = last > from && p[last - 1] == '\r';
    q->batch = BATCH_MIN;
    for (size_t i = 0; i < q->columns; i++) {
        struct smi_fast_block_column *c = &q->block.column[q->first[i]];
        if (q->kind[i] != SMI_COL_NUMBER)
            continue;
        learn_cell_shape(c, cell_between(p, from, at, i), smi_metrics[q->what[i]].unit);
        c->cut = (uint8_t)(c->unit_n + (q->cr && i + 1 == q->columns));
        if (q->draws && c->missing && q->what[i] == SMI_POWER) { /* another column may have the power */
            q->block.metrics = 0;
            return false;
        }
    }
    return smi_fast_block_shape(&q->block);
}

/* As many rows as are plain in the block's shape, of the n whose separators are at[0 ...]; at most one batch,
 * which grows while it is taken whole: rows of which each has another shape than the one before are not
 * looked at many times. */
static unsigned read_batch(struct smi_csv_fast *q, const char *p, const uint32_t *at, size_t n)
{
    size_t columns = q->columns;
    unsigned i = 0, room = SMI_ROWS_MAX - q->block.n, took;
    bool more = q->others || q->block.units || q->block.missing || q->keyed;
    if (!q->block.metrics)
        return 0;
    room = room < q->batch ? room : q->batch;
    room = room < n ? room : (unsigned)n;
    room = read_times(q, p, at, q->block.n, room);
    while (more && i < room && read_row(q, p, at + i * columns, q->block.n + i))
        i++;
    i = more ? i : room;
    took = smi_fast_block_cells(&q->block, p, at, columns, i);
    q->batch = took < i ? BATCH_MIN : i == q->batch && i < SMI_ROWS_MAX ? 2 * i : q->batch;
    return took;
}

/* The rows among the separators at[0 ... n - 1], of which lf are LF. *done: the bytes that they take. Returns
 * 1 if all were taken, 0 if one has to go the general path, -1 with err. */
static int read_rows(struct smi_csv_fast *q, struct smi_lines *l, const char *p, const uint32_t *at, size_t n,
                     size_t lf, size_t *done, struct smi_err *err)
{
    size_t columns = q->columns, rows = n / columns;
    *done = 0;
    q->even = is_even(p, at, columns, rows, lf);
    while (rows) {
        unsigned took = read_batch(q, p, at, rows);
        if (!took || q->block.n == SMI_ROWS_MAX) {
            if (smi_fast_block_flush(&q->block, l, err))
                return -1;
        }
        if (!took && is_row(columns, p, at) && reshape(q, p, at))
            took = read_batch(q, p, at, 1);
        if (!took)
            return 0;
        at += took * columns;
        rows -= took;
        *done = (size_t)at[-1] + 1;
    }
    return 1;
}

ptrdiff_t smi_csv_reader_rows(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct smi_csv_fast *q = &((struct smi_csv_reader *)self)->fast;
    struct smi_lines *l = self;
    const char *from = p, *end = p + n;
    int more = 1;
    if (((struct smi_csv_reader *)self)->row.order.state == SMI_ORDER_OPEN) /* rows wait */
        return 0;
    if (!q->columns || n < SLACK || (q->keyed && q->changes != l->devices->changes))
        return 0;
    if (!q->at)
        q->at = smi_mem_raw((WINDOW + SLACK + 1) * sizeof *q->at);
    q->at[0] = UINT32_MAX; /* in front of the first row */
    while (more == 1) {
        size_t window = (size_t)(end - p) - SLACK / 2, most = q->window, done, found, lf;
        /* cells are loaded a word at a time: not to the end */
        window = (window < most ? window : most) / SLACK * SLACK;
        found = smi_kernel_index(p, window, q->at + 1, &lf);
        more = read_rows(q, l, p, q->at + 1, found, lf, &done, err);
        if (more < 0)
            return -1;
        /* Where rows have to go the general path, what stands behind them is not looked at again and again.
         */
        q->window = !more ? WINDOW_MIN : most < WINDOW ? 2 * most : WINDOW;
        p += done;
        more = more && (done || (window == most && most < WINDOW)) && end - p >= SLACK;
    }
    return smi_fast_block_flush(&q->block, l, err) ? -1 : p - from;
}

void smi_csv_reader_close(struct smi_reader *r)
{
    struct smi_csv_fast *q = &((struct smi_csv_reader *)r)->fast;
    for (unsigned i = 0; i < SMI_CSV_FAST_DEVICES; i++)
        smi_mem_free(q->seen[i].text);
    smi_mem_free(q->at);
    smi_fast_block_fini(&q->block);
}
