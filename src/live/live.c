#include "live/live.h"

#include "base/clock.h"
#include "base/mem.h"
#include "host/host.h"
#include "record/start.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { START_MS = 3000 /* so long the start event waits for the names of the GPUs */ };

/* A log: of a monitor, or our own of the CPUs. */
struct log {
    struct smi_live *l;
    struct smi_monitor *m;    /* or NULL */
    int source;               /* in now */
    bool full;                /* that its disk is full was said */
    int64_t lost;             /* lines, of gaps that are over */
    struct smi_recorded file; /* path NULL: not recorded */
};

struct smi_live {
    struct smi_live_opts o;
    struct smi_now *now;
    struct log log[SMI_LIVE_MONITORS], cpu;
    size_t logs;
    struct smi_host *host;
    int64_t cpu_due_ms;
    struct smi_buf row;
    struct smi_runlog_file run;
    bool recorded, begun, stopped, failed; /* begun: the start event is written; failed: memory ran out */
    int64_t begin_ms;                      /* when it is written at the latest */
    int64_t mono_ms;
};

static int64_t utc_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- the directory ---- */

static bool is_empty(const char *dir)
{
    DIR *d = opendir(dir);
    const struct dirent *e;
    bool empty = d != NULL;
    while (d && empty && (e = readdir(d)))
        empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    if (d)
        closedir(d);
    return empty;
}

static int make_dir(const char *dir, struct smi_err *err)
{
    if (mkdir(dir, 0777) == 0)
        return 0;
    if (errno != EEXIST)
        return smi_err_set(err, SMI_EIO, "cannot make %s: %s", dir, strerror(errno));
    return is_empty(dir) ? 0
                         : smi_err_set(err, SMI_EUSAGE,
                                       "%s is there already, and not an empty directory: a recording "
                                       "wants one of its own",
                                       dir);
}

static int record(struct smi_live *l, struct log *g, const char *name, int heads, struct smi_err *err)
{
    struct smi_buf path = {0};
    int rc;
    if (!l->o.dir)
        return 0;
    smi_buf_fmt(&path, "%s/%s", l->o.dir, name);
    rc = path.failed ? smi_err_nomem(err) : smi_recorded_open(&g->file, path.p, heads, l->o.most, err);
    smi_buf_fini(&path);
    return rc;
}

/* ---- what happens ---- */

static void read_host(struct smi_live *l, struct smi_host_sample *s)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    smi_host_read(l->host, (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000, s);
}

/* The first event of the RunLog, which names the GPUs: as soon as these are known, and before any other
 * event. */
static void tell_start(struct smi_live *l)
{
    struct smi_start_data d = {.n = 0};
    struct smi_start_gpu gpu[SMI_NOW_GPUS];
    const struct smi_monitor *m = l->logs ? l->log[0].m : NULL;
    struct smi_start from = {.environ = l->o.environ, .gpu = gpu};
    struct smi_host_sample host;
    struct smi_err err = {0};
    if (l->begun || !l->recorded)
        return;
    l->begun = true;
    for (; m && from.gpus < m->gpus_n && from.gpus < SMI_NOW_GPUS; from.gpus++)
        gpu[from.gpus] =
            (struct smi_start_gpu){*m->gpus[from.gpus].name ? m->gpus[from.gpus].name : NULL,
                                   m->gpus[from.gpus].memory_mib > 0 ? m->gpus[from.gpus].memory_mib : 0};
    if (l->host) {
        read_host(l, &host);
        from.host = &host;
    }
    if (smi_start_fill(&d, &from, &err) || smi_runlog_event(&l->run, "start", d.value, &err))
        smi_now_say(l->now, SMI_NOW_WARN, "run.jsonl: %s", err.text);
    smi_start_fini(&d);
}

void smi_live_event(struct smi_live *l, const char *name, const struct smi_runlog_value *values)
{
    struct smi_err err = {0};
    tell_start(l);
    if (l->recorded && smi_runlog_event(&l->run, name, values, &err))
        smi_now_say(l->now, SMI_NOW_WARN, "run.jsonl: %s", err.text);
}

/* A disk that is full, or has room again. */
static void look_at_disk(struct log *g)
{
    struct smi_live *l = g->l;
    int64_t lost = g->file.lost - g->lost;
    if (!g->file.path || g->full == g->file.full)
        return;
    g->full = g->file.full;
    if (g->full) {
        smi_now_say(l->now, SMI_NOW_ERROR, "not recorded: %s", g->file.why);
        return;
    }
    g->lost = g->file.lost;
    smi_now_say(l->now, SMI_NOW_GOOD, "recording again; %lld lines of %s were lost", (long long)lost,
                l->now->source[g->source]->name);
    smi_live_event(l, "gap",
                   SMI_VALUES(SMI_VALUE("monitor", (const char *)l->now->source[g->source]->name),
                              SMI_VALUE("lost_lines", lost), SMI_VALUE("reason", "disk full")));
}

static int bytes(void *self, const char *p, size_t n)
{
    static const char no_gpu[] = "No devices were found";
    struct log *g = self;
    struct smi_err err = {0};
    if (g->file.path && smi_recorded_put(&g->file, p, n))
        g->l->failed = true;
    look_at_disk(g);
    if (g->l->o.gpus && n >= sizeof no_gpu - 1 && memcmp(p, no_gpu, sizeof no_gpu - 1) == 0)
        return 0; /* --gpus names none: the monitor's reason says so; the driver was reached */
    if (smi_now_feed(g->l->now, g->source, p, n, g->l->mono_ms, &err))
        g->l->failed |= err.code == SMI_ENOMEM;
    return 0;
}

static void tell_state(struct log *g, const struct smi_monitor *m)
{
    static const enum smi_now_source_state states[] = {
        [SMI_MONITOR_STOPPED] = SMI_NOW_DOWN,    [SMI_MONITOR_STARTING] = SMI_NOW_STARTING,
        [SMI_MONITOR_OK] = SMI_NOW_READING,      [SMI_MONITOR_SILENT] = SMI_NOW_SILENT,
        [SMI_MONITOR_RESTARTING] = SMI_NOW_DOWN, [SMI_MONITOR_GONE] = SMI_NOW_DOWN};
    bool bad = m->state == SMI_MONITOR_RESTARTING || m->state == SMI_MONITOR_GONE;
    smi_now_source_state(g->l->now, g->source, states[m->state], m->reason);
    if (!bad || g->l->stopped)
        return;
    smi_now_say(g->l->now, SMI_NOW_WARN, "%s: %s", m->kind->name,
                *m->reason ? m->reason : smi_monitor_states[m->state]);
    smi_live_event(g->l, "monitor",
                   SMI_VALUES(SMI_VALUE("monitor", m->kind->name),
                              SMI_VALUE("state", smi_monitor_states[m->state]),
                              SMI_VALUE("reason", (const char *)m->reason)));
}

static void tell_gap(struct log *g, const struct smi_monitor *m, const struct smi_monitor_event *e)
{
    char span[SMI_CLOCK_TEXT];
    if (e->to_ms < 0 || g->l->stopped)
        return;
    smi_clock_put_span(span, e->to_ms - e->from_ms);
    smi_now_say(g->l->now, SMI_NOW_GOOD, "%s samples again after %s", m->kind->name, span);
    smi_live_event(g->l, "gap",
                   SMI_VALUES(SMI_VALUE("monitor", m->kind->name),
                              SMI_VALUE("seconds", (double)(e->to_ms - e->from_ms) / 1000),
                              SMI_VALUE("reason", e->text ? e->text : "")));
}

/* Which GPUs are mine. Asked every time: dmon may show a GPU before its uuid is known. */
static void tell_mine(struct smi_live *l)
{
    const struct smi_monitor *m = l->logs ? l->log[0].m : NULL;
    bool mine[SMI_NOW_GPUS];
    size_t n = m && m->gpus_n < SMI_NOW_GPUS ? m->gpus_n : m ? SMI_NOW_GPUS : 0;
    if (n == 0)
        return;
    smi_visible_mine(l->o.visible, m->gpus, n, mine);
    smi_now_mine(l->now, m->gpus[0].uuid, sizeof *m->gpus, mine, n);
}

static void event(void *self, const struct smi_monitor *m, const struct smi_monitor_event *e)
{
    struct log *g = self;
    struct smi_err err = {0};
    switch (e->what) {
    case SMI_MONITOR_BEGINS:
        if (g->file.path)
            smi_recorded_begin(&g->file);
        if (smi_now_restart(g->l->now, g->source, &err))
            g->l->failed = true;
        break;
    case SMI_MONITOR_STATE:
        tell_state(g, m);
        break;
    case SMI_MONITOR_GAP:
        tell_gap(g, m, e);
        break;
    case SMI_MONITOR_GPUS:
        tell_start(g->l);
        break;
    }
}

/* ---- beginning ---- */

static int add_monitor(struct smi_live *l, const char *name, struct smi_err *err)
{
    const struct smi_monitor_kind *k = smi_monitor_kind(name);
    struct log *g = &l->log[l->logs];
    struct smi_monitor_opts o = {k, l->o.program, l->o.gpus, l->o.interval_ms, l->o.times, {g, bytes, event}};
    g->l = l;
    g->source =
        smi_now_source_add(l->now, name, (int)k->format, smi_monitor_interval(k, l->o.interval_ms), err);
    if (g->source < 0 || record(l, g, k->file, k->head, err))
        return -1;
    g->m = smi_monitor_new(&o, err);
    if (!g->m)
        return -1;
    l->logs++;
    return 0;
}

static int add_cpu(struct smi_live *l, struct smi_err *err)
{
    l->cpu.l = l;
    l->host = smi_host_open("", err);
    if (!l->host)
        return -1;
    l->cpu.source = smi_now_source_add(l->now, "cpu", SMI_FMT_CPU, l->o.interval_ms, err);
    if (l->cpu.source < 0 || record(l, &l->cpu, "cpu_metrics.csv", 0, err))
        return -1;
    smi_host_csv_head(l->host, &l->row);
    if (l->row.failed)
        return smi_err_nomem(err);
    return bytes(&l->cpu, l->row.p, l->row.n);
}

static int begin_run(struct smi_live *l, struct smi_err *err)
{
    struct smi_buf path = {0};
    int rc;
    if (!l->o.dir)
        return 0;
    smi_buf_fmt(&path, "%s/run.jsonl", l->o.dir);
    rc = path.failed ? smi_err_nomem(err) : smi_runlog_open(&l->run, path.p, err);
    smi_buf_fini(&path);
    if (rc)
        return -1;
    l->recorded = true;
    return 0;
}

struct smi_live *smi_live_new(const struct smi_live_opts *o, int64_t mono_ms, struct smi_err *err)
{
    struct smi_live *l = smi_mem_new(1, sizeof *l);
    bool ok;
    if (!l) {
        smi_err_nomem(err);
        return NULL;
    }
    l->o = *o;
    l->mono_ms = mono_ms;
    l->now = smi_now_new(&o->now, err);
    ok = l->now && (!o->dir || make_dir(o->dir, err) == 0) && begin_run(l, err) == 0 &&
         add_monitor(l, "query", err) == 0 && add_monitor(l, "dmon", err) == 0 &&
         (!o->apps || add_monitor(l, "apps", err) == 0) && add_cpu(l, err) == 0;
    if (!ok) {
        smi_live_free(l);
        return NULL;
    }
    l->cpu_due_ms = mono_ms;
    l->begin_ms = mono_ms + START_MS;
    for (size_t i = 0; i < l->logs; i++)
        smi_monitor_start(l->log[i].m, mono_ms);
    return l;
}

struct smi_now *smi_live_now(struct smi_live *l)
{
    return l->now;
}

/* ---- going on ---- */

size_t smi_live_want(const struct smi_live *l, struct pollfd *fds, int64_t *due_ms, int64_t mono_ms)
{
    size_t n = 0;
    int64_t due;
    *due_ms = l->stopped ? INT64_MAX : l->cpu_due_ms;
    for (size_t i = 0; i < l->logs; i++) {
        n += smi_monitor_want(l->log[i].m, fds + n, &due, mono_ms);
        *due_ms = due < *due_ms ? due : *due_ms;
    }
    return n;
}

static void sample_cpu(struct smi_live *l)
{
    struct smi_host_sample s;
    read_host(l, &s);
    smi_buf_clear(&l->row);
    smi_host_csv_row(l->host, &s, utc_ms(), &l->row);
    if (l->row.failed)
        l->failed = true;
    else if (l->row.n)
        bytes(&l->cpu, l->row.p, l->row.n);
}

int smi_live_go(struct smi_live *l, const struct pollfd *fds, size_t n, int64_t mono_ms, struct smi_err *err)
{
    l->mono_ms = mono_ms;
    for (size_t i = 0; i < l->logs; i++)
        (void)smi_monitor_go(l->log[i].m, fds, n, mono_ms);
    if (!l->stopped && mono_ms >= l->cpu_due_ms) {
        sample_cpu(l);
        /* On a grid: a late sample does not make all others late. */
        l->cpu_due_ms += ((mono_ms - l->cpu_due_ms) / l->o.interval_ms + 1) * l->o.interval_ms;
    }
    tell_mine(l);
    if (mono_ms >= l->begin_ms)
        tell_start(l);
    smi_now_tick(l->now, mono_ms);
    return l->failed ? smi_err_nomem(err) : 0;
}

void smi_live_stop(struct smi_live *l, const char *why, int64_t mono_ms)
{
    if (l->stopped)
        return;
    l->stopped = true;
    for (size_t i = 0; i < l->logs; i++)
        smi_monitor_stop(l->log[i].m, mono_ms);
    if (smi_live_lost(l))
        smi_live_event(l, "stop", SMI_VALUES(SMI_VALUE("reason", why), SMI_VALUE("lost_lines", smi_live_lost(l))));
    else
        smi_live_event(l, "stop", SMI_VALUES(SMI_VALUE("reason", why)));
}

bool smi_live_busy(const struct smi_live *l)
{
    for (size_t i = 0; i < l->logs; i++)
        if (smi_monitor_busy(l->log[i].m))
            return true;
    return false;
}

int64_t smi_live_lost(const struct smi_live *l)
{
    int64_t lost = l->cpu.file.lost;
    for (size_t i = 0; i < l->logs; i++)
        lost += l->log[i].file.lost;
    return lost;
}

void smi_live_free(struct smi_live *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < SMI_LIVE_MONITORS; i++) {
        if (l->log[i].m)
            smi_monitor_free(l->log[i].m);
        smi_recorded_close(&l->log[i].file);
    }
    smi_recorded_close(&l->cpu.file);
    if (l->recorded)
        smi_runlog_close(&l->run);
    if (l->host)
        smi_host_close(l->host);
    smi_now_free(l->now);
    smi_buf_fini(&l->row);
    smi_mem_free(l);
}
