#include "summary/run_fields.h"

#include "summary/rule.h"

#include "summary/run_notes.h"

#include <stddef.h>

#define AT(how, member) .place = SMI_PLACE_##how, .at = offsetof(struct smi_summary, member)
#define VALUE(member) AT(VALUE, member)
#define TEXT(member) AT(TEXT, member)
#define NAME(member) AT(NAME, member)
#define FLAG(member) AT(FLAG, member)
#define LIMIT(member) AT(LIMIT, member)
#define MADE(id) .place = SMI_PLACE_MADE, .at = SMI_MADE_##id

#define SMI_RUN_FIELD(id, key, kind, unit, from, ...) {.field = SMI_RUN_FIELD_##id, from},
#define SMI_RUN_HEADLINE(id, ...) \
    {.field = SMI_RUN_FIELD_##id, .place = SMI_PLACE_HEADLINE, .at = SMI_HEADLINE_##id},
#define SMI_RUN_STATISTIC(id, member, ...) {.field = SMI_RUN_FIELD_##id, VALUE(member)},
#define SMI_RUN_JSON(path, from, when) {.field = -1, .json = path, .price = SMI_PRICE_##when, from},
#define SMI_RUN_PART(id) {.field = -1, .place = SMI_PLACE_PART, .at = SMI_RUN_PART_##id},
const struct smi_run_member smi_run_members[] = {
#include "model/run_field.def"
};
const size_t smi_run_member_count = sizeof smi_run_members / sizeof *smi_run_members;

const char *smi_run_member_path(const struct smi_run_member *m)
{
    const struct smi_field_info *f;
    if (m->field < 0 || m->place == SMI_PLACE_HEADLINE)
        return m->json;
    f = &smi_run_fields[m->field];
    return !f->json ? f->key : *f->json ? f->json : NULL;
}

/* The largest of each statistic that a row declares; the last row ends the list. */
void smi_run_statistics_fill(struct smi_summary *s)
{
#define SMI_RUN_STATISTIC(id, member, key, unit, of, stat, ...) \
    {offsetof(struct smi_summary, member), of, SMI_STAT_##stat},
    static const struct {
        size_t at;
        uint16_t metric;
        enum smi_gpu_stat_id stat;
    } rows[] = {
#include "model/run_field.def"
        {0, 0, SMI_GPU_STATS}};
    for (int i = 0; rows[i].stat != SMI_GPU_STATS; i++) {
        struct smi_value *most = (void *)((char *)s + rows[i].at);
        for (size_t g = 0; g < s->ngpus; g++) {
            const struct smi_stats *m = smi_gpu_stats(&s->gpus[g], rows[i].metric);
            struct smi_datum v = m ? smi_gpu_stat(m, rows[i].stat) : (struct smi_datum){0};
            if (v.kind == SMI_DATUM_MICRO && (!most->has || v.n > most->micro))
                *most = (struct smi_value){v.n, true};
        }
    }
}

/* --- values --- */

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

static struct smi_datum time_of(const struct smi_summary *s, int64_t ms, char *to)
{
    if (s->has_start)
        smi_clock_write(to, ms, s->zoned);
    return datum_of_text(s->has_start ? to : NULL);
}

static struct smi_datum gpu_count_of(const struct smi_summary *s)
{
    int64_t n = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        n += !s->gpus[i].pooled;
    return datum_of_count(n, true);
}

/* "gpu_lost=12 ecc_uncorrected=2": of all GPUs. */
static struct smi_datum errors_of(struct smi_buf *b, const struct smi_summary *s)
{
    int64_t n[SMI_FAULT_COUNT] = {0};
    smi_buf_clear(b);
    for (size_t i = 0; i < s->nerrors; i++)
        n[s->errors[i].id] += s->errors[i].n;
    for (int i = 0; i < SMI_FAULT_COUNT; i++)
        if (n[i])
            smi_buf_fmt(b, "%s%s=%lld", b->n ? " " : "", smi_faults[i].name, (long long)n[i]);
    return datum_of_text(b->n ? b->p : NULL);
}

static struct smi_datum made_value(struct smi_run_values *row, const struct smi_summary *s,
                                   enum smi_run_made id)
{
    switch (id) {
    case SMI_MADE_STATE:
        return datum_of_text(smi_state_names[s->state]);
    case SMI_MADE_EXIT_CODE:
        return datum_of_count(s->exit_code, s->has_exit);
    case SMI_MADE_START:
        return time_of(s, s->start_ms, row->start);
    case SMI_MADE_END:
        return time_of(s, s->end_ms, row->end);
    case SMI_MADE_NGPUS:
        return gpu_count_of(s);
    case SMI_MADE_THROTTLED:
        return datum_of_value(smi_most_throttled(s));
    case SMI_MADE_ERRORS:
        return errors_of(&row->errors, s);
    }
    return (struct smi_datum){0};
}

struct smi_datum smi_run_member_value(struct smi_run_values *row, const struct smi_summary *s,
                                      const struct smi_run_member *m)
{
    const char *at = (const char *)s + m->at;
    switch (m->place) {
    case SMI_PLACE_VALUE:
        return datum_of_value(*(const struct smi_value *)(const void *)at);
    case SMI_PLACE_TEXT:
    case SMI_PLACE_NAME:
        return datum_of_text(*(const char *const *)(const void *)at);
    case SMI_PLACE_FLAG:
        return (struct smi_datum){SMI_DATUM_BOOL, *(const bool *)at, NULL};
    case SMI_PLACE_LIMIT:
        return (struct smi_datum){SMI_DATUM_MICRO, *(const int64_t *)(const void *)at, NULL};
    case SMI_PLACE_MADE:
        return made_value(row, s, (enum smi_run_made)m->at);
    case SMI_PLACE_HEADLINE:
    case SMI_PLACE_PART:
        break;
    }
    return (struct smi_datum){0};
}

int smi_run_values_fill(struct smi_run_values *row, const struct smi_summary *s)
{
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    smi_headline_figures(&s->block, f);
    for (size_t i = 0; i < smi_run_member_count; i++) {
        const struct smi_run_member *m = &smi_run_members[i];
        if (m->field >= 0)
            row->v[m->field] =
                m->place == SMI_PLACE_HEADLINE ? datum_of_figure(&f[m->at]) : smi_run_member_value(row, s, m);
    }
    return row->errors.failed ? -1 : 0;
}

void smi_run_values_fini(struct smi_run_values *row)
{
    smi_buf_fini(&row->errors);
}

/* --- GPUs and phases, with the keys of JSON --- */

void smi_gpu_values_fill(struct smi_datum v[SMI_GPU_FIELDS], const struct smi_gpu *g)
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

void smi_phase_values_fill(struct smi_datum v[SMI_PHASE_FIELDS], const struct smi_phase_summary *p)
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

void smi_finding_values_fill(struct smi_datum v[SMI_FINDING_FIELDS], const struct smi_summary *s,
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

const struct smi_gpu_first_stat smi_gpu_first_stats[SMI_GPU_FIRST_STATS] = {
    {SMI_GPU_UTIL, SMI_STAT_MEAN, "Use mean %"}, {SMI_GPU_UTIL, SMI_STAT_P5, "Use p5 %"},
    {SMI_GPU_UTIL, SMI_STAT_P50, "Use p50 %"},   {SMI_GPU_UTIL, SMI_STAT_P95, "Use p95 %"},
    {SMI_GPU_UTIL, SMI_STAT_MAX, "Use max %"},   {SMI_FB_USED, SMI_STAT_MAX, "Device VRAM GiB"},
    {SMI_POWER, SMI_STAT_MEAN, "Power mean W"},  {SMI_POWER, SMI_STAT_MAX, "Power max W"},
    {SMI_TEMP_GPU, SMI_STAT_MAX, "Temp max °C"}, {SMI_CLK_SM, SMI_STAT_MEAN, "SM clock mean MHz"},
};
