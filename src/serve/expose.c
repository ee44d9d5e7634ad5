#include "serve/expose.h"

#include "alert/alert.h"

#include <string.h>

/* A unit of the catalogue, and what Prometheus calls its base unit: value * num / den. */
static const struct unit {
    const char *unit, *ending, *base; /* ending: of the key, taken off; base: put in its place */
    int64_t num, den;
} units[] = {
    {"%", "_pct", "_ratio", 1, 100},
    {"MiB", "_mib", "_bytes", 1048576, 1},
    {"W", "_w", "_watts", 1, 1},
    {"J", "_j", "_joules", 1, 1},
    {"mV", "_mv", "_volts", 1, 1000},
    {"C", "_c", "_celsius", 1, 1},
    {"MHz", "_mhz", "_hertz", 1000000, 1},
    {"MB/s", "_mbs", "_bytes_per_second", 1000000, 1},
    {"Mb/s", "_mbps", "_bits_per_second", 1000000, 1},
    {"us", "_us", "_seconds", 1, 1000000},
    {"", "", "", 1, 1},
};

static const struct unit *unit_of(unsigned metric)
{
    size_t i = 0;
    while (strcmp(units[i].unit, smi_metrics[metric].unit) != 0)
        i++;
    return &units[i];
}

/* "smilog_gpu_util_ratio": the key with its base unit, and what is no letter or digit as '_'. */
static void put_name(struct smi_buf *to, unsigned metric)
{
    const struct unit *u = unit_of(metric);
    const char *key = smi_metrics[metric].key, *unit = *u->ending ? strstr(key, u->ending) : NULL;
    smi_buf_str(to, "smilog_");
    for (const char *p = key; *p; p++)
        if (unit && p >= unit && p < unit + strlen(u->ending))
            continue;
        else
            smi_buf_char(to, *p == '.' ? '_' : *p);
    smi_buf_str(to, u->base);
    if (smi_metrics[metric].kind == SMI_COUNTER)
        smi_buf_str(to, "_total");
}

/* A label's value: what ends it, is escaped; what is no UTF-8 or no letter for people, as the terminal has
 * it. */
static void put_label(struct smi_buf *to, char before, const char *key, const char *text)
{
    struct smi_buf safe = {0};
    smi_buf_safe(&safe, smi_text_of(text));
    smi_buf_fmt(to, "%c%s=\"", before, key);
    for (size_t i = 0; i < safe.n; i++) {
        if (safe.p[i] == '"' || safe.p[i] == '\\')
            smi_buf_char(to, '\\');
        smi_buf_char(to, safe.p[i]);
    }
    smi_buf_char(to, '"');
    to->failed |= safe.failed;
    smi_buf_fini(&safe);
}

static void put_labels(struct smi_buf *to, const struct smi_expose *e, const struct smi_now_body *gpu,
                       const char *const more[2])
{
    const struct {
        const char *key, *text;
    } of[] = {{"uuid", gpu ? gpu->uuid : NULL},
              {"name", gpu ? gpu->name : NULL},
              {"host", e->host},
              {"run", e->run},
              {more ? more[0] : NULL, more ? more[1] : NULL}};
    char before = '{';
    if (gpu) {
        char index[16];
        smi_text_put_fixed(index, (smi_i128)gpu->index * 1000000, 0);
        put_label(to, before, "gpu", gpu->index >= 0 ? index : "");
        before = ',';
    }
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].text && *of[i].text) {
            put_label(to, before, of[i].key, of[i].text);
            before = ',';
        }
    if (before == ',')
        smi_buf_char(to, '}');
}

static void put_value(struct smi_buf *to, smi_i128 micro)
{
    char text[SMI_MICRO_TEXT];
    smi_text_put_micro(text, micro);
    smi_buf_fmt(to, " %s\n", text);
}

static void put_head(struct smi_buf *to, const char *name, const char *kind, const char *help)
{
    smi_buf_fmt(to, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind);
}

/* A metric of one body; the family's head comes before its first series. */
static void put_series(struct smi_buf *to, const struct smi_now *n, const struct smi_now_body *b,
                       unsigned metric, const struct smi_expose *e, bool *begun)
{
    const struct smi_now_reading *r = b->state == SMI_NOW_LOST ? NULL : smi_now_get(n, b, metric);
    const struct unit *u = unit_of(metric);
    struct smi_buf name = {0};
    if (!r)
        return;
    put_name(&name, metric);
    if (!*begun && !name.failed)
        put_head(to, name.p, smi_metrics[metric].kind == SMI_COUNTER ? "counter" : "gauge",
                 smi_metrics[metric].help);
    *begun = true;
    if (!name.failed)
        smi_buf_add(to, name.p, name.n);
    put_labels(to, e, b == &n->host ? NULL : b, NULL);
    put_value(to, (smi_i128)r->v * u->num / u->den);
    to->failed |= name.failed;
    smi_buf_fini(&name);
}

static void put_alerts(struct smi_buf *to, const struct smi_now *n, const struct smi_expose *e)
{
    put_head(to, "smilog_alert", "gauge", "1 for each rule that holds now");
    for (size_t i = 0; i < n->alerts; i++) {
        const struct smi_now_alert *a = &n->alert[i];
        smi_buf_str(to, "smilog_alert");
        put_labels(to, e, a->gpu >= 0 ? n->gpu[a->gpu] : NULL,
                   (const char *const[]){"rule", smi_live_rules[a->rule].key});
        if (a->source >= 0 && to->n && to->p[to->n - 1] == '}') {
            to->n--;
            put_label(to, ',', "monitor", n->source[a->source]->name);
            smi_buf_char(to, '}');
        }
        put_value(to, 1000000);
    }
}

/* A family of one number for each source. */
static void put_sources(struct smi_buf *to, const struct smi_now *n, const struct smi_expose *e,
                        const char *name, const char *kind, const char *help,
                        int64_t (*value)(const struct smi_now *, const struct smi_now_source *))
{
    put_head(to, name, kind, help);
    for (size_t i = 0; i < n->sources; i++) {
        smi_buf_str(to, name);
        put_labels(to, e, NULL, (const char *const[]){"monitor", n->source[i]->name});
        put_value(to, value(n, n->source[i]));
    }
}

static int64_t is_up(const struct smi_now *n, const struct smi_now_source *s)
{
    (void)n;
    return s->state == SMI_NOW_READING ? 1000000 : 0;
}

static int64_t lag(const struct smi_now *n, const struct smi_now_source *s)
{
    return (n->mono_ms - s->seen_mono_ms) * 1000;
}

static int64_t restarts(const struct smi_now *n, const struct smi_now_source *s)
{
    (void)n;
    return s->restarts * 1000000;
}

static int64_t rejected(const struct smi_now *n, const struct smi_now_source *s)
{
    (void)n;
    return s->part ? smi_account_rejected(&s->part->account) * 1000000 : 0;
}

int smi_expose_put(struct smi_buf *to, const struct smi_now *n, const struct smi_expose *e)
{
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        bool begun = false;
        for (size_t i = 0; i < n->gpus; i++)
            put_series(to, n, n->gpu[i], m, e, &begun);
        put_series(to, n, &n->host, m, e, &begun);
    }
    put_head(to, "smilog_gpu_lost", "gauge", "1 while the driver says that the GPU is lost");
    for (size_t i = 0; i < n->gpus; i++) {
        smi_buf_str(to, "smilog_gpu_lost");
        put_labels(to, e, n->gpu[i], NULL);
        put_value(to, n->gpu[i]->state == SMI_NOW_LOST ? 1000000 : 0);
    }
    put_alerts(to, n, e);
    put_sources(to, n, e, "smilog_monitor_up", "gauge", "1 while rows come from the monitor", is_up);
    put_sources(to, n, e, "smilog_source_lag_seconds", "gauge", "Seconds since the last row of the monitor",
                lag);
    put_sources(to, n, e, "smilog_monitor_restarts_total", "counter",
                "Times that the monitor was started again", restarts);
    put_sources(to, n, e, "smilog_rows_rejected_total", "counter", "Lines of the monitor that were no rows",
                rejected);
    put_head(to, "smilog_export_timestamp_seconds", "gauge", "When this was written, in seconds since 1970");
    smi_buf_str(to, "smilog_export_timestamp_seconds");
    put_labels(to, e, NULL, NULL);
    put_value(to, (smi_i128)e->time_ms * 1000);
    return to->failed ? -1 : 0;
}
