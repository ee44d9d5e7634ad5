#include "aggregate/phases.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool has_name(const void *list, size_t place, const void *key)
{
    const struct smi_phase *f = (const struct smi_phase *)list + place;
    const struct smi_text *name = key;
    return f->name_n == name->n && memcmp(f->name, name->p, name->n) == 0;
}

int smi_phases_find(const struct smi_phases *p, struct smi_text name)
{
    size_t i = smi_map_find(&p->map, smi_hash_bytes(name.p, name.n), has_name, p->phase, &name);
    return i == SMI_MAP_NONE ? -1 : (int)i;
}

/* The number of a name, made if it is new; -1 past the limit, -2 without memory. */
static int find_or_add_name(struct smi_phases *p, struct smi_text name)
{
    int i = smi_phases_find(p, name);
    struct smi_phase *f;
    if (i >= 0)
        return i;
    if (p->n == SMI_PHASE_NAMES)
        return -1;
    smi_mem_reserve(&p->phase, &p->cap, p->n + 1, sizeof *p->phase);
    f = &p->phase[p->n];
    *f = (struct smi_phase){.name = smi_mem_text(name.p, name.n), .first_us = INT64_MAX};
    f->name_n = strlen(f->name);
    smi_map_add(&p->map, smi_hash_bytes(name.p, name.n), p->n);
    return (int)p->n++;
}

/* Seconds of so many phases that no number is wide enough stay where they are. */
static int64_t add_span_time(int64_t a, int64_t b)
{
    const int64_t most = (int64_t)1 << 53;
    return a + b < most ? a + b : most;
}

static int compare_spans(const void *a, const void *b)
{
    const struct smi_span *x = a, *y = b;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->from_us > y->from_us) - (x->from_us < y->from_us);
}

/* Too many: what is known of them is of no use. */
static void drop_spans(struct smi_phases *p)
{
    p->over = true;
    smi_mem_free(p->span);
    p->span = NULL;
    p->spans = p->spans_cap = p->gaps = 0;
}

/* Takes the gaps out, and says again which span of a name was before which. */
static void remove_gaps(struct smi_phases *p)
{
    size_t k = 0;
    for (size_t i = 0; i < p->n; i++)
        p->phase[i].last = 0;
    for (size_t i = 0; i < p->spans; i++) {
        struct smi_span s = p->span[i];
        if (s.from_us > s.to_us)
            continue;
        s.before = p->phase[s.name].last;
        p->span[k++] = s;
        p->phase[s.name].last = (uint32_t)k;
    }
    p->spans = k;
    p->gaps = 0;
}

/* The union of the spans of each name: they are limited, not what they were joined from. */
static void join_touching_spans(struct smi_phases *p)
{
    size_t k = 0;
    remove_gaps(p);
    qsort(p->span, p->spans, sizeof *p->span, compare_spans);
    for (size_t i = 0; i < p->spans; i++) {
        struct smi_span s = p->span[i];
        if (k && p->span[k - 1].name == s.name && s.from_us <= p->span[k - 1].to_us) {
            if (s.to_us > p->span[k - 1].to_us)
                p->span[k - 1].to_us = s.to_us;
        } else {
            p->span[k++] = s;
        }
    }
    p->spans = k;
    p->tangled = false;
    remove_gaps(p);
}

void smi_phases_join(struct smi_phases *p)
{
    if (p->tangled)
        join_touching_spans(p);
    else if (p->gaps)
        remove_gaps(p);
    if (p->over || p->spans > SMI_PHASE_SPANS)
        drop_spans(p);
}

/* Takes a span into the last one of its name, which it touches, and that into those before it that it touches
 * now. */
static void join_into_last_span(struct smi_phases *p, struct smi_phase *f, int64_t from, int64_t to)
{
    struct smi_span *s = &p->span[f->last - 1], *b;
    s->to_us = to > s->to_us ? to : s->to_us;
    if (from >= s->from_us)
        return;
    s->from_us = from;
    while (s->before && (b = &p->span[s->before - 1])->to_us >= s->from_us && b->from_us <= s->to_us) {
        b->from_us = b->from_us < s->from_us ? b->from_us : s->from_us;
        b->to_us = b->to_us > s->to_us ? b->to_us : s->to_us;
        f->last = s->before;
        *s = (struct smi_span){.from_us = INT64_MAX, .to_us = INT64_MIN};
        p->gaps++;
        s = b;
    }
}

/* Spans of a name end one behind the other in nearly every log: each goes into the last one, or begins behind
 * it. */
void smi_phases_span(struct smi_phases *p, int64_t from, int64_t to, uint32_t name)
{
    struct smi_phase *f = &p->phase[name];
    if (p->over || from >= to)
        return;
    if (f->last && from <= p->span[f->last - 1].to_us) {
        p->tangled |= to < p->span[f->last - 1].from_us;
        if (to >= p->span[f->last - 1].from_us) {
            join_into_last_span(p, f, from, to);
            return;
        }
    }
    if (!p->tangled && p->spans - p->gaps == SMI_PHASE_SPANS) {
        drop_spans(p);
        return;
    }
    if (p->spans == SMI_PHASE_SPANS_UNJOINED) {
        smi_phases_join(p);
        smi_phases_span(p, from, to, name);
        return;
    }
    if (p->spans == p->spans_cap && p->gaps * 32 > p->spans)
        remove_gaps(p);
    smi_mem_reserve(&p->span, &p->spans_cap, p->spans + 1, sizeof *p->span);
    p->span[p->spans++] = (struct smi_span){from, to, name, f->last};
    f->last = (uint32_t)p->spans;
}

void smi_phases_add(struct smi_phases *p, struct smi_text name, int64_t t_us, int64_t span_us)
{
    int at = find_or_add_name(p, name);
    struct smi_phase *f;
    if (at < 0) {
        p->unnamed++;
        drop_spans(p);
        return;
    }
    f = &p->phase[at];
    f->count++;
    f->span_us = add_span_time(f->span_us, span_us);
    if (t_us - span_us < f->first_us)
        f->first_us = t_us - span_us;
    smi_phases_span(p, t_us - span_us, t_us, (uint32_t)at);
}

void smi_phases_merge(struct smi_phases *a, const struct smi_phases *b)
{
    int *to = smi_mem_new(b->n, sizeof *to);
    for (size_t i = 0; i < b->n; i++) {
        const struct smi_phase *f = &b->phase[i];
        to[i] = find_or_add_name(a, smi_text_of(f->name));
        if (to[i] < 0)
            a->unnamed += f->count;
        if (to[i] < 0)
            continue;
        a->phase[to[i]].count += f->count;
        a->phase[to[i]].span_us = add_span_time(a->phase[to[i]].span_us, f->span_us);
        if (f->first_us < a->phase[to[i]].first_us)
            a->phase[to[i]].first_us = f->first_us;
    }
    if (b->over || a->unnamed > 0)
        drop_spans(a);
    for (size_t i = 0; i < b->spans && !a->over; i++)
        smi_phases_span(a, b->span[i].from_us, b->span[i].to_us, (uint32_t)to[b->span[i].name]);
    a->unnamed += b->unnamed;
    smi_mem_free(to);
}

struct edge {
    int64_t t; /* the first microsecond at which the phase holds, or no longer holds */
    uint16_t name;
    bool on;
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;
    return (x->t > y->t) - (x->t < y->t);
}

/* Writes the set of phases that hold after each edge. `set` has room for every phase. */
static void write_active_sets(struct smi_phases *p, const struct edge *edge, size_t edges, uint16_t *set)
{
    size_t holding = 0, cells = 0, cap = 0;
    for (size_t i = 0; i < edges; i++) {
        if (edge[i].on) {
            set[holding++] = edge[i].name;
        } else {
            size_t k = 0;
            while (set[k] != edge[i].name)
                k++;
            set[k] = set[--holding];
        }
        if (i + 1 < edges && edge[i + 1].t == edge[i].t)
            continue;
        if (cells + holding > SMI_PHASE_CELLS) {
            p->over = true;
            return;
        }
        smi_mem_reserve(&p->active, &cap, cells + holding + 1, sizeof *p->active);
        memcpy(p->active + cells, set, holding * sizeof *set);
        p->cut[p->cuts] = edge[i].t;
        p->from[p->cuts++] = (uint32_t)cells;
        cells += holding;
        p->from[p->cuts] = (uint32_t)cells;
    }
}

void smi_phases_index(struct smi_phases *p)
{
    struct edge *edge = NULL;
    uint16_t *set = NULL;
    size_t edges;
    smi_phases_join(p);
    if ((edges = 2 * p->spans) == 0)
        return;
    smi_mem_free(p->cut); /* of an index that was made before more was known */
    smi_mem_free(p->from);
    smi_mem_free(p->active);
    p->active = NULL;
    p->cuts = 0;
    edge = smi_mem_new(edges, sizeof *edge);
    set = smi_mem_new(p->n + 1, sizeof *set);
    p->cut = smi_mem_new(edges + 1, sizeof *p->cut);
    p->from = smi_mem_new(edges + 2, sizeof *p->from);
    for (size_t i = 0; i < p->spans; i++) {
        edge[2 * i] = (struct edge){p->span[i].from_us + 1, (uint16_t)p->span[i].name, true};
        edge[2 * i + 1] = (struct edge){p->span[i].to_us + 1, (uint16_t)p->span[i].name, false};
    }
    smi_sort(edge, edges, sizeof *edge, compare_edges);
    write_active_sets(p, edge, edges, set);
    smi_mem_free(edge);
    smi_mem_free(set);
}

size_t smi_phases_at(const struct smi_phases *p, int64_t t_us, size_t *hint, const uint16_t **active)
{
    size_t i = *hint, lo, hi;
    if (p->over || p->cuts == 0 || t_us < p->cut[0])
        return 0;
    if (i >= p->cuts || t_us < p->cut[i] || (i + 1 < p->cuts && t_us >= p->cut[i + 1])) {
        lo = 0;
        hi = p->cuts;
        while (hi - lo > 1) {
            size_t mid = lo + (hi - lo) / 2;
            if (p->cut[mid] <= t_us)
                lo = mid;
            else
                hi = mid;
        }
        *hint = i = lo;
    }
    *active = p->active + p->from[i];
    return p->from[i + 1] - p->from[i];
}

int64_t smi_phases_until(const struct smi_phases *p, int64_t t_us, size_t hint)
{
    if (p->over || p->cuts == 0)
        return INT64_MAX;
    if (t_us < p->cut[0])
        return p->cut[0];
    return hint + 1 < p->cuts ? p->cut[hint + 1] : INT64_MAX;
}

void smi_phases_fini(struct smi_phases *p)
{
    for (size_t i = 0; i < p->n; i++)
        smi_mem_free(p->phase[i].name);
    smi_mem_free(p->phase);
    smi_map_fini(&p->map);
    smi_mem_free(p->span);
    smi_mem_free(p->cut);
    smi_mem_free(p->from);
    smi_mem_free(p->active);
    *p = (struct smi_phases){0};
}
