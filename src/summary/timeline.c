/* timeline.c - what charts draw of a run: its series on one grid */
#include "summary/gpus.h"

#include <string.h>

struct grid {
    int64_t from, length; /* ms */
    int64_t n;            /* cells */
};

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* The readings of a curve in a log. */
static const struct smi_series *series_of(const struct smi_gpu_source *l, unsigned slot)
{
    return &l->track->timed[slot].series;
}

/* The times of a series, on the clock of the summary; false: it has none that can be drawn. */
static bool series_range(const struct smi_gpu_source *l, unsigned slot, bool dates, int64_t *from,
                         int64_t *to)
{
    const struct smi_series *s = series_of(l, slot);
    const smi_i128 first = (smi_i128)s->base * ((int64_t)1 << s->shift) - l->shift_ms,
                   last = first + (smi_i128)s->n * ((int64_t)1 << s->shift) - 1;
    if (!s->n || l->dated != dates || first <= -SMI_FAR_MS || last >= SMI_FAR_MS)
        return false;
    *from = (int64_t)first;
    *to = (int64_t)last;
    return true;
}

/* No cell is narrower than a bucket of the widest series, nor so narrow that most would be between two
 * readings. */
static struct grid make_grid(struct smi_run_gpu *const *gpu, size_t n, const struct smi_run_gpu *host,
                             bool dates, int64_t least_ms)
{
    int64_t from, to, first = 0, last = 0, width = 0;
    for (size_t i = 0; i < (n + 1) * SMI_CURVE_COUNT; i++) {
        const struct smi_run_gpu *of = i < n * SMI_CURVE_COUNT ? gpu[i / SMI_CURVE_COUNT] : host;
        const unsigned slot = (unsigned)(i % SMI_CURVE_COUNT);
        SMI_EACH_SOURCE (l, of, of->source[smi_timed_metrics[slot]]) {
            const int64_t own = (int64_t)1 << series_of(l, slot)->shift;
            if (!series_range(l, slot, dates, &from, &to))
                continue;
            first = !width || from < first ? from : first;
            last = !width || to > last ? to : last;
            width = own > width ? own : width;
        }
    }
    if (!width)
        return (struct grid){0};
    while (width * 2 <= least_ms && width < SMI_FAR_MS)
        width *= 2;
    while (floor_div(last, width) - floor_div(first, width) >= SMI_TIMELINE_POINTS)
        width *= 2;
    first = floor_div(first, width);
    n = (size_t)(floor_div(last, width) - first) + 1;
    return (struct grid){first * width, (int64_t)n * width, (int64_t)n};
}

/* Fills the cells with the readings of a curve. A bucket goes whole into the cell that holds its middle: with
 * clocks that are no whole number of buckets apart, the edges do not meet. Returns the class of interval
 * beyond which the curve has a gap; 0: it has no reading. */
static unsigned fill_cells(const struct grid *g, struct smi_series_bucket *cell, const struct smi_run_gpu *of,
                           unsigned slot, bool dates)
{
    int64_t from, to;
    unsigned limit = 0;
    SMI_EACH_SOURCE (l, of, of->source[smi_timed_metrics[slot]]) {
        const struct smi_series *s = series_of(l, slot);
        const int64_t width = (int64_t)1 << s->shift;
        if (!series_range(l, slot, dates, &from, &to))
            continue;
        if (!limit)
            memset(cell, 0, (size_t)g->n * sizeof *cell);
        limit = l->limit > limit ? l->limit : limit;
        from += width / 2 - g->from;
        for (size_t i = 0; i < s->n; i++, from += width) {
            const int64_t at = from * g->n / g->length; /* no time is far: the product fits */
            if (s->bucket[i].n)
                smi_series_join(&cell[at < 0 ? 0 : at < g->n ? at : g->n - 1], &s->bucket[i]);
        }
    }
    return limit;
}

/* Cells between two readings that are no gap apart take the later one. */
static void fill_holes(const struct grid *g, struct smi_series_bucket *cell, unsigned limit)
{
    for (int64_t i = 0, last = -1; i < g->n; i++) {
        const int64_t apart = (i - last - 1) * g->length / g->n;
        if (!cell[i].n)
            continue;
        if (last >= 0 && (!apart || smi_interval_class(apart) <= limit))
            while (++last < i)
                cell[last] = cell[i];
        last = i;
    }
}

static void set_point(const struct smi_curve *c, size_t i, const struct smi_series_bucket *cell)
{
    c->min[i] = cell->n ? cell->min : SMI_NO_POINT;
    c->mean[i] = cell->n ? (int64_t)smi_i128_div(cell->sum, cell->n) : SMI_NO_POINT;
    c->max[i] = cell->n ? cell->max : SMI_NO_POINT;
}

void smi_timeline_curves(struct smi_timeline *t, struct smi_run_gpu *const *gpu, size_t n,
                         const struct smi_run_gpu *host, bool dates, int64_t least_ms, struct smi_arena *a)
{
    const struct grid g = make_grid(gpu, n, host, dates, least_ms);
    struct smi_curve *curve = smi_arena_new(a, (n + 1) * SMI_CURVE_COUNT, sizeof *curve);
    struct smi_series_bucket *cell = smi_mem_new((size_t)g.n, sizeof *cell);
    t->from_ms = t->begin_ms = g.from;
    t->cell_ms = g.n ? g.length / g.n : 0;
    t->n = (size_t)g.n;
    t->end_ms = g.from + g.length;
    t->curve = curve;
    for (size_t i = 0; g.n && i < (n + 1) * SMI_CURVE_COUNT; i++) {
        const bool of_gpu = i < n * SMI_CURVE_COUNT;
        const unsigned slot = (unsigned)(i % SMI_CURVE_COUNT);
        struct smi_curve *c = &curve[t->ncurves];
        const unsigned limit = fill_cells(&g, cell, of_gpu ? gpu[i / SMI_CURVE_COUNT] : host, slot, dates);
        if (!limit)
            continue;
        t->ncurves++;
        c->gpu = of_gpu ? (int)(i / SMI_CURVE_COUNT) : -1;
        c->metric = smi_timed_metrics[slot];
        c->min = smi_arena_new(a, 4 * t->n, sizeof *c->min);
        c->mean = c->min + t->n;
        c->max = c->mean + t->n;
        c->readings = c->max + t->n;
        for (size_t k = 0; k < t->n; k++)
            c->readings[k] = cell[k].n;
        fill_holes(&g, cell, limit);
        for (size_t k = 0; k < t->n; k++)
            set_point(c, k, &cell[k]);
    }
    smi_mem_free(cell);
}

static void write_shape(const struct grid *g, struct smi_series_bucket *cell, unsigned limit, uint8_t *shape)
{
    fill_holes(g, cell, limit);
    for (int i = 0; i < SMI_SPARKLINE_CELLS; i++) {
        const smi_i128 pct = cell[i].n ? smi_i128_div(smi_i128_div(cell[i].sum, cell[i].n), 1000000) : 0;
        if (cell[i].n)
            shape[i] = (uint8_t)(pct < 0 ? 0 : pct > 100 ? 100 : pct);
    }
}

void smi_timeline_shapes(uint8_t shape[SMI_SPARKLINE_CELLS], struct smi_gpu *g,
                         struct smi_run_gpu *const *gpu, size_t n, bool dates, int64_t from_ms, int64_t to_ms)
{
    const struct grid grid = {from_ms, to_ms - from_ms, SMI_SPARKLINE_CELLS};
    struct smi_series_bucket all[SMI_SPARKLINE_CELLS] = {0}, cell[SMI_SPARKLINE_CELLS];
    const bool drawn = to_ms > from_ms && from_ms > -SMI_FAR_MS && to_ms < SMI_FAR_MS; /* no instant */
    unsigned most = 0;
    memset(shape, SMI_SPARKLINE_NONE, SMI_SPARKLINE_CELLS);
    for (size_t i = 0; i < n; i++) {
        const unsigned limit =
            drawn ? fill_cells(&grid, cell, gpu[i], (unsigned)smi_timed_slot(SMI_GPU_UTIL), dates) : 0;
        memset(g[i].shape, SMI_SPARKLINE_NONE, SMI_SPARKLINE_CELLS);
        if (!limit)
            continue;
        g[i].cell_ms = grid.length / SMI_SPARKLINE_CELLS;
        most = limit > most ? limit : most;
        for (int k = 0; k < SMI_SPARKLINE_CELLS; k++)
            smi_series_join(&all[k], &cell[k]);
        write_shape(&grid, cell, limit, g[i].shape);
    }
    if (most)
        write_shape(&grid, all, most, shape);
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
            struct smi_series_bucket all = {
                0}; /* each counts by its readings, and one without any only where all are */
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
