/* Counts of readings, sums over time and series in a partial summary: numbers in few letters. */
#include "summary/partial_fields_private.h"
#include "summary/partial_packed_private.h"

/* Ends b, whose letters become a value. */
static void write_letters(struct smi_json *j, struct smi_buf *b)
{
    smi_json_text(j, (struct smi_text){b->p ? b->p : "", b->n});
    j->to->failed |= b->failed;
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
    if (smi_counts_view(c, &v))
        j->to->failed = true;
    else
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
        else if (c->approximate ? smi_counts_add_bucket(c, (int64_t)key, n)
                                : smi_counts_add_many(c, (int64_t)key, n))
            smi_partial_read_nomem(g);
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
    (void)owner;
    if (smi_time_sum_has(s, v->bin))
        return false;
    if (smi_time_sum_add(s, v->bin, v->n, v->dt, v->area))
        smi_partial_read_nomem(g);
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
            else if (smi_series_add_bucket(member, index, (unsigned)shift, &b))
                smi_partial_read_nomem(g);
        }
    }
    if (v.bad)
        smi_partial_read_fail(g, "series");
}

const struct smi_partial_codec smi_partial_series = {write_series, read_series};
