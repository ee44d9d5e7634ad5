/* openmetrics.c - OpenMetrics 1.0.0 with times, names and base units as live has them for Prometheus:
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
#include "base/mem.h"
#include "export/export.h"
#include "model/metric.h"

struct out {
    struct smi_text_target to;                      /* first */
    struct smi_block_list family[SMI_METRIC_COUNT]; /* lines of all runs so far */
    /* the text of `to` is a line; of the run at hand: */
    struct smi_sorted_points *points; /* by series */
    size_t head;                      /* of the line: name and labels */
    uint64_t timeless;                /* rows without a time in UTC */
    unsigned metric;                  /* that of the series at hand, */
    bool some;                        /* of which there is a line already, at */
    int64_t last_ms;
};

static size_t series_index(int gpu, unsigned metric)
{
    return (size_t)(gpu + 1) * SMI_METRIC_COUNT + metric;
}

/* ---- a run into points ---- */

static int add_row_points(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct out *o = self;
    if (!row->timed || o->to.in->base != SMI_TIME_BASE_UTC) {
        o->timeless++;
        return 0;
    }
    for (unsigned i = 0; i < row->n; i++) {
        size_t k = series_index(row->gpu, row->metric[i]);
        if (smi_metric_source_feeds(&o->to.source, o->to.input, row->gpu, row->metric[i]) &&
            smi_sorted_points_add(&o->points[k], row->t_ms, row->v[i], 0, err))
            return -1;
    }
    return 0;
}

/* ---- points into lines ---- */

/* Exactly: the base unit is the catalogue's times num, by a power of ten. */
static void write_value(struct smi_buf *to, int64_t micro, const struct smi_openmetrics_unit *u)
{
    char text[SMI_MICRO_TEXT];
    smi_i128 all = (smi_i128)micro * u->num, rest = all % u->den;
    int64_t den = u->den;
    bool minus = all < 0;
    smi_text_write_micro(text, all / u->den);
    if (rest == 0) {
        smi_buf_str(to, text);
        return;
    }
    smi_text_write_fixed(text, (minus ? -all : all) / u->den, 6);
    smi_buf_str(to, minus ? "-" : "");
    smi_buf_str(to, text);
    for (rest = minus ? -rest : rest; rest; rest %= den) {
        den /= 10;
        smi_buf_char(to, (char)('0' + (int)(rest / den)));
    }
}

static int write_point(void *self, const struct smi_sorted_point *p, struct smi_err *err)
{
    struct out *o = self;
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
static void write_family_head(struct out *o, int gpu, unsigned metric)
{
    const struct smi_summary *s = o->to.r->summary;
    const struct smi_gpu *g = gpu >= 0 ? &s->gpus[gpu] : NULL;
    const struct {
        const char *key, *text;
    } label[] = {{"uuid", g ? g->uuid : NULL},
                 {"name", g ? g->name : NULL},
                 {"machine", smi_export_machine(o->to.r, g)},
                 {"host", s->hostname},
                 {"run", s->run}};
    char before = '{', index[16] = "";
    smi_buf_clear(&o->to.text);
    smi_openmetrics_name(&o->to.text, metric);
    if (g && smi_export_index(s, gpu) >= 0)
        smi_text_write_fixed(index, (smi_i128)smi_export_index(s, gpu) * 1000000, 0);
    if (g) {
        smi_openmetrics_label(&o->to.text, before, "gpu", index);
        before = ',';
    }
    for (size_t i = 0; i < sizeof label / sizeof *label; i++)
        if (label[i].text && *label[i].text) {
            smi_openmetrics_label(&o->to.text, before, label[i].key, label[i].text);
            before = ',';
        }
    smi_buf_str(&o->to.text, before == ',' ? "} " : " ");
    o->head = o->to.text.n;
}

static int write_series(struct out *o, struct smi_err *err)
{
    for (int gpu = -1; gpu < (int)o->to.r->summary->ngpus; gpu++)
        for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
            struct smi_sorted_points *p = &o->points[series_index(gpu, m)];
            if (!p->n)
                continue;
            o->metric = m;
            o->some = false;
            write_family_head(o, gpu, m);
            if (smi_sorted_points_each(p, write_point, o, err))
                return -1;
            smi_sorted_points_fini(p);
        }
    return 0;
}

/* ---- the target ---- */

static int write_run_openmetrics(struct smi_target_out *self, const struct smi_export_run *r,
                                 struct smi_buf *say, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    const size_t n = (r->summary->ngpus + 1) * SMI_METRIC_COUNT;
    int rc;
    o->timeless = 0;
    o->points = smi_mem_new(n, sizeof *o->points);
    for (size_t i = 0; i < n; i++)
        o->points[i].chain.of = &o->to.scratch;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        o->family[m].of = &o->to.scratch;
    rc = smi_text_target_run(self, r, say, err) || write_series(o, err) ? -1 : 0;
    for (size_t i = 0; i < n; i++)
        smi_sorted_points_fini(&o->points[i]);
    smi_mem_free(o->points);
    if (o->timeless) {
        smi_buf_fmt(say, "%.200s: %llu rows have no time in UTC and are left out%s", r->summary->run,
                    (unsigned long long)o->timeless, r->summary->zoned ? "" : " (--tz gives their zone)");
        smi_buf_add(say, "", 1);
    }
    self->doubts += o->timeless;
    return rc;
}

static int write_samples(struct out *o, unsigned metric, struct smi_err *err)
{
    struct smi_block_list_cursor at = {.of = &o->family[metric]};
    const struct smi_metric *m = &smi_metrics[metric];
    const bool counter = m->kind == SMI_COUNTER;
    const char *base = smi_openmetrics_unit(metric)->base;
    bool first = true;
    int rc, n;
    smi_buf_clear(&o->to.text);
    smi_openmetrics_name(&o->to.text, metric);
    n = (int)(o->to.text.n - (counter ? strlen("_total") : 0)); /* the family of a counter is named without it */
    while ((rc = smi_block_list_more(&at, err)) > 0) {
        if (first)
            smi_buf_fmt(&o->to.sheet.text, "# HELP %.*s %s\n# TYPE %.*s %s\n", n, o->to.text.p, m->help, n,
                        o->to.text.p, counter ? "counter" : "gauge");
        if (first && *base)
            smi_buf_fmt(&o->to.sheet.text, "# UNIT %.*s %s\n", n, o->to.text.p, base + 1);
        first = false;
        smi_buf_add(&o->to.sheet.text, at.p, at.n);
        at.n = 0;
        if ((rc = smi_text_file_flush(&o->to.sheet, err)))
            break;
    }
    smi_block_list_cursor_fini(&at);
    return rc;
}

static int close_openmetrics(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc = 0;
    for (unsigned m = 0; keep && !rc && m < SMI_METRIC_COUNT; m++)
        rc = write_samples(o, m, err);
    smi_buf_str(&o->to.sheet.text, "# EOF\n");
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        smi_block_list_fini(&o->family[m]);
    return smi_text_target_close(self, keep && !rc, err) || rc ? -1 : 0;
}

const struct smi_target smi_target_openmetrics = {
    .prefix = "openmetrics:",
    .form = "openmetrics:FILE|-",
    .help = "history for Prometheus, with times",
    .open = smi_text_target_open,
    .size = sizeof(struct out),
    .run = write_run_openmetrics,
    .row = add_row_points,
    .utc = true,
    .close = close_openmetrics,
    .file = true,
};
