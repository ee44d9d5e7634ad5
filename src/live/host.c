#include "live/host_private.h"

#include "base/mem.h"
#include "model/metric.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define SMI_HOST_VALUE(id, name, unit, digits, metric, help) \
    [SMI_HOST_##id] = {name, unit, digits, metric, help},
const struct smi_host_value smi_host_values[SMI_HOST_COUNT] = {
#include "live/host_value.def"
};
#undef SMI_HOST_VALUE

_Static_assert(SMI_HOST_COUNT <= 32, "smi_host_sample.has has a bit for each");

enum {
    LEAST = 16384,
    MOST = 1 << 20,
    OTHERS = SMI_HOST_FILES - SMI_HOST_FILE_OFTEN,
    SELDOM = 2 /* of these, in a second */
};

static int open_file(const char *dir, const char *name)
{
    char path[SMI_CGROUP_PATH + 64];
    int n = snprintf(path, sizeof path, "%s/%s", dir, name), fd;
    if (n < 0 || (size_t)n >= sizeof path)
        return -1;
    do
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    while (fd < 0 && errno == EINTR);
    return fd;
}

static void open_group(struct smi_host *h, const char *root)
{
    static const struct {
        enum smi_host_file file;
        const char *name[2]; /* v2, v1 */
    } ram[] = {{SMI_HOST_FILE_CG_RAM, {"memory.current", "memory.usage_in_bytes"}},
               {SMI_HOST_FILE_CG_RAM_STAT, {"memory.stat", "memory.stat"}},
               {SMI_HOST_FILE_CG_EVENTS, {"memory.events", "memory.oom_control"}},
               {SMI_HOST_FILE_CG_PEAK, {"memory.peak", "memory.max_usage_in_bytes"}},
               {SMI_HOST_FILE_CG_RAM_MAX, {"memory.max", "memory.limit_in_bytes"}}};
    struct smi_cgroup g;
    if (smi_cgroup_find(root, SMI_CGROUP_PART_RAM, &g))
        for (size_t i = 0; i < sizeof ram / sizeof *ram; i++)
            h->fd[ram[i].file] = open_file(g.dir, ram[i].name[g.v1]);
    if (!smi_cgroup_find(root, SMI_CGROUP_PART_CPU, &g))
        return;
    h->v1_cpu = g.v1;
    h->fd[SMI_HOST_FILE_CG_CPU_MAX] = open_file(g.dir, g.v1 ? "cpu.cfs_quota_us" : "cpu.max");
    h->fd[SMI_HOST_FILE_CG_TIME] = open_file(g.dir, g.v1 ? "cpuacct.usage" : "cpu.stat");
    if (!g.v1)
        return;
    h->fd[SMI_HOST_FILE_CG_PERIOD] = open_file(g.dir, "cpu.cfs_period_us");
    h->fd[SMI_HOST_FILE_CG_PERIODS] = open_file(g.dir, "cpu.stat");
    if (h->fd[SMI_HOST_FILE_CG_TIME] < 0 && smi_cgroup_find(root, SMI_CGROUP_PART_CPU_TIME, &g))
        h->fd[SMI_HOST_FILE_CG_TIME] = open_file(g.dir, "cpuacct.usage");
}

static void open_files(struct smi_host *h, const char *root)
{
    static const struct {
        enum smi_host_file file;
        const char *path;
    } plain[] = {{SMI_HOST_FILE_STAT, "proc/stat"},
                 {SMI_HOST_FILE_MEMINFO, "proc/meminfo"},
                 {SMI_HOST_FILE_LOAD, "proc/loadavg"},
                 {SMI_HOST_FILE_PSI_CPU, "proc/pressure/cpu"},
                 {SMI_HOST_FILE_PSI_MEM, "proc/pressure/memory"},
                 {SMI_HOST_FILE_PSI_IO, "proc/pressure/io"}};
    for (int i = 0; i < SMI_HOST_FILES; i++)
        h->fd[i] = -1;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        h->fd[plain[i].file] = open_file(root, plain[i].path);
    open_group(h, root);
}

static ssize_t read_file(const struct smi_host *h, enum smi_host_file file)
{
    ssize_t n;
    do
        n = pread(h->fd[file], h->buf, h->cap, 0);
    while (n < 0 && errno == EINTR);
    return n;
}

/* Room for /proc/stat, the longest of them, and as much again for CPUs and interrupts that come later. */
static int reserve_buffer(struct smi_host *h)
{
    for (h->cap = LEAST;; h->cap *= 2) {
        smi_mem_free(h->buf);
        h->buf = smi_mem_raw(h->cap);
        if (!h->buf)
            return -1;
        if (h->cap >= MOST || h->fd[SMI_HOST_FILE_STAT] < 0 ||
            read_file(h, SMI_HOST_FILE_STAT) < (ssize_t)h->cap / 2)
            return 0;
    }
}

static void read_value_file(struct smi_host *h, enum smi_host_file file, int64_t now_us)
{
    ssize_t n = h->fd[file] < 0 ? 0 : read_file(h, file);
    while (n > 0 && h->buf[n - 1] != '\n') /* what is cut off is no number */
        n--;
    smi_host_parse(h, file, (struct smi_text){h->buf, n > 0 ? (size_t)n : 0}, now_us);
}

/* The limits that there are, which say what the columns of the file are. */
static void read_limits(struct smi_host *h)
{
    read_value_file(h, SMI_HOST_FILE_CG_RAM_MAX, 0);
    read_value_file(h, SMI_HOST_FILE_CG_CPU_MAX, 0);
    if (h->v1_cpu)
        read_value_file(h, SMI_HOST_FILE_CG_PERIOD, 0);
    h->limits = h->now.has;
}

struct smi_host *smi_host_open(const char *root, struct smi_err *err)
{
    struct smi_host *h = smi_mem_new(1, sizeof *h);
    if (h) {
        h->quota = -1;
        open_files(h, root);
        if (reserve_buffer(h) == 0)
            return read_limits(h), h;
    }
    smi_host_close(h);
    smi_err_nomem(err);
    return NULL;
}

/* How many of the other files are read now: all with the first two samples, for what is counted needs two. */
static unsigned read_next_rare_file(const struct smi_host *h, int64_t now_us)
{
    int64_t s = (now_us - h->at_us) / 1000000;
    if (h->samples < 2 || s >= OTHERS)
        return OTHERS;
    return s > 1 ? SELDOM * (unsigned)s : SELDOM;
}

void smi_host_read(struct smi_host *h, int64_t now_us, struct smi_host_sample *out)
{
    unsigned left = read_next_rare_file(h, now_us);
    for (unsigned i = 0; i < OTHERS && left;
         i++) { /* limits before use: the first sample has its shares of them */
        enum smi_host_file file = SMI_HOST_FILE_OFTEN + h->turn++ % OTHERS;
        if (h->fd[file] < 0)
            continue;
        read_value_file(h, file, now_us);
        left -= file == SMI_HOST_FILE_CG_CPU_MAX && h->v1_cpu
                    ? 0
                    : 1; /* a quota means nothing without its period */
    }
    for (enum smi_host_file file = 0; file < SMI_HOST_FILE_OFTEN; file++)
        if (h->fd[file] >= 0)
            read_value_file(h, file, now_us);
    h->samples++;
    h->at_us = now_us;
    *out = h->now;
}

void smi_host_close(struct smi_host *h)
{
    if (!h)
        return;
    for (int i = 0; i < SMI_HOST_FILES; i++)
        if (h->fd[i] >= 0)
            close(h->fd[i]);
    smi_mem_free(h->buf);
    smi_mem_free(h);
}
