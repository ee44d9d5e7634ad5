/* Rows of one device. They are taken in runs of rows that come each later than the one before: there every
 * sum is a loop over a column. What a run follows (a row of the same time, a later one, a gap) is settled by
 * its first row. */
#include "aggregate/counts.h"
#include "aggregate/device_stats.h"
#include "base/mem.h"

#include <string.h>

enum { CLASSES = 8, GROUP = 64, STRETCHES = 64, STEP = 8, MIB = 1000000 /* of a reading */ };

struct run {
    const struct smi_rows *r;
    const uint16_t *at; /* its n rows in r */
    unsigned n;
    unsigned from;              /* the intervals are those in front of the rows from ... n - 1 */
    bool later;                 /* each row comes later than the one before */
    int32_t dt[SMI_ROWS_MAX];   /* ms since the row before, */
    uint8_t k_of[SMI_ROWS_MAX]; /* and the place of its class in bin */
    unsigned bin[CLASSES], classes;
    int32_t max_dt;
    const int64_t *t_ms; /* as they stand where the rows are neighbours, else own_t_ms */
    int64_t own_t_ms[SMI_ROWS_MAX];
    bool idle_known, idle[SMI_ROWS_MAX];
    bool on[SMI_ROWS_MAX];       /* of a condition: in which rows it holds */
    int64_t limit[SMI_ROWS_MAX]; /* of one of its terms, where another metric gives it */
    bool loaded;                 /* some row has load, and its clock, of this metric, and its power: */
    unsigned clock, util_column; /* these are added by bins of utilisation */
    const int32_t *util;         /* packed, or NULL */
    int32_t util_least[SMI_LOAD_BINS], own_util[SMI_ROWS_MAX];
    /* The column at hand: packed (u and scale), or whole (v). */
    unsigned column; /* SMI_ROWS_COLUMNS: none yet */
    const int32_t *u;
    int64_t scale;
    const int64_t *v;
    int32_t own[SMI_ROWS_MAX]; /* room for it where the rows are not neighbours */
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
        run->bin[run->classes++] = smi_interval_class(min);
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

static void begin_rows(struct run *run, const struct smi_rows *r, const uint16_t *at, unsigned n)
{
    run->r = r;
    run->at = at;
    run->n = run->from = n;
    run->classes = 0;
    run->later = run->idle_known = run->loaded = false;
    run->column = SMI_ROWS_COLUMNS;
}

/* The run that at[0 ... n - 1] begin with. */
static void find_run(struct run *run, const struct smi_device_stats *t, const struct smi_rows *r,
                     const uint16_t *at, unsigned n)
{
    const int64_t first = r->t_ms[at[0]];
    begin_rows(run, r, at, n);
    run->later = true;
    run->from = r->begins || !t->first.has || !is_smooth(first - t->last.t_ms);
    run->n = find_later(run, run->from, n, run->from ? first : t->last.t_ms);
    classify_intervals(run);
}

/* ---- columns ---- */

/* The readings of a column, as they stand where the rows are neighbours, else gathered. */
static void load_column(struct run *run, unsigned column)
{
    const struct smi_rows *r = run->r;
    if (run->column == column)
        return;
    run->column = column;
    run->u = r->u ? r->u + (size_t)column * SMI_ROWS_STRIDE : NULL;
    run->scale = r->u ? r->scale[column] : 1;
    run->v = r->u ? NULL : r->v + column;
    if (run->u && are_neighbours(run)) {
        run->u += run->at[0];
    } else if (run->u) {
        smi_vector_pick(run->u, run->at, run->n, run->own);
        run->u = run->own;
    }
}

static inline int64_t reading(const struct run *run, unsigned i)
{
    return run->u ? run->u[i] * run->scale : run->v[(size_t)run->at[i] * run->r->metrics];
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
        return run->t_ms[end - 1] - run->t_ms[from] + run->dt[from];
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
    if (run->u && run->classes == 1 && run->max_dt < 1 << 19)
        return (smi_i128)smi_vector_area(run->u + from, run->dt + from, end - from) * run->scale;
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

/* dt and n of every class over the intervals in front of the rows from ... end - 1; the area is the time of
 * those that are set. */
static void add_times(const struct run *run, struct smi_time_sum *to, unsigned from, unsigned end,
                      bool counted, const bool *set)
{
    for (unsigned k = 0; k < run->classes; k++) {
        int64_t n, on = 0, dt = class_time(run, k, from, end, &n);
        for (unsigned i = from; set && i < end; i++)
            on += set[i] && run->k_of[i] == k ? run->dt[i] : 0;
        if (n)
            smi_time_sum_add(to, run->bin[k], counted ? n : 0, dt, on);
    }
}

/* ---- load ---- */

const int64_t smi_load_least[SMI_LOAD_BINS] = {50000000, 70000000, 90000000};

/* The column of a metric, or r->metrics. */
static unsigned column_of(const struct smi_rows *r, unsigned metric)
{
    unsigned c = 0;
    while (c < r->metrics && r->metric[c] != metric)
        c++;
    return c;
}

static bool has_column(const struct smi_rows *r, unsigned metric)
{
    return column_of(r, metric) < r->metrics;
}

static int64_t util_of(const struct run *run, unsigned i)
{
    return run->r->v[(size_t)run->at[i] * run->r->metrics + run->util_column];
}

/* How many rows are in bin k or above. */
static int64_t rows_above(const struct run *run, int k)
{
    int64_t n = 0;
    if (run->u)
        return (int64_t)smi_vector_least(run->u, run->n, run->util_least[k]);
    for (unsigned i = 0; i < run->n; i++)
        n += util_of(run, i) >= smi_load_least[k];
    return n;
}

/* The column of utilisation is at hand: which rows have load. */
static void find_load(struct run *run, struct smi_device_stats *t)
{
    int64_t n[SMI_LOAD_BINS + 1] = {0};
    run->clock = has_column(run->r, SMI_CLK_SM) ? SMI_CLK_SM : SMI_CLK_GR;
    if (!has_column(run->r, run->clock) || !has_column(run->r, SMI_POWER))
        return;
    run->util_column = run->column;
    for (int k = 0; k < SMI_LOAD_BINS; k++) {
        run->util_least[k] = (int32_t)((smi_load_least[k] + run->scale - 1) / run->scale);
        n[k] = k && !n[k - 1] ? 0 : rows_above(run, k);
    }
    for (int k = 0; k < SMI_LOAD_BINS; k++)
        t->load[k].rows += n[k] - n[k + 1];
    run->loaded = n[0] > 0;
    run->util = run->u == run->own ? run->own_util : run->u;
    if (run->loaded && run->util == run->own_util) /* the next column takes its place */
        memcpy(run->own_util, run->own, run->n * sizeof *run->own);
}

/* Adds the column at hand, of clock or power. */
static void add_load(const struct run *run, struct smi_device_stats *t, unsigned metric)
{
    int64_t sum[SMI_LOAD_BINS + 1] = {0};
    if (run->u)
        smi_vector_sums_above(run->util, run->u, run->n, run->util_least, sum);
    for (unsigned i = 0; !run->u && i < run->n; i++)
        for (int k = 0; k < SMI_LOAD_BINS; k++)
            sum[k] += util_of(run, i) >= smi_load_least[k] ? reading(run, i) : 0;
    for (int k = 0; k < SMI_LOAD_BINS; k++) {
        smi_i128 *to = metric == SMI_POWER ? &t->load[k].power : &t->load[k].clock;
        *to += (smi_i128)(sum[k] - sum[k + 1]) * (run->u ? run->scale : 1);
    }
}

/* ---- idle time ---- */

/* Which rows are idle. Returns how many. */
static unsigned find_idle(struct run *run, struct smi_device_stats *t)
{
    unsigned idle = 0;
    run->idle_known = has_column(run->r, SMI_GPU_UTIL);
    if (!run->idle_known)
        return 0;
    load_column(run, column_of(run->r, SMI_GPU_UTIL));
    for (unsigned i = 0; i < run->n; i++)
        idle += run->idle[i] = reading(run, i) <= t->opts->idle_below;
    find_load(run, t);
    return idle;
}

/* Idle and busy rows in turn: the stretches, and what leads and trails. */
static void add_mixed_idle(struct run *run, struct smi_device_stats *t)
{
    for (unsigned i = 0; i < run->n; i++) {
        bool idle = run->idle_known && run->idle[i];
        if (i >= run->from) {
            unsigned bin = run->bin[run->k_of[i]];
            if (idle && !t->worked)
                smi_time_sum_add(&t->lead, bin, 1, run->dt[i], 0);
            if (idle)
                smi_time_sum_add(&t->trail, bin, 1, run->dt[i], 0);
            if (run->dt[i] > SMI_IDLE_BREAK_MS)
                smi_stretches_end(&t->stretch.all);
            else if (idle)
                smi_device_stats_extend_idle(t, run->dt[i], run->t_ms[i]);
        }
        if (run->idle_known && !idle && (i == 0 || run->idle[i - 1])) /* once says it for all that follow */
            smi_device_stats_add_work(t);
    }
}

static void add_idle(struct run *run, struct smi_device_stats *t)
{
    unsigned idle = find_idle(run, t);
    if (run->idle_known)
        add_times(run, &t->idle, run->from, run->n, true, run->idle);
    if (run->idle_known && idle == 0)
        smi_device_stats_add_work(t);
    else if (run->idle_known || run->max_dt > SMI_IDLE_BREAK_MS)
        add_mixed_idle(run, t);
}

/* ---- conditions ---- */

/* Are the n readings of the column at hand on this side of a limit? Into on, where it is set. Returns how
 * many. */
static unsigned compare_rows(struct run *run, bool at_least, const int64_t *limit, int64_t all)
{
    const int64_t unit = run->scale;
    unsigned n = 0;
    if (run->u && !limit) { /* in units: u * unit >= all, or <= */
        const int64_t in_units = at_least ? (all + unit - 1) / unit : all < 0 ? -1 : all / unit;
        const int32_t least = in_units > INT32_MAX ? INT32_MAX : (int32_t)in_units;
        for (unsigned i = 0; i < run->n; i++)
            run->on[i] &= at_least ? run->u[i] >= least : run->u[i] <= least;
    }
    for (unsigned i = 0; (!run->u || limit) && i < run->n; i++) {
        const int64_t v = reading(run, i), than = limit ? limit[i] : all;
        run->on[i] &= at_least ? v >= than : v <= than;
    }
    for (unsigned i = 0; i < run->n; i++)
        n += run->on[i];
    return n;
}

/* In which rows the condition holds. Returns in how many. */
static unsigned find_condition(struct run *run, const struct smi_condition *c)
{
    unsigned n = run->n;
    memset(run->on, true, run->n);
    for (unsigned k = 0; k < c->terms && n; k++) {
        const struct smi_condition_term *t = &c->term[k];
        const bool given = t->of == SMI_METRIC_COUNT;
        int64_t all = given ? t->limit : 0;
        bool same = true;
        if (!given)
            load_column(run, column_of(run->r, t->of));
        for (unsigned i = 0; i < run->n && !given; i++) {
            const int64_t of = reading(run, i);
            same = same && of == reading(run, 0);
            run->limit[i] = i && same ? run->limit[0] : smi_condition_limit(t, of);
        }
        load_column(run, column_of(run->r, t->metric));
        n = compare_rows(run, t->side == SMI_AT_LEAST, same ? NULL : run->limit, given ? all : run->limit[0]);
    }
    return n;
}

static bool has_all_columns(const struct smi_rows *r, const struct smi_condition *c)
{
    bool all = true;
    for (unsigned k = 0; k < c->terms && all; k++)
        all = has_column(r, c->term[k].metric) &&
              (c->term[k].of == SMI_METRIC_COUNT || has_column(r, c->term[k].of));
    return all;
}

/* The intervals in front of the rows in which condition k holds, and where it does not. */
static void add_holds(struct run *run, struct smi_device_stats *t, int k)
{
    const uint16_t mean = smi_conditions[k].mean;
    struct smi_stretches *s = &t->condition[k];
    if (mean != SMI_METRIC_COUNT)
        load_column(run, column_of(run->r, mean));
    for (unsigned i = 0; i < run->n; i++) {
        const int64_t dt = i < run->from ? 0 : run->dt[i], v = mean == SMI_METRIC_COUNT ? 0 : reading(run, i);
        if (!run->on[i])
            smi_stretches_end(s);
        else if (dt && dt <= SMI_CONDITION_BREAK_MS && i == 0)
            smi_device_stats_hold(t, k, dt, run->t_ms[i], v);
        else if (dt && dt <= SMI_CONDITION_BREAK_MS)
            smi_stretches_extend(s, dt, run->t_ms[run->on[i - 1] ? i - 1 : i], run->t_ms[i], v,
                                 SMI_CONDITION_BREAK_MS);
    }
}

static void add_conditions(struct run *run, struct smi_device_stats *t)
{
    for (int k = 0; k < SMI_CONDITION_COUNT; k++) {
        unsigned n;
        if (!has_all_columns(run->r, &smi_conditions[k]))
            continue;
        t->conditions |= 1u << k;
        n = find_condition(run, &smi_conditions[k]);
        if (k < SMI_THROTTLE_COUNT)
            add_times(run, &t->throttle[k], run->from, run->n, true, n ? run->on : NULL);
        if (n)
            add_holds(run, t, k);
        else
            smi_stretches_end(&t->condition[k]);
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
            return smi_phase_stats_slot((unsigned)mean);
    return *peaks ? -1 : smi_phase_stats_slot(r->metric[c]);
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
    size_t phases = smi_device_stats_phases(t, t_ms[from], &active);
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

/* Makes its phases known. */
static void add_stretch_time(const struct run *run, struct smi_device_stats *t, const struct stretch *s)
{
    const bool *idle = run->idle_known ? run->idle : NULL;
    for (size_t i = 0; i < s->phases; i++) {
        struct smi_phase_stats *p = smi_device_stats_phase(t, s->active[i]);
        add_times(run, &p->idle, first_interval(run, s), s->end, run->idle_known, idle);
        p->rows += run->r->aside ? 0 : s->end - s->from;
    }
}

/* The sum of the readings of the column at hand in a stretch, and the largest. */
static int64_t sum_readings(const struct run *run, const struct stretch *s, int64_t *max)
{
    int64_t sum = 0;
    int32_t high = 0;
    if (run->u) {
        for (unsigned i = s->from; i < s->end; i++) {
            high = run->u[i] > high ? run->u[i] : high;
            sum += run->u[i];
        }
        *max = high * run->scale;
        return sum * run->scale;
    }
    *max = reading(run, s->from);
    for (unsigned i = s->from; i < s->end; i++) {
        int64_t v = reading(run, i);
        *max = v > *max ? v : *max;
        sum += v;
    }
    return sum;
}

/* The readings of the column at hand, which go into this pool. */
static void add_stretch_column(const struct run *run, struct smi_device_stats *t, const struct stretch *s,
                               int slot, bool peaks, bool power)
{
    const unsigned from = first_interval(run, s);
    int64_t max = 0, sum = s->phases ? sum_readings(run, s, &max) : 0;
    for (size_t i = 0; i < s->phases; i++) {
        struct smi_phase_stats *p = smi_device_stats_phase(t, s->active[i]);
        if (p->pool[slot].n == 0 || max > p->pool[slot].max)
            p->pool[slot].max = max;
        p->pool[slot].sum += peaks ? 0 : sum;
        p->pool[slot].n += peaks ? 0 : s->end - s->from;
        if (power)
            add_areas(run, &p->energy, from ? from : 1, s->end);
    }
}

static void add_stretches(struct run *run, struct smi_device_stats *t, const struct stretch *s, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        add_stretch_time(run, t, &s[i]);
    for (unsigned c = 0; c < run->r->metrics; c++) {
        bool peaks;
        int slot = pool_of_column(run->r, c, &peaks);
        if (slot < 0)
            continue;
        load_column(run, c);
        for (unsigned i = 0; i < n; i++)
            add_stretch_column(run, t, &s[i], slot, peaks, run->r->metric[c] == SMI_POWER);
    }
}

static void add_phases(struct run *run, struct smi_device_stats *t)
{
    struct stretch s[STRETCHES];
    for (unsigned from = 0, n; from < run->n;) {
        for (n = 0; n < STRETCHES && from < run->n; from = s[n++].end)
            s[n] = find_stretch(run, t, from);
        add_stretches(run, t, s, n);
    }
}

void smi_device_stats_phase_rows(struct smi_device_stats *t, const struct smi_rows *r, const uint16_t *at,
                                 unsigned n, const int64_t *t_ms)
{
    struct run *run = smi_mem_room(SMI_ROOM_RUN, sizeof *run);
    begin_rows(run, r, at, n);
    run->t_ms = t_ms;
    if (t->opts->phases)
        add_phases(run, t);
}

/* ---- readings ---- */

static void add_counts(const struct run *run, struct smi_device_stats *t, uint16_t metric)
{
    struct smi_counts *c = smi_device_stats_counts(t, metric);
    if (run->u)
        smi_counts_add_units(c, run->u, run->n, run->scale);
    for (unsigned i = 0; i < run->n && !run->u; i++)
        smi_counts_add(c, reading(run, i));
}

static void add_series(const struct run *run, struct smi_series *s)
{
    if (run->u)
        smi_series_add_units(s, run->t_ms, run->u, run->n, run->scale);
    for (unsigned i = 0; i < run->n && !run->u; i++)
        smi_series_add(s, run->t_ms[i], reading(run, i));
}

/* The times count from that of the first row on, so that sums over a block fit 64 bits: a packed block has
 * less than 2^20 ticks, as a rule. */
static void add_trend(const struct run *run, struct smi_trend *to)
{
    const int64_t begin = run->t_ms[0] >> SMI_TREND_SHIFT, ms = begin * (1 << SMI_TREND_SHIFT),
                  unit = run->scale / MIB, last = (run->t_ms[run->n - 1] - ms) >> SMI_TREND_SHIFT;
    const bool packed = run->u && run->scale % MIB == 0 && last < 1 << 20;
    int64_t t = 0, v = 0, tt = 0, tv = 0, vv = 0;
    for (unsigned i = 0; packed && i < run->n; i++) {
        const uint32_t at = (uint32_t)((uint64_t)(run->t_ms[i] - ms) >> SMI_TREND_SHIFT),
                       used = (uint32_t)run->u[i];
        t += at;
        v += used;
        tt += (int64_t)((uint64_t)at * at);
        tv += (int64_t)((uint64_t)at * used);
        vv += (int64_t)((uint64_t)used * used);
    }
    if (packed)
        smi_trend_add(to,
                      &(struct smi_trend){run->n, t, (smi_i128)v * unit, tt, (smi_i128)tv * unit,
                                          (smi_i128)vv * unit * unit},
                      begin);
    for (unsigned i = 0; !packed && i < run->n; i++) {
        const int64_t used = reading(run, i) / MIB;
        smi_trend_add(to, &(struct smi_trend){1, 0, used, 0, 0, (smi_i128)used * used},
                      run->t_ms[i] >> SMI_TREND_SHIFT);
    }
}

/* The interval in front of the run may reach back over rows without this metric. */
static void add_timed(const struct run *run, struct smi_device_stats *t, int slot)
{
    struct smi_timed_metrics *m = &t->timed[slot];
    int64_t seg = t->segments - 1, first_t = run->t_ms[0], first_v = reading(run, 0),
            dt = first_t - m->last_t;
    if (m->has && m->last_seg == seg && dt > 0)
        smi_device_stats_area(t, slot, dt, (smi_i128)(m->last_v + first_v) * dt, first_t);
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
    if (!(t->opts->skip_series >> slot & 1))
        add_series(run, &m->series);
}

static void add_counter(const struct run *run, struct smi_device_stats *t, uint16_t metric, bool timed)
{
    for (unsigned i = 0; i < run->n; i++)
        smi_device_stats_add_counter(t, metric, timed ? run->t_ms[i] : 0, reading(run, i));
}

/* All columns. timed: the rows are neighbours in time. */
static void add_readings(struct run *run, struct smi_device_stats *t, bool timed)
{
    for (unsigned c = 0; c < run->r->metrics; c++) {
        uint16_t metric = run->r->metric[c];
        int slot = smi_timed_slot(metric);
        load_column(run, c);
        if (smi_metrics[metric].kind == SMI_COUNTER)
            add_counter(run, t, metric, run->r->timed);
        else if (!t->opts->counted || t->opts->counted[metric])
            add_counts(run, t, metric);
        if (timed && slot >= 0)
            add_timed(run, t, slot);
        if (run->loaded && (metric == SMI_POWER || metric == run->clock))
            add_load(run, t, metric);
    }
}

/* ---- all of it ---- */

/* The first row of a run whose interval is none of the others: there is none, or it is a long one. */
static void begin_run(struct smi_device_stats *t, const struct smi_sample *s, struct smi_counts *dts)
{
    int64_t dt = s->t_ms - t->last.t_ms;
    if (t->first.has && dt >= 0 && !s->begins) {
        t->open.last = s->t_ms;
        if (dt > 0)
            smi_device_stats_interval(t, dt, s, dts);
        return;
    }
    if (t->first.has) {
        smi_device_stats_close_segment(t);
        smi_device_stats_end_stretches(t);
    } else
        smi_last_row_store(&t->first, s);
    t->segments++;
    t->open = (struct smi_segment){s->t_ms, s->t_ms};
}

/* dts: where the lengths of its intervals are counted. */
static void add_run(struct run *run, struct smi_device_stats *t, struct smi_counts *dts)
{
    int64_t v[SMI_ROWS_COLUMNS];
    struct smi_sample row = smi_rows_sample(run->r, run->at[0], v);
    if (run->from)
        begin_run(t, &row, dts);
    smi_counts_add_units(dts, run->dt + run->from, run->n - run->from, 1);
    add_times(run, &t->covered, run->from, run->n, true, NULL);
    add_idle(run, t);
    add_conditions(run, t);
    if (t->opts->phases)
        add_phases(run, t);
    add_readings(run, t, true);
    for (unsigned i = run->from; run->max_dt > SMI_IDLE_BREAK_MS && i < run->n; i++)
        if (run->dt[i] > SMI_IDLE_BREAK_MS && run->dt[i] > t->absent.ms)
            t->absent = (struct smi_stretch){.ms = run->dt[i], .from_ms = run->t_ms[i] - run->dt[i]};
    t->rows += run->n;
    t->timed_rows = true;
    t->open.last = run->t_ms[run->n - 1];
    row = smi_rows_sample(run->r, run->at[run->n - 1], v);
    smi_last_row_store(&t->last, &row);
}

void smi_device_stats_append(struct smi_device_stats *t, const struct smi_last_row *k, struct smi_counts *dts)
{
    static const uint16_t at[1] = {0};
    const struct smi_rows r = {.n = 1,
                               .metrics = k->n,
                               .metric = k->metric,
                               .v = k->v,
                               .t_ms = &k->t_ms,
                               .timed = true,
                               .fine = k->fine};
    struct run *run = smi_mem_room(SMI_ROOM_RUN, sizeof *run);
    find_run(run, t, &r, at, 1);
    add_run(run, t, dts);
}

/* A row that cannot be told apart has no neighbours in time, but the time that it shows has passed. */
static void pass_time(struct smi_device_stats *t, int64_t t_ms)
{
    t->timed_rows = true;
    if (t->segments && t_ms >= t->open.last) {
        t->open.last = t_ms;
        return;
    }
    if (t->segments)
        smi_device_stats_close_segment(t);
    t->segments++;
    t->open = (struct smi_segment){t_ms, t_ms};
}

/* Rows that have no neighbours in time only count. */
static void add_apart(struct run *run, struct smi_device_stats *t, const struct smi_rows *r,
                      const uint16_t *at, unsigned n)
{
    begin_rows(run, r, at, n);
    for (unsigned i = 0; r->timed && i < n; i++) {
        int64_t t_ms = run->own_t_ms[i] = r->t_ms[at[i]];
        if (r->aside)
            smi_device_stats_widen_aside(t, (struct smi_segment){t_ms, t_ms}, 1);
        else
            pass_time(t, t_ms);
    }
    run->t_ms = run->own_t_ms;
    if (r->aside && !r->timed)
        smi_device_stats_widen_aside(t, SMI_ASIDE_UNTIMED, n);
    t->rows += n;
    add_readings(run, t, false);
    if (r->timed && t->opts->phases)
        add_phases(run, t);
}

/* The duplicate rule (docs/numbers.md §3) against the last kept row. */
bool smi_device_stats_is_duplicate(const struct smi_device_stats *t, int64_t t_ms, bool fine)
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
        add_apart(run, t, r, at, n);
        i = n;
    }
    if (t->dedupe && !t->head.has && !t->first.has && i < n) {
        int64_t v[SMI_ROWS_COLUMNS];
        const struct smi_sample head = smi_rows_sample(r, at[i++], v);
        t->timed_rows = true;
        smi_last_row_store(&t->head, &head);
    }
    while (i < n) {
        if (smi_device_stats_is_duplicate(t, r->t_ms[at[i]], r->fine)) {
            told->duplicates++;
            i++;
            continue;
        }
        find_run(run, t, r, at + i, n - i);
        add_run(run, t, &t->dts);
        told->kept += run->n;
        i += run->n;
    }
}
