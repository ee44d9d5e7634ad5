/* jsonl.c - a line a row, in the order of runs, logs and rows; then the log's phases and events, a line each:
 * {"run": "lr=0.1/seed3", "host": "pod-3", "input": "hw_metrics.csv", "format": "nvidia-smi-query", "row": 0,
 *  "time": "2026-07-03T22:10:46.109Z", "gpu": 0, "uuid": "GPU-1f..", "name": "NVIDIA H100",
 * "gpu_util_pct": 97.0}
 * {"run": "lr=0.1/seed3", "host": "pod-3", "input": "run.jsonl", "format": "runlog", "row": 0,
 *  "time": "2026-07-03T22:11:27.000Z", "phase": "compile", "seconds": 41.2, "data": {"step": 3}}
 * A metric that a row lacks is not there, nor one that the summary takes from another log of the GPU;
 * readings are exact decimals in the catalogue's unit. "extra" has what an entry says beside its "data". */
#include "export/export.h"

#include "base/json.h"
#include "base/mem.h"

static void begin_line(struct smi_text_target *o, struct smi_json *j, const char *format, uint64_t ordinal)
{
    smi_buf_add(&o->sheet.text, o->head.p, o->head.n);
    smi_json_begin(j, &o->sheet.text);
    j->depth = 1;
    j->some[0] = true;
    smi_json_key_str(j, "format", format);
    smi_json_key_int(j, "row", (int64_t)ordinal);
}

static int end_line(struct smi_text_target *o, struct smi_json *j, struct smi_err *err)
{
    smi_json_close(j, '}');
    smi_buf_char(&o->sheet.text, '\n');
    return smi_text_file_flush(&o->sheet, err);
}

static int write_row_json(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct smi_text_target *o = self;
    struct smi_json j;
    const struct smi_gpu *g = row->gpu >= 0 ? &o->r->summary->gpus[row->gpu] : NULL;
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
    unsigned n = smi_metric_source_row(&o->source, o->input, row, metric, v);
    if (!n)
        return 0;
    begin_line(o, &j, row->format, row->ordinal);
    smi_buf_clear(&o->text);
    smi_export_time(&o->text, o->in, row);
    smi_json_key_str(&j, "time", row->timed ? o->text.p : NULL);
    if (g) {
        smi_json_key(&j, "gpu");
        if (smi_export_index(o->r->summary, row->gpu) >= 0)
            smi_json_int(&j, smi_export_index(o->r->summary, row->gpu));
        else
            smi_json_null(&j);
        smi_json_key_str(&j, "uuid", g->uuid);
        if (g->bus)
            smi_json_key_str(&j, "bus", g->bus);
        smi_json_key_str(&j, "name", g->name);
        if (smi_export_machine(o->r, g))
            smi_json_key_str(&j, "machine", g->serial);
    }
    for (unsigned i = 0; i < n; i++)
        smi_json_key_micro(&j, smi_text_of(smi_metrics[metric[i]].key), v[i]);
    o->base.rows++;
    return end_line(o, &j, err);
}

static int write_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_text_target *o = self;
    struct smi_json j;
    begin_line(o, &j, o->in->format, ordinal);
    smi_buf_clear(&o->text);
    smi_export_time_us(&o->text, m->t_us);
    smi_json_key_str(&j, "time", o->text.p);
    smi_export_mark(&j, m, &o->text);
    o->base.marks++;
    return end_line(o, &j, err);
}

static void begin_input(struct smi_text_target *t)
{
    struct smi_json j;
    smi_json_begin(&j, &t->head);
    smi_json_open(&j, '{');
    smi_json_key_str(&j, "run", t->r->summary->run);
    smi_json_key_str(&j, "host", t->r->summary->hostname);
    smi_json_key_str(&j, "input", t->in->path);
}

const struct smi_target smi_target_jsonl = {
    .prefix = "jsonl:",
    .form = "jsonl:FILE|-",
    .help = "a line of JSON a reading, phase and event",
    .open = smi_text_target_open,
    .size = sizeof(struct smi_text_target),
    .run = smi_text_target_run,
    .begin = begin_input,
    .row = write_row_json,
    .mark = write_mark,
    .close = smi_text_target_close,
    .file = true,
};
