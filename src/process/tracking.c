#include "process/tracking.h"

#include "process/tree_private.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

/* ---- rows of procs.csv ---- */

#define FIGURE(member) ((int)(offsetof(struct smi_usage_sample, member) / sizeof(int64_t)) - 1)
enum { PROCESSES = -1 }; /* in no sample of the usage */

static const struct {
    uint16_t metric;
    const char *most; /* the key of its maximum: "max_" and that of the metric (aggregate/runlog.h) */
    enum { MICRO, BYTES, COUNT } unit;
    int figure; /* of a sample */
} columns[] = {
    {SMI_TREE_CPU, "max_tree_cpu_pct", MICRO, FIGURE(cpu[SMI_TREE_OF_ALL])},
    {SMI_TREE_CPU_MAIN, "max_tree_cpu_main_pct", MICRO, FIGURE(cpu[SMI_TREE_OF_MAIN])},
    {SMI_TREE_CPU_CHILDREN, "max_tree_cpu_children_pct", MICRO, FIGURE(cpu[SMI_TREE_OF_DESCENDANTS])},
    {SMI_TREE_RAM, "max_tree_ram_mib", BYTES, FIGURE(ram[SMI_TREE_OF_ALL].total)},
    {SMI_TREE_RAM_MAIN, "max_tree_ram_main_mib", BYTES, FIGURE(ram[SMI_TREE_OF_MAIN].total)},
    {SMI_TREE_RAM_CHILDREN, "max_tree_ram_children_mib", BYTES, FIGURE(ram[SMI_TREE_OF_DESCENDANTS].total)},
    {SMI_TREE_RAM_PRIVATE, "max_tree_ram_private_mib", BYTES, FIGURE(ram[SMI_TREE_OF_ALL].private_)},
    {SMI_TREE_RAM_SHARED, "max_tree_ram_shared_mib", BYTES, FIGURE(ram[SMI_TREE_OF_ALL].shared)},
    {SMI_TREE_FB, "max_tree_fb_mib", MICRO, FIGURE(gpu_ram[SMI_TREE_OF_ALL])},
    {SMI_TREE_FB_MAIN, "max_tree_fb_main_mib", MICRO, FIGURE(gpu_ram[SMI_TREE_OF_MAIN])},
    {SMI_TREE_FB_CHILDREN, "max_tree_fb_children_mib", MICRO, FIGURE(gpu_ram[SMI_TREE_OF_DESCENDANTS])},
    {SMI_TREE_THREADS, "max_tree_threads", COUNT, FIGURE(threads[SMI_TREE_OF_ALL])},
    {SMI_TREE_THREADS_MAIN, "max_tree_threads_main", COUNT, FIGURE(threads[SMI_TREE_OF_MAIN])},
    {SMI_TREE_THREADS_CHILDREN, "max_tree_threads_children", COUNT, FIGURE(threads[SMI_TREE_OF_DESCENDANTS])},
    {SMI_TREE_PROCS, "max_tree_procs", COUNT, PROCESSES},
};

static int64_t mib(int64_t bytes)
{
    return bytes < 0 ? -1 : (int64_t)smi_i128_div((smi_i128)bytes * 1000000, 1 << 20);
}

/* Millionths of the catalogue's unit, or -1: of the last sample, or the most over the whole time. */
static int64_t column_value(const struct smi_tracking *t, size_t i, bool most)
{
    const struct smi_usage_sample *of = most ? &t->f.usage.most : &t->now;
    const int figure = columns[i].figure;
    const int64_t now = t->f.last.of[SMI_TREE_OF_ALL].processes, v = figure != PROCESSES ? of->figure[figure]
                                                                     : most              ? t->f.processes
                                                                                         : now;
    if (columns[i].unit != COUNT)
        return columns[i].unit == BYTES ? mib(v) : v;
    const bool known =
        most ? t->f.seen : now > 0 && !(t->f.last.hidden && figure > FIGURE(threads[SMI_TREE_OF_MAIN]));
    return known ? v * 1000000 : -1;
}

/* A row of the sample at hand; false if there is nothing in it. */
static bool put_procs_row(const struct smi_tracking *t, int64_t wall_ms, struct smi_buf *to)
{
    char text[SMI_CLOCK_TEXT + SMI_MICRO_TEXT];
    bool some = false;
    smi_buf_add(to, text, smi_clock_write(text, wall_ms, false));
    smi_buf_str(to, "+00:00");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        const int64_t v = column_value(t, i, false);
        smi_buf_char(to, ',');
        some |= v >= 0;
        if (v >= 0)
            smi_buf_add(to, text, smi_text_write_fixed(text, v, columns[i].unit != COUNT));
    }
    smi_buf_char(to, '\n');
    return some;
}

/* ---- when monitors are ready ---- */

/* What has to be known before a command is started. */

enum {
    MUTE_MS = 2000,      /* monitors that print nothing are waited for so long, */
    READY_MS = 5000,     /* others so long, */
    ALONE_MS = 10000,    /* and where only what was held before tells what is the command's */
    MUTE_STILL_MS = 100, /* monitors that have printed nothing hang if they do nothing for so long, */
    STILL_MS = 1000      /* others for so long */
};

static const struct smi_live_gpu *find_listed(const struct smi_machine *n, const struct smi_gpu_id *id)
{
    for (size_t i = 0; i < n->gpus; i++) {
        const char *uuid = n->gpu[i]->uuid;
        if (uuid && *id->uuid ? strcmp(uuid, id->uuid) == 0 : n->gpu[i]->index == id->index)
            return n->gpu[i];
    }
    return NULL;
}

/* Have all GPUs been read, or is there none? Only then it can be known what a command adds. Where nothing
 * lists the GPUs, the first one that is read again ends the first sample. The first monitor of GPUs that is
 * not down decides: query, before dmon, which does not say what a GPU has. */
static bool are_gpus_read(struct smi_live *l)
{
    const struct smi_machine *n = l->now;
    const struct smi_live_source *s = NULL;
    size_t listed, read = 0;
    const struct smi_gpu_id *id = smi_live_listed(l, &listed);
    for (size_t i = 0; i < n->sources && !s; i++)
        if (smi_format_infos[n->source[i]->format].gpu && n->source[i]->state != SMI_SOURCE_DOWN)
            s = n->source[i];
    if (!s || s->repeated)
        return true;
    for (size_t i = 0; i < listed; i++) {
        const struct smi_live_gpu *b = find_listed(n, &id[i]);
        read +=
            b && b->latest[SMI_FB_USED].has && (s->format != SMI_FMT_QUERY || b->latest[SMI_FB_TOTAL].has);
    }
    return listed && read == listed;
}

void smi_tracking_unread(struct smi_buf *to, struct smi_live *l)
{
    const struct smi_machine *n = l->now;
    size_t listed;
    const struct smi_gpu_id *id = smi_live_listed(l, &listed);
    for (size_t i = 0; i < listed; i++) {
        const struct smi_live_gpu *b = find_listed(n, &id[i]);
        if (!b || !b->seen)
            smi_buf_fmt(to, "%s%d", to->n ? ", " : "", id[i].index);
    }
}

/* One that runs, is ready to run, or works in the kernel (a driver that starts) is never still. */
static uint64_t monitor_did(pid_t pid)
{
    struct smi_tree_stat s;
    if (!smi_tree_stat_pid(pid, &s) || s.state == 'R' || s.state == 'D')
        return 0;
    return smi_hash_number(s.memory + (uint64_t)(s.own + pid)) | 1;
}

/* Do the monitors hang? They have neither run nor waited for a CPU for some time. */
static bool monitors_hang(struct smi_tracking *t, bool alone, int64_t mono_ms)
{
    const struct smi_live *l = t->o.live;
    uint64_t did = 0, own = 1;
    for (size_t i = 0; i < l->logs && own; i++)
        if (l->log[i].m->child.pid) {
            own = monitor_did(l->log[i].m->child.pid);
            did = own ? did * 31 + own : 0;
        }
    if (!did || did != t->monitors_did)
        t->still_ms = mono_ms;
    t->monitors_did = did;
    return mono_ms - t->still_ms >= (alone || smi_live_heard(t->o.live) ? STILL_MS : MUTE_STILL_MS);
}

bool smi_tracking_waits(struct smi_tracking *t, char *const *env, int64_t begin_ms, int64_t mono_ms)
{
    const bool alone = smi_gpu_memory_share_alone(env, false) || smi_gpu_memory_share_alone(env, true);
    const int64_t most = alone ? ALONE_MS : smi_live_heard(t->o.live) ? READY_MS : MUTE_MS;
    return !are_gpus_read(t->o.live) && mono_ms - begin_ms < most && !monitors_hang(t, alone, mono_ms);
}

/* A command that ends before the first interval does has been seen all the same: the first samples of memory
 * come after 50, 150, 350 ms and so on. The kernel counts CPU time in ticks of 10 ms, so its shares are of
 * whole intervals. */
enum { EARLY_MS = 50 };

static int64_t read_cgroup_counter(const char *path, const char *word)
{
    char room[SMI_CGROUP_FILE / 4];
    return smi_host_keyed(smi_cgroup_read_file(path, room, sizeof room), word);
}

/* Bytes of the machine that are used as psutil counts them for gpu_tracker: all but what is free, buffers and
 * cache; -1: not known. What is not available (as live shows it) is another number: some cache cannot be
 * given up. */
static int64_t ram_used(void)
{
    static const char *const words[] = {"MemTotal", "MemFree", "Buffers", "Cached", "SReclaimable"};
    char room[SMI_CGROUP_FILE / 4];
    const struct smi_text t = smi_cgroup_read_file("/proc/meminfo", room, sizeof room);
    int64_t kib[sizeof words / sizeof *words], used;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        kib[i] = smi_host_keyed(t, words[i]);
    if (kib[0] < 0 || kib[1] < 0 || kib[2] < 0 || kib[3] < 0)
        return -1;
    used = kib[0] - kib[1] - kib[2] - kib[3] - (kib[4] > 0 ? kib[4] : 0);
    return (used < 0 ? kib[0] - kib[1] : used) * 1024;
}

/* Processes that were killed because memory ran out: of our control group, else of the machine (since
 * Linux 4.13). */
static int64_t oom_kills(void)
{
    struct smi_cgroup g;
    char path[SMI_CGROUP_PATH + 32];
    int64_t n = -1;
    if (smi_cgroup_find("", SMI_CGROUP_PART_RAM, &g)) {
        strcpy(path, g.dir);
        strcat(path, g.v1 ? "/memory.oom_control" : "/memory.events");
        n = read_cgroup_counter(path, "oom_kill");
    }
    return n >= 0 ? n : read_cgroup_counter("/proc/vmstat", "oom_kill");
}

struct smi_tracking *smi_tracking_new(const struct smi_tracking_opts *o)
{
    struct smi_tracking *t = smi_mem_new(1, sizeof *t);
    t->o = *o;
    t->due_ms = INT64_MAX;
    t->f.oom_kills = -1;
    smi_usage_init(&t->f.usage);
    smi_buf_str(&t->early, "timestamp");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        smi_buf_fmt(&t->early, ",%s", smi_metrics[columns[i].metric].key);
    smi_buf_char(&t->early, '\n');
    smi_live_add(o->live, "procs", "procs.csv", SMI_FMT_PROCS);
    smi_live_write(o->live, t->early.p, t->early.n);
    smi_buf_clear(&t->early);
    return t;
}

/* What does not change while the command runs: as far as the monitors have told it by now. */
static void learn_machine(struct smi_tracking *t)
{
    struct smi_usage_machine *m = &t->f.machine;
    const struct smi_machine *n = t->o.live->now;
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE), cores = sysconf(_SC_NPROCESSORS_ONLN);
    *m = (struct smi_usage_machine){.ram = pages > 0 && size > 0 ? (int64_t)pages * size : -1,
                                    .cores = cores > 0 ? cores : -1};
    m->expected_cores = t->o.cores ? t->o.cores : m->cores;
    for (size_t i = 0; i < n->gpus; i++) {
        /* however old: it does not change */
        const struct smi_machine_reading *r = &n->gpu[i]->latest[SMI_FB_TOTAL];
        bool twice = false;
        /* a list of processes knows its uuid only, and another log the index only of one: they may be one */
        for (size_t k = 0; k < n->gpus && !n->gpu[i]->rows && n->gpu[i]->index < 0; k++)
            twice |= n->gpu[k]->index >= 0 && !n->gpu[k]->uuid;
        if (twice)
            continue;
        m->gpus++;
        m->expected_gpus += n->gpu[i]->mine;
        m->gpu_ram = r->has && m->gpu_ram >= 0 ? m->gpu_ram + r->v : -1;
    }
}

int smi_tracking_prepare(struct smi_tracking *t, struct smi_err *err)
{
    learn_machine(t);
    return t->o.file
               ? smi_usage_file_open(&t->file, t->o.file, t->o.overwrite, &t->f.machine, &t->o.units, err)
               : 0;
}

/* Monitors, each of which leads a session. */
static bool is_stranger(const void *self, pid_t pid, pid_t session)
{
    const struct smi_tracking *t = self;
    return (t->o.besides && pid == t->o.besides) || smi_live_owns(t->o.live, session, true);
}

void smi_tracking_begin(struct smi_tracking *t, pid_t main, pid_t reaper, int64_t mono_ms)
{
    const struct smi_tree_opts o = {.main = main, .reaper = reaper, .stranger = is_stranger, .self = t};
    t->tree = smi_tree_open(&o);
    t->main = main;
    smi_gpu_memory_share_begin(&t->f.whose, t->o.live->now, t->o.environ, reaper != 0);
    t->begin_us = t->grid_us = mono_ms * 1000;
    /* the CPU time of what ran already counts from the first sample on */
    t->early_ms = reaper ? EARLY_MS : 0;
    t->due_ms = mono_ms + (t->early_ms < t->o.interval_ms ? t->early_ms : t->o.interval_ms);
    t->oom_before = oom_kills();
    t->f.orphans = !reaper && getsid(main) != main;
}

void smi_tracking_reaped(struct smi_tracking *t, pid_t pid, int64_t cpu_us, int64_t rss_kib)
{
    if (rss_kib > t->f.rss_kib)
        t->f.rss_kib = rss_kib;
    if (t->tree)
        smi_tree_reaped(t->tree, pid, cpu_us);
}

/* ---- one sample ---- */

static void add_tree_usage(struct smi_tracking *t)
{
    const struct smi_tree_sample *s = &t->f.last;
    for (int i = 0; i < SMI_TREE_PARTS; i++) {
        if (s->of[i].has_ram)
            t->now.ram[i] = s->of[i].ram;
        t->now.threads[i] = s->of[i].threads;
        t->now.gpu_ram[i] = t->memory.of[i];
    }
    if (s->of[SMI_TREE_OF_ALL].processes > t->f.processes)
        t->f.processes = s->of[SMI_TREE_OF_ALL].processes;
    t->f.seen |= s->of[SMI_TREE_OF_ALL].processes > 0;
    t->f.unseen += !t->f.seen && t->due_ms != INT64_MAX && (kill(t->main, 0) == 0 || errno == EPERM);
    t->f.samples++;
    t->f.estimated += s->estimated > 0;
    t->f.denied += s->denied > 0;
    t->f.beyond |= s->beyond > 0;
    if (s->of[SMI_TREE_OF_ALL].ram.total + s->unread > t->f.possible)
        t->f.possible = s->of[SMI_TREE_OF_ALL].ram.total + s->unread;
}

static void add_machine_usage(struct smi_tracking *t)
{
    const struct smi_host_sample *h = &t->o.live->seen;
    const struct smi_machine *n = t->o.live->now;
    struct smi_usage_sample *s = &t->now;
    int64_t all_fb = 0, all_util = 0;
    bool some = false;
    s->system_ram = ram_used();
    if (h->has >> SMI_HOST_BUSY & 1 && t->f.machine.cores > 0)
        s->system_cpu = h->v[SMI_HOST_BUSY] * t->f.machine.cores;
    for (size_t i = 0; i < n->gpus; i++) {
        const struct smi_machine_reading *fb = smi_machine_reading_of(n, n->gpu[i], SMI_FB_USED);
        const struct smi_machine_reading *util = smi_machine_reading_of(n, n->gpu[i], SMI_GPU_UTIL);
        some |= n->gpu[i]->mine;
        all_fb = all_fb < 0 || !fb ? -1 : all_fb + fb->v;
        if (n->gpu[i]->mine)
            all_util = all_util < 0 || !util ? -1 : all_util + util->v;
    }
    s->system_gpu_ram = n->gpus ? all_fb : -1; /* a sum that lacks a GPU is none */
    s->gpu_util_sum = some ? all_util : -1;
}

/* cpu: the CPUs are asked, too. */
static void take_sample(struct smi_tracking *t, int64_t mono_ms, bool cpu)
{
    struct smi_err err = {0};
    struct timespec wall;
    smi_tree_read(t->tree, mono_ms * 1000, &t->f.last);
    clock_gettime(CLOCK_REALTIME, &wall);
    smi_usage_sample_init(&t->now, (int64_t)wall.tv_sec * 1000000 + wall.tv_nsec / 1000);
    smi_gpu_memory_share_read(&t->f.whose, t->o.live->now, t->tree, &t->memory);
    add_tree_usage(t);
    add_machine_usage(t);
    for (int i = 0; i < SMI_TREE_PARTS && cpu; i++) { /* of the CPUs since they were last asked for */
        const int64_t span = t->f.last.t_us - t->grid_us, used = t->f.last.cpu_us[i] - t->grid_cpu_us[i];
        if (span > 0 && (t->f.last.of[i].has_cpu || used > 0)) /* else: none seen */
            t->now.cpu[i] = (int64_t)smi_i128_div((smi_i128)used * 100000000, span);
        t->grid_cpu_us[i] = t->f.last.cpu_us[i];
    }
    t->grid_us = cpu ? t->f.last.t_us : t->grid_us;
    t->f.span_us = mono_ms * 1000 - t->begin_us;
    smi_usage_add(&t->f.usage, &t->now);
    t->f.hidden |= t->f.last.hidden > 0;
    if (t->f.hidden && t->f.usage.most.ram[SMI_TREE_OF_DESCENDANTS].total == 0)
        t->f.usage.most.ram[SMI_TREE_OF_DESCENDANTS] = (struct smi_tree_ram){-1, -1, -1};
    if (t->f.whose.mixed) /* the most that could be told apart is not the most */
        t->f.usage.most.gpu_ram[SMI_TREE_OF_MAIN] = t->f.usage.most.gpu_ram[SMI_TREE_OF_DESCENDANTS] = -1;
    if (!cpu || !t->file.path)
        return;
    if (smi_usage_file_add(&t->file, &t->now, &err) == 0) {
        smi_live_renewed(t->o.live, &t->file.to);
        return;
    }
    smi_machine_add_event(t->o.live->now, SMI_EVENT_ERROR, "%s", err.text);
    smi_usage_file_close(&t->file);
}

/* procs.csv has a row an interval. Of the samples before the first it has that with most memory: where no row
 * came after it, or none with so much. */
static void record_row(struct smi_tracking *t, bool early)
{
    const struct smi_tree_usage *all = &t->f.last.of[SMI_TREE_OF_ALL];
    const int64_t ram = all->has_ram ? all->ram.total : -1;
    bool some;
    if (early && t->early.n && ram <= t->early_ram)
        return;
    if (!early && t->early.n && t->early_ram > ram)
        smi_live_write(t->o.live, t->early.p, t->early.n);
    smi_buf_clear(&t->early); /* the next row stands there, too */
    some = put_procs_row(t, t->now.wall_us / 1000, &t->early);
    t->early_ram = ram;
    if (early)
        return;
    if (some)
        smi_live_write(t->o.live, t->early.p, t->early.n);
    smi_buf_clear(&t->early);
}

void smi_tracking_step(struct smi_tracking *t, int64_t mono_ms)
{
    const int64_t begin_ms = t->begin_us / 1000, interval = t->o.interval_ms;
    const int64_t since = mono_ms - begin_ms;
    if (mono_ms < t->due_ms)
        return;
    take_sample(t, mono_ms, since >= interval);
    record_row(t, since < interval);
    if (since < interval) {
        t->early_ms = 2 * t->early_ms + EARLY_MS;
        t->due_ms = begin_ms + (t->early_ms < interval ? t->early_ms : interval);
    } else {
        t->due_ms = begin_ms + (since / interval + 1) * interval; /* on a grid, whatever was late */
    }
}

void smi_tracking_ending(struct smi_tracking *t, int64_t mono_ms)
{
    struct smi_tree_sample s;
    if (t->tree)
        smi_tree_read(t->tree, mono_ms * 1000, &s);
}

void smi_tracking_end(struct smi_tracking *t, int64_t mono_ms)
{
    const int64_t since_us = mono_ms * 1000 - t->grid_us;
    const bool first = t->grid_us == t->begin_us;
    int64_t kills;
    if (!t->tree || t->due_ms == INT64_MAX)
        return;
    t->due_ms = INT64_MAX;
    learn_machine(t); /* a monitor that starts slowly has told it by now */
    take_sample(t, mono_ms, first || since_us >= (int64_t)t->o.interval_ms * 500);
    record_row(t, false);
    for (int i = 0; i < SMI_TREE_PARTS; i++)
        if (t->f.seen || t->f.last.cpu_us[i] > 0)
            smi_usage_set_cpu(&t->f.usage, (enum smi_tree_part)i, t->f.last.cpu_us[i], t->f.span_us);
    t->f.usage.compute_us = t->f.span_us;
    kills = oom_kills();
    t->f.oom_kills = kills >= 0 && t->oom_before >= 0 ? kills - t->oom_before : -1;
    if (t->f.oom_kills > 0 && t->o.live->host) /* how full it was is known since then */
        smi_host_read(t->o.live->host, mono_ms * 1000, &t->o.live->seen);
    smi_usage_file_close(&t->file);
}

int64_t smi_tracking_possible_ram(const struct smi_tracking *t)
{
    const int64_t most = t->f.usage.most.ram[SMI_TREE_OF_ALL].total;
    return t->f.possible > most + most / 16 ? t->f.possible : -1;
}

void smi_tracking_facts(const struct smi_tracking *t, struct smi_runlog_value *out)
{
    size_t n = 0;
    out[n++] = SMI_VALUE("seconds", (double)t->f.span_us / 1e6);
    out[n++] = SMI_VALUE("cpu_s", (double)t->f.last.cpu_us[SMI_TREE_OF_ALL] / 1e6);
    out[n++] = SMI_VALUE("cpu_main_s", (double)t->f.last.cpu_us[SMI_TREE_OF_MAIN] / 1e6);
    out[n++] = SMI_VALUE("cpu_children_s", (double)t->f.last.cpu_us[SMI_TREE_OF_DESCENDANTS] / 1e6);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (column_value(t, i, true) >= 0)
            out[n++] = SMI_VALUE(columns[i].most, (double)column_value(t, i, true) / 1e6);
    if (smi_tracking_possible_ram(t) >= 0)
        out[n++] = SMI_VALUE("possible_tree_ram_mib", (double)mib(smi_tracking_possible_ram(t)) / 1e6);
    if (t->f.rss_kib)
        out[n++] = SMI_VALUE("max_rss_mib", (double)t->f.rss_kib / 1024);
    if (t->o.live->now->gpus)
        out[n++] = SMI_VALUE("gpu_ram_by", smi_gpu_memory_share_words(&t->f.whose));
    if (t->f.last.of[SMI_TREE_OF_ALL].processes)
        out[n++] = SMI_VALUE("left_running", t->f.last.of[SMI_TREE_OF_ALL].processes);
    if (t->f.oom_kills > 0)
        out[n++] = SMI_VALUE("oom_kills", t->f.oom_kills);
    out[n] = (struct smi_runlog_value){NULL, SMI_RUNLOG_TEXT, NULL, 0, 0};
}

void smi_tracking_free(struct smi_tracking *t)
{
    if (!t)
        return;
    smi_tree_close(t->tree);
    smi_usage_file_close(&t->file);
    smi_buf_fini(&t->early);
    smi_mem_free(t);
}
