#include "process/tracker.h"

#include "base/clock.h"
#include "base/mem.h"
#include "process/tracking.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    INTERVAL_LEAST = 50,
    STOP_MS = 700 /* for monitors to end by themselves */
};

struct smi_tracker {
    struct smi_tracker_opts o;
    struct smi_usage_units units;
    enum smi_tracker_state state;
    pthread_t thread;
    int wake; /* eventfd(2): the owner wants it to stop */
    /* What the two threads share. */
    pthread_mutex_t lock;
    pthread_cond_t said;
    bool ready, stop;       /* the thread has begun, or failed to; it is asked to end */
    struct smi_err err;     /* what ended the thread */
    struct smi_usage usage; /* as of the last sample */
    struct smi_usage_machine machine;
    struct smi_buf text; /* the owner's alone */
};

/* ---- the thread ---- */

struct loop {
    struct smi_tracker *t;
    struct smi_live *live;
    struct smi_tracking *tracking;
    struct smi_loop loop;
    int64_t until_ms;   /* the present wait ends */
    char dir[PATH_MAX]; /* of the recording */
};

/* What is known now is the owner's to see. */
static void publish_figures(struct loop *l)
{
    const struct smi_tracking_figures *f = smi_tracking_figures(l->tracking);
    pthread_mutex_lock(&l->t->lock);
    l->t->usage = f->usage;
    l->t->usage.compute_us = f->span_us;
    l->t->machine = f->machine;
    pthread_mutex_unlock(&l->t->lock);
}

static bool asked_to_stop(struct smi_tracker *t)
{
    bool stop;
    pthread_mutex_lock(&t->lock);
    stop = t->stop;
    pthread_mutex_unlock(&t->lock);
    return stop;
}

static void prepare_tracking(void *self, struct smi_loop *l)
{
    const struct loop *t = self;
    smi_loop_wake(l, t->until_ms);
    smi_loop_wake(l, smi_tracking_due(t->tracking));
    smi_loop_watch(l, asked_to_stop(t->t) ? -1 : t->t->wake); /* it stays ready */
}

static int take_sample(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct loop *t = self;
    (void)err;
    pid_t pid[SMI_LIVE_CHILDREN];
    size_t children = smi_live_children(t->live, pid);
    for (size_t i = 0; i < children; i++)
        smi_tracking_not_ours(t->tracking, pid[i]);
    if (l->now_ms < smi_tracking_due(t->tracking))
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
    const struct smi_tracker_opts *o = &l->t->o;
    struct smi_live_opts lo = {.interval_ms = o->interval_ms,
                               .dir = o->dir ? l->dir : NULL,
                               .brand = o->no_gpus ? SMI_LIVE_NONE : SMI_LIVE_ANY,
                               .gpus = o->gpus,
                               .choose = true,
                               .environ = environ,
                               .apps = true,
                               .now = {.idle_below = 1000000}};
    struct smi_tracking_opts to = {.interval_ms = o->interval_ms,
                                   .units = l->t->units,
                                   .cores = o->cores,
                                   .file = o->file,
                                   .environ = environ};
    const int64_t begin_ms = smi_clock_now_ms();
    if (!o->gpus)
        smi_live_visible(&lo);
    if (o->dir && smi_live_claim(o->dir, 1, l->dir, sizeof l->dir, err) < 0)
        return -1;
    l->live = smi_live_new(&lo, smi_clock_now_ms(), err);
    to.live = l->live;
    if (!l->live)
        return -1;
    l->tracking = smi_tracking_new(&to);
    smi_live_attach(l->live, &l->loop);
    smi_loop_add(&l->loop, (struct smi_loop_source){l, prepare_tracking, take_sample});
    while (smi_tracking_waits(l->tracking, NULL, begin_ms, smi_clock_now_ms()) && !asked_to_stop(l->t))
        if (wait_and_sample(l, smi_clock_now_ms() + SMI_TRACKING_AGAIN_MS, err))
            return -1;
    if (smi_tracking_prepare(l->tracking, err))
        return -1;
    smi_tracking_begin(l->tracking, o->pid, 0, smi_clock_now_ms());
    return 0;
}

static void signal_ready(struct smi_tracker *t, const struct smi_err *err)
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
    while (rc == 0 && !asked_to_stop(l.t))
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

/* ---- the owner ---- */

struct smi_tracker *smi_tracker_new(const struct smi_tracker_opts *o, struct smi_err *err)
{
    struct smi_tracker *t = smi_mem_new(1, sizeof *t);
    const char *const unit[3] = {o->ram_unit, o->gpu_ram_unit, o->time_unit};
    t->o = *o;
    t->wake = -1;
    t->o.pid = o->pid ? o->pid : getpid();
    t->o.interval_ms = o->interval_ms ? o->interval_ms : 1000;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->said, NULL);
    smi_usage_init(&t->usage);
    if (t->o.interval_ms < INTERVAL_LEAST)
        smi_err_set(err, SMI_EUSAGE, "the interval is at least %d ms", INTERVAL_LEAST);
    else if (smi_usage_choose_units(&t->units, unit, false, err) == 0)
        return t;
    smi_tracker_free(t);
    return NULL;
}

int smi_tracker_start(struct smi_tracker *t, struct smi_err *err)
{
    sigset_t all, before;
    int why;
    if (t->state != SMI_TRACKER_NEW)
        return smi_err_set(err, SMI_EUSAGE, "a tracker is started once");
    t->state = SMI_TRACKER_STOPPED;
    if (kill(t->o.pid, 0) && errno == ESRCH)
        return smi_err_set(err, SMI_EUSAGE, "there is no process %ld", (long)t->o.pid);
    t->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (t->wake < 0)
        return smi_err_set(err, SMI_EIO, "eventfd: %s", strerror(errno));
    sigfillset(&all); /* none of the program's signals is ever delivered to the thread */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    why = pthread_create(&t->thread, NULL, run_thread, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (why)
        return smi_err_set(err, SMI_EIO, "cannot start a thread: %s", strerror(why));
    pthread_mutex_lock(&t->lock);
    while (!t->ready)
        pthread_cond_wait(&t->said, &t->lock);
    why = t->err.code;
    pthread_mutex_unlock(&t->lock);
    if (why) {
        pthread_join(t->thread, NULL);
        return smi_err_set(err, t->err.code, "%s", t->err.text);
    }
    t->state = SMI_TRACKER_STARTED;
    return 0;
}

int smi_tracker_stop(struct smi_tracker *t, struct smi_err *err)
{
    const uint64_t one = 1;
    if (t->state != SMI_TRACKER_STARTED)
        return smi_err_set(err, SMI_EUSAGE,
                           t->state == SMI_TRACKER_NEW ? "the tracker was not started"
                                                       : "the tracker was stopped before");
    pthread_mutex_lock(&t->lock);
    t->stop = true;
    pthread_mutex_unlock(&t->lock);
    if (write(t->wake, &one, sizeof one) < 0) {
        /* full: it is awake */
    }
    pthread_join(t->thread, NULL);
    t->state = SMI_TRACKER_STOPPED;
    return t->err.code ? smi_err_set(err, t->err.code, "%s", t->err.text) : 0;
}

const char *smi_tracker_summary(struct smi_tracker *t, enum smi_tracker_form form, struct smi_err *err)
{
    struct smi_usage usage;
    struct smi_usage_machine machine;
    if (t->state == SMI_TRACKER_NEW) {
        smi_err_set(err, SMI_EUSAGE, "the tracker was not started");
        return NULL;
    }
    pthread_mutex_lock(&t->lock);
    usage = t->usage;
    machine = t->machine;
    pthread_mutex_unlock(&t->lock);
    smi_buf_clear(&t->text);
    (form == SMI_TRACKER_JSON ? smi_usage_json : smi_usage_text)(&t->text, &usage, &machine, &t->units);
    return t->text.p;
}

enum smi_tracker_state smi_tracker_state(const struct smi_tracker *t)
{
    return t->state;
}

void smi_tracker_free(struct smi_tracker *t)
{
    struct smi_err err = {0};
    if (!t)
        return;
    if (t->state == SMI_TRACKER_STARTED)
        (void)smi_tracker_stop(t, &err);
    if (t->wake >= 0)
        close(t->wake);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->said);
    smi_buf_fini(&t->text);
    smi_mem_free(t);
}
