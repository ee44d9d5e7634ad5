/* host_parse.c - what each file says. */
#include "live/host_private.h"

static const int64_t mib = 1 << 20;

static void clear_value(struct smi_host *h, enum smi_host_id id)
{
    h->now.has &= ~(UINT32_C(1) << id);
}

/* millionths, rounded to what is printed; readers take none of 2^43 or more */
static void set_value(struct smi_host *h, enum smi_host_id id, smi_i128 micro)
{
    int64_t step = 1000000;
    if (micro >= (smi_i128)1 << 43) {
        clear_value(h, id);
        return;
    }
    for (int i = 0; i < smi_host_values[id].digits; i++)
        step /= 10;
    h->now.has |= UINT32_C(1) << id;
    h->now.v[id] = (int64_t)smi_i128_div(micro, step) * step;
}

static void set_share(struct smi_host *h, enum smi_host_id id, int64_t part, int64_t all)
{
    set_value(h, id, smi_i128_div((smi_i128)part * 100000000, all));
}

static void set_bytes(struct smi_host *h, enum smi_host_id id, int64_t bytes)
{
    if (bytes < 0)
        clear_value(h, id);
    else
        set_value(h, id, smi_i128_div((smi_i128)bytes * 1000000, mib));
}

/* Cuts a line off in front; false at the end. */
static bool next_line(struct smi_text *t, struct smi_text *line)
{
    const char *lf = t->n ? memchr(t->p, '\n', t->n) : NULL;
    if (!lf)
        return false;
    *line = (struct smi_text){t->p, (size_t)(lf - t->p)};
    *t = (struct smi_text){lf + 1, t->n - line->n - 1};
    return true;
}

/* The number behind the word key, with or without a colon, at the beginning of a line; -1: there is none. */
static int64_t keyed(struct smi_text t, const char *key)
{
    struct smi_text line;
    size_t n = strlen(key);
    while (next_line(&t, &line)) {
        if (line.n <= n || memcmp(line.p, key, n) || !strchr(" \t:", line.p[n]))
            continue;
        line = (struct smi_text){line.p + n + 1, line.n - n - 1};
        return smi_cpu_ticks_digits(smi_text_word(&line));
    }
    return -1;
}

/* What was added to a counter since it was read before, and in which time; false if it cannot be told. */
static bool counter_delta(struct smi_host_counter *c, int64_t n, int64_t now_us, int64_t *by, int64_t *us)
{
    struct smi_host_counter was = *c;
    *c = (struct smi_host_counter){n >= 0, n, now_us};
    if (!was.known || n < was.n || now_us <= was.at_us)
        return false;
    *by = n - was.n;
    *us = now_us - was.at_us;
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
    while (!all && next_line(&t, &line)) {
        struct smi_text rest = line;
        if (smi_cpu_ticks_is_cpu(smi_text_word(&rest)))
            cpus++;
        else if (!told && smi_cpu_ticks_read(line, &ticks))
            told = true;
        else
            all = cpus > 0; /* a line behind those of CPUs: none is missing */
    }
    for (enum smi_host_id id = SMI_HOST_USR; id <= SMI_HOST_CPUS; id++)
        clear_value(h, id);
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
    int64_t total = keyed(t, "MemTotal"), left = keyed(t, "MemAvailable");
    int64_t swap = keyed(t, "SwapTotal"), swap_free = keyed(t, "SwapFree");
    int64_t unused = keyed(t, "MemFree"), buffers = keyed(t, "Buffers"), cached = keyed(t, "Cached");
    const int64_t most = INT64_C(1) << 43; /* kB: 2^53 bytes */
    if (left < 0 && unused >= 0 && buffers >= 0 && cached >= 0)
        left = unused + buffers + cached;
    clear_value(h, SMI_HOST_RAM_PCT);
    clear_value(h, SMI_HOST_RAM_USED);
    set_bytes(h, SMI_HOST_RAM_TOTAL, total > 0 && total < most ? total * 1024 : -1);
    set_bytes(h, SMI_HOST_SWAP_USED,
              swap_free >= 0 && swap >= swap_free && swap < most ? (swap - swap_free) * 1024 : -1);
    if (total <= 0 || total >= most || left < 0 || left > total)
        return;
    set_share(h, SMI_HOST_RAM_PCT, total - left, total);
    set_bytes(h, SMI_HOST_RAM_USED, (total - left) * 1024);
}

/* "some avg10=7.94 avg60=13.90 avg300=12.13 total=80875921": microseconds */
static void parse_psi(struct smi_host *h, int which, struct smi_text t, int64_t now_us)
{
    const enum smi_host_id id = SMI_HOST_PSI_CPU + (unsigned)which;
    struct smi_text line, w;
    int64_t total = -1, by, us;
    while (total < 0 && next_line(&t, &line))
        if (smi_text_is(smi_text_word(&line), "some"))
            while (total < 0 && (w = smi_text_word(&line)).n)
                if (smi_text_starts_nocase(w, "total="))
                    total = smi_cpu_ticks_digits((struct smi_text){w.p + 6, w.n - 6});
    if (counter_delta(&h->psi[which], total, now_us, &by, &us))
        set_share(h, id, by < us ? by : us, us);
    else
        clear_value(h, id);
}

/* "0.52 0.58 0.59 3/467 12345" */
static void parse_loadavg(struct smi_host *h, struct smi_text t)
{
    int64_t v;
    struct smi_text line;
    if (next_line(&t, &line) && smi_text_parse_micro(smi_text_word(&line), &v) == 0 && v >= 0)
        set_value(h, SMI_HOST_LOAD, v);
    else
        clear_value(h, SMI_HOST_LOAD);
}

static void parse_cgroup_ram(struct smi_host *h, struct smi_text t)
{
    int64_t now = smi_cgroup_bytes(t), used = now > h->cache ? now - h->cache : 0;
    set_bytes(h, SMI_HOST_CG_RAM, now < 0 ? -1 : used);
    clear_value(h, SMI_HOST_CG_RAM_PCT);
    if (now >= 0 && smi_host_has(&h->now, SMI_HOST_CG_RAM_LIMIT) && h->now.v[SMI_HOST_CG_RAM_LIMIT] > 0)
        set_value(h, SMI_HOST_CG_RAM_PCT,
                  smi_i128_div((smi_i128)used * 1000000 * 100000000,
                               (smi_i128)mib * h->now.v[SMI_HOST_CG_RAM_LIMIT]));
}

/* Processor time of the group, in nanoseconds. */
static void parse_cgroup_time(struct smi_host *h, int64_t ns, int64_t now_us)
{
    int64_t by, us;
    clear_value(h, SMI_HOST_CG_CPUS);
    clear_value(h, SMI_HOST_CG_CPU_PCT);
    if (!counter_delta(&h->time, ns, now_us, &by, &us))
        return;
    set_value(h, SMI_HOST_CG_CPUS, smi_i128_div((smi_i128)by * 1000, us));
    if (smi_host_has(&h->now, SMI_HOST_CG_CPU_LIMIT) && h->now.v[SMI_HOST_CG_CPU_LIMIT] > 0)
        set_value(
            h, SMI_HOST_CG_CPU_PCT,
            smi_i128_div((smi_i128)by * 1000 * 100000000, (smi_i128)us * h->now.v[SMI_HOST_CG_CPU_LIMIT]));
}

static void parse_cgroup_periods(struct smi_host *h, struct smi_text t, int64_t now_us)
{
    int64_t all = 0, stopped = 0, us;
    bool a = counter_delta(&h->periods, keyed(t, "nr_periods"), now_us, &all, &us);
    bool b = counter_delta(&h->throttled, keyed(t, "nr_throttled"), now_us, &stopped, &us);
    if (a && b && all > 0)
        set_share(h, SMI_HOST_CG_THROTTLED, stopped < all ? stopped : all, all);
    else
        clear_value(h, SMI_HOST_CG_THROTTLED);
}

/* v1: cpuacct.usage, nanoseconds; v2: cpu.stat with usage_usec and the periods */
static void set_cgroup_cpu(struct smi_host *h, struct smi_text t, int64_t now_us)
{
    int64_t us = keyed(t, "usage_usec");
    struct smi_text line;
    if (h->v1_cpu) {
        parse_cgroup_time(h, next_line(&t, &line) ? smi_cpu_ticks_digits(smi_text_trim(line)) : -1, now_us);
        return;
    }
    parse_cgroup_time(h, us < INT64_C(1) << 53 ? us < 0 ? -1 : us * 1000 : -1, now_us);
    parse_cgroup_periods(h, t, now_us);
}

static void cgroup_limit(struct smi_host *h, int64_t cpus)
{
    if (cpus > 0)
        set_value(h, SMI_HOST_CG_CPU_LIMIT, cpus);
    else
        clear_value(h, SMI_HOST_CG_CPU_LIMIT);
}

static void parse_cgroup_cpu_max(struct smi_host *h, struct smi_text t)
{
    struct smi_text line = {NULL, 0}, quota;
    next_line(&t, &line);
    if (h->v1_cpu) {
        h->quota = smi_cpu_ticks_digits(smi_text_trim(line)); /* the period is read next */
        return;
    }
    quota = smi_text_word(&line);
    cgroup_limit(h, smi_cgroup_cpus(quota, line));
}

static void parse_cgroup_period(struct smi_host *h, struct smi_text t)
{
    char quota[24];
    size_t n = smi_i128_write(quota, h->quota);
    cgroup_limit(h, smi_cgroup_cpus((struct smi_text){quota, n}, t));
}

static void parse_cgroup_ram_stat(struct smi_host *h, struct smi_text t)
{
    int64_t v1 = keyed(t, "total_inactive_file"), v2 = keyed(t, "inactive_file");
    h->cache = v1 >= 0 ? v1 : v2 >= 0 ? v2 : 0;
}

static void parse_cgroup_events(struct smi_host *h, struct smi_text t)
{
    int64_t n = keyed(t, "oom_kill");
    if (n >= 0 && n < INT64_C(1) << 40)
        set_value(h, SMI_HOST_CG_OOM, n * 1000000);
    else
        clear_value(h, SMI_HOST_CG_OOM);
}

void smi_host_parse(struct smi_host *h, enum smi_host_file file, struct smi_text t, int64_t now_us)
{
    switch (file) {
    case SMI_HOST_FILE_STAT:
        parse_stat(h, t);
        return;
    case SMI_HOST_FILE_MEMINFO:
        parse_meminfo(h, t);
        return;
    case SMI_HOST_FILE_CG_RAM:
        parse_cgroup_ram(h, t);
        return;
    case SMI_HOST_FILE_CG_TIME:
        set_cgroup_cpu(h, t, now_us);
        return;
    case SMI_HOST_FILE_PSI_CPU:
    case SMI_HOST_FILE_PSI_MEM:
    case SMI_HOST_FILE_PSI_IO:
        parse_psi(h, (int)file - SMI_HOST_FILE_PSI_CPU, t, now_us);
        return;
    case SMI_HOST_FILE_LOAD:
        parse_loadavg(h, t);
        return;
    case SMI_HOST_FILE_CG_RAM_STAT:
        parse_cgroup_ram_stat(h, t);
        return;
    case SMI_HOST_FILE_CG_EVENTS:
        parse_cgroup_events(h, t);
        return;
    case SMI_HOST_FILE_CG_PERIODS:
        parse_cgroup_periods(h, t, now_us);
        return;
    case SMI_HOST_FILE_CG_PEAK:
        set_bytes(h, SMI_HOST_CG_RAM_PEAK, smi_cgroup_bytes(t));
        return;
    case SMI_HOST_FILE_CG_RAM_MAX:
        set_bytes(h, SMI_HOST_CG_RAM_LIMIT, smi_cgroup_bytes(t));
        return;
    case SMI_HOST_FILE_CG_CPU_MAX:
        parse_cgroup_cpu_max(h, t);
        return;
    case SMI_HOST_FILE_CG_PERIOD:
        parse_cgroup_period(h, t);
        return;
    case SMI_HOST_FILES:
        return;
    }
}
