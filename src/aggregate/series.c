/* series.c - a curve of few points over any time, and sums over time. */
#include "aggregate/series.h"
#include "base/mem.h"

#include <stdbool.h>
#include <string.h>

unsigned smi_interval_class(int64_t dt)
{
    unsigned top = 63u - (unsigned)__builtin_clzll((uint64_t)dt);
    uint64_t rest = (uint64_t)dt - ((uint64_t)1 << top);
    return 8 * top + (unsigned)(top >= 3 ? rest >> (top - 3) : rest << (3 - top));
}

/* Slots stand in the order of their classes: equal sums give equal partial summaries. */
static struct smi_time_sum_slot *find_slot(struct smi_time_sum *s, unsigned bin)
{
    size_t i = 0;
    while (i < s->n && s->slot[i].bin < bin)
        i++;
    if (i == s->n || s->slot[i].bin != bin) {
        smi_mem_reserve(&s->slot, &s->cap, s->n + 1, sizeof *s->slot);
        memmove(&s->slot[i + 1], &s->slot[i], (s->n - i) * sizeof *s->slot);
        s->slot[i] = (struct smi_time_sum_slot){.bin = bin};
        s->n++;
    }
    s->last = i;
    return &s->slot[i];
}

void smi_time_sum_add(struct smi_time_sum *s, unsigned bin, int64_t n, int64_t dt, smi_i128 area)
{
    const bool last = s->last < s->n && s->slot[s->last].bin == bin;
    struct smi_time_sum_slot *t = last ? &s->slot[s->last] : find_slot(s, bin);
    t->n += n;
    t->dt += dt;
    t->area += area;
}

void smi_time_sum_merge(struct smi_time_sum *a, const struct smi_time_sum *b)
{
    for (size_t i = 0; i < b->n; i++)
        smi_time_sum_add(a, b->slot[i].bin, b->slot[i].n, b->slot[i].dt, b->slot[i].area);
}

void smi_time_sum_clear(struct smi_time_sum *s)
{
    s->n = s->last = 0;
}

void smi_time_sum_fini(struct smi_time_sum *s)
{
    smi_mem_free(s->slot);
    *s = (struct smi_time_sum){0};
}

struct smi_time_sum_slot smi_time_sum_total(const struct smi_time_sum *s, unsigned limit)
{
    struct smi_time_sum_slot t = {0};
    for (size_t i = 0; i < s->n; i++) {
        if (s->slot[i].bin > limit)
            continue;
        t.n += s->slot[i].n;
        t.dt += s->slot[i].dt;
        t.area += s->slot[i].area;
    }
    return t;
}

void smi_series_join(struct smi_series_bucket *a, const struct smi_series_bucket *b)
{
    if (b->n == 0)
        return;
    if (a->n == 0 || b->min < a->min)
        a->min = b->min;
    if (a->n == 0 || b->max > a->max)
        a->max = b->max;
    a->n += b->n;
    a->sum += b->sum;
}

/* Doubles the width of all buckets. */
static void double_width(struct smi_series *s)
{
    int64_t base = s->base >> 1;
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        size_t to = (size_t)(((s->base + (int64_t)i) >> 1) - base);
        struct smi_series_bucket b = s->bucket[i];
        if (to >= n) {
            s->bucket[to] = (struct smi_series_bucket){0};
            n = to + 1;
        }
        smi_series_join(&s->bucket[to], &b);
    }
    s->base = base;
    s->n = n;
    s->shift++;
}

/* The bucket with this index on the grid of s->shift, within reach. */
static struct smi_series_bucket *bucket_at(struct smi_series *s, int64_t index)
{
    size_t gap;
    if (!s->bucket)
        s->bucket = smi_mem_raw(SMI_SERIES_MAX * sizeof *s->bucket);
    if (s->n == 0)
        s->base = index;
    gap = index < s->base ? (size_t)(s->base - index) : 0;
    if (gap) {
        memmove(s->bucket + gap, s->bucket, s->n * sizeof *s->bucket);
        memset(s->bucket, 0, gap * sizeof *s->bucket);
        s->base = index;
        s->n += gap;
    } else if ((size_t)(index - s->base) >= s->n) {
        size_t n = (size_t)(index - s->base) + 1;
        memset(s->bucket + s->n, 0, (n - s->n) * sizeof *s->bucket);
        s->n = n;
    }
    return &s->bucket[index - s->base];
}

/* Would buckets at both indexes and those between them still fit into SMI_SERIES_MAX? */
static bool span_fits(const struct smi_series *s, int64_t first, int64_t last)
{
    int64_t low = first < s->base ? first : s->base, end = s->base + (int64_t)s->n - 1;
    return s->n == 0 || (last > end ? last : end) - low < SMI_SERIES_MAX;
}

void smi_series_add_bucket(struct smi_series *s, int64_t index, unsigned shift,
                           const struct smi_series_bucket *b)
{
    while (s->n && s->shift < shift)
        double_width(s);
    if (s->n == 0)
        s->shift = shift > SMI_SERIES_SHIFT ? shift : SMI_SERIES_SHIFT;
    index >>= s->shift - shift;
    for (; !span_fits(s, index, index); index >>= 1)
        double_width(s);
    smi_series_join(bucket_at(s, index), b);
}

/* Brings the grid to readings from `first` to `last`, all of which will be added: buckets are doubled once,
 * not at each reading that is out of reach. */
static void reach(struct smi_series *s, int64_t first, int64_t last)
{
    if (s->n == 0) {
        s->shift = s->shift > SMI_SERIES_SHIFT ? s->shift : SMI_SERIES_SHIFT;
        while ((last >> s->shift) - (first >> s->shift) >= SMI_SERIES_MAX)
            s->shift++;
    }
    while (!span_fits(s, first >> s->shift, last >> s->shift))
        double_width(s);
    bucket_at(s, first >> s->shift);
    bucket_at(s, last >> s->shift);
}

void smi_series_add_units(struct smi_series *s, const int64_t *t_ms, const int32_t *u, size_t n,
                          int64_t scale, int64_t base)
{
    if (n)
        reach(s, t_ms[0], t_ms[n - 1]);
    for (size_t i = 0, k; i < n; i = k) {
        int64_t index = t_ms[i] >> s->shift, sum = u[i];
        int32_t min = u[i], max = u[i];
        struct smi_series_bucket b;
        for (k = i + 1; k < n && t_ms[k] >> s->shift == index; k++) {
            min = u[k] < min ? u[k] : min;
            max = u[k] > max ? u[k] : max;
            sum += u[k];
        }
        b = (struct smi_series_bucket){(int64_t)(k - i), base + min * scale, base + max * scale,
                                       (smi_i128)sum * scale};
        if (base)
            b.sum += (smi_i128)base * b.n;
        smi_series_join(&s->bucket[index - s->base], &b);
    }
}

void smi_series_merge(struct smi_series *a, const struct smi_series *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (b->bucket[i].n)
            smi_series_add_bucket(a, b->base + (int64_t)i, b->shift, &b->bucket[i]);
}

void smi_series_fini(struct smi_series *s)
{
    smi_mem_free(s->bucket);
    *s = (struct smi_series){0};
}
