#include "aggregate/device_stats_private.h"

#include "base/mem.h"

static int join_timed(struct smi_device_stats *a, struct smi_device_stats *b, int slot, bool back,
                      int64_t seg_shift)
{
    struct smi_timed_metrics *x = &a->timed[slot], *y = &b->timed[slot];
    int64_t dt;
    if (smi_series_merge(&x->series, &y->series))
        return -1;
    if (!y->has)
        return 0;
    dt = y->first_t - x->last_t;
    if (x->has && !back && x->last_seg == a->segments - 1 && y->first_seg == 0 && dt > 0 &&
        smi_device_stats_area(a, slot, dt, (smi_i128)(x->last_v + y->first_v) * dt, y->first_t))
        return -1;
    if (!x->has) {
        x->has = true;
        x->first_t = y->first_t;
        x->first_v = y->first_v;
        x->first_seg = y->first_seg + seg_shift;
    }
    x->last_t = y->last_t;
    x->last_v = y->last_v;
    x->last_seg = y->last_seg + seg_shift;
    return smi_time_sum_merge(&x->sum, &y->sum);
}

static int join_counters(struct smi_device_stats *a, const struct smi_device_stats *b)
{
    for (size_t i = 0; i < b->counters; i++) {
        const struct smi_counter *y = &b->counter[i];
        struct smi_counter *x = smi_device_stats_counter(a, y->metric);
        if (!x)
            return -1;
        if (x->n == 0) {
            *x = *y;
            continue;
        }
        smi_counter_grow(x, smi_counter_growth(x->last_v, y->first_v), y->first_t);
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
    return 0;
}

static int join_counts(struct smi_device_stats *a, struct smi_device_stats *b)
{
    smi_device_stats_widen_aside(a, b->aside, b->asides);
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
        if (b->counts[m] && smi_counts_merge(a->counts[m], b->counts[m]))
            return -1;
    }
    return 0;
}

static int join_phases(struct smi_device_stats *a, const struct smi_device_stats *b)
{
    for (size_t i = 0; i < b->tallies; i++) {
        const struct smi_phase_stats *y = &b->tally[i];
        struct smi_phase_stats *x = smi_device_stats_phase(a, y->phase);
        if (!x || smi_time_sum_merge(&x->energy, &y->energy) || smi_time_sum_merge(&x->idle, &y->idle))
            return -1;
        x->rows += y->rows;
        for (int k = 0; k < SMI_BLOCK_SLOTS; k++) {
            if (y->pool[k].n && (x->pool[k].n == 0 || y->pool[k].max > x->pool[k].max))
                x->pool[k].max = y->pool[k].max;
            x->pool[k].n += y->pool[k].n;
            x->pool[k].sum += y->pool[k].sum;
        }
    }
    return 0;
}

static struct smi_idle_stretch longer_stretch(struct smi_idle_stretch a, struct smi_idle_stretch b)
{
    return b.ms > a.ms ? b : a;
}

/* What lies between the last work of a and the first of b, or at an end if there is none. */
static void join_idle_stretches(struct smi_device_stats *a, const struct smi_device_stats *b, int64_t across)
{
    int64_t from = a->stretch.suffix ? a->stretch.suffix_from : b->stretch.prefix_from;
    struct smi_idle_stretch mid = longer_stretch(a->stretch.since, (struct smi_idle_stretch){across, from});
    mid = longer_stretch(mid, b->worked ? b->stretch.before : b->stretch.since);
    if (!b->worked) {
        a->stretch.since = mid;
        return;
    }
    if (a->worked)
        a->stretch.between = longer_stretch(a->stretch.between, mid);
    else
        a->stretch.before = mid;
    a->stretch.between = longer_stretch(a->stretch.between, b->stretch.between);
    a->stretch.since = b->stretch.since;
}

static void join_stretch(struct smi_device_stats *a, const struct smi_device_stats *b)
{
    int64_t across = a->stretch.suffix + b->stretch.prefix;
    join_idle_stretches(a, b, across);
    if (b->stretch.best > a->stretch.best)
        a->stretch.best = b->stretch.best;
    if (across > a->stretch.best)
        a->stretch.best = across;
    if (!a->stretch.broken) {
        if (a->stretch.prefix == 0) /* where use was not known yet, none began */
            a->stretch.prefix_from = b->stretch.prefix_from;
        a->stretch.prefix += b->stretch.prefix;
    }
    if (b->stretch.broken || !a->stretch.suffix)
        a->stretch.suffix_from = b->stretch.suffix_from;
    a->stretch.suffix = b->stretch.broken ? b->stretch.suffix : across;
    a->stretch.broken |= b->stretch.broken;
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

static int join_idle(struct smi_device_stats *a, struct smi_device_stats *b)
{
    if (smi_time_sum_merge(&a->idle, &b->idle) || (!a->worked && smi_time_sum_merge(&a->lead, &b->lead)))
        return -1;
    if (b->worked)
        smi_time_sum_clear(&a->trail);
    if (smi_time_sum_merge(&a->trail, &b->trail) || smi_time_sum_merge(&a->covered, &b->covered))
        return -1;
    a->worked |= b->worked;
    for (int r = 0; r < SMI_THROTTLE_COUNT; r++)
        if (smi_time_sum_merge(&a->throttle[r], &b->throttle[r]))
            return -1;
    return 0;
}

/* The bodies of a and b become one. b's rows come after a's. */
static int link_bodies(struct smi_device_stats *a, struct smi_device_stats *b, struct smi_counts *edge)
{
    struct smi_sample first = smi_last_row_sample(&b->first);
    struct smi_row_states st = smi_device_stats_states(a, &first);
    int64_t dt = first.t_ms - a->last.t_ms, seg_shift = a->segments - (dt >= 0);
    struct smi_last_row last = a->last;
    if (dt < 0)
        smi_device_stats_end_idle(a);
    else if (dt > 0 && smi_device_stats_interval(a, dt, &st, first.t_ms, edge))
        return -1;
    for (int i = 0; i < SMI_TIMED_COUNT; i++)
        if (join_timed(a, b, i, dt < 0, seg_shift))
            return -1;
    join_stretch(a, b);
    a->absent = longer_stretch(a->absent, b->absent);
    join_segments(a, b);
    a->last = b->last;
    b->last = last;
    return join_idle(a, b);
}

static int join_lengths(struct smi_device_stats *a, const struct smi_device_stats *b)
{
    return smi_counts_merge(&a->lengths, &b->lengths) || smi_counts_merge(&a->dts, &b->dts) ? -1 : 0;
}

static void copy_counters(struct smi_device_stats *to, const struct smi_device_stats *from)
{
    to->counter = from->counter;
    to->counters = from->counters;
    to->counters_cap = from->counters_cap;
}

/* b's whole body moves into a, whose body is empty but for rows without times. */
static int adopt_body(struct smi_device_stats *a, struct smi_device_stats *b)
{
    struct smi_device_stats t;
    if (join_counters(a, b)) /* while a's rows still are in front of b's */
        return -1;
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
    if (join_counts(a, b) || join_phases(a, b))
        return -1;
    a->rows += b->rows;
    a->timed_rows |= b->timed_rows;
    return join_lengths(a, b);
}

/* All of b's body after a's body. */
static int join_bodies(struct smi_device_stats *a, struct smi_device_stats *b, struct smi_counts *edge)
{
    if (a->pooled)
        join_segments(a, b);
    else if (!a->first.has)
        return adopt_body(a, b);
    else if (b->first.has && link_bodies(a, b, edge))
        return -1;
    if (join_counts(a, b) || join_counters(a, b) || join_phases(a, b))
        return -1;
    a->rows += b->rows;
    a->timed_rows |= b->timed_rows;
    return join_lengths(a, b);
}

int smi_device_stats_join(struct smi_device_stats *a, struct smi_device_stats *b, struct smi_add_counts *told,
                          struct smi_counts *edge, struct smi_err *err)
{
    *told = (struct smi_add_counts){0};
    if (b->head.has && !a->head.has && !a->first.has) {
        struct smi_last_row k = a->head; /* a has no row with a time: b's first row stays withheld */
        a->head = b->head;
        b->head = k;
    } else if (b->head.has) {
        told->duplicates = smi_device_stats_is_duplicate(a, b->head.t_ms, b->head.fine);
        told->kept = !told->duplicates;
        if (told->kept && smi_device_stats_append(a, &b->head, edge))
            return smi_err_nomem(err);
    }
    return join_bodies(a, b, edge) ? smi_err_nomem(err) : 0;
}

int smi_device_stats_close(struct smi_device_stats *t, struct smi_counts *edge, struct smi_err *err)
{
    struct smi_device_stats front;
    int rc;
    if (!t->head.has)
        return 0;
    smi_device_stats_init(&front, t->opts, t->dedupe);
    rc = smi_device_stats_append(&front, &t->head, edge) || join_bodies(&front, t, edge);
    if (rc == 0) {
        struct smi_device_stats old = *t;
        *t = front;
        front = old;
    }
    smi_device_stats_fini(&front);
    return rc ? smi_err_nomem(err) : 1;
}
