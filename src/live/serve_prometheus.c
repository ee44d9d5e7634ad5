#include "live/serve.h"

#include "base/version.h"
#include "live/alert.h"

#include <stdio.h>

/* What dcgm-exporter calls a metric, as its reader knows it; or NULL. */
static const struct smi_alias *dcgm_series(unsigned metric)
{
    const struct smi_names *all = &smi_names_exposition;
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].what == metric && strncmp(all->list[i].name, "DCGM_", 5) == 0)
            return &all->list[i];
    return NULL;
}

/* A family: all series of one name. */
struct family {
    struct smi_buf name;
    const char *kind, *help; /* kind: of Prometheus; "untyped" if it is none */
    bool dcgm;
    int64_t num, den; /* from the catalogue's unit to its own */
};

struct sample {
    const char *name;
    smi_i128 micro;
    const struct smi_live_gpu *gpu; /* or NULL */
    bool like;                      /* with the labels of dcgm-exporter */
    const char *more[4];            /* key and value of two more labels, or NULL */
};

static void put_labels(struct smi_buf *to, const struct smi_machine *n, const struct smi_prometheus_opts *e,
                       const struct sample *s)
{
    const struct smi_live_gpu *gpu = s->gpu;
    const bool like = s->like;
    char device[32] = "";
    const struct smi_machine_run *own = gpu && gpu->run >= 0 ? &n->run[gpu->run] : NULL;
    if (like && gpu && gpu->index >= 0)
        snprintf(device, sizeof device, "nvidia%d", gpu->index);
    const struct {
        const char *key, *text;
    } of[] = {{like ? "UUID" : "uuid", gpu ? gpu->uuid : NULL},
              {like || (gpu && !gpu->uuid) ? "pci_bus_id" : NULL, gpu ? gpu->bus : NULL},
              {"device", device},
              {like ? "modelName" : "name", gpu ? gpu->name : NULL},
              {like ? "Hostname" : "host", own && own->host ? own->host : e->host},
              {like && !own ? NULL : "run", own ? own->name : e->run},
              {s->more[0], s->more[1]},
              {s->more[2], s->more[3]}};
    char before = '{';
    if (gpu) {
        char index[16];
        smi_text_write_fixed(index, (smi_i128)gpu->index * 1000000, 0);
        smi_openmetrics_label(to, before, "gpu", gpu->index >= 0 ? index : "");
        before = ',';
    }
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].key && of[i].text && *of[i].text) {
            smi_openmetrics_label(to, before, of[i].key, of[i].text);
            before = ',';
        }
    if (before == ',')
        smi_buf_char(to, '}');
}

static void put_sample(struct smi_buf *to, const struct smi_machine *n, const struct smi_prometheus_opts *e,
                       const struct sample *s)
{
    char text[SMI_MICRO_TEXT];
    smi_buf_str(to, s->name);
    put_labels(to, n, e, s);
    smi_text_write_micro(text, s->micro);
    smi_buf_fmt(to, " %s\n", text);
}

/* OpenMetrics calls a counter's family as it is without _total. */
static void put_head(struct smi_buf *to, const struct smi_prometheus_opts *e, const char *name,
                     const char *kind, const char *help)
{
    bool short_name = e->openmetrics && strcmp(kind, "counter") == 0;
    int n = (int)(strlen(name) - (short_name ? strlen("_total") : 0));
    if (e->openmetrics && strcmp(kind, "untyped") == 0)
        kind = "unknown";
    smi_buf_fmt(to, "# HELP %.*s %s\n# TYPE %.*s %s\n", n, name, help, n, name, kind);
}

/* dcgm-exporter has free memory always: where no log tells it, it is what the total leaves. */
static bool value_of(const struct smi_machine *n, const struct smi_live_gpu *b, unsigned metric,
                     const struct smi_prometheus_opts *e, int64_t *v)
{
    const struct smi_machine_reading *r = smi_machine_shown(n, b, metric),
                                     *total = smi_machine_shown(n, b, SMI_FB_TOTAL),
                                     *used = smi_machine_shown(n, b, SMI_FB_USED),
                                     *reserved = smi_machine_shown(n, b, SMI_FB_RESERVED);
    if (r)
        *v = r->v;
    if (r || e->names != SMI_PROMETHEUS_DCGM_NAMES || metric != SMI_FB_FREE || !total || !used)
        return r != NULL;
    *v = total->v - used->v - (reserved ? reserved->v : 0);
    return *v >= 0;
}

static void put_series(struct smi_buf *to, const struct smi_machine *n, const struct smi_live_gpu *b,
                       unsigned metric, const struct family *f, const struct smi_prometheus_opts *e)
{
    int64_t v;
    if (value_of(n, b, metric, e, &v))
        put_sample(to, n, e,
                   &(struct sample){
                       f->name.p, (smi_i128)v * f->num / f->den, b == &n->host ? NULL : b, f->dcgm, {NULL}});
}

/* All series of a metric under the family's head, if there are any. */
static void put_metric(struct smi_buf *to, const struct smi_machine *n, unsigned metric,
                       const struct smi_prometheus_opts *e)
{
    const struct smi_openmetrics_unit *u = smi_openmetrics_unit(metric);
    const struct smi_alias *series = dcgm_series(metric);
    struct family f = {.help = smi_metrics[metric].help,
                       .dcgm = e->names == SMI_PROMETHEUS_DCGM_NAMES && series,
                       .num = u->num,
                       .den = u->den};
    int64_t v;
    bool some = value_of(n, &n->host, metric, e, &v);
    for (size_t i = 0; i < n->gpus && !some; i++)
        some = value_of(n, n->gpu[i], metric, e, &v);
    if (!some)
        return;
    if (f.dcgm) {
        smi_buf_str(&f.name, series->name);
        f.kind = smi_metrics[metric].kind == SMI_COUNTER ? "untyped" : "gauge";
        f.num = smi_units[series->how].den;
        f.den = smi_units[series->how].num;
    } else {
        smi_openmetrics_name(&f.name, metric);
        f.kind = smi_metrics[metric].kind == SMI_COUNTER ? "counter" : "gauge";
    }
    put_head(to, e, f.name.p, f.kind, f.help);
    for (size_t i = 0; i < n->gpus; i++)
        put_series(to, n, n->gpu[i], metric, &f, e);
    put_series(to, n, &n->host, metric, &f, e);
    smi_buf_fini(&f.name);
}

/* A family of smilog's own, and its number for each GPU or source. */
struct own_family {
    const char *name, *kind, *help;
};

static void put_gpus(struct smi_buf *to, const struct smi_machine *n, const struct smi_prometheus_opts *e)
{
    static const struct own_family family[] = {
        {"smilog_gpu_lost", "gauge", "1 while the driver says that the GPU is lost"},
        {"smilog_gpu_sample_age_seconds", "gauge", "Seconds since the last reading of the GPU"},
        {"smilog_gpu_energy_joules_total", "counter",
         "Energy used since smilog began, by the power between readings, gaps left out"},
        {"smilog_gpu_idle_seconds_total", "counter", "Seconds idle since smilog began, gaps left out"}};
    for (size_t f = 0; f < sizeof family / sizeof *family; f++) {
        put_head(to, e, family[f].name, family[f].kind, family[f].help);
        for (size_t i = 0; i < n->gpus; i++) {
            struct smi_live_gpu *b = n->gpu[i];
            struct smi_machine_totals sum;
            smi_machine_totals(n, b, &sum);
            b->energy = sum.energy > b->energy ? sum.energy : b->energy;
            b->idle_ms = sum.idle_ms > b->idle_ms ? sum.idle_ms : b->idle_ms;
            const smi_i128 v[] = {b->state == SMI_GPU_LOST ? 1000000 : 0,
                                  b->seen ? (smi_i128)smi_machine_age(n, b) * 1000 : -1,
                                  b->latest[SMI_POWER].has ? b->energy : -1,
                                  b->latest[SMI_GPU_UTIL].has ? (smi_i128)b->idle_ms * 1000 : -1};
            if (v[f] >= 0)
                put_sample(to, n, e, &(struct sample){family[f].name, v[f], b, false, {NULL}});
        }
    }
}

static void put_sources(struct smi_buf *to, const struct smi_machine *n, const struct smi_prometheus_opts *e)
{
    static const struct own_family family[] = {
        {"smilog_monitor_up", "gauge", "1 while rows come from the monitor"},
        {"smilog_source_lag_seconds", "gauge", "Seconds since the last row of the monitor"},
        {"smilog_monitor_restarts_total", "counter", "Times that the monitor was started again"}};
    for (size_t f = 0; f < sizeof family / sizeof *family; f++) {
        put_head(to, e, family[f].name, family[f].kind, family[f].help);
        for (size_t i = 0; i < n->sources; i++) {
            const struct smi_live_source *s = n->source[i];
            const int64_t v[] = {s->state == SMI_SOURCE_READING ? 1000000 : 0,
                                 s->seen_mono_ms ? (n->mono_ms - s->seen_mono_ms) * 1000 : SMI_NO_READING,
                                 s->restarts * 1000000};
            if (v[f] != SMI_NO_READING)
                put_sample(to, n, e,
                           &(struct sample){family[f].name, v[f], NULL, false, {"monitor", s->name}});
        }
    }
}

void smi_prometheus_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_prometheus_opts *e)
{
    static const char rejected[] = "smilog_rows_rejected_total";
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        put_metric(to, n, m, e);
    put_gpus(to, n, e);
    put_head(to, e, "smilog_alert", "gauge", "1 for each rule that holds now");
    for (const struct smi_alert *a = n->alert; a < n->alert + n->alerts; a++) {
        const char *monitor = a->source >= 0 ? n->source[a->source]->name : NULL;
        put_sample(to, n, e,
                   &(struct sample){"smilog_alert",
                                    1000000,
                                    a->gpu >= 0 ? n->gpu[a->gpu] : NULL,
                                    false,
                                    {"rule", smi_alert_rules[a->rule].key, "monitor", monitor}});
    }
    put_sources(to, n, e);
    put_head(to, e, rejected, "counter", "Lines of the monitor that were no rows");
    for (size_t i = 0; i < n->sources; i++)
        for (int why = 0; why < SMI_REJECT_COUNT; why++) {
            const struct smi_live_source *s = n->source[i];
            put_sample(to, n, e,
                       &(struct sample){rejected,
                                        s->part ? (smi_i128)s->part->account.rejected[why] * 1000000 : 0,
                                        NULL,
                                        false,
                                        {"monitor", s->name, "reason", smi_reject_names[why]}});
        }
    put_head(to, e, "smilog_export_timestamp_seconds", "gauge",
             "When this was written, in seconds since 1970");
    put_sample(
        to, n, e,
        &(struct sample){.name = "smilog_export_timestamp_seconds", .micro = (smi_i128)e->time_ms * 1000});
    put_head(to, e, "smilog_build_info", "gauge", "1, of this version of smilog");
    put_sample(to, n, e,
               &(struct sample){"smilog_build_info", 1000000, NULL, false, {"version", SMILOG_VERSION}});
    if (e->openmetrics)
        smi_buf_str(to, "# EOF\n");
}
