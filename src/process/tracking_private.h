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
    uint64_t monitors_did; /* a sum over what the monitors have done so far, */
    int64_t still_ms;      /* since when it is the same */
    struct smi_buf early;  /* the row that is not recorded yet */
    int64_t early_ram;     /* its memory; -1: none is known */
};

#endif
