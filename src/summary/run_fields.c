#include "summary/run_fields.h"

#include "summary/findings.h"

#include <stddef.h>

/* --- where the values lie --- */

#define AT(how, member) .place = SMI_PLACE_##how, .at = offsetof(OF, member)
#define VALUE(member) AT(VALUE, member)
#define TEXT(member) AT(TEXT, member)
#define NAME(member) AT(NAME, member)
#define FLAG(member) AT(FLAG, member)
#define COUNT(member) AT(COUNT, member)
#define LIMIT(member) AT(LIMIT, member)
#define MADE(id) .place = SMI_PLACE_MADE, .at = SMI_MADE_##id
#define PART(id) .place = SMI_PLACE_PART, .at = SMI_PART_##id

#define OF struct smi_summary
#define SMI_RUN_FIELD(id, key, kind, unit, from, ...) {.field = SMI_RUN_FIELD_##id, from},
#define SMI_RUN_HEADLINE(id, ...) \
    {.field = SMI_RUN_FIELD_##id, .place = SMI_PLACE_HEADLINE, .at = SMI_HEADLINE_##id},
#define SMI_RUN_JSON(path, from, when, of, text) \
    {.field = -1, .json = path, .price = SMI_PRICE_##when, .unit = of, .help = text, from},
static const struct smi_member run_members[] = {
#include "model/run_field.def"
};
#undef OF

#define OF struct smi_gpu
#define SMI_GPU_FIELD(id, key, kind, unit, from, ...) {.field = SMI_GPU_FIELD_##id, from},
#define SMI_GPU_JSON(path, from, of, text) {.field = -1, .json = path, .unit = of, .help = text, from},
static const struct smi_member gpu_members[] = {
#include "model/part_field.def"
};
#undef OF

#define OF struct smi_phase_summary
#define SMI_PHASE_FIELD(id, key, kind, unit, from, ...) {.field = SMI_PHASE_FIELD_##id, from},
#define SMI_PHASE_HEADLINE(id, key) \
    {.field = SMI_PHASE_FIELD_HEADLINE_##id, .place = SMI_PLACE_HEADLINE, .at = SMI_HEADLINE_##id},
#define SMI_PHASE_JSON(path, from, of, text) {.field = -1, .json = path, .unit = of, .help = text, from},
static const struct smi_member phase_members[] = {
#include "model/part_field.def"
};
#undef OF

#define OF struct smi_finding
#define SMI_FINDING_FIELD(id, key, kind, unit, from, ...) {.field = SMI_FINDING_FIELD_##id, from},
static const struct smi_member finding_members[] = {
#include "model/part_field.def"
};
#undef OF

#define LIST(info, n, members)                             \
    {                                                      \
        info, n, members, sizeof members / sizeof *members \
    }
const struct smi_member_list smi_run_list = LIST(smi_run_fields, SMI_RUN_FIELDS, run_members),
                             smi_gpu_list = LIST(smi_gpu_fields, SMI_GPU_FIELDS, gpu_members),
                             smi_phase_list = LIST(smi_phase_fields, SMI_PHASE_FIELDS, phase_members),
                             smi_finding_list = LIST(smi_finding_fields, SMI_FINDING_FIELDS, finding_members);

const char *smi_member_path(const struct smi_member_list *l, const struct smi_member *m)
{
    const struct smi_field_info *f;
    if (m->field < 0 || m->place == SMI_PLACE_HEADLINE)
        return m->json;
    f = &l->info[m->field];
    return !f->json ? f->key : *f->json ? f->json : NULL;
}

enum smi_field_price smi_member_price(const struct smi_member_list *l, const struct smi_member *m)
{
    if (m->field < 0)
        return m->price;
    return l->info[m->field].json_always ? SMI_PRICE_NONE : l->info[m->field].price;
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

static struct smi_datum time_of(const struct smi_summary *s, bool has, int64_t ms, char *to)
{
    if (has)
        smi_clock_write(to, ms, s->zoned);
    return datum_of_text(has ? to : NULL);
}

/* A value that is made from others of the run, GPU, phase or finding `item` of the run s. */
static struct smi_datum made_value(struct smi_field_values *row, const struct smi_summary *s,
                                   const void *item, enum smi_made id)
{
    const struct smi_gpu *g = item;
    const struct smi_phase_summary *p = item;
    const struct smi_finding *f = item;
    int64_t errors[SMI_FAULT_COUNT] = {0};
    switch (id) {
    case SMI_MADE_STATE:
        return datum_of_text(smi_state_names[s->state]);
    case SMI_MADE_EXIT_CODE:
        return datum_of_count(s->exit_code, s->has_exit);
    case SMI_MADE_START:
        return time_of(s, s->has_start, s->start_ms, row->start);
    case SMI_MADE_END:
        return time_of(s, s->has_start, s->end_ms, row->end);
    case SMI_MADE_NGPUS:
        return datum_of_count((int64_t)smi_summary_count_gpus(s), true);
    case SMI_MADE_THROTTLED:
        return datum_of_value(smi_most_throttled(s));
    case SMI_MADE_ERRORS: /* "gpu_lost=12 ecc_uncorrected=2": of all GPUs */
        smi_buf_clear(&row->errors);
        for (size_t i = 0; i < s->nerrors; i++)
            errors[s->errors[i].id] += s->errors[i].n;
        for (int i = 0; i < SMI_FAULT_COUNT; i++)
            if (errors[i])
                smi_buf_fmt(&row->errors, "%s%s=%lld", row->errors.n ? " " : "", smi_faults[i].name,
                            (long long)errors[i]);
        return datum_of_text(row->errors.n ? row->errors.p : NULL);
    case SMI_MADE_INCOMPLETE:
        smi_buf_clear(&row->incomplete);
        smi_quality_write(&row->incomplete, s);
        return datum_of_text(row->incomplete.n ? row->incomplete.p : NULL);
    case SMI_MADE_GPU_INDEX:
        return datum_of_count(g->index, !g->pooled && g->index >= 0);
    case SMI_MADE_GPU_GAP:
        return datum_of_value((struct smi_value){g->gap_ms * 1000, true});
    case SMI_MADE_PHASE_SAMPLES:
        return datum_of_count(p->samples, p->summarised);
    case SMI_MADE_FINDING_RULE:
        return datum_of_text(smi_rules[f->rule].key);
    case SMI_MADE_FINDING_LEVEL:
        return datum_of_text(smi_level_names[f->level]);
    case SMI_MADE_FINDING_GPU:
        return datum_of_count(f->gpu, f->gpu >= 0);
    case SMI_MADE_FINDING_STRETCHES:
        return datum_of_count(f->stretches, f->stretches > 0);
    case SMI_MADE_FINDING_TO:
        return time_of(s, f->has_to, f->to_ms, row->end);
    case SMI_MADE_FINDING_FROM:
        break;
    }
    return time_of(s, f->has_from, f->from_ms, row->start);
}

struct smi_datum smi_member_value(struct smi_field_values *row, const struct smi_summary *s, const void *item,
                                  const struct smi_member *m)
{
    const void *at = (const char *)item + m->at;
    switch (m->place) {
    case SMI_PLACE_VALUE:
        return datum_of_value(*(const struct smi_value *)at);
    case SMI_PLACE_TEXT:
    case SMI_PLACE_NAME:
        return datum_of_text(*(const char *const *)at);
    case SMI_PLACE_FLAG:
        return (struct smi_datum){SMI_DATUM_BOOL, *(const bool *)at, NULL};
    case SMI_PLACE_COUNT:
        return datum_of_count(*(const int64_t *)at, true);
    case SMI_PLACE_LIMIT:
        return (struct smi_datum){SMI_DATUM_MICRO, *(const int64_t *)at, NULL};
    case SMI_PLACE_MADE:
        return made_value(row, s, item, (enum smi_made)m->at);
    case SMI_PLACE_HEADLINE:
    case SMI_PLACE_PART:
        break;
    }
    return (struct smi_datum){0};
}

void smi_field_values_fill(struct smi_field_values *row, const struct smi_member_list *l,
                           const struct smi_summary *s, const void *item)
{
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    const struct smi_phase_summary *p = l == &smi_phase_list ? item : NULL;
    const struct smi_headline *headline = l == &smi_run_list   ? &((const struct smi_summary *)item)->block
                                          : p && p->summarised ? &p->block
                                                               : NULL;
    int64_t micro;
    if (headline)
        smi_headline_figures(headline, f);
    for (size_t i = 0; i < l->n; i++) {
        const struct smi_member *m = &l->of[i];
        if (m->field >= 0) /* a headline figure has no value there */
            row->v[m->field] = smi_member_value(row, s, item, m);
        if (m->place == SMI_PLACE_HEADLINE && headline && f[m->at].has &&
            smi_text_parse_micro(smi_text_of(f[m->at].text), &micro) == 0)
            row->v[m->field] = datum_of_value((struct smi_value){micro, true});
    }
}

void smi_field_values_fini(struct smi_field_values *row)
{
    smi_buf_fini(&row->errors);
    smi_buf_fini(&row->incomplete);
}

/* --- metrics of GPUs --- */

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
