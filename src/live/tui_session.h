/* tui_session.h - the interactive screen, for commands with a poll loop of their own: it wants one descriptor
 * of that loop, reads keys, and draws what smi_machine says. */
#ifndef SMI_LIVE_TUI_SESSION_H
#define SMI_LIVE_TUI_SESSION_H

#include "live/machine.h"
#include "live/tui_draw.h"

#include <poll.h>

struct smi_tui_session_opts {
    struct smi_tui_info
        about;            /* its texts are borrowed for as long as it lives; color and use are filled in */
    bool lines;           /* lines were asked for, or a table, or nothing: no screen */
    int color;            /* place in auto|always|never */
    const char *no_marks; /* why there is no record that takes a mark; NULL: */
    void (*mark)(void *self, const char *word); /* it is handed what was typed */
    void (*hold)(void *self);                   /* space; or NULL */
    void *self;
};

struct smi_tui_session; /* opaque */

/* Takes the terminal. NULL if standard output is none, is not ours at present, cannot be drawn on (standard
 * error is told why), or without memory: a line an interval does then. */
struct smi_tui_session *smi_tui_session_open(const struct smi_tui_session_opts *o);
/* One pollfd (of nothing, without a screen: s may be NULL here and below); *due_ms becomes the time of the
 * next drawing if that is sooner. */
void smi_tui_session_want(const struct smi_tui_session *s, struct pollfd *fd, int64_t *due_ms);
/* Reads keys, draws what is due; fd: as poll left it. What is odd of n's events goes to standard error,
 * unless that is the screen: told as in smi_live_print_events. Returns 1 to go on, 0: quit, or -1 with err
 * (memory).
 */
int smi_tui_session_go(struct smi_tui_session *s, const struct smi_machine *n, const struct pollfd *fd,
                       int64_t now_ms, int64_t *told, struct smi_err *err);
/* The next drawing is at once, with this note (borrowed, or NULL). */
void smi_tui_session_note(struct smi_tui_session *s, const char *note);
/* Gives the terminal back. s may be NULL. */
void smi_tui_session_close(struct smi_tui_session *s);

#endif
