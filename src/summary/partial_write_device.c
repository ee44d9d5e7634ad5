/* A track written down: counts, sums by class of interval, stretches, segments, series. */
#include "base/mem.h"
#include "summary/partial_packed_private.h"
#include "summary/partial_write_private.h"

#include <string.h>

void smi_partial_write_wide(struct smi_json *j, smi_i128 v)
{
    char t[SMI_I128_TEXT];
    size_t n = smi_i128_write(t, v);
    if (v >= INT64_MIN && v <= INT64_MAX)
        smi_json_int(j, (int64_t)v);
    else
        smi_json_text(j, (struct smi_text){t, n});
}

/* Numbers in few letters. */
static void write_letters(struct smi_json *j, struct smi_buf *b)
{
    smi_json_text(j, (struct smi_text){b->p ? b->p : "", b->n});
    j->to->failed |= b->failed;
    smi_buf_fini(b);
}

/* Values and how often each was, still in no order. */
struct pairs {
    struct smi_counts_item *item;
    size_t n, cap;
};

static int append_pair(void *self, int64_t v, int64_t n)
{
    struct pairs *all = self;
    if (smi_mem_reserve(&all->item, &all->cap, all->n + 1, sizeof *all->item))
        return -1;
    all->item[all->n++] = (struct smi_counts_item){v, n};
    return 0;
}

static int compare_pair_value(const void *x, const void *y)
{
    const struct smi_counts_item *a = x, *b = y;
    return (a->value > b->value) - (a->value < b->value);
}

/* In order, each value once. */
static void join_equal_pairs(struct pairs *all)
{
    size_t n = 0;
    if (all->n)
        smi_sort(all->item, all->n, sizeof *all->item, compare_pair_value);
    for (size_t i = 0; i < all->n; i++)
        if (n && all->item[n - 1].value == all->item[i].value)
            all->item[n - 1].n += all->item[i].n;
        else
            all->item[n++] = all->item[i];
    all->n = n;
}

/* What divides all values; the first value and how often it was; then of each the step to it, and whether it
 * was there more than once, and how often. Most values of a fine reading come once, a few steps from the
 * last. */
static void put_pairs(struct smi_buf *b, const struct pairs *all)
{
    const struct smi_counts_item *v = all->item;
    int64_t unit = 0;
    for (size_t i = 0; i < all->n; i++)
        unit = smi_greatest_divisor(unit, v[i].value);
    unit = unit ? unit : 1;
    for (size_t i = 0; i < all->n; i++) {
        bool more = v[i].n > 1;
        if (i == 0) {
            smi_packed_write(b, (smi_u128)unit);
            smi_packed_write_signed(b, v[0].value / unit);
        }
        smi_packed_write(
            b, (i ? (((smi_u128)v[i].value - (smi_u128)v[i - 1].value) / (smi_u128)unit - 1) * 2 : 0) + more);
        if (more)
            smi_packed_write(b, (smi_u128)v[i].n - 2);
    }
}

/* [step, values], and behind them, where the values are only near, how many they are, and their sums. */
void smi_partial_write_counts(struct smi_json *j, const char *key, const struct smi_counts *c)
{
    struct pairs all = {0};
    struct smi_buf b = {0};
    if (smi_counts_each(c, append_pair, &all))
        j->to->failed = true;
    join_equal_pairs(&all);
    put_pairs(&b, &all);
    smi_mem_free(all.item);
    smi_json_key(j, key);
    smi_json_open(j, '[');
    smi_json_int(j, c->step);
    write_letters(j, &b);
    if (c->approximate) {
        smi_json_int(j, c->n);
        smi_json_int(j, c->min);
        smi_json_int(j, c->max);
        smi_partial_write_wide(j, c->sum);
        smi_partial_write_wide(j, c->sum2);
    }
    smi_json_close(j, ']');
}

/* None: no key. */
static void write_timesum(struct smi_json *j, const char *key, const struct smi_time_sum *s)
{
    if (!s->n)
        return;
    smi_json_key(j, key);
    smi_json_open(j, '[');
    for (size_t i = 0; i < s->n; i++) {
        smi_json_int(j, s->slot[i].bin);
        smi_json_int(j, s->slot[i].n);
        smi_json_int(j, s->slot[i].dt);
        smi_partial_write_wide(j, s->slot[i].area);
    }
    smi_json_close(j, ']');
}

/* The metrics of the rows that a track keeps, each once, whose names would fill half of it. */
struct kept_names {
    uint16_t metric[SMI_METRIC_COUNT];
    unsigned n, place[SMI_METRIC_COUNT]; /* place + 1; 0: not among them */
};

static void name_kept(struct kept_names *names, const struct smi_last_row *k)
{
    for (unsigned i = 0; k->has && i < k->n; i++)
        if (!names->place[k->metric[i]]) {
            names->metric[names->n++] = k->metric[i];
            names->place[k->metric[i]] = names->n;
        }
}

static void write_last_row(struct smi_json *j, const char *key, const struct smi_last_row *k,
                           const struct kept_names *names)
{
    struct smi_buf b = {0};
    int64_t unit = 0;
    if (!k->has)
        return;
    for (unsigned i = 0; i < k->n; i++)
        unit = smi_greatest_divisor(unit, k->v[i]);
    unit = unit ? unit : 1;
    smi_packed_write(&b, (smi_u128)unit);
    for (unsigned i = 0; i < k->n; i++) {
        smi_packed_write(&b, names->place[k->metric[i]] - 1);
        smi_packed_write_signed(&b, k->v[i] / unit);
    }
    smi_json_key(j, key);
    smi_json_open(j, '{');
    smi_json_key_int(j, "t", k->t_ms);
    smi_json_key_bool(j, "fine", k->fine);
    smi_json_key(j, "v");
    write_letters(j, &b);
    smi_json_close(j, '}');
}

/* The first row and the last one, and the one that is in no sum. */
static void write_edges(struct smi_json *j, const struct smi_device_stats *t)
{
    struct kept_names names = {.n = 0};
    name_kept(&names, &t->head);
    name_kept(&names, &t->first);
    name_kept(&names, &t->last);
    if (names.n) {
        smi_json_key(j, "edges");
        smi_json_open(j, '[');
        for (unsigned i = 0; i < names.n; i++)
            smi_json_str(j, smi_metrics[names.metric[i]].key);
        smi_json_close(j, ']');
    }
    write_last_row(j, "head", &t->head, &names);
    write_last_row(j, "first", &t->first, &names);
    write_last_row(j, "last", &t->last, &names);
}

/* Buckets from i on that follow each other and have as many readings each. */
static size_t count_equal_buckets(const struct smi_series *s, size_t i)
{
    size_t k = i + 1;
    while (k < s->n && s->bucket[k].n == s->bucket[i].n)
        k++;
    return k - i;
}

/* What divides all values; then for buckets that are alike how many were left out before them, how many they
 * are, and how many readings each has; of each how far its least is from that of the bucket before, and,
 * where it has more readings than one, how far its largest, and the sum, are above. */
static void put_buckets(struct smi_buf *b, const struct smi_series *s)
{
    int64_t unit = 0, last = 0;
    size_t left = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->bucket[i].n)
            unit = smi_greatest_divisor(smi_greatest_divisor(unit, s->bucket[i].min), s->bucket[i].max);
        if (s->bucket[i].n && unit) /* a reading in between need not be a multiple */
            unit = smi_greatest_divisor(unit, (int64_t)(s->bucket[i].sum % unit));
    }
    unit = unit ? unit : 1;
    smi_packed_write(b, (smi_u128)unit);
    for (size_t i = 0, n; i < s->n; i += n) {
        n = count_equal_buckets(s, i);
        left = s->bucket[i].n ? left : left + n;
        if (!s->bucket[i].n)
            continue;
        smi_packed_write(b, left);
        smi_packed_write(b, n - 1);
        smi_packed_write(b, (smi_u128)s->bucket[i].n - 1);
        left = 0;
        for (size_t k = i; k < i + n; k++) {
            const struct smi_series_bucket *v = &s->bucket[k];
            smi_packed_write_signed(b, ((smi_i128)v->min - last) / unit);
            last = v->min;
            if (v->n > 1) {
                smi_packed_write(b, (smi_u128)(((smi_i128)v->max - v->min) / unit));
                smi_packed_write(b, (smi_u128)((v->sum - (smi_i128)v->min * v->n) / unit));
            }
        }
    }
}

static void write_series(struct smi_json *j, const struct smi_series *s)
{
    struct smi_buf b = {0};
    smi_json_key(j, "series");
    smi_json_open(j, '[');
    smi_json_int(j, s->shift);
    smi_json_int(j, s->base);
    put_buckets(&b, s);
    write_letters(j, &b);
    smi_json_close(j, ']');
}

static bool has_timed(const struct smi_device_stats *t)
{
    bool any = false;
    for (int i = 0; i < SMI_TIMED_COUNT; i++)
        any |= t->timed[i].has;
    return any;
}

static void write_timed(struct smi_json *j, const struct smi_device_stats *t)
{
    if (!has_timed(t))
        return;
    smi_json_key(j, "timed");
    smi_json_open(j, '{');
    for (int i = 0; i < SMI_TIMED_COUNT; i++) {
        const struct smi_timed_metrics *m = &t->timed[i];
        if (!m->has)
            continue;
        smi_json_key(j, smi_metrics[smi_timed_metrics[i]].key);
        smi_json_open(j, '{');
        smi_json_key_int(j, "first_t", m->first_t);
        smi_json_key_int(j, "first_v", m->first_v);
        smi_json_key_int(j, "first_seg", m->first_seg);
        smi_json_key_int(j, "last_t", m->last_t);
        smi_json_key_int(j, "last_v", m->last_v);
        smi_json_key_int(j, "last_seg", m->last_seg);
        write_timesum(j, "sum", &m->sum);
        write_series(j, &t->series[i]);
        smi_json_close(j, '}');
    }
    smi_json_close(j, '}');
}

static void write_counters(struct smi_json *j, const struct smi_device_stats *t)
{
    if (!t->counters)
        return;
    smi_json_key(j, "counters");
    smi_json_open(j, '{');
    for (size_t i = 0; i < t->counters; i++) {
        const struct smi_counter *c = &t->counter[i];
        smi_json_key(j, smi_metrics[c->metric].key);
        smi_json_open(j, '[');
        smi_json_int(j, c->n);
        smi_json_int(j, c->first_t);
        smi_json_int(j, c->first_v);
        smi_json_int(j, c->last_t);
        smi_json_int(j, c->last_v);
        smi_partial_write_wide(j, c->increase);
        smi_json_int(j, c->rises);
        smi_json_int(j, c->first_rise);
        smi_json_int(j, c->last_rise);
        smi_json_close(j, ']');
    }
    smi_json_close(j, '}');
}

static void write_tallies(struct smi_json *j, const struct smi_device_stats *t,
                          const struct smi_phases *phases)
{
    if (!t->tallies)
        return;
    smi_json_key(j, "phases");
    smi_json_open(j, '{');
    for (size_t i = 0; i < t->tallies; i++) {
        const struct smi_phase_stats *y = &t->tally[i];
        smi_json_key(j, phases->phase[y->phase].name);
        smi_json_open(j, '{');
        smi_json_key_int(j, "rows", y->rows);
        smi_json_key(j, "pool");
        smi_json_open(j, '[');
        for (int k = 0; k < SMI_BLOCK_SLOTS; k++) {
            smi_json_int(j, y->pool[k].n);
            smi_json_int(j, y->pool[k].max);
            smi_partial_write_wide(j, y->pool[k].sum);
        }
        smi_json_close(j, ']');
        write_timesum(j, "energy", &y->energy);
        write_timesum(j, "idle", &y->idle);
        smi_json_close(j, '}');
    }
    smi_json_close(j, '}');
}

static void write_segments(struct smi_json *j, const struct smi_device_stats *t)
{
    smi_json_key(j, "segments");
    smi_json_open(j, '[');
    smi_json_int(j, t->segments);
    smi_json_int(j, t->segment_rest);
    smi_json_int(j, t->open.first);
    smi_json_int(j, t->open.last);
    for (int64_t i = 0; i + 1 < t->segments && i < SMI_SEGMENTS_MAX; i++) {
        smi_json_int(j, t->segment[i].first);
        smi_json_int(j, t->segment[i].last);
    }
    smi_json_close(j, ']');
}

static void write_idle_stretch(struct smi_json *j, const struct smi_idle_stretch *idle)
{
    smi_json_int(j, idle->ms);
    smi_json_int(j, idle->ms ? idle->from_ms : 0);
}

static void write_states(struct smi_json *j, const struct smi_device_stats *t)
{
    write_timesum(j, "covered", &t->covered);
    write_timesum(j, "idle", &t->idle);
    write_timesum(j, "lead", &t->lead);
    write_timesum(j, "trail", &t->trail);
    smi_json_key_bool(j, "worked", t->worked);
    smi_json_key(j, "throttle");
    smi_json_open(j, '{');
    for (int i = 0; i < SMI_THROTTLE_COUNT; i++)
        write_timesum(j, smi_metrics[SMI_THROTTLE_FIRST + i].key, &t->throttle[i]);
    smi_json_close(j, '}');
    smi_json_key(j, "stretch");
    smi_json_open(j, '[');
    smi_json_int(j, t->stretch.prefix);
    smi_json_int(j, t->stretch.suffix);
    smi_json_int(j, t->stretch.best);
    smi_json_int(j, t->stretch.broken);
    smi_json_int(j, t->stretch.suffix ? t->stretch.suffix_from : 0);
    write_idle_stretch(j, &t->stretch.before);
    write_idle_stretch(j, &t->stretch.between);
    write_idle_stretch(j, &t->stretch.since);
    smi_json_int(j, t->stretch.prefix ? t->stretch.prefix_from : 0);
    smi_json_close(j, ']');
}

void smi_partial_write_device(struct smi_json *j, const struct smi_device_stats *t,
                              const struct smi_phases *phases)
{
    if (!t) {
        smi_json_null(j);
        return;
    }
    smi_json_open(j, '{');
    smi_json_key_int(j, "rows", t->rows);
    smi_json_key_bool(j, "dedupe", t->dedupe);
    smi_json_key_bool(j, "timed_rows", t->timed_rows);
    smi_json_key_bool(j, "pooled", t->pooled);
    write_edges(j, t);
    smi_json_key(j, "counts");
    smi_json_open(j, '{');
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (t->counts[m])
            smi_partial_write_counts(j, smi_metrics[m].key, t->counts[m]);
    smi_json_close(j, '}');
    write_timed(j, t);
    write_counters(j, t);
    write_states(j, t);
    write_segments(j, t);
    smi_partial_write_counts(j, "dts", &t->dts);
    smi_partial_write_counts(j, "lengths", &t->lengths);
    write_tallies(j, t, phases);
    smi_json_close(j, '}');
}
