/* tui_view.h - what somebody has chosen to look at: the page, the order of the GPUs, the window; and keys,
 * which change that. Pure data, as all of the screen but its terminal. */
#ifndef SMI_LIVE_TUI_VIEW_H
#define SMI_LIVE_TUI_VIEW_H

#include "live/machine.h"

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
    SMI_TUI_KEY_ERASE,
    SMI_TUI_KEY_ENTER,
    SMI_TUI_KEY_RESIZE
};

enum smi_view_page { SMI_VIEW_MAIN, SMI_VIEW_HELP, SMI_VIEW_ALERTS, SMI_VIEW_GPU };
enum smi_view_prompt { SMI_VIEW_PROMPT_NONE, SMI_VIEW_PROMPT_FILTER, SMI_VIEW_PROMPT_MARK };
enum { SMI_VIEW_WINDOWS = 4, SMI_VIEW_SORTS = 6, SMI_VIEW_TYPED = 120 };

struct smi_view {
    enum smi_view_page page;
    enum smi_view_prompt asks;
    char typed[SMI_VIEW_TYPED];  /* the answer so far */
    char filter[SMI_VIEW_TYPED]; /* words that the GPUs shown have; empty: all */
    bool paused;                 /* what is looked at stays as it is */
    int window;                  /* place in smi_view_window: begins with 1, ten minutes */
    int sort;                    /* place in smi_view_sort */
    int scroll;      /* GPUs, or lines of a list, above the first one shown; drawing keeps it in range */
    int scroll_most; /* that range, by the last drawing */
    size_t gpu;      /* of the page of one GPU: its place in smi_machine.gpu */
    char said[160];  /* a word about the last key; empty: the key hints stand there */
};

struct smi_view_window {
    const char *key, *head; /* "10m" "LAST 10 MIN" */
    int64_t ms;             /* 0: the whole run */
};
extern const struct smi_view_window smi_view_window[SMI_VIEW_WINDOWS];
extern const char
    *const smi_view_sort[SMI_VIEW_SORTS]; /* "index" "use" "VRAM" "power" "temperature" "alerts" */

/* Begins: ten minutes, all GPUs by index. */
void smi_view_init(struct smi_view *v);

enum smi_view_action {
    SMI_VIEW_NOTHING,
    SMI_VIEW_DRAW,
    SMI_VIEW_QUIT,
    SMI_VIEW_MARK, /* v->typed is a word for the record */
    SMI_VIEW_HOLD  /* space: the playing of a recording stops, or goes on */
};
/* A key was pressed. no_marks: NULL, or why there is no record that takes a mark. */
enum smi_view_action smi_view_key(struct smi_view *v, int key, const struct smi_machine *n,
                                  const char *no_marks);
/* Which GPUs are shown, in their order: of those that are mine, all that have one of the filter's words
 * (separated by blanks or commas: a number, or a piece of name, uuid, bus id or remark). place: their places
 * in n->gpu; first: those with an alert come first; *mine: how many there are without the filter. Returns how
 * many. */
size_t smi_view_order(const struct smi_view *v, const struct smi_machine *n, bool first,
                      size_t place[SMI_MACHINE_GPUS_MAX], size_t *mine);

#endif
