#include "stats/track.h"

#include "base/mem.h"

#include <string.h>

/* Position in smi_tally.pool; kept equal to smi_block_metric by a test. */
static int pool_slot(unsigned metric)
{
    switch (metric) {
    case SMI_GPU_UTIL: return 0;
    case SMI_FB_USED: return 1;
    case SMI_POWER: return 2;
    case SMI_MEM_UTIL: return 3;
    case SMI_CPU_USR: return 4;
    case SMI_CPU_IDLE: return 5;
    default: return -1;
    }
}

void smi_track_init(struct smi_track *t, const struct smi_track_opts *o, bool dedupe)
{
    *t = (struct smi_track){.opts = o, .dedupe = dedupe};
    smi_counts_init(&t->dts, 1);
}

static void kept_fini(struct smi_kept *k)
{
    smi_mem_free(k->metric);
    smi_mem_free(k->v);
}

void smi_track_fini(struct smi_track *t)
{
    kept_fini(&t->head);
    kept_fini(&t->first);
    kept_fini(&t->last);
    for (int m = 0; m < SMI_METRIC_COUNT; m++) {
        if (t->counts[m])
            smi_counts_fini(t->counts[m]);
        smi_mem_free(t->counts[m]);
    }
    for (int i = 0; i < SMI_TIMED_COUNT; i++) {
        smi_timesum_fini(&t->timed[i].sum);
        smi_series_fini(&t->series[i]);
    }
    for (int i = 0; i < SMI_THROTTLE_COUNT; i++)
        smi_timesum_fini(&t->throttle[i]);
    smi_timesum_fini(&t->covered);
    smi_timesum_fini(&t->idle);
    smi_timesum_fini(&t->lead);
    smi_timesum_fini(&t->trail);
    for (size_t i = 0; i < t->tallies; i++) {
        smi_timesum_fini(&t->tally[i].energy);
        smi_timesum_fini(&t->tally[i].idle);
    }
    smi_mem_free(t->tally);
    smi_mem_free(t->counter);
    smi_counts_fini(&t->dts);
    *t = (struct smi_track){.opts = t->opts, .dedupe = t->dedupe};
}

static int keep(struct smi_kept *k, const struct smi_sample *s)
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

static struct smi_sample lend(const struct smi_kept *k)
{
    return (struct smi_sample){.t_ms = k->t_ms, .timed = true, .fine = k->fine, .n = k->n, .metric = k->metric, .v = k->v};
}

/* ---- phases ---- */

static struct smi_tally *tally(struct smi_track *t, uint16_t phase)
{
    struct smi_tally *p;
    for (size_t i = t->tallies; i-- > 0;)
        if (t->tally[i].phase == phase)
            return &t->tally[i];
    if (smi_mem_reserve(&t->tally, &t->tallies_cap, t->tallies + 1, sizeof *t->tally))
        return NULL;
    p = &t->tally[t->tallies++];
    *p = (struct smi_tally){.phase = phase};
    return p;
}

static size_t phases_at(struct smi_track *t, int64_t t_ms, const uint16_t **active)
{
    if (!t->opts->phases)
        return 0;
    return smi_phases_at(t->opts->phases, t_ms * 1000 - t->opts->shift_us, &t->hint, active);
}

static int tally_row(struct smi_track *t, const struct smi_sample *s)
{
    const uint16_t *active;
    size_t n = phases_at(t, s->t_ms, &active);
    for (size_t i = 0; i < n; i++) {
        struct smi_tally *p = tally(t, active[i]);
        if (!p)
            return -1;
        p->rows++;
        for (unsigned k = 0; k < s->n; k++) {
            int slot = pool_slot(s->metric[k]);
            if (slot < 0)
                continue;
            if (p->pool[slot].n == 0 || s->v[k] > p->pool[slot].max)
                p->pool[slot].max = s->v[k];
            p->pool[slot].n++;
            p->pool[slot].sum += s->v[k];
        }
    }
    return 0;
}

/* ---- intervals ---- */

/* The states that an interval takes from its end row. */
struct states {
    bool util_known, idle;
    uint32_t known, active; /* throttle reasons */
};

static struct states states_of(const struct smi_track *t, const struct smi_sample *s)
{
    struct states st = {0};
    for (unsigned i = 0; i < s->n; i++) {
        unsigned m = s->metric[i];
        if (m == SMI_GPU_UTIL) {
            st.util_known = true;
            st.idle = s->v[i] <= t->opts->idle_below;
        } else if (m >= SMI_THROTTLE_FIRST && m < SMI_THROTTLE_FIRST + SMI_THROTTLE_COUNT) {
            st.known |= 1u << (m - SMI_THROTTLE_FIRST);
            st.active |= (uint32_t)(s->v[i] != 0) << (m - SMI_THROTTLE_FIRST);
        }
    }
    return st;
}

static void break_stretch(struct smi_track *t)
{
    t->stretch.broken = true;
    t->stretch.suffix = 0;
}

static void lengthen_stretch(struct smi_track *t, int64_t dt)
{
    t->stretch.suffix += dt;
    if (!t->stretch.broken)
        t->stretch.prefix += dt;
    if (t->stretch.suffix > t->stretch.best)
        t->stretch.best = t->stretch.suffix;
}

static int add_idle(struct smi_track *t, unsigned class, int64_t dt, bool idle)
{
    if (smi_timesum_add(&t->idle, class, 1, dt, idle ? dt : 0))
        return -1;
    if (idle && !t->worked && smi_timesum_add(&t->lead, class, 1, dt, 0))
        return -1;
    return idle ? smi_timesum_add(&t->trail, class, 1, dt, 0) : 0;
}

static int tally_interval(struct smi_track *t, unsigned class, int64_t dt, const struct states *st, int64_t end_ms)
{
    const uint16_t *active;
    size_t n = phases_at(t, end_ms, &active);
    for (size_t i = 0; i < n; i++) {
        struct smi_tally *p = tally(t, active[i]);
        if (!p || smi_timesum_add(&p->idle, class, st->util_known, dt, st->util_known && st->idle ? dt : 0))
            return -1;
    }
    return 0;
}

/* The interval of dt > 0 ms that ends with a row in these states. */
static int add_interval(struct smi_track *t, int64_t dt, const struct states *st, int64_t end_ms,
                        struct smi_counts *dts)
{
    unsigned class = smi_dt_class(dt);
    if (smi_counts_add(dts, dt) || smi_timesum_add(&t->covered, class, 1, dt, 0))
        return -1;
    if (st->util_known && add_idle(t, class, dt, st->idle))
        return -1;
    if (t->opts->phases && tally_interval(t, class, dt, st, end_ms))
        return -1;
    for (int r = 0; st->known >> r; r++)
        if ((st->known >> r & 1) &&
            smi_timesum_add(&t->throttle[r], class, 1, dt, (st->active >> r & 1) ? dt : 0))
            return -1;
    if (dt > SMI_IDLE_BREAK_MS)
        break_stretch(t);
    else if (st->util_known && st->idle)
        lengthen_stretch(t, dt);
    return 0;
}

static void close_segment(struct smi_track *t)
{
    if (t->segments <= SMI_SEGMENTS_MAX)
        t->segment[t->segments - 1] = t->open;
    else
        t->segment_rest += t->open.last - t->open.first;
}

/* Time goes on from the last row to s: an interval, or a new segment. */
static int step(struct smi_track *t, const struct smi_sample *s, const struct states *st, struct smi_counts *dts)
{
    int64_t dt = s->t_ms - t->last.t_ms;
    if (dt < 0) {
        close_segment(t);
        t->segments++;
        t->open = (struct smi_segment){s->t_ms, s->t_ms};
        break_stretch(t);
        return 0;
    }
    t->open.last = s->t_ms;
    return dt > 0 ? add_interval(t, dt, st, s->t_ms, dts) : 0;
}

/* ---- readings ---- */

static int add_area(struct smi_track *t, int slot, int64_t dt, smi_i128 area, int64_t end_ms)
{
    const uint16_t *active;
    unsigned class = smi_dt_class(dt);
    size_t n;
    if (smi_timesum_add(&t->timed[slot].sum, class, 1, dt, area))
        return -1;
    if (smi_timed[slot] != SMI_POWER)
        return 0;
    n = phases_at(t, end_ms, &active);
    for (size_t i = 0; i < n; i++) {
        struct smi_tally *p = tally(t, active[i]);
        if (!p || smi_timesum_add(&p->energy, class, 1, dt, area))
            return -1;
    }
    return 0;
}

static int add_timed(struct smi_track *t, int slot, int64_t t_ms, int64_t v)
{
    struct smi_timed *m = &t->timed[slot];
    int64_t seg = t->segments - 1;
    if (m->has && m->last_seg == seg && t_ms > m->last_t &&
        add_area(t, slot, t_ms - m->last_t, (smi_i128)(m->last_v + v) * (t_ms - m->last_t), t_ms))
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
    return smi_series_add(&t->series[slot], t_ms, v);
}

static struct smi_counter *counter(struct smi_track *t, uint16_t metric)
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
static int64_t growth(int64_t a, int64_t b)
{
    return b >= a ? b - a : b;
}

static int add_counter(struct smi_track *t, uint16_t metric, int64_t t_ms, int64_t v)
{
    struct smi_counter *c = counter(t, metric);
    if (!c)
        return -1;
    if (c->n++ == 0) {
        c->first_t = t_ms;
        c->first_v = v;
    } else {
        c->increase += growth(c->last_v, v);
    }
    c->last_t = t_ms;
    c->last_v = v;
    return 0;
}

static int count(struct smi_track *t, uint16_t metric, int64_t v)
{
    struct smi_counts *c = t->counts[metric];
    if (!c) {
        c = t->counts[metric] = smi_mem_new(1, sizeof *c);
        if (!c)
            return -1;
        smi_counts_init(c, smi_metrics[metric].step);
    }
    return smi_counts_add(c, v);
}

/* Timed metrics come first in the catalogue or are the host's: one look at a small table. */
static const int8_t slot_of[SMI_METRIC_COUNT] = {
    [SMI_GPU_UTIL] = 1, [SMI_MEM_UTIL] = 2, [SMI_FB_USED] = 3, [SMI_POWER] = 4, [SMI_CPU_USR] = 5};

static int add_readings(struct smi_track *t, const struct smi_sample *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        uint16_t m = s->metric[i];
        if (smi_metrics[m].kind == SMI_COUNTER) {
            if (add_counter(t, m, s->t_ms, s->v[i]))
                return -1;
            continue;
        }
        if (count(t, m, s->v[i]))
            return -1;
        if (slot_of[m] && s->timed && !t->pooled && add_timed(t, slot_of[m] - 1, s->t_ms, s->v[i]))
            return -1;
    }
    return 0;
}

/* One more row of the body. */
static int append(struct smi_track *t, const struct smi_sample *s, struct smi_counts *dts)
{
    struct states st = states_of(t, s);
    if (!t->first.has) {
        if (keep(&t->first, s))
            return -1;
        t->segments = 1;
        t->open = (struct smi_segment){s->t_ms, s->t_ms};
    } else if (step(t, s, &st, dts)) {
        return -1;
    }
    if (st.util_known && !st.idle) {
        t->worked = true;
        smi_timesum_clear(&t->trail);
        break_stretch(t);
    }
    t->rows++;
    t->timed_rows = true;
    if (add_readings(t, s) || (t->opts->phases && tally_row(t, s)))
        return -1;
    return keep(&t->last, s);
}

static bool equal(const struct smi_kept *k, const struct smi_sample *s)
{
    return k->n == s->n && memcmp(k->metric, s->metric, s->n * sizeof *s->metric) == 0 &&
           memcmp(k->v, s->v, s->n * sizeof *s->v) == 0;
}

/* The duplicate rule (numbers.md §3) against the last kept row. */
static enum smi_taken duplicate(const struct smi_track *t, const struct smi_sample *s)
{
    const struct smi_kept *k = t->last.has ? &t->last : &t->head;
    if (!t->dedupe || !k->has || !s->fine || k->t_ms != s->t_ms)
        return SMI_TAKEN_KEPT;
    return equal(k, s) ? SMI_TAKEN_DUPLICATE : SMI_TAKEN_DIFFERS;
}

/* A row that cannot be told apart has no neighbours in time, but the time that it shows has passed. */
static void pass_time(struct smi_track *t, int64_t t_ms)
{
    t->timed_rows = true;
    if (t->segments && t_ms >= t->open.last) {
        t->open.last = t_ms;
        return;
    }
    if (t->segments)
        close_segment(t);
    t->segments++;
    t->open = (struct smi_segment){t_ms, t_ms};
}

enum smi_taken smi_track_take(struct smi_track *t, const struct smi_sample *s, struct smi_err *err)
{
    enum smi_taken what;
    if (!s->timed || t->pooled) {
        t->rows++;
        if (s->timed)
            pass_time(t, s->t_ms);
        if (add_readings(t, s) || (s->timed && t->opts->phases && tally_row(t, s)))
            return smi_err_nomem(err), SMI_TAKEN_ERROR;
        return SMI_TAKEN_KEPT;
    }
    if (t->dedupe && !t->head.has && !t->first.has) {
        t->timed_rows = true;
        return keep(&t->head, s) ? smi_err_nomem(err) : SMI_TAKEN_WITHHELD;
    }
    what = duplicate(t, s);
    if (what != SMI_TAKEN_KEPT)
        return what;
    return append(t, s, &t->dts) ? smi_err_nomem(err) : SMI_TAKEN_KEPT;
}

/* ---- joining ---- */

static int join_timed(struct smi_track *a, struct smi_track *b, int slot, bool back, int64_t seg_shift)
{
    struct smi_timed *x = &a->timed[slot], *y = &b->timed[slot];
    int64_t dt;
    if (smi_series_merge(&a->series[slot], &b->series[slot]))
        return -1;
    if (!y->has)
        return 0;
    dt = y->first_t - x->last_t;
    if (x->has && !back && x->last_seg == a->segments - 1 && y->first_seg == 0 && dt > 0 &&
        add_area(a, slot, dt, (smi_i128)(x->last_v + y->first_v) * dt, y->first_t))
        return -1;
    if (!x->has) {
        x->has = true;
        x->first_t = y->first_t;
        x->first_v = y->first_v;
        x->first_seg = y->first_seg + seg_shift;
    }
    x->last_t = y->last_t;
    x->last_v = y->last_v;
    x->last_seg = y->last_seg + seg_shift;
    return smi_timesum_merge(&x->sum, &y->sum);
}

static int join_counters(struct smi_track *a, const struct smi_track *b)
{
    for (size_t i = 0; i < b->counters; i++) {
        const struct smi_counter *y = &b->counter[i];
        struct smi_counter *x = counter(a, y->metric);
        if (!x)
            return -1;
        if (x->n == 0) {
            *x = *y;
            continue;
        }
        x->increase += growth(x->last_v, y->first_v) + y->increase;
        x->n += y->n;
        x->last_t = y->last_t;
        x->last_v = y->last_v;
    }
    return 0;
}

static int join_counts(struct smi_track *a, struct smi_track *b)
{
    for (int m = 0; m < SMI_METRIC_COUNT; m++) {
        if (!b->counts[m])
            continue;
        if (!a->counts[m]) {
            a->counts[m] = b->counts[m];
            b->counts[m] = NULL;
        } else if (smi_counts_merge(a->counts[m], b->counts[m])) {
            return -1;
        }
    }
    return 0;
}

static int join_tallies(struct smi_track *a, const struct smi_track *b)
{
    for (size_t i = 0; i < b->tallies; i++) {
        const struct smi_tally *y = &b->tally[i];
        struct smi_tally *x = tally(a, y->phase);
        if (!x || smi_timesum_merge(&x->energy, &y->energy) || smi_timesum_merge(&x->idle, &y->idle))
            return -1;
        x->rows += y->rows;
        for (int k = 0; k < SMI_BLOCK_SLOTS; k++) {
            if (y->pool[k].n && (x->pool[k].n == 0 || y->pool[k].max > x->pool[k].max))
                x->pool[k].max = y->pool[k].max;
            x->pool[k].n += y->pool[k].n;
            x->pool[k].sum += y->pool[k].sum;
        }
    }
    return 0;
}

static void join_stretch(struct smi_track *a, const struct smi_track *b)
{
    int64_t across = a->stretch.suffix + b->stretch.prefix;
    if (b->stretch.best > a->stretch.best)
        a->stretch.best = b->stretch.best;
    if (across > a->stretch.best)
        a->stretch.best = across;
    if (!a->stretch.broken)
        a->stretch.prefix += b->stretch.prefix;
    a->stretch.suffix = b->stretch.broken ? b->stretch.suffix : across;
    a->stretch.broken |= b->stretch.broken;
}

/* Appends b's segments; unless time goes back at the edge, its first one continues a's last. */
static void join_segments(struct smi_track *a, const struct smi_track *b)
{
    for (int64_t i = 0; i < b->segments; i++) {
        struct smi_segment s = i == b->segments - 1 ? b->open : i < SMI_SEGMENTS_MAX ? b->segment[i] : (struct smi_segment){0};
        if (i == 0 && a->segments && s.first >= a->open.last) {
            a->open.last = s.last;
            continue;
        }
        if (a->segments)
            close_segment(a);
        a->segments++;
        a->open = s;
        if (i >= SMI_SEGMENTS_MAX - 1 && i < b->segments - 1) { /* the middle of a very long list is known as a sum only */
            int64_t skip = b->segments - 2 - i;
            close_segment(a);
            a->segments += skip + 1;
            a->segment_rest += b->segment_rest;
            a->open = b->open;
            break;
        }
    }
}

static int join_idle(struct smi_track *a, struct smi_track *b)
{
    if (smi_timesum_merge(&a->idle, &b->idle) || (!a->worked && smi_timesum_merge(&a->lead, &b->lead)))
        return -1;
    if (b->worked)
        smi_timesum_clear(&a->trail);
    if (smi_timesum_merge(&a->trail, &b->trail) || smi_timesum_merge(&a->covered, &b->covered))
        return -1;
    a->worked |= b->worked;
    for (int r = 0; r < SMI_THROTTLE_COUNT; r++)
        if (smi_timesum_merge(&a->throttle[r], &b->throttle[r]))
            return -1;
    return 0;
}

/* The bodies of a and b become one. b's rows come after a's. */
static int link(struct smi_track *a, struct smi_track *b, struct smi_counts *edge)
{
    struct smi_sample first = lend(&b->first);
    struct states st = states_of(a, &first);
    int64_t dt = first.t_ms - a->last.t_ms, seg_shift = a->segments - (dt >= 0);
    struct smi_kept last = a->last;
    if (dt < 0)
        break_stretch(a);
    else if (dt > 0 && add_interval(a, dt, &st, first.t_ms, edge))
        return -1;
    for (int i = 0; i < SMI_TIMED_COUNT; i++)
        if (join_timed(a, b, i, dt < 0, seg_shift))
            return -1;
    join_stretch(a, b);
    join_segments(a, b);
    a->last = b->last;
    b->last = last;
    return join_idle(a, b);
}

/* b's whole body moves into a, whose body is empty. */
static int adopt(struct smi_track *a, struct smi_track *b)
{
    struct smi_track t = *a;
    *a = *b;
    a->head = t.head;
    a->dedupe = t.dedupe;
    t.head = b->head;
    *b = t;
    if (join_counts(a, b) || join_counters(a, b)) /* rows without times that a had */
        return -1;
    a->rows += b->rows;
    a->timed_rows |= b->timed_rows;
    return smi_counts_merge(&a->dts, &b->dts);
}

/* All of b's body after a's body. */
static int join_bodies(struct smi_track *a, struct smi_track *b, struct smi_counts *edge)
{
    if (a->pooled)
        join_segments(a, b);
    else if (!a->first.has)
        return adopt(a, b);
    else if (b->first.has && link(a, b, edge))
        return -1;
    if (join_counts(a, b) || join_counters(a, b) || join_tallies(a, b))
        return -1;
    a->rows += b->rows;
    a->timed_rows |= b->timed_rows;
    return smi_counts_merge(&a->dts, &b->dts);
}

int smi_track_join(struct smi_track *a, struct smi_track *b, enum smi_taken *head, struct smi_counts *edge,
                   struct smi_err *err)
{
    *head = SMI_TAKEN_WITHHELD;
    if (b->head.has && !a->head.has && !a->first.has) {
        struct smi_kept k = a->head; /* a has no row with a time: b's first row stays withheld */
        a->head = b->head;
        b->head = k;
    } else if (b->head.has) {
        struct smi_sample s = lend(&b->head);
        *head = duplicate(a, &s);
        if (*head == SMI_TAKEN_KEPT && append(a, &s, edge))
            return smi_err_nomem(err);
    }
    return join_bodies(a, b, edge) ? smi_err_nomem(err) : 0;
}

int smi_track_close(struct smi_track *t, struct smi_counts *edge, struct smi_err *err)
{
    struct smi_track front;
    struct smi_sample s = lend(&t->head);
    int rc;
    if (!t->head.has)
        return 0;
    smi_track_init(&front, t->opts, t->dedupe);
    rc = append(&front, &s, edge) || join_bodies(&front, t, edge);
    if (rc == 0) {
        struct smi_track old = *t;
        *t = front;
        front = old;
    }
    smi_track_fini(&front);
    return rc ? smi_err_nomem(err) : 1;
}
