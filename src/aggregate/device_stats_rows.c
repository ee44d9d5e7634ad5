/* Many plain rows of one track at once. A run of rows is smooth where each comes later than the one before
 * and has the same metrics: then every sum is a loop over a column. All others go through
 * smi_device_stats_add. */
#include "aggregate/vector.h"
#include "aggregate/device_stats_private.h"

#include <string.h>

enum { CLASSES = 8, FEW = 3, GROUP = 64 };

/* The intervals of one class among a smooth run. */
struct class
{
    unsigned bin;
    int64_t n, dt;
};

/* A smooth run. */
struct run {
    const struct smi_rows *r;
    unsigned n;
    const uint16_t *at;       /* its rows in r */
    int32_t dt[SMI_ROWS_MAX]; /* ms since the row before */
    int64_t t_ms[SMI_ROWS_MAX];
    unsigned column;           /* the one at hand, SMI_ROWS_COLUMNS: none; */
    const int32_t *u;          /* its readings, */
    int32_t before;            /* that in the row before the run, */
    int32_t own[SMI_ROWS_MAX]; /* and room for it where the rows are not neighbours */
    uint8_t class_of[SMI_ROWS_MAX];
    struct class class[CLASSES];
    unsigned classes;
    bool idle_known;
    bool idle[SMI_ROWS_MAX];
    int32_t max_dt;
};

/* ---- which rows ---- */

/* Has the row before them the same metrics, in numbers of the same units? */
static bool same_columns(const struct smi_last_row *k, const struct smi_rows *r)
{
    if (!k->has || k->n != r->metrics || memcmp(k->metric, r->metric, r->metrics * sizeof *r->metric))
        return false;
    for (unsigned c = 0; c < k->n; c++)
        if (k->v[c] < 0 || k->v[c] % r->scale[c] || k->v[c] / r->scale[c] > INT32_MAX)
            return false;
    return true;
}

/* Puts the interval in front of row i into its class; false if there are too many. */
static bool class_of(struct run *run, unsigned i)
{
    unsigned bin = smi_interval_class(run->dt[i]), k = 0;
    while (k < run->classes && run->class[k].bin != bin)
        k++;
    if (k == CLASSES)
        return false;
    if (k == run->classes)
        run->class[run->classes++] = (struct class){.bin = bin};
    run->class[k].n++;
    run->class[k].dt += run->dt[i];
    run->class_of[i] = (uint8_t)k;
    return true;
}

static bool is_smooth(int64_t dt)
{
    return dt > 0 && dt <= INT32_MAX / 2;
}

/* How many of the rows at[0 ... n - 1] come each later than the one before, the first later than `last`.
 * Mostly all: they are looked at in groups. */
static unsigned find_smooth_end(struct run *run, int64_t last, unsigned n)
{
    for (unsigned from = 0, end; from < n; from = end) {
        int64_t before = last;
        bool smooth = true;
        end = n - from < GROUP ? n : from + GROUP;
        for (unsigned i = from; i < end; i++) {
            int64_t now = run->t_ms[i] = run->r->t_ms[run->at[i]], dt = now - last;
            run->dt[i] = (int32_t)dt;
            smooth &= is_smooth(dt);
            last = now;
        }
        for (unsigned i = from; i < end && !smooth; before = run->t_ms[i++])
            if (!is_smooth(run->t_ms[i] - before))
                return i;
    }
    return n;
}

/* The classes of the intervals. */
static void classify_intervals(struct run *run, int64_t last)
{
    int32_t min, n = (int32_t)run->n;
    if (n)
        smi_vector_ends(run->dt, run->n, &min, &run->max_dt);
    if (n && smi_interval_class(min) == smi_interval_class(run->max_dt)) { /* as it nearly always is */
        memset(run->class_of, 0, run->n);
        run->class[run->classes++] = (struct class){smi_interval_class(min), n, run->t_ms[n - 1] - last};
        return;
    }
    for (unsigned i = 0; i < run->n; i++) {
        if (i == 0 || run->dt[i] != run->dt[i - 1]) {
            if (!class_of(run, i))
                run->n = i;
        } else { /* mostly the same as before */
            unsigned k = run->class_of[i] = run->class_of[i - 1];
            run->class[k].n++;
            run->class[k].dt += run->dt[i];
        }
    }
}

/* The smooth rows at the beginning of at[0 ... n - 1]. */
static void find_smooth_rows(struct run *run, const struct smi_device_stats *t, const struct smi_rows *r,
                             const uint16_t *at, unsigned n)
{
    run->r = r;
    run->at = at;
    run->n = run->classes = 0;
    run->column = SMI_ROWS_COLUMNS;
    run->max_dt = 0;
    if (!r->timed || t->pooled || !t->first.has || !same_columns(&t->last, r))
        return;
    run->n = find_smooth_end(run, t->last.t_ms, n);
    classify_intervals(run, t->last.t_ms);
}

/* ---- columns ---- */

static void gather_column(struct run *run, const struct smi_device_stats *t, unsigned column)
{
    if (run->column == column)
        return;
    run->column = column;
    run->u = smi_rows_gather(run->r, column, run->at, run->n, run->own);
    run->before = (int32_t)(t->last.v[column] / run->r->scale[column]);
}

/* Sum of (a + b) * dt of the class k (CLASSES: of all) over rows from ... to - 1, in units of u. */
static smi_i128 class_area(const struct run *run, unsigned k, unsigned from, unsigned to)
{
    smi_i128 sum = 0;
    int32_t a = from ? run->u[from - 1] : run->before;
    _Static_assert(SMI_ROWS_MAX <= 1 << 12, "(2^32 - 2) * (2^19 - 1) for each row fit in 63 bits");
    if (k == CLASSES && run->max_dt < 1 << 19) {
        uint64_t all = from < to ? ((uint64_t)a + (uint32_t)run->u[from]) * (uint32_t)run->dt[from] : 0;
        return (smi_i128)(from < to
                              ? all + smi_vector_area(run->u + from + 1, run->dt + from + 1, to - from - 1)
                              : 0);
    }
    for (unsigned i = from; i < to; i++) {
        int32_t b = run->u[i];
        if (k == CLASSES || run->class_of[i] == k)
            sum += ((int64_t)a + b) * run->dt[i];
        a = b;
    }
    return sum;
}

static int add_class_areas(struct run *run, struct smi_time_sum *to, unsigned from, unsigned n, int64_t scale)
{
    for (unsigned k = 0; k < run->classes; k++) {
        struct class c = run->class[k];
        bool all = run->classes == 1 && n == run->n;
        if (!all) {
            c.n = c.dt = 0;
            for (unsigned i = from; i < from + n; i++) {
                c.n += run->class_of[i] == k;
                c.dt += run->class_of[i] == k ? run->dt[i] : 0;
            }
        }
        if (c.n && smi_time_sum_add(to, c.bin, c.n, c.dt,
                                    class_area(run, all ? CLASSES : k, from, from + n) * scale))
            return -1;
    }
    return 0;
}

/* dt and n of every class over the rows from ... from + n - 1; the area is the time of those that are set. */
static int add_class_times(struct run *run, struct smi_time_sum *to, unsigned from, unsigned n, bool counted,
                           const bool *set)
{
    bool all = run->classes == 1 && n == run->n; /* as it nearly always is */
    for (unsigned k = 0; k < run->classes; k++) {
        int64_t rows = all ? n : 0, dt = all ? run->class[k].dt : 0, on = 0;
        for (unsigned i = from; i < from + n && !all; i++) {
            bool in = run->class_of[i] == k;
            rows += in;
            dt += in ? run->dt[i] : 0;
            on += in && set && set[i] ? run->dt[i] : 0;
        }
        for (unsigned i = from; i < from + n && all && set; i++)
            on += set[i] ? run->dt[i] : 0;
        if (rows && smi_time_sum_add(to, run->class[k].bin, counted ? rows : 0, dt, on))
            return -1;
    }
    return 0;
}

/* ---- idle time ---- */

static bool is_throttle(unsigned metric)
{
    return metric >= SMI_THROTTLE_FIRST && metric < SMI_THROTTLE_FIRST + SMI_THROTTLE_COUNT;
}

/* Which rows are idle. Returns how many. */
static unsigned find_idle(struct run *run, const struct smi_device_stats *t)
{
    unsigned idle = 0;
    run->idle_known = false;
    for (unsigned c = 0; c < run->r->metrics; c++) {
        int64_t most = t->opts->idle_below / run->r->scale[c];
        if (run->r->metric[c] != SMI_GPU_UTIL)
            continue;
        run->idle_known = true;
        gather_column(run, t, c);
        idle =
            (unsigned)smi_vector_low(run->u, run->n, most > INT32_MAX ? INT32_MAX : (int32_t)most, run->idle);
    }
    return idle;
}

/* Idle and busy rows in turn: the stretches, and what leads and trails. */
static int mixed_idle(struct run *run, struct smi_device_stats *t)
{
    for (unsigned i = 0; i < run->n; i++) {
        unsigned bin = run->class[run->class_of[i]].bin;
        int32_t dt = run->dt[i];
        if (run->idle_known && run->idle[i] &&
            ((!t->worked && smi_time_sum_add(&t->lead, bin, 1, dt, 0)) ||
             smi_time_sum_add(&t->trail, bin, 1, dt, 0)))
            return -1;
        if (dt > SMI_IDLE_BREAK_MS)
            smi_device_stats_end_idle(t);
        else if (run->idle_known && run->idle[i])
            smi_device_stats_extend_idle(t, dt, run->t_ms[i]);
        if (run->idle_known && !run->idle[i] &&
            (i == 0 || run->idle[i - 1])) /* once says it for all that follow */
            smi_device_stats_add_work(t);
    }
    return 0;
}

static int add_idle(struct run *run, struct smi_device_stats *t)
{
    unsigned idle = find_idle(run, t);
    if (run->idle_known && add_class_times(run, &t->idle, 0, run->n, true, run->idle))
        return -1;
    if (run->idle_known && idle == 0) {
        smi_device_stats_add_work(t);
        return 0;
    }
    return run->idle_known || run->max_dt > SMI_IDLE_BREAK_MS ? mixed_idle(run, t) : 0;
}

/* ---- phases ---- */

/* The rows from ... from + n - 1 hold the same phases. */
static int add_to_phases(struct run *run, struct smi_device_stats *t, const uint16_t *active, size_t phases,
                         unsigned from, unsigned n)
{
    for (size_t i = 0; i < phases; i++) {
        struct smi_phase_stats *p = smi_device_stats_phase(t, active[i]);
        if (!p ||
            add_class_times(run, &p->idle, from, n, run->idle_known, run->idle_known ? run->idle : NULL))
            return -1;
        smi_phase_stats_add_rows(p, run->r, run->at + from, n);
        for (unsigned c = 0; c < run->r->metrics; c++) {
            if (run->r->metric[c] != SMI_POWER)
                continue;
            gather_column(run, t, c);
            if (add_class_areas(run, &p->energy, from, n, run->r->scale[c]))
                return -1;
        }
    }
    return 0;
}

static int add_phases(struct run *run, struct smi_device_stats *t)
{
    const uint16_t *active = NULL, *was;
    size_t n = 0, held;
    unsigned from = 0;
    int64_t until = INT64_MIN;
    for (unsigned i = 0; i < run->n; i++) {
        was = active;
        held = n;
        if (!smi_device_stats_phase_changes(t, run->t_ms[i], &until, &active, &n))
            continue;
        if (add_to_phases(run, t, was, held, from, i - from))
            return -1;
        from = i;
    }
    return add_to_phases(run, t, active, n, from, run->n - from);
}

/* ---- all of it ---- */

static int add_timed(struct run *run, struct smi_device_stats *t, int slot, int64_t scale)
{
    struct smi_timed_metrics *m = &t->timed[slot];
    if (add_class_areas(run, &m->sum, 0, run->n, scale) ||
        (smi_device_stats_has_series(t, slot) &&
         smi_series_add_units(&t->series[slot], run->t_ms, run->u, run->n, scale)))
        return -1;
    m->last_t = run->t_ms[run->n - 1];
    m->last_v = run->u[run->n - 1] * scale;
    return 0;
}

static int add_column(struct run *run, struct smi_device_stats *t, unsigned column)
{
    uint16_t metric = run->r->metric[column];
    int64_t scale = run->r->scale[column];
    int slot = smi_timed_slot(metric);
    bool counter = smi_metrics[metric].kind == SMI_COUNTER;
    struct smi_counts *c;
    if ((run->r->same >> column & 1) && slot < 0 && !counter && !is_throttle(metric)) {
        c = smi_device_stats_counts(t, metric);
        return c ? smi_counts_add_many(c, run->r->u[(size_t)column * SMI_ROWS_STRIDE] * scale, run->n) : -1;
    }
    gather_column(run, t, column);
    if (counter) {
        for (unsigned i = 0; i < run->n; i++)
            if (smi_device_stats_add_counter(t, metric, run->t_ms[i], run->u[i] * scale))
                return -1;
        return 0;
    }
    if (is_throttle(metric)) {
        bool set[SMI_ROWS_MAX];
        for (unsigned i = 0; i < run->n; i++)
            set[i] = run->u[i] != 0;
        if (add_class_times(run, &t->throttle[metric - SMI_THROTTLE_FIRST], 0, run->n, true, set))
            return -1;
    }
    c = smi_device_stats_counts(t, metric);
    if (!c || smi_counts_add_units(c, run->u, run->n, scale))
        return -1;
    return slot >= 0 ? add_timed(run, t, slot, scale) : 0;
}

static int add_run(struct run *run, struct smi_device_stats *t)
{
    int64_t v[SMI_ROWS_COLUMNS];
    struct smi_sample last;
    if (smi_counts_add_units(&t->dts, run->dt, run->n, 1) ||
        add_class_times(run, &t->covered, 0, run->n, true, NULL) || add_idle(run, t) ||
        (t->opts->phases && add_phases(run, t)))
        return -1;
    for (unsigned c = 0; c < run->r->metrics; c++)
        if (add_column(run, t, c))
            return -1;
    t->rows += run->n;
    t->timed_rows = true;
    t->open.last = run->t_ms[run->n - 1];
    last = smi_rows_sample(run->r, run->at[run->n - 1], v);
    return smi_last_row_store(&t->last, &last);
}

/* Rows without times only count. */
static int add_untimed(struct smi_device_stats *t, const struct smi_rows *r, const uint16_t *at, unsigned n)
{
    int32_t own[SMI_ROWS_MAX];
    t->rows += n;
    for (unsigned c = 0; c < r->metrics; c++) {
        const int32_t *u = smi_rows_gather(r, c, at, n, own);
        struct smi_counts *to;
        if (smi_metrics[r->metric[c]].kind == SMI_COUNTER) {
            for (unsigned i = 0; i < n; i++)
                if (smi_device_stats_add_counter(t, r->metric[c], 0, u[i] * r->scale[c]))
                    return -1;
            continue;
        }
        to = smi_device_stats_counts(t, r->metric[c]);
        if (!to || smi_counts_add_units(to, u, n, r->scale[c]))
            return -1;
    }
    return 0;
}

int smi_device_stats_add_rows(struct smi_device_stats *t, const struct smi_rows *r, const uint16_t *at,
                              unsigned n, struct smi_add_counts *told, struct smi_err *err)
{
    struct run run;
    unsigned i = 0;
    if (!r->timed) {
        told->kept += n;
        return add_untimed(t, r, at, n) ? smi_err_nomem(err) : 0;
    }
    while (i < n) {
        int64_t v[SMI_ROWS_COLUMNS];
        struct smi_sample s;
        enum smi_add_result what;
        find_smooth_rows(&run, t, r, at + i, n - i);
        if (run.n > FEW) {
            if (add_run(&run, t))
                return smi_err_nomem(err);
            told->kept += run.n;
            i += run.n;
            continue;
        }
        s = smi_rows_sample(r, at[i++], v);
        what = smi_device_stats_add(t, &s, err);
        if (what == SMI_ADD_ERROR)
            return -1;
        told->kept += what == SMI_ADD_KEPT;
        told->duplicates += what == SMI_ADD_DUPLICATE;
    }
    return 0;
}
