/* text_targets.c - targets that write one text: CSV, JSON lines, OpenMetrics. */
#include "base/json.h"
#include "base/mem.h"
#include "export/export.h"
#include "model/metric.h"
#include "report/output.h"

/* What such a target has in front. */
struct text_target {
    struct smi_target_out base;
    struct smi_text_file sheet;
    struct smi_spill_file scratch; /* for what waits */
    struct smi_buf head;           /* which all lines of an input begin with */
    struct smi_buf text;           /* a piece of a line */
    const struct smi_target *of;
    struct smi_buf key[SMI_METRIC_COUNT]; /* as JSON, of the metrics so far */
    struct smi_export_readings from;      /* of the run at hand */
};

static const struct smi_export_input *input_of(const struct text_target *t)
{
    return &t->from.r->input[t->from.input];
}

static struct smi_target_out *open_target(const struct smi_target *target, const char *where,
                                          const struct smi_target_set *set, struct smi_err *err)
{
    struct text_target *t = smi_mem_new(1, target->size);
    (void)set;
    t->of = target;
    if (smi_text_file_open(&t->sheet, where, err) == 0)
        return &t->base;
    smi_mem_free(t);
    return NULL;
}

static int run_target(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                      struct smi_err *err)
{
    struct text_target *t = (struct text_target *)self;
    const struct smi_target *of = t->of;
    t->from = (struct smi_export_readings){
        .r = r, .utc = of->utc, .begin = of->begin, .row = of->row, .mark = of->mark, .self = t};
    self->runs++;
    return smi_export_each_reading(&t->from, self, say, err);
}

static int close_target(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct text_target *t = (struct text_target *)self;
    int rc = smi_text_file_close(&t->sheet, keep, err);
    smi_spill_file_fini(&t->scratch);
    smi_buf_fini(&t->head);
    smi_buf_fini(&t->text);
    for (int i = 0; i < SMI_METRIC_COUNT; i++)
        smi_buf_fini(&t->key[i]);
    smi_mem_free(t);
    return rc;
}

#define TEXT_TARGET(name, ...)                                                                     \
    {                                                                                              \
        .prefix = name ":", .form = name ":FILE|-", .open = open_target, .file = true, __VA_ARGS__ \
    }

/* ---- words ---- */
static int index_of(const struct smi_summary *s, int gpu)
{
    const struct smi_gpu *g = &s->gpus[gpu];
    int first = gpu, highest;
    if (g->index >= 0 || g->pooled || g->uuid || g->bus)
        return g->index;
    while (first > 0 && s->gpus[first - 1].index < 0)
        first--;
    highest = first > 0 ? s->gpus[first - 1].index : -1;
    return highest < first ? gpu : highest + 1 + (gpu - first);
}

/* Appends a time as text: "2026-07-03T22:10:46.109Z", with as many digits as it needs; without Z where the
 * base is not UTC, where it has no date of the day alone (past midnight 24:00:00.000 and on). */
static void append_time(struct smi_buf *to, enum smi_time_base base, int64_t t_us)
{
    const int64_t ms = t_us / 1000 - (t_us % 1000 < 0);
    char text[SMI_CLOCK_TEXT];
    if (base >= SMI_TIME_BASE_DAY) {
        smi_buf_fmt(to, "%02lld:%02d:%02d.%03d", (long long)(ms / 3600000), (int)(ms / 60000 % 60),
                    (int)(ms / 1000 % 60), (int)(ms % 1000));
        return;
    }
    smi_clock_write(text, ms, false);
    smi_buf_str(to, text);
    if (t_us != ms * 1000)
        smi_buf_fmt(to, "%03d", (int)(t_us - ms * 1000));
    smi_buf_str(to, base == SMI_TIME_BASE_UTC ? "Z" : "");
}

/* The keys of a phase or event in an object that is open: "phase" or "event", "seconds", "data", "extra". */
static void write_mark(struct smi_json *j, const struct smi_export_mark *m)
{
    const char *const say[] = {m->data, m->extra};
    smi_json_key(j, m->kind);
    smi_json_text(j, m->of->name);
    if (m->of->kind == SMI_MARK_PHASE)
        smi_json_key_micro(j, smi_text_of("seconds"), m->of->span_us);
    for (int i = 0; i < 2; i++)
        if (say[i]) {
            smi_json_key(j, i ? "extra" : "data");
            smi_json_raw(j, say[i]);
        }
}

/* CSV: a row a reading, and a column a metric that any of the runs has:
 *
 *     run,host,input,format,row,time,device,gpu,uuid,bus,name,gpu_util_pct,power_w
 *     seed3,pod-3,hw_metrics.csv,nvidia-smi-query,0,2026-07-03T22:10:46.109Z,gpu,0,GPU-1f,,NVIDIA
 * H100,97.0,412.6
 *
 * If a run has GPUs of several machines, a column `machine` follows the name.
 * A phase or an event of a run log is a row of the device "mark", whose name is its JSON.
 * Which columns there are is known when all runs were read: until then the rows wait, the text in front of
 * their readings as it will stand there. */
struct csv {
    struct text_target to; /* first */
    struct smi_block_list rows;
    bool seen[SMI_METRIC_COUNT];
    bool machines; /* some run has GPUs of several machines */
    /* the text of `to`: a row up to its readings */
    struct smi_buf mark; /* the JSON of a phase or an event */
};

/* How a row waits: this, the text, n metrics, n readings. */
struct waiting {
    uint32_t text, machine; /* machine: so many bytes at the end of text are the cell of that column */
    uint32_t n;
};

/* ---- rows ---- */

/* Begins what waits of a row or a mark: "seed3,pod-3,hw_metrics.csv,nvidia-smi-query,0,", and its time. */
static void begin_row(struct csv *o, const char *format, uint64_t ordinal)
{
    struct smi_buf *text = &o->to.text;
    smi_buf_clear(text);
    smi_buf_add(text, (const char *)&(struct waiting){0}, sizeof(struct waiting)); /* hold_row knows it */
    smi_buf_add(text, o->to.head.p, o->to.head.n);
    smi_buf_fmt(text, "%s,%llu,", format, (unsigned long long)ordinal);
}

/* The text is there, and ends with a comma: the cell of the machine and the readings follow. */
static int hold_row(struct csv *o, const char *machine, unsigned n, const uint16_t *metric, const int64_t *v,
                    struct smi_err *err)
{
    struct smi_buf *text = &o->to.text;
    struct waiting w = {.n = n, .machine = (uint32_t)text->n};
    smi_buf_char(text, ',');
    smi_csv_text(text, machine, false);
    w.machine = (uint32_t)text->n - w.machine;
    w.text = (uint32_t)(text->n - sizeof w);
    memcpy(text->p, &w, sizeof w);
    smi_buf_add(text, (const char *)metric, n * sizeof *metric);
    smi_buf_add(text, (const char *)v, n * sizeof *v);
    return smi_block_list_add(&o->rows, text->p, text->n, err);
}

static int merge_row(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct csv *o = self;
    const struct smi_summary *s = o->to.from.r->summary;
    const struct smi_gpu *g = row->gpu >= 0 ? &s->gpus[row->gpu] : NULL;
    struct smi_buf *text = &o->to.text;
    begin_row(o, row->format, row->ordinal);
    if (row->timed)
        append_time(text, input_of(&o->to)->base, row->t_ms * 1000);
    smi_buf_str(text, !g ? ",host," : g->pooled ? ",pooled," : ",gpu,"); /* ",gpu,0,GPU-1f,,NVIDIA H100" */
    if (g && index_of(s, row->gpu) >= 0)
        smi_buf_fmt(text, "%d", index_of(s, row->gpu));
    for (size_t i = 0; i < 3; i++) {
        smi_buf_char(text, ',');
        smi_csv_text(text, g ? (const char *const[]){g->uuid, g->bus, g->name}[i] : NULL, false);
    }
    for (unsigned i = 0; i < row->n; i++)
        o->seen[row->metric[i]] = true;
    o->to.base.rows++;
    return hold_row(o, smi_export_machine(o->to.from.r, g), row->n, row->metric, row->v, err);
}

/* "...,2026-07-03T22:11:27.000Z,mark,,,,{...}" */
static int merge_mark(void *self, const struct smi_export_mark *m, struct smi_err *err)
{
    struct csv *o = self;
    struct smi_json j;
    smi_buf_clear(&o->mark);
    smi_json_begin(&j, &o->mark);
    smi_json_open(&j, '{');
    write_mark(&j, m);
    smi_json_close(&j, '}');
    begin_row(o, input_of(&o->to)->format, m->ordinal);
    append_time(&o->to.text, SMI_TIME_BASE_UTC, m->of->t_us);
    smi_buf_str(&o->to.text, ",mark,,,,");
    smi_csv_text(&o->to.text, o->mark.p, false);
    o->to.base.marks++;
    return hold_row(o, NULL, 0, NULL, NULL, err);
}

static void begin_csv(void *self)
{
    struct csv *o = self;
    const struct smi_export_run *r = o->to.from.r;
    const char *const cell[] = {r->summary->run, r->summary->hostname, input_of(&o->to)->path};
    smi_buf_clear(&o->to.head);
    for (size_t k = 0; k < sizeof cell / sizeof *cell; k++) {
        smi_csv_text(&o->to.head, cell[k], false);
        smi_buf_char(&o->to.head, ',');
    }
    o->rows.of = &o->to.scratch;
    o->machines |= r->machines;
}

/* ---- the table ---- */

static int write_row_csv(struct csv *o, struct smi_block_list_cursor *at, struct smi_err *err)
{
    struct smi_buf *to = &o->to.sheet.text;
    struct waiting w;
    uint16_t metric[SMI_SAMPLE_MAX];
    int64_t v[SMI_SAMPLE_MAX], of[SMI_METRIC_COUNT]; /* of and has: by metric */
    bool has[SMI_METRIC_COUNT] = {false};
    if (smi_block_list_read(at, (char *)&w, sizeof w, err) ||
        smi_block_list_read(at, smi_buf_room(to, w.text), w.text, err) ||
        smi_block_list_read(at, (char *)metric, w.n * sizeof *metric, err) ||
        smi_block_list_read(at, (char *)v, w.n * sizeof *v, err))
        return -1;
    to->n += w.text - (o->machines ? 0 : w.machine);
    for (unsigned i = 0; i < w.n; i++) {
        has[metric[i]] = true;
        of[metric[i]] = v[i];
    }
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (o->seen[m]) {
            char *cell = smi_buf_room(to, 1 + SMI_MICRO_TEXT);
            *cell = ',';
            to->n += 1 + (has[m] ? smi_text_write_micro(cell + 1, of[m]) : 0);
        }
    smi_buf_char(to, '\n');
    return smi_text_file_flush(&o->to.sheet, err);
}

/* ---- the target ---- */

static int close_csv(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct csv *o = (struct csv *)self;
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
    return close_target(self, keep && !rc, err) || rc ? -1 : 0;
}

const struct smi_target smi_target_csv = TEXT_TARGET(
    "csv", .help = "one wide table, a column a metric", .size = sizeof(struct csv), .run = run_target,
    .begin = begin_csv, .row = merge_row, .mark = merge_mark, .close = close_csv);
/* JSON lines: a line a row, in the order of runs, logs and rows; then the log's phases and events, a line
 * each:
 * {"run": "lr=0.1/seed3", "host": "pod-3", "input": "hw_metrics.csv", "format": "nvidia-smi-query", "row": 0,
 *  "time": "2026-07-03T22:10:46.109Z", "gpu": 0, "uuid": "GPU-1f..", "name": "NVIDIA H100",
 * "gpu_util_pct": 97.0}
 * {"run": "lr=0.1/seed3", "host": "pod-3", "input": "run.jsonl", "format": "runlog", "row": 0,
 *  "time": "2026-07-03T22:11:27.000Z", "phase": "compile", "seconds": 41.2, "data": {"step": 3}}
 * A metric that a row lacks is not there, nor one that the summary takes from another log of the GPU;
 * readings are exact decimals in the catalogue's unit. "extra" has what an entry says beside its "data". */
static void begin_line(struct text_target *o, struct smi_json *j, const char *format, uint64_t ordinal)
{
    smi_buf_clear(&o->text);
    smi_buf_add(&o->sheet.text, o->head.p, o->head.n);
    smi_json_begin(j, &o->sheet.text);
    j->depth = 1;
    j->some[0] = true;
    smi_json_key_str(j, "format", format);
    smi_json_key_int(j, "row", (int64_t)ordinal);
}

static int end_line(struct text_target *o, struct smi_json *j, struct smi_err *err)
{
    smi_json_close(j, '}');
    smi_buf_char(&o->sheet.text, '\n');
    return smi_text_file_flush(&o->sheet, err);
}

static int write_row_json(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct text_target *o = self;
    struct smi_json j;
    const struct smi_summary *s = o->from.r->summary;
    const struct smi_gpu *g = row->gpu >= 0 ? &s->gpus[row->gpu] : NULL;
    begin_line(o, &j, row->format, row->ordinal);
    if (row->timed)
        append_time(&o->text, input_of(o)->base, row->t_ms * 1000);
    smi_json_key_str(&j, "time", row->timed ? o->text.p : NULL);
    if (g) {
        const int index = index_of(s, row->gpu);
        smi_json_key_optional(&j, "gpu", index >= 0, index);
        smi_json_key_str(&j, "uuid", g->uuid);
        if (g->bus)
            smi_json_key_str(&j, "bus", g->bus);
        smi_json_key_str(&j, "name", g->name);
        if (smi_export_machine(o->from.r, g))
            smi_json_key_str(&j, "machine", g->serial);
    }
    for (unsigned i = 0; i < row->n; i++) {
        struct smi_buf *key = &o->key[row->metric[i]];
        if (!key->n)
            smi_buf_fmt(key, ", \"%s\": ", smi_metrics[row->metric[i]].key);
        smi_json_next_micro(&j, (struct smi_text){key->p, key->n}, row->v[i]);
    }
    o->base.rows++;
    return end_line(o, &j, err);
}

static int write_mark_json(void *self, const struct smi_export_mark *m, struct smi_err *err)
{
    struct text_target *o = self;
    struct smi_json j;
    begin_line(o, &j, input_of(o)->format, m->ordinal);
    append_time(&o->text, SMI_TIME_BASE_UTC, m->of->t_us);
    smi_json_key_str(&j, "time", o->text.p);
    write_mark(&j, m);
    o->base.marks++;
    return end_line(o, &j, err);
}

static void begin_jsonl(void *self)
{
    struct text_target *t = self;
    struct smi_json j;
    smi_buf_clear(&t->head);
    smi_json_begin(&j, &t->head);
    smi_json_open(&j, '{');
    smi_json_key_str(&j, "run", t->from.r->summary->run);
    smi_json_key_str(&j, "host", t->from.r->summary->hostname);
    smi_json_key_str(&j, "input", input_of(t)->path);
}

const struct smi_target smi_target_jsonl =
    TEXT_TARGET("jsonl", .help = "a line of JSON a reading, phase and event",
                .size = sizeof(struct text_target), .run = run_target, .begin = begin_jsonl,
                .row = write_row_json, .mark = write_mark_json, .close = close_target);
/* OpenMetrics 1.0.0 with times, names and base units as live has them for Prometheus:
 *
 *     # HELP smilog_power_watts Board power draw
 *     # TYPE smilog_power_watts gauge
 *     # UNIT smilog_power_watts watts
 *     smilog_power_watts{gpu="0",uuid="GPU-1f",name="NVIDIA H100",host="pod-3",run="seed3"} 412.6
 * 1783116646.109 # EOF
 *
 * All series of a name stand together, so the lines of each wait, by metric, until all runs were read. A
 * series has one source, as a summary has (numbers of two logs would be two readings of one instant), and is
 * in the order of time. */
struct openmetrics {
    struct text_target to;                          /* first */
    struct smi_block_list family[SMI_METRIC_COUNT]; /* lines of all runs so far */
    /* the text of `to` is a line; of the run at hand: */
    struct smi_sorted_points *points; /* by GPU (the host in front) and metric */
    size_t head;                      /* of the line: name and labels */
    unsigned metric;                  /* that of the series at hand, */
    bool some;                        /* of which there is a line already, at */
    int64_t last_ms;
};

/* ---- a run into points ---- */

static int add_row_points(void *self, const struct smi_run_row *row, struct smi_err *err)
{
    struct openmetrics *o = self;
    struct smi_sorted_points *of = &o->points[(size_t)(row->gpu + 1) * SMI_METRIC_COUNT];
    for (unsigned i = 0; i < row->n; i++)
        if (smi_sorted_points_add(&of[row->metric[i]], row->t_ms, row->v[i], 0, err))
            return -1;
    return 0;
}

/* ---- points into lines ---- */

/* Exactly: the base unit is the catalogue's times num, by a power of ten. */
static void write_value(struct smi_buf *to, int64_t micro, const struct smi_openmetrics_unit *u)
{
    char text[SMI_MICRO_TEXT];
    const smi_i128 all = (smi_i128)micro * u->num, size = all < 0 ? -all : all;
    const int64_t rest = (int64_t)(size % u->den);
    smi_buf_str(to, all < 0 ? "-" : "");
    if (rest)
        smi_text_write_fixed(text, size / u->den, 6);
    else
        smi_text_write_micro(text, size / u->den);
    smi_buf_str(to, text);
    for (int64_t left = rest, den = u->den / 10; left; left %= den, den /= 10)
        smi_buf_char(to, (char)('0' + (int)(left / den)));
}

static int write_point(void *self, const struct smi_sorted_point *p, struct smi_err *err)
{
    struct openmetrics *o = self;
    char text[SMI_MICRO_TEXT];
    if (o->some && p->t_ms == o->last_ms) /* of those of one time the first counts */
        return 0;
    o->some = true;
    o->last_ms = p->t_ms;
    o->to.text.n = o->head;
    write_value(&o->to.text, p->v, smi_openmetrics_unit(o->metric));
    smi_text_write_fixed(text, (smi_i128)p->t_ms * 1000, 3);
    smi_buf_fmt(&o->to.text, " %s\n", text);
    o->to.base.rows++;
    return smi_block_list_add(&o->family[o->metric], o->to.text.p, o->to.text.n, err);
}

/* "smilog_power_watts{gpu="0",...} " */
static void write_family_head(struct openmetrics *o, int gpu, unsigned metric)
{
    const struct smi_summary *s = o->to.from.r->summary;
    const struct smi_gpu *g = gpu >= 0 ? &s->gpus[gpu] : NULL;
    char before = '{', index[16] = "";
    const struct {
        const char *key, *text;
    } label[] = {{"gpu", g ? index : NULL},    {"uuid", g ? g->uuid : NULL},
                 {"name", g ? g->name : NULL}, {"machine", smi_export_machine(o->to.from.r, g)},
                 {"host", s->hostname},        {"run", s->run}};
    smi_buf_clear(&o->to.text);
    smi_openmetrics_name(&o->to.text, metric);
    if (g && index_of(s, gpu) >= 0)
        smi_text_write_fixed(index, (smi_i128)index_of(s, gpu) * 1000000, 0);
    for (size_t i = 0; i < sizeof label / sizeof *label; i++)
        if (label[i].text && (*label[i].text || i == 0)) {
            smi_openmetrics_label(&o->to.text, before, label[i].key, label[i].text);
            before = ',';
        }
    smi_buf_str(&o->to.text, before == ',' ? "} " : " ");
    o->head = o->to.text.n;
}

/* ---- the target ---- */

static int write_run_openmetrics(struct smi_target_out *self, const struct smi_export_run *r,
                                 struct smi_buf *say, struct smi_err *err)
{
    struct openmetrics *o = (struct openmetrics *)self;
    const size_t n = (r->summary->ngpus + 1) * SMI_METRIC_COUNT;
    int rc;
    o->points = smi_mem_new(n, sizeof *o->points);
    for (size_t i = 0; i < n; i++)
        o->points[i].chain.of = &o->to.scratch;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        o->family[m].of = &o->to.scratch;
    rc = run_target(self, r, say, err);
    for (size_t k = 0; k < n; k++) {
        if (o->points[k].n && !rc) {
            o->metric = (unsigned)(k % SMI_METRIC_COUNT);
            o->some = false;
            write_family_head(o, (int)(k / SMI_METRIC_COUNT) - 1, o->metric);
            rc = smi_sorted_points_each(&o->points[k], write_point, o, err);
        }
        smi_sorted_points_fini(&o->points[k]);
    }
    smi_mem_free(o->points);
    return rc;
}

static int write_samples(struct openmetrics *o, unsigned metric, struct smi_err *err)
{
    struct smi_block_list_cursor at = {.of = &o->family[metric]};
    const struct smi_metric *m = &smi_metrics[metric];
    const bool counter = m->kind == SMI_COUNTER;
    const char *base = smi_openmetrics_unit(metric)->base;
    int rc = 0, n;
    smi_buf_clear(&o->to.text);
    smi_openmetrics_name(&o->to.text, metric);
    n = (int)(o->to.text.n -
              (counter ? strlen("_total") : 0)); /* the family of a counter is named without it */
    if (o->family[metric].blocks || o->family[metric].n)
        smi_buf_fmt(&o->to.sheet.text,
                    *base ? "# HELP %.*s %s\n# TYPE %.*s %s\n# UNIT %.*s %s\n"
                          : "# HELP %.*s %s\n# TYPE %.*s %s\n",
                    n, o->to.text.p, m->help, n, o->to.text.p, counter ? "counter" : "gauge", n, o->to.text.p,
                    base + (*base != 0));
    while (!rc && (rc = smi_block_list_more(&at, err)) > 0) {
        smi_buf_add(&o->to.sheet.text, at.p, at.n);
        at.n = 0;
        rc = smi_text_file_flush(&o->to.sheet, err);
    }
    smi_block_list_cursor_fini(&at);
    return rc;
}

static int close_openmetrics(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct openmetrics *o = (struct openmetrics *)self;
    int rc = 0;
    for (unsigned m = 0; keep && !rc && m < SMI_METRIC_COUNT; m++)
        rc = write_samples(o, m, err);
    smi_buf_str(&o->to.sheet.text, "# EOF\n");
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        smi_block_list_fini(&o->family[m]);
    return close_target(self, keep && !rc, err) || rc ? -1 : 0;
}

const struct smi_target smi_target_openmetrics = TEXT_TARGET(
    "openmetrics", .help = "history for Prometheus, with times", .size = sizeof(struct openmetrics),
    .run = write_run_openmetrics, .row = add_row_points, .utc = true, .close = close_openmetrics);
