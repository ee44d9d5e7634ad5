#include "report/run_columns.h"

#include "base/clock.h"
#include "report/text_report.h"

#include <stddef.h>
#include <string.h>

#define AT(member) offsetof(struct smi_summary, member)

/* GPU time that SMI_AS_HOURS shows, beside the causes of waste. */
enum { ALL_WASTE = 5, COVERED, UNKNOWN };

#define SMI_RUN_COLUMN(id, as, ...) [SMI_RUNS_##id] = {SMI_AS_##as, __VA_ARGS__},
const struct smi_run_table_column smi_run_table_columns[SMI_RUNS_COLUMNS] = {
#include "report/run_column.def"
};
#undef SMI_RUN_COLUMN

struct smi_value smi_run_cell_value(int id, const struct smi_summary *s)
{
    const struct smi_headline_sum *use = &s->block.pool[SMI_POOL_UTIL];
    struct smi_value v;
    if (id == SMI_RUNS_SLOWED)
        return smi_most_throttled(s);
    if (id == SMI_RUNS_UTIL)
        return (struct smi_value){use->n ? (int64_t)smi_i128_div(use->sum, use->n) : 0, use->n > 0};
    memcpy(&v, (const char *)s + smi_run_table_columns[id].at, sizeof v);
    return v;
}

int64_t smi_run_cell_ms(int id, const struct smi_summary *s)
{
    size_t part = smi_run_table_columns[id].at;
    if (smi_run_table_columns[id].kind == SMI_AS_SPAN)
        return s->duration_s.has ? s->duration_s.micro / 1000 : -1;
    if (part > ALL_WASTE)
        return !s->gpu_hours.has ? -1 : part == COVERED ? s->covered_ms : smi_unknown_ms(s);
    if (!smi_waste_known(s->wasted_h[5], s->idle_pct, &s->waste))
        return -1;
    return part == ALL_WASTE ? smi_wasted_ms(&s->waste) : smi_waste_part(&s->waste, (int)part);
}

/* Returns 1 if all runs are on one clock: those with a zone are shown in one, the head's; else 2. */
static int count_clocks(const struct smi_sweep *s)
{
    const struct smi_summary *first = NULL;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        first = first || !s->runs[i].has_start ? first : &s->runs[i];
        if (s->runs[i].has_start && first->zoned != s->runs[i].zoned)
            return 2;
    }
    return 1;
}

static int64_t shown_start_ms(struct smi_text_arena *g, const struct smi_summary *s)
{
    struct smi_summary span;
    if (!g->clocks) {
        (void)smi_runs_time_span(&span, g->sweep->runs, g->sweep->n);
        g->offset_s = span.offset_s;
        g->clocks = count_clocks(g->sweep);
    }
    return s->start_ms + (s->zoned ? (int64_t)1000 * (g->offset_s - s->offset_s) : 0);
}

const char *smi_run_start(struct smi_text_arena *g, const struct smi_summary *s, bool field)
{
    const int64_t ms = shown_start_ms(g, s);
    char zone[SMI_CLOCK_TEXT] = "";
    if (!s->has_start)
        return "-";
    if ((g->clocks != 1 || field) && s->zoned)
        smi_clock_write_zone(zone, g->offset_s);
    if (field)
        return smi_fmt(g, "%s%s", smi_fmt_timestamp(g, s, ms, 0, 19), zone);
    return smi_fmt(g, "%s %s%s%s", smi_fmt_timestamp(g, s, ms, 0, 10), smi_fmt_timestamp(g, s, ms, 11, 8),
                   *zone ? " " : "", g->clocks == 1 || s->zoned ? zone : " local");
}

const char *smi_run_cell_text(struct smi_text_arena *g, int id, const struct smi_summary *s)
{
    static const char *const state[] = {"ok", "FAILED", "cut", "-", "no-data"};
    const struct smi_run_table_column *c = &smi_run_table_columns[id];
    const char *model, *text;
    struct smi_value v;
    int64_t ms;
    switch (c->kind) {
    case SMI_AS_VALUE:
        text = smi_fmt_value(g, smi_run_cell_value(id, s), c->digits);
        return id == SMI_RUNS_ENERGY && s->energy_part && s->energy_wh.has ? smi_fmt(g, ">%s", text) : text;
    case SMI_AS_GIB:
        v = smi_run_cell_value(id, s);
        return v.has ? smi_fmt_ratio(g, v.micro, (smi_i128)1024 * 1000000, c->digits) : "-";
    case SMI_AS_HEADLINE:
        return smi_fmt_mean(g, &s->block, (int)c->at);
    case SMI_AS_HOURS:
        ms = smi_run_cell_ms(id, s);
        return ms < 0 ? "-" : smi_fmt_hours(g, ms);
    case SMI_AS_SPAN:
        return smi_fmt_duration(g, s->duration_s);
    case SMI_AS_COUNT:
        return smi_fmt_some(g, (int64_t)smi_run_gpus(s, &model));
    case SMI_AS_INSTANT:
        return smi_run_start(g, s, false);
    default:
        return id == SMI_RUNS_STATE  ? state[s->state]
               : id == SMI_RUNS_HOST ? smi_fmt_safe(g, s->hostname)
                                     : smi_fmt_brief(g, smi_run_note_text(g, s));
    }
}

const struct smi_field_info *smi_listed_field(const char *key)
{
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (smi_run_fields[i].listed && smi_run_fields[i].key == key)
            return &smi_run_fields[i];
    return NULL;
}

int smi_listed_fields(const char **key, int n)
{
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (smi_run_fields[i].listed)
            key[n++] = smi_run_fields[i].key;
    return n;
}

const char *smi_listed_text(struct smi_text_arena *g, const struct smi_field_info *f,
                            const struct smi_summary *s)
{
    struct smi_field_values row = {0};
    const char *text = "-";
    struct smi_datum v;
    g->failed |= smi_run_values_fill(&row, s) != 0;
    v = row.v[f - smi_run_fields];
    if (v.kind == SMI_DATUM_MICRO)
        text = smi_fmt_value(g, (struct smi_value){v.n, true}, f->digits);
    else if (v.kind == SMI_DATUM_INT)
        text = smi_fmt_int(g, v.n);
    else if (v.kind == SMI_DATUM_TEXT)
        text = smi_fmt_field(g, v.text);
    smi_field_values_fini(&row);
    return text;
}

void smi_total_as_run(struct smi_summary *all, const struct smi_sweep *s)
{
    const struct smi_total *t = &s->total;
    *all = (struct smi_summary){.duration_s = t->duration_s,
                                .block = t->block,
                                .idle_pct = t->idle_pct,
                                .energy_wh = t->energy_wh,
                                .energy_part =
                                    t->of.energy_part || smi_total_missing(t, t->of.energy) ? "" : NULL,
                                .waste = t->waste,
                                .cost = t->cost,
                                .wasted_cost[5] = t->wasted_cost[5],
                                .wasted_h[5] = t->wasted_h[5]};
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        struct smi_value vram = s->runs[i].vram.used_peak_mb, temp = s->runs[i].temp_max;
        if (vram.has && vram.micro >= all->vram.used_peak_mb.micro)
            all->vram.used_peak_mb = vram;
        if (temp.has && temp.micro >= all->temp_max.micro)
            all->temp_max = temp;
    }
}
