#include "summary/gpu_figures.h"
#include "aggregate/vector.h"
#include "summary/waste.h"

#include <limits.h>
#include <string.h>

struct smi_value smi_value_of(int64_t micro)
{
    return (struct smi_value){micro, true};
}

struct smi_value smi_value_wide(smi_i128 micro)
{
    bool fits = micro >= INT64_MIN && micro <= INT64_MAX;
    return (struct smi_value){fits ? (int64_t)micro : 0, fits};
}

struct smi_value smi_value_ratio(smi_i128 num, smi_i128 den)
{
    return den > 0 ? smi_value_wide(smi_i128_div(num, den)) : (struct smi_value){0, false};
}

/* ---- sources ---- */

int smi_run_gpu_row_format(const struct smi_run_gpu *b)
{
    int f = smi_metric_source(b, SMI_GPU_UTIL);
    for (int k = 0; k < SMI_FMT_COUNT && f < 0; k++)
        for (size_t i = 0; i < b->limbs[k] && f < 0; i++)
            if (b->limb[k][i].track->rows)
                f = k;
    return f;
}

/* ---- statistics ---- */

/* The counts of a metric over all limbs of its format; *own: they were merged into a fresh one. */
static struct smi_counts *counts_of(const struct smi_run_gpu *b, int format, unsigned metric,
                                    struct smi_counts *fresh, bool *own, struct smi_err *err)
{
    struct smi_counts *one = NULL;
    *own = false;
    for (size_t i = 0; i < b->limbs[format]; i++) {
        struct smi_counts *c = b->limb[format][i].track->counts[metric];
        if (!c)
            continue;
        if (!one) {
            one = c;
            continue;
        }
        if (!*own) {
            smi_counts_init(fresh, smi_metrics[metric].step);
            *own = true;
            if (smi_counts_merge(fresh, one)) {
                smi_err_nomem(err);
                return NULL;
            }
            one = fresh;
        }
        if (smi_counts_merge(fresh, c)) {
            smi_err_nomem(err);
            return NULL;
        }
    }
    return one;
}

struct smi_time_sum_slot smi_run_gpu_timesum(const struct smi_run_gpu *b, int format, int slot)
{
    struct smi_time_sum_slot all = {0};
    for (size_t i = 0; format >= 0 && !b->pooled && i < b->limbs[format]; i++) {
        const struct smi_gpu_source *l = &b->limb[format][i];
        struct smi_time_sum_slot s = smi_time_sum_total(&l->track->timed[slot].sum, l->limit);
        all.n += s.n;
        all.dt += s.dt;
        all.area += s.area;
    }
    return all;
}

/* Of a log of means, the largest is that of the peaks. The metrics come in catalogue order: a peak behind its
 * mean. */
static void add_to_headline(const struct smi_run_gpu *b, int format, unsigned m,
                            const struct smi_counts_figures *f, struct smi_headline *block)
{
    int mean = smi_metric_of_peak(m), slot = smi_headline_slot(mean < 0 ? m : (unsigned)mean);
    struct smi_headline_sum *pool = &block->pool[slot < 0 ? 0 : slot];
    if (slot < 0 || !(b->headline >> slot & 1))
        return;
    if (mean < 0)
        smi_headline_sum_merge(pool, &(struct smi_headline_sum){f->n, f->sum, f->max});
    else if (smi_metric_source(b, (unsigned)mean) == format && f->max > pool->max)
        pool->max = f->max;
}

static int fill_gauge_stats(const struct smi_run_gpu *b, int format, unsigned m, struct smi_stats *s,
                            struct smi_headline *block, struct smi_err *err)
{
    struct smi_counts fresh = {0}, *c;
    struct smi_counts_figures f;
    int64_t p[SMI_PERCENTILES];
    bool own;
    int slot = smi_timed_slot(m), rc;
    c = counts_of(b, format, m, &fresh, &own, err);
    rc = c ? smi_counts_figures(c, smi_percentiles, SMI_PERCENTILES, &f, p) : -1;
    if (rc == 0) {
        s->count = f.n;
        s->mean = smi_value_ratio(f.sum, f.n);
        s->min = smi_value_of(f.min);
        s->max = smi_value_of(f.max);
        s->stddev = smi_value_of(smi_counts_stddev(&f));
        for (int i = 0; i < SMI_PERCENTILES; i++)
            s->p[i] = smi_value_of(p[i]);
        s->approximate = c->approximate;
        add_to_headline(b, format, m, &f, block);
    }
    if (own)
        smi_counts_fini(&fresh);
    if (slot >= 0) {
        struct smi_time_sum_slot t = smi_run_gpu_timesum(b, format, slot);
        s->time_mean = smi_value_ratio(t.area, 2 * (smi_i128)t.dt);
    }
    return rc ? smi_err_nomem(err) : 0;
}

/* Counters of several limbs: the earliest first, the latest last, increases added up. */
static void fill_counter_stats(const struct smi_run_gpu *b, int format, unsigned m, struct smi_stats *s)
{
    int64_t first_t = 0, last_t = 0;
    smi_i128 increase = 0;
    for (size_t i = 0; i < b->limbs[format]; i++) {
        const struct smi_device_stats *t = b->limb[format][i].track;
        for (size_t k = 0; k < t->counters; k++) {
            const struct smi_counter *c = &t->counter[k];
            if (c->metric != m)
                continue;
            if (s->count == 0 || c->first_t < first_t) {
                first_t = c->first_t;
                s->first = smi_value_of(c->first_v);
            }
            if (s->count == 0 || c->last_t >= last_t) {
                last_t = c->last_t;
                s->last = smi_value_of(c->last_v);
            }
            s->count += c->n;
            increase += c->increase;
        }
    }
    s->increase = smi_value_wide(increase);
}

int smi_run_gpu_stats(const struct smi_run_gpu *b, struct smi_arena *a, const struct smi_stats **out,
                      size_t *n, struct smi_headline *block, struct smi_err *err)
{
    struct smi_stats *list;
    size_t k = 0;
    *n = 0;
    for (size_t i = 0; i < sizeof b->has / sizeof *b->has; i++)
        k += (size_t)__builtin_popcountll(b->has[i]);
    list = smi_arena_new(a, k + 1, sizeof *list);
    if (!list)
        return smi_err_nomem(err);
    for (unsigned m = 0; (m = smi_next_metric(b->has, m)) < SMI_METRIC_COUNT; m++) {
        int f = smi_metric_source(b, m);
        if (smi_metrics[m].kind == SMI_STATE)
            continue;
        list[*n].metric = (uint16_t)m;
        if (smi_metrics[m].kind == SMI_COUNTER)
            fill_counter_stats(b, f, m, &list[*n]);
        else if (fill_gauge_stats(b, f, m, &list[*n], block, err))
            return -1;
        ++*n;
    }
    *out = list;
    return 0;
}

/* ---- time ---- */

static void add_times(const struct smi_gpu_source *l, struct smi_gpu *g, struct smi_load *load,
                      int64_t *longest)
{
    const struct smi_device_stats *t = l->track;
    struct smi_time_sum_slot idle = smi_time_sum_total(&t->idle, l->limit);
    g->samples += t->rows - t->asides; /* those are of a second log */
    if (g->pooled)
        return;
    for (int k = 0; k < SMI_LOAD_BINS; k++) {
        load[k].rows += t->load[k].rows;
        load[k].clock += t->load[k].clock;
        load[k].power += t->load[k].power;
    }
    g->covered_ms += smi_time_sum_total(&t->covered, l->limit).dt;
    g->known_ms += idle.dt;
    g->idle_ms += (int64_t)idle.area;
    if (t->worked) { /* of two overlapping logs one may never show work: its idle time has no beginning and no
                        end */
        g->lead_ms += smi_time_sum_total(&t->lead, l->limit).dt;
        g->trail_ms += smi_time_sum_total(&t->trail, l->limit).dt;
    }
    g->worked |= t->worked;
    if (t->stretch.best > *longest && smi_time_sum_total(&t->idle, UINT_MAX).dt > 0) /* gaps, too */
        *longest = t->stretch.best;
}

static int fill_throttles(const struct smi_run_gpu *b, struct smi_gpu *g, struct smi_arena *a,
                          struct smi_err *err)
{
    struct smi_throttle *list = smi_arena_new(a, SMI_THROTTLE_COUNT, sizeof *list);
    if (!list)
        return smi_err_nomem(err);
    g->throttle = list;
    for (int r = 0; r < SMI_THROTTLE_COUNT; r++) {
        struct smi_time_sum_slot all = {0};
        int format = smi_metric_source(b, (unsigned)(SMI_THROTTLE_FIRST + r));
        for (size_t i = 0; format >= 0 && i < b->limbs[format]; i++) {
            const struct smi_gpu_source *l = &b->limb[format][i];
            struct smi_time_sum_slot s = smi_time_sum_total(&l->track->throttle[r], l->limit);
            all.dt += s.dt;
            all.area += s.area;
        }
        g->throttle_known |= all.dt > 0 && SMI_THROTTLE_FIRST + r != SMI_THROTTLE_IDLE;
        if (all.dt == 0)
            continue;
        list[g->throttles].reason = smi_metrics[SMI_THROTTLE_FIRST + r].key + strlen("throttle.");
        list[g->throttles].active_ms = (int64_t)all.area;
        list[g->throttles++].pct = smi_value_ratio(all.area * 100 * 1000000, all.dt);
    }
    return 0;
}

int smi_run_gpu_figures(const struct smi_run_gpu *b, struct smi_gpu *g, struct smi_arena *a,
                        struct smi_err *err)
{
    int rows = smi_run_gpu_row_format(b), power = smi_metric_source(b, SMI_POWER);
    struct smi_time_sum_slot area = smi_run_gpu_timesum(b, power, smi_timed_slot(SMI_POWER));
    struct smi_load load[SMI_LOAD_BINS] = {{0}};
    int64_t longest = -1;
    for (size_t i = 0; rows >= 0 && i < b->limbs[rows]; i++)
        add_times(&b->limb[rows][i], g, load, &longest);
    for (int k = 0; k < SMI_LOAD_BINS; k++)
        if (load[k].rows)
            g->load[k] =
                (struct smi_gpu_load){load[k].rows, smi_value_ratio(load[k].clock, load[k].rows).micro,
                                      smi_value_ratio(load[k].power, load[k].rows).micro};
    /* (W in millionths) x ms, both ends added: / 2 for the mean, / 3,600,000 for hours */
    if (area.n) {
        g->energy_wh = smi_value_wide(smi_i128_div(area.area, 7200000));
        g->energy_covered_s = smi_value_wide((smi_i128)area.dt * 1000);
        g->energy_coverage_pct =
            smi_value_ratio((smi_i128)smi_gpu_energy_ms(g) * 100 * 1000000, g->covered_ms);
    }
    g->idle_pct = smi_value_ratio((smi_i128)g->idle_ms * 100 * 1000000, g->known_ms);
    g->coverage_pct = smi_value_ratio((smi_i128)g->known_ms * 100 * 1000000, g->covered_ms);
    if (longest >= 0)
        g->longest_idle_s = smi_value_wide((smi_i128)longest * 1000);
    return fill_throttles(b, g, a, err);
}

/* Are nine of ten readings that were only kept within 1 % of the largest? */
static bool few_reserved(const struct smi_counts *c)
{
    int32_t min, max;
    int64_t least, near;
    smi_vector_ends(c->few, c->fews, &min, &max);
    least = (max * c->step * 99 + 99) / 100; /* readings are less than 2^43 */
    near = (int64_t)smi_vector_least(c->few, c->fews, (int32_t)((least + c->step - 1) / c->step));
    return max > 0 && near * 10 >= (int64_t)c->fews * 9;
}

bool smi_run_gpu_is_reserved(const struct smi_run_gpu *b)
{
    struct smi_counts fresh = {0}, *c;
    struct smi_counts_view v = {0};
    struct smi_counts_cursor w = {0};
    struct smi_counts_item i;
    int64_t near = 0;
    bool own = false, reserved;
    int f = smi_metric_source(b, SMI_FB_USED);
    c = f < 0 ? NULL : counts_of(b, f, SMI_FB_USED, &fresh, &own, NULL);
    if (c && c->fews && !own)
        return few_reserved(c);
    if (c && smi_counts_view(c, &v) == 0)
        while (smi_counts_view_next(&v, &w, &i))
            near += (smi_i128)i.value * 100 >= (smi_i128)v.all.max * 99 ? i.n : 0;
    reserved = v.all.n > 0 && v.all.max > 0 && near * 10 >= v.all.n * 9;
    smi_counts_view_fini(&v);
    if (own)
        smi_counts_fini(&fresh);
    return reserved;
}
