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

/* The number of a name, made if it is new; -1 past the limit. */
static int find_or_add_name(struct smi_phases *p, struct smi_text name)
{
    int i = smi_phases_find(p, name);
    struct smi_phase *f;
    if (i >= 0)
        return i;
    if (p->n == SMI_PHASE_NAMES)
        return -1;
    smi_map_add(&p->map, smi_hash_bytes(name.p, name.n), p->n);
    f = SMI_MEM_ADD(p->phase, p->n, p->cap);
    *f = (struct smi_phase){.name = smi_mem_text(name.p, name.n), .first_us = INT64_MAX};
    f->name_n = strlen(f->name);
    return (int)p->n - 1;
}

/* Seconds of so many phases that no number is wide enough stay where they are. */
static int64_t add_span_time(int64_t a, int64_t b)
{
    const int64_t most = (int64_t)1 << 53;
    return a + b < most ? a + b : most;
}

/* Spans, or edges, by the time that they begin with. */
static int compare_times(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Too many: what is known of them is of no use. */
static void drop_spans(struct smi_phases *p)
{
    p->over = true;
    for (size_t i = 0; p->spans && i < p->n; i++) {
        smi_mem_free(p->phase[i].span);
        p->phase[i].span = NULL;
        p->phase[i].spans = p->phase[i].cap = 0;
    }
    p->spans = 0;
}

/* The union of the spans of a name: they are limited, not what they were joined from. */
static void join_touching_spans(struct smi_phase *f)
{
    size_t k = 0;
    smi_sort(f->span, f->spans, sizeof *f->span, compare_times);
    for (size_t i = 0; i < f->spans; i++) {
        const struct smi_span s = f->span[i];
        if (!k || s.from_us > f->span[k - 1].to_us)
            f->span[k++] = s;
        else if (s.to_us > f->span[k - 1].to_us)
            f->span[k - 1].to_us = s.to_us;
    }
    f->spans = k;
}

void smi_phases_join(struct smi_phases *p)
{
    if (p->tangled)
        p->spans = 0;
    for (size_t i = 0; p->tangled && i < p->n; i++) {
        join_touching_spans(&p->phase[i]);
        p->spans += p->phase[i].spans;
    }
    p->tangled = false;
    if (p->over || p->spans > SMI_PHASE_SPANS)
        drop_spans(p);
}

/* Spans of a name end one behind the other in nearly every log: each is joined with the last ones that it
 * touches, or begins behind them. */
void smi_phases_span(struct smi_phases *p, int64_t from, int64_t to, uint32_t name)
{
    struct smi_phase *f = &p->phase[name];
    struct smi_span s = {from, to};
    if (p->over || from >= to)
        return;
    p->tangled |= f->spans && to < f->span[f->spans - 1].from_us;
    for (; f->spans && f->span[f->spans - 1].to_us >= s.from_us && f->span[f->spans - 1].from_us <= s.to_us;
         f->spans--, p->spans--) {
        const struct smi_span last = f->span[f->spans - 1];
        s.from_us = last.from_us < s.from_us ? last.from_us : s.from_us;
        s.to_us = last.to_us > s.to_us ? last.to_us : s.to_us;
    }
    if (p->tangled && p->spans == SMI_PHASE_SPANS_UNJOINED) {
        smi_phases_join(p);
        smi_phases_span(p, s.from_us, s.to_us, name);
        return;
    }
    if (!p->tangled && p->spans == SMI_PHASE_SPANS) {
        drop_spans(p);
        return;
    }
    *SMI_MEM_ADD(f->span, f->spans, f->cap) = s;
    p->spans++;
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

bool smi_phases_overlap(const struct smi_phases *p, int64_t first_us, int64_t last_us)
{
    bool some = false;
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->phase[i].spans && !some; k++)
            some = p->phase[i].span[k].from_us < last_us && p->phase[i].span[k].to_us >= first_us;
    return some;
}

void smi_phases_merge(struct smi_phases *a, const struct smi_phases *b)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct smi_phase *f = &b->phase[i];
        const int at = find_or_add_name(a, smi_text_of(f->name));
        if (at < 0) {
            a->unnamed += f->count;
            continue;
        }
        struct smi_phase *of = &a->phase[at];
        const bool behind = !b->tangled && !a->over && f->spans && a->spans + f->spans <= SMI_PHASE_SPANS &&
                            (!of->spans || of->span[of->spans - 1].to_us < f->span->from_us);
        of->count += f->count;
        of->span_us = add_span_time(of->span_us, f->span_us);
        of->first_us = f->first_us < of->first_us ? f->first_us : of->first_us;
        if (behind) { /* all at once */
            smi_mem_reserve(&of->span, &of->cap, of->spans + f->spans, sizeof *f->span);
            memcpy(of->span + of->spans, f->span, f->spans * sizeof *f->span);
            of->spans += f->spans;
            a->spans += f->spans;
        }
        for (size_t k = behind ? f->spans : 0; k < f->spans; k++)
            smi_phases_span(a, f->span[k].from_us, f->span[k].to_us, (uint32_t)at);
    }
    if (b->over || a->unnamed > 0)
        drop_spans(a);
    a->unnamed += b->unnamed;
}

struct edge {
    int64_t t; /* the first microsecond at which the phase holds, or no longer holds */
    uint16_t name;
    bool on;
};

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
    for (size_t i = 0, n = 0; i < p->n; i++)
        for (size_t k = 0; k < p->phase[i].spans; k++) {
            edge[n++] = (struct edge){p->phase[i].span[k].from_us + 1, (uint16_t)i, true};
            edge[n++] = (struct edge){p->phase[i].span[k].to_us + 1, (uint16_t)i, false};
        }
    smi_sort(edge, edges, sizeof *edge, compare_times);
    write_active_sets(p, edge, edges, set);
    smi_mem_free(edge);
    smi_mem_free(set);
}

size_t smi_phases_at(const struct smi_phases *p, int64_t t_us, size_t *hint, const uint16_t **active)
{
    size_t i = *hint, lo, hi;
    if (p->over || p->cuts == 0 || t_us < p->cut[0])
        return 0;
    if (i + 1 < p->cuts && t_us >= p->cut[i + 1])
        *hint = ++i; /* often the next one */
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
    drop_spans(p);
    for (size_t i = 0; i < p->n; i++)
        smi_mem_free(p->phase[i].name);
    smi_mem_free(p->phase);
    smi_map_fini(&p->map);
    smi_mem_free(p->cut);
    smi_mem_free(p->from);
    smi_mem_free(p->active);
    *p = (struct smi_phases){0};
}
