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
#include "formats/samples.h"

#include <string.h>

enum { INDEX = 24 };

struct smi_reader {
    struct smi_lines lines; /* first: see lines.c */
    struct smi_buf repaired;
    struct smi_samples_reader back;
    struct smi_json_fields mark;
};

/* ---- readings ---- */

static int add_samples_jsonl_readings(struct smi_reader *r, json_t *entry)
{
    for (void *at = json_object_iter(entry); at; at = json_object_iter_next(entry, at)) {
        const char *key = json_object_iter_key(at);
        int metric = smi_metric_find(key, strlen(key)); /* a key comes once */
        int64_t v;
        int rc = metric < 0 ? 0
                            : smi_json_reading((unsigned)metric, json_object_iter_value(at), false,
                                               r->lines.account, &v);
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
    const json_t *gpu = json_object_get(entry, "gpu"), *number = json_object_get(entry, "row");
    char digits[INDEX];
    struct smi_samples_row row = {.format = smi_json_string_of(json_object_get(entry, "format")),
                                  .time = smi_json_string_of(json_object_get(entry, "time")),
                                  .uuid = smi_json_string_of(json_object_get(entry, "uuid")),
                                  .bus = smi_json_string_of(json_object_get(entry, "bus")),
                                  .name = smi_json_string_of(json_object_get(entry, "name")),
                                  .host = !gpu,
                                  .row = json_is_integer(number) ? json_integer_value(number) : -1};
    if (json_is_integer(gpu))
        row.index = (struct smi_text){digits, smi_i128_write(digits, (smi_i128)json_integer_value(gpu))};
    if (add_samples_jsonl_readings(r, entry))
        return -1;
    return smi_samples_reader_add(&r->back, &r->lines, &row, line, err);
}

/* ---- lines ---- */

static int read_samples_jsonl_entry(struct smi_reader *r, struct smi_text line, json_t *entry,
                                    struct smi_err *err)
{
    const json_t *run = json_object_get(entry, "run");
    int mine;
    if (!json_is_string(run)) {
        smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
        return 0;
    }
    mine = smi_samples_reader_is_own_run(&r->back, &r->lines, smi_json_string_of(run), line);
    if (mine <= 0)
        return mine;
    if (json_object_get(entry, "phase") || json_object_get(entry, "event"))
        return smi_samples_mark_read(&r->mark, &r->lines, smi_json_string_of(json_object_get(entry, "time")),
                                     entry, line, err);
    return check_samples_jsonl_row(r, line, entry, err);
}

static int read_samples_jsonl_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    if (*t.p != '{') {
        smi_account_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
        return 0;
    }
    return smi_json_line_read(r, line, &r->repaired, read_samples_jsonl_entry, err);
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
