#include "formats/fast_block.h"

#include <stdbool.h>
#include <string.h>

#define INLINE __attribute__((always_inline)) static inline

enum { CELLS = 8 /* are converted at once */, CHUNK = 64, USUAL = 10 /* separators in 64 bytes, or fewer */ };

typedef unsigned char bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));
typedef uint64_t words4 __attribute__((vector_size(32)));
typedef signed char chars32 __attribute__((vector_size(32)));
typedef uint16_t shorts16 __attribute__((vector_size(32)));
typedef uint32_t ints8 __attribute__((vector_size(32)));
typedef int32_t numbers8 __attribute__((vector_size(32)));

/* Bit i says that byte i, which is 0 or 255, is not 0. */
INLINE uint64_t byte_mask_bits(bytes16 b)
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
            to[k] = (uint32_t)i + (uint32_t)__builtin_ctzll(hit | (uint64_t)1 << 63);
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

/* Four cells of len bytes, each in the lowest bytes of a word, become the numbers of their first and of their
 * last four digits. *bad gets bits if one of them is not plain. (Wide vectors are passed by address: ABIs
 * differ.) */
INLINE void convert_words(const words4 *cell, const words4 *len, const struct smi_kernel_number *s, ints8 *to,
                          words4 *bad)
{
    const uint64_t blanks = 0x2020202020202020u;
    const shorts16 hundreds = {100, 1, 100, 1, 100, 1, 100, 1, 100, 1, 100, 1, 100, 1, 100, 1};
    words4 x = *cell ^ blanks, wrong = (*len - 1) & ~(uint64_t)7, other;
    shorts16 two;
    if (s->blank)
        wrong |= x & 0xFF;
    x <<= (64 - 8 * *len) &
          63; /* its last byte is uppermost, behind blanks, which are 0; digits are 16 to 25 */
    if (s->point_mask) {
        wrong |= (x & s->point_mask) ^ (s->point ^ (s->point_mask & blanks));
        x = (x & s->below) << 8 | (x & s->above); /* the point is gone */
    }
    other = (words4)((chars32)x + (char)102 < (char)118); /* 25 becomes 127, and what is more is negative */
    wrong |= other & (x | s->digits);                     /* no blank; none may be */
    wrong |= other & (other + 1);                         /* a blank behind a digit */
    *bad |= wrong;
    two = (shorts16)(x & 0x0F0F0F0F0F0F0F0Fu);
    two = ((two * 10 + (two >> 8)) & 0xFF) * hundreds;
    *to = ((ints8)two & 0xFFFF) + ((ints8)two >> 16);
}

INLINE uint64_t load_word(const void *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

/* Four cells, each `step` offsets behind the one before, as smi_kernel_cells has them; fixed: as
 * smi_kernel_column, of n bytes. */
INLINE void load_cells(const char *p, const uint32_t *at, size_t step, uint32_t n, bool fixed, words4 *cell,
                       words4 *len)
{
    const uint32_t *a = fixed ? at : at - 1, *b = a + step, *c = b + step, *d = c + step;
    const uint32_t begin = fixed ? 0 : 1; /* in front of a cell is its separator */
    *cell = (words4){load_word(p + (uint32_t)(*a + begin)), load_word(p + (uint32_t)(*b + begin)),
                     load_word(p + (uint32_t)(*c + begin)), load_word(p + (uint32_t)(*d + begin))};
    if (fixed) {
        *len = (words4){0} + n;
    } else { /* both of its separators in one word */
        *len = (words4){load_word(a), load_word(b), load_word(c), load_word(d)};
        *len = ((*len >> 32) - *len - (n + 1)) & 0xFFFFFFFFu;
    }
}

/* Eight cells, of which the first four become u[0 ... 3], and the others u[4 ... 7]. */
INLINE void convert_cells(const char *p, const uint32_t *at, size_t step, uint32_t n, bool fixed,
                          const struct smi_kernel_number *s, int32_t *u, words4 *bad)
{
    words4 cell = {0}, len = {0};
    ints8 four[2], high, low, number;
    for (unsigned k = 0; k < 2; k++) {
        load_cells(p, at + k * 4 * step, step, n, fixed, &cell, &len);
        convert_words(&cell, &len, s, &four[k], bad);
    }
    high = __builtin_shufflevector(four[0], four[1], 0, 2, 4, 6, 8, 10, 12, 14);
    low = __builtin_shufflevector(four[0], four[1], 1, 3, 5, 7, 9, 11, 13, 15);
    number = high * 10000 + low;
    *bad |= (words4)((numbers8)number > (int32_t)s->limit);
    memcpy(u, &number, sizeof number);
}

/* The last eight may begin among those before them. Where a cell of eight is not plain, they are converted
 * one by one. */
INLINE size_t convert_column(const char *p, const uint32_t *at, size_t step, size_t n, uint32_t len,
                             bool fixed, const struct smi_kernel_number *s, int32_t *u)
{
    words4 bad = {0};
    size_t i = 0, from = 0;
    for (size_t end; i < n && n >= CELLS; i = end) {
        end = n - i < CHUNK ? n : i + CHUNK;
        for (size_t k = i; k < end; k = from + CELLS) {
            from = end - k < CELLS ? end - CELLS : k;
            convert_cells(p, at + from * step, step, len, fixed, s, u + from, &bad);
        }
        if (bad[0] | bad[1] | bad[2] | bad[3])
            break;
    }
    for (bad = (words4){0}; i < n; i++) {
        convert_cells(p, at + i * step, 0, len, fixed, s, u + i, &bad);
        if (bad[0] | bad[1] | bad[2] | bad[3])
            break;
    }
    return i;
}

/* What most columns have in common is a constant there. */
INLINE size_t convert_any_column(const char *p, const uint32_t *at, size_t step, size_t n, uint32_t len,
                                 bool fixed, const struct smi_kernel_number *s, int32_t *u)
{
    struct smi_kernel_number own = *s;
    own.blank = fixed && s->blank;
    if (s->point_mask)
        return convert_column(p, at, step, n, len, fixed, &own, u);
    own.point_mask = 0;
    own.digits = (uint64_t)0xFF << 56;
    return convert_column(p, at, step, n, len, fixed, &own, u);
}

SMI_CLONES size_t smi_kernel_cells(const char *p, const uint32_t *at, size_t columns, size_t n, uint32_t cut,
                                   const struct smi_kernel_number *s, int32_t *u)
{
    return convert_any_column(p, at, columns, n, cut, false, s, u);
}

SMI_CLONES size_t smi_kernel_column(const char *p, const uint32_t *row, size_t n, uint32_t len,
                                    const struct smi_kernel_number *s, int32_t *u)
{
    return convert_any_column(p, row, 1, n, len, true, s, u);
}
