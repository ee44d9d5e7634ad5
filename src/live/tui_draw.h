/* tui_draw.h - the screen of this moment as a picture, from the state of now and of the view
 * alone: no terminal, no clock. */
#ifndef SMI_LIVE_TUI_DRAW_H
#define SMI_LIVE_TUI_DRAW_H

#include "live/tui_canvas.h"
#include "live/tui_view.h"

/* What neither smi_machine nor the view know. */
struct smi_tui_info {
    const char *what;      /* "smilog live" */
    const char *host;      /* or NULL */
    int64_t interval_ms;   /* 0: not known */
    const char *recording; /* where to; or NULL */
    const char *sources;   /* what its sources are called: "monitors", "logs" */
    const char *note;      /* of a replay: "10 x", "held", "at its end"; or NULL */
    const char *hint;      /* what to do where there is no GPU; or NULL */
    bool now_only;         /* there is no past to show */
    bool space;            /* the space key stops the playing */
    bool no_marks;         /* there is no record that takes a mark */
    bool color;            /* colours can be seen: else marks say the same */
    int64_t cpu_micro;     /* smilog's own use: millionths of a core; -1: not known */
    int64_t memory_kib;    /* -1: not known */
};

/* Fills the canvas, which has its size. Keeps v->scroll and v->gpu in range. Of a view that is
 * paused, n is what its owner kept (smi_machine_snapshot). Returns 0, or -1 with err (memory). */
int smi_tui_frame(struct smi_canvas *c, const struct smi_machine *n, const struct smi_tui_info *a,
                  struct smi_view *v, struct smi_err *err);

#endif
