/* device_stats.c - the statistics of one device: rows in, joined with those of other parts, on the time of
 * the run. */
#include "aggregate/device_stats.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES = 8, GROUP = 64, STEP = 8, MIB = 1000000 /* of a reading */, WATT = MIB };

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

static void end_stretches(struct smi_device_stats *t)
{
    smi_stretches_end(&t->stretch.all);
    for (int i = 0; i < SMI_CONDITION_COUNT; i++)
        smi_stretches_end(&t->condition[i]);
}

static void add_work(struct smi_device_stats *t)
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

static void begin_segment(struct smi_device_stats *t, struct smi_segment s)
{
    if (t->segments > SMI_SEGMENTS_MAX)
        t->segment_rest += smi_last_segment(t)->last - smi_last_segment(t)->first;
    t->segments++;
    *smi_last_segment(t) = s;
}

/* There are so many more rows aside, within s; ASIDE_UNTIMED: without times. */
#define ASIDE_UNTIMED ((struct smi_segment){1, 0})
static void widen_aside(struct smi_device_stats *t, struct smi_segment s, int64_t rows)
{
    bool first = !t->asides || t->aside.first > t->aside.last, timed = s.first <= s.last;
    if (rows && (first || (timed && s.first < t->aside.first)))
        t->aside.first = s.first;
    if (rows && (first || (timed && s.last > t->aside.last)))
        t->aside.last = s.last;
    t->asides += rows;
}

static void store_row(struct smi_last_row *k, const struct smi_rows *r, unsigned i)
{
    k->n = r->metrics;
    smi_mem_reserve(&k->reading, &k->cap, k->n, sizeof *k->reading);
    for (unsigned c = 0; c < r->metrics; c++)
        k->reading[c] = (struct smi_reading){smi_rows_reading(r, c, i), r->metric[c]};
    k->t_ms = r->t_ms[i];
    k->fine = r->fine;
    k->has = true;
}

/* ---- counters and counts ---- */

static struct smi_counter *find_counter(struct smi_device_stats *t, uint16_t metric)
{
    for (size_t i = 0; i < t->counters; i++)
        if (t->counter[i].metric == metric)
            return &t->counter[i];
    smi_mem_reserve(&t->counter, &t->counters_cap, t->counters + 1, sizeof *t->counter);
    t->counter[t->counters] = (struct smi_counter){.metric = metric};
    return &t->counter[t->counters++];
}

static struct smi_counts *find_counts(struct smi_device_stats *t, uint16_t metric)
{
    if (!t->counts[metric])
        t->counts[metric] = smi_counts_new(t->opts->kept, smi_metrics[metric].step);
    return t->counts[metric];
}

/* ---- phases ---- */

const uint16_t smi_headline_metric[SMI_HEADLINE_METRICS] = {SMI_GPU_UTIL, SMI_FB_USED, SMI_POWER,
                                                            SMI_MEM_UTIL, SMI_CPU_USR, SMI_CPU_IDLE};

int smi_headline_slot(unsigned metric)
{
    for (int i = 0; i < SMI_HEADLINE_METRICS; i++)
        if (smi_headline_metric[i] == metric)
            return i;
    return -1;
}

void smi_headline_sum_merge(struct smi_headline_sum *a, const struct smi_headline_sum *b)
{
    if (b->n && (a->n == 0 || b->max > a->max))
        a->max = b->max;
    a->n += b->n;
    a->sum += b->sum;
}

struct smi_phase_stats *smi_device_stats_phase(struct smi_device_stats *t, uint16_t phase)
{
    if (phase >= t->tally_room) /* asked for each stretch of rows */
        smi_mem_reserve(&t->tally_of, &t->tally_room, (size_t)phase + 1, sizeof *t->tally_of);
    if (!t->tally_of[phase]) {
        SMI_MEM_ADD(t->tally, t->tallies, t->tallies_cap)->phase = phase;
        t->tally_of[phase] = (uint32_t)t->tallies;
    }
    return &t->tally[t->tally_of[phase] - 1];
}

/* The phases that hold at a row's time; where the last look-up ended is remembered. */
static size_t find_phases(struct smi_device_stats *t, int64_t t_ms, const uint16_t **active)
{
    if (!t->opts->phases)
        return 0;
    return smi_phases_at(t->opts->phases, t_ms * 1000 - t->opts->shift_us, &t->hint, active);
}

static void add_area(struct smi_device_stats *t, int slot, int64_t dt, smi_i128 area, int64_t end_ms)
{
    const uint16_t *active;
    unsigned class = smi_interval_class(dt);
    size_t n;
    smi_time_sum_add(&t->timed[slot].sum, class, 1, dt, area);
    if (smi_timed_metrics[slot] != SMI_POWER)
        return;
    n = find_phases(t, end_ms, &active);
    for (size_t i = 0; i < n; i++) {
        struct smi_phase_stats *p = smi_device_stats_phase(t, active[i]);
        smi_time_sum_add(&p->energy, class, 1, dt, area);
    }
}

/* ---- rows. They are taken in runs of rows that come each later than the one before: there every sum is a
 * loop over a column. What a run follows (a row of the same time, a later one, a gap) is settled by its first
 * row
 * ---- */

struct run {
    const struct smi_rows *r;
    const uint16_t *at; /* its n rows in r */
    unsigned n;
    unsigned from; /* the intervals are those in front of the rows from ... n - 1 */
    bool later;    /* each row comes later than the one before */
    bool edge;     /* its only row is counted by another part: the interval in front of it is not */
    int32_t dt[SMI_ROWS_MAX];   /* ms since the row before, */
    int64_t over;               /* so many more of the first: then it is the only one; */
    uint8_t k_of[SMI_ROWS_MAX]; /* and the place of its class in bin */
    unsigned bin[CLASSES], classes;
    int32_t max_dt;
    const int64_t *t_ms; /* as they stand where the rows are neighbours, else own_t_ms */
    int64_t own_t_ms[SMI_ROWS_MAX];
    bool idle_known, idle[SMI_ROWS_MAX];
    bool on[SMI_ROWS_MAX];       /* of a condition: in which rows it holds; */
    int64_t limit[SMI_ROWS_MAX]; /* of one of its terms, where another metric gives it */
    const int32_t *util;         /* the column of utilisation, or NULL; */
    int32_t util_full;           /* from here on it is full load: the times and the clocks of such rows */
    int64_t full_t_ms[SMI_ROWS_MAX];
    int32_t full_u[SMI_ROWS_MAX];
    /* The column at hand: readings are base + u * scale. */
    const int32_t *u;
    int64_t base, scale;
    int64_t low[SMI_SAMPLE_MAX]; /* base of each column of a wide block, in units */
    bool
        picked[SMI_SAMPLE_MAX]; /* columns that do not stand in the block so: which are gathered, and where */
    int32_t own[SMI_SAMPLE_MAX][SMI_ROWS_STRIDE];
};

/* ---- which rows ---- */

static bool is_smooth(int64_t dt)
{
    return ((uint64_t)dt - 1) >> SMI_VECTOR_DISTANCE_BITS == 0;
}

static bool are_neighbours(const struct run *run)
{
    return run->at[run->n - 1] - run->at[0] == (int)run->n - 1;
}

/* The times of the n rows, of which mostly all come each later than the one before; the first `from` of them
 * are known to. Where that ends: they are looked at in groups. last: the time in front of the others. */
static unsigned find_later(struct run *run, unsigned from, unsigned n, int64_t last)
{
    const bool gather = !are_neighbours(run);
    run->t_ms = gather ? run->own_t_ms : run->r->t_ms + run->at[0];
    run->own_t_ms[0] = run->r->t_ms[run->at[0]];
    for (unsigned end; from < n; from = end) {
        end = n - from < GROUP ? n : from + GROUP;
        for (unsigned i = from; i < end && gather; i++)
            run->own_t_ms[i] = run->r->t_ms[run->at[i]];
        if (smi_vector_distances(run->t_ms + from, end - from, last, run->dt + from))
            for (unsigned i = from; i < end; last = run->t_ms[i++])
                if (!is_smooth(run->t_ms[i] - last))
                    return i;
        last = run->t_ms[end - 1];
    }
    return n;
}

/* The classes of the intervals. A run ends where there are too many. */
static void classify_intervals(struct run *run)
{
    int32_t min;
    run->classes = 0;
    run->max_dt = 0;
    if (run->from == run->n)
        return;
    smi_vector_ends(run->dt + run->from, run->n - run->from, &min, &run->max_dt);
    if (smi_interval_class(min) == smi_interval_class(run->max_dt)) { /* as it nearly always is */
        run->bin[run->classes++] = smi_interval_class(min + run->over);
        memset(run->k_of + run->from, 0, run->n - run->from);
        return;
    }
    for (unsigned i = run->from; i < run->n; i++) {
        unsigned bin = smi_interval_class(run->dt[i]), k = 0;
        while (k < run->classes && run->bin[k] != bin)
            k++;
        if (k == CLASSES) {
            run->n = i;
            return;
        }
        if (k == run->classes)
            run->bin[run->classes++] = bin;
        run->k_of[i] = (uint8_t)k;
    }
}

/* Of the first n rows of a wide block those that are near the first one: each column, which becomes numbers
 * above its base, has room for them. */
static unsigned find_near(struct run *run, const struct smi_rows *r, const uint16_t *at, unsigned n)
{
    for (unsigned c = 0; r->wide && c < r->metrics; c++) {
        const int64_t first = smi_rows_units(r, c, *at);
        run->low[c] = first < 0 || first > INT32_MAX ? first - INT32_MAX / 2 : 0;
    }
    for (unsigned i = 1; r->wide && i < n; i++)
        for (unsigned c = 0; c < r->metrics; c++)
            if ((uint64_t)(smi_rows_units(r, c, at[i]) - run->low[c]) > INT32_MAX)
                return i;
    return n;
}

static void begin_rows(struct run *run, const struct smi_rows *r, const uint16_t *at, unsigned n)
{
    run->r = r;
    run->at = at;
    run->n = run->from = find_near(run, r, at, n);
    run->classes = 0;
    run->over = 0;
    run->later = run->edge = run->idle_known = false;
    run->util = NULL;
    memset(run->picked, false, r->metrics * sizeof *run->picked);
}

/* The run that at[0 ... n - 1] begin with. */
static void find_run(struct run *run, const struct smi_device_stats *t, const struct smi_rows *r,
                     const uint16_t *at, unsigned n)
{
    const int64_t first = r->t_ms[at[0]], dt = first - t->last.t_ms;
    begin_rows(run, r, at, n);
    run->later = true;
    run->from = r->begins || !t->first.has || dt < 1;
    if (run->from || is_smooth(dt)) {
        run->n = find_later(run, run->from, run->n, run->from ? first : t->last.t_ms);
    } else {
        run->n = find_later(run, 1, 1, first);
        run->dt[0] = INT32_MAX;
        run->over = dt - INT32_MAX;
    }
    classify_intervals(run);
}

/* ---- columns ---- */

/* The readings of a column, as they stand where the rows are neighbours, else gathered. */
static void load_column(struct run *run, unsigned column)
{
    const int32_t *u = run->r->u + (size_t)column * run->r->stride;
    int32_t *own = run->own[column];
    const bool wide = run->r->wide, lent = !wide && are_neighbours(run);
    run->scale = run->r->scale[column];
    run->base = wide ? run->low[column] * run->scale : 0;
    run->u = lent ? u + run->at[0] : own;
    if (wide && !run->picked[column])
        for (unsigned i = 0; i < run->n; i++)
            own[i] = (int32_t)(smi_rows_units(run->r, column, run->at[i]) - run->low[column]);
    else if (!lent && !run->picked[column])
        smi_vector_pick(u, run->at, run->n, own);
    run->picked[column] = true;
}

static inline int64_t reading(const struct run *run, unsigned i)
{
    return run->base + run->u[i] * run->scale;
}

/* The intervals of class k in front of the rows from ... end - 1: their time, and how many. */
static int64_t class_time(const struct run *run, unsigned k, unsigned from, unsigned end, int64_t *n)
{
    int64_t dt = 0;
    *n = 0;
    if (from >= end)
        return 0;
    if (run->classes == 1) {
        *n = end - from;
        return run->t_ms[end - 1] - run->t_ms[from] + run->dt[from] + run->over;
    }
    for (unsigned i = from; i < end; i++) {
        *n += run->k_of[i] == k;
        dt += run->k_of[i] == k ? run->dt[i] : 0;
    }
    return dt;
}

/* Sum of (a + b) * dt over the intervals of class k in front of the rows from ... end - 1, from > 0. */
static smi_i128 class_area(const struct run *run, unsigned k, unsigned from, unsigned end)
{
    smi_i128 sum = 0;
    _Static_assert(SMI_ROWS_MAX <= 1 << 12, "(2^32 - 2) * (2^19 - 1) for each row fit in 63 bits");
    if (run->classes == 1 && run->max_dt < 1 << 19)
        return (smi_i128)smi_vector_area(run->u + from, run->dt + from, end - from) * run->scale +
               (smi_i128)run->base * 2 * (run->t_ms[end - 1] - run->t_ms[from - 1]);
    for (unsigned i = from; i < end; i++)
        if (run->k_of[i] == k)
            sum += (smi_i128)(reading(run, i - 1) + reading(run, i)) * run->dt[i];
    return sum;
}

static void add_areas(const struct run *run, struct smi_time_sum *to, unsigned from, unsigned end)
{
    for (unsigned k = 0; k < run->classes; k++) {
        int64_t n, dt = class_time(run, k, from, end, &n);
        if (n)
            smi_time_sum_add(to, run->bin[k], n, dt, class_area(run, k, from, end));
    }
}

/* dt and, if counted, n of every class over the intervals in front of the rows from ... end - 1; the area is
 * the time of those that are set. only: dt is, too: the same wherever blocks of rows end. */
static void add_times(const struct run *run, struct smi_time_sum *to, unsigned from, unsigned end,
                      bool counted, const bool *set, bool only)
{
    for (unsigned k = 0; k < run->classes; k++) {
        int64_t n, on = 0, dt = class_time(run, k, from, end, &n);
        for (unsigned i = from; set && i < end; i++)
            on += set[i] && run->k_of[i] == k ? run->dt[i] : 0;
        on += on ? run->over : 0;
        if (only ? on : n)
            smi_time_sum_add(to, run->bin[k], counted ? n : 0, only ? on : dt, on);
    }
}

/* ---- idle time ---- */

static bool has_column(const struct smi_rows *r, unsigned metric)
{
    return smi_rows_column(r, metric) < r->metrics;
}

/* Clears `on` where a reading of the column at hand is not on this side of its limit. n: in how many rows it
 * is set. Returns in how many it stays so; of 0 nothing else is changed. */
static unsigned compare_rows(const struct run *run, bool *on, bool at_least, const int64_t *limit,
                             int64_t all, unsigned n)
{
    const int64_t unit = run->scale, above = all - run->base, up = (above + unit - 1) / unit,
                  down = above < 0 ? -1 : above / unit;
    const int32_t least = !at_least || up < INT32_MIN ? INT32_MIN
                          : up > INT32_MAX            ? INT32_MAX
                                                      : (int32_t)up,
                  most = at_least || down > INT32_MAX ? INT32_MAX : (int32_t)down;
    int32_t low, high;
    unsigned left = 0;
    for (unsigned i = 0; limit && i < run->n; i++)
        left += on[i] &= at_least ? reading(run, i) >= limit[i] : reading(run, i) <= limit[i];
    if (limit)
        return left;
    smi_vector_ends(run->u, run->n, &low, &high);
    if (high < least || low > most) /* most blocks are on one side */
        return 0;
    return low >= least && high <= most ? n : smi_vector_keep(run->u, run->n, least, most, (uint8_t *)on);
}

/* Idle and busy rows in turn: the stretches, and what leads and trails. */
static void add_mixed_idle(struct run *run, struct smi_device_stats *t)
{
    for (unsigned i = 0; i < run->n; i++) {
        bool idle = run->idle_known && run->idle[i];
        if (i >= run->from) {
            unsigned bin = run->bin[run->k_of[i]];
            if (idle && !t->worked)
                smi_time_sum_add(&t->lead, bin, 1, run->dt[i] + run->over, 0);
            if (idle)
                smi_time_sum_add(&t->trail, bin, 1, run->dt[i] + run->over, 0);
            if (run->dt[i] > SMI_IDLE_BREAK_MS)
                smi_stretches_end(&t->stretch.all);
            else if (idle) {
                smi_stretches_extend(&t->stretch.all, run->dt[i], run->t_ms[i] - run->dt[i], run->t_ms[i], 0,
                                     SMI_BRIDGE_ALL);
                t->stretch.since = smi_stretch_longer(t->stretch.since, t->stretch.all.last);
            }
        }
        if (run->idle_known && !idle && (i == 0 || run->idle[i - 1])) /* once says it for all that follow */
            add_work(t);
        if (run->idle_known && !idle && run->max_dt <= SMI_IDLE_BREAK_MS) { /* on to the next idle row */
            const bool *next = memchr(run->idle + i, true, run->n - i);
            i = next ? (unsigned)(next - run->idle) - 1 : run->n - 1;
        }
    }
}

/* The time of idle rows with so much memory in use that nobody else can use the GPU. */
static void add_idle_held(struct run *run, struct smi_device_stats *t)
{
    const int64_t least = (int64_t)SMI_IDLE_HELD_MIB * MIB + 1;
    if (!has_column(run->r, SMI_FB_USED)) {
        add_times(run, &t->idle_blind, run->from, run->n, false, run->idle, true);
        return;
    }
    load_column(run, smi_rows_column(run->r, SMI_FB_USED));
    memcpy(run->on, run->idle, run->n * sizeof *run->on);
    if (compare_rows(run, run->on, true, NULL, least, run->n))
        add_times(run, &t->idle_held, run->from, run->n, false, run->on, true);
}

/* Returns in how many rows. */
static unsigned add_idle(struct run *run, struct smi_device_stats *t)
{
    unsigned idle = 0;
    run->idle_known = has_column(run->r, SMI_GPU_UTIL);
    if (run->idle_known) {
        load_column(run, smi_rows_column(run->r, SMI_GPU_UTIL));
        memset(run->idle, true, run->n);
        idle = compare_rows(run, run->idle, false, NULL, t->opts->idle_below, run->n);
        if (!idle)
            memset(run->idle, false, run->n);
        run->util = run->u;
        run->util_full = (int32_t)((SMI_FULL_LOAD * (int64_t)1000000 + run->scale - 1) / run->scale);
        add_times(run, &t->idle, run->from, run->n, true, idle ? run->idle : NULL, false);
    }
    if (run->idle_known && idle == 0)
        add_work(t);
    else if (run->idle_known || run->max_dt > SMI_IDLE_BREAK_MS)
        add_mixed_idle(run, t);
    return idle;
}

/* ---- conditions ---- */

/* The limits of a term whose limit is a share of another metric. Returns whether the first one stands for
 * all. */
static bool find_limits(struct run *run, const struct smi_condition_term *term)
{
    int32_t low, high;
    load_column(run, smi_rows_column(run->r, term->of));
    smi_vector_ends(run->u, run->n, &low, &high);
    for (unsigned i = 0; i < (low == high ? 1 : run->n); i++)
        run->limit[i] = smi_condition_limit(term, reading(run, i));
    return low == high;
}

/* In which rows the condition holds. Returns in how many. */
static unsigned find_condition(struct run *run, const struct smi_condition *c)
{
    unsigned n = run->n;
    memset(run->on, true, run->n);
    for (unsigned k = 0; k < c->terms && n; k++) {
        const struct smi_condition_term *t = &c->term[k];
        const bool given = t->of == SMI_METRIC_COUNT, same = given || find_limits(run, t);
        load_column(run, smi_rows_column(run->r, t->metric));
        n = compare_rows(run, run->on, t->side == SMI_AT_LEAST, same ? NULL : run->limit,
                         given ? t->limit : run->limit[0], n);
    }
    return n;
}

static bool has_all_columns(const struct smi_rows *r, const struct smi_condition *c)
{
    bool all = true;
    for (unsigned k = 0; k < c->terms && all; k++)
        all = has_column(r, c->term[k].metric) &&
              (c->term[k].of >= SMI_METRIC_COUNT || has_column(r, c->term[k].of));
    return all;
}

/* The intervals in front of the rows i ... to - 1, which all show the condition; was: so does the row before.
 */
static void add_holding(const struct run *run, struct smi_stretches *s, bool keeps, unsigned i, unsigned to,
                        bool was)
{
    for (unsigned at = i, end; at < to; at = end + (end == at), was = true) {
        int64_t dt = 0, area = 0; /* of SMI_ROWS_MAX rows it fits: the time is short */
        for (end = at; end < to && end >= run->from && run->dt[end] <= SMI_CONDITION_BREAK_MS; end++) {
            dt += run->dt[end];
            area += keeps ? (int64_t)run->u[end] * run->dt[end] : 0;
        }
        if (end > at)
            smi_stretches_extend(s, dt, was ? run->t_ms[at] - run->dt[at] : run->t_ms[at], run->t_ms[end - 1],
                                 (smi_i128)area * run->scale + (smi_i128)run->base * (keeps ? dt : 0),
                                 SMI_CONDITION_BREAK_MS);
    }
}

/* on: does the row in front of these show it? Returns whether the last one does. */
static bool add_holds(struct run *run, struct smi_stretches *s, const struct smi_condition *c, bool on)
{
    const bool keeps = c->mean != SMI_METRIC_COUNT;
    if (keeps)
        load_column(run, smi_rows_column(run->r, c->mean));
    for (unsigned i = 0, to; i < run->n; i = to) {
        const bool *other = memchr(run->on + i, !run->on[i], run->n - i);
        to = other ? (unsigned)(other - run->on) : run->n;
        if (run->on[i])
            add_holding(run, s, keeps, i, to, i == 0 && on);
        else
            smi_stretches_end(s);
    }
    return run->on[run->n - 1];
}

static void add_conditions(struct run *run, struct smi_device_stats *t)
{
    const struct smi_condition *all = t->opts->condition ? t->opts->condition : smi_conditions;
    const bool limited = has_column(run->r, SMI_POWER_LIMIT) || has_column(run->r, SMI_POWER_LIMIT_ENFORCED);
    uint32_t on = 0;
    unsigned n = 0;
    for (int k = 0; k < SMI_CONDITION_COUNT; k++) {
        const bool hang = k >= SMI_CONDITION_HANG_FIRST && k <= SMI_CONDITION_HANG_LAST;
        if ((hang && limited) || !has_all_columns(run->r, &all[k]))
            continue;
        if (!hang || k == SMI_CONDITION_HANG_FIRST || n) /* what no row of the one before shows, none does */
            n = find_condition(run, &all[k]);
        if (k < SMI_THROTTLE_COUNT)
            add_times(run, &t->throttle[k], run->from, run->n, true, n ? run->on : NULL, false);
        if (!n)
            smi_stretches_end(&t->condition[k]);
        else if (add_holds(run, &t->condition[k], &all[k], t->on >> k & 1))
            on |= 1u << k;
    }
    t->on = on;
}

/* ---- limits of power ---- */

void smi_steps_add(struct smi_steps *s, struct smi_step k, int64_t bridge)
{
    struct smi_step *last = s->n ? &s->list[s->n - 1] : NULL;
    const bool full = s->n == SMI_STEPS_MAX;
    if (last && last->v == k.v && last->to_ms <= k.from_ms && k.from_ms - last->to_ms <= bridge)
        last->to_ms = k.to_ms;
    else if (s->n <= SMI_STEPS_MAX)
        *SMI_MEM_ADD(s->list, s->n, s->cap) = full ? (struct smi_step){0} : k;
}

static void add_limits(struct run *run, struct smi_device_stats *t)
{
    const unsigned enforced = smi_rows_column(run->r, SMI_POWER_LIMIT_ENFORCED),
                   column = enforced < run->r->metrics ? enforced : smi_rows_column(run->r, SMI_POWER_LIMIT);
    int32_t low, high;
    if (column >= run->r->metrics)
        return;
    load_column(run, column);
    smi_vector_ends(run->u, run->n, &low, &high);
    for (unsigned i = 0, to; i < run->n; i = to + 1) { /* one step, if all are equal */
        const int64_t watts = (reading(run, i) + WATT / 2) / WATT;
        to = low == high ? run->n - 1 : i;
        if (watts > 0) /* 0: none is set */
            smi_steps_add(&t->limits, (struct smi_step){run->t_ms[i], run->t_ms[to], watts}, INT64_MAX);
    }
}

/* ---- phases ---- */

/* The pool of the readings of column c, or -1. *peaks: they are the largest of those in a column before it.
 */
static int pool_of_column(const struct smi_rows *r, unsigned c, bool *peaks)
{
    int mean = smi_metric_of_peak(r->metric[c]);
    *peaks = mean >= 0;
    for (unsigned i = 0; i < c && *peaks; i++)
        if (r->metric[i] == mean)
            return smi_headline_slot((unsigned)mean);
    return *peaks ? -1 : smi_headline_slot(r->metric[c]);
}

/* Rows that hold the same phases: from ... end - 1. */
struct stretch {
    const uint16_t *active;
    size_t phases;
    unsigned from, end;
};

/* The first ms of the rows' clock that is not before t_us of the phases'. */
static int64_t first_ms_from(const struct smi_device_stats *t, int64_t t_us)
{
    int64_t us;
    if (t_us == INT64_MAX || __builtin_add_overflow(t_us, t->opts->shift_us, &us))
        return INT64_MAX;
    return us / 1000 + (us % 1000 > 0);
}

static struct stretch find_stretch(const struct run *run, struct smi_device_stats *t, unsigned from)
{
    const int64_t *t_ms = run->t_ms;
    const unsigned n = run->n;
    const uint16_t *active = NULL;
    size_t phases = find_phases(t, t_ms[from], &active);
    int64_t until =
        first_ms_from(t, smi_phases_until(t->opts->phases, t_ms[from] * 1000 - t->opts->shift_us, t->hint));
    unsigned end = from + 1;
    while (run->later && n - end >= STEP && t_ms[end + STEP - 1] < until)
        end += STEP;
    while (end < n && t_ms[end] < until && t_ms[end] >= t_ms[end - 1])
        end++;
    return (struct stretch){active, phases, from, end};
}

/* Where the intervals begin that are wholly among the rows of the run and end in the stretch. */
static unsigned first_interval(const struct run *run, const struct stretch *s)
{
    return s->from < run->from ? run->from : s->from;
}

/* The sum of the readings of the column at hand in a stretch, and the largest. */
static int64_t sum_readings(const struct run *run, const struct stretch *s, int64_t *max)
{
    int64_t sum = 0;
    int32_t high = run->u[s->from];
    for (unsigned i = s->from; i < s->end; i++) {
        high = run->u[i] > high ? run->u[i] : high;
        sum += run->u[i];
    }
    *max = run->base + high * run->scale;
    return run->base * (s->end - s->from) + sum * run->scale;
}

/* Where readings of a column go: a pool, or -1; and what those of a stretch come to. */
struct pooled {
    int slot;
    bool peaks;
    int64_t sum, max;
};

/* of: for each column; NULL: its time alone counts. */
static void add_stretch(struct run *run, struct smi_device_stats *t, const struct stretch *s,
                        struct pooled of[])
{
    const bool *idle = run->idle_known ? run->idle : NULL;
    const unsigned from = first_interval(run, s), metrics = of ? run->r->metrics : 0,
                   power = smi_rows_column(run->r, SMI_POWER);
    for (unsigned c = 0; c < metrics && s->phases; c++)
        if (of[c].slot >= 0) {
            load_column(run, c);
            of[c].sum = sum_readings(run, s, &of[c].max);
        }
    if (power < metrics && s->phases)
        load_column(run, power);
    for (size_t i = 0; i < s->phases; i++) {
        struct smi_phase_stats *p = smi_device_stats_phase(t, s->active[i]);
        add_times(run, &p->idle, from, s->end, run->idle_known, idle, false);
        p->rows += run->r->aside || run->edge ? 0 : s->end - s->from;
        if (power < metrics)
            add_areas(run, &p->energy, from ? from : 1, s->end);
        for (unsigned c = 0; c < metrics; c++)
            if (of[c].slot >= 0) {
                struct smi_headline_sum *pool = &p->pool[of[c].slot];
                pool->max = pool->n == 0 || of[c].max > pool->max ? of[c].max : pool->max;
                pool->sum += of[c].peaks ? 0 : of[c].sum;
                pool->n += of[c].peaks ? 0 : s->end - s->from;
            }
    }
}

static void add_phases(struct run *run, struct smi_device_stats *t)
{
    struct stretch s = {.end = 0};
    struct pooled of[SMI_SAMPLE_MAX];
    if (!t->opts->phases)
        return;
    for (unsigned c = 0; c < run->r->metrics; c++)
        of[c].slot = pool_of_column(run->r, c, &of[c].peaks);
    while (s.end < run->n) {
        s = find_stretch(run, t, s.end);
        add_stretch(run, t, &s, of);
    }
}

void smi_device_stats_phase_rows(struct smi_device_stats *t, const struct smi_rows *r, const uint16_t *at,
                                 unsigned n, const int64_t *t_ms)
{
    struct run *run = smi_mem_room(SMI_ROOM_RUN, sizeof *run);
    for (unsigned i = 0; i < n; i += run->n) {
        begin_rows(run, r, at + i, n - i);
        run->t_ms = t_ms + i;
        add_phases(run, t);
    }
}

/* ---- readings ---- */

/* Adds b, whose times count from tick `begin` on. */
static void add_to_trend(struct smi_trend *a, const struct smi_trend *b, int64_t begin)
{
    const smi_i128 from = begin;
    a->n += b->n;
    a->t += b->t + b->n * from;
    a->v += b->v;
    a->tt += b->tt + 2 * from * b->t + b->n * from * from;
    a->tv += b->tv + from * b->v;
    a->vv += b->vv;
}

/* The times count from that of the first row on, a part of 12 days at a time, so that sums over a block fit
 * 64 bits. */
static void add_trend(const struct run *run, struct smi_trend *to)
{
    /* in one unit, if they are whole, as a rule */
    const int64_t mib = run->base || run->scale % MIB ? 0 : run->scale / MIB;
    for (unsigned i = 0, from; i < run->n;) {
        const int64_t begin = run->t_ms[from = i] >> SMI_TREND_SHIFT;
        int64_t at, t = 0, v = 0, tt = 0, tv = 0, vv = 0;
        for (; i < run->n && (at = (run->t_ms[i] >> SMI_TREND_SHIFT) - begin) < 1 << 20; i++) {
            const int64_t used = mib ? run->u[i] * mib : reading(run, i) / MIB;
            t += at;
            v += used;
            tt += at * at;
            tv += at * used;
            vv += used * used;
        }
        add_to_trend(to, &(struct smi_trend){i - from, t, v, tt, tv, vv}, begin);
    }
}

/* The interval in front of the run may reach back over rows without this metric. */
static void add_timed(const struct run *run, struct smi_device_stats *t, int slot)
{
    struct smi_timed_metrics *m = &t->timed[slot];
    int64_t seg = t->segments - 1, first_t = run->t_ms[0], first_v = reading(run, 0),
            dt = first_t - m->last_t;
    if (m->has && m->last_seg == seg && dt > 0)
        add_area(t, slot, dt, (smi_i128)(m->last_v + first_v) * dt, first_t);
    if (!m->has) {
        m->has = true;
        m->first_t = first_t;
        m->first_v = first_v;
        m->first_seg = seg;
    }
    m->last_t = run->t_ms[run->n - 1];
    m->last_v = reading(run, run->n - 1);
    m->last_seg = seg;
    if (smi_timed_metrics[slot] == SMI_FB_USED)
        add_trend(run, &t->memory);
    add_areas(run, &m->sum, 1, run->n);
}

/* The column at hand, the clock, of rows with full load. */
static void add_clock(struct run *run, struct smi_series *to)
{
    unsigned n = 0;
    for (unsigned i = 0; i < run->n; i++) {
        run->full_t_ms[n] = run->t_ms[i];
        run->full_u[n] = run->u[i];
        n += run->util[i] >= run->util_full;
    }
    smi_series_add_units(to, run->full_t_ms, run->full_u, n, run->scale, run->base);
}

static void add_counter(const struct run *run, struct smi_device_stats *t, uint16_t metric, bool timed)
{
    struct smi_counter *c = find_counter(t, metric);
    for (unsigned i = 0; i < run->n; i++) {
        const int64_t t_ms = timed ? run->t_ms[i] : 0, v = reading(run, i);
        if (c->n++ == 0) {
            c->first_t = t_ms;
            c->first_v = v;
        } else if (v != c->last_v) {
            grow_counter(c, counter_growth(c->last_v, v), t_ms);
        }
        c->last_t = t_ms;
        c->last_v = v;
    }
}

/* All columns. timed: the rows are neighbours in time. */
static void add_readings(struct run *run, struct smi_device_stats *t, bool timed)
{
    for (unsigned c = 0; c < run->r->metrics; c++) {
        uint16_t metric = run->r->metric[c];
        const bool counted = !t->opts->counted || t->opts->counted[metric];
        int slot = smi_timed_slot(metric);
        load_column(run, c);
        if (smi_metrics[metric].kind == SMI_COUNTER)
            add_counter(run, t, metric, run->r->timed);
        else if (counted && run->base)
            for (unsigned i = 0; i < run->n; i++)
                smi_counts_add_many(find_counts(t, metric), reading(run, i), 1);
        else if (counted)
            smi_counts_add_units(find_counts(t, metric), run->u, run->n, run->scale);
        if (timed && slot >= 0 && slot < SMI_TIMED_COUNT)
            add_timed(run, t, slot);
        if (timed && slot >= 0 && !(t->opts->skip_series >> slot & 1))
            smi_series_add_units(&t->timed[slot].series, run->t_ms, run->u, run->n, run->scale, run->base);
        if (metric == SMI_CLK_SM && run->util)
            add_clock(run, &t->clock);
    }
}

/* ---- all of it ---- */

/* The first row of a run that no interval ends with: of all, or time goes back or is not told. */
static void begin_run(struct smi_device_stats *t, const struct run *run)
{
    const int64_t t_ms = run->t_ms[0];
    if (t->first.has && t_ms == t->last.t_ms && !run->r->begins)
        return;
    if (t->first.has)
        end_stretches(t);
    else
        store_row(&t->first, run->r, run->at[0]);
    begin_segment(t, (struct smi_segment){t_ms, t_ms});
}

/* No interval of so much or less is kept as a pause. */
static int64_t longest_unkept(const struct smi_device_stats *t)
{
    const struct smi_segment least = t->pause[SMI_PAUSES - 1];
    return least.last - least.first > SMI_PAUSE_MS ? least.last - least.first : SMI_PAUSE_MS;
}

/* One that is longer than that. */
static void keep_pause(struct smi_device_stats *t, struct smi_segment p)
{
    int i = SMI_PAUSES - 1;
    for (; i > 0 && p.last - p.first > t->pause[i - 1].last - t->pause[i - 1].first; i--)
        t->pause[i] = t->pause[i - 1];
    t->pause[i] = p;
}

/* What follows from the time between the rows. also: NULL, or where their lengths are counted, too. */
static void add_intervals(struct run *run, struct smi_device_stats *t, struct smi_counts *also)
{
    int64_t least = longest_unkept(t);
    unsigned idle;
    for (struct smi_counts *to = &t->lengths; to; to = to == also ? NULL : also)
        if (run->over)
            smi_counts_add_many(to, run->dt[0] + run->over, 1);
        else
            smi_counts_add_units(to, run->dt + run->from, run->n - run->from, 1);
    add_times(run, &t->covered, run->from, run->n, true, NULL, false);
    idle = add_idle(run, t);
    add_conditions(run, t);
    if (idle)
        add_idle_held(run, t);
    for (unsigned i = run->from; run->max_dt + run->over > least && i < run->n; i++)
        if (run->dt[i] + run->over > least) {
            keep_pause(t, (struct smi_segment){run->t_ms[i] - run->dt[i] - run->over, run->t_ms[i]});
            least = longest_unkept(t);
        }
}

static void add_run(struct run *run, struct smi_device_stats *t, struct smi_counts *also)
{
    if (run->from)
        begin_run(t, run);
    add_intervals(run, t, also);
    add_phases(run, t);
    add_readings(run, t, true);
    add_limits(run, t);
    t->rows += run->n;
    t->timed_rows = true;
    smi_last_segment(t)->last = run->t_ms[run->n - 1];
    store_row(&t->last, run->r, run->at[run->n - 1]);
}

static void append_row(struct smi_device_stats *t, const struct smi_last_row *k, bool edge,
                       struct smi_counts *also)
{
    static const uint16_t at[1] = {0};
    uint16_t metric[SMI_SAMPLE_MAX];
    int32_t u[SMI_SAMPLE_MAX];
    int64_t scale[SMI_SAMPLE_MAX];
    const struct smi_rows r = {.n = 1,
                               .metrics = (unsigned)k->n,
                               .metric = metric,
                               .u = u,
                               .stride = 1,
                               .scale = scale,
                               .t_ms = &k->t_ms,
                               .timed = true,
                               .fine = k->fine};
    struct run *run = smi_mem_room(SMI_ROOM_RUN, sizeof *run);
    for (size_t c = 0; c < k->n; c++) {
        metric[c] = k->reading[c].metric;
        u[c] = smi_rows_unit(k->reading[c].v, &scale[c]);
    }
    find_run(run, t, &r, at, 1);
    run->edge = edge;
    if (!edge) {
        add_run(run, t, also);
        return;
    }
    add_intervals(run, t, also);
    if (t->opts->phases) {
        const struct stretch s = find_stretch(run, t, 0);
        add_stretch(run, t, &s, NULL);
    }
}

/* A row that cannot be told apart has no neighbours in time, but the time that it shows has passed. */
static void pass_time(struct smi_device_stats *t, int64_t t_ms)
{
    t->timed_rows = true;
    if (t->segments && t_ms >= smi_last_segment(t)->last)
        smi_last_segment(t)->last = t_ms;
    else
        begin_segment(t, (struct smi_segment){t_ms, t_ms});
}

/* Rows that have no neighbours in time only count. */
static void add_apart(struct run *run, struct smi_device_stats *t, const struct smi_rows *r,
                      const uint16_t *at, unsigned n)
{
    begin_rows(run, r, at, n);
    n = run->n;
    for (unsigned i = 0; r->timed && i < n; i++) {
        int64_t t_ms = run->own_t_ms[i] = r->t_ms[at[i]];
        if (r->aside)
            widen_aside(t, (struct smi_segment){t_ms, t_ms}, 1);
        else
            pass_time(t, t_ms);
    }
    run->t_ms = run->own_t_ms;
    if (r->aside && !r->timed)
        widen_aside(t, ASIDE_UNTIMED, n);
    t->rows += n;
    add_readings(run, t, false);
    if (r->timed)
        add_phases(run, t);
}

/* The duplicate rule (docs/numbers.md §3) against the last kept row. */
static bool is_duplicate(const struct smi_device_stats *t, int64_t t_ms, bool fine)
{
    const struct smi_last_row *k = t->last.has ? &t->last : &t->head;
    return t->dedupe && k->has && fine && k->t_ms == t_ms;
}

void smi_device_stats_add(struct smi_device_stats *t, const struct smi_rows *r, const uint16_t *at,
                          unsigned n, struct smi_add_counts *told)
{
    struct run *run = smi_mem_room(SMI_ROOM_RUN, sizeof *run);
    unsigned i = 0;
    if (!r->timed || r->aside || t->pooled) {
        told->kept += n;
        for (; i < n; i += run->n)
            add_apart(run, t, r, at + i, n - i);
    }
    if (t->dedupe && !t->head.has && !t->first.has && i < n) {
        t->timed_rows = true;
        store_row(&t->head, r, at[i++]);
    }
    while (i < n) {
        if (is_duplicate(t, r->t_ms[at[i]], r->fine)) {
            told->duplicates++;
            if (told->again)
                told->again[at[i]] = true;
            i++;
            continue;
        }
        find_run(run, t, r, at + i, n - i);
        add_run(run, t, NULL);
        told->kept += run->n;
        i += run->n;
    }
}

/* ---- joining ---- */

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
        add_area(a, slot, dt, (smi_i128)(x->last_v + y->first_v) * dt, y->first_t);
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
        struct smi_counter *x = find_counter(a, y->metric);
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

static void join_counts(struct smi_device_stats *a, struct smi_device_stats *b)
{
    widen_aside(a, b->aside, b->asides);
    add_to_trend(&a->memory, &b->memory, 0);
    smi_series_merge(&a->clock, &b->clock);
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
        for (int k = 0; k < SMI_HEADLINE_METRICS; k++)
            smi_headline_sum_merge(&x->pool[k], &y->pool[k]);
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

/* Appends b's segments; unless time goes back at the edge, its first one continues a's last. The middle of a
 * very long list is known as a sum only. */
static void join_segments(struct smi_device_stats *a, const struct smi_device_stats *b)
{
    for (int64_t i = 0; i < b->segments && i <= SMI_SEGMENTS_MAX; i++) {
        if (i == 0 && a->segments && b->segment->first >= smi_last_segment(a)->last)
            smi_last_segment(a)->last = b->segment->last;
        else
            begin_segment(a, b->segment[i]);
        if (i == SMI_SEGMENTS_MAX)
            a->segments += b->segments - 1 - i;
    }
    a->segment_rest += b->segment_rest;
}

static void join_time_sums(struct smi_device_stats *a, struct smi_device_stats *b)
{
    if (a->worked)
        smi_time_sum_clear(&b->lead);
    if (b->worked)
        smi_time_sum_clear(&a->trail);
    for (int i = 0; i < SMI_DEVICE_TIME_SUMS; i++)
        smi_time_sum_merge(&a->sum[i], &b->sum[i]);
    a->worked |= b->worked;
}

static void swap_rows(struct smi_last_row *a, struct smi_last_row *b)
{
    const struct smi_last_row k = *a;
    *a = *b;
    *b = k;
}

/* The bodies of a and b become one. b's rows come after a's, if it has any with times. */
static void link_bodies(struct smi_device_stats *a, struct smi_device_stats *b, struct smi_counts *edge)
{
    const int64_t dt = a->first.has ? b->first.t_ms - a->last.t_ms : 0,
                  seg_shift = a->segments - (a->segments > 0 && dt >= 0);
    if (dt < 0)
        end_stretches(a);
    else if (dt > 0)
        append_row(a, &b->first, true, edge);
    if (!a->first.has)
        swap_rows(&a->first, &b->first);
    for (int i = 0; i < SMI_CURVE_COUNT; i++)
        join_timed(a, b, i, dt < 0, seg_shift);
    join_idle_stretches(a, b, smi_stretches_join(&a->stretch.all, &b->stretch.all, SMI_BRIDGE_ALL));
    for (int i = 0; i < SMI_CONDITION_COUNT; i++)
        smi_stretches_join(&a->condition[i], &b->condition[i], SMI_CONDITION_BREAK_MS);
    a->on = b->on;
    for (size_t i = 0; i < b->limits.n; i++)
        smi_steps_add(&a->limits, b->limits.list[i], INT64_MAX);
    for (int i = 0; i < SMI_PAUSES; i++)
        if (b->pause[i].last - b->pause[i].first > longest_unkept(a))
            keep_pause(a, b->pause[i]);
    join_segments(a, b);
    swap_rows(&a->last, &b->last);
    join_time_sums(a, b);
}

/* What a body has besides times: how often its values came. */
static void join_sums(struct smi_device_stats *a, struct smi_device_stats *b)
{
    join_counts(a, b);
    join_phases(a, b);
    a->rows += b->rows;
    a->timed_rows |= b->timed_rows;
    smi_counts_merge(&a->lengths, &b->lengths);
}

/* All of b's body after a's body. */
static void join_bodies(struct smi_device_stats *a, struct smi_device_stats *b, struct smi_counts *edge)
{
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
        swap_rows(&a->head, &b->head); /* a has no row with a time: b's first row stays withheld */
    } else if (b->head.has) {
        told->duplicates = is_duplicate(a, b->head.t_ms, b->head.fine);
        told->kept = !told->duplicates;
        if (told->kept)
            append_row(a, &b->head, false, edge);
    }
    join_bodies(a, b, edge);
}

bool smi_device_stats_close(struct smi_device_stats *t, struct smi_counts *edge)
{
    struct smi_device_stats front;
    if (!t->head.has)
        return false;
    smi_device_stats_init(&front, t->opts, t->dedupe);
    append_row(&front, &t->head, false, edge);
    join_bodies(&front, t, edge);
    smi_device_stats_fini(t);
    *t = front;
    return true;
}

void smi_device_stats_init(struct smi_device_stats *t, const struct smi_device_stats_opts *o, bool dedupe)
{
    *t = (struct smi_device_stats){.opts = o, .dedupe = dedupe, .clock.shift = SMI_CLOCK_SHIFT};
    smi_counts_init(&t->lengths, 1);
}

void smi_device_stats_fini(struct smi_device_stats *t)
{
    struct smi_last_row *const rows[] = {&t->head, &t->first, &t->last};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        smi_mem_free(rows[i]->reading);
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (t->counts[m])
            smi_counts_free(t->counts[m], t->opts->kept);
    for (int i = 0; i < SMI_CURVE_COUNT; i++) {
        smi_time_sum_fini(&t->timed[i].sum);
        smi_series_fini(&t->timed[i].series);
    }
    for (int i = 0; i < SMI_DEVICE_TIME_SUMS; i++)
        smi_time_sum_fini(&t->sum[i]);
    for (size_t i = 0; i < t->tallies; i++) {
        smi_time_sum_fini(&t->tally[i].energy);
        smi_time_sum_fini(&t->tally[i].idle);
    }
    smi_series_fini(&t->clock);
    smi_mem_free(t->limits.list);
    smi_mem_free(t->tally);
    smi_mem_free(t->tally_of);
    smi_mem_free(t->counter);
    smi_counts_fini(&t->lengths);
}
