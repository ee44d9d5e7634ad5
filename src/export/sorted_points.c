#include "export/sorted_points.h"

#include "base/mem.h"

#include <stdlib.h>

int smi_points_add(struct smi_points *p, int64_t t_ms, int64_t v, struct smi_err *err)
{
    struct smi_point point = {t_ms, v};
    p->mixed |= p->n && t_ms < p->last_ms;
    p->last_ms = t_ms;
    p->n++;
    return smi_chain_add(&p->chain, (const char *)&point, sizeof point, err);
}

void smi_points_fini(struct smi_points *p)
{
    smi_chain_fini(&p->chain);
}

/* ---- in order ---- */

/* A stretch that is in order, and its next point. */
struct stretch {
    struct smi_chain chain;
    struct smi_chain_at at;
    struct smi_point next;
    bool some;
};

static int step(struct stretch *s, struct smi_err *err)
{
    int rc = smi_chain_more(&s->at, err);
    s->some = rc > 0;
    return rc > 0 ? smi_chain_get(&s->at, (char *)&s->next, sizeof s->next, err) : rc;
}

/* The earliest point of n stretches, of equal times that of the first; NULL: there is none. */
static struct stretch *earliest(struct stretch *s, size_t n)
{
    struct stretch *best = NULL;
    for (size_t i = 0; i < n; i++)
        if (s[i].some && (!best || s[i].next.t_ms < best->next.t_ms))
            best = &s[i];
    return best;
}

static int merge(struct stretch *s, size_t n, smi_point_fn *fn, void *self, struct smi_err *err)
{
    struct stretch *next;
    bool some = false;
    int64_t last_ms = 0;
    for (size_t i = 0; i < n; i++)
        if (step(&s[i], err))
            return -1;
    while ((next = earliest(s, n))) {
        if ((!some || next->next.t_ms != last_ms) && fn(self, &next->next, err))
            return -1;
        some = true;
        last_ms = next->next.t_ms;
        if (step(next, err))
            return -1;
    }
    return 0;
}

/* ---- out of order ---- */

struct placed {
    struct smi_point p;
    size_t at;
};

static int by_time(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;
    if (a->p.t_ms != b->p.t_ms)
        return a->p.t_ms < b->p.t_ms ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* The next points, as many as are sorted at once, as a stretch. Returns 1, 0 if there are none, or -1 with err. */
static int sort_some(struct smi_chain_at *from, struct placed *room, struct stretch *to, struct smi_err *err)
{
    size_t n = 0;
    int rc;
    while (n < SMI_POINTS_SORTED && (rc = smi_chain_more(from, err)) > 0) {
        if (smi_chain_get(from, (char *)&room[n].p, sizeof room[n].p, err))
            return -1;
        room[n].at = n;
        n++;
    }
    if (n < SMI_POINTS_SORTED && rc < 0)
        return -1;
    if (n)
        qsort(room, n, sizeof *room, by_time);
    for (size_t i = 0; i < n; i++)
        if (smi_chain_add(&to->chain, (const char *)&room[i].p, sizeof room[i].p, err))
            return -1;
    return n > 0;
}

static int each_sorted(struct smi_points *p, smi_point_fn *fn, void *self, struct smi_err *err)
{
    size_t n = (size_t)(p->n / SMI_POINTS_SORTED) + 1, k = 0;
    struct stretch *s = smi_mem_new(n, sizeof *s);
    struct placed *room = smi_mem_new(SMI_POINTS_SORTED, sizeof *room);
    struct smi_chain_at from = {.of = &p->chain};
    int rc = s && room ? 1 : smi_err_nomem(err);
    for (size_t i = 0; s && i < n; i++) {
        s[i].chain.of = p->chain.of;
        s[i].at.of = &s[i].chain;
    }
    for (; rc > 0 && k < n; k++)
        rc = sort_some(&from, room, &s[k], err);
    smi_chain_leave(&from);
    smi_mem_free(room);
    if (rc >= 0)
        rc = merge(s, n, fn, self, err);
    for (size_t i = 0; s && i < n; i++) {
        smi_chain_leave(&s[i].at);
        smi_chain_fini(&s[i].chain);
    }
    smi_mem_free(s);
    return rc;
}

int smi_points_each(struct smi_points *p, smi_point_fn *fn, void *self, struct smi_err *err)
{
    struct stretch all = {.at = {.of = &p->chain}};
    int rc;
    if (p->mixed)
        return each_sorted(p, fn, self, err);
    rc = merge(&all, 1, fn, self, err);
    smi_chain_leave(&all.at);
    return rc;
}
