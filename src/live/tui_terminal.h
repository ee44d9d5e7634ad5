/* tui_terminal.h - the terminal: pictures go to it, keys come from it, and it is left as it was on every way
 * out. One at a time: curses has one. */
#ifndef SMI_LIVE_TUI_TERMINAL_H
#define SMI_LIVE_TUI_TERMINAL_H

#include "base/err.h"
#include "live/tui_canvas.h"

#include <stdio.h>

/* Zero: none is taken. To be read only. */
struct smi_term {
    bool utf8, color;        /* glyphs beyond ASCII, and colours, can be seen on it */
    int fd;                  /* readable when there are keys */
    FILE *in;                /* /dev/tty; or NULL: standard input */
    struct screen *screen;   /* of curses */
    int attr[SMI_GREEN + 1]; /* of a style */
};

/* Standard output is a terminal, and we are in its foreground (a job in the background would be stopped). */
bool smi_term_available(void);
/* Takes the terminal of standard output; keys come from standard input, or, where that is none, from
 * /dev/tty. color, utf8: they may be used. Returns 0, or -1 with err (SMI_EIO): this terminal cannot be drawn
 * on, in one sentence. A signal that ends the process while it is open restores the terminal; ctrl-Z and fg
 * work. */
int smi_term_open(struct smi_term *t, bool color, bool utf8, struct smi_err *err);
void smi_term_close(struct smi_term *t);

void smi_term_size(int *width, int *height);
/* The next key (an smi_tui_key, or a byte), SMI_TUI_KEY_NONE if there is none. Never blocks. */
int smi_term_key(void);
void smi_term_draw(const struct smi_term *t, const struct smi_canvas *c);

#endif
