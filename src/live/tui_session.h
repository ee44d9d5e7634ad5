/* tui_session.h - the interactive screen, for commands with a loop of their own: reads keys, and draws
 * what smi_machine says. */
#ifndef SMI_LIVE_TUI_SESSION_H
#define SMI_LIVE_TUI_SESSION_H

#include "base/err.h"
#include "live/command_output.h"
#include "live/machine.h"
#include "live/tui.h"
#include "report/render_options.h"

#include <stdbool.h>
#include <stdint.h>

struct smi_tui_session_opts {
    struct smi_tui_info
        about;  /* its texts are borrowed for as long as it lives; color and use are filled in */
    bool lines; /* lines were asked for, or a table, or nothing: no screen */
    struct smi_render_options look;    /* its color and utf8 */
    const struct smi_machine *machine; /* what is drawn */
    struct smi_live_streams *streams;  /* the screen is drawn through them */
    int64_t *told;                     /* how many of its events were reported, as in smi_live_print_events */
    const char *no_marks;              /* why there is no record that takes a mark; NULL: */
    void (*mark)(void *self, const char *word); /* it is handed what was typed */
    void (*hold)(void *self);                   /* space; or NULL */
    void *self;
};

struct smi_tui_session; /* opaque */

/* Takes the terminal. NULL if standard output is none, is not ours at present, cannot be drawn on (standard
 * err says why), or without memory: a line an interval does then. */
struct smi_tui_session *smi_tui_session_open(const struct smi_tui_session_opts *o);
/* Reads keys, draws what is due. What is odd of the machine's events goes to standard error, unless that is
 * the screen. It fails with err (memory). */
struct smi_loop_source smi_tui_session_source(struct smi_tui_session *s);
/* Was it asked to quit, or is its terminal gone? s may be NULL. */
bool smi_tui_session_has_quit(const struct smi_tui_session *s);
/* The next drawing is at once, with this note (borrowed, or NULL). */
void smi_tui_session_note(struct smi_tui_session *s, const char *note);
/* Gives the terminal back. s may be NULL. */
void smi_tui_session_close(struct smi_tui_session *s);

/* ---- `smilog live --replay`: a run that is over on the screen, as lines or as a table, in its own time
 * ---- */

struct smi_replay_settings {
    const char *path;
    int64_t speed;       /* millionths: 1000000 is as fast as it was */
    int64_t interval_ms; /* between lines, in the time of the run */
    int expect_gpus;     /* as smi_machine_opts */
    bool once, plain,
        json; /* a table of the end; lines; objects; none of them: the screen, where there is one */
    struct smi_render_options look;
    const char *rules, *alert; /* --alert-rules, --alert-exec; or NULL */
};

/* Plays it. *alerted: is there an alert in the table of the end? Returns 0, or -1 with err. */
int smi_replay_command(const struct smi_replay_settings *o, bool *alerted, struct smi_err *err);

#endif
