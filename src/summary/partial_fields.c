#include "summary/partial_fields_private.h"

#include <string.h>

/* ---- errors ---- */

void smi_partial_read_fail(struct smi_partial_reader *g, const char *what)
{
    if (!g->bad && g->number)
        smi_err_set(g->err, SMI_EFORMAT, "%.200s: document %zu: broken partial summary (%s)", g->name,
                    g->number, what);
    else if (!g->bad)
        smi_err_set(g->err, SMI_EFORMAT, "%.200s: broken partial summary (%s)", g->name, what);
    g->bad = true;
}

void *smi_partial_read_nomem(struct smi_partial_reader *g)
{
    if (!g->bad)
        smi_err_nomem(g->err);
    g->bad = true;
    return NULL;
}

bool smi_partial_read_reserve(struct smi_partial_reader *g, void *p, size_t *cap, size_t n, size_t size)
{
    return smi_mem_reserve(p, cap, n, size) == 0 || smi_partial_read_nomem(g);
}

/* ---- values ---- */

static int64_t read_int_between(struct smi_partial_reader *g, const json_t *v, int64_t least, int64_t most)
{
    int64_t i = json_integer_value(v);
    if (!json_is_integer(v) || i > most || i < least) {
        smi_partial_read_fail(g, "a number is missing, or out of range");
        return 0;
    }
    return i;
}

int64_t smi_partial_read_int(struct smi_partial_reader *g, const json_t *v)
{
    return read_int_between(g, v, -SMI_PARTIAL_INT_MAX, SMI_PARTIAL_INT_MAX);
}

smi_i128 smi_partial_read_wide(struct smi_partial_reader *g, const json_t *v)
{
    smi_i128 w = 0;
    if (json_is_integer(v))
        return json_integer_value(v);
    if (!json_is_string(v) || smi_i128_parse(json_string_value(v), json_string_length(v), &w))
        smi_partial_read_fail(g, "a sum is missing");
    if (w >> 125 != 0 && w >> 125 != -1) {
        smi_partial_read_fail(g, "a sum is out of range");
        w = 0;
    }
    return w;
}

void smi_partial_write_wide(struct smi_json *j, smi_i128 v)
{
    char t[SMI_I128_TEXT];
    size_t n = smi_i128_write(t, v);
    if (v >= INT64_MIN && v <= INT64_MAX)
        smi_json_int(j, (int64_t)v);
    else
        smi_json_text(j, (struct smi_text){t, n});
}

int smi_partial_read_metric(struct smi_partial_reader *g, const char *key)
{
    int m = smi_metric_find(key, strlen(key));
    if (m < 0)
        smi_partial_read_fail(g, "a metric that this version does not know");
    return m;
}

void smi_partial_write_text(struct smi_json *j, const char *s)
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
    if (good && !t)
        return smi_partial_read_nomem(g);
    for (size_t i = 0; good && i < n / 2; i++) {
        int high = nibble(hex[2 * i]), low = nibble(hex[2 * i + 1]);
        good = high >= 0 && low >= 0 && (high || low);
        t[i] = (char)(high * 16 + low);
    }
    if (good)
        return t;
    smi_mem_free(t);
    smi_partial_read_fail(g, "a text");
    return NULL;
}

char *smi_partial_read_text(struct smi_partial_reader *g, const json_t *v)
{
    char *t;
    if (json_is_array(v))
        return read_bytes(g, json_string_value(json_array_get(v, 0)));
    t = json_is_string(v) ? smi_mem_text(json_string_value(v), json_string_length(v)) : NULL;
    if (json_is_string(v) && !t)
        smi_partial_read_nomem(g);
    return t;
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

static const void *list_of(const struct smi_partial_field *f, const void *owner, size_t *n)
{
    const void *list;
    memcpy(&list, (const char *)owner + f->at, sizeof list);
    memcpy(n, (const char *)owner + f->count_at, sizeof *n);
    return list;
}

static bool is_there(const struct smi_partial_field *f, const void *owner)
{
    const char *p = (const char *)owner + (f->there_size ? f->there_at : f->at);
    size_t n = 0;
    if (f->kind == SMI_PARTIAL_LIST && f->flags & SMI_PARTIAL_OPTIONAL)
        return list_of(f, owner, &n) && n;
    return !(f->flags & SMI_PARTIAL_OPTIONAL) || load_int(p, f->there_size ? f->there_size : f->size);
}

static void write_values(struct smi_json *j, const struct smi_partial_shape *of, const void *p);

static void write_list(struct smi_json *j, const struct smi_partial_field *f, const void *owner)
{
    size_t n;
    const char *list = list_of(f, owner, &n);
    smi_json_open(j, '[');
    for (size_t i = 0; i < n; i++)
        if (f->flags & SMI_PARTIAL_FLAT)
            write_values(j, f->of, list + i * f->of->size);
        else
            smi_partial_write_struct(j, f->of, list + i * f->of->size);
    smi_json_close(j, ']');
}

static void write_map(struct smi_json *j, const struct smi_partial_map *map, const void *owner)
{
    unsigned metric = 0;
    smi_json_open(j, '{');
    for (size_t i = 0; metric < SMI_METRIC_COUNT; i++) {
        const void *value = map->at(owner, i, &metric);
        if (!value)
            continue;
        smi_json_key(j, smi_metrics[metric].key);
        smi_partial_write_field(j, map->value, value);
    }
    smi_json_close(j, '}');
}

/* One of the kinds that are no array members; inside: of an array. */
static void write_value(struct smi_json *j, const struct smi_partial_field *f, const void *owner,
                        const char *p, bool inside)
{
    smi_i128 wide;
    size_t size = f->repeat ? f->size / f->repeat : f->size;
    if (f->kind == SMI_PARTIAL_INT) {
        bool says = !f->when_at || load_int((const char *)owner + f->when_at - 8, 8);
        smi_json_int(j, says ? load_int(p, size) : 0);
    } else if (f->kind == SMI_PARTIAL_BOOL) {
        smi_json_bool(j, *(const bool *)p);
    } else if (f->kind == SMI_PARTIAL_WIDE) {
        memcpy(&wide, p, sizeof wide);
        smi_partial_write_wide(j, wide);
    } else if (f->kind == SMI_PARTIAL_TEXT) {
        smi_partial_write_text(j, *(char *const *)p);
    } else if (f->kind == SMI_PARTIAL_LIST) {
        write_list(j, f, owner);
    } else if (f->kind == SMI_PARTIAL_MAP) {
        write_map(j, f->map, owner);
    } else if (f->kind == SMI_PARTIAL_CODEC) {
        f->codec->write(j, owner, p);
    } else if (inside) {
        write_values(j, f->of, p);
    } else {
        smi_partial_write_struct(j, f->of, p);
    }
}

/* All elements of an array member, or the only value. */
static void write_member(struct smi_json *j, const struct smi_partial_field *f, const void *owner,
                         bool inside)
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

void smi_partial_write_field(struct smi_json *j, const struct smi_partial_field *f, const void *owner)
{
    write_member(j, f, owner, false);
}

static void write_values(struct smi_json *j, const struct smi_partial_shape *of, const void *p)
{
    for (size_t i = 0; i < of->n; i++)
        write_member(j, &of->field[i], p, true);
}

void smi_partial_write_members(struct smi_json *j, const struct smi_partial_shape *of, const void *p)
{
    for (size_t i = 0; i < of->n; i++) {
        if (!is_there(&of->field[i], p))
            continue;
        smi_json_key(j, of->field[i].key);
        smi_partial_write_field(j, &of->field[i], p);
    }
}

void smi_partial_write_struct(struct smi_json *j, const struct smi_partial_shape *of, const void *p)
{
    smi_json_open(j, of->object ? '{' : '[');
    if (of->object)
        smi_partial_write_members(j, of, p);
    else
        write_values(j, of, p);
    smi_json_close(j, of->object ? '}' : ']');
}

/* ---- reading ---- */

static size_t read_values(struct smi_partial_reader *g, const json_t *a, size_t at,
                          const struct smi_partial_shape *of, void *p);

/* The number of values in an array of this shape. */
static size_t count_values(const struct smi_partial_shape *of)
{
    size_t n = 0;
    for (size_t i = 0; i < of->n; i++)
        n += (of->field[i].repeat ? of->field[i].repeat : 1) *
             (of->field[i].kind == SMI_PARTIAL_STRUCT ? count_values(of->field[i].of) : 1);
    return n;
}

/* Frees the texts of an element. */
static void free_texts(const struct smi_partial_shape *of, void *item)
{
    for (size_t i = 0; i < of->n; i++)
        for (unsigned k = 0;
             of->field[i].kind == SMI_PARTIAL_TEXT && k < (of->field[i].repeat ? of->field[i].repeat : 1);
             k++)
            smi_mem_free(*(char **)((char *)item + of->field[i].at + k * sizeof(char *)));
}

/* An element with all its texts, which become the list's. */
static bool append_item(struct smi_partial_reader *g, const struct smi_partial_field *f, void *owner,
                        void *item)
{
    char *count = (char *)owner + f->count_at, *list = (char *)owner + f->at;
    const size_t size = f->of->size;
    size_t n;
    for (size_t i = 0; i < f->of->n; i++)
        if (f->of->field[i].flags & SMI_PARTIAL_NEEDED && !*(char **)((char *)item + f->of->field[i].at))
            return false;
    memcpy(&n, count, sizeof n);
    if (!smi_partial_read_reserve(g, list, (size_t *)(count + sizeof n), n + 1, size))
        return true;
    memcpy(*(char **)list + n++ * size, item, size);
    memcpy(count, &n, sizeof n);
    memset(item, 0, size);
    return true;
}

/* Adds one element, which was read. */
static void add_item(struct smi_partial_reader *g, const struct smi_partial_field *f,
                     const struct smi_partial_shape *of, void *owner, void *item)
{
    bool good =
        g->bad || (f->add ? f->add(g, owner, (char *)owner + f->at, item) : append_item(g, f, owner, item));
    if (!good)
        smi_partial_read_fail(g, of->name);
    free_texts(of, item);
}

static void read_list(struct smi_partial_reader *g, const struct smi_partial_field *f, const json_t *v,
                      void *owner)
{
    const struct smi_partial_shape *of = f->of;
    bool flat = f->flags & SMI_PARTIAL_FLAT;
    size_t values = count_values(of), all = json_array_size(v), n = flat ? all / values : all;
    if ((v && !json_is_array(v)) || (flat && all % values) || (uint64_t)n > (uint64_t)f->most) {
        smi_partial_read_fail(g, of->name);
        return;
    }
    for (size_t i = 0; i < n && !g->bad; i++) {
        _Alignas(16) char item[SMI_PARTIAL_ITEM_BYTES] = {0};
        if (flat)
            read_values(g, v, i * values, of, item);
        else
            smi_partial_read_struct(g, json_array_get(v, i), of, item);
        add_item(g, f, of, owner, item);
    }
}

static void read_map(struct smi_partial_reader *g, const struct smi_partial_field *f, const json_t *v,
                     void *owner)
{
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)v, key, value) {
        int m = smi_partial_read_metric(g, key);
        void *to = m < 0 ? NULL : f->map->add(g, owner, (unsigned)m);
        if (!to)
            smi_partial_read_fail(g, f->key);
        if (g->bad)
            return;
        smi_partial_read_field(g, f->map->value, value, to);
    }
}

static void read_value(struct smi_partial_reader *g, const struct smi_partial_field *f, const json_t *v,
                       void *owner, char *p)
{
    smi_i128 wide;
    size_t size = f->repeat ? f->size / f->repeat : f->size;
    if (f->kind == SMI_PARTIAL_INT) {
        store_int(p, size, read_int_between(g, v, f->least, f->most));
    } else if (f->kind == SMI_PARTIAL_BOOL) {
        *(bool *)p |= json_is_true(v);
    } else if (f->kind == SMI_PARTIAL_WIDE) {
        wide = smi_partial_read_wide(g, v);
        memcpy(p, &wide, sizeof wide);
    } else if (f->kind == SMI_PARTIAL_TEXT) {
        *(char **)p = smi_partial_read_text(g, v);
    } else if (f->kind == SMI_PARTIAL_LIST) {
        read_list(g, f, v, owner);
    } else if (f->kind == SMI_PARTIAL_MAP) {
        read_map(g, f, v, owner);
    } else if (f->kind == SMI_PARTIAL_CODEC) {
        f->codec->read(g, v, owner, p);
    } else {
        smi_partial_read_struct(g, v, f->of, p);
    }
}

/* A member whose values stand in an array from `at` on. Returns the place behind them. */
static size_t read_member(struct smi_partial_reader *g, const json_t *a, size_t at,
                          const struct smi_partial_field *f, void *owner)
{
    size_t n = f->repeat ? f->repeat : 1;
    for (size_t i = 0; i < n && !g->bad; i++) {
        char *p = (char *)owner + f->at + i * (f->size / n);
        if (f->kind == SMI_PARTIAL_STRUCT)
            at = read_values(g, a, at, f->of, p);
        else
            read_value(g, f, json_array_get(a, at++), owner, p);
    }
    return at;
}

static size_t read_values(struct smi_partial_reader *g, const json_t *a, size_t at,
                          const struct smi_partial_shape *of, void *p)
{
    for (size_t i = 0; i < of->n && !g->bad; i++)
        at = read_member(g, a, at, &of->field[i], p);
    return at;
}

void smi_partial_read_field(struct smi_partial_reader *g, const struct smi_partial_field *f, const json_t *v,
                            void *owner)
{
    if (f->flags & SMI_PARTIAL_OPTIONAL && (!v || json_is_null(v)))
        return;
    if (f->repeat)
        read_member(g, v, 0, f, owner);
    else
        read_value(g, f, v, owner, (char *)owner + f->at);
}

void smi_partial_read_struct(struct smi_partial_reader *g, const json_t *v,
                             const struct smi_partial_shape *of, void *p)
{
    if (!of->object) {
        if (json_array_size(v) != count_values(of))
            smi_partial_read_fail(g, of->name);
        read_values(g, v, 0, of, p);
        return;
    }
    for (size_t i = 0; i < of->n && !g->bad; i++)
        smi_partial_read_field(g, &of->field[i], json_object_get(v, of->field[i].key), p);
}
