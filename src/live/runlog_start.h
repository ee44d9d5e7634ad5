/* runlog_start.h - what the start event of a RunLog says of machine and job: the host and its user, the zone
 * of nvidia-smi's times, the GPUs, the limits of the control group, the job of the scheduler. Readers take
 * none of it for a parameter.
 *
 *     struct smi_start_event d = {.n = 0};
 *     if (smi_start_event_fill(&d, &(struct smi_start_source){.environ = environ}, &err) == 0)
 *         smi_runlog_event(&log, "start", d.value, &err);
 *     smi_start_event_fini(&d); */
#ifndef SMI_LIVE_RUNLOG_START_H
#define SMI_LIVE_RUNLOG_START_H

#include "live/host.h"
#include "live/runlog_write.h"

#include <sys/utsname.h>

struct smi_start_gpu {
    const char *name;   /* or NULL */
    int64_t memory_mib; /* 0: not known */
};

/* What to tell; all borrowed. */
struct smi_start_source {
    char *const *environ;               /* of the job: "NAME=VALUE", ended by NULL; or NULL */
    const struct smi_host_sample *host; /* for the limits; or NULL */
    const struct smi_start_gpu *gpu;    /* in the order of their indices */
    size_t gpus;
    int recording; /* N if its directory is DIR.N because others were in use; 0: it is DIR */
    const struct smi_runlog_value
        *more; /* put behind, and believed where it says one of these things; or NULL */
};

/* Zero-initialise. */
struct smi_start_event {
    struct smi_runlog_value value[SMI_RUNLOG_VALUES + 1]; /* n, then the end of the list */
    size_t n;
    struct utsname machine; /* what the values lie in; those of the environment are borrowed */
    struct smi_buf gpu_names, gpu_memory;
};

/* host, user (USER, LOGNAME, else the number), pid, utc_offset_s (of local time now, which nvidia-smi
 * prints), gpu_names, gpu_memory_mib, CUDA_VISIBLE_DEVICES, cgroup_ram_limit_mib, cgroup_cpu_limit, SLURM_*,
 * recording_number:
 * those that are known. Returns 0, or -1 with err: SMI_ENOMEM, or SMI_ELIMIT for too many of `more`. */
int smi_start_event_fill(struct smi_start_event *d, const struct smi_start_source *from, struct smi_err *err);
void smi_start_event_fini(struct smi_start_event *d);

#endif
