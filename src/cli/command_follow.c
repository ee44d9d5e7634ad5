/* command_follow.c - logs that something else writes, shown as they grow. */
#include "live/watch.h"
#include "cli/settings.h"

#include <unistd.h>

enum { ONCE_MS = 2000 /* for a command or a pipe to say something */ };

struct follow {
    struct smi_watch w; /* first: smi_follow_state_bytes gets it */
    const struct smi_follow_settings *set;
    int64_t once_ms;
    bool full;
};

/* ---- what comes ---- */

static void on_tail_event(void *self, const struct smi_follow_event *e)
{
    struct follow *f = self;
    const struct smi_follow_file *t = e->file >= 0 ? f->w.tail->file[e->file] : NULL;
    bool fresh =
        e->what == SMI_FOLLOW_ROTATED || e->what == SMI_FOLLOW_TRUNCATED || e->what == SMI_FOLLOW_MISSED;
    bool down = e->what == SMI_FOLLOW_IS_GONE || e->what == SMI_FOLLOW_REFUSED, bad;
    enum smi_event_kind kind;
    struct smi_live_source *s = t ? smi_follow_state_source(&f->w, e->file) : NULL;
    if (!t)
        smi_machine_add_event(f->w.now, SMI_EVENT_WARN, "%s", e->text);
    if (!s)
        return;
    if (e->what == SMI_FOLLOW_END)
        smi_follow_state_end(&f->w, e->file);
    if (fresh)
        smi_machine_restart(s);
    if (e->what == SMI_FOLLOW_IS_GONE || e->what == SMI_FOLLOW_IS_BACK)
        s->gone = e->what == SMI_FOLLOW_IS_GONE;
    if (down)
        smi_live_source_state(s, e->what == SMI_FOLLOW_IS_GONE ? SMI_SOURCE_ENDED : SMI_SOURCE_DOWN, e->text);
    bad = e->lost || down || e->what == SMI_FOLLOW_PASSED;
    kind = bad ? SMI_EVENT_WARN : e->what == SMI_FOLLOW_IS_BACK ? SMI_EVENT_OK : SMI_EVENT_INFO;
    if (e->what != SMI_FOLLOW_FOUND)
        smi_machine_add_event(f->w.now, kind, "%s: %s", t->path, e->text);
}

static bool on_tail_resume(void *self, const char *path, struct smi_follow_position *at)
{
    const struct follow *f = self;
    return f->w.store && smi_follow_store_resume(f->w.store, path, at);
}

/* ---- going on ---- */

/* A store whose disk is full, or takes lines again. */
static void commit_store(struct follow *f, int64_t now)
{
    const struct smi_follow_store_state *s;
    if (!f->w.store)
        return;
    smi_follow_store_go(f->w.store, f->w.tail, now);
    s = smi_follow_store_state(f->w.store);
    if (f->full != (s->failures > 0)) {
        f->full = s->failures > 0;
        smi_machine_add_event(f->w.now, f->full ? SMI_EVENT_ERROR : SMI_EVENT_OK, "%s: %s", f->set->store,
                              f->full ? s->why : "stores again, nothing is lost");
    }
}

/* Was all that is there read? */
static bool is_all_read(const struct follow *f)
{
    for (size_t i = 0; i < f->w.tail->files; i++) {
        const struct smi_follow_file *t = f->w.tail->file[i];
        bool stream = t->kind == SMI_FOLLOW_COMMAND || t->at.id.ino == 0;
        if (t->state == SMI_FOLLOW_READING && !stream && t->at.offset < t->size &&
            t->grew_ms >= f->w.loop.now_ms - 200)
            return false;
        if (t->state == SMI_FOLLOW_READING && stream && f->w.loop.now_ms < f->once_ms)
            return false;
    }
    return true;
}

/* Has anything come that is a log? */
static bool has_log(const struct follow *f)
{
    for (size_t i = 0; i < f->w.now->sources; i++)
        if (f->w.now->source[i]->part)
            return true;
    return false;
}

static void prepare_follow(void *self, struct smi_loop *l)
{
    const struct follow *f = self;
    if (f->w.store)
        smi_loop_wake(l, smi_follow_store_due(f->w.store, l->now_ms));
    if (f->set->how.once)
        smi_loop_wake(l, l->now_ms + 100);
}

/* Behind what reads logs. */
static int keep_lines(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct follow *f = self;
    (void)err;
    smi_machine_settle(f->w.now, false);
    smi_machine_tick(f->w.now, l->now_ms); /* rows that waited until now may be old */
    commit_store(f, l->now_ms);
    return 0;
}

/* Last in a turn. */
static int end_turn(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct follow *f = self;
    struct smi_watch *w = &f->w;
    smi_watch_turn(w, l->now_ms, !f->set->how.once);
    if (w->quit)
        return 1;
    bool over = smi_follow_is_over(f->w.tail) || w->why;
    if (w->show && !over)
        return 0;
    if (w->show || (f->set->how.once && (is_all_read(f) || over))) {
        smi_watch_close_screen(w); /* and where it stood at the end is a table */
        smi_machine_settle(w->now, true);
        smi_machine_tick(w->now, w->loop.now_ms); /* rows that waited until now may be old */
        if (!has_log(f))
            return smi_err_set(err, SMI_EFORMAT, "there is no log to look at");
        return smi_watch_once(w, w->loop.now_ms, err) ? -1 : 1;
    }
    if (f->w.now->sources && smi_watch_print_due(w, l->now_ms, over, err))
        return -1;
    return over;
}

/* ---- beginning and end ---- */

static int begin_follow(struct follow *f, const char *const *path, size_t n, struct smi_err *err)
{
    struct smi_follow_times times = smi_follow_times;
    const struct smi_follow_opts o = {.calls = {f, smi_follow_state_bytes, on_tail_event},
                                      .times = &times,
                                      .resume = on_tail_resume,
                                      .columns = f->set->columns.p};
    const struct smi_watch_settings *how = &f->set->how;
    times.hole = how->once ? 0 : times.hole; /* what is there now counts */
    if (smi_watch_listen(&f->w, NULL, how->quiet && !f->set->store && !how->command, err))
        return -1;
    smi_watch_show(&f->w, f->w.now, err);
    if (f->set->store && !(f->w.store = smi_follow_store_open(f->set->store, SMI_FOLLOW_STORE_WAIT_MS, err)))
        return -1;
    f->w.tail = smi_follow_new(&o);
    for (size_t i = 0; i < n; i++) {
        if (smi_follow_add(f->w.tail, path[i], err))
            return -1;
        if (strcmp(path[i], "-") != 0 && access(path[i], F_OK))
            smi_machine_add_event(f->w.now, SMI_EVENT_WARN, "%s is not there yet", path[i]);
    }
    smi_loop_add(&f->w.loop, smi_follow_source(f->w.tail));
    if (f->set->command) {
        int file = smi_follow_add_command(f->w.tail, f->set->command);
        if (f->w.tail->file[file]->at.offset)
            (void)smi_follow_state_source(&f->w, file); /* with what is stored */
    }
    smi_loop_add(&f->w.loop, (struct smi_loop_source){f, prepare_follow, keep_lines});
    return 0;
}

static int follow(const struct smi_follow_settings *set, const struct smi_machine_opts *o,
                  const char *const *path, size_t n, const struct smi_watch *how)
{
    struct follow f = {.set = set, .w = *how};
    struct smi_watch *w = &f.w;
    struct smi_err err = {0}, end = {0};
    struct smi_buf message = {0};
    int rc;
    w->about = (struct smi_tui_info){.what = "smilog follow", .sources = "logs"};
    w->look = smi_render_options_of(&(struct smi_settings){.color = set->how.color});
    w->no_marks = "follow writes no log: smilog log FILE event NAME puts a mark into one";
    w->interval_ms = set->interval / 1000;
    w->each_turn = true;
    if (smi_watch_open(w, &err))
        return smi_fail(&err, "follow");
    w->show_ms = w->loop.now_ms + smi_earlier_ms(w->interval_ms, 1000);
    f.once_ms = w->loop.now_ms + ONCE_MS;
    w->now = smi_machine_new(o);
    rc = begin_follow(&f, path, n, &err);
    if (rc == 0)
        rc = smi_watch_run(w, n ? path[0] : NULL, (struct smi_loop_source){&f, NULL, end_turn}, &err);
    if (rc == 0 && smi_follow_is_over(w->tail) && !has_log(&f))
        rc = smi_err_set(&err, SMI_EFORMAT, "no log has come");
    if (w->tail) /* commands get a moment to end by themselves */
        smi_follow_stop(w->tail, smi_clock_now_ms());
    smi_watch_let_end(w);
    if (w->store && smi_follow_store_close(w->store, w->tail, &end) && rc == 0) {
        rc = -1;
        err = end;
    }
    smi_serve_close(w->serve);
    smi_alert_actions_fini(&w->alerts);
    if (!set->how.once || rc)
        smi_watch_events(w);
    smi_follow_free(w->tail);
    smi_machine_free(w->now);
    if (rc)
        rc = smi_fail_text(&message, &err, "follow");
    smi_watch_close(w, &message);
    return rc                            ? err.code == SMI_EFORMAT ? SMI_EXIT_NOTHING : rc
           : w->alerted && set->how.once ? SMI_EXIT_BROKEN
                                         : SMI_EXIT_OK;
}

static int check_follow_settings(struct smi_follow_settings *set, int argc, struct smi_machine_opts *o,
                                 struct smi_watch *w, struct smi_err *err)
{
    const struct smi_watch_settings *how = &set->how;
    if (argc == 1 && (!set->command || !*set->command))
        return smi_err_set(err, SMI_EUSAGE, "follow needs a PATH, - or --exec COMMAND");
    if (smi_interval_check(set->interval, err) || smi_watch_check(w, "follow", set->store, NULL, err))
        return -1;
    if (set->tz && smi_clock_parse_zone(smi_text_of(set->tz), &o->offset_s))
        return smi_err_set(err, SMI_EUSAGE, "--tz needs UTC or an offset such as +02:00, not \"%.60s\"",
                           set->tz);
    if (set->forget && smi_watch_duration("--forget", set->forget, &o->forget_ms, err))
        return -1;
    o->has_offset = set->tz != NULL;
    o->fixed = set->tz && (strcmp(set->tz, "UTC") == 0 || strcmp(set->tz, "Z") == 0);
    if (smi_settings_columns(&set->columns, set->columns_from, true, err))
        return -1;
    o->named_columns = set->columns.p;
    o->gpu_count = set->gpu_count;
    o->expect_gpus = how->expect_gpus;
    o->follow = true;
    o->brief = w->lines || !isatty(STDOUT_FILENO);
    return 0;
}

int smi_command_follow(int argc, char **argv)
{
    struct smi_follow_settings set = {.interval = 1000000};
    struct smi_watch w = {.how = &set.how};
    struct smi_machine_opts o = {0};
    struct smi_err err = {0};
    int rc = smi_opt_begin(&smi_commands[SMI_COMMAND_FOLLOW], &argc, argv, &set);
    if (rc < 0)
        rc = check_follow_settings(&set, argc, &o, &w, &err)
                 ? smi_fail(&err, "follow")
                 : follow(&set, &o, (const char *const *)argv + 1, (size_t)argc - 1, &w);
    smi_buf_fini(&set.columns);
    return rc;
}
