#include "live/metric_history.h"

#include "base/mem.h"

#include <string.h>

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int add_to_cells(struct smi_history_cell **cell, size_t n, int64_t at, int64_t v)
{
    struct smi_history_cell *c;
    if (!*cell && !(*cell = smi_mem_new(n, sizeof **cell)))
        return -1;
    c = *cell + (uint64_t)at % n;
    if (c->n && (int32_t)(c->at - (uint32_t)at) > 0)
        return 0; /* older than the ring */
    if (!c->n || c->at != (uint32_t)at)
        *c = (struct smi_history_cell){.max = v, .at = (uint32_t)at};
    if (c->n == UINT32_MAX || __builtin_add_overflow(c->sum, v, &c->sum))
        return 0;
    c->n++;
    c->max = v > c->max ? v : c->max;
    return 0;
}

int smi_history_add(struct smi_history *r, int64_t t_ms, int64_t v, bool hour)
{
    return add_to_cells(&r->fine, SMI_HISTORY_FINE, floor_div(t_ms, SMI_HISTORY_FINE_MS), v) ||
                   (hour &&
                    add_to_cells(&r->coarse, SMI_HISTORY_COARSE, floor_div(t_ms, SMI_HISTORY_COARSE_MS), v))
               ? -1
               : 0;
}

/* The cell with number `at`, or NULL. */
static const struct smi_history_cell *find_cell(const struct smi_history_cell *cell, size_t n, int64_t at)
{
    const struct smi_history_cell *c = &cell[(uint64_t)at % n];
    return c->n && c->at == (uint32_t)at ? c : NULL;
}

void smi_history_sum_between(const struct smi_history *r, int64_t from_ms, int64_t to_ms, bool coarse,
                             struct smi_history_sum *out)
{
    int64_t step = coarse ? SMI_HISTORY_COARSE_MS : SMI_HISTORY_FINE_MS,
            most = coarse ? SMI_HISTORY_COARSE : SMI_HISTORY_FINE,
            first = floor_div(from_ms + step - 1, step), last = floor_div(to_ms + step - 1, step);
    const struct smi_history_cell *cell = coarse ? r->coarse : r->fine, *c;
    for (int64_t at = last - first > most ? last - most : first; cell && at < last; at++) {
        c = find_cell(cell, (size_t)most, at);
        if (!c || __builtin_add_overflow(out->sum, c->sum, &out->sum))
            continue;
        out->max = out->n == 0 || c->max > out->max ? c->max : out->max;
        out->n += c->n;
    }
}

void smi_history_sum(const struct smi_history *r, int64_t to_ms, int64_t span_ms, struct smi_history_sum *out)
{
    smi_history_sum_between(r, to_ms - span_ms + 1, to_ms + 1,
                            span_ms > SMI_HISTORY_FINE * SMI_HISTORY_FINE_MS, out);
}

size_t smi_history_means(const struct smi_history *r, int64_t to_ms, int64_t span_ms, int64_t *out,
                         size_t room)
{
    int64_t last = floor_div(to_ms, SMI_HISTORY_FINE_MS),
            cells = (span_ms + SMI_HISTORY_FINE_MS - 1) / SMI_HISTORY_FINE_MS;
    const struct smi_history_cell *c;
    size_t n = 0;
    for (int64_t i = 0; r->fine && i < cells && i < SMI_HISTORY_FINE && n < room; i++)
        if ((c = find_cell(r->fine, SMI_HISTORY_FINE, last - i)))
            out[n++] = c->sum / c->n;
    return n;
}

static int copy_cells(struct smi_history_cell **to, const struct smi_history_cell *from, size_t n)
{
    if (!from)
        return 0;
    *to = smi_mem_raw(n * sizeof *from);
    if (!*to)
        return -1;
    memcpy(*to, from, n * sizeof *from);
    return 0;
}

int smi_history_copy(struct smi_history *to, const struct smi_history *from)
{
    return copy_cells(&to->fine, from->fine, SMI_HISTORY_FINE) ||
                   copy_cells(&to->coarse, from->coarse, SMI_HISTORY_COARSE)
               ? -1
               : 0;
}

void smi_history_fini(struct smi_history *r)
{
    smi_mem_free(r->fine);
    smi_mem_free(r->coarse);
    *r = (struct smi_history){0};
}
