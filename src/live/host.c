/* host.c - the machine at this moment, from /proc and its control group. */
#include "live/host.h"

#include "base/clock.h"
#include "base/mem.h"
#include "formats/column.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* ---- the control group. Lines of /proc/self/cgroup:
 *
 *     0::/user.slice/job.scope              v2
 *     4:cpu,cpuacct:/docker/1f              v1
 *
 * In a container the path may be the host's, which is not mounted there: then the mounted root is the group
 * ---- */

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

/* The number that the first line is, or its first word; -1: it is none. */
static int64_t first_number(struct smi_text t)
{
    struct smi_text line;
    return smi_cgroup_line(&t, &line) ? smi_cell_digits(smi_text_word(&line), SMI_CELL_DIGITS) : -1;
}

/* Bytes of a file; -1: "max", which v1 says as 9223372036854771712. */
static int64_t byte_limit(struct smi_text t)
{
    int64_t v = first_number(t);
    return v > INT64_C(1) << 53 ? -1 : v;
}

static bool join_path(char *to, const char *dir, const char *name)
{
    return snprintf(to, SMI_CGROUP_PATH, "%s/%s", dir, name) < SMI_CGROUP_PATH;
}

int64_t smi_cgroup_limit(const struct smi_cgroup *g, enum smi_cgroup_part part)
{
    char path[SMI_CGROUP_PATH], buf[256];
    struct smi_text t;
    int64_t quota, period;
    if (!*g->dir || !parts[part].limit[g->v1] || !join_path(path, g->dir, parts[part].limit[g->v1]))
        return -1;
    t = smi_cgroup_read_file(path, buf, sizeof buf);
    if (part == SMI_CGROUP_PART_RAM)
        return byte_limit(t);
    quota = first_number(t);
    if (g->v1 && join_path(path, g->dir, "cpu.cfs_period_us"))
        t = smi_cgroup_read_file(path, buf, sizeof buf);
    else
        smi_text_word(&t);    /* "150000 100000" */
    period = first_number(t); /* "max", "-1": none */
    return quota > 0 && period > 0 && quota < INT64_C(1) << 40 ? quota * 1000000 / period : -1;
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
    char mount[2][128] = {"", "/unified"};
    const char *rest, *end = line.p + line.n, *a = memchr(line.p, ':', line.n),
                      *b = a ? memchr(a + 1, ':', (size_t)(end - a - 1)) : NULL;
    bool listed = false, found = false;
    struct smi_text own;
    if (!b || b - a >= (ptrdiff_t)sizeof *mount)
        return false;
    const bool v1 = b > a + 1;
    if (v1) {
        snprintf(mount[0], sizeof *mount, "/%.*s", (int)(b - a - 1), a + 1);
        snprintf(mount[1], sizeof *mount, "/%s", parts[part].controller);
    }
    for (rest = mount[0] + 1; v1 && !listed && smi_text_next_item(&rest, &own);)
        listed = smi_text_is(own, parts[part].controller);
    for (int i = 0; i < 2 && !found && listed == v1; i++)
        found = is_under(root, mount[i], smi_text_between(b + 1, end), part, v1, g);
    return found;
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

/* ---- the machine ---- */

#define SMI_HOST_FILE(id, part, v2, v1, parse, parse_one, value) SMI_HOST_FILE_##id,
enum smi_host_file {
#include "live/host_file.def"
    SMI_HOST_FILES
};
#undef SMI_HOST_FILE

/* A counter as it was before. */
struct smi_host_counter {
    bool known;
    int64_t n, at_us;
};

struct smi_host {
    char *path[SMI_HOST_FILES]; /* NULL: there is none */
    struct smi_cgroup ram, cpu;
    char *buf;
    int64_t now_us; /* of the sample that is read */
    bool ticked;
    uint32_t limits; /* those that there were at the beginning, as in has */
    struct smi_cpu_ticks ticks;
    struct smi_host_counter psi[3], time, periods, throttled;
    int64_t cache; /* bytes of file cache not used lately, of the group; */
    struct smi_host_sample now;
};

static inline bool host_has(const struct smi_host_sample *s, enum smi_host_id id)
{
    return s->has >> id & 1;
}

static const int64_t mib = 1 << 20;

/* Millionths, rounded to what is printed; no value that no reader takes. */
static void set_value(struct smi_host *h, enum smi_host_id id, smi_i128 micro)
{
    const int metric = smi_host_values[id].metric;
    int64_t step = 1000000;
    if (metric < 0 ? micro >= SMI_GAUGE_LIMIT : !smi_reading_fits((unsigned)metric, micro))
        return;
    for (int i = 0; i < smi_host_values[id].digits; i++)
        step /= 10;
    h->now.has |= UINT32_C(1) << id;
    h->now.v[id] = (int64_t)smi_i128_div(micro, step) * step;
}

static void set_share(struct smi_host *h, enum smi_host_id id, int64_t part, int64_t all)
{
    set_value(h, id, smi_i128_div((smi_i128)part * 100000000, all));
}

/* Negative: not known. */
static void set_bytes(struct smi_host *h, enum smi_host_id id, int64_t bytes)
{
    if (bytes >= 0)
        set_value(h, id, smi_i128_div((smi_i128)bytes * 1000000, mib));
}

int64_t smi_host_keyed(struct smi_text t, const char *key)
{
    struct smi_text line;
    size_t n = strlen(key);
    while (smi_cgroup_line(&t, &line)) {
        if (line.n <= n || memcmp(line.p, key, n) || !strchr(" \t:", line.p[n]))
            continue;
        line = (struct smi_text){line.p + n + 1, line.n - n - 1};
        return smi_cell_digits(smi_text_word(&line), SMI_CELL_DIGITS);
    }
    return -1;
}

/* What was added to a counter since it was read before, and in which time; false if it cannot be told. */
static bool counter_delta(const struct smi_host *h, struct smi_host_counter *c, int64_t n, int64_t *by,
                          int64_t *us)
{
    struct smi_host_counter was = *c;
    *c = (struct smi_host_counter){n >= 0, n, h->now_us};
    if (!was.known || n < was.n || h->now_us <= was.at_us)
        return false;
    *by = n - was.n;
    *us = h->now_us - was.at_us;
    return true;
}

/* The line "cpu ...", then those of single CPUs, then others. */
static void parse_stat(struct smi_host *h, struct smi_text t)
{
    struct smi_text line;
    struct smi_cpu_ticks ticks;
    struct smi_cpu_shares s;
    bool told = false, passed = false, all = false;
    int64_t cpus = 0;
    while (!all && smi_cgroup_line(&t, &line)) {
        struct smi_text rest = line;
        if (smi_cpu_ticks_is_cpu(smi_text_word(&rest)))
            cpus++;
        else if (!told && smi_cpu_ticks_read(line, &ticks))
            told = true;
        else
            all = cpus > 0; /* a line behind those of CPUs: none is missing */
    }
    if (all)
        set_value(h, SMI_HOST_CPUS, cpus * 1000000);
    if (told && h->ticked)
        passed = smi_cpu_ticks_shares(&h->ticks, &ticks, &s);
    h->ticked = told;
    if (told)
        h->ticks = ticks;
    if (!passed)
        return;
    set_value(h, SMI_HOST_USR, s.usr);
    set_value(h, SMI_HOST_IDLE, s.idle);
    set_value(h, SMI_HOST_BUSY, s.busy);
    set_value(h, SMI_HOST_IOWAIT, s.iowait);
}

/* "MemTotal:       16318120 kB"; MemAvailable since Linux 3.14. */
static void parse_meminfo(struct smi_host *h, struct smi_text t)
{
    int64_t total = smi_host_keyed(t, "MemTotal"), left = smi_host_keyed(t, "MemAvailable");
    int64_t swap = smi_host_keyed(t, "SwapTotal"), swap_free = smi_host_keyed(t, "SwapFree");
    int64_t unused = smi_host_keyed(t, "MemFree"), buffers = smi_host_keyed(t, "Buffers"),
            cached = smi_host_keyed(t, "Cached");
    const int64_t most = INT64_MAX >> 10; /* kB */
    if (left < 0 && unused >= 0 && buffers >= 0 && cached >= 0)
        left = unused + buffers + cached;
    set_bytes(h, SMI_HOST_RAM_TOTAL, total > 0 && total < most ? total * 1024 : -1);
    set_bytes(h, SMI_HOST_SWAP_USED,
              swap_free >= 0 && swap >= swap_free && swap < most ? (swap - swap_free) * 1024 : -1);
    if (total <= 0 || total >= most || left < 0 || left > total)
        return;
    set_share(h, SMI_HOST_RAM_PCT, total - left, total);
    set_bytes(h, SMI_HOST_RAM_USED, (total - left) * 1024);
}

/* "some avg10=7.94 avg60=13.90 avg300=12.13 total=80875921": microseconds */
static void parse_psi(struct smi_host *h, enum smi_host_id id, struct smi_text t)
{
    struct smi_text line, w;
    int64_t total = -1, by, us;
    while (total < 0 && smi_cgroup_line(&t, &line))
        if (smi_text_is(smi_text_word(&line), "some"))
            while (total < 0 && (w = smi_text_word(&line)).n)
                if (smi_text_starts_nocase(w, "total="))
                    total = smi_cell_digits((struct smi_text){w.p + 6, w.n - 6}, SMI_CELL_DIGITS);
    if (counter_delta(h, &h->psi[id - SMI_HOST_PSI_CPU], total, &by, &us))
        set_share(h, id, by < us ? by : us, us);
}

/* "0.52 0.58 0.59 3/467 12345" */
static void parse_loadavg(struct smi_host *h, struct smi_text t)
{
    int64_t v;
    struct smi_text line;
    if (smi_cgroup_line(&t, &line) && smi_text_parse_micro(smi_text_word(&line), &v) == 0 && v >= 0)
        set_value(h, SMI_HOST_LOAD, v);
}

static void parse_cgroup_ram(struct smi_host *h, struct smi_text t)
{
    int64_t now = byte_limit(t), used = now > h->cache ? now - h->cache : 0;
    set_bytes(h, SMI_HOST_CG_RAM, now < 0 ? -1 : used);
    if (now >= 0 && host_has(&h->now, SMI_HOST_CG_RAM_LIMIT) && h->now.v[SMI_HOST_CG_RAM_LIMIT] > 0)
        set_value(h, SMI_HOST_CG_RAM_PCT,
                  smi_i128_div((smi_i128)used * 1000000 * 100000000,
                               (smi_i128)mib * h->now.v[SMI_HOST_CG_RAM_LIMIT]));
}

static void parse_cgroup_periods(struct smi_host *h, struct smi_text t)
{
    int64_t all = 0, stopped = 0, us;
    bool a = counter_delta(h, &h->periods, smi_host_keyed(t, "nr_periods"), &all, &us);
    bool b = counter_delta(h, &h->throttled, smi_host_keyed(t, "nr_throttled"), &stopped, &us);
    if (a && b && all > 0)
        set_share(h, SMI_HOST_CG_THROTTLED, stopped < all ? stopped : all, all);
}

/* Processor time of the group. v1: cpuacct.usage, nanoseconds; v2: cpu.stat with usage_usec */
static void parse_cgroup_time(struct smi_host *h, struct smi_text t)
{
    int64_t usage = smi_host_keyed(t, "usage_usec"), by, us,
            ns = h->cpu.v1                                ? first_number(t)
                 : usage >= 0 && usage < INT64_C(1) << 53 ? usage * 1000
                                                          : -1;
    if (!counter_delta(h, &h->time, ns, &by, &us))
        return;
    set_value(h, SMI_HOST_CG_CPUS, smi_i128_div((smi_i128)by * 1000, us));
    if (host_has(&h->now, SMI_HOST_CG_CPU_LIMIT) && h->now.v[SMI_HOST_CG_CPU_LIMIT] > 0)
        set_value(
            h, SMI_HOST_CG_CPU_PCT,
            smi_i128_div((smi_i128)by * 1000 * 100000000, (smi_i128)us * h->now.v[SMI_HOST_CG_CPU_LIMIT]));
}

static void parse_cgroup_ram_stat(struct smi_host *h, struct smi_text t)
{
    int64_t v1 = smi_host_keyed(t, "total_inactive_file"), v2 = smi_host_keyed(t, "inactive_file");
    h->cache = v1 >= 0 ? v1 : v2 >= 0 ? v2 : 0;
}

static void parse_cgroup_events(struct smi_host *h, struct smi_text t)
{
    int64_t n = smi_host_keyed(t, "oom_kill");
    if (n >= 0 && n < INT64_C(1) << 40)
        set_value(h, SMI_HOST_CG_OOM, (smi_i128)n * 1000000);
}

static void parse_cgroup_bytes(struct smi_host *h, enum smi_host_id id, struct smi_text t)
{
    set_bytes(h, id, byte_limit(t));
}

#define SMI_HOST_FILE(id, part, v2, v1, parse, parse_one, value) \
    [SMI_HOST_FILE_##id] = {SMI_CGROUP_##part, {v2, v1}, parse, parse_one, value},
static const struct {
    enum smi_cgroup_part part;
    const char *name[2];
    void (*parse)(struct smi_host *h, struct smi_text t);
    void (*parse_one)(struct smi_host *h, enum smi_host_id id, struct smi_text t);
    enum smi_host_id value;
} files[SMI_HOST_FILES] = {
#include "live/host_file.def"
};
#undef SMI_HOST_FILE

/* A column is there if the file is that its value comes from, and the limit of which it is a share. */
static bool has_column(const struct smi_host *h, enum smi_host_id id)
{
    const struct smi_host_value *v = &smi_host_values[id];
    if (v->metric < 0 || (v->limit >= 0 && !(h->limits >> v->limit & 1)))
        return false;
    return id <= SMI_HOST_IDLE || h->path[v->file]; /* the two stand in every file */
}

void smi_host_csv_head(const struct smi_host *h, struct smi_buf *to)
{
    smi_buf_str(to, "timestamp");
    for (enum smi_host_id id = 0; id < SMI_HOST_COUNT; id++)
        if (has_column(h, id))
            smi_buf_fmt(to, ",%s", smi_host_values[id].name);
    smi_buf_char(to, '\n');
}

void smi_host_csv_row(const struct smi_host *h, const struct smi_host_sample *s, int64_t t_ms,
                      struct smi_buf *to)
{
    char t[SMI_CLOCK_TEXT + SMI_MICRO_TEXT];
    if (h->path[SMI_HOST_FILE_STAT] && !host_has(s, SMI_HOST_USR))
        return;
    smi_buf_add(to, t, smi_clock_write(t, t_ms, false));
    smi_buf_str(to, "+00:00");
    for (enum smi_host_id id = 0; id < SMI_HOST_COUNT; id++) {
        if (!has_column(h, id))
            continue;
        smi_buf_char(to, ',');
        if (host_has(s, id))
            smi_buf_add(to, t, smi_text_write_fixed(t, s->v[id], smi_host_values[id].digits));
    }
    smi_buf_char(to, '\n');
}

#define SMI_HOST_VALUE(id, name, unit, digits, metric, file, limit, help) \
    [SMI_HOST_##id] = {name, unit, digits, metric, SMI_HOST_FILE_##file, limit, help},
const struct smi_host_value smi_host_values[SMI_HOST_COUNT] = {
#include "live/host_value.def"
};
#undef SMI_HOST_VALUE

_Static_assert(SMI_HOST_COUNT <= 32, "smi_host_sample.has has a bit for each");

enum {
    ROOM = 1 << 20
}; /* bytes of a file: /proc/stat is the longest of them. What is not read into costs nothing */

/* The path of a file that can be read; or NULL. */
static char *find_file(const char *dir, const char *name)
{
    char path[SMI_CGROUP_PATH];
    return join_path(path, dir, name) && access(path, R_OK) == 0 ? smi_mem_text(path, strlen(path)) : NULL;
}

static void find_files(struct smi_host *h, const char *dir, enum smi_cgroup_part part, bool v1)
{
    for (int i = 0; i < SMI_HOST_FILES; i++)
        if (files[i].part == part && files[i].name[v1])
            h->path[i] = find_file(dir, files[i].name[v1]);
}

/* The group of a directory below root: "/docker/1f" of "/sys/fs/cgroup/cpu/docker/1f". */
static char *group_below(char *dir, const char *root)
{
    char *mount = dir + strlen(root) + strlen("/sys/fs/cgroup/");
    return mount + strcspn(mount, "/");
}

/* Finds the CPU time of the group that has the limit, where cpuacct is mounted apart from cpu. A process can
 * be in another group there: its time is not what the quota limits. */
static char *find_time_apart(const char *root, struct smi_cgroup *limited)
{
    const char *name = group_below(limited->dir, root);
    const size_t n = strlen(name);
    struct smi_cgroup g;
    if (!smi_cgroup_find(root, SMI_CGROUP_PART_CPU_TIME, &g))
        return NULL;
    char *own = group_below(g.dir, root);
    if (strncmp(own, name, n) != 0 || (own[n] && own[n] != '/'))
        return NULL;
    own[n] = 0;
    return find_file(g.dir, "cpuacct.usage");
}

/* The limits come before the use that is compared with them. */
static void read_limits(struct smi_host *h)
{
    const int64_t cpus = smi_cgroup_limit(&h->cpu, SMI_CGROUP_PART_CPU);
    set_bytes(h, SMI_HOST_CG_RAM_LIMIT, smi_cgroup_limit(&h->ram, SMI_CGROUP_PART_RAM));
    if (cpus > 0)
        set_value(h, SMI_HOST_CG_CPU_LIMIT, cpus);
}

struct smi_host *smi_host_open(const char *root)
{
    struct smi_host *h = smi_mem_new(1, sizeof *h);
    find_files(h, root, SMI_CGROUP_NO_PART, false);
    if (smi_cgroup_find(root, SMI_CGROUP_PART_RAM, &h->ram))
        find_files(h, h->ram.dir, SMI_CGROUP_PART_RAM, h->ram.v1);
    if (smi_cgroup_find(root, SMI_CGROUP_PART_CPU, &h->cpu)) {
        find_files(h, h->cpu.dir, SMI_CGROUP_PART_CPU, h->cpu.v1);
        if (h->cpu.v1 && !h->path[SMI_HOST_FILE_CG_TIME])
            h->path[SMI_HOST_FILE_CG_TIME] = find_time_apart(root, &h->cpu);
    }
    h->buf = smi_mem_raw(ROOM);
    read_limits(h);
    h->limits = h->now.has; /* they say what the columns of the file are */
    return h;
}

void smi_host_read(struct smi_host *h, int64_t now_us, struct smi_host_sample *out)
{
    h->now_us = now_us;
    h->now.has = 0;
    read_limits(h);
    for (enum smi_host_file file = 0; file < SMI_HOST_FILES; file++) {
        struct smi_text t;
        if (!h->path[file])
            continue;
        t = smi_cgroup_read_file(h->path[file], h->buf, ROOM);
        if (files[file].parse)
            files[file].parse(h, t);
        else
            files[file].parse_one(h, files[file].value, t);
    }
    *out = h->now;
}

void smi_host_close(struct smi_host *h)
{
    if (!h)
        return;
    for (int i = 0; i < SMI_HOST_FILES; i++)
        smi_mem_free(h->path[i]);
    smi_mem_free(h->buf);
    smi_mem_free(h);
}
