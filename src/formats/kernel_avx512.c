#include "formats/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>
#include <stdbool.h>

enum {
    FEW = 3 /* lanes: a row costs as much whatever there is in it, a lane an eighth of that and the loads */
};

#define CELLS __attribute__((target("avx512bw,avx512vl,avx512vbmi,bmi2")))

static int runs_here(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

/* The bytes 0 to 63 are squeezed to those where a separator stands, and widened sixteen at a time. */
__attribute__((target("avx512bw,avx512vbmi2,popcnt"))) static size_t index_avx512(const char *p, size_t n,
                                                                                  uint32_t *at, size_t *lf)
{
    static const unsigned char places[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                             16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                             32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                             48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i comma = _mm512_set1_epi8(','), newline = _mm512_set1_epi8('\n'),
                  place = _mm512_loadu_si512(places);
    uint32_t *to = at;
    *lf = 0;
    for (size_t i = 0; i < n; i += 64) {
        __m512i w = _mm512_loadu_si512(p + i), squeezed;
        uint64_t end = _mm512_cmpeq_epi8_mask(w, newline), hit = _mm512_cmpeq_epi8_mask(w, comma) | end;
        unsigned found = (unsigned)_mm_popcnt_u64(hit);
        squeezed = _mm512_maskz_compress_epi8(hit, place);
        for (unsigned k = 0; k < found; k += 16) {
            _mm512_storeu_si512(to + k,
                                _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(squeezed)),
                                                 _mm512_set1_epi32((int)i)));
            squeezed = _mm512_alignr_epi32(_mm512_setzero_si512(), squeezed, 4);
        }
        to += found;
        *lf += (size_t)_mm_popcnt_u64(end);
    }
    return (size_t)(to - at);
}

/* What all rows want of their eight cells. */
struct eight {
    __m512i point_mask, point, above, limit, word;
    __m256i most;
    uint64_t some, in, digits, blank;
    __mmask8 lanes;
    unsigned n; /* all that have a column are below */
};

CELLS static inline struct eight eight_of(const struct smi_kernel_lanes *g)
{
    const uint64_t ones = 0x0101010101010101u;
    return (struct eight){_mm512_loadu_si512(g->point_mask),
                          _mm512_loadu_si512(g->point),
                          _mm512_loadu_si512(g->above),
                          _mm512_loadu_si512(g->limit),
                          _mm512_loadu_si512(g->word),
                          _mm256_loadu_si256((const __m256i *)(const void *)g->most),
                          g->some,
                          g->in,
                          g->digits,
                          g->blank,
                          (__mmask8)((g->some & ones) * 0x0102040810204080u >> 56),
                          g->lanes};
}

/* The same number in all eight. */
CELLS static inline struct eight eight_same(const struct smi_kernel_lanes *g, unsigned lane)
{
    const uint64_t ones = 0x0101010101010101u;
    return (struct eight){.point_mask = _mm512_set1_epi64((long long)g->point_mask[lane]),
                          .point = _mm512_set1_epi64((long long)g->point[lane]),
                          .above = _mm512_set1_epi64((long long)g->above[lane]),
                          .limit = _mm512_set1_epi64((long long)g->limit[lane]),
                          .some = ~(uint64_t)0,
                          .digits = (g->digits >> 8 * lane & 0xFF) * ones,
                          .blank = (g->blank >> 8 * lane & 0xFF) * ones,
                          .lanes = 0xFF};
}

/* The cells between front and end, all of them within the n <= 64 bytes from p + from on, as words: the last
 * byte of each uppermost, all XORed with blanks; what is not of a cell is 0. */
CELLS static inline __m512i words_near(const char *p, uint32_t from, uint32_t n, __m256i front, __m256i end,
                                       const struct eight *e)
{
    const __m256i base = _mm256_set1_epi32((int)from);
    const __m512i low = _mm512_set_epi64(
        0x1C1C1C1C1C1C1C1C, 0x1818181818181818, 0x1414141414141414, 0x1010101010101010, 0x0C0C0C0C0C0C0C0C,
        0x0808080808080808, 0x0404040404040404, 0); /* the low byte of each offset, eight times */
    __m512i row = _mm512_xor_si512(_mm512_maskz_loadu_epi8(_bzhi_u64(~(uint64_t)0, n), p + from),
                                   _mm512_set1_epi8(' '));
    __m512i first = _mm512_permutexvar_epi8(low, _mm512_castsi256_si512(_mm256_sub_epi32(front, base)));
    __m512i last = _mm512_permutexvar_epi8(low, _mm512_castsi256_si512(_mm256_sub_epi32(end, base)));
    __m512i place = _mm512_add_epi8(last, e->word);
    return _mm512_maskz_permutexvar_epi8(_mm512_mask_cmpgt_epi8_mask(e->some, place, first), place, row);
}

/* The same of cells that are farther apart, each loaded by itself. */
CELLS static inline __m512i words_far(const char *p, __m256i front, __m256i end, const struct eight *e)
{
    const __m512i blanks = _mm512_set1_epi8(' ');
    __m256i len = _mm256_sub_epi32(end, front), from = _mm256_add_epi32(front, _mm256_set1_epi32(1));
    /* the bits that lack to a word; fewer than 0 or all: nothing is left */
    __m512i lack = _mm512_cvtepi32_epi64(_mm256_slli_epi32(_mm256_sub_epi32(e->most, len), 3));
    __m512i x = _mm512_mask_i64gather_epi64(blanks, e->lanes, _mm512_cvtepu32_epi64(from), p, 1);
    return _mm512_sllv_epi64(_mm512_xor_si512(x, blanks), lack);
}

/* What is wrong with some rows: looked at once for all of them. */
struct wrong {
    uint64_t bytes;  /* not 0: blanks stand where none may, or none where one has to */
    __m512i neither; /* bytes that are neither digits nor blanks, */
    __m512i top;     /* and the largest numbers */
    __mmask8 good;   /* cells that are not too long, their points where they have to be */
};

CELLS static inline struct wrong nothing_wrong(const struct eight *e)
{
    return (struct wrong){0, _mm512_setzero_si512(), _mm512_setzero_si512(), e->lanes};
}

CELLS static inline bool is_wrong(const struct wrong *w, const struct eight *e)
{
    return w->bytes || _mm512_test_epi8_mask(w->neither, w->neither) ||
           _mm512_mask_cmple_epu64_mask(w->good, w->top, e->limit) != e->lanes;
}

/* The numbers of eight words, one in each word. */
CELLS static inline __m512i numbers8(__m512i x, const struct eight *e, struct wrong *w)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t other;
    __m512i v;
    w->good = _mm512_mask_cmpeq_epi64_mask(w->good, _mm512_and_si512(x, e->point_mask), e->point);
    x = _mm512_ternarylogic_epi64(e->above, x, _mm512_slli_epi64(x, 8), 0xCA); /* above ? x : x << 8 */
    other = _mm512_mask_cmpgt_epu8_mask(e->some, _mm512_sub_epi8(x, _mm512_set1_epi8('0' ^ ' ')),
                                        _mm512_set1_epi8(9));
    w->neither = _mm512_mask_max_epu8(w->neither, other, w->neither, x); /* a blank is 0 */
    w->bytes |= other & ((other + ones) /* a blank behind a digit */ | e->digits);
    w->bytes |= ~other & e->blank;
    v = _mm512_and_si512(x, _mm512_set1_epi8(15));
    v = _mm512_madd_epi16(_mm512_maddubs_epi16(v, _mm512_set1_epi16(0x010A)), _mm512_set1_epi32(0x00010064));
    v = _mm512_add_epi64(_mm512_mul_epu32(v, _mm512_set1_epi64(10000)), _mm512_srli_epi64(v, 32));
    w->top = _mm512_max_epu32(w->top, v);
    return v;
}

/* Those of the row whose separators are at[0 ...]. */
CELLS static inline __m512i row8(const char *p, const uint32_t *at, const struct eight *e, struct wrong *w)
{
    uint32_t from = at[-1] + 1, n = at[e->n - 1] - from;
    __m256i front = _mm256_loadu_si256((const __m256i *)(const void *)(at - 1));
    __m256i end = _mm256_loadu_si256((const __m256i *)(const void *)at);
    __m512i x =
        n <= SMI_KERNEL_LANE_BYTES ? words_near(p, from, n, front, end, e) : words_far(p, front, end, e);
    w->good = _mm256_mask_cmple_epu32_mask(w->good, _mm256_sub_epi32(end, front), e->most);
    return numbers8(x, e, w);
}

/* Eight rows of eight numbers, one in each word, become u[k][at ... at + 7]. */
CELLS static inline void turn(const __m512i v[8], int32_t *const u[SMI_KERNEL_LANES], size_t at)
{
    __m512i two[4], a[2], b[2];
    for (unsigned k = 0; k < 4; k++) /* of two rows, number by number: the upper half of a word is 0 */
        two[k] = _mm512_mask_shuffle_epi32(v[2 * k], 0xAAAA, v[2 * k + 1], 0xA0);
    for (unsigned k = 0; k < 2; k++) {
        a[k] = _mm512_unpacklo_epi64(two[2 * k], two[2 * k + 1]);
        b[k] = _mm512_unpackhi_epi64(two[2 * k], two[2 * k + 1]);
    }
    for (unsigned k = 0; k < 4; k += 2) {
        const __m512i low = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0),
                      which = _mm512_add_epi64(low, _mm512_set1_epi64(2 * (long long)k));
        __m512i even = _mm512_permutex2var_epi64(a[0], which, a[1]),
                odd = _mm512_permutex2var_epi64(b[0], which, b[1]);
        _mm256_storeu_si256((__m256i *)(void *)(u[2 * k] + at), _mm512_castsi512_si256(even));
        _mm256_storeu_si256((__m256i *)(void *)(u[2 * k + 1] + at), _mm512_castsi512_si256(odd));
        _mm256_storeu_si256((__m256i *)(void *)(u[2 * k + 2] + at), _mm512_extracti64x4_epi64(even, 1));
        _mm256_storeu_si256((__m256i *)(void *)(u[2 * k + 3] + at), _mm512_extracti64x4_epi64(odd, 1));
    }
}

/* Nearly all rows are plain: eight are looked at together, and only if one of them is not, one by one. */
CELLS static size_t cells_avx512(const char *p, const uint32_t *at, size_t columns, size_t n,
                                 const struct smi_kernel_lanes *g, size_t first)
{
    const struct eight e = eight_of(g);
    __m512i row[8] = {_mm512_setzero_si512()};
    struct wrong w;
    size_t i = 0;
    at += g->place;
    for (; i + 8 <= n; i += 8) {
        w = nothing_wrong(&e);
        for (size_t k = 0; k < 8; k++)
            row[k] = row8(p, at + k * columns, &e, &w);
        if (is_wrong(&w, &e))
            break;
        turn(row, g->u, first + i);
        at += 8 * columns;
    }
    for (; i < n; i++, at += columns) {
        w = nothing_wrong(&e);
        row[i % 8] = row8(p, at, &e, &w);
        if (is_wrong(&w, &e))
            break;
        if (i % 8 == 7)
            turn(row, g->u, first + i - 7);
    }
    if (i % 8)
        turn(row, g->u, first + i / 8 * 8);
    return i;
}

/* The numbers of a row whose cells stand within the bytes at p. */
CELLS static inline __m512i fixed8(const char *p, __mmask64 bytes, const struct eight *e, struct wrong *w)
{
    __m512i row = _mm512_xor_si512(_mm512_maskz_loadu_epi8(bytes, p), _mm512_set1_epi8(' '));
    return numbers8(_mm512_maskz_permutexvar_epi8(e->in, e->word, row), e, w);
}

CELLS static size_t rows_avx512(const char *p, const uint32_t *row, size_t n,
                                const struct smi_kernel_lanes *g, size_t first)
{
    const struct eight e = eight_of(g);
    const __mmask64 bytes = _bzhi_u64(~(uint64_t)0, g->bytes);
    __m512i v[8] = {_mm512_setzero_si512()};
    struct wrong w;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        w = nothing_wrong(&e);
        for (size_t k = 0; k < 8; k++)
            v[k] = fixed8(p + row[i + k], bytes, &e, &w);
        if (is_wrong(&w, &e))
            break;
        turn(v, g->u, first + i);
    }
    for (; i < n; i++) {
        w = nothing_wrong(&e);
        v[i % 8] = fixed8(p + row[i], bytes, &e, &w);
        if (is_wrong(&w, &e))
            break;
        if (i % 8 == 7)
            turn(v, g->u, first + i - 7);
    }
    if (i % 8)
        turn(v, g->u, first + i / 8 * 8);
    return i;
}

/* The plain rows of one lane, eight at a time: its cells are the len bytes from p + at[...] on. Returns how
 * many of them became numbers. */
CELLS static size_t column_avx512(const char *p, const uint32_t *at, size_t n, size_t len,
                                  const struct eight *e, int32_t *u)
{
    const __m128i lack = _mm_cvtsi32_si128(8 * (8 - (int)len));
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m512i from = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)(at + i))), v;
        __m512i x = _mm512_xor_si512(_mm512_i64gather_epi64(from, p, 1), _mm512_set1_epi8(' '));
        struct wrong w = nothing_wrong(e);
        v = numbers8(_mm512_sll_epi64(x, lack), e, &w);
        if (is_wrong(&w, e))
            break;
        _mm256_storeu_si256((__m256i *)(void *)(u + i), _mm512_cvtepi64_epi32(v));
    }
    return i;
}

/* Few lanes are read down the rows. */
CELLS static size_t fixed_avx512(const char *p, const uint32_t *row, size_t n,
                                 const struct smi_kernel_lanes *g, size_t first)
{
    size_t done = n;
    if (g->lanes > FEW)
        return rows_avx512(p + g->place, row, n, g, first);
    for (unsigned k = 0; k < g->lanes; k++) {
        const struct eight e = eight_same(g, k);
        size_t took = column_avx512(p + g->place + g->at[k], row, done, g->len[k], &e, g->u[k] + first);
        done = took < done ? took : done;
    }
    return done == n ? n : done + smi_kernel_portable.fixed(p, row + done, n - done, g, first + done);
}

const struct smi_kernel smi_kernel_avx512 = {"avx512", runs_here, index_avx512, cells_avx512, fixed_avx512};
#endif
