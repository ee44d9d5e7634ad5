/* command_live.c - the monitors beside a job: shown, recorded, summarised. */
#include "live/alert.h"
#include "live/command_output.h"
#include "live/tui_session.h"
#include "cli/settings.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct set {
    struct smi_watch_settings how;
    const char *replay; /* --replay */
    int64_t speed;      /* millionths */
    const char *textfile, *monitors;
    struct smi_record_settings record;
    bool once, json, apps, quiet, demo;
};

static const struct smi_opt opts_what[] = {
    {"interval", 'i', SMI_OPT_MICRO, offsetof(struct set, record.interval), "SECONDS",
     "Seconds between samples (default 1; dmon: whole seconds)"},
    {"gpus", 0, SMI_OPT_LIST, offsetof(struct set, record.gpus), "LIST",
     "Show these GPUs: indices, UUIDs or all (default: those of CUDA_VISIBLE_DEVICES)"},
    {"apps", 0, SMI_OPT_FLAG, offsetof(struct set, apps), NULL, "Also record the processes on the GPUs"},
    {"pmon", 0, SMI_OPT_FLAG, offsetof(struct set, record.pmon), NULL,
     "Also record how much each process uses its GPU (nvidia-smi pmon)"},
    {"monitors", 0, SMI_OPT_TEXT, offsetof(struct set, monitors), "LIST",
     "Start these monitors only: query, dmon, cpu (and apps, pmon)"},
    {"replay", 0, SMI_OPT_TEXT, offsetof(struct set, replay), "DIR", "Play back a recorded run"},
    {"speed", 0, SMI_OPT_MICRO, offsetof(struct set, speed), "N", "Play back N times as fast (default 1)"},
    {"demo", 0, SMI_OPT_FLAG, offsetof(struct set, demo), NULL,
     "Show eight simulated GPUs (in smilog's source tree only)"},
    {NULL, 0, 0, 0, NULL, NULL},
};

static const struct smi_opt opts_out[] = {
    {"output", 'o', SMI_OPT_TEXT, offsetof(struct set, record.dir), "DIR",
     "Record into DIR, a directory of its own"},
    {"max-size", 0, SMI_OPT_MICRO, offsetof(struct set, record.most), "MIB",
     "Rotate a log at this size; NAME.1 is the newest part, as with logrotate"},
    {"max-files", 0, SMI_OPT_COUNT, offsetof(struct set, record.keep), "N",
     "Keep N parts of a log, and delete the oldest"},
    {"textfile", 0, SMI_OPT_TEXT, offsetof(struct set, textfile), "FILE",
     "Write Prometheus text for node_exporter every ten seconds; removed at the end"},
    {"once", 0, SMI_OPT_FLAG, offsetof(struct set, once), NULL,
     "Print the current state and exit: status 1 if there is an alert or no GPU, 4 without a reading"},
    {"quiet", 'q', SMI_OPT_FLAG, offsetof(struct set, quiet), NULL, "Print nothing: only record"},
    {NULL, 0, 0, 0, NULL, NULL},
};

const struct smi_opt *const smi_opts_of_live[] = {opts_what, opts_out, smi_opts_watch, NULL};

enum {
    TEXTFILE_MS = 10000,
    ONCE_MS = 10000, /* for the first readings of monitors that start slowly */
    SETTLE_MS = 100, /* the rows of a sample do not all come in one piece */
};

/* While it runs. */
struct watch {
    const struct set *set;
    struct smi_live *live;
    struct smi_serve *serve; /* or NULL */
    struct smi_alert_actions alerts;
    struct smi_tui_session *show; /* the screen, or NULL: lines */
    struct smi_live_streams streams;
    int signals;
    bool signalled;
    char host[256];
    int64_t interval_ms, show_ms, end_ms, stop_ms; /* when next; stop_ms: once it ends */
    int64_t textfile_ms;                           /* when next */
    int64_t once_ms;                               /* --once waits no longer */
    int64_t known_ms;                              /* when --once knew of every monitor; 0: not yet */
    bool alerted;
    struct smi_err empty; /* why --once has nothing to show */
    int64_t told;         /* events that were printed */
};

/* ---- going on ---- */

/* Have all monitors given a reading, or said that they cannot? */
static bool is_every_gpu_known(const struct smi_machine *n)
{
    for (size_t i = 0; i < n->sources; i++) {
        const struct smi_live_source *s = n->source[i];
        bool unread = s->state == SMI_SOURCE_READING && s->seen_mono_ms == 0;
        if (s->state == SMI_SOURCE_STARTING || (unread && smi_format_infos[s->format].rows))
            return false;
    }
    return true;
}

static const char *missing_output_reason(const struct set *set)
{
    return set->demo ? "smilog live --demo" : "smilog live";
}

/* The table, as soon as there is something to show in it. Returns 1 to go on, 0, or -1 with err. */
static int print_live_state(struct watch *w, int64_t now, struct smi_err *err)
{
    struct smi_machine *n = smi_live_machine(w->live);
    const struct smi_render_options look =
        smi_render_options_of(&(struct smi_settings){.color = w->set->how.color});
    const struct smi_tui_info f = {.what = missing_output_reason(w->set),
                                   .host = w->host,
                                   .interval_ms = w->interval_ms,
                                   .recording = w->set->record.dir,
                                   .now_only = true};
    bool seen = false; /* has any GPU given a reading? */
    if (!w->known_ms && is_every_gpu_known(n)) {
        w->known_ms = now;
        int64_t sweep_ms = n->gpus < (size_t)n->o.expect_gpus ? w->interval_ms : 0; /* for one that is late */
        w->once_ms = smi_earlier_ms(w->once_ms, now + SETTLE_MS + sweep_ms);
    }
    if (now < w->once_ms)
        return 1;
    smi_live_print_events(&w->streams, n, &w->told);
    w->alerts.alerts.once = true;
    smi_alert_actions_check(&w->alerts, now);
    w->told = n->events; /* the table has them */
    w->alerted = n->alerts > 0 || n->gpus == 0;
    for (size_t i = 0; i < n->gpus; i++)
        seen |= n->gpu[i]->seen;
    if (!w->known_ms && !seen)
        smi_err_set(&w->empty, SMI_EIO,
                    "no reading of a GPU within %d s: nvidia-smi hangs, or its driver does", ONCE_MS / 1000);
    return w->set->json ? smi_live_print_line(&w->streams, n, true, err)
                        : smi_live_print_table(&w->streams, n, &f, &look, err);
}

static void end_watch(struct watch *w, const char *why, int64_t now)
{
    if (w->stop_ms != INT64_MAX)
        return;
    w->stop_ms = now + SMI_LIVE_STOP_MS;
    smi_live_stop(w->live, why, NULL, now);
    w->alerts.hurry = true;
}

static void prepare_watch(void *self, struct smi_loop *l)
{
    const struct watch *w = self;
    smi_loop_watch(l, w->signals);
    smi_loop_wake(l, w->stop_ms != INT64_MAX ? w->stop_ms : w->end_ms);
    if (w->stop_ms != INT64_MAX)
        return;
    if (w->set->once)
        smi_loop_wake(l, w->once_ms);
    else if (!w->set->quiet && !w->show)
        smi_loop_wake(l, w->show_ms);
    if (w->set->textfile)
        smi_loop_wake(l, w->textfile_ms);
}

/* First in a turn. */
static int read_signals(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct watch *w = self;
    const char *why = smi_loop_ready(l, w->signals) ? smi_live_signal_name(w->signals) : NULL;
    (void)err;
    w->signalled |= why != NULL;
    if (why)
        end_watch(w, why, l->now_ms);
    return 0;
}

/* Last in a turn. */
static int end_turn(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct watch *w = self;
    if (!w->show)
        smi_live_print_events(&w->streams, smi_live_machine(w->live), &w->told);
    if (smi_tui_session_has_quit(w->show))
        end_watch(w, "q", l->now_ms);
    if (l->now_ms >= w->end_ms)
        end_watch(w, "time is over", l->now_ms);
    if (w->stop_ms != INT64_MAX)
        return (!smi_live_busy(w->live) && !smi_alert_actions_busy(&w->alerts)) || l->now_ms >= w->stop_ms;
    /* What is due at this time. */
    if (w->set->once) {
        int rc = print_live_state(w, l->now_ms, err);
        if (rc == 0)
            end_watch(w, "once", l->now_ms);
        return rc < 0 ? -1 : 0;
    }
    if (w->set->textfile && l->now_ms >= w->textfile_ms) { /* node_exporter reads it whole */
        smi_next_step_ms(&w->textfile_ms, TEXTFILE_MS, l->now_ms);
        const struct smi_prometheus_opts e = {w->host, w->set->record.dir, smi_clock_utc_ms(),
                                              (enum smi_prometheus_names)w->set->how.names, false};
        smi_live_write_textfile(w->set->textfile, smi_live_machine(w->live), &e);
    }
    if (!w->set->quiet && !w->show && l->now_ms >= w->show_ms && w->stop_ms == INT64_MAX) {
        smi_next_step_ms(&w->show_ms, w->interval_ms, l->now_ms);
        return smi_live_print_line(&w->streams, smi_live_machine(w->live), w->set->json, err);
    }
    return 0;
}

/* e: what somebody says of this moment, in the record. */
static void record_mark(void *self, const char *word)
{
    struct watch *w = self;
    smi_live_event(w->live, "mark", SMI_VALUES(SMI_VALUE("text", word)));
    smi_machine_add_event(smi_live_machine(w->live), SMI_EVENT_RUNLOG, "mark: %s", word);
}

/* The screen, where there is somebody to look at it. */
static void open_tui(struct watch *w)
{
    char fake[4200];
    struct smi_err none = {0};
    bool demo = !w->set->demo && smi_live_fake_path(fake, sizeof fake, &none);
    const struct smi_tui_session_opts o = {
        .about = {.what = missing_output_reason(w->set),
                  .host = w->host,
                  .interval_ms = w->interval_ms,
                  .recording = w->set->record.dir,
                  .sources = "monitors",
                  .hint = demo ? "smilog live --demo shows this screen without a GPU" : NULL},
        .lines = w->set->how.plain || w->set->how.format || w->set->json || w->set->once || w->set->quiet,
        .look = smi_render_options_of(&(struct smi_settings){.color = w->set->how.color}),
        .no_marks = w->set->record.dir ? NULL : "nothing is recorded (-o DIR does): no mark",
        .machine = smi_live_machine(w->live),
        .streams = &w->streams,
        .told = &w->told,
        .mark = record_mark,
        .self = w};
    w->show = smi_tui_session_open(&o);
}

/* Prints why it failed, lets standard output be read, and returns the exit status. */
static int end_output(struct watch *w, const struct smi_err *err)
{
    struct smi_buf b = {0};
    int rc = err->code ? smi_fail_text(&b, err, "live") : w->alerted ? SMI_EXIT_BROKEN : SMI_EXIT_OK;
    smi_live_print_message(&w->streams, &b);
    smi_live_streams_close(&w->streams, w->signals,
                           w->signalled   ? SMI_LIVE_FLUSH_MS
                           : w->set->once ? INT64_MAX
                                          : SMI_LIVE_READ_MS);
    close(w->signals);
    return rc;
}

/* Starts the server, the monitors and the screen, and watches until the end. Returns 0, or -1 with err. */
static int open_and_watch(struct watch *w, struct set *set, struct smi_live_opts *o, struct smi_err *err)
{
    const struct smi_serve_opts so = {set->how.listen, missing_output_reason(set),
                                      w->host,         set->record.dir ? set->record.own_dir : NULL,
                                      o->interval_ms,  set->how.names,
                                      set->how.allow};
    struct smi_err no_server = {0};
    bool only = set->quiet && !set->record.dir && !set->textfile && !set->how.command;
    int rc = -1;
    if (smi_live_listen(&w->streams, &w->serve, &so, only, &no_server)) {
        *err = no_server;
        return -1;
    }
    o->now.expect_gpus = set->how.expect_gpus;
    o->now.brief =
        set->how.plain || set->how.format || set->json || set->once || set->quiet || !isatty(STDOUT_FILENO);
    w->live =
        smi_record_settings_claim(&set->record, o, err) ? NULL : smi_live_new(o, smi_clock_now_ms(), err);
    if (w->live) {
        smi_serve_show(w->serve, smi_live_machine(w->live));
        smi_live_report_no_server(smi_live_machine(w->live), &no_server);
        open_tui(w);
        smi_alert_actions_start(&w->alerts, smi_live_machine(w->live), w->live, set->how.command,
                                set->record.dir);
        struct smi_loop l = {.sources = 0};
        smi_loop_add(&l, (struct smi_loop_source){w, prepare_watch, read_signals});
        smi_loop_add(&l, smi_live_streams_source(&w->streams));
        smi_live_attach(w->live, &l);
        smi_alert_actions_attach(&w->alerts, &l, !w->set->once);
        if (w->serve)
            smi_loop_add(&l, smi_serve_source(w->serve));
        if (w->show)
            smi_loop_add(&l, smi_tui_session_source(w->show));
        smi_loop_add(&l, (struct smi_loop_source){w, NULL, end_turn});
        rc = smi_loop_run(&l, err);
        smi_tui_session_close(w->show);
    }
    smi_serve_close(w->serve);
    return rc;
}

static int watch(struct set *set, struct smi_live_opts *o, int64_t span_ms)
{
    struct watch w = {.set = set, .interval_ms = o->interval_ms, .stop_ms = INT64_MAX};
    struct smi_err err = {0};
    int64_t now = smi_clock_now_ms();
    bool closed;
    int rc;
    if (smi_alert_actions_init(&w.alerts, set->how.rules, &err))
        return smi_fail(&err, "live");
    gethostname(w.host, sizeof w.host - 1);
    w.signals = smi_live_open_signals();
    smi_live_streams_open(&w.streams);
    w.once_ms = now + ONCE_MS;
    w.textfile_ms = now + 2 * o->interval_ms; /* the first readings are there */
    w.show_ms = now + o->interval_ms;         /* the first readings need one */
    w.end_ms = span_ms ? now + span_ms : INT64_MAX;
    rc = open_and_watch(&w, set, o, &err);
    smi_alert_actions_fini(&w.alerts);
    if (!w.live)
        return end_output(&w, &err);
    closed = rc < 0 && smi_live_output_closed(&w.streams); /* that is how it ends in a pipe */
    if (rc < 0)
        smi_live_stop(w.live, closed ? "standard output was closed" : err.text, NULL, smi_clock_now_ms());
    smi_live_print_events(&w.streams, smi_live_machine(w.live), &w.told);
    smi_live_free(w.live);
    if (set->textfile)
        unlink(set->textfile); /* else its last values would be read for ever */
    if (closed || rc == 0)
        err = (struct smi_err){0};
    if (set->record.dir && smi_write_run_summary(set->record.dir, &err) == 0 && w.show && !err.code)
        smi_live_print_recorded(&w.streams, set->record.dir, smi_clock_now_ms() - now);
    return end_output(&w, err.code ? &err : &w.empty);
}

/* ---- what was typed ---- */

/* A run that is over is only looked at. */
static int check_replay(const struct set *set, struct smi_err *err)
{
    bool other = set->record.dir || set->demo || set->apps || set->record.pmon || set->record.gpus.n ||
                 set->textfile || set->how.duration || set->record.most || set->record.keep ||
                 set->how.listen;
    if (set->speed < 0 && !set->replay)
        return 0;
    if (!set->replay)
        return smi_err_set(err, SMI_EUSAGE, "--speed is of --replay");
    if (other)
        return smi_err_set(
            err, SMI_EUSAGE,
            "--replay plays what is recorded: -o, --gpus, --apps, --pmon, --demo, --for, --max-size, "
            "--max-files, --listen and --textfile are for what happens now");
    if (set->speed >= 0 && (set->speed < 10000 || set->speed > (int64_t)1000000 * 1000000))
        return smi_err_set(err, SMI_EUSAGE, "--speed needs 0.01 to 1000000");
    return 0;
}

static int check_monitors(const char *list, struct smi_err *err)
{
    const char *rest = list;
    struct smi_text word;
    while (smi_text_next_item(&rest, &word)) {
        const struct smi_monitor_kind *k = smi_monitor_kinds;
        word = smi_text_trim(word);
        while (k->name && !smi_text_is(word, k->name))
            k++;
        if (!k->name && !smi_text_is(word, "cpu"))
            return smi_err_set(err, SMI_EUSAGE,
                               "--monitors: there is no \"%.*s\"; there are query, dmon, apps, pmon, amd, "
                               "amd-process and cpu",
                               (int)(word.n > 60 ? 60 : word.n), word.p);
    }
    return 0;
}

static int check_live_settings(struct set *set, struct smi_live_opts *o, int64_t *span_ms, char *room,
                               size_t size, struct smi_err *err)
{
    struct smi_file_out probe;
    if (smi_live_parse_format("live", set->how.json ? "jsonl" : set->how.format, &set->json, err) ||
        check_replay(set, err))
        return -1;
    if (set->how.duration && smi_live_parse_duration(set->how.duration, span_ms, err))
        return -1;
    if (set->once && (set->how.plain || (set->how.format && !set->json) || set->quiet || set->how.duration))
        return smi_err_set(err, SMI_EUSAGE,
                           "--once is a table or, with --json, an object; it ends by itself");
    if (set->quiet && !set->record.dir && !set->textfile && !set->how.listen)
        return smi_err_set(err, SMI_EUSAGE, "-q without -o DIR, --textfile or --listen would do nothing");
    if (set->how.command && (set->once || !*set->how.command))
        return smi_err_set(err, SMI_EUSAGE, "--alert-exec needs a command, and a live that goes on");
    if ((set->how.names && !set->textfile && !set->how.listen) || (set->how.allow && !set->how.listen) ||
        (set->how.listen && set->once))
        return smi_err_set(
            err, SMI_EUSAGE,
            "--names is for --textfile and --listen, --allow-host for --listen, these for a live "
            "that goes on");
    if (set->textfile && !*set->textfile)
        return smi_err_set(err, SMI_EUSAGE, "--textfile needs the name of a file");
    if (set->textfile && set->once)
        return smi_err_set(err, SMI_EUSAGE,
                           "--textfile is written again and again, --once looks once: one of them");
    if (set->textfile && (smi_file_create(&probe, set->textfile, err) || smi_file_close(&probe, false, err)))
        return -1;
    if (set->demo && (setenv("SMI_FAKE_AT", "60", 0) || !(o->program = smi_live_fake_path(room, size, err))))
        return -1; /* at its begin all GPUs idle */
    o->apps = set->apps;
    o->monitors = set->monitors;
    if (o->monitors && check_monitors(o->monitors, err))
        return -1;
    return smi_record_settings_check(&set->record, o, err);
}

static int replay(const struct set *set, int64_t interval_ms)
{
    const struct smi_replay_settings o = {
        .path = set->replay,
        .speed = set->speed < 0 ? 1000000 : set->speed,
        .interval_ms = interval_ms,
        .expect_gpus = set->how.expect_gpus,
        .once = set->once,
        .plain = set->how.plain || set->how.format || set->json,
        .json = set->json,
        .look = smi_render_options_of(&(struct smi_settings){.color = set->how.color}),
        .rules = set->how.rules,
        .alert = set->how.command};
    struct smi_err err = {0};
    bool alerted;
    if (smi_replay_command(&o, &alerted, &err))
        return smi_fail(&err, "live");
    return alerted ? SMI_EXIT_BROKEN : SMI_EXIT_OK;
}

int smi_command_live(int argc, char **argv)
{
    struct set set = {.record = {.interval = 1000000}, .speed = -1};
    struct smi_live_opts o = {0};
    struct smi_err err = {0};
    char room[4200];
    int64_t span_ms = 0;
    int rc = smi_opt_begin(&smi_commands[SMI_COMMAND_LIVE], &argc, argv, &set);
    if (rc < 0 &&
        ((argc > 1 && smi_err_set(&err, SMI_EUSAGE, "live reads no files: %.60s; follow does", argv[1])) ||
         check_live_settings(&set, &o, &span_ms, room, sizeof room, &err)))
        rc = smi_fail(&err, "live");
    else if (rc < 0)
        rc = set.replay ? replay(&set, o.interval_ms) : watch(&set, &o, span_ms);
    smi_buf_fini(&set.record.gpus);
    return rc;
}
