/* tui.h - the screen: what its user chose to look at, its lines and pages, its terminal. */
#pragma once

#include "base/loop.h"
#include "live/machine.h"
#include "report/fmt.h"

/* ---- what somebody has chosen to look at: the page, the order of the GPUs, the window; and keys, which
 * change that. Pure data, as all of the screen but its terminal ---- */

/* Keys: a byte as it came (from 1 to 255), or one of these. */
enum smi_tui_key {
    SMI_TUI_KEY_NONE = 0,
    SMI_TUI_KEY_ESCAPE = 27,
    SMI_TUI_KEY_UP = 256,
    SMI_TUI_KEY_DOWN,
    SMI_TUI_KEY_LEFT,
    SMI_TUI_KEY_RIGHT,
    SMI_TUI_KEY_PAGE_UP,
    SMI_TUI_KEY_PAGE_DOWN,
    SMI_TUI_KEY_HOME,
    SMI_TUI_KEY_END,
    SMI_TUI_KEY_ENTER,
    SMI_TUI_KEY_RESIZE
};

enum smi_view_page { SMI_VIEW_MAIN, SMI_VIEW_HELP, SMI_VIEW_ALERTS, SMI_VIEW_GPU };
enum smi_view_prompt { SMI_VIEW_PROMPT_NONE, SMI_VIEW_PROMPT_FILTER, SMI_VIEW_PROMPT_MARK };
enum { SMI_VIEW_WINDOWS = 4, SMI_VIEW_SORTS = 6, SMI_VIEW_TYPED = 120 };

/* Zero-initialise: ten minutes, all GPUs by index. */
struct smi_view {
    enum smi_view_page page;
    enum smi_view_prompt asks;
    char typed[SMI_VIEW_TYPED];  /* the answer so far */
    char filter[SMI_VIEW_TYPED]; /* words that the GPUs shown have; empty: all */
    bool paused;                 /* the picture stays as it is */
    int window;                  /* place in smi_view_window */
    int sort;                    /* place in smi_view_sort */
    int scroll;      /* GPUs, or lines of a list, above the first one shown; drawing keeps it in range */
    int scroll_most; /* that range, by the last drawing */
    size_t gpu;      /* of the page of one GPU: its place in smi_machine.gpu */
    int number;      /* of a GPU, as far as it was typed */
    char said[160];  /* a word about the last key; empty: the key hints stand there */
};

struct smi_view_window {
    const char *key, *head; /* "10m" "LAST 10 MIN" */
    int64_t ms;             /* 0: the whole run */
};
extern const struct smi_view_window smi_view_window[SMI_VIEW_WINDOWS];
extern const char
    *const smi_view_sort[SMI_VIEW_SORTS]; /* "index" "use" "VRAM" "power" "temperature" "alerts" */

enum smi_view_action {
    SMI_VIEW_NOTHING,
    SMI_VIEW_DRAW,
    SMI_VIEW_QUIT,
    SMI_VIEW_MARK, /* v->typed is a word for the record */
    SMI_VIEW_HOLD  /* space: the playing of a recording stops, or goes on */
};
/* A key was pressed. Any key ends a pause. no_marks: NULL, or why there is
 * no record that takes a mark. */
enum smi_view_action smi_view_key(struct smi_view *v, int key, const struct smi_machine *n,
                                  const char *no_marks);

/* ---- the screen of this moment as text, from the state of now and of the view alone: no terminal, no
 * clock ---- */

enum { SMI_TUI_MOST = 1000 /* columns, and lines: what is beyond stays empty */ };

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
    const char *unjudged;  /* of --once: rules that need more time; or NULL */
    bool space;            /* the space key stops the playing */
    bool no_marks;         /* there is no record that takes a mark */
    bool color;            /* colours can be seen: else marks say the same */
    int64_t cpu_micro;     /* smilog's own use: millionths of a core; -1: not known */
    int64_t memory_kib;    /* beside it */
};

/* Appends `height` lines, each ended by a line feed, of at most `width` columns, with the codes of
 * smi_wrap_style. utf8: else they are ASCII only. Keeps v->scroll and v->gpu in range. */
void smi_tui_frame(struct smi_buf *to, int width, int height, bool utf8, const struct smi_machine *n,
                   const struct smi_tui_info *a, struct smi_view *v);

/* ---- the terminal: frames go to it, keys come from it, and it is restored on every way out. It must
 * understand the sequences of xterm, as nearly all do today. One at a time: signal handlers restore it
 * ---- */

/* Zero: none is taken. Read only. */
struct smi_term {
    bool utf8, color;       /* glyphs beyond ASCII, and colours, can be seen on it */
    int fd;                 /* readable when there are keys: standard input, or /dev/tty */
    struct smi_writer *out; /* standard output */
    char key[64];           /* bytes that were read */
    size_t key_n;
    int width, height;
    bool entered, redraw;  /* the alternate screen; the next frame is drawn as a whole */
    struct smi_buf before; /* the frame that was drawn last */
};

/* Standard output is a terminal, and we are in its foreground (a job in the background would be stopped). */
bool smi_term_available(void);
/* Takes the terminal of standard output (out, borrowed). Keys come from standard input, or from /dev/tty if
 * that is no terminal. color, utf8: they may be used. Returns 0, or -1 with err (SMI_EIO): why this terminal
 * cannot be drawn on. A signal that ends the process restores the terminal; ctrl-Z and fg work. */
int smi_term_open(struct smi_term *t, struct smi_writer *out, bool color, bool utf8, struct smi_err *err);
/* Restores the terminal, also one that takes no more output. */
void smi_term_close(struct smi_term *t);

/* The next key (an smi_tui_key, or a byte), SMI_TUI_KEY_NONE if there is none, SMI_TUI_KEY_RESIZE if the next
 * frame must be another size or drawn anew. Waits for the rest of an escape sequence for some milliseconds.
 */
int smi_term_key(struct smi_term *t);
/* Draws what has changed since the last frame, as far as it has room. Returns 0, or -1 with err. */
int smi_term_draw(struct smi_term *t, const struct smi_buf *frame, struct smi_err *err);

/* ---- the state of this moment where there is no screen: a line an interval, a table at once, JSON. Pure:
 * text from smi_machine ---- */

/* One line, of --plain: "14:32:07 gpu% 88 90 GiB 70 70 W 1033 C 84! cpu% 38 idle:1". GPUs in
 * their order, in columns that can be cut; `-`: no reading; what is alerted stands at the end by GPU, or by
 * monitor. Times on the clock of offset_s. */
void smi_machine_line_put(struct smi_buf *to, const struct smi_machine *n);
/* Puts into an object that is open: {"ts": "...Z", "gpus": [{"index": 0, "uuid": ..., "state": "ok", "age_s":
 * 0.1, every metric by its key}], "host": {...}, "alerts": [{"rule": ..., "gpu": ..., "text": ...}],
 * "monitors":
 * [...]}. Old readings are null. */
void smi_machine_json_put(struct smi_json *j, const struct smi_machine *n);

/* Appends the frame, as wide as the look says (0: 160 columns). */
void smi_machine_table_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_tui_info *about,
                           const struct smi_render_options *look);
