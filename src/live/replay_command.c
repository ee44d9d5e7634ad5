#include "live/replay_command.h"

#include "base/clock.h"
#include "live/alert_action.h"
#include "live/command_output.h"
#include "live/tui_session.h"
#include "live/replay.h"

#include <string.h>
#include <unistd.h>

enum {
    ONCE_STEP_MS = 5000, /* how often alerts are looked at where nobody watches */
    CATCH_UP = 64,       /* ticks at most before keys are read */
    QUIET_MS = 60000,    /* of the run: so long silence is played, so that who waits for it sees it; then, */
    FAR_MS = 120000,     /* if the next row is more than so long to wait for, */
    FAR_TICKS = 10000    /* or so many ticks away, it is jumped to */
};

struct play {
    const struct smi_replay_settings *o;
    struct smi_replay *replay;
    struct smi_alert_actions alerts;
    struct smi_tui_session *show; /* or NULL */
    struct smi_live_streams streams;
    int signals;
    int64_t tick_ms; /* the time of the run that is played next up to */
    int64_t step_ms;
    int64_t next_ms, quiet_ms; /* the row that is next; since when (of the run) it is */
    int64_t begun_ms;          /* monotonic; moved on while it is held */
    int64_t held_ms;           /* since when; -1: it plays */
    int64_t told;
    bool over, stopped;
    char words[SMI_MICRO_TEXT + 2]; /* "10 x" */
};

/* When a time of the run has come. */
static int64_t wall_time_of(const struct play *p, int64_t t_ms)
{
    smi_i128 ms = (smi_i128)(t_ms - smi_replay_first(p->replay)) * 1000000 / p->o->speed;
    return p->o->once ? 0 : p->begun_ms + (int64_t)(ms > (int64_t)1 << 60 ? (int64_t)1 << 60 : ms);
}

static void show_hold_note(struct play *p)
{
    smi_tui_session_note(p->show, p->over ? "AT ITS END" : p->held_ms >= 0 ? "HELD" : p->words);
}

/* space */
static void toggle_hold(void *self)
{
    struct play *p = self;
    int64_t now = smi_clock_now_ms();
    if (p->over)
        return;
    if (p->held_ms >= 0)
        p->begun_ms += now - p->held_ms;
    p->held_ms = p->held_ms >= 0 ? -1 : now;
    show_hold_note(p);
}

static int print_replay_table(struct play *p, struct smi_err *err)
{
    const struct smi_tui_info f = {.what = "smilog live --replay"};
    const struct smi_machine *n = smi_replay_machine(p->replay);
    return p->o->json ? smi_live_print_line(&p->streams, n, true, err)
                      : smi_live_print_table(&p->streams, n, &f, &p->o->look, err);
}

/* A clock that was set, or a night without a job, is no hour to sit through. */
static void jump_to_end(struct play *p)
{
    int64_t next = smi_replay_next(p->replay), rest = next == INT64_MAX ? 0 : next - p->tick_ms - p->step_ms;
    char span[SMI_CLOCK_TEXT];
    bool far =
        rest / p->step_ms > FAR_TICKS || (!p->o->once && (smi_i128)rest * 1000000 / p->o->speed > FAR_MS);
    if (next != p->next_ms)
        p->quiet_ms = p->tick_ms;
    p->next_ms = next;
    if (!far || p->tick_ms - p->quiet_ms < QUIET_MS)
        return;
    rest -= rest % p->step_ms;
    smi_clock_write_span(span, next - p->quiet_ms);
    smi_machine_add_event(smi_replay_machine(p->replay), SMI_EVENT_WARN, "nothing for %s: jumped over", span);
    p->begun_ms -= (int64_t)((smi_i128)rest * 1000000 / p->o->speed);
    p->tick_ms += rest;
}

/* Plays up to the next tick. Returns 0 to go on, 1 at the end, -1 with err. */
static int advance_replay(struct play *p, struct smi_err *err)
{
    if (smi_replay_go(p->replay, p->tick_ms, err) ||
        smi_alert_actions_check(&p->alerts, smi_clock_now_ms(), err))
        return -1;
    p->over = smi_replay_next(p->replay) == INT64_MAX;
    if (!p->o->once && !p->show &&
        smi_live_print_line(&p->streams, smi_replay_machine(p->replay), p->o->json, err))
        return -1;
    jump_to_end(p);
    p->tick_ms += p->step_ms;
    if (p->over && p->show)
        show_hold_note(p);
    return p->over && !p->show;
}

/* Nothing is lost if a recording waits for the reader of its lines. */
static bool is_unread(const struct play *p)
{
    return !p->show && smi_writer_pending(&p->streams.out);
}

static void prepare_replay(void *self, struct smi_loop *l)
{
    const struct play *p = self;
    smi_loop_watch(l, p->signals);
    if (!p->over && p->held_ms < 0 && !is_unread(p))
        smi_loop_wake(l, wall_time_of(p, p->tick_ms));
}

static int read_signals(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct play *p = self;
    (void)err;
    p->stopped = smi_loop_ready(l, p->signals) && smi_live_signal_name(p->signals);
    return p->stopped;
}

/* Last in a turn. */
static int play_ticks(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct play *p = self;
    int rc = smi_tui_session_has_quit(p->show);
    (void)l;
    if (!p->show && !p->o->once)
        smi_live_print_events(&p->streams, smi_replay_machine(p->replay), &p->told);
    for (int i = 0; i < CATCH_UP && rc == 0 && !p->over && p->held_ms < 0 && !is_unread(p) &&
                    wall_time_of(p, p->tick_ms) <= smi_clock_now_ms();
         i++)
        rc = advance_replay(p, err);
    return rc;
}

static int run_replay(struct play *p, struct smi_err *err)
{
    struct smi_loop l = {.sources = 0};
    smi_loop_add(&l, (struct smi_loop_source){p, prepare_replay, read_signals});
    smi_loop_add(&l, smi_live_streams_source(&p->streams));
    smi_alert_actions_attach(&p->alerts, &l, false);
    if (p->show)
        smi_loop_add(&l, smi_tui_session_source(p->show));
    smi_loop_add(&l, (struct smi_loop_source){p, NULL, play_ticks});
    return smi_loop_run(&l, err);
}

static int play(struct play *p, struct smi_err *err)
{
    const struct smi_tui_session_opts show = {.about = {.what = "smilog live --replay",
                                                        .host = p->o->path,
                                                        .sources = "logs",
                                                        .note = p->words,
                                                        .space = true},
                                              .lines = p->o->plain || p->o->json || p->o->once,
                                              .look = p->o->look,
                                              .no_marks = "a recording that is played takes no marks",
                                              .machine = smi_replay_machine(p->replay),
                                              .streams = &p->streams,
                                              .told = &p->told,
                                              .hold = toggle_hold,
                                              .self = p};
    int rc = smi_alert_actions_start(&p->alerts, smi_replay_machine(p->replay), NULL, p->o->alert, p->o->path,
                                     err);
    if (rc)
        return -1;
    smi_text_write_fixed(p->words, p->o->speed, p->o->speed % 1000000 ? 1 : 0);
    strcat(p->words, " x");
    p->show = smi_tui_session_open(&show);
    p->begun_ms = smi_clock_now_ms();
    p->tick_ms = smi_replay_first(p->replay);
    rc = run_replay(p, err);
    smi_tui_session_close(p->show);
    smi_alert_actions_flush(&p->alerts);
    smi_live_let_end(p->alerts.act, NULL); /* commands get a moment to end by themselves */
    if (rc == 0 && p->o->once && p->stopped)
        return smi_err_set(err, SMI_EIO, "interrupted before the end of the recording: no table");
    return rc == 0 && p->o->once ? print_replay_table(p, err) : rc;
}

int smi_replay_command(const struct smi_replay_settings *o, bool *alerted, struct smi_err *err)
{
    struct play p = {.o = o, .held_ms = -1, .step_ms = o->once ? ONCE_STEP_MS : o->interval_ms};
    const struct smi_machine_opts how = {.idle_below = 1000000, .expect_gpus = o->expect_gpus};
    int rc;
    *alerted = false;
    if (smi_alert_actions_init(&p.alerts, o->rules, err))
        return -1;
    for (int i = 0; i < SMI_ALERT_RULES && o->once; i++)
        p.alerts.rules[i].off_ms = 0; /* what holds at its end */
    p.signals = smi_live_open_signals();
    p.replay = smi_replay_open(o->path, &how, err);
    smi_live_streams_open(&p.streams);
    rc = p.replay ? play(&p, err) : -1;
    if (rc < 0 && p.replay && smi_live_output_closed(&p.streams))
        rc = 0; /* that is how it ends in a pipe */
    *alerted = o->once && rc == 0 && smi_replay_machine(p.replay)->alerts > 0;
    smi_alert_actions_fini(&p.alerts);
    if (p.replay && !o->once)
        smi_live_print_events(&p.streams, smi_replay_machine(p.replay), &p.told);
    smi_replay_free(p.replay);
    smi_live_streams_close(&p.streams, p.signals, p.stopped ? SMI_LIVE_FLUSH_MS : INT64_MAX);
    close(p.signals);
    return rc;
}
