#include "cli/command_run_work.h"

#include "base/clock.h"
#include "base/file.h"
#include "live/command_output.h"
#include "cli/option.h"
#include "cli/run_summary.h"
#include "process/job.h"
#include "process/usage_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    REFRESH_MS = 30000, /* of summary.json, so that a kill without notice leaves one */
    DUTY = 200,         /* reading all of a long recording again may take so little of the time: 1 in DUTY */
    PAUSE_US = 10000    /* where the kernel does not let us wait */
};

/* While it runs. */
struct work {
    const struct smi_run_settings *set;
    struct smi_live *live;
    struct smi_job *job;
    struct smi_tracking *tracking;
    struct smi_buf command;
    struct smi_loop loop;
    int64_t now, summary_ms, stop_ms;
    int64_t until_ms;                 /* the present wait ends */
    int status;                       /* of the command, as of waitpid(2); -1: not known */
    int too_soon;                     /* a signal that would have ended us before there was a command */
    bool begun, ended, asked, failed; /* asked: a signal said to stop tracking; failed: memory ran out */
    struct smi_err err;
};

/* ---- what becomes of the command ---- */

/* "exit status 1", "killed by SIGKILL": for people. */
static void format_job_end(char *out, size_t size, const struct work *w)
{
    char name[SMI_JOB_NAME];
    if (w->status < 0)
        snprintf(out, size, "%s", w->asked ? "still runs" : "ended");
    else if (WIFSIGNALED(w->status))
        snprintf(out, size, "killed by %s", smi_job_signal_name(WTERMSIG(w->status), name));
    else
        snprintf(out, size, "exit status %d", WEXITSTATUS(w->status));
}

/* Why a run failed that did not end by itself: for the RunLog. */
static void report_oom_kill(struct work *w, const char *end)
{
    const struct smi_tracking_figures *f = smi_tracking_figures(w->tracking);
    const struct smi_host_sample *h = smi_live_host(w->live);
    const int64_t ram = f->usage.ram[SMI_USAGE_COMBINED].total;
    struct smi_runlog_value v[4] = {SMI_VALUE("message", end)};
    size_t n = 1;
    if (f->oom_kills > 0) {
        if (ram >= 0)
            v[n++] = SMI_VALUE("ram_mib", ram / (1 << 20));
        if (h->has >> SMI_HOST_CG_RAM_LIMIT & 1)
            v[n++] = SMI_VALUE("limit_mib", h->v[SMI_HOST_CG_RAM_LIMIT] / 1000000);
    }
    if (WTERMSIG(w->status) == SIGKILL && f->oom_kills > 0)
        smi_live_event(w->live, "oom", v);
    else
        smi_live_event(w->live, "killed", v);
}

static void end(struct work *w)
{
    struct smi_runlog_value v[SMI_TRACKING_FACTS + 2] = {{.key = NULL}};
    char words[64];
    size_t n = 0;
    if (w->ended)
        return;
    w->ended = true;
    w->stop_ms = w->now + SMI_LIVE_STOP_MS;
    format_job_end(words, sizeof words, w);
    if (smi_tracking_end(w->tracking, w->now, &w->err))
        w->failed = true;
    if (w->status >= 0 && WIFSIGNALED(w->status))
        report_oom_kill(w, words);
    else if (smi_tracking_figures(w->tracking)->oom_kills > 0)
        smi_live_event(w->live, "oom_kill",
                       SMI_VALUES(SMI_VALUE("processes", smi_tracking_figures(w->tracking)->oom_kills)));
    if (w->status >= 0)
        v[n++] = SMI_VALUE("exit_status", smi_job_exit_status(w->status));
    smi_tracking_facts(w->tracking, v + n);
    smi_live_stop(w->live, words, v, w->now);
}

static void on_signal(struct work *w, const struct smi_job_event *e)
{
    char name[SMI_JOB_NAME];
    if (!w->begun) {
        w->too_soon = w->too_soon ? w->too_soon : e->signal;
        return;
    }
    smi_live_event(w->live, "signal",
                   SMI_VALUES(SMI_VALUE("signal", smi_job_signal_name(e->signal, name)),
                              SMI_VALUE("forwarded", (bool)(e->way == SMI_JOB_FORWARDED))));
    w->summary_ms = smi_earlier_ms(w->summary_ms, w->now); /* whoever sends one may send SIGKILL next */
    w->asked |= w->set->pid != NULL;
}

static void on_job_event(void *self, const struct smi_job_event *e)
{
    struct work *w = self;
    if (!w->live) { /* not tracked any more */
        w->status = e->what == SMI_JOB_ENDED ? e->status : w->status;
        return;
    }
    switch (e->what) {
    case SMI_JOB_ENDING: /* what it used since the last sample is still told */
        w->failed |= smi_tracking_ending(w->tracking, w->now, &w->err) != 0;
        break;
    case SMI_JOB_ENDED:
        w->status = e->status;
        if (e->status >= 0)
            smi_tracking_reaped(w->tracking, e->pid, e->cpu_us, e->rss_kib);
        end(w);
        break;
    case SMI_JOB_ORPHAN:
        if (!smi_live_owns_session(w->live, e->session))
            smi_tracking_reaped(w->tracking, e->pid, e->cpu_us, e->rss_kib);
        break;
    case SMI_JOB_SIGNAL:
        on_signal(w, e);
        break;
    default:
        break;
    }
}

static bool owns_process(void *self, pid_t pid)
{
    const struct work *w = self;
    return w->live && smi_live_owns_process(w->live, pid);
}

/* ---- going on ---- */

static void refresh_tracking(struct work *w)
{
    struct smi_err err = {0};
    int64_t took;
    if (smi_write_run_summary(w->set->dir, &err))
        smi_machine_add_event(smi_live_machine(w->live), SMI_EVENT_ERROR, "%s", err.text);
    took = smi_clock_now_ms() - w->now;
    w->summary_ms = w->now + (took * DUTY > REFRESH_MS ? took * DUTY : REFRESH_MS);
}

/* Children of ours that are none of the command's. */
static void report_left_children(struct work *w)
{
    pid_t pid[SMI_LIVE_CHILDREN];
    size_t n = smi_live_children(w->live, pid);
    for (size_t i = 0; i < n; i++)
        smi_tracking_not_ours(w->tracking, pid[i]);
    smi_tracking_not_ours(w->tracking, smi_job_signal_probe(w->job));
    if (w->set->pid)
        smi_tracking_not_ours(w->tracking, getpid()); /* of the shell that we were called from */
}

static void prepare_work(void *self, struct smi_loop *l)
{
    const struct work *w = self;
    smi_loop_wake(l, w->until_ms);
    if (!w->begun)
        return;
    smi_loop_wake(l, w->stop_ms);
    smi_loop_wake(l, smi_tracking_due(w->tracking));
    if (w->set->dir && !w->ended)
        smi_loop_wake(l, w->summary_ms);
}

/* Behind the monitors, and before the job, which tells of children. */
static int begin_turn(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct work *w = self;
    (void)err;
    w->now = l->now_ms;
    if (w->begun)
        report_left_children(w);
    return 0;
}

/* Last in a turn. */
static int end_turn(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct work *w = self;
    (void)l;
    if (!w->begun)
        return 0;
    if (w->asked)
        end(w);
    if (w->failed)
        *err = w->err;
    if (w->failed || (!w->ended && smi_tracking_step(w->tracking, w->now, err)))
        return -1;
    if (w->ended)
        return !smi_live_busy(w->live) || w->now >= w->stop_ms;
    if (w->set->dir && w->now >= w->summary_ms)
        refresh_tracking(w);
    return 0;
}

static void fill_loop(struct work *w)
{
    smi_live_attach(w->live, &w->loop);
    smi_loop_add(&w->loop, (struct smi_loop_source){w, prepare_work, begin_turn});
    smi_loop_add(&w->loop, smi_job_source(w->job));
    smi_loop_add(&w->loop, (struct smi_loop_source){w, NULL, end_turn});
}

/* Who ends us while we wait has waited for nothing else. The command was never there: 0, and w->begun is not
 * set. */
static int end_too_soon(struct work *w)
{
    char room[SMI_JOB_NAME], words[64];
    const char *name = smi_job_signal_name(w->too_soon, room);
    snprintf(words, sizeof words, "ended by %s before it was started", name);
    w->status = w->too_soon; /* as of waitpid(2) */
    smi_live_event(w->live, "killed", SMI_VALUES(SMI_VALUE("message", (const char *)words)));
    smi_live_stop(w->live, words, SMI_VALUES(SMI_VALUE("exit_status", smi_job_exit_status(w->status))),
                  w->now);
    if (w->set->pid)
        fprintf(stderr, "smilog: %s: process %s was not tracked yet\n", name, w->set->pid);
    else
        fprintf(
            stderr,
            "smilog: %s while waiting for the first readings of the GPUs: the command was never started\n",
            name);
    return 0;
}

static int start_job(struct work *w, char **argv, int *status, struct smi_err *err)
{
    const int64_t until = smi_clock_now_ms() + smi_tracking_patience(w->set->pid ? NULL : environ);
    int64_t pid = 0;
    bool more;
    do {
        more = !smi_tracking_ready(smi_live_machine(w->live)) && smi_clock_now_ms() < until;
        w->until_ms = more ? smi_earlier_ms(until, smi_clock_now_ms() + SMI_TRACKING_AGAIN_MS) : 0;
        if (smi_loop_once(&w->loop, err) < 0)
            return -1;
        if (w->too_soon)
            return end_too_soon(w);
    } while (more);
    if (w->set->pid && (smi_text_parse_micro(smi_text_of(w->set->pid), &pid) || pid % 1000000 || pid <= 0 ||
                        pid / 1000000 > INT32_MAX))
        return smi_err_set(err, SMI_EUSAGE, "--pid wants the number of a process, not \"%.60s\"",
                           w->set->pid);
    if (smi_tracking_prepare(w->tracking, err))
        return -1;
    w->now = smi_clock_now_ms(); /* its CPU time begins with the fork */
    if (pid ? smi_job_attach(w->job, (pid_t)(pid / 1000000), err) : smi_job_begin(w->job, argv, status, err))
        return -1;
    w->begun = true;
    w->until_ms = INT64_MAX;
    w->summary_ms = w->now + REFRESH_MS;
    return smi_tracking_begin(w->tracking, smi_job_pid(w->job), pid ? 0 : getpid(), w->now, err);
}

/* What tracks the command has failed; its fate is ours still. */
static void wait_without_tracking(struct work *w)
{
    struct smi_err err = {0};
    smi_tracking_free(w->tracking);
    smi_live_free(w->live);
    w->tracking = NULL;
    w->live = NULL;
    w->loop.sources = 0;
    smi_loop_add(&w->loop, smi_job_source(w->job));
    while (w->begun && !w->set->pid && smi_job_pid(w->job)) {
        if (smi_loop_once(&w->loop, &err)) { /* it cannot wait: no descriptor is allowed any more */
            usleep(PAUSE_US);
            (void)smi_loop_call(&w->loop, smi_clock_now_ms(), &err);
        }
    }
}

/* ---- at the end ---- */

static int write_usage_file(const struct work *w, struct smi_err *err)
{
    const struct smi_tracking_figures *f = smi_tracking_figures(w->tracking);
    const bool text = w->set->format == SMI_RUN_GPU_TRACKER_TEXT;
    if (w->set->format == SMI_RUN_TABLE && !w->set->usage)
        return 0;
    return smi_usage_write(w->set->usage ? w->set->usage : "-", text, &f->usage, &f->machine, &w->set->units,
                           err);
}

static void print_run_report(const struct work *w)
{
    char words[64];
    const struct smi_tracking_text_opts say = {w->command.p, words, w->set->dir};
    struct smi_buf b = {0};
    format_job_end(words, sizeof words, w);
    smi_live_write_errors(&b, smi_live_machine(w->live));
    if (!w->set->quiet)
        (void)smi_tracking_text(&b, w->tracking, &say);
    if (b.n && !b.failed)
        (void)smi_file_write(2, b.p, b.n, "standard error", NULL);
    smi_buf_fini(&b);
}

int smi_run_and_track(const struct smi_run_settings *set, const struct smi_live_opts *lo, char **argv)
{
    struct work w = {.set = set, .status = -1, .stop_ms = INT64_MAX, .summary_ms = INT64_MAX};
    const struct smi_job_calls calls = {&w, on_job_event, owns_process};
    struct smi_tracking_opts to = {.interval_ms = lo->interval_ms,
                                   .units = set->units,
                                   .cores = set->cores,
                                   .file = set->file,
                                   .overwrite = set->overwrite,
                                   .environ = environ};
    struct smi_runlog_value about[2] = {{.key = NULL}, {.key = NULL}};
    struct smi_live_opts o = *lo;
    struct smi_err err = {0};
    char real[4096];
    int rc, status = SMI_EXIT_OUTPUT; /* of what is not started */
    for (char **a = argv; a && *a; a++) {
        smi_buf_str(&w.command, a == argv ? "" : " ");
        smi_opt_quote(&w.command, *a, strlen(*a));
    }
    if (set->pid)
        smi_buf_fmt(&w.command, "process %s", set->pid);
    if (w.command.n)
        about[0] = SMI_VALUE("command", (const char *)w.command.p);
    o.about = about;
    if (w.command.failed)
        smi_err_nomem(&err);
    else
        w.job = smi_job_new(&calls, &err); /* first: from now on every end is told */
    w.live = w.job ? smi_live_new(&o, smi_clock_now_ms(), &err) : NULL;
    if (!w.live) {
        smi_job_free(w.job);
        smi_buf_fini(&w.command);
        return smi_fail(&err, "run");
    }
    if (set->dir && realpath(set->dir, real))
        setenv("SMILOG_DIR", real, 1); /* for `smilog log "$SMILOG_DIR/run.jsonl" ...` */
    to.live = w.live;
    w.tracking = smi_tracking_new(&to, &err);
    fill_loop(&w);
    rc = w.tracking ? start_job(&w, argv, &status, &err) : -1;
    if (rc >= 0 && w.begun)
        rc = smi_loop_run(&w.loop, &err);
    if (rc < 0 && !w.ended)
        smi_live_stop(w.live, err.text, w.begun ? NULL : SMI_VALUES(SMI_VALUE("exit_status", status)),
                      smi_clock_now_ms());
    if (rc == 0 && w.begun)
        print_run_report(&w);
    if (rc == 0 && w.begun && write_usage_file(&w, &err))
        smi_fail(&err, NULL);
    else if (rc < 0 && smi_fail(&err, NULL) == SMI_EXIT_USAGE)
        status = SMI_EXIT_USAGE;
    if (rc < 0)
        wait_without_tracking(&w);
    smi_job_free(w.job);
    smi_tracking_free(w.tracking);
    smi_live_free(w.live);
    err = (struct smi_err){0};
    if (set->dir && smi_write_run_summary(set->dir, &err))
        smi_fail(&err, NULL);
    smi_buf_fini(&w.command);
    return rc < 0 && w.status < 0 ? status : smi_job_pass_on(w.status);
}
