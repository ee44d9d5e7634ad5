/* fast_block.c - rows that look alike are read many at once. */
#include "formats/fast_block.h"

#include "base/clock.h"
#include "base/mem.h"

/* ---- the kernel ---- */

#define INLINE __attribute__((always_inline)) static inline

/* Bytes of a vector: wider than what a machine has becomes slow code. EACH: f of each word of one. */
#ifdef SMI_WIDE
#define WIDTH 32
#define EACH(f)                \
    {                          \
        f(0), f(1), f(2), f(3) \
    }
#define ODD_BYTES(a, b)                                                                                      \
    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, \
                            41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63)
#else
#define WIDTH 16
#define EACH(f)    \
    {              \
        f(0), f(1) \
    }
#define ODD_BYTES(a, b) \
    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#endif
enum {
    WORDS = WIDTH / 8,
    CELLS = 2 * WORDS, /* are converted at once */
    USUAL = 10         /* separators in 64 bytes, or fewer */
};

typedef unsigned char bytes __attribute__((vector_size(WIDTH)));
typedef signed char chars __attribute__((vector_size(WIDTH)));
typedef uint16_t shorts __attribute__((vector_size(WIDTH)));
typedef uint32_t ints __attribute__((vector_size(WIDTH)));
typedef int32_t numbers __attribute__((vector_size(WIDTH)));
typedef uint64_t words __attribute__((vector_size(WIDTH)));

/* Hides what x is from the compiler: GCC multiplies vectors by a constant in shifts and additions, and
 * stores offsets through vectors. Both take longer. */
INLINE uint32_t hide_value(uint32_t x)
{
    __asm__("" : "+r"(x));
    return x;
}

/* Writes the offsets of every ',' and LF among p[0 ... n - 1] to at, in their order, and returns how many
 * there are; *lf: how many of them are LF. n is a multiple of 64; at has room for n + 64 offsets. They are
 * written several at a time, more than there may be: hardly a branch depends on the exact number. */
SMI_CLONES static size_t index_cells(const char *p, size_t n, uint32_t *at, size_t *lf)
{
    const smi_bytes16 zero = {0}, comma = zero + ',', newline = zero + '\n';
    uint32_t *to = at;
    size_t lines = 0;
    for (size_t i = 0; i < n; i += 64) {
        smi_bytes16 ends = zero;
        uint64_t hit = 0;
        unsigned found;
        for (unsigned k = 0; k < 64; k += 16) {
            smi_bytes16 w, end;
            memcpy(&w, p + i + k, sizeof w);
            end = (smi_bytes16)(w == newline);
            hit |= smi_byte_mask((smi_bytes16)(w == comma) | end) << k;
            ends -= end; /* each byte counts up to 4 */
        }
        found = (unsigned)__builtin_popcountll(hit);
#pragma GCC unroll 10
        for (unsigned k = 0; k < USUAL; k++) {
            to[k] = (uint32_t)i + hide_value((uint32_t)(hit ? __builtin_ctzll(hit) : 64));
            hit &= hit - 1;
        }
        for (unsigned k = USUAL; hit; k++) {
            to[k] = (uint32_t)i + (uint32_t)__builtin_ctzll(hit);
            hit &= hit - 1;
        }
        to += found;
        lines += (((smi_words2)ends)[0] + ((smi_words2)ends)[1]) * 0x0101010101010101u >> 56;
    }
    *lf = lines;
    return (size_t)(to - at);
}

/* The cells of CELLS / 2 rows become words whose last byte is uppermost, XORed with blanks: those are 0,
 * digits 16 to 25. Each pair of digits becomes the number in the upper byte of its 16 bits. *bad gets bits if
 * a cell is not plain. (Wide vectors are passed by address: ABIs differ.) */
INLINE void convert_pairs(const char *p, const uint32_t *at, size_t step, uint32_t len, bool fixed,
                          bool point, const struct smi_kernel_number *s, bytes *to, words *bad)
{
    const uint64_t blanks = 0x2020202020202020u;
#define BEGIN(k) smi_text_word8(p + !fixed + (int32_t)(at + (k)*step)[-(int)!fixed])
#define FRONT(k) smi_text_word8((const char *)(at + (k)*step - 1))
    words x = EACH(BEGIN), lack, digit;
    x ^= blanks;
    if (fixed) {
        *bad |= x & (s->blank ? 0xFF : 0);
        x <<= (8 - len) * 8;
    } else { /* in front of a cell is its separator, and one behind it */
        words ends = EACH(FRONT);
        lack = (words)((ints)(ends << 32) - (ints)ends + (9 + len)) >> 32 << 3;
        *bad |= lack & ~(uint64_t)63; /* 0 to 56 bits lack to a word if it has one to eight bytes */
        x <<= lack & 63;
    }
    if (point) {
        *bad |= (x & s->point_mask) ^ (s->point ^ (s->point_mask & blanks));
        x = (x & s->below) << 8 | (x & s->above); /* the point is gone */
    }
    digit = (words)((chars)((bytes)x + 102) > (char)117); /* 25 becomes 127, and what is more is negative */
    /* no blank; none may be; a blank behind a digit */
    *bad |= ~digit & (x | s->digits | -digit);
    *to = (bytes)((shorts)(x & 0x0F0F0F0F0F0F0F0Fu) * (uint16_t)hide_value(10 * 256 + 1));
}

/* CELLS cells become u[0 ...]; *bad gets bits if one is not plain, or its number above the limit. */
INLINE void convert_some(const char *p, const uint32_t *at, size_t step, uint32_t len, bool fixed, bool point,
                         const struct smi_kernel_number *s, int32_t *u, words *bad)
{
    bytes a, b;
    shorts pair;
    ints four, number;
    convert_pairs(p, at, step, len, fixed, point, s, &a, bad);
    convert_pairs(p, at + WORDS * step, step, len, fixed, point, s, &b, bad);
    pair = (shorts)ODD_BYTES(a, b);
    four = (ints)((pair & 0xFF) * (uint16_t)hide_value(100) + (pair >> 8));
    number = (four & 0xFFFF) * 10000 + (four >> 16);
    memcpy(u, &number, sizeof number);
    *bad |= (words)((numbers)number > (int32_t)s->limit);
}

/* As convert_cells; point: as s says. */
INLINE bool convert_column(const char *p, const uint32_t *at, size_t step, size_t n, uint32_t len, bool fixed,
                           bool point, struct smi_kernel_number s, int32_t *u)
{
    uint32_t own[2 * CELLS];
    words bad = {0};
    uint64_t some = 0;
    for (size_t k = 0; n < CELLS && k < CELLS; k++) { /* the last of a few fills up */
        const uint32_t *end = at + (k < n ? k : n - 1) * step;
        own[2 * k] = fixed ? 0 : end[-1];
        own[2 * k + 1] = *end;
    }
    at = n < CELLS ? own + 1 : at;
    step = n < CELLS ? 2 : step;
    for (size_t i = 0; i < n; i += CELLS) {
        i = n < CELLS || i + CELLS <= n ? i : n - CELLS; /* some in front of the last ones once more */
        convert_some(p, at + i * step, step, len, fixed, point, &s, u + i, &bad);
    }
    for (size_t k = 0; k < WORDS; k++)
        some |= bad[k];
    return !some;
}

/* Converts the cells of one column in n rows. Returns whether all of them are plain: blanks, digits, and the
 * point where it has to be, in one to eight bytes, and no more than the column can have. The cell of row i
 * lies between the separators at[i * step - 1] and at[i * step], offsets from p, without its last `len`
 * bytes. fixed: it has `len` bytes and begins at p + at[i]. Its number becomes u[i]; there is room for 7
 * more. Eight bytes can be read from the beginning of each cell on. The offset in front of the first byte is
 * UINT32_MAX: 1 more is 0, in 32 bits. */
SMI_CLONES static bool convert_cells(const char *p, const uint32_t *at, size_t step, size_t n, uint32_t len,
                                     bool fixed, const struct smi_kernel_number *s, int32_t *u)
{
    if (s->point_mask)
        return fixed ? convert_column(p, at, 1, n, len, true, true, *s, u)
                     : convert_column(p, at, step, n, len, false, true, *s, u);
    return fixed ? convert_column(p, at, 1, n, len, true, false, *s, u)
                 : convert_column(p, at, step, n, len, false, false, *s, u);
}

/* ---- the open block of the reader ---- */

static void shape_number(struct smi_fast_column *c)
{
    int64_t fits = smi_metrics[c->metric].most, limit = SMI_GAUGE_LIMIT - 1;
    int64_t most = (fits < limit ? fits : limit) / smi_decimal_units[c->decimals];
    unsigned point = 56u - 8u * c->decimals;
    struct smi_kernel_number *s = &c->number;
    *s = (struct smi_kernel_number){.above = ~(uint64_t)0,
                                    .digits = (uint64_t)0xFF << 56,
                                    .limit = most > INT32_MAX ? INT32_MAX : (uint64_t)most};
    s->blank = c->at > 0; /* that parts it from the one before */
    if (!c->decimals)
        return;
    s->point_mask = (uint64_t)0xFF << point;
    s->point = (uint64_t)'.' << point;
    s->below = ((uint64_t)1 << point) - 1;
    s->above = ~(s->below << 8 | 0xFF);
    s->digits |= (uint64_t)0xFF << point; /* a digit stands in front of the point */
}

/* Takes over the columns' decimals and missing marks as the shape of the blocks to come. False if no column
 * has a reading. */
static bool shape_block(struct smi_fast *q)
{
    q->metrics = q->missing = q->slots = 0;
    q->units = q->odd = false;
    q->power = q->limit = NULL;
    q->block = NULL;
    for (unsigned i = 0; i < q->numbers; i++) {
        struct smi_fast_column *c = &q->column[i];
        q->odd |= c->missing || c->wide;
        q->missing += c->missing;
        if (c->missing)
            continue;
        q->metrics++;
        shape_number(c);
        if (c->metric == SMI_POWER)
            q->power = c;
        else if (c->metric == SMI_POWER_LIMIT_ENFORCED || (c->metric == SMI_POWER_LIMIT && !q->limit))
            q->limit = c;
        if (c->direct)
            continue;
        q->slot[q->slots++] = c;
        q->units |= c->unit_n > 0;
    }
    return q->metrics > 0;
}

/* Makes sure that the open block is of the shape, and has room for a row. Returns the room. */
static unsigned open_block(struct smi_fast *q, struct smi_lines *l)
{
    struct smi_row_block *b = l->block;
    if (b && b == q->block && b->of == q && b->r.n < SMI_ROWS_MAX && l->problems == l->account->problems)
        return SMI_ROWS_MAX - b->r.n;
    smi_lines_flush(l); /* the rows before them */
    b = l->block = q->block = smi_row_block_open(q->metrics);
    b->of = q;
    l->problems = l->account->problems;
    b->r = (struct smi_rows){.metric = b->metric,
                             .u = b->u,
                             .stride = SMI_ROWS_STRIDE,
                             .scale = b->scale,
                             .t_ms = q->timed ? b->t_ms : NULL,
                             .who = q->keyed || q->host ? b->who : NULL,
                             .timed = q->timed,
                             .fine = q->stamp != SMI_FAST_DAY_TIME};
    for (unsigned i = 0; i < q->numbers; i++) {
        struct smi_fast_column *c = &q->column[i];
        c->u = b->u + b->r.metrics * SMI_ROWS_STRIDE;
        b->metric[b->r.metrics] = c->metric;
        b->scale[b->r.metrics] = smi_decimal_units[c->decimals];
        b->r.metrics += !c->missing;
    }
    return SMI_ROWS_MAX;
}

/* Appends rows to the block, as far as no number needs the general path, and up to the first whose power its
 * limit does not allow. Of those in front of such a number half or more are appended. n: rows available, at
 * most the free rows of the block. Returns the number of rows appended. at: as convert_cells has it; where
 * the rows have a layout, fixed. The times and devices of the rows, and columns that are direct, stand at
 * their places in the block already. */
static unsigned append_cells(struct smi_fast *q, struct smi_lines *l, const char *p, const uint32_t *at,
                             unsigned n)
{
    struct smi_row_block *b = q->block;
    struct smi_account *a = l->account;
    unsigned fit;
    for (unsigned k = 0; k < q->slots && n; k++) {
        const struct smi_fast_column *c = q->slot[k];
        int32_t *u = c->u + b->r.n;
        while (n && !convert_cells(q->blanks ? p + c->at : p, q->blanks ? at : at + c->place, q->columns, n,
                                   q->blanks ? c->len : c->cut, q->blanks, &c->number, u))
            n /= 2;
    }
    fit = q->power && q->limit ? 0 : n;
    while (fit < n &&
           smi_power_fits(q->power->u[b->r.n + fit] * (int64_t)smi_decimal_units[q->power->decimals],
                          q->limit->u[b->r.n + fit] * (int64_t)smi_decimal_units[q->limit->decimals]))
        fit++;
    for (unsigned i = 0; q->host && i < fit; i++)
        b->who[b->r.n + i] = SMI_DEVICE_HOST;
    for (unsigned i = 0; fit && q->missing && i < q->numbers; i++)
        if (q->column[i].missing)
            smi_account_request(a, q->column[i].metric);
    l->keyless = fit && !q->host ? !q->keyed : l->keyless;
    b->r.n += fit;
    a->lines += fit;
    a->cells_missing += (int64_t)fit * q->missing;
    return fit;
}

/* ---- columns ---- */

enum { NAME = SMI_DEVICE_KEY_COUNT, WINDOW = 8192, WINDOW_MIN = 512, SLACK = 64, BATCH_MIN = 32, ROW = 1024 };
enum { LAST = 640 /* bytes: rows that are read from a copy with room behind it */ };
enum { FAILED = 8 /* tries */, PAUSE_MOST = 64 /* lines */ };

static struct smi_fast *fast_of(struct smi_row_reader *row)
{
    return &((struct smi_fast_reader *)row)->fast;
}

/* What stands at each place of a row. */
static void set_kinds(struct smi_fast *q, const struct smi_row_plan *p)
{
    smi_mem_reserve(&q->place, &q->places, p->width, sizeof *q->place);
    memset(q->place, SMI_COL_SKIP, p->width * sizeof *q->place);
    q->keys = 0;
    for (int k = 0; k <= NAME; k++) {
        const int place = p->at[k == NAME ? SMI_AT_NAME : SMI_AT_KEY + k];
        if (place < 0)
            continue;
        q->place[place] = (struct smi_fast_place){.kind = SMI_COL_KEY, .what = (uint16_t)k};
        q->key[q->keys++] = (uint8_t)k;
    }
    for (unsigned i = 0; i < p->n; i++) {
        q->place[p->column[i].place].kind = (uint8_t)p->column[i].kind;
        q->place[p->column[i].place].what = p->column[i].what;
    }
    for (unsigned at = SMI_AT_TIME; at <= SMI_AT_DATE; at++)
        if (p->at[at] >= 0)
            q->place[p->at[at]] = (struct smi_fast_place){.kind = SMI_COL_TIME, .what = (uint16_t)at};
}

void smi_fast_off(struct smi_row_reader *row)
{
    struct smi_fast *q = fast_of(row);
    q->columns = q->devices = q->next = q->metrics = 0;
}

void smi_fast_bind(struct smi_row_reader *row, enum smi_fast_stamp stamp, bool blanks)
{
    struct smi_fast *q = fast_of(row);
    const struct smi_row_plan *p = &row->plan;
    const bool host = row->table->flags & SMI_TABLE_HOST;
    unsigned n = 0;
    smi_fast_off(row);
    q->others = q->numbers = 0;
    q->draws = p->draws;
    q->keyed = p->keyed && !host;
    q->stamp = stamp;
    q->time = stamp ? (size_t)p->at[SMI_AT_TIME] : 0;
    if (!p->width || p->width > (blanks ? SMI_FAST_LAYOUT : SMI_FAST_CELLS) || !p->readings ||
        p->readings > SMI_FAST_COLUMNS || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ ||
        (q->draws && !smi_row_plan_has(p, SMI_POWER)))
        return;
    set_kinds(q, p);
    smi_mem_reserve(&q->column, &q->column_cap, p->readings, sizeof *q->column);
    for (size_t i = 0; i < p->width; i++) {
        const uint8_t kind = q->place[i].kind;
        const unsigned more = kind == SMI_COL_MASK ? SMI_THROTTLE_COUNT : kind >= SMI_COL_NUMBER;
        q->place[i].first = (uint16_t)n;
        for (unsigned k = 0; k < more; k++)
            q->column[n++] = (struct smi_fast_column){.metric = (uint16_t)(q->place[i].what + k),
                                                      .place = (uint16_t)i,
                                                      .direct = kind != SMI_COL_NUMBER};
        if (kind != SMI_COL_NUMBER && !(kind == SMI_COL_TIME && stamp))
            q->place[q->others++].other = (uint16_t)i;
    }
    for (unsigned k = 0; k < n; k++)
        for (unsigned before = 0; before < k; before++)
            if (q->column[before].metric == q->column[k].metric)
                return; /* the general path decides which of the two counts */
    q->numbers = n;
    q->window = WINDOW_MIN;
    q->blanks = blanks;
    q->host = host;
    q->timed = p->at[SMI_AT_TIME] >= 0;
    q->columns = p->width;
}

/* ---- cells, of n bytes at p; each says whether the cell is plain ---- */

/* A time as q->stamp says it is written, mostly of the same minute as the row before. */
INLINE bool read_time(struct smi_fast *q, const char *p, bool iso, int64_t *t_ms)
{
    int64_t us;
    bool zoned;
    if (iso && memcmp(p + SMI_FAST_NVIDIA_STAMP, "+00:00", 6) != 0)
        return false;
    if (smi_minute_read(&q->minute, p, t_ms))
        return true;
    if (smi_minute_parse(&q->minute, (struct smi_text){p, q->stamp}, &us, &zoned) || zoned != iso)
        return false;
    *t_ms = us / 1000;
    return true;
}

/* "20260816" or "09:22:34": either adds to the time of the row. */
static bool read_day_time(struct smi_fast *q, struct smi_text cell, bool date, int64_t *t_ms)
{
    const int64_t day_ms = 86400000;
    int64_t ms;
    if (date ? smi_clock_parse_date8(cell, &ms) || !smi_clock_fits(ms + day_ms, &q->minute.latest_ms)
             : smi_clock_parse_hms(cell, &ms))
        return false;
    *t_ms += ms;
    return true;
}

/* [N/A], N/A or -: by far the most frequent words for no reading. */
static bool is_missing(struct smi_text t)
{
    return smi_text_is(t, "[N/A]") || smi_text_is(t, "N/A") || smi_text_is(t, "-");
}

static bool read_state(const struct smi_fast_column *c, enum smi_column_kind kind, struct smi_text cell,
                       unsigned row)
{
    uint64_t mask;
    int64_t v;
    if (kind == SMI_COL_MASK) { /* 0x0000000000000004: one column for each reason */
        if (smi_cell_mask(cell, &mask))
            return false;
        for (unsigned k = 0; k < SMI_THROTTLE_COUNT; k++)
            c[k].u[row] = (int32_t)(mask >> k & 1);
        return true;
    }
    if (smi_cell_state(kind, cell, &v) != SMI_CELL_OK || !smi_reading_fits(c->metric, v))
        return false;
    c->u[row] = (int32_t)(v / 1000000);
    return true;
}

/* A cell that is no number: between commas without quotes or blanks at its ends, between blanks one word. */
INLINE bool read_other(struct smi_fast *q, const struct smi_fast_place *w, struct smi_text cell, unsigned row,
                       bool blanks)
{
    const char *p = cell.p;
    size_t n = cell.n, i = 0;
    if (w->kind == SMI_COL_KEY)
        q->cell[w->what] = cell;
    if (w->kind == SMI_COL_TIME)
        return read_day_time(q, cell, w->what == SMI_AT_DATE, &q->block->t_ms[row]);
    if (w->kind >= SMI_COL_NUMBER)
        return n && read_state(&q->column[w->first], w->kind, cell, row);
    if (w->kind == SMI_COL_ALARM)
        return smi_text_is(cell, "No") || smi_text_is(cell, "None") || is_missing(cell);
    if (!blanks)
        return !n || (*p != '"' && *p != ' ' && *p != '\t' && p[n - 1] != ' ' && p[n - 1] != '\t');
    while (i < n && (unsigned char)p[i] > ' ')
        i++;
    return n && i == n;
}

/* ---- devices ---- */

/* Is the row in q->cell about this device? */
static inline bool is_device(const struct smi_fast *q, const struct smi_fast_device *s)
{
    for (unsigned i = 0; i < q->keys; i++) {
        const struct smi_text a = q->cell[q->key[i]], b = s->cell[q->key[i]];
        if (a.n != b.n || (a.n && *a.p != *b.p) || (a.n > 1 && memcmp(a.p, b.p, a.n) != 0))
            return false;
    }
    return true;
}

static inline bool find_device(struct smi_fast *q, int *who)
{
    for (unsigned i = 0; i < q->devices; i++) {
        const struct smi_fast_device *s = &q->seen[q->next];
        q->next = q->next + 1 < q->devices ? q->next + 1 : 0;
        *who = s->who;
        if (is_device(q, s))
            return true;
    }
    return false;
}

/* The cells of the row are in row->key. A key that no column has stands in front of the row: none of a plain
 * one does. A device that was made or learned a key may be that of other cells, too, but not where rows have
 * one key and nothing in front. */
void smi_fast_found(struct smi_row_reader *row, int who)
{
    struct smi_fast *q = fast_of(row);
    struct smi_fast_device *s;
    const uint64_t changes = row->lines.devices->changes;
    size_t n = 0, known = 0;
    int old;
    for (unsigned i = 0; i < q->keys; i++)
        known += row->key[q->key[i]].n;
    for (unsigned k = 0; k <= NAME; k++)
        n += row->key[k].n;
    if (changes != q->changes && (who < 0 || n != known || q->keys != 1))
        q->devices = q->next = 0;
    if (who < 0)
        return;
    q->changes = changes;
    memcpy(q->cell, row->key, sizeof q->cell);
    if (!q->columns || q->devices == SMI_FAST_DEVICES || n != known || find_device(q, &old) ||
        row->lines.devices->list[who].machine) /* each row of it goes on alone */
        return;
    s = SMI_MEM_ADD(q->seen, q->devices, q->seen_cap);
    s->who = who;
    smi_mem_reserve(&s->text, &s->cap, n + 1, 1);
    n = 0;
    s->word = SMI_EVERY_BYTE(' ');
    if (q->keys == 1 && known && known <= sizeof s->word)
        memcpy((char *)(&s->word + 1) - known, row->key[q->key[0]].p, known);
    for (unsigned k = 0; k <= NAME; n += row->key[k++].n) {
        s->cell[k] = (struct smi_text){s->text + n, row->key[k].n};
        if (row->key[k].n)
            memcpy(s->text + n, row->key[k].p, row->key[k].n);
    }
}

/* ---- rows. Between commas cells are where a window of text has its separators: row i has at[i * columns]
 * and so on. Between blanks most rows look alike, so that cells are where those of the row before were: all
 * have the one layout, `at`, and row i is `stride` bytes behind the one before ---- */

/* Cell i of the row that ends its cells at at[0 ...], without the blanks in front of it; between commas there
 * is one at most. */
INLINE struct smi_text cell_between(const char *p, const uint32_t *at, size_t i, bool blanks)
{
    size_t s = (uint32_t)(at[(ptrdiff_t)i - 1] + 1), e = at[i];
    e -= p[e] == '\n' && e > s && p[e - 1] == '\r';
    s += !blanks && i && s < e && p[s] == ' ';
    while (blanks && s < e && p[s] == ' ')
        s++;
    return (struct smi_text){p + s, e - s};
}

/* Between blanks, is there one in front of cell i where the layout has it? The kernel sees that of numbers.
 */
INLINE bool is_parted(const char *p, const uint32_t *at, ptrdiff_t i, bool blanks)
{
    return !blanks || !i || p[at[i - 1]] == ' ';
}

/* Is there a row of as many cells? */
static inline bool is_row(size_t columns, const char *p, const uint32_t *at)
{
    bool row = p[at[columns - 1]] == '\n';
    for (size_t i = 0; i + 1 < columns; i++)
        row &= p[at[i]] == ',';
    return row;
}

/* The cells that are missing in the block's shape are so in this row, and those that are wider than a word
 * have only blanks in front of it. */
static bool fits_shape(const struct smi_fast *q, const char *p, const uint32_t *at)
{
    for (unsigned k = 0; k < q->numbers; k++) {
        const struct smi_fast_column *c = &q->column[k];
        const uint16_t i = c->place;
        const size_t front = q->blanks && i ? at[i - 1] : 0;
        if (c->missing && !(is_parted(p, at, i, q->blanks) && is_missing(cell_between(p, at, i, q->blanks))))
            return false;
        if (c->wide && smi_text_span((struct smi_text){p + front, c->at - front}, " ") < c->at - front)
            return false;
    }
    return true;
}

/* The units stand behind the numbers of the row. */
static bool has_units(const struct smi_fast *q, const char *p, const uint32_t *at)
{
    uint32_t unit, wrong = 0;
    for (unsigned k = 0; k < q->slots; k++) {
        const struct smi_fast_column *c = q->slot[k];
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
static inline unsigned read_times_as(struct smi_fast *q, const char *p, const uint32_t *at, unsigned row,
                                     unsigned n, bool even, bool iso, bool blank)
{
    size_t columns = q->columns, stamp = iso ? SMI_FAST_ISO_STAMP : q->stamp;
    const uint32_t *front = at + q->time - 1; /* the separator in front of the time */
    int64_t *t_ms = q->block->t_ms + row;
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
static unsigned read_times(struct smi_fast *q, const char *p, const uint32_t *at, unsigned row, unsigned n)
{
    bool iso = q->stamp == SMI_FAST_ISO_STAMP;
    if (q->even && !iso && q->time == 0)
        return read_times_as(q, p, at, row, n, true, false, false);
    return read_times_as(q, p, at, row, n, q->even, iso, q->time > 0);
}

/* Is all of the row whose cells end at at[0 ...] plain, but its numbers? Those wait until all rows are known.
 */
INLINE bool read_row(struct smi_fast *q, const char *p, const uint32_t *at, unsigned row, bool blanks)
{
    bool ok = (!q->units || has_units(q, p, at)) && (!q->odd || fits_shape(q, p, at));
    for (unsigned k = 0; ok && k < q->others; k++) {
        const ptrdiff_t i = q->place[k].other;
        ok = is_parted(p, at, i, blanks) &&
             read_other(q, &q->place[i], cell_between(p, at, (size_t)i, blanks), row, blanks);
    }
    return ok && (!q->keyed || find_device(q, &q->block->who[row]));
}

/* How a cell of numbers is written: its sentinel, decimals, unit. Whatever it is, the kernel has the last
 * word. */
static void learn_cell_shape(struct smi_fast_column *c, struct smi_text cell, const char *unit)
{
    const char *point = memchr(cell.p, '.', cell.n);
    size_t n = strlen(unit), d = 0;
    c->missing = is_missing(cell);
    while (point && d < 6 && point + 1 + d < cell.p + cell.n && smi_is_digit(point[1 + d]))
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
static bool reshape(struct smi_fast *q, const char *p, const uint32_t *at)
{
    size_t from = (uint32_t)(at[-1] + 1), last = at[q->columns - 1];
    q->cr = last > from && p[last - 1] == '\r';
    q->batch = BATCH_MIN;
    q->key_lacks = 64;
    for (size_t i = 0; i < q->columns; i++) {
        struct smi_fast_column *c = &q->column[q->place[i].first];
        const size_t begin = i ? at[i - 1] : 0, n = at[i] - begin;
        if (q->place[i].kind == SMI_COL_KEY && q->others == 1 && n <= 8) {
            q->key_lacks = 64 - 8 * (unsigned)n;
            q->key_at = begin;
        }
        if (q->place[i].kind != SMI_COL_NUMBER)
            continue;
        learn_cell_shape(c, cell_between(p, at, i, q->blanks), smi_metrics[q->place[i].what].unit);
        c->cut = (uint8_t)(c->unit_n + (q->cr && i + 1 == q->columns));
        c->wide = q->blanks && n > 8;
        c->len = (uint8_t)(n > 8 ? 8 : n);
        c->at = (uint16_t)(begin + n - c->len);
        if (q->draws && c->missing && q->place[i].what == SMI_POWER) { /* another column may have the power */
            q->metrics = 0;
            return false;
        }
    }
    return shape_block(q);
}

/* Where the cells of the row at p end, and what stands behind the last: blanks, perhaps a CR, and the LF.
 * False if it has another number of cells. */
static bool learn_layout(struct smi_fast *q, const char *p, const char *end)
{
    const char *from = p;
    size_t n = 0, cells = 0;
    smi_mem_reserve(&q->layout, &q->layout_cap, q->columns + 1, sizeof *q->layout);
    q->layout[0] = UINT32_MAX;
    for (; cells < q->columns && p < end && p - from < ROW; cells++) {
        const char *word;
        while (p < end && *p == ' ')
            p++;
        for (word = p; p < end && (unsigned char)*p > ' ';)
            p++;
        if (p == word)
            return false;
        q->layout[cells + 1] = (uint32_t)(p - from);
    }
    while (p + n < end && p[n] == ' ')
        n++;
    n += p + n < end && p[n] == '\r';
    if (cells < q->columns || p + n >= end || p[n] != '\n' || n >= sizeof q->tail)
        return false;
    q->tail = 0;
    memcpy(&q->tail, p, n + 1);
    q->tail_mask = ~(uint64_t)0 >> 8 * (sizeof q->tail - n - 1);
    q->stride = (size_t)(p - from) + n + 1;
    return true;
}

/* The next batch, of which some rows were taken: it grows while it is taken whole. Rows of which each has
 * another shape than the one before are not looked at many times. */
static void resize_batch(struct smi_fast *q, unsigned rows, unsigned took)
{
    q->batch = took < rows ? BATCH_MIN : rows == q->batch && rows < SMI_ROWS_MAX ? 2 * rows : q->batch;
}

/* Appends as many rows as are plain in the block's shape, of the n whose separators are at[0 ...]: room for
 * them is there. Returns how many. */
static unsigned read_batch(struct smi_fast *q, struct smi_lines *l, const char *p, const uint32_t *at,
                           unsigned n)
{
    const bool more = q->others || q->units || q->odd || q->keyed;
    const unsigned row = q->block->r.n, rows = read_times(q, p, at, row, n);
    unsigned i = 0, took;
    while (more && i < rows && read_row(q, p, at + i * q->columns, row + i, false))
        i++;
    i = more ? i : rows;
    took = append_cells(q, l, p, at, i);
    resize_batch(q, i, took);
    return took;
}

/* The rows among the separators at[0 ... n - 1], of which lf are LF. A row that is not plain in the block's
 * shape may be so in one of its own. *done: the bytes that they take. Returns whether all were taken; else
 * one has to go the general path. */
static bool read_rows(struct smi_fast *q, struct smi_lines *l, const char *p, const uint32_t *at, size_t n,
                      size_t lf, size_t *done)
{
    size_t rows = n / q->columns;
    *done = 0;
    q->even = is_even(p, at, q->columns, rows, lf);
    for (bool own = false; rows;) {
        unsigned room = q->metrics ? open_block(q, l) : 0, took;
        room = room < q->batch ? room : q->batch;
        took = room ? read_batch(q, l, p, at, own ? 1 : room < rows ? room : (unsigned)rows) : 0;
        if (!took && (own || !is_row(q->columns, p, at) || !reshape(q, p, at)))
            return false;
        own = !took;
        at += (size_t)took * q->columns;
        rows -= took;
        *done = took ? (size_t)at[-1] + 1 : *done;
    }
    return true;
}

/* ---- rows of one layout ---- */

/* The bytes of the header line at p, if it is one that was there before; else 0. */
static uint32_t match_header(const struct smi_fast_reader *r, const char *p, const char *end)
{
    const char *lf = memchr(p, '\n', (size_t)(end - p));
    const struct smi_text line = {p, lf ? (size_t)(lf - p) - (lf[-1] == '\r') : 0},
                          below = {r->fast.below.p, r->fast.below.n};
    return lf && (smi_row_same_header(&r->row, line) || smi_text_equal(line, below)) ? (uint32_t)(lf - p) + 1
                                                                                     : 0;
}

/* Is the row about the next device, whose key is its only cell that is no number? */
static inline bool is_next_device(struct smi_fast *q, const char *p, unsigned row)
{
    const struct smi_fast_device *s = q->devices ? q->seen + q->next : NULL;
    const uint64_t text = smi_text_word8(p + q->key_at);
    if (q->key_lacks == 64 || q->odd || !q->devices ||
        text << q->key_lacks != s->word >> q->key_lacks << q->key_lacks || (q->key_at && p[q->key_at] != ' '))
        return false;
    q->next = q->next + 1 < q->devices ? q->next + 1 : 0;
    q->block->who[row] = s->who;
    return true;
}

/* The rows and header lines from p on that are plain in the block's shape, at most one batch. Returns the
 * bytes that were taken. */
static size_t read_layout_batch(struct smi_fast_reader *r, const char *p, const char *end)
{
    struct smi_fast *q = &r->fast;
    struct smi_lines *l = &r->row.lines;
    const uint32_t *at = q->layout ? q->layout + 1 : NULL, stride = (uint32_t)q->stride;
    const unsigned room = q->metrics ? open_block(q, l) : 0, most = room < q->batch ? room : q->batch;
    unsigned n = 0, heads = 0, took;
    uint16_t before[SMI_ROWS_MAX]; /* header lines in front of a row */
    uint32_t here = 0;
    while (p + here < end && heads < SMI_ROWS_MAX) {
        const uint32_t again = p[here] == '#' ? match_header(r, p + here, end) : 0;
        unsigned row;
        heads += again > 0;
        here += again;
        if (again)
            continue;
        if (n == most || (size_t)(end - p) < here + stride)
            break;
        row = q->block->r.n + n;
        q->block->t_ms[row] = 0;
        if ((smi_text_word8(p + here + at[q->columns - 1]) & q->tail_mask) != q->tail ||
            (!is_next_device(q, p + here, row) && !read_row(q, p + here, at, row, true)))
            break;
        before[n] = (uint16_t)heads;
        q->at[n++] = here;
        here += stride;
    }
    took = n ? append_cells(q, l, p, q->at, n) : 0;
    resize_batch(q, n, took);
    heads = took < n ? before[took] : heads;
    l->account->lines += heads;
    l->account->header += heads;
    return took < n ? q->at[took] : here;
}

/* The same of all from p on. */
static size_t read_layout_rows(struct smi_fast_reader *r, const char *p, const char *end)
{
    struct smi_fast *q = &r->fast;
    const char *from = p;
    for (size_t took = 1; took && p < end; p += took) {
        took = read_layout_batch(r, p, end);
        if (!took && learn_layout(q, p, end) && reshape(q, p, q->layout + 1))
            took = read_layout_batch(r, p, end);
        if (!took)
            q->metrics = 0; /* the layout is that of a row that was not taken */
    }
    return (size_t)(p - from);
}

/* The same of all from p on where cells end at commas, a part of a window that is less than SLACK left out.
 */
static size_t read_comma_rows(struct smi_fast_reader *r, const char *p, const char *end)
{
    struct smi_fast *q = &r->fast;
    const char *from = p;
    for (bool more = true; more && end - p >= SLACK;) {
        const size_t left = (size_t)(end - p), most = q->window;
        const size_t window = (left < most ? left : most) / SLACK * SLACK;
        size_t done, lf, found = index_cells(p, window, q->at + 1, &lf);
        more = read_rows(q, &r->row.lines, p, q->at + 1, found, lf, &done);
        /* Where rows have to go the general path, what stands behind them is not looked at again and again.
         */
        q->window = !more ? WINDOW_MIN : most < WINDOW ? 2 * most : WINDOW;
        p += done;
        more = more && (done || (window == most && most < WINDOW));
    }
    return (size_t)(p - from);
}

size_t smi_fast_rows(void *self, const char *p, size_t n)
{
    struct smi_fast_reader *r = self;
    struct smi_fast *q = &r->fast;
    size_t (*const rows)(struct smi_fast_reader *, const char *, const char *) =
        q->blanks ? read_layout_rows : read_comma_rows;
    size_t took;
    char last[LAST + 2 * SLACK];
    if (r->row.order.asks || !r->row.order.sought) /* rows wait, or the first one asks */
        return 0;
    if (!q->columns || (q->keyed && q->changes != r->row.lines.devices->changes))
        return 0;
    if (q->pause) {
        q->pause--;
        return 0;
    }
    q->at = smi_mem_room(SMI_ROOM_CELLS, (WINDOW + SLACK + 1) * sizeof *q->at);
    q->at[0] = UINT32_MAX; /* in front of the first row */
    /* Cells are loaded a word at a time: what stands at the end is read where there is room behind it. */
    took = n > LAST ? rows(r, p, p + n - SLACK / 2) : 0;
    if (n - took <= LAST) {
        memcpy(last, p + took, n - took);
        memset(last + n - took, 0, 2 * SLACK);
        took += rows(r, last, last + n - took + SLACK - 1);
    }
    if (took)
        q->failed = 0;
    else if (++q->failed > FAILED) /* it is not tried again and again where no row is plain */
        q->pause = q->failed < PAUSE_MOST ? q->failed : PAUSE_MOST;
    return took;
}

void smi_fast_close(struct smi_reader *r)
{
    struct smi_fast *q = &((struct smi_fast_reader *)r)->fast;
    for (size_t i = 0; i < q->seen_cap; i++)
        smi_mem_free(q->seen[i].text);
    smi_mem_free(q->seen);
    smi_mem_free(q->layout);
    smi_buf_fini(&q->below);
    smi_mem_free(q->place);
    smi_mem_free(q->column);
}
