#include "aggregate/device_stats_private.h"

#include "base/mem.h"

#include <string.h>

void smi_device_stats_init(struct smi_device_stats *t, const struct smi_device_stats_opts *o, bool dedupe)
{
    *t = (struct smi_device_stats){.opts = o, .dedupe = dedupe};
    smi_counts_init(&t->dts, 1);
    smi_counts_init(&t->lengths, 1);
}

static void last_row_fini(struct smi_last_row *k)
{
    smi_mem_free(k->metric);
    smi_mem_free(k->v);
}

void smi_device_stats_fini(struct smi_device_stats *t)
{
    last_row_fini(&t->head);
    last_row_fini(&t->first);
    last_row_fini(&t->last);
    for (int m = 0; m < SMI_METRIC_COUNT; m++) {
        if (t->counts[m])
            smi_counts_fini(t->counts[m]);
        if (t->spare[m])
            smi_counts_fini(t->spare[m]);
        smi_mem_free(t->counts[m]);
        smi_mem_free(t->spare[m]);
    }
    for (int i = 0; i < SMI_TIMED_COUNT; i++) {
        smi_time_sum_fini(&t->timed[i].sum);
        smi_series_fini(&t->timed[i].series);
    }
    for (int i = 0; i < SMI_THROTTLE_COUNT; i++)
        smi_time_sum_fini(&t->throttle[i]);
    smi_time_sum_fini(&t->covered);
    smi_time_sum_fini(&t->idle);
    smi_time_sum_fini(&t->lead);
    smi_time_sum_fini(&t->trail);
    for (size_t i = 0; i < t->tallies_cap; i++) { /* behind the tallies: of an earlier use, or zero */
        smi_time_sum_fini(&t->tally[i].energy);
        smi_time_sum_fini(&t->tally[i].idle);
    }
    smi_mem_free(t->tally);
    smi_mem_free(t->tally_of);
    smi_mem_free(t->counter);
    smi_counts_fini(&t->dts);
    smi_counts_fini(&t->lengths);
    *t = (struct smi_device_stats){.opts = t->opts, .dedupe = t->dedupe};
}

static struct smi_last_row reuse_last_row(const struct smi_last_row *k)
{
    return (struct smi_last_row){.metric = k->metric, .v = k->v, .cap = k->cap, .vcap = k->vcap};
}

static struct smi_time_sum reuse_time_sum(const struct smi_time_sum *s)
{
    return (struct smi_time_sum){.slot = s->slot, .cap = s->cap};
}

static struct smi_counts reuse_counts(struct smi_counts *c)
{
    smi_counts_reset(c);
    return *c;
}

/* All counts of a metric that there are: at most one is kept. */
static struct smi_counts *spare_counts(struct smi_counts *used, struct smi_counts *spare)
{
    if (used && spare) {
        smi_counts_fini(spare);
        smi_mem_free(spare);
    }
    if (used)
        smi_counts_reset(used);
    return used ? used : spare;
}

void smi_device_stats_reset(struct smi_device_stats *t, const struct smi_device_stats_opts *o, bool dedupe)
{
    struct smi_device_stats was = *t;
    smi_device_stats_init(t, o, dedupe);
    t->head = reuse_last_row(&was.head);
    t->first = reuse_last_row(&was.first);
    t->last = reuse_last_row(&was.last);
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        t->spare[m] = spare_counts(was.counts[m], was.spare[m]);
    for (int i = 0; i < SMI_TIMED_COUNT; i++) {
        t->timed[i].sum = reuse_time_sum(&was.timed[i].sum);
        smi_series_fini(&was.timed[i].series);
    }
    for (int i = 0; i < SMI_THROTTLE_COUNT; i++)
        t->throttle[i] = reuse_time_sum(&was.throttle[i]);
    t->covered = reuse_time_sum(&was.covered);
    t->idle = reuse_time_sum(&was.idle);
    t->lead = reuse_time_sum(&was.lead);
    t->trail = reuse_time_sum(&was.trail);
    t->counter = was.counter;
    t->counters_cap = was.counters_cap;
    t->tally = was.tally;
    t->tallies_cap = was.tallies_cap;
    t->tally_of = was.tally_of;
    t->tally_room = was.tally_room;
    if (t->tally_room)
        memset(t->tally_of, 0, t->tally_room * sizeof *t->tally_of);
    t->dts = reuse_counts(&was.dts);
    t->lengths = reuse_counts(&was.lengths);
}

int smi_last_row_store(struct smi_last_row *k, const struct smi_sample *s)
{
    if (smi_mem_reserve(&k->metric, &k->cap, s->n, sizeof *k->metric) ||
        smi_mem_reserve(&k->v, &k->vcap, s->n, sizeof *k->v))
        return -1;
    memcpy(k->metric, s->metric, s->n * sizeof *k->metric);
    memcpy(k->v, s->v, s->n * sizeof *k->v);
    k->n = s->n;
    k->t_ms = s->t_ms;
    k->fine = s->fine;
    k->has = true;
    return 0;
}

struct smi_sample smi_last_row_sample(const struct smi_last_row *k)
{
    return (struct smi_sample){
        .t_ms = k->t_ms, .timed = true, .fine = k->fine, .n = k->n, .metric = k->metric, .v = k->v};
}

/* ---- counters and counts ---- */

struct smi_counter *smi_device_stats_counter(struct smi_device_stats *t, uint16_t metric)
{
    for (size_t i = 0; i < t->counters; i++)
        if (t->counter[i].metric == metric)
            return &t->counter[i];
    if (smi_mem_reserve(&t->counter, &t->counters_cap, t->counters + 1, sizeof *t->counter))
        return NULL;
    t->counter[t->counters] = (struct smi_counter){.metric = metric};
    return &t->counter[t->counters++];
}

/* How much a cumulative counter grew from a to b: a smaller value means that it began again at 0. */
int64_t smi_counter_growth(int64_t a, int64_t b)
{
    return b >= a ? b - a : b;
}

void smi_counter_grow(struct smi_counter *c, int64_t growth, int64_t t_ms)
{
    if (growth == 0)
        return;
    c->increase += growth;
    if (c->rises++ == 0)
        c->first_rise = t_ms;
    c->last_rise = t_ms;
}

int smi_device_stats_add_counter(struct smi_device_stats *t, uint16_t metric, int64_t t_ms, int64_t v)
{
    struct smi_counter *c = smi_device_stats_counter(t, metric);
    if (!c)
        return -1;
    if (c->n++ == 0) {
        c->first_t = t_ms;
        c->first_v = v;
    } else if (v != c->last_v) {
        smi_counter_grow(c, smi_counter_growth(c->last_v, v), t_ms);
    }
    c->last_t = t_ms;
    c->last_v = v;
    return 0;
}

struct smi_counts *smi_device_stats_counts(struct smi_device_stats *t, uint16_t metric)
{
    struct smi_counts *c = t->counts[metric];
    if (!c && t->spare[metric]) {
        c = t->counts[metric] = t->spare[metric];
        t->spare[metric] = NULL;
    }
    if (!c && (c = t->counts[metric] = smi_mem_new(1, sizeof *c)))
        smi_counts_init(c, smi_metrics[metric].step);
    return c;
}

/* ---- phases ---- */

/* Position in smi_phase_stats.pool; kept equal to smi_headline_metric by a test. */
int smi_phase_stats_slot(unsigned metric)
{
    static const uint16_t pool[SMI_BLOCK_SLOTS] = {SMI_GPU_UTIL, SMI_FB_USED, SMI_POWER,
                                                   SMI_MEM_UTIL, SMI_CPU_USR, SMI_CPU_IDLE};
    for (int i = 0; i < SMI_BLOCK_SLOTS; i++)
        if (pool[i] == metric)
            return i;
    return -1;
}

struct smi_phase_stats *smi_device_stats_new_phase(struct smi_device_stats *t, uint16_t phase)
{
    struct smi_phase_stats *p;
    if (smi_mem_reserve(&t->tally_of, &t->tally_room, (size_t)phase + 1, sizeof *t->tally_of) ||
        smi_mem_reserve(&t->tally, &t->tallies_cap, t->tallies + 1, sizeof *t->tally))
        return NULL;
    p = &t->tally[t->tallies];
    *p = (struct smi_phase_stats){.phase = phase,
                                  .energy = {.slot = p->energy.slot, .cap = p->energy.cap},
                                  .idle = {.slot = p->idle.slot, .cap = p->idle.cap}};
    t->tally_of[phase] = (uint32_t)++t->tallies;
    return p;
}

size_t smi_device_stats_phases(struct smi_device_stats *t, int64_t t_ms, const uint16_t **active)
{
    if (!t->opts->phases)
        return 0;
    return smi_phases_at(t->opts->phases, t_ms * 1000 - t->opts->shift_us, &t->hint, active);
}
