#include "summary/summary.h"

#include <string.h>

const int smi_percentiles[SMI_PERCENTILES] = {1, 5, 25, 50, 75, 95, 99};
const char *const smi_state_names[] = {"ok", "failed", "cut", "unknown", "no-data"};
const char *const smi_waste_names[6] = {"failed", "unused", "start", "stall", "end", "total"};

void smi_summary_fini(struct smi_summary *s)
{
    smi_arena_fini(&s->arena);
    memset(s, 0, sizeof *s);
}

/* An absent value adds nothing; a sum of absent values only stays absent. */
static void add(struct smi_value *to, struct smi_value v)
{
    if (!v.has)
        return;
    to->micro += v.micro;
    to->has = true;
}

static struct smi_value hours(int64_t ms, bool has)
{
    return (struct smi_value){has ? (int64_t)smi_wide_div((smi_i128)ms * 1000000, 3600000) : 0, has};
}

static int64_t rejected(const struct smi_account *a)
{
    int64_t n = 0;
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        if (i != SMI_TORN_TAIL) /* every log of a killed run has one: no doubt */
            n += a->rejected[i];
    return n;
}

static void add_waste(struct smi_waste *to, const struct smi_waste *w)
{
    to->failed_ms += w->failed_ms;
    to->unused_ms += w->unused_ms;
    to->start_ms += w->start_ms;
    to->stall_ms += w->stall_ms;
    to->end_ms += w->end_ms;
}

void smi_total_add(struct smi_total *t, const struct smi_summary *s)
{
    size_t i;
    t->runs++;
    t->failed += s->state == SMI_STATE_FAILED;
    t->cut += s->state == SMI_STATE_CUT;
    t->no_data += s->state == SMI_STATE_NO_DATA;
    for (i = 0; i < s->ngpus; i++)
        t->gpus += !s->gpus[i].pooled;
    add(&t->duration_s, s->duration_s);
    add(&t->energy_wh, s->energy_wh);
    t->gpu_hours.has |= s->gpu_hours.has;
    t->idle_pct.has |= s->idle_pct.has;
    t->covered_ms += s->covered_ms;
    t->idle_ms += s->idle_ms;
    smi_block_merge(&t->block, &s->block);
    add_waste(&t->waste, &s->waste);
    for (i = 0; i < s->ninputs; i++)
        t->doubts += rejected(&s->inputs[i].account);
}

void smi_total_close(struct smi_total *t)
{
    const struct smi_waste *w = &t->waste;
    const struct smi_pool *vram = &t->block.pool[smi_block_slot(SMI_FB_USED)];
    const int64_t ms[6] = {w->failed_ms, w->unused_ms,
                           w->start_ms,  w->stall_ms,
                           w->end_ms,    w->failed_ms + w->unused_ms + w->start_ms + w->stall_ms + w->end_ms};
    for (int i = 0; i < 6; i++)
        t->wasted_h[i] = hours(ms[i], t->covered_ms > 0);
    t->gpu_hours = hours(t->covered_ms, t->gpu_hours.has);
    t->idle_pct.has = t->idle_pct.has && t->covered_ms > 0;
    t->idle_pct.micro =
        t->idle_pct.has ? (int64_t)smi_wide_div((smi_i128)t->idle_ms * 100000000, t->covered_ms) : 0;
    t->peak_vram_mb = (struct smi_value){vram->n ? vram->max : 0, vram->n > 0};
}
