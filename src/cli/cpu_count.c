/* cpu_count.c - how many CPUs are really ours: in a container sysconf() tells the machine's number, not the
 * limit's. */
#include "cli/settings.h"
#include "live/cgroup.h"

#include <sched.h>
#include <unistd.h>

enum { MOST = 16 };

unsigned smi_cpu_count(void)
{
    struct smi_cgroup group;
    cpu_set_t set;
    int64_t n, limit = -1;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
    else
        n = sysconf(_SC_NPROCESSORS_ONLN); /* more CPUs than a cpu_set_t holds */
    if (smi_cgroup_find("", SMI_CGROUP_PART_CPU, &group))
        limit = smi_cgroup_limit(&group, SMI_CGROUP_PART_CPU); /* millionths */
    if (limit > 0 && (limit + 999999) / 1000000 < n)
        n = (limit + 999999) / 1000000;
    return n < 1 ? 1 : n > MOST ? MOST : (unsigned)n;
}
