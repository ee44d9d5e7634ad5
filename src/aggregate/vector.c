#include "aggregate/counts.h"
#include "model/rows.h"

SMI_CLONES void smi_vector_pick(const int32_t *restrict u, const uint16_t *restrict at, size_t n,
                                int32_t *restrict out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = u[at[i]];
}

SMI_CLONES uint32_t smi_vector_differing(const int32_t *u, size_t n)
{
    int32_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= u[i] ^ u[0];
    return (uint32_t)all;
}

SMI_CLONES size_t smi_vector_changes(const int32_t *u, size_t n)
{
    uint32_t all = 0;
    for (size_t i = 1; i < n; i++)
        all += u[i] != u[i - 1];
    return all;
}

SMI_CLONES void smi_vector_ends(const int32_t *u, size_t n, int32_t *min, int32_t *max)
{
    int32_t low = *u, high = *u;
    for (size_t i = 1; i < n; i++) {
        low = u[i] < low ? u[i] : low;
        high = u[i] > high ? u[i] : high;
    }
    *min = low;
    *max = high;
}

SMI_CLONES uint64_t smi_vector_distances(const int64_t *restrict t, size_t n, int64_t last,
                                         int32_t *restrict d)
{
    uint64_t other = (uint64_t)t[0] - (uint64_t)last - 1;
    d[0] = (int32_t)(t[0] - last);
    for (size_t i = 1; i < n; i++) {
        uint64_t now = (uint64_t)t[i] - (uint64_t)t[i - 1];
        d[i] = (int32_t)now;
        other |= now - 1;
    }
    return other >> SMI_VECTOR_DISTANCE_BITS;
}

SMI_CLONES void smi_vector_sums_above(const int32_t *key, const int32_t *u, size_t n,
                                      const int32_t least[SMI_VECTOR_SUMS], int64_t sum[SMI_VECTOR_SUMS])
{
    const int32_t a = least[0], b = least[1], c = least[2];
    int64_t as = 0, bs = 0, cs = 0;
    for (size_t i = 0; i < n; i++) {
        as += key[i] >= a ? u[i] : 0;
        bs += key[i] >= b ? u[i] : 0;
        cs += key[i] >= c ? u[i] : 0;
    }
    sum[0] = as;
    sum[1] = bs;
    sum[2] = cs;
}

SMI_CLONES void smi_vector_moments(const uint8_t counter[SMI_COUNTS_PAGE], uint64_t sum[3])
{
    uint32_t all = 0, once = 0, twice = 0;
    _Static_assert(SMI_COUNTS_PAGE <= 256, "255 times the sum of the squares of 0 ... 255 fit in 32 bits");
    for (uint32_t k = 0; k < SMI_COUNTS_PAGE; k++) {
        all += counter[k];
        once += counter[k] * k;
        twice += counter[k] * k * k;
    }
    sum[0] = all;
    sum[1] = once;
    sum[2] = twice;
}

SMI_CLONES uint64_t smi_vector_area(const int32_t *u, const int32_t *dt, size_t n)
{
    const int32_t *before = u - 1;
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++) /* 32 bits by 32, as machines have it for many at once */
        all += (uint64_t)((uint32_t)before[i] + (uint32_t)u[i]) * (uint32_t)dt[i];
    return all;
}
