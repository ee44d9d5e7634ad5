#include "export/sorted_points.h"

#include "base/mem.h"

#include <stdlib.h>

int smi_sorted_points_add(struct smi_sorted_points *p, int64_t t_ms, int64_t v, struct smi_err *err)
{
    struct smi_sorted_point point = {t_ms, v};
    p->mixed |= p->n && t_ms < p->last_ms;
    p->last_ms = t_ms;
    p->n++;
    return smi_block_list_add(&p->chain, (const char *)&point, sizeof point, err);
}

void smi_sorted_points_fini(struct smi_sorted_points *p)
{
    smi_block_list_fini(&p->chain);
}

/* ---- in order ---- */

/* A stretch that is in order, and its next point. */
struct stretch {
    struct smi_block_list chain;
    struct smi_block_list_cursor at;
    struct smi_sorted_point next;
    bool some;
};

static int next_point(struct stretch *s, struct smi_err *err)
{
    int rc = smi_block_list_more(&s->at, err);
    s->some = rc > 0;
    return rc > 0 ? smi_block_list_read(&s->at, (char *)&s->next, sizeof s->next, err) : rc;
}

/* The earliest point of n stretches, of equal times that of the first; NULL: there is none. */
static struct stretch *earliest_run(struct stretch *s, size_t n)
{
    struct stretch *best = NULL;
    for (size_t i = 0; i < n; i++)
        if (s[i].some && (!best || s[i].next.t_ms < best->next.t_ms))
            best = &s[i];
    return best;
}

static int merge_sorted_runs(struct stretch *s, size_t n, smi_sorted_point_fn *fn, void *self,
                             struct smi_err *err)
{
    struct stretch *next;
    bool some = false;
    int64_t last_ms = 0;
    for (size_t i = 0; i < n; i++)
        if (next_point(&s[i], err))
            return -1;
    while ((next = earliest_run(s, n))) {
        if ((!some || next->next.t_ms != last_ms) && fn(self, &next->next, err))
            return -1;
        some = true;
        last_ms = next->next.t_ms;
        if (next_point(next, err))
            return -1;
    }
    return 0;
}

/* ---- out of order ---- */

struct placed {
    struct smi_sorted_point p;
    size_t at;
};

static int by_time(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;
    if (a->p.t_ms != b->p.t_ms)
        return a->p.t_ms < b->p.t_ms ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* The next points, as many as are sorted at once, as a stretch. Returns 1, 0 if there are none, or -1 with
 * err. */
static int sort_some(struct smi_block_list_cursor *from, struct placed *room, struct stretch *to,
                     struct smi_err *err)
{
    size_t n = 0;
    int rc;
    while (n < SMI_SORTED_POINTS_AT_ONCE && (rc = smi_block_list_more(from, err)) > 0) {
        if (smi_block_list_read(from, (char *)&room[n].p, sizeof room[n].p, err))
            return -1;
        room[n].at = n;
        n++;
    }
    if (n < SMI_SORTED_POINTS_AT_ONCE && rc < 0)
        return -1;
    if (n)
        qsort(room, n, sizeof *room, by_time);
    for (size_t i = 0; i < n; i++)
        if (smi_block_list_add(&to->chain, (const char *)&room[i].p, sizeof room[i].p, err))
            return -1;
    return n > 0;
}

static int each_sorted(struct smi_sorted_points *p, smi_sorted_point_fn *fn, void *self, struct smi_err *err)
{
    size_t n = (size_t)(p->n / SMI_SORTED_POINTS_AT_ONCE) + 1, k = 0;
    struct stretch *s = smi_mem_new(n, sizeof *s);
    struct placed *room = smi_mem_new(SMI_SORTED_POINTS_AT_ONCE, sizeof *room);
    struct smi_block_list_cursor from = {.of = &p->chain};
    int rc = s && room ? 1 : smi_err_nomem(err);
    for (size_t i = 0; s && i < n; i++) {
        s[i].chain.of = p->chain.of;
        s[i].at.of = &s[i].chain;
    }
    for (; rc > 0 && k < n; k++)
        rc = sort_some(&from, room, &s[k], err);
    smi_block_list_cursor_fini(&from);
    smi_mem_free(room);
    if (rc >= 0)
        rc = merge_sorted_runs(s, n, fn, self, err);
    for (size_t i = 0; s && i < n; i++) {
        smi_block_list_cursor_fini(&s[i].at);
        smi_block_list_fini(&s[i].chain);
    }
    smi_mem_free(s);
    return rc;
}

int smi_sorted_points_each(struct smi_sorted_points *p, smi_sorted_point_fn *fn, void *self,
                           struct smi_err *err)
{
    struct stretch all = {.at = {.of = &p->chain}};
    int rc;
    if (p->mixed)
        return each_sorted(p, fn, self, err);
    rc = merge_sorted_runs(&all, 1, fn, self, err);
    smi_block_list_cursor_fini(&all.at);
    return rc;
}
