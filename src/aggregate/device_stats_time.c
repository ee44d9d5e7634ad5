#include "aggregate/device_stats_private.h"

#include "base/mem.h"

/* ---- intervals ---- */

struct smi_row_states smi_device_stats_states(const struct smi_device_stats *t, const struct smi_sample *s)
{
    struct smi_row_states st = {0};
    for (unsigned i = 0; i < s->n; i++) {
        unsigned m = s->metric[i];
        if (m == SMI_GPU_UTIL) {
            st.util_known = true;
            st.idle = s->v[i] <= t->opts->idle_below;
        } else if (m >= SMI_THROTTLE_FIRST && m < SMI_THROTTLE_FIRST + SMI_THROTTLE_COUNT) {
            st.known |= 1u << (m - SMI_THROTTLE_FIRST);
            st.active |= (uint32_t)(s->v[i] != 0) << (m - SMI_THROTTLE_FIRST);
        }
    }
    return st;
}

void smi_device_stats_end_idle(struct smi_device_stats *t)
{
    t->stretch.broken = true;
    t->stretch.suffix = 0;
}

void smi_device_stats_extend_idle(struct smi_device_stats *t, int64_t dt, int64_t end_ms)
{
    if (t->stretch.suffix == 0)
        t->stretch.suffix_from = end_ms - dt;
    t->stretch.suffix += dt;
    if (!t->stretch.broken) {
        if (t->stretch.prefix == 0)
            t->stretch.prefix_from = end_ms - dt;
        t->stretch.prefix += dt;
    }
    if (t->stretch.suffix > t->stretch.best)
        t->stretch.best = t->stretch.suffix;
    if (t->stretch.suffix > t->stretch.since.ms)
        t->stretch.since = (struct smi_idle_stretch){t->stretch.suffix, t->stretch.suffix_from};
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
    smi_device_stats_end_idle(t);
}

static int add_idle(struct smi_device_stats *t, unsigned class, int64_t dt, bool idle)
{
    if (smi_time_sum_add(&t->idle, class, 1, dt, idle ? dt : 0))
        return -1;
    if (idle && !t->worked && smi_time_sum_add(&t->lead, class, 1, dt, 0))
        return -1;
    return idle ? smi_time_sum_add(&t->trail, class, 1, dt, 0) : 0;
}

static int tally_interval(struct smi_device_stats *t, unsigned class, int64_t dt,
                          const struct smi_row_states *st, int64_t end_ms)
{
    const uint16_t *active;
    size_t n = smi_device_stats_phases(t, end_ms, &active);
    for (size_t i = 0; i < n; i++) {
        struct smi_phase_stats *p = smi_device_stats_phase(t, active[i]);
        if (!p || smi_time_sum_add(&p->idle, class, st->util_known, dt, st->util_known && st->idle ? dt : 0))
            return -1;
    }
    return 0;
}

/* The interval of dt > 0 ms that ends with a row in these states. */
int smi_device_stats_interval(struct smi_device_stats *t, int64_t dt, const struct smi_row_states *st,
                              int64_t end_ms, struct smi_counts *dts)
{
    unsigned class = smi_interval_class(dt);
    if (smi_counts_add(dts, dt) || smi_time_sum_add(&t->covered, class, 1, dt, 0))
        return -1;
    if (st->util_known && add_idle(t, class, dt, st->idle))
        return -1;
    if (t->opts->phases && tally_interval(t, class, dt, st, end_ms))
        return -1;
    for (int r = 0; st->known >> r; r++)
        if ((st->known >> r & 1) &&
            smi_time_sum_add(&t->throttle[r], class, 1, dt, (st->active >> r & 1) ? dt : 0))
            return -1;
    if (dt > SMI_IDLE_BREAK_MS) {
        smi_device_stats_end_idle(t);
        if (dt > t->absent.ms)
            t->absent = (struct smi_idle_stretch){dt, end_ms - dt};
    } else if (st->util_known && st->idle)
        smi_device_stats_extend_idle(t, dt, end_ms);
    return 0;
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

int smi_device_stats_area(struct smi_device_stats *t, int slot, int64_t dt, smi_i128 area, int64_t end_ms)
{
    const uint16_t *active;
    unsigned class = smi_interval_class(dt);
    size_t n;
    if (smi_time_sum_add(&t->timed[slot].sum, class, 1, dt, area))
        return -1;
    if (smi_timed_metrics[slot] != SMI_POWER)
        return 0;
    n = smi_device_stats_phases(t, end_ms, &active);
    for (size_t i = 0; i < n; i++) {
        struct smi_phase_stats *p = smi_device_stats_phase(t, active[i]);
        if (!p || smi_time_sum_add(&p->energy, class, 1, dt, area))
            return -1;
    }
    return 0;
}
