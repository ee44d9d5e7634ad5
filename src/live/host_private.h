/* host_private.h - what the files of this room share: the machine as it was when it was last looked at. */
#ifndef SMI_LIVE_HOST_PRIVATE_H
#define SMI_LIVE_HOST_PRIVATE_H

#include "live/cgroup.h"
#include "live/host.h"
#include "formats/cpu_ticks.h"

/* The files, those first that are read with every sample. */
enum smi_host_file {
    SMI_HOST_FILE_STAT,
    SMI_HOST_FILE_MEMINFO,
    SMI_HOST_FILE_CG_RAM,
    SMI_HOST_FILE_CG_TIME,
    SMI_HOST_FILE_OFTEN,
    SMI_HOST_FILE_PSI_CPU = SMI_HOST_FILE_OFTEN,
    SMI_HOST_FILE_PSI_MEM,
    SMI_HOST_FILE_PSI_IO,
    SMI_HOST_FILE_LOAD,
    SMI_HOST_FILE_CG_RAM_STAT,
    SMI_HOST_FILE_CG_EVENTS,
    SMI_HOST_FILE_CG_PERIODS, /* v1; v2 tells them with the time */
    SMI_HOST_FILE_CG_PEAK,
    SMI_HOST_FILE_CG_RAM_MAX,
    SMI_HOST_FILE_CG_CPU_MAX, /* v1: the quota */
    SMI_HOST_FILE_CG_PERIOD,  /* v1 */
    SMI_HOST_FILES
};

/* A counter as it was before. */
struct smi_host_counter {
    bool known;
    int64_t n, at_us;
};

struct smi_host {
    int fd[SMI_HOST_FILES]; /* -1: there is none */
    bool v1_cpu;
    char *buf;
    size_t cap;
    unsigned turn;          /* of those that are not read often */
    int64_t samples, at_us; /* how many there were, and when the last one */
    bool ticked;
    uint32_t limits; /* those that there were at the beginning, as in has */
    struct smi_cpu_ticks ticks;
    struct smi_host_counter psi[3], time, periods, throttled;
    int64_t cache; /* bytes of file cache not used lately, of the group; */
    int64_t quota; /* microseconds of v1's quota; -1: none */
    struct smi_host_sample now;
};

/* Takes in what file tells: its whole lines, empty if it could not be read. */
void smi_host_parse(struct smi_host *h, enum smi_host_file file, struct smi_text t, int64_t now_us);

static inline bool smi_host_has(const struct smi_host_sample *s, enum smi_host_id id)
{
    return s->has >> id & 1;
}

#endif
