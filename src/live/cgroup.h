/* cgroup.h - the control group of this process: the one whose limit binds it. */
#ifndef SMI_LIVE_CGROUP_H
#define SMI_LIVE_CGROUP_H

#include "base/text.h"

enum smi_cgroup_part {
    SMI_CGROUP_PART_RAM,
    SMI_CGROUP_PART_CPU,
    SMI_CGROUP_PART_CPU_TIME,
    SMI_CGROUP_NO_PART
};

enum { SMI_CGROUP_PATH = 4400, SMI_CGROUP_FILE = 65536 };

struct smi_cgroup {
    bool v1;
    char dir[SMI_CGROUP_PATH]; /* with root in front */
};

/* Cuts a line off in front of whole ones; false at the end. */
bool smi_cgroup_line(struct smi_text *t, struct smi_text *line);
/* Bytes of a limit file, millionths of CPUs of a quota and its period; -1: no limit. */
int64_t smi_cgroup_bytes(struct smi_text t);
int64_t smi_cgroup_cpus(struct smi_text quota, struct smi_text period);
/* The directory that tells of this part: of this process's group and those above it the one with the smallest
 * limit (the lowest of them), else its own. v1 and v2 are known, also one beside the other, where systemd
 * mounts them. Returns false if there is none. */
bool smi_cgroup_find(const char *root, enum smi_cgroup_part part, struct smi_cgroup *g);
/* The limit of a group: bytes, or millionths of CPUs; -1: none. */
int64_t smi_cgroup_limit(const struct smi_cgroup *g, enum smi_cgroup_part part);
/* Reads the small file root + path into buf: its whole lines. */
struct smi_text smi_cgroup_read_file(const char *path, char *buf, size_t size);

#endif
