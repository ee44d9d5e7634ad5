#include "format/kernel.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct smi_kernel *const kernels[] = {
#ifdef __x86_64__
    &smi_kernel_avx512,
    &smi_kernel_avx2,
#endif
    &smi_kernel_plain,
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
    return &smi_kernel_plain;
}

/* ---- portable: eight bytes at a time ---- */

enum { SAME = 8 };

static int everywhere(void)
{
    return 1;
}

/* 0x80 in every byte of w that equals c. Exact: no borrow runs from one byte into the next. */
static uint64_t equal(uint64_t w, unsigned char c)
{
    uint64_t x = w ^ 0x0101010101010101u * c;
    return ~(((x & 0x7F7F7F7F7F7F7F7Fu) + 0x7F7F7F7F7F7F7F7Fu) | x | 0x7F7F7F7F7F7F7F7Fu);
}

static size_t index_plain(const char *p, size_t n, uint32_t *at, size_t *lf)
{
    uint32_t *to = at;
    size_t lines = 0;
    for (size_t i = 0; i < n; i += 8) {
        uint64_t w, hit, end;
        memcpy(&w, p + i, sizeof w);
        end = equal(w, '\n');
        lines += (end >> 7) * 0x0101010101010101u >> 56;
        for (hit = equal(w, ',') | end; hit; hit &= hit - 1)
            *to++ = (uint32_t)i + ((uint32_t)__builtin_ctzll(hit) >> 3);
    }
    *lf = lines;
    return (size_t)(to - at);
}

/* The number in a cell whose last byte is uppermost in x, with blanks in front (whole: no point can stand in it); 0, or
 * 1 if it is not plain. */
static inline uint64_t number(uint64_t x, bool whole, const struct smi_number *s, int32_t *u)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t bad = whole ? 0 : (x & s->point_mask) ^ s->point, digit, v;
    if (!whole)
        x = (x & s->below) << 8 | (x & s->above) | s->fill;
    digit = x >> 4 & ones;
    v = x & ((digit << 4) - digit);
    bad |= x ^ (ones * ' ' | digit << 4 | v);           /* neither a blank nor like a digit */
    bad |= ((v + ones * 6) & ones * 16);                /* ':' to '?' */
    bad |= (digit << 8 & ~digit & ones);                /* a blank behind a digit */
    bad |= ((digit & s->digits) ^ s->digits) | (digit & s->blank);
    v = (v * 2561 >> 8) & 0x00FF00FF00FF00FFu;
    v = (v * 6553601 >> 16) & 0x0000FFFF0000FFFFu;
    v = v * 42949672960001u >> 32;
    *u = (int32_t)v;
    return bad || v > s->limit;
}

/* As smi_cells_fn, of one lane: at is the place of its first cell. */
static size_t lane_plain(const char *p, const uint32_t *at, size_t columns, size_t n, size_t cut,
                         const struct smi_number *s, int32_t *u)
{
    const struct smi_number own = *s;
    uint64_t last = 0;
    for (size_t i = 0; i < n; i++, at += columns) {
        uint32_t from = at[-1] + 1, len = at[0] - from - (uint32_t)cut;
        unsigned shift = 8 * (8u - len) & 63;
        uint64_t blanks = 0x2020202020202020u & ~(~(uint64_t)0 << shift), w;
        memcpy(&w, p + from, sizeof w);
        w = w << shift | blanks;
        if (len - 1 > 7)
            return i;
        if (i && w == last) { /* as those of columns that stand still are */
            u[i] = u[i - 1];
            continue;
        }
        if (own.point_mask ? number(w, false, &own, &u[i]) : number(w, true, &own, &u[i]))
            return i;
        last = w;
    }
    return n;
}

static size_t cells_plain(const char *p, const uint32_t *at, size_t columns, size_t n, const struct smi_lanes *g,
                          size_t first)
{
    for (unsigned k = 0; k < g->lanes; k++)
        if (g->number[k])
            n = lane_plain(p, at + g->place + k, columns, n, g->most[k] - SMI_CELL_MOST, g->number[k], g->u[k] + first);
    return n;
}

/* Are the next SAME cells the one in front of them again, as those of columns that stand still are? */
static inline bool again(const char *p, const uint32_t *at, unsigned shift)
{
    uint64_t last, w, other = 0;
    memcpy(&last, p + at[-1], sizeof last);
    for (size_t k = 0; k < SAME; k++) {
        memcpy(&w, p + at[k], sizeof w);
        other |= w ^ last;
    }
    return other << shift == 0;
}

static size_t fixed_plain(const char *p, const uint32_t *at, size_t n, size_t len, const struct smi_number *s,
                          int32_t *u)
{
    unsigned shift = 8 * (8u - (unsigned)len);
    uint64_t blanks = 0x2020202020202020u & ~(~(uint64_t)0 << shift), w;
    for (size_t i = 0; i < n; i++) {
        if (i && i + SAME <= n && again(p, at + i, shift)) {
            for (size_t k = 0; k < SAME; k++)
                u[i + k] = u[i - 1];
            i += SAME - 1;
            continue;
        }
        memcpy(&w, p + at[i], sizeof w);
        if (s->point_mask ? number(w << shift | blanks, false, s, &u[i]) : number(w << shift | blanks, true, s, &u[i]))
            return i;
    }
    return n;
}

const struct smi_kernel smi_kernel_plain = {"portable", everywhere, index_plain, cells_plain, fixed_plain};
