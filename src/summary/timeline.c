/* timeline.c - what charts draw of a run: its series on one grid */
#include "summary/summary.h"

#include <string.h>

/* A cell while its readings come. */
struct cell {
    int64_t n, min, max;
    smi_i128 sum;
};

struct grid {
    int64_t from, length; /* ms */
    int64_t n;            /* cells */
};

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* The times of a series, shifted; false: it has none that can be drawn. */
static bool trace_range(const struct smi_trace *t, int64_t *from, int64_t *to)
{
    const struct smi_series *s = t->series;
    smi_i128 first = (smi_i128)s->base * ((int64_t)1 << s->shift) - t->shift_ms;
    smi_i128 last = first + (smi_i128)s->n * ((int64_t)1 << s->shift) - 1;
    if (!s->n || first <= -SMI_FAR_MS || last >= SMI_FAR_MS)
        return false;
    *from = (int64_t)first;
    *to = (int64_t)last;
    return true;
}

/* No cell is narrower than a bucket of the widest series, nor so narrow that most would be between two
 * readings. */
static struct grid make_grid(const struct smi_trace *trace, size_t n, int64_t least_ms)
{
    int64_t from, to, first = 0, last = 0, width = 0;
    for (size_t i = 0; i < n; i++) {
        const int64_t own = (int64_t)1 << trace[i].series->shift;
        if (!trace_range(&trace[i], &from, &to))
            continue;
        first = !width || from < first ? from : first;
        last = !width || to > last ? to : last;
        width = own > width ? own : width;
    }
    if (!width)
        return (struct grid){0};
    while (width * 2 <= least_ms && width < SMI_FAR_MS)
        width *= 2;
    while (floor_div(last, width) - floor_div(first, width) >= SMI_TIMELINE_POINTS)
        width *= 2;
    n = (size_t)(floor_div(last, width) - floor_div(first, width)) + 1;
    return (struct grid){floor_div(first, width) * width, (int64_t)n * width, (int64_t)n};
}

/* A bucket goes whole into the cell that holds its middle: with clocks that are no whole number of buckets
 * apart, the edges do not meet. */
static void add_series(const struct grid *g, struct cell *cell, const struct smi_trace *t)
{
    const struct smi_series *s = t->series;
    int64_t from, to, half = ((int64_t)1 << s->shift) / 2;
    if (!trace_range(t, &from, &to))
        return;
    for (size_t i = 0; i < s->n; i++) {
        const struct smi_series_bucket *b = &s->bucket[i];
        const smi_i128 at = (smi_i128)(from + (int64_t)i * 2 * half + half - g->from) * g->n / g->length;
        struct cell *c = &cell[at < 0 ? 0 : at >= g->n ? g->n - 1 : (int64_t)at];
        if (!b->n)
            continue;
        c->min = !c->n || b->min < c->min ? b->min : c->min;
        c->max = !c->n || b->max > c->max ? b->max : c->max;
        c->n += b->n;
        c->sum += b->sum;
    }
}

static void set_point(const struct smi_curve *c, size_t i, const struct cell *cell)
{
    c->min[i] = cell->n ? cell->min : SMI_NO_POINT;
    c->mean[i] = cell->n ? (int64_t)smi_i128_div(cell->sum, cell->n) : SMI_NO_POINT;
    c->max[i] = cell->n ? cell->max : SMI_NO_POINT;
}

/* Cells between two readings that are no gap apart take the later one. */
static void finish_lines(const struct grid *g, const struct cell *cell, unsigned limit, struct smi_curve *c)
{
    int64_t last = 0;
    bool some = false;
    for (int64_t i = 0; i < g->n; i++) {
        const int64_t apart = (i - last - 1) * g->length / g->n;
        int64_t from = i;
        if (!cell[i].n)
            continue;
        if (some && (!apart || smi_interval_class(apart) <= limit))
            from = last + 1;
        for (int64_t k = from; k <= i; k++)
            set_point(c, (size_t)k, &cell[i]);
        c->readings[i] = cell[i].n;
        last = i;
        some = true;
    }
}

/* Traces from ... to - 1 as one curve. */
static void add_curve(struct smi_curve *c, const struct grid *g, struct cell *cell,
                      const struct smi_trace *trace, size_t n, struct smi_arena *a)
{
    unsigned limit = 0;
    memset(cell, 0, (size_t)g->n * sizeof *cell);
    for (size_t i = 0; i < n; i++) {
        add_series(g, cell, &trace[i]);
        limit = trace[i].limit > limit ? trace[i].limit : limit;
    }
    c->gpu = trace->gpu;
    c->metric = trace->metric;
    c->min = smi_arena_new(a, 4 * (size_t)g->n + 1, sizeof *c->min);
    c->mean = c->min + g->n;
    c->max = c->mean + g->n;
    c->readings = c->max + g->n;
    for (int64_t i = 0; i < 3 * g->n; i++)
        c->min[i] = SMI_NO_POINT;
    finish_lines(g, cell, limit, c);
}

void smi_timeline_curves(struct smi_timeline *t, const struct smi_trace *trace, size_t n, int64_t least_ms,
                         struct smi_arena *a)
{
    struct grid g = make_grid(trace, n, least_ms);
    struct smi_curve *curve = smi_arena_new(a, n + 1, sizeof *curve);
    struct cell *cell = smi_mem_new((size_t)g.n, sizeof *cell);
    t->from_ms = g.from;
    t->cell_ms = g.n ? g.length / g.n : 0;
    t->n = (size_t)g.n;
    t->begin_ms = g.from;
    t->end_ms = g.from + g.length;
    t->curve = curve;
    for (size_t i = 0, k; g.n && i < n; i = k) {
        for (k = i + 1; k < n && trace[k].gpu == trace[i].gpu && trace[k].metric == trace[i].metric;)
            k++;
        add_curve(&curve[t->ncurves++], &g, cell, trace + i, k - i, a);
    }
    smi_mem_free(cell);
}

void smi_timeline_shape(uint8_t out[SMI_SPARKLINE_CELLS], const struct smi_trace *trace, size_t n,
                        int64_t from_ms, int64_t to_ms)
{
    const struct grid g = {from_ms, to_ms - from_ms, SMI_SPARKLINE_CELLS};
    struct cell cell[SMI_SPARKLINE_CELLS];
    struct smi_arena room = {0};
    struct smi_curve c = {0};
    memset(out, SMI_SPARKLINE_NONE, SMI_SPARKLINE_CELLS);
    if (!n || to_ms <= from_ms) /* an instant has no length */
        return;
    add_curve(&c, &g, cell, trace, n, &room);
    for (int i = 0; i < SMI_SPARKLINE_CELLS; i++) {
        const smi_i128 mean = smi_i128_div(c.mean[i], 1000000);
        if (c.mean[i] != SMI_NO_POINT)
            out[i] = (uint8_t)(mean < 0 ? 0 : mean > 100 ? 100 : mean);
    }
    smi_arena_fini(&room);
}

void smi_timeline_bound(struct smi_timeline *t, int64_t start_ms, int64_t stop_ms)
{
    int64_t to = t->from_ms + (int64_t)t->n * t->cell_ms;
    bool starts = start_ms >= t->from_ms && start_ms < t->from_ms + 2 * t->cell_ms;
    bool stops = stop_ms <= to && stop_ms >= to - 2 * t->cell_ms;
    t->begin_ms = starts ? start_ms : t->from_ms;
    t->end_ms = stops && stop_ms > t->begin_ms ? stop_ms : to;
}

int64_t smi_timeline_at(const struct smi_timeline *t, size_t i)
{
    int64_t from = t->from_ms + (int64_t)i * t->cell_ms;
    return from < t->begin_ms ? t->begin_ms : from > t->end_ms ? t->end_ms : from;
}

/* ---- fewer cells ---- */

void smi_timeline_coarsen(struct smi_timeline *t, size_t points)
{
    const size_t by = t->n > points ? (t->n + points - 1) / points : 1;
    for (size_t k = 0; k < t->ncurves && by > 1; k++) {
        const struct smi_curve *c = &t->curve[k];
        for (size_t i = 0, to; i < t->n; i = to) {
            int64_t readings = 0;
            struct cell all = {0}; /* each counts by its readings, and one without any only where all are */
            to = t->n - i < by ? t->n : i + by;
            for (size_t j = i; j < to; j++)
                readings += c->readings[j];
            for (size_t j = i; j < to; j++) {
                const int64_t weight = readings ? c->readings[j] : c->mean[j] != SMI_NO_POINT;
                if (!weight)
                    continue;
                all.min = !all.n || c->min[j] < all.min ? c->min[j] : all.min;
                all.max = !all.n || c->max[j] > all.max ? c->max[j] : all.max;
                all.sum += (smi_i128)c->mean[j] * weight;
                all.n += weight;
            }
            set_point(c, i / by, &all);
            c->readings[i / by] = readings;
        }
    }
    t->n = (t->n + by - 1) / by;
    t->cell_ms *= (int64_t)by;
}
