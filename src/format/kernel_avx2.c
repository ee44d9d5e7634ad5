#include "format/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>
#include <string.h>

static int runs_here(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
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

/* What smi_number tells of bytes, as one bit for each byte of four words. */
struct wanted {
    struct smi_number s;
    uint32_t digit, blank;
};

static struct wanted want(const struct smi_number *s)
{
    const uint64_t gather = 0x0102040810204080u;
    return (struct wanted){*s, (uint32_t)(s->digits * gather >> 56) * 0x01010101u,
                           (uint32_t)(s->blank * gather >> 56) * 0x01010101u};
}

/* Four cells, each in a word with its last byte uppermost, the blanks in front are 0 (all was XORed with blanks): bit i
 * of the result says that cell i is a plain number, as far as the first that is not. */
__attribute__((target("avx2"))) static inline unsigned numbers4(__m256i x, const struct wanted *w, int32_t *u)
{
    const __m256i nine = _mm256_set1_epi8(9), ten = _mm256_set1_epi16(0x010A), hundred = _mm256_set1_epi32(0x00010064);
    const uint32_t ones = 0x01010101u;
    const struct smi_number *s = &w->s;
    uint32_t digit, blank, bad;
    unsigned good = 15;
    __m256i v;
    if (s->point_mask) {
        __m256i point = _mm256_set1_epi64x((long long)(s->point ^ (s->point_mask & 0x2020202020202020u))),
                mask = _mm256_set1_epi64x((long long)s->point_mask), above = _mm256_set1_epi64x((long long)s->above);
        v = _mm256_cmpeq_epi64(_mm256_and_si256(x, mask), point);
        good = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(v));
        x = _mm256_or_si256(_mm256_and_si256(x, above), _mm256_andnot_si256(above, _mm256_slli_epi64(x, 8)));
    }
    v = _mm256_sub_epi8(x, _mm256_set1_epi8('0' ^ ' '));
    digit = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(v, nine), v));
    blank = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_setzero_si256()));
    v = _mm256_and_si256(x, _mm256_set1_epi8(15));
    v = _mm256_madd_epi16(_mm256_maddubs_epi16(v, ten), hundred); /* four digits in each half */
    v = _mm256_add_epi64(_mm256_mul_epu32(v, _mm256_set1_epi64x(10000)), _mm256_srli_epi64(v, 32));
    bad = ~(digit | blank) | (blank & (blank + ones)) /* a blank behind a digit */ | (~digit & w->digit) |
          (~blank & w->blank);
    if (digit & ones * 3) { /* seven digits or more: smi_number.limit has as many at least */
        __m256i over = _mm256_cmpgt_epi64(v, _mm256_set1_epi64x(s->limit));
        good &= ~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(over));
    }
    v = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128((__m128i *)(void *)u, _mm256_castsi256_si128(v));
    return bad ? good & ((1u << (__builtin_ctz(bad) >> 3)) - 1) : good;
}

static inline uint64_t word(const char *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

/* The cell between two separators, less its last `cut` bytes: its last byte uppermost, 0 for the blanks in front. A
 * cell of none or of more than eight bytes is 0, which is no number. */
__attribute__((target("bmi2"))) static inline uint64_t cell(const char *p, const uint32_t *at, uint32_t cut)
{
    uint32_t from = at[-1] + 1, lack = 8 - (at[0] - cut - from);
    uint64_t x = (word(p + from) ^ 0x2020202020202020u) << (8 * lack & 63);
    return lack < 8 ? x : 0;
}

__attribute__((target("avx2,bmi2"))) static size_t cells_avx2(const char *p, const uint32_t *at, size_t columns,
                                                              size_t n, size_t cut, const struct smi_number *s,
                                                              int32_t *u)
{
    const struct wanted w = want(s);
    for (size_t i = 0; i < n; i += 4, at += 4 * columns) {
        size_t last = n - i < 4 ? n - i - 1 : 3;
        const uint32_t *b = at + (last > 0 ? columns : 0), *c = at + (last > 1 ? 2 : last) * columns,
                       *d = at + last * columns;
        uint32_t less = (uint32_t)cut;
        unsigned good = numbers4(_mm256_setr_epi64x((long long)cell(p, at, less), (long long)cell(p, b, less),
                                                    (long long)cell(p, c, less), (long long)cell(p, d, less)),
                                 &w, u + i);
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
    const __m256i blanks = _mm256_set1_epi8(' ');
    const struct wanted w = want(s);
    for (size_t i = 0; i < n; i += 4) {
        size_t last = n - 1, b = i < last ? i + 1 : last, c = b < last ? b + 1 : last, d = c < last ? c + 1 : last;
        __m256i x = _mm256_setr_epi64x((long long)word(p + at[i]), (long long)word(p + at[b]),
                                       (long long)word(p + at[c]), (long long)word(p + at[d]));
        unsigned good = numbers4(_mm256_sll_epi64(_mm256_xor_si256(x, blanks), shift), &w, u + i);
        if (good != 15) {
            i += (unsigned)__builtin_ctz(~good);
            return i < n ? i : n;
        }
    }
    return n;
}

const struct smi_kernel smi_kernel_avx2 = {"avx2", runs_here, index_avx2, cells_avx2, fixed_avx2};
#endif
