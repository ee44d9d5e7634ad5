#include "formats/fast_block.h"

#include <stdbool.h>
#include <string.h>

#define INLINE __attribute__((always_inline)) static inline

/* Bytes of a vector: wider than what a machine has becomes slow code. */
#ifdef SMI_WIDE
#define WIDTH 32
#define ODD_BYTES(a, b)                                                                                      \
    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, \
                            41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63)
#else
#define WIDTH 16
#define ODD_BYTES(a, b) \
    __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#endif
enum {
    CHUNK = 64,            /* cells are converted at once */
    CELLS = 2 * WIDTH / 8, /* in two vectors; CHUNK is a multiple of it */
    USUAL = 10             /* separators in 64 bytes, or fewer */
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

/* Hides what x is from the compiler: GCC multiplies vectors by a constant in shifts and additions, gathers
 * cells with vector instructions, and stores offsets through vectors. All of these take longer. */
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

/* Cells in words whose last byte is uppermost, XORed with blanks: blanks are 0, digits 16 to 25. Each pair of
 * digits becomes the number in the upper byte of its 16 bits. *bad gets bits if a cell is not plain. (Wide
 * vectors are passed by address: ABIs differ.) */
INLINE void convert_pairs(const uint64_t *cell, const struct smi_kernel_number *s, bytes *to, words *bad)
{
    const uint64_t blanks = 0x2020202020202020u;
    words x, other;
    memcpy(&x, cell, sizeof x);
    if (s->point_mask) {
        *bad |= (x & s->point_mask) ^ (s->point ^ (s->point_mask & blanks));
        x = (x & s->below) << 8 | (x & s->above); /* the point is gone */
    }
    other = (words)((chars)((bytes)x + 102) < (char)118); /* 25 becomes 127, and what is more is negative */
    /* no blank; none may be; a blank behind a digit */
    *bad |= other & (x | s->digits | (other + 1));
    *to = (bytes)((shorts)(x & 0x0F0F0F0F0F0F0F0Fu) * (uint16_t)hide_value(10 * 256 + 1));
}

/* CELLS cells as above become u[0 ...]. */
INLINE void convert_cells(const uint64_t *cell, const struct smi_kernel_number *s, int32_t *u, words *bad)
{
    bytes a, b;
    shorts pair;
    ints four, number;
    convert_pairs(cell, s, &a, bad);
    convert_pairs(cell + CELLS / 2, s, &b, bad);
    pair = (shorts)ODD_BYTES(a, b);
    four = (ints)((pair & 0xFF) * (uint16_t)hide_value(100) + (pair >> 8));
    number = (four & 0xFFFF) * 10000 + (four >> 16);
    *bad |= (words)((numbers)number > (int32_t)s->limit);
    memcpy(u, &number, sizeof number);
}

/* As smi_kernel_cells; fixed: as smi_kernel_column, of len bytes. Where a cell of a chunk is not plain, the
 * chunk's are converted one by one. */
INLINE size_t convert_column(const char *p, const uint32_t *at, size_t step, size_t n, uint32_t len,
                             bool fixed, const struct smi_kernel_number *s, int32_t *u)
{
    const uint64_t blanks = 0x2020202020202020u;
    uint64_t cell[CHUNK];
    for (size_t i = 0, m, most = CHUNK; i < n;) {
        words bad = {0};
        uint32_t lacks = 0; /* bits to a word */
        uint64_t wrong = 0;
        m = most < n - i ? most : n - i;
        for (size_t k = 0; k < m; k++, at += step) {
            /* in front of a cell is its separator */
            uint32_t begin = fixed ? hide_value(*at) : at[-1] + 1;
            uint32_t lack = fixed ? (8 - len) * 8 : hide_value((8 + len + begin - *at) * 8);
            uint64_t word = load_word(p + begin) ^ blanks;
            cell[k] = word << (lack & 63);
            lacks |= lack; /* 0 to 56 if it has one to eight bytes */
            wrong |= s->blank ? word & 0xFF : 0;
        }
        for (size_t k = m; k % CELLS; k++)
            cell[k] = cell[0];
        for (size_t k = 0; k < m; k += CELLS)
            convert_cells(cell + k, s, u + i + k, &bad);
        for (size_t k = 0; k < WIDTH / 8; k++)
            wrong |= bad[k];
        if (lacks < 64 && !wrong) {
            i += m;
            continue;
        }
        if (m == 1)
            return i;
        at -= m * step;
        most = 1;
    }
    return n;
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
