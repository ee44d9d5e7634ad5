#include "base/int128.h"
#include "base/text.h"

#include <math.h>

smi_i128 smi_i128_div(smi_i128 num, smi_i128 den)
{
    /* 64 bits are nearly always enough: a tenth of the time */
    const bool narrow = (int64_t)num == num && (int64_t)den == den;
    smi_i128 q = narrow ? (int64_t)num / (int64_t)den : num / den, r = num - q * den;
    if (r < 0) { /* floor division: 0 <= r < den */
        r += den;
        q -= 1;
    }
    return q + (r > den - r || (r == den - r && (q & 1)));
}

uint64_t smi_u128_sqrt(smi_u128 v)
{
    uint64_t s;
    smi_u128 t;
    if (v == 0)
        return 0;
    /* A floating guess is within a few units in the last place; the loops settle it exactly. */
    s = (uint64_t)fminl(sqrtl((long double)v), 18446744073709551615.0L);
    for (t = s; t * t > v; t--)
        ;
    while (t < UINT64_MAX && (t + 1) * (t + 1) <= v)
        t++;
    return (uint64_t)t;
}

static int bit_length(smi_u128 v)
{
    uint64_t hi = (uint64_t)(v >> 64), lo = (uint64_t)v;
    return hi ? 128 - __builtin_clzll(hi) : lo ? 64 - __builtin_clzll(lo) : 0;
}

double smi_i128_ratio(smi_i128 num, smi_i128 den)
{
    smi_u128 n = num < 0 ? -(smi_u128)num : (smi_u128)num, d = (smi_u128)den, q;
    int shift, cut;
    bool more;
    double v;
    if (n == 0)
        return 0.0;
    if ((n | d) >> 53 == 0) /* both are exact as doubles, and so their quotient is rounded once */
        return (double)(int64_t)num / (double)(int64_t)den;
    shift = bit_length(n) < 127 ? 127 - bit_length(n) : 0;
    n <<= shift;
    q = n / d; /* 63 bits or more */
    /* 64 bits at most, of which a double takes 53: the last one says that there is more behind them */
    cut = bit_length(q) > 64 ? bit_length(q) - 64 : 0;
    more = n % d || (q & (((smi_u128)1 << cut) - 1));
    v = ldexp((double)((uint64_t)(q >> cut) | more), cut - shift);
    return num < 0 ? -v : v;
}

size_t smi_i128_write(char *buf, smi_i128 v)
{
    const uint32_t part =
        100000000; /* eight digits at once; without a division of 128 bits where it can be */
    const smi_u128 u = v < 0 ? -(smi_u128)v : (smi_u128)v, above = u >> 64 ? u / part : (uint64_t)u / part;
    size_t n = v < 0;
    *buf = '-';
    if (!above) /* nearly all there is */
        return n + smi_text_write_small(buf + n, (uint32_t)u);
    n += smi_i128_write(buf + n, (smi_i128)above);
    smi_text_put8(buf + n, smi_eight_digits((uint32_t)(u - above * part)) | SMI_EVERY_BYTE('0'));
    buf[n += 8] = 0;
    return n;
}

int smi_i128_parse(const char *p, size_t n, smi_i128 *out)
{
    smi_i128 v = 0;
    size_t i = n > 0 && p[0] == '-';
    if (i == n || n - i > 38)
        return -1;
    for (; i < n; i++) {
        if (!smi_is_digit(p[i]))
            return -1;
        v = v * 10 + (p[i] - '0');
    }
    *out = n && p[0] == '-' ? -v : v;
    return 0;
}
