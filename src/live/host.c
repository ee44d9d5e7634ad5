/* host.c - the machine at this moment, from /proc and its control group. */
#include "live/host.h"

#include "base/clock.h"
#include "base/mem.h"
#include "formats/cpu_ticks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

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
    int fd[SMI_HOST_FILES]; /* -1: there is none */
    bool v1_cpu;
    char *buf;
    size_t cap;
    int64_t now_us; /* of the sample that is read */
    bool ticked;
    uint32_t limits; /* those that there were at the beginning, as in has */
    struct smi_cpu_ticks ticks;
    struct smi_host_counter psi[3], time, periods, throttled;
    int64_t cache; /* bytes of file cache not used lately, of the group; */
    int64_t quota; /* microseconds of v1's quota; -1: none */
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

/* The number that the first line is; -1: it is none. */
static int64_t first_number(struct smi_text t)
{
    struct smi_text line;
    return smi_cgroup_line(&t, &line) ? smi_cell_digits(smi_text_trim(line), SMI_CELL_DIGITS) : -1;
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
    int64_t now = smi_cgroup_bytes(t), used = now > h->cache ? now - h->cache : 0;
    set_bytes(h, SMI_HOST_CG_RAM, now < 0 ? -1 : used);
    if (now >= 0 && host_has(&h->now, SMI_HOST_CG_RAM_LIMIT) && h->now.v[SMI_HOST_CG_RAM_LIMIT] > 0)
        set_value(h, SMI_HOST_CG_RAM_PCT,
                  smi_i128_div((smi_i128)used * 1000000 * 100000000,
                               (smi_i128)mib * h->now.v[SMI_HOST_CG_RAM_LIMIT]));
}

/* Processor time of the group, in nanoseconds. */
static void set_cgroup_time(struct smi_host *h, int64_t ns)
{
    int64_t by, us;
    if (!counter_delta(h, &h->time, ns, &by, &us))
        return;
    set_value(h, SMI_HOST_CG_CPUS, smi_i128_div((smi_i128)by * 1000, us));
    if (host_has(&h->now, SMI_HOST_CG_CPU_LIMIT) && h->now.v[SMI_HOST_CG_CPU_LIMIT] > 0)
        set_value(
            h, SMI_HOST_CG_CPU_PCT,
            smi_i128_div((smi_i128)by * 1000 * 100000000, (smi_i128)us * h->now.v[SMI_HOST_CG_CPU_LIMIT]));
}

static void parse_cgroup_periods(struct smi_host *h, struct smi_text t)
{
    int64_t all = 0, stopped = 0, us;
    bool a = counter_delta(h, &h->periods, smi_host_keyed(t, "nr_periods"), &all, &us);
    bool b = counter_delta(h, &h->throttled, smi_host_keyed(t, "nr_throttled"), &stopped, &us);
    if (a && b && all > 0)
        set_share(h, SMI_HOST_CG_THROTTLED, stopped < all ? stopped : all, all);
}

/* v1: cpuacct.usage, nanoseconds; v2: cpu.stat with usage_usec and the periods */
static void parse_cgroup_time(struct smi_host *h, struct smi_text t)
{
    int64_t us = smi_host_keyed(t, "usage_usec");
    if (h->v1_cpu) {
        set_cgroup_time(h, first_number(t));
        return;
    }
    set_cgroup_time(h, us >= 0 && us < INT64_C(1) << 53 ? us * 1000 : -1);
    parse_cgroup_periods(h, t);
}

static void set_cpu_limit(struct smi_host *h, struct smi_text quota, struct smi_text period)
{
    const int64_t cpus = smi_cgroup_cpus(quota, period);
    if (cpus > 0)
        set_value(h, SMI_HOST_CG_CPU_LIMIT, cpus);
}

static void parse_cgroup_cpu_max(struct smi_host *h, struct smi_text t)
{
    struct smi_text line = {NULL, 0}, quota;
    if (h->v1_cpu) {
        h->quota = first_number(t); /* the period is read next */
        return;
    }
    smi_cgroup_line(&t, &line);
    quota = smi_text_word(&line);
    set_cpu_limit(h, quota, line);
}

static void parse_cgroup_period(struct smi_host *h, struct smi_text t)
{
    char quota[24];
    size_t n = smi_i128_write(quota, h->quota);
    set_cpu_limit(h, (struct smi_text){quota, n}, t);
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
    set_bytes(h, id, smi_cgroup_bytes(t));
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
    return id <= SMI_HOST_IDLE || h->fd[v->file] >= 0; /* the two stand in every file */
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
    if (h->fd[SMI_HOST_FILE_STAT] >= 0 && !host_has(s, SMI_HOST_USR))
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

enum { LEAST = 16384, MOST = 1 << 20 };

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

static void open_part(struct smi_host *h, const char *dir, enum smi_cgroup_part part, bool v1)
{
    for (int i = 0; i < SMI_HOST_FILES; i++)
        if (files[i].part == part && files[i].name[v1])
            h->fd[i] = open_file(dir, files[i].name[v1]);
}

static ssize_t read_file(const struct smi_host *h, enum smi_host_file file)
{
    ssize_t n;
    do
        n = pread(h->fd[file], h->buf, h->cap, 0);
    while (n < 0 && errno == EINTR);
    return n;
}

static void read_value_file(struct smi_host *h, enum smi_host_file file)
{
    struct smi_text t;
    ssize_t n = h->fd[file] < 0 ? 0 : read_file(h, file);
    while (n > 0 && h->buf[n - 1] != '\n') /* what is cut off is no number */
        n--;
    t = (struct smi_text){h->buf, n > 0 ? (size_t)n : 0};
    if (files[file].parse)
        files[file].parse(h, t);
    else
        files[file].parse_one(h, files[file].value, t);
}

/* The group of a directory below root: "/docker/1f" of "/sys/fs/cgroup/cpu/docker/1f". */
static char *group_below(char *dir, const char *root)
{
    char *mount = dir + strlen(root) + strlen("/sys/fs/cgroup/");
    return mount + strcspn(mount, "/");
}

/* Opens the CPU time of the group that has the limit, where cpuacct is mounted apart from cpu. A process can
 * be in another group there: its time is not what the quota limits. */
static int open_time_apart(const char *root, struct smi_cgroup *limited)
{
    const char *name = group_below(limited->dir, root);
    const size_t n = strlen(name);
    struct smi_cgroup g;
    if (!smi_cgroup_find(root, SMI_CGROUP_PART_CPU_TIME, &g))
        return -1;
    char *own = group_below(g.dir, root);
    if (strncmp(own, name, n) != 0 || (own[n] && own[n] != '/'))
        return -1;
    own[n] = 0;
    return open_file(g.dir, "cpuacct.usage");
}

struct smi_host *smi_host_open(const char *root)
{
    struct smi_host *h = smi_mem_new(1, sizeof *h);
    struct smi_cgroup g;
    h->quota = -1;
    memset(h->fd, -1, sizeof h->fd);
    open_part(h, root, SMI_CGROUP_NO_PART, false);
    if (smi_cgroup_find(root, SMI_CGROUP_PART_RAM, &g))
        open_part(h, g.dir, SMI_CGROUP_PART_RAM, g.v1);
    if (smi_cgroup_find(root, SMI_CGROUP_PART_CPU, &g)) {
        h->v1_cpu = g.v1;
        open_part(h, g.dir, SMI_CGROUP_PART_CPU, g.v1);
        if (g.v1 && h->fd[SMI_HOST_FILE_CG_TIME] < 0)
            h->fd[SMI_HOST_FILE_CG_TIME] = open_time_apart(root, &g);
    }
    /* room for /proc/stat, the longest of them, and as much again for CPUs and interrupts that come later */
    for (h->cap = LEAST, h->buf = smi_mem_raw(h->cap);
         h->cap < MOST && h->fd[SMI_HOST_FILE_STAT] >= 0 &&
         read_file(h, SMI_HOST_FILE_STAT) >= (ssize_t)h->cap / 2;
         h->buf = smi_mem_raw(h->cap)) {
        smi_mem_free(h->buf);
        h->cap *= 2;
    }
    read_value_file(h, SMI_HOST_FILE_CG_RAM_MAX);
    read_value_file(h, SMI_HOST_FILE_CG_CPU_MAX);
    if (h->v1_cpu)
        read_value_file(h, SMI_HOST_FILE_CG_PERIOD);
    h->limits = h->now.has; /* they say what the columns of the file are */
    return h;
}

void smi_host_read(struct smi_host *h, int64_t now_us, struct smi_host_sample *out)
{
    h->now_us = now_us;
    h->now.has = 0;
    for (enum smi_host_file file = 0; file < SMI_HOST_FILES; file++)
        if (h->fd[file] >= 0)
            read_value_file(h, file);
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
