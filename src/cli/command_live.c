/* command_live.c - the monitors beside a job: shown, recorded, summarised. */
#include "cli/settings.h"
#include "live/watch.h"

#include <stdlib.h>
#include <unistd.h>

enum {
    TEXTFILE_MS = 10000,
    ONCE_MS = 10000, /* for the first readings of monitors that start slowly */
    SETTLE_MS = 100, /* the rows of a sample do not all come in one piece */
};

/* While it runs. */
struct watch {
    struct smi_watch w;
    const struct smi_live_settings *set;
    char host[256];
    int64_t stop_ms;      /* once it ends */
    int64_t textfile_ms;  /* when next */
    int64_t once_ms;      /* --once waits no longer */
    int64_t known_ms;     /* when --once knew of every monitor; 0: not yet */
    struct smi_err empty; /* why --once has nothing to show */
};

/* ---- going on ---- */

/* The path of the stand-in for nvidia-smi, in room: beside the program when it was built, else where it is
 * installed. NULL with err (SMI_EUSAGE) if it is in neither place. */
static const char *smi_fake_path(char *room, size_t size, struct smi_err *err)
{
    static const char *const places[] = {"../tests/fake/nvidia-smi", "../../tests/fake/nvidia-smi"};
    ssize_t n = readlink("/proc/self/exe", room, size - 40);
    char *slash;
    room[n > 0 ? n : 0] = 0;
    slash = strrchr(room, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        strcpy(slash + 1, places[i]);
        if (access(room, X_OK) == 0)
            return room;
    }
    smi_err_set(err, SMI_EUSAGE,
                "--demo needs tests/fake/nvidia-smi of smilog's source tree: run build/smilog there");
    return NULL;
}

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

/* The table, as soon as there is something to show in it. Returns 1 to go on, 0, or -1 with err. */
static int print_live_state(struct watch *l, int64_t now, struct smi_err *err)
{
    struct smi_machine *n = l->w.now;
    bool seen = false; /* has any GPU given a reading? */
    if (!l->known_ms && is_every_gpu_known(n)) {
        l->known_ms = now;
        /* for one that is late */
        int64_t sweep_ms = n->gpus < (size_t)n->o.expect_gpus ? l->w.interval_ms : 0;
        l->once_ms = smi_earlier_ms(l->once_ms, now + SETTLE_MS + sweep_ms);
    }
    if (now < l->once_ms)
        return 1;
    smi_watch_events(&l->w);
    for (size_t i = 0; i < n->gpus; i++)
        seen |= n->gpu[i]->seen;
    if (!l->known_ms && !seen)
        smi_err_set(&l->empty, SMI_EIO,
                    "no reading of a GPU within %d s: nvidia-smi hangs, or its driver does", ONCE_MS / 1000);
    int rc = smi_watch_once(&l->w, now, err);
    l->w.told = n->events; /* the table has them */
    l->w.alerted |= n->gpus == 0;
    return rc;
}

static void end_watch(struct watch *l, const char *why, int64_t now)
{
    const struct smi_machine *n = l->w.now;
    if (!why || l->stop_ms != INT64_MAX)
        return;
    /* monitors of GPUs come first */
    if (now >= l->w.end_ms && n->gpus == 0 && n->sources && smi_format_infos[n->source[0]->format].gpu)
        smi_err_set(&l->empty, SMI_EIO, "no GPU was seen until the time of --for was over");
    l->w.why = why;
    l->stop_ms = now + SMI_LIVE_STOP_MS;
    smi_live_stop(l->w.live, why, NULL, now);
    l->w.alerts.hurry = true;
}

static void prepare_live(void *self, struct smi_loop *l)
{
    const struct watch *w = self;
    smi_loop_wake(l, w->stop_ms);
    if (!w->w.why)
        smi_loop_wake(l, w->set->how.once ? w->once_ms : w->textfile_ms);
}

/* Last in a turn. */
static int end_turn(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct watch *w = self;
    smi_watch_turn(&w->w, l->now_ms, true);
    end_watch(w, w->w.why, l->now_ms);
    if (w->w.why)
        return (!smi_live_busy(w->w.live) && !smi_alert_actions_busy(&w->w.alerts)) ||
               l->now_ms >= w->stop_ms;
    if (w->set->how.once) {
        int rc = print_live_state(w, l->now_ms, err);
        if (rc == 0)
            end_watch(w, "once", l->now_ms);
        return rc < 0 ? -1 : 0;
    }
    if (l->now_ms >= w->textfile_ms) { /* node_exporter reads it whole */
        const struct smi_prometheus_opts e = {w->host, w->set->record.dir, smi_clock_utc_ms(),
                                              (enum smi_prometheus_names)w->set->how.names, false};
        struct smi_err own = {0};
        struct smi_buf b = {0};
        smi_next_step_ms(&w->textfile_ms, TEXTFILE_MS, l->now_ms);
        smi_prometheus_put(&b, w->w.now, &e);
        if (smi_text_file_put(w->set->textfile, &b, &own))
            smi_machine_add_event(w->w.now, SMI_EVENT_ERROR, "%s", own.text);
    }
    return smi_watch_print_due(&w->w, l->now_ms, false, err);
}

/* Starts the server, the monitors and the screen, and watches until the end. Returns 0, or -1 with err. */
static int open_and_watch(struct watch *l, struct smi_live_settings *set, struct smi_live_opts *o,
                          struct smi_err *err)
{
    const bool only = set->how.quiet && !set->record.dir && !set->textfile && !set->how.command;
    struct smi_watch *w = &l->w;
    int rc = -1;
    if (smi_watch_listen(w, set->record.dir ? set->record.own_dir : NULL, only, err))
        return -1;
    o->now.expect_gpus = set->how.expect_gpus;
    o->now.brief = w->lines || !isatty(STDOUT_FILENO);
    w->live =
        smi_record_settings_claim(&set->record, o, err) ? NULL : smi_live_new(o, smi_clock_now_ms(), err);
    if (w->live) {
        w->about.recording = set->record.dir;
        w->no_marks = set->record.dir ? NULL : "nothing is recorded (-o DIR does): no mark";
        smi_watch_show(w, w->live->now, err);
        smi_live_attach(w->live, &w->loop);
        rc = smi_watch_run(w, set->record.dir, (struct smi_loop_source){l, prepare_live, end_turn}, err);
    }
    smi_serve_close(w->serve);
    return rc;
}

/* Says after a screen what was recorded, and how to look at it. */
static void print_recorded(struct smi_watch *w, const char *dir, int64_t ms)
{
    struct smi_buf b = {0};
    char span[SMI_CLOCK_TEXT];
    smi_clock_write_span(span, ms);
    smi_buf_fmt(&b, "smilog: recorded %s in ", span);
    smi_buf_safe(&b, smi_text_of(dir));
    smi_buf_str(&b, ": smilog summarize -v ");
    smi_buf_safe(&b, smi_text_of(dir));
    smi_buf_char(&b, '\n');
    smi_watch_message(w, &b);
}

static int watch(struct smi_live_settings *set, struct smi_live_opts *o, const struct smi_watch *how)
{
    const int64_t now = smi_clock_now_ms();
    struct watch l = {.w = *how, .set = set, .stop_ms = INT64_MAX, .once_ms = now + ONCE_MS};
    struct smi_watch *w = &l.w;
    struct smi_err err = {0}, none = {0};
    struct smi_buf message = {0};
    char fake[4200];
    int rc;
    gethostname(l.host, sizeof l.host - 1);
    l.textfile_ms = set->textfile ? now + 2 * o->interval_ms : INT64_MAX; /* the first readings are there */
    w->about = (struct smi_tui_info){.what = set->demo ? "smilog live --demo" : "smilog live",
                                     .host = l.host,
                                     .interval_ms = o->interval_ms,
                                     .sources = "monitors",
                                     .hint = !set->demo && smi_fake_path(fake, sizeof fake, &none)
                                                 ? "smilog live --demo shows this screen without a GPU"
                                                 : NULL,
                                     .now_only = set->how.once};
    w->each_turn = !set->how.once;
    if (smi_watch_open(w, &err))
        return smi_fail(&err, "live");
    rc = open_and_watch(&l, set, o, &err);
    smi_alert_actions_fini(&w->alerts);
    if (w->live) {
        smi_live_stop(w->live, rc < 0 ? err.text : w->why, NULL, smi_clock_now_ms()); /* if it was not */
        smi_watch_events(w);
        smi_live_free(w->live);
        if (set->textfile)
            unlink(set->textfile); /* else its last values would be read for ever */
        if (rc == 0)
            err = (struct smi_err){0};
        if (set->record.dir && smi_write_run_summary(set->record.dir, &err) == 0 && w->had_screen &&
            !err.code)
            print_recorded(w, set->record.dir, smi_clock_now_ms() - now);
        err = err.code ? err : l.empty;
    }
    rc = err.code ? smi_fail_text(&message, &err, "live") : w->alerted ? SMI_EXIT_BROKEN : SMI_EXIT_OK;
    smi_watch_close(w, &message);
    return rc;
}

/* ---- what was typed ---- */

/* A run that is over is only looked at. */
static int check_replay(const struct smi_live_settings *set, struct smi_err *err)
{
    bool other = set->record.dir || set->demo || set->apps || set->kmsg || set->record.pmon ||
                 set->record.gpus.n || set->textfile || set->how.duration || set->record.most ||
                 set->record.keep || set->how.listen;
    if (set->speed < 0 && !set->replay)
        return 0;
    if (!set->replay)
        return smi_err_set(err, SMI_EUSAGE, "--speed is of --replay");
    if (other)
        return smi_err_set(
            err, SMI_EUSAGE,
            "--replay plays what is recorded: -o, --gpus, --apps, --pmon, --kmsg, --demo, --for, --max-size, "
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
        word = smi_text_trim(word);
        if (!smi_monitor_kind(word) && !smi_text_is(word, "cpu"))
            return smi_err_set(err, SMI_EUSAGE,
                               "--monitors: there is no \"%.*s\"; there are query, dmon, apps, pmon, amd, "
                               "amd-process and cpu",
                               (int)(word.n > 60 ? 60 : word.n), word.p);
    }
    return 0;
}

static int check_live_settings(struct smi_live_settings *set, struct smi_watch *w, struct smi_live_opts *o,
                               char *room, size_t size, struct smi_err *err)
{
    const struct smi_watch_settings *how = &set->how;
    struct smi_file_out probe;
    if (check_replay(set, err) || smi_watch_check(w, "live", set->record.dir, set->textfile, err))
        return -1;
    if (set->textfile && !*set->textfile)
        return smi_err_set(err, SMI_EUSAGE, "--textfile needs the name of a file");
    if (how->once && (set->kmsg || set->textfile))
        return smi_err_set(err, SMI_EUSAGE, "--%s, --once looks once: one of them",
                           set->kmsg ? "kmsg reads new messages of the kernel"
                                     : "textfile is written again and again");
    if (set->textfile && (smi_file_create(&probe, set->textfile, err) || smi_file_close(&probe, false, err)))
        return -1;
    if (set->demo && (setenv("SMI_FAKE_AT", "60", 0) || !(o->program = smi_fake_path(room, size, err))))
        return -1; /* at its begin all GPUs idle */
    o->apps = set->apps;
    o->kmsg = set->kmsg;
    o->monitors = set->monitors;
    if (o->monitors && check_monitors(o->monitors, err))
        return -1;
    return smi_record_settings_check(&set->record, o, err);
}

int smi_command_live(int argc, char **argv)
{
    struct smi_live_settings set = {.record = {.interval = 1000000}, .speed = -1};
    struct smi_watch w = {.how = &set.how};
    struct smi_live_opts o = {0};
    struct smi_err err = {0};
    char room[4200];
    int rc = smi_opt_begin(&smi_commands[SMI_COMMAND_LIVE], &argc, argv, &set);
    if (rc < 0 &&
        ((argc > 1 && smi_err_set(&err, SMI_EUSAGE, "live reads no files: %.60s; follow does", argv[1])) ||
         check_live_settings(&set, &w, &o, room, sizeof room, &err))) {
        rc = smi_fail(&err, "live");
    } else if (rc < 0) {
        w.interval_ms = o.interval_ms;
        w.look = smi_render_options_of(&(struct smi_settings){.color = set.how.color});
        w.about.what = "smilog live --replay";
        if (!set.replay)
            rc = watch(&set, &o, &w);
        else if (smi_replay(&w, set.replay, set.speed < 0 ? 1000000 : set.speed, &err))
            rc = smi_fail(&err, "live");
        else
            rc = w.alerted ? SMI_EXIT_BROKEN : SMI_EXIT_OK;
    }
    smi_buf_fini(&set.record.gpus);
    return rc;
}
