/* Counts as a list in order, and what is read from it. */
#include "base/mem.h"
#include "aggregate/counts_private.h"

#include <stdlib.h>
#include <string.h>

/* The next count of the pages that is not 0, from w on; 0 behind the last. */
static uint32_t next_counter(const struct smi_counts *c, struct smi_counts_cursor *w)
{
    static const uint8_t none[8];
    uint32_t n;
    for (; w->page < c->pages; w->page++, w->place = 0) {
        const struct smi_counts_page *page = c->page[w->page];
        for (; page && w->place < SMI_COUNTS_PAGE; w->place++) {
            if (w->place % 8 == 0 && !page->high && memcmp(page->low + w->place, none, sizeof none) == 0)
                w->place += 7; /* most of a page is empty */
            else if ((n = smi_counts_page_get(page, w->place)))
                return n;
        }
    }
    return 0;
}

/* The value whose count stands there. */
static int64_t place_value(const struct smi_counts *c, const struct smi_counts_cursor *w)
{
    return (int64_t)(w->page * SMI_COUNTS_PAGE + w->place) * c->step;
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

static int by_value(const void *a, const void *b)
{
    const struct smi_counts_item *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static void list_hash(struct smi_counts_view *v)
{
    for (size_t i = 0; i < v->c->cap; i++)
        if (v->c->slot[i].n)
            v->list[v->items++] = (struct smi_counts_item){v->c->slot[i].key, v->c->slot[i].n};
    qsort(v->list, v->items, sizeof *v->list, by_value);
}

static inline void extend_range(struct smi_counts_figures *f, int64_t v)
{
    f->min = f->n == 0 || v < f->min ? v : f->min;
    f->max = f->n == 0 || v > f->max ? v : f->max;
}

static inline void add_item(struct smi_counts_figures *f, struct smi_counts_item i)
{
    extend_range(f, i.value);
    f->n += i.n;
    f->sum += (smi_i128)i.value * i.n;
    f->sum2 += (smi_i128)i.value * i.value * i.n;
}

/* The counters of page i: sums of places first, which fit into 64 bits. */
static void add_page(struct smi_counts_figures *f, const struct smi_counts *c, size_t i)
{
    uint64_t n = 0, sum = 0, sum2 = 0;
    size_t first = SMI_COUNTS_PAGE, last = 0;
    smi_i128 base = (smi_i128)i * SMI_COUNTS_PAGE;
    for (size_t k = 0; k < SMI_COUNTS_PAGE; k++) {
        uint64_t some = smi_counts_page_get(c->page[i], k);
        n += some;
        sum += some * k;
        sum2 += some * k * k;
        first = some && first == SMI_COUNTS_PAGE ? k : first;
        last = some ? k : last;
    }
    if (n == 0)
        return;
    extend_range(f, (int64_t)(base + first) * c->step);
    f->n += (int64_t)n;
    extend_range(f, (int64_t)(base + last) * c->step);
    f->sum += (base * n + sum) * c->step;
    f->sum2 += (base * base * n + 2 * base * sum + sum2) * c->step * c->step;
}

static void sum_view(struct smi_counts_view *v)
{
    for (size_t k = 0; k < v->items; k++)
        add_item(&v->all, v->list[k]);
    for (size_t i = 0; i < v->c->pages; i++)
        if (v->c->page[i])
            add_page(&v->all, v->c, i);
    if (v->c->approximate) {
        v->all.min = v->c->min;
        v->all.max = v->c->max;
        v->all.sum = v->c->sum;
        v->all.sum2 = v->c->sum2;
    }
}

int smi_counts_view(const struct smi_counts *c, struct smi_counts_view *out)
{
    *out = (struct smi_counts_view){.c = c};
    out->list = smi_mem_raw((c->fews ? c->fews : c->used + 1) * sizeof *out->list);
    if (!out->list)
        return -1;
    if (c->fews)
        out->items = smi_counts_few_items(c, out->list);
    else
        list_hash(out);
    sum_view(out);
    return 0;
}

void smi_counts_view_fini(struct smi_counts_view *v)
{
    smi_mem_free(v->list);
    *v = (struct smi_counts_view){0};
}

/* The next one where pages stand beside the list. */
static bool next_of_both(const struct smi_counts_view *v, struct smi_counts_cursor *w,
                         struct smi_counts_item *out)
{
    const struct smi_counts_item *item = w->item < v->items ? v->list + w->item : NULL;
    uint32_t count = next_counter(v->c, w);
    int64_t value = place_value(v->c, w);
    if (!count && !item)
        return false;
    *out = !count || (item && item->value < value) ? *item : (struct smi_counts_item){value, count};
    if (count && item && item->value == value) /* a counter that overflowed is in both */
        out->n += item->n;
    w->place += count && out->value == value;
    w->item += item && out->value == item->value;
    return true;
}

bool smi_counts_view_next_key(const struct smi_counts_view *v, struct smi_counts_cursor *w,
                              struct smi_counts_item *out)
{
    if (w->page < v->c->pages)
        return next_of_both(v, w, out);
    if (w->item == v->items)
        return false;
    *out = v->list[w->item++];
    return true;
}

bool smi_counts_view_next(const struct smi_counts_view *v, struct smi_counts_cursor *w,
                          struct smi_counts_item *out)
{
    if (!smi_counts_view_next_key(v, w, out))
        return false;
    if (v->c->approximate)
        out->value = representative(v->c, out->value);
    return true;
}

int64_t smi_counts_view_at(const struct smi_counts_view *v, int64_t i)
{
    struct smi_counts_cursor w = {0};
    struct smi_counts_item at = {0};
    while (smi_counts_view_next(v, &w, &at) && i >= at.n)
        i -= at.n;
    return at.value;
}

struct smi_percentile smi_percentile_place(int64_t n, int percent)
{
    return (struct smi_percentile){(n - 1) * percent / 100, (n - 1) * percent % 100};
}

/* The hundredfold of what lies `part` hundredths of the way from a to b. */
static smi_i128 hundredfold_between(int64_t a, int64_t b, int64_t part)
{
    return (smi_i128)a * 100 + ((smi_i128)b - a) * part;
}

smi_i128 smi_percentile_hundredfold(const int64_t *sorted, size_t n, int percent)
{
    struct smi_percentile p = smi_percentile_place((int64_t)n, percent);
    return hundredfold_between(sorted[p.i], sorted[p.i + (p.part > 0)], p.part);
}

static void percentiles(const struct smi_counts_view *v, const int *at, size_t n, int64_t *out)
{
    struct smi_counts_cursor w = {0};
    struct smi_counts_item here, after;
    int64_t upto; /* readings up to `here`, itself included */
    bool more;
    if (!smi_counts_view_next(v, &w, &here))
        return;
    upto = here.n;
    more = smi_counts_view_next(v, &w, &after);
    for (size_t i = 0; i < n; i++) {
        struct smi_percentile p = smi_percentile_place(v->all.n, at[i]);
        while (more && p.i >= upto) {
            here = after;
            upto += here.n;
            more = smi_counts_view_next(v, &w, &after);
        }
        out[i] = more && p.i + 1 >= upto
                     ? (int64_t)smi_i128_div(hundredfold_between(here.value, after.value, p.part), 100)
                     : here.value;
    }
}

int smi_counts_figures(const struct smi_counts *c, const int *at, size_t n, struct smi_counts_figures *f,
                       int64_t *out)
{
    struct smi_counts_view v;
    if (c->fews) {
        smi_counts_few_figures(c, at, n, f, out);
        return 0;
    }
    if (smi_counts_view(c, &v))
        return -1;
    *f = v.all;
    percentiles(&v, at, n, out);
    smi_counts_view_fini(&v);
    return 0;
}

int64_t smi_counts_stddev(const struct smi_counts_figures *f)
{
    smi_i128 n = f->n, q = f->sum / n, r = f->sum % n, t, a, b, var;
    smi_u128 wide;
    uint64_t s;
    if (r < 0) { /* divmod as docs/numbers.md means it: the remainder is never negative */
        r += n;
        q -= 1;
    }
    /* The parts may leave 127 bits, their sum never does: wrap in unsigned arithmetic. */
    wide = (smi_u128)f->sum2 - 2 * (smi_u128)q * (smi_u128)f->sum + (smi_u128)n * (smi_u128)q * (smi_u128)q;
    t = (smi_i128)wide;
    a = t / n;
    b = t % n;
    var = a - (n * b < r * r);
    s = smi_u128_sqrt((smi_u128)var);
    return (int64_t)(var - (smi_i128)s * s > (smi_i128)s ? s + 1 : s);
}
