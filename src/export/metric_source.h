/* metric_source.h - which log of a run a metric of a GPU is taken from, where several show it: the one that a
 * summary takes it from, so that no reading counts twice. For targets that hand on one table of readings. */
#ifndef SMI_EXPORT_METRIC_SOURCE_H
#define SMI_EXPORT_METRIC_SOURCE_H

#include "export/export.h"

struct smi_metric_source {
    const struct smi_export_run *r;
    int *rank;     /* by GPU (the host in front) and metric: of the format that feeds it */
    bool utc;      /* only readings with a time in UTC count */
    size_t *order; /* places of the inputs: by format, those of one format by their first time */
    size_t input;  /* at hand, while it is filled */
};

/* Looks through all rows of the run. Returns 0, or -1 with err; smi_metric_source_fini either way. */
int smi_metric_source_init(struct smi_metric_source *s, const struct smi_export_run *r, bool utc,
                           struct smi_err *err);
/* Of the format that feeds a metric of a GPU (-1: the host): the smaller the more it counts; INT_MAX: none
 * does.
 */
int smi_metric_source_rank(const struct smi_metric_source *s, int gpu, unsigned metric);
/* Does a reading of this input, GPU and metric count? */
bool smi_metric_source_feeds(const struct smi_metric_source *s, size_t input, int gpu, unsigned metric);
/* Leaves of a row of this input the readings that count, in metric and v, which have room for all. Returns
 * how many. */
unsigned smi_metric_source_row(const struct smi_metric_source *s, size_t input,
                               const struct smi_export_row *row, uint16_t *metric, int64_t *v);
void smi_metric_source_fini(struct smi_metric_source *s);

#endif
