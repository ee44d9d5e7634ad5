/* runlog_usage.h - what a tracker tells of its command in the stop event of its RunLog: also of what lived
 * between two rows of procs.csv, or before the first.
 *
 *     "data": {"seconds": 0.31, "cpu_s": 0.29, "cpu_main_s": 0.01, "cpu_children_s": 0.28,
 * "max_tree_ram_mib": 212.4, "max_rss_mib": 214.0, "max_tree_procs": 2, ...}
 *
 * max_ stands before the key of a metric of the tree; max_rss_mib is the most of one process, as the kernel
 * counts. */
#ifndef SMI_AGGREGATE_RUNLOG_USAGE_H
#define SMI_AGGREGATE_RUNLOG_USAGE_H

#include "model/sample.h"

enum { SMI_RUNLOG_USAGE_METRICS = SMI_TREE_PROCS - SMI_TREE_CPU + 1, SMI_RUNLOG_USAGE_PARTS = 3 };

/* Zero-initialise. */
struct smi_runlog_usage {
    uint32_t has;                           /* bit i: max[i] was told */
    int64_t max[SMI_RUNLOG_USAGE_METRICS];  /* of metric SMI_TREE_CPU + i, millionths of its unit */
    int64_t span_us;                        /* so long it ran; 0: not told */
    int64_t cpu_us[SMI_RUNLOG_USAGE_PARTS]; /* CPU time: all, main, descendants */
};

/* Takes a stop event. */
void smi_runlog_usage_add(struct smi_runlog_usage *t, const struct smi_mark *m);
/* Adds what another one tells: the larger maxima, and the times of both. */
void smi_runlog_usage_merge(struct smi_runlog_usage *a, const struct smi_runlog_usage *b);

#endif
