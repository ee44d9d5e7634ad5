/* sorted_points.h - the readings of one series, as they come, to be had in the order of time. */
#ifndef SMI_EXPORT_SORTED_POINTS_H
#define SMI_EXPORT_SORTED_POINTS_H

#include "aggregate/row_spool.h"

#include <stdbool.h>

struct smi_sorted_point {
    int64_t t_ms, v;
};

enum {
    SMI_SORTED_POINTS_AT_ONCE = 1 << 18 /* so many are sorted at once, where they do not come in order */
};

/* Zero-initialise, then chain.of. */
struct smi_sorted_points {
    struct smi_block_list chain;
    int64_t last_ms;
    uint64_t n;
    bool mixed; /* some came later than one of a later time */
};

int smi_sorted_points_add(struct smi_sorted_points *p, int64_t t_ms, int64_t v, struct smi_err *err);
/* Gives them to fn in the order of time; of those of one time the first that came. Returns 0, or -1 with err.
 */
typedef int smi_sorted_point_fn(void *self, const struct smi_sorted_point *p, struct smi_err *err);
int smi_sorted_points_each(struct smi_sorted_points *p, smi_sorted_point_fn *fn, void *self,
                           struct smi_err *err);
void smi_sorted_points_fini(struct smi_sorted_points *p);

#endif
