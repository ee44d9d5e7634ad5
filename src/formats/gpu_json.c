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
 * rocm-smi --json; all values are strings, and loggers put times in front of the brace:
 *
 *     {"card0": {"GPU use (%)": "0", "VRAM Total Memory (B)": "8573157376"}, "system": {"Driver version":
 * "6.2"}}
 *
 * what people write themselves: names as in hand-made CSV (column_map.h), those of objects in front of those
 * in them. Objects in lists, or with numbers for names, are GPUs if their names are those of a header then,
 * or else documents of their own:
 *
 *     {"timestamp": "2026-03-01T10:00:00", "gpus": [{"index": 0, "utilization": 37, "memory_used_mb": 1024}]}
 *     {"timestamp": "2026-03-01T10:00:00", "gpu0": {"utilization": 37}, "gpu1": {"utilization": 0}}
 */
#include "base/mem.h"
#include "formats/column_map.h"
#include "formats/json_line.h"

#include <stdio.h>
#include <stdlib.h>

enum { CELLS = SMI_GPU_CSV_COLUMNS, NAME = 64, LEVELS = 3, LISTED = 8 };
enum { FRONT = 48, TIME_LEAST = 8 /* bytes of a time */ };
enum { DOCUMENT = -1, OTHER = -2 /* what an object is that is no GPU */ };

/* A flat value as the text of a cell: a text, a number with its digits, N/A for null, ? for anything else. */
static struct smi_text cell_text(const struct smi_json_value *v, char digits[SMI_JSON_DIGITS])
{
    if (smi_json_is(v, SMI_JSON_STRING))
        return smi_text_trim(v->f.text);
    return smi_json_is(v, SMI_JSON_NUMBER) ? smi_json_plain(v, digits)
                                           : smi_text_of(smi_json_is(v, SMI_JSON_NULL) ? "N/A" : "?");
}

struct smi_reader {
    union {
        struct smi_row_reader row; /* first: see row_engine.h */
        struct smi_own_reader own;
    };
    /* The document at hand. Every row that is made of it counts as one of its lines; the others count as
     * header, and rows without a line of their own add one at the end of the log. */
    struct smi_buf text; /* as far as it has come */
    struct smi_json_values values;
    int64_t count, extra; /* its lines; rows of all documents that had no line of their own */
    int depth;
    bool open, dropped;       /* dropped: it is too long or too deep, and its lines are only counted */
    int64_t rows;             /* of it */
    struct smi_row_plan plan; /* of the GPU at hand, whose cells are so many: */
    size_t cells;
    char digits[CELLS + 1][SMI_JSON_DIGITS];
    const struct smi_names *names;        /* of a tool: what it calls the values of a GPU, */
    const struct smi_alias *alias[CELLS]; /* and what those of the cells mean */
    char name[CELLS][NAME];               /* of an own sampler: the names of the cells, */
    uint64_t bound;                       /* and a hash of those of the plan */
    bool listed;                          /* documents are lists of GPUs */
    /* Lists are counted: what two of an object have is of the same GPUs. The list at hand, the first of its
     * object, and how many there were; the last list that had a metric. */
    uint32_t list, first, lists, told[SMI_METRIC_COUNT];
    char front[FRONT]; /* the time in front of a document of rocm-smi, or empty */
    size_t at;         /* a list of numbers has so many in front of the one of the GPU at hand; or SIZE_MAX */
};

static bool is_own(const struct smi_reader *r)
{
    return r->row.lines.format == &smi_format_gpu_json;
}

static bool is_rocm(const struct smi_reader *r)
{
    return r->row.lines.format == &smi_format_rocm_json;
}

static struct smi_text document_line(const struct smi_reader *r)
{
    const char *lf = memchr(r->text.p, '\n', r->text.n);
    return (struct smi_text){r->text.p, lf ? (size_t)(lf - r->text.p) : r->text.n};
}

/* All lines of the document are lost; the first is quoted. */
static void reject_document(struct smi_reader *r, enum smi_reject why)
{
    r->row.lines.account->rejected[why] += r->count - 1;
    smi_account_reject(r->row.lines.account, why, document_line(r));
}

/* ---- cells ---- */

/* What a tool means by a name; or NULL. */
static const struct smi_alias *find_alias(const struct smi_reader *r, struct smi_text name)
{
    const struct smi_alias *a = is_rocm(r) ? smi_rocm_alias(name) : smi_names_find(r->names, name);
    if (!a && r->names == &smi_names_gpustat_json)
        a = smi_names_find(&smi_names_query, name);
    return a ? a : smi_names_find(&smi_names_amd, name);
}

/* unit: or empty. */
static void add_cell(struct smi_reader *r, struct smi_text name, struct smi_text t, struct smi_text unit)
{
    const struct smi_alias *a = is_own(r) ? NULL : find_alias(r, name);
    char *digits = r->digits[r->cells];
    if (r->cells == CELLS || !(a || is_own(r))) {
        smi_account_unknown(r->row.lines.account, name);
        return;
    }
    if (unit.n && t.n + unit.n < SMI_JSON_DIGITS) { /* {"value": 37, "unit": "%"} */
        memmove(digits, t.p, t.n);
        digits[t.n] = ' ';
        memcpy(digits + t.n + 1, unit.p, unit.n);
        t = (struct smi_text){digits, t.n + 1 + unit.n};
    }
    if (t.n > 3 && smi_text_is(smi_text_from(t, t.n - 3), "RPM")) /* a fan's turns, which are no share */
        return;
    r->alias[r->cells] = a;
    smi_text_copy(r->name[r->cells], NAME, name);
    r->row.cell[r->cells++] = t;
}

/* "parent.key", or the part of it that NAME bytes hold. Returns how long all of it is. */
static size_t join_names(char to[NAME], const char *parent, const char *joint, struct smi_text key)
{
    return (size_t)snprintf(to, NAME, "%s%s%.*s", parent, *parent ? joint : "", (int)key.n, key.p);
}

/* Does the map have a column below this path? */
static bool is_mapped(const struct smi_reader *r, const char *path)
{
    for (size_t i = 0; i < r->own.map.n; i++)
        if (r->own.map.entry[i].name.n >= strlen(path) &&
            memcmp(r->own.map.entry[i].name.p, path, strlen(path)) == 0)
            return true;
    return false;
}

static bool is_listed(const struct smi_reader *r, const struct smi_json_value *value, const char *parent);

/* Names are as in CSV: "clock": {"gfx_0": {"clk": ...}} is gfx_0_clk, but "usage": {"gfx_activity": ...} is
 * gfx_activity. */
static void add_cells(struct smi_reader *r, const struct smi_json_value *object, const char *parent,
                      unsigned level)
{
    char name[NAME];
    SMI_JSON_EACH (value, smi_json_is(object, SMI_JSON_OBJECT) ? object : NULL) {
        const struct smi_text key = value->f.key;
        struct smi_text unit = {"", 0};
        const struct smi_json_value *inner = SMI_JSON_GET(value, "value"); /* {"value": 37, "unit": "%"} */
        const struct smi_json_value *element = is_own(r) ? smi_json_element(value, r->at) : NULL;
        const bool numbered = smi_json_is(element, SMI_JSON_NUMBER) || smi_json_is(element, SMI_JSON_NULL);
        size_t n = join_names(name, parent, r->own.mapped ? "." : "_", key);
        if (numbered && r->own.mapped && (n += 2) < NAME)
            strcat(name, "[]");
        if (inner)
            unit = smi_json_text_of(SMI_JSON_GET(value, "unit"));
        inner = numbered ? element : inner ? inner : value;
        if (n >= NAME)
            smi_account_unknown(r->row.lines.account, key);
        for (size_t i = 0; n < NAME && r->own.mapped && inner->kind == SMI_JSON_LIST && i < LISTED; i++) {
            char one[NAME + 8]; /* "[1]": the second of a list */
            const struct smi_json_value *item = smi_json_element(inner, i);
            snprintf(one, sizeof one, "%s[%zu]", name, i);
            if (item && strlen(one) < NAME && is_mapped(r, one))
                add_cell(r, smi_text_of(one), cell_text(item, r->digits[r->cells]), unit);
        }
        if (n >= NAME || is_listed(r, value, parent) || inner->kind == SMI_JSON_LIST)
            continue;
        if (inner->kind != SMI_JSON_OBJECT)
            add_cell(r, smi_text_of(name), cell_text(inner, r->digits[r->cells]), unit);
        else if (level < LEVELS && !is_rocm(r))
            add_cells(r, value, is_own(r) ? name : level ? name + strlen(name) - key.n : "", level + 1);
    }
}

/* ---- documents ---- */

/* What the tool calls the values of this GPU. The names of metric's groups are words of monitor. */
static const struct smi_names *names_of(const struct smi_reader *r, const struct smi_json_value *gpu)
{
    const struct smi_format *f = r->row.lines.format;
    bool monitor = SMI_JSON_GET(gpu, "power_usage") || SMI_JSON_GET(gpu, "gfx");
    return f == &smi_format_gpustat_json ? &smi_names_gpustat_json
           : f == &smi_format_nvtop_json ? &smi_names_nvtop
           : monitor                     ? &smi_names_amd_monitor
                                         : &smi_names_amd_metric;
}

/* Makes a plan of the cells of a tool's GPU. Returns whether they are a row: a card of rocm-smi that has
 * texts only is none. */
static bool bind_tool(struct smi_reader *r)
{
    smi_row_plan_init(&r->plan, r->cells);
    r->plan.all = true;
    for (size_t i = 0; i < r->cells; i++)
        if (is_rocm(r))
            smi_rocm_add_column(&r->plan, r->alias[i], i);
        else
            smi_row_plan_add(&r->plan, r->alias[i]->kind, r->alias[i]->what, r->alias[i]->how, i);
    smi_row_use(&r->row, &r->plan);
    return r->plan.n || !is_rocm(r);
}

/* Makes a plan of the cells. Returns whether their names are those of a header. */
static bool bind_own(struct smi_reader *r, const struct smi_text *name)
{
    struct smi_own_reader *own = &r->own;
    struct smi_gpu_csv_column column[CELLS];
    if (!(own->mapped ? smi_column_map_bind(&own->map, name, r->cells, column)
                      : smi_gpu_csv_header(name, r->cells, false, column)))
        return false;
    memcpy(own->column, column, r->cells * sizeof *column);
    smi_own_bind(own, &r->plan, r->cells);
    if (own->mapped && !r->plan.keyed && r->cells && smi_text_is(name[r->cells - 1], "gpu_index"))
        smi_row_plan_add(&r->plan, SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0, r->cells - 1);
    for (size_t i = 0; i < r->cells; i++)
        if (!own->column[i].known || (own->column[i].kind == SMI_COL_SKIP && own->column[i].vague) ||
            own->column[i].host)
            smi_account_unknown(r->row.lines.account, name[i]);
    smi_row_use(&r->row, &r->plan);
    return true;
}

/* Reads the cells as a row, if their names are those of a header. */
static void read_own_row(struct smi_reader *r)
{
    struct smi_text name[CELLS];
    uint64_t names = r->cells;
    for (size_t i = 0; i < r->cells; i++) {
        name[i] = smi_text_of(r->name[i]);
        names = smi_hash_pair(names, smi_hash_bytes(name[i].p, name[i].n));
    }
    if (!r->cells && !is_own(r) && !is_rocm(r)) { /* a GPU of a tool, of which no name is known */
        r->rows++;
        smi_row_reject(&r->row, SMI_REJECT_BAD_NUMBER, document_line(r));
    }
    if (!r->cells || (is_own(r) ? names != r->bound && !bind_own(r, name) : !bind_tool(r)))
        return;
    r->bound = names;
    for (unsigned i = 0; i < r->plan.n; i++)
        if (r->told[r->plan.column[i].what] >= r->first && r->told[r->plan.column[i].what] < r->list)
            return;
    for (unsigned i = 0; i < r->plan.n; i++)
        r->told[r->plan.column[i].what] = r->list;
    r->rows++;
    smi_own_row(&r->own, document_line(r), r->cells, false);
}

/* "0", "gpu0", "cuda:1": the number of a GPU; or -1. */
static int64_t number_of(struct smi_text t)
{
    return smi_cell_digits(smi_own_key(NULL, SMI_DEVICE_KEY_INDEX, t), SMI_CELL_DIGITS);
}

/* Is a member of an object no value of it, but a list of objects, or one of its numbered objects? Of tools
 * the names of these are known. */
static bool is_listed(const struct smi_reader *r, const struct smi_json_value *value, const char *parent)
{
    const bool object = value->kind == SMI_JSON_OBJECT;
    const struct smi_json_value *first = value + 1;
    char path[2 * NAME];
    if (!is_own(r))
        return is_rocm(r) ? object && smi_rocm_card(value->f.key).n
                          : value->kind == SMI_JSON_LIST &&
                                (smi_text_is(value->f.key, "gpus") || smi_text_is(value->f.key, "gpu_data"));
    if (r->own.mapped) {
        snprintf(path, sizeof path, "%s%s%.*s[]", parent, *parent ? "." : "", (int)value->f.key.n,
                 value->f.key.p);
        return value->kind >= SMI_JSON_OBJECT && is_mapped(r, path) &&
               !smi_json_is(smi_json_element(value, 0), SMI_JSON_NUMBER);
    }
    return (value->kind == SMI_JSON_LIST && smi_json_is(smi_json_element(value, 0), SMI_JSON_OBJECT)) ||
           (object && number_of(value->f.key) >= 0) ||
           (object && value->size > 1 && first->f.key.n && smi_is_digit(first->f.key.p[first->f.key.n - 1]) &&
            first->kind == SMI_JSON_OBJECT);
}

static void read_object(struct smi_reader *r, const struct smi_json_value *of, const char *path,
                        int64_t number);

/* Reads the elements of a list, or of an object that stands for one. */
static void read_elements(struct smi_reader *r, const struct smi_json_value *list, const char *path,
                          bool gpus)
{
    const int64_t before = r->rows;
    int64_t place = 0;
    r->list = ++r->lists;
    SMI_JSON_EACH (value, list) {
        const char *end = value->f.key.p + value->f.key.n;
        int64_t number = place++;
        size_t n = 0;
        while (n < value->f.key.n && smi_is_digit(end[-1 - (ptrdiff_t)n]))
            n++;
        number = n ? smi_cell_digits((struct smi_text){end - n, n}, SMI_CELL_DIGITS) : number;
        if (value->kind == SMI_JSON_OBJECT)
            read_object(r, value, path, gpus ? number : OTHER);
    }
    if (r->rows == before && place)
        smi_account_unknown(r->row.lines.account, smi_text_of(path));
}

/* Does the name say that what is listed below it are GPUs? */
static bool says_gpu(struct smi_text key)
{
    char text[NAME];
    smi_text_copy(text, sizeof text, key);
    return strcasestr(text, "gpu") || strcasestr(text, "cuda") || strcasestr(text, "nvidia") ||
           strcasestr(text, "accelerator");
}

/* Reads what is listed below an object, whose cells and those of the objects around it are there. Beside
 * lists whose names say GPU others are of something else. Returns whether there was a list. */
static bool read_lists(struct smi_reader *r, const struct smi_json_value *of, const char *parent,
                       unsigned level)
{
    char path[NAME + 2];
    uint32_t numbered = 0;
    bool named = false, some = false;
    SMI_JSON_EACH (value, of) {
        named |= !r->own.mapped && is_listed(r, value, parent) && says_gpu(value->f.key);
    }
    SMI_JSON_EACH (value, of) {
        const struct smi_text key = value->f.key;
        const bool listed = is_listed(r, value, parent), object = value->kind == SMI_JSON_OBJECT;
        const int64_t number = !r->own.mapped && object ? number_of(key) : -1;
        if ((!listed && !object) || join_names(path, parent, ".", key) >= NAME)
            continue;
        some |= listed;
        if (listed && number >= 0) {
            r->list = numbered = numbered ? numbered : ++r->lists;
            read_object(r, value, path, number);
        } else if (listed)
            read_elements(r, value, strcat(path, "[]"),
                          named ? says_gpu(key) : r->own.mapped || !smi_gpu_csv_host(key));
        else if (object && level < LEVELS)
            some |= read_lists(r, value, path, level + 1);
    }
    return some;
}

/* How many numbers have the lists of them below names of a header, or of the map? */
static size_t count_numbers(const struct smi_reader *r, const struct smi_json_value *of)
{
    struct smi_gpu_csv_column column[2];
    struct smi_text header[] = {smi_text_of("time"), {NULL, 0}};
    char path[NAME + 2];
    SMI_JSON_EACH (value, of) {
        header[1] = value->f.key;
        snprintf(path, sizeof path, "%.*s[]", header[1].n < NAME ? (int)header[1].n : NAME - 1, header[1].p);
        if (smi_json_is(smi_json_element(value, 0), SMI_JSON_NUMBER) &&
            (r->own.mapped ? is_mapped(r, path) : smi_gpu_csv_header(header, 2, false, column)))
            return (size_t)value->f.micro;
    }
    return 0;
}

/* The cells of an object as those of the GPU with this number. */
static void read_gpu_of(struct smi_reader *r, const struct smi_json_value *of, const char *parent,
                        int64_t number)
{
    char digits[SMI_I128_TEXT];
    const struct smi_text index = {digits, smi_i128_write(digits, number)};
    add_cells(r, of, parent, 0);
    if (is_own(r) || is_rocm(r) || r->names == &smi_names_nvtop) /* others name each GPU */
        add_cell(r, smi_text_of("gpu_index"), index, (struct smi_text){"", 0});
    read_own_row(r);
}

/* Reads an object behind the cells of those around it. path: of its list; number: of the GPU that it may be,
 * or DOCUMENT, or OTHER: only what is listed in it counts. */
static void read_object(struct smi_reader *r, const struct smi_json_value *of, const char *path,
                        int64_t number)
{
    const size_t outer = r->cells, numbers = is_own(r) ? count_numbers(r, of) : 0;
    const int64_t before = r->rows;
    const uint32_t list = r->list, first = r->first;
    bool lists;
    path = r->own.mapped ? path : "";
    r->names = names_of(r, of);
    r->first = r->lists + 1;
    add_cells(r, of, path, 0);
    lists = read_lists(r, of, path, 0) && !is_own(r);
    r->list = list;
    r->first = first;
    for (r->at = 0; r->at < numbers; r->at++) {
        r->cells = outer;
        read_gpu_of(r, of, "", (int64_t)r->at);
    }
    r->at = SIZE_MAX;
    r->cells = outer;
    if (r->rows == before && number >= 0 && !lists)
        read_gpu_of(r, of, r->own.mapped ? path : is_own(r) ? "gpu" : "", number);
    r->cells = outer;
    if (r->rows == before && number != OTHER && is_own(r)) {
        add_cells(r, of, path, 0);
        read_own_row(r);
    }
    r->cells = outer;
}

/* A list is one of documents, or else of GPUs. */
static void read_document(struct smi_reader *r, const struct smi_json_value *of)
{
    r->cells = 0;
    r->at = SIZE_MAX;
    r->list = r->first = r->lists = 1;
    memset(r->told, 0, sizeof r->told);
    if (*r->front)
        add_cell(r, smi_text_of("timestamp"), smi_text_of(r->front), (struct smi_text){"", 0});
    if (of->kind == SMI_JSON_OBJECT)
        read_object(r, of, "", is_own(r) ? DOCUMENT : is_rocm(r) ? OTHER : 0);
    for (int gpus = r->listed; gpus < 2 && !r->rows; gpus++) {
        int64_t i = 0;
        SMI_JSON_EACH (value, of->kind == SMI_JSON_LIST ? of : NULL) {
            if (value->kind == SMI_JSON_OBJECT)
                read_object(r, value, "", gpus ? i : DOCUMENT);
            i++;
        }
    }
    if (r->rows || !is_own(r))
        return;
    smi_row_reject(&r->row, SMI_REJECT_FOREIGN, document_line(r));
    r->rows++;
}

/* One more line of the document, which is read once its brackets have closed. */
static int add_line(struct smi_reader *r, struct smi_text line)
{
    struct smi_account *a = r->row.lines.account;
    r->count++;
    r->dropped |= r->text.n + line.n >= SMI_LINE_MAX;
    if (r->dropped)
        return 0;
    smi_buf_add(&r->text, line.p, line.n);
    smi_buf_char(&r->text, '\n');
    r->depth = smi_json_depth(r->depth, line);
    r->dropped = r->depth > SMI_JSON_DEPTH;
    if (r->depth > 0)
        return 0;
    r->open = false;
    const struct smi_text t = {r->text.p, r->text.n};
    if (r->dropped || !smi_json_parse(t, &r->values)) {
        reject_document(r, r->dropped            ? SMI_REJECT_TOO_LONG
                           : smi_text_is_utf8(t) ? SMI_REJECT_FOREIGN
                                                 : SMI_REJECT_BAD_ENCODING);
        return 0;
    }
    r->rows = 0;
    read_document(r, r->values.v);
    a->messages += r->rows ? 0 : r->count;
    a->header += r->rows && r->rows < r->count ? r->count - r->rows : 0;
    r->extra += r->rows > r->count ? r->rows - r->count : 0;
    return 0;
}

/* What is indented goes on with a document, and so does an object in a list. */
static bool begins_document(const struct smi_reader *r, struct smi_text line)
{
    if (*line.p != '{' && *line.p != '[')
        return !r->open && (*smi_text_trim(line).p == '{' || *smi_text_trim(line).p == '[');
    return !r->open || *line.p == '[' || !r->text.n || *r->text.p == '{';
}

/* How many bytes stand in front of the brace of rocm-smi: a time of any form, or the number of the line. */
static size_t find_front(const struct smi_reader *r, struct smi_text t)
{
    const char *brace = is_rocm(r) && smi_is_digit(*t.p) ? memchr(t.p, '{', t.n < FRONT ? t.n : FRONT) : NULL;
    return brace ? (size_t)(brace - t.p) : 0;
}

static int read_json_line(void *self, struct smi_text line)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line), front = {t.p, find_front(r, t)};
    bool begins;
    if (is_own(r) && !r->open && t.n == 1 && strchr("[],", *t.p)) /* around the documents */
        return smi_line_count(&r->row.lines.account->header);
    if (is_rocm(r) && (front.n || *t.p == '{')) {
        line = t = smi_text_from(t, front.n);
        while (front.n && memchr(" \t,;", front.p[front.n - 1], 4))
            front.n--;
        front.n = front.n < TIME_LEAST ? 0 : front.n;
        smi_text_copy(r->front, FRONT, front);
    }
    t.n -= t.p[t.n - 1] == ',' && smi_json_depth(r->open ? r->depth : 0, t) == 0;
    begins = begins_document(r, line);
    if (begins && r->open) /* one that has not ended is lost */
        reject_document(r, r->dropped ? SMI_REJECT_TOO_LONG : SMI_REJECT_FOREIGN);
    if (begins) {
        smi_buf_clear(&r->text);
        r->count = r->depth = 0;
        r->open = true;
        r->dropped = false;
    } else if (r->open && r->text.n > 1 && (*t.p == '"' || *t.p == '{') &&
               !strchr(",{[:", r->text.p[r->text.n - 2])) {
        r->text.p[r->text.n - 1] = ','; /* nvtop 3.3 leaves it out */
    }
    if (begins || (r->open && !smi_message_is_known(line)))
        return add_line(r, t);
    return smi_row_other(&r->row, line, false, SMI_REJECT_FOREIGN);
}

/* ---- the formats ---- */

/* Is it JSON in which one of these keys has a value that begins so? */
static enum smi_sniff sniff_keys(struct smi_text line, const char *const *keys, char begin)
{
    while (*keys && !smi_json_has_key(line, *keys, begin))
        keys++;
    return *keys ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static enum smi_sniff sniff_gpustat_json(struct smi_text line)
{
    return sniff_keys(line, (const char *const[]){"\"query_time\"", NULL}, '"');
}

/* "gpu_clock": "1410MHz" */
static enum smi_sniff sniff_nvtop(struct smi_text line)
{
    static const char *const keys[] = {"\"gpu_clock\"", "\"mem_clock\"", NULL};
    return memmem(line.p, line.n, "MHz\"", 4) ? sniff_keys(line, keys, '"') : SMI_SNIFF_NO;
}

static enum smi_sniff sniff_amd_json(struct smi_text line)
{
    static const char *const keys[] = {
        "\"socket_power\"", "\"gfx_activity\"", "\"umc_activity\"",        "\"used_vram\"",
        "\"power_usage\"",  "\"gfx_clk\"",      "\"hotspot_temperature\"", NULL};
    return sniff_keys(line, keys, '{');
}

/* {"card0": {... , also behind a time; the brace can stand on a line above */
static enum smi_sniff sniff_rocm_json(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    const char *at = t.n && smi_is_digit(*t.p) ? memchr(t.p, '{', t.n) : t.p, *end;
    t = at ? smi_text_from(t, (size_t)(at - t.p)) : t;
    if (t.n && *t.p == '{')
        t = smi_text_trim(smi_text_from(t, 1));
    end = t.n > 1 && *t.p == '"' ? memchr(t.p + 1, '"', t.n - 1) : NULL;
    if (!end || !smi_rocm_card(smi_text_between(t.p + 1, end)).n)
        return SMI_SNIFF_NO;
    t = smi_text_trim(smi_text_between(end + 1, t.p + t.n));
    return t.n && *t.p == ':' ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

/* The names in the text are those of a header; one alone, where a document has many lines, would be beside a
 * time. What stands below "gpus", "gpu0", "0" or "devices" is of GPUs; where the name does not say so, if it
 * has a load, and memory or power. */
static enum smi_sniff sniff_own(struct smi_text line)
{
    static const char *const vague_words[] = {"devices", "cards", NULL};
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_text name[CELLS], key, value, beside[] = {{NULL, 0}, smi_text_of("gpu_util")};
    char text[CELLS][NAME];
    const struct smi_text t = smi_text_trim(line);
    const char *end = line.p + line.n, *p = memchr("[{\"", *t.p, 3) ? memchr(t.p, '"', t.n) : NULL, *close;
    const bool begins = *t.p != '"';
    size_t n = 0, k;
    bool inside = false, vague = true, opens, load = false, more = false;
    for (; p && n + 1 < CELLS; p = memchr(close + 1, '"', (size_t)(end - close - 1))) {
        if (!(close = memchr(p + 1, '"', (size_t)(end - p - 1))))
            break;
        key = (struct smi_text){p + 1, (size_t)(close - p - 1)};
        value = smi_text_trim((struct smi_text){close + 1, (size_t)(end - close - 1)});
        if (!value.n || *value.p != ':' || !key.n)
            continue;
        value = smi_text_trim((struct smi_text){value.p + 1, value.n - 1});
        opens = value.n && (*value.p == '[' || *value.p == '{');
        vague &= !says_gpu(key);
        inside |= opens && (says_gpu(key) || number_of(key) >= 0 || smi_text_is_one_of(key, vague_words));
        if (smi_is_digit(*key.p))
            continue;
        snprintf(text[n], NAME, "%.*s", key.n < NAME ? (int)key.n : NAME, key.p);
        beside[0] = smi_text_of(text[n]);
        if (inside && !smi_gpu_csv_header(beside, 2, false, column)) /* no time */
            snprintf(text[n], NAME, "gpu_%.*s", key.n < NAME ? (int)key.n : NAME, key.p);
        name[n] = smi_text_of(text[n]);
        for (k = 0; k < n && !smi_text_equal(name[k], name[n]);)
            k++;
        n += k == n;
    }
    if (!begins)
        name[n++] = smi_text_of("time");
    if (!smi_gpu_csv_header(name, n, false, column))
        return SMI_SNIFF_NO;
    for (k = 0; k < n; k++) {
        load |= column[k].kind == SMI_COL_NUMBER && column[k].what == SMI_GPU_UTIL;
        more |= column[k].kind == SMI_COL_NUMBER &&
                (column[k].what == SMI_FB_USED || column[k].what == SMI_POWER);
    }
    if (vague && inside && !(load && more))
        return SMI_SNIFF_NO;
    return begins ? SMI_SNIFF_YES : SMI_SNIFF_LIKELY;
}

/* smi_format.whole: what a line without its end lacks, the brackets tell when the log ends. */
static bool is_part(void *self, struct smi_text line)
{
    (void)self;
    (void)line;
    return true;
}

/* A document is no line that could wait for others: what tells neither day nor month first is read as it
 * comes. */
int smi_json_document_time(struct smi_row_reader *row, struct smi_sample *s)
{
    const int rc = smi_own_time(row, s);
    if (!row->order.asks)
        return rc;
    smi_row_order_take(row);
    return smi_own_time(row, s);
}

/* "[].load" is of the elements of a list that is the whole document: of GPUs where they have no times. */
static int open_json(struct smi_reader *r, const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_column_map *m = &r->own.map;
    bool timed = false;
    r->own.mapped = is_own(r) && smi_column_map_is(o->columns);
    if (r->own.mapped && smi_column_map_read(m, o->columns, "", err))
        return -1;
    r->row.counted = m->gpus > 0;
    r->row.order.asked = ~(1U << SMI_ASK_ORDER); /* the rest is of rows of a CSV */
    r->row.order.sought = true;
    m->json = true;
    for (size_t i = 0; i < m->n; i++) {
        struct smi_text *name = &m->entry[i].name;
        timed |= m->entry[i].column.kind == SMI_COL_TIME;
        if (name->n > 3 && memcmp(name->p, "[].", 3) == 0) {
            *name = smi_text_from(*name, 3);
            r->listed = true;
        }
        if (name->n > 6 && memcmp(name->p + name->n - 6, ".value", 6) == 0) /* as add_cells names it */
            name->n -= 6;
    }
    r->listed = (r->listed && !timed) || !is_own(r);
    return 0;
}

/* A document that the end of the log cuts is a torn tail. */
static void finish_json(struct smi_reader *r)
{
    if (r->open)
        reject_document(r, SMI_REJECT_TORN_TAIL);
    r->row.lines.account->lines += r->extra;
}

static void close_json(struct smi_reader *r)
{
    smi_buf_fini(&r->text);
    smi_json_values_fini(&r->values);
    if (is_own(r))
        smi_mem_free(r->own.parts);
}

static const struct smi_table table = {
    .flags = SMI_TABLE_DEVICES,
    .columns = CELLS,
    .time = smi_json_document_time,
    .cell = smi_amd_cell,
    .key = smi_amd_key,
};
static const struct smi_table own_table = {
    .flags = SMI_TABLE_DEVICES, SMI_OWN_TABLE, .time = smi_json_document_time};

#define JSON_FORMAT(sniffer, columns, own)                                                              \
    {                                                                                                   \
        .size = sizeof(struct smi_reader), .sniff = sniffer, .line = read_json_line, .open = open_json, \
        .whole = is_part, .finish = finish_json, .table = columns, .close = close_json, .fronts = own   \
    }

const struct smi_format smi_format_gpustat_json = JSON_FORMAT(sniff_gpustat_json, &table, false);
const struct smi_format smi_format_nvtop_json = JSON_FORMAT(sniff_nvtop, &table, false);
const struct smi_format smi_format_gpu_json = JSON_FORMAT(sniff_own, &own_table, false);
const struct smi_format smi_format_rocm_json = JSON_FORMAT(sniff_rocm_json, &smi_rocm_json_table, true);
const struct smi_format smi_format_amd_json = JSON_FORMAT(sniff_amd_json, &table, false);
