#include "format/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>
#include <string.h>

static int runs_here(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
}

__attribute__((target("avx2"))) static uint64_t equal(const char *p, char c)
{
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p), all = _mm256_set1_epi8(c);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, all)) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(b, all)) << 32;
}

/* Eight offsets are written at a time, more than there may be: no branch depends on the exact number. */
__attribute__((target("avx2,bmi,popcnt"))) static size_t index_avx2(const char *p, size_t n, uint32_t *at,
                                                                 size_t *lf)
{
    uint32_t *to = at;
    *lf = 0;
    for (size_t i = 0; i < n; i += 64) {
        uint64_t end = equal(p + i, '\n'), hit = equal(p + i, ',') | end;
        unsigned found = (unsigned)_mm_popcnt_u64(hit);
        for (unsigned k = 0; k < found; k += 8) {
            for (unsigned j = 0; j < 8; j++) {
                to[k + j] = (uint32_t)i + (uint32_t)_tzcnt_u64(hit);
                hit = _blsr_u64(hit);
            }
        }
        to += found;
        *lf += (size_t)_mm_popcnt_u64(end);
    }
    return (size_t)(to - at);
}

/* Four cells, each in a word with its last byte uppermost and blanks in front: bit i of the result says that cell i is
 * a plain number. */
__attribute__((target("avx2"))) static inline unsigned numbers4(__m256i x, const struct smi_number *s, int32_t *u)
{
    const __m256i ones = _mm256_set1_epi8(1), blanks = _mm256_set1_epi8(' ');
    const __m256i tens = _mm256_set1_epi16(0x010A), hundreds = _mm256_set1_epi32(0x00010064);
    const __m256i digits = _mm256_set1_epi64x((long long)s->digits), blank = _mm256_set1_epi64x((long long)s->blank);
    __m256i bad, digit, v;
    bad = _mm256_xor_si256(_mm256_and_si256(x, _mm256_set1_epi64x((long long)s->point_mask)),
                           _mm256_set1_epi64x((long long)s->point));
    x = _mm256_or_si256(
        _mm256_or_si256(_mm256_slli_epi64(_mm256_and_si256(x, _mm256_set1_epi64x((long long)s->below)), 8),
                        _mm256_and_si256(x, _mm256_set1_epi64x((long long)s->above))),
        _mm256_set1_epi64x((long long)s->fill));
    digit = _mm256_and_si256(_mm256_srli_epi64(x, 4), ones);
    v = _mm256_and_si256(x, _mm256_sub_epi8(_mm256_slli_epi64(digit, 4), digit));
    bad = _mm256_or_si256(
        bad, _mm256_xor_si256(x, _mm256_or_si256(_mm256_or_si256(blanks, _mm256_slli_epi64(digit, 4)), v)));
    bad = _mm256_or_si256(bad, _mm256_and_si256(_mm256_add_epi8(v, _mm256_set1_epi8(6)), _mm256_set1_epi8(16)));
    bad = _mm256_or_si256(bad, _mm256_andnot_si256(digit, _mm256_slli_epi64(digit, 8)));
    bad = _mm256_or_si256(bad, _mm256_xor_si256(_mm256_and_si256(digit, digits), digits));
    bad = _mm256_or_si256(bad, _mm256_and_si256(digit, blank));
    v = _mm256_madd_epi16(_mm256_maddubs_epi16(v, tens), hundreds); /* four digits in each half */
    v = _mm256_add_epi64(_mm256_mul_epu32(v, _mm256_set1_epi64x(10000)), _mm256_srli_epi64(v, 32));
    bad = _mm256_or_si256(bad, _mm256_cmpgt_epi64(v, _mm256_set1_epi64x(s->limit)));
    v = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128((__m128i *)(void *)u, _mm256_castsi256_si128(v));
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(bad, _mm256_setzero_si256())));
}

static inline long long word(const char *p)
{
    long long w;
    memcpy(&w, p, sizeof w);
    return w;
}

__attribute__((target("avx2"))) static size_t cells_avx2(const char *p, const uint32_t *at, size_t columns, size_t n,
                                                         size_t cut, const struct smi_number *s, int32_t *u)
{
    const __m256i blanks = _mm256_set1_epi8(' '), all = _mm256_set1_epi8(-1), eight = _mm256_set1_epi64x(8);
    for (size_t i = 0; i < n; i += 4, at += 4 * columns) {
        size_t last = n - i < 4 ? n - i - 1 : 3;
        const uint32_t *b = at + (last > 0 ? columns : 0), *c = at + (last > 1 ? 2 : last) * columns,
                       *d = at + last * columns;
        __m256i x = _mm256_setr_epi64x(word(p + (uint32_t)(at[-1] + 1)), word(p + (uint32_t)(b[-1] + 1)),
                                       word(p + (uint32_t)(c[-1] + 1)), word(p + (uint32_t)(d[-1] + 1)));
        __m128i len = _mm_sub_epi32(_mm_setr_epi32((int)at[0], (int)b[0], (int)c[0], (int)d[0]),
                                    _mm_setr_epi32((int)at[-1], (int)b[-1], (int)c[-1], (int)d[-1]));
        /* bytes that lack to 8 */
        __m256i more = _mm256_cvtepi32_epi64(_mm_sub_epi32(_mm_set1_epi32(9 + (int)cut), len));
        __m256i shift = _mm256_slli_epi64(more, 3), bad;
        unsigned good;
        bad = _mm256_or_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), more), _mm256_cmpeq_epi64(more, eight));
        bad = _mm256_or_si256(bad, _mm256_cmpgt_epi64(more, eight));
        x = _mm256_or_si256(_mm256_sllv_epi64(x, shift), _mm256_andnot_si256(_mm256_sllv_epi64(all, shift), blanks));
        good = numbers4(x, s, u + i) & ~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(bad));
        if (good != 15) {
            i += (unsigned)__builtin_ctz(~good);
            return i < n ? i : n;
        }
    }
    return n;
}

__attribute__((target("avx2"))) static size_t fixed_avx2(const char *p, const uint32_t *at, size_t n, size_t len,
                                                         const struct smi_number *s, int32_t *u)
{
    const __m128i shift = _mm_cvtsi32_si128(8 * (8 - (int)len));
    const __m256i blanks = _mm256_andnot_si256(_mm256_sll_epi64(_mm256_set1_epi8(-1), shift), _mm256_set1_epi8(' '));
    for (size_t i = 0; i < n; i += 4) {
        size_t last = n - 1, b = i < last ? i + 1 : last, c = b < last ? b + 1 : last, d = c < last ? c + 1 : last;
        __m256i x = _mm256_setr_epi64x(word(p + at[i]), word(p + at[b]), word(p + at[c]), word(p + at[d]));
        unsigned good;
        x = _mm256_or_si256(_mm256_sll_epi64(x, shift), blanks);
        good = numbers4(x, s, u + i);
        if (good != 15) {
            i += (unsigned)__builtin_ctz(~good);
            return i < n ? i : n;
        }
    }
    return n;
}

const struct smi_kernel smi_kernel_avx2 = {"avx2", runs_here, index_avx2, cells_avx2, fixed_avx2};
#endif
