/* Reads partial summaries back. They come from other machines: every number is checked before it is used. */
#include "summary/partial.h"

#include <jansson.h>
#include <string.h>

/* The document that is read; the first thing wrong stops it. */
struct get {
    struct smi_run *run;
    const char *name;
    struct smi_err *err;
    uint32_t doc; /* its number, from 1 */
    bool bad;
};

static void wrong(struct get *g, const char *what)
{
    if (!g->bad)
        smi_err_set(g->err, SMI_EFORMAT, "%.200s: broken partial summary (%s)", g->name, what);
    g->bad = true;
}

static void *nomem(struct get *g)
{
    if (!g->bad)
        smi_err_nomem(g->err);
    g->bad = true;
    return NULL;
}

/* Nothing that is counted or timed comes near it, and sums of many partials stay inside 64 bits. */
static const int64_t most = (int64_t)1 << 53;

/* An integer of at most 2^53 either way; 0 if it is none. */
static int64_t get_int(struct get *g, const json_t *v)
{
    int64_t i = json_integer_value(v);
    if (!json_is_integer(v) || i > most || i < -most) {
        wrong(g, "a number is missing, or out of range");
        return 0;
    }
    return i;
}

static int64_t key_int(struct get *g, const json_t *o, const char *key)
{
    return get_int(g, json_object_get(o, key));
}

static int64_t key_count(struct get *g, const json_t *o, const char *key)
{
    int64_t v = key_int(g, o, key);
    if (v < 0)
        wrong(g, key);
    return v < 0 ? 0 : v;
}

static bool key_bool(const json_t *o, const char *key)
{
    return json_is_true(json_object_get(o, key));
}

static smi_i128 get_wide(struct get *g, const json_t *v)
{
    smi_i128 w = 0;
    if (json_is_integer(v))
        return json_integer_value(v);
    if (!json_is_string(v) || smi_wide_get(json_string_value(v), json_string_length(v), &w))
        wrong(g, "a sum is missing");
    if (w >> 125 != 0 && w >> 125 != -1) {
        wrong(g, "a sum is out of range");
        w = 0;
    }
    return w;
}

/* A fresh copy of a string, or NULL for null. */
static char *get_text(struct get *g, const json_t *v)
{
    char *t = json_is_string(v) ? smi_mem_text(json_string_value(v), json_string_length(v)) : NULL;
    if (json_is_string(v) && !t)
        nomem(g);
    return t;
}

static int get_metric(struct get *g, const char *key)
{
    int m = smi_metric_find(key, strlen(key));
    if (m < 0)
        wrong(g, "a metric that this version does not know");
    return m;
}

/* ---- counts, sums ---- */

static void get_counts(struct get *g, const json_t *o, struct smi_counts *c)
{
    const json_t *v = json_object_get(o, "v"), *sums = json_object_get(o, "sums");
    int64_t step = key_int(g, o, "step");
    if (step < 1 || json_array_size(v) % 2)
        wrong(g, "counts");
    smi_counts_init(c, step < 1 ? 1 : step);
    c->approximate = json_array_size(sums) == 5;
    for (size_t i = 0; i + 1 < json_array_size(v) && !g->bad; i += 2) {
        int64_t key = get_int(g, json_array_get(v, i)), n = get_int(g, json_array_get(v, i + 1));
        if (n <= 0 || key >= (int64_t)1 << 43 || key <= -((int64_t)1 << 43))
            wrong(g, "a count");
        else if (c->approximate ? smi_counts_put_bucket(c, key, n) : smi_counts_add_many(c, key, n))
            nomem(g);
    }
    if (c->approximate && json_array_size(sums) == 5) {
        c->n = get_int(g, json_array_get(sums, 0));
        c->min = get_int(g, json_array_get(sums, 1));
        c->max = get_int(g, json_array_get(sums, 2));
        c->sum = get_wide(g, json_array_get(sums, 3));
        c->sum2 = get_wide(g, json_array_get(sums, 4));
    }
}

static void get_timesum(struct get *g, const json_t *a, struct smi_timesum *s)
{
    if (!json_is_array(a) || json_array_size(a) % 4)
        wrong(g, "time sums");
    for (size_t i = 0; i + 3 < json_array_size(a) && !g->bad; i += 4) {
        int64_t class = get_int(g, json_array_get(a, i)), n = get_int(g, json_array_get(a, i + 1)),
                dt = get_int(g, json_array_get(a, i + 2));
        if (class < 0 || class >= 512 || n < 0 || dt < 0)
            wrong(g, "time sums");
        else if (smi_timesum_add(s, (unsigned)class, n, dt, get_wide(g, json_array_get(a, i + 3))))
            nomem(g);
    }
}

static void get_series(struct get *g, const json_t *a, struct smi_series *s)
{
    int64_t shift = get_int(g, json_array_get(a, 0));
    if (shift < 0 || shift > 48 || json_array_size(a) % 5 != 1)
        wrong(g, "series");
    for (size_t i = 1; i + 4 < json_array_size(a) && !g->bad; i += 5) {
        struct smi_bucket b = {get_int(g, json_array_get(a, i + 1)), get_int(g, json_array_get(a, i + 2)),
                               get_int(g, json_array_get(a, i + 3)), get_wide(g, json_array_get(a, i + 4))};
        int64_t index = get_int(g, json_array_get(a, i));
        if (b.n <= 0 || index > most >> shift || index < -(most >> shift))
            wrong(g, "series");
        else if (smi_series_put(s, index, (unsigned)shift, &b))
            nomem(g);
    }
}

/* ---- tracks ---- */

static void get_kept(struct get *g, const json_t *o, struct smi_kept *k)
{
    const json_t *v = json_object_get(o, "v");
    const char *key;
    json_t *value;
    size_t n = json_object_size(v);
    if (!json_is_object(o))
        return;
    if (n == 0 || n > SMI_SAMPLE_MAX) {
        wrong(g, "a row without readings");
        return;
    }
    if (smi_mem_reserve(&k->metric, &k->cap, n, sizeof *k->metric) ||
        smi_mem_reserve(&k->v, &k->vcap, n, sizeof *k->v)) {
        nomem(g);
        return;
    }
    k->has = true;
    k->t_ms = key_int(g, o, "t");
    k->fine = key_bool(o, "fine");
    json_object_foreach((json_t *)v, key, value) {
        int m = get_metric(g, key);
        if (m < 0)
            return;
        k->metric[k->n] = (uint16_t)m;
        k->v[k->n++] = get_int(g, value);
    }
}

static void get_timed(struct get *g, const json_t *o, struct smi_track *t)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)o, key, v) {
        int m = get_metric(g, key), slot = m < 0 ? -1 : smi_timed_slot((unsigned)m);
        struct smi_timed *x;
        if (slot < 0) {
            wrong(g, "timed metrics");
            return;
        }
        x = &t->timed[slot];
        x->has = true;
        x->first_t = key_int(g, v, "first_t");
        x->first_v = key_int(g, v, "first_v");
        x->first_seg = key_count(g, v, "first_seg");
        x->last_t = key_int(g, v, "last_t");
        x->last_v = key_int(g, v, "last_v");
        x->last_seg = key_count(g, v, "last_seg");
        get_timesum(g, json_object_get(v, "sum"), &x->sum);
        get_series(g, json_object_get(v, "series"), &t->series[slot]);
    }
}

static void get_counters(struct get *g, const json_t *o, struct smi_track *t)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)o, key, v) {
        int m = get_metric(g, key);
        struct smi_counter *c;
        if (m < 0)
            return;
        if (smi_mem_reserve(&t->counter, &t->counters_cap, t->counters + 1, sizeof *t->counter)) {
            nomem(g);
            return;
        }
        c = &t->counter[t->counters++];
        *c = (struct smi_counter){(uint16_t)m, get_int(g, json_array_get(v, 0)), get_int(g, json_array_get(v, 1)),
                                  get_int(g, json_array_get(v, 2)), get_int(g, json_array_get(v, 3)),
                                  get_int(g, json_array_get(v, 4)), get_wide(g, json_array_get(v, 5))};
    }
}

static void get_all_counts(struct get *g, const json_t *o, struct smi_track *t)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)o, key, v) {
        int m = get_metric(g, key);
        if (m < 0)
            return;
        t->counts[m] = smi_mem_new(1, sizeof **t->counts);
        if (!t->counts[m]) {
            nomem(g);
            return;
        }
        get_counts(g, v, t->counts[m]);
        if (json_array_size(json_object_get(v, "v")) == 0)
            wrong(g, "a metric without values");
    }
}

static void get_states(struct get *g, const json_t *o, struct smi_track *t)
{
    const json_t *stretch = json_object_get(o, "stretch");
    const char *key;
    json_t *v;
    get_timesum(g, json_object_get(o, "covered"), &t->covered);
    get_timesum(g, json_object_get(o, "idle"), &t->idle);
    get_timesum(g, json_object_get(o, "lead"), &t->lead);
    get_timesum(g, json_object_get(o, "trail"), &t->trail);
    t->worked = key_bool(o, "worked");
    t->stretch.prefix = get_int(g, json_array_get(stretch, 0));
    t->stretch.suffix = get_int(g, json_array_get(stretch, 1));
    t->stretch.best = get_int(g, json_array_get(stretch, 2));
    t->stretch.broken = get_int(g, json_array_get(stretch, 3)) != 0;
    json_object_foreach(json_object_get(o, "throttle"), key, v) {
        int m = get_metric(g, key) - SMI_THROTTLE_FIRST;
        if (m < 0 || m >= SMI_THROTTLE_COUNT) {
            wrong(g, "throttle");
            return;
        }
        get_timesum(g, v, &t->throttle[m]);
    }
}

static void get_segments(struct get *g, const json_t *a, struct smi_track *t)
{
    size_t n = json_array_size(a);
    t->segments = get_int(g, json_array_get(a, 0));
    t->segment_rest = get_int(g, json_array_get(a, 1));
    t->open = (struct smi_segment){get_int(g, json_array_get(a, 2)), get_int(g, json_array_get(a, 3))};
    if (t->segments < 0 || (!t->pooled && (t->segments == 0) != !t->first.has) || n < 4 || n % 2 ||
        (n - 4) / 2 != (size_t)(t->segments > SMI_SEGMENTS_MAX ? SMI_SEGMENTS_MAX : t->segments ? t->segments - 1 : 0)) {
        wrong(g, "segments");
        return;
    }
    for (size_t i = 0; i < (n - 4) / 2; i++)
        t->segment[i] = (struct smi_segment){get_int(g, json_array_get(a, 4 + 2 * i)),
                                             get_int(g, json_array_get(a, 5 + 2 * i))};
}

static void get_tallies(struct get *g, const json_t *o, struct smi_track *t)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)o, key, v) {
        int number = smi_phases_find(&g->run->log.phases, smi_text_of(key));
        const json_t *pool = json_object_get(v, "pool");
        struct smi_tally *y;
        if (number < 0) {
            wrong(g, "a phase without run log");
            return;
        }
        if (smi_mem_reserve(&t->tally, &t->tallies_cap, t->tallies + 1, sizeof *t->tally)) {
            nomem(g);
            return;
        }
        y = &t->tally[t->tallies++];
        *y = (struct smi_tally){.phase = (uint16_t)number, .rows = key_count(g, v, "rows")};
        for (size_t k = 0; k < SMI_BLOCK_SLOTS; k++) {
            y->pool[k].n = get_int(g, json_array_get(pool, 3 * k));
            y->pool[k].max = get_int(g, json_array_get(pool, 3 * k + 1));
            y->pool[k].sum = get_wide(g, json_array_get(pool, 3 * k + 2));
        }
        get_timesum(g, json_object_get(v, "energy"), &y->energy);
        get_timesum(g, json_object_get(v, "idle"), &y->idle);
    }
}

static struct smi_track *get_track(struct get *g, const json_t *o, struct smi_part *p)
{
    struct smi_track *t;
    if (!json_is_object(o) || g->bad)
        return NULL;
    t = smi_mem_new(1, sizeof *t);
    if (!t)
        return nomem(g);
    smi_track_init(t, &p->opts, key_bool(o, "dedupe"));
    t->rows = key_count(g, o, "rows");
    t->timed_rows = key_bool(o, "timed_rows");
    t->pooled = key_bool(o, "pooled");
    get_kept(g, json_object_get(o, "head"), &t->head);
    get_kept(g, json_object_get(o, "first"), &t->first);
    get_kept(g, json_object_get(o, "last"), &t->last);
    if (t->first.has != t->last.has)
        wrong(g, "edges");
    get_all_counts(g, json_object_get(o, "counts"), t);
    get_timed(g, json_object_get(o, "timed"), t);
    get_counters(g, json_object_get(o, "counters"), t);
    get_states(g, o, t);
    get_segments(g, json_object_get(o, "segments"), t);
    smi_counts_fini(&t->dts);
    get_counts(g, json_object_get(o, "dts"), &t->dts);
    get_tallies(g, json_object_get(o, "phases"), t);
    return t;
}

/* ---- parts ---- */

static void get_account(struct get *g, const json_t *o, struct smi_account *a)
{
    const json_t *v = json_object_get(o, "account"), *said = json_object_get(o, "said"), *list = json_object_get(o, "problems");
    int64_t *const to[] = {&a->lines, &a->header, &a->rows, &a->duplicates, &a->duplicates_differ, &a->blank, &a->messages,
                           &a->cells_missing, &a->cells_bad, &a->out_of_range, &a->undecided, &a->ragged_bursts,
                           &a->ragged_rows, &a->burst, &a->changes};
    size_t n = sizeof to / sizeof *to;
    for (size_t i = 0; i < n; i++)
        *to[i] = get_int(g, json_array_get(v, i));
    for (size_t i = 0; i < SMI_REJECT_COUNT; i++)
        a->rejected[i] = get_int(g, json_array_get(v, n + i));
    for (size_t i = 0; i < sizeof a->said / sizeof *a->said; i++)
        a->said[i] = get_int(g, json_array_get(said, i));
    for (size_t i = 0; i + 2 < json_array_size(list) && !g->bad; i += 3) {
        struct smi_problem *p;
        if (smi_mem_reserve(&a->problem, &a->cap, a->problems + 1, sizeof *a->problem)) {
            nomem(g);
            return;
        }
        p = &a->problem[a->problems];
        p->kind = (int)get_int(g, json_array_get(list, i));
        p->line = get_int(g, json_array_get(list, i + 1));
        p->text = get_text(g, json_array_get(list, i + 2));
        if (!p->text || p->kind < 0 || p->kind > SMI_ODD_OTHER)
            wrong(g, "problems");
        a->problems++;
    }
}

static void get_devices(struct get *g, const json_t *a, struct smi_devices *d)
{
    size_t n = json_array_size(a);
    if (n > SMI_DEVICE_MAX || smi_mem_reserve(&d->list, &d->cap, n, sizeof *d->list)) {
        wrong(g, "devices");
        return;
    }
    for (size_t i = 0; i < n && !g->bad; i++) {
        const json_t *v = json_array_get(a, i);
        struct smi_device *to = &d->list[d->n++];
        for (size_t k = 0; k < SMI_KEY_COUNT; k++)
            to->key[k] = get_text(g, json_array_get(v, k));
        to->name = get_text(g, json_array_get(v, SMI_KEY_COUNT));
        to->ordinal = (int)get_int(g, json_array_get(v, SMI_KEY_COUNT + 1));
        if (to->ordinal < -1 || to->ordinal >= SMI_GPUS_WITHOUT_KEY) {
            wrong(g, "devices");
            to->ordinal = -1;
        }
    }
}

static void get_phases(struct get *g, const json_t *o, struct smi_phases *p)
{
    const json_t *names = json_object_get(o, "phases"), *spans = json_object_get(o, "spans");
    size_t n = json_array_size(names) / 4;
    for (size_t i = 0; i < n && !g->bad; i++) {
        const json_t *name = json_array_get(names, 4 * i);
        struct smi_text t = {json_string_value(name), json_string_length(name)};
        if (!json_is_string(name) || p->n == SMI_PHASE_NAMES || smi_phases_find(p, t) >= 0)
            wrong(g, "phases");
        else if (smi_phases_add(p, t, 0, 0, g->err))
            g->bad = true;
        if (g->bad)
            return;
        p->phase[i].count = get_int(g, json_array_get(names, 4 * i + 1));
        p->phase[i].span_us = get_int(g, json_array_get(names, 4 * i + 2));
        p->phase[i].first_us = get_int(g, json_array_get(names, 4 * i + 3));
    }
    for (size_t i = 0; i + 2 < json_array_size(spans) && !g->bad; i += 3) {
        int64_t name = get_int(g, json_array_get(spans, i)), from = get_int(g, json_array_get(spans, i + 1)),
                to = get_int(g, json_array_get(spans, i + 2));
        if (name < 0 || (size_t)name >= p->n || from >= to || p->spans == SMI_PHASE_SPANS)
            wrong(g, "spans");
        else if (smi_mem_reserve(&p->span, &p->spans_cap, p->spans + 1, sizeof *p->span))
            nomem(g);
        else
            p->span[p->spans++] = (struct smi_span){from, to, (uint32_t)name};
    }
    p->over = key_bool(o, "over");
    p->unnamed = key_int(g, o, "unnamed");
}

static void get_events(struct get *g, const json_t *a, struct smi_runlog *l)
{
    for (size_t i = 0; i + 1 < json_array_size(a) && !g->bad; i += 2) {
        if (l->events == SMI_EVENT_NAMES || smi_mem_reserve(&l->event, &l->events_cap, l->events + 1, sizeof *l->event)) {
            nomem(g);
            return;
        }
        l->event[l->events].name = get_text(g, json_array_get(a, i));
        if (!l->event[l->events].name)
            wrong(g, "events");
        l->event[l->events++].n = get_int(g, json_array_get(a, i + 1));
    }
}

static void get_params(struct get *g, const json_t *a, struct smi_runlog *l)
{
    for (size_t i = 0; i + 2 < json_array_size(a) && !g->bad; i += 3) {
        struct smi_runlog_param *p;
        if (l->params == SMI_PARAMS_MAX || smi_mem_reserve(&l->param, &l->params_cap, l->params + 1, sizeof *l->param)) {
            nomem(g);
            return;
        }
        p = &l->param[l->params++];
        *p = (struct smi_runlog_param){get_text(g, json_array_get(a, i)), get_text(g, json_array_get(a, i + 1)),
                                       json_is_true(json_array_get(a, i + 2))};
        if (!p->key || !p->text)
            wrong(g, "params");
    }
}

static void get_runlog(struct get *g, const json_t *o, struct smi_runlog *l)
{
    l->entries = key_count(g, o, "entries");
    l->first_us = key_int(g, o, "first_us");
    l->last_us = key_int(g, o, "last_us");
    l->first_ts_us = key_int(g, o, "first_ts_us");
    l->last_ts_us = key_int(g, o, "last_ts_us");
    l->started = key_bool(o, "started");
    l->ended = key_bool(o, "ended");
    l->failed = key_bool(o, "failed");
    l->has_exit = key_bool(o, "has_exit");
    l->exit_code = key_int(g, o, "exit_code");
    l->has_offset = key_bool(o, "has_offset");
    l->offset_s = (int)key_int(g, o, "offset_s");
    l->reason = get_text(g, json_object_get(o, "reason"));
    l->host = get_text(g, json_object_get(o, "host"));
    l->visible = get_text(g, json_object_get(o, "visible"));
    l->has_first_event = key_bool(o, "has_first_event");
    l->jax_peak = key_int(g, o, "jax_peak");
    l->torch_peak = key_int(g, o, "torch_peak");
    l->event_other = key_int(g, o, "event_other");
    get_events(g, json_object_get(o, "events"), l);
    get_params(g, json_object_get(o, "params"), l);
    get_phases(g, o, &l->phases);
}

static int format_of(const json_t *v)
{
    for (int i = 0; i < SMI_FMT_COUNT && json_is_string(v); i++)
        if (strcmp(json_string_value(v), smi_source_names[i]) == 0)
            return i;
    return -1;
}

static void get_tracks(struct get *g, const json_t *o, struct smi_part *p)
{
    const json_t *tracks = json_object_get(o, "tracks");
    size_t n = json_array_size(tracks);
    if (n != p->devices.n || (n && smi_mem_reserve(&p->track, &p->tracks_cap, n, sizeof *p->track))) {
        wrong(g, "tracks");
        return;
    }
    p->tracks = n;
    for (size_t i = 0; i < n; i++)
        p->track[i] = get_track(g, json_array_get(tracks, i), p);
    p->host = get_track(g, json_object_get(o, "host"), p);
    p->pool = get_track(g, json_object_get(o, "pool"), p);
}

/* A part without its tracks: those wait until the run's phases are known. */
static struct smi_part *get_part(struct get *g, const json_t *o)
{
    const json_t *path = json_object_get(o, "path");
    int format = format_of(json_object_get(o, "format"));
    struct smi_part *p;
    if (format < 0 || !json_is_string(path)) {
        wrong(g, "a format that this version does not know");
        return NULL;
    }
    p = smi_part_new(json_string_value(path), format);
    if (!p)
        return nomem(g);
    p->base = (enum smi_base)key_int(g, o, "base");
    if (p->base < SMI_BASE_NONE || p->base > SMI_BASE_DAY)
        wrong(g, "base");
    p->keyed = key_bool(o, "keyed");
    p->timed = key_bool(o, "timed");
    p->first_ms = key_int(g, o, "first_ms");
    p->last_ms = key_int(g, o, "last_ms");
    p->size = key_int(g, o, "size");
    p->hash = (uint64_t)json_integer_value(json_object_get(o, "hash"));
    get_account(g, o, &p->account);
    get_devices(g, json_object_get(o, "devices"), &p->devices);
    get_counts(g, json_object_get(o, "dts"), &p->dts);
    if (format == SMI_FMT_RUNLOG)
        get_runlog(g, json_object_get(o, "log"), &p->log);
    return p;
}

/* A RunLog that stands beside every part of its run is one RunLog. */
static struct smi_part *known_runlog(const struct smi_run *r, const struct smi_part *p)
{
    for (size_t i = 0; i < r->parts; i++)
        if (p->format == SMI_FMT_RUNLOG && r->part[i]->format == SMI_FMT_RUNLOG && r->part[i]->hash == p->hash &&
            r->part[i]->size == p->size)
            return r->part[i];
    return NULL;
}

static void note_doc(struct get *g, struct smi_part *log)
{
    if (smi_mem_reserve(&log->docs, &log->docs_cap, log->ndocs + 1, sizeof *log->docs))
        nomem(g);
    else
        log->docs[log->ndocs++] = g->doc;
}

static void get_parts(struct get *g, const json_t *list)
{
    size_t first = g->run->parts, n = json_array_size(list), kept = 0;
    size_t *place = smi_mem_new(n, sizeof *place);
    if (!place) {
        nomem(g);
        return;
    }
    for (size_t i = 0; i < n && !g->bad; i++) {
        struct smi_part *p = get_part(g, json_array_get(list, i)), *known;
        if (!p)
            break;
        known = known_runlog(g->run, p);
        if (known)
            note_doc(g, known);
        if (g->bad || known) {
            smi_part_free(p);
            continue;
        }
        p->doc = g->doc;
        if (p->format == SMI_FMT_RUNLOG)
            note_doc(g, p);
        if (smi_run_part(g->run, p, g->err)) {
            smi_part_free(p);
            g->bad = true;
            break;
        }
        place[kept++] = i;
        if (p->format == SMI_FMT_RUNLOG && smi_runlog_merge(&g->run->log, &p->log, g->err))
            g->bad = true;
    }
    for (size_t i = 0; i < kept && !g->bad; i++)
        get_tracks(g, json_array_get(list, place[i]), g->run->part[first + i]);
    smi_mem_free(place);
}

/* ---- runs ---- */

static struct smi_run *find_run(struct get *g, struct smi_partials *p, const char *name)
{
    struct smi_run *r;
    for (size_t i = 0; i < p->runs; i++)
        if (strcmp(p->run[i]->name, name) == 0)
            return p->run[i];
    if (smi_mem_reserve(&p->run, &p->cap, p->runs + 1, sizeof *p->run) || !(r = smi_mem_new(1, sizeof *r)))
        return nomem(g);
    r->name = smi_mem_text(name, strlen(name));
    if (!r->name) {
        smi_mem_free(r);
        return nomem(g);
    }
    return p->run[p->runs++] = r;
}

/* The zone is the run's, not the part's: parts that were joined by different ones cannot be merged. */
static void get_zone(struct get *g, const json_t *doc, bool first)
{
    static const char *const from[] = {"--tz", "the run log", "inferred"};
    const char *said = json_string_value(json_object_get(doc, "zone_from")), *known = NULL;
    struct smi_run *r = g->run;
    int offset = (int)key_int(g, doc, "offset_s");
    for (size_t i = 0; said && i < 3; i++)
        if (strcmp(said, from[i]) == 0)
            known = from[i];
    if (!known)
        return;
    if (r->has_offset && r->offset_s != offset && !first) {
        smi_err_set(g->err, SMI_EUSAGE, "%.200s: run %.100s was summarised in another time zone there: give --tz to all",
                    g->name, r->name);
        g->bad = true;
    }
    r->has_offset = true;
    r->offset_s = offset;
    r->zone_from = known;
}

static void other_run(struct get *g, const char *key, const char *text)
{
    if (!g->bad)
        smi_err_set(g->err, SMI_EUSAGE, "%.150s: %.80s=%.80s, but another part of run %.80s says otherwise: not the same run",
                    g->name, key, text, g->run->name);
    g->bad = true;
}

static void get_run_words(struct get *g, const json_t *doc)
{
    const json_t *params = json_object_get(doc, "params"), *problems = json_object_get(doc, "problems");
    for (size_t i = 0; i + 2 < json_array_size(params) && !g->bad; i += 3) {
        const char *key = json_string_value(json_array_get(params, i)), *text = json_string_value(json_array_get(params, i + 1));
        bool known = false;
        for (size_t k = 0; key && k < g->run->params; k++)
            if (strcmp(g->run->param[k].key, key) == 0) {
                known = true;
                if (text && strcmp(g->run->param[k].text, text))
                    other_run(g, key, text);
            }
        if (!key || !text)
            wrong(g, "params");
        else if (!known && smi_run_add_param(g->run, key, text, json_is_true(json_array_get(params, i + 2)), g->err))
            g->bad = true;
    }
    for (size_t i = 0; i < json_array_size(problems) && !g->bad; i++) {
        const char *text = json_string_value(json_array_get(problems, i));
        if (text && smi_run_problem(g->run, g->err, "%s", text))
            g->bad = true;
    }
}

static void get_document(struct get *g, struct smi_partials *p, const json_t *doc, const char *run_name)
{
    const char *schema = json_string_value(json_object_get(doc, "schema"));
    const char *name = run_name ? run_name : json_string_value(json_object_get(doc, "run"));
    int64_t idle;
    size_t before = p->runs;
    if (!schema || strcmp(schema, SMI_PARTIAL_SCHEMA) || !name) {
        smi_err_set(g->err, SMI_EFORMAT, "%.200s: no partial summary of this version (%s)", g->name, SMI_PARTIAL_SCHEMA);
        g->bad = true;
        return;
    }
    idle = key_int(g, doc, "idle_below");
    if (key_int(g, doc, "distinct_cap") != SMI_DISTINCT_CAP || (p->has_idle && p->idle_below != idle)) {
        smi_err_set(g->err, SMI_EUSAGE, "%.200s: made by other rules (--idle-below) than the partials before it", g->name);
        g->bad = true;
    }
    p->has_idle = true;
    p->idle_below = idle;
    g->run = g->bad ? NULL : find_run(g, p, name);
    if (!g->run)
        return;
    get_zone(g, doc, p->runs > before);
    g->run->merged = true;
    g->doc = (uint32_t)p->nseen;
    get_run_words(g, doc);
    get_parts(g, json_object_get(doc, "parts"));
}

/* The document's place among those seen so far; remembers it if it is new. -1 without memory. */
static int64_t see(struct smi_partials *p, const char *text, size_t n)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    for (size_t i = 0; i < p->nseen; i++)
        if (p->seen[i].hash == h && p->seen[i].n == n)
            return (int64_t)i;
    if (smi_mem_reserve(&p->seen, &p->seen_cap, p->nseen + 1, sizeof *p->seen))
        return -1;
    p->seen[p->nseen] = (struct smi_partial_seen){h, n};
    return (int64_t)p->nseen++;
}

/* The same document once more: said in its run, and not counted. */
static void given_twice(struct get *g, struct smi_partials *p, const json_t *doc, const char *run_name)
{
    const char *name = run_name ? run_name : json_string_value(json_object_get(doc, "run"));
    g->run = name ? find_run(g, p, name) : NULL;
    if (g->run && smi_run_problem(g->run, g->err, "%.200s: a partial summary given twice: counted once", g->name))
        g->bad = true;
}

int smi_partial_get(struct smi_partials *p, const char *text, size_t n, const char *name, const char *run_name,
                    struct smi_err *err)
{
    struct get g = {.name = name, .err = err};
    size_t before = p->nseen;
    int64_t place = see(p, text, n);
    json_error_t why;
    json_t *doc = place < 0 ? NULL : json_loadb(text, n, 0, &why);
    if (place < 0)
        return smi_err_nomem(err);
    if (!doc)
        return smi_err_set(err, SMI_EFORMAT, "%.200s: no partial summary: %s", name, why.text);
    if (p->nseen == before)
        given_twice(&g, p, doc, run_name);
    else
        get_document(&g, p, doc, run_name);
    json_decref(doc);
    return g.bad ? -1 : 0;
}

void smi_partials_fini(struct smi_partials *p)
{
    for (size_t i = 0; i < p->runs; i++) {
        smi_run_fini(p->run[i]);
        smi_mem_free(p->run[i]);
    }
    smi_mem_free(p->run);
    smi_mem_free(p->seen);
    *p = (struct smi_partials){0};
}
