/* partial_tables.c - the tables of a partial summary: inputs, devices and counts */
#include "aggregate/device_stats.h"
#include "summary/partial_private.h"

#include <string.h>

/* ---- Counts of readings, sums over time and series in a partial summary: numbers in few letters ---- */

/* Ends b, whose letters become a value. */
static void write_letters(struct smi_json *j, struct smi_buf *b)
{
    smi_json_text(j, (struct smi_text){b->p ? b->p : "", b->n});
    smi_buf_fini(b);
}

/* p is NULL where there are none. */
static struct smi_packed read_letters(const json_t *v)
{
    return (struct smi_packed){{json_string_value(v), json_is_string(v) ? json_string_length(v) : 0}, false};
}

/* Products with what is larger would leave 128 bits. */
static smi_i128 limit_wide(smi_i128 v)
{
    const smi_i128 most = (smi_i128)1 << 56;
    return v > most ? most : v < -most ? -most : v;
}

/* ---- counts ---- */

/* What divides all values; the first value and how often it was; then of each the step to it, and whether it
 * was there more than once, and how often. Most values of a fine reading come once, a few steps from the
 * last. */
static void pack_pairs(struct smi_buf *b, const struct smi_counts_view *v)
{
    struct smi_counts_cursor w = {0}, again = {0};
    struct smi_counts_item i;
    int64_t unit = 0, last = 0;
    while (smi_counts_view_next_key(v, &w, &i))
        unit = smi_greatest_divisor(unit, i.value);
    unit = unit ? unit : 1;
    for (bool first = true; smi_counts_view_next_key(v, &again, &i); first = false) {
        bool more = i.n > 1;
        if (first) {
            smi_packed_write(b, (smi_u128)unit);
            smi_packed_write_signed(b, i.value / unit);
        }
        smi_packed_write(b, (first ? 0 : (((smi_u128)i.value - (smi_u128)last) / (smi_u128)unit - 1) * 2) +
                                more);
        if (more)
            smi_packed_write(b, (smi_u128)i.n - 2);
        last = i.value;
    }
}

/* [step, values], and behind them, where the values are only near, how many they are, and their sums. */
static void write_counts(struct smi_json *j, const void *owner, const void *member)
{
    const struct smi_counts *c = member;
    struct smi_counts_view v;
    struct smi_buf b = {0};
    (void)owner;
    smi_counts_view(c, &v);
    pack_pairs(&b, &v);
    smi_counts_view_fini(&v);
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

/* Values of one kind: each is less than most, there are so many, and few of them are LARGE. The sums of their
 * squares stay below 2^123. */
struct limits {
    int64_t least, most, rows, large;
};

#define LARGE ((int64_t)1 << 43)
static const struct limits readings = {-LARGE + 1, LARGE, (int64_t)1 << 36, 0}; /* millionths */
static const struct limits times = {1, (int64_t)1 << 49, (int64_t)1 << 36,
                                    1 << 22}; /* ms, to the year 9999 */

/* Are there n values with these sums? Their limits are far from where arithmetic ends; no variance is
 * negative. */
static bool are_sums_possible(const struct smi_counts *c, int64_t n, const struct limits *of)
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

static void read_sums(struct smi_partial_reader *g, const json_t *o, struct smi_counts *c, int64_t n,
                      const struct limits *of)
{
    c->n = smi_partial_read_int(g, json_array_get(o, 2));
    c->min = smi_partial_read_int(g, json_array_get(o, 3));
    c->max = smi_partial_read_int(g, json_array_get(o, 4));
    c->sum = smi_partial_read_wide(g, json_array_get(o, 5));
    c->sum2 = smi_partial_read_wide(g, json_array_get(o, 6));
    if (!are_sums_possible(c, n, of))
        smi_partial_read_fail(g, "sums that no values have");
}

static void read_counts(struct smi_partial_reader *g, const json_t *o, struct smi_counts *c,
                        const struct limits *of)
{
    struct smi_packed v = read_letters(json_array_get(o, 1));
    int64_t step = smi_partial_read_int(g, json_array_get(o, 0)), all = 0, large = 0, unit = 0;
    smi_i128 key = 0;
    if (step < 1 || !v.left.p)
        smi_partial_read_fail(g, "counts");
    smi_counts_init(c, step < 1 ? 1 : step);
    c->approximate = json_array_size(o) == 7;
    for (bool first = true; v.left.n && !g->bad; first = false) { /* as pack_pairs */
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
        all += n;
        large += key >= LARGE ? n : 0;
        if (v.bad || unit <= 0 || key < of->least || key >= of->most || n > of->rows || all > of->rows ||
            large > of->large)
            smi_partial_read_fail(g, "a count");
        else if (c->approximate)
            smi_counts_add_bucket(c, (int64_t)key, n);
        else
            smi_counts_add_many(c, (int64_t)key, n);
    }
    if (c->approximate)
        read_sums(g, o, c, all, of);
}

static void read_readings(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    (void)owner;
    read_counts(g, v, member, &readings);
    if (smi_counts_total(member) == 0)
        smi_partial_read_fail(g, "a metric without values");
}

static void read_intervals(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    (void)owner;
    smi_counts_fini(member);
    read_counts(g, v, member, &times);
}

const struct smi_partial_codec smi_partial_counts = {write_counts, read_readings};
const struct smi_partial_codec smi_partial_intervals = {write_counts, read_intervals};

/* ---- sums over time ---- */

static const struct smi_partial_field time_sum_fields[] = {
    SMI_PARTIAL_RANGE(smi_time_sum_slot, bin, NULL, 0, 511),
    SMI_PARTIAL_COUNT(smi_time_sum_slot, n, NULL),
    SMI_PARTIAL_COUNT(smi_time_sum_slot, dt, NULL),
    SMI_PARTIAL_SUM(smi_time_sum_slot, area, NULL),
};
const struct smi_partial_shape smi_partial_time_sum =
    SMI_PARTIAL_SHAPE("time sums", false, smi_time_sum_slot, time_sum_fields);

bool smi_partial_add_time_sum(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_time_sum_slot *v = item;
    struct smi_time_sum *s = list;
    (void)g;
    (void)owner;
    if (smi_time_sum_has(s, v->bin))
        return false;
    smi_time_sum_add(s, v->bin, v->n, v->dt, v->area);
    return true;
}

bool smi_partial_add_time_share(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_time_sum_slot *v = item;
    if (v->area < 0 || v->area > v->dt)
        smi_partial_read_fail(g, "a part of a time that is longer than it");
    return g->bad || smi_partial_add_time_sum(g, owner, list, item);
}

/* ---- series ---- */

/* Buckets from i on that follow each other and have as many readings each. */
static size_t count_alike(const struct smi_series *s, size_t i)
{
    size_t k = i + 1;
    while (k < s->n && s->bucket[k].n == s->bucket[i].n)
        k++;
    return k - i;
}

static int64_t unit_of_series(const struct smi_series *s)
{
    int64_t unit = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->bucket[i].n)
            unit = smi_greatest_divisor(smi_greatest_divisor(unit, s->bucket[i].min), s->bucket[i].max);
        if (s->bucket[i].n && unit) /* a reading in between need not be a multiple */
            unit = smi_greatest_divisor(unit, (int64_t)(s->bucket[i].sum % unit));
    }
    return unit ? unit : 1;
}

/* What divides all values; then for buckets that are alike how many were left out before them, how many they
 * are, and how many readings each has; of each how far its least is from that of the bucket before, and,
 * where it has more readings than one, how far its largest, and the sum, are above. */
static void pack_buckets(struct smi_buf *b, const struct smi_series *s)
{
    int64_t unit = unit_of_series(s), last = 0;
    size_t left = 0;
    smi_packed_write(b, (smi_u128)unit);
    for (size_t i = 0, n; i < s->n; i += n) {
        n = count_alike(s, i);
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

/* b holds the bucket before it, and its own count. */
static void unpack_bucket(struct smi_packed *v, int64_t unit, struct smi_series_bucket *b)
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

static void write_series(struct smi_json *j, const void *owner, const void *member)
{
    const struct smi_series *s = member;
    struct smi_buf b = {0};
    (void)owner;
    smi_json_open(j, '[');
    smi_json_int(j, s->shift);
    smi_json_int(j, s->base);
    pack_buckets(&b, s);
    write_letters(j, &b);
    smi_json_close(j, ']');
}

static void read_series(struct smi_partial_reader *g, const json_t *a, void *owner, void *member)
{
    int64_t shift = smi_partial_read_int(g, json_array_get(a, 0)),
            index = smi_partial_read_int(g, json_array_get(a, 1)), unit;
    struct smi_packed v = read_letters(json_array_get(a, 2));
    struct smi_series_bucket b = {0};
    (void)owner;
    if (shift < 0 || shift > 48 || !v.left.p)
        smi_partial_read_fail(g, "series");
    unit = smi_packed_read_upto(&v, SMI_PARTIAL_INT_MAX);
    while (v.left.n && !g->bad) { /* as pack_buckets */
        int64_t left = smi_packed_read_upto(&v, SMI_SERIES_MAX),
                n = smi_packed_read_upto(&v, SMI_SERIES_MAX) + 1;
        b.n = smi_packed_read_upto(&v, SMI_PARTIAL_INT_MAX) + 1;
        for (index += left; n && !g->bad; n--, index++) {
            unpack_bucket(&v, unit, &b);
            if (v.bad || b.n <= 0 || b.sum > (smi_i128)b.max * b.n || index > SMI_PARTIAL_INT_MAX >> shift ||
                index < -(SMI_PARTIAL_INT_MAX >> shift))
                smi_partial_read_fail(g, "series");
            else
                smi_series_add_bucket(member, index, (unsigned)shift, &b);
        }
    }
    if (v.bad)
        smi_partial_read_fail(g, "series");
}

const struct smi_partial_codec smi_partial_series = {write_series, read_series};

/* What a partial summary holds of one GPU, or of the host: its table of fields. Metrics go by their names, so
 * that the catalogue may grow. */

/* ---- the rows at its edges ---- */

/* The metrics of the rows that a device keeps, each once, whose names would fill half of it. */
struct row_metrics {
    uint16_t metric[SMI_METRIC_COUNT];
    unsigned n, place[SMI_METRIC_COUNT]; /* place + 1; 0: not among them */
};

static void add_row_metrics(struct row_metrics *m, const struct smi_last_row *row)
{
    for (unsigned i = 0; row->has && i < row->n; i++)
        if (!m->place[row->metric[i]]) {
            m->metric[m->n++] = row->metric[i];
            m->place[row->metric[i]] = m->n;
        }
}

static struct row_metrics list_row_metrics(const struct smi_device_stats *t)
{
    struct row_metrics m = {.n = 0};
    add_row_metrics(&m, &t->head);
    add_row_metrics(&m, &t->first);
    add_row_metrics(&m, &t->last);
    return m;
}

static void write_metric_names(struct smi_json *j, const void *owner, const void *member)
{
    const struct row_metrics m = list_row_metrics(owner);
    (void)member;
    smi_json_open(j, '[');
    for (unsigned i = 0; i < m.n; i++)
        smi_json_str(j, smi_metrics[m.metric[i]].key);
    smi_json_close(j, ']');
}

static void keep_metric_names(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    (void)owner, (void)member;
    g->metrics = v;
}

static void write_row(struct smi_json *j, const void *owner, const void *member)
{
    const struct row_metrics names = list_row_metrics(owner);
    const struct smi_last_row *row = member;
    struct smi_buf b = {0};
    int64_t unit = 0;
    for (unsigned i = 0; i < row->n; i++)
        unit = smi_greatest_divisor(unit, row->v[i]);
    unit = unit ? unit : 1;
    smi_packed_write(&b, (smi_u128)unit);
    for (unsigned i = 0; i < row->n; i++) {
        smi_packed_write(&b, names.place[row->metric[i]] - 1);
        smi_packed_write_signed(&b, row->v[i] / unit);
    }
    smi_json_open(j, '{');
    smi_json_key_int(j, "t", row->t_ms);
    smi_json_key_bool(j, "fine", row->fine);
    smi_json_key(j, "v");
    smi_json_text(j, (struct smi_text){b.p, b.n});
    smi_json_close(j, '}');
    smi_buf_fini(&b);
}

/* The next reading of a row, in units. Returns whether there is one. */
static bool read_reading(struct smi_partial_reader *g, struct smi_packed *v, int64_t unit,
                         struct smi_last_row *row)
{
    size_t place = (size_t)smi_packed_read_upto(v, SMI_METRIC_COUNT);
    const char *key = json_string_value(json_array_get(g->metrics, place));
    smi_i128 units = smi_packed_read_signed(v), most = SMI_PARTIAL_READING_MAX / unit;
    int m = v->bad || !key ? -1 : smi_partial_read_metric(g, key);
    if (m < 0 || row->n == SMI_SAMPLE_MAX || units > most || units < -most) {
        smi_partial_read_fail(g, "a row");
        return false;
    }
    smi_mem_reserve(&row->metric, &row->cap, row->n + 1, sizeof *row->metric);
    smi_mem_reserve(&row->v, &row->vcap, row->n + 1, sizeof *row->v);
    row->has = true;
    row->metric[row->n] = (uint16_t)m;
    row->v[row->n++] = (int64_t)(units * unit);
    return true;
}

static void read_row(struct smi_partial_reader *g, const json_t *o, void *owner, void *member)
{
    const char *letters = json_string_value(json_object_get(o, "v"));
    struct smi_packed v = {smi_text_of(letters ? letters : ""), false};
    struct smi_last_row *row = member;
    int64_t unit;
    (void)owner;
    if (!json_is_object(o))
        return;
    unit = smi_packed_read_upto(&v, SMI_PARTIAL_READING_MAX);
    if (!v.left.n || unit == 0) {
        smi_partial_read_fail(g, "a row without readings");
        return;
    }
    row->t_ms = smi_partial_read_int(g, json_object_get(o, "t"));
    row->fine = json_is_true(json_object_get(o, "fine"));
    while (v.left.n && !g->bad && read_reading(g, &v, unit, row)) {
    }
}

static const struct smi_partial_codec metric_names = {write_metric_names, keep_metric_names};
static const struct smi_partial_codec edge_row = {write_row, read_row};

/* ---- by metric ---- */

static const void *counts_at(const void *owner, size_t i, unsigned *metric)
{
    const struct smi_device_stats *t = owner;
    *metric = (unsigned)i;
    return i < SMI_METRIC_COUNT ? t->counts[i] : NULL;
}

static void *add_counts(struct smi_partial_reader *g, void *owner, unsigned metric)
{
    struct smi_device_stats *t = owner;
    (void)g;
    t->counts[metric] = smi_mem_new(1, sizeof **t->counts);
    return t->counts[metric];
}

static const struct smi_partial_field counts_value = {.kind = SMI_PARTIAL_CODEC,
                                                      .codec = &smi_partial_counts};
static const struct smi_partial_map all_counts = {&counts_value, counts_at, add_counts};

static const struct smi_partial_field timed_fields[] = {
    SMI_PARTIAL_NUMBER(smi_timed_metrics, first_t, "first_t"),
    SMI_PARTIAL_NUMBER(smi_timed_metrics, first_v, "first_v"),
    SMI_PARTIAL_COUNT(smi_timed_metrics, first_seg, "first_seg"),
    SMI_PARTIAL_NUMBER(smi_timed_metrics, last_t, "last_t"),
    SMI_PARTIAL_NUMBER(smi_timed_metrics, last_v, "last_v"),
    SMI_PARTIAL_COUNT(smi_timed_metrics, last_seg, "last_seg"),
    SMI_PARTIAL_TIME_SUM(smi_timed_metrics, sum, "sum"),
    SMI_PARTIAL_WITH(smi_timed_metrics, series, "series", &smi_partial_series),
};
static const struct smi_partial_shape timed_shape =
    SMI_PARTIAL_SHAPE("timed metrics", true, smi_timed_metrics, timed_fields);

static const void *timed_at(const void *owner, size_t i, unsigned *metric)
{
    const struct smi_device_stats *t = owner;
    *metric = i < SMI_TIMED_COUNT ? smi_timed_metrics[i] : SMI_METRIC_COUNT;
    return i < SMI_TIMED_COUNT && t->timed[i].has ? &t->timed[i] : NULL;
}

static void *add_timed(struct smi_partial_reader *g, void *owner, unsigned metric)
{
    struct smi_device_stats *t = owner;
    int slot = smi_timed_slot(metric);
    (void)g;
    if (slot < 0)
        return NULL;
    t->timed[slot].has = true;
    return &t->timed[slot];
}

static const struct smi_partial_field timed_value = {.kind = SMI_PARTIAL_STRUCT, .of = &timed_shape};
static const struct smi_partial_map timed_metrics = {&timed_value, timed_at, add_timed};

static const struct smi_partial_field counter_fields[] = {
    SMI_PARTIAL_COUNT(smi_counter, n, NULL),
    SMI_PARTIAL_NUMBER(smi_counter, first_t, NULL),
    SMI_PARTIAL_RANGE(smi_counter, first_v, NULL, -SMI_PARTIAL_READING_MAX, SMI_PARTIAL_READING_MAX),
    SMI_PARTIAL_NUMBER(smi_counter, last_t, NULL),
    SMI_PARTIAL_RANGE(smi_counter, last_v, NULL, -SMI_PARTIAL_READING_MAX, SMI_PARTIAL_READING_MAX),
    SMI_PARTIAL_SUM(smi_counter, increase, NULL),
    SMI_PARTIAL_COUNT(smi_counter, rises, NULL),
    SMI_PARTIAL_NUMBER(smi_counter, first_rise, NULL),
    SMI_PARTIAL_NUMBER(smi_counter, last_rise, NULL),
};
static const struct smi_partial_shape counter_shape =
    SMI_PARTIAL_SHAPE("counters", false, smi_counter, counter_fields);

static const void *counter_at(const void *owner, size_t i, unsigned *metric)
{
    const struct smi_device_stats *t = owner;
    *metric = i < t->counters ? t->counter[i].metric : SMI_METRIC_COUNT;
    return i < t->counters ? &t->counter[i] : NULL;
}

static void *add_counter(struct smi_partial_reader *g, void *owner, unsigned metric)
{
    struct smi_counter *c = smi_device_stats_counter(owner, (uint16_t)metric);
    (void)g;
    return c;
}

static const struct smi_partial_field counter_value = {.kind = SMI_PARTIAL_STRUCT, .of = &counter_shape};
static const struct smi_partial_map all_counters = {&counter_value, counter_at, add_counter};

static const struct smi_partial_field throttle_value =
    SMI_PARTIAL_ITEMS(smi_time_sum, slot, n, NULL, &smi_partial_time_sum, INT64_MAX,
                      smi_partial_add_time_share, SMI_PARTIAL_FLAT);

static const void *throttle_at(const void *owner, size_t i, unsigned *metric)
{
    const struct smi_device_stats *t = owner;
    *metric = i < SMI_THROTTLE_COUNT ? SMI_THROTTLE_FIRST + (unsigned)i : SMI_METRIC_COUNT;
    return i < SMI_THROTTLE_COUNT && t->throttle[i].n ? &t->throttle[i] : NULL;
}

static void *add_throttle(struct smi_partial_reader *g, void *owner, unsigned metric)
{
    struct smi_device_stats *t = owner;
    (void)g;
    return metric >= SMI_THROTTLE_FIRST && metric < SMI_THROTTLE_FIRST + SMI_THROTTLE_COUNT
               ? &t->throttle[metric - SMI_THROTTLE_FIRST]
               : NULL;
}

static const struct smi_partial_map throttles = {&throttle_value, throttle_at, add_throttle};

/* ---- idle time and segments ---- */

/* Where there is no stretch, the time it began is left over from another one. */
static const struct smi_partial_field idle_fields[] = {SMI_PARTIAL_COUNT(smi_idle_stretch, ms, NULL),
                                                       SMI_PARTIAL_WHEN(smi_idle_stretch, from_ms, ms)};
static const struct smi_partial_shape idle_shape =
    SMI_PARTIAL_SHAPE("stretch", false, smi_idle_stretch, idle_fields);
static const struct smi_partial_field stretch_fields[] = {
    SMI_PARTIAL_NUMBER(smi_device_stats, stretch.prefix, NULL),
    SMI_PARTIAL_NUMBER(smi_device_stats, stretch.suffix, NULL),
    SMI_PARTIAL_NUMBER(smi_device_stats, stretch.best, NULL),
    SMI_PARTIAL_RANGE(smi_device_stats, stretch.broken, NULL, 0, 1),
    SMI_PARTIAL_WHEN(smi_device_stats, stretch.suffix_from, stretch.suffix),
    SMI_PARTIAL_PART(smi_device_stats, stretch.before, NULL, &idle_shape),
    SMI_PARTIAL_PART(smi_device_stats, stretch.between, NULL, &idle_shape),
    SMI_PARTIAL_PART(smi_device_stats, stretch.since, NULL, &idle_shape),
    SMI_PARTIAL_WHEN(smi_device_stats, stretch.prefix_from, stretch.prefix),
};
static const struct smi_partial_shape stretch_shape =
    SMI_PARTIAL_SHAPE("stretch", false, smi_device_stats, stretch_fields);

/* The closed segments that are kept one by one. */
static size_t kept_segments(const struct smi_device_stats *t)
{
    if (t->segments > SMI_SEGMENTS_MAX)
        return SMI_SEGMENTS_MAX;
    return t->segments ? (size_t)t->segments - 1 : 0;
}

static void write_segments(struct smi_json *j, const void *owner, const void *member)
{
    const struct smi_device_stats *t = owner;
    (void)member;
    smi_json_open(j, '[');
    smi_json_int(j, t->segments);
    smi_json_int(j, t->segment_rest);
    smi_json_int(j, t->open.first);
    smi_json_int(j, t->open.last);
    for (size_t i = 0; i < kept_segments(t); i++) {
        smi_json_int(j, t->segment[i].first);
        smi_json_int(j, t->segment[i].last);
    }
    smi_json_close(j, ']');
}

static struct smi_segment read_segment(struct smi_partial_reader *g, const json_t *a, size_t at)
{
    int64_t first = smi_partial_read_int(g, json_array_get(a, at));
    return (struct smi_segment){first, smi_partial_read_int(g, json_array_get(a, at + 1))};
}

static void read_segments(struct smi_partial_reader *g, const json_t *a, void *owner, void *member)
{
    struct smi_device_stats *t = owner;
    (void)member;
    t->segments = smi_partial_read_int(g, json_array_get(a, 0));
    t->segment_rest = smi_partial_read_int(g, json_array_get(a, 1));
    t->open = read_segment(g, a, 2);
    if (t->segments < 0 || (!t->pooled && (t->segments == 0) != !t->first.has) ||
        json_array_size(a) != 4 + 2 * kept_segments(t)) {
        smi_partial_read_fail(g, "segments");
        return;
    }
    for (size_t i = 0; i < kept_segments(t); i++)
        t->segment[i] = read_segment(g, a, 4 + 2 * i);
}

static const struct smi_partial_codec segments = {write_segments, read_segments};

static const struct smi_partial_field aside_fields[] = {
    SMI_PARTIAL_RANGE(smi_device_stats, asides, NULL, 1, SMI_PARTIAL_INT_MAX),
    SMI_PARTIAL_NUMBER(smi_device_stats, aside.first, NULL),
    SMI_PARTIAL_NUMBER(smi_device_stats, aside.last, NULL),
};
static const struct smi_partial_shape aside_shape =
    SMI_PARTIAL_SHAPE("aside", false, smi_device_stats, aside_fields);

static const struct smi_partial_field load_fields[] = {
    SMI_PARTIAL_COUNT(smi_load, rows, NULL),
    SMI_PARTIAL_SUM(smi_load, clock, NULL),
    SMI_PARTIAL_SUM(smi_load, power, NULL),
};
static const struct smi_partial_shape load_shape = SMI_PARTIAL_SHAPE("load", false, smi_load, load_fields);

/* ---- the table ---- */

static const struct smi_partial_field device_fields[] = {
    SMI_PARTIAL_COUNT(smi_device_stats, rows, "rows"),
    SMI_PARTIAL_FLAG(smi_device_stats, dedupe, "dedupe"),
    SMI_PARTIAL_FLAG(smi_device_stats, timed_rows, "timed_rows"),
    SMI_PARTIAL_FLAG(smi_device_stats, pooled, "pooled"),
    SMI_PARTIAL_WITH(smi_device_stats, head, "edges", &metric_names),
    SMI_PARTIAL_WITH_IF(smi_device_stats, head, head.has, "head", &edge_row),
    SMI_PARTIAL_WITH_IF(smi_device_stats, first, first.has, "first", &edge_row),
    SMI_PARTIAL_WITH_IF(smi_device_stats, last, last.has, "last", &edge_row),
    SMI_PARTIAL_METRICS(smi_device_stats, counts, "counts", &all_counts),
    SMI_PARTIAL_METRICS(smi_device_stats, timed, "timed", &timed_metrics),
    SMI_PARTIAL_MEMBER(MAP, smi_device_stats, counter, .key = "counters", .map = &all_counters,
                       SMI_PARTIAL_IF(smi_device_stats, counters)),
    SMI_PARTIAL_TIME_SUM(smi_device_stats, covered, "covered"),
    SMI_PARTIAL_TIME_SHARE(smi_device_stats, idle, "idle"),
    SMI_PARTIAL_TIME_SUM(smi_device_stats, lead, "lead"),
    SMI_PARTIAL_TIME_SUM(smi_device_stats, trail, "trail"),
    /* partial summaries without it are still read */
    SMI_PARTIAL_MEMBER(STRUCT, smi_device_stats, load, .key = "load", .repeat = SMI_LOAD_BINS,
                       .of = &load_shape, SMI_PARTIAL_IF(smi_device_stats, rows)),
    SMI_PARTIAL_FLAG(smi_device_stats, worked, "worked"),
    SMI_PARTIAL_METRICS(smi_device_stats, throttle, "throttle", &throttles),
    {.key = "stretch", .kind = SMI_PARTIAL_STRUCT, .of = &stretch_shape},
    SMI_PARTIAL_PART_IF(smi_device_stats, absent, absent.ms, "absent", &idle_shape),
    SMI_PARTIAL_WITH(smi_device_stats, segment, "segments", &segments),
    {.key = "aside",
     .kind = SMI_PARTIAL_STRUCT,
     .of = &aside_shape,
     SMI_PARTIAL_IF(smi_device_stats, asides)},
    SMI_PARTIAL_WITH(smi_device_stats, dts, "dts", &smi_partial_intervals),
    SMI_PARTIAL_WITH(smi_device_stats, lengths, "lengths", &smi_partial_intervals),
};
static const struct smi_partial_shape device_shape =
    SMI_PARTIAL_SHAPE("devices", true, smi_device_stats, device_fields);

/* ---- by phase ---- */

static const struct smi_partial_field pool_fields[] = {
    SMI_PARTIAL_COUNT(smi_phase_pool, n, NULL),
    SMI_PARTIAL_NUMBER(smi_phase_pool, max, NULL),
    SMI_PARTIAL_SUM(smi_phase_pool, sum, NULL),
};
static const struct smi_partial_shape pool_shape =
    SMI_PARTIAL_SHAPE("phases", false, smi_phase_pool, pool_fields);
static const struct smi_partial_field phase_fields[] = {
    SMI_PARTIAL_COUNT(smi_phase_stats, rows, "rows"),
    SMI_PARTIAL_PARTS(smi_phase_stats, pool, "pool", &pool_shape, SMI_BLOCK_SLOTS),
    SMI_PARTIAL_TIME_SUM(smi_phase_stats, energy, "energy"),
    SMI_PARTIAL_TIME_SHARE(smi_phase_stats, idle, "idle"),
};
static const struct smi_partial_shape phase_shape =
    SMI_PARTIAL_SHAPE("phases", true, smi_phase_stats, phase_fields);

static void read_phases(struct smi_partial_reader *g, const json_t *o, struct smi_device_stats *t)
{
    const char *key;
    json_t *v;
    json_object_foreach ((json_t *)o, key, v) {
        int number = smi_phases_find(&g->run->log.phases, smi_text_of(key));
        struct smi_phase_stats *of = number < 0 ? NULL : smi_device_stats_phase(t, (uint16_t)number);
        if (number < 0)
            smi_partial_read_fail(g, "a phase without run log");
        if (g->bad)
            return;
        smi_partial_read_struct(g, v, &phase_shape, of);
    }
}

/* ---- a device ---- */

void smi_partial_write_device(struct smi_json *j, const struct smi_device_stats *t,
                              const struct smi_phases *phases)
{
    if (!t) {
        smi_json_null(j);
        return;
    }
    smi_json_open(j, '{');
    smi_partial_write_members(j, &device_shape, t);
    if (t->tallies) {
        smi_json_key(j, "phases");
        smi_json_open(j, '{');
        for (size_t i = 0; i < t->tallies; i++) {
            smi_json_key(j, phases->phase[t->tally[i].phase].name);
            smi_partial_write_struct(j, &phase_shape, &t->tally[i]);
        }
        smi_json_close(j, '}');
    }
    smi_json_close(j, '}');
}

struct smi_device_stats *smi_partial_read_device(struct smi_partial_reader *g, const json_t *o)
{
    struct smi_device_stats *t;
    if (!json_is_object(o) || g->bad)
        return NULL;
    t = smi_mem_new(1, sizeof *t);
    smi_device_stats_init(t, &g->input->opts, false);
    g->metrics = NULL;
    smi_partial_read_struct(g, o, &device_shape, t);
    if (t->first.has != t->last.has)
        smi_partial_read_fail(g, "edges");
    if (t->aside.last < t->aside.first && (t->aside.first != 1 || t->aside.last)) /* not SMI_ASIDE_UNTIMED */
        smi_partial_read_fail(g, "aside");
    read_phases(g, json_object_get(o, "phases"), t);
    return t;
}

/* ---- What a partial summary holds of one input: its table of fields, and those of its lists ---- */

/* ---- lines ---- */

static const struct smi_partial_field account_fields[] = {
    SMI_PARTIAL_NUMBER(smi_account, lines, NULL),
    SMI_PARTIAL_NUMBER(smi_account, header, NULL),
    SMI_PARTIAL_NUMBER(smi_account, rows, NULL),
    SMI_PARTIAL_NUMBER(smi_account, duplicates, NULL),
    SMI_PARTIAL_NUMBER(smi_account, blank, NULL),
    SMI_PARTIAL_NUMBER(smi_account, messages, NULL),
    SMI_PARTIAL_NUMBER(smi_account, cells_missing, NULL),
    SMI_PARTIAL_NUMBER(smi_account, cells_bad, NULL),
    SMI_PARTIAL_NUMBER(smi_account, out_of_range, NULL),
    SMI_PARTIAL_NUMBER(smi_account, undecided, NULL),
    SMI_PARTIAL_NUMBER(smi_account, ragged_bursts, NULL),
    SMI_PARTIAL_NUMBER(smi_account, ragged_rows, NULL),
    SMI_PARTIAL_NUMBER(smi_account, burst, NULL),
    SMI_PARTIAL_NUMBER(smi_account, changes, NULL),
    SMI_PARTIAL_NUMBER(smi_account, stamps_never, NULL),
    SMI_PARTIAL_NUMBER(smi_account, stamps_twice, NULL),
    SMI_PARTIAL_NUMBER(smi_account, stamps_again, NULL),
    SMI_PARTIAL_REPEATED(smi_account, rejected, NULL, SMI_REJECT_COUNT),
};
static const struct smi_partial_shape account_shape =
    SMI_PARTIAL_SHAPE("account", false, smi_account, account_fields);

static void write_asked(struct smi_json *j, const void *owner, const void *member)
{
    const struct smi_input_stats *p = owner;
    (void)member;
    smi_json_open(j, '[');
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        if (smi_account_requested(&p->account, m))
            smi_json_str(j, smi_metrics[m].key);
    smi_json_close(j, ']');
}

static void read_asked(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    struct smi_input_stats *p = owner;
    (void)member;
    for (size_t i = 0; i < json_array_size(v) && !g->bad; i++) {
        const char *key = json_string_value(json_array_get(v, i));
        int m = smi_partial_read_metric(g, key ? key : "");
        if (m >= 0)
            smi_account_request(&p->account, (unsigned)m);
    }
}

static const struct smi_partial_codec asked = {write_asked, read_asked};

static const void *refused_at(const void *owner, size_t i, unsigned *metric)
{
    const int64_t *n = ((const struct smi_input_stats *)owner)->account.refused;
    *metric = (unsigned)i;
    return i < SMI_METRIC_COUNT && n[i] ? &n[i] : NULL;
}

static void *add_refused(struct smi_partial_reader *g, void *owner, unsigned metric)
{
    (void)g;
    return &((struct smi_input_stats *)owner)->account.refused[metric];
}

static const struct smi_partial_field refused_value = {
    .kind = SMI_PARTIAL_INT, .size = sizeof(int64_t), .most = SMI_PARTIAL_INT_MAX};
static const struct smi_partial_map refused = {&refused_value, refused_at, add_refused};

static const struct smi_partial_field problem_fields[] = {
    SMI_PARTIAL_RANGE(smi_log_warning, kind, NULL, 0, SMI_LOG_WARNING_COUNT - 1),
    SMI_PARTIAL_NUMBER(smi_log_warning, line, NULL),
    SMI_PARTIAL_NEEDED_NAME(smi_log_warning, text),
};
static const struct smi_partial_shape problem_shape =
    SMI_PARTIAL_SHAPE("problems", false, smi_log_warning, problem_fields);

/* ---- devices ---- */

static const struct smi_partial_field device_id_fields[] = {
    SMI_PARTIAL_MEMBER(TEXT, smi_device, key, .repeat = SMI_DEVICE_KEY_COUNT),
    SMI_PARTIAL_NAME(smi_device, name, NULL),
    SMI_PARTIAL_RANGE(smi_device, ordinal, NULL, -1, SMI_KEYLESS_GPUS_MAX - 1),
};
static const struct smi_partial_shape device_id_shape =
    SMI_PARTIAL_SHAPE("devices", false, smi_device, device_id_fields);

/* Is `who` one of the devices that are known by now, or `none`? */
static bool is_device(const struct smi_partial_reader *g, int who, int none)
{
    return who == none || (who >= 0 && (size_t)who < g->input->devices.n);
}

/* ---- processes ---- */

static const struct smi_partial_field proc_sum_fields[] = {
    SMI_PARTIAL_COUNT(smi_proc_sum, n, NULL),
    SMI_PARTIAL_SUM(smi_proc_sum, sum, NULL),
    SMI_PARTIAL_COUNT(smi_proc_sum, peaks, NULL),
    SMI_PARTIAL_NUMBER(smi_proc_sum, max, NULL),
};
static const struct smi_partial_shape proc_sum_shape =
    SMI_PARTIAL_SHAPE("processes", false, smi_proc_sum, proc_sum_fields);
static const struct smi_partial_field proc_fields[] = {
    SMI_PARTIAL_RANGE(smi_proc, who, NULL, INT32_MIN, INT32_MAX),
    SMI_PARTIAL_RANGE(smi_proc, pid, NULL, -1, SMI_PARTIAL_INT_MAX),
    SMI_PARTIAL_NAME(smi_proc, name, NULL),
    SMI_PARTIAL_RANGE(smi_proc, types, NULL, 0, 7),
    SMI_PARTIAL_RANGE(smi_proc, life_ms, NULL, -1, SMI_PARTIAL_INT_MAX),
    SMI_PARTIAL_COUNT(smi_proc, samples, NULL),
    SMI_PARTIAL_FLAG(smi_proc, timed, NULL),
    SMI_PARTIAL_NUMBER(smi_proc, first_ms, NULL),
    SMI_PARTIAL_NUMBER(smi_proc, last_ms, NULL),
    SMI_PARTIAL_PARTS(smi_proc, of, NULL, &proc_sum_shape, SMI_PROC_METRICS),
};
static const struct smi_partial_shape proc_shape =
    SMI_PARTIAL_SHAPE("processes", false, smi_proc, proc_fields);

static bool add_process(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_proc *p = item;
    (void)owner;
    return is_device(g, p->who, SMI_DEVICE_POOL) && smi_procs_join(list, p, p->who) == SMI_PROC_KEPT;
}

/* ---- faults ---- */

static void write_fault_name(struct smi_json *j, const void *owner, const void *member)
{
    (void)owner;
    smi_json_str(j, smi_faults[*(const int *)member].name);
}

static void read_fault_name(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    int id = json_is_string(v) ? smi_fault_find(json_string_value(v)) : -1;
    (void)owner;
    if (id < 0)
        smi_partial_read_fail(g, "faults");
    *(int *)member = id;
}

static void write_bus(struct smi_json *j, const void *owner, const void *member)
{
    (void)owner;
    smi_json_str(j, member);
}

static void read_bus(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    (void)owner;
    if (json_is_string(v) && json_string_length(v) < SMI_FAULT_BUS_MAX)
        memcpy(member, json_string_value(v), json_string_length(v));
    else
        smi_partial_read_fail(g, "faults");
}

static const struct smi_partial_codec fault_name = {write_fault_name, read_fault_name};
static const struct smi_partial_codec fault_bus = {write_bus, read_bus};

static const struct smi_partial_field fault_fields[] = {
    SMI_PARTIAL_WITH(smi_fault_count, id, NULL, &fault_name),
    SMI_PARTIAL_RANGE(smi_fault_count, who, NULL, -1, SMI_DEVICE_MAX),
    SMI_PARTIAL_NUMBER(smi_fault_count, code, NULL),
    SMI_PARTIAL_WITH(smi_fault_count, bus, NULL, &fault_bus),
    SMI_PARTIAL_RANGE(smi_fault_count, n, NULL, 1, SMI_PARTIAL_INT_MAX),
    SMI_PARTIAL_FLAG(smi_fault_count, open, NULL),
    SMI_PARTIAL_FLAG(smi_fault_count, timed, NULL),
    SMI_PARTIAL_NUMBER(smi_fault_count, first_ms, NULL),
    SMI_PARTIAL_NUMBER(smi_fault_count, last_ms, NULL),
};
static const struct smi_partial_shape fault_shape =
    SMI_PARTIAL_SHAPE("faults", false, smi_fault_count, fault_fields);

static bool add_fault(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_fault_count *f = item;
    (void)owner;
    if (!is_device(g, f->who, -1))
        return false;
    smi_faults_join(list, f, f->who);
    return true;
}

/* ---- a RunLog ---- */

static const struct smi_partial_field event_fields[] = {SMI_PARTIAL_NEEDED_NAME(smi_event_count, name),
                                                        SMI_PARTIAL_NUMBER(smi_event_count, n, NULL)};
static const struct smi_partial_shape event_shape =
    SMI_PARTIAL_SHAPE("events", false, smi_event_count, event_fields);

static const struct smi_partial_field param_fields[] = {
    SMI_PARTIAL_NAME(smi_runlog_param, key, NULL),
    SMI_PARTIAL_NAME(smi_runlog_param, text, NULL),
    SMI_PARTIAL_FLAG(smi_runlog_param, bare, NULL),
};
static const struct smi_partial_shape param_shape =
    SMI_PARTIAL_SHAPE("params", false, smi_runlog_param, param_fields);

static bool add_param(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    struct smi_runlog_params *all = list;
    struct smi_runlog_param *p = item;
    (void)g;
    (void)owner;
    if (!p->key || !p->text || (p->bare && !smi_text_is_bare(smi_text_of(p->text))))
        return false;
    smi_mem_reserve(&all->list, &all->cap, all->n + 1, sizeof *p);
    all->list[all->n++] = *p;
    p->key = p->text = NULL;
    return true;
}

#define PARAMS(member, key, flag) \
    SMI_PARTIAL_ITEMS(smi_runlog, member.list, member.n, key, &param_shape, SMI_PARAMS_MAX, add_param, flag)
static const struct smi_partial_field start_params = PARAMS(started_with, "started_with", 0);

/* The first event is mostly the start: then `true` says so. */
static bool has_same_params(const struct smi_runlog *l)
{
    const struct smi_runlog_params *a = &l->first, *b = &l->started_with;
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = !strcmp(a->list[i].key, b->list[i].key) && !strcmp(a->list[i].text, b->list[i].text) &&
               a->list[i].bare == b->list[i].bare;
    return same;
}

static void write_start_params(struct smi_json *j, const void *owner, const void *member)
{
    (void)member;
    if (has_same_params(owner))
        smi_json_bool(j, true);
    else
        smi_partial_write_field(j, &start_params, owner);
}

static void read_start_params(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    struct smi_runlog *l = owner;
    if (!json_is_true(v)) {
        smi_partial_read_field(g, &start_params, v, l);
        return;
    }
    for (size_t i = 0; i < l->first.n && !g->bad; i++) {
        const struct smi_runlog_param *p = &l->first.list[i];
        struct smi_runlog_param copy = {smi_mem_text(p->key, strlen(p->key)),
                                        smi_mem_text(p->text, strlen(p->text)), p->bare};
        add_param(g, l, member, &copy);
        smi_mem_free(copy.key);
        smi_mem_free(copy.text);
    }
}

static const struct smi_partial_codec start_params_codec = {write_start_params, read_start_params};

/* Of a run that was tracked. */
static const struct smi_partial_field usage_fields[] = {
    SMI_PARTIAL_RANGE(smi_runlog_usage, span_us, NULL, 0, SMI_PARTIAL_READING_MAX),
    SMI_PARTIAL_MEMBER(INT, smi_runlog_usage, cpu_us, .most = SMI_PARTIAL_READING_MAX,
                       .repeat = SMI_RUNLOG_USAGE_PARTS),
};
static const struct smi_partial_shape usage_times =
    SMI_PARTIAL_SHAPE("tracked", false, smi_runlog_usage, usage_fields);
static const struct smi_partial_field usage_most[] = {{.kind = SMI_PARTIAL_INT,
                                                       .size = sizeof(int64_t),
                                                       .least = -SMI_PARTIAL_READING_MAX,
                                                       .most = SMI_PARTIAL_READING_MAX}};

static void write_usage(struct smi_json *j, const void *owner, const void *member)
{
    const struct smi_runlog_usage *t = member;
    (void)owner;
    smi_json_open(j, '{');
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++)
        if (t->has >> i & 1)
            smi_json_key_int(j, smi_metrics[SMI_TREE_CPU + i].key, t->max[i]);
    smi_json_key(j, "times");
    smi_partial_write_struct(j, &usage_times, t);
    smi_json_close(j, '}');
}

static void read_usage(struct smi_partial_reader *g, const json_t *o, void *owner, void *member)
{
    struct smi_runlog_usage *t = member;
    (void)owner;
    if (!o)
        return;
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++) {
        const json_t *v = json_object_get(o, smi_metrics[SMI_TREE_CPU + i].key);
        if (!v)
            continue;
        smi_partial_read_field(g, usage_most, v, &t->max[i]);
        t->has |= 1u << i;
    }
    smi_partial_read_struct(g, json_object_get(o, "times"), &usage_times, t);
}

static const struct smi_partial_codec usage = {write_usage, read_usage};

/* ---- its phases ---- */

static const struct smi_partial_field phase_name_fields[] = {
    SMI_PARTIAL_NAME(smi_phase, name, NULL),
    SMI_PARTIAL_NUMBER(smi_phase, count, NULL),
    SMI_PARTIAL_NUMBER(smi_phase, span_us, NULL),
    SMI_PARTIAL_US(smi_phase, first_us, NULL),
};
static const struct smi_partial_shape phase_name_shape =
    SMI_PARTIAL_SHAPE("phases", false, smi_phase, phase_name_fields);

static bool add_phase(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    struct smi_phases *p = &((struct smi_runlog *)owner)->phases;
    const struct smi_phase *from = item;
    (void)g;
    struct smi_text name = smi_text_of(from->name ? from->name : "");
    (void)list;
    if (!from->name || smi_phases_find(p, name) >= 0)
        return false;
    smi_phases_add(p, name, 0, 0);
    p->phase[p->n - 1].count = from->count;
    p->phase[p->n - 1].span_us = from->span_us;
    p->phase[p->n - 1].first_us = from->first_us;
    return true;
}

static const struct smi_partial_field span_fields[] = {
    SMI_PARTIAL_RANGE(smi_span, name, NULL, 0, SMI_PHASE_NAMES - 1),
    SMI_PARTIAL_US(smi_span, from_us, NULL),
    SMI_PARTIAL_US(smi_span, to_us, NULL),
};
static const struct smi_partial_shape span_shape = SMI_PARTIAL_SHAPE("spans", false, smi_span, span_fields);

static bool add_span(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    struct smi_phases *p = &((struct smi_runlog *)owner)->phases;
    const struct smi_span *s = item;
    (void)g;
    (void)list;
    if (s->name >= p->n || s->from_us >= s->to_us)
        return false;
    smi_phases_span(p, s->from_us, s->to_us, s->name);
    return true;
}

static const struct smi_partial_field span_items =
    SMI_PARTIAL_ITEMS(smi_runlog, phases.span, phases.spans, NULL, &span_shape, INT64_MAX, add_span, 0);

/* Without the gaps in their list. */
static void write_spans(struct smi_json *j, const void *owner, const void *member)
{
    const struct smi_phases *p = &((const struct smi_runlog *)owner)->phases;
    (void)member;
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->spans; i++)
        if (p->span[i].from_us <= p->span[i].to_us)
            smi_partial_write_struct(j, &span_shape, &p->span[i]);
    smi_json_close(j, ']');
}

static void read_spans(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    (void)member;
    smi_partial_read_field(g, &span_items, v, owner);
}

static const struct smi_partial_codec spans = {write_spans, read_spans};

static const struct smi_partial_field steps_fields[] = {
    SMI_PARTIAL_FLAG(smi_step_range, some, "some"),
    SMI_PARTIAL_US(smi_step_range, first_us, "first_us"),
    SMI_PARTIAL_US(smi_step_range, last_us, "last_us"),
    SMI_PARTIAL_RANGE(smi_step_range, first, "first", 0, SMI_PARTIAL_READING_MAX),
    SMI_PARTIAL_RANGE(smi_step_range, last, "last", 0, SMI_PARTIAL_READING_MAX),
};
static const struct smi_partial_shape steps_shape =
    SMI_PARTIAL_SHAPE("steps", true, smi_step_range, steps_fields);

static const struct smi_partial_field log_fields[] = {
    SMI_PARTIAL_COUNT(smi_runlog, entries, "entries"),
    SMI_PARTIAL_US(smi_runlog, first_us, "first_us"),
    SMI_PARTIAL_US(smi_runlog, last_us, "last_us"),
    SMI_PARTIAL_US(smi_runlog, first_ts_us, "first_ts_us"),
    SMI_PARTIAL_US(smi_runlog, last_ts_us, "last_ts_us"),
    SMI_PARTIAL_FLAG(smi_runlog, started, "started"),
    SMI_PARTIAL_FLAG(smi_runlog, ended, "ended"),
    SMI_PARTIAL_FLAG(smi_runlog, failed, "failed"),
    SMI_PARTIAL_FLAG(smi_runlog, has_exit, "has_exit"),
    SMI_PARTIAL_NUMBER(smi_runlog, exit_code, "exit_code"),
    SMI_PARTIAL_FLAG(smi_runlog, has_offset, "has_offset"),
    SMI_PARTIAL_RANGE(smi_runlog, offset_s, "offset_s", INT32_MIN, INT32_MAX),
    SMI_PARTIAL_NAME(smi_runlog, reason, "reason"),
    SMI_PARTIAL_NAME(smi_runlog, host, "host"),
    SMI_PARTIAL_NAME(smi_runlog, command, "command"),
    SMI_PARTIAL_WITH(smi_runlog, tracked, "tracked", &usage),
    SMI_PARTIAL_NAME(smi_runlog, visible, "visible"),
    SMI_PARTIAL_COUNT_IF(smi_runlog, recording, "recording"),
    SMI_PARTIAL_FLAG(smi_runlog, has_first_event, "has_first_event"),
    SMI_PARTIAL_NUMBER(smi_runlog, jax_peak, "jax_peak"),
    SMI_PARTIAL_NUMBER(smi_runlog, torch_peak, "torch_peak"),
    SMI_PARTIAL_PART_IF(smi_runlog, steps, steps.some, "steps", &steps_shape),
    SMI_PARTIAL_NUMBER(smi_runlog, event_other, "event_other"),
    SMI_PARTIAL_ITEMS(smi_runlog, event, events, "events", &event_shape, SMI_EVENT_NAMES, NULL, 0),
    PARAMS(first, "params", 0),
    SMI_PARTIAL_FLAG(smi_runlog, recorded, "recorded"),
    SMI_PARTIAL_WITH_IF(smi_runlog, started_with, started_with.n, "started_with", &start_params_codec),
    SMI_PARTIAL_NUMBER(smi_runlog, phases.unnamed, "unnamed"),
    SMI_PARTIAL_FLAG(smi_runlog, phases.over, "over"),
    SMI_PARTIAL_ITEMS(smi_runlog, phases.phase, phases.n, "phases", &phase_name_shape, SMI_PHASE_NAMES,
                      add_phase, 0),
    SMI_PARTIAL_WITH(smi_runlog, phases, "spans", &spans),
};
static const struct smi_partial_shape log_shape = SMI_PARTIAL_SHAPE("log", true, smi_runlog, log_fields);

/* ---- the table ---- */

static const struct smi_partial_field input_fields[] = {
    SMI_PARTIAL_RANGE(smi_input_stats, base, "base", SMI_TIME_BASE_NONE, SMI_TIME_BASES - 1),
    SMI_PARTIAL_FLAG(smi_input_stats, keyed, "keyed"),
    SMI_PARTIAL_FLAG(smi_input_stats, timed, "timed"),
    SMI_PARTIAL_NUMBER(smi_input_stats, last_ms, "last_ms"),
    SMI_PARTIAL_NUMBER(smi_input_stats, first_ms, "first_ms"),
    SMI_PARTIAL_NUMBER(smi_input_stats, begin_ms, "begin_ms"),
    SMI_PARTIAL_RANGE(smi_input_stats, ahead_ms, "ahead_ms", -SMI_PARTIAL_DAY_MS, SMI_PARTIAL_DAY_MS),
    SMI_PARTIAL_FLAG(smi_input_stats, by_zone, "by_zone"),
    SMI_PARTIAL_RANGE(smi_input_stats, given.how, "given", SMI_TIMES_NONE, SMI_TIMES_SPREAD),
    SMI_PARTIAL_NUMBER(smi_input_stats, size, "size"),
    SMI_PARTIAL_RANGE(smi_input_stats, hash, "hash", INT64_MIN, INT64_MAX),
    SMI_PARTIAL_PART(smi_input_stats, account, "account", &account_shape),
    SMI_PARTIAL_WITH(smi_input_stats, account, "asked", &asked),
    SMI_PARTIAL_MEMBER(MAP, smi_input_stats, account.refused, .key = "refused", .map = &refused,
                       SMI_PARTIAL_IF(smi_input_stats, account.out_of_range)),
    SMI_PARTIAL_REPEATED(smi_input_stats, account.said, "said", SMI_LOG_WARNING_COUNT),
    SMI_PARTIAL_ITEMS(smi_input_stats, account.problem, account.problems, "problems", &problem_shape,
                      INT64_MAX, NULL, 0),
    SMI_PARTIAL_ITEMS(smi_input_stats, devices.list, devices.n, "devices", &device_id_shape, SMI_DEVICE_MAX,
                      NULL, 0),
    SMI_PARTIAL_MEMBER(TEXT, smi_input_stats, devices.all, .key = "name_of_all",
                       .flags = SMI_PARTIAL_OPTIONAL),
    SMI_PARTIAL_WITH(smi_input_stats, dts, "dts", &smi_partial_intervals),
    /* the time of the last row, which a message has */
    SMI_PARTIAL_MEMBER(INT, smi_input_stats, now_ms, .key = "now", .least = -SMI_PARTIAL_INT_MAX,
                       .most = SMI_PARTIAL_INT_MAX, SMI_PARTIAL_IF(smi_input_stats, has_now)),
    SMI_PARTIAL_ITEMS(smi_input_stats, faults.list, faults.n, "faults", &fault_shape, INT64_MAX, add_fault,
                      SMI_PARTIAL_OPTIONAL),
    SMI_PARTIAL_ITEMS(smi_input_stats, procs.list, procs.n, "processes", &proc_shape, SMI_PROCS_MAX,
                      add_process, SMI_PARTIAL_OPTIONAL),
    SMI_PARTIAL_COUNT_IF(smi_input_stats, account.unknown_columns, "unknown_columns"),
    SMI_PARTIAL_COUNT_IF(smi_input_stats, procs.others, "process_rows_left"),
    SMI_PARTIAL_PART_IF(smi_input_stats, log, log.entries, "log", &log_shape),
};
static const struct smi_partial_shape input_shape =
    SMI_PARTIAL_SHAPE("input", true, smi_input_stats, input_fields);

void smi_partial_write_input(struct smi_json *j, const struct smi_input_stats *p,
                             const struct smi_phases *phases)
{
    smi_json_open(j, '{');
    smi_json_key(j, "path");
    smi_partial_write_text(j, p->path);
    smi_json_key_str(j, "format", smi_format_infos[p->format].name);
    smi_partial_write_members(j, &input_shape, p);
    smi_json_key(j, "tracks");
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->devices.n; i++)
        smi_partial_write_device(j, i < p->tracks ? p->track[i] : NULL, phases);
    smi_json_close(j, ']');
    smi_json_key(j, "host");
    smi_partial_write_device(j, p->host, phases);
    smi_json_key(j, "pool");
    smi_partial_write_device(j, p->pool, phases);
    smi_json_close(j, '}');
}

static int format_named(const json_t *v)
{
    for (int i = 0; i < SMI_FMT_COUNT && json_is_string(v); i++)
        if (strcmp(json_string_value(v), smi_format_infos[i].name) == 0)
            return i;
    return -1;
}

struct smi_input_stats *smi_partial_read_input(struct smi_partial_reader *g, const json_t *o)
{
    char *name = smi_partial_read_text(g, json_object_get(o, "path"));
    int of = format_named(json_object_get(o, "format"));
    struct smi_input_stats *p = of >= 0 && name ? smi_input_stats_new(name, of) : NULL;
    if (of < 0 || !name)
        smi_partial_read_fail(g, "a format that this version does not know");
    smi_mem_free(name);
    g->input = p;
    if (!p)
        return NULL;
    smi_partial_read_struct(g, o, &input_shape, p);
    p->has_now = json_is_integer(json_object_get(o, "now"));
    return p;
}

void smi_partial_read_devices(struct smi_partial_reader *g, const json_t *o, struct smi_input_stats *p)
{
    const json_t *tracks = json_object_get(o, "tracks");
    size_t n = json_array_size(tracks);
    if (n != p->devices.n) {
        smi_partial_read_fail(g, "tracks");
        return;
    }
    smi_mem_reserve(&p->track, &p->tracks_cap, n, sizeof *p->track);
    g->input = p;
    p->tracks = n;
    smi_devices_tell_apart(&p->devices);
    for (size_t i = 0; i < n; i++)
        p->track[i] = smi_partial_read_device(g, json_array_get(tracks, i));
    p->host = smi_partial_read_device(g, json_object_get(o, "host"));
    p->pool = smi_partial_read_device(g, json_object_get(o, "pool"));
}
