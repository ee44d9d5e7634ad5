#include "aggregate/time_sum.h"

#include "base/mem.h"

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
        if (smi_mem_reserve(&s->slot, &s->cap, s->n + 1, sizeof *s->slot))
            return NULL;
        memmove(&s->slot[i + 1], &s->slot[i], (s->n - i) * sizeof *s->slot);
        s->slot[i] = (struct smi_time_sum_slot){.bin = bin};
        s->n++;
    }
    s->last = i;
    return &s->slot[i];
}

bool smi_time_sum_has(const struct smi_time_sum *s, unsigned bin)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->slot[i].bin == bin)
            return true;
    return false;
}

int smi_time_sum_add(struct smi_time_sum *s, unsigned bin, int64_t n, int64_t dt, smi_i128 area)
{
    struct smi_time_sum_slot *t;
    if (s->last < s->n && s->slot[s->last].bin == bin)
        t = &s->slot[s->last];
    else if (!(t = find_slot(s, bin)))
        return -1;
    t->n += n;
    t->dt += dt;
    t->area += area;
    return 0;
}

int smi_time_sum_merge(struct smi_time_sum *a, const struct smi_time_sum *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (smi_time_sum_add(a, b->slot[i].bin, b->slot[i].n, b->slot[i].dt, b->slot[i].area))
            return -1;
    return 0;
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
