/* partial.c - partial summaries: descriptors of what they hold (one table of fields for each struct, by which
 * it is written as JSON and read back), those tables, documents and files. What is read comes from other
 * machines: every number has limits. */
#include "aggregate/device_stats.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/stream.h"
#include "summary/merge_queue.h"
#include "summary/partial_private.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The document that is read; the first error stops it. */
struct smi_partial_reader {
    struct smi_run *run;
    struct smi_input_stats *input;
    const char *name; /* of the file */
    struct smi_err *err;
    const json_t *device; /* the object of the device that is read */
    uint32_t doc;         /* its number, from 1, among those of the run */
    size_t number;        /* the same in its file; 0: not known */
    bool joined;          /* --run: parts may have different parameters */
    bool bad;
};

/* ---- descriptors ---- */

/* Nothing that is counted or timed comes near it, and sums of many partials stay inside 64 bits. */
#define NUMBER_MAX ((int64_t)1 << 53)
/* Microseconds from 1970 to the year 9999, and as far back. */
#define US_MAX ((int64_t)1 << 58)
/* A reading of a counter. */
#define READING_MAX ((int64_t)1 << 62)
#define DAY_MS ((int64_t)86400000)

enum kind {
    KIND_INT, /* an integer or enum of 1, 2, 4 or 8 bytes, from least to most */
    KIND_BOOL,
    KIND_WIDE,   /* smi_i128; beyond 64 bits a string */
    KIND_TEXT,   /* char *, owned by the struct; bytes that are not UTF-8 in hex */
    KIND_STRUCT, /* one of shape `of`, inside the struct */
    KIND_LIST,   /* elements of shape `of`: a pointer, with a size_t count at count_at */
    KIND_MAP,    /* an object whose keys are names of metrics */
    KIND_CODEC   /* what its codec makes of it */
};

enum {
    OPTIONAL = 1, /* left out where it is 0, NULL, empty or false */
    FLAT = 2,     /* a list: the values of all elements one behind the other, without brackets */
    NEEDED = 4    /* a text: an element without it is an error */
};

/* How a member, or the whole struct, is written and read that is neither a value nor a list. */
struct codec {
    void (*write)(struct smi_json *j, const void *p);
    void (*read)(struct smi_partial_reader *g, const json_t *v, void *p);
};

struct field {
    const char *key; /* in an object; fields of an array stand in the order of the table */
    enum kind kind;
    unsigned flags;
    size_t at, size;     /* of the member */
    int64_t least, most; /* INT: its values; LIST: at most so many elements */
    unsigned repeat;     /* an array member of so many; 0: a plain one */
    const struct shape *of;
    size_t count_at;
    size_t when_at; /* INT: 0 is written where the integer of 8 bytes that ends here is 0; 0: never */
    size_t there_at,
        there_size; /* OPTIONAL: the number that is 0, if it is not the member itself or its count */
    const struct codec *codec;
    /* MAP: the i-th value that there may be, and its metric; NULL: there is none. *metric SMI_METRIC_COUNT:
     * nor are there more. add: where the value of metric i is read to; NULL: nowhere. */
    void *(*place)(void *owner, size_t i, unsigned *metric, bool add);
    const struct field *value; /* MAP: what is written of a value, and read into it */
    /* LIST: adds an element that was read to what is add_at bytes from the owner's beginning; its texts are
     * freed afterwards. Returns false for one that cannot be. NULL: it is appended, if it has all texts;
     * behind the count stands the capacity. */
    bool (*add)(struct smi_partial_reader *g, void *to, void *item);
    size_t add_at;
};

struct shape {
    const char *name; /* for messages */
    bool object; /* keys and values; else an array of values. A struct inside an array has no own brackets */
    size_t size; /* of the struct */
    const struct field *field;
    size_t n;
};

#define SHAPE(what, is_object, type, fields)                                            \
    {                                                                                   \
        what, is_object, sizeof(struct type), fields, sizeof(fields) / sizeof *(fields) \
    }
/* A row of a table of fields: the kind of a member, where it is, and what else is to be said of it. */
#define MEMBER(of_kind, type, member, ...)                           \
    {                                                                \
        .kind = KIND_##of_kind, .at = offsetof(struct type, member), \
        .size = sizeof(((struct type *)0)->member), __VA_ARGS__      \
    }
#define RANGE(type, member, k, low, high) MEMBER(INT, type, member, .key = k, .least = low, .most = high)
#define NUMBER(type, member, k) RANGE(type, member, k, -NUMBER_MAX, NUMBER_MAX)
#define COUNT(type, member, k) RANGE(type, member, k, 0, NUMBER_MAX)
#define US(type, member, k) RANGE(type, member, k, -US_MAX, US_MAX)
#define REPEATED(type, member, k, times) \
    MEMBER(INT, type, member, .key = k, .least = -NUMBER_MAX, .most = NUMBER_MAX, .repeat = times)
/* A number that says nothing where the member `flag`, of 8 bytes, is 0. */
#define WHEN(type, member, flag)                                        \
    MEMBER(INT, type, member, .least = -NUMBER_MAX, .most = NUMBER_MAX, \
           .when_at = offsetof(struct type, flag) + 8)
/* Left out where the member `flag` is 0. */
#define IF(type, flag) \
    .flags = OPTIONAL, .there_at = offsetof(struct type, flag), .there_size = sizeof(((struct type *)0)->flag)
#define FLAG(type, member, k) MEMBER(BOOL, type, member, .key = k)
#define FLAG_IF(type, member, k) MEMBER(BOOL, type, member, .key = k, .flags = OPTIONAL)
#define COUNT_IF(type, member, k) MEMBER(INT, type, member, .key = k, .most = NUMBER_MAX, .flags = OPTIONAL)
#define SUM(type, member, k) MEMBER(WIDE, type, member, .key = k)
#define NAME(type, member, k) MEMBER(TEXT, type, member, .key = k)
#define NEEDED_NAME(type, member) MEMBER(TEXT, type, member, .flags = NEEDED)
#define WITH(type, member, k, with) MEMBER(CODEC, type, member, .key = k, .codec = with)
#define WITH_IF(type, member, flag, k, with) \
    MEMBER(CODEC, type, member, .key = k, .codec = with, IF(type, flag))
#define METRICS(k, places, of_value)                                   \
    {                                                                  \
        .key = k, .kind = KIND_MAP, .place = places, .value = of_value \
    }
#define WHOLE(k, with)                              \
    {                                               \
        .key = k, .kind = KIND_CODEC, .codec = with \
    }
#define PART(type, member, k, shape) MEMBER(STRUCT, type, member, .key = k, .of = shape)
#define PART_IF(type, member, flag, k, shape) \
    MEMBER(STRUCT, type, member, .key = k, .of = shape, IF(type, flag))
#define PARTS(type, member, k, shape, times) \
    MEMBER(STRUCT, type, member, .key = k, .of = shape, .repeat = times)
#define ITEMS(type, member, count, k, shape, limit, adds, ...)       \
    MEMBER(LIST, type, member, .key = k, .of = shape, .most = limit, \
           .count_at = offsetof(struct type, count), .add = adds, .flags = __VA_ARGS__)
enum { ITEM_BYTES = 512 /* the largest element of a list */ };

/* ---- many numbers in few letters ---- */

static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

enum { BITS = 5, MORE = 1 << BITS, MOST = 126 };

void smi_packed_write(struct smi_buf *to, smi_u128 v)
{
    for (; v >= MORE; v >>= BITS)
        smi_buf_char(to, letters[(unsigned)(v & (MORE - 1)) + MORE]);
    smi_buf_char(to, letters[(unsigned)v]);
}

void smi_packed_write_signed(struct smi_buf *to, smi_i128 v)
{
    smi_packed_write(to, v < 0 ? ((smi_u128) - (v + 1) << 1) + 1 : (smi_u128)v << 1);
}

static int letter_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 36;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

smi_u128 smi_packed_read(struct smi_packed *from)
{
    smi_u128 v = 0;
    for (unsigned shift = 0; !from->bad; shift += BITS) {
        int place = from->left.n && shift < MOST ? letter_value(*from->left.p) : -1;
        unsigned digit = (unsigned)place & (MORE - 1);
        if (place < 0 || (shift > MOST - BITS && digit >> (MOST - shift)))
            break;
        from->left.p++;
        from->left.n--;
        v |= (smi_u128)digit << shift;
        if (place < MORE)
            return v;
    }
    from->bad = true;
    return 0;
}

smi_i128 smi_packed_read_signed(struct smi_packed *from)
{
    smi_u128 v = smi_packed_read(from);
    return v & 1 ? -(smi_i128)(v >> 1) - 1 : (smi_i128)(v >> 1);
}

int64_t smi_packed_read_upto(struct smi_packed *from, int64_t most)
{
    smi_u128 v = smi_packed_read(from);
    from->bad |= v > (smi_u128)most;
    return from->bad ? 0 : (int64_t)v;
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

/* ---- errors ---- */

static void fail(struct smi_partial_reader *g, const char *what)
{
    g->bad = g->number
                 ? smi_err_set(g->err, SMI_EFORMAT, "%.200s: document %zu: broken partial summary (%s)",
                               g->name, g->number, what)
                 : smi_err_set(g->err, SMI_EFORMAT, "%.200s: broken partial summary (%s)", g->name, what);
}

/* ---- values ---- */

static int64_t read_int_between(struct smi_partial_reader *g, const json_t *v, int64_t least, int64_t most)
{
    int64_t i = json_integer_value(v);
    if (!json_is_integer(v) || i > most || i < least) {
        fail(g, "a number is missing, or out of range");
        return 0;
    }
    return i;
}

static int64_t read_int(struct smi_partial_reader *g, const json_t *v)
{
    return read_int_between(g, v, -NUMBER_MAX, NUMBER_MAX);
}

static smi_i128 read_wide(struct smi_partial_reader *g, const json_t *v)
{
    smi_i128 w = 0;
    if (json_is_integer(v))
        return json_integer_value(v);
    if (!json_is_string(v) || smi_i128_parse(json_string_value(v), json_string_length(v), &w))
        fail(g, "a sum is missing");
    if (w >> 125 != 0 && w >> 125 != -1) {
        fail(g, "a sum is out of range");
        w = 0;
    }
    return w;
}

static void write_wide(struct smi_json *j, smi_i128 v)
{
    char t[SMI_I128_TEXT];
    size_t n = smi_i128_write(t, v);
    if (v >= INT64_MIN && v <= INT64_MAX)
        smi_json_int(j, (int64_t)v);
    else
        smi_json_text(j, (struct smi_text){t, n});
}

static int read_metric(struct smi_partial_reader *g, const char *key)
{
    int m = smi_metric_find(key, strlen(key));
    if (m < 0)
        fail(g, "a metric that this version does not know");
    return m;
}

static void write_text(struct smi_json *j, const char *s)
{
    if (!s || smi_text_is_utf8(smi_text_of(s))) {
        smi_json_str(j, s);
        return;
    }
    smi_json_open(j, '[');
    smi_json_raw(j, "\"");
    smi_buf_hex(j->to, s);
    smi_buf_char(j->to, '"');
    smi_json_close(j, ']');
}

static int nibble(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Two digits a byte, and none of them 0; NULL and an error if it is something else. */
static char *read_bytes(struct smi_partial_reader *g, const char *hex)
{
    size_t n = hex ? strlen(hex) : 0;
    bool good = n && n % 2 == 0;
    char *t = good ? smi_mem_text(hex, n / 2) : NULL;
    for (size_t i = 0; good && i < n / 2; i++) {
        int high = nibble(hex[2 * i]), low = nibble(hex[2 * i + 1]);
        good = high >= 0 && low >= 0 && (high || low);
        t[i] = (char)(high * 16 + low);
    }
    if (good)
        return t;
    smi_mem_free(t);
    fail(g, "a text");
    return NULL;
}

static char *read_text(struct smi_partial_reader *g, const json_t *v)
{
    if (json_is_array(v))
        return read_bytes(g, json_string_value(json_array_get(v, 0)));
    return json_is_string(v) ? smi_mem_text(json_string_value(v), json_string_length(v)) : NULL;
}

/* ---- integers of any width ---- */

static int64_t load_int(const void *p, size_t size)
{
    int64_t wide;
    int32_t middle;
    if (size == 1)
        return *(const unsigned char *)p;
    if (size == 2)
        return *(const uint16_t *)p;
    if (size == 4) {
        memcpy(&middle, p, sizeof middle);
        return middle;
    }
    memcpy(&wide, p, sizeof wide);
    return wide;
}

static void store_int(void *p, size_t size, int64_t v)
{
    int32_t middle = (int32_t)v;
    if (size == 1)
        *(unsigned char *)p = (unsigned char)v;
    else if (size == 2)
        *(uint16_t *)p = (uint16_t)v;
    else
        memcpy(p, size == 4 ? (const void *)&middle : &v, size == 4 ? sizeof middle : sizeof v);
}

/* ---- writing ---- */

static const void *list_of(const struct field *f, const void *owner, size_t *n)
{
    const void *list;
    memcpy(&list, (const char *)owner + f->at, sizeof list);
    memcpy(n, (const char *)owner + f->count_at, sizeof *n);
    return list;
}

static bool is_there(const struct field *f, const void *owner)
{
    const char *p = (const char *)owner + (f->there_size ? f->there_at : f->at);
    size_t n = 0;
    if (f->kind == KIND_LIST && f->flags & OPTIONAL)
        return list_of(f, owner, &n) && n;
    return !(f->flags & OPTIONAL) || load_int(p, f->there_size ? f->there_size : f->size);
}

static void write_values(struct smi_json *j, const struct shape *of, const void *p);
static void write_struct(struct smi_json *j, const struct shape *of, const void *p);
static void write_field(struct smi_json *j, const struct field *f, const void *owner);
static void read_field(struct smi_partial_reader *g, const struct field *f, const json_t *v, void *owner);
static void read_struct(struct smi_partial_reader *g, const json_t *v, const struct shape *of, void *p);

static void write_list(struct smi_json *j, const struct field *f, const void *owner)
{
    size_t n;
    const char *list = list_of(f, owner, &n);
    smi_json_open(j, '[');
    for (size_t i = 0; i < n; i++)
        if (f->flags & FLAT)
            write_values(j, f->of, list + i * f->of->size);
        else
            write_struct(j, f->of, list + i * f->of->size);
    smi_json_close(j, ']');
}

static void write_map(struct smi_json *j, const struct field *f, const void *owner)
{
    unsigned metric = 0;
    smi_json_open(j, '{');
    for (size_t i = 0; metric < SMI_METRIC_COUNT; i++) {
        const void *value = f->place((void *)owner, i, &metric, false);
        if (!value)
            continue;
        smi_json_key(j, smi_metrics[metric].key);
        write_field(j, f->value, value);
    }
    smi_json_close(j, '}');
}

/* One of the kinds that are no array members; inside: of an array. */
static void write_value(struct smi_json *j, const struct field *f, const void *owner, const char *p,
                        bool inside)
{
    smi_i128 wide;
    size_t size = f->repeat ? f->size / f->repeat : f->size;
    if (f->kind == KIND_INT) {
        bool says = !f->when_at || load_int((const char *)owner + f->when_at - 8, 8);
        smi_json_int(j, says ? load_int(p, size) : 0);
    } else if (f->kind == KIND_BOOL) {
        smi_json_bool(j, *(const bool *)p);
    } else if (f->kind == KIND_WIDE) {
        memcpy(&wide, p, sizeof wide);
        write_wide(j, wide);
    } else if (f->kind == KIND_TEXT) {
        write_text(j, *(char *const *)p);
    } else if (f->kind == KIND_LIST) {
        write_list(j, f, owner);
    } else if (f->kind == KIND_MAP) {
        write_map(j, f, owner);
    } else if (f->kind == KIND_CODEC) {
        f->codec->write(j, p);
    } else if (inside) {
        write_values(j, f->of, p);
    } else {
        write_struct(j, f->of, p);
    }
}

/* All elements of an array member, or the only value. */
static void write_member(struct smi_json *j, const struct field *f, const void *owner, bool inside)
{
    const char *p = (const char *)owner + f->at;
    size_t n = f->repeat ? f->repeat : 1;
    if (f->repeat && !inside)
        smi_json_open(j, '[');
    for (size_t i = 0; i < n; i++)
        write_value(j, f, owner, p + i * (f->size / n), inside || f->repeat);
    if (f->repeat && !inside)
        smi_json_close(j, ']');
}

static void write_field(struct smi_json *j, const struct field *f, const void *owner)
{
    write_member(j, f, owner, false);
}

static void write_values(struct smi_json *j, const struct shape *of, const void *p)
{
    for (size_t i = 0; i < of->n; i++)
        write_member(j, &of->field[i], p, true);
}

static void write_members(struct smi_json *j, const struct shape *of, const void *p)
{
    for (size_t i = 0; i < of->n; i++) {
        if (!is_there(&of->field[i], p))
            continue;
        smi_json_key(j, of->field[i].key);
        write_field(j, &of->field[i], p);
    }
}

static void write_struct(struct smi_json *j, const struct shape *of, const void *p)
{
    smi_json_open(j, of->object ? '{' : '[');
    if (of->object)
        write_members(j, of, p);
    else
        write_values(j, of, p);
    smi_json_close(j, of->object ? '}' : ']');
}

/* ---- reading ---- */

static size_t read_values(struct smi_partial_reader *g, const json_t *a, size_t at, const struct shape *of,
                          void *p);

/* The number of values in an array of this shape. */
static size_t count_values(const struct shape *of)
{
    size_t n = 0;
    for (size_t i = 0; i < of->n; i++)
        n += (of->field[i].repeat ? of->field[i].repeat : 1) *
             (of->field[i].kind == KIND_STRUCT ? count_values(of->field[i].of) : 1);
    return n;
}

/* An element with all its texts, which become the list's. */
static bool append_item(const struct field *f, void *owner, void *item)
{
    char *count = (char *)owner + f->count_at, *list = (char *)owner + f->at;
    const size_t size = f->of->size;
    size_t n;
    for (size_t i = 0; i < f->of->n; i++)
        if (f->of->field[i].flags & NEEDED && !*(char **)((char *)item + f->of->field[i].at))
            return false;
    memcpy(&n, count, sizeof n);
    smi_mem_reserve(list, (size_t *)(count + sizeof n), n + 1, size);
    memcpy(*(char **)list + n++ * size, item, size);
    memcpy(count, &n, sizeof n);
    memset(item, 0, size);
    return true;
}

/* Adds one element, which was read. */
static void add_item(struct smi_partial_reader *g, const struct field *f, const struct shape *of, void *owner,
                     void *item)
{
    bool good = g->bad || (f->add ? f->add(g, (char *)owner + f->add_at, item) : append_item(f, owner, item));
    if (!good)
        fail(g, of->name);
    /* Frees the texts of an element. */
    for (size_t i = 0; i < of->n; i++)
        for (unsigned k = 0;
             of->field[i].kind == KIND_TEXT && k < (of->field[i].repeat ? of->field[i].repeat : 1); k++)
            smi_mem_free(*(char **)((char *)item + of->field[i].at + k * sizeof(char *)));
}

static void read_list(struct smi_partial_reader *g, const struct field *f, const json_t *v, void *owner)
{
    const struct shape *of = f->of;
    bool flat = f->flags & FLAT;
    size_t values = count_values(of), all = json_array_size(v), n = flat ? all / values : all;
    if ((v && !json_is_array(v)) || (flat && all % values) || (uint64_t)n > (uint64_t)f->most) {
        fail(g, of->name);
        return;
    }
    for (size_t i = 0; i < n && !g->bad; i++) {
        _Alignas(16) char item[ITEM_BYTES] = {0};
        if (flat)
            read_values(g, v, i * values, of, item);
        else
            read_struct(g, json_array_get(v, i), of, item);
        add_item(g, f, of, owner, item);
    }
}

static void read_map(struct smi_partial_reader *g, const struct field *f, const json_t *v, void *owner)
{
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)v, key, value) {
        int m = read_metric(g, key);
        unsigned same;
        void *to = m < 0 ? NULL : f->place(owner, (size_t)m, &same, true);
        if (!to)
            fail(g, f->key);
        if (g->bad)
            return;
        read_field(g, f->value, value, to);
    }
}

static void read_value(struct smi_partial_reader *g, const struct field *f, const json_t *v, void *owner,
                       char *p)
{
    smi_i128 wide;
    size_t size = f->repeat ? f->size / f->repeat : f->size;
    if (f->kind == KIND_INT) {
        store_int(p, size, read_int_between(g, v, f->least, f->most));
    } else if (f->kind == KIND_BOOL) {
        *(bool *)p |= json_is_true(v);
    } else if (f->kind == KIND_WIDE) {
        wide = read_wide(g, v);
        memcpy(p, &wide, sizeof wide);
    } else if (f->kind == KIND_TEXT) {
        *(char **)p = read_text(g, v);
    } else if (f->kind == KIND_LIST) {
        read_list(g, f, v, owner);
    } else if (f->kind == KIND_MAP) {
        read_map(g, f, v, owner);
    } else if (f->kind == KIND_CODEC) {
        f->codec->read(g, v, p);
    } else {
        read_struct(g, v, f->of, p);
    }
}

/* A member whose values stand in an array from `at` on. Returns the place behind them. */
static size_t read_member(struct smi_partial_reader *g, const json_t *a, size_t at, const struct field *f,
                          void *owner)
{
    size_t n = f->repeat ? f->repeat : 1;
    for (size_t i = 0; i < n && !g->bad; i++) {
        char *p = (char *)owner + f->at + i * (f->size / n);
        if (f->kind == KIND_STRUCT)
            at = read_values(g, a, at, f->of, p);
        else
            read_value(g, f, json_array_get(a, at++), owner, p);
    }
    return at;
}

static size_t read_values(struct smi_partial_reader *g, const json_t *a, size_t at, const struct shape *of,
                          void *p)
{
    for (size_t i = 0; i < of->n && !g->bad; i++)
        at = read_member(g, a, at, &of->field[i], p);
    return at;
}

static void read_field(struct smi_partial_reader *g, const struct field *f, const json_t *v, void *owner)
{
    if (f->flags & OPTIONAL && (!v || json_is_null(v)))
        return;
    if (f->repeat)
        read_member(g, v, 0, f, owner);
    else
        read_value(g, f, v, owner, (char *)owner + f->at);
}

static void read_struct(struct smi_partial_reader *g, const json_t *v, const struct shape *of, void *p)
{
    if (!of->object) {
        if (json_array_size(v) != count_values(of))
            fail(g, of->name);
        read_values(g, v, 0, of, p);
        return;
    }
    for (size_t i = 0; i < of->n && !g->bad; i++)
        read_field(g, &of->field[i], json_object_get(v, of->field[i].key), p);
}

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
static void write_counts(struct smi_json *j, const void *p)
{
    const struct smi_counts *c = p;
    struct smi_counts_view v;
    struct smi_buf b = {0};
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
        write_wide(j, c->sum);
        write_wide(j, c->sum2);
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
    c->n = read_int(g, json_array_get(o, 2));
    c->min = read_int(g, json_array_get(o, 3));
    c->max = read_int(g, json_array_get(o, 4));
    c->sum = read_wide(g, json_array_get(o, 5));
    c->sum2 = read_wide(g, json_array_get(o, 6));
    if (!are_sums_possible(c, n, of))
        fail(g, "sums that no values have");
}

static void read_counts(struct smi_partial_reader *g, const json_t *o, struct smi_counts *c,
                        const struct limits *of)
{
    struct smi_packed v = read_letters(json_array_get(o, 1));
    int64_t step = read_int(g, json_array_get(o, 0)), all = 0, large = 0, unit = 0;
    smi_i128 key = 0;
    if (step < 1 || !v.left.p)
        fail(g, "counts");
    smi_counts_init(c, step < 1 ? 1 : step);
    c->approximate = json_array_size(o) == 7;
    for (bool first = true; v.left.n && !g->bad; first = false) { /* as pack_pairs */
        smi_u128 word;
        int64_t n = 1;
        if (first) {
            unit = smi_packed_read_upto(&v, NUMBER_MAX);
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
            fail(g, "a count");
        else if (c->approximate)
            smi_counts_add_bucket(c, (int64_t)key, n);
        else
            smi_counts_add_many(c, (int64_t)key, n);
    }
    if (c->approximate)
        read_sums(g, o, c, all, of);
}

static void read_readings(struct smi_partial_reader *g, const json_t *v, void *p)
{
    read_counts(g, v, p, &readings);
    if (smi_counts_total(p) == 0)
        fail(g, "a metric without values");
}

static void read_intervals(struct smi_partial_reader *g, const json_t *v, void *p)
{
    smi_counts_fini(p);
    read_counts(g, v, p, &times);
}

static const struct codec counts_codec = {write_counts, read_readings};
static const struct codec intervals_codec = {write_counts, read_intervals};

/* ---- sums over time ---- */

static const struct field time_sum_fields[] = {
    RANGE(smi_time_sum_slot, bin, NULL, 0, 511),
    COUNT(smi_time_sum_slot, n, NULL),
    COUNT(smi_time_sum_slot, dt, NULL),
    SUM(smi_time_sum_slot, area, NULL),
};
static const struct shape time_sum_shape = SHAPE("time sums", false, smi_time_sum_slot, time_sum_fields);

static bool add_time_sum(struct smi_partial_reader *g, void *to, void *item)
{
    const struct smi_time_sum_slot *v = item;
    (void)g;
    if (smi_time_sum_has(to, v->bin))
        return false;
    smi_time_sum_add(to, v->bin, v->n, v->dt, v->area);
    return true;
}

static bool add_time_share(struct smi_partial_reader *g, void *to, void *item)
{
    const struct smi_time_sum_slot *v = item;
    if (v->area < 0 || v->area > v->dt)
        fail(g, "a part of a time that is longer than it");
    return g->bad || add_time_sum(g, to, item);
}

#define TIME_SLOTS(type, member, k, adds)                                                    \
    ITEMS(type, member.slot, member.n, k, &time_sum_shape, INT64_MAX, adds, OPTIONAL | FLAT, \
          .add_at = offsetof(struct type, member))
#define TIME_SUM(type, member, k) TIME_SLOTS(type, member, k, add_time_sum)
#define TIME_SHARE(type, member, k) TIME_SLOTS(type, member, k, add_time_share)

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

/* What divides all values; then for buckets that are alike how many were left out before them, how many they
 * are, and how many readings each has; of each how far its least is from that of the bucket before, and,
 * where it has more readings than one, how far its largest, and the sum, are above. */
static void pack_buckets(struct smi_buf *b, const struct smi_series *s)
{
    int64_t unit = unit_of_series(s), last = 0;
    size_t left = 0;
    smi_packed_write(b, (smi_u128)unit);
    for (size_t i = 0, n; i < s->n; i += n) {
        for (n = 1; i + n < s->n && s->bucket[i + n].n == s->bucket[i].n;)
            n++;
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
    v->bad |= min < -NUMBER_MAX || max > NUMBER_MAX || (unit && above > ((smi_i128)1 << 110) / unit);
    b->min = v->bad ? 0 : (int64_t)min;
    b->max = v->bad ? 0 : (int64_t)max;
    b->sum = v->bad ? 0 : min * b->n + above * unit;
}

static void write_series(struct smi_json *j, const void *p)
{
    const struct smi_series *s = p;
    struct smi_buf b = {0};
    smi_json_open(j, '[');
    smi_json_int(j, s->shift);
    smi_json_int(j, s->base);
    pack_buckets(&b, s);
    write_letters(j, &b);
    smi_json_close(j, ']');
}

static void read_series(struct smi_partial_reader *g, const json_t *a, void *p)
{
    int64_t shift = read_int(g, json_array_get(a, 0)), index = read_int(g, json_array_get(a, 1)), unit;
    struct smi_packed v = read_letters(json_array_get(a, 2));
    struct smi_series_bucket b = {0};
    if (shift < 0 || shift > 48 || !v.left.p)
        fail(g, "series");
    unit = smi_packed_read_upto(&v, NUMBER_MAX);
    while (v.left.n && !g->bad) { /* as pack_buckets */
        int64_t left = smi_packed_read_upto(&v, SMI_SERIES_MAX),
                n = smi_packed_read_upto(&v, SMI_SERIES_MAX) + 1;
        b.n = smi_packed_read_upto(&v, NUMBER_MAX) + 1;
        for (index += left; n && !g->bad; n--, index++) {
            unpack_bucket(&v, unit, &b);
            if (v.bad || b.n <= 0 || b.sum > (smi_i128)b.max * b.n || index > NUMBER_MAX >> shift ||
                index < -(NUMBER_MAX >> shift))
                fail(g, "series");
            else
                smi_series_add_bucket(p, index, (unsigned)shift, &b);
        }
    }
    if (v.bad)
        fail(g, "series");
}

static const struct codec series_codec = {write_series, read_series};

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

static void write_row(struct smi_json *j, const char *key, const struct row_metrics *names,
                      const struct smi_last_row *row)
{
    struct smi_buf b = {0};
    int64_t unit = 0;
    if (!row->has)
        return;
    for (unsigned i = 0; i < row->n; i++)
        unit = smi_greatest_divisor(unit, row->v[i]);
    unit = unit ? unit : 1;
    smi_packed_write(&b, (smi_u128)unit);
    for (unsigned i = 0; i < row->n; i++) {
        smi_packed_write(&b, names->place[row->metric[i]] - 1);
        smi_packed_write_signed(&b, row->v[i] / unit);
    }
    smi_json_key(j, key);
    smi_json_open(j, '{');
    smi_json_key_int(j, "t", row->t_ms);
    smi_json_key_bool(j, "fine", row->fine);
    smi_json_key(j, "v");
    write_letters(j, &b);
    smi_json_close(j, '}');
}

/* The names of their metrics, and behind them the rows. */
static void write_edges(struct smi_json *j, const void *p)
{
    const struct smi_device_stats *t = p;
    struct row_metrics m = {.n = 0};
    add_row_metrics(&m, &t->head);
    add_row_metrics(&m, &t->first);
    add_row_metrics(&m, &t->last);
    smi_json_open(j, '[');
    for (unsigned i = 0; i < m.n; i++)
        smi_json_str(j, smi_metrics[m.metric[i]].key);
    smi_json_close(j, ']');
    write_row(j, "head", &m, &t->head);
    write_row(j, "first", &m, &t->first);
    write_row(j, "last", &m, &t->last);
}

/* The next reading of a row, in units. Returns whether there is one. */
static bool read_reading(struct smi_partial_reader *g, const json_t *names, struct smi_packed *v,
                         int64_t unit, struct smi_last_row *row)
{
    size_t place = (size_t)smi_packed_read_upto(v, SMI_METRIC_COUNT);
    const char *key = json_string_value(json_array_get(names, place));
    smi_i128 units = smi_packed_read_signed(v), most = READING_MAX / unit;
    int m = v->bad || !key ? -1 : read_metric(g, key);
    if (m < 0 || row->n == SMI_SAMPLE_MAX || units > most || units < -most) {
        fail(g, "a row");
        return false;
    }
    smi_mem_reserve(&row->metric, &row->cap, row->n + 1, sizeof *row->metric);
    smi_mem_reserve(&row->v, &row->vcap, row->n + 1, sizeof *row->v);
    row->has = true;
    row->metric[row->n] = (uint16_t)m;
    row->v[row->n++] = (int64_t)(units * unit);
    return true;
}

static void read_row(struct smi_partial_reader *g, const json_t *names, const json_t *o,
                     struct smi_last_row *row)
{
    struct smi_packed v = read_letters(json_object_get(o, "v"));
    int64_t unit;
    if (!json_is_object(o) || g->bad)
        return;
    unit = smi_packed_read_upto(&v, READING_MAX);
    if (!v.left.n || unit == 0) {
        fail(g, "a row without readings");
        return;
    }
    row->t_ms = read_int(g, json_object_get(o, "t"));
    row->fine = json_is_true(json_object_get(o, "fine"));
    while (v.left.n && !g->bad && read_reading(g, names, &v, unit, row)) {
    }
}

static void read_edges(struct smi_partial_reader *g, const json_t *names, void *p)
{
    struct smi_device_stats *t = p;
    read_row(g, names, json_object_get(g->device, "head"), &t->head);
    read_row(g, names, json_object_get(g->device, "first"), &t->first);
    read_row(g, names, json_object_get(g->device, "last"), &t->last);
}

static const struct codec edges = {write_edges, read_edges};

/* ---- by metric ---- */

static void *place_counts(void *owner, size_t i, unsigned *metric, bool add)
{
    struct smi_device_stats *t = owner;
    *metric = (unsigned)i;
    if (add)
        t->counts[i] = smi_mem_new(1, sizeof **t->counts);
    return i < SMI_METRIC_COUNT ? t->counts[i] : NULL;
}

static const struct field counts_value = {.kind = KIND_CODEC, .codec = &counts_codec};

static const struct field timed_fields[] = {
    NUMBER(smi_timed_metrics, first_t, "first_t"),
    NUMBER(smi_timed_metrics, first_v, "first_v"),
    COUNT(smi_timed_metrics, first_seg, "first_seg"),
    NUMBER(smi_timed_metrics, last_t, "last_t"),
    NUMBER(smi_timed_metrics, last_v, "last_v"),
    COUNT(smi_timed_metrics, last_seg, "last_seg"),
    TIME_SUM(smi_timed_metrics, sum, "sum"),
    WITH(smi_timed_metrics, series, "series", &series_codec),
};
static const struct shape timed_shape = SHAPE("timed metrics", true, smi_timed_metrics, timed_fields);

static void *place_timed(void *owner, size_t i, unsigned *metric, bool add)
{
    struct smi_device_stats *t = owner;
    const int slot = add ? smi_timed_slot((unsigned)i) : i < SMI_TIMED_COUNT ? (int)i : -1;
    *metric = slot < 0 ? SMI_METRIC_COUNT : smi_timed_metrics[slot];
    if (slot < 0 || !(t->timed[slot].has |= add))
        return NULL;
    return &t->timed[slot];
}

static const struct field timed_value = {.kind = KIND_STRUCT, .of = &timed_shape};

static const struct field counter_fields[] = {
    COUNT(smi_counter, n, NULL),
    NUMBER(smi_counter, first_t, NULL),
    RANGE(smi_counter, first_v, NULL, -READING_MAX, READING_MAX),
    NUMBER(smi_counter, last_t, NULL),
    RANGE(smi_counter, last_v, NULL, -READING_MAX, READING_MAX),
    SUM(smi_counter, increase, NULL),
    COUNT(smi_counter, rises, NULL),
    NUMBER(smi_counter, first_rise, NULL),
    NUMBER(smi_counter, last_rise, NULL),
};
static const struct shape counter_shape = SHAPE("counters", false, smi_counter, counter_fields);

static void *place_counter(void *owner, size_t i, unsigned *metric, bool add)
{
    struct smi_device_stats *t = owner;
    if (add)
        return smi_device_stats_counter(t, (uint16_t)i);
    *metric = i < t->counters ? t->counter[i].metric : SMI_METRIC_COUNT;
    return i < t->counters ? &t->counter[i] : NULL;
}

static const struct field counter_value = {.kind = KIND_STRUCT, .of = &counter_shape};

static const struct field throttle_value =
    ITEMS(smi_time_sum, slot, n, NULL, &time_sum_shape, INT64_MAX, add_time_share, FLAT);

static void *place_throttle(void *owner, size_t i, unsigned *metric, bool add)
{
    struct smi_device_stats *t = owner;
    i = add ? i - SMI_THROTTLE_FIRST : i; /* from 0 on; another metric is far above them */
    *metric = i < SMI_THROTTLE_COUNT ? SMI_THROTTLE_FIRST + (unsigned)i : SMI_METRIC_COUNT;
    return i < SMI_THROTTLE_COUNT && (add || t->throttle[i].n) ? &t->throttle[i] : NULL;
}

/* ---- idle time and segments ---- */

/* Where there is no stretch, the time it began is left over from another one. */
static const struct field idle_fields[] = {COUNT(smi_stretch, ms, NULL), WHEN(smi_stretch, from_ms, ms)};
static const struct shape idle_shape = SHAPE("stretch", false, smi_stretch, idle_fields);
static const struct field held_fields[] = {COUNT(smi_stretch, ms, NULL),    WHEN(smi_stretch, from_ms, ms),
                                           WHEN(smi_stretch, to_ms, ms),    WHEN(smi_stretch, begin_ms, ms),
                                           WHEN(smi_stretch, known_ms, ms), SUM(smi_stretch, area, NULL)};
static const struct shape held_shape = SHAPE("stretch", false, smi_stretch, held_fields);
static const struct field stretch_fields[] = {
    NUMBER(smi_device_stats, stretch.all.first.ms, NULL),
    NUMBER(smi_device_stats, stretch.all.last.ms, NULL),
    NUMBER(smi_device_stats, stretch.all.longest.ms, NULL),
    RANGE(smi_device_stats, stretch.all.broken, NULL, 0, 1),
    WHEN(smi_device_stats, stretch.all.last.from_ms, stretch.all.last.ms),
    PART(smi_device_stats, stretch.before, NULL, &idle_shape),
    PART(smi_device_stats, stretch.between, NULL, &idle_shape),
    PART(smi_device_stats, stretch.since, NULL, &idle_shape),
    WHEN(smi_device_stats, stretch.all.first.from_ms, stretch.all.first.ms),
};
static const struct shape stretch_shape = SHAPE("stretch", false, smi_device_stats, stretch_fields);

static const struct field stretches_fields[] = {
    COUNT(smi_stretches, n, NULL),
    COUNT(smi_stretches, ms, NULL),
    PART(smi_stretches, first, NULL, &held_shape),
    PART(smi_stretches, last, NULL, &held_shape),
    PART(smi_stretches, longest, NULL, &held_shape),
    RANGE(smi_stretches, broken, NULL, 0, 1),
};
static const struct shape stretches_shape = SHAPE("conditions", false, smi_stretches, stretches_fields);

/* The closed segments that are kept one by one. */
static size_t kept_segments(const struct smi_device_stats *t)
{
    if (t->segments > SMI_SEGMENTS_MAX)
        return SMI_SEGMENTS_MAX;
    return t->segments ? (size_t)t->segments - 1 : 0;
}

static void write_segments(struct smi_json *j, const void *p)
{
    const struct smi_device_stats *t = p;
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
    int64_t first = read_int(g, json_array_get(a, at));
    return (struct smi_segment){first, read_int(g, json_array_get(a, at + 1))};
}

static void read_segments(struct smi_partial_reader *g, const json_t *a, void *p)
{
    struct smi_device_stats *t = p;
    t->segments = read_int(g, json_array_get(a, 0));
    t->segment_rest = read_int(g, json_array_get(a, 1));
    t->open = read_segment(g, a, 2);
    if (t->segments < 0 || (!t->pooled && (t->segments == 0) != !t->first.has) ||
        json_array_size(a) != 4 + 2 * kept_segments(t)) {
        fail(g, "segments");
        return;
    }
    for (size_t i = 0; i < kept_segments(t); i++)
        t->segment[i] = read_segment(g, a, 4 + 2 * i);
}

static const struct codec segments = {write_segments, read_segments};

static const struct field aside_fields[] = {
    RANGE(smi_device_stats, asides, NULL, 1, NUMBER_MAX),
    NUMBER(smi_device_stats, aside.first, NULL),
    NUMBER(smi_device_stats, aside.last, NULL),
};
static const struct shape aside_shape = SHAPE("aside", false, smi_device_stats, aside_fields);

static const struct field load_fields[] = {
    COUNT(smi_load, rows, NULL),
    SUM(smi_load, clock, NULL),
    SUM(smi_load, power, NULL),
};
static const struct shape load_shape = SHAPE("load", false, smi_load, load_fields);

static const struct field trend_fields[] = {
    COUNT(smi_trend, n, NULL), SUM(smi_trend, t, NULL),  SUM(smi_trend, v, NULL),
    SUM(smi_trend, tt, NULL),  SUM(smi_trend, tv, NULL), SUM(smi_trend, vv, NULL),
};
static const struct shape trend_shape = SHAPE("memory trend", false, smi_trend, trend_fields);

/* ---- the table ---- */

static const struct field device_fields[] = {
    COUNT(smi_device_stats, rows, "rows"),
    FLAG(smi_device_stats, dedupe, "dedupe"),
    FLAG(smi_device_stats, timed_rows, "timed_rows"),
    FLAG(smi_device_stats, pooled, "pooled"),
    WHOLE("edges", &edges),
    METRICS("counts", place_counts, &counts_value),
    METRICS("timed", place_timed, &timed_value),
    {.key = "counters",
     .kind = KIND_MAP,
     .place = place_counter,
     .value = &counter_value,
     IF(smi_device_stats, counters)},
    TIME_SUM(smi_device_stats, covered, "covered"),
    TIME_SHARE(smi_device_stats, idle, "idle"),
    TIME_SUM(smi_device_stats, lead, "lead"),
    TIME_SUM(smi_device_stats, trail, "trail"),
    /* partial summaries without it are still read */
    MEMBER(STRUCT, smi_device_stats, load, .key = "load", .repeat = SMI_LOAD_BINS, .of = &load_shape,
           IF(smi_device_stats, rows)),
    FLAG(smi_device_stats, worked, "worked"),
    METRICS("throttle", place_throttle, &throttle_value),
    {.key = "stretch", .kind = KIND_STRUCT, .of = &stretch_shape},
    PART_IF(smi_device_stats, memory, memory.n, "memory_trend", &trend_shape),
    COUNT_IF(smi_device_stats, stretch.all.n, "stretches"),
    COUNT_IF(smi_device_stats, conditions, "conditions_known"),
    MEMBER(STRUCT, smi_device_stats, condition, .key = "conditions", .repeat = SMI_CONDITION_COUNT,
           .of = &stretches_shape, IF(smi_device_stats, conditions)),
    PART_IF(smi_device_stats, absent, absent.ms, "absent", &idle_shape),
    WHOLE("segments", &segments),
    {.key = "aside", .kind = KIND_STRUCT, .of = &aside_shape, IF(smi_device_stats, asides)},
    WITH(smi_device_stats, dts, "dts", &intervals_codec),
    WITH(smi_device_stats, lengths, "lengths", &intervals_codec),
};
static const struct shape device_shape = SHAPE("devices", true, smi_device_stats, device_fields);

/* ---- by phase ---- */

static const struct field pool_fields[] = {
    COUNT(smi_phase_pool, n, NULL),
    NUMBER(smi_phase_pool, max, NULL),
    SUM(smi_phase_pool, sum, NULL),
};
static const struct shape pool_shape = SHAPE("phases", false, smi_phase_pool, pool_fields);
static const struct field phase_fields[] = {
    COUNT(smi_phase_stats, rows, "rows"),
    PARTS(smi_phase_stats, pool, "pool", &pool_shape, SMI_BLOCK_SLOTS),
    TIME_SUM(smi_phase_stats, energy, "energy"),
    TIME_SHARE(smi_phase_stats, idle, "idle"),
};
static const struct shape phase_shape = SHAPE("phases", true, smi_phase_stats, phase_fields);

static void read_phases(struct smi_partial_reader *g, const json_t *o, struct smi_device_stats *t)
{
    const char *key;
    json_t *v;
    json_object_foreach ((json_t *)o, key, v) {
        int number = smi_phases_find(&g->run->log.phases, smi_text_of(key));
        struct smi_phase_stats *of = number < 0 ? NULL : smi_device_stats_phase(t, (uint16_t)number);
        if (number < 0)
            fail(g, "a phase without run log");
        if (g->bad)
            return;
        read_struct(g, v, &phase_shape, of);
    }
}

/* ---- a device ---- */

static void write_device(struct smi_json *j, const struct smi_device_stats *t,
                         const struct smi_phases *phases)
{
    if (!t) {
        smi_json_null(j);
        return;
    }
    smi_json_open(j, '{');
    write_members(j, &device_shape, t);
    if (t->tallies) {
        smi_json_key(j, "phases");
        smi_json_open(j, '{');
        for (size_t i = 0; i < t->tallies; i++) {
            smi_json_key(j, phases->phase[t->tally[i].phase].name);
            write_struct(j, &phase_shape, &t->tally[i]);
        }
        smi_json_close(j, '}');
    }
    smi_json_close(j, '}');
}

static struct smi_device_stats *read_device(struct smi_partial_reader *g, const json_t *o)
{
    struct smi_device_stats *t;
    if (!json_is_object(o) || g->bad)
        return NULL;
    t = smi_mem_new(1, sizeof *t);
    smi_device_stats_init(t, &g->input->opts, false);
    g->device = o;
    read_struct(g, o, &device_shape, t);
    if (t->first.has != t->last.has)
        fail(g, "edges");
    if (t->aside.last < t->aside.first && (t->aside.first != 1 || t->aside.last)) /* rows without times */
        fail(g, "aside");
    read_phases(g, json_object_get(o, "phases"), t);
    return t;
}

/* ---- What a partial summary holds of one input: its table of fields, and those of its lists ---- */

/* ---- lines ---- */

static const struct field account_fields[] = {
    NUMBER(smi_account, lines, NULL),         NUMBER(smi_account, header, NULL),
    NUMBER(smi_account, rows, NULL),          NUMBER(smi_account, duplicates, NULL),
    NUMBER(smi_account, blank, NULL),         NUMBER(smi_account, messages, NULL),
    NUMBER(smi_account, cells_missing, NULL), NUMBER(smi_account, cells_bad, NULL),
    NUMBER(smi_account, out_of_range, NULL),  NUMBER(smi_account, undecided, NULL),
    NUMBER(smi_account, ragged_bursts, NULL), NUMBER(smi_account, ragged_rows, NULL),
    NUMBER(smi_account, burst, NULL),         NUMBER(smi_account, changes, NULL),
    NUMBER(smi_account, stamps_never, NULL),  NUMBER(smi_account, stamps_twice, NULL),
    NUMBER(smi_account, stamps_again, NULL),  REPEATED(smi_account, rejected, NULL, SMI_REJECT_COUNT),
};
static const struct shape account_shape = SHAPE("account", false, smi_account, account_fields);

static void write_asked(struct smi_json *j, const void *owner)
{
    const struct smi_input_stats *p = owner;
    smi_json_open(j, '[');
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        if (smi_account_requested(&p->account, m))
            smi_json_str(j, smi_metrics[m].key);
    smi_json_close(j, ']');
}

static void read_asked(struct smi_partial_reader *g, const json_t *v, void *owner)
{
    struct smi_input_stats *p = owner;
    for (size_t i = 0; i < json_array_size(v) && !g->bad; i++) {
        const char *key = json_string_value(json_array_get(v, i));
        int m = read_metric(g, key ? key : "");
        if (m >= 0)
            smi_account_request(&p->account, (unsigned)m);
    }
}

static const struct codec asked = {write_asked, read_asked};

static void *place_refused(void *owner, size_t i, unsigned *metric, bool add)
{
    int64_t *n = ((struct smi_input_stats *)owner)->account.refused;
    *metric = (unsigned)i;
    return i < SMI_METRIC_COUNT && (add || n[i]) ? &n[i] : NULL;
}

static const struct field refused_value = {.kind = KIND_INT, .size = sizeof(int64_t), .most = NUMBER_MAX};

static const struct field problem_fields[] = {
    RANGE(smi_log_warning, kind, NULL, 0, SMI_LOG_WARNING_COUNT - 1),
    NUMBER(smi_log_warning, line, NULL),
    NEEDED_NAME(smi_log_warning, text),
};
static const struct shape problem_shape = SHAPE("problems", false, smi_log_warning, problem_fields);

/* ---- devices ---- */

static const struct field device_id_fields[] = {
    MEMBER(TEXT, smi_device, key, .repeat = SMI_DEVICE_KEY_COUNT),
    NAME(smi_device, name, NULL),
    RANGE(smi_device, ordinal, NULL, -1, SMI_KEYLESS_GPUS_MAX - 1),
};
static const struct shape device_id_shape = SHAPE("devices", false, smi_device, device_id_fields);

/* Is `who` one of the devices that are known by now, or `none`? */
static bool is_device(const struct smi_partial_reader *g, int who, int none)
{
    return who == none || (who >= 0 && (size_t)who < g->input->devices.n);
}

/* ---- processes ---- */

static const struct field proc_sum_fields[] = {
    COUNT(smi_proc_sum, n, NULL),
    SUM(smi_proc_sum, sum, NULL),
    COUNT(smi_proc_sum, peaks, NULL),
    NUMBER(smi_proc_sum, max, NULL),
};
static const struct shape proc_sum_shape = SHAPE("processes", false, smi_proc_sum, proc_sum_fields);
static const struct field proc_fields[] = {
    RANGE(smi_proc, who, NULL, INT32_MIN, INT32_MAX),
    RANGE(smi_proc, pid, NULL, -1, NUMBER_MAX),
    NAME(smi_proc, name, NULL),
    RANGE(smi_proc, types, NULL, 0, 7),
    RANGE(smi_proc, life_ms, NULL, -1, NUMBER_MAX),
    COUNT(smi_proc, samples, NULL),
    FLAG(smi_proc, timed, NULL),
    NUMBER(smi_proc, first_ms, NULL),
    NUMBER(smi_proc, last_ms, NULL),
    PARTS(smi_proc, of, NULL, &proc_sum_shape, SMI_PROC_METRICS),
};
static const struct shape proc_shape = SHAPE("processes", false, smi_proc, proc_fields);

static bool add_process(struct smi_partial_reader *g, void *owner, void *item)
{
    const struct smi_proc *p = item;
    return is_device(g, p->who, SMI_DEVICE_POOL) &&
           smi_procs_join(&((struct smi_input_stats *)owner)->procs, p, p->who) == SMI_PROC_KEPT;
}

/* ---- faults ---- */

static void write_fault_name(struct smi_json *j, const void *p)
{
    smi_json_str(j, smi_faults[*(const int *)p].name);
}

static void read_fault_name(struct smi_partial_reader *g, const json_t *v, void *p)
{
    int id = json_is_string(v) ? smi_fault_find(json_string_value(v)) : -1;
    if (id < 0)
        fail(g, "faults");
    *(int *)p = id;
}

static void write_bus(struct smi_json *j, const void *p)
{
    smi_json_str(j, p);
}

static void read_bus(struct smi_partial_reader *g, const json_t *v, void *p)
{
    if (json_is_string(v) && json_string_length(v) < SMI_FAULT_BUS_MAX)
        memcpy(p, json_string_value(v), json_string_length(v));
    else
        fail(g, "faults");
}

static const struct codec fault_name = {write_fault_name, read_fault_name};
static const struct codec fault_bus = {write_bus, read_bus};

static const struct field fault_fields[] = {
    WITH(smi_fault_count, id, NULL, &fault_name),
    RANGE(smi_fault_count, who, NULL, -1, SMI_DEVICE_MAX),
    NUMBER(smi_fault_count, code, NULL),
    WITH(smi_fault_count, bus, NULL, &fault_bus),
    RANGE(smi_fault_count, n, NULL, 1, NUMBER_MAX),
    FLAG(smi_fault_count, open, NULL),
    FLAG(smi_fault_count, timed, NULL),
    NUMBER(smi_fault_count, first_ms, NULL),
    NUMBER(smi_fault_count, last_ms, NULL),
};
static const struct shape fault_shape = SHAPE("faults", false, smi_fault_count, fault_fields);

static bool add_fault(struct smi_partial_reader *g, void *owner, void *item)
{
    const struct smi_fault_count *f = item;
    if (!is_device(g, f->who, -1))
        return false;
    smi_faults_join(&((struct smi_input_stats *)owner)->faults, f, f->who);
    return true;
}

/* ---- a RunLog ---- */

static const struct field event_fields[] = {NEEDED_NAME(smi_event_count, name),
                                            NUMBER(smi_event_count, n, NULL)};
static const struct shape event_shape = SHAPE("events", false, smi_event_count, event_fields);

static const struct field param_fields[] = {
    NAME(smi_runlog_param, key, NULL),
    NAME(smi_runlog_param, text, NULL),
    FLAG(smi_runlog_param, bare, NULL),
};
static const struct shape param_shape = SHAPE("params", false, smi_runlog_param, param_fields);

static bool add_param(struct smi_partial_reader *g, void *to, void *item)
{
    struct smi_runlog_params *all = to;
    struct smi_runlog_param *p = item;
    (void)g;
    if (!p->key || !p->text || (p->bare && !smi_text_is_bare(smi_text_of(p->text))))
        return false;
    smi_mem_reserve(&all->list, &all->cap, all->n + 1, sizeof *p);
    all->list[all->n++] = *p;
    p->key = p->text = NULL;
    return true;
}

#define PARAMS(member, key, flag)                                                                \
    ITEMS(smi_runlog, member.list, member.n, key, &param_shape, SMI_PARAMS_MAX, add_param, flag, \
          .add_at = offsetof(struct smi_runlog, member))
static const struct field start_params = PARAMS(started_with, "started_with", 0);

/* The first event is mostly the start: then `true` says so. */
static void write_start_params(struct smi_json *j, const void *p)
{
    const struct smi_runlog_params *a = &((const struct smi_runlog *)p)->first,
                                   *b = &((const struct smi_runlog *)p)->started_with;
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = !strcmp(a->list[i].key, b->list[i].key) && !strcmp(a->list[i].text, b->list[i].text) &&
               a->list[i].bare == b->list[i].bare;
    if (same)
        smi_json_bool(j, true);
    else
        write_field(j, &start_params, p);
}

static void read_start_params(struct smi_partial_reader *g, const json_t *v, void *p)
{
    struct smi_runlog *l = p;
    if (!json_is_true(v)) {
        read_field(g, &start_params, v, l);
        return;
    }
    for (size_t i = 0; i < l->first.n && !g->bad; i++) {
        struct smi_runlog_param copy = l->first.list[i];
        copy.key = smi_mem_text(copy.key, strlen(copy.key));
        copy.text = smi_mem_text(copy.text, strlen(copy.text));
        add_param(g, &l->started_with, &copy);
    }
}

static const struct codec start_params_codec = {write_start_params, read_start_params};

/* Of a run that was tracked. */
static const struct field usage_fields[] = {
    RANGE(smi_runlog_usage, span_us, NULL, 0, READING_MAX),
    MEMBER(INT, smi_runlog_usage, cpu_us, .most = READING_MAX, .repeat = SMI_RUNLOG_USAGE_PARTS),
};
static const struct shape usage_times = SHAPE("tracked", false, smi_runlog_usage, usage_fields);
static const struct field usage_most[] = {
    {.kind = KIND_INT, .size = sizeof(int64_t), .least = -READING_MAX, .most = READING_MAX}};

static void write_usage(struct smi_json *j, const void *p)
{
    const struct smi_runlog_usage *t = p;
    smi_json_open(j, '{');
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++)
        if (t->has >> i & 1)
            smi_json_key_int(j, smi_metrics[SMI_TREE_CPU + i].key, t->max[i]);
    smi_json_key(j, "times");
    write_struct(j, &usage_times, t);
    smi_json_close(j, '}');
}

static void read_usage(struct smi_partial_reader *g, const json_t *o, void *p)
{
    struct smi_runlog_usage *t = p;
    if (!o)
        return;
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++) {
        const json_t *v = json_object_get(o, smi_metrics[SMI_TREE_CPU + i].key);
        if (!v)
            continue;
        read_field(g, usage_most, v, &t->max[i]);
        t->has |= 1u << i;
    }
    read_struct(g, json_object_get(o, "times"), &usage_times, t);
}

static const struct codec usage = {write_usage, read_usage};

/* ---- its phases ---- */

static const struct field phase_name_fields[] = {
    NAME(smi_phase, name, NULL),
    NUMBER(smi_phase, count, NULL),
    NUMBER(smi_phase, span_us, NULL),
    US(smi_phase, first_us, NULL),
};
static const struct shape phase_name_shape = SHAPE("phases", false, smi_phase, phase_name_fields);

static bool add_phase(struct smi_partial_reader *g, void *owner, void *item)
{
    struct smi_phases *p = &((struct smi_runlog *)owner)->phases;
    const struct smi_phase *from = item;
    (void)g;
    struct smi_text name = smi_text_of(from->name ? from->name : "");
    if (!from->name || smi_phases_find(p, name) >= 0)
        return false;
    smi_phases_add(p, name, 0, 0);
    p->phase[p->n - 1].count = from->count;
    p->phase[p->n - 1].span_us = from->span_us;
    p->phase[p->n - 1].first_us = from->first_us;
    return true;
}

/* A span with the place of its phase. */
struct placed_span {
    uint32_t name;
    struct smi_span at;
};

static const struct field span_fields[] = {
    RANGE(placed_span, name, NULL, 0, SMI_PHASE_NAMES - 1),
    US(placed_span, at.from_us, NULL),
    US(placed_span, at.to_us, NULL),
};
static const struct shape span_shape = SHAPE("spans", false, placed_span, span_fields);

static bool add_span(struct smi_partial_reader *g, void *owner, void *item)
{
    struct smi_phases *p = &((struct smi_runlog *)owner)->phases;
    const struct placed_span *s = item;
    (void)g;
    if (s->name >= p->n || s->at.from_us >= s->at.to_us)
        return false;
    smi_phases_span(p, s->at.from_us, s->at.to_us, s->name);
    return true;
}

static const struct field span_items =
    ITEMS(smi_runlog, phases.phase, phases.spans, NULL, &span_shape, INT64_MAX, add_span, 0);

/* Those of all phases in one list. */
static void write_spans(struct smi_json *j, const void *owner)
{
    const struct smi_phases *p = &((const struct smi_runlog *)owner)->phases;
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->phase[i].spans; k++)
            write_struct(j, &span_shape, &(struct placed_span){(uint32_t)i, p->phase[i].span[k]});
    smi_json_close(j, ']');
}

static void read_spans(struct smi_partial_reader *g, const json_t *v, void *p)
{
    read_field(g, &span_items, v, p);
}

static const struct codec spans = {write_spans, read_spans};

static const struct field steps_fields[] = {
    FLAG(smi_step_range, some, "some"),
    US(smi_step_range, first_us, "first_us"),
    US(smi_step_range, last_us, "last_us"),
    RANGE(smi_step_range, first, "first", 0, READING_MAX),
    RANGE(smi_step_range, last, "last", 0, READING_MAX),
};
static const struct shape steps_shape = SHAPE("steps", true, smi_step_range, steps_fields);

static const struct field log_fields[] = {
    COUNT(smi_runlog, entries, "entries"),
    US(smi_runlog, first_us, "first_us"),
    US(smi_runlog, last_us, "last_us"),
    US(smi_runlog, first_ts_us, "first_ts_us"),
    US(smi_runlog, last_ts_us, "last_ts_us"),
    FLAG(smi_runlog, started, "started"),
    FLAG(smi_runlog, ended, "ended"),
    FLAG(smi_runlog, failed, "failed"),
    FLAG(smi_runlog, has_exit, "has_exit"),
    NUMBER(smi_runlog, exit_code, "exit_code"),
    FLAG(smi_runlog, has_offset, "has_offset"),
    RANGE(smi_runlog, offset_s, "offset_s", INT32_MIN, INT32_MAX),
    NAME(smi_runlog, reason, "reason"),
    NAME(smi_runlog, host, "host"),
    NAME(smi_runlog, command, "command"),
    WITH(smi_runlog, tracked, "tracked", &usage),
    NAME(smi_runlog, visible, "visible"),
    COUNT_IF(smi_runlog, recording, "recording"),
    FLAG(smi_runlog, has_first_event, "has_first_event"),
    NUMBER(smi_runlog, jax_peak, "jax_peak"),
    NUMBER(smi_runlog, torch_peak, "torch_peak"),
    PART_IF(smi_runlog, steps, steps.some, "steps", &steps_shape),
    NUMBER(smi_runlog, event_other, "event_other"),
    ITEMS(smi_runlog, event, events, "events", &event_shape, SMI_EVENT_NAMES, NULL, 0),
    PARAMS(first, "params", 0),
    FLAG(smi_runlog, recorded, "recorded"),
    {.key = "started_with", .kind = KIND_CODEC, .codec = &start_params_codec, IF(smi_runlog, started_with.n)},
    NUMBER(smi_runlog, phases.unnamed, "unnamed"),
    FLAG(smi_runlog, phases.over, "over"),
    ITEMS(smi_runlog, phases.phase, phases.n, "phases", &phase_name_shape, SMI_PHASE_NAMES, add_phase, 0),
    WHOLE("spans", &spans),
};
static const struct shape log_shape = SHAPE("log", true, smi_runlog, log_fields);

/* ---- the table ---- */

static const struct field input_fields[] = {
    RANGE(smi_input_stats, base, "base", SMI_TIME_BASE_NONE, SMI_TIME_BASES - 1),
    FLAG(smi_input_stats, keyed, "keyed"),
    FLAG(smi_input_stats, timed, "timed"),
    NUMBER(smi_input_stats, last_ms, "last_ms"),
    NUMBER(smi_input_stats, first_ms, "first_ms"),
    NUMBER(smi_input_stats, begin_ms, "begin_ms"),
    RANGE(smi_input_stats, ahead_ms, "ahead_ms", -DAY_MS, DAY_MS),
    FLAG(smi_input_stats, by_zone, "by_zone"),
    RANGE(smi_input_stats, given.how, "given", SMI_TIMES_NONE, SMI_TIMES_SPREAD),
    NUMBER(smi_input_stats, size, "size"),
    RANGE(smi_input_stats, hash, "hash", INT64_MIN, INT64_MAX),
    PART(smi_input_stats, account, "account", &account_shape),
    WHOLE("asked", &asked),
    {.key = "refused",
     .kind = KIND_MAP,
     .place = place_refused,
     .value = &refused_value,
     IF(smi_input_stats, account.out_of_range)},
    REPEATED(smi_input_stats, account.said, "said", SMI_LOG_WARNING_COUNT),
    ITEMS(smi_input_stats, account.problem, account.problems, "problems", &problem_shape, INT64_MAX, NULL, 0),
    ITEMS(smi_input_stats, devices.list, devices.n, "devices", &device_id_shape, SMI_DEVICE_MAX, NULL, 0),
    MEMBER(TEXT, smi_input_stats, devices.all, .key = "name_of_all", .flags = OPTIONAL),
    WITH(smi_input_stats, dts, "dts", &intervals_codec),
    /* the time of the last row, which a message has */
    MEMBER(INT, smi_input_stats, now_ms, .key = "now", .least = -NUMBER_MAX, .most = NUMBER_MAX,
           IF(smi_input_stats, has_now)),
    ITEMS(smi_input_stats, faults.list, faults.n, "faults", &fault_shape, INT64_MAX, add_fault, OPTIONAL),
    ITEMS(smi_input_stats, procs.list, procs.n, "processes", &proc_shape, SMI_PROCS_MAX, add_process,
          OPTIONAL),
    COUNT_IF(smi_input_stats, account.unknown_columns, "unknown_columns"),
    COUNT_IF(smi_input_stats, procs.others, "process_rows_left"),
    PART_IF(smi_input_stats, log, log.entries, "log", &log_shape),
};
static const struct shape input_shape = SHAPE("input", true, smi_input_stats, input_fields);

static void write_input(struct smi_json *j, const struct smi_input_stats *p, const struct smi_phases *phases)
{
    smi_json_open(j, '{');
    smi_json_key(j, "path");
    write_text(j, p->path);
    smi_json_key_str(j, "format", smi_format_infos[p->format].name);
    write_members(j, &input_shape, p);
    smi_json_key(j, "tracks");
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->devices.n; i++)
        write_device(j, i < p->tracks ? p->track[i] : NULL, phases);
    smi_json_close(j, ']');
    smi_json_key(j, "host");
    write_device(j, p->host, phases);
    smi_json_key(j, "pool");
    write_device(j, p->pool, phases);
    smi_json_close(j, '}');
}

static struct smi_input_stats *read_input(struct smi_partial_reader *g, const json_t *o)
{
    char *name = read_text(g, json_object_get(o, "path"));
    const char *format = json_string_value(json_object_get(o, "format"));
    struct smi_input_stats *p = NULL;
    for (int i = 0; i < SMI_FMT_COUNT && name && format && !p; i++)
        if (strcmp(format, smi_format_infos[i].name) == 0)
            p = smi_input_stats_new(name, i);
    smi_mem_free(name);
    g->input = p;
    if (!p) {
        fail(g, "a format that this version does not know");
        return NULL;
    }
    read_struct(g, o, &input_shape, p);
    p->has_now = json_is_integer(json_object_get(o, "now"));
    return p;
}

static void read_devices(struct smi_partial_reader *g, const json_t *o, struct smi_input_stats *p)
{
    const json_t *tracks = json_object_get(o, "tracks");
    size_t n = json_array_size(tracks);
    if (n != p->devices.n) {
        fail(g, "tracks");
        return;
    }
    smi_mem_reserve(&p->track, &p->tracks_cap, n, sizeof *p->track);
    g->input = p;
    p->tracks = n;
    smi_devices_tell_apart(&p->devices);
    for (size_t i = 0; i < n; i++)
        p->track[i] = read_device(g, json_array_get(tracks, i));
    p->host = read_device(g, json_object_get(o, "host"));
    p->pool = read_device(g, json_object_get(o, "pool"));
}
/* Partial summaries of a run: the document as a whole, to which run it belongs, and whether its times stand
 * on that run's clock. */

enum { MOST_MORE = 1 << 30 /* files of one warning */ };

/* ---- the tables ---- */

/* What stands in front. Texts are the run's when it is written, and the reader's own. */
struct head {
    char *run, *host;
    bool joined; /* by --run, which makes one run of parts with different parameters */
    int64_t idle_below, distinct_cap;
    int64_t offset_s;
    char *zone_from, *zone;
};

static const struct field head_fields[] = {
    NAME(head, run, "run"), /* parse_document_head looks for the first and the last of these */
    FLAG_IF(head, joined, "joined"),
    NAME(head, host, "host"),
    NUMBER(head, idle_below, "idle_below"),
    NUMBER(head, distinct_cap, "distinct_cap"),
    RANGE(head, offset_s, "offset_s", -DAY_MS / 1000, DAY_MS / 1000),
    NAME(head, zone_from, "zone_from"),
    NAME(head, zone, "zone"),
};
static const struct shape head_shape = SHAPE("run", true, head, head_fields);

static const struct field run_param_fields[] = {
    NAME(smi_run_param, key, NULL),
    NAME(smi_run_param, text, NULL),
    FLAG(smi_run_param, bare, NULL),
    FLAG(smi_run_param, file, NULL),
};
static const struct shape run_param_shape = SHAPE("params", false, smi_run_param, run_param_fields);
/* The same but for `file`. */
static const struct shape fact_shape = {"facts", false, sizeof(struct smi_run_param), run_param_fields, 3};

static const struct field run_problem_fields[] = {
    {.kind = KIND_TEXT, .size = sizeof(char *)},
};
static const struct shape run_problem_shape = {"problems", false, sizeof(char *), run_problem_fields, 1};

static const struct field warning_fields[] = {
    NAME(smi_run_warning, path, NULL),
    NAME(smi_run_warning, text, NULL),
    FLAG(smi_run_warning, used, NULL),
    COUNT(smi_run_warning, more, NULL),
};
static const struct shape warning_shape = SHAPE("warnings", false, smi_run_warning, warning_fields);

/* ---- parameters, problems, doubts ---- */

static bool add_run_param(struct smi_partial_reader *g, void *owner, void *item)
{
    const struct smi_run_param *p = item;
    struct smi_run *r = owner;
    bool known = false;
    if (!p->key || !p->text || (p->bare && !smi_text_is_bare(smi_text_of(p->text))))
        return false;
    for (size_t k = 0; k < r->params; k++) {
        struct smi_run_param *old = &r->param[k];
        if (old->file != p->file || strcmp(old->key, p->key) != 0)
            continue;
        known = true;
        if (g->joined)
            old->differs |= strcmp(old->text, p->text) != 0;
        else if (strcmp(old->text, p->text)) { /* in one order, whichever part is read first */
            const bool first = strcmp(old->text, p->text) < 0;
            g->bad = smi_err_set(
                g->err, SMI_EUSAGE,
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
static bool add_fact(struct smi_partial_reader *g, void *owner, void *item)
{
    const struct smi_run_param *p = item;
    struct smi_run *r = owner;
    (void)g;
    if (!p->key || !p->text || (p->bare && !smi_text_is_number(smi_text_of(p->text))))
        return false;
    for (size_t i = 0; i < r->facts; i++) {
        char *text;
        if (strcmp(r->fact[i].key, p->key) != 0 || strcmp(p->text, r->fact[i].text) >= 0)
            continue;
        text = smi_mem_text(p->text, strlen(p->text));
        smi_mem_free(r->fact[i].text);
        r->fact[i].text = text;
        r->fact[i].bare = p->bare;
    }
    smi_run_add_fact(r, p->key, p->text, p->bare);
    return true;
}

static bool add_problem(struct smi_partial_reader *g, void *owner, void *item)
{
    const char *text = *(char **)item;
    (void)g;
    if (text)
        smi_run_add_problem(owner, "%s", text);
    return true;
}

static bool add_warning(struct smi_partial_reader *g, void *owner, void *item)
{
    const struct smi_run_warning *w = item;
    struct smi_run *r = owner;
    (void)g;
    if (!w->text)
        return false;
    smi_run_add_warning(r, w->path, w->text, w->used);
    if (w->more > 0 && w->more < MOST_MORE)
        r->doubt[r->doubts - 1].more = w->more;
    return true;
}

static const struct field run_fields[] = {
    ITEMS(smi_run, param, params, "params", &run_param_shape, INT64_MAX, add_run_param, 0),
    ITEMS(smi_run, fact, facts, "facts", &fact_shape, INT64_MAX, add_fact, FLAT | OPTIONAL),
    ITEMS(smi_run, problem, problems, "problems", &run_problem_shape, INT64_MAX, add_problem, FLAT),
    FLAG_IF(smi_run, columns_unknown, "columns_unknown"),
    ITEMS(smi_run, doubt, doubts, "doubts", &warning_shape, INT64_MAX, add_warning, 0),
};
static const struct shape run_shape = SHAPE("run", true, smi_run, run_fields);

/* ---- the sum over the bytes of a document ---- */

const struct smi_text smi_partial_checksum_begin = {
    "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"sum\": \"",
    sizeof "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"sum\": \"" - 1};

static bool is_current(const char *text, size_t n)
{
    size_t most = n < smi_partial_checksum_begin.n ? n : smi_partial_checksum_begin.n;
    return memcmp(text, smi_partial_checksum_begin.p, most) == 0;
}

uint64_t smi_partial_checksum(uint64_t sum, const char *p, size_t n)
{
    const uint64_t basis = 0xcbf29ce484222325u, prime = 0x100000001b3u;
    sum ^= basis; /* of no bytes: 0 */
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ (unsigned char)p[i]) * prime;
    return sum ^ basis;
}

uint64_t smi_partial_document_sum(const char *p, size_t n)
{
    static const char schema[] = SMI_PARTIAL_SCHEMA;
    return smi_partial_checksum(smi_partial_checksum(0, schema, sizeof schema - 1), p, n);
}

void smi_partial_checksum_text(char *to, uint64_t sum)
{
    snprintf(to, SMI_PARTIAL_CHECKSUM_TEXT, "%016llx", (unsigned long long)sum);
}

/* ---- writing ---- */

void smi_partial_write(struct smi_buf *to, const struct smi_run *r, const struct smi_options *o)
{
    struct smi_json json, *j = &json;
    const size_t begin = to->n, front = smi_partial_checksum_begin.n + SMI_PARTIAL_CHECKSUM_TEXT - 1;
    const struct head head = {.run = r->name,
                              .host = r->host ? r->host : r->log.host,
                              .idle_below = o->idle_below,
                              .distinct_cap = SMI_DISTINCT_CAP,
                              .offset_s = r->offset_s,
                              .zone_from = r->has_offset ? (char *)r->zone_from : NULL,
                              .zone = r->has_offset ? r->zone : NULL};
    char sum[SMI_PARTIAL_CHECKSUM_TEXT] = "0000000000000000";
    smi_json_begin(j, to);
    smi_json_open(j, '{');
    smi_json_key_str(j, "schema", SMI_PARTIAL_SCHEMA);
    smi_json_key_str(j, "sum", sum); /* of what follows */
    write_members(j, &head_shape, &head);
    write_members(j, &run_shape, r);
    smi_json_key(j, "parts");
    smi_json_open(j, '[');
    for (size_t i = 0; i < r->parts; i++)
        write_input(j, r->part[i], &r->log.phases);
    smi_json_close(j, ']');
    smi_json_close(j, '}');
    smi_partial_checksum_text(sum, smi_partial_document_sum(to->p + begin + front, to->n - begin - front));
    memcpy(to->p + begin + smi_partial_checksum_begin.n, sum, SMI_PARTIAL_CHECKSUM_TEXT - 1);
    smi_buf_char(to, '\n');
}

/* ---- which run ---- */

/* The host is part of the key where it is known: GPU 0 of another machine is another GPU. A part that knows
 * none belongs to the only run of its name. Returns NULL, with g->bad set where there are several. */
static struct smi_run *known_run(struct smi_partial_reader *g, struct smi_partials *p, const char *name,
                                 const char *host)
{
    struct smi_run *any = NULL;
    bool hostless = !host, same = false;
    size_t n = 0;
    for (size_t i = 0; i < p->runs && !same; i++) {
        struct smi_run *r = p->run[i];
        if (strcmp(r->name, name) != 0)
            continue;
        same = host && r->host && strcmp(host, r->host) == 0;
        hostless |= r->hostless;
        any = r;
        n++;
    }
    if (same || (n == 1 && (!host || !any->host)))
        return any;
    if (n && hostless)
        g->bad = smi_err_set(
            g->err, SMI_EUSAGE,
            "%.200s: run %.80s was made on several hosts, and a part of it does not say on which: "
            "summarize --host NAME says it",
            g->name, name);
    return NULL;
}

/* The run of a document, made if it is new; NULL with g->bad set. */
static struct smi_run *run_of(struct smi_partial_reader *g, struct smi_partials *p, const char *name,
                              const char *host)
{
    struct smi_run *r = known_run(g, p, name, host);
    if (g->bad)
        return NULL;
    if (!r) {
        smi_mem_reserve(&p->run, &p->cap, p->runs + 1, sizeof *p->run);
        r = p->run[p->runs++] = smi_mem_new(1, sizeof *r);
        r->name = smi_mem_text(name, strlen(name));
    }
    r->hostless |= !host;
    if (host && !r->host)
        r->host = smi_mem_text(host, strlen(host));
    return r;
}

/* ---- the zone ---- */

static void fail_other_zone(struct smi_partial_reader *g)
{
    g->bad =
        smi_err_set(g->err, SMI_EUSAGE,
                    "%.200s: run %.100s was summarised in another time zone there: give the same --tz to all",
                    g->name, g->run->name);
}

/* Where a zone can come from, the surest first. */
static const char *const zone_sources[] = {"--tz", "the run log", "inferred"};
enum { ZONE_SOURCES = 3 };

/* ZONE_SOURCES for NULL. */
static size_t zone_source(const char *said)
{
    size_t i = 0;
    while (i < ZONE_SOURCES && (!said || strcmp(said, zone_sources[i])))
        i++;
    return i;
}

/* The zone is the run's, not the part's: parts that were joined by different ones cannot be merged. */
static void set_zone(struct smi_partial_reader *g, const struct head *head, bool first)
{
    struct smi_run *r = g->run;
    const char *zone = head->zone;
    size_t i = zone_source(head->zone_from);
    if (i == ZONE_SOURCES || g->bad)
        return;
    if (zone && strlen(zone) >= SMI_TZ_NAME) {
        fail(g, "zone");
        return;
    }
    if (r->has_offset && !first &&
        (r->offset_s != head->offset_s || !r->zone != !zone || (zone && strcmp(zone, r->zone)))) {
        fail_other_zone(g);
        return;
    }
    if (zone && !r->zone)
        r->zone = smi_mem_text(zone, strlen(zone));
    r->has_offset = true;
    r->offset_s = (int)head->offset_s;
    if (i < zone_source(r->zone_from)) /* the same for any order of documents */
        r->zone_from = zone_sources[i];
}

/* Parts that a zone's name has put on its standard time, and parts that stand as they were, cannot be merged.
 */
static void check_clock(struct smi_partial_reader *g)
{
    const struct smi_input_stats *first = NULL;
    for (size_t i = 0; i < g->run->parts && !g->bad; i++) {
        const struct smi_input_stats *p = g->run->part[i];
        if (!p->timed || p->base != SMI_TIME_BASE_LOCAL)
            continue;
        if (first && first->by_zone != p->by_zone)
            fail_other_zone(g);
        first = p;
    }
}

/* ---- inputs ---- */

/* Adds an input to the run. A RunLog that stands beside every part of its run is one RunLog. Returns whether
 * it is new there. */
static bool add_input(struct smi_partial_reader *g, struct smi_input_stats *p)
{
    const bool log = smi_format_infos[p->format].marks;
    const struct smi_run *r = g->run;
    struct smi_input_stats *of = p;
    p->doc = g->doc;
    for (size_t i = 0; i < r->parts && log && of == p; i++)
        if (r->part[i]->format == p->format && r->part[i]->hash == p->hash && r->part[i]->size == p->size)
            of = r->part[i];
    if (!g->bad && log) {
        smi_mem_reserve(&of->docs, &of->docs_cap, of->ndocs + 1, sizeof *of->docs);
        of->docs[of->ndocs++] = g->doc;
    }
    if (g->bad || of != p) {
        smi_input_stats_free(p);
        return false;
    }
    smi_run_add_part(g->run, p);
    if (log)
        smi_runlog_merge(&g->run->log, &p->log);
    return true;
}

static void read_inputs(struct smi_partial_reader *g, const json_t *list)
{
    size_t first = g->run->parts, n = json_array_size(list), kept = 0;
    size_t *place = smi_mem_new(n, sizeof *place);
    for (size_t i = 0; i < n && !g->bad; i++) {
        struct smi_input_stats *p = read_input(g, json_array_get(list, i));
        if (p && add_input(g, p))
            place[kept++] = i;
    }
    for (size_t i = 0; i < kept && !g->bad; i++)
        read_devices(g, json_array_get(list, place[i]), g->run->part[first + i]);
    smi_mem_free(place);
}

/* ---- documents ---- */

/* name: --run, or NULL. */
static void read_document(struct smi_partial_reader *g, struct smi_partials *p, const json_t *doc,
                          const struct head *head, const char *name)
{
    const size_t before = p->runs;
    if (!head->run) /* the queue has said what is wrong, where a document comes from there */
        fail(g, "run");
    if (head->distinct_cap != SMI_DISTINCT_CAP || (p->has_idle && p->idle_below != head->idle_below))
        g->bad =
            smi_err_set(g->err, SMI_EUSAGE,
                        "%.200s: made by other rules (--idle-below) than the partials before it", g->name);
    p->has_idle = true;
    p->idle_below = head->idle_below;
    g->run = g->bad ? NULL : run_of(g, p, name ? name : head->run, head->host);
    if (!g->run)
        return;
    set_zone(g, head, p->runs > before);
    g->run->merged = true;
    g->doc = (uint32_t)p->nseen;
    g->joined = name || head->joined;
    read_struct(g, doc, &run_shape, g->run);
    if (!g->bad)
        read_inputs(g, json_object_get(doc, "parts"));
    check_clock(g);
}

int smi_partial_read(struct smi_partials *p, const char *text, size_t n, const char *name,
                     const char *run_name, struct smi_err *err)
{
    static const char twice[] = "a partial summary given twice: counted once";
    const struct smi_partial_seen this = {smi_digest_of(text, n), n};
    struct smi_partial_reader g = {.name = name, .number = p->number, .err = err};
    struct head head = {0};
    json_error_t why;
    size_t seen = 0;
    json_t *doc;
    while (seen < p->nseen && (p->seen[seen].hash != this.hash || p->seen[seen].n != n))
        seen++;
    if (seen == p->nseen) {
        smi_mem_reserve(&p->seen, &p->seen_cap, ++p->nseen, sizeof *p->seen);
        p->seen[seen] = this;
        seen = SIZE_MAX;
    }
    doc = json_loadb(text, n, 0, &why);
    if (!doc && !*why.text) /* jansson gives a reason for everything else */
        smi_mem_exhausted();
    if (!doc)
        return smi_err_set(err, SMI_EFORMAT, "%.200s: no partial summary: %s", name, why.text);
    if (is_current(text, n))
        read_struct(&g, doc, &head_shape, &head);
    if (seen == SIZE_MAX)
        read_document(&g, p, doc, &head, run_name);
    else if (!g.bad && (run_name || head.run) &&
             (g.run = run_of(&g, p, run_name ? run_name : head.run, head.host))) {
        smi_run_add_problem(g.run, "%s", twice);
        smi_run_add_warning(g.run, name, twice, true);
    }
    smi_mem_free(head.run);
    smi_mem_free(head.host);
    smi_mem_free(head.zone_from);
    smi_mem_free(head.zone);
    json_decref(doc);
    return g.bad ? -1 : 0;
}

void smi_partials_fini(struct smi_partials *p)
{
    for (size_t i = 0; i < p->runs; i++) {
        smi_run_fini(p->run[i]);
        smi_mem_free(p->run[i]);
    }
    smi_mem_free(p->run);
    smi_mem_free(p->seen);
    *p = (struct smi_partials){0};
}

/* ---- documents that wait until their run is complete ---- */

static const char *keep_text(struct smi_merge_queue *p, const char *text, const char **last)
{
    if (text && (!*last || strcmp(*last, text) != 0))
        *last = smi_arena_text(&p->words, text, strlen(text));
    return text ? *last : NULL;
}

static int move_far(struct smi_merge_queue *p, struct smi_err *err)
{
    struct smi_err why = {0};
    if (p->fd < 0 && (p->fd = smi_file_temp(&why)) < 0)
        p->fd = memfd_create("smilog.partial", MFD_CLOEXEC); /* where there is no place for files */
    if (p->fd < 0)
        return smi_err_set(err, why.code, "%s", why.text);
    if (smi_file_write(p->fd, p->near.p, p->near.n, "a temporary file", err))
        return -1;
    p->far += (int64_t)p->near.n;
    smi_buf_clear(&p->near);
    return 0;
}

/* Appends n bytes from `at` on. */
static int load_bytes(struct smi_merge_queue *p, int64_t at, size_t n, struct smi_buf *to,
                      struct smi_err *err)
{
    char *room = smi_buf_room(to, n);
    size_t done = 0;
    while (at < p->far && done < n) {
        ssize_t got =
            smi_file_read_at(p->fd, room + done, n - done, at + (int64_t)done, "a temporary file", err);
        if (got < 0)
            return -1;
        if (got == 0)
            return smi_err_set(err, SMI_EIO, "a temporary file ends early");
        done += (size_t)got;
    }
    if (at >= p->far)
        memcpy(room, p->near.p + (at - p->far), n);
    to->n += n;
    room[n] = 0;
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
    const char *number = text + strlen(SMI_PARTIAL_BEGIN);
    const int n = (int)strspn(number, "0123456789");
    const bool older = n == 1 && *number < SMI_PARTIAL_SCHEMA[strlen(SMI_PARTIAL_SCHEMA) - 1];
    const char *writer = !older           ? "a newer smilog"
                         : *number == '8' ? "smilog 0.1.0"
                                          : "a smilog before 0.1.0";
    if (!n)
        return refuse_document(err, item->file, item->number, "broken partial summary: it names no schema");
    if (n == 1 && *number == SMI_PARTIAL_SCHEMA[strlen(SMI_PARTIAL_SCHEMA) - 1])
        return refuse_document(err, item->file, item->number, "broken partial summary: cut or changed");
    return smi_err_set(err, SMI_EFORMAT,
                       "%.200s: document %zu: a partial summary that %s wrote (smilog-partial/%.*s): make it "
                       "again from the logs, with summarize --partial of this version",
                       item->file, (size_t)item->number, writer, n < 9 ? n : 9, number);
}

/* Its version, and that it was not changed. *rest: what stands behind the sum. */
static int check_document(struct smi_merge_queue_item *item, const char *text, struct smi_text *rest,
                          struct smi_err *err)
{
    const size_t begin = smi_partial_checksum_begin.n, front = begin + SMI_PARTIAL_CHECKSUM_TEXT - 1,
                 n = item->n, number = item->number;
    const char *file = item->file;
    char sum[SMI_PARTIAL_CHECKSUM_TEXT];
    if (!smi_text_starts_nocase((struct smi_text){text, n}, SMI_PARTIAL_BEGIN) && number == 1)
        return smi_err_set(err, SMI_EFORMAT,
                           "%.200s: no partial summary: merge reads what summarize --partial has "
                           "written",
                           file);
    if (!smi_text_starts_nocase((struct smi_text){text, n}, SMI_PARTIAL_BEGIN))
        return refuse_document(err, file, number, "broken partial summary: no document begins so");
    if (!is_current(text, n))
        return refuse_schema(err, item, text);
    if (n < front)
        return refuse_document(err, file, number, "broken partial summary: cut");
    *rest = (struct smi_text){text + front, n - front};
    item->sum = smi_partial_document_sum(rest->p, rest->n);
    smi_partial_checksum_text(sum, item->sum);
    if (memcmp(text + begin, sum, SMI_PARTIAL_CHECKSUM_TEXT - 1) != 0)
        return refuse_document(err, file, number,
                               "broken partial summary: cut or changed, its bytes have another sum");
    return 0;
}

/* What stands behind the sum of every document. */
static const char run_begin[] = "\", \"run\": ";

/* The first keys, as JSON of their own: what follows is long. They end where the parameters begin; a text
 * that looked like this would have its quotes behind backslashes. */
static json_t *parse_document_head(struct smi_text rest)
{
    static const char end[] = ", \"params\": [";
    const char *at = memmem(rest.p, rest.n, end, sizeof end - 1);
    struct smi_buf b = {0};
    json_error_t why = {.text = "no memory"};
    json_t *head = NULL;
    if (!at || !smi_text_starts_nocase(rest, run_begin))
        return NULL;
    smi_buf_char(&b, '{');
    smi_buf_add(&b, rest.p + 3, (size_t)(at - rest.p) - 3);
    smi_buf_char(&b, '}');
    head = json_loadb(b.p, b.n, 0, &why);
    if (!head && !*why.text) /* jansson gives a reason for everything else */
        smi_mem_exhausted();
    smi_buf_fini(&b);
    return head;
}

static int read_document_head(struct smi_merge_queue *p, struct smi_merge_queue_item *item,
                              const json_t *head, struct smi_err *err)
{
    const json_t *idle = json_object_get(head, "idle_below");
    struct smi_partial_reader g = {.name = item->file, .err = err};
    char *name = read_text(&g, json_object_get(head, "run"));
    char *host = read_text(&g, json_object_get(head, "host"));
    item->name = name ? keep_text(p, p->run ? p->run : p->as ? p->as : name, &p->last_name) : NULL;
    item->as = p->run || p->as ? item->name : NULL;
    item->host = keep_text(p, host, &p->last_host);
    smi_mem_free(host);
    smi_mem_free(name);
    if (g.bad)
        return -1;
    if (!name || !json_is_integer(idle))
        return refuse_document(err, item->file, item->number, "broken partial summary (run)");
    if (p->has_idle && p->idle_below != json_integer_value(idle))
        return refuse_document(err, item->file, item->number,
                               "made by other rules (--idle-below) than the partial summaries before it");
    p->has_idle = true;
    p->idle_below = json_integer_value(idle);
    return 0;
}

int smi_merge_queue_add(struct smi_merge_queue *p, const char *text, size_t n, const char *file,
                        size_t number, struct smi_err *err)
{
    bool line = n && text[n - 1] == '\n';
    struct smi_merge_queue_item item = {.file = keep_text(p, file, &p->last_file),
                                        .at = p->far + (int64_t)p->near.n,
                                        .n = n - line,
                                        .number = (uint32_t)number};
    struct smi_text rest = {0};
    json_t *head;
    int rc;
    if (check_document(&item, text, &rest, err))
        return -1;
    head = parse_document_head(rest);
    rc = head ? read_document_head(p, &item, head, err)
              : refuse_document(err, file, number, "broken partial summary");
    json_decref(head);
    if (rc)
        return -1;
    smi_buf_add(&p->near, text, item.n);
    smi_mem_reserve(&p->item, &p->cap, p->n + 1, sizeof *p->item);
    p->item[p->n++] = item;
    return p->near.n >= SMI_MERGE_QUEUE_IN_MEMORY ? move_far(p, err) : 0;
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
        rc = load_bytes(p, item->at, item->n, &text, err);
        rc = rc ? rc : smi_partial_read(to, text.p, text.n, item->file, item->as, err);
    }
    smi_buf_fini(&text);
    return rc;
}

int smi_merge_queue_copy(struct smi_merge_queue *p, size_t i, struct smi_buf *to, struct smi_err *err)
{
    struct smi_buf text = {0}, rest = {0};
    struct smi_json j;
    char sum[SMI_PARTIAL_CHECKSUM_TEXT];
    const char *at;
    bool array;
    int rc = load_bytes(p, p->item[i].at, p->item[i].n, &text, err);
    if (!rc && !p->item[i].as) {
        smi_buf_add(to, text.p, text.n);
    } else if (!rc) {
        at = text.p + smi_partial_checksum_begin.n + SMI_PARTIAL_CHECKSUM_TEXT - 1 + strlen(run_begin);
        array = *at == '['; /* where the name ends: a text, or an array of one */
        for (at += 1 + array; *at != '"'; at++)
            at += *at == '\\';
        at += 1 + array;
        smi_buf_str(&rest, run_begin);
        smi_json_begin(&j, &rest);
        write_text(&j, p->item[i].as);
        if (!smi_text_starts_nocase(smi_text_of(at), ", \"joined\": true"))
            smi_buf_str(&rest, ", \"joined\": true");
        smi_buf_add(&rest, at, text.n - (size_t)(at - text.p));
        smi_partial_checksum_text(sum, smi_partial_document_sum(rest.p ? rest.p : "", rest.n));
        smi_buf_add(to, text.p, smi_partial_checksum_begin.n);
        smi_buf_str(to, sum);
        smi_buf_add(to, rest.p ? rest.p : "", rest.n);
    }
    smi_buf_char(to, '\n');
    smi_buf_fini(&text);
    smi_buf_fini(&rest);
    return rc;
}

void smi_merge_queue_fini(struct smi_merge_queue *p)
{
    if (p->fd >= 0)
        close(p->fd);
    smi_mem_free(p->item);
    smi_buf_fini(&p->near);
    smi_arena_fini(&p->words);
    *p = (struct smi_merge_queue)SMI_MERGE_QUEUE;
}

/* files of partial summaries: a document a line, and behind the last one a line that says
 * how many they are, so that a file that was cut between two of them is seen. Files may be joined: each
 * brings its end. */

static const char end_begin[] = "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"documents\": ";

void smi_partial_end_add(struct smi_partial_end *e, const char *text, size_t n)
{
    e->sum = smi_partial_checksum(e->sum, text, n);
    for (const char *end = text + n; (text = memchr(text, '\n', (size_t)(end - text))); text++)
        e->n++;
}

void smi_partial_write_end(struct smi_buf *to, const struct smi_partial_end *e)
{
    static const char schema[] = SMI_PARTIAL_SCHEMA;
    smi_buf_fmt(to, "%s%llu, \"sum\": \"%016llx\"}\n", end_begin, (unsigned long long)e->n,
                (unsigned long long)smi_partial_checksum(e->sum, schema, sizeof schema - 1));
}

/* One file, of lines of any length. */
struct input {
    const char *name;
    struct smi_buf line;
    size_t number;                /* of documents so far */
    struct smi_partial_end since; /* the last end */
};

static int read_end_line(struct input *in, struct smi_err *err)
{
    struct smi_buf want = {0};
    bool right;
    smi_partial_write_end(&want, &in->since);
    right = want.n == in->line.n + 1 && memcmp(want.p, in->line.p, in->line.n) == 0;
    in->since = (struct smi_partial_end){0};
    smi_buf_fini(&want);
    if (!right)
        return smi_err_set(err, SMI_EFORMAT,
                           "%.200s: behind document %zu: broken partial summary: documents are "
                           "missing, or their end was changed",
                           in->name, in->number);
    return 0;
}

static int add_document_line(struct smi_merge_queue *p, struct input *in, struct smi_err *err)
{
    int rc = 0;
    if (!rc && smi_text_starts_nocase((struct smi_text){in->line.p, in->line.n}, end_begin)) {
        rc = read_end_line(in, err);
    } else if (!rc && in->line.n) {
        rc = smi_merge_queue_add(p, in->line.p, in->line.n, in->name, ++in->number, err);
        smi_partial_end_add(&in->since, in->line.p, in->line.n);
        smi_partial_end_add(&in->since, "\n", 1);
    }
    smi_buf_clear(&in->line);
    return rc;
}

static int add_bytes(struct smi_merge_queue *p, struct input *in, const char *at, size_t n,
                     struct smi_err *err)
{
    for (const char *end = at + n, *lf; at < end; at = lf + 1) {
        lf = memchr(at, '\n', (size_t)(end - at));
        smi_buf_add(&in->line, at, (size_t)((lf ? lf : end) - at));
        if (in->line.n > SMI_PARTIAL_MAX)
            return smi_err_set(err, SMI_ELIMIT,
                               "%.200s: document %zu: no partial summary: a line of more than %d MiB",
                               in->name, in->number + 1, SMI_PARTIAL_MAX >> 20);
        if (!lf)
            break;
        if (add_document_line(p, in, err))
            return -1;
    }
    return 0;
}

/* Behind the last byte. */
static int add_last_line(struct smi_merge_queue *p, struct input *in, const char *doubt, struct smi_err *err)
{
    if (doubt)
        return smi_err_set(err, SMI_EFORMAT, "%.200s: %.200s", in->name, doubt);
    if (in->line.n) { /* a cut one says what it is */
        if (smi_merge_queue_add(p, in->line.p, in->line.n, in->name, in->number + 1, err))
            return -1;
        return smi_err_set(err, SMI_EFORMAT,
                           "%.200s: document %zu: broken partial summary: cut, its end is missing", in->name,
                           in->number + 1);
    }
    if (in->since.n)
        return smi_err_set(err, SMI_EFORMAT,
                           "%.200s: behind document %zu: broken partial summary: cut, the line that "
                           "says how many documents there are is missing",
                           in->name, in->number);
    if (!in->number)
        return smi_err_set(err, SMI_EFORMAT, "%.300s: is empty, and no partial summary", in->name);
    return 0;
}

int smi_merge_queue_add_file(struct smi_merge_queue *p, const char *path, struct smi_err *err)
{
    struct input in = {.name = strcmp(path, "-") == 0 ? "standard input" : path};
    struct smi_file_info info;
    char piece[16384];
    ssize_t n = 0;
    int fd = smi_file_open(AT_FDCWD, path, true, &info, err), rc;
    struct smi_fd_source from = smi_fd_source_make(fd, in.name);
    struct smi_stream *s = fd < 0 ? NULL : smi_stream_open(&from.pull, err);
    for (rc = s ? 0 : -1; !rc && (n = smi_stream_read(s, piece, sizeof piece, err)) > 0;)
        rc = add_bytes(p, &in, piece, (size_t)n, err);
    if (!rc)
        rc = n < 0 ? -1 : add_last_line(p, &in, smi_stream_warning(s), err);
    smi_stream_close(s);
    if (fd >= 0)
        close(fd);
    smi_buf_fini(&in.line);
    return rc;
}
