/* watch.h - what live, follow and live --replay share: one loop with signals, standard output and standard
 * error, alerts, the server of --listen, and the screen, or lines, or the table of one moment. Recording goes
 * on and signals count while nobody reads the output. */
#pragma once

#include "live/alert.h"
#include "live/follow.h"
#include "live/serve.h"
#include "live/tui.h"

enum { SMI_LIVE_STOP_MS = 700 /* for monitors and commands to end by themselves: all is over in a second */ };

/* Appends the errors among n's events, a line each: of a command whose standard error was another's until
 * now. */
void smi_live_write_errors(struct smi_buf *to, const struct smi_machine *n);

struct smi_watch {
    /* the owner's */
    const struct smi_watch_settings *how;
    struct smi_tui_info about;      /* of the screen and the table; its texts are borrowed */
    struct smi_render_options look; /* of the same */
    struct smi_machine *now;        /* what is shown */
    struct smi_live *live;          /* of a recording: it ends in order after a signal; or NULL */
    struct smi_follow *tail;        /* of follow: the logs, */
    struct smi_follow_store *store; /* and where they are stored; or NULL */
    int64_t interval_ms;            /* between lines */
    bool each_turn;                 /* alerts are checked in every turn of the loop */
    bool whole;                     /* all of the output is waited for: the reader may be slow */
    const char *no_marks;           /* why there is no record that takes a mark; NULL: */
    bool space;                     /* that was pressed, since the owner set it to false */
    /* filled by smi_watch_check */
    bool json, lines; /* lines: no screen is wanted */
    int64_t span_ms;  /* of --for; 0: any */
    /* its own, to be read */
    struct smi_loop loop;
    struct smi_alert_actions alerts;
    struct smi_serve *serve; /* or NULL */
    bool show;               /* on the screen; else lines */
    struct smi_term term;
    struct smi_buf frame;
    struct smi_view view;
    int64_t screen_ms, drawn_ms, draw_ms; /* of the screen: its begin, the last frame, the next one */
    int64_t cost_ms, cost_us;             /* when our use was looked at, and what it was then */
    int deaf;                   /* times that the terminal said there were keys, and there were none */
    bool again;                 /* something was pressed */
    bool still;                 /* the frame is that of the moment when it was paused */
    struct smi_writer out, err; /* standard output and standard error */
    bool one_stream;            /* they are one pipe or terminal: all goes through `out`, in its order */
    int signals;
    int64_t told;             /* events that were printed */
    int64_t show_ms, end_ms;  /* the next line; INT64_MAX: none; when the time is over */
    const char *why;          /* it ends: a signal, "q", "time is over"; or NULL */
    bool signalled, quit;     /* quit: that was asked for on the screen, or its terminal is gone */
    bool had_screen, alerted; /* alerted: there is an alert in the table */
};

/* Writes text to standard error, if there is any, and ends b. */
void smi_watch_message(struct smi_watch *w, struct smi_buf *b);
/* Prints new warnings and errors among the machine's events on standard error. */
void smi_watch_events(struct smi_watch *w);
/* Checks what was typed, and fills json, lines and span_ms. kept: where follow stores, and live records;
 * textfile: of --textfile; or NULL. Returns 0, or -1 with err SMI_EUSAGE. */
int smi_watch_check(struct smi_watch *w, const char *command, const char *kept, const char *textfile,
                    struct smi_err *err);
/* Reads the rules of alerts; takes signals, standard output and standard error, which are the first source of
 * the loop. Those that feed the machine follow. Returns 0, or -1 with err SMI_EUSAGE; then nothing is to be
 * closed. */
int smi_watch_open(struct smi_watch *w, struct smi_err *err);
/* Opens the server of --listen, if it is wanted. run: what is recorded, for its labels; or NULL. Prints its
 * address if the system chose the port, and that others can reach it if they can. If it cannot open (a port
 * in use), err has the reason, for smi_watch_show; for a command that does nothing but serve (only) this is
 * an error. Returns 0, or -1 with err. */
int smi_watch_listen(struct smi_watch *w, const char *run, bool only, struct smi_err *err);
/* The machine that is watched. no_server: why there is no server, which becomes a warning; it is cleared. */
void smi_watch_show(struct smi_watch *w, struct smi_machine *now, struct smi_err *no_server);
/* "90", "90s", "10m", "2h", "1d" to milliseconds. Returns 0, or -1 with err SMI_EUSAGE, which names the
 * option. */
int smi_watch_duration(const char *option, const char *text, int64_t *ms, struct smi_err *err);
/* Opens the screen, adds alerts, server, screen and `last`, and runs the loop. run: the name of the run in
 * alerts, or NULL. Returns 0, or -1 with err. That the reader of standard output has gone away ends it, and
 * is no error. */
int smi_watch_run(struct smi_watch *w, const char *run, struct smi_loop_source last, struct smi_err *err);
/* For `last`: fills w->why when it is to end. events: those that are odd are printed, without a screen. */
void smi_watch_turn(struct smi_watch *w, int64_t now_ms, bool events);
/* Prints a line, a table or an object of this moment. Returns 0, or -1 with err. */
int smi_watch_print(struct smi_watch *w, bool table, struct smi_err *err);
/* Prints the line that is due, if it is, or (last) before it is. Returns 0, or -1 with err. */
int smi_watch_print_due(struct smi_watch *w, int64_t now_ms, bool last, struct smi_err *err);
/* Judges all rules by the readings of this moment, and prints the table. Returns 0, or -1 with err. */
int smi_watch_once(struct smi_watch *w, int64_t now_ms, struct smi_err *err);
/* Lets the commands of --alert-exec and those of tail end by themselves, for SMI_LIVE_STOP_MS at most.
 */
void smi_watch_let_end(struct smi_watch *w);
/* Writes the message (which is ended) and the rest of the output: as long as it is read, or until a signal
 * comes. */
void smi_watch_close(struct smi_watch *w, struct smi_buf *message);

/* Gives the terminal back, if it was taken. */
void smi_watch_close_screen(struct smi_watch *w);

/* ---- `smilog live --replay`: a run that is over on the screen, as lines or as a table, in its own time
 * ---- */

/* Plays the run at path, `speed` millionths as fast as it was. Returns 0, or -1 with err; w is closed. */
int smi_replay(struct smi_watch *w, const char *path, int64_t speed, struct smi_err *err);
