/* Monitors that print a JSON document for each call, on one line or on many. Every GPU of it is a row.
 *
 * gpustat --json; times are local, memory is in MiB:
 *
 *     {"hostname": "node7", "query_time": "2026-11-10T12:43:38.123456", "gpus": [{"index": 0,
 *      "uuid": "GPU-...", "name": "NVIDIA A100", "temperature.gpu": 41, "utilization.gpu": 37,
 *      "power.draw": 97, "memory.used": 1024, "memory.total": 40536, "processes": []}]}
 *
 * nvtop -s; it tells no times and no numbers of GPUs, so their order is their number. Memory is in bytes; not
 * read is mem_util, which is how busy the memory is with some vendors, and how full with others:
 *
 *     [{"device_name": "NVIDIA A100", "gpu_clock": "1410MHz", "temp": "41C", "gpu_util": "37%",
 *       "mem_used": "1073741824"}]
 *
 * amd-smi metric --json and monitor --json: names as in their CSV, values with units:
 *
 *     {"gpu_data": [{"gpu": 0, "usage": {"gfx_activity": {"value": 37, "unit": "%"}},
 *      "clock": {"gfx_0": {"clk": {"value": 132, "unit": "MHz"}}}}]}
 *
 * what people write themselves: names as in hand-made CSV (column_map.h), those of objects in front of those
 * in them; a list of objects (or objects whose names end in numbers) is of GPUs, or else of such documents:
 *
 *     {"timestamp": "2026-03-01T10:00:00", "gpus": [{"index": 0, "utilization": 37, "memory_used_mb": 1024}]}
 */
#include "formats/column_map.h"
#include "formats/json_line.h"
#include "formats/row_engine.h"

#include <stdio.h>
#include <stdlib.h>

enum { STAMP, NUMBER, FIRST, CELLS = 256, NAME = 64, UNIT = 8, LEVELS = 3 };

struct smi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    struct smi_json_document document;
    struct smi_row_plan plan; /* of the GPU at hand, whose cells are so many: */
    size_t cells;
    const struct smi_names *names; /* of its values */
    char digits[CELLS][SMI_JSON_DIGITS];
    const json_t *list; /* of an own sampler: its GPUs; the names of the cells, and what they mean: */
    struct smi_buf header;
    char name[CELLS][NAME];
    struct smi_gpu_csv_column column[CELLS];
    char path[NAME]; /* of the list, from the document on, and [] behind it */
    size_t at;       /* a list of numbers has so many in front of the one of the GPU at hand; or SIZE_MAX */
    bool mapped;     /* --columns-from is given: */
    struct smi_column_map map;
};

static bool is_own(const struct smi_reader *r)
{
    return r->row.lines.format == &smi_format_gpu_json;
}

/* ---- cells ---- */

/* Memory is printed in MB and is in MiB; nvtop may print a fan's turns, which are no share. */
static bool has_unit(unsigned metric, struct smi_text unit)
{
    const char *own = smi_metrics[metric].unit;
    const struct smi_unit *u = smi_unit_find(unit);
    return !unit.n || smi_text_is_nocase(unit, own) || (u && u->num == u->den && strcmp(u->of, own) == 0);
}

/* "1410MHz": a number, and its unit cut off. */
static struct smi_text cut_unit(struct smi_text *t)
{
    size_t n = 0;
    while (n < t->n && (smi_is_digit(t->p[n]) || t->p[n] == '.' || t->p[n] == '-'))
        n++;
    struct smi_text unit = smi_text_trim((struct smi_text){t->p + n, t->n - n});
    if (!n)
        return (struct smi_text){"", 0};
    t->n = n;
    return unit;
}

static void add_cell(struct smi_reader *r, struct smi_text name, const json_t *value, struct smi_text unit)
{
    const struct smi_alias *a = is_own(r) ? NULL : smi_names_find(r->names, name);
    struct smi_text t;
    if (is_own(r) && r->cells < CELLS) {
        smi_text_copy(r->name[r->cells], NAME, name);
        r->row.cell[r->cells] = smi_json_cell(value, r->digits[r->cells]);
        r->cells++;
    }
    if (!a || r->cells == CELLS)
        return;
    t = smi_json_cell(value, r->digits[r->cells]);
    if (a->kind == SMI_COL_NUMBER && !unit.n)
        unit = cut_unit(&t);
    if (a->kind == SMI_COL_NUMBER && !has_unit(a->what, unit))
        return;
    r->row.cell[r->cells] = t;
    smi_row_plan_add(&r->plan, a->kind, a->what, a->how, r->cells++);
}

/* Names are as in CSV: "clock": {"gfx_0": {"clk": ...}} is gfx_0_clk, but "usage": {"gfx_activity": ...} is
 * gfx_activity. */
static void add_cells(struct smi_reader *r, json_t *object, const char *parent, unsigned level)
{
    char name[NAME];
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        struct smi_text unit = {"", 0}, number;
        const json_t *inner = json_object_get(value, "value"); /* {"value": 37, "unit": "%"} */
        const json_t *element = is_own(r) ? json_array_get(value, r->at) : NULL;
        const bool numbered = json_is_number(element) || json_is_null(element);
        int n = snprintf(name, sizeof name, "%s%s%s%s", parent,
                         !*parent    ? ""
                         : r->mapped ? "."
                                     : "_",
                         key, numbered && r->mapped ? "[]" : "");
        if (inner)
            unit = smi_json_string_of(json_object_get(value, "unit"));
        inner = numbered ? element : inner ? inner : value;
        if (n >= NAME || value == r->list)
            continue;
        if (json_is_object(inner) && !smi_json_big_number(inner, &number)) {
            if (level < LEVELS)
                add_cells(r, value, is_own(r) ? name : level ? key : "", level + 1);
            continue;
        }
        if (!json_is_array(inner))
            add_cell(r, smi_text_of(name), inner, unit);
    }
}

static enum smi_cell_status read_json_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                           struct smi_text t, int64_t *v)
{
    struct smi_reader *r = (struct smi_reader *)row;
    return is_own(r) ? smi_gpu_csv_cell(row, &r->column[c->place], c->place, t, v)
                     : smi_amd_cell(row, c, t, v);
}

static struct smi_text read_json_key(struct smi_row_reader *row, enum smi_device_key key, struct smi_text t)
{
    (void)row;
    (void)key;
    return smi_amd_missing(t) || smi_text_is(t, "?") ? (struct smi_text){NULL, 0} : t;
}

/* ---- documents ---- */

/* The names of metric's groups are words of monitor. */
static const struct smi_names *names_of(const struct smi_reader *r, const json_t *gpu)
{
    const struct smi_format *f = r->row.lines.format;
    bool monitor = json_object_get(gpu, "power_usage") || json_object_get(gpu, "gfx");
    return f == &smi_format_gpustat_json ? &smi_names_gpustat_json
           : f == &smi_format_nvtop_json ? &smi_names_nvtop
           : monitor                     ? &smi_names_amd_monitor
                                         : &smi_names_amd_metric;
}

static int read_gpu(struct smi_reader *r, json_t *gpu, const json_t *time, int64_t number,
                    struct smi_err *err)
{
    struct smi_row_reader *row = &r->row;
    struct smi_text at;
    smi_row_plan_init(&r->plan, CELLS);
    r->plan.all = true;
    r->cells = FIRST;
    r->names = names_of(r, gpu);
    time = time ? time : json_object_get(gpu, "timestamp");
    at = time ? smi_json_cell(time, r->digits[STAMP]) : (struct smi_text){NULL, 0};
    if (at.n) {
        row->cell[STAMP] = at;
        smi_row_plan_add(&r->plan, SMI_COL_TIME, 0, 0, STAMP);
    }
    if (row->lines.format == &smi_format_nvtop_json) {
        snprintf(r->digits[NUMBER], SMI_JSON_DIGITS, "%" JSON_INTEGER_FORMAT, (json_int_t)number);
        row->cell[NUMBER] = smi_text_of(r->digits[NUMBER]);
        smi_row_plan_add(&r->plan, SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0, NUMBER);
    }
    add_cells(r, gpu, "", 0);
    smi_row_use(row, &r->plan);
    return smi_row_read(row, smi_json_document_line(&r->document), err);
}

/* Rows of GPUs, below the names of their lists or without one. */
static int read_gpus(struct smi_reader *r, json_t *of, const json_t *time, int64_t *rows, struct smi_err *err)
{
    json_t *list = json_object_get(of, "gpus"), *gpu;
    size_t i;
    int64_t number = 0;
    list = list ? list : json_object_get(of, "gpu_data");
    list = list ? list : of;
    time = json_is_object(of) ? json_object_get(of, "query_time") : time;
    json_array_foreach (list, i, gpu) {
        bool outer = list == of && (json_object_get(gpu, "gpus") || json_object_get(gpu, "gpu_data"));
        if (!json_is_object(gpu))
            continue;
        *rows += !outer;
        if (outer ? read_gpus(r, gpu, time, rows, err) : read_gpu(r, gpu, time, number++, err))
            return -1;
    }
    if (list != of || !json_is_object(of))
        return 0;
    ++*rows;
    return read_gpu(r, of, time, 0, err);
}

/* The cells are those of a row, if their names are those of a header. */
static int read_own_row(struct smi_reader *r, struct smi_err *err)
{
    struct smi_text name[CELLS], line = smi_json_document_line(&r->document);
    struct smi_buf names = {0};
    size_t unknown = 0;
    for (size_t i = 0; i < r->cells; i++) {
        name[i] = smi_text_of(r->name[i]);
        smi_buf_str(&names, r->name[i]);
        smi_buf_char(&names, '\n');
    }
    if (names.n != r->header.n || !names.n || memcmp(names.p, r->header.p, names.n) != 0) {
        smi_row_plan_init(&r->plan, 0);
        if (r->mapped ? smi_column_map_bind(&r->map, name, r->cells, r->column)
                      : smi_gpu_csv_header(name, r->cells, r->column))
            r->plan.width = CELLS;
        for (size_t i = 0; i < r->cells && r->plan.width; i++) {
            const struct smi_gpu_csv_column *c = &r->column[i];
            smi_row_plan_add(&r->plan, c->kind == SMI_COL_PSTATE ? SMI_COL_NUMBER : c->kind, c->what, 0, i);
            r->row.clock.unit = c->per_s ? c->per_s : r->row.clock.unit;
            if (!c->known)
                name[unknown++] = name[i];
        }
        if (r->mapped && !r->plan.keyed && smi_text_is(name[r->cells - 1], "gpu_index"))
            smi_row_plan_add(&r->plan, SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0, r->cells - 1);
        if (!r->header.n)
            smi_account_unknown(r->row.lines.account, name, unknown);
        smi_row_use(&r->row, &r->plan);
    }
    smi_buf_fini(&r->header);
    r->header = names;
    return r->plan.width ? smi_row_read(&r->row, line, err)
                         : smi_row_reject(&r->row, SMI_REJECT_FOREIGN, line, err);
}

/* Is this, a path that ends in [], the list of GPUs? */
static bool is_gpu_list(const struct smi_reader *r, const char *path, const char *key, json_t *value)
{
    const struct smi_text header[] = {smi_text_of("time"), smi_text_of(key)};
    struct smi_gpu_csv_column column[2];
    void *first = json_object_iter(value);
    const char *name = first ? json_object_iter_key(first) : "";
    for (size_t i = 0; i < r->map.n; i++)
        if (r->map.entry[i].name.n >= strlen(path) && memcmp(r->map.entry[i].name.p, path, strlen(path)) == 0)
            return true;
    if (r->mapped || strstr(key, "proc"))
        return false;
    return json_is_object(json_array_get(value, 0)) ||
           (json_is_number(json_array_get(value, 0)) && smi_gpu_csv_header(header, 2, column)) ||
           (*name && smi_is_digit(name[strlen(name) - 1]) && json_is_object(json_object_iter_value(first)));
}

/* The list of GPUs, or of documents, in an object, whose path is r->path then; or NULL. One that lies deeper
 * counts if there is no other. */
static json_t *find_list(struct smi_reader *r, json_t *of, const char *parent)
{
    char path[NAME];
    const char *key;
    json_t *value, *list = NULL;
    for (int deeper = 0; deeper < 2 && !list; deeper++)
        json_object_foreach (of, key, value) {
            if (list || (deeper ? !json_is_object(value) : !json_is_object(value) && !json_is_array(value)))
                continue;
            snprintf(path, NAME, "%s%s%s%s", parent, *parent ? "." : "", key, deeper ? "" : "[]");
            if (!deeper && !is_gpu_list(r, path, key, value))
                continue;
            list = deeper ? find_list(r, value, path) : value;
            if (!deeper)
                smi_text_copy(r->path, NAME, smi_text_of(path));
        }
    return list;
}

static int read_own(struct smi_reader *r, json_t *of, int64_t *rows, struct smi_err *err)
{
    json_t *list = json_is_array(of) ? of : find_list(r, of, ""), *value;
    const bool numbers = json_is_number(json_array_get(list, 0));
    void *at = json_object_iter(list);
    bool inner = false;
    for (size_t i = 0; list && i < json_array_size(list) + json_object_size(list); i++) {
        value = at ? json_object_iter_value(at) : json_array_get(list, i);
        r->list = numbers ? NULL : list;
        r->at = numbers ? i : SIZE_MAX;
        r->cells = 0;
        if (list != of)
            add_cells(r, of, "", 0);
        inner |= r->cells > 0;
        if (json_is_object(value) && !inner && read_own(r, value, rows, err))
            return -1;
        if ((json_is_object(value) || numbers) && inner) {
            const char *key = at ? json_object_iter_key(at) : "", *end = key + strlen(key);
            json_t *index = json_integer((json_int_t)i);
            while (end > key && smi_is_digit(end[-1]))
                end--;
            if (*end)
                json_integer_set(index, atoi(end));
            add_cells(r, value, r->mapped ? r->path : "gpu", 0);
            add_cell(r, smi_text_of("gpu_index"), index, (struct smi_text){"", 0});
            json_decref(index);
            ++*rows;
            if (read_own_row(r, err))
                return -1;
        }
        at = at ? json_object_iter_next(list, at) : NULL;
    }
    if (list)
        return 0;
    r->at = SIZE_MAX;
    r->cells = 0;
    add_cells(r, of, "", 0);
    ++*rows;
    return read_own_row(r, err);
}

/* rc: what the document said of its line. */
static int on_document(struct smi_reader *r, int rc, struct smi_err *err)
{
    json_t *value;
    int64_t rows = 0;
    if (rc <= 0)
        return rc;
    smi_json_document_parse(&r->document, &value);
    if (!value)
        return 0;
    rc = is_own(r) ? read_own(r, value, &rows, err) : read_gpus(r, value, NULL, &rows, err);
    json_decref(value);
    smi_json_document_count(&r->document, rows);
    return rc;
}

/* What is indented goes on with a document, and so does an object in a list. */
static bool begins_document(const struct smi_reader *r, struct smi_text line)
{
    if (*line.p != '{' && *line.p != '[')
        return !r->document.open && (*smi_text_trim(line).p == '{' || *smi_text_trim(line).p == '[');
    return !r->document.open || *line.p == '[' || !r->document.text.n || *r->document.text.p == '{';
}

static int read_json_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    const int depth = r->document.open ? r->document.depth : 0;
    if (is_own(r) && !r->document.open && t.n == 1 && strchr("[],", *t.p)) { /* around the documents */
        r->row.lines.account->header++;
        return 0;
    }
    t.n -= t.p[t.n - 1] == ',' && smi_json_depth(depth, t) == 0;
    if (begins_document(r, line))
        return on_document(r, smi_json_document_begin(&r->document, r->row.lines.account, t), err);
    if (r->document.open && r->document.text.n > 1 && (*t.p == '"' || *t.p == '{') &&
        !strchr(",{[:", r->document.text.p[r->document.text.n - 2]))
        r->document.text.p[r->document.text.n - 1] = ','; /* nvtop 3.3 leaves it out */
    if (r->document.open && !smi_message_is_known(line))
        return on_document(r, smi_json_document_add(&r->document, t), err);
    return smi_row_other(&r->row, line, false, SMI_REJECT_FOREIGN, err);
}

/* ---- the formats ---- */

/* Is one of these keys in the line, with a value that begins so? */
static bool has_key(struct smi_text line, const char *const *keys, const char *begin)
{
    for (; *keys; keys++) {
        size_t n = strlen(*keys);
        const char *at = memmem(line.p, line.n, *keys, n);
        struct smi_text t = at ? (struct smi_text){at + n, (size_t)(line.p + line.n - at) - n} : line;
        if (!at || at == line.p || at[-1] != '"' || t.n < 3 || *t.p != '"')
            continue;
        t = smi_text_trim((struct smi_text){t.p + 1, t.n - 1});
        if (*t.p != ':')
            continue;
        t = smi_text_trim((struct smi_text){t.p + 1, t.n - 1});
        if (t.n && strchr(begin, *t.p))
            return true;
    }
    return false;
}

static bool is_json(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return t.n && strchr("[{\"", *t.p);
}

static enum smi_sniff sniff_gpustat_json(struct smi_text line)
{
    static const char *const keys[] = {"query_time", NULL};
    return is_json(line) && has_key(line, keys, "\"") ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

/* "gpu_clock": "1410MHz" */
static enum smi_sniff sniff_nvtop(struct smi_text line)
{
    static const char *const keys[] = {"gpu_clock", "mem_clock", NULL};
    return is_json(line) && has_key(line, keys, "\"") && memmem(line.p, line.n, "MHz\"", 4) ? SMI_SNIFF_YES
                                                                                            : SMI_SNIFF_NO;
}

static enum smi_sniff sniff_amd_json(struct smi_text line)
{
    static const char *const keys[] = {"socket_power", "gfx_activity", "umc_activity",        "used_vram",
                                       "power_usage",  "gfx_clk",      "hotspot_temperature", NULL};
    return is_json(line) && has_key(line, keys, "{") ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

/* The names in a line are those of a header; one alone, where a document has many lines, would be beside a
 * time. What stands in a "gpus" is of GPUs. */
static enum smi_sniff sniff_own(struct smi_text line)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_text name[CELLS], key, value;
    char text[CELLS][NAME];
    const char *end = line.p + line.n, *p = is_json(line) ? memchr(line.p, '"', line.n) : NULL, *close;
    const bool begins = *smi_text_trim(line).p != '"';
    size_t n = 0;
    for (bool inside = false; p && n + 1 < CELLS; p = memchr(close + 1, '"', (size_t)(end - close - 1))) {
        if (!(close = memchr(p + 1, '"', (size_t)(end - p - 1))))
            break;
        key = (struct smi_text){p + 1, (size_t)(close - p - 1)};
        value = smi_text_trim((struct smi_text){close + 1, (size_t)(end - close - 1)});
        if (!value.n || *value.p != ':' || !key.n || smi_is_digit(*key.p))
            continue;
        value = smi_text_trim((struct smi_text){value.p + 1, value.n - 1});
        snprintf(text[n], NAME, "%s%.*s", inside ? "gpu_" : "", key.n < NAME ? (int)key.n : NAME, key.p);
        name[n] = smi_text_of(text[n]);
        n++;
        inside |= memmem(key.p, key.n, "gpu", 3) && value.n && (*value.p == '[' || *value.p == '{');
    }
    if (!begins)
        name[n++] = smi_text_of("time");
    if (!smi_gpu_csv_header(name, n, column))
        return SMI_SNIFF_NO;
    return begins ? SMI_SNIFF_YES : SMI_SNIFF_LIKELY;
}

/* The last line closes its document. */
static bool closes_document(void *self, struct smi_text line)
{
    const struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    if (!t.n || !strchr("]}", t.p[t.n - 1]))
        return false;
    if (is_own(r) && !r->document.open && t.n == 1)
        return true;
    return begins_document(r, line) ? smi_json_depth(0, t) == 0 : smi_json_document_closes(&r->document, t);
}

static int open_json(struct smi_reader *r, const struct smi_read_opts *o, struct smi_err *err)
{
    r->mapped = is_own(r) && smi_column_map_is(o->columns);
    if (r->mapped && smi_column_map_read(&r->map, o->columns, "", err))
        return -1;
    r->map.json = true;
    return 0;
}

/* smi_table.time */
static int read_json_time(struct smi_row_reader *row, struct smi_sample *s)
{
    const int at = row->plan.at[SMI_AT_TIME];
    const struct smi_reader *r = (const struct smi_reader *)row;
    return at < 0 ? 0 : smi_row_time(row, row->cell[at], r->mapped && r->column[at].utc, s);
}

static int finish_json(struct smi_reader *r, struct smi_err *err)
{
    (void)err;
    smi_json_document_finish(&r->document);
    return 0;
}

static void close_json(struct smi_reader *r)
{
    smi_json_document_fini(&r->document);
    smi_buf_fini(&r->header);
}

static const struct smi_table table = {
    .flags = SMI_TABLE_DEVICES,
    .columns = CELLS,
    .time = read_json_time,
    .cell = read_json_cell,
    .key = read_json_key,
};

#define JSON_FORMAT(sniffer)                                                                            \
    {                                                                                                   \
        .size = sizeof(struct smi_reader), .sniff = sniffer, .line = read_json_line, .open = open_json, \
        .whole = closes_document, .finish = finish_json, .table = &table, .close = close_json           \
    }

const struct smi_format smi_format_gpustat_json = JSON_FORMAT(sniff_gpustat_json);
const struct smi_format smi_format_nvtop_json = JSON_FORMAT(sniff_nvtop);
const struct smi_format smi_format_gpu_json = JSON_FORMAT(sniff_own);
const struct smi_format smi_format_amd_json = JSON_FORMAT(sniff_amd_json);
