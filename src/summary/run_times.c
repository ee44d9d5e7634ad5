#include "summary/gpus.h"

#include "base/clock.h"
#include "model/format_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- durations ---- */

/* Segment k of all tracks of one base together. */
struct ranges {
    struct smi_segment seg[SMI_SEGMENTS_MAX];
    int64_t n, rest;
};

static void widen_ranges(struct ranges *r, int64_t k, struct smi_segment s)
{
    for (; r->n <= k; r->n++)
        r->seg[r->n] = (struct smi_segment){INT64_MAX, INT64_MIN};
    if (s.first < r->seg[k].first)
        r->seg[k].first = s.first;
    if (s.last > r->seg[k].last)
        r->seg[k].last = s.last;
}

static void add_track(struct ranges *r, const struct smi_device_stats *t, int64_t shift_ms, int64_t *segments)
{
    int64_t rest = t->segment_rest;
    if (t->asides && t->aside.first <= t->aside.last)
        widen_ranges(r, 0, (struct smi_segment){t->aside.first - shift_ms, t->aside.last - shift_ms});
    if (t->segments == 0)
        return;
    if (t->segments > *segments)
        *segments = t->segments;
    for (int64_t k = 0; k < t->segments && k < SMI_SEGMENTS_MAX; k++) {
        struct smi_segment s = k == t->segments - 1 ? t->open : t->segment[k];
        widen_ranges(r, k, (struct smi_segment){s.first - shift_ms, s.last - shift_ms});
    }
    if (t->segments > SMI_SEGMENTS_MAX)
        rest += t->open.last - t->open.first;
    if (rest > r->rest)
        r->rest = rest;
}

static int64_t total_duration_ms(const struct ranges *r)
{
    int64_t ms = r->rest;
    for (int64_t k = 0; k < r->n; k++)
        if (r->seg[k].last >= r->seg[k].first)
            ms += r->seg[k].last - r->seg[k].first;
    return ms;
}

static int64_t floor_ms(int64_t us)
{
    return us >= 0 ? us / 1000 : -((-us + 999) / 1000);
}

struct bases {
    struct ranges range[SMI_TIME_BASES];
    bool some[SMI_TIME_BASES];
    bool local, counted;
    int ahead_s; /* of the earliest local stamp */
    int64_t local_first;
    int64_t first[SMI_TIME_BASES], last[SMI_TIME_BASES]; /* plain smallest and largest times */
    int64_t segments;
};

static void widen_base(struct bases *b, enum smi_time_base base, int64_t first, int64_t last)
{
    if (!b->some[base] || first < b->first[base])
        b->first[base] = first;
    if (!b->some[base] || last > b->last[base])
        b->last[base] = last;
    b->some[base] = true;
}

static void collect_bases(struct bases *b, const struct smi_run *r)
{
    for (size_t i = 0; i < r->parts; i++) {
        const struct smi_input_stats *p = r->part[i];
        bool shifted = p->base == SMI_TIME_BASE_LOCAL && r->has_offset;
        int64_t shift = shifted ? (int64_t)r->offset_s * 1000 : 0;
        enum smi_time_base base = shifted ? SMI_TIME_BASE_UTC : p->base;
        bool gpus = p->pool != NULL;
        if (p->timed)
            widen_base(b, base, p->first_ms - shift, p->last_ms - shift);
        b->counted |= p->timed && p->given.how == SMI_TIMES_STEPS;
        if (p->timed && p->base == SMI_TIME_BASE_LOCAL && (!b->local || p->first_ms < b->local_first)) {
            b->local = true;
            b->local_first = p->first_ms;
            b->ahead_s = (int)(p->ahead_ms / 1000);
        }
        for (size_t k = 0; k < p->tracks; k++)
            if (p->track[k]) {
                add_track(&b->range[base], p->track[k], shift, &b->segments);
                gpus = true;
            }
        if (p->host)
            add_track(&b->range[base], p->host, shift, &b->segments);
        if (p->pool)
            add_track(&b->range[base], p->pool, shift, &b->segments);
        if (p->timed && smi_format_infos[p->format].procs && !gpus)
            widen_ranges(&b->range[base], 0, (struct smi_segment){p->first_ms - shift, p->last_ms - shift});
    }
    if (r->log.entries) {
        struct smi_segment s = {floor_ms(r->log.first_us), floor_ms(r->log.last_us)};
        widen_base(b, SMI_TIME_BASE_UTC, s.first, s.last);
        widen_ranges(&b->range[SMI_TIME_BASE_UTC], 0, s);
        b->segments = b->segments ? b->segments : 1;
    }
}

static const char *base_text(struct smi_summary *out, const struct smi_run *r, bool local)
{
    char zone[SMI_CLOCK_TEXT], text[96 + SMI_TZ_NAME];
    if (r->has_offset && local) {
        smi_clock_write_zone(zone, out->offset_s);
        snprintf(text, sizeof text, "utc%s %s%s%s%s", zone, strcmp(r->zone_from, "inferred") ? "from " : "",
                 r->zone_from, r->zone ? " " : "", r->zone ? r->zone : "");
        return smi_arena_text(&out->arena, text, strlen(text));
    }
    return local ? "local, zone not known" : "utc";
}

void smi_run_times_fill(struct smi_summary *out, const struct smi_run *r)
{
    struct bases b = {0};
    enum smi_time_base base;
    bool local, some = false;
    int64_t longest = 0;
    collect_bases(&b, r);
    local = b.local;
    out->segments = b.segments;
    for (int i = SMI_TIME_BASE_LOCAL; i < SMI_TIME_BASES; some |= b.some[i++])
        if (b.some[i] && total_duration_ms(&b.range[i]) >= longest)
            longest = total_duration_ms(&b.range[i]);
    if (!some)
        return;
    out->duration_s = smi_value_wide((smi_i128)longest * 1000);
    base = b.some[SMI_TIME_BASE_LOCAL] ? SMI_TIME_BASE_LOCAL : SMI_TIME_BASE_UTC;
    if (!b.some[base]) {
        out->time_base = b.counted                   ? "counted by --interval, date not known"
                         : b.some[SMI_TIME_BASE_DAY] ? "time of day, date not known"
                                                     : "elapsed time, date not known";
        return;
    }
    out->has_start = true;
    out->start_ms = b.first[base];
    out->end_ms = b.last[base];
    out->zoned = base == SMI_TIME_BASE_UTC;
    out->offset_s = r->has_offset && local ? r->offset_s + b.ahead_s : 0;
    out->time_base = base_text(out, r, local);
}

/* ---- shapes ---- */

static void add_series(struct smi_sparkline_sum *to, const struct smi_series *s, int64_t from_ms,
                       int64_t to_ms)
{
    for (size_t k = 0; k < s->n; k++) {
        int64_t t = (s->base + (int64_t)k) * ((int64_t)1 << s->shift) + (((int64_t)1 << s->shift) >> 1);
        int64_t cell = to_ms > from_ms
                           ? (int64_t)((smi_i128)(t - from_ms) * SMI_SPARKLINE_CELLS / (to_ms - from_ms))
                           : 0;
        cell = cell < 0 ? 0 : cell >= SMI_SPARKLINE_CELLS ? SMI_SPARKLINE_CELLS - 1 : cell;
        to->sum[cell] += s->bucket[k].sum;
        to->n[cell] += s->bucket[k].n;
    }
}

/* Local times whose zone is known are drawn over the whole run, the others over what is known on their own
 * base: a time of day has no place among dates. */
void smi_run_times_ranges(struct smi_run_times *t, const struct smi_run *r)
{
    struct bases b = {0};
    int64_t shift = r->has_offset ? (int64_t)r->offset_s * 1000 : 0;
    collect_bases(&b, r);
    for (int i = 0; i < SMI_TIME_BASES; i++) {
        enum smi_time_base base =
            i == SMI_TIME_BASE_LOCAL && r->has_offset ? SMI_TIME_BASE_UTC : (enum smi_time_base)i;
        bool moved = base != (enum smi_time_base)i;
        t->on[i].from = b.some[base] ? b.first[base] + (moved ? shift : 0) : 0;
        t->on[i].to = b.some[base] ? b.last[base] + (moved ? shift : 0) : -1;
    }
}

int64_t smi_sparkline_add(struct smi_sparkline_sum *to, const struct smi_run_gpu *b,
                          const struct smi_run_times *t)
{
    int f = smi_metric_source(b, SMI_GPU_UTIL);
    int64_t cell = 0;
    SMI_EACH_SOURCE (l, b, f) {
        int64_t from = t->on[l->base].from, last = t->on[l->base].to;
        if (last <= from) /* one instant is no time */
            continue;
        add_series(to, &l->track->timed[smi_timed_slot(SMI_GPU_UTIL)].series, from, last);
        cell = (last - from) / SMI_SPARKLINE_CELLS;
    }
    return cell;
}

/* A log that is sampled more coarsely than the cells are wide has holes between its readings: they take the
 * reading after them, which describes the time before it. Longer holes stay holes. */
void smi_sparkline_finish(const struct smi_sparkline_sum *from, uint8_t out[SMI_SPARKLINE_CELLS])
{
    smi_i128 mean;
    int filled = 0, hole = 0;
    for (int i = 0; i < SMI_SPARKLINE_CELLS; i++) {
        out[i] = SMI_SPARKLINE_NONE;
        if (!from->n[i])
            continue;
        mean = smi_i128_div(from->sum[i], (smi_i128)from->n[i] * 1000000);
        out[i] = (uint8_t)(mean < 0 ? 0 : mean > 100 ? 100 : mean);
        filled++;
    }
    for (int i = 0; i < SMI_SPARKLINE_CELLS; i++) {
        if (out[i] == SMI_SPARKLINE_NONE) {
            hole++;
            continue;
        }
        for (int k = hole; k > 0 && hole < i && hole * filled <= 2 * SMI_SPARKLINE_CELLS; k--)
            out[i - k] = out[i];
        hole = 0;
    }
}

/* ---- the zone ---- */

/* Offsets in use, in minutes, besides the whole hours from -12 to +14. */
static const int odd_offsets[] = {-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825};

enum { OFFSETS = 27 + 13 };

static int64_t offset_ms(int i)
{
    return i < 27 ? (int64_t)(i - 12) * 3600000 : (int64_t)odd_offsets[i - 27] * 60000;
}

static int64_t absolute_value(int64_t v)
{
    return v < 0 ? -v : v;
}

/* The offset nearest to d if it is within tol and no second one is; -1 if there is none. */
static int nearest_offset(int64_t d, int64_t tol)
{
    int best = -1, within = 0;
    for (int i = 0; i < OFFSETS; i++) {
        int64_t miss = absolute_value(d - offset_ms(i)),
                best_miss = best < 0 ? 0 : absolute_value(d - offset_ms(best));
        within += miss <= tol;
        if (best < 0 || miss < best_miss ||
            (miss == best_miss && absolute_value(offset_ms(i)) < absolute_value(offset_ms(best))))
            best = i;
    }
    return within == 1 && absolute_value(d - offset_ms(best)) <= tol ? best : -1;
}

int smi_zone_nearest(int64_t d, int64_t tol, int *offset_s)
{
    int at = nearest_offset(d, tol);
    if (at >= 0)
        *offset_s = (int)(offset_ms(at) / 1000);
    return at >= 0;
}

static int best_overlap(int64_t g0, int64_t g1, int64_t u0, int64_t u1)
{
    int64_t best = 0, second = 0, shorter = g1 - g0 < u1 - u0 ? g1 - g0 : u1 - u0;
    int at = -1;
    for (int i = 0; i < OFFSETS; i++) {
        int64_t a = g0 - offset_ms(i) > u0 ? g0 - offset_ms(i) : u0,
                b = g1 - offset_ms(i) < u1 ? g1 - offset_ms(i) : u1, o = b > a ? b - a : 0;
        if (o > best) {
            second = best;
            best = o;
            at = i;
        } else if (o > second) {
            second = o;
        }
    }
    return at >= 0 && best * 10 >= shorter * 9 && second * 2 <= best ? at : -1;
}

int smi_zone_infer(int64_t g0, int64_t g1, int64_t u0, int64_t u1, int64_t iv, int *offset_s)
{
    int at = nearest_offset(g0 - u0, 3 * iv > 10000 ? 3 * iv : 10000);
    if (at < 0) {
        at = nearest_offset(g1 - u1, 3 * iv / 2 > 10000 ? 3 * iv / 2 : 10000);
        if (at >= 0 && (g0 - offset_ms(at) > u1 || g1 - offset_ms(at) < u0)) /* a range may be one instant */
            at = -1;
    }
    if (at < 0)
        at = best_overlap(g0, g1, u0, u1);
    if (at < 0)
        return 0;
    *offset_s = (int)(offset_ms(at) / 1000);
    return 1;
}
