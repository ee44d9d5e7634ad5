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
        smi_series_fini(&t->series[i]);
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
        smi_series_fini(&was.series[i]);
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

/* ---- readings ---- */

static int add_timed(struct smi_device_stats *t, int slot, int64_t t_ms, int64_t v)
{
    struct smi_timed_metrics *m = &t->timed[slot];
    int64_t seg = t->segments - 1;
    if (m->has && m->last_seg == seg && t_ms > m->last_t &&
        smi_device_stats_area(t, slot, t_ms - m->last_t, (smi_i128)(m->last_v + v) * (t_ms - m->last_t),
                              t_ms))
        return -1;
    if (!m->has) {
        m->has = true;
        m->first_t = t_ms;
        m->first_v = v;
        m->first_seg = seg;
    }
    m->last_t = t_ms;
    m->last_v = v;
    m->last_seg = seg;
    return smi_device_stats_has_series(t, slot) ? smi_series_add(&t->series[slot], t_ms, v) : 0;
}

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

static int count_reading(struct smi_device_stats *t, uint16_t metric, int64_t v)
{
    struct smi_counts *c = smi_device_stats_counts(t, metric);
    return c ? smi_counts_add(c, v) : -1;
}

/* Timed metrics come first in the catalogue or are the host's: one look at a small table. */
static const int8_t slot_of[SMI_METRIC_COUNT] = {
    [SMI_GPU_UTIL] = 1, [SMI_MEM_UTIL] = 2, [SMI_FB_USED] = 3, [SMI_POWER] = 4, [SMI_CPU_USR] = 5};

static int add_readings(struct smi_device_stats *t, const struct smi_sample *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        uint16_t m = s->metric[i];
        if (smi_metrics[m].kind == SMI_COUNTER) {
            if (smi_device_stats_add_counter(t, m, s->t_ms, s->v[i]))
                return -1;
            continue;
        }
        if (count_reading(t, m, s->v[i]))
            return -1;
        if (slot_of[m] && s->timed && !t->pooled && add_timed(t, slot_of[m] - 1, s->t_ms, s->v[i]))
            return -1;
    }
    return 0;
}

/* Time goes on from the last row to s: an interval, or a new segment. */
static int advance_time(struct smi_device_stats *t, const struct smi_sample *s,
                        const struct smi_row_states *st, struct smi_counts *dts)
{
    int64_t dt = s->t_ms - t->last.t_ms;
    if (dt < 0) {
        smi_device_stats_close_segment(t);
        t->segments++;
        t->open = (struct smi_segment){s->t_ms, s->t_ms};
        smi_device_stats_end_idle(t);
        return 0;
    }
    t->open.last = s->t_ms;
    return dt > 0 ? smi_device_stats_interval(t, dt, st, s->t_ms, dts) : 0;
}

/* One more row of the body. */
int smi_device_stats_append(struct smi_device_stats *t, const struct smi_sample *s, struct smi_counts *dts)
{
    struct smi_row_states st = smi_device_stats_states(t, s);
    if (!t->first.has) {
        if (smi_last_row_store(&t->first, s))
            return -1;
        t->segments = 1;
        t->open = (struct smi_segment){s->t_ms, s->t_ms};
    } else if (advance_time(t, s, &st, dts)) {
        return -1;
    }
    if (st.util_known && !st.idle)
        smi_device_stats_add_work(t);
    t->rows++;
    t->timed_rows = true;
    if (add_readings(t, s) || (t->opts->phases && smi_device_stats_phase_row(t, s)))
        return -1;
    return smi_last_row_store(&t->last, s);
}

/* The duplicate rule (numbers.md §3) against the last kept row. */
enum smi_add_result smi_device_stats_duplicate(const struct smi_device_stats *t, const struct smi_sample *s)
{
    const struct smi_last_row *k = t->last.has ? &t->last : &t->head;
    return t->dedupe && k->has && s->fine && k->t_ms == s->t_ms ? SMI_ADD_DUPLICATE : SMI_ADD_KEPT;
}

/* A row that cannot be told apart has no neighbours in time, but the time that it shows has passed. */
static void pass_time(struct smi_device_stats *t, int64_t t_ms)
{
    t->timed_rows = true;
    if (t->segments && t_ms >= t->open.last) {
        t->open.last = t_ms;
        return;
    }
    if (t->segments)
        smi_device_stats_close_segment(t);
    t->segments++;
    t->open = (struct smi_segment){t_ms, t_ms};
}

enum smi_add_result smi_device_stats_add(struct smi_device_stats *t, const struct smi_sample *s,
                                         struct smi_err *err)
{
    enum smi_add_result what;
    if (!s->timed || t->pooled) {
        t->rows++;
        if (s->timed)
            pass_time(t, s->t_ms);
        if (add_readings(t, s) || (s->timed && t->opts->phases && smi_device_stats_phase_row(t, s)))
            return smi_err_nomem(err), SMI_ADD_ERROR;
        return SMI_ADD_KEPT;
    }
    if (t->dedupe && !t->head.has && !t->first.has) {
        t->timed_rows = true;
        return smi_last_row_store(&t->head, s) ? smi_err_nomem(err) : SMI_ADD_WITHHELD;
    }
    what = smi_device_stats_duplicate(t, s);
    if (what != SMI_ADD_KEPT)
        return what;
    return smi_device_stats_append(t, s, &t->dts) ? smi_err_nomem(err) : SMI_ADD_KEPT;
}
