/* command_run.c - a command, tracked with everything that it starts; its fate is ours. */
#include "cli/settings.h"
#include "live/watch.h"
#include "process/job.h"
#include "process/tracking.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <errno.h>
#include <unistd.h>

enum run_format { FORMAT_TABLE, FORMAT_GPU_TRACKER_JSON, FORMAT_GPU_TRACKER_TEXT };

/* ---- settings ---- */

/* gpu_tracker's keys, and the options that they are. */
static const struct {
    const char *key, *option; /* option: NULL: it means nothing here */
} keys[] = {
    {"sleep_time", "interval"}, {"ram_unit", "ram-unit"},   {"gpu_ram_unit", "gpu-ram-unit"},
    {"time_unit", "time-unit"}, {"gpu_uuids", "gpus"},      {"n_expected_cores", "n-expected-cores"},
    {"disable_logs", "quiet"},  {"gpu_brand", "gpu-brand"}, {"tracking_file", "tracking-file"},
    {"overwrite", "overwrite"}, {"process_id", "pid"},      {"resource_usage_file", NULL},
    {"n_join_attempts", NULL},  {"join_timeout", NULL},
};
enum { KEYS = sizeof keys / sizeof *keys };

static int set_from_json(struct smi_run_settings *s, const char *where, const char *key, const json_t *v,
                         struct smi_buf *ignored, struct smi_err *err)
{
    const char *near = smi_text_nearest(key, keys, sizeof *keys, KEYS);
    const struct smi_file_setting *kept;
    const struct smi_opt *o;
    size_t k = 0;
    while (k < KEYS && strcmp(keys[k].key, key) != 0)
        k++;
    if (k == KEYS)
        return smi_err_set(err, SMI_EUSAGE, "%s: there is no \"%.60s\"%s%s%s", where, key,
                           near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    if (!keys[k].option)
        smi_buf_fmt(ignored, "%s%s", ignored->n ? ", " : "", key);
    if (!keys[k].option || json_is_null(v))
        return 0;
    o = smi_opt_find(&smi_commands[SMI_COMMAND_RUN], smi_text_of(keys[k].option), 0);
    if (json_is_false(v) && smi_opt_kind(o) == SMI_OPT_FLAG)
        return 0;
    kept = smi_settings_keep(o, keys[k].key, where, v, err);
    return kept ? smi_opt_set(o, kept->text, s, err) : -1;
}

static int load_config(struct smi_run_settings *s, const char *path, struct smi_buf *ignored,
                       struct smi_err *err)
{
    char where[256];
    json_t *object, *v;
    const char *key;
    if (smi_json_load_file("--config", path, &object, err))
        return -1;
    snprintf(where, sizeof where, "--config: %.200s", path);
    json_object_foreach (object, key, v)
        if (!err->code)
            set_from_json(s, where, key, v, ignored, err);
    json_decref(object);
    return err->code ? -1 : 0;
}

static int parse_run_settings(struct smi_run_settings *s, const struct smi_cmd *cmd, int *argc, char **argv,
                              char **copy, struct smi_err *err)
{
    struct smi_run_settings first = {.record = {.interval = 1000000}, .units = smi_usage_default_units};
    struct smi_buf ignored = {0};
    int n = *argc, rc = smi_opt_parse(cmd, &n, copy, &first, err);
    *s = (struct smi_run_settings){.record = {.interval = 1000000}, .units = smi_usage_default_units};
    if (rc == 0 && first.config)
        rc = load_config(s, first.config, &ignored, err);
    if (rc == 0 && ignored.n)
        fprintf(stderr, "smilog: warning: --config: %s: without a meaning here\n", ignored.p);
    if (rc == 0 && s->record.gpus.n && first.record.gpus.n)
        smi_buf_clear(&s->record.gpus);
    if (rc == 0)
        rc = smi_opt_parse(cmd, argc, argv, s, err);
    smi_buf_fini(&ignored);
    smi_buf_fini(&first.record.gpus);
    return rc;
}

static int check_run_settings(struct smi_run_settings *s, int argc, struct smi_live_opts *o,
                              struct smi_err *err)
{
    struct stat st;
    if (s->usage && stat(s->usage, &st) == 0 && S_ISDIR(st.st_mode))
        return smi_err_set(err, SMI_EUSAGE, "--usage %.200s: is a directory", s->usage);
    if (s->overwrite && !s->file)
        return smi_err_set(err, SMI_EUSAGE, "--overwrite is of --tracking-file");
    if (s->pid ? argc > 1 : argc < 2)
        return smi_err_set(err, SMI_EUSAGE, s->pid ? "--pid and a command: one of them" : "which command?");
    o->apps = true;
    o->brand = (enum smi_live_brand)s->brand;
    o->choose = s->usage || s->file || s->format != FORMAT_TABLE; /* so do gpu_tracker's figures */
    return smi_record_settings_check(&s->record, o, err);
}

/* ---- at work: the monitors first, then the command beside them ---- */

enum {
    PAUSE_US = 10000,     /* where the kernel does not let us wait */
    UNHEARD_STOP_MS = 100 /* monitors that hang have nothing more to say */
};

/* While it runs. */
struct work {
    const struct smi_run_settings *set;
    char **argv; /* of the command; NULL: a process that was there before */
    struct smi_live *live;
    struct smi_job *job;
    struct smi_tracking *tracking;
    struct smi_buf command;
    struct smi_loop loop;
    int64_t summary_ms, stop_ms;
    int64_t until_ms;         /* the present wait ends */
    int status;               /* of the command, as of waitpid(2); -1: not known */
    int too_soon;             /* a signal that would have ended us before there was a command */
    bool begun, ended, asked; /* asked: a signal said to stop tracking */
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
    const struct smi_tracking_figures *f = &w->tracking->f;
    const struct smi_host_sample *h = &w->live->seen;
    const int64_t ram = f->usage.most.ram[SMI_TREE_OF_ALL].total;
    struct smi_runlog_value v[4] = {SMI_VALUE("message", end)};
    size_t n = 1;
    if (f->oom_kills > 0 && ram >= 0)
        v[n++] = SMI_VALUE("ram_mib", ram / (1 << 20));
    if (f->oom_kills > 0 && h->has >> SMI_HOST_CG_RAM_LIMIT & 1)
        v[n++] = SMI_VALUE("limit_mib", h->v[SMI_HOST_CG_RAM_LIMIT] / 1000000);
    smi_live_event(w->live, WTERMSIG(w->status) == SIGKILL && f->oom_kills > 0 ? "oom" : "killed", v);
}

static void end(struct work *w)
{
    struct smi_runlog_value v[SMI_TRACKING_FACTS + 2] = {{.key = NULL}};
    char words[64];
    size_t n = 0;
    if (w->ended)
        return;
    w->ended = true;
    w->stop_ms = w->loop.now_ms + (w->live->now->gpus ? SMI_LIVE_STOP_MS : UNHEARD_STOP_MS);
    format_job_end(words, sizeof words, w);
    smi_tracking_end(w->tracking, w->loop.now_ms);
    if (w->status >= 0 && WIFSIGNALED(w->status))
        report_oom_kill(w, words);
    else if (w->tracking->f.oom_kills > 0)
        smi_live_event(w->live, "oom_kill", SMI_VALUES(SMI_VALUE("processes", w->tracking->f.oom_kills)));
    if (w->status >= 0)
        v[n++] = SMI_VALUE("exit_status", smi_job_exit_status(w->status));
    smi_tracking_facts(w->tracking, v + n);
    smi_live_stop(w->live, words, v, w->loop.now_ms);
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
    w->summary_ms = w->loop.now_ms; /* its sender may send SIGKILL next */
    w->asked |= w->set->pid != 0;
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
        smi_tracking_ending(w->tracking, w->loop.now_ms);
        break;
    case SMI_JOB_ENDED:
        w->status = e->status;
        if (e->status >= 0)
            smi_tracking_reaped(w->tracking, e->pid, e->cpu_us, e->rss_kib);
        end(w);
        break;
    case SMI_JOB_ORPHAN:
        if (!smi_live_owns(w->live, e->session, true))
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
    return w->live && smi_live_owns(w->live, pid, false);
}

/* ---- going on ---- */

static void prepare_work(void *self, struct smi_loop *l)
{
    const struct work *w = self;
    smi_loop_wake(l, w->until_ms);
    if (!w->begun)
        return;
    smi_loop_wake(l, w->stop_ms);
    smi_loop_wake(l, w->tracking->due_ms);
    if (w->set->record.dir && !w->ended)
        smi_loop_wake(l, w->summary_ms);
}

/* Last in a turn. */
static int end_turn(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct work *w = self;
    struct smi_err own = {0};
    (void)l, (void)err;
    if (!w->begun)
        return 0;
    if (w->asked)
        end(w);
    if (!w->ended)
        smi_tracking_step(w->tracking, w->loop.now_ms);
    if (w->ended)
        return !smi_live_busy(w->live) || w->loop.now_ms >= w->stop_ms;
    if (w->set->record.dir &&
        w->loop.now_ms >= w->summary_ms) { /* of a run that goes on; a failure is an event */
        w->summary_ms = INT64_MAX;
        if (smi_write_run_summary(w->set->record.dir, &own))
            smi_machine_add_event(w->live->now, SMI_EVENT_ERROR, "%s", own.text);
    }
    return 0;
}

/* Who ends us while we wait has waited for nothing else. The command was never there: 0, and w->begun is not
 * set. */
static void end_too_soon(struct work *w)
{
    char room[SMI_JOB_NAME], words[64];
    const char *name = smi_job_signal_name(w->too_soon, room);
    snprintf(words, sizeof words, "ended by %s before it was started", name);
    w->status = w->too_soon; /* as of waitpid(2) */
    smi_live_event(w->live, "killed", SMI_VALUES(SMI_VALUE("message", (const char *)words)));
    smi_live_stop(w->live, words, SMI_VALUES(SMI_VALUE("exit_status", smi_job_exit_status(w->status))),
                  w->loop.now_ms);
    if (w->set->pid)
        fprintf(stderr, "smilog: %s: process %d was not tracked yet\n", name, w->set->pid);
    else
        fprintf(
            stderr,
            "smilog: %s while waiting for the first readings of the GPUs: the command was never started\n",
            name);
}

/* Which GPUs the command is started without having waited for. */
static void report_unread_gpus(const struct work *w, int64_t waited_ms)
{
    struct smi_buf gpus = {0};
    smi_tracking_unread(&gpus, w->live);
    if (gpus.n)
        fprintf(
            stderr,
            "smilog: warning: GPU %s: no reading before the command was started: nvidia-smi lists %s, but "
            "printed no reading within %.1f s\n",
            gpus.p, strchr(gpus.p, ',') ? "them" : "it", (double)waited_ms / 1000);
    smi_buf_fini(&gpus);
}

static int start_job(struct work *w, char **argv, int *status, struct smi_err *err)
{
    const int64_t begin_ms = smi_clock_now_ms();
    bool more;
    do {
        const int64_t now = smi_clock_now_ms();
        more = smi_tracking_waits(w->tracking, w->set->pid ? NULL : environ, begin_ms, now);
        w->until_ms = more ? now + SMI_TRACKING_AGAIN_MS : 0;
        if (smi_loop_once(&w->loop, err) < 0)
            return -1;
        if (w->too_soon) {
            end_too_soon(w);
            return 0;
        }
    } while (more);
    report_unread_gpus(w, smi_clock_now_ms() - begin_ms);
    if (smi_tracking_prepare(w->tracking, err))
        return -1;
    w->loop.now_ms = smi_clock_now_ms(); /* its CPU time begins with the fork */
    if (w->set->pid ? smi_job_attach(w->job, w->set->pid, err) : smi_job_begin(w->job, argv, status, err))
        return -1;
    w->begun = true;
    w->until_ms = INT64_MAX;
    smi_tracking_begin(w->tracking, smi_job_pid(w->job), w->set->pid ? 0 : getpid(), w->loop.now_ms);
    return 0;
}

/* Waits for the command alone: what tracks it has failed, and we still exit as it does. Allocates nothing. */
static void wait_without_tracking(struct work *w)
{
    struct smi_err err = {0};
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

/* Without memory the command goes on without us. If it was not started yet, it takes our place. */
static void leave_command_alone(void *self)
{
    static const char runs[] = "smilog: out of memory: the command runs without being tracked\n";
    static const char ended[] = "smilog: out of memory: the summary of the run is missing\n";
    struct work *w = self;
    if (!w->argv)
        return;
    (void)!write(STDERR_FILENO, w->ended ? ended : runs, (w->ended ? sizeof ended : sizeof runs) - 1);
    if (w->begun) {
        if (w->job)
            wait_without_tracking(w);
        _exit(smi_job_pass_on(w->status));
    }
    smi_job_free(w->job); /* signals are as they were */
    execvp(*w->argv, w->argv);
    _exit(errno == ENOENT ? 127 : 126);
}

/* ---- at the end ---- */

static int write_usage_file(const struct work *w, struct smi_err *err)
{
    const struct smi_tracking_figures *f = &w->tracking->f;
    const bool text = w->set->format == FORMAT_GPU_TRACKER_TEXT;
    struct smi_buf b = {0};
    if (w->set->format == FORMAT_TABLE && !w->set->usage)
        return 0;
    smi_usage_put(&b, !text, &f->usage, &f->machine, &w->set->units);
    smi_buf_char(&b, '\n');
    return smi_text_file_put(w->set->usage ? w->set->usage : "-", &b, err);
}

static void print_run_report(const struct work *w)
{
    char words[64];
    struct smi_buf b = {0};
    format_job_end(words, sizeof words, w);
    smi_live_write_errors(&b, w->live->now);
    smi_tracking_text(&b, w->tracking, w->command.p, words, w->set->record.dir, w->set->quiet);
    smi_tell(&b);
}

/* A recording that cannot begin does not stop the command. */
static struct smi_live *start_live(struct smi_run_settings *set, struct smi_live_opts *o, struct smi_err *err)
{
    const bool wanted = set->record.dir != NULL;
    struct smi_live *live = NULL;
    if (smi_record_settings_claim(&set->record, o, err) == 0)
        live = smi_live_new(o, smi_clock_now_ms(), err);
    if (live || !wanted)
        return live;
    fprintf(stderr, "smilog: %s: nothing is recorded\n", err->text);
    *err = (struct smi_err){0};
    o->dir = set->record.dir = NULL;
    return smi_live_new(o, smi_clock_now_ms(), err);
}

static int run_and_track(struct smi_run_settings *set, const struct smi_live_opts *lo, char **argv)
{
    struct work w = {.set = set, .argv = argv, .status = -1, .stop_ms = INT64_MAX, .summary_ms = INT64_MAX};
    const struct smi_job_calls calls = {&w, on_job_event, owns_process};
    struct smi_tracking_opts to = {.interval_ms = lo->interval_ms,
                                   .units = set->units,
                                   .cores = set->cores,
                                   .file = set->file,
                                   .overwrite = set->overwrite,
                                   .environ = environ,
                                   .besides = set->pid ? getpid() : 0}; /* of a shell that called us */
    struct smi_runlog_value about[2] = {{.key = NULL}};
    struct smi_live_opts o = *lo;
    struct smi_err err = {0};
    char real[4096];
    int rc, status = SMI_EXIT_OUTPUT; /* of what is not started */
    for (char **a = argv; a && *a; a++) {
        smi_buf_str(&w.command, a == argv ? "" : " ");
        smi_opt_quote(&w.command, *a, strlen(*a));
    }
    if (set->pid)
        smi_buf_fmt(&w.command, "process %d", set->pid);
    about[0] = SMI_VALUE("command", (const char *)w.command.p);
    o.about = about;
    smi_mem_on_exhausted(leave_command_alone, &w);
    w.job = smi_job_new(&calls, &err);
    /* first: from now on every end is reported */
    w.live = w.job ? start_live(set, &o, &err) : NULL;
    if (!w.live) {
        smi_mem_on_exhausted(NULL, NULL);
        smi_job_free(w.job);
        smi_buf_fini(&w.command);
        return smi_fail(&err, "run");
    }
    if (set->record.dir && realpath(set->record.dir, real))
        setenv("SMILOG_DIR", real, 1); /* for `smilog log "$SMILOG_DIR/run.jsonl" ...` */
    to.live = w.live;
    w.tracking = smi_tracking_new(&to);
    smi_live_attach(w.live, &w.loop);
    smi_loop_add(&w.loop, smi_job_source(w.job)); /* behind the monitors, which wait for their children */
    smi_loop_add(&w.loop, (struct smi_loop_source){&w, prepare_work, end_turn});
    rc = start_job(&w, argv, &status, &err);
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
    smi_tracking_free(w.tracking);
    smi_live_free(w.live);
    if (rc < 0)
        wait_without_tracking(&w);
    smi_job_free(w.job);
    w.job = NULL;
    err = (struct smi_err){0};
    if (set->record.dir && smi_write_run_summary(set->record.dir, &err))
        smi_fail(&err, NULL);
    smi_mem_on_exhausted(NULL, NULL);
    smi_buf_fini(&w.command);
    return rc < 0 && w.status < 0 ? status : smi_job_pass_on(w.status);
}

/* ---- what was typed ---- */

int smi_command_run(int argc, char **argv)
{
    struct smi_run_settings set = {0};
    struct smi_live_opts o = {0};
    struct smi_err err = {0};
    char **copy = smi_mem_new((size_t)argc + 1, sizeof *copy);
    int rc;
    memcpy(copy, argv, (size_t)argc * sizeof *copy);
    rc = parse_run_settings(&set, &smi_commands[SMI_COMMAND_RUN], &argc, argv, copy, &err);
    if (rc == 0)
        rc = check_run_settings(&set, argc, &o, &err);
    argv[argc] = NULL;
    if (rc > 0)
        rc = smi_opt_print_help(&smi_commands[SMI_COMMAND_RUN]);
    else if (rc < 0)
        rc = smi_fail(&err, "run");
    else
        rc = run_and_track(&set, &o, set.pid ? NULL : argv + 1);
    smi_buf_fini(&set.record.gpus);
    smi_mem_free(copy);
    return rc;
}
