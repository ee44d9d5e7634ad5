#include "stats/counts.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void smi_counts_init(struct smi_counts *c, int64_t step)
{
    *c = (struct smi_counts){.step = step};
}

void smi_counts_fini(struct smi_counts *c)
{
    for (size_t i = 0; i < c->pages; i++)
        smi_mem_free(c->page[i]);
    smi_mem_free(c->page);
    smi_mem_free(c->hits);
    smi_mem_free(c->slot);
    *c = (struct smi_counts){.step = c->step};
}

/* Where a key wants to be. */
static size_t home(const struct smi_counts *c, int64_t key)
{
    uint64_t h = (uint64_t)key;
    h = (h ^ h >> 32) * 0x9E3779B97F4A7C15u; /* every bit of the value reaches every bit of the place */
    h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
    h ^= h >> 32;
    return (size_t)h & (c->cap - 1);
}

/* Where it is, or would be put. */
static size_t place(const struct smi_counts *c, int64_t key)
{
    size_t i = home(c, key);
    while (c->slot[i].n && c->slot[i].key != key)
        i = (i + 1) & (c->cap - 1);
    return i;
}

static int grow(struct smi_counts *c)
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
            c->slot[place(c, old.slot[i].key)] = old.slot[i];
    smi_mem_free(old.slot);
    return 0;
}

/* Adds n to a key of the hash. *fresh says whether the key is new. */
static int hash_add(struct smi_counts *c, int64_t key, int64_t n, bool *fresh)
{
    size_t i;
    if (c->used * 4 >= c->cap * 3 && grow(c))
        return -1;
    i = place(c, key);
    *fresh = c->slot[i].n == 0;
    c->used += *fresh;
    c->slot[i].key = key;
    c->slot[i].n += n;
    return 0;
}

/* v / step for the steps that the catalogue has: a constant divisor costs a tenth of a variable one. */
static inline uint64_t steps(uint64_t v, int64_t step)
{
    switch (step) {
    case 1000000: return v / 1000000;
    case 10000: return v / 10000;
    case 100000: return v / 100000;
    case 1: return v;
    default: return v / (uint64_t)step;
    }
}

/* The low edge of v's bucket, with v's sign: values under 2,048 themselves, else their top 11 bits. */
static int64_t bucket(int64_t v)
{
    uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
    int shift = u < 2048 ? 0 : 64 - __builtin_clzll(u) - 11;
    u = (u >> shift) << shift;
    return v < 0 ? -(int64_t)u : (int64_t)u;
}

/* What a bucket stands for: the middle of it, kept inside min and max. */
static int64_t representative(const struct smi_counts *c, int64_t edge)
{
    uint64_t u = edge < 0 ? -(uint64_t)edge : (uint64_t)edge;
    int shift = u < 2048 ? 0 : 64 - __builtin_clzll(u) - 11;
    int64_t v;
    if (shift)
        u += (uint64_t)1 << (shift - 1);
    v = edge < 0 ? -(int64_t)u : (int64_t)u;
    return v < c->min ? c->min : v > c->max ? c->max : v;
}

static void running(struct smi_counts *c, int64_t v, int64_t n)
{
    if (c->n == 0 || v < c->min)
        c->min = v;
    if (c->n == 0 || v > c->max)
        c->max = v;
    c->n += n;
    c->sum += (smi_i128)v * n;
    c->sum2 += (smi_i128)v * v * n;
}

int smi_counts_each(const struct smi_counts *c, smi_counts_fn *fn, void *self)
{
    for (size_t i = 0; i < c->pages; i++)
        for (size_t k = 0; c->page[i] && k < SMI_COUNTS_PAGE; k++) {
            static const uint32_t none[4];
            if (k % 4 == 0 && memcmp(&c->page[i][k], none, sizeof none) == 0)
                k += 3; /* most of a page is empty */
            else if (c->page[i][k] && fn(self, (int64_t)(i * SMI_COUNTS_PAGE + k) * c->step, c->page[i][k]))
                return -1;
        }
    for (size_t i = 0; i < c->cap; i++)
        if (c->slot[i].n && fn(self, c->slot[i].key, c->slot[i].n))
            return -1;
    return 0;
}

static int into_bucket(void *self, int64_t v, int64_t n)
{
    struct smi_counts *c = self;
    bool fresh;
    running(c, v, n);
    return hash_add(c, bucket(v), n, &fresh);
}

/* Too many distinct values: from here on buckets and running sums. */
static int convert(struct smi_counts *c)
{
    struct smi_counts b = {.step = c->step, .approximate = true};
    if (smi_counts_each(c, into_bucket, &b)) {
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
        return into_bucket(c, v, n);
    if (hash_add(c, v, n, &fresh))
        return -1;
    c->distinct += fresh;
    return c->distinct > SMI_DISTINCT_CAP ? convert(c) : 0;
}

/* Takes key i out of the hash; what stands behind it moves up. */
static void hash_remove(struct smi_counts *c, size_t i)
{
    size_t mask = c->cap - 1;
    for (size_t k = (i + 1) & mask; c->slot[k].n; k = (k + 1) & mask) {
        if (((k - home(c, c->slot[k].key)) & mask) < ((k - i) & mask))
            continue;
        c->slot[i] = c->slot[k];
        i = k;
    }
    c->slot[i].n = 0;
    c->used--;
}

/* A page for values that the hash has held so far; they move into it. */
static int make_page(struct smi_counts *c, size_t page)
{
    uint32_t *p = c->page[page] = smi_mem_new(SMI_COUNTS_PAGE, sizeof *p);
    for (size_t k = 0; p && c->used && k < SMI_COUNTS_PAGE; k++) {
        int64_t key = (int64_t)(page * SMI_COUNTS_PAGE + k) * c->step;
        size_t i = place(c, key);
        if (c->slot[i].n == 0)
            continue;
        p[k] = 1; /* a count that does not fit keeps 1 here, so that it stays known, and the rest in the hash */
        c->slot[i].n--;
        if (c->slot[i].n >= UINT32_MAX)
            continue;
        p[k] += (uint32_t)c->slot[i].n;
        hash_remove(c, i);
    }
    return p ? 0 : -1;
}

/* The dense counter at a place. Few readings do not pay for a page: *out is NULL then. Returns 0, or -1 without memory. */
static int dense(struct smi_counts *c, uint64_t at, uint32_t **out)
{
    size_t page = (size_t)(at / SMI_COUNTS_PAGE);
    *out = NULL;
    if (page >= c->pages && (smi_mem_reserve(&c->hits, &c->hits_cap, page + 1, 1) ||
                             smi_mem_reserve(&c->page, &c->pages, page + 1, sizeof *c->page)))
        return -1;
    if (!c->page[page]) {
        if (c->hits[page] < SMI_COUNTS_HITS) {
            c->hits[page]++;
            return 0;
        }
        if (make_page(c, page))
            return -1;
    }
    *out = &c->page[page][at % SMI_COUNTS_PAGE];
    return 0;
}

static int add_dense(struct smi_counts *c, uint64_t at, int64_t v, int64_t n)
{
    uint32_t *count;
    bool fresh;
    if (dense(c, at, &count))
        return -1;
    if (!count)
        return add_sparse(c, v, n);
    if (*count == 0 && ++c->distinct > SMI_DISTINCT_CAP)
        return convert(c) ? -1 : add_sparse(c, v, n);
    /* A counter that would overflow keeps 1, so that it stays known, and the rest goes into the hash. */
    if (n > (int64_t)(UINT32_MAX - *count)) {
        int64_t rest = (int64_t)*count + n - 1;
        *count = 1;
        return hash_add(c, v, rest, &fresh);
    }
    *count += (uint32_t)n;
    return 0;
}

int smi_counts_add_many(struct smi_counts *c, int64_t v, int64_t n)
{
    uint64_t at;
    if (n <= 0)
        return 0;
    if (v < 0 || c->approximate)
        return add_sparse(c, v, n);
    at = steps((uint64_t)v, c->step);
    if (at >= (uint64_t)SMI_COUNTS_PAGE * SMI_COUNTS_PAGES || at * (uint64_t)c->step != (uint64_t)v)
        return add_sparse(c, v, n);
    return add_dense(c, at, v, n);
}

int smi_counts_add(struct smi_counts *c, int64_t v)
{
    if (v >= 0) {
        uint64_t at = steps((uint64_t)v, c->step), page = at / SMI_COUNTS_PAGE;
        if (page < c->pages && c->page[page]) {
            uint32_t *count = &c->page[page][at % SMI_COUNTS_PAGE];
            if (*count && *count != UINT32_MAX && at * (uint64_t)c->step == (uint64_t)v) {
                ++*count;
                return 0;
            }
        }
    }
    return smi_counts_add_many(c, v, 1);
}

int smi_counts_add_units(struct smi_counts *c, const int32_t *u, size_t n, int64_t scale)
{
    uint64_t ratio = (uint64_t)(scale / c->step);
    bool dense = (int64_t)ratio * c->step == scale;
    uint32_t **page = c->page;
    size_t pages = dense ? c->pages : 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t at = (uint64_t)(uint32_t)u[i] * ratio, k = at / SMI_COUNTS_PAGE;
        uint32_t *count = k < pages && page[k] ? &page[k][at % SMI_COUNTS_PAGE] : NULL;
        if (count && *count + 1 > 1) { /* neither the first one nor the last that fits */
            ++*count;
            continue;
        }
        if (smi_counts_add_many(c, u[i] * scale, 1))
            return -1;
        page = c->page;
        pages = dense ? c->pages : 0;
    }
    return 0;
}

static int add_to(void *self, int64_t v, int64_t n)
{
    return smi_counts_add_many(self, v, n);
}

/* b holds buckets: their edges are keys of a as they are, and the exact sums add. */
static int merge_buckets(struct smi_counts *a, const struct smi_counts *b)
{
    bool fresh;
    if (!a->approximate && convert(a))
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

int smi_counts_put_bucket(struct smi_counts *c, int64_t edge, int64_t n)
{
    bool fresh;
    return hash_add(c, edge, n, &fresh);
}

int smi_counts_merge(struct smi_counts *a, const struct smi_counts *b)
{
    return b->approximate ? merge_buckets(a, b) : smi_counts_each(b, add_to, a);
}

struct gather {
    struct smi_counts_view *out;
    const struct smi_counts *from;
};

static int gather_one(void *self, int64_t v, int64_t n)
{
    struct gather *g = self;
    struct smi_counts_view *o = g->out;
    if (g->from->approximate)
        v = representative(g->from, v);
    o->list[o->items++] = (struct smi_counts_item){v, n};
    return 0;
}

static int by_value(const void *a, const void *b)
{
    const struct smi_counts_item *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Sorts, joins equal values, and makes the exact sums. */
static void settle(struct smi_counts_view *o, const struct smi_counts *c)
{
    size_t k = 0;
    bool sorted = true;
    for (size_t i = 1; i < o->items && sorted; i++)
        sorted = o->list[i - 1].value < o->list[i].value;
    if (!sorted)
        qsort(o->list, o->items, sizeof *o->list, by_value);
    for (size_t i = 0; i < o->items; i++) {
        int64_t v = o->list[i].value, n = o->list[i].n;
        o->n += n;
        o->sum += (smi_i128)v * n;
        o->sum2 += (smi_i128)v * v * n;
        if (k && o->list[k - 1].value == v)
            o->list[k - 1].n += n;
        else
            o->list[k++] = o->list[i];
    }
    o->items = k;
    o->min = k ? o->list[0].value : 0;
    o->max = k ? o->list[k - 1].value : 0;
    if (c->approximate) {
        o->min = c->min;
        o->max = c->max;
        o->sum = c->sum;
        o->sum2 = c->sum2;
    }
}

int smi_counts_view(const struct smi_counts *c, struct smi_counts_view *out)
{
    struct gather g = {out, c};
    *out = (struct smi_counts_view){0};
    /* Every distinct value is in the pages or in the hash; a counter that overflowed is in both. */
    out->list = smi_mem_new(c->used + (c->approximate ? 0 : c->distinct), sizeof *out->list);
    if (!out->list)
        return -1;
    smi_counts_each(c, gather_one, &g);
    settle(out, c);
    return 0;
}

int64_t smi_view_at(const struct smi_counts_view *v, int64_t i)
{
    size_t k = 0;
    while (k + 1 < v->items && i >= v->list[k].n)
        i -= v->list[k++].n;
    return v->list[k].value;
}

int64_t smi_view_percentile(const struct smi_counts_view *v, int percent)
{
    int64_t k = (v->n - 1) * percent, i = k / 100, f = k % 100, a = smi_view_at(v, i);
    if (f == 0)
        return a;
    return (int64_t)smi_wide_div((smi_i128)a * 100 + (smi_i128)(smi_view_at(v, i + 1) - a) * f, 100);
}

int64_t smi_view_stddev(const struct smi_counts_view *v)
{
    smi_i128 n = v->n, q = v->sum / n, r = v->sum % n, t, a, b, var;
    smi_u128 wide;
    uint64_t s;
    if (r < 0) { /* divmod as numbers.md means it: the remainder is never negative */
        r += n;
        q -= 1;
    }
    /* The parts may leave 127 bits, their sum never does: wrap in unsigned arithmetic. */
    wide = (smi_u128)v->sum2 - 2 * (smi_u128)q * (smi_u128)v->sum + (smi_u128)n * (smi_u128)q * (smi_u128)q;
    t = (smi_i128)wide;
    a = t / n;
    b = t % n;
    var = a - (n * b < r * r);
    s = smi_wide_isqrt((smi_u128)var);
    return (int64_t)(var - (smi_i128)s * s > (smi_i128)s ? s + 1 : s);
}
