/* Rows without times into the phases in which they probably were: those of a device are spread evenly over
 * the time of the logs beside theirs (docs/numbers.md §6). How many there are has to be known for it: they
 * were counted, or are few and kept. */
#include "base/mem.h"
#include "aggregate/input_stats_private.h"
#include "aggregate/device_stats_private.h"

#include <string.h>

/* Row k of the rows of a device. */
static int64_t spread_time(const struct smi_assigned_times *g, int64_t k, int64_t rows)
{
    int64_t at;
    if (rows < 2)
        at = 0;
    else if (__builtin_mul_overflow(g->span_us, k, &at))
        at = (int64_t)((smi_i128)g->span_us * k / (rows - 1));
    else
        at /= rows - 1;
    return smi_us_to_ms(g->start_us + at);
}

/* The same of n rows from row k on: division is slow, and the next row is a step further. */
static void spread_times(const struct smi_assigned_times *g, int64_t k, unsigned n, int64_t rows,
                         int64_t *t_ms)
{
    int64_t d = rows - 1, at, rest, step, more;
    if (d < 1 || g->span_us < 0 || __builtin_mul_overflow(g->span_us, d, &at)) {
        for (unsigned i = 0; i < n; i++)
            t_ms[i] = spread_time(g, k + i, rows);
        return;
    }
    at = g->span_us * k / d;
    rest = g->span_us * k % d;
    step = g->span_us / d;
    more = g->span_us % d;
    for (unsigned i = 0; i < n; i++) {
        t_ms[i] = smi_us_to_ms(g->start_us + at);
        at += step;
        rest += more;
        if (rest >= d) {
            rest -= d;
            at++;
        }
    }
}

/* ---- rows that were counted ---- */

/* When n rows of a device in a row, which have no times, probably were: *known of them, the file can have
 * grown since they were counted. Returns 0, or -1 without memory. */
static int assign_spread_times(struct smi_input_stats *p, int who, int64_t *t_ms, unsigned n, unsigned *known)
{
    const struct smi_assigned_times *g = &p->given;
    int64_t rows =
        smi_input_stats_device_slot(who) < g->devices ? g->rows[smi_input_stats_device_slot(who)] : 0;
    struct smi_local_clock *w = smi_input_stats_clock(p, who);
    if (!w)
        return -1;
    for (*known = 0; *known < n && w->untimed < rows; w->untimed++)
        t_ms[(*known)++] = spread_time(g, w->untimed, rows);
    return 0;
}

static bool spreads_rows(const struct smi_input_stats *p)
{
    return p->given.how == SMI_TIMES_SPREAD && p->given.rows && p->opts.phases;
}

int smi_input_stats_spread_rows(struct smi_input_stats *p, struct smi_device_stats *t,
                                const struct smi_rows *r, int who, const uint16_t *at, unsigned n,
                                struct smi_err *err)
{
    int64_t t_ms[SMI_ROWS_MAX];
    unsigned known;
    if (!spreads_rows(p))
        return 0;
    if (assign_spread_times(p, who, t_ms, n, &known) || smi_device_stats_phase_rows(t, r, at, known, t_ms))
        return smi_err_nomem(err);
    return 0;
}

/* ---- rows that are few: their readings are still there, in their order ---- */

/* Does every row of the track have a reading of every metric that it has at all, as far as phases want to
 * know? */
static bool has_every_reading(const struct smi_device_stats *t)
{
    if (t->timed_rows || t->rows > SMI_COUNTS_FEW)
        return false;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        const struct smi_counts *c = t->counts[m];
        if (c && smi_phase_stats_slot(m) >= 0 && c->fews != t->rows)
            return false;
    }
    return true;
}

/* Up to SMI_ROWS_MAX rows from row k on, as a block. */
static void make_block(const struct smi_device_stats *t, int64_t k, struct smi_rows *r, uint16_t *metric,
                       int64_t *scale, int32_t *u)
{
    r->n = t->rows - k < SMI_ROWS_MAX ? (unsigned)(t->rows - k) : SMI_ROWS_MAX;
    r->metrics = 0;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        const struct smi_counts *c = t->counts[m];
        if (!c || smi_phase_stats_slot(m) < 0)
            continue;
        metric[r->metrics] = (uint16_t)m;
        scale[r->metrics] = c->step;
        memcpy(u + r->metrics * SMI_ROWS_STRIDE, c->few + k, r->n * sizeof *u);
        r->metrics++;
    }
    r->metric = metric;
    r->scale = scale;
    r->u = u;
}

static int add_to_phases(const struct smi_input_stats *p, struct smi_device_stats *t)
{
    uint16_t metric[SMI_BLOCK_SLOTS], at[SMI_ROWS_MAX];
    int64_t scale[SMI_BLOCK_SLOTS], t_ms[SMI_ROWS_MAX];
    int32_t u[SMI_BLOCK_SLOTS * SMI_ROWS_STRIDE];
    for (uint16_t i = 0; i < SMI_ROWS_MAX && i < t->rows; i++)
        at[i] = i;
    for (int64_t k = 0; k < t->rows; k += SMI_ROWS_MAX) {
        struct smi_rows r = {0};
        make_block(t, k, &r, metric, scale, u);
        spread_times(&p->given, k, r.n, t->rows, t_ms);
        if (smi_device_stats_phase_rows(t, &r, at, r.n, t_ms))
            return -1;
    }
    return 0;
}

/* The i-th track of the part, or NULL. */
static struct smi_device_stats *device_at(const struct smi_input_stats *p, size_t i)
{
    return i < p->tracks ? p->track[i] : i == p->tracks ? p->host : p->pool;
}

int smi_input_stats_spread(struct smi_input_stats *p, struct smi_err *err)
{
    if (p->timed)
        return 0;
    for (size_t i = 0; i < p->tracks + 2; i++)
        if (device_at(p, i) && !has_every_reading(device_at(p, i)))
            return 0;
    for (size_t i = 0; i < p->tracks + 2; i++)
        if (device_at(p, i) && p->opts.phases && add_to_phases(p, device_at(p, i)))
            return smi_err_nomem(err);
    return 1;
}
