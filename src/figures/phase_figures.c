#include "figures/build_inner.h"

#include <stdlib.h>
#include <string.h>

static struct smi_tally *tally_of(const struct smi_limb *l, size_t phase)
{
    for (size_t i = 0; i < l->track->tallies; i++)
        if (l->track->tally[i].phase == phase)
            return &l->track->tally[i];
    return NULL;
}

/* Sums of one phase over everything. */
struct phase_sum {
    smi_i128 area, idle;
    int64_t covered, known, n;
};

static void add_body(struct smi_phase_summary *p, struct phase_sum *sum, const struct smi_body *body, size_t phase,
                     bool gpu)
{
    int rows = smi_source_rows(body), power = smi_source(body, SMI_POWER);
    for (int f = 0; f < SMI_FMT_COUNT; f++) {
        for (size_t i = 0; i < body->limbs[f]; i++) {
            const struct smi_limb *l = &body->limb[f][i];
            const struct smi_tally *t = tally_of(l, phase);
            if (!t)
                continue;
            for (int k = 0; k < SMI_BLOCK_METRICS; k++)
                if (smi_source(body, smi_block_metric[k]) == f)
                    smi_block_merge_pool(&p->block.pool[k],
                                         &(struct smi_pool){t->pool[k].n, t->pool[k].sum, t->pool[k].max});
            if (f == power && !body->pooled) {
                struct smi_timesum_slot s = smi_timesum_total(&t->energy, l->limit);
                sum->area += s.area;
                sum->n += s.n;
            }
            if (f == rows && gpu) {
                struct smi_timesum_slot s = {0};
                if (!body->pooled)
                    s = smi_timesum_total(&t->idle, l->limit);
                sum->idle += s.area;
                sum->covered += s.dt;
                sum->known += s.n;
                p->samples += t->rows;
            }
        }
    }
}

static void phase(struct smi_build *b, struct smi_phase_summary *p, size_t number)
{
    struct phase_sum sum = {0};
    const struct smi_phase *f = &b->r->log.phases.phase[number];
    *p = (struct smi_phase_summary){
        .name = smi_build_copy(b, f->name), .count = f->count, .seconds = smi_value_of(f->span_us)};
    p->summarised = !b->r->log.phases.over;
    for (size_t i = 0; i < b->bodies; i++)
        add_body(p, &sum, b->body[i], number, true);
    if (b->out->ngpus > b->bodies)
        add_body(p, &sum, &b->s.pool, number, true);
    add_body(p, &sum, &b->s.host, number, false);
    if (sum.n)
        p->energy_wh = smi_value_wide(smi_wide_div(sum.area, 7200000));
    if (sum.known)
        p->idle_pct = smi_value_ratio(sum.idle * 100 * 1000000, sum.covered);
}

/* ---- stalls ---- */

/* The briefest phase that holds at t_us, or NULL. */
static const struct smi_phase *phase_at(const struct smi_phases *p, int64_t t_us)
{
    const struct smi_phase *best = NULL;
    const uint16_t *active = NULL;
    size_t hint = 0, n = p->cuts && !p->over ? smi_phases_at(p, t_us, &hint, &active) : 0;
    for (size_t i = 0; i < n; i++)
        if (!best || p->phase[active[i]].span_us < best->span_us)
            best = &p->phase[active[i]];
    return best;
}

int smi_build_stall(struct smi_build *b, const struct smi_body *body, struct smi_gpu *g)
{
    int rows = smi_source_rows(body);
    const struct smi_phase *phase = NULL;
    const int64_t far = (int64_t)1 << 50; /* no log of our days; its microseconds may not fit */
    int64_t shift;
    for (size_t i = 0; rows >= 0 && !g->pooled && i < body->limbs[rows]; i++) {
        const struct smi_limb *l = &body->limb[rows][i];
        struct smi_idle stall = l->track->stretch.between;
        const struct smi_track_opts *o = l->track->opts;
        if (stall.ms <= g->stall_ms)
            continue;
        g->stall_ms = stall.ms;
        g->has_stall_from = smi_build_clock(b, l->base, &shift);
        g->stall_from_ms = stall.from_ms - shift;
        phase = NULL;
        if (o->phases && stall.ms < far && stall.from_ms < far && stall.from_ms > -far)
            phase = phase_at(o->phases, (stall.from_ms + stall.ms / 2) * 1000 - o->shift_us);
    }
    g->stall_phase = phase ? smi_build_copy(b, phase->name) : NULL;
    return phase && !g->stall_phase ? -1 : 0;
}

/* ---- phases ---- */

struct start {
    const struct smi_phase *phase;
    size_t number;
};

static int by_start(const void *a, const void *b)
{
    const struct smi_phase *x = ((const struct start *)a)->phase, *y = ((const struct start *)b)->phase;
    if (x->first_us != y->first_us)
        return x->first_us < y->first_us ? -1 : 1;
    return strcmp(x->name, y->name);
}

int smi_build_phases(struct smi_build *b)
{
    const struct smi_phases *from = &b->r->log.phases;
    struct smi_phase_summary *p = smi_arena_new(&b->out->arena, from->n + 1, sizeof *p);
    struct start *order = smi_mem_new(from->n, sizeof *order);
    if (!p || !order) {
        smi_mem_free(order);
        return smi_err_nomem(b->err);
    }
    for (size_t i = 0; i < from->n; i++)
        order[i] = (struct start){&from->phase[i], i};
    qsort(order, from->n, sizeof *order, by_start);
    for (size_t i = 0; i < from->n; i++)
        phase(b, &p[i], order[i].number);
    smi_mem_free(order);
    b->out->phases = p;
    b->out->nphases = from->n;
    return b->err && b->err->code ? -1 : 0;
}
