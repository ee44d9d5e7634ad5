/* csv_fast.c - CSV logs whose rows are read many at once: nvidia-smi's queries, and our own samplers. */
#include "base/clock.h"
#include "base/mem.h"
#include "formats/fast_block.h"

#include <stdio.h>

/* ---- the fast path of CSVs with a time in each row, as nvidia-smi or our own samplers write them: rows
 * that look alike are read many at once ---- */

enum {
    CSV_COLUMNS = 1024,
    DEVICES = 64,      /* devices whose key cells are remembered */
    NVIDIA_STAMP = 23, /* "2026/07/03 22:11:09.763" */
    ISO_STAMP = 29     /* "2026-11-21T06:22:31.123+00:00" */
};

/* A device by its key cells, as they stand in a row. */
struct seen_device {
    int who;
    char *text; /* the cells, one behind the other */
    size_t n, cap;
};

/* A cell of a row. */
struct csv_place {
    uint8_t kind;   /* an smi_column_kind, */
    uint16_t what;  /* and which */
    uint16_t first; /* of a column's numbers: their place in the block */
    uint16_t other; /* at the place i: which is the i-th of the others, all but numbers and the time */
};

/* Zero-initialise. */
struct csv_fast {
    struct smi_fast_block block;
    uint32_t *at;   /* one in front, then where the separators of the window at hand are */
    size_t window;  /* how many bytes are looked at together */
    unsigned batch; /* how many rows are looked at together */
    bool cr;        /* rows of the block end with CR LF */
    bool even;      /* all rows of the window have as many cells as there are columns */
    bool keyed;     /* columns tell devices apart */
    bool draws;     /* as in the plan: a row without power is not plain */
    size_t columns; /* cells of a row; 0: these columns have no fast path */
    size_t time;    /* the place of its time, of so many bytes */
    size_t stamp;
    struct csv_place *place; /* of `columns`, or more */
    size_t places;
    unsigned others;
    struct seen_device seen[DEVICES];
    unsigned devices, next;        /* devices print in turn: the next one is looked for first */
    int64_t latest_ms;             /* smi_clock_fits */
    uint64_t changes;              /* smi_devices.changes that `seen` belongs to */
    struct smi_fast_minute minute; /* of the last row */
    struct smi_text cell[SMI_DEVICE_KEY_COUNT + 1]; /* key cells of the row, then the name */
};

/* The reader of such a format, and what its struct smi_format says of the fast path. */
struct csv_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    struct csv_fast fast;
};
enum { NAME = SMI_DEVICE_KEY_COUNT, WINDOW = 8192, WINDOW_MIN = 512, SLACK = 64, BATCH_MIN = 8 };

/* What stands at each place of a row. */
static void set_kinds(struct csv_fast *q, const struct smi_row_plan *p)
{
    smi_mem_reserve(&q->place, &q->places, p->width, sizeof *q->place);
    memset(q->place, SMI_COL_SKIP, p->width * sizeof *q->place);
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++) {
        int place = p->at[SMI_AT_KEY + k];
        if (place < 0)
            continue;
        q->place[place].kind = SMI_COL_KEY;
        q->place[place].what = (uint16_t)k;
    }
    if (p->at[SMI_AT_NAME] >= 0)
        q->place[p->at[SMI_AT_NAME]].kind = SMI_COL_NAME;
    for (unsigned i = 0; i < p->n; i++) {
        q->place[p->column[i].place].kind = (uint8_t)p->column[i].kind;
        q->place[p->column[i].place].what = p->column[i].what;
    }
    q->place[q->time].kind = SMI_COL_TIME; /* else it would be looked at as text, too */
}

/* The columns have no fast path. */
static void turn_fast_off(struct csv_fast *q)
{
    q->columns = 0;
    q->devices = 0;
    q->block.n = q->block.metrics = 0;
}

/* Columns changed. stamp: how the time is written; host: rows are about the machine. */
static void bind_fast(struct csv_fast *q, const struct smi_row_plan *p, size_t stamp, bool host)
{
    uint16_t metric[SMI_ROWS_COLUMNS + SMI_THROTTLE_COUNT];
    unsigned n = 0;
    turn_fast_off(q);
    q->others = 0;
    q->draws = p->draws;
    if (!p->width || p->width > CSV_COLUMNS || p->at[SMI_AT_TIME] < 0 || !SMI_FAST_LITTLE_ENDIAN ||
        (q->draws && !smi_row_plan_has(p, SMI_POWER)))
        return;
    q->time = (size_t)p->at[SMI_AT_TIME];
    q->stamp = stamp;
    q->keyed = p->keyed && !host;
    set_kinds(q, p);
    for (size_t i = 0; i < p->width && n <= SMI_ROWS_COLUMNS; i++) {
        const uint8_t kind = q->place[i].kind;
        q->place[i].first = (uint16_t)n;
        for (unsigned k = 0; kind == SMI_COL_MASK && k < SMI_THROTTLE_COUNT; k++)
            metric[n++] = (uint16_t)(SMI_THROTTLE_FIRST + k);
        if (kind == SMI_COL_NUMBER || kind == SMI_COL_ACTIVE || kind == SMI_COL_PSTATE)
            metric[n++] = q->place[i].what;
        if (kind != SMI_COL_NUMBER && kind != SMI_COL_TIME)
            q->place[q->others++].other = (uint16_t)i;
    }
    if (!smi_fast_block_bind(&q->block, metric, n))
        return;
    for (unsigned i = 0, k = 0; k < q->block.columns; k++) { /* a column of a mask is several */
        while (i + 1 < p->width && q->place[i + 1].first <= k)
            i++;
        q->block.column[k].direct = q->place[i].kind != SMI_COL_NUMBER;
        q->block.column[k].place = (uint16_t)i;
    }
    q->window = WINDOW_MIN;
    q->block.host = host;
    q->block.keyed = q->keyed || host;
    q->block.timed = q->block.fine = true;
    q->columns = p->width;
}

/* ---- cells, of n bytes at p; each says whether the cell is plain ---- */

static bool read_new_minute(struct csv_fast *q, const char *p, int64_t *t_ms)
{
    struct smi_text stamp = {p, q->stamp};
    int64_t us;
    bool fine, zoned, iso = q->stamp == ISO_STAMP;
    if (p[19] != '.' ||
        (iso ? smi_clock_parse_iso(stamp, &us, &fine, &zoned) : smi_clock_parse_stamp(stamp, &us, &fine)) ||
        !smi_clock_fits(us / 1000, &q->latest_ms))
        return false;
    *t_ms = us / 1000;
    smi_fast_minute_learn(&q->minute, p, *t_ms);
    return true;
}

/* A time as q->stamp says it is written, mostly of the same minute as the row before. */
__attribute__((always_inline)) static inline bool read_time(struct csv_fast *q, const char *p, bool iso,
                                                            int64_t *t_ms)
{
    if (iso && memcmp(p + NVIDIA_STAMP, "+00:00", 6) != 0)
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

static bool read_state(const struct smi_fast_block_column *c, enum smi_column_kind kind, struct smi_text cell,
                       unsigned row)
{
    uint64_t mask;
    if (kind == SMI_COL_MASK) { /* 0x0000000000000004: one column for each reason */
        if (smi_cell_mask(cell, &mask))
            return false;
        for (unsigned k = 0; k < SMI_THROTTLE_COUNT; k++)
            c[k].u[row] = (int32_t)(mask >> k & 1);
        return true;
    }
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
static bool read_text(struct csv_fast *q, const struct csv_place *w, struct smi_text cell)
{
    const char *p = cell.p;
    size_t n = cell.n;
    if (n && (*p == '"' || *p == ' ' || *p == '\t' || p[n - 1] == ' ' || p[n - 1] == '\t'))
        return false;
    if (w->kind == SMI_COL_SKIP)
        return true;
    if (w->kind == SMI_COL_ALARM)
        return (n == 2 && memcmp(p, "No", 2) == 0) || (n == 4 && memcmp(p, "None", 4) == 0) ||
               is_missing(p, n);
    q->cell[w->kind == SMI_COL_KEY ? w->what : NAME] = cell;
    return !smi_cell_missing(cell);
}

/* ---- devices ---- */

static bool same_device_cells(const struct seen_device *s, const struct smi_text *cell)
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

static bool find_device(struct csv_fast *q, int *who)
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

/* The general path found that a row with these key cells (smi_device_key order; the name last) is about
 * `who`. */
static void learn_fast(struct csv_fast *q, const struct smi_text *cell, int who, uint64_t changes)
{
    struct seen_device *s;
    int old;
    if (changes != q->changes)
        q->devices = 0;
    q->changes = changes;
    memcpy(q->cell, cell, sizeof q->cell);
    if (!q->columns || q->devices == DEVICES || find_device(q, &old))
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
static bool all_missing(const struct csv_fast *q, const char *p, size_t from, const uint32_t *at)
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
static bool has_units(const struct csv_fast *q, const char *p, const uint32_t *at)
{
    uint32_t unit, wrong = 0;
    for (unsigned k = 0; k < q->block.slots; k++) {
        const struct smi_fast_block_column *c = q->block.slot[k];
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
static inline unsigned read_times_as(struct csv_fast *q, const char *p, const uint32_t *at, unsigned row,
                                     unsigned n, bool even, bool iso, bool blank)
{
    size_t columns = q->columns, stamp = iso ? ISO_STAMP : q->stamp;
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
static unsigned read_times(struct csv_fast *q, const char *p, const uint32_t *at, unsigned row, unsigned n)
{
    bool iso = q->stamp == ISO_STAMP;
    if (q->even && !iso && q->time == 0)
        return read_times_as(q, p, at, row, n, true, false, false);
    return read_times_as(q, p, at, row, n, q->even, iso, q->time > 0);
}

/* Is all of the row whose separators are at[0 ...] plain, but its numbers? Those wait until all rows are
 * known. */
static bool read_row(struct csv_fast *q, const char *p, const uint32_t *at, unsigned row)
{
    size_t from = (uint32_t)(at[-1] + 1);
    bool ok = (!q->block.units || has_units(q, p, at)) && (!q->block.missing || all_missing(q, p, from, at));
    for (unsigned k = 0; ok && k < q->others; k++) {
        const struct csv_place *w = &q->place[q->place[k].other];
        struct smi_text cell = cell_between(p, from, at, q->place[k].other);
        if (w->kind < SMI_COL_NUMBER)
            ok = read_text(q, w, cell);
        else
            ok = cell.n && read_state(&q->block.column[w->first], w->kind, cell, row);
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
static bool reshape(struct csv_fast *q, const char *p, const uint32_t *at)
{
    size_t from = (uint32_t)(at[-1] + 1), last = at[q->columns - 1];
    q->cr = last > from && p[last - 1] == '\r';
    q->batch = BATCH_MIN;
    for (size_t i = 0; i < q->columns; i++) {
        struct smi_fast_block_column *c = &q->block.column[q->place[i].first];
        if (q->place[i].kind != SMI_COL_NUMBER)
            continue;
        learn_cell_shape(c, cell_between(p, from, at, i), smi_metrics[q->place[i].what].unit);
        c->cut = (uint8_t)(c->unit_n + (q->cr && i + 1 == q->columns));
        if (q->draws && c->missing && q->place[i].what == SMI_POWER) { /* another column may have the power */
            q->block.metrics = 0;
            return false;
        }
    }
    return smi_fast_block_shape(&q->block);
}

/* As many rows as are plain in the block's shape, of the n whose separators are at[0 ...]; at most one batch,
 * which grows while it is taken whole: rows of which each has another shape than the one before are not
 * looked at many times. */
static unsigned read_batch(struct csv_fast *q, const char *p, const uint32_t *at, size_t n)
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
static int read_rows(struct csv_fast *q, struct smi_lines *l, const char *p, const uint32_t *at, size_t n,
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

static ptrdiff_t read_rows_fast(void *self, const char *p, size_t n, struct smi_err *err)
{
    struct csv_fast *q = &((struct csv_reader *)self)->fast;
    struct smi_lines *l = self;
    const char *from = p, *end = p + n;
    int more = 1;
    if (((struct csv_reader *)self)->row.order.state == SMI_ORDER_OPEN) /* rows wait */
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

static void close_csv_reader(struct smi_reader *r)
{
    struct csv_fast *q = &((struct csv_reader *)r)->fast;
    for (unsigned i = 0; i < DEVICES; i++)
        smi_mem_free(q->seen[i].text);
    smi_mem_free(q->at);
    smi_mem_free(q->place);
    smi_fast_block_fini(&q->block);
}

/* The fast path knows nvidia-smi's own stamps, and ours in UTC: not before the first row has proved to have
 * one. Nor does it know names without a key. */
static void bind_csv_fast(struct smi_row_reader *row)
{
    struct csv_fast *fast = &((struct csv_reader *)row)->fast;
    const bool own = row->table->flags & SMI_TABLE_HOST;
    if (row->clock.form == SMI_STAMP_DATE &&
        row->lines.base == (own ? SMI_TIME_BASE_UTC : SMI_TIME_BASE_LOCAL) && !smi_row_wants_names(row))
        bind_fast(fast, &row->plan, own ? ISO_STAMP : NVIDIA_STAMP, own);
    else
        turn_fast_off(fast);
}

/* Our own times without a zone are UTC. */
static int read_csv_time(struct smi_row_reader *row, struct smi_sample *s)
{
    const enum smi_stamp_form before = row->clock.form;
    const int at = row->plan.at[SMI_AT_TIME];
    if (at >= 0 && smi_row_time(row, row->cell[at], row->table->flags & SMI_TABLE_HOST, s))
        return -1;
    if (before != row->clock.form)
        bind_csv_fast(row);
    return 0;
}

#define CSV_READER .size = sizeof(struct csv_reader), .fast = read_rows_fast, .close = close_csv_reader

/* nvidia-smi --query-gpu=... --format=csv[,noheader][,nounits] -l S, as it lands in a file:
 *   timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]
 *   2026/07/03 22:11:09.763, 0, 100 %, 32362 MiB, 627.40 W
 * Any columns in any order; the header may be absent (the reference's nine columns then), or come again.
 * Plain rows take the fast path (fast_block.h); a row with anything else in it is cut into cells here. */

/* The reference's nine columns, behind the time: what a headerless file of nine is read as. */
enum { REFERENCE = 9 };
static const char reference_names[] = "timestamp,utilization.gpu,utilization.memory,memory.used,memory.total,"
                                      "power.draw,temperature.gpu,clocks.sm,clocks.mem";
static const uint16_t reference[REFERENCE - 1] = {SMI_GPU_UTIL, SMI_MEM_UTIL, SMI_FB_USED, SMI_FB_TOTAL,
                                                  SMI_POWER,    SMI_TEMP_GPU, SMI_CLK_SM,  SMI_CLK_MEM};

/* ---- headers ---- */

/* No cell begins with a digit, none behind the first is empty or quoted; at least one is a measurement; and a
 * cell has its unit behind it, or half of the cells are known names. */
bool smi_query_is_header(const struct smi_text *cell, size_t n)
{
    size_t known = 0, measures = 0;
    bool unit = false;
    n -= n > 1 && !cell[n - 1].n;                      /* a comma at the end */
    for (size_t i = n > 1 && !cell[0].n; i < n; i++) { /* pandas gives its row numbers no name */
        struct smi_query_column c;
        if (!cell[i].n || smi_is_digit(*cell[i].p) || memchr(cell[i].p, '"', cell[i].n) ||
            memchr(cell[i].p, '\t', cell[i].n))
            return false;
        smi_column_query(cell[i], &c);
        known += c.known || c.measures;
        measures += c.measures;
        unit |= cell[i].n > 3 && cell[i].p[cell[i].n - 1] == ']' && cell[i].p[0] != '[';
    }
    return measures > 0 && (unit || 2 * known >= n);
}

/* Do the cells fit the reference's nine columns? Its first is a time, and at most one other is no number. */
static bool fits_reference(const struct smi_text *cell, size_t n)
{
    int64_t v;
    bool fine;
    int fit = 0;
    if (n != REFERENCE || smi_clock_parse_stamp(cell[0], &v, &fine))
        return false;
    for (int i = 0; i < REFERENCE - 1; i++)
        fit += smi_cell_number(reference[i], cell[i + 1], &v) <= SMI_CELL_MISSING;
    return fit >= REFERENCE - 2;
}

/* As programs quote all cells: Export-Csv, QUOTE_ALL. A list in a source has blanks, or one name a line. */
static bool is_all_quoted(struct smi_text line)
{
    const char *end = line.p + line.n;
    size_t cells = 0;
    for (const char *p = line.p; p < end && *p == '"'; p++, cells++) {
        p = memchr(p + 1, '"', (size_t)(end - p - 1));
        if (!p || p + 1 == end)
            return p && cells > 0;
        if (*++p != ',')
            return false;
    }
    return false;
}

static enum smi_sniff sniff_query(struct smi_text line)
{
    struct smi_text cell[CSV_COLUMNS];
    bool quoted = line.n > 1 && line.p[0] == '"' && (smi_is_digit(line.p[1]) || is_all_quoted(line)), fine;
    size_t n = smi_row_split(line, quoted ? SMI_SPLIT_QUOTES : 0, cell, CSV_COLUMNS);
    int64_t v;
    if (n > CSV_COLUMNS)
        return SMI_SNIFF_NO;
    if (smi_query_is_header(cell, n) || fits_reference(cell, n))
        return SMI_SNIFF_YES;
    if (n > 1 && cell[0].n > 4 && cell[0].p[4] == '/' && smi_clock_parse_stamp(cell[0], &v, &fine) == 0)
        return SMI_SNIFF_BARE;
    if (n > 1 && smi_cell_number(SMI_GPU_UTIL, cell[0], &v) == SMI_CELL_OK &&
        cell[0].p[cell[0].n - 1] == '%' && smi_cell_number(SMI_FB_USED, cell[1], &v) == SMI_CELL_OK &&
        cell[1].p[cell[1].n - 1] == 'B')
        return SMI_SNIFF_BARE;
    return SMI_SNIFF_NO;
}

static void bind_query_columns(struct smi_row_plan *p, const struct smi_text *cell, size_t n)
{
    smi_row_plan_init(p, n);
    for (size_t i = 0; i < n; i++) {
        struct smi_query_column c;
        smi_column_query(cell[i], &c);
        smi_row_plan_add(p, c.kind, c.what, 0, i);
    }
}

/* "2026/07/03 22:11:09.763, 0, 5timestamp, index, ...": a monitor was killed in the middle of a row, and the
 * next one appended its header. The rest of the line if it is one, else empty. */
static struct smi_text find_glued_header(struct smi_row_reader *row, struct smi_text line)
{
    const char *comma = row->header_n ? memchr(row->header, ',', row->header_n) : NULL;
    const struct smi_text first[] = {smi_text_of("timestamp,"),
                                     {row->header, comma ? (size_t)(comma + 1 - row->header) : 0}};
    for (size_t i = 0; i < 2 && line.n; i++) {
        const char *at = first[i].n ? memmem(line.p + 1, line.n - 1, first[i].p, first[i].n) : NULL;
        struct smi_text rest = {at, at ? (size_t)(line.p + line.n - at) : 0};
        size_t n = at ? smi_row_split(rest, 0, row->cell, CSV_COLUMNS) : 0;
        if (at && n <= CSV_COLUMNS && smi_query_is_header(row->cell, n))
            return rest;
    }
    return (struct smi_text){NULL, 0};
}

/* ---- lines ---- */

/* What the columns were told by: the shape of the rows, or a header below them, whose line is in front. */
static void tell_guess(struct smi_row_reader *row, const char **list)
{
    char by[64] = "the shape of the rows";
    size_t number = strspn(*list, "0123456789");
    if (number)
        snprintf(by, sizeof by, "the header in line %.*s", (int)number, *list);
    *list += number + (number > 0);
    if (!row->later)
        smi_account_warn(row->lines.account, SMI_LOG_WARNING_OTHER,
                         "no header: by %s they are %s; name them with --input-columns if not", by, *list);
}

/* The first line: a header, or the columns are known without one. */
static int use_known_columns(struct smi_row_reader *row, size_t n, struct smi_err *err)
{
    struct smi_text cell[CSV_COLUMNS];
    struct smi_row_plan p;
    const char *list = row->wanted;
    bool guess = list && *list == SMI_ROW_SHAPE_GUESS;
    if (!list && fits_reference(row->cell, n))
        list = reference_names;
    if (!list)
        return 0;
    list += guess;
    if (guess)
        tell_guess(row, &list);
    n = smi_row_split(smi_text_of(list), 0, cell, CSV_COLUMNS);
    if (n > CSV_COLUMNS)
        return smi_err_set(err, SMI_EUSAGE, "--input-columns: more than %d names", CSV_COLUMNS);
    bind_query_columns(&p, cell, n);
    smi_row_use(row, &p);
    return 0;
}

/* What nvidia-smi does not have: somebody put it there. */
static void tell_unknown_columns(struct smi_row_reader *row, size_t n)
{
    size_t unknown = 0;
    for (size_t i = 0; i < n; i++) {
        struct smi_query_column c;
        smi_column_query(row->cell[i], &c);
        if (!c.known && !c.kin && !c.measures && row->cell[i].n)
            row->cell[unknown++] = row->cell[i];
    }
    smi_account_unknown(row->lines.account, row->cell, unknown);
}

static int read_query_other_line(struct smi_row_reader *row, struct smi_text line, size_t n,
                                 struct smi_err *err)
{
    struct smi_row_plan fresh;
    int rc;
    bool foreign = n == 1 || row->plan.width == 0;
    if (n > CSV_COLUMNS || !smi_query_is_header(row->cell, n))
        return smi_row_other(row, line, line.p[0] == '#', foreign ? SMI_REJECT_FOREIGN : SMI_REJECT_BAD_WIDTH,
                             err);
    rc = smi_row_has_wanted(row, n);
    if (rc)
        return rc < 0 ? -1 : smi_row_header(row, line, &row->plan, err);
    if (row->plan.width && smi_row_same_header(row, line))
        return smi_row_count_header(row, err);
    bind_query_columns(&fresh, row->cell, n);
    if (smi_row_header(row, line, &fresh, err))
        return -1;
    tell_unknown_columns(row, n);
    return 0;
}

static int read_query_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_row_reader *row = self;
    bool quoted = memchr(line.p, '"', line.n) != NULL;
    size_t n = smi_row_split(line, quoted ? SMI_SPLIT_QUOTES : 0, row->cell, CSV_COLUMNS);
    if (!row->plan.width && use_known_columns(row, n, err))
        return -1;
    if (row->plan.at[SMI_AT_NAME] < 0 || n < row->plan.width) /* else a comma more is one in the name */
        n = smi_row_end_comma(row, n);
    if (row->wanted && n + 1 == row->plan.width && row->plan.at[SMI_AT_TIME] == 0)
        n = smi_row_split_time(row->cell, n, row->lines.front);
    if (!(n = smi_row_take_time(row, n, err)))
        return -1;
    if (!quoted && n > row->plan.width && n <= CSV_COLUMNS && !smi_query_is_header(row->cell, n))
        n = smi_row_rejoin(row, line, smi_row_rejoin_time(row, n), row->plan.at[SMI_AT_NAME]);
    if (n != row->plan.width || n > CSV_COLUMNS)
        return read_query_other_line(row, line, n, err);
    if ((n <= 2 || !smi_is_digit(line.p[0])) &&
        (smi_query_is_header(row->cell, n) || smi_row_is_message(row, line)))
        return read_query_other_line(row, line, n, err);
    return smi_row_read(row, line, err);
}

/* The fast path knows the device of such a row from now on. */
static void learn_device(struct smi_row_reader *row, int who)
{
    struct csv_fast *fast = &((struct csv_reader *)row)->fast;
    if (who >= 0)
        learn_fast(fast, row->key, who, row->lines.devices->changes);
}

/* ---- the reader ---- */

static const struct smi_table query_table = {
    .flags = SMI_TABLE_FAULTS | SMI_TABLE_CELL_FAULTS | SMI_TABLE_BREAKS,
    .columns = CSV_COLUMNS,
    .time = read_csv_time,
    .glued = find_glued_header,
    .found = learn_device,
    .bound = bind_csv_fast,
};

const struct smi_format smi_format_query = {
    CSV_READER,
    .sniff = sniff_query,
    .line = read_query_line,
    .whole = smi_row_is_whole,
    .table = &query_table,
};

/* The CPU log of the reference's sampler: UTC stamps, percent of all CPUs; usr includes nice.
 *
 *     timestamp,usr_pct,idle_pct
 *     2026-11-21T06:22:31.123+00:00,12.3,80.1
 *
 * Further columns may follow: those that are called as a metric of the machine (smilog list metrics: cpu_pct,
 * psi_io_pct, cgroup_ram_mib) are read, others are not. */

enum { COLUMNS = 64 /* cells that are looked at */, OWN = 3 };

static bool is_cpu_header(const struct smi_text *cell, size_t n)
{
    return n >= OWN && smi_text_is_nocase(cell[0], "timestamp") && smi_text_is_nocase(cell[1], "usr_pct") &&
           smi_text_is_nocase(cell[2], "idle_pct");
}

/* What a command and all that it started used, as `smilog run` records it: UTC stamps, then metrics of the
 * machine by their names (smilog list metrics), at least one of which is of the tree.
 *
 *     timestamp,tree_cpu_pct,tree_cpu_main_pct,tree_cpu_children_pct,tree_ram_mib,...
 *     2026-11-21T06:22:31.123+00:00,104.2,3.1,101.1,912.4,...
 *
 * An empty cell is a figure that could not be had. */
static bool is_process_header(const struct smi_text *cell, size_t n)
{
    bool tree = false;
    for (size_t i = 1; i < n && i < COLUMNS; i++)
        tree |=
            cell[i].n > 5 && memcmp(cell[i].p, "tree_", 5) == 0 && smi_metric_find(cell[i].p, cell[i].n) >= 0;
    return tree && smi_text_is_nocase(cell[0], "timestamp");
}

/* Behind the own columns of a CPU log, or the time of another: a metric of the machine by its name. */
static void bind_metrics(struct smi_row_plan *p, const struct smi_text *cell, size_t n, bool cpu)
{
    smi_row_plan_init(p, n);
    smi_row_plan_add(p, SMI_COL_TIME, 0, 0, 0);
    if (cpu) {
        smi_row_plan_add(p, SMI_COL_NUMBER, SMI_CPU_USR, 0, 1);
        smi_row_plan_add(p, SMI_COL_NUMBER, SMI_CPU_IDLE, 0, 2);
    }
    for (size_t i = cpu ? OWN : 1; i < n && i < COLUMNS; i++) {
        int m = smi_metric_find(cell[i].p, cell[i].n);
        if (m >= 0 && smi_metric_is_host((unsigned)m))
            smi_row_plan_add(p, SMI_COL_NUMBER, (unsigned)m, 0, i);
    }
}

/* The first line of a CPU log may be data: its header can be lost. Then columns behind the third are not
 * known.
 */
static int read_metric_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_row_reader *r = self;
    struct smi_row_plan fresh;
    bool cpu = r->lines.format == &smi_format_cpu_csv, begins;
    size_t n = smi_row_split(line, 0, r->cell, COLUMNS);
    int rc = 0;
    if ((cpu ? is_cpu_header : is_process_header)(r->cell, n)) {
        bind_metrics(&fresh, r->cell, n, cpu);
        return smi_row_header(r, line, &fresh, err);
    }
    if (cpu && !r->plan.width) {
        bind_metrics(&fresh, r->cell, OWN, true);
        smi_row_use(r, &fresh);
    }
    if (r->header_n)
        n = smi_row_rejoin_time(r, n);
    begins = r->cell[0].n && smi_is_digit(r->cell[0].p[0]);
    if (!begins || (cpu && n == 1))
        rc = smi_message_count(r->lines.account, line);
    if (rc)
        return rc < 0 ? -1 : 0;
    if (n == 1)
        return smi_row_reject(r, SMI_REJECT_FOREIGN, line, err);
    if (cpu && !r->header_n ? n < OWN : n != r->plan.width)
        return smi_row_reject(r, SMI_REJECT_BAD_WIDTH, line, err);
    return smi_row_read(r, line, err);
}

static const struct smi_table metric_table = {.flags = SMI_TABLE_HOST | SMI_TABLE_DATED,
                                              .columns = COLUMNS,
                                              .time = read_csv_time,
                                              .bound = bind_csv_fast};

/* A row whose header is lost: a time with a zone, and two shares with a point, which are no more than all. */
static bool is_cpu_row(const struct smi_text *cell, size_t n)
{
    const int64_t all = 100100000; /* each is rounded to 0.1 */
    int64_t us, share[2];
    bool fine, zoned;
    if (n != OWN || smi_clock_parse_iso(cell[0], &us, &fine, &zoned) || !zoned || cell[0].p[10] != 'T')
        return false;
    for (size_t i = 0; i < 2; i++)
        if (smi_text_parse_micro(cell[i + 1], &share[i]) || share[i] < 0 ||
            !memchr(cell[i + 1].p, '.', cell[i + 1].n))
            return false;
    return share[0] + share[1] <= all;
}

static int find_metric_header(const struct smi_text *cell, size_t n)
{
    if (is_cpu_header(cell, n) || is_cpu_row(cell, n))
        return SMI_FMT_CPU;
    return is_process_header(cell, n) ? SMI_FMT_PROCS : -1;
}

#define METRIC_FORMAT                                                                              \
    {                                                                                              \
        CSV_READER, .header = find_metric_header, .line = read_metric_line, .table = &metric_table \
    }

const struct smi_format smi_format_cpu_csv = METRIC_FORMAT;
const struct smi_format smi_format_process_csv = METRIC_FORMAT;
