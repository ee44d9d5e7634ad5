/* tui_terminal.h - the terminal: pictures go to it, keys come from it, and it is left as it was on every way
 * out. One at a time: curses has one. */
#ifndef SMI_LIVE_TUI_TERMINAL_H
#define SMI_LIVE_TUI_TERMINAL_H

#include "base/err.h"
#include "live/tui_canvas.h"

struct smi_term; /* opaque */

struct smi_term_opts {
    bool color; /* colours may be used */
    bool utf8;  /* glyphs beyond ASCII may be used */
};

/* Standard output is a terminal, and we are in its foreground (a job in the background would be stopped). */
bool smi_term_available(void);
/* Takes the terminal of standard output; keys come from standard input, or, where that is none, from
 * /dev/tty. NULL with err (SMI_EIO): this terminal cannot be drawn on, in one sentence. A signal that ends
 * the process while it is open restores the terminal; ctrl-Z and fg work. */
struct smi_term *smi_term_open(const struct smi_term_opts *o, struct smi_err *err);
void smi_term_close(struct smi_term *t); /* may be NULL */

int smi_term_fd(const struct smi_term *t); /* readable when there are keys */
bool smi_term_utf8(const struct smi_term *t);
bool smi_term_color(const struct smi_term *t);
void smi_term_size(const struct smi_term *t, int *width, int *height);
/* The next key (an smi_tui_key, or a byte), SMI_TUI_KEY_NONE if there is none. Never blocks. */
int smi_term_key(struct smi_term *t);
void smi_term_draw(struct smi_term *t, const struct smi_canvas *c);

#endif
