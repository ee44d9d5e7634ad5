#include "format/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>

static int runs_here(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("popcnt");
}

/* The bytes 0 to 63 are squeezed to those where a separator stands, and widened sixteen at a time. */
__attribute__((target("avx512bw,avx512vbmi2,popcnt"))) static size_t index_avx512(const char *p, size_t n, uint32_t *at,
                                                                               size_t *lf)
{
    static const unsigned char places[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                             16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                             32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                             48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i comma = _mm512_set1_epi8(','), newline = _mm512_set1_epi8('\n'), place = _mm512_loadu_si512(places);
    uint32_t *to = at;
    *lf = 0;
    for (size_t i = 0; i < n; i += 64) {
        __m512i w = _mm512_loadu_si512(p + i), squeezed;
        uint64_t end = _mm512_cmpeq_epi8_mask(w, newline), hit = _mm512_cmpeq_epi8_mask(w, comma) | end;
        unsigned found = (unsigned)_mm_popcnt_u64(hit);
        squeezed = _mm512_maskz_compress_epi8(hit, place);
        for (unsigned k = 0; k < found; k += 16) {
            _mm512_storeu_si512(to + k, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(squeezed)),
                                                         _mm512_set1_epi32((int)i)));
            squeezed = _mm512_alignr_epi32(_mm512_setzero_si512(), squeezed, 4);
        }
        to += found;
        *lf += (size_t)_mm_popcnt_u64(end);
    }
    return (size_t)(to - at);
}

/* Eight cells, each in a word with its last byte uppermost and blanks in front: bit i of the result says that cell i is
 * a plain number. */
__attribute__((target("avx512bw"))) static inline unsigned numbers8(__m512i x, const struct smi_number *s, int32_t *u)
{
    const __m512i ones = _mm512_set1_epi8(1), blanks = _mm512_set1_epi8(' ');
    const __m512i digits = _mm512_set1_epi64((long long)s->digits), blank = _mm512_set1_epi64((long long)s->blank);
    __m512i bad, digit, v;
    bad = _mm512_xor_si512(_mm512_and_si512(x, _mm512_set1_epi64((long long)s->point_mask)),
                           _mm512_set1_epi64((long long)s->point));
    x = _mm512_or_si512(
        _mm512_or_si512(_mm512_slli_epi64(_mm512_and_si512(x, _mm512_set1_epi64((long long)s->below)), 8),
                        _mm512_and_si512(x, _mm512_set1_epi64((long long)s->above))),
        _mm512_set1_epi64((long long)s->fill));
    digit = _mm512_and_si512(_mm512_srli_epi64(x, 4), ones);
    v = _mm512_and_si512(x, _mm512_sub_epi8(_mm512_slli_epi64(digit, 4), digit));
    bad = _mm512_or_si512(
        bad, _mm512_xor_si512(x, _mm512_or_si512(_mm512_or_si512(blanks, _mm512_slli_epi64(digit, 4)), v)));
    bad = _mm512_or_si512(bad, _mm512_and_si512(_mm512_add_epi8(v, _mm512_set1_epi8(6)), _mm512_set1_epi8(16)));
    bad = _mm512_or_si512(bad, _mm512_andnot_si512(digit, _mm512_slli_epi64(digit, 8)));
    bad = _mm512_or_si512(bad, _mm512_xor_si512(_mm512_and_si512(digit, digits), digits));
    bad = _mm512_or_si512(bad, _mm512_and_si512(digit, blank));
    v = _mm512_madd_epi16(_mm512_maddubs_epi16(v, _mm512_set1_epi16(0x010A)), _mm512_set1_epi32(0x00010064));
    v = _mm512_add_epi64(_mm512_mul_epu32(v, _mm512_set1_epi64(10000)), _mm512_srli_epi64(v, 32));
    _mm256_storeu_si256((__m256i *)(void *)u, _mm512_cvtepi64_epi32(v));
    return _mm512_testn_epi64_mask(bad, bad) & _mm512_cmple_epi64_mask(v, _mm512_set1_epi64(s->limit));
}

__attribute__((target("avx512bw,avx512vl"))) static size_t cells_avx512(const char *p, const uint32_t *at,
                                                                        size_t columns, size_t n, size_t cut,
                                                                        const struct smi_number *s, int32_t *u)
{
    const __m512i blanks = _mm512_set1_epi8(' '), all = _mm512_set1_epi8(-1), eight = _mm512_set1_epi64(8);
    const __m256i row = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32((int)columns));
    for (size_t i = 0; i < n; i += 8, at += 8 * columns) {
        __mmask8 some = (__mmask8)(n - i < 8 ? (1u << (n - i)) - 1 : 255);
        __m256i before = _mm256_mmask_i32gather_epi32(row, some, row, at - 1, 4),
                end = _mm256_mmask_i32gather_epi32(row, some, row, at, 4);
        __m256i from = _mm256_add_epi32(before, _mm256_set1_epi32(1));
        __m512i len = _mm512_cvtepi32_epi64(_mm256_sub_epi32(_mm256_sub_epi32(end, from), _mm256_set1_epi32((int)cut)));
        __m512i shift = _mm512_slli_epi64(_mm512_sub_epi64(eight, len), 3);
        __m512i x = _mm512_mask_i64gather_epi64(blanks, some, _mm512_cvtepu32_epi64(from), p, 1);
        unsigned good;
        x = _mm512_or_si512(_mm512_sllv_epi64(x, shift), _mm512_andnot_si512(_mm512_sllv_epi64(all, shift), blanks));
        good = numbers8(x, s, u + i) &
               _mm512_cmple_epu64_mask(_mm512_sub_epi64(len, _mm512_set1_epi64(1)), _mm512_set1_epi64(7));
        if (good != 255) {
            i += (unsigned)__builtin_ctz(~good);
            return i < n ? i : n;
        }
    }
    return n;
}

__attribute__((target("avx512bw"))) static size_t fixed_avx512(const char *p, const uint32_t *at, size_t n, size_t len,
                                                               const struct smi_number *s, int32_t *u)
{
    const __m128i shift = _mm_cvtsi32_si128(8 * (8 - (int)len));
    const __m512i blanks = _mm512_andnot_si512(_mm512_sll_epi64(_mm512_set1_epi8(-1), shift), _mm512_set1_epi8(' '));
    for (size_t i = 0; i < n; i += 8) {
        __mmask8 some = (__mmask8)(n - i < 8 ? (1u << (n - i)) - 1 : 255);
        __m512i from = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)(at + i)));
        __m512i x = _mm512_mask_i64gather_epi64(blanks, some, from, p, 1);
        unsigned good = numbers8(_mm512_or_si512(_mm512_sll_epi64(x, shift), blanks), s, u + i);
        if (good != 255) {
            i += (unsigned)__builtin_ctz(~good);
            return i < n ? i : n;
        }
    }
    return n;
}

const struct smi_kernel smi_kernel_avx512 = {"avx512", runs_here, index_avx512, cells_avx512, fixed_avx512};
#endif
