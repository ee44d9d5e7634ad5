/* Samples that smilog export --to jsonl: has written, a reading, phase or event a line:
 *
 *     {"run": "seed3", "host": "pod-3", "input": "hw_metrics.csv", "format": "nvidia-smi-query", "row": 0,
 *      "time": "2026-07-03T22:10:46.109Z", "gpu": 0, "uuid": "GPU-1f..", "name": "NVIDIA H100", "gpu_util_pct": 97.0}
 *     {"run": "seed3", "host": "pod-3", "input": "run.jsonl", "format": "runlog", "row": 0,
 *      "time": "2026-07-03T22:11:27.000Z", "phase": "compile", "seconds": 41.2, "data": {"step": 3}}
 *
 * A line with "gpu" is of a GPU, one without of the machine. Keys that are no metric of ours are passed over. */
#include "base/clock.h"
#include "base/mem.h"
#include "formats/format.h"
#include "formats/json_line.h"
#include "formats/samples_row.h"

#include <string.h>

enum { FIELDS = 256, INDEX = 24 };

static const int64_t seconds_max = 1000000000; /* of one phase, as in a RunLog: 31 years */

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    struct smi_buf repaired;
    struct smi_back back;
    unsigned n;
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
    unsigned fields;
    bool full; /* the entry has more than FIELDS values */
    struct smi_field field[FIELDS];
    char digits[FIELDS][SMI_JSON_DIGITS];
};

static struct smi_text text_of(const json_t *v)
{
    return json_is_string(v) ? (struct smi_text){json_string_value(v), json_string_length(v)}
                             : (struct smi_text){"", 0};
}

/* ---- readings ---- */

static int add(struct smi_reader *r, unsigned metric, const json_t *v, struct smi_err *err)
{
    int64_t micro;
    char digits[SMI_JSON_DIGITS];
    struct smi_text wide;
    if (json_is_null(v)) {
        r->lines.account->cells_missing++;
        return 0;
    }
    if (smi_json_beyond(v, &wide))
        return smi_cell_lost(r->lines.account, SMI_CELL_RANGE, metric, wide, err);
    if (!json_is_number(v))
        return smi_cell_lost(r->lines.account, SMI_CELL_BAD, metric, smi_text_of("no number"), err);
    if (!smi_json_number(v, &micro) || (smi_metrics[metric].kind == SMI_GAUGE &&
                                        (micro >= (int64_t)1 << 43 || micro <= -((int64_t)1 << 43))))
        return smi_cell_lost(r->lines.account, SMI_CELL_RANGE, metric,
                             (struct smi_text){digits, smi_json_digits(v, digits)}, err);
    if (r->n < SMI_SAMPLE_MAX) { /* a key comes once */
        r->metric[r->n] = (uint16_t)metric;
        r->v[r->n++] = micro;
    }
    return 0;
}

static int add_all(struct smi_reader *r, json_t *entry, struct smi_err *err)
{
    r->n = 0;
    for (void *at = json_object_iter(entry); at; at = json_object_iter_next(entry, at)) {
        const char *key = json_object_iter_key(at);
        int metric = smi_metric_find(key, strlen(key));
        if (metric >= 0 && add(r, (unsigned)metric, json_object_iter_value(at), err))
            return -1;
    }
    return 0;
}

static int on_row(struct smi_reader *r, struct smi_text line, json_t *entry, struct smi_err *err)
{
    const json_t *gpu = json_object_get(entry, "gpu");
    char digits[INDEX];
    struct smi_back_row row = {.format = text_of(json_object_get(entry, "format")),
                               .time = text_of(json_object_get(entry, "time")),
                               .uuid = text_of(json_object_get(entry, "uuid")),
                               .bus = text_of(json_object_get(entry, "bus")),
                               .name = text_of(json_object_get(entry, "name")), .host = !gpu};
    if (json_is_integer(gpu))
        row.index = (struct smi_text){digits, smi_wide_put(digits, (smi_i128)json_integer_value(gpu))};
    if (add_all(r, entry, err))
        return -1;
    row.n = r->n;
    row.metric = r->metric;
    row.v = r->v;
    return smi_back_take(&r->back, &r->lines, &row, line, err);
}

/* ---- phases and events ---- */

static void add_fields(struct smi_reader *r, json_t *from, bool in_data)
{
    for (void *at = json_object_iter(from); at; at = json_object_iter_next(from, at)) {
        const json_t *v = json_object_iter_value(at);
        struct smi_field *f = &r->field[r->fields];
        struct smi_text wide;
        bool beyond = smi_json_beyond(v, &wide);
        if ((json_is_object(v) && !beyond) || json_is_array(v))
            continue;
        if (r->fields == FIELDS) {
            r->full = true;
            return;
        }
        *f = (struct smi_field){.key = smi_text_of(json_object_iter_key(at)), .in_data = in_data,
                                .quoted = json_is_string(v), .text = text_of(v)};
        if (beyond) {
            f->text = wide;
        } else if (json_is_number(v)) {
            f->number = smi_json_number(v, &f->micro);
            f->text = (struct smi_text){r->digits[r->fields], smi_json_digits(v, r->digits[r->fields])};
        } else if (!f->quoted) {
            f->text = smi_text_of(json_is_true(v) ? "true" : json_is_false(v) ? "false" : "null");
        }
        r->fields++;
    }
}

static int on_mark(struct smi_reader *r, struct smi_text line, json_t *entry, struct smi_err *err)
{
    const json_t *phase = json_object_get(entry, "phase");
    struct smi_mark m = {.kind = phase ? SMI_MARK_PHASE : SMI_MARK_EVENT,
                         .name = text_of(phase ? phase : json_object_get(entry, "event")), .field = r->field};
    bool fine, zoned;
    if (smi_clock_iso(text_of(json_object_get(entry, "time")), &m.t_us, &fine, &zoned))
        return smi_account_reject(r->lines.account, SMI_BAD_TIME, line, err);
    if (phase && (!smi_json_number(json_object_get(entry, "seconds"), &m.span_us) || m.span_us < 0 ||
                  m.span_us > seconds_max * 1000000))
        return smi_account_reject(r->lines.account, SMI_BAD_NUMBER, line, err);
    r->fields = 0;
    r->full = false;
    add_fields(r, json_object_get(entry, "data"), true);
    add_fields(r, json_object_get(entry, "extra"), false);
    m.fields = r->fields;
    r->lines.account->rows++;
    if (r->full && smi_account_odd(r->lines.account, SMI_ODD_OTHER, err,
                                   "more than %d values: the rest is not read", FIELDS))
        return -1;
    return r->lines.to->mark ? r->lines.to->mark(r->lines.to, &m, err) : 0;
}

/* ---- lines ---- */

static int on_entry(struct smi_reader *r, struct smi_text line, json_t *entry, struct smi_err *err)
{
    const json_t *run = json_object_get(entry, "run");
    int mine;
    if (!json_is_string(run))
        return smi_account_reject(r->lines.account, SMI_FOREIGN, line, err);
    mine = smi_back_mine(&r->back, &r->lines, text_of(run), line, err);
    if (mine <= 0)
        return mine;
    return (json_object_get(entry, "phase") || json_object_get(entry, "event") ? on_mark : on_row)(r, line, entry, err);
}

static int on_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    json_t *entry;
    int rc;
    if (*t.p != '{')
        return smi_account_reject(r->lines.account, SMI_FOREIGN, line, err);
    if (smi_json_line(line, &r->repaired, r->lines.account, &entry, err))
        return -1;
    if (!entry)
        return 0;
    rc = on_entry(r, line, entry, err);
    json_decref(entry);
    return rc;
}

static enum smi_sniff sniff(struct smi_text line)
{
    static const char *const keys[] = {"\"run\"", "\"input\"", "\"format\"", "\"row\"", "\"time\""};
    struct smi_text t = smi_text_trim(line);
    bool all = t.n && *t.p == '{';
    for (size_t i = 0; i < sizeof keys / sizeof *keys && all; i++)
        all = smi_json_has_key(t, keys[i]);
    return all ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static struct smi_reader *open(const struct smi_read_opts *o, struct smi_err *err)
{
    return smi_lines_open(sizeof(struct smi_reader), o, on_line, err);
}

static enum smi_base base(const struct smi_reader *r)
{
    return r->back.base;
}

static void close(struct smi_reader *r)
{
    if (!r)
        return;
    smi_buf_fini(&r->repaired);
    smi_back_fini(&r->back);
    smi_lines_close(r);
}

const struct smi_format smi_format_samples_jsonl = {
    .name = "samples-jsonl",
    .help = "Samples, as smilog export --to jsonl: writes them",
    .whole = true,
    .sniff = sniff,
    .open = open,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = base,
    .close = close,
};
