/* tracking_private.h - what the files of this room share. */
#ifndef SMI_PROCESS_TRACKING_PRIVATE_H
#define SMI_PROCESS_TRACKING_PRIVATE_H

#include "process/tracking.h"

struct smi_tracking {
    struct smi_tracking_opts o;
    struct smi_tracking_figures f;
    struct smi_tree *tree;
    pid_t main;
    struct smi_usage_file file;
    bool filing; /* the tracking file is written to */
    int64_t begin_us, due_ms, early_ms;
    int64_t grid_us; /* when the CPU time was last taken, */
    int64_t grid_cpu_us[SMI_TREE_PARTS];
    struct smi_gpu_memory_used memory;
    struct smi_usage_sample now;
    int64_t oom_before;
    struct smi_buf early; /* the row that is not recorded yet */
    int64_t early_ram;    /* its memory; -1: none is known */
};

/* procs.csv: its head, and a row of the sample in hand; false if there is nothing in it. */
void smi_tracking_put_head(struct smi_buf *to);
/* The most of each of its columns over the whole time, for the stop event: "max_tree_ram_mib", ... Returns
 * how many were written; the keys last as long as the program. */
size_t smi_tracking_put_maxima(const struct smi_tracking *t, struct smi_runlog_value *out);
bool smi_tracking_put_row(const struct smi_tracking *t, int64_t wall_ms, struct smi_buf *to);

#endif
