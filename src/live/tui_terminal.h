/* tui_terminal.h - the terminal: frames go to it, keys come from it, and it is restored on every way out. It
 * must understand the sequences of xterm, as nearly all do today. One at a time: signal handlers restore it.
 */
#ifndef SMI_LIVE_TUI_TERMINAL_H
#define SMI_LIVE_TUI_TERMINAL_H

#include "base/err.h"
#include "base/writer.h"
#include "live/tui_draw.h"

/* Zero: none is taken. Read only. */
struct smi_term {
    bool utf8, color;       /* glyphs beyond ASCII, and colours, can be seen on it */
    int fd;                 /* readable when there are keys: standard input, or /dev/tty */
    struct smi_writer *out; /* standard output */
    char key[64];           /* bytes that were read */
    size_t key_n;
    int width, height;
    bool entered, redraw;     /* the alternate screen; the next frame is drawn as a whole */
    struct smi_canvas before; /* the frame that was drawn last */
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
/* Draws what has changed since the last frame. Returns 0, or -1 with err. */
int smi_term_draw(struct smi_term *t, const struct smi_canvas *c, struct smi_err *err);

#endif
