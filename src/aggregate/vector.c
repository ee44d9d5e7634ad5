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

SMI_CLONES unsigned smi_vector_keep(const int32_t *restrict u, size_t n, int32_t least, int32_t most,
                                    uint8_t *restrict on)
{
    unsigned all = 0;
    for (size_t i = 0; i < n; i++)
        on[i] = (uint8_t)(on[i] & (u[i] >= least) & (u[i] <= most));
    for (size_t i = 0; i < n; i++)
        all += on[i];
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

/* Bit by bit: how many numbers are below tells whether it is set. The places stand side by side: GCC makes no
 * vectors of a loop over them. */
SMI_CLONES void smi_vector_ranks(const int32_t *restrict u, size_t n,
                                 const uint32_t place[SMI_COUNTS_PERCENTILES], uint32_t bit,
                                 int32_t v[SMI_COUNTS_PERCENTILES], int32_t behind[SMI_COUNTS_PERCENTILES])
{
#define EACH_RANK(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6)
#define BEGIN(k)                                  \
    const int32_t least##k = v[k] + (int32_t)bit; \
    uint32_t below##k = 0;
#define COUNT(k) below##k += u[i] < least##k;
#define SET(k) v[k] += below##k <= place[k] ? (int32_t)bit : 0;
    _Static_assert(SMI_COUNTS_PERCENTILES == 7, "EACH_RANK");
    for (; bit; bit >>= 1) {
        EACH_RANK(BEGIN)
        for (size_t i = 0; i < n; i++) {
            EACH_RANK(COUNT)
        }
        EACH_RANK(SET)
    }
    for (int k = 0; k < SMI_COUNTS_PERCENTILES; k++) {
        uint32_t here = (uint32_t)v[k], step = UINT32_MAX, upto = 0;
        for (size_t i = 0; i < n; i++) {
            const uint32_t above = (uint32_t)u[i] - here - 1; /* large if it is not */
            step = above < step ? above : step;
            upto += above > INT32_MAX;
        }
        behind[k] = (int32_t)(upto > place[k] + 1 ? here : here + 1 + step);
    }
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

SMI_CLONES void smi_vector_above(const int32_t *u, size_t n, int32_t min, uint64_t *sum, uint64_t *squares)
{
    uint64_t all = 0, all2 = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t above = (uint32_t)u[i] - (uint32_t)min;
        all += above;
        all2 += (uint64_t)above * above;
    }
    *sum = all;
    *squares = all2;
}

SMI_CLONES uint64_t smi_vector_area(const int32_t *u, const int32_t *dt, size_t n)
{
    const int32_t *before = u - 1;
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++) /* 32 bits by 32, as machines have it for many at once */
        all += (uint64_t)((uint32_t)before[i] + (uint32_t)u[i]) * (uint32_t)dt[i];
    return all;
}
