/* A track written down: counts, sums by class of interval, stretches, segments, series. */
#include "partial/put_inner.h"

#include <string.h>

void smi_put_wide(struct smi_json *j, smi_i128 v)
{
    char t[SMI_WIDE_TEXT];
    size_t n = smi_wide_put(t, v);
    if (v >= INT64_MIN && v <= INT64_MAX)
        smi_json_int(j, (int64_t)v);
    else
        smi_json_text(j, (struct smi_text){t, n});
}

static int pair(void *self, int64_t v, int64_t n)
{
    smi_json_int(self, v);
    smi_json_int(self, n);
    return 0;
}

void smi_put_counts(struct smi_json *j, const char *key, const struct smi_counts *c)
{
    smi_json_key(j, key);
    smi_json_open(j, '{');
    smi_json_key_int(j, "step", c->step);
    if (c->approximate) {
        smi_json_key(j, "sums");
        smi_json_open(j, '[');
        smi_json_int(j, c->n);
        smi_json_int(j, c->min);
        smi_json_int(j, c->max);
        smi_put_wide(j, c->sum);
        smi_put_wide(j, c->sum2);
        smi_json_close(j, ']');
    }
    smi_json_key(j, "v");
    smi_json_open(j, '[');
    if (smi_counts_each(c, pair, j))
        j->to->failed = true;
    smi_json_close(j, ']');
    smi_json_close(j, '}');
}

static void timesum(struct smi_json *j, const char *key, const struct smi_timesum *s)
{
    smi_json_key(j, key);
    smi_json_open(j, '[');
    for (size_t i = 0; i < s->n; i++) {
        smi_json_int(j, s->slot[i].bin);
        smi_json_int(j, s->slot[i].n);
        smi_json_int(j, s->slot[i].dt);
        smi_put_wide(j, s->slot[i].area);
    }
    smi_json_close(j, ']');
}

static void kept(struct smi_json *j, const char *key, const struct smi_kept *k)
{
    smi_json_key(j, key);
    if (!k->has) {
        smi_json_null(j);
        return;
    }
    smi_json_open(j, '{');
    smi_json_key_int(j, "t", k->t_ms);
    smi_json_key_bool(j, "fine", k->fine);
    smi_json_key(j, "v");
    smi_json_open(j, '{');
    for (unsigned i = 0; i < k->n; i++)
        smi_json_key_int(j, smi_metrics[k->metric[i]].key, k->v[i]);
    smi_json_close(j, '}');
    smi_json_close(j, '}');
}

static void series(struct smi_json *j, const struct smi_series *s)
{
    smi_json_key(j, "series");
    smi_json_open(j, '[');
    smi_json_int(j, s->shift);
    for (size_t i = 0; i < s->n; i++) {
        if (!s->bucket[i].n)
            continue;
        smi_json_int(j, s->base + (int64_t)i);
        smi_json_int(j, s->bucket[i].n);
        smi_json_int(j, s->bucket[i].min);
        smi_json_int(j, s->bucket[i].max);
        smi_put_wide(j, s->bucket[i].sum);
    }
    smi_json_close(j, ']');
}

static void timed(struct smi_json *j, const struct smi_track *t)
{
    smi_json_key(j, "timed");
    smi_json_open(j, '{');
    for (int i = 0; i < SMI_TIMED_COUNT; i++) {
        const struct smi_timed *m = &t->timed[i];
        if (!m->has)
            continue;
        smi_json_key(j, smi_metrics[smi_timed[i]].key);
        smi_json_open(j, '{');
        smi_json_key_int(j, "first_t", m->first_t);
        smi_json_key_int(j, "first_v", m->first_v);
        smi_json_key_int(j, "first_seg", m->first_seg);
        smi_json_key_int(j, "last_t", m->last_t);
        smi_json_key_int(j, "last_v", m->last_v);
        smi_json_key_int(j, "last_seg", m->last_seg);
        timesum(j, "sum", &m->sum);
        series(j, &t->series[i]);
        smi_json_close(j, '}');
    }
    smi_json_close(j, '}');
}

static void counters(struct smi_json *j, const struct smi_track *t)
{
    smi_json_key(j, "counters");
    smi_json_open(j, '{');
    for (size_t i = 0; i < t->counters; i++) {
        const struct smi_counter *c = &t->counter[i];
        smi_json_key(j, smi_metrics[c->metric].key);
        smi_json_open(j, '[');
        smi_json_int(j, c->n);
        smi_json_int(j, c->first_t);
        smi_json_int(j, c->first_v);
        smi_json_int(j, c->last_t);
        smi_json_int(j, c->last_v);
        smi_put_wide(j, c->increase);
        smi_json_int(j, c->rises);
        smi_json_int(j, c->first_rise);
        smi_json_int(j, c->last_rise);
        smi_json_close(j, ']');
    }
    smi_json_close(j, '}');
}

static void tallies(struct smi_json *j, const struct smi_track *t, const struct smi_phases *phases)
{
    smi_json_key(j, "phases");
    smi_json_open(j, '{');
    for (size_t i = 0; i < t->tallies; i++) {
        const struct smi_tally *y = &t->tally[i];
        smi_json_key(j, phases->phase[y->phase].name);
        smi_json_open(j, '{');
        smi_json_key_int(j, "rows", y->rows);
        smi_json_key(j, "pool");
        smi_json_open(j, '[');
        for (int k = 0; k < SMI_BLOCK_SLOTS; k++) {
            smi_json_int(j, y->pool[k].n);
            smi_json_int(j, y->pool[k].max);
            smi_put_wide(j, y->pool[k].sum);
        }
        smi_json_close(j, ']');
        timesum(j, "energy", &y->energy);
        timesum(j, "idle", &y->idle);
        smi_json_close(j, '}');
    }
    smi_json_close(j, '}');
}

static void segments(struct smi_json *j, const struct smi_track *t)
{
    smi_json_key(j, "segments");
    smi_json_open(j, '[');
    smi_json_int(j, t->segments);
    smi_json_int(j, t->segment_rest);
    smi_json_int(j, t->open.first);
    smi_json_int(j, t->open.last);
    for (int64_t i = 0; i + 1 < t->segments && i < SMI_SEGMENTS_MAX; i++) {
        smi_json_int(j, t->segment[i].first);
        smi_json_int(j, t->segment[i].last);
    }
    smi_json_close(j, ']');
}

static void idle_stretch(struct smi_json *j, const struct smi_idle *idle)
{
    smi_json_int(j, idle->ms);
    smi_json_int(j, idle->ms ? idle->from_ms : 0);
}

static void states(struct smi_json *j, const struct smi_track *t)
{
    timesum(j, "covered", &t->covered);
    timesum(j, "idle", &t->idle);
    timesum(j, "lead", &t->lead);
    timesum(j, "trail", &t->trail);
    smi_json_key_bool(j, "worked", t->worked);
    smi_json_key(j, "throttle");
    smi_json_open(j, '{');
    for (int i = 0; i < SMI_THROTTLE_COUNT; i++)
        if (t->throttle[i].n)
            timesum(j, smi_metrics[SMI_THROTTLE_FIRST + i].key, &t->throttle[i]);
    smi_json_close(j, '}');
    smi_json_key(j, "stretch");
    smi_json_open(j, '[');
    smi_json_int(j, t->stretch.prefix);
    smi_json_int(j, t->stretch.suffix);
    smi_json_int(j, t->stretch.best);
    smi_json_int(j, t->stretch.broken);
    smi_json_int(j, t->stretch.suffix ? t->stretch.suffix_from : 0);
    idle_stretch(j, &t->stretch.before);
    idle_stretch(j, &t->stretch.between);
    idle_stretch(j, &t->stretch.since);
    smi_json_int(j, t->stretch.prefix ? t->stretch.prefix_from : 0);
    smi_json_close(j, ']');
}

void smi_put_track(struct smi_json *j, const struct smi_track *t, const struct smi_phases *phases)
{
    if (!t) {
        smi_json_null(j);
        return;
    }
    smi_json_open(j, '{');
    smi_json_key_int(j, "rows", t->rows);
    smi_json_key_bool(j, "dedupe", t->dedupe);
    smi_json_key_bool(j, "timed_rows", t->timed_rows);
    smi_json_key_bool(j, "pooled", t->pooled);
    kept(j, "head", &t->head);
    kept(j, "first", &t->first);
    kept(j, "last", &t->last);
    smi_json_key(j, "counts");
    smi_json_open(j, '{');
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (t->counts[m])
            smi_put_counts(j, smi_metrics[m].key, t->counts[m]);
    smi_json_close(j, '}');
    timed(j, t);
    counters(j, t);
    states(j, t);
    segments(j, t);
    smi_put_counts(j, "dts", &t->dts);
    smi_put_counts(j, "lengths", &t->lengths);
    tallies(j, t, phases);
    smi_json_close(j, '}');
}
