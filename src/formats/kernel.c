#include "formats/fast_block.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct smi_kernel *const kernels[] = {
#ifdef __x86_64__
    &smi_kernel_avx2,
#endif
    &smi_kernel_portable,
};

const struct smi_kernel *smi_kernel_at(size_t i)
{
    return i < sizeof kernels / sizeof *kernels ? kernels[i] : NULL;
}

const struct smi_kernel *smi_kernel_pick(void)
{
    const char *name = getenv("SMILOG_KERNEL");
    const struct smi_kernel *k;
    for (size_t i = 0; name && (k = smi_kernel_at(i)); i++)
        if (strcmp(k->name, name) == 0 && k->runs_here())
            return k;
    for (size_t i = 0; (k = smi_kernel_at(i)); i++)
        if (k->runs_here())
            return k;
    return &smi_kernel_portable;
}

/* ---- portable: eight bytes at a time ---- */

enum { SAME = 8 };

static int runs_everywhere(void)
{
    return 1;
}

/* Sixteen bytes, compared at once where the machine can. */
typedef unsigned char bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

static inline bytes16 load_16_bytes(const char *p)
{
    bytes16 b;
    memcpy(&b, p, sizeof b);
    return b;
}

/* Bit i says that byte i, which is 0 or 255, is not 0. */
static inline uint64_t byte_mask_bits(bytes16 b)
{
#ifdef __SSE2__
    typedef char chars16 __attribute__((vector_size(16)));
    return (unsigned)__builtin_ia32_pmovmskb128((chars16)b);
#else
    const bytes16 bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t ones = 0x0101010101010101u;
    words2 hit = (words2)(b & bit); /* its bytes add up to no more than 255 */
    return hit[0] * ones >> 56 | hit[1] * ones >> 56 << 8;
#endif
}

static size_t index_portable(const char *p, size_t n, uint32_t *at, size_t *lf)
{
    const bytes16 zero = {0}, comma = zero + ',', newline = zero + '\n';
    uint32_t *to = at;
    size_t lines = 0;
    for (size_t i = 0; i < n; i += 64) {
        bytes16 ends = zero;
        uint64_t hit = 0;
        for (unsigned k = 0; k < 64; k += 16) {
            bytes16 w = load_16_bytes(p + i + k), end = (bytes16)(w == newline);
            hit |= byte_mask_bits((bytes16)(w == comma) | end) << k;
            ends -= end; /* each byte counts up to 4 */
        }
        for (; hit; hit &= hit - 1)
            *to++ = (uint32_t)i + (uint32_t)__builtin_ctzll(hit);
        lines += (((words2)ends)[0] + ((words2)ends)[1]) * 0x0101010101010101u >> 56;
    }
    *lf = lines;
    return (size_t)(to - at);
}

/* The number in a cell whose last byte is uppermost in x, with blanks in front (whole: no point can stand in
 * it); 0, or 1 if it is not plain. */
static inline uint64_t convert_number(uint64_t x, bool whole, const struct smi_kernel_number *s, int32_t *u)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t bad = whole ? 0 : (x & s->point_mask) ^ s->point, digit, v;
    if (!whole)
        x = (x & s->below) << 8 | (x & s->above) | s->fill;
    digit = x >> 4 & ones;
    v = x & ((digit << 4) - digit);
    bad |= x ^ (ones * ' ' | digit << 4 | v); /* neither a blank nor like a digit */
    bad |= ((v + ones * 6) & ones * 16);      /* ':' to '?' */
    bad |= (digit << 8 & ~digit & ones);      /* a blank behind a digit */
    bad |= ((digit & s->digits) ^ s->digits) | (digit & s->blank);
    v = (v * 2561 >> 8) & 0x00FF00FF00FF00FFu;
    v = (v * 6553601 >> 16) & 0x0000FFFF0000FFFFu;
    v = v * 42949672960001u >> 32;
    *u = (int32_t)v;
    return bad || v > s->limit;
}

/* The same of the cell of len bytes at p. */
static inline uint64_t convert_cell(const char *p, uint32_t len, const struct smi_kernel_number *s,
                                    int32_t *u)
{
    unsigned shift = 8 * (8u - len) & 63;
    uint64_t blanks = 0x2020202020202020u & ~(~(uint64_t)0 << shift), w;
    memcpy(&w, p, sizeof w);
    return len - 1 > 7 || convert_number(w << shift | blanks, !s->point_mask, s, u);
}

/* Of one to four digits at p, n + 1 in all, the number; *bad: they are not. */
static inline uint32_t few_digits(const char *p, uint32_t n, uint32_t *bad)
{
    uint32_t x;
    memcpy(&x, p, sizeof x);
    x = (x ^ 0x30303030u) << (24 - 8 * n);
    *bad = (x | (x + 0x76767676u)) & 0x80808080u;
    x = (x * 2561 >> 8) & 0x00FF00FFu;
    return x * 6553601 >> 16;
}

/* As smi_cells_fn, of one lane: at is the place of its first cell. Nearly every cell is one blank and a
 * number: then all bytes but the point are digits, once the blank is taken for a 0. */
static inline size_t lane_portable(const char *p, const uint32_t *at, size_t columns, size_t n, uint32_t cut,
                                   bool whole, const struct smi_kernel_number *s, int32_t *u)
{
    const uint64_t ones = 0x0101010101010101u, zeros = ones * '0';
    const struct smi_kernel_number own = *s;
    const uint64_t point = own.point ^ (own.point_mask & zeros);
    const uint32_t least = whole ? 2 : (uint32_t)__builtin_clzll(own.point_mask) / 8 + 3;
    for (size_t i = 0; i < n; i++, at += columns) {
        uint32_t from = at[-1] + 1, len = at[0] - from - cut;
        uint64_t x, bad, v;
        uint32_t odd;
        if (whole && len - 2 < 4) { /* as most are */
            uint32_t number = few_digits(p + from + 1, len - 2, &odd);
            u[i] = (int32_t)number;
            if ((odd || p[from] != ' ' || number > own.limit) && convert_cell(p + from, len, s, &u[i]))
                return i;
            continue;
        }
        memcpy(&x, p + from, sizeof x);
        bad = (x & 0xFF) ^ ' ';
        x = (x ^ (zeros ^ '0' ^ ' ')) << (8 * (8u - len) & 63);
        bad |= whole ? 0 : (x & own.point_mask) ^ point;
        v = whole ? x : (x & own.below) << 8 | (x & own.above);
        bad |= (v | (v + ones * 0x76)) & ones * 0x80;
        v = (v * 2561 >> 8) & 0x00FF00FF00FF00FFu;
        v = (v * 6553601 >> 16) & 0x0000FFFF0000FFFFu;
        v = v * 42949672960001u >> 32;
        u[i] = (int32_t)v;
        if (bad || len < least || len > 8 || v > own.limit) { /* least can be more than 8 */
            if (convert_cell(p + from, len, s, &u[i]))
                return i;
        }
    }
    return n;
}

static size_t cells_portable(const char *p, const uint32_t *at, size_t columns, size_t n,
                             const struct smi_kernel_lanes *g, size_t first)
{
    for (unsigned k = 0; k < g->lanes; k++) {
        const struct smi_kernel_number *s = g->number[k];
        const uint32_t *own = at + g->place + k;
        if (s && s->point_mask)
            n = lane_portable(p, own, columns, n, g->most[k] - SMI_KERNEL_CELL_MAX, false, s,
                              g->u[k] + first);
        else if (s)
            n = lane_portable(p, own, columns, n, g->most[k] - SMI_KERNEL_CELL_MAX, true, s, g->u[k] + first);
    }
    return n;
}

/* Are the next SAME cells the one in front of them again, as those of columns that stand still are? */
static inline bool next_cells_are_same(const char *p, const uint32_t *at, unsigned shift)
{
    uint64_t last, w, other = 0;
    memcpy(&last, p + at[-1], sizeof last);
    for (size_t k = 0; k < SAME; k++) {
        memcpy(&w, p + at[k], sizeof w);
        other |= w ^ last;
    }
    return other << shift == 0;
}

static size_t column_portable(const char *p, const uint32_t *at, size_t n, size_t len,
                              const struct smi_kernel_number *s, int32_t *u)
{
    unsigned shift = 8 * (8u - (unsigned)len);
    uint64_t blanks = 0x2020202020202020u & ~(~(uint64_t)0 << shift), w;
    for (size_t i = 0; i < n; i++) {
        if (i && i + SAME <= n && next_cells_are_same(p, at + i, shift)) {
            for (size_t k = 0; k < SAME; k++)
                u[i + k] = u[i - 1];
            i += SAME - 1;
            continue;
        }
        memcpy(&w, p + at[i], sizeof w);
        if (s->point_mask ? convert_number(w << shift | blanks, false, s, &u[i])
                          : convert_number(w << shift | blanks, true, s, &u[i]))
            return i;
    }
    return n;
}

const struct smi_kernel smi_kernel_portable = {"portable", runs_everywhere, index_portable, cells_portable,
                                               column_portable};
