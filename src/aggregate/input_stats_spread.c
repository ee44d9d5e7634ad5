/* Rows without times into the phases in which they probably were: those of a device are spread evenly over
 * the time of the logs beside theirs (numbers.md §6). How many there are has to be known for it: they were
 * counted before. */
#include "aggregate/input_stats_private.h"
#include "aggregate/device_stats_private.h"

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
