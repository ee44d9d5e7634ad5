/* timeline.c - phases of a run, and its timeline */
#include "summary/summary.h"
#include "aggregate/series.h"
#include "summary/build_private.h"

#include <string.h>

/* Times far from any date are drawn nowhere: sums of them might not fit. */
#define FAR ((int64_t)1 << 50)

/* A cell while its readings come. */
struct cell {
    int64_t n, min, max;
    smi_i128 sum;
};

struct grid {
    int64_t from, width; /* ms */
    size_t n;
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
    if (!s->n || first <= -FAR || last >= FAR)
        return false;
    *from = (int64_t)first;
    *to = (int64_t)last;
    return true;
}

/* No cell is narrower than a bucket of the widest series, nor so narrow that most would be between two
 * readings. */
static struct grid make_grid(const struct smi_trace *trace, size_t n, int64_t least_ms)
{
    struct grid g = {.width = 0};
    int64_t from, to, first = 0, last = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t width = (int64_t)1 << trace[i].series->shift;
        if (!trace_range(&trace[i], &from, &to))
            continue;
        first = !g.width || from < first ? from : first;
        last = !g.width || to > last ? to : last;
        g.width = width > g.width ? width : g.width;
    }
    if (!g.width)
        return g;
    while (g.width * 2 <= least_ms && g.width < FAR)
        g.width *= 2;
    while (floor_div(last, g.width) - floor_div(first, g.width) >= SMI_TIMELINE_POINTS)
        g.width *= 2;
    g.from = floor_div(first, g.width) * g.width;
    g.n = (size_t)(floor_div(last, g.width) - floor_div(first, g.width)) + 1;
    return g;
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
        struct cell *c = &cell[(from + (int64_t)i * 2 * half + half - g->from) / g->width];
        if (!b->n)
            continue;
        c->min = !c->n || b->min < c->min ? b->min : c->min;
        c->max = !c->n || b->max > c->max ? b->max : c->max;
        c->n += b->n;
        c->sum += b->sum;
    }
}

enum { MIN, MEAN, MAX, READINGS, LINES };

/* A place for the lines of a curve. */
static void new_lines(struct smi_curve *c, size_t n, int64_t *line[LINES], struct smi_arena *a)
{
    int64_t *all = smi_arena_new(a, LINES * n + 1, sizeof *all);
    for (size_t i = 0; i < LINES * n; i++)
        all[i] = i < READINGS * n ? SMI_NO_POINT : 0;
    for (size_t i = 0; i < LINES; i++)
        line[i] = all + i * n;
    c->min = line[MIN];
    c->mean = line[MEAN];
    c->max = line[MAX];
    c->readings = line[READINGS];
}

/* Cells between two readings that are no gap apart take the later one. */
static void finish_lines(const struct grid *g, const struct cell *cell, unsigned limit,
                         int64_t *const line[LINES])
{
    size_t last = 0;
    bool some = false;
    for (size_t i = 0; i < g->n; i++) {
        size_t from = i;
        if (!cell[i].n)
            continue;
        if (some && i - last > 1 && smi_interval_class((int64_t)(i - last - 1) * g->width) <= limit)
            from = last + 1;
        for (size_t k = from; k <= i; k++) {
            line[MIN][k] = cell[i].min;
            line[MEAN][k] = (int64_t)smi_i128_div(cell[i].sum, cell[i].n);
            line[MAX][k] = cell[i].max;
        }
        line[READINGS][i] = cell[i].n;
        last = i;
        some = true;
    }
}

/* Traces from ... to - 1 as one curve. */
static void add_curve(struct smi_curve *c, const struct grid *g, struct cell *cell,
                      const struct smi_trace *trace, size_t n, struct smi_arena *a)
{
    int64_t *line[LINES];
    unsigned limit = 0;
    memset(cell, 0, g->n * sizeof *cell);
    for (size_t i = 0; i < n; i++) {
        add_series(g, cell, &trace[i]);
        limit = trace[i].limit > limit ? trace[i].limit : limit;
    }
    c->gpu = trace->gpu;
    c->metric = trace->metric;
    new_lines(c, g->n, line, a);
    finish_lines(g, cell, limit, line);
}

void smi_timeline_curves(struct smi_timeline *t, const struct smi_trace *trace, size_t n, int64_t least_ms,
                         struct smi_arena *a)
{
    struct grid g = make_grid(trace, n, least_ms);
    struct smi_curve *curve = smi_arena_new(a, n + 1, sizeof *curve);
    struct cell *cell = smi_mem_new(g.n, sizeof *cell);
    t->from_ms = g.from;
    t->cell_ms = g.width;
    t->n = g.n;
    t->begin_ms = g.from;
    t->end_ms = g.from + (int64_t)g.n * g.width;
    t->curve = curve;
    for (size_t i = 0, k; g.n && i < n; i = k) {
        for (k = i + 1; k < n && trace[k].gpu == trace[i].gpu && trace[k].metric == trace[i].metric;)
            k++;
        add_curve(&curve[t->ncurves++], &g, cell, trace + i, k - i, a);
    }
    smi_mem_free(cell);
}

void smi_timeline_bound(struct smi_timeline *t, int64_t start_ms, int64_t stop_ms)
{
    int64_t to = t->from_ms + (int64_t)t->n * t->cell_ms;
    bool starts = start_ms >= t->from_ms && start_ms < t->from_ms + 2 * t->cell_ms;
    bool stops = stop_ms <= to && stop_ms >= to - 2 * t->cell_ms;
    t->begin_ms = starts ? start_ms : t->from_ms;
    t->end_ms = stops && stop_ms > t->begin_ms ? stop_ms : to;
}

int64_t smi_timeline_from(const struct smi_timeline *t, size_t i)
{
    int64_t from = t->from_ms + (int64_t)i * t->cell_ms;
    return from < t->begin_ms ? t->begin_ms : from > t->end_ms ? t->end_ms : from;
}

int64_t smi_timeline_to(const struct smi_timeline *t, size_t i)
{
    int64_t to = t->from_ms + (int64_t)(i + 1) * t->cell_ms;
    return to > t->end_ms ? t->end_ms : to < t->begin_ms ? t->begin_ms : to;
}

/* ---- copies ---- */

/* Cells i ... to - 1 as one: each counts by its readings, and one without any of its own only where all are.
 */
static struct cell join_cells(const struct smi_curve *from, size_t i, size_t to)
{
    struct cell c = {0};
    bool some = false;
    for (size_t k = i; k < to; k++)
        some |= from->readings[k] > 0;
    for (; i < to; i++) {
        int64_t weight = some ? from->readings[i] : from->mean[i] != SMI_NO_POINT;
        if (!weight)
            continue;
        c.min = !c.n || from->min[i] < c.min ? from->min[i] : c.min;
        c.max = !c.n || from->max[i] > c.max ? from->max[i] : c.max;
        c.sum += (smi_i128)from->mean[i] * weight;
        c.n += weight;
    }
    return c;
}

static void join_lines(const struct smi_curve *from, size_t n, size_t by, int64_t *const line[LINES])
{
    for (size_t i = 0; i < n; i += by) {
        size_t to = n - i < by ? n : i + by;
        struct cell c = join_cells(from, i, to);
        if (!c.n)
            continue;
        line[MIN][i / by] = c.min;
        line[MEAN][i / by] = (int64_t)smi_i128_div(c.sum, c.n);
        line[MAX][i / by] = c.max;
        for (size_t k = i; k < to; k++)
            line[READINGS][i / by] += from->readings[k];
    }
}

static void copy_curves(struct smi_timeline *to, const struct smi_timeline *t, size_t by, struct smi_arena *a)
{
    struct smi_curve *curve = smi_arena_new(a, t->ncurves + 1, sizeof *curve);
    int64_t *line[LINES];
    to->curve = curve;
    for (size_t i = 0; i < t->ncurves; i++) {
        curve[i] = t->curve[i];
        new_lines(&curve[i], to->n, line, a);
        join_lines(&t->curve[i], t->n, by, line);
    }
}

static const char *copy_name(struct smi_arena *a, const char *name)
{
    return smi_arena_text(a, name, strlen(name));
}

static void copy_marks(struct smi_timeline *to, const struct smi_timeline *t, struct smi_arena *a)
{
    struct smi_phase_span *span = smi_arena_new(a, t->nphases + 1, sizeof *span);
    struct smi_tick *tick = smi_arena_new(a, t->nevents + 1, sizeof *tick);
    to->phase = span;
    to->event = tick;
    for (size_t i = 0; i < t->nphases; i++) {
        span[i] = t->phase[i];
        span[i].name = copy_name(a, t->phase[i].name);
    }
    for (size_t i = 0; i < t->nevents; i++) {
        tick[i] = t->event[i];
        tick[i].name = copy_name(a, t->event[i].name);
    }
}

struct smi_timeline *smi_timeline_copy(const struct smi_timeline *t, size_t points, struct smi_arena *a)
{
    struct smi_timeline *to = smi_arena_new(a, 1, sizeof *to);
    size_t by = points && t->n > points ? (t->n + points - 1) / points : 1;
    *to = *t;
    to->n = (t->n + by - 1) / by;
    to->cell_ms = t->cell_ms * (int64_t)by;
    copy_curves(to, t, by, a);
    copy_marks(to, t, a);
    return to;
}

/* ---- What happened when: phases, stalls, and the timeline that charts draw ---- */

/* Sums of one phase over everything. */
struct phase_sum {
    smi_i128 area, idle;
    int64_t covered, known, n;
};

static void add_gpu_to_phase(struct smi_phase_summary *p, struct phase_sum *sum,
                             const struct smi_run_gpu *body, size_t phase, bool gpu)
{
    int rows = smi_run_gpu_row_format(body), power = smi_metric_source(body, SMI_POWER);
    for (int f = 0; f < SMI_FMT_COUNT; f++) {
        for (size_t i = 0; i < body->limbs[f]; i++) {
            const struct smi_gpu_source *l = &body->limb[f][i];
            const struct smi_phase_stats *t = NULL;
            for (size_t k = 0; k < l->track->tallies && !t; k++)
                t = l->track->tally[k].phase == phase ? &l->track->tally[k] : NULL;
            if (!t)
                continue;
            for (int k = 0; k < SMI_HEADLINE_METRICS; k++)
                if (smi_metric_source(body, smi_headline_metric[k]) == f && body->headline >> k & 1)
                    smi_headline_sum_merge(
                        &p->block.pool[k],
                        &(struct smi_headline_sum){t->pool[k].n, t->pool[k].sum, t->pool[k].max});
            if (f == power && !body->pooled) {
                struct smi_time_sum_slot s = smi_time_sum_total(&t->energy, l->limit);
                sum->area += s.area;
                sum->n += s.n;
            }
            if (f == rows && gpu) {
                struct smi_time_sum_slot s = {0};
                if (!body->pooled)
                    s = smi_time_sum_total(&t->idle, l->limit);
                sum->idle += s.area;
                sum->covered += s.dt;
                sum->known += s.n;
                p->samples += t->rows;
            }
        }
    }
}

static void phase(struct smi_build *b, struct smi_phase_summary *p, size_t number)
{
    struct phase_sum sum = {0};
    const struct smi_phase *f = &b->r->log.phases.phase[number];
    *p = (struct smi_phase_summary){
        .name = smi_build_copy_text(b, f->name), .count = f->count, .seconds = smi_value_of(f->span_us)};
    p->summarised = !b->r->log.phases.over;
    for (size_t i = 0; i < b->out->ngpus; i++)
        add_gpu_to_phase(p, &sum, b->body[i], number, true);
    add_gpu_to_phase(p, &sum, &b->s.host, number, false);
    if (sum.n)
        p->energy_wh = smi_value_wide(smi_i128_div(sum.area, 7200000));
    if (sum.known)
        p->idle_pct = smi_value_ratio(sum.idle * 100 * 1000000, sum.covered);
}

/* ---- stalls ---- */

/* The briefest phase that holds at t_us, or NULL. */
static const struct smi_phase *phase_at(const struct smi_phases *p, int64_t t_us)
{
    const struct smi_phase *best = NULL;
    const uint16_t *active = NULL;
    size_t hint = 0, n = p->cuts && !p->over ? smi_phases_at(p, t_us, &hint, &active) : 0;
    for (size_t i = 0; i < n; i++)
        if (!best || p->phase[active[i]].span_us < best->span_us)
            best = &p->phase[active[i]];
    return best;
}

static void stall(struct smi_build *b, const struct smi_run_gpu *body, struct smi_gpu *g)
{
    int rows = smi_run_gpu_row_format(body);
    const struct smi_phase *phase = NULL;
    int64_t shift;
    for (size_t i = 0; rows >= 0 && !g->pooled && i < body->limbs[rows]; i++) {
        const struct smi_gpu_source *l = &body->limb[rows][i];
        struct smi_stretch stall = l->track->stretch.between;
        const struct smi_device_stats_opts *o = l->track->opts;
        if (stall.ms <= g->stall_ms)
            continue;
        g->stall_ms = stall.ms;
        g->has_stall_from = smi_build_clock(b, l->base, &shift);
        g->stall_from_ms = stall.from_ms - shift;
        phase = NULL;
        if (o->phases && stall.ms < FAR && stall.from_ms < FAR && stall.from_ms > -FAR)
            phase = phase_at(o->phases, (stall.from_ms + stall.ms / 2) * 1000 - o->shift_us);
    }
    g->stall_phase = phase ? smi_build_copy_text(b, phase->name) : NULL;
    g->stalls_ms = g->worked ? g->idle_ms - g->lead_ms - g->trail_ms : 0;
}

/* Idle stretches between work. If all are brief, one at an end that is no longer is like them: the log may
 * begin or end within. */
static void count_stalls(const struct smi_run_gpu *body, struct smi_gpu *g)
{
    const int rows = smi_run_gpu_row_format(body);
    const int64_t most = g->stall_ms < SMI_IDLE_BREAK_MS ? g->stall_ms : 0,
                  edges[] = {g->lead_ms, g->trail_ms};
    for (size_t i = 0; rows >= 0 && !g->pooled && g->worked && i < body->limbs[rows]; i++)
        g->stalls += body->limb[rows][i].track->stretch.all.n;
    for (int i = 0; i < 2 && g->stalls; i++) {
        const bool like = edges[i] <= most;
        g->stalls -= edges[i] > 0 && !like;
        g->stalls_ms += like ? edges[i] : 0;
    }
}

/* So much of the variance of a steadily growing value is explained by a straight line. */
#define STEADY 0.9
/* It goes on to the end: there the last reading is so much of the line above the mean, at least. */
#define LASTS 0.9

/* n * xy - x * y; false: it does not fit. */
static bool find_covariance(int64_t n, smi_i128 xy, smi_i128 x, smi_i128 y, double *out)
{
    smi_i128 all, product, rest;
    if (__builtin_mul_overflow(xy, (smi_i128)n, &all) || __builtin_mul_overflow(x, y, &product) ||
        __builtin_sub_overflow(all, product, &rest))
        return false;
    *out = (double)rest;
    return true;
}

/* By the longest of its logs. Growth that is over ends below the line. */
static void measure_growth(const struct smi_run_gpu *body, struct smi_gpu *g)
{
    const int rows = smi_run_gpu_row_format(body), slot = smi_timed_slot(SMI_FB_USED);
    const struct smi_device_stats *of = NULL;
    const struct smi_trend *m;
    double tt, tv, vv, end, slope;
    for (size_t i = 0; rows >= 0 && !g->pooled && i < body->limbs[rows]; i++)
        if (!of || body->limb[rows][i].track->memory.n > of->memory.n)
            of = body->limb[rows][i].track;
    m = of ? &of->memory : NULL;
    if (!m || !m->n || !find_covariance(m->n, m->tt, m->t, m->t, &tt) ||
        !find_covariance(m->n, m->tv, m->t, m->v, &tv) || !find_covariance(m->n, m->vv, m->v, m->v, &vv) ||
        tt <= 0 || tv <= 0 || tv * tv < STEADY * tt * vv)
        return;
    slope = tv / tt;
    end = (double)(of->timed[slot].last_t >> SMI_TREND_SHIFT) - (double)m->t / (double)m->n;
    if ((double)of->timed[slot].last_v / 1e6 - (double)m->v / (double)m->n < LASTS * slope * end)
        return;
    g->memory_growth = smi_value_of((int64_t)(slope * 3600e6 * 1000 / (1 << SMI_TREND_SHIFT)));
}

/* When conditions held, over the logs of the GPU. */
static void fill_conditions(struct smi_build *b, const struct smi_run_gpu *body, struct smi_gpu *g)
{
    int rows = smi_run_gpu_row_format(body);
    struct smi_gpu_condition *all = NULL;
    int64_t shift;
    for (size_t i = 0; rows >= 0 && !g->pooled && i < body->limbs[rows]; i++) {
        const struct smi_gpu_source *l = &body->limb[rows][i];
        const bool dated = smi_build_clock(b, l->base, &shift);
        for (int k = 0; k < SMI_CONDITION_COUNT; k++) {
            const struct smi_stretches *s = &l->track->condition[k];
            struct smi_gpu_condition *c;
            if (s->n == 0)
                continue;
            all = all ? all : smi_arena_new(&b->out->arena, SMI_CONDITION_COUNT, sizeof *all);
            c = &all[k];
            c->n += s->n;
            c->ms += s->ms;
            if (s->longest.ms <= c->longest_ms)
                continue;
            c->longest_ms = s->longest.ms;
            c->dated = dated;
            c->mean = smi_value_ratio(s->longest.area, s->longest.known_ms);
            c->from_ms = s->longest.from_ms - shift;
            c->to_ms = s->longest.to_ms - shift;
        }
    }
    g->condition = all;
    g->conditions = all ? SMI_CONDITION_COUNT : 0;
}

enum { CPU_READINGS = 3 /* fewer say little of a stall */ };

/* What the CPUs did while it stood still. */
static void measure_stall_cpu(const struct smi_build *b, struct smi_gpu *g)
{
    const struct smi_run_gpu *host = &b->s.host;
    int format = smi_metric_source(host, SMI_CPU_USR), slot = smi_timed_slot(SMI_CPU_USR);
    smi_i128 sum = 0;
    int64_t n = 0, shift;
    for (size_t i = 0; format >= 0 && g->has_stall_from && g->stall_ms > 0 && i < host->limbs[format]; i++) {
        const struct smi_gpu_source *l = &host->limb[format][i];
        const struct smi_series *s = &l->track->timed[slot].series;
        const bool dated = smi_build_clock(b, l->base, &shift);
        const int64_t from = g->stall_from_ms + shift, width = (int64_t)1 << s->shift;
        for (size_t k = 0; k < s->n && dated; k++) { /* whole cells of it */
            const smi_i128 begin = (smi_i128)(s->base + (int64_t)k) * width;
            if (begin < from || begin + width > from + g->stall_ms)
                continue;
            n += s->bucket[k].n;
            sum += s->bucket[k].n ? s->bucket[k].sum : 0;
        }
    }
    if (n >= CPU_READINGS)
        g->stall_cpu = smi_value_ratio(sum, n);
}

/* Its first and last row. */
static void span(const struct smi_build *b, const struct smi_run_gpu *body, struct smi_gpu *g)
{
    int rows = smi_run_gpu_row_format(body);
    int64_t shift;
    for (size_t i = 0; rows >= 0 && !g->pooled && i < body->limbs[rows]; i++) {
        const struct smi_gpu_source *l = &body->limb[rows][i];
        if (!l->track->segments || !smi_build_clock(b, l->base, &shift))
            continue;
        for (int64_t k = 0; k < l->track->segments && k < SMI_SEGMENTS_MAX; k++) {
            struct smi_segment s = k == l->track->segments - 1 ? l->track->open : l->track->segment[k];
            g->first_ms = !g->has_span || s.first - shift < g->first_ms ? s.first - shift : g->first_ms;
            g->last_ms = !g->has_span || s.last - shift > g->last_ms ? s.last - shift : g->last_ms;
            g->has_span = true;
        }
        if (l->track->absent.ms > g->absent_ms) {
            g->absent_ms = l->track->absent.ms;
            g->absent_from_ms = l->track->absent.from_ms - shift;
        }
    }
}

/* The phase that covers most of [from, to], times of the summary: its part of it, in ms. Of equals the first
 * name. */
static int64_t longest_phase_in(const struct smi_build *b, int64_t from, int64_t to, const char **name)
{
    const struct smi_phases *p = &b->r->log.phases;
    const bool some = !p->over && b->out->zoned;
    int64_t most = 0;
    for (size_t i = 0; some && i < p->n; i++) {
        const struct smi_phase *f = &p->phase[i];
        int64_t us = 0;
        for (size_t k = 0; k < f->spans; k++) {
            int64_t begin = f->span[k].from_us > from * 1000 ? f->span[k].from_us : from * 1000,
                    end = f->span[k].to_us < to * 1000 ? f->span[k].to_us : to * 1000;
            us += end > begin ? end - begin : 0;
        }
        if (us > most || (us == most && most && strcmp(f->name, *name) < 0)) {
            most = us;
            *name = f->name;
        }
    }
    return most / 1000;
}

enum { EDGE_MS = 10000 /* idle time at an edge that deserves a look at the phases */ };

void smi_build_idle(struct smi_build *b, const struct smi_run_gpu *body, struct smi_gpu *g)
{
    const char *name = NULL;
    stall(b, body, g);
    count_stalls(body, g);
    fill_conditions(b, body, g);
    measure_growth(body, g);
    measure_stall_cpu(b, g);
    span(b, body, g);
    if (!g->has_span || g->first_ms < -FAR || g->last_ms > FAR)
        return;
    if (g->worked && g->lead_ms >= EDGE_MS)
        g->lead_in.ms = longest_phase_in(b, g->first_ms, g->first_ms + g->lead_ms, &name);
    if (g->lead_in.ms)
        g->lead_in.phase = smi_build_copy_text(b, name);
    if (g->worked && g->trail_ms >= EDGE_MS)
        g->trail_in.ms = longest_phase_in(b, g->last_ms - g->trail_ms, g->last_ms, &name);
    if (g->trail_in.ms)
        g->trail_in.phase = smi_build_copy_text(b, name);
}

/* ---- phases ---- */

struct start {
    const struct smi_phase *phase;
    size_t number;
};

static int compare_start(const void *a, const void *b)
{
    const struct smi_phase *x = ((const struct start *)a)->phase, *y = ((const struct start *)b)->phase;
    if (x->first_us != y->first_us)
        return x->first_us < y->first_us ? -1 : 1;
    return smi_text_compare_natural(x->name, y->name);
}

void smi_build_phases(struct smi_build *b)
{
    const struct smi_phases *from = &b->r->log.phases;
    struct smi_phase_summary *p = smi_arena_new(&b->out->arena, from->n + 1, sizeof *p);
    struct start *order = smi_mem_new(from->n, sizeof *order);
    for (size_t i = 0; i < from->n; i++)
        order[i] = (struct start){&from->phase[i], i};
    smi_sort(order, from->n, sizeof *order, compare_start);
    for (size_t i = 0; i < from->n; i++)
        phase(b, &p[i], order[i].number);
    smi_mem_free(order);
    b->out->phases = p;
    b->out->nphases = from->n;
}

/* ---- the timeline ---- */

/* The limbs that feed a metric of a body, as traces of one curve. Returns how many. */
static size_t add_traces(const struct smi_build *b, const struct smi_run_gpu *body, int gpu, unsigned slot,
                         struct smi_trace *trace)
{
    int f = smi_metric_source(body, smi_timed_metrics[slot]);
    size_t n = 0;
    int64_t shift;
    for (size_t i = 0; f >= 0 && i < body->limbs[f]; i++) {
        const struct smi_gpu_source *l = &body->limb[f][i];
        bool dated = smi_build_clock(b, l->base, &shift);
        if (l->track->timed[slot].series.n && dated == b->out->has_start)
            trace[n++] = (struct smi_trace){gpu, smi_timed_metrics[slot], &l->track->timed[slot].series,
                                            shift, l->limit};
    }
    return n;
}

static size_t count_sources(const struct smi_run_gpu *body)
{
    size_t n = 0;
    for (int f = 0; f < SMI_FMT_COUNT; f++)
        n += body->limbs[f];
    return n;
}

static void add_curves(struct smi_build *b, struct smi_timeline *t)
{
    struct smi_trace *trace;
    size_t most = count_sources(&b->s.host), n = 0;
    int64_t least = 0;
    for (size_t i = 0; i < b->bodies; i++)
        most += count_sources(b->body[i]);
    trace = smi_mem_new(most * SMI_TIMED_COUNT, sizeof *trace);
    for (size_t i = 0; i < b->bodies; i++) {
        int64_t ms = b->out->gpus[i].interval_s.micro / 1000;
        least = ms > 0 && (!least || ms < least) ? ms : least;
        for (unsigned k = 0; k < SMI_TIMED_COUNT; k++)
            n += add_traces(b, b->body[i], (int)i, k, trace + n);
    }
    for (unsigned k = 0; k < SMI_TIMED_COUNT; k++)
        n += add_traces(b, &b->s.host, -1, k, trace + n);
    smi_timeline_curves(t, trace, n, least, &b->out->arena);
    smi_mem_free(trace);
}

static int compare_span_begin(const void *a, const void *b)
{
    const struct smi_phase_span *x = a, *y = b;
    if (x->from_ms != y->from_ms)
        return x->from_ms < y->from_ms ? -1 : 1;
    if (x->to_ms != y->to_ms)
        return x->to_ms > y->to_ms ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* The spans as they can be told apart in a picture. */
static void add_spans(struct smi_build *b, struct smi_timeline *t)
{
    const struct smi_phases *p = &b->r->log.phases;
    struct smi_phase_span *out = smi_arena_new(&b->out->arena, p->spans + 1, sizeof *out);
    t->phase = out;
    for (size_t i = 0; i < p->n; i++) {
        const struct smi_phase *f = &p->phase[i];
        const char *name = f->spans ? smi_build_copy_text(b, f->name) : NULL;
        for (size_t k = 0; k < f->spans; k++) {
            int64_t from = floor_div(f->span[k].from_us, 1000), to = floor_div(f->span[k].to_us, 1000);
            struct smi_phase_span *last = k ? &out[t->nphases - 1] : NULL;
            if (last && from - last->to_ms < t->cell_ms)
                last->to_ms = to > last->to_ms ? to : last->to_ms;
            else
                out[t->nphases++] = (struct smi_phase_span){name, from, to};
        }
    }
    smi_sort(out, t->nphases, sizeof *out, compare_span_begin);
}

static int compare_tick_time(const void *a, const void *b)
{
    const struct smi_tick *x = a, *y = b;
    if (x->at_ms != y->at_ms)
        return x->at_ms < y->at_ms ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void add_ticks(struct smi_build *b, struct smi_timeline *t)
{
    const struct smi_runlog *log = &b->r->log;
    struct smi_tick *out = smi_arena_new(&b->out->arena, log->ticks + 1, sizeof *out);
    const char **name = smi_arena_new(&b->out->arena, log->events + 1, sizeof *name);
    t->event = out;
    for (size_t i = 0; i < log->ticks; i++) {
        const struct smi_event_count *e = &log->event[log->tick[i].event];
        const char **own = &name[log->tick[i].event];
        if (e->ticks != e->n)
            continue;
        if (!*own)
            *own = smi_build_copy_text(b, e->name);
        out[t->nevents++] = (struct smi_tick){*own, floor_div(log->tick[i].t_us, 1000)};
    }
    smi_sort(out, t->nevents, sizeof *out, compare_tick_time);
}

void smi_build_timeline(struct smi_build *b)
{
    struct smi_timeline *t = smi_arena_new(&b->out->arena, 1, sizeof *t);
    add_curves(b, t);
    /* what a RunLog says is in UTC */
    if (b->out->zoned) {
        add_spans(b, t);
        add_ticks(b, t);
    }
    if (b->out->has_start)
        smi_timeline_bound(t, b->out->start_ms, b->out->end_ms);
    b->out->timeline = t;
}
