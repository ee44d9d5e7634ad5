#include "aggregate/local_clock.h"

enum { HOUR = 3600000, SLACK = 5000, SLOW = SMI_LOCAL_CLOCK_SLOW_MS, NEAR_BITS = 20 };
_Static_assert(1 << NEAR_BITS < SLOW, "near is fast");

static int64_t absolute_ms(int64_t v)
{
    return v < 0 ? -v : v;
}

static int64_t floor_s(int64_t ms)
{
    return ms / 1000 - (ms % 1000 < 0);
}

/* ---- a zone ---- */

static enum smi_stamp_kind find_zone_offset(struct smi_local_clock *w, const struct smi_tz *z, int64_t t_ms)
{
    struct smi_tz_local here = smi_tz_at(z, floor_s(t_ms));
    bool doubled = here.second_s != here.offset_s;
    w->second = doubled && w->has && w->last >= here.from * 1000 && w->last < here.to * 1000 &&
                (w->second || t_ms < w->last);
    w->ahead = (int64_t)((w->second ? here.second_s : here.offset_s) - z->standard_s) * 1000;
    w->from = w->to = 0;
    if (doubled || here.skipped)
        return here.skipped ? SMI_STAMP_SKIPPED_HOUR
               : w->second  ? SMI_STAMP_SECOND_PASS
                            : SMI_STAMP_FIRST_PASS;
    w->from = here.from > INT64_MIN / 1000 ? here.from * 1000 : INT64_MIN;
    w->to = here.to < INT64_MAX / 1000 ? here.to * 1000 : INT64_MAX;
    return SMI_STAMP_PLAIN;
}

static enum smi_stamp_kind read_by_zone(struct smi_local_clock *w, const struct smi_tz *z, int64_t t_ms)
{
    if (t_ms >= w->from && t_ms < w->to)
        return SMI_STAMP_PLAIN;
    return find_zone_offset(w, z, t_ms);
}

/* ---- an offset ---- */

/* Summer time begins where an hour is left out between two full ones. A log of something that is done every
 * hour has the same distance, but elsewhere. */
static bool are_rows_missing(int64_t last, int64_t t_ms, int64_t interval)
{
    int64_t to_full = HOUR - (last % HOUR + HOUR) % HOUR, past_full = (t_ms % HOUR + HOUR) % HOUR;
    return to_full <= interval + SLACK && past_full <= interval + SLACK;
}

/* By how much the clock was set between two stamps that are d apart, where rows come every `interval` ms: -1,
 * 0, 1 h. */
static int hours_stepped(int64_t last, int64_t t_ms, int64_t interval)
{
    int64_t step = t_ms - last - interval;
    if (absolute_ms(absolute_ms(step) - HOUR) > SLACK)
        return 0;
    return step < 0 ? -1 : are_rows_missing(last, t_ms, interval) ? 1 : 0;
}

static enum smi_stamp_kind read_by_steps(struct smi_local_clock *w, int64_t t_ms)
{
    int64_t d = t_ms - w->last;
    int by;
    if (!w->has || absolute_ms(d) < SLOW)
        return SMI_STAMP_PLAIN;
    if (!w->pair) /* how fast rows come is not known: only a step back is plain enough */
        by = d < 0 ? hours_stepped(w->last, t_ms, 0) : 0;
    else
        by = w->before >= 0 && w->before <= SLOW ? hours_stepped(w->last, t_ms, w->before) : 0;
    if (by && absolute_ms(w->ahead + (int64_t)by * HOUR) <= HOUR) {
        w->ahead += (int64_t)by * HOUR;
        return SMI_STAMP_STEP;
    }
    return !w->pair || by ? SMI_STAMP_UNSURE : SMI_STAMP_PLAIN;
}

bool smi_local_clock_read_plain(struct smi_local_clock *w, const struct smi_local_clock_opts *o,
                                int64_t *t_ms, size_t n)
{
    const uint64_t near = 1 << NEAR_BITS;
    uint64_t apart;
    if (o->zone || !w->has || t_ms[0] < SMI_LOCAL_CLOCK_YEAR_MS + (int64_t)(n * near))
        return false;
    apart = (uint64_t)t_ms[0] - (uint64_t)w->last + near;
    for (size_t i = 1; i < n; i++)
        apart |= (uint64_t)t_ms[i] - (uint64_t)t_ms[i - 1] + near;
    if (apart >> (NEAR_BITS + 1))
        return false;
    w->before = t_ms[n - 1] - (n > 1 ? t_ms[n - 2] : w->last);
    w->pair = true;
    w->last = t_ms[n - 1];
    for (size_t i = 0; i < n; i++)
        t_ms[i] -= w->ahead;
    return true;
}

enum smi_stamp_kind smi_local_clock_read(struct smi_local_clock *w, const struct smi_local_clock_opts *o,
                                         int64_t *t_ms)
{
    enum smi_stamp_kind what = SMI_STAMP_PLAIN;
    int64_t t = *t_ms;
    if (t < SMI_LOCAL_CLOCK_YEAR_MS) /* a time of day: it has no date that a zone could go by */
        return what;
    if (o->zone)
        what = read_by_zone(w, o->zone, t);
    else if (o->steps)
        what = read_by_steps(w, t);
    if (w->has && what != SMI_STAMP_STEP) {
        w->before = t - w->last;
        w->pair = true;
    }
    if (!w->has)
        w->first = t;
    w->has = true;
    w->last = t;
    *t_ms = t - w->ahead;
    return what;
}

bool smi_local_clock_steps_between(const struct smi_local_clock *a, const struct smi_local_clock *b,
                                   const struct smi_local_clock_opts *o)
{
    return o->steps && a->has && b->has && absolute_ms(b->first - a->last) >= SLOW;
}
