/* partial.c - partial summaries: tables of what they hold (one for each struct, by which it is written and
 * read back), documents and files. A document is a line of JSON with one text, whose letters are the numbers
 * and texts of the tables, one behind the other. What is read comes from other machines: every number has
 * limits. Metrics, formats and faults go by their numbers in the catalogues, which the schema stands for. */
#include "aggregate/device_stats.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/stream.h"
#include "summary/merge_queue.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A document that is written or read: one function for each of its parts does both, so that they cannot
 * differ. The first error stops it. */
struct pack {
    struct smi_buf *to;     /* it is written here; NULL: it is read */
    struct smi_packed from; /* what is still to be read */
    struct smi_run *run;
    struct smi_input_stats *input;
    const char *name;       /* of the file */
    struct smi_arena words; /* texts that whoever keeps them copies */
    struct smi_arena *room; /* where texts that are read lie; NULL: each is owned by its struct */
    struct smi_err *err;
    uint32_t doc; /* its number, from 1, among those of the run */
    size_t place; /* the same in its file */
    bool joined;  /* --run: parts may have different parameters */
    bool bad;
};

/* ---- tables ---- */

/* Nothing that is counted or timed comes near it, and sums of many partials stay inside 64 bits. */
#define NUMBER_MAX ((int64_t)1 << 53)
/* Microseconds from 1970 to the year 9999, and as far back. */
#define US_MAX ((int64_t)1 << 58)
/* A reading of a counter. */
#define READING_MAX ((int64_t)1 << 62)
#define DAY_MS ((int64_t)86400000)

enum kind {
    KIND_INT,    /* an integer, enum or bool of 1, 2, 4 or 8 bytes, from least to most; or an smi_i128 */
    KIND_TEXT,   /* char *, owned by the struct; least 1: never NULL */
    KIND_STRUCT, /* one of shape `of`, inside the struct */
    KIND_LIST,   /* at most `most` elements of shape `of`: a pointer, with a size_t count at count_at */
    KIND_CALL    /* what `call` makes of it */
};

struct field {
    enum kind kind;
    size_t at, size; /* of the member */
    int64_t least, most;
    unsigned repeat;           /* so many of an array; 0: a plain one */
    size_t when_at, when_size; /* it is there only where this member, which stands before it, is not 0 */
    const struct shape *of;
    size_t count_at;
    void (*call)(struct pack *k, void *p);
    /* LIST: adds an element that was read to what is add_at bytes from the owner's beginning; its texts are
     * lent. Returns false for one that cannot be. NULL: it is appended; behind the count stands
     * the capacity. */
    bool (*add)(struct pack *k, void *to, void *item);
    size_t add_at;
};

struct shape {
    const char *name; /* for messages */
    size_t size;      /* of the struct */
    const struct field *field;
    size_t n;
};

#define SHAPE(what, type, ...)                                                 \
    {                                                                          \
        what, sizeof(struct smi_##type), (const struct field[]){__VA_ARGS__},  \
            sizeof((const struct field[]){__VA_ARGS__}) / sizeof(struct field) \
    }
/* A row of a table: the kind of a member, where it is, and what else is to be said of it. */
#define MEMBER(of_kind, type, member, ...)                                 \
    {                                                                      \
        .kind = KIND_##of_kind, .at = offsetof(struct smi_##type, member), \
        .size = sizeof(((struct smi_##type *)0)->member), __VA_ARGS__      \
    }
#define WHEN(type, member) \
    .when_at = offsetof(struct smi_##type, member), .when_size = sizeof(((struct smi_##type *)0)->member)
#define RANGE(type, member, low, high) MEMBER(INT, type, member, .least = low, .most = high)
#define NUMBER(type, member) RANGE(type, member, -NUMBER_MAX, NUMBER_MAX)
#define COUNT(type, member) RANGE(type, member, 0, NUMBER_MAX)
#define FLAG(type, member) RANGE(type, member, 0, 1)
#define US(type, member) RANGE(type, member, -US_MAX, US_MAX)
#define SUM(type, member) MEMBER(INT, type, member, .repeat = 0)
#define COUNTS(type, member, times) MEMBER(INT, type, member, .least = 0, .most = NUMBER_MAX, .repeat = times)
/* All from one int64_t of the struct to another. */
#define COUNTS_TO(type, first, last)                                                                    \
    {                                                                                                   \
        .kind = KIND_INT, .at = offsetof(struct smi_##type, first),                                     \
        .size = offsetof(struct smi_##type, last) - offsetof(struct smi_##type, first) + 8, .least = 0, \
        .most = NUMBER_MAX,                                                                             \
        .repeat = (offsetof(struct smi_##type, last) - offsetof(struct smi_##type, first)) / 8 + 1      \
    }
#define NUMBER_WHEN(type, member, flag) \
    MEMBER(INT, type, member, .least = -NUMBER_MAX, .most = NUMBER_MAX, WHEN(type, flag))
#define METRIC(type, member) RANGE(type, member, 0, SMI_METRIC_COUNT - 1)
#define TEXT(type, member) MEMBER(TEXT, type, member, .least = 0)
#define NEEDED_TEXT(type, member) MEMBER(TEXT, type, member, .least = 1)
#define PART(type, member, shape) MEMBER(STRUCT, type, member, .of = &shape)
#define PARTS(type, member, shape, times) MEMBER(STRUCT, type, member, .of = &shape, .repeat = times)
#define PARTS_WHEN(type, member, flag, shape, times) \
    MEMBER(STRUCT, type, member, .of = &shape, .repeat = times, WHEN(type, flag))
#define ITEMS(type, member, count, shape, limit, adds, to)                                                  \
    MEMBER(LIST, type, member, .of = &shape, .most = limit, .count_at = offsetof(struct smi_##type, count), \
           .add = adds, .add_at = to)
#define CALL(type, member, function) MEMBER(CALL, type, member, .call = function)
#define WHOLE(function)                     \
    {                                       \
        .kind = KIND_CALL, .call = function \
    }
enum { ITEM_BYTES = 512 /* the largest element of a list */ };

/* ---- numbers in few letters ---- */

/* A letter from '0' on is the last of its number, one from ']' on is not: none has to be escaped in JSON. */
enum { BITS = 5, DIGITS = 1 << BITS, LAST = '0', MORE = ']' };

void smi_packed_write(struct smi_buf *to, int64_t v)
{
    uint64_t left = (uint64_t)v << 1 ^ (uint64_t)(v >> 63); /* the sign is the lowest bit */
    for (; left >= DIGITS; left >>= BITS)
        smi_buf_char(to, (char)(MORE + left % DIGITS));
    smi_buf_char(to, (char)(LAST + left));
}

int64_t smi_packed_read(struct smi_packed *from)
{
    const char *p = from->left.p, *const end = p + (from->bad ? 0 : from->left.n);
    uint64_t v = 0;
    for (unsigned shift = 0; p < end && shift < 64; shift += BITS) {
        const bool more = (unsigned char)*p >= MORE;
        const uint64_t digit = (unsigned char)*p++ - (uint64_t)(more ? MORE : LAST);
        if (digit >= DIGITS || (shift + BITS > 64 && digit >> (64 - shift)))
            break;
        v |= digit << shift;
        if (!more) {
            from->left = (struct smi_text){p, (size_t)(end - p)};
            return (int64_t)(v >> 1 ^ -(v & 1));
        }
    }
    from->bad = true;
    return 0;
}

int64_t smi_greatest_divisor(int64_t a, int64_t b)
{
    uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a, y = b < 0 ? -(uint64_t)b : (uint64_t)b, rest;
    for (; y; y = rest) {
        rest = x % y;
        x = y;
    }
    return x > INT64_MAX ? 1 : (int64_t)x;
}

/* ---- values ---- */

static void end_pack(struct pack *k)
{
    smi_arena_fini(&k->words);
    smi_mem_free(k);
}

static void fail(struct pack *k, const char *what)
{
    k->bad = k->from.bad = true; /* what follows is read as 0 */
    smi_err_set(k->err, SMI_EFORMAT, "%.200s: document %zu: broken partial summary (%s)", k->name, k->place,
                what);
}

/* Refuses a document that is whole, but does not go with the others. */
#define REFUSE(k, ...) ((k)->bad = smi_err_set((k)->err, SMI_EUSAGE, __VA_ARGS__))

static int64_t pass_number(struct pack *k, int64_t v, int64_t least, int64_t most)
{
    if (k->to) {
        smi_packed_write(k->to, v);
        return v;
    }
    v = smi_packed_read(&k->from);
    if (!k->from.bad && v >= least && v <= most)
        return v;
    fail(k, "a number is missing, or out of range");
    return 0;
}

/* Of at most 126 bits: as two numbers. */
static smi_i128 pass_wide(struct pack *k, smi_i128 v)
{
    const int64_t low = pass_number(k, (int64_t)v, INT64_MIN, INT64_MAX),
                  high = pass_number(k, (int64_t)(v >> 64), -((int64_t)1 << 61), ((int64_t)1 << 61) - 1);
    return (smi_i128)((smi_u128)high << 64 | (uint64_t)low);
}

static void pass_text(struct pack *k, char **t)
{
    size_t n = k->to && *t ? strlen(*t) + 1 : 0; /* with its NUL; a byte has a letter at least */
    n = (size_t)pass_number(k, (int64_t)n, 0, (int64_t)k->from.left.n);
    if (!k->to)
        *t = !n ? NULL : k->room ? smi_arena_new(k->room, n, 1) : smi_mem_new(n, 1);
    for (size_t i = 0; i + 1 < n; i++)
        if (k->to)
            smi_packed_write(k->to, (unsigned char)(*t)[i]);
        else
            (*t)[i] = (char)pass_number(k, 0, 1, 255);
}

/* A text that stands for something, which is no part of a struct. Returns it; "": there is none. */
static const char *pass_word(struct pack *k, const char *own)
{
    struct smi_arena *const room = k->room;
    char *word = (char *)own;
    k->room = &k->words;
    pass_text(k, &word);
    k->room = room;
    return word ? word : "";
}

/* ---- integers of any width ---- */

static int64_t load_int(const void *p, size_t size)
{
    return size == 1   ? *(const uint8_t *)p
           : size == 2 ? *(const uint16_t *)p
           : size == 4 ? *(const int32_t *)p
                       : *(const int64_t *)p;
}

static void store_int(void *p, size_t size, int64_t v)
{
    const uint8_t one = (uint8_t)v;
    const uint16_t two = (uint16_t)v;
    const int32_t four = (int32_t)v;
    memcpy(p, size == 1 ? (const void *)&one : size == 2 ? &two : size == 4 ? (const void *)&four : &v, size);
}

/* ---- members of structs ---- */

static void pass_struct(struct pack *k, const struct shape *of, void *p);

/* An element that was read; a broken one, too, as what it has is freed with the list. */
static void add_item(struct pack *k, const struct field *f, void *owner, void *item)
{
    const struct shape *of = f->of;
    char *count = (char *)owner + f->count_at, *list = (char *)owner + f->at;
    size_t n;
    if (f->add) {
        if (!k->bad && !f->add(k, (char *)owner + f->add_at, item))
            fail(k, of->name);
        for (size_t i = 0; i < of->n; i++)
            if (of->field[i].kind == KIND_LIST)
                smi_mem_free(*(void **)((char *)item + of->field[i].at));
        return;
    }
    memcpy(&n, count, sizeof n);
    smi_mem_reserve(list, (size_t *)(count + sizeof n), n + 1, of->size);
    memcpy(*(char **)list + n++ * of->size, item, of->size);
    memcpy(count, &n, sizeof n);
}

static void pass_list(struct pack *k, const struct field *f, void *owner)
{
    struct smi_arena *const room = k->room;
    char *list;
    size_t n;
    memcpy(&list, (char *)owner + f->at, sizeof list);
    memcpy(&n, (char *)owner + f->count_at, sizeof n);
    n = (size_t)pass_number(k, k->to ? (int64_t)n : 0, 0, f->most);
    k->room = f->add ? &k->words : k->room;
    for (size_t i = 0; i < n && !k->bad; i++) {
        _Alignas(16) char item[ITEM_BYTES] = {0};
        pass_struct(k, f->of, k->to ? list + i * f->of->size : item);
        if (!k->to)
            add_item(k, f, owner, item);
    }
    k->room = room;
}

static void pass_value(struct pack *k, const struct field *f, void *owner, char *p, size_t size)
{
    smi_i128 wide;
    if (f->kind == KIND_INT && size == sizeof wide) {
        memcpy(&wide, p, sizeof wide);
        wide = pass_wide(k, wide);
        memcpy(p, &wide, sizeof wide);
    } else if (f->kind == KIND_INT && k->to) {
        smi_packed_write(k->to, load_int(p, size));
    } else if (f->kind == KIND_INT) {
        store_int(p, size, pass_number(k, 0, f->least, f->most));
    } else if (f->kind == KIND_TEXT) {
        pass_text(k, (char **)p);
        if (f->least && !*(char **)p)
            fail(k, "a text is missing");
    } else if (f->kind == KIND_LIST) {
        pass_list(k, f, owner);
    } else if (f->kind == KIND_CALL) {
        f->call(k, p);
    } else {
        pass_struct(k, f->of, p);
    }
}

static void pass_struct(struct pack *k, const struct shape *of, void *p)
{
    for (const struct field *f = of->field; f < of->field + of->n && !k->bad; f++) {
        const size_t n = f->repeat ? f->repeat : 1, size = f->kind == KIND_STRUCT ? f->of->size : f->size / n;
        if (f->when_size && !load_int((char *)p + f->when_at, f->when_size))
            continue;
        for (size_t i = 0; i < n && !k->bad; i++)
            pass_value(k, f, p, (char *)p + f->at + i * size, size);
    }
}

/* ---- counts of readings ---- */

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

static const struct shape sums_shape = SHAPE("sums", counts, NUMBER(counts, n), NUMBER(counts, min),
                                             NUMBER(counts, max), SUM(counts, sum), SUM(counts, sum2));

/* Their step, whether they are only near, how many values there are, and what divides them all; then of each
 * how far it is from the last one, and whether it was there more than once, and how often. Behind them, where
 * they are only near, how many readings they are, and their sums. */
static void pass_counts(struct pack *k, struct smi_counts *c, const struct limits *of)
{
    struct smi_counts_view v = {0};
    struct smi_counts_cursor w = {0}, again = {0};
    struct smi_counts_item i = {0};
    int64_t n = 0, unit = 0, all = 0, large = 0, last = 0;
    const int64_t step = pass_number(k, c->step, 1, NUMBER_MAX);
    const bool approximate = pass_number(k, c->approximate, 0, 1);
    if (k->to)
        smi_counts_view(c, &v);
    else
        smi_counts_init(c, k->bad ? 1 : step);
    c->approximate = approximate;
    for (; k->to && smi_counts_view_next(&v, &w, &i); n++)
        unit = smi_greatest_divisor(unit, i.value);
    n = pass_number(k, n, 0, of->rows);
    unit = pass_number(k, unit ? unit : 1, 1, NUMBER_MAX);
    for (; n && !k->bad; n--) {
        if (k->to)
            smi_counts_view_next(&v, &again, &i);
        const int64_t far =
            pass_number(k, (i.value - last) / unit * 2 + (i.n > 1), -2 * NUMBER_MAX, 2 * NUMBER_MAX);
        const smi_i128 value = last + (smi_i128)unit * (far >> 1);
        i.n = far & 1 ? pass_number(k, i.n, 2, of->rows) : 1;
        last = (int64_t)value;
        if (k->to)
            continue;
        all += i.n;
        large += value >= LARGE ? i.n : 0;
        if (k->bad || value < of->least || value >= of->most || all > of->rows || large > of->large)
            fail(k, "a count");
        else if (approximate)
            smi_counts_add_bucket(c, last, i.n);
        else
            smi_counts_add_many(c, last, i.n);
    }
    smi_counts_view_fini(&v);
    if (approximate)
        pass_struct(k, &sums_shape, c);
    if (approximate && !k->to && !are_sums_possible(c, all, of))
        fail(k, "sums that no values have");
}

static void pass_intervals(struct pack *k, void *p)
{
    if (!k->to)
        smi_counts_fini(p);
    pass_counts(k, p, &times);
}

/* ---- sums over time ---- */

enum { TIME_BINS = 512 };

static const struct shape time_sum_shape =
    SHAPE("time sums", time_sum_slot, RANGE(time_sum_slot, bin, 0, TIME_BINS - 1), COUNT(time_sum_slot, n),
          COUNT(time_sum_slot, dt), SUM(time_sum_slot, area));

static bool add_time_share(struct pack *k, void *to, void *item)
{
    const struct smi_time_sum_slot *v = item;
    if (v->area < 0 || v->area > v->dt)
        fail(k, "a part of a time that is longer than it");
    else
        smi_time_sum_add(to, v->bin, v->n, v->dt, v->area);
    return true;
}

#define TIME_SUM(type, member) ITEMS(type, member.slot, member.n, time_sum_shape, TIME_BINS, NULL, 0)

/* ---- series ---- */

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

/* Where its buckets begin, how many they are and what divides all values; then of each how many readings it
 * has, how far its least is from that of the last one, and, where it has more readings than one, how far its
 * largest and their sum are above. */
static void pass_series(struct pack *k, void *p)
{
    struct smi_series *s = p;
    const unsigned shift = (unsigned)pass_number(k, s->shift, 0, 48);
    const int64_t base = pass_number(k, s->base, -(NUMBER_MAX >> shift), NUMBER_MAX >> shift),
                  n = pass_number(k, (int64_t)s->n, 0, SMI_SERIES_MAX),
                  unit = pass_number(k, k->to ? unit_of_series(s) : 1, 1, NUMBER_MAX);
    int64_t last = 0;
    for (int64_t i = 0; i < n && !k->bad; i++) {
        struct smi_series_bucket b = k->to ? s->bucket[i] : (struct smi_series_bucket){0};
        b.n = pass_number(k, b.n, 0, NUMBER_MAX);
        if (!b.n)
            continue;
        const smi_i128 least =
            last + (smi_i128)unit * pass_number(k, (b.min - last) / unit, -NUMBER_MAX, NUMBER_MAX);
        const int64_t range = b.n > 1 ? pass_number(k, (b.max - b.min) / unit, 0, NUMBER_MAX) : 0;
        const smi_i128 most = least + (smi_i128)unit * range,
                       above = b.n > 1 ? pass_wide(k, k->to ? (b.sum - (smi_i128)b.min * b.n) / unit : 0) : 0;
        last = (int64_t)least;
        if (k->to)
            continue;
        if (k->bad || least < -NUMBER_MAX || most > NUMBER_MAX || above < 0 ||
            above > (smi_i128)range * b.n || base + i > NUMBER_MAX >> shift) {
            fail(k, "series");
            return;
        }
        b = (struct smi_series_bucket){b.n, last, (int64_t)most, least * b.n + above * unit};
        smi_series_add_bucket(s, base + i, shift, &b);
    }
}

/* ---- what a partial summary holds of one GPU, or of the host ---- */

static const struct shape reading_shape =
    SHAPE("reading", reading, METRIC(reading, metric), RANGE(reading, v, -READING_MAX, READING_MAX));

/* A row at its edges. */
static const struct shape row_shape =
    SHAPE("row", last_row, NUMBER(last_row, t_ms), FLAG(last_row, fine),
          ITEMS(last_row, reading, n, reading_shape, SMI_SAMPLE_MAX, NULL, 0));
#define ROW(member)                 \
    FLAG(device_stats, member.has), \
        MEMBER(STRUCT, device_stats, member, .of = &row_shape, WHEN(device_stats, member.has))

/* The readings of each metric that has some, behind its number; behind the last one a number that is none. */
static void pass_readings(struct pack *k, void *p)
{
    struct smi_device_stats *t = p;
    for (int64_t m = 0, least = 0; !k->bad; least = ++m) {
        while (k->to && m < SMI_METRIC_COUNT && !t->counts[m])
            m++;
        m = pass_number(k, m, least, SMI_METRIC_COUNT);
        if (k->bad || m == SMI_METRIC_COUNT)
            return;
        if (!k->to)
            t->counts[m] = smi_mem_new(1, sizeof *t->counts[m]);
        pass_counts(k, t->counts[m], &readings);
        if (!k->to && smi_counts_total(t->counts[m]) == 0)
            fail(k, "a metric without values");
    }
}

static const struct shape timed_shape =
    SHAPE("timed metrics", timed_metrics, FLAG(timed_metrics, has), NUMBER(timed_metrics, first_t),
          NUMBER(timed_metrics, first_v), COUNT(timed_metrics, first_seg), NUMBER(timed_metrics, last_t),
          NUMBER(timed_metrics, last_v), COUNT(timed_metrics, last_seg), TIME_SUM(timed_metrics, sum),
          CALL(timed_metrics, series, pass_series));

static const struct shape counter_shape =
    SHAPE("counters", counter, METRIC(counter, metric), COUNT(counter, n), NUMBER(counter, first_t),
          RANGE(counter, first_v, -READING_MAX, READING_MAX), NUMBER(counter, last_t),
          RANGE(counter, last_v, -READING_MAX, READING_MAX), SUM(counter, increase), COUNT(counter, rises),
          NUMBER(counter, first_rise), NUMBER(counter, last_rise));

static const struct shape share_shape =
    SHAPE("times", time_sum, ITEMS(time_sum, slot, n, time_sum_shape, TIME_BINS, add_time_share, 0));

/* Where there is no stretch, its times are left over from another one. */
static const struct shape stretch_shape =
    SHAPE("stretch", stretch, COUNT(stretch, ms), NUMBER_WHEN(stretch, from_ms, ms),
          NUMBER_WHEN(stretch, to_ms, ms), NUMBER_WHEN(stretch, begin_ms, ms),
          NUMBER_WHEN(stretch, known_ms, ms), SUM(stretch, area));
static const struct shape segment_shape =
    SHAPE("segments", segment, NUMBER(segment, first), NUMBER(segment, last));
static const struct shape stretches_shape = SHAPE(
    "conditions", stretches, COUNT(stretches, n), COUNT(stretches, ms), NUMBER_WHEN(stretches, from_ms, n),
    PARTS_WHEN(stretches, first, n, stretch_shape, 1), PARTS_WHEN(stretches, last, n, stretch_shape, 1),
    PARTS_WHEN(stretches, longest, n, stretch_shape, 1), FLAG(stretches, broken));

static void pass_segments(struct pack *k, void *p)
{
    struct smi_device_stats *t = p;
    t->segments = pass_number(k, t->segments, 0, NUMBER_MAX);
    if (!k->to && !t->pooled && (t->segments == 0) != !t->first.has)
        fail(k, "segments");
    for (int64_t i = 0; i < t->segments && i <= SMI_SEGMENTS_MAX && !k->bad; i++)
        pass_struct(k, &segment_shape, &t->segment[i]);
}

static const struct shape step_shape =
    SHAPE("steps", step, NUMBER(step, from_ms), NUMBER(step, to_ms), NUMBER(step, v));
static const struct shape steps_shape =
    SHAPE("steps", steps, ITEMS(steps, list, n, step_shape, SMI_STEPS_MAX + 1, NULL, 0));

static const struct shape pool_shape =
    SHAPE("phases", headline_sum, COUNT(headline_sum, n), NUMBER(headline_sum, max), SUM(headline_sum, sum));
static const struct shape phase_shape =
    SHAPE("phases", phase_stats, COUNT(phase_stats, rows),
          PARTS(phase_stats, pool, pool_shape, SMI_HEADLINE_METRICS), TIME_SUM(phase_stats, energy),
          PART(phase_stats, idle, share_shape));

/* Phases go by their names: a run that is merged has others. */
static void pass_tallies(struct pack *k, void *p)
{
    struct smi_device_stats *t = p;
    const struct smi_phases *phases = &k->run->log.phases;
    const size_t n = (size_t)pass_number(k, k->to ? (int64_t)t->tallies : 0, 0, SMI_PHASE_NAMES);
    for (size_t i = 0; i < n && !k->bad; i++) {
        const char *name = pass_word(k, k->to ? phases->phase[t->tally[i].phase].name : NULL);
        const int number = k->to ? 0 : smi_phases_find(phases, smi_text_of(name));
        if (number < 0)
            fail(k, "a phase without run log");
        else
            pass_struct(k, &phase_shape, k->to ? &t->tally[i] : smi_device_stats_phase(t, (uint16_t)number));
    }
}

static const struct shape device_shape = SHAPE(
    "devices", device_stats, COUNT(device_stats, rows), FLAG(device_stats, dedupe),
    FLAG(device_stats, timed_rows), FLAG(device_stats, pooled), ROW(head), ROW(first), ROW(last),
    WHOLE(pass_readings), PARTS(device_stats, timed, timed_shape, SMI_TIMED_COUNT),
    ITEMS(device_stats, counter, counters, counter_shape, SMI_METRIC_COUNT, NULL, 0),
    PARTS(device_stats, sum, share_shape, SMI_DEVICE_TIME_SUMS), CALL(device_stats, clock, pass_series),
    FLAG(device_stats, worked), PART(device_stats, stretch.all, stretches_shape),
    PART(device_stats, stretch.before, stretch_shape), PART(device_stats, stretch.between, stretch_shape),
    PART(device_stats, stretch.since, stretch_shape), COUNT(device_stats, memory.n),
    SUM(device_stats, memory.t), SUM(device_stats, memory.v), SUM(device_stats, memory.tt),
    SUM(device_stats, memory.tv), SUM(device_stats, memory.vv),
    RANGE(device_stats, on, 0, (1 << SMI_CONDITION_COUNT) - 1),
    PARTS_WHEN(device_stats, condition, timed_rows, stretches_shape, SMI_CONDITION_COUNT),
    PART(device_stats, limits, steps_shape), PARTS(device_stats, pause, segment_shape, SMI_PAUSES),
    WHOLE(pass_segments), NUMBER(device_stats, segment_rest), COUNT(device_stats, asides),
    NUMBER_WHEN(device_stats, aside.first, asides), NUMBER_WHEN(device_stats, aside.last, asides),
    CALL(device_stats, lengths, pass_intervals), WHOLE(pass_tallies));

static void pass_device(struct pack *k, void *p)
{
    struct smi_device_stats **t = p;
    if (!pass_number(k, *t != NULL, 0, 1))
        return;
    if (!k->to) {
        *t = smi_mem_new(1, sizeof **t);
        smi_device_stats_init(*t, &k->input->opts, false);
    }
    pass_struct(k, &device_shape, *t);
    if (!k->to && ((*t)->first.has != (*t)->last.has || (*t)->first.has != ((*t)->first.n > 0) ||
                   (*t)->last.has != ((*t)->last.n > 0) || (*t)->head.has != ((*t)->head.n > 0)))
        fail(k, "edges");
    if (!k->to && (*t)->aside.last < (*t)->aside.first &&
        ((*t)->aside.first != 1 || (*t)->aside.last)) /* rows without times */
        fail(k, "aside");
}

/* ---- what a partial summary holds of one input ---- */

/* Is `who` one of the devices that are known by now, or `none`? */
static bool is_device(const struct pack *k, int who, int none)
{
    return who == none || (who >= 0 && (size_t)who < k->input->devices.n);
}

/* Refused readings by metric: here of each metric, in memory only where some were. */
static void pass_refused(struct pack *k, void *account)
{
    struct smi_account *a = account;
    smi_mem_reserve(&a->refused, &a->refused_cap, a->out_of_range ? SMI_METRIC_COUNT : 0, sizeof(int64_t));
    for (size_t m = 0; m < SMI_METRIC_COUNT; m++) {
        const int64_t n = pass_number(k, m < a->refused_cap ? a->refused[m] : 0, 0, NUMBER_MAX);
        if (m < a->refused_cap)
            a->refused[m] = n;
    }
}

static const struct shape account_shape =
    SHAPE("account", account, COUNTS_TO(account, lines, out_of_range), WHOLE(pass_refused),
          COUNTS_TO(account, undecided, unknown_columns), COUNTS(account, said, SMI_LOG_WARNING_COUNT),
          MEMBER(INT, account, asked, .least = INT64_MIN, .most = INT64_MAX,
                 .repeat = sizeof((struct smi_account *)0)->asked / sizeof(uint64_t)));

static const struct shape problem_shape =
    SHAPE("problems", log_warning, RANGE(log_warning, kind, 0, SMI_LOG_WARNING_COUNT - 1),
          NUMBER(log_warning, line), NEEDED_TEXT(log_warning, text));

static const struct shape device_id_shape =
    SHAPE("devices", device, MEMBER(TEXT, device, key, .repeat = SMI_DEVICE_KEY_COUNT), TEXT(device, name),
          RANGE(device, ordinal, -1, SMI_KEYLESS_GPUS_MAX - 1));

/* ---- processes and faults ---- */

static const struct shape proc_sum_shape =
    SHAPE("processes", proc_sum, COUNT(proc_sum, n), SUM(proc_sum, sum), COUNT(proc_sum, peaks),
          NUMBER(proc_sum, max));
static const struct shape proc_shape =
    SHAPE("processes", proc, RANGE(proc, who, INT32_MIN, INT32_MAX), RANGE(proc, pid, -1, NUMBER_MAX),
          TEXT(proc, name), RANGE(proc, types, 0, 7), RANGE(proc, life_ms, -1, NUMBER_MAX),
          COUNT(proc, samples), FLAG(proc, timed), NUMBER(proc, first_ms), NUMBER(proc, last_ms),
          PARTS(proc, of, proc_sum_shape, SMI_PROC_METRICS));

static bool add_process(struct pack *k, void *owner, void *item)
{
    const struct smi_proc *p = item;
    return is_device(k, p->who, SMI_DEVICE_POOL) &&
           smi_procs_join(&((struct smi_input_stats *)owner)->procs, p, p->who) == SMI_PROC_KEPT;
}

static const struct shape fault_shape =
    SHAPE("faults", fault_count, RANGE(fault_count, id, 0, SMI_FAULT_COUNT - 1),
          RANGE(fault_count, who, -1, SMI_DEVICE_MAX), NUMBER(fault_count, code),
          MEMBER(INT, fault_count, bus, .least = 0, .most = UINT8_MAX, .repeat = SMI_FAULT_BUS_MAX),
          RANGE(fault_count, n, 1, NUMBER_MAX), FLAG(fault_count, open), FLAG(fault_count, timed),
          NUMBER(fault_count, first_ms), NUMBER(fault_count, last_ms));

static bool add_fault(struct pack *k, void *owner, void *item)
{
    const struct smi_fault_count *f = item;
    if (!is_device(k, f->who, -1) || f->bus[SMI_FAULT_BUS_MAX - 1])
        return false;
    smi_faults_join(&((struct smi_input_stats *)owner)->faults, f, f->who);
    return true;
}

/* ---- a RunLog ---- */

static const struct shape event_shape =
    SHAPE("events", event_count, NEEDED_TEXT(event_count, name), NUMBER(event_count, n));

static void check_bare(struct pack *k, void *p)
{
    const struct smi_runlog_param *param = p;
    if (!k->to && !k->bad && param->bare && !smi_text_is_bare(smi_text_of(param->text)))
        fail(k, "params");
}

static const struct shape param_shape =
    SHAPE("params", runlog_param, NEEDED_TEXT(runlog_param, key), NEEDED_TEXT(runlog_param, text),
          FLAG(runlog_param, bare), WHOLE(check_bare));

#define PARAMS(member) ITEMS(runlog, member.list, member.n, param_shape, SMI_PARAMS_MAX, NULL, 0)

/* Of a run that was tracked. */
static const struct shape usage_shape =
    SHAPE("tracked", runlog_usage, RANGE(runlog_usage, has, 0, (1 << SMI_RUNLOG_USAGE_METRICS) - 1),
          MEMBER(INT, runlog_usage, max, .least = -READING_MAX, .most = READING_MAX,
                 .repeat = SMI_RUNLOG_USAGE_METRICS),
          RANGE(runlog_usage, span_us, 0, READING_MAX),
          MEMBER(INT, runlog_usage, cpu_us, .most = READING_MAX, .repeat = SMI_RUNLOG_USAGE_PARTS));

/* ---- its phases ---- */

static const struct shape span_shape = SHAPE("spans", span, US(span, from_us), US(span, to_us));
static const struct shape phase_name_shape =
    SHAPE("phases", phase, NEEDED_TEXT(phase, name), NUMBER(phase, count), NUMBER(phase, span_us),
          US(phase, first_us), ITEMS(phase, span, spans, span_shape, INT64_MAX, NULL, 0));

static bool add_phase(struct pack *k, void *owner, void *item)
{
    struct smi_phases *p = &((struct smi_runlog *)owner)->phases;
    const struct smi_phase *from = item;
    struct smi_phase *to;
    bool good = smi_phases_find(p, smi_text_of(from->name)) < 0;
    (void)k;
    if (good) {
        smi_phases_add(p, smi_text_of(from->name), 0, 0);
        to = &p->phase[p->n - 1];
        to->count = from->count;
        to->span_us = from->span_us;
        to->first_us = from->first_us;
    }
    for (size_t i = 0; i < from->spans && good; i++) {
        good = from->span[i].from_us < from->span[i].to_us;
        smi_phases_span(p, from->span[i].from_us, from->span[i].to_us, (uint32_t)p->n - 1);
    }
    return good;
}

static const struct shape log_shape = SHAPE(
    "log", runlog, US(runlog, first_us), US(runlog, last_us), US(runlog, first_ts_us), US(runlog, last_ts_us),
    FLAG(runlog, started), FLAG(runlog, ended), FLAG(runlog, failed), FLAG(runlog, has_exit),
    NUMBER(runlog, exit_code), FLAG(runlog, has_offset), RANGE(runlog, offset_s, INT32_MIN, INT32_MAX),
    TEXT(runlog, reason), TEXT(runlog, host), TEXT(runlog, command), PART(runlog, tracked, usage_shape),
    TEXT(runlog, visible), COUNT(runlog, recording), FLAG(runlog, has_first_event), NUMBER(runlog, jax_peak),
    NUMBER(runlog, torch_peak), FLAG(runlog, steps.some), US(runlog, steps.first_us),
    US(runlog, steps.last_us), RANGE(runlog, steps.first, 0, READING_MAX),
    RANGE(runlog, steps.last, 0, READING_MAX), NUMBER(runlog, event_other),
    ITEMS(runlog, event, events, event_shape, SMI_EVENT_NAMES, NULL, 0), PARAMS(first),
    FLAG(runlog, recorded), PARAMS(started_with), NUMBER(runlog, phases.unnamed), FLAG(runlog, phases.over),
    ITEMS(runlog, phases.phase, phases.n, phase_name_shape, SMI_PHASE_NAMES, add_phase, 0));

static const struct shape input_shape = SHAPE(
    "input", input_stats, RANGE(input_stats, base, SMI_TIME_BASE_NONE, SMI_TIME_BASES - 1),
    FLAG(input_stats, keyed), FLAG(input_stats, timed), NUMBER(input_stats, last_ms),
    NUMBER(input_stats, first_ms), NUMBER(input_stats, begin_ms),
    RANGE(input_stats, ahead_ms, -DAY_MS, DAY_MS), FLAG(input_stats, by_zone),
    RANGE(input_stats, given.how, SMI_TIMES_NONE, SMI_TIMES_SPREAD), NUMBER(input_stats, size),
    RANGE(input_stats, hash, INT64_MIN, INT64_MAX), PART(input_stats, account, account_shape),
    ITEMS(input_stats, account.problem, account.problems, problem_shape, INT64_MAX, NULL, 0),
    ITEMS(input_stats, devices.list, devices.n, device_id_shape, SMI_DEVICE_MAX, NULL, 0),
    TEXT(input_stats, devices.all), FLAG(input_stats, has_now),
    NUMBER_WHEN(input_stats, now_ms, has_now), /* the time of the last row, which a message has */
    ITEMS(input_stats, faults.list, faults.n, fault_shape, INT64_MAX, add_fault, 0),
    ITEMS(input_stats, procs.list, procs.n, proc_shape, SMI_PROCS_MAX, add_process, 0),
    COUNT(input_stats, procs.others), PART(input_stats, polled, steps_shape), COUNT(input_stats, log.entries),
    MEMBER(STRUCT, input_stats, log, .of = &log_shape, WHEN(input_stats, log.entries)));

/* All but its devices. */
static void pass_input(struct pack *k, struct smi_input_stats **input)
{
    const char *path = pass_word(k, k->to ? (*input)->path : NULL);
    const int format = (int)pass_number(k, k->to ? (*input)->format : 0, 0, SMI_FMT_COUNT - 1);
    if (!k->to)
        *input = smi_input_stats_new(path, format);
    k->input = *input;
    pass_struct(k, &input_shape, *input);
}

static void pass_devices(struct pack *k, struct smi_input_stats *p)
{
    struct smi_device_stats *none = NULL;
    k->input = p;
    if (!k->to) {
        smi_mem_reserve(&p->track, &p->tracks_cap, p->devices.n, sizeof *p->track);
        p->tracks = p->devices.n;
        smi_devices_tell_apart(&p->devices);
    }
    for (size_t i = 0; i < p->devices.n && !k->bad; i++)
        pass_device(k, i < p->tracks ? &p->track[i] : &none);
    pass_device(k, &p->host);
    pass_device(k, &p->pool);
}

/* ---- the document as a whole: to which run it belongs, and whether its times stand on that run's clock ----
 */

enum { MOST_MORE = 1 << 30 /* files of one warning */ };

/* What stands in front. Texts are lent. */
struct smi_head {
    char *run, *host;
    bool joined; /* by --run, which makes one run of parts with different parameters */
    int64_t idle_below;
    int64_t offset_s;
    enum smi_zone_from zone_from;
    char *zone;
    enum smi_unread unread;
};

static const struct shape head_shape =
    SHAPE("run", head, NEEDED_TEXT(head, run), TEXT(head, host), FLAG(head, joined), NUMBER(head, idle_below),
          RANGE(head, offset_s, -DAY_MS / 1000, DAY_MS / 1000),
          RANGE(head, zone_from, SMI_ZONE_NONE, SMI_ZONE_GIVEN), TEXT(head, zone),
          RANGE(head, unread, SMI_READ, SMI_UNREAD_COLUMNS));

static const struct shape run_param_shape =
    SHAPE("params", run_param, NEEDED_TEXT(run_param, key), NEEDED_TEXT(run_param, text),
          FLAG(run_param, bare), FLAG(run_param, file));

struct smi_sentence {
    char *text;
};
static const struct shape sentence_shape = SHAPE("problems", sentence, NEEDED_TEXT(sentence, text));

static const struct shape warning_shape =
    SHAPE("warnings", run_warning, TEXT(run_warning, path), NEEDED_TEXT(run_warning, text),
          FLAG(run_warning, used), RANGE(run_warning, more, 0, MOST_MORE));

static bool add_run_param(struct pack *k, void *owner, void *item)
{
    const struct smi_run_param *p = item;
    struct smi_run *r = owner;
    bool known = false;
    if (p->bare && !smi_text_is_bare(smi_text_of(p->text)))
        return false;
    for (size_t i = 0; i < r->params; i++) {
        struct smi_run_param *old = &r->param[i];
        if (old->file != p->file || strcmp(old->key, p->key) != 0)
            continue;
        known = true;
        if (k->joined)
            old->differs |= strcmp(old->text, p->text) != 0;
        else if (strcmp(old->text, p->text)) { /* in one order, whichever part is read first */
            const bool first = strcmp(old->text, p->text) < 0;
            REFUSE(k,
                   "run %.80s: one part has %.80s=%.80s, another %.80s: not the same run (--run NAME of "
                   "summarize --partial names a part)",
                   r->name, p->key, first ? old->text : p->text, first ? p->text : old->text);
        }
    }
    if (!known)
        smi_run_add_param(r, p->key, p->text, p->bare, p->file);
    return true;
}

/* Every part of a run tells the same of it; of parts that do not, the first text in the order of bytes
 * counts. */
static bool add_fact(struct pack *k, void *owner, void *item)
{
    const struct smi_run_param *p = item;
    struct smi_run *r = owner;
    (void)k;
    if (p->bare && !smi_text_is_number(smi_text_of(p->text)))
        return false;
    for (size_t i = 0; i < r->facts; i++)
        if (strcmp(r->fact[i].key, p->key) == 0 && strcmp(p->text, r->fact[i].text) < 0) {
            r->fact[i].text = smi_copy_text(&r->texts, p->text);
            r->fact[i].bare = p->bare;
        }
    smi_run_add_fact(r, p->key, p->text, p->bare);
    return true;
}

static const struct shape run_shape =
    SHAPE("run", run, ITEMS(run, param, params, run_param_shape, INT64_MAX, add_run_param, 0),
          ITEMS(run, fact, facts, run_param_shape, INT64_MAX, add_fact, 0),
          ITEMS(run, problem, problems, sentence_shape, INT64_MAX, NULL, 0),
          ITEMS(run, doubt, doubts, warning_shape, INT64_MAX, NULL, 0));

/* ---- the line of a document ---- */

/* What stands in front of the letters, and between them and the sum, of 16 digits and "}. */
static const char body_begin[] = "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"body\": \"",
                  sum_begin[] = "\", \"sum\": \"";
enum { FRONT = sizeof body_begin - 1, TAIL = sizeof sum_begin - 1 + 16 + 2 };

/* Begins to read the letters of a document, the `place`-th of the file `name`: *head, whose texts last as
 * long as the pack. */
static struct pack *read_head(struct smi_text body, const char *name, size_t place, struct smi_head *head,
                              struct smi_err *err)
{
    struct pack *k = smi_mem_new(1, sizeof *k);
    k->from.left = body;
    k->name = name;
    k->place = place;
    k->err = err;
    *head = (struct smi_head){0};
    k->room = &k->words;
    pass_struct(k, &head_shape, head);
    k->room = NULL;
    return k;
}

/* The letters of a document. Returns false if it has none. */
static bool find_body(const char *text, size_t n, struct smi_text *letters)
{
    n -= n && text[n - 1] == '\n';
    if (n < FRONT + TAIL || memcmp(text, body_begin, FRONT) != 0)
        return false;
    *letters = (struct smi_text){text + FRONT, n - FRONT - TAIL};
    return true;
}

void smi_partial_close(struct smi_buf *to, size_t begin)
{
    const uint64_t sum = smi_digest_of(to->p + begin, to->n - begin);
    smi_buf_fmt(to, "%s%016llx\"}\n", sum_begin, (unsigned long long)sum);
}

void smi_partial_write(struct smi_buf *to, const struct smi_run *r, const struct smi_options *o)
{
    const size_t begin = to->n;
    struct pack *k = smi_mem_new(1, sizeof *k);
    struct smi_head head = {.run = (char *)r->name,
                            .host = r->host ? (char *)r->host : r->log.host,
                            .idle_below = o->idle_below,
                            .offset_s = r->offset_s,
                            .zone_from = r->has_offset ? r->zone_from : SMI_ZONE_NONE,
                            .zone = r->has_offset ? (char *)r->zone : NULL,
                            .unread = r->unread};
    smi_buf_str(to, body_begin);
    k->to = to;
    k->run = (struct smi_run *)r; /* what is written is not changed */
    pass_struct(k, &head_shape, &head);
    pass_struct(k, &run_shape, k->run);
    pass_number(k, (int64_t)r->parts, 0, INT64_MAX);
    for (size_t i = 0; i < 2 * r->parts; i++) { /* RunLogs first: phases are those of all devices */
        struct smi_input_stats **p = &r->part[i % r->parts];
        if (smi_format_infos[(*p)->format].marks == (i >= r->parts))
            continue;
        pass_input(k, p);
        pass_devices(k, *p);
    }
    end_pack(k);
    smi_partial_close(to, begin);
}

/* ---- which run ---- */

/* The run of a document, made if it is new. The host is part of the key where it is known: GPU 0 of another
 * machine is another GPU. A part that knows none belongs to the only run of its name. Returns NULL, with
 * k->bad set, where there are several. */
static struct smi_run *run_of(struct pack *k, struct smi_partials *p, const char *name, const char *host)
{
    struct smi_run *r = NULL;
    bool hostless = !host, same = false;
    size_t n = 0;
    for (size_t i = 0; i < p->runs && !same; i++) {
        if (strcmp(p->run[i]->name, name) != 0)
            continue;
        r = p->run[i];
        same = host && r->host && strcmp(host, r->host) == 0;
        hostless |= r->hostless;
        n++;
    }
    if (n && !same && (n > 1 || (host && r->host))) { /* none of these */
        if (hostless)
            REFUSE(k,
                   "%.200s: run %.80s was made on several hosts, and a part of it does not say on which: "
                   "summarize --host NAME says it",
                   k->name, name);
        r = NULL;
    }
    if (!r && !k->bad) {
        r = *SMI_MEM_ADD(p->run, p->runs, p->cap) = smi_mem_new(1, sizeof *r);
        r->name = smi_copy_text(&r->texts, name);
    }
    if (!r)
        return NULL;
    r->hostless |= !host;
    if (host && !r->host)
        r->host = smi_copy_text(&r->texts, host);
    return r;
}

/* ---- the zone ---- */

static void fail_other_zone(struct pack *k)
{
    REFUSE(k, "%.200s: run %.100s was summarised in another time zone there: give the same --tz to all",
           k->name, k->run->name);
}

/* The zone is the run's, not the part's: parts that were joined by different ones cannot be merged. */
static void set_zone(struct pack *k, const struct smi_head *head, bool first)
{
    struct smi_run *r = k->run;
    const char *zone = head->zone;
    if (head->zone_from == SMI_ZONE_NONE || k->bad)
        return;
    if (zone && strlen(zone) >= SMI_TZ_NAME) {
        fail(k, "zone");
        return;
    }
    if (r->has_offset && !first &&
        (r->offset_s != head->offset_s || !r->zone != !zone || (zone && strcmp(zone, r->zone)))) {
        fail_other_zone(k);
        return;
    }
    if (zone && !r->zone)
        r->zone = smi_copy_text(&r->texts, zone);
    r->has_offset = true;
    r->offset_s = (int)head->offset_s;
    if (head->zone_from > r->zone_from) /* the same for any order of documents */
        r->zone_from = head->zone_from;
}

/* ---- reading ---- */

static bool is_local(const struct smi_input_stats *p)
{
    return p->timed && p->base == SMI_TIME_BASE_LOCAL;
}

/* Adds an input to the run. A RunLog that stands beside every part of its run is one RunLog. Of local times
 * some may not stand on the standard time of a zone, and others as they were. Returns whether it is new
 * there. */
static bool add_input(struct pack *k, struct smi_input_stats *p)
{
    const bool log = smi_format_infos[p->format].marks;
    const struct smi_run *r = k->run;
    struct smi_input_stats *of = p;
    size_t first = 0;
    p->doc = k->doc;
    while (first < r->parts && !is_local(r->part[first]))
        first++;
    if (is_local(p) && first < r->parts && r->part[first]->by_zone != p->by_zone)
        fail_other_zone(k);
    for (size_t i = 0; i < r->parts && log && of == p; i++)
        if (r->part[i]->format == p->format && r->part[i]->hash == p->hash && r->part[i]->size == p->size)
            of = r->part[i];
    if (log)
        *SMI_MEM_ADD(of->docs, of->ndocs, of->docs_cap) = k->doc;
    if (of != p)
        return false;
    smi_run_add_part(k->run, p);
    if (log)
        smi_runlog_merge(&k->run->log, &p->log);
    return true;
}

static void read_document(struct pack *k, struct smi_partials *p, const struct smi_head *head)
{
    const size_t before = p->runs;
    k->run = k->bad ? NULL : run_of(k, p, head->run, head->host);
    if (!k->run)
        return;
    set_zone(k, head, p->runs > before);
    k->run->merged = true;
    k->run->unread = head->unread > k->run->unread ? head->unread : k->run->unread;
    k->doc = ++p->documents;
    k->joined = head->joined;
    k->room = &k->run->texts;
    pass_struct(k, &run_shape, k->run);
    k->room = NULL;
    for (int64_t n = pass_number(k, 0, 0, (int64_t)k->from.left.n); n && !k->bad; n--) {
        struct smi_input_stats *part = NULL;
        bool lone; /* not a part of the run */
        pass_input(k, &part);
        lone = k->bad || !add_input(k, part);
        if (!k->bad)
            pass_devices(k, part);
        if (lone)
            smi_input_stats_free(part);
    }
    if (!k->bad && k->from.left.n)
        fail(k, "it goes on behind its end");
}

int smi_partial_read(struct smi_partials *p, const char *text, size_t n, const char *name,
                     struct smi_err *err)
{
    static const char twice[] = "a partial summary given twice: counted once";
    struct pack *k;
    struct smi_head head;
    struct smi_text body = {NULL, 0};
    bool bad;
    if (!find_body(text, n, &body))
        return smi_err_set(err, SMI_EFORMAT, "%.200s: no partial summary", name);
    k = read_head(body, name, p->number, &head, err);
    if (!p->twice)
        read_document(k, p, &head);
    else if (!k->bad && (k->run = run_of(k, p, head.run, head.host))) {
        smi_run_add_problem(k->run, "%s", twice);
        smi_run_add_warning(k->run, name, twice, true);
    }
    bad = k->bad;
    end_pack(k);
    return bad ? -1 : 0;
}

void smi_partials_fini(struct smi_partials *p)
{
    for (size_t i = 0; i < p->runs; i++) {
        smi_run_fini(p->run[i]);
        smi_mem_free(p->run[i]);
    }
    smi_mem_free(p->run);
    *p = (struct smi_partials){0};
}

/* ---- documents that wait until their run is complete ---- */

/* Appends an item. */
static int load_item(const struct smi_merge_queue *p, const struct smi_merge_queue_item *item,
                     struct smi_buf *to, struct smi_err *err)
{
    char *room = smi_buf_room(to, item->n);
    const ssize_t n = smi_file_read_at(p->fd, room, item->n, item->at, item->file, err);
    if (n != (ssize_t)item->n)
        return n < 0 ? -1 : smi_file_error(err, "read", "a temporary file", "it was cut");
    to->n += item->n;
    to->p[to->n] = 0;
    return 0;
}

/* ---- the beginning of a document ---- */

static int refuse_document(struct smi_err *err, const char *file, size_t number, const char *why)
{
    return smi_err_set(err, SMI_EFORMAT, "%.200s: document %zu: %s", file, number, why);
}

/* {"schema": "smilog-partial/8", ...: who wrote it, and what to do. */
static int refuse_schema(struct smi_err *err, const struct smi_merge_queue_item *item, const char *text)
{
    const unsigned long own = strtoul(strchr(SMI_PARTIAL_SCHEMA, '/') + 1, NULL, 10);
    const char *number = text + strlen(SMI_PARTIAL_BEGIN);
    const int n = (int)strspn(number, "0123456789");
    const unsigned long version = strtoul(number, NULL, 10);
    if (!n || version == own)
        return refuse_document(err, item->file, item->number, "broken partial summary: cut or changed");
    return smi_err_set(err, SMI_EFORMAT,
                       "%.200s: document %zu: a partial summary that %s wrote (smilog-partial/%.*s): make "
                       "it again from the logs, with summarize --partial of this version",
                       item->file, (size_t)item->number,
                       version > own ? "a newer smilog" : "smilog 0.2.0 or older", n < 9 ? n : 9, number);
}

/* Its version, and that it was not changed. *body: its letters. */
static int check_document(struct smi_merge_queue_item *item, const char *text, struct smi_text *body,
                          struct smi_err *err)
{
    const bool begins = smi_text_starts_nocase((struct smi_text){text, item->n}, SMI_PARTIAL_BEGIN);
    char whole[TAIL + 1];
    if (!begins && item->number == 1)
        return smi_err_set(err, SMI_EFORMAT,
                           "%.200s: no partial summary: merge reads what summarize --partial has written",
                           item->file);
    if (!begins)
        return refuse_document(err, item->file, item->number,
                               "broken partial summary: no document begins so");
    if (memcmp(text, body_begin, item->n < FRONT ? item->n : FRONT) != 0)
        return refuse_schema(err, item, text);
    if (find_body(text, item->n, body)) {
        item->sum = smi_digest_of(text, item->n - TAIL);
        snprintf(whole, sizeof whole, "%s%016llx\"}", sum_begin, (unsigned long long)item->sum);
        if (memcmp(text + item->n - TAIL, whole, TAIL) == 0)
            return 0;
    }
    return refuse_document(err, item->file, item->number,
                           "broken partial summary: cut or changed, its bytes have another sum");
}

int smi_merge_queue_add(struct smi_merge_queue *p, const char *text, size_t n, const char *file,
                        size_t number, struct smi_err *err)
{
    const bool line = n && text[n - 1] == '\n';
    const char *as = p->run ? p->run : p->as;
    struct smi_merge_queue_item item = {.file = p->n && strcmp(p->item[p->n - 1].file, file) == 0
                                                    ? p->item[p->n - 1].file
                                                    : smi_copy_text(&p->words, file),
                                        .at = p->size,
                                        .n = n - line,
                                        .number = (uint32_t)number};
    struct smi_text body = {NULL, 0};
    struct smi_head head;
    struct smi_buf named = {0}; /* the document with the name that it was given */
    struct smi_err why = {0};
    struct pack *k;
    int rc;
    if (check_document(&item, text, &body, err))
        return -1;
    k = read_head(body, item.file, item.number, &head, err);
    rc = k->bad ? -1 : 0;
    if (!rc && p->has_idle && p->idle_below != head.idle_below)
        rc = refuse_document(err, item.file, item.number,
                             "made by other rules (--idle-below) than the partial summaries before it");
    if (!rc && as) {
        head.run = (char *)as;
        head.joined = true;
        smi_buf_str(&named, body_begin);
        k->to = &named;
        pass_struct(k, &head_shape, &head);
        smi_buf_add(&named, k->from.left.p, k->from.left.n);
        smi_partial_close(&named, 0);
        item.n = named.n - 1;
    }
    if (!p->made)
        p->fd = smi_file_temp(&why);
    if (!p->made && p->fd < 0) /* without a place for files: memory */
        p->fd = memfd_create("smilog.partial", MFD_CLOEXEC);
    p->made = true;
    rc = rc ? rc : smi_file_write(p->fd, named.n ? named.p : text, item.n, "a temporary file", err);
    if (!rc) {
        item.name = smi_copy_text(&p->words, head.run);
        item.host = smi_copy_text(&p->words, head.host);
        p->has_idle = true;
        p->idle_below = head.idle_below;
        p->size += (int64_t)item.n;
        *SMI_MEM_ADD(p->item, p->n, p->cap) = item;
    }
    end_pack(k);
    smi_buf_fini(&named);
    return rc;
}

/* ---- run by run ---- */

static int compare_item_run(const void *x, const void *y)
{
    const struct smi_merge_queue_item *a = x, *b = y;
    int d = smi_text_compare_natural(a->name, b->name);
    d = d ? d : strcmp(a->host ? a->host : "", b->host ? b->host : "");
    d = d ? d : (a->sum > b->sum) - (a->sum < b->sum);
    d = d ? d : (a->n > b->n) - (a->n < b->n);
    d = d ? d : strcmp(a->file, b->file);
    return d ? d : (a->number > b->number) - (a->number < b->number);
}

void smi_merge_queue_sort(struct smi_merge_queue *p)
{
    if (p->n)
        smi_sort(p->item, p->n, sizeof *p->item, compare_item_run);
}

int smi_merge_queue_next(struct smi_merge_queue *p, size_t *at, struct smi_partials *to, struct smi_err *err)
{
    const struct smi_merge_queue_item *first = &p->item[*at];
    size_t end = *at + 1;
    struct smi_buf text = {0};
    int rc = 0;
    /* Where the first of its name knows no host (those stand in front), a document may belong to any. */
    while (end < p->n && strcmp(p->item[end].name, first->name) == 0 &&
           (!first->host || (p->item[end].host && strcmp(p->item[end].host, first->host) == 0)))
        end++;
    for (; *at < end && !rc; ++*at) {
        const struct smi_merge_queue_item *item = &p->item[*at];
        smi_buf_clear(&text);
        to->number = item->number;
        to->twice = item > first && item[-1].sum == item->sum && item[-1].n == item->n;
        rc = load_item(p, item, &text, err);
        rc = rc ? rc : smi_partial_read(to, text.p, text.n, item->file, err);
    }
    smi_buf_fini(&text);
    return rc;
}

int smi_merge_queue_copy(struct smi_merge_queue *p, size_t i, struct smi_buf *to, struct smi_err *err)
{
    const int rc = load_item(p, &p->item[i], to, err);
    smi_buf_char(to, '\n');
    return rc;
}

void smi_merge_queue_fini(struct smi_merge_queue *p)
{
    if (p->made)
        close(p->fd);
    smi_mem_free(p->item);
    smi_arena_fini(&p->words);
    *p = (struct smi_merge_queue){0};
}

/* files of partial summaries: a document a line, and behind the last one a line that says
 * how many they are, so that a file that was cut between two of them is seen. Files may be joined: each
 * brings its end. */

static const char end_begin[] = "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"documents\": ";

void smi_partial_write_end(struct smi_buf *to, uint64_t documents)
{
    smi_buf_fmt(to, "%s%llu}\n", end_begin, (unsigned long long)documents);
}

/* Takes a line, the `number`-th document of its file or the end behind `since` of them, which it counts. */
static int add_line(struct smi_merge_queue *p, const struct smi_buf *line, const char *name, size_t *number,
                    uint64_t *since, struct smi_err *err)
{
    struct smi_buf want = {0};
    int rc = 0;
    if (!smi_text_starts_nocase((struct smi_text){line->p, line->n}, end_begin)) {
        *since += line->n > 0;
        return line->n ? smi_merge_queue_add(p, line->p, line->n, name, ++*number, err) : 0;
    }
    smi_partial_write_end(&want, *since);
    if (want.n != line->n + 1 || memcmp(want.p, line->p, line->n) != 0)
        rc = smi_err_set(
            err, SMI_EFORMAT,
            "%.200s: behind document %zu: broken partial summary: documents are missing, or their "
            "end was changed",
            name, *number);
    *since = 0;
    smi_buf_fini(&want);
    return rc;
}

int smi_merge_queue_add_file(struct smi_merge_queue *p, const char *path, struct smi_err *err)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    struct smi_file_info info;
    struct smi_buf line = {0};
    size_t number = 0;  /* of documents so far, */
    uint64_t since = 0; /* and since the last end */
    char piece[16384];
    ssize_t n = 0;
    int fd = smi_file_open(AT_FDCWD, path, true, &info, err), rc;
    struct smi_fd_source from = smi_fd_source_make(fd, name);
    struct smi_stream *s = fd < 0 ? NULL : smi_stream_open(&from.pull, err);
    for (rc = s ? 0 : -1; !rc && (n = smi_stream_read(s, piece, sizeof piece, err)) > 0;)
        for (const char *at = piece, *lf; !rc && at < piece + n; at = lf + 1) {
            lf = memchr(at, '\n', (size_t)(piece + n - at));
            smi_buf_add(&line, at, (size_t)((lf ? lf : piece + n) - at));
            if (line.n > SMI_PARTIAL_MAX)
                rc = smi_err_set(err, SMI_ELIMIT,
                                 "%.200s: document %zu: no partial summary: a line of more than %d MiB", name,
                                 number + 1, SMI_PARTIAL_MAX >> 20);
            else if (lf)
                rc = add_line(p, &line, name, &number, &since, err);
            if (!lf)
                break;
            smi_buf_clear(&line);
        }
    rc = n < 0 ? -1 : rc;
    if (!rc && smi_stream_warning(s))
        rc = smi_err_set(err, SMI_EFORMAT, "%.200s: %.200s", name, smi_stream_warning(s));
    if (!rc && line.n) /* a cut one says what it is */
        rc = add_line(p, &line, name, &number, &since, err);
    if (!rc && (line.n || since))
        rc = smi_err_set(
            err, SMI_EFORMAT,
            "%.200s: behind document %zu: broken partial summary: cut, the line that says how many "
            "documents there are is missing",
            name, number);
    if (!rc && !number)
        rc = smi_err_set(err, SMI_EFORMAT, "%.300s: is empty, and no partial summary", name);
    smi_stream_close(s);
    if (fd >= 0)
        close(fd);
    smi_buf_fini(&line);
    return rc;
}
