#include "summary/partial_read_private.h"
#include "summary/partial_packed_private.h"
#include "aggregate/device_stats_private.h"

#include <string.h>

/* Values of one kind: each is less than most, there are so many, and few of them are LARGE. The sums of their
 * squares stay below 2^123. */
struct limits {
    int64_t least, most, rows, large;
};

#define LARGE ((int64_t)1 << 43)
static const struct limits readings = {-LARGE + 1, LARGE, (int64_t)1 << 36, 0}; /* millionths */
static const struct limits intervals = {1, (int64_t)1 << 49, (int64_t)1 << 36,
                                        1 << 22}; /* ms, to the year 9999 */

/* Are there n values with these sums? Their limits are far from where arithmetic ends; no variance is
 * negative. */
static bool are_counts_possible(const struct smi_counts *c, int64_t n, const struct limits *of)
{
    smi_i128 q, r, t;
    if (n <= 0 || n > of->rows || c->n != n || c->min < of->least || c->max >= of->most ||
        c->sum < (smi_i128)c->min * n || c->sum > (smi_i128)c->max * n || c->sum2 < 0 ||
        c->sum2 >> 86 > n + (of->large << 12))
        return false;
    q = c->sum / n;
    r = c->sum % n;
    t = (smi_i128)((smi_u128)c->sum2 - 2 * (smi_u128)q * (smi_u128)c->sum +
                   (smi_u128)n * (smi_u128)q * (smi_u128)q);
    return t >= 0 && (t / n > 0 || t * n >= r * r); /* t: the sum of all squared distances from q */
}

/* The letters of numbers; p is NULL where there are none. */
static struct smi_text get_letters(const json_t *v)
{
    return (struct smi_text){json_string_value(v), json_is_string(v) ? json_string_length(v) : 0};
}

/* Products with what is larger would leave 128 bits. */
static smi_i128 limit_wide(smi_i128 v)
{
    const smi_i128 most = (smi_i128)1 << 56;
    return v > most ? most : v < -most ? -most : v;
}

static void get_counts(struct smi_partial_reader *g, const json_t *o, struct smi_counts *c,
                       const struct limits *of)
{
    struct smi_packed v = {get_letters(json_array_get(o, 1)), false};
    int64_t step = smi_partial_read_int(g, json_array_get(o, 0)), all = 0, large = 0, unit = 0;
    smi_i128 key = 0;
    if (step < 1 || !v.left.p)
        smi_partial_read_fail(g, "counts");
    smi_counts_init(c, step < 1 ? 1 : step);
    c->approximate = json_array_size(o) == 7;
    for (bool first = true; v.left.n && !g->bad; first = false) { /* as put_pairs */
        smi_u128 word;
        int64_t n = 1;
        if (first) {
            unit = smi_packed_read_upto(&v, SMI_PARTIAL_INT_MAX);
            key = (smi_i128)unit * limit_wide(smi_packed_read_signed(&v));
        }
        word = smi_packed_read(&v);
        key += first ? 0 : (smi_i128)unit * (limit_wide((smi_i128)(word >> 1)) + 1);
        if (word & 1)
            n = 2 + smi_packed_read_upto(&v, of->rows);
        if (v.bad || unit <= 0 || key < of->least || key >= of->most || n > of->rows ||
            (all += n) > of->rows || (key >= LARGE && (large += n) > of->large))
            smi_partial_read_fail(g, "a count");
        else if (c->approximate ? smi_counts_add_bucket(c, (int64_t)key, n)
                                : smi_counts_add_many(c, (int64_t)key, n))
            smi_partial_read_nomem(g);
    }
    if (c->approximate) {
        c->n = smi_partial_read_int(g, json_array_get(o, 2));
        c->min = smi_partial_read_int(g, json_array_get(o, 3));
        c->max = smi_partial_read_int(g, json_array_get(o, 4));
        c->sum = smi_partial_read_wide(g, json_array_get(o, 5));
        c->sum2 = smi_partial_read_wide(g, json_array_get(o, 6));
        if (!are_counts_possible(c, all, of))
            smi_partial_read_fail(g, "sums that no values have");
    }
}

void smi_partial_read_counts(struct smi_partial_reader *g, const json_t *o, struct smi_counts *c)
{
    get_counts(g, o, c, &readings);
}

void smi_partial_read_intervals(struct smi_partial_reader *g, const json_t *o, struct smi_counts *c)
{
    get_counts(g, o, c, &intervals);
}

static void get_timesum(struct smi_partial_reader *g, const json_t *a, struct smi_time_sum *s)
{
    if (a && (!json_is_array(a) || json_array_size(a) % 4))
        smi_partial_read_fail(g, "time sums");
    for (size_t i = 0; i + 3 < json_array_size(a) && !g->bad; i += 4) {
        int64_t class = smi_partial_read_int(g, json_array_get(a, i)),
                n = smi_partial_read_int(g, json_array_get(a, i + 1)),
                dt = smi_partial_read_int(g, json_array_get(a, i + 2));
        if (class < 0 || class >= 512 || n < 0 || dt < 0 || smi_time_sum_has(s, (unsigned)class))
            smi_partial_read_fail(g, "time sums");
        else if (smi_time_sum_add(s, (unsigned)class, n, dt,
                                  smi_partial_read_wide(g, json_array_get(a, i + 3))))
            smi_partial_read_nomem(g);
    }
}

/* The same, where the area is the part of the time in which something held. */
static void get_share(struct smi_partial_reader *g, const json_t *a, struct smi_time_sum *s)
{
    get_timesum(g, a, s);
    for (size_t i = 0; i < s->n; i++)
        if (s->slot[i].area < 0 || s->slot[i].area > s->slot[i].dt)
            smi_partial_read_fail(g, "a part of a time that is longer than it");
}

/* b holds the bucket before it, and its own count. */
static void get_bucket(struct smi_packed *v, int64_t unit, struct smi_series_bucket *b)
{
    smi_i128 min = b->min + unit * limit_wide(smi_packed_read_signed(v)), max = min, above = 0;
    if (b->n > 1) {
        max = min + unit * limit_wide((smi_i128)smi_packed_read(v));
        above = (smi_i128)smi_packed_read(v);
    }
    v->bad |= min < -SMI_PARTIAL_INT_MAX || max > SMI_PARTIAL_INT_MAX ||
              (unit && above > ((smi_i128)1 << 110) / unit);
    b->min = v->bad ? 0 : (int64_t)min;
    b->max = v->bad ? 0 : (int64_t)max;
    b->sum = v->bad ? 0 : min * b->n + above * unit;
}

static bool is_bucket(const struct smi_series_bucket *b)
{
    return b->n > 0 && b->sum <= (smi_i128)b->max * b->n;
}

static void get_series(struct smi_partial_reader *g, const json_t *a, struct smi_series *s)
{
    int64_t shift = smi_partial_read_int(g, json_array_get(a, 0)),
            index = smi_partial_read_int(g, json_array_get(a, 1)), unit;
    struct smi_packed v = {get_letters(json_array_get(a, 2)), false};
    struct smi_series_bucket b = {0};
    if (shift < 0 || shift > 48 || !v.left.p)
        smi_partial_read_fail(g, "series");
    unit = smi_packed_read_upto(&v, SMI_PARTIAL_INT_MAX);
    while (v.left.n && !g->bad) { /* as put_buckets */
        int64_t left = smi_packed_read_upto(&v, SMI_SERIES_MAX),
                n = smi_packed_read_upto(&v, SMI_SERIES_MAX) + 1;
        b.n = smi_packed_read_upto(&v, SMI_PARTIAL_INT_MAX) + 1;
        for (index += left; n && !g->bad; n--, index++) {
            get_bucket(&v, unit, &b);
            if (v.bad || !is_bucket(&b) || index > SMI_PARTIAL_INT_MAX >> shift ||
                index < -(SMI_PARTIAL_INT_MAX >> shift))
                smi_partial_read_fail(g, "series");
            else if (smi_series_add_bucket(s, index, (unsigned)shift, &b))
                smi_partial_read_nomem(g);
        }
    }
    if (v.bad)
        smi_partial_read_fail(g, "series");
}

/* ---- tracks ---- */

/* A row that the track keeps. names: the metrics of all of them. */
static void get_kept(struct smi_partial_reader *g, const json_t *o, const json_t *names,
                     struct smi_last_row *k)
{
    const int64_t most = (int64_t)1 << 62;
    struct smi_packed v = {get_letters(json_object_get(o, "v")), false};
    int64_t unit;
    if (!json_is_object(o))
        return;
    unit = smi_packed_read_upto(&v, most);
    if (!v.left.n || unit == 0) {
        smi_partial_read_fail(g, "a row without readings");
        return;
    }
    k->t_ms = smi_partial_read_key_int(g, o, "t");
    k->fine = smi_partial_read_key_bool(o, "fine");
    while (v.left.n && !g->bad) { /* as kept */
        size_t place = (size_t)smi_packed_read_upto(&v, SMI_METRIC_COUNT);
        const char *key = json_string_value(json_array_get(names, place));
        smi_i128 units = smi_packed_read_signed(&v);
        int m = v.bad || !key ? -1 : smi_partial_read_metric(g, key);
        if (m < 0 || k->n == SMI_SAMPLE_MAX || units > most / unit ||
            units < -most / unit) { /* of a counter */
            smi_partial_read_fail(g, "a row");
            return;
        }
        if (!smi_partial_read_reserve(g, &k->metric, &k->cap, k->n + 1, sizeof *k->metric) ||
            !smi_partial_read_reserve(g, &k->v, &k->vcap, k->n + 1, sizeof *k->v))
            return;
        k->has = true;
        k->metric[k->n] = (uint16_t)m;
        k->v[k->n++] = (int64_t)(units * unit);
    }
}

static void get_timed(struct smi_partial_reader *g, const json_t *o, struct smi_device_stats *t)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)o, key, v)
    {
        int m = smi_partial_read_metric(g, key), slot = m < 0 ? -1 : smi_timed_slot((unsigned)m);
        struct smi_timed_metrics *x;
        if (slot < 0) {
            smi_partial_read_fail(g, "timed metrics");
            return;
        }
        x = &t->timed[slot];
        x->has = true;
        x->first_t = smi_partial_read_key_int(g, v, "first_t");
        x->first_v = smi_partial_read_key_int(g, v, "first_v");
        x->first_seg = smi_partial_read_key_count(g, v, "first_seg");
        x->last_t = smi_partial_read_key_int(g, v, "last_t");
        x->last_v = smi_partial_read_key_int(g, v, "last_v");
        x->last_seg = smi_partial_read_key_count(g, v, "last_seg");
        get_timesum(g, json_object_get(v, "sum"), &x->sum);
        get_series(g, json_object_get(v, "series"), &t->series[slot]);
    }
}

static void get_counters(struct smi_partial_reader *g, const json_t *o, struct smi_device_stats *t)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)o, key, v)
    {
        int m = smi_partial_read_metric(g, key);
        struct smi_counter *c;
        if (m < 0)
            return;
        if (!smi_partial_read_reserve(g, &t->counter, &t->counters_cap, t->counters + 1, sizeof *t->counter))
            return;
        c = &t->counter[t->counters++];
        *c = (struct smi_counter){0};
        c->metric = (uint16_t)m;
        c->n = smi_partial_read_int(g, json_array_get(v, 0));
        c->first_t = smi_partial_read_int(g, json_array_get(v, 1));
        c->first_v = smi_partial_read_reading(g, json_array_get(v, 2));
        c->last_t = smi_partial_read_int(g, json_array_get(v, 3));
        c->last_v = smi_partial_read_reading(g, json_array_get(v, 4));
        c->increase = smi_partial_read_wide(g, json_array_get(v, 5));
        c->rises = smi_partial_read_int(g, json_array_get(v, 6));
        c->first_rise = smi_partial_read_int(g, json_array_get(v, 7));
        c->last_rise = smi_partial_read_int(g, json_array_get(v, 8));
    }
}

static void get_all_counts(struct smi_partial_reader *g, const json_t *o, struct smi_device_stats *t)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)o, key, v)
    {
        int m = smi_partial_read_metric(g, key);
        if (m < 0)
            return;
        t->counts[m] = smi_mem_new(1, sizeof **t->counts);
        if (!t->counts[m]) {
            smi_partial_read_nomem(g);
            return;
        }
        smi_partial_read_counts(g, v, t->counts[m]);
        if (smi_counts_total(t->counts[m]) == 0)
            smi_partial_read_fail(g, "a metric without values");
    }
}

static struct smi_idle_stretch get_idle(struct smi_partial_reader *g, const json_t *stretch, size_t at)
{
    struct smi_idle_stretch idle = {smi_partial_read_int(g, json_array_get(stretch, at)),
                                    smi_partial_read_int(g, json_array_get(stretch, at + 1))};
    if (idle.ms < 0)
        smi_partial_read_fail(g, "stretch");
    return idle;
}

static void get_states(struct smi_partial_reader *g, const json_t *o, struct smi_device_stats *t)
{
    const json_t *stretch = json_object_get(o, "stretch");
    const char *key;
    json_t *v;
    get_timesum(g, json_object_get(o, "covered"), &t->covered);
    get_share(g, json_object_get(o, "idle"), &t->idle);
    get_timesum(g, json_object_get(o, "lead"), &t->lead);
    get_timesum(g, json_object_get(o, "trail"), &t->trail);
    t->worked = smi_partial_read_key_bool(o, "worked");
    t->stretch.prefix = smi_partial_read_int(g, json_array_get(stretch, 0));
    t->stretch.suffix = smi_partial_read_int(g, json_array_get(stretch, 1));
    t->stretch.best = smi_partial_read_int(g, json_array_get(stretch, 2));
    t->stretch.broken = smi_partial_read_int(g, json_array_get(stretch, 3)) != 0;
    t->stretch.suffix_from = smi_partial_read_int(g, json_array_get(stretch, 4));
    t->stretch.before = get_idle(g, stretch, 5);
    t->stretch.between = get_idle(g, stretch, 7);
    t->stretch.since = get_idle(g, stretch, 9);
    t->stretch.prefix_from = smi_partial_read_int(g, json_array_get(stretch, 11));
    json_object_foreach(json_object_get(o, "throttle"), key, v)
    {
        int m = smi_partial_read_metric(g, key) - SMI_THROTTLE_FIRST;
        if (m < 0 || m >= SMI_THROTTLE_COUNT) {
            smi_partial_read_fail(g, "throttle");
            return;
        }
        get_share(g, v, &t->throttle[m]);
    }
}

static void get_segments(struct smi_partial_reader *g, const json_t *a, struct smi_device_stats *t)
{
    size_t n = json_array_size(a);
    t->segments = smi_partial_read_int(g, json_array_get(a, 0));
    t->segment_rest = smi_partial_read_int(g, json_array_get(a, 1));
    t->open = (struct smi_segment){smi_partial_read_int(g, json_array_get(a, 2)),
                                   smi_partial_read_int(g, json_array_get(a, 3))};
    if (t->segments < 0 || (!t->pooled && (t->segments == 0) != !t->first.has) || n < 4 || n % 2 ||
        (n - 4) / 2 != (size_t)(t->segments > SMI_SEGMENTS_MAX ? SMI_SEGMENTS_MAX
                                : t->segments                  ? t->segments - 1
                                                               : 0)) {
        smi_partial_read_fail(g, "segments");
        return;
    }
    for (size_t i = 0; i < (n - 4) / 2; i++)
        t->segment[i] = (struct smi_segment){smi_partial_read_int(g, json_array_get(a, 4 + 2 * i)),
                                             smi_partial_read_int(g, json_array_get(a, 5 + 2 * i))};
}

static void get_tallies(struct smi_partial_reader *g, const json_t *o, struct smi_device_stats *t)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)o, key, v)
    {
        int number = smi_phases_find(&g->run->log.phases, smi_text_of(key));
        const json_t *pool = json_object_get(v, "pool");
        struct smi_phase_stats *y;
        if (number < 0) {
            smi_partial_read_fail(g, "a phase without run log");
            return;
        }
        y = smi_device_stats_phase(t, (uint16_t)number);
        if (!y) {
            smi_partial_read_nomem(g);
            return;
        }
        y->rows = smi_partial_read_key_count(g, v, "rows");
        for (size_t k = 0; k < SMI_BLOCK_SLOTS; k++) {
            y->pool[k].n = smi_partial_read_int(g, json_array_get(pool, 3 * k));
            y->pool[k].max = smi_partial_read_int(g, json_array_get(pool, 3 * k + 1));
            y->pool[k].sum = smi_partial_read_wide(g, json_array_get(pool, 3 * k + 2));
        }
        get_timesum(g, json_object_get(v, "energy"), &y->energy);
        get_share(g, json_object_get(v, "idle"), &y->idle);
    }
}

struct smi_device_stats *smi_partial_read_device(struct smi_partial_reader *g, const json_t *o,
                                                 struct smi_input_stats *p)
{
    struct smi_device_stats *t;
    if (!json_is_object(o) || g->bad)
        return NULL;
    t = smi_mem_new(1, sizeof *t);
    if (!t)
        return smi_partial_read_nomem(g);
    smi_device_stats_init(t, &p->opts, smi_partial_read_key_bool(o, "dedupe"));
    t->rows = smi_partial_read_key_count(g, o, "rows");
    t->timed_rows = smi_partial_read_key_bool(o, "timed_rows");
    t->pooled = smi_partial_read_key_bool(o, "pooled");
    get_kept(g, json_object_get(o, "head"), json_object_get(o, "edges"), &t->head);
    get_kept(g, json_object_get(o, "first"), json_object_get(o, "edges"), &t->first);
    get_kept(g, json_object_get(o, "last"), json_object_get(o, "edges"), &t->last);
    if (t->first.has != t->last.has)
        smi_partial_read_fail(g, "edges");
    get_all_counts(g, json_object_get(o, "counts"), t);
    get_timed(g, json_object_get(o, "timed"), t);
    get_counters(g, json_object_get(o, "counters"), t);
    get_states(g, o, t);
    get_segments(g, json_object_get(o, "segments"), t);
    smi_counts_fini(&t->dts);
    smi_partial_read_intervals(g, json_object_get(o, "dts"), &t->dts);
    smi_counts_fini(&t->lengths);
    smi_partial_read_intervals(g, json_object_get(o, "lengths"), &t->lengths);
    get_tallies(g, json_object_get(o, "phases"), t);
    return t;
}
