/* Rows into the phases that hold at their times: one by one, or many at once. */
#include "aggregate/device_stats_private.h"

#include "base/mem.h"
#include "aggregate/vector.h"

/* Position in smi_phase_stats.pool; kept equal to smi_headline_metric by a test. */
int smi_phase_stats_slot(unsigned metric)
{
    switch (metric) {
    case SMI_GPU_UTIL:
        return 0;
    case SMI_FB_USED:
        return 1;
    case SMI_POWER:
        return 2;
    case SMI_MEM_UTIL:
        return 3;
    case SMI_CPU_USR:
        return 4;
    case SMI_CPU_IDLE:
        return 5;
    default:
        return -1;
    }
}

/* ---- phases ---- */

struct smi_phase_stats *smi_device_stats_phase(struct smi_device_stats *t, uint16_t phase)
{
    struct smi_phase_stats *p;
    if (phase < t->tally_room && t->tally_of[phase])
        return &t->tally[t->tally_of[phase] - 1];
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

int smi_device_stats_phase_row(struct smi_device_stats *t, const struct smi_sample *s)
{
    const uint16_t *active;
    size_t n = smi_device_stats_phases(t, s->t_ms, &active);
    for (size_t i = 0; i < n; i++) {
        struct smi_phase_stats *p = smi_device_stats_phase(t, active[i]);
        if (!p)
            return -1;
        p->rows++;
        for (unsigned k = 0; k < s->n; k++) {
            int slot = smi_phase_stats_slot(s->metric[k]);
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

/* ---- many rows ---- */

const int32_t *smi_rows_gather(const struct smi_rows *r, unsigned column, const uint16_t *at, unsigned n,
                               int32_t *own)
{
    const int32_t *u = r->u + (size_t)column * SMI_ROWS_STRIDE;
    if (at[n - 1] - at[0] == (int)n - 1)
        return u + at[0];
    smi_vector_pick(u, at, n, own);
    return own;
}

void smi_phase_stats_add_rows(struct smi_phase_stats *p, const struct smi_rows *r, const uint16_t *at,
                              unsigned n)
{
    int32_t own[SMI_ROWS_MAX];
    p->rows += n;
    for (unsigned c = 0; n && c < r->metrics; c++) {
        int slot = smi_phase_stats_slot(r->metric[c]);
        const int32_t *u = slot < 0 ? NULL : smi_rows_gather(r, c, at, n, own);
        int64_t sum;
        int32_t max;
        if (slot < 0)
            continue;
        sum = smi_vector_sum(u, n, &max);
        if (p->pool[slot].n == 0 || max * r->scale[c] > p->pool[slot].max)
            p->pool[slot].max = max * r->scale[c];
        p->pool[slot].n += n;
        p->pool[slot].sum += (smi_i128)sum * r->scale[c];
    }
}

bool smi_device_stats_phase_change(struct smi_device_stats *t, int64_t t_us, int64_t *until,
                                   const uint16_t **active, size_t *n)
{
    const uint16_t *was = *active;
    size_t held = *n;
    *n = smi_phases_at(t->opts->phases, t_us, &t->hint, active);
    *until = smi_phases_until(t->opts->phases, t_us, t->hint);
    return *n != held || (held && *active != was);
}

int smi_device_stats_phase_rows(struct smi_device_stats *t, const struct smi_rows *r, const uint16_t *at,
                                unsigned n, const int64_t *t_ms)
{
    const uint16_t *active = NULL;
    size_t held = 0;
    int64_t until = INT64_MIN;
    for (unsigned i = 0, from = 0; i < n; from = i) {
        smi_device_stats_phase_changes(t, t_ms[i], &until, &active, &held);
        for (i++; i < n && t_ms[i] * 1000 - t->opts->shift_us < until; i++)
            ;
        for (size_t k = 0; k < held; k++) {
            struct smi_phase_stats *p = smi_device_stats_phase(t, active[k]);
            if (!p)
                return -1;
            smi_phase_stats_add_rows(p, r, at + from, i - from);
        }
    }
    return 0;
}
