/* openmetrics.c - OpenMetrics 1.0.0 with times, names and base units as live has them for Prometheus:
 *
 *     # HELP smilog_power_watts Board power draw
 *     # TYPE smilog_power_watts gauge
 *     # UNIT smilog_power_watts watts
 *     smilog_power_watts{gpu="0",uuid="GPU-1f",name="NVIDIA H100",host="pod-3",run="seed3"} 412.6 1783116646.109
 *     # EOF
 *
 * All series of a name stand together, so the lines of each wait, by metric, until all runs were read. A series has one
 * source, as a summary has (numbers of two logs would be two readings of one instant), and is in the order of time. */
#include "export/openmetrics.h"

#include "base/mem.h"
#include "export/sorted_points.h"
#include "export/text_file.h"
#include "export/metric_source.h"
#include "model/openmetrics_names.h"

struct out {
    struct smi_target_out base;
    struct smi_sheet sheet;
    struct smi_scratch scratch;
    struct smi_chain family[SMI_METRIC_COUNT]; /* lines of all runs so far */
    struct smi_buf line;
    /* of the run at hand: */
    const struct smi_export_run *r;
    const struct smi_export_input *in;
    struct smi_source source;
    struct smi_points *points; /* by series */
    size_t head;               /* of line: name and labels */
    uint64_t timeless;         /* rows without a time in UTC */
    unsigned metric;           /* that of the series at hand */
};

static size_t series_of(int gpu, unsigned metric)
{
    return (size_t)(gpu + 1) * SMI_METRIC_COUNT + metric;
}

static size_t series(const struct smi_export_run *r)
{
    return (r->summary->ngpus + 1) * SMI_METRIC_COUNT;
}

/* ---- a run into points ---- */

static int take_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct out *o = self;
    if (!row->timed || o->in->base != SMI_BASE_UTC) {
        o->timeless++;
        return 0;
    }
    for (unsigned i = 0; i < row->n; i++) {
        size_t k = series_of(row->gpu, row->metric[i]);
        if (smi_source_feeds(&o->source, (size_t)(o->in - o->r->input), row->gpu, row->metric[i]) &&
            smi_points_add(&o->points[k], row->t_ms, row->v[i], err))
            return -1;
    }
    return 0;
}

static int play(struct out *o, smi_export_row_fn *fn, struct smi_err *err)
{
    for (size_t i = 0; i < o->r->inputs; i++) {
        o->in = &o->r->input[i];
        if (smi_export_rows(o->r, i, 0, fn, o, err))
            return -1;
    }
    return 0;
}

/* ---- points into lines ---- */

/* Exactly: the base unit is the catalogue's times num, by a power of ten. */
static void put_value(struct smi_buf *to, int64_t micro, const struct smi_base_unit *u)
{
    char text[SMI_MICRO_TEXT];
    smi_i128 all = (smi_i128)micro * u->num, rest = all % u->den;
    int64_t den = u->den;
    bool minus = all < 0;
    smi_text_put_micro(text, all / u->den);
    if (rest == 0) {
        smi_buf_str(to, text);
        return;
    }
    smi_text_put_fixed(text, (minus ? -all : all) / u->den, 6);
    smi_buf_str(to, minus ? "-" : "");
    smi_buf_str(to, text);
    for (rest = minus ? -rest : rest; rest; rest %= den) {
        den /= 10;
        smi_buf_char(to, (char)('0' + (int)(rest / den)));
    }
}

static int put_point(void *self, const struct smi_point *p, struct smi_err *err)
{
    struct out *o = self;
    char text[SMI_MICRO_TEXT];
    o->line.n = o->head;
    put_value(&o->line, p->v, smi_base_unit(o->metric));
    smi_text_put_fixed(text, (smi_i128)p->t_ms * 1000, 3);
    smi_buf_fmt(&o->line, " %s\n", text);
    o->base.rows++;
    return o->line.failed ? smi_err_nomem(err) : smi_chain_add(&o->family[o->metric], o->line.p, o->line.n, err);
}

/* "smilog_power_watts{gpu="0",...} " */
static void put_head(struct out *o, int gpu, unsigned metric)
{
    const struct smi_summary *s = o->r->summary;
    const struct smi_gpu *g = gpu >= 0 ? &s->gpus[gpu] : NULL;
    const struct {
        const char *key, *text;
    } label[] = {{"uuid", g ? g->uuid : NULL}, {"name", g ? g->name : NULL}, {"host", s->hostname}, {"run", s->run}};
    char before = '{', index[16] = "";
    smi_buf_clear(&o->line);
    smi_base_name(&o->line, metric);
    if (g && smi_export_index(s, gpu) >= 0)
        smi_text_put_fixed(index, (smi_i128)smi_export_index(s, gpu) * 1000000, 0);
    if (g) {
        smi_base_label(&o->line, before, "gpu", index);
        before = ',';
    }
    for (size_t i = 0; i < sizeof label / sizeof *label; i++)
        if (label[i].text && *label[i].text) {
            smi_base_label(&o->line, before, label[i].key, label[i].text);
            before = ',';
        }
    smi_buf_str(&o->line, before == ',' ? "} " : " ");
    o->head = o->line.n;
}

static int put_all_series(struct out *o, struct smi_err *err)
{
    for (int gpu = -1; gpu < (int)o->r->summary->ngpus; gpu++)
        for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
            struct smi_points *p = &o->points[series_of(gpu, m)];
            if (!p->n)
                continue;
            o->metric = m;
            put_head(o, gpu, m);
            if (smi_points_each(p, put_point, o, err))
                return -1;
            smi_points_fini(p);
        }
    return 0;
}

/* ---- the target ---- */

static int begin_run(struct out *o, struct smi_err *err)
{
    size_t n = series(o->r);
    o->timeless = 0;
    o->points = smi_mem_new(n, sizeof *o->points);
    if (!o->points)
        return smi_err_nomem(err);
    for (size_t i = 0; i < n; i++)
        o->points[i].chain.of = &o->scratch;
    return 0;
}

static void end_run(struct out *o)
{
    for (size_t i = 0; o->points && i < series(o->r); i++)
        smi_points_fini(&o->points[i]);
    smi_mem_free(o->points);
    o->points = NULL;
    smi_source_fini(&o->source);
}

static int put_run(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                   struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc;
    o->r = r;
    rc = smi_source_make(&o->source, r, true, err) || begin_run(o, err) || play(o, take_row, err) ||
         put_all_series(o, err);
    end_run(o);
    if (o->timeless) {
        smi_buf_fmt(say, "%.200s: %llu rows have no time in UTC and are left out%s", r->summary->run,
                    (unsigned long long)o->timeless, r->summary->zoned ? "" : " (--tz gives their zone)");
        smi_buf_add(say, "", 1);
    }
    self->doubts += o->timeless;
    self->runs++;
    return rc ? -1 : 0;
}

/* The family's own name: of a counter without _total. */
static void put_family(struct out *o, unsigned metric)
{
    const struct smi_metric *m = &smi_metrics[metric];
    const char *base = smi_base_unit(metric)->base;
    int n;
    smi_buf_clear(&o->line);
    smi_base_name(&o->line, metric);
    n = (int)(o->line.n - (m->kind == SMI_COUNTER ? strlen("_total") : 0));
    if (o->line.failed)
        return;
    smi_buf_fmt(&o->sheet.text, "# HELP %.*s %s\n# TYPE %.*s %s\n", n, o->line.p, m->help, n, o->line.p,
                m->kind == SMI_COUNTER ? "counter" : "gauge");
    if (*base)
        smi_buf_fmt(&o->sheet.text, "# UNIT %.*s %s\n", n, o->line.p, base + 1);
}

static int put_lines(struct out *o, unsigned metric, struct smi_err *err)
{
    struct smi_chain_at at = {.of = &o->family[metric]};
    bool first = true;
    int rc;
    while ((rc = smi_chain_more(&at, err)) > 0) {
        if (first)
            put_family(o, metric);
        first = false;
        smi_buf_add(&o->sheet.text, at.p, at.n);
        at.n = 0;
        if ((rc = smi_sheet_go(&o->sheet, err)))
            break;
    }
    smi_chain_leave(&at);
    return rc;
}

static int close_file(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc = 0;
    for (unsigned m = 0; keep && !rc && m < SMI_METRIC_COUNT; m++)
        rc = put_lines(o, m, err);
    smi_buf_str(&o->sheet.text, "# EOF\n");
    if (o->line.failed && keep && !rc)
        rc = smi_err_nomem(err);
    rc = smi_sheet_close(&o->sheet, keep && !rc, err) || rc ? -1 : 0;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        smi_chain_fini(&o->family[m]);
    smi_scratch_fini(&o->scratch);
    smi_buf_fini(&o->line);
    smi_mem_free(o);
    return rc;
}

static struct smi_target_out *open_file(const char *where, struct smi_err *err)
{
    struct out *o = smi_mem_new(1, sizeof *o);
    if (!o) {
        smi_err_nomem(err);
        return NULL;
    }
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        o->family[m].of = &o->scratch;
    if (smi_sheet_open(&o->sheet, where, err)) {
        smi_mem_free(o);
        return NULL;
    }
    return &o->base;
}

const struct smi_target smi_target_openmetrics = {
    .prefix = "openmetrics:",
    .form = "openmetrics:FILE|-",
    .help = "history for Prometheus, with times",
    .open = open_file,
    .run = put_run,
    .close = close_file,
    .file = true,
};
