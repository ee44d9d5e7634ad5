/* device_stats.c - the statistics of one device: rows in, joined with those of other parts, on the time of
 * the run. */
#include "aggregate/device_stats.h"
#include "base/mem.h"

#include <string.h>

static struct smi_sample row_sample(const struct smi_last_row *k)
{
    return (struct smi_sample){
        .t_ms = k->t_ms, .timed = true, .fine = k->fine, .n = k->n, .metric = k->metric, .v = k->v};
}

/* How much a cumulative counter grew from a to b: a smaller value means that it began again at 0. */
static int64_t counter_growth(int64_t a, int64_t b)
{
    return b >= a ? b - a : b;
}

/* It grew by so much in a row with this time. */
static void grow_counter(struct smi_counter *c, int64_t growth, int64_t t_ms)
{
    if (growth == 0)
        return;
    c->increase += growth;
    if (c->rises++ == 0)
        c->first_rise = t_ms;
    c->last_rise = t_ms;
}

/* ---- intervals ---- */

void smi_device_stats_end_stretches(struct smi_device_stats *t)
{
    smi_stretches_end(&t->stretch.all);
    for (int i = 0; i < SMI_CONDITION_COUNT; i++)
        smi_stretches_end(&t->condition[i]);
}

void smi_device_stats_hold(struct smi_device_stats *t, int condition, int64_t dt, int64_t end_ms,
                           int64_t mean)
{
    struct smi_stretches *s = &t->condition[condition];
    const struct smi_sample last = row_sample(&t->last);
    const bool first = !(smi_conditions_of(&last).on >> condition & 1);
    smi_stretches_extend(s, dt, first ? end_ms : end_ms - dt, end_ms, mean, SMI_CONDITION_BREAK_MS);
}

void smi_device_stats_extend_idle(struct smi_device_stats *t, int64_t dt, int64_t end_ms)
{
    smi_stretches_extend(&t->stretch.all, dt, end_ms - dt, end_ms, 0, SMI_BRIDGE_ALL);
    t->stretch.since = smi_stretch_longer(t->stretch.since, t->stretch.all.last);
}

void smi_device_stats_add_work(struct smi_device_stats *t)
{
    if (t->stretch.since.ms > 0 && !t->worked)
        t->stretch.before = t->stretch.since;
    else if (t->stretch.since.ms > t->stretch.between.ms)
        t->stretch.between = t->stretch.since;
    t->stretch.since.ms = 0;
    t->worked = true;
    smi_time_sum_clear(&t->trail);
    smi_stretches_end(&t->stretch.all);
}

/* The same in the conditions that the row shows. */
static void add_conditions(struct smi_device_stats *t, int64_t dt, const struct smi_sample *row)
{
    const struct smi_row_conditions of = smi_conditions_of(row);
    t->conditions |= of.known;
    for (int i = 0; of.known >> i; i++) {
        const bool on = of.on >> i & 1;
        if (!(of.known >> i & 1))
            continue;
        if (i < SMI_THROTTLE_COUNT)
            smi_time_sum_add(&t->throttle[i], smi_interval_class(dt), 1, dt, on ? dt : 0);
        if (!on)
            smi_stretches_end(&t->condition[i]);
        else if (dt <= SMI_CONDITION_BREAK_MS)
            smi_device_stats_hold(t, i, dt, row->t_ms, smi_conditions_mean(i, row));
    }
}

/* The interval of dt > 0 ms that ends with this row. */
void smi_device_stats_interval(struct smi_device_stats *t, int64_t dt, const struct smi_sample *row,
                               struct smi_counts *dts)
{
    const int64_t *use = smi_sample_reading(row, SMI_GPU_UTIL), end_ms = row->t_ms;
    const bool idle = use && *use <= t->opts->idle_below;
    const uint16_t *active;
    const size_t n = smi_device_stats_phases(t, end_ms, &active);
    unsigned class = smi_interval_class(dt);
    smi_counts_add(dts, dt);
    smi_time_sum_add(&t->covered, class, 1, dt, 0);
    if (use)
        smi_time_sum_add(&t->idle, class, 1, dt, idle ? dt : 0);
    if (idle && !t->worked)
        smi_time_sum_add(&t->lead, class, 1, dt, 0);
    if (idle)
        smi_time_sum_add(&t->trail, class, 1, dt, 0);
    for (size_t i = 0; i < n; i++)
        smi_time_sum_add(&smi_device_stats_phase(t, active[i])->idle, class, use != NULL, dt, idle ? dt : 0);
    add_conditions(t, dt, row);
    if (dt > SMI_IDLE_BREAK_MS) {
        smi_stretches_end(&t->stretch.all);
        t->absent = smi_stretch_longer(t->absent, (struct smi_stretch){.ms = dt, .from_ms = end_ms - dt});
    } else if (idle)
        smi_device_stats_extend_idle(t, dt, end_ms);
}

void smi_device_stats_close_segment(struct smi_device_stats *t)
{
    if (t->segments <= SMI_SEGMENTS_MAX)
        t->segment[t->segments - 1] = t->open;
    else
        t->segment_rest += t->open.last - t->open.first;
}

void smi_device_stats_widen_aside(struct smi_device_stats *t, struct smi_segment s, int64_t rows)
{
    bool first = !t->asides || t->aside.first > t->aside.last, timed = s.first <= s.last;
    if (rows && (first || (timed && s.first < t->aside.first)))
        t->aside.first = s.first;
    if (rows && (first || (timed && s.last > t->aside.last)))
        t->aside.last = s.last;
    t->asides += rows;
}

void smi_device_stats_area(struct smi_device_stats *t, int slot, int64_t dt, smi_i128 area, int64_t end_ms)
{
    const uint16_t *active;
    unsigned class = smi_interval_class(dt);
    size_t n;
    smi_time_sum_add(&t->timed[slot].sum, class, 1, dt, area);
    if (smi_timed_metrics[slot] != SMI_POWER)
        return;
    n = smi_device_stats_phases(t, end_ms, &active);
    for (size_t i = 0; i < n; i++) {
        struct smi_phase_stats *p = smi_device_stats_phase(t, active[i]);
        smi_time_sum_add(&p->energy, class, 1, dt, area);
    }
}

static void join_timed(struct smi_device_stats *a, struct smi_device_stats *b, int slot, bool back,
                       int64_t seg_shift)
{
    struct smi_timed_metrics *x = &a->timed[slot], *y = &b->timed[slot];
    int64_t dt;
    smi_series_merge(&x->series, &y->series);
    if (!y->has)
        return;
    dt = y->first_t - x->last_t;
    if (x->has && !back && x->last_seg == a->segments - 1 && y->first_seg == 0 && dt > 0)
        smi_device_stats_area(a, slot, dt, (smi_i128)(x->last_v + y->first_v) * dt, y->first_t);
    if (!x->has) {
        x->has = true;
        x->first_t = y->first_t;
        x->first_v = y->first_v;
        x->first_seg = y->first_seg + seg_shift;
    }
    x->last_t = y->last_t;
    x->last_v = y->last_v;
    x->last_seg = y->last_seg + seg_shift;
    smi_time_sum_merge(&x->sum, &y->sum);
}

static void join_counters(struct smi_device_stats *a, const struct smi_device_stats *b)
{
    for (size_t i = 0; i < b->counters; i++) {
        const struct smi_counter *y = &b->counter[i];
        struct smi_counter *x = smi_device_stats_counter(a, y->metric);
        if (x->n == 0) {
            *x = *y;
            continue;
        }
        grow_counter(x, counter_growth(x->last_v, y->first_v), y->first_t);
        if (y->rises) {
            x->first_rise = x->rises ? x->first_rise : y->first_rise;
            x->last_rise = y->last_rise;
            x->rises += y->rises;
            x->increase += y->increase;
        }
        x->n += y->n;
        x->last_t = y->last_t;
        x->last_v = y->last_v;
    }
}

void smi_trend_add(struct smi_trend *a, const struct smi_trend *b, int64_t begin)
{
    const smi_i128 from = begin;
    a->n += b->n;
    a->t += b->t + b->n * from;
    a->v += b->v;
    a->tt += b->tt + 2 * from * b->t + b->n * from * from;
    a->tv += b->tv + from * b->v;
    a->vv += b->vv;
}

static void join_counts(struct smi_device_stats *a, struct smi_device_stats *b)
{
    smi_device_stats_widen_aside(a, b->aside, b->asides);
    smi_trend_add(&a->memory, &b->memory, 0);
    for (int k = 0; k < SMI_LOAD_BINS; k++) {
        a->load[k].rows += b->load[k].rows;
        a->load[k].clock += b->load[k].clock;
        a->load[k].power += b->load[k].power;
    }
    for (int m = 0; m < SMI_METRIC_COUNT; m++) {
        struct smi_counts *x = a->counts[m], *y = b->counts[m];
        if (y && (!x || (y->counting && !x->counting))) { /* the fewer go into the many */
            a->counts[m] = y;
            b->counts[m] = x;
        }
        if (b->counts[m])
            smi_counts_merge(a->counts[m], b->counts[m]);
    }
}

static void join_phases(struct smi_device_stats *a, const struct smi_device_stats *b)
{
    for (size_t i = 0; i < b->tallies; i++) {
        const struct smi_phase_stats *y = &b->tally[i];
        struct smi_phase_stats *x = smi_device_stats_phase(a, y->phase);
        smi_time_sum_merge(&x->energy, &y->energy);
        smi_time_sum_merge(&x->idle, &y->idle);
        x->rows += y->rows;
        for (int k = 0; k < SMI_BLOCK_SLOTS; k++) {
            if (y->pool[k].n && (x->pool[k].n == 0 || y->pool[k].max > x->pool[k].max))
                x->pool[k].max = y->pool[k].max;
            x->pool[k].n += y->pool[k].n;
            x->pool[k].sum += y->pool[k].sum;
        }
    }
}

/* What lies between the last work of a and the first of b, or at an end if there is none. across: the one
 * that goes on from a into b. */
static void join_idle_stretches(struct smi_device_stats *a, const struct smi_device_stats *b,
                                struct smi_stretch across)
{
    struct smi_stretch mid = smi_stretch_longer(a->stretch.since, across);
    mid = smi_stretch_longer(mid, b->worked ? b->stretch.before : b->stretch.since);
    if (!b->worked) {
        a->stretch.since = mid;
        return;
    }
    if (a->worked)
        a->stretch.between = smi_stretch_longer(a->stretch.between, mid);
    else
        a->stretch.before = mid;
    a->stretch.between = smi_stretch_longer(a->stretch.between, b->stretch.between);
    a->stretch.since = b->stretch.since;
}

static void join_stretches(struct smi_device_stats *a, const struct smi_device_stats *b)
{
    join_idle_stretches(a, b, smi_stretches_join(&a->stretch.all, &b->stretch.all, SMI_BRIDGE_ALL));
    for (int i = 0; i < SMI_CONDITION_COUNT; i++)
        smi_stretches_join(&a->condition[i], &b->condition[i], SMI_CONDITION_BREAK_MS);
    a->conditions |= b->conditions;
}

/* Appends b's segments; unless time goes back at the edge, its first one continues a's last. */
static void join_segments(struct smi_device_stats *a, const struct smi_device_stats *b)
{
    for (int64_t i = 0; i < b->segments; i++) {
        struct smi_segment s = i == b->segments - 1   ? b->open
                               : i < SMI_SEGMENTS_MAX ? b->segment[i]
                                                      : (struct smi_segment){0};
        if (i == 0 && a->segments && s.first >= a->open.last) {
            a->open.last = s.last;
            continue;
        }
        if (a->segments)
            smi_device_stats_close_segment(a);
        a->segments++;
        a->open = s;
        /* the middle of a very long list is known as a sum only */
        if (i >= SMI_SEGMENTS_MAX - 1 && i < b->segments - 1) {
            int64_t skip = b->segments - 2 - i;
            smi_device_stats_close_segment(a);
            a->segments += skip + 1;
            a->segment_rest += b->segment_rest;
            a->open = b->open;
            break;
        }
    }
}

static void join_idle(struct smi_device_stats *a, struct smi_device_stats *b)
{
    smi_time_sum_merge(&a->idle, &b->idle);
    if (!a->worked)
        smi_time_sum_merge(&a->lead, &b->lead);
    if (b->worked)
        smi_time_sum_clear(&a->trail);
    smi_time_sum_merge(&a->trail, &b->trail);
    smi_time_sum_merge(&a->covered, &b->covered);
    a->worked |= b->worked;
    for (int r = 0; r < SMI_THROTTLE_COUNT; r++)
        smi_time_sum_merge(&a->throttle[r], &b->throttle[r]);
}

/* The bodies of a and b become one. b's rows come after a's. */
static void link_bodies(struct smi_device_stats *a, struct smi_device_stats *b, struct smi_counts *edge)
{
    struct smi_sample first = row_sample(&b->first);
    int64_t dt = first.t_ms - a->last.t_ms, seg_shift = a->segments - (dt >= 0);
    struct smi_last_row last = a->last;
    if (dt < 0)
        smi_device_stats_end_stretches(a);
    else if (dt > 0)
        smi_device_stats_interval(a, dt, &first, edge);
    for (int i = 0; i < SMI_TIMED_COUNT; i++)
        join_timed(a, b, i, dt < 0, seg_shift);
    join_stretches(a, b);
    a->absent = smi_stretch_longer(a->absent, b->absent);
    join_segments(a, b);
    a->last = b->last;
    b->last = last;
    join_idle(a, b);
}

/* What a body has besides times: how often its values came. */
static void join_sums(struct smi_device_stats *a, struct smi_device_stats *b)
{
    join_counts(a, b);
    join_phases(a, b);
    a->rows += b->rows;
    a->timed_rows |= b->timed_rows;
    smi_counts_merge(&a->lengths, &b->lengths);
    smi_counts_merge(&a->dts, &b->dts);
}

static void copy_counters(struct smi_device_stats *to, const struct smi_device_stats *from)
{
    to->counter = from->counter;
    to->counters = from->counters;
    to->counters_cap = from->counters_cap;
}

/* b's whole body moves into a, whose body is empty but for rows without times. */
static void adopt_body(struct smi_device_stats *a, struct smi_device_stats *b)
{
    struct smi_device_stats t;
    join_counters(a, b);
    t = *a;
    *a = *b;
    a->opts = t.opts; /* b's part goes away */
    a->head = t.head;
    a->dedupe = t.dedupe;
    copy_counters(a, &t);
    t.opts = b->opts;
    t.head = b->head;
    copy_counters(&t, b);
    *b = t;
    join_sums(a, b);
}

/* All of b's body after a's body. */
static void join_bodies(struct smi_device_stats *a, struct smi_device_stats *b, struct smi_counts *edge)
{
    if (!a->pooled && !a->first.has) {
        adopt_body(a, b);
        return;
    }
    if (a->pooled)
        join_segments(a, b);
    else if (b->first.has)
        link_bodies(a, b, edge);
    join_counters(a, b);
    join_sums(a, b);
}

void smi_device_stats_join(struct smi_device_stats *a, struct smi_device_stats *b,
                           struct smi_add_counts *told, struct smi_counts *edge)
{
    *told = (struct smi_add_counts){0};
    if (b->head.has && !a->head.has && !a->first.has) {
        struct smi_last_row k = a->head; /* a has no row with a time: b's first row stays withheld */
        a->head = b->head;
        b->head = k;
    } else if (b->head.has) {
        told->duplicates = smi_device_stats_is_duplicate(a, b->head.t_ms, b->head.fine);
        told->kept = !told->duplicates;
        if (told->kept)
            smi_device_stats_append(a, &b->head, edge);
    }
    join_bodies(a, b, edge);
}

bool smi_device_stats_close(struct smi_device_stats *t, struct smi_counts *edge)
{
    struct smi_device_stats front;
    if (!t->head.has)
        return false;
    smi_device_stats_init(&front, t->opts, t->dedupe);
    smi_device_stats_append(&front, &t->head, edge);
    join_bodies(&front, t, edge);
    smi_device_stats_fini(t);
    *t = front;
    return true;
}

void smi_device_stats_init(struct smi_device_stats *t, const struct smi_device_stats_opts *o, bool dedupe)
{
    *t = (struct smi_device_stats){.opts = o, .dedupe = dedupe};
    smi_counts_init(&t->dts, 1);
    smi_counts_init(&t->lengths, 1);
}

static void last_row_fini(struct smi_last_row *k)
{
    smi_mem_free(k->metric);
    smi_mem_free(k->v);
}

void smi_device_stats_fini(struct smi_device_stats *t)
{
    last_row_fini(&t->head);
    last_row_fini(&t->first);
    last_row_fini(&t->last);
    for (int m = 0; m < SMI_METRIC_COUNT; m++) {
        if (t->counts[m])
            smi_counts_fini(t->counts[m]);
        smi_mem_free(t->counts[m]);
    }
    for (int i = 0; i < SMI_TIMED_COUNT; i++) {
        smi_time_sum_fini(&t->timed[i].sum);
        smi_series_fini(&t->timed[i].series);
    }
    for (int i = 0; i < SMI_THROTTLE_COUNT; i++)
        smi_time_sum_fini(&t->throttle[i]);
    smi_time_sum_fini(&t->covered);
    smi_time_sum_fini(&t->idle);
    smi_time_sum_fini(&t->lead);
    smi_time_sum_fini(&t->trail);
    for (size_t i = 0; i < t->tallies_cap; i++) { /* behind the tallies: of an earlier use, or zero */
        smi_time_sum_fini(&t->tally[i].energy);
        smi_time_sum_fini(&t->tally[i].idle);
    }
    smi_mem_free(t->tally);
    smi_mem_free(t->tally_of);
    smi_mem_free(t->counter);
    smi_counts_fini(&t->dts);
    smi_counts_fini(&t->lengths);
}

void smi_last_row_store(struct smi_last_row *k, const struct smi_sample *s)
{
    smi_mem_reserve(&k->metric, &k->cap, s->n, sizeof *k->metric);
    smi_mem_reserve(&k->v, &k->vcap, s->n, sizeof *k->v);
    memcpy(k->metric, s->metric, s->n * sizeof *k->metric);
    memcpy(k->v, s->v, s->n * sizeof *k->v);
    k->n = s->n;
    k->t_ms = s->t_ms;
    k->fine = s->fine;
    k->has = true;
}

/* ---- counters and counts ---- */

struct smi_counter *smi_device_stats_counter(struct smi_device_stats *t, uint16_t metric)
{
    for (size_t i = 0; i < t->counters; i++)
        if (t->counter[i].metric == metric)
            return &t->counter[i];
    smi_mem_reserve(&t->counter, &t->counters_cap, t->counters + 1, sizeof *t->counter);
    t->counter[t->counters] = (struct smi_counter){.metric = metric};
    return &t->counter[t->counters++];
}

void smi_device_stats_add_counter(struct smi_device_stats *t, uint16_t metric, int64_t t_ms, int64_t v)
{
    struct smi_counter *c = smi_device_stats_counter(t, metric);
    if (c->n++ == 0) {
        c->first_t = t_ms;
        c->first_v = v;
    } else if (v != c->last_v) {
        grow_counter(c, counter_growth(c->last_v, v), t_ms);
    }
    c->last_t = t_ms;
    c->last_v = v;
}

struct smi_counts *smi_device_stats_counts(struct smi_device_stats *t, uint16_t metric)
{
    struct smi_counts *c = t->counts[metric];
    if (!c && (c = t->counts[metric] = smi_mem_new(1, sizeof *c)))
        smi_counts_init(c, smi_metrics[metric].step);
    return c;
}

/* ---- phases ---- */

/* Position in smi_phase_stats.pool; kept equal to smi_headline_metric by a test. */
int smi_phase_stats_slot(unsigned metric)
{
    static const uint16_t pool[SMI_BLOCK_SLOTS] = {SMI_GPU_UTIL, SMI_FB_USED, SMI_POWER,
                                                   SMI_MEM_UTIL, SMI_CPU_USR, SMI_CPU_IDLE};
    for (int i = 0; i < SMI_BLOCK_SLOTS; i++)
        if (pool[i] == metric)
            return i;
    return -1;
}

struct smi_phase_stats *smi_device_stats_new_phase(struct smi_device_stats *t, uint16_t phase)
{
    struct smi_phase_stats *p;
    smi_mem_reserve(&t->tally_of, &t->tally_room, (size_t)phase + 1, sizeof *t->tally_of);
    smi_mem_reserve(&t->tally, &t->tallies_cap, t->tallies + 1, sizeof *t->tally);
    p = &t->tally[t->tallies];
    *p = (struct smi_phase_stats){.phase = phase,
                                  .energy = {.slot = p->energy.slot, .cap = p->energy.cap},
                                  .idle = {.slot = p->idle.slot, .cap = p->idle.cap}};
    t->tally_of[phase] = (uint32_t)++t->tallies;
    return p;
}

size_t smi_device_stats_phases(struct smi_device_stats *t, int64_t t_ms, const uint16_t **active)
{
    if (!t->opts->phases)
        return 0;
    return smi_phases_at(t->opts->phases, t_ms * 1000 - t->opts->shift_us, &t->hint, active);
}
