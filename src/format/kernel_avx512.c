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

/* What smi_number tells of bytes, as one bit for each byte of eight words. */
struct wanted {
    struct smi_number s;
    uint64_t digit, blank;
};

static struct wanted want(const struct smi_number *s)
{
    const uint64_t ones = 0x0101010101010101u, gather = 0x0102040810204080u;
    return (struct wanted){*s, (s->digits * gather >> 56) * ones, (s->blank * gather >> 56) * ones};
}

/* Words of which every byte is a digit or a blank, all XORed with blanks: which is which, and the numbers. */
__attribute__((target("avx512bw"))) static inline __m512i parts8(__m512i x, uint64_t *digit, uint64_t *blank)
{
    __m512i v = _mm512_and_si512(x, _mm512_set1_epi8(15));
    *digit = _mm512_cmple_epu8_mask(_mm512_sub_epi8(x, _mm512_set1_epi8('0' ^ ' ')), _mm512_set1_epi8(9));
    *blank = _mm512_testn_epi8_mask(x, x);
    v = _mm512_madd_epi16(_mm512_maddubs_epi16(v, _mm512_set1_epi16(0x010A)), _mm512_set1_epi32(0x00010064));
    return _mm512_add_epi64(_mm512_mul_epu32(v, _mm512_set1_epi64(10000)), _mm512_srli_epi64(v, 32));
}

/* Eight cells, each in a word with its last byte uppermost, the blanks in front are 0 (all was XORed with blanks): bit
 * i of the result says that cell i is a plain number, as far as the first that is not. */
__attribute__((target("avx512bw"))) static inline unsigned numbers8(__m512i x, const struct wanted *w, int32_t *u)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t digit, blank, bad;
    const struct smi_number *s = &w->s;
    unsigned good = 255;
    __m512i v;
    if (s->point_mask) {
        __m512i point = _mm512_set1_epi64((long long)(s->point ^ (s->point_mask & (ones * ' ')))),
                mask = _mm512_set1_epi64((long long)s->point_mask), above = _mm512_set1_epi64((long long)s->above);
        good = _mm512_cmpeq_epi64_mask(_mm512_and_si512(x, mask), point);
        x = _mm512_or_si512(_mm512_and_si512(x, above), _mm512_andnot_si512(above, _mm512_slli_epi64(x, 8)));
    }
    v = parts8(x, &digit, &blank);
    _mm256_storeu_si256((__m256i *)(void *)u, _mm512_cvtepi64_epi32(v));
    bad = ~(digit | blank) | (blank & (blank + ones)) /* a blank behind a digit */ | (~digit & w->digit) |
          (~blank & w->blank);
    if (digit & ones * 3) /* seven digits or more: smi_number.limit has as many at least */
        good &= _mm512_cmple_epi64_mask(v, _mm512_set1_epi64(s->limit));
    return bad ? good & ((1u << (__builtin_ctzll(bad) >> 3)) - 1) : good;
}

__attribute__((target("avx512bw,avx512vl"))) static size_t cells_avx512(const char *p, const uint32_t *at,
                                                                        size_t columns, size_t n,
                                                                        const struct smi_lanes *g, size_t first)
{
    const uint64_t ones = 0x0101010101010101u;
    const __m512i blanks = _mm512_set1_epi8(' '), mask = _mm512_loadu_si512(g->point_mask),
                  point = _mm512_loadu_si512(g->point), above = _mm512_loadu_si512(g->above);
    const __m256i most = _mm256_loadu_si256((const __m256i *)(const void *)g->most);
    const __mmask8 some = (__mmask8)((g->some & ones) * 0x0102040810204080u >> 56);
    int32_t row[SMI_LANES][SMI_LANES];
    size_t i = 0;
    at += g->place;
    for (; i < n; i++, at += columns) {
        __m256i front = _mm256_loadu_si256((const __m256i *)(const void *)(at - 1));
        __m256i len = _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)(const void *)at), front);
        __m256i from = _mm256_add_epi32(front, _mm256_set1_epi32(1));
        /* the bits that lack to a word; fewer than 0 or all: nothing is left */
        __m512i lack = _mm512_cvtepi32_epi64(_mm256_slli_epi32(_mm256_sub_epi32(most, len), 3)), v;
        __m512i x = _mm512_mask_i64gather_epi64(blanks, some, _mm512_cvtepu32_epi64(from), p, 1);
        uint64_t digit, blank, bad;
        unsigned good;
        x = _mm512_sllv_epi64(_mm512_xor_si512(x, blanks), lack);
        good = _mm512_cmpeq_epi64_mask(_mm512_and_si512(x, mask), point);
        x = _mm512_ternarylogic_epi64(above, x, _mm512_slli_epi64(x, 8), 0xCA); /* above ? x : x << 8 */
        v = parts8(x, &digit, &blank);
        bad = ~(digit | blank) | (~digit & g->digits);
        blank &= g->some;
        bad |= blank & (blank + ones); /* a blank behind a digit */
        if (digit & ones * 3) /* seven digits or more: smi_number.limit has as many at least */
            good &= _mm512_cmple_epi64_mask(v, _mm512_loadu_si512(g->limit));
        if ((bad & g->some) || (~good & some))
            break;
        _mm256_storeu_si256((__m256i *)(void *)row[i % 8], _mm512_cvtepi64_epi32(v));
        if (i % 8 == 7)
            smi_kernel_turn(row, g->u, first + i - 7);
    }
    if (i % 8)
        smi_kernel_turn(row, g->u, first + i / 8 * 8);
    return i;
}

__attribute__((target("avx512bw"))) static size_t fixed_avx512(const char *p, const uint32_t *at, size_t n, size_t len,
                                                               const struct smi_number *s, int32_t *u)
{
    const __m128i shift = _mm_cvtsi32_si128(8 * (8 - (int)len));
    const __m512i blanks = _mm512_set1_epi8(' ');
    const struct wanted w = want(s);
    for (size_t i = 0; i < n; i += 8) {
        __mmask8 some = (__mmask8)(n - i < 8 ? (1u << (n - i)) - 1 : 255);
        __m512i from = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)(at + i)));
        __m512i x = _mm512_mask_i64gather_epi64(blanks, some, from, p, 1);
        unsigned good = numbers8(_mm512_sll_epi64(_mm512_xor_si512(x, blanks), shift), &w, u + i);
        if (good != 255) {
            i += (unsigned)__builtin_ctz(~good);
            return i < n ? i : n;
        }
    }
    return n;
}

const struct smi_kernel smi_kernel_avx512 = {"avx512", runs_here, index_avx512, cells_avx512, fixed_avx512};
#endif
