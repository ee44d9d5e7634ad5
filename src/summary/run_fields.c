#include "summary/run_fields.h"

#include "summary/rule.h"

#include "summary/run_notes.h"

#include <stdio.h>

#define SMI_RUN_FIELD(id, name, kind, shown, unit, help) \
    [SMI_COL_##id] = {name, SMI_DATUM_##kind, shown, unit, help},
const struct smi_run_column smi_run_columns[SMI_RUN_COLUMNS] = {
#include "model/run_field.def"
};
#undef SMI_RUN_FIELD

static struct smi_datum datum_of_value(struct smi_value v)
{
    return (struct smi_datum){v.has ? SMI_DATUM_MICRO : SMI_DATUM_NONE, v.micro, NULL};
}

static struct smi_datum datum_of_text(const char *text)
{
    return (struct smi_datum){text ? SMI_DATUM_TEXT : SMI_DATUM_NONE, 0, text};
}

static struct smi_datum datum_of_count(int64_t n, bool has)
{
    return (struct smi_datum){has ? SMI_DATUM_INT : SMI_DATUM_NONE, n, NULL};
}

static struct smi_datum datum_of_figure(const struct smi_headline_figure *f)
{
    int64_t micro;
    bool has = f->has && !f->omit && smi_text_parse_micro(smi_text_of(f->text), &micro) == 0;
    return datum_of_value((struct smi_value){has ? micro : 0, has});
}

static void fill_time_values(struct smi_run_values *row, const struct smi_summary *s)
{
    if (s->has_start) {
        smi_clock_write(row->start, s->start_ms, s->zoned);
        smi_clock_write(row->end, s->end_ms, s->zoned);
    }
    row->v[SMI_COL_START] = datum_of_text(s->has_start ? row->start : NULL);
    row->v[SMI_COL_END] = datum_of_text(s->has_start ? row->end : NULL);
}

static void fill_vram_values(struct smi_datum *v, const struct smi_summary *s)
{
    v[SMI_COL_VRAM_DEVICE] = datum_of_value(s->vram.device_peak_mb);
    v[SMI_COL_VRAM_ALL] = datum_of_value(s->vram.all_gpus_peak_mb);
    v[SMI_COL_VRAM_USED] = datum_of_value(s->vram.used_peak_mb);
    v[SMI_COL_VRAM_SOURCE] = datum_of_text(s->vram.source);
    v[SMI_COL_VRAM_RESERVED] = (struct smi_datum){SMI_DATUM_BOOL, s->vram.reserved, NULL};
    v[SMI_COL_VRAM_TOTAL] = datum_of_value(s->vram.total_mb);
}

/* "gpu_lost=12 ecc_uncorrected=2": of all GPUs. */
static void fill_error_value(struct smi_run_values *row, const struct smi_summary *s)
{
    int64_t n[SMI_FAULT_COUNT] = {0};
    struct smi_buf *b = &row->errors;
    smi_buf_clear(b);
    for (size_t i = 0; i < s->nerrors; i++)
        n[s->errors[i].id] += s->errors[i].n;
    for (int i = 0; i < SMI_FAULT_COUNT; i++)
        if (n[i])
            smi_buf_fmt(b, "%s%s=%lld", b->n ? " " : "", smi_faults[i].name, (long long)n[i]);
    row->v[SMI_COL_ERRORS] = datum_of_text(b->n ? b->p : NULL);
}

static void fill_identity_values(struct smi_datum *v, const struct smi_summary *s)
{
    v[SMI_COL_RUN] = datum_of_text(s->run);
    v[SMI_COL_STATE] = datum_of_text(smi_state_names[s->state]);
    v[SMI_COL_STATE_REASON] = datum_of_text(s->state_reason);
    v[SMI_COL_EXIT_CODE] = datum_of_count(s->exit_code, s->has_exit);
    v[SMI_COL_HOSTNAME] = datum_of_text(s->hostname);
}

int smi_run_values_fill(struct smi_run_values *row, const struct smi_summary *s)
{
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    struct smi_datum *v = row->v;
    int64_t gpus = 0;
    size_t i;
    fill_identity_values(v, s);
    fill_time_values(row, s);
    v[SMI_COL_DURATION] = datum_of_value(s->duration_s);
    smi_headline_figures(&s->block, f);
    for (i = 0; i < SMI_HEADLINE_COUNT; i++)
        v[SMI_COL_BLOCK + i] = datum_of_figure(&f[i]);
    v[SMI_COL_COVERED] = datum_of_value(s->covered_s);
    v[SMI_COL_ENERGY] = datum_of_value(s->energy_wh);
    fill_vram_values(v, s);
    v[SMI_COL_IDLE] = datum_of_value(s->idle_pct);
    v[SMI_COL_LONGEST_IDLE] = datum_of_value(s->longest_idle_s);
    v[SMI_COL_GPU_HOURS] = datum_of_value(s->gpu_hours);
    for (i = 0; i < 6; i++)
        v[SMI_COL_WASTED + i] = datum_of_value(s->wasted_h[i]);
    v[SMI_COL_COST] = datum_of_value(s->cost);
    v[SMI_COL_WASTED_COST] = datum_of_value(s->wasted_cost[5]);
    v[SMI_COL_CO2] = datum_of_value(s->co2_g);
    for (i = 0; i < s->ngpus; i++)
        gpus += !s->gpus[i].pooled;
    v[SMI_COL_NGPUS] = datum_of_count(gpus, true);
    v[SMI_COL_THROTTLED] = datum_of_value(smi_most_throttled(s));
    fill_error_value(row, s);
    return row->errors.failed ? -1 : 0;
}

void smi_run_values_fini(struct smi_run_values *row)
{
    smi_buf_fini(&row->errors);
}

/* --- GPUs and phases, with the keys of JSON --- */

const struct smi_run_column smi_gpu_columns[SMI_GPU_COLUMNS] = {
    {"gpu", SMI_DATUM_INT, false, "", "Its index; none: not known, or rows that could not be told apart"},
    {"uuid", SMI_DATUM_TEXT, false, "", "As the driver names it"},
    {"bus", SMI_DATUM_TEXT, false, "", "Its PCI bus id"},
    {"name", SMI_DATUM_TEXT, false, "", "Its model"},
    {"samples", SMI_DATUM_INT, false, "", "Rows"},
    {"energy_wh", SMI_DATUM_MICRO, false, "Wh", "Energy"},
    {"idle_pct", SMI_DATUM_MICRO, false, "%", "Share of its time at or below the idle limit"},
    {"longest_idle_s", SMI_DATUM_MICRO, false, "s", "Longest idle stretch"},
    {"coverage_pct", SMI_DATUM_MICRO, false, "%", "Share of its time in which utilisation is known"},
    {"interval_s", SMI_DATUM_MICRO, false, "s", "Lower median of its intervals"},
    {"interval_max_s", SMI_DATUM_MICRO, false, "s", "Largest of them"},
    {"gaps", SMI_DATUM_INT, false, "", "Intervals that are so long that nothing is known of them"},
};

void smi_gpu_values_fill(struct smi_datum v[SMI_GPU_COLUMNS], const struct smi_gpu *g)
{
    struct smi_datum *to = v;
    *to++ = datum_of_count(g->index, !g->pooled && g->index >= 0);
    *to++ = datum_of_text(g->uuid);
    *to++ = datum_of_text(g->bus);
    *to++ = datum_of_text(g->name);
    *to++ = datum_of_count(g->samples, true);
    *to++ = datum_of_value(g->energy_wh);
    *to++ = datum_of_value(g->idle_pct);
    *to++ = datum_of_value(g->longest_idle_s);
    *to++ = datum_of_value(g->coverage_pct);
    *to++ = datum_of_value(g->interval_s);
    *to++ = datum_of_value(g->interval_max_s);
    *to = datum_of_count(g->gaps, true);
}

#define SMI_HEADLINE_FIELD(key, metric, stat, optional) \
    {key, SMI_DATUM_MICRO, false, "", "As of runs, of the rows inside it"},
const struct smi_run_column smi_phase_columns[SMI_PHASE_COLUMNS] = {
    {"name", SMI_DATUM_TEXT, false, "", "Its name"},
    {"count", SMI_DATUM_INT, false, "", "How many there were of it"},
    {"seconds", SMI_DATUM_MICRO, false, "s", "How long they took together"},
#include "summary/headline_field.def"
    {"energy_wh", SMI_DATUM_MICRO, false, "Wh", "Energy of all GPUs"},
    {"idle_pct", SMI_DATUM_MICRO, false, "%", "Share of the GPU time at or below the idle limit"},
    {"samples", SMI_DATUM_INT, false, "", "Rows of GPUs inside it"},
};
#undef SMI_HEADLINE_FIELD

void smi_phase_values_fill(struct smi_datum v[SMI_PHASE_COLUMNS], const struct smi_phase_summary *p)
{
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    struct smi_datum *to = v;
    *to++ = datum_of_text(p->name);
    *to++ = datum_of_count(p->count, true);
    *to++ = datum_of_value(p->seconds);
    smi_headline_figures(&p->block, f);
    for (size_t i = 0; i < SMI_HEADLINE_COUNT; i++)
        *to++ = p->summarised ? datum_of_figure(&f[i]) : (struct smi_datum){0};
    *to++ = datum_of_value(p->energy_wh);
    *to++ = datum_of_value(p->idle_pct);
    *to = datum_of_count(p->samples, p->summarised);
}

const struct smi_run_column smi_finding_columns[SMI_FINDING_COLUMNS] = {
    {"rule", SMI_DATUM_TEXT, false, "", "What it is: see list rules"},
    {"level", SMI_DATUM_TEXT, false, "", "info, warn, strong, error"},
    {"gpu", SMI_DATUM_INT, false, "", "Index of its GPU; none: the run as a whole"},
    {"phase", SMI_DATUM_TEXT, false, "", "The phase that it lies in, or is about"},
    {"from", SMI_DATUM_TEXT, false, "", "When it began, as start; \"from\" in SQL"},
    {"seconds", SMI_DATUM_MICRO, false, "s", "How long it was"},
    {"gpu_hours", SMI_DATUM_MICRO, false, "h", "The GPU-hours that it is about"},
    {"cost", SMI_DATUM_MICRO, false, "", "Of these, with --price-gpu-hour"},
    {"value", SMI_DATUM_MICRO, false, "", "What was measured, in the unit of its rule"},
    {"limit", SMI_DATUM_MICRO, false, "", "The limit of its rule; \"limit\" in SQL"},
    {"text", SMI_DATUM_TEXT, false, "", "What happened"},
    {"advice", SMI_DATUM_TEXT, false, "", "What to do"},
};

void smi_finding_values_fill(struct smi_datum v[SMI_FINDING_COLUMNS], const struct smi_summary *s,
                             const struct smi_finding *f, char from[SMI_CLOCK_TEXT])
{
    struct smi_datum *to = v;
    if (f->has_from)
        smi_clock_write(from, f->from_ms, s->zoned);
    *to++ = datum_of_text(smi_rules[f->rule].key);
    *to++ = datum_of_text(smi_level_names[f->level]);
    *to++ = datum_of_count(f->gpu, f->gpu >= 0);
    *to++ = datum_of_text(f->phase);
    *to++ = datum_of_text(f->has_from ? from : NULL);
    *to++ = datum_of_value(f->seconds);
    *to++ = datum_of_value(f->gpu_hours);
    *to++ = datum_of_value(f->cost);
    *to++ = datum_of_value(f->value);
    *to++ = datum_of_value(f->limit);
    *to++ = datum_of_text(f->text);
    *to = datum_of_text(f->advice);
}

const char *const smi_gpu_stat_names[SMI_GPU_STATS] = {
    "count", "mean", "time_mean", "min", "max", "stddev", "p1",   "p5",
    "p25",   "p50",  "p75",       "p95", "p99", "first",  "last", "increase"};

bool smi_gpu_stat_fits(unsigned metric, int stat)
{
    if (smi_metrics[metric].kind == SMI_GAUGE)
        return stat < SMI_GAUGE_STATS && (stat != 2 || smi_metrics[metric].timed);
    return smi_metrics[metric].kind == SMI_COUNTER && (stat == 0 || stat >= SMI_GAUGE_STATS);
}

struct smi_datum smi_gpu_stat(const struct smi_stats *m, int stat)
{
    const struct smi_value v[SMI_GPU_STATS] = {
        {0},     m->mean, m->time_mean, m->min,  m->max,  m->stddev, m->p[0], m->p[1],
        m->p[2], m->p[3], m->p[4],      m->p[5], m->p[6], m->first,  m->last, m->increase};
    return stat == 0 ? datum_of_count(m->count, true) : datum_of_value(v[stat]);
}

enum {
    STAT_MEAN = 1,
    STAT_MAX = 4,
    STAT_P5 = 7,
    STAT_P50 = 9,
    STAT_P95 = 11
}; /* places in smi_gpu_stat_names */

const struct smi_gpu_first_stat smi_gpu_first_stats[SMI_GPU_FIRST_STATS] = {
    {SMI_GPU_UTIL, STAT_MEAN, "Use mean %"}, {SMI_GPU_UTIL, STAT_P5, "Use p5 %"},
    {SMI_GPU_UTIL, STAT_P50, "Use p50 %"},   {SMI_GPU_UTIL, STAT_P95, "Use p95 %"},
    {SMI_GPU_UTIL, STAT_MAX, "Use max %"},   {SMI_FB_USED, STAT_MAX, "Device VRAM GiB"},
    {SMI_POWER, STAT_MEAN, "Power mean W"},  {SMI_POWER, STAT_MAX, "Power max W"},
    {SMI_TEMP_GPU, STAT_MAX, "Temp max °C"}, {SMI_CLK_SM, STAT_MEAN, "SM clock mean MHz"},
};
