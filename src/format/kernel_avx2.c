#include "format/kernel.h"

#ifdef __x86_64__
#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

enum { USUAL = 12 /* separators in 64 bytes, or fewer */ };

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

/* Offsets are written several at a time, more than there may be: hardly a branch depends on the exact number. */
__attribute__((target("avx2,bmi,popcnt"))) static size_t index_avx2(const char *p, size_t n, uint32_t *at,
                                                                 size_t *lf)
{
    uint32_t *to = at;
    *lf = 0;
    for (size_t i = 0; i < n; i += 64) {
        uint64_t end = equal(p + i, '\n'), hit = equal(p + i, ',') | end;
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

/* Words of which every byte is a digit or a blank, all XORed with blanks: which is which, and the numbers. */
__attribute__((target("avx2"))) static inline __m256i parts4(__m256i x, uint32_t *digit, uint32_t *blank)
{
    __m256i v = _mm256_sub_epi8(x, _mm256_set1_epi8('0' ^ ' '));
    *digit = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(9)), v));
    *blank = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_setzero_si256()));
    v = _mm256_and_si256(x, _mm256_set1_epi8(15));
    v = _mm256_maddubs_epi16(v, _mm256_set1_epi16(0x010A));
    v = _mm256_madd_epi16(v, _mm256_set1_epi32(0x00010064)); /* four digits in each half */
    return _mm256_add_epi64(_mm256_mul_epu32(v, _mm256_set1_epi64x(10000)), _mm256_srli_epi64(v, 32));
}

/* The low halves of four words. */
__attribute__((target("avx2"))) static inline __m128i narrow(__m256i v)
{
    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
}

/* Four cells, each in a word with its last byte uppermost, the blanks in front are 0 (all was XORed with blanks): bit i
 * of the result says that cell i is a plain number, as far as the first that is not. */
__attribute__((target("avx2"))) static inline unsigned numbers4(__m256i x, const struct wanted *w, int32_t *u)
{
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
    v = parts4(x, &digit, &blank);
    bad = ~(digit | blank) | (blank & (blank + ones)) /* a blank behind a digit */ | (~digit & w->digit) |
          (~blank & w->blank);
    if (digit & ones * 3) { /* seven digits or more: smi_number.limit has as many at least */
        __m256i over = _mm256_cmpgt_epi64(v, _mm256_set1_epi64x(s->limit));
        good &= ~(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(over));
    }
    _mm_storeu_si128((__m128i *)(void *)u, narrow(v));
    return bad ? good & ((1u << (__builtin_ctz(bad) >> 3)) - 1) : good;
}

static inline long long word(const char *p)
{
    long long w;
    memcpy(&w, p, sizeof w);
    return w;
}

/* What four lanes want of their cells. */
struct half {
    __m256i point_mask, point, above, limit;
    __m128i most;
    uint32_t some, digits, blank;
    unsigned of[4]; /* the cell that each loads: no other than those with a column */
};

__attribute__((target("avx2"))) static struct half half_of(const struct smi_lanes *g, unsigned from)
{
    struct half h = {
        _mm256_loadu_si256((const __m256i *)(const void *)(g->point_mask + from)),
        _mm256_loadu_si256((const __m256i *)(const void *)(g->point + from)),
        _mm256_loadu_si256((const __m256i *)(const void *)(g->above + from)),
        _mm256_loadu_si256((const __m256i *)(const void *)(g->limit + from)),
        _mm_loadu_si128((const __m128i *)(const void *)(g->most + from)),
        (uint32_t)(g->some >> 8 * from), (uint32_t)(g->digits >> 8 * from), (uint32_t)(g->blank >> 8 * from),
        {0}};
    for (unsigned k = 0; k < 4; k++)
        h.of[k] = from + k < g->lanes ? from + k : 0;
    return h;
}

/* Four cells of a row become u[0 ... 3]. Returns false if one is not plain. */
__attribute__((target("avx2"))) static inline bool row4(const char *p, const uint32_t *at, const struct half *h,
                                                        unsigned from, int32_t *u)
{
    const __m256i blanks = _mm256_set1_epi8(' ');
    const uint32_t ones = 0x01010101u, *front = at - 1;
    __m128i len = _mm_sub_epi32(_mm_loadu_si128((const __m128i *)(const void *)(at + from)),
                                _mm_loadu_si128((const __m128i *)(const void *)(front + from)));
    /* the bits that lack to a word; fewer than 0 or all: nothing is left */
    __m256i lack = _mm256_cvtepi32_epi64(_mm_slli_epi32(_mm_sub_epi32(h->most, len), 3)), v;
    __m256i x = _mm256_setr_epi64x(
        word(p + (uint32_t)(front[h->of[0]] + 1)), word(p + (uint32_t)(front[h->of[1]] + 1)),
        word(p + (uint32_t)(front[h->of[2]] + 1)), word(p + (uint32_t)(front[h->of[3]] + 1)));
    uint32_t digit, blank, bad, point;
    x = _mm256_sllv_epi64(_mm256_xor_si256(x, blanks), lack);
    point = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi64(_mm256_and_si256(x, h->point_mask), h->point));
    x = _mm256_or_si256(_mm256_and_si256(x, h->above), _mm256_andnot_si256(h->above, _mm256_slli_epi64(x, 8)));
    v = parts4(x, &digit, &blank);
    bad = ~(digit | blank) | (~digit & h->digits) | (~blank & h->blank) | ~point;
    blank &= h->some;
    bad |= blank & (blank + ones); /* a blank behind a digit */
    if (digit & ones * 3) /* seven digits or more: smi_number.limit has as many at least */
        bad |= (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi64(v, h->limit));
    _mm_storeu_si128((__m128i *)(void *)(u + from), narrow(v));
    return !(bad & h->some);
}

__attribute__((target("avx2"))) void smi_kernel_turn(int32_t row[SMI_LANES][SMI_LANES], int32_t *const u[SMI_LANES],
                                                     size_t at)
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
        _mm256_storeu_si256((__m256i *)(void *)(u[k + 4] + at), _mm256_permute2x128_si256(a[k], a[k + 4], 0x31));
    }
}

__attribute__((target("avx2"))) static size_t cells_avx2(const char *p, const uint32_t *at, size_t columns, size_t n,
                                                         const struct smi_lanes *g, size_t first)
{
    const struct half left = half_of(g, 0), right = half_of(g, 4);
    int32_t row[SMI_LANES][SMI_LANES];
    bool good = true;
    size_t i = 0;
    at += g->place;
    for (; i < n; i++, at += columns) {
        good = row4(p, at, &left, 0, row[i % 8]) && (!right.some || row4(p, at, &right, 4, row[i % 8]));
        if (!good)
            break;
        if (i % 8 == 7)
            smi_kernel_turn(row, g->u, first + i - 7);
    }
    if (i % 8)
        smi_kernel_turn(row, g->u, first + i / 8 * 8);
    return i;
}

__attribute__((target("avx2"))) static size_t fixed_avx2(const char *p, const uint32_t *at, size_t n, size_t len,
                                                         const struct smi_number *s, int32_t *u)
{
    const __m128i shift = _mm_cvtsi32_si128(8 * (8 - (int)len));
    const __m256i blanks = _mm256_set1_epi8(' ');
    const struct wanted w = want(s);
    for (size_t i = 0; i < n; i += 4) {
        size_t last = n - 1, b = i < last ? i + 1 : last, c = b < last ? b + 1 : last, d = c < last ? c + 1 : last;
        __m256i x = _mm256_setr_epi64x(word(p + at[i]), word(p + at[b]), word(p + at[c]), word(p + at[d]));
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
