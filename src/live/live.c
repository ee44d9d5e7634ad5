/* live.c - the monitors beside a job, their logs and the recording. */
#include "live/live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Its file in the recording, if there is one. */
static void live_log_record(struct smi_live_log *g, const char *name, int heads)
{
    const struct smi_live *l = g->l;
    if (!l->o.dir)
        return;
    smi_record_file_open(&g->file, name, heads, l->o.most, l->o.keep);
    g->file.dir = l->dir;
}

static void live_read_host(struct smi_live *l, struct smi_host_sample *s)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    smi_host_read(l->host, (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000, s);
}

/* The first event of the RunLog, once. It names the GPUs: it is written as soon as these are known, and
 * before any other event. */
static void live_write_start(struct smi_live *l)
{
    struct smi_start_source from = {.recording = l->o.recording, .more = l->o.about};
    struct smi_host_sample host;
    struct smi_err err = {0};
    if (l->begun || !l->recorded)
        return;
    l->begun = true;
    from.gpu = smi_live_listed(l, &from.gpus);
    if (l->host) {
        live_read_host(l, &host);
        from.host = &host;
    }
    if (smi_runlog_put_start(&l->start, &from, &err) ||
        smi_append_line(&l->run, l->start.p, l->start.n, &err))
        smi_machine_add_event(l->now, SMI_EVENT_WARN, "run.jsonl: %s", err.text);
}

void smi_live_event(struct smi_live *l, const char *name, const struct smi_runlog_value *values)
{
    struct smi_buf line = {0};
    struct smi_err err = {0};
    live_write_start(l);
    if (l->recorded &&
        smi_runlog_append(&l->run, &line, smi_runlog_put_event(&line, name, values, &err), &err))
        smi_machine_add_event(l->now, SMI_EVENT_WARN, "run.jsonl: %s", err.text);
}

void smi_live_renewed(struct smi_live *l, struct smi_append *a)
{
    const char *why = a->renewed;
    a->renewed = NULL;
    if (!why)
        return;
    smi_machine_add_event(l->now, SMI_EVENT_ERROR, "%s was %s while it was recorded; smilog began it again",
                          a->path, why);
    smi_live_event(l, "reopened",
                   SMI_VALUES(SMI_VALUE("file", (const char *)a->path), SMI_VALUE("reason", why)));
}

/* What happened to the file of a log, and to run.jsonl, which may have no line for hours: the disk is
 * full, or has room again, or somebody else touched it. */
static void check_files(struct smi_live_log *g)
{
    struct smi_live *l = g->l;
    struct smi_err err = {0};
    int64_t lost = g->file.lost - g->lost;
    if (g->file.stuck)
        smi_machine_add_event(l->now, SMI_EVENT_WARN, "cannot rotate %s, it grows on: %s", g->file.path,
                              strerror(g->file.stuck));
    g->file.stuck = 0;
    smi_live_renewed(l, &g->file.to);
    if (l->begun && smi_append_check(&l->run, &err) == 0)
        smi_live_renewed(l, &l->run);
    g->source->unrecorded = g->file.full ? lost : 0;
    if (g->full == g->file.full)
        return;
    g->full = g->file.full;
    if (g->full) {
        smi_machine_add_event(l->now, SMI_EVENT_ERROR, "not recorded: %s", g->file.why);
        return;
    }
    g->lost = g->file.lost;
    smi_machine_add_event(l->now, SMI_EVENT_OK, "recording again; %lld lines of %s were lost",
                          (long long)lost, g->source->name);
    smi_live_event(l, "gap",
                   SMI_VALUES(SMI_VALUE("monitor", (const char *)g->source->name),
                              SMI_VALUE("lost_lines", lost), SMI_VALUE("reason", "disk full")));
}

/* Bytes of a log: recorded and shown. */
static void live_log_bytes(void *self, const char *p, size_t n)
{
    static const char no_gpu[] = "No devices were found";
    struct smi_live_log *g = self;
    const struct smi_live_source *s = g->source;
    struct smi_err err = {0}; /* the source of the log says what is wrong */
    if (g->file.path) {
        smi_record_file_put(&g->file, p, n);
        check_files(g);
    }
    if (g->l->o.gpus && n >= sizeof no_gpu - 1 && memcmp(p, no_gpu, sizeof no_gpu - 1) == 0)
        return; /* --gpus names none: the monitor's reason says so; the driver was reached */
    (void)smi_machine_feed(g->source, p, n, *g->l->now_ms, &err);
    if (g->steps != s->steps) /* its clock was set: the stamps before and after are no one time */
        smi_live_event(g->l, "clock",
                       SMI_VALUES(SMI_VALUE("monitor", (const char *)s->name),
                                  SMI_VALUE("seconds", (double)s->step_ms / 1000)));
    g->steps = s->steps;
}

static void report_state(struct smi_live_log *g, const struct smi_monitor *m)
{
    static const enum smi_live_source_state states[] = {
        [SMI_MONITOR_STOPPED] = SMI_SOURCE_DOWN,    [SMI_MONITOR_STARTING] = SMI_SOURCE_STARTING,
        [SMI_MONITOR_OK] = SMI_SOURCE_READING,      [SMI_MONITOR_SILENT] = SMI_SOURCE_SILENT,
        [SMI_MONITOR_RESTARTING] = SMI_SOURCE_DOWN, [SMI_MONITOR_GONE] = SMI_SOURCE_DOWN};
    bool bad = m->state == SMI_MONITOR_RESTARTING || m->state == SMI_MONITOR_GONE;
    smi_live_source_state(g->source, states[m->state], m->reason);
    if (m->state == SMI_MONITOR_OK)
        *g->told = 0;
    if (!bad || g->l->stopped || (*g->told && strcmp(g->told, m->reason) == 0))
        return; /* what fails the same way again and again is said once */
    smi_text_copy(g->told, sizeof g->told, smi_text_of(m->reason));
    smi_machine_add_event(g->l->now, SMI_EVENT_WARN, "%s: %s", m->o.kind->name,
                          *m->reason ? m->reason : smi_monitor_states[m->state]);
    smi_live_event(g->l, "monitor",
                   SMI_VALUES(SMI_VALUE("monitor", m->o.kind->name),
                              SMI_VALUE("state", smi_monitor_states[m->state]),
                              SMI_VALUE("reason", (const char *)m->reason)));
}

/* What its monitor tells. */
static void live_log_event(void *self, const struct smi_monitor *m, const struct smi_monitor_event *e)
{
    struct smi_live_log *g = self;
    char span[SMI_CLOCK_TEXT];
    if (e->what == SMI_MONITOR_CHILD_STARTED) {
        if (g->file.path)
            smi_record_file_begin(&g->file);
        smi_machine_restart(g->source);
    } else if (e->what == SMI_MONITOR_STATE_CHANGED) {
        report_state(g, m);
    } else if (e->what == SMI_MONITOR_HAS_GPUS) {
        live_write_start(g->l);
    } else if (e->to_ms >= 0 && !g->l->stopped) { /* a gap is over */
        smi_clock_write_span(span, e->to_ms - e->from_ms);
        smi_machine_add_event(g->l->now, SMI_EVENT_OK, "%s samples again after %s", m->o.kind->name, span);
        smi_live_event(g->l, "gap",
                       SMI_VALUES(SMI_VALUE("monitor", m->o.kind->name),
                                  SMI_VALUE("seconds", (double)(e->to_ms - e->from_ms) / 1000),
                                  SMI_VALUE("reason", (const char *)m->reason)));
    }
}

enum {
    START_MS = 3000, /* so long the start event waits for the names of the GPUs */
    STOP_VALUES = 32 /* of the owner's, in the stop event */
};

/* ---- the directory ---- */

/* Makes a directory, and those above it that are missing. False with errno. */
static bool make_dir(const char *dir)
{
    char path[PATH_MAX];
    smi_text_copy(path, sizeof path, smi_text_of(dir));
    for (char *slash = path; *slash && (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = 0;
        (void)mkdir(path, 0777); /* the error of the last one is reported */
    }
    return mkdir(dir, 0777) == 0;
}

/* Of all programs that try this at once, the one that makes the RunLog has the directory. Returns 0 or an
 * errno: EEXIST if the directory is in use. */
static int claim_dir(const char *dir)
{
    char path[PATH_MAX + sizeof "/run.jsonl"];
    const struct dirent *e;
    bool empty = make_dir(dir);
    int fd;
    if (!empty && errno != EEXIST)
        return errno;
    DIR *d = empty ? NULL : opendir(dir);
    for (empty |= d != NULL; d && empty && (e = readdir(d));)
        empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    if (d)
        closedir(d);
    if (!empty)
        return EEXIST;
    snprintf(path, sizeof path, "%s/run.jsonl", dir);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno == ENOENT ? EEXIST : errno; /* it was removed meanwhile */
    close(fd);
    return 0;
}

int smi_live_claim(const char *dir, int most, char *own, size_t size, struct smi_err *err)
{
    const char *last = smi_file_name(dir);
    char real[PATH_MAX];
    int cause = EEXIST;
    for (int k = 1; k <= most && cause == EEXIST; k++) {
        if (k == 2 && (!*last || strcmp(last, ".") == 0 || strcmp(last, "..") == 0) && realpath(dir, real))
            dir = real; /* a name that a number can stand behind */
        int n = k > 1 ? snprintf(own, size, "%s.%d", dir, k) : snprintf(own, size, "%s", dir);
        cause = n < 0 || (size_t)n >= size ? ENAMETOOLONG : claim_dir(own);
        if (!cause)
            return k;
    }
    return cause == EEXIST
               ? smi_err_set(err, SMI_EUSAGE, "%s is in use: a recording needs an empty directory", dir)
               : smi_err_set(err, SMI_EIO, "cannot make %.300s: %s", own, strerror(cause));
}

/* ---- beginning ---- */

/* Which GPUs are mine. Asked every time: dmon may show a GPU before its uuid is known. */
static void mark_own_gpus(struct smi_live *l)
{
    const struct smi_monitor *m = l->logs ? l->log[0].m : NULL;
    const bool amd = m && m->o.kind->format == SMI_FMT_AMD_MONITOR;
    bool mine[SMI_MACHINE_GPUS_MAX];
    size_t n = !m || amd ? 0 : m->gpus_n < SMI_MACHINE_GPUS_MAX ? m->gpus_n : SMI_MACHINE_GPUS_MAX;
    for (size_t i = 0; i < l->now->gpus && amd; i++)
        if (l->now->gpu[i]->index >= (int)n && l->now->gpu[i]->index < SMI_MACHINE_GPUS_MAX)
            n = (size_t)l->now->gpu[i]->index + 1;
    if (n)
        smi_visible(amd ? NULL : m->gpus, amd && l->hip ? l->hip : l->visible, amd ? l->rocr : NULL, n, mine);
    for (size_t i = 0; i < l->now->gpus; i++) {
        struct smi_live_gpu *b = l->now->gpu[i];
        for (size_t j = 0; j < n; j++)
            if (amd ? b->index == (int)j
                    : b->uuid && smi_device_compare_keys(SMI_DEVICE_KEY_UUID, b->uuid, m->gpus[j].uuid) == 0)
                b->mine = mine[j];
    }
}

/* Is it one of those that are wanted? */
static bool is_wanted(const struct smi_live *l, const char *name)
{
    const char *list = l->o.monitors;
    struct smi_text own;
    while (list && smi_text_next_item(&list, &own))
        if (smi_text_is(own, name))
            return true;
    return !l->o.monitors;
}

static void add_monitor(struct smi_live *l, const char *name)
{
    const struct smi_monitor_kind *k = smi_monitor_kind(smi_text_of(name));
    struct smi_live_log *g = &l->log[l->logs];
    struct smi_monitor_opts o = {k,          l->o.program,
                                 l->o.gpus,  l->o.interval_ms,
                                 l->o.times, {.self = g, .bytes = live_log_bytes, .event = live_log_event}};
    g->l = l;
    g->source =
        smi_machine_add_source(l->now, name, (int)k->format, smi_monitor_interval(k, l->o.interval_ms));
    live_log_record(g, k->file, k->head);
    g->m = smi_monitor_new(&o);
    l->logs++;
}

/* Is there such a program in PATH? */
static bool is_in_path(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path && *path) {
        size_t n = strcspn(path, ":");
        int len = snprintf(file, sizeof file, "%.*s/%s", (int)n, path, name);
        if (len > 0 && (size_t)len < sizeof file && access(file, X_OK) == 0)
            return true;
        path += n + (path[n] == ':');
    }
    return false;
}

static void add_monitors(struct smi_live *l)
{
    const bool amd = l->o.brand == SMI_LIVE_AMD || (l->o.brand == SMI_LIVE_ANY && !l->o.program &&
                                                    !is_in_path("nvidia-smi") && is_in_path("amd-smi"));
    const struct {
        const char *name;
        bool on;
    } all[] = {{"amd", amd},   {"amd-process", amd && l->o.apps}, {"query", !amd},
               {"dmon", !amd}, {"apps", !amd && l->o.apps},       {"pmon", !amd && l->o.pmon}};
    if (!amd && l->o.choose && l->o.gpus) {
        l->visible = l->o.gpus;
        l->o.gpus = NULL;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all && l->o.brand != SMI_LIVE_NONE; i++)
        if (all[i].on && is_wanted(l, all[i].name))
            add_monitor(l, all[i].name);
}

/* A message of the kernel is read as a whole; each has less than 8 KiB. */
static void open_kmsg(struct smi_live *l)
{
    static const char path[] = "/dev/kmsg";
    l->kmsg_source = smi_machine_add_source(l->now, "kmsg", SMI_FMT_KERNEL, l->o.interval_ms);
    l->kmsg = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (l->kmsg >= 0 && lseek(l->kmsg, 0, SEEK_END) == 0) {
        smi_live_source_state(l->kmsg_source, SMI_SOURCE_READING, NULL);
        return;
    }
    const char *why = strerror(errno);
    smi_live_source_state(l->kmsg_source, SMI_SOURCE_DOWN, why);
    smi_machine_add_event(l->now, SMI_EVENT_WARN, "kmsg: cannot read %s: %s", path, why);
    if (l->kmsg >= 0)
        close(l->kmsg);
    l->kmsg = -1;
}

static void read_kmsg(struct smi_live *l)
{
    char message[8192];
    struct smi_err err = {0};
    ssize_t n;
    for (int i = 0; i < 64; i++) {
        n = read(l->kmsg, message, sizeof message);
        if (n > 0)
            (void)smi_machine_feed(l->kmsg_source, message, (size_t)n, *l->now_ms, &err);
        else if (n == 0 || errno != EPIPE) /* the kernel overwrote messages that were not read */
            return;
    }
}

struct smi_live *smi_live_new(const struct smi_live_opts *o, int64_t mono_ms, struct smi_err *err)
{
    struct smi_live *l = smi_mem_new(1, sizeof *l);
    l->o = *o;
    if (o->of_job) {
        l->visible = getenv("CUDA_VISIBLE_DEVICES");
        l->hip = getenv("HIP_VISIBLE_DEVICES");
        l->rocr = getenv("ROCR_VISIBLE_DEVICES");
    }
    l->kmsg = -1;
    l->start_ms = mono_ms;
    l->now_ms = &l->start_ms;
    l->o.now.here = true;
    l->now = smi_machine_new(&l->o.now);
    l->dir = o->dir ? open(o->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (o->dir && l->dir < 0)
        smi_err_set(err, SMI_EIO, "cannot open %s: %s", o->dir, strerror(errno));
    l->recorded = l->dir >= 0 && smi_append_open(&l->run, l->dir, "run.jsonl", err) == 0;
    l->run.head = &l->start;
    if (o->dir && !l->recorded) {
        smi_live_free(l);
        return NULL;
    }
    add_monitors(l);
    if (is_wanted(l, "cpu")) {
        l->log[SMI_LIVE_CPU].l = l;
        l->host = smi_host_open("");
        l->log[SMI_LIVE_CPU].source = smi_machine_add_source(l->now, "cpu", SMI_FMT_CPU, l->o.interval_ms);
        live_log_record(&l->log[SMI_LIVE_CPU], "cpu_metrics.csv", 1);
        smi_host_csv_head(l->host, &l->row);
        live_log_bytes(&l->log[SMI_LIVE_CPU], l->row.p, l->row.n);
    }
    if (o->kmsg)
        open_kmsg(l);
    l->cpu_due_ms = mono_ms;
    l->begin_ms = mono_ms + START_MS;
    for (size_t i = 0; i < l->logs; i++)
        smi_monitor_start(l->log[i].m, mono_ms);
    return l;
}

const struct smi_gpu_id *smi_live_listed(const struct smi_live *l, size_t *n)
{
    const struct smi_monitor *m = l->logs ? l->log[0].m : NULL;
    *n = m ? m->gpus_n : 0;
    return m ? m->gpus : NULL;
}

bool smi_live_heard(const struct smi_live *l)
{
    bool heard = false;
    for (size_t i = 0; i < l->logs; i++)
        heard |= l->log[i].m->probed || l->log[i].m->child_lines || l->log[i].m->answer.n;
    return heard;
}

/* ---- going on ---- */

static void prepare(void *self, struct smi_loop *loop)
{
    const struct smi_live *l = self;
    if (!l->stopped && l->host)
        smi_loop_wake(loop, l->cpu_due_ms);
    smi_loop_watch(loop, l->kmsg);
}

/* After the monitors. */
static int end_turn(void *self, struct smi_loop *loop, struct smi_err *err)
{
    struct smi_live *l = self;
    (void)err;
    if (!l->stopped && l->host && *l->now_ms >= l->cpu_due_ms) {
        live_read_host(l, &l->seen);
        smi_buf_clear(&l->row);
        smi_host_csv_row(l->host, &l->seen, smi_clock_utc_ms(), &l->row);
        if (l->row.n)
            live_log_bytes(&l->log[SMI_LIVE_CPU], l->row.p, l->row.n);
        smi_next_step_ms(&l->cpu_due_ms, l->o.interval_ms, *l->now_ms);
    }
    if (smi_loop_ready(loop, l->kmsg))
        read_kmsg(l);
    mark_own_gpus(l);
    if (*l->now_ms >= l->begin_ms)
        live_write_start(l);
    smi_machine_tick(l->now, *l->now_ms);
    return 0;
}

void smi_live_attach(struct smi_live *l, struct smi_loop *loop)
{
    l->now_ms = &loop->now_ms;
    loop->now_ms = l->start_ms;
    for (size_t i = 0; i < l->logs; i++)
        smi_loop_add(loop, smi_monitor_source(l->log[i].m));
    smi_loop_add(loop, (struct smi_loop_source){l, prepare, end_turn});
}

void smi_live_add(struct smi_live *l, const char *name, const char *file, enum smi_format_id format)
{
    struct smi_live_log *g = &l->log[SMI_LIVE_OWN];
    g->l = l;
    g->source = smi_machine_add_source(l->now, name, (int)format, l->o.interval_ms);
    live_log_record(g, file, 1);
}

void smi_live_write(struct smi_live *l, const char *p, size_t n)
{
    live_log_bytes(&l->log[SMI_LIVE_OWN], p, n);
}

void smi_live_stop(struct smi_live *l, const char *why, const struct smi_runlog_value *more, int64_t mono_ms)
{
    struct smi_runlog_value v[STOP_VALUES + 3] = {SMI_VALUE("reason", why)};
    int64_t lost = 0;
    size_t n = 1;
    if (l->stopped)
        return;
    l->stopped = true;
    for (size_t i = 0; i < l->logs; i++)
        smi_monitor_stop(l->log[i].m, mono_ms);
    for (size_t i = 0; i < SMI_LIVE_LOGS; i++)
        lost += l->log[i].file.lost;
    if (lost)
        v[n++] = SMI_VALUE("lost_lines", lost);
    for (size_t i = 0; more && more[i].key && i < STOP_VALUES; i++)
        v[n++] = more[i];
    smi_live_event(l, "stop", v);
}

bool smi_live_busy(const struct smi_live *l)
{
    for (size_t i = 0; i < l->logs; i++)
        if (smi_monitor_busy(l->log[i].m))
            return true;
    return false;
}

bool smi_live_owns(const struct smi_live *l, pid_t id, bool session)
{
    bool owns = false;
    for (size_t i = 0; i < l->logs; i++)
        owns |= smi_monitor_owns(l->log[i].m, id, session);
    return owns;
}

void smi_live_free(struct smi_live *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < SMI_LIVE_LOGS; i++) {
        smi_monitor_free(l->log[i].m);
        smi_record_file_close(&l->log[i].file);
    }
    smi_append_close(&l->run);
    smi_buf_fini(&l->start);
    if (l->kmsg >= 0)
        close(l->kmsg);
    if (l->dir >= 0)
        close(l->dir);
    smi_host_close(l->host);
    smi_machine_free(l->now);
    smi_buf_fini(&l->row);
    smi_mem_free(l);
}
