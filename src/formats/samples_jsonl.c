/* Samples that smilog export --to jsonl: has written, a reading, phase or event a line:
 *
 *     {"run": "seed3", "host": "pod-3", "input": "hw_metrics.csv", "format": "nvidia-smi-query", "row": 0,
 *      "time": "2026-07-03T22:10:46.109Z", "gpu": 0, "uuid": "GPU-1f..", "name": "NVIDIA H100",
 * "gpu_util_pct": 97.0}
 *     {"run": "seed3", "host": "pod-3", "input": "run.jsonl", "format": "runlog", "row": 0,
 *      "time": "2026-07-03T22:11:27.000Z", "phase": "compile", "seconds": 41.2, "data": {"step": 3}}
 *
 * A line with "gpu" is of a GPU, one without of the machine. Keys that are no metric of ours are passed over.
 */
#include "base/clock.h"
#include "formats/json_line.h"
#include "formats/samples_row.h"

#include <string.h>

enum { FIELDS = 256, INDEX = 24 };

static const int64_t seconds_max = 1000000000; /* of one phase, as in a RunLog: 31 years */

struct smi_reader {
    struct smi_lines lines; /* first: see reader.c */
    struct smi_buf repaired;
    struct smi_samples_reader back;
    unsigned fields;
    bool full; /* the entry has more than FIELDS values */
    struct smi_field field[FIELDS];
    char digits[FIELDS][SMI_JSON_DIGITS];
};

/* ---- readings ---- */

static int add_samples_jsonl_readings(struct smi_reader *r, json_t *entry, struct smi_err *err)
{
    for (void *at = json_object_iter(entry); at; at = json_object_iter_next(entry, at)) {
        const char *key = json_object_iter_key(at);
        int metric = smi_metric_find(key, strlen(key)); /* a key comes once */
        int64_t v;
        int rc = metric < 0 ? 0
                            : smi_json_reading((unsigned)metric, json_object_iter_value(at), false,
                                               r->lines.account, &v, err);
        if (rc < 0)
            return -1;
        if (rc > 0)
            smi_samples_reader_read(&r->back, (unsigned)metric, v);
    }
    return 0;
}

static int check_samples_jsonl_row(struct smi_reader *r, struct smi_text line, json_t *entry,
                                   struct smi_err *err)
{
    const json_t *gpu = json_object_get(entry, "gpu");
    char digits[INDEX];
    struct smi_samples_row row = {.format = smi_json_string_of(json_object_get(entry, "format")),
                                  .time = smi_json_string_of(json_object_get(entry, "time")),
                                  .uuid = smi_json_string_of(json_object_get(entry, "uuid")),
                                  .bus = smi_json_string_of(json_object_get(entry, "bus")),
                                  .name = smi_json_string_of(json_object_get(entry, "name")),
                                  .host = !gpu};
    if (json_is_integer(gpu))
        row.index = (struct smi_text){digits, smi_i128_write(digits, (smi_i128)json_integer_value(gpu))};
    if (add_samples_jsonl_readings(r, entry, err))
        return -1;
    return smi_samples_reader_add(&r->back, &r->lines, &row, line, err);
}

/* ---- phases and events ---- */

static void add_fields(struct smi_reader *r, json_t *from, bool in_data)
{
    for (void *at = json_object_iter(from); at; at = json_object_iter_next(from, at)) {
        struct smi_field f;
        char digits[SMI_JSON_DIGITS];
        bool room = r->fields < FIELDS;
        if (!smi_json_field(room ? &r->field[r->fields] : &f, room ? r->digits[r->fields] : digits,
                            json_object_iter_key(at), json_object_iter_value(at), in_data))
            continue;
        if (!room) {
            r->full = true;
            return;
        }
        r->fields++;
    }
}

static int read_samples_jsonl_mark(struct smi_reader *r, struct smi_text line, json_t *entry,
                                   struct smi_err *err)
{
    const json_t *phase = json_object_get(entry, "phase");
    struct smi_mark m = {.kind = phase ? SMI_MARK_PHASE : SMI_MARK_EVENT,
                         .name = smi_json_string_of(phase ? phase : json_object_get(entry, "event")),
                         .field = r->field};
    bool fine, zoned;
    if (smi_clock_parse_iso(smi_json_string_of(json_object_get(entry, "time")), &m.t_us, &fine, &zoned))
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_TIME, line, err);
    if (phase && (!smi_json_number(json_object_get(entry, "seconds"), &m.span_us) || m.span_us < 0 ||
                  m.span_us > seconds_max * 1000000))
        return smi_account_reject(r->lines.account, SMI_REJECT_BAD_NUMBER, line, err);
    r->fields = 0;
    r->full = false;
    add_fields(r, json_object_get(entry, "data"), true);
    add_fields(r, json_object_get(entry, "extra"), false);
    m.fields = r->fields;
    r->lines.account->rows++;
    if (r->full && smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, err,
                                    "more than %d values: the rest is not read", FIELDS))
        return -1;
    return r->lines.to->mark ? r->lines.to->mark(r->lines.to, &m, err) : 0;
}

/* ---- lines ---- */

static int read_samples_jsonl_entry(struct smi_reader *r, struct smi_text line, json_t *entry,
                                    struct smi_err *err)
{
    const json_t *run = json_object_get(entry, "run");
    int mine;
    if (!json_is_string(run))
        return smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
    mine = smi_samples_reader_is_own_run(&r->back, &r->lines, smi_json_string_of(run), line, err);
    if (mine <= 0)
        return mine;
    return (json_object_get(entry, "phase") || json_object_get(entry, "event")
                ? read_samples_jsonl_mark
                : check_samples_jsonl_row)(r, line, entry, err);
}

static int read_samples_jsonl_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    json_t *entry;
    int rc;
    if (*t.p != '{')
        return smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line, err);
    if (smi_json_line(line, &r->repaired, r->lines.account, &entry, err))
        return -1;
    if (!entry)
        return 0;
    rc = read_samples_jsonl_entry(r, line, entry, err);
    json_decref(entry);
    return rc;
}

static enum smi_sniff sniff_samples_jsonl(struct smi_text line)
{
    static const char *const keys[] = {"\"run\"", "\"input\"", "\"format\"", "\"row\"", "\"time\""};
    struct smi_text t = smi_text_trim(line);
    bool all = t.n && *t.p == '{';
    for (size_t i = 0; i < sizeof keys / sizeof *keys && all; i++)
        all = smi_json_has_key(t, keys[i]);
    return all ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static void close_samples_jsonl_reader(struct smi_reader *r)
{
    smi_buf_fini(&r->repaired);
    smi_samples_reader_fini(&r->back);
}

const struct smi_format smi_format_samples_jsonl = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_samples_jsonl,
    .line = read_samples_jsonl_line,
    .whole = smi_json_line_is_whole,
    .close = close_samples_jsonl_reader,
};
