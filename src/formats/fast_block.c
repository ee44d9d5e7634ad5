#include "formats/fast_block.h"

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

typedef unsigned char bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(WIDTH)));
typedef signed char chars __attribute__((vector_size(WIDTH)));
typedef uint16_t shorts __attribute__((vector_size(WIDTH)));
typedef uint32_t ints __attribute__((vector_size(WIDTH)));
typedef int32_t numbers __attribute__((vector_size(WIDTH)));
typedef uint64_t words __attribute__((vector_size(WIDTH)));

/* Bit i says that byte i, which is 0 or 255, is not 0. */
INLINE uint64_t byte_mask_bits(bytes16 b)
{
#ifdef __SSE2__
    typedef char mask16 __attribute__((vector_size(16)));
    return (unsigned)__builtin_ia32_pmovmskb128((mask16)b);
#else
    const bytes16 bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t ones = 0x0101010101010101u;
    words2 hit = (words2)(b & bit); /* its bytes add up to no more than 255 */
    return hit[0] * ones >> 56 | hit[1] * ones >> 56 << 8;
#endif
}

/* Hides what x is from the compiler: GCC multiplies vectors by a constant in shifts and additions, and
 * stores offsets through vectors. Both take longer. */
INLINE uint32_t hide_value(uint32_t x)
{
    __asm__("" : "+r"(x));
    return x;
}

/* Offsets are written several at a time, more than there may be: hardly a branch depends on the exact number.
 */
SMI_CLONES size_t smi_kernel_index(const char *p, size_t n, uint32_t *at, size_t *lf)
{
    const bytes16 zero = {0}, comma = zero + ',', newline = zero + '\n';
    uint32_t *to = at;
    size_t lines = 0;
    for (size_t i = 0; i < n; i += 64) {
        bytes16 ends = zero;
        uint64_t hit = 0;
        unsigned found;
        for (unsigned k = 0; k < 64; k += 16) {
            bytes16 w, end;
            memcpy(&w, p + i + k, sizeof w);
            end = (bytes16)(w == newline);
            hit |= byte_mask_bits((bytes16)(w == comma) | end) << k;
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
        lines += (((words2)ends)[0] + ((words2)ends)[1]) * 0x0101010101010101u >> 56;
    }
    *lf = lines;
    return (size_t)(to - at);
}

INLINE uint64_t load_word(const char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

/* The cells of CELLS / 2 rows become words whose last byte is uppermost, XORed with blanks: those are 0,
 * digits 16 to 25. Each pair of digits becomes the number in the upper byte of its 16 bits. *bad gets bits if
 * a cell is not plain. (Wide vectors are passed by address: ABIs differ.) */
INLINE void convert_pairs(const char *p, const uint32_t *at, size_t step, uint32_t len, bool fixed,
                          bool point, const struct smi_kernel_number *s, bytes *to, words *bad)
{
    const uint64_t blanks = 0x2020202020202020u;
#define BEGIN(k) load_word(p + !fixed + (int32_t)at[(k)*step - !fixed])
#define FRONT(k) load_word((const char *)(at + (k)*step - 1))
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

/* As convert_cells; fixed: as convert_fixed_cells, of len bytes; point: as s says. */
INLINE size_t convert_column(const char *p, const uint32_t *at, size_t step, size_t n, uint32_t len,
                             bool fixed, bool point, struct smi_kernel_number s, int32_t *u)
{
    uint32_t own[2 * CELLS];
    for (size_t k = 0; n < CELLS && k < CELLS; k++) { /* the last of a few fills up */
        own[2 * k] = fixed ? 0 : at[(k < n ? k : n - 1) * step - 1];
        own[2 * k + 1] = at[(k < n ? k : n - 1) * step];
    }
    at = n < CELLS ? own + 1 : at;
    step = n < CELLS ? 2 : step;
    for (size_t i = 0; i < n; i += CELLS) {
        words bad[2] = {{0}, {0}}, all;
        uint64_t some = 0;
        bytes a, b;
        shorts pair;
        ints four, number;
        i = n < CELLS || i + CELLS <= n ? i : n - CELLS; /* some in front of the last ones once more */
        convert_pairs(p, at + i * step, step, len, fixed, point, &s, &a, &bad[0]);
        convert_pairs(p, at + (i + WORDS) * step, step, len, fixed, point, &s, &b, &bad[1]);
        pair = (shorts)ODD_BYTES(a, b);
        four = (ints)((pair & 0xFF) * (uint16_t)hide_value(100) + (pair >> 8));
        number = (four & 0xFFFF) * 10000 + (four >> 16);
        memcpy(u + i, &number, sizeof number);
        number = (ints)((numbers)number > (int32_t)s.limit);
        all = bad[0] | bad[1] | (words)number;
        for (size_t k = 0; k < WORDS; k++)
            some |= all[k];
        for (size_t k = 0; some && k < CELLS; k++)
            if (bad[k / WORDS][k % WORDS] || number[k])
                return i + k;
    }
    return n;
}

/* Converts the cells of one column in n rows, up to the first cell that is not plain: blanks, digits, and the
 * point where it has to be, in one to eight bytes. Returns how many rows that are. The cell of row i lies
 * between the separators at[i * columns - 1] and at[i * columns], offsets from p, without its last `cut`
 * bytes. Its number becomes u[i]; there is room for 7 more. Eight bytes can be read from the beginning of
 * each cell on. The offset in front of the first byte is UINT32_MAX: 1 more is 0, in 32 bits. */
SMI_CLONES static size_t convert_cells(const char *p, const uint32_t *at, size_t columns, size_t n,
                                       uint32_t cut, const struct smi_kernel_number *s, int32_t *u)
{
    return s->point_mask ? convert_column(p, at, columns, n, cut, false, true, *s, u)
                         : convert_column(p, at, columns, n, cut, false, false, *s, u);
}

/* The same of cells of len bytes, at most 8: that of row i begins at p + row[i]. */
SMI_CLONES static size_t convert_fixed_cells(const char *p, const uint32_t *row, size_t n, uint32_t len,
                                             const struct smi_kernel_number *s, int32_t *u)
{
    return s->point_mask ? convert_column(p, row, 1, n, len, true, true, *s, u)
                         : convert_column(p, row, 1, n, len, true, false, *s, u);
}

/* ---- blocks ---- */

static const int64_t unit[] = {1000000, 100000, 10000, 1000, 100, 10, 1}; /* millionths, by decimals */

bool smi_fast_block_bind(struct smi_fast_block *b, const uint16_t *metric, unsigned n)
{
    b->columns = b->metrics = b->n = 0;
    if (n == 0 || n > SMI_ROWS_COLUMNS)
        return false;
    smi_mem_reserve(&b->column, &b->column_cap, n, sizeof *b->column);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < i; k++)
            if (metric[k] == metric[i]) /* the general path decides which of the two counts */
                return false;
        b->column[i] = (struct smi_fast_block_column){.metric = metric[i]};
    }
    b->columns = n;
    return true;
}

static void shape_number(struct smi_fast_block_column *c)
{
    int64_t fits = smi_metrics[c->metric].most, limit = SMI_GAUGE_LIMIT - 1;
    int64_t most = (fits < limit ? fits : limit) / unit[c->decimals];
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

bool smi_fast_block_shape(struct smi_fast_block *b)
{
    b->metrics = b->missing = b->slots = 0;
    b->units = false;
    b->power = b->limit = NULL;
    if (b->columns > b->room_for) { /* there may be more than before */
        smi_mem_free(b->t_ms);
        b->room_for = b->columns;
        b->t_ms = smi_mem_raw(SMI_ROWS_MAX * (sizeof *b->t_ms + sizeof *b->who) +
                              b->columns * SMI_ROWS_STRIDE * sizeof *b->room);
        b->who = (int *)(b->t_ms + SMI_ROWS_MAX);
        b->room = b->who + SMI_ROWS_MAX;
    }
    for (unsigned i = 0; i < b->columns; i++) {
        struct smi_fast_block_column *c = &b->column[i];
        if (c->missing) {
            b->missing++;
            continue;
        }
        shape_number(c);
        c->u = b->room + (size_t)b->metrics * SMI_ROWS_STRIDE;
        b->metric[b->metrics] = c->metric;
        b->scale[b->metrics++] = unit[c->decimals];
        if (c->metric == SMI_POWER)
            b->power = c;
        else if (c->metric == SMI_POWER_LIMIT_ENFORCED || (c->metric == SMI_POWER_LIMIT && !b->limit))
            b->limit = c;
        if (c->direct)
            continue;
        b->slot[b->slots++] = c;
        b->units |= c->unit_n > 0;
    }
    return b->metrics > 0;
}

/* Appends the next n rows, up to the first whose power its limit does not allow. */
static unsigned append_rows(struct smi_fast_block *b, unsigned n)
{
    unsigned fit = b->power && b->limit ? 0 : n;
    while (fit < n && smi_power_fits(b->power->u[b->n + fit] * unit[b->power->decimals],
                                     b->limit->u[b->n + fit] * unit[b->limit->decimals]))
        fit++;
    b->n += fit;
    return fit;
}

unsigned smi_fast_block_cells(struct smi_fast_block *b, const char *p, const uint32_t *at, size_t cells,
                              unsigned n)
{
    for (unsigned k = 0; k < b->slots && n; k++) {
        const struct smi_fast_block_column *c = b->slot[k];
        n = (unsigned)convert_cells(p, at + c->place, cells, n, c->cut, &c->number, c->u + b->n);
    }
    return append_rows(b, n);
}

unsigned smi_fast_block_fixed(struct smi_fast_block *b, const char *p, const uint32_t *row, unsigned n)
{
    for (unsigned k = 0; k < b->slots && n; k++) {
        const struct smi_fast_block_column *c = b->slot[k];
        n = (unsigned)convert_fixed_cells(p + c->at, row, n, c->len, &c->number, c->u + b->n);
    }
    return append_rows(b, n);
}

int smi_fast_block_flush(struct smi_fast_block *b, struct smi_lines *l, struct smi_err *err)
{
    struct smi_rows r = {.n = b->n,
                         .metrics = b->metrics,
                         .metric = b->metric,
                         .scale = b->scale,
                         .u = b->room,
                         .t_ms = b->timed ? b->t_ms : NULL,
                         .who = b->keyed ? b->who : NULL,
                         .timed = b->timed,
                         .fine = b->fine};
    if (!b->n)
        return 0;
    l->account->lines += b->n;
    l->account->cells_missing += (int64_t)b->n * b->missing;
    for (unsigned i = 0; b->host && i < b->n; i++)
        b->who[i] = SMI_DEVICE_HOST;
    for (unsigned i = 0; b->missing && i < b->columns; i++)
        if (b->column[i].missing)
            smi_account_request(l->account, b->column[i].metric);
    b->n = 0;
    return l->to->rows(l->to, &r, err);
}

void smi_fast_block_fini(struct smi_fast_block *b)
{
    smi_mem_free(b->t_ms);
    smi_mem_free(b->column);
}
