/* live_log.c - what becomes of the bytes of a log, and of what its monitor tells. */
#include "live/live_private.h"

#include "base/clock.h"
#include "live/runlog_start.h"

#include <string.h>
#include <time.h>

int smi_live_log_record(struct smi_live_log *g, const char *name, int heads, struct smi_err *err)
{
    const struct smi_live *l = g->l;
    struct smi_buf path = {0};
    int rc;
    if (!l->o.dir)
        return 0;
    smi_buf_fmt(&path, "%s/%s", l->o.dir, name);
    rc = path.failed ? smi_err_nomem(err) : smi_record_file_open(&g->file, path.p, heads, l->o.most, err);
    smi_buf_fini(&path);
    return rc;
}

void smi_live_read_host(struct smi_live *l, struct smi_host_sample *s)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    smi_host_read(l->host, (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000, s);
}

/* It names the GPUs: it is written as soon as these are known, and before any other event. */
void smi_live_write_start(struct smi_live *l)
{
    struct smi_start_event d = {.n = 0};
    struct smi_start_gpu gpu[SMI_MACHINE_GPUS_MAX];
    const struct smi_monitor *m = l->logs ? l->log[0].m : NULL;
    struct smi_start_source from = {.environ = l->o.environ, .gpu = gpu, .more = l->o.about};
    struct smi_host_sample host;
    struct smi_err err = {0};
    if (l->begun || !l->recorded)
        return;
    l->begun = true;
    for (; m && from.gpus < m->gpus_n && from.gpus < SMI_MACHINE_GPUS_MAX; from.gpus++)
        gpu[from.gpus] =
            (struct smi_start_gpu){*m->gpus[from.gpus].name ? m->gpus[from.gpus].name : NULL,
                                   m->gpus[from.gpus].memory_mib > 0 ? m->gpus[from.gpus].memory_mib : 0};
    if (l->host) {
        smi_live_read_host(l, &host);
        from.host = &host;
    }
    if (smi_start_event_fill(&d, &from, &err) || smi_runlog_event(&l->run, "start", d.value, &err))
        smi_machine_add_event(l->now, SMI_EVENT_WARN, "run.jsonl: %s", err.text);
    smi_start_event_fini(&d);
}

void smi_live_event(struct smi_live *l, const char *name, const struct smi_runlog_value *values)
{
    struct smi_err err = {0};
    smi_live_write_start(l);
    if (l->recorded && smi_runlog_event(&l->run, name, values, &err))
        smi_machine_add_event(l->now, SMI_EVENT_WARN, "run.jsonl: %s", err.text);
}

/* A disk that is full, or has room again. */
static void check_disk(struct smi_live_log *g)
{
    struct smi_live *l = g->l;
    int64_t lost = g->file.lost - g->lost;
    if (!g->file.path || g->full == g->file.full)
        return;
    g->full = g->file.full;
    if (g->full) {
        smi_machine_add_event(l->now, SMI_EVENT_ERROR, "not recorded: %s", g->file.why);
        return;
    }
    g->lost = g->file.lost;
    smi_machine_add_event(l->now, SMI_EVENT_OK, "recording again; %lld lines of %s were lost",
                          (long long)lost, l->now->source[g->source]->name);
    smi_live_event(l, "gap",
                   SMI_VALUES(SMI_VALUE("monitor", (const char *)l->now->source[g->source]->name),
                              SMI_VALUE("lost_lines", lost), SMI_VALUE("reason", "disk full")));
}

void smi_live_log_bytes(void *self, const char *p, size_t n)
{
    static const char no_gpu[] = "No devices were found";
    struct smi_live_log *g = self;
    struct smi_err err = {0};
    if (g->file.path && smi_record_file_put(&g->file, p, n))
        g->l->failed = true;
    check_disk(g);
    if (g->l->o.gpus && n >= sizeof no_gpu - 1 && memcmp(p, no_gpu, sizeof no_gpu - 1) == 0)
        return; /* --gpus names none: the monitor's reason says so; the driver was reached */
    if (smi_machine_feed(g->l->now, g->source, p, n, g->l->mono_ms, &err))
        g->l->failed |= err.code == SMI_ENOMEM;
}

static void report_state(struct smi_live_log *g, const struct smi_monitor *m)
{
    static const enum smi_live_source_state states[] = {
        [SMI_MONITOR_STOPPED] = SMI_SOURCE_DOWN,    [SMI_MONITOR_STARTING] = SMI_SOURCE_STARTING,
        [SMI_MONITOR_OK] = SMI_SOURCE_READING,      [SMI_MONITOR_SILENT] = SMI_SOURCE_SILENT,
        [SMI_MONITOR_RESTARTING] = SMI_SOURCE_DOWN, [SMI_MONITOR_GONE] = SMI_SOURCE_DOWN};
    bool bad = m->state == SMI_MONITOR_RESTARTING || m->state == SMI_MONITOR_GONE;
    smi_live_source_state(g->l->now, g->source, states[m->state], m->reason);
    if (!bad || g->l->stopped)
        return;
    smi_machine_add_event(g->l->now, SMI_EVENT_WARN, "%s: %s", m->kind->name,
                          *m->reason ? m->reason : smi_monitor_states[m->state]);
    smi_live_event(g->l, "monitor",
                   SMI_VALUES(SMI_VALUE("monitor", m->kind->name),
                              SMI_VALUE("state", smi_monitor_states[m->state]),
                              SMI_VALUE("reason", (const char *)m->reason)));
}

static void report_gap(struct smi_live_log *g, const struct smi_monitor *m, const struct smi_monitor_event *e)
{
    char span[SMI_CLOCK_TEXT];
    if (e->to_ms < 0 || g->l->stopped)
        return;
    smi_clock_write_span(span, e->to_ms - e->from_ms);
    smi_machine_add_event(g->l->now, SMI_EVENT_OK, "%s samples again after %s", m->kind->name, span);
    smi_live_event(g->l, "gap",
                   SMI_VALUES(SMI_VALUE("monitor", m->kind->name),
                              SMI_VALUE("seconds", (double)(e->to_ms - e->from_ms) / 1000),
                              SMI_VALUE("reason", e->text ? e->text : "")));
}

void smi_live_log_event(void *self, const struct smi_monitor *m, const struct smi_monitor_event *e)
{
    struct smi_live_log *g = self;
    struct smi_err err = {0};
    switch (e->what) {
    case SMI_MONITOR_CHILD_STARTED:
        if (g->file.path)
            smi_record_file_begin(&g->file);
        if (smi_machine_restart(g->l->now, g->source, &err))
            g->l->failed = true;
        break;
    case SMI_MONITOR_STATE_CHANGED:
        report_state(g, m);
        break;
    case SMI_MONITOR_HAS_GAP:
        report_gap(g, m, e);
        break;
    case SMI_MONITOR_HAS_GPUS:
        smi_live_write_start(g->l);
        break;
    }
}
