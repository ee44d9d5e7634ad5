/* counts_private.h - what the files of counts share: readings that are more than a few. Not installed. */
#ifndef SMI_AGGREGATE_COUNTS_PRIVATE_H
#define SMI_AGGREGATE_COUNTS_PRIVATE_H

#include "aggregate/counts.h"

/* Counts v n times, and the readings that were only kept until now. Returns 0, or -1 without memory. */
int smi_counts_value(struct smi_counts *c, int64_t v, int64_t n);
/* The same of n values u[i] * scale, not negative. */
int smi_counts_units(struct smi_counts *c, const int32_t *u, size_t n, int64_t scale);
/* The same of all readings of b, page by page: both have counted, in the same steps. */
int smi_counts_join(struct smi_counts *a, const struct smi_counts *b);
/* Readings that were only kept, as items in order; room for as many as there are. Returns how many. */
size_t smi_counts_few_items(const struct smi_counts *c, struct smi_counts_item *list);
/* As smi_counts_figures. c->fews > 0. */
void smi_counts_few_figures(const struct smi_counts *c, const int *at, size_t n, struct smi_counts_figures *f,
                            int64_t *out);

/* As many as a counter of a page holds. */
enum { SMI_COUNTS_PAGE_LOW = UINT8_MAX, SMI_COUNTS_PAGE_MAX = SMI_COUNTS_PAGE_LOW * (UINT16_MAX + 1) };

static inline uint32_t smi_counts_page_get(const struct smi_counts_page *p, size_t k)
{
    return p->low[k] + (p->high ? (uint32_t)p->high[k] * SMI_COUNTS_PAGE_LOW : 0);
}

/* Counts `more` readings at a place, in steps, where others were counted already and there is room; false if
 * it is not so. */
static inline bool smi_counts_more(struct smi_counts *c, uint64_t at, uint32_t more)
{
    uint64_t k = at / SMI_COUNTS_PAGE;
    struct smi_counts_page *p = k < c->pages ? c->page[k] : NULL;
    uint32_t low, high;
    k = at % SMI_COUNTS_PAGE;
    if (!p || !p->low[k] || more > SMI_COUNTS_PAGE_MAX)
        return false;
    low = p->low[k] - 1 + more;
    high = low / SMI_COUNTS_PAGE_LOW;
    if (high && (!p->high || high > (uint32_t)(UINT16_MAX - p->high[k])))
        return false;
    p->low[k] = (uint8_t)(low - high * SMI_COUNTS_PAGE_LOW + 1);
    if (high)
        p->high[k] = (uint16_t)(p->high[k] + high);
    return true;
}

/* `part` hundredths of the way from a to b, as a percentile between two readings. */
static inline int64_t smi_counts_between(int64_t a, int64_t b, int64_t part)
{
    return part && a != b ? (int64_t)smi_i128_div((smi_i128)a * 100 + (smi_i128)(b - a) * part, 100) : a;
}

#endif
