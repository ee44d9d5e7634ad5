/* partial.c - partial summaries: the file, the run and its fields */
#include "base/digest.h"
#include "base/file.h"
#include "base/stream.h"
#include "summary/merge_queue.h"
#include "summary/partial_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

void smi_partial_read_fail(struct smi_partial_reader *g, const char *what)
{
    if (!g->bad && g->number)
        smi_err_set(g->err, SMI_EFORMAT, "%.200s: document %zu: broken partial summary (%s)", g->name,
                    g->number, what);
    else if (!g->bad)
        smi_err_set(g->err, SMI_EFORMAT, "%.200s: broken partial summary (%s)", g->name, what);
    g->bad = true;
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

/* An element with all its texts, which become the list's. */
static bool append_item(const struct smi_partial_field *f, void *owner, void *item)
{
    char *count = (char *)owner + f->count_at, *list = (char *)owner + f->at;
    const size_t size = f->of->size;
    size_t n;
    for (size_t i = 0; i < f->of->n; i++)
        if (f->of->field[i].flags & SMI_PARTIAL_NEEDED && !*(char **)((char *)item + f->of->field[i].at))
            return false;
    memcpy(&n, count, sizeof n);
    smi_mem_reserve(list, (size_t *)(count + sizeof n), n + 1, size);
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
        g->bad || (f->add ? f->add(g, owner, (char *)owner + f->at, item) : append_item(f, owner, item));
    if (!good)
        smi_partial_read_fail(g, of->name);
    /* Frees the texts of an element. */
    for (size_t i = 0; i < of->n; i++)
        for (unsigned k = 0;
             of->field[i].kind == SMI_PARTIAL_TEXT && k < (of->field[i].repeat ? of->field[i].repeat : 1);
             k++)
            smi_mem_free(*(char **)((char *)item + of->field[i].at + k * sizeof(char *)));
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

static const struct smi_partial_field head_fields[] = {
    SMI_PARTIAL_NAME(head, run, "run"), /* merge_queue.c looks for the first and the last of these */
    SMI_PARTIAL_FLAG_IF(head, joined, "joined"),
    SMI_PARTIAL_NAME(head, host, "host"),
    SMI_PARTIAL_NUMBER(head, idle_below, "idle_below"),
    SMI_PARTIAL_NUMBER(head, distinct_cap, "distinct_cap"),
    SMI_PARTIAL_RANGE(head, offset_s, "offset_s", -SMI_PARTIAL_DAY_MS / 1000, SMI_PARTIAL_DAY_MS / 1000),
    SMI_PARTIAL_NAME(head, zone_from, "zone_from"),
    SMI_PARTIAL_NAME(head, zone, "zone"),
};
static const struct smi_partial_shape head_shape = SMI_PARTIAL_SHAPE("run", true, head, head_fields);

static const struct smi_partial_field param_fields[] = {
    SMI_PARTIAL_NAME(smi_run_param, key, NULL),
    SMI_PARTIAL_NAME(smi_run_param, text, NULL),
    SMI_PARTIAL_FLAG(smi_run_param, bare, NULL),
    SMI_PARTIAL_FLAG(smi_run_param, file, NULL),
};
static const struct smi_partial_shape param_shape =
    SMI_PARTIAL_SHAPE("params", false, smi_run_param, param_fields);
/* The same but for `file`. */
static const struct smi_partial_shape fact_shape = {"facts", false, sizeof(struct smi_run_param),
                                                    param_fields, 3};

static const struct smi_partial_field problem_fields[] = {
    {.kind = SMI_PARTIAL_TEXT, .size = sizeof(char *)},
};
static const struct smi_partial_shape problem_shape = {"problems", false, sizeof(char *), problem_fields, 1};

static const struct smi_partial_field warning_fields[] = {
    SMI_PARTIAL_NAME(smi_run_warning, path, NULL),
    SMI_PARTIAL_NAME(smi_run_warning, text, NULL),
    SMI_PARTIAL_FLAG(smi_run_warning, used, NULL),
    SMI_PARTIAL_COUNT(smi_run_warning, more, NULL),
};
static const struct smi_partial_shape warning_shape =
    SMI_PARTIAL_SHAPE("warnings", false, smi_run_warning, warning_fields);

/* ---- parameters, problems, doubts ---- */

static void fail_other_run(struct smi_partial_reader *g, const char *key, const char *text)
{
    if (!g->bad)
        smi_err_set(
            g->err, SMI_EUSAGE,
            "%.150s: %.80s=%.80s, but another part of run %.80s says otherwise: not the same run (--run NAME "
            "of summarize --partial names a part)",
            g->name, key, text, g->run->name);
    g->bad = true;
}

static bool add_param(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_run_param *p = item;
    struct smi_run *r = owner;
    bool known = false;
    (void)list;
    if (!p->key || !p->text || (p->bare && !smi_text_is_bare(smi_text_of(p->text))))
        return false;
    for (size_t k = 0; k < r->params; k++) {
        struct smi_run_param *old = &r->param[k];
        if (old->file != p->file || strcmp(old->key, p->key) != 0)
            continue;
        known = true;
        if (g->joined)
            old->differs |= strcmp(old->text, p->text) != 0;
        else if (strcmp(old->text, p->text))
            fail_other_run(g, p->key, p->text);
    }
    if (!known)
        smi_run_add_param(r, p->key, p->text, p->bare, p->file);
    return true;
}

/* Every part of a run tells the same of it; of parts that do not, the first text in the order of bytes
 * counts. */
static bool add_fact(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_run_param *p = item;
    struct smi_run *r = owner;
    (void)g;
    (void)list;
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

static bool add_problem(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const char *text = *(char **)item;
    (void)g;
    (void)list;
    if (text)
        smi_run_add_problem(owner, "%s", text);
    return true;
}

static bool add_warning(struct smi_partial_reader *g, void *owner, void *list, void *item)
{
    const struct smi_run_warning *w = item;
    struct smi_run *r = owner;
    (void)g;
    (void)list;
    if (!w->text)
        return false;
    smi_run_add_warning(r, w->path, w->text, w->used);
    if (w->more > 0 && w->more < MOST_MORE)
        r->doubt[r->doubts - 1].more = w->more;
    return true;
}

static const struct smi_partial_field run_fields[] = {
    SMI_PARTIAL_ITEMS(smi_run, param, params, "params", &param_shape, INT64_MAX, add_param, 0),
    SMI_PARTIAL_ITEMS(smi_run, fact, facts, "facts", &fact_shape, INT64_MAX, add_fact,
                      SMI_PARTIAL_FLAT | SMI_PARTIAL_OPTIONAL),
    SMI_PARTIAL_ITEMS(smi_run, problem, problems, "problems", &problem_shape, INT64_MAX, add_problem,
                      SMI_PARTIAL_FLAT),
    SMI_PARTIAL_FLAG_IF(smi_run, columns_unknown, "columns_unknown"),
    SMI_PARTIAL_ITEMS(smi_run, doubt, doubts, "doubts", &warning_shape, INT64_MAX, add_warning, 0),
};
static const struct smi_partial_shape run_shape = SMI_PARTIAL_SHAPE("run", true, smi_run, run_fields);

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
    smi_partial_write_members(j, &head_shape, &head);
    smi_partial_write_members(j, &run_shape, r);
    smi_json_key(j, "parts");
    smi_json_open(j, '[');
    for (size_t i = 0; i < r->parts; i++)
        smi_partial_write_input(j, r->part[i], &r->log.phases);
    smi_json_close(j, ']');
    smi_json_close(j, '}');
    smi_partial_checksum_text(sum, smi_partial_document_sum(to->p + begin + front, to->n - begin - front));
    memcpy(to->p + begin + smi_partial_checksum_begin.n, sum, SMI_PARTIAL_CHECKSUM_TEXT - 1);
    smi_buf_char(to, '\n');
}

/* ---- which run ---- */

static void fail_two_hosts(struct smi_partial_reader *g, const char *name)
{
    if (!g->bad)
        smi_err_set(g->err, SMI_EUSAGE,
                    "%.200s: run %.80s was made on several hosts, and a part of it does not say on which: "
                    "summarize --host NAME says it",
                    g->name, name);
    g->bad = true;
}

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
        fail_two_hosts(g, name);
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
    smi_err_set(g->err, SMI_EUSAGE,
                "%.200s: run %.100s was summarised in another time zone there: give the same --tz to all",
                g->name, g->run->name);
    g->bad = true;
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
        smi_partial_read_fail(g, "zone");
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

/* A RunLog that stands beside every part of its run is one RunLog. */
static struct smi_input_stats *known_run_log(const struct smi_run *r, const struct smi_input_stats *p)
{
    for (size_t i = 0; i < r->parts; i++)
        if (smi_format_infos[p->format].marks && r->part[i]->format == p->format &&
            r->part[i]->hash == p->hash && r->part[i]->size == p->size)
            return r->part[i];
    return NULL;
}

static void note_document(struct smi_partial_reader *g, struct smi_input_stats *log)
{
    smi_mem_reserve(&log->docs, &log->docs_cap, log->ndocs + 1, sizeof *log->docs);
    log->docs[log->ndocs++] = g->doc;
}

/* Adds an input to the run. Returns whether it is new there. */
static bool add_input(struct smi_partial_reader *g, struct smi_input_stats *p)
{
    struct smi_input_stats *known = g->bad ? NULL : known_run_log(g->run, p);
    bool log = smi_format_infos[p->format].marks;
    p->doc = g->doc;
    if (!g->bad && log)
        note_document(g, known ? known : p);
    if (g->bad || known) {
        g->bad |= !known;
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
        struct smi_input_stats *p = smi_partial_read_input(g, json_array_get(list, i));
        if (p && add_input(g, p))
            place[kept++] = i;
    }
    for (size_t i = 0; i < kept && !g->bad; i++)
        smi_partial_read_devices(g, json_array_get(list, place[i]), g->run->part[first + i]);
    smi_mem_free(place);
}

/* ---- documents ---- */

/* By which rules the partial was made: those of the others? */
static void check_rules(struct smi_partial_reader *g, struct smi_partials *p, const struct head *head)
{
    if (g->bad)
        return;
    if (head->distinct_cap != SMI_DISTINCT_CAP || (p->has_idle && p->idle_below != head->idle_below)) {
        smi_err_set(g->err, SMI_EUSAGE,
                    "%.200s: made by other rules (--idle-below) than the partials before it", g->name);
        g->bad = true;
    }
    p->has_idle = true;
    p->idle_below = head->idle_below;
}

/* name: --run, or NULL. */
static void read_document(struct smi_partial_reader *g, struct smi_partials *p, const json_t *doc,
                          const struct head *head, const char *name)
{
    size_t before = p->runs;
    if (!head->run) /* merge_queue.c has said what is wrong, where a document comes from there */
        smi_partial_read_fail(g, "run");
    check_rules(g, p, head);
    g->run = g->bad ? NULL : run_of(g, p, name ? name : head->run, head->host);
    if (!g->run)
        return;
    set_zone(g, head, p->runs > before);
    g->run->merged = true;
    g->doc = (uint32_t)p->nseen;
    g->joined = name || head->joined;
    smi_partial_read_struct(g, doc, &run_shape, g->run);
    if (!g->bad)
        read_inputs(g, json_object_get(doc, "parts"));
    check_clock(g);
}

/* Remembers the document. Returns 1 if it is new, 0 if it was given before, -1 without memory. */
static bool remember_document(struct smi_partials *p, const char *text, size_t n)
{
    uint64_t h = smi_digest_of(text, n);
    for (size_t i = 0; i < p->nseen; i++)
        if (p->seen[i].hash == h && p->seen[i].n == n)
            return false;
    smi_mem_reserve(&p->seen, &p->seen_cap, p->nseen + 1, sizeof *p->seen);
    p->seen[p->nseen++] = (struct smi_partial_seen){h, n};
    return true;
}

/* The same document once more: said in its run, and not counted. */
static void warn_given_twice(struct smi_partial_reader *g, struct smi_partials *p, const struct head *head,
                             const char *name)
{
    static const char text[] = "a partial summary given twice: counted once";
    name = name ? name : head->run;
    g->run = name ? run_of(g, p, name, head->host) : NULL;
    if (g->run) {
        smi_run_add_problem(g->run, "%s", text);
        smi_run_add_warning(g->run, g->name, text, true);
    }
}

int smi_partial_read(struct smi_partials *p, const char *text, size_t n, const char *name,
                     const char *run_name, struct smi_err *err)
{
    struct smi_partial_reader g = {.name = name, .number = p->number, .err = err};
    struct head head = {0};
    json_error_t why;
    const bool is_new = remember_document(p, text, n);
    json_t *doc = json_loadb(text, n, 0, &why);
    if (!doc && !*why.text) /* jansson gives a reason for everything else */
        smi_mem_exhausted();
    if (!doc)
        return smi_err_set(err, SMI_EFORMAT, "%.200s: no partial summary: %s", name, why.text);
    if (smi_partial_is_current(text, n))
        smi_partial_read_struct(&g, doc, &head_shape, &head);
    if (is_new)
        read_document(&g, p, doc, &head, run_name);
    else if (!g.bad)
        warn_given_twice(&g, p, &head, run_name);
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

/* files of partial summaries: a document a line, and behind the last one a line that says
 * how many they are, so that a file that was cut between two of them is seen. Files may be joined: each
 * brings its end. */

const struct smi_text smi_partial_checksum_begin = {
    "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"sum\": \"",
    sizeof "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"sum\": \"" - 1};
static const char end_begin[] = "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"documents\": ";

bool smi_partial_is_current(const char *text, size_t n)
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
    char piece[65536];
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
