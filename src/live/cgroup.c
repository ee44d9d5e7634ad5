/* Lines of /proc/self/cgroup:
 *
 *     0::/user.slice/job.scope              v2
 *     4:cpu,cpuacct:/docker/1f              v1
 *
 * In a container the path may be the host's, which is not mounted there: then the mounted root is the group.
 */
#include "live/host.h"

#include "base/mem.h"
#include "formats/cpu_ticks.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Names of a part: its controller, and the files of v1 and v2 for use and limit. */
static const struct {
    const char *controller, *use[2], *limit[2];
} parts[] = {
    [SMI_CGROUP_PART_RAM] = {"memory",
                             {"memory.current", "memory.usage_in_bytes"},
                             {"memory.max", "memory.limit_in_bytes"}},
    [SMI_CGROUP_PART_CPU] = {"cpu", {"cpu.stat", "cpu.stat"}, {"cpu.max", "cpu.cfs_quota_us"}},
    [SMI_CGROUP_PART_CPU_TIME] = {"cpuacct", {NULL, "cpuacct.usage"}, {NULL, NULL}},
};

struct smi_text smi_cgroup_read_file(const char *path, char *buf, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd < 0 ? 0 : pread(fd, buf, size, 0);
    if (fd >= 0)
        close(fd);
    while (n > 0 && buf[n - 1] != '\n')
        n--;
    return (struct smi_text){buf, n > 0 ? (size_t)n : 0};
}

bool smi_cgroup_line(struct smi_text *t, struct smi_text *line)
{
    const char *lf = t->n ? memchr(t->p, '\n', t->n) : NULL;
    if (!lf)
        return false;
    *line = (struct smi_text){t->p, (size_t)(lf - t->p)};
    *t = (struct smi_text){lf + 1, t->n - line->n - 1};
    return true;
}

static struct smi_text first_line(struct smi_text t)
{
    const char *lf = t.n ? memchr(t.p, '\n', t.n) : NULL;
    return smi_text_trim((struct smi_text){t.p, lf ? (size_t)(lf - t.p) : t.n});
}

int64_t smi_cgroup_bytes(struct smi_text t)
{
    int64_t v = smi_cell_digits(
        first_line(t), SMI_CELL_DIGITS); /* "max"; v1 says 9223372036854771712, which has 19 digits */
    return v > INT64_C(1) << 53 ? -1 : v;
}

int64_t smi_cgroup_cpus(struct smi_text quota, struct smi_text period)
{
    int64_t q = smi_cell_digits(first_line(quota), SMI_CELL_DIGITS),
            p = smi_cell_digits(first_line(period), SMI_CELL_DIGITS); /* "max", "-1": none */
    return q > 0 && p > 0 && q < INT64_C(1) << 40 ? q * 1000000 / p : -1;
}

static bool join_path(char *to, const char *dir, const char *name)
{
    return snprintf(to, SMI_CGROUP_PATH, "%s/%s", dir, name) < SMI_CGROUP_PATH;
}

int64_t smi_cgroup_limit(const struct smi_cgroup *g, enum smi_cgroup_part part)
{
    char path[SMI_CGROUP_PATH], a[256], b[256];
    struct smi_text t, period;
    if (!parts[part].limit[g->v1] || !join_path(path, g->dir, parts[part].limit[g->v1]))
        return -1;
    t = smi_cgroup_read_file(path, a, sizeof a);
    if (part == SMI_CGROUP_PART_RAM)
        return smi_cgroup_bytes(t);
    if (g->v1)
        return join_path(path, g->dir, "cpu.cfs_period_us")
                   ? smi_cgroup_cpus(t, smi_cgroup_read_file(path, b, sizeof b))
                   : -1;
    t = first_line(t); /* "150000 100000" */
    period = t;
    t = smi_text_word(&period);
    return smi_cgroup_cpus(t, period);
}

/* Looks at dir and all directories above it, up to its first `top` bytes. */
static bool find_limit_upwards(const char *dir, size_t top, bool v1, enum smi_cgroup_part part,
                               struct smi_cgroup *g)
{
    struct smi_cgroup at = {.v1 = v1};
    char path[SMI_CGROUP_PATH];
    int64_t least = -1, limit;
    bool found = false;
    memcpy(at.dir, dir, strlen(dir) + 1);
    for (;;) {
        if (parts[part].use[v1] && join_path(path, at.dir, parts[part].use[v1]) && access(path, R_OK) == 0) {
            limit = smi_cgroup_limit(&at, part);
            if (!found || (limit >= 0 && (least < 0 || limit < least))) {
                *g = at;
                least = limit;
            }
            found = true;
        }
        if (strlen(at.dir) <= top)
            return found;
        *strrchr(at.dir, '/') = 0;
    }
}

/* The group named `name`, under this mount; the mount itself where that is none of its directories. */
static bool is_under(const char *root, const char *mount, struct smi_text name, enum smi_cgroup_part part,
                     bool v1, struct smi_cgroup *g)
{
    char dir[SMI_CGROUP_PATH];
    int top = snprintf(dir, sizeof dir, "%s/sys/fs/cgroup%s", root, mount), n;
    bool inside = name.n > 1 && *name.p == '/' && !memmem(name.p, name.n, "/..", 3);
    if (top >= SMI_CGROUP_PATH / 2)
        return false;
    n = snprintf(dir + top, sizeof dir - (size_t)top, "%.*s", inside ? (int)name.n : 0, name.p);
    if (n >= SMI_CGROUP_PATH - top - 64)
        return false;
    return find_limit_upwards(dir, (size_t)top, v1, part, g);
}

/* "4:cpu,cpuacct:/docker/1f" */
static bool group_in_line(const char *root, struct smi_text line, enum smi_cgroup_part part,
                          struct smi_cgroup *g)
{
    char mount[128];
    bool listed = false;
    const char *rest, *end = line.p + line.n, *a = memchr(line.p, ':', line.n), *b;
    struct smi_text list, name, own;
    b = a ? memchr(a + 1, ':', (size_t)(end - a - 1)) : NULL;
    if (!b)
        return false;
    list = (struct smi_text){a + 1, (size_t)(b - a - 1)};
    name = (struct smi_text){b + 1, (size_t)(end - b - 1)};
    if (!list.n)
        return is_under(root, "", name, part, false, g) || is_under(root, "/unified", name, part, false, g);
    if (list.n > sizeof mount - 2)
        return false;
    snprintf(mount, sizeof mount, "/%.*s", (int)list.n, list.p);
    for (rest = mount + 1; !listed && smi_text_next_item(&rest, &own);)
        listed = smi_text_is(own, parts[part].controller);
    if (!listed)
        return false;
    if (is_under(root, mount, name, part, true, g))
        return true;
    snprintf(mount, sizeof mount, "/%s", parts[part].controller);
    return is_under(root, mount, name, part, true, g);
}

bool smi_cgroup_find(const char *root, enum smi_cgroup_part part, struct smi_cgroup *g)
{
    char path[SMI_CGROUP_PATH], *buf = smi_mem_raw(SMI_CGROUP_FILE);
    struct smi_text t = {NULL, 0}, line;
    bool found = false;
    if (snprintf(path, sizeof path, "%s/proc/self/cgroup", root) < SMI_CGROUP_PATH)
        t = smi_cgroup_read_file(path, buf, SMI_CGROUP_FILE);
    while (!found && smi_cgroup_line(&t, &line))
        found = group_in_line(root, line, part, g);
    smi_mem_free(buf);
    return found;
}
