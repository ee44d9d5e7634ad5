/* charts.c - the table of charts of one run, their curves and limits. */
#include "report/html.h"

#include <string.h>

const struct smi_chart smi_charts[SMI_CHARTS] = {
    [SMI_CHART_USE] = {0, "use", "GPU use", "%", NULL, NULL, 100000, 10, 100},
    [SMI_CHART_MEMORY] = {2, "memory", "Memory", "GiB", "fb_total_mib", "%s GiB in all", 1000000, 1024, 0},
    [SMI_CHART_POWER] = {3, "power", "Power", "W", "power_limit_w", "limit %s W", 1000000, 1, 0},
    [SMI_CHART_TEMPERATURE] = {5, "temperature", "Temperature", "°C", NULL, NULL, 1000000, 1, 0},
    [SMI_CHART_CLOCK] = {6, "clock", "SM clock", "MHz", "clk_max_sm_mhz", "%s MHz at most", 1000000, 1, 0},
    [SMI_CHART_CPU] = {4, "CPU", "CPU", "%", NULL, NULL, 100000, 10, 100},
};

const char *smi_chart_title(struct smi_text_arena *g, int chart, const struct smi_summary *s)
{
    const char *more = chart == SMI_CHART_MEMORY && smi_vram_held(s) ? ", reserved" : "";
    return smi_fmt(g, "%s%s", smi_charts[chart].title, more);
}

const char *smi_curve_name(struct smi_text_arena *g, const struct smi_summary *s, const struct smi_curve *c)
{
    return c->gpu < 0               ? "host"
           : s->gpus[c->gpu].pooled ? "all GPUs"
                                    : smi_fmt(g, "GPU %s", smi_gpu_label(g, &s->gpus[c->gpu]));
}

/* The largest of a metric over all GPUs. */
static struct smi_value most(const struct smi_summary *s, const char *key)
{
    const unsigned metric = (unsigned)smi_metric_find(key, strlen(key));
    struct smi_value v = {0};
    for (size_t i = 0; i < s->ngpus; i++) {
        const struct smi_stats *m = smi_gpu_stats(&s->gpus[i], metric);
        if (m && m->max.has && (!v.has || m->max.micro > v.micro))
            v = m->max;
    }
    return v;
}

size_t smi_chart_limits(struct smi_text_arena *g, int chart, const struct smi_summary *s,
                        struct smi_chart_limit out[2])
{
    const bool memory = chart == SMI_CHART_MEMORY;
    const struct smi_chart *c = &smi_charts[chart];
    const char *who = smi_vram_framework(s);
    struct smi_value v = c->limit ? most(s, c->limit) : (struct smi_value){0};
    size_t n = 0;
    if (memory && !v.has)
        v = s->vram.total_mb;
    if (v.has)
        out[n++] = (struct smi_chart_limit){
            smi_fmt(g, c->limit_text, memory ? smi_fmt_gib(g, v) : smi_fmt_value(g, v, 0)), v.micro / c->div};
    if (memory && who && s->vram.used_peak_mb.has)
        out[n++] =
            (struct smi_chart_limit){smi_fmt(g, "%s used %s", who, smi_fmt_gib(g, s->vram.used_peak_mb)),
                                     s->vram.used_peak_mb.micro / 1024};
    return n;
}

static int64_t within(const struct smi_timeline *t, int64_t ms)
{
    return ms < t->begin_ms ? t->begin_ms : ms > t->end_ms ? t->end_ms : ms;
}

/* As long as it says that it was; many brief stretches, and what is said of all readings: to the end. */
static int64_t band_end_ms(const struct smi_summary *s, const struct smi_finding *f)
{
    const int64_t all = f->place < 0 ? s->covered_s.micro : s->gpus[f->place].covered_ms * 1000;
    const bool brief = f->stretches > 1 && f->value.micro != f->seconds.micro;
    if (f->has_to)
        return f->to_ms;
    return f->seconds.has && f->seconds.micro != all && !brief ? f->from_ms + f->seconds.micro / 1000
                                                               : s->timeline->end_ms;
}

/* The findings of a rule that have a time. Returns how many. */
static size_t add_row(struct smi_text_arena *g, const struct smi_summary *s, const struct smi_advice *rule,
                      struct smi_chart_band *band)
{
    size_t n = 0;
    for (const struct smi_finding *f = s->findings; f < s->findings + s->nfindings; f++)
        if (f->rule == rule->rule && f->has_from)
            band[n++] = (struct smi_chart_band){.of = f,
                                                .from_ms = within(s->timeline, f->from_ms),
                                                .to_ms = within(s->timeline, band_end_ms(s, f))};
    if (n)
        band->row = smi_fmt(g, "%s (%s): %s", smi_rules[rule->rule].key, smi_level_names[rule->level],
                            smi_advice_text(g, rule));
    return n;
}

size_t smi_chart_bands(struct smi_text_arena *g, const struct smi_summary *s, struct smi_chart_band **out,
                       const char **left)
{
    struct smi_chart_band *band = smi_arena_new(&g->arena, s->nfindings + 1, sizeof *band);
    struct smi_advice *rule;
    const size_t rules = smi_advice_list(g, s, 1, &rule);
    size_t n = 0;
    int64_t rows = 0;
    for (int level = SMI_LEVEL_ERROR; level >= SMI_LEVEL_INFO; level--)
        for (size_t i = 0; i < rules; i++) {
            const size_t more = (int)rule[i].level == level ? add_row(g, s, &rule[i], band + n) : 0;
            rows += more > 0;
            n += rows <= SMI_BAND_ROWS ? more : 0;
        }
    *out = band;
    *left = rows > SMI_BAND_ROWS
                ? smi_fmt(g, "and findings of %s", smi_fmt_count(g, rows - SMI_BAND_ROWS, "more rule"))
                : "";
    return n;
}

int64_t smi_chart_local_ms(const struct smi_summary *s, int64_t ms)
{
    return ms + (s->zoned ? s->offset_s * (int64_t)1000 : 0);
}
