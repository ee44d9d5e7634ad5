/* api_tracker.c - include/smilog/tracker.h: a tracker, the machine, a process tree. */
#include "api_private.h"

#include "process/tracking.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* ---- the tracker ---- */

enum {
    INTERVAL_LEAST = 50,
    STOP_MS = 700 /* for monitors to end by themselves */
};

struct smilog_tracker {
    struct smi_run_settings set;
    struct smi_arena arena; /* texts of set */
    int interval_ms;
    bool started, stopped;
    pthread_t thread;
    int wake;         /* eventfd(2): the owner wants it to stop, */
    atomic_bool stop; /* as this says, too */
    /* What the two threads share. */
    pthread_mutex_t lock;
    pthread_cond_t said;
    bool ready;             /* the thread has begun, or failed to */
    struct smi_err err;     /* what ended the thread */
    struct smi_usage usage; /* as of the last sample */
    struct smi_usage_machine machine;
    struct smi_buf text; /* the owner's alone */
};

/* ---- the thread ---- */

struct loop {
    struct smilog_tracker *t;
    struct smi_live *live;
    struct smi_tracking *tracking;
    struct smi_loop loop;
    int64_t until_ms;   /* the present wait ends */
    char dir[PATH_MAX]; /* of the recording */
};

/* What is known now is the owner's to see. */
static void publish_figures(struct loop *l)
{
    const struct smi_tracking_figures *f = &l->tracking->f;
    pthread_mutex_lock(&l->t->lock);
    l->t->usage = f->usage;
    l->t->usage.compute_us = f->span_us;
    l->t->machine = f->machine;
    pthread_mutex_unlock(&l->t->lock);
}

static void prepare_tracking(void *self, struct smi_loop *l)
{
    const struct loop *t = self;
    smi_loop_wake(l, t->until_ms);
    smi_loop_wake(l, t->tracking->due_ms);
    smi_loop_watch(l, t->t->stop ? -1 : t->t->wake); /* it stays ready */
}

static int take_sample(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct loop *t = self;
    (void)err;
    if (l->now_ms < t->tracking->due_ms)
        return 0;
    smi_tracking_step(t->tracking, l->now_ms);
    publish_figures(t);
    return 0;
}

/* One turn, which waits until then at most. Returns 0, or -1 with err. */
static int wait_and_sample(struct loop *t, int64_t until_ms, struct smi_err *err)
{
    t->until_ms = until_ms;
    return smi_loop_once(&t->loop, err);
}

static int begin_tracking(struct loop *l, struct smi_err *err)
{
    const struct smi_run_settings *o = &l->t->set;
    const char *gpus = o->record.gpus.p;
    const bool none = gpus && strcmp(gpus, "none") == 0;
    struct smi_live_opts lo = {.interval_ms = l->t->interval_ms,
                               .dir = o->record.dir ? l->dir : NULL,
                               .brand = none ? SMI_LIVE_NONE : SMI_LIVE_ANY,
                               .gpus = none ? NULL : gpus,
                               .choose = true,
                               .of_job = none || !gpus,
                               .apps = true};
    struct smi_tracking_opts to = {.interval_ms = l->t->interval_ms,
                                   .units = o->units,
                                   .cores = o->cores,
                                   .file = o->file,
                                   .environ = environ};
    const int64_t begin_ms = smi_clock_now_ms();
    if (o->record.dir && smi_live_claim(o->record.dir, 1, l->dir, sizeof l->dir, err) < 0)
        return -1;
    l->live = smi_live_new(&lo, smi_clock_now_ms(), err);
    to.live = l->live;
    if (!l->live)
        return -1;
    l->tracking = smi_tracking_new(&to);
    smi_live_attach(l->live, &l->loop);
    smi_loop_add(&l->loop, (struct smi_loop_source){l, prepare_tracking, take_sample});
    while (smi_tracking_waits(l->tracking, NULL, begin_ms, smi_clock_now_ms()) && !l->t->stop)
        if (wait_and_sample(l, smi_clock_now_ms() + SMI_TRACKING_AGAIN_MS, err))
            return -1;
    if (smi_tracking_prepare(l->tracking, err))
        return -1;
    smi_tracking_begin(l->tracking, o->pid, 0, smi_clock_now_ms());
    return 0;
}

static void signal_ready(struct smilog_tracker *t, const struct smi_err *err)
{
    pthread_mutex_lock(&t->lock);
    t->ready = true;
    if (err->code)
        t->err = *err;
    pthread_cond_signal(&t->said);
    pthread_mutex_unlock(&t->lock);
}

static void *run_thread(void *self)
{
    struct smi_runlog_value v[SMI_TRACKING_FACTS + 1] = {{.key = NULL}};
    struct loop l = {.t = self};
    struct smi_err err = {0}, late = {0};
    int64_t now;
    int rc = begin_tracking(&l, &err);
    signal_ready(l.t, &err);
    while (rc == 0 && !l.t->stop)
        rc = wait_and_sample(&l, INT64_MAX, &err);
    now = smi_clock_now_ms();
    if (l.tracking && !err.code) {
        smi_tracking_end(l.tracking, now);
        publish_figures(&l);
    }
    if (l.tracking) {
        smi_tracking_facts(l.tracking, v);
        smi_live_stop(l.live, err.code ? err.text : "stopped", v, now);
        while (smi_live_busy(l.live) && smi_clock_now_ms() < now + STOP_MS &&
               wait_and_sample(&l, now + STOP_MS, &late) == 0)
            ;
    }
    smi_tracking_free(l.tracking);
    smi_live_free(l.live);
    signal_ready(l.t, &err);
    return NULL;
}

/* ---- its owner ---- */

struct smilog_tracker *smilog_tracker_new(struct smilog_error *err)
{
    struct smilog_tracker *t = smi_mem_new(1, sizeof *t);
    (void)err;
    t->set.record.interval = 1000000;
    t->set.units = smi_usage_default_units;
    t->wake = -1;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->said, NULL);
    return t;
}

static const struct smi_cmd options = {.groups = "k"};

int smilog_tracker_set(struct smilog_tracker *t, const char *name, const char *value,
                       struct smilog_error *err)
{
    struct smi_err failed = {0};
    const char *copy = smi_arena_text(&t->arena, value, strlen(value));
    int rc = t->started ? smi_err_set(&failed, SMI_EUSAGE, "%s: the tracker was started before", name)
                        : smi_api_set(&options, &t->set, name, copy, &failed);
    return rc ? smi_api_fail(err, &failed) : 0;
}

/* Makes all ready for the thread. Returns 0, or -1 with err. */
static int prepare_start(struct smilog_tracker *t, struct smi_err *err)
{
    if (t->started)
        return smi_err_set(err, SMI_EUSAGE, "the tracker was started before");
    t->interval_ms =
        t->set.record.interval < INT_MAX * INT64_C(1000) ? (int)(t->set.record.interval / 1000) : INT_MAX;
    t->set.pid = t->set.pid ? t->set.pid : getpid();
    if (t->interval_ms < INTERVAL_LEAST)
        return smi_err_set(err, SMI_EUSAGE, "the interval is at least %d ms", INTERVAL_LEAST);
    if (kill(t->set.pid, 0) && errno == ESRCH)
        return smi_err_set(err, SMI_EUSAGE, "there is no process %ld", (long)t->set.pid);
    smi_usage_init(&t->usage);
    t->ready = false;
    t->err = (struct smi_err){0};
    t->wake = t->wake < 0 ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : t->wake;
    return t->wake < 0 ? smi_err_set(err, SMI_EIO, "eventfd: %s", strerror(errno)) : 0;
}

int smilog_tracker_start(struct smilog_tracker *t, struct smilog_error *err)
{
    struct smi_err failed = {0};
    sigset_t all, before;
    int why;
    if (prepare_start(t, &failed))
        return smi_api_fail(err, &failed);
    sigfillset(&all); /* none of the program's signals is ever delivered to the thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    why = pthread_create(&t->thread, NULL, run_thread, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (why) {
        smi_err_set(&failed, SMI_EIO, "cannot start a thread: %s", strerror(why));
        return smi_api_fail(err, &failed);
    }
    pthread_mutex_lock(&t->lock);
    while (!t->ready)
        pthread_cond_wait(&t->said, &t->lock);
    failed = t->err;
    pthread_mutex_unlock(&t->lock);
    t->started = !failed.code;
    if (t->started)
        return 0;
    pthread_join(t->thread, NULL); /* the caller may mend an option, and start again */
    return smi_api_fail(err, &failed);
}

int smilog_tracker_stop(struct smilog_tracker *t, struct smilog_error *err)
{
    const uint64_t one = 1;
    struct smi_err failed = {0};
    if (!t->started || t->stopped) {
        smi_err_set(&failed, SMI_EUSAGE,
                    t->started ? "the tracker was stopped before" : "the tracker was not started");
        return smi_api_fail(err, &failed);
    }
    t->stop = true;
    (void)!write(t->wake, &one, sizeof one); /* full: it is awake */
    pthread_join(t->thread, NULL);
    t->stopped = true;
    return t->err.code ? smi_api_fail(err, &t->err) : 0;
}

const char *smilog_tracker_summary(struct smilog_tracker *t, const char *form, struct smilog_error *err)
{
    struct smi_err failed = {0};
    struct smi_usage usage;
    struct smi_usage_machine machine;
    const bool json = strcmp(form, "gpu-tracker-json") == 0;
    if (!json && strcmp(form, "gpu-tracker-text") != 0)
        smi_err_set(&failed, SMI_EUSAGE, "a summary has no form %.60s: gpu-tracker-text or gpu-tracker-json",
                    form);
    else if (!t->started)
        smi_err_set(&failed, SMI_EUSAGE, "the tracker was not started");
    if (failed.code) {
        smi_api_fail(err, &failed);
        return NULL;
    }
    pthread_mutex_lock(&t->lock);
    usage = t->usage;
    machine = t->machine;
    pthread_mutex_unlock(&t->lock);
    smi_buf_clear(&t->text);
    smi_usage_put(&t->text, json, &usage, &machine, &t->set.units);
    return t->text.p;
}

void smilog_tracker_free(struct smilog_tracker *t)
{
    if (!t)
        return;
    if (t->started && !t->stopped)
        smilog_tracker_stop(t, NULL);
    if (t->wake >= 0)
        close(t->wake);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->said);
    smi_arena_fini(&t->arena);
    smi_buf_fini(&t->set.record.gpus);
    smi_buf_fini(&t->text);
    smi_mem_free(t);
}

/* ---- the machine ---- */

struct smilog_host {
    struct smi_host *host;
    struct smi_host_sample sample;
};

struct smilog_host *smilog_host_open(struct smilog_error *err)
{
    struct smilog_host *h = smi_mem_new(1, sizeof *h);
    (void)err;
    h->host = smi_host_open("");
    return h;
}

void smilog_host_read(struct smilog_host *h)
{
    smi_host_read(h->host, smi_clock_now_ms() * 1000, &h->sample);
}

bool smilog_host_number(const struct smilog_host *h, const char *name, double *value)
{
    for (int i = 0; i < SMI_HOST_COUNT; i++)
        if (strcmp(smi_host_values[i].name, name) == 0 && h->sample.has >> i & 1) {
            *value = (double)h->sample.v[i] / 1e6;
            return true;
        }
    return false;
}

const char *smilog_host_name(size_t i)
{
    return i < SMI_HOST_COUNT ? smi_host_values[i].name : NULL;
}

const char *smilog_host_unit(size_t i)
{
    return i < SMI_HOST_COUNT ? smi_host_values[i].unit : NULL;
}

const char *smilog_host_help(size_t i)
{
    return i < SMI_HOST_COUNT ? smi_host_values[i].help : NULL;
}

void smilog_host_close(struct smilog_host *h)
{
    if (!h)
        return;
    smi_host_close(h->host);
    smi_mem_free(h);
}

/* ---- a process tree ---- */

struct smilog_tree {
    struct smi_tree *tree;
    struct smi_tree_sample sample;
};

struct smilog_tree *smilog_tree_open(int pid, struct smilog_error *err)
{
    struct smilog_tree *t = smi_mem_new(1, sizeof *t);
    (void)err;
    t->tree = smi_tree_open(&(struct smi_tree_opts){.main = pid ? pid : getpid()});
    return t;
}

int smilog_tree_read(struct smilog_tree *t, struct smilog_error *err)
{
    (void)err;
    smi_tree_read(t->tree, smi_clock_now_ms() * 1000, &t->sample);
    return 0;
}

bool smilog_tree_number(const struct smilog_tree *t, enum smilog_tree_part part, const char *name,
                        double *value)
{
    bool known = (unsigned)part <= SMILOG_TREE_ALL;
    const struct smi_tree_usage *u = &t->sample.of[known ? part : SMILOG_TREE_ALL];
    const struct {
        const char *name;
        bool has;
        double value;
    } of[] = {{"ram", u->has_ram, (double)u->ram.total},
              {"private_ram", u->has_ram, (double)u->ram.private_},
              {"shared_ram", u->has_ram, (double)u->ram.shared},
              {"cpu_pct", u->has_cpu, u->cpu_pct},
              {"cpu_s", t->sample.t_us != 0, (double)t->sample.cpu_us[known ? part : SMILOG_TREE_ALL] / 1e6},
              {"threads", t->sample.t_us != 0, (double)u->threads},
              {"processes", t->sample.t_us != 0, (double)u->processes}};
    for (size_t i = 0; known && i < sizeof of / sizeof *of; i++)
        if (strcmp(of[i].name, name) == 0 && of[i].has) {
            *value = of[i].value;
            return true;
        }
    return false;
}

void smilog_tree_close(struct smilog_tree *t)
{
    if (!t)
        return;
    smi_tree_close(t->tree);
    smi_mem_free(t);
}
