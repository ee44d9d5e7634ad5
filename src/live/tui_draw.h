/* tui_draw.h - a picture made of cells, as a terminal has them: text with a style at a place, cut at the
 * edges. Pure data: a terminal draws it (tui_terminal.h), a test reads its lines. */
#ifndef SMI_LIVE_TUI_DRAW_H
#define SMI_LIVE_TUI_DRAW_H

#include "base/buf.h"
#include "base/err.h"
#include "live/tui_view.h"
#include "report/fmt.h"

enum { SMI_CANVAS_TEXT = 16, SMI_CANVAS_MOST = 1000 /* columns, and lines: what is beyond stays empty */ };

struct smi_canvas_cell {
    char text[SMI_CANVAS_TEXT]; /* a character and what combines with it; empty: a blank, or the second half
                                   of a wide one */
    uint8_t style;              /* an smi_style */
    uint8_t wide;               /* 2: it takes the next cell, too */
};

/* Zero-initialise. */
struct smi_canvas {
    int width, height;
    bool utf8;                    /* else only ASCII gets in */
    struct smi_canvas_cell *cell; /* width * height */
    size_t cap;
};

/* Makes it so large, at most SMI_CANVAS_MOST each way, and empty. Returns 0, or -1 with err (memory). */
void smi_canvas_size(struct smi_canvas *c, int width, int height, bool utf8);
void smi_canvas_fini(struct smi_canvas *c);
/* Puts text at column x of line y; what does not fit is cut. The text may be anybody's: what a terminal would
 * obey becomes \xNN, and without utf8 what is not ASCII becomes "?", but for the degree sign, which goes.
 * Returns the column after it. */
int smi_canvas_put(struct smi_canvas *c, int x, int y, enum smi_style style, const char *text);
/* Columns that the text takes there. */
int smi_canvas_width(const struct smi_canvas *c, const char *text);
/* Line y is empty again. */
void smi_canvas_clear(struct smi_canvas *c, int y);

/* the screen of this moment as a picture, from the state of now and of the view
 * alone: no terminal, no clock. */

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
