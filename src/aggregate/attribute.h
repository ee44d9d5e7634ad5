/* attribute.h - which GPU a row without a key is about (docs/numbers.md §5): a sink in front of another. The
 * first 256 timed rows are kept back until a plan is made; then every burst of the plan's size is GPUs 0, 1,
 * 2, ...
 */
#ifndef SMI_AGGREGATE_ATTRIBUTE_H
#define SMI_AGGREGATE_ATTRIBUTE_H

#include "model/line_account.h"
#include "model/device.h"
#include "model/sink.h"

enum { SMI_BURST_PLAN_ROWS = 256, SMI_BURST_MAX = SMI_KEYLESS_GPUS_MAX };

/* What the times of the first rows tell. */
struct smi_burst_plan {
    enum { SMI_BURST_PLAN_ONE, SMI_BURST_PLAN_BURSTS, SMI_BURST_PLAN_UNDECIDED } kind;
    int size;     /* rows of a burst: the number of GPUs */
    bool by_time; /* a row begins a new burst iff its distance x (ms) to the row before: x < 0 or x * x > a *
                     b */
    int64_t a, b;
};

/* The plan for n rows at t[0 ... n - 1] (ms; NULL: the source has no times); hard[i] says that a boundary
 * stands in front of row i. want: --gpu-count, or 0. Pure. */
struct smi_burst_plan smi_burst_plan_make(const int64_t *t, const bool *hard, size_t n, int want);

struct smi_attribute; /* opaque */

/* to, devices and account are borrowed; plan: made already (a later piece of a stream), or NULL. NULL with
 * err without memory. */
struct smi_attribute *smi_attribute_new(struct smi_sink *to, struct smi_devices *devices,
                                        struct smi_account *account, int gpu_count,
                                        const struct smi_burst_plan *plan);
/* The sink for a reader: rows with a key pass straight through. `end` must be called. */
struct smi_sink *smi_attribute_sink(struct smi_attribute *a);
/* Makes the plan with the rows that wait for it, if any do: for logs that grow. Returns 0, or -1 with err. */
int smi_attribute_decide(struct smi_attribute *a, struct smi_err *err);
/* No more is expected for now: makes the plan, if enough rows wait for it, and sends the burst on that waits
 * for the row behind it, if it is whole. Returns 0, or -1 with err. */
int smi_attribute_settle(struct smi_attribute *a, struct smi_err *err);
void smi_attribute_free(struct smi_attribute *a);

#endif
