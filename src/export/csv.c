/* csv.c - a row a reading, and a column a metric that any of the runs has:
 *
 *     run,host,input,format,row,time,device,gpu,uuid,bus,name,gpu_util_pct,power_w
 *     seed3,pod-3,hw_metrics.csv,nvidia-smi-query,0,2026-07-03T22:10:46.109Z,gpu,0,GPU-1f,,NVIDIA
 * H100,97.0,412.6
 *
 * If a run has GPUs of several machines, a column `machine` follows the name.
 * A phase or an event of a run log is a row of the device "mark", whose name is its JSON.
 * Which columns there are is known when all runs were read: until then the rows wait, the text in front of
 * their readings as it will stand there. */
#include "export/export.h"

#include "base/json.h"
#include "base/mem.h"

struct out {
    struct smi_text_target to; /* first */
    struct smi_block_list rows;
    bool seen[SMI_METRIC_COUNT];
    bool machines;               /* some run has GPUs of several machines */
    /* the text of `to`: a row up to its readings */
    struct smi_buf mark, fields; /* the JSON of a phase or an event, and of what it says */
};

/* How a row waits: this, n metrics, n readings; before it the text. */
struct waiting {
    uint32_t text, machine; /* machine: so many bytes at the end of text are the cell of that column */
    uint32_t n;
};

/* ---- cells ---- */

/* Text that is safe to print, and may not begin like a formula of a spreadsheet. */
static void write_cell(struct smi_buf *to, const char *text)
{
    struct smi_buf safe = {0};
    smi_buf_safe(&safe, smi_text_of(text ? text : ""));
    if (safe.n && strpbrk(safe.p, ",\"")) {
        smi_buf_char(to, '"');
        smi_buf_str(to, strchr("=+-@", *safe.p) ? "'" : "");
        for (size_t i = 0; i < safe.n; i++)
            smi_buf_add(to, "\"\"", safe.p[i] == '"' ? 2 : 0), smi_buf_add(to, &safe.p[i], safe.p[i] != '"');
        smi_buf_char(to, '"');
    } else if (safe.n) {
        smi_buf_str(to, strchr("=+-@", *safe.p) ? "'" : "");
        smi_buf_add(to, safe.p, safe.n);
    }
    smi_buf_fini(&safe);
}

/* ---- rows ---- */

static int hold_row(struct out *o, const struct waiting *w, const uint16_t *metric, const int64_t *v,
                    struct smi_err *err)
{
    return smi_block_list_add(&o->rows, (const char *)w, sizeof *w, err) ||
                   smi_block_list_add(&o->rows, o->to.text.p, w->text, err) ||
                   smi_block_list_add(&o->rows, (const char *)metric, w->n * sizeof *metric, err) ||
                   smi_block_list_add(&o->rows, (const char *)v, w->n * sizeof *v, err)
               ? -1
               : 0;
}

static int merge_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct out *o = self;
    const struct smi_gpu *g = row->gpu >= 0 ? &o->to.r->summary->gpus[row->gpu] : NULL;
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX];
    struct waiting w = {.n = smi_metric_source_row(&o->to.source, o->to.input, row, metric, v)};
    if (!w.n)
        return 0;
    smi_buf_clear(&o->to.text);
    smi_buf_add(&o->to.text, o->to.head.p, o->to.head.n);
    smi_buf_fmt(&o->to.text, "%s,%llu,", row->format, (unsigned long long)row->ordinal);
    smi_export_time(&o->to.text, o->to.in, row);
    smi_buf_str(&o->to.text, !g          ? ",host,"
                          : g->pooled ? ",pooled,"
                                      : ",gpu,"); /* ",gpu,0,GPU-1f,,NVIDIA H100" */
    if (g && smi_export_index(o->to.r->summary, row->gpu) >= 0)
        smi_buf_fmt(&o->to.text, "%d", smi_export_index(o->to.r->summary, row->gpu));
    for (size_t i = 0; i < 3; i++) {
        smi_buf_char(&o->to.text, ',');
        write_cell(&o->to.text, g ? (const char *const[]){g->uuid, g->bus, g->name}[i] : NULL);
    }
    for (unsigned i = 0; i < w.n; i++)
        o->seen[metric[i]] = true;
    w.machine = (uint32_t)o->to.text.n;
    smi_buf_char(&o->to.text, ',');
    write_cell(&o->to.text, smi_export_machine(o->to.r, g));
    w.text = (uint32_t)o->to.text.n;
    w.machine = w.text - w.machine;
    o->to.base.rows++;
    return hold_row(o, &w, metric, v, err);
}

/* "...,2026-07-03T22:11:27.000Z,mark,,,,{...}" */
static int merge_mark(void *self, uint64_t ordinal, const struct smi_mark *m, struct smi_err *err)
{
    struct out *o = self;
    struct waiting w = {0};
    struct smi_json j;
    smi_buf_clear(&o->mark);
    smi_json_begin(&j, &o->mark);
    smi_json_open(&j, '{');
    smi_export_mark(&j, m, &o->fields);
    smi_json_close(&j, '}');
    smi_buf_clear(&o->to.text);
    smi_buf_add(&o->to.text, o->to.head.p, o->to.head.n);
    smi_buf_fmt(&o->to.text, "%s,%llu,", o->to.in->format, (unsigned long long)ordinal);
    smi_export_time_us(&o->to.text, m->t_us);
    smi_buf_str(&o->to.text, ",mark,,,,");
    write_cell(&o->to.text, o->mark.p);
    smi_buf_char(&o->to.text, ',');
    w = (struct waiting){(uint32_t)o->to.text.n, 1, 0};
    o->to.base.marks++;
    return hold_row(o, &w, NULL, NULL, err);
}

static void begin_input(struct smi_text_target *t)
{
    struct out *o = (struct out *)t;
    const char *const cell[] = {t->r->summary->run, t->r->summary->hostname, t->in->path};
    for (size_t k = 0; k < sizeof cell / sizeof *cell; k++) {
        write_cell(&t->head, cell[k]);
        smi_buf_char(&t->head, ',');
    }
    o->rows.of = &t->scratch;
    o->machines |= t->r->machines;
}

/* ---- the table ---- */

static int write_row_csv(struct out *o, struct smi_block_list_cursor *at, struct smi_err *err)
{
    struct waiting w;
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX], of[SMI_METRIC_COUNT]; /* of and has: by metric */
    bool has[SMI_METRIC_COUNT] = {false};
    char *to;
    if (smi_block_list_read(at, (char *)&w, sizeof w, err))
        return -1;
    to = smi_buf_room(&o->to.sheet.text, w.text);
    if (smi_block_list_read(at, to, w.text, err) ||
        smi_block_list_read(at, (char *)metric, w.n * sizeof *metric, err) ||
        smi_block_list_read(at, (char *)v, w.n * sizeof *v, err))
        return -1;
    o->to.sheet.text.n += w.text - (o->machines ? 0 : w.machine);
    for (unsigned i = 0; i < w.n; i++) {
        has[metric[i]] = true;
        of[metric[i]] = v[i];
    }
    for (int m = 0; m < SMI_METRIC_COUNT; m++) {
        char text[SMI_MICRO_TEXT];
        if (!o->seen[m])
            continue;
        smi_buf_char(&o->to.sheet.text, ',');
        if (has[m])
            smi_buf_add(&o->to.sheet.text, text, smi_text_write_micro(text, of[m]));
    }
    smi_buf_char(&o->to.sheet.text, '\n');
    return smi_text_file_flush(&o->to.sheet, err);
}

/* ---- the target ---- */

static int close_csv(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    struct smi_block_list_cursor at = {.of = &o->rows};
    int rc = 0;
    smi_buf_str(&o->to.sheet.text, "run,host,input,format,row,time,device,gpu,uuid,bus,name");
    if (o->machines)
        smi_buf_str(&o->to.sheet.text, ",machine");
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (o->seen[m])
            smi_buf_fmt(&o->to.sheet.text, ",%s", smi_metrics[m].key);
    smi_buf_char(&o->to.sheet.text, '\n');
    while (keep && (rc = smi_block_list_more(&at, err)) > 0 && (rc = write_row_csv(o, &at, err)) == 0)
        ;
    smi_block_list_cursor_fini(&at);
    smi_block_list_fini(&o->rows);
    smi_buf_fini(&o->mark);
    smi_buf_fini(&o->fields);
    return smi_text_target_close(self, keep && !rc, err) || rc ? -1 : 0;
}

const struct smi_target smi_target_csv = {
    .prefix = "csv:",
    .form = "csv:FILE|-",
    .help = "one wide table, a column a metric",
    .open = smi_text_target_open,
    .size = sizeof(struct out),
    .run = smi_text_target_run,
    .begin = begin_input,
    .row = merge_row,
    .mark = merge_mark,
    .close = close_csv,
    .file = true,
};
