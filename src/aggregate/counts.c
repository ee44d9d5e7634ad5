#include "aggregate/counts_private.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void smi_counts_init(struct smi_counts *c, int64_t step)
{
    *c = (struct smi_counts){.step = step};
}

void smi_counts_fini(struct smi_counts *c)
{
    for (size_t i = 0; i < c->pages; i++) {
        if (c->page[i])
            smi_mem_free(c->page[i]->high);
        smi_mem_free(c->page[i]);
    }
    smi_mem_free(c->page);
    smi_mem_free(c->slot);
    smi_mem_free(c->few);
    *c = (struct smi_counts){.step = c->step};
}

void smi_counts_reset(struct smi_counts *c)
{
    int32_t *few = c->few;
    c->few = NULL;
    smi_counts_fini(c);
    c->few = few;
}

/* Where a key wants to be. */
static size_t hash_home(const struct smi_counts *c, int64_t key)
{
    uint64_t h = (uint64_t)key;
    h = (h ^ h >> 32) * 0x9E3779B97F4A7C15u; /* every bit of the value reaches every bit of the place */
    h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
    h ^= h >> 32;
    return (size_t)h & (c->cap - 1);
}

/* Where it is, or would be put. */
static size_t hash_place(const struct smi_counts *c, int64_t key)
{
    size_t i = hash_home(c, key);
    while (c->slot[i].n && c->slot[i].key != key)
        i = (i + 1) & (c->cap - 1);
    return i;
}

static int grow_hash(struct smi_counts *c)
{
    struct smi_counts old = *c;
    c->cap = old.cap ? old.cap * 2 : 64;
    c->slot = smi_mem_new(c->cap, sizeof *c->slot);
    if (!c->slot) {
        *c = old;
        return -1;
    }
    for (size_t i = 0; i < old.cap; i++)
        if (old.slot[i].n)
            c->slot[hash_place(c, old.slot[i].key)] = old.slot[i];
    smi_mem_free(old.slot);
    return 0;
}

/* Adds n to a key of the hash. *fresh says whether the key is new. */
static int hash_add(struct smi_counts *c, int64_t key, int64_t n, bool *fresh)
{
    size_t i;
    if (c->used * 4 >= c->cap * 3 && grow_hash(c))
        return -1;
    i = hash_place(c, key);
    *fresh = c->slot[i].n == 0;
    c->used += *fresh;
    c->slot[i].key = key;
    c->slot[i].n += n;
    return 0;
}

/* v / step for the steps that the catalogue has: a constant divisor costs a tenth of a variable one. */
static inline uint64_t divide_by_step(uint64_t v, int64_t step)
{
    switch (step) {
    case 1000000:
        return v / 1000000;
    case 10000:
        return v / 10000;
    case 100000:
        return v / 100000;
    case 1:
        return v;
    default:
        return v / (uint64_t)step;
    }
}

/* The low edge of v's bucket, with v's sign: values under 2,048 themselves, else their top 11 bits. */
static int64_t bucket_edge(int64_t v)
{
    uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
    int shift = u < 2048 ? 0 : 64 - __builtin_clzll(u) - 11;
    u = (u >> shift) << shift;
    return v < 0 ? -(int64_t)u : (int64_t)u;
}

static void add_running_sums(struct smi_counts *c, int64_t v, int64_t n)
{
    if (c->n == 0 || v < c->min)
        c->min = v;
    if (c->n == 0 || v > c->max)
        c->max = v;
    c->n += n;
    c->sum += (smi_i128)v * n;
    c->sum2 += (smi_i128)v * v * n;
}

static int add_to_bucket(struct smi_counts *c, int64_t v, int64_t n)
{
    bool fresh;
    add_running_sums(c, v, n);
    return hash_add(c, bucket_edge(v), n, &fresh);
}

/* All values of b, upwards. */
static int add_each(struct smi_counts *a, const struct smi_counts *b,
                    int (*add)(struct smi_counts *c, int64_t v, int64_t n))
{
    struct smi_counts_view v;
    struct smi_counts_cursor w = {0};
    struct smi_counts_item i;
    int rc = smi_counts_view(b, &v);
    while (!rc && smi_counts_view_next(&v, &w, &i))
        rc = add(a, i.value, i.n);
    smi_counts_view_fini(&v);
    return rc;
}

/* Too many distinct values: from here on buckets and running sums. */
static int convert_to_buckets(struct smi_counts *c)
{
    struct smi_counts b = {.step = c->step, .counting = true, .approximate = true};
    if (add_each(&b, c, add_to_bucket)) {
        smi_counts_fini(&b);
        return -1;
    }
    smi_counts_fini(c);
    *c = b;
    return 0;
}

static int add_sparse(struct smi_counts *c, int64_t v, int64_t n)
{
    bool fresh;
    if (c->approximate)
        return add_to_bucket(c, v, n);
    if (hash_add(c, v, n, &fresh))
        return -1;
    c->distinct += fresh;
    return c->distinct > SMI_DISTINCT_CAP ? convert_to_buckets(c) : 0;
}

/* Returns 0, or -1 without memory: then nothing has changed. */
static int set_page_count(struct smi_counts_page *p, size_t k, uint32_t n)
{
    if (n > SMI_COUNTS_PAGE_LOW && !p->high && !(p->high = smi_mem_new(SMI_COUNTS_PAGE, sizeof *p->high)))
        return -1;
    p->low[k] = (uint8_t)(n ? (n - 1) % SMI_COUNTS_PAGE_LOW + 1 : 0);
    if (p->high)
        p->high[k] = (uint16_t)(n ? (n - 1) / SMI_COUNTS_PAGE_LOW : 0);
    return 0;
}

/* The page of a place, made if it is new; NULL without memory. */
static struct smi_counts_page *get_page(struct smi_counts *c, size_t page)
{
    if (page >= c->pages && smi_mem_reserve(&c->page, &c->pages, page + 1, sizeof *c->page))
        return NULL;
    if (!c->page[page])
        c->page[page] = smi_mem_new(1, sizeof **c->page);
    return c->page[page];
}

static int add_dense(struct smi_counts *c, uint64_t at, int64_t v, int64_t n)
{
    struct smi_counts_page *page = get_page(c, (size_t)(at / SMI_COUNTS_PAGE));
    size_t k = at % SMI_COUNTS_PAGE;
    uint32_t count;
    bool fresh;
    if (!page)
        return -1;
    count = smi_counts_page_get(page, k);
    if (count == 0 && ++c->distinct > SMI_DISTINCT_CAP)
        return convert_to_buckets(c) ? -1 : add_sparse(c, v, n);
    /* A counter that would overflow keeps 1, so that it stays known, and the rest goes into the hash. */
    if (n > (int64_t)(SMI_COUNTS_PAGE_MAX - count))
        return set_page_count(page, k, 1) ? -1 : hash_add(c, v, (int64_t)count + n - 1, &fresh);
    return set_page_count(page, k, count + (uint32_t)n);
}

int smi_counts_value(struct smi_counts *c, int64_t v, int64_t n)
{
    uint64_t at;
    if (v < 0 || c->approximate)
        return add_sparse(c, v, n);
    at = divide_by_step((uint64_t)v, c->step);
    if (at >= (uint64_t)SMI_COUNTS_PAGE * SMI_COUNTS_PAGES || at * (uint64_t)c->step != (uint64_t)v)
        return add_sparse(c, v, n);
    return add_dense(c, at, v, n);
}

/* There are more than a few: those that were kept are counted. */
static int count_kept_readings(struct smi_counts *c)
{
    int rc;
    if (c->counting || c->approximate)
        return 0;
    c->counting = true;
    rc = smi_counts_units(c, c->few, c->fews, c->step);
    smi_mem_free(c->few);
    c->few = NULL;
    c->fews = 0;
    return rc;
}

/* Are n readings more still a few? */
static bool are_few(const struct smi_counts *c, size_t n)
{
    return !c->counting && !c->approximate && n <= SMI_COUNTS_FEW - c->fews;
}

static int reserve_few(struct smi_counts *c)
{
    return c->few || (c->few = smi_mem_raw(SMI_COUNTS_FEW * sizeof *c->few)) ? 0 : -1;
}

int smi_counts_add_many(struct smi_counts *c, int64_t v, int64_t n)
{
    uint64_t at;
    if (n <= 0)
        return 0;
    if (v >= 0 && are_few(c, (size_t)n)) {
        at = divide_by_step((uint64_t)v, c->step);
        if (reserve_few(c))
            return -1;
        if (at <= INT32_MAX && at * (uint64_t)c->step == (uint64_t)v) {
            for (int32_t *few = c->few + c->fews, *end = few + n; few < end; few++)
                *few = (int32_t)at;
            c->fews += (unsigned)n;
            return 0;
        }
    }
    return count_kept_readings(c) ? -1 : smi_counts_value(c, v, n);
}

int smi_counts_add(struct smi_counts *c, int64_t v)
{
    if (v >= 0) {
        uint64_t at = divide_by_step((uint64_t)v, c->step), page = at / SMI_COUNTS_PAGE;
        if (page < c->pages && c->page[page]) {
            uint8_t *to = &c->page[page]->low[at % SMI_COUNTS_PAGE];
            if (*to && *to != SMI_COUNTS_PAGE_LOW && at * (uint64_t)c->step == (uint64_t)v) {
                ++*to;
                return 0;
            }
        }
    }
    return smi_counts_add_many(c, v, 1);
}

/* Keeps n readings more, if they still are a few and fit. Returns 1, 0 if they have to be counted, or -1
 * without memory. */
static int keep_readings(struct smi_counts *c, const int32_t *u, size_t n, int64_t scale)
{
    int32_t ratio = (int32_t)(scale / c->step), any = 0, *few;
    if (ratio * c->step != scale || !are_few(c, n))
        return 0;
    if (reserve_few(c))
        return -1;
    for (size_t i = 0; i < n && ratio > 1; i++)
        any |= u[i];
    if (any > INT32_MAX / ratio)
        return 0;
    few = c->few + c->fews;
    c->fews += (unsigned)n;
    if (ratio == 1)
        memcpy(few, u, n * sizeof *few);
    for (size_t i = 0; i < n && ratio > 1; i++)
        few[i] = u[i] * ratio;
    return 1;
}

int smi_counts_add_units(struct smi_counts *c, const int32_t *u, size_t n, int64_t scale)
{
    int kept = n ? keep_readings(c, u, n, scale) : 1;
    if (kept)
        return kept > 0 ? 0 : -1;
    return count_kept_readings(c) ? -1 : smi_counts_units(c, u, n, scale);
}

/* b holds buckets: their edges are keys of a as they are, and the exact sums add. */
static int merge_buckets(struct smi_counts *a, const struct smi_counts *b)
{
    bool fresh;
    if (!a->approximate && convert_to_buckets(a))
        return -1;
    for (size_t i = 0; i < b->cap; i++)
        if (b->slot[i].n && hash_add(a, b->slot[i].key, b->slot[i].n, &fresh))
            return -1;
    if (a->n == 0 || b->min < a->min)
        a->min = b->min;
    if (a->n == 0 || b->max > a->max)
        a->max = b->max;
    a->n += b->n;
    a->sum += b->sum;
    a->sum2 += b->sum2;
    return 0;
}

int smi_counts_add_bucket(struct smi_counts *c, int64_t edge, int64_t n)
{
    bool fresh;
    return hash_add(c, edge, n, &fresh);
}

int smi_counts_merge(struct smi_counts *a, const struct smi_counts *b)
{
    if (b->approximate)
        return merge_buckets(a, b);
    if (a->counting && b->counting && a->step == b->step)
        return smi_counts_join(a, b);
    return b->counting ? add_each(a, b, smi_counts_add_many)
                       : smi_counts_add_units(a, b->few, b->fews, b->step);
}

int smi_counts_move(struct smi_counts *a, struct smi_counts *b)
{
    if (!a->fews && !a->counting && !a->approximate && a->step == b->step) {
        smi_counts_fini(a);
        *a = *b;
        *b = (struct smi_counts){.step = a->step};
        return 0;
    }
    if (smi_counts_merge(a, b))
        return -1;
    smi_counts_fini(b);
    return 0;
}

int64_t smi_counts_total(const struct smi_counts *c)
{
    int64_t n = c->fews;
    if (c->approximate)
        return c->n;
    for (size_t i = 0; i < c->pages; i++)
        for (size_t k = 0; c->page[i] && k < SMI_COUNTS_PAGE; k++)
            n += smi_counts_page_get(c->page[i], k);
    for (size_t i = 0; i < c->cap; i++)
        n += c->slot[i].n;
    return n;
}
