/* build.c - makes the summary of a run of its statistics: its times, GPUs, processes, errors, phases, and
 * what is doubtful about it */
#include "base/buf.h"
#include "base/clock.h"
#include "summary/findings.h"
#include "summary/gpus.h"
#include "summary/run_fields.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct build {
    struct smi_summary *out;
    struct smi_run *r;
    const struct smi_options *o;
    struct smi_run_gpus s;
    struct smi_arena *room;    /* of its timeline */
    struct bases *bases;       /* when the run was, on each base of times */
    struct smi_run_gpu **body; /* the GPUs that were chosen, as out->gpus */
    size_t bodies;             /* of them, without the pooled one, which is the last */
    bool uneven;               /* see uneven_phases */
    int64_t again_ms;          /* GPU time of logs that is left out, as other logs have it, too */
};

static int compare_number(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* A copy in the summary's arena; NULL for NULL. */
static char *build_copy_text(struct build *b, const char *text)
{
    return smi_copy_text(&b->out->arena, text);
}

/* What is taken off the times of a log with this base to get those of the summary; false: they are no dates
 * of its. */
static bool build_clock(const struct build *b, enum smi_time_base base, int64_t *shift_ms)
{
    *shift_ms = base == SMI_TIME_BASE_LOCAL && b->out->zoned ? (int64_t)b->r->offset_s * 1000 : 0;
    return base == SMI_TIME_BASE_LOCAL || (base == SMI_TIME_BASE_UTC && b->out->zoned);
}

static void set_clocks(const struct build *b, struct smi_run_gpu *of)
{
    for (size_t i = 0; i < of->tracks; i++)
        of->track[i].dated = build_clock(b, of->track[i].base, &of->track[i].shift_ms);
}

/* ---- from the aggregates of one GPU (or the host) to the values that are printed ---- */

/* The format whose rows count as samples: that of gpu_util_pct, else the first with rows; or -1. */
static int row_format_of(const struct smi_run_gpu *b)
{
    const int util = b->source[SMI_GPU_UTIL];
    int first = -1;
    for (size_t i = 0; i < b->tracks && util < 0; i++)
        if (b->track[i].track->rows && (first < 0 || b->track[i].format < first))
            first = b->track[i].format;
    return util < 0 ? first : util;
}

/* ---- statistics ---- */

static void raise_value(struct smi_value *to, struct smi_value v)
{
    if (v.has && (!to->has || v.micro > to->micro))
        *to = v;
}

/* The counts of a metric over all tracks of its format, in *fresh where these are several; SMI_METRIC_COUNT:
 * of the lengths of intervals. */
static struct smi_counts *counts_of(const struct smi_run_gpu *b, int format, unsigned metric,
                                    struct smi_counts *fresh)
{
    struct smi_counts *all = NULL;
    SMI_EACH_SOURCE (l, b, format) {
        struct smi_counts *c = metric < SMI_METRIC_COUNT ? l->track->counts[metric] : &l->track->lengths;
        if (c && all && all != fresh) {
            smi_counts_init(fresh, metric < SMI_METRIC_COUNT ? smi_metrics[metric].step : 1);
            smi_counts_merge(fresh, all);
            all = fresh;
        }
        if (c && all)
            smi_counts_merge(fresh, c);
        all = all ? all : c;
    }
    return all;
}

enum { WHOLE = 1 << 30, READ_TIMES = 64 /* stretches that are told apart */ };

/* When the logs of a GPU so far have read it: stretches of time that are apart. */
struct read_times {
    struct smi_segment of[READ_TIMES];
    size_t n;
};

/* Adds a stretch. Returns how much of it none so far has. They stay in the order of time. */
static int64_t add_read_time(struct read_times *seen, struct smi_segment s)
{
    int64_t own = s.last - s.first;
    size_t n = 0;
    for (size_t i = 0; i < seen->n; i++) {
        const struct smi_segment x = seen->of[i];
        own -= smi_overlap(s.first, s.last, x.first, x.last);
        if (x.last >= s.first && x.first <= s.last) {
            s.first = s.first < x.first ? s.first : x.first;
            s.last = s.last > x.last ? s.last : x.last;
        } else {
            seen->of[n++] = x;
        }
    }
    n -= n == READ_TIMES;
    seen->n = n + 1;
    for (; n > 0 && seen->of[n - 1].first > s.first; n--)
        seen->of[n] = seen->of[n - 1];
    seen->of[n] = s;
    return own;
}

/* The share of a log's time, of WHOLE, that is its own: a time that several logs of a format have of a GPU
 * counts for the first one (docs/numbers.md §4). A log has stretches between its longest gaps.
 * Where its other gaps are more than a tenth of it, nobody knows where they lie: it comes last, and is
 * compared with those without such gaps only. has: the log has what is summed. It is not compared if it steps
 * back. */
static int64_t own_share(struct read_times *seen, const struct smi_gpu_source *l, bool has)
{
    struct read_times others, *const all = l->sparse ? &others : seen;
    int64_t own = 0;
    if (!has || l->track->segments != 1 || l->length_ms <= 0)
        return WHOLE;
    if (l->sparse)
        others = *seen;
    for (size_t i = 0; i < l->n; i++)
        own += add_read_time(all, l->of[i]);
    return (int64_t)smi_i128_div((smi_i128)own * WHOLE, l->length_ms);
}

/* What the intervals of a log sum up to, gaps left out. */
static struct smi_time_sum_slot own_sum(const struct smi_gpu_source *l, const struct smi_time_sum *sum,
                                        int64_t share)
{
    const struct smi_time_sum_slot s = smi_time_sum_total(sum, l->limit);
    return (struct smi_time_sum_slot){0, s.n, (int64_t)smi_i128_div((smi_i128)s.dt * share, WHOLE),
                                      s.area / WHOLE * share + smi_i128_div(s.area % WHOLE * share, WHOLE)};
}

static void add_own(struct smi_time_sum_slot *all, struct read_times *seen, const struct smi_gpu_source *l,
                    const struct smi_time_sum *sum)
{
    const struct smi_time_sum_slot s = own_sum(l, sum, own_share(seen, l, sum->n > 0));
    all->n += s.n;
    all->dt += s.dt;
    all->area += s.area;
}

/* Sums of one timed metric over the tracks of a format. */
static struct smi_time_sum_slot sum_over_time(const struct smi_run_gpu *b, int format, int slot)
{
    struct smi_time_sum_slot all = {0};
    struct read_times seen;
    seen.n = 0;
    SMI_EACH_SOURCE (l, b, b->pooled ? -1 : format)
        add_own(&all, &seen, l, &l->track->timed[slot].sum);
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
        smi_headline_sum_merge(pool, &(struct smi_headline_sum){f->sum, f->n, f->max});
    else if (b->source[mean] == format && f->max > pool->max)
        pool->max = f->max;
}

static void fill_gauge_stats(const struct smi_run_gpu *b, int format, unsigned m, struct smi_stats *s,
                             struct smi_headline *block)
{
    struct smi_counts fresh = {0}, *c;
    struct smi_counts_figures f;
    int64_t p[SMI_PERCENTILES];
    int slot = smi_timed_slot(m);
    c = counts_of(b, format, m, &fresh);
    if (c) {
        smi_counts_figures(c, smi_percentiles, SMI_PERCENTILES, &f, p);
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
    smi_counts_fini(&fresh);
    if (slot >= 0) {
        struct smi_time_sum_slot t = sum_over_time(b, format, slot);
        bool untimed = false; /* a log that is not a second one of the GPU has readings without times */
        SMI_EACH_SOURCE (l, b, format)
            untimed |= l->track->counts[m] && !l->track->asides && !l->track->timed[slot].sum.n &&
                       smi_counts_total(l->track->counts[m]) > 1;
        s->time_mean = smi_value_ratio(t.area, untimed ? 0 : 2 * (smi_i128)t.dt);
        if (m == SMI_GPU_UTIL && b->headline >> smi_headline_slot(m) & 1) {
            block->use_area += t.area;
            block->use_ms += t.dt;
            block->untimed |= untimed;
        }
    }
}

/* What a counter grew by that the logs so far do not have. They have it from one reading to another one; it
 * begins anew where it is less than before. */
static smi_i128 own_increase(const struct smi_counter *c, struct smi_counter *seen)
{
    smi_i128 own = c->increase, before = 0, since = 0;
    if (seen->n && c->first_t < seen->last_t && c->last_t > seen->first_t) {
        if (c->first_t < seen->first_t)
            before = (smi_i128)seen->first_v - (c->first_v <= seen->first_v ? c->first_v : 0);
        if (c->last_t > seen->last_t)
            since = (smi_i128)c->last_v - (c->last_v >= seen->last_v ? seen->last_v : 0);
        own = before + since < own ? before + since : own;
    }
    if (!seen->n || c->first_t < seen->first_t) {
        seen->first_t = c->first_t;
        seen->first_v = c->first_v;
    }
    if (!seen->n || c->last_t >= seen->last_t) {
        seen->last_t = c->last_t;
        seen->last_v = c->last_v;
    }
    seen->n += c->n;
    return own;
}

/* Counters of several tracks: the earliest first, the latest last, increases added up. */
static void fill_counter_stats(const struct smi_run_gpu *b, int format, unsigned m, struct smi_stats *s)
{
    struct smi_counter seen = {.n = 0};
    smi_i128 increase = 0;
    SMI_EACH_SOURCE (l, b, format)
        for (size_t k = 0; k < l->track->counters; k++)
            if (l->track->counter[k].metric == m)
                increase += own_increase(&l->track->counter[k], &seen);
    s->count = seen.n;
    s->first = smi_value_of(seen.first_v);
    s->last = smi_value_of(seen.last_v);
    s->increase = smi_value_wide(increase);
}

/* All statistics of the body, in catalogue order, in the arena; and its share of the reference block. */
static void fill_stats(const struct smi_run_gpu *b, struct smi_arena *a, const struct smi_stats **out,
                       size_t *n, struct smi_headline *block)
{
    struct smi_stats *list;
    size_t k = 0;
    *n = 0;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        k += b->source[m] >= 0;
    list = smi_arena_new(a, k + 1, sizeof *list);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        const int f = b->source[m];
        if (f < 0 || smi_metrics[m].kind == SMI_STATE)
            continue;
        list[*n].metric = (uint16_t)m;
        if (smi_metrics[m].kind == SMI_COUNTER)
            fill_counter_stats(b, f, m, &list[*n]);
        else
            fill_gauge_stats(b, f, m, &list[*n], block);
        ++*n;
    }
    *out = list;
}

/* ---- time ---- */

/* seen: of all its rows, and of those with utilisation. */
static void add_times(const struct smi_gpu_source *l, struct smi_gpu *g, struct read_times seen[2])
{
    const struct smi_device_stats *t = l->track;
    const int64_t any = own_share(&seen[0], l, true), use = own_share(&seen[1], l, t->idle.n > 0);
    const struct smi_time_sum_slot idle = own_sum(l, &t->idle, use),
                                   every = smi_time_sum_total(&t->covered, UINT_MAX),
                                   in = smi_time_sum_total(&t->covered, l->limit);
    const int64_t held = (int64_t)own_sum(l, &t->idle_held, use).area,
                  blind = (int64_t)own_sum(l, &t->idle_blind, use).area;
    g->samples += t->rows - t->asides; /* those are of a second log */
    if (g->pooled)
        return;
    g->covered_ms += own_sum(l, &t->covered, any).dt;
    g->gaps += every.n - in.n;
    g->gap_ms += every.dt - in.dt;
    g->known_ms += idle.dt;
    g->waste.ms[SMI_IDLE_HELD] += held;
    g->waste.ms[SMI_IDLE_BLIND] += blind;
    g->waste.ms[SMI_IDLE_FREE] += (int64_t)idle.area - held - blind;
    g->stalls += use ? t->stretch.all.n : 0;
    if (t->worked) { /* of two overlapping logs one may never show work: its idle time has no beginning and no
                        end */
        g->lead_ms += use == WHOLE ? smi_time_sum_total(&t->lead, l->limit).dt : 0;
        g->trail_ms += own_sum(l, &t->trail, use).dt;
    }
    g->worked |= t->worked;
    if (smi_time_sum_total(&t->idle, UINT_MAX).dt > 0) /* gaps, too */
        raise_value(&g->longest_idle_s, smi_value_wide((smi_i128)t->stretch.all.longest.ms * 1000));
}

static void fill_throttles(const struct smi_run_gpu *b, struct smi_gpu *g, struct smi_arena *a)
{
    struct smi_throttle *list = smi_arena_new(a, SMI_THROTTLE_COUNT, sizeof *list);
    g->throttle = list;
    for (int r = 0; r < SMI_THROTTLE_COUNT; r++) {
        struct smi_time_sum_slot all = {0};
        int format = b->source[SMI_THROTTLE_FIRST + r];
        struct read_times seen;
        seen.n = 0;
        SMI_EACH_SOURCE (l, b, format) {
            seen.n = b->pooled ? 0 : seen.n; /* tracks of nobody are of several GPUs */
            add_own(&all, &seen, l, &l->track->throttle[r]);
        }
        g->throttle_known |= all.dt > 0 && SMI_THROTTLE_FIRST + r != SMI_THROTTLE_IDLE;
        if (all.dt == 0)
            continue;
        list[g->throttles].reason = smi_metrics[SMI_THROTTLE_FIRST + r].key + strlen("throttle.");
        list[g->throttles].condition = r;
        list[g->throttles].active_ms = (int64_t)all.area;
        list[g->throttles++].pct = smi_value_ratio(all.area * 100 * 1000000, all.dt);
    }
}

/* Does a counter of energy differ from power over time by more than 5 %, and by more than n readings of a
 * power that wavers so much can miss (three deviations of their mean)? Asked of logs that have both at the
 * same times, for a minute or more, without gaps. */
static bool counter_differs(const struct smi_run_gpu *b, int power)
{
    enum { LEAST_MS = 60000, UJ = 2000 /* an area is of both ends, in nanojoules */ };
    SMI_EACH_SOURCE (l, b, power) {
        const struct smi_timed_metrics *m = &l->track->timed[smi_timed_slot(SMI_POWER)];
        const struct smi_time_sum_slot in = smi_time_sum_total(&m->sum, l->limit),
                                       all = smi_time_sum_total(&m->sum, UINT_MAX);
        for (size_t k = 0; k < l->track->counters; k++) {
            const struct smi_counter *c = &l->track->counter[k];
            const smi_i128 more = c->increase * UJ - all.area;
            struct smi_counts_view v;
            double missed;
            if (c->metric != SMI_ENERGY || c->increase <= 0 || c->first_t != m->first_t ||
                c->last_t != m->last_t || l->track->segments != 1 || all.dt < LEAST_MS || in.dt != all.dt ||
                (more < 0 ? -more : more) * 20 <= all.area)
                continue;
            smi_counts_view(l->track->counts[SMI_POWER], &v);
            missed = 2.0 * 3 * (double)smi_counts_stddev(&v.all) * (double)all.dt;
            smi_counts_view_fini(&v);
            if ((double)more * (double)more * (double)all.n > missed * missed)
                return true;
        }
    }
    return false;
}

/* Time, energy, idle, throttling, shape of a GPU. Returns how much time of it is left out, as several logs
 * have it.
 */
static int64_t fill_figures(struct smi_run_gpu *b, struct smi_gpu *g, struct smi_arena *a)
{
    const int rows = row_format_of(b), power = b->source[SMI_POWER];
    struct read_times seen[2];
    int64_t all_ms = 0;
    seen[0].n = seen[1].n = 0;
    SMI_EACH_SOURCE (l, b, rows) {
        add_times(l, g, seen);
        all_ms += l->in_ms;
    }
    /* (W in millionths) x ms, both ends added: / 2 for the mean, / 3,600,000 for hours */
    b->power = sum_over_time(b, power, smi_timed_slot(SMI_POWER));
    if (b->power.n) {
        g->energy_wh = smi_value_wide(smi_i128_div(b->power.area, 7200000));
        g->energy_covered_s = smi_value_wide((smi_i128)b->power.dt * 1000);
        g->energy_coverage_pct = smi_value_percent(smi_gpu_energy_ms(g), g->covered_ms);
        g->counter_differs = counter_differs(b, power);
    }
    g->idle_pct = smi_value_percent(smi_idle_ms(&g->waste), g->known_ms);
    g->coverage_pct = smi_value_percent(g->known_ms, g->covered_ms);
    fill_throttles(b, g, a);
    return g->pooled ? 0 : all_ms - g->covered_ms;
}

/* Is device memory within 1 % of its maximum in 90 % of the samples? */
static bool is_reserved(const struct smi_run_gpu *b)
{
    struct smi_counts fresh = {0}, *c;
    struct smi_counts_figures all = {0};
    bool reserved;
    const int f = b->source[SMI_FB_USED];
    if (f < 0 || !(c = counts_of(b, f, SMI_FB_USED, &fresh)))
        return false;
    smi_counts_figures(c, NULL, 0, &all, NULL);
    reserved = all.max > 0 && smi_counts_below(c, (all.max * 99 + 99) / 100) <= all.n / 10;
    smi_counts_fini(&fresh);
    return reserved;
}

/* ---- when it was ---- */

/* When the run was, by the logs of one base of times. */
struct base {
    bool some;
    int64_t first, last; /* the smallest and the largest time */
    bool rows;
    int64_t from, to; /* of rows of a GPU or a process, or of the run log, */
    bool back;
    int64_t back_from, back_to;  /* and behind a step back of a GPU's time: */
    int64_t later_ms, pieces_ms; /* the most that comes there of a GPU, and in all */
};

struct bases {
    struct base of[SMI_TIME_BASES];
    bool local, counted;
    int ahead_s; /* of the earliest local stamp */
    int64_t local_first;
    int64_t segments;
};

static void add_track(struct base *b, const struct smi_device_stats *t, int64_t shift_ms)
{
    const int64_t kept = t->segments < SMI_SEGMENTS_MAX ? t->segments : SMI_SEGMENTS_MAX;
    const struct smi_segment *last = smi_last_segment(t);
    int64_t later = t->segment_rest + (t->segments > kept ? last->last - last->first : 0), pieces = later;
    for (int64_t k = 0; k < kept; k++) {
        const int64_t from = t->segment[k].first - shift_ms, to = t->segment[k].last - shift_ms;
        smi_widen(k ? &b->back : &b->rows, k ? &b->back_from : &b->from, k ? &b->back_to : &b->to, from, to);
        pieces += to - from;
        later += k ? to - from : 0;
    }
    if (t->asides && t->aside.first <= t->aside.last)
        smi_widen(&b->rows, &b->from, &b->to, t->aside.first - shift_ms, t->aside.last - shift_ms);
    b->later_ms = later > b->later_ms ? later : b->later_ms;
    b->pieces_ms = pieces > b->pieces_ms ? pieces : b->pieces_ms;
}

/* What lies behind a step back counts where no other time is. */
static int64_t base_duration_ms(const struct base *b)
{
    const int64_t in =
        (b->to < b->back_to ? b->to : b->back_to) - (b->from > b->back_from ? b->from : b->back_from);
    const int64_t out = b->back_to - b->back_from - (b->back && in > 0 ? in : 0);
    const int64_t ms = b->to - b->from + (out < b->later_ms ? out : b->later_ms);
    return ms > b->pieces_ms ? ms : b->pieces_ms;
}

static void collect_bases(struct bases *b, const struct smi_run *r)
{
    for (size_t i = 0; i < r->parts; i++) {
        const struct smi_input_stats *p = r->part[i];
        const bool shifted = p->base == SMI_TIME_BASE_LOCAL && r->has_offset;
        const int64_t shift = shifted ? (int64_t)r->offset_s * 1000 : 0;
        struct base *of = &b->of[shifted ? SMI_TIME_BASE_UTC : p->base];
        bool gpus = false;
        if (p->timed)
            smi_widen(&of->some, &of->first, &of->last, p->first_ms - shift, p->last_ms - shift);
        b->counted |= p->timed && p->given.how == SMI_TIMES_STEPS;
        if (p->timed && p->base == SMI_TIME_BASE_LOCAL && (!b->local || p->first_ms < b->local_first)) {
            b->local = true;
            b->local_first = p->first_ms;
            b->ahead_s = (int)(p->ahead_ms / 1000);
        }
        for (size_t k = 0; k < p->tracks + 2; k++) {
            const struct smi_device_stats *t = smi_input_stats_track(p, k);
            gpus |= t && t != p->host;
            if (!t)
                continue;
            add_track(of, t, shift);
            b->segments = t->segments > b->segments ? t->segments : b->segments;
        }
        if (p->timed && smi_format_infos[p->format].procs && !gpus)
            smi_widen(&of->rows, &of->from, &of->to, p->first_ms - shift, p->last_ms - shift);
    }
    if (r->log.entries) {
        struct base *utc = &b->of[SMI_TIME_BASE_UTC];
        const int64_t first = smi_us_to_ms(r->log.first_us), last = smi_us_to_ms(r->log.last_us);
        smi_widen(&utc->some, &utc->first, &utc->last, first, last);
        smi_widen(&utc->rows, &utc->from, &utc->to, first, last);
        b->segments = b->segments ? b->segments : 1;
    }
}

/* Fills zoned, offset_s, time_base, start, end, duration_s, segments. */
static void fill_times(struct smi_summary *out, const struct smi_run *r, struct bases *all)
{
    static const char *const from[] = {"", "inferred", "from the run log", "from --tz"};
    char zone[SMI_CLOCK_TEXT];
    enum smi_time_base base;
    bool local, some = false;
    int64_t longest = 0;
    collect_bases(all, r);
    local = all->local;
    out->segments = all->segments;
    for (int i = SMI_TIME_BASE_LOCAL; i < SMI_TIME_BASES; some |= all->of[i++].some)
        if (all->of[i].some && base_duration_ms(&all->of[i]) >= longest)
            longest = base_duration_ms(&all->of[i]);
    if (!some)
        return;
    out->duration_s = smi_value_wide((smi_i128)longest * 1000);
    base = all->of[SMI_TIME_BASE_LOCAL].some ? SMI_TIME_BASE_LOCAL : SMI_TIME_BASE_UTC;
    if (!all->of[base].some) {
        out->time_base = all->counted                      ? "counted by --interval, date not known"
                         : all->of[SMI_TIME_BASE_DAY].some ? "time of day, date not known"
                                                           : "elapsed time, date not known";
        return;
    }
    out->has_start = true;
    out->start_ms = all->of[base].first;
    out->end_ms = all->of[base].last;
    out->zoned = base == SMI_TIME_BASE_UTC;
    out->offset_s = r->has_offset && local ? r->offset_s + all->ahead_s : 0;
    out->time_base = local ? "local, zone not known" : "utc";
    if (!r->has_offset || !local)
        return;
    smi_clock_write_zone(zone, out->offset_s);
    out->time_base = smi_format_text(&out->arena, "utc%s %s%s%s", zone, from[r->zone_from],
                                     r->zone ? " " : "", r->zone ? r->zone : "");
}

/* ---- which GPUs ---- */

/* Does a word of the list mean this GPU (NULL: none)? An index, a uuid, or the beginning of a uuid. *meant:
 * as smi_summary.gpus_meant; or NULL. */
static bool list_names_gpu(const struct build *b, const char *list, const struct smi_run_gpu *g,
                           uint64_t *meant)
{
    char index[SMI_I128_TEXT];
    struct smi_text word;
    bool any;
    if (list &&
        strcmp(list, "auto") == 0) /* what the run's own log recorded, never this process's environment */
        list = b->r->log.visible;
    any = !list || strcmp(list, "all") == 0;
    if (any || !g)
        return any;
    smi_i128_write(index, g->index);
    for (unsigned i = 0; smi_text_next_item(&list, &word); i++) {
        if (!(g->index >= 0 && smi_text_is(word, index)) &&
            !(g->uuid && word.n >= 4 && strncasecmp(g->uuid, word.p, word.n) == 0))
            continue;
        any = true;
        if (meant)
            *meant |= i < 64 ? (uint64_t)1 << i : 0;
    }
    return any;
}

/* Does --gpus mean all, or this GPU? g NULL: rows that no GPU is known for. The words of --gpus that do are
 * noted in *meant, which may be NULL, not those of the export that the run is read back from. */
static bool build_is_chosen(const struct build *b, const struct smi_run_gpu *g, uint64_t *meant)
{
    return list_names_gpu(b, smi_run_fact(b->r, SMI_FACT_GPUS), g, NULL) &&
           list_names_gpu(b, b->o->gpus, g, meant);
}

/* How good the logs are: what became of their lines, how often they were written, which readings they lack.
 */

enum { GAPS_MANY = 5 /* and a tenth: no accidents */ };

/* The lower median of the intervals, and the largest (docs/numbers.md §4). */
static struct smi_counts_figures fill_intervals(const struct smi_counts *c, struct smi_value *median,
                                                struct smi_value *most)
{
    struct smi_counts_figures all;
    smi_counts_figures(c, NULL, 0, &all, NULL);
    if (all.n) {
        *median = smi_value_of(smi_counts_median(c) * 1000);
        *most = smi_value_of(all.max * 1000);
    }
    return all;
}

/* ---- inputs ---- */

/* What is counted and said once, when all parts of the input are together: rows that could not be given to a
 * GPU, stamps that their zone does not have. */
static void add_count_messages(struct smi_account *a, const char *zone)
{
    zone = zone ? zone : "the zone";
    if (a->stamps_never)
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "%lld stamp%s in the hour that %.60s leaves out: read as if the clock had "
                         "not been set; is it the zone of the log?",
                         (long long)a->stamps_never, a->stamps_never == 1 ? "" : "s", zone);
    if (a->stamps_twice && !a->stamps_again) /* it is settled where both passes are in the log */
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "%lld stamp%s in the hour that comes twice in %.60s: taken for its first pass",
                         (long long)a->stamps_twice, a->stamps_twice == 1 ? "" : "s", zone);
    if (a->undecided) {
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "no GPU key, and the times do not tell how many GPUs there are: "
                         "all rows are pooled, without times; --gpu-count N says it");
    } else if (a->ragged_bursts) {
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "%lld sample%s without one row for each of the %lld GPUs (%lld row%s): "
                         "not assigned to a GPU, and without times",
                         (long long)a->ragged_bursts, a->ragged_bursts == 1 ? "" : "s", (long long)a->burst,
                         (long long)a->ragged_rows, a->ragged_rows == 1 ? "" : "s");
    }
}

/* What the times of an input leave out without a sum that shows it: intervals of a second, slower cadence are
 * all gaps, and rows of which many step back in time make no intervals. */
static void add_time_messages(const struct smi_input *in, int64_t intervals, struct smi_input_stats *p)
{
    struct smi_account *a = &p->account;
    int64_t rows = 0, back = 0;
    char seconds[SMI_MICRO_TEXT];
    for (size_t i = 0; i < p->tracks; i++) {
        rows += p->track[i] ? p->track[i]->rows : 0;
        back += p->track[i] && p->track[i]->segments > 1 ? p->track[i]->segments - 1 : 0;
    }
    smi_text_write_micro(seconds, in->gap_ms * 1000);
    if (in->gaps >= GAPS_MANY && in->gaps * 10 >= intervals) {
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "%lld of %lld intervals are gaps by the median of all: %s s are in no energy and "
                         "no idle time; if two monitors or two cadences are in it, make each a file",
                         (long long)in->gaps, (long long)intervals, seconds);
    }
    if (back >= GAPS_MANY && back * 10 >= rows) {
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "time steps back at %lld of %lld rows: duration, energy and idle time need rows "
                         "in the order of time; sort them",
                         (long long)back, (long long)rows);
    }
}

static void build_input(struct build *b, struct smi_input *in, struct smi_input_stats *p)
{
    static const unsigned peaks[] = {SMI_GPU_UTIL_PEAK, SMI_MEM_UTIL_PEAK, SMI_FB_USED_PEAK};
    struct smi_counts_cursor w = {0};
    struct smi_counts_item dt;
    struct smi_counts_view v;
    struct smi_log_warning *list;
    const int64_t lines = p->account.lines;
    const struct smi_input_stats *to = p->joined_to ? p->joined_to : p;
    int *place = smi_arena_new(&b->out->arena, p->devices.n, sizeof *place);
    const struct smi_counts_figures all = fill_intervals(&p->dts, &in->interval_s, &in->interval_max_s);
    char ms[SMI_MICRO_TEXT];
    if (all.n && smi_interval_class(all.max) > p->limit) {
        smi_counts_view(&p->dts, &v);
        while (smi_counts_view_next(&v, &w, &dt)) {
            const bool gap = smi_interval_class(dt.value) > p->limit;
            in->gaps += gap ? dt.n : 0;
            in->gap_ms += gap ? dt.n * dt.value : 0;
        }
        smi_counts_view_fini(&v);
    }
    p->account.lines = 0; /* these are about the whole input */
    add_count_messages(&p->account, b->r->zone);
    add_time_messages(in, all.n, p);
    p->account.lines = lines;
    in->place = place;
    in->places = p->devices.n;
    for (size_t i = 0; i < in->places; i++) { /* which GPU of the summary each device is */
        const size_t who = p->joined_to && i < p->tracks ? (size_t)p->joined_as[i] : i;
        const bool has = i < p->tracks && who < to->tracks && to->track[who];
        place[i] = has ? to->track[who]->place : SMI_PLACE_NONE;
    }
    list = smi_arena_new(&b->out->arena, p->account.problems + 1, sizeof *list);
    in->path = build_copy_text(b, p->path);
    in->format = smi_format_infos[p->format].name;
    in->gpu = smi_format_infos[p->format].gpu && !smi_format_infos[p->format].procs;
    for (size_t i = 0; i < b->s.gpus; i++)
        for (size_t k = 0; k < sizeof peaks / sizeof *peaks; k++)
            in->peaks |= b->s.gpu[i].source[peaks[k]] == p->format;
    in->account = p->account;
    in->account.problem = list;
    in->account.cap = 0;
    in->account.refused = smi_arena_new(&b->out->arena, p->account.refused_cap, sizeof(int64_t));
    for (size_t m = 0; m < p->account.refused_cap; m++)
        in->account.refused[m] = p->account.refused[m];
    for (size_t i = 0; i < p->account.problems; i++) {
        list[i] = p->account.problem[i];
        list[i].text = build_copy_text(b, p->account.problem[i].text);
    }
    if (!in->gpu || !in->interval_s.has || in->interval_s.micro <= 0 || in->peaks)
        return;
    smi_text_write_micro(ms, in->interval_s.micro);
    in->note = smi_format_text(&b->out->arena, "peaks shorter than %s s are not seen", ms);
}

/* ---- GPUs ---- */

/* Of every metric of this body that its logs have or were asked for: in how many of the rows it is. A log may
 * be of GPUs and the machine. */
static void build_available(struct build *b, const struct smi_run_gpu *body, const struct smi_share **out,
                            size_t *n)
{
    struct smi_share list[SMI_METRIC_COUNT];
    uint64_t asked[SMI_METRIC_COUNT / 64 + 1] = {0};
    const struct smi_gpu_source *l = body->track;
    *n = 0;
    for (; body->tracks && l < body->track + body->tracks; l++)
        for (unsigned k = 0; k < sizeof asked / sizeof *asked && l->track->rows > 0; k++)
            asked[k] |= b->s.asked[l->format][k];
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        int64_t readings = 0, rows = 0;
        int f = body->source[m]; /* else the first format that was asked for it, and has rows */
        if (f < 0 && (smi_metric_is_host(m) != (body == &b->s.host) || !(asked[m / 64] >> m % 64 & 1)))
            continue;
        for (l = body->track; f < 0; l++)
            if (b->s.asked[l->format][m / 64] >> m % 64 & 1 && l->track->rows > 0)
                f = l->format;
        SMI_EACH_SOURCE (of, body, f) {
            const struct smi_device_stats *t = of->track;
            rows += t->rows;
            readings += t->counts[m] ? smi_counts_total(t->counts[m]) : 0;
            for (size_t k = 0; k < t->counters; k++)
                readings += t->counter[k].metric == m ? t->counter[k].n : 0;
        }
        list[(*n)++] = (struct smi_share){(uint16_t)m, smi_value_percent(readings, rows)};
    }
    *out = memcpy(smi_arena_new(&b->out->arena, *n, sizeof *list), list, *n * sizeof *list);
}

/* ---- how it ended ---- */

enum { ROUNDED = 50000 /* a row of samples has one digit behind the point */ };

/* What its tracker told of a metric at the end, else what the samples show. */
static void fill_command(struct build *b)
{
    const struct smi_runlog_usage *t = &b->r->log.tracked;
    const size_t n = (size_t)SMI_COMMAND_USES * SMI_COMMAND_PARTS;
    struct smi_command_figures *f = smi_arena_new(&b->out->arena, n, sizeof *f);
    b->out->used = f;
    for (size_t i = 0; i < n; i++, f++) {
        const int metric = smi_command_uses[i / SMI_COMMAND_PARTS].metric[i % SMI_COMMAND_PARTS],
                  told = metric - SMI_TREE_CPU; /* the first ones are of the CPUs: their time is told */
        const struct smi_stats *host = smi_host_stats(b->out, (unsigned)metric);
        if (metric < 0)
            continue;
        if (host)
            *f = (struct smi_command_figures){.mean = host->mean, .max = host->max};
        if (t->has >> told & 1 && (!f->max.has || t->max[told] + ROUNDED >= f->max.micro))
            f->max = smi_value_of(t->max[told]);
        if (told < SMI_RUNLOG_USAGE_PARTS && t->span_us)
            f->mean = smi_value_ratio((smi_i128)t->cpu_us[told] * 100000000, t->span_us);
        f->there = f->max.has || f->mean.has;
        b->out->nused = f->there ? n : b->out->nused;
    }
}

static const char *reason_of_log(struct build *b, const char *reason, const char *whose)
{
    return reason && whose ? smi_format_text(&b->out->arena, "%s (%s)", reason, whose)
                           : build_copy_text(b, reason);
}

/* How a log says that the run ended; where none does, what a file beside them says. */
static void build_state(struct build *b)
{
    const struct smi_runlog *log = &b->r->log;
    const char *fact = log->failed || log->ended ? NULL : smi_run_fact(b->r, SMI_FACT_STATE),
               *why = smi_run_fact(b->r, SMI_FACT_REASON),
               *whose = NULL, /* its log, beside a RunLog, tells how the run ended; NULL: it is a RunLog */
                   *code = fact ? smi_run_fact(b->r, SMI_FACT_EXIT) : NULL;
    struct smi_summary *out = b->out;
    int said = 0;
    for (size_t i = b->r->parts; i-- > 0;)
        if (b->r->part[i]->log.started &&
            (b->r->part[i]->format == SMI_FMT_WANDB || b->r->part[i]->format == SMI_FMT_MLFLOW))
            whose = b->r->part[i]->format == SMI_FMT_WANDB ? "W&B" : "MLflow";
    while (fact && said < SMI_STATE_UNKNOWN && strcmp(fact, smi_state_names[said]))
        said++;
    out->state = log->failed ? SMI_STATE_FAILED : log->ended ? SMI_STATE_OK : SMI_STATE_UNKNOWN;
    if (fact && said < SMI_STATE_UNKNOWN)
        out->state = (enum smi_state)said;
    else if (out->state == SMI_STATE_UNKNOWN && log->started)
        out->state = SMI_STATE_CUT;
    if (out->state != SMI_STATE_FAILED && !smi_run_has_gpu_data(out))
        out->state = SMI_STATE_NO_DATA;
    if (fact || (out->state == SMI_STATE_FAILED && log->failed && why && !smi_reason_is_exit(why) &&
                 (!log->reason || smi_reason_is_exit(log->reason))))
        out->state_reason = build_copy_text(b, why);
    else if (out->state == SMI_STATE_FAILED)
        out->state_reason = reason_of_log(b, log->reason, whose);
    else if (out->state == SMI_STATE_CUT)
        out->state_reason = reason_of_log(b, whose ? "no end" : "no end in the run log", whose);
    out->has_exit = log->has_exit || code;
    out->exit_code = code ? strtol(code, NULL, 10) : log->exit_code;
    out->command = build_copy_text(b, log->command);
    out->hostname = build_copy_text(b, b->r->host  ? b->r->host
                                       : log->host ? log->host
                                                   : smi_run_fact(b->r, SMI_FACT_HOST));
    fill_command(b);
}

/* Facts that are columns of runs (sweep/sweep.h), in the order of names. */
static void build_results(struct build *b)
{
    const struct smi_run *r = b->r;
    struct smi_param *p = r->facts ? smi_arena_new(&b->out->arena, r->facts, sizeof *p) : NULL;
    size_t n = 0;
    for (size_t i = 0; i < r->facts; i++)
        if (strncmp(r->fact[i].key, SMI_FACT_RESULT, strlen(SMI_FACT_RESULT)) == 0 ||
            strcmp(r->fact[i].key, SMI_FACT_COMMIT) == 0 || strcmp(r->fact[i].key, SMI_FACT_COMMAND) == 0)
            p[n++] = (struct smi_param){build_copy_text(b, r->fact[i].key),
                                        build_copy_text(b, r->fact[i].text), r->fact[i].bare};
    smi_sort(p, n, sizeof *p, smi_compare_names);
    b->out->results = p;
    b->out->nresults = n;
}

/* "<function f at 0x7f0a12b3c4d0>": an object of Python without a text of its own. Its address differs from
 * run to run, and says nothing about it. */
static bool is_object_address(const char *text)
{
    static const char at[] = " at 0x";
    const char *p = text ? strstr(text, at) : NULL;
    for (; p; p = strstr(p, at)) {
        p += sizeof at - 1;
        p += strspn(p, "0123456789abcdefABCDEF");
        if (*p == '>' && strchr(text, '<'))
            return true;
    }
    return false;
}

/* Adds one, unless its name is there. */
static void add_param(struct build *b, struct smi_param *p, const char *key, const char *text, bool bare)
{
    if (!smi_param_text(p, b->out->nparams, key) && !is_object_address(text))
        p[b->out->nparams++] = (struct smi_param){build_copy_text(b, key), build_copy_text(b, text), bare};
}

/* Of the run's own, those from files or the others. */
static void add_own_params(struct build *b, struct smi_param *p, bool file)
{
    for (const struct smi_run_param *q = b->r->param; q && q < b->r->param + b->r->params; q++)
        if (q->file == file && !q->differs)
            add_param(b, p, q->key, q->text, q->bare);
}

/* Path over RunLog over files. */
static void build_params(struct build *b)
{
    const struct smi_runlog *log = &b->r->log;
    const struct smi_runlog_params *given = smi_runlog_params(log);
    struct smi_param *p = smi_arena_new(&b->out->arena, b->r->params + given->n + 1, sizeof *p);
    static const char *const cpus[] = {"cpu_count", "num_of_cpus",
                                       NULL}; /* as a run log or a usage log has them */
    const struct smi_stats *listed = smi_host_stats(b->out, SMI_CPUS); /* in the machine's /proc/stat */
    char end[24];
    const size_t cut = (size_t)snprintf(end, sizeof end, ".%lld", (long long)log->recording);
    int64_t micro;
    b->out->params = p;
    add_own_params(b, p, false);
    /* one of the run's name that ends the name of a recording in DIR.2: .2 is no part of it */
    for (size_t i = 0; i < b->out->nparams && log->recording; i++) {
        const size_t all = strlen(p[i].text), name = strlen(b->out->run);
        if (all <= cut || name < all || strcmp(b->out->run + name - all, p[i].text) != 0 ||
            strcmp(p[i].text + all - cut, end) != 0)
            continue;
        p[i].text = smi_arena_text(&b->out->arena, p[i].text, all - cut);
        p[i].bare = smi_text_is_bare(smi_text_of(p[i].text));
    }
    for (size_t i = 0; i < given->n; i++)
        add_param(b, p, given->list[i].key, given->list[i].text, given->list[i].bare);
    add_own_params(b, p, true);
    b->out->cpus = listed ? listed->max.micro / 1000000 : 0;
    for (size_t i = 0; i < b->out->nparams && b->out->cpus == 0; i++)
        if (smi_text_is_one_of(smi_text_of(p[i].key), cpus) &&
            smi_text_parse_micro(smi_text_of(p[i].text), &micro) == 0 && micro > 0 && micro % 1000000 == 0)
            b->out->cpus = micro / 1000000;
}

static void build_events(struct build *b)
{
    const struct smi_runlog *log = &b->r->log;
    struct smi_count *e = smi_arena_new(&b->out->arena, log->events + 1, sizeof *e);
    for (size_t i = 0; i < log->events; i++)
        e[i] = (struct smi_count){build_copy_text(b, log->event[i].name), log->event[i].n};
    smi_sort(e, log->events, sizeof *e, smi_compare_strings);
    b->out->events = e;
    b->out->nevents = log->events;
}

/* ---- what could not be said ---- */

/* What --gpus has left, where that is nothing; NULL if there was nothing to choose from. */
static const char *unmatched_gpus_text(const struct build *b)
{
    enum { MOST = 400 };
    struct smi_buf t = {0};
    if (b->out->ngpus || (!b->s.gpus && row_format_of(&b->s.pool) < 0))
        return NULL;
    smi_buf_str(&t, "--gpus chose none of the GPUs in the logs:");
    for (const struct smi_run_gpu *g = b->s.gpu; g < b->s.gpu + b->s.gpus && t.n < MOST; g++) {
        smi_buf_str(&t, g > b->s.gpu ? ", " : " ");
        if (g->index >= 0)
            smi_buf_fmt(&t, "%d", g->index);
        else
            smi_buf_fmt(&t, "%.60s", g->uuid ? g->uuid : "?");
    }
    smi_buf_str(&t, b->s.gpus ? "" : " rows that name none");
    return smi_buf_keep(&t, &b->out->arena);
}

/* The problems of a run in the making, and what its logs are. */
struct problem_list {
    struct build *b;
    const char **text;
    size_t n;
    bool log, procs; /* it has logs of GPUs; of processes */
    bool times;
    bool amd;          /* all logs of GPUs come from AMD's tools, which name things otherwise */
    bool utc;          /* there is a log in UTC */
    bool made_by_hand; /* the headers of all logs of GPUs are in somebody's own words */
    bool spread_out;
};

/* A sentence, if it holds. */
#define ADD_PROBLEM(l, holds, ...)                                                   \
    do {                                                                             \
        if (holds)                                                                   \
            (l)->text[(l)->n++] = smi_format_text(&(l)->b->out->arena, __VA_ARGS__); \
    } while (0)

/* "lr, seed": in the order of names, whatever the order of the parts. */
static void add_differing_params(struct problem_list *l)
{
    const struct smi_run *r = l->b->r;
    const char **key = smi_arena_new(&l->b->out->arena, r->params + 1, sizeof *key);
    struct smi_buf text = {0};
    size_t keys = 0;
    for (size_t i = 0; i < r->params; i++)
        if (r->param[i].differs)
            key[keys++] = r->param[i].key;
    smi_sort(key, keys, sizeof *key, smi_compare_strings);
    smi_buf_str(&text, "the parts that --run joins differ in these parameters, which are left out: ");
    for (size_t i = 0; i < keys; i++)
        if (i == 0 || strcmp(key[i], key[i - 1]))
            smi_buf_fmt(&text, "%s%s", i ? ", " : "", key[i]);
    ADD_PROBLEM(l, keys, "%s", text.p);
    smi_buf_fini(&text);
}

static void add_missing_readings(struct problem_list *l)
{
    const struct smi_options *o = l->b->o;
    const struct smi_summary *out = l->b->out;
    const struct smi_headline_sum *pool = out->block.pool;
    const char *none = unmatched_gpus_text(l->b);
    bool named = false; /* a log names a GPU that has no price */
    SMI_EACH_GPU (g, out)
        named |= g->name && !g->price.has && g->covered_ms > 0;
    ADD_PROBLEM(l, !l->log && !l->procs, "no GPU log%s",
                l->b->r->unread == SMI_UNREAD_COLUMNS ? " whose columns are known" : "");
    ADD_PROBLEM(l, !l->log && l->procs,
                "only process logs: they have no memory, utilization or power of a GPU as a whole");
    ADD_PROBLEM(l, o->gpus && strcmp(o->gpus, "auto") == 0 && !l->b->r->log.visible && (l->log || l->procs),
                "--gpus auto: no run log says which GPUs were visible to the run: all are taken");
    ADD_PROBLEM(l, l->log && out->ngpus == 0, "%s", none ? none : "no usable row in the GPU logs");
    if (l->log && out->ngpus) {
        ADD_PROBLEM(l, !pool[0].n, "no utilization column, or no reading in it");
        ADD_PROBLEM(l,
                    l->made_by_hand && !o->columns && pool[0].n && pool[0].max > 0 && pool[0].max <= 1000000,
                    "no reading of the utilization is above 1 %%: where the log means shares of 1, "
                    "--columns-from says so (unit fraction)");
        ADD_PROBLEM(l, !pool[1].n, "no %s, or no reading in it",
                    l->amd ? "column of memory in use" : "memory.used column");
        ADD_PROBLEM(l, !pool[2].n, "no power column, or no reading in it");
    }
    ADD_PROBLEM(l, !l->log && l->procs && !out->ngpus, "the process logs say nothing of a GPU that is named");
    if ((l->log || l->procs) && out->ngpus) {
        ADD_PROBLEM(l, !l->times && !out->duration_s.has, "no times in the %s; --interval S gives them",
                    !l->log ? "process logs: no duration (pmon without -o, or a query without timestamp)"
                    : l->amd
                        ? "GPU logs: no duration, energy or idle time (amd-smi prints them with -w, "
                          "rocm-smi never)"
                        : "GPU logs: no duration, energy or idle time (dmon without -o, or a query without "
                          "timestamp)");
        ADD_PROBLEM(l, !l->times && out->duration_s.has,
                    "no two rows of one GPU with times: no energy, no idle time");
    }
    ADD_PROBLEM(l, l->times && pool[2].n && !out->energy_wh.has,
                "no two neighbouring rows with power: no energy");
    ADD_PROBLEM(l, out->energy_part != NULL, "energy is of %s: power is not known for the rest",
                out->energy_part ? out->energy_part : "");
    ADD_PROBLEM(l, out->money.unpriced > 0, "a GPU has no price: %s; a number beside them is for all others",
                named ? "--price-gpu-hour names models, and none of them is in its name"
                      : "no log says which model it is, and --price-gpu-hour names models");
    ADD_PROBLEM(l, l->times && pool[0].n && !out->idle_pct.has,
                "no interval that ends with a utilization reading: no idle time");
    ADD_PROBLEM(l, !pool[4].n, "no %s", out->nhost ? "user time of the CPUs in the logs" : "CPU log");
}

static void add_log_problems(struct problem_list *l)
{
    const struct build *b = l->b;
    const char *base = b->out->time_base;
    ADD_PROBLEM(l, base && strncmp(base, "local", 5) == 0 && l->utc,
                "zone of the GPU logs not known: phases and host are not joined to them; --tz says it");
    ADD_PROBLEM(l, b->r->log.phases.over, "too many phases: their figures are left out");
    ADD_PROBLEM(l, b->r->log.event_other > 0,
                "%" PRId64 " events are left out: their names come after the first %d", b->r->log.event_other,
                SMI_EVENT_NAMES);
    ADD_PROBLEM(l, b->uneven,
                "a part was summarised without the run log of a phase that reaches into it: the phase lacks "
                "its rows (keep the whole run log beside every part)");
    ADD_PROBLEM(l, b->s.procs_apart,
                "a process log names GPUs by another key (uuid, index) than the other logs: what its "
                "processes add up to is left out");
    ADD_PROBLEM(
        l, l->spread_out,
        "rows without times (dmon without -o) are spread evenly over the run: estimated, for phases only");
}

/* The last one of these is what the totals of the sweep warn of. */
static void add_matching_problems(struct problem_list *l)
{
    const struct build *b = l->b;
    bool twice = false; /* two logs of a format that overlap name a GPU of the same index, or one each, and
                           nothing surer; those that follow each other are one stream */
    bool lacks =
        false; /* a GPU has readings that count nowhere in the headline, not as rows of nobody either */
    for (size_t k = 0; k < b->s.gpus; k++)
        for (size_t i = 0; i < b->s.gpu[k].tracks && !b->s.gpu[k].uuid && !b->s.gpu[k].bus; i++)
            twice |= !smi_format_infos[b->s.gpu[k].track[i].format].procs &&
                     smi_gpu_source(&b->s.gpu[k], b->s.gpu[k].track[i].format, &b->s.gpu[k].track[i + 1]);
    for (size_t i = 0; i < b->bodies; i++)
        for (unsigned k = 0; k < SMI_HEADLINE_METRICS; k++)
            lacks |= b->body[i]->source[smi_headline_metric[k]] >= 0 &&
                     !((b->body[i]->headline | b->s.pool.headline) >> k & 1);
    ADD_PROBLEM(l, b->s.unmatched,
                "the logs name GPUs by different keys (uuid, index): they cannot be matched and are counted "
                "apart; index and uuid in the query would help");
    ADD_PROBLEM(l, b->s.keyless_pooled,
                "the log without GPU key has another number of GPUs than the others: its rows are pooled");
    if (b->s.unmatched || b->s.keyless_pooled)
        b->out->doubt = l->text[l->n - 1];
    ADD_PROBLEM(l, lacks,
                "a reading of some GPUs is only in logs of another format than that of the other GPUs: the "
                "run's means and peaks leave it out");
    ADD_PROBLEM(
        l, twice,
        "two logs of one format cover the same time and do not say which GPU they are from, or give the "
        "same index: treated as one GPU, whose time counts once; if they are from two GPUs or machines, make "
        "each a run (--run-per file)");
    if (twice && !b->out->doubt)
        b->out->doubt = l->text[l->n - 1];
    ADD_PROBLEM(
        l, !twice && b->again_ms >= SMI_OVERLAP_LEAST_MS,
        "%s GPU-h are in several logs of one format: they hold the same GPU at the same time, which counts "
        "once",
        smi_fixed_text(&b->out->arena, smi_value_hours(b->again_ms).micro, 2));
}

/* Every headline value that is null has its reason here. */
static void build_problems(struct build *b)
{
    struct problem_list l = {.b = b,
                             .text = smi_arena_new(&b->out->arena, b->r->problems + 30, sizeof *l.text),
                             .times = b->out->gpu_hours.has};
    size_t divided = 0;
    SMI_EACH_GPU (g, b->out)
        divided += g->divided;
    l.amd = l.made_by_hand = true;
    l.utc = b->r->log.entries > 0;
    for (size_t i = 0; i < b->r->parts; i++) {
        const struct smi_input_stats *p = b->r->part[i];
        const struct smi_format_info *f = &smi_format_infos[p->format];
        l.log |= f->gpu && f->rows && !f->procs;
        l.procs |= f->gpu && f->rows && f->procs;
        l.amd &= !f->gpu || (p->format >= SMI_FMT_AMD_METRIC && p->format <= SMI_FMT_ROCM_JSON);
        l.utc |= p->base == SMI_TIME_BASE_UTC;
        l.made_by_hand &= !f->gpu || p->format == SMI_FMT_GPU_CSV;
        l.spread_out |= p->given.how == SMI_TIMES_SPREAD;
    }
    add_missing_readings(&l);
    /* the driver tells of a divided GPU what is of all its instances: no utilization, which would not be */
    ADD_PROBLEM(
        &l, divided > 0,
        "MIG is enabled on %zu of %zu GPUs: such a GPU has no utilization, and the memory and power of "
        "all its instances",
        divided, b->out->ngpus);
    add_log_problems(&l);
    add_matching_problems(&l);
    add_differing_params(&l);
    for (size_t i = 0; i < b->r->problems; i++)
        ADD_PROBLEM(&l, true, "%s", b->r->problem[i]);
    b->out->problems = l.text;
    b->out->nproblems = l.n;
    b->out->unread = b->r->unread;
}

/* ---- what went wrong with its GPUs: faults that cells and messages told, and counters of errors that grew
 * ---- */

/* While the list is made, its texts are borrowed. */
struct error_list {
    struct smi_error *e;
    size_t n, cap;
};

/* Of a GPU of the run, else of one that a log names, or NULL. */
static struct smi_gpu_keys keys_of(const struct smi_run_gpu *body, const struct smi_device *d)
{
    if (body)
        return (struct smi_gpu_keys){body->uuid, body->bus, body->serial, body->index};
    return d ? smi_device_keys(d) : (struct smi_gpu_keys){.index = -1};
}

/* An error of a GPU of the run, else of one of which a log or, at least, a message ("" says nothing) knows
 * something. */
static struct smi_error new_error(enum smi_fault_id id, const struct smi_run_gpu *body,
                                  const struct smi_device *d, const char *bus)
{
    const struct smi_gpu_keys of = keys_of(body, d);
    return (struct smi_error){
        .id = id, .gpu = of.index, .uuid = of.uuid, .bus = body || d || !*bus ? of.bus : bus};
}

/* By kind, then GPU, then code; of which GPU is not known comes last. */
static int compare_errors(const void *a, const void *b)
{
    const struct smi_error *x = a, *y = b;
    int c = (int)x->id - (int)y->id;
    if (c == 0 && x->gpu != y->gpu)
        c = (unsigned)x->gpu < (unsigned)y->gpu ? -1 : 1;
    if (c == 0)
        c = smi_device_compare_keys(SMI_DEVICE_KEY_UUID, x->uuid, y->uuid);
    if (c == 0)
        c = smi_device_compare_keys(SMI_DEVICE_KEY_BUS, x->bus, y->bus);
    return c ? c : compare_number(x->code, y->code);
}

/* Widens the times of an error by those of another one. */
static void widen_error(struct smi_error *to, const struct smi_error *e)
{
    if (e->has_first && (!to->has_first || e->first_ms < to->first_ms))
        to->first_ms = e->first_ms;
    if (e->has_last && (!to->has_last || e->last_ms > to->last_ms))
        to->last_ms = e->last_ms;
    to->has_first |= e->has_first;
    to->has_last |= e->has_last;
}

/* ---- faults ---- */

static const struct smi_run_gpu *gpu_of_fault(const struct build *b, const struct smi_input_stats *p,
                                              const struct smi_fault_count *f)
{
    bool apart;
    if (f->who >= 0)
        return smi_run_gpus_find(&b->s, &p->devices.list[f->who], p->devices.n == 1, &apart);
    for (size_t i = 0; *f->bus && i < b->s.gpus; i++)
        if (b->s.gpu[i].bus && smi_device_compare_keys(SMI_DEVICE_KEY_BUS, b->s.gpu[i].bus, f->bus) == 0)
            return &b->s.gpu[i];
    return b->s.gpus == 1 && !*f->bus && f->id != SMI_FAULT_NO_DRIVER ? &b->s.gpu[0] : NULL;
}

static void add_faults(struct build *b, const struct smi_input_stats *p, struct error_list *l)
{
    int64_t shift;
    bool dated = build_clock(b, p->base, &shift);
    for (size_t i = 0; i < p->faults.n; i++) {
        const struct smi_fault_count *f = &p->faults.list[i];
        const struct smi_run_gpu *body = gpu_of_fault(b, p, f);
        struct smi_error e =
            new_error((enum smi_fault_id)f->id, body, f->who >= 0 ? &p->devices.list[f->who] : NULL, f->bus);
        e.code = f->code;
        e.n = f->n;
        e.has_first = dated && f->timed && !f->open;
        e.first_ms = f->first_ms - shift;
        e.has_last = dated && f->timed;
        e.last_ms = f->last_ms - shift;
        if (build_is_chosen(b, body, NULL))
            *SMI_MEM_ADD(l->e, l->n, l->cap) = e;
    }
}

/* ---- counters that grew ---- */

/* Adds what a metric grew by to *e, and widens its times. Returns whether any log has the metric. */
static bool counter_has_grown(const struct smi_run_gpu *body, unsigned metric, struct smi_error *e)
{
    int format = body->source[metric];
    struct smi_counter seen = {.n = 0};
    smi_i128 own;
    SMI_EACH_SOURCE (l, body, format) {
        const bool dated = l->dated && l->track->timed_rows;
        for (size_t k = 0; k < l->track->counters; k++) {
            const struct smi_counter *c = &l->track->counter[k];
            own = c->metric == metric ? own_increase(c, &seen) : 0;
            if (own == 0)
                continue;
            e->n += (int64_t)(own / 1000000);
            widen_error(e, &(struct smi_error){.has_first = dated,
                                               .first_ms = c->first_rise - l->shift_ms,
                                               .has_last = dated,
                                               .last_ms = c->last_rise - l->shift_ms});
        }
    }
    return format >= 0;
}

/* Counters whose names begin so: the total, which comes first, or where that was not asked for all others. */
static void sum_counters(const struct smi_run_gpu *body, const char *begin, struct smi_error *e)
{
    size_t n = strlen(begin);
    for (unsigned m = SMI_ECC_CORR_VOL; m <= SMI_REMAPPED_UNCORR; m++) {
        const char *key = smi_metrics[m].key;
        if (body->source[m] >= 0 && strncmp(key, begin, n) == 0 && counter_has_grown(body, m, e) &&
            strcmp(key + n, "total") == 0)
            return;
    }
}

/* Errors and repairs that counters tell. ECC errors are counted since the driver was loaded, and over the
 * GPU's life: the same errors. */
static void add_counted(const struct smi_run_gpu *body, struct error_list *l)
{
    static const struct {
        enum smi_fault_id id;
        const char *first, *second;
        bool same; /* both count the same */
    } row[] = {{SMI_FAULT_ECC_UNCORR, "ecc.u.v.", "ecc.u.a.", true},
               {SMI_FAULT_ECC_CORR, "ecc.c.v.", "ecc.c.a.", true},
               {SMI_FAULT_REMAPPED, "remapped_rows.correctable", "remapped_rows.uncorrectable", false},
               {SMI_FAULT_RETIRED, "retired_sbe", "retired_dbe", false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct smi_error x = new_error(row[i].id, body, NULL, ""), y = x;
        sum_counters(body, row[i].first, &x);
        sum_counters(body, row[i].second, &y);
        if (y.n)
            widen_error(&x, &y);
        x.n = !row[i].same ? x.n + y.n : y.n > x.n ? y.n : x.n;
        if (x.n)
            *SMI_MEM_ADD(l->e, l->n, l->cap) = x;
    }
}

/* ---- all of them ---- */

static void build_errors(struct build *b)
{
    struct smi_error *out;
    struct error_list l = {0};
    for (size_t i = 0; i < b->r->parts; i++)
        add_faults(b, b->r->part[i], &l);
    for (size_t i = 0; i < b->bodies; i++)
        add_counted(b->body[i], &l);
    smi_sort(l.e, l.n, sizeof *l.e, compare_errors);
    b->out->errors = out = smi_arena_new(&b->out->arena, l.n + 1, sizeof *out);
    for (size_t i = 0; i < l.n; i++) {
        if (i && compare_errors(&l.e[i - 1], &l.e[i]) == 0) {
            widen_error(out - 1, &l.e[i]);
            out[-1].n += l.e[i].n;
            continue;
        }
        *out = l.e[i];
        out->uuid = build_copy_text(b, l.e[i].uuid);
        out++->bus = build_copy_text(b, l.e[i].bus);
        b->out->nerrors++;
    }
    smi_mem_free(l.e);
}

/* ---- its processes: those of all its logs, one line for each on each GPU. pmon knows a process by the first
 * 15 bytes of its command, compute-apps by its path, accounting by its pid only ---- */

enum { COMMAND = 15 /* bytes of a command that pmon prints at least, if it has them */ };

struct entry {
    const struct smi_run_gpu *body;  /* or NULL: the GPU is none of the run's */
    const struct smi_device *device; /* what the log says of the GPU, or NULL */
    int format;
    bool dated;        /* its times are on the base of the summary */
    struct smi_proc p; /* its name is the part's */
};

/* GPUs of the run in their order, then those that are only named, then those that are not. */
static int compare_entry_gpu(const struct entry *x, const struct entry *y)
{
    int c = 0;
    if (x->body || y->body)
        return !x->body || !y->body ? (x->body == NULL) - (y->body == NULL)
                                    : (x->body > y->body) - (x->body < y->body);
    if (!x->device || !y->device)
        return (x->device == NULL) - (y->device == NULL);
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT && c == 0; k++)
        c = smi_device_compare_keys((enum smi_device_key)k, x->device->key[k], y->device->key[k]);
    return c;
}

/* By GPU, pid (not known ones last), format, life and name. */
static int compare_entries(const struct entry *x, const struct entry *y)
{
    const uint64_t p = (uint64_t)x->p.pid, q = (uint64_t)y->p.pid;
    int c = compare_entry_gpu(x, y);
    c = c ? c : (p > q) - (p < q);
    c = c ? c : x->format - y->format;
    c = c ? c : compare_number(x->p.life_ms, y->p.life_ms);
    if (c || !x->p.name || !y->p.name)
        return c ? c : (x->p.name == NULL) - (y->p.name == NULL);
    return smi_text_compare_natural(x->p.name, y->p.name);
}

/* Of equal ones the earlier first: of an accounting record it is the one that stays. */
static int by_entry_and_time(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int c = compare_entries(x, y);
    return c ? c : compare_number(x->p.first_ms, y->p.first_ms);
}

/* ---- all of one log format ---- */

/* ---- several formats ---- */

/* Can a be the path, or b the command, of one process? */
static bool process_names_match(const char *a, const char *b)
{
    const char *piece, *command;
    if (!a || !b)
        return true;
    piece = strlen(a) >= strlen(b) ? a : b;
    command = piece == a ? b : a;
    for (const char *at = piece; *at; at++)
        piece = *at == '/' || *at == '\\' ? at + 1 : piece;
    return strcmp(piece, command) == 0 ||
           (strlen(command) >= COMMAND && strncmp(piece, command, strlen(command)) == 0);
}

/* A later format adds what an earlier one does not have: one source a reading. */
static void adopt_entry(struct entry *to, const struct entry *from)
{
    for (int i = 0; i < SMI_PROC_METRICS; i++)
        if (!to->p.of[i].n && !to->p.of[i].peaks)
            to->p.of[i] = from->p.of[i];
    if (from->p.life_ms > 0)
        to->p.life_ms = from->p.life_ms;
    to->p.types |= from->p.types;
    if (from->p.name && (!to->p.name || strlen(from->p.name) > strlen(to->p.name)))
        to->p.name = from->p.name;
    if (!from->dated)
        return;
    smi_widen(&to->dated, &to->p.first_ms, &to->p.last_ms, from->p.first_ms, from->p.last_ms);
}

/* The entries of one GPU and pid are neighbours: each has what its formats say of it. Returns how many are
 * left.
 */
static size_t merge_formats(struct entry *list, size_t all)
{
    size_t left = 0, n;
    for (struct entry *e = list; e < list + all; e += n) {
        size_t accounted, k = 0, kept;
        bool ended = false;
        for (n = 1; e + n < list + all && e->p.pid >= 0 && e[n].p.pid == e->p.pid &&
                    compare_entry_gpu(e, &e[n]) == 0;)
            n++;
        for (accounted = n; accounted && e[accounted - 1].p.life_ms >= 0;) /* their format is the last */
            ended |= e[--accounted].p.life_ms > 0;
        kept = accounted;
        for (size_t i = accounted; i < n; i++) /* a record of a process that ran, and one of its end */
            if (!(ended && e[i].p.life_ms == 0))
                e[kept++] = e[i];
        for (size_t i = 0; i < kept; i++) {
            const bool lone = i < accounted || kept - accounted == 1;
            size_t m = k;
            for (size_t j = 0; j < k && lone && m == k; j++)
                if (e[j].format < e[i].format && process_names_match(e[j].p.name, e[i].p.name))
                    m = j;
            if (m < k)
                adopt_entry(&e[m], &e[i]);
            else
                e[k++] = e[i];
        }
        memmove(list + left, e, k * sizeof *e);
        left += k;
    }
    return left;
}

/* ---- figures ---- */

static void fill_process_figures(struct build *b, const struct entry *e, struct smi_process_figures *f)
{
    static const char *const types[8] = {NULL, "C", "G", "C+G", "M", "M+C", "M+G", "M+C+G"};
    const struct smi_gpu_keys of = keys_of(e->body, e->device), named = keys_of(NULL, e->device);
    f->gpu = of.index;
    f->uuid = build_copy_text(b, of.uuid ? of.uuid : named.uuid);
    f->bus = build_copy_text(b, of.bus ? of.bus : named.bus);
    f->pid = e->p.pid;
    f->name = build_copy_text(b, e->p.name);
    f->type = types[e->p.types & 7];
    f->samples = e->format == SMI_FMT_ACCOUNTED ? 0 : e->p.samples;
    f->has_time = e->dated;
    f->first_ms = e->p.first_ms;
    f->last_ms = e->p.last_ms;
    for (int i = 0; i < SMI_PROC_METRICS; i++) {
        const struct smi_proc_sum *s = &e->p.of[i];
        f->of[i].mean = smi_value_ratio(s->sum, s->n);
        if (s->peaks)
            f->of[i].peak = smi_value_of(s->max);
    }
    if (e->p.life_ms > 0)
        f->life_s = smi_value_wide((smi_i128)e->p.life_ms * 1000);
}

static void build_processes(struct build *b)
{
    struct smi_process_figures *f;
    struct entry *e;
    int64_t left = 0;
    size_t n = 0, same = 0;
    for (size_t i = 0; i < b->r->parts; i++)
        n += b->r->part[i]->procs.n;
    e = smi_mem_new(n, sizeof *e);
    n = 0;
    for (size_t i = 0; i < b->r->parts; i++) {
        const struct smi_input_stats *part = b->r->part[i];
        int64_t shift;
        bool dated = build_clock(b, part->base, &shift), apart;
        left += part->procs.others;
        for (size_t k = 0; k < part->procs.n;
             k++) { /* on the chosen GPUs; times as the summary prints them */
            const struct smi_proc *p = &part->procs.list[k];
            const struct smi_device *d = p->who >= 0 ? &part->devices.list[p->who] : NULL;
            const struct smi_run_gpu *body =
                d ? smi_run_gpus_find(&b->s, d, part->devices.n == 1, &apart) : NULL;
            if (!build_is_chosen(b, body, NULL))
                continue;
            e[n] = (struct entry){body, d, part->format, dated && p->timed && p->life_ms < 0, *p};
            e[n].p.first_ms -= shift;
            e[n++].p.last_ms -= shift;
        }
    }
    smi_sort(e, n, sizeof *e, by_entry_and_time);
    for (size_t i = 0; i < n; i++) { /* several logs of one format: rotated ones, or overlapping */
        if (same && compare_entries(&e[same - 1], &e[i]) == 0) {
            smi_proc_add(&e[same - 1].p, &e[i].p);
            e[same - 1].dated |= e[i].dated;
        } else {
            e[same++] = e[i];
        }
    }
    n = merge_formats(e, same);
    f = smi_arena_new(&b->out->arena, n + 1, sizeof *f);
    for (size_t i = 0; i < n; i++)
        fill_process_figures(b, &e[i], &f[i]);
    b->out->processes = f;
    b->out->nprocesses = n;
    if (left)
        smi_run_add_problem(
            b->r, "more than %d processes in one log: %lld rows of the others are in no process's figures",
            SMI_PROCS_MAX, (long long)left);
    smi_mem_free(e);
}

/* ---- What happened when: phases, stalls, and the timeline that charts draw ---- */

static void add_gpu_to_phase(struct smi_phase_summary *p, struct smi_time_sum_slot *energy,
                             struct smi_time_sum_slot *idle, const struct smi_run_gpu *body, size_t phase,
                             bool gpu)
{
    int rows = row_format_of(body), power = body->source[SMI_POWER];
    struct read_times with_power, with_use;
    with_power.n = with_use.n = 0;
    for (const struct smi_gpu_source *l = body->track; l && l < body->track + body->tracks; l++) {
        const struct smi_phase_stats *t = NULL;
        for (size_t k = 0; k < l->track->tallies && !t; k++)
            t = l->track->tally[k].phase == phase ? &l->track->tally[k] : NULL;
        if (!t)
            continue;
        for (int k = 0; k < SMI_HEADLINE_METRICS; k++)
            if (body->source[smi_headline_metric[k]] == l->format && body->headline >> k & 1)
                smi_headline_sum_merge(&p->block.pool[k], &t->pool[k]);
        if (l->format == power && !body->pooled)
            add_own(energy, &with_power, l, &t->energy);
        if (l->format == rows && gpu && !body->pooled)
            add_own(idle, &with_use, l, &t->idle);
        p->samples += l->format == rows && gpu ? t->rows : 0;
    }
}

/* ---- stalls ---- */

/* The longest idle stretch between work, and the briefest phase that holds in its middle. */
static void note_stall(struct build *b, const struct smi_gpu_source *l, struct smi_gpu *g)
{
    const struct smi_stretch stall = l->track->stretch.between;
    const struct smi_device_stats_opts *o = l->track->opts;
    const struct smi_phases *p;
    const struct smi_phase *phase = NULL;
    const uint16_t *active = NULL;
    size_t hint = 0, n = 0;
    if (stall.ms <= g->stall_ms)
        return;
    g->stall_ms = stall.ms;
    g->has_stall_from = l->dated;
    g->stall_from_ms = stall.from_ms - l->shift_ms;
    p = o->phases;
    if (p && p->cuts && !p->over && stall.ms < SMI_FAR_MS && stall.from_ms < SMI_FAR_MS &&
        stall.from_ms > -SMI_FAR_MS)
        n = smi_phases_at(p, (stall.from_ms + stall.ms / 2) * 1000 - o->shift_us, &hint, &active);
    for (size_t i = 0; i < n; i++)
        if (!phase || p->phase[active[i]].span_us < phase->span_us)
            phase = &p->phase[active[i]];
    g->stall_phase = phase ? build_copy_text(b, phase->name) : NULL;
}

/* Idle stretches between work. If all are brief, one at an end that is no longer is like them: the log may
 * begin or end within. */
static void count_stalls(struct smi_gpu *g)
{
    const int64_t most = g->stall_ms < SMI_IDLE_BREAK_MS ? g->stall_ms : 0,
                  edges[] = {g->lead_ms, g->trail_ms};
    g->stalls = g->worked ? g->stalls : 0;
    g->stalls_ms = g->worked ? smi_idle_ms(&g->waste) - g->lead_ms - g->trail_ms : 0;
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

/* n * xy - x * y. The parts may leave 127 bits, their difference does not: they wrap. */
static double covariance(int64_t n, smi_i128 xy, smi_i128 x, smi_i128 y)
{
    return (double)(smi_i128)((smi_u128)n * (smi_u128)xy - (smi_u128)x * (smi_u128)y);
}

/* By the longest of its logs. Growth that is over ends below the line. */
static void measure_growth(const struct smi_run_gpu *body, int rows, struct smi_gpu *g)
{
    const int slot = smi_timed_slot(SMI_FB_USED);
    const struct smi_device_stats *of = NULL;
    const struct smi_trend *m;
    double tt, tv, vv, end, slope;
    SMI_EACH_SOURCE (l, body, rows)
        of = !of || l->track->memory.n > of->memory.n ? l->track : of;
    m = of ? &of->memory : NULL;
    if (!m || !m->n)
        return;
    tt = covariance(m->n, m->tt, m->t, m->t);
    tv = covariance(m->n, m->tv, m->t, m->v);
    vv = covariance(m->n, m->vv, m->v, m->v);
    if (tt <= 0 || tv <= 0 || tv * tv < STEADY * tt * vv)
        return;
    slope = tv / tt;
    end = (double)(of->timed[slot].last_t >> SMI_TREND_SHIFT) - (double)m->t / (double)m->n;
    if ((double)of->timed[slot].last_v / 1e6 - (double)m->v / (double)m->n < LASTS * slope * end)
        return;
    slope *= 3600e6 * 1000 / (1 << SMI_TREND_SHIFT);
    if (slope < 1e18) /* sums of a partial summary may be of any size */
        g->memory_growth = smi_value_of((int64_t)slope);
}

/* Of stretches in a log. */
static struct smi_gpu_condition condition_of(const struct smi_stretches *s, const struct smi_gpu_source *l)
{
    const struct smi_stretch *x = &s->longest;
    return (struct smi_gpu_condition){s->n,
                                      s->ms,
                                      x->ms,
                                      x->from_ms - l->shift_ms,
                                      x->to_ms - l->shift_ms,
                                      l->dated,
                                      smi_value_ratio(x->area, x->known_ms)};
}

enum { LIMIT_HELD_MS = 60000 /* a power limit that holds for less does not count */ };

/* A cut begins where the limit is lower than the highest one before by the share of the rule, and goes on to
 * the end of the last one that is. One that never changes is compared with the default limit. */
static void measure_cuts(const struct build *b, const struct smi_gpu_source *log, struct smi_gpu *g)
{
    const struct smi_steps *limits = &log->track->limits;
    const struct smi_rule *rules = b->o->rules ? b->o->rules : smi_rules;
    const int64_t kept = 100 * (int64_t)1000000 - rules[SMI_RULE_POWER_LIMIT_CHANGED].limit;
    struct smi_stretches cuts = {0};
    const struct smi_stats *usual = smi_gpu_stats(g, SMI_POWER_LIMIT_DEFAULT);
    int64_t top = usual && limits->n == 1 ? usual->max.micro / 1000000 : 0, least = 0;
    for (const struct smi_step *l = limits->list, *end = limits->n ? l + limits->n : l; l < end; l++) {
        const int64_t to_ms = l + 1 < end && l[1].from_ms > l->to_ms ? l[1].from_ms : l->to_ms;
        const bool high = (smi_i128)l->v * 100 * 1000000 > (smi_i128)top * kept;
        if (to_ms - l->from_ms < LIMIT_HELD_MS)
            continue;
        top = l->v > top ? l->v : top;
        if (high || l->from_ms < cuts.last.to_ms) /* or the clock was set back */
            smi_stretches_end(&cuts);
        if (high)
            continue;
        least = cuts.last.ms && least < l->v ? least : l->v;
        smi_stretches_extend(&cuts, to_ms - l->from_ms, l->from_ms, to_ms, 0, INT64_MAX);
        if (cuts.longest.from_ms != cuts.last.from_ms)
            continue;
        g->limit_top = top;
        g->limit_least = least;
    }
    g->cuts = condition_of(&cuts, log);
}

/* When conditions held, and the power limits, by the first of its logs in which they changed. */
static void add_conditions(struct build *b, const struct smi_gpu_source *l,
                           struct read_times seen[SMI_CONDITION_COUNT], struct smi_gpu *g)
{
    if (!g->cuts.n && l->track->limits.n <= SMI_STEPS_MAX)
        measure_cuts(b, l, g);
    struct smi_gpu_condition *all = (struct smi_gpu_condition *)g->condition;
    for (int k = 0; k < SMI_CONDITION_COUNT; k++) {
        const struct smi_stretches *s = &l->track->condition[k];
        const int64_t own = own_share(&seen[k], l, s->n > 0);
        if (s->n == 0)
            continue;
        if (!all)
            g->condition = all = smi_arena_new(&b->out->arena, SMI_CONDITION_COUNT, sizeof *all);
        g->conditions = SMI_CONDITION_COUNT;
        const int64_t n = all[k].n + (own ? s->n : 0),
                      ms = all[k].ms + (int64_t)smi_i128_div((smi_i128)s->ms * own, WHOLE);
        if (s->longest.ms > all[k].longest_ms)
            all[k] = condition_of(s, l);
        all[k].n = n;
        all[k].ms = ms;
    }
}

/* ---- memory that no process has ---- */

/* The time of an idle stretch in which no process was on the GPU, as far as its log of processes was read;
 * that is `ahead` ms behind. The last one of the processes begins never. */
static void add_held(struct smi_stretches *held, const struct smi_stretch *idle,
                     const struct smi_steps *polled, int64_t ahead, const struct smi_step *on)
{
    for (size_t i = 0; idle->ms > 0 && i < polled->n; i++) {
        const struct smi_step *x = &polled->list[i];
        const int64_t end = x->to_ms + ahead < idle->to_ms ? x->to_ms + ahead : idle->to_ms;
        int64_t from = x->from_ms + ahead > idle->begin_ms ? x->from_ms + ahead : idle->begin_ms;
        for (const struct smi_step *o = on; from<end; from = o->to_ms> from ? o->to_ms : from, o++) {
            const int64_t ms = (o->from_ms < end ? o->from_ms : end) - from;
            smi_stretches_end(held);
            if (ms > 0)
                smi_stretches_extend(held, ms, from, from + ms,
                                     (smi_i128)smi_value_ratio(idle->area, idle->known_ms).micro * ms,
                                     SMI_BRIDGE_ALL);
        }
    }
}

/* When no process was on the GPU, of the time that its log of processes shows: from the last row of one to
 * the first of the next. Within the first, the longest and the last idle stretch with memory in use. */
static void measure_held(const struct smi_run_gpu *body, struct smi_gpu *g)
{
    const struct smi_gpu_source *const end = body->tracks ? body->track + body->tracks : body->track;
    const struct smi_gpu_source *log = body->track, *l = body->track;
    struct smi_gpu_condition *out = (struct smi_gpu_condition *)g->condition;
    struct smi_stretches held = {0};
    struct smi_step *on;
    int64_t ahead;
    size_t n = 0;
    if (!g->conditions || !out[SMI_CONDITION_MEMORY_HELD].n)
        return;
    out += SMI_CONDITION_MEMORY_HELD;
    *out = (struct smi_gpu_condition){0};
    while (log < end && (!log->track->counts[SMI_PROCS] || log->part->procs.others))
        log++;
    while (!l->track->condition[SMI_CONDITION_MEMORY_HELD].n)
        l++;
    if (log == end || !log->dated || !l->dated)
        return;
    const struct smi_stretches *s = &l->track->condition[SMI_CONDITION_MEMORY_HELD];
    const struct smi_stretch *const idle[] = {&s->first, &s->longest, &s->last};
    const struct smi_input_stats *p = log->part;
    ahead = l->shift_ms - log->shift_ms;
    on = smi_mem_new(p->procs.n + 1, sizeof *on);
    /* They came in the order of their first rows. */
    for (size_t i = 0; i < p->procs.n; i++) {
        const struct smi_proc *q = &p->procs.list[i];
        if (q->who >= 0 && (size_t)q->who < p->tracks && p->track[q->who] == log->track && q->timed)
            on[n++] = (struct smi_step){q->first_ms + ahead, q->last_ms + ahead, q->pid};
    }
    on[n] = (struct smi_step){INT64_MAX, INT64_MAX, 0};
    for (int k = 0; k < 3; k++) /* in the order of time, which may be one or two */
        if (k == 0 || idle[k]->begin_ms != idle[k - 1]->begin_ms)
            add_held(&held, idle[k], &p->polled, ahead, on);
    smi_mem_free(on);
    *out = condition_of(&held, l);
}

/* Without a power limit a GPU hangs at a share of its 95th percentile: the condition with the largest limit
 * that is no more takes the place of the one that asks for a power limit. */
static void choose_hang(const struct build *b, struct smi_gpu *g)
{
    const struct smi_condition *table = b->o->condition ? b->o->condition : smi_conditions;
    struct smi_gpu_condition *all = (struct smi_gpu_condition *)g->condition;
    const struct smi_stats *power = smi_gpu_stats(g, SMI_POWER);
    int64_t most;
    if (!all || !power || smi_gpu_stats(g, SMI_POWER_LIMIT) || smi_gpu_stats(g, SMI_POWER_LIMIT_ENFORCED))
        return;
    most = smi_condition_limit(&table[SMI_CONDITION_HANG].term[1], power->p[5].micro);
    for (int k = SMI_CONDITION_HANG_LAST; k >= SMI_CONDITION_HANG_FIRST; k--)
        if (table[k].term[1].limit <= most)
            all[SMI_CONDITION_HANG] = all[k];
}

enum { CPU_READINGS = 3 /* fewer say little of a stall */ };

/* What the CPUs did while it stood still. */
static void measure_stall_cpu(const struct build *b, struct smi_gpu *g)
{
    const struct smi_run_gpu *host = &b->s.host;
    int format = host->source[SMI_CPU_USR], slot = smi_timed_slot(SMI_CPU_USR);
    smi_i128 sum = 0;
    int64_t n = 0;
    SMI_EACH_SOURCE (l, host, g->has_stall_from && g->stall_ms > 0 ? format : -1) {
        const struct smi_series *s = &l->track->timed[slot].series;
        const int64_t from = g->stall_from_ms + l->shift_ms, width = (int64_t)1 << s->shift;
        for (size_t k = 0; k < s->n && l->dated; k++) { /* whole cells of it */
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

/* When its clock under full load was below the limit of slow-gpu: in buckets with such a mean. A bucket with
 * some readings above the limit counts only between two slow ones, because the stretch may begin or end in
 * it. */
static void measure_slow(const struct build *b, const struct smi_run_gpu *body, struct smi_gpu *g)
{
    const struct smi_rule *rules = b->o->rules ? b->o->rules : smi_rules;
    const struct smi_value peers = smi_peers_median(b->out, g, SMI_CLK_SM, true, NULL);
    const smi_i128 least = smi_i128_div((smi_i128)peers.micro * rules[SMI_RULE_SLOW_GPU].limit, 100000000);
    struct smi_stretches slow = {0};
    struct smi_series all = {0};             /* of its logs, which may overlap */
    const struct smi_gpu_source *log = NULL; /* the first of them */
    bool before = false;                     /* the bucket before this one was slow */
    SMI_EACH_SOURCE (l, body, peers.has && g->has_span ? row_format_of(body) : -1)
        if (l->dated && (!all.n || l->shift_ms == log->shift_ms)) {
            smi_series_merge(&all, &l->track->clock);
            log = l;
        }
    for (size_t k = 0; k < all.n; k++) {
        const struct smi_series_bucket *x = &all.bucket[k];
        const bool low = x->n && x->sum < least * x->n;
        const int64_t begin = (all.base + (int64_t)k) << all.shift, end = begin + ((int64_t)1 << all.shift),
                      from = begin < g->first_ms + log->shift_ms ? g->first_ms + log->shift_ms : begin,
                      to = end > g->last_ms + log->shift_ms ? g->last_ms + log->shift_ms : end;
        if (x->n && !low)
            smi_stretches_end(&slow);
        else if (low && (x->max < least || (before && k + 1 < all.n && x[1].n && x[1].sum < least * x[1].n)))
            smi_stretches_extend(&slow, to - from, from, to, 0, SMI_CONDITION_BREAK_MS);
        before = low;
    }
    smi_series_fini(&all);
    if (log)
        g->slow = condition_of(&slow, log);
}

/* Its first and last row, and what lies between gaps. */
static void widen_gpu_span(const struct smi_gpu_source *l, struct smi_gpu *g, struct read_times *all)
{
    const struct smi_device_stats *t = l->track;
    const int64_t shift = l->shift_ms, absent_ms = t->pause[0].last - t->pause[0].first;
    for (size_t i = 0; i < l->n && t->segments == 1; i++)
        add_read_time(all, (struct smi_segment){l->of[i].first - shift, l->of[i].last - shift});
    for (int64_t k = 0; k < t->segments && k < SMI_SEGMENTS_MAX; k++) {
        const struct smi_segment s = t->segment[k];
        smi_widen(&g->has_span, &g->first_ms, &g->last_ms, s.first - shift, s.last - shift);
        if (t->segments > 1)
            add_read_time(all, (struct smi_segment){s.first - shift, s.last - shift});
    }
    if (t->segments && absent_ms > SMI_IDLE_BREAK_MS && absent_ms > g->absent_ms) {
        g->absent_ms = absent_ms;
        g->absent_from_ms = t->pause[0].first - shift;
    }
}

enum { EDGE_MS = 10000 /* idle time at an edge that deserves a look at the phases */ };

/* The phase that covers most of the time ms from `from` on, on the base of the summary, in which a GPU that
 * worked was idle, and its part of it. Of equals the first name. */
static void look_at_edge(struct build *b, const struct smi_gpu *g, int64_t from, int64_t ms,
                         struct smi_phase_part *out)
{
    const struct smi_phases *p = &b->r->log.phases;
    const bool some = !p->over && b->out->zoned && g->worked && ms >= EDGE_MS;
    const char *name = NULL;
    int64_t most = 0;
    for (size_t i = 0; some && i < p->n; i++) {
        const struct smi_phase *f = &p->phase[i];
        int64_t us = 0;
        for (size_t k = 0; k < f->spans; k++)
            us += smi_overlap(f->span[k].from_us, f->span[k].to_us, from * 1000, (from + ms) * 1000);
        if (us > most || (us == most && most && strcmp(f->name, name) < 0)) {
            most = us;
            name = f->name;
        }
    }
    out->ms = most / 1000;
    out->phase = out->ms ? build_copy_text(b, name) : NULL;
}

/* When it was idle: its longest stall, its first and last row, and what went on meanwhile. */
static void build_idle(struct build *b, const struct smi_run_gpu *body, struct smi_gpu *g)
{
    const int rows = g->pooled ? -1 : row_format_of(body);
    struct read_times seen[SMI_CONDITION_COUNT], all;
    all.n = 0;
    for (int k = 0; k < SMI_CONDITION_COUNT; k++)
        seen[k].n = 0;
    SMI_EACH_SOURCE (l, body, rows) {
        note_stall(b, l, g);
        add_conditions(b, l, seen, g);
        if (l->dated)
            widen_gpu_span(l, g, &all);
    }
    g->reads = all.n;
    g->read = memcpy(smi_arena_new(&b->out->arena, all.n, sizeof *all.of), all.of, all.n * sizeof *all.of);
    choose_hang(b, g);
    count_stalls(g);
    measure_growth(body, rows, g);
    measure_stall_cpu(b, g);
    measure_held(body, g);
    if (!g->has_span || g->first_ms < -SMI_FAR_MS || g->last_ms > SMI_FAR_MS)
        return;
    look_at_edge(b, g, g->first_ms, g->lead_ms, &g->lead_in);
    look_at_edge(b, g, g->last_ms - g->trail_ms, g->trail_ms, &g->trail_in);
}

/* ---- phases ---- */

static int compare_start(const void *a, const void *b)
{
    const struct smi_phase *x = *(const struct smi_phase *const *)a, *y = *(const struct smi_phase *const *)b;
    const int c = compare_number(x->first_us, y->first_us);
    return c ? c : smi_text_compare_natural(x->name, y->name);
}

static void build_phases(struct build *b)
{
    const struct smi_phases *from = &b->r->log.phases;
    struct smi_phase_summary *p = smi_arena_new(&b->out->arena, from->n + 1, sizeof *p);
    const struct smi_phase **order = smi_mem_new(from->n, sizeof *order);
    b->out->phases = p;
    b->out->nphases = from->n;
    for (size_t i = 0; i < from->n; i++)
        order[i] = &from->phase[i];
    smi_sort(order, from->n, sizeof *order, compare_start);
    for (size_t i = 0; i < from->n; i++, p++) {
        struct smi_time_sum_slot energy = {0}, idle = {0};
        const size_t number = (size_t)(order[i] - from->phase);
        p->name = build_copy_text(b, order[i]->name);
        p->count = order[i]->count;
        p->seconds = smi_value_of(order[i]->span_us);
        p->summarised = !from->over;
        for (size_t k = 0; k < b->out->ngpus; k++)
            add_gpu_to_phase(p, &energy, &idle, b->body[k], number, true);
        add_gpu_to_phase(p, &energy, &idle, &b->s.host, number, false);
        if (energy.n)
            p->energy_wh = smi_value_wide(smi_i128_div(energy.area, 7200000));
        if (idle.n)
            p->idle_pct = smi_value_ratio(idle.area * 100 * 1000000, idle.dt);
    }
    smi_mem_free(order);
}

/* ---- the timeline ---- */

/* Utilisation in a line of text, of each GPU and of all: over the time of the run, or where no GPU has dates
 * of it, what is known of it on other clocks. */
static void build_shapes(struct build *b, struct smi_gpu *g)
{
    int64_t from = b->out->start_ms, to = b->out->end_ms, shift;
    bool dates = false, some = false;
    for (size_t i = 0; i < b->bodies && b->out->has_start; i++)
        SMI_EACH_SOURCE (l, b->body[i], b->body[i]->source[SMI_GPU_UTIL])
            dates |= l->dated;
    for (int k = 0; k < SMI_TIME_BASES && !dates; k++)
        if (b->bases->of[k].some && !build_clock(b, (enum smi_time_base)k, &shift))
            smi_widen(&some, &from, &to, b->bases->of[k].first, b->bases->of[k].last);
    smi_timeline_shapes(b->out->shape, g, b->body, b->bodies, dates, from, to);
}

static int compare_span_begin(const void *a, const void *b)
{
    const struct smi_phase_span *x = a, *y = b;
    int c = compare_number(x->from_ms, y->from_ms);
    c = c ? c : compare_number(y->to_ms, x->to_ms);
    return c ? c : strcmp(x->name, y->name);
}

/* The spans as they can be told apart in a picture. */
static void add_spans(struct build *b, struct smi_timeline *t)
{
    const struct smi_phases *p = &b->r->log.phases;
    struct smi_phase_span *out = smi_arena_new(b->room, p->spans + 1, sizeof *out);
    t->phase = out;
    for (size_t i = 0; i < p->n; i++) {
        const struct smi_phase *f = &p->phase[i];
        const char *name = f->spans ? smi_copy_text(b->room, f->name) : NULL;
        for (size_t k = 0; k < f->spans; k++) {
            int64_t from = smi_us_to_ms(f->span[k].from_us), to = smi_us_to_ms(f->span[k].to_us);
            struct smi_phase_span *last = k ? &out[t->nphases - 1] : NULL;
            if (last && from - last->to_ms < t->cell_ms)
                last->to_ms = to > last->to_ms ? to : last->to_ms;
            else
                out[t->nphases++] = (struct smi_phase_span){name, from, to};
        }
    }
    smi_sort(out, t->nphases, sizeof *out, compare_span_begin);
}

static void add_ticks(struct build *b, struct smi_timeline *t)
{
    const struct smi_runlog *log = &b->r->log;
    struct smi_phase_span *out = smi_arena_new(b->room, log->ticks + 1, sizeof *out);
    t->event = out;
    for (size_t i = 0; i < log->ticks; i++) {
        const struct smi_event_count *e = &log->event[log->tick[i].event];
        const int64_t at = smi_us_to_ms(log->tick[i].t_us);
        if (e->ticks == e->n)
            out[t->nevents++] = (struct smi_phase_span){smi_copy_text(b->room, e->name), at, at};
    }
    smi_sort(out, t->nevents, sizeof *out, compare_span_begin);
}

static void build_timeline(struct build *b)
{
    struct smi_timeline *t = smi_arena_new(b->room, 1, sizeof *t);
    int64_t least = 0;
    for (size_t i = 0; i < b->bodies; i++) {
        const int64_t ms = b->out->gpus[i].interval_s.micro / 1000;
        least = ms > 0 && (!least || ms < least) ? ms : least;
    }
    smi_timeline_curves(t, b->body, b->bodies, &b->s.host, b->out->has_start, least, b->room);
    /* what a RunLog says is in UTC */
    if (b->out->zoned) {
        add_spans(b, t);
        add_ticks(b, t);
    }
    if (b->out->has_start)
        smi_timeline_bound(t, b->out->start_ms, b->out->end_ms);
    b->out->timeline = t;
}

/* ---- GPUs ---- */

/* What a file beside the logs says of the GPU with this index; or NULL. */
static const char *gpu_fact(const struct build *b, int index, const char *fmt)
{
    char key[40];
    if (index < 0 || !b->r->facts)
        return NULL;
    snprintf(key, sizeof key, fmt, (size_t)index);
    return smi_run_fact(b->r, key);
}

static void build_gpu(struct build *b, struct smi_run_gpu *body, struct smi_gpu *g)
{
    const char *name = body->name ? body->name : gpu_fact(b, body->index, SMI_FACT_GPU_NAME);
    struct smi_summary *out = b->out;
    const struct smi_stats *mode;
    g->index = body->index;
    g->pooled = body->pooled;
    g->uuid = build_copy_text(b, body->uuid ? body->uuid : gpu_fact(b, body->index, SMI_FACT_GPU_UUID));
    g->bus = build_copy_text(b, body->bus);
    g->serial = build_copy_text(b, body->serial);
    g->name = build_copy_text(b, name);
    g->price = smi_price_of(b->o->prices, name);
    fill_stats(body, &out->arena, &g->stats, &g->nstats, &out->block);
    b->again_ms += fill_figures(body, g, &out->arena);
    if (row_format_of(body) >= 0 && !g->pooled) {
        struct smi_counts fresh = {0};
        (void)fill_intervals(counts_of(body, row_format_of(body), SMI_METRIC_COUNT, &fresh), &g->interval_s,
                             &g->interval_max_s);
        smi_counts_fini(&fresh);
    }
    build_available(b, body, &g->available, &g->navailable);
    build_idle(b, body, g);
    mode = smi_gpu_stats(g, SMI_MIG);
    g->divided = mode && mode->max.micro > 0;
}

/* The rows of one format feed a figure of the headline: those of another, pooled ones too, may be of the same
 * GPUs. */
static void choose_headline_rows(struct smi_run_gpu **body, size_t n)
{
    for (int k = 0; k < SMI_HEADLINE_METRICS; k++) {
        unsigned metric = smi_headline_metric[k];
        int first = -1;
        for (size_t i = 0; i < n; i++)
            first = smi_metric_first_format(first, body[i]->source[metric], metric);
        for (size_t i = 0; i < n; i++)
            if (first >= 0 && body[i]->source[metric] == first)
                body[i]->headline |= 1u << k;
    }
}

static void build_gpus(struct build *b)
{
    struct smi_gpu *g = smi_arena_new(&b->out->arena, b->s.gpus + 1, sizeof *g);
    struct smi_run_gpu *host = &b->s.host;
    size_t n = 0;
    b->body = smi_arena_new(&b->out->arena, b->s.gpus + 1, sizeof *b->body);
    b->out->gpus = g;
    for (size_t i = 0; i < b->s.gpus; i++)
        if (build_is_chosen(b, &b->s.gpu[i], &b->out->gpus_meant))
            b->body[n++] = &b->s.gpu[i];
    b->bodies = n;
    if (build_is_chosen(b, NULL, NULL) && row_format_of(&b->s.pool) >= 0)
        b->body[n++] = &b->s.pool;
    b->out->ngpus = n;
    choose_headline_rows(b->body, n);
    choose_headline_rows(&host, 1);
    for (size_t i = 0; i < b->r->parts; i++) /* of tracks that are of no GPU of the summary */
        for (size_t k = 0; k < b->r->part[i]->tracks; k++)
            if (b->r->part[i]->track[k])
                b->r->part[i]->track[k]->place = SMI_PLACE_NONE;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < b->body[i]->tracks; k++)
            b->body[i]->track[k].track->place = (int)i;
        build_gpu(b, b->body[i], &g[i]);
    }
    for (size_t i = 0; i < b->bodies; i++)
        measure_slow(b, b->body[i], &g[i]);
    build_shapes(b, g);
}

/* ---- the run as a whole ---- */

/* A run's time is its longest GPU's; its GPU-hours are all of them. */
static void sum_gpus(struct smi_summary *out)
{
    SMI_EACH_GPU (g, out) {
        if (g->covered_ms > 0)
            raise_value(&out->covered_s, smi_value_wide((smi_i128)g->covered_ms * 1000));
        out->covered_ms += g->covered_ms;
        raise_value(&out->longest_idle_s, g->longest_idle_s);
    }
    if (out->covered_ms > 0)
        out->gpu_hours = smi_value_hours(out->covered_ms);
}

/* The largest sum of the mean power of GPUs that are read at one time, and after it: one begins to be read
 * then. One row stands for the second around it, and a GPU without dates is taken to be read all the time. */
static void sum_power(struct smi_summary *out, size_t n)
{
    enum { AROUND_MS = 1000 };
    for (const struct smi_gpu *g = out->gpus; g < out->gpus + n; g++) {
        struct smi_value sum = {0, smi_stats_mean(smi_gpu_stats(g, SMI_POWER)).has};
        for (const struct smi_gpu *o = out->gpus; sum.has && o < out->gpus + n; o++) {
            const int64_t around = o->first_ms == o->last_ms ? AROUND_MS : 0;
            if (o == g || !o->has_span || !g->has_span ||
                (g->first_ms >= o->first_ms - around && g->first_ms < o->last_ms + around + (around > 0)))
                sum.micro += smi_stats_mean(smi_gpu_stats(o, SMI_POWER)).micro;
        }
        raise_value(&out->power_sum_w, sum);
    }
}

/* Energy adds up before it is rounded: the areas, not the printed values. Says of how much of the GPU time it
 * is, where a GPU has none, or a hundredth of the time lacks power. */
static void sum_energy(struct build *b)
{
    struct smi_summary *out = b->out;
    size_t gpus = 0, known = 0, whole = 0;
    smi_i128 area = 0;
    int64_t ms = 0;
    for (size_t i = 0; i < b->bodies; i++) {
        const struct smi_gpu *g = &out->gpus[i];
        area += b->body[i]->power.area;
        gpus += g->covered_ms > 0;
        known += g->energy_coverage_pct.has;
        whole += g->energy_coverage_pct.has && !smi_gpu_energy_is_part(g);
        ms += smi_gpu_energy_ms(g);
        raise_value(&out->energy_covered_s, g->energy_covered_s);
    }
    if (out->energy_covered_s.has)
        out->energy_wh = smi_value_wide(smi_i128_div(area, 7200000));
    if (known)
        out->energy_coverage_pct = smi_value_percent(ms, out->covered_ms);
    if (!known || whole == gpus)
        return;
    if (whole == known) {
        out->energy_part = smi_format_text(&out->arena, "%zu of %zu GPUs", known, gpus);
    } else { /* "599 of 1200 s", "0.17 of 0.33 GPU-hours" */
        const bool one = gpus == 1;
        const int digits = one ? out->covered_ms < 60000 : 2;
        const smi_i128 part = one ? (smi_i128)ms * 1000 : smi_value_hours(ms).micro,
                       all = one ? (smi_i128)out->covered_ms * 1000 : out->gpu_hours.micro;
        out->energy_part =
            smi_format_text(&out->arena, "%s of %s %s", smi_fixed_text(&out->arena, part, digits),
                            smi_fixed_text(&out->arena, all, digits), one ? "s" : "GPU-hours");
    }
}

static void sum_waste(struct smi_summary *out)
{
    bool known = false, timed = false; /* whether a GPU was used; for how long */
    for (size_t i = 0; i < out->ngpus; i++) {
        struct smi_gpu *g = (struct smi_gpu *)&out->gpus[i]; /* it is still being made */
        const bool use = smi_gpu_stats(g, SMI_GPU_UTIL) != NULL;
        int64_t *ms = g->waste.ms, left;
        known |= use && !g->pooled;
        timed |= g->known_ms > 0;
        if (out->state == SMI_STATE_FAILED) {
            ms[SMI_WASTE_FAILED] = g->covered_ms;
        } else if (!g->worked) { /* without its use it is neither idle nor busy */
            ms[SMI_WASTE_UNUSED] = use ? g->covered_ms : 0;
        } else {
            ms[SMI_WASTE_START] = g->lead_ms;
            ms[SMI_WASTE_STALL] = smi_idle_ms(&g->waste) - g->lead_ms - g->trail_ms;
            ms[SMI_WASTE_END] = g->trail_ms;
        }
        left = g->covered_ms - smi_wasted_ms(&g->waste);
        left = left < g->covered_ms - g->known_ms ? left : g->covered_ms - g->known_ms;
        ms[SMI_WASTE_UNKNOWN] = left > 0 ? left : 0;
        for (int k = 0; k < SMI_TIME_PARTS; k++)
            out->waste.ms[k] += ms[k];
    }
    if (out->gpu_hours.has && timed)
        out->idle_pct = smi_value_percent(smi_idle_ms(&out->waste), out->covered_ms);
    smi_idle_hours(&out->waste, out->idle_pct, &out->idle_held_h, &out->idle_free_h);
    for (int i = 0; i <= SMI_WASTE_CAUSES; i++)
        if (out->gpu_hours.has && (out->state == SMI_STATE_FAILED || known))
            out->wasted_h[i] =
                smi_value_hours(i < SMI_WASTE_CAUSES ? out->waste.ms[i] : smi_wasted_ms(&out->waste));
    if (out->wasted_h[SMI_WASTE_CAUSES].has)
        out->wasted_pct = smi_value_percent(smi_wasted_ms(&out->waste), out->covered_ms);
}

/* The memory of a GPU by its own logs, else by a file beside them. */
static struct smi_value memory_of(const struct build *b, const struct smi_gpu *g)
{
    const struct smi_stats *total = smi_gpu_stats(g, SMI_FB_TOTAL);
    const char *bytes = gpu_fact(b, g->index, SMI_FACT_GPU_MEMORY);
    int64_t micro = 0;
    bool told = bytes && smi_text_parse_scaled(smi_text_of(bytes), 1000000, 1 << 20, &micro) == 0;
    return total ? total->max : (struct smi_value){micro, told};
}

static void build_vram(struct build *b)
{
    struct smi_summary *out = b->out;
    const struct smi_runlog *log = &b->r->log;
    const bool framework = log->jax_peak > 0 || log->torch_peak > 0; /* it told the peak */
    size_t fullest = 0;
    const struct smi_value none = {0, false};
    bool differ = false;
    for (size_t i = 0; i < out->ngpus; i++) {
        const struct smi_value total = memory_of(b, &out->gpus[i]);
        const struct smi_stats *used = smi_gpu_stats(&out->gpus[i], SMI_FB_USED),
                               *peak = smi_gpu_stats(&out->gpus[i], SMI_FB_USED_PEAK),
                               *hot = smi_gpu_stats(&out->gpus[i], SMI_TEMP_GPU),
                               *util = smi_gpu_stats(&out->gpus[i], SMI_GPU_UTIL);
        struct smi_value top = used ? used->max : none;
        if (peak) /* of a log of means */
            raise_value(&top, peak->max);
        if (top.has && (!out->vram.device_peak_mb.has || top.micro > out->vram.device_peak_mb.micro))
            fullest = i;
        if (top.has) {
            raise_value(&out->vram.device_peak_mb, top);
            /* else rows of GPUs that are counted already */
            if (!out->gpus[i].pooled || !out->vram.all_gpus_peak_mb.has)
                out->vram.all_gpus_peak_mb.micro += top.micro;
            out->vram.all_gpus_peak_mb.has = true;
        }
        raise_value(&out->temp_max, hot ? hot->max : none);
        raise_value(&out->gpu_util_p95, util ? util->p[5] : none);
        differ |= total.has && out->vram.total_mb.has && total.micro != out->vram.total_mb.micro;
        raise_value(&out->vram.total_mb, total);
    }
    if (out->vram.device_peak_mb.has)
        out->vram.level = is_reserved(b->body[fullest]);
    if (framework) {
        out->vram.used_peak_mb =
            smi_value_of(log->jax_peak >= log->torch_peak ? log->jax_peak : log->torch_peak);
        out->vram.source = log->jax_peak >= log->torch_peak ? "jax" : "torch";
        /* a level alone is no proof: a program that always uses as much shows one, too */
        out->vram.reserved = out->vram.level && out->vram.used_peak_mb.micro < out->vram.device_peak_mb.micro;
    } else if (out->vram.device_peak_mb.has) {
        out->vram.used_peak_mb = out->vram.device_peak_mb;
        out->vram.source = "device";
    }
    if (differ) /* what the GPU has whose peak it is; a peak that the framework tells is of no known GPU */
        out->vram.total_mb =
            !framework && out->vram.device_peak_mb.has ? memory_of(b, &out->gpus[fullest]) : none;
}

/* ---- all of it ---- */

static int by_first_entry(const void *a, const void *b)
{
    const struct smi_input_stats *x = *(const struct smi_input_stats *const *)a,
                                 *y = *(const struct smi_input_stats *const *)b;
    const int c = compare_number(x->log.first_ts_us, y->log.first_ts_us);
    return c ? c : smi_text_compare_natural(x->path, y->path);
}

/* Rows are given to phases when they are read. Does a phase reach into a part whose partial did not know its
 * RunLog? */
static bool uneven_phases(const struct smi_run *r)
{
    for (size_t i = 0; i < r->parts; i++) {
        const struct smi_input_stats *p = r->part[i];
        if (!p->doc || !p->timed || !p->opts.phases)
            continue;
        for (size_t k = 0; k < r->parts; k++) {
            const struct smi_input_stats *log = r->part[k];
            size_t d = 0;
            while (d < log->ndocs && log->docs[d] != p->doc)
                d++;
            if (!smi_format_infos[log->format].marks || d < log->ndocs)
                continue;
            if (smi_phases_overlap(&log->log.phases, p->first_ms * 1000 - p->opts.shift_us,
                                   p->last_ms * 1000 - p->opts.shift_us))
                return true;
        }
    }
    return false;
}

struct smi_device_stats_opts smi_run_stats_opts(const struct smi_run *r, const struct smi_options *o,
                                                bool utc, bool joined)
{
    return (struct smi_device_stats_opts){.idle_below = o->idle_below,
                                          .phases = joined ? &r->log.phases : NULL,
                                          .shift_us = utc ? 0 : (int64_t)r->offset_s * 1000000,
                                          .skip_series = o->skip_series,
                                          .condition = o->condition,
                                          .kept = r->kept};
}

/* Parts that were read back from partials get what parts of one pass have: the run's phases and zone. */
static void settle_run(struct smi_run *r, const struct smi_options *o)
{
    const struct smi_input_stats **log = smi_mem_new(r->parts, sizeof *log);
    struct smi_runlog fresh = {.phases = r->log.phases};
    size_t n = 0;
    for (size_t i = 0; i < r->parts; i++)
        if (smi_format_infos[r->part[i]->format].marks)
            log[n++] = r->part[i];
    if (n >
        1) { /* RunLogs came in the order of their paths, or of partials: what they say is put together again
                in the order of time. The phases stay, because the tracks' tallies go by their numbers. */
        smi_sort(log, n, sizeof *log, by_first_entry);
        for (size_t i = 0; i < n; i++)
            smi_runlog_merge_facts(&fresh, &log[i]->log);
        r->log.phases = (struct smi_phases){0};
        smi_runlog_fini(&r->log);
        r->log = fresh;
    }
    smi_mem_free(log);
    for (size_t i = 0; i < r->parts; i++)
        if ((r->part[i]->tracks || r->part[i]->host || r->part[i]->pool) && !r->log.phases.cuts)
            smi_phases_index(&r->log.phases);
    smi_phases_join(&r->log.phases);
    for (size_t i = 0; i < r->parts; i++) {
        struct smi_input_stats *p = r->part[i];
        bool utc = p->base == SMI_TIME_BASE_UTC,
             joined = utc || (p->base == SMI_TIME_BASE_LOCAL && r->has_offset);
        p->opts = smi_run_stats_opts(r, o, utc, joined);
    }
}

int smi_run_build(struct smi_summary *out, struct smi_run *r, const struct smi_options *o,
                  struct smi_err *err)
{
    struct bases bases = {0};
    struct build b = {.out = out,
                      .r = r,
                      .o = o,
                      .room = o->timeline_room ? o->timeline_room : &out->arena,
                      .bases = &bases};
    const struct smi_step_range *s = &r->log.steps;
    struct smi_input *in;
    smi_i128 us;
    int rc;
    *out = (struct smi_summary){.arena = r->room};
    r->room = (struct smi_arena){0};
    settle_run(r, o);
    b.uneven = r->merged && uneven_phases(r);
    us = (smi_i128)s->last_us - s->first_us;
    rc = smi_run_gpus_build(&b.s, r, err);
    if (rc == 0) {
        out->run = build_copy_text(&b, r->name);
        out->idle_below = o->idle_below;
        out->chosen = o->gpus != NULL;
        out->block.pool[SMI_HEADLINE_METRICS].n = r->log.jax_peak > 0;
        out->block.pool[SMI_HEADLINE_METRICS].max = r->log.jax_peak;
        if (s->some && s->last > s->first &&
            us >= 1000000) /* what lies closer together was written down at once */
            out->steps_per_s = smi_value_ratio((smi_i128)(s->last - s->first) * 1000000, us);
        fill_times(out, r, &bases);
        for (size_t i = 0; i < b.s.gpus; i++)
            set_clocks(&b, &b.s.gpu[i]);
        set_clocks(&b, &b.s.pool);
        set_clocks(&b, &b.s.host);
        build_gpus(&b);
        fill_stats(&b.s.host, &out->arena, &out->host, &out->nhost, &out->block);
        build_available(&b, &b.s.host, &out->host_available, &out->nhost_available);
        sum_gpus(out);
        out->gpu_util_time_mean_pct = smi_headline_time_mean(&out->block);
        build_vram(&b);
        sum_power(out, b.bodies);
        sum_energy(&b);
        build_state(&b);
        if (o->timeline)
            build_timeline(&b);
        sum_waste(out);
        smi_price_run(out, o->prices);
        build_params(&b);
        build_results(&b);
        build_events(&b);
        build_errors(&b);
        build_processes(&b);
        build_phases(&b);
        out->inputs = in = smi_arena_new(&out->arena, r->parts + 1, sizeof *in);
        for (; out->ninputs < r->parts; out->ninputs++)
            build_input(&b, &in[out->ninputs], r->part[out->ninputs]);
        build_problems(&b);
        smi_findings_evaluate(out, o->rules);
    }
    smi_run_gpus_fini(&b.s);
    return rc;
}
