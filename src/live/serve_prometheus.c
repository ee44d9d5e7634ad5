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

struct out {
    struct smi_buf *to;
    const struct smi_machine *n;
    const struct smi_prometheus_opts *e;
};

/* A family: all series of one name. */
struct family {
    const char *name, *kind, *help; /* kind: of Prometheus; "untyped" if it is none */
    bool like;                      /* dcgm-exporter's: with its labels */
};

/* OpenMetrics calls a counter's family as it is without _total. */
static void put_head(const struct out *o, const struct family *f)
{
    bool short_name = o->e->openmetrics && strcmp(f->kind, "counter") == 0;
    int n = (int)(strlen(f->name) - (short_name ? strlen("_total") : 0));
    const char *kind = o->e->openmetrics && strcmp(f->kind, "untyped") == 0 ? "unknown" : f->kind;
    smi_buf_fmt(o->to, "# HELP %.*s %s\n# TYPE %.*s %s\n", n, f->name, f->help, n, f->name, kind);
}

/* One sample of a family. gpu: or NULL. more: key and value of two more labels, each or NULL. */
static void put_sample(const struct out *o, const struct family *f, smi_i128 micro,
                       const struct smi_live_gpu *gpu, const char *const more[4])
{
    const bool like = f->like;
    const struct smi_machine_run *own = gpu ? gpu->run : NULL;
    char device[32] = "", text[SMI_MICRO_TEXT] = "", before = '{';
    if (like && gpu && gpu->index >= 0)
        snprintf(device, sizeof device, "nvidia%d", gpu->index);
    if (gpu && gpu->index >= 0)
        smi_text_write_fixed(text, (smi_i128)gpu->index * 1000000, 0);
    const struct {
        const char *key, *text;
    } of[] = {{"gpu", gpu ? text : NULL}, /* also without a number */
              {like ? "UUID" : "uuid", gpu ? gpu->uuid : NULL},
              {like || (gpu && !gpu->uuid) ? "pci_bus_id" : NULL, gpu ? gpu->bus : NULL},
              {"device", device},
              {like ? "modelName" : "name", gpu ? gpu->name : NULL},
              {like ? "Hostname" : "host", own && own->host ? own->host : o->e->host},
              {like && !own ? NULL : "run", own ? own->name : o->e->run},
              {more[0], more[1]},
              {more[2], more[3]}};
    smi_buf_str(o->to, f->name);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].key && of[i].text && (*of[i].text || i == 0)) {
            smi_openmetrics_label(o->to, before, of[i].key, of[i].text);
            before = ',';
        }
    smi_text_write_micro(text, micro);
    smi_buf_fmt(o->to, "%s %s\n", before == ',' ? "}" : "", text);
}

static const char *const plain[4];

/* dcgm-exporter has free memory always: where no log tells it, it is what the total leaves. */
static bool value_of(const struct out *o, const struct smi_live_gpu *b, unsigned metric, int64_t *v)
{
    const struct smi_machine_reading *r = smi_machine_shown(o->n, b, metric),
                                     *total = smi_machine_shown(o->n, b, SMI_FB_TOTAL),
                                     *used = smi_machine_shown(o->n, b, SMI_FB_USED),
                                     *reserved = smi_machine_shown(o->n, b, SMI_FB_RESERVED);
    if (r)
        *v = r->v;
    if (r || o->e->names != SMI_PROMETHEUS_DCGM_NAMES || metric != SMI_FB_FREE || !total || !used)
        return r != NULL;
    *v = total->v - used->v - (reserved ? reserved->v : 0);
    return *v >= 0;
}

/* All series of a metric under the family's head, if there are any. */
static void put_metric(const struct out *o, unsigned metric)
{
    const struct smi_openmetrics_unit *u = smi_openmetrics_unit(metric);
    const struct smi_alias *series = o->e->names == SMI_PROMETHEUS_DCGM_NAMES ? dcgm_series(metric) : NULL;
    const bool counter = smi_metrics[metric].kind == SMI_COUNTER;
    int64_t v, num = series ? smi_units[series->how].den : u->num,
               den = series ? smi_units[series->how].num : u->den;
    struct smi_buf name = {0};
    bool some = false;
    if (series)
        smi_buf_str(&name, series->name);
    else
        smi_openmetrics_name(&name, metric);
    const struct family f = {name.p,
                             !counter ? "gauge"
                             : series ? "untyped"
                                      : "counter",
                             smi_metrics[metric].help, series != NULL};
    for (size_t i = 0; i <= o->n->gpus; i++) { /* the machine comes last */
        const struct smi_live_gpu *b = i < o->n->gpus ? o->n->gpu[i] : NULL;
        if (!value_of(o, b ? b : &o->n->host, metric, &v))
            continue;
        if (!some)
            put_head(o, &f);
        some = true;
        put_sample(o, &f, (smi_i128)v * num / den, b, plain);
    }
    smi_buf_fini(&name);
}

/* Families of smilog's own: of GPUs, then of sources, then single ones. */
enum { OF_GPUS, OF_SOURCES = 4, OTHERS = 7 };
static const struct family own[] = {
    {"smilog_gpu_lost", "gauge", "1 while the driver says that the GPU is lost", false},
    {"smilog_gpu_sample_age_seconds", "gauge", "Seconds since the last reading of the GPU", false},
    {"smilog_gpu_energy_joules_total", "counter",
     "Energy used since smilog began, by the power between readings, gaps left out", false},
    {"smilog_gpu_idle_seconds_total", "counter", "Seconds idle since smilog began, gaps left out", false},
    {"smilog_monitor_up", "gauge", "1 while rows come from the monitor", false},
    {"smilog_source_lag_seconds", "gauge", "Seconds since the last row of the monitor", false},
    {"smilog_monitor_restarts_total", "counter", "Times that the monitor was started again", false},
    {"smilog_alert", "gauge", "1 for each rule that holds now", false},
    {"smilog_rows_rejected_total", "counter", "Lines of the monitor that were no rows", false},
    {"smilog_export_timestamp_seconds", "gauge", "When this was written, in seconds since 1970", false},
    {"smilog_build_info", "gauge", "1, of this version of smilog", false}};

static void put_gpus(const struct out *o)
{
    for (size_t f = OF_GPUS; f < OF_SOURCES; f++) {
        put_head(o, &own[f]);
        for (size_t i = 0; i < o->n->gpus; i++) {
            struct smi_live_gpu *b = o->n->gpu[i];
            struct smi_machine_totals sum;
            smi_machine_totals(o->n, b, &sum);
            b->energy = sum.energy > b->energy ? sum.energy : b->energy;
            b->idle_ms = sum.idle_ms > b->idle_ms ? sum.idle_ms : b->idle_ms;
            const smi_i128 v[] = {b->state == SMI_GPU_LOST ? 1000000 : 0,
                                  b->seen ? (smi_i128)smi_machine_age(o->n, b) * 1000 : -1,
                                  b->latest[SMI_POWER].has ? b->energy : -1,
                                  b->latest[SMI_GPU_UTIL].has ? (smi_i128)b->idle_ms * 1000 : -1};
            if (v[f] >= 0)
                put_sample(o, &own[f], v[f], b, plain);
        }
    }
}

static void put_sources(const struct out *o)
{
    for (size_t f = OF_SOURCES; f < OTHERS; f++) {
        put_head(o, &own[f]);
        for (size_t i = 0; i < o->n->sources; i++) {
            const struct smi_live_source *s = o->n->source[i];
            const int64_t v[] = {s->state == SMI_SOURCE_READING ? 1000000 : 0,
                                 s->seen_mono_ms ? (o->n->mono_ms - s->seen_mono_ms) * 1000 : SMI_NO_READING,
                                 s->restarts * 1000000};
            if (v[f - OF_SOURCES] != SMI_NO_READING)
                put_sample(o, &own[f], v[f - OF_SOURCES], NULL, (const char *[4]){"monitor", s->name});
        }
    }
}

void smi_prometheus_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_prometheus_opts *e)
{
    const struct out o = {to, n, e};
    const struct family *f = &own[OTHERS];
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        put_metric(&o, m);
    put_gpus(&o);
    put_head(&o, f);
    for (const struct smi_alert *a = n->alert; a < n->alert + n->alerts; a++)
        put_sample(&o, f, 1000000, a->gpu >= 0 ? n->gpu[a->gpu] : NULL,
                   (const char *[4]){"rule", smi_rules[a->rule].key, "monitor",
                                     a->source >= 0 ? n->source[a->source]->name : NULL});
    put_sources(&o);
    put_head(&o, ++f);
    for (size_t i = 0; i < n->sources; i++)
        for (int why = 0; why < SMI_REJECT_COUNT; why++) {
            const struct smi_live_source *s = n->source[i];
            put_sample(&o, f, s->part ? (smi_i128)s->part->account.rejected[why] * 1000000 : 0, NULL,
                       (const char *[4]){"monitor", s->name, "reason", smi_reject_names[why]});
        }
    put_head(&o, ++f);
    put_sample(&o, f, (smi_i128)e->time_ms * 1000, NULL, plain);
    put_head(&o, ++f);
    put_sample(&o, f, 1000000, NULL, (const char *[4]){"version", SMILOG_VERSION});
    if (e->openmetrics)
        smi_buf_str(to, "# EOF\n");
}
