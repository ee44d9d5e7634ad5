/* Many readings of one unit, once they are counted; and all those of other counts. */
#include "aggregate/counts_private.h"
#include "aggregate/vector.h"

#include <string.h>

enum { AHEAD = 32, RUN = 8 };

/* Values of one page, as most are, which differ in these bits: counted apart first. Neighbours often are
 * equal, and each would wait for the one before it: they go into two tables in turn. */
static int count_near(struct smi_counts *c, const int32_t *u, size_t n, uint32_t bits)
{
    uint16_t found[2][SMI_COUNTS_PAGE];
    uint32_t width = UINT32_MAX >> __builtin_clz(bits), page = (uint32_t)u[0] - (uint8_t)u[0];
    uint32_t first = (uint8_t)u[0] & ~width;
    memset(found[0] + first, 0, (width + 1) * sizeof **found);
    memset(found[1] + first, 0, (width + 1) * sizeof **found);
    for (size_t i = 0; i + 2 <= n; i += 2) {
        found[0][(uint8_t)u[i]]++;
        found[1][(uint8_t)u[i + 1]]++;
    }
    found[0][(uint8_t)u[n - 1]] += n % 2;
    for (uint32_t k = first; k <= first + width; k++) {
        unsigned more = (unsigned)found[0][k] + found[1][k];
        if (more && !smi_counts_more(c, page + k, more) &&
            smi_counts_value(c, (int64_t)(page + k) * c->step, more))
            return -1;
    }
    return 0;
}

/* Where the counters of the values u[0 ...] * ratio are, asked for from memory: of AHEAD values, and up to
 * the first that has no page. Returns how many. */
static size_t find_counters(const struct smi_counts *c, const int32_t *u, size_t n, uint64_t ratio,
                            uint8_t **at)
{
    struct smi_counts_page *const *page = c->page;
    size_t pages = c->pages, i = 0;
    for (n = n < AHEAD ? n : AHEAD; i < n; i++) {
        uint64_t place = (uint32_t)u[i] * ratio, k = place / SMI_COUNTS_PAGE;
        if (k >= pages || !page[k])
            break;
        at[i] = &page[k]->low[place % SMI_COUNTS_PAGE];
        __builtin_prefetch(at[i], 1);
    }
    return i;
}

/* The values u[0 ...] * ratio that have a page, as long as each of their counters holds one more; the limit
 * of distinct values is out of reach. Returns how many. No branch depends on whether a value is the first of
 * its kind: it would be guessed wrong too often, while the counter is on its way from memory. All counters of
 * a few GPUs are more than the caches hold: while some are counted, the next are on their way. */
static size_t count_dense(struct smi_counts *c, const int32_t *u, size_t n, uint64_t ratio)
{
    uint8_t *at[2][AHEAD], **now = at[0], **next = at[1], **last;
    size_t first = 0, i = 0, k, some = find_counters(c, u, n, ratio, now), more;
    for (; some; some = more) {
        more = some == AHEAD ? find_counters(c, u + i + some, n - i - some, ratio, next) : 0;
        for (k = 0; k < some && *now[k] != SMI_COUNTS_PAGE_LOW; k++) {
            first += *now[k] == 0;
            ++*now[k];
        }
        i += k;
        if (k < some)
            break;
        last = now;
        now = next;
        next = last;
    }
    c->distinct += first;
    return i;
}

/* Counts u n times; ratio: steps in a unit, or 0 if they are not whole. */
static int count_one(struct smi_counts *c, int32_t u, size_t n, uint64_t ratio, int64_t scale)
{
    if (ratio && n <= SMI_COUNTS_PAGE_MAX && smi_counts_more(c, (uint32_t)u * ratio, (uint32_t)n))
        return 0;
    return smi_counts_value(c, u * scale, (int64_t)n);
}

int smi_counts_units(struct smi_counts *c, const int32_t *u, size_t n, int64_t scale)
{
    uint64_t ratio = scale % c->step ? 0 : (uint64_t)(scale / c->step);
    uint32_t bits = n ? smi_vector_differing(u, n) : 0;
    bool runs;
    if (n && bits == 0) /* as a GPU's often are, a block long */
        return count_one(c, *u, n, ratio, scale);
    if (ratio == 1 && bits < SMI_COUNTS_PAGE && bits < n && n < UINT16_MAX)
        return count_near(c, u, n, bits);
    runs = smi_vector_changes(u, n) < n / RUN; /* of equal readings, side by side */
    for (size_t i = 0, k; i < n; i = k) {
        if (!runs && ratio && c->distinct + (n - i) <= SMI_DISTINCT_CAP)
            i += count_dense(c, u + i, n - i, ratio);
        for (k = i + 1; runs && k < n && u[k] == u[i]; k++)
            ;
        if (i < n && count_one(c, u[i], k - i, ratio, scale))
            return -1;
    }
    return 0;
}

int smi_counts_join(struct smi_counts *a, const struct smi_counts *b)
{
    for (size_t i = 0; i < b->pages; i++) {
        const struct smi_counts_page *from = b->page[i];
        for (size_t k = 0; from && k < SMI_COUNTS_PAGE; k++) {
            uint32_t n = smi_counts_page_get(from, k);
            if (n && !smi_counts_more(a, i * SMI_COUNTS_PAGE + k, n) &&
                smi_counts_value(a, (int64_t)(i * SMI_COUNTS_PAGE + k) * b->step, n))
                return -1;
        }
    }
    for (size_t i = 0; i < b->cap; i++)
        if (b->slot[i].n && smi_counts_value(a, b->slot[i].key, b->slot[i].n))
            return -1;
    return 0;
}
