/* cpu_count.c - how many CPUs are really ours: in a container sysconf() tells the machine's number, not the
 * limit's. */
#include "cli/settings.h"

#include "base/file.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16 };

/* The first bytes of a file of /proc or /sys as text; "" if there are none. */
static const char *read_small_file(const char *path, char *buf, size_t size)
{
    struct smi_file_info info;
    int fd = smi_file_open(AT_FDCWD, path, false, &info, NULL);
    ssize_t n = fd < 0 ? 0 : smi_file_read(fd, buf, size - 1, path, NULL);
    if (fd >= 0)
        close(fd);
    buf[n > 0 ? n : 0] = 0;
    return buf;
}

static int64_t read_limit_number(const char *p)
{
    int64_t v = -1;
    if (smi_text_parse_micro((struct smi_text){p, strspn(p, "0123456789")}, &v))
        return -1;
    return v / 1000000;
}

/* Whole CPUs of a quota and its period, rounded up; 0: no limit. */
static unsigned round_up_cpus(int64_t quota, int64_t period)
{
    return quota > 0 && period > 0 ? (unsigned)((quota + period - 1) / period) : 0;
}

static unsigned limit_v2(const char *dir)
{
    char path[512], text[64];
    const char *blank;
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", dir);
    blank = strchr(read_small_file(path, text, sizeof text), ' '); /* "150000 100000" or "max 100000" */
    return blank ? round_up_cpus(read_limit_number(text), read_limit_number(blank + 1)) : 0;
}

static unsigned limit_v1(const char *dir)
{
    char path[512], quota[64], period[64];
    snprintf(path, sizeof path, "/sys/fs/cgroup/cpu%s/cpu.cfs_quota_us", dir);
    read_small_file(path, quota, sizeof quota); /* "-1": none */
    snprintf(path, sizeof path, "/sys/fs/cgroup/cpu%s/cpu.cfs_period_us", dir);
    return round_up_cpus(read_limit_number(quota),
                         read_limit_number(read_small_file(path, period, sizeof period)));
}

/* A limit binds all groups below it: the way up to the root is looked at. */
static unsigned lowest_limit(char *dir, unsigned (*limit)(const char *dir), unsigned n)
{
    for (;;) {
        unsigned l = limit(strcmp(dir, "/") == 0 ? "" : dir);
        char *slash = strrchr(dir, '/');
        if (l && l < n)
            n = l;
        if (!slash || !dir[1])
            return n;
        slash[slash == dir] = 0;
    }
}

/* Lines of /proc/self/cgroup: "0::/user.slice" (v2), "4:cpu,cpuacct:/docker/1f" (v1). */
static unsigned cgroup_limit(unsigned n)
{
    char text[4096], *line = text, *end, *dir;
    read_small_file("/proc/self/cgroup", text, sizeof text);
    for (; *line; line = end + 1) {
        end = line + strcspn(line, "\n");
        if (!*end)
            break;
        *end = 0;
        dir = strchr(line, '/');
        if (dir && strstr(line, "::/"))
            n = lowest_limit(dir, limit_v2, n);
        else if (dir && (strstr(line, ":cpu,") || strstr(line, ",cpu:") || strstr(line, ":cpu:")))
            n = lowest_limit(dir, limit_v1, n);
    }
    return n;
}

unsigned smi_cpu_count(void)
{
    cpu_set_t set;
    long n;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
    else
        n = sysconf(_SC_NPROCESSORS_ONLN); /* more CPUs than a cpu_set_t holds */
    return cgroup_limit(n < 1 ? 1 : n > MOST ? MOST : (unsigned)n);
}
