/* host.h - the machine at this moment: CPUs, memory, pressure, and the limits and use of the control group
 * that this process is in. Read on demand from /proc and /sys: no thread, no allocation and no open file
 * after smi_host_open; each file is read with every sample. Values: host_value.def. Sources: proc_stat(5),
 * proc_meminfo(5), proc_loadavg(5), cgroups v1 and v2, PSI. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* ---- the control group of this process: the one whose limit binds it ---- */

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
/* The directory that tells of this part: of this process's group and those above it the one with the smallest
 * limit (the lowest of them), else its own. v1 and v2 are known, also one beside the other, where systemd
 * mounts them. Returns false if there is none. */
bool smi_cgroup_find(const char *root, enum smi_cgroup_part part, struct smi_cgroup *g);
/* The limit of a group: bytes, or millionths of CPUs; -1: none. */
int64_t smi_cgroup_limit(const struct smi_cgroup *g, enum smi_cgroup_part part);
/* Reads the small file root + path into buf: its whole lines. */
struct smi_text smi_cgroup_read_file(const char *path, char *buf, size_t size);

/* The number behind the word key ("MemFree:  5 kB") at the beginning of a line; -1: there is none. */
int64_t smi_host_keyed(struct smi_text t, const char *key);

#define SMI_HOST_VALUE(id, name, unit, digits, metric, file, limit, help) SMI_HOST_##id,
enum smi_host_id {
#include "live/host_value.def"
    SMI_HOST_COUNT
};
#undef SMI_HOST_VALUE

struct smi_host_value {
    const char *name, *unit;
    int digits; /* behind the point: values are rounded to them, so that a file holds just what was seen */
    int metric; /* of the catalogue, or -1 */
    int file, limit; /* which file it comes from; the limit of which it is a share, or -1 */
    const char *help;
};

extern const struct smi_host_value smi_host_values[SMI_HOST_COUNT];

/* What is known. Plain value. */
struct smi_host_sample {
    uint32_t has;              /* bit i: v[i] is known */
    int64_t v[SMI_HOST_COUNT]; /* millionths of the unit */
};

struct smi_host;
/* Opens what this machine has. root: a directory to take for /, or "" (tests read recorded files). Files that
 * are not there, or may not be read, only leave their values absent. NULL with err: no memory. Free with
 * smi_host_close. */
struct smi_host *smi_host_open(const char *root);
/* Reads the machine. now_us: any clock that never steps, in microseconds. Shares are those of the time since
 * the sample before, so the first has none; nor has one in which no tick passed. What steps back (iowait,
 * CPUs that go away, counters that begin again) counts as 0 or gives no value. Never fails: what cannot be
 * read is absent. */
void smi_host_read(struct smi_host *h, int64_t now_us, struct smi_host_sample *out);
void smi_host_close(struct smi_host *h);

/* cpu_metrics.csv: the first line of the file, for what this machine has, */
void smi_host_csv_head(const struct smi_host *h, struct smi_buf *to);
/* and a row; t_ms: milliseconds since 1970. Nothing is appended where the machine tells CPU times, but this
 * sample has no share of them: after the first one of all. */
void smi_host_csv_row(const struct smi_host *h, const struct smi_host_sample *s, int64_t t_ms,
                      struct smi_buf *to);
