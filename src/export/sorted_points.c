/* sorted_points.c - points that come in any order, given back in the order of time. They are spilled as they
 * come; those that are not in order are sorted piece by piece, each piece behind the first stretch that ends
 * before it, and the stretches merged. So logs of any length that follow each other are one stretch each. */
#include "base/mem.h"
#include "export/export.h"

/* Points in order, and the next of them; while it grows, the last. */
struct stretch {
    struct smi_block_list chain;
    struct smi_block_list_cursor at;
    struct smi_sorted_point next;
    bool some;
};

int smi_sorted_points_add(struct smi_sorted_points *p, int64_t t_ms, int64_t v, uint32_t tag,
                          struct smi_err *err)
{
    struct smi_sorted_point point = {t_ms, v, tag, (uint32_t)p->n};
    p->mixed |= p->n && t_ms < p->last_ms;
    p->last_ms = t_ms;
    p->n++;
    return smi_block_list_add(&p->chain, (const char *)&point, sizeof point, err);
}

void smi_sorted_points_fini(struct smi_sorted_points *p)
{
    smi_block_list_fini(&p->chain);
}

static int compare_points(const void *a, const void *b)
{
    const struct smi_sorted_point *x = a, *y = b;
    if (x->t_ms != y->t_ms)
        return x->t_ms < y->t_ms ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* The next point of those in the cursor. Returns 1, 0 at the end, or -1 with err. */
static int read_point(struct smi_block_list_cursor *from, struct smi_sorted_point *to, struct smi_err *err)
{
    int rc = smi_block_list_more(from, err);
    return rc > 0 && smi_block_list_read(from, (char *)to, sizeof *to, err) ? -1 : rc;
}

/* All points as *n stretches. */
static int sort_points(const struct smi_sorted_points *p, struct stretch **of, size_t *n, struct smi_err *err)
{
    struct smi_sorted_point *list = smi_mem_new(SMI_SORTED_POINTS_AT_ONCE, sizeof *list);
    struct smi_block_list_cursor from = {.of = &p->chain};
    size_t cap = 0;
    int rc = 1;
    while (rc > 0) {
        size_t k = 0, i = 0;
        while (k < SMI_SORTED_POINTS_AT_ONCE && (rc = read_point(&from, &list[k], err)) > 0)
            k++;
        if (!k || rc < 0)
            break;
        smi_sort(list, k, sizeof *list, compare_points);
        while (i < *n && compare_points(&(*of)[i].next, list) > 0)
            i++;
        if (i == *n) {
            smi_mem_reserve(of, &cap, ++*n, sizeof **of);
            (*of)[i].chain.of = p->chain.of;
        }
        (*of)[i].next = list[k - 1];
        if (smi_block_list_add(&(*of)[i].chain, (const char *)list, k * sizeof *list, err))
            rc = -1;
    }
    smi_block_list_cursor_fini(&from);
    smi_mem_free(list);
    return rc;
}

static int load_next(struct stretch *s, struct smi_err *err)
{
    int rc = read_point(&s->at, &s->next, err);
    s->some = rc > 0;
    return rc < 0 ? -1 : 0;
}

static int merge_stretches(struct stretch *s, size_t n, smi_sorted_point_fn *fn, void *self,
                           struct smi_err *err)
{
    int rc = 0;
    for (size_t i = 0; !rc && i < n; i++)
        rc = load_next(&s[i], err);
    while (!rc) {
        struct stretch *best = NULL;
        for (size_t i = 0; i < n; i++)
            if (s[i].some && (!best || compare_points(&s[i].next, &best->next) < 0))
                best = &s[i];
        if (!best)
            return 0;
        rc = fn(self, &best->next, err) || load_next(best, err) ? -1 : 0;
    }
    return rc;
}

int smi_sorted_points_each(struct smi_sorted_points *p, smi_sorted_point_fn *fn, void *self,
                           struct smi_err *err)
{
    struct stretch all = {.at = {.of = &p->chain}}, *of = NULL;
    size_t n = 0;
    int rc = p->mixed ? sort_points(p, &of, &n, err) : 0;
    for (size_t i = 0; i < n; i++)
        of[i].at.of = &of[i].chain;
    rc = rc ? rc : merge_stretches(p->mixed ? of : &all, p->mixed ? n : 1, fn, self, err);
    smi_block_list_cursor_fini(&all.at);
    for (size_t i = 0; i < n; i++) {
        smi_block_list_cursor_fini(&of[i].at);
        smi_block_list_fini(&of[i].chain);
    }
    smi_mem_free(of);
    return rc;
}
