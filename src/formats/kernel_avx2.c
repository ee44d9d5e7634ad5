#include "formats/fast_block.h"

#ifdef __x86_64__
#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

enum { USUAL = 10 /* separators in 64 bytes, or fewer */ };

static int runs_here(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}

__attribute__((target("avx2"))) static uint64_t equal_byte_mask(const char *p, char c)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p), all = _mm256_set1_epi8(c);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, all)) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(b, all)) << 32;
}

/* Offsets are written several at a time, more than there may be: hardly a branch depends on the exact number.
 */
__attribute__((target("avx2,bmi,popcnt"))) static size_t index_avx2(const char *p, size_t n, uint32_t *at,
                                                                    size_t *lf)
{
    uint32_t *to = at;
    *lf = 0;
    for (size_t i = 0; i < n; i += 64) {
        uint64_t end = equal_byte_mask(p + i, '\n'), hit = equal_byte_mask(p + i, ',') | end;
        unsigned found = (unsigned)_mm_popcnt_u64(hit);
        for (unsigned k = 0; k < USUAL; k++) {
            to[k] = (uint32_t)i + (uint32_t)_tzcnt_u64(hit);
            hit = _blsr_u64(hit);
        }
        for (unsigned k = USUAL; hit; k++) {
            to[k] = (uint32_t)i + (uint32_t)_tzcnt_u64(hit);
            hit = _blsr_u64(hit);
        }
        to += found;
        *lf += (size_t)_mm_popcnt_u64(end);
    }
    return (size_t)(to - at);
}

static inline long long load_word(const char *p)
{
    long long w;
    memcpy(&w, p, sizeof w);
    return w;
}

/* What four lanes want of their cells: two that stand side by side, and the two that are four behind them. */
struct four {
    __m256i point_mask, point, above, digits, some;
    unsigned of[4]; /* the cell that each loads: no other than those with a column */
};

__attribute__((target("avx2"))) static inline __m256i load_lane_pairs(const uint64_t *lane)
{
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)lane)),
        _mm_loadu_si128((const __m128i *)(const void *)(lane + 4)), 1);
}

__attribute__((target("avx2"))) static inline struct four four_of(const struct smi_kernel_lanes *g,
                                                                  unsigned from)
{
    struct four f = {load_lane_pairs(g->point_mask + from),  load_lane_pairs(g->point + from),
                     load_lane_pairs(g->above + from),       load_lane_pairs(g->digit_mask + from),
                     load_lane_pairs(g->column_mask + from), {0}};
    for (unsigned k = 0; k < 4; k++) {
        unsigned lane = from + k % 2 + k / 2 * 4;
        f.of[k] = lane < g->lanes ? lane : 0;
    }
    return f;
}

/* The word that begins behind a separator: that in front of the first byte is -1. */
__attribute__((target("avx2"))) static inline __m256i load_cell_words(const char *p, const int32_t *front,
                                                                      const struct four *f)
{
    return _mm256_setr_epi64x(load_word(p + front[f->of[0]] + 1), load_word(p + front[f->of[1]] + 1),
                              load_word(p + front[f->of[2]] + 1), load_word(p + front[f->of[3]] + 1));
}

/* Four digits in each half of four words, which begin with `lack` bits of other cells; *bad gets bits where a
 * cell is not plain. All bytes are XORed with blanks: those are 0, digits 16 to 25. */
__attribute__((target("avx2"))) static inline __m256i convert_four_words(__m256i x, __m256i lack,
                                                                         const struct four *f, __m256i *bad)
{
    __m256i other, wrong;
    x = _mm256_sllv_epi64(_mm256_xor_si256(x, _mm256_set1_epi8(' ')), lack);
    wrong = _mm256_xor_si256(_mm256_and_si256(x, f->point_mask), f->point);
    x = _mm256_blendv_epi8(_mm256_slli_epi64(x, 8), x, f->above); /* the point is gone */
    other = _mm256_add_epi8(x, _mm256_set1_epi8(102)); /* 25 becomes 127, and what is more is negative */
    other = _mm256_cmpgt_epi8(_mm256_set1_epi8(16 + 102), other);
    wrong = _mm256_or_si256(
        wrong, _mm256_and_si256(other, _mm256_or_si256(x, f->digits))); /* no blank; none may be */
    wrong = _mm256_or_si256(
        wrong, _mm256_and_si256(other, _mm256_sub_epi64(other, _mm256_set1_epi64x(-1)))); /* gaps */
    *bad = _mm256_or_si256(*bad, _mm256_and_si256(wrong, f->some));
    x = _mm256_maddubs_epi16(_mm256_and_si256(x, _mm256_set1_epi8(15)), _mm256_set1_epi16(0x010A));
    return _mm256_madd_epi16(x, _mm256_set1_epi32(0x00010064));
}

/* The eight cells of a row, or the first two and zeros, become u[0 ... 7]; *bad as above. */
__attribute__((target("avx2"))) static inline void convert_row(const char *p, const uint32_t *at,
                                                               const struct smi_kernel_lanes *g,
                                                               const struct four *a, const struct four *b,
                                                               bool two, int32_t *u, __m256i *bad)
{
    const __m256i *front = (const __m256i *)(const void *)(at - 1), *end = (const __m256i *)(const void *)at;
    __m256i most = _mm256_loadu_si256((const __m256i *)(const void *)g->most), zero = _mm256_setzero_si256();
    /* the bits that lack to a word; fewer than 0 or all: nothing is left */
    __m256i lack = _mm256_slli_epi32(
        _mm256_sub_epi32(_mm256_add_epi32(most, _mm256_loadu_si256(front)), _mm256_loadu_si256(end)), 3);
    __m256i left = convert_four_words(load_cell_words(p, (const int32_t *)front, a),
                                      _mm256_unpacklo_epi32(lack, zero), a, bad);
    __m256i right = two ? zero
                        : convert_four_words(load_cell_words(p, (const int32_t *)front, b),
                                             _mm256_unpackhi_epi32(lack, zero), b, bad);
    __m256i v = _mm256_madd_epi16(_mm256_packus_epi32(left, right), _mm256_set1_epi32(0x00012710));
    *bad = _mm256_or_si256(*bad,
                           _mm256_cmpgt_epi32(v, _mm256_loadu_si256((const __m256i *)(const void *)g->top)));
    _mm256_storeu_si256((__m256i *)(void *)u, v);
}

/* Eight rows of eight numbers become u[k][at ... at + 7]. */
__attribute__((target("avx2"))) static inline void
transpose_8x8(int32_t row[SMI_KERNEL_LANES][SMI_KERNEL_LANES], int32_t *const u[SMI_KERNEL_LANES], size_t at)
{
    __m256i a[8], b[8];
    for (unsigned k = 0; k < 8; k++)
        a[k] = _mm256_loadu_si256((const __m256i *)(const void *)row[k]);
    for (unsigned k = 0; k < 8; k += 2) {
        b[k] = _mm256_unpacklo_epi32(a[k], a[k + 1]);
        b[k + 1] = _mm256_unpackhi_epi32(a[k], a[k + 1]);
    }
    for (unsigned k = 0; k < 8; k += 4) {
        a[k] = _mm256_unpacklo_epi64(b[k], b[k + 2]);
        a[k + 1] = _mm256_unpackhi_epi64(b[k], b[k + 2]);
        a[k + 2] = _mm256_unpacklo_epi64(b[k + 1], b[k + 3]);
        a[k + 3] = _mm256_unpackhi_epi64(b[k + 1], b[k + 3]);
    }
    for (unsigned k = 0; k < 4; k++) {
        _mm256_storeu_si256((__m256i *)(void *)(u[k] + at), _mm256_permute2x128_si256(a[k], a[k + 4], 0x20));
        _mm256_storeu_si256((__m256i *)(void *)(u[k + 4] + at),
                            _mm256_permute2x128_si256(a[k], a[k + 4], 0x31));
    }
}

/* Nearly all rows are plain: eight are looked at together, and only if one of them is not, one by one. */
__attribute__((target("avx2"), always_inline)) static inline size_t
convert_rows(const char *p, const uint32_t *at, size_t columns, size_t n, const struct smi_kernel_lanes *g,
             size_t first, bool two)
{
    const struct four a = four_of(g, 0), b = four_of(g, 2);
    int32_t row[SMI_KERNEL_LANES][SMI_KERNEL_LANES];
    __m256i bad = _mm256_setzero_si256();
    size_t i = 0;
    at += g->place;
    for (; i + 8 <= n; i += 8) {
        for (size_t k = 0; k < 8; k++)
            convert_row(p, at + k * columns, g, &a, &b, two, row[k], &bad);
        if (!_mm256_testz_si256(bad, bad))
            break;
        transpose_8x8(row, g->u, first + i);
        at += 8 * columns;
    }
    bad = _mm256_setzero_si256();
    for (; i < n; i++, at += columns) {
        convert_row(p, at, g, &a, &b, two, row[i % 8], &bad);
        if (!_mm256_testz_si256(bad, bad))
            break;
    }
    if (i % 8)
        transpose_8x8(row, g->u, first + i / 8 * 8);
    return i;
}

__attribute__((target("avx2"))) static size_t cells_avx2(const char *p, const uint32_t *at, size_t columns,
                                                         size_t n, const struct smi_kernel_lanes *g,
                                                         size_t first)
{
    return g->lanes > 2 ? convert_rows(p, at, columns, n, g, first, false)
                        : convert_rows(p, at, columns, n, g, first, true);
}

/* Rows of which one is not plain, and the last few, are left to the portable kernel. */
__attribute__((target("avx2"))) static size_t column_avx2(const char *p, const uint32_t *at, size_t n,
                                                          size_t len, const struct smi_kernel_number *s,
                                                          int32_t *u)
{
    const uint64_t blanks = 0x2020202020202020u;
    const __m256i lack = _mm256_set1_epi64x(8 * (8 - (int)len)), limit = _mm256_set1_epi32((int32_t)s->limit);
    const __m256i first = _mm256_set1_epi64x((long long)((s->blank ? 0xFFu : 0) & blanks));
    const __m256i in_front = _mm256_set1_epi64x(s->blank ? 0xFF : 0);
    const struct four f = {_mm256_set1_epi64x((long long)s->point_mask),
                           _mm256_set1_epi64x((long long)(s->point ^ (s->point_mask & blanks))),
                           _mm256_set1_epi64x((long long)s->above),
                           _mm256_set1_epi64x((long long)(s->digits * 0xFF)),
                           _mm256_set1_epi64x(-1),
                           {0}};
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint32_t *row = at + i;
        __m256i a = _mm256_setr_epi64x(load_word(p + row[0]), load_word(p + row[1]), load_word(p + row[4]),
                                       load_word(p + row[5]));
        __m256i b = _mm256_setr_epi64x(load_word(p + row[2]), load_word(p + row[3]), load_word(p + row[6]),
                                       load_word(p + row[7])),
                v;
        __m256i bad = _mm256_or_si256(_mm256_xor_si256(_mm256_and_si256(a, in_front), first),
                                      _mm256_xor_si256(_mm256_and_si256(b, in_front), first));
        a = convert_four_words(a, lack, &f, &bad);
        b = convert_four_words(b, lack, &f, &bad);
        v = _mm256_madd_epi16(_mm256_packus_epi32(a, b), _mm256_set1_epi32(0x00012710));
        bad = _mm256_or_si256(bad, _mm256_cmpgt_epi32(v, limit));
        if (!_mm256_testz_si256(bad, bad))
            break;
        _mm256_storeu_si256((__m256i *)(void *)(u + i), v);
    }
    return i + smi_kernel_portable.column(p, at + i, n - i, len, s, u + i);
}

const struct smi_kernel smi_kernel_avx2 = {"avx2", runs_here, index_avx2, cells_avx2, column_avx2};
#endif
