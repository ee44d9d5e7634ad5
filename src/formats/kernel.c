#include "formats/fast_block.h"

#include <stdbool.h>
#include <string.h>

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

/* As smi_kernel_cells; fixed: as smi_kernel_column, of len bytes; point: as s says. */
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

SMI_CLONES size_t smi_kernel_cells(const char *p, const uint32_t *at, size_t columns, size_t n, uint32_t cut,
                                   const struct smi_kernel_number *s, int32_t *u)
{
    return s->point_mask ? convert_column(p, at, columns, n, cut, false, true, *s, u)
                         : convert_column(p, at, columns, n, cut, false, false, *s, u);
}

SMI_CLONES size_t smi_kernel_column(const char *p, const uint32_t *row, size_t n, uint32_t len,
                                    const struct smi_kernel_number *s, int32_t *u)
{
    return s->point_mask ? convert_column(p, row, 1, n, len, true, true, *s, u)
                         : convert_column(p, row, 1, n, len, true, false, *s, u);
}
